/* The examiner: residuals, violations and their rounding at given impulses, recomputed from the problem alone.
 *
 * Nothing here is shared with a solver, nor with the dense assembly: the loops over the rows are its own, and M^-1 is
 * not the mass operator's solve but its own Cholesky factor of the matrix of each block of M. So a wrong M^-1, a wrong
 * response or a wrong matrix in a solver cannot hide. The work is linear in the entries of J, of the factors, and of A,
 * which has one for each two rows on one body or articulation. The memory of large problems is linear in the rows:
 * those of A, with a hundred entries and more in a pile, are formed again wherever they are needed. No library is
 * called, so the figures are the same bytes under every BLAS.
 *
 *     w = J M^-1 J^T lambda + Gamma lambda + b,    b = J v* - c                                  conventions (4)
 *     natural map  N(lambda) = lambda - clamp(lambda - w, lo, hi): zero exactly at the solutions of (5)
 *
 * The raw map adds impulses and velocities, so its size depends on the units. With D = diag(A) both terms have one
 * unit: N_D(lambda) = lambda - clamp(lambda - w / D) is an impulse, D N_D a velocity. With M = L L^T a block of M
 * and J_i of row i, J_i M^-1 J_i^T = |L^-1 J_i^T|^2.
 *
 * A contact under Coulomb's isotropic cone is three rows with one map, which examine_cone.c defines: D is the largest
 * of its three there. Under the other laws of law.h, whose rows have several units, the maps of its normal row and of
 * each disc count one by one.
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
 * A_ij are the entries of A themselves in both forms, so that a row which A does not couple to row i cannot hide the
 * violation of row i. In the mechanical form, with y_ik = L_k^-1 J_ik^T of row i in block k of M and N_ik = |y_ik|,
 *     A_ij = sum_k y_ik . y_jk + Gamma_ij,    |A_ij| <= sum_k N_ik N_jk,
 * the sum over the blocks that both rows touch. The entries of J and M are themselves rounded: where |A_ij| is below 64
 * roundings of that bound, the rows count as not coupled, and w_i below 64 roundings of sum_k N_ik sum_j N_jk
 * |lambda_j| cannot be told from 0. The matrix form takes its entries as they are.
 *
 * b_i = J_i v* - c_i is itself the outcome of a sum. A |w_i| below the rounding of that sum cannot be told from 0, nor
 * an impulse that moves no row by more than such a rounding, min_j rounding_j / |A_ji|: where the terms of b_j cancel,
 * T_j and with it Lambda_i may be smaller still.
 * Where T_i overflows, w_i cannot be told at all: the row figure is no number. Where T_i is so small that its terms
 * lose digits as subnormal numbers, w_i and T_i are summed again in a unit of their own, a power of two.
 *
 * Rows of closed loops may contradict each other so that no impulse changes the w that remains: examine_redundant.c
 * decides when a w is no violation for that reason. */
#include "delassus/reference.h"

#include "arithmetic_fault.h"
#include "base/arithmetic.h"
#include "base/memory.h"
#include "parts.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row of A without Gamma: entry[k] in column[k], each column once. */
typedef struct matrix_row {
    size_t count;
    const size_t *column;
    const double *entry;
} matrix_row;

/* The row of A that was formed last. Rows that touch the same blocks of M, such as those of a manifold, have the same
 * columns. */
typedef struct row_at_hand {
    size_t touching; /* a row that has these columns; DLS_NONE: there is none yet */
    size_t count, *column;
    double *entry;
    size_t *place;   /* for each touch of its blocks after the first, one after another: the column of its row */
    double *bound;   /* of each column: sum_k N_ik N_jk */
    double *product; /* of each touch of one block: the part of it in A_ij */
    double *own;     /* y_ik of the row in this block */
} row_at_hand;

/* The rows of A of a problem with so few entries are kept: it may be examined often. */
enum { MOST_KEPT = 1 << 22 };

/* Numbers by touch are filled up with zeros in each block, to whole vectors. */
enum { LANES = 4 };
static size_t whole_lanes(size_t count) { return (count + LANES - 1) / LANES * LANES; }

