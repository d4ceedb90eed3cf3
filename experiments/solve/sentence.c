/* An outcome in one plain sentence: first whether the answer is right, then by how much, then why. */
#include "delassus/experiments.h"

#include "base/arithmetic.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void sentence_add(dls_sentence *to, const char *format, ...) DLS_PRINTF(2, 3);

static void sentence_add(dls_sentence *to, const char *format, ...)
{
    const size_t length = strlen(to->text);
    va_list values;
    va_start(values, format);
    vsnprintf(to->text + length, sizeof to->text - length, format, values);
    va_end(values);
}

/* --- right --- */

static double largest_impulse(const dls_problem *p, const double *lambda)
{
    double largest = 0.0;
    for (size_t i = 0; i < p->n; i++)
        largest = fmax(largest, fabs(lambda[i]));
    return largest;
}

/* --- exact answers --- */

/* The first of a report's exact fractions, where the impulses are their rounding to the nearest doubles; else NULL. */
static const char *exact_fractions(const dls_problem *p, const double *lambda, const dls_report *report)
{
    const bool exact = report->proof == DLS_PROOF_EXACT && report->n_solutions > 0 && report->solutions;
    return exact && memcmp(lambda, report->solutions, p->n * sizeof *lambda) == 0 ? report->fractions : NULL;
}

/* Whether a double is a fraction, as far as its numerator and denominator are doubles too: fma rounds once. */
static bool is_fraction(double x, const char *fraction)
{
    char *end;
    const double most = 0x1p53, over = (double)strtoll(fraction, &end, 10);
    const double under = *end == '/' ? (double)strtoll(end + 1, NULL, 10) : 1.0;
    return fabs(over) < most && under < most && fma(x, under, -over) == 0.0;
}

/* The most by which a double differs from the fraction of which it is the nearest one. */
static double rounding_of(double x, const char *fraction)
{
    return is_fraction(x, fraction) ? 0.0 : fmax(0.5 * (nextafter(fabs(x), HUGE_VAL) - fabs(x)), DBL_TRUE_MIN);
}

static void say_exact(const dls_problem *p, const double *lambda, const char *fractions, const dls_report *report,
                      dls_sentence *to)
{
    to->by = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        to->by = fmax(to->by, rounding_of(lambda[i], fractions));
        fractions += strcspn(fractions, " ");
        fractions += *fractions == ' ';
    }
    const dls_digits by = dls_digits_up(to->by, 2);
    sentence_add(to, "%s: found in exact arithmetic; every impulse is within %s of %s; the largest is %.3g", by.text,
                 by.text, report->outcome == DLS_OUTCOME_SOLVED ? "the only solution" : "a solution",
                 largest_impulse(p, lambda));
}

/* --- measured --- */

/* The measured residual alone: without a proof a small one does not bound the distance to a solution. */
static void say_measured(const dls_criteria *criteria, const dls_certificate *c, const dls_bounds *bounds,
                         dls_sentence *to)
{
    const dls_problem *p = criteria->problem;
    to->by = c->scaled_residual;
    sentence_add(to, "%.2g: measured, not proved; no row is violated by more than that part of its terms", to->by);
    if (criteria->largest > 0 && bounds->text[0])
        sentence_add(to, "; no bound, since %s", bounds->text);
    if (criteria->largest > 0 && p->form == DLS_FORM_MATRIX && p->n_coupled == 0)
        sentence_add(to, " (if A is singular, lambda is not unique: give J and M, the mechanical form, for a bound of "
                         "v+)");
}

/* The bound of lambda, of w where lambda is not unique, or of b and mu. */
static double proved_bound(const dls_bounds *bounds)
{
    switch (bounds->kind) {
    case DLS_BOUNDS_EXISTS:
    case DLS_BOUNDS_ACTIVE_SET:
        return bounds->lambda;
    case DLS_BOUNDS_BACKWARD:
        return fmax(bounds->b_off, bounds->mu_off);
    default:
        return bounds->w;
    }
}

static void say_proved(const dls_bounds *bounds, dls_sentence *to)
{
    const dls_digits by = dls_digits_up(proved_bound(bounds), 2);
    switch (bounds->kind) {
    case DLS_BOUNDS_EXISTS:
    case DLS_BOUNDS_ACTIVE_SET:
        sentence_add(to, "every impulse is proved to be within %s of %s", by.text,
                     bounds->unique ? "the only solution" : "a solution");
        break;
    case DLS_BOUNDS_BACKWARD:
        sentence_add(to, "proved to solve the problem with b off by at most %s and mu by at most %s",
                     dls_digits_up(bounds->b_off, 2).text, dls_digits_up(bounds->mu_off, 2).text);
        break;
    default:
        sentence_add(to, "w of every row is proved to be within %s of a solution, and v+ within %s sqrt(J)", by.text,
                     dls_digits_up(bounds->velocity, 2).text);
        if (bounds->kind == DLS_BOUNDS_INDEPENDENT)
            sentence_add(to, ", without %zu rows that depend on others and contradict them by at most %s",
                         bounds->dependent, dls_digits_up(bounds->inconsistent, 2).text);
        else
            sentence_add(to, "; the impulses are not unique");
    }
}

/* --- wrong --- */

static void name_row(const dls_problem *p, size_t i, size_t first, dls_sentence *to)
{
    const char *owner = dls_problem_owner(p, i);
    sentence_add(to, " in row %zu", i + first);
    if (*owner)
        sentence_add(to, ", %s.%s", owner, dls_problem_label(p, i));
}

