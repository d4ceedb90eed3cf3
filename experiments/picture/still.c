/* Still pictures: the last frame of a film by parallel rays, without a browser.
 *
 * HIDDEN SURFACES. Solids that are farther away are drawn first. Solids are convex, so that a ray along the line of
 * sight is inside a solid between two depths, and faces that point away from the viewer need not be drawn. Meshes from
 * files need not be convex, nor closed: a ray meets the nearest of their triangles, and all of these are drawn, those
 * whose middle is deeper first. Of two
 * solids that overlap in the picture, the nearer one is the one that most rays through the common part meet first; a
 * sort by these pairs gives the order. If it has a cycle, the solid with the deeper centre is drawn first.
 */
#include "canvas.h"
#include "gnuplot.h"
#include "picture.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static const double width = 960, height = 720, margin = 56; /* [pixels] */
static const dls_vec3 light = {-0.35, 0.62, 0.70};          /* right, up, back */

typedef struct face_depth {
    size_t face;
    double depth; /* of its middle, times 3 */
} face_depth;

/* Something with a depth: a solid, or a piece of a line. */
typedef struct object {
    const dls_item *item;
    dls_mesh mesh;     /* points and normals along right, up, back; empty of a piece of a line */
    dls_vec3 *normals; /* of the faces, n_faces */
    face_depth *order; /* n_faces, the deepest first; NULL of a convex one */
    dls_vec3 end[2];   /* of a piece of a line */
    dls_vec3 low, high;
    size_t before; /* objects that must be drawn before it and are not yet */
    bool drawn;
} object;

/* Two objects of which `first` is drawn before `then`. */
typedef struct pair {
    size_t first, then;
} pair;

typedef struct still {
    const dls_film *film;
    size_t number; /* of the frame */
    const dls_film_frame *frame;
    dls_camera camera;
    double scale;      /* [pixels/m] */
    dls_point2 origin; /* of the camera's target */
    size_t n_objects, cap_objects;
    object *objects;
    size_t n_pairs, cap_pairs;
    pair *pairs;
    dls_canvas canvas;
    const dls_canvas_ops *on;
} still;

static dls_vec3 view_direction(const still *s, dls_vec3 v)
{
    return dls_v3(dls_dot(s->camera.right, v), dls_dot(s->camera.up, v), dls_dot(s->camera.back, v));
}
static dls_vec3 view(const still *s, dls_vec3 p) { return view_direction(s, dls_sub(p, s->camera.target)); }
static dls_point2 pixel(const still *s, dls_vec3 v)
{
    return (dls_point2){s->origin.x + s->scale * v.x, s->origin.y - s->scale * v.y};
}

/* --- cutting at the border of the picture --- */

/* How far inside of an edge of the picture a point is: left, right, top, bottom. */
static double distance_inside(int edge, dls_point2 p)
{
    const double at[] = {p.x, width - p.x, p.y, height - p.y};
    return at[edge];
}

