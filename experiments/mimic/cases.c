/* Mechanisms with mimic joints, and the constraints that compete with these.
 *
 * Rods are thin boxes of 1 m and 1 kg that hang from hinges about y; gravity is -9.81 m/s^2 along z. Every mechanism
 * starts at rest with C = 0 to rounding. Drives and limits act on the coordinate B: its start is within the limits, and
 * the target of the drive is not.
 */
#include "mimic/parts.h"

#include "delassus/io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double offset = 0.3; /* gamma */

const dls_mimic_actuation dls_mimic_actuations[DLS_MIMIC_ACTUATIONS] = {
    {"alone", 0.0, 0.0, false}, {"drive", 1e4, 1e2, false},      {"stiff-drive", 1e6, 1e4, false},
    {"limit", 0.0, 0.0, true},  {"drive+limit", 1e4, 1e2, true}, {"stiff-drive+limit", 1e6, 1e4, true},
};

/* --- parts --- */

void dls_mimic_couple(dls_maker *m, const char *name, double gamma, const dls_mimic_term *terms, size_t count)
{
    char coordinate[DLS_COORDINATE_MAX];
    dls_make_joint(m, "mimic", name, NULL, NULL);
    for (size_t i = 0; i < count; i++) {
        snprintf(coordinate, sizeof coordinate, "rods.%s", terms[i].rod);
        dls_make_term(m, coordinate, terms[i].gear);
    }
    dls_make_real(m, "offset", gamma);
}

/* The root, or a rod that hangs straight down from `anchor` in the drawing. */
static dls_status add_link(dls_articulation_def *def, const char *name, const char *parent, dls_vec3 anchor,
                           double start, dls_error *error)
{
    dls_posed_link link;
    dls_body_default(&link.body);
    DLS_TRY(dls_fields_default(&dls_posed_joint_fields, &link.joint, error));
    snprintf(link.body.name, sizeof link.body.name, "%s", name);
    link.body.is_static = !parent;
    if (parent) {
        link.body.shape = DLS_SHAPE_BOX;
        link.body.size = dls_v3(0.05, 0.05, 1.0);
        link.body.mass = 1.0;
        link.body.position = dls_add(anchor, dls_v3(0, 0, -0.5));
        snprintf(link.joint.parent, sizeof link.joint.parent, "%s", parent);
        snprintf(link.joint.motion, sizeof link.joint.motion, "revolute-unwrapped");
        link.joint.anchor = anchor;
        link.joint.axis = dls_v3(0, 1, 0);
        link.joint.start = start;
    }
    return dls_articulation_def_add_posed(def, &link, error);
}

void dls_mimic_hang(dls_maker *m, const char *const *names, const int *parent, const double *start, size_t count)
{
    dls_articulation_def *def;
    int depth[8] = {0};
    if (m->status == DLS_OK)
        m->status = dls_articulation_def_create(&def, m->error);
    if (m->status != DLS_OK)
        return;
    snprintf(def->name, sizeof def->name, "rods");
    m->status = add_link(def, "root", NULL, dls_v3(0, 0, 0), 0.0, m->error);
    for (size_t i = 0; i < count && m->status == DLS_OK; i++) {
        depth[i] = parent[i] < 0 ? 0 : depth[parent[i]] + 1;
        m->status = add_link(def, names[i], parent[i] < 0 ? "root" : names[parent[i]],
                             dls_v3(0, 0.1 * (double)i, -depth[i]), start[i], m->error);
    }
    if (m->status == DLS_OK)
        m->status = dls_scene_add_articulation(m->scene, def, m->error);
    if (m->status != DLS_OK)
        dls_articulation_def_destroy(def);
}

/* --- mechanisms --- */

/* Two rods A and B, q_A + G q_B + gamma = 0. */
static void build_two(const dls_mimic_mechanism *mechanism, dls_maker *m, int parent_of_B)
{
    static const char *const names[] = {"A", "B"};
    const double B = 0.0, start[] = {-mechanism->gear * B - offset, B};
    const dls_mimic_term terms[] = {{"A", 1.0}, {"B", mechanism->gear}};
    dls_mimic_hang(m, names, (const int[]){-1, parent_of_B}, start, 2);
    dls_mimic_couple(m, "mimic", offset, terms, 2);
}
static void build_parallel(const dls_mimic_mechanism *mechanism, dls_maker *m) { build_two(mechanism, m, -1); }
static void build_series(const dls_mimic_mechanism *mechanism, dls_maker *m) { build_two(mechanism, m, 0); }

