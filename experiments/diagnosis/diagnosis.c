/* A mechanism in its initial state: the sizes of its parts, the rows of its first step, and what is found in them. */
#include "parts.h"

#include "base/arithmetic.h"
#include "mesh/hull.h"
#include "mesh/mesh_file.h"

#include <math.h>
#include <stdio.h>

/* --- sizes --- */

static void extend(double *extent, double distance)
{
    if (isfinite(distance))
        *extent = fmax(*extent, distance);
}

/* The distance of a shape's farthest point from its origin, and its thickness. Planes have neither. */
static double shape_extent(const dls_solid *solid, double *thickness)
{
    const double half = 0.5 * solid->length, r = solid->radius;
    *thickness = 2.0 * r;
    switch (solid->shape) {
    case DLS_SHAPE_BOX:
        *thickness = fmin(solid->size.x, fmin(solid->size.y, solid->size.z));
        return 0.5 * dls_norm(solid->size);
    case DLS_SHAPE_ELLIPSOID:
        *thickness = fmin(solid->size.x, fmin(solid->size.y, solid->size.z));
        return 0.5 * fmax(solid->size.x, fmax(solid->size.y, solid->size.z));
    case DLS_SHAPE_SPHERE:
        return r;
    case DLS_SHAPE_CAPSULE:
        return half + r;
    case DLS_SHAPE_CYLINDER:
        *thickness = fmin(2.0 * r, solid->length);
        return hypot(half, r);
    case DLS_SHAPE_MESH:
        *thickness = HUGE_VAL;
        return solid->hull ? solid->hull->size : NAN;
    default:
        *thickness = HUGE_VAL;
        return NAN;
    }
}

/* A mesh that a visual shows, if its file can be read: the farthest of its corners from the centre of mass of its end,
 * and the volume of the box around them. Files are missing where a robot came without them: nothing is known then. */
static double mesh_extent(const dls_visual *visual, double *room)
{
    char path[DLS_PATH_MAX];
    dls_error own;
    dls_triangles mesh = {.count = 0};
    double extent = NAN;
    if (visual->mesh && dls_mesh_place(visual->mesh, visual->model, path, &own) == DLS_OK &&
        dls_mesh_read(path, visual->scale, &mesh, &own) == DLS_OK && mesh.count > 0) {
        extent = 0.0;
        *room = 8.0 * mesh.half.x * mesh.half.y * mesh.half.z;
        for (size_t i = 0; i < 3 * mesh.count; i++)
            extent = fmax(extent,
                          dls_norm(dls_add(visual->frame.p,
                                           dls_quat_rotate(visual->frame.q, dls_add(mesh.middle, mesh.corners[i])))));
    }
    dls_triangles_release(&mesh);
    return extent;
}

static void measure_visual(diagnosis_scene *scene, const dls_visual *visual)
{
    const dls_solid as = {
        .shape = visual->shape, .size = visual->size, .radius = visual->radius, .length = visual->length};
    double thickness, room = diagnosis_volume(&as);
    const double extent = visual->shape == DLS_SHAPE_NONE ? mesh_extent(visual, &room)
                                                          : dls_norm(visual->frame.p) + shape_extent(&as, &thickness);
    extend(&scene->extent[visual->end], extent);
    scene->whole[visual->end] = true;
    scene->room[visual->end] += isfinite(extent) ? room : NAN;
}

static void measure_solids(diagnosis_scene *scene)
{
    const dls_solid *solids = dls_model_solids(scene->model);
    for (size_t n = 0; n < scene->has.solids; n++) {
        const dls_solid *solid = &solids[n];
        double thickness;
        const double extent = shape_extent(solid, &thickness);
        scene->thickness[solid->end] = fmin(scene->thickness[solid->end], thickness);
        extend(&scene->extent[solid->end], dls_norm(solid->frame.p) + extent);
        scene->whole[solid->end] = true;
    }
    const dls_visual *visuals = dls_model_visuals(scene->model);
    for (size_t n = 0; n < scene->has.visuals; n++)
        measure_visual(scene, &visuals[n]);
    for (size_t end = 0; end < scene->has.ends; end++)
        scene->whole[end] = scene->whole[end] && !isnan(scene->room[end]);
}

