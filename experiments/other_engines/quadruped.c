/* SimBenchmark's tests of a quadruped, ANYmal, by every engine (D. Kang and J. Hwangbo, SimBenchmark, 2018).
 *
 * FALL: it was thrown up for a second with the acceleration g, and flies for 2 s without any torque in its joints. The
 * benchmark publishes the mean square of the change of its energy (data/anymal-energy/sample.csv). STRIKE: without
 * gravity a ball of 10 kg and 5 m/s strikes its base; the mean square of the error of the momentum of both in 10 s
 * (data/anymal-momentum/sample.csv).
 *
 * The robot here has the masses, places of joints and centres of mass of the published one, and the diagonals of its
 * inertias; feet are part of the shanks. Its model is bodies with hinges, of which each engine makes what it has. It
 * begins to fly as one body that turns, so that the velocities fit all joints, and its legs swing outwards at once.
 * Only base, a box, and ball collide, without friction and without rebound.
 *
 * LAWS. Momentum changes by M g t, the angular momentum about the centre of mass not at all, the energy not in flight.
 * SEMI-IMPLICIT EULER loses M g^2 h / 2 per second of the energy of a point of this mass, in the mean of squares
 * (M g^2 h / 2)^2 T^2 / 3, whatever turns. */
#include "other_engines/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FALL, STRIKE, TESTS };
enum { RUNNERS = 6, STEPS = 4 };
static const char *const names[TESTS] = {"fall", "strike"};
static const double durations[TESTS] = {2.0, 10.0}, gravities[TESTS] = {9.81, 0.0}; /* [s], [m/s^2] */
static const double published_steps[STEPS] = {1e-4, 1e-3, 4e-3, 1e-2};
static const struct {
    const char *runner;
    double error[TESTS][STEPS]; /* [J^2]; [(kg m/s)^2] */
} published[RUNNERS] = {
    {"ode-step", {{0.0390564, 3.89101, 61.5809, 378.123}, {1.21474e-25, 4.58962e-26, 1.21657e-27, 7.16393e-28}}},
    {"ode-quick", {{0.0394011, 3.92255, 61.9581, 379.89}, {5.82386e-26, 1.33335e-27, 5.44184e-28, 4.03941e-28}}},
    {"bullet", {{0.0745214, 3.65233, 55.6567, 342.786}, {2.64129e-06, 0.000265836, 0.00426832, 0.022708}}},
    {"mujoco-tree", {{0.0348459, 3.48198, 55.5411, 343.91}, {8.81273e-06, 0.0011404, 0.0133445, 0.0156349}}},
    {"dart", {{203.189, 236.756, 392.803, 918.391}, {182.305, 168.986, 150.287, 104.792}}},
    {"dart-pgs", {{203.189, 236.756, 392.803, 918.391}, {184.774, 162.396, 145.531, 105.885}}}};

static double published_error(const char *runner, size_t test, double h)
{
    for (size_t k = 0; k < RUNNERS; k++)
        for (size_t s = 0; s < STEPS; s++)
            if (strcmp(published[k].runner, runner) == 0 && fabs(h - published_steps[s]) < 1e-9 * h)
                return published[k].error[test][s];
    return NAN;
}

/* --- the scene --- */

static const dls_vec3 throw_up = {0, 0, 9.81}, turn = {0.5, 1.0, 0.7}; /* of the flight [m/s], [rad/s] */

/* A part of a leg at the front on the left; the other legs are its images. */
enum { PARTS = 3 };
static const struct {
    const char *name;
    dls_vec3 joint, centre; /* from the joint before it; from its own [m] */
    double mass, inertia[3], angle;
    int axis;
} parts[PARTS] = {{"hip", {0.2629, 0.115, 0}, {0.0542, -0.0136, 0}, 1.1064, {0.00123, 0.00099, 0.00142}, 0.03, 0},
                  {"thigh", {0.0585, 0.0315, 0}, {0.0008, 0.0545, -0.1975}, 1.51, {0.01476, 0.01442, 0.00178}, 0.4, 1},
                  {"shank", {0, 0.111, -0.25}, {0.0103, -0.0095, -0.165}, 0.5103, {0.0142, 0.0145, 0.0006}, -0.8, 1}};

