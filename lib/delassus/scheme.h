/* scheme.h - a scheme decides when to linearise, solve, move positions and correct them: one time step, made of stages.
 * A scheme is one const descriptor in its own file of lib/simulation/schemes, listed in schemes.def. It changes the
 * state only by the stages below, so that the energy ledger is complete. Semi-implicit Euler is
 *     dls_stage_begin(s);
 *     dls_stage_linearise(s, h, error);
 *     dls_stage_solve(s, dls_stage_iterations(s), error);
 *     dls_stage_kick(s);
 *     dls_stage_drift(s, h);
 *     return dls_stage_end(s, h, error);
 */
#ifndef DELASSUS_SCHEME_H
#define DELASSUS_SCHEME_H

#include "delassus/contact.h"
#include "delassus/ledger.h"
#include "delassus/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_simulation dls_simulation; /* simulation.h */

typedef struct dls_scheme {
    const char *name, *summary, *source;
    dls_field_table fields;
    /* Allocates the scheme's own memory when a simulation is opened; NULL: none is needed. close accepts NULL. */
    dls_status (*open)(dls_simulation *simulation, void **work, dls_error *error);
    void (*close)(void *work);
    /* `settings` as `fields` describes them. */
    dls_status (*step)(dls_simulation *simulation, const void *settings, void *work, double h, dls_error *error);
    /* For a scheme with one solve per step, in place of `step`: the stages before dls_stage_solve (prepare) and after
     * it (finish), so that a batch (batch.h) can solve the problems of several copies together. The state changes only
     * in finish. */
    dls_status (*prepare)(dls_simulation *simulation, const void *settings, double h, dls_error *error);
    dls_status (*finish)(dls_simulation *simulation, const void *settings, double h, dls_error *error);
    /* The share of a position error that the velocities of a step correct, where the next step may start from its
     * impulses, of rows with this ERP: warm starts then need (1 + share) rho^N < 1, with rho the spectral radius of an
     * iteration and N iterations per step (experiments/coherence/law.c). NULL, or 0: no such condition is known. */
    double (*feedback)(const void *settings, double erp);
} dls_scheme;

extern const dls_scheme *const dls_schemes[]; /* NULL at the end */
const dls_scheme *dls_scheme_find(const char *name);

/* --- stages of a step --- */

/* Begins a step at the current state. */
void dls_stage_begin(dls_simulation *simulation);
/* Computes contacts, rows and v* at the current state: the problem of a step of h [s]. Sets the impulses from which the
 * solve starts: 0, or those of the last step with warm starts. */
dls_status dls_stage_linearise(dls_simulation *simulation, double h, dls_error *error);
/* The same with the contacts of dls_stage_linearise, moved with their bodies; the impulses are kept. */
dls_status dls_stage_relinearise(dls_simulation *simulation, double h, dls_error *error);
/* Computes c of the problem again, from C at the current positions, with the time bases T. J, M, bounds, impulses and
 * the speeds for restitution are kept. */
void dls_stage_refresh(dls_simulation *simulation, dls_time_base T);
/* Quantities that are evaluated again between two iterations of a solver, in addition to c; combine with |. */
typedef enum dls_renewal { DLS_RENEW_JACOBIAN = 1, DLS_RENEW_RESPONSES = 2 } dls_renewal;
/* The same between two iterations of a solver, with the current J, or the current M and hence the responses M^-1 J^T,
 * or both. Impulses and velocities are kept: v* of the problem becomes v - M^-1 J^T lambda. Bounds and the forces in v
 * are those of the start of the step. The solver must have `renew`. */
dls_status dls_stage_renew(dls_simulation *simulation, dls_time_base T, unsigned renewal, dls_error *error);
/* Removes the bias from c: rows then constrain velocities only. If `keep` is true, the ledger still counts the bias as
 * work of the bias: use it for a relaxation, where the bias has acted before it is removed. */
void dls_stage_drop_bias(dls_simulation *simulation, bool keep);
/* Limits the bias of stops, the contacts and limits that are overlapped: they are pushed apart at most at the speed
 * `rate` |C| and at most at `speed`, whatever their ERP is. [1/s; m/s, rad/s] */
void dls_stage_limit_bias(dls_simulation *simulation, double rate, double speed);
/* Makes at most that many iterations of the simulation's solver, from the current impulses. If the solver refuses the
 * problem or fails, the error is that of dls_simulation_step. */
dls_status dls_stage_solve(dls_simulation *simulation, size_t iterations, dls_error *error);
/* v <- v* + M^-1 J^T lambda: conventions (2). */
void dls_stage_kick(dls_simulation *simulation);
/* Velocity iterations, after a kick: removes the bias from c of this problem, makes `iterations` more iterations of the
 * solver from the current impulses, and updates the velocities. Rows and gaps stay those of the problem. The report
 * counts these iterations too. Does nothing if a direct method has found no solution. */
dls_status dls_stage_relax(dls_simulation *simulation, size_t iterations, dls_error *error);
/* q <- q (+) h v: conventions (6). */
void dls_stage_drift(dls_simulation *simulation, double h);
/* Ends the step that began h ago: makes the velocity iterations of the simulation and advances the time. DLS_NOT_FINITE
 * if the simulation has diverged. */
dls_status dls_stage_end(dls_simulation *simulation, double h, dls_error *error);

/* Data that a scheme may read and change between the stages. */
size_t dls_stage_iterations(const dls_simulation *simulation); /* the limit that the simulation was opened with */
dls_problem *dls_stage_problem(dls_simulation *simulation);
double *dls_stage_impulses(dls_simulation *simulation);
dls_report *dls_stage_report(dls_simulation *simulation);

#ifdef __cplusplus
}
#endif

#endif
