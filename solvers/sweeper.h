/* sweeper.h - the common parts of the descriptors of all sweeps. Internal to this folder. */
#ifndef DELASSUS_SWEEPER_H
#define DELASSUS_SWEEPER_H

#include "delassus/solver_kit.h"
#include "delassus/solvers.h"

enum { DLS_SWEEPER_ACCEPTS = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED };

typedef struct dls_sweeper_settings {
    double omega;
} dls_sweeper_settings;

#define DLS_OMEGA_FIELD(fallback, help)                                                                      \
    {                                                                                                        \
        "omega", "", DLS_FIELD_REAL, offsetof(dls_sweeper_settings, omega), fallback, 0, 2, true, NULL, help \
    }

dls_status dls_sweeper_open(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                            dls_error *error);
dls_status dls_sweeper_forward(void *work, dls_report *report, dls_error *error); /* one forward sweep */
dls_splitting dls_sweeper_forward_splitting(const void *settings);
/* The members iterate_together of descriptors (solver.h): forward sweeps, or forward and backward ones in turn. */
void dls_sweeper_forward_together(void *const *works, size_t count, size_t iterations, dls_report *const *reports,
                                  bool *done);
void dls_sweeper_symmetric_together(void *const *works, size_t count, size_t iterations, dls_report *const *reports,
                                    bool *done);

#define DLS_SWEEPER DLS_KIT_MEMBERS, .accepts = DLS_SWEEPER_ACCEPTS, .open = dls_sweeper_open

#endif
