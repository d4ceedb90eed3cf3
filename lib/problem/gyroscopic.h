/* gyroscopic.h - gyroscopic and Coriolis terms of a step: the implicit step of a free body and of an articulation,
 * which v* uses too, and the impulses of these terms, for the ledger and to keep momentum. Not installed. */
#ifndef DELASSUS_GYROSCOPIC_H
#define DELASSUS_GYROSCOPIC_H

#include "delassus/configuration.h"

/* The angular velocity after h [s] of free spin, in body coordinates. */
dls_vec3 dls_gyroscopic_implicit(dls_mat3 inertia, dls_vec3 omega, double h);
/* Theta of dls_articulation_coriolis_change, as `coriolis` of the world has it. */
static inline double dls_coriolis_theta(const dls_world_def *world)
{
    return world->coriolis == DLS_CORIOLIS_IMPLICIT ? 1.0 : world->coriolis == DLS_CORIOLIS_SEMI_IMPLICIT ? 0.5 : 0.0;
}
/* h times the gyroscopic torques of bodies and the Coriolis and centrifugal forces of articulations, as the world has
 * them; nv entries. [N s, N m s] */
void dls_turning_impulses(const dls_configuration *configuration, double h, double *impulse);

#endif
