/* Models and worlds in SDF (sdformat.org), which libsdformat checks and resolves (lib/readers/sdformat.cpp). What its
 * elements are for is told by the table below: read, of no effect here and noted, or left out of an aspect of the
 * motion. doc/sdf.md. */
#include "sdf.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/module.h"
#include "base/text.h"
#include "formats.h"
#include "mesh/mesh_file.h"
#include "xml.h"
#include "xml_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct reading {
    dls_scene *scene;
    dls_sdf_part part;
    dls_status status;
    dls_error *error;
} reading;

/* --- words --- */

typedef enum treatment { READ, PASSED, NOTED, DROPPED } treatment;

/* Elements, in any of the parents ("": anywhere): READ with all in them that is listed; PASSED and NOTED: left with all
 * in them, for they change no motion here, the second with a note; DROPPED unless the text is `harmless`. */
static const struct {
    const char *parents, *names;
    treatment how;
    dls_aspect aspect;
    const char *harmless;
} words[] = {
    {"", "link joint model frame pose inertial mass inertia collision", READ, DLS_ASPECT_BODIES, NULL},
    {"", "ixx ixy ixz iyy iyz izz parent child axis axis2 xyz limit", READ, DLS_ASPECT_BODIES, NULL},
    {"", "lower upper effort velocity static self_collide geometry", READ, DLS_ASPECT_BODIES, NULL},
    {"", "box size sphere radius cylinder length capsule plane normal ellipsoid radii", READ, DLS_ASPECT_BODIES, NULL},
    {"mesh", "uri scale", READ, DLS_ASPECT_BODIES, NULL},
    {"", "mesh heightmap polyline empty image", READ, DLS_ASPECT_BODIES, NULL},
    {"axis axis2", "dynamics", READ, DLS_ASPECT_FORCES, NULL},
    {"dynamics", "damping friction spring_reference spring_stiffness", READ, DLS_ASPECT_FORCES, NULL},
    {"physics", "max_step_size", READ, DLS_ASPECT_BODIES, NULL},
    {"world", "gravity", READ, DLS_ASPECT_FORCES, NULL},
    {"link model", "visual", PASSED, DLS_ASPECT_BODIES, NULL},
    {"link", "kinematic must_be_base_link", DROPPED, DLS_ASPECT_BODIES, "0 false"},
    {"link", "gravity", DROPPED, DLS_ASPECT_FORCES, "1 true"},
    {"link model", "enable_wind", DROPPED, DLS_ASPECT_FORCES, "0 false"},
    {"axis axis2", "use_parent_model_frame initial_position", DROPPED, DLS_ASPECT_BODIES, "0 false"},
    {"velocity_decay", "linear angular", DROPPED, DLS_ASPECT_FORCES, "0"},
    {"link", "velocity_decay", READ, DLS_ASPECT_FORCES, NULL},
    {"world", "wind state population actor", DROPPED, DLS_ASPECT_BODIES, ""},
    {"mesh", "submesh", DROPPED, DLS_ASPECT_CONTACTS, ""},
    {"limit", "stiffness dissipation", PASSED, DLS_ASPECT_CONSTRAINTS, NULL},
    {"joint", "thread_pitch screw_thread_pitch gearbox_ratio gearbox_reference_body", PASSED, DLS_ASPECT_BODIES, NULL},
    {"world", "physics scene light gui audio atmosphere magnetic_field road spherical_coordinates", NOTED,
     DLS_ASPECT_BODIES, NULL},
    {"", "plugin sensor light projector audio_sink audio_source battery particle_emitter gripper", NOTED,
     DLS_ASPECT_BODIES, NULL},
    {"collision", "surface laser_retro max_contacts", NOTED, DLS_ASPECT_CONTACTS, NULL},
    {"joint", "physics sensor", NOTED, DLS_ASPECT_BODIES, NULL},
    {"model", "allow_auto_disable", PASSED, DLS_ASPECT_BODIES, NULL},
};

