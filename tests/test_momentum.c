/* Momentum of what floats: lost to first order by default, and told by the ledger; with keep_momentum kept to rounding.
 */
#include "articulated.h"
#include "model/model.h"
#include "problem/gyroscopic.h"
#include "simulation/parts.h"
#include "stepping.h"

static dls_scene *floating(bool keep, dls_vec3 gravity, bool armature)
{
    uint64_t seed = 12;
    dls_scene *scene = new_scene();
    dls_error error;
    dls_articulation_def *def = draw_tree(&seed, 7, 3, false);
    snprintf(def->name, sizeof def->name, "tree");
    for (size_t i = 0; i < def->n_links && !armature; i++)
        memset(def->links[i].armature, 0, sizeof def->links[i].armature);
    scene->world.keep_momentum = keep;
    scene->world.gravity = gravity;
    assert_status(dls_scene_add_articulation(scene, def, &error), &error);
    return scene;
}

static dls_spatial momentum_now(run *r)
{
    dls_spatial p;
    dls_momentum(dls_simulation_configuration(r->simulation), &p.lin, &p.ang);
    return p;
}

static dls_spatial central_momentum(run *r)
{
    return dls_articulation_central_momentum(dls_simulation_configuration(r->simulation)->works[0]);
}

static double apart(dls_spatial a, dls_spatial b)
{
    const dls_spatial d = dls_spatial_sub(a, b);
    return fmax(dls_norm(d.lin), dls_norm(d.ang));
}

/* --- the loss --- */

/* After a second, and the sum of what the ledger told. */
static double loss(bool keep, double h, double *mistold)
{
    run r;
    dls_spatial told = {{0, 0, 0}, {0, 0, 0}};
    start_kept(&r, finish(floating(keep, zero3, true)), &variants[0], 1);
    const dls_spatial before = momentum_now(&r);
    for (double t = 0.0; t < 1.0 - 0.5 * h; t += h) {
        run_steps(&r, 1, h);
        told = dls_spatial_add(told, dls_simulation_ledger(r.simulation)->momentum_drift);
    }
    const dls_spatial change = dls_spatial_sub(momentum_now(&r), before);
    const double lost = apart(momentum_now(&r), before) / fmax(dls_norm(before.lin), dls_norm(before.ang));
    *mistold = apart(change, told);
    run_stop(&r);
    return lost;
}

TEST(test_the_loss_is_of_first_order_and_told)
{
    double mistold[4];
    const double coarse = loss(false, 1.0 / 1024, &mistold[0]), fine = loss(false, 1.0 / 2048, &mistold[1]);
    const double kept = loss(true, 1.0 / 256, &mistold[2]), finely = loss(true, 1.0 / 1024, &mistold[3]);
    print_message("# lost in 1 s: %.2e at h = 1/1024, %.2e at half of it; kept: %.1e, %.1e\n", coarse, fine, kept,
                  finely);
    assert_true(coarse > 1e-3);
    assert_close(coarse / fine, 2.0, 0.2);
    assert_below(kept, 1e-12);
    assert_below(finely, 1e-12);
    for (int k = 0; k < 4; k++)
        assert_below(mistold[k], 1e-11);
}

/* --- every scheme --- */

/* The centre of mass moves along the momentum, so that the moment about any point is kept too. An armature reacts
 * between links. */
TEST(test_every_scheme_keeps_it)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        run r;
        if (refuses_to_keep_momentum(&variants[v])) {
            dls_error error;
            start(&r, finish(floating(true, zero3, true)), &variants[v], 3);
            assert_int_equal(dls_simulation_step(r.simulation, 2e-3, &error), DLS_REFUSED);
            assert_non_null(strstr(error.message, "keep_momentum"));
            run_stop(&r);
            continue;
        }
        start(&r, finish(floating(true, zero3, true)), &variants[v], 3);
        const dls_spatial before = central_momentum(&r), about_origin = momentum_now(&r);
        const dls_vec3 G = dls_articulation_centre_of_mass(dls_simulation_configuration(r.simulation)->works[0]);
        run_steps(&r, 500, 2e-3);
        const dls_vec3 way =
            dls_scale(1.0 / dls_model_articulations(dls_simulation_model(r.simulation))[0].tree->mass, before.lin);
        const dls_vec3 left = dls_sub(
            dls_articulation_centre_of_mass(dls_simulation_configuration(r.simulation)->works[0]), dls_add(G, way));
        print_message("# %-26s central %.1e, about the origin %.1e, centre of mass off its line %.1e\n",
                      name_of(&variants[v]), apart(central_momentum(&r), before), apart(momentum_now(&r), about_origin),
                      dls_norm(left));
        assert_below(apart(central_momentum(&r), before), 1e-11);
        assert_below(apart(momentum_now(&r), about_origin), 1e-11);
        assert_below(dls_norm(left), 1e-11);
        run_stop(&r);
    }
}

