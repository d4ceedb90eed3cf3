/* The measures of a film's frames, where closed forms have them: energies, depths and forces of a box at rest; numbers
 * that are not there, that are not finite, and forces without an arrow; the scale of arrows. */
#include "check.h"

#include "picture/picture.h"

#include <float.h>
#include <jansson.h>
#include <string.h>

typedef struct stage {
    dls_scene *scene;
    dls_model *model;
    dls_simulation *s;
    dls_film *film;
} stage;

static const char gravity[] = "[0, 0, -10]", none[] = "[0, 0, 0]";

/* A cube of 2 kg with a side of 1 m that is 10 mm deep in the floor, where it stays, moves down at 3 m/s, and is pushed
 * down by 8 N; and a rod of 1 kg whose two ball joints hold the same point. */
static void open_stage(stage *of, const char *g)
{
    char text[1024];
    dls_error error;
    dls_simulation_options options = dls_simulation_default();
    snprintf(text, sizeof text,
             "world: {gravity: %s, collide: true, mu: 0, contact_erp: 0, step: 1 ms}\nbodies:\n"
             "  - {name: floor, shape: plane, static: true}\n"
             "  - {name: box, shape: box, size: [1, 1, 1], mass: 2, position: [0, 0, 0.49], velocity: [0, 0, -3], "
             "force: [0, 0, -8]}\n"
             "  - {name: rod, shape: cylinder, radius: 0.1, length: 1, mass: 1, position: [5, 0, 5]}\n"
             "joints:\n  - {name: a, type: ball, body1: rod, anchor: [5, 0, 5]}\n"
             "  - {name: b, type: ball, body1: rod, anchor: [5, 0, 5]}\n",
             g);
    assert_status(dls_scene_parse(text, strlen(text), "stage", &of->scene, &error), &error);
    assert_status(dls_model_create(of->scene, &of->model, &error), &error);
    options.solver = dls_solver_find("pgs");
    assert_status(dls_simulation_open(of->model, &options, &of->s, &error), &error);
    assert_status(dls_film_create("stage", "", &of->film, &error), &error);
    assert_status(dls_film_take(of->film, of->s, false, NULL, &error), &error);
}

static void close_stage(stage *of)
{
    dls_film_destroy(of->film);
    dls_simulation_close(of->s);
    dls_model_destroy(of->model);
    dls_scene_destroy(of->scene);
}

/* A step whose impulses are multiplied by `factor` before the frame is taken. */
static const dls_film_frame *take_step(stage *of, double factor)
{
    dls_error error;
    assert_status(dls_simulation_step(of->s, 1e-3, &error), &error);
    double *impulses = (double *)dls_simulation_impulses(of->s);
    for (size_t i = 0; i < dls_simulation_problem(of->s)->n; i++)
        impulses[i] *= factor;
    assert_status(dls_film_take(of->film, of->s, true, NULL, &error), &error);
    return &of->film->frames[of->film->n_frames - 1];
}

/* The largest number in the last frame among those that nodes of the film as glTF have under `key`. All numbers of the
 * file are finite. */
static double last_of(const dls_film *film, const char *key)
{
    unsigned char *bytes;
    size_t size;
    dls_error error;
    json_error_t why;
    double value = -HUGE_VAL;
    assert_status(dls_gltf_bytes(film, &bytes, &size, &error), &error);
    const size_t length = bytes[12] + 256u * bytes[13] + 65536u * bytes[14];
    json_t *json = json_loadb((const char *)bytes + 20, length, 0, &why), *node;
    const json_t *accessors = json_object_get(json, "accessors"), *views = json_object_get(json, "bufferViews");
    const float *binary = (const float *)(const void *)(bytes + 28 + length);
    size_t i;
    assert_non_null(json);
    for (size_t k = 0; k < (size - 28 - length) / 4; k++)
        assert_true(isfinite(binary[k]));
    json_array_foreach(json_object_get(json, "nodes"), i, node)
    {
        const json_t *at = json_object_get(json_object_get(node, "extras"), key);
        if (!at)
            continue;
        const json_t *accessor = json_array_get(accessors, (size_t)json_integer_value(at));
        const json_t *view = json_array_get(views, (size_t)json_integer_value(json_object_get(accessor, "bufferView")));
        const size_t start = (size_t)json_integer_value(json_object_get(view, "byteOffset")) / 4;
        value = fmax(value, (double)binary[start + film->n_frames - 1]);
    }
    json_decref(json);
    free(bytes);
    return value;
}