struct dls_examiner {
    const dls_problem *p;
    bool symmetric;
    dls_diagonals diagonals;
    double *b, *D, *w;        /* n */
    double *rounding_of_b;    /* n: of the sum that b_i is */
    double *rounding_of_bias; /* n: of the C_i in it */
    double *evaluation;       /* n: rounding of w_i of the impulses examined last, but for that of C_i */
    double *rounding;         /* n: and with it, below which w_i cannot be told from 0 */
    double *T, *Lambda;       /* n: of the impulses examined last */
    double *unseen;           /* n: the impulse of row i that moves no row by more than its rounding */
    double *difference, *y;   /* n */
    double *force, *velocity; /* nv */
    double *factor;    /* of each block of M, one after another: L row by row, with the reciprocals of its diagonal */
    size_t *factor_at; /* n_blocks */
    size_t *begin;     /* nv: the first column of each row of the factors */
    bool *body;        /* n_blocks: whether a block is that of a free body, diag(m 1, I) */
    /* A touch is a row in one block of M. Touches are numbered by block, and within it by row. */
    size_t *touch_at; /* n + 1: where those of row i start in `touches`, in the order of the blocks */
    size_t *touches;  /* numbers of touches */
    size_t *block_at; /* n_blocks + 1: the first touch of block k */
    size_t *lever_at; /* n_blocks: where its levers start */
    size_t *row;      /* of each touch */
    double *size;     /* N_ik of each touch */
    double *lever;    /* y_ik of the touches of a block: the first entries of four, then their second ones, and so on */
    double *S;        /* n_blocks: sum_j N_jk |lambda_j| */
    size_t *seen;     /* n: DLS_NONE, but while columns are found */
    row_at_hand *hand; /* of A */
    size_t n_kept;     /* rows of A that are kept */
    size_t *kept_at;   /* n: where they start; NULL: none is to be kept */
    size_t *column;
    double *entry;
    size_t *entries; /* n: of each row of A */
    size_t *root;    /* n: another row of the same island, nearer to the first one */
    double *left;    /* of each island: the largest violation as energy, */
    double *data;    /* the energy of its data, */
    double *load;    /* and the largest T_i |lambda_i| of impulses that are not unseen, */
    double *unit;    /* all in units of 1 / unit^2, a power of two, so that no square leaves the range of a double */
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
static void solve_lower(const double *L, const size_t *begin, size_t m, size_t first, double *x)
{
    for (size_t r = first; r < m; r++) {
        double sum = x[r];
        for (size_t c = begin[r] > first ? begin[r] : first; c < r; c++)
            sum -= L[m * r + c] * x[c];
        x[r] = sum * L[m * r + r];
    }
}

/* x <- M^-1 x by the examiner's own factors. */
static void solve_mass(const dls_examiner *e, double *x)
{
    for (size_t k = 0; k < e->p->mass.n_blocks; k++) {
        const dls_mass_block *block = &e->p->mass.blocks[k];
        const double *L = e->factor + e->factor_at[k];
        const size_t *begin = e->begin + block->offset, m = block->length;
        double *y = x + block->offset;
        solve_lower(L, begin, m, 0, y);
        for (size_t r = m; r-- > 0;) { /* L^-T */
            y[r] *= L[m * r + r];
            for (size_t c = begin[r]; c < r; c++)
                y[c] -= L[m * r + c] * y[r];
        }
    }
}

/* --- loading a problem --- */

/* M = L L^T in place, rows of the lower triangle, which begin where those of M do; false if M is not definite. */
static bool factor_block(double *M, size_t m, size_t *begin)
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

static dls_status factor_mass(dls_examiner *e, dls_error *error)
{
    for (size_t k = 0; k < e->p->mass.n_blocks; k++) {
        const dls_mass_block *block = &e->p->mass.blocks[k];
        size_t m = block->length;
        double *M = e->factor + e->factor_at[k];
        dls_mass_block_matrix(block, e->velocity, M, m);
        if (!factor_block(M, m, e->begin + block->offset))
            return dls_fail(error, DLS_BAD_INPUT, "block %zu of the mass matrix is not positive definite", k);
        const size_t *begin = e->begin + block->offset;
        e->body[k] = m == 6 && begin[1] == 1 && begin[2] == 2 && begin[3] == 3 && begin[4] >= 3 && begin[5] >= 3;
    }
    return DLS_OK;
}

static double dot_of(size_t m, const double *x, const double *y)
{
    double sum = 0.0;
    if (m == 6) /* a body, as most blocks are */
        return ((((x[0] * y[0] + x[1] * y[1]) + x[2] * y[2]) + x[3] * y[3]) + x[4] * y[4]) + x[5] * y[5];
    for (size_t j = 0; j < m; j++)
        sum += x[j] * y[j];
    return sum;
}

/* Entry c of y_ik of touch t in block k. */
static double *lever_of(const dls_examiner *e, size_t k, size_t t, size_t c)
{
    const size_t at = t - e->block_at[k], m = e->p->mass.blocks[k].length;
    return e->lever + e->lever_at[k] + at / LANES * LANES * m + c * LANES + at % LANES;
}

/* Computes y_ik of touch t of row i, whose first piece in J is *piece; *piece is then the first piece of the next
 * block. */
static void find_lever(dls_examiner *e, size_t i, size_t t, size_t *piece)
{
    const dls_rows *J = &e->p->J;
    const size_t k = J->mass[*piece], m = e->p->mass.blocks[k].length, offset = e->p->mass.blocks[k].offset;
    double *y = e->velocity; /* scratch */
    if (e->body[k] && J->coef_at[*piece + 1] - J->coef_at[*piece] == 6) {
        const double *L = e->factor + e->factor_at[k], *a = J->coef + J->coef_at[(*piece)++];
        y[0] = a[0] * L[0], y[1] = a[1] * L[7], y[2] = a[2] * L[14], y[3] = a[3] * L[21];
        y[4] = (a[4] - L[27] * y[3]) * L[28];
        y[5] = ((a[5] - L[33] * y[3]) - L[34] * y[4]) * L[35];
    } else {
        const size_t first = J->offset[*piece] - offset;
        memset(y, 0, m * sizeof *y);
        for (; *piece < J->start[i + 1] && J->mass[*piece] == k; ++*piece)
            memcpy(y + (J->offset[*piece] - offset), J->coef + J->coef_at[*piece],
                   (J->coef_at[*piece + 1] - J->coef_at[*piece]) * sizeof *y);
        solve_lower(e->factor + e->factor_at[k], e->begin + offset, m, first, y);
    }
    e->row[t] = i;
    e->size[t] = sqrt(dot_of(m, y, y));
    for (size_t c = 0; c < m; c++)
        *lever_of(e, k, t, c) = y[c];
}

/* The roundings that are granted to each entry of A, and to each term of w and of b: J, M, v* and c are themselves
 * outcomes of a step's arithmetic, which the problem does not tell. */
static const double granted = 64.0;

/* The block of M of *piece, a piece of row i in J; *piece becomes the first piece of the next block. */
static size_t next_block(const dls_rows *J, size_t i, size_t *piece)
{
    const size_t block = J->mass[*piece];
    while (*piece < J->start[i + 1] && J->mass[*piece] == block)
        ++*piece;
    return block;
}

static bool touches_same(const dls_rows *J, size_t i, size_t j)
{
    size_t one = J->start[i], other = J->start[j];
    while (one < J->start[i + 1] && other < J->start[j + 1])
        if (next_block(J, i, &one) != next_block(J, j, &other))
            return false;
    return one == J->start[i + 1] && other == J->start[j + 1];
}

/* The columns of row i of A in the mechanical form. */
static void find_columns(const dls_examiner *e, size_t i)
{
    row_at_hand *hand = e->hand;
    size_t *place = hand->place, count = 0;
    if (hand->touching != DLS_NONE && touches_same(&e->p->J, i, hand->touching))
        return;
    for (size_t piece = e->p->J.start[i]; piece < e->p->J.start[i + 1];) {
        const bool first = piece == e->p->J.start[i];
        const size_t block = next_block(&e->p->J, i, &piece);
        for (size_t t = e->block_at[block]; t < e->block_at[block + 1]; t++) {
            size_t *seen = &e->seen[e->row[t]];
            if (*seen == DLS_NONE)
                *seen = count, hand->column[count++] = e->row[t];
            if (!first)
                *place++ = *seen;
        }
    }
    for (size_t k = 0; k < count; k++)
        e->seen[hand->column[k]] = DLS_NONE;
    hand->count = count;
    hand->touching = i;
}

/* x . y of the next lanes of vectors y of length m. */
static void multiply_lanes(const double *x, const double *y, size_t m, double *product)
{
    double sum[LANES] = {0.0};
    for (size_t c = 0; c < m; c++)
        for (size_t j = 0; j < LANES; j++)
            sum[j] += x[c] * y[LANES * c + j];
    memcpy(product, sum, sizeof sum);
}

/* The same of a body, as most blocks are. */
static void multiply_six(const double *restrict x, const double *restrict y, double *restrict product)
{
    for (size_t j = 0; j < LANES; j++)
        product[j] = ((((x[0] * y[j] + x[1] * y[LANES + j]) + x[2] * y[2 * LANES + j]) + x[3] * y[3 * LANES + j]) +
                      x[4] * y[4 * LANES + j]) +
                     x[5] * y[5 * LANES + j];
}

/* y_ik . y_jk of touch `own` of row i and all touches of its block k. */
static void find_products(const dls_examiner *e, size_t k, size_t own, double *product)
{
    const size_t m = e->p->mass.blocks[k].length, count = e->block_at[k + 1] - e->block_at[k];
    const double *levers = e->lever + e->lever_at[k];
    double *x = e->hand->own;
    for (size_t c = 0; c < m; c++)
        x[c] = *lever_of(e, k, own, c);
    for (size_t t = 0; t < count; t += LANES)
        if (m == 6)
            multiply_six(x, levers + t * m, product + t);
        else
            multiply_lanes(x, levers + t * m, m, product + t);
}

/* Row i of A in the mechanical form. The columns of its first block are all rows that touch it, in their order. */
static matrix_row mechanical_row(const dls_examiner *e, size_t i)
{
    find_columns(e, i);
    const row_at_hand *hand = e->hand;
    const size_t *place = hand->place;
    double *entry = hand->entry, *bound = hand->bound, *product = entry;
    for (size_t piece = e->p->J.start[i], own = e->touch_at[i]; piece < e->p->J.start[i + 1]; own++) {
        const size_t k = next_block(&e->p->J, i, &piece), count = e->block_at[k + 1] - e->block_at[k];
        const double *size = e->size + e->block_at[k], own_size = e->size[e->touches[own]];
        find_products(e, k, e->touches[own], product);
        if (product == entry) {
            memset(entry + count, 0, (hand->count - count) * sizeof *entry);
            memset(bound + count, 0, (hand->count - count) * sizeof *bound);
            for (size_t t = 0; t < count; t++)
                bound[t] = own_size * size[t];
            product = hand->product;
            continue;
        }
        for (size_t t = 0; t < count; t++, place++) {
            entry[*place] += product[t];
            bound[*place] += own_size * size[t];
        }
    }
    for (size_t c = 0; c < hand->count; c++)
        entry[c] = fabs(entry[c]) > granted * DBL_EPSILON * bound[c] ? entry[c] : 0.0;
    return (matrix_row){hand->count, hand->column, entry};
}

/* Row i of A in the matrix form, where A stands in the place of J. */
static matrix_row given_row(const dls_examiner *e, size_t i)
{
    const dls_rows *J = &e->p->J;
    size_t count = 0;
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
        for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++)
            e->hand->column[count++] = j;
    return (matrix_row){count, e->hand->column, J->coef + J->coef_at[J->start[i]]};
}

