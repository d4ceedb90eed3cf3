/* The same MJCF files in MuJoCo and here, at random positions and velocities: mass matrix, bias force, passive force,
 * actuator forces, force and torque sensors, Jacobians and errors of equalities. Built where MuJoCo is installed. The
 * velocities of both are related by T (mujoco_pair.h), so that M_theirs = T^T M T, forces_theirs = T^T forces, and with
 * v' = T u' + T' u, T' u = omega x (omega x R c) of the base alone: bias_theirs = T^T (M T' u + C + g). */
#include "mujoco_pair.h"

/* --- comparing --- */

static double largest;

/* To rounding, as a share of the largest number of the kind. */
static void compare(const char *what, const double *ours, const double *theirs, size_t n)
{
    double size = 0.0, worst = 0.0;
    for (size_t i = 0; i < n; i++)
        size = fmax(size, fmax(fabs(theirs[i]), fabs(ours[i])));
    for (size_t i = 0; i < n; i++) {
        const double off = fabs(ours[i] - theirs[i]);
        if (!(off <= 1e-10 * fmax(size, 1e-3)))
            print_error("%s, entry %zu: %.17g, MuJoCo %.17g\n", what, i, ours[i], theirs[i]);
        worst = fmax(worst, off / fmax(size, 1e-3));
    }
    largest = fmax(largest, worst);
    assert_below(worst, 1e-10);
}

static void compare_mass(pair *p)
{
    const dls_model_articulation *articulations = dls_model_articulations(p->model);
    double M[NV_MAX * NV_MAX] = {0.0}, MT[NV_MAX * NV_MAX], full[NV_MAX * NV_MAX], turned[NV_MAX * NV_MAX];
    const size_t nv = p->nv;
    for (size_t a = 0; a < dls_model_count(p->model).articulations; a++)
        dls_articulation_mass_matrix(p->configuration->works[a], M + articulations[a].offset * (nv + 1), nv);
    for (size_t i = 0; i < nv; i++)
        for (size_t k = 0; k < nv; k++) {
            MT[i * nv + k] = 0.0;
            for (size_t l = 0; l < nv; l++)
                MT[i * nv + k] += M[i * nv + l] * p->T[l][k];
        }
    for (size_t i = 0; i < nv; i++)
        for (size_t k = 0; k < nv; k++) {
            turned[i * nv + k] = 0.0;
            for (size_t l = 0; l < nv; l++)
                turned[i * nv + k] += p->T[l][i] * MT[l * nv + k];
        }
    mj_fullM(p->theirs, full, p->data->qM);
    compare("mass matrix", turned, full, nv * nv);
}

static void compare_bias(pair *p)
{
    const dls_model_articulation *articulations = dls_model_articulations(p->model);
    const dls_vec3 g = dls_model_world(p->model)->gravity;
    double bias[NV_MAX] = {0.0}, turned[NV_MAX];
    for (size_t a = 0; a < dls_model_count(p->model).articulations; a++)
        dls_articulation_inverse(p->configuration->works[a], p->drift + articulations[a].offset, NULL, g,
                                 bias + articulations[a].offset);
    theirs_of(p, bias, turned);
    compare("bias force", turned, p->data->qfrc_bias, p->nv);
}

/* Whether a joint of the scene is an actuator of MuJoCo's, whose name may be a tendon's, too. */
static bool is_actuator(const pair *p, size_t joint)
{
    for (int k = 0; joint != DLS_NONE && k < p->theirs->nu; k++) {
        const char *own = dls_model_joints(p->model)[joint].name, *name = name_of(p, mjOBJ_ACTUATOR, k, "actuator");
        const bool shared = mj_name2id(p->theirs, mjOBJ_TENDON, name) >= 0,
                   begins = strncmp(own, name, strlen(name)) == 0;
        if (begins && strcmp(own + strlen(name), shared ? " actuator" : "") == 0)
            return true;
    }
    return false;
}

/* Forces of springs and dampers along their rows. */
static void sum_springs(const pair *p, bool actuators, double *sum)
{
    for (size_t i = 0; i < p->rows->n; i++) {
        const dls_list_row *row = &p->rows->row[i];
        if (!row->spring || is_actuator(p, row->owner) != actuators)
            continue;
        const double speed = dls_rows_dot(&p->rows->J, i, p->state->v) - row->u;
        const double f = row->spring->feed - row->spring->kp * row->C - row->spring->kd * speed;
        const bool slack = row->gap || (row->lo == 0.0 && row->C > 0.0);
        dls_rows_axpy(&p->rows->J, i, slack ? 0.0 : fmin(fmax(f, row->lo), row->hi), sum);
    }
}

