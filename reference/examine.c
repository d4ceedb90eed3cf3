/* The examiner: what a vector of impulses is worth, recomputed from the problem alone.
 *
 * Nothing here is shared with a solver, nor with the dense assembly: the loops over the rows are its own, and M^-1 is
 * not the mass operator's solve but its own Cholesky factor of each block of M, formed by the block's multiply. So a
 * wrong M^-1, a wrong response or a wrong matrix in a solver cannot hide. The work is linear in the entries of J and of
 * the factors. No library is called, so the figures are the same bytes under every BLAS.
 *
 *     w = J M^-1 J^T lambda + Gamma lambda + b,    b = J v* - c                                  conventions (4)
 *     natural map  N(lambda) = lambda - clamp(lambda - w, lo, hi): zero exactly at the solutions of (5)
 *
 * The raw map adds impulses and velocities, so its size depends on the units. With D = diag(A) both terms have one
 * unit: N_D(lambda) = lambda - clamp(lambda - w / D) is an impulse, D N_D a velocity. With M = L L^T a block of M and
 * J_i of row i, J_i M^-1 J_i^T = |L^-1 J_i^T|^2.
 *
 * A contact under Coulomb's cone is three rows with one map, which examine_cone.c defines: D is the largest of its
 * three there.
 *
 * WHEN IS A ROW SOLVED? D weighs an impulse against a velocity, and where A_ii is small beside its row it weighs one of
 * them away. The verdict therefore holds each violation against figures of its own kind, row by row:
 *
 *     T_i = |b_i| + sum_j |A_ij| |lambda_j|      the terms of w_i: a velocity
 *     Lambda_i = min_j T_j / |A_ji|              the impulse of row i that moves some row by all of its terms
 *
 * and never above the finite bounds of the row, the largest of which is also a scale of its impulse. The row figure is
 * the middle one of (lambda_i - lo_i) / Lambda_i, w_i / T_i and (lambda_i - hi_i) / Lambda_i. It has no unit: with
 * (A, t b, t lo, t hi), and with (S A S, S b, S^-1 lo, S^-1 hi), it is the same, to the bit where t and S are powers of
 * two.
 *
 * In the mechanical form A is never formed. With y_ik = L_k^-1 J_ik^T of row i in block k of M, Cauchy and Schwarz say
 * |A_ij| <= sum_k |y_ik| |y_jk| + Gamma_ij, so with N_ik = |y_ik|
 *     S_k = sum_j N_jk |lambda_j|,  T_i = |b_i| + sum_k N_ik S_k + Gamma_i |lambda_i|,
 *     R_k = min_j T_j / N_jk,       Lambda_i = min(min_k R_k / N_ik, T_i / Gamma_i),
 * each one pass over the blocks of the rows. The matrix form has N = |A|, S = |lambda| and Lambda = R.
 *
 * b_i = J_i v* - c_i is itself the outcome of a sum. A |w_i| below the rounding of that sum cannot be told from 0.
 * Where T_i overflows, w_i cannot be told at all: the row figure is no number.
 *
 * Rows of closed loops may contradict each other so that no impulse changes what is left: examine_redundant.c says when
 * a w is no violation for that reason.
 */
#include "delassus/reference.h"

#include "base/memory.h"
#include "examine_cone.h"
#include "examine_redundant.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct dls_examiner {
    const dls_problem *p;
    bool symmetric;
    dls_diagonals diagonals;
    double *b, *D, *w;        /* n */
    double *rounding;         /* n: of the sum that b_i is */
    double *T, *Lambda;       /* n: of the impulses examined last */
    double *difference, *y;   /* n */
    double *force, *velocity; /* nv */
    double *factor;    /* of each block of M, one after another: L row by row, with the reciprocals of its diagonal */
    size_t *factor_at; /* n_blocks */
    size_t *begin;     /* nv: the first column of each row of the factors */
    bool *body;        /* n_blocks: whether a block is that of a free body, diag(m 1, I) */
    double *part;      /* as long as the longest block */
    size_t *pull_at;   /* n + 1: where the entries N_ik of row i start */
    size_t *pulled;    /* k: a block of M; in the matrix form a column */
    double *pull;      /* N_ik */
    size_t n_sources;  /* how many k there are */
    double *S, *R;     /* of each k */
    size_t *root;      /* of each k: another one of its island, nearer to the island's first */
    double *left;      /* of each island, and of the rows that nothing moves: the largest violation as energy, */
    double *data;      /* and the energy of its data, */
    double *unit;      /* both in units of 1 / unit^2, a power of two, so that no square leaves the range of a double */
    dls_redundant_rows redundant;
    dls_arena memory;
};

