/* M^-1 of several right-hand sides at once on deep trees (mimic-joints, equation (15)).
 *
 * In the articulated-body algorithm each link waits for its neighbour, so one right-hand side leaves the processor idle
 * most of the time. As many as two vectors have lanes go through the tree together.
 */
#include "config.h"

#include "parts.h"

#include <string.h>

/* True if a link has children besides the one after it: they are reached through memory. */
static inline bool branches(const dls_articulation *art, size_t i)
{
    const dls_link *links = art->links;
    return i + 1 < links[i].subtree_end && links[i + 1].subtree_end < links[i].subtree_end;
}

#define NAME(x) x##_plain
#define TARGET
#define LANES 4
#include "solve_lanes.h"
#ifdef HAVE_TARGET_ATTRIBUTE
#define NAME(x) x##_avx2
#define TARGET __attribute__((target("avx2")))
#define LANES 4
#include "solve_lanes.h"
#define NAME(x) x##_avx512
#define TARGET __attribute__((target("avx512f")))
#define LANES 8
#include "solve_lanes.h"
#endif

static bool all_zero(const double *x, size_t n)
{
    double sizes = 0.0;
    for (size_t k = 0; k < n; k++)
        sizes += fabs(x[k]);
    return sizes == 0.0;
}

/* One right-hand side a lane. Returns one past the last link that any of them acts on. */
static size_t to_lanes(const dls_articulation *art, size_t width, size_t count, const double *const *x, double *lanes)
{
    size_t end = 0;
    memset(lanes, 0, width * art->nv * sizeof *lanes);
    for (size_t lane = 0; lane < count; lane++)
        for (size_t k = 0; k < art->nv; k++) {
            while (k + 4 <= art->nv && all_zero(x[lane] + k, 4))
                k += 4;
            if (k < art->nv && x[lane][k] != 0.0) {
                lanes[width * k + lane] = x[lane][k];
                end = k < end ? end : k + 1;
            }
        }
    return end ? art->dof_link[end - 1] + 1 : 0;
}

static void from_lanes(size_t n, size_t width, size_t count, const double *lanes, double *const *y)
{
    for (size_t lane = 0; lane < count; lane++)
        for (size_t k = 0; k < n; k++)
            y[lane][k] = lanes[width * k + lane];
}

static void solve_lanes(dls_articulation_work *work, size_t width, size_t count, const double *const *x,
                        double *const *y)
{
    const dls_articulation *art = work->articulation;
    double *lanes = work->inside->lanes + 6 * width * art->n_links;
    DLS_WIDEST_OF_THREE(solve)(work, to_lanes(art, width, count, x, lanes), lanes);
    from_lanes(art->nv, width, count, lanes, y);
}

void dls_articulation_solve_many(dls_articulation_work *work, size_t count, const double *const *x, double *const *y)
{
    const size_t width = DLS_WIDEST_OF_THREE(width);
    const size_t at_once = work->articulation->inside->n_response ? 1 : width;
    for (size_t i = 0; i < count; i += at_once) {
        size_t lanes = count - i < at_once ? count - i : at_once;
        if (lanes == 1)
            dls_articulation_solve(work, x[i], y[i]);
        else
            solve_lanes(work, width, lanes, x + i, y + i);
    }
}