static void add_link_forces(const pair *p, double *sum)
{
    const dls_model_articulation *articulations = dls_model_articulations(p->model);
    for (size_t a = 0; a < dls_model_count(p->model).articulations; a++) {
        double held[NV_MAX];
        dls_articulation_external_force(p->configuration->works[a],
                                        dls_configuration_link_forces(p->configuration, p->state, a), held);
        for (size_t k = 0; k < articulations[a].tree->nv; k++)
            sum[articulations[a].offset + k] -= held[k];
    }
}

static void compare_passive(pair *p)
{
    double sum[NV_MAX] = {0.0}, turned[NV_MAX], actuated[NV_MAX] = {0.0};
    sum_springs(p, false, sum);
    add_link_forces(p, sum);
    theirs_of(p, sum, turned);
    compare("passive force", turned, p->data->qfrc_passive, p->nv);
    sum_springs(p, true, actuated);
    for (size_t k = 0; k < p->nv; k++)
        actuated[k] += p->state->force[k]; /* of motors that pull from the start on */
    theirs_of(p, actuated, turned);
    compare("actuator force", turned, p->data->qfrc_actuator, p->nv);
}

/* Theirs are of MuJoCo's accelerations, and so are ours: both are of one motion. */
static void compare_sensors(pair *p)
{
    const dls_sensor *sensors = dls_model_sensors(p->model);
    double vdot[NV_MAX];
    ours_of(p, p->data->qacc, p->drift, vdot);
    for (size_t k = 0; k < dls_model_count(p->model).sensors; k++) {
        dls_spatial wrench[NV_MAX];
        size_t link;
        const dls_model_articulation *articulation = dls_model_articulation_of(p->model, sensors[k].end, &link);
        const dls_end end = dls_configuration_end(p->configuration, sensors[k].end);
        const size_t a = (size_t)(articulation - dls_model_articulations(p->model));
        dls_articulation_wrenches(p->configuration->works[a], vdot + articulation->offset,
                                  dls_configuration_link_forces(p->configuration, p->state, a),
                                  dls_model_world(p->model)->gravity, wrench);
        const dls_mat3 R = dls_quat_matrix(dls_end_rotation(&end, &sensors[k].frame));
        const dls_spatial at = dls_force_at(wrench[link], dls_neg(dls_end_arm(&end, &sensors[k].frame)));
        const int id = mj_name2id(p->theirs, mjOBJ_SENSOR, sensors[k].name);
        assert_true(id >= 0 && sensors[k].incoming);
        const dls_vec3 f = dls_tmul3(R, p->theirs->sensor_type[id] == mjSENS_FORCE ? at.lin : at.ang);
        compare(sensors[k].name, &f.x, p->data->sensordata + p->theirs->sensor_adr[id], 3);
    }
}

/* Rows of joint, tendon and connect: J u, which is the same for the same T, and the errors. Of a weld the rows of the
 * position; MuJoCo takes the angle by another measure. */
static void compare_equalities(pair *p)
{
    for (int i = 0; i < p->data->ne; i++) {
        const int id = p->data->efc_id[i], type = p->theirs->eq_type[id];
        int slot = i;
        while (slot > 0 && p->data->efc_id[slot - 1] == id && p->data->efc_type[slot - 1] == mjCNSTR_EQUALITY)
            slot--;
        slot = i - slot;
        if (type == mjEQ_WELD && slot >= 3)
            continue;
        const char *name = name_of(p, mjOBJ_EQUALITY, id, "equality");
        char joint[2 * DLS_NAME_MAX];
        snprintf(joint, sizeof joint, "%s equality", name); /* so called where a tendon has that name */
        if (dls_model_find_joint(p->model, joint) == DLS_NONE)
            snprintf(joint, sizeof joint, "%s", name);
        const size_t owner = dls_model_find_joint(p->model, joint);
        size_t row = 0;
        while (row < p->rows->n && p->rows->row[row].owner != owner)
            row++;
        row += (size_t)slot;
        assert_true(row < p->rows->n);
        double J[NV_MAX] = {0.0}, turned[NV_MAX];
        dls_rows_axpy(&p->rows->J, row, 1.0, J);
        theirs_of(p, J, turned);
        double error = p->rows->row[row].C;
        const bool of_bodies = type == mjEQ_CONNECT || type == mjEQ_WELD;
        if (of_bodies && p->theirs->body_weldid[p->theirs->eq_obj1id[id]] == 0) { /* body 1 of a joint moves */
            error = -error;
            for (size_t k = 0; k < p->nv; k++)
                turned[k] = -turned[k];
        }
        compare("equality's Jacobian", turned, p->data->efc_J + (size_t)i * p->nv, p->nv);
        compare("equality's error", &error, &p->data->efc_pos[i], 1);
    }
}

