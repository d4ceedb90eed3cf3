#include "delassus/mass.h"
#include "model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- mass properties ------------------------------------------------------------------------------------------- */

/* Volume [m^3] and principal inertias per unit mass [m^2] of the solid shapes, body frame, axis along z. */
typedef struct solid { double volume; dls_vec3 inertia; } solid;

static solid solid_box(const dls_body_def *b)
{
    dls_vec3 s = b->size;
    return (solid){s.x * s.y * s.z, dls_scale(1.0 / 12.0, dls_v3(s.y * s.y + s.z * s.z, s.x * s.x + s.z * s.z, s.x * s.x + s.y * s.y))};
}

static solid solid_sphere(const dls_body_def *b)
{
    double r = b->radius, i = 0.4 * r * r;
    return (solid){4.0 / 3.0 * DLS_PI * r * r * r, dls_v3(i, i, i)};
}

static solid solid_cylinder(const dls_body_def *b)
{
    double r = b->radius, l = b->length, side = (3.0 * r * r + l * l) / 12.0;
    return (solid){DLS_PI * r * r * l, dls_v3(side, side, 0.5 * r * r)};
}

/* A cylinder and two half spheres of the same density. A half sphere of mass m has 2/5 m r^2 about a diameter of its flat
 * face, and its centre of mass 3/8 r above it; moved to the distance l/2 of the face: 2/5 r^2 + l^2/4 + 3/8 l r. */
static solid solid_capsule(const dls_body_def *b)
{
    double r = b->radius, l = b->length;
    solid c = solid_cylinder(b), s = solid_sphere(b);
    double volume = c.volume + s.volume, share = s.volume / volume;
    double side = (1.0 - share) * c.inertia.x + share * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
    return (solid){volume, dls_v3(side, side, (1.0 - share) * c.inertia.z + share * s.inertia.z)};
}

typedef struct shape_facts {
    bool size, radius, length; /* which dimensions it has */
    solid (*solid)(const dls_body_def *); /* NULL: has no mass of its own */
} shape_facts;
static const shape_facts shapes[] = {
    [DLS_SHAPE_NONE] = {false, false, false, NULL},         [DLS_SHAPE_BOX] = {true, false, false, solid_box},
    [DLS_SHAPE_SPHERE] = {false, true, false, solid_sphere}, [DLS_SHAPE_CAPSULE] = {false, true, true, solid_capsule},
    [DLS_SHAPE_CYLINDER] = {false, true, true, solid_cylinder}, [DLS_SHAPE_PLANE] = {false, false, false, NULL},
};

typedef dls_where where;

dls_status dls_model_bad(where w, const char *key, const char *message)
{
    return dls_fail_at(w.error, DLS_BAD_INPUT, w.scene->file, w.place.line, w.place.column, key, "%s", message);
}

static dls_status bad(where w, const char *key, const char *message) { return dls_model_bad(w, key, message); }

static dls_status check_dimensions(where w, const dls_body_def *def)
{
    const shape_facts *facts = &shapes[def->shape];
    if (facts->size && !(def->size.x > 0.0 && def->size.y > 0.0 && def->size.z > 0.0))
        return bad(w, "size", "a box needs size: [x, y, z], all positive");
    if (facts->radius && !(def->radius > 0.0))
        return bad(w, "radius", "this shape needs a positive radius");
    if (facts->length && !(def->length > 0.0))
        return bad(w, "length", "this shape needs a positive length");
    if (!facts->size && isfinite(def->size.x))
        return bad(w, "size", "only a box has a size; leave it out");
    return DLS_OK;
}

static dls_mat3 tensor(dls_vec3 d, dls_vec3 o) { return (dls_mat3){{d.x, o.x, o.y, o.x, d.y, o.z, o.y, o.z, d.z}}; }

