/* constrained.h - rows on one articulation: its motion under them, and the inverse of their damped Delassus matrix.
 *
 *     M vdot = tau + J^T lambda,   J vdot = gamma                 dls_constrained_forward
 *     x = (A + R)^-1 b,   A = J M^-1 J^T,   R diagonal            dls_constrained_inverse
 *
 * Both solve [M, -J^T; J, R] in the order of the tree. In use:
 *
 *     dls_articulation_kinematics(state, work);
 *     dls_constrained_create(work, n_rows, n_forces, forces, NULL, &constrained, error);
 *     dls_constrained_forward(constrained, tau, gamma, 1e-13, 20, vdot, lambda, &report);
 *     dls_constrained_destroy(constrained);
 */
#ifndef DELASSUS_CONSTRAINED_H
#define DELASSUS_CONSTRAINED_H

#include "delassus/articulation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_constrained dls_constrained;

typedef struct dls_constrained_report {
    bool converged;
    size_t iterations;
    double change; /* of vdot in the last iteration, sqrt(d^T M d / vdot^T M vdot) [1] */
    double missed; /* max_i |gamma - J vdot|_i / sqrt(R_ii): 0 unless gamma cannot be reached */
} dls_constrained_report;

/* Factors the rows with the articulation. Rows of one force each, such as contacts, limits and anchors in the world,
 * cost O(1) each; the m_c rows of several forces, such as loops and mimic joints, cost O(m_c^3) together, and the tree
 * O(n). damping: R_ii > 0 of each row [as A_ii]; NULL: 1e-8 A_ii, or 1e-8 where that is 0. The work space must
 * outlive the object, and not be evaluated meanwhile: its factors become those of the damped rows, so call
 * dls_articulation_factor before it is used for something else. `forces` is copied. After kinematics. DLS_BAD_ARGUMENT
 * if a damping is not positive, if a joint moves no inertia, or if A + R of the m_c rows is singular. */
dls_status dls_constrained_create(dls_articulation_work *work, size_t n_rows, size_t n_forces,
                                  const dls_tree_force *forces, const double *damping, dls_constrained **constrained,
                                  dls_error *error);
void dls_constrained_destroy(dls_constrained *constrained); /* NULL is allowed */

/* x = (A + R)^-1 b without A; n_rows entries. A relative error of about eps (A + R)/R along the rows of one force. For
 * A itself, where it is regular, use dls_constrained_forward with tau = 0: lambda = A^-1 gamma. O(n + m + m_c^2). */
void dls_constrained_inverse(dls_constrained *constrained, const double *b, double *x);

/* The accelerations vdot (nv entries) and impulses or forces lambda (n_rows) of the equations above. tau: nv entries,
 * all generalised forces, such as those of dls_articulation_applied_force less Coriolis forces; NULL: 0. Proximal
 * iterations, usually 2 to 5, until vdot changes by less than `tolerance` (usually 1e-13) in the norm of M, at most
 * `limit`. If J has not full rank and gamma can be reached, lambda is the solution of least lambda^T R lambda; if it
 * cannot, vdot converges to the least Rinv-weighted error of J vdot = gamma, and lambda grows. */
void dls_constrained_forward(dls_constrained *constrained, const double *tau, const double *gamma, double tolerance,
                             size_t limit, double *vdot, double *lambda, dls_constrained_report *report);

#ifdef __cplusplus
}
#endif

#endif