/* The farthest that a centre of mass is from MuJoCo's after both have moved for `time` from rest. */
static double distance_after(const char *file, double h, double time)
{
    pair p;
    dls_simulation *simulation;
    dls_error error;
    dls_simulation_options options = dls_simulation_default();
    double worst = 0.0;
    open_pair(&p, file);
    options.solver = dls_iterative_find("pgs");
    options.iterations = 200;
    p.theirs->opt.timestep = h;
    assert_status(dls_simulation_open(p.model, &options, &simulation, &error), &error);
    for (int k = 0; k < (int)(time / h + 0.5); k++) {
        mj_step(p.theirs, p.data);
        assert_status(dls_simulation_step(simulation, h, &error), &error);
    }
    mj_kinematics(p.theirs, p.data);
    dls_configuration_evaluate(p.configuration, dls_simulation_state(simulation));
    for (int body = 1; body < p.theirs->nbody; body++)
        for (size_t a = 0; a < dls_model_count(p.model).articulations; a++) {
            const size_t link = dls_articulation_find_link(dls_model_articulations(p.model)[a].tree,
                                                           mj_id2name(p.theirs, mjOBJ_BODY, body));
            const double *c = p.data->xipos + 3 * (size_t)body;
            if (link != DLS_NONE)
                worst =
                    fmax(worst, dls_norm(dls_sub(p.configuration->works[a]->links[link].c, dls_v3(c[0], c[1], c[2]))));
        }
    dls_simulation_close(simulation);
    close_pair(&p);
    return worst;
}

/* Without limits, friction and contacts both are of first order in h: half a step, half the distance. */
TEST(test_trajectories_meet)
{
    static const char *const files[] = {"mjcf-balls.xml"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const double coarse = distance_after(files[i], 2e-3, 0.4), fine = distance_after(files[i], 1e-3, 0.4);
        print_message("# %s after 0.4 s: %.3g m apart at 2 ms, %.3g m at 1 ms\n", files[i], coarse, fine);
        assert_close(coarse / fine, 2.0, 0.2);
        assert_below(fine, 1e-3);
    }
}

static void compare_file(const char *file, size_t sensors, int equality_rows)
{
    pair p;
    const uint64_t seeds = check_small() ? 3 : 50;
    open_pair(&p, file);
    p.theirs->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS;
    p.theirs->opt.jacobian = mjJAC_DENSE;
    assert_int_equal(dls_model_count(p.model).sensors, sensors);
    largest = 0.0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        draw_state_of_both(&p, seed);
        compare_mass(&p);
        compare_bias(&p);
        compare_passive(&p);
        compare_sensors(&p);
        assert_int_equal(p.data->ne, equality_rows);
        compare_equalities(&p);
    }
    print_message("# %s: %zu degrees of freedom, %d states, largest difference %.2g of the largest entry\n", file, p.nv,
                  (int)seeds, largest);
    close_pair(&p);
}

/* Masses scaled to a total, fixed bodies included, and an inertia that is balanced; part of the model in another file.
 * */
TEST(test_compiler)
{
    pair p;
    open_text(&p,
              "<mujoco><compiler settotalmass='14' balanceinertia='true'/><worldbody><body name='f'><geom size='.1'/>"
              "</body><body name='b'><joint name='j' axis='0 1 0'/><geom type='box' pos='.3 0 0' "
              "size='.1 .2 .3'/><include file='included.xml'/></body></worldbody></mujoco>",
              "<mujocoinclude><body name='c' pos='1 0 0'><joint name='k' axis='1 1 0'/><inertial pos='0 0 .2' mass='2' "
              "diaginertia='1 2 4'/></body></mujocoinclude>");
    p.theirs->opt.disableflags |= mjDSBL_CONTACT;
    largest = 0.0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        draw_state_of_both(&p, seed);
        compare_mass(&p);
        compare_bias(&p);
        compare_passive(&p);
    }
    close_pair(&p);
}

