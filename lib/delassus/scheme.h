/* scheme.h - a scheme decides when to linearise, sweep, move positions and correct them. It is handed a solver. */
#ifndef DELASSUS_SCHEME_H
#define DELASSUS_SCHEME_H

#include "delassus/contact.h"
#include "delassus/solver.h"

/* Warm starts (lib/warm.c): off unless `on` is set. Zeroed: off. */
typedef struct dls_warm {
    bool on;
    double distance; /* [m] */
    size_t age;      /* steps */
} dls_warm;
extern const dls_field_table dls_warm_fields; /* defaults: on */

/* Everything a run of steps keeps: made once, so that a step allocates only when the number of rows grows. */
typedef struct dls_stepper {
    const dls_model *model;
    const dls_solver *solver;
    const void *settings;   /* the solver's */
    size_t iterations;      /* limit of an iterative solver, a step */
    dls_state *state;
    dls_state *start;       /* room for a scheme that moves the state within a step: how it was before */
    dls_collider *collider; /* NULL where the scene does not collide */
    dls_contacts contacts;
    dls_problem *problem;   /* of the last step */
    double *lambda;         /* impulses of the last step */
    size_t capacity;        /* of lambda */
    dls_report report;      /* of the last step */
    dls_warm warm;          /* set it before the first step */
    struct dls_warm_store *warm_store;
} dls_stepper;

typedef struct dls_scheme {
    const char *name, *summary, *source;
    dls_field_table fields;
    dls_status (*step)(dls_stepper *stepper, const void *settings, double h, dls_error *error);
} dls_scheme;

extern const dls_scheme *const dls_schemes[]; /* NULL at the end */
const dls_scheme *dls_scheme_find(const char *name);

dls_status dls_stepper_create(const dls_model *model, const dls_solver *solver, const void *settings, size_t iterations,
                              dls_stepper **stepper, dls_error *error);
void dls_stepper_destroy(dls_stepper *stepper);
/* Contacts, rows and v* at the stepper's state, into stepper->problem; makes room for lambda and sets it to where the solve starts: 0, or
 * with warm starts the impulses of the last step. */
dls_status dls_stepper_linearise(dls_stepper *stepper, double h, dls_error *error);
/* The end of a step: v+ of conventions (2) from problem and lambda into the state, then positions by (6), and the time. */
void dls_stepper_advance(dls_stepper *stepper, double h);

#endif
