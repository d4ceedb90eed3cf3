/* Contacts detected by the Open Dynamics Engine, which is used only for collision detection.
 *
 * The shapes of bodies and links (model/solids.c) are geoms. A step moves those whose bodies have moved, finds the
 * pairs whose bounding boxes overlap (overlaps.h: the time of ODE's spaces grows faster than the number of bodies, or
 * they fail if a body falls off the scene) and gets the contacts of each pair, in the order of the solids. Pairs
 * without motion, such as sleeping ones, and those that dls_model_may_touch excludes are omitted.
 *
 * Conventions of the two libraries agree: ODE's normal points into its first geom, ours from body 2 to body 1, and
 * moving body 1 by the depth along it ends the overlap: gap = -depth. ODE gives one position for both bodies; the two
 * points here are half a depth from it on either side, so that n . (p1 - p2) = gap. This does not change the normal
 * row, since (a + s n) x n = a x n. A plane's normal is its local z; the axis of capsules and cylinders is their local
 * z in both libraries.
 *
 * ODE reports fatal errors through a handler that must not return (otherwise ODE exits): the handler here leaves by
 * longjmp, the call fails, and the collider is not used again. Failed allocations within ODE cannot be caught. The
 * handlers belong to the process: the first collider sets them and the last one restores the previous ones. The library
 * itself is not closed, which would be allowed only after every thread that used it has ended.
 */
#include "delassus/contact.h"
#include "delassus/state.h"

#include "base/memory.h"
#include "model/model.h"
#include "overlaps.h"

#include <ode/ode.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FOUND_MAX = 64 }; /* contacts that ODE may report for a pair */

typedef struct solid {
    dGeomID geom;
    dls_shape shape;
    double mass;   /* of its body [kg]; 0 where that cannot move */
    dls_vec3 half; /* edges of the box itself, not grown [m] */
    dls_vec3 x;    /* where the geom is; NaN at first */
    dls_quat q;
} solid;

struct dls_collider {
    const dls_model *model;
    solid *solids; /* one for each of the model's */
    size_t *count; /* n_ends: scratch, 0 */
    dGeomID cap;   /* a sphere to try the ends of capsules with */
    dls_overlaps near;
    bool broken;
    bool opened;                      /* counts in the library's users */
    dls_configuration *configuration; /* of states that come without one; NULL until then */
};

/* --- the library's state of the process --- */

static pthread_mutex_t users_lock = PTHREAD_MUTEX_INITIALIZER;
static size_t users;
static struct {
    dMessageFunction *error, *debug, *message;
} before; /* handlers */

static _Thread_local jmp_buf *escape; /* where a fatal error leaves to, NULL outside our calls */
static _Thread_local char escape_message[DLS_MESSAGE_MAX / 2];

static void fatal(int number, const char *format, va_list arguments)
{
    (void)number;
    vsnprintf(escape_message, sizeof escape_message, format, arguments);
    if (escape)
        longjmp(*escape, 1);
}

static void silent(int number, const char *format, va_list arguments) { (void)number, (void)format, (void)arguments; }

static bool open_library(void)
{
    static bool is_open;
    pthread_mutex_lock(&users_lock);
    is_open = is_open || dInitODE2(0);
    if (is_open && users++ == 0) {
        before.error = dGetErrorHandler();
        before.debug = dGetDebugHandler();
        before.message = dGetMessageHandler();
        dSetErrorHandler(fatal);
        dSetDebugHandler(fatal);
        dSetMessageHandler(silent);
    }
    bool ok = is_open;
    pthread_mutex_unlock(&users_lock);
    return ok;
}

static void leave_library(void)
{
    pthread_mutex_lock(&users_lock);
    if (--users == 0) {
        dSetErrorHandler(before.error);
        dSetDebugHandler(before.debug);
        dSetMessageHandler(before.message);
    }
    pthread_mutex_unlock(&users_lock);
}

/* Calls `body` so that a fatal error of ODE comes back as a status. */
static dls_status guarded(dls_collider *c, dls_status (*body)(dls_collider *, void *, dls_error *), void *context,
                          dls_error *error)
{
    jmp_buf here;
    if (c->broken)
        return dls_fail(error, DLS_UNAVAILABLE, "the collision library has failed before");
    if (!dAllocateODEDataForThread(dAllocateFlagCollisionData))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the collision library");
    if (setjmp(here)) {
        escape = NULL;
        c->broken = true;
        return dls_fail(error, DLS_UNAVAILABLE, "the collision library failed: %s", escape_message);
    }
    escape = &here;
    dls_status status = body(c, context, error);
    escape = NULL;
    return status;
}

