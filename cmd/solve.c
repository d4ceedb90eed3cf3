/* delassus solve: one problem, each solver asked for, each answer measured by the examiner. */
#include "command.h"
#include "json.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct answer {
    dls_report report;
    dls_certificate certificate;
    dls_bounds bounds;
    dls_sentence sentence;
    double total; /* wall time [s]: the solver's (report.seconds), its process, the examinations and the certificate */
    double *lambda, *w; /* n */
    double *v;          /* 2 nv: v+, and scratch memory */
    double *impulses;   /* of the problem before its conversion to facets, and their accuracy there; else NULL */
    dls_certificate cone;
    bool no_memory; /* it was refused for that */
} answer;

typedef struct task {
    const arguments *arguments;
    const char *file;
    dls_content content;
    const dls_problem *loaded;          /* as in the file */
    size_t exact_facets, convex_facets; /* asked for; 0: not */
    dls_facets *facets;                 /* NULL: no conversion */
    char conversion[160];               /* the conversion, for headers; "" */
    dls_choice *starter;                /* makes the impulses that all others start from; NULL: they start from 0 */
    size_t starters;                    /* 1, or 0 */
    double *start_impulses;             /* n, or NULL */
    char started[DLS_MESSAGE_MAX];      /* their accuracy, and the methods that ignore them; "" */
    char stored[200];                   /* the accuracy of the solution in the file; "" */
    const dls_problem *problem;         /* that is solved */
    dls_examiner *examiner, *loaded_examiner;
    dls_velocities velocities;
    dls_choice *choices;
    answer *answers;
    size_t count, iterations;
    bool falls_back;  /* the last choice is tried only if none before it solves the problem, */
    bool is_endless;  /* and then has no limit of iterations */
    double tolerance; /* scaled residual */
    double seconds;   /* wall time of each named method, or of all others together; 0: no limit */
    double start;     /* of the first method, on the wall clock [s] */
    dls_job job;      /* for its progress line */
} task;

/* --- which solvers --- */

/* Methods that nobody has named share one time limit, in the order of their table, that of cost. If none of the direct
 * ones solves the problem, sweeps go on for the rest of it. Methods for friction that depends on the normal impulse
 * have a limit of their work too, the same on every machine, so that sweeps have their turn after some ten seconds. */
static const char default_work[] = "1e11";
static const char *const sweeps[] = {"pgs", "nsgs"}; /* the fastest first */
static const char of_laws[] = "admm";                /* for contacts under laws that no direct method takes */
static const double default_seconds = 60.0;
static const double pace = 1e10; /* multiplications of a dense method in a second, at most about so many */

/* The multiplications that a dense method cannot do without: A, and one factorisation of it. */
static double dense_cost(const dls_problem *p)
{
    const double n = (double)p->n, nv = p->form == DLS_FORM_MECHANICAL ? (double)p->nv : 0.0;
    return n * n * (nv + n / 3.0);
}

/* Methods that need no dense matrix come first where one takes ten seconds, and the others are left out there if they
 * solve the problem. For contacts under a cone, which may be redundant, they come last otherwise. */
static const double large_seconds = 10.0;

/* Contacts under a cone take some hundred factorisations. */
static bool is_large(const dls_problem *p)
{
    return (p->n_cone > 0 ? 100.0 : 1.0) * dense_cost(p) > large_seconds * pace;
}

static dls_status add_direct(task *t, unsigned large, dls_error *error)
{
    for (size_t i = 0; dls_direct_solvers[i]; i++) {
        const dls_solver *solver = dls_direct_solvers[i];
        if (!dls_solver_refuses(solver, t->problem) && (solver->accepts & (DLS_BY_NAME | DLS_LARGE)) == large)
            DLS_TRY(dls_choices_add(solver->name, &t->choices, &t->count, error));
    }
    return DLS_OK;
}

/* Every direct method whose flags accept the problem, or an iterative one where there is none for the laws of its
 * contacts; and behind them the sweeps. */
static dls_status choose_direct(task *t, dls_error *error)
{
    const bool large = is_large(t->problem);
    if (large)
        DLS_TRY(add_direct(t, DLS_LARGE, error));
    DLS_TRY(add_direct(t, 0, error));
    if (!large && t->problem->n_cone > 0)
        DLS_TRY(add_direct(t, DLS_LARGE, error));
    for (size_t k = 0; t->problem->n_coupled > 0 && k < t->count; k++)
        if (dls_field_find(&t->choices[k].solver->fields, "work"))
            DLS_TRY(dls_choices_set(&t->choices[k], 1, "work", default_work, error));
    const bool special = dls_problem_contact_laws(t->problem) != 0;
    if (t->count == 0 && special && !dls_solver_refuses(dls_solver_find(of_laws), t->problem))
        DLS_TRY(dls_choices_add(of_laws, &t->choices, &t->count, error));
    for (size_t i = 0; (t->count > 0 || special) && !t->falls_back && i < sizeof sweeps / sizeof *sweeps; i++)
        if (!dls_solver_refuses(dls_solver_find(sweeps[i]), t->problem)) {
            DLS_TRY(dls_choices_add(sweeps[i], &t->choices, &t->count, error));
            t->falls_back = true;
        }
    return t->count ? DLS_OK : dls_fail(error, DLS_REFUSED, "no direct method accepts this problem; name a --solver");
}

