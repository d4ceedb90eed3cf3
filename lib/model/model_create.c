/* From a scene to a checked, immutable model. */
#include "delassus/change.h"

#include "base/arithmetic.h"
#include "model_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef dls_where where;

/* --- bodies --- */

static dls_status compile_kinematic(where w, const dls_body_def *def, dls_body *body, size_t *n_prescribed)
{
    const bool swings = dls_norm(def->swing) > 0.0;
    if (def->is_static)
        return dls_model_bad(w, "static", "a body is static or kinematic; leave out one of the two");
    if (!isnan(def->mass) || !isnan(def->density) || !isnan(def->inertia.x))
        return dls_model_bad(w,
                             !isnan(def->mass)      ? "mass"
                             : !isnan(def->density) ? "density"
                                                    : "inertia",
                             "a kinematic body has no mass: nothing that acts on it moves it");
    if (dls_norm(def->force) + dls_norm(def->torque) > 0.0)
        return dls_model_bad(w, dls_norm(def->force) > 0.0 ? "force" : "torque",
                             "nothing that acts on a kinematic body moves it");
    if (def->shape == DLS_SHAPE_PLANE && dls_norm(def->omega) > 0.0)
        return dls_model_bad(w, "omega", "a plane that turns sweeps all of space; make it a box");
    if (!dls_finite3(def->swing) || swings != !isnan(def->period))
        return dls_model_bad(w, swings ? "period" : "swing", "a swing needs both, swing and period, finite");
    body->prescribed = (*n_prescribed)++;
    body->swing = def->swing;
    body->velocity = def->velocity;
    body->period = swings ? def->period : 1.0;
    body->phase = def->phase;
    return DLS_OK;
}

static dls_status compile_body(where w, const dls_body_def *def, dls_body *body, size_t *nv, size_t *n_prescribed)
{
    const dls_quat q = def->orientation;
    DLS_TRY(dls_body_shape(def, w.scene->file, w.error));
    DLS_TRY(dls_model_check(w, &dls_body_fields, def));
    if (!(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-9))
        return dls_model_bad(w, "orientation", "must be a unit quaternion");
    memcpy(body->name, def->name, sizeof body->name);
    body->shape = (dls_shape)def->shape;
    body->size = def->size, body->radius = def->radius, body->length = def->length;
    body->collide = def->collide && def->shape != DLS_SHAPE_NONE;
    body->force = def->force, body->torque = def->torque;
    body->offset = body->block = body->prescribed = DLS_NONE;
    if (def->kinematic)
        return compile_kinematic(w, def, body, n_prescribed);
    if (dls_norm(def->swing) > 0.0 || !isnan(def->period))
        return dls_model_bad(w, dls_norm(def->swing) > 0.0 ? "swing" : "period", "only a kinematic body swings");
    if (def->is_static)
        return dls_norm(def->velocity) + dls_norm(def->omega) > 0.0
                   ? dls_model_bad(w, "velocity", "a static body does not move")
                   : DLS_OK;
    DLS_TRY(dls_body_mass(def, w.scene->file, &body->mass, &body->inertia, w.error));
    DLS_TRY(dls_model_body_inertia(w.scene, def, &body->inertia, w.error));
    body->offset = *nv;
    body->block = *nv / 6;
    *nv += 6;
    return DLS_OK;
}

static void compile_state(const dls_scene *scene, const dls_model *model, dls_state *state)
{
    for (size_t i = 0; i < model->n_bodies; i++) {
        const dls_body_def *def = &scene->bodies[i];
        state->x[i] = def->position;
        state->q[i] = def->orientation;
        if (model->bodies[i].prescribed != DLS_NONE) {
            const dls_body *body = &model->bodies[i];
            const double rate = 2.0 * DLS_PI / body->period * cos(body->phase);
            state->prescribed[body->prescribed] =
                (dls_spatial){dls_add(def->velocity, dls_scale(rate, body->swing)), def->omega};
        }
        if (model->bodies[i].offset == DLS_NONE)
            continue;
        double *v = state->v + model->bodies[i].offset;
        v[0] = def->velocity.x, v[1] = def->velocity.y, v[2] = def->velocity.z;
        v[3] = def->omega.x, v[4] = def->omega.y, v[5] = def->omega.z;
    }
}

/* --- articulations --- */

