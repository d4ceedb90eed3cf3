/* scheme.h - a scheme decides when to linearise, sweep, move positions and correct them. It is handed a solver. */
#ifndef DELASSUS_SCHEME_H
#define DELASSUS_SCHEME_H

#include "delassus/contact.h"
#include "delassus/ledger.h"
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
    const void *settings; /* the solver's */
    size_t iterations;    /* limit of an iterative solver, a step */
    dls_state *state;
    dls_state *start;       /* room for a scheme that moves the state within a step: how it was before */
    dls_collider *collider; /* NULL where the scene does not collide */
    dls_contacts contacts;
    dls_problem *problem; /* of the last step */
    double *lambda;       /* impulses of the last step */
    size_t capacity;      /* of lambda, and of what else has an entry a row */
    dls_report report;    /* of the last step */
    dls_warm warm;        /* set it before the first step */
    struct dls_warm_store *warm_store;
    dls_ledger *ledger; /* NULL: nobody asked for one */
    /* Corrections of positions. */
    dls_contacts moved;     /* contacts where their bodies have gone since `start` */
    dls_problem *positions; /* rows that hold positions, in displacements: v is a displacement, c what it is to be */
    double *correction;     /* its impulses [kg m, kg m^2] */
    double *earlier;        /* room for the impulses of an earlier stage */
    double *displacement;   /* nv */
    dls_report position_report;
} dls_stepper;

typedef struct dls_scheme {
    const char *name, *summary, *source;
    dls_field_table fields;
    /* Settings as `fields` has them; euler alone takes NULL for its defaults. */
    dls_status (*step)(dls_stepper *stepper, const void *settings, double h, dls_error *error);
} dls_scheme;

extern const dls_scheme *const dls_schemes[]; /* NULL at the end */
const dls_scheme *dls_scheme_find(const char *name);

dls_status dls_stepper_create(const dls_model *model, const dls_solver *solver, const void *settings, size_t iterations,
                              dls_stepper **stepper, dls_error *error);
void dls_stepper_destroy(dls_stepper *stepper);
/* Keeps a ledger of every step from here on: stepper->ledger. */
dls_status dls_stepper_keep_ledger(dls_stepper *stepper, dls_error *error);

/* --- what a step is made of. A scheme moves nothing but through these, and so the ledger knows all. --- */

/* The step begins: `start` is the state. */
void dls_stepper_begin(dls_stepper *stepper);
/* Contacts, rows and v* at the stepper's state, into stepper->problem; makes room for lambda and sets it to where the
 * solve starts: 0, or with warm starts the impulses of the last step. */
dls_status dls_stepper_linearise(dls_stepper *stepper, double h, dls_error *error);
/* The same with the contacts found already, where their bodies have taken them since `start`; lambda stays. */
dls_status dls_stepper_relinearise(dls_stepper *stepper, double h, dls_error *error);
/* dls_solve with the stepper's solver, of stepper->problem into lambda, from what it holds; a refusal is DLS_REFUSED.
 */
dls_status dls_stepper_solve(dls_stepper *stepper, size_t iterations, dls_error *error);
/* v <- v* + M^-1 J^T lambda: conventions (2). */
void dls_stepper_kick(dls_stepper *stepper);
/* The same again after lambda has changed from `earlier`: v0 was v* + M^-1 J^T earlier. */
void dls_stepper_kick_again(dls_stepper *stepper);
/* Says that v came from v0 in that way, where the solver itself has set it. */
void dls_stepper_kicked(dls_stepper *stepper, const double *v0);
/* q <- q (+) h v: conventions (6). */
void dls_stepper_drift(dls_stepper *stepper, double h);
/* Kick, drift and the time, for who steps by hand and without a ledger. */
void dls_stepper_advance(dls_stepper *stepper, double h);
/* The end of the step that began h ago: time, and DLS_NOT_FINITE where it has diverged. */
dls_status dls_stepper_end(dls_stepper *stepper, double h, dls_error *error);

/* --- corrections of positions (lib/positions.c) --- */

/* Whether row i of a problem holds a position that may be corrected: rigid, without bound on its force but a stop's
 * sign. Springs are not in error, what may pull with limited force has no claim to a place, and motors and friction
 * know none. */
bool dls_row_holds(const dls_problem *problem, size_t i);
/* Contacts into stepper->moved. */
dls_status dls_stepper_follow(dls_stepper *stepper, dls_error *error);
/* stepper->positions at the state: the rows that hold, M, v* = 0, and c = h bias of a row in error (-ERP C), -C of a
 * gap, else 0. */
dls_status dls_stepper_positions(dls_stepper *stepper, double h, dls_error *error);
/* Solves that, each row's compliance that share of its diagonal, into displacement = M^-1 J^T correction. */
dls_status dls_stepper_solve_positions(dls_stepper *stepper, double compliance, dls_error *error);
#define DLS_POSITION_COMPLIANCE(type)                                                                                  \
    {                                                                                                                  \
        "compliance", "", DLS_FIELD_REAL, offsetof(type, compliance), "1e-9", 0, 1, false, NULL,                       \
            "of a row of the position problem over its own diagonal of A, so that redundant rows may contradict each " \
            "other"                                                                                                    \
    }
/* Energies before corrections, for the ledger; then, corrections made, what they did. Without a ledger nothing. */
typedef struct dls_energies {
    double kinetic, potential;
} dls_energies;
dls_energies dls_stepper_uncorrected(const dls_stepper *stepper);
void dls_stepper_corrected(dls_stepper *stepper, dls_energies before);

#endif
