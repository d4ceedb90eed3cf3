#include "base/memory.h"
#include "base/names.h"
#include "delassus/articulation.h"
#include "delassus/start.h"
#include "model_parts.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODY_STAMP = 0x0d15b0d9, SENSOR_STAMP = 0x0d155e45, APART_STAMP = 0x0d15a9a7 };

const char *const dls_shape_names[] = {"none",  "box",  "sphere",    "capsule", "cylinder",
                                       "plane", "mesh", "ellipsoid", "terrain", NULL};
static const char *const gyroscopic_names[] = {"explicit", "implicit", "none", NULL};
static const char *const coriolis_names[] = {"explicit", "semi-implicit", "implicit", NULL};
static const char *const coordinates_names[] = {"reduced", "maximal", NULL};
static const char *const inertia_names[] = {"refuse", "warn", "balance", NULL};
static const char *const mesh_names[] = {"hull", "refuse", "skip", NULL};
static const char *const import_names[] = {"strict", "warn", NULL};

#define BODY(key, unit, kind, member, fallback, min, max, open, choices, help)                               \
    {                                                                                                        \
        key, unit, DLS_FIELD_##kind, offsetof(dls_body_def, member), fallback, min, max, open, choices, help \
    }
static const dls_field body_fields[] = {
    BODY("name", "", NAME, name, NULL, 0, 0, false, NULL, "name of the body in joints and tables"),
    BODY("static", "", BOOL, is_static, "false", 0, 0, false, NULL, "the body never moves and has no mass"),
    BODY("kinematic", "", BOOL, kinematic, "false", 0, 0, false, NULL,
         "the body moves as velocity, omega and swing determine, whatever acts on it, and has no mass"),
    BODY("swing", "m", VEC3, swing, "[0, 0, 0]", 0, 0, false, NULL,
         "of a kinematic body: amplitude of the oscillation swing sin(2 pi t / period + phase) that is added to its "
         "motion"),
    BODY("period", "s", REAL, period, "", 0, DBL_MAX, true, NULL, "period of the swing"),
    BODY("phase", "rad", REAL, phase, "0", 0, 0, false, NULL, "phase of the swing at the start"),
    BODY("shape", "", CHOICE, shape, "none", 0, 0, false, dls_shape_names,
         "solid shape, for the inertia and for collisions"),
    BODY("size", "m", VEC3, size, "", 0, DBL_MAX, true, NULL,
         "edge lengths of a box, or lengths of the axes of an ellipsoid, along its axes"),
    BODY("radius", "m", REAL, radius, "", 0, DBL_MAX, true, NULL, "radius of a sphere, capsule or cylinder"),
    BODY("length", "m", REAL, length, "", 0, DBL_MAX, true, NULL,
         "length of a cylinder, or distance between the cap centres of a capsule, along its z axis"),
    BODY("mesh", "", NAME, mesh, "", 0, 0, false, NULL,
         "of shape mesh: file in STL, OBJ, MSH or COLLADA, from the scene's folder, whose convex hull collides; its "
         "origin is the centre of mass; of shape terrain: of triangles that face upwards, along its z axis, and "
         "collide as they are"),
    BODY("scale", "", VEC3, scale, "[1, 1, 1]", 0, 0, false, NULL, "of a mesh: factors of its coordinates"),
    BODY("mass", "kg", REAL, mass, "", 0, DBL_MAX, false, NULL, "mass; a density may be given instead"),
    BODY("density", "kg/m^3", REAL, density, "", 0, DBL_MAX, true, NULL, "mass per volume of the shape"),
    BODY("inertia", "kg m^2", VEC3, inertia, "", 0, 0, false, NULL,
         "moments of inertia [Ixx, Iyy, Izz] about the centre of mass, in body axes; default: those of the shape"),
    BODY("inertia_off", "kg m^2", VEC3, inertia_off, "", 0, 0, false, NULL,
         "off-diagonal entries [Ixy, Ixz, Iyz] of the inertia matrix; only with inertia"),
    BODY("position", "m", VEC3, position, "[0, 0, 0]", 0, 0, false, NULL,
         "position of the centre of mass; for a plane that of any of its points"),
    BODY("orientation", "", QUAT, orientation, "[1, 0, 0, 0]", 0, 0, false, NULL,
         "rotation from body to world frame, [w, x, y, z]; the normal of a plane is its z axis"),
    BODY("velocity", "m/s", VEC3, velocity, "[0, 0, 0]", 0, 0, false, NULL, "velocity of the centre of mass"),
    BODY("omega", "rad/s", VEC3, omega, "[0, 0, 0]", 0, 0, false, NULL, "angular velocity, world frame"),
    BODY("force", "N", VEC3, force, "[0, 0, 0]", 0, 0, false, NULL,
         "constant external force at the centre of mass, world frame"),
    BODY("torque", "N m", VEC3, torque, "[0, 0, 0]", 0, 0, false, NULL, "constant external torque, world frame"),
    BODY("collide", "", BOOL, collide, "true", 0, 0, false, NULL, "the body takes part in collision detection"),
    BODY("surface", "", NAME, surface, "", 0, 0, false, NULL,
         "name of its surface, for friction of its own; default: friction of the world"),
};
const dls_field_table dls_body_fields = DLS_FIELD_TABLE(body_fields, dls_body_def);

