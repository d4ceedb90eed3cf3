/* Experiment: mechanisms that others have published. Their motion in continuous time is the reference of every scheme
 * over a ladder of steps. */
#include "mechanisms/parts.h"

#include <stdio.h>
#include <string.h>

#define FIELD(...) DLS_SETTING(dls_mechanisms_settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(mechanisms, "", NAMES, "", 0, 0, "default: all mechanisms"),
    FIELD(levels, "", COUNT, "4", 1, 12, "steps of the ladder, each half of the one before"),
    FIELD(solver, "", NAME, "block-pivoting", 0, 0, "solver of all schemes that take it"),
    FIELD(iterations, "", COUNT, "4", 1, 1e6, "its iterations per step; substeps of schemes that have these"),
    FIELD(sweeps, "", COUNT, "100", 1, 1e6,
          "sweeps per step of PGS, for schemes that do not take that solver, and of avbd"),
};

static const dls_experiment_table tables[] = {
    [DLS_MECHANISMS_MOTION] = {.stem = "mechanisms.motion",
                               .columns = "mechanism\ttime[s]\tquantity\tvalue[m|rad]\terror_estimate[m|rad]"
                                          "\tpublished[m|rad]\tdifference[m|rad]"},
    [DLS_MECHANISMS_RUNS] = {.stem = "mechanisms.runs",
                             .columns = "mechanism\tscheme\tsolver\tstep[s]\tsteps\tfailed_step\tunsolved_steps\trows"
                                        "\trank\terror[m]\tenergy_error[J]"},
    [DLS_MECHANISMS_ORDERS] =
        {.stem = "mechanisms.orders",
         .columns = "mechanism\tscheme\tsolver\tfitted_order\tconstant[m/s^order]"
                    "\terror_at_the_shortest_step[m]\tenergy_error_at_the_shortest_step[J]\tunsolved_steps"},
    {.stem = NULL},
};

static dls_status prepare(dls_study *study, dls_error *error)
{
    const dls_mechanisms_settings *set = study->settings;
    for (size_t k = 0; k < set->mechanisms.count; k++) {
        size_t m = 0;
        while (m < DLS_PUBLISHED && strcmp(set->mechanisms.names[k], dls_published_mechanisms[m].name) != 0)
            m++;
        if (m == DLS_PUBLISHED)
            return dls_fail_about(error, DLS_BAD_INPUT, NULL, "mechanisms", "there is no mechanism '%s'",
                                  set->mechanisms.names[k]);
    }
    return dls_solver_find(set->solver)
               ? DLS_OK
               : dls_fail_about(error, DLS_BAD_INPUT, NULL, "solver", "there is no solver '%s'", set->solver);
}

static void release_findings(void *found)
{
    dls_mechanisms_findings *f = found;
    for (size_t m = 0; m < DLS_PUBLISHED; m++) {
        for (size_t k = 0; k <= DLS_MECHANISMS_SAMPLES; k++)
            dls_configuration_destroy(f->course[m].at[k]);
        dls_model_destroy(f->course[m].model);
    }
}

static const dls_experiment_part parts[] = {
    {"motions", dls_mechanisms_motions}, {"schemes", dls_mechanisms_runs}, {NULL, NULL}};

/* The names of the schemes that run, or of those that go astray. */
static void name_schemes(const dls_mechanisms_findings *f, size_t m, bool astray, char *names, size_t size)
{
    for (size_t s = 0; dls_schemes[s] && s < DLS_PUBLISHED_SCHEMES; s++)
        if (f->of[m][s].run && (!astray || dls_mechanisms_astray(&f->of[m][s])))
            dls_words_add(names, size, dls_schemes[s]->name);
}