static dls_vec3 image(dls_vec3 v, double front, double left) { return dls_v3(front * v.x, left * v.y, v.z); }

static void write_body(FILE *text, const char *name, const char *more, double mass, const double inertia[3], dls_vec3 x,
                       dls_quat q, bool flies)
{
    const dls_vec3 v = flies ? dls_add(throw_up, dls_cross(turn, x)) : dls_v3(0, 0, 0), w = flies ? turn : v;
    fprintf(text,
            "  - {name: %s%s, mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: [%.17g, %.17g, %.17g], "
            "orientation: [%.17g, %.17g, %.17g, %.17g], velocity: [%.17g, %.17g, %.17g], omega: [%.17g, %.17g, "
            "%.17g]}\n",
            name, more, mass, inertia[0], inertia[1], inertia[2], x.x, x.y, x.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x,
            w.y, w.z);
}

/* The bodies of a leg, or its hinges. */
static void write_leg(FILE *text, size_t leg, bool flies, bool hinges)
{
    const double front = leg < 2 ? 1.0 : -1.0, left = leg % 2 == 0 ? 1.0 : -1.0;
    char above[DLS_NAME_MAX] = "base", name[DLS_NAME_MAX];
    dls_vec3 at = {0, 0, 0};
    dls_quat q = dls_quat_identity();
    for (size_t k = 0; k < PARTS; k++, snprintf(above, sizeof above, "%s", name)) {
        const dls_vec3 axis = dls_axis3(parts[k].axis), own = dls_quat_rotate(q, axis);
        const double angle = parts[k].angle * (parts[k].axis == 0 ? left : front);
        at = dls_add(at, dls_quat_rotate(q, image(parts[k].joint, front, left)));
        q = dls_quat_mul(q, dls_quat_exp(dls_scale(angle, axis)));
        snprintf(name, sizeof name, "%s%zu", parts[k].name, leg);
        if (hinges)
            fprintf(text,
                    "  - {name: joint-%s, type: hinge, body1: %s, body2: %s, anchor: [%.17g, %.17g, %.17g], axis: "
                    "[%.17g, %.17g, %.17g]}\n",
                    name, name, above, at.x, at.y, at.z, own.x, own.y, own.z);
        else
            write_body(text, name, "", parts[k].mass, parts[k].inertia,
                       dls_add(at, dls_quat_rotate(q, image(parts[k].centre, front, left))), q, flies);
    }
}

static void write_robot(FILE *text, size_t test)
{
    const bool strikes = test == STRIKE;
    const double base[3] = {0.268, 0.884, 0.829};
    fprintf(text, "world: {gravity: [0, 0, %.17g], collide: %s, mu: 0}\nbodies:\n", -gravities[test],
            strikes ? "true" : "false");
    write_body(text, "base", strikes ? ", shape: box, size: [0.53, 0.27, 0.24]" : "", 21.44, base, dls_v3(0, 0, 0),
               dls_quat_identity(), !strikes);
    for (size_t leg = 0; leg < 4; leg++)
        write_leg(text, leg, !strikes, false);
    if (strikes)
        fputs(
            "  - {name: ball, shape: sphere, radius: 0.2, mass: 10, inertia: [0.16, 0.16, 0.16], position: [0.05, -5, "
            "0.03], velocity: [0, 5, 0]}\n",
            text);
    fputs("joints:\n", text);
    for (size_t leg = 0; leg < 4; leg++)
        write_leg(text, leg, !strikes, true);
}

