/* The cache: everything comes out and goes in again to the bit, flags copy what they name, and what is wrong is refused
 * by name. Indices: link and axis, dof offsets, pack and unpack, by the source's description. */
#include "articulated.h"

static const dls_vec3 gravity = {0.7, -1.3, -9.81};

/* --- helpers --- */

typedef struct cached {
    articulated a;
    dls_articulation_load *load;
    dls_articulation_cache *cache;
} cached;

static void draw_into(uint64_t *seed, double *x, size_t n, double scale)
{
    for (size_t i = 0; i < n; i++)
        x[i] = scale * draw(seed);
}

/* A load, accelerations, and a state whose wrapped joints have gone round. */
static cached new_cached(articulated a, uint64_t *seed)
{
    cached c = {.a = a};
    dls_error error;
    assert_status(dls_articulation_load_create(a.art, &c.load, &error), &error);
    assert_status(dls_articulation_cache_create(a.art, &c.cache, &error), &error);
    draw_into(seed, c.load->tau, a.art->nv, 7.0);
    draw_into(seed, &c.load->force[0].lin.x, 6 * a.art->n_links, 3.0);
    double *v = draw_vector(seed, a.art->nv, 40.0);
    dls_articulation_advance(a.art, a.state, v, 1.0);
    free(v);
    update(&c.a);
    assert_status(dls_articulation_factor(a.work, &error), &error);
    double *vdot = draw_vector(seed, a.art->nv, 1.0);
    dls_articulation_forward(a.work, c.load->tau, c.load->force, gravity, vdot);
    assert_memory_equal(vdot, a.work->vdot, a.art->nv * sizeof *vdot);
    free(vdot);
    return c;
}

static void release(cached *c)
{
    dls_articulation_load_destroy(c->load);
    dls_articulation_cache_destroy(c->cache);
}

static dls_status copy_out(cached *c, unsigned flags, dls_error *error)
{
    return dls_articulation_cache_copy_out(c->cache, c->a.state, c->load, c->a.work, flags, error);
}

static dls_status copy_in(cached *c, unsigned flags, dls_error *error)
{
    return dls_articulation_cache_copy_in(c->cache, c->a.state, c->load, c->a.work, flags, error);
}

static void scramble(cached *c, uint64_t *seed)
{
    const dls_articulation *art = c->a.art;
    dls_articulation_state *state = c->a.state;
    draw_into(seed, state->v, state->nv, 9.0);
    dls_articulation_advance(art, state, state->v, 2.0);
    state->root_x = draw3(seed), state->root_q = draw_rotation(seed);
    for (size_t k = 0; k < art->nq; k++)
        state->wraps[k] += 5;
    draw_into(seed, c->load->tau, art->nv, 1.0);
    draw_into(seed, &c->load->force[0].lin.x, 6 * art->n_links, 1.0);
    draw_into(seed, c->a.work->vdot, art->nv, 1.0);
    update(&c->a);
    double *tau = calloc(art->nv + 1, sizeof *tau);
    assert_non_null(tau);
    dls_articulation_inverse(c->a.work, c->a.work->vdot, NULL, dls_v3(0, 0, 0), tau); /* accelerations of links */
    free(tau);
}

/* Every field of two caches of one tree that `flags` name is the same to the bit. */
static bool same_bits(const dls_articulation_cache *x, const dls_articulation_cache *y, unsigned flag)
{
    size_t nb = x->articulation->n_base, nj = x->nv - nb, n = x->n_links;
    switch (flag) {
    case DLS_CACHE_POSITION:
        return !memcmp(x->q, y->q, x->nq * sizeof *x->q) && !memcmp(x->wraps, y->wraps, x->nq * sizeof *x->wraps);
    case DLS_CACHE_VELOCITY:
        return !memcmp(x->v + nb, y->v + nb, nj * sizeof *x->v);
    case DLS_CACHE_ROOT_VELOCITY:
        return !memcmp(x->v, y->v, nb * sizeof *x->v);
    case DLS_CACHE_ACCELERATION:
        return !memcmp(x->vdot, y->vdot, x->nv * sizeof *x->vdot);
    case DLS_CACHE_JOINT_FORCE:
        return !memcmp(x->tau, y->tau, x->nv * sizeof *x->tau);
    case DLS_CACHE_LINK_FORCE:
        return !memcmp(x->force, y->force, n * sizeof *x->force);
    case DLS_CACHE_ROOT_POSE:
        return !memcmp(&x->root_x, &y->root_x, sizeof x->root_x) && !memcmp(&x->root_q, &y->root_q, sizeof x->root_q);
    case DLS_CACHE_LINK_POSE:
        return !memcmp(x->link_pose, y->link_pose, n * sizeof *x->link_pose);
    case DLS_CACHE_LINK_ACCELERATION:
        return !memcmp(x->link_acceleration, y->link_acceleration, n * sizeof *x->link_acceleration);
    default:
        return !memcmp(x->link_velocity, y->link_velocity, n * sizeof *x->link_velocity);
    }
}