/* Most blocks of a row are those of a body: their six entries, one after another. */
static double row_dot(const dls_rows *J, size_t i, const double *x)
{
    double sum = 0.0;
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++) {
        const size_t first = J->coef_at[k], length = J->coef_at[k + 1] - first;
        const double *a = J->coef + first, *xk = x + J->offset[k];
        if (length == 6)
            sum =
                (((((sum + a[0] * xk[0]) + a[1] * xk[1]) + a[2] * xk[2]) + a[3] * xk[3]) + a[4] * xk[4]) + a[5] * xk[5];
        for (size_t j = 0; j < length && length != 6; j++)
            sum += a[j] * xk[j];
    }
    return sum;
}

static void transposed_times(const dls_rows *J, const double *y, double *x)
{
    memset(x, 0, J->n_columns * sizeof *x);
    for (size_t i = 0; i < J->n; i++)
        for (size_t k = J->start[i]; k < J->start[i + 1]; k++) {
            const size_t first = J->coef_at[k], length = J->coef_at[k + 1] - first;
            const double *a = J->coef + first;
            double *xk = x + J->offset[k];
            for (size_t j = 0; j < 6 && length == 6; j++)
                xk[j] += a[j] * y[i];
            for (size_t j = 0; j < length && length != 6; j++)
                xk[j] += a[j] * y[i];
        }
}

/* x <- L^-1 x for an x whose entries before `first` are 0; row r of L begins at column begin[r]. */
static void forward(const double *L, const size_t *begin, size_t m, size_t first, double *x)
{
    for (size_t r = first; r < m; r++) {
        double sum = x[r];
        for (size_t c = begin[r] > first ? begin[r] : first; c < r; c++)
            sum -= L[m * r + c] * x[c];
        x[r] = sum * L[m * r + r];
    }
}

/* x <- L^-T x */
static void backward(const double *L, const size_t *begin, size_t m, double *x)
{
    for (size_t r = m; r-- > 0;) {
        x[r] *= L[m * r + r];
        for (size_t c = begin[r]; c < r; c++)
            x[c] -= L[m * r + c] * x[r];
    }
}

/* x <- M^-1 x by the examiner's own factors. */
static void solve_mass(const dls_examiner *e, double *x)
{
    for (size_t k = 0; k < e->p->mass.n_blocks; k++) {
        const dls_mass_block *block = &e->p->mass.blocks[k];
        const double *L = e->factor + e->factor_at[k];
        const size_t *begin = e->begin + block->offset;
        forward(L, begin, block->length, 0, x + block->offset);
        backward(L, begin, block->length, x + block->offset);
    }
}

/* The velocity that lambda makes: M^-1 J^T lambda; lambda itself in the matrix form. */
static const double *velocity_of(const dls_examiner *e, const double *lambda)
{
    if (e->p->form == DLS_FORM_MATRIX)
        return lambda;
    transposed_times(&e->p->J, lambda, e->velocity);
    solve_mass(e, e->velocity);
    return e->velocity;
}

/* Al = A lambda: without b. */
static void times_A(const dls_examiner *e, const double *lambda, double *Al)
{
    const double *v = velocity_of(e, lambda);
    for (size_t i = 0; i < e->p->n; i++)
        Al[i] = row_dot(&e->p->J, i, v) + e->p->gamma[i] * lambda[i];
}

/* --- loading a problem --- */

/* M = L L^T in place, rows of the lower triangle, which begin where those of M do; false where M is not positive
 * definite. */
static bool factorise(double *M, size_t m, size_t *begin)
{
    for (size_t r = 0; r < m; r++) {
        double *row = M + m * r, diagonal = row[r];
        for (begin[r] = 0; begin[r] < r && row[begin[r]] == 0.0;)
            begin[r]++;
        for (size_t c = begin[r]; c < r; c++) {
            const double *above = M + m * c;
            double sum = row[c];
            for (size_t k = begin[r] > begin[c] ? begin[r] : begin[c]; k < c; k++)
                sum -= row[k] * above[k];
            row[c] = sum * above[c];
            diagonal -= row[c] * row[c];
        }
        if (!(diagonal > 0.0))
            return false;
        row[r] = 1.0 / sqrt(diagonal);
    }
    return true;
}

