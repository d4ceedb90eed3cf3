/* exchanged.h - a Cholesky factor of S_FF that also serves sets F which differ from its own in few rows. Not installed.
 *
 * With F0 the rows of the factor, S_00 = L L^T, P the rows of F that it lacks and Q those that it has too many, x of
 * S_FF x = y is that of
 *
 *     [S_00   S_0P   E] [x_0]   [y_0]
 *     [S_P0   S_PP   0] [x_P] = [y_P]        x_Q = 0 by the last row, whose multipliers replace the equations of Q.
 *     [E^T    0      0] [mu ]   [0  ]
 *
 * With W = L^-1 [S_0P  E] and G = W^T W, the factor grows by the rows of P and shrinks by those of Q:
 *
 *     S_PP - G_PP = L_P L_P^T,   V = L_P^-1 (-G_PQ),   G_QQ + V^T V = L_Q L_Q^T,
 *
 * k f0^2 + k^2 f0 operations for the k rows of P and Q, where a new factor takes f^3 / 3: see G. H. Golub and C. F. Van
 * Loan, Matrix Computations, on updates of factors. The answer has the rounding of a system of f0 + k rows, and is to be
 * refined where all digits are wanted. */
#ifndef DELASSUS_REFERENCE_EXCHANGED_H
#define DELASSUS_REFERENCE_EXCHANGED_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct dls_exchanged {
    const double *S; /* r x r, symmetric, of which the lower triangle is read */
    size_t ld;
    const double *least; /* r: a pivot of row i is lost below the rounding of this (dls_pivot_lost) */
    double *factor;      /* f0 x f0, room for r x r */
    size_t f0, *row;     /* F0, ascending; f0 = 0: there is no factor */
    size_t *place;       /* r: of a row in F0, or DLS_NONE */
    size_t most;         /* rows that may be exchanged */
    size_t p, q, *other; /* most: P, then Q, of the set at hand */
    double *W, *C;       /* room for r x most, most x most: L_P and L_Q, and V^T below L_P */
    double *z;           /* r + most */
} dls_exchanged;

/* Takes memory for r rows; `factor` is room that the caller has. Check arena->failed. */
void dls_exchanged_take(dls_exchanged *e, size_t r, const double *S, size_t ld, const double *least, double *factor,
                        dls_arena *memory);
/* Makes the factor serve the f rows of F, which ascend: the present one, where few rows are exchanged (*renewed is then
 * false), or a new one. False, and no factor is left: S_FF is singular, or not definite. */
bool dls_exchanged_serve(dls_exchanged *e, const size_t *F, size_t f, bool *renewed);
/* Leaves no factor, so that the next set gets a new one. */
void dls_exchanged_forget(dls_exchanged *e);
/* x of S_FF x = y, y given in x, for that set, in the order of F. */
void dls_exchanged_solve(dls_exchanged *e, const size_t *F, size_t f, double *x);

#endif