static dls_status drop_word(const reading *r, dls_aspect aspect, const char *name, const char *parent, long line)
{
    char key[DLS_NAME_MAX], text[2 * DLS_NAME_MAX];
    snprintf(key, sizeof key, "<%.60s>", name);
    snprintf(text, sizeof text, "is not read in <%.60s>, and may change the motion", parent);
    return dls_scene_drop(r->scene, aspect, r->scene->file, (dls_place){line, 1}, key, text, r->error);
}

/* Whether the text is one of the values with which the word has no effect; a number in any of its forms. */
static bool is_harmless(const char *text, const char *harmless)
{
    double x;
    const char *end;
    return dls_word_among(text, harmless) ||
           (dls_word_among("0", harmless) && dls_read_real(text, &x, &end, NULL) == DLS_OK && !*end && x == 0.0);
}

static int take_word(void *context, const char *parent, const char *name, const char *text, long line)
{
    enum { END, INTO, PAST };
    reading *r = context;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!dls_word_among(name, words[i].names) || (words[i].parents[0] && !dls_word_among(parent, words[i].parents)))
            continue;
        if (words[i].how == READ)
            return INTO;
        char key[DLS_NAME_MAX];
        snprintf(key, sizeof key, "<%.60s>", name);
        if (words[i].how == NOTED)
            r->status = dls_scene_note_in(r->scene, r->scene->file, (dls_place){line, 1}, key, "is ignored", r->error);
        else if (words[i].how == DROPPED && !is_harmless(text, words[i].harmless))
            r->status = drop_word(r, words[i].aspect, name, parent, line);
        return r->status == DLS_OK ? PAST : END;
    }
    if (strchr(name, ':')) /* of another vocabulary */
        return PAST;
    r->status = drop_word(r, DLS_ASPECT_BODIES, name, parent, line);
    return r->status == DLS_OK ? PAST : END;
}

/* --- parts --- */

static dls_vec3 vector(const double *v) { return dls_v3(v[0], v[1], v[2]); }

static dls_frame frame_of(const dls_sdf_pose *pose)
{
    const double *q = pose->q;
    return (dls_frame){vector(pose->p), dls_quat_unit((dls_quat){q[0], q[1], q[2], q[3]})};
}

/* A dot divides an articulation and its links in names. */
static bool take_name(reading *r, char to[DLS_NAME_MAX], const char *name)
{
    if (strlen(name) >= DLS_NAME_MAX) {
        r->status = dls_fail_about(r->error, DLS_BAD_INPUT, r->scene->file, "name", "'%.80s' is longer than %d bytes",
                                   name, DLS_NAME_MAX - 1);
        return false;
    }
    strcpy(to, name);
    for (char *dot = to; (dot = strchr(dot, '.'));)
        *dot = '_';
    return true;
}

static bool no_memory(reading *r)
{
    r->status = dls_fail(r->error, DLS_NO_MEMORY, "no memory for a model in SDF");
    return false;
}

static bool take_world(void *context, const double gravity[3], double step)
{
    reading *r = context;
    r->scene->world.gravity = vector(gravity);
    r->scene->world.step = step > 0.0 ? step : r->scene->world.step;
    return true;
}

static bool take_model(void *context, const dls_sdf_model *model)
{
    reading *r = context;
    r->part.n_links = r->part.n_shapes = r->part.n_joints = 0;
    r->part.is_static = model->is_static, r->part.self_collide = model->self_collide;
    return take_name(r, r->part.name, model->name);
}

static bool take_link(void *context, const dls_sdf_link *link)
{
    reading *r = context;
    const double *m = link->moments;
    if (!DLS_GROW(r->part.links, r->part.cap_links, r->part.n_links + 1))
        return no_memory(r);
    struct dls_sdf_own_link *to = &r->part.links[r->part.n_links++];
    to->at = frame_of(&link->inertial);
    to->mass = link->mass;
    to->inertia = (dls_mat3){{m[0], m[1], m[2], m[1], m[3], m[4], m[2], m[4], m[5]}};
    return take_name(r, to->name, link->name);
}

