/* The tables of states and forces that `delassus dynamics` reads: 's' or 'f' and the text of a table, for a tree with a
 * floating base, a hinge, and a joint of three axes. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "dynamics.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static void add_link(dls_articulation_def *def, const char *name, const char *parent, const char *motion)
{
    dls_link_def link;
    dls_link_default(&link);
    snprintf(link.name, sizeof link.name, "%s", name);
    snprintf(link.joint, sizeof link.joint, "to_%s", name);
    snprintf(link.parent, sizeof link.parent, "%s", parent);
    link.motion = dls_motion_find(motion);
    link.axis[0] = strcmp(motion, "prismatic") == 0 ? DLS_X : DLS_TWIST;
    fuzz_insist(link.motion && dls_articulation_def_add(def, &link, NULL) == DLS_OK);
}

static dls_articulation *new_tree(void)
{
    dls_articulation_def *def;
    dls_articulation *tree;
    fuzz_insist(dls_articulation_def_create(&def, NULL) == DLS_OK);
    add_link(def, "arm", "", "revolute");
    add_link(def, "hand", "arm", "spherical");
    add_link(def, "slide", "arm", "prismatic");
    fuzz_insist(dls_articulation_create(def, &tree, NULL) == DLS_OK);
    dls_articulation_def_destroy(def);
    return tree;
}

static void insist_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fuzz_insist(isfinite(x[i]));
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static dls_articulation *tree;
    if (!tree)
        tree = new_tree();
    dynamics_task task = {.tree = tree, .vdot = calloc(tree->nv, sizeof(double))};
    char path[64];
    int file = memfd_create("table", 0);
    dls_error error = {0};
    if (size == 0 || file < 0 || write(file, data + 1, size - 1) != (ssize_t)size - 1) {
        close(file);
        free(task.vdot);
        return 0;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    fuzz_insist(task.vdot && dls_articulation_state_create(tree, &task.state, NULL) == DLS_OK);
    fuzz_insist(dls_articulation_load_create(tree, &task.load, NULL) == DLS_OK);
    dls_status status =
        data[0] == 'f' ? dynamics_read_forces(&task, path, &error) : dynamics_read_state(&task, path, &error);
    fuzz_check(status, status == DLS_OK ? path : NULL, &error);
    insist_finite(task.state->v, tree->nv);
    insist_finite(task.vdot, tree->nv);
    insist_finite(task.load->tau, tree->nv);
    for (size_t i = 0; i < tree->n_links; i++)
        insist_finite(&task.load->force[i].ang.x, 3), insist_finite(&task.load->force[i].lin.x, 3);
    dls_articulation_load_destroy(task.load);
    dls_articulation_state_destroy(task.state);
    free(task.vdot);
    close(file);
    return 0;
}
