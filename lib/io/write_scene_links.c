/* Articulations of a scene as a drawing of the mechanism: every link at its place in the world where the joint frames
 * coincide, with the root where it starts. There a joint is a point and its axes, and its coordinate is 0; that of the
 * start is written. The link frame becomes the one at the centre of mass with the same axes.
 */
#include "write_scene.h"

#include "delassus/articulation.h"
#include "scene_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct drawing {
    const dls_scene_writer *w;
    const dls_articulation_def *def;
    const dls_articulation *tree;
    dls_frame *at; /* n_links: the link frames in the world */
} drawing;

static dls_frame frame_in(dls_frame outer, dls_frame inner)
{
    return (dls_frame){dls_add(outer.p, dls_quat_rotate(outer.q, inner.p)), dls_quat_mul(outer.q, inner.q)};
}

static dls_frame frame_inverse(dls_frame f)
{
    const dls_quat back = dls_quat_conj(f.q);
    return (dls_frame){dls_neg(dls_quat_rotate(back, f.p)), back};
}

static dls_frame joint_in_world(const drawing *d, size_t i)
{
    return frame_in(d->at[d->tree->links[i].parent], d->tree->defs[i].parent_frame);
}

static void place_links(const drawing *d)
{
    const dls_link_def *defs = d->tree->defs;
    d->at[0] = (dls_frame){defs[0].position, defs[0].orientation};
    for (size_t i = 1; i < d->tree->n_links; i++)
        d->at[i] = frame_in(joint_in_world(d, i), frame_inverse(defs[i].child_frame));
}

/* --- a link --- */

static bool has_inertia(const dls_mat3 *I)
{
    for (int i = 0; i < 9; i++)
        if (I->m[i] != 0.0)
            return true;
    return false;
}

static dls_body_def body_of(const drawing *d, size_t i)
{
    const dls_link_def *link = &d->tree->defs[i];
    const dls_mat3 *I = &link->inertia;
    dls_body_def body;
    dls_body_default(&body);
    memcpy(body.name, link->name, sizeof body.name);
    body.position = dls_add(d->at[i].p, dls_quat_rotate(d->at[i].q, link->centre));
    body.orientation = d->at[i].q;
    body.force = link->force, body.torque = link->torque;
    body.is_static = i == 0 && d->def->fixed_base;
    if (link->mass > 0.0 || has_inertia(I)) {
        body.mass = link->mass;
        body.inertia = dls_v3(I->m[0], I->m[4], I->m[8]);
        if (I->m[1] != 0.0 || I->m[2] != 0.0 || I->m[5] != 0.0)
            body.inertia_off = dls_v3(I->m[1], I->m[2], I->m[5]);
    }
    if (i == 0 && !d->def->fixed_base) {
        body.velocity = dls_v3(link->speed[0], link->speed[1], link->speed[2]);
        body.omega = dls_v3(link->speed[3], link->speed[4], link->speed[5]);
    }
    return body;
}

static dls_vec3 axis_of(dls_quat frame, const dls_motion *motion, dls_axis axis)
{
    return dls_quat_rotate(frame, dls_axis3((int)axis - (int)motion->first_axis));
}

static dls_status link_refuse(const drawing *d, const dls_link_def *link, const char *why)
{
    return dls_fail_at(d->w->error, DLS_REFUSED, d->def->file, link->place.line, link->place.column, NULL,
                       "link '%s' has %s, which no scene in YAML has", link->name, why);
}

static dls_status describe_start(const drawing *d, const dls_link_def *link, dls_quat Q, dls_posed_joint *joint)
{
    const size_t n = link->motion->n_dofs;
    const double *q = isnan(link->q[0]) ? link->motion->identity : link->q, *v = link->speed;
    for (size_t k = 1; k < n; k++)
        if (link->armature[k] != link->armature[0] || link->effort[k] != 0.0)
            return link_refuse(d, link, "different armatures or forces on the axes of a joint");
    joint->armature = n ? link->armature[0] : 0.0;
    joint->effort = n ? link->effort[0] : 0.0;
    if (n == 3) {
        const dls_quat turn = {q[0], q[1], q[2], q[3]};
        joint->rotation = dls_quat_unit(dls_quat_mul(dls_quat_mul(Q, turn), dls_quat_conj(Q)));
        joint->spin = dls_quat_rotate(Q, dls_v3(v[0], v[1], v[2]));
        return DLS_OK;
    }
    if (n > 0 && q[0] != 0.0)
        joint->start = q[0];
    if (n > 1 && q[1] != 0.0)
        joint->start2 = q[1];
    joint->speed = n > 0 ? v[0] : 0.0;
    joint->speed2 = n > 1 ? v[1] : 0.0;
    return DLS_OK;
}

static dls_status describe_joint(const drawing *d, size_t i, dls_posed_joint *joint)
{
    const dls_link_def *link = &d->tree->defs[i];
    const dls_motion *motion = link->motion;
    const dls_frame at = joint_in_world(d, i);
    memcpy(joint->parent, link->parent, sizeof joint->parent);
    memcpy(joint->joint, link->joint, sizeof joint->joint);
    snprintf(joint->motion, sizeof joint->motion, "%s", motion->name);
    joint->anchor = at.p;
    if (motion->n_dofs == 3) {
        joint->axis = dls_quat_rotate(at.q, dls_axis3(0));
        joint->axis2 = dls_quat_rotate(at.q, dls_axis3(1));
    } else if (motion->n_dofs > 0) {
        joint->axis = axis_of(at.q, motion, link->axis[0]);
        if (motion->n_dofs == 2)
            joint->axis2 = axis_of(at.q, motion, link->axis[1]);
    }
    return describe_start(d, link, at.q, joint);
}

