/* Experiment: solvers of other projects on the problems of delassus, their claims against the results of the examiner.
 *
 * Every peer that was built (solvers/peers) gets every problem of the collection: the first step of each scene,
 * manufactured LCPs and mixed LCPs of four classes of matrices, and published problems if their folder is given. A
 * claim of success with an answer outside the tolerance is silently wrong: a caller would not notice it.
 */
#include "peers/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(...) DLS_SETTING(dls_peers_settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(rows, "", COUNT, "150", 1, 5000, "greatest number of rows; problems with more are omitted"),
    FIELD(made, "", COUNT, "2", 1, 1000, "number of manufactured problems of each class, with at most 30 rows"),
    FIELD(iterations, "", COUNT, "2000", 1, 1e7, "iterations of methods without a stopping criterion"),
    FIELD(tolerance, "", REAL, "1e-6", 1e-15, 1,
          "scaled residual, measured by the examiner, up to which an answer is right"),
    FIELD(patience, "s", REAL, "5", 1e-3, 1e6, "time limit, beyond which a peer has failed"),
    FIELD(solvers, "", NAMES, "", 0, 0, "default: every peer that was built"),
};

static const dls_experiment_table tables[] = {
    [DLS_PEERS_ANSWERS] = {.stem = "peers.answers",
                           .columns = "kind\tproblem\trows\tfriction_rows\tsolver\tclaim\tjudged\tverdict\titerations"
                                      "\tscaled_residual\tnatural_residual_velocity[m/s]\tmessage\tfile"},
    [DLS_PEERS_SUMMARY] = {.stem = "peers.summary",
                           .columns = "solver\tright\tunfinished\tunproved\tfailed\tsilently_wrong\trefused\ttaken"},
    {.stem = NULL},
};

static dls_status prepare(dls_study *study, dls_error *error)
{
    const dls_peers_settings *set = study->settings;
    dls_peers_findings *f = study->found;
    char patience[64];
    dls_peer peer;
    for (size_t i = 0; i < set->solvers.count; i++)
        DLS_TRY(dls_choices_add(set->solvers.names[i], &f->choices, &f->n_choices, error));
    for (size_t i = 0; !set->solvers.count && dls_peer_at(i, &peer); i++)
        if (peer.built)
            DLS_TRY(dls_choices_add(peer.name, &f->choices, &f->n_choices, error));
    snprintf(patience, sizeof patience, "%.17g", set->patience);
    for (size_t k = 0; k < f->n_choices; k++)
        if (dls_field_find(&f->choices[k].solver->fields, "seconds"))
            DLS_TRY(dls_choices_set(&f->choices[k], 1, "seconds", patience, error));
    f->count = calloc(f->n_choices + 1, sizeof *f->count);
    return f->count ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu solvers", f->n_choices);
}

static void release_findings(void *found)
{
    dls_peers_findings *f = found;
    dls_choices_release(f->choices, f->n_choices);
    free(f->count);
}

static void note_settings(const dls_study *study, dls_table *table)
{
    const dls_peers_findings *f = study->found;
    dls_note_choices(table, f->choices, f->n_choices);
}

static size_t taken(const size_t *count)
{
    size_t sum = 0;
    for (size_t v = 0; v < DLS_VERDICTS; v++)
        sum += v == DLS_VERDICT_REFUSED ? 0 : count[v];
    return sum;
}

static dls_status summarise(dls_study *study, dls_error *error)
{
    const dls_peers_findings *f = study->found;
    (void)error;
    for (size_t k = 0; k < f->n_choices; k++)
        dls_table_row(study->tables[DLS_PEERS_SUMMARY], "%s %zu %zu %zu %zu %zu %zu %zu", f->choices[k].solver->name,
                      f->count[k][DLS_VERDICT_RIGHT], f->count[k][DLS_VERDICT_UNFINISHED],
                      f->count[k][DLS_VERDICT_UNPROVED], f->count[k][DLS_VERDICT_FAILED],
                      f->count[k][DLS_VERDICT_WRONG], f->count[k][DLS_VERDICT_REFUSED], taken(f->count[k]));
    return DLS_OK;
}

