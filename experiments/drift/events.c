/* Motions across events under every method: errors at a time after the last event, against the reference motion.
 *
 * ORDERS. A scheme that does not locate an event takes it at the end of its step, late by a share theta h, 0 <= theta
 * < 1.
 *   - Where the velocity jumps by d, the position is off by theta h d from there on: order 1, whatever the order of
 *     the scheme is between events. Time stepping converges to the measure-differential inclusion with this order at
 *     best (D. Stewart, J. Trinkle 1996; M. Anitescu, F. Potra 1997; J. J. Moreau 1988).
 *   - Where a body goes on and its acceleration jumps by a, as by friction that reverses, a step has one force for all
 *     of its time, and the velocity is off by up to theta h a: order 1 again.
 *   - Where the force is continuous (a drive that reaches its bound, friction that begins to slide), the acceleration
 *     is off by O(h) during one step, the velocity by O(h^2): a scheme of order 2 keeps its order.
 *   - Where friction stops a body, its speed in that step is O(h): the place is off by O(h^2), the speed by nothing.
 *   - A body that comes to rest in a place that does not depend on its past (a ball on the floor) has forgotten its
 *     errors.
 * theta depends on the step like a random number, and the error with it. Each rate therefore has `phases` runs, in n,
 * n + 1, ... steps to the same time, which shift an event at the share s of the time by s of a step; the error is their
 * root mean square.
 *
 * The truth is dls_trajectory with events; its own error is the distance to the same motion with 100 times its
 * tolerance. */
#include "drift/parts.h"

#include "delassus/reference.h"
#include "delassus/state.h"

#include <gsl/gsl_statistics_double.h>

#include <math.h>
#include <stdlib.h>

#define GRAVITY "world: {gravity: [0, 0, -9.81]}\n"
#define BALL                                                                                                       \
    GRAVITY "bodies:\n  - {name: ball, shape: sphere, radius: 0.1, mass: 2, position: [0, 0, 1]}\n"                \
            "joints:\n  - {name: floor, type: contact, body1: ball, point: [0, 0, 0], normal: [0, 0, 1], gap: 1, " \
            "restitution: 0.5}\n"
/* Up a slope of 0.4 rad, whose tangent is 0.423, at 2 m/s. */
#define SLOPE(mu)                                                                                                     \
    GRAVITY "bodies:\n  - {name: block, shape: box, size: [1, 1, 1], mass: 3, velocity: [1.8421219880057702, 0, "     \
            "0.778836684617301]}\njoints:\n  - {name: slope, type: contact, body1: block, point: [0, 0, 0], normal: " \
            "[-0.3894183423086505, 0, 0.9210609940028851], friction: cone, mu: " mu "}\n"

const char *const dls_drift_crossing_names[] = {
    "ball", "ball-at-rest", "slope-turns", "slope-stays", "rolling", "rod", "rocking", "drive", "mimic", "belt", NULL};

