/* first_order.h - shared by methods that reduce f = 1/2 lambda^T A lambda + b^T lambda, whose gradient is w, on packed
 * rows. Vectors are by row in packed order (solver_kit.h); rows that no impulse moves have the entries 0. Internal to
 * this folder. */
#ifndef DELASSUS_FIRST_ORDER_H
#define DELASSUS_FIRST_ORDER_H

#include "delassus/solver_kit.h"

/* The steps s = 1 / D of the kit. DLS_REFUSED if a diagonal is negative: f has no minimum along this row. */
dls_status dls_first_order_steps(const dls_kit *kit, double *s, dls_error *error);
double dls_first_order_dot(const dls_kit *kit, const double *x, const double *y);
/* sum_i x_i^2 / s_i = |x|_D^2, an energy for impulses x. */
double dls_first_order_square(const dls_kit *kit, const double *s, const double *x);
/* Sets the impulses to `to`, which becomes their change; the velocity follows. */
void dls_first_order_move(dls_kit *kit, double *to);

#endif
