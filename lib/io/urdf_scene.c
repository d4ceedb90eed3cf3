/* A robot in a scene: limits, dynamics and mimic tags of URDF become joints on the coordinates of its tree.
 */
#include "formats.h"
#include "urdf.h"
#include "xml.h"

#include <stdio.h>
#include <string.h>

typedef struct robot {
    dls_scene *scene;
    const dls_articulation_def *def;
    const dls_link_def *link;
    dls_error *error;
} robot;

/* A coordinate with its gear, or a setting with its value; lists end with a name NULL. */
typedef struct number_of {
    const char *name;
    double value;
} number_of;

static dls_status add_joint(const robot *r, const char *type, const char *what, const number_of *coordinates,
                            const number_of *settings)
{
    dls_joint_def joint = {0};
    dls_status status = dls_joint_default(&joint, type, r->error);
    int length = snprintf(joint.name, sizeof joint.name, "%s.%s %s", r->def->name, r->link->joint, what);
    joint.place = r->link->place;
    if (status == DLS_OK && length >= DLS_NAME_MAX)
        status = dls_fail_at(r->error, DLS_BAD_INPUT, r->def->file, r->link->place.line, 1, "name",
                             "the names of robot and joint are too long together");
    for (; status == DLS_OK && coordinates->name; coordinates++) {
        char coordinate[DLS_COORDINATE_MAX];
        snprintf(coordinate, sizeof coordinate, "%s.%s", r->def->name, coordinates->name);
        status = dls_joint_couple(&joint, coordinate, coordinates->value, r->error);
    }
    for (; status == DLS_OK && settings->name; settings++)
        status = dls_joint_set_number(&joint, settings->name, settings->value, r->error);
    if (status == DLS_OK)
        status = dls_scene_add_joint(r->scene, &joint, r->error);
    dls_joint_def_release(&joint);
    return status;
}

/* A mimic joint has q = multiplier q_mimic + offset. With a multiplier of 0 it is fixed at the offset. */
static dls_status add_joints(const robot *r)
{
    const dls_link_def *link = r->link;
    const number_of own[] = {{link->joint, 1.0}, {NULL, 0.0}};
    if (isfinite(link->lower) || isfinite(link->upper))
        DLS_TRY(add_joint(r, "limit", "limit", own,
                          (number_of[]){{"lower", link->lower}, {"upper", link->upper}, {NULL, 0.0}}));
    if (link->damping > 0.0)
        DLS_TRY(add_joint(r, "drive", "damping", own, (number_of[]){{"damping", link->damping}, {NULL, 0.0}}));
    if (link->friction > 0.0)
        DLS_TRY(add_joint(r, "motor", "friction", own, (number_of[]){{"force", link->friction}, {NULL, 0.0}}));
    if (r->def->limits_speeds && isfinite(link->speed_limit) && link->speed_limit > 0.0)
        DLS_TRY(add_joint(r, "speed-limit", "speed", own, (number_of[]){{"speed", link->speed_limit}, {NULL, 0.0}}));
    if (!link->mimic[0])
        return DLS_OK;
    if (link->multiplier == 0.0)
        return add_joint(r, "limit", "mimic", own,
                         (number_of[]){{"lower", link->offset}, {"upper", link->offset}, {NULL, 0.0}});
    return add_joint(r, "mimic", "mimic",
                     (number_of[]){{link->joint, 1.0}, {link->mimic, -link->multiplier}, {NULL, 0.0}},
                     (number_of[]){{"offset", -link->offset}, {NULL, 0.0}});
}

dls_status dls_scene_add_robot(dls_scene *scene, dls_articulation_def *def, dls_error *error)
{
    size_t n_articulations = scene->n_articulations, n_joints = scene->n_joints;
    DLS_TRY(dls_scene_add_articulation(scene, def, error));
    dls_status status = DLS_OK;
    for (size_t i = 0; status == DLS_OK && i < def->n_links; i++)
        if (def->links[i].parent[0] && def->links[i].motion->n_dofs == 1)
            status = add_joints(&(robot){scene, def, &def->links[i], error});
    if (status != DLS_OK)
        dls_scene_shorten(scene, n_articulations, n_joints);
    return status;
}

static dls_status fill_scene(const char *text, size_t size, const char *name, dls_scene *scene, dls_error *error)
{
    dls_articulation_def *def;
    snprintf(scene->file, sizeof scene->file, "%s", name);
    DLS_TRY(dls_urdf_define(text, size, name, scene, &def, &scene->shapes_passed_over, error));
    if (!def->name[0])
        snprintf(def->name, sizeof def->name, "robot");
    for (char *dot = def->name; (dot = strchr(dot, '.'));)
        *dot = '_'; /* in names of coordinates the dot divides robot and joint */
    memcpy(scene->name, def->name, sizeof def->name);
    dls_status status = dls_scene_add_robot(scene, def, error);
    if (status != DLS_OK)
        dls_articulation_def_destroy(def);
    return status == DLS_OK ? dls_scene_note_inertias(scene, error) : status;
}

/* Any XML but MJCF and SDF: if it is no robot, the error names its root element. */
bool dls_is_urdf(const char *text, size_t size)
{
    return dls_xml_is(text, size, NULL) && !dls_xml_is(text, size, "mujoco") && !dls_xml_is(text, size, "sdf");
}

/* A scene of that robot alone, with the world's defaults. */
dls_status dls_read_urdf(const char *text, size_t size, const char *name, dls_content *content, size_t *end,
                         dls_error *error)
{
    *end = size;
    DLS_TRY(dls_scene_create(&content->scene, error));
    return dls_scene_also_dropped(content->scene, fill_scene(text, size, name, content->scene, error), error);
}
