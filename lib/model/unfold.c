/* Articulations in maximal coordinates.
 *
 * A body stands for each link with a mass, at the centre of mass of the link. The initial poses and velocities follow
 * from forward kinematics at the initial state, and the joints are placed there: their anchors and axes are those of
 * the tree, and hinges and sliders begin with the coordinate of the tree's joint.
 */
#include "delassus/unfold.h"

#include "delassus/configuration.h"
#include "delassus/start.h"
#include "mesh/mesh_file.h"
#include "model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct unfolding {
    const dls_scene *from;
    dls_scene *to;
    unsigned without;
    dls_model *model;      /* of `from`, */
    dls_configuration *at; /* at its initial state */
    size_t *body;          /* links of all articulations: the link, counted in the same way, whose body it is part of */
    dls_error *error;
} unfolding;

/* A link of an articulation. */
typedef struct leaf {
    const dls_model_articulation *of;
    const dls_articulation_def *def;
    const dls_articulation *tree;
    const dls_articulation_work *work;
    size_t i; /* in the tree */
} leaf;

static leaf leaf_of(const unfolding *u, size_t a, size_t i)
{
    const dls_model_articulation *of = &u->model->articulations[a];
    return (leaf){of, u->from->articulations[a], of->tree, u->at->works[a], i};
}

static size_t number_of(const unfolding *u, const leaf *l, size_t i)
{
    return l->of->first_end - u->model->n_bodies + i;
}

#define REFUSE_LINK(u, l, key, ...)                                                            \
    dls_fail_at((u)->error, DLS_REFUSED, (l)->def->file[0] ? (l)->def->file : (u)->from->file, \
                (l)->tree->defs[(l)->i].place.line, (l)->tree->defs[(l)->i].place.column, key, __VA_ARGS__)

/* "ARTICULATION.NAME" into text[DLS_NAME_MAX]. */
static dls_status whole_name(const unfolding *u, const leaf *l, const char *name, char *text)
{
    const int length = snprintf(text, DLS_NAME_MAX, "%s.%s", l->tree->name, name);
    return length < DLS_NAME_MAX
               ? DLS_OK
               : REFUSE_LINK(u, l, "name", "the names of articulation '%s' and '%s' are too long together for a body",
                             l->tree->name, name);
}

static bool link_is_still(const leaf *l) { return dls_articulation_last_dof(l->tree, l->i) == DLS_NONE; }

/* --- which link is which body --- */

static size_t root_link(const unfolding *u, size_t k)
{
    while (u->body[k] != k)
        k = u->body[k];
    return k;
}

/* Whether link i of the tree is part of the body whose root is the link `l`. */
static bool is_part(const unfolding *u, const leaf *l, size_t i)
{
    return root_link(u, number_of(u, l, i)) == number_of(u, l, l->i);
}

/* Whether a link alone may move as a body: with a mass, and an inertia about each axis. */
static bool makes_body(const dls_link_def *def)
{
    const double *I = def->inertia.m;
    return def->mass > 0.0 && I[0] > 0.0 && I[0] * I[4] - I[1] * I[1] > 0.0 && dls_det3(def->inertia) > 0.0;
}

/* A link that moves and makes no body belongs to the one that it is fixed to, its parent or a descendant. */
static dls_status find_body(const unfolding *u, const leaf *l)
{
    const dls_link *link = &l->tree->links[l->i];
    const size_t own = number_of(u, l, l->i);
    if (link->parent == DLS_NONE || link->n_dofs > 0 || link_is_still(l))
        return DLS_OK;
    const size_t above = root_link(u, number_of(u, l, link->parent)),
                 holder = above - number_of(u, l, 0); /* in the tree */
    if (!makes_body(&l->tree->defs[l->i]))
        u->body[own] = above;
    else if (!makes_body(&l->tree->defs[holder]))
        u->body[above] = own;
    return DLS_OK;
}

/* Whether a link is a body, and no other one adds mass or inertia to it. */
static bool is_alone(const unfolding *u, const leaf *l)
{
    for (size_t i = 0; i < l->tree->n_links; i++) {
        const double *I = l->tree->defs[i].inertia.m;
        if (i != l->i && (l->tree->defs[i].mass > 0.0 || I[0] + I[4] + I[8] > 0.0) && is_part(u, l, i))
            return false;
    }
    return is_part(u, l, l->i);
}

