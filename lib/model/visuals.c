/* The appearance of the links of a model. Only the names of links are checked: a picture reports the parts that it
 * cannot show, and no run fails because of them. */
#include "model_parts.h"

#include <string.h>

static const char *keep_text(dls_model *model, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *kept = dls_arena_take(&model->memory, size, 1);
    return kept ? memcpy(kept, text, size) : NULL;
}

static dls_status add_visual(const dls_scene *scene, dls_model *model, size_t a, const dls_link_visual *from,
                             dls_error *error)
{
    const dls_articulation *tree = model->articulations[a].tree;
    const size_t link = dls_articulation_find_link(tree, from->link);
    if (link == DLS_NONE)
        return dls_fail_at(error, DLS_BAD_INPUT, scene->articulations[a]->file, from->place.line, from->place.column,
                           "visual", "a visual of link '%s', which is not there", from->link);
    const dls_visual visual = {.end = model->articulations[a].first_end + link,
                               .shape = (dls_shape)from->shape,
                               .size = from->size,
                               .radius = from->radius,
                               .length = from->length,
                               .frame = {dls_sub(from->frame.p, tree->defs[link].centre), from->frame.q},
                               .colour = from->colour,
                               .mesh = keep_text(model, from->mesh),
                               .model = keep_text(model, from->model),
                               .wrong = keep_text(model, from->wrong),
                               .scale = from->scale,
                               .place = from->place};
    if (!visual.mesh || !visual.model || !visual.wrong)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the visuals of links");
    size_t at = model->n_visuals++;
    for (; at > 0 && model->visuals[at - 1].end > visual.end; at--)
        model->visuals[at] = model->visuals[at - 1];
    model->visuals[at] = visual;
    return DLS_OK;
}

dls_status dls_model_compile_visuals(const dls_scene *scene, dls_model *model, dls_error *error)
{
    size_t count = 0;
    for (size_t a = 0; a < scene->n_articulations; a++)
        count += scene->articulations[a]->n_visuals;
    if (count == 0)
        return DLS_OK;
    model->visuals = DLS_TAKE(&model->memory, dls_visual, count);
    if (!model->visuals)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu visuals of links", count);
    for (size_t a = 0; a < scene->n_articulations; a++)
        for (size_t k = 0; k < scene->articulations[a]->n_visuals; k++)
            DLS_TRY(add_visual(scene, model, a, &scene->articulations[a]->visuals[k], error));
    return DLS_OK;
}

const dls_visual *dls_model_visuals(const dls_model *model) { return model->visuals; }