static const dls_experiment_part parts[] = {{"scenes", dls_peers_scenes},
                                            {"manufactured problems", dls_peers_made},
                                            {"published problems", dls_peers_published},
                                            {"summary", summarise},
                                            {NULL, NULL}};

static dls_status figures(dls_study *study, dls_error *error)
{
    const dls_peers_settings *set = study->settings;
    const dls_peers_findings *f = study->found;
    size_t total[DLS_VERDICTS] = {0};
    dls_figure figure;
    if (!f->n_choices)
        return DLS_OK;
    for (size_t k = 0; k < f->n_choices; k++)
        for (size_t v = 0; v < DLS_VERDICTS; v++)
            total[v] += f->count[k][v];
    dls_figure_begin(&figure, study, "peers", DLS_PEERS_SUMMARY, NULL);
    dls_figure_say(
        &figure,
        "%zu solvers of other projects on %zu problems of at most %zu rows, each in a process of its own. Of "
        "%zu answers %zu were right to a scaled residual of %g, %zu were on their way, %zu neither proved nor "
        "refuted, %zu failed and said so, and %zu were silently wrong: claimed, and refuted by the examiner, "
        "%zu of them by more than %g m/s; %zu problems were refused.",
        f->n_choices, f->problems, set->rows, taken(total), total[DLS_VERDICT_RIGHT], set->tolerance,
        total[DLS_VERDICT_UNFINISHED], total[DLS_VERDICT_UNPROVED], total[DLS_VERDICT_FAILED], total[DLS_VERDICT_WRONG],
        f->far, set->tolerance, total[DLS_VERDICT_REFUSED]);
    dls_figure_say(&figure, " Silently wrong:");
    for (size_t k = 0; k < f->n_choices; k++)
        if (f->count[k][DLS_VERDICT_WRONG])
            dls_figure_say(&figure, " %s %zu", f->choices[k].solver->name, f->count[k][DLS_VERDICT_WRONG]);
    return dls_figure_draw(&figure, error, "%s.", total[DLS_VERDICT_WRONG] ? "" : " none");
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    const dls_peers_findings *f = study->found;
    size_t wrong = 0, right = 0;
    for (size_t k = 0; k < f->n_choices; k++)
        wrong += f->count[k][DLS_VERDICT_WRONG], right += f->count[k][DLS_VERDICT_RIGHT];
    if (f->n_choices == 0)
        return;
    snprintf(finding->figure, sizeof finding->figure, "peers");
    snprintf(finding->sentence, sizeof finding->sentence,
             "On %zu problems %zu solvers of other projects give %zu right answers, and claim success with a wrong one "
             "%zu times.",
             f->problems, f->n_choices, right, wrong);
}

const dls_experiment dls_experiment_peers = {
    .name = "peers",
    .summary = "solvers of other projects on problems of delassus: claims against certificates",
    .title = "Solvers of other projects",
    .question = "How often do established solvers claim success with a wrong answer?",
    .varies = "solver, and problem: scenes, manufactured and published ones",
    .measures = "each claim against the examiner's figures and certificate",
    .shows = "how many answers are right, refused, failed, and silently wrong",
    .mechanisms = "stack-10 wall four-bar slider-crank",
    .fields = DLS_FIELD_TABLE(fields, dls_peers_settings),
    .small = "rows=6 made=1 iterations=100 patience=2",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(dls_peers_findings),
    .prepare = prepare,
    .release = release_findings,
    .remark = {"verdicts", "reproduce a line by: delassus solve FILE --solver SOLVER --tolerance (as set above); "
                           "friction is that of delassus, also for a peer with its own law"},
    .note = note_settings,
    .figures = figures,
    .conclude = conclude,
};
