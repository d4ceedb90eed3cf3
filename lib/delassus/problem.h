/* problem.h - the mixed linear complementarity problem, the one currency between models, solvers and files.
 *
 *     w = A lambda + b,   lo <= lambda <= hi,   w_i >= 0 at lo_i, w_i <= 0 at hi_i, w_i = 0 in between      (4), (5)
 *
 * MECHANICAL form: A = J M^-1 J^T + Gamma and b = J v* - c, stored as sparse rows J, a mass operator M, v*, Gamma and
 * c.
 * MATRIX form: A is given (symmetric or not, definite or not) and stored in the place of J, and b = -c. Then nv = n,
 * v* = 0, there is no mass operator, and "velocity" is lambda itself: with B = 1 in the place of M^-1 J^T every
 * equation of the row-wise methods reads the same: w_i = J_i v + Gamma_i lambda_i - c_i, v = v* + B lambda.
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
    double *lo, *hi;  /* n: bounds of the impulse; of box and cone 0 (they follow from mu and the parent) */
    size_t *parent;   /* n: the normal row of a friction row under a box or a cone, else DLS_NONE */
    double *mu;       /* n: 0 but on these */
    dls_law *law;     /* n */
    size_t n_coupled; /* rows under a box or a cone; 0: a plain mixed LCP */
    size_t n_cone;    /* those of the cone, two per contact */
    struct dls_problem_store *store; /* the memory behind all this */
} dls_problem;

/* The problem of one step of h [s] from `state` on: rows of all joints and of `contacts` (NULL: none), in that order,
 * and v* of conventions (1). It owns all that it needs. Fails on h <= 0 and on values that are not finite. */
dls_status dls_problem_create(const dls_model *model, const dls_state *state, const dls_contacts *contacts, double h,
                              dls_problem **problem, dls_error *error);
/* Where its rows come from: of a mechanical problem that was assembled, or read from a file that says so; else NULL. */
const dls_row_list *dls_problem_rows(const dls_problem *problem);
/* The label of row i; "row" where it has none. */
const char *dls_problem_label(const dls_problem *problem, size_t i);

/* What the row belongs to: the name of its joint, or of its contact (dls_owner_name), of a problem of
 * dls_problem_create; else "". */
const char *dls_problem_owner(const dls_problem *problem, size_t i);

/* Where an impulse stands between the bounds of its row. */
typedef enum dls_row_status { DLS_ROW_BETWEEN, DLS_ROW_LOWER, DLS_ROW_UPPER, DLS_ROW_CONE } dls_row_status;
extern const char *const dls_row_status_names[]; /* "between", "lower", "upper", "cone"; NULL at the end */
/* That of row i: at a bound, to four units in the last place of its numbers; of a tangent of Coulomb's cone, between or
 * on the cone. */
dls_row_status dls_problem_row_status(const dls_problem *problem, size_t i, const double *lambda);

/* Assembly from the stages of a simulation. The problem keeps pointers into the configuration, whose factors must be
 * current, and into the list: it is valid as long as these are not evaluated again. Its own memory is used again and
 * grows only where needed. */
dls_status dls_problem_assemble(dls_problem *problem, const dls_configuration *configuration, const dls_state *state,
                                dls_row_list *list, double h, dls_error *error);
/* c, Gamma and the biases of the list from its rows, with the time base T in the place of h. */
void dls_problem_refresh(dls_problem *problem, dls_row_list *list, dls_time_base T);
/* The matrix form from a dense n x n matrix (column-major, leading dimension n; zeros are not stored), b, lo and hi
 * (copied). lo and hi may be NULL: an LCP, 0 and infinity. */
dls_status dls_problem_from_matrix(size_t n, const double *A, const double *b, const double *lo, const double *hi,
                                   dls_problem **problem, dls_error *error);
/* The matrix form of any problem, a copy: A = J M^-1 J^T + Gamma, made symmetric, and b = J v* - c; bounds, friction and
 * where rows come from stay. DLS_REFUSED where A would have more than 16384 rows. */
dls_status dls_problem_matrix_form(const dls_problem *problem, dls_problem **matrix, dls_error *error);
/* A problem with room for the given numbers of rows, velocities, row blocks, coefficients and mass blocks, for readers.
 * All zero. */
dls_status dls_problem_allocate(size_t n, size_t nv, size_t n_blocks, size_t n_coefs, size_t n_mass,
                                dls_problem **problem, dls_error *error);
void dls_problem_destroy(dls_problem *problem);
/* Everything finite that must be, lo <= hi, gamma >= 0 in the mechanical form, parents in range and not coupled
 * themselves, rows within their columns. What a reader calls before it hands a problem out. */
dls_status dls_problem_check(const dls_problem *problem, dls_error *error);

/* v+ = v* + M^-1 J^T lambda (2); lambda in the matrix form. `scratch` has nv entries. */
void dls_problem_velocity(const dls_problem *problem, const double *lambda, double *v, double *scratch);
/* The bounds of row i at lambda: those of a coupled row follow its parent's impulse; under the cone, the square around
 * the disc. */
void dls_problem_bounds(const dls_problem *problem, size_t i, const double *lambda, double *lo, double *hi);
/* Whether A is symmetric: always in the mechanical form; in the matrix form if |A_ij - A_ji| is at most 1e-13 of
 * sqrt |A_ii A_jj| + |A_ij| + |A_ji| for every entry, for the matrix may come from a file, or from products that were
 * summed in another order. Whatever the units of the rows; O(entries log(blocks of a row)). */
bool dls_problem_is_symmetric(const dls_problem *problem);
/* Whether row i is the normal row of a cone: then i + 1 and i + 2 are its tangents. */
static inline bool dls_problem_is_cone(const dls_problem *problem, size_t i)
{
    return i + 2 < problem->n && problem->parent[i + 1] == i && problem->law[i + 1] == DLS_LAW_CONE;
}
/* Makes rows i, i + 1 and i + 2 a contact under Coulomb's cone; hi of row i stays. What readers call. */
void dls_problem_make_cone(dls_problem *problem, size_t i, double mu);

#ifdef __cplusplus
}
#endif

#endif