/* --- geoms --- */

static dGeomID new_box(const dls_solid *b) { return dCreateBox(NULL, b->size.x, b->size.y, b->size.z); }
static dGeomID new_sphere(const dls_solid *b) { return dCreateSphere(NULL, b->radius); }
static dGeomID new_capsule(const dls_solid *b) { return dCreateCapsule(NULL, b->radius, b->length); }
static dGeomID new_cylinder(const dls_solid *b) { return dCreateCylinder(NULL, b->radius, b->length); }
static dGeomID new_plane(const dls_solid *b)
{
    (void)b;
    return dCreatePlane(NULL, 0, 0, 1, 0);
}

static void move_solid(dGeomID geom, dls_vec3 x, dls_quat q, double grown)
{
    (void)grown;
    const dQuaternion turn = {q.w, q.x, q.y, q.z};
    dGeomSetPosition(geom, x.x, x.y, x.z);
    dGeomSetQuaternion(geom, turn);
}

static void move_plane(dGeomID geom, dls_vec3 x, dls_quat q, double grown)
{
    dls_vec3 n = dls_quat_rotate(q, dls_axis3(2));
    dGeomPlaneSetParams(geom, n.x, n.y, n.z, dls_dot(n, x) + grown);
}

typedef struct kind {
    const char *name;
    dGeomID (*create)(const dls_solid *);
    void (*move)(dGeomID, dls_vec3, dls_quat, double grown);
} kind;
static const kind kinds[] = {
    [DLS_SHAPE_NONE] = {"none", NULL, NULL},
    [DLS_SHAPE_BOX] = {"box", new_box, move_solid},
    [DLS_SHAPE_SPHERE] = {"sphere", new_sphere, move_solid},
    [DLS_SHAPE_CAPSULE] = {"capsule", new_capsule, move_solid},
    [DLS_SHAPE_CYLINDER] = {"cylinder", new_cylinder, move_solid},
    [DLS_SHAPE_PLANE] = {"plane", new_plane, move_plane},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Whether ODE finds contacts between two kinds at all (it can be built without some, and then finds none, silently):
 * two of about unit size that overlap by half must touch. */
static bool supported(int a, int b)
{
    const dls_solid unit = {.size = {1.0, 1.0, 1.0}, .radius = 0.5, .length = 1.0};
    dContactGeom contact;
    dGeomID one = kinds[a].create(&unit), two = kinds[b].create(&unit);
    kinds[a].move(one, dls_v3(0, 0, 0), dls_quat_identity(), 0.0);
    kinds[b].move(two, dls_v3(0.21, 0.13, 0.35), dls_quat_exp(dls_v3(0.2, 0.3, 0.0)), 0.0);
    int count = dCollide(one, two, 1, &contact, sizeof contact);
    dGeomDestroy(one);
    dGeomDestroy(two);
    return count > 0;
}

static dls_status check_kinds(const dls_model *model, dls_error *error)
{
    size_t present[KINDS] = {0};
    for (size_t i = 0; i < model->n_solids; i++)
        present[model->solids[i].shape]++;
    for (int a = 1; a < KINDS; a++)
        for (int b = a; b < KINDS; b++)
            if (a != DLS_SHAPE_PLANE && present[a] && present[b] && (a != b || present[a] > 1) && !supported(a, b))
                return dls_fail(error, DLS_REFUSED,
                                "scene '%s': this build of ODE finds no contacts between a %s and a %s; give one of "
                                "them another shape, or collide: false",
                                model->name, kinds[a].name, kinds[b].name);
    return DLS_OK;
}

/* ODE finds what overlaps. Solids that have grown by half the margin on every side do so from a gap of the margin on; a
 * plane is moved by as much. */
static double growth(const dls_model *model) { return 0.5 * model->world.contact_margin; }

static dls_solid grow(const dls_solid *from, double by)
{
    dls_solid grown = *from;
    grown.size = dls_add(from->size, dls_v3(2.0 * by, 2.0 * by, 2.0 * by));
    grown.radius += by;
    grown.length += from->shape == DLS_SHAPE_CYLINDER ? 2.0 * by : 0.0;
    return grown;
}

static dls_status create_geoms(dls_collider *c, void *unused, dls_error *error)
{
    (void)unused;
    DLS_TRY(check_kinds(c->model, error));
    c->cap = dCreateSphere(NULL, 1.0);
    for (size_t i = 0; i < c->model->n_solids; i++) {
        const dls_solid *from = &c->model->solids[i];
        const dls_solid grown = grow(from, growth(c->model));
        c->solids[i] = (solid){kinds[from->shape].create(&grown), from->shape,     from->mass,
                               dls_scale(0.5, from->size),        {NAN, NAN, NAN}, dls_quat_identity()};
        c->near.boxes[c->near.n++] = (dls_bounding_box){.body = i, .movable = dls_model_moves(c->model, from->end)};
    }
    return DLS_OK;
}

/* --- contacts of a pair --- */

static double square_distance(const dContactGeom *a, const dContactGeom *b)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += (a->pos[k] - b->pos[k]) * (a->pos[k] - b->pos[k]);
    return sum;
}