#define WORLD(key, unit, kind, member, fallback, min, max, open, choices, help)                               \
    {                                                                                                         \
        key, unit, DLS_FIELD_##kind, offsetof(dls_world_def, member), fallback, min, max, open, choices, help \
    }
static const dls_field world_fields[] = {
    WORLD("gravity", "m/s^2", VEC3, gravity, "[0, 0, -9.81]", 0, 0, false, NULL, "gravitational acceleration"),
    WORLD("medium_density", "kg/m^3", REAL, medium_density, "0", 0, DBL_MAX, false, NULL,
          "density of the fluid that fills the world, whose drag acts on bodies and links"),
    WORLD("medium_viscosity", "Pa s", REAL, medium_viscosity, "0", 0, DBL_MAX, false, NULL, "viscosity of this fluid"),
    WORLD("wind", "m/s", VEC3, wind, "[0, 0, 0]", 0, 0, false, NULL, "velocity of this fluid"),
    WORLD("step", "s", REAL, step, "0.001", 0, HUGE_VAL, true, NULL, "default time step h"),
    WORLD("duration", "s", REAL, duration, "1", 0, HUGE_VAL, false, NULL, "default duration of a run"),
    WORLD("gyroscopic", "", CHOICE, gyroscopic, "explicit", 0, 0, false, gyroscopic_names,
          "how a step treats the gyroscopic torque omega x I omega of bodies"),
    WORLD("coriolis", "", CHOICE, coriolis, "explicit", 0, 0, false, coriolis_names,
          "how a step treats Coriolis and centrifugal forces of articulations"),
    WORLD(
        "coordinates", "", CHOICE, coordinates, "reduced", 0, 0, false, coordinates_names,
        "coordinates of articulations; reduced: those of their joints; maximal: every link is a body, and every joint "
        "a joint between bodies of the same name"),
    WORLD("keep_momentum", "", BOOL, keep_momentum, "false", 0, 0, false, NULL,
          "bodies and floating articulations keep their linear and angular momentum to rounding as they move"),
    WORLD("collide", "", BOOL, collide, "false", 0, 0, false, NULL,
          "contacts between the shapes of bodies and links are detected"),
    WORLD("friction", "", CHOICE, friction, "fixed", 0, 0, false, dls_law_names,
          "friction bound of detected contacts; fixed: mu m g; box: mu times the current normal impulse on each "
          "tangent; cone: Coulomb's cone; associated: its convex relaxation, under which a sliding contact opens"),
    WORLD("mu", "", REAL, mu, "0.5", 0, DBL_MAX, false, NULL, "friction coefficient of detected contacts"),
    WORLD("rolling", "m", REAL, rolling, "0", 0, DBL_MAX, false, NULL,
          "coefficient of rolling friction of detected contacts: a torque about the tangents of at most so much times "
          "the normal force (cone and associated)"),
    WORLD("torsion", "m", REAL, torsion, "0", 0, DBL_MAX, false, NULL,
          "coefficient of torsional friction of detected contacts: a torque about the normal of at most so much times "
          "the normal force (cone and box)"),
    WORLD("restitution", "", REAL, restitution, "0", 0, 1, false, NULL,
          "coefficient of restitution of detected contacts"),
    WORLD("impact", "", CHOICE, impact, "newton", 0, 0, false, dls_impact_law_names,
          "law of impact of detected contacts, which says what restitution is the ratio of; newton: of normal speeds; "
          "poisson: of normal impulses; stronge: of the square roots of their work; moreau: newton's for all closed "
          "contacts, at any speed"),
    WORLD("restitution_threshold", "m/s", REAL, restitution_threshold, "0", 0, HUGE_VAL, false, NULL,
          "detected contacts that approach more slowly than this, or more slowly than gravity accelerates them in one "
          "step, do not rebound"),
    WORLD("contact_erp", "", REAL, contact_erp, "0.2", 0, 1, false, NULL, "ERP of detected contacts"),
    WORLD("contact_margin", "m", REAL, contact_margin, "0", 0, DBL_MAX, false, NULL,
          "gap up to which contacts are detected, so that bodies at rest keep their contacts; changes nothing else"),
    WORLD("contact_cfm", "m/(s N)", REAL, contact_cfm, "0", 0, DBL_MAX, false, NULL, "CFM of detected contacts"),
    WORLD(
        "meshes", "", CHOICE, meshes, "hull", 0, 0, false, mesh_names,
        "collision meshes; hull: they collide as their convex hulls; refuse: an error that names them; skip: they are "
        "ignored; `run` tells how many are hulls or ignored"),
    WORLD(
        "inertia", "", CHOICE, inertia, "warn", 0, 0, false, inertia_names,
        "inertias that no body can have: the largest principal value is more than the sum of the two others, or, of a "
        "link, one is not positive, or there is no mass; refuse: an error; warn: used, and named on standard error; "
        "balance: three such values become "
        "their mean"),
    WORLD("start", "", NAME, start, "", 0, 0, false, NULL,
          "start of the run: the name of a keyframe of a model in MJCF, or its number from 0; default: the reference "
          "configuration"),
    WORLD("position_iterations", "", COUNT, position_iterations, "50", 1, 1e9, false, NULL,
          "iterations of an iterative solver per step"),
    WORLD("velocity_iterations", "", COUNT, velocity_iterations, "0", 0, 1e9, false, NULL,
          "additional iterations per step, without feedback of position errors, after positions have moved; open gaps "
          "are those before the last motion"),
    WORLD("sleep", "", BOOL, sleep, "false", 0, 0, false, NULL,
          "islands of bodies and articulations that come to rest fall asleep until something wakes them"),
    WORLD("sleep_energy", "m^2/s^2", REAL, sleep_energy, "5e-5", 0, HUGE_VAL, true, NULL,
          "kinetic energy per unit of mass below which a body or link counts as at rest"),
    WORLD("sleep_time", "s", REAL, sleep_time, "0.5", 0, HUGE_VAL, true, NULL,
          "time for which every body and link of an island must be at rest before the island sleeps"),
    WORLD("import", "", CHOICE, import, "strict", 0, 0, false, import_names,
          "words of a model in URDF or MJCF that are not read, although they may change the motion; strict: an error "
          "that names them; warn: they are left out, and named on standard error"),
};
const dls_field_table dls_world_fields = DLS_FIELD_TABLE(world_fields, dls_world_def);