static dls_status compile_articulation(const dls_scene *scene, const dls_articulation_def *def, dls_model *model,
                                       dls_model_articulation *articulation, dls_error *error)
{
    DLS_TRY(dls_articulation_create(def, &articulation->tree, error));
    DLS_TRY(dls_model_link_inertias(scene, def, articulation->tree, error));
    dls_status status = dls_articulation_check_dynamics(articulation->tree, error);
    if (status != DLS_OK)
        return dls_fail_place(error, status, def->file, 0, 0, NULL);
    articulation->self_collision = def->self_collision;
    articulation->position_iterations = def->position_iterations;
    articulation->velocity_iterations = def->velocity_iterations;
    articulation->com_speed = def->com_speed;
    articulation->com_angular_speed = def->com_angular_speed;
    if (!(def->com_speed > 0.0) || !(def->com_angular_speed > 0.0))
        return dls_fail_about(error, DLS_BAD_INPUT, def->file, def->com_speed > 0.0 ? "com_angular_speed" : "com_speed",
                              "articulation '%s': a greatest speed must be greater than 0", def->name);
    model->n_clamped += isfinite(def->com_speed) || isfinite(def->com_angular_speed);
    articulation->offset = model->nv;
    articulation->block = articulation->tree->nv > 0 ? model->n_blocks++ : DLS_NONE;
    articulation->position = model->n_coordinates;
    articulation->first_end = model->n_ends;
    model->nv += articulation->tree->nv;
    model->n_coordinates += articulation->tree->nq;
    model->n_links += articulation->tree->n_links;
    model->n_ends += articulation->tree->n_links;
    return DLS_OK;
}

/* Positions, speeds and forces as defined. */
static dls_status compile_articulation_state(const dls_model *model, size_t a, dls_state *state, dls_error *error)
{
    const dls_articulation *tree = model->articulations[a].tree;
    dls_articulation_state *defined, articulation = dls_state_articulation(model, state, a);
    dls_articulation_load load = dls_state_load(model, state, a);
    DLS_TRY(dls_articulation_state_create(tree, &defined, error));
    dls_articulation_state_copy(&articulation, defined);
    dls_articulation_state_destroy(defined);
    dls_state_set_root(state, a, &articulation);
    for (size_t k = tree->n_base; k < tree->nv; k++)
        load.tau[k] = tree->defs[tree->dof_link[k]].effort[k - tree->links[tree->dof_link[k]].dof];
    for (size_t i = 0; i < tree->n_links; i++)
        load.force[i] = (dls_spatial){tree->defs[i].force, tree->defs[i].torque};
    return DLS_OK;
}

/* --- tracks --- */

static dls_status compile_tracks(const dls_scene *scene, dls_model *model, dls_error *error)
{
    model->tracks = DLS_TAKE_ZEROS(&model->memory, dls_track, scene->n_tracks);
    if (!model->tracks)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu tracks", scene->n_tracks);
    for (size_t t = 0; t < scene->n_tracks; t++) {
        const dls_track_def *def = &scene->tracks[t];
        dls_status status = dls_track_create(def, &model->tracks[t], error);
        if (status != DLS_OK)
            return dls_fail_place(error, status, scene->file, def->line, def->column, NULL);
        model->n_tracks = t + 1;
    }
    return DLS_OK;
}

/* --- sensors --- */

static dls_status compile_sensor(where w, const dls_model *model, const dls_sensor_def *def, dls_sensor *sensor)
{
    const dls_quat q = def->orientation;
    size_t link;
    memcpy(sensor->name, def->name, sizeof sensor->name);
    DLS_TRY(dls_model_end_of(w, model, def->link, "link", &sensor->end));
    if (sensor->end == DLS_WORLD)
        return dls_model_bad(w, "link", "a sensor is fixed to a body or a link, not to the world");
    if (!dls_finite3(def->position))
        return dls_model_bad(w, "position", "must be finite");
    if (!(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-9))
        return dls_model_bad(w, "orientation", "must be a unit quaternion");
    const dls_model_articulation *articulation = dls_model_articulation_of(model, sensor->end, &link);
    if (def->incoming && !articulation)
        return dls_model_bad(w, "incoming", "a body has no joint of its own; put the sensor on a link");
    sensor->frame.p = articulation ? dls_sub(def->position, articulation->tree->defs[link].centre) : def->position;
    sensor->frame.q = q;
    sensor->gravity = def->gravity, sensor->constraints = def->constraints, sensor->tree = def->tree,
    sensor->incoming = def->incoming;
    sensor->axes = (dls_sensor_axes)def->axes;
    return DLS_OK;
}

static dls_status compile_sensors(const dls_scene *scene, dls_model *model, dls_error *error)
{
    model->sensors = DLS_TAKE_ZEROS(&model->memory, dls_sensor, scene->n_sensors);
    if (!model->sensors)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu sensors", scene->n_sensors);
    for (size_t k = 0; k < scene->n_sensors; k++)
        DLS_TRY(compile_sensor((where){scene, scene->sensors[k].place, error}, model, &scene->sensors[k],
                               &model->sensors[k]));
    model->n_sensors = scene->n_sensors;
    return DLS_OK;
}

/* --- the model --- */

static dls_status check_world(const dls_scene *scene, dls_error *error)
{
    const dls_world_def *world = &scene->world;
    where w = {scene, {0, 0}, error};
    if (!(world->step > 0.0) || !isfinite(world->step))
        return dls_model_bad(w, "step", "must be positive and finite");
    DLS_TRY(dls_model_check(w, &dls_world_fields, world));
    return scene->n_bodies + scene->n_articulations
               ? DLS_OK
               : dls_model_bad(w, "bodies", "the scene has no bodies and no articulations");
}