dls_status dls_engines_quadruped_model(size_t test, dls_model **model, dls_error *error)
{
    char *text = NULL;
    size_t length = 0;
    dls_scene *scene;
    FILE *file = open_memstream(&text, &length);
    *model = NULL;
    if (file)
        write_robot(file, test);
    dls_status status = file && fclose(file) == 0 ? dls_scene_parse(text, length, "quadruped", &scene, error)
                                                  : dls_fail(error, DLS_NO_MEMORY, "no memory for the text of a scene");
    free(text);
    return status == DLS_OK ? dls_scene_model(scene, model, error) : status;
}

/* --- measures --- */

typedef struct totals {
    double mass, energy;
    dls_vec3 momentum, turning; /* turning: the angular momentum about the centre of mass */
} totals;

static totals sum_bodies(const dls_model *model, const dls_engine_state *states)
{
    const dls_vec3 g = dls_model_world(model)->gravity;
    totals t = {0};
    dls_vec3 centre = {0}, about = {0};
    for (size_t i = 0; i < dls_model_count(model).bodies; i++) {
        const dls_body *b = &dls_model_bodies(model)[i];
        const dls_vec3 x = states[i].x, v = states[i].v, w = states[i].omega,
                       spin = dls_mul3(dls_rotate_tensor(dls_quat_matrix(states[i].q), b->inertia), w);
        t.mass += b->mass;
        t.energy += 0.5 * b->mass * dls_dot(v, v) + 0.5 * dls_dot(w, spin) - b->mass * dls_dot(g, x);
        t.momentum = dls_add(t.momentum, dls_scale(b->mass, v));
        centre = dls_add(centre, dls_scale(b->mass, x));
        about = dls_add(about, dls_add(spin, dls_scale(b->mass, dls_cross(x, v))));
    }
    t.turning = dls_sub(about, dls_cross(dls_scale(1.0 / t.mass, centre), t.momentum));
    return t;
}

double dls_engines_quadruped_closed_form(const dls_model *model, double h, double duration)
{
    const dls_vec3 g = dls_model_world(model)->gravity;
    double mass = 0.0;
    for (size_t i = 0; i < dls_model_count(model).bodies; i++)
        mass += dls_model_bodies(model)[i].mass;
    const double rate = 0.5 * mass * dls_dot(g, g) * h;
    return rate * rate * duration * duration / 3.0;
}

dls_status dls_engines_quadruped_measure(const dls_model *model, const dls_engine_record *record, double h,
                                         dls_engines_quadruped *of, dls_error *error)
{
    const dls_vec3 g = dls_model_world(model)->gravity;
    dls_engine_state *begin = calloc(record->n_bodies, sizeof *begin);
    if (!begin)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu states", record->n_bodies);
    dls_engines_states(model, dls_model_initial(model), begin);
    const totals start = sum_bodies(model, begin);
    *of = (dls_engines_quadruped){0};
    for (size_t k = 0; k < record->steps; k++) {
        const totals t = sum_bodies(model, record->states + k * record->n_bodies);
        const dls_vec3 p = dls_add(start.momentum, dls_scale(t.mass * h * (double)(k + 1), g)),
                       off = dls_sub(t.momentum, p);
        if (k + 1 < record->steps) { /* the start counts, and the state after the last step does not */
            of->energy += (t.energy - start.energy) * (t.energy - start.energy) / (double)record->steps;
            of->momentum += dls_dot(off, off) / (double)record->steps;
        }
        of->turning = fmax(of->turning, dls_norm(dls_sub(t.turning, start.turning)));
    }
    free(begin);
    return DLS_OK;
}

/* The largest distance of a centre of mass from the motion, whose states are `every` times as far apart [m]. */
static double farthest(const dls_engine_record *record, const dls_engine_record *motion, size_t every)
{
    double most = motion->steps && record->steps ? 0.0 : NAN;
    for (size_t k = 0; (k + 1) * every <= record->steps && k < motion->steps; k++)
        for (size_t i = 0; i < record->n_bodies; i++)
            most = fmax(most, dls_norm(dls_sub(record->states[((k + 1) * every - 1) * record->n_bodies + i].x,
                                               motion->states[k * motion->n_bodies + i].x)));
    return most;
}