/* Rods that follow the first one, or each the one before, with a mimic joint each: q_i + G_i q + gamma = 0. They hang
 * on the root, or on what they follow. */
static void build_followers(dls_maker *m, const char *const *names, const double *gear, size_t count, double first,
                            double gamma, bool one_leader, bool on_leader)
{
    double start[6] = {first};
    int parent[6] = {-1};
    for (size_t i = 1; i < count; i++) {
        const size_t leader = one_leader ? 0 : i - 1;
        parent[i] = on_leader ? (int)leader : -1;
        start[i] = -gear[i] * start[leader] - gamma;
    }
    dls_mimic_hang(m, names, parent, start, count);
    for (size_t i = 1; i < count; i++) {
        char name[DLS_NAME_MAX];
        snprintf(name, sizeof name, "mimic %zu", i);
        dls_mimic_couple(m, name, gamma,
                         (const dls_mimic_term[]){{names[i], 1.0}, {names[one_leader ? 0 : i - 1], gear[i]}}, 2);
    }
}

static const char *const followers[] = {"leader", "F1", "F2", "F3", "F4", "F5"};
static const double follow[] = {0.0, -1.0, 1.0, -2.0, 0.5, -1.7};
static void build_star(const dls_mimic_mechanism *mechanism, dls_maker *m)
{
    (void)mechanism;
    build_followers(m, followers, follow, 6, 0.25, offset, true, false);
}
static void build_hand(const dls_mimic_mechanism *mechanism, dls_maker *m)
{
    (void)mechanism;
    build_followers(m, followers, follow, 6, 0.25, offset, true, true);
}

/* A finger of four rods in series, each turning 0.8 of what the one before does. */
static void build_chain(const dls_mimic_mechanism *mechanism, dls_maker *m)
{
    static const char *const names[] = {"K1", "K2", "K3", "K4"};
    (void)mechanism;
    build_followers(m, names, (const double[]){0.0, -0.8, -0.8, -0.8}, 4, 0.3, 0.0, false, true);
}

/* Two branches of three rods in series; one mimic joint over all six. */
static void build_six(const dls_mimic_mechanism *mechanism, dls_maker *m)
{
    static const char *const names[] = {"A1", "A2", "A3", "B1", "B2", "B3"};
    static const double gear[] = {1.0, -2.0, 0.5, -1.7, 1.3, -0.6};
    double start[6] = {-offset, 0.1, -0.05, 0.15, -0.1, 0.05};
    dls_mimic_term terms[6];
    (void)mechanism;
    for (int i = 0; i < 6; i++)
        terms[i] = (dls_mimic_term){names[i], gear[i]};
    for (int i = 1; i < 6; i++)
        start[0] -= gear[i] * start[i];
    dls_mimic_hang(m, names, (const int[]){-1, 0, 1, -1, 3, 4}, start, 6);
    dls_mimic_couple(m, "mimic", offset, terms, 6);
}

/* The robot of models/gripper.urdf, half open, with the limits and dampings of its own. */
static void build_gripper(const dls_mimic_mechanism *mechanism, dls_maker *m)
{
    static const struct {
        const char *joint;
        double q;
    } start[] = {{"left_slide", 0.01}, {"right_slide", -0.01}, {"wrist", 0.5}};
    char path[DLS_PATH_MAX];
    dls_articulation_def *def;
    (void)mechanism;
    snprintf(path, sizeof path, "%s/models/gripper.urdf", dls_data_folder());
    if (m->status == DLS_OK)
        m->status = dls_urdf_read(path, &def, NULL, m->error);
    if (m->status != DLS_OK)
        return;
    for (size_t i = 0; i < def->n_links; i++)
        for (size_t k = 0; k < sizeof start / sizeof start[0]; k++)
            if (strcmp(def->links[i].joint, start[k].joint) == 0)
                def->links[i].q[0] = start[k].q;
    m->status = dls_scene_add_robot(m->scene, def, m->error);
    if (m->status != DLS_OK)
        dls_articulation_def_destroy(def);
}