static dls_status mass_properties(where w, const dls_body_def *def, dls_body *body)
{
    const shape_facts *facts = &shapes[def->shape];
    bool has_mass = !isnan(def->mass), has_density = !isnan(def->density), has_inertia = !isnan(def->inertia.x);
    if (def->shape == DLS_SHAPE_PLANE)
        return bad(w, "static", "a plane has no mass; write static: true");
    if (has_mass == has_density)
        return bad(w, "mass", has_mass ? "give mass or density, not both" : "a body that moves needs a mass or a density");
    if (!facts->solid && (has_density || !has_inertia))
        return bad(w, has_density ? "density" : "inertia", "a body without shape needs mass and inertia");
    solid s = facts->solid ? facts->solid(def) : (solid){0};
    body->mass = has_mass ? def->mass : def->density * s.volume;
    if (!(body->mass > 0.0) || !isfinite(body->mass) || !(1.0 / body->mass < HUGE_VAL))
        return bad(w, has_mass ? "mass" : "density", "the mass must be positive and finite");
    dls_vec3 off = isnan(def->inertia_off.x) ? dls_v3(0, 0, 0) : def->inertia_off;
    body->inertia = has_inertia ? tensor(def->inertia, off) : tensor(dls_scale(body->mass, s.inertia), dls_v3(0, 0, 0));
    const char *fault = dls_inertia_fault(body->inertia);
    return fault ? bad(w, "inertia", fault) : DLS_OK;
}

/* --- bodies ------------------------------------------------------------------------------------------------------ */

static dls_status finite_motion(where w, const dls_body_def *def)
{
    const struct { const char *key; dls_vec3 value; } values[] = {
        {"position", def->position}, {"velocity", def->velocity}, {"omega", def->omega}, {"force", def->force}, {"torque", def->torque}};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (!dls_finite3(values[i].value))
            return bad(w, values[i].key, "must be finite");
    dls_quat q = def->orientation;
    if (!(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-9))
        return bad(w, "orientation", "must be a unit quaternion");
    return DLS_OK;
}

static dls_status compile_body(where w, const dls_body_def *def, dls_body *body, size_t *nv)
{
    DLS_TRY(check_dimensions(w, def));
    DLS_TRY(finite_motion(w, def));
    memcpy(body->name, def->name, sizeof body->name);
    body->shape = (dls_shape)def->shape;
    body->size = def->size, body->radius = def->radius, body->length = def->length;
    body->collide = def->collide && def->shape != DLS_SHAPE_NONE;
    body->force = def->force, body->torque = def->torque;
    body->offset = DLS_NONE;
    if (def->is_static)
        return dls_norm(def->velocity) + dls_norm(def->omega) > 0.0 ? bad(w, "velocity", "a static body does not move") : DLS_OK;
    DLS_TRY(mass_properties(w, def, body));
    body->offset = *nv;
    *nv += 6;
    return DLS_OK;
}

static void compile_state(const dls_scene *scene, const dls_model *model, dls_state *state)
{
    for (size_t i = 0; i < model->n_bodies; i++) {
        const dls_body_def *def = &scene->bodies[i];
        state->x[i] = def->position;
        state->q[i] = def->orientation;
        if (model->bodies[i].offset == DLS_NONE)
            continue;
        double *v = state->v + model->bodies[i].offset;
        v[0] = def->velocity.x, v[1] = def->velocity.y, v[2] = def->velocity.z;
        v[3] = def->omega.x, v[4] = def->omega.y, v[5] = def->omega.z;
    }
}

/* --- articulations ------------------------------------------------------------------------------------------------- */

static dls_status compile_member(const dls_articulation_def *def, dls_model *model, dls_member *member, dls_error *error)
{
    DLS_TRY(dls_articulation_create(def, &member->tree, error));
    member->offset = model->nv;
    member->position = model->n_coordinates;
    member->first_end = model->n_ends;
    model->nv += member->tree->nv;
    model->n_coordinates += member->tree->nq;
    model->n_links += member->tree->n_links;
    model->n_ends += member->tree->n_links;
    return DLS_OK;
}

