/* ledger.h - where the mechanical energy of a step came from and went to. lib/simulation/ledger.c has the identity.
 *
 *     change of total energy = external + constraint + bias + compliance + friction + motor + collision + projection
 *                              + sleep + clamp + integrator
 */
#ifndef DELASSUS_LEDGER_H
#define DELASSUS_LEDGER_H

#include "delassus/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parts of the work of a row's impulse: X(NAME, column, what it is). */
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
    double part[DLS_LEDGER_PARTS];
    double *by_owner;  /* n_owners x DLS_LEDGER_PARTS: the same, row by row of this matrix */
    double projection; /* change of kinetic and potential energy where positions were corrected and velocities not */
    double gravity;   /* work of gravity on the velocities; the potential pays it, and the integrator is what differs */
    double potential; /* change of the potential energy as positions moved with the velocities */
    double turning;   /* work of gyroscopic, Coriolis and centrifugal forces on the velocities */
    double inertia;   /* change of the kinetic energy as the inertia moved under held velocities */
    double sleep;     /* change of the kinetic energy as bodies and articulations fell asleep: less than 0 */
    double clamp;     /* and as articulations were brought back to their greatest speeds: less than 0 */
    double
        elastic_lost; /* energy of the springs of joints that broke, or that a change before the step took; beside the sum, for it is not mechanical energy
                            in the sense of this ledger */
    double kinetic_before, kinetic_after, potential_before, potential_after;
    /* Change of the momentum of free bodies and floating articulations, about the world's origin, that no force made:
     * the integrator's. [kg m/s, kg m^2/s] */
    dls_spatial momentum_drift;
    /* between the calls */
    double frozen; /* kinetic energy by the mass operator of the last linearisation */
    double *impulse_gravity, *impulse_external,
        *impulse_turning;        /* nv: h times the generalised forces at the last linearisation */
    double *mean, *scratch;      /* nv */
    const dls_configuration *at; /* of the last linearisation */
    dls_spatial momentum_before, momentum_given;
} dls_ledger;

dls_status dls_ledger_create(const dls_model *model, dls_ledger **ledger, dls_error *error);
void dls_ledger_destroy(dls_ledger *ledger); /* NULL is allowed */

/* The integrator's own error: gravity + potential + turning + inertia. 0 for exact time integration. */
double dls_ledger_integrator(const dls_ledger *ledger);
/* The right side, and the left one as the energies before and after have it. */
double dls_ledger_sum(const dls_ledger *ledger);
double dls_ledger_change(const dls_ledger *ledger);
/* |sum - change| over the sum of all magnitudes that enter either: rounding. */
double dls_ledger_mismatch(const dls_ledger *ledger);

/* What the stages of a step report. */
void dls_ledger_begin(dls_ledger *ledger, const dls_configuration *configuration);
/* A problem was assembled at a configuration of `state`, whose M holds from here on. */
void dls_ledger_linearise(dls_ledger *ledger, const dls_configuration *configuration, const dls_state *state,
                          const dls_problem *problem);
/* Velocities went from v0 to v1 by the impulses lambda - lambda0 (NULL: 0) of the problem and its rows; with `forces`,
 * by those of gravity and everything else that v* has too. */
void dls_ledger_kick(dls_ledger *ledger, const dls_problem *problem, const dls_row_list *rows, const double *v0,
                     const double *v1, const double *lambda0, const double *lambda, bool forces);
/* Positions moved by h v; `links` is dls_links_potential_energy before. */
void dls_ledger_drift(dls_ledger *ledger, const dls_configuration *configuration, const double *v, double h,
                      double links);
/* Positions were corrected; the energies are those before. */
void dls_ledger_correct(dls_ledger *ledger, const dls_configuration *configuration, double kinetic, double potential);
/* Bodies and articulations fell asleep: the kinetic energy, and the momentum about the world's origin, are those before.
 */
void dls_ledger_sleep(dls_ledger *ledger, const dls_configuration *configuration, double kinetic, dls_spatial momentum);
/* The same of articulations that were brought back to their greatest speeds. */
void dls_ledger_clamp(dls_ledger *ledger, const dls_configuration *configuration, double kinetic, dls_spatial momentum);
dls_spatial dls_ledger_momentum(const dls_configuration *configuration);
void dls_ledger_end(dls_ledger *ledger, const dls_configuration *configuration);

#ifdef __cplusplus
}
#endif

#endif
