/* Block Gauss-Seidel: solves one block of rows after another exactly, with all others fixed.
 *
 *     w = W x + q,   W the block of A,   q = w(lambda) - W lambda_b;   x solves the problem of the block alone
 *     v <- v + B_b (x - lambda_b)
 *
 * A block is a contact with its friction, the rows on one pair of bodies (a joint, or the contacts between two bodies),
 * the rows on one body or articulation, or an island. Rows of four contacts between two boxes are redundant, so that W
 * is singular: the block minimises its objective with the addition eps/2 sum_i s_i (x_i - lambda_i)^2, s_i = W_ii (its
 * mean over a contact), eps the setting `proximal`. This is the proximal point method on the block: the steps are
 * unique, fixed points stay what they are, and the error of a step tends to 0 with the step.
 *
 * LOCAL SOLVERS. One row, and one contact under Coulomb's cone, have a closed form (nsgs.c). A block without bounds is
 * factored once, by elimination with pivots. Any other is solved by Newton's method from the current impulses, on
 *     x_i - clamp(x_i - w_i / s_i, lo_i, hi_i) = 0             rows; those of a box with bounds -+ mu x_n
 *     x_t - mu x_n z / max(mu x_n, |z|) = 0, z = x_t - w_t / s  tangents under a cone (P. Alart and A. Curnier, 1991)
 * which for rows alone is the primal-dual active set method. It may cycle, or diverge for large friction: then five
 * sweeps over the rows of the block take its place, and the message of the report counts these blocks.
 *
 * For symmetric semidefinite A without friction every block reduces the objective or keeps it, and the impulses
 * converge to a solution for every partition into blocks (block coordinate descent on a convex quadratic with unique
 * minima of the blocks: P. Tseng, 2001). Under Coulomb's cone nothing is proved. No rate is known in general: larger
 * blocks need not be faster, although they mostly are.
 */
#include "turns.h"

#include "delassus/solvers.h"

#include "base/memory.h"
#include "kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double precision = 1e-12;
enum { NEWTON_STEPS = 30, SWEEPS = 5 };

enum { CONTACT, PAIR, BODY, ARTICULATION, ISLAND };
static const char *const partitions[] = {"contact", "pair", "body", "articulation", "island", NULL};

typedef struct settings {
    int block; /* one of the above */
    size_t largest;
    double proximal;
} settings;

static const dls_field fields[] = {
    {"block", "", DLS_FIELD_CHOICE, offsetof(settings, block), "pair", 0, 0, false, partitions,
     "rows of a block; contact: a contact with its friction, any other row alone; pair: adjacent rows on the same "
     "bodies; body: rows on one body or articulation; articulation: rows on one articulation, else as contact; island: "
     "all rows that are connected"},
    {"largest", "", DLS_FIELD_COUNT, offsetof(settings, largest), "120", 3, 2000, false, NULL,
     "largest number of rows in a block; larger blocks are divided"},
    {"proximal", "", DLS_FIELD_REAL, offsetof(settings, proximal), "1e-8", 0, 1, false, NULL,
     "weight of the proximal term of blocks of several rows or contacts, relative to the diagonal of A; 0: none"},
};

typedef enum method { CLOSED, FACTORED, NEWTON, SWEPT } method;
typedef struct block {
    size_t first, end; /* turns in `turn` */
    size_t rows, at;   /* W: rows x rows numbers from `at` on; the factors of a block without bounds */
    size_t place;      /* of its pivots */
    method method;
} block;

typedef struct block_gs {
    dls_kit kit;
    dls_turns turns;
    settings set;
    block *blocks;
    size_t *turn;              /* the turns of all blocks, one block after another; dead ones are in none */
    size_t *key, *of, *number; /* of each row: equal within a block; of each turn: its block; of each key: its block */
    size_t *root;              /* of each velocity: towards the root of its island */
    size_t *row, *normal, *pivot; /* of a block: its rows; the place of the normal row, DLS_NONE if elsewhere; pivots */
    double *W, *H, *local;        /* W of all blocks; the Newton matrix of a block; VECTORS vectors of a block */
    size_t n_blocks, solved, failed, first_failed;
    size_t block_capacity, turn_capacity, key_capacity, of_capacity, number_capacity, root_capacity, row_capacity,
        normal_capacity, pivot_capacity, W_capacity, H_capacity, local_capacity;
} block_gs;
enum { X, Q, W_OF_X, F, SIZE, SCALE, VECTORS };