TEST(test_closed_forms)
{
    stage of;
    dls_error error;
    open_stage(&of, gravity);
    const double *m = of.film->frames[0].measure;
    assert_close(m[DLS_FILM_KINETIC], 9.0, 1e-15);
    assert_close(m[DLS_FILM_POTENTIAL], 2.0 * 10.0 * 0.49 + 1.0 * 10.0 * 5.0, 1e-13);
    assert_true(m[DLS_FILM_RESIDUAL] == dls_film_none);
    assert_true(m[DLS_FILM_FORCE] == dls_film_none); /* there was no step, and there are no forces */
    double held = 0.0;
    const dls_film_frame *at = take_step(&of, 1.0);
    assert_int_equal(at->n_arrows, 4);
    for (size_t k = 0; k < at->n_arrows; k++)
        held += of.film->arrows[at->arrow + k].force.z;
    const double v = dls_simulation_state(of.s)->v[dls_model_bodies(of.model)[1].offset + 2];
    assert_close(held / (2.0 * ((v + 3.0) / 1e-3 + 10.0) + 8.0), 1.0, 1e-12); /* m (v - v0) = h (F - m g - 8 N) */
    assert_true(at->measure[DLS_FILM_FORCE] >= held / 4.0);
    assert_true(at->measure[DLS_FILM_RESIDUAL] >= 0.0);
    assert_close(at->measure[DLS_FILM_DEPTH], 0.01, 1e-6);
    assert_status(dls_film_finish(of.film, &error), &error);
    assert_close(last_of(of.film, "force") / at->measure[DLS_FILM_FORCE], 1.0, 1e-7);
    close_stage(&of);
}

/* A residual that cannot be computed is neither hidden behind that of another row nor told as none. */
TEST(test_not_a_number)
{
    static const double factors[] = {NAN, HUGE_VAL};
    for (size_t k = 0; k < 2; k++) {
        stage of;
        dls_error error;
        open_stage(&of, gravity);
        assert_true(isfinite(take_step(&of, 1.0)->measure[DLS_FILM_RESIDUAL]));
        const dls_film_frame *at = take_step(&of, factors[k]);
        assert_true(!isfinite(at->measure[DLS_FILM_RESIDUAL]));
        assert_true(!isfinite(at->measure[DLS_FILM_FORCE]));
        assert_int_equal(at->n_errors, 2);
        for (size_t j = 0; j < 2; j++)
            assert_true(!isfinite(of.film->residuals[at->error + j]));
        assert_status(dls_film_finish(of.film, &error), &error);
        assert_true(last_of(of.film, "residual") == (double)FLT_MAX);
        close_stage(&of);
    }
}

/* One row that is not a number, wherever it stands among those of its owner. */
TEST(test_one_row)
{
    for (size_t row = 0; row < 3; row++) {
        stage of;
        dls_error error;
        dls_row_force force = {.owner = DLS_NONE};
        open_stage(&of, gravity);
        assert_status(dls_simulation_step(of.s, 1e-3, &error), &error);
        size_t i = 0;
        for (size_t found = 0; force.owner != 0 || found <= row; i++) {
            assert_status(dls_simulation_row(of.s, i, &force, &error), &error);
            found += force.owner == 0;
        }
        ((double *)dls_simulation_impulses(of.s))[i - 1] = NAN;
        assert_status(dls_film_take(of.film, of.s, true, NULL, &error), &error);
        assert_true(!isfinite(of.film->residuals[of.film->frames[1].error]));
        close_stage(&of);
    }
}

/* A force that is too large for an arrow is the largest force all the same. */
TEST(test_force_without_arrow)
{
    stage of;
    open_stage(&of, gravity);
    const dls_film_frame *at = take_step(&of, 1e30);
    assert_int_equal(at->n_arrows, 0);
    assert_true(at->measure[DLS_FILM_FORCE] > 1e30 && isfinite(at->measure[DLS_FILM_FORCE]));
    close_stage(&of);
}

/* Without gravity the largest force that is shown is a third of the picture's size: of the frames that are kept. */
TEST(test_scale_of_arrows)
{
    for (int keep = 0; keep < 2; keep++) {
        stage of;
        dls_error error;
        double longest = 0.0;
        open_stage(&of, none);
        take_step(&of, 1000.0);
        const dls_film_frame *at = take_step(&of, 1.0);
        assert_true(at->measure[DLS_FILM_FORCE] > 0.0);
        if (keep)
            dls_film_keep_last(of.film);
        assert_status(dls_film_finish(of.film, &error), &error);
        for (size_t k = 0; k < of.film->n_frames; k++)
            for (size_t i = 0; i < of.film->frames[k].n_arrows; i++) {
                double length;
                dls_arrow_pose(of.film, &of.film->arrows[of.film->frames[k].arrow + i], &length);
                longest = fmax(longest, length);
            }
        assert_close(longest / of.film->size, 1.0 / 3.0, 1e-14);
        close_stage(&of);
    }
}
