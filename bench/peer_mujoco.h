/* peer_mujoco.h - the shared part of the programs for MuJoCo. */
#ifndef DELASSUS_BENCH_PEER_MUJOCO_H
#define DELASSUS_BENCH_PEER_MUJOCO_H

#include "peer.h"

#include <mujoco/mujoco.h>

/* The model of a text, URDF or MJCF, under a name with that ending; NULL: it was refused, or no memory. */
mjModel *bench_mujoco_load(const char *name, const char *text, size_t size);

#endif
