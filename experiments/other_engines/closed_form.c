/* Motions in closed form, beside which runs of engines and of ours are measured.
 *
 * A pendulum that is released from rest at the angle theta0 from the lowest point has, with k = sin(theta0 / 2),
 *
 *     theta'' = -rate^2 sin theta,    sin(theta / 2) = k cd(rate t | k),    rate^2 = m g L / (I + m L^2)
 *
 * with Jacobi's function cd = cn / dn, evaluated by the arithmetic-geometric mean (M. Abramowitz, I. A. Stegun,
 * "Handbook of Mathematical Functions" (1964), 16.4 and 22.20 of its successor, the DLMF). I is about the axis through
 * the centre of mass.
 *
 * A block at rest on a plane that is inclined by alpha slides with g (sin alpha - mu cos alpha), or stays if this is
 * negative; where the scene gives each contact a fixed bound mu m_i g, ours has g (sin alpha - sum mu m_i / m). */
#include "other_engines/parts.h"

#include <math.h>
#include <string.h>

/* cd(u | k) for 0 <= k < 1: sn(u + K) = cd(u), and here cn / dn of the amplitude phi. */
static double jacobi_cd(double u, double k)
{
    enum { MOST = 12 };
    double a[MOST] = {1.0}, c[MOST] = {k}, b = sqrt((1.0 - k) * (1.0 + k)), phi;
    int n = 0;
    while (n + 1 < MOST && fabs(c[n]) > 1e-16) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
        n++;
    }
    phi = ldexp(a[n] * u, n);
    for (; n > 0; n--)
        phi = 0.5 * (phi + asin(c[n] / a[n] * sin(phi)));
    const double sn = sin(phi);
    return cos(phi) / sqrt(1.0 - k * k * sn * sn);
}

static bool find_pendulum(const dls_engine_mechanism *m, size_t body, dls_engines_law *law)
{
    const dls_engine_joint *j = &m->joints[0];
    const dls_engine_body *b = &m->bodies[body];
    const double g = dls_norm(m->gravity);
    if (m->n_joints != 1 || m->collides || !(g > 0.0) || (j->pair != DLS_PAIR_BALL && j->pair != DLS_PAIR_HINGE) ||
        (j->body[0] != DLS_WORLD && j->body[1] != DLS_WORLD))
        return false;
    const dls_vec3 r = dls_sub(b->x, j->anchor[j->body[0] == DLS_WORLD ? 1 : 0]), down = dls_scale(1.0 / g, m->gravity);
    const dls_vec3 normal = dls_cross(down, r);
    const double length = dls_norm(r), area = dls_norm(normal), theta0 = atan2(area, dls_dot(down, r));
    if (!(area > 1e-9 * length) || !(theta0 < 3.0))
        return false;
    const dls_vec3 axis = dls_scale(1.0 / area, normal);
    const dls_mat3 inertia = dls_rotate_tensor(dls_quat_matrix(b->q), b->inertia);
    const dls_vec3 L = dls_mul3(inertia, axis);
    const double I = dls_dot(axis, L);
    if (dls_norm(dls_cross(axis, L)) > 1e-9 * I ||
        (j->pair == DLS_PAIR_HINGE && dls_norm(dls_cross(axis, j->axis[0])) > 1e-9))
        return false;
    *law = (dls_engines_law){.kind = DLS_ENGINES_PENDULUM, .body = body, .start = b->x, .anchor = dls_sub(b->x, r)};
    law->along[0] = down, law->along[1] = dls_cross(axis, down);
    law->length = length, law->modulus = sin(0.5 * theta0);
    law->rate = sqrt(b->mass * g * length / (I + b->mass * length * length));
    return true;
}

/* Whether a face of a box lies on the plane, and the block does not tip with this share of its weight as friction. */
static bool lies_flat(const dls_engine_body *b, const dls_engine_plane *plane, double share)
{
    const dls_vec3 n = dls_quat_rotate(dls_quat_conj(b->q), plane->normal);
    double narrow = HUGE_VAL, height = 0.0;
    if (b->n_shapes != 1 || b->shapes->placed || b->shapes->shape != DLS_SHAPE_BOX)
        return false;
    for (int k = 0; k < 3; k++) {
        const double half = 0.5 * dls_get3(b->shapes->size, k), along = fabs(dls_get3(n, k));
        if (along > 1.0 - 1e-9)
            height = half;
        else
            narrow = fmin(narrow, half);
    }
    return height > 0.0 && share * height < narrow &&
           fabs(dls_dot(plane->normal, b->x) - plane->distance - height) < 1e-6;
}

/* The sum of the friction bounds of given contacts beside m g, in the place of mu cos alpha. NaN: one has none. */
static double fixed_share(const dls_model *model, double mass)
{
    const dls_joint *joints = dls_model_joints(model);
    double sum = 0.0;
    for (size_t k = 0; k < dls_model_count(model).joints; k++)
        sum += dls_engine_setting(&joints[k], "mu") * dls_engine_setting(&joints[k], "friction_mass");
    return sum / mass;
}

static bool find_slide(const dls_model *model, const dls_engine_mechanism *m, size_t body, bool ours,
                       dls_engines_law *law)
{
    const dls_engine_body *b = &m->bodies[body];
    if (m->n_joints > 0 || m->n_planes != 1 || !b->collides)
        return false;
    const dls_vec3 n = m->planes[0].normal;
    const double press = -dls_dot(m->gravity, n);
    const dls_vec3 pull = dls_add(m->gravity, dls_scale(press, n));
    const bool fixed = ours && !dls_model_world(model)->collide;
    const double hold = fixed ? fixed_share(model, b->mass) * dls_norm(m->gravity) : m->mu * press;
    if (!(press > 0.0) || !(hold >= 0.0) || !(dls_norm(pull) > 0.0) || !lies_flat(b, &m->planes[0], hold / press))
        return false;
    *law = (dls_engines_law){.kind = DLS_ENGINES_SLIDE, .body = body, .start = b->x};
    law->along[0] = dls_scale(1.0 / dls_norm(pull), pull);
    law->rate = fmax(dls_norm(pull) - hold, 0.0);
    return true;
}

dls_engines_law dls_engines_law_find(const dls_model *model, bool ours)
{
    dls_engine_mechanism *m;
    dls_engines_law law = {.kind = DLS_ENGINES_NO_LAW};
    dls_error why;
    size_t body = 0, moving = 0;
    if (dls_engine_mechanism_create(model, 1.0, 1, &m, &why) != DLS_OK)
        return law;
    for (size_t i = 0; i < m->n_bodies; i++)
        if (m->bodies[i].moves)
            moving++, body = i;
    law.body = body;
    const dls_engine_body *b = &m->bodies[body];
    if (moving == 1 && dls_norm(b->v) == 0.0 && dls_norm(b->omega) == 0.0 && !find_pendulum(m, body, &law))
        find_slide(model, m, body, ours, &law);
    dls_engine_mechanism_destroy(m);
    return law;
}

dls_vec3 dls_engines_law_at(const dls_engines_law *law, double t)
{
    if (law->kind == DLS_ENGINES_NO_LAW)
        return dls_v3(NAN, NAN, NAN);
    if (law->kind == DLS_ENGINES_SLIDE)
        return dls_add(law->start, dls_scale(0.5 * law->rate * t * t, law->along[0]));
    const double half = asin(law->modulus * jacobi_cd(law->rate * t, law->modulus));
    return dls_add(law->anchor, dls_add(dls_scale(law->length * cos(2.0 * half), law->along[0]),
                                        dls_scale(law->length * sin(2.0 * half), law->along[1])));
}
