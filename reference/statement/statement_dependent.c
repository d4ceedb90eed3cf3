/* The problem without the rows without bounds that depend on others, and how well the others combine to them.
 *
 * certify_dependent.c finds independent rows S and dependent rows D, and impulses of S that do the same. With the
 * scaled matrix H of the certificates, J_k is about sum_i a_i J_i for a = H_SS^-1 H_Sk; the coefficients a are
 * doubles, and
 *     rest = J_k - sum_i a_i J_i,   c_k - sum_i a_i c_i
 * are summed in twice the precision: they are the rounding errors by which redundant rows contradict each other. The
 * program that checks a certificate computes them again, exactly. */
#include "blas.h"
#include "statement.h"

#include "certify/parts.h"

#include <float.h>
#include <lapacke.h>

#include <math.h>
#include <string.h>

/* A claim is weaker than the computed value by this factor. */
static const double margin = 1.001;

struct dls_statement_dependent {
    dls_stored stored;
    dls_dependent rows;
    size_t count, *left_out; /* count, ascending: rows that are left out */
    double *combinations;    /* count x n */
    double residual[2];      /* the largest |rest| in the norm of M^-1, and of c */
    double *w, *w_error;     /* n */
    dls_twofold *lambda;     /* n */
    dls_twofold_sum *sums;   /* nv */
    double *rest, *response; /* nv: of one row, and M^-1 of it */
};

static void add_row(const dls_rows *J, size_t i, double factor, dls_twofold_sum *to)
{
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
        for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++)
            dls_sum_add_product(&to[j], factor, J->coef[at]);
}

/* rest and c_k - sum_i a_i c_i of left-out row k, which is returned. */
static double evaluate_rest(const dls_statement_dependent *d, size_t k)
{
    const dls_problem *p = d->stored.p;
    dls_twofold_sum c = {0};
    double error;
    memset(d->sums, 0, p->nv * sizeof *d->sums);
    add_row(&p->J, d->left_out[k], 1.0, d->sums);
    dls_sum_add(&c, p->c[d->left_out[k]]);
    for (size_t i = 0; i < p->n; i++) {
        const double a = d->combinations[p->n * k + i];
        if (a == 0.0)
            continue;
        add_row(&p->J, i, -a, d->sums);
        dls_sum_add_product(&c, -a, p->c[i]);
    }
    for (size_t j = 0; j < p->nv; j++)
        d->rest[j] = dls_sum_value(&d->sums[j], &error);
    dls_mass_solve(&p->mass, d->rest, d->response);
    return dls_sum_value(&c, &error);
}

/* The coefficients of left-out row k, by corrections from their residual. L: a factor of H_SS; x: rank. */
static double find_combination(const dls_statement_dependent *d, size_t k, const double *L, double *x)
{
    enum { CORRECTIONS = 3 };
    const dls_stored *s = &d->stored;
    const size_t rank = d->rows.rank, *rows = d->rows.rows, row = d->left_out[k];
    for (int round = 0; round < CORRECTIONS && rank > 0; round++) {
        evaluate_rest(d, k);
        for (size_t a = 0; a < rank; a++)
            x[a] = s->d[rows[a]] * dls_rows_dot(&s->p->J, rows[a], d->response) * s->d[row];
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (int)rank, 1, L, (int)rank, x, (int)rank);
        for (size_t a = 0; a < rank; a++)
            d->combinations[s->n * k + rows[a]] += x[a] * s->d[rows[a]] / s->d[row];
    }
    return evaluate_rest(d, k);
}

