/* The choice of a statement.
 *
 * Without impulses: all solutions of a small problem, by an exact search with its record; or two of a continuum. With
 * impulses: under the associated law the distance of v+ (statement_gap.c), else under friction laws how far b and mu
 * are off (certify_friction.c), or that a solution exists (certify_cone.c); else the only solution and the distance to
 * it, if A is definite (statement_enclosure.c); else exact solutions, in rational arithmetic (exact_search.c); else
 * the distance of the velocity from that of all solutions (certify_large.c). Rows that depend on others are left out
 * first where that is asked for (statement_dependent.c). */
#include "statement.h"

#include "base/arithmetic.h"
#include "certify/parts.h"
#include "exact/exact_search.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_ROWS = 200 }; /* most rows of exact_search.c */

dls_statement_settings dls_statement_default(void) { return (dls_statement_settings){.work = 1e10, .nodes = 20000}; }

static dls_status statement_none(dls_statement *s, const char *why)
{
    s->kind = DLS_STATEMENT_NONE;
    snprintf(s->text, sizeof s->text, "nothing is claimed: %.400s", why);
    return DLS_OK;
}

/* Takes the exact solutions out of the report. */
static void take_fractions(dls_statement *s, dls_report *report)
{
    s->n_solutions = report->n_solutions;
    s->fractions = report->fractions;
    report->fractions = NULL;
}

static dls_status state_all(dls_statement *s, const dls_statement_settings *set, dls_error *error)
{
    dls_report report = {0};
    dls_error refused;
    dls_status status = dls_exact_search_all(s->p, set->work, set->nodes, &report, &s->tree, &refused);
    if (status == DLS_REFUSED) {
        status = statement_none(s, refused.message);
    } else if (status != DLS_OK) {
        *error = refused;
    } else if (s->tree) {
        take_fractions(s, &report);
        s->kind = DLS_STATEMENT_ALL;
        snprintf(s->text, sizeof s->text,
                 s->n_solutions == 0   ? "there is no solution"
                 : s->n_solutions == 1 ? "there is one solution"
                                       : "there are %zu solutions, and no others",
                 s->n_solutions);
    } else if (report.outcome == DLS_OUTCOME_CONTINUUM) {
        take_fractions(s, &report);
        s->kind = DLS_STATEMENT_CONTINUUM;
        snprintf(s->text, sizeof s->text, "there is a continuum of solutions, between two");
    } else {
        statement_none(s, report.message);
    }
    dls_report_release(&report);
    return status;
}