/* Masses, forces and equalities of a model given as text, at random states. */
static void compare_text(const char *model, int equality_rows)
{
    pair p;
    open_text(&p, model, "");
    p.theirs->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS;
    p.theirs->opt.jacobian = mjJAC_DENSE;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        draw_state_of_both(&p, seed);
        compare_mass(&p);
        compare_bias(&p);
        compare_passive(&p);
        assert_int_equal(p.data->ne, equality_rows);
        compare_equalities(&p);
    }
    close_pair(&p);
}

/* Least masses and inertias, also of a body that has none at all. */
TEST(test_least_masses)
{
    compare_text(
        "<mujoco><compiler boundmass='.3' boundinertia='.35'/><worldbody><body name='a' pos='.1 .2 .3'><joint "
        "name='i' axis='0 1 1'/><body name='b' pos='.4 -.5 .6'><joint name='j' axis='1 2 3'/><geom "
        "type='box' pos='.2 .3 .1' euler='10 20 30' size='.05 .2 .01'/><body name='c' pos='1 0 0'><joint "
        "name='k' axis='0 0 1'/><inertial pos='.1 0 0' mass='4' diaginertia='.5 .4 .3' euler='10 20 30'/></body>"
        "</body></body></worldbody></mujoco>",
        0);
}

/* Springs by their time constants, of hinges, slides and balls, whose inertia depends on all of the tree. */
TEST(test_time_constants)
{
    compare_text(
        "<mujoco><worldbody><body name='a'><joint name='i' axis='0 1 0' springdamper='.3 .7' springref='20'/>"
        "<geom type='box' size='.1 .2 .3' pos='.3 .1 0'/><body name='b' pos='0 0 1'><joint name='j' type='slide' "
        "axis='1 1 0' springdamper='.5 1.2' damping='9' stiffness='8'/><geom size='.2' pos='.1 .2 .3'/>"
        "<body name='c' pos='0 .5 0'><joint name='k' type='ball' springdamper='.2 .4'/><geom type='capsule' "
        "size='.1 .3' pos='.1 0 .2' euler='30 0 0'/></body></body></body></worldbody></mujoco>",
        0);
}

/* Springs and dampers of free joints, at the origin of the body frame, which is not the centre of mass. */
TEST(test_free_joints_with_springs)
{
    compare_text(
        "<mujoco><worldbody><body name='a' pos='.1 .2 .3' euler='10 20 30'><joint name='i' type='free' "
        "stiffness='3' damping='.7' pos='1 2 3'/><geom type='box' size='.1 .2 .3' pos='.3 .1 0'/></body>"
        "<body name='b'><joint name='j' type='free' damping='.4'/><geom size='.2' pos='.1 .2 .3'/></body>"
        "<body name='c' pos='0 1 1'><joint name='k' type='free' stiffness='2'/><geom size='.2' pos='.1 .2 .3'/>"
        "</body></worldbody></mujoco>",
        0);
}

/* Welds in a relative pose that is not the one of the file, and about an anchor. */
TEST(test_relative_poses)
{
    compare_text("<mujoco><worldbody><body name='a'><freejoint/><geom type='box' size='.1 .2 .3' pos='.3 .1 0'/></body>"
                 "<body name='b' pos='0 1 1'><freejoint/><geom size='.2' pos='.1 .2 .3'/></body></worldbody><equality>"
                 "<weld name='e' body1='a' body2='b' relpose='.1 .2 .3 1 2 -3 4' anchor='.3 .2 .1'/>"
                 "<weld name='f' body1='a' relpose='1 2 3 .5 .5 -.5 .5'/></equality></mujoco>",
                 12);
}

/* Polynomials of up to the fourth degree: of hinges, of a slide that a hinge drives, with references, of tendons. */
TEST(test_polynomials_of_coordinates)
{
    compare_text(
        "<mujoco><compiler angle='radian'/><worldbody><body name='a'><joint name='i' axis='0 1 0' ref='.3'/>"
        "<geom size='.1' pos='.3 0 0'/><body name='b' pos='0 0 1'><joint name='j' axis='1 0 0' ref='-.4'/><geom "
        "size='.2' pos='.1 .2 .3'/></body></body><body name='c' pos='1 0 0'><joint name='k' type='slide' "
        "axis='0 1 1' ref='.05'/><geom size='.1'/></body></worldbody><tendon><fixed name='s'><joint joint='k' "
        "coef='2.5'/></fixed><fixed name='t'><joint joint='i' coef='2'/><joint joint='j' coef='-3'/></fixed>"
        "</tendon><equality><joint name='square' joint1='i' joint2='j' polycoef='.1 -.7 .4 0 0'/>"
        "<joint name='fourth' joint1='j' joint2='i' polycoef='-.2 .3 .5 -.6 .35'/>"
        "<joint name='cam' joint1='k' joint2='i' polycoef='.01 0 .2 -.1 .05'/>"
        "<tendon name='pulled' tendon1='t' tendon2='s' polycoef='.1 .2 -.3 .4 .7'/>"
        "<joint name='alone' joint1='j' polycoef='.3 1 2 3 4'/></equality></mujoco>",
        5);
}

