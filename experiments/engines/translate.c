/* A model in the simple form that engines get, or the reason why it has no such form.
 */
#include "engines/engine_run.h"
#include "engines/engine_tree.h"

#include <lapacke.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CANNOT(error, ...) dls_fail(error, DLS_REFUSED, __VA_ARGS__)

/* --- the world --- */

static dls_status check_world(const dls_model *model, dls_error *error)
{
    const dls_world_def *world = dls_model_world(model);
    const dls_model_counts n = dls_model_count(model);
    if (n.articulations || n.tracks)
        return CANNOT(error,
                      "articulations and tracks are not said to engines: bodies and joints between them are, and "
                      "with coordinates: maximal the links of an articulation are bodies");
    if (world->restitution > 0.0 && world->impact != DLS_IMPACT_NEWTON)
        return CANNOT(error, "impact: contacts of engines rebound by Newton's law, not %s's",
                      dls_impact_law_names[world->impact]);
    if (world->contact_cfm > 0.0)
        return CANNOT(error, "contact_cfm: the compliance of contacts is another number in each engine");
    if (world->medium_density > 0.0 || world->medium_viscosity > 0.0)
        return CANNOT(error, "medium_density, medium_viscosity: the drag of a medium is another law in each engine");
    if (world->sleep)
        return CANNOT(error, "sleep: each engine has a rule of its own, and all are kept awake");
    return DLS_OK;
}

/* --- bodies --- */

/* I = R diag R^T with det R = 1. A diagonal matrix stays as it is. */
static dls_status find_axes(dls_engine_body *b, const char *name, dls_error *error)
{
    double R[9], work[16];
    memcpy(R, b->inertia.m, sizeof R);
    for (int k = 0; k < 3; k++)
        b->principal[k] = R[4 * k];
    b->axes = dls_quat_identity();
    if (R[1] == 0.0 && R[2] == 0.0 && R[5] == 0.0)
        return DLS_OK;
    if (LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'L', 3, R, 3, b->principal, work, 16) != 0)
        return dls_fail(error, DLS_NOT_FINITE, "body '%s': its inertia has no principal axes", name);
    dls_mat3 axes;
    for (int k = 0; k < 9; k++)
        axes.m[k] = R[3 * (k % 3) + k / 3]; /* LAPACK has the axes by columns, one after another */
    const double sign = dls_det3(axes);
    for (int k = 0; k < 3; k++)
        axes.m[3 * k] *= sign < 0.0 ? -1.0 : 1.0;
    b->axes = dls_quat_unit(dls_matrix_quat(axes));
    return DLS_OK;
}

static dls_status set_body(const dls_model *model, size_t i, dls_engine_body *b, dls_error *error)
{
    const dls_body *from = &dls_model_bodies(model)[i];
    const dls_state *state = dls_model_initial(model);
    *b = (dls_engine_body){.moves = from->offset != DLS_NONE, .x = state->x[i], .q = state->q[i]};
    b->axes = dls_quat_identity();
    if (from->prescribed != DLS_NONE)
        return CANNOT(error, "body '%s' is kinematic", from->name);
    if (!b->moves)
        return DLS_OK;
    const double *v = state->v + from->offset;
    b->mass = from->mass;
    b->inertia = from->inertia;
    b->force = from->force, b->torque = from->torque;
    b->v = dls_v3(v[0], v[1], v[2]), b->omega = dls_v3(v[3], v[4], v[5]);
    return find_axes(b, from->name, error);
}

static void add_shape(dls_engine_mechanism *m, size_t body, const dls_engine_shape *shape)
{
    dls_engine_shape *to = &m->shapes[m->n_shapes++];
    *to = *shape;
    if (!m->bodies[body].n_shapes++)
        m->bodies[body].shapes = to;
}

