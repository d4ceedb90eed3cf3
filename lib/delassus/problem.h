/* problem.h - the mixed linear complementarity problem, the one currency between models, solvers and files.
 *
 *     w = A lambda + b,   lo <= lambda <= hi,   w_i >= 0 at lo_i, w_i <= 0 at hi_i, w_i = 0 in between      (4), (5)
 *
 * MECHANICAL form: A = J M^-1 J^T + Gamma and b = J v* - c, stored as sparse rows J, a mass operator M, v*, Gamma and
 * c. MATRIX form: A is given (symmetric or not, definite or not) and stored in the place of J, and b = -c. Then nv = n,
 *   v* = 0, there is no mass operator, and "velocity" is lambda itself: with B = 1 in the place of M^-1 J^T every
 *   equation of the row-wise methods reads the same: w_i = J_i v + Gamma_i lambda_i - c_i, v = v* + B lambda.
 */
#ifndef DELASSUS_PROBLEM_H
#define DELASSUS_PROBLEM_H

#include "delassus/contact.h"
#include "delassus/mass.h"
#include "delassus/model.h"

#include <stddef.h>

/* A matrix of sparse rows; a row is a few blocks of adjacent columns, in the order of their columns.
 * Row i has blocks start[i] .. start[i+1]-1; block k covers columns offset[k] .. + (coef_at[k+1] - coef_at[k]) - 1. */
typedef struct dls_rows {
    size_t n, n_columns, n_blocks;
    size_t *start;   /* n + 1 */
    size_t *offset;  /* n_blocks */
    size_t *coef_at; /* n_blocks + 1 */
    double *coef;
} dls_rows;

/* How the rows of friction hang on the current impulse of their normal row, lambda_n >= 0:
 * BOX:  each tangent alone, -mu lambda_n <= lambda_t <= mu lambda_n, w_t as (5) says of these bounds;
 * CONE: Coulomb's law of the two tangents together, |lambda_t| <= mu lambda_n, and w_t = 0, or |lambda_t| = mu lambda_n
 * and lambda_t = -mu lambda_n w_t / |w_t|. The tangents are the two rows behind their normal row, with one mu; lo_n =
 * 0. */
typedef enum dls_law { DLS_LAW_BOX, DLS_LAW_CONE } dls_law;

typedef enum dls_form { DLS_FORM_MECHANICAL, DLS_FORM_MATRIX } dls_form;

typedef struct dls_problem {
    char name[DLS_NAME_MAX];
    dls_form form;
    size_t n;        /* rows */
    size_t nv;       /* generalised velocities */
    double h;        /* [s]; 1 in the matrix form */
    dls_rows J;      /* n x nv; A in the matrix form */
    dls_mass mass;   /* n_blocks = 0 in the matrix form */
    double *v_star;  /* nv: unconstrained velocity */
    double *gamma;   /* n: CFM / h */
    double *c;       /* n: -(ERP/h) C + u */
    double *lo, *hi; /* n: bounds of the impulse; of a coupled row 0 (they follow from mu and its parent) */
    double *bias;    /* n: the part -(ERP/h) C of c that removes the error of a rigid row: not that of springs, nor of
                      * gaps;    0 in problems that are read */
    dls_row_role *role; /* n: whose work its impulse does; DLS_ROLE_JOINT in problems that are read */
    double *C;          /* n: position errors, for tables [m, rad]; 0 in the matrix form */
    size_t *parent;     /* n: the normal row of a coupled friction row, else DLS_NONE */
    double *mu;         /* n: 0 but on coupled rows */
    dls_law *law;       /* n: of coupled rows */
    size_t *owner;      /* n: the joint, or n_joints + the contact; DLS_NONE in the matrix form */
    const char **label; /* n: static text */
    size_t n_coupled;   /* coupled rows, of either law; 0: a plain mixed LCP */
    size_t n_cone;      /* those of the cone, two a contact */
} dls_problem;

/* One step's problem: rows of all joints and contacts, in that order, and v* of conventions (1).
 * `contacts` may be NULL. Fails on h <= 0 and on values that are not finite. */
dls_status dls_problem_create(const dls_model *model, const dls_state *state, const dls_contacts *contacts, double h,
                              dls_problem **problem, dls_error *error);
