/* host.h - solvers that are not called directly. Not installed.
 *
 * THE ROOM. Everything between the name of a solver and the solver: the table of ours, peers, shared objects of others,
 * programs that are told a problem, the separate process and its time limit. A way to reach a solver that this library
 * does not have may enter, with its processes and pipes (child.h, which knows no solver). A method (solvers/,
 * reference/), an adapter of another library (solvers/peers/) and a judgement of answers (solve/) may not.
 * Schemes and joint types from shared objects are loaded here too.
 * Public in delassus/experiments.h: dls_choice and its functions, dls_scheme_choose, dls_joint_types_load. */
#ifndef DLS_EXPERIMENTS_HOST_H
#define DLS_EXPERIMENTS_HOST_H

#include "delassus/experiments.h"

/* --- the pace of a solve (pace.c) --- */

/* The number of iterations from the `done`th, which is examined, to the next one that is, for n rows: a quarter of
 * those before it, at least 1. It depends on nothing else: a solve ends at the same iterate on every machine. */
size_t dls_examination_interval(size_t done, size_t n);

/* The least time of the solver alone [s] in nine solves of at most `iterations`, or in fewer where these take longer
 * than dls_short_solve; infinite without memory. lambda0: n impulses to start from. */
extern const double dls_short_solve; /* [s] */
double dls_seconds_again(const dls_solver *solver, const void *settings, const dls_problem *problem,
                         const double *lambda0, size_t iterations);

/* --- a separate process, which is killed at a time limit (separate_solver.c) --- */

/* A choice of a solver of a shared object, in a separate process, or in this one if `ours` is true. It has default
 * settings, and closes the object when it is released; after a failure the object is closed too. */
dls_status dls_separate_choose(const dls_solver *real, void *object, bool ours, dls_choice *choice, dls_error *error);
/* Moves a choice that runs in this process to a separate one. Its settings are kept, and "seconds" is added to them. */
dls_status dls_separate_move(dls_choice *choice, dls_error *error);
/* dls_seconds_again in a process of its own, for a choice that runs in a separate process; infinite where it ends, or
 * takes more than a second. */
double dls_separate_seconds_again(const dls_choice *choice, const dls_problem *problem, const double *lambda0,
                                  size_t iterations);
/* Releases choice->separate, its settings and the shared object. */
void dls_separate_release(void *separate);

/* --- another program (exec_solver.c) --- */

extern const char dls_exec_prefix[]; /* "exec:" */
/* A choice whose solver is the shell's command; it owns its descriptor, which dls_choice_release frees with it. */
dls_status dls_exec_choose(const char *command, dls_choice *choice, dls_error *error);

/* --- shared objects (plugin.c, plugin_solver.c) --- */

/* Whether a name is the path of a shared object: it has a '/'. */
bool dls_is_plugin(const char *name);
/* Loads a shared object and finds its symbol, which the macro declares; NULL after a failure, with the object closed.
 * *object is to be closed by dlclose. */
const void *dls_plugin_open(const char *path, const char *symbol, const char *macro, void **object, dls_error *error);
/* Closes the object after a failure that concerns its descriptors: it was compiled for other headers, or a descriptor
 * lacks a member of the list `members`. */
dls_status dls_plugin_outdated(const char *path, void *object, dls_error *error);
dls_status dls_plugin_incomplete(const char *path, void *object, const char *members, dls_error *error);
/* Splits "PATH" or "PATH:NAME": writes the path into path[DLS_PATH_MAX], and returns the name, "" if there is none. */
const char *dls_plugin_split(const char *text, char *path);
/* The index of the descriptor of that name, or with the name "" of the only one; DLS_NONE after an error, which calls
 * the descriptors "solvers" or the like. name_at returns NULL after the last. */
size_t dls_plugin_find(const char *path, const char *name, const char *plural,
                       const char *(*name_at)(const void *context, size_t i), const void *context, dls_error *error);
/* The plugin of a shared object, checked; NULL after a failure. *object is to be closed by dlclose. */
const dls_plugin *dls_plugin_load(const char *path, void **object, dls_error *error);
/* "PATH", or "PATH:NAME" where it has several solvers, in a process of its own; "inside:" before it: in ours. */
dls_status dls_plugin_choose(const char *name, dls_choice *choice, dls_error *error);

/* --- peers: solvers of other projects, by their names (peer_solver.c) --- */

/* Whether there is a peer of that name, built or not; "inside:" may stand before it. */
bool dls_is_peer(const char *name);
/* A peer, which dls_is_peer knows. DLS_UNAVAILABLE, with the library that it needs, where it was not built. */
dls_status dls_peer_choose(const char *name, dls_choice *choice, dls_error *error);

#endif
