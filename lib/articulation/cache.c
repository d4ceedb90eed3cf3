/* The cache: state, accelerations and load of an articulation, copied out and in. physx-articulations,
 * PxArticulationCache.
 *
 * Both directions copy the same fields bit by bit, so copying out and in again changes nothing: unit quaternions are
 * not normalised again, wrapped coordinates not wrapped again. Everything is checked before anything is copied in.
 * Poses and velocities of links follow from coordinates and speeds, so they are only copied out. In addition to the
 * source, wraps are counted, and errors name the joint or the link.
 */
#include "parts.h"

#include <string.h>

/* --- create, destroy --- */

typedef struct owned {
    dls_articulation_cache cache; /* first: the caller has its address */
    dls_arena memory, step;       /* step: of what a simulation copies */
} owned;

dls_status dls_articulation_cache_create(const dls_articulation *art, dls_articulation_cache **cache, dls_error *error)
{
    dls_arena m = {0};
    const size_t n = art->n_links, nq = art->nq, nv = art->nv;
    owned *made = DLS_TAKE(&m, owned, 1);
    dls_articulation_cache fields = {
        .nq = nq,
        .nv = nv,
        .n_links = n,
        .q = DLS_TAKE_ZEROS(&m, double, nq),
        .wraps = DLS_TAKE_ZEROS(&m, long, nq),
        .v = DLS_TAKE_ZEROS(&m, double, nv),
        .vdot = DLS_TAKE_ZEROS(&m, double, nv),
        .tau = DLS_TAKE_ZEROS(&m, double, nv),
        .force = DLS_TAKE_ZEROS(&m, dls_spatial, n),
        .link_pose = DLS_TAKE_ZEROS(&m, dls_frame, n),
        .link_velocity = DLS_TAKE_ZEROS(&m, dls_spatial, n),
        .link_acceleration = DLS_TAKE_ZEROS(&m, dls_spatial, n),
        .solver_force = DLS_TAKE_ZEROS(&m, double, nv),
    };
    *cache = NULL;
    if (m.failed) {
        dls_arena_release(&m);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the cache of an articulation of %zu links", n);
    }
    fields.articulation = dls_articulation_share(art);
    fields.root_q.w = 1.0;
    for (size_t i = 0; i < n; i++) {
        const dls_link *link = &art->links[i];
        memcpy(fields.q + link->position, link->motion->identity, link->motion->n_positions * sizeof *fields.q);
        fields.link_pose[i].q.w = 1.0;
    }
    *made = (owned){fields, m, {0}};
    *cache = &made->cache;
    return DLS_OK;
}

void dls_articulation_cache_destroy(dls_articulation_cache *cache)
{
    if (!cache)
        return;
    dls_arena memory = ((owned *)cache)->memory;
    dls_arena_release(&((owned *)cache)->step);
    dls_articulation_destroy(cache->articulation);
    dls_arena_release(&memory);
}

