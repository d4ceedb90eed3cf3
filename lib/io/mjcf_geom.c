/* Geoms of MJCF: mass and collision shapes.
 *
 * A box, sphere, capsule, cylinder, ellipsoid or mesh becomes a shape of its link, or a static body if its body is
 * fixed to the world; a plane or a height field, which becomes a terrain, is always static. Without <inertial>
 * (compiler inertiafromgeom) a body has the mass and inertia of its geoms, from their mass or their density, each about
 * its own centre: with masses m_i, centres c_i and inertias I_i in the body frame
 *
 *     m = sum m_i,   c = sum m_i c_i / m,   I = sum (I_i + m_i (|d_i|^2 1 - d_i d_i^T)),   d_i = c_i - c
 *
 * added up two by two.
 */
#include "mjcf.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

typedef enum geom_type { PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF } geom_type;
static const char *const type_names[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                         "cylinder", "box",    "mesh",   "sdf",     NULL};

/* Numbers of `size`, and whether `fromto` can give the length and the direction. */
static const struct {
    int sizes;
    bool stretched;
    dls_shape shape;
} kinds[] = {
    [PLANE] = {3, false, DLS_SHAPE_PLANE},
    [HFIELD] = {0, false, DLS_SHAPE_TERRAIN},
    [SPHERE] = {1, false, DLS_SHAPE_SPHERE},
    [CAPSULE] = {2, true, DLS_SHAPE_CAPSULE},
    [ELLIPSOID] = {3, true, DLS_SHAPE_ELLIPSOID},
    [CYLINDER] = {2, true, DLS_SHAPE_CYLINDER},
    [BOX] = {3, true, DLS_SHAPE_BOX},
    [MESH] = {0, false, DLS_SHAPE_NONE},
    [SDF] = {0, false, DLS_SHAPE_NONE},
};

typedef struct geom {
    mjcf_element e;
    geom_type type;
    dls_body_def solid; /* its shape, mass and inertia about its centre, own axes */
    dls_frame frame;    /* in the body frame; of a mesh, that of its coordinates */
    bool touches, weighs;
    double mass;
    dls_mat3 inertia;
    unsigned contact_type, affinity;
    size_t number;   /* of all geoms */
    mjcf_mesh mesh;  /* of a mesh, or a solid that is fitted to one */
    dls_vec3 centre; /* of mass, in that frame */
} geom;

/* These stand still. */
static bool is_ground(const geom *g) { return g->type == PLANE || g->type == HFIELD; }

/* Leaves out contacts or the mass of a geom. */
static dls_status drop_of_geom(const mjcf *m, geom *g, dls_aspect aspect, const char *key, const char *why)
{
    const xmlNode *at = mjcf_holder(m, &g->e, key);
    *(aspect == DLS_ASPECT_CONTACTS ? &g->touches : &g->weighs) = false;
    return dls_xml_drop(&m->x, aspect, at ? at : g->e.node, key, "a %s %s", type_names[g->type], why);
}

/* --- form --- */

static dls_status read_mask(const mjcf *m, const mjcf_element *e, const char *name, unsigned *mask)
{
    double value = 1.0;
    DLS_TRY(mjcf_number(m, e, name, &value));
    if (!(value >= -2147483648.0 && value <= 4294967295.0) || value != floor(value))
        return dls_xml_bad(&m->x, mjcf_holder(m, e, name), name, "needs a whole number of 32 bits");
    *mask = value < 0.0 ? (unsigned)(int)value : (unsigned)value;
    return DLS_OK;
}

/* From one end to the other; z points from the second to the first. */
static dls_status read_fromto(const mjcf *m, geom *g, double *half_length, bool *stretched)
{
    double ends[6];
    int count;
    DLS_TRY(mjcf_vector(m, &g->e, "fromto", ends, 6, &count));
    *stretched = count > 0;
    if (!count)
        return mjcf_frame(m, &g->e, &g->frame);
    const dls_vec3 a = dls_v3(ends[0], ends[1], ends[2]), b = dls_v3(ends[3], ends[4], ends[5]), d = dls_sub(a, b);
    const double length = dls_norm(d);
    if (!kinds[g->type].stretched)
        return dls_xml_bad(&m->x, mjcf_holder(m, &g->e, "fromto"), "fromto",
                           "is for capsules, cylinders, boxes and ellipsoids");
    if (!(length > 0.0) || !isfinite(length))
        return dls_xml_bad(&m->x, mjcf_holder(m, &g->e, "fromto"), "fromto", "the ends are one point");
    g->frame = (dls_frame){dls_scale(0.5, dls_add(a, b)), mjcf_turn_of_z(d)};
    *half_length = 0.5 * length;
    return mjcf_leave_frames(m, g->e.node, &g->frame);
}