/* Ranges of the forces of joints, and motors that pull at the start. */
TEST(test_forces_at_the_start)
{
    compare_text(
        "<mujoco><compiler autolimits='true'/><worldbody><body name='a'><joint name='i' axis='0 1 0'/><geom size='.1' "
        "pos='.3 0 0'/><body name='b' pos='0 0 1'><joint name='j' axis='1 0 0'/><geom size='.2' pos='.1 .2 "
        ".3'/></body></body></worldbody><tendon><fixed name='t'><joint joint='i' coef='2'/><joint joint='j' "
        "coef='-3'/></fixed></tendon><actuator><motor name='m' joint='i' ctrlrange='1 2' gear='3'/><general name='g' "
        "tendon='t' biastype='affine' biasprm='.7 0 0'/><damper name='d' joint='j' kv='3' ctrlrange='0 1'/><general "
        "name='h' joint='j' dyntype='filter' dynprm='.1' gainprm='5' biastype='affine' biasprm='1 -5 -2'/><intvelocity "
        "name='v' joint='i' kp='4' actrange='-1 1' gear='2'/><cylinder name='c' joint='j' timeconst='.1' area='.3' "
        "bias='.4 -.5 -.6'/></actuator></mujoco>",
        0);
}

/* Bodies in a medium with wind: boxes of single geoms, of an <inertial>, of a whole tree. */
TEST(test_boxes_in_a_medium)
{
    compare_text("<mujoco><option density='1.3' viscosity='.7' wind='.4 -.3 .2'/><worldbody>"
                 "<body name='a'><freejoint/><geom type='box' size='.1 .2 .3' pos='.3 .1 .2' euler='10 20 30'/></body>"
                 "<body name='b'><freejoint/><geom type='capsule' size='.1 .3' euler='40 20 30'/></body>"
                 "<body name='c'><freejoint/><geom type='ellipsoid' size='.1 .2 .3' euler='40 20 30' contype='0' "
                 "conaffinity='0'/></body>"
                 "<body name='d'><freejoint/><inertial pos='.1 .2 .3' mass='2' diaginertia='.3 .4 .5' quat='1 2 3 4'/>"
                 "</body><body name='e' pos='0 0 1'><joint name='i' axis='0 1 1' damping='.1'/><geom type='cylinder' "
                 "size='.1 .3' pos='.2 0 0'/><body name='f' pos='1 0 0'><joint name='j' type='ball'/><geom size='.2' "
                 "pos='.1 .2 .3'/><body name='g' pos='1 0 0'><geom type='box' size='.1 .1 .3' pos='.1 .2 .3'/></body>"
                 "</body></body></worldbody></mujoco>",
                 0);
}

/* The ellipsoids of all kinds of geoms. MuJoCo takes the integrals of added masses by a quadrature of 15 points,
 * which is right to 7e-6 here: they are compared by themselves, and the forces with our exact ones in their place.
 * Kutta lift is the same as far as |v| (r_j r_k)^4 v_i^2 is above 1e-15, for MuJoCo divides by no less: it is not of
 * a plate of 5 cm. */
