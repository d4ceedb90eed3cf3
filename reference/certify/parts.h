/* Theorems about given impulses: radii around a solution, backward errors, and proofs. Not installed.
 *
 * certify.c chooses among the theorems: an active set (certify.c), slopes without definiteness (certify_slope.c,
 * certify_unique.c), the gap of redundant rows (certify_gap.c), rows that depend on others (certify_dependent.c),
 * friction (certify_cone.c, certify_friction.c). They stand on a problem as exact numbers (certify_stored.c): an
 * enclosure of A, w in twice the precision, definiteness that is proved; and on systems over chosen rows
 * (certify_factor.c). certify_large.c has the theorems of problems too large for a dense matrix. farkas.c proves that
 * there is no solution, digits.c writes bounds as text. A statement that holds with all rounding errors may enter; an
 * estimate may not, nor may a theorem depend on the method that found the impulses: no direct method is included here.
 *
 * Everything is scaled by powers of two, without rounding:  H = d A d,  lambda = d x,  w = y / d,  so that the diagonal
 * of H is about 1 and metres and radians no longer differ. */
#ifndef DELASSUS_REFERENCE_CERTIFY_PARTS_H
#define DELASSUS_REFERENCE_CERTIFY_PARTS_H

#include "delassus/reference.h"

#include "base/memory.h"
#include "twofold.h"

#include <stdint.h>

/* One row of J within one block of M. */
typedef struct dls_touch {
    size_t row, mass;
    size_t first, end; /* blocks of J */
    double reach;      /* at least |G J^T| */
} dls_touch;

typedef struct dls_stored {
    const dls_problem *p;
    size_t n, nv;
    bool symmetric;    /* A = A^T, in the matrix form to rounding */
    bool semidefinite; /* A is symmetric positive semidefinite whatever its entries: the mechanical form */
    double *d;         /* n: powers of two */
    double *H;         /* n x n, ROW-major: |H - d A d|_ij <= slack size_i size_j */
    bool mirrored;     /* H = H^T to the last bit */
    bool lossy;        /* an entry of A underflows to 0 in H */
    bool exact;        /* H = d A d to the last bit, and no entry is above 4 */
    double *size;      /* n: (d A d)_ii <= size_i^2, in the mechanical form; else of what slack allows for */
    double *largest;   /* n: entry of a row of H */
    double slack;
    /* The mechanical form: M_k and G_k, G_k M_k G_k^T = 1 + E_k, |E_k| <= defect in the 2-norm. */
    double *M, *G;   /* of each block, m x m, one after another, column-major, both triangles; G is lower triangular */
    size_t *mass_at; /* n_blocks */
    double defect;
    size_t n_touches, *touch_at; /* n + 1: touches of row i are touch_at[i] .. touch_at[i+1] - 1 */
    dls_touch *touches;
    /* Results of an evaluation: v = v* + u - M^-1 momentum, and |G momentum| of each block of M. */
    dls_twofold *u;         /* nv */
    dls_twofold_sum *force; /* nv: J^T lambda */
    double *momentum;       /* nv */
    double *momentum_error; /* nv */
    double *lost;           /* n_blocks */
    double *part;           /* nv */
    dls_factors factors;    /* n: impulses; the matrix form, over d where H is exact */
    dls_arena *memory;
} dls_stored;

/* Whether no |x_k| is above the limit, nor NaN; and y = |x|, entry by entry. */
bool dls_all_within(size_t count, const double *x, double limit);
void dls_absolute(size_t count, const double *x, double *y);

/* Whether row i of J, or of A, is 0. */
bool dls_stored_is_zero(const dls_stored *s, size_t i);

/* Takes what it needs from `memory`. *why is NULL, or says in words what could not be proved of the problem, and then
 * the rest is not to be used. Fails with DLS_NO_MEMORY alone. */
dls_status dls_stored_take(const dls_problem *p, dls_arena *memory, dls_stored *s, const char **why, dls_error *error);

/* The same for a problem in the mechanical form without H and `largest`: memory and time are linear in the entries of J
 * and M. Enough for dls_stored_w. */
dls_status dls_stored_take_rows(const dls_problem *p, dls_arena *memory, dls_stored *s, const char **why,
                                dls_error *error);

/* w = A lambda + b at impulses of twice the precision, rounded: |w_i - exact| <= radius_i. Where the numbers overflow w
 * is 0 and its radius infinite. */
void dls_stored_w(dls_stored *s, const dls_twofold *lambda, double *w, double *radius);

