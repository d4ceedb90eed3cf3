/* A stack of ten boxes with detected contacts: how long it stands under different schemes, iterations, margins and
 * steps, cold and warm.
 *
 * Its motion is chaotic: if boxes are displaced by 1e-9 m, it falls at another time, or not at all. Therefore each
 * combination is run with several random displacements, and the result is the share of stacks that stand. Shorter steps
 * have fewer copies: of six, all or none stood in each of their combinations, and they take most of the time. A stack
 * has fallen when its top is lower by half a box's height; then the run ends.
 */
#include "coherence/parts.h"

#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double fallen = 0.1; /* [m] */

dls_status dls_coherence_measure_stand(const dls_coherence_run *run, double duration, dls_coherence_stand *r,
                                       dls_error *error)
{
    const size_t count = dls_step_count(duration, run->step);
    size_t measured = 0;
    dls_rig rig;
    *r = (dls_coherence_stand){.fell = NAN, .low = HUGE_VAL, .high = -HUGE_VAL};
    DLS_TRY(dls_coherence_open(run, &rig, error));
    while (isnan(r->fell) && dls_rig_next(&rig, run->step, count)) {
        const size_t k = rig.steps;
        const dls_model *model = rig.model;
        dls_vec3 way = dls_sub(dls_rig_state(&rig)->x[dls_model_count(model).bodies - 1],
                               dls_model_initial(model)->x[dls_model_count(model).bodies - 1]);
        r->height = dls_coherence_height(&rig);
        r->aside = hypot(way.x, way.y);
        if (r->height < -fallen)
            r->fell = (double)k * run->step;
        if (r->height < -fallen || 2 * k <= count)
            continue;
        r->low = fmin(r->low, r->height);
        r->high = fmax(r->high, r->height);
        r->depth = fmax(r->depth, dls_penetration(dls_simulation_contacts(rig.simulation)));
        if (k % 10 == 0) {
            double residual = NAN;
            rig.status = dls_rig_residual(&rig, dls_simulation_impulses(rig.simulation), &residual, error);
            r->residual += (residual - r->residual) / (double)++measured;
        }
    }
    if (rig.failed) /* a finding */
        r->fell = dls_rig_state(&rig)->time;
    if (!isnan(r->fell))
        r->low = r->high = r->depth = r->residual = NAN;
    return dls_rig_end(&rig);
}

/* --- all of them --- */

static const struct {
    const char *name, *method;
} schemes[] = {
    {"euler", "baumgarte"},
    {"tgs", "tgs-step"},
    {"split-impulse", "split-impulse"},
    {"small-steps relaxed", "small-steps-relaxed"},
};
/* In the settings' iterations and steps. */
static const struct {
    size_t iterations, steps;
} efforts[] = {{1, 1}, {4, 1}, {1, 4}};
static const double margins[] = {0.0, 0.01};

/* The results of several copies of a run. Heights and the like are means over those that stood. */
typedef struct outcome {
    size_t count, fallen;
    double *fell; /* count: when, in order; the first `fallen` */
    dls_coherence_stand mean;
} outcome;

static dls_status run_copies(dls_coherence_run run, double duration, outcome *of, dls_error *error)
{
    double stood = 0.0;
    of->mean = (dls_coherence_stand){0};
    of->fallen = 0;
    for (run.seed = 1; run.seed <= of->count; run.seed++) {
        dls_coherence_stand r, *mean = &of->mean;
        DLS_TRY(dls_coherence_measure_stand(&run, duration, &r, error));
        if (!isnan(r.fell)) {
            of->fell[of->fallen++] = r.fell;
            continue;
        }
        stood += 1.0;
        mean->height += (r.height - mean->height) / stood;
        mean->aside += (r.aside - mean->aside) / stood;
        mean->high += (r.high - r.low - mean->high) / stood;
        mean->depth += (r.depth - mean->depth) / stood;
        mean->residual += (r.residual - mean->residual) / stood;
    }
    if (stood == 0.0)
        of->mean = (dls_coherence_stand){.height = NAN, .aside = NAN, .high = NAN, .depth = NAN, .residual = NAN};
    gsl_sort(of->fell, 1, of->fallen);
    return DLS_OK;
}

/* The share that stands, from each fall on. */
static void write_shares(const char *label, const outcome *of, double duration, dls_table *table)
{
    dls_table_row(table, "%s %g %g", label, 0.0, 1.0);
    for (size_t k = 0; k < of->fallen; k++)
        dls_table_row(table, "%s %g %g", label, of->fell[k], (double)(of->count - k - 1) / (double)of->count);
    dls_table_row(table, "%s %g %g", label, duration, (double)(of->count - of->fallen) / (double)of->count);
}

static dls_status run_all(dls_study *study, outcome *of, dls_error *error)
{
    const dls_coherence_settings *set = study->settings;
    dls_coherence_findings *f = study->found;
    for (dls_grid g = DLS_GRID(4, 3, 2, 2); dls_study_next(study, &g);) {
        const char *name = schemes[g.at[0]].name, *start = dls_coherence_starts[g.at[3]];
        const dls_coherence_run run = {.scene = DLS_COHERENCE_STACK,
                                       .number = margins[g.at[2]],
                                       .method = schemes[g.at[0]].method,
                                       .iterations = set->iterations * efforts[g.at[1]].iterations,
                                       .step = set->step / (double)efforts[g.at[1]].steps,
                                       .warm = g.at[3] == 1};
        char label[2 * DLS_NAME_MAX];
        of->count = efforts[g.at[1]].steps > 1 && set->copies_short < set->copies ? set->copies_short : set->copies;
        snprintf(label, sizeof label, "%s|%zu|%zu|%g|%s", name, efforts[g.at[1]].iterations, efforts[g.at[1]].steps,
                 run.number, start);
        DLS_TRY(run_copies(run, set->duration, of, error));
        const size_t stood = of->count - of->fallen;
        f->stood[g.at[0]][run.warm] += stood;
        f->stacks += run.warm || g.at[0] > 0 ? 0 : of->count;
        if (run.warm && g.at[1] == 0 && g.at[2] == 0 && strcmp(run.method, DLS_COHERENCE_HOLDS) == 0)
            f->stood_split = stood;
        write_shares(label, of, set->duration, study->tables[DLS_COHERENCE_STANDS]);
        dls_table_row(study->tables[DLS_COHERENCE_STAND_SUMMARY], "%s %zu %g %g %s %zu %zu %g %g %g %g %g %g %g", name,
                      run.iterations, run.step, run.number, start, of->count, stood, of->fallen ? of->fell[0] : NAN,
                      of->fallen ? of->fell[of->fallen / 2] : NAN, 1e3 * of->mean.height, 1e3 * of->mean.aside,
                      1e3 * of->mean.high, 1e3 * of->mean.depth, of->mean.residual);
    }
    return DLS_OK;
}

dls_status dls_coherence_stands(dls_study *study, dls_error *error)
{
    const dls_coherence_settings *set = study->settings;
    outcome of = {.count = set->copies};
    of.fell = calloc(of.count, sizeof *of.fell);
    if (!of.fell)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu copies", of.count);
    const dls_status status = run_all(study, &of, error);
    free(of.fell);
    return status;
}
