/* Experiment: which stacks stand for a minute.
 *
 * A stack of boxes is chaotic: copies whose boxes are displaced by 1e-9 m fall at other times, or not at all. So the
 * result of a scheme is a share of copies, and its error bar is that of a share: the interval of Clopper and Pearson,
 * "The use of confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26 (1934), in which
 * the true share lies with the given confidence whatever it is: with s of n copies standing it runs from the beta
 * quantile B(a/2; s, n - s + 1) to B(1 - a/2; s + 1, n - s), a = 1 - confidence. Of 100 copies that all stand, it
 * begins at 96.4 %.
 *
 * A copy has fallen when the centre of some body is further than `fallen` from its place at the start; then its run
 * ends.
 */
#include "study/rig.h"
#include "study/study.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    dls_list scenes, methods, iterations;
    size_t copies, seed;
    double duration, step, margin, offset, fallen, confidence;
} settings;

#define FIELD(...) DLS_SETTING(settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(scenes, "", NAMES, "stack-10-found", 0, 0, "names of installed scenes, or paths of files; wall takes hours"),
    FIELD(methods, "", NAMES,
          "baumgarte, split-impulse, projection-gauss-seidel, tgs-step, small-steps, small-steps-relaxed", 0, 0,
          "methods of constraint stabilisation"),
    FIELD(copies, "", COUNT, "100", 1, 1000000, "number of copies of each"),
    FIELD(iterations, "", COUNTS, "10, 40", 1, 100000, "iterations of PGS per step; substeps of small steps"),
    FIELD(duration, "s", REAL, "60", 1e-3, 1e5, "duration of a run"),
    FIELD(step, "s", REAL, "0.016666666666666666", 1e-6, 0.1, "time step"),
    FIELD(margin, "m", REAL, "0.01", 0, 10, "gap from which on contacts are rows"),
    FIELD(offset, "m", REAL, "1e-9", 0, 0.1, "displacement of each body, along x and along y, at most"),
    FIELD(seed, "", COUNT, "1", 0, 1e9, "of the displacements of the first copy"),
    FIELD(fallen, "m", REAL, "0.1", 1e-6, 1e3, "a body that has moved farther has fallen"),
    FIELD(confidence, "", REAL, "0.95", 0.5, 0.999999, "of the error bars"),
};

enum { SURVIVAL, SUMMARY };
static const dls_experiment_table tables[] = {
    [SURVIVAL] = {.stem = "standing.survival",
                  .columns = "scene\tmethod\titerations\tstart\ttime[s]\tstanding\tleast\tmost"},
    [SUMMARY] = {.stem = "standing.summary",
                 .columns = "scene\tmethod\titerations\tstart\tcopies\tstood\tleast_share\tmost_share\tfirst_fell[s]"
                            "\tmedian_of_falls[s]\tlargest_move_of_those_that_stood[m]"},
    {.stem = NULL},
};

typedef struct findings {
    size_t ways, all;           /* schemes with their starts; those under which every copy stood */
    char best[DLS_MESSAGE_MAX]; /* their names */
} findings;

static const char *const starts[2] = {"cold", "warm"};

/* The interval of a share of which `stood` of `count` were seen. */
static void bound_share(size_t stood, size_t count, double confidence, double *least, double *most)
{
    const double a = 0.5 * (1.0 - confidence), s = (double)stood, n = (double)count;
    *least = stood == 0 ? 0.0 : gsl_cdf_beta_Pinv(a, s, n - s + 1.0);
    *most = stood == count ? 1.0 : gsl_cdf_beta_Qinv(a, s + 1.0, n - s);
}

/* The farthest that a body is from its start. */
static double farthest_move(const dls_rig *rig)
{
    double farthest = 0.0;
    for (size_t i = 0; i < dls_model_count(rig->model).bodies; i++)
        farthest = fmax(farthest, dls_norm(dls_sub(dls_rig_state(rig)->x[i], dls_model_initial(rig->model)->x[i])));
    return farthest;
}

/* When a copy falls; NaN: it stands to the end, at most `move` from its start. */
static dls_status run_copy(const settings *set, const char *name, const char *method, size_t iterations, bool warm,
                           size_t copy, double *fell, double *move, dls_error *error)
{
    const dls_rig_plan plan = {.method = method, .iterations = iterations, .warm = warm, .diverges = true};
    dls_scene *scene;
    dls_rig rig;
    DLS_TRY(dls_scene_named(name, &scene, error));
    scene->world.contact_margin = set->margin;
    dls_status status = dls_scene_displace(scene, dls_v3(set->offset, set->offset, 0.0), set->seed + copy, error);
    if (status != DLS_OK) {
        dls_scene_destroy(scene);
        return status;
    }
    DLS_TRY(dls_rig_open(&rig, scene, &plan, error));
    *fell = NAN, *move = 0.0;
    while (isnan(*fell) && dls_rig_next(&rig, set->step, dls_step_count(set->duration, set->step))) {
        *move = farthest_move(&rig);
        if (*move > set->fallen)
            *fell = (double)rig.steps * set->step;
    }
    if (rig.failed) /* a finding */
        *fell = (double)rig.failed * set->step;
    return dls_rig_end(&rig);
}

