/* articulated.h - random articulations, and the three objects that a test of one needs. */
#ifndef DLS_TESTS_ARTICULATED_H
#define DLS_TESTS_ARTICULATED_H

#include "mechanism.h"

static const dls_vec3 zero3 = {0, 0, 0};

typedef struct articulated {
    dls_articulation *art;
    dls_articulation_state *state;
    dls_articulation_work *work;
} articulated;

static inline dls_articulation_def *new_articulation(bool fixed_base)
{
    dls_articulation_def *def;
    dls_error error;
    assert_status(dls_articulation_def_create(&def, &error), &error);
    def->fixed_base = fixed_base;
    return def;
}

static inline dls_link_def new_link(const char *name, const char *parent, const char *motion)
{
    dls_link_def link;
    dls_link_default(&link);
    snprintf(link.name, sizeof link.name, "%s", name);
    snprintf(link.parent, sizeof link.parent, "%s", parent);
    link.motion = dls_motion_find(motion);
    assert_non_null(link.motion);
    return link;
}

static inline void add_link(dls_articulation_def *def, const dls_link_def *link)
{
    dls_error error;
    assert_status(dls_articulation_def_add(def, link, &error), &error);
}

/* The inertia of a box with edges of 0.1 to 0.5, turned. */
static inline dls_mat3 draw_inertia(uint64_t *seed, double mass)
{
    double a = 0.3 + 0.2 * draw(seed), b = 0.3 + 0.2 * draw(seed), c = 0.3 + 0.2 * draw(seed);
    dls_mat3 box = {
        {mass / 12 * (b * b + c * c), 0, 0, 0, mass / 12 * (a * a + c * c), 0, 0, 0, mass / 12 * (a * a + b * b)}};
    return dls_rotate_tensor(dls_quat_matrix(draw_rotation(seed)), box);
}

static inline size_t draw_index(uint64_t *seed, size_t n) { return (size_t)(0.5 * (draw(seed) + 1.0) * (double)n); }

static inline void draw_joint(uint64_t *seed, dls_link_def *link, size_t motion)
{
    link->motion = dls_motions[motion];
    link->axis[0] = link->motion->first_axis + (dls_axis)draw_index(seed, 3);
    link->axis[1] = link->motion->first_axis + (dls_axis)(((size_t)link->axis[0] + 1 + draw_index(seed, 2)) % 3);
    link->parent_frame = (dls_frame){dls_scale(0.5, draw3(seed)), draw_rotation(seed)};
    link->child_frame = (dls_frame){dls_scale(0.5, draw3(seed)), draw_rotation(seed)};
    for (int k = 0; k < 3; k++) {
        link->armature[k] = 0.1 * fmax(0.0, draw(seed));
        link->speed[k] = 2.0 * draw(seed);
        link->q[k] = 3.0 * draw(seed);
    }
    if (link->motion->n_positions == 4) {
        dls_quat q = draw_rotation(seed);
        link->q[0] = q.w, link->q[1] = q.x, link->q[2] = q.y, link->q[3] = q.z;
    }
}

/* n links of all motion types in turn; `reach` 1: a chain, else a parent among the last `reach` links. */
static inline dls_articulation_def *draw_tree(uint64_t *seed, size_t n, size_t reach, bool fixed_base)
{
    dls_articulation_def *def = new_articulation(fixed_base);
    size_t kinds = 0, first = draw_index(seed, 6);
    while (dls_motions[kinds])
        kinds++;
    for (size_t i = 0; i < n; i++) {
        char name[32], parent[32] = "";
        snprintf(name, sizeof name, "link%zu", i);
        if (i)
            snprintf(parent, sizeof parent, "link%zu", i - 1 - draw_index(seed, i < reach ? i : reach));
        dls_link_def link = new_link(name, parent, "fix");
        link.mass = 1.7 + draw(seed);
        link.centre = dls_scale(0.3, draw3(seed));
        link.inertia = draw_inertia(seed, link.mass);
        link.position = draw3(seed), link.orientation = draw_rotation(seed);
        if (i)
            draw_joint(seed, &link, (i + first) % kinds);
        for (int k = 0; k < 6 && !i; k++)
            link.speed[k] = draw(seed);
        add_link(def, &link);
    }
    return def;
}

/* A scene of a tree of all motion types with forces and efforts, closed to a loop by a ball, and a body on a link. */
static inline dls_scene *draw_tree_scene(uint64_t *seed, bool fixed_base)
{
    dls_scene *scene = new_scene();
    dls_error error;
    dls_articulation_def *def = draw_tree(seed, 12, 3, fixed_base);
    dls_body_def load = new_box("load", 0.7, dls_v3(0.4, 0.05, 0.2), dls_v3(0.7, 0, 0));
    snprintf(def->name, sizeof def->name, "tree");
    def->links[5].force = dls_v3(1, 2, -3), def->links[7].torque = dls_v3(0.4, 0.1, 0.2);
    for (size_t i = 1; i < def->n_links; i++)
        def->links[i].effort[0] = 0.3 * draw(seed);
    assert_status(dls_scene_add_articulation(scene, def, &error), &error);
    add_body(scene, &load);
    add_joint(scene, "ball", "loop", "tree.link11", "world", KEYS("anchor", "[0.3, 0.2, 0.1]"));
    add_joint(scene, "hinge", "held", "load", "tree.link8", KEYS("anchor", "[0.5, 0.1, 0]", "axis", "[0, 0, 1]"));
    return scene;
}

static inline void update(articulated *a)
{
    dls_articulation_kinematics(a->state, a->work);
    dls_articulation_velocities(a->state->v, a->work);
}

/* Takes the definition. */
static inline articulated compile_articulated(dls_articulation_def *def)
{
    articulated a;
    dls_error error;
    assert_status(dls_articulation_create(def, &a.art, &error), &error);
    assert_status(dls_articulation_state_create(a.art, &a.state, &error), &error);
    assert_status(dls_articulation_work_create(a.art, &a.work, &error), &error);
    dls_articulation_def_destroy(def);
    update(&a);
    return a;
}

static inline void destroy_articulated(articulated *a)
{
    dls_articulation_work_destroy(a->work);
    dls_articulation_state_destroy(a->state);
    dls_articulation_destroy(a->art);
}

static inline double *draw_vector(uint64_t *seed, size_t n, double scale)
{
    double *x = calloc(n + 1, sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = scale * draw(seed);
    return x;
}

static inline double largest(const double *x, size_t n)
{
    double worst = 0.0;
    for (size_t i = 0; i < n; i++)
        worst = fabs(x[i]) > worst || isnan(x[i]) ? fabs(x[i]) : worst;
    return worst;
}

/* max |x - y| / max |y| */
static inline double relative(const double *x, const double *y, size_t n)
{
    double worst = 0.0, scale = largest(y, n);
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i] - y[i]) <= worst))
            worst = fabs(x[i] - y[i]);
    return scale > 0.0 ? worst / scale : worst;
}

/* Trees of all sizes, shapes and bases: check(a, seed) for each. */
static inline void on_all_trees(void (*check)(articulated *a, uint64_t *seed))
{
    static const size_t sizes[] = {1, 2, 3, 5, 8, 13, 30, 60}, reaches[] = {1, 2, 8};
    uint64_t seed = 20;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t r = 0; r < 3; r++)
            for (int fixed = 0; fixed < 2; fixed++) {
                articulated a = compile_articulated(draw_tree(&seed, sizes[s], reaches[r], fixed));
                check(&a, &seed);
                destroy_articulated(&a);
            }
}

#endif
