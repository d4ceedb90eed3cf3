/* Bodies and links in a medium: the equivalent box of each that has a mass, or the ellipsoids of a link.
 *
 * The added mass of an ellipsoid with half axes r and the volume V in a medium of the density 1, at rest far away, is
 * the inertia of the potential flow around it (Lamb 1932, articles 114 and 115; Tuckerman 1925):
 *
 *     k_i = int_0^inf r_x r_y r_z / ((r_i^2 + s) sqrt((r_x^2 + s) (r_y^2 + s) (r_z^2 + s))) ds
 *     m_i = V k_i / (2 - k_i)
 *     I_i = V/5 (r_j^2 - r_k^2)^2 (k_k - k_j) / (2 (r_j^2 - r_k^2) + (r_j^2 + r_k^2) (k_j - k_k)),   0 where r_j = r_k
 *
 * k_i = 2/3 r_x r_y r_z R_D(r_j^2, r_k^2, r_i^2), Carlson's integral of the second kind, 3/2 int ds / (sqrt(s + x)
 * sqrt(s + y) (s + z)^(3/2)), and k_x + k_y + k_z = 2; of a ball k = 2/3, and m is half of the mass that it displaces.
 * By duplication (Carlson, Numerical Algorithms 10 (1995) 13), with l = sqrt(x y) + sqrt(y z) + sqrt(z x),
 *
 *     R_D(x, y, z) = 3 / (sqrt(z) (z + l)) + 1/4 R_D((x + l) / 4, (y + l) / 4, (z + l) / 4)
 *
 * the arguments approach each other, by 4 each time; then the series about their mean applies (DLMF 19.36.2). */
#include "model_parts.h"

#include <math.h>
#include <string.h>

/* --- added mass --- */

/* The terms that the series leaves out are of the sixth order in the differences, which are relative to the mean A. */
static double carlson_series(double A, double X, double Y)
{
    const double Z = -(X + Y) / 3.0, xy = X * Y, zz = Z * Z;
    const double E2 = xy - 6.0 * zz, E3 = (3.0 * xy - 8.0 * zz) * Z, E4 = 3.0 * (xy - zz) * zz, E5 = xy * zz * Z;
    return (1.0 - 3.0 / 14.0 * E2 + E3 / 6.0 + 9.0 / 88.0 * E2 * E2 - 3.0 / 22.0 * E4 - 9.0 / 52.0 * E2 * E3 +
            3.0 / 26.0 * E5) /
           (A * sqrt(A));
}

static double carlson_rd(double x, double y, double z)
{
    enum { HALVINGS = 40 }; /* the range of squares of half axes is smaller than 4^40 */
    double sum = 0.0, share = 1.0;
    for (int i = 0; i < HALVINGS; i++) {
        const double A = (x + y + 3.0 * z) / 5.0, X = (A - x) / A, Y = (A - y) / A,
                     l = sqrt(x * y) + sqrt(y * z) + sqrt(z * x);
        if (fmax(fabs(X), fabs(Y)) < 1e-3)
            return sum + share * carlson_series(A, X, Y);
        sum += share * 3.0 / (sqrt(z) * (z + l));
        share *= 0.25;
        x = 0.25 * (x + l), y = 0.25 * (y + l), z = 0.25 * (z + l);
    }
    return NAN;
}

static double added_inertia(double volume, double rj, double rk, double kj, double kk)
{
    const double apart = rj * rj - rk * rk, below = 2.0 * apart + (rj * rj + rk * rk) * (kj - kk);
    return below == 0.0 ? 0.0 : volume / 5.0 * apart * apart * (kk - kj) / below;
}

