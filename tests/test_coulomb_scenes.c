/* Scenes of exact Coulomb friction: closed forms of their motion, of their steps, and of their structures. */
#include "studies.h"

#include "coulomb/parts.h"
#include "engines/engine_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The scene of that name, number `k` of them. */
static const dls_coulomb_case *case_of(const char *name, size_t k)
{
    const dls_coulomb_case *c = dls_coulomb_cases;
    while (strcmp(c->name, name) != 0 || k-- > 0)
        c++;
    return c;
}

/* The end of a run with exact answers; all its steps have certificates. */
static dls_coulomb_truth run_scene(const dls_coulomb_case *c, const char *method, double h)
{
    dls_certified_record record = {0};
    const dls_certified certified = {NULL, 1e-13, 0, &record};
    const dls_rig_plan plan = {
        .method = method, .with = {&dls_solver_certified, (void *)&certified, NULL}, .iterations = 1};
    dls_coulomb_tally tally = {0};
    dls_error error;
    dls_scene *scene;
    dls_rig rig;
    const size_t steps = dls_step_count(c->duration, h);
    assert_status(c->scene(c, &scene, &error), &error);
    assert_status(dls_rig_open(&rig, scene, &plan, &error), &error);
    while (dls_rig_next(&rig, h, steps))
        rig.status = dls_coulomb_certify(&rig, &tally, &error);
    const dls_coulomb_truth end = dls_coulomb_state(rig.model, dls_rig_state(&rig));
    assert_int_equal(tally.certified, steps);
    assert_status(dls_rig_end(&rig), &error);
    return end;
}

static dls_coulomb_truth truth_of(const dls_coulomb_case *c)
{
    dls_coulomb_truth truth;
    dls_error error;
    assert_status(c->truth(c, &truth, &error), &error);
    return truth;
}

/* A step of Euler's scheme places a body that accelerates uniformly ahead by a h T / 2. A step's impulses are right to
 * 1e-13 of those of the weight, that is 1e-13 g T = 2e-12 m/s at the end. */
TEST(a_cube_slides_down_with_the_error_of_the_scheme)
{
    const dls_coulomb_case *c = case_of("incline", 1);
    const double h = 1.0 / 64.0, rate = 9.81 * (0.5 - c->mu) / sqrt(1.25);
    const dls_coulomb_truth euler = run_scene(c, "baumgarte", h), theta = run_scene(c, "moreau-jean", h);
    assert_close(truth_of(c).x.x, 0.5 * rate * c->duration * c->duration, 1e-14);
    assert_close(euler.x.x, 0.5 * rate * c->duration * (c->duration + h), 1e-11);
    assert_close(theta.x.x, 0.5 * rate * c->duration * c->duration, 1e-11);
}

TEST(a_cube_at_its_friction_angle_stays)
{
    const dls_coulomb_truth end = run_scene(case_of("incline", 0), "moreau-jean", 1.0 / 64.0);
    assert_close(end.x.x, 0.0, 1e-10);
}

/* The last speeds are -80/7 m/s and -320/7 rad/s, which a step of any length has too once the ball rolls. */
TEST(a_ball_with_backspin_returns)
{
    const dls_coulomb_case *c = case_of("backspin", 0);
    const dls_coulomb_truth truth = truth_of(c), end = run_scene(c, "baumgarte", 1.0 / 32.0);
    assert_close(truth.v.x, -80.0 / 7.0, 1e-14);
    assert_close(truth.omega.y, -320.0 / 7.0, 1e-13);
    assert_close(end.v.x, truth.v.x, 1e-11);
    assert_close(end.omega.y, truth.omega.y, 1e-10);
}

/* A ball turns under its contact point, also within a step: 200 rad/s are 3.1 rad in 1/64 s. Rules of the middle are
 * exact while it slides and while it rolls, and err in the one step between by at most mu g h^2 / 2. */
TEST(a_ball_turns_under_its_contact)
{
    static const char *const methods[] = {"midpoint", "moreau-jean"};
    const dls_coulomb_case *c = case_of("backspin", 0);
    const double h = 1.0 / 64.0;
    for (size_t k = 0; k < 2; k++) {
        const dls_coulomb_truth truth = truth_of(c), end = run_scene(c, methods[k], h);
        assert_close(end.x.x, truth.x.x, 0.5 * c->mu * 9.81 * h * h);
        assert_close(end.v.x, truth.v.x, 1e-11);
        assert_close(end.omega.y, truth.omega.y, 1e-10);
    }
}

/* A rider that is captured moves, in a step of Euler's scheme, by h w r along the tangent: its radius grows by
 * sqrt(1 + (h w)^2) per step, until w^2 r > mu g. */
