/* Forward dynamics of a tree whose base has a given motion.
 *
 * With the rows and columns of the base (b) and of the joints (j),
 *
 *     M_jj qdd_j = tau_j - C_j - g_j - M_jb a_b
 *
 * and the right-hand side is tau_j less the joints' part of inverse dynamics for the accelerations (a_b, 0). M_jj is
 * the mass matrix of the same tree on a fixed base in the same pose.
 */
#include "dynamics.h"

#include <string.h>

/* x = M_jj^-1 x, for the joints alone. */
static dls_status solve_held(const dynamics_task *t, double *x, dls_error *error)
{
    dls_articulation_state *state = NULL;
    dls_articulation_work *work = NULL;
    dls_status status = dls_articulation_state_create(t->held, &state, error);
    if (status == DLS_OK)
        status = dls_articulation_work_create(t->held, &work, error);
    if (status == DLS_OK) {
        state->root_x = t->state->root_x;
        state->root_q = t->state->root_q;
        memcpy(state->q, t->state->q, state->nq * sizeof *state->q);
        dls_articulation_kinematics(state, work);
        status = dls_articulation_factor(work, error);
    }
    if (status == DLS_OK)
        dls_articulation_solve(work, x, x);
    dls_articulation_work_destroy(work);
    dls_articulation_state_destroy(state);
    return status;
}

dls_status dynamics_forward_on_moved_base(dynamics_task *t, double *qdd, dls_error *error)
{
    const size_t n_base = t->tree->n_base, nv = t->tree->nv;
    DLS_TRY(dls_articulation_check_dynamics(t->held, error));
    memset(qdd, 0, nv * sizeof *qdd);
    memcpy(qdd, t->vdot, n_base * sizeof *qdd);
    dls_articulation_inverse(t->work, qdd, NULL, t->gravity, qdd);
    for (size_t k = n_base; k < nv; k++)
        qdd[k] = t->load->tau[k] - qdd[k];
    memcpy(qdd, t->vdot, n_base * sizeof *qdd);
    return solve_held(t, qdd + n_base, error);
}
