/* Mechanisms with mimic joints, and what competes with these.
 *
 * Rods are thin boxes of 1 m and 1 kg that hang from hinges about y; gravity is -9.81 m/s^2 along z. Every mechanism
 * starts at rest with C = 0 to rounding. B is the coordinate that drives and limits act on: its start lies within the
 * limits, the target of the drive does not.
 */
#include "mimic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double offset = 0.3; /* gamma */

const dls_mimic_rival dls_mimic_rivals[] = {
    {"alone", 0.0, 0.0, false}, {"drive", 1e4, 1e2, false},      {"stiff-drive", 1e6, 1e4, false},
    {"limit", 0.0, 0.0, true},  {"drive+limit", 1e4, 1e2, true}, {"stiff-drive+limit", 1e6, 1e4, true},
    {NULL, 0.0, 0.0, false}, /* the end */
};

/* --- parts --- */

static dls_status set_real(dls_joint_def *joint, const char *key, double value, dls_error *error)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    return dls_joint_set(joint, key, text, error);
}

/* Hands a joint over to the scene, or frees it. */
static dls_status finish_joint(dls_scene *scene, dls_joint_def *joint, dls_status status, dls_error *error)
{
    if (status == DLS_OK)
        status = dls_scene_add_joint(scene, joint, error);
    dls_joint_def_release(joint);
    return status;
}

typedef struct part {
    const char *coordinate;
    double gear;
} part;

static dls_status add_mimic(dls_scene *scene, const char *name, double gamma, const part *parts, size_t count,
                            dls_error *error)
{
    dls_joint_def joint = {0};
    dls_status status = dls_joint_default(&joint, "mimic", error);
    snprintf(joint.name, sizeof joint.name, "%s", name);
    for (size_t i = 0; i < count && status == DLS_OK; i++)
        status = dls_joint_couple(&joint, parts[i].coordinate, parts[i].gear, error);
    if (status == DLS_OK)
        status = set_real(&joint, "offset", gamma, error);
    return finish_joint(scene, &joint, status, error);
}

/* The root, or a rod that hangs straight down from `anchor` in the drawing. */
static dls_status add_link(dls_articulation_def *def, const char *name, const char *parent, dls_vec3 anchor,
                           double start, dls_error *error)
{
    dls_drawn_link link;
    dls_body_default(&link.body);
    DLS_TRY(dls_fields_default(&dls_drawn_joint_fields, &link.joint, error));
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
    return dls_articulation_draw(def, &link, error);
}

/* An articulation "rods" on a fixed root. Rod i hangs on rod parent[i], at its lower end, or on the root where that is
 * -1, side by side. */
static dls_status add_rods(dls_scene *scene, const char *const *names, const int *parent, const double *start,
                           size_t count, dls_error *error)
{
    dls_articulation_def *def;
    int depth[8] = {0};
    DLS_TRY(dls_articulation_def_create(&def, error));
    snprintf(def->name, sizeof def->name, "rods");
    dls_status status = add_link(def, "root", NULL, dls_v3(0, 0, 0), 0.0, error);
    for (size_t i = 0; i < count && status == DLS_OK; i++) {
        depth[i] = parent[i] < 0 ? 0 : depth[parent[i]] + 1;
        status = add_link(def, names[i], parent[i] < 0 ? "root" : names[parent[i]],
                          dls_v3(0, 0.1 * (double)i, -depth[i]), start[i], error);
    }
    if (status == DLS_OK)
        status = dls_scene_add_articulation(scene, def, error);
    if (status != DLS_OK)
        dls_articulation_def_destroy(def);
    return status;
}

/* --- mechanisms --- */

/* Two rods A and B, q_A + G q_B + gamma = 0. */
static dls_status build_two(const dls_mimic_mechanism *m, dls_scene *scene, int parent_of_B, dls_error *error)
{
    static const char *const names[] = {"A", "B"};
    const double B = 0.0, start[] = {-m->gear * B - offset, B};
    const part parts[] = {{"rods.A", 1.0}, {"rods.B", m->gear}};
    const int parent[] = {-1, parent_of_B};
    DLS_TRY(add_rods(scene, names, parent, start, 2, error));
    return add_mimic(scene, "mimic", offset, parts, 2, error);
}

static dls_status build_parallel(const dls_mimic_mechanism *m, dls_scene *scene, dls_error *error)
{
    return build_two(m, scene, -1, error);
}
static dls_status build_series(const dls_mimic_mechanism *m, dls_scene *scene, dls_error *error)
{
    return build_two(m, scene, 0, error);
}

/* Five rods that follow one, each with a mimic joint of its own: f_i + G_i q + gamma = 0. They hang on the root, or on
 * the one. */