/* The solids of bodies; the shape of one that has none, since given contacts need no detection. */
static void set_shapes(const dls_model *model, dls_engine_mechanism *m)
{
    const size_t count = dls_model_count(model).solids;
    const dls_solid *s = dls_model_solids(model), *end = s + count;
    for (size_t i = 0; i < m->n_bodies; i++) {
        const dls_body *body = &dls_model_bodies(model)[i];
        for (; s < end && s->end == i; s++)
            if (s->shape != DLS_SHAPE_PLANE)
                add_shape(
                    m, i,
                    &(dls_engine_shape){s->shape, s->size, s->radius, s->length, s->offset, s->frame.p, s->frame.q});
        if (!m->bodies[i].n_shapes && body->shape != DLS_SHAPE_NONE && body->shape != DLS_SHAPE_PLANE)
            add_shape(m, i,
                      &(dls_engine_shape){body->shape, body->size, body->radius, body->length, false, dls_v3(0, 0, 0),
                                          dls_quat_identity()});
    }
}

/* --- joints --- */

/* Settings that all joints have and engines do not. */
static dls_status check_common(const dls_joint *joint, bool may_spring, dls_error *error)
{
    const dls_joint_common *c = &joint->common;
    if (!may_spring && (c->stiffness >= 0.0 || c->damping >= 0.0 || c->frequency >= 0.0))
        return CANNOT(error, "joint '%s' is a spring", joint->name);
    if (c->cfm > 0.0)
        return CANNOT(error, "joint '%s' has a cfm", joint->name);
    if (isfinite(c->force_lo) || isfinite(c->force_hi))
        return CANNOT(error, "joint '%s' has a bound of its force", joint->name);
    if (isfinite(c->break_force) || isfinite(c->break_torque))
        return CANNOT(error, "joint '%s' may break", joint->name);
    return DLS_OK;
}

static dls_status set_joint(const dls_model *model, const dls_joint *joint, const dls_configuration *at,
                            dls_engine_joint *j, dls_error *error)
{
    dls_end end[2];
    dls_row rows[DLS_JOINT_ROWS_MAX];
    dls_configuration_ends(at, joint, end);
    *j = (dls_engine_joint){.pair = joint->type->pair,
                            .joint = (size_t)(joint - dls_model_joints(model)),
                            .name = joint->name,
                            .action = {.lower = -HUGE_VAL, .upper = HUGE_VAL}};
    for (int k = 0; k < 2; k++) {
        const bool moves = joint->body[k] != DLS_WORLD && dls_model_moves(model, joint->body[k]);
        j->body[k] = moves ? joint->body[k] : DLS_WORLD;
        j->anchor[k] = dls_end_anchor(&end[k], &joint->frame[k]);
        j->axis[k] = dls_quat_rotate(dls_end_rotation(&end[k], &joint->frame[k]), dls_axis3(2));
    }
    if (j->pair != DLS_PAIR_ROD)
        return DLS_OK;
    if (dls_rows_of_joint(at, joint, 1.0, rows) != 1 || isfinite(rows[0].lo) || isfinite(rows[0].hi))
        return CANNOT(error, "joint '%s' is a rope or a stop", joint->name);
    j->length = dls_norm(dls_sub(j->anchor[0], j->anchor[1])) - rows[0].C;
    return DLS_OK;
}

/* --- what acts on coordinates --- */

static int chosen(const dls_joint *joint, const char *key)
{
    int value = 0;
    memcpy(&value, (const char *)joint->settings + dls_field_find(&joint->type->fields, key)->offset, sizeof value);
    return value;
}

/* The hinge or slider whose coordinate alone a joint acts on. */
static dls_engine_joint *acted_on(const dls_joint *joint, dls_engine_mechanism *m)
{
    for (size_t k = 0; k < m->n_joints && joint->n_terms == 1; k++)
        if (joint->terms[0].joint == m->joints[k].joint &&
            (m->joints[k].pair == DLS_PAIR_HINGE || m->joints[k].pair == DLS_PAIR_SLIDER))
            return &m->joints[k];
    return NULL;
}