const char *const dls_mimic_group_names[] = {"parallel", "series", "star", "chain", "six", "gripper", NULL};
const dls_mimic_mechanism dls_mimic_mechanisms[DLS_MIMIC_MECHANISMS] = {
    [DLS_MIMIC_PARALLEL_2] = {"parallel-2", DLS_MIMIC_PARALLEL, -2.0, "rods.B", 2.0, 0.3, build_parallel},
    [DLS_MIMIC_PARALLEL_05] = {"parallel+0.5", DLS_MIMIC_PARALLEL, 0.5, "rods.B", 2.0, 0.3, build_parallel},
    [DLS_MIMIC_PARALLEL_17] = {"parallel-1.7", DLS_MIMIC_PARALLEL, -1.7, "rods.B", 2.0, 0.3, build_parallel},
    [DLS_MIMIC_SERIES_2] = {"series-2", DLS_MIMIC_SERIES, -2.0, "rods.B", 2.0, 0.3, build_series},
    [DLS_MIMIC_SERIES_05] = {"series+0.5", DLS_MIMIC_SERIES, 0.5, "rods.B", 2.0, 0.3, build_series},
    [DLS_MIMIC_SERIES_17] = {"series-1.7", DLS_MIMIC_SERIES, -1.7, "rods.B", 2.0, 0.3, build_series},
    [DLS_MIMIC_STAR] = {"star", DLS_MIMIC_FOLLOWERS, NAN, "rods.F5", 1.0, 0.3, build_star},
    [DLS_MIMIC_HAND] = {"hand", DLS_MIMIC_FOLLOWERS, NAN, "rods.F5", 1.0, 0.3, build_hand},
    [DLS_MIMIC_CHAIN] = {"chain", DLS_MIMIC_FINGER, NAN, "rods.K4", 1.0, 0.3, build_chain},
    [DLS_MIMIC_SIX] = {"six", DLS_MIMIC_BRANCHES, NAN, "rods.B3", 1.0, 0.3, build_six},
    [DLS_MIMIC_GRIPPER] = {"gripper", DLS_MIMIC_ROBOT, NAN, "gripper.right_slide", -0.035, 0.02, build_gripper},
};

/* --- competing rows, and their order --- */

static void add_actuation(const dls_mimic_mechanism *mechanism, const dls_mimic_actuation *actuation, dls_maker *m)
{
    if (actuation->stiffness > 0.0) {
        dls_make_joint(m, "drive", "actuation drive", NULL, NULL);
        dls_make_term(m, mechanism->driven, 1.0);
        dls_make_real(m, "stiffness", actuation->stiffness);
        dls_make_real(m, "damping", actuation->damping);
        dls_make_real(m, "target", mechanism->target);
    }
    if (actuation->limit) {
        dls_make_joint(m, "limit", "actuation limit", NULL, NULL);
        dls_make_term(m, mechanism->driven, 1.0);
        dls_make_real(m, "lower", -mechanism->range);
        dls_make_real(m, "upper", mechanism->range);
    }
}

/* Mimic joints before all others, or after them; each kind keeps its order. Sets their erp. */
static void arrange(const dls_mimic_setup *s, dls_scene *scene)
{
    const dls_joint_type *mimic = dls_joint_type_find("mimic");
    size_t first = 0; /* joints that are in their place */
    for (size_t j = 0; j < scene->n_joints; j++) {
        dls_joint_def moved = scene->joints[j];
        if (moved.type == mimic)
            moved.common.erp = s->erp;
        scene->joints[j] = moved;
        if ((moved.type == mimic) == s->mimic_last)
            continue;
        memmove(&scene->joints[first + 1], &scene->joints[first], (j - first) * sizeof moved);
        scene->joints[first++] = moved;
    }
}

dls_status dls_mimic_model(const dls_mimic_setup *setup, dls_model **model, dls_error *error)
{
    const dls_mimic_mechanism *mechanism = &dls_mimic_mechanisms[setup->mechanism];
    dls_maker maker = dls_make_scene(dls_v3(0.0, 0.0, -9.81), error);
    dls_scene *scene;
    *model = NULL;
    mechanism->build(mechanism, &maker);
    add_actuation(mechanism, &dls_mimic_actuations[setup->actuation], &maker);
    DLS_TRY(dls_make_end(&maker, &scene));
    scene->articulations[0]->links[1].q[0] += setup->error;
    arrange(setup, scene);
    return dls_scene_model(scene, model, error);
}