/* Anchors of joints belong to a body as its shapes do. */
static void measure_anchors(diagnosis_scene *scene)
{
    const dls_joint *joints = dls_model_joints(scene->model);
    for (size_t n = 0; n < scene->has.joints; n++)
        for (int k = 0; k < 2; k++)
            if (joints[n].body[k] != DLS_WORLD && joints[n].type->pair != DLS_PAIR_NONE)
                extend(&scene->extent[joints[n].body[k]], dls_norm(joints[n].frame[k].p));
    const dls_model_articulation *all = dls_model_articulations(scene->model);
    for (size_t n = 0; n < scene->has.articulations; n++)
        for (size_t i = 0; i < all[n].tree->n_links; i++) {
            const dls_link *link = &all[n].tree->links[i];
            if (link->parent == DLS_NONE)
                continue;
            extend(&scene->extent[all[n].first_end + i], dls_norm(link->d));
            extend(&scene->extent[all[n].first_end + link->parent], dls_norm(link->l));
        }
}

/* Half the diagonal of the box around the centres of mass of all that moves, and the largest extent. */
static double measure_length(const diagnosis_scene *scene)
{
    dls_vec3 least = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, most = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double largest = 0.0;
    for (size_t end = 0; end < scene->has.ends; end++) {
        if (!dls_model_moves(scene->model, end))
            continue;
        const dls_vec3 x = dls_configuration_end(scene->at, end).x;
        least = dls_v3(fmin(least.x, x.x), fmin(least.y, x.y), fmin(least.z, x.z));
        most = dls_v3(fmax(most.x, x.x), fmax(most.y, x.y), fmax(most.z, x.z));
        largest = fmax(largest, scene->extent[end]);
    }
    const double box = least.x <= most.x ? 0.5 * dls_norm(dls_sub(most, least)) : 0.0;
    return fmax(box, largest);
}

/* --- a mechanism --- */

static void weigh_articulations(diagnosis_scene *scene)
{
    const dls_model_articulation *all = dls_model_articulations(scene->model);
    for (size_t n = 0; n < scene->has.articulations; n++)
        dls_articulation_gravity_force(scene->at->works[n], scene->world->gravity, scene->weight + all[n].offset);
}

