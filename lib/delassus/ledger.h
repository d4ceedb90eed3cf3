/* ledger.h - the balance of the mechanical energy of a step. lib/simulation/ledger.c derives the identity
 *
 *     change of total energy = external + medium + constraint + bias + compliance + friction + motor + collision
 *                              + projection + sleep + clamp + integrator
 */
#ifndef DELASSUS_LEDGER_H
#define DELASSUS_LEDGER_H

#include "delassus/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parts of the work of the rows' impulses: X(NAME, column, description). */
#define DLS_LEDGER_PARTS_LIST(X)                                                                    \
    X(CONSTRAINT, "constraint", "rigid rows of joints, without their bias")                         \
    X(BIAS, "bias", "their feedback of position errors (ERP), and that of stops")                   \
    X(COMPLIANCE, "compliance", "springs and dampers: rows with a CFM, by whatever they are given") \
    X(FRICTION, "friction", "friction rows, and brakes")                                            \
    X(MOTOR, "motor", "motors")                                                                     \
    X(COLLISION, "collision", "rigid contacts and limits, without their bias: what an impact takes, or gives back")

typedef enum dls_ledger_part {
#define DLS_LEDGER_ENUM(name, text, help) DLS_LEDGER_##name,
    DLS_LEDGER_PARTS_LIST(DLS_LEDGER_ENUM)
#undef DLS_LEDGER_ENUM
        DLS_LEDGER_PARTS
} dls_ledger_part;
extern const char *const dls_ledger_part_names[]; /* NULL at the end */

/* The energy balance of one step [J]. */
typedef struct dls_ledger {
    size_t nv, n_owners; /* owners of rows: every joint, then all detected contacts together */
    double external;     /* work of forces and torques on bodies, joints and links */
    double medium;       /* work of the medium of the world: negative, but for wind */
    double part[DLS_LEDGER_PARTS];
    double *by_owner; /* n_owners x DLS_LEDGER_PARTS: the same, row by row of this matrix */
    /* The work of kinematic bodies in each part: -lambda_i times what their motion adds to the velocity of row i; 0
     * for motors, all of whose work is given. */
    double prescribed[DLS_LEDGER_PARTS];

    double projection;  /* change of kinetic and potential energy due to corrections of positions */
    double gravity;     /* work of gravity on the velocities; it differs from -potential by an integration error */
    double potential;   /* change of the potential energy due to the motion of positions with the velocities */
    double turning;     /* work of gyroscopic, Coriolis and centrifugal forces on the velocities */
    double inertia;     /* change of the kinetic energy due to the change of the inertia at constant velocities */
    double sleep;       /* change of the kinetic energy due to bodies and articulations that fell asleep: <= 0 */
    double clamp;       /* the same due to articulations that were slowed to their maximum speeds: <= 0 */
    double impact_gain; /* energy that impacts have created, by the law of restitution or by a solver that has not
                          converged: the sum of the positive works of the contacts, with friction, that meet in one
                          impact (lib/simulation/impact.c). It is in `collision` and `friction`, not added to the sum */
    double
        elastic_lost; /* energy of the springs of joints that broke or that a change removed before the step; not part
                            of the sum, because it is not mechanical energy in the sense of this ledger */
    double kinetic_before, kinetic_after, potential_before, potential_after;
    /* Change of the momentum of free bodies and floating articulations about the world's origin that is not due to
     * forces: the error of the integrator. [kg m/s, kg m^2/s] */
    dls_spatial momentum_drift;
    /* private, kept between the calls below */
    double frozen; /* kinetic energy by the mass operator of the last linearisation */
    double *impulse_gravity, *impulse_external, *impulse_medium,
        *impulse_turning;        /* nv: h times the generalised forces at the last linearisation */
    double *mean, *scratch;      /* nv */
    const dls_configuration *at; /* of the last linearisation */
    dls_spatial momentum_before, momentum_given;
} dls_ledger;

dls_status dls_ledger_create(const dls_model *model, dls_ledger **ledger, dls_error *error);
void dls_ledger_destroy(dls_ledger *ledger); /* NULL is allowed */

/* The integrator's own error: gravity + potential + turning + inertia. 0 for exact time integration. */
double dls_ledger_integrator(const dls_ledger *ledger);
/* The right side of the identity, and the left side, from the energies before and after. */
double dls_ledger_sum(const dls_ledger *ledger);
double dls_ledger_change(const dls_ledger *ledger);
/* |sum - change| divided by the sum of the magnitudes of all terms: of the size of rounding errors. */
double dls_ledger_mismatch(const dls_ledger *ledger);

/* --- calls of the stages of a step (scheme.h) --- */
void dls_ledger_begin(dls_ledger *ledger, const dls_configuration *configuration);
/* A problem was assembled at a configuration of `state`; M of this configuration is used from here on. */
void dls_ledger_linearise(dls_ledger *ledger, const dls_configuration *configuration, const dls_state *state,
                          const dls_problem *problem);
/* Velocities changed from v0 to v1 due to the impulses lambda - lambda0 (lambda0 NULL: 0) of the problem's rows; with
 * `forces`, also due to gravity and all other forces in v*. */
void dls_ledger_kick(dls_ledger *ledger, const dls_problem *problem, const dls_row_list *rows, const double *v0,
                     const double *v1, const double *lambda0, const double *lambda, bool forces);
/* Positions moved by h v; `links` is dls_links_potential_energy before the motion. */
void dls_ledger_drift(dls_ledger *ledger, const dls_configuration *configuration, const double *v, double h,
                      double links);
/* Positions were corrected; `kinetic` and `potential` are the energies before. */
void dls_ledger_correct(dls_ledger *ledger, const dls_configuration *configuration, double kinetic, double potential);
/* Bodies and articulations fell asleep; `kinetic` and `momentum` (about the world's origin) are the values before.
 */
void dls_ledger_sleep(dls_ledger *ledger, const dls_configuration *configuration, double kinetic, dls_spatial momentum);
/* The same for articulations that were slowed to their maximum speeds. */
void dls_ledger_clamp(dls_ledger *ledger, const dls_configuration *configuration, double kinetic, dls_spatial momentum);
dls_spatial dls_ledger_momentum(const dls_configuration *configuration);
void dls_ledger_end(dls_ledger *ledger, const dls_configuration *configuration);

#ifdef __cplusplus
}
#endif

#endif