static dls_status state_backward(dls_statement *s, dls_error *error)
{
    const dls_problem *p = s->p;
    dls_stored stored;
    dls_bounds bounds = {0};
    const char *why = NULL;
    DLS_TRY(p->form == DLS_FORM_MECHANICAL ? dls_stored_take_rows(p, &s->memory, &stored, &why, error)
                                           : dls_stored_take(p, &s->memory, &stored, &why, error));
    if (why)
        return statement_none(s, why);
    double *w = DLS_TAKE(&s->memory, double, p->n), *w_error = DLS_TAKE(&s->memory, double, p->n);
    dls_twofold *lambda = DLS_TAKE(&s->memory, dls_twofold, p->n);
    if (s->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a statement about %zu rows", p->n);
    for (size_t i = 0; i < p->n; i++)
        lambda[i] = (dls_twofold){s->given[i], 0.0};
    dls_stored_w(&stored, lambda, w, w_error);
    dls_certify_friction(p, s->given, w, w_error, &bounds);
    if (bounds.kind != DLS_BOUNDS_BACKWARD)
        return statement_none(s, bounds.text);
    s->kind = DLS_STATEMENT_BACKWARD;
    s->b_off = bounds.b_off, s->mu_off = bounds.mu_off;
    snprintf(s->text, sizeof s->text, "the impulses solve the problem with b off by at most %s and mu by at most %s",
             dls_digits_up(s->b_off, 3).text, dls_digits_up(s->mu_off, 3).text);
    return DLS_OK;
}

static void describe_solution(dls_statement *s)
{
    double largest = 0.0;
    for (size_t i = 0; i < s->p->n; i++)
        largest = fmax(largest, s->radius[i]);
    s->kind = DLS_STATEMENT_SOLUTION;
    snprintf(s->text, sizeof s->text, "%s is within %s of the impulses",
             s->unique == DLS_UNIQUE_IMPULSES   ? "the only solution"
             : s->unique == DLS_UNIQUE_VELOCITY ? "a solution, whose velocity v+ all solutions have,"
                                                : "a solution",
             dls_digits_up(largest, 3).text);
}

/* The exact solution, rounded to `solution`, is as near to the impulses as this, and half a unit in the last place. */
static void state_exact_solution(dls_statement *s, const double *solution)
{
    s->n_solutions = 1;
    s->unique = s->p->form == DLS_FORM_MECHANICAL ? DLS_UNIQUE_VELOCITY : DLS_UNIQUE_UNKNOWN;
    for (size_t i = 0; i < s->p->n; i++) {
        s->radius[i] = dls_up(fabs(s->given[i] - solution[i]) + DBL_EPSILON * fabs(solution[i]), 4);
        s->state[i] = "open";
    }
    describe_solution(s);
}

static dls_status state_exact(dls_statement *s, const dls_statement_settings *set, dls_error *error)
{
    const dls_solver *exact = dls_direct_find("exact");
    double settings[32];
    char message[DLS_MESSAGE_MAX];
    dls_report report = {0};
    DLS_TRY(dls_fields_default(&exact->fields, settings, error));
    snprintf(message, sizeof message, "%d", EXACT_ROWS);
    DLS_TRY(dls_field_set(&exact->fields, settings, "rows", message, error));
    snprintf(message, sizeof message, "%zu", set->nodes);
    DLS_TRY(dls_field_set(&exact->fields, settings, "nodes", message, error));
    double *lambda = DLS_TAKE_ZEROS(&s->memory, double, s->p->n);
    if (s->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a statement about %zu rows", s->p->n);
    dls_status status = dls_solve(exact, s->p, settings, 1, lambda, &report, NULL, NULL, error);
    if (status == DLS_OK && report.fractions) {
        take_fractions(s, &report);
        if (report.outcome == DLS_OUTCOME_SOLVED || s->n_solutions == 1) { /* 1: a search that has not ended */
            state_exact_solution(s, report.solutions);
        } else {
            s->kind = report.outcome == DLS_OUTCOME_CONTINUUM ? DLS_STATEMENT_CONTINUUM : DLS_STATEMENT_SEVERAL;
            snprintf(s->text, sizeof s->text,
                     s->kind == DLS_STATEMENT_CONTINUUM ? "there is a continuum of solutions, between two"
                                                        : "there are several solutions: %zu are listed",
                     s->n_solutions);
        }
    } else if (status == DLS_OK) {
        snprintf(message, sizeof message, "A is not definite beyond rounding; %.300s", report.message);
        statement_none(s, message);
    }
    dls_report_release(&report);
    return status;
}

static void describe_velocity(dls_statement *s)
{
    s->kind = DLS_STATEMENT_VELOCITY;
    snprintf(s->text, sizeof s->text, "the velocity v+ of all solutions is within %s sqrt(J) of that of the impulses",
             dls_digits_up(s->distance, 3).text);
}

/* The duality gap of certify_large.c, which needs no definite A and no dense matrix. */
static dls_status state_velocity(dls_statement *s, dls_error *error)
{
    dls_bounds bounds = {0};
    s->change = DLS_TAKE_ZEROS(&s->memory, double, s->p->nv);
    if (s->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a statement about %zu rows", s->p->n);
    const dls_status status = dls_certify_large_change(s->p, s->given, s->change, &bounds, error);
    if (status == DLS_OK && bounds.kind == DLS_BOUNDS_VELOCITY) {
        s->distance = 1.001 * bounds.velocity + DBL_MIN;
        describe_velocity(s);
    } else if (status == DLS_OK) {
        statement_none(s, bounds.text);
    }
    dls_bounds_release(&bounds);
    return status;
}

static dls_status state_solution(dls_statement *s, const dls_statement_settings *set, dls_error *error)
{
    bool found;
    statement_none(s, "A is not definite beyond rounding, and there are too many rows for exact arithmetic");
    DLS_TRY(dls_statement_enclose(s, &found, error));
    if (found) {
        describe_solution(s);
        return DLS_OK;
    }
    if (s->p->n <= EXACT_ROWS)
        DLS_TRY(state_exact(s, set, error));
    return s->kind == DLS_STATEMENT_NONE && s->p->form == DLS_FORM_MECHANICAL ? state_velocity(s, error) : DLS_OK;
}

/* A solution near the impulses and its states, by Krawczyk's test. */
static dls_status state_existence(dls_statement *s, dls_error *error)
{
    const size_t n = s->p->n;
    const char *why = NULL;
    dls_stored stored;
    DLS_TRY(dls_stored_take(s->p, &s->memory, &stored, &why, error));
    double *w = DLS_TAKE(&s->memory, double, n), *w_error = DLS_TAKE(&s->memory, double, n);
    dls_bounds bounds = {.radius_lambda = s->radius, .radius_w = DLS_TAKE_ZEROS(&s->memory, double, n)};
    dls_twofold *lambda = DLS_TAKE(&s->memory, dls_twofold, n);
    s->x = DLS_TAKE(&s->memory, dls_twofold, n);
    if (s->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a statement about %zu rows", n);
    if (why)
        return DLS_OK;
    for (size_t i = 0; i < n; i++)
        lambda[i] = (dls_twofold){s->given[i], 0.0};
    dls_stored_w(&stored, lambda, w, w_error);
    const dls_cone_states states = {s->x, s->state};
    DLS_TRY(dls_certify_cone(&stored, s->given, w, w_error, &states, &bounds, error));
    if (bounds.kind != DLS_BOUNDS_ACTIVE_SET)
        return DLS_OK;
    s->kind = DLS_STATEMENT_STATES;
    for (size_t i = 0; i < n; i++)
        s->radius[i] = dls_up(1.001 * s->radius[i], 4);
    snprintf(s->text, sizeof s->text,
             "a solution, whose contacts stick or slide as stated, is within %s of the impulses",
             dls_digits_up(1.001 * bounds.lambda, 3).text);
    return DLS_OK;
}

/* Under the associated law the distance of v+; else that a solution exists, if that is asked for; where it is not
 * proved a backward error. */
static dls_status state_friction(dls_statement *s, const dls_statement_settings *set, dls_error *error)
{
    const unsigned laws = dls_problem_contact_laws(s->p) & ~(unsigned)DLS_CONTACTS_TORSIONAL;
    bool found = false;
    if (laws & DLS_CONTACTS_ASSOCIATED)
        DLS_TRY(dls_statement_gap(s, &found, error));
    if (found)
        describe_velocity(s);
    else if (set->existence && laws == 0)
        DLS_TRY(state_existence(s, error));
    return s->kind != DLS_STATEMENT_NONE ? DLS_OK : state_backward(s, error);
}

static dls_status state_no_solution(dls_statement *s, const double *y, dls_error *error)
{
    dls_farkas_proof proof;
    char *fractions = NULL, *at;
    DLS_TRY(dls_farkas_fractions(s->p, y, &proof, &fractions, error));
    if (!proof.proved)
        return statement_none(s, proof.reason);
    size_t length;
    FILE *to = fractions ? open_memstream(&s->tree, &length) : NULL;
    if (!to) {
        free(fractions);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a statement about %zu rows", s->p->n);
    }
    fputs("{\"farkas\": [", to);
    for (const char *word = strtok_r(fractions, " ", &at); word; word = strtok_r(NULL, " ", &at))
        fprintf(to, "%s\"%s\"", word == fractions ? "" : ", ", word);
    fputs("]}", to);
    free(fractions);
    if (ferror(to) | fclose(to))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a statement about %zu rows", s->p->n);
    s->kind = DLS_STATEMENT_ALL;
    snprintf(s->text, sizeof s->text, "there is no solution");
    return DLS_OK;
}

static dls_status take_statement(dls_statement *s, const double *lambda, dls_error *error)
{
    const size_t n = s->p->n;
    s->given = DLS_TAKE_ZEROS(&s->memory, double, n);
    s->radius = DLS_TAKE_ZEROS(&s->memory, double, n);
    s->state = DLS_TAKE(&s->memory, const char *, n);
    if (s->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a statement about %zu rows", n);
    for (size_t i = 0; lambda && i < n; i++) {
        if (!isfinite(lambda[i]))
            return dls_fail(error, DLS_NOT_FINITE, "impulse %zu is not a finite number", i);
        s->given[i] = lambda[i];
    }
    return DLS_OK;
}

static dls_status find_statement(dls_statement *s, const double *lambda, const double *y,
                                 const dls_statement_settings *set, dls_error *error)
{
    return y                     ? state_no_solution(s, y, error)
           : !lambda             ? state_all(s, set, error)
           : s->p->n_coupled > 0 ? state_friction(s, set, error)
                                 : state_solution(s, set, error);
}

/* The statement about the problem without dependent rows, if there are some: s->of. */
static dls_status find_statement_of_rest(dls_statement *s, const double *lambda, const dls_statement_settings *set,
                                         dls_error *error)
{
    dls_statement_settings all_rows = *set;
    const double *moved;
    char text[DLS_MESSAGE_MAX];
    DLS_TRY(dls_statement_divide(s, error));
    const dls_problem *rest = dls_statement_rest(s->dependent, &moved);
    if (!rest)
        return DLS_OK;
    all_rows.independent = false;
    DLS_TRY(dls_statement_create(rest, lambda ? moved : NULL, NULL, &all_rows, &s->of, error));
    s->kind = s->of->kind;
    s->n_solutions = s->of->n_solutions;
    dls_statement_describe_rest(s->dependent, text, sizeof text);
    snprintf(s->text, sizeof s->text, "%.100s%.400s", s->kind == DLS_STATEMENT_NONE ? "" : text, s->of->text);
    return DLS_OK;
}

dls_status dls_statement_create(const dls_problem *problem, const double *lambda, const double *y,
                                const dls_statement_settings *settings, dls_statement **statement, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    const dls_statement_settings set = settings ? *settings : dls_statement_default();
    *statement = NULL;
    DLS_TRY(dls_problem_check(problem, error));
    dls_statement *s = calloc(1, sizeof *s);
    if (!s)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a statement");
    s->p = problem;
    dls_status status = take_statement(s, lambda, error);
    if (status == DLS_OK && set.independent && !y)
        status = find_statement_of_rest(s, lambda, &set, error);
    if (status == DLS_OK && !s->of)
        status = find_statement(s, lambda, y, &set, error);
    if (status == DLS_OK)
        *statement = s;
    else
        dls_statement_destroy(s);
    return status;
}

dls_statement_kind dls_statement_kind_of(const dls_statement *statement) { return statement->kind; }
size_t dls_statement_solutions(const dls_statement *statement) { return statement->n_solutions; }

double dls_statement_bound(const dls_statement *s)
{
    if (s->of)
        return dls_statement_bound(s->of);
    if (s->kind == DLS_STATEMENT_VELOCITY)
        return s->distance;
    if (s->kind != DLS_STATEMENT_SOLUTION && s->kind != DLS_STATEMENT_STATES)
        return NAN;
    double largest = 0.0;
    for (size_t i = 0; i < s->p->n; i++)
        largest = fmax(largest, s->radius[i]);
    return largest;
}

const char *dls_statement_text(const dls_statement *statement) { return statement->text; }

void dls_statement_destroy(dls_statement *s)
{
    if (!s)
        return;
    dls_statement_destroy(s->of);
    dls_statement_dependent_release(s->dependent);
    dls_arena_release(&s->memory);
    free(s->fractions);
    free(s->tree);
    free(s);
}
