/* Contacts of the solids of a model.
 *
 * The shapes of bodies and links (model/solids.c) are convex solids. A step moves those whose bodies have moved, finds
 * the pairs whose bounding boxes are within the margin of each other (overlaps.h), and gets the contact points of each
 * pair (manifold.h, on a terrain ground.h), in the order of the solids. Pairs without motion, such as sleeping ones,
 * and those that dls_model_solids_touch excludes are omitted. The margin is the gap up to which contacts are found, and
 * changes nothing else: points, normals and gaps are those of the solids.
 */
#include "delassus/contact.h"
#include "delassus/state.h"

#include "base/memory.h"
#include "ground.h"
#include "model/model.h"
#include "overlaps.h"

#include <stdlib.h>
#include <string.h>

struct dls_collider {
    const dls_model *model;
    dls_convex *solids; /* one for each of the model's; its centre is NaN at first */
    dls_frame *poses;   /* of the solids */
    size_t *count;      /* n_ends: scratch, 0 */
    dls_overlaps near;
    dls_contact_points found;         /* of the present pair */
    unsigned name_bits;               /* of the name of a feature */
    dls_contact pattern;              /* of all contacts */
    dls_configuration *configuration; /* of states that come without one; NULL until then */
};

/* A contact's feature has, from its highest bits on, the numbers of both solids and the names of both features; the
 * number of a solid and a name share half of the bits. */
enum { HALF_BITS = 32 };

/* --- contacts of a pair --- */

/* Two terrains stand still, and are no pair. */
static bool find_points(dls_collider *c, const dls_convex *const solid[2])
{
    const double margin = c->model->world.contact_margin;
    c->found.count = 0;
    if (solid[0]->terrain || solid[1]->terrain)
        return dls_ground_touch(solid, margin, &c->found);
    c->found.count = dls_manifold(solid, margin, c->found.at);
    return true;
}

/* p: two solids. */
static dls_status collide_pair(dls_collider *c, dls_pair p, const double *friction, const dls_configuration *here,
                               dls_contacts *contacts, dls_error *error)
{
    const size_t ends[2] = {c->model->solids[p.body[0]].end, c->model->solids[p.body[1]].end};
    const dls_convex *const solid[2] = {&c->solids[p.body[0]], &c->solids[p.body[1]]};
    if (!find_points(c, solid))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the contacts of a terrain");
    const dls_contact_point *found = c->found.at;
    const size_t count = c->found.count;
    if (count == 0)
        return DLS_OK;
    if (!DLS_GROW(contacts->at, contacts->capacity, contacts->count + count))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu contacts", contacts->count + count);
    const double m1 = c->model->solids[p.body[0]].mass, m2 = c->model->solids[p.body[1]].mass;
    const double lighter = m1 > 0.0 && m2 > 0.0 ? fmin(m1, m2) : m1 + m2; /* share_masses() divides it */
    const unsigned bits = c->name_bits;
    const uint64_t feature = ((uint64_t)p.body[0] << (HALF_BITS - bits) | (uint64_t)p.body[1]) << (2 * bits);
    const dls_end end[2] = {dls_configuration_end(here, ends[0]), dls_configuration_end(here, ends[1])};
    for (size_t i = 0; i < count; i++) {
        dls_contact *contact = &contacts->at[contacts->count + i];
        *contact = c->pattern;
        contact->mu = friction[0], contact->torsion = friction[1], contact->rolling = friction[2];
        contact->body[0] = ends[0], contact->body[1] = ends[1];
        contact->friction_mass = lighter;
        contact->normal = found[i].normal;
        contact->gap = found[i].gap;
        for (int k = 0; k < 2; k++) {
            contact->point[k] = found[i].point[k];
            contact->place[k] = dls_tmul3(end[k].R, dls_sub(contact->point[k], end[k].x));
        }
        contact->feature = feature | (uint64_t)found[i].name[0] << bits | found[i].name[1];
    }
    contacts->count += count;
    return DLS_OK;
}

/* The contacts of two ends share the mass, those of all their shapes. Solids are in the order of their ends, and so
 * contacts of one first end are adjacent. */
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

/* Pose of a solid. */
static dls_frame solid_pose(const dls_configuration *at, const dls_solid *of)
{
    if (of->end < at->model->n_bodies && !of->offset)
        return (dls_frame){at->bodies[of->end].x, at->bodies[of->end].q};
    const dls_end end = dls_configuration_end(at, of->end);
    return (dls_frame){dls_end_anchor(&end, &of->frame), dls_end_rotation(&end, &of->frame)};
}