static dls_articulation_cache *picture(cached *c)
{
    dls_articulation_cache *cache, *own = c->cache;
    dls_error error;
    assert_status(dls_articulation_cache_create(c->a.art, &cache, &error), &error);
    c->cache = cache;
    assert_status(copy_out(c, DLS_CACHE_ALL, &error), &error);
    c->cache = own;
    return cache;
}

/* --- out and in --- */

/* Also what follows: link poses and velocities, and the accelerations that the restored state and load give. */
static void restore_is_exact(articulated *a, uint64_t *seed)
{
    cached c = new_cached(*a, seed);
    dls_error error;
    size_t n = a->art->nv;
    double *before = calloc(n + 1, sizeof *before), *after = calloc(n + 1, sizeof *after);
    dls_articulation_state *state;
    assert_status(dls_articulation_state_create(a->art, &state, &error), &error);
    dls_articulation_state_copy(state, a->state);
    memcpy(before, a->work->vdot, n * sizeof *before);
    assert_status(copy_out(&c, DLS_CACHE_ALL, &error), &error);
    scramble(&c, seed);
    assert_status(copy_in(&c, DLS_CACHE_SETTABLE, &error), &error);
    dls_articulation_cache *again = picture(&c);
    for (unsigned flag = 1; flag < DLS_CACHE_LINK_ACCELERATION; flag <<= 1) /* those are of a dynamics to come */
        assert_true(same_bits(c.cache, again, flag));
    assert_memory_equal(state->q, a->state->q, state->nq * sizeof *state->q);
    assert_memory_equal(state->wraps, a->state->wraps, state->nq * sizeof *state->wraps);
    assert_memory_equal(state->v, a->state->v, n * sizeof *state->v);
    assert_memory_equal(&state->root_x, &a->state->root_x, sizeof state->root_x);
    assert_memory_equal(&state->root_q, &a->state->root_q, sizeof state->root_q);
    assert_status(dls_articulation_factor(a->work, &error), &error);
    dls_articulation_forward(a->work, c.load->tau, c.load->force, gravity, after);
    assert_memory_equal(after, before, n * sizeof *after);
    dls_articulation_cache_destroy(again);
    dls_articulation_state_destroy(state);
    free(before), free(after);
    release(&c);
}

TEST(test_restore_is_exact_to_the_bit) { on_all_trees(restore_is_exact); }

static size_t joint_of(const dls_articulation *art, const char *motion)
{
    for (size_t i = 1; i < art->n_links; i++)
        if (art->links[i].motion == dls_motion_find(motion))
            return i;
    return DLS_NONE;
}

/* A random tree; a revolute joint has gone round. */
static cached new_tree(bool fixed_base, uint64_t *seed)
{
    articulated a = compile_articulated(draw_tree(seed, 13, 2, fixed_base));
    cached c = new_cached(a, seed);
    size_t hinge = joint_of(a.art, "revolute");
    dls_articulation_set_position(a.art, a.state, hinge, -31.7 + draw(seed));
    assert_true(a.state->wraps[a.art->links[hinge].position] < 0);
    update(&c.a);
    return c;
}

static void destroy_tree(cached *c)
{
    release(c);
    destroy_articulated(&c->a);
}