/* Gravity, forces on links, and a ball joint to a free body: what remains of the momentum's change beside their
 * impulses is rounding, in the ledger of every step. */
TEST(test_forces_change_it_and_nothing_else)
{
    run r;
    double worst = 0.0, mismatch = 0.0;
    dls_scene *scene = floating(true, dls_v3(0.3, -0.2, -4), true);
    dls_body_def load = new_box("load", 0.7, dls_v3(0.4, 0.05, 0.2), dls_v3(0.7, 0, 0));
    scene->articulations[0]->links[3].force = dls_v3(1, 2, -3), scene->articulations[0]->links[4].torque.y = 0.4;
    load.omega = dls_v3(3, 0.1, 7);
    add_body(scene, &load);
    add_joint(scene, "ball", "hook", "load", "tree.link4", KEYS("anchor", "[0.5, 0.1, 0]"));
    start_kept(&r, finish(scene), &variants[1], 200);
    for (int k = 0; k < 300; k++) {
        run_steps(&r, 1, 1e-3);
        const dls_ledger *l = dls_simulation_ledger(r.simulation);
        worst = fmax(worst, fmax(dls_norm(l->momentum_drift.lin), dls_norm(l->momentum_drift.ang)));
        mismatch = fmax(mismatch, dls_ledger_mismatch(l));
    }
    print_message("# drift of momentum per step %.1e, mismatch of energy %.1e\n", worst, mismatch);
    assert_below(worst, 1e-12);
    assert_below(mismatch, 1e-12);
    run_stop(&r);
}

/* --- bodies --- */

static dls_model *top(const char *gyroscopic, bool keep)
{
    dls_scene *scene = new_scene();
    dls_error error;
    dls_body_def box = new_box("box", 2.385, dls_v3(0.3, 0.5, 0.7), dls_v3(0.3, 0.2, -0.4));
    box.omega = dls_v3(0.3, 9.7, 0.2), box.velocity = dls_v3(1.3, 0.7, -0.2);
    scene->world.keep_momentum = keep;
    scene->world.gravity = zero3;
    assert_status(dls_field_set(&dls_world_fields, &scene->world, "gyroscopic", gyroscopic, &error), &error);
    add_body(scene, &box);
    return finish(scene);
}

TEST(test_a_tumbling_body_keeps_it)
{
    static const char *const ways[] = {"explicit", "implicit", "none"};
    for (int w = 0; w < 3; w++) {
        double lost[2];
        for (int keep = 0; keep < 2; keep++) {
            run r;
            start(&r, top(ways[w], keep), &variants[0], 1);
            const dls_spatial before = momentum_now(&r);
            run_steps(&r, 2000, 1e-3);
            lost[keep] = apart(momentum_now(&r), before);
            run_stop(&r);
        }
        print_message("# gyroscopic %s: lost %.1e, kept %.1e\n", ways[w], lost[0], lost[1]);
        assert_true(lost[0] > 1e-4);
        assert_below(lost[1], 1e-11);
    }
}

/* The products of velocities in a step, in every way of them: every entry is written, and a body's is
 * h R (I w) x w, w in body coordinates, or the implicit step's, or nothing. */
TEST(test_impulses_of_turning)
{
    static const char *const ways[] = {"explicit", "implicit", "none"};
    const double h = 1e-3;
    for (int w = 0; w < 3; w++) {
        double impulse[6];
        run r;
        start(&r, top(ways[w], false), &variants[0], 1);
        const dls_configuration *c = dls_simulation_configuration(r.simulation);
        const dls_mat3 I = c->model->bodies[0].inertia;
        const dls_end end = dls_configuration_end(c, 0);
        const dls_vec3 spin = dls_tmul3(end.R, end.omega);
        dls_vec3 torque = dls_scale(h, dls_cross(dls_mul3(I, spin), spin));
        if (w == 1)
            torque = dls_mul3(I, dls_sub(dls_gyroscopic_implicit(I, spin, h), spin));
        torque = w == 2 ? zero3 : dls_mul3(end.R, torque);
        for (int k = 0; k < 6; k++)
            impulse[k] = NAN;
        dls_turning_impulses(c, h, impulse);
        assert_true(impulse[0] == 0.0 && impulse[1] == 0.0 && impulse[2] == 0.0);
        assert_vector(dls_v3(impulse[3], impulse[4], impulse[5]), torque, 1e-14);
        assert_true(w == 2 || dls_norm(torque) > 1e-4);
        run_stop(&r);
    }
}

