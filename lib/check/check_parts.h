/* check_parts.h - the common parts of the files of the check. Not installed.
 *
 * This folder compares rows, the mass operator and v* of a problem with their definitions, by finite differences and
 * d'Alembert's principle. It reads models, configurations and problems, and shares no computation with the code that
 * assembles them. */
#ifndef DELASSUS_CHECK_PARTS_H
#define DELASSUS_CHECK_PARTS_H

#include "base/memory.h"
#include "delassus/check.h"
#include "model/model.h"

#include "differences.h"

/* Motions along which differences are taken: random ones; the velocity of the state (OWN); the acceleration of v*,
 * without the change d by implicit Coriolis forces (KICK); that change d (TURN); and the velocity of the state again
 * while the ends have the velocities of d (CROSS). All but the random ones are scaled to 1 in their largest entry. */
enum {
    DLS_CHECK_DRAWN = 6,
    DLS_CHECK_OWN = DLS_CHECK_DRAWN,
    DLS_CHECK_KICK,
    DLS_CHECK_TURN,
    DLS_CHECK_CROSS,
    DLS_CHECK_MOTIONS
};

/* A problem that is checked. Rows of joints come first, then those of contacts. */
typedef struct dls_check {
    const dls_model *model;
    const dls_state *state;
    const dls_contacts *contacts; /* never NULL */
    const dls_problem *problem;
    const dls_list_row *list; /* n */
    double step;
    dls_check_report *report;

    dls_arena arena;
    dls_state *moved;
    dls_configuration *here, *there;               /* at the state, and where it was moved */
    size_t n_owners;                               /* joints, then contacts */
    size_t *first;                                 /* n_owners + 1: first row of each */
    dls_row *rows;                                 /* n: as the types write them at `here` */
    double *C;                                     /* n: position() at `here` */
    double *rounding;                              /* n: of C, and of J times a motion */
    double *size;                                  /* n: of J times a motion of size 1 */
    dls_reach *reach;                              /* n_ends */
    double *unit;                                  /* nv: 1 rad or an arm */
    double arm;                                    /* a length of the mechanism [m] */
    double *motion[DLS_CHECK_MOTIONS];             /* nv each */
    double scale[DLS_CHECK_MOTIONS];               /* by which the motion was divided */
    dls_difference *rates[DLS_CHECK_MOTIONS];      /* n each: dC along the motion; of the drawn ones */
    dls_difference *velocities[DLS_CHECK_MOTIONS]; /* 6 n_ends each: (v, omega) along the motion */
    /* 6 n_ends each: of the ends while the generalised velocity stays that of the state (CROSS: stays d); of no drawn
     * one */
    dls_difference *accelerations[DLS_CHECK_MOTIONS];
    double *turn;                      /* nv: d */
    double *central;                   /* levels x (n + 12 n_ends): central differences */
    double *after, *before;            /* n */
    double *force, *response;          /* nv: of one row */
    dls_end *ends_after, *ends_before; /* n_ends */
} dls_check;

/* Makes the memory, and computes everything except the differences. The contacts remain the caller's. */
dls_status dls_check_open(dls_check *check, dls_error *error);
void dls_check_close(dls_check *check);
/* Draws the random motions (all: makes the others too), and takes the differences along them. */
void dls_check_move(dls_check *check, uint64_t seed, bool all);
/* J of the problem along a motion. */
static inline double dls_check_rate(const dls_check *check, size_t row, int motion)
{
    return dls_rows_dot(&check->problem->J, row, check->motion[motion]);
}

/* The parts of the check, each into check->report. */
void dls_check_terms(dls_check *check);
void dls_check_masses(dls_check *check);

/* Replaces *to if this number has the larger error relative to the allowed one. */
void dls_check_note(dls_check_found *to, double found, double expected, double allowed);
static inline dls_check_found *dls_check_of_row(const dls_check *check, size_t i, dls_check_subject subject)
{
    return &check->report->rows[i].found[subject];
}
static inline dls_check_found *dls_check_of_block(const dls_check *check, size_t k, dls_check_subject subject)
{
    return &check->report->blocks[k].found[subject - DLS_CHECK_ROW_SUBJECTS];
}

/* A draw from [-1, 1). */
double dls_check_random(uint64_t *seed);

#endif