static bool is_body(size_t m, const size_t *begin)
{
    return m == 6 && begin[1] == 1 && begin[2] == 2 && begin[3] == 3 && begin[4] >= 3 && begin[5] >= 3;
}

/* |L^-1 J^T|^2 of such a block and a row with all six columns of it. */
static double square_on_body(const double *L, const double *J)
{
    const double x0 = J[0] * L[0], x1 = J[1] * L[7], x2 = J[2] * L[14], x3 = J[3] * L[21];
    const double x4 = (J[4] - L[27] * x3) * L[28], x5 = ((J[5] - L[33] * x3) - L[34] * x4) * L[35];
    return ((((x0 * x0 + x1 * x1) + x2 * x2) + x3 * x3) + x4 * x4) + x5 * x5;
}

static dls_status factor_mass(dls_examiner *e, dls_error *error)
{
    for (size_t k = 0; k < e->p->mass.n_blocks; k++) {
        const dls_mass_block *block = &e->p->mass.blocks[k];
        size_t m = block->length;
        double *M = e->factor + e->factor_at[k];
        dls_mass_block_matrix(block, e->part, M, m);
        if (!factorise(M, m, e->begin + block->offset))
            return dls_fail(error, DLS_BAD_INPUT, "block %zu of the mass matrix is not positive definite", k);
        e->body[k] = is_body(m, e->begin + block->offset);
    }
    return DLS_OK;
}

/* The same of any block, that of piece *k of row i; *k is then the first piece of the next block. */
static double square_on(const dls_examiner *e, size_t i, size_t *k)
{
    const dls_rows *J = &e->p->J;
    const size_t mass = J->mass[*k];
    const dls_mass_block *block = &e->p->mass.blocks[mass];
    const size_t m = block->length, first = J->offset[*k] - block->offset;
    double sum = 0.0;
    memset(e->part + first, 0, (m - first) * sizeof *e->part);
    for (; *k < J->start[i + 1] && J->mass[*k] == mass; ++*k)
        memcpy(e->part + (J->offset[*k] - block->offset), J->coef + J->coef_at[*k],
               (J->coef_at[*k + 1] - J->coef_at[*k]) * sizeof *e->part);
    forward(e->factor + e->factor_at[mass], e->begin + block->offset, m, first, e->part);
    for (size_t j = first; j < m; j++)
        sum += e->part[j] * e->part[j];
    return sum;
}

/* The entries N_ik of row i, after those of the rows before it; returns A_ii but for Gamma. Mechanical form: one entry
 * for each block of M that the row touches, for the blocks of a row are in the order of their columns. */
static double pull_mechanical(dls_examiner *e, size_t i)
{
    const dls_rows *J = &e->p->J;
    size_t at = e->pull_at[i];
    double diagonal = 0.0;
    for (size_t k = J->start[i]; k < J->start[i + 1];) {
        const size_t mass = J->mass[k];
        double sum = 0.0;
        if (e->body[mass] && J->coef_at[k + 1] - J->coef_at[k] == 6)
            sum = square_on_body(e->factor + e->factor_at[mass], J->coef + J->coef_at[k++]);
        else
            sum = square_on(e, i, &k);
        diagonal += sum;
        e->pulled[at] = mass;
        e->pull[at++] = sqrt(sum);
    }
    e->pull_at[i + 1] = at;
    return diagonal;
}

static double pull_matrix(dls_examiner *e, size_t i)
{
    const dls_rows *J = &e->p->J;
    size_t to = e->pull_at[i];
    double diagonal = 0.0;
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
        for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++) {
            e->pulled[to] = j;
            e->pull[to++] = fabs(J->coef[at]);
            diagonal += j == i ? J->coef[at] : 0.0;
        }
    e->pull_at[i + 1] = to;
    return diagonal;
}

/* |A_ii|, or where that is 0 the largest entry of the row, or 1. */
static double row_scale(const dls_examiner *e, size_t i, double diagonal)
{
    double largest = 0.0;
    for (size_t k = e->pull_at[i]; k < e->pull_at[i + 1] && diagonal == 0.0; k++)
        largest = fmax(largest, e->pull[k]);
    return diagonal != 0.0 ? fabs(diagonal) : largest > 0.0 ? largest : 1.0;
}

