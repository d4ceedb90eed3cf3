/* Masses, inertias and sizes.
 *
 * With the principal moments I_1 <= I_2 <= I_3 about the centre of mass and the mass m, every body has
 *     I_1 + I_2 >= I_3,      sqrt(I_3 / m) <= the distance of its farthest point from there,
 * and a body whose radius of gyration is far below its extent is nearly a point. The extent is that of shapes, visuals
 * and anchors of joints; where a body has none, or a mesh that is not read, that of the whole mechanism bounds it. A
 * volume in the wrong unit shows as a density that no material has.
 *
 * A chain with the joint-space inertia M resists a torque at degree of freedom i by 1 / (M^-1)_ii if all else is free,
 * and by M_ii if all else is locked. The quotient 1 / (M_ii (M^-1)_ii), in (0, 1], does not depend on units; rounding
 * makes the acceleration wrong by about 2^-52 over it. */
#include "parts.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double gyration_most = 1.5, gyration_least = 0.02;     /* of the extent */
static const double density_least = 0.1, density_most = 1e6;        /* [kg / m^3] */
static const double reflected_risk = 1e-9, reflected_fault = 1e-12; /* relative */
static const double negative = 1e-9;                                /* of the largest moment */
static const double point_mass = 1e-12;                             /* of the mass times the squared size */
static const double densest = 2.3e4;                                /* osmium [kg / m^3] */
static const double triangle_excess = 1e-3;                         /* (I_3 - I_1 - I_2) / I_3 */

/* The principal moments of a symmetric matrix, ascending. */
static void principal_moments(dls_mat3 inertia, double moment[3])
{
    double work[16];
    if (LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'N', 'U', 3, inertia.m, 3, moment, work, 16) != 0)
        moment[0] = moment[1] = moment[2] = NAN;
}

static dls_status judge_inertia(diagnosis_scene *scene, size_t end, double mass, dls_mat3 inertia, dls_error *error)
{
    char name[2 * DLS_NAME_MAX];
    double moment[3];
    const double extent = scene->extent[end];
    principal_moments(inertia, moment);
    if (!(mass > 0.0) || !(moment[2] > 0.0))
        return DLS_OK;
    dls_model_end_name(scene->model, end, name, sizeof name);
    const double scale = fmax(moment[2], -moment[0]);
    const bool wrong = moment[0] < -negative * scale && scale > point_mass * mass * scene->length * scene->length;
    DLS_TRY(dls_diagnosis_add(
        scene->into, DLS_FAULT_INERTIA, wrong ? DLS_SEVERITY_FAULT : DLS_SEVERITY_RISK, name,
        (moment[2] - moment[0] - moment[1]) / moment[2], triangle_excess, error,
        "principal moments %.4g, %.4g, %.4g kg m^2: no body has one above the sum of the others%s; correct the inertia",
        moment[0], moment[1], moment[2], wrong ? ", nor a negative one, which accelerates against its torque" : ""));
    if (scene->room[end] > 0.0)
        DLS_TRY(dls_diagnosis_add(
            scene->into, DLS_FAULT_DENSITY, DLS_SEVERITY_RISK, name, mass / scene->room[end], densest, error,
            "%.4g kg in visuals that fill %.4g m^3 at most, which would be denser than osmium: is "
            "the mass in grams, or a length in millimetres?",
            mass, scene->room[end]));
    const bool shaped = scene->whole[end] && extent > 0.0;
    const double gyration = sqrt(moment[2] / mass), reach = shaped ? extent : scene->length;
    if (!(reach > 0.0))
        return DLS_OK;
    DLS_TRY(dls_diagnosis_add(scene->into, DLS_FAULT_INERTIA_SIZE, DLS_SEVERITY_RISK, name, gyration / reach,
                              gyration_most, error,
                              "a radius of gyration of %.4g m, but %s %.4g m: the inertia is too large, perhaps in "
                              "another unit",
                              gyration,
                              shaped ? "no shape of it reaches farther from its centre of mass than"
                                     : "half of the whole mechanism, meshes apart, spans",
                              reach));
    return dls_diagnosis_add(scene->into, DLS_FAULT_INERTIA_SIZE, DLS_SEVERITY_RISK, name, extent / gyration,
                             1.0 / gyration_least, error,
                             "a radius of gyration of %.4g m in a body that reaches %.4g m from its centre of mass: "
                             "the inertia is too small, perhaps in another unit; torques turn it too fast",
                             gyration, extent);
}

static dls_mat3 full_matrix(const dls_sym3 *s)
{
    return (dls_mat3){{s->xx, s->xy, s->xz, s->xy, s->yy, s->yz, s->xz, s->yz, s->zz}};
}

static dls_status judge_inertias(diagnosis_scene *scene, dls_error *error)
{
    const dls_body *bodies = dls_model_bodies(scene->model);
    for (size_t i = 0; i < scene->has.bodies; i++)
        if (bodies[i].offset != DLS_NONE)
            DLS_TRY(judge_inertia(scene, i, bodies[i].mass, bodies[i].inertia, error));
    const dls_model_articulation *all = dls_model_articulations(scene->model);
    for (size_t n = 0; n < scene->has.articulations; n++)
        for (size_t i = 0; i < all[n].tree->n_links; i++)
            if (dls_model_moves(scene->model, all[n].first_end + i))
                DLS_TRY(judge_inertia(scene, all[n].first_end + i, all[n].tree->links[i].mass,
                                      full_matrix(&all[n].tree->links[i].inertia), error));
    return DLS_OK;
}

