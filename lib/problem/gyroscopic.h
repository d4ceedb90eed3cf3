/* gyroscopic.h - the implicit gyroscopic step of a free body, shared by v* and the energy ledger. Not installed. */
#ifndef DELASSUS_GYROSCOPIC_H
#define DELASSUS_GYROSCOPIC_H

#include "delassus/math3.h"

/* The angular velocity after h [s] of free spin, in body coordinates. */
dls_vec3 dls_gyroscopic_implicit(dls_mat3 inertia, dls_vec3 omega, double h);

#endif