/* size: MuJoCo's numbers. */
static void set_form(geom *g, dls_vec3 size)
{
    const int sizes = kinds[g->type].sizes;
    g->solid.shape = (int)kinds[g->type].shape;
    if (dls_shape_is_sized(g->solid.shape))
        g->solid.size = dls_scale(2.0, size);
    else if (sizes < 3)
        g->solid.radius = size.x;
    if (sizes == 2)
        g->solid.length = 2.0 * size.y;
}

/* Half sizes along the axes, in MuJoCo's order. */
static dls_status read_form(const mjcf *m, geom *g)
{
    double size[3] = {0.0, 0.0, 0.0}, half_length = 0.0;
    const int sizes = kinds[g->type].sizes;
    bool stretched;
    int count;
    DLS_TRY(read_fromto(m, g, &half_length, &stretched));
    DLS_TRY(mjcf_numbers(m, &g->e, "size", size, 0, 3, &count));
    if (stretched) {
        size[1] = sizes == 3 ? size[0] : half_length;
        size[2] = half_length;
        count = count ? sizes : 0;
    }
    if (g->type != PLANE && count < sizes)
        return dls_xml_fail(&m->x, DLS_BAD_INPUT, g->e.node, "size", "a %s needs %d numbers", type_names[g->type],
                            stretched ? 1 : sizes);
    for (int i = 0; g->type != PLANE && i < sizes; i++)
        if (!(size[i] > 0.0))
            return dls_xml_bad(&m->x, mjcf_holder(m, &g->e, "size"), "size", "needs positive numbers");
    set_form(g, dls_v3(size[0], size[1], size[2]));
    return DLS_OK;
}

/* --- mass --- */

/* Whether it has a mass, and which mass or density is given. */
static dls_status read_density(const mjcf *m, geom *g)
{
    double mass = NAN, density = 1000.0, group = 0.0;
    DLS_TRY(mjcf_number(m, &g->e, "mass", &mass));
    DLS_TRY(mjcf_number(m, &g->e, "density", &density));
    DLS_TRY(mjcf_number(m, &g->e, "group", &group));
    const bool given = !isnan(mass), none = given ? mass == 0.0 : density == 0.0;
    const bool counted = group >= m->inertia_groups[0] && group <= m->inertia_groups[1];
    if (!(given ? mass >= 0.0 : density >= 0.0))
        return dls_xml_bad(&m->x, g->e.node, given ? "mass" : "density", "must not be negative");
    g->weighs = counted && !none && !is_ground(g);
    g->solid.mass = mass;
    g->solid.density = given ? NAN : density;
    return DLS_OK;
}

static dls_status mesh_mass(mjcf *m, geom *g)
{
    const mjcf_asset *asset;
    DLS_TRY(mjcf_weigh_mesh(m, &g->mesh, &asset));
    const dls_mesh_mass *own = &asset->mass;
    g->mass = isnan(g->solid.mass) ? g->solid.density * own->measure : g->solid.mass;
    g->centre = own->centre;
    for (int i = 0; i < 9; i++)
        g->inertia.m[i] = g->mass * own->inertia.m[i];
    return DLS_OK;
}

static dls_status weigh_geom(mjcf *m, geom *g)
{
    if (g->type == MESH)
        return mesh_mass(m, g);
    return dls_body_mass(&g->solid, m->x.file, &g->mass, &g->inertia, m->x.error);
}

/* --- solids that are fitted to a mesh --- */

static bool is_fitted(const mjcf *m, const geom *g)
{
    return kinds[g->type].sizes && g->type != PLANE && mjcf_holder(m, &g->e, "mesh");
}

/* MuJoCo's fitting. */
static dls_status fit_form(mjcf *m, geom *g)
{
    double scale = 1.0;
    const mjcf_asset *asset;
    DLS_TRY(mjcf_number(m, &g->e, "fitscale", &scale));
    DLS_TRY(mjcf_weigh_mesh(m, &g->mesh, &asset));
    if (!(scale > 0.0))
        return dls_xml_bad(&m->x, mjcf_holder(m, &g->e, "fitscale"), "fitscale", "must be positive");
    const mjcf_fit *fit = &asset->fit;
    const dls_vec3 sizes[] = {[SPHERE] = dls_v3(fit->ball, 0, 0),
                              [CAPSULE] = dls_v3(fit->radius, fit->capsule, 0),
                              [ELLIPSOID] = fit->box,
                              [CYLINDER] = dls_v3(fit->radius, fit->cylinder, 0),
                              [BOX] = fit->box};
    g->frame = mjcf_compose(g->frame, fit->frame);
    set_form(g, dls_scale(scale, sizes[g->type]));
    return DLS_OK;
}

