/* delassus compare: histories and convergence figures of several solvers on several problems. */
#include "json.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- printing --- */

/* "-" where there is no number. */
static void print_number(const char *format, int width, double value)
{
    char text[40] = "-";
    if (!isnan(value))
        snprintf(text, sizeof text, format, value);
    printf(" %*s", width, text);
}

static void print_solver(const dls_comparison *of)
{
    const dls_certificate *last = &of->figures[of->count - 1];
    const bool iterative = of->solver->kind == DLS_SOLVER_ITERATIVE;
    print_solver_name(of->solver->name);
    printf(" %-18s %10zu", dls_outcome_text(of->outcome), of->iterations);
    print_number("%.1e", 10, last->scaled_residual);
    print_number("%.1e", 10, of->distance[of->count - 1]);
    print_number("%.3g", 10, of->row_visits);
    print_number("%.9f", 12, of->fitted_rate);
    printf(" %-8s", isnan(of->fitted_rate) ? "-" : dls_fit_words[of->fit]);
    print_number("%.9f", 12, of->predicted_rate);
    printf(" %-10s", dls_rate_words[of->word]);
    print_number("%.0f", 10, dls_comparison_reached(of));
    print_number("%.3g", 10, of->seconds);
    printf("\n");
    if (of->message[0] && of->outcome != DLS_OUTCOME_SOLVED &&
        !(iterative && of->outcome == DLS_OUTCOME_ITERATION_LIMIT))
        printf("  %s\n", of->message);
    if (of->no_rate && iterative)
        printf("  no rate is predicted: %s\n", of->no_rate);
}

/* Solvers that refused for the same reason in one line. */
static void print_refusals(const dls_comparisons *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const char *why = found->of[i].message;
        bool told = found->of[i].outcome != DLS_OUTCOME_REFUSED;
        for (size_t k = 0; k < i; k++)
            told = told || (found->of[k].outcome == DLS_OUTCOME_REFUSED && strcmp(found->of[k].message, why) == 0);
        if (told)
            continue;
        printf("refused (%s):", why);
        for (size_t k = i; k < found->count; k++)
            if (found->of[k].outcome == DLS_OUTCOME_REFUSED && strcmp(found->of[k].message, why) == 0)
                printf(" %s", found->of[k].solver->name);
        printf("\n");
    }
}

static void print_head(const char *file, const dls_comparisons *found)
{
    printf("%s: %zu rows; distances are to the answer of %s, scaled residual %.1e", file, found->rows,
           found->reference->name, found->reference_residual);
    if (isnan(found->reference_bound))
        printf(", whose own error is not bounded\n\n");
    else
        printf(", off by %s at most\n\n", dls_digits_up(found->reference_bound, 2).text);
    printf("%-*s %-18s %10s %10s %10s %10s %12s %-8s %12s %-10s %10s %10s\n", SOLVER_COLUMN, "solver", "outcome",
           "iterations", "residual", "distance", "row visits", "fitted rate", "fit", "predicted", "word", "to 1e-6",
           "seconds");
}

/* Each solver as it ends: the next may take long. */
static void print_told(void *context, const dls_comparisons *found)
{
    end_progress();
    if (found->count == 0)
        print_head(*(const char **)context, found);
    else if (found->of[found->count - 1].outcome != DLS_OUTCOME_REFUSED)
        print_solver(&found->of[found->count - 1]);
    fflush(stdout);
}

static void print_end(const dls_job *job, const char *stem, const dls_comparisons *found)
{
    print_refusals(found);
    printf("\nresidual: the examiner's scaled one [1]; distance: sqrt(dv^T M dv) to the reference [sqrt(J)]; rates per "
           "iteration; fit:\nline, or bent, settling (rows still come to bounds or leave them) or short; predicted: "
           "exact, a bound or an estimate;\nto 1e-6: iterations until the distance is 1e-6 of the first one; seconds: "
           "the solver alone, "
           "for all "
           "of its iterations [s].\nTables %s/%s.history.tsv, .summary.tsv; ",
           job->output, stem);
    print_figure_names(job, stem);
}

