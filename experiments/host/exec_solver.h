/* exec_solver.h - another program as a solver. Not installed. */
#ifndef DLS_EXPERIMENTS_EXEC_SOLVER_H
#define DLS_EXPERIMENTS_EXEC_SOLVER_H

#include "delassus/experiments.h"

extern const char dls_exec_prefix[]; /* "exec:" */
/* A choice whose solver is the shell's command; it owns its descriptor, which dls_choice_release frees with it. */
dls_status dls_exec_choose(const char *command, dls_choice *choice, dls_error *error);

#endif