/* Named methods have the same limit each; the others are limited when their turn comes. */
static dls_status choose_solver(const arguments *a, task *t, dls_error *error)
{
    const bool named = solvers_named(a);
    DLS_TRY(named ? add_named_solvers(a, &t->choices, &t->count, error) : choose_direct(t, error));
    for (size_t k = 0; named && t->seconds > 0.0 && k < t->count; k++)
        DLS_TRY(dls_choice_limit(&t->choices[k], t->seconds, error));
    if (!named && !(t->seconds > 0.0))
        t->seconds = default_seconds;
    t->answers = calloc(t->count, sizeof *t->answers);
    return t->answers ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu answers", t->count);
}

/* --- another law, and the solution that the file stores --- */

/* The law of --law, for all contacts under a cone. */
static dls_status choose_law(task *t, dls_error *error)
{
    const char *word = argument(t->arguments, "law", NULL);
    if (!word)
        return DLS_OK;
    const bool associated = strcmp(word, "associated") == 0;
    if (!associated && strcmp(word, "coulomb") != 0)
        return dls_fail(error, DLS_BAD_INPUT, "--law: '%.60s' is neither coulomb nor associated", word);
    if (t->content.problem->n_cone == 0)
        return dls_fail(error, DLS_REFUSED, "--law: no contact of the problem is under a cone");
    return dls_problem_set_law(t->content.problem, associated ? DLS_LAW_ASSOCIATED : DLS_LAW_CONE, error);
}

static dls_status convert_friction(task *t, dls_error *error)
{
    size_t exact = t->exact_facets, convex = t->convex_facets;
    t->problem = t->loaded;
    if (!exact && !convex)
        return DLS_OK;
    if (exact && convex)
        return dls_fail(error, DLS_BAD_INPUT, "--facets and --convex-facets are two laws: name one");
    DLS_TRY(
        dls_problem_facets(t->loaded, exact + convex, exact ? DLS_FACETS_EXACT : DLS_FACETS_CONVEX, &t->facets, error));
    t->problem = t->facets->problem;
    snprintf(t->conversion, sizeof t->conversion,
             "%zu facets in the place of each friction cone, %s: %zu rows became %zu", exact + convex,
             exact ? "exact (Stewart and Trinkle)" : "the convex relaxation (Anitescu)", t->loaded->n, t->problem->n);
    return DLS_OK;
}

/* Examines the solution that a file brings along as any other answer. */
static dls_status examine_stored(task *t, dls_error *error)
{
    const dls_criteria criteria = {t->loaded, t->loaded_examiner, t->tolerance, DLS_CERTIFY_ROWS};
    dls_certificate c;
    dls_report report = {.outcome = DLS_OUTCOME_SOLVED};
    if (!t->content.stored)
        return DLS_OK;
    DLS_TRY(dls_decide_outcome(&criteria, t->content.stored, &c, NULL, &report, error));
    snprintf(t->stored, sizeof t->stored, "the solution stored in the file has a scaled residual of %.3e: %s",
             c.scaled_residual,
             report.outcome == DLS_OUTCOME_SOLVED      ? "it is a solution"
             : report.outcome == DLS_OUTCOME_UNDECIDED ? "whether it is a solution is undecided"
                                                       : "it is not a solution");
    return DLS_OK;
}

/* The impulses of the law that was asked for in the file, and what that law makes of them. */
static dls_status convert_back(task *t, answer *to, dls_error *error)
{
    if (!t->facets)
        return DLS_OK;
    to->impulses = calloc(t->loaded->n + 1, sizeof *to->impulses);
    if (!to->impulses)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", t->loaded->n);
    dls_facets_impulses(t->facets, to->lambda, to->impulses);
    dls_examine(t->loaded_examiner, to->impulses, NULL, &to->cone);
    return DLS_OK;
}

/* --- the start --- */

/* Names the methods that begin elsewhere. */
static void name_those_without_start(const task *t, char *text, size_t size)
{
    size_t length = strlen(text);
    const char *before = "; ignored by ";
    for (size_t k = 0; k < t->count && length < size; k++) {
        const dls_solver *solver = t->choices[k].solver;
        if (solver->kind != DLS_SOLVER_DIRECT || (solver->accepts & DLS_TAKES_START))
            continue;
        length += (size_t)snprintf(text + length, size - length, "%s%s", before, solver->name);
        before = ", ";
    }
}

