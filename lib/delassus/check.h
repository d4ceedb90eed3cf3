/* check.h - finite differences of every joint's position error against its Jacobian. */
#ifndef DELASSUS_CHECK_H
#define DELASSUS_CHECK_H

#include "delassus/configuration.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest step of the finite differences; smaller ones follow (joints/check.c). [rad, m] */
#define DLS_CHECK_STEP 0.0625

/* The row that J agrees with least: worst = max_k |J_k - (dC/dq)_k| / max_k |J_k| over the 12 directions of the two
 * ends. Infinite where something is not finite, where J is 0 and C moves, or where position() leaves an entry unset. */
typedef struct dls_jacobian_check {
    double worst;
    size_t row;
} dls_jacobian_check;

/* One joint, its ends free to be anywhere. `step` > 0. */
dls_jacobian_check dls_check_jacobian(const dls_joint *joint, const dls_end end[2], double step);
/* All joints of a model in a state: the worst, and which joint and row it is (each may be NULL). 0 without joints. */
dls_status dls_check_jacobians(const dls_model *model, const dls_state *state, double step, double *worst,
                               size_t *joint, size_t *row, dls_error *error);

/* The same of whole rows: C of every row against the columns that the problem's J has for it, the state moved along
 * each unit vector of the generalised velocity by dls_configuration_advance, with coordinates, links and bodies as they
 * hang together. `checks` gets n_joints entries. worst is of the largest entry that the row has in its columns or at
 * its ends. */
dls_status dls_check_columns(const dls_model *model, const dls_state *state, double step, dls_jacobian_check *checks,
                             dls_error *error);

#ifdef __cplusplus
}
#endif

#endif