/* Moves a solid and its bounds if its pose has changed since the last call. */
static dls_status move_solid(dls_collider *c, const dls_configuration *at, dls_bounding_box *bounds, dls_error *error)
{
    const dls_solid *of = &c->model->solids[bounds->body];
    const dls_frame pose = solid_pose(at, of);
    char name[2 * DLS_NAME_MAX];
    if (memcmp(&c->poses[bounds->body], &pose, sizeof pose) == 0)
        return DLS_OK;
    if (!dls_finite3(pose.p) || !isfinite(pose.q.w + pose.q.x + pose.q.y + pose.q.z)) {
        dls_model_end_name(c->model, of->end, name, sizeof name);
        return dls_fail(error, DLS_NOT_FINITE, "the pose of '%s' is not finite; no contacts can be found", name);
    }
    c->poses[bounds->body] = pose;
    dls_convex_place(&c->solids[bounds->body], pose);
    dls_convex_bounds(&c->solids[bounds->body], bounds->at);
    for (int k = 0; k < 6; k++) /* two boxes touch from a gap of the margin on, and a rounding before */
        bounds->at[k] += (k % 2 ? 1.0 : -1.0) * (0.5 * c->model->world.contact_margin + 1e-15 * fabs(bounds->at[k]));
    return DLS_OK;
}

dls_status dls_collider_find_at(dls_collider *c, const dls_configuration *at, dls_contacts *contacts, dls_error *error)
{
    contacts->count = 0;
    for (size_t k = 0; k < c->near.n; k++) {
        dls_bounding_box *bounds = &c->near.boxes[k];
        DLS_TRY(move_solid(c, at, bounds, error));
        bounds->movable = !dls_configuration_still(at, c->model->solids[bounds->body].end);
    }
    if (!dls_overlaps_find(&c->near))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the pairs of bodies that are near each other");
    for (size_t k = 0; k < c->near.n_pairs; k++) {
        const dls_pair pair = c->near.pairs[k];
        const size_t ends[2] = {c->model->solids[pair.body[0]].end, c->model->solids[pair.body[1]].end};
        double friction[DLS_FRICTIONS];
        if (!dls_model_moves(c->model, ends[0]) && !dls_model_moves(c->model, ends[1]))
            continue;
        if (dls_model_solids_touch(c->model, pair.body[0], pair.body[1], friction))
            DLS_TRY(collide_pair(c, pair, friction, at, contacts, error));
    }
    share_masses(c, contacts);
    return DLS_OK;
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

static dls_status fill_collider(dls_collider *c, dls_error *error)
{
    const size_t n = c->model->n_solids;
    c->solids = calloc(n + 1, sizeof *c->solids);
    c->poses = calloc(n + 1, sizeof *c->poses);
    c->count = calloc(c->model->n_ends + 1, sizeof *c->count);
    if (!c->solids || !c->poses || !c->count || !DLS_GROW(c->found.at, c->found.capacity, DLS_PAIR_CONTACTS) ||
        !dls_overlaps_reserve(&c->near, n))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu shapes", n);
    const dls_world_def *world = &c->model->world;
    c->pattern = (dls_contact){.restitution = world->restitution,
                               .threshold = world->restitution_threshold,
                               .impact = (dls_impact_law)world->impact,
                               .erp = world->contact_erp,
                               .cfm = world->contact_cfm,
                               .friction = (dls_law)world->friction};
    const char *why = dls_contact_refuses(c->pattern.friction, world->rolling, world->torsion, false);
    if (why)
        return dls_fail(error, DLS_BAD_INPUT, "world: %s", why);
    for (size_t i = 0; i < n; i++) {
        const dls_solid *from = &c->model->solids[i];
        c->solids[i] = dls_convex_of(from);
        c->poses[i].p.x = NAN;
        c->near.boxes[c->near.n++] = (dls_bounding_box){.body = i, .movable = dls_model_moves(c->model, from->end)};
        while (dls_manifold_names(&c->solids[i]) > 1u << c->name_bits)
            c->name_bits++;
    }
    const size_t most = (size_t)1 << (HALF_BITS - c->name_bits);
    return n <= most
               ? DLS_OK
               : dls_fail(error, DLS_REFUSED, "scene '%s' has %zu shapes that collide; at most %zu are possible%s",
                          c->model->name, n, most, most < (size_t)1 << 23 ? " with so large a mesh" : "");
}

dls_status dls_collider_create(const dls_model *model, dls_collider **collider, dls_error *error)
{
    dls_collider *c = *collider = calloc(1, sizeof *c);
    if (!c)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for collision detection");
    c->model = model;
    dls_status status = fill_collider(c, error);
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
    dls_overlaps_release(&c->near);
    dls_configuration_destroy(c->configuration);
    free(c->solids);
    free(c->poses);
    free(c->count);
    free(c->found.at);
    free(c);
}