static const dls_field joint_fields[] = {
    {"name", "", DLS_FIELD_NAME, offsetof(dls_joint_def, name), NULL, 0, 0, false, NULL, "name of the joint in tables"},
    {"body1", "", DLS_FIELD_NAME, offsetof(dls_joint_def, body[0]), NULL, 0, 0, false, NULL, "name of body 1"},
    {"body2", "", DLS_FIELD_NAME, offsetof(dls_joint_def, body[1]), "world", 0, 0, false, NULL,
     "name of body 2, or world"},
    {"touch", "", DLS_FIELD_BOOL, offsetof(dls_joint_def, may_touch), "false", 0, 0, false, NULL,
     "the two bodies collide, although the joint connects them"},
};
const dls_field_table dls_joint_def_fields = DLS_FIELD_TABLE(joint_fields, dls_joint_def);

static const char *const sensor_axes[] = {"sensor", "world", NULL};
#define SENSOR(key, unit, kind, member, fallback, choices, help)                                            \
    {                                                                                                       \
        key, unit, DLS_FIELD_##kind, offsetof(dls_sensor_def, member), fallback, 0, 0, false, choices, help \
    }
static const dls_field sensor_fields[] = {
    SENSOR("name", "", NAME, name, NULL, NULL, "name of the sensor in tables"),
    SENSOR("link", "", NAME, link, NULL, NULL, "the body, or ARTICULATION.LINK, to which the sensor is fixed"),
    SENSOR("position", "m", VEC3, position, "[0, 0, 0]", NULL,
           "origin of the sensor in the link frame; for a body relative to the centre of mass, in body axes"),
    SENSOR("orientation", "", QUAT, orientation, "[1, 0, 0, 0]", NULL,
           "rotation from sensor to link frame, [w, x, y, z]"),
    SENSOR("gravity", "", BOOL, gravity, "true", NULL, "the weight of the link is included"),
    SENSOR("constraints", "", BOOL, constraints, "true", NULL,
           "the forces of joints and contacts that act on the link itself are included"),
    SENSOR("tree", "", BOOL, tree, "true", NULL,
           "the forces of the articulation's own joints on the link are included, with those of the scene's drives, "
           "limits and other joints on their coordinates"),
    SENSOR("incoming", "", BOOL, incoming, "false", NULL,
           "of a link: only the force that its own joint transmits from its parent"),
    SENSOR("axes", "", CHOICE, axes, "sensor", sensor_axes, "axes in which force and torque are given"),
};
const dls_field_table dls_sensor_fields = DLS_FIELD_TABLE(sensor_fields, dls_sensor_def);

