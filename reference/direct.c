#include "delassus/reference.h"

#include <string.h>

#define SOLVER(name) extern const dls_solver dls_solver_##name;
#include "direct.def"
#undef SOLVER
const dls_solver *const dls_direct_solvers[] = {
#define SOLVER(name) &dls_solver_##name,
#include "direct.def"
#undef SOLVER
    NULL};

const dls_solver *dls_direct_find(const char *name)
{
    for (size_t i = 0; dls_direct_solvers[i]; i++)
        if (strcmp(dls_direct_solvers[i]->name, name) == 0)
            return dls_direct_solvers[i];
    return NULL;
}