/* SOLVER:K, K iterations of it from 0. */
static dls_status make_start(task *t, dls_error *error)
{
    const char *given = argument(t->arguments, "start", NULL), *colon = given ? strrchr(given, ':') : NULL;
    char name[DLS_NAME_MAX], *end = NULL;
    dls_certificate c;
    dls_report report = {0};
    if (!given)
        return DLS_OK;
    const unsigned long long iterations =
        colon && colon[1] >= '0' && colon[1] <= '9' ? strtoull(colon + 1, &end, 10) : 0;
    if (!end || *end || iterations == 0 || (size_t)(colon - given) >= sizeof name)
        return dls_fail(error, DLS_BAD_ARGUMENT, "--start %s: a solver and iterations are needed, such as pgs:100",
                        given);
    snprintf(name, sizeof name, "%.*s", (int)(colon - given), given);
    DLS_TRY(dls_choices_add(name, &t->starter, &t->starters, error));
    t->start_impulses = calloc(t->problem->n + 1, sizeof *t->start_impulses);
    if (!t->start_impulses)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", t->problem->n);
    const dls_status status = dls_solve(t->starter->solver, t->problem, t->starter->settings, (size_t)iterations,
                                        t->start_impulses, &report, NULL, NULL, error);
    if (status == DLS_OK && dls_outcome_failed(report.outcome)) {
        dls_fail(error, DLS_REFUSED, "--start %s: %s; %s", given, dls_outcome_text(report.outcome), report.message);
        dls_report_release(&report);
        return DLS_REFUSED;
    }
    if (status == DLS_OK) {
        dls_examine(t->examiner, t->start_impulses, NULL, &c);
        snprintf(t->started, sizeof t->started, "start: %zu iterations of %s, %.3g s, scaled residual %.3e",
                 report.iterations, t->starter->solver->name, report.seconds, c.scaled_residual);
        name_those_without_start(t, t->started, sizeof t->started);
    }
    dls_report_release(&report);
    return status;
}

/* --- solving --- */

typedef struct progress {
    const task *task;
    const char *solver;
    double *last;      /* n: the iterate before this one, of sweeps without a limit of iterations; else NULL */
    bool stands_still; /* it is the same, to the last bit */
} progress;

static bool show_iterate(void *context, const double *lambda, const dls_report *report)
{
    progress *of = context;
    const task *t = of->task;
    const size_t bytes = t->problem->n * sizeof *lambda;
    const double share =
        of->last ? (wall_clock() - t->start) / t->seconds : (double)report->iterations / (double)t->iterations;
    dls_job_progress(&t->job, of->solver, share);
    if (!of->last)
        return true;
    of->stands_still = report->iterations > 1 && memcmp(of->last, lambda, bytes) == 0;
    memcpy(of->last, lambda, bytes);
    return !of->stands_still;
}

/* Measures the answer and decides its outcome. */
static dls_status assess_answer(task *t, answer *to, dls_error *error)
{
    const dls_criteria criteria = {t->problem, t->examiner, t->tolerance, DLS_CERTIFY_ROWS};
    dls_examine(t->examiner, to->lambda, to->w, &to->certificate);
    dls_problem_velocity(t->problem, to->lambda, to->v, to->v + t->problem->nv);
    DLS_TRY(dls_decide_outcome(&criteria, to->lambda, &to->certificate, &to->bounds, &to->report, error));
    to->sentence = dls_sentence_of(&criteria, to->lambda, to->w, &to->certificate, &to->bounds, &to->report, 1);
    return DLS_OK;
}

/* --- the time that methods without names share --- */

static bool is_last_resort(const task *t, size_t k) { return t->falls_back && k + 1 == t->count; }

/* A direct method has half of the time that is left, and half of all is kept for the sweeps while they may be needed;
 * one for large problems has nine tenths, for there the others have little use for it.
 * So whatever one does not use is there for the next. */
static dls_status limit_share(task *t, size_t k, bool known, dls_error *error)
{
    const double left = t->seconds - (wall_clock() - t->start), least = 1e-9;
    const double kept = t->falls_back && !known ? 0.5 * t->seconds : 0.0;
    const double share = is_last_resort(t, k)                        ? left
                         : t->choices[k].solver->accepts & DLS_LARGE ? 0.9 * left
                                                                     : 0.5 * (left - kept);
    return dls_choice_limit(&t->choices[k], fmax(share, least), error);
}

/* --- one method --- */

/* Where the dense problem is too large for the memory, a direct method refuses it. */
static dls_status solve_until(task *t, size_t k, dls_error *error)
{
    answer *to = &t->answers[k];
    const bool is_endless = is_last_resort(t, k) && t->is_endless;
    progress of = {t, t->choices[k].solver->name, is_endless ? to->w : NULL, false};
    dls_stop stop = {.examiner = t->examiner,
                     .tolerance = t->tolerance,
                     .limit = is_endless ? SIZE_MAX : t->iterations,
                     .timed = true,
                     .observer = show_iterate,
                     .context = &of};
    dls_error why = {0};
    dls_job_progress(&t->job, of.solver, (double)k / (double)t->count);
    const dls_status status = dls_solve_until(&t->choices[k], t->problem, &stop, to->lambda, &to->report, &why);
    if (status == DLS_NO_MEMORY && t->choices[k].solver->kind == DLS_SOLVER_DIRECT) {
        dls_report_release(&to->report);
        dls_report_end(&to->report, DLS_OUTCOME_REFUSED, "%s", why.message);
        to->no_memory = true;
        return DLS_OK;
    }
    if (status != DLS_OK)
        *error = why;
    else if (of.stands_still && to->report.outcome == DLS_OUTCOME_ITERATION_LIMIT)
        dls_report_end(&to->report, to->report.outcome, "the impulses stand still after %zu iterations",
                       to->report.iterations);
    return status;
}