/* b_i = J_i v* - c_i, and how far its rounding may reach. v* and c are themselves outcomes of a step's arithmetic, in
 * positions, forces and quotients by h, which the problem does not tell: each term is granted some roundings. */
static double right_side(const dls_problem *p, size_t i, double *rounding)
{
    static const double granted = 64.0;
    const dls_rows *J = &p->J;
    double sum = 0.0, terms = fabs(p->c[i]);
    size_t count = 2;
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++) {
        count += J->coef_at[k + 1] - J->coef_at[k];
        for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++) {
            const double term = J->coef[at] * p->v_star[j];
            sum += term;
            terms += fabs(term);
        }
    }
    *rounding = granted * (double)count * DBL_EPSILON * terms;
    return sum - p->c[i];
}

/* --- islands: rows that have nothing to do with each other --- */

static size_t find_root(size_t *root, size_t k)
{
    while (root[k] != k)
        k = root[k] = root[root[k]];
    return k;
}

static void join(dls_examiner *e, size_t i)
{
    const bool matrix = e->p->form == DLS_FORM_MATRIX;
    size_t first = matrix ? find_root(e->root, i) : SIZE_MAX;
    for (size_t k = e->pull_at[i]; k < e->pull_at[i + 1]; k++) {
        if (e->pull[k] == 0.0)
            continue;
        size_t other = find_root(e->root, e->pulled[k]);
        if (first == SIZE_MAX || other == first)
            first = other;
        else if (first < other)
            e->root[other] = first;
        else
            e->root[first] = other, first = other;
    }
}

/* The first block of M of its island, in the matrix form the first row; n_sources for a row that nothing moves. */
static size_t island_of(const dls_examiner *e, size_t i)
{
    if (e->p->form == DLS_FORM_MATRIX)
        return find_root(e->root, i);
    for (size_t k = e->pull_at[i]; k < e->pull_at[i + 1]; k++)
        if (e->pull[k] != 0.0)
            return find_root(e->root, e->pulled[k]);
    return e->n_sources;
}

/* A coupled row belongs to its normal row, whose impulse bounds its own, even if A does not couple them. */
static void join_normal(dls_examiner *e, size_t i)
{
    if (e->p->parent[i] == DLS_NONE)
        return;
    size_t one = island_of(e, i), other = island_of(e, e->p->parent[i]);
    if (one < e->n_sources && other < e->n_sources)
        e->root[one > other ? one : other] = one < other ? one : other;
}

static bool take_memory(dls_examiner *e, const dls_problem *p)
{
    double **const of_rows[] = {&e->b, &e->D, &e->w, &e->T, &e->Lambda, &e->difference, &e->y, &e->redundant.y};
    bool matrix = p->form == DLS_FORM_MATRIX;
    size_t entries = 0, longest = 0, pulls = matrix ? p->J.coef_at[p->J.start[p->n]] : p->J.start[p->n];
    dls_arena_reset(&e->memory);
    e->factor_at = DLS_TAKE(&e->memory, size_t, p->mass.n_blocks);
    for (size_t k = 0; e->factor_at && k < p->mass.n_blocks; k++) {
        size_t length = p->mass.blocks[k].length;
        e->factor_at[k] = entries;
        entries += length * length;
        longest = length > longest ? length : longest;
    }
    e->factor = DLS_TAKE(&e->memory, double, entries);
    e->begin = DLS_TAKE(&e->memory, size_t, p->nv);
    e->body = DLS_TAKE(&e->memory, bool, p->mass.n_blocks);
    e->part = DLS_TAKE(&e->memory, double, longest);
    e->pull_at = DLS_TAKE(&e->memory, size_t, p->n + 1);
    e->pulled = DLS_TAKE(&e->memory, size_t, pulls);
    e->pull = DLS_TAKE(&e->memory, double, pulls);
    e->n_sources = matrix ? p->n : p->mass.n_blocks;
    e->S = DLS_TAKE(&e->memory, double, e->n_sources);
    e->R = DLS_TAKE(&e->memory, double, e->n_sources);
    e->root = DLS_TAKE(&e->memory, size_t, e->n_sources);
    e->left = DLS_TAKE(&e->memory, double, e->n_sources + 1);
    e->data = DLS_TAKE(&e->memory, double, e->n_sources + 1);
    e->unit = DLS_TAKE_ZEROS(&e->memory, double, e->n_sources + 1);
    for (size_t i = 0; i < sizeof of_rows / sizeof of_rows[0]; i++)
        *of_rows[i] = DLS_TAKE(&e->memory, double, p->n);
    e->rounding = DLS_TAKE_ZEROS(&e->memory, double, p->n);
    e->redundant.kept = DLS_TAKE_ZEROS(&e->memory, bool, p->n);
    e->redundant.parts = DLS_TAKE(&e->memory, double, 4 * p->mass.n_blocks);
    e->force = DLS_TAKE(&e->memory, double, p->nv);
    e->redundant.force = e->force;
    e->velocity = DLS_TAKE(&e->memory, double, p->nv);
    return !e->memory.failed;
}