static bool print_json(const char *file, const dls_job *job, const char *stem, const dls_comparisons *found)
{
    json_t *o = json_object(), *solvers = json_array();
    for (const dls_comparison *of = found->of; of < found->of + found->count; of++) {
        json_t *one = json_object();
        json_put(&one, "solver", json_text(of->solver->name));
        json_put(&one, "outcome", json_text(dls_outcome_text(of->outcome)));
        json_put(&one, "message", json_text(of->message));
        json_put(&one, "iterations", json_count(of->iterations));
        json_put(&one, "seconds", json_number(of->seconds));
        json_put(&one, "m_norm_error", json_number(of->distance[of->count - 1]));
        json_put_figures(&one, &of->figures[of->count - 1]);
        json_put(&one, "row_visits", json_number(of->row_visits));
        json_put(&one, "predicted_rate", json_number(of->predicted_rate));
        json_put(&one, "prediction", json_text(dls_rate_words[of->word]));
        json_put(&one, "predicted_rate_within", json_number(of->rate_within));
        json_put(&one, "spectral_radius", json_number(of->spectral_radius));
        json_put(&one, "no_rate", of->no_rate ? json_text(of->no_rate) : json_null());
        json_put(&one, "fitted_rate", json_number(of->fitted_rate));
        json_put(&one, "fit", json_text(dls_fit_words[of->fit]));
        json_put(&one, "iterations_to_1e-6", json_number(dls_comparison_reached(of)));
        json_put(&one, "bounds_settled", json_count(of->bounds_settled));
        json_put(&one, "last_row", json_text(of->last_row));
        json_add(&solvers, one);
    }
    json_put(&o, "file", json_text(file));
    json_put(&o, "rows", json_count(found->rows));
    json_put(&o, "reference", json_text(found->reference->name));
    json_put(&o, "reference_scaled_residual", json_number(found->reference_residual));
    json_put(&o, "reference_bound", json_number(found->reference_bound));
    json_put(&o, "solvers", solvers);
    json_put(&o, "output", json_text(job->output));
    json_put(&o, "stem", json_text(stem));
    return json_print(o);
}

/* --- the command --- */

/* A problem that no direct method solves has no reference to compare with: that is a finding, not bad input. */
static int failed(const dls_error *error)
{
    complain(error);
    return error->status == DLS_UNSOLVABLE ? EXIT_NO_SOLUTION
           : error->status == DLS_REFUSED  ? EXIT_UNSOLVED
                                           : EXIT_BAD_INPUT;
}

/* There is a reference, so that a solver which proves that there is no solution contradicts it. Solvers that failed or
 * refused the problem have nothing to compare. */
static int conclude(const char *file, const dls_comparisons *found)
{
    size_t answers = 0;
    for (const dls_comparison *of = found->of; of < found->of + found->count; of++) {
        if (of->outcome == DLS_OUTCOME_NO_SOLUTION) {
            complain_text("compare: %s: %s has a proof that there is no solution, and %s has a solution", file,
                          of->solver->name, found->reference->name);
            return EXIT_CONTRADICTION;
        }
        answers += !dls_solver_unsolved(of->solver, of->outcome);
    }
    if (answers > 0)
        return EXIT_DONE;
    complain_text("compare: %s: every solver failed or refused the problem", file);
    return EXIT_UNSOLVED;
}

static int compare_solvers(const arguments *a, const dls_job *job, const char *file, const dls_problem *problem,
                           const dls_choice *choices, size_t count, size_t iterations)
{
    const bool json = argument(a, "json", NULL) != NULL;
    char stem[DLS_NAME_MAX];
    dls_comparisons found;
    dls_error error;
    dls_file_stem(file, stem, sizeof stem);
    if (dls_compare_each(problem, choices, count, iterations, 0.0, json ? NULL : print_told, &file, &found, &error) !=
        DLS_OK)
        return failed(&error);
    const dls_status status = dls_comparisons_save(job, stem, choices, count, &found, true, &error);
    end_progress();
    int result;
    if (status != DLS_OK)
        result = failed(&error);
    else if (!(json ? print_json(file, job, stem, &found) : (print_end(job, stem, &found), true)))
        result = EXIT_BAD_INPUT;
    else
        result = conclude(file, &found);
    dls_comparisons_release(&found);
    return result;
}

