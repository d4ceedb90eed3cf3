/* scheme.h - a scheme decides when to linearise, solve, move positions and correct them: one time step, made of stages.
 * A scheme is one const descriptor: in its own file of lib/simulation/schemes, listed in schemes.def, or in a shared
 * object (DLS_SCHEME_PLUGIN). It changes the state only by the stages below, so that the energy ledger is complete; all
 * schemes of the library include public headers alone. Semi-implicit Euler is
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

/* Schemes in a shared object, for the program's --scheme ./mine.so: one line after the descriptors,
 *     DLS_SCHEME_PLUGIN(my_scheme);    or, for several,    DLS_SCHEME_PLUGINS(&one_scheme, &other_scheme);
 * compiled by  cc -shared -fPIC mine.c $(pkg-config --cflags --libs delassus) -o mine.so
 * If there are several, ./mine.so:NAME selects one. An example is examples/own_scheme.c. */
typedef struct dls_scheme_plugin {
    unsigned version; /* of this struct, of dls_scheme and of the stages */
    size_t scheme_size, problem_size, row_size;
    const dls_scheme *const *schemes; /* NULL at the end */
} dls_scheme_plugin;
extern const dls_scheme_plugin dls_scheme_plugin_here; /* the shared object's */
#define DLS_SCHEME_PLUGIN_OF(schemes)                                               \
    {                                                                               \
        1, sizeof(dls_scheme), sizeof(dls_problem), sizeof(dls_list_row), (schemes) \
    }
#define DLS_SCHEME_PLUGINS(...)                                                \
    static const dls_scheme *const dls_plugin_schemes[] = {__VA_ARGS__, NULL}; \
    const dls_scheme_plugin dls_scheme_plugin_here = DLS_SCHEME_PLUGIN_OF(dls_plugin_schemes)
#define DLS_SCHEME_PLUGIN(descriptor) DLS_SCHEME_PLUGINS(&(descriptor))

/* --- stages of a step --- */

/* Begins a step at the current state. */
void dls_stage_begin(dls_simulation *simulation);
/* Computes contacts, rows and v* at the current state: the problem of a step of h [s]. Sets the impulses from which the
 * solve starts: 0, or those of the last step with warm starts. Laws of impact with phases are solved here and in the
 * next two, from the velocities v, and give u of the rows (lib/simulation/impact.c): DLS_REFUSED, DLS_UNSOLVED. */
dls_status dls_stage_linearise(dls_simulation *simulation, double h, dls_error *error);
/* The same with the contacts of dls_stage_linearise, moved with their bodies, after a substep has moved positions; the
 * impulses are kept. */
dls_status dls_stage_relinearise(dls_simulation *simulation, double h, dls_error *error);
/* The same for an iteration within a substep, as of an implicit scheme: gyroscopic, Coriolis and damping forces and
 * restitution are those of the velocities v (nv), which need not be the current ones: v* = v_now + h M^-1 f(q, v). */
dls_status dls_stage_linearise_at(dls_simulation *simulation, const double *v, double h, dls_error *error);
/* The positions of this step move `time` [s] from each following linearisation on, where that differs from the h of its
 * problem: bodies with a given place get the velocity that brings them there after it. Until the end of the step. */
void dls_stage_reach(dls_simulation *simulation, double time);
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
 * solver from the current impulses, and updates the velocities. Rows and gaps stay those of the problem. Does nothing
 * if a direct method has found no solution. */
dls_status dls_stage_relax(dls_simulation *simulation, size_t iterations, dls_error *error);
/* q <- q (+) h v: conventions (6). */
void dls_stage_drift(dls_simulation *simulation, double h);
/* Ends the step that began h ago: makes the velocity iterations of the simulation and advances the time. DLS_NOT_FINITE
 * if the simulation has diverged. */
dls_status dls_stage_end(dls_simulation *simulation, double h, dls_error *error);

/* --- positions and velocities that a scheme computes itself --- */

