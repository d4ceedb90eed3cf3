/* scheme.h - a scheme decides when to linearise, solve, move positions and correct them: one time step, made of stages.
 *
 * A scheme is one const descriptor in its own file of lib/simulation/schemes, listed in schemes.def. It moves nothing
 * but through the stages below, so that the energy ledger sees everything. Semi-implicit Euler is
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
    /* Memory of its own, for a simulation that is being opened; NULL: it needs none. close takes NULL. */
    dls_status (*open)(dls_simulation *simulation, void **work, dls_error *error);
    void (*close)(void *work);
    /* `settings` as `fields` describes them. */
    dls_status (*step)(dls_simulation *simulation, const void *settings, void *work, double h, dls_error *error);
    /* In the place of step, of a scheme with one solve in a step: the stages before dls_stage_solve and those after it.
     * A batch (batch.h) solves the problems of several copies together. The state moves once, in finish. */
    dls_status (*prepare)(dls_simulation *simulation, const void *settings, double h, dls_error *error);
    dls_status (*finish)(dls_simulation *simulation, const void *settings, double h, dls_error *error);
} dls_scheme;

extern const dls_scheme *const dls_schemes[]; /* NULL at the end */
const dls_scheme *dls_scheme_find(const char *name);

/* --- stages of a step --- */

/* The step begins: the current state is its start. */
void dls_stage_begin(dls_simulation *simulation);
/* Contacts, rows and v* at the current state: the problem of a step of h [s]. The impulses become those from which the
 * solve starts: 0, or with warm starts those of the last step. */
dls_status dls_stage_linearise(dls_simulation *simulation, double h, dls_error *error);
/* The same with the contacts of dls_stage_linearise, moved with their bodies; the impulses stay. */
dls_status dls_stage_relinearise(dls_simulation *simulation, double h, dls_error *error);
/* c of the problem again, from C where the bodies are now, with the time bases T. J, M, bounds and impulses stay, and
 * so do the speeds that restitution answers to. */
void dls_stage_refresh(dls_simulation *simulation, dls_time_base T);
/* What follows the bodies between two iterations of a solver, beside c; combine with |. */
typedef enum dls_renewal { DLS_RENEW_JACOBIAN = 1, DLS_RENEW_RESPONSES = 2 } dls_renewal;
/* The same for a solver that is between two iterations, with J of the problem, or M and so the responses M^-1 J^T, or
 * both as they are now. Impulses and velocities stay: v* of the problem becomes v - M^-1 J^T lambda. Bounds and the
 * forces in v are those of the step's start. The solver has `renew`. */
dls_status dls_stage_renew(dls_simulation *simulation, dls_time_base T, unsigned renewal, dls_error *error);
/* Takes the bias out of c: rows are held at velocity level alone. The ledger keeps it where `keep` is true: the bias
 * that a relaxation removes has been at work before. */
void dls_stage_drop_bias(dls_simulation *simulation, bool keep);
/* At most that many iterations of the simulation's solver, from the current impulses. A refusal is DLS_REFUSED. */
dls_status dls_stage_solve(dls_simulation *simulation, size_t iterations, dls_error *error);
/* v <- v* + M^-1 J^T lambda: conventions (2). */
void dls_stage_kick(dls_simulation *simulation);
/* Velocity iterations, after a kick: the bias leaves c for the rest of the problem's life, `iterations` more of the
 * solver from the current impulses, and the velocities follow. The report counts them too. Nothing where a direct
 * method has found no solution. */
dls_status dls_stage_relax(dls_simulation *simulation, size_t iterations, dls_error *error);
/* q <- q (+) h v: conventions (6). */
void dls_stage_drift(dls_simulation *simulation, double h);
/* The end of the step that began h ago: the velocity iterations of the simulation, time, and DLS_NOT_FINITE where it
 * has diverged. */
dls_status dls_stage_end(dls_simulation *simulation, double h, dls_error *error);

/* What a scheme may look at and change between the stages. */
size_t dls_stage_iterations(const dls_simulation *simulation); /* the limit that the simulation was opened with */
dls_problem *dls_stage_problem(dls_simulation *simulation);
double *dls_stage_impulses(dls_simulation *simulation);
dls_report *dls_stage_report(dls_simulation *simulation);

#ifdef __cplusplus
}
#endif

#endif
