/* Films as binary glTF 2.0 (Khronos Group, glTF 2.0 specification, 2021; section 4 of it has the container).
 *
 * The root node turns the world, whose z may be up, to glTF's axes, where y is up. Its children are the nodes of the
 * film: their translations are centres of mass and their rotations those of the tables of states, rounded to single
 * precision. Items are fixed to them with constant frames; items between two bodies, and the arrows of forces, are
 * children of the root with poses and sizes that change.
 *
 * JOINT ERRORS as colours: core glTF cannot animate a colour, and few viewers support extensions that can. The mark of
 * a joint therefore has a child for each colour, one of which has the size 1 and the others 0. Parts that appear or
 * disappear are shown and hidden in the same way. Their samplers have the interpolation STEP, with keys at changes.
 */
#include "picture.h"

#include "base/memory.h"

#include <float.h>
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FLOAT = 5126, UNSIGNED = 5125, VERTICES = 34962, INDICES = 34963, LINES = 1, TRIANGLES = 4 };
enum { JSON_CHUNK = 0x4E4F534A, BINARY_CHUNK = 0x004E4942 };

/* The same surface in one colour is one mesh, and in any colour the same accessors. */
typedef struct built {
    dls_surface form;
    size_t positions, normals, indices; /* accessors */
} built;
typedef struct mesh {
    size_t built, lines; /* into `of`, else DLS_NONE; of lines the item */
    unsigned colour;
    bool clear; /* one can see through it */
} mesh;

typedef struct gltf {
    const dls_film *film;
    json_t *nodes, *meshes, *materials, *accessors, *views, *samplers, *channels; /* arrays */
    json_t *roots; /* numbers of the children of the root */
    unsigned char *binary;
    size_t size, capacity;
    size_t n_built, cap_built, n_meshes, cap_meshes;
    built *of;
    mesh *made;
    size_t times; /* accessor of the times of all frames; DLS_NONE: there is no animation */
    bool failed;  /* without memory */
} gltf;

/* --- bytes --- */

static void put_bytes(gltf *g, const unsigned char *bytes, size_t count)
{
    if (g->failed || !DLS_GROW(g->binary, g->capacity, g->size + count)) {
        g->failed = true;
        return;
    }
    memcpy(g->binary + g->size, bytes, count);
    g->size += count;
}

static void put_unsigned(gltf *g, uint32_t value)
{
    const unsigned char bytes[] = {(unsigned char)value, (unsigned char)(value >> 8), (unsigned char)(value >> 16),
                                   (unsigned char)(value >> 24)};
    put_bytes(g, bytes, sizeof bytes);
}

static void put_float(gltf *g, double value)
{
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    put_unsigned(g, bits);
}

/* --- JSON --- */

static json_t *owned(gltf *g, json_t *value)
{
    g->failed = g->failed || !value;
    return value;
}
static void put_member(gltf *g, json_t *object, const char *key, json_t *value)
{
    g->failed = json_object_set_new(object, key, value) != 0 || g->failed;
}
static size_t push(gltf *g, json_t *array, json_t *value)
{
    g->failed = json_array_append_new(array, value) != 0 || g->failed;
    return json_array_size(array) ? json_array_size(array) - 1 : 0;
}
static json_t *count(size_t number) { return json_integer((json_int_t)number); }
static json_t *single(double value) { return json_real((double)(float)value); }
static json_t *list(gltf *g, const double *values, size_t n)
{
    json_t *array = owned(g, json_array());
    for (size_t i = 0; i < n; i++)
        push(g, array, single(values[i]));
    return array;
}
static json_t *vector(gltf *g, dls_vec3 v) { return list(g, (double[]){v.x, v.y, v.z}, 3); }
static json_t *rotation(gltf *g, dls_quat q) { return list(g, (double[]){q.x, q.y, q.z, q.w}, 4); }

