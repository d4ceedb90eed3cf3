/* The table of iterative methods.
 *
 * This folder has one file per method and the kit below them (solver_kit.h): work that is kept from problem to problem,
 * packed rows (packing.h) and rows one by one (response.h), residuals, products, projections and the law of one
 * contact. Methods include the kit and lib, never each other; no file knows joints, scenes or schemes, nor the
 * reference path, which shares no code with it. Libraries of others are in peers/. */
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