static dls_status check_body(const unfolding *u, const leaf *l)
{
    const dls_link_def *def = &l->tree->defs[l->i];
    const dls_articulation_load load =
        dls_state_load(u->model, u->model->initial, (size_t)(l->of - u->model->articulations));
    if (link_is_still(l))
        return DLS_OK;
    if (!is_alone(u, l) && (dls_norm(load.force[l->i].lin) > 0.0 || dls_norm(load.force[l->i].ang) > 0.0))
        return REFUSE_LINK(u, l, "force", "a force acts on link '%s', which is no body of its own", def->name);
    return DLS_OK;
}

static dls_status for_every_link(const unfolding *u, dls_status (*act)(const unfolding *, const leaf *))
{
    for (size_t a = 0; a < u->model->n_articulations; a++)
        for (size_t i = 0; i < u->model->articulations[a].tree->n_links; i++) {
            const leaf l = leaf_of(u, a, i);
            DLS_TRY(act(u, &l));
        }
    return DLS_OK;
}

/* --- bodies --- */

/* Names a mesh, which the file of the link names, so that any file may. */
static dls_status find_mesh(const unfolding *u, const leaf *l, char mesh[DLS_PATH_MAX])
{
    char found[DLS_PATH_MAX];
    DLS_TRY(dls_mesh_place(mesh, l->def->file, found, u->error));
    return dls_mesh_absolute(found, mesh) ? DLS_OK
                                          : REFUSE_LINK(u, l, "mesh", "the path of '%.100s' is too long", found);
}

/* Mass, centre of mass and inertia of the links that are one body, world frame; the link is its root. */
typedef struct lump {
    double mass;
    dls_vec3 centre;
    dls_mat3 inertia;
} lump;

static lump gather_links(const unfolding *u, const leaf *l)
{
    const dls_vec3 at = dls_articulation_end(l->work, l->i).x;
    dls_vec3 moment = dls_v3(0, 0, 0);
    dls_rigid_inertia sum = {0};
    double mass = 0.0;
    for (size_t i = 0; i < l->tree->n_links; i++)
        if (is_part(u, l, i)) {
            mass += l->tree->defs[i].mass;
            moment = dls_add(moment, dls_scale(l->tree->defs[i].mass, dls_sub(dls_articulation_end(l->work, i).x, at)));
        }
    const dls_vec3 centre = mass > 0.0 ? dls_add(at, dls_scale(1.0 / mass, moment)) : at;
    for (size_t i = 0; i < l->tree->n_links; i++)
        if (is_part(u, l, i)) {
            const dls_end end = dls_articulation_end(l->work, i);
            const double *I = l->tree->defs[i].inertia.m;
            const dls_sym3 own = {I[0], I[1], I[2], I[4], I[5], I[8]};
            const dls_rigid_inertia one = {l->tree->defs[i].mass, dls_v3(0, 0, 0), dls_sym3_rotate(&end.R, &own)};
            dls_rigid_gather(&sum, &one, dls_sub(end.x, centre));
        }
    const dls_sym3 *J = &sum.J;
    return (lump){mass, centre, {{J->xx, J->xy, J->xz, J->xy, J->yy, J->yz, J->xz, J->yz, J->zz}}};
}

/* The body of a link: its own mass and inertia where it is alone, in the axes of the link. */
static lump find_lump(const unfolding *u, const leaf *l)
{
    const dls_link_def *def = &l->tree->defs[l->i];
    const dls_end end = dls_articulation_end(l->work, l->i);
    if (is_alone(u, l))
        return (lump){def->mass, end.x, def->inertia};
    lump all = gather_links(u, l);
    all.inertia = dls_rotate_tensor(dls_quat_matrix(dls_quat_conj(end.q)), all.inertia);
    return all;
}

