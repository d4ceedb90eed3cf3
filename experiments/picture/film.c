/* Films: frames of a run, taken one after another, and the contents of a frame.
 */
#include "picture.h"

#include "base/memory.h"
#include "study/rig.h"

#include <stdlib.h>
#include <string.h>

const dls_error_colour dls_error_colours[DLS_ERROR_COLOURS] = {
    {1e-9, 0x2a7f62, "below 1e-9"}, {1e-6, 0x7fb53c, "below 1e-6"}, {1e-4, 0xe5c02b, "below 1e-4"},
    {1e-3, 0xf08c26, "below 1e-3"}, {1e-2, 0xe0482f, "below 1e-2"}, {HUGE_VAL, 0x9b1150, "1e-2 or more"}};

/* Beyond this a pose has no place in a picture, nor in numbers of single precision. [m] */
static const double farthest = 1e30;

size_t dls_error_class(double error)
{
    size_t k = 0;
    while (k + 1 < DLS_ERROR_COLOURS && !(error < dls_error_colours[k].below))
        k++;
    return k;
}

dls_status dls_film_create(const char *name, const char *note, dls_film **film, dls_error *error)
{
    *film = calloc(1, sizeof **film);
    if (!*film)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a film");
    snprintf((*film)->name, sizeof(*film)->name, "%s", name);
    snprintf((*film)->note, sizeof(*film)->note, "%s", note);
    return DLS_OK;
}

void dls_film_destroy(dls_film *film)
{
    if (!film)
        return;
    for (size_t k = 0; k < film->n_meshes; k++) {
        dls_triangles_release(&film->meshes[k]->triangles);
        free(film->meshes[k]);
    }
    free(film->meshes);
    free(film->problems);
    free(film->nodes);
    free(film->items);
    free(film->points);
    free(film->frames);
    free(film->poses);
    free(film->joints);
    free(film->errors);
    free(film->residuals);
    free(film->rows);
    free(film->owners);
    dls_examiner_destroy(film->examiner);
    free(film->arrows);
    free(film->node_of);
    free(film->joint_of);
    dls_names_release(&film->node_names);
    dls_names_release(&film->joint_names);
    free(film);
}

/* --- frames --- */

static dls_status no_memory(dls_error *error) { return dls_fail(error, DLS_NO_MEMORY, "no memory for a frame"); }

static bool fits(dls_vec3 x) { return fabs(x.x) < farthest && fabs(x.y) < farthest && fabs(x.z) < farthest; }

/* Nodes that are no longer there stay where they were. */
static dls_status take_poses(dls_film *film, const dls_configuration *at, dls_film_frame *frame, dls_error *error)
{
    if (!DLS_GROW(film->poses, film->cap_poses, film->n_poses + film->n_nodes))
        return no_memory(error);
    dls_film_pose *poses = film->poses + film->n_poses;
    const dls_film_frame *last = film->n_frames ? &film->frames[film->n_frames - 1] : NULL;
    frame->pose = film->n_poses, frame->n_nodes = film->n_nodes;
    for (size_t k = 0; k < film->n_nodes; k++)
        poses[k] = last && k < last->n_nodes ? film->poses[last->pose + k] : (dls_film_pose){.q = {1, 0, 0, 0}};
    for (size_t i = 0; i < film->n_ends; i++) {
        const dls_end end = dls_configuration_end(at, i);
        poses[film->node_of[i]] = (dls_film_pose){end.x, end.q};
        film->over = film->over || !fits(end.x);
    }
    film->n_poses += film->n_nodes;
    return DLS_OK;
}

static dls_status take_errors(dls_film *film, const dls_configuration *at, dls_film_frame *frame, dls_error *error)
{
    const size_t most = film->n_errors + film->n_joints + 1;
    if (!DLS_GROW(film->errors, film->cap_errors, most) || !DLS_GROW(film->residuals, film->cap_residuals, most))
        return no_memory(error);
    double *errors = film->errors + film->n_errors;
    frame->error = film->n_errors, frame->n_errors = film->n_joints;
    for (size_t k = 0; k < film->n_joints; k++)
        errors[k] = film->residuals[film->n_errors + k] = dls_film_none;
    for (size_t j = 0; j < dls_model_count(at->model).joints; j++) {
        double linear = 0.0, angular = 0.0;
        if (film->joint_of[j] == DLS_NONE)
            continue;
        dls_joint_error(at, &dls_model_joints(at->model)[j], &linear, &angular);
        errors[film->joint_of[j]] = dls_worse(linear, angular);
        film->residuals[film->n_errors + film->joint_of[j]] = film->owners[j];
    }
    film->n_errors += film->n_joints;
    return DLS_OK;
}

