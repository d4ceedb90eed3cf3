/* Centre of mass, momentum and energy, each O(n).
 *
 * The centroidal momentum matrix maps the generalised velocity to the momentum (p, L) about the centre of mass G of all
 * links (Orin, Goswami and Lee, Autonomous Robots 35, 2013, with L first): column k is the momentum F_k of crba.c,
 * moved to G.
 */
#include "parts.h"

dls_vec3 dls_articulation_centre_of_mass(const dls_articulation_work *work)
{
    const dls_articulation *art = work->articulation;
    dls_vec3 first_moment = dls_v3(0, 0, 0);
    for (size_t i = 0; i < art->n_links; i++)
        first_moment =
            dls_add(first_moment, dls_scale(art->links[i].mass, dls_sub(work->links[i].c, work->links[0].c)));
    return art->mass > 0.0 ? dls_add(work->links[0].c, dls_scale(1.0 / art->mass, first_moment)) : work->links[0].c;
}

void dls_articulation_centroidal_momentum(dls_articulation_work *work, double *A)
{
    const dls_articulation *art = work->articulation;
    dls_vec3 G = dls_articulation_centre_of_mass(work);
    dls_tree_composite(work);
    for (size_t k = 0; k < art->nv; k++) {
        dls_spatial F = dls_force_at(dls_tree_momentum(work, k), dls_sub(work->links[art->dof_link[k]].c, G));
        dls_spatial_put(F, A + 6 * k);
    }
}

static dls_spatial momentum_about(const dls_articulation_work *work, dls_vec3 point)
{
    const dls_articulation *art = work->articulation;
    dls_spatial sum = {{0, 0, 0}, {0, 0, 0}};
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link_work *w = &work->links[i];
        dls_vec3 p = dls_scale(art->links[i].mass, w->v.lin);
        dls_vec3 spin = dls_mul3(w->R, dls_sym3_mul(&art->links[i].inertia, dls_tmul3(w->R, w->v.ang)));
        sum.lin = dls_add(sum.lin, p);
        sum.ang = dls_add(sum.ang, dls_add(dls_cross(dls_sub(w->c, point), p), spin));
    }
    return sum;
}

void dls_articulation_momentum(const dls_articulation_work *work, dls_vec3 *linear, dls_vec3 *angular)
{
    const dls_spatial sum = momentum_about(work, dls_v3(0, 0, 0));
    *linear = sum.lin;
    *angular = sum.ang;
}

dls_spatial dls_articulation_central_momentum(const dls_articulation_work *work)
{
    return momentum_about(work, dls_articulation_centre_of_mass(work));
}

/* With all joints held the tree is one rigid body, of the inertia diag(m 1, I_G) about its centre of mass G:
 *     alpha = I_G^-1 dL,   a_G = dp / m,   a_root = a_G + alpha x (c_root - G) */
void dls_articulation_add_momentum(dls_articulation_work *work, dls_spatial change, double *v)
{
    dls_tree_composite(work);
    const dls_rigid_inertia *whole = &work->inside->composite[0];
    const dls_vec3 from_centre = dls_scale(-1.0 / whole->m, whole->h);
    dls_rigid_inertia at_centre = {0};
    dls_rigid_gather(&at_centre, whole, from_centre);
    const dls_sym3 I = at_centre.J;
    const dls_mat3 inverse = dls_inverse3((dls_mat3){{I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz}});
    const dls_vec3 alpha = dls_mul3(inverse, change.ang);
    const dls_vec3 a = dls_add(dls_scale(1.0 / whole->m, change.lin), dls_cross(alpha, from_centre));
    v[0] += a.x, v[1] += a.y, v[2] += a.z;
    v[3] += alpha.x, v[4] += alpha.y, v[5] += alpha.z;
}

double dls_articulation_kinetic_energy(const dls_articulation_work *work, const double *v)
{
    const dls_articulation *art = work->articulation;
    double twice = 0.0;
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link_work *w = &work->links[i];
        dls_vec3 omega = dls_tmul3(w->R, w->v.ang);
        twice += art->links[i].mass * dls_dot(w->v.lin, w->v.lin) +
                 dls_dot(omega, dls_sym3_mul(&art->links[i].inertia, omega));
    }
    for (size_t k = 0; k < art->nv; k++)
        twice += art->armature[k] * v[k] * v[k];
    return 0.5 * twice;
}

double dls_articulation_potential_energy(const dls_articulation_work *work, dls_vec3 gravity)
{
    const dls_articulation *art = work->articulation;
    double energy = 0.0;
    for (size_t i = 0; i < art->n_links; i++)
        energy -= art->links[i].mass * dls_dot(gravity, work->links[i].c);
    return energy;
}
