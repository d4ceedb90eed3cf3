/* turns.h - rows and contacts that are solved in their turn, for methods of the arrangement row by row. Internal to
 * this folder.
 *
 * A turn is a row, or the rows of a contact under a cone. It is solved with all others fixed: a row as in pgs.c, a
 * contact under Coulomb's isotropic cone exactly, as in nsgs.c, another one as in discs.c.
 */
#ifndef DELASSUS_TURNS_H
#define DELASSUS_TURNS_H

#include "delassus/solver_kit.h"

#include "discs.h"

typedef struct dls_turn {
    size_t first, rows;
    size_t block, discs; /* of a contact under Coulomb's isotropic cone, or another one; else DLS_NONE */
    double diagonal;     /* of a row; the largest entry of a contact's block; 0: no impulse moves it */
} dls_turn;

/* The turns of a problem in the order of its rows. Zeroed before the first load. */
typedef struct dls_turns {
    dls_turn *at;
    dls_contact_block *blocks;
    dls_discs_block *discs;
    size_t count, n_blocks, n_discs, turn_capacity, block_capacity, disc_capacity;
} dls_turns;

/* Finds the turns of the problem in the kit, and counts its dead rows. DLS_REFUSED for a row whose diagonal is negative
 * or too small to divide by, and for a contact without a solution. */
dls_status dls_turns_load(dls_turns *turns, dls_kit *kit, dls_error *error);
void dls_turns_release(dls_turns *turns);
/* The impulses (up to DLS_CONTACT_ROWS) that solve a turn with all others fixed. It must not be dead. */
void dls_turn_solve(const dls_turns *turns, dls_kit *kit, const dls_turn *turn, double *to);
/* Sets the impulses of a turn to its solution; those of a dead one stay. */
void dls_turn_take(const dls_turns *turns, dls_kit *kit, const dls_turn *turn);

#endif