/* With one flag, out of a scrambled owner and into it, the fields of that flag change and no others. */
TEST(test_flags_copy_what_they_name)
{
    dls_error error;
    uint64_t seed = 12;
    for (int fixed = 0; fixed < 2; fixed++)
        for (unsigned flag = 1; flag < DLS_CACHE_ALL; flag <<= 1) {
            cached c = new_tree(fixed, &seed);
            bool empty = fixed && flag == DLS_CACHE_ROOT_VELOCITY;
            assert_status(copy_out(&c, DLS_CACHE_ALL, &error), &error);
            dls_articulation_cache *old = picture(&c);
            scramble(&c, &seed);
            dls_articulation_cache *new = picture(&c);
            if (flag & DLS_CACHE_SETTABLE) {
                assert_status(copy_in(&c, flag, &error), &error);
                dls_articulation_cache *now = picture(&c);
                for (unsigned other = 1; other < DLS_CACHE_SETTABLE; other <<= 1)
                    assert_true(same_bits(now, other == flag ? old : new, other));
                dls_articulation_cache_destroy(now);
            }
            assert_true(same_bits(c.cache, old, flag));
            assert_true(same_bits(c.cache, new, flag) == empty);
            scramble(&c, &seed);
            dls_articulation_cache *last = picture(&c);
            assert_status(copy_out(&c, flag, &error), &error);
            for (unsigned other = 1; other < DLS_CACHE_ALL; other <<= 1)
                assert_true(same_bits(c.cache, other == flag ? last : old, other));
            dls_articulation_cache_destroy(old), dls_articulation_cache_destroy(new),
                dls_articulation_cache_destroy(last);
            destroy_tree(&c);
        }
}

/* Positions set in the cache move the links; a revolute position out of its interval is wrapped, and the constraint's
 * view of it kept. */
TEST(test_positions_move_the_links)
{
    dls_error error;
    dls_articulation_def *def = new_articulation(true);
    dls_link_def base = new_link("base", "", "fix"), arm = new_link("arm", "base", "revolute");
    arm.axis[0] = DLS_SWING2, arm.mass = 1.3, arm.centre = dls_v3(0.7, 0, 0);
    add_link(def, &base), add_link(def, &arm);
    articulated a = compile_articulated(def);
    uint64_t seed = 3;
    cached c = new_cached(a, &seed);
    for (int turns = -3; turns <= 3; turns++) {
        double q = 0.4 + 4 * DLS_PI * turns;
        c.cache->q[0] = q, c.cache->wraps[0] = 2, c.cache->v[0] = 1.1;
        assert_status(copy_in(&c, DLS_CACHE_POSITION | DLS_CACHE_VELOCITY, &error), &error);
        assert_close(a.state->q[0], 0.4, 1e-14);
        assert_int_equal(a.state->wraps[0], 2 + turns);
        assert_close(dls_articulation_unwrapped(a.art, a.state, 1), q + 8 * DLS_PI, 1e-13);
        assert_status(copy_out(&c, DLS_CACHE_LINK_POSE | DLS_CACHE_LINK_VELOCITY, &error), &error);
        dls_frame pose = c.cache->link_pose[1];
        assert_close(pose.p.x, 0.7 * cos(0.4), 1e-14);
        assert_close(pose.p.y, 0.7 * sin(0.4), 1e-14);
        assert_close(fabs(pose.q.z), sin(0.2), 1e-14);
        assert_close(c.cache->link_velocity[1].lin.y, 0.7 * 1.1 * cos(0.4), 1e-14);
        assert_close(c.cache->link_velocity[1].ang.z, 1.1, 0.0);
    }
    destroy_tree(&c);
}

/* The source's snippet: joint speeds to zero; the base keeps its own. */
TEST(test_joint_speeds_to_zero)
{
    dls_error error;
    uint64_t seed = 8;
    cached c = new_tree(false, &seed);
    double base[6];
    memcpy(base, c.a.state->v, sizeof base);
    memset(c.cache->v, 0, c.cache->nv * sizeof *c.cache->v);
    assert_status(copy_in(&c, DLS_CACHE_VELOCITY, &error), &error);
    assert_memory_equal(c.a.state->v, base, sizeof base);
    for (size_t k = 6; k < c.cache->nv; k++)
        assert_true(c.a.state->v[k] == 0.0);
    assert_true(c.a.work->links[12].v.ang.x == base[3]);
    destroy_tree(&c);
}

/* --- what is refused --- */