static const dls_field apart_fields[] = {
    {"body1", "", DLS_FIELD_NAME, offsetof(dls_apart_def, body[0]), NULL, 0, 0, false, NULL,
     "a body, or ARTICULATION.LINK"},
    {"body2", "", DLS_FIELD_NAME, offsetof(dls_apart_def, body[1]), NULL, 0, 0, false, NULL,
     "another one; the two do not collide"},
};
const dls_field_table dls_apart_fields = DLS_FIELD_TABLE(apart_fields, dls_apart_def);

const char *const dls_part_names[] = {"body", "link", "joint", "articulation", "sensor", NULL};

dls_status dls_scene_create(dls_scene **scene, dls_error *error)
{
    *scene = calloc(1, sizeof **scene);
    if (*scene && ((*scene)->names = calloc(1, sizeof *(*scene)->names)))
        return dls_fields_default(&dls_world_fields, &(*scene)->world, error);
    free(*scene);
    *scene = NULL;
    return dls_fail(error, DLS_NO_MEMORY, "no memory for a scene");
}

void dls_scene_destroy(dls_scene *scene)
{
    if (!scene)
        return;
    for (size_t i = 0; i < scene->n_joints; i++)
        dls_joint_def_release(&scene->joints[i]);
    for (size_t a = 0; a < scene->n_articulations; a++)
        dls_articulation_def_destroy(scene->articulations[a]);
    for (size_t t = 0; t < scene->n_tracks; t++)
        dls_track_def_release(&scene->tracks[t]);
    dls_names *const names[] = {&scene->names->bodies,        &scene->names->joints,  &scene->names->tracks,
                                &scene->names->articulations, &scene->names->sensors, &scene->names->surfaces};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        dls_names_release(names[i]);
    for (size_t k = 0; k < scene->n_changes; k++)
        dls_scene_destroy(scene->changes[k].after);
    for (size_t k = 0; k < scene->n_starts; k++)
        dls_start_release(&scene->starts[k]);
    free(scene->starts);
    free(scene->changes);
    free(scene->names);
    free(scene->tracks);
    free(scene->sensors);
    free(scene->apart);
    free(scene->surfaces);
    free(scene->pairs);
    free(scene->notes);
    free(scene->dropped);
    free(scene->bodies);
    free(scene->body_shapes);
    free(scene->joints);
    free(scene->articulations);
    free(scene);
}

