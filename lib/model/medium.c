/* Forces of a medium, a fluid that fills the world: density rho, viscosity beta, and the velocity of the wind. They
 * follow from the present velocity alone; the medium has no state. The two models are those of MuJoCo, "Fluid forces"
 * (mujoco.readthedocs.io/en/stable/computation/fluid.html); Andersen, Pesavento and Wang, J. Fluid Mech. 541 (2005) 65.
 *
 * With v the velocity of the centre relative to the wind and omega the angular velocity, both in the axes of what is
 * immersed, and r its half sizes, forces act at its centre.
 *
 * BOX: the box of constant density with the mass m and the principal inertia I of a body, whose half edges are
 * r_i^2 = 3 (I_j + I_k - I_i) / (2 m). A face of 4 r_j r_k that moves at v_i meets the mass rho v_i 4 r_j r_k per time,
 * and gives it half of its own speed, as the drag coefficient 1 says. In a rotation about i a face moves at omega_i y
 * at the distance y, and the same pressure has the moment 1/2 rho omega_i^2 2 r_i 2 int y^3 dy, y from 0 to r_j or r_k.
 * Viscosity acts as on a sphere of the mean radius s = (r_x + r_y + r_z) / 3 (Stokes 1850):
 *
 *     f_i = -2 rho r_j r_k |v_i| v_i - 6 pi beta s v_i
 *     t_i = -1/2 rho r_i (r_j^4 + r_k^4) |omega_i| omega_i - 8 pi beta s^3 omega_i
 *
 * ELLIPSOID with five coefficients: blunt, slender and angular drag, Kutta and Magnus lift.
 *     added mass (Lamb 1932, chapter 5, without the terms of the accelerations; immersed.c):
 *                     f = p x omega,   t = p x v + L x omega,   p_i = rho m_i v_i,   L_i = rho I_i omega_i
 *     Magnus lift     f = magnus rho V omega x v,   V = 4/3 pi r_x r_y r_z
 *     Kutta lift      f = kutta rho A (v . n / |v|) (n x v) x v,   n the unit vector along (v_i / r_i^2), the normal of
 *                     the plane section that casts the shadow of the ellipsoid along v
 *     drag            f = -rho (blunt A + slender (B - A)) |v| v,   A = pi |N| / |M| the area of this section,
 *                     M = (v_i r_j r_k), N = (v_i r_j^2 r_k^2), B = pi times the two largest half axes
 *                     t = -rho |D| omega,   D_i = c_i omega_i,   c_i = angular J_i + slender (J - J_i),
 *                     J_i = 8/15 pi r_i max(r_j, r_k)^4 of the body that the ellipsoid sweeps, J the largest of them
 *     viscosity       as of a box
 * The section with the unit normal n has the area pi r_x r_y r_z / |(r_i n_i)| = pi |N| / |M|. The source takes it for
 * that of the shadow, pi |M| / |v|, which is smaller; and prints c . omega in the place of |D|, which would drive half
 * of all rotations. Both are here as MuJoCo 2.2.2 computes them (tests/test_mujoco.c).
 *
 * In a still medium drag and viscosity take energy from a body, and no term gives any: (p x omega) . v + (p x v) .
 * omega = 0, (L x omega) . omega = 0, lifts are across v, and A <= B. */
#include "delassus/configuration.h"

#include "model/model.h"

#include <math.h>
#include <string.h>

static double cube(double x) { return x * x * x; }
static double fourth(double x) { return x * x * x * x; }

/* As on a sphere of the mean radius. */
static dls_spatial viscous_force(const dls_immersed *body, double viscosity, dls_vec3 v, dls_vec3 omega)
{
    const double radius = (body->half.x + body->half.y + body->half.z) / 3.0;
    return (dls_spatial){dls_scale(-6.0 * DLS_PI * viscosity * radius, v),
                         dls_scale(-8.0 * DLS_PI * viscosity * cube(radius), omega)};
}

static dls_spatial box_drag(const dls_immersed *body, double density, dls_vec3 v, dls_vec3 omega)
{
    const dls_vec3 r = body->half;
    const dls_vec3 face = dls_v3(r.y * r.z, r.z * r.x, r.x * r.y);
    const dls_vec3 turn =
        dls_v3(r.x * (fourth(r.y) + fourth(r.z)), r.y * (fourth(r.z) + fourth(r.x)), r.z * (fourth(r.x) + fourth(r.y)));
    const dls_vec3 force = dls_v3(face.x * fabs(v.x) * v.x, face.y * fabs(v.y) * v.y, face.z * fabs(v.z) * v.z);
    const dls_vec3 torque =
        dls_v3(turn.x * fabs(omega.x) * omega.x, turn.y * fabs(omega.y) * omega.y, turn.z * fabs(omega.z) * omega.z);
    return (dls_spatial){dls_scale(-2.0 * density, force), dls_scale(-0.5 * density, torque)};
}

static dls_vec3 times_each(dls_vec3 a, dls_vec3 b) { return dls_v3(a.x * b.x, a.y * b.y, a.z * b.z); }

/* Drag and lift along and across the velocity, whose direction d and the ratios r of the half axes to the largest one
 * give the section: their squares are normal numbers, however slow and small the body is. */
