/* A step of MuJoCo on hinges with joint equalities, its counterpart of mimic joints: mj_step with a given number of
 * iterations of its PGS, without an early end and without collisions. Each step starts from the same state, which is
 * put back. Its rows are soft (impedance 0.9999 at most), ours are rigid. */
#include "peer_mujoco.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct coupled {
    const bench_tree *tree;
    mjModel *model;
    mjData *data;
} coupled;

/* Writes the links from i on whose parent is `parent`; returns the first that has another one. */
static size_t write_links(FILE *f, const bench_tree *tree, size_t i, size_t parent)
{
    static const char *const axes[] = {"1 0 0", "0 1 0", "0 0 1"};
    while (i < tree->n && tree->hinges[i].parent == parent) {
        const bench_hinge *h = &tree->hinges[i];
        const double *c = h->centre, *I = h->inertia, *a = h->anchor;
        fprintf(f, "<body pos='%.17g %.17g %.17g'><inertial pos='%.17g %.17g %.17g' mass='%.17g' ", a[0], a[1], a[2],
                c[0], c[1], c[2], h->mass);
        fprintf(f, "diaginertia='%.17g %.17g %.17g'/><joint name='j%zu' axis='%s'/>\n", I[0], I[1], I[2], i,
                axes[h->axis]);
        i = write_links(f, tree, i + 1, i);
        fputs("</body>\n", f);
    }
    return i;
}

static char *write_model(const bench_tree *tree, double gear, int iterations, double h, size_t *size)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, size);
    if (!f)
        return NULL;
    fprintf(f, "<mujoco><compiler angle='radian'/><option timestep='%.17g' gravity='0 0 %.17g' solver='PGS' ", h,
            -tree->gravity);
    fprintf(f, "iterations='%d' tolerance='0'><flag contact='disable'/></option><worldbody>\n", iterations);
    write_links(f, tree, 0, BENCH_WORLD);
    fputs("</worldbody><equality>\n", f);
    for (size_t i = 0; i + 1 < tree->n; i += 2)
        fprintf(f, "<joint joint1='j%zu' joint2='j%zu' polycoef='0 %.17g 0 0 0'/>\n", i, i + 1, gear);
    fputs("</equality></mujoco>\n", f);
    if (fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

void bench_mujoco_mimics_destroy(void *engine)
{
    coupled *c = engine;
    mj_deleteData(c->data);
    mj_deleteModel(c->model);
    free(c);
}

void *bench_mujoco_mimics_create(const bench_tree *tree, double gear, int iterations, double h)
{
    size_t size;
    coupled *c = calloc(1, sizeof *c);
    char *text = c ? write_model(tree, gear, iterations, h, &size) : NULL;
    if (text) {
        c->tree = tree;
        c->model = bench_mujoco_load("tree.xml", text, size);
        c->data = c->model ? mj_makeData(c->model) : NULL;
    }
    free(text);
    if (c && c->data && (size_t)c->model->nv == tree->n)
        return c;
    if (c)
        bench_mujoco_mimics_destroy(c);
    return NULL;
}

void bench_mujoco_mimics_step(void *engine)
{
    coupled *c = engine;
    memcpy(c->data->qpos, c->tree->q, c->tree->n * sizeof *c->tree->q);
    memcpy(c->data->qvel, c->tree->v, c->tree->n * sizeof *c->tree->v);
    c->data->time = 0.0;
    mju_zero(c->data->qacc_warmstart, c->model->nv);
    mj_step(c->model, c->data);
}
