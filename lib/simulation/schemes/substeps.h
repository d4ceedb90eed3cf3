/* substeps.h - for schemes of N substeps of one iteration each, with a relaxation after each: small_steps.c,
 * soft_step.c. Not installed. */
#ifndef DELASSUS_SUBSTEPS_H
#define DELASSUS_SUBSTEPS_H

#include "delassus/simulation.h"

typedef struct dls_substeps {
    const char *scheme;
    size_t relax; /* iterations without the bias after the positions have moved; 0: none */
    void *context;
    /* Changes the rows of substep n of k [s], before they are solved. */
    dls_status (*prepare)(dls_simulation *simulation, void *context, size_t n, double k, dls_error *error);
    /* Changes them back, before the relaxation; or NULL. */
    void (*release)(dls_simulation *simulation);
} dls_substeps;

/* Contacts are detected once; as many substeps as the simulation has iterations. The caller ends the step with
 * dls_stage_end; the report then counts the iterations of all substeps. */
dls_status dls_substeps_make(dls_simulation *simulation, const dls_substeps *substeps, double h, dls_error *error);

#endif