/* Impulses with w = A lambda + b as dls_stored_w gives it, and solutions near them: |lambda - solution|_i <= radius_i,
 * |A (lambda - solution)|_i <= shift_i; NULL: the impulses alone. n each. */
typedef struct dls_vicinity {
    const dls_twofold *lambda;
    const double *w, *w_error, *radius, *shift;
} dls_vicinity;
/* At least |given - solution|_A, from the w of both: dl . A dl. For any A, also one that is not semidefinite. */
double dls_stored_distance(size_t n, const double *given, const double *w_given, const double *w_given_error,
                           const dls_vicinity *of);

/* A number alpha > 0 that no eigenvalue of a symmetric matrix is below, or 0 where that was not proved. L (m x m) is
 * the lower triangle of the matrix up to an error of at most `radius` in the 2-norm, itself a sum with at most m^2
 * roundings. alpha is at least `wanted` unless rounding already asks for more; it is 1 where m is 0. L becomes the
 * Cholesky factor of the matrix shifted by about alpha. */
double dls_definite_within(size_t m, double *L, double radius, double wanted);
/* A number alpha > 0 with x^T H x >= alpha x^T x for every x over the m rows, H the exact d A d; 0 where that was not
 * proved. alpha is at least `wanted` unless rounding already asks for more. L (m x m) becomes the Cholesky factor of
 * the symmetric part of H shifted by about alpha. */
double dls_stored_definite(const dls_stored *s, size_t m, const size_t *rows, double wanted, double *L);
/* At least |H_i| over the m rows in the 2-norm, H the exact one: |(H x)_i| <= dls_stored_row(..) |x|. */
double dls_stored_row(const dls_stored *s, size_t i, size_t m, const size_t *rows);

/* certify_factor.c: systems with H_FF, F a set of ascending rows that changes by a few at a time. */
typedef struct dls_active {
    const dls_stored *s;
    double *L; /* n x n, of the caller: a Cholesky factor of H_BB, or LU of H_BB^T */
    int *pivots;
    size_t b, *rows, *at; /* B, and the place of each row in it, or n; b = 0: nothing is factored */
    bool cholesky;
    double alpha; /* what the last attempt at Cholesky's method proved of its rows, as dls_stored_definite */
    size_t most, q, *changed; /* rows in which F differs from B */
    bool *added;              /* q: in F and not in B */
    double *V, *S, *z, *t;    /* b x q, q x q, b, q */
    int *S_pivots;
} dls_active;
bool dls_active_take(dls_active *a, const dls_stored *s, double *L, dls_arena *memory);
void dls_active_forget(dls_active *a); /* L is used otherwise */
/* True where the system can be solved from now on: by a factorisation, or from the one at hand. */
bool dls_active_cholesky(dls_active *a, size_t m, const size_t *rows);
bool dls_active_lu(dls_active *a, size_t m, const size_t *rows);
bool dls_active_amend(dls_active *a, size_t m, const size_t *rows);
/* Whether L is a Cholesky factor of m rows, and alpha theirs: of F, then, if F has as many. */
bool dls_active_proves(const dls_active *a, size_t m);
/* x <- H_FF^-1 x, about. */
void dls_active_solve(dls_active *a, size_t m, const size_t *rows, double *x);

/* The backward error of impulses under friction laws, from w = A lambda + b within `radius`: kind, b_off, mu_off and
 * text. (certify_friction.c) */
void dls_certify_friction(const dls_problem *p, const double *lambda, const double *w, const double *radius,
                          dls_bounds *out);

/* dls_certify_large, which also writes the change of velocity x of its theorem into change[nv] where it proves
 * something about the velocity; NULL: not wanted. (certify_large.c) */
dls_status dls_certify_large_change(const dls_problem *p, const double *lambda, double *change, dls_bounds *out,
                                    dls_error *error);

/* dls_farkas_verify, whose exact y is written into *fractions (NULL: not wanted), n fractions separated by spaces,
 * which the caller frees: NULL where nothing is proved. (farkas.c) */
dls_status dls_farkas_fractions(const dls_problem *p, const double *y, dls_farkas_proof *proof, char **fractions,
                                dls_error *error);

/* certify_cone.c: a solution near lambda under friction laws, its states, and radii; `out` stays as it is where nothing
 * is proved. w = A lambda + b within w_error. Fails with DLS_NO_MEMORY alone. */