/* |x| in units of `scale`: 0 where x is 0, and infinite where only the scale is. */
static double share(double x, double scale) { return x == 0.0 ? 0.0 : fabs(x) / scale; }

/* b^2 / A_ii and hi^2 A_ii are energies of the data of an island. */
static void find_units(dls_examiner *e)
{
    enum { MOST = 1000 };
    const dls_problem *p = e->p;
    for (size_t i = 0; i < p->n; i++) {
        const double root = sqrt(e->D[i]), lo = isinf(p->lo[i]) ? 0.0 : fabs(p->lo[i]),
                     hi = isinf(p->hi[i]) ? 0.0 : fabs(p->hi[i]);
        const size_t island = island_of(e, i);
        e->unit[island] = fmax(e->unit[island], fmax(share(e->b[i], root), fmax(lo, hi) * root));
    }
    for (size_t k = 0; k <= e->n_sources; k++) {
        const int exponent = e->unit[k] > 0.0 && isfinite(e->unit[k]) ? ilogb(e->unit[k]) : 0;
        e->unit[k] = scalbn(1.0, -(exponent > MOST ? MOST : exponent < -MOST ? -MOST : exponent));
    }
}

dls_status dls_examiner_reload(dls_examiner *e, const dls_problem *p, dls_error *error)
{
    if (!take_memory(e, p))
        return dls_fail(error, DLS_NO_MEMORY, "no memory to examine a problem of %zu rows", p->n);
    bool matrix = p->form == DLS_FORM_MATRIX;
    e->p = p;
    e->symmetric = dls_problem_is_symmetric(p);
    DLS_TRY(factor_mass(e, error));
    for (size_t k = 0; k < e->n_sources; k++)
        e->root[k] = k;
    e->pull_at[0] = 0;
    e->diagonals = (dls_diagonals){0};
    for (size_t i = 0; i < p->n; i++) {
        double diagonal = p->gamma[i] + (matrix ? pull_matrix(e, i) : pull_mechanical(e, i));
        join(e, i);
        e->D[i] = row_scale(e, i, diagonal);
        e->diagonals.zero += diagonal == 0.0;
        e->diagonals.negative += diagonal < 0.0;
        e->b[i] = matrix ? -p->c[i] : right_side(p, i, &e->rounding[i]);
    }
    for (size_t i = 0; i < p->n; i++)
        join_normal(e, i);
    find_units(e);
    return DLS_OK;
}

dls_status dls_examiner_create(const dls_problem *p, dls_examiner **examiner, dls_error *error)
{
    dls_examiner *e = calloc(1, sizeof *e);
    *examiner = NULL;
    if (!e)
        return dls_fail(error, DLS_NO_MEMORY, "no memory to examine a problem of %zu rows", p->n);
    dls_status status = dls_examiner_reload(e, p, error);
    if (status == DLS_OK)
        *examiner = e;
    else
        dls_examiner_destroy(e);
    return status;
}

void dls_examiner_destroy(dls_examiner *e)
{
    if (!e)
        return;
    dls_arena_release(&e->memory);
    free(e);
}

dls_diagonals dls_examiner_diagonals(const dls_examiner *e) { return e->diagonals; }

