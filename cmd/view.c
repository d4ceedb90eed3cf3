/* delassus view: a mechanism as a picture, at the start or after some time. */
#include "command.h"

#include <stdio.h>

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

/* The state after `time` is that of a run, whose tables nobody wants. */
static dls_status draw(const arguments *a, const dls_scene *scene, const char *path, double time, dls_error *error)
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
        status = draw_run(&run, argument(a, "solver", "pgs"), path, error);
    dls_film_destroy(run.film);
    dls_model_destroy(model);
    return status;
}

static int run(const arguments *a)
{
    char stem[DLS_NAME_MAX], path[DLS_NAME_MAX + 8];
    dls_scene *scene;
    dls_error error;
    double time = 0.0;
    const dls_picture_kind *kind;
    dls_file_stem(a->words[0], stem, sizeof stem);
    snprintf(path, sizeof path, "%s.svg", stem);
    const char *output = argument(a, "output", path);
    if (!argument_real(a, "time", "s", &time))
        return EXIT_BAD_INPUT;
    if (dls_picture_kind_of(output, &kind, &error) != DLS_OK || dls_scene_read(a->words[0], &scene, &error) != DLS_OK)
        return complain(&error);
    bool fine = set_scene(a, scene);
    if (fine)
        note_scene(a->words[0], scene, false, false);
    if (fine && draw(a, scene, output, time, &error) != DLS_OK) {
        complain(&error);
        fine = false;
    }
    dls_scene_destroy(scene);
    if (!fine)
        return EXIT_BAD_INPUT;
    printf("%s: %s\n", a->words[0], output);
    return EXIT_DONE;
}

static void print_kinds(void)
{
    printf("\nFILE is, by how its name ends:\n");
    for (const dls_picture_kind *kind = dls_picture_kinds; kind->suffix; kind++)
        printf("  %-18s %s\n", kind->suffix, kind->help);
}

static const option_spec options[] = {{"output", 'o', "FILE", "the picture [SCENE.svg, here]"},
                                      {"time", 0, "S", "after so long, stepped with the scene's step [as it starts]"},
                                      {"solver", 's', "NAME", "solver of these steps, or exec:COMMAND [pgs]"},
                                      {"set", 0, "KEY=VALUE",
                                       "a setting of the scene: world.KEY=VALUE, joints.NAME.KEY=VALUE, "
                                       "bodies.NAME.KEY=VALUE, with * in NAME for anything"},
                                      {NULL, 0, NULL, NULL}};
const command command_view = {
    .name = "view",
    .usage = "SCENE|ROBOT [--time S] [-o FILE]",
    .summary = "a picture of a scene, a URDF or an MJCF model",
    .details =
        "Bodies and links are drawn as their shapes, or as sticks to their joints where they have none; joints as dots "
        "in the colour of their\nerror, with their axes; tracks, strings and rods as lines; contact forces of "
        "the last step as arrows. For a run in motion: run --animate.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .run = run,
    .more = print_kinds,
};
