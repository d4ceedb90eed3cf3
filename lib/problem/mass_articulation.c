/* The joint-space inertia of an articulation as a block of the mass operator, M^-1 and M without a matrix. */
#include "delassus/mass.h"

static void articulation_multiply(const void *data, const double *x, double *y)
{
    dls_articulation_multiply(*(dls_articulation_work *const *)data, x, y);
}

static void articulation_solve(const void *data, const double *x, double *y)
{
    dls_articulation_solve(*(dls_articulation_work *const *)data, x, y);
}

static void articulation_solve_many(const void *data, size_t count, const double *const *x, double *const *y)
{
    dls_articulation_solve_many(*(dls_articulation_work *const *)data, count, x, y);
}

static void articulation_half(const void *data, const double *y, double *z)
{
    dls_articulation_half(*(dls_articulation_work *const *)data, y, z);
}

const dls_mass_kind dls_mass_articulation_kind = {"articulation", articulation_multiply, articulation_solve,
                                                  articulation_solve_many, articulation_half};