static dls_status solve_one(task *t, size_t k, bool known, dls_error *error)
{
    answer *to = &t->answers[k];
    const size_t n = t->problem->n;
    const double start = wall_clock();
    const bool shares = !solvers_named(t->arguments);
    to->lambda = calloc(n + 1, sizeof *to->lambda);
    to->w = calloc(n + 1, sizeof *to->w);
    to->v = calloc(2 * t->problem->nv + 1, sizeof *to->v);
    if (!to->lambda || !to->w || !to->v)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", n);
    if (t->start_impulses)
        memcpy(to->lambda, t->start_impulses, n * sizeof *to->lambda);
    if (shares && !is_last_resort(t, k) && !(t->choices[k].solver->accepts & DLS_LARGE) &&
        dense_cost(t->problem) > pace * t->seconds) {
        dls_report_end(&to->report, DLS_OUTCOME_REFUSED,
                       "%zu rows are too many for a dense method: at least %.2g multiplications, of which %g s have "
                       "some %.2g; --solver %s tries it all the same",
                       n, dense_cost(t->problem), t->seconds, pace * t->seconds, t->choices[k].solver->name);
    } else {
        if (shares)
            DLS_TRY(limit_share(t, k, known, error));
        DLS_TRY(solve_until(t, k, error));
        if (shares) /* tables note the limit of all, which is the same in every run */
            DLS_TRY(dls_choice_limit(&t->choices[k], t->seconds, error));
    }
    DLS_TRY(assess_answer(t, to, error));
    to->total = wall_clock() - start;
    return convert_back(t, to, error);
}

static bool is_solved(const answer *a) { return dls_outcome_solved(a->report.outcome); }

/* All of them, and the sweeps unless they have nothing to look for: there is an answer, or a proof that there is none,
 * or rows contradict each other so that impulses of a solution are beyond all that sweeps reach in any time. */
static dls_status solve_all(task *t, dls_error *error)
{
    bool known = false;
    t->start = wall_clock();
    for (size_t k = 0; k < t->count; k++) {
        if (is_last_resort(t, k) && known) {
            t->falls_back = false;
            dls_choice_release(&t->choices[--t->count]);
            break;
        }
        DLS_TRY(solve_one(t, k, known, error));
        const dls_report *report = &t->answers[k].report;
        known = known || is_solved(&t->answers[k]) || report->outcome == DLS_OUTCOME_NO_SOLUTION ||
                report->least_impulses > 0.0;
        if (is_large(t->problem) && known && !solvers_named(t->arguments)) {
            t->falls_back = false;
            while (t->count > k + 1)
                dls_choice_release(&t->choices[--t->count]);
        }
    }
    return DLS_OK;
}

/* --- printing --- */

/* Which row the largest impulse of each kind of unit is in cannot be compared: the largest number, by its name. */
static void print_largest(const task *t, const answer *a)
{
    char name[8 * DLS_NAME_MAX];
    size_t largest = 0, at_bounds = 0;
    for (size_t i = 0; i < t->problem->n; i++) {
        largest = fabs(a->lambda[i]) > fabs(a->lambda[largest]) ? i : largest;
        at_bounds += dls_problem_row_status(t->problem, i, a->lambda) != DLS_ROW_BETWEEN;
    }
    if (t->problem->n == 0 || !*dls_problem_owner(t->problem, largest))
        return;
    row_name(t->problem, largest, name, sizeof name);
    printf("    largest impulse %.6g of %s; %zu of %zu rows at a bound\n", a->lambda[largest], name, at_bounds,
           t->problem->n);
}

/* A refusal, or a proof that there is no solution, comes with no impulses, and so does a time limit before the first
 * iterate; what is not finite is no answer. */
static bool has_answer(const answer *a)
{
    return a->report.outcome != DLS_OUTCOME_REFUSED && a->report.outcome != DLS_OUTCOME_NO_SOLUTION &&
           (a->report.outcome != DLS_OUTCOME_TIME_LIMIT || a->report.iterations > 0) && isfinite(a->certificate.w_max);
}

/* The contacts under a cone, and their laws; empty if there are none. */
typedef struct laws_text {
    char text[256];
} laws_text;

