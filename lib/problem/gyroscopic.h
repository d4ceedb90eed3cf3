/* gyroscopic.h - what the products of velocities do in a step: the implicit gyroscopic step of a free body, which v*
 * has too, and their impulses, for the ledger and where momentum is kept. Not installed. */
#ifndef DELASSUS_GYROSCOPIC_H
#define DELASSUS_GYROSCOPIC_H

#include "delassus/configuration.h"

/* The angular velocity after h [s] of free spin, in body coordinates. */
dls_vec3 dls_gyroscopic_implicit(dls_mat3 inertia, dls_vec3 omega, double h);
/* h times the gyroscopic torques of bodies as `gyroscopic` of the world has them, and the Coriolis and centrifugal forces
 * of articulations by inverse dynamics; nv entries. [N s, N m s] */
void dls_turning_impulses(const dls_configuration *configuration, double h, double *impulse);

#endif
