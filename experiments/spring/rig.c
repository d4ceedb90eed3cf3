/* Rigs: a body, or two, that one spring holds, stepped under a scheme.
 *
 * Without arm every other row of a rig is orthogonal to the spring's in M^-1: one sweep of PGS is exact, and C is a
 * damped oscillator. With an arm the guides answer to the spring's torque, and sweeps have something to agree on. */
#include "spring.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const dls_vec3 size = {0.3, 0.5, 0.7}; /* of the body [m] */
static const double second = 0.3;             /* mass of the distance joint's other body over the first one's */

const char *const dls_spring_kind_names[DLS_SPRING_KINDS] = {"slider",           "hinge", "distance",
                                                             "distance-erp-cfm", "limit", "contact"};

const dls_spring_way dls_spring_ways[] = {
    {"euler", "euler", NULL, NULL},
    {"euler-velocity", "euler", "feedback", "none"},
    {"tgs-step", "tgs", "time_base", "step"},
    {"tgs-substep", "tgs", "time_base", "substep"},
    {"split-impulse", "split-impulse", NULL, NULL},
    {"projection-gauss-seidel", "projection-gauss-seidel", NULL, NULL},
    {"projection-newton", "projection-newton", NULL, NULL},
    {"small-steps", "small-steps", NULL, NULL},
    {"small-steps-relax-1", "small-steps", "relax", "1"},
    {"small-steps-relax-3", "small-steps", "relax", "3"},
    {NULL, NULL, NULL, NULL},
};

const dls_spring_way *dls_spring_way_find(const char *name)
{
    const dls_spring_way *way = dls_spring_ways;
    while (way->name && strcmp(way->name, name) != 0)
        way++;
    return way->name ? way : NULL;
}

static bool loaded(dls_spring_kind kind)
{
    return kind == DLS_SPRING_SLIDER || kind == DLS_SPRING_LIMIT || kind == DLS_SPRING_CONTACT;
}
static bool apart(dls_spring_kind kind) { return kind == DLS_SPRING_DISTANCE || kind == DLS_SPRING_NUMBERS; }
static bool guided(dls_spring_kind kind) { return kind == DLS_SPRING_SLIDER || kind == DLS_SPRING_LIMIT; }

double dls_spring_inertia(dls_spring_kind kind, double mass)
{
    return kind == DLS_SPRING_HINGE ? mass / 12.0 * (size.x * size.x + size.y * size.y)
           : apart(kind)            ? mass * second / (1.0 + second)
                                    : mass;
}

dls_spring_mass dls_spring_ideal(const dls_spring_setup *s)
{
    return (dls_spring_mass){.m = dls_spring_inertia(s->kind, s->mass),
                             .kp = s->kp,
                             .kd = s->kd,
                             .f = loaded(s->kind) ? -s->mass * dls_spring_gravity : 0.0,
                             .C = s->C,
                             .v = 0.0};
}

/* --- scenes --- */

static dls_status add_body(dls_scene *scene, const char *name, double mass, double x, dls_error *error)
{
    dls_body_def body;
    dls_body_default(&body);
    snprintf(body.name, sizeof body.name, "%s", name);
    body.shape = DLS_SHAPE_BOX;
    body.size = size;
    body.mass = mass;
    body.position = dls_v3(x, 0.0, 0.0);
    return dls_scene_add_body(scene, &body, error);
}

/* Settings of a joint in the making: the first failure stays. */
typedef struct maker {
    dls_joint_def joint;
    dls_status status;
    dls_error *error;
} maker;

static maker begin(const char *type, const char *name, const char *body, const char *other, dls_error *error)
{
    maker m = {.error = error};
    m.status = dls_joint_default(&m.joint, type, error);
    snprintf(m.joint.name, sizeof m.joint.name, "%s", name);
    snprintf(m.joint.body[0], sizeof m.joint.body[0], "%s", body);
    snprintf(m.joint.body[1], sizeof m.joint.body[1], "%s", other);
    return m;
}

static void set(maker *m, const char *key, const char *text)
{
    if (m->status == DLS_OK)
        m->status = dls_joint_set(&m->joint, key, text, m->error);
}

static void set_real(maker *m, const char *key, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    set(m, key, text);
}

static dls_status end(dls_scene *scene, maker *m)
{
    if (m->status == DLS_OK)
        m->status = dls_scene_add_joint(scene, &m->joint, m->error);
    dls_joint_def_release(&m->joint);
    return m->status;
}