/* Adds the shapes of the links that are the body of this one, `name`. */
static dls_status add_shapes(const unfolding *u, const leaf *l, const char *name, dls_vec3 centre)
{
    const dls_end body = dls_articulation_end(l->work, l->i);
    for (size_t k = 0; k < l->def->n_shapes; k++) {
        dls_link_shape shape = l->def->shapes[k];
        const size_t i = dls_articulation_find_link(l->tree, shape.link);
        if (shape.passes || !is_part(u, l, i))
            continue;
        const dls_end own = dls_articulation_end(l->work, i);
        const dls_quat back = dls_quat_conj(body.q);
        const dls_vec3 arm = dls_sub(shape.frame.p, l->tree->defs[i].centre);
        memcpy(shape.link, name, sizeof shape.link);
        if (i == l->i)
            shape.frame.p = dls_add(arm, dls_quat_rotate(back, dls_sub(own.x, centre)));
        else
            shape.frame =
                (dls_frame){dls_quat_rotate(back, dls_add(dls_quat_rotate(own.q, arm), dls_sub(own.x, centre))),
                            dls_quat_unit(dls_quat_mul(back, dls_quat_mul(own.q, shape.frame.q)))};
        if (shape.shape == DLS_SHAPE_NONE && u->from->world.collide && u->from->world.meshes == DLS_MESHES_HULL)
            DLS_TRY(find_mesh(u, l, shape.mesh));
        DLS_TRY(dls_scene_add_body_shape(u->to, &shape, u->error));
    }
    return DLS_OK;
}

static dls_status add_link(const unfolding *u, const leaf *l)
{
    const dls_link_def *def = &l->tree->defs[l->i];
    const dls_end end = dls_articulation_end(l->work, l->i);
    dls_body_def body;
    if (!is_part(u, l, l->i))
        return DLS_OK;
    const lump all = find_lump(u, l);
    const double *I = all.inertia.m;
    dls_body_default(&body);
    DLS_TRY(whole_name(u, l, def->name, body.name));
    body.place = def->place;
    body.is_static = link_is_still(l);
    body.position = all.centre;
    body.orientation = end.q;
    if (!body.is_static && !(all.mass > 0.0))
        return REFUSE_LINK(u, l, "mass",
                           "link '%s' has no mass and moves, which no body can; give it a mass, or one joint with "
                           "several axes in the place of several joints",
                           def->name);
    if (!body.is_static) {
        const dls_articulation_load load =
            dls_state_load(u->model, u->model->initial, (size_t)(l->of - u->model->articulations));
        body.mass = all.mass;
        body.inertia = dls_v3(I[0], I[4], I[8]);
        body.inertia_off = dls_v3(I[1], I[2], I[5]);
        body.velocity = dls_add(end.v, dls_cross(end.omega, dls_sub(all.centre, end.x))), body.omega = end.omega;
        body.force = load.force[l->i].lin, body.torque = load.force[l->i].ang;
    }
    DLS_TRY(dls_scene_add_body(u->to, &body, u->error));
    return add_shapes(u, l, body.name, all.centre);
}

/* --- joints of the tree --- */

/* The anchor on the link, and the axes of the degrees of freedom. */
static dls_status set_joint(const unfolding *u, const leaf *l, dls_joint_def *joint)
{
    const dls_link *link = &l->tree->links[l->i];
    const dls_link_work *at = &l->work->links[l->i];
    const dls_spatial *S = l->work->S + link->dof;
    const dls_articulation_state state =
        dls_state_articulation(u->model, u->model->initial, (size_t)(l->of - u->model->articulations));
    DLS_TRY(dls_joint_set_vector(joint, "anchor", dls_sub(at->c, at->d), u->error));
    if (link->n_dofs == 2) {
        DLS_TRY(dls_joint_set_vector(joint, "axis1", S[1].ang, u->error));
        return dls_joint_set_vector(joint, "axis2", S[0].ang, u->error);
    }
    if (link->n_dofs != 1)
        return DLS_OK;
    DLS_TRY(dls_joint_set_vector(joint, "axis", link->motion->slides ? S->lin : S->ang, u->error));
    return dls_joint_set_number(joint, "start", dls_articulation_unwrapped(l->tree, &state, l->i), u->error);
}

static dls_status name_ends(const unfolding *u, const leaf *l, dls_joint_def *joint)
{
    for (int k = 0; k < 2; k++) {
        const size_t i = k ? l->tree->links[l->i].parent : l->i;
        const size_t body = root_link(u, number_of(u, l, i)) - number_of(u, l, 0);
        DLS_TRY(whole_name(u, l, l->tree->defs[body].name, joint->body[k]));
    }
    return DLS_OK;
}

