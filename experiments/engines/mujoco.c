/* MuJoCo: convex optimisation of soft constraints (Newton's method) in generalised coordinates. E. Todorov and
 * others.
 *
 * mujoco-tree: joints form trees, the usual form of its models. The roots are the world and the first body of each
 * group that is not connected to it; joints of trees are coordinates and cannot drift. A joint that closes a loop is an
 * equality constraint: a ball is one `connect`, a hinge two of them along its axis, a fixed joint a `weld`.
 * mujoco-loose: every body floats, and every joint is such an equality constraint.
 *
 * The model is passed as MJCF with 17 digits. The inertial frame of a body is given by its principal axes. */
#include "engine_tree.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mujoco_world {
    const dls_engine_mechanism *m;
    bool loose;
    FILE *text;
    mjModel *model;
    mjData *data;
} mujoco_world;

static void version(char *text, size_t size)
{
    snprintf(text, size, "MuJoCo %s, %s precision", mj_versionString(),
             sizeof(mjtNum) == sizeof(double) ? "double" : "single");
}

/* --- MJCF --- */

static void write3(FILE *f, const char *key, dls_vec3 v) { fprintf(f, " %s='%.17g %.17g %.17g'", key, v.x, v.y, v.z); }

static void write_pose(FILE *f, dls_vec3 x, dls_quat q)
{
    write3(f, "pos", x);
    fprintf(f, " quat='%.17g %.17g %.17g %.17g'", q.w, q.x, q.y, q.z);
}

/* A point and a direction of the world in the frame of a body. */
static dls_vec3 in_frame_of(const dls_engine_body *b, dls_vec3 p)
{
    return dls_quat_rotate(dls_quat_conj(b->q), dls_sub(p, b->x));
}
static dls_vec3 along(const dls_engine_body *b, dls_vec3 a) { return dls_quat_rotate(dls_quat_conj(b->q), a); }

static void write_geom(const mujoco_world *w, const dls_engine_shape *b, dls_vec3 x, dls_quat q)
{
    FILE *f = w->text;
    fprintf(f, "<geom mass='0' friction='%.17g 0 0'", w->m->mu);
    write_pose(f, x, q);
    if (b->shape == DLS_SHAPE_BOX) {
        fputs(" type='box'", f);
        write3(f, "size", dls_scale(0.5, b->size));
    } else if (b->shape == DLS_SHAPE_SPHERE) {
        fprintf(f, " type='sphere' size='%.17g'", b->radius);
    } else {
        fprintf(f, " type='%s' size='%.17g %.17g'", b->shape == DLS_SHAPE_CAPSULE ? "capsule" : "cylinder", b->radius,
                0.5 * b->length);
    }
    fputs("/>\n", f);
}

/* The joint whose coordinates a body has; NULL: it floats, or does not move. */
static const dls_engine_joint *hung_by(const mujoco_world *w, size_t i)
{
    return w->loose ? NULL : dls_engine_hanger(w->m, i);
}

static void write_action(FILE *f, const dls_engine_action *a)
{
    const double far = 1e10; /* a limit that is none; there are two or none */
    if (a->lower > -HUGE_VAL || a->upper < HUGE_VAL)
        fprintf(f, " limited='true' range='%.17g %.17g'", fmax(a->lower, -far), fmin(a->upper, far));
    fprintf(f, " stiffness='%.17g' damping='%.17g' frictionloss='%.17g' armature='%.17g'", a->stiffness, a->damping,
            a->friction, a->armature);
}

