/* A scene in YAML as doc/scene-format.md has it, whatever format it was read from. A field at its default is left out.
 * What the text cannot say is refused by name.
 */
#include "write_scene.h"

#include "base/arithmetic.h"
#include "base/text.h"
#include "delassus/articulation.h"
#include "delassus/table.h"
#include "mesh/mesh_file.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- sections --- */

static bool begin_list(const dls_scene_writer *w, const char *key, size_t count)
{
    if (count)
        fprintf(w->to, "%s:\n", key);
    return count > 0;
}

static void begin_item(const dls_scene_writer *w) { fputs("  -\n", w->to); }

/* The step is always written: a map has a key. */
static dls_status write_world(const dls_scene_writer *w)
{
    dls_world_def rest = w->scene->world, defaults;
    DLS_TRY(dls_fields_default(&dls_world_fields, &defaults, w->error));
    fputs("world:\n  step: ", w->to);
    dls_scene_write_number(w, rest.step);
    fputc('\n', w->to);
    rest.step = defaults.step;
    return dls_scene_write_fields(w, 1, &dls_world_fields, &rest);
}

static dls_status write_body(const dls_scene_writer *w, const dls_body_def *body)
{
    dls_body_def rest = *body;
    begin_item(w);
    rest.mesh[0] = '\0';
    DLS_TRY(dls_scene_write_fields(w, 2, &dls_body_fields, &rest));
    if (body->mesh[0])
        DLS_TRY(dls_scene_write_mesh(w, 2, body->mesh, w->scene->file));
    bool first = true;
    for (size_t k = 0; k < w->scene->n_body_shapes; k++) {
        const dls_link_shape *shape = &w->scene->body_shapes[k];
        if ((shape->passes && body->collide) || strcmp(shape->link, body->name) != 0)
            continue;
        DLS_TRY(dls_scene_write_shape(w, 3, shape, dls_v3(0, 0, 0), w->scene->file, first));
        first = false;
    }
    return DLS_OK;
}

/* One gear, or the list of the gears of all powers up to the highest. */
static void write_gears(const dls_scene_writer *w, const dls_term_def *term)
{
    size_t count = DLS_GEARS_MAX;
    while (count > 1 && term->gears[count - 1] == 0.0)
        count--;
    fputs(count > 1 ? "[" : "", w->to);
    for (size_t k = 0; k < count; k++) {
        fputs(k ? ", " : "", w->to);
        dls_scene_write_number(w, term->gears[k]);
    }
    fputs(count > 1 ? "]" : "", w->to);
}

static dls_status write_coordinates(const dls_scene_writer *w, const dls_joint_def *joint)
{
    if (joint->n_terms)
        fprintf(w->to, "    coordinates: {");
    for (size_t t = 0; t < joint->n_terms; t++) {
        DLS_TRY(dls_scene_write_quoted(w, joint->terms[t].coordinate));
        fputs(": ", w->to);
        write_gears(w, &joint->terms[t]);
        fputs(t + 1 < joint->n_terms ? ", " : "}\n", w->to);
    }
    return DLS_OK;
}

static dls_status write_joint(const dls_scene_writer *w, const dls_joint_def *joint)
{
    begin_item(w);
    fprintf(w->to, "    type: %s\n", joint->type->name);
    DLS_TRY(dls_scene_write_fields(w, 2, &dls_joint_def_fields, joint));
    DLS_TRY(dls_scene_write_fields(w, 2, &dls_joint_common_fields, &joint->common));
    DLS_TRY(dls_scene_write_fields(w, 2, joint->settings.table, joint->settings.values));
    return write_coordinates(w, joint);
}

/* The link frame of a written link has its origin at the centre of mass. */
static dls_vec3 centre_of(const dls_scene *scene, const char *end)
{
    char name[DLS_NAME_MAX];
    const char *dot = strchr(end, '.');
    snprintf(name, sizeof name, "%.*s", dot ? (int)(dot - end) : 0, end);
    const dls_articulation_def *def = dot ? dls_scene_articulation(scene, name) : NULL;
    const dls_link_def *link = def ? dls_articulation_def_find(def, dot + 1) : NULL;
    return link ? link->centre : dls_v3(0, 0, 0);
}

static dls_status write_sensor(const dls_scene_writer *w, const dls_sensor_def *sensor)
{
    dls_sensor_def moved = *sensor;
    begin_item(w);
    moved.position = dls_sub(sensor->position, centre_of(w->scene, sensor->link));
    return dls_scene_write_fields(w, 2, &dls_sensor_fields, &moved);
}