/* Solvers in processes of their own have a limit unless one was given: peers may go on for ever. */
static dls_status limit_solvers(const arguments *a, double seconds, dls_choice *choices, size_t count, dls_error *error)
{
    const bool given = argument(a, "seconds", NULL) != NULL;
    for (size_t k = 0; k < count; k++)
        if (given || dls_field_find(&choices[k].solver->fields, "seconds"))
            DLS_TRY(dls_choice_limit(&choices[k], seconds, error));
    return DLS_OK;
}

static int compare_problem(const arguments *a, const dls_job *job, const char *file, const dls_problem *problem,
                           size_t iterations, double seconds)
{
    dls_choice *choices = NULL;
    size_t count = 0;
    dls_error error;
    int status = EXIT_BAD_INPUT;
    if ((solvers_named(a) ? add_named_solvers(a, &choices, &count, &error)
                          : dls_choices_iterative(problem, &choices, &count, &error)) != DLS_OK ||
        limit_solvers(a, seconds, choices, count, &error) != DLS_OK)
        complain(&error);
    else if (set_solvers(a, choices, count))
        status = compare_solvers(a, job, file, problem, choices, count, iterations);
    dls_choices_release(choices, count);
    return status;
}

/* Tables bear the name of their file: two of one name would overwrite each other. */
static bool stems_differ(const arguments *a)
{
    char one[DLS_NAME_MAX], other[DLS_NAME_MAX];
    for (size_t i = 0; i < a->n_words; i++)
        for (size_t j = 0; j < i; j++) {
            dls_file_stem(a->words[i], one, sizeof one);
            dls_file_stem(a->words[j], other, sizeof other);
            if (strcmp(one, other) == 0) {
                complain_text(
                    "compare: %s and %s would both write %s.history.tsv; compare them in two calls with two -o",
                    a->words[j], a->words[i], one);
                return false;
            }
        }
    return true;
}

static int run_compare(const arguments *a)
{
    size_t iterations = 200;
    double seconds = 10.0;
    int worst = EXIT_DONE;
    dls_job job = make_job(a, argument(a, "output", "compare"));
    if (!argument_count(a, "iterations", 1, &iterations) || !argument_real(a, "seconds", "s", &seconds) ||
        !choose_figures(a, &job) || !stems_differ(a))
        return EXIT_BAD_INPUT;
    for (size_t i = 0; i < a->n_words && worst != EXIT_BAD_INPUT; i++) {
        dls_content content;
        dls_error error;
        dls_job_progress(&job, a->words[i], (double)i / (double)a->n_words);
        if (load_problem(a, a->words[i], &content, &error) != DLS_OK)
            return complain(&error);
        note_scene(a->words[i], content.scene, false, true);
        int status =
            content.problem->n > 0
                ? compare_problem(a, &job, a->words[i], content.problem, iterations, seconds)
                : complain_text("compare: %s: the problem has no rows; there is nothing to compare", a->words[i]);
        worst = status > worst || status == EXIT_BAD_INPUT ? status : worst;
        dls_content_release(&content);
    }
    return worst;
}

static const option_spec options[] = {
    SOLVER_OPTIONS("[every iterative one that accepts the problem]"),
    {"iterations", 'k', "K", "iterations of each solver [200]"},
    {"seconds", 0, "S",
     "at most S seconds of wall time for each solver [10 for those in a process of their own, such as peers]"},
    {"set", 0, "KEY=VALUE", "a setting of the solvers, or SOLVER.KEY=VALUE for one solver"},
    {"format", 'f', "NAME", "format of the files [recognised from their content]"},
    FIGURES_OPTION,
    {"output", 'o', "DIR", "folder of tables and figures [compare]"},
    JOINT_TYPE_OPTION,
    IGNORE_OPTION,
    JSON_OPTION,
    {NULL, 0, NULL, NULL}};
const command command_compare = {
    .name = "compare",
    .usage = "FILE... [--solver A,B] [--iterations K] [-o DIR]",
    .summary = "history table and convergence figure of each file",
    .details = "Every iterate is measured against the dense reference: natural residual and sqrt(dv^T M dv).\n"
               "Exit status 1 if every solver failed or refused a problem, or no direct method solves it; 3 if it is "
               "proved to have\nno solution; 5 if a solver proves so, and the reference has one.",
    .min_words = 1,
    .max_words = 1000,
    .files = 1000,
    .options = options,
    .run = run_compare,
    .more = name_formats,
};
