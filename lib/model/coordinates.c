/* A model in the coordinates that the world has for its articulations. */
#include "delassus/unfold.h"
#include "model_parts.h"

dls_status dls_model_create(const dls_scene *scene, dls_model **model, dls_error *error)
{
    dls_scene *unfolded;
    *model = NULL;
    if (scene->world.coordinates != DLS_COORDINATES_MAXIMAL)
        return dls_model_create_reduced(scene, model, error);
    DLS_TRY(dls_scene_unfold(scene, 0, &unfolded, error));
    const dls_status status = dls_model_create_reduced(unfolded, model, error);
    dls_scene_destroy(unfolded);
    return status;
}
