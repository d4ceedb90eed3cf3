/* Setting up, per part [us]; the peer is the same at n / 2, so a ratio of 1 is a time linear in n.
 *   model-create   a scene of n bodies on n ball joints through the public door, compiled into a model, and destroyed
 *   robot-fixed    a robot of n links in URDF, each fixed to the one before: read, compiled, and for every link whether
 *                  it moves
 *   spline-smooth, spline-sharp   a spline through n points of a helix, and of a zigzag with sharp bends */
#include "bench.h"
#include "scenes.h"

#include "delassus/curve.h"
#include "delassus/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 3 };

static dls_status create_models(size_t n, double *per_body, dls_error *error)
{
    *per_body = INFINITY;
    for (int k = 0; k < REPEATS; k++) {
        bench_scene *scene;
        double start = bench_clock();
        DLS_TRY(bench_grid(1, n, &scene, error));
        bench_scene_destroy(scene);
        *per_body = fmin(*per_body, 1e6 * bench_since(start) / (double)n);
    }
    return DLS_OK;
}

static dls_status read_robot(const char *text, size_t size, dls_error *error)
{
    dls_scene *scene;
    dls_model *model = NULL;
    DLS_TRY(dls_scene_parse(text, size, "robot", &scene, error));
    dls_status status = dls_model_create(scene, &model, error);
    for (size_t i = 0, moving = 0; status == DLS_OK && i < dls_model_count(model).ends; i++)
        if (dls_model_moves(model, i) && moving++ > 0)
            status = dls_fail(error, DLS_BAD_INPUT, "more than one link of the robot moves");
    dls_model_destroy(model);
    dls_scene_destroy(scene);
    return status;
}

static dls_status robot(size_t n, double *per_link, dls_error *error)
{
    static const char inertial[] = "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
                                   "izz='1'/></inertial>";
    const size_t room = 200 * n + 1000;
    char *text = malloc(room);
    if (!text)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a robot of %zu links", n);
    size_t used = (size_t)snprintf(text, room, "<robot name='r'><link name='l0'/>\n");
    for (size_t i = 1; i <= n; i++)
        used += (size_t)snprintf(text + used, room - used,
                                 "<link name='l%zu'>%s</link><joint name='j%zu' type='%s'><parent link='l%zu'/>"
                                 "<child link='l%zu'/></joint>\n",
                                 i, i < n ? "" : inertial, i, i < n ? "fixed" : "continuous", i - 1, i);
    used += (size_t)snprintf(text + used, room - used, "</robot>");
    dls_status status = DLS_OK;
    *per_link = INFINITY;
    for (int k = 0; k < REPEATS && status == DLS_OK; k++) {
        double start = bench_clock();
        status = read_robot(text, used, error);
        *per_link = fmin(*per_link, 1e6 * bench_since(start) / (double)n);
    }
    free(text);
    return status;
}

static dls_status spline(size_t n, bool sharp, double *per_point, dls_error *error)
{
    dls_curve_def def;
    dls_status status = dls_curve_default(&def, "spline", error);
    for (size_t i = 0; status == DLS_OK && i < n; i++) {
        const double x = (double)i;
        status = dls_curve_add_point(
            &def, sharp ? dls_v3(x, (double)(i % 2), 0) : dls_v3(9 * cos(x / 9), 9 * sin(x / 9), x), error);
    }
    *per_point = INFINITY;
    for (int k = 0; k < REPEATS && status == DLS_OK; k++) {
        dls_curve *curve;
        double start = bench_clock();
        status = dls_curve_create(&def, &curve, error);
        dls_curve_destroy(curve);
        *per_point = fmin(*per_point, 1e6 * bench_since(start) / (double)n);
    }
    dls_curve_def_release(&def);
    return status;
}

static dls_status smooth(size_t n, double *per_point, dls_error *error) { return spline(n, false, per_point, error); }
static dls_status zigzag(size_t n, double *per_point, dls_error *error) { return spline(n, true, per_point, error); }

static const struct {
    const char *name, *unit;
    dls_status (*measure)(size_t n, double *per_part, dls_error *error);
    size_t quick, n; /* the smallest of the three sizes */
} set_ups[] = {{"model-create", "us/body", create_models, 500, 50000},
               {"robot-fixed", "us/link", robot, 500, 10000},
               {"spline-smooth", "us/point", smooth, 500, 10000},
               {"spline-sharp", "us/point", zigzag, 500, 10000}};

dls_status bench_models(bench *b, dls_error *error)
{
    for (size_t k = 0; k < sizeof set_ups / sizeof set_ups[0]; k++) {
        const size_t first = b->quick ? set_ups[k].quick : set_ups[k].n;
        double half, whole;
        DLS_TRY(set_ups[k].measure(first, &half, error));
        for (size_t n = 2 * first; n <= 4 * first; n *= 2) {
            DLS_TRY(set_ups[k].measure(n, &whole, error));
            bench_add(b, set_ups[k].name, n, whole, set_ups[k].unit, "half", half);
            half = whole;
        }
    }
    return DLS_OK;
}
