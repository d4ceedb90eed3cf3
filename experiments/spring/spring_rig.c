/* Rigs: a body, or two, held by one spring, stepped under a scheme.
 *
 * Without an arm every other row of a rig is orthogonal to that of the spring in M^-1: one sweep of PGS is exact, and C
 * is a damped oscillator. With an arm the guides are coupled to the torque of the spring, and sweeps have to iterate.
 */
#include "spring/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const dls_vec3 size = {0.3, 0.5, 0.7}; /* of the body [m] */
static const double second = 0.3;             /* mass of the distance joint's other body over the first one's */

const char *const dls_spring_kind_names[DLS_SPRING_KINDS] = {"slider",           "hinge", "distance",
                                                             "distance-erp-cfm", "limit", "contact"};

const dls_spring_way dls_spring_ways[DLS_SPRING_WAYS] = {
    {"euler", "baumgarte", DLS_SPRING_OTHER},
    {"euler-velocity", "none", DLS_SPRING_OTHER},
    {"tgs-step", "tgs-step", DLS_SPRING_TGS_STEP},
    {"tgs-substep", "tgs-substep", DLS_SPRING_TGS_SUBSTEP},
    {"split-impulse", "split-impulse", DLS_SPRING_OTHER},
    {"projection-gauss-seidel", "projection-gauss-seidel", DLS_SPRING_OTHER},
    {"projection-newton", "projection-newton", DLS_SPRING_OTHER},
    {"small-steps", "small-steps", DLS_SPRING_SUBSTEPS},
    {"small-steps-relax-1", "small-steps-relaxed", DLS_SPRING_SUBSTEPS},
    {"small-steps-relax-3", "small-steps-relaxed-3", DLS_SPRING_SUBSTEPS},
    {"soft-step", "soft-step", DLS_SPRING_SUBSTEPS},
    {"xpbd", "xpbd", DLS_SPRING_SUBSTEPS},
    {"avbd", "avbd", DLS_SPRING_OTHER},
};