/* The call fails with that status and those words, and nothing has changed. */
static void refuses(cached *c, unsigned flags, dls_status status, const char *words)
{
    dls_error error;
    char text[DLS_PATH_MAX + DLS_MESSAGE_MAX];
    dls_articulation_cache *before = picture(c);
    assert_int_equal(copy_in(c, flags, &error), status);
    dls_error_format(&error, text, sizeof text);
    if (!strstr(text, words))
        print_error("'%s' lacks '%s'\n", text, words);
    assert_non_null(strstr(text, words));
    dls_articulation_cache *after = picture(c);
    for (unsigned flag = 1; flag < DLS_CACHE_ALL; flag <<= 1)
        assert_true(same_bits(before, after, flag));
    dls_articulation_cache_destroy(before), dls_articulation_cache_destroy(after);
}

/* Spoils one number of the cache, and puts it right again. It matters only to the flag that copies it. */
static void spoil(cached *c, double *x, double value, unsigned flag, dls_status status, const char *words)
{
    dls_error error;
    double kept = *x;
    *x = value;
    refuses(c, flag, status, words);
    refuses(c, DLS_CACHE_SETTABLE, status, words);
    assert_status(copy_in(c, DLS_CACHE_SETTABLE & ~flag, &error), &error);
    *x = kept;
    assert_status(copy_in(c, DLS_CACHE_SETTABLE, &error), &error);
}

/* Forces of a step are no matter of the articulation. */
TEST(test_forces_of_a_step_are_refused)
{
    dls_error error;
    uint64_t seed = 21;
    cached c = new_tree(true, &seed);
    for (unsigned flag = DLS_CACHE_SOLVER_FORCE; flag & DLS_CACHE_STEP; flag <<= 1) {
        assert_int_equal(copy_out(&c, flag, &error), DLS_REFUSED);
        assert_non_null(strstr(error.message, "dls_simulation_cache"));
    }
    destroy_tree(&c);
}

TEST(test_wrong_contents_are_named)
{
    dls_error error;
    uint64_t seed = 5;
    cached c = new_tree(false, &seed);
    const dls_articulation *art = c.a.art;
    dls_articulation_cache *cache = c.cache;
    assert_status(copy_out(&c, DLS_CACHE_ALL, &error), &error);
    size_t slide = joint_of(art, "prismatic"), hinge = joint_of(art, "revolute"), ball = joint_of(art, "spherical");
    char slider[128], hinged[128], quaternion[128], link[128], base[128], turns[128], root[128], not_unit[128];
    snprintf(slider, sizeof slider, "q: joint '%s': the position is not finite", art->defs[slide].joint);
    snprintf(hinged, sizeof hinged, "v: joint '%s': not finite", art->defs[hinge].joint);
    snprintf(quaternion, sizeof quaternion, "q: joint '%s': the position must be a unit quaternion",
             art->defs[ball].joint);
    snprintf(link, sizeof link, "force: link '%s': the force is not finite", art->defs[7].name);
    snprintf(base, sizeof base, "base of '%s': not finite", art->defs[0].name);
    snprintf(turns, sizeof turns, "q: joint '%s': too many turns", art->defs[hinge].joint);
    snprintf(root, sizeof root, "root '%s': the pose is not finite", art->defs[0].name);
    snprintf(not_unit, sizeof not_unit, "root '%s': the orientation must be a unit quaternion", art->defs[0].name);
    spoil(&c, &cache->q[art->links[slide].position], NAN, DLS_CACHE_POSITION, DLS_NOT_FINITE, slider);
    spoil(&c, &cache->q[art->links[ball].position + 2], cache->q[art->links[ball].position + 2] + 0.1,
          DLS_CACHE_POSITION, DLS_BAD_ARGUMENT, quaternion);
    spoil(&c, &cache->q[art->links[hinge].position], 1e20, DLS_CACHE_POSITION, DLS_BAD_ARGUMENT, turns);
    spoil(&c, &cache->v[art->links[hinge].dof], -INFINITY, DLS_CACHE_VELOCITY, DLS_NOT_FINITE, hinged);
    spoil(&c, &cache->v[4], NAN, DLS_CACHE_ROOT_VELOCITY, DLS_NOT_FINITE, base);
    spoil(&c, &cache->vdot[1], NAN, DLS_CACHE_ACCELERATION, DLS_NOT_FINITE, base);
    spoil(&c, &cache->tau[2], INFINITY, DLS_CACHE_JOINT_FORCE, DLS_NOT_FINITE, base);
    spoil(&c, &cache->force[7].ang.y, NAN, DLS_CACHE_LINK_FORCE, DLS_NOT_FINITE, link);
    spoil(&c, &cache->root_x.z, NAN, DLS_CACHE_ROOT_POSE, DLS_NOT_FINITE, root);
    spoil(&c, &cache->root_q.y, cache->root_q.y + 0.1, DLS_CACHE_ROOT_POSE, DLS_BAD_ARGUMENT, not_unit);
    destroy_tree(&c);
}