/* A constant force on the coordinate of a joint. */
static dls_status add_effort(const unfolding *u, const leaf *l)
{
    const dls_link *link = &l->tree->links[l->i];
    const dls_link_def *def = &l->tree->defs[l->i];
    const dls_articulation_load load =
        dls_state_load(u->model, u->model->initial, (size_t)(l->of - u->model->articulations));
    char coordinate[DLS_NAME_MAX], name[DLS_NAME_MAX];
    dls_joint_def joint = {0};
    bool any = false;
    for (size_t k = 0; k < link->n_dofs; k++)
        any = any || load.tau[link->dof + k] != 0.0;
    if (!any)
        return DLS_OK;
    if (link->n_dofs != 1)
        return REFUSE_LINK(u, l, "effort",
                           "a force acts on the axes of joint '%s', which a joint of bodies does not have", def->joint);
    DLS_TRY(whole_name(u, l, def->joint, coordinate));
    if (snprintf(name, sizeof name, "%s effort", coordinate) >= (int)sizeof name)
        return REFUSE_LINK(u, l, "name", "the name of joint '%s' is too long", def->joint);
    dls_status status = dls_joint_default(&joint, "drive", u->error);
    joint.place = def->place;
    if (status == DLS_OK)
        status = dls_joint_set(&joint, "name", name, u->error);
    if (status == DLS_OK)
        status = dls_joint_couple(&joint, coordinate, 1.0, u->error);
    if (status == DLS_OK)
        status = dls_joint_set(&joint, "method", "explicit", u->error);
    if (status == DLS_OK)
        status = dls_joint_set_number(&joint, "feed", load.tau[link->dof], u->error);
    if (status == DLS_OK)
        status = dls_scene_add_joint(u->to, &joint, u->error);
    dls_joint_def_release(&joint);
    return status;
}

static dls_status add_tree_joint(const unfolding *u, const leaf *l)
{
    const dls_link *link = &l->tree->links[l->i];
    const dls_link_def *def = &l->tree->defs[l->i];
    dls_joint_def joint = {0};
    if (link->parent == DLS_NONE || link_is_still(l) ||
        root_link(u, number_of(u, l, l->i)) == root_link(u, number_of(u, l, link->parent)))
        return DLS_OK;
    for (size_t k = 0; k < link->n_dofs && !(u->without & DLS_UNFOLD_WITHOUT_ARMATURE); k++)
        if (l->tree->armature[link->dof + k] > 0.0)
            return REFUSE_LINK(u, l, "armature", "joint '%s' has an armature, which a joint between bodies cannot have",
                               def->joint);
    dls_status status = dls_joint_default(&joint, link->motion->joint, u->error);
    joint.place = def->place;
    if (status == DLS_OK)
        status = whole_name(u, l, def->joint, joint.name);
    if (status == DLS_OK)
        status = name_ends(u, l, &joint);
    if (status == DLS_OK)
        status = set_joint(u, l, &joint);
    if (status == DLS_OK)
        status = dls_scene_add_joint(u->to, &joint, u->error);
    dls_joint_def_release(&joint);
    return status == DLS_OK ? add_effort(u, l) : status;
}

/* --- pairs that do not touch --- */

static dls_status keep_apart(const unfolding *u, const leaf *l)
{
    for (size_t k = l->i + 1; k < l->tree->n_links && u->from->world.collide; k++) {
        const size_t pair[2] = {l->i, k};
        dls_apart_def apart;
        if (dls_model_may_touch(u->model, l->of->first_end + l->i, l->of->first_end + k) ||
            root_link(u, number_of(u, l, l->i)) == root_link(u, number_of(u, l, k)))
            continue;
        dls_apart_default(&apart);
        apart.place = l->tree->defs[k].place;
        for (int end = 0; end < 2; end++) {
            const size_t body = root_link(u, number_of(u, l, pair[end])) - number_of(u, l, 0);
            DLS_TRY(whole_name(u, l, l->tree->defs[body].name, apart.body[end]));
        }
        DLS_TRY(dls_scene_add_apart(u->to, &apart, u->error));
    }
    return DLS_OK;
}

/* --- parts of the scene that are copied --- */

static dls_status refuse_part(const unfolding *u, dls_place at, const char *key, const char *name, const char *why)
{
    return dls_fail_at(u->error, DLS_REFUSED, u->from->file, at.line, at.column, key, "'%s' %s", name, why);
}

/* The link of that name; false: a body or the world. */
static bool find_leaf(const unfolding *u, const char *name, leaf *l)
{
    size_t i;
    const size_t end = dls_model_find_end(u->model, name);
    const dls_model_articulation *of = end == DLS_NONE ? NULL : dls_model_articulation_of(u->model, end, &i);
    if (of)
        *l = leaf_of(u, (size_t)(of - u->model->articulations), i);
    return of != NULL;
}