static dls_status add_limit(const dls_joint *joint, double gear, double start, dls_engine_action *a, dls_error *error)
{
    const double lower = dls_engine_setting(joint, "lower") / gear - start,
                 upper = dls_engine_setting(joint, "upper") / gear - start;
    if (dls_engine_setting(joint, "restitution") > 0.0)
        return CANNOT(error, "joint '%s' is a limit that rebounds", joint->name);
    a->lower = fmax(a->lower, fmin(lower, upper));
    a->upper = fmin(a->upper, fmax(lower, upper));
    return DLS_OK;
}

/* f = feed - k (G q - target) - d (G q' - speed) and G f on the coordinate, q = start + y. */
static dls_status add_drive(const dls_joint *joint, const double *setpoint, double gear, double start,
                            dls_engine_action *a, dls_error *error)
{
    const double k = fmax(0.0, joint->common.stiffness), d = fmax(0.0, joint->common.damping);
    double unused[DLS_JOINT_STATE_MAX];
    if (joint->common.frequency >= 0.0)
        return CANNOT(error, "joint '%s' is a spring of a frequency", joint->name);
    if (isfinite(dls_engine_setting(joint, "force")) || isfinite(dls_engine_setting(joint, "impulse")))
        return CANNOT(error, "joint '%s' is a drive with a greatest force", joint->name);
    if (joint->type->schedule(joint, 0.0, unused))
        return CANNOT(error, "joint '%s' is a drive with a schedule", joint->name);
    if (chosen(joint, "mode") != 0)
        return CANNOT(error, "joint '%s' is a drive whose gains are of an acceleration", joint->name);
    a->stiffness += gear * gear * k;
    a->damping += gear * gear * d;
    a->effort += gear * (setpoint[2] + k * (setpoint[0] - gear * start) + d * setpoint[1]);
    return DLS_OK;
}

static dls_status add_friction(const dls_joint *joint, double gear, dls_engine_action *a, dls_error *error)
{
    const double force = dls_engine_setting(joint, "force");
    if (dls_engine_setting(joint, "speed") != 0.0 && !isnan(dls_engine_setting(joint, "speed")))
        return CANNOT(error, "joint '%s' is a motor with a speed", joint->name);
    if (dls_engine_setting(joint, "coefficient") > 0.0 || isinf(force))
        return CANNOT(error, "joint '%s' has a friction %s", joint->name,
                      isinf(force) ? "without a greatest force" : "that depends on the load");
    a->friction += fabs(gear) * force;
    return DLS_OK;
}

static dls_status add_action(const dls_model *model, const dls_joint *joint, dls_engine_mechanism *m, dls_error *error)
{
    const char *type = joint->type->name;
    const bool limit = strcmp(type, "limit") == 0, drive = strcmp(type, "drive") == 0,
               friction = strcmp(type, "motor") == 0 || strcmp(type, "friction") == 0;
    dls_engine_joint *on = acted_on(joint, m);
    if (!limit && !drive && !friction)
        return CANNOT(error, "joint '%s': %s is no joint of an engine", joint->name, type);
    if (!on)
        return CANNOT(error, "joint '%s' acts on something else than the coordinate of one hinge or slider",
                      joint->name);
    if (!dls_term_is_linear(&joint->terms[0]))
        return CANNOT(error, "joint '%s' acts on a polynomial of a coordinate", joint->name);
    DLS_TRY(check_common(joint, drive, error));
    const double gear = joint->terms[0].gears[0], start = dls_model_initial(model)->measured[on->joint];
    if (limit && joint->common.erp != m->erp)
        return CANNOT(error, "joint '%s' has another erp than those before it", joint->name);
    if (limit)
        return add_limit(joint, gear, start, &on->action, error);
    if (friction)
        return add_friction(joint, gear, &on->action, error);
    return add_drive(joint, dls_model_initial(model)->joint_state + joint->joint_state, gear, start, &on->action,
                     error);
}