void dls_body_default(dls_body_def *body)
{
    (void)dls_fields_default(&dls_body_fields, body, NULL); /* the table's own defaults parse: tests/test_field.c */
    body->stamp = BODY_STAMP;
}

dls_status dls_scene_add_name(const dls_scene *scene, dls_names *names, size_t count, const char *name,
                              const char *what, dls_place at, dls_error *error)
{
    size_t index = dls_names_add(names, name, count);
    if (index == SIZE_MAX)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the names of %zu %s", count + 1, what);
    return index == count ? DLS_OK
                          : dls_fail_at(error, DLS_BAD_INPUT, scene->file, at.line, at.column, "name",
                                        "duplicate name '%s': rename one of the two %s", name, what);
}

static dls_status no_room(dls_error *error, size_t count, const char *what)
{
    return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu %s", count + 1, what);
}

dls_status dls_scene_add_body(dls_scene *scene, const dls_body_def *body, dls_error *error)
{
    dls_place at = body->place;
    if (body->stamp != BODY_STAMP)
        return dls_fail(error, DLS_BAD_ARGUMENT, "a body definition that dls_body_default has not made");
    if (!body->name[0] || strcmp(body->name, DLS_WORLD_NAME) == 0)
        return dls_fail_at(error, DLS_BAD_INPUT, scene->file, at.line, at.column, "name",
                           "a body needs a name, other than 'world'");
    if (!DLS_GROW(scene->bodies, scene->cap_bodies, scene->n_bodies + 1))
        return no_room(error, scene->n_bodies, "bodies");
    DLS_TRY(dls_scene_add_name(scene, &scene->names->bodies, scene->n_bodies, body->name, "bodies", at, error));
    scene->bodies[scene->n_bodies++] = *body;
    return DLS_OK;
}

dls_status dls_scene_add_body_shape(dls_scene *scene, const dls_link_shape *shape, dls_error *error)
{
    if (dls_names_find(&scene->names->bodies, shape->link) == SIZE_MAX)
        return dls_fail_at(error, DLS_BAD_INPUT, scene->file, shape->place.line, shape->place.column, "shape",
                           "a shape of body '%s', which is not there", shape->link);
    if (!DLS_GROW(scene->body_shapes, scene->cap_body_shapes, scene->n_body_shapes + 1))
        return no_room(error, scene->n_body_shapes, "shapes");
    scene->body_shapes[scene->n_body_shapes++] = *shape;
    return DLS_OK;
}

dls_status dls_scene_add_articulation(dls_scene *scene, dls_articulation_def *def, dls_error *error)
{
    if (!def->name[0] || strchr(def->name, '.') || strcmp(def->name, DLS_WORLD_NAME) == 0)
        return dls_fail_about(error, DLS_BAD_INPUT, scene->file, "name",
                              "an articulation needs a name, other than 'world' and without dots");
    if (!DLS_GROW(scene->articulations, scene->cap_articulations, scene->n_articulations + 1))
        return no_room(error, scene->n_articulations, "articulations");
    DLS_TRY(dls_scene_add_name(scene, &scene->names->articulations, scene->n_articulations, def->name, "articulations",
                               (dls_place){0, 0}, error));
    scene->articulations[scene->n_articulations++] = def;
    return DLS_OK;
}

