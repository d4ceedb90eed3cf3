/* The first number in which two dumped steps differ. */
#include "step_difference.h"

#include "dumps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

dls_status dumped_read(const char *folder, const char *name, dumped *step, dls_error *error)
{
    const dls_vector_query query = {"lambda", NULL, false};
    char path[DLS_PATH_MAX];
    size_t count;
    DLS_TRY(dumps_path(folder, name, DUMPS_PROBLEM, path, error));
    DLS_TRY(dls_problem_read(path, &step->problem, error));
    DLS_TRY(dumps_path(folder, name, DUMPS_IMPULSES, path, error));
    DLS_TRY(dls_vector_read(path, &query, &count, &step->lambda, error));
    return count == step->problem->n
               ? DLS_OK
               : dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "holds %zu impulses; the problem has %zu rows", count,
                                step->problem->n);
}

void dumped_release(dumped *step)
{
    dls_problem_destroy(step->problem);
    free(step->lambda);
}

bool numbers_differ(difference *d, const char *what, double a, double b)
{
    if (memcmp(&a, &b, sizeof a) == 0)
        return false;
    d->found = true;
    snprintf(d->what, sizeof d->what, "%s", what);
    d->value[0] = a, d->value[1] = b;
    return true;
}

bool counts_differ(difference *d, const char *what, size_t a, size_t b)
{
    return a != b && numbers_differ(d, what, (double)a, (double)b);
}

static double row_position_error(const dls_problem *p, size_t i)
{
    const dls_row_list *list = dls_problem_rows(p);
    return list ? list->row[i].C : 0.0;
}

bool rows_differ(difference *d, const dls_problem *a, size_t i, const dls_problem *b, size_t k)
{
    row_name(a, i, d->row, sizeof d->row);
    return numbers_differ(d, "c", a->c[i], b->c[k]) || numbers_differ(d, "gamma", a->gamma[i], b->gamma[k]) ||
           numbers_differ(d, "lo", a->lo[i], b->lo[k]) || numbers_differ(d, "hi", a->hi[i], b->hi[k]) ||
           counts_differ(d, "friction law", a->law[i], b->law[k]) || numbers_differ(d, "mu", a->mu[i], b->mu[k]) ||
           numbers_differ(d, "C", row_position_error(a, i), row_position_error(b, k));
}

/* Blocks and coefficients of row i in the same order. */
static bool jacobians_differ(difference *d, const dls_problem *a, const dls_problem *b, size_t i)
{
    const dls_rows *J = &a->J, *K = &b->J;
    if (counts_differ(d, "blocks", J->start[i + 1] - J->start[i], K->start[i + 1] - K->start[i]) ||
        counts_differ(d, "coefficients", J->coef_at[J->start[i + 1]] - J->coef_at[J->start[i]],
                      K->coef_at[K->start[i + 1]] - K->coef_at[K->start[i]]))
        return true;
    for (size_t k = J->coef_at[J->start[i]]; k < J->coef_at[J->start[i + 1]]; k++)
        if (numbers_differ(d, "J", J->coef[k], K->coef[k - J->coef_at[J->start[i]] + K->coef_at[K->start[i]]]))
            return true;
    return false;
}

static bool problems_differ(difference *d, const dls_problem *a, const dls_problem *b)
{
    d->row[0] = '\0';
    if (counts_differ(d, "number of rows", a->n, b->n) || counts_differ(d, "number of velocities", a->nv, b->nv) ||
        numbers_differ(d, "step h", a->h, b->h))
        return true;
    for (size_t j = 0; j < a->nv; j++)
        if (numbers_differ(d, "v*", a->v_star[j], b->v_star[j])) {
            snprintf(d->row, sizeof d->row, "velocity %zu", j + 1);
            return true;
        }
    for (size_t i = 0; i < a->n; i++)
        if (rows_differ(d, a, i, b, i) || jacobians_differ(d, a, b, i))
            return true;
    return false;
}

static bool impulses_differ(difference *d, const dumped *a, const dumped *b)
{
    for (size_t i = 0; i < a->problem->n; i++)
        if (numbers_differ(d, "lambda", a->lambda[i], b->lambda[i])) {
            row_name(a->problem, i, d->row, sizeof d->row);
            return true;
        }
    return false;
}

void steps_compare(difference *d, const dumped *a, const dumped *b)
{
    if (problems_differ(d, a->problem, b->problem) || impulses_differ(d, a, b))
        return;
    d->row[0] = '\0';
    numbers_differ(d, "masses, labels or places of coefficients", NAN, 0.0); /* nothing else is left */
}