/* The coordinates that body i has against its parent. */
static void write_joint(const mujoco_world *w, size_t i)
{
    const dls_engine_body *b = &w->m->bodies[i];
    FILE *f = w->text;
    const dls_engine_joint *j = hung_by(w, i);
    if (!j) {
        fputs("<freejoint/>\n", f);
        return;
    }
    const int mine = dls_engine_end(j, i);
    const dls_vec3 at = in_frame_of(b, j->anchor[mine]);
    const char *type = j->pair == DLS_PAIR_BALL ? "ball" : j->pair == DLS_PAIR_SLIDER ? "slide" : "hinge";
    if (j->pair == DLS_PAIR_FIXED)
        return;
    for (int k = j->pair == DLS_PAIR_UNIVERSAL ? 0 : 1; k < 2; k++) { /* the parent's axis first */
        fprintf(f, "<joint type='%s'", type);
        write3(f, "pos", at);
        if (j->pair == DLS_PAIR_UNIVERSAL)
            write3(f, "axis", along(b, j->axis[k ? mine : 1 - mine]));
        else if (j->pair != DLS_PAIR_BALL)
            write3(f, "axis", along(b, dls_engine_direction(j, i)));
        write_action(f, &j->action);
        fputs("/>\n", f);
    }
}

static void write_body(const mujoco_world *w, size_t i);

/* Adds the bodies that hang on one in a tree, or on the world (NULL). */
static void write_children(const mujoco_world *w, const dls_engine_body *parent)
{
    for (size_t i = 0; i < w->m->n_bodies; i++)
        if (hung_by(w, i) && dls_engine_parent(w->m, i) == parent)
            write_body(w, i);
}

static void write_body(const mujoco_world *w, size_t i)
{
    const dls_engine_body *b = &w->m->bodies[i], *p = hung_by(w, i) ? dls_engine_parent(w->m, i) : NULL;
    FILE *f = w->text;
    fprintf(f, "<body name='b%zu'", i);
    write_pose(f, p ? in_frame_of(p, b->x) : b->x, p ? dls_quat_mul(dls_quat_conj(p->q), b->q) : b->q);
    fprintf(f, "><inertial pos='0 0 0' mass='%.17g'", b->mass);
    fprintf(f, " diaginertia='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'/>\n", b->principal[0], b->principal[1],
            b->principal[2], b->axes.w, b->axes.x, b->axes.y, b->axes.z);
    write_joint(w, i);
    for (size_t k = 0; k < b->n_shapes && b->collides; k++)
        write_geom(w, &b->shapes[k], b->shapes[k].x, b->shapes[k].q);
    write_children(w, b);
    fputs("</body>\n", f);
}

static void write_world(const mujoco_world *w)
{
    const dls_engine_mechanism *m = w->m;
    FILE *f = w->text;
    fputs("<worldbody>\n", f);
    for (size_t k = 0; k < m->n_planes; k++) {
        fprintf(f, "<geom type='plane' size='0 0 1' priority='1' friction='%.17g 0 0'", m->planes[k].mu);
        write_pose(f, dls_scale(m->planes[k].distance, m->planes[k].normal),
                   dls_quat_between(dls_axis3(2), m->planes[k].normal));
        fputs("/>\n", f);
    }
    for (size_t i = 0; i < m->n_bodies; i++) {
        const dls_engine_body *b = &m->bodies[i];
        for (size_t k = 0; k < b->n_shapes && !b->moves && b->collides; k++)
            write_geom(w, &b->shapes[k], dls_engine_centre(b, &b->shapes[k]), dls_engine_turn(b, &b->shapes[k]));
    }
    write_children(w, NULL);
    for (size_t i = 0; i < m->n_bodies; i++)
        if (m->bodies[i].moves && !hung_by(w, i))
            write_body(w, i);
    fputs("</worldbody>\n", f);
}

static void write_ends(FILE *f, const dls_engine_joint *j)
{
    const int first = j->body[0] == DLS_WORLD; /* the first one is never the world */
    fprintf(f, " body1='b%zu'", j->body[first]);
    if (j->body[1 - first] != DLS_WORLD)
        fprintf(f, " body2='b%zu'", j->body[1 - first]);
}