typedef struct dls_cone_states {
    dls_twofold *lambda; /* n: near the solution; exact where an impulse is held */
    const char *
        *state; /* n: "lower", "upper", "between"; of friction "none", "sticks", "forward", "backward", "slides" */
} dls_cone_states;
/* states: NULL, or filled where something is proved. */
dls_status dls_certify_cone(dls_stored *s, const double *lambda, const double *w, const double *w_error,
                            const dls_cone_states *states, dls_bounds *out, dls_error *error);

/* certify_gap.c: at least |lambda - lambda*|_A, and so |v(lambda) - v+|_M, in the mechanical form, for a lambda within
 * its bounds with w as dls_stored_w gives it; also the proof that lambda* exists. Infinite where nothing is proved:
 * *why says why. */
typedef struct dls_gap_room {
    size_t *rows;                /* n */
    double *mu, *along, *target; /* n */
    double *factor;              /* n x n */
} dls_gap_room;
double dls_gap_radius(const dls_stored *s, const dls_twofold *lambda, const double *w, const double *w_error,
                      const dls_gap_room *room, const char **why);

/* certify_dependent.c: rows without bounds that depend on others, and the problem without them. */
typedef struct dls_dependent {
    dls_problem *problem; /* without the dependent rows; NULL: there are none */
    double *lambda;       /* of its rows: impulses that do the same */
    dls_stored *s;
    const double *given, *w_given, *w_given_error;
    size_t e, rank;
    size_t *rows;                /* e: first the independent rows without bounds, then the dependent ones */
    bool *left;                  /* n: dependent */
    double *moved, *w, *w_error; /* n: the same impulses, in the whole problem, and their w */
    dls_twofold *twofold;        /* n: moved */
    size_t *place;               /* n: of the rows that stay */
    dls_arena memory;
} dls_dependent;
/* At impulses with w as dls_stored_w gives it, which are not copied. Fails with DLS_NO_MEMORY alone; always release
 * it. */
dls_status dls_dependent_find(dls_dependent *d, dls_stored *s, const double *lambda, const double *w,
                              const double *w_error, dls_error *error);
void dls_dependent_release(dls_dependent *d);
/* Bounds of the velocity of the whole problem, from those of d->lambda in d->problem. `out` stays as it is where
 * nothing is proved. Fails with DLS_NO_MEMORY alone. */
dls_status dls_dependent_state(const dls_dependent *d, const dls_bounds *of, dls_bounds *out, dls_error *error);

/* certify_slope.c: the problem in which some rows are held where they are, some have w = 0 and no bounds, and the
 * others have both their bounds. *proved: it has exactly one solution, within radius_i d_i of every impulse.
 * `violation` is at least the distance of w_i from what (5) allows. `room`: n x n. Fails with DLS_NO_MEMORY alone. */
typedef enum dls_slope_part { DLS_SLOPE_HELD, DLS_SLOPE_FREE, DLS_SLOPE_UNDECIDED } dls_slope_part;
dls_status dls_slope_radii(const dls_stored *s, const dls_slope_part *part, const double *w, const double *w_error,
                           const double *violation, double *room, double *radius, bool *proved, dls_error *error);

/* certify_unique.c */
/* A comparison matrix <B>, d x d, column-major, from below. */
typedef struct dls_comparison_matrix {
    size_t d;
    const double *entries;
    double *u, *v; /* d: what is found, u > 0 with v <= <B> u and v > 0 */
} dls_comparison_matrix;
/* Whether B was proved an H-matrix with a positive diagonal. `room`: d x d; `places`: 4 d. */
bool dls_is_H_matrix(const dls_comparison_matrix *c, double *room, size_t *places);
/* x >= <B>^-1 right for right >= 0, entry by entry, where dls_is_H_matrix has proved B; u, v and `places` are as it
 * left them. `room`: 2 d. */
void dls_H_bound(const dls_comparison_matrix *c, const double *right, const size_t *places, double *room, double *x);
/* *proved: A is a P-matrix, so that the problem has no other solution. For an A that was not proved definite. `room`:
 * n x n. Fails with DLS_NO_MEMORY alone. */
dls_status dls_stored_is_P(const dls_stored *s, double *room, bool *proved, dls_error *error);

/* dls_certify with at most so many rounds in which impulses are refined and rows change sides; 0: bounds of the
 * impulses as they are. */
dls_status dls_certify_in(const dls_problem *problem, const double *lambda, size_t rounds, dls_bounds *bounds,
                          dls_error *error);

#endif
