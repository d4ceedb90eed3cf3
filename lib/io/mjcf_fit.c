/* Solids of MJCF that are fitted to a mesh, in its principal axes: in the order of falling moments of inertia, so that
 * z is along the mesh. Where two moments are equal the axes are not unique, and MuJoCo's may be others.
 *
 * The box of equal inertia has the half sizes x, y, z with I_x = (y^2 + z^2) / 3 per unit of mass, ..., so that
 * x^2 = 3/2 (I_y + I_z - I_x), ... From it a sphere has the mean half size as its radius, a capsule or cylinder the
 * mean of the first two, and z as half of its length, less half of the radius for a capsule (which is MuJoCo's rule).
 *
 * With fitaabb the box has the extents of the mesh. Round solids have its middle, and the least radius, then the
 * least length, that enclose the mesh.
 */
#include "mjcf.h"

#include <math.h>

static dls_vec3 inertia_box(const dls_mesh_mass *mass, dls_frame *axes)
{
    double d[3];
    dls_mat3 rising, R;
    dls_eigen3(mass->inertia, d, &rising);
    for (int i = 0; i < 3; i++) {
        R.m[3 * i] = rising.m[3 * i + 2], R.m[3 * i + 1] = rising.m[3 * i + 1];
        R.m[3 * i + 2] = -rising.m[3 * i]; /* a rotation */
    }
    *axes = (dls_frame){mass->centre, dls_matrix_quat(R)};
    return dls_v3(sqrt(fmax(0.0, 1.5 * (d[1] + d[0] - d[2]))), sqrt(fmax(0.0, 1.5 * (d[2] + d[0] - d[1]))),
                  sqrt(fmax(0.0, 1.5 * (d[2] + d[1] - d[0]))));
}

/* A corner of the mesh in these axes. */
static dls_vec3 corner_in(const dls_triangles *t, size_t i, const dls_frame *axes)
{
    return dls_quat_rotate(dls_quat_conj(axes->q), dls_sub(dls_add(t->corners[i], t->middle), axes->p));
}

/* Half of the extents; the origin of the axes moves to their middle. */
static dls_vec3 bounding_box(const dls_triangles *t, dls_frame *axes)
{
    dls_vec3 low = corner_in(t, 0, axes), high = low;
    for (size_t i = 1; i < 3 * t->count; i++) {
        const dls_vec3 p = corner_in(t, i, axes);
        low = dls_v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = dls_v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    axes->p = dls_add(axes->p, dls_quat_rotate(axes->q, dls_scale(0.5, dls_add(low, high))));
    return dls_scale(0.5, dls_sub(high, low));
}

static void enclose_mesh(const dls_triangles *t, mjcf_fit *fit)
{
    fit->box = bounding_box(t, &fit->frame);
    fit->ball = fit->radius = fit->capsule = 0.0, fit->cylinder = fit->box.z;
    for (size_t i = 0; i < 3 * t->count; i++) {
        const dls_vec3 p = corner_in(t, i, &fit->frame);
        fit->ball = fmax(fit->ball, dls_norm(p));
        fit->radius = fmax(fit->radius, hypot(p.x, p.y));
    }
    for (size_t i = 0; i < 3 * t->count; i++) {
        const dls_vec3 p = corner_in(t, i, &fit->frame);
        const double cap = sqrt(fmax(0.0, fit->radius * fit->radius - p.x * p.x - p.y * p.y));
        fit->capsule = fmax(fit->capsule, fabs(p.z) - cap);
    }
}

mjcf_fit mjcf_fit_mesh(const mjcf *m, const dls_mesh_mass *mass, const dls_triangles *triangles)
{
    mjcf_fit fit;
    const dls_vec3 box = fit.box = inertia_box(mass, &fit.frame);
    fit.ball = (box.x + box.y + box.z) / 3.0;
    fit.radius = 0.5 * (box.x + box.y);
    fit.cylinder = box.z;
    fit.capsule = fmax(0.0, box.z - 0.5 * fit.radius);
    if (m->fits_boxes)
        enclose_mesh(triangles, &fit);
    return fit;
}
