/* engine_tree.h - places of shapes, and the trees of a mechanism for engines whose joints are coordinates. C and C++
 * include it. Not installed. */
#ifndef DLS_EXPERIMENTS_ENGINE_TREE_H
#define DLS_EXPERIMENTS_ENGINE_TREE_H

#include "engine.h"

/* The centre of a shape, and the rotation from its axes, in the world. */
static inline dls_vec3 dls_engine_centre(const dls_engine_body *b, const dls_engine_shape *s)
{
    return dls_add(b->x, dls_quat_rotate(b->q, s->x));
}
static inline dls_quat dls_engine_turn(const dls_engine_body *b, const dls_engine_shape *s)
{
    return s->placed ? dls_quat_mul(b->q, s->q) : b->q;
}

/* The end of a joint on body i; 1 - end is the other one. */
static inline int dls_engine_end(const dls_engine_joint *j, size_t i) { return j->body[0] == i ? 0 : 1; }

/* The joint by which body i hangs; NULL: it floats, or does not move. */
static inline const dls_engine_joint *dls_engine_hanger(const dls_engine_mechanism *m, size_t i)
{
    return m->hangs[i] == DLS_NONE ? NULL : &m->joints[m->hangs[i]];
}

/* The body that body i hangs on; NULL: the world, or it floats. */
static inline const dls_engine_body *dls_engine_parent(const dls_engine_mechanism *m, size_t i)
{
    const dls_engine_joint *j = dls_engine_hanger(m, i);
    const size_t parent = j ? j->body[1 - dls_engine_end(j, i)] : DLS_WORLD;
    return parent == DLS_WORLD ? NULL : &m->bodies[parent];
}

/* The direction of a joint's axis along or about which body i, which hangs by it, moves relative to its parent as the
 * joint's coordinate increases. */
static inline dls_vec3 dls_engine_direction(const dls_engine_joint *j, size_t i)
{
    const int mine = dls_engine_end(j, i);
    return mine ? dls_neg(j->axis[mine]) : j->axis[mine];
}

/* The velocity of body i relative to the one it hangs on, at their joint: angular and linear, world frame. */
typedef struct dls_engine_motion {
    dls_vec3 turn, slip; /* [rad/s], [m/s] */
} dls_engine_motion;
static inline dls_engine_motion dls_engine_relative(const dls_engine_mechanism *m, size_t i)
{
    const dls_engine_joint *j = dls_engine_hanger(m, i);
    const dls_engine_body *b = &m->bodies[i], *p = dls_engine_parent(m, i);
    const dls_vec3 at = j->anchor[dls_engine_end(j, i)];
    dls_engine_motion by = {b->omega, dls_add(b->v, dls_cross(b->omega, dls_sub(at, b->x)))};
    if (p) {
        by.turn = dls_sub(by.turn, p->omega);
        by.slip = dls_sub(by.slip, dls_add(p->v, dls_cross(p->omega, dls_sub(at, p->x))));
    }
    return by;
}

#endif
