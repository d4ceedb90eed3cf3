/* Mass and inertia of a body from its shape, or as given. */
#include "delassus/scene.h"
#include "delassus/spatial.h"

#include <math.h>

/* Volume [m^3] and principal inertias per unit mass [m^2] of the solid shapes, body frame, axis along z. */
typedef struct solid {
    double volume;
    dls_vec3 inertia;
} solid;

static solid solid_box(const dls_body_def *b)
{
    dls_vec3 s = b->size;
    return (solid){s.x * s.y * s.z,
                   dls_scale(1.0 / 12.0, dls_v3(s.y * s.y + s.z * s.z, s.x * s.x + s.z * s.z, s.x * s.x + s.y * s.y))};
}

static solid solid_sphere(const dls_body_def *b)
{
    double r = b->radius, i = 0.4 * r * r;
    return (solid){4.0 / 3.0 * DLS_PI * r * r * r, dls_v3(i, i, i)};
}

static solid solid_cylinder(const dls_body_def *b)
{
    double r = b->radius, l = b->length, side = (3.0 * r * r + l * l) / 12.0;
    return (solid){DLS_PI * r * r * l, dls_v3(side, side, 0.5 * r * r)};
}

/* A cylinder and two half spheres of the same density. A half sphere of mass m has 2/5 m r^2 about a diameter of its
 * flat face, and its centre of mass 3/8 r above it; moved to the distance l/2 of the face: 2/5 r^2 + l^2/4 + 3/8 l r.
 */
static solid solid_capsule(const dls_body_def *b)
{
    double r = b->radius, l = b->length;
    solid c = solid_cylinder(b), s = solid_sphere(b);
    double volume = c.volume + s.volume, share = s.volume / volume;
    double side = (1.0 - share) * c.inertia.x + share * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
    return (solid){volume, dls_v3(side, side, (1.0 - share) * c.inertia.z + share * s.inertia.z)};
}

static solid solid_ellipsoid(const dls_body_def *b)
{
    dls_vec3 s = b->size;
    return (solid){DLS_PI / 6.0 * s.x * s.y * s.z,
                   dls_scale(0.05, dls_v3(s.y * s.y + s.z * s.z, s.x * s.x + s.z * s.z, s.x * s.x + s.y * s.y))};
}

typedef struct shape_facts {
    bool size, radius, length;            /* which dimensions it has */
    solid (*solid)(const dls_body_def *); /* NULL: has no mass of its own */
} shape_facts;
static const shape_facts shapes[] = {
    [DLS_SHAPE_NONE] = {false, false, false, NULL},
    [DLS_SHAPE_BOX] = {true, false, false, solid_box},
    [DLS_SHAPE_SPHERE] = {false, true, false, solid_sphere},
    [DLS_SHAPE_CAPSULE] = {false, true, true, solid_capsule},
    [DLS_SHAPE_CYLINDER] = {false, true, true, solid_cylinder},
    [DLS_SHAPE_PLANE] = {false, false, false, NULL},
    [DLS_SHAPE_MESH] = {false, false, false, NULL},
    [DLS_SHAPE_ELLIPSOID] = {true, false, false, solid_ellipsoid},
    [DLS_SHAPE_TERRAIN] = {false, false, false, NULL},
};

typedef struct where {
    const char *file;
    const dls_body_def *def;
    dls_error *error;
} where;

static dls_status body_refuse(where w, const char *key, const char *message)
{
    return dls_fail_at(w.error, DLS_BAD_INPUT, w.file, w.def->place.line, w.def->place.column, key, "%s", message);
}

static dls_status check_dimensions(where w)
{
    const dls_body_def *def = w.def;
    const shape_facts *facts = &shapes[def->shape];
    if (facts->size && !(def->size.x > 0.0 && def->size.y > 0.0 && def->size.z > 0.0))
        return body_refuse(w, "size", "a box or an ellipsoid needs size: [x, y, z], all positive");
    if (facts->radius && !(def->radius > 0.0))
        return body_refuse(w, "radius", "this shape needs a positive radius");
    if (facts->length && !(def->length > 0.0))
        return body_refuse(w, "length", "this shape needs a positive length");
    if (!facts->size && isfinite(def->size.x))
        return body_refuse(w, "size", "only a box or an ellipsoid has a size; leave it out");
    if ((def->shape == DLS_SHAPE_MESH || def->shape == DLS_SHAPE_TERRAIN) != (def->mesh[0] != '\0'))
        return body_refuse(w, "mesh",
                           def->mesh[0] ? "only a mesh and a terrain have a file; write shape: mesh"
                                        : "a mesh or a terrain needs a file");
    if (!dls_finite3(def->scale) || !(def->scale.x * def->scale.y * def->scale.z != 0.0))
        return body_refuse(w, "scale", "needs three factors that are finite and not 0");
    return DLS_OK;
}

static dls_mat3 inertia_tensor(dls_vec3 d, dls_vec3 o)
{
    return (dls_mat3){{d.x, o.x, o.y, o.x, d.y, o.z, o.y, o.z, d.z}};
}

dls_mat3 dls_body_given_inertia(const dls_body_def *def)
{
    return inertia_tensor(def->inertia, isnan(def->inertia_off.x) ? dls_v3(0, 0, 0) : def->inertia_off);
}

double dls_body_inertia_allowance(const dls_body_def *def)
{
    return isnan(def->inertia.x) ? 0.0 : dls_inertia_allowance(dls_body_given_inertia(def));
}

dls_status dls_body_mass(const dls_body_def *def, const char *file, double *mass, dls_mat3 *inertia, dls_error *error)
{
    const where w = {file, def, error};
    const shape_facts *facts = &shapes[def->shape];
    DLS_TRY(check_dimensions(w));
    bool has_mass = !isnan(def->mass), has_density = !isnan(def->density), has_inertia = !isnan(def->inertia.x);
    if (def->shape == DLS_SHAPE_PLANE || def->shape == DLS_SHAPE_TERRAIN)
        return body_refuse(w, "static", "a plane or a terrain has no mass; write static: true");
    if (has_mass == has_density)
        return body_refuse(w, "mass",
                           has_mass ? "give mass or density, not both" : "a body that moves needs a mass or a density");
    if (!facts->solid && (has_density || !has_inertia))
        return body_refuse(w, has_density ? "density" : "inertia",
                           "a body without a shape, or with a mesh, needs mass and inertia");
    solid s = facts->solid ? facts->solid(def) : (solid){0};
    *mass = has_mass ? def->mass : def->density * s.volume;
    if (!(*mass > 0.0) || !isfinite(*mass) || !(1.0 / *mass < HUGE_VAL))
        return body_refuse(w, has_mass ? "mass" : "density", "the mass must be positive and finite");
    *inertia = has_inertia ? dls_body_given_inertia(def) : inertia_tensor(dls_scale(*mass, s.inertia), dls_v3(0, 0, 0));
    const char *fault = dls_inertia_fault(*inertia);
    return fault ? body_refuse(w, "inertia", fault) : DLS_OK;
}

dls_status dls_body_shape(const dls_body_def *def, const char *file, dls_error *error)
{
    return check_dimensions((where){file, def, error});
}