/* Positions, speeds and forces as defined. */
static dls_status compile_member_state(const dls_articulation *tree, dls_articulation_state *state, dls_articulation_load *load, dls_error *error)
{
    dls_articulation_state *own;
    DLS_TRY(dls_articulation_state_create(tree, &own, error));
    dls_articulation_state_copy(state, own);
    dls_articulation_state_destroy(own);
    for (size_t k = tree->n_base; k < tree->nv; k++)
        load->tau[k] = tree->defs[tree->dof_link[k]].effort[k - tree->links[tree->dof_link[k]].dof];
    for (size_t i = 0; i < tree->n_links; i++)
        load->force[i] = (dls_spatial){tree->defs[i].force, tree->defs[i].torque};
    return DLS_OK;
}

/* --- the model ------------------------------------------------------------------------------------------------------ */

static dls_status check_world(const dls_scene *scene, dls_error *error)
{
    const dls_world_def *world = &scene->world;
    where w = {scene, {0, 0}, error};
    if (!dls_finite3(world->gravity))
        return bad(w, "gravity", "must be finite");
    if (!(world->step > 0.0) || !isfinite(world->step))
        return bad(w, "step", "must be positive");
    return scene->n_bodies + scene->n_articulations ? DLS_OK : bad(w, "bodies", "the scene has no bodies and no articulations");
}

static dls_status compile(const dls_scene *scene, dls_model *model, dls_error *error)
{
    DLS_TRY(check_world(scene, error));
    memcpy(model->name, scene->name, sizeof model->name);
    model->world = scene->world;
    model->n_bodies = model->n_ends = scene->n_bodies;
    model->bodies = calloc(scene->n_bodies + 1, sizeof *model->bodies);
    model->members = calloc(scene->n_articulations + 1, sizeof *model->members);
    if (!model->bodies || !model->members)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a model of %zu bodies", scene->n_bodies);
    for (size_t i = 0; i < scene->n_bodies; i++)
        DLS_TRY(compile_body((where){scene, scene->bodies[i].place, error}, &scene->bodies[i], &model->bodies[i], &model->nv));
    for (size_t a = 0; a < scene->n_articulations; a++) {
        model->n_members = a + 1; /* what dls_model_destroy is to free, also on failure */
        DLS_TRY(compile_member(scene->articulations[a], model, &model->members[a], error));
    }
    model->n_joints = scene->n_joints;
    dls_status status = dls_state_create(model, &model->initial, error);
    model->n_joints = 0;
    DLS_TRY(status);
    compile_state(scene, model, model->initial);
    for (size_t a = 0; a < model->n_members; a++)
        DLS_TRY(compile_member_state(model->members[a].tree, &model->initial->members[a], &model->initial->loads[a], error));
    DLS_TRY(dls_model_compile_joints(scene, model, error));
    dls_state_measure(model, model->initial, model->initial->v, 0.0);
    return DLS_OK;
}

dls_status dls_model_create(const dls_scene *scene, dls_model **model, dls_error *error)
{
    *model = calloc(1, sizeof **model);
    if (!*model)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a model");
    dls_status status = compile(scene, *model, error);
    if (status != DLS_OK) {
        dls_model_destroy(*model);
        *model = NULL;
    }
    return status;
}

void dls_model_destroy(dls_model *model)
{
    if (!model)
        return;
    for (size_t i = 0; i < model->n_joints; i++) {
        free((void *)model->joints[i].settings);
        free(model->joints[i].terms);
        free(model->joints[i].spans);
    }
    dls_state_destroy(model->initial);
    for (size_t a = 0; a < model->n_members; a++)
        dls_articulation_destroy(model->members[a].tree);
    free(model->bodies);
    free(model->members);
    free(model->joints);
    free(model);
}
