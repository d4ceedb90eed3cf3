/* peer_solver.h - peers, which are solvers of other projects, by their names. Not installed. */
#ifndef DLS_EXPERIMENTS_PEER_SOLVER_H
#define DLS_EXPERIMENTS_PEER_SOLVER_H

#include "delassus/experiments.h"

/* Whether there is a peer of that name, built or not; "inside:" may stand before it. */
bool dls_is_peer(const char *name);
/* A peer, which dls_is_peer knows. DLS_UNAVAILABLE, with what it needs, where it was not built. */
dls_status dls_peer_choose(const char *name, dls_choice *choice, dls_error *error);

#endif