static dls_status write_lists(const dls_scene_writer *w)
{
    const dls_scene *scene = w->scene;
    dls_status status = DLS_OK;
    begin_list(w, "bodies", scene->n_bodies);
    for (size_t i = 0; status == DLS_OK && i < scene->n_bodies; i++)
        status = write_body(w, &scene->bodies[i]);
    if (status == DLS_OK && begin_list(w, "articulations", scene->n_articulations))
        status = dls_scene_write_articulations(w);
    begin_list(w, "joints", scene->n_joints);
    for (size_t i = 0; status == DLS_OK && i < scene->n_joints; i++)
        status = write_joint(w, &scene->joints[i]);
    begin_list(w, "sensors", scene->n_sensors);
    for (size_t i = 0; status == DLS_OK && i < scene->n_sensors; i++)
        status = write_sensor(w, &scene->sensors[i]);
    begin_list(w, "apart", scene->n_apart);
    for (size_t i = 0; status == DLS_OK && i < scene->n_apart; i++) {
        begin_item(w);
        status = dls_scene_write_fields(w, 2, &dls_apart_fields, &scene->apart[i]);
    }
    begin_list(w, "surfaces", scene->n_surfaces);
    for (size_t i = 0; status == DLS_OK && i < scene->n_surfaces; i++) {
        begin_item(w);
        status = dls_scene_write_fields(w, 2, &dls_shape_surface_fields, &scene->surfaces[i]);
    }
    begin_list(w, "pairs", scene->n_pairs);
    for (size_t i = 0; status == DLS_OK && i < scene->n_pairs; i++) {
        begin_item(w);
        status = dls_scene_write_fields(w, 2, &dls_surface_pair_fields, &scene->pairs[i]);
    }
    return status;
}

/* --- the whole --- */

static dls_status check_scene(const dls_scene *scene, dls_error *error)
{
    DLS_TRY(dls_scene_check_dropped(scene, DLS_ALL_ASPECTS, error));
    const char *what = scene->n_tracks         ? "tracks"
                       : scene->n_changes      ? "changes"
                       : scene->world.start[0] ? "a start that is chosen (world.start)"
                                               : NULL;
    return what ? dls_fail_about(error, DLS_REFUSED, scene->file, NULL,
                                 "the scene has %s, which the writer of scenes does not write", what)
                : DLS_OK;
}

/* Parts of the model that are not in the scene stay told. */
static void write_dropped(const dls_scene_writer *w)
{
    for (size_t i = 0; i < w->scene->n_dropped; i++) {
        const dls_dropped *d = &w->scene->dropped[i];
        fprintf(w->to, "# left out of the %s of %s: %s, %zu times: %s\n", dls_aspect_names[d->aspect], d->file, d->key,
                d->count, d->text);
    }
}

static dls_status write_scene(const dls_scene_writer *w)
{
    const dls_scene *scene = w->scene;
    write_dropped(w);
    if (scene->name[0])
        DLS_TRY(dls_scene_write_text(w, 0, "name", scene->name));
    DLS_TRY(write_world(w));
    return write_lists(w);
}

static bool limits_lost(const dls_link_def *link, bool speeds)
{
    return isfinite(link->force_limit) || (isfinite(link->speed_limit) && !speeds);
}

static unsigned losses_of(const dls_scene *scene)
{
    unsigned lost = scene->n_starts ? DLS_LOSS_STARTS : 0;
    for (size_t a = 0; a < scene->n_articulations; a++) {
        const dls_articulation_def *def = scene->articulations[a];
        for (size_t i = 0; i < def->n_links; i++)
            lost |= limits_lost(&def->links[i], def->limits_speeds) ? (unsigned)DLS_LOSS_LIMITS : 0U;
        for (size_t k = 0; k < def->n_visuals; k++)
            lost |= def->visuals[k].wrong[0] ? (unsigned)DLS_LOSS_VISUALS : 0U;
    }
    return lost;
}

dls_status dls_scene_write(const dls_scene *scene, const char *path, unsigned *lost, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    dls_output output;
    DLS_TRY(check_scene(scene, error));
    DLS_TRY(dls_output_open(&output, path, error));
    const locale_t before = dls_locale_begin();
    const dls_scene_writer w = {output.stream, scene, path, error};
    const dls_status status = write_scene(&w);
    dls_locale_end(before);
    if (status == DLS_OK && lost)
        *lost = losses_of(scene);
    if (status == DLS_OK)
        return dls_output_commit(&output, error);
    dls_output_abandon(&output);
    return status;
}
