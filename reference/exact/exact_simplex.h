/* exact_simplex.h - is there a point within bounds, in exact arithmetic? Not installed.
 *
 * The variables are the n impulses lambda and the n rows w = A lambda + b; each may have a lower and an upper bound,
 * and a bound may be strict. Bounds come and go while the dictionary stays: the general simplex method of B. Dutertre,
 * L. de Moura, "A fast linear-arithmetic solver for DPLL(T)" (CAV 2006), whose least index rule always ends. A strict
 * bound x > a is x >= a + delta with an infinitesimal delta: every value is a pair a + d delta.
 *
 * The dictionary, basic = T nonbasic / D, has integer entries with one denominator, minors of A, so that no fraction is
 * reduced: J. Edmonds, "Systems of distinct representatives and linear algebra" (1967). Rows and columns of A are
 * scaled to integers without a common factor. */
#ifndef DELASSUS_REFERENCE_EXACT_SIMPLEX_H
#define DELASSUS_REFERENCE_EXACT_SIMPLEX_H

#include "rational.h"

#include "base/memory.h"

/* The bounds of a variable; infinite: none. lower <= upper, and not strict where they are equal. */
typedef struct dls_range {
    double lower, upper;
    bool strict;
} dls_range;

typedef struct dls_exact_set {
    dls_range *range; /* 2n */
    fmpq *lower;      /* 2n: scaled, where finite */
    fmpq *upper;
    fmpq *a, *d; /* 2n: values a + d delta, scaled */
} dls_exact_set;

/* Two sets of bounds and values over one dictionary. */
enum { DLS_POINTS, DLS_DIRECTIONS };

typedef struct dls_exact_simplex {
    size_t n;
    size_t columns;           /* of A behind which all are 0: they have no part in any pivot */
    fmpz_mat_t T;             /* n x n */
    fmpz_t D;                 /* > 0 */
    size_t *basic, *nonbasic; /* n each: variables; lambda_i is i, w_i is n + i */
    size_t *place;            /* 2n: of a variable in one of the two */
    bool *is_basic;           /* 2n */
    fmpq *unit, *shift;       /* 2n: value = unit scaled + shift */
    dls_exact_set set[2], *now;
    size_t pivots;
    size_t stuck; /* the variable whose bound no point within the others satisfies, if the last call found one */
    double work,
        most_work; /* so far, and at most, in multiplications of 64-bit numbers; most_work is set by the caller */
    fmpq_t x, change, rate;
    fmpz_t y;
} dls_exact_simplex;

/* A and b of the problem, no bounds, all lambda 0. Plain arrays come from the arena. */
void dls_exact_simplex_init(dls_exact_simplex *s, const dls_rational *r, dls_arena *memory);
void dls_exact_simplex_clear(dls_exact_simplex *s);

/* DLS_POINTS: bounds and values are those of lambda and w. DLS_DIRECTIONS: of scaled differences of two points, that
 * is, w = A lambda without b; all values are 0 and there are no bounds when it is chosen. */
void dls_exact_simplex_choose(dls_exact_simplex *s, int set);
/* A value of the variable, scaled as the set that was chosen is; nothing is done where it is infinite. */
void dls_exact_simplex_scaled(const dls_exact_simplex *s, size_t variable, double value, fmpq_t scaled);
/* Replaces both bounds of a variable. */
void dls_exact_simplex_bound(dls_exact_simplex *s, size_t variable, dls_range range);
/* Whether all bounds can hold at once; the values do then. False too where the work has reached its limit, which
 * dls_exact_simplex_exhausted tells. */
bool dls_exact_simplex_feasible(dls_exact_simplex *s);
/* The proof that the bounds cannot hold at once, after a call that found so: y (2n) with sum_v y_v x_v = c for every
 * point, where x are lambda and w, y_v > 0 only if x_v has a lower bound, y_v < 0 only if it has an upper one, and c is
 * less than that sum at these bounds. */
void dls_exact_simplex_conflict(const dls_exact_simplex *s, fmpq *y);
static inline bool dls_exact_simplex_exhausted(const dls_exact_simplex *s) { return s->work > s->most_work; }

#endif