/* The combinations, and their largest residuals. */
static bool find_combinations(dls_statement_dependent *d, dls_arena *memory)
{
    const dls_stored *s = &d->stored;
    const dls_dependent *rows = &d->rows;
    const size_t rank = rows->rank;
    double *K = dls_arena_take(memory, rank + 1, (rank + 1) * sizeof *K), *x = DLS_TAKE(memory, double, rank + 1);
    if (memory->failed)
        return false;
    for (size_t b = 0; b < rank; b++)
        for (size_t a = 0; a < rank; a++)
            K[a + rank * b] = s->H[s->n * rows->rows[a] + rows->rows[b]];
    const int r = (int)rank;
    const bool factored =
        rank == 0 || (dls_blas_ready(NULL) == DLS_OK && LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', r, K, r) == 0);
    for (size_t k = 0; k < d->count; k++) {
        double square = 0.0, c = factored ? find_combination(d, k, K, x) : evaluate_rest(d, k);
        for (size_t j = 0; j < s->nv; j++)
            square += d->rest[j] * d->response[j];
        d->residual[0] = fmax(d->residual[0], margin * sqrt(fmax(0.0, square)));
        d->residual[1] = fmax(d->residual[1], margin * fabs(c));
    }
    return true;
}

static dls_status describe_rows(dls_statement_dependent *d, dls_arena *memory, dls_error *error)
{
    const dls_problem *p = d->stored.p;
    d->left_out = DLS_TAKE(memory, size_t, p->n);
    for (size_t i = 0; d->left_out && i < p->n; i++)
        if (d->rows.left[i])
            d->left_out[d->count++] = i;
    d->combinations = dls_arena_zeros(memory, d->count, p->n * sizeof *d->combinations);
    d->sums = DLS_TAKE(memory, dls_twofold_sum, p->nv);
    d->rest = DLS_TAKE(memory, double, p->nv), d->response = DLS_TAKE(memory, double, p->nv);
    if (memory->failed || !find_combinations(d, memory))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the combinations of %zu rows", p->n);
    for (size_t k = 0; k < 2; k++)
        d->residual[k] += d->residual[k] > 0.0 ? DBL_MIN : 0.0;
    return DLS_OK;
}

dls_status dls_statement_divide(dls_statement *out, dls_error *error)
{
    const dls_problem *p = out->p;
    dls_arena *memory = &out->memory;
    const char *why = NULL;
    dls_statement_dependent *d = DLS_TAKE_ZEROS(memory, dls_statement_dependent, 1);
    if (memory->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a statement about %zu rows", p->n);
    if (p->form != DLS_FORM_MECHANICAL || p->n_coupled > 0)
        return DLS_OK;
    DLS_TRY(dls_stored_take(p, memory, &d->stored, &why, error));
    d->w = DLS_TAKE(memory, double, p->n), d->w_error = DLS_TAKE(memory, double, p->n);
    d->lambda = DLS_TAKE(memory, dls_twofold, p->n);
    if (memory->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a statement about %zu rows", p->n);
    if (why)
        return DLS_OK;
    for (size_t i = 0; i < p->n; i++)
        d->lambda[i] = (dls_twofold){out->given[i], 0.0};
    dls_stored_w(&d->stored, d->lambda, d->w, d->w_error);
    out->dependent = d;
    DLS_TRY(dls_dependent_find(&d->rows, &d->stored, out->given, d->w, d->w_error, error));
    return d->rows.problem ? describe_rows(d, memory, error) : DLS_OK;
}

const dls_problem *dls_statement_rest(const dls_statement_dependent *d, const double **lambda)
{
    *lambda = d ? d->rows.lambda : NULL;
    return d ? d->rows.problem : NULL;
}

void dls_statement_describe_rest(const dls_statement_dependent *d, char *text, size_t size)
{
    snprintf(text, size, "without %zu dependent row%s, within %s |v|_M + %s: ", d->count, d->count > 1 ? "s" : "",
             dls_digits_up(d->residual[0], 2).text, dls_digits_up(d->residual[1], 2).text);
}

void dls_statement_write_claim(const dls_statement_dependent *d, FILE *to)
{
    fputs("\"claim\": {\"kind\": \"without\", \"rows\": [", to);
    for (size_t k = 0; k < d->count; k++)
        fprintf(to, "%s%zu", k > 0 ? ", " : "", d->left_out[k]);
    fputs("]", to);
    dls_statement_write_numbers(to, "residual", 2, d->residual);
    fputs(",\n", to);
}

void dls_statement_write_combinations(const dls_statement_dependent *d, FILE *to)
{
    const size_t n = d->stored.n;
    fputs("\"witness\": {\"combinations\": [", to);
    for (size_t k = 0; k < d->count; k++) {
        fputs(k > 0 ? ",\n" : "\n", to);
        dls_statement_write_list(to, n, d->combinations + n * k);
    }
    fputs("],\n", to);
}

void dls_statement_dependent_release(dls_statement_dependent *d)
{
    if (d)
        dls_dependent_release(&d->rows);
}
