/* Proof that a problem with friction has several solutions.
 *
 * Each found solution gets a proved radius r around its impulses within which a solution exists (dls_certify). Two of
 * them are different solutions if the largest difference of their impulses exceeds the sum of their radii. The
 * difference is rounded, by less than 2^-51 of itself. */
#include "collection/answer.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { LARGEST = 24 }; /* rows */

static double distance_between(size_t n, const double *one, const double *other)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(one[i] - other[i]));
    return largest * (1.0 - 4.0 * DBL_EPSILON);
}

/* The number of found solutions that are apart from all before them; radius[k] is infinite without a proof. */
static size_t count_apart(size_t n, const dls_velocities *found, double *radius)
{
    size_t count = 0;
    for (size_t k = 0; k < found->count; k++) {
        for (size_t j = 0; j < k && !isinf(radius[k]); j++)
            if (!isinf(radius[j]) &&
                !(distance_between(n, found->lambda + k * n, found->lambda + j * n) > radius[k] + radius[j]))
                radius[k] = HUGE_VAL;
        count += !isinf(radius[k]);
    }
    return count;
}

static dls_status prove_radii(const dls_problem *p, const dls_velocities *found, double *radius, dls_error *error)
{
    for (size_t k = 0; k < found->count; k++) {
        dls_bounds bounds;
        const dls_status status = dls_certify(p, found->lambda + k * p->n, &bounds, error);
        radius[k] = status == DLS_OK && bounds.kind >= DLS_BOUNDS_EXISTS ? bounds.lambda : HUGE_VAL;
        dls_bounds_release(&bounds);
        DLS_TRY(status);
    }
    return DLS_OK;
}

dls_status dls_answer_count(const dls_problem *p, size_t *count, dls_error *error)
{
    dls_examiner *examiner;
    dls_velocities found = {.count = 0};
    *count = 0;
    if (p->n_coupled == 0 || p->n > LARGEST)
        return DLS_OK;
    DLS_TRY(dls_examiner_create(p, &examiner, error));
    dls_status status = dls_velocities_find(p, examiner, DLS_SOLVED_TOLERANCE, &found, error);
    double *radius = status == DLS_OK ? calloc(found.count + 1, sizeof *radius) : NULL;
    if (status == DLS_OK)
        status = radius ? prove_radii(p, &found, radius, error)
                        : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu solutions", found.count);
    if (status == DLS_OK)
        *count = count_apart(p->n, &found, radius);
    free(radius);
    dls_velocities_release(&found);
    dls_examiner_destroy(examiner);
    return status;
}