dls_status dls_articulation_cache_room(dls_articulation_cache *cache, size_t n_sensors, size_t n_rows, dls_error *error)
{
    dls_arena *step = &((owned *)cache)->step;
    cache->n_sensors = cache->n_rows = 0;
    dls_arena_reset(step);
    cache->sensor_index = DLS_TAKE(step, size_t, n_sensors);
    cache->sensors = DLS_TAKE(step, dls_spatial, n_sensors);
    cache->row_index = DLS_TAKE(step, size_t, n_rows);
    cache->coefficients = dls_arena_take(step, n_rows, cache->nv * sizeof(double));
    cache->lambda = DLS_TAKE(step, double, n_rows);
    if (step->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows of a cache", n_rows);
    cache->n_sensors = n_sensors;
    cache->n_rows = n_rows;
    return DLS_OK;
}

/* --- both directions --- */

/* The arrays of one side. */
typedef struct fields {
    double *q, *v, *vdot, *tau;
    long *wraps;
    dls_spatial *force;
} fields;

static fields of_cache(const dls_articulation_cache *cache)
{
    return (fields){cache->q, cache->v, cache->vdot, cache->tau, cache->wraps, cache->force};
}

static fields of_owners(const dls_articulation_state *state, const dls_articulation_load *load,
                        const dls_articulation_work *work)
{
    return (fields){state->q, state->v, work->vdot, load ? load->tau : NULL, state->wraps, load ? load->force : NULL};
}

static void copy_fields(const dls_articulation *art, unsigned flags, fields to, fields from)
{
    size_t nb = art->n_base, nj = art->nv - nb;
    if (flags & DLS_CACHE_POSITION) {
        memcpy(to.q, from.q, art->nq * sizeof *to.q);
        memcpy(to.wraps, from.wraps, art->nq * sizeof *to.wraps);
    }
    if (flags & DLS_CACHE_VELOCITY)
        memcpy(to.v + nb, from.v + nb, nj * sizeof *to.v);
    if (flags & DLS_CACHE_ROOT_VELOCITY)
        memcpy(to.v, from.v, nb * sizeof *to.v);
    if (flags & DLS_CACHE_ACCELERATION)
        memcpy(to.vdot, from.vdot, art->nv * sizeof *to.vdot);
    if (flags & DLS_CACHE_JOINT_FORCE)
        memcpy(to.tau, from.tau, art->nv * sizeof *to.tau);
    if (flags & DLS_CACHE_LINK_FORCE)
        memcpy(to.force, from.force, art->n_links * sizeof *to.force);
}

static bool same_structure(const dls_articulation *a, const dls_articulation *b)
{
    if (a == b)
        return true;
    if (a->fixed_base != b->fixed_base || a->n_links != b->n_links)
        return false;
    for (size_t i = 1; i < a->n_links; i++)
        if (a->links[i].parent != b->links[i].parent || a->links[i].motion != b->links[i].motion)
            return false;
    return true;
}

static dls_status check_call(const dls_articulation_cache *cache, const dls_articulation_state *state,
                             const dls_articulation_load *load, const dls_articulation_work *work, unsigned flags,
                             dls_error *error)
{
    const dls_articulation *art = work->articulation;
    if (flags & DLS_CACHE_STEP)
        return dls_fail(error, DLS_REFUSED,
                        "forces of a step are known to its simulation alone; copy them by dls_simulation_cache");
    if (flags & ~(unsigned)DLS_CACHE_ALL)
        return dls_fail(error, DLS_BAD_ARGUMENT, "unknown cache flags %#x", flags & ~(unsigned)DLS_CACHE_ALL);
    if (!same_structure(cache->articulation, art) || state->nq != art->nq || state->nv != art->nv)
        return dls_fail(error, DLS_BAD_ARGUMENT,
                        "the cache was made for another structure than that of '%s'; make one for it", art->name);
    if (!(flags & (DLS_CACHE_JOINT_FORCE | DLS_CACHE_LINK_FORCE)))
        return DLS_OK;
    if (!load)
        return dls_fail(error, DLS_BAD_ARGUMENT,
                        "the flags name forces, but there is no load; leave them out of the flags or give a load");
    if (load->nv != art->nv || load->n_links != art->n_links)
        return dls_fail(error, DLS_BAD_ARGUMENT,
                        "the load was made for another structure than that of '%s'; make one for it", art->name);
    return DLS_OK;
}

/* --- out --- */

dls_status dls_articulation_cache_copy_out(dls_articulation_cache *cache, const dls_articulation_state *state,
                                           const dls_articulation_load *load, const dls_articulation_work *work,
                                           unsigned flags, dls_error *error)
{
    DLS_TRY(check_call(cache, state, load, work, flags, error));
    copy_fields(work->articulation, flags, of_cache(cache), of_owners(state, load, work));
    if (flags & DLS_CACHE_ROOT_POSE)
        cache->root_x = state->root_x, cache->root_q = state->root_q;
    for (size_t i = 0; i < cache->n_links && flags & DLS_CACHE_LINK_POSE; i++) {
        dls_end end = dls_articulation_end(work, i);
        cache->link_pose[i] = (dls_frame){end.x, end.q};
    }
    for (size_t i = 0; i < cache->n_links && flags & DLS_CACHE_LINK_VELOCITY; i++)
        cache->link_velocity[i] = work->links[i].v;
    for (size_t i = 0; i < cache->n_links && flags & DLS_CACHE_LINK_ACCELERATION; i++)
        cache->link_acceleration[i] = dls_articulation_acceleration(work, i, cache->gravity);
    return DLS_OK;
}

/* --- in: checks --- */

static bool all_finite(const double *x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!isfinite(x[k]))
            return false;
    return true;
}

static dls_status bad_joint(dls_error *error, dls_status status, const dls_articulation *art, size_t link,
                            const char *key, const char *message)
{
    if (link == 0)
        return dls_fail_about(error, status, NULL, key, "base of '%s': %s", art->defs[0].name, message);
    return dls_fail_about(error, status, NULL, key, "joint '%s': %s", art->defs[link].joint, message);
}