const dls_drift_crossing dls_drift_crossings[DLS_DRIFT_CROSSINGS] = {
    /* A ball after three impacts with e = 0.5. */
    {1.18, BALL},
    /* The same after all of its impacts. */
    {1.6, BALL},
    /* A block that slides up a slope, and down again. */
    {0.8, SLOPE("0.3")},
    /* A block that slides up a slope and stays. */
    {0.5, SLOPE("0.6")},
    /* A ball that slides, and then rolls. */
    {0.8, "world: {gravity: [0, 0, -9.81], collide: true, friction: cone, mu: 0.2}\nbodies:\n"
          "  - {name: ball, shape: sphere, radius: 0.1, mass: 1.7, position: [0, 0, 0.1], velocity: [3, 0, 0]}\n"
          "  - {name: floor, shape: plane, static: true}\n"},
    /* A rod that strikes the floor with one end, e = 0.6. */
    {0.35, GRAVITY
     "bodies:\n  - {name: rod, mass: 1, inertia: [0.3333333333333333, 0.3333333333333333, 0.001], position: [0, "
     "0, 0.844217687237691], orientation: [0.9067021802217339, 0, 0.42177145041023634, 0]}\n"
     "joints:\n  - {name: end, type: contact, body1: rod, point: [-0.7648421872844885, 0, 0], normal: [0, 0, "
     "1], gap: 0.2, restitution: 0.6}\n"},
    /* A block that rocks, after four impacts. */
    {0.65,
     "world: {gravity: [0, 0, -9.81], collide: true, friction: cone, mu: 2}\nbodies:\n"
     "  - {name: block, shape: box, size: [0.6, 0.2, 1], mass: 1.7, position: [0, 0, 0.56], orientation: [0.998, 0, "
     "0.06, 0]}\n  - {name: floor, shape: plane, static: true}\n"},
    /* A cart on a drive whose force saturates. */
    {1.3,
     "world: {gravity: [0, 0, 0]}\narticulations:\n  - name: rails\n    links:\n      - {name: ground, static: true}\n"
     "      - {name: cart, parent: ground, motion: prismatic, axis: [1, 0, 0], mass: 2, shape: box, size: [1, 1, 1], "
     "start: 1}\njoints:\n  - {name: drive, type: drive, coordinates: {rails.cart: 1}, stiffness: 50, damping: 0, "
     "force: 12}\n"},
    /* A mimic joint whose limit rebounds twice with e = 0.5. */
    {0.85, GRAVITY
     "articulations:\n  - name: rails\n    links:\n      - {name: ground, static: true}\n"
     "      - {name: a, parent: ground, motion: prismatic, axis: [0, 0, 1], mass: 1.5, shape: box, size: [1, 1, 1]}\n"
     "      - {name: b, parent: ground, motion: prismatic, axis: [0, 0, 1], mass: 4, shape: box, size: [1, 1, 1]}\n"
     "joints:\n  - {name: gear, type: mimic, coordinates: {rails.a: 1, rails.b: -2}}\n"
     "  - {name: stop, type: limit, coordinates: {rails.a: 1}, lower: -1, restitution: 0.5}\n"},
    /* A cart on a spring that a belt carries and lets go. */
    {1.3, GRAVITY
     "bodies:\n  - {name: cart, shape: box, size: [1, 1, 1], mass: 2, position: [-0.3, 0, 0]}\n"
     "  - {name: belt, shape: box, size: [1, 1, 1], mass: 7, position: [0, 0, 0], velocity: [0.5, 0, 0]}\n"
     "joints:\n  - {name: rail, type: slider, body1: belt, axis: [1, 0, 0]}\n"
     "  - {name: engine, type: motor, coordinates: {rail: 1}, speed: 0.5}\n"
     "  - {name: spring, type: drive, coordinates: {guide: 1}, stiffness: 30, damping: 0, target: 0.3}\n"
     "  - {name: guide, type: six-axis, body1: cart, axis: [1, 0, 0], axis2: [0, 1, 0], x: free, z: free}\n"
     "  - {name: friction, type: contact, body1: cart, body2: belt, point: [-0.3, 0, 0], normal: [0, 0, 1], mu: 0.25, "
     "friction: cone}\n"},
};

/* --- the truth --- */

typedef struct truth {
    dls_model *model;
    dls_state *end;
    double own[2]; /* error of positions and velocities */
} truth;

/* The largest differences of positions [m, rad] and of velocities [m/s, rad/s]. */
static dls_status measure_distance(const dls_model *model, const dls_state *from, const dls_state *to,
                                   double distance[2], dls_error *error)
{
    double *d = calloc(from->nv + 1, sizeof *d);
    if (!d)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu differences", from->nv);
    dls_state_displacement(model, from, to, d);
    distance[0] = distance[1] = 0.0;
    for (size_t i = 0; i < from->nv; i++) {
        distance[0] = fmax(distance[0], fabs(d[i]));
        distance[1] = fmax(distance[1], fabs(to->v[i] - from->v[i]));
    }
    free(d);
    return DLS_OK;
}

static dls_status follow_motion(const dls_model *model, double looser, double time, dls_state **end, dls_error *error)
{
    dls_trajectory_settings settings = dls_trajectory_default();
    dls_trajectory *motion;
    settings.events = true;
    settings.tolerance *= looser;
    DLS_TRY(dls_state_create(model, end, error));
    dls_status status = dls_trajectory_create(model, dls_model_initial(model), &settings, &motion, error);
    if (status == DLS_OK) {
        status = dls_trajectory_advance(motion, time, *end, error);
        dls_trajectory_destroy(motion);
    }
    return status;
}

