/* SimBenchmark's "666" of elastic balls by every engine: n x n x n balls of m = 10 kg and R = 0.1 m, n = 6, fall
 * without friction on a plane and on each other for 10 s (D. Kang and J. Hwangbo, SimBenchmark, 2018, 666-elastic.yaml:
 * 0.21 m apart, the lowest ones at 1.101 m, each displaced at random by up to 1 mm along each axis; our draws are
 * others). It publishes the mean square of the change of the energy (data/666-elastic/sample.csv, without ERP).
 *
 * LAWS. All impacts have e = 1, so that the energy stays. Forces between balls are opposite and on one line, those of
 * the plane vertical: the horizontal momentum and the angular momentum about a vertical axis stay 0. Semi-implicit
 * Euler has an energy that is off by M g h v / 2 in free flight, v the vertical velocity of the centre of mass
 * (bouncing.c); the mean square without this share is what impacts add.
 *
 * The motion is chaotic: a difference of places grows with every impact by the distance of the next one over R. */
#include "other_engines/parts.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double mass = 10.0, radius = 0.1, gap = 0.21, height = 1.101, perturbation = 1e-3, gravity = 9.81;

enum { RUNNERS = 5, STEPS = 5 };
static const double published_steps[STEPS] = {1e-4, 4e-4, 1e-3, 4e-3, 1e-2};
static const struct {
    const char *runner;
    double error[STEPS]; /* of 216 balls [J^2] */
} published[RUNNERS] = {{"ode-step", {1.0958, 17.506, 112.326, 1649.17, 8.56018e6}},
                        {"ode-quick", {1.09578, 17.5054, 112.318, 1648.4, 8.55999e6}},
                        {"bullet", {167.526, 3563.92, 41498.1, 840066, 9.86396e6}},
                        {"dart", {2438.45, 52414.7, 346909, 6.62224e6, 1.28706e10}},
                        {"dart-pgs", {2407.45, 52421.4, 346280, 6.60756e6, NAN}}};

static double published_error(const char *runner, size_t balls, double h)
{
    for (size_t k = 0; k < RUNNERS; k++)
        for (size_t s = 0; s < STEPS && balls == 216; s++)
            if (strcmp(published[k].runner, runner) == 0 && fabs(h - published_steps[s]) < 1e-9 * h)
                return published[k].error[s];
    return NAN;
}

/* --- the scene --- */

static void write_balls(FILE *text, size_t side, gsl_rng *draws)
{
    fprintf(text,
            "world: {gravity: [0, 0, %.17g], collide: true, mu: 0, contact_erp: 0, restitution: 1}\nbodies:\n"
            "  - {name: floor, shape: plane, static: true}\n",
            -gravity);
    for (size_t i = 0; i < side; i++)
        for (size_t j = 0; j < side; j++)
            for (size_t k = 0; k < side; k++) {
                const double x = (double)i * gap + perturbation * gsl_rng_uniform(draws),
                             y = (double)j * gap + perturbation * gsl_rng_uniform(draws),
                             z = (double)k * gap + perturbation * gsl_rng_uniform(draws) + height;
                fprintf(text,
                        "  - {name: b%zu-%zu-%zu, shape: sphere, radius: %.17g, mass: %.17g, position: [%.17g, %.17g, "
                        "%.17g]}\n",
                        i, j, k, radius, mass, x, y, z);
            }
}

dls_status dls_engines_elastic_model(size_t side, dls_model **model, dls_error *error)
{
    char *text = NULL;
    size_t length = 0;
    dls_scene *scene;
    FILE *file = open_memstream(&text, &length);
    gsl_rng *draws = gsl_rng_alloc(gsl_rng_mt19937);
    *model = NULL;
    if (file && draws) {
        gsl_rng_set(draws, 42);
        write_balls(file, side, draws);
    }
    const bool whole = file && fclose(file) == 0 && draws;
    dls_status status = whole ? dls_scene_parse(text, length, "elastic-balls", &scene, error)
                              : dls_fail(error, DLS_NO_MEMORY, "no memory for the text of a scene");
    gsl_rng_free(draws);
    free(text);
    return status == DLS_OK ? dls_scene_model(scene, model, error) : status;
}

/* --- measures --- */

typedef struct totals {
    double energy, vertical; /* [J]; vertical momentum [kg m/s] */
    double across, about;    /* horizontal momentum; angular momentum about z [kg m^2/s] */
} totals;

/* All balls of one state; the floor does not move. */
static totals sum_balls(const dls_engine_state *states, size_t count)
{
    totals t = {0};
    dls_vec3 p = {0};
    for (size_t i = 0; i < count; i++) {
        const dls_vec3 x = states[i].x, v = states[i].v, w = states[i].omega;
        t.energy += mass * (0.5 * dls_dot(v, v) + 0.2 * radius * radius * dls_dot(w, w) + gravity * x.z);
        t.about += mass * (x.x * v.y - x.y * v.x + 0.4 * radius * radius * w.z);
        p = dls_add(p, dls_scale(mass, v));
    }
    t.vertical = p.z;
    t.across = hypot(p.x, p.y);
    return t;
}