static dls_point2 crossing(dls_point2 a, dls_point2 b, double of_a, double of_b)
{
    const double t = of_a / (of_a - of_b);
    return (dls_point2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

/* Sutherland and Hodgman, Reentrant polygon clipping (CACM 17, 1974): one edge after another. */
static void polygon(still *s, const dls_point2 *corners, size_t count, unsigned fill, unsigned edge_colour)
{
    enum { MOST = 12 }; /* each edge of the picture adds at most one corner to a convex polygon */
    dls_point2 now[MOST], next[MOST];
    memcpy(now, corners, count * sizeof *now);
    for (int edge = 0; edge < 4; edge++) {
        size_t kept = 0;
        for (size_t k = 0; k < count; k++) {
            const dls_point2 a = now[k], b = now[(k + 1) % count];
            const double of_a = distance_inside(edge, a), of_b = distance_inside(edge, b);
            if (of_a >= 0.0)
                next[kept++] = a;
            if ((of_a >= 0.0) != (of_b >= 0.0))
                next[kept++] = crossing(a, b, of_a, of_b);
        }
        count = kept;
        memcpy(now, next, count * sizeof *now);
    }
    if (count > 2)
        s->on->polygon(&s->canvas, now, count, fill, edge_colour);
}

static void line(still *s, dls_point2 a, dls_point2 b, double wide, unsigned colour)
{
    for (int edge = 0; edge < 4; edge++) {
        const double of_a = distance_inside(edge, a), of_b = distance_inside(edge, b);
        if (of_a < 0.0 && of_b < 0.0)
            return;
        if (of_a < 0.0)
            a = crossing(a, b, of_a, of_b);
        else if (of_b < 0.0)
            b = crossing(a, b, of_a, of_b);
    }
    s->on->line(&s->canvas, a, b, wide, colour);
}

/* --- objects --- */

static void extend(object *o, dls_vec3 p, bool first)
{
    if (first)
        o->low = o->high = p;
    o->low = dls_v3(fmin(o->low.x, p.x), fmin(o->low.y, p.y), fmin(o->low.z, p.z));
    o->high = dls_v3(fmax(o->high.x, p.x), fmax(o->high.y, p.y), fmax(o->high.z, p.z));
}

static dls_vec3 face_normal(const dls_mesh *mesh, const size_t *face)
{
    const dls_vec3 a = mesh->points[face[0]];
    return dls_unit(dls_cross(dls_sub(mesh->points[face[1]], a), dls_sub(mesh->points[face[2]], a)));
}

static object *new_object(still *s, const dls_item *item)
{
    if (!DLS_GROW(s->objects, s->cap_objects, s->n_objects + 1))
        return NULL;
    s->objects[s->n_objects] = (object){.item = item};
    return &s->objects[s->n_objects++];
}

static dls_status no_memory(dls_error *error)
{
    return dls_fail(error, DLS_NO_MEMORY, "no memory for a still picture");
}

static int compare_depths(const void *a, const void *b)
{
    const face_depth *x = a, *y = b;
    return x->depth != y->depth ? (x->depth < y->depth ? -1 : 1) : x->face < y->face ? -1 : x->face > y->face;
}

static bool sort_faces(object *o)
{
    const dls_mesh *m = &o->mesh;
    o->order = malloc((m->n_faces + 1) * sizeof *o->order);
    for (size_t k = 0; o->order && k < m->n_faces; k++)
        o->order[k] =
            (face_depth){k, m->points[m->faces[k][0]].z + m->points[m->faces[k][1]].z + m->points[m->faces[k][2]].z};
    if (o->order)
        qsort(o->order, m->n_faces, sizeof *o->order, compare_depths);
    return o->order;
}

static dls_status add_solid(still *s, const dls_item *item, dls_error *error)
{
    double stretch;
    const dls_film_pose pose = dls_item_pose(s->film, s->frame, item, &stretch);
    object *o = new_object(s, item);
    if (!o)
        return no_memory(error);
    DLS_TRY(dls_mesh_create(&item->form, &o->mesh, error));
    o->normals = malloc((o->mesh.n_faces + 1) * sizeof *o->normals);
    if (!o->normals)
        return no_memory(error);
    for (size_t k = 0; k < o->mesh.n_points; k++) {
        const dls_vec3 p = o->mesh.points[k];
        o->mesh.points[k] = view(s, dls_add(pose.x, dls_quat_rotate(pose.q, dls_v3(p.x, p.y, stretch * p.z))));
        extend(o, o->mesh.points[k], k == 0);
    }
    for (size_t k = 0; k < o->mesh.n_faces; k++)
        o->normals[k] = face_normal(&o->mesh, o->mesh.faces[k]);
    if (!dls_surface_convex(&item->form) && !sort_faces(o))
        return no_memory(error);
    return DLS_OK;
}

static dls_status add_lines(still *s, const dls_item *item, dls_error *error)
{
    double stretch;
    const dls_film_pose pose = dls_item_pose(s->film, s->frame, item, &stretch);
    for (size_t k = 0; k < item->count; k += 2) {
        object *o = new_object(s, item);
        if (!o)
            return no_memory(error);
        for (int i = 0; i < 2; i++) {
            const dls_vec3 p = s->film->points[item->first + k + (size_t)i];
            o->end[i] = view(s, dls_add(pose.x, dls_quat_rotate(pose.q, p)));
            extend(o, o->end[i], i == 0);
        }
    }
    return DLS_OK;
}

/* --- who is before whom --- */

/* Twice the area of the triangle a, b, (x, y) in the picture; negative where they turn clockwise. */
static double area(dls_vec3 a, dls_vec3 b, double x, double y)
{
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

/* The nearest triangle of a mesh that the ray through (x, y) meets. */
static bool mesh_depth(const object *o, double x, double y, double *back)
{
    *back = -HUGE_VAL;
    for (size_t k = 0; k < o->mesh.n_faces; k++) {
        const dls_vec3 a = o->mesh.points[o->mesh.faces[k][0]], b = o->mesh.points[o->mesh.faces[k][1]],
                       c = o->mesh.points[o->mesh.faces[k][2]];
        if (x < fmin(a.x, fmin(b.x, c.x)) || x > fmax(a.x, fmax(b.x, c.x)) || y < fmin(a.y, fmin(b.y, c.y)) ||
            y > fmax(a.y, fmax(b.y, c.y)))
            continue;
        const double u = area(b, c, x, y), v = area(c, a, x, y), w = area(a, b, x, y), all = u + v + w;
        if (all != 0.0 && u / all >= 0.0 && v / all >= 0.0 && w / all >= 0.0)
            *back = fmax(*back, (u * a.z + v * b.z + w * c.z) / all);
    }
    return *back > -HUGE_VAL;
}

/* The greatest `back` at which the ray through (x, y) is inside of a solid; false where it passes it. */
static bool depth(const object *o, double x, double y, double *back)
{
    double high = HUGE_VAL, low = -HUGE_VAL;
    if (!dls_surface_convex(&o->item->form))
        return mesh_depth(o, x, y, back);
    for (size_t k = 0; k < o->mesh.n_faces; k++) {
        const dls_vec3 n = o->normals[k], p = o->mesh.points[o->mesh.faces[k][0]];
        const double rest = n.x * (p.x - x) + n.y * (p.y - y) + n.z * p.z;
        if (n.z > 1e-9)
            high = fmin(high, rest / n.z);
        else if (n.z < -1e-9)
            low = fmax(low, rest / n.z);
        else if (rest < 0.0)
            return false;
    }
    *back = high;
    return low <= high;
}

/* Above 0: a is before b; below 0: behind; 0: they do not cover each other. */
static int compare_solids(const object *a, const object *b, double small, int samples)
{
    const double x0 = fmax(a->low.x, b->low.x), x1 = fmin(a->high.x, b->high.x), y0 = fmax(a->low.y, b->low.y),
                 y1 = fmin(a->high.y, b->high.y);
    int votes = 0;
    for (int i = 0; i < samples * samples; i++) {
        const double x = x0 + (x1 - x0) * (i % samples + 0.5) / samples;
        const double y = y0 + (y1 - y0) * ((double)(i / samples) + 0.5) / samples;
        double of_a, of_b;
        if (depth(a, x, y, &of_a) && depth(b, x, y, &of_b) && fabs(of_a - of_b) > small)
            votes += of_a > of_b ? 1 : -1;
    }
    return votes;
}

static int compare_line(const object *line, const object *solid)
{
    int votes = 0;
    for (int i = 1; i < 10; i++) {
        const dls_vec3 p = dls_add(line->end[0], dls_scale(0.1 * i, dls_sub(line->end[1], line->end[0])));
        double back;
        if (depth(solid, p.x, p.y, &back))
            votes += p.z > back ? 1 : -1;
    }
    return votes;
}

static int compare(const object *a, const object *b, double small)
{
    const bool line_a = a->mesh.n_faces == 0, line_b = b->mesh.n_faces == 0;
    if (a->low.x >= b->high.x || b->low.x >= a->high.x || a->low.y >= b->high.y || b->low.y >= a->high.y)
        return 0;
    if (line_a || line_b)
        return line_a && line_b ? 0 : line_a ? compare_line(a, b) : -compare_line(b, a);
    const int votes = compare_solids(a, b, small, 8);
    return votes ? votes : compare_solids(a, b, small, 40);
}

static dls_status find_pairs(still *s, dls_error *error)
{
    for (size_t i = 0; i < s->n_objects; i++)
        for (size_t j = 0; j < i; j++) {
            const int votes = compare(&s->objects[i], &s->objects[j], 1e-6 * s->film->size);
            if (!votes)
                continue;
            if (!DLS_GROW(s->pairs, s->cap_pairs, s->n_pairs + 1))
                return no_memory(error);
            s->pairs[s->n_pairs++] = votes > 0 ? (pair){j, i} : (pair){i, j};
            s->objects[votes > 0 ? i : j].before++;
        }
    return DLS_OK;
}

static double middle(const object *o) { return o->low.z + o->high.z; }

/* The deepest object that nothing must be drawn before; in a cycle, the deepest of all. */
static object *next_object(still *s)
{
    object *next = NULL;
    for (size_t k = 0; k < s->n_objects; k++) {
        object *o = &s->objects[k];
        if (!o->drawn && (!next || (o->before == 0 && next->before > 0) ||
                          ((o->before == 0) == (next->before == 0) && middle(o) < middle(next))))
            next = o;
    }
    return next;
}

/* --- drawing --- */

static unsigned shade(unsigned colour, double light_there)
{
    unsigned shaded = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        const double value = (colour >> shift & 255u) * light_there;
        shaded |= (unsigned)fmin(255.0, value) << shift;
    }
    return shaded;
}

static void draw_face(still *s, const object *o, size_t k)
{
    const size_t *face = o->mesh.faces[k], corners = face[3] == face[2] ? 3 : 4;
    const dls_vec3 normal = o->normals[k].z < 0.0 ? dls_neg(o->normals[k]) : o->normals[k];
    dls_point2 p[4];
    for (size_t i = 0; i < corners; i++)
        p[i] = pixel(s, o->mesh.points[face[i]]);
    const unsigned fill = shade(o->item->colour, 0.72 + 0.42 * fmax(0.0, dls_dot(light, normal)));
    polygon(s, p, corners, fill, dls_surface_edges(&o->item->form) ? shade(o->item->colour, 0.55) : fill);
}

static void draw_object(still *s, const object *o)
{
    for (size_t k = 0; k < o->mesh.n_faces; k++)
        if (o->order)
            draw_face(s, o, o->order[k].face);
        else if (o->normals[k].z > 0.0)
            draw_face(s, o, k);
    if (o->mesh.n_faces == 0)
        line(s, pixel(s, o->end[0]), pixel(s, o->end[1]), dls_item_facts_of[o->item->kind].width, o->item->colour);
}

static dls_status draw_sorted(still *s, dls_error *error)
{
    DLS_TRY(find_pairs(s, error));
    for (object *o; (o = next_object(s));) {
        draw_object(s, o);
        o->drawn = true;
        for (size_t k = 0; k < s->n_pairs; k++)
            if (&s->objects[s->pairs[k].first] == o)
                s->objects[s->pairs[k].then].before--;
    }
    return DLS_OK;
}

static void forget_objects(still *s)
{
    for (size_t k = 0; k < s->n_objects; k++) {
        dls_mesh_release(&s->objects[k].mesh);
        free(s->objects[k].normals);
        free(s->objects[k].order);
    }
    s->n_objects = s->n_pairs = 0;
}

static dls_status add_items(still *s, dls_item_kind kind, dls_error *error)
{
    dls_status status = DLS_OK;
    for (size_t k = 0; k < s->film->n_items && status == DLS_OK; k++) {
        const dls_item *item = &s->film->items[k];
        if (item->kind == kind && dls_item_shown(item, s->number))
            status = dls_item_facts_of[kind].lines ? add_lines(s, item, error) : add_solid(s, item, error);
    }
    return status;
}

/* The floor is one kind over another; bodies are sorted. */
static dls_status draw_layer(still *s, dls_layer layer, bool sorted, dls_error *error)
{
    dls_status status = DLS_OK;
    for (dls_item_kind kind = 0; kind < DLS_ITEMS && status == DLS_OK; kind++)
        if (dls_item_facts_of[kind].layer == layer)
            status = add_items(s, kind, error);
    if (status == DLS_OK && sorted)
        status = draw_sorted(s, error);
    for (size_t k = 0; k < s->n_objects && status == DLS_OK && !sorted; k++)
        draw_object(s, &s->objects[k]);
    forget_objects(s);
    return status;
}

/* Joints, rods and strings are drawn over the bodies: as a line along the z of their form, or as a dot. */
static void draw_over(still *s, const dls_item *item)
{
    double stretch;
    const dls_item_facts *facts = &dls_item_facts_of[item->kind];
    const dls_film_pose pose = dls_item_pose(s->film, s->frame, item, &stretch);
    const dls_vec3 half = dls_scale(0.5 * stretch * item->form.length, dls_quat_rotate(pose.q, dls_axis3(2)));
    if (!facts->dot) {
        line(s, pixel(s, view(s, dls_sub(pose.x, half))), pixel(s, view(s, dls_add(pose.x, half))), facts->width,
             item->colour);
        return;
    }
    const double error = item->joint == DLS_NONE ? dls_film_none : s->film->errors[s->frame->error + item->joint];
    const unsigned colour = error < 0.0 ? item->colour : dls_error_colours[dls_error_class(error)].colour;
    s->on->dot(&s->canvas, pixel(s, view(s, pose.x)), 0.5 * facts->width, colour);
}

static void draw_arrows(still *s)
{
    for (size_t k = 0; k < s->frame->n_arrows; k++) {
        double length;
        const dls_film_pose pose = dls_arrow_pose(s->film, &s->film->arrows[s->frame->arrow + k], &length);
        const dls_vec3 along = dls_scale(length, dls_quat_rotate(pose.q, dls_axis3(2)));
        const dls_point2 a = pixel(s, view(s, pose.x)), b = pixel(s, view(s, dls_add(pose.x, along)));
        const double x = b.x - a.x, y = b.y - a.y, pixels = hypot(x, y), head = fmin(9.0, 0.5 * pixels);
        if (pixels < 1.5)
            continue;
        const double ux = x / pixels, uy = y / pixels;
        const dls_point2 neck = {b.x - head * ux, b.y - head * uy};
        const dls_point2 tip[] = {b,
                                  {neck.x - 0.4 * head * uy, neck.y + 0.4 * head * ux},
                                  {neck.x + 0.4 * head * uy, neck.y - 0.4 * head * ux}};
        line(s, a, neck, 1.8, DLS_FORCE_COLOUR);
        polygon(s, tip, 3, DLS_FORCE_COLOUR, DLS_FORCE_COLOUR);
    }
}

/* --- the frame of the picture --- */

typedef struct limits {
    still *s;
    double low_x, high_x, low_y, high_y;
} limits;
static void see_corner(void *context, dls_vec3 p)
{
    limits *l = context;
    const dls_vec3 v = view(l->s, p);
    l->low_x = fmin(l->low_x, v.x), l->high_x = fmax(l->high_x, v.x);
    l->low_y = fmin(l->low_y, v.y), l->high_y = fmax(l->high_y, v.y);
}

/* All that there is but planes and the grid fills the picture. */
static void fit(still *s)
{
    limits l = {s, HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};
    dls_film_corners(s->film, s->number, see_corner, &l);
    if (!(l.low_x <= l.high_x))
        l.low_x = l.low_y = -1.0, l.high_x = l.high_y = 1.0;
    const double least = 0.05 * s->camera.radius;
    const double w = fmax(l.high_x - l.low_x, least), h = fmax(l.high_y - l.low_y, least);
    s->scale = fmin((width - 2.0 * margin) / w, (height - 2.6 * margin) / h);
    s->origin.x = 0.5 * width - 0.5 * s->scale * (l.low_x + l.high_x);
    s->origin.y = 0.5 * height + 0.5 * s->scale * (l.low_y + l.high_y);
}

static void write_legend(still *s, double y)
{
    static const double step = 104.0, dot_to_text = 9.0;
    const double x0 = width - 16.0 - step * DLS_ERROR_COLOURS;
    bool marked = false;
    for (size_t k = 0; k < s->film->n_items; k++)
        marked = marked || (s->film->items[k].joint != DLS_NONE && dls_item_shown(&s->film->items[k], s->number));
    if (!marked)
        return;
    for (size_t k = 0; k < DLS_ERROR_COLOURS; k++)
        s->on->dot(&s->canvas, (dls_point2){x0 + step * (double)k, y - 4.0}, 4.5, dls_error_colours[k].colour);
    s->on->text(&s->canvas, (dls_point2){x0 - 6.0, y - 18.0}, 12, "error of the joint [m, rad]");
    for (size_t k = 0; k < DLS_ERROR_COLOURS; k++)
        s->on->text(&s->canvas, (dls_point2){x0 + step * (double)k + dot_to_text, y}, 12, dls_error_colours[k].text);
}

/* The title, a bar as long as a cell of the grid, and the meaning of the colours of joints. */
static void write_texts(still *s)
{
    char text[DLS_NAME_MAX + 64];
    const double x = 20.0, y = height - 18.0, bar = s->scale * s->film->grid;
    for (int k = 0; k < 3; k++) {
        const dls_point2 a = {k == 2 ? x + bar : x, y - (k ? 9.0 : 5.0)},
                         b = {k == 1 ? x : x + bar, y - (k ? 1.0 : 5.0)};
        line(s, a, b, 1.6, 0x20242a);
    }
    write_legend(s, y);
    snprintf(text, sizeof text, "%g m", s->film->grid);
    s->on->text(&s->canvas, (dls_point2){x + bar + 8.0, y}, 12, text);
    snprintf(text, sizeof text, s->frame->n_arrows ? "%s, %g s; arrows: contact forces" : "%s, %g s", s->film->name,
             s->frame->time);
    s->on->text(&s->canvas, (dls_point2){20.0, 30.0}, 16, text);
}

static dls_status draw_still(still *s, dls_error *error)
{
    s->number = s->film->n_frames - 1;
    s->frame = &s->film->frames[s->number];
    s->camera = dls_camera_of(s->film, s->number, s->film->n_frames);
    s->canvas.width = width, s->canvas.height = height;
    fit(s);
    s->on->begin(&s->canvas, s->film->name);
    DLS_TRY(draw_layer(s, DLS_LAYER_FLOOR, false, error));
    DLS_TRY(draw_layer(s, DLS_LAYER_BODIES, true, error));
    for (size_t k = 0; k < s->film->n_items; k++)
        if (dls_item_facts_of[s->film->items[k].kind].layer == DLS_LAYER_OVER &&
            dls_item_shown(&s->film->items[k], s->number))
            draw_over(s, &s->film->items[k]);
    draw_arrows(s);
    write_texts(s);
    s->on->end(&s->canvas);
    return DLS_OK;
}

static dls_status draw_on(const dls_film *film, const dls_canvas_ops *on, const char *terminal, FILE *out,
                          dls_error *error)
{
    still s = {.film = film, .on = on, .canvas = {.out = out, .terminal = terminal}};
    const locale_t before = dls_locale_begin(); /* numbers have a decimal point */
    const dls_status status = draw_still(&s, error);
    dls_locale_end(before);
    forget_objects(&s);
    free(s.objects);
    free(s.pairs);
    return status;
}

dls_status dls_still_svg(const dls_film *const *films, size_t count, const char *path, dls_error *error)
{
    dls_output output;
    (void)count;
    DLS_TRY(dls_output_open(&output, path, error));
    const dls_status status = draw_on(films[0], &dls_canvas_svg, NULL, output.stream, error);
    if (status == DLS_OK)
        return dls_output_commit(&output, error);
    dls_output_abandon(&output);
    return status;
}

static dls_status draw_by_gnuplot(const dls_film *film, const char *terminal, dls_figure_format format,
                                  const char *path, dls_error *error)
{
    dls_output output;
    FILE *script = tmpfile();
    dls_status status = script ? draw_on(film, &dls_canvas_gnuplot, terminal, script, error)
                               : dls_fail(error, DLS_IO, "no temporary file for gnuplot's commands");
    if (status == DLS_OK && (fflush(script) != 0 || ferror(script)))
        status = dls_fail(error, DLS_NOT_WRITTEN, "a temporary file for gnuplot's commands could not be written");
    if (status == DLS_OK)
        status = dls_output_open(&output, path, error);
    if (status == DLS_OK) {
        rewind(script);
        status = dls_gnuplot("", "-", fileno(script), format, output.stream, error);
        if (status == DLS_OK)
            status = dls_output_commit(&output, error);
        else
            dls_output_abandon(&output);
    }
    if (script)
        fclose(script);
    return status;
}

dls_status dls_still_png(const dls_film *const *films, size_t count, const char *path, dls_error *error)
{
    (void)count;
    return draw_by_gnuplot(films[0], "pngcairo size 960,720", DLS_FIGURE_PNG, path, error);
}

dls_status dls_still_pdf(const dls_film *const *films, size_t count, const char *path, dls_error *error)
{
    (void)count;
    return draw_by_gnuplot(films[0], "pdfcairo size 10,7.5", DLS_FIGURE_PDF, path, error);
}