dls_status dls_scene_add_track(dls_scene *scene, dls_track_def *def, dls_error *error)
{
    dls_place at = {def->line, def->column};
    if (!def->name[0])
        return dls_fail_at(error, DLS_BAD_INPUT, scene->file, at.line, at.column, "name", "a track needs a name");
    if (!DLS_GROW(scene->tracks, scene->cap_tracks, scene->n_tracks + 1))
        return no_room(error, scene->n_tracks, "tracks");
    DLS_TRY(dls_scene_add_name(scene, &scene->names->tracks, scene->n_tracks, def->name, "tracks", at, error));
    scene->tracks[scene->n_tracks++] = *def;
    *def = (dls_track_def){0};
    return DLS_OK;
}

void dls_apart_default(dls_apart_def *apart)
{
    (void)dls_fields_default(&dls_apart_fields, apart, NULL); /* the table's own defaults parse: tests/test_field.c */
    apart->stamp = APART_STAMP;
}

dls_status dls_scene_add_apart(dls_scene *scene, const dls_apart_def *apart, dls_error *error)
{
    if (apart->stamp != APART_STAMP)
        return dls_fail(error, DLS_BAD_ARGUMENT, "a pair that dls_apart_default has not made");
    if (!DLS_GROW(scene->apart, scene->cap_apart, scene->n_apart + 1))
        return no_room(error, scene->n_apart, "pairs that do not collide");
    scene->apart[scene->n_apart++] = *apart;
    return DLS_OK;
}

dls_status dls_scene_note(dls_scene *scene, dls_place place, const char *key, const char *text, dls_error *error)
{
    return dls_scene_note_in(scene, scene->file, place, key, text, error);
}

dls_status dls_scene_note_in(dls_scene *scene, const char *file, dls_place place, const char *key, const char *text,
                             dls_error *error)
{
    for (size_t i = 0; i < scene->n_notes; i++)
        if (strcmp(scene->notes[i].text, text) == 0 && strncmp(scene->notes[i].key, key, DLS_NAME_MAX - 1) == 0 &&
            strncmp(scene->notes[i].file, file, DLS_PATH_MAX - 1) == 0) {
            scene->notes[i].count++;
            return DLS_OK;
        }
    if (!DLS_GROW(scene->notes, scene->cap_notes, scene->n_notes + 1))
        return no_room(error, scene->n_notes, "notes");
    dls_note *note = &scene->notes[scene->n_notes++];
    *note = (dls_note){.text = text, .count = 1, .place = place};
    snprintf(note->key, sizeof note->key, "%s", key);
    snprintf(note->file, sizeof note->file, "%s", file);
    return DLS_OK;
}

dls_status dls_scene_add_change(dls_scene *scene, double time, dls_place at, dls_scene *after, dls_error *error)
{
    const size_t n = scene->n_changes;
    if (!(time > 0.0) || !isfinite(time) || (n > 0 && !(time > scene->changes[n - 1].time)))
        return dls_fail_at(error, DLS_BAD_INPUT, scene->file, at.line, at.column, "time",
                           "a change comes after the start and after the changes before it; put them in order");
    if (!DLS_GROW(scene->changes, scene->cap_changes, n + 1))
        return no_room(error, n, "changes");
    scene->changes[scene->n_changes++] = (dls_scene_change){time, after, at};
    return DLS_OK;
}

dls_articulation_def *dls_scene_articulation(const dls_scene *scene, const char *name)
{
    const size_t a = dls_names_find(&scene->names->articulations, name);
    return a < scene->n_articulations ? scene->articulations[a] : NULL;
}

void dls_sensor_default(dls_sensor_def *sensor)
{
    (void)dls_fields_default(&dls_sensor_fields, sensor, NULL); /* the table's own defaults parse: tests/test_field.c */
    sensor->stamp = SENSOR_STAMP;
}

