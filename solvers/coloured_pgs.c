/* Coloured projected Gauss-Seidel: the sweep of pgs.c in several threads.
 *
 * Groups of rows get colours, so that no two of one colour move the same body (schedule.c); static bodies do not count.
 * Groups of one colour commute: they are swept at the same time, in any order, with the same result to the last bit. A
 * sweep takes one colour after the other, and the threads wait for each other in between. So the iterates are those of
 * projected Gauss-Seidel over the rows in the order of their colours, whatever the number of threads, and have its
 * convergence and its rate, the spectral radius of 1 - (D / omega + L)^-1 A for the reordered A (dls_rate_predict of the
 * problem that dls_problem_reorder makes). The order is no property of the settings alone, so that the descriptor has no
 * splitting. In general it is a bad order: corrections pass a chain by a few bodies per sweep in either direction, where
 * the order of the rows passes all of it in one.
 *
 * The number of colours is about the largest number of groups on one body, and each costs one wait: a body with many
 * neighbours, and rows of the matrix form, leave little to do at the same time. Problems below 3,000 rows are swept by
 * one thread.
 */
#include "sweeper.h"

#ifdef _OPENMP
#include <omp.h>
#endif

typedef struct settings {
    dls_sweeper_settings sweeper;
    size_t threads;
} settings;

enum { THREADS_MAX = 256 };

static const dls_field fields[] = {
    DLS_OMEGA_FIELD("1", "relaxation factor; 1: each row is solved exactly in its turn"),
    {"threads", "", DLS_FIELD_COUNT, offsetof(settings, threads), "0", 0, THREADS_MAX, false, NULL,
     "number of threads; 0: as many as OpenMP uses; the impulses do not depend on it"},
};

static size_t coloured_threads(size_t asked)
{
#ifdef _OPENMP
    const size_t usual = (size_t)omp_get_max_threads();
#else
    const size_t usual = 1;
#endif
    const size_t threads = asked ? asked : usual;
    return threads < THREADS_MAX ? threads : THREADS_MAX;
}

static dls_status coloured_open(const dls_problem *problem, const void *set, const double *lambda0, void **work,
                                dls_error *error)
{
    const settings *s = set;
    const dls_kit_plan plan = {
        .size = sizeof(dls_kit), .omega = s->sweeper.omega, .threads = coloured_threads(s->threads)};
    return dls_kit_open(&plan, problem, lambda0, work, error);
}

const dls_solver dls_solver_coloured_pgs = {
    .name = "coloured-pgs",
    .summary = "projected Gauss-Seidel in several threads, colour by colour",
    .source = "L. M. Adams and J. M. Ortega, A multi-color SOR method for parallel computation, 1982; E. Catto, Box3D, "
              "constraint graph",
    DLS_KIT_MEMBERS,
    .accepts = DLS_SWEEPER_ACCEPTS,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = coloured_open,
    .iterate = dls_sweeper_forward,
};