static laws_text laws_of(const dls_problem *p)
{
    const unsigned laws = dls_problem_contact_laws(p);
    laws_text to = {""};
    size_t associated = 0;
    for (size_t i = 0; i < p->n; i++)
        associated += dls_problem_is_cone(p, i) && p->law[i + 1] == DLS_LAW_ASSOCIATED;
    const size_t cones = dls_problem_cones(p) - associated;
    int at = 0;
    if (cones > 0)
        at = snprintf(to.text, sizeof to.text, "%zu contacts under Coulomb's cone", cones);
    if (associated > 0)
        at += snprintf(to.text + at, sizeof to.text - (size_t)at,
                       "%s%zu contacts under the associated law (the convex relaxation)", cones > 0 ? ", " : "",
                       associated);
    snprintf(to.text + at, sizeof to.text - (size_t)at, "%s%s%s",
             laws & DLS_CONTACTS_ROLLING ? ", with rolling friction" : "",
             laws & DLS_CONTACTS_TORSIONAL ? ", with torsional friction" : "",
             laws & DLS_CONTACTS_ELLIPTIC ? ", with two friction coefficients" : "");
    return to;
}

static void print_head(const task *t)
{
    printf("%s: %zu rows, %zu velocities, %s form; read as %s\n", t->file, t->loaded->n, t->loaded->nv,
           t->loaded->form == DLS_FORM_MATRIX ? "matrix" : "mechanical", t->content.format->name);
    if (t->loaded->n_cone > 0)
        printf("%s\n", laws_of(t->loaded).text);
    if (t->conversion[0])
        printf("CONVERTED: %s\n", t->conversion);
    const dls_diagonals diagonals = dls_examiner_diagonals(t->examiner);
    if (diagonals.zero || diagonals.negative)
        printf("diagonal entries of A: %zu are 0 (sweeps skip these rows), %zu negative\n", diagonals.zero,
               diagonals.negative);
    if (t->stored[0])
        printf("%s\n", t->stored);
    if (t->started[0])
        printf("%s\n", t->started);
    printf("\n");
}

/* Whether friction is a minimisation: A is symmetric, and all of it is under the associated law. */
static bool is_convex(const dls_problem *p)
{
    bool convex = p->n_coupled == p->n_cone && dls_problem_is_symmetric(p);
    for (size_t i = 0; i < p->n; i++)
        convex = convex && p->law[i] != DLS_LAW_CONE;
    return convex;
}

/* Under friction that follows the normal impulse v+ may have several values. */
static void print_velocities(const task *t)
{
    const dls_velocities *found = &t->velocities;
    const size_t n = t->loaded->n;
    if (found->count > 1)
        printf("\nv+ has several values; found: %zu, by facets and enumeration, each examined\n", found->count);
    else if (t->loaded->n_coupled > 0 && !is_convex(t->loaded))
        printf("\nv+ may not be unique: friction follows the normal impulse, and nothing proves that there is one "
               "value\n");
    for (size_t k = 0; found->count > 1 && n <= 12 && k < found->count; k++) {
        printf("    lambda =");
        for (size_t i = 0; i < n; i++)
            printf(" %.9g", found->lambda[k * n + i]);
        printf("\n");
    }
}

/* The figures of one answer, and what its sentence does not say. */
static void print_figures(const task *t, size_t k)
{
    const answer *a = &t->answers[k];
    print_solver_name(t->choices[k].solver->name);
    printf(" %-17s %10zu", dls_outcome_text(a->report.outcome), a->report.iterations);
    if (!has_answer(a))
        printf(" %12s %12s %12s %12s", "-", "-", "-", "-");
    else
        printf(" %12.3e %12.3e %12.3e %12.3e", a->certificate.velocity_residual, a->certificate.impulse_residual,
               a->certificate.natural_residual_velocity, a->certificate.complementarity_gap);
    printf(" %10.3g %10.3g\n", a->report.seconds, a->total);
    if (is_last_resort(t, k))
        printf("    tried because no %s solved the problem within its share of %g s and its default "
               "work; --solver NAME has no limit of time, and all of its work\n",
               dls_problem_contact_laws(t->problem) ? "other method" : "direct method", t->seconds);
    if (a->impulses && has_answer(a))
        printf("    before the conversion: velocity %.3e, impulse %.3e, residual_D %.3e, gap %.3e\n",
               a->cone.velocity_residual, a->cone.impulse_residual, a->cone.natural_residual_velocity,
               a->cone.complementarity_gap);
    if (has_answer(a))
        print_largest(t, a);
    if (a->report.message[0] && !strstr(a->sentence.text, a->report.message))
        printf("    %s\n", a->report.message);
    if (has_answer(a) && !dls_outcome_failed(a->report.outcome))
        printf("    %s: %s\n", a->bounds.kind == DLS_BOUNDS_NONE ? "not certified" : "certified", a->bounds.text);
}

