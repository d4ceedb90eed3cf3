/* MuJoCo, E. Todorov and others: composite inertias, sparse L^T D L of the mass matrix, RNEA. Takes the tree as URDF,
 * since its own format cannot nest deeper than 100 bodies.
 *
 * Timed quantities, all from mj_kinematics and mj_comPos on:
 *     aba        mj_crb, mj_factorM, mj_comVel, mj_rne, mj_solveM: its forward dynamics without constraints
 *     crba       mj_crb; its sparse matrix, not spread out
 *     rnea       mj_comVel, mj_rne with accelerations
 *     gravity    mj_rne at rest
 *     jacobian   mj_jacBodyCom of every body, without kinematics
 *     factors    mj_crb, mj_factorM, mj_solveM of one right-hand side, without kinematics
 *     response   mj_solveM of one right-hand side, without kinematics and factorisation
 */
#include "peer_mujoco.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mujoco_tree {
    const bench_tree *tree;
    mjModel *model;
    mjData *data, *rest; /* moving; without speeds */
    double *b, *x, *J;
} mujoco_tree;

/* --- the model --- */

static void write_link(FILE *f, const bench_tree *tree, size_t i)
{
    static const char *const axes[] = {"1 0 0", "0 1 0", "0 0 1"};
    const bench_hinge *h = &tree->hinges[i];
    const double *c = h->centre, *I = h->inertia, *a = h->anchor;
    char parent[32] = "base";
    if (h->parent != BENCH_WORLD)
        snprintf(parent, sizeof parent, "l%zu", h->parent);
    fprintf(f, "<link name='l%zu'><inertial><origin xyz='%.17g %.17g %.17g'/><mass value='%.17g'/>", i, c[0], c[1],
            c[2], h->mass);
    fprintf(f, "<inertia ixx='%.17g' iyy='%.17g' izz='%.17g' ixy='0' ixz='0' iyz='0'/></inertial></link>\n", I[0], I[1],
            I[2]);
    fprintf(f, "<joint name='j%zu' type='continuous'><parent link='%s'/><child link='l%zu'/>", i, parent, i);
    fprintf(f, "<axis xyz='%s'/><origin xyz='%.17g %.17g %.17g'/></joint>\n", axes[h->axis], a[0], a[1], a[2]);
}

static char *write_urdf(const bench_tree *tree, size_t *size)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, size);
    if (!f)
        return NULL;
    fputs("<robot name='tree'><link name='base'/>\n", f);
    for (size_t i = 0; i < tree->n; i++)
        write_link(f, tree, i);
    fputs("</robot>\n", f);
    if (fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

mjModel *bench_mujoco_load(const char *name, const char *text, size_t size)
{
    mjModel *model = NULL;
    mjVFS *files = malloc(sizeof *files);
    char error[256];
    if (!files)
        return NULL;
    mj_defaultVFS(files);
    if (mj_makeEmptyFileVFS(files, name, (int)size) == 0) {
        memcpy(files->filedata[mj_findFileVFS(files, name)], text, size);
        model = mj_loadXML(name, files, error, sizeof error);
    }
    mj_deleteVFS(files);
    free(files);
    return model;
}

static void destroy(void *engine)
{
    mujoco_tree *t = engine;
    mj_deleteData(t->data);
    mj_deleteData(t->rest);
    mj_deleteModel(t->model);
    free(t->b);
    free(t);
}

static void set_state(mujoco_tree *t)
{
    const bench_tree *tree = t->tree;
    t->model->opt.gravity[2] = -tree->gravity;
    memcpy(t->data->qpos, tree->q, tree->n * sizeof *tree->q);
    memcpy(t->rest->qpos, tree->q, tree->n * sizeof *tree->q);
    memcpy(t->data->qvel, tree->v, tree->n * sizeof *tree->v);
    memcpy(t->data->qacc, tree->vdot, tree->n * sizeof *tree->vdot);
    t->b[0] += 1.0;
    t->b[tree->n - 1] -= 2.0;
}

static void *create(const bench_tree *tree)
{
    size_t size, n = tree->n;
    char *text = write_urdf(tree, &size);
    mujoco_tree *t = calloc(1, sizeof *t);
    if (t && text && (t->b = calloc((2 + 6 * n) * n, sizeof *t->b))) {
        t->tree = tree;
        t->x = t->b + n;
        t->J = t->x + n;
        t->model = bench_mujoco_load("tree.urdf", text, size);
        t->data = t->model ? mj_makeData(t->model) : NULL;
        t->rest = t->model ? mj_makeData(t->model) : NULL;
    }
    free(text);
    if (t && t->data && t->rest && (size_t)t->model->nv == n) {
        set_state(t);
        return t;
    }
    if (t)
        destroy(t);
    return NULL;
}

/* --- the tasks --- */

static const double *forward(mujoco_tree *t)
{
    mj_crb(t->model, t->data);
    mj_factorM(t->model, t->data);
    mj_comVel(t->model, t->data);
    mj_rne(t->model, t->data, 0, t->x);
    for (size_t k = 0; k < t->tree->n; k++)
        t->x[k] = t->tree->tau[k] - t->x[k];
    mj_solveM(t->model, t->data, t->x, t->x, 1);
    return t->x;
}

static const double *jacobian(mujoco_tree *t)
{
    size_t n = t->tree->n;
    for (size_t i = 0; i < n; i++)
        mj_jacBodyCom(t->model, t->data, t->J + 6 * i * n, t->J + (6 * i + 3) * n, (int)i + 1);
    return t->J;
}

static const double *response(mujoco_tree *t)
{
    mj_solveM(t->model, t->data, t->x, t->b, 1);
    return t->x;
}

static const double *gravity(mujoco_tree *t)
{
    mj_kinematics(t->model, t->rest);
    mj_comPos(t->model, t->rest);
    mj_rne(t->model, t->rest, 0, t->x);
    return t->x;
}

static const double *run(void *engine, bench_task task)
{
    mujoco_tree *t = engine;
    if (task == BENCH_JACOBIAN)
        return jacobian(t);
    if (task == BENCH_FACTORS) {
        mj_crb(t->model, t->data);
        mj_factorM(t->model, t->data);
    }
    if (task == BENCH_FACTORS || task == BENCH_RESPONSE)
        return response(t);
    if (task == BENCH_GRAVITY)
        return gravity(t);
    mj_kinematics(t->model, t->data);
    mj_comPos(t->model, t->data);
    if (task == BENCH_ABA)
        return forward(t);
    if (task == BENCH_RNEA) {
        mj_comVel(t->model, t->data);
        mj_rne(t->model, t->data, 1, t->x);
        return t->x;
    }
    mj_crb(t->model, t->data);
    return NULL;
}

const bench_tree_peer bench_peer_mujoco = {"mujoco", BENCH_TASKS, create, run, destroy};