TEST(test_ellipsoids_in_a_medium)
{
    enum { COEFFICIENTS = 6, ADDED = 6 };
    static const char *const geoms[] = {
        "type='sphere' size='.2'", "type='capsule' size='.1 .3'", "type='cylinder' size='.2 .05'",
        "type='box' size='.1 .2 .3' fluidcoef='.1 .2 .3 .4 .5'", "type='ellipsoid' size='.3 .2 .05' fluidcoef='1 .5'"};
    enum { GEOMS = sizeof geoms / sizeof geoms[0] };
    char text[4096] =
        "<mujoco><default><geom contype='0' conaffinity='0'/></default><option density='1.3' viscosity='.7' "
        "wind='.4 -.3 .2'/><worldbody>";
    double worst = 0.0;
    pair p;
    for (size_t k = 0; k < GEOMS; k++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used,
                 "<body name='b%zu'><freejoint name='f%zu'/><geom name='g%zu' %s fluidshape='ellipsoid' pos='.3 .1 .2' "
                 "euler='10 20 30'/><geom size='.1' pos='0 -.2 .1'/><body pos='1 0 0'><joint name='j%zu'/><geom "
                 "size='.1 .2 .3' type='box'/></body></body>",
                 k, k, k, geoms[k], k);
    }
    strcat(text, "</worldbody></mujoco>");
    open_text(&p, text, "");
    p.theirs->opt.disableflags |= mjDSBL_CONTACT;
    for (size_t k = 0, found = 0; k < dls_model_count(p.model).immersed; k++) {
        const dls_immersed *body = &dls_model_immersed(p.model)[k];
        char name[16];
        if (!body->ellipsoid)
            continue;
        snprintf(name, sizeof name, "g%zu", found++);
        const int id = mj_name2id(p.theirs, mjOBJ_GEOM, name);
        assert_true(id >= 0);
        mjtNum *added = p.theirs->geom_fluid + mjNFLUID * (size_t)id + COEFFICIENTS;
        const double ours[ADDED] = {body->mass.x,    body->mass.y,    body->mass.z,
                                    body->inertia.x, body->inertia.y, body->inertia.z};
        for (size_t i = 0; i < ADDED; i++)
            worst = fmax(worst,
                         fabs(added[i] - ours[i]) / (i < 3 ? ours[0] : fmax(ours[3], fmax(ours[4], 1e-3 * ours[0]))));
        memcpy(added, ours, sizeof ours);
    }
    print_message("# added masses: largest difference %.2g\n", worst);
    assert_below(worst, 1e-5);
    largest = 0.0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        draw_state_of_both(&p, seed);
        compare_passive(&p);
    }
    print_message("# ellipsoids: largest difference %.2g of the largest entry\n", largest);
    close_pair(&p);
}

/* Geoms with all kinds of coefficients, masks, priorities and dimensions, and a <pair>: the pairs that touch in MuJoCo
 * touch here, at the same gap, with its friction. */
TEST(test_pairs_with_their_own_friction)
{
    static const char *const balls[] = {"",
                                        "friction='.3'",
                                        "friction='2 .02 .003' condim='4'",
                                        "condim='6'",
                                        "condim='1'",
                                        "friction='.1' priority='1' condim='6'",
                                        "contype='2' conaffinity='4'",
                                        "contype='4' conaffinity='1' friction='.7'"};
    enum { BALLS = sizeof balls / sizeof balls[0] };
    char text[4096] = "<mujoco><worldbody><geom name='floor' type='plane' size='9 9 1' friction='.5' condim='1'/>";
    dls_contacts contacts = {0, 0, NULL};
    dls_collider *collider;
    dls_error error;
    pair p;
    for (size_t k = 0; k < BALLS; k++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used,
                 "<body name='b%zu' pos='%g %g .98'><freejoint name='j%zu'/><geom name='g%zu' size='1' %s/></body>", k,
                 0.3 * (double)k, 0.2 * (double)(k * k % 5), k, k, balls[k]);
    }
    strcat(text, "</worldbody><contact><pair geom1='g0' geom2='g6' friction='.9 .9 .01 .001 .001' condim='6'/><pair "
                 "geom1='g1' geom2='floor' condim='3'/><exclude body1='b2' body2='b3'/></contact></mujoco>");
    open_text(&p, text, "");
    mj_forward(p.theirs, p.data);
    assert_status(dls_collider_create(p.model, &collider, &error), &error);
    assert_status(dls_collider_find(collider, dls_model_initial(p.model), &contacts, &error), &error);
    assert_true(p.data->ncon > BALLS);
    assert_int_equal(contacts.count, p.data->ncon);
    for (int i = 0; i < p.data->ncon; i++) {
        const mjContact *c = &p.data->contact[i];
        const dls_contact *found = NULL;
        size_t end[2];
        for (int s = 0; s < 2; s++) {
            const int body = p.theirs->geom_bodyid[s ? c->geom2 : c->geom1];
            char name[2 * DLS_NAME_MAX];
            snprintf(name, sizeof name, "%s.%s", mj_id2name(p.theirs, mjOBJ_BODY, body),
                     mj_id2name(p.theirs, mjOBJ_BODY, body));
            end[s] = dls_model_find_end(p.model, body ? name : "floor");
            assert_true(end[s] != DLS_NONE);
        }
        for (size_t k = 0; k < contacts.count; k++) {
            const dls_contact *at = &contacts.at[k];
            if ((at->body[0] == end[0] && at->body[1] == end[1]) || (at->body[0] == end[1] && at->body[1] == end[0]))
                found = at;
        }
        assert_non_null(found);
        assert_close(found->gap, c->dist, 1e-12);
        assert_close(found->mu, c->dim >= 3 ? c->friction[0] : 0.0, 0.0);
        assert_close(found->torsion, c->dim >= 4 ? c->friction[2] : 0.0, 0.0);
        assert_close(found->rolling, c->dim >= 6 ? c->friction[3] : 0.0, 0.0);
        assert_close(
            fabs(found->normal.x * c->frame[0] + found->normal.y * c->frame[1] + found->normal.z * c->frame[2]), 1.0,
            1e-12);
    }
    dls_contacts_release(&contacts);
    dls_collider_destroy(collider);
    close_pair(&p);
}