size_t dls_spring_way_of(dls_spring_integrator integrator)
{
    size_t k = 0;
    while (dls_spring_ways[k].integrator != integrator)
        k++;
    return k;
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

dls_vec3 dls_spring_inertias(double mass)
{
    double x = size.x * size.x, y = size.y * size.y, z = size.z * size.z;
    return dls_scale(mass, dls_scale(1.0 / 12.0, dls_v3(y + z, x + z, x + y)));
}

/* --- scenes --- */

static void add_spring(dls_maker *m, const dls_spring_setup *s)
{
    if (s->kind == DLS_SPRING_NUMBERS) { /* conventions, Spring and damper, where the numbers are asked for */
        double stiff = s->step * s->kp + s->kd;
        dls_make_real(m, "erp", s->step * s->kp / stiff);
        dls_make_real(m, "cfm", 1.0 / stiff);
    } else {
        dls_make_real(m, "stiffness", s->kp);
        dls_make_real(m, "damping", s->kd);
    }
}

/* Two bodies on a distance joint. */
static void make_apart(dls_maker *m, const dls_spring_setup *s)
{
    dls_make_box(m, "body", size, s->mass, dls_v3(1.0, 0.0, 0.0), dls_quat_identity());
    dls_make_box(m, "other", size, second * s->mass, dls_v3(0.0, 0.0, 0.0), dls_quat_identity());
    dls_make_joint(m, "distance", "spring", "body", "other");
    dls_make_set(m, "anchor1", "[1, 0, 0]");
    dls_make_set(m, "anchor2", "[0, 0, 0]");
    dls_make_real(m, "length", 1.0 - s->C);
    add_spring(m, s);
}

/* One body on a contact, or on a guide with a drive or a limit; the spring is the last joint. */
static void make_one(dls_maker *m, const dls_spring_setup *s)
{
    dls_make_box(m, "body", size, s->mass, dls_v3(0.0, 0.0, 0.0), dls_quat_identity());
    if (s->kind == DLS_SPRING_CONTACT) {
        dls_make_joint(m, "contact", "spring", "body", "world");
        dls_make_vector(m, "point", dls_v3(0.0, 0.0, -0.5 * size.z));
        dls_make_set(m, "normal", "[0, 0, 1]");
        dls_make_real(m, "gap", s->C);
    } else {
        dls_make_joint(m, guided(s->kind) ? "slider" : "hinge", "guide", "body", "world");
        dls_make_set(m, "axis", "[0, 0, 1]");
        dls_make_vector(m, "anchor", dls_v3(-s->arm, 0.0, 0.0));
        dls_make_joint(m, s->kind == DLS_SPRING_LIMIT ? "limit" : "drive", "spring", NULL, NULL);
        dls_make_term(m, "guide", 1.0);
        dls_make_real(m, s->kind == DLS_SPRING_LIMIT ? "lower" : "target", -s->C);
    }
    add_spring(m, s);
}

/* --- the printed sign --- */

/* J v = c + Gamma lambda, as printed: (J M^-1 J^T - Gamma) lambda = c - J v*. Of one row. */
static dls_status open_printed(const dls_problem *p, const void *settings, const double *lambda0, void **work,
                               dls_error *error)
{
    double B[12], scratch[12];
    (void)settings, (void)lambda0;
    *work = NULL;
    if (p->n != 1 || p->nv > 12)
        return dls_fail(error, DLS_REFUSED, "the printed sign is for one row on two bodies");
    double *lambda = *work = malloc(sizeof *lambda);
    if (!lambda)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for an impulse");
    *lambda = (p->c[0] - dls_rows_dot(&p->J, 0, p->v_star)) /
              (dls_rows_response(&p->J, &p->mass, 0, B, scratch) - p->gamma[0]);
    return DLS_OK;
}

static dls_status iterate_printed(void *work, dls_report *report, dls_error *error)
{
    (void)work, (void)error;
    report->outcome = DLS_OUTCOME_SOLVED;
    return DLS_OK;
}

static void read_printed(const void *work, double *lambda) { *lambda = *(const double *)work; }

static const dls_solver printed_sign = {
    .name = "printed-sign",
    .summary = "one row whose compliance has the sign that is printed",
    .source = "ode-new-joints (24)",
    .kind = DLS_SOLVER_DIRECT,
    .accepts = DLS_ACCEPTS_FREE,
    .fields = {NULL, 0, 1},
    .open = open_printed,
    .iterate = iterate_printed,
    .read = read_printed,
    .close = free,
};

/* --- rigs --- */

static dls_status make_scene(const dls_spring_setup *setup, dls_scene **scene, dls_error *error)
{
    const bool two = apart(setup->kind);
    dls_maker maker = dls_make_scene(dls_v3(0.0, 0.0, two ? 0.0 : -dls_spring_gravity), error);
    if (two)
        make_apart(&maker, setup);
    else
        make_one(&maker, setup);
    return dls_make_end(&maker, scene);
}

dls_status dls_spring_mechanism(const char *name, dls_scene **scene, dls_error *error)
{
    dls_spring_setup setup = {.kind = DLS_SPRING_SLIDER, .mass = 1.0, .kp = 1.0, .C = 0.1, .arm = 0.6};
    while (setup.kind + 1 < DLS_SPRING_KINDS && strcmp(dls_spring_kind_names[setup.kind], name) != 0)
        setup.kind++;
    return make_scene(&setup, scene, error);
}

dls_status dls_spring_open(const dls_spring_setup *setup, const dls_spring_way *way, const char *solver,
                           size_t iterations, dls_rig *rig, dls_error *error)
{
    dls_rig_plan plan = {.method = way->method, .solver = solver, .iterations = iterations};
    dls_scene *scene;
    *rig = (dls_rig){.model = NULL};
    if (setup->printed)
        plan.with.solver = &printed_sign;
    DLS_TRY(make_scene(setup, &scene, error));
    return dls_rig_open(rig, scene, &plan, error);
}

double dls_spring_C(const dls_rig *rig)
{
    return dls_joint_position(dls_rig_at(rig), dls_model_count(rig->model).joints - 1);
}

double dls_spring_speed(const dls_rig *rig, dls_spring_kind kind)
{
    const double *v = dls_rig_state(rig)->v;
    return apart(kind) ? v[0] - v[6] : kind == DLS_SPRING_HINGE ? v[5] : v[2];
}

/* About a centre of mass that rests. */
static void set_speed(dls_rig *rig, dls_spring_kind kind, double speed)
{
    double *v = dls_simulation_edit(rig->simulation)->v;
    if (apart(kind)) {
        v[0] = speed * second / (1.0 + second);
        v[6] = -speed / (1.0 + second);
    } else
        v[kind == DLS_SPRING_HINGE ? 5 : 2] = speed;
}

dls_status dls_spring_map(const dls_spring_setup *setup, const dls_spring_way *way, size_t iterations, double h,
                          double P[4], dls_error *error)
{
    const double speed = setup->C * sqrt(setup->kp / dls_spring_inertia(setup->kind, setup->mass));
    for (int k = 0; k < 2; k++) {
        dls_spring_setup from = *setup;
        dls_rig rig;
        from.C = k == 0 ? setup->C : 0.0;
        DLS_TRY(dls_spring_open(&from, way, "pgs", iterations, &rig, error));
        if (k == 1)
            set_speed(&rig, setup->kind, speed);
        dls_status status = dls_rig_step(&rig, h, error);
        P[k] = dls_spring_C(&rig) / (k == 0 ? setup->C : speed);
        P[2 + k] = dls_spring_speed(&rig, setup->kind) / (k == 0 ? setup->C : speed);
        dls_rig_close(&rig);
        DLS_TRY(status);
    }
    return DLS_OK;
}