TEST(test_wrong_calls_are_refused)
{
    dls_error error;
    uint64_t seed = 9;
    cached c = new_tree(true, &seed), other = new_tree(false, &seed);
    assert_status(copy_out(&c, DLS_CACHE_ALL, &error), &error);
    refuses(&c, DLS_CACHE_ALL, DLS_REFUSED, "follow from those of joints");
    refuses(&c, DLS_CACHE_LINK_POSE, DLS_REFUSED, "DLS_CACHE_SETTABLE");
    refuses(&c, 1u << 14, DLS_BAD_ARGUMENT, "unknown cache flags 0x4000");
    assert_int_equal(copy_out(&c, 1u << 20, &error), DLS_BAD_ARGUMENT);
    dls_articulation_load *load = c.load;
    c.load = NULL;
    assert_int_equal(copy_in(&c, DLS_CACHE_LINK_FORCE, &error), DLS_BAD_ARGUMENT);
    assert_status(copy_in(&c, DLS_CACHE_POSITION | DLS_CACHE_ROOT_POSE, &error), &error);
    c.load = other.load;
    assert_int_equal(copy_in(&c, DLS_CACHE_JOINT_FORCE, &error), DLS_BAD_ARGUMENT);
    c.load = load;
    dls_articulation_cache *cache = c.cache;
    c.cache = other.cache;
    assert_int_equal(copy_in(&c, DLS_CACHE_POSITION, &error), DLS_BAD_ARGUMENT);
    assert_int_equal(copy_out(&c, DLS_CACHE_POSITION, &error), DLS_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "another structure"));
    c.cache = cache;
    destroy_tree(&c), destroy_tree(&other);
}

/* Another articulation of the same structure takes the cache, and a cache outlives the articulation that it was made
 * for. */
TEST(test_cache_of_a_twin)
{
    dls_error error;
    uint64_t seed = 14, again = 14;
    cached c = new_tree(false, &seed), twin = new_tree(false, &again);
    assert_status(copy_out(&c, DLS_CACHE_ALL, &error), &error);
    dls_articulation_cache *kept = c.cache;
    c.cache = NULL;
    destroy_tree(&c);
    scramble(&twin, &seed);
    assert_status(
        dls_articulation_cache_copy_in(kept, twin.a.state, twin.load, twin.a.work, DLS_CACHE_SETTABLE, &error), &error);
    dls_articulation_cache *now = picture(&twin);
    for (unsigned flag = 1; flag < DLS_CACHE_LINK_ACCELERATION; flag <<= 1) /* those are of a dynamics to come */
        assert_true(same_bits(kept, now, flag));
    dls_articulation_cache_destroy(now), dls_articulation_cache_destroy(kept);
    destroy_tree(&twin);
}

TEST(test_new_cache_is_at_rest)
{
    dls_error error;
    uint64_t seed = 2;
    cached c = new_tree(false, &seed);
    const dls_articulation *art = c.a.art;
    assert_status(copy_in(&c, DLS_CACHE_SETTABLE, &error), &error);
    for (size_t i = 1; i < art->n_links; i++)
        assert_memory_equal(c.a.state->q + art->links[i].position, art->links[i].motion->identity,
                            art->links[i].motion->n_positions * sizeof(double));
    for (size_t k = 0; k < art->nv; k++)
        assert_true(c.a.state->v[k] == 0.0 && c.load->tau[k] == 0.0);
    assert_close(c.a.state->root_q.w, 1.0, 0.0);
    destroy_tree(&c);
}

/* --- indices --- */

/* The source's table: links 0, 1, 2, 3 with 0, 1, 2, 1 degrees of freedom have the offsets -, 0, 1 and 2, 3; link 2 is
 * spherical with swing1 and swing2. Its joints are added in another order, and a branch makes a tree of it. */