static dls_status build_star_on(dls_scene *scene, int parent_of_all, dls_error *error)
{
    static const char *const names[] = {"leader", "F1", "F2", "F3", "F4", "F5"};
    static const double gear[] = {0.0, -1.0, 1.0, -2.0, 0.5, -1.7};
    const int p = parent_of_all, parent[] = {-1, p, p, p, p, p};
    double start[6] = {0.25};
    char coordinate[DLS_COORDINATE_MAX], name[DLS_NAME_MAX];
    for (int i = 1; i < 6; i++)
        start[i] = -gear[i] * start[0] - offset;
    DLS_TRY(add_rods(scene, names, parent, start, 6, error));
    for (int i = 1; i < 6; i++) {
        snprintf(coordinate, sizeof coordinate, "rods.%s", names[i]);
        snprintf(name, sizeof name, "mimic %d", i);
        const part parts[] = {{coordinate, 1.0}, {"rods.leader", gear[i]}};
        DLS_TRY(add_mimic(scene, name, offset, parts, 2, error));
    }
    return DLS_OK;
}

static dls_status build_star(const dls_mimic_mechanism *m, dls_scene *scene, dls_error *error)
{
    (void)m;
    return build_star_on(scene, -1, error);
}

static dls_status build_hand(const dls_mimic_mechanism *m, dls_scene *scene, dls_error *error)
{
    (void)m;
    return build_star_on(scene, 0, error);
}

/* A finger of four rods in series, each turning 0.8 of what the one before does. */
static dls_status build_chain(const dls_mimic_mechanism *m, dls_scene *scene, dls_error *error)
{
    static const char *const names[] = {"K1", "K2", "K3", "K4"};
    static const int parent[] = {-1, 0, 1, 2};
    char coordinate[2][DLS_COORDINATE_MAX], name[DLS_NAME_MAX];
    double start[4] = {0.3};
    (void)m;
    for (int i = 1; i < 4; i++)
        start[i] = 0.8 * start[i - 1];
    DLS_TRY(add_rods(scene, names, parent, start, 4, error));
    for (int i = 1; i < 4; i++) {
        snprintf(coordinate[0], sizeof coordinate[0], "rods.%s", names[i]);
        snprintf(coordinate[1], sizeof coordinate[1], "rods.%s", names[i - 1]);
        snprintf(name, sizeof name, "mimic %d", i);
        const part parts[] = {{coordinate[0], 1.0}, {coordinate[1], -0.8}};
        DLS_TRY(add_mimic(scene, name, 0.0, parts, 2, error));
    }
    return DLS_OK;
}

/* Two branches of three rods in series; one mimic joint over all six. */
static dls_status build_six(const dls_mimic_mechanism *m, dls_scene *scene, dls_error *error)
{
    static const char *const names[] = {"A1", "A2", "A3", "B1", "B2", "B3"};
    static const int parent[] = {-1, 0, 1, -1, 3, 4};
    static const part parts[] = {{"rods.A1", 1.0},  {"rods.A2", -2.0}, {"rods.A3", 0.5},
                                 {"rods.B1", -1.7}, {"rods.B2", 1.3},  {"rods.B3", -0.6}};
    double start[6] = {-offset, 0.1, -0.05, 0.15, -0.1, 0.05};
    (void)m;
    for (int i = 1; i < 6; i++)
        start[0] -= parts[i].gear * start[i];
    DLS_TRY(add_rods(scene, names, parent, start, 6, error));
    return add_mimic(scene, "mimic", offset, parts, 6, error);
}

/* The robot of models/gripper.urdf, half open, with the limits and dampings of its own. */
static dls_status build_gripper(const dls_mimic_mechanism *m, dls_scene *scene, dls_error *error)
{
    static const struct {
        const char *joint;
        double q;
    } start[] = {{"left_slide", 0.01}, {"right_slide", -0.01}, {"wrist", 0.5}};
    char path[DLS_PATH_MAX];
    dls_articulation_def *def;
    (void)m;
    snprintf(path, sizeof path, "%s/models/gripper.urdf", dls_data_folder());
    DLS_TRY(dls_urdf_read(path, &def, NULL, error));
    for (size_t i = 0; i < def->n_links; i++)
        for (size_t k = 0; k < sizeof start / sizeof start[0]; k++)
            if (strcmp(def->links[i].joint, start[k].joint) == 0)
                def->links[i].q[0] = start[k].q;
    dls_status status = dls_scene_add_robot(scene, def, error);
    if (status != DLS_OK)
        dls_articulation_def_destroy(def);
    return status;
}

#define TWO(arrangement, word, gear, text)                                                          \
    {                                                                                               \
#arrangement word, #arrangement, "two rods " text ", G = " #gear, gear, "rods.B", 2.0, 0.3, \
            build_##arrangement                                                                     \
    }