/* An arrow, where it has a place in a picture, and the measure of the largest force, which counts the others too. */
static dls_status add_arrow(dls_film *film, dls_vec3 point, dls_vec3 force, size_t owner, dls_film_frame *frame,
                            dls_error *error)
{
    const double newtons = dls_norm(force);
    frame->measure[DLS_FILM_FORCE] = dls_worse(frame->measure[DLS_FILM_FORCE], newtons);
    if (!(newtons > 0.0) || !fits(point) || !fits(force))
        return DLS_OK;
    if (!DLS_GROW(film->arrows, film->cap_arrows, film->n_arrows + 1))
        return no_memory(error);
    film->arrows[film->n_arrows++] = (dls_film_arrow){point, force, film->owners[owner]};
    return DLS_OK;
}

/* A contact's force on the body that it holds up: on body 1, or the same backwards on body 2. */
static dls_vec3 holding(const dls_film *film, const dls_model *model, const size_t body[2], dls_vec3 on_first)
{
    const bool moves1 = dls_model_moves(model, body[0]), moves2 = dls_model_moves(model, body[1]);
    const bool first = moves1 && moves2 ? dls_dot(on_first, film->up) >= 0.0 : moves1;
    return first ? on_first : dls_neg(on_first);
}

/* The forces of contacts, given and detected ones. */
static dls_status take_arrows(dls_film *film, dls_simulation *s, bool stepped, dls_film_frame *frame, dls_error *error)
{
    const dls_configuration *at = dls_simulation_configuration(s);
    const dls_model *model = at->model;
    const size_t joints = dls_model_count(model).joints;
    const dls_contacts *contacts = dls_simulation_contacts(s);
    dls_constraint_force force;
    frame->arrow = film->n_arrows;
    for (size_t j = 0; j < joints && stepped; j++) {
        const dls_joint *joint = &dls_model_joints(model)[j];
        dls_end end[2];
        if (joint->type->drawing != DLS_DRAW_CONTACT)
            continue;
        DLS_TRY(dls_simulation_forces_of(s, j, &force, error));
        dls_configuration_ends(at, joint, end);
        DLS_TRY(add_arrow(film, dls_end_anchor(&end[1], &joint->frame[1]),
                          holding(film, model, joint->body, force.end[0].lin), j, frame, error));
    }
    for (size_t k = 0; stepped && k < contacts->count; k++) {
        const dls_contact *contact = &contacts->at[k];
        DLS_TRY(dls_simulation_forces_of(s, joints + k, &force, error));
        DLS_TRY(add_arrow(film, contact->point[1], holding(film, model, contact->body, force.end[0].lin), joints + k,
                          frame, error));
    }
    frame->n_arrows = film->n_arrows - frame->arrow;
    return DLS_OK;
}

dls_status dls_film_take(dls_film *film, dls_simulation *s, bool stepped, dls_examiner *examiner, dls_error *error)
{
    const dls_configuration *at = dls_simulation_configuration(s);
    dls_film_frame frame = {.time = dls_simulation_state(s)->time};
    if (film->over)
        return DLS_OK;
    const dls_film_frame *last = film->n_frames ? &film->frames[film->n_frames - 1] : NULL;
    if (last && !((float)last->time < (float)frame.time)) { /* as before and after a change: the later one holds */
        film->n_frames--;
        film->n_poses = last->pose, film->n_errors = last->error, film->n_arrows = last->arrow;
    }
    if (film->model != at->model)
        DLS_TRY(dls_film_draw(film, at, error));
    film->model = at->model;
    if (!DLS_GROW(film->frames, film->cap_frames, film->n_frames + 1))
        return no_memory(error);
    DLS_TRY(take_poses(film, at, &frame, error));
    if (film->over)
        return DLS_OK;
    DLS_TRY(dls_film_measure_take(film, s, stepped, examiner, &frame, error));
    DLS_TRY(take_errors(film, at, &frame, error));
    DLS_TRY(take_arrows(film, s, stepped, &frame, error));
    film->frames[film->n_frames++] = frame;
    return DLS_OK;
}

/* --- the grid and the arrows, by all frames --- */