/* The friction of a pair of geoms. */
TEST(test_friction)
{
    static const char *const geoms[][2] = {{"friction='.25'", "friction='.5'"},
                                           {"friction='.75' priority='1'", "friction='.5'"},
                                           {"friction='.75'", "friction='.25' priority='2'"},
                                           {"friction='.75' condim='1'", "friction='.25'"},
                                           {"friction='.75' condim='1' priority='1'", "friction='.25'"}};
    for (size_t k = 0; k < sizeof geoms / sizeof geoms[0]; k++) {
        char text[512];
        pair p;
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><geom type='plane' size='9 9 1' %s/><body name='b' pos='0 0 .9'><freejoint/><geom "
                 "size='1' %s/></body></worldbody></mujoco>",
                 geoms[k][0], geoms[k][1]);
        open_text(&p, text, "");
        mj_forward(p.theirs, p.data);
        assert_int_equal(p.data->ncon, 1);
        assert_close(p.scene->world.mu, p.data->contact[0].dim == 1 ? 0.0 : p.data->contact[0].friction[0], 0.0);
        close_pair(&p);
    }
}

/* Where a keyframe puts every body, how fast it is, and what power the actuators have: that needs no common
 * coordinates. The anchors of equalities remain those of the reference configuration. */
static void compare_keyframe(const char *model, const char *name)
{
    pair p;
    dls_error error;
    open_text(&p, model, "");
    const int key = mj_name2id(p.theirs, mjOBJ_KEY, name);
    assert_true(key >= 0);
    mj_resetDataKeyframe(p.theirs, p.data, key);
    mj_forward(p.theirs, p.data);
    dls_model_destroy(p.model);
    dls_state_destroy(p.state);
    dls_configuration_destroy(p.configuration);
    assert_status(dls_scene_set(p.scene, "world.start", name, &error), &error);
    assert_status(dls_model_create(p.scene, &p.model, &error), &error);
    assert_status(dls_state_create(p.model, &p.state, &error), &error);
    assert_status(dls_configuration_create(p.model, &p.configuration, &error), &error);
    dls_configuration_evaluate(p.configuration, p.state);
    dls_configuration_measure(p.configuration, p.state, 0.0);
    dls_configuration_evaluate(p.configuration, p.state);
    assert_status(dls_configuration_factor(p.configuration, &error), &error);
    assert_status(dls_row_list_fill(p.rows, p.configuration, NULL, 1e-3, &error), &error);
    largest = 0.0;
    for (int body = 1; body < p.theirs->nbody; body++)
        for (size_t a = 0; a < dls_model_count(p.model).articulations; a++) {
            const size_t link = dls_articulation_find_link(dls_model_articulations(p.model)[a].tree,
                                                           mj_id2name(p.theirs, mjOBJ_BODY, body));
            mjtNum velocity[6];
            if (link == DLS_NONE)
                continue;
            const dls_link_work *at = &p.configuration->works[a]->links[link];
            mj_objectVelocity(p.theirs, p.data, mjOBJ_BODY, body, velocity, 0);
            compare("centre of mass", &at->c.x, p.data->xipos + 3 * (size_t)body, 3);
            compare("angular velocity", &at->v.ang.x, velocity, 3);
            compare("velocity", &at->v.lin.x, velocity + 3, 3);
        }
    double sum[NV_MAX] = {0.0}, ours = 0.0, theirs = 0.0;
    sum_springs(&p, true, sum);
    for (size_t k = 0; k < p.nv; k++) {
        ours += (sum[k] + p.state->force[k]) * p.state->v[k];
        theirs += p.data->qfrc_actuator[k] * p.data->qvel[k];
    }
    compare("power of actuators", &ours, &theirs, 1);
    for (int i = 0; i < p.data->ne; i++) {
        const size_t owner = dls_model_find_joint(p.model, mj_id2name(p.theirs, mjOBJ_EQUALITY, p.data->efc_id[i]));
        size_t row = 0;
        while (row < p.rows->n && p.rows->row[row].owner != owner)
            row++;
        compare("equality's error", &p.rows->row[row + (size_t)i].C, &p.data->efc_pos[i], 1);
    }
    print_message("# keyframe %s: largest difference %.2g of the largest entry\n", name, largest);
    close_pair(&p);
}