/* One equality, `shift` along the joint's axis from its anchor. */
static void write_held(const mujoco_world *w, const dls_engine_joint *j, double shift)
{
    const int first = j->body[0] == DLS_WORLD;
    fputs(j->pair == DLS_PAIR_FIXED ? "<weld" : "<connect", w->text);
    write_ends(w->text, j);
    if (j->pair != DLS_PAIR_FIXED)
        write3(w->text, "anchor",
               in_frame_of(&w->m->bodies[j->body[first]], dls_add(j->anchor[first], dls_scale(shift, j->axis[0]))));
    fputs("/>\n", w->text);
}

static void write_equality(const mujoco_world *w, const dls_engine_joint *j)
{
    const double half = 0.1; /* [m] from a hinge's anchor to the two points that are held */
    write_held(w, j, j->pair == DLS_PAIR_HINGE ? -half : 0.0);
    if (j->pair == DLS_PAIR_HINGE)
        write_held(w, j, half);
}

static void write_pairs(const mujoco_world *w)
{
    const dls_engine_mechanism *m = w->m;
    fputs("<contact>\n", w->text);
    for (size_t i = 0; i < m->n_bodies; i++)
        for (size_t j = 0; j < i; j++)
            if (m->bodies[i].collides && m->bodies[j].collides && m->bodies[i].moves && m->bodies[j].moves &&
                !m->touch[i * m->n_bodies + j])
                fprintf(w->text, "<exclude body1='b%zu' body2='b%zu'/>\n", i, j);
    fputs("</contact>\n", w->text);
}

static bool write_model(const mujoco_world *w)
{
    const dls_engine_mechanism *m = w->m;
    FILE *f = w->text;
    fprintf(f, "<mujoco><compiler angle='radian' inertiafromgeom='false' boundmass='0'/>\n<option timestep='%.17g'",
            m->h);
    write3(f, "gravity", m->gravity);
    /* room for 20 contacts of each body, of 3 rows each, and 6 rows of each joint: it takes the square of that */
    const size_t contacts = m->collides ? 20 * m->n_bodies + 20 : 1, rows = 3 * contacts + 6 * m->n_joints + 10;
    fprintf(f, " cone='elliptic'/>\n<size njmax='%zu' nconmax='%zu'/>\n", rows, contacts);
    write_world(w);
    fputs("<equality>\n", f);
    for (size_t k = 0; k < m->n_joints; k++)
        if (w->loose || m->closes[k])
            write_equality(w, &m->joints[k]);
    fputs("</equality>\n", f);
    write_pairs(w);
    fputs("</mujoco>\n", f);
    return !ferror(f);
}

/* --- the world --- */

/* Its own handlers write a file where the program was started. After an error it cannot go on. */
static void fail(const char *text)
{
    fprintf(stderr, "%s\n", text);
    _Exit(1);
}
static void warn(const char *text) { fprintf(stderr, "%s\n", text); }

static void load_text(mujoco_world *w, const char *text, size_t length, char *why, size_t size)
{
    mjVFS *files = malloc(sizeof *files);
    if (!files) {
        snprintf(why, size, "no memory for its files");
        return;
    }
    mj_defaultVFS(files);
    if (mj_makeEmptyFileVFS(files, "scene.xml", (int)length) == 0) {
        memcpy(files->filedata[mj_findFileVFS(files, "scene.xml")], text, length);
        w->model = mj_loadXML("scene.xml", files, why, (int)size);
    }
    mj_deleteVFS(files);
    free(files);
    w->data = w->model ? mj_makeData(w->model) : NULL;
    if (w->model && !w->data)
        snprintf(why, size, "no memory for its data");
}

static void set_effort(const mujoco_world *w, size_t i)
{
    const dls_engine_joint *j = hung_by(w, i);
    char name[32];
    if (!j || j->action.effort == 0.0)
        return;
    snprintf(name, sizeof name, "b%zu", i);
    w->data->qfrc_applied[w->model->body_dofadr[mj_name2id(w->model, mjOBJ_BODY, name)]] = j->action.effort;
}