static int farthest(const double *distance, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        best = distance[i] > distance[best] ? i : best;
    return best;
}

/* At most DLS_PAIR_CONTACTS of `count`: the deepest, then again and again the one farthest from those taken; ties go to
 * the first. Keeps the order of the library. Returns how many stay, in front of `found`. */
static int thin_out(dContactGeom *found, int count)
{
    double distance[FOUND_MAX + 2]; /* to the nearest one taken; -1 once taken itself */
    if (count <= DLS_PAIR_CONTACTS)
        return count;
    int next = 0, kept = 0;
    for (int i = 0; i < count; i++) {
        distance[i] = HUGE_VAL;
        next = found[i].depth > found[next].depth ? i : next;
    }
    for (int k = 0; k < DLS_PAIR_CONTACTS; k++) {
        distance[next] = -1.0;
        for (int i = 0; i < count; i++)
            distance[i] = fmin(distance[i], square_distance(&found[i], &found[next]));
        next = farthest(distance, count);
    }
    for (int i = 0; i < count; i++)
        if (distance[i] < 0.0)
            found[kept++] = found[i];
    return kept;
}

/* ODE gives a capsule one contact with a box or a cylinder, on which it would rock. Its caps are spheres, and their
 * contacts are the capsule's: each is added that is not the one already there. ODE's positions differ by up to a depth
 * along the normal from test to test, so points within a depth and a thousandth of the radius of each other are one. */
static int add_cap(const dls_collider *c, dls_pair p, int which, double side, dContactGeom *found, int count)
{
    const dls_solid *body = &c->model->solids[p.body[which]];
    dGeomID capsule = c->solids[p.body[which]].geom, other = c->solids[p.body[1 - which]].geom;
    const dReal *x = dGeomGetPosition(capsule), *R = dGeomGetRotation(capsule); /* rows of four */
    double s = 0.5 * side * body->length;
    dContactGeom extra;
    dGeomSphereSetRadius(c->cap, body->radius + growth(c->model));
    dGeomSetPosition(c->cap, x[0] + s * R[2], x[1] + s * R[6], x[2] + s * R[10]);
    if (dCollide(which ? other : c->cap, which ? c->cap : other, 1, &extra, sizeof extra) == 0)
        return count;
    for (int i = 0; i < count; i++) {
        double same = fmax(found[i].depth, extra.depth) + 1e-3 * body->radius;
        if (square_distance(&found[i], &extra) <= same * same)
            return count;
    }
    found[count] = extra;
    return count + 1;
}

static int add_caps(const dls_collider *c, dls_pair p, dContactGeom *found, int count)
{
    for (int which = 0; which < 2; which++) {
        dls_shape shape = c->solids[p.body[which]].shape, other = c->solids[p.body[1 - which]].shape;
        if (shape != DLS_SHAPE_CAPSULE || (other != DLS_SHAPE_BOX && other != DLS_SHAPE_CYLINDER))
            continue;
        count = add_cap(c, p, which, -1.0, found, count);
        count = add_cap(c, p, which, 1.0, found, count);
    }
    return count;
}

static double lighter_mass(const dls_collider *c, dls_pair p)
{
    double m1 = c->solids[p.body[0]].mass, m2 = c->solids[p.body[1]].mass;
    return m1 > 0.0 && m2 > 0.0 ? fmin(m1, m2) : m1 + m2;
}