TEST(test_keyframes)
{
    static const char model[] =
        "<mujoco><compiler angle='degree' autolimits='true'/><worldbody><body name='a' pos='0 0 3' euler='10 20 "
        "30'><freejoint name='r'/>"
        "<geom type='box' size='.1 .2 .3' pos='.3 .1 .2' contype='0' conaffinity='0'/><body name='b' pos='.5 0 0'>"
        "<joint name='ball' type='ball' pos='0 .1 0'/><geom size='.2' pos='.1 .2 .3' contype='0' conaffinity='0'/>"
        "<body name='c' pos='0 .5 0' euler='0 40 0'><joint name='h' axis='1 1 0' ref='15' pos='.1 0 0'/>"
        "<joint name='s' type='slide' axis='0 1 1' ref='.2' range='-2 2'/><geom size='.2' pos='.3 0 0' contype='0' "
        "conaffinity='0'/></body></body></body><body name='d' pos='4 0 0'><joint name='k' axis='0 1 0'/><joint name='l'"
        " axis='1 0 0'/><geom size='.2' pos='.1 .2 .3' contype='0' conaffinity='0'/></body></worldbody>"
        "<equality><connect name='e' body1='a' body2='d' anchor='.1 .2 .3'/></equality>"
        "<tendon><fixed name='t'><joint joint='k' coef='2'/><joint joint='h' coef='-3'/></fixed></tendon>"
        "<actuator><position name='p' joint='h' kp='7' ctrlrange='-1 1' gear='2'/><motor name='m' tendon='t' "
        "gear='-1.5' forcerange='-5 5'/><velocity name='v' joint='s' kv='3'/><general name='g' joint='l' gainprm='4' "
        "biastype='affine' biasprm='1 -2 -3'/><motor name='n' joint='k' gear='2'/></actuator><keyframe>"
        "<key name='whole' qpos='1 2 3 .5 -.6 .7 .8 2 1 0 -1 .4 -.5 .7 -.8' qvel='1 -2 3 .4 .5 -.6 .7 -.8 .9 1 -1.1 "
        "1.2 "
        "1.3' ctrl='2 -3 .5 1.5 .25'/><key name='clamped' qvel='1 1 1 1 1 1 1 1 1 1 1 1 1' ctrl='-.3 30 1 1 1'/>"
        "<key name='still' qpos='0 0 1 1 0 0 0 1 0 0 0 0 0 0 0'/></keyframe></mujoco>";
    compare_keyframe(model, "whole");
    compare_keyframe(model, "clamped");
    compare_keyframe(model, "still");
}

TEST(test_arm) { compare_file("mjcf-arm.xml", 4, 0); }
TEST(test_humanoid) { compare_file("mjcf-humanoid.xml", 2, 0); }
TEST(test_balls) { compare_file("mjcf-balls.xml", 4, 0); }
TEST(test_tendons) { compare_file("mjcf-tendons.xml", 0, 0); }
TEST(test_loops) { compare_file("mjcf-loops.xml", 0, 14); }

/* A model of others, named by DLS_MUJOCO_MODEL: masses, bias, passive and actuator forces, equalities at random
 * states. */
TEST(test_a_model_of_others)
{
    const char *path = getenv("DLS_MUJOCO_MODEL");
    pair p;
    if (!path)
        skip();
    open_path(&p, path);
    p.theirs->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS;
    p.theirs->opt.jacobian = mjJAC_DENSE;
    largest = 0.0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        draw_state_of_both(&p, seed);
        compare_mass(&p);
        compare_bias(&p);
        compare_passive(&p);
        compare_equalities(&p);
    }
    print_message("# %s: %zu degrees of freedom, largest difference %.2g of the largest entry\n", path, p.nv, largest);
    close_pair(&p);
}
