/* Experiment: trajectories that others have published of balls, beads, blocks, pendulums and mechanisms with impacts,
 * beside their motion in continuous time with its events. */
#include "trajectories/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define FIELD(...) DLS_SETTING(dls_trajectories_settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(examples, "", NAMES, "", 0, 0, "default: all examples"),
    FIELD(samples, "", COUNT, "10", 1, 1e4, "times at which the motion is printed"),
    FIELD(levels, "", COUNT, "3", 1, 12, "steps of our own run, the published one and each half of the one before"),
    FIELD(iterations, "", COUNT, "100", 1, 1e6, "iterations of a step with friction"),
};

static const dls_experiment_table tables[] = {
    [DLS_TRAJECTORIES_MOTIONS] = {.stem = "trajectories.motions",
                                  .columns = "example\tuntil[s]\tevents\tfirst_impact[s]\terror_estimate[m|rad]\tend"},
    [DLS_TRAJECTORIES_REFERENCE] = {.stem = "trajectories.reference",
                                    .columns = "example\ttime[s]\tquantity\tvalue[m|rad]\trate[m/s|rad/s]"
                                               "\terror_estimate[m|rad]"},
    [DLS_TRAJECTORIES_EVENTS] = {.stem = "trajectories.events",
                                 .columns = "example\ttime[s]\tkind\tof\trow\tspeed[m/s]"},
    [DLS_TRAJECTORIES_STEPS] = {.stem = "trajectories.steps",
                                .columns = "example\tstep[s]\tkind\tof\tdifference[m|rad]\tat[s]\tfitted_order"},
    [DLS_TRAJECTORIES_PUBLISHED] =
        {.stem = "trajectories.published",
         .columns = "example\tfile\tintegrator\tstep[s]\tkind\tof\tdifference[m|rad]\tat[s]"
                    "\trate_difference[m/s|rad/"
                    "s]\texpected[m|rad]\tfrom_own[m|rad]\tfirst_impact[s]\tseen_later[s]\tuntil[s]\tverdict"},
    {.stem = NULL},
};

static dls_status prepare(dls_study *study, dls_error *error)
{
    const dls_trajectories_settings *set = study->settings;
    for (size_t k = 0; k < set->examples.count; k++)
        if (!dls_planar_examples[dls_planar_example_find(set->examples.names[k])].name)
            return dls_fail_about(error, DLS_BAD_INPUT, NULL, "examples",
                                  "there is no example '%s'; trajectories.motions of a run of all examples lists them",
                                  set->examples.names[k]);
    return DLS_OK;
}

static size_t count_examples(void) { return dls_planar_example_find(""); }

/* --- motions --- */

static double write_reference(dls_study *study, const dls_planar_example *example, const double *times,
                              const dls_traced_motion m[2])
{
    double worst = 0.0;
    for (size_t k = 0; k < m->rows && k < m[0].reached && k < m[1].reached; k++)
        for (size_t i = 0; i < m->n; i++) {
            const size_t at = k * m->n + i;
            const double estimate = fabs(remainder(m[0].value[at] - m[1].value[at], 2.0 * M_PI));
            worst = fmax(worst, estimate);
            dls_table_row(study->tables[DLS_TRAJECTORIES_REFERENCE], "%s %g %s %g %g %g", example->name, times[k],
                          example->traced[i].label, m->value[at], m->rate[at], estimate);
        }
    return worst;
}

static dls_status write_motion(dls_study *study, size_t e, const double *times, size_t rows, dls_error *error)
{
    const dls_planar_example *example = &dls_planar_examples[e];
    dls_trajectories_findings *f = study->found;
    dls_traced_motion m[2];
    DLS_TRY(dls_traced_follow(example, times, rows, 1.0, study->tables[DLS_TRAJECTORIES_EVENTS], &m[0], error));
    const dls_status status = dls_traced_follow(example, times, rows, 100.0, NULL, &m[1], error);
    if (status == DLS_OK) {
        f->estimate[e] = write_reference(study, example, times, m);
        dls_table_row(study->tables[DLS_TRAJECTORIES_MOTIONS], "%s %g %zu %g %g %s", example->name,
                      times[m->reached ? m->reached - 1 : 0], m->events, m->first_impact, f->estimate[e], m->end);
        dls_traced_release(&m[1]);
    }
    dls_traced_release(&m[0]);
    return status;
}

dls_status dls_trajectories_motions(dls_study *study, dls_error *error)
{
    const dls_trajectories_settings *set = study->settings;
    for (dls_grid g = DLS_GRID(count_examples()); dls_study_next(study, &g);) {
        const dls_planar_example *example = &dls_planar_examples[g.at[0]];
        double *times;
        size_t rows;
        if (!dls_planar_example_wanted(study, g.at[0]))
            continue;
        DLS_TRY(
            dls_traced_times(example, (example->until - example->begins) / (double)set->samples, &times, &rows, error));
        const dls_status status = write_motion(study, g.at[0], times, rows, error);
        free(times);
        DLS_TRY(status);
    }
    return DLS_OK;
}

/* --- steps of our own --- */