static void truth_close(truth *t)
{
    dls_state_destroy(t->end);
    dls_model_destroy(t->model);
    *t = (truth){.model = NULL};
}

static dls_status truth_open(const dls_drift_crossing *crossing, truth *t, dls_error *error)
{
    dls_scene *scene;
    dls_state *second = NULL;
    DLS_TRY(dls_scene_text(&scene, error, "%s", crossing->scene));
    DLS_TRY(dls_scene_model(scene, &t->model, error));
    dls_status status = follow_motion(t->model, 1.0, crossing->end, &t->end, error);
    if (status == DLS_OK)
        status = follow_motion(t->model, 100.0, crossing->end, &second, error);
    if (status == DLS_OK)
        status = measure_distance(t->model, t->end, second, t->own, error);
    dls_state_destroy(second);
    return status;
}

/* --- runs --- */

static const char *const ending_names[] = {
    [DLS_DRIFT_REACHED] = "reached", [DLS_DRIFT_REFUSED] = "refused", [DLS_DRIFT_LOST] = "lost"};

/* Problems are solved directly, in each of some substeps where there are substeps; methods that take no such solver
 * have many iterations. */
static dls_rig_plan make_plan(const dls_drift_settings *set, const dls_method *method)
{
    return (dls_rig_plan){.method = method->name,
                          .solver = method->sweeps_only ? "nsgs" : set->event_reference,
                          .iterations =
                              method->sweeps_only && !method->substeps ? set->event_iterations : set->substeps,
                          .diverges = true};
}

typedef struct ending {
    dls_drift_ending how;
    size_t unsolved; /* steps */
    double error[2];
} ending;

static dls_status run_to_the_end(const dls_study *study, const dls_drift_crossing *crossing, const dls_method *method,
                                 const truth *t, size_t steps, ending *end, dls_error *error)
{
    const dls_drift_settings *set = study->settings;
    const dls_rig_plan plan = make_plan(set, method);
    const dls_stabilisation stabilisation = {set->erp, set->frequency, set->damping_ratio};
    dls_scene *scene;
    dls_rig rig;
    *end = (ending){.how = DLS_DRIFT_REFUSED, .error = {NAN, NAN}};
    DLS_TRY(dls_scene_text(&scene, error, "%s", crossing->scene));
    if (method->soft)
        dls_stabilise_joints(scene, method, &stabilisation);
    dls_status status = dls_rig_open(&rig, scene, &plan, error);
    if (status != DLS_OK) /* soft rows have no restitution, and a drive has a spring of its own */
        return status == DLS_REFUSED || (method->soft && status == DLS_BAD_INPUT) ? DLS_OK : status;
    while (dls_rig_next(&rig, crossing->end / (double)steps, steps))
        ;
    end->unsolved = rig.unsolved;
    if (rig.failed)
        end->how = DLS_DRIFT_LOST;
    else if (rig.status == DLS_OK) {
        end->how = DLS_DRIFT_REACHED;
        rig.status = measure_distance(rig.model, t->end, dls_rig_state(&rig), end->error, error);
    }
    status = dls_rig_end(&rig);
    return status == DLS_REFUSED ? DLS_OK : status;
}