/* The name of the body that a link belongs to. */
static dls_status rename_end(const unfolding *u, char name[DLS_NAME_MAX])
{
    leaf l;
    if (!find_leaf(u, name, &l))
        return DLS_OK;
    const size_t body = root_link(u, number_of(u, &l, l.i)) - number_of(u, &l, 0);
    return whole_name(u, &l, l.tree->defs[body].name, name);
}

/* Whether a joint is placed in the same way whatever the centres of mass of its ends are. */
static bool joint_is_placed_alone(const dls_joint_def *joint) { return joint->type->pair != DLS_PAIR_NONE; }

static dls_status check_terms(const unfolding *u, const dls_joint_def *joint)
{
    for (size_t t = 0; t < joint->n_terms; t++) {
        const char *name = joint->terms[t].coordinate;
        const size_t dof = dls_names_find(&u->model->names.dofs, name);
        for (size_t a = 0; a < u->model->n_articulations && dof != SIZE_MAX; a++) {
            const dls_articulation *tree = u->model->articulations[a].tree;
            const size_t length = strlen(tree->name);
            if (strncmp(name, tree->name, length) == 0 && name[length] == '.' && dof < tree->nv &&
                tree->links[tree->dof_link[dof]].n_dofs != 1)
                return refuse_part(
                    u, joint->terms[t].place, "coordinates", joint->name,
                    "acts on a coordinate of a joint with several axes, which a joint between bodies does "
                    "not have");
        }
    }
    return DLS_OK;
}

/* The setpoint that a start has given a drive. */
static dls_status set_setpoint(const unfolding *u, size_t j, dls_joint_def *joint)
{
    const dls_joint *of = &u->model->joints[j];
    double scheduled[DLS_JOINT_STATE_MAX];
    if (!u->from->world.start[0] || !of->type->driven || of->type->schedule(of, 0.0, scheduled))
        return DLS_OK;
    const double *from = u->model->initial->joint_state + of->joint_state;
    DLS_TRY(dls_joint_set_number(joint, "target", from[0], u->error));
    DLS_TRY(dls_joint_set_number(joint, "speed", from[1], u->error));
    return dls_joint_set_number(joint, "feed", from[2], u->error);
}

static dls_status copy_joint(const unfolding *u, size_t j)
{
    const dls_joint_def *from = &u->from->joints[j];
    leaf l;
    for (int k = 0; k < 2 && !from->n_terms; k++) {
        if (!joint_is_placed_alone(from) && find_leaf(u, from->body[k], &l) && !is_alone(u, &l))
            return refuse_part(u, from->place, "type", from->name,
                               "is placed by the centre of mass of a link that is no body of its own");
        if (u->from->world.start[0])
            return refuse_part(u, from->place, "start", from->name,
                               "is placed where the definitions are, before the start of the run; leave out the start");
    }
    DLS_TRY(check_terms(u, from));
    dls_joint_def joint = *from;
    joint.terms = NULL, joint.n_terms = 0;
    joint.settings = (dls_settings){0};
    dls_status status = dls_settings_copy(&from->settings, &joint.settings, u->error);
    for (size_t t = 0; t < from->n_terms && status == DLS_OK; t++) {
        status = dls_joint_couple_polynomial(&joint, from->terms[t].coordinate, from->terms[t].gears, u->error);
        if (status == DLS_OK)
            joint.terms[t].place = from->terms[t].place;
    }
    for (int k = 0; k < 2 && status == DLS_OK; k++)
        status = rename_end(u, joint.body[k]);
    if (status == DLS_OK)
        status = set_setpoint(u, j, &joint);
    if (status == DLS_OK)
        status = dls_scene_add_joint(u->to, &joint, u->error);
    dls_joint_def_release(&joint);
    return status;
}

static dls_status copy_sensor(const unfolding *u, const dls_sensor_def *from)
{
    dls_sensor_def sensor = *from;
    leaf l;
    if (!find_leaf(u, from->link, &l))
        return dls_scene_add_sensor(u->to, &sensor, u->error);
    if (from->incoming || from->tree != from->constraints)
        return refuse_part(
            u, from->place, from->incoming ? "incoming" : "tree", from->name,
            "measures one kind of joints, and those of links and of the scene are one kind between bodies");
    if (!is_alone(u, &l))
        return refuse_part(u, from->place, "link", from->name, "is on a link that is no body of its own");
    sensor.position = dls_sub(from->position, l.tree->defs[l.i].centre);
    return dls_scene_add_sensor(u->to, &sensor, u->error);
}