/* --- the medium --- */

/* An ellipsoid in the place of a geom, of its half sizes; the half axis of a capsule reaches over its cap. */
static dls_status read_ellipsoid(const mjcf *m, const geom *g, const char *link, dls_articulation_def *tree)
{
    static const char *const shapes[] = {"none", "ellipsoid", NULL};
    double c[5] = {0.5, 0.25, 1.5, 1.0, 1.0};
    dls_link_ellipsoid one = {.frame = g->frame, .place = g->solid.place};
    int shape = 0, count;
    DLS_TRY(mjcf_choice(m, &g->e, "fluidshape", shapes, &shape));
    DLS_TRY(mjcf_numbers(m, &g->e, "fluidcoef", c, 0, 5, &count));
    if (!shape || !tree)
        return DLS_OK;
    for (int k = 0; k < 5; k++)
        if (!(c[k] >= 0.0))
            return dls_xml_bad(&m->x, mjcf_holder(m, &g->e, "fluidcoef"), "fluidcoef", "must not be negative");
    const bool sized = dls_shape_is_sized(g->solid.shape);
    if (!sized && !(g->solid.radius > 0.0))
        return dls_xml_drop(&m->x, DLS_ASPECT_FORCES, mjcf_holder(m, &g->e, "fluidshape"), "fluidshape",
                            "a %s has no size here", type_names[g->type]);
    one.half = sized ? dls_scale(0.5, g->solid.size) : dls_v3(g->solid.radius, g->solid.radius, g->solid.radius);
    if (kinds[g->type].sizes == 2)
        one.half.z = 0.5 * g->solid.length + (g->type == CAPSULE ? g->solid.radius : 0.0);
    one.coefficient = (dls_medium_coefficients){c[0], c[1], c[2], c[3], c[4]};
    snprintf(one.link, sizeof one.link, "%s", link);
    return dls_articulation_def_add_ellipsoid(tree, &one, m->x.error);
}

/* --- one geom --- */

static dls_status open_geom(mjcf *m, const xmlNode *node, size_t childclass, geom *g)
{
    int type = SPHERE;
    *g = (geom){.type = SPHERE};
    dls_body_default(&g->solid);
    g->solid.place = dls_xml_place(node);
    DLS_TRY(mjcf_open(m, node, "geom", childclass, &g->e));
    DLS_TRY(mjcf_choice(m, &g->e, "type", type_names, &type));
    g->type = (geom_type)type;
    g->number = m->geom_names.names.count;
    DLS_TRY(mjcf_name(m, &m->geom_names, node, "geom", g->number, g->solid.name));
    DLS_TRY(read_mask(m, &g->e, "contype", &g->contact_type));
    DLS_TRY(read_mask(m, &g->e, "conaffinity", &g->affinity));
    g->touches = m->on.contact &&
                 (g->contact_type || g->affinity || dls_names_find(&m->paired.names, g->solid.name) != SIZE_MAX);
    return DLS_OK;
}

/* Properties of the geom that are unknown, or have no counterpart. */
static dls_status drop_unknown(const mjcf *m, geom *g, bool moves)
{
    const bool shapeless = g->type != MESH && kinds[g->type].shape == DLS_SHAPE_NONE;
    if (g->weighs && g->type == SDF)
        DLS_TRY(drop_of_geom(m, g, DLS_ASPECT_BODIES, "type",
                             "has a mass that is not computed; write mass=\"0\", and the body's <inertial>"));
    if (g->touches && shapeless)
        DLS_TRY(drop_of_geom(m, g, DLS_ASPECT_CONTACTS, "type",
                             "does not collide here; write contype=\"0\" conaffinity=\"0\""));
    if (g->touches && moves && is_ground(g))
        DLS_TRY(drop_of_geom(m, g, DLS_ASPECT_CONTACTS, "type",
                             "does not move here; put it into a body that is fixed to the world"));
    return DLS_OK;
}

