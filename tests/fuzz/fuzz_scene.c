/* A scene, then its model, then the problem of its first step. */
#include "fuzz.h"

enum {
    PARTS_MAX = 200
}; /* a repeat makes thousands of bodies of a few bytes: the model's time is not what is looked for */

static size_t parts_of(const dls_scene *scene)
{
    size_t parts = scene->n_bodies + scene->n_joints;
    for (size_t a = 0; a < scene->n_articulations; a++)
        parts += scene->articulations[a]->n_links;
    return parts;
}

static void use_scene(const dls_scene *scene)
{
    dls_model *model;
    dls_problem *problem;
    dls_error error;
    dls_status status = dls_model_create(scene, &model, &error);
    fuzz_check(status, model, &error);
    if (status != DLS_OK)
        return;
    status = dls_problem_create(model, model->initial, NULL, scene->world.step, &problem, &error);
    fuzz_check(status, problem, &error);
    if (status == DLS_OK)
        fuzz_use_problem(problem);
    dls_problem_destroy(problem);
    dls_model_destroy(model);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    dls_scene *scene;
    dls_error error;
    dls_status status = dls_scene_parse((const char *)data, size, "fuzz", &scene, &error);
    fuzz_check(status, scene, &error);
    if (status == DLS_OK && parts_of(scene) <= PARTS_MAX)
        use_scene(scene);
    dls_scene_destroy(scene);
    return 0;
}
