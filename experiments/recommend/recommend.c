/* The search for the cheapest settings that hold an error.
 *
 * A COLUMN is a scheme with a solver and a number of iterations; its runs have 10, 20, 40, ... steps. The next run is
 * always the one that can be expected to cost least: twice the run before it in its column, or that run itself, of a
 * column that has just been begun. So no run is made that costs much more than the answer, and when one holds the error
 * all that could be expected to be cheaper have been tried. The cost of a column doubles from run to run, and all of
 * it from the coarsest step on costs less than twice its last run: bisection, which tries the step in the middle first,
 * would cost more.
 *
 * A run may hold the error by luck, where its error changes sign: it counts only if the run with half its step holds it
 * too, which is then tried at once. */
#include "parts.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/text.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char dls_recommend_solvers[] = "pgs,nsgs,block-gs,apgd,block-pivoting,sparse-active-set";
const char *const dls_recommend_status_names[] = {"recommended", "none", "unknown", NULL};

static const double visits_per_second = 5e7; /* of the budget: nominal */
enum { FACTOR = 4, MOST_ITERATIONS = 4096, TIMED = 3, NONE = -1 };

/* A run that waits for its turn. */
typedef struct waiting {
    recommend_trial trial;
    double key;  /* the cost that is expected, as an order */
    long before; /* the trial of the same column with twice the step, or NONE */
} waiting;

typedef struct search {
    const dls_job *job;
    const dls_recommend *wanted;
    recommend_truth truth;
    recommend_trial *trials;
    size_t n_trials, cap_trials;
    waiting *waits;
    size_t n_waits, cap_waits;
    double spent, budget, bound; /* work; error that a run may have */
    long best;
    bool out_of_budget;
} search;

