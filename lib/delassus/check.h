/* check.h - a problem held against the definitions of its rows, and these against finite differences.
 *
 *     dls_check_report *report;
 *     dls_check_problem(model, state, contacts, problem, seed, &report, error);
 *     if (!report->passed) ... report->rows[i].found[DLS_CHECK_BIAS] ...
 *     dls_check_report_destroy(report);
 *
 * Nothing that is checked is computed by the code that computed it: C is that of position(), J is differences of it, c,
 * Gamma and the bounds are those of conventions from the settings of the joint, the mass is that of the kinetic energy
 * of all bodies and links, and v* is what d'Alembert's principle says of their accelerations.
 */
#ifndef DELASSUS_CHECK_H
#define DELASSUS_CHECK_H

#include "delassus/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest step of the finite differences; smaller ones follow (joints/differences.c). [rad, m] */
#define DLS_CHECK_STEP 0.25
/* The differences of a row must be good enough to see a wrong entry of J of this share of the row; where they are not,
 * the row counts as wrong. */
#define DLS_CHECK_SIGHT 1e-6

/* What is checked of a row, and what of a block of the mass operator. */
typedef enum dls_check_subject {
    DLS_CHECK_PLACE,      /* owner, slot, label, role and unit */
    DLS_CHECK_ERROR,      /* C, against position(); 0 of rows that hold no position */
    DLS_CHECK_ENDS,       /* J that rows() writes, against differences of position() for motions of the two ends */
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

/* The number that is farthest off. */
typedef struct dls_check_found {
    double found, expected;
    double allowed; /* the error that rounding and the differences may have */
    double ratio;   /* |found - expected| / allowed: right up to 1; infinite where a number is not finite */
} dls_check_found;

typedef struct dls_check_row {
    size_t owner; /* the joint; n_joints + k of contact k */
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
    double sight;            /* the largest error that the differences may have, of the row: what is less is not seen */
} dls_check_report;

/* Checks a problem that was assembled for `state` and `contacts` (NULL: none). `seed` draws the motions along which
 * differences are taken. O(bodies + rows), and O(links) of each articulation. Fails where memory is short, and where
 * the problem has not the rows and blocks that the model says. */
dls_status dls_check_problem(const dls_model *model, const dls_state *state, const dls_contacts *contacts,
                             const dls_problem *problem, uint64_t seed, dls_check_report **report, dls_error *error);
void dls_check_report_destroy(dls_check_report *report); /* NULL is allowed */
/* Moves a state off: positions by up to 0.2 rad and a fifth of the mechanism's arms, so that joints are in error, and
 * velocities of up to 1 rad/s and one arm per second. Terms of J that vanish where C = 0 show there. */
dls_status dls_check_stir(const dls_model *model, dls_state *state, uint64_t seed, dls_error *error);
/* What joints keep, such as the way along a track, follows the bodies in steps; and J is the derivative where it has
 * come to rest: there it comes to rest, the bodies stay. */
dls_status dls_check_settle(const dls_model *model, dls_state *state, dls_error *error);

/* The row that J agrees with least: worst = max_k |J_k - (dC/dq)_k| / max_k |J_k|. Infinite where something is not
 * finite, where J is 0 and C moves, or where position() leaves an entry unset. */
typedef struct dls_jacobian_check {
    double worst;
    size_t row;
} dls_jacobian_check;

/* One joint, over the 12 motions of its ends, which are free to be anywhere. `step` > 0. */
dls_jacobian_check dls_check_jacobian(const dls_joint *joint, const dls_end end[2], double step);
/* All joints of a model in a state: the worst, and which joint and row it is (each may be NULL). 0 without joints. */
dls_status dls_check_jacobians(const dls_model *model, const dls_state *state, double step, double *worst,
                               size_t *joint, size_t *row, dls_error *error);
/* The same of the rows that the problem has, over motions of the whole mechanism by dls_configuration_advance: with
 * coordinates, links and bodies as they hang together. `checks` gets n_joints entries. */
dls_status dls_check_columns(const dls_model *model, const dls_state *state, double step, dls_jacobian_check *checks,
                             dls_error *error);

#ifdef __cplusplus
}
#endif

#endif