static void print_text(const task *t)
{
    print_head(t);
    if (t->problem->n == 0) {
        printf("nothing to solve: no row constrains the %zu velocities\n", t->problem->nv);
        return;
    }
    for (size_t k = 0; k < t->count; k++)
        printf("%s: %s\n", t->choices[k].solver->name, t->answers[k].sentence.text);
    print_velocities(t);
    printf("\n%-*s %-17s %10s %12s %12s %12s %12s %10s %10s\n", SOLVER_COLUMN, "solver", "outcome", "iterations",
           "velocity", "impulse", "residual_D", "gap", "seconds", "total");
    printf("%-*s %-17s %10s %12s %12s %12s %12s %10s %10s\n", SOLVER_COLUMN, "", "", "", "[1]", "[1]", "[m/s]", "[J]",
           "[s]", "[s]");
    for (size_t k = 0; k < t->count; k++)
        print_figures(t, k);
    printf(
        "\nThe outcome is decided by the worse of the first two, at most %g, and by the certificate.\n"
        "velocity: w of the wrong sign, each row against its own terms |b_i| + |A_i||lambda|; impulse: lambda off its "
        "bounds,\nagainst the impulse that moves some row by all of its terms; residual_D: max |lambda - "
        "clamp(lambda - w / D)| D, D = diag(A);\ngap: sum of |slack w|; seconds: the solver alone; total: with its "
        "process, the examinations and the certificate.\n",
        t->tolerance);
    if (t->problem->n_cone > 0)
        printf("Under Coulomb's cone clamp is the nearest point of it, and w has mu |w_t| added to w_n (De Saxce).\n");
}

/* --- JSON --- */

/* The fractions of the report as strings, one array for all solutions, one after another. */
static json_t *json_fractions(const char *fractions)
{
    json_t *array = json_array();
    for (const char *from = fractions; *from;) {
        size_t length = strcspn(from, " ");
        json_add(&array, json_stringn(from, length));
        from += length + (from[length] == ' ');
    }
    return array;
}

/* Without an answer there is no lambda to show. */
static bool print_json(const task *t, size_t k)
{
    const answer *a = &t->answers[k];
    const bool none = !has_answer(a);
    const size_t n = t->problem->n, shown = none ? 0 : n;
    json_t *o = json_object();
    json_put(&o, "file", json_text(t->file));
    json_put(&o, "solver", json_text(t->choices[k].solver->name));
    json_put(&o, "outcome", json_text(dls_outcome_text(a->report.outcome)));
    json_put(&o, "sentence", json_text(a->sentence.text));
    json_put(&o, "lambda", json_vector(a->lambda, shown));
    json_put(&o, "w", json_vector(a->w, shown));
    json_put_figures(&o, none ? NULL : &a->certificate);
    json_put(&o, "iterations", json_count(a->report.iterations));
    json_put(&o, "row_visits", a->report.row_visits > 0.0 ? json_number(a->report.row_visits) : json_null());
    json_put(&o, "dead_rows", json_count(a->report.dead_rows));
    json_put(&o, "seconds", json_number(a->report.seconds));
    json_put(&o, "total_seconds", json_number(a->total));
    json_put(&o, "rows", json_rows(t->problem));
    json_put(&o, "status", json_statuses(t->problem, a->lambda, shown));
    if (t->problem->form == DLS_FORM_MECHANICAL)
        json_put(&o, "velocity", json_vector(a->v, none ? 0 : t->problem->nv));
    if (a->bounds.kind != DLS_BOUNDS_NONE)
        json_put(&o, "certified", json_bounds(&a->bounds, n));
    if (t->velocities.count > 1)
        json_put(&o, "velocities", json_vectors(t->velocities.lambda, t->velocities.count, t->loaded->n));
    if (a->report.outcome == DLS_OUTCOME_SEVERAL || a->report.outcome == DLS_OUTCOME_CONTINUUM)
        json_put(&o, "solutions", json_vectors(a->report.solutions, a->report.n_solutions, n));
    if (a->report.fractions)
        json_put(&o, "fractions", json_fractions(a->report.fractions));
    if (a->report.proof_vector)
        json_put(&o, "proof", json_vector(a->report.proof_vector, n));
    if (a->impulses) {
        json_put(&o, "conversion", json_text(t->conversion));
        json_put(&o, "impulses", json_vector(a->impulses, none ? 0 : t->loaded->n));
        json_put(&o, "scaled_residual_before_conversion", json_number(none ? NAN : a->cone.scaled_residual));
    }
    if (t->loaded->n_cone > 0)
        json_put(&o, "law", json_text(laws_of(t->loaded).text));
    if (t->stored[0])
        json_put(&o, "stored", json_text(t->stored));
    if (t->started[0])
        json_put(&o, "start", json_text(t->started));
    json_put(&o, "message", json_text(a->report.message));
    return json_print(o);
}