/* From the ratios of the half axes to the largest one, so that nothing in between leaves the range of a double. */
static void add_masses(dls_immersed *body)
{
    const double most = fmax(body->half.x, fmax(body->half.y, body->half.z)), most3 = most * most * most;
    const dls_vec3 r = dls_v3(body->half.x / most, body->half.y / most, body->half.z / most);
    const double x = r.x * r.x, y = r.y * r.y, z = r.z * r.z, product = r.x * r.y * r.z;
    const double volume = 4.0 / 3.0 * DLS_PI * product;
    const double kx = 2.0 / 3.0 * product * carlson_rd(y, z, x), ky = 2.0 / 3.0 * product * carlson_rd(z, x, y),
                 kz = 2.0 / 3.0 * product * carlson_rd(x, y, z);
    body->mass = dls_scale(most3 * volume, dls_v3(kx / (2.0 - kx), ky / (2.0 - ky), kz / (2.0 - kz)));
    body->inertia = dls_scale(most3 * most * most,
                              dls_v3(added_inertia(volume, r.y, r.z, ky, kz), added_inertia(volume, r.z, r.x, kz, kx),
                                     added_inertia(volume, r.x, r.y, kx, ky)));
}

/* --- bodies and links --- */

/* Axes of a box along which the inertia is not diagonal are none of its own. */
static dls_status check_box_axes(const dls_articulation_def *def, const dls_link_def *link, dls_error *error)
{
    const double *I = link->inertia.m, trace = I[0] + I[4] + I[8];
    if (isnan(link->box_axes.w) || !(link->mass > 0.0))
        return DLS_OK;
    const dls_mat3 turned = dls_rotate_tensor(dls_quat_matrix(dls_quat_conj(link->box_axes)), link->inertia);
    return fmax(fabs(turned.m[1]), fmax(fabs(turned.m[2]), fabs(turned.m[5]))) <= 1e-9 * trace
               ? DLS_OK
               : dls_fail_at(error, DLS_BAD_INPUT, def->file, link->place.line, link->place.column, "box_axes",
                             "link '%s': the inertia is not diagonal along these axes; leave them out, and the box has "
                             "the principal axes",
                             link->name);
}

/* `axes` are unit vectors of the box in the axes of the body; those that are not given are the principal axes. */
static void immerse_box(dls_model *model, size_t end, double mass, dls_mat3 inertia, dls_quat axes)
{
    dls_immersed *body = &model->immersed[model->n_immersed];
    double I[3];
    if (!(mass > 0.0))
        return;
    if (isnan(axes.w)) {
        dls_mat3 principal;
        dls_eigen3(inertia, I, &principal);
        axes = dls_matrix_quat(principal);
    } else {
        const dls_mat3 turned = dls_rotate_tensor(dls_quat_matrix(dls_quat_conj(axes)), inertia);
        I[0] = turned.m[0], I[1] = turned.m[4], I[2] = turned.m[8];
    }
    *body = (dls_immersed){.end = end, .frame = {dls_v3(0, 0, 0), axes}};
    const double sum = I[0] + I[1] + I[2], share = 1.5 / mass;
    body->half = dls_v3(sqrt(fmax(0.0, share * (sum - 2.0 * I[0]))), sqrt(fmax(0.0, share * (sum - 2.0 * I[1]))),
                        sqrt(fmax(0.0, share * (sum - 2.0 * I[2]))));
    model->n_immersed++;
}

static dls_status ellipsoid_fail(const dls_articulation_def *def, const dls_link_ellipsoid *from, const char *key,
                                 const char *message, dls_error *error)
{
    return dls_fail_at(error, DLS_BAD_INPUT, def->file, from->place.line, from->place.column, key,
                       "an ellipsoid of link '%s' %s", from->link, message);
}

