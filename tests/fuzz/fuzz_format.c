/* Any text in the format that the environment's DLS_FUZZ_FORMAT names (without it: in the one that it shows): a scene,
 * its model and the problem of its first step, the dynamics of its robots; or a problem. */
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
    status = dls_problem_create(model, dls_model_initial(model), NULL, scene->world.step, &problem, &error);
    fuzz_check(status, problem, &error);
    if (status == DLS_OK)
        fuzz_use_problem(problem);
    dls_problem_destroy(problem);
    dls_model_destroy(model);
}

static void use_robot(const dls_articulation_def *def)
{
    dls_articulation *tree;
    dls_articulation_state *state = NULL;
    dls_articulation_work *work = NULL;
    dls_error error;
    dls_status status = dls_articulation_create(def, &tree, &error);
    fuzz_check(status, tree, &error);
    if (status != DLS_OK)
        return;
    double *tau = calloc(tree->nv + 1, sizeof *tau);
    fuzz_insist(tau && dls_articulation_state_create(tree, &state, NULL) == DLS_OK);
    fuzz_insist(dls_articulation_work_create(tree, &work, NULL) == DLS_OK);
    dls_articulation_kinematics(state, work);
    dls_articulation_velocities(state->v, work);
    dls_articulation_inverse(work, NULL, NULL, dls_v3(0, 0, -9.81), tau);
    if (dls_articulation_factor(work, NULL) == DLS_OK)
        dls_articulation_forward(work, tau, NULL, dls_v3(0, 0, -9.81), tau);
    dls_articulation_work_destroy(work);
    dls_articulation_state_destroy(state);
    dls_articulation_destroy(tree);
    free(tau);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    dls_content content;
    dls_error error;
    dls_status status = dls_file_parse((const char *)data, size, "fuzz", getenv("DLS_FUZZ_FORMAT"), &content, &error);
    fuzz_check(status, content.scene ? (const void *)content.scene : content.problem, &error);
    fuzz_insist(!content.scene || !content.problem);
    if (content.problem)
        fuzz_use_problem(content.problem);
    if (content.scene && parts_of(content.scene) <= PARTS_MAX) {
        use_scene(content.scene);
        for (size_t a = 0; a < content.scene->n_articulations; a++)
            use_robot(content.scene->articulations[a]);
    }
    dls_content_release(&content);
    return 0;
}