double diagnosis_volume(const dls_solid *solid)
{
    const double r = solid->radius;
    switch (solid->shape) {
    case DLS_SHAPE_BOX:
        return solid->size.x * solid->size.y * solid->size.z;
    case DLS_SHAPE_ELLIPSOID:
        return DLS_PI / 6.0 * solid->size.x * solid->size.y * solid->size.z;
    case DLS_SHAPE_SPHERE:
        return 4.0 / 3.0 * DLS_PI * r * r * r;
    case DLS_SHAPE_CAPSULE:
        return DLS_PI * r * r * (solid->length + 4.0 / 3.0 * r);
    case DLS_SHAPE_CYLINDER:
        return DLS_PI * r * r * solid->length;
    default:
        return NAN;
    }
}

/* Shapes of an end stand together in the list. */
static dls_status judge_densities(diagnosis_scene *scene, dls_error *error)
{
    char name[2 * DLS_NAME_MAX];
    const dls_solid *solids = dls_model_solids(scene->model);
    for (size_t i = 0, next = 0; i < scene->has.solids; i = next) {
        double volume = 0.0;
        for (next = i; next < scene->has.solids && solids[next].end == solids[i].end; next++)
            volume += diagnosis_volume(&solids[next]);
        const double density = solids[i].mass / volume;
        if (!(solids[i].mass > 0.0) || !isfinite(density))
            continue;
        dls_model_end_name(scene->model, solids[i].end, name, sizeof name);
        DLS_TRY(dls_diagnosis_add(scene->into, DLS_FAULT_DENSITY, DLS_SEVERITY_RISK, name,
                                  fmax(density / density_most, density_least / density), 1.0, error,
                                  "%.4g kg in %.4g m^3 of shapes, a density of %.3g kg/m^3: is a length in "
                                  "millimetres, or a mass in grams?",
                                  solids[i].mass, volume, density));
    }
    return DLS_OK;
}

/* --- chains --- */

/* M of an articulation, and M^-1 in `inverse`; 0, or the degree of freedom, from 1, at which M is not positive definite
 * to rounding. */
static int invert_mass(dls_articulation_work *work, size_t n, double *M, double *inverse)
{
    dls_articulation_mass_matrix(work, M, n);
    memcpy(inverse, M, n * n * sizeof *M);
    const int size = (int)n;
    const int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', size, inverse, size);
    return info != 0 ? info : LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', size, inverse, size);
}

static dls_status judge_chain(diagnosis_scene *scene, size_t a, dls_error *error)
{
    enum { DOFS_MOST = 400 };
    const dls_articulation *tree = dls_model_articulations(scene->model)[a].tree;
    const size_t n = tree->nv;
    char dof[DLS_NAME_MAX], name[2 * DLS_NAME_MAX + 2];
    if (n == 0)
        return DLS_OK;
    if (n > DOFS_MOST)
        return dls_diagnosis_add(
            scene->into, DLS_FAULT_UNMEASURED, DLS_SEVERITY_NOTE, tree->name, (double)n, DOFS_MOST, error,
            "its reflected inertias are not measured: it has %zu degrees of freedom, more than %d", n, DOFS_MOST);
    double *M = DLS_TAKE(&scene->memory, double, n *n), *inverse = DLS_TAKE(&scene->memory, double, n *n);
    if (scene->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a mass matrix of %zu degrees of freedom", n);
    size_t worst = 0;
    double least = 1.0;
    const int singular = invert_mass(scene->at->works[a], n, M, inverse);
    if (singular > 0)
        worst = (size_t)singular - 1, least = 0.5 * DBL_EPSILON;
    else
        for (size_t i = 0; i < n; i++) {
            const double quotient = 1.0 / (M[i * n + i] * inverse[i * n + i]);
            if (quotient < least)
                worst = i, least = quotient;
        }
    scene->into->singular = scene->into->singular || least < (double)n * DBL_EPSILON;
    dls_articulation_dof_name(tree, worst, dof, sizeof dof);
    snprintf(name, sizeof name, "%s.%s", tree->name, dof);
    return dls_diagnosis_add(scene->into, DLS_FAULT_REFLECTED,
                             least < reflected_fault ? DLS_SEVERITY_FAULT : DLS_SEVERITY_RISK, name,
                             reflected_risk / least, 1.0, error,
                             "with all other joints free its inertia is %.2g of that with all locked: rounding makes "
                             "its acceleration wrong by about %.1g; the masses along the chain differ too much, or a "
                             "link has next to no inertia",
                             least, fmin(1.0, DBL_EPSILON / least));
}

dls_status diagnosis_bodies(diagnosis_scene *scene, dls_error *error)
{
    DLS_TRY(judge_inertias(scene, error));
    DLS_TRY(judge_densities(scene, error));
    for (size_t a = 0; a < scene->has.articulations; a++)
        DLS_TRY(judge_chain(scene, a, error));
    return DLS_OK;
}
