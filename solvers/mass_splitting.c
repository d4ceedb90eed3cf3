/* Mass-splitting Jacobi: all groups of rows at once, each with its own share of the masses.
 *
 * A group is adjacent rows on the same bodies: a joint, or the contacts of a pair. A body b that c_b groups act on is
 * split into c_b copies of mass M_b / c_b, one for each group, so that groups no longer share a body and are solved
 * independently; the velocity of the body is then the mean of those of its copies. With W_b = M_b^-1
 *
 *     A   = sum_b J_b W_b J_b^T + Gamma,   A_s = sum_b c_b J_b W_b J_b^T + Gamma within groups, 0 between groups
 *     lambda_g' = one sweep of projected Gauss-Seidel (nsgs.c) over the rows of group g, with A_s
 *     v        <- v + sum_i B_i (lambda_i' - lambda_i):   the mean, since 1 / c_b (c_b W_b) J_b^T = W_b J_b^T
 *
 * Where each group is one row and all its bodies have the same c, this is Jacobi with the damping 1 / c.
 *
 * IT NEVER DIVERGES for symmetric A without friction. By the inequality of Cauchy and Schwarz, for any x,
 *     x^T A x - x^T Gamma x = sum_b |sum_g J_gb^T x_g|^2_{W_b} <= sum_b c_b sum_g |J_gb^T x_g|^2_{W_b},
 * so A <= A_s (A_s - A is positive semidefinite), and f(lambda) = 1/2 lambda^T A lambda + b^T lambda satisfies
 *     f(lambda + d) <= f(lambda) + sum_g m_g(d_g),   m_g(d) = w_g^T d + 1/2 d^T A_s,gg d.
 * Each row of a group's sweep reduces m_g, by A_s,ii d_i^2 / 2 or more within its bounds. Hence f falls by at least
 * sum_i A_s,ii d_i^2 / 2 in every iteration: if there is a solution the steps d tend to zero, and w to that of a
 * solution. Jacobi itself diverges where D^-1 A has an eigenvalue above 2.
 * The matrix form has no masses. There a group g is one row or contact, of the mean diagonal s_g, and each block A_gh
 * (Frobenius norm) adds |A_gh| sqrt(s_g / s_h) to the diagonal of A_s,gg; A <= A_s because of
 *     2 |x_g^T A_gh x_h| <= |A_gh| (|x_g|^2 sqrt(s_g / s_h) + |x_h|^2 sqrt(s_h / s_g)).
 * Under friction the law is no minimum, and nothing is proved; if the iteration stops changing, it is at a solution.
 *
 * Without bounds, and for groups of one row, the factor of the error per iteration is 1 - lambda_min(A_s^-1 A); it
 * depends on the counts c_b, so that the descriptor gives no rate. Information travels one group per iteration, and
 * steps are c times shorter than those of Gauss-Seidel: many more iterations, each of them parallel.
 */
#include "turns.h"

#include "delassus/solvers.h"

#include "base/memory.h"
#include "kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct group {
    size_t first, end; /* turns */
} group;

typedef struct mass_splitting {
    dls_kit kit;
    dls_turns turns; /* with the diagonals and blocks of A_s */
    group *groups;
    double *copies;  /* nv: c_b of the body that each velocity belongs to */
    double *start;   /* nv: v before the iteration */
    double *change;  /* nv: its change in the iteration */
    size_t *turn_of; /* in the matrix form: the turn of each row */
    size_t n_groups, turn_of_capacity, group_capacity, copies_capacity, start_capacity, change_capacity;
} mass_splitting;

/* v += C B_i delta, C the diagonal matrix of `copies`. */
static void split_add(const mass_splitting *w, size_t i, double delta, double *v)
{
    const dls_response *r = &w->kit.inside->response;
    for (const dls_response_run *run = r->runs + r->start[i], *end = r->runs + r->start[i + 1]; run < end; run++)
        for (size_t k = 0; k < run->length; k++)
            v[run->offset + k] += w->copies[run->offset + k] * r->coef[run->at + k] * delta;
}

