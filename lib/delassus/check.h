/* check.h - checks of a problem against the definitions of its rows, and of these definitions against finite
 * differences.
 *
 *     dls_check_report *report;
 *     dls_check_problem(model, state, contacts, problem, seed, &report, error);
 *     if (!report->passed) ... report->rows[i].found[DLS_CHECK_BIAS] ...
 *     dls_check_report_destroy(report);
 * Each expected value is computed by other code than the value that is checked: C by position(), J by finite
 * differences of C, c, Gamma and the bounds by the equations of doc/conventions.md from the settings of the joint, the
 * mass matrix from the kinetic energy of all bodies and links, and v* by d'Alembert's principle from their
 * accelerations.
 */
#ifndef DELASSUS_CHECK_H
#define DELASSUS_CHECK_H

#include "delassus/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest step of the finite differences; smaller ones follow (lib/check/differences.c). [rad, m] */
#define DLS_CHECK_STEP 0.25
/* The finite differences of a row must be accurate enough to detect an error in J of this size relative to the row. If
 * they are not, the row counts as wrong. */
#define DLS_CHECK_SIGHT 1e-6

/* The quantities checked for each row, then those checked for each block of the mass operator. */
typedef enum dls_check_subject {
    DLS_CHECK_PLACE,      /* owner, slot, label, role and unit */
    DLS_CHECK_ERROR,      /* C, against position(); 0 for rows that hold no position */
    DLS_CHECK_ENDS,       /* J as written by rows(), against differences of position() for motions of the two ends */
    DLS_CHECK_COLUMNS,    /* J of the problem, against differences for motions of the whole mechanism */
    DLS_CHECK_BIAS,       /* c, and its part that corrects an error */
    DLS_CHECK_COMPLIANCE, /* Gamma */
    DLS_CHECK_BOUNDS,     /* lo and hi */
    DLS_CHECK_FRICTION,   /* law, mu, normal row; tangents that are unit and at right angles */
    DLS_CHECK_ROW_SUBJECTS,
    DLS_CHECK_VELOCITY = DLS_CHECK_ROW_SUBJECTS, /* velocities of the ends, against differences of their poses */
    DLS_CHECK_MASS,                              /* M, against the kinetic energy; symmetric and positive */
    DLS_CHECK_INVERSE,                           /* M^-1, against M */
    DLS_CHECK_UNCONSTRAINED,                     /* v* */
    DLS_CHECK_SUBJECTS
} dls_check_subject;
extern const char *const dls_check_subject_names[DLS_CHECK_SUBJECTS];

/* The number with the largest error relative to the allowed one. */
typedef struct dls_check_found {
    double found, expected;
    double allowed; /* the error that rounding and the finite differences may cause */
    double ratio;   /* |found - expected| / allowed; at most 1 if right, infinite if a number is not finite */
} dls_check_found;

typedef struct dls_check_row {
    size_t owner; /* the joint; n_joints + k for contact k */
    dls_check_found found[DLS_CHECK_ROW_SUBJECTS];
} dls_check_row;

typedef struct dls_check_block {
    dls_check_found found[DLS_CHECK_SUBJECTS - DLS_CHECK_ROW_SUBJECTS];
} dls_check_block;

typedef struct dls_check_report {
    bool passed;
    size_t n_rows, n_blocks;
    dls_check_row *rows;     /* n_rows, those of the problem */
    dls_check_block *blocks; /* n_blocks, those of the mass operator */
    double sight; /* largest error of the differences, relative to the row: smaller errors of J are not detected */
} dls_check_report;

/* Checks a problem that was assembled for `state` and `contacts` (NULL: none). `seed` determines the random motions
 * along which differences are taken. O(bodies + rows), and O(links) for each articulation. Fails if memory is
 * exhausted, or if the rows and blocks of the problem are not those of the model. */
dls_status dls_check_problem(const dls_model *model, const dls_state *state, const dls_contacts *contacts,
                             const dls_problem *problem, uint64_t seed, dls_check_report **report, dls_error *error);
void dls_check_report_destroy(dls_check_report *report); /* NULL is allowed */
/* Perturbs a state at random: positions by up to 0.2 rad and a fifth of the mechanism's lever arms, so that joints have
 * errors, and velocities by up to 1 rad/s and one lever arm per second. This makes terms of J visible that vanish where
 * C = 0. */
dls_status dls_check_stir(const dls_model *model, dls_state *state, uint64_t seed, dls_error *error);
/* Iterates the numbers that joints keep, such as the arc length along a track, until they are constant, with the bodies
 * fixed. In a simulation these numbers follow the bodies step by step, and J is the exact derivative of C only where
 * they have converged. */
dls_status dls_check_settle(const dls_model *model, dls_state *state, dls_error *error);

/* The row with the largest error of J: worst = max_k |J_k - (dC/dq)_k| / max_k |J_k|. Infinite if a number is not
 * finite, if J is 0 although C changes, or if position() leaves an entry unset. */
typedef struct dls_jacobian_check {
    double worst;
    size_t row;
} dls_jacobian_check;

/* For authors of joint types: checks J of one joint as its type writes it, for the 12 motions of its ends, which may be
 * anywhere. `step` > 0 [m, rad], usually DLS_CHECK_STEP. */
dls_jacobian_check dls_check_jacobian(const dls_joint *joint, const dls_end end[2], double step);
/* Checks all joints of a model in a state: the largest error, and its joint and row (each may be NULL). 0 if there are
 * no joints. */
dls_status dls_check_jacobians(const dls_model *model, const dls_state *state, double step, double *worst,
                               size_t *joint, size_t *row, dls_error *error);
/* The same for the rows of the problem, with motions of the whole mechanism by dls_configuration_advance, so that links
 * move with their trees. `checks` gets n_joints entries. */
dls_status dls_check_columns(const dls_model *model, const dls_state *state, double step, dls_jacobian_check *checks,
                             dls_error *error);

#ifdef __cplusplus
}
#endif

#endif