/* The runs of one rate: root mean squares, and the worst ending. */
static dls_status run_phases(const dls_study *study, size_t c, const dls_method *method, const truth *t, size_t rate,
                             ending *mean, dls_error *error)
{
    const dls_drift_settings *set = study->settings;
    const dls_drift_crossing *crossing = &dls_drift_crossings[c];
    double least[2] = {HUGE_VAL, HUGE_VAL}, most[2] = {0.0, 0.0};
    *mean = (ending){.how = DLS_DRIFT_REACHED};
    for (size_t k = 0; k < set->phases; k++) {
        ending one;
        DLS_TRY(run_to_the_end(study, crossing, method, t, dls_step_count(crossing->end, 1.0 / (double)rate) + k, &one,
                               error));
        mean->how = one.how > mean->how ? one.how : mean->how;
        mean->unsolved += one.unsolved;
        for (int i = 0; i < 2; i++) {
            mean->error[i] += one.error[i] * one.error[i] / (double)set->phases;
            least[i] = fmin(least[i], one.error[i]), most[i] = fmax(most[i], one.error[i]);
        }
    }
    for (int i = 0; i < 2; i++)
        mean->error[i] = sqrt(mean->error[i]);
    const dls_rig_plan plan = make_plan(set, method);
    dls_table_row(study->tables[DLS_DRIFT_EVENTS], "%s %s %s %zu %zu %s %zu %g %g %g %g %g %g",
                  dls_drift_crossing_names[c], method->name, plan.solver, plan.iterations, rate,
                  ending_names[mean->how], mean->unsolved, mean->error[0], least[0], most[0], mean->error[1], least[1],
                  most[1]);
    return DLS_OK;
}

/* error = constant step^order by least squares of the logarithms; NaN where a point is farther from this line than the
 * factor `settled`, or is not beyond the error of the truth. */
static void fit_law(const dls_drift_settings *set, const double *step, const double *error, size_t count, double own,
                    double *order, double *constant)
{
    double x[DLS_LIST_MAX], y[DLS_LIST_MAX];
    *order = dls_fit_order(step, error, count);
    *constant = NAN;
    for (size_t k = 0; k < count; k++)
        x[k] = log(step[k]), y[k] = log(error[k]);
    const double base = gsl_stats_mean(y, 1, count) - *order * gsl_stats_mean(x, 1, count);
    *constant = exp(base);
    for (size_t k = 0; k < count; k++)
        if (!(fabs(y[k] - base - *order * x[k]) <= log(set->settled)) || !(error[k] > 100.0 * own + 1e-11))
            *order = *constant = NAN;
}

static dls_status cross(const dls_study *study, size_t c, size_t w, const truth *t, dls_error *error)
{
    const dls_drift_settings *set = study->settings;
    dls_drift_findings *f = study->found;
    const dls_method *method = &dls_methods[w];
    const dls_rig_plan plan = make_plan(set, method);
    dls_drift_crossed *of = &f->across[c][w];
    double step[DLS_LIST_MAX], errors[2][DLS_LIST_MAX];
    ending end = {.how = DLS_DRIFT_REFUSED};
    for (size_t k = 0; k < set->event_rates.count; k++) {
        const size_t rate = set->event_rates.counts[k];
        DLS_TRY(run_phases(study, c, method, t, rate, &end, error));
        step[k] = 1.0 / (double)rate;
        errors[0][k] = end.error[0], errors[1][k] = end.error[1];
    }
    of->ending = end.how;
    for (int i = 0; i < 2; i++) {
        of->error[i] = end.error[i];
        fit_law(set, step, errors[i], set->event_rates.count, t->own[i], &of->order[i], &of->constant[i]);
    }
    dls_table_row(study->tables[DLS_DRIFT_EVENTS_SUMMARY], "%s %s %s %zu %s %g %g %g %g %g %g %g %g",
                  dls_drift_crossing_names[c], method->name, plan.solver, plan.iterations, ending_names[end.how],
                  of->order[0], of->constant[0], of->error[0], of->order[1], of->constant[1], of->error[1], t->own[0],
                  t->own[1]);
    return DLS_OK;
}

dls_status dls_drift_events(dls_study *study, dls_error *error)
{
    const dls_drift_settings *set = study->settings;
    truth t = {.model = NULL};
    dls_status status = DLS_OK;
    for (dls_grid g = DLS_GRID(set->crossings.count, DLS_METHODS); status == DLS_OK && dls_study_next(study, &g);) {
        const size_t c = (size_t)set->crossings.choices[g.at[0]];
        if (g.at[1] == 0) {
            truth_close(&t);
            status = truth_open(&dls_drift_crossings[c], &t, error);
        }
        if (status == DLS_OK)
            status = cross(study, c, g.at[1], &t, error);
    }
    truth_close(&t);
    return status;
}
