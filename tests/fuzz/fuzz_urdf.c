/* A robot in URDF, its tree, and its dynamics at the start. */
#include "fuzz.h"

#include "delassus/articulation.h"

static void use_tree(const dls_articulation *tree)
{
    dls_articulation_state *state = NULL;
    dls_articulation_work *work = NULL;
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
    free(tau);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    dls_articulation_def *def;
    dls_articulation *tree = NULL;
    dls_error error;
    dls_status status = dls_urdf_parse((const char *)data, size, "fuzz", &def, NULL, &error);
    fuzz_check(status, def, &error);
    if (status != DLS_OK)
        return 0;
    status = dls_articulation_create(def, &tree, &error);
    fuzz_check(status, tree, &error);
    if (tree)
        use_tree(tree);
    dls_articulation_destroy(tree);
    dls_articulation_def_destroy(def);
    return 0;
}