static void set_force(const mujoco_world *w, size_t i)
{
    const dls_vec3 f = w->m->bodies[i].force, t = w->m->bodies[i].torque;
    char name[32];
    snprintf(name, sizeof name, "b%zu", i);
    mjtNum *to = w->data->xfrc_applied + 6 * mj_name2id(w->model, mjOBJ_BODY, name);
    to[0] = f.x, to[1] = f.y, to[2] = f.z, to[3] = t.x, to[4] = t.y, to[5] = t.z;
}

/* Speeds of the coordinates of body i, along the axes that it has at the start. */
static void set_speeds(const mujoco_world *w, size_t i)
{
    const dls_engine_mechanism *m = w->m;
    const dls_engine_body *b = &m->bodies[i];
    char name[32];
    snprintf(name, sizeof name, "b%zu", i);
    const int id = mj_name2id(w->model, mjOBJ_BODY, name);
    mjtNum *v = w->data->qvel + w->model->body_dofadr[id];
    const dls_engine_joint *j = hung_by(w, i);
    if (!j) {
        const dls_vec3 turn = along(b, b->omega);
        v[0] = b->v.x, v[1] = b->v.y, v[2] = b->v.z, v[3] = turn.x, v[4] = turn.y, v[5] = turn.z;
        return;
    }
    const int mine = dls_engine_end(j, i);
    const dls_engine_motion by = dls_engine_relative(m, i);
    const dls_vec3 turn = along(b, by.turn);
    if (j->pair == DLS_PAIR_BALL)
        v[0] = turn.x, v[1] = turn.y, v[2] = turn.z;
    else if (j->pair == DLS_PAIR_HINGE)
        v[0] = dls_dot(by.turn, dls_engine_direction(j, i));
    else if (j->pair == DLS_PAIR_SLIDER)
        v[0] = dls_dot(by.slip, dls_engine_direction(j, i));
    else if (j->pair == DLS_PAIR_UNIVERSAL)
        v[0] = dls_dot(by.turn, j->axis[1 - mine]), v[1] = dls_dot(by.turn, j->axis[mine]);
}

static dls_vec3 vector(const mjtNum *v) { return dls_v3(v[0], v[1], v[2]); }

static void read(void *world, dls_engine_state *states)
{
    mujoco_world *w = world;
    mj_kinematics(w->model, w->data); /* poses and velocities of bodies are those of the step's start */
    mj_comPos(w->model, w->data);
    mj_comVel(w->model, w->data);
    for (size_t i = 0; i < w->m->n_bodies; i++) {
        const dls_engine_body *start = &w->m->bodies[i];
        mjtNum v[6];
        char name[32];
        states[i] = (dls_engine_state){.x = start->x, .q = start->q};
        if (!start->moves)
            continue;
        snprintf(name, sizeof name, "b%zu", i);
        const int id = mj_name2id(w->model, mjOBJ_BODY, name);
        const mjtNum *q = w->data->xquat + 4 * id;
        mj_objectVelocity(w->model, w->data, mjOBJ_BODY, id, v, 0);
        states[i] =
            (dls_engine_state){vector(w->data->xpos + 3 * id), vector(v + 3), vector(v), {q[0], q[1], q[2], q[3]}};
    }
}

static void close_world(void *world)
{
    mujoco_world *w = world;
    if (w->data)
        mj_deleteData(w->data);
    if (w->model)
        mj_deleteModel(w->model);
    free(w);
}

static bool make_model(mujoco_world *w, char *why, size_t size)
{
    const dls_engine_mechanism *m = w->m;
    char *text = NULL;
    size_t length = 0;
    w->text = open_memstream(&text, &length);
    const bool room = w->text && write_model(w);
    const bool whole = w->text && fclose(w->text) == 0 && room;
    if (!whole)
        snprintf(why, size, "no memory for the text of the model");
    else
        load_text(w, text, length, why, size);
    free(text);
    if (!w->data)
        return false;
    for (size_t i = 0; i < m->n_bodies; i++)
        if (m->bodies[i].moves) {
            set_speeds(w, i);
            set_force(w, i);
            set_effort(w, i);
        }
    return true;
}

