/* problem.h - the mixed linear complementarity problem, which models, solvers and files exchange.
 *
 *     w = A lambda + b,   lo <= lambda <= hi,   w_i >= 0 at lo_i, w_i <= 0 at hi_i, w_i = 0 in between      (4), (5)
 *
 * MECHANICAL form: A = J M^-1 J^T + Gamma and b = J v* - c, stored as sparse rows J, a mass operator M, v*, Gamma and
 * c.
 * MATRIX form: A is given (symmetric or not, definite or not) and stored in the place of J, and b = -c. Then nv = n,
 * v* = 0, there is no mass operator, and "velocity" is lambda itself: with B = 1 in the place of M^-1 J^T the equations
 * of the row-wise methods are the same: w_i = J_i v + Gamma_i lambda_i - c_i, v = v* + B lambda.
 */
#ifndef DELASSUS_PROBLEM_H
#define DELASSUS_PROBLEM_H

#include "delassus/rows.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dls_form { DLS_FORM_MECHANICAL, DLS_FORM_MATRIX } dls_form;

typedef struct dls_problem {
    char name[DLS_NAME_MAX];
    dls_form form;
    size_t n;         /* rows */
    size_t nv;        /* generalised velocities */
    double h;         /* [s]; 1 in the matrix form */
    dls_rows J;       /* n x nv; A in the matrix form */
    dls_mass mass;    /* n_blocks = 0 in the matrix form */
    double *v_star;   /* nv: unconstrained velocity */
    double *gamma;    /* n: CFM / h */
    double *c;        /* n: -(ERP/h) C + u */
    double *lo, *hi;  /* n: bounds of the impulse; 0 under a box or cone, where they follow from mu and the parent */
    size_t *parent;   /* n: the normal row of a friction row under a box or a cone, else DLS_NONE */
    double *mu;       /* n: friction coefficient of these rows [1; m for torsional and rolling friction]; else 0 */
    dls_law *law;     /* n */
    size_t n_coupled; /* rows under a box or a cone; 0: a plain mixed LCP */
    size_t n_cone;    /* rows in discs of cones, two per disc */
    struct dls_problem_store *store; /* the memory behind all this */
} dls_problem;

/* The problem of one step of h [s] that begins at `state`: rows of all joints and of `contacts` (NULL: none), in that
 * order, and v* of conventions (1). The problem points to no data of the caller. Fails for h <= 0 and for values that
 * are not finite. */
dls_status dls_problem_create(const dls_model *model, const dls_state *state, const dls_contacts *contacts, double h,
                              dls_problem **problem, dls_error *error);
/* The list with the origin of each row (owner, label, role), for a mechanical problem that was assembled or read from a
 * file with this information; else NULL. */
const dls_row_list *dls_problem_rows(const dls_problem *problem);
/* The label of row i; "row" if it has none. */
const char *dls_problem_label(const dls_problem *problem, size_t i);

/* The name of the joint or contact that row i belongs to (dls_owner_name), for a problem made by dls_problem_create;
 * else "". */
const char *dls_problem_owner(const dls_problem *problem, size_t i);

/* The position of an impulse relative to the bounds of its row. */
typedef enum dls_row_status { DLS_ROW_BETWEEN, DLS_ROW_LOWER, DLS_ROW_UPPER, DLS_ROW_CONE } dls_row_status;
extern const char *const dls_row_status_names[]; /* "between", "lower", "upper", "cone"; NULL at the end */
/* The status of row i. An impulse is at a bound if it differs from it by at most four units in the last place. Rows of
 * a disc are between or on the cone. */
dls_row_status dls_problem_row_status(const dls_problem *problem, size_t i, const double *lambda);

/* Assembles the problem in the stages of a simulation. The factors of the configuration must be current. The problem
 * keeps pointers into the configuration and the list: it is valid until one of these is evaluated again. Its own memory
 * is reused and grows only when needed. */
dls_status dls_problem_assemble(dls_problem *problem, const dls_configuration *configuration, const dls_state *state,
                                dls_row_list *list, double h, dls_error *error);