/* The initial state, and the joints, which are placed at its configuration. */
static dls_status compile_initial(const dls_scene *scene, dls_model *model, dls_configuration *at,
                                  const dls_former *former, dls_error *error)
{
    compile_state(scene, model, model->initial);
    for (size_t a = 0; a < model->n_articulations; a++)
        DLS_TRY(compile_articulation_state(model, a, model->initial, error));
    dls_configuration_evaluate(at, model->initial);
    if (former->model) {
        dls_state_copy(former->there, model->initial);
        DLS_TRY(dls_change_place(former->model, former->state, model, former->there));
        dls_configuration_evaluate(former->at, former->there);
    }
    DLS_TRY(dls_model_compile_joints(scene, model, at, former, error));
    DLS_TRY(dls_model_start(scene, model, error));
    dls_configuration_evaluate(at, model->initial);
    for (size_t j = 0; j < model->n_joints; j++)
        if (model->joints[j].measured)
            model->initial->measured[j] = model->joints[j].start;
    dls_configuration_measure(at, model->initial, 0.0);
    return DLS_OK;
}

static dls_status model_compile(const dls_scene *scene, dls_model *model, dls_former *former, dls_error *error)
{
    DLS_TRY(dls_scene_check_dropped(scene, DLS_ALL_ASPECTS, error));
    DLS_TRY(check_world(scene, error));
    memcpy(model->name, scene->name, sizeof model->name);
    model->world = scene->world;
    model->n_bodies = model->n_ends = scene->n_bodies;
    model->bodies = DLS_TAKE_ZEROS(&model->memory, dls_body, scene->n_bodies);
    model->articulations = DLS_TAKE_ZEROS(&model->memory, dls_model_articulation, scene->n_articulations);
    if (!model->bodies || !model->articulations)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a model of %zu bodies", scene->n_bodies);
    for (size_t i = 0; i < scene->n_bodies; i++)
        DLS_TRY(compile_body((where){scene, scene->bodies[i].place, error}, &scene->bodies[i], &model->bodies[i],
                             &model->nv, &model->n_prescribed));
    model->n_blocks = model->nv / 6;
    for (size_t a = 0; a < scene->n_articulations; a++) {
        model->n_articulations = a + 1; /* dls_model_destroy frees these, also on failure */
        DLS_TRY(compile_articulation(scene, scene->articulations[a], model, &model->articulations[a], error));
    }
    for (size_t j = 0; j < scene->n_joints; j++) {
        model->n_joint_state += scene->joints[j].type->n_state;
        model->n_owners += scene->joints[j].type->advance != NULL;
        model->n_terms += scene->joints[j].n_terms;
    }
    DLS_TRY(compile_tracks(scene, model, error));
    dls_configuration *at = NULL;
    DLS_TRY(dls_model_name_all(scene, model, error));
    DLS_TRY(compile_sensors(scene, model, error));
    DLS_TRY(dls_model_compile_solids(scene, model, error));
    DLS_TRY(dls_model_compile_surfaces(scene, model, error));
    DLS_TRY(dls_model_compile_visuals(scene, model, error));
    DLS_TRY(dls_model_compile_medium(scene, model, error));
    model->n_joints = scene->n_joints; /* there is room for all; as yet there is none */
    dls_status status = dls_state_create(model, &model->initial, error);
    if (status == DLS_OK)
        status = dls_configuration_create(model, &at, error);
    if (status == DLS_OK && former->model)
        status = dls_state_create(model, &former->there, error);
    if (status == DLS_OK && former->model)
        status = dls_configuration_create(model, &former->at, error);
    model->n_joints = 0;
    if (status == DLS_OK)
        status = compile_initial(scene, model, at, former, error);
    dls_configuration_destroy(former->at);
    dls_state_destroy(former->there);
    dls_configuration_destroy(at);
    return status == DLS_OK ? dls_model_compile_apart(scene, model, error) : status;
}

static dls_status model_create(const dls_scene *scene, dls_former former, dls_model **model, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    *model = calloc(1, sizeof **model);
    if (!*model)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a model");
    dls_status status = model_compile(scene, *model, &former, error);
    if (status != DLS_OK) {
        dls_model_destroy(*model);
        *model = NULL;
    }
    return status;
}

dls_status dls_model_create_reduced(const dls_scene *scene, dls_model **model, dls_error *error)
{
    return model_create(scene, (dls_former){0}, model, error);
}

dls_status dls_model_create_changed(const dls_scene *scene, const dls_model *model, const dls_state *state,
                                    dls_model **changed, dls_error *error)
{
    *changed = NULL;
    if (scene->world.coordinates == DLS_COORDINATES_MAXIMAL && scene->n_articulations)
        return dls_fail_about(error, DLS_REFUSED, scene->file, "coordinates",
                              "a scene in maximal coordinates has no changes; write coordinates: reduced");
    DLS_TRY(dls_state_check(model, state, error));
    return model_create(scene, (dls_former){.model = model, .state = state}, changed, error);
}