static dls_status run_copies(dls_study *study, const char *scene, const char *method, size_t iterations, bool warm,
                             double *fell, dls_error *error)
{
    const settings *set = study->settings;
    findings *f = study->found;
    const char *start = starts[warm];
    size_t fallen = 0;
    double farthest = 0.0, least, most;
    for (size_t copy = 0; copy < set->copies; copy++) {
        double when, move;
        DLS_TRY(run_copy(set, scene, method, iterations, warm, copy, &when, &move, error));
        if (isnan(when))
            farthest = fmax(farthest, move);
        else
            fell[fallen++] = when;
    }
    gsl_sort(fell, 1, fallen);
    for (size_t k = 0; k <= fallen + 1; k++) { /* at the start, at each fall, and at the end */
        const size_t down = k > fallen ? fallen : k, stood = set->copies - down;
        bound_share(stood, set->copies, set->confidence, &least, &most);
        dls_table_row(study->tables[SURVIVAL], "%s %s %zu %s %g %g %g %g", scene, method, iterations, start,
                      k == 0        ? 0.0
                      : k <= fallen ? fell[k - 1]
                                    : set->duration,
                      (double)stood / (double)set->copies, least, most);
    }
    dls_table_row(study->tables[SUMMARY], "%s %s %zu %s %zu %zu %g %g %g %g %g", scene, method, iterations, start,
                  set->copies, set->copies - fallen, least, most, fallen ? fell[0] : NAN,
                  fallen ? fell[fallen / 2] : NAN, fallen < set->copies ? farthest : NAN);
    f->ways++;
    if (fallen == 0) {
        const size_t used = strlen(f->best);
        f->all++;
        snprintf(f->best + used, sizeof f->best - used, "%s%s (%zu, %s)", used ? ", " : "", method, iterations, start);
    }
    return DLS_OK;
}

static dls_status run_stacks(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    double *fell = malloc((set->copies + 1) * sizeof *fell);
    dls_status status = fell ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu copies", set->copies);
    for (size_t k = 0; k < set->methods.count && status == DLS_OK; k++)
        if (!dls_method_find(set->methods.names[k]))
            status = dls_fail(error, DLS_BAD_ARGUMENT, "there is no method '%s'", set->methods.names[k]);
    for (dls_grid g = DLS_GRID(set->scenes.count, set->methods.count, set->iterations.count, 2);
         status == DLS_OK && dls_study_next(study, &g);)
        status = run_copies(study, set->scenes.names[g.at[0]], set->methods.names[g.at[1]],
                            set->iterations.counts[g.at[2]], g.at[3] == 1, fell, error);
    free(fell);
    return status;
}

static const dls_experiment_part parts[] = {{"stacks", run_stacks}, {NULL, NULL}};

/* One scene with one number of iterations. */
static dls_status draw(const dls_study *study, size_t scene, size_t iterations, dls_error *error)
{
    const settings *set = study->settings;
    const size_t count = set->iterations.counts[iterations];
    char methods[DLS_MESSAGE_MAX] = "", name[DLS_NAME_MAX];
    dls_figure figure;
    for (size_t m = 0; m < set->methods.count; m++)
        dls_words_add(methods, sizeof methods, set->methods.names[m]);
    snprintf(name, sizeof name, "%zu-%zu", scene + 1, count);
    dls_figure_begin(&figure, study, "standing", SURVIVAL, name);
    dls_figure_set(&figure, "scene", "%s", set->scenes.names[scene]);
    dls_figure_set(&figure, "methods", "%s", methods);
    dls_figure_set(&figure, "iterations", "%zu", count);
    dls_figure_set(&figure, "duration", "%g", set->duration);
    return dls_figure_draw(&figure, error,
                           "The share of %zu copies of %s that stand, over time, with %zu iterations of PGS per step "
                           "of %.3g s; bands: %g %% confidence. Copies differ by %g m.",
                           set->copies, set->scenes.names[scene], count, set->step, 100.0 * set->confidence,
                           set->offset);
}

static dls_status figures(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    for (size_t k = 0; k < set->scenes.count; k++)
        for (size_t i = 0; i < set->iterations.count; i++)
            DLS_TRY(draw(study, k, i, error));
    return DLS_OK;
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    const settings *set = study->settings;
    const findings *f = study->found;
    snprintf(finding->figure, sizeof finding->figure, "standing-1-%zu",
             set->iterations.counts[set->iterations.count - 1]);
    snprintf(finding->sentence, sizeof finding->sentence,
             "Of %zu schemes with their iterations and starts, %zu let all %zu copies of a stack stand for %g s",
             f->ways, f->all, set->copies, set->duration);
    const size_t used = strlen(finding->sentence);
    snprintf(finding->sentence + used, sizeof finding->sentence - used, "%s%.*s.",
             f->all ? " (iterations, start): " : "", (int)(sizeof finding->sentence - used - 30), f->best);
}

const dls_experiment dls_experiment_standing = {
    .name = "standing",
    .summary = "the share of stacks that stand for a minute, over many copies, with confidence bands",
    .title = "Stacks that stand",
    .question = "Under which scheme does a stack of boxes stand, whatever its last digits are?",
    .varies = "the scheme, cold and warm starts, and displacements of the boxes by 1e-9 m",
    .measures = "the share of copies that have not fallen, over time, with its confidence interval",
    .shows = "which schemes let every copy stand",
    .mechanisms = "stack-10-found",
    .fields = DLS_FIELD_TABLE(fields, settings),
    .small = "methods=split-impulse iterations=10 copies=2 duration=0.2",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(findings),
    .figures = figures,
    .conclude = conclude,
};