dls_status dls_scene_add_sensor(dls_scene *scene, const dls_sensor_def *sensor, dls_error *error)
{
    dls_place at = sensor->place;
    if (sensor->stamp != SENSOR_STAMP)
        return dls_fail(error, DLS_BAD_ARGUMENT, "a sensor definition that dls_sensor_default has not made");
    if (!sensor->name[0])
        return dls_fail_at(error, DLS_BAD_INPUT, scene->file, at.line, at.column, "name", "a sensor needs a name");
    if (!DLS_GROW(scene->sensors, scene->cap_sensors, scene->n_sensors + 1))
        return no_room(error, scene->n_sensors, "sensors");
    DLS_TRY(dls_scene_add_name(scene, &scene->names->sensors, scene->n_sensors, sensor->name, "sensors", at, error));
    scene->sensors[scene->n_sensors++] = *sensor;
    return DLS_OK;
}

static const char *type_name_at(const void *context, size_t i)
{
    (void)context;
    const dls_joint_type *type = dls_joint_type_at(i);
    return type ? type->name : NULL;
}

dls_status dls_joint_default(dls_joint_def *joint, const char *type, dls_error *error)
{
    DLS_TRY(dls_fields_default(&dls_joint_def_fields, joint, error));
    joint->type = dls_joint_type_find(type);
    if (!joint->type)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "type", "there is no joint type '%s'%s", type,
                              dls_hint_of(dls_nearest_word(type, type_name_at, NULL), "see delassus list joints").text);
    DLS_TRY(dls_fields_default(&dls_joint_common_fields, &joint->common, error));
    return dls_settings_create(&joint->type->fields, &joint->settings, error);
}

/* The tables that describe a joint, each with the struct that it describes. */
enum { PARTS = 3 };
static void parts_of(const dls_joint_def *joint, dls_settings parts[PARTS])
{
    parts[0] = (dls_settings){&dls_joint_def_fields, (void *)joint};
    parts[1] = (dls_settings){&dls_joint_common_fields, (void *)&joint->common};
    parts[2] = (dls_settings){&joint->type->fields, joint->settings.values};
}

static const dls_field *find_key(const dls_joint_def *joint, const char *key, dls_settings *in)
{
    dls_settings parts[PARTS];
    const dls_field *field = NULL;
    parts_of(joint, parts);
    for (int i = 0; i < PARTS && !field; i++) {
        *in = parts[i];
        field = dls_field_find(in->table, key);
    }
    return field;
}

const dls_field *dls_joint_field(const dls_joint_def *joint, const char *key)
{
    dls_settings in;
    return find_key(joint, key, &in);
}

static const char *joint_key_at(const void *parts, size_t i)
{
    for (const dls_settings *p = parts; p < (const dls_settings *)parts + PARTS; p++) {
        if (i < p->table->count)
            return p->table->fields[i].key;
        i -= p->table->count;
    }
    return NULL;
}

static dls_status unknown_key(const dls_joint_def *joint, const char *key, dls_error *error)
{
    dls_settings parts[PARTS];
    parts_of(joint, parts);
    return dls_fail_about(error, DLS_BAD_INPUT, NULL, key, "unknown key of a %s joint%s", joint->type->name,
                          dls_hint_of(dls_nearest_word(key, joint_key_at, parts), "see delassus list joints").text);
}

/* Remembers that erp or cfm was set, by which member the field describes. */
static void note_erp_or_cfm(dls_joint_def *joint, const dls_settings *in, const dls_field *field)
{
    if (in->table == &dls_joint_common_fields &&
        (field->offset == offsetof(dls_joint_common, erp) || field->offset == offsetof(dls_joint_common, cfm)))
        joint->erp_or_cfm = field->key;
}

dls_status dls_joint_set(dls_joint_def *joint, const char *key, const char *text, dls_error *error)
{
    dls_settings in;
    const dls_field *field = find_key(joint, key, &in);
    if (!field)
        return unknown_key(joint, key, error);
    note_erp_or_cfm(joint, &in, field);
    return dls_field_set(in.table, in.values, key, text, error);
}