static void *open_world(const dls_engine_mechanism *m, bool loose, char *why, size_t size)
{
    mujoco_world *w = calloc(1, sizeof *w);
    if (!w) {
        snprintf(why, size, "no memory for %zu bodies", m->n_bodies);
        return NULL;
    }
    w->m = m, w->loose = loose;
    mju_user_error = fail;
    mju_user_warning = warn;
    if (make_model(w, why, size))
        return w;
    close_world(w);
    return NULL;
}
static void *open_tree(const dls_engine_mechanism *m, char *why, size_t size)
{
    return open_world(m, false, why, size);
}
static void *open_loose(const dls_engine_mechanism *m, char *why, size_t size)
{
    return open_world(m, true, why, size);
}

static void step(void *world)
{
    const mujoco_world *w = world;
    mj_step(w->model, w->data);
}

#define EVERY_NOTE                                                                                                   \
    {"contacts", "found by MuJoCo in every step; soft: springs with a time constant of 0.02 s (at least 2 h) and "   \
                 "damping ratio 1, regularised"},                                                                    \
        {"restitution", "none: its contacts are springs and dampers, and a scene with a coefficient is refused"},    \
        {"friction", "Coulomb's elliptic cone, regularised, so that what sticks creeps; no term of De Saxce"},       \
        {"integrator", "semi-implicit Euler in generalised coordinates, the gyroscopic term explicit; rotations by " \
                       "the exponential map"},                                                                       \
    {                                                                                                                \
        "iterations", "Newton's method to its own tolerance (1e-8), 100 at most; warm started"                       \
    }

static const dls_engine_note tree_notes[] = {
    {"joints", "those of the trees are coordinates and have no error but rounding; those that close a loop are soft "
               "equalities (time constant 0.02 s, at least 2 h, damping ratio 1), a hinge as two balls"},
    {"actions", "limits and dry friction are soft, as contacts; dampers are implicit, springs explicit"},
    EVERY_NOTE,
    {NULL, NULL}};
static const dls_engine_note loose_notes[] = {
    {"joints", "every one a soft equality between floating bodies (time constant 0.02 s, at least 2 h, damping ratio "
               "1) in the place of ERP, a hinge as two balls"},
    EVERY_NOTE,
    {NULL, NULL}};

enum {
    SHAPES = 1 << DLS_SHAPE_BOX | 1 << DLS_SHAPE_SPHERE | 1 << DLS_SHAPE_CAPSULE | 1 << DLS_SHAPE_CYLINDER,
    EQUALITIES = 1 << DLS_PAIR_BALL | 1 << DLS_PAIR_HINGE | 1 << DLS_PAIR_FIXED,
    COORDINATES = EQUALITIES | 1 << DLS_PAIR_SLIDER | 1 << DLS_PAIR_UNIVERSAL,
    ACTS = DLS_ENGINE_LIMIT | DLS_ENGINE_SPRING | DLS_ENGINE_DAMPER | DLS_ENGINE_EFFORT | DLS_ENGINE_FRICTION |
           DLS_ENGINE_ARMATURE
};

static const dls_engine mujoco_tree = {"mujoco-tree", COORDINATES, EQUALITIES, SHAPES,    ACTS, 0,    false,
                                       false,         tree_notes,  version,    open_tree, step, read, close_world};
static const dls_engine mujoco_loose = {"mujoco-loose", EQUALITIES,  EQUALITIES, SHAPES,     0,    0,    false,
                                        false,          loose_notes, version,    open_loose, step, read, close_world};
DLS_ENGINES(&mujoco_tree, &mujoco_loose);
