/* Geoms of MJCF: mass and collision shapes.
 *
 * A box, sphere, capsule, cylinder or mesh becomes a shape of its link, or a static body if its body is fixed to the
 * world; a plane is always static. Without <inertial> (compiler inertiafromgeom) a body has the mass and inertia of its
 * geoms, from their mass or their density, each about its own centre: with masses m_i, centres c_i and inertias I_i in
 * the body frame
 *
 *     m = sum m_i,   c = sum m_i c_i / m,   I = sum (I_i + m_i (|d_i|^2 1 - d_i d_i^T)),   d_i = c_i - c
 *
 * added up two by two.
 * An ellipsoid with half axes a, b, c has the volume 4/3 pi a b c and the inertia m/5 (b^2 + c^2, a^2 + c^2, a^2 +
 * b^2).
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
    [PLANE] = {3, false, DLS_SHAPE_PLANE},   [HFIELD] = {0, false, DLS_SHAPE_NONE},
    [SPHERE] = {1, false, DLS_SHAPE_SPHERE}, [CAPSULE] = {2, true, DLS_SHAPE_CAPSULE},
    [ELLIPSOID] = {3, true, DLS_SHAPE_NONE}, [CYLINDER] = {2, true, DLS_SHAPE_CYLINDER},
    [BOX] = {3, true, DLS_SHAPE_BOX},        [MESH] = {0, false, DLS_SHAPE_NONE},
    [SDF] = {0, false, DLS_SHAPE_NONE},
};

typedef struct geom {
    mjcf_element e;
    geom_type type;
    dls_body_def solid; /* its shape, mass and inertia about its centre, own axes */
    dls_vec3 half;      /* of an ellipsoid */
    dls_frame frame;    /* in the body frame */
    bool touches, weighs;
    double mass;
    dls_mat3 inertia;
    unsigned contact_type, affinity;
    char mesh[DLS_PATH_MAX]; /* of a mesh that touches: its file, */
    dls_vec3 scale;          /* and factors of its coordinates */
} geom;

static dls_status refuse_geom(const mjcf *m, const geom *g, const char *key, const char *why)
{
    const xmlNode *at = key ? mjcf_holder(m, &g->e, key) : NULL;
    return dls_xml_fail(&m->x, DLS_REFUSED, at ? at : g->e.node, key, "%s", why);
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
    g->half = dls_v3(size[0], size[1], size[2]);
    g->solid.shape = (int)kinds[g->type].shape;
    if (g->type == BOX)
        g->solid.size = dls_scale(2.0, g->half);
    else if (sizes < 3)
        g->solid.radius = size[0];
    if (sizes == 2)
        g->solid.length = 2.0 * size[1];
    return DLS_OK;
}

/* --- mass --- */

static dls_status ellipsoid_mass(geom *g)
{
    const dls_vec3 h = g->half;
    if (isnan(g->solid.mass))
        g->solid.mass = g->solid.density * 4.0 / 3.0 * DLS_PI * h.x * h.y * h.z;
    const double s = 0.2 * g->solid.mass;
    g->mass = g->solid.mass;
    g->inertia = (dls_mat3){
        {s * (h.y * h.y + h.z * h.z), 0, 0, 0, s * (h.x * h.x + h.z * h.z), 0, 0, 0, s * (h.x * h.x + h.y * h.y)}};
    return DLS_OK;
}

static dls_status read_mass(const mjcf *m, geom *g)
{
    double mass = NAN, density = 1000.0, group = 0.0;
    DLS_TRY(mjcf_number(m, &g->e, "mass", &mass));
    DLS_TRY(mjcf_number(m, &g->e, "density", &density));
    DLS_TRY(mjcf_number(m, &g->e, "group", &group));
    const bool given = !isnan(mass), none = given ? mass == 0.0 : density == 0.0;
    const bool counted = group >= m->inertia_groups[0] && group <= m->inertia_groups[1];
    if (!(given ? mass >= 0.0 : density >= 0.0))
        return dls_xml_bad(&m->x, g->e.node, given ? "mass" : "density", "must not be negative");
    g->weighs = counted && !none && g->type != PLANE && g->type != HFIELD;
    if (!g->weighs)
        return DLS_OK;
    g->solid.mass = mass;
    g->solid.density = given ? NAN : density;
    if (g->type == ELLIPSOID)
        return ellipsoid_mass(g);
    return kinds[g->type].shape == DLS_SHAPE_NONE
               ? DLS_OK
               : dls_body_mass(&g->solid, m->x.file, &g->mass, &g->inertia, m->x.error);
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
    DLS_TRY(mjcf_name(m, &m->geom_names, node, "geom", m->geom_names.names.count, g->solid.name));
    DLS_TRY(read_mask(m, &g->e, "contype", &g->contact_type));
    DLS_TRY(read_mask(m, &g->e, "conaffinity", &g->affinity));
    g->touches = m->on.contact && (g->contact_type || g->affinity);
    if (mjcf_holder(m, &g->e, "mesh") && g->type != MESH && (g->touches || m->inertia_source != MJCF_INERTIAL))
        return refuse_geom(m, g, "mesh", "a shape that is fitted to a mesh has no counterpart; write its size");
    return DLS_OK;
}