/* --- shapes --- */

enum { LINK_LIST = 5 }; /* depth of the items of a link's lists */

static dls_status write_form(const dls_scene_writer *w, int depth, const dls_scene_shape *shape, const char *mesh,
                             const char *model)
{
    fprintf(w->to, "%*s-\n", 2 * depth, "");
    DLS_TRY(dls_scene_write_fields(w, depth + 1, &dls_scene_shape_fields, shape));
    return mesh[0] ? dls_scene_write_mesh(w, depth + 1, mesh, model) : DLS_OK;
}

dls_status dls_scene_write_shape(const dls_scene_writer *w, int depth, const dls_link_shape *s, dls_vec3 centre,
                                 const char *model, bool first)
{
    const dls_scene_shape shape =
        dls_scene_shape_of(s->shape, s->size, s->radius, s->length, s->scale, dls_sub(s->frame.p, centre), s->frame.q);
    dls_scene_touch touch;
    memcpy(touch.surface, s->surface, sizeof touch.surface);
    if (first)
        fprintf(w->to, "%*sshapes:\n", 2 * (depth - 1), "");
    DLS_TRY(write_form(w, depth, &shape, s->mesh, model));
    return dls_scene_write_fields(w, depth + 1, &dls_scene_touch_fields, &touch);
}

static dls_status write_shapes(const drawing *d, const dls_link_def *link)
{
    bool first = true;
    for (size_t k = 0; k < d->def->n_shapes; k++) {
        const dls_link_shape *s = &d->def->shapes[k];
        if (s->passes || strcmp(s->link, link->name) != 0)
            continue;
        DLS_TRY(dls_scene_write_shape(d->w, LINK_LIST, s, link->centre, d->def->file, first));
        first = false;
    }
    return DLS_OK;
}

/* A visual that cannot be drawn is not written. */
static dls_status write_visuals(const drawing *d, const dls_link_def *link)
{
    bool first = true;
    for (size_t k = 0; k < d->def->n_visuals; k++) {
        const dls_link_visual *v = &d->def->visuals[k];
        if (strcmp(v->link, link->name) != 0 || v->wrong[0])
            continue;
        const dls_scene_shape shape = dls_scene_shape_of(v->shape, v->size, v->radius, v->length, v->scale,
                                                         dls_sub(v->frame.p, link->centre), v->frame.q);
        const dls_scene_look look = dls_scene_look_of(v->colour);
        fputs(first ? "        visuals:\n" : "", d->w->to);
        first = false;
        DLS_TRY(write_form(d->w, LINK_LIST, &shape, v->mesh, v->model));
        DLS_TRY(dls_scene_write_fields(d->w, 6, &dls_scene_look_fields, &look));
    }
    return DLS_OK;
}

static dls_status write_ellipsoids(const drawing *d, const dls_link_def *link)
{
    bool first = true;
    for (size_t k = 0; k < d->def->n_ellipsoids; k++) {
        dls_link_ellipsoid one = d->def->ellipsoids[k];
        if (strcmp(one.link, link->name) != 0)
            continue;
        one.frame.p = dls_sub(one.frame.p, link->centre);
        fputs(first ? "        ellipsoids:\n" : "", d->w->to);
        first = false;
        fprintf(d->w->to, "%*s-\n", 10, "");
        DLS_TRY(dls_scene_write_fields(d->w, 6, &dls_link_ellipsoid_fields, &one));
    }
    return DLS_OK;
}

/* --- the articulation --- */

static dls_status write_link(const drawing *d, size_t i)
{
    const dls_link_def *link = &d->tree->defs[i];
    const dls_body_def body = body_of(d, i);
    dls_posed_joint joint;
    DLS_TRY(dls_fields_default(&dls_posed_joint_fields, &joint, d->w->error));
    if (i > 0)
        DLS_TRY(describe_joint(d, i, &joint));
    joint.box_axes = link->box_axes;
    fprintf(d->w->to, "%*s-\n", 6, "");
    DLS_TRY(dls_scene_write_fields(d->w, 4, &dls_body_fields, &body));
    DLS_TRY(dls_scene_write_fields(d->w, 4, &dls_posed_joint_fields, &joint));
    DLS_TRY(write_shapes(d, link));
    DLS_TRY(write_ellipsoids(d, link));
    return write_visuals(d, link);
}

static dls_status write_articulation(const dls_scene_writer *w, const dls_articulation_def *def,
                                     const dls_articulation *tree)
{
    const dls_scene_articulation_setting setting = dls_scene_setting_of(def);
    dls_status status = DLS_OK;
    const drawing d = {w, def, tree, malloc(tree->n_links * sizeof *d.at)};
    if (!d.at)
        return dls_fail(w->error, DLS_NO_MEMORY, "no memory for %zu links", tree->n_links);
    place_links(&d);
    fputs("  -\n", w->to);
    status = dls_scene_write_fields(w, 2, &dls_scene_articulation_fields, &setting);
    fprintf(w->to, "%*slinks:\n", 4, "");
    for (size_t i = 0; status == DLS_OK && i < tree->n_links; i++)
        status = write_link(&d, i);
    free(d.at);
    return status;
}

dls_status dls_scene_write_articulations(const dls_scene_writer *w)
{
    for (size_t a = 0; a < w->scene->n_articulations; a++) {
        dls_articulation *tree;
        DLS_TRY(dls_articulation_create(w->scene->articulations[a], &tree, w->error));
        const dls_status status = write_articulation(w, w->scene->articulations[a], tree);
        dls_articulation_destroy(tree);
        DLS_TRY(status);
    }
    return DLS_OK;
}