dls_status dls_engine_mechanism_add_armatures(dls_engine_mechanism *m, const dls_model *model, const dls_model *folded,
                                              dls_error *error)
{
    for (size_t a = 0; a < dls_model_count(folded).articulations; a++) {
        const dls_articulation *tree = dls_model_articulations(folded)[a].tree;
        for (size_t k = tree->n_base; k < tree->nv; k++) {
            const size_t i = tree->dof_link[k];
            char name[2 * DLS_NAME_MAX];
            if (!(tree->armature[k] > 0.0))
                continue;
            snprintf(name, sizeof name, "%s.%s", tree->name, tree->defs[i].joint);
            if (tree->links[i].n_dofs != 1)
                return CANNOT(error, "joint '%s' has several axes and an armature", name);
            for (size_t j = 0; j < m->n_joints; j++)
                if (strcmp(dls_model_joints(model)[m->joints[j].joint].name, name) == 0)
                    m->joints[j].action.armature = tree->armature[k];
        }
    }
    return DLS_OK;
}

/* --- contacts --- */

double dls_engine_setting(const dls_joint *joint, const char *key)
{
    const dls_field *field = dls_field_find(&joint->type->fields, key);
    double value = NAN;
    if (field)
        memcpy(&value, (const char *)joint->settings + field->offset, sizeof value);
    return value;
}

static dls_status add_plane(dls_engine_mechanism *m, dls_vec3 normal, double distance, double mu, dls_error *error)
{
    for (size_t k = 0; k < m->n_planes; k++)
        if (dls_norm(dls_sub(m->planes[k].normal, normal)) < 1e-9 && fabs(m->planes[k].distance - distance) < 1e-9) {
            if (m->planes[k].mu == mu)
                return DLS_OK;
            return CANNOT(error, "the given contacts have several friction coefficients");
        }
    if (m->n_planes > 0)
        return CANNOT(error, "the given contacts with the world lie in more than one plane");
    m->planes[m->n_planes++] = (dls_engine_plane){normal, distance, mu};
    return DLS_OK;
}

/* A contact given as a point: the shapes of its bodies may touch, or that of one and the plane through the point.
 * Beside detected contacts there is only the latter, with at most their friction, since engines combine the
 * coefficients of two shapes by rules of their own. */
static dls_status add_contact(const dls_model *model, const dls_joint *joint, const dls_configuration *at,
                              dls_engine_mechanism *m, dls_error *error)
{
    dls_engine_joint ends;
    dls_row rows[DLS_JOINT_ROWS_MAX];
    DLS_TRY(set_joint(model, joint, at, &ends, error));
    dls_rows_of_joint(at, joint, 1.0, rows);
    const double mu = dls_engine_setting(joint, "mu");
    dls_vec3 normal = dls_v3(rows[0].J1[0], rows[0].J1[1], rows[0].J1[2]);
    if (rows[0].restitution > 0.0 && rows[0].impact != DLS_IMPACT_NEWTON)
        return CANNOT(error, "joint '%s' has an impact by another law than Newton's", joint->name);
    if (dls_engine_setting(joint, "rolling") > 0.0 || dls_engine_setting(joint, "torsion") > 0.0 ||
        !isnan(dls_engine_setting(joint, "across")))
        return CANNOT(error, "joint '%s' has rolling, torsional or anisotropic friction", joint->name);
    if (dls_model_world(model)->collide) {
        if (ends.body[0] != DLS_WORLD && ends.body[1] != DLS_WORLD)
            return CANNOT(error, "joint '%s' is a given contact of two bodies beside detected ones", joint->name);
        if (mu > dls_model_world(model)->mu)
            return CANNOT(error, "joint '%s' is a given contact with more friction than detected ones", joint->name);
    } else if (m->collides && mu != m->mu) {
        return CANNOT(error, "the given contacts have several friction coefficients");
    }
    if (m->collides && (rows[0].restitution != m->restitution || rows[0].threshold != m->threshold))
        return CANNOT(error, "joint '%s' rebounds otherwise than the contacts before it", joint->name);
    m->collides = true;
    m->mu = mu;
    m->restitution = rows[0].restitution, m->threshold = rows[0].threshold;
    for (int k = 0; k < 2; k++) {
        const size_t i = ends.body[k];
        if (i == DLS_WORLD) {
            normal = k == 0 ? dls_neg(normal) : normal;
            DLS_TRY(add_plane(m, normal, dls_dot(normal, ends.anchor[k]), mu, error));
        } else if (!m->bodies[i].n_shapes) {
            return CANNOT(error, "joint '%s' is a contact of a body without a shape, whose contacts no engine can find",
                          joint->name);
        } else {
            m->bodies[i].collides = true;
        }
    }
    if (ends.body[0] != DLS_WORLD && ends.body[1] != DLS_WORLD)
        m->touch[ends.body[0] * m->n_bodies + ends.body[1]] = m->touch[ends.body[1] * m->n_bodies + ends.body[0]] =
            true;
    return DLS_OK;
}

