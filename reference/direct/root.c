/* A root of A, by parts of rows.
 *
 * A matrix A has its root by Cholesky's factor with the largest remaining diagonal as the next pivot (LAPACK's dpstrf;
 * C. Lucas, 2004), which ends where the pivots are rounding errors, or negative: A is semidefinite where nothing else
 * remains of it. */
#include "root.h"

#include <lapacke.h>

/* --- the mechanical form --- */

/* The parts of row i, one for each block of M that it acts on, in the units of q. */
static void fill_row(dls_root *g, const dls_direct *d, size_t i, size_t *count, double **values, double *y)
{
    const dls_problem *p = d->problem;
    g->start[i] = *count;
    for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++) {
        const dls_mass_block *block = &p->mass.blocks[p->J.mass[k]];
        bool known = false;
        for (size_t before = p->J.start[i]; before < k; before++)
            known = known || p->J.mass[before] == p->J.mass[k];
        if (known)
            continue;
        memset(y, 0, block->length * sizeof *y);
        for (size_t other = k; other < p->J.start[i + 1]; other++)
            for (size_t at = p->J.coef_at[other]; p->J.mass[other] == p->J.mass[k] && at < p->J.coef_at[other + 1];
                 at++)
                y[p->J.offset[other] - block->offset + (at - p->J.coef_at[other])] += p->J.coef[at];
        block->kind->half(block->data, y, *values);
        for (size_t r = 0; r < block->length; r++)
            (*values)[r] = ldexp((*values)[r], d->row_unit[i]);
        g->part[(*count)++] = (dls_root_part){.offset = block->offset, .length = block->length, .values = *values};
        *values += block->length;
    }
    g->start[i + 1] = *count;
    g->compliance[i] = ldexp(p->gamma[i], 2 * d->row_unit[i]);
}

void dls_root_take_mechanical(dls_root *g, const dls_direct *d)
{
    const dls_problem *p = d->problem;
    *g = (dls_root){.n = d->n, .columns = p->nv};
    if (p->form != DLS_FORM_MECHANICAL || p->nv == 0 || p->nv >= d->n || d->redundant.k > 0 || d->n_twins > 0)
        return;
    size_t count = 0, longest = 0, total = 0;
    for (size_t k = 0; k < p->J.start[d->n]; k++) {
        const size_t length = p->mass.blocks[p->J.mass[k]].length;
        total += length;
        longest = length > longest ? length : longest;
    }
    g->start = DLS_TAKE(d->memory, size_t, d->n + 1);
    g->part = DLS_TAKE(d->memory, dls_root_part, p->J.start[d->n]);
    g->touched = DLS_TAKE(d->memory, dls_root_part, p->mass.n_blocks);
    g->sum = DLS_TAKE_ZEROS(d->memory, double, p->nv);
    g->compliance = dls_direct_vector(d);
    double *values = DLS_TAKE(d->memory, double, total), *y = DLS_TAKE(d->memory, double, longest);
    for (size_t i = 0; !d->memory->failed && i < d->n; i++)
        fill_row(g, d, i, &count, &values, y);
}

/* --- the matrix form --- */

void dls_root_take_matrix(dls_root *g, const dls_direct *d)
{
    const size_t n = d->n;
    *g = (dls_root){.n = n};
    g->start = DLS_TAKE(d->memory, size_t, n + 1);
    g->part = DLS_TAKE(d->memory, dls_root_part, n);
    g->touched = DLS_TAKE(d->memory, dls_root_part, 1);
    g->compliance = dls_direct_vector(d);
    g->dense = dls_take_matrix(d->memory, n, n);
    double *values = dls_take_matrix(d->memory, n, n);
    for (size_t i = 0; !d->memory->failed && i < n; i++)
        g->part[i] = (dls_root_part){.values = values + n * i};
}

/* The largest entry of A - G G^T, in `rest` by its lower triangle, as a share of the diagonal of A. */
static double largest_remainder(size_t n, const double *A, const double *rest)
{
    double largest = 0.0;
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) {
            const double size = sqrt(fabs(A[i + n * i])) * sqrt(fabs(A[j + n * j])), left = fabs(rest[i + n * j]);
            largest = left == 0.0 ? largest : size > 0.0 ? fmax(largest, left / size) : HUGE_VAL;
        }
    return largest;
}

double dls_root_factorise(dls_root *g, const dls_direct *d)
{
    const size_t n = d->n;
    const dls_dense *q = &d->q;
    lapack_int rank = 0;
    double *L = g->dense, *scratch = DLS_TAKE(d->memory, double, 2 * n);
    lapack_int *pivot = DLS_TAKE(d->memory, lapack_int, n);
    if (d->memory->failed)
        return HUGE_VAL;
    memcpy(L, q->A, n * n * sizeof *L);
    if (n > 0 &&
        (!dls_matrix_is_finite(n, L, true) ||
         LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, L, (lapack_int)n, pivot, &rank, -1.0, scratch) < 0))
        return HUGE_VAL;
    g->columns = (size_t)rank;
    for (size_t k = 0; k < n; k++) {
        const size_t i = (size_t)(pivot[k] - 1);
        g->start[i] = i;
        g->part[i].offset = 0, g->part[i].length = g->columns;
        for (size_t c = 0; c < g->columns; c++)
            g->part[i].values[c] = c <= k ? L[k + n * c] : 0.0;
    }
    g->start[n] = n;
    memcpy(L, q->A, n * n * sizeof *L);
    if (n > 0 && rank > 0) /* rows of G stand one after another: its transpose by columns */
        cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)n, rank, -1.0, g->part[0].values, (int)n, 1.0, L,
                    (int)n);
    return largest_remainder(n, q->A, L);
}

