/* Pictures of runs: glTF files by their structure, poses against the tables of the same run, colours of joint
 * errors, contact forces against the weight that they hold, what hides what, parts that come and go, poses without
 * bounds; visuals of links and files of meshes. */
#define _XOPEN_SOURCE 700

#include "check.h"

#include "picture/picture.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "test_pictures.XXXXXX";

/* --- runs --- */

typedef struct shot {
    dls_scene *scene;
    dls_model *model;
    dls_film *film;
    dls_run_result result;
} shot;

static void read_scene(shot *s, const char *name)
{
    char path[DLS_PATH_MAX];
    dls_content content;
    dls_error error;
    if (strcmp(name, "lamp") == 0)
        snprintf(path, sizeof path, "%s/models/lamp.urdf", getenv("DLS_TEST_SOURCE"));
    else
        snprintf(path, sizeof path, "%s/scenes/%s.yaml", getenv("DLS_TEST_SOURCE"), name);
    assert_status(dls_file_load(path, NULL, &content, &error), &error);
    s->scene = content.scene;
    assert_status(dls_model_create(s->scene, &s->model, &error), &error);
}

/* So many steps of a scene, with tables where `silent` is false. */
static void take_shot(shot *s, const char *name, const char *solver, size_t steps, bool silent)
{
    const dls_job job = {.output = folder, .command = "test_pictures"};
    dls_run run = {.stem = name, .scheme = dls_schemes[0], .examine = DLS_EXAMINE_NEVER, .silent = silent};
    dls_settings settings;
    dls_error error;
    read_scene(s, name);
    assert_status(dls_settings_create(&run.scheme->fields, &settings, &error), &error);
    run.scheme_settings = settings.values;
    run.model = s->model, run.scene = s->scene;
    run.step = dls_model_world(s->model)->step, run.duration = run.step * (double)steps;
    assert_status(dls_fields_default(&dls_warm_fields, &run.warm, &error), &error);
    assert_status(dls_choice_create(solver, &run.choice, &error), &error);
    assert_status(dls_film_create(name, "a <note> & more", &s->film, &error), &error);
    run.film = s->film;
    assert_status(dls_run_trajectory(&job, &run, &s->result, &error), &error);
    assert_status(dls_film_finish(s->film, &error), &error);
    dls_settings_release(&settings);
    dls_choice_release(&run.choice);
}

static void release(shot *s)
{
    dls_film_destroy(s->film);
    dls_model_destroy(s->model);
    dls_scene_destroy(s->scene);
}

/* --- glTF --- */

typedef struct file {
    unsigned char *bytes;
    const unsigned char *binary;
    size_t size;
    json_t *json;
} file;