static dls_status check_ellipsoid(const dls_articulation_def *def, const dls_articulation *tree,
                                  const dls_link_ellipsoid *from, dls_error *error)
{
    if (dls_articulation_find_link(tree, from->link) == DLS_NONE)
        return ellipsoid_fail(def, from, "ellipsoids", "which is not there", error);
    const dls_status status = dls_fields_check(&dls_link_ellipsoid_fields, from, error);
    if (status != DLS_OK)
        return dls_fail_place(error, status, def->file, from->place.line, from->place.column, NULL);
    const double most = fmax(from->half.x, fmax(from->half.y, from->half.z)),
                 least = fmin(from->half.x, fmin(from->half.y, from->half.z));
    dls_immersed body = {.half = from->half};
    add_masses(&body);
    if (!(least >= 1e-12 * most))
        return ellipsoid_fail(def, from, "half_axes", "has half axes that differ by a factor of more than 1e12", error);
    return dls_finite3(body.mass) && dls_finite3(body.inertia)
               ? DLS_OK
               : ellipsoid_fail(def, from, "half_axes", "displaces more than a double can say; write [m]", error);
}

/* Whether there is a medium or not. */
static dls_status check_articulation(const dls_articulation_def *def, const dls_articulation *tree, dls_error *error)
{
    for (size_t i = 0; i < tree->n_links; i++)
        DLS_TRY(check_box_axes(def, &tree->defs[i], error));
    for (size_t k = 0; k < def->n_ellipsoids; k++)
        DLS_TRY(check_ellipsoid(def, tree, &def->ellipsoids[k], error));
    return DLS_OK;
}

static void immerse_ellipsoid(dls_model *model, size_t a, const dls_link_ellipsoid *from)
{
    const dls_articulation *tree = model->articulations[a].tree;
    const size_t link = dls_articulation_find_link(tree, from->link);
    dls_immersed *body = &model->immersed[model->n_immersed++];
    *body = (dls_immersed){.end = model->articulations[a].first_end + link,
                           .ellipsoid = true,
                           .frame = {dls_sub(from->frame.p, tree->defs[link].centre), dls_quat_unit(from->frame.q)},
                           .half = from->half,
                           .coefficient = from->coefficient};
    add_masses(body);
}

/* A link with ellipsoids has no box. */
static void immerse_articulation(const dls_articulation_def *def, dls_model *model, size_t a)
{
    const dls_articulation *tree = model->articulations[a].tree;
    const size_t first = model->n_immersed, first_end = model->articulations[a].first_end;
    for (size_t k = 0; k < def->n_ellipsoids; k++)
        immerse_ellipsoid(model, a, &def->ellipsoids[k]);
    const size_t last = model->n_immersed;
    for (size_t i = tree->fixed_base ? 1 : 0; i < tree->n_links; i++) {
        bool has = false;
        for (size_t k = first; k < last; k++)
            has = has || model->immersed[k].end == first_end + i;
        if (!has)
            immerse_box(model, first_end + i, tree->defs[i].mass, tree->defs[i].inertia, tree->defs[i].box_axes);
    }
}

dls_status dls_model_compile_medium(const dls_scene *scene, dls_model *model, dls_error *error)
{
    const dls_quat unset = {NAN, NAN, NAN, NAN};
    size_t room = model->n_ends;
    for (size_t a = 0; a < scene->n_articulations; a++)
        DLS_TRY(check_articulation(scene->articulations[a], model->articulations[a].tree, error));
    if (!(scene->world.medium_density > 0.0) && !(scene->world.medium_viscosity > 0.0))
        return DLS_OK;
    for (size_t a = 0; a < scene->n_articulations; a++)
        room += scene->articulations[a]->n_ellipsoids;
    model->immersed = DLS_TAKE_ZEROS(&model->memory, dls_immersed, room);
    if (!model->immersed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu bodies in a medium", room);
    for (size_t i = 0; i < model->n_bodies; i++)
        if (model->bodies[i].offset != DLS_NONE)
            immerse_box(model, i, model->bodies[i].mass, model->bodies[i].inertia, unset);
    for (size_t a = 0; a < scene->n_articulations; a++)
        immerse_articulation(scene->articulations[a], model, a);
    return DLS_OK;
}

const dls_immersed *dls_model_immersed(const dls_model *model) { return model->immersed; }