/* The least height of all visible corners. */
typedef struct lowest {
    dls_vec3 up;
    double height;
} lowest;
static void see_lowest(void *context, dls_vec3 p)
{
    lowest *of = context;
    of->height = fmin(of->height, dls_dot(of->up, p));
}

/* 1, 2 or 5 times a power of ten, about a seventh of the whole. */
static double grid_of(double size)
{
    const double most = size / 6.0, power = pow(10.0, floor(log10(most)));
    return power * (most < 2.0 * power ? 1.0 : most < 5.0 * power ? 2.0 : 5.0);
}

/* The first plane that one can stand on; NULL: there is none. */
static dls_item *floor_of(dls_film *film)
{
    for (size_t k = 0; k < film->n_items; k++) {
        double stretch;
        if (film->items[k].kind != DLS_ITEM_PLANE || !dls_item_shown(&film->items[k], 0))
            continue;
        const dls_film_pose pose = dls_item_pose(film, &film->frames[0], &film->items[k], &stretch);
        if (dls_dot(dls_quat_rotate(pose.q, dls_axis3(2)), film->up) > 0.5)
            return &film->items[k];
    }
    return NULL;
}

static double snap(double x, double cell) { return cell * round(x / cell); }

/* Lines on the floor, or where there is none a little below the lowest that is seen. */
static dls_status add_grid(dls_film *film, dls_error *error)
{
    dls_item item = {
        .kind = DLS_ITEM_GRID, .owner = "grid", .joint = DLS_NONE, .until = SIZE_MAX, .first = film->n_points};
    dls_item *plane = floor_of(film);
    const size_t cells = (size_t)ceil(0.8 * film->size / film->grid);
    const double side = 2.0 * film->grid * (double)cells;
    item.colour = dls_item_facts_of[item.kind].colour;
    if (plane) {
        item.node[0] = item.node[1] = plane->node[0];
        item.frame = plane->frame;
        item.frame.p = dls_v3(snap(plane->frame.p.x, film->grid), snap(plane->frame.p.y, film->grid), 0.0);
        plane->frame.p.x = item.frame.p.x, plane->frame.p.y = item.frame.p.y;
        plane->form.size = dls_v3(side, side, 0.0);
    } else {
        lowest of = {film->up, HUGE_VAL};
        dls_film_corners(film, 0, see_lowest, &of);
        const double floor_at = of.height;
        for (size_t k = 1; k < film->n_frames; k++)
            dls_film_corners(film, k, see_lowest, &of);
        const double height = isfinite(of.height) ? fmax(of.height, floor_at - film->size) - 0.02 * film->size : 0.0;
        item.frame.q = dls_quat_between(dls_axis3(2), film->up);
        const dls_vec3 middle = dls_quat_rotate(dls_quat_conj(item.frame.q), dls_camera_of(film, 0, 1).target);
        const dls_vec3 p = dls_v3(snap(middle.x, film->grid), snap(middle.y, film->grid), height);
        item.frame.p = dls_quat_rotate(item.frame.q, p);
    }
    item.count = 4 * (2 * cells + 1);
    if (!DLS_GROW(film->points, film->cap_points, film->n_points + item.count) ||
        !DLS_GROW(film->items, film->cap_items, film->n_items + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the grid of a picture");
    for (size_t k = 0; k <= 2 * cells; k++) {
        const double x = film->grid * ((double)k - (double)cells), half = 0.5 * side;
        dls_vec3 *p = film->points + film->n_points;
        p[0] = dls_v3(x, -half, 0), p[1] = dls_v3(x, half, 0);
        p[2] = dls_v3(-half, x, 0), p[3] = dls_v3(half, x, 0);
        film->n_points += 4;
    }
    film->items[film->n_items++] = item;
    return DLS_OK;
}

dls_status dls_film_finish(dls_film *film, dls_error *error)
{
    double largest = 0.0;
    if (film->n_frames == 0)
        return dls_fail(error, DLS_REFUSED, "there is no state that has a place in a picture");
    for (size_t k = 0; k < film->n_frames; k++)
        for (size_t i = 0; i < film->frames[k].n_arrows; i++)
            largest = fmax(largest, dls_norm(film->arrows[film->frames[k].arrow + i].force));
    film->arrow_scale = film->weight > 0.0 ? 0.5 * film->size / film->weight
                        : largest > 0.0    ? film->size / (3.0 * largest)
                                           : 0.0;
    film->grid = grid_of(film->size);
    return add_grid(film, error);
}