static dls_status add_solids(const dls_model *model, dls_engine_mechanism *m, dls_error *error)
{
    const size_t count = dls_model_count(model).solids;
    const dls_solid *solids = dls_model_solids(model);
    if (m->collides && (m->restitution != dls_model_world(model)->restitution ||
                        m->threshold != dls_model_world(model)->restitution_threshold))
        return CANNOT(error, "given contacts rebound otherwise than detected ones");
    m->collides = true;
    m->mu = dls_model_world(model)->mu;
    m->restitution = dls_model_world(model)->restitution;
    m->threshold = dls_model_world(model)->restitution_threshold;
    if (dls_model_world(model)->rolling > 0.0 || dls_model_world(model)->torsion > 0.0)
        return CANNOT(error, "contacts have rolling or torsional friction");
    for (size_t k = 0; k < count; k++) {
        dls_engine_body *b = &m->bodies[solids[k].end];
        if (solids[k].surface)
            return CANNOT(error, "a shape has friction of its own");
        if (solids[k].shape == DLS_SHAPE_PLANE) {
            const dls_vec3 normal = dls_quat_rotate(b->q, dls_axis3(2));
            for (size_t i = 0; i < count; i++)
                if (i != k && !dls_model_may_touch(model, solids[i].end, solids[k].end))
                    return CANNOT(error, "a body may not touch a plane: planes touch every body here");
            m->planes[m->n_planes++] = (dls_engine_plane){normal, dls_dot(normal, b->x), m->mu};
        } else {
            b->collides = true;
        }
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            const size_t one = solids[i].end, other = solids[k].end;
            m->touch[one * m->n_bodies + other] = one != other && dls_model_may_touch(model, one, other);
        }
    return DLS_OK;
}

/* --- trees --- */

/* The actions on a joint that are not among `has`; NULL: there are none. */
static const char *missing_action(const dls_engine_action *a, unsigned long has)
{
    return (isfinite(a->lower) || isfinite(a->upper)) && !(has & DLS_ENGINE_LIMIT) ? "limits"
           : a->stiffness > 0.0 && !(has & DLS_ENGINE_SPRING)                      ? "springs"
           : a->damping > 0.0 && !(has & DLS_ENGINE_DAMPER)                        ? "dampers"
           : a->effort != 0.0 && !(has & DLS_ENGINE_EFFORT)                        ? "given forces"
           : a->friction > 0.0 && !(has & DLS_ENGINE_FRICTION)                     ? "dry friction"
           : a->armature > 0.0 && !(has & DLS_ENGINE_ARMATURE)                     ? "armatures"
                                                                                   : NULL;
}

static size_t root_of(const size_t *above, size_t node)
{
    while (above[node] != node)
        node = above[node];
    return node;
}

/* Chooses the joints of trees: first those that few engines can close a loop with, then those on whose coordinates
 * something acts, then the others, in the order of the scene, each unless its ends hang together already. above:
 * n_bodies + 1, the last for the world. */
static void choose_trees(dls_engine_mechanism *m, size_t *above)
{
    const size_t n = m->n_bodies;
    for (size_t i = 0; i <= n; i++)
        above[i] = i;
    for (int round = 0; round < 3; round++)
        for (size_t k = 0; k < m->n_joints; k++) {
            const dls_engine_joint *j = &m->joints[k];
            const bool closable = j->pair == DLS_PAIR_BALL || j->pair == DLS_PAIR_HINGE || j->pair == DLS_PAIR_FIXED;
            const int turn = !closable ? 0 : missing_action(&j->action, 0) ? 1 : 2;
            const size_t one = root_of(above, j->body[0] == DLS_WORLD ? n : j->body[0]);
            const size_t other = root_of(above, j->body[1] == DLS_WORLD ? n : j->body[1]);
            if (turn != round || j->pair == DLS_PAIR_ROD || one == other)
                continue;
            m->closes[k] = false;
            above[one] = other;
        }
}

