/* halfway.h - for schemes that evaluate forces and rows within the step: springs at given times of the step, stops that
 * act by the forecast of their gap, and the memory for both. Not installed. */
#ifndef DELASSUS_HALFWAY_H
#define DELASSUS_HALFWAY_H

#include "delassus/simulation.h"

/* The memory of such a scheme: the work of dls_scheme.open and close. */
typedef struct dls_halfway {
    dls_simulation *simulation;
    size_t capacity;        /* of the arrays by row */
    double *speed;          /* J v + J_k v_k of each row at the start of the step */
    double *u, *lo, *hi;    /* by row: target speed and bounds of stops and friction in the first pass */
    double *target, *c;     /* by row, for the scheme */
    double *v, *mean;       /* nv: velocities at the end of the step, and within it */
    double *scratch, *move; /* nv */
} dls_halfway;

/* The work is this struct, which `size` bytes begin with. */
dls_status dls_halfway_open(dls_simulation *simulation, size_t size, void **work, dls_error *error);
void dls_halfway_close(void *work);
/* DLS_REFUSED with the scheme's name if the world has `keep_momentum`. */
dls_status dls_halfway_refuse_keep(const dls_simulation *simulation, const char *scheme, dls_error *error);
/* After dls_stage_linearise, for schemes with an own law of contacts: DLS_REFUSED with the scheme's name if a contact
 * has another law than friction fixed, in a box or in Coulomb's isotropic cone, and torsional friction. */
dls_status dls_halfway_refuse_laws(const dls_simulation *simulation, const char *scheme, dls_error *error);
/* After dls_stage_linearise: makes room for its rows, computes `speed`, and sets v and mean to the velocities. */
dls_status dls_halfway_begin(dls_halfway *halfway, dls_error *error);
/* Moves all but kinematic bodies by h times the velocities `mean`. */
void dls_halfway_place(dls_halfway *halfway, double h);

/* The law f = push - kp C - kd (J v + J_k v_k) of a row with compliance, where ERP and CFM are those of a step of h.
 * False for a rigid row. */
typedef struct dls_spring_law {
    double kp, kd, push;
} dls_spring_law;
bool dls_row_spring_law(const dls_list_row *row, double h, dls_spring_law *law);
/* Writes the row of a spring in the theta method; `C` is its C at q (+) (1 - theta) h v, `speed` is J v + J_k v_k of v,
 * and `prescribed` is J_k v_k. Its bias is 0. halfway.c has the equation. */
void dls_halfway_put_spring(dls_problem *problem, size_t i, const dls_spring_law *law, double theta, double C,
                            double speed, double prescribed);
/* In the first pass keeps, and later restores, target speeds of stops and bounds of stops and friction; stops whose gap
 * is open in the middle of the step get the bounds 0. The problem is that at q (+) placed v [s]. */
void dls_halfway_keep(dls_halfway *halfway, bool first, double placed);

/* For schemes that solve for positions by themselves. _predict: after dls_stage_linearise, changes velocities by the
 * forces alone, moves all by h v*, and sets `mean` to h v*; the impulses stay. Returns the energies then. _end: when
 * positions have been displaced, makes `mean` the velocities, whose change has the work of the impulses along the J of
 * the problem, and a rest that is the ledger's `projection`. v* of the problem becomes mean - M^-1 J^T lambda. */
dls_energies dls_halfway_predict(dls_halfway *halfway, double h);
void dls_halfway_end(dls_halfway *halfway, dls_energies before);

#endif