/* A geom that neither touches nor weighs is only seen. */
static dls_status read_geom(mjcf *m, const xmlNode *node, size_t childclass, bool needs_mass, geom *g)
{
    DLS_TRY(open_geom(m, node, childclass, g));
    if (kinds[g->type].sizes)
        DLS_TRY(read_form(m, g));
    if (needs_mass)
        DLS_TRY(read_mass(m, g));
    if (g->weighs && (g->type == MESH || g->type == SDF))
        return dls_xml_fail(
            &m->x, DLS_REFUSED, node, "type",
            "geom '%s' is of type %s, whose mass is not computed; write mass=\"0\", and the body's <inertial>",
            g->solid.name, type_names[g->type]);
    if (g->type == MESH && g->touches) {
        DLS_TRY(mjcf_frame(m, &g->e, &g->frame));
        return mjcf_read_mesh(m, &g->e, g->mesh, &g->scale);
    }
    if (kinds[g->type].shape == DLS_SHAPE_NONE && g->touches)
        return dls_xml_fail(
            &m->x, DLS_REFUSED, node, "type",
            "geom '%s' is of type %s, which does not collide here; write contype=\"0\" conaffinity=\"0\"",
            g->solid.name, type_names[g->type]);
    return DLS_OK;
}

/* --- collisions --- */

static dls_status read_friction(const mjcf *m, const geom *g, mjcf_geom *to)
{
    double friction[3] = {1.0, 0.005, 0.0001}, dimension = 3.0, margin = 0.0, gap = 0.0;
    int count;
    DLS_TRY(mjcf_numbers(m, &g->e, "friction", friction, 1, 3, &count));
    DLS_TRY(mjcf_number(m, &g->e, "condim", &dimension));
    DLS_TRY(mjcf_number(m, &g->e, "priority", &to->priority));
    DLS_TRY(mjcf_number(m, &g->e, "margin", &margin));
    DLS_TRY(mjcf_number(m, &g->e, "gap", &gap));
    if (dimension != 1.0 && dimension != 3.0 && dimension != 4.0 && dimension != 6.0)
        return refuse_geom(m, g, "condim", "a contact has 1, 3, 4 or 6 dimensions");
    if (margin != gap)
        return refuse_geom(
            m, g, "margin",
            "contacts that act at a distance have no counterpart; write margin=\"0\", or gap as large as it");
    for (int k = 0; k < 3; k++) {
        if (!(friction[k] >= 0.0))
            return dls_xml_bad(&m->x, mjcf_holder(m, &g->e, "friction"), "friction", "must not be negative");
        to->friction[k] = friction[k];
    }
    to->dimension = dimension;
    return DLS_OK;
}

static dls_status note_geom(mjcf *m, size_t body, const geom *g, bool is_static)
{
    mjcf_geom one = {
        .body = body, .type = g->contact_type, .affinity = g->affinity, .node = g->e.node, .solid = DLS_NONE};
    if (!DLS_GROW(m->geoms, m->cap_geoms, m->n_geoms + 1))
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for %zu geoms", m->n_geoms + 1);
    DLS_TRY(read_friction(m, g, &one));
    if (is_static)
        one.solid = m->scene->n_bodies;
    m->geoms[m->n_geoms++] = one;
    return DLS_OK;
}

static dls_status add_static(mjcf *m, const mjcf_body *body, geom *g)
{
    const dls_frame pose = mjcf_compose(body->pose, g->frame);
    g->solid.is_static = true;
    if (g->type == MESH) {
        g->solid.shape = DLS_SHAPE_MESH;
        g->solid.scale = g->scale;
        if (snprintf(g->solid.mesh, sizeof g->solid.mesh, "%s", g->mesh) >= (int)sizeof g->solid.mesh)
            return dls_xml_fail(&m->x, DLS_REFUSED, g->e.node, "mesh",
                                "the path '%s' of a mesh that is fixed to the world is longer than %d bytes; rename it",
                                g->mesh, DLS_NAME_MAX - 1);
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
                            .scale = g->scale,
                            .place = g->solid.place};
    memcpy(shape.mesh, g->mesh, sizeof shape.mesh);
    if (g->type == PLANE)
        return refuse_geom(m, g, "type", "a plane does not move; put it into a body that is fixed to the world");
    memcpy(shape.link, link, sizeof shape.link);
    return dls_articulation_def_add_shape(tree, &shape, m->x.error);
}

/* A geom that collides and is fixed to the world is a static body, and drawn as such. */
static bool is_visual(const geom *g, const dls_link_def *link)
{
    return (g->type == MESH || kinds[g->type].shape != DLS_SHAPE_NONE) && g->type != PLANE && (link || !g->touches);
}

/* --- all of a body --- */

/* Adds a geom to the mass properties so far: with d from the one centre of mass to the other and m1 m2 / (m1 + m2) at
 * it, so that nothing cancels where the body frame is far away. */
static void add_mass(const geom *g, dls_link_def *sum)
{
    const dls_mat3 I = dls_rotate_tensor(dls_quat_matrix(g->frame.q), g->inertia);
    const dls_vec3 d = dls_sub(g->frame.p, sum->centre);
    const double mass = sum->mass + g->mass, reduced = sum->mass * (g->mass / mass);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            sum->inertia.m[3 * i + k] +=
                I.m[3 * i + k] + reduced * ((i == k ? dls_dot(d, d) : 0.0) - dls_get3(d, i) * dls_get3(d, k));
    sum->centre = dls_add(sum->centre, dls_scale(g->mass / mass, d));
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
        DLS_TRY(read_geom(m, at, childclass, needs_mass, &g));
        if (g.touches)
            DLS_TRY(note_geom(m, body, &g, !link));
        if (g.touches)
            DLS_TRY(link ? add_shape(m, &g, m->bodies[body].name, tree) : add_static(m, &m->bodies[body], &g));
        if (is_visual(&g, link))
            DLS_TRY(mjcf_add_visual(m, &g.e, &g.solid, g.frame, m->bodies[body].name, tree));
        if (g.weighs && link)
            add_mass(&g, link);
        else if (g.weighs)
            m->fixed_mass += g.mass;
    }
    return DLS_OK;
}
