/* sweeper.h - what the descriptors of all sweeps share. Internal to this folder. */
#ifndef DELASSUS_SWEEPER_H
#define DELASSUS_SWEEPER_H

#include "delassus/solvers.h"

#include "packed.h"
#include "together.h"

enum { DLS_SWEEPER_ACCEPTS = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED };

typedef struct dls_sweeper_settings {
    double omega;
} dls_sweeper_settings;

#define DLS_OMEGA_FIELD(fallback, help)                                                                      \
    {                                                                                                        \
        "omega", "", DLS_FIELD_REAL, offsetof(dls_sweeper_settings, omega), fallback, 0, 2, true, NULL, help \
    }

/* Packed rows without a problem; the settings are checked. */
dls_status dls_sweeper_create(const void *settings, dls_packed **packed, dls_error *error);
/* The work of a sweep is its packed rows. */
dls_status dls_sweeper_open(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                            dls_error *error);
dls_status dls_sweeper_reload(void *work, const dls_problem *problem, const double *lambda0, dls_error *error);
void dls_sweeper_read(const void *work, double *lambda);
void dls_sweeper_refresh(void *work, const double *c);
void dls_sweeper_velocity(const void *work, double *v);
dls_status dls_sweeper_renew(void *work, const dls_problem *problem, const double *v, dls_error *error);
void dls_sweeper_close(void *work);

dls_status dls_sweeper_forward(void *work, dls_report *report, dls_error *error); /* one forward sweep */
dls_splitting dls_sweeper_forward_splitting(const void *settings);

/* The members of a descriptor that all sweeps over packed rows have. */
#define DLS_SWEEPER                                                                         \
    .kind = DLS_SOLVER_ITERATIVE, .accepts = DLS_SWEEPER_ACCEPTS, .open = dls_sweeper_open, \
    .reload = dls_sweeper_reload, .read = dls_sweeper_read, .close = dls_sweeper_close,     \
    .refresh = dls_sweeper_refresh, .velocity = dls_sweeper_velocity, .renew = dls_sweeper_renew

#endif