static dls_status measure_scene(diagnosis_scene *scene, dls_error *error)
{
    const dls_state *start = dls_model_initial(scene->model);
    scene->extent = DLS_TAKE_ZEROS(&scene->memory, double, scene->has.ends);
    scene->whole = DLS_TAKE_ZEROS(&scene->memory, bool, scene->has.ends);
    scene->room = DLS_TAKE_ZEROS(&scene->memory, double, scene->has.ends);
    scene->weight = DLS_TAKE_ZEROS(&scene->memory, double, scene->has.nv);
    scene->thickness = DLS_TAKE(&scene->memory, double, scene->has.ends);
    if (scene->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the sizes of %zu bodies", scene->has.ends);
    for (size_t i = 0; i < scene->has.ends; i++)
        scene->thickness[i] = HUGE_VAL;
    DLS_TRY(dls_configuration_create(scene->model, &scene->at, error));
    dls_configuration_evaluate(scene->at, start);
    measure_solids(scene);
    measure_anchors(scene);
    weigh_articulations(scene);
    scene->length = scene->into->length = measure_length(scene);
    return DLS_OK;
}

/* The contacts and rows of the first step. */
static dls_status find_rows(diagnosis_scene *scene, dls_error *error)
{
    DLS_TRY(dls_configuration_factor(scene->at, error));
    if (scene->world->collide) {
        dls_collider *collider = NULL;
        dls_status status = dls_collider_create(scene->model, &collider, error);
        if (status == DLS_OK)
            status = dls_collider_find_at(collider, scene->at, &scene->contacts, error);
        dls_collider_destroy(collider);
        DLS_TRY(status);
    }
    DLS_TRY(dls_row_list_create(&scene->rows, error));
    return dls_row_list_fill(scene->rows, scene->at, &scene->contacts, scene->step, error);
}

static dls_status diagnose_first_problem(const diagnosis_scene *scene, dls_error *error)
{
    dls_problem *problem = NULL;
    DLS_TRY(dls_problem_create(scene->model, dls_model_initial(scene->model), &scene->contacts, scene->step, &problem,
                               error));
    const dls_status status = dls_diagnose_problem(scene->into, problem, scene->iterations, error);
    dls_problem_destroy(problem);
    return status;
}

/* Sizes without which some causes are not found: of the mechanism, of meshes as shapes, and of visuals. */
static dls_status tell_unknown_sizes(const diagnosis_scene *scene, dls_error *error)
{
    size_t moving = 0, meshes = 0, missing = 0;
    char reason[120];
    const dls_solid *solids = dls_model_solids(scene->model);
    for (size_t end = 0; end < scene->has.ends; end++) {
        moving += dls_model_moves(scene->model, end) ? 1 : 0;
        missing += dls_model_moves(scene->model, end) && isnan(scene->room[end]) ? 1 : 0;
    }
    for (size_t n = 0; n < scene->has.solids; n++)
        meshes += solids[n].shape == DLS_SHAPE_MESH && dls_model_moves(scene->model, solids[n].end) ? 1 : 0;
    if (moving > 0 && !(scene->length > 0.0))
        DLS_TRY(diagnosis_unmeasured(scene->into, "inertias and the step against the size of the mechanism are",
                                     "it has no shape, visual or anchor away from its centre of mass", error));
    snprintf(reason, sizeof reason, "%zu shapes are meshes, whose volume and thickness are not known", meshes);
    if (meshes > 0)
        DLS_TRY(diagnosis_unmeasured(scene->into, "densities, tunnelling and the depth of soft contacts are in part",
                                     reason, error));
    snprintf(reason, sizeof reason, "%zu parts have visuals of unknown size, such as meshes that cannot be read",
             missing);
    return missing > 0
               ? diagnosis_unmeasured(scene->into, "sizes of bodies, and their densities, are in part", reason, error)
               : DLS_OK;
}

static dls_status diagnose_parts(diagnosis_scene *scene, dls_error *error)
{
    DLS_TRY(measure_scene(scene, error));
    DLS_TRY(tell_unknown_sizes(scene, error));
    DLS_TRY(diagnosis_bodies(scene, error));
    if (scene->into->singular)
        return DLS_OK;
    DLS_TRY(find_rows(scene, error));
    DLS_TRY(diagnosis_start(scene, error));
    DLS_TRY(diagnosis_springs(scene, error));
    return scene->rows->n > 0 ? diagnose_first_problem(scene, error) : DLS_OK;
}

dls_status dls_diagnose_model(dls_diagnosis *diagnosis, const dls_model *model, const dls_diagnosis_settings *settings,
                              dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    const dls_world_def *world = dls_model_world(model);
    diagnosis_scene scene = {.into = diagnosis, .model = model, .has = dls_model_count(model), .world = world};
    scene.step = settings && settings->step > 0.0 ? settings->step : world->step;
    scene.iterations = settings && settings->iterations ? settings->iterations : world->position_iterations;
    const dls_status status = diagnose_parts(&scene, error);
    dls_row_list_destroy(scene.rows);
    dls_contacts_release(&scene.contacts);
    dls_configuration_destroy(scene.at);
    dls_arena_release(&scene.memory);
    return status;
}
