/* The parts of a model, and its ends by their numbers. */
#include "model_parts.h"

#include <stdio.h>
#include <stdlib.h>

void dls_model_destroy(dls_model *model)
{
    if (!model)
        return;
    for (size_t j = 0; j < model->n_joints; j++)
        if (model->joints[j].settings)
            dls_fields_release(&model->joints[j].type->fields, (void *)model->joints[j].settings);
    dls_names *const names[] = {&model->names.ends, &model->names.articulations, &model->names.dofs,
                                &model->names.joints, &model->names.tracks};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        dls_names_release(names[i]);
    dls_state_destroy(model->initial);
    for (size_t a = 0; a < model->n_articulations; a++)
        dls_articulation_destroy(model->articulations[a].tree);
    for (size_t t = 0; t < model->n_tracks; t++)
        dls_track_release(&model->tracks[t]);
    dls_arena_release(&model->memory);
    free(model);
}

/* --- parts --- */

dls_model_counts dls_model_count(const dls_model *model)
{
    return (dls_model_counts){.bodies = model->n_bodies,
                              .joints = model->n_joints,
                              .articulations = model->n_articulations,
                              .links = model->n_links,
                              .ends = model->n_ends,
                              .tracks = model->n_tracks,
                              .coordinates = model->n_coordinates,
                              .nv = model->nv,
                              .sensors = model->n_sensors,
                              .solids = model->n_solids,
                              .visuals = model->n_visuals,
                              .immersed = model->n_immersed,
                              .breakable = model->n_breakable,
                              .blocks = model->n_blocks};
}

bool dls_model_has_events(const dls_model *model) { return model->n_breakable > 0 || model->world.sleep; }

const dls_body *dls_model_bodies(const dls_model *model) { return model->bodies; }
const dls_joint *dls_model_joints(const dls_model *model) { return model->joints; }
const dls_model_articulation *dls_model_articulations(const dls_model *model) { return model->articulations; }
const dls_track *dls_model_tracks(const dls_model *model) { return model->tracks; }
const dls_sensor *dls_model_sensors(const dls_model *model) { return model->sensors; }
const dls_world_def *dls_model_world(const dls_model *model) { return &model->world; }
const char *dls_model_name(const dls_model *model) { return model->name; }
const dls_state *dls_model_initial(const dls_model *model) { return model->initial; }

size_t dls_model_find_end(const dls_model *model, const char *name) { return dls_names_find(&model->names.ends, name); }

size_t dls_model_find_joint(const dls_model *model, const char *name)
{
    return dls_names_find(&model->names.joints, name);
}

const dls_model_articulation *dls_model_articulation_of(const dls_model *model, size_t end, size_t *link)
{
    if (end == DLS_WORLD || end < model->n_bodies)
        return NULL;
    size_t a = 0, after = model->n_articulations; /* it is in a .. after - 1 */
    while (after - a > 1) {
        size_t middle = a + (after - a) / 2;
        *(model->articulations[middle].first_end > end ? &after : &a) = middle;
    }
    *link = end - model->articulations[a].first_end;
    return &model->articulations[a];
}

bool dls_model_moves(const dls_model *model, size_t end)
{
    size_t link;
    const dls_model_articulation *articulation = dls_model_articulation_of(model, end, &link);
    if (articulation)
        return dls_articulation_last_dof(articulation->tree, link) != DLS_NONE;
    return end != DLS_WORLD && model->bodies[end].offset != DLS_NONE;
}

size_t dls_model_block(const dls_model *model, size_t dof)
{
    size_t a = model->n_articulations;
    while (a > 0 && model->articulations[a - 1].offset > dof)
        a--;
    while (a > 0 && model->articulations[a - 1].block == DLS_NONE)
        a--;
    return a > 0 ? model->articulations[a - 1].block : dof / 6;
}

size_t dls_model_end_block(const dls_model *model, size_t end)
{
    size_t link;
    const dls_model_articulation *articulation = dls_model_articulation_of(model, end, &link);
    if (!dls_model_moves(model, end))
        return DLS_NONE;
    return articulation ? articulation->block : model->bodies[end].block;
}

void dls_model_end_name(const dls_model *model, size_t end, char *text, size_t size)
{
    size_t link;
    const dls_model_articulation *articulation = dls_model_articulation_of(model, end, &link);
    if (articulation)
        snprintf(text, size, "%s.%s", articulation->tree->name, articulation->tree->defs[link].name);
    else
        snprintf(text, size, "%s", end == DLS_WORLD ? "world" : model->bodies[end].name);
}
