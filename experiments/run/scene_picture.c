/* The last state of a run, or the start of a scene, as a picture. */
#include "delassus/experiments.h"

dls_status dls_picture_run(dls_run *run, const char *path, dls_error *error)
{
    const dls_job job = {.output = "."};
    dls_run_result result;
    run->silent = true, run->examine = DLS_EXAMINE_NEVER, run->samples = 1;
    DLS_TRY(dls_run_trajectory(&job, run, &result, error));
    DLS_TRY(dls_run_check_end(&result, error));
    dls_film_keep_last(run->film);
    return dls_picture_write(&run->film, 1, path, error);
}

/* A run of no step. */
dls_status dls_picture_scene(const dls_scene *scene, const char *path, dls_error *error)
{
    dls_model *model;
    DLS_TRY(dls_model_create(scene, &model, error));
    dls_run run = {.model = model,
                   .scene = scene,
                   .stem = dls_model_name(model),
                   .scheme = dls_schemes[0],
                   .step = dls_model_world(model)->step};
    dls_status status = dls_film_create(dls_model_name(model), "", &run.film, error);
    if (status == DLS_OK)
        status = dls_choice_create("pgs", &run.choice, error);
    if (status == DLS_OK)
        status = dls_fields_default(&dls_warm_fields, &run.warm, error);
    if (status == DLS_OK)
        status = dls_picture_run(&run, path, error);
    dls_choice_release(&run.choice);
    dls_film_destroy(run.film);
    dls_model_destroy(model);
    return status;
}