/* The floor is the first body, without mass or motion; its height is 0. */
static totals totals_of(const dls_engine_record *record, size_t step)
{
    return sum_balls(record->states + step * record->n_bodies + 1, record->n_bodies - 1);
}

dls_engines_elastic dls_engines_elastic_measure(const dls_model *model, const dls_engine_record *record, double h)
{
    dls_engines_elastic of = {0};
    double start = 0.0;
    for (size_t i = 1; i < record->n_bodies; i++)
        start += mass * gravity * dls_model_initial(model)->x[i].z;
    for (size_t k = 0; k < record->steps; k++) {
        const totals t = totals_of(record, k);
        const double off = t.energy - start, beside = off - 0.5 * gravity * h * t.vertical;
        if (k + 1 < record->steps) { /* the start counts, and the state after the last step does not */
            of.energy += off * off / (double)record->steps;
            of.beside += beside * beside / (double)record->steps;
        }
        of.across = fmax(of.across, t.across), of.about = fmax(of.about, fabs(t.about));
    }
    return of;
}

/* The last time up to which no ball is further than `near` from the other record, whose states are `every` times as far
 * apart [s]. */
static double time_near(const dls_engine_record *record, double h, const dls_engine_record *motion, size_t every)
{
    const double near = 1e-2; /* [m] */
    size_t k = 0;
    for (; (k + 1) * every <= record->steps && k < motion->steps; k++)
        for (size_t i = 1; i < record->n_bodies; i++)
            if (!(dls_norm(dls_sub(record->states[((k + 1) * every - 1) * record->n_bodies + i].x,
                                   motion->states[k * motion->n_bodies + i].x)) < near))
                return (double)k * (double)every * h;
    return (double)k * (double)every * h;
}

/* --- the table --- */

static const double apart = 0.01; /* states of the motion [s] */

static void write_line(const dls_study *study, const dls_engines_runner *r, const dls_model *model, double h,
                       const dls_engine_record *record, double near, const char *why)
{
    const size_t balls = dls_model_count(model).bodies - 1;
    dls_engines_elastic of = {NAN, NAN, NAN, NAN};
    if (record && record->steps)
        of = dls_engines_elastic_measure(model, record, r->engine || r->solver ? h : 0.0);
    dls_table_row(study->tables[DLS_ENGINES_ELASTIC], "%s %s %zu %g %zu %g %g %g %g %g %g %s", r->name,
                  r->engine ? r->engine->version : "", balls, h, record ? record->steps : 0, of.energy, of.beside,
                  published_error(r->name, balls, h), of.across, of.about, near, why);
}

/* The motion, and one with a hundred times the tolerance, whose distance says how long it is known. */
static dls_status follow_balls(const dls_study *study, const dls_model *model, dls_engine_record *motion,
                               dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    const dls_engines_runner r = {.name = "motion"};
    const size_t count = dls_step_count(set->elastic_duration, apart);
    dls_engine_record coarse;
    *motion = (dls_engine_record){.n_bodies = dls_model_count(model).bodies};
    if (dls_model_count(model).bodies - 1 > set->elastic_followed)
        return DLS_OK;
    DLS_TRY(dls_engines_motion(model, apart, count, 1.0, motion, NULL, error));
    dls_status status = dls_engines_motion(model, apart, count, 100.0, &coarse, NULL, error);
    if (status == DLS_OK) {
        write_line(study, &r, model, apart, motion, time_near(motion, apart, &coarse, 1), motion->why);
        dls_engine_record_release(&coarse);
    }
    return status;
}

static dls_status drop_balls(const dls_study *study, const dls_engines_runner *r, double h, const dls_model *model,
                             const dls_engine_record *motion, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    dls_engine_record record;
    dls_error why = {.message = ""};
    const size_t every = (size_t)lround(apart / h);
    const dls_status status =
        dls_engines_take(r, model, h, dls_step_count(set->elastic_duration, h), set->patience, &record, &why);
    if (status == DLS_REFUSED) {
        write_line(study, r, model, h, NULL, NAN, why.message);
        return DLS_OK;
    }
    if (status != DLS_OK) {
        if (error)
            *error = why;
        return status;
    }
    const bool comparable = motion->steps && fabs((double)every * h - apart) < 1e-9;
    write_line(study, r, model, h, &record, comparable ? time_near(&record, h, motion, every) : NAN, record.why);
    dls_engine_record_release(&record);
    return DLS_OK;
}

dls_status dls_engines_elastic_balls(dls_study *study, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    dls_engine_record motion = {0};
    dls_model *model;
    DLS_TRY(dls_engines_elastic_model(set->elastic_side, &model, error));
    dls_status status = follow_balls(study, model, &motion, error);
    for (dls_grid g = DLS_GRID(dls_engines_compared_count(study), set->elastic_steps.count);
         status == DLS_OK && dls_study_next(study, &g);) {
        const dls_engines_runner r = dls_engines_compared(study, g.at[0], set->iterations);
        status = drop_balls(study, &r, set->elastic_steps.reals[g.at[1]], model, &motion, error);
    }
    dls_engine_record_release(&motion);
    dls_model_destroy(model);
    return status;
}