/* Leaves out what a geom needs its mesh for, where that cannot be used or is not there. `status`: of its reading. */
static dls_status drop_mesh(const mjcf *m, geom *g, bool touches, dls_status status)
{
    char why[DLS_MESSAGE_MAX];
    const char *key = g->type == HFIELD ? "hfield" : "mesh";
    if (status != DLS_REFUSED && status != DLS_IO)
        return status;
    const bool elsewhere = strcmp(m->x.error->file, m->x.file) != 0;
    snprintf(why, sizeof why, "needs a %s that cannot be used: %.180s%s%.240s", key, elsewhere ? m->x.error->file : "",
             elsewhere ? ": " : "", m->x.error->message);
    if (g->touches && touches)
        DLS_TRY(drop_of_geom(m, g, DLS_ASPECT_CONTACTS, key, why));
    return g->weighs ? drop_of_geom(m, g, DLS_ASPECT_BODIES, key, why) : DLS_OK;
}

static dls_status read_mesh(mjcf *m, geom *g)
{
    DLS_TRY(mjcf_frame(m, &g->e, &g->frame));
    dls_status status = (g->type == HFIELD ? mjcf_read_field : mjcf_read_mesh)(m, &g->e, &g->mesh);
    if (status == DLS_OK) {
        g->frame = mjcf_compose(g->frame, g->mesh.frame);
        status = is_fitted(m, g) ? fit_form(m, g) : DLS_OK;
    }
    return drop_mesh(m, g, true, status);
}

/* A geom that neither touches nor weighs is only seen. `moves`: it is one of a link. */
static dls_status read_geom(mjcf *m, const xmlNode *node, size_t childclass, bool moves, bool needs_mass, geom *g)
{
    DLS_TRY(open_geom(m, node, childclass, g));
    const bool fitted = is_fitted(m, g);
    if (kinds[g->type].sizes && !fitted)
        DLS_TRY(read_form(m, g));
    if (needs_mass)
        DLS_TRY(read_density(m, g));
    DLS_TRY(drop_unknown(m, g, moves));
    if ((fitted || g->type == MESH || g->type == HFIELD) && (g->touches || g->weighs))
        DLS_TRY(read_mesh(m, g));
    return g->weighs ? drop_mesh(m, g, false, weigh_geom(m, g)) : DLS_OK;
}

/* --- collisions --- */

static dls_status read_surface(mjcf *m, const geom *g, dls_shape_surface *to)
{
    double friction[DLS_FRICTIONS] = {1.0, 0.005, 0.0001}, priority = 0.0, margin = 0.0, gap = 0.0;
    int count;
    dls_shape_surface_default(to);
    to->type = g->contact_type, to->affinity = g->affinity;
    to->place = dls_xml_place(g->e.node);
    DLS_TRY(mjcf_numbers(m, &g->e, "friction", friction, 1, DLS_FRICTIONS, &count));
    DLS_TRY(mjcf_condim(m, &g->e, &to->condim));
    DLS_TRY(mjcf_number(m, &g->e, "priority", &priority));
    DLS_TRY(mjcf_number(m, &g->e, "margin", &margin));
    DLS_TRY(mjcf_number(m, &g->e, "gap", &gap));
    if (!(fabs(priority) <= 1e9) || priority != floor(priority))
        return dls_xml_bad(&m->x, mjcf_holder(m, &g->e, "priority"), "priority", "needs a whole number");
    for (int k = 0; k < DLS_FRICTIONS; k++) {
        if (!(friction[k] >= 0.0))
            return dls_xml_bad(&m->x, mjcf_holder(m, &g->e, "friction"), "friction", "must not be negative");
        to->friction[k] = friction[k];
    }
    to->priority = priority;
    m->margin = fmax(m->margin, margin - gap);
    return DLS_OK;
}

/* `tree` NULL: the geom is static. */
static dls_status note_geom(mjcf *m, size_t body, const geom *g, const dls_articulation_def *tree)
{
    mjcf_geom one = {.body = body,
                     .number = g->number,
                     .node = g->e.node,
                     .solid = tree ? DLS_NONE : m->scene->n_bodies,
                     .shape = tree ? tree->n_shapes : DLS_NONE};
    if (!DLS_GROW(m->geoms, m->cap_geoms, m->n_geoms + 1))
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for %zu geoms", m->n_geoms + 1);
    DLS_TRY(read_surface(m, g, &one.surface));
    m->geoms[m->n_geoms++] = one;
    return DLS_OK;
}