/* Names need not be UTF-8, which JSON is: bytes that are not become '?'. */
static json_t *text(const char *words)
{
    char plain[512];
    json_t *value = json_string(words);
    size_t k = 0;
    bool ascii = true;
    for (; words[k] && k + 1 < sizeof plain; k++) {
        ascii = ascii && (unsigned char)words[k] < 0x80;
        plain[k] = (char)((unsigned char)words[k] < 0x80 ? words[k] : '?');
    }
    plain[k] = '\0';
    return value || ascii ? value : json_string(plain);
}

/* --- accessors --- */

/* An accessor of `n` elements of the components that were written from `start` on. */
static size_t accessor(gltf *g, size_t start, size_t n, const char *type, int component, int target)
{
    json_t *view = owned(g, json_object()), *a = owned(g, json_object());
    put_member(g, view, "buffer", count(0));
    put_member(g, view, "byteOffset", count(start));
    put_member(g, view, "byteLength", count(g->size - start));
    if (target)
        put_member(g, view, "target", json_integer(target));
    put_member(g, a, "bufferView", count(push(g, g->views, view)));
    put_member(g, a, "componentType", json_integer(component));
    put_member(g, a, "count", count(n));
    put_member(g, a, "type", json_string(type));
    return push(g, g->accessors, a);
}

static void put_limits(gltf *g, size_t number, const double *low, const double *high, size_t n)
{
    json_t *a = json_array_get(g->accessors, number);
    put_member(g, a, "min", list(g, low, n));
    put_member(g, a, "max", list(g, high, n));
}

static size_t vectors(gltf *g, const dls_vec3 *v, size_t n, bool limits)
{
    const size_t start = g->size;
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (size_t k = 0; k < n; k++)
        for (int i = 0; i < 3; i++) {
            const double x = dls_get3(v[k], i);
            low[i] = fmin(low[i], x), high[i] = fmax(high[i], x);
            put_float(g, x);
        }
    const size_t number = accessor(g, start, n, "VEC3", FLOAT, VERTICES);
    if (limits)
        put_limits(g, number, low, high, 3);
    return number;
}

static size_t times(gltf *g, const size_t *frames, size_t n)
{
    const size_t start = g->size;
    double low = 0.0, high = 0.0;
    for (size_t k = 0; k < n; k++) {
        const double time = g->film->frames[frames ? frames[k] : k].time;
        low = k ? low : time, high = time;
        put_float(g, time);
    }
    const size_t number = accessor(g, start, n, "SCALAR", FLOAT, 0);
    put_limits(g, number, &low, &high, 1);
    return number;
}

/* --- meshes --- */