static dls_status draw_mechanism(const dls_study *study, size_t m, const char *names, dls_error *error)
{
    const dls_mechanisms_findings *f = study->found;
    const dls_published *mechanism = &dls_published_mechanisms[m];
    const dls_reference_course *course = &f->course[m];
    char astray[4096] = "";
    dls_figure figure;
    name_schemes(f, m, true, astray, sizeof astray);
    dls_figure_begin(&figure, study, "mechanisms", DLS_MECHANISMS_RUNS, mechanism->name);
    dls_figure_set(&figure, "mechanism", "%s", mechanism->name);
    dls_figure_set(&figure, "schemes", "%s", names);
    dls_figure_say(&figure,
                   "%s: largest distance of a centre of mass from its motion in continuous time, in %g s, over the "
                   "time step; dotted: orders 1 and 2. The error of the motion itself is about %.1g m.",
                   mechanism->caption, mechanism->duration, course->position);
    if (course->rows > course->rank)
        dls_figure_say(&figure, " Redundant rows: %zu of %zu.", course->rows - course->rank, course->rows);
    if (f->published[m] > 0.0)
        dls_figure_say(&figure, " The printed values differ from it by up to %.1e of their size.", f->published[m]);
    if (astray[0])
        dls_figure_say(&figure, " No nearer with shorter steps: %s.", astray);
    return dls_figure_draw(&figure, error, "%s", "");
}

static dls_status figures(dls_study *study, dls_error *error)
{
    for (size_t m = 0; m < DLS_PUBLISHED; m++) {
        char names[4096] = "";
        name_schemes(study->found, m, false, names, sizeof names);
        if (names[0])
            DLS_TRY(draw_mechanism(study, m, names, error));
    }
    return DLS_OK;
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    const dls_mechanisms_findings *f = study->found;
    const double printed = f->published[DLS_PUBLISHED_SQUEEZER];
    char singular[128] = "", redundant[128] = "";
    size_t runs = 0, nearer = 0, first = DLS_PUBLISHED;
    for (size_t m = DLS_PUBLISHED; m-- > 0;)
        for (size_t s = 0; s < DLS_PUBLISHED_SCHEMES; s++) {
            runs += f->of[m][s].run, nearer += f->of[m][s].run && !dls_mechanisms_astray(&f->of[m][s]);
            first = f->of[m][s].run ? m : first;
        }
    if (runs == 0)
        return;
    name_schemes(f, DLS_PUBLISHED_THROUGH, true, singular, sizeof singular);
    name_schemes(f, DLS_PUBLISHED_BRICARD, true, redundant, sizeof redundant);
    snprintf(finding->figure, sizeof finding->figure, "mechanisms-%s", dls_published_mechanisms[first].name);
    int used = snprintf(finding->sentence, sizeof finding->sentence,
                        "Of %zu runs of a scheme on a mechanism %zu come nearer to its motion with shorter steps.",
                        runs, nearer);
    if (singular[0] || redundant[0])
        used += snprintf(finding->sentence + used, sizeof finding->sentence - (size_t)used,
                         " Not so through the singular position of A02: %s; and with the redundant row of A04: %s.",
                         singular[0] ? singular : "none", redundant[0] ? redundant : "none");
    if (printed > 0.0)
        snprintf(finding->sentence + used, sizeof finding->sentence - (size_t)used,
                 " The printed angles of Andrews' squeezer are off by up to %.1e of their size.", printed);
}

const dls_experiment dls_experiment_mechanisms = {
    .name = "mechanisms",
    .summary = "mechanisms that others have published: their motion, and the error of every scheme over the step",
    .title = "Published mechanisms",
    .question = "How far are schemes from the motion of published mechanisms, and how far are the printed values?",
    .varies = "the mechanism, the scheme, and the time step",
    .measures = "distance from the motion in continuous time, its energy, fitted orders, redundant rows",
    .shows = "which order each scheme has on loops, redundant rows and stiff springs, and which of them pass through a "
             "singular position",
    .mechanisms = "andrews-squeezer iftomm-a02 iftomm-a04 iftomm-a05",
    .fields = DLS_FIELD_TABLE(fields, dls_mechanisms_settings),
    .small = "mechanisms=iftomm-a01 levels=3",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(dls_mechanisms_findings),
    .prepare = prepare,
    .release = release_findings,
    .figures = figures,
    .conclude = conclude,
};