/* A_ii in the mechanical form, in the other the largest |A_ij|. */
static double row_size(const dls_examiner *e, size_t i)
{
    double square = 0.0, largest = 0.0;
    for (size_t k = e->pull_at[i]; k < e->pull_at[i + 1]; k++) {
        square += e->pull[k] * e->pull[k];
        largest = fmax(largest, e->pull[k]);
    }
    return e->p->gamma[i] + (e->p->form == DLS_FORM_MATRIX ? largest : square);
}

double dls_examiner_own_impulse(const dls_examiner *e, size_t i)
{
    const bool tangent = e->p->law[i] == DLS_LAW_CONE;
    const size_t first = tangent ? e->p->parent[i] + 1 : i;
    double b = 0.0, size = 0.0;
    for (size_t k = first; k < first + (tangent ? 2 : 1); k++) {
        b = fmax(b, fabs(e->b[k]));
        size = fmax(size, row_size(e, k));
    }
    return size > 0.0 ? b / size : 0.0;
}

/* --- figures --- */

static double clamp(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

/* l - clamp(l - r, lo, hi) as the middle one of l - lo, r, l - hi: the difference l - r would lose an r far below l. */
static double natural_map(double l, double r, double lo, double hi)
{
    double low = l - lo < r ? l - lo : r;
    return isnan(l) ? l : low < l - hi ? l - hi : low;
}

/* The larger of the two; NaN if either is, so that no figure hides one. */
static double worse(double a, double b) { return a > b || isnan(a) ? a : b; }

/* T and Lambda at these impulses. */
static void find_scales(dls_examiner *e, const double *lambda)
{
    const dls_problem *p = e->p;
    bool matrix = p->form == DLS_FORM_MATRIX;
    for (size_t k = 0; k < e->n_sources; k++) {
        e->S[k] = matrix ? fabs(lambda[k]) : 0.0;
        e->R[k] = HUGE_VAL;
    }
    for (size_t i = 0; !matrix && i < p->n; i++)
        for (size_t k = e->pull_at[i]; k < e->pull_at[i + 1]; k++)
            e->S[e->pulled[k]] += e->pull[k] * fabs(lambda[i]);
    for (size_t i = 0; i < p->n; i++) {
        double T = fabs(e->b[i]) + p->gamma[i] * fabs(lambda[i]);
        for (size_t k = e->pull_at[i]; k < e->pull_at[i + 1]; k++)
            T += e->pull[k] * e->S[e->pulled[k]];
        e->T[i] = T;
        for (size_t k = e->pull_at[i]; k < e->pull_at[i + 1]; k++)
            if (e->pull[k] > 0.0 && T < e->R[e->pulled[k]] * e->pull[k])
                e->R[e->pulled[k]] = T / e->pull[k];
    }
    for (size_t i = 0; i < p->n; i++) {
        double Lambda = p->gamma[i] != 0.0 ? e->T[i] / fabs(p->gamma[i]) : HUGE_VAL;
        if (matrix)
            Lambda = fmin(Lambda, e->R[i]);
        for (size_t k = e->pull_at[i]; !matrix && k < e->pull_at[i + 1]; k++)
            if (e->R[e->pulled[k]] < Lambda * e->pull[k])
                Lambda = e->R[e->pulled[k]] / e->pull[k];
        e->Lambda[i] = Lambda;
    }
}

/* An impulse that moves no row has no scale but its own bounds; without any it must be exact. */
static double scale_of(double Lambda, double bound)
{
    double scale = bound > 0.0 ? fmin(bound, Lambda) : Lambda;
    return isinf(scale) ? 0.0 : scale;
}

/* Whether l is all but a bound that is not 0, by one part in 1e6. */
static bool is_bound(double l, double bound)
{
    return bound != 0.0 && !isinf(bound) && fabs(l - bound) <= 1e-6 * fabs(bound);
}

/* The violation of a row or of two tangents as energy, T |lambda| or T Lambda of it, and the energy of their data. An
 * infinite violation, of an impulse that moves nothing and must be exact, is infinite as energy too. */
static void weigh(const dls_examiner *e, size_t i, double violation, double T, double impulse, double data)
{
    const size_t island = island_of(e, i);
    const double energy = violation * (T * e->unit[island]) * (impulse * e->unit[island]);
    e->left[island] = worse(e->left[island], isinf(violation) ? violation : energy);
    e->data[island] += data;
}

/* Whether w is what the doubles of the row say: a sum of terms that overflow may have any sign. */
static bool is_evaluated(const dls_examiner *e, size_t i, double w) { return isfinite(e->T[i]) && isfinite(w); }

/* A row between bounds against its own scales. An impulse at a bound of the problem is data itself. A row's own bounds
 * do not cut Lambda as energy: its w may be what is left of impulses that run away in other rows. */
static void judge_row(const dls_examiner *e, size_t i, double l, double w, double lo, double hi, dls_certificate *c)
{
    const bool fixed = e->p->parent[i] == DLS_NONE, given = fixed && (is_bound(l, lo) || is_bound(l, hi));
    const double bound = fixed ? fmax(isinf(lo) ? 0.0 : fabs(lo), isinf(hi) ? 0.0 : fabs(hi)) : 0.0;
    const double Lambda = scale_of(e->Lambda[i], bound), off = fabs(l - clamp(l, lo, hi)),
                 unit = e->unit[island_of(e, i)];
    const double slack = w > 0.0 ? l - lo : hi - l,
                 wrong = fabs(w) <= e->rounding[i] || e->redundant.kept[i] ? 0.0 : share(w, e->T[i]);
    const double velocity = isnan(slack) || !is_evaluated(e, i, w) ? NAN
                            : slack > 0.0                          ? fmin(share(slack, Lambda), wrong)
                                                                   : 0.0;
    const double data = (given ? e->T[i] : fabs(e->b[i])) * unit * (fabs(l) * unit);
    c->impulse_residual = worse(c->impulse_residual, share(off, Lambda));
    c->velocity_residual = worse(c->velocity_residual, velocity);
    weigh(e, i, worse(share(off, Lambda), velocity), e->T[i], fmax(isinf(e->Lambda[i]) ? 0.0 : e->Lambda[i], fabs(l)),
          data);
}

/* The bounds of a coupled row follow the impulse of its normal row. */
static void examine_row(const dls_examiner *e, size_t i, const double *lambda, double w, dls_certificate *c)
{
    const dls_problem *p = e->p;
    double lo = p->lo[i], hi = p->hi[i], l = lambda[i], D = e->D[i];
    if (p->parent[i] != DLS_NONE) {
        hi = p->mu[i] * fmax(lambda[p->parent[i]], 0.0);
        lo = -hi;
    }
    double impulse = fabs(natural_map(l, w / D, lo, hi)), slack = w > 0.0 ? l - lo : hi - l;
    c->natural_residual = worse(c->natural_residual, fabs(natural_map(l, w, lo, hi)));
    c->natural_residual_impulse = worse(c->natural_residual_impulse, impulse);
    c->natural_residual_velocity = worse(c->natural_residual_velocity, impulse * D);
    c->bound_violation = worse(c->bound_violation, fabs(l - clamp(l, lo, hi)));
    c->w_max = worse(c->w_max, fabs(w));
    c->complementarity_gap += isinf(slack) ? 0.0 : fabs(slack * w);
    c->friction_dissipation -= p->parent[i] != DLS_NONE ? l * w : 0.0;
    judge_row(e, i, l, w, lo, hi, c);
}

/* The common scale of both tangents: a rotation of their frame about the normal distributes the impulse of one of them
 * over both, so the larger scale is that of both. A tangent that moves nothing has none; if neither moves anything, the
 * disc has. */
static double tangents_Lambda(double one, double other, double radius)
{
    return isinf(one) && isinf(other) ? radius : isinf(one) ? other : isinf(other) ? one : fmax(one, other);
}

/* Both tangents at once: the impulse within the disc of the normal impulse, and at the rim against the velocity. */
static void judge_tangents(const dls_examiner *e, size_t i, double radius, const double l[2], const double w[2],
                           dls_certificate *c)
{
    const double T = fmax(e->T[i], e->T[i + 1]), Lambda = tangents_Lambda(e->Lambda[i], e->Lambda[i + 1], radius);
    const double unit = e->unit[island_of(e, i)], length = hypot(l[0], l[1]);
    const bool told = !(fabs(w[0]) <= e->rounding[i]) || !(fabs(w[1]) <= e->rounding[i + 1]);
    const double off = share(fmax(length - radius, 0.0), Lambda);
    const double velocity = !is_evaluated(e, i, w[0]) || !is_evaluated(e, i + 1, w[1]) ? NAN
                            : told ? dls_examine_disc(radius, Lambda, T, l, w)
                                   : 0.0;
    const double data = hypot(e->b[i], e->b[i + 1]) * unit * (length * unit);
    c->impulse_residual = worse(c->impulse_residual, isnan(length) ? length : off);
    c->velocity_residual = worse(c->velocity_residual, velocity);
    weigh(e, i, worse(off, velocity), T, fmax(Lambda, length), data);
}

/* The figures with a unit are those of the three rows at once; the normal row and the tangents have scales of their
 * own, so that fast sliding hides no velocity of the normal row. */
static void examine_contact(const dls_examiner *e, size_t i, const double *lambda, const double *w, dls_certificate *c)
{
    const double D = fmax(e->D[i], fmax(e->D[i + 1], e->D[i + 2])), mu = e->p->mu[i + 1], hi = e->p->hi[i];
    const dls_cone_figures f = dls_examine_cone(mu, hi, D, lambda + i, w + i);
    c->natural_residual = worse(c->natural_residual, f.natural_residual);
    c->natural_residual_impulse = worse(c->natural_residual_impulse, f.impulse);
    c->natural_residual_velocity = worse(c->natural_residual_velocity, f.impulse * D);
    c->bound_violation = worse(c->bound_violation, f.violation);
    c->cone_violation = worse(c->cone_violation, f.violation);
    c->complementarity_gap += f.gap;
    c->friction_dissipation += f.dissipation;
    for (size_t k = i; k < i + 3; k++)
        c->w_max = worse(c->w_max, fabs(w[k]));
    judge_row(e, i, lambda[i], w[i], 0.0, hi, c);
    judge_tangents(e, i + 1, mu * fmax(lambda[i], 0.0), lambda + i + 1, w + i + 1, c);
}

void dls_examine(dls_examiner *e, const double *lambda, double *w, dls_certificate *c)
{
    const dls_problem *p = e->p;
    const double *v = velocity_of(e, lambda);
    double objective = 0.0, *value = w ? w : e->w;
    *c = (dls_certificate){.worst_row = DLS_NONE};
    memset(e->left, 0, (e->n_sources + 1) * sizeof *e->left);
    memset(e->data, 0, (e->n_sources + 1) * sizeof *e->data);
    find_scales(e, lambda);
    for (size_t i = 0; i < p->n; i++) {
        double Al = row_dot(&p->J, i, v) + p->gamma[i] * lambda[i];
        objective += (0.5 * Al + e->b[i]) * lambda[i];
        value[i] = Al + e->b[i];
    }
    c->inconsistent = dls_examine_redundant(p, e->D, e->rounding, value, &e->redundant);
    for (size_t i = 0, rows; i < p->n; i += rows) {
        const double before = worse(c->impulse_residual, c->velocity_residual);
        rows = dls_problem_is_cone(p, i) ? 3 : 1;
        if (rows == 3)
            examine_contact(e, i, lambda, value, c);
        else
            examine_row(e, i, lambda, value[i], c);
        const double now = worse(c->impulse_residual, c->velocity_residual);
        if (now > before || (isnan(now) && !isnan(before)))
            c->worst_row = i;
    }
    c->objective = e->symmetric ? objective : NAN;
    for (size_t k = 0; k <= e->n_sources; k++)
        c->data_residual = worse(c->data_residual, share(e->left[k], e->data[k]));
    c->scaled_residual = worse(c->impulse_residual, c->velocity_residual);
}

double dls_examiner_distance(dls_examiner *e, const double *lambda1, const double *lambda2)
{
    const dls_problem *p = e->p;
    double sum = 0.0;
    for (size_t i = 0; i < p->n; i++)
        e->difference[i] = lambda1[i] - lambda2[i];
    if (p->form == DLS_FORM_MATRIX) {
        times_A(e, e->difference, e->y);
        for (size_t i = 0; i < p->n; i++)
            sum += e->difference[i] * e->y[i];
        return e->symmetric ? sqrt(sum) : NAN;
    }
    /* dv = M^-1 g with g = J^T dlambda, so dv^T M dv = g^T M^-1 g. */
    transposed_times(&p->J, e->difference, e->force);
    memcpy(e->velocity, e->force, p->nv * sizeof *e->force);
    solve_mass(e, e->velocity);
    for (size_t j = 0; j < p->nv; j++)
        sum += e->force[j] * e->velocity[j];
    return sqrt(sum);
}