static double linear(unsigned colour, int shift)
{
    const double s = (colour >> shift & 255u) / 255.0; /* IEC 61966-2-1 */
    return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

/* Either side of a mesh from a file may be the outer one. */
static size_t material(gltf *g, unsigned colour, bool clear, bool both_sides)
{
    json_t *m = owned(g, json_object()), *material = owned(g, json_object());
    const double factor[] = {linear(colour, 16), linear(colour, 8), linear(colour, 0), clear ? 0.9 : 1.0};
    put_member(g, material, "baseColorFactor", list(g, factor, 4));
    put_member(g, material, "metallicFactor", json_real(0.0));
    put_member(g, material, "roughnessFactor", json_real(0.85));
    put_member(g, m, "pbrMetallicRoughness", material);
    if (clear)
        put_member(g, m, "alphaMode", json_string("BLEND"));
    if (both_sides)
        put_member(g, m, "doubleSided", json_true());
    return push(g, g->materials, m);
}

static size_t triangles(gltf *g, const dls_mesh *from)
{
    const size_t start = g->size;
    size_t n = 0;
    for (size_t k = 0; k < from->n_faces; k++) {
        const size_t *f = from->faces[k];
        const size_t corners[] = {f[0], f[1], f[2], f[0], f[2], f[3]};
        const size_t used = f[3] == f[2] ? 3 : 6;
        for (size_t i = 0; i < used; i++)
            put_unsigned(g, (uint32_t)corners[i]);
        n += used;
    }
    return accessor(g, start, n, "SCALAR", UNSIGNED, INDICES);
}

static size_t build(gltf *g, const dls_surface *form, dls_error *error, dls_status *status)
{
    dls_mesh from = {0};
    for (size_t k = 0; k < g->n_built; k++)
        if (dls_surface_equal(&g->of[k].form, form))
            return k;
    *status = dls_mesh_create(form, &from, error);
    if (*status == DLS_OK && DLS_GROW(g->of, g->cap_built, g->n_built + 1))
        g->of[g->n_built++] = (built){*form, vectors(g, from.points, from.n_points, true),
                                      vectors(g, from.normals, from.n_points, false), triangles(g, &from)};
    else
        g->failed = true;
    dls_mesh_release(&from);
    return g->n_built - 1;
}

static json_t *primitive(gltf *g, const mesh *m)
{
    json_t *p = owned(g, json_object()), *attributes = owned(g, json_object());
    const dls_item *item = m->lines == DLS_NONE ? NULL : &g->film->items[m->lines];
    put_member(g, attributes, "POSITION",
               count(item ? vectors(g, g->film->points + item->first, item->count, true) : g->of[m->built].positions));
    if (!item) {
        put_member(g, attributes, "NORMAL", count(g->of[m->built].normals));
        put_member(g, p, "indices", count(g->of[m->built].indices));
    }
    put_member(g, p, "attributes", attributes);
    const bool both_sides = m->clear || (!item && !dls_surface_convex(&g->of[m->built].form));
    put_member(g, p, "material", count(material(g, m->colour, m->clear, both_sides)));
    put_member(g, p, "mode", json_integer(item ? LINES : TRIANGLES));
    return p;
}

/* The number of the mesh; a new one where there is none like it. */
static size_t mesh_of(gltf *g, mesh m)
{
    for (size_t k = 0; k < g->n_meshes; k++)
        if (g->made[k].built == m.built && g->made[k].lines == m.lines && g->made[k].colour == m.colour &&
            g->made[k].clear == m.clear)
            return k;
    if (g->failed || !DLS_GROW(g->made, g->cap_meshes, g->n_meshes + 1)) {
        g->failed = true;
        return 0;
    }
    json_t *object = owned(g, json_object()), *primitives = owned(g, json_array());
    push(g, primitives, primitive(g, &m));
    put_member(g, object, "primitives", primitives);
    g->made[g->n_meshes++] = m;
    return push(g, g->meshes, object);
}

static size_t mesh_of_form(gltf *g, const dls_surface *form, unsigned colour, bool clear, dls_error *error,
                           dls_status *status)
{
    return mesh_of(g, (mesh){build(g, form, error, status), DLS_NONE, colour, clear});
}

/* --- animation --- */

/* Writes the value of a channel at a frame over `values`; `which` is the node, item or arrow that it is of. */
typedef void channel_values(const gltf *g, size_t frame, size_t which, double *values);
enum { COMPONENTS = 4 };

static bool equal(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((float)a[i] != (float)b[i])
            return false;
    return true;
}

/* A channel of a node. Constant values become a property of the node. In steps, only frames that change are keys. */
static void animate(gltf *g, size_t node, const char *path, bool steps, size_t n, channel_values *of, size_t which)
{
    const size_t frames = g->film->n_frames;
    double first[COMPONENTS], last[COMPONENTS], now[COMPONENTS];
    size_t *keys = calloc(frames, sizeof *keys), n_keys = 0;
    bool constant = true;
    g->failed = g->failed || !keys;
    if (g->failed) {
        free(keys);
        return;
    }
    of(g, 0, which, first);
    for (size_t k = 0; k < frames; k++) {
        of(g, k, which, now);
        constant = constant && equal(now, first, n);
        if (k == 0 || !steps || !equal(now, last, n))
            keys[n_keys++] = k;
        memcpy(last, now, sizeof last);
    }
    put_member(g, json_array_get(g->nodes, node), path, list(g, first, n));
    if (!constant) {
        const size_t start = g->size;
        json_t *sampler = owned(g, json_object()), *channel = owned(g, json_object()),
               *target = owned(g, json_object());
        for (size_t k = 0; k < n_keys; k++) {
            of(g, keys[k], which, now);
            for (size_t i = 0; i < n; i++)
                put_float(g, now[i]);
        }
        put_member(g, sampler, "output", count(accessor(g, start, n_keys, n == 4 ? "VEC4" : "VEC3", FLOAT, 0)));
        put_member(g, sampler, "input", count(n_keys == frames ? g->times : times(g, keys, n_keys)));
        put_member(g, sampler, "interpolation", json_string(steps ? "STEP" : "LINEAR"));
        put_member(g, target, "node", count(node));
        put_member(g, target, "path", json_string(path));
        put_member(g, channel, "sampler", count(push(g, g->samplers, sampler)));
        put_member(g, channel, "target", target);
        push(g, g->channels, channel);
    }
    free(keys);
}

static void set3(double *values, dls_vec3 v) { values[0] = v.x, values[1] = v.y, values[2] = v.z; }
static void set4(double *values, dls_quat q) { values[0] = q.x, values[1] = q.y, values[2] = q.z, values[3] = q.w; }

/* The pose of a node: before it comes, that of its first frame. */
static dls_film_pose node_pose(const gltf *g, size_t frame, size_t node)
{
    while (node >= g->film->frames[frame].n_nodes)
        frame++;
    return g->film->poses[g->film->frames[frame].pose + node];
}
static void node_place(const gltf *g, size_t frame, size_t which, double *values)
{
    set3(values, node_pose(g, frame, which).x);
}
static void node_turn(const gltf *g, size_t frame, size_t which, double *values)
{
    set4(values, node_pose(g, frame, which).q);
}

static void shown_size(const gltf *g, size_t frame, size_t which, double *values)
{
    const double size = dls_item_shown(&g->film->items[which], frame) ? 1.0 : 0.0;
    set3(values, dls_v3(size, size, size));
}

/* The pose of a stretched item, which has no extent in frames that do not show it. */
static dls_film_pose item_pose(const gltf *g, size_t frame, size_t which, double *stretch)
{
    const dls_item *item = &g->film->items[which];
    const size_t at = frame < item->from ? item->from : frame < item->until ? frame : item->until - 1;
    const dls_film_pose pose = dls_item_pose(g->film, &g->film->frames[at], item, stretch);
    *stretch = dls_item_shown(item, frame) ? *stretch : 0.0;
    return pose;
}
static void item_place(const gltf *g, size_t frame, size_t which, double *values)
{
    double stretch;
    set3(values, item_pose(g, frame, which, &stretch).x);
}
static void item_turn(const gltf *g, size_t frame, size_t which, double *values)
{
    double stretch;
    set4(values, item_pose(g, frame, which, &stretch).q);
}
static void item_size(const gltf *g, size_t frame, size_t which, double *values)
{
    double stretch;
    item_pose(g, frame, which, &stretch);
    set3(values, stretch > 0.0 ? dls_v3(1, 1, stretch) : dls_v3(0, 0, 0));
}

/* Arrow number `which` of each frame; without size where the frame has fewer. */
static dls_film_pose arrow_pose(const gltf *g, size_t frame, size_t which, double *length)
{
    const dls_film_frame *at = &g->film->frames[frame];
    *length = 0.0;
    return which < at->n_arrows ? dls_arrow_pose(g->film, &g->film->arrows[at->arrow + which], length)
                                : (dls_film_pose){.q = {1, 0, 0, 0}};
}
static void arrow_place(const gltf *g, size_t frame, size_t which, double *values)
{
    double length;
    set3(values, arrow_pose(g, frame, which, &length).x);
}
static void arrow_turn(const gltf *g, size_t frame, size_t which, double *values)
{
    double length;
    set4(values, arrow_pose(g, frame, which, &length).q);
}
static void arrow_size(const gltf *g, size_t frame, size_t which, double *values)
{
    double length;
    arrow_pose(g, frame, which, &length);
    const double width = fmin(length, 0.2 * g->film->size); /* long ones are slender */
    set3(values, dls_v3(width, width, length));
}

/* Whether colour which % DLS_ERROR_COLOURS is that of joint which / DLS_ERROR_COLOURS. */
static void colour_size(const gltf *g, size_t frame, size_t which, double *values)
{
    const dls_film_frame *at = &g->film->frames[frame];
    const size_t joint = which / DLS_ERROR_COLOURS, colour = which % DLS_ERROR_COLOURS;
    const double error = joint < at->n_errors ? g->film->errors[at->error + joint] : dls_film_none;
    const double size = !(error < 0.0) && dls_error_class(error) == colour ? 1.0 : 0.0;
    set3(values, dls_v3(size, size, size));
}

/* --- nodes --- */

static size_t new_node(gltf *g, const char *name)
{
    json_t *node = owned(g, json_object());
    put_member(g, node, "name", text(name));
    return push(g, g->nodes, node);
}

static void adopt(gltf *g, size_t parent, size_t child)
{
    json_t *node = json_array_get(g->nodes, parent), *children = json_object_get(node, "children");
    if (!children) {
        put_member(g, node, "children", json_array());
        children = json_object_get(node, "children");
    }
    push(g, children, count(child));
}

static void put_extra(gltf *g, size_t node, const char *key, json_t *value)
{
    json_t *object = json_array_get(g->nodes, node), *extras = json_object_get(object, "extras");
    if (!extras) {
        put_member(g, object, "extras", json_object());
        extras = json_object_get(object, "extras");
    }
    put_member(g, extras, key, value);
}

/* --- measures, for a player --- */

/* A number of every frame, dls_film_none (-1) where there is none. An accessor may have only finite numbers (section
 * 3.6.2 of the specification): those beyond single precision become its largest, with their sign, and NaN becomes the
 * positive one. */
typedef double frame_value(const dls_film *film, const dls_film_frame *frame, size_t which);

static double single_of(double value) { return value < FLT_MAX ? fmax(value, -(double)FLT_MAX) : (double)FLT_MAX; }

static json_t *values_of(gltf *g, frame_value *of, size_t which)
{
    const size_t start = g->size, n = g->film->n_frames;
    for (size_t k = 0; k < n; k++)
        put_float(g, single_of(of(g->film, &g->film->frames[k], which)));
    return count(accessor(g, start, n, "SCALAR", FLOAT, 0));
}

static double measure_value(const dls_film *film, const dls_film_frame *frame, size_t which)
{
    (void)film;
    return frame->measure[which];
}
static double error_value(const dls_film *film, const dls_film_frame *frame, size_t joint)
{
    return joint < frame->n_errors ? film->errors[frame->error + joint] : dls_film_none;
}
static double residual_value(const dls_film *film, const dls_film_frame *frame, size_t joint)
{
    return joint < frame->n_errors ? film->residuals[frame->error + joint] : dls_film_none;
}
static double arrow_residual(const dls_film *film, const dls_film_frame *frame, size_t which)
{
    return which < frame->n_arrows ? film->arrows[frame->arrow + which].residual : dls_film_none;
}
/* The arrow alone does not have it: its length is limited. */
static double arrow_force(const dls_film *film, const dls_film_frame *frame, size_t which)
{
    return which < frame->n_arrows ? dls_norm(film->arrows[frame->arrow + which].force) : dls_film_none;
}

static json_t *measures(gltf *g)
{
    json_t *all = owned(g, json_array());
    for (size_t k = 0; k < DLS_FILM_MEASURES; k++) {
        const dls_film_measure_facts *facts = &dls_film_measures[k];
        json_t *one = owned(g, json_object());
        put_member(g, one, "name", json_string(facts->name));
        put_member(g, one, "unit", json_string(facts->unit));
        put_member(g, one, "panel", json_string(facts->panel));
        put_member(g, one, "logarithmic", json_boolean(facts->logarithmic));
        put_member(g, one, "of_step", json_boolean(facts->of_step));
        put_member(g, one, "values", values_of(g, measure_value, k));
        push(g, all, one);
    }
    return all;
}

/* The marks of an item in the colours of its joint's error. */
static void add_colours(gltf *g, size_t node, const dls_item *item, dls_error *error, dls_status *status)
{
    for (size_t k = 0; k < DLS_ERROR_COLOURS; k++) {
        const size_t which = item->joint * DLS_ERROR_COLOURS + k;
        bool ever = false;
        for (size_t frame = 0; frame < g->film->n_frames && !ever; frame++) {
            double size[3];
            colour_size(g, frame, which, size);
            ever = size[0] > 0.0;
        }
        if (!ever)
            continue;
        const size_t child = new_node(g, dls_error_colours[k].text);
        put_member(g, json_array_get(g->nodes, child), "mesh",
                   count(mesh_of_form(g, &item->form, dls_error_colours[k].colour, false, error, status)));
        animate(g, child, "scale", true, 3, colour_size, which);
        adopt(g, node, child);
    }
}

/* The mark of a joint, with its errors and residuals for a player. */
static void add_joint(gltf *g, size_t node, const dls_item *item, dls_error *error, dls_status *status)
{
    add_colours(g, node, item, error, status);
    put_extra(g, node, "error", values_of(g, error_value, item->joint));
    put_extra(g, node, "residual", values_of(g, residual_value, item->joint));
}

static void add_item(gltf *g, size_t which, dls_error *error, dls_status *status)
{
    const dls_item *item = &g->film->items[which];
    const dls_item_facts *facts = &dls_item_facts_of[item->kind];
    if (item->from >= item->until || item->from >= g->film->n_frames)
        return;
    const size_t node = new_node(g, item->owner);
    json_t *object = json_array_get(g->nodes, node);
    put_extra(g, node, "kind", json_string(facts->name));
    if (facts->lines)
        put_member(g, object, "mesh", count(mesh_of(g, (mesh){DLS_NONE, which, item->colour, false})));
    else if (facts->dot && item->joint != DLS_NONE)
        add_joint(g, node, item, error, status);
    else
        put_member(g, object, "mesh", count(mesh_of_form(g, &item->form, item->colour, facts->clear, error, status)));
    if (facts->stretched) {
        animate(g, node, "translation", false, 3, item_place, which);
        animate(g, node, "rotation", false, 4, item_turn, which);
        animate(g, node, "scale", false, 3, item_size, which);
        push(g, g->roots, count(node));
    } else {
        put_member(g, object, "translation", vector(g, item->frame.p));
        put_member(g, object, "rotation", rotation(g, item->frame.q));
        animate(g, node, "scale", true, 3, shown_size, which);
        adopt(g, 1 + item->node[0], node);
    }
}

static void add_arrows(gltf *g, dls_error *error, dls_status *status)
{
    const dls_surface arrow = {.shape = DLS_SHAPE_NONE};
    size_t most = 0;
    for (size_t k = 0; k < g->film->n_frames; k++)
        most = g->film->frames[k].n_arrows > most ? g->film->frames[k].n_arrows : most;
    for (size_t k = 0; k < most; k++) {
        char name[40];
        snprintf(name, sizeof name, "contact force %zu", k + 1);
        const size_t node = new_node(g, name);
        put_extra(g, node, "kind", json_string("force"));
        put_member(g, json_array_get(g->nodes, node), "mesh",
                   count(mesh_of_form(g, &arrow, DLS_FORCE_COLOUR, false, error, status)));
        animate(g, node, "translation", true, 3, arrow_place, k);
        animate(g, node, "rotation", true, 4, arrow_turn, k);
        animate(g, node, "scale", true, 3, arrow_size, k);
        put_extra(g, node, "force", values_of(g, arrow_force, k));
        put_extra(g, node, "residual", values_of(g, arrow_residual, k));
        push(g, g->roots, count(node));
    }
}

/* --- the whole --- */

/* Facts for a player: the camera, the scales, the colours, in the coordinates of the world; and measures, by the
 * numbers of the accessors that have them. */
static json_t *extras_of(gltf *g)
{
    const dls_film *film = g->film;
    const dls_camera camera = dls_camera_of(film, 0, film->n_frames);
    json_t *extras = owned(g, json_object()), *view = owned(g, json_object()), *colours = owned(g, json_array());
    put_member(g, view, "target", vector(g, camera.target));
    put_member(g, view, "back", vector(g, camera.back));
    put_member(g, view, "up", vector(g, film->up));
    put_member(g, view, "radius", single(camera.radius));
    put_member(g, extras, "camera", view);
    put_member(g, extras, "note", text(film->note));
    put_member(g, extras, "grid", single(film->grid));
    put_member(g, extras, "metres_per_newton", single(film->arrow_scale));
    put_member(g, extras, "start", single(film->frames[0].time));
    put_member(g, extras, "end", single(film->frames[film->n_frames - 1].time));
    for (size_t k = 0; k < DLS_ERROR_COLOURS; k++) {
        char colour[16];
        json_t *entry = owned(g, json_array());
        snprintf(colour, sizeof colour, "#%06x", dls_error_colours[k].colour);
        push(g, entry, json_string(colour));
        push(g, entry, json_string(dls_error_colours[k].text));
        push(g, colours, entry);
    }
    put_member(g, extras, "joint_errors", colours);
    put_member(g, extras, "times", count(g->times == DLS_NONE ? times(g, NULL, film->n_frames) : g->times));
    put_member(g, extras, "measures", measures(g));
    return extras;
}

static void put_if_any(gltf *g, json_t *object, const char *key, json_t *array)
{
    if (json_array_size(array))
        put_member(g, object, key, json_incref(array));
}

static json_t *document(gltf *g)
{
    json_t *d = owned(g, json_object()), *asset = owned(g, json_object()), *scene = owned(g, json_object());
    json_t *animation = owned(g, json_object()), *buffer = owned(g, json_object()), *roots = owned(g, json_array());
    char generator[128];
    const dls_build build_facts = dls_build_facts();
    snprintf(generator, sizeof generator, "delassus %s", build_facts.version);
    put_member(g, asset, "version", json_string("2.0"));
    put_member(g, asset, "generator", json_string(generator));
    put_member(g, d, "asset", asset);
    push(g, roots, count(0));
    put_member(g, scene, "name", text(g->film->name));
    put_member(g, scene, "nodes", roots);
    put_member(g, scene, "extras", extras_of(g));
    put_member(g, d, "scene", count(0));
    put_member(g, d, "scenes", owned(g, json_array()));
    push(g, json_object_get(d, "scenes"), scene);
    put_member(g, json_array_get(g->nodes, 0), "children", json_incref(g->roots));
    put_member(g, d, "nodes", json_incref(g->nodes));
    put_if_any(g, d, "meshes", g->meshes);
    put_if_any(g, d, "materials", g->materials);
    put_if_any(g, d, "accessors", g->accessors);
    put_if_any(g, d, "bufferViews", g->views);
    if (json_array_size(g->channels)) {
        put_member(g, animation, "name", json_string("run"));
        put_member(g, animation, "samplers", json_incref(g->samplers));
        put_member(g, animation, "channels", json_incref(g->channels));
        put_member(g, d, "animations", owned(g, json_array()));
        push(g, json_object_get(d, "animations"), json_incref(animation));
    }
    json_decref(animation);
    put_member(g, buffer, "byteLength", count(g->size));
    put_member(g, d, "buffers", owned(g, json_array()));
    push(g, json_object_get(d, "buffers"), buffer);
    return d;
}

static void fill_accessor(gltf *g, dls_error *error, dls_status *status)
{
    const size_t root = new_node(g, "z up to y up");
    put_member(g, json_array_get(g->nodes, root), "rotation", rotation(g, dls_quat_between(g->film->up, dls_axis3(1))));
    if (g->film->n_frames > 1)
        g->times = times(g, NULL, g->film->n_frames);
    for (size_t k = 0; k < g->film->n_nodes; k++) {
        const size_t node = new_node(g, g->film->nodes[k].name);
        animate(g, node, "translation", false, 3, node_place, k);
        animate(g, node, "rotation", false, 4, node_turn, k);
        push(g, g->roots, count(node));
    }
    for (size_t k = 0; k < g->film->n_items && *status == DLS_OK; k++)
        add_item(g, k, error, status);
    if (*status == DLS_OK)
        add_arrows(g, error, status);
}

/* jansson does not look at each failure to write: `failed` keeps them all. */
static int take_json(const char *words, size_t size, void *to)
{
    put_bytes(to, (const unsigned char *)words, size);
    return ((gltf *)to)->failed ? -1 : 0;
}

/* Header, JSON padded by blanks, binary padded by zeros, each to a multiple of four bytes. */
static dls_status container(const gltf *g, const gltf *json, unsigned char **bytes, size_t *size, dls_error *error)
{
    const size_t json_room = (json->size + 3) / 4 * 4, binary_room = (g->size + 3) / 4 * 4;
    gltf out = {.failed = false};
    *size = 12 + 8 + json_room + 8 + binary_room;
    if (*size > UINT32_MAX)
        return dls_fail(error, DLS_REFUSED,
                        "the animation has %zu bytes, and a .glb at most 4294967295; give --samples fewer", *size);
    put_unsigned(&out, 0x46546C67);
    put_unsigned(&out, 2);
    put_unsigned(&out, (uint32_t)*size);
    put_unsigned(&out, (uint32_t)json_room);
    put_unsigned(&out, JSON_CHUNK);
    put_bytes(&out, json->binary, json->size);
    put_bytes(&out, (const unsigned char *)"   ", json_room - json->size);
    put_unsigned(&out, (uint32_t)binary_room);
    put_unsigned(&out, BINARY_CHUNK);
    put_bytes(&out, g->binary, g->size);
    put_bytes(&out, (const unsigned char *)"\0\0\0", binary_room - g->size);
    *bytes = out.binary;
    if (!out.failed)
        return DLS_OK;
    free(out.binary);
    *bytes = NULL;
    return dls_fail(error, DLS_NO_MEMORY, "no memory for an animation");
}

dls_status dls_gltf_bytes(const dls_film *film, unsigned char **bytes, size_t *size, dls_error *error)
{
    gltf g = {.film = film, .times = DLS_NONE}, json = {.failed = false};
    json_t **const arrays[] = {&g.nodes, &g.meshes,   &g.materials, &g.accessors,
                               &g.views, &g.samplers, &g.channels,  &g.roots};
    dls_status status = DLS_OK;
    *bytes = NULL;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        *arrays[k] = owned(&g, json_array());
    if (!g.failed)
        fill_accessor(&g, error, &status);
    if (status == DLS_OK) {
        json_t *whole = g.failed ? NULL : document(&g);
        const bool made = !g.failed && json_dump_callback(whole, take_json, &json, JSON_COMPACT) == 0 && !json.failed;
        status = made ? container(&g, &json, bytes, size, error)
                      : dls_fail(error, DLS_NO_MEMORY, "no memory for an animation");
        json_decref(whole);
    }
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        json_decref(*arrays[k]);
    free(json.binary);
    free(g.binary);
    free(g.of);
    free(g.made);
    return status;
}

dls_status dls_gltf_write(const dls_film *const *films, size_t n, const char *path, dls_error *error)
{
    dls_output output;
    unsigned char *bytes;
    size_t size;
    (void)n;
    DLS_TRY(dls_gltf_bytes(films[0], &bytes, &size, error));
    dls_status status = dls_output_open(&output, path, error);
    if (status == DLS_OK) {
        fwrite(bytes, 1, size, output.stream);
        status = dls_output_commit(&output, error);
    }
    free(bytes);
    return status;
}