/* --- the table --- */

static const double apart = 0.01; /* states of the motion [s] */

static double duration_of(const dls_study *study, size_t test)
{
    return fmin(durations[test], ((const dls_engines_settings *)study->settings)->quadruped_duration);
}

static dls_status write_line(const dls_study *study, size_t test, const dls_engines_runner *r, const dls_model *model,
                             double h, const dls_engine_record *record, double distance, const char *why,
                             dls_error *error)
{
    dls_engines_quadruped of = {NAN, NAN, NAN};
    const bool falls = test == FALL, steps = r->engine || r->solver;
    if (record && record->steps)
        DLS_TRY(dls_engines_quadruped_measure(model, record, h, &of, error));
    dls_table_row(study->tables[DLS_ENGINES_QUADRUPED], "%s %s %s %g %zu %g %g %g %g %g %g %s", names[test], r->name,
                  r->engine ? r->engine->version : "", h, record ? record->steps : 0, falls ? of.energy : NAN,
                  falls && steps ? dls_engines_quadruped_closed_form(model, h, duration_of(study, test)) : NAN,
                  of.momentum, of.turning,
                  duration_of(study, test) == durations[test] ? published_error(r->name, test, h) : NAN, distance, why);
    return DLS_OK;
}

static dls_status follow_robot(const dls_study *study, size_t test, const dls_model *model, dls_engine_record *motion,
                               dls_error *error)
{
    const dls_engines_runner r = {.name = "motion"};
    const size_t count = dls_step_count(duration_of(study, test), apart);
    dls_engine_record coarse;
    DLS_TRY(dls_engines_motion(model, apart, count, 1.0, motion, NULL, error));
    DLS_TRY(dls_engines_motion(model, apart, count, 100.0, &coarse, NULL, error));
    const dls_status status =
        write_line(study, test, &r, model, apart, motion, farthest(&coarse, motion, 1), motion->why, error);
    dls_engine_record_release(&coarse);
    return status;
}

static dls_status run_robot(const dls_study *study, size_t test, const dls_engines_runner *r, double h,
                            const dls_model *model, const dls_engine_record *motion, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    dls_engine_record record;
    dls_error why = {.message = ""};
    const size_t every = (size_t)lround(apart / h);
    dls_status status =
        dls_engines_take(r, model, h, dls_step_count(duration_of(study, test), h), set->patience, &record, &why);
    if (status == DLS_REFUSED)
        return write_line(study, test, r, model, h, NULL, NAN, why.message, error);
    if (status != DLS_OK) {
        if (error)
            *error = why;
        return status;
    }
    const bool comparable = every && fabs((double)every * h - apart) < 1e-9;
    status = write_line(study, test, r, model, h, &record, comparable ? farthest(&record, motion, every) : NAN,
                        record.why, error);
    dls_engine_record_release(&record);
    return status;
}

dls_status dls_engines_quadrupeds(dls_study *study, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    for (size_t test = 0; test < TESTS; test++) {
        dls_engine_record motion = {0};
        dls_model *model;
        DLS_TRY(dls_engines_quadruped_model(test, &model, error));
        dls_status status = follow_robot(study, test, model, &motion, error);
        for (dls_grid g = DLS_GRID(dls_engines_compared_count(study), set->quadruped_steps.count);
             status == DLS_OK && dls_study_next(study, &g);) {
            dls_engines_runner r = dls_engines_compared(study, g.at[0], set->iterations);
            r.solver = r.solver ? "block-pivoting" : NULL;
            status = run_robot(study, test, &r, set->quadruped_steps.reals[g.at[1]], model, &motion, error);
        }
        dls_engine_record_release(&motion);
        dls_model_destroy(model);
        DLS_TRY(status);
    }
    return DLS_OK;
}