static dls_status copy_parts(const unfolding *u)
{
    const dls_scene *from = u->from;
    for (size_t j = 0; j < from->n_joints; j++)
        DLS_TRY(copy_joint(u, j));
    for (size_t k = 0; k < from->n_sensors; k++)
        DLS_TRY(copy_sensor(u, &from->sensors[k]));
    for (size_t k = 0; k < from->n_apart; k++) {
        dls_apart_def apart = from->apart[k];
        for (int i = 0; i < 2; i++)
            DLS_TRY(rename_end(u, apart.body[i]));
        DLS_TRY(dls_scene_add_apart(u->to, &apart, u->error));
    }
    for (size_t k = 0; k < from->n_surfaces; k++)
        DLS_TRY(dls_scene_add_surface(u->to, &from->surfaces[k], u->error));
    for (size_t k = 0; k < from->n_pairs; k++)
        DLS_TRY(dls_scene_add_pair(u->to, &from->pairs[k], u->error));
    return DLS_OK;
}

/* --- the scene --- */

static dls_status check_scene(const dls_scene *scene, dls_error *error)
{
    if (scene->n_changes)
        return dls_fail_at(error, DLS_REFUSED, scene->file, scene->changes[0].place.line, 0, "changes",
                           "changes of a scene are not unfolded; leave them out");
    if (scene->n_tracks)
        return dls_fail_at(error, DLS_REFUSED, scene->file, scene->tracks[0].line, 0, "tracks",
                           "tracks are not unfolded; leave out '%s'", scene->tracks[0].name);
    if (scene->n_articulations && (scene->world.medium_density > 0.0 || scene->world.medium_viscosity > 0.0))
        return dls_fail_about(error, DLS_REFUSED, scene->file, "medium_density",
                              "the medium acts on links otherwise than on bodies; leave it out");
    return DLS_OK;
}

static dls_status copy_world(const unfolding *u)
{
    dls_scene *to = u->to;
    memcpy(to->name, u->from->name, sizeof to->name);
    memcpy(to->file, u->from->file, sizeof to->file);
    to->world = u->from->world;
    to->world.start[0] = '\0';
    to->world.coordinates = DLS_COORDINATES_REDUCED;
    to->ignored = DLS_ALL_ASPECTS; /* those that the original scene may leave out have been checked */
    for (size_t a = 0; a < u->model->n_articulations; a++) {
        const dls_model_articulation *of = &u->model->articulations[a];
        const dls_articulation_def *def = u->from->articulations[a];
        if (isfinite(of->com_speed) || isfinite(of->com_angular_speed))
            return dls_fail_about(
                u->error, DLS_REFUSED, def->file, isfinite(of->com_speed) ? "com_speed" : "com_angular_speed",
                "articulation '%s' has a maximum speed of its centre of mass, which bodies cannot have", def->name);
        if (of->position_iterations > to->world.position_iterations)
            to->world.position_iterations = of->position_iterations;
        if (of->velocity_iterations > to->world.velocity_iterations)
            to->world.velocity_iterations = of->velocity_iterations;
    }
    for (size_t i = 0; i < u->from->n_bodies; i++)
        DLS_TRY(dls_scene_add_body(to, &u->from->bodies[i], u->error));
    for (size_t k = 0; k < u->from->n_body_shapes; k++)
        DLS_TRY(dls_scene_add_body_shape(to, &u->from->body_shapes[k], u->error));
    return DLS_OK;
}

static dls_status unfold_all(unfolding *u)
{
    DLS_TRY(check_scene(u->from, u->error));
    DLS_TRY(dls_model_create_reduced(u->from, &u->model, u->error));
    DLS_TRY(dls_configuration_create(u->model, &u->at, u->error));
    dls_configuration_evaluate(u->at, u->model->initial);
    DLS_TRY(dls_scene_create(&u->to, u->error));
    if (!(u->body = calloc(u->model->n_links + 1, sizeof *u->body)))
        return dls_fail(u->error, DLS_NO_MEMORY, "no memory for %zu links", u->model->n_links);
    for (size_t k = 0; k < u->model->n_links; k++)
        u->body[k] = k;
    DLS_TRY(for_every_link(u, find_body));
    DLS_TRY(for_every_link(u, check_body));
    DLS_TRY(copy_world(u));
    DLS_TRY(for_every_link(u, add_link));
    DLS_TRY(for_every_link(u, add_tree_joint));
    DLS_TRY(for_every_link(u, keep_apart));
    return copy_parts(u);
}

