/* One cell of a sweep: a run with its settings. */
#include "sweep.h"

#include "base/clock.h"
#include "base/text.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The settings of the run itself. */
typedef struct run_settings {
    size_t iterations, seed;
    double dt, time, offset;
    int examine;
    bool go_on;
} run_settings;

static const dls_field fields[] = {
    {.key = "iterations",
     .unit = "",
     .kind = DLS_FIELD_COUNT,
     .offset = offsetof(run_settings, iterations),
     .fallback = "0",
     .max = HUGE_VAL,
     .help = "number of iterations of an iterative solver per step; 0: that of the scene"},
    {.key = "dt",
     .unit = "s",
     .kind = DLS_FIELD_REAL,
     .offset = offsetof(run_settings, dt),
     .fallback = "",
     .max = 1e9,
     .open_min = true,
     .help = "time step; unset: that of the scene"},
    {.key = "time",
     .unit = "s",
     .kind = DLS_FIELD_REAL,
     .offset = offsetof(run_settings, time),
     .fallback = "",
     .max = 1e9,
     .open_min = true,
     .help = "duration of a run; unset: that of the scene"},
    {.key = "examine",
     .unit = "",
     .kind = DLS_FIELD_CHOICE,
     .offset = offsetof(run_settings, examine),
     .fallback = "samples",
     .choices = dls_examine_names,
     .help = "steps whose residual the examiner measures; samples: at most 500"},
    {.key = "go_on",
     .unit = "",
     .kind = DLS_FIELD_BOOL,
     .offset = offsetof(run_settings, go_on),
     .fallback = "false",
     .help = "whether a run goes on after a step that its solver did not solve, with the impulses that it left"},
    {.key = "seed",
     .unit = "",
     .kind = DLS_FIELD_COUNT,
     .offset = offsetof(run_settings, seed),
     .fallback = "1",
     .max = 4294967295.0,
     .help = "seed of the random offsets"},
    {.key = "offset",
     .unit = "m",
     .kind = DLS_FIELD_REAL,
     .offset = offsetof(run_settings, offset),
     .fallback = "0",
     .max = HUGE_VAL,
     .help = "bound of a uniform random offset that is added to each coordinate of the position of each movable body "
             "at the start"},
};
const dls_field_table dls_sweep_fields = DLS_FIELD_TABLE(fields, run_settings);

const char *const dls_sweep_outcomes[] = {"finished", "unsolved", "diverged", "refused", "crashed", NULL};
static const double most_steps = 1e9;

const char *dls_sweep_value(const dls_sweep *sweep, size_t cell, size_t k)
{
    for (size_t i = sweep->n_axes; i-- > k + 1;)
        cell /= sweep->axes[i].count;
    return sweep->axes[k].values[cell % sweep->axes[k].count];
}

/* --- settings --- */

typedef struct cell {
    const dls_sweep *sweep;
    size_t number;
    dls_scene *scene;
    dls_model *model;
    dls_run run;
    dls_settings scheme;
    run_settings of_run;
} cell;

/* Calls `use` for each key and its value: the fixed ones, then the axes. */
static dls_status each_setting(cell *c, dls_status (*use)(cell *, const char *, const char *, dls_error *),
                               dls_error *error)
{
    const dls_sweep *s = c->sweep;
    for (size_t k = 0; k < s->n_fixed + s->n_axes; k++) {
        const bool axis = k >= s->n_fixed;
        const char *key = axis ? s->axes[k - s->n_fixed].key : s->fixed[k].key;
        const char *value = axis ? dls_sweep_value(s, c->number, k - s->n_fixed) : s->fixed[k].values[0];
        dls_error why;
        const dls_status status = use(c, key, value, &why);
        if (status != DLS_OK)
            return dls_fail(error, status, "%s=%s: %s", key, value, why.message);
    }
    return DLS_OK;
}

static bool begins(const char *key, const char *prefix) { return strncmp(key, prefix, strlen(prefix)) == 0; }

/* The solver and the scheme, which decide the meaning of other keys. */
static dls_status choose_settings(cell *c, const char *key, const char *value, dls_error *error)
{
    if (strcmp(key, "solver") == 0) {
        dls_choice_release(&c->run.choice);
        c->run.choice = (dls_choice){.solver = NULL};
        return dls_choice_create(value, &c->run.choice, error);
    }
    return strcmp(key, "scheme") == 0 ? dls_scheme_choose(value, &c->run.scheme, error) : DLS_OK;
}