static dls_status check_positions(const dls_articulation_cache *cache, const dls_articulation *art, dls_error *error)
{
    const double most = 0x1p53; /* neighbouring doubles beyond are 2 apart and hold neither an angle nor a count */
    for (size_t i = 1; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        const double *q = cache->q + link->position;
        if (!all_finite(q, link->motion->n_positions))
            return bad_joint(error, DLS_NOT_FINITE, art, i, "q", "the position is not finite");
        if (link->motion->n_positions == 4 && !dls_tree_unit((dls_quat){q[0], q[1], q[2], q[3]}))
            return bad_joint(error, DLS_BAD_ARGUMENT, art, i, "q", "the position must be a unit quaternion");
        if ((link->motion->wraps || link->motion->coordinate) &&
            fmax(fabs(q[0]), fabs((double)cache->wraps[link->position])) > most)
            return bad_joint(error, DLS_BAD_ARGUMENT, art, i, "q", "too many turns for the position to be exact");
    }
    return DLS_OK;
}

static dls_status check_dofs(const dls_articulation *art, const double *x, size_t first, size_t end, const char *key,
                             dls_error *error)
{
    for (size_t k = first; k < end; k++)
        if (!isfinite(x[k]))
            return bad_joint(error, DLS_NOT_FINITE, art, art->dof_link[k], key, "not finite");
    return DLS_OK;
}

static dls_status check_root(const dls_articulation_cache *cache, const dls_articulation *art, dls_error *error)
{
    dls_quat r = cache->root_q;
    const double q[4] = {r.w, r.x, r.y, r.z};
    const char *name = art->defs[0].name;
    if (!dls_finite3(cache->root_x) || !all_finite(q, 4))
        return dls_fail_about(error, DLS_NOT_FINITE, NULL, "root", "root '%s': the pose is not finite", name);
    if (!dls_tree_unit(r))
        return dls_fail_about(error, DLS_BAD_ARGUMENT, NULL, "root",
                              "root '%s': the orientation must be a unit quaternion", name);
    return DLS_OK;
}

static dls_status check_contents(const dls_articulation_cache *cache, const dls_articulation *art, unsigned flags,
                                 dls_error *error)
{
    if (flags & DLS_CACHE_POSITION)
        DLS_TRY(check_positions(cache, art, error));
    if (flags & DLS_CACHE_ROOT_POSE)
        DLS_TRY(check_root(cache, art, error));
    if (flags & DLS_CACHE_ROOT_VELOCITY)
        DLS_TRY(check_dofs(art, cache->v, 0, art->n_base, "v", error));
    if (flags & DLS_CACHE_VELOCITY)
        DLS_TRY(check_dofs(art, cache->v, art->n_base, art->nv, "v", error));
    if (flags & DLS_CACHE_ACCELERATION)
        DLS_TRY(check_dofs(art, cache->vdot, 0, art->nv, "vdot", error));
    if (flags & DLS_CACHE_JOINT_FORCE)
        DLS_TRY(check_dofs(art, cache->tau, 0, art->nv, "tau", error));
    for (size_t i = 0; i < cache->n_links && flags & DLS_CACHE_LINK_FORCE; i++)
        if (!dls_finite3(cache->force[i].lin) || !dls_finite3(cache->force[i].ang))
            return dls_fail_about(error, DLS_NOT_FINITE, NULL, "force", "link '%s': the force is not finite",
                                  art->defs[i].name);
    return DLS_OK;
}

/* --- in --- */

dls_status dls_articulation_cache_copy_in(const dls_articulation_cache *cache, dls_articulation_state *state,
                                          dls_articulation_load *load, dls_articulation_work *work, unsigned flags,
                                          dls_error *error)
{
    const unsigned poses = DLS_CACHE_POSITION | DLS_CACHE_ROOT_POSE;
    DLS_TRY(check_call(cache, state, load, work, flags, error));
    if (flags & ~(unsigned)DLS_CACHE_SETTABLE)
        return dls_fail(error, DLS_REFUSED,
                        "poses, velocities and accelerations of links follow from those of joints and cannot be set; "
                        "use the flags of "
                        "DLS_CACHE_SETTABLE only");
    DLS_TRY(check_contents(cache, work->articulation, flags, error));
    copy_fields(work->articulation, flags, of_owners(state, load, work), of_cache(cache));
    if (flags & DLS_CACHE_ROOT_POSE)
        state->root_x = cache->root_x, state->root_q = cache->root_q;
    for (size_t i = 1; i < cache->n_links && flags & DLS_CACHE_POSITION; i++) {
        size_t k = cache->articulation->links[i].position;
        if (cache->articulation->links[i].motion->wraps)
            dls_tree_wrap(&state->q[k], &state->wraps[k]);
    }
    if (flags & poses)
        dls_articulation_kinematics(state, work);
    if (flags & (poses | DLS_CACHE_VELOCITY | DLS_CACHE_ROOT_VELOCITY))
        dls_articulation_velocities(state->v, work);
    return DLS_OK;
}