dls_status dls_scene_unfold(const dls_scene *scene, unsigned without, dls_scene **unfolded, dls_error *error)
{
    unfolding u = {.from = scene, .without = without, .error = error};
    const dls_status status = unfold_all(&u);
    dls_configuration_destroy(u.at);
    dls_model_destroy(u.model);
    free(u.body);
    *unfolded = status == DLS_OK ? u.to : NULL;
    if (status != DLS_OK)
        dls_scene_destroy(u.to);
    return status;
}

/* --- states --- */

/* The centre of mass of a body from that of the end that it stands for, in their axes: links that are one body. */
static dls_vec3 centre_of_body(const dls_configuration *start, size_t end, const dls_model *bodies, size_t i)
{
    const dls_end e = dls_configuration_end(start, end);
    return dls_quat_rotate(dls_quat_conj(e.q), dls_sub(dls_model_initial(bodies)->x[i], e.x));
}

static dls_status unfold_bodies(const dls_configuration *start, const dls_configuration *at, const dls_model *bodies,
                                dls_state *to, dls_error *error)
{
    for (size_t i = 0; i < bodies->n_bodies; i++) {
        const dls_body *body = &bodies->bodies[i];
        const size_t end = dls_model_find_end(at->model, body->name);
        if (end == DLS_NONE)
            return dls_fail(error, DLS_BAD_ARGUMENT, "there is no body or link '%s' in the other model", body->name);
        const dls_end e = dls_configuration_end(at, end);
        const dls_vec3 arm = dls_quat_rotate(e.q, centre_of_body(start, end, bodies, i)),
                       v = dls_add(e.v, dls_cross(e.omega, arm));
        to->x[i] = dls_add(e.x, arm);
        to->q[i] = e.q;
        if (body->offset != DLS_NONE)
            dls_spatial_put((dls_spatial){v, e.omega}, to->v + body->offset);
        else if (body->prescribed != DLS_NONE)
            to->prescribed[body->prescribed] = (dls_spatial){v, e.omega};
    }
    return DLS_OK;
}

/* The coordinate that a hinge or slider has measured, and the numbers that a joint keeps. */
static void unfold_joint(const dls_model *model, const dls_state *state, const dls_joint *joint, size_t j,
                         dls_state *to)
{
    const size_t own = dls_model_find_joint(model, joint->name);
    if (own != DLS_NONE && model->joints[own].type == joint->type) {
        memcpy(to->joint_state + joint->joint_state, state->joint_state + model->joints[own].joint_state,
               joint->type->n_state * sizeof *to->joint_state);
        to->measured[j] = state->measured[own];
        to->broken[j] = state->broken[own];
        return;
    }
    for (size_t a = 0; a < model->n_articulations && joint->measured; a++) {
        const dls_articulation *tree = model->articulations[a].tree;
        const size_t length = strlen(tree->name);
        if (strncmp(joint->name, tree->name, length) != 0 || joint->name[length] != '.')
            continue;
        const size_t i = dls_articulation_find_joint(tree, joint->name + length + 1);
        const dls_articulation_state from = dls_state_articulation(model, state, a);
        if (i != DLS_NONE && tree->links[i].n_dofs == 1)
            to->measured[j] = dls_articulation_unwrapped(tree, &from, i);
    }
}

dls_status dls_state_unfold(const dls_model *model, const dls_state *state, const dls_model *bodies, dls_state *to,
                            dls_error *error)
{
    dls_configuration *start = NULL, *at = NULL;
    dls_status status = dls_configuration_create(model, &start, error);
    if (status == DLS_OK)
        status = dls_configuration_create(model, &at, error);
    if (status == DLS_OK) {
        dls_configuration_evaluate(start, model->initial);
        dls_configuration_evaluate(at, state);
        status = unfold_bodies(start, at, bodies, to, error);
    }
    to->time = state->time;
    for (size_t j = 0; j < bodies->n_joints && status == DLS_OK; j++)
        unfold_joint(model, state, &bodies->joints[j], j, to);
    dls_configuration_destroy(at);
    dls_configuration_destroy(start);
    return status;
}