/* A corner of a grown box lies beside the box: the point is brought back over it, across the normal. */
static dls_vec3 over_body(const solid *s, dls_vec3 p, dls_vec3 n)
{
    if (s->shape != DLS_SHAPE_BOX)
        return p;
    dls_vec3 half = s->half, local = dls_quat_rotate(dls_quat_conj(s->q), dls_sub(p, s->x));
    dls_vec3 inside = dls_v3(fmin(fmax(local.x, -half.x), half.x), fmin(fmax(local.y, -half.y), half.y),
                             fmin(fmax(local.z, -half.z), half.z));
    dls_vec3 shift = dls_quat_rotate(s->q, dls_sub(inside, local));
    return dls_add(p, dls_sub(shift, dls_scale(dls_dot(shift, n), n)));
}

static dls_status no_normal(const dls_collider *c, const size_t ends[2], dls_error *error)
{
    char name[2][2 * DLS_NAME_MAX];
    for (int k = 0; k < 2; k++)
        dls_model_end_name(c->model, ends[k], name[k], sizeof name[k]);
    return dls_fail(error, DLS_NOT_FINITE, "the collision library found no normal between '%s' and '%s'", name[0],
                    name[1]);
}

/* p: two solids. */
static dls_status collide_pair(dls_collider *c, dls_pair p, const dls_configuration *here, dls_contacts *contacts,
                               dls_error *error)
{
    const dls_world_def *world = &c->model->world;
    const size_t ends[2] = {c->model->solids[p.body[0]].end, c->model->solids[p.body[1]].end};
    dContactGeom found[FOUND_MAX + 2];
    int count = dCollide(c->solids[p.body[0]].geom, c->solids[p.body[1]].geom, FOUND_MAX, found, sizeof found[0]);
    if (count == 0)
        return DLS_OK;
    count = thin_out(found, add_caps(c, p, found, count));
    if (!DLS_GROW(contacts->at, contacts->capacity, contacts->count + (size_t)count))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu contacts", contacts->count + (size_t)count);
    const dls_contact pattern = {
        .body = {ends[0], ends[1]},
        .mu = world->mu,
        .restitution = world->restitution,
        .threshold = world->restitution_threshold,
        .erp = world->contact_erp,
        .cfm = world->contact_cfm,
        .friction = (dls_law)world->friction,
        .friction_mass = lighter_mass(c, p), /* share_masses() divides it */
        .feature = (uint64_t)p.body[0] << 36 | (uint64_t)p.body[1] << 8,
    };
    const dls_end end[2] = {dls_configuration_end(here, ends[0]), dls_configuration_end(here, ends[1])};
    dls_vec3 n = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; i++) {
        dls_contact *contact = &contacts->at[contacts->count + (size_t)i];
        if (i == 0 || memcmp(found[i].normal, found[i - 1].normal, 3 * sizeof(dReal)) != 0)
            n = dls_unit(dls_v3(found[i].normal[0], found[i].normal[1], found[i].normal[2]));
        const double gap = world->contact_margin - found[i].depth;
        dls_vec3 at = dls_v3(found[i].pos[0], found[i].pos[1], found[i].pos[2]), half = dls_scale(0.5 * gap, n);
        for (int k = 0; k < 2 && world->contact_margin > 0.0; k++)
            at = over_body(&c->solids[p.body[k]], at, n);
        if (!isfinite(gap) || !dls_finite3(at) || !(dls_dot(n, n) > 0.25))
            return no_normal(c, ends, error);
        *contact = pattern;
        contact->normal = n;
        contact->gap = gap;
        contact->point[0] = dls_add(at, half);
        contact->point[1] = dls_sub(at, half);
        for (int k = 0; k < 2; k++)
            contact->place[k] = dls_tmul3(end[k].R, dls_sub(contact->point[k], end[k].x));
        contact->feature += (uint64_t)i;
    }
    contacts->count += (size_t)count;
    return DLS_OK;
}

/* The contacts of two ends share the mass, those of all their shapes. Solids are in the order of their ends, and so
 * contacts of one first end stand together. */
static void share_masses(const dls_collider *c, dls_contacts *contacts)
{
    dls_contact *at = contacts->at;
    for (size_t first = 0, end; first < contacts->count; first = end) {
        for (end = first; end < contacts->count && at[end].body[0] == at[first].body[0]; end++)
            c->count[at[end].body[1]]++;
        for (size_t k = first; k < end; k++)
            at[k].friction_mass /= (double)c->count[at[k].body[1]];
        for (size_t k = first; k < end; k++)
            c->count[at[k].body[1]] = 0;
    }
}

/* --- a step --- */

typedef struct job {
    const dls_configuration *at;
    dls_contacts *contacts;
} job;