static dls_status add_static(mjcf *m, const mjcf_body *body, geom *g)
{
    const dls_frame pose = mjcf_compose(body->pose, g->frame);
    g->solid.is_static = !body->kinematic;
    g->solid.kinematic = body->kinematic;
    if (g->type == MESH || g->type == HFIELD) {
        g->solid.shape = g->type == MESH ? DLS_SHAPE_MESH : DLS_SHAPE_TERRAIN;
        g->solid.scale = g->mesh.scale;
        if (snprintf(g->solid.mesh, sizeof g->solid.mesh, "%s", g->mesh.path) >= (int)sizeof g->solid.mesh)
            return dls_xml_fail(&m->x, DLS_BAD_INPUT, g->e.node, "mesh",
                                "the path '%s' of a mesh that is fixed to the world is longer than %d bytes; rename it",
                                g->mesh.path, DLS_NAME_MAX - 1);
    }
    g->solid.mass = g->solid.density = NAN;
    g->solid.position = pose.p;
    g->solid.orientation = pose.q;
    return dls_scene_add_body(m->scene, &g->solid, m->x.error);
}

static dls_status add_shape(mjcf *m, const geom *g, const char *link, dls_articulation_def *tree)
{
    dls_link_shape shape = {.shape = g->solid.shape,
                            .size = g->solid.size,
                            .radius = g->solid.radius,
                            .length = g->solid.length,
                            .frame = g->frame,
                            .scale = g->mesh.scale,
                            .place = g->solid.place};
    if (g->type == MESH)
        memcpy(shape.mesh, g->mesh.path, sizeof shape.mesh);
    memcpy(shape.link, link, sizeof shape.link);
    return dls_articulation_def_add_shape(tree, &shape, m->x.error);
}

/* A geom that collides and is fixed to the world is a static body, and drawn as such. */
static bool is_visual(const geom *g, const dls_link_def *link)
{
    return (g->type == MESH || kinds[g->type].shape != DLS_SHAPE_NONE) && !is_ground(g) && (link || !g->touches);
}

/* --- all of a body --- */

/* Adds a geom to the mass properties so far: with d from the one centre of mass to the other and m1 m2 / (m1 + m2) at
 * it, so that nothing cancels where the body frame is far away. */
static void add_mass(const geom *g, dls_link_def *sum)
{
    const dls_mat3 I = dls_rotate_tensor(dls_quat_matrix(g->frame.q), g->inertia);
    const dls_vec3 d = dls_sub(dls_add(g->frame.p, dls_quat_rotate(g->frame.q, g->centre)), sum->centre);
    const double mass = sum->mass + g->mass, reduced = sum->mass * (g->mass / mass);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            sum->inertia.m[3 * i + k] +=
                I.m[3 * i + k] + reduced * ((i == k ? dls_dot(d, d) : 0.0) - dls_get3(d, i) * dls_get3(d, k));
    sum->centre = dls_add(sum->centre, dls_scale(g->mass / mass, d));
    sum->box_axes = sum->mass == 0.0 && g->type != MESH ? g->frame.q : (dls_quat){NAN, NAN, NAN, NAN};
    sum->mass = mass;
}

dls_status mjcf_read_geoms(mjcf *m, size_t body, size_t childclass, dls_articulation_def *tree, dls_link_def *link)
{
    const xmlNode *node = m->bodies[body].node;
    const bool weighs = link || (body > 0 && m->total_mass > 0.0);
    const bool needs_mass = weighs && (m->inertia_source == MJCF_GEOMS ||
                                       (m->inertia_source == MJCF_AUTO && !dls_xml_child(node, "inertial")));
    for (const xmlNode *at = NULL; (at = mjcf_next_named(node, at, "geom"));) {
        geom g;
        DLS_TRY(read_geom(m, at, childclass, link != NULL, needs_mass, &g));
        if (g.touches)
            DLS_TRY(note_geom(m, body, &g, link ? tree : NULL));
        if (g.touches)
            DLS_TRY(link ? add_shape(m, &g, m->bodies[body].name, tree) : add_static(m, &m->bodies[body], &g));
        DLS_TRY(read_ellipsoid(m, &g, m->bodies[body].name, link ? tree : NULL));
        if (is_visual(&g, link))
            DLS_TRY(mjcf_add_visual(m, &g.e, &g.solid, g.frame, m->bodies[body].name, tree));
        if (g.weighs && link)
            add_mass(&g, link);
        else if (g.weighs)
            m->fixed_mass += g.mass;
    }
    return DLS_OK;
}