static dls_status write_table(const task *t, const char *path, dls_error *error)
{
    dls_table *table;
    DLS_TRY(dls_table_create(path, &table, error));
    dls_note_provenance(table, t->arguments->line);
    if (t->conversion[0])
        dls_table_note(table, "converted", "%s", t->conversion);
    if (t->stored[0])
        dls_table_note(table, "stored solution", "%s", t->stored);
    if (t->started[0])
        dls_table_note(table, "start", "%s", t->started);
    for (size_t k = 0; k < t->count; k++) {
        const answer *a = &t->answers[k];
        dls_table_note(table, t->choices[k].solver->name, "%s, natural_residual %.17g N s, iterations %zu; %s",
                       dls_outcome_text(a->report.outcome), has_answer(a) ? a->certificate.natural_residual : NAN,
                       a->report.iterations, a->report.message);
    }
    dls_note_choices(table, t->choices, t->count);
    dls_table_columns(table, "file\tsolver\toutcome\trow\tlabel\tlo[N s]\thi[N s]\tlambda[N s]\tw[m/s]"
                             "\tjoint\tstatus");
    for (size_t k = 0; k < t->count; k++)
        for (size_t i = 0; i < t->problem->n; i++) {
            const answer *to = &t->answers[k];
            double lo, hi;
            dls_problem_bounds(t->problem, i, to->lambda, &lo, &hi);
            dls_table_row(
                table, "%s %s %s %zu %s %g %g %g %g %s %s", t->file, t->choices[k].solver->name,
                dls_outcome_text(to->report.outcome), i, dls_problem_label(t->problem, i), lo, hi,
                has_answer(to) ? to->lambda[i] : NAN, has_answer(to) ? to->w[i] : NAN, dls_problem_owner(t->problem, i),
                has_answer(to) ? dls_row_status_names[dls_problem_row_status(t->problem, i, to->lambda)] : "");
        }
    return dls_table_commit(table, error);
}

/* --- the command --- */

static dls_status work(task *t, const arguments *a, bool *settings_ok, dls_error *error)
{
    DLS_TRY(load_problem(a, t->file, &t->content, error));
    note_scene(t->file, t->content.scene, false, true);
    DLS_TRY(choose_law(t, error));
    t->loaded = t->content.problem;
    DLS_TRY(dls_examiner_create(t->loaded, &t->loaded_examiner, error));
    DLS_TRY(examine_stored(t, error));
    DLS_TRY(convert_friction(t, error));
    DLS_TRY(dls_examiner_create(t->problem, &t->examiner, error));
    DLS_TRY(choose_solver(a, t, error));
    *settings_ok = set_solvers(a, t->choices, t->count);
    if (*settings_ok)
        DLS_TRY(make_start(t, error));
    if (*settings_ok)
        DLS_TRY(solve_all(t, error));
    if (*settings_ok)
        DLS_TRY(dls_velocities_find(t->loaded, t->loaded_examiner, t->tolerance, &t->velocities, error));
    const char *output = argument(a, "output", NULL);
    return output && *settings_ok ? write_table(t, output, error) : DLS_OK;
}

/* Two methods cannot both be right where one has a solution and another proves that there is none. */
static bool contradiction(const task *t)
{
    for (size_t k = 0; k < t->count; k++)
        for (size_t j = 0; j < k; j++)
            if (dls_contradict(&t->answers[j].report, &t->answers[k].report)) {
                complain_text("solve: %s: contradiction: %s says %s, %s says %s", t->file, t->choices[j].solver->name,
                              dls_outcome_text(t->answers[j].report.outcome), t->choices[k].solver->name,
                              dls_outcome_text(t->answers[k].report.outcome));
                return true;
            }
    return false;
}

/* Named solvers must all have solved the problem; without names it is enough that one method has. Otherwise the most
 * that is known: a proof, then that there was no memory, then a failure, then an answer on its way. A refusal of a
 * method that nobody has named is no failure. */
static int conclude(const task *t)
{
    const bool named = solvers_named(t->arguments);
    size_t of[DLS_OUTCOMES] = {0}, solved = 0, needed = named ? t->count : 1;
    const answer *no_memory = NULL;
    for (size_t k = 0; k < t->count; k++) {
        of[t->answers[k].report.outcome]++;
        solved += is_solved(&t->answers[k]);
        no_memory = t->answers[k].no_memory ? &t->answers[k] : no_memory;
    }
    if (contradiction(t))
        return EXIT_CONTRADICTION;
    if (of[DLS_OUTCOME_NO_SOLUTION])
        return EXIT_NO_SOLUTION;
    if (solved >= needed)
        return EXIT_DONE;
    if (no_memory) {
        complain_text("solve: %s: %s", t->file, no_memory->report.message);
        return EXIT_NO_MEMORY;
    }
    const bool refused = of[DLS_OUTCOME_REFUSED] > 0 && (named || of[DLS_OUTCOME_REFUSED] == t->count);
    return of[DLS_OUTCOME_NUMERICAL_FAILURE] || refused ? EXIT_UNSOLVED : EXIT_NOT_CONVERGED;
}

static int print_answers(const task *t, bool json)
{
    for (size_t k = 0; json && k < t->count; k++)
        if (!print_json(t, k))
            return EXIT_BAD_INPUT;
    if (!json)
        print_text(t);
    return conclude(t);
}