TEST(a_captured_rider_spirals_by_the_scheme_alone)
{
    const dls_coulomb_case *c = case_of("turntable", 2);
    const double h = 1.0 / 128.0;
    const dls_coulomb_truth end = run_scene(c, "baumgarte", h);
    const double radius = pow(1.0 + c->turn * c->turn * h * h, 0.5 * c->duration / h);
    assert_true(c->turn * c->turn * radius < c->mu * 9.81);
    assert_close(hypot(truth_of(c).x.x, truth_of(c).x.y), 1.0, 1e-14);
    assert_close(hypot(end.x.x, end.x.y), radius, 1e-8); /* the ball turns by less */
}

/* The others leave it: w^2 > mu g, and friction cannot give back the radius. */
TEST(riders_beyond_the_friction_of_the_table_leave_it)
{
    for (size_t k = 0; k < 4; k++) {
        const dls_coulomb_case *c = case_of("turntable", k);
        const bool leaves = c->turn * c->turn > c->mu * 9.81;
        const double distance = hypot(truth_of(c).x.x, truth_of(c).x.y);
        assert_int_equal(leaves, k != 2);
        assert_true(leaves ? distance > 2.0 * sqrt(2.0) : distance < 1.1); /* the table of the scenes is 4 m wide */
    }
}

/* The box turns over with mu = 0.55, and with mu = 0.5 it comes back. Half a step halves the error at least nearly. */
TEST(a_box_tumbles_by_its_friction)
{
    for (size_t k = 0; k < 2; k++) {
        const dls_coulomb_case *c = case_of("box", k);
        const dls_coulomb_truth truth = truth_of(c), rough = run_scene(c, "baumgarte", 1.0 / 100.0),
                                fine = run_scene(c, "baumgarte", 1.0 / 400.0);
        assert_int_equal(truth.omega.y > 0.0, k == 1);
        assert_true(dls_norm(dls_sub(fine.x, truth.x)) < 0.5 * dls_norm(dls_sub(rough.x, truth.x)));
    }
}

/* --- structures --- */

/* (tan a - t / L) / 2 is between a mu that is refuted and one that is proved. */
TEST(a_pair_of_cards_stands_by_its_closed_form)
{
    dls_blocks blocks;
    dls_error error;
    const double mu = dls_house_pair_mu(&dls_house_of_cards);
    assert_close(mu, 0.5 * (tan(0.23) - 0.03), 1e-16);
    assert_status(dls_house(&dls_house_of_cards, &blocks, &error), &error);
    for (int stands = 0; stands < 2; stands++) {
        dls_equilibrium *found;
        dls_blocks_set_mu(&blocks, mu + (stands ? 1e-12 : -1e-12));
        assert_status(dls_equilibrium_decide(&blocks.structure, &found, &error), &error);
        assert_int_equal(found->verdict, stands ? DLS_EQUILIBRIUM_EXISTS : DLS_EQUILIBRIUM_REFUTED);
        dls_equilibrium_destroy(found);
    }
    dls_blocks_release(&blocks);
}

/* The continuous arch: 0.1075 by Milankovitch, and no thinner arch of stones is refuted above it. With every stone
 * halved the joints of the coarser arch remain, so that it needs no less thickness. */
TEST(arches_of_stones_approach_the_continuous_arch)
{
    const double limit = dls_arch_least_thickness();
    assert_close(limit, 0.1075, 5e-5);
    for (size_t stones = 6; stones <= 24; stones *= 2) {
        dls_blocks blocks;
        dls_equilibrium *found;
        dls_error error;
        assert_status(dls_arch_round(stones, limit + 1e-3, &blocks, &error), &error);
        dls_blocks_set_mu(&blocks, 2.0);
        assert_status(dls_equilibrium_decide(&blocks.structure, &found, &error), &error);
        assert_int_equal(found->verdict, DLS_EQUILIBRIUM_EXISTS);
        dls_equilibrium_destroy(found);
        dls_blocks_release(&blocks);
    }
}

TEST(houses_have_their_cards)
{
    for (size_t levels = 1; levels <= 6; levels++) {
        dls_house_size size = dls_house_of_cards;
        dls_blocks blocks;
        dls_error error;
        size.levels = levels;
        assert_status(dls_house(&size, &blocks, &error), &error);
        assert_int_equal(blocks.structure.n_bodies, dls_house_cards(levels) + 1);
        assert_int_equal(blocks.structure.n_bodies, blocks.room_bodies);
        assert_int_equal(blocks.structure.n_joints, blocks.room_joints);
        dls_blocks_release(&blocks);
    }
    assert_int_equal(dls_house_cards(4), 26);
    assert_int_equal(dls_house_cards(10), 155);
}

/* The published house of ten levels. The ground carries all cards, of which each has the area L t; the least friction
 * is more than that of four levels, whose house stands on top of it. */