static dls_status run_ladder(dls_study *study, const dls_planar_example *example, const double *times,
                             const dls_traced_motion *m, dls_error *error)
{
    const dls_trajectories_settings *set = study->settings;
    dls_traced_difference of[DLS_LIST_MAX][DLS_TRACED_KINDS];
    double step[DLS_LIST_MAX], most[DLS_LIST_MAX];
    for (size_t level = 0; level < set->levels; level++) {
        dls_traced_motion own;
        step[level] = example->step / (double)(1u << level);
        DLS_TRY(dls_own_steps(example, example->step, (size_t)1 << level, set->iterations, m->rows, &own, error));
        dls_traced_compare(example, m, times, own.value, own.rate, of[level]);
        dls_traced_release(&own);
    }
    for (int kind = 0; kind < DLS_TRACED_KINDS; kind++) {
        for (size_t level = 0; level < set->levels; level++)
            most[level] = of[level][kind].most;
        const double order = dls_fit_order(step, most, set->levels);
        for (size_t level = 0; level < set->levels && isfinite(most[0]); level++)
            dls_table_row(study->tables[DLS_TRAJECTORIES_STEPS], "%s %g %s %s %g %g %g", example->name, step[level],
                          dls_traced_kinds[kind], example->traced[of[level][kind].of].label, most[level],
                          of[level][kind].at, order);
    }
    return DLS_OK;
}

dls_status dls_trajectories_steps(dls_study *study, dls_error *error)
{
    for (dls_grid g = DLS_GRID(count_examples()); dls_study_next(study, &g);) {
        const dls_planar_example *example = &dls_planar_examples[g.at[0]];
        dls_traced_motion m;
        double *times;
        size_t rows;
        if (!dls_planar_example_wanted(study, g.at[0]))
            continue;
        DLS_TRY(dls_traced_times(example, example->step, &times, &rows, error));
        dls_status status = dls_traced_follow(example, times, rows, 1.0, NULL, &m, error);
        if (status == DLS_OK) {
            status = run_ladder(study, example, times, &m, error);
            dls_traced_release(&m);
        }
        free(times);
        DLS_TRY(status);
    }
    return DLS_OK;
}

static const dls_experiment_part parts[] = {{"motions", dls_trajectories_motions},
                                            {"steps", dls_trajectories_steps},
                                            {"published", dls_trajectories_published},
                                            {NULL, NULL}};

/* --- figure and finding --- */

static dls_status figures(dls_study *study, dls_error *error)
{
    char names[1024] = "";
    dls_figure figure;
    for (size_t e = 0; dls_planar_examples[e].name; e++)
        if (dls_planar_example_wanted(study, e) && dls_traced_kind_of(&dls_planar_examples[e], 0) == DLS_TRACED_LENGTH)
            dls_words_add(names, sizeof names, dls_planar_examples[e].name);
    if (!names[0])
        return DLS_OK;
    dls_figure_begin(&figure, study, "trajectories", DLS_TRAJECTORIES_STEPS, NULL);
    dls_figure_set(&figure, "examples", "%s", names);
    return dls_figure_draw(&figure, error, "%s",
                           "The theta method with theta = 1/2: largest distance from the motion in continuous time, "
                           "over the time step, which begins with that of the published run.");
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    const dls_trajectories_findings *f = study->found;
    double worst = 0.0;
    for (size_t e = 0; e < DLS_PLANAR_EXAMPLES_MAX; e++)
        worst = fmax(worst, f->estimate[e]);
    snprintf(finding->figure, sizeof finding->figure, "trajectories");
    int used =
        snprintf(finding->sentence, sizeof finding->sentence, "The motions are known to about %.1e m or rad.", worst);
    if (f->given == 0)
        used += snprintf(finding->sentence + used, sizeof finding->sentence - (size_t)used,
                         " None of the %zu published files was given (--data).", f->missing);
    else
        used +=
            snprintf(finding->sentence + used, sizeof finding->sentence - (size_t)used,
                     " Of %zu comparisons with published files %zu agree where events are located, and %zu are as far "
                     "from them as their step explains.",
                     f->given, f->located, f->expected);
    if (f->off)
        snprintf(finding->sentence + used, sizeof finding->sentence - (size_t)used,
                 " %zu differ by more, up to %.2g m (%s).", f->off, f->worst, f->worst_file ? f->worst_file : "-");
}

static dls_status make_example(const char *name, dls_scene **scene, dls_error *error)
{
    return dls_scene_text(scene, error, "%s", dls_planar_examples[dls_planar_example_find(name)].scene);
}

const dls_experiment dls_experiment_trajectories = {
    .name = "trajectories",
    .summary = "trajectories with impacts that others have published, beside their motion with events located",
    .title = "Published trajectories with impacts",
    .question = "How far are published trajectories with impacts from the motion of their examples?",
    .varies = "the example, the integrator that made the file, the time step",
    .measures = "largest difference of positions and angles, mean difference of rates, delay of the first impact, "
                "order of a scheme of our own",
    .shows = "which files are as far from the motion as their scheme explains, and which show another motion",
    .mechanisms = "disks block double-pendulum slider-crank",
    .mechanism = make_example,
    .fields = DLS_FIELD_TABLE(fields, dls_trajectories_settings),
    .small = "examples=ball-rest,ball-ceiling levels=3",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(dls_trajectories_findings),
    .prepare = prepare,
    .figures = figures,
    .conclude = conclude,
};
