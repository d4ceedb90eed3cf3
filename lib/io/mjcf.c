/* Models in MJCF (MuJoCo's XML) as scenes: the document. doc/mjcf.md. */
#include "mjcf.h"

#include "formats.h"
#include "xml_words.h"

#include <stdio.h>
#include <stdlib.h>

static dls_status read_name(mjcf *m, const xmlNode *root)
{
    bool there;
    DLS_TRY(dls_xml_attribute(&m->x, root, "model", m->scene->name, sizeof m->scene->name, &there));
    if (!m->scene->name[0])
        snprintf(m->scene->name, sizeof m->scene->name, "MuJoCo Model");
    return DLS_OK;
}

static dls_status read_model(void *context, xmlNode *root)
{
    mjcf *m = context;
    DLS_TRY(mjcf_include_files(m, root));
    DLS_TRY(mjcf_read_compiler(m, root));
    DLS_TRY(mjcf_replicate(m, root));
    DLS_TRY(dls_mjcf_check_words(&m->x, root));
    DLS_TRY(read_name(m, root));
    DLS_TRY(mjcf_read_option(m, root));
    DLS_TRY(mjcf_read_defaults(m, root));
    DLS_TRY(mjcf_read_assets(m, root));
    DLS_TRY(mjcf_note_paired(m, root));
    DLS_TRY(mjcf_read_world(m, root));
    DLS_TRY(mjcf_read_contacts(m, root));
    DLS_TRY(mjcf_read_tendons(m, root));
    DLS_TRY(mjcf_read_equalities(m, root));
    DLS_TRY(mjcf_read_actuators(m, root));
    DLS_TRY(mjcf_read_sensors(m, root));
    DLS_TRY(mjcf_read_keyframes(m, root));
    return dls_scene_note_inertias(m->scene, m->x.error);
}

static void release_mjcf(mjcf *m)
{
    mjcf_table *const tables[] = {&m->class_names,  &m->body_names,   &m->joint_names,    &m->site_names,
                                  &m->geom_names,   &m->tendon_names, &m->equality_names, &m->actuator_names,
                                  &m->sensor_names, &m->mesh_names,   &m->material_names, &m->hfield_names,
                                  &m->claimed,      &m->paired};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        dls_names_release(&tables[i]->names);
    for (size_t i = 0; i < m->n_files; i++)
        free(m->files[i]);
    free(m->files);
    free(m->classes);
    free(m->bodies);
    free(m->joints);
    free(m->sites);
    free(m->geoms);
    free(m->tendons);
    free(m->actuators);
    free(m->terms);
    free(m->assets);
    free(m->standing);
}

bool dls_is_mjcf(const char *text, size_t size) { return dls_xml_is(text, size, "mujoco"); }

dls_status dls_read_mjcf(const char *text, size_t size, const char *name, dls_content *content, size_t *end,
                         dls_error *error)
{
    dls_error unused;
    mjcf m = {.x = {.file = name, .error = error ? error : &unused}};
    *end = size;
    DLS_TRY(dls_scene_create(&content->scene, error));
    m.scene = m.x.scene = content->scene;
    snprintf(m.scene->file, sizeof m.scene->file, "%s", name);
    dls_status status = dls_xml_parse(text, size, "mujoco", &m.x, read_model, &m);
    release_mjcf(&m);
    return dls_scene_also_dropped(content->scene, status, error);
}
