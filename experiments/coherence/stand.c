/* A stack of ten boxes with detected contacts, for ten seconds: which schemes, iterations, margins and steps let it
 * stand, cold and warm.
 *
 * It has fallen when its top is lower by half a box's height; then the run ends. How far the top has wandered to the
 * side is told. */
#include "coherence/parts.h"

#include <math.h>
#include <stdio.h>

static const double fallen = 0.1; /* [m] */

dls_status dls_coherence_measure_stand(const dls_coherence_run *run, double duration, dls_table *trace,
                                       const char *label, dls_coherence_stand *r, dls_error *error)
{
    const size_t count = dls_step_count(duration, run->step);
    const size_t every = (size_t)fmax(1.0, round(1.0 / 60.0 / run->step));
    size_t looks = 0;
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
        if (trace && k % every == 0)
            dls_table_row(trace, "%s %g %g", label, (double)k * run->step, r->height);
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
            r->residual += (residual - r->residual) / (double)++looks;
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
} efforts[] = {{1, 1}, {2, 1}, {4, 1}, {1, 4}};
static const double margins[] = {0.0, 0.01};

dls_status dls_coherence_stands(dls_study *study, dls_error *error)
{
    const dls_coherence_settings *set = study->settings;
    dls_coherence_findings *f = study->found;
    if (!dls_collider_available())
        return DLS_OK;
    for (dls_grid g = DLS_GRID(4, 4, 2, 2); dls_study_next(study, &g);) {
        const char *name = schemes[g.at[0]].name, *start = dls_coherence_starts[g.at[3]];
        const dls_coherence_run run = {.scene = DLS_COHERENCE_STACK,
                                       .number = margins[g.at[2]],
                                       .method = schemes[g.at[0]].method,
                                       .iterations = set->iterations * efforts[g.at[1]].iterations,
                                       .step = set->step / (double)efforts[g.at[1]].steps,
                                       .warm = g.at[3] == 1};
        dls_coherence_stand r;
        char label[2 * DLS_NAME_MAX];
        snprintf(label, sizeof label, "%s|%zu|%zu|%g|%s", name, efforts[g.at[1]].iterations, efforts[g.at[1]].steps,
                 run.number, start);
        DLS_TRY(
            dls_coherence_measure_stand(&run, set->duration, study->tables[DLS_COHERENCE_STANDS], label, &r, error));
        f->stood[run.warm] += isnan(r.fell) ? 1 : 0;
        f->stacks += run.warm ? 0 : 1;
        dls_table_row(study->tables[DLS_COHERENCE_STAND_SUMMARY], "%s %zu %g %g %s %s %g %g %g %g %g %g", name,
                      run.iterations, run.step, run.number, start, isnan(r.fell) ? "stands" : "falls", r.fell,
                      1e3 * r.height, 1e3 * r.aside, 1e3 * (r.high - r.low), 1e3 * r.depth, r.residual);
    }
    return DLS_OK;
}