/* The same into a problem made before, whose memory is used again and grows only where needed. */
dls_status dls_problem_rebuild(dls_problem *problem, const dls_model *model, const dls_state *state,
                               const dls_contacts *contacts, double h, dls_error *error);
/* For how long the velocity of c = -(ERP / T) C + u acts until c is looked at again: h and h where that is once a step.
 * [s] */
typedef struct dls_time_base {
    double error; /* T of a row in error */
    double gap;   /* T of a unilateral row with a gap: J v >= -C / T lets it close by then, and no sooner */
} dls_time_base;
/* c and C of the problem made at `start`, from the positions of `now`: joints evaluate their rows there, and the points
 * of `contacts` go with their bodies. J, M, Gamma and the bounds stay, and so do the speeds that restitution answers
 * to. */
void dls_problem_refresh(dls_problem *problem, const dls_model *model, const dls_contacts *contacts,
                         const dls_state *start, const dls_state *now, dls_time_base T);
/* A contact found at `start` as it is `now`, its points gone with their bodies. */
dls_contact dls_contact_follow(const dls_model *model, const dls_state *start, const dls_state *now,
                               const dls_contact *contact);
/* The rows of one joint or found contact (`contact`, as it is now; NULL for a joint) anew at `state`, from row `first`
 * on, in place: J and all that belongs to them. Of the mass operator the articulations are anew too, where the joint
 * holds links; bodies are not. */
dls_status dls_problem_renew(dls_problem *problem, const dls_model *model, const dls_state *state,
                             const dls_contact *contact, size_t first, dls_error *error);
/* The matrix form from a dense n x n matrix (column-major, leading dimension n; zeros are not stored), b, lo and hi
 * (copied). lo and hi may be NULL: an LCP, 0 and infinity. */
dls_status dls_problem_from_matrix(size_t n, const double *A, const double *b, const double *lo, const double *hi,
                                   dls_problem **problem, dls_error *error);
/* A problem with room for the given numbers of rows, velocities, row blocks, coefficients and mass blocks, for readers.
 * All zero. */
dls_status dls_problem_allocate(size_t n, size_t nv, size_t n_blocks, size_t n_coefs, size_t n_mass,
                                dls_problem **problem, dls_error *error);
void dls_problem_destroy(dls_problem *problem);
/* Everything finite that must be, lo <= hi, gamma >= 0 in the mechanical form, parents in range and not coupled
 * themselves, rows within their columns. What a reader calls before it hands a problem out. */
dls_status dls_problem_check(const dls_problem *problem, dls_error *error);

/* Takes the bias out of c: rows are held at velocity level alone. */
void dls_problem_drop_bias(dls_problem *problem);
/* J_i M^-1 J_i^T without Gamma, of the mechanical form; the row's response M^-1 J_i^T into B, where it is not 0 (the
 * rest of the nv entries is left), by way of scratch (nv). O(mass blocks of the row). */
double dls_problem_response(const dls_problem *problem, size_t i, double *B, double *scratch);

/* J_i x for a full vector x of nv entries. */
double dls_rows_dot(const dls_rows *rows, size_t i, const double *x);
/* y += s J_i^T */
void dls_rows_axpy(const dls_rows *rows, size_t i, double s, double *y);

/* v+ = v* + M^-1 J^T lambda (2); lambda in the matrix form. `scratch` has nv entries. */
void dls_problem_velocity(const dls_problem *problem, const double *lambda, double *v, double *scratch);
/* The bounds of row i at lambda: those of a coupled row follow its parent's impulse; under the cone, the square around
 * the disc. */
void dls_problem_bounds(const dls_problem *problem, size_t i, const double *lambda, double *lo, double *hi);
/* Whether row i is the normal row of a cone: then i + 1 and i + 2 are its tangents. */
static inline bool dls_problem_is_cone(const dls_problem *problem, size_t i)
{
    return i + 2 < problem->n && problem->parent[i + 1] == i && problem->law[i + 1] == DLS_LAW_CONE;
}
/* Makes rows i, i + 1 and i + 2 a contact under Coulomb's cone; hi of row i stays. What readers call. */
void dls_problem_make_cone(dls_problem *problem, size_t i, double mu);

#endif
