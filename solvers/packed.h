/* packed.h - packed rows (packing.h): loading, sweeping and reading them. Internal to this folder. */
#ifndef DELASSUS_PACKED_H
#define DELASSUS_PACKED_H

#include "packing.h"

/* Packed rows without a problem. */
dls_status dls_packed_create(double omega, dls_packed **packed, dls_error *error);
/* lambda0 may be NULL. DLS_REFUSED if a diagonal is negative on a bounded row, or too small to divide by. The
 * problem must stay as it is until the next load. After a failure the packed rows can be loaded again or destroyed. */
dls_status dls_packed_load(dls_packed *packed, const dls_problem *problem, const double *lambda0, dls_error *error);
/* As dls_packed_load, but impulses and velocities stay as they are, or these become v (problem's nv) where it is not
 * NULL. The problem has the rows of the one before. */
dls_status dls_packed_renew(dls_packed *packed, const dls_problem *problem, const double *v, dls_error *error);
void dls_packed_destroy(dls_packed *packed);
void dls_packed_read(const dls_packed *packed, double *lambda); /* in the order of the problem */
void dls_packed_velocity(const dls_packed *packed, double *v);  /* the current one, as the problem has it */
void dls_packed_refresh(dls_packed *packed, const double *c);   /* another c, in the order of the problem */
/* y += B x, where y is any velocities in the layout of packed->y; x in packed order, as all that follow. */
void dls_packed_add(const dls_packed *packed, const double *x, double *y);
/* w = J y + Gamma x, minus c if with_c; 0 for rows that no impulse moves. */
void dls_packed_residual(const dls_packed *packed, const double *y, const double *x, bool with_c, double *w);
void dls_packed_steps(const dls_packed *packed, double *s); /* omega / A_ii; 0 for rows that no impulse moves */

/* One pass over all rows, in their order (or that of their colours) or in the reverse one. */
void dls_packed_sweep(dls_packed *packed, dls_direction direction);

#endif