static dls_vec3 ellipsoid_force(const dls_immersed *body, dls_vec3 v, dls_vec3 omega)
{
    const dls_medium_coefficients *by = &body->coefficient;
    const double most = fmax(body->half.x, fmax(body->half.y, body->half.z)), speed = dls_norm(v);
    const dls_vec3 r = dls_v3(body->half.x / most, body->half.y / most, body->half.z / most), d = dls_unit(v);
    const dls_vec3 face = dls_v3(r.y * r.z, r.z * r.x, r.x * r.y);
    const dls_vec3 shadow = times_each(d, face), normal = times_each(shadow, face);
    const double largest = fmax(face.x, fmax(face.y, face.z)), volume = 4.0 / 3.0 * DLS_PI * r.x * r.y * r.z;
    if (speed == 0.0)
        return dls_v3(0, 0, 0);
    const double area = dls_norm(normal) / dls_norm(shadow);
    const double drag = by->blunt * area + by->slender * (largest - area);
    const dls_vec3 n = dls_unit(normal);
    const dls_vec3 lift = dls_scale(by->kutta * area * dls_dot(d, n), dls_cross(dls_cross(n, d), d));
    const dls_vec3 quadratic = dls_sub(lift, dls_scale(drag, d));
    const dls_vec3 magnus = dls_scale(by->magnus * volume * most * most * most, dls_cross(omega, v));
    return dls_add(magnus, dls_scale(DLS_PI * (most * speed) * (most * speed), quadratic));
}

static dls_vec3 ellipsoid_torque(const dls_immersed *body, dls_vec3 omega)
{
    const dls_medium_coefficients *by = &body->coefficient;
    const dls_vec3 r = body->half;
    const dls_vec3 J = dls_scale(8.0 / 15.0 * DLS_PI, dls_v3(r.x * fourth(fmax(r.y, r.z)), r.y * fourth(fmax(r.z, r.x)),
                                                             r.z * fourth(fmax(r.x, r.y))));
    const double most = fmax(J.x, fmax(J.y, J.z)), more = by->angular - by->slender;
    const dls_vec3 D = times_each(omega, dls_v3(more * J.x + by->slender * most, more * J.y + by->slender * most,
                                                more * J.z + by->slender * most));
    return dls_scale(-dls_norm(D), omega);
}

static dls_spatial ellipsoid_drag(const dls_immersed *body, double density, dls_vec3 v, dls_vec3 omega)
{
    const dls_vec3 p = times_each(body->mass, v), L = times_each(body->inertia, omega);
    const dls_vec3 force = dls_add(dls_cross(p, omega), ellipsoid_force(body, v, omega));
    const dls_vec3 torque = dls_add(dls_add(dls_cross(p, v), dls_cross(L, omega)), ellipsoid_torque(body, omega));
    return (dls_spatial){dls_scale(density, force), dls_scale(density, torque)};
}

static dls_spatial immersed_force(const dls_configuration *c, const dls_immersed *body)
{
    const dls_world_def *world = &c->model->world;
    const dls_end end = dls_configuration_end(c, body->end);
    const dls_mat3 R = dls_quat_matrix(dls_end_rotation(&end, &body->frame));
    const dls_vec3 arm = dls_end_arm(&end, &body->frame);
    const dls_vec3 velocity = dls_sub(dls_add(end.v, dls_cross(end.omega, arm)), world->wind);
    const dls_vec3 v = dls_tmul3(R, velocity), omega = dls_tmul3(R, end.omega);
    const dls_spatial drag = body->ellipsoid ? ellipsoid_drag(body, world->medium_density, v, omega)
                                             : box_drag(body, world->medium_density, v, omega);
    const dls_spatial local = dls_spatial_add(drag, viscous_force(body, world->medium_viscosity, v, omega));
    return dls_force_at((dls_spatial){dls_mul3(R, local.lin), dls_mul3(R, local.ang)}, arm);
}

void dls_configuration_immerse(const dls_configuration *c)
{
    const dls_model *model = c->model;
    if (model->n_immersed == 0)
        return;
    memset(c->medium, 0, model->n_ends * sizeof *c->medium);
    for (size_t k = 0; k < model->n_immersed; k++) {
        const dls_immersed *body = &model->immersed[k];
        c->medium[body->end] = dls_spatial_add(c->medium[body->end], immersed_force(c, body));
    }
}

const dls_spatial *dls_configuration_link_forces(const dls_configuration *c, const dls_state *state, size_t a)
{
    const dls_model_articulation *articulation = &c->model->articulations[a];
    const size_t first = articulation->first_end - c->model->n_bodies;
    if (c->model->n_immersed == 0)
        return state->link_force + first;
    for (size_t i = 0; i < articulation->tree->n_links; i++)
        c->link_force[first + i] =
            dls_spatial_add(state->link_force[first + i], c->medium[articulation->first_end + i]);
    return c->link_force + first;
}

dls_spatial dls_configuration_body_force(const dls_configuration *c, const dls_state *state, size_t body)
{
    const dls_body *of = &c->model->bodies[body];
    const dls_spatial given =
        dls_spatial_add((dls_spatial){of->force, of->torque}, dls_spatial_from(state->force + of->offset));
    return c->model->n_immersed ? dls_spatial_add(given, c->medium[body]) : given;
}