/* Computes c, Gamma and the biases of the list from its rows, with the time base T in the place of h. */
void dls_problem_refresh(dls_problem *problem, dls_row_list *list, dls_time_base T);
/* The matrix form from a dense n x n matrix (column-major, leading dimension n; zeros are not stored), b, lo and hi
 * (copied). lo and hi may be NULL: an LCP, 0 and infinity. */
dls_status dls_problem_from_matrix(size_t n, const double *A, const double *b, const double *lo, const double *hi,
                                   dls_problem **problem, dls_error *error);
/* The matrix form of any problem, a copy: A = J M^-1 J^T + Gamma, made symmetric, and b = J v* - c; bounds, friction
 * and the origin of rows are kept. DLS_REFUSED if A would have more than 16384 rows. */
dls_status dls_problem_matrix_form(const dls_problem *problem, dls_problem **matrix, dls_error *error);
/* A problem with room for the given numbers of rows, velocities, row blocks, coefficients and mass blocks, for readers.
 * All zero. */
dls_status dls_problem_allocate(size_t n, size_t nv, size_t n_blocks, size_t n_coefs, size_t n_mass,
                                dls_problem **problem, dls_error *error);
void dls_problem_destroy(dls_problem *problem);
/* Checks that all numbers except bounds are finite, lo <= hi, gamma >= 0 in the mechanical form, parents are in range
 * and not coupled themselves, n_coupled and n_cone are the numbers of such rows, and the blocks of a row are as
 * rows.h says: in order, apart, within their columns and their block of the mass operator. Readers call it before they
 * return a problem. */
dls_status dls_problem_check(const dls_problem *problem, dls_error *error);

/* v+ = v* + M^-1 J^T lambda (2); lambda in the matrix form. `scratch` has nv entries. */
void dls_problem_velocity(const dls_problem *problem, const double *lambda, double *v, double *scratch);
/* The response of row i, in both forms: writes the change of the velocity v by a unit impulse of the row into B, and
 * returns A_ii. It is M^-1 J_i^T in the mechanical form and the unit vector e_i in the matrix form, so that the impulse
 * changes w_k by J_k B, and w_i by Gamma_i in addition. Only the entries of B that are not 0 are written; B and
 * `scratch` have nv entries. O(coefficients of the row and of its mass blocks). */
double dls_problem_response(const dls_problem *problem, size_t i, double *B, double *scratch);
/* The diagonal of A, n entries; `scratch` has 2 nv. 0 where no impulse moves the row. */
void dls_problem_diagonal(const dls_problem *problem, double *diagonal, double *scratch);
/* The bounds of row i at lambda. The bounds of a coupled row depend on the impulse of its parent; under a cone, they
 * are the rectangle around the disc. */
void dls_problem_bounds(const dls_problem *problem, size_t i, const double *lambda, double *lo, double *hi);
/* Whether A is symmetric: always in the mechanical form; in the matrix form if |A_ij - A_ji| is at most 1e-13 of
 * sqrt |A_ii A_jj| + |A_ij| + |A_ji| for every entry, because the matrix may come from a file, or from products that
 * were summed in another order. The result does not depend on the units of the rows. O(entries log(blocks of a row)).
 */
bool dls_problem_is_symmetric(const dls_problem *problem);

/* --- contacts under a cone (law.h) --- */

/* A contact under a cone is its normal row i, the tangents i + 1 and i + 2, and, with rolling friction, rows i + 3 and
 * i + 4. Torsional friction is a row under a box anywhere, whose parent is the normal row. */

