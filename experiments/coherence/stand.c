/* A stack of ten found boxes, for ten seconds: which schemes, iterations, margins and steps let it stand, cold and
 * warm.
 *
 * It has fallen when its top is lower by half a box's height; then the run ends. How far the top has wandered to the
 * side is told. */
#include "coherence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double fallen = 0.1; /* [m] */

static double aside(const dls_model *model, const dls_state *state)
{
    dls_vec3 way = dls_sub(state->x[model->n_bodies - 1], model->initial->x[model->n_bodies - 1]);
    return hypot(way.x, way.y);
}

static void note_half(const dls_coherence_machine *m, double residual, size_t looks, dls_coherence_stand *r)
{
    r->low = fmin(r->low, r->height);
    r->high = fmax(r->high, r->height);
    for (size_t k = 0; k < dls_simulation_contacts(m->simulation)->count; k++)
        r->depth = fmax(r->depth, -dls_simulation_contacts(m->simulation)->at[k].gap);
    if (looks)
        r->residual += (residual - r->residual) / (double)looks;
}

static void write_trace(dls_table *trace, const char *label, double time, double height)
{
    dls_table_text(trace, label);
    dls_table_real(trace, time);
    dls_table_real(trace, height);
    dls_table_end_row(trace);
}

static dls_status stand(dls_coherence_machine *m, double duration, dls_table *trace, const char *label,
                        dls_coherence_stand *r, dls_error *error)
{
    size_t count = (size_t)ceil(duration / m->step - 1e-9), looks = 0;
    size_t every = (size_t)fmax(1.0, round(1.0 / 60.0 / m->step));
    for (size_t k = 1; k <= count; k++) {
        bool half = 2 * k > count, look = half && k % 10 == 0;
        double residual = 0.0;
        DLS_TRY(dls_coherence_step(m, error));
        r->height = dls_coherence_height(m->model, dls_simulation_state(m->simulation));
        if (trace && k % every == 0)
            write_trace(trace, label, (double)k * m->step, r->height);
        r->aside = aside(m->model, dls_simulation_state(m->simulation));
        if (r->height < -fallen) {
            r->fell = (double)k * m->step;
            r->low = r->high = r->depth = r->residual = NAN;
            return DLS_OK;
        }
        if (look)
            DLS_TRY(dls_coherence_residual(m, dls_simulation_impulses(m->simulation), &residual, error));
        looks += look;
        if (half)
            note_half(m, residual, look ? looks : 0, r);
    }
    return DLS_OK;
}

dls_status dls_coherence_measure_stand(double margin, const dls_coherence_way *way, double duration, dls_table *trace,
                                       const char *label, dls_coherence_stand *result, dls_error *error)
{
    dls_model *model;
    dls_coherence_machine m;
    *result = (dls_coherence_stand){.fell = NAN, .low = HUGE_VAL, .high = -HUGE_VAL};
    DLS_TRY(dls_coherence_stack(margin, &model, error));
    DLS_TRY(dls_coherence_open(model, way, &m, error));
    dls_status status = stand(&m, duration, trace, label, result, error);
    if (status == DLS_NOT_FINITE) { /* a finding */
        result->fell = dls_simulation_state(m.simulation)->time;
        result->low = result->high = result->depth = result->residual = NAN;
        status = DLS_OK;
    }
    dls_coherence_close(&m);
    return status;
}

/* --- all of them --- */

typedef struct kind {
    const char *name, *scheme, *key, *value;
} kind;
static const kind kinds[] = {
    {"euler", "euler", NULL, NULL},
    {"tgs", "tgs", NULL, NULL},
    {"split-impulse", "split-impulse", NULL, NULL},
    {"small-steps relaxed", "small-steps", "relax", "1"},
};
/* In the settings' iterations and steps. */
static const struct {
    size_t iterations, steps;
} efforts[] = {{1, 1}, {2, 1}, {4, 1}, {1, 4}};
static const double margins[] = {0.0, 0.01};

static dls_status stand_line(const dls_coherence_lab *lab, const kind *k, int effort, double margin, bool warm,
                             dls_table *summary, dls_table *trace, dls_error *error)
{
    const dls_coherence_settings *s = lab->settings;
    const dls_coherence_way way = {k->scheme,
                                   k->key,
                                   k->value,
                                   s->iterations * efforts[effort].iterations,
                                   s->step / (double)efforts[effort].steps,
                                   warm};
    dls_coherence_stand r;
    char label[2 * DLS_NAME_MAX];
    snprintf(label, sizeof label, "%s|%zu|%zu|%g|%s", k->name, efforts[effort].iterations, efforts[effort].steps,
             margin, warm ? "warm" : "cold");
    DLS_TRY(dls_coherence_measure_stand(margin, &way, s->duration, trace, label, &r, error));
    lab->found->stood[warm] += isnan(r.fell) ? 1 : 0;
    lab->found->stacks += warm ? 0 : 1;
    dls_table_text(summary, k->name);
    dls_table_count(summary, way.iterations);
    dls_table_real(summary, way.step);
    dls_table_real(summary, margin);
    dls_table_text(summary, warm ? "warm" : "cold");
    dls_table_text(summary, isnan(r.fell) ? "stands" : "falls");
    const double values[] = {r.fell, 1e3 * r.height, 1e3 * r.aside, 1e3 * (r.high - r.low), 1e3 * r.depth, r.residual};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        dls_table_real(summary, values[i]);
    dls_table_end_row(summary);
    return DLS_OK;
}

static dls_status stand_all(const dls_coherence_lab *lab, dls_table *summary, dls_table *trace, dls_error *error)
{
    const size_t n = sizeof kinds / sizeof kinds[0];
    for (size_t k = 0; k < n; k++) {
        if (!dls_scheme_find(kinds[k].scheme))
            continue;
        dls_job_progress(lab->job, kinds[k].name, (double)k / (double)n);
        for (int effort = 0; effort < 4; effort++)
            for (int i = 0; i < 4; i++)
                DLS_TRY(stand_line(lab, &kinds[k], effort, margins[i / 2], i % 2, summary, trace, error));
    }
    return DLS_OK;
}

dls_status dls_coherence_stands(const dls_coherence_lab *lab, dls_error *error)
{
    dls_table *summary, *trace;
    DLS_TRY(dls_coherence_table(lab, "coherence.stand.summary",
                                "scheme\titerations\tstep[s]\tcontact_margin[m]\tstart\tstack\tfell[s]\theight_change["
                                "mm]\taside[mm]\tbreath[mm]"
                                "\tdepth[mm]\tscaled_residual",
                                &summary, error));
    dls_status status = dls_coherence_table(lab, "coherence.stand", "run\ttime[s]\theight_change[m]", &trace, error);
    if (status != DLS_OK)
        return dls_coherence_finish(summary, status, error);
    status = stand_all(lab, summary, trace, error);
    status = dls_coherence_finish(trace, status, error);
    return dls_coherence_finish(summary, status, error);
}