static void set_spring(maker *m, const dls_spring_setup *s)
{
    set_real(m, "stiffness", s->kp);
    set_real(m, "damping", s->kd);
}

static dls_status add_guide(dls_scene *scene, const dls_spring_setup *s, const char *type, dls_error *error)
{
    char anchor[64];
    maker m = begin(type, "guide", "body", "world", error);
    snprintf(anchor, sizeof anchor, "[%.17g, 0, 0]", -s->arm);
    set(&m, "axis", "[0, 0, 1]");
    set(&m, "anchor", anchor);
    return end(scene, &m);
}

static dls_status add_drive(dls_scene *scene, const dls_spring_setup *s, dls_error *error)
{
    maker m = begin("drive", "spring", "", "world", error);
    set_spring(&m, s);
    set_real(&m, "target", -s->C);
    if (m.status == DLS_OK)
        m.status = dls_joint_couple(&m.joint, "guide", 1.0, error);
    return end(scene, &m);
}

static dls_status add_limit(dls_scene *scene, const dls_spring_setup *s, dls_error *error)
{
    maker m = begin("limit", "spring", "", "world", error);
    set_spring(&m, s);
    set_real(&m, "lower", -s->C);
    if (m.status == DLS_OK)
        m.status = dls_joint_couple(&m.joint, "guide", 1.0, error);
    return end(scene, &m);
}

static dls_status add_contact(dls_scene *scene, const dls_spring_setup *s, dls_error *error)
{
    char point[64];
    maker m = begin("contact", "spring", "body", "world", error);
    snprintf(point, sizeof point, "[0, 0, %.17g]", -0.5 * size.z);
    set_spring(&m, s);
    set(&m, "point", point);
    set(&m, "normal", "[0, 0, 1]");
    set_real(&m, "gap", s->C);
    return end(scene, &m);
}

/* Conventions, Spring and damper, where the numbers are asked for. */
static dls_status add_distance(dls_scene *scene, const dls_spring_setup *s, dls_error *error)
{
    double stiff = s->step * s->kp + s->kd;
    maker m = begin("distance", "spring", "body", "other", error);
    if (s->kind == DLS_SPRING_NUMBERS) {
        set_real(&m, "erp", s->step * s->kp / stiff);
        set_real(&m, "cfm", 1.0 / stiff);
    } else
        set_spring(&m, s);
    set(&m, "anchor1", "[1, 0, 0]");
    set(&m, "anchor2", "[0, 0, 0]");
    set_real(&m, "length", 1.0 - s->C);
    return end(scene, &m);
}

static dls_status fill(dls_scene *scene, const dls_spring_setup *s, dls_error *error)
{
    bool two = apart(s->kind);
    scene->world.gravity = dls_v3(0.0, 0.0, two ? 0.0 : -dls_spring_gravity);
    DLS_TRY(add_body(scene, "body", s->mass, two ? 1.0 : 0.0, error));
    if (two) {
        DLS_TRY(add_body(scene, "other", second * s->mass, 0.0, error));
        return add_distance(scene, s, error);
    }
    if (s->kind == DLS_SPRING_CONTACT)
        return add_contact(scene, s, error);
    DLS_TRY(add_guide(scene, s, guided(s->kind) ? "slider" : "hinge", error));
    return s->kind == DLS_SPRING_LIMIT ? add_limit(scene, s, error) : add_drive(scene, s, error);
}

static dls_status make_model(const dls_spring_setup *setup, dls_model **model, dls_error *error)
{
    dls_scene *scene;
    DLS_TRY(dls_scene_create(&scene, error));
    dls_status status = fill(scene, setup, error);
    if (status == DLS_OK)
        status = dls_model_create(scene, model, error);
    dls_scene_destroy(scene);
    return status;
}

/* --- rigs --- */

static dls_status open_parts(const dls_spring_setup *setup, const dls_spring_way *way, const char *solver,
                             size_t iterations, dls_spring_rig *rig, dls_error *error)
{
    DLS_TRY(make_model(setup, &rig->model, error));
    rig->joint = rig->model->n_joints - 1;
    DLS_TRY(dls_choice_create(solver, &rig->choice, error));
    rig->scheme = dls_scheme_find(way->scheme);
    rig->settings = malloc(rig->scheme->fields.size);
    if (!rig->settings)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the settings of %s", way->scheme);
    DLS_TRY(dls_fields_default(&rig->scheme->fields, rig->settings, error));
    if (way->key)
        DLS_TRY(dls_field_set(&rig->scheme->fields, rig->settings, way->key, way->value, error));
    dls_simulation_options options = dls_simulation_default();
    options.solver = rig->choice.solver, options.solver_settings = rig->choice.settings;
    options.scheme = rig->scheme, options.scheme_settings = rig->settings;
    options.iterations = iterations;
    return dls_simulation_open(rig->model, &options, &rig->simulation, error);
}