static dls_status push(search *s, const recommend_trial *trial, double key, long before, dls_error *error)
{
    if (!DLS_GROW(s->waits, s->cap_waits, s->n_waits + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a search");
    s->waits[s->n_waits++] = (waiting){*trial, key, before};
    return DLS_OK;
}

/* The cheapest one, of equal ones the first. */
static waiting pop(search *s)
{
    size_t least = 0;
    for (size_t k = 1; k < s->n_waits; k++)
        if (s->waits[k].key < s->waits[least].key)
            least = k;
    const waiting next = s->waits[least];
    s->n_waits--;
    memmove(s->waits + least, s->waits + least + 1, (s->n_waits - least) * sizeof *s->waits);
    return next;
}

static dls_status begin_columns(search *s, dls_error *error)
{
    const dls_recommend *w = s->wanted;
    for (size_t i = 0; i < w->n_schemes; i++)
        for (size_t k = 0; k < w->n_choices && (k == 0 || !recommend_solves(w->schemes[i])); k++) {
            const bool direct = w->choices[k].solver->kind == DLS_SOLVER_DIRECT && !recommend_solves(w->schemes[i]);
            const recommend_trial trial = {
                .scheme = w->schemes[i], .choice = w->choices[k], .iterations = direct ? 0 : 1};
            DLS_TRY(push(s, &trial, 0.0, NONE, error));
        }
    return DLS_OK;
}

/* Takes the run into the list; *at is its place. */
static dls_status run_trial(search *s, waiting *next, long *at, dls_error *error)
{
    if (!DLS_GROW(s->trials, s->cap_trials, s->n_trials + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a search");
    DLS_TRY(recommend_try(&s->truth, &next->trial, NULL, error));
    if (next->trial.fate == RECOMMEND_MISSED && next->trial.most <= s->bound)
        next->trial.fate = RECOMMEND_HOLDS;
    s->trials[s->n_trials] = next->trial;
    *at = (long)s->n_trials++;
    s->spent += next->trial.work;
    return DLS_OK;
}

/* The consequences of a run: the fate of the one with twice its step, and the runs that are to be tried. */
static dls_status follow_trial(search *s, const waiting *next, long at, dls_error *error)
{
    const recommend_trial *done = &s->trials[at];
    recommend_trial *before = next->before == NONE ? NULL : &s->trials[next->before];
    const bool holds = done->fate == RECOMMEND_HOLDS;
    bool decided = false;
    if (done->fate == RECOMMEND_REFUSED)
        return DLS_OK;
    if (before && before->fate == RECOMMEND_HOLDS) {
        before->fate = holds ? RECOMMEND_HELD : RECOMMEND_LUCKY;
        decided = holds;
        if (holds && (s->best == NONE || before->work < s->trials[s->best].work))
            s->best = next->before;
    }
    /* A run that ended early has not had all of its cost. */
    const double cost = fmax(done->work, before ? 2.0 * before->work : 0.0);
    recommend_trial more = {.scheme = done->scheme, .choice = done->choice, .iterations = done->iterations};
    more.level = done->level + 1;
    if (!decided && more.level <= RECOMMEND_LEVELS)
        DLS_TRY(push(s, &more, holds ? next->key : 2.0 * cost, at, error));
    more.level = 0;
    more.iterations = FACTOR * done->iterations;
    if (done->level == 0 && done->iterations > 0 && more.iterations <= MOST_ITERATIONS)
        DLS_TRY(push(s, &more, cost, NONE, error));
    return DLS_OK;
}

static dls_status search_all(search *s, dls_error *error)
{
    DLS_TRY(begin_columns(s, error));
    while (s->n_waits > 0) {
        long at = NONE;
        waiting next = pop(s);
        if (s->best != NONE && next.key >= s->trials[s->best].work)
            break;
        if ((s->out_of_budget = s->spent + next.key > s->budget))
            break;
        if (dls_job_stops(s->job))
            return dls_fail(error, DLS_UNSOLVED, "the search was stopped after %zu runs", s->n_trials);
        DLS_TRY(run_trial(s, &next, &at, error));
        DLS_TRY(follow_trial(s, &next, at, error));
        dls_job_progress(s->job, s->wanted->stem, fmin(1.0, s->spent / s->budget));
    }
    return DLS_OK;
}

/* The least of several times of the same run. */
static dls_status time_best(const search *s, recommend_trial *best, dls_error *error)
{
    for (int k = 1; k < TIMED; k++) {
        recommend_trial again = *best;
        DLS_TRY(recommend_try(&s->truth, &again, NULL, error));
        best->seconds = fmin(best->seconds, again.seconds);
    }
    return DLS_OK;
}

/* --- the result --- */

static const recommend_trial *least_error(const search *s)
{
    const recommend_trial *least = NULL;
    for (size_t k = 0; k < s->n_trials; k++)
        if (!isnan(s->trials[k].most) && (!least || s->trials[k].most < least->most))
            least = &s->trials[k];
    return least;
}

static void describe(const recommend_trial *of, char *text, size_t size)
{
    char step[32], iterations[64] = "";
    dls_print_shortest(step, sizeof step, of->step);
    if (of->iterations > 0)
        snprintf(iterations, sizeof iterations, ", %zu iteration%s per step", of->iterations,
                 of->iterations == 1 ? "" : "s");
    snprintf(text, size, "scheme %s, solver %s%s, time step %s s", of->scheme->name, of->choice.solver->name,
             iterations, step);
}

/* Plug-ins and programs have names that no command takes. */
static bool has_command(const search *s, const recommend_trial *of)
{
    return s->wanted->scene && dls_solver_find(of->choice.solver->name) == of->choice.solver &&
           dls_scheme_find(of->scheme->name) == of->scheme;
}

static dls_status write_command(const search *s, const recommend_trial *of, dls_recommendation *found, dls_error *error)
{
    char step[32], time[32], scene[4 * DLS_PATH_MAX + 3], iterations[64] = "";
    dls_print_shortest(step, sizeof step, of->step);
    dls_print_shortest(time, sizeof time, s->truth.duration);
    *dls_shell_word(scene, s->wanted->scene) = '\0';
    if (of->iterations > 0)
        snprintf(iterations, sizeof iterations, " --iterations %zu", of->iterations);
    const int length =
        snprintf(found->command, sizeof found->command, "delassus run %s --scheme %s --solver %s --dt %s%s --time %s%s",
                 scene, of->scheme->name, of->choice.solver->name, step, iterations, time, s->wanted->options);
    return length < (int)sizeof found->command
               ? DLS_OK
               : dls_fail(error, DLS_BAD_INPUT,
                          "the options of the scene are too long for a command; put them into it");
}

static void conclude(const search *s, const recommend_trial *best, dls_recommendation *found)
{
    const recommend_trial *of = best ? best : least_error(s);
    const double error = s->wanted->error;
    char settings[512] = "";
    found->runs = s->n_trials;
    for (size_t k = 0; k < s->n_trials; k++)
        found->refused += s->trials[k].fate == RECOMMEND_REFUSED;
    found->spent = s->out_of_budget;
    found->status = best ? DLS_RECOMMENDED : DLS_RECOMMEND_NONE;
    if (!of) {
        dls_print(found->sentence, sizeof found->sentence,
                  "No settings hold an error of %.4g for %.6g s: no run came to its end.", error, s->truth.duration);
        return;
    }
    snprintf(found->scheme, sizeof found->scheme, "%s", of->scheme->name);
    snprintf(found->solver, sizeof found->solver, "%s", of->choice.solver->name);
    found->iterations = of->iterations;
    found->step = of->step, found->work = of->work, found->seconds = of->seconds;
    found->error_most = of->most, found->error_end = of->end;
    describe(of, settings, sizeof settings);
    dls_print(
        found->sentence, sizeof found->sentence,
        best ? "The cheapest settings that hold an error of %.4g for %.6g s are %s: its error is at most %.2g, and "
               "%.2g at the end."
             : "No settings that were tried are known to hold an error of %.4g for %.6g s; the best are %s, with an "
               "error of at most %.2g, and %.2g at the end.",
        error, s->truth.duration, settings, of->most, of->end);
}

/* The truth is not known to the error up to the end. */
static void give_up(const search *s, dls_recommendation *found)
{
    found->status = DLS_RECOMMEND_UNKNOWN;
    if (isinf(s->truth.own)) {
        dls_print(found->sentence, sizeof found->sentence,
                  "No error of %.4g can be asked for: the budget allows no second refined run, which would tell the "
                  "error of the first. Ask for a larger budget, a shorter time or a larger error.",
                  s->wanted->error);
        return;
    }
    dls_print(found->sentence, sizeof found->sentence,
              "No error of %.4g can be asked for beyond %.6g s: %s agree to it up to then, and no longer. Ask for a "
              "shorter time%s",
              s->wanted->error, s->truth.known_until,
              found->refined ? "two refined runs, one with half the step of the other,"
                             : "two motions in continuous time, one with 100 times the tolerance of the other,",
              found->refined ? ", a larger error, or a larger budget, which makes finer runs." : " or a larger error.");
}

static dls_status recommend(search *s, dls_recommendation *found, dls_error *error)
{
    const dls_recommend *w = s->wanted;
    recommend_trial *best = NULL;
    DLS_TRY(recommend_find_truth(s->job, w->model, w->duration, w->error, s->budget, &s->truth, error));
    if (dls_job_stops(s->job))
        return dls_fail(error, DLS_UNSOLVED, "the search was stopped before its first run");
    found->size = s->truth.size, found->truth_error = s->truth.own, found->known_until = s->truth.known_until;
    found->truth_step = s->truth.step, found->refined = s->truth.step > 0.0;
    snprintf(found->why_refined, sizeof found->why_refined, "%s", s->truth.why_refined);
    if (s->truth.known_until < w->duration) {
        give_up(s, found);
        return DLS_OK;
    }
    s->bound = w->error - s->truth.own;
    DLS_TRY(search_all(s, error));
    if (s->best != NONE) {
        best = &s->trials[s->best];
        DLS_TRY(time_best(s, best, error));
        if (has_command(s, best))
            DLS_TRY(write_command(s, best, found, error));
    }
    conclude(s, best, found);
    return recommend_write(s->job, w, &s->truth, s->trials, s->n_trials, best, found, error);
}

dls_status dls_recommend_run(const dls_job *job, const dls_recommend *wanted, dls_recommendation *found,
                             dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    search s = {.job = job, .wanted = wanted, .budget = wanted->seconds * visits_per_second, .best = NONE};
    dls_error unheard;
    *found = (dls_recommendation){.runs = 0};
    if (!(wanted->error > 0.0 && wanted->duration > 0.0 && wanted->seconds > 0.0) || !isfinite(wanted->error) ||
        wanted->n_schemes == 0 || wanted->n_choices == 0)
        return dls_fail(error, DLS_BAD_ARGUMENT,
                        "an error, a duration and a budget above 0, a scheme and a solver are needed");
    const dls_status status = recommend(&s, found, error ? error : &unheard);
    recommend_release_truth(&s.truth);
    free(s.trials);
    free(s.waits);
    return status;
}