/* --- partition --- */

static size_t block_root(size_t *root, size_t j)
{
    while (root[j] != j)
        j = root[j] = root[root[j]];
    return j;
}

static void block_connect(size_t *root, size_t i, size_t j) { root[block_root(root, i)] = block_root(root, j); }

/* Connects the mass blocks that each row acts on; in the matrix form the rows that an entry of A couples. */
static void block_find_islands(block_gs *w)
{
    const dls_problem *p = w->kit.problem;
    const dls_response *r = &w->kit.inside->response;
    for (size_t j = 0; j < p->nv; j++)
        w->root[j] = j;
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = r->start[i]; k < r->start[i + 1]; k++)
            block_connect(w->root, r->runs[r->start[i]].offset, r->runs[k].offset);
        for (size_t k = p->J.start[i]; k < p->J.start[i + 1] && p->form == DLS_FORM_MATRIX; k++)
            for (size_t j = p->J.offset[k]; j < p->J.offset[k] + p->J.coef_at[k + 1] - p->J.coef_at[k]; j++)
                block_connect(w->root, i, j);
    }
}

/* The key of a row without regard to friction: its number, or n and the first velocity of a mass block. */
static size_t block_key(block_gs *w, size_t i)
{
    const dls_response *r = &w->kit.inside->response;
    const dls_response_run *run = r->runs + r->start[i], *end = r->runs + r->start[i + 1];
    const size_t n = w->kit.problem->n;
    if (w->set.block == PAIR && i > 0 && dls_response_same_blocks(r, i - 1, i))
        return w->key[i - 1];
    if (w->set.block == ARTICULATION)
        while (run < end && (run->length == 6 || w->kit.problem->form == DLS_FORM_MATRIX))
            run++;
    if (w->set.block < BODY || run == end)
        return i;
    return n + (w->set.block == ISLAND ? block_root(w->root, run->offset) : run->offset);
}

/* Assigns turns to blocks in the order of the rows. A block that is full is continued by another one. */
static bool block_assign(block_gs *w)
{
    const dls_problem *p = w->kit.problem;
    for (size_t i = 0; i < p->n; i++)
        w->key[i] = block_key(w, i);
    for (size_t k = 0; k < p->n + p->nv; k++)
        w->number[k] = DLS_NONE;
    w->n_blocks = 0;
    for (size_t t = 0; t < w->turns.count; t++) {
        const dls_turn *turn = &w->turns.at[t];
        const size_t normal = p->parent[turn->first];
        size_t *b = &w->number[w->key[normal == DLS_NONE ? turn->first : normal]];
        if (turn->diagonal == 0.0)
            continue;
        if (*b == DLS_NONE || w->blocks[*b].rows + turn->rows > w->set.largest) {
            if (!DLS_GROW(w->blocks, w->block_capacity, w->n_blocks + 1))
                return false;
            w->blocks[ *b = w->n_blocks++] = (block){0};
        }
        w->of[t] = *b;
        w->blocks[*b].rows += turn->rows;
        w->blocks[*b].end++;
    }
    for (size_t b = 0, at = 0; b < w->n_blocks; b++) { /* `end` has counted the turns */
        at += w->blocks[b].end;
        w->blocks[b].first = w->blocks[b].end = at - w->blocks[b].end;
    }
    for (size_t t = 0; t < w->turns.count; t++)
        if (w->turns.at[t].diagonal != 0.0)
            w->turn[w->blocks[w->of[t]].end++] = t;
    return true;
}

/* --- one block --- */