/* Where a solid is. */
static dls_frame pose_of(const dls_configuration *at, const dls_solid *of)
{
    if (of->end < at->model->n_bodies && !of->offset)
        return (dls_frame){at->bodies[of->end].x, at->bodies[of->end].q};
    const dls_end end = dls_configuration_end(at, of->end);
    return (dls_frame){dls_end_anchor(&end, &of->frame), dls_end_rotation(&end, &of->frame)};
}

/* The geom and the bounds of a solid that is elsewhere than in the last call. */
static void move(dls_collider *c, const dls_configuration *at, dls_bounding_box *bounds)
{
    solid *s = &c->solids[bounds->body];
    const dls_frame pose = pose_of(at, &c->model->solids[bounds->body]);
    if (memcmp(&s->x, &pose.p, sizeof s->x) == 0 && memcmp(&s->q, &pose.q, sizeof s->q) == 0)
        return;
    dReal box[6];
    s->x = pose.p, s->q = pose.q;
    kinds[s->shape].move(s->geom, s->x, s->q, growth(c->model));
    dGeomGetAABB(s->geom, box);
    for (int k = 0; k < 6; k++)
        bounds->at[k] = box[k];
}

static dls_status find(dls_collider *c, void *context, dls_error *error)
{
    const job *step = context;
    for (size_t k = 0; k < c->near.n; k++) {
        dls_bounding_box *bounds = &c->near.boxes[k];
        move(c, step->at, bounds);
        bounds->movable = !dls_configuration_still(step->at, c->model->solids[bounds->body].end);
    }
    if (!dls_overlaps_find(&c->near))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the pairs of bodies that are near each other");
    for (size_t k = 0; k < c->near.n_pairs; k++) {
        const dls_pair pair = c->near.pairs[k];
        const size_t ends[2] = {c->model->solids[pair.body[0]].end, c->model->solids[pair.body[1]].end};
        if (!dls_model_moves(c->model, ends[0]) && !dls_model_moves(c->model, ends[1]))
            continue;
        if (dls_model_may_touch(c->model, ends[0], ends[1]))
            DLS_TRY(collide_pair(c, pair, step->at, step->contacts, error));
    }
    share_masses(c, step->contacts);
    return DLS_OK;
}

dls_status dls_collider_find_at(dls_collider *collider, const dls_configuration *at, dls_contacts *contacts,
                                dls_error *error)
{
    job step = {at, contacts};
    contacts->count = 0;
    return guarded(collider, find, &step, error);
}

dls_status dls_collider_find(dls_collider *collider, const dls_state *state, dls_contacts *contacts, dls_error *error)
{
    contacts->count = 0;
    DLS_TRY(dls_state_check(collider->model, state, error));
    if (!collider->configuration)
        DLS_TRY(dls_configuration_create(collider->model, &collider->configuration, error));
    dls_configuration_evaluate(collider->configuration, state);
    return dls_collider_find_at(collider, collider->configuration, contacts, error);
}

/* --- life --- */

bool dls_collider_available(void) { return true; }

static dls_status fill(dls_collider *c, dls_error *error)
{
    c->solids = calloc(c->model->n_solids + 1, sizeof *c->solids);
    c->count = calloc(c->model->n_ends + 1, sizeof *c->count);
    if (!c->solids || !c->count || !dls_overlaps_reserve(&c->near, c->model->n_solids))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu shapes", c->model->n_solids);
    c->opened = open_library();
    if (!c->opened)
        return dls_fail(error, DLS_UNAVAILABLE, "the collision library does not start");
    return guarded(c, create_geoms, NULL, error);
}

dls_status dls_collider_create(const dls_model *model, dls_collider **collider, dls_error *error)
{
    dls_collider *c = *collider = calloc(1, sizeof *c);
    if (!c)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for collision detection");
    c->model = model;
    dls_status status = fill(c, error);
    if (status != DLS_OK) {
        dls_collider_destroy(c);
        *collider = NULL;
    }
    return status;
}

void dls_collider_destroy(dls_collider *c)
{
    if (!c)
        return;
    if (c->cap && !c->broken)
        dGeomDestroy(c->cap);
    for (size_t i = 0; c->solids && i < c->model->n_solids; i++)
        if (c->solids[i].geom && !c->broken)
            dGeomDestroy(c->solids[i].geom);
    if (c->opened)
        leave_library();
    dls_overlaps_release(&c->near);
    dls_configuration_destroy(c->configuration);
    free(c->solids);
    free(c->count);
    free(c);
}
