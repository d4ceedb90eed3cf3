/* The examiner: residuals, violations and their rounding at given impulses, recomputed from the problem alone.
 *
 * Nothing here is shared with a solver, nor with the dense assembly: the loops over the rows are its own, and M^-1 is
 * not the mass operator's solve but its own Cholesky factor of the matrix of each block of M. So a wrong M^-1, a wrong
 * response or a wrong matrix in a solver cannot hide. The work is linear in the entries of J, of the factors, and of A,
 * which has one for each two rows on one body or articulation; the memory is linear in the rows (entries.h). No library
 * is called, so the figures are the same bytes under every BLAS.
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
 * A_ij are the entries of A themselves, so that a row which A does not couple to row i cannot hide the violation of row
 * i. Entries that are no more than roundings are 0 (entries.h), and w_i below 64 roundings of sum_k N_ik sum_j N_jk
 * |lambda_j| cannot be told from 0.
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
#include "entries.h"
#include "parts.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    dls_entries entries;      /* of A */
    double *of_slot;          /* of each slot: |lambda| of its row, */
    double *moved, *unmoved;  /* and the largest |A_ij| / T_j and |A_ij| / rounding_j that it has */
    double *S;                /* n_blocks: sum_j N_jk |lambda_j| */
    bool *joined;             /* n_blocks: whether all rows of the block are known to be of one island */
    size_t *root;             /* n: another row of the same island, nearer to the first one */
    double *left;             /* of each island: the largest violation as energy, */
    double *data;             /* the energy of its data, */
    double *load;             /* and the largest T_i |lambda_i| of impulses that are not unseen, */
    double *unit; /* all in units of 1 / unit^2, a power of two, so that no square leaves the range of a double */
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

/* --- loading a problem --- */

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
    *rounding = dls_granted * (double)count * DBL_EPSILON * terms;
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

/* Whether all rows that touch block k of M are of one island. */
static bool is_joined(const dls_examiner *e, size_t k)
{
    const dls_entries *of = &e->entries;
    for (size_t s = of->block_at[k]; s < of->end_at[k] && !e->joined[k]; s++)
        if (island_of(e, of->row[s]) != island_of(e, of->row[of->block_at[k]]))
            return false;
    return e->joined[k] = true;
}

/* Whether all rows that A may couple to row i are of its island. */
static bool is_settled(const dls_examiner *e, size_t i)
{
    for (size_t piece = e->p->J.start[i]; piece < e->p->J.start[i + 1];)
        if (!is_joined(e, dls_entries_next_block(&e->p->J, i, &piece)))
            return false;
    return true;
}

/* Rows that A couples; and a row under a friction law with its normal row, whose impulse bounds its own. */
static void couple_row(dls_examiner *e, size_t i)
{
    dls_entries *of = &e->entries;
    const bool settled = e->p->form == DLS_FORM_MECHANICAL && is_settled(e, i);
    const size_t spans = settled ? 0 : dls_entries_row(of, i);
    for (const dls_entry_span *span = of->span; span < of->span + spans; span++)
        for (size_t k = 0; k < span->count; k++)
            if (span->entry[k] != 0.0 && e->root[of->row[span->slot + k]] != e->root[i])
                join_islands(e, i, of->row[span->slot + k]);
    if (e->p->parent[i] != DLS_NONE)
        join_islands(e, i, e->p->parent[i]);
}

/* The largest |A_ij|, without Gamma. */
static double largest_entry(dls_examiner *e, size_t i)
{
    const size_t spans = dls_entries_row(&e->entries, i);
    double largest = 0.0;
    for (const dls_entry_span *span = e->entries.span; span < e->entries.span + spans; span++)
        for (size_t k = 0; k < span->count; k++)
            largest = fabs(span->entry[k]) > largest ? fabs(span->entry[k]) : largest;
    return largest;
}

/* |A_ii| of a row, or what stands for it where that is 0. */
static double weight_of(dls_examiner *e, size_t i)
{
    const double diagonal = e->p->gamma[i] + e->entries.diagonal[i];
    e->diagonals.zero += diagonal == 0.0;
    e->diagonals.negative += diagonal < 0.0;
    const double weight = diagonal != 0.0 ? fabs(diagonal) : largest_entry(e, i);
    return weight > 0.0 ? weight : 1.0;
}