/* Lists the rows of a block, and where their normal rows are in it. */
static void block_list_rows(const block_gs *w, const block *b)
{
    const size_t *parent = w->kit.problem->parent;
    size_t m = 0;
    for (size_t k = b->first; k < b->end; k++)
        for (size_t r = 0; r < w->turns.at[w->turn[k]].rows; r++)
            w->row[m++] = w->turns.at[w->turn[k]].first + r;
    for (size_t k = 0; k < m; k++) {
        w->normal[k] = DLS_NONE;
        for (size_t j = 0; j < m && parent[w->row[k]] != DLS_NONE; j++)
            if (w->row[j] == parent[w->row[k]])
                w->normal[k] = j;
    }
}

/* Replaces the m x m matrix A (row by row) by its factors P A = L U. False if a pivot is 0. */
static bool block_factor(size_t m, double *A, size_t *pivot)
{
    for (size_t k = 0; k < m; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < m; i++)
            best = fabs(A[m * i + k]) > fabs(A[m * best + k]) ? i : best;
        pivot[k] = best;
        for (size_t j = 0; j < m; j++) {
            const double kept = A[m * k + j];
            A[m * k + j] = A[m * best + j], A[m * best + j] = kept;
        }
        if (!(fabs(A[m * k + k]) > 0.0))
            return false;
        for (size_t i = k + 1; i < m; i++) {
            const double factor = A[m * i + k] /= A[m * k + k];
            for (size_t j = k + 1; j < m && factor != 0.0; j++)
                A[m * i + j] -= factor * A[m * k + j];
        }
    }
    return true;
}

static void block_solve_factored(size_t m, const double *LU, const size_t *pivot, double *x)
{
    for (size_t k = 0; k < m; k++) {
        const double kept = x[k];
        x[k] = x[pivot[k]], x[pivot[k]] = kept;
    }
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < i; j++)
            x[i] -= LU[m * i + j] * x[j];
    for (size_t i = m; i-- > 0;) {
        for (size_t j = i + 1; j < m; j++)
            x[i] -= LU[m * i + j] * x[j];
        x[i] /= LU[m * i + i];
    }
}

/* Operations of dense algebra as row visits (dls_report.row_visits). */
static void block_charge(block_gs *w, double operations) { w->kit.visits += operations / 48.0; }

/* s of the rows of a listed block: the diagonal of W, its mean over a contact under a cone. */
static void block_scales(const block_gs *w, const block *b, const double *W, double *s)
{
    size_t at = 0;
    for (size_t k = b->first; k < b->end; k++) {
        const size_t rows = w->turns.at[w->turn[k]].rows;
        double sum = 0.0;
        for (size_t r = at; r < at + rows; r++)
            sum += W[b->rows * r + r];
        for (size_t r = 0; r < rows; r++)
            s[at++] = sum / (double)rows;
    }
}

/* Computes W of a block with the proximal term, and factors it if the block has no bounds. */
static void block_prepare(block_gs *w, block *b)
{
    const dls_problem *p = w->kit.problem;
    const size_t m = b->rows;
    const dls_response *r = &w->kit.inside->response;
    double *W = w->W + b->at, *zero = w->kit.v + p->nv, *s = w->local;
    bool bounded = false;
    b->method = CLOSED;
    if (b->end - b->first == 1)
        return;
    block_list_rows(w, b);
    for (size_t k = 0; k < m; k++) {
        const size_t i = w->row[k];
        dls_response_add(r, i, 1.0, zero);
        for (size_t j = 0; j < m; j++)
            W[m * j + k] = dls_rows_dot(&p->J, w->row[j], zero);
        for (const dls_response_run *run = r->runs + r->start[i]; run < r->runs + r->start[i + 1]; run++)
            memset(zero + run->offset, 0, run->length * sizeof *zero);
        W[m * k + k] += p->gamma[i];
        bounded |= p->parent[i] != DLS_NONE || p->lo[i] != -HUGE_VAL || p->hi[i] != HUGE_VAL;
    }
    block_scales(w, b, W, s);
    for (size_t k = 0; k < m; k++)
        W[m * k + k] += w->set.proximal * s[k];
    block_charge(w, (double)(m * m) * (24.0 + (bounded ? 0.0 : 2.0 / 3.0 * (double)m)));
    b->method = bounded ? NEWTON : block_factor(m, W, w->pivot + b->place) ? FACTORED : SWEPT;
}