/* --- products --- */

void dls_root_multiply(const dls_root *g, const double *y, double *x)
{
    for (size_t i = 0; i < g->n; i++) {
        x[i] = 0.0;
        for (const dls_root_part *part = g->part + g->start[i]; part < g->part + g->start[i + 1]; part++)
            for (size_t c = 0; c < part->length; c++)
                x[i] += part->values[c] * y[part->offset + c];
    }
}

void dls_root_multiply_transposed(const dls_root *g, const double *x, double *y)
{
    memset(y, 0, g->columns * sizeof *y);
    for (size_t i = 0; i < g->n; i++)
        for (const dls_root_part *part = g->part + g->start[i]; part < g->part + g->start[i + 1]; part++)
            for (size_t c = 0; c < part->length; c++)
                y[part->offset + c] += part->values[c] * x[i];
}

void dls_root_add_product(const dls_root *g, size_t i, size_t j, double share, double *S)
{
    for (size_t a = g->start[i]; a < g->start[i + 1]; a++)
        for (size_t b = g->start[j]; b < g->start[j + 1]; b++) {
            const dls_root_part *left = &g->part[a], *right = &g->part[b];
            for (size_t c = 0; c < right->length; c++) {
                double *column = S + left->offset + g->columns * (right->offset + c);
                const double scaled = share * right->values[c];
                for (size_t r = 0; r < left->length; r++)
                    column[r] += left->values[r] * scaled;
            }
        }
}

void dls_root_squares_add(const dls_root_squares *of, const double *u, double *x)
{
    for (size_t t = 0; t < of->count; t++) {
        double along = 0.0;
        for (size_t k = of->start[t]; k < of->start[t + 1]; k++)
            along += of->coef[k] * u[of->row[k]];
        for (size_t k = of->start[t]; k < of->start[t + 1]; k++)
            x[of->row[k]] += of->weight[t] * along * of->coef[k];
    }
}

/* g = sum_k coef[k] G_row[k]^T, added to `sum`; returns the number of parts touched, each once. */
static size_t gather_rows(const dls_root *g, size_t count, const size_t *row, const double *coef, double *sum)
{
    size_t touched = 0;
    for (size_t k = 0; k < count; k++)
        for (size_t a = g->start[row[k]]; a < g->start[row[k] + 1]; a++) {
            const dls_root_part *part = &g->part[a];
            size_t known = 0;
            while (known < touched && g->touched[known].offset != part->offset)
                known++;
            if (known == touched)
                g->touched[touched++] = *part;
            for (size_t c = 0; c < part->length; c++)
                sum[part->offset + c] += coef[k] * part->values[c];
        }
    return touched;
}

/* S += share g g^T, of which the parts touched are not 0. */
static void add_square(const dls_root *g, size_t touched, double share, double *S)
{
    for (size_t a = 0; a < touched; a++)
        for (size_t b = 0; b < touched; b++) {
            const dls_root_part *left = &g->touched[a], *right = &g->touched[b];
            for (size_t c = 0; left->offset >= right->offset && c < right->length; c++) {
                const size_t at = right->offset + c, first = a == b ? at : left->offset;
                const double scaled = share * g->sum[at];
                for (size_t r = first; scaled != 0.0 && r < left->offset + left->length; r++)
                    S[r + g->columns * at] += g->sum[r] * scaled;
            }
        }
}

void dls_root_add_squares(const dls_root *g, const dls_root_squares *of, double *S)
{
    const int columns = (int)g->columns;
    if (g->dense)
        memset(g->dense, 0, of->count * g->columns * sizeof *g->dense);
    for (size_t t = 0; t < of->count; t++) {
        const size_t at = of->start[t], count = of->start[t + 1] - at;
        double *sum = g->dense ? g->dense + g->columns * t : g->sum;
        const size_t touched = gather_rows(g, count, of->row + at, of->coef + at, sum);
        if (g->dense) {
            cblas_dscal(columns, sqrt(of->weight[t]), sum, 1);
            continue;
        }
        add_square(g, touched, of->weight[t], S);
        for (size_t a = 0; a < touched; a++)
            memset(g->sum + g->touched[a].offset, 0, g->touched[a].length * sizeof *g->sum);
    }
    if (g->dense && columns > 0)
        cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, columns, (int)of->count, 1.0, g->dense, columns, 1.0, S,
                    columns);
}
