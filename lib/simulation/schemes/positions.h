/* positions.h - for schemes that correct positions: which rows have a position error, and the problem for its
 * correction. Not installed. */
#ifndef DELASSUS_POSITIONS_H
#define DELASSUS_POSITIONS_H

#include "delassus/simulation.h"

/* The memory of a scheme that corrects positions: the work of dls_scheme.open and close. */
typedef struct dls_positions {
    dls_simulation *simulation;
    dls_row_list *all;    /* at the configuration that is corrected */
    dls_row_list *rows;   /* those with a position error that may be corrected */
    dls_problem *problem; /* theirs, in displacements: v is a displacement, c its target */
    dls_solver_work solving;
    dls_report report;
    size_t capacity;                /* of impulses and keep */
    double *impulses;               /* [kg m, kg m^2] */
    double *displacement, *scratch; /* nv each */
    bool *keep;                     /* rows of `all` that are in `rows` */
} dls_positions;

dls_status dls_positions_open(dls_simulation *simulation, void **work, dls_error *error);
void dls_positions_close(void *work);

/* Whether a row has a position error that may be corrected: it is rigid, and its force has no bound except the sign of
 * a stop. The deflection of a spring is no error, a row with a limited force need not reach its position, and motors
 * and friction have none. */
bool dls_row_constrains_position(const dls_list_row *row, double h);
/* Fills `all`, and makes the problem at the current state: the rows that may be corrected, M, v* = 0, and c = h bias of
 * a row in error (-ERP C), -C of a gap, else 0. */
dls_status dls_positions_assemble(dls_positions *positions, double h, dls_error *error);
/* Solves it, with `compliance` times the diagonal entry of A as the compliance of each row: displacement = M^-1 J^T
 * impulses. */
dls_status dls_positions_solve(dls_positions *positions, double compliance, dls_error *error);
/* Moves positions by the displacement, for the ledger's `projection`. A direct method without an answer moves nothing,
 * and the report of the step says so. */
void dls_positions_apply(dls_positions *positions);
/* These three after another, unless no ERP C is larger than `tolerance` [m, rad]. */
dls_status dls_positions_correct(dls_positions *positions, double tolerance, double compliance, double h,
                                 dls_error *error);
#define DLS_POSITION_COMPLIANCE(type)                                                                                 \
    {                                                                                                                 \
        "compliance", "", DLS_FIELD_REAL, offsetof(type, compliance), "1e-9", 0, 1, false, NULL,                      \
            "compliance of each row of the position problem, relative to its diagonal entry of A, so that redundant " \
            "rows may contradict each other"                                                                          \
    }

#endif
