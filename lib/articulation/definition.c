#include "base/memory.h"
#include "base/names.h"
#include "delassus/articulation.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { STAMP = 0x11acdef };

dls_status dls_articulation_def_create(dls_articulation_def **def, dls_error *error)
{
    *def = calloc(1, sizeof **def);
    if (*def && ((*def)->added = calloc(1, sizeof *(*def)->added))) {
        (*def)->self_collision = true;
        (*def)->com_speed = (*def)->com_angular_speed = HUGE_VAL;
        return DLS_OK;
    }
    free(*def);
    *def = NULL;
    return dls_fail(error, DLS_NO_MEMORY, "no memory for an articulation's definition");
}

void dls_articulation_def_destroy(dls_articulation_def *def)
{
    if (!def)
        return;
    dls_names_release(def->added);
    free(def->added);
    free(def->links);
    free(def->shapes);
    free(def->visuals);
    free(def->ellipsoids);
    free(def);
}

void dls_link_default(dls_link_def *link)
{
    dls_frame origin = {{0, 0, 0}, {1, 0, 0, 0}};
    *link = (dls_link_def){.stamp = STAMP, .orientation = {1, 0, 0, 0}, .motion = dls_motion_find("fix")};
    link->parent_frame = link->child_frame = origin;
    link->axis[1] = DLS_SWING1;
    link->q[0] = NAN;
    link->box_axes = (dls_quat){NAN, NAN, NAN, NAN};
    link->lower = -HUGE_VAL, link->upper = HUGE_VAL;
    link->force_limit = link->speed_limit = HUGE_VAL;
    link->multiplier = 1.0;
}

dls_status dls_articulation_def_add(dls_articulation_def *def, const dls_link_def *link, dls_error *error)
{
    if (link->stamp != STAMP)
        return dls_fail(error, DLS_BAD_ARGUMENT, "a link's definition must start with dls_link_default");
    if (!DLS_GROW(def->links, def->cap_links, def->n_links + 1) ||
        dls_names_add(def->added, link->name, def->n_links) == SIZE_MAX)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu links", def->n_links + 1);
    dls_link_def *added = &def->links[def->n_links++];
    *added = *link;
    if (!link->joint[0])
        memcpy(added->joint, link->name, sizeof link->name);
    return DLS_OK;
}

dls_status dls_articulation_def_add_shape(dls_articulation_def *def, const dls_link_shape *shape, dls_error *error)
{
    if (!DLS_GROW(def->shapes, def->cap_shapes, def->n_shapes + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu shapes of links", def->n_shapes + 1);
    def->shapes[def->n_shapes++] = *shape;
    return DLS_OK;
}

dls_status dls_articulation_def_add_visual(dls_articulation_def *def, const dls_link_visual *visual, dls_error *error)
{
    if (!DLS_GROW(def->visuals, def->cap_visuals, def->n_visuals + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu visuals of links", def->n_visuals + 1);
    def->visuals[def->n_visuals++] = *visual;
    return DLS_OK;
}

#define ELLIPSOID(key, unit, kind, member, fallback, max, open, help)                                         \
    {                                                                                                         \
        key, unit, DLS_FIELD_##kind, offsetof(dls_link_ellipsoid, member), fallback, 0, max, open, NULL, help \
    }
static const dls_field ellipsoid_fields[] = {
    ELLIPSOID("half_axes", "m", VEC3, half, NULL, DBL_MAX, true, "half axes along its x, y and z"),
    ELLIPSOID("position", "m", VEC3, frame.p, "[0, 0, 0]", 0, false,
              "its centre from the link's centre of mass, in the link's axes"),
    ELLIPSOID("orientation", "", QUAT, frame.q, "[1, 0, 0, 0]", 0, false, "rotation from its axes to the link's"),
    ELLIPSOID("blunt", "", REAL, coefficient.blunt, "0.5", DBL_MAX, false, "coefficient of drag across the flow"),
    ELLIPSOID("slender", "", REAL, coefficient.slender, "0.25", DBL_MAX, false, "coefficient of drag along the flow"),
    ELLIPSOID("angular", "", REAL, coefficient.angular, "1.5", DBL_MAX, false, "coefficient of the drag of rotation"),
    ELLIPSOID("kutta", "", REAL, coefficient.kutta, "1", DBL_MAX, false,
              "coefficient of the lift of a body at an angle to the flow"),
    ELLIPSOID("magnus", "", REAL, coefficient.magnus, "1", DBL_MAX, false,
              "coefficient of the lift of a body that spins"),
};
const dls_field_table dls_link_ellipsoid_fields = DLS_FIELD_TABLE(ellipsoid_fields, dls_link_ellipsoid);

dls_status dls_articulation_def_add_ellipsoid(dls_articulation_def *def, const dls_link_ellipsoid *ellipsoid,
                                              dls_error *error)
{
    if (!DLS_GROW(def->ellipsoids, def->cap_ellipsoids, def->n_ellipsoids + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu ellipsoids of links", def->n_ellipsoids + 1);
    def->ellipsoids[def->n_ellipsoids++] = *ellipsoid;
    return DLS_OK;
}

dls_link_def *dls_articulation_def_find(const dls_articulation_def *def, const char *name)
{
    size_t i = dls_names_find(def->added, name), last = def->n_links;
    bool moved = i != SIZE_MAX && (i >= last || strcmp(def->links[i].name, name) != 0);
    for (i = moved ? 0 : i; moved && i < last && strcmp(def->links[i].name, name) != 0;)
        i++;
    return i < last ? &def->links[i] : NULL;
}