/* Row i of A, until the next one is formed. */
static matrix_row row_of_matrix(const dls_examiner *e, size_t i)
{
    if (i < e->n_kept)
        return (matrix_row){e->entries[i], e->column + e->kept_at[i], e->entry + e->kept_at[i]};
    return e->p->form == DLS_FORM_MATRIX ? given_row(e, i) : mechanical_row(e, i);
}

static void keep_row(dls_examiner *e, size_t i, matrix_row of)
{
    e->kept_at[i] = i > 0 ? e->kept_at[i - 1] + e->entries[i - 1] : 0;
    memcpy(e->column + e->kept_at[i], of.column, of.count * sizeof *of.column);
    memcpy(e->entry + e->kept_at[i], of.entry, of.count * sizeof *of.entry);
    e->n_kept = i + 1;
}

/* The terms of c_i that corrects C_i, as far as the problem tells: C_i of a body is a sum of levers or of unit vectors,
 * which J holds in the columns of angular velocities, that of a coordinate has the size of J, and c is C times the
 * factor bias / C, usually ERP / h. */
static double terms_of_bias(const dls_problem *p, size_t i)
{
    const dls_row_list *list = dls_problem_rows(p);
    double square = 0.0;
    if (!list || list->row[i].C == 0.0)
        return 0.0;
    for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++) {
        const dls_mass_block *block = &p->mass.blocks[p->J.mass[k]];
        for (size_t at = p->J.coef_at[k], j = p->J.offset[k]; at < p->J.coef_at[k + 1]; at++, j++)
            square +=
                block->kind != &dls_mass_body_kind || j - block->offset >= 3 ? p->J.coef[at] * p->J.coef[at] : 0.0;
    }
    return sqrt(square) * fabs(list->row[i].bias / list->row[i].C);
}