/* --- Newton's method on one block --- */

/* Row k of F and of H = dF / dx where w_k = 0 is asked: w_k / s_k. */
static void block_put_free(const block *b, const double *W, double *H, double *const v[VECTORS], size_t k)
{
    const size_t m = b->rows;
    for (size_t j = 0; j < m; j++)
        H[m * k + j] = W[m * k + j] / v[SCALE][k];
    v[F][k] = v[W_OF_X][k] / v[SCALE][k];
}

/* Where x_k is at a bound, `value`, that changes by `slope` with the normal impulse at `normal`. */
static void block_put_bound(const block *b, double *H, double *const v[VECTORS], size_t k, double value, size_t normal,
                            double slope)
{
    memset(H + b->rows * k, 0, b->rows * sizeof *H);
    H[b->rows * k + k] = 1.0;
    if (normal != DLS_NONE)
        H[b->rows * k + normal] -= slope;
    v[F][k] = v[X][k] - value;
}

/* The tangents k and k + 1 of a contact under a cone, after their normal row. */
static void block_put_tangents(const block *b, const double *W, double *H, double *const v[VECTORS], size_t k,
                               double mu)
{
    const size_t m = b->rows;
    const double *x = v[X], normal = x[k - 1] > 0.0 ? x[k - 1] : 0.0, s = v[SCALE][k];
    const double z[2] = {x[k] - v[W_OF_X][k] / s, x[k + 1] - v[W_OF_X][k + 1] / s}, size = hypot(z[0], z[1]);
    block_put_free(b, W, H, v, k), block_put_free(b, W, H, v, k + 1);
    if (size <= mu * normal)
        return;
    const double e[2] = {z[0] / size, z[1] / size}, share = mu * normal / size;
    for (size_t j = 0; j < m;
         j++) { /* the rows of H are dw / s; now dx - d(mu n e) with e = z / |z|, dz = dx - dw / s */
        const double dz[2] = {(j == k) - H[m * k + j], (j == k + 1) - H[m * (k + 1) + j]};
        const double along = e[0] * dz[0] + e[1] * dz[1], dn = j == k - 1 && x[k - 1] > 0.0 ? mu : 0.0;
        for (size_t a = 0; a < 2; a++)
            H[m * (k + a) + j] = (j == k + a) - dn * e[a] - share * (dz[a] - along * e[a]);
    }
    for (size_t a = 0; a < 2; a++)
        v[F][k + a] = x[k + a] - mu * normal * e[a];
}

/* w at x, F and its derivative H. Returns whether F is 0 to rounding. */
static bool block_linearise(block_gs *w, const block *b, double *const v[VECTORS])
{
    const dls_problem *p = w->kit.problem;
    const size_t m = b->rows;
    const double *W = w->W + b->at, *x = v[X];
    bool solved = true;
    for (size_t k = 0; k < m; k++) {
        const double from = w->set.proximal * v[SCALE][k] * w->kit.lambda[w->row[k]];
        v[W_OF_X][k] = v[Q][k] - from, v[SIZE][k] = fabs(v[Q][k]) + fabs(from);
        for (size_t j = 0; j < m; j++) {
            v[W_OF_X][k] += W[m * k + j] * x[j];
            v[SIZE][k] += fabs(W[m * k + j] * x[j]);
        }
    }
    for (size_t k = 0; k < m; k++) {
        const size_t i = w->row[k], normal = w->normal[k];
        const double z = x[k] - v[W_OF_X][k] / v[SCALE][k];
        double lo = p->lo[i], hi = p->hi[i], slope = 0.0;
        if (p->law[i] == DLS_LAW_CONE) {
            block_put_tangents(b, W, w->H, v, k++, p->mu[i]);
            continue;
        }
        if (p->parent[i] != DLS_NONE) {
            const double n = normal == DLS_NONE ? w->kit.lambda[p->parent[i]] : x[normal];
            slope = n > 0.0 ? p->mu[i] : 0.0;
            hi = slope * n, lo = -hi;
        }
        if (z < lo)
            block_put_bound(b, w->H, v, k, lo, normal, -slope);
        else if (z > hi)
            block_put_bound(b, w->H, v, k, hi, normal, slope);
        else
            block_put_free(b, W, w->H, v, k);
    }
    for (size_t k = 0; k < m; k++)
        solved = solved && fabs(v[F][k]) <= precision * (fabs(x[k]) + v[SIZE][k] / v[SCALE][k]);
    block_charge(w, 4.0 * (double)(m * m));
    return solved;
}