static const char *run_key_at(const void *context, size_t i)
{
    static const char *const others[] = {"solver", "scheme", NULL};
    (void)context;
    return i < dls_sweep_fields.count ? dls_sweep_fields.fields[i].key : others[i - dls_sweep_fields.count];
}

static dls_status set(cell *c, const char *key, const char *value, dls_error *error)
{
    static const char scheme[] = "scheme.", warm[] = "warm.";
    char owner[DLS_NAME_MAX];
    if (strcmp(key, "solver") == 0 || strcmp(key, "scheme") == 0)
        return DLS_OK;
    if (dls_scene_has_key(key))
        return dls_scene_set(c->scene, key, value, error);
    if (begins(key, scheme))
        return dls_field_set(c->scheme.table, c->scheme.values, key + strlen(scheme), value, error);
    if (begins(key, warm))
        return dls_field_set(&dls_warm_fields, &c->run.warm, key + strlen(warm), value, error);
    if (dls_field_find(&dls_sweep_fields, key))
        return dls_field_set(&dls_sweep_fields, &c->of_run, key, value, error);
    snprintf(owner, sizeof owner, "%.*s", (int)strcspn(key, "."), key);
    if (strchr(key, '.') && strcmp(owner, c->run.choice.solver->name) != 0 && dls_solver_find(owner))
        return DLS_OK; /* of another solver */
    const char *nearest =
        dls_choices_nearest_key(&c->run.choice, 1, key) ? NULL : dls_nearest_word(key, run_key_at, NULL);
    if (nearest)
        return dls_fail(error, DLS_BAD_INPUT, "unknown key%s", dls_hint_of(nearest, NULL).text);
    return dls_choices_set(&c->run.choice, 1, key, value, error);
}

/* Bodies that stay, in their order, have in the scenes after changes the positions that they have before them. */
static void offset_after(dls_scene *scene)
{
    for (size_t k = 0; k < scene->n_changes; k++) {
        dls_scene *after = scene->changes[k].after;
        for (size_t i = 0, at = 0; i < scene->n_bodies && at < after->n_bodies; i++)
            if (strcmp(scene->bodies[i].name, after->bodies[at].name) == 0)
                after->bodies[at++].position = scene->bodies[i].position;
    }
}

/* Positions off the scene's, one draw a coordinate in the order of the bodies. */
static dls_status offset_bodies(cell *c, dls_error *error)
{
    if (c->of_run.offset == 0.0)
        return DLS_OK;
    gsl_rng *draws = gsl_rng_alloc(gsl_rng_mt19937);
    if (!draws)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for random numbers");
    gsl_rng_set(draws, (unsigned long)c->of_run.seed);
    for (size_t i = 0; i < c->scene->n_bodies; i++) {
        dls_body_def *body = &c->scene->bodies[i];
        double *const x[] = {&body->position.x, &body->position.y, &body->position.z};
        for (size_t k = 0; k < 3 && !body->is_static && !body->kinematic; k++)
            *x[k] += c->of_run.offset * (2.0 * gsl_rng_uniform(draws) - 1.0);
    }
    gsl_rng_free(draws);
    offset_after(c->scene);
    return DLS_OK;
}

static dls_status prepare(cell *c, dls_error *error)
{
    DLS_TRY(dls_scene_read(c->sweep->scene, &c->scene, error));
    DLS_TRY(dls_fields_default(&dls_sweep_fields, &c->of_run, error));
    DLS_TRY(dls_fields_default(&dls_warm_fields, &c->run.warm, error));
    c->run.scheme = dls_scheme_find("euler");
    DLS_TRY(each_setting(c, choose_settings, error));
    if (!c->run.choice.solver)
        DLS_TRY(dls_choice_create("pgs", &c->run.choice, error));
    DLS_TRY(dls_settings_create(&c->run.scheme->fields, &c->scheme, error));
    DLS_TRY(each_setting(c, set, error));
    DLS_TRY(offset_bodies(c, error));
    DLS_TRY(dls_model_create(c->scene, &c->model, error));
    const dls_world_def *world = dls_model_world(c->model);
    c->run.model = c->model;
    c->run.scene = c->scene;
    c->run.scheme_settings = c->scheme.values;
    c->run.iterations = c->of_run.iterations;
    c->run.step = isnan(c->of_run.dt) ? world->step : c->of_run.dt;
    c->run.duration = isnan(c->of_run.time) ? world->duration : c->of_run.time;
    c->run.examine = (dls_examine_steps)c->of_run.examine;
    c->run.go_on = c->of_run.go_on;
    c->run.samples = 500;
    c->run.stem = c->sweep->stem;
    c->run.silent = true;
    return c->run.duration / c->run.step <= most_steps
               ? DLS_OK
               : dls_fail(error, DLS_BAD_INPUT, "%g steps of %g s are too many; at most %g",
                          c->run.duration / c->run.step, c->run.step, most_steps);
}

