/* Rows and contacts that are solved in their turn. See turns.h. */
#include "turns.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static dls_status no_solution(const dls_turn *turn, dls_error *error)
{
    return dls_fail(
        error, DLS_REFUSED,
        "the contact at row %zu has a diagonal block that is not positive semidefinite, or no normal response",
        turn->first);
}

static dls_status turns_put_discs(dls_turns *turns, const dls_kit *kit, const dls_discs *discs, dls_turn *turn,
                                  dls_error *error)
{
    double W[DLS_CONTACT_ROWS * DLS_CONTACT_ROWS];
    dls_discs_block *block = &turns->discs[turn->discs = turns->n_discs++];
    dls_kit_block(kit, turn->first, discs->rows, W);
    for (size_t k = 0; k < discs->rows * discs->rows; k++)
        turn->diagonal = fmax(turn->diagonal, fabs(W[k]));
    return dls_discs_prepare(block, discs, W) || turn->diagonal == 0.0 ? DLS_OK : no_solution(turn, error);
}

static dls_status turns_put_contact(dls_turns *turns, const dls_kit *kit, dls_turn *turn, dls_error *error)
{
    const dls_problem *p = kit->problem;
    dls_contact_block *block = &turns->blocks[turn->block = turns->n_blocks++];
    dls_kit_block(kit, turn->first, 3, &block->W[0][0]);
    for (size_t k = 0; k < 9; k++)
        turn->diagonal = fmax(turn->diagonal, fabs(block->W[k / 3][k % 3]));
    block->mu = p->mu[turn->first + 1], block->hi = p->hi[turn->first];
    if (turn->diagonal == 0.0 || dls_contact_block_prepare(block))
        return DLS_OK;
    return no_solution(turn, error);
}

/* The turn that begins at row i. */
static dls_status turns_put(dls_turns *turns, const dls_kit *kit, size_t i, dls_turn *turn, dls_error *error)
{
    *turn = (dls_turn){.first = i, .rows = 1, .block = DLS_NONE, .discs = DLS_NONE};
    if (!dls_problem_is_cone(kit->problem, i)) {
        dls_kit_block(kit, i, 1, &turn->diagonal);
        return DLS_OK;
    }
    const dls_discs discs = dls_discs_of(kit->problem, i);
    turn->rows = discs.rows;
    return dls_discs_are_coulomb(&discs) ? turns_put_contact(turns, kit, turn, error)
                                         : turns_put_discs(turns, kit, &discs, turn, error);
}

dls_status dls_turns_load(dls_turns *turns, dls_kit *kit, dls_error *error)
{
    const dls_problem *p = kit->problem;
    turns->count = turns->n_blocks = turns->n_discs = 0;
    if (!DLS_GROW(turns->at, turns->turn_capacity, p->n) ||
        !DLS_GROW(turns->blocks, turns->block_capacity, p->n_cone / 2) ||
        (dls_problem_contact_laws(p) && !DLS_GROW(turns->discs, turns->disc_capacity, p->n_cone / 2)))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", p->n);
    for (size_t i = 0; i < p->n; i += turns->at[turns->count - 1].rows) {
        dls_turn *turn = &turns->at[turns->count++];
        DLS_TRY(turns_put(turns, kit, i, turn, error));
        const bool contact = turn->rows > 1;
        if (turn->diagonal < 0.0 || (turn->diagonal > 0.0 && turn->diagonal < DBL_MIN && !contact))
            return dls_fail(error, DLS_REFUSED, "row %zu has the diagonal %g; it must be positive", i, turn->diagonal);
        kit->dead += turn->diagonal == 0.0 ? turn->rows : 0;
    }
    return DLS_OK;
}

void dls_turns_release(dls_turns *turns)
{
    free(turns->at), free(turns->blocks), free(turns->discs);
    *turns = (dls_turns){0};
}

void dls_turn_solve(const dls_turns *turns, dls_kit *kit, const dls_turn *turn, double *to)
{
    if (turn->discs != DLS_NONE) {
        const dls_discs_block *block = &turns->discs[turn->discs];
        double w[DLS_CONTACT_ROWS];
        for (size_t r = 0; r < turn->rows; r++) {
            w[r] = dls_kit_row_residual(kit, turn->first + r);
            to[r] = kit->lambda[turn->first + r];
        }
        dls_discs_solve(block, w, to);
        return;
    }
    if (turn->block == DLS_NONE) {
        double lo, hi, x = kit->lambda[turn->first] - dls_kit_row_residual(kit, turn->first) / turn->diagonal;
        dls_problem_bounds(kit->problem, turn->first, kit->lambda, &lo, &hi);
        *to = x < lo ? lo : x > hi ? hi : x;
        return;
    }
    const dls_contact_block *block = &turns->blocks[turn->block];
    double q[3];
    for (size_t r = 0; r < 3; r++) {
        q[r] = dls_kit_row_residual(kit, turn->first + r);
        for (size_t s = 0; s < 3; s++)
            q[r] -= block->W[r][s] * kit->lambda[turn->first + s];
    }
    dls_contact_solve(block, q, to);
}

void dls_turn_take(const dls_turns *turns, dls_kit *kit, const dls_turn *turn)
{
    double to[DLS_CONTACT_ROWS];
    if (turn->diagonal == 0.0)
        return;
    dls_turn_solve(turns, kit, turn, to);
    for (size_t r = 0; r < turn->rows; r++)
        dls_kit_row_set(kit, turn->first + r, to[r]);
}