/* One floating link is a body, with the momentum kept or not. */
TEST(test_one_link_is_a_body)
{
    for (int keep = 0; keep < 2; keep++) {
        run body, link;
        dls_scene *scene = new_scene();
        dls_error error;
        dls_articulation_def *def = new_articulation(false);
        dls_posed_link drawn = {0};
        start(&body, top("explicit", keep), &variants[0], 1);
        assert_status(dls_fields_default(&dls_posed_joint_fields, &drawn.joint, &error), &error);
        drawn.body = new_box("box", 2.385, dls_v3(0.3, 0.5, 0.7), dls_v3(0.3, 0.2, -0.4));
        drawn.body.omega = dls_v3(0.3, 9.7, 0.2), drawn.body.velocity = dls_v3(1.3, 0.7, -0.2);
        snprintf(def->name, sizeof def->name, "one");
        assert_status(dls_articulation_def_add_posed(def, &drawn, &error), &error);
        assert_status(dls_scene_add_articulation(scene, def, &error), &error);
        scene->world.gravity = zero3;
        scene->world.keep_momentum = keep;
        start(&link, finish(scene), &variants[0], 1);
        run_steps(&body, 1000, 1e-3);
        run_steps(&link, 1000, 1e-3);
        const dls_end a = dls_configuration_end(dls_simulation_configuration(body.simulation), 0);
        const dls_end b = dls_configuration_end(dls_simulation_configuration(link.simulation), 0);
        assert_below(dls_norm(dls_sub(a.x, b.x)) + dls_norm(dls_sub(a.v, b.v)), 1e-11);
        assert_below(dls_norm(dls_sub(a.omega, b.omega)), 1e-9);
        run_stop(&body);
        run_stop(&link);
    }
}

/* --- what it costs in accuracy --- */

static dls_vec3 end_after(bool keep, double h)
{
    run r;
    start(&r, finish(floating(keep, dls_v3(0, 0, -1), true)), &variants[0], 1);
    run_steps(&r, (size_t)(0.25 / h + 0.5), h);
    const dls_end end = dls_configuration_end(dls_simulation_configuration(r.simulation), 6);
    run_stop(&r);
    return end.x;
}

/* The order of the scheme stays: errors against a run of steps 64 times smaller halve with h. */
TEST(test_the_order_stays)
{
    const double h = 1.0 / 1024;
    const dls_vec3 limit = end_after(false, h / 128);
    for (int keep = 0; keep < 2; keep++) {
        const double coarse = dls_norm(dls_sub(end_after(keep, h), limit)),
                     fine = dls_norm(dls_sub(end_after(keep, h / 2), limit));
        print_message("# keep %d: error %.2e, at half the step %.2e\n", keep, coarse, fine);
        assert_close(coarse / fine, 2.0, 0.3);
    }
}

/* An energy that overflows is told of the body or the tree that has it. */
TEST(test_energy_that_overflows)
{
    static const char *const names[] = {"ball", "one", "two"};
    for (size_t fast = 0; fast < 4; fast++) { /* the last: of none alone */
        char text[512], speed[3][16];
        for (size_t k = 0; k < 3; k++)
            snprintf(speed[k], sizeof speed[k], "%s", fast == k ? "1e160" : fast == 3 ? "1.2e154" : "1");
        int length =
            snprintf(text, sizeof text,
                     "bodies: [{name: ball, shape: sphere, radius: 0.1, mass: 1, velocity: [%s, 0, 0]}]\n"
                     "articulations:\n"
                     "  - {name: one, links: [{name: a, mass: 1, inertia: [1, 1, 1], velocity: [%s, 0, 0]}]}\n"
                     "  - {name: two, links: [{name: a, mass: 1, inertia: [1, 1, 1], velocity: [%s, 0, 0]}]}\n",
                     speed[0], speed[1], speed[2]);
        dls_scene *scene;
        dls_error error;
        dls_configuration *c;
        assert_in_range(length, 1, sizeof text - 1);
        assert_status(dls_scene_parse(text, (size_t)length, "text", &scene, &error), &error);
        dls_model *model = finish(scene);
        assert_status(dls_configuration_create(model, &c, &error), &error);
        dls_configuration_evaluate(c, dls_model_initial(model));
        assert_status(dls_configuration_factor(c, &error), &error);
        assert_int_equal(dls_energy_check(c, 0.25, &error), DLS_NOT_FINITE);
        assert_non_null(strstr(error.message, fast < 3 ? names[fast] : "all bodies"));
        assert_non_null(strstr(error.message, "0.25 s"));
        dls_configuration_destroy(c);
        dls_model_destroy(model);
    }
}
