#include "delassus/solvers.h"

#include <string.h>

#define SOLVER(name) extern const dls_solver dls_solver_##name;
#include "solvers.def"
#undef SOLVER
const dls_solver *const dls_iterative_solvers[] = {
#define SOLVER(name) &dls_solver_##name,
#include "solvers.def"
#undef SOLVER
    NULL};

const dls_solver *dls_iterative_find(const char *name)
{
    for (size_t i = 0; dls_iterative_solvers[i]; i++)
        if (strcmp(dls_iterative_solvers[i]->name, name) == 0)
            return dls_iterative_solvers[i];
    return NULL;
}