/* Whether row i is the normal row of a cone. */
static inline bool dls_problem_is_cone(const dls_problem *problem, size_t i)
{
    return i + 2 < problem->n && problem->parent[i + 1] == i && dls_law_has_discs(problem->law[i + 1]);
}
/* How many discs row i bounds as the normal row of a cone: 2 with rolling friction, 1 without; 0: it is no such row. */
static inline size_t dls_problem_discs(const dls_problem *problem, size_t i)
{
    return !dls_problem_is_cone(problem, i)                                                              ? 0
           : i + 4 < problem->n && problem->parent[i + 3] == i && dls_law_has_discs(problem->law[i + 3]) ? 2
                                                                                                         : 1;
}
/* The number of contacts under a cone. O(n). */
size_t dls_problem_cones(const dls_problem *problem);
/* Laws of contacts beyond Coulomb's isotropic cone. */
typedef enum dls_contact_laws {
    DLS_CONTACTS_ASSOCIATED = 1, /* DLS_LAW_ASSOCIATED */
    DLS_CONTACTS_ROLLING = 2,    /* two discs */
    DLS_CONTACTS_TORSIONAL = 4,  /* a row under a box whose parent is the normal row of a cone */
    DLS_CONTACTS_ELLIPTIC = 8    /* a disc with two different coefficients */
} dls_contact_laws;
/* Those that the problem has, flags of dls_contact_laws; 0: Coulomb's isotropic cone alone, or no cone. O(n). */
unsigned dls_problem_contact_laws(const dls_problem *problem);
/* Makes rows i, i + 1 and i + 2 a contact under Coulomb's cone; hi of row i is unchanged. For readers. */
void dls_problem_make_cone(dls_problem *problem, size_t i, double mu);
/* Makes rows `first` and `first` + 1 a disc of the contact with the normal row `normal`, whose lo becomes 0, under
 * DLS_LAW_CONE or DLS_LAW_ASSOCIATED. `first` is normal + 1, or normal + 3 for rolling friction. For readers. */
void dls_problem_make_disc(dls_problem *problem, size_t normal, size_t first, dls_law law, double mu_1, double mu_2);
/* Puts all discs of the problem under DLS_LAW_CONE or DLS_LAW_ASSOCIATED. DLS_REFUSED, and no change, where torsional
 * friction stands beside discs that would be associated. */
dls_status dls_problem_set_law(dls_problem *problem, dls_law law, dls_error *error);
/* Puts row i under a box with the normal row `normal`: -mu lambda_n <= lambda_i <= mu lambda_n. For readers. */
void dls_problem_make_box(dls_problem *problem, size_t normal, size_t i, double mu);

/* --- the order of the rows --- */

/* Solutions do not depend on the order of the rows; the iterates of a sweep do: the last row of a sweep is exact, and
 * the error is that of the others. To solve a problem in another order:
 *     dls_problem_order(problem, DLS_ORDER_REVERSED, 0, order, error);
 *     dls_problem_reorder(problem, order, &other, error);
 *     ...lambda of `other` by any solver...
 *     dls_order_undo(problem->n, order, lambda, lambda_of_problem);
 */
typedef enum dls_row_order {
    DLS_ORDER_GIVEN,
    DLS_ORDER_REVERSED,
    DLS_ORDER_RANDOM /* uniform among the orders of the normal rows and of the rows without friction */
} dls_row_order;
/* Writes an order of the rows into order[n]: row i of the reordered problem is row order[i] of `problem`. A normal row
 * and its friction rows stay together, in this order, except in DLS_ORDER_GIVEN, which changes nothing. `seed` is for
 * DLS_ORDER_RANDOM: the same seed gives the same order of problems with the same friction rows. */
dls_status dls_problem_order(const dls_problem *problem, dls_row_order kind, uint64_t seed, size_t *order,
                             dls_error *error);
/* The problem with its rows in that order, and with the columns of A in that order in the matrix form. Everything is
 * copied except the masses: a mechanical problem must outlive its reordered one. DLS_BAD_ARGUMENT if `order` is no
 * permutation of the rows, DLS_BAD_INPUT if it separates the rows of a cone. */
dls_status dls_problem_reorder(const dls_problem *problem, const size_t *order, dls_problem **reordered,
                               dls_error *error);
/* Numbers by row (impulses, w, c) of a problem, in the order of the reordered one, and back. */
void dls_order_apply(size_t n, const size_t *order, const double *x, double *reordered);
void dls_order_undo(size_t n, const size_t *order, const double *reordered, double *x);

#ifdef __cplusplus
}
#endif

#endif