static articulated table_of_the_source(bool fixed_base)
{
    dls_articulation_def *def = new_articulation(fixed_base);
    dls_link_def one = new_link("one", "zero", "revolute"), two = new_link("two", "one", "spherical-2"),
                 three = new_link("three", "one", "prismatic");
    dls_link_def zero = new_link("zero", "", "fix"), four = new_link("four", "zero", "spherical");
    uint64_t seed = 1;
    one.axis[0] = DLS_TWIST;
    two.axis[0] = DLS_SWING1, two.axis[1] = DLS_SWING2;
    three.axis[0] = DLS_Z;
    dls_link_def *links[] = {&two, &one, &zero, &four, &three};
    for (size_t i = 0; i < 5; i++) {
        links[i]->mass = 1.0;
        links[i]->inertia = draw_inertia(&seed, 1.0);
    }
    for (size_t i = 0; i < 5; i++)
        add_link(def, links[i]);
    return compile_articulated(def);
}

TEST(test_offsets_are_the_source_s)
{
    static const char *const names[] = {"zero", "one", "two", "three", "four"};
    static const size_t counts[] = {0, 1, 2, 1, 3}, offsets[] = {0, 0, 1, 3, 4};
    for (int fixed = 0; fixed < 2; fixed++) {
        articulated a = table_of_the_source(fixed);
        size_t base = fixed ? 0 : 6, sum = base;
        assert_int_equal(a.art->n_base, base);
        for (size_t i = 0; i < 5; i++) {
            assert_int_equal(dls_articulation_find_link(a.art, names[i]), i);
            if (i == 0)
                continue;
            assert_int_equal(a.art->links[i].n_dofs, counts[i]);
            assert_int_equal(a.art->links[i].dof, base + offsets[i]);
            assert_int_equal(a.art->links[i].dof, sum); /* the source's snippet: counts summed in link order */
            sum += a.art->links[i].n_dofs;
        }
        assert_int_equal(sum, a.art->nv);
        assert_int_equal(dls_articulation_dof(a.art, 2, DLS_SWING1), base + 1);
        assert_int_equal(dls_articulation_dof(a.art, 2, DLS_SWING2), base + 2);
        assert_true(dls_articulation_dof(a.art, 2, DLS_TWIST) == DLS_NONE);
        assert_true(dls_articulation_dof(a.art, 3, DLS_X) == DLS_NONE);
        assert_true(fixed == (dls_articulation_dof(a.art, 0, DLS_X) == DLS_NONE));
        destroy_articulated(&a);
    }
}

/* Link and axis to index and back, for all of them; and pack and unpack between the two orders. */
static void indices_go_back(articulated *a, uint64_t *seed)
{
    size_t n = a->art->nv, links = a->art->n_links, found = 0;
    double *reduced = draw_vector(seed, n, 1.0), *back = calloc(n + 1, sizeof *back),
           *maximal = draw_vector(seed, 6 * links, 1.0);
    dls_articulation_unpack(a->art, reduced, maximal);
    for (size_t i = 0; i < links; i++)
        for (unsigned axis = DLS_TWIST; axis <= DLS_Z; axis++) {
            size_t k = dls_articulation_dof(a->art, i, (dls_axis)axis);
            if (k == DLS_NONE) {
                assert_true(maximal[6 * i + axis] == 0.0);
                maximal[6 * i + axis] = draw(seed); /* pack ignores it */
                continue;
            }
            found++;
            assert_int_equal(a->art->dof_link[k], i);
            assert_int_equal(dls_articulation_axis(a->art, k), axis);
            assert_true(k >= a->art->links[i].dof && k < a->art->links[i].dof + a->art->links[i].n_dofs);
            assert_true(maximal[6 * i + axis] == reduced[k]);
        }
    assert_int_equal(found, n);
    dls_articulation_pack(a->art, maximal, back);
    assert_memory_equal(back, reduced, n * sizeof *back);
    free(reduced), free(back), free(maximal);
}

TEST(test_indices_go_back)
{
    on_all_trees(indices_go_back);
    for (int fixed = 0; fixed < 2; fixed++) {
        articulated a = table_of_the_source(fixed);
        uint64_t seed = 6;
        indices_go_back(&a, &seed);
        destroy_articulated(&a);
    }
}