static void hang_body(dls_engine_mechanism *m, bool *placed, size_t body, size_t joint)
{
    placed[body] = true;
    m->hangs[body] = joint;
    m->order[m->n_moving++] = body;
}

/* Hangs on `body`, which is in a tree or the world, all that joints of trees connect to it. */
static void hang_on(dls_engine_mechanism *m, bool *placed, size_t body)
{
    for (size_t k = 0; k < m->n_joints; k++) {
        const dls_engine_joint *j = &m->joints[k];
        if (m->closes[k] || (j->body[0] != body && j->body[1] != body))
            continue;
        const size_t child = j->body[1 - dls_engine_end(j, body)];
        if (child != DLS_WORLD && !placed[child])
            hang_body(m, placed, child, k);
    }
}

static dls_status make_trees(dls_engine_mechanism *m, dls_error *error)
{
    size_t *above = calloc(m->n_bodies + 1, sizeof *above);
    bool *placed = calloc(m->n_bodies + 1, sizeof *placed);
    if (above && placed) {
        size_t next = 0;
        for (size_t k = 0; k < m->n_joints; k++)
            m->closes[k] = true;
        for (size_t i = 0; i < m->n_bodies; i++)
            m->hangs[i] = DLS_NONE;
        choose_trees(m, above);
        hang_on(m, placed, DLS_WORLD);
        for (size_t root = 0; root <= m->n_bodies; root++) {
            while (next < m->n_moving)
                hang_on(m, placed, m->order[next++]);
            if (root < m->n_bodies && m->bodies[root].moves && !placed[root])
                hang_body(m, placed, root, DLS_NONE);
        }
    }
    const bool room = above && placed;
    free(above);
    free(placed);
    return room ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for the trees of %zu bodies", m->n_bodies);
}

/* --- all of it --- */

static dls_status set_joints(const dls_model *model, const dls_configuration *at, dls_engine_mechanism *m,
                             dls_error *error)
{
    const dls_joint *joints = dls_model_joints(model);
    const size_t count = dls_model_count(model).joints;
    m->erp = NAN;
    for (size_t k = 0; k < count; k++) {
        const dls_joint *joint = &joints[k];
        if (joint->n_terms)
            continue;
        if (joint->type->pair == DLS_PAIR_NONE)
            return CANNOT(error, "joint '%s': %s is no joint of an engine", joint->name, joint->type->name);
        DLS_TRY(check_common(joint, false, error));
        if (joint->type->pair == DLS_PAIR_CONTACT) {
            DLS_TRY(add_contact(model, joint, at, m, error));
            continue;
        }
        if (m->erp >= 0.0 && joint->common.erp != m->erp)
            return CANNOT(error, "joint '%s' has another erp than those before it", joint->name);
        m->erp = joint->common.erp;
        DLS_TRY(set_joint(model, joint, at, &m->joints[m->n_joints++], error));
    }
    if (!(m->erp >= 0.0))
        m->erp = dls_model_world(model)->contact_erp;
    for (size_t k = 0; k < count; k++)
        if (joints[k].n_terms)
            DLS_TRY(add_action(model, &joints[k], m, error));
    return DLS_OK;
}

static dls_status fill_mechanism(const dls_model *model, dls_engine_mechanism *m, dls_error *error)
{
    dls_configuration *at;
    DLS_TRY(check_world(model, error));
    for (size_t i = 0; i < m->n_bodies; i++)
        DLS_TRY(set_body(model, i, &m->bodies[i], error));
    set_shapes(model, m);
    DLS_TRY(dls_configuration_create(model, &at, error));
    dls_configuration_evaluate(at, dls_model_initial(model));
    dls_status status = set_joints(model, at, m, error);
    dls_configuration_destroy(at);
    if (status == DLS_OK && dls_model_world(model)->collide)
        status = add_solids(model, m, error);
    return status == DLS_OK ? make_trees(m, error) : status;
}

