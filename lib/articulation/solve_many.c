/* M^-1 of several right-hand sides at once on deep trees (mimic-joints, equation (15)).
 *
 * In the articulated-body algorithm each link waits for its neighbour, so one right-hand side leaves the processor idle
 * most of the time. Eight go through the tree together, in the lanes of two vectors.
 */
#include "config.h"

#include "parts.h"

#include <string.h>

enum { LANES = 4, HALVES = DLS_ARTICULATION_LANES / LANES };
typedef double vec __attribute__((vector_size(8 * LANES)));
typedef struct lanes6 {
    vec half[HALVES][6];
} lanes6;
typedef struct lanes1 {
    vec half[HALVES];
} lanes1;

/* Loops of constant length over registers must be unrolled, or their arrays would be in memory. */
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define UNROLL _Pragma("GCC unroll 8")
#else
#define UNROLL
#endif

#define NAME(x) x##_plain
#define TARGET
#include "solve_lanes.h"
#ifdef HAVE_TARGET_ATTRIBUTE
#define NAME(x) x##_avx2
#define TARGET __attribute__((target("avx2")))
#include "solve_lanes.h"
#endif

/* One past the last link that any right-hand side acts on. */
static size_t end_of(const dls_articulation *art, size_t count, const double *const *x)
{
    for (size_t k = art->nv; k-- > 0;)
        for (size_t lane = 0; lane < count; lane++)
            if (x[lane][k] != 0.0)
                return art->dof_link[k] + 1;
    return 0;
}

static void solve_lanes(dls_articulation_work *work, size_t count, const double *const *x, double *const *y)
{
    const double *all[DLS_ARTICULATION_LANES];
    for (size_t lane = 0; lane < DLS_ARTICULATION_LANES; lane++)
        all[lane] = x[lane < count ? lane : 0];
    size_t end = end_of(work->articulation, count, x);
    DLS_WIDEST(solve)(work, end, count, all, y);
}

void dls_articulation_solve_many(dls_articulation_work *work, size_t count, const double *const *x, double *const *y)
{
    const size_t at_once = work->articulation->inside->n_response ? 1 : DLS_ARTICULATION_LANES;
    for (size_t i = 0; i < count; i += at_once) {
        size_t lanes = count - i < at_once ? count - i : at_once;
        if (lanes == 1)
            dls_articulation_solve(work, x[i], y[i]);
        else
            solve_lanes(work, lanes, x + i, y + i);
    }
}