/* The condition that the impulse and the w of a row violate. */
static void name_condition(double lo, double lambda, double hi, double w, dls_sentence *to)
{
    if (!isfinite(lambda))
        sentence_add(to, ": the impulse is no finite number");
    else if (lambda < lo || lambda > hi)
        sentence_add(to, ": the impulse %.6g is %s its bound %.6g", lambda, lambda < lo ? "below" : "above",
                     lambda < lo ? lo : hi);
    else if (lambda > lo && lambda < hi)
        sentence_add(to, ": the impulse %.6g is between its bounds, where w must be 0, and w is %.6g", lambda, w);
    else
        sentence_add(to, ": the impulse is at its %s bound, where w must not be %s, and w is %.6g",
                     w > 0.0 ? "upper" : "lower", w > 0.0 ? "positive" : "negative", w);
}

static void say_violated(const dls_problem *p, const dls_criteria *criteria, const double *lambda, const double *w,
                         const dls_certificate *c, size_t first, dls_sentence *to)
{
    size_t i = 0;
    double lo, hi;
    while (i < p->n && isfinite(lambda[i]))
        i++;
    i = i < p->n ? i : c->worst_row;
    to->row = i;
    if (i == DLS_NONE)
        return;
    dls_problem_bounds(p, i, lambda, &lo, &hi);
    to->by = !isfinite(lambda[i])        ? NAN
             : dls_problem_is_cone(p, i) ? c->scaled_residual
             : lambda[i] < lo            ? lo - lambda[i]
             : lambda[i] > hi            ? lambda[i] - hi
                                         : fabs(w[i]);
    if (isfinite(to->by))
        sentence_add(to, " by %.2g", to->by);
    name_row(p, i, first, to);
    if (isfinite(lambda[i]) && dls_problem_is_cone(p, i))
        sentence_add(to, ": under its friction cone (impulse %.6g, %.6g, %.6g; w %.6g, %.6g, %.6g)", lambda[i],
                     lambda[i + 1], lambda[i + 2], w[i], w[i + 1], w[i + 2]);
    else
        name_condition(lo, lambda[i], hi, w[i], to);
    if (isfinite(c->scaled_residual))
        sentence_add(to, "; %.2g of the terms of the row, at most %g is asked", c->scaled_residual,
                     criteria->tolerance);
}

/* --- all outcomes --- */

/* Whether the method failed by its own words, and claims nothing of its impulses, or was ended before it had any. */
static bool has_no_answer(const dls_report *report)
{
    return (report->outcome == DLS_OUTCOME_NUMERICAL_FAILURE && !report->refuted) ||
           (report->outcome == DLS_OUTCOME_TIME_LIMIT && report->iterations == 0);
}

/* An answer that is wrong, or not yet right. */
static void say_unsolved(const dls_criteria *criteria, const double *lambda, const double *w,
                         const dls_certificate *certificate, const dls_bounds *bounds, const dls_report *report,
                         size_t first, dls_sentence *to)
{
    const bool violated = !(certificate->scaled_residual <= criteria->tolerance);
    sentence_add(to, report->outcome == DLS_OUTCOME_NUMERICAL_FAILURE ? "wrong"
                     : violated                                       ? "not finished: off"
                                                                      : "not finished");
    if (violated)
        say_violated(criteria->problem, criteria, lambda, w, certificate, first, to);
    if (to->row == DLS_NONE)
        sentence_add(to, ": %s", report->message);
    else if (bounds->kind != DLS_BOUNDS_NONE)
        sentence_add(to, "; "), say_proved(bounds, to);
}

dls_sentence dls_sentence_of(const dls_criteria *criteria, const double *lambda, const double *w,
                             const dls_certificate *certificate, const dls_bounds *bounds, const dls_report *report,
                             size_t first)
{
    DLS_STANDARD_ARITHMETIC;
    const dls_problem *p = criteria->problem;
    dls_sentence to = {.by = NAN, .row = DLS_NONE};
    const char *fractions = exact_fractions(p, lambda, report);
    switch (report->outcome) {
    case DLS_OUTCOME_SOLVED:
    case DLS_OUTCOME_SEVERAL:
    case DLS_OUTCOME_CONTINUUM:
        to.proved = bounds->kind != DLS_BOUNDS_NONE || fractions;
        sentence_add(&to, "right to ");
        if (bounds->kind == DLS_BOUNDS_NONE && fractions) {
            say_exact(p, lambda, fractions, report, &to);
        } else if (to.proved) {
            to.by = proved_bound(bounds);
            sentence_add(&to, "%s: ", dls_digits_up(to.by, 2).text);
            say_proved(bounds, &to);
            if (isfinite(bounds->lambda))
                sentence_add(&to, "; the largest is %.3g", largest_impulse(p, lambda));
        } else {
            say_measured(criteria, certificate, bounds, &to);
        }
        if (report->outcome == DLS_OUTCOME_SEVERAL)
            sentence_add(&to, "; one of %zu solutions", report->n_solutions);
        if (report->outcome == DLS_OUTCOME_CONTINUUM)
            sentence_add(&to, "; one of a continuum of solutions");
        return to;
    case DLS_OUTCOME_NO_SOLUTION:
        sentence_add(&to, "no solution exists, which is proved: %s", report->message);
        return to;
    case DLS_OUTCOME_REFUSED:
        sentence_add(&to, "not solved: %s", report->message);
        return to;
    case DLS_OUTCOME_UNDECIDED:
        sentence_add(&to, "undecided: %s", report->message);
        return to;
    default:
        if (has_no_answer(report)) {
            const bool failed = report->outcome == DLS_OUTCOME_NUMERICAL_FAILURE;
            sentence_add(&to, "%s: %s", failed ? "failed" : "not finished", report->message);
            return to;
        }
        say_unsolved(criteria, lambda, w, certificate, bounds, report, first, &to);
        return to;
    }
}