static void release_task(task *t)
{
    for (size_t k = 0; t->answers && k < t->count; k++) {
        dls_report_release(&t->answers[k].report);
        free(t->answers[k].lambda);
        free(t->answers[k].w);
        free(t->answers[k].v);
        free(t->answers[k].impulses);
        dls_bounds_release(&t->answers[k].bounds);
    }
    free(t->answers);
    dls_choices_release(t->choices, t->count);
    dls_choices_release(t->starter, t->starters);
    free(t->start_impulses);
    dls_examiner_destroy(t->examiner);
    dls_examiner_destroy(t->loaded_examiner);
    dls_facets_destroy(t->facets);
    dls_velocities_release(&t->velocities);
    dls_content_release(&t->content);
}

static int run_solve(const arguments *a)
{
    task t = {.arguments = a,
              .file = a->words[0],
              .iterations = 10000,
              .is_endless = !argument(a, "iterations", NULL),
              .tolerance = DLS_SOLVED_TOLERANCE,
              .job = make_job(a, "")};
    bool settings_ok = true;
    dls_error error;
    dls_exact_apart(true);
    if (!argument_count(a, "iterations", 1, &t.iterations) || !argument_real(a, "tolerance", "", &t.tolerance) ||
        !argument_real(a, "seconds", "s", &t.seconds) || !argument_count(a, "facets", 3, &t.exact_facets) ||
        !argument_count(a, "convex-facets", 3, &t.convex_facets))
        return EXIT_BAD_INPUT;
    int status;
    if (work(&t, a, &settings_ok, &error) != DLS_OK)
        status = complain(&error);
    else
        end_progress(), status = settings_ok ? print_answers(&t, argument(a, "json", NULL) != NULL) : EXIT_BAD_INPUT;
    release_task(&t);
    return status;
}

static const option_spec options[] = {
    SOLVER_OPTIONS("[every direct method that accepts the problem; sweeps if none solves it]"),
    {"set", 0, "KEY=VALUE", "a setting of the solvers, or SOLVER.KEY=VALUE for one solver (delassus list solvers)"},
    {"iterations", 'k', "K",
     "at most K iterations of an iterative solver [10000; after direct methods: as many as there is time for]"},
    {"seconds", 0, "S",
     "at most S seconds of wall time for each solver named [no limit], or for all of the default ones together [60]"},
    {"start", 0, "SOLVER:K",
     "start from the impulses of K iterations of this solver, with its defaults [0]; a direct method ignores it unless "
     "`list solvers` says that it begins at a start"},
    {"tolerance", 't', "R", "scaled residual, by the examiner, that counts as solved [1e-9]"},
    {"format", 'f', "NAME", "format of the file [recognised from its content]"},
    {"law", 0, "LAW",
     "law of all contacts under a cone: coulomb, or associated, the convex relaxation [the problem's]"},
    {"facets", 0, "K", "replace each friction cone by K facets, and each box by 2: an exact LCP"},
    {"convex-facets", 0, "K", "the same with the convex relaxation, in which sliding bodies lift off"},
    JOINT_TYPE_OPTION,
    IGNORE_OPTION,
    JSON_OPTION,
    {"output", 'o', "FILE", "a table of lambda and w of every solver"},
    {NULL, 0, NULL, NULL}};
const command command_solve = {
    .name = "solve",
    .usage = "FILE [--solver NAME]... [--set KEY=VALUE]... [-o FILE]",
    .summary = "solve a scene's first step or a problem file, and measure every answer",
    .details =
        "FILE is a scene, a robot, a delassus problem, a text file of Siconos "
        "or ContactBench, or an HDF5 file of FCLIB.\n"
        "The examiner has the last word: an answer whose scaled residual is above --tolerance "
        "is not called solved, and an iterative\n"
        "solver stops where it is below; \"no-solution\" is proved in exact arithmetic. Exit status 0: every "
        "solver named (without --solver: at least one)\n"
        "solved the problem; 1: one failed; 3: there is no solution; 4: not converged, undecided, or out of time; 5: "
        "two solvers "
        "contradict each other.\n"
        "With --seconds each solver runs in a separate process, which is killed at the limit: its outcome is then "
        "time-limit, and an\niterative solver shows its last iterate. exec:COMMAND, shared objects and peers always "
        "have a limit (--set seconds=60).\n"
        "Without --solver all methods share --seconds, 60 s by default: each direct one, cheap ones first, has half of "
        "the time left,\nand half of all is kept for sweeps (pgs; nsgs for Coulomb's cone). These go on for all that "
        "is left if no direct "
        "method has solved the problem. A direct\nmethod is refused where the dense problem is too large for the "
        "time or the memory.\n"
        "If friction depends on the normal impulse, the work of direct methods is limited too (--set work=1e11), some "
        "ten seconds.\n"
        "seconds is the time of the solver alone, in whichever process it runs; total also has its process, the "
        "examinations and the\ncertificate.",
    .min_words = 1,
    .max_words = 1,
    .files = 1,
    .options = options,
    .run = run_solve,
    .more = name_formats,
};