/* Replaces the velocities of all bodies that row i acts on, by 0 if `from` is NULL. */
static void split_set(const mass_splitting *w, size_t i, const double *from, double *v)
{
    const dls_response *r = &w->kit.inside->response;
    for (const dls_response_run *run = r->runs + r->start[i], *end = r->runs + r->start[i + 1]; run < end; run++)
        for (size_t k = run->offset; k < run->offset + run->length; k++)
            v[k] = from ? from[k] : 0.0;
}

/* Finds the groups. */
static void split_find_groups(mass_splitting *w)
{
    const dls_response *r = &w->kit.inside->response;
    w->n_groups = 0;
    for (size_t t = 0; t < w->turns.count; t++) {
        const group *last = w->n_groups ? &w->groups[w->n_groups - 1] : NULL;
        if (!last || !dls_response_same_blocks(r, w->turns.at[last->first].first, w->turns.at[t].first))
            w->groups[w->n_groups++] = (group){t, t};
        w->groups[w->n_groups - 1].end = t + 1;
    }
}

/* Counts the groups of each body. `change` is, at the first velocity of a body, the last group that was counted. */
static void split_count_copies(mass_splitting *w)
{
    const dls_response *r = &w->kit.inside->response;
    for (size_t j = 0; j < w->kit.problem->nv; j++)
        w->copies[j] = w->change[j] = 0.0;
    for (size_t g = 0; g < w->n_groups; g++) {
        const dls_turn *last = &w->turns.at[w->groups[g].end - 1];
        const size_t from = w->turns.at[w->groups[g].first].first, to = last->first + last->rows;
        for (const dls_response_run *run = r->runs + r->start[from]; run < r->runs + r->start[to]; run++) {
            if (w->change[run->offset] == (double)(g + 1))
                continue;
            w->change[run->offset] = (double)(g + 1);
            for (size_t k = 0; k < run->length; k++)
                w->copies[run->offset + k] += 1.0;
        }
    }
}

/* Entry (k, i) of A_s without Gamma, of two rows of one group. */
static double split_entry(mass_splitting *w, size_t k, size_t i)
{
    double *zero = w->kit.v + w->kit.problem->nv;
    split_add(w, i, 1.0, zero);
    const double entry = dls_rows_dot(&w->kit.problem->J, k, zero);
    split_set(w, i, NULL, zero);
    return entry;
}

/* Computes s of the turn of each row, the mean of its diagonal, into `start`, and the turn of each row into turn_of. */
static void split_scales(mass_splitting *w)
{
    for (size_t t = 0; t < w->turns.count; t++) {
        const dls_turn *turn = &w->turns.at[t];
        double(*W)[3] = turn->block == DLS_NONE ? NULL : w->turns.blocks[turn->block].W;
        for (size_t i = turn->first; i < turn->first + turn->rows; i++) {
            w->start[i] = W ? (W[0][0] + W[1][1] + W[2][2]) / 3.0 : turn->diagonal;
            w->turn_of[i] = t;
        }
    }
}

/* The sum of |A_gh| sqrt(s_g / s_h) over all other turns h, in the matrix form. The squares of |A_gh| are summed at the
 * turns h of `change`, which is 0 and stays so. */
static double split_coupling(mass_splitting *w, size_t t)
{
    const dls_rows *A = &w->kit.problem->J;
    const dls_turn *turn = &w->turns.at[t];
    const size_t from = A->start[turn->first], to = A->start[turn->first + turn->rows];
    double sum = 0.0;
    for (int summed = 0; summed < 2; summed++)
        for (size_t k = from; k < to; k++)
            for (size_t at = A->coef_at[k], j = A->offset[k]; at < A->coef_at[k + 1]; at++, j++) {
                double *square = &w->change[w->turn_of[j]];
                if (w->turn_of[j] == t || !(w->start[j] > 0.0))
                    continue;
                if (summed)
                    sum += sqrt(*square * w->start[turn->first] / w->start[j]);
                *square = summed ? 0.0 : *square + A->coef[at] * A->coef[at];
            }
    return sum;
}

