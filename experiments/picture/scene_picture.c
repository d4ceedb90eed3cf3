/* A scene as a picture, at its start or after some time. */
#include "picture.h"

#include "delassus/reference.h"
#include "delassus/simulation.h"
#include "delassus/solvers.h"

static dls_status draw_run(dls_run *run, const char *solver, const char *path, dls_error *error)
{
    const dls_job job = {.output = "."};
    dls_run_result result;
    dls_status status = dls_choice_create(solver, &run->choice, error);
    if (status == DLS_OK)
        status = dls_fields_default(&dls_warm_fields, &run->warm, error);
    if (status == DLS_OK)
        status = dls_trajectory(&job, run, &result, error);
    if (status == DLS_OK && result.diverged)
        status = dls_fail(error, DLS_NOT_FINITE, "the run to that time diverged in step %zu: %s", result.steps + 1,
                          result.reason);
    dls_film_keep_last(run->film);
    if (status == DLS_OK)
        status = dls_picture_write(&run->film, 1, path, error);
    dls_choice_release(&run->choice);
    return status;
}

/* The state after `time` is that of a run without tables. */
dls_status dls_picture_scene(const dls_scene *scene, double time, const char *solver, const char *path,
                             dls_error *error)
{
    dls_model *model;
    dls_run run = {.scene = scene, .scheme = dls_schemes[0], .examine = DLS_EXAMINE_NEVER, .silent = true};
    DLS_TRY(dls_model_create(scene, &model, error));
    run.model = model;
    run.stem = dls_model_name(model);
    run.step = dls_model_world(model)->step;
    run.duration = time;
    run.samples = 1;
    dls_status status = dls_film_create(dls_model_name(model), "", &run.film, error);
    if (status == DLS_OK)
        status = draw_run(&run, solver, path, error);
    dls_film_destroy(run.film);
    dls_model_destroy(model);
    return status;
}
