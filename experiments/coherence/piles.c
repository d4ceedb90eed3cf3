/* Joint errors of a chain, and a wall of a hundred boxes, cold and warm. */
#include "coherence/parts.h"

#include <math.h>
#include <stdio.h>

/* --- chain --- */

const char *const dls_coherence_chain_schemes[DLS_COHERENCE_SCHEMES] = {"euler", "tgs", "split-impulse", "small-steps"};
static const char *const chain_methods[] = {"baumgarte", "tgs-step", "split-impulse", "small-steps"};
static const double ratios[] = {1.0, 100.0};

dls_status dls_coherence_chains(dls_study *study, dls_error *error)
{
    const dls_coherence_settings *set = study->settings;
    dls_coherence_findings *f = study->found;
    const size_t count = dls_step_count(set->duration, set->step);
    for (dls_grid g = DLS_GRID(2, DLS_COHERENCE_SCHEMES, 2); dls_study_next(study, &g);) {
        const char *scheme = dls_coherence_chain_schemes[g.at[1]], *start = dls_coherence_starts[g.at[2]];
        const double ratio = ratios[g.at[0]];
        const dls_coherence_run run = {.scene = DLS_COHERENCE_CHAIN,
                                       .number = ratio,
                                       .method = chain_methods[g.at[1]],
                                       .iterations = set->iterations,
                                       .step = set->step,
                                       .warm = g.at[2] == 1};
        double worst = 0.0, mean = 0.0, energy = 0.0, linear, angular;
        dls_rig rig;
        DLS_TRY(dls_coherence_open(&run, &rig, error));
        const double energy_start = dls_energy(dls_rig_at(&rig));
        while (dls_rig_next(&rig, set->step, count)) {
            dls_joint_errors(dls_rig_at(&rig), &linear, &angular);
            worst = fmax(worst, linear);
            mean += (linear - mean) / (double)rig.steps;
            energy = dls_energy(dls_rig_at(&rig)) - energy_start;
            dls_table_row(study->tables[DLS_COHERENCE_CHAIN_RUNS], "%g %s %s %g %g %g", ratio, scheme, start,
                          dls_rig_state(&rig)->time, linear, energy);
        }
        if (rig.failed) /* a finding */
            worst = mean = energy = HUGE_VAL;
        DLS_TRY(dls_rig_end(&rig));
        f->chain[g.at[0]][g.at[1]][g.at[2]] = worst;
        dls_table_row(study->tables[DLS_COHERENCE_CHAIN_SUMMARY], "%g %s %s %g %g %g", ratio, scheme, start, worst,
                      mean, energy);
    }
    return DLS_OK;
}

/* --- wall --- */

enum { LOOK_EVERY = 10, COURSE = 10 };

/* The wall's height is that of its lowest brick of the last course, against the start. */
static double lowest_of_top(const dls_rig *rig)
{
    double low = HUGE_VAL;
    for (size_t i = dls_model_count(rig->model).bodies - COURSE; i < dls_model_count(rig->model).bodies; i++)
        low = fmin(low, dls_rig_state(rig)->x[i].z - dls_model_initial(rig->model)->x[i].z);
    return low;
}

dls_status dls_coherence_walls(dls_study *study, dls_error *error)
{
    static const struct {
        const char *scheme, *method;
        bool warm;
    } runs[] = {{"euler", "baumgarte", false}, {"euler", "baumgarte", true}, {"split-impulse", "split-impulse", true}};
    const dls_coherence_settings *set = study->settings;
    dls_coherence_findings *f = study->found;
    for (dls_grid g = DLS_GRID(3); dls_study_next(study, &g);) {
        const dls_coherence_run run = {.scene = DLS_COHERENCE_WALL,
                                       .number = DLS_COHERENCE_WALL_MARGIN,
                                       .method = runs[g.at[0]].method,
                                       .iterations = set->iterations,
                                       .step = set->wall_step,
                                       .warm = runs[g.at[0]].warm};
        char name[2 * DLS_NAME_MAX];
        double seconds = 0.0, height = 0.0, depth = 0.0, residual = 0.0;
        size_t rows = 0;
        dls_rig rig;
        snprintf(name, sizeof name, "%s %s", runs[g.at[0]].scheme, dls_coherence_starts[run.warm]);
        DLS_TRY(dls_coherence_open(&run, &rig, error));
        rig.diverges = false;
        for (double before = dls_seconds(); dls_rig_next(&rig, set->wall_step, set->wall_steps);
             before = dls_seconds()) {
            const double taken = dls_seconds() - before;
            seconds += taken;
            rows = dls_simulation_problem(rig.simulation)->n;
            height = lowest_of_top(&rig);
            if (rig.steps % LOOK_EVERY != 0 && rig.steps != 1)
                continue;
            rig.status = dls_rig_residual(&rig, dls_simulation_impulses(rig.simulation), &residual, error);
            depth = dls_penetration(dls_simulation_contacts(rig.simulation));
            dls_table_row(study->tables[DLS_COHERENCE_WALL_RUNS], "%s %g %zu %g %g %g %g", name,
                          dls_rig_state(&rig)->time, rows, residual, depth, height, taken);
        }
        DLS_TRY(dls_rig_end(&rig));
        f->wall_residual = residual, f->wall_height = height;
        dls_table_row(study->tables[DLS_COHERENCE_WALL_SUMMARY], "%s %zu %zu %g %g %g %g %g", name, set->wall_steps,
                      rows, residual, depth, height, seconds, 1e3 * seconds / (double)set->wall_steps);
    }
    return DLS_OK;
}