dls_status dls_spring_open(const dls_spring_setup *setup, const dls_spring_way *way, const char *solver,
                           size_t iterations, dls_spring_rig *rig, dls_error *error)
{
    *rig = (dls_spring_rig){.kind = setup->kind};
    dls_status status = open_parts(setup, way, solver, iterations, rig, error);
    if (status != DLS_OK)
        dls_spring_close(rig);
    return status;
}

void dls_spring_close(dls_spring_rig *rig)
{
    dls_simulation_close(rig->simulation);
    dls_choice_release(&rig->choice);
    free(rig->settings);
    dls_model_destroy(rig->model);
    *rig = (dls_spring_rig){.model = NULL};
}

/* J v = c + Gamma lambda, as printed: (J M^-1 J^T - Gamma) lambda = c - J v*. */
static dls_status printed_step(dls_simulation *s, double h, dls_error *error)
{
    double B[12], scratch[12];
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, h, error));
    const dls_problem *p = dls_stage_problem(s);
    if (p->n != 1 || p->nv > 12)
        return dls_fail(error, DLS_BAD_ARGUMENT, "the printed sign is for one row on two bodies");
    dls_stage_impulses(s)[0] = (p->c[0] - dls_rows_dot(&p->J, 0, p->v_star)) /
                               (dls_rows_response(&p->J, &p->mass, 0, B, scratch) - p->gamma[0]);
    dls_stage_kick(s);
    dls_stage_drift(s, h);
    return dls_stage_end(s, h, error);
}

dls_status dls_spring_step(dls_spring_rig *rig, double h, dls_error *error)
{
    return rig->printed ? printed_step(rig->simulation, h, error) : dls_simulation_step(rig->simulation, h, error);
}

double dls_spring_C(const dls_spring_rig *rig)
{
    const dls_joint *joint = &rig->model->joints[rig->joint];
    double C[DLS_JOINT_ROWS_MAX];
    dls_end ends[2];
    dls_configuration_ends(dls_simulation_configuration(rig->simulation), joint, ends);
    joint->type->position(joint, ends, C);
    return C[0];
}

double dls_spring_speed(const dls_spring_rig *rig)
{
    const double *v = dls_simulation_state(rig->simulation)->v;
    return apart(rig->kind) ? v[0] - v[6] : rig->kind == DLS_SPRING_HINGE ? v[5] : v[2];
}

/* About a centre of mass that rests. */
void dls_spring_set_speed(dls_spring_rig *rig, double speed)
{
    double *v = dls_simulation_edit(rig->simulation)->v;
    if (apart(rig->kind)) {
        v[0] = speed * second / (1.0 + second);
        v[6] = -speed / (1.0 + second);
    } else
        v[rig->kind == DLS_SPRING_HINGE ? 5 : 2] = speed;
}

dls_status dls_spring_map(const dls_spring_setup *setup, const dls_spring_way *way, size_t iterations, double h,
                          bool printed, double P[4], dls_error *error)
{
    const double speed = setup->C * sqrt(setup->kp / dls_spring_inertia(setup->kind, setup->mass));
    for (int k = 0; k < 2; k++) {
        dls_spring_setup from = *setup;
        dls_spring_rig rig;
        from.C = k == 0 ? setup->C : 0.0;
        DLS_TRY(dls_spring_open(&from, way, "pgs", iterations, &rig, error));
        rig.printed = printed;
        if (k == 1)
            dls_spring_set_speed(&rig, speed);
        dls_status status = dls_spring_step(&rig, h, error);
        if (status == DLS_OK) {
            P[k] = dls_spring_C(&rig) / (k == 0 ? setup->C : speed);
            P[2 + k] = dls_spring_speed(&rig) / (k == 0 ? setup->C : speed);
        }
        dls_spring_close(&rig);
        DLS_TRY(status);
    }
    return DLS_OK;
}