static void release_cell(cell *c)
{
    dls_model_destroy(c->model);
    dls_scene_destroy(c->scene);
    dls_settings_release(&c->scheme);
    if (c->run.choice.solver)
        dls_choice_release(&c->run.choice);
}

/* --- its results --- */

/* A text as one cell of a table. */
static void plain(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20)
            *text = ' ';
}

void dls_sweep_line(char *text, dls_sweep_outcome outcome, const char *reason, bool seconds)
{
    char said[DLS_MESSAGE_MAX];
    snprintf(said, sizeof said, "%s", reason);
    plain(said);
    snprintf(text, DLS_SWEEP_LINE_MAX, "%s\t0\tnan\tnan\tnan\tnan\t0\t0\t0\t0\t0\t0\tnan\t0\t%.1000s%s",
             dls_sweep_outcomes[outcome], *said ? said : "-", seconds ? "\tnan" : "");
}

static dls_sweep_outcome outcome_of(const dls_run_result *r)
{
    return r->end == DLS_RUN_DIVERGED                   ? DLS_SWEEP_DIVERGED
           : r->steps_unsolved == 0                     ? DLS_SWEEP_FINISHED
           : r->unsolved.outcome == DLS_OUTCOME_REFUSED ? DLS_SWEEP_REFUSED
                                                        : DLS_SWEEP_UNSOLVED;
}

static void print_result(char *text, const dls_run_result *r, double seconds, bool with_seconds)
{
    char reason[DLS_MESSAGE_MAX + 128] = "-";
    if (r->end == DLS_RUN_DIVERGED)
        snprintf(reason, sizeof reason, "%s", r->reason);
    else if (r->steps_unsolved > 0)
        snprintf(reason, sizeof reason, "step %zu from %g s: %s: %s", r->unsolved.step, r->unsolved.time,
                 dls_outcome_text(r->unsolved.outcome), r->unsolved.reason);
    plain(reason);
    const int used =
        dls_print(text, DLS_SWEEP_LINE_MAX,
                  "%s\t%zu\t%.17g\t%.17g\t%.17g\t%.17g\t%zu\t%.17g\t%zu\t%zu\t%zu\t%zu\t%.17g\t%zu\t%.1000s",
                  dls_sweep_outcomes[outcome_of(r)], r->steps, r->energy_start, r->energy_end, r->worst_linear,
                  r->worst_angular, r->iterations, r->row_visits, r->steps_unsolved, r->examined, r->confirmed,
                  r->refuted, r->examined ? r->worst_residual : NAN, r->n_broken, reason);
    if (with_seconds && used > 0 && used < DLS_SWEEP_LINE_MAX)
        dls_print(text + used, DLS_SWEEP_LINE_MAX - (size_t)used, "\t%.6g", seconds);
}

dls_status dls_sweep_try(const dls_sweep *sweep, size_t number, dls_error *error)
{
    cell c = {.sweep = sweep, .number = number};
    const dls_status status = prepare(&c, error);
    release_cell(&c);
    return status;
}

dls_status dls_sweep_cell(const dls_sweep *sweep, size_t number, char *text, dls_error *error)
{
    const dls_job nobody = {.output = "", .command = ""};
    cell c = {.sweep = sweep, .number = number};
    dls_run_result result = {.steps = 0};
    dls_error why;
    const double start = dls_wall_clock();
    dls_status status = prepare(&c, &why);
    if (status == DLS_OK)
        status = dls_run_trajectory(&nobody, &c.run, &result, &why);
    release_cell(&c);
    if (status == DLS_NO_MEMORY || status == DLS_IO || status == DLS_NOT_WRITTEN)
        return *error = why, status;
    if (status == DLS_OK)
        print_result(text, &result, dls_wall_clock() - start, sweep->seconds);
    else
        dls_sweep_line(text, DLS_SWEEP_REFUSED, why.message, sweep->seconds);
    return DLS_OK;
}