/* Replaces the diagonal, or the block, of a turn by that of A_s. */
static dls_status split_turn(mass_splitting *w, size_t t, dls_error *error)
{
    const dls_problem *p = w->kit.problem;
    dls_turn *turn = &w->turns.at[t];
    double W[3][3] = {{0.0}};
    if (turn->diagonal == 0.0)
        return DLS_OK;
    const double coupling = p->form == DLS_FORM_MATRIX ? split_coupling(w, t) : 0.0;
    for (size_t r = 0; r < turn->rows; r++) {
        for (size_t s = 0; s < turn->rows; s++)
            W[r][s] = split_entry(w, turn->first + r, turn->first + s);
        W[r][r] += p->gamma[turn->first + r] + coupling;
    }
    turn->diagonal = W[0][0];
    if (turn->block == DLS_NONE)
        return DLS_OK;
    dls_contact_block *block = &w->turns.blocks[turn->block];
    memcpy(block->W, W, sizeof W);
    if (dls_contact_block_prepare(block))
        return DLS_OK;
    return dls_fail(error, DLS_REFUSED, "the contact at row %zu has no normal response", turn->first);
}

static dls_status split_start(void *work, dls_error *error)
{
    mass_splitting *w = work;
    const dls_problem *p = w->kit.problem;
    DLS_TRY(dls_turns_load(&w->turns, &w->kit, error));
    if (!DLS_GROW(w->groups, w->group_capacity, w->turns.count) || !DLS_GROW(w->copies, w->copies_capacity, p->nv) ||
        !DLS_GROW(w->start, w->start_capacity, p->nv) || !DLS_GROW(w->turn_of, w->turn_of_capacity, p->n) ||
        !DLS_GROW(w->change, w->change_capacity, p->nv))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the copies of %zu velocities", p->nv);
    split_find_groups(w);
    split_count_copies(w);
    if (p->form == DLS_FORM_MATRIX)
        split_scales(w);
    memset(w->change, 0, p->nv * sizeof *w->change);
    for (size_t t = 0; t < w->turns.count; t++)
        DLS_TRY(split_turn(w, t, error));
    return DLS_OK;
}

static void split_end(void *work)
{
    mass_splitting *w = work;
    dls_turns_release(&w->turns);
    free(w->groups), free(w->copies), free(w->start), free(w->change), free(w->turn_of);
}

static dls_status split_open(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                             dls_error *error)
{
    const dls_kit_plan plan = {
        .size = sizeof(mass_splitting), .row_by_row = true, .start = split_start, .end = split_end};
    (void)settings;
    return dls_kit_open(&plan, problem, lambda0, work, error);
}

/* Solves a turn with the velocities of its group's copies, which are in v. */
static void split_take(mass_splitting *w, const dls_turn *turn)
{
    dls_kit *kit = &w->kit;
    double to[3];
    if (turn->diagonal == 0.0)
        return;
    dls_turn_solve(&w->turns, kit, turn, to);
    for (size_t r = 0, i = turn->first; r < turn->rows; r++, i++) {
        const double delta = to[r] - kit->lambda[i];
        kit->lambda[i] = to[r];
        split_add(w, i, delta, kit->v);
        dls_response_add(&kit->inside->response, i, delta, w->change);
        kit->visits += 1.0;
    }
}

static dls_status split_iterate(void *work, dls_report *report, dls_error *error)
{
    mass_splitting *w = work;
    const size_t nv = w->kit.problem->nv;
    (void)error;
    memcpy(w->start, w->kit.v, nv * sizeof *w->start);
    memset(w->change, 0, nv * sizeof *w->change);
    for (size_t k = 0; k < w->n_groups; k++) {
        const group *g = &w->groups[k];
        for (size_t t = g->first; t < g->end; t++)
            split_take(w, &w->turns.at[t]);
        for (size_t t = g->first; t < g->end; t++)
            for (size_t r = 0; r < w->turns.at[t].rows; r++)
                split_set(w, w->turns.at[t].first + r, w->start, w->kit.v);
    }
    for (size_t j = 0; j < nv; j++)
        w->kit.v[j] = w->start[j] + w->change[j];
    dls_kit_report(&w->kit, report);
    return DLS_OK;
}

const dls_solver dls_solver_mass_splitting = {
    .name = "mass-splitting",
    .summary = "Jacobi with each body split into copies for the groups of rows that act on it; never diverges",
    .source = "R. Tonge, F. Benevolenski and A. Voroshilov, Mass splitting for jitter-free parallel rigid body "
              "simulation, 2012",
    DLS_KIT_MEMBERS,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_CONE,
    .fields = {NULL, 0, 1},
    .open = split_open,
    .iterate = split_iterate,
};
