/* Setting up: a scene of n bodies on n ball joints through the public door, compiled into a model, and destroyed.
 *   model-create   per body and joint [us]; the peer is the same at n / 2, so a ratio of 1 is a time linear in n */
#include "bench.h"
#include "scenes.h"

#include <math.h>

enum { REPEATS = 3 };

static dls_status create(size_t n, double *per_body, dls_error *error)
{
    *per_body = INFINITY;
    for (int k = 0; k < REPEATS; k++) {
        bench_scene *scene;
        double start = bench_clock();
        DLS_TRY(bench_grid(1, n, &scene, error));
        bench_scene_destroy(scene);
        *per_body = fmin(*per_body, 1e6 * (bench_clock() - start) / (double)n);
    }
    return DLS_OK;
}

dls_status bench_models(bench *b, dls_error *error)
{
    double half, whole;
    DLS_TRY(create(b->quick ? 500 : 50000, &half, error));
    for (size_t n = b->quick ? 1000 : 100000, last = 2 * n; n <= last; n *= 2) {
        DLS_TRY(create(n, &whole, error));
        bench_add(b, "model-create", n, whole, "us/body", "half", half);
        half = whole;
    }
    return DLS_OK;
}