static bool block_newton(block_gs *w, const block *b, double *const v[VECTORS])
{
    const size_t m = b->rows;
    size_t *pivot = w->pivot + w->kit.problem->n;
    for (int step = 0; step < NEWTON_STEPS; step++) {
        if (block_linearise(w, b, v))
            return true;
        block_charge(w, 2.0 / 3.0 * (double)(m * m * m));
        if (!block_factor(m, w->H, pivot))
            return false;
        block_solve_factored(m, w->H, pivot, v[F]);
        for (size_t k = 0; k < m; k++)
            v[X][k] -= v[F][k];
    }
    return false;
}

/* Moves x, which is within its bounds to rounding, onto them. */
static void block_clamp(const block_gs *w, const block *b, double *x)
{
    const dls_problem *p = w->kit.problem;
    for (size_t k = 0; k < b->rows; k++) {
        const size_t i = w->row[k];
        double lo = p->lo[i], hi = p->hi[i];
        if (dls_problem_is_cone(p, i)) {
            dls_cone_project(p->mu[i + 1], hi, x + k);
            k += 2;
            continue;
        }
        if (p->parent[i] != DLS_NONE) {
            const double n = w->normal[k] == DLS_NONE ? w->kit.lambda[p->parent[i]] : x[w->normal[k]];
            hi = p->mu[i] * fmax(n, 0.0), lo = -hi;
        }
        x[k] = x[k] < lo ? lo : x[k] > hi ? hi : x[k];
    }
}

/* --- method --- */

static void block_sweep(block_gs *w, const block *b)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (size_t k = b->first; k < b->end; k++)
            dls_turn_take(&w->turns, &w->kit, &w->turns.at[w->turn[k]]);
    w->first_failed = w->failed++ ? w->first_failed : w->turns.at[w->turn[b->first]].first;
}

static void block_visit(block_gs *w, const block *b)
{
    dls_kit *kit = &w->kit;
    const size_t m = b->rows;
    double *v[VECTORS], *W = w->W + b->at;
    for (size_t k = 0; k < VECTORS; k++)
        v[k] = w->local + k * w->set.largest;
    w->solved++;
    if (b->method == CLOSED) {
        dls_turn_take(&w->turns, kit, &w->turns.at[w->turn[b->first]]);
        return;
    }
    block_list_rows(w, b);
    for (size_t k = 0; k < m; k++) {
        v[X][k] = kit->lambda[w->row[k]];
        v[Q][k] = dls_kit_row_residual(kit, w->row[k]);
    }
    if (b->method == FACTORED) { /* w + (W + proximal) (x - lambda) = 0 */
        block_solve_factored(m, W, w->pivot + b->place, v[Q]);
        block_charge(w, 2.0 * (double)(m * m));
        for (size_t k = 0; k < m; k++)
            v[X][k] -= v[Q][k];
    } else if (b->method == NEWTON) {
        block_scales(w, b, W, v[SCALE]);
        for (size_t k = 0; k < m; k++)
            for (size_t j = 0; j < m; j++)
                v[Q][k] -= (W[m * k + j] - (j == k ? w->set.proximal * v[SCALE][k] : 0.0)) * kit->lambda[w->row[j]];
    }
    if (b->method == SWEPT || (b->method == NEWTON && !block_newton(w, b, v))) {
        block_sweep(w, b);
        return;
    }
    block_clamp(w, b, v[X]);
    for (size_t k = 0; k < m; k++)
        dls_kit_row_set(kit, w->row[k], v[X][k]);
}

