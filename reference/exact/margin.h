/* margin.h - is there a point within inequalities G x + c >= 0? The method is one in doubles, its answer is verified in
 * fractions. Not installed. */
#ifndef DELASSUS_REFERENCE_MARGIN_H
#define DELASSUS_REFERENCE_MARGIN_H

#include "rational.h"

#include "base/memory.h"

typedef enum dls_margin_answer {
    DLS_MARGIN_UNKNOWN,
    DLS_MARGIN_POINT,   /* x satisfies all of them */
    DLS_MARGIN_CONFLICT /* y >= 0 with G^T y = 0 and c.y < 0: none does (J. Farkas 1902) */
} dls_margin_answer;

/* G and c: the first `rows` rows and `columns` columns of the set's A, which is 0 elsewhere, and the first of its b.
 * Fills x (columns) or y (rows). UNKNOWN where the work reaches `most_work` multiplications of 64-bit numbers, and
 * where memory failed, which the arena tells. *pivots: of the exact simplex method, which is asked where the proposal
 * fails. */
dls_margin_answer dls_margin_search(const dls_rational *set, size_t rows, size_t columns, double most_work, fmpq *x,
                                    fmpq *y, size_t *pivots, dls_arena *memory);

#endif