dls_status dls_joint_set_numbers(dls_joint_def *joint, const char *key, const double *numbers, size_t count,
                                 dls_error *error)
{
    dls_settings in;
    const dls_field *field = find_key(joint, key, &in);
    if (!field)
        return unknown_key(joint, key, error);
    note_erp_or_cfm(joint, &in, field);
    return dls_field_set_numbers(in.table, in.values, key, numbers, count, error);
}

dls_status dls_joint_set_number(dls_joint_def *joint, const char *key, double number, dls_error *error)
{
    return dls_joint_set_numbers(joint, key, &number, 1, error);
}

dls_status dls_joint_set_vector(dls_joint_def *joint, const char *key, dls_vec3 v, dls_error *error)
{
    return dls_joint_set_numbers(joint, key, (double[]){v.x, v.y, v.z}, 3, error);
}

dls_status dls_scene_add_joint(dls_scene *scene, dls_joint_def *joint, dls_error *error)
{
    dls_place at = joint->place;
    if (!joint->name[0])
        return dls_fail_at(error, DLS_BAD_INPUT, scene->file, at.line, at.column, "name", "a joint needs a name");
    if (joint->n_terms && !joint->type->terms_min)
        return dls_fail_at(error, DLS_BAD_INPUT, scene->file, at.line, at.column, "coordinates",
                           "a %s joint ties two bodies; leave out the coordinates", joint->type->name);
    if (!DLS_GROW(scene->joints, scene->cap_joints, scene->n_joints + 1))
        return no_room(error, scene->n_joints, "joints");
    DLS_TRY(dls_scene_add_name(scene, &scene->names->joints, scene->n_joints, joint->name, "joints", at, error));
    scene->joints[scene->n_joints++] = *joint;
    joint->settings.values = NULL;
    joint->terms = NULL;
    return DLS_OK;
}

void dls_scene_shorten(dls_scene *scene, size_t n_articulations, size_t n_joints)
{
    while (scene->n_joints > n_joints)
        dls_joint_def_release(&scene->joints[--scene->n_joints]);
    dls_names_shorten(&scene->names->joints, n_joints);
    scene->n_articulations = n_articulations;
    dls_names_shorten(&scene->names->articulations, n_articulations);
}

void dls_joint_def_release(dls_joint_def *joint)
{
    dls_settings_release(&joint->settings);
    free(joint->terms);
    joint->terms = NULL;
}

dls_status dls_joint_couple(dls_joint_def *joint, const char *coordinate, double gear, dls_error *error)
{
    const double gears[DLS_GEARS_MAX] = {gear};
    return dls_joint_couple_polynomial(joint, coordinate, gears, error);
}

dls_status dls_joint_couple_polynomial(dls_joint_def *joint, const char *coordinate, const double gears[DLS_GEARS_MAX],
                                       dls_error *error)
{
    bool finite = true, zero = true;
    for (size_t k = 0; k < DLS_GEARS_MAX; k++) {
        finite = finite && isfinite(gears[k]);
        zero = zero && gears[k] == 0.0;
    }
    if (zero || !finite)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, coordinate,
                              "a gear must be finite and not 0; leave the coordinate out");
    if (strlen(coordinate) >= DLS_COORDINATE_MAX)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "coordinates", "the name of a coordinate is too long");
    for (size_t t = 0; t < joint->n_terms; t++)
        if (strcmp(joint->terms[t].coordinate, coordinate) == 0)
            return dls_fail_about(error, DLS_BAD_INPUT, NULL, coordinate, "coupled to itself; add up its gears");
    dls_term_def *more = realloc(joint->terms, (joint->n_terms + 1) * sizeof *more);
    if (!more)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu coordinates", joint->n_terms + 1);
    joint->terms = more;
    dls_term_def *term = &joint->terms[joint->n_terms++];
    *term = (dls_term_def){.place = joint->place};
    memcpy(term->gears, gears, sizeof term->gears);
    strcpy(term->coordinate, coordinate);
    return DLS_OK;
}