static dls_status block_iterate(void *work, dls_report *report, dls_error *error)
{
    block_gs *w = work;
    (void)error;
    for (size_t k = 0; k < w->n_blocks; k++)
        block_visit(w, &w->blocks[k]);
    if (w->failed)
        snprintf(report->message, sizeof report->message,
                 "the local solver failed in %zu of %zu block solves, first in the block of row %zu; sweeps took its "
                 "place",
                 w->failed, w->solved, w->first_failed);
    dls_kit_report(&w->kit, report);
    return DLS_OK;
}

static dls_status block_start(void *work, dls_error *error)
{
    block_gs *w = work;
    const dls_problem *p = w->kit.problem;
    if (w->kit.inside->plan.settings) /* the first start */
        w->set = *(const settings *)w->kit.inside->plan.settings;
    w->kit.inside->plan.settings = NULL;
    const size_t largest = w->set.largest;
    size_t numbers = 0, rows = 0, most = 0;
    DLS_TRY(dls_turns_load(&w->turns, &w->kit, error));
    bool ok = DLS_GROW(w->turn, w->turn_capacity, w->turns.count) && DLS_GROW(w->of, w->of_capacity, w->turns.count) &&
              DLS_GROW(w->key, w->key_capacity, p->n) && DLS_GROW(w->number, w->number_capacity, p->n + p->nv) &&
              DLS_GROW(w->root, w->root_capacity, p->nv) && DLS_GROW(w->row, w->row_capacity, largest) &&
              DLS_GROW(w->normal, w->normal_capacity, largest) &&
              DLS_GROW(w->pivot, w->pivot_capacity, p->n + largest) &&
              DLS_GROW(w->local, w->local_capacity, VECTORS * largest);
    if (ok && w->set.block == ISLAND)
        block_find_islands(w);
    ok = ok && block_assign(w);
    for (size_t k = 0; ok && k < w->n_blocks; k++) {
        block *b = &w->blocks[k];
        b->at = numbers, b->place = rows;
        rows += b->rows;
        numbers += b->end - b->first > 1 ? b->rows * b->rows : 0;
        most = b->rows > most ? b->rows : most;
    }
    if (!ok || !DLS_GROW(w->W, w->W_capacity, numbers) || !DLS_GROW(w->H, w->H_capacity, most * most))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the blocks of %zu rows", p->n);
    for (size_t k = 0; k < w->n_blocks; k++)
        block_prepare(w, &w->blocks[k]);
    if (!w->kit.renewed)
        w->solved = w->failed = 0;
    return DLS_OK;
}

static void block_end(void *work)
{
    block_gs *w = work;
    dls_turns_release(&w->turns);
    free(w->blocks), free(w->turn), free(w->key), free(w->of), free(w->number), free(w->root), free(w->row);
    free(w->normal), free(w->pivot), free(w->W), free(w->H), free(w->local);
}

static dls_status block_open(const dls_problem *problem, const void *set, const double *lambda0, void **work,
                             dls_error *error)
{
    const dls_kit_plan plan = {
        .size = sizeof(block_gs), .row_by_row = true, .settings = set, .start = block_start, .end = block_end};
    return dls_kit_open(&plan, problem, lambda0, work, error);
}

const dls_solver dls_solver_block_gs = {
    .name = "block-gs",
    .summary =
        "block Gauss-Seidel: solves contacts, pairs, bodies, articulations or islands exactly, one after another",
    .source = "P. Tseng, Convergence of a block coordinate descent method, 2001; M. Jean, The non-smooth contact "
              "dynamics method, 1999; P. Alart and A. Curnier, 1991",
    DLS_KIT_MEMBERS,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_CONE,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = block_open,
    .iterate = block_iterate,
};