static dls_status take_memory(dls_examiner *e, const dls_problem *p, dls_error *error)
{
    double **const of_rows[] = {&e->b,          &e->D,          &e->w,
                                &e->T,          &e->Lambda,     &e->unseen,
                                &e->rounding,   &e->evaluation, &e->rounding_of_bias,
                                &e->difference, &e->y,          &e->redundant.y,
                                &e->left,       &e->data,       &e->load,
                                &e->unit};
    dls_arena_reset(&e->memory);
    DLS_TRY(dls_entries_load(&e->entries, p, &e->memory, error));
    e->of_slot = DLS_TAKE_ZEROS(&e->memory, double, e->entries.n_slots);
    e->moved = DLS_TAKE(&e->memory, double, e->entries.n_slots);
    e->unmoved = DLS_TAKE(&e->memory, double, e->entries.n_slots);
    e->S = DLS_TAKE(&e->memory, double, p->mass.n_blocks);
    e->joined = DLS_TAKE_ZEROS(&e->memory, bool, p->mass.n_blocks);
    for (size_t i = 0; i < sizeof of_rows / sizeof of_rows[0]; i++)
        *of_rows[i] = DLS_TAKE(&e->memory, double, p->n);
    e->rounding_of_b = DLS_TAKE_ZEROS(&e->memory, double, p->n);
    e->root = DLS_TAKE(&e->memory, size_t, p->n);
    e->redundant.kept = DLS_TAKE_ZEROS(&e->memory, bool, p->n);
    e->redundant.parts = DLS_TAKE(&e->memory, double, 4 * p->mass.n_blocks);
    e->force = DLS_TAKE(&e->memory, double, p->nv);
    e->redundant.force = e->force;
    e->velocity = DLS_TAKE(&e->memory, double, p->nv);
    return e->memory.failed ? dls_fail(error, DLS_NO_MEMORY, "no memory to examine a problem of %zu rows", p->n)
                            : DLS_OK;
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
    const bool matrix = p->form == DLS_FORM_MATRIX;
    e->p = p;
    DLS_TRY(take_memory(e, p, error));
    e->symmetric = dls_problem_is_symmetric(p);
    e->diagonals = (dls_diagonals){0};
    for (size_t i = 0; i < p->n; i++)
        e->root[i] = i;
    for (size_t i = 0; i < p->n; i++) {
        couple_row(e, i);
        e->D[i] = weight_of(e, i);
        e->b[i] = matrix ? -p->c[i] : right_side(p, i, &e->rounding_of_b[i]);
        e->rounding_of_bias[i] = matrix ? 0.0 : dls_granted * DBL_EPSILON * terms_of_bias(p, i);
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

/* sum_k N_ik sum_j N_jk |lambda_j| of row i */
static double bound_of_terms(const dls_examiner *e, size_t i)
{
    const dls_entries *of = &e->entries;
    double terms = 0.0;
    for (size_t piece = e->p->J.start[i], s = of->slot_at[i]; piece < e->p->J.start[i + 1]; s++)
        terms += of->size[of->slots[s]] * e->S[dls_entries_next_block(&e->p->J, i, &piece)];
    return terms;
}

/* x of row i in its slots. */
static void spread(const dls_entries *of, size_t i, double x, double *of_slot)
{
    for (size_t s = of->slot_at[i]; s < of->slot_at[i + 1]; s++)
        of_slot[of->slots[s]] = x;
}

static void find_terms(dls_examiner *e, const double *lambda)
{
    const dls_problem *p = e->p;
    dls_entries *of = &e->entries;
    const bool mechanical = p->form == DLS_FORM_MECHANICAL;
    for (size_t i = 0; i < p->n; i++)
        spread(of, i, fabs(lambda[i]), e->of_slot);
    for (size_t k = 0; k < p->mass.n_blocks; k++) {
        e->S[k] = 0.0;
        for (size_t s = of->block_at[k]; s < of->end_at[k]; s++)
            e->S[k] += of->size[s] * e->of_slot[s];
    }
    for (size_t i = 0; i < p->n; i++) {
        const size_t spans = dls_entries_row(of, i);
        const double softness = p->gamma[i] * fabs(lambda[i]);
        double T = fabs(e->b[i]) + softness;
        for (const dls_entry_span *span = of->span; span < of->span + spans; span++)
            T += of->path->sum(span->entry, e->of_slot + span->slot, span->count);
        e->T[i] = T;
        e->evaluation[i] =
            mechanical ? e->rounding_of_b[i] + dls_granted * DBL_EPSILON * (softness + bound_of_terms(e, i)) : 0.0;
        e->rounding[i] = e->evaluation[i] + e->rounding_of_bias[i];
    }
}

/* The smallest of x and 1 / most_s in the slots of row i. */
static double least_of(const dls_entries *of, size_t i, const double *most, double x)
{
    for (size_t s = of->slot_at[i]; s < of->slot_at[i + 1]; s++)
        x = most[of->slots[s]] > 0.0 ? fmin(x, 1.0 / most[of->slots[s]]) : x;
    return x;
}

/* T, Lambda and the rounding of w at these impulses. */
static void find_scales(dls_examiner *e, const double *lambda)
{
    const dls_problem *p = e->p;
    dls_entries *of = &e->entries;
    find_terms(e, lambda);
    memset(e->moved, 0, of->n_slots * sizeof *e->moved);
    memset(e->unmoved, 0, of->n_slots * sizeof *e->unmoved);
    for (size_t i = 0; i < p->n; i++) {
        const size_t spans = dls_entries_row(of, i);
        dls_entries_raise(of, spans, e->T[i], e->moved);
        dls_entries_raise(of, spans, e->rounding[i], e->unmoved);
    }
    for (size_t i = 0; i < p->n; i++) {
        const double softness = fabs(p->gamma[i]);
        e->Lambda[i] = least_of(of, i, e->moved, softness > 0.0 ? e->T[i] / softness : HUGE_VAL);
        e->unseen[i] = least_of(of, i, e->unmoved, softness > 0.0 ? e->rounding[i] / softness : HUGE_VAL);
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
static void count_figures(dls_examiner *e, row_figures f, dls_certificate *c)
{
    const size_t island = island_of(e, f.row);
    const double roundings = (double)(dls_entries_terms(&e->entries, f.row) + 4) * DBL_EPSILON;
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
    *exponent = INT_MIN;
    if (x == 0.0 || y == 0.0) /* most products of a row that nothing moves */
        return 0.0;
    const double fraction = frexp(x, &of_x) * frexp(y, &of_y);
    *exponent = of_x + of_y;
    return fraction;
}

/* A sum of products in a unit of its own, 2^exponent. */
typedef struct scaled_sum {
    double sum, terms;
    int exponent;
} scaled_sum;

static void raise_unit(scaled_sum *s, double x, double y)
{
    int exponent;
    scaled_product(x, y, &exponent);
    s->exponent = exponent > s->exponent ? exponent : s->exponent;
}

static void add_product(scaled_sum *s, double x, double y)
{
    int exponent;
    const double fraction = scaled_product(x, y, &exponent);
    const double term = exponent == INT_MIN ? 0.0 : ldexp(fraction, exponent - s->exponent);
    s->sum += term;
    s->terms += fabs(term);
}

/* w_i / T_i, with its sign. Tiny terms are summed in the unit of the largest of them. */
static double relative_w(dls_examiner *e, size_t i, const double *lambda, double w)
{
    static void (*const passes[])(scaled_sum *, double, double) = {raise_unit, add_product};
    scaled_sum s = {.exponent = INT_MIN};
    if (!(e->T[i] < tiny_terms))
        return w == 0.0 ? 0.0 : w / e->T[i];
    const dls_entries *of = &e->entries;
    const size_t spans = dls_entries_row(&e->entries, i);
    for (int pass = 0; pass < 2 && (pass == 0 || s.exponent > INT_MIN); pass++) {
        passes[pass](&s, e->b[i], 1.0);
        passes[pass](&s, e->p->gamma[i], lambda[i]);
        for (const dls_entry_span *span = of->span; span < of->span + spans; span++)
            for (size_t k = 0; k < span->count; k++)
                passes[pass](&s, span->entry[k], lambda[of->row[span->slot + k]]);
    }
    return s.sum == 0.0 ? 0.0 : s.sum / s.terms;
}

/* Whether w is what the doubles of the row say: a sum of terms that overflow may have any sign. */
static bool is_evaluated(const dls_examiner *e, size_t i, double w) { return isfinite(e->T[i]) && isfinite(w); }

/* The figure of a w, or of a violation of impulses, that cannot be told from 0: the roundings that it is of those
 * granted, if these are fewer. */
static double beyond_rounding(double figure, double w, double rounding)
{
    return w <= rounding && w > 0.0 ? fmin(figure, dls_granted * DBL_EPSILON * (w / rounding)) : figure;
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
static void judge_row(dls_examiner *e, size_t i, const double *lambda, double w, double lo, double hi, const support *s,
                      dls_certificate *c)
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
static void examine_row(dls_examiner *e, size_t i, const double *lambda, double w, dls_certificate *c)
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
static void judge_disc(dls_examiner *e, size_t i, double normal, const double *lambda, const double w[2],
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
static void examine_contact(dls_examiner *e, size_t i, const double *lambda, const double *w, dls_certificate *c)
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
static void examine_discs(dls_examiner *e, size_t i, size_t discs, const double *lambda, const double *w,
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
static size_t examine_block(dls_examiner *e, size_t i, const double *lambda, const double *w, dls_certificate *c)
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
        dls_entries_solve_mass(&e->entries, e->velocity);
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
static double own_impulse(dls_examiner *e, size_t i, const double *unit)
{
    const dls_entries *of = &e->entries;
    const size_t spans = dls_entries_row(&e->entries, i);
    double largest = e->p->gamma[i] * unit[i];
    for (const dls_entry_span *span = of->span; span < of->span + spans; span++)
        for (size_t k = 0; k < span->count; k++)
            largest = fmax(largest, fabs(span->entry[k]) * unit[of->row[span->slot + k]]);
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
    dls_entries_solve_mass(&e->entries, e->velocity);
    for (size_t j = 0; j < p->nv; j++)
        sum += e->force[j] * e->velocity[j];
    return sqrt(sum);
}