/* b_i = J_i v* - c_i, and how far its rounding may reach. */
static double right_side(const dls_problem *p, size_t i, double *rounding)
{
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

/* The first row of the island of row k. */
static size_t island_of(const dls_examiner *e, size_t k)
{
    size_t *root = e->root;
    while (root[k] != k)
        k = root[k] = root[root[k]];
    return k;
}

static void join_islands(const dls_examiner *e, size_t i, size_t j)
{
    const size_t one = island_of(e, i), other = island_of(e, j);
    e->root[one > other ? one : other] = one < other ? one : other;
}

/* Rows that A couples; and a row under a friction law with its normal row, whose impulse bounds its own. */
static void couple_row(const dls_examiner *e, size_t i, matrix_row of)
{
    for (size_t k = 0; k < of.count; k++)
        if (of.entry[k] != 0.0 && e->root[of.column[k]] != e->root[i])
            join_islands(e, i, of.column[k]);
    if (e->p->parent[i] != DLS_NONE)
        join_islands(e, i, e->p->parent[i]);
}

/* Numbers the touches of all rows. False: no memory. */
static bool find_touches(dls_examiner *e, const dls_problem *p)
{
    const dls_rows *J = &p->J;
    size_t count = 0, levers = 0;
    e->touch_at = DLS_TAKE(&e->memory, size_t, p->n + 1);
    e->touches = DLS_TAKE(&e->memory, size_t, J->start[p->n]);
    e->row = DLS_TAKE(&e->memory, size_t, J->start[p->n]);
    e->size = DLS_TAKE(&e->memory, double, J->start[p->n]);
    e->lever_at = DLS_TAKE(&e->memory, size_t, p->mass.n_blocks);
    e->block_at = DLS_TAKE_ZEROS(&e->memory, size_t, p->mass.n_blocks + 2);
    if (e->memory.failed)
        return false;
    for (size_t i = 0; i < p->n; i++)
        for (size_t piece = J->start[i]; piece < J->start[i + 1];)
            e->block_at[next_block(J, i, &piece) + 2]++;
    for (size_t k = 0; k < p->mass.n_blocks; k++) {
        e->lever_at[k] = levers;
        levers += whole_lanes(e->block_at[k + 2]) * p->mass.blocks[k].length;
        e->block_at[k + 2] += e->block_at[k + 1];
    }
    e->touch_at[0] = 0;
    for (size_t i = 0; i < p->n; e->touch_at[++i] = count)
        for (size_t piece = J->start[i]; piece < J->start[i + 1];)
            e->touches[count++] = e->block_at[next_block(J, i, &piece) + 1]++;
    e->lever = DLS_TAKE_ZEROS(&e->memory, double, levers);
    return !e->memory.failed;
}

/* Not fewer than the entries of row i of A, and of its `place`. */
static size_t most_entries(const dls_examiner *e, const dls_problem *p, size_t i)
{
    size_t entries = 0;
    if (p->form == DLS_FORM_MATRIX)
        return p->J.coef_at[p->J.start[i + 1]] - p->J.coef_at[p->J.start[i]];
    for (size_t piece = p->J.start[i]; piece < p->J.start[i + 1];) {
        const size_t block = next_block(&p->J, i, &piece);
        entries += e->block_at[block + 1] - e->block_at[block];
    }
    return entries;
}

/* Room for the row of A at hand, and for all rows where these are kept. False: no memory. */
static bool take_rows(dls_examiner *e, const dls_problem *p)
{
    size_t most = 0, all = 0;
    if (p->form != DLS_FORM_MATRIX && !find_touches(e, p))
        return false;
    for (size_t i = 0; i < p->n; i++) {
        const size_t entries = most_entries(e, p, i);
        most = entries > most ? entries : most;
        all += entries;
    }
    const bool kept = p->form != DLS_FORM_MATRIX && all <= MOST_KEPT;
    e->kept_at = kept ? DLS_TAKE(&e->memory, size_t, p->n) : NULL;
    e->column = kept ? DLS_TAKE(&e->memory, size_t, all) : NULL;
    e->entry = kept ? DLS_TAKE(&e->memory, double, all) : NULL;
    e->entries = DLS_TAKE(&e->memory, size_t, p->n);
    e->root = DLS_TAKE(&e->memory, size_t, p->n);
    e->seen = DLS_TAKE(&e->memory, size_t, p->n);
    e->hand = DLS_TAKE(&e->memory, row_at_hand, 1);
    const row_at_hand hand = {
        .touching = DLS_NONE,
        .column = DLS_TAKE(&e->memory, size_t, most),
        .entry = DLS_TAKE(&e->memory, double, whole_lanes(most)),
        .place = DLS_TAKE(&e->memory, size_t, most),
        .bound = DLS_TAKE(&e->memory, double, most),
        .product = DLS_TAKE(&e->memory, double, whole_lanes(most)),
        .own = DLS_TAKE(&e->memory, double, p->nv),
    };
    if (!e->memory.failed)
        *e->hand = hand;
    return !e->memory.failed;
}

static bool take_memory(dls_examiner *e, const dls_problem *p)
{
    double **const of_rows[] = {&e->b,          &e->D,          &e->w,
                                &e->T,          &e->Lambda,     &e->unseen,
                                &e->rounding,   &e->evaluation, &e->rounding_of_bias,
                                &e->difference, &e->y,          &e->redundant.y,
                                &e->left,       &e->data,       &e->load,
                                &e->unit};
    size_t entries = 0;
    dls_arena_reset(&e->memory);
    e->factor_at = DLS_TAKE(&e->memory, size_t, p->mass.n_blocks);
    for (size_t k = 0; e->factor_at && k < p->mass.n_blocks; k++) {
        size_t length = p->mass.blocks[k].length;
        e->factor_at[k] = entries;
        entries += length * length;
    }
    e->factor = DLS_TAKE(&e->memory, double, entries);
    e->begin = DLS_TAKE(&e->memory, size_t, p->nv);
    e->body = DLS_TAKE(&e->memory, bool, p->mass.n_blocks);
    e->S = DLS_TAKE(&e->memory, double, p->mass.n_blocks);
    for (size_t i = 0; i < sizeof of_rows / sizeof of_rows[0]; i++)
        *of_rows[i] = DLS_TAKE(&e->memory, double, p->n);
    e->rounding_of_b = DLS_TAKE_ZEROS(&e->memory, double, p->n);
    e->redundant.kept = DLS_TAKE_ZEROS(&e->memory, bool, p->n);
    e->redundant.parts = DLS_TAKE(&e->memory, double, 4 * p->mass.n_blocks);
    e->force = DLS_TAKE(&e->memory, double, p->nv);
    e->redundant.force = e->force;
    e->velocity = DLS_TAKE(&e->memory, double, p->nv);
    return take_rows(e, p);
}

/* |x| in units of `scale`: 0 where x is 0, and infinite where only the scale is. */
static double relative_to(double x, double scale) { return x == 0.0 ? 0.0 : fabs(x) / scale; }

/* b^2 / A_ii and hi^2 A_ii are energies of the data of an island. */
static void find_units(dls_examiner *e)
{
    enum { MOST = 1000 };
    const dls_problem *p = e->p;
    memset(e->unit, 0, p->n * sizeof *e->unit);
    for (size_t i = 0; i < p->n; i++) {
        const double root = sqrt(e->D[i]), lo = isinf(p->lo[i]) ? 0.0 : fabs(p->lo[i]),
                     hi = isinf(p->hi[i]) ? 0.0 : fabs(p->hi[i]);
        const size_t island = island_of(e, i);
        e->unit[island] = fmax(e->unit[island], fmax(relative_to(e->b[i], root), fmax(lo, hi) * root));
    }
    for (size_t k = 0; k < p->n; k++) {
        const int exponent = e->unit[k] > 0.0 && isfinite(e->unit[k]) ? ilogb(e->unit[k]) : 0;
        e->unit[k] = scalbn(1.0, -(exponent > MOST ? MOST : exponent < -MOST ? -MOST : exponent));
    }
}

dls_status dls_examiner_reload(dls_examiner *e, const dls_problem *p, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    if (!take_memory(e, p))
        return dls_fail(error, DLS_NO_MEMORY, "no memory to examine a problem of %zu rows", p->n);
    bool matrix = p->form == DLS_FORM_MATRIX;
    e->p = p;
    e->n_kept = 0;
    e->symmetric = dls_problem_is_symmetric(p);
    DLS_TRY(factor_mass(e, error));
    e->diagonals = (dls_diagonals){0};
    for (size_t i = 0; i < p->n; i++) {
        e->root[i] = i;
        e->seen[i] = DLS_NONE;
        for (size_t t = matrix ? 0 : e->touch_at[i], piece = p->J.start[i]; !matrix && t < e->touch_at[i + 1]; t++)
            find_lever(e, i, e->touches[t], &piece);
    }
    for (size_t i = 0; i < p->n; i++) {
        const matrix_row of = row_of_matrix(e, i);
        double largest = 0.0, diagonal = p->gamma[i];
        for (size_t k = 0; k < of.count; k++) {
            diagonal += of.column[k] == i ? of.entry[k] : 0.0;
            largest = fabs(of.entry[k]) > largest ? fabs(of.entry[k]) : largest;
        }
        e->entries[i] = of.count;
        if (e->kept_at)
            keep_row(e, i, of);
        couple_row(e, i, of);
        e->D[i] = diagonal != 0.0 ? fabs(diagonal) : largest > 0.0 ? largest : 1.0;
        e->diagonals.zero += diagonal == 0.0;
        e->diagonals.negative += diagonal < 0.0;
        e->b[i] = matrix ? -p->c[i] : right_side(p, i, &e->rounding_of_b[i]);
        e->rounding_of_bias[i] = matrix ? 0.0 : granted * DBL_EPSILON * terms_of_bias(p, i);
    }
    find_units(e);
    return DLS_OK;
}

dls_status dls_examiner_create(const dls_problem *p, dls_examiner **examiner, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    *examiner = NULL;
    const char *fault = dls_arithmetic_fault(); /* its own: the examiner calls no BLAS */
    if (fault)
        return dls_fail(error, DLS_UNAVAILABLE, "residuals would not be right: %s; %s", fault, DLS_ARITHMETIC_MEND);
    dls_examiner *e = calloc(1, sizeof *e);
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

/* --- figures --- */

static double clamp(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

/* l - clamp(l - r, lo, hi) as the middle one of l - lo, r, l - hi: the difference l - r would lose an r far below
 * l. */
static double natural_map(double l, double r, double lo, double hi)
{
    double low = l - lo < r ? l - lo : r;
    return isnan(l) ? l : low < l - hi ? l - hi : low;
}

/* The larger of the two; NaN if either is, so that no figure hides one. */
static double worse_of(double a, double b) { return a > b || isnan(a) ? a : b; }

/* T, Lambda and the rounding of w at these impulses. */
static void find_scales(dls_examiner *e, const double *lambda)
{
    const dls_problem *p = e->p;
    const bool mechanical = p->form == DLS_FORM_MECHANICAL;
    memset(e->S, 0, p->mass.n_blocks * sizeof *e->S);
    for (size_t k = 0; k < p->mass.n_blocks; k++)
        for (size_t t = e->block_at[k]; t < e->block_at[k + 1]; t++)
            e->S[k] += e->size[t] * fabs(lambda[e->row[t]]);
    for (size_t i = 0; i < p->n; i++) {
        const matrix_row of = row_of_matrix(e, i);
        double T = fabs(e->b[i]) + p->gamma[i] * fabs(lambda[i]);
        for (size_t k = 0; k < of.count; k++)
            T += fabs(of.entry[k] * lambda[of.column[k]]);
        e->T[i] = T;
        double terms = p->gamma[i] * fabs(lambda[i]);
        for (size_t piece = p->J.start[i], t = mechanical ? e->touch_at[i] : 0; mechanical && piece < p->J.start[i + 1];
             t++)
            terms += e->size[e->touches[t]] * e->S[next_block(&p->J, i, &piece)];
        e->evaluation[i] = mechanical ? e->rounding_of_b[i] + granted * DBL_EPSILON * terms : 0.0;
        e->rounding[i] = e->evaluation[i] + e->rounding_of_bias[i];
        e->Lambda[i] = p->gamma[i] != 0.0 ? T / fabs(p->gamma[i]) : HUGE_VAL;
        e->unseen[i] = p->gamma[i] != 0.0 ? e->rounding[i] / fabs(p->gamma[i]) : HUGE_VAL;
    }
    for (size_t i = 0; i < p->n; i++) {
        const matrix_row of = row_of_matrix(e, i);
        for (size_t k = 0; k < of.count; k++) {
            const size_t j = of.column[k];
            const double a = fabs(of.entry[k]);
            if (a > 0.0 && e->T[i] < e->Lambda[j] * a)
                e->Lambda[j] = e->T[i] / a;
            if (a > 0.0 && e->rounding[i] < e->unseen[j] * a)
                e->unseen[j] = e->rounding[i] / a;
        }
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

/* The figures of a row, or of two tangents: the shares by which the impulse and the velocity are off, the scales of
 * velocity and impulse, the rounding of w, and the energies of the data and of the impulse, in the unit of the
 * island. */
typedef struct row_figures {
    size_t row;
    double off, velocity, T, impulse, rounding, data, load;
} row_figures;

/* Counts them in the residuals; in `least_residual` with the part that is no rounding, for w_i is known up to its
 * rounding and that of the sum itself, the scales up to the roundings of their sums; and as energy, T |lambda| or T
 * Lambda of the violation. An infinite violation, of an impulse that moves nothing and must be exact, is so too. */
static void count_figures(const dls_examiner *e, row_figures f, dls_certificate *c)
{
    const size_t island = island_of(e, f.row);
    const double roundings = (double)(e->entries[f.row] + 4) * DBL_EPSILON;
    const double violation = worse_of(f.off, f.velocity), unit = e->unit[island], sure = 1.0 - 4.0 * roundings;
    const double energy = violation * (f.T * unit) * (f.impulse * unit);
    c->impulse_residual = worse_of(c->impulse_residual, f.off);
    c->velocity_residual = worse_of(c->velocity_residual, f.velocity);
    c->least_residual = fmax(c->least_residual, f.off * sure - roundings);
    c->least_residual = fmax(c->least_residual, f.velocity * sure - (relative_to(f.rounding, f.T) + roundings));
    e->left[island] = worse_of(e->left[island], isinf(violation) ? violation : energy);
    e->data[island] += f.data;
    e->load[island] = worse_of(e->load[island], f.load);
}

/* An island whose impulses are all unseen has no impulses behind which a violation could hide.
 *
 * Impulses of an island without data (no b_i lambda_i differs from 0) are errors of rounding beside the other islands
 * if none has more than this share of the largest energy there. Their velocities have a share smaller by the scaled
 * residual still: |lambda . A lambda| <= sum |lambda_i| |w_i|. Out-of-plane rows of a planar mechanism are such
 * islands. */
static const double rounding_share = DBL_EPSILON;

/* log2 of an energy of island k; -infinity for 0. */
static double energy_exponent(const dls_examiner *e, size_t k, double energy)
{
    return log2(energy) - 2.0 * log2(e->unit[k]);
}

static void judge_islands(const dls_examiner *e, dls_certificate *c)
{
    double largest = -HUGE_VAL;
    bool without_data = false;
    for (size_t k = 0; k < e->p->n; k++)
        without_data = without_data || (e->data[k] == 0.0 && e->left[k] != 0.0);
    for (size_t k = 0; without_data && k < e->p->n; k++)
        largest = fmax(largest, energy_exponent(e, k, e->data[k]));
    for (size_t k = 0; k < e->p->n; k++)
        if (e->left[k] != 0.0 && e->load[k] != 0.0 &&
            (e->data[k] != 0.0 || !(energy_exponent(e, k, e->load[k]) <= largest + log2(rounding_share))))
            c->data_residual = worse_of(c->data_residual, relative_to(e->left[k], e->data[k]));
}

/* Below this, the terms of a row lose digits as subnormal numbers: 60 bits remain above the smallest normal one. */
static const double tiny_terms = DBL_MIN * 0x1p60;

/* x y as a fraction and a binary exponent, which is INT_MIN where the product is 0. */
static double scaled_product(double x, double y, int *exponent)
{
    int of_x, of_y;
    const double fraction = frexp(x, &of_x) * frexp(y, &of_y);
    *exponent = fraction == 0.0 ? INT_MIN : of_x + of_y;
    return fraction;
}

/* Term k of w_i: b_i, Gamma_i lambda_i, then A_ij lambda_j. */
static double term_of_w(const dls_examiner *e, size_t i, const matrix_row *of, size_t k, const double *lambda,
                        int *exponent)
{
    return k == 0   ? scaled_product(e->b[i], 1.0, exponent)
           : k == 1 ? scaled_product(e->p->gamma[i], lambda[i], exponent)
                    : scaled_product(of->entry[k - 2], lambda[of->column[k - 2]], exponent);
}

/* w_i / T_i, with its sign. Tiny terms are summed in the unit of the largest of them. */
static double relative_w(const dls_examiner *e, size_t i, const double *lambda, double w)
{
    const size_t count = 2 + e->entries[i];
    double sum = 0.0, terms = 0.0;
    int unit = INT_MIN, exponent;
    if (!(e->T[i] < tiny_terms))
        return w == 0.0 ? 0.0 : w / e->T[i];
    const matrix_row of = row_of_matrix(e, i);
    for (size_t k = 0; k < count; k++) {
        term_of_w(e, i, &of, k, lambda, &exponent);
        unit = exponent > unit ? exponent : unit;
    }
    for (size_t k = 0; unit > INT_MIN && k < count; k++) {
        const double fraction = term_of_w(e, i, &of, k, lambda, &exponent);
        const double term = exponent == INT_MIN ? 0.0 : ldexp(fraction, exponent - unit);
        sum += term;
        terms += fabs(term);
    }
    return sum == 0.0 ? 0.0 : sum / terms;
}

/* Whether w is what the doubles of the row say: a sum of terms that overflow may have any sign. */
static bool is_evaluated(const dls_examiner *e, size_t i, double w) { return isfinite(e->T[i]) && isfinite(w); }

/* The figure of a w, or of a violation of impulses, that cannot be told from 0: the roundings that it is of those
 * granted, if these are fewer. */
static double beyond_rounding(double figure, double w, double rounding)
{
    return w <= rounding && w > 0.0 ? fmin(figure, granted * DBL_EPSILON * (w / rounding)) : figure;
}

/* An impulse that moves nothing has no such part: it must be exact. */
static double unseen_part(double unseen) { return isinf(unseen) ? 0.0 : unseen; }

/* The support functions of the discs of a normal row under the associated law, of w, of T and of the roundings: the row
 * has w - the first in the place of w. All 0 at other rows. */
typedef struct support {
    double w, T, rounding;
} support;

/* A row between bounds against its own scales. An impulse at a bound of the problem is data itself. A row's own bounds
 * do not cut Lambda as energy: its w may be what is left of impulses that run away in other rows. */
static void judge_row(const dls_examiner *e, size_t i, const double *lambda, double w, double lo, double hi,
                      const support *s, dls_certificate *c)
{
    const double l = lambda[i], T = e->T[i] + s->T, rounding = e->rounding[i] + s->rounding,
                 own = relative_w(e, i, lambda, w), relative = s->T > 0.0 ? own * (e->T[i] / T) - s->w / T : own;
    const bool fixed = e->p->parent[i] == DLS_NONE, given = fixed && (is_bound(l, lo) || is_bound(l, hi));
    const double bound = fixed ? fmax(isinf(lo) ? 0.0 : fabs(lo), isinf(hi) ? 0.0 : fabs(hi)) : 0.0;
    const double Lambda = scale_of(e->Lambda[i], bound), off = fabs(l - clamp(l, lo, hi)),
                 unseen = unseen_part(e->unseen[i]), unit = e->unit[island_of(e, i)];
    const double slack = relative > 0.0 ? l - lo : hi - l;
    const double wrong = e->redundant.kept[i] ? 0.0 : beyond_rounding(fabs(relative), fabs(w - s->w), rounding);
    const double velocity = isnan(slack) || !is_evaluated(e, i, w) || !isfinite(T) || !isfinite(s->w) ? NAN
                            : slack > 0.0 ? fmin(beyond_rounding(relative_to(slack, Lambda), slack, unseen), wrong)
                                          : 0.0;
    const double data = (given ? e->T[i] : fabs(e->b[i])) * unit * (fabs(l) * unit);
    const double impulse = fmax(isinf(e->Lambda[i]) ? 0.0 : e->Lambda[i], fabs(l)),
                 load = fabs(l) <= unseen ? 0.0 : T * unit * (fabs(l) * unit);
    const double impulse_off = beyond_rounding(relative_to(off, Lambda), off, unseen);
    const row_figures f = {i, impulse_off, velocity, T, impulse, rounding, data, load};
    count_figures(e, f, c);
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
    c->natural_residual = worse_of(c->natural_residual, fabs(natural_map(l, w, lo, hi)));
    c->natural_residual_impulse = worse_of(c->natural_residual_impulse, impulse);
    c->natural_residual_velocity = worse_of(c->natural_residual_velocity, impulse * D);
    c->bound_violation = worse_of(c->bound_violation, fabs(l - clamp(l, lo, hi)));
    c->w_max = worse_of(c->w_max, fabs(w));
    c->complementarity_gap += isinf(slack) ? 0.0 : fabs(slack * w);
    c->friction_dissipation -= p->parent[i] != DLS_NONE ? l * w : 0.0;
    judge_row(e, i, lambda, w, lo, hi, &(support){0}, c);
}

static double share_of(double scale, double share) { return share > 0.0 ? scale / share : HUGE_VAL; }

/* How far the impulse is from the point of the rim against the velocity, where it has to be if the disc slides. */
static double rim_distance(const dls_round_disc *disc, double speed)
{
    const double reach = speed > 0.0 ? disc->radius / speed : 0.0;
    return hypot(disc->lambda[0] + reach * disc->w[0], disc->lambda[1] + reach * disc->w[1]);
}

/* Both rows of a disc at once, in the variables in which it is round: the impulse within the disc of the normal
 * impulse, and at the rim against the velocity. Their scale is common, since a rotation of their frame about the normal
 * distributes the impulse of one of them over both: the larger one. A row that moves nothing has none; if neither moves
 * anything, the disc has. */
static void judge_disc(const dls_examiner *e, size_t i, double normal, const double *lambda, const double w[2],
                       dls_certificate *c)
{
    const dls_round_disc disc = dls_examine_round(e->p->mu + i, normal, lambda + i, w);
    const double *r = disc.share, radius = disc.radius, T = fmax(r[0] * e->T[i], r[1] * e->T[i + 1]);
    const double one = share_of(e->Lambda[i], r[0]), other = share_of(e->Lambda[i + 1], r[1]);
    const double Lambda = isinf(one) && isinf(other) ? radius
                          : isinf(one)               ? other
                          : isinf(other)             ? one
                                                     : fmax(one, other);
    const double unit = e->unit[island_of(e, i)], length = hypot(disc.lambda[0], disc.lambda[1]);
    const double relative[2] = {relative_w(e, i, lambda, w[0]) * relative_to(r[0] * e->T[i], T),
                                relative_w(e, i + 1, lambda, w[1]) * relative_to(r[1] * e->T[i + 1], T)};
    const bool tiny = T < tiny_terms;
    const double speed = hypot(disc.w[0], disc.w[1]),
                 rounding = hypot(r[0] * e->rounding[i], r[1] * e->rounding[i + 1]);
    const double unseen = unseen_part(fmin(share_of(e->unseen[i], r[0]), share_of(e->unseen[i + 1], r[1])));
    const double stray = relative_to(disc.stray, scale_of(e->Lambda[r[0] > 0.0 ? i + 1 : i], 0.0));
    const double beyond = fmax(length - radius, 0.0);
    const double off = worse_of(beyond_rounding(relative_to(beyond, Lambda), beyond, unseen), stray);
    const double figure = dls_examine_disc(radius, Lambda, tiny ? 1.0 : T, disc.lambda, tiny ? relative : disc.w);
    const double velocity =
        !is_evaluated(e, i, w[0]) || !is_evaluated(e, i + 1, w[1])
            ? NAN
            : beyond_rounding(beyond_rounding(figure, speed, rounding), rim_distance(&disc, speed), unseen);
    const double data = hypot(r[0] * e->b[i], r[1] * e->b[i + 1]) * unit * (length * unit);
    const row_figures f = {i,
                           isnan(length) ? length : off,
                           velocity,
                           T,
                           fmax(Lambda, length),
                           rounding,
                           data,
                           length <= unseen ? 0.0 : T * unit * (length * unit)};
    count_figures(e, f, c);
}

/* The figures with a unit are those of the three rows at once; the normal row and the tangents have scales of their
 * own, so that fast sliding hides no velocity of the normal row. */
static void examine_contact(const dls_examiner *e, size_t i, const double *lambda, const double *w, dls_certificate *c)
{
    const double D = fmax(e->D[i], fmax(e->D[i + 1], e->D[i + 2])), mu = e->p->mu[i + 1], hi = e->p->hi[i];
    const dls_cone_figures f = dls_examine_cone(mu, hi, D, lambda + i, w + i);
    c->natural_residual = worse_of(c->natural_residual, f.natural_residual);
    c->natural_residual_impulse = worse_of(c->natural_residual_impulse, f.impulse);
    c->natural_residual_velocity = worse_of(c->natural_residual_velocity, f.impulse * D);
    c->bound_violation = worse_of(c->bound_violation, f.violation);
    c->cone_violation = worse_of(c->cone_violation, f.violation);
    c->complementarity_gap += f.gap;
    c->friction_dissipation += f.dissipation;
    for (size_t k = i; k < i + 3; k++)
        c->w_max = worse_of(c->w_max, fabs(w[k]));
    judge_row(e, i, lambda, w[i], 0.0, hi, &(support){0}, c);
    judge_disc(e, i + 1, lambda[i], lambda, w + i + 1, c);
}

/* h of the disc at row i. */
static double support_of(const dls_problem *p, size_t i, double x, double y)
{
    return hypot(p->mu[i] * x, p->mu[i + 1] * y);
}

static void count_residual(double natural, double impulse, double D, double violation, dls_certificate *c)
{
    c->natural_residual = worse_of(c->natural_residual, natural);
    c->natural_residual_impulse = worse_of(c->natural_residual_impulse, impulse);
    c->natural_residual_velocity = worse_of(c->natural_residual_velocity, impulse * D);
    c->bound_violation = worse_of(c->bound_violation, violation);
    c->cone_violation = worse_of(c->cone_violation, violation);
}

/* A contact under any law: the map of its normal row and that of each disc. */
static void examine_discs(const dls_examiner *e, size_t i, size_t discs, const double *lambda, const double *w,
                          dls_certificate *c)
{
    const dls_problem *p = e->p;
    const bool associated = p->law[i + 1] == DLS_LAW_ASSOCIATED;
    support s = {0};
    for (size_t k = i + 1; k < i + 1 + 2 * discs; k += 2) {
        s.w += associated ? support_of(p, k, w[k], w[k + 1]) : 0.0;
        s.T += associated ? support_of(p, k, e->T[k], e->T[k + 1]) : 0.0;
        s.rounding += associated ? support_of(p, k, e->rounding[k], e->rounding[k + 1]) : 0.0;
    }
    const double l = lambda[i], u = w[i] - s.w, hi = p->hi[i], slack = u > 0.0 ? l : hi - l;
    count_residual(fabs(natural_map(l, u, 0.0, hi)), fabs(natural_map(l, u / e->D[i], 0.0, hi)), e->D[i],
                   fabs(l - clamp(l, 0.0, hi)), c);
    c->complementarity_gap += isinf(slack) ? 0.0 : fabs(slack * u);
    c->w_max = worse_of(c->w_max, fabs(w[i]));
    judge_row(e, i, lambda, w[i], 0.0, hi, &s, c);
    for (size_t k = i + 1; k < i + 1 + 2 * discs; k += 2) {
        const dls_round_disc disc = dls_examine_round(p->mu + k, l, lambda + k, w + k);
        const double D = fmax(disc.share[0] * disc.share[0] * e->D[k], disc.share[1] * disc.share[1] * e->D[k + 1]);
        const dls_cone_figures f = dls_examine_round_figures(&disc, D, lambda + k, w + k);
        count_residual(f.natural_residual, f.impulse, D, f.violation, c);
        c->complementarity_gap += f.gap;
        c->friction_dissipation += f.dissipation;
        c->w_max = worse_of(c->w_max, fmax(fabs(w[k]), fabs(w[k + 1])));
        judge_disc(e, k, l, lambda, w + k, c);
    }
}

/* Whether the contact at row i has Coulomb's isotropic cone alone. */
static bool is_coulomb(const dls_problem *p, size_t i, size_t discs)
{
    return discs == 1 && p->law[i + 1] == DLS_LAW_CONE && p->mu[i + 1] == p->mu[i + 2];
}

/* The figures of the row at i, or of the contact that begins there. Returns the number of its rows. */
static size_t examine_block(const dls_examiner *e, size_t i, const double *lambda, const double *w, dls_certificate *c)
{
    const size_t discs = dls_problem_discs(e->p, i);
    if (is_coulomb(e->p, i, discs))
        examine_contact(e, i, lambda, w, c);
    else if (discs > 0)
        examine_discs(e, i, discs, lambda, w, c);
    else
        examine_row(e, i, lambda, w[i], c);
    return 1 + 2 * discs;
}

/* The certificate, and the natural_residual_velocity of each row (NULL: not wanted). */
static void examine_impulses(dls_examiner *e, const double *lambda, double *w, double *residual, dls_certificate *c)
{
    const dls_problem *p = e->p;
    const bool matrix = p->form == DLS_FORM_MATRIX;
    const double *v = matrix ? lambda : e->velocity; /* M^-1 J^T lambda */
    double objective = 0.0, *value = w ? w : e->w;
    *c = (dls_certificate){.worst_row = DLS_NONE};
    if (!matrix) {
        transposed_times(&p->J, lambda, e->velocity);
        solve_mass(e, e->velocity);
    }
    memset(e->left, 0, p->n * sizeof *e->left);
    memset(e->data, 0, p->n * sizeof *e->data);
    memset(e->load, 0, p->n * sizeof *e->load);
    find_scales(e, lambda);
    for (size_t i = 0; i < p->n; i++) {
        double Al = row_dot(&p->J, i, v) + p->gamma[i] * lambda[i];
        objective += (0.5 * Al + e->b[i]) * lambda[i];
        value[i] = Al + e->b[i];
    }
    c->inconsistent = dls_examine_redundant(p, e->D, e->evaluation, e->rounding, value, &e->redundant);
    for (size_t i = 0, rows; i < p->n; i += rows) {
        const double before = worse_of(c->impulse_residual, c->velocity_residual),
                     largest = c->natural_residual_velocity;
        c->natural_residual_velocity = 0.0;
        rows = examine_block(e, i, lambda, value, c);
        for (size_t k = i; residual && k < i + rows; k++)
            residual[k] = c->natural_residual_velocity;
        c->natural_residual_velocity = worse_of(largest, c->natural_residual_velocity);
        const double now = worse_of(c->impulse_residual, c->velocity_residual);
        if (now > before || (isnan(now) && !isnan(before)))
            c->worst_row = i;
    }
    c->objective = e->symmetric ? objective : NAN;
    judge_islands(e, c);
    c->scaled_residual = worse_of(c->impulse_residual, c->velocity_residual);
}

void dls_examine(dls_examiner *e, const double *lambda, double *w, dls_certificate *c)
{
    DLS_STANDARD_ARITHMETIC;
    examine_impulses(e, lambda, w, NULL, c);
}

void dls_examine_rows(dls_examiner *e, const double *lambda, double *residual, dls_certificate *c)
{
    DLS_STANDARD_ARITHMETIC;
    examine_impulses(e, lambda, NULL, residual, c);
}

/* |b_i| / max_j |A_ij|, in units where lambda_i = unit_i x_i. */
static double own_impulse(const dls_examiner *e, size_t i, const double *unit)
{
    double largest = e->p->gamma[i] * unit[i];
    const matrix_row of = row_of_matrix(e, i);
    for (size_t k = 0; k < of.count; k++)
        largest = fmax(largest, fabs(of.entry[k]) * unit[of.column[k]]);
    return largest > 0.0 ? fabs(e->b[i]) / largest : 0.0;
}

/* The larger entries of both. */
static dls_block_scale join_scales(dls_block_scale a, dls_block_scale b)
{
    return (dls_block_scale){fmax(a.impulse, b.impulse), fmax(a.velocity, b.velocity),
                             fmax(a.impulse_of_data, b.impulse_of_data), fmax(a.velocity_of_data, b.velocity_of_data)};
}

void dls_examiner_block_scales(dls_examiner *e, const double *lambda, const double *unit, dls_block_scale *scale)
{
    DLS_STANDARD_ARITHMETIC;
    const size_t n = e->p->n;
    memset(scale, 0, n * sizeof *scale);
    find_scales(e, lambda);
    for (size_t i = 0; i < n; i++) {
        const double impulse = fabs(lambda[i]) / unit[i], velocity = (e->T[i] - fabs(e->b[i])) * unit[i];
        dls_block_scale *of = &scale[island_of(e, i)];
        *of = join_scales(*of, (dls_block_scale){impulse, velocity, fmax(impulse, own_impulse(e, i, unit)),
                                                 fmax(velocity, fabs(e->b[i]) * unit[i])});
        e->y[i] = 0.0;
    }
    for (size_t i = 0; i < n; i++)
        if (scale[island_of(e, i)].impulse > 0.0)
            e->y[island_of(e, i)] = 1.0; /* the block has impulses */
    for (size_t i = 0; i < n; i++)
        if (e->y[island_of(e, i)] == 0.0 && e->p->parent[i] == DLS_NONE &&
            ((e->b[i] < 0.0 && e->p->hi[i] > 0.0) || (e->b[i] > 0.0 && e->p->lo[i] < 0.0))) { /* it requires one */
            dls_block_scale *of = &scale[island_of(e, i)];
            *of = join_scales(*of, (dls_block_scale){own_impulse(e, i, unit), fabs(e->b[i]) * unit[i], 0.0, 0.0});
        }
    for (size_t i = n; i-- > 0;) { /* the first row of a block, which holds its scale, comes last */
        const dls_block_scale of = scale[island_of(e, i)];
        scale[i] = (dls_block_scale){of.impulse * unit[i], of.velocity / unit[i], of.impulse_of_data * unit[i],
                                     of.velocity_of_data / unit[i]};
    }
}

double dls_examiner_distance(dls_examiner *e, const double *lambda1, const double *lambda2)
{
    DLS_STANDARD_ARITHMETIC;
    const dls_problem *p = e->p;
    double sum = 0.0;
    for (size_t i = 0; i < p->n; i++)
        e->difference[i] = lambda1[i] - lambda2[i];
    if (p->form == DLS_FORM_MATRIX) {
        for (size_t i = 0; i < p->n; i++)
            sum += e->difference[i] * (row_dot(&p->J, i, e->difference) + p->gamma[i] * e->difference[i]);
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