const dls_mimic_mechanism dls_mimic_mechanisms[] = {
    TWO(parallel, "-2", -2.0, "side by side on the fixed root"),
    TWO(parallel, "+0.5", 0.5, "side by side on the fixed root"),
    TWO(parallel, "-1.7", -1.7, "side by side on the fixed root"),
    TWO(series, "-2", -2.0, "in series"),
    TWO(series, "+0.5", 0.5, "in series"),
    TWO(series, "-1.7", -1.7, "in series"),
    {"star", "star", "five rods that follow one, all on the root", NAN, "rods.F5", 1.0, 0.3, build_star},
    {"hand", "star", "five rods that follow the one on which they hang", NAN, "rods.F5", 1.0, 0.3, build_hand},
    {"chain", "chain", "a finger of four rods, each following the one before", NAN, "rods.K4", 1.0, 0.3, build_chain},
    {"six", "six", "one row over six rods in two branches", NAN, "rods.B3", 1.0, 0.3, build_six},
    {"gripper", "gripper", "the two-finger gripper of models/gripper.urdf", NAN, "gripper.right_slide", -0.035, 0.02,
     build_gripper},
    {NULL, NULL, NULL, NAN, NULL, 0.0, 0.0, NULL},
};

const dls_mimic_mechanism *dls_mimic_find(const char *name)
{
    for (const dls_mimic_mechanism *m = dls_mimic_mechanisms; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

/* --- what competes, and in which order --- */

static dls_status add_drive(const dls_mimic_setup *s, dls_scene *scene, dls_error *error)
{
    dls_joint_def joint = {0};
    dls_status status = dls_joint_default(&joint, "drive", error);
    snprintf(joint.name, sizeof joint.name, "rival drive");
    if (status == DLS_OK)
        status = dls_joint_couple(&joint, s->mechanism->driven, 1.0, error);
    if (status == DLS_OK)
        status = set_real(&joint, "stiffness", s->rival->stiffness, error);
    if (status == DLS_OK)
        status = set_real(&joint, "damping", s->rival->damping, error);
    if (status == DLS_OK)
        status = set_real(&joint, "target", s->mechanism->target, error);
    return finish_joint(scene, &joint, status, error);
}

static dls_status add_limit(const dls_mimic_setup *s, dls_scene *scene, dls_error *error)
{
    dls_joint_def joint = {0};
    dls_status status = dls_joint_default(&joint, "limit", error);
    snprintf(joint.name, sizeof joint.name, "rival limit");
    if (status == DLS_OK)
        status = dls_joint_couple(&joint, s->mechanism->driven, 1.0, error);
    if (status == DLS_OK)
        status = set_real(&joint, "lower", -s->mechanism->range, error);
    if (status == DLS_OK)
        status = set_real(&joint, "upper", s->mechanism->range, error);
    return finish_joint(scene, &joint, status, error);
}

static bool is_mimic(const dls_joint_def *joint) { return strcmp(joint->type->name, "mimic") == 0; }

/* Mimic joints before all others, or behind them; each kind keeps its order. Sets their erp. */
static dls_status arrange(const dls_mimic_setup *s, dls_scene *scene, dls_error *error)
{
    size_t n = scene->n_joints, to = 0;
    dls_joint_def *ordered = malloc((n + 1) * sizeof *ordered);
    if (!ordered)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu joints", n);
    for (int pass = 0; pass < 2; pass++)
        for (size_t j = 0; j < n; j++)
            if (is_mimic(&scene->joints[j]) == (s->mimic_last == (pass == 1)))
                ordered[to++] = scene->joints[j];
    memcpy(scene->joints, ordered, n * sizeof *ordered);
    free(ordered);
    for (size_t j = 0; j < n; j++)
        if (is_mimic(&scene->joints[j]))
            scene->joints[j].common.erp = s->erp;
    return DLS_OK;
}

static dls_status fill(const dls_mimic_setup *s, dls_scene *scene, dls_error *error)
{
    snprintf(scene->name, sizeof scene->name, "mimic-%s", s->mechanism->name);
    DLS_TRY(s->mechanism->build(s->mechanism, scene, error));
    scene->articulations[0]->links[1].q[0] += s->error;
    if (s->rival->stiffness > 0.0)
        DLS_TRY(add_drive(s, scene, error));
    if (s->rival->limit)
        DLS_TRY(add_limit(s, scene, error));
    return arrange(s, scene, error);
}

dls_status dls_mimic_model(const dls_mimic_setup *setup, dls_model **model, dls_error *error)
{
    dls_scene *scene;
    *model = NULL;
    DLS_TRY(dls_scene_create(&scene, error));
    dls_status status = fill(setup, scene, error);
    if (status == DLS_OK)
        status = dls_model_create(scene, model, error);
    dls_scene_destroy(scene);
    return status;
}