TEST(a_house_of_ten_levels_is_decided)
{
    static const double mus[] = {0.1977, 0.1978, 0.1979, 0.8};
    dls_house_size size = dls_house_of_cards;
    dls_blocks blocks;
    dls_error error;
    size.levels = 10;
    assert_status(dls_house(&size, &blocks, &error), &error);
    const dls_structure *of = &blocks.structure;
    for (size_t m = 0; m < 4; m++) {
        dls_equilibrium *found;
        double carried = 0.0;
        dls_blocks_set_mu(&blocks, mus[m]);
        assert_status(dls_equilibrium_decide(of, &found, &error), &error);
        assert_int_equal(found->verdict, m < 2 ? DLS_EQUILIBRIUM_REFUTED : DLS_EQUILIBRIUM_EXISTS);
        for (size_t k = 0; k < of->n_joints; k++)
            if (of->joints[k].body[1] == of->n_bodies - 1)
                carried += found->force[3 * k];
        if (m >= 2)
            assert_close(carried, 155.0 * size.length * size.thickness, 1e-12);
        dls_equilibrium_destroy(found);
    }
    dls_blocks_release(&blocks);
}

/* Bodies in space have the mass of their area, and the inertia of a brick where they are one: a horizontal card. */
TEST(blocks_in_space_are_bricks)
{
    dls_house_size size = dls_house_of_cards;
    dls_blocks blocks;
    dls_error error;
    dls_scene *scene;
    size.levels = 2;
    assert_status(dls_house(&size, &blocks, &error), &error);
    dls_blocks_set_mu(&blocks, 0.8);
    assert_status(dls_blocks_scene(&blocks, 1000.0, &scene, &error), &error);
    const double mass = 1000.0 * 1.0 * 0.03 * 0.45;
    for (size_t i = 0; i < scene->n_bodies; i++)
        assert_close(scene->bodies[i].mass, mass, 1e-12);
    const dls_body_def *flat = &scene->bodies[4]; /* after two frames */
    assert_close(flat->inertia.x, mass / 12.0 * (0.45 * 0.45 + 0.03 * 0.03), 1e-13);
    assert_close(flat->inertia.y, mass / 12.0 * (1.0 + 0.03 * 0.03), 1e-13);
    assert_close(flat->inertia.z, mass / 12.0 * (1.0 + 0.45 * 0.45), 1e-13);
    assert_close(flat->inertia_off.y, 0.0, 1e-13);
    dls_scene_destroy(scene);
    dls_blocks_release(&blocks);
}

/* --- creep --- */

/* The law where all contacts are deeper than 1 mm, d = 0.95, would be g sin (1 - d) / d 0.95 T / 2 / 4; that of the
 * block is faster, since d is smaller. MuJoCo has the speed of the law, but for its tilt of one part in 1e4 m. */
TEST(a_block_creeps_by_the_law_of_soft_contacts)
{
    const double tangent = 0.4, sine = tangent / sqrt(1.0 + tangent * tangent), law = dls_creep_on_slope(tangent);
    const double least = 0.25 * 9.81 * sine * (0.05 / 0.95) * 0.5 * 0.95 * 0.02,
                 most = least * (0.1 / 0.9) / (0.05 / 0.95);
    assert_close(dls_creep_impedance(0.0), 0.9, 1e-15);
    assert_close(dls_creep_impedance(0.5e-3), 0.925, 1e-15);
    assert_close(dls_creep_impedance(2e-3), 0.95, 1e-15);
    assert_true(least < law && law < most);
    dls_engine_choice choice;
    dls_error error;
    if (dls_engine_choose("mujoco-tree", &choice, &error) != DLS_OK)
        return;
    dls_engine_release(&choice);
    const char *const options[][2] = {
        {"slopes", "0.4"},      {"creep_time", "2"},        {"levels", "1"},       {"arches", "7"},
        {"stones", "6"},        {"width", "1e-2"},          {"stand_levels", "1"}, {"stand_stones", "5"},
        {"stand_time", "0.02"}, {"methods", "moreau-jean"}, {"steps", "0.1"},      {"stand_methods", "baumgarte"}};
    char folder[] = "/tmp/delassus-test-XXXXXX", settings[2048];
    dls_study *study;
    assert_non_null(mkdtemp(folder));
    const dls_job job = {.output = folder, .command = "test"};
    assert_status(open_study("coulomb", &job, settings, options, sizeof options / sizeof options[0], &study, &error),
                  &error);
    assert_status(dls_study_measure(study, &error), &error);
    const dls_coulomb_findings *f = study->found;
    assert_true(f->creep < 1e-4);
    assert_true(f->farthest < 1e-12); /* of 0.02 s: 9.81 t^2 / 2 would be 2e-3 */
    remove_tables("coulomb", folder);
    close_study("coulomb", settings, study);
}