static bool take_shape(void *context, const dls_sdf_shape *shape)
{
    reading *r = context;
    if (!DLS_GROW(r->part.shapes, r->part.cap_shapes, r->part.n_shapes + 1))
        return no_memory(r);
    struct dls_sdf_own_shape *to = &r->part.shapes[r->part.n_shapes++];
    *to = (struct dls_sdf_own_shape){.size = vector(shape->size),
                                     .scale = vector(shape->scale),
                                     .normal = vector(shape->normal),
                                     .radius = shape->radius,
                                     .length = shape->length,
                                     .at = frame_of(&shape->pose),
                                     .looks = shape->looks,
                                     .colour = shape->colour[0] < 0.0 ? -1 : dls_xml_colour(shape->colour)};
    snprintf(to->kind, sizeof to->kind, "%s", shape->kind);
    snprintf(to->mesh, sizeof to->mesh, "%s", shape->uri);
    return take_name(r, to->link, shape->link);
}

static bool take_joint(void *context, const dls_sdf_joint *joint)
{
    reading *r = context;
    if (!DLS_GROW(r->part.joints, r->part.cap_joints, r->part.n_joints + 1))
        return no_memory(r);
    struct dls_sdf_own_joint *to = &r->part.joints[r->part.n_joints++];
    *to = (struct dls_sdf_own_joint){.point = vector(joint->point), .n_axes = joint->n_axes};
    memcpy(to->axis, joint->axis, sizeof to->axis);
    snprintf(to->type, sizeof to->type, "%s", joint->type);
    return take_name(r, to->name, joint->name) && take_name(r, to->parent, joint->parent) &&
           take_name(r, to->child, joint->child);
}

static bool end_model(void *context)
{
    reading *r = context;
    if (!r->scene->name[0])
        memcpy(r->scene->name, r->part.name, sizeof r->scene->name);
    r->status = dls_sdf_add_model(&r->part, r->scene, r->error);
    return r->status == DLS_OK;
}

/* A model is a folder with a model.config. */
static bool find_file(void *context, const char *uri, char *path, size_t room)
{
    static const char inside[] = "/model.config";
    const reading *r = context;
    char found[DLS_PATH_MAX], config[DLS_PATH_MAX];
    const int length = snprintf(config, sizeof config, "%s%s", uri, inside);
    if (length < DLS_PATH_MAX && dls_mesh_place(config, r->scene->file, found, NULL) == DLS_OK &&
        access(found, R_OK) == 0)
        found[strlen(found) - (sizeof inside - 1)] = '\0';
    else if (dls_mesh_place(uri, r->scene->file, found, NULL) != DLS_OK)
        return false;
    return (size_t)snprintf(path, room, "%s", found) < room;
}

/* --- the file --- */

bool dls_is_sdf(const char *text, size_t size) { return dls_xml_is(text, size, "sdf"); }

static dls_status read_through(const dls_sdf_reader *reader, const char *text, size_t size, reading *r)
{
    const dls_sdf_taker taker = {r,          take_world, take_model, take_link, take_shape,
                                 take_joint, end_model,  take_word,  find_file};
    char message[DLS_MESSAGE_MAX / 2] = "";
    if (!reader->read(text, size, &taker, message, sizeof message))
        return dls_fail_about(r->error, DLS_BAD_INPUT, r->scene->file, NULL, "libsdformat: %s", message);
    return r->status;
}

dls_status dls_read_sdf(const char *text, size_t size, const char *name, dls_content *content, size_t *end,
                        dls_error *error)
{
    const void *found = NULL;
    *end = size;
    DLS_TRY(dls_reader_module("sdformat", "dls_sdf_reader_here", name, "SDF", &found, error));
    DLS_TRY(dls_scene_create(&content->scene, error));
    reading r = {.scene = content->scene, .status = DLS_OK, .error = error};
    snprintf(r.scene->file, sizeof r.scene->file, "%s", name);
    dls_status status = read_through(found, text, size, &r);
    free(r.part.links);
    free(r.part.shapes);
    free(r.part.joints);
    if (status == DLS_OK && r.scene->n_bodies + r.scene->n_articulations == 0)
        status = dls_fail_about(error, DLS_BAD_INPUT, name, NULL, "has no model with a link or a shape");
    return status == DLS_OK ? dls_scene_note_inertias(r.scene, error) : status;
}
