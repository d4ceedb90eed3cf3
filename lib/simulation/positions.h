/* positions.h - what schemes that correct positions share: which rows hold one, and the problem of moving bodies there.
 * Not installed. */
#ifndef DELASSUS_POSITIONS_H
#define DELASSUS_POSITIONS_H

#include "parts.h"

/* The memory of a scheme that corrects positions: the work of dls_scheme.open and close. */
typedef struct dls_positions {
    dls_simulation *simulation;
    dls_row_list *all;    /* at the configuration that is corrected */
    dls_row_list *rows;   /* those that hold a position */
    dls_problem *problem; /* theirs, in displacements: v is a displacement, c what it is to be */
    dls_solver_work solving;
    dls_report report;
    size_t capacity, flags;         /* of impulses; of keep */
    double *impulses;               /* [kg m, kg m^2] */
    double *displacement, *scratch; /* nv each */
    bool *keep;
} dls_positions;

dls_status dls_positions_open(dls_simulation *simulation, void **work, dls_error *error);
void dls_positions_close(void *work);

/* Whether a row holds a position that may be corrected: rigid, without bound on its force but a stop's sign. Springs
 * are not in error, what may pull with limited force has no claim to a place, and motors and friction know none. */
bool dls_row_constrains_position(const dls_list_row *row, double h);
/* All rows at the current state into positions->all. */
dls_status dls_positions_rows(dls_positions *positions, double h, dls_error *error);
/* The problem at the current state: the rows that hold, M, v* = 0, and c = h bias of a row in error (-ERP C), -C of a
 * gap, else 0. */
dls_status dls_positions_assemble(dls_positions *positions, double h, dls_error *error);
/* Solves it, each row's compliance that share of its diagonal, into displacement = M^-1 J^T impulses. */
dls_status dls_positions_solve(dls_positions *positions, double compliance, dls_error *error);
#define DLS_POSITION_COMPLIANCE(type)                                                                                 \
    {                                                                                                                 \
        "compliance", "", DLS_FIELD_REAL, offsetof(type, compliance), "1e-9", 0, 1, false, NULL,                      \
            "compliance of each row of the position problem, relative to its diagonal entry of A, so that redundant " \
            "rows may contradict each other"                                                                          \
    }

/* Energies before corrections, for the ledger; then, corrections made, what they did. Without a ledger nothing. */
typedef struct dls_energies {
    double kinetic, potential;
} dls_energies;
dls_energies dls_positions_uncorrected(dls_simulation *simulation);
void dls_positions_corrected(dls_simulation *simulation, dls_energies before);

#endif