dls_status dls_engine_mechanism_create(const dls_model *model, double h, size_t iterations,
                                       dls_engine_mechanism **mechanism, dls_error *error)
{
    const dls_model_counts n = dls_model_count(model);
    dls_engine_mechanism *m = *mechanism = calloc(1, sizeof *m);
    if (m) {
        *m = (dls_engine_mechanism){.n_bodies = n.bodies,
                                    .bodies = calloc(n.bodies + 1, sizeof *m->bodies),
                                    .joints = calloc(n.joints + 1, sizeof *m->joints),
                                    .planes = calloc(n.bodies + 1, sizeof *m->planes),
                                    .shapes = calloc(n.solids + n.bodies + 1, sizeof *m->shapes),
                                    .touch = calloc(n.bodies * n.bodies + 1, sizeof *m->touch),
                                    .order = calloc(n.bodies + 1, sizeof *m->order),
                                    .hangs = calloc(n.bodies + 1, sizeof *m->hangs),
                                    .closes = calloc(n.joints + 1, sizeof *m->closes),
                                    .gravity = dls_model_world(model)->gravity,
                                    .h = h,
                                    .iterations = iterations};
    }
    dls_status status =
        m && m->bodies && m->joints && m->planes && m->shapes && m->touch && m->order && m->hangs && m->closes
            ? fill_mechanism(model, m, error)
            : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu bodies", n.bodies);
    if (status != DLS_OK) {
        dls_engine_mechanism_destroy(m);
        *mechanism = NULL;
    }
    return status;
}

void dls_engine_mechanism_destroy(dls_engine_mechanism *m)
{
    if (!m)
        return;
    free(m->bodies);
    free(m->joints);
    free(m->planes);
    free(m->shapes);
    free(m->touch);
    free(m->order);
    free(m->hangs);
    free(m->closes);
    free(m);
}

dls_status dls_engine_check(const dls_engine *engine, const dls_engine_mechanism *m, dls_error *error)
{
    static const char *const pairs[] = {
        [DLS_PAIR_BALL] = "ball",   [DLS_PAIR_HINGE] = "hinge",         [DLS_PAIR_SLIDER] = "slider",
        [DLS_PAIR_FIXED] = "fixed", [DLS_PAIR_UNIVERSAL] = "universal", [DLS_PAIR_ROD] = "distance"};
    for (size_t k = 0; k < m->n_joints; k++) {
        if (!(engine->pairs >> m->joints[k].pair & 1))
            return CANNOT(error, "%s has no joint of the type %s here", engine->name, pairs[m->joints[k].pair]);
        if (m->closes[k] && !(engine->loops >> m->joints[k].pair & 1))
            return CANNOT(error, "joint '%s' closes a loop, which a joint of the type %s cannot do in %s",
                          m->joints[k].name, pairs[m->joints[k].pair], engine->name);
        const char *missing = missing_action(&m->joints[k].action, m->closes[k] ? engine->loop_acts : engine->acts);
        if (missing)
            return CANNOT(error, "%s has no %s of joints here%s, which joint '%s' has", engine->name, missing,
                          m->closes[k] ? " that close a loop" : "", m->joints[k].name);
    }
    if (m->restitution > 0.0 && !engine->rebounds)
        return CANNOT(error, "contacts of %s have no coefficient of restitution", engine->name);
    for (size_t i = 0; i < m->n_bodies; i++)
        for (size_t k = 0; k < m->bodies[i].n_shapes && m->bodies[i].collides; k++)
            if (!(engine->shapes >> m->bodies[i].shapes[k].shape & 1))
                return CANNOT(error, "%s has no shape of the type %s", engine->name,
                              dls_shape_names[m->bodies[i].shapes[k].shape]);
    return DLS_OK;
}
