/* The direct methods: one function each, on one dense problem. Not installed.
 *
 * A method is a file with a descriptor, entered in direct.def; code that several methods share has a file of its own.
 * The other files use the dense assembly (dense.c): facets for cones, several values of v+, impulses behind a velocity,
 * loops, manufactured problems. Dense methods in floating point may enter; rationals belong to exact/, statements that
 * hold with all rounding errors to certify/. No file here includes the headers of examine/.
 *
 * Its problem comes assembled and in units of its own (prepare.h); every tolerance is a plain number. Memory comes from
 * an arena that is kept from one problem to the next: a method takes all it needs, asks dls_direct_ready once, and
 * returns nothing. The last line of its file is DLS_DIRECT_SOLVER.
 *
 * The claims of a method go through one last step (last_step.c) and are judged (verdicts.c) before anybody sees them.
 * measure.c says when a vector counts as a solution in floating point, and when one proves that there is none. */
#ifndef DELASSUS_REFERENCE_DIRECT_H
#define DELASSUS_REFERENCE_DIRECT_H

#include "measure.h"

/* Puts the answer into lambda (n entries, in the units of q; before, the start of a method with DLS_TAKES_START, else
 * zeros), and outcome and counts into the report.
 * Fails with DLS_NO_MEMORY alone. */
typedef dls_status dls_direct_solve(dls_direct *d, double *lambda, dls_report *report, dls_error *error);

dls_status dls_direct_open(const dls_solver *solver, dls_direct_solve *solve, int prepare, const dls_problem *problem,
                           const void *settings, const double *lambda0, void **work, dls_error *error);
dls_status dls_direct_reload(void *work, const dls_problem *problem, const double *lambda0, dls_error *error);
dls_status dls_direct_iterate(void *work, dls_report *report, dls_error *error);
void dls_direct_read(const void *work, double *lambda);
void dls_direct_close(void *work);

/* Defines dls_solver_IDENTIFIER from a solve function, how it wants its problem prepared, and the members of the
 * descriptor that say what the method is. */
#define DLS_DIRECT_SOLVER(identifier, solve, prepare, ...)                                                           \
    static dls_status identifier##_open(const dls_problem *problem, const void *settings_of, const double *lambda0,  \
                                        void **work_of, dls_error *error)                                            \
    {                                                                                                                \
        return dls_direct_open(&dls_solver_##identifier, (solve), (prepare), problem, settings_of, lambda0, work_of, \
                               error);                                                                               \
    }                                                                                                                \
    const dls_solver dls_solver_##identifier = {__VA_ARGS__,                                                         \
                                                .kind = DLS_SOLVER_DIRECT,                                           \
                                                .open = identifier##_open,                                           \
                                                .reload = dls_direct_reload,                                         \
                                                .iterate = dls_direct_iterate,                                       \
                                                .read = dls_direct_read,                                             \
                                                .close = dls_direct_close}
#define SOLVER(identifier) extern const dls_solver dls_solver_##identifier;
#include "direct.def"
#undef SOLVER

#endif