/* q <- q (+) displacement, an increment of nv entries [m, rad]; the velocities stay. */
void dls_stage_displace(dls_simulation *simulation, const double *displacement);
/* The same of one body that moves. O(1) in a mechanism whose joints keep no numbers and measure none. */
void dls_stage_displace_body(dls_simulation *simulation, size_t body, const double displacement[6]);
/* q <- q (+) s B for the response B of row i of a list of dls_stage_rows, of which the columns that dls_rows_response
 * writes are read; the velocities stay. O(1) for a row on bodies alone, in such a mechanism. */
void dls_stage_displace_row(dls_simulation *simulation, const dls_row_list *list, size_t i, double s, const double *B);
/* Moves all positions back to those at the start of the step; the velocities stay. */
void dls_stage_return(dls_simulation *simulation);
/* The displacement from the start of the step to the current positions q, so that q_start (+) displacement = q; nv
 * entries, of rotations the shortest ones. The mean velocity of the step is displacement / h. */
void dls_stage_displacement(const dls_simulation *simulation, double *displacement);
/* v <- v (nv entries). The ledger needs the reason of the change, which one of the next two functions tells; one call
 * may tell it for several changes. Without it the two sides of the ledger differ. */
void dls_stage_set_velocity(dls_simulation *simulation, const double *v);
/* The velocities have changed from v0 to the current ones due to the impulses of the problem and the forces in its v*,
 * as in dls_stage_kick; if lambda0 is not NULL, due to the change of the impulses from lambda0 alone. */
void dls_stage_count_impulses(dls_simulation *simulation, const double *v0, const double *lambda0);
/* The impulses before the last dls_stage_renew or dls_stage_relax. */
const double *dls_stage_earlier_impulses(const dls_simulation *simulation);
/* Positions or velocities have been corrected without an impulse of the problem: the change of the energies from
 * `before`, those of dls_stage_energies before the correction, is the ledger's `projection`. Both do nothing if no
 * ledger is kept. */
typedef struct dls_energies {
    double kinetic, potential; /* [J] */
} dls_energies;
dls_energies dls_stage_energies(dls_simulation *simulation);
void dls_stage_count_correction(dls_simulation *simulation, dls_energies before);

/* --- rows at other positions than those of the problem --- */

/* Fills a list, which is the scheme's own, with all rows at the current positions; contacts are moved with their
 * bodies. The columns of J that belong to one body are found with dls_rows_by_block (rows.h). */
dls_status dls_stage_rows(dls_simulation *simulation, dls_row_list *list, double h, dls_error *error);
/* Evaluates the rows of one owner again, at the current positions; `first` is its first row in such a list. */
dls_status dls_stage_renew_rows(dls_simulation *simulation, dls_row_list *list, size_t first, double h,
                                dls_error *error);

/* --- iterations one by one, for schemes that move positions between them --- */

/* dls_stage_solve is these two, with dls_solver_run between them: loads the problem into the solver; and DLS_UNSOLVED
 * if the solver has failed, unless the simulation goes on after failures. */
dls_status dls_stage_load(dls_simulation *simulation, dls_error *error);
dls_status dls_stage_check_solved(dls_simulation *simulation, dls_error *error);
/* Counts a solve that the scheme has made with a dls_solver_work of its own: the report of the step has the work of all
 * solves, those of dls_stage_load included. */
void dls_stage_count_solve(dls_simulation *simulation, const dls_report *report);
/* The solver of the simulation, its settings, and the work that dls_stage_load has loaded. */
dls_solver_work *dls_stage_solver(dls_simulation *simulation);

/* Data that a scheme may read and change between the stages. */
size_t dls_stage_iterations(const dls_simulation *simulation); /* the limit that the simulation was opened with */
dls_problem *dls_stage_problem(dls_simulation *simulation);
double *dls_stage_impulses(dls_simulation *simulation);
dls_report *dls_stage_report(dls_simulation *simulation);           /* of the last solve: its own work alone */
const dls_state *dls_stage_start(const dls_simulation *simulation); /* the state at the start of the step */

#ifdef __cplusplus
}
#endif

#endif