static uint32_t word(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}
static float real(const unsigned char *at)
{
    const uint32_t bits = word(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static size_t number(const json_t *object, const char *key)
{
    assert_true(json_is_integer(json_object_get(object, key)));
    return (size_t)json_integer_value(json_object_get(object, key));
}
static json_t *member(const file *f, const char *array, size_t k)
{
    json_t *found = json_array_get(json_object_get(f->json, array), k);
    assert_non_null(found);
    return found;
}

/* The container: magic, version, and two chunks that fill the length that it says. */
static void open_file(file *f, const dls_film *film)
{
    dls_error error;
    assert_status(dls_gltf_bytes(film, &f->bytes, &f->size, &error), &error);
    assert_memory_equal(f->bytes, "glTF", 4);
    assert_int_equal(word(f->bytes + 4), 2);
    assert_int_equal(word(f->bytes + 8), f->size);
    const size_t length = word(f->bytes + 12), binary = word(f->bytes + 20 + length);
    assert_memory_equal(f->bytes + 16, "JSON", 4);
    assert_memory_equal(f->bytes + 24 + length, "BIN\0", 4);
    assert_int_equal(length % 4, 0);
    assert_int_equal(binary % 4, 0);
    assert_int_equal(28 + length + binary, f->size);
    json_error_t why;
    f->json = json_loadb((const char *)f->bytes + 20, length, 0, &why);
    assert_non_null(f->json);
    f->binary = f->bytes + 28 + length;
    assert_int_equal(number(member(f, "buffers", 0), "byteLength"), binary);
}

static void close_file(file *f)
{
    json_decref(f->json);
    free(f->bytes);
}

static size_t components(const json_t *accessor)
{
    const char *type = json_string_value(json_object_get(accessor, "type"));
    return strcmp(type, "SCALAR") == 0 ? 1 : strcmp(type, "VEC3") == 0 ? 3 : 4;
}

static const unsigned char *data(const file *f, size_t accessor)
{
    return f->binary +
           number(member(f, "bufferViews", number(member(f, "accessors", accessor), "bufferView")), "byteOffset");
}

/* Views lie in the buffer, at multiples of four; accessors fill their views, and their limits are those of the data. */
static void check_accessors(const file *f)
{
    const size_t size = number(member(f, "buffers", 0), "byteLength");
    for (size_t k = 0; k < json_array_size(json_object_get(f->json, "accessors")); k++) {
        const json_t *a = member(f, "accessors", k), *view = member(f, "bufferViews", number(a, "bufferView"));
        const size_t n = components(a), count = number(a, "count"), start = number(view, "byteOffset");
        assert_int_equal(start % 4, 0);
        assert_true(start + number(view, "byteLength") <= size);
        assert_int_equal(number(view, "byteLength"), 4 * n * count);
        assert_true(count > 0);
        for (size_t i = 0; json_object_get(a, "min") && i < n; i++) {
            double low = HUGE_VAL, high = -HUGE_VAL;
            for (size_t j = 0; j < count; j++) {
                low = fmin(low, (double)real(data(f, k) + 4 * (n * j + i)));
                high = fmax(high, (double)real(data(f, k) + 4 * (n * j + i)));
            }
            assert_true(json_real_value(json_array_get(json_object_get(a, "min"), i)) == low);
            assert_true(json_real_value(json_array_get(json_object_get(a, "max"), i)) == high);
        }
    }
}

static void check_meshes(const file *f)
{
    for (size_t k = 0; k < json_array_size(json_object_get(f->json, "meshes")); k++) {
        const json_t *p = json_array_get(json_object_get(member(f, "meshes", k), "primitives"), 0);
        const json_t *attributes = json_object_get(p, "attributes");
        const size_t points = number(member(f, "accessors", number(attributes, "POSITION")), "count");
        assert_true(number(p, "material") < json_array_size(json_object_get(f->json, "materials")));
        if (!json_object_get(p, "indices"))
            continue;
        const size_t indices = number(p, "indices"), n = number(member(f, "accessors", indices), "count");
        assert_int_equal(n % 3, 0);
        for (size_t i = 0; i < n; i++)
            assert_true(word(data(f, indices) + 4 * i) < points);
        const size_t normals = number(attributes, "NORMAL");
        assert_int_equal(number(member(f, "accessors", normals), "count"), points);
        for (size_t i = 0; i < points; i++) {
            const unsigned char *v = data(f, normals) + 12 * i;
            assert_close(hypot(hypot((double)real(v), (double)real(v + 4)), (double)real(v + 8)), 1.0, 1e-6);
        }
    }
}

/* Every node but the first is the child of exactly one. */
static void check_tree(const file *f)
{
    const size_t count = json_array_size(json_object_get(f->json, "nodes"));
    size_t *parents = calloc(count, sizeof *parents);
    assert_non_null(parents);
    for (size_t k = 0; k < count; k++) {
        const json_t *children = json_object_get(member(f, "nodes", k), "children");
        for (size_t i = 0; i < json_array_size(children); i++) {
            const size_t child = (size_t)json_integer_value(json_array_get(children, i));
            assert_true(child < count);
            parents[child]++;
        }
    }
    for (size_t k = 0; k < count; k++)
        assert_int_equal(parents[k], k ? 1 : 0);
    free(parents);
}

static json_t *animation(const file *f) { return json_array_get(json_object_get(f->json, "animations"), 0); }

/* The sampler of a node's property; NULL: it is not animated. */
static json_t *sampler_of(const file *f, size_t node, const char *path)
{
    json_t *channels = json_object_get(animation(f), "channels"), *found = NULL;
    for (size_t k = 0; k < json_array_size(channels); k++) {
        const json_t *channel = json_array_get(channels, k), *target = json_object_get(channel, "target");
        if (number(target, "node") != node || strcmp(json_string_value(json_object_get(target, "path")), path) != 0)
            continue;
        assert_null(found); /* one channel at most */
        found = json_array_get(json_object_get(animation(f), "samplers"), number(channel, "sampler"));
    }
    return found;
}

static void check_animation(const file *f)
{
    const json_t *samplers = json_object_get(animation(f), "samplers");
    for (size_t k = 0; k < json_array_size(samplers); k++) {
        const json_t *s = json_array_get(samplers, k);
        const size_t input = number(s, "input"), n = number(member(f, "accessors", input), "count");
        assert_int_equal(number(member(f, "accessors", number(s, "output")), "count"), n);
        for (size_t i = 1; i < n; i++)
            assert_true(real(data(f, input) + 4 * i) > real(data(f, input) + 4 * (i - 1)));
    }
}

/* The value of a property at a time: that of the last key that is not after it. False: the node says nothing. */
static bool value_at(const file *f, size_t node, const char *path, double time, float *values)
{
    const json_t *sampler = sampler_of(f, node, path), *own = json_object_get(member(f, "nodes", node), path);
    const size_t n = strcmp(path, "rotation") == 0 ? 4 : 3;
    for (size_t i = 0; !sampler && i < n; i++)
        values[i] = own ? (float)json_real_value(json_array_get(own, i)) : 0.0F;
    if (!sampler)
        return own;
    const size_t input = number(sampler, "input"), count = number(member(f, "accessors", input), "count");
    size_t key = 0;
    while (key + 1 < count && real(data(f, input) + 4 * (key + 1)) <= (float)time)
        key++;
    for (size_t i = 0; i < n; i++)
        values[i] = real(data(f, number(sampler, "output")) + 4 * (n * key + i));
    return true;
}

static size_t node_named(const file *f, const char *name)
{
    for (size_t k = 0; k < json_array_size(json_object_get(f->json, "nodes")); k++)
        if (strcmp(json_string_value(json_object_get(member(f, "nodes", k), "name")), name) == 0 &&
            !json_object_get(json_object_get(member(f, "nodes", k), "extras"), "kind"))
            return k;
    fail_msg("there is no node %s", name);
    return 0;
}

/* --- tests --- */

static const char *const scenes[] = {"four-bar", "tendons", "all-joints", "changing",
                                     "railway",  "gripper", "arm-12",     "lamp"};

TEST(test_structure)
{
    for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++) {
        shot s;
        file f;
        take_shot(&s, scenes[k], "pgs", 30, true);
        open_file(&f, s.film);
        check_accessors(&f);
        check_meshes(&f);
        check_tree(&f);
        check_animation(&f);
        close_file(&f);
        release(&s);
    }
}

/* Translations and rotations are, as single-precision numbers, those of the table of bodies. */
static void compare_with_table(const char *name, const file *f)
{
    char path[DLS_PATH_MAX], line[2048], body[2 * DLS_NAME_MAX];
    size_t compared = 0;
    snprintf(path, sizeof path, "%s/%s.trajectory.tsv", folder, name);
    FILE *table = fopen(path, "r");
    assert_non_null(table);
    while (fgets(line, sizeof line, table)) {
        double time, x[3], q[4];
        float translation[3], rotation[4];
        if (sscanf(line, "%lf\t%127[^\t]\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf", &time, body, &x[0], &x[1], &x[2], &q[3],
                   &q[0], &q[1], &q[2]) != 9)
            continue;
        const size_t node = node_named(f, body);
        assert_true(value_at(f, node, "translation", time, translation));
        assert_true(value_at(f, node, "rotation", time, rotation));
        for (int i = 0; i < 3; i++)
            assert_true(translation[i] == (float)x[i]);
        for (int i = 0; i < 4; i++)
            assert_true(rotation[i] == (float)q[i]);
        compared++;
    }
    fclose(table);
    assert_true(compared > 40);
}

TEST(test_states)
{
    static const char *const of[] = {"four-bar", "gripper", "all-joints", "lamp"};
    if (system("gnuplot --version >/dev/null 2>&1") != 0) {
        print_message("# there is no gnuplot, without which no run has tables\n");
        skip();
    }
    for (size_t k = 0; k < sizeof of / sizeof of[0]; k++) {
        shot s;
        file f;
        take_shot(&s, of[k], "pgs", 40, false);
        open_file(&f, s.film);
        compare_with_table(of[k], &f);
        close_file(&f);
        release(&s);
    }
}

/* The mark of a joint has one colour at a time, that of its error. */
TEST(test_colours)
{
    shot s;
    file f;
    size_t marks = 0, changes = 0;
    take_shot(&s, "four-bar", "pgs", 60, true);
    open_file(&f, s.film);
    for (size_t k = 0; k < json_array_size(json_object_get(f.json, "nodes")); k++) {
        const json_t *node = member(&f, "nodes", k), *children = json_object_get(node, "children");
        const char *kind = json_string_value(json_object_get(json_object_get(node, "extras"), "kind"));
        const char *before = NULL;
        size_t joint = 0;
        if (!kind || strcmp(kind, "joint") != 0)
            continue;
        while (strcmp(s.film->joints[joint], json_string_value(json_object_get(node, "name"))) != 0)
            joint++;
        marks++;
        for (size_t frame = 0; frame < s.film->n_frames; frame++) {
            const dls_film_frame *at = &s.film->frames[frame];
            const char *shown = NULL;
            for (size_t c = 0; c < json_array_size(children); c++) {
                const size_t child = (size_t)json_integer_value(json_array_get(children, c));
                float size[3];
                assert_true(value_at(&f, child, "scale", at->time, size));
                assert_true(size[0] == size[1] && size[1] == size[2] && (size[0] == 0.0F || size[0] == 1.0F));
                if (size[0] == 0.0F)
                    continue;
                assert_null(shown);
                shown = json_string_value(json_object_get(member(&f, "nodes", child), "name"));
            }
            const double error = s.film->errors[at->error + joint];
            assert_non_null(shown);
            assert_string_equal(shown, dls_error_colours[dls_error_class(error)].text);
            changes += before && before != shown;
            before = shown;
        }
    }
    assert_int_equal(marks, 4);
    assert_true(changes > 0);
    assert_int_equal(dls_error_class(0.0), 0);
    assert_int_equal(dls_error_class(9.9e-4), 3);
    assert_int_equal(dls_error_class(1e-3), 4);
    assert_int_equal(dls_error_class(NAN), DLS_ERROR_COLOURS - 1);
    close_file(&f);
    release(&s);
}

/* Ten boxes of 1 kg: the forces at the floor hold all of them, and the arrows have these lengths and directions. */
TEST(test_forces)
{
    shot s;
    file f;
    double held = 0.0;
    take_shot(&s, "stack-10", "block-pivoting", 20, true);
    open_file(&f, s.film);
    const dls_film_frame *last = &s.film->frames[s.film->n_frames - 1];
    assert_int_equal(s.film->frames[0].n_arrows, 0);
    assert_int_equal(last->n_arrows, 40);
    for (size_t k = 0; k < last->n_arrows; k++) {
        const dls_film_arrow *arrow = &s.film->arrows[last->arrow + k];
        char name[40];
        float at[3], q[4], size[3];
        snprintf(name, sizeof name, "contact force %zu", k + 1);
        for (size_t node = 0; node < json_array_size(json_object_get(f.json, "nodes")); node++) {
            if (strcmp(json_string_value(json_object_get(member(&f, "nodes", node), "name")), name) != 0)
                continue;
            assert_true(value_at(&f, node, "scale", 0.0, size) && size[0] == 0.0F);
            assert_true(value_at(&f, node, "translation", last->time, at));
            assert_true(value_at(&f, node, "rotation", last->time, q));
            assert_true(value_at(&f, node, "scale", last->time, size));
        }
        const dls_vec3 tip = dls_quat_rotate((dls_quat){(double)q[3], (double)q[0], (double)q[1], (double)q[2]},
                                             dls_v3(0, 0, (double)size[2] / s.film->arrow_scale));
        assert_close(dls_norm(dls_sub(tip, arrow->force)), 0.0, 1e-5 * dls_norm(arrow->force));
        assert_close((double)at[2], arrow->point.z, 1e-6);
        held += arrow->point.z < 0.01 ? tip.z : 0.0;
    }
    assert_close(held, 98.1, 1e-3);
    assert_close(s.film->weight, 98.1, 1e-9);
    close_file(&f);
    release(&s);
}

/* The measures of a player are those of the film in single precision. Where sweeps leave something to be seen, the
 * largest error of a joint is that of the state, the largest residual of a joint or contact is more than none, and the
 * largest force is that of the longest arrow; each of them is above 0. */
static void check_measures(const char *scene, bool joints)
{
    shot s;
    file f;
    double errors = 0.0, residuals = 0.0, forces = 0.0, scaled = 0.0;
    take_shot(&s, scene, "pgs", 20, true);
    open_file(&f, s.film);
    const json_t *extras = json_object_get(member(&f, "scenes", 0), "extras"),
                 *all = json_object_get(extras, "measures");
    const size_t times = number(extras, "times");
    assert_int_equal(json_array_size(all), DLS_FILM_MEASURES);
    assert_int_equal(number(member(&f, "accessors", times), "count"), s.film->n_frames);
    for (size_t frame = 0; frame < s.film->n_frames; frame++) {
        const dls_film_frame *at = &s.film->frames[frame];
        const double *m = at->measure;
        double error = 0.0, residual = dls_film_none, force = frame ? 0.0 : dls_film_none;
        assert_true(real(data(&f, times) + 4 * frame) == (float)at->time);
        for (size_t k = 0; k < DLS_FILM_MEASURES; k++)
            assert_true(real(data(&f, number(json_array_get(all, k), "values")) + 4 * frame) == (float)m[k]);
        for (size_t k = 0; k < at->n_arrows; k++) {
            const dls_film_arrow *arrow = &s.film->arrows[at->arrow + k];
            force = fmax(force, dls_norm(arrow->force)), residual = fmax(residual, arrow->residual);
        }
        for (size_t k = 0; k < at->n_errors; k++) {
            error = fmax(error, s.film->errors[at->error + k]);
            residual = fmax(residual, s.film->residuals[at->error + k]);
        }
        if (joints)
            assert_true(error == fmax(m[DLS_FILM_JOINTS_LINEAR], m[DLS_FILM_JOINTS_ANGULAR]));
        assert_true(m[DLS_FILM_FORCE] == force);
        assert_true((residual == dls_film_none) == (frame == 0));
        assert_true((m[DLS_FILM_RESIDUAL] == dls_film_none) == (frame == 0));
        assert_true(m[DLS_FILM_ENERGY] == m[DLS_FILM_KINETIC] + m[DLS_FILM_POTENTIAL]);
        errors = fmax(errors, error), residuals = fmax(residuals, residual);
        forces = fmax(forces, force), scaled = fmax(scaled, m[DLS_FILM_RESIDUAL]);
    }
    assert_true(residuals > 0.0 && scaled > 0.0);
    assert_true(joints ? errors > 0.0 : forces > 0.0);
    close_file(&f);
    release(&s);
}

TEST(test_measures)
{
    check_measures("four-bar", true);
    check_measures("stack-10", false);
}

/* Parts that changes of the scene add are not seen before, and what they remove is not seen after. */
TEST(test_changes)
{
    shot s;
    size_t came = 0, went = 0;
    take_shot(&s, "changing", "pgs", 2000, true);
    assert_int_equal(s.result.changes, 5);
    for (size_t k = 0; k < s.film->n_items; k++) {
        const dls_item *item = &s.film->items[k];
        came += item->from > 0 && item->from < s.film->n_frames;
        went += item->until < s.film->n_frames;
    }
    assert_true(came > 0 && went > 0);
    for (size_t k = 1; k < s.film->n_frames; k++)
        assert_true(s.film->frames[k].time > s.film->frames[k - 1].time);
    dls_film_keep_last(s.film);
    assert_int_equal(s.film->n_frames, 1);
    for (size_t k = 0; k < s.film->n_items; k++)
        assert_true(dls_item_shown(&s.film->items[k], 0) == (s.film->items[k].until == SIZE_MAX));
    release(&s);
}

/* A file of the folder. */
static void write_file(const char *name, const char *text, size_t size)
{
    char path[DLS_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

/* A scene or a robot from text, as it starts. */
static void take_text(shot *s, const char *text)
{
    char path[DLS_PATH_MAX];
    dls_content content;
    dls_error error;
    dls_simulation *simulation;
    dls_simulation_options options = dls_simulation_default();
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    write_file("scene.yaml", text, strlen(text));
    assert_status(dls_file_load(path, NULL, &content, &error), &error);
    s->scene = content.scene;
    assert_status(dls_model_create(s->scene, &s->model, &error), &error);
    assert_status(dls_film_create("text", "", &s->film, &error), &error);
    options.solver = dls_solver_find("pgs");
    assert_status(dls_simulation_open(s->model, &options, &simulation, &error), &error);
    assert_status(dls_film_take(s->film, simulation, false, NULL, &error), &error);
    dls_simulation_close(simulation);
}

static char *read_file(const char *path)
{
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    char *text = calloc(1, 4000000);
    assert_non_null(text);
    assert_true(fread(text, 1, 3999999, in) > 0);
    fclose(in);
    return text;
}

/* The nearer of two boxes on a line of sight is drawn later, in whatever order they are given. */
TEST(test_hidden)
{
    for (int turn = 0; turn < 2; turn++) {
        shot s;
        char text[1024], path[DLS_PATH_MAX];
        dls_error error;
        snprintf(text, sizeof text,
                 "name: two\nbodies:\n  - {name: a, shape: box, size: [1, 1, 1], mass: 1, position: [0, %d, 0]}\n"
                 "  - {name: b, shape: box, size: [1, 1, 1], mass: 1, position: [0, %d, 0]}\n",
                 turn ? 2 : 0, turn ? 0 : 2);
        take_text(&s, text);
        assert_status(dls_film_finish(s.film, &error), &error);
        const dls_camera camera = dls_camera_of(s.film, 0, 1);
        const dls_film_pose *poses = s.film->poses;
        const size_t a = s.film->items[0].node[0], b = s.film->items[1].node[0];
        const bool a_near = dls_dot(camera.back, dls_sub(poses[a].x, poses[b].x)) > 0.0;
        snprintf(path, sizeof path, "%s/two.svg", folder);
        const dls_film *const films[] = {s.film};
        assert_status(dls_still_svg(films, 1, path, &error), &error);
        char *svg = read_file(path);
        /* A box has three faces that are seen, and their edges have the colour of its node, darker. */
        const char *first = strstr(svg, "stroke=\"#2a425b\""), *second = strstr(svg, "stroke=\"#7f5831\"");
        assert_non_null(first);
        assert_non_null(second);
        assert_true((first > second) == a_near);
        free(svg);
        release(&s);
    }
}

/* A body without a shape is still drawn: sticks from its centre of mass to its joints, or its centre alone. */
TEST(test_without_shapes)
{
    shot s;
    dls_error error;
    size_t sticks = 0;
    take_text(&s, "bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
                  "joints:\n  - {name: pin, type: hinge, body1: a, anchor: [0, 0, 0], axis: [0, 1, 0]}\n");
    for (size_t k = 0; k < s.film->n_items; k++) {
        double stretch;
        const dls_item *item = &s.film->items[k];
        const dls_film_pose pose = dls_item_pose(s.film, s.film->frames, item, &stretch);
        sticks += item->kind == DLS_ITEM_STICK;
        if (item->kind == DLS_ITEM_STICK && item->form.shape == DLS_SHAPE_CYLINDER) {
            assert_close(pose.x.x, 0.5, 1e-15);
            assert_close(item->form.length, 1.0, 1e-15);
        }
        if (item->kind == DLS_ITEM_AXIS)
            assert_close(fabs(dls_quat_rotate(pose.q, dls_axis3(2)).y), 1.0, 1e-15);
    }
    assert_int_equal(sticks, 2);
    assert_status(dls_film_finish(s.film, &error), &error);
    release(&s);
}

/* A run that diverges is shown as far as single-precision numbers go; one without any such state is refused. */
TEST(test_far_away)
{
    shot s;
    dls_error error;
    take_text(&s, "bodies:\n  - {name: a, shape: sphere, radius: 1, mass: 1, position: [1e35, 0, 0]}\n");
    assert_int_equal(s.film->n_frames, 0);
    assert_int_equal(dls_film_finish(s.film, &error), DLS_REFUSED);
    release(&s);
}

/* Every kind of file, and names of no kind. */
TEST(test_kinds)
{
    shot s;
    char path[DLS_PATH_MAX];
    dls_error error;
    const dls_picture_kind *kind;
    read_scene(&s, "pendulum");
    assert_int_equal(dls_picture_kind_of("a.gif", &kind, &error), DLS_BAD_INPUT);
    assert_non_null(strstr(error.message, ".svg, .png, .pdf, .glb, .html"));
    assert_int_equal(dls_picture_kind_of(".svg", &kind, &error), DLS_BAD_INPUT);
    assert_status(dls_film_create("none", "", &s.film, &error), &error);
    dls_film *const two[] = {s.film, s.film};
    assert_int_equal(dls_picture_write(two, 2, "a.svg", &error), DLS_REFUSED);
    snprintf(path, sizeof path, "%s/none.svg", folder);
    assert_int_equal(dls_picture_write(two, 1, path, &error), DLS_REFUSED);
    assert_int_equal(access(path, F_OK), -1);
    release(&s);
}

/* --- what links look like --- */

/* The solid of a link that has this many triangles (meshes) or this shape. */
static const dls_item *solid_of(const dls_film *film, const char *owner, dls_shape shape, size_t triangles)
{
    for (size_t k = 0; k < film->n_items; k++) {
        const dls_item *item = &film->items[k];
        if (item->kind == DLS_ITEM_SOLID && strcmp(item->owner, owner) == 0 && item->form.shape == shape &&
            (item->form.triangles ? item->form.triangles->count : 0) == triangles)
            return item;
    }
    fail_msg("link %s has no such shape", owner);
    return NULL;
}

static void assert_vector(dls_vec3 got, double x, double y, double z, double within)
{
    assert_close(dls_norm(dls_sub(got, dls_v3(x, y, z))), 0.0, within);
}

static size_t count_kind(const dls_film *film, dls_item_kind kind)
{
    size_t count = 0;
    for (size_t k = 0; k < film->n_items; k++)
        count += film->items[k].kind == kind;
    return count;
}

/* The lamp has its visuals, and nothing else: neither the box that collides nor, but for the
 * joints between two rods, sticks. Their sizes are those of the
 * files, where the file of the foot is in millimetres. */
TEST(test_visuals)
{
    shot s;
    file f;
    take_shot(&s, "lamp", "pgs", 3, true);
    assert_null(dls_film_problem(s.film, 0));
    assert_int_equal(count_kind(s.film, DLS_ITEM_SOLID), 7);
    assert_int_equal(count_kind(s.film, DLS_ITEM_STICK), 2);
    for (size_t k = 0; k < s.film->n_items; k++)
        if (s.film->items[k].kind == DLS_ITEM_STICK)
            assert_int_equal(s.film->items[k].colour, 0x9ea6b0);
    const dls_item *foot = solid_of(s.film, "lamp.foot", DLS_SHAPE_NONE, 236);
    const dls_item *shade = solid_of(s.film, "lamp.head", DLS_SHAPE_NONE, 168);
    const dls_item *bulb = solid_of(s.film, "lamp.head", DLS_SHAPE_NONE, 224);
    const dls_item *rod = solid_of(s.film, "lamp.lower", DLS_SHAPE_CYLINDER, 0);
    assert_vector(foot->form.triangles->half, 0.07, 0.07, 0.03, 1e-15);
    assert_vector(foot->frame.p, 0.0, 0.0, 0.03, 1e-15);
    assert_vector(shade->form.triangles->half, 0.055, 0.075, 0.075, 1e-15);
    assert_vector(shade->frame.p, 0.055 - 0.05, 0.0, 0.0, 1e-15); /* from the centre of mass of the link */
    assert_vector(bulb->form.triangles->half, 0.028, 0.028, 0.028, 1e-8);
    assert_vector(bulb->frame.p, 0.065 - 0.05, 0.0, 0.0, 1e-8);
    assert_vector(rod->frame.p, 0.0, 0.015, 0.0, 1e-15);
    assert_close(rod->form.radius, 0.006, 0.0);
    assert_close(rod->form.length, 0.3, 0.0);
    assert_int_equal(foot->colour, 0xbf2924);
    assert_int_equal(rod->colour, 0x9ea6b0);
    assert_int_equal(bulb->colour, 0xffeda8);
    open_file(&f, s.film);
    size_t triangles = 0, both_sides = 0;
    for (size_t k = 0; k < json_array_size(json_object_get(f.json, "meshes")); k++) {
        const json_t *p = json_array_get(json_object_get(member(&f, "meshes", k), "primitives"), 0);
        if (!json_is_true(json_object_get(member(&f, "materials", number(p, "material")), "doubleSided")))
            continue;
        both_sides++;
        triangles += number(member(&f, "accessors", number(p, "indices")), "count") / 3;
    }
    assert_int_equal(both_sides, 3);
    assert_int_equal(triangles, 236 + 168 + 224);
    close_file(&f);
    release(&s);
}

/* A visual that cannot be drawn is told once, with the place, and the link has its other visuals, its solids or its
 * centre. */
TEST(test_visual_problems)
{
    static const char text[] =
        "<robot name='r'>\n<material name='wrong'><color rgba='1 2'/></material>\n"
        "<link name='a'>\n<visual><geometry><mesh filename='none.stl'/></geometry></visual>\n"
        "<visual><geometry><mesh filename='none.stl'/></geometry></visual>\n"
        "<collision><geometry><sphere radius='0.5'/></geometry></collision></link>\n"
        "<link name='b'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
        "izz='1'/></inertial>\n"
        "<visual><geometry><cylinder radius='-1' length='1'/></geometry></visual>\n"
        "<visual><geometry><box size='1 2 3'/></geometry><material name='wrong'/></visual><visual/>\n"
        "<visual><geometry><mesh filename='package://r/a.dae'/></geometry></visual>\n"
        "<visual><geometry><mesh filename='http://r/a.stl'/></geometry></visual>\n"
        "<visual><geometry><mesh filename='half.stl'/></geometry></visual></link>\n"
        "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>\n";
    static const struct {
        const char *file, *words;
        long line;
    } right[] = {{"none.stl", "No such file", 0},
                 {"scene.yaml", "radius: must be positive", 8},
                 {"scene.yaml", "'r/a.dae' is neither in this file's folder nor in one above", 10},
                 {"scene.yaml", "is no path; write package://NAME/PATH", 11},
                 {"half.stl", "byte 3: the file ends", 0}};
    shot s;
    write_file("half.stl", "abc", 3);
    take_text(&s, text);
    for (size_t k = 0; k < sizeof right / sizeof right[0]; k++) {
        const dls_error *problem = dls_film_problem(s.film, k);
        assert_non_null(problem);
        if (!strstr(problem->message, right[k].words) || !strstr(problem->file, right[k].file) ||
            problem->line != right[k].line)
            fail_msg("problem %zu: %s:%ld: %s", k, problem->file, problem->line, problem->message);
    }
    assert_null(dls_film_problem(s.film, sizeof right / sizeof right[0]));
    assert_int_equal(count_kind(s.film, DLS_ITEM_SOLID), 2);
    assert_close(solid_of(s.film, "r.a", DLS_SHAPE_SPHERE, 0)->form.radius, 0.5, 0.0);
    assert_vector(solid_of(s.film, "r.b", DLS_SHAPE_BOX, 0)->form.size, 1, 2, 3, 0.0);
    release(&s);
}

/* Geoms of MJCF in the groups that are shown, with the colours of their materials; one that collides in another group
 * is shown where there is nothing else. A body that is fixed to the world gives its meshes to the root. */
TEST(test_geoms)
{
    static const char model[] =
        "<mujoco><compiler meshdir='parts' strippath='true' angle='radian'/><default><mesh scale='2 2 2'/></default>"
        "<asset><mesh file='tip.obj'/><mesh name='ref' file='tip.obj' refpos='1 0 0'/><mesh name='one' "
        "file='elsewhere/tip.obj' scale='1 1 -1'/>"
        "<material name='red' rgba='1 0 0 1'/></asset>"
        "<worldbody><body name='stand'><geom type='mesh' mesh='one' mass='0' contype='0' conaffinity='0'/>"
        "<body name='arm'><joint axis='0 1 0'/><inertial pos='0 0 1' mass='1' diaginertia='1 1 1'/>"
        "<geom type='capsule' size='0.1 0.3' group='3'/>"
        "<geom type='mesh' mesh='tip' material='red' pos='0 0 1' mass='0' contype='0' conaffinity='0'/>"
        "<geom type='mesh' mesh='ref' mass='0' contype='0' conaffinity='0'/>"
        "<geom size='0.2' rgba='0 0 1 0' contype='0' conaffinity='0'/>"
        "<body name='hand'><joint axis='0 1 0'/><geom type='capsule' size='0.1 0.3' group='3'/></body></body></body>"
        "<body name='other' pos='0 9 0'><joint axis='0 1 0'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
        "<geom type='mesh' mesh='tip' mass='0' contype='0' conaffinity='0'/></body></worldbody></mujoco>";
    static const char tip[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    char path[DLS_PATH_MAX];
    shot s;
    snprintf(path, sizeof path, "%s/parts", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    write_file("parts/tip.obj", tip, sizeof tip - 1);
    take_text(&s, model);
    assert_int_equal(count_kind(s.film, DLS_ITEM_SOLID), 5);
    const dls_item *other = solid_of(s.film, "other.other", DLS_SHAPE_NONE, 4);
    assert_vector(other->form.triangles->half, 1, 1, 1, 0.0);
    assert_vector(other->frame.p, 1, 1, 1, 1e-15);
    const dls_item *stand = solid_of(s.film, "arm.stand", DLS_SHAPE_NONE, 4);
    const dls_item *arm = solid_of(s.film, "arm.arm", DLS_SHAPE_NONE, 4);
    solid_of(s.film, "arm.hand", DLS_SHAPE_CAPSULE, 0);
    assert_vector(stand->form.triangles->middle, 0.5, 0.5, -0.5, 0.0);
    assert_vector(arm->form.triangles->half, 1, 1, 1, 0.0);
    assert_vector(arm->frame.p, 1, 1, 1, 1e-15);
    assert_int_equal(arm->colour, 0xff0000);
    for (size_t k = 0; k < 2; k++) { /* outside is where the normals point, also of what is mirrored */
        const dls_triangles *t = (k ? arm : stand)->form.triangles;
        for (size_t i = 0; i < t->count; i++) {
            const dls_vec3 *p = t->corners + 3 * i, inside = dls_sub(dls_v3(0.1, 0.1, k ? 0.1 : -0.1), t->middle);
            assert_true(dls_dot(dls_cross(dls_sub(p[1], p[0]), dls_sub(p[2], p[0])), dls_sub(p[0], inside)) > 0.0);
        }
    }
    assert_null(dls_film_problem(s.film, 0));
    release(&s);
}

/* A binary STL of one triangle that claims `count` of them. */
static size_t binary_stl(char *to, unsigned count, float last)
{
    const float corners[12] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, last};
    memset(to, 0, 134);
    memcpy(to, "solid by a binary writer", 24);
    for (size_t i = 0; i < 4; i++)
        to[80 + i] = (char)(count >> 8 * i & 255u);
    for (size_t i = 0; i < 12; i++) {
        uint32_t bits;
        memcpy(&bits, &corners[i], sizeof bits);
        for (size_t k = 0; k < 4; k++)
            to[84 + 4 * i + k] = (char)(bits >> 8 * k & 255u);
    }
    return 134;
}

static void check_mesh(const char *name, const char *text, size_t size, long line, const char *words)
{
    dls_triangles mesh;
    dls_error error = {.line = 0};
    const dls_status status = dls_mesh_parse(text, size, name, dls_v3(1, 1, 1), &mesh, &error);
    if (words ? status == DLS_OK || error.line != line || !strstr(error.message, words) || strcmp(error.file, name) != 0
              : status != DLS_OK || mesh.count != (size_t)line)
        fail_msg("%s: %.60s: %s, %zu triangles, %s:%ld: %s", name, text, dls_status_text(status), mesh.count,
                 error.file, error.line, error.message);
    dls_triangles_release(&mesh);
}

/* For a right file `line` is the number of triangles. */
TEST(test_mesh_files)
{
    static const struct {
        const char *name, *text;
        long line;
        const char *words;
    } files[] = {
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4", 2, NULL},
        {"a.OBJ", "# c\r\nv 0 0 0 1\r\nv 1 0 0\r\nvn 0 0 1\r\nv 1 1 0\r\nf -3//1 -2/7/1 -1/2\r\n", 1, NULL},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 4\n", 1, NULL}, /* one without an area */
        {"a.stl",
         "solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0\nvertex 0 1 0 endloop endfacet\n"
         "endsolid\n\nSOLID two\nFACET NORMAL nan 0 0 OUTER LOOP\nVERTEX 0 0 1e3\nVERTEX 1 0 0\n"
         "VERTEX 0 1 0\nENDLOOP\nENDFACET\nENDSOLID two",
         2, NULL},
        {"a.obj", "", 0, "the file is empty"},
        {"a.stl", "", 0, "the file is empty"},
        {"a.ply", "ply", 0, "neither .stl, .obj, .dae nor .msh"},
        {".stl", "solid\nendsolid\n", 0, "neither .stl, .obj, .dae nor .msh"},
        {"a.stl", "solid\nendsolid\n", 0, "no triangle with an area"},
        {"a.obj", "o nothing\n", 0, "no triangle with an area"},
        {"a.obj", "v 0 0\n", 1, "three numbers that are finite"},
        {"a.obj", "v 0 0 0\nv 0 nan 0\n", 2, "three numbers that are finite"},
        {"a.obj", "v 0 0 inf\n", 1, "three numbers that are finite"},
        {"a.obj", "v 0 0 1e31\n", 1, "write another scale"},
        {"a.obj", "v 0 0 0.0000000000000000000000000000000000000000000000000000000000000000001\n", 1, "three numbers"},
        {"a.obj", "v 0 0 0\n\nf 1 1\n", 3, "at least three vertices"},
        {"a.obj", "v 0 0 0\nf 1 1 2\n", 2, "there is no vertex 2: 1 stand before this face"},
        {"a.obj", "v 0 0 0\nf 1 1 0\n", 2, "there is no vertex 0"},
        {"a.obj", "v 0 0 0\nf 1 1 -2\n", 2, "there is no vertex -2"},
        {"a.obj", "v 0 0 0\nf 1 1 99999999999999999999999\n", 2, "there is no vertex"},
        {"a.obj", "v 0 0 0\nf 1 1 x\n", 2, "'x' is no number of a vertex"},
        {"a.obj", "v 0 0 0\nf 1 1 1.5\n", 2, "'1.5' is no number of a vertex"},
        {"a.stl", "solid a\nfacet normal 0 0 1\nouter vertex\n", 3, "'vertex' where 'loop' should be"},
        {"a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x", 4, "three numbers that are finite"},
        {"a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0", 4, "'' where 'vertex' should be"},
        {"a.stl", "solid a\n", 2, "the file ends before 'endsolid'"},
        {"a.stl", "solid a\nendsolid a\nmore", 3, "'more' where 'solid' should be"},
        {"a.stl", "solid a\nfacets", 2, "'facets' where 'facet' or 'endsolid' should be"},
        {"a.stl", "v 0 0 0\n", 0, "byte 8: the file ends"},
    };
    char stl[134];
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++)
        check_mesh(files[k].name, files[k].text, strlen(files[k].text), files[k].line, files[k].words);
    check_mesh("b.stl", stl, binary_stl(stl, 1, 0.5F), 1, NULL);
    check_mesh("b.stl", stl, binary_stl(stl, 2, 0.5F), 0, "byte 80: 2 triangles are 184 bytes, and the file has 134");
    check_mesh("b.stl", stl, binary_stl(stl, 0, 0.5F), 0, "byte 80: 0 triangles are 84 bytes");
    check_mesh("b.stl", stl, binary_stl(stl, 4294967295u, 0.5F), 0, "4294967295 triangles are 214748364834 bytes");
    check_mesh("b.stl", stl, binary_stl(stl, 1, 0.5F) - 1, 0, "and the file has 133");
    check_mesh("b.stl", stl, binary_stl(stl, 1, NAN), 0, "byte 128: a coordinate that is not finite");
    check_mesh("b.stl", stl, binary_stl(stl, 1, 2e30F), 0, "byte 120: a corner farther than 1e30 m");
}

/* A package is looked for from the model upwards; pipes and folders are no meshes. */
TEST(test_mesh_places)
{
    char path[DLS_PATH_MAX], wanted[DLS_PATH_MAX], model[DLS_PATH_MAX];
    dls_triangles mesh;
    dls_error error;
    snprintf(path, sizeof path, "%s/pack", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/pack/urdf", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    write_file("pack/a.stl", "", 0);
    write_file("pack/urdf/r.urdf", "", 0);
    snprintf(model, sizeof model, "%s/pack/urdf/r.urdf", folder);
    assert_status(dls_mesh_place("package://pack/a.stl", model, path, &error), &error);
    snprintf(wanted, sizeof wanted, "/%s/pack/a.stl", folder);
    assert_non_null(strstr(path, wanted));
    assert_int_equal(access(path, R_OK), 0);
    assert_status(dls_mesh_place("../a.stl", model, path, &error), &error);
    assert_int_equal(access(path, R_OK), 0);
    assert_status(dls_mesh_place("a.stl", "r.urdf", path, &error), &error);
    assert_string_equal(path, "a.stl");
    assert_status(dls_mesh_place("file:///a/b.stl", model, path, &error), &error);
    assert_string_equal(path, "/a/b.stl");
    assert_int_equal(dls_mesh_place("package://pack/b.stl", model, path, &error), DLS_IO);
    assert_int_equal(dls_mesh_place("package://pack/a.stl", "no such file", path, &error), DLS_IO);
    assert_status(dls_mesh_place("model://pack/a.stl", model, path, &error), &error);
    assert_int_equal(dls_mesh_place("http://pack/a.stl", model, path, &error), DLS_REFUSED);
    snprintf(path, sizeof path, "%s/pipe.stl", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(dls_mesh_read(path, dls_v3(1, 1, 1), &mesh, &error), DLS_IO);
    assert_non_null(strstr(error.message, "no regular file"));
    snprintf(path, sizeof path, "%s/folder.stl", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(dls_mesh_read(path, dls_v3(1, 1, 1), &mesh, &error), DLS_IO);
}

static int make_folder(void **unused)
{
    (void)unused;
    setenv("DELASSUS_DATADIR", getenv("DLS_TEST_SOURCE"), 1);
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **unused)
{
    char command[64];
    (void)unused;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

TESTS_WITH(make_folder, remove_folder)
