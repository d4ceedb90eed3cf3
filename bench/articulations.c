/* Algorithms in reduced coordinates on chains of hinges and on a tree of a trunk with four limbs: ns a call, ns a
 * degree of freedom.
 *
 * Timed quantities:
 *     aba        kinematics, velocities, articulated inertias, forward dynamics under gravity and joint forces
 *     crba       kinematics, the whole symmetric mass matrix
 *     rnea       kinematics, velocities, inverse dynamics under gravity
 *     gravity    kinematics, gravity force
 *     jacobian   all links, dense, zeros included; without kinematics
 *     response   M^-1 J^T and r_ij of a row that ties the first hinge to the last, J = e_first - 2 e_last, once the
 *                factors that it needs are there
 *     factors    those factors (articulated inertias, response factor) and one such response; without kinematics
 * peer_mujoco.c and peer_pinocchio.cpp say what stands for each in MuJoCo and in Pinocchio.
 */
#include "bench.h"
#include "peer.h"
#include "trees.h"

#include "delassus/articulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 15 };

static const double batch = 1e-3; /* [s] of calls between two looks at the clock */

static const char *const tasks[BENCH_TASKS] = {
    [BENCH_ABA] = "aba",          [BENCH_MASS_MATRIX] = "crba",  [BENCH_RNEA] = "rnea",
    [BENCH_GRAVITY] = "gravity",  [BENCH_JACOBIAN] = "jacobian", [BENCH_FACTORS] = "factors",
    [BENCH_RESPONSE] = "response"};

static const bench_tree_peer *const peers[] = {
#ifdef BENCH_MUJOCO
    &bench_peer_mujoco,
#endif
#ifdef BENCH_PINOCCHIO
    &bench_peer_pinocchio, &bench_peer_pinocchio_world,
#endif
    NULL};

/* --- ours --- */

typedef struct ours {
    const bench_tree *tree;
    dls_articulation *art;
    dls_articulation_state *state;
    dls_articulation_work *work;
    double *x, *y, *M, *J, r;
    dls_status status;
    dls_error error;
} ours;

static dls_status compile(ours *o, const bench_tree *tree, dls_error *error)
{
    size_t n = tree->n;
    dls_articulation_def *def;
    *o = (ours){.tree = tree, .x = calloc((2 + 7 * n) * n, sizeof *o->x)};
    if (!o->x)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a tree of %zu hinges", n);
    o->y = o->x + n, o->M = o->y + n, o->J = o->M + n * n;
    DLS_TRY(dls_articulation_def_create(&def, error));
    dls_status status = bench_tree_define(tree, def, error);
    if (status == DLS_OK)
        status = dls_articulation_create(def, &o->art, error);
    dls_articulation_def_destroy(def);
    DLS_TRY(status);
    DLS_TRY(dls_articulation_state_create(o->art, &o->state, error));
    return dls_articulation_work_create(o->art, &o->work, error);
}

static void destroy(ours *o)
{
    dls_articulation_work_destroy(o->work);
    dls_articulation_state_destroy(o->state);
    dls_articulation_destroy(o->art);
    free(o->x);
}

static const double *forward(ours *o)
{
    dls_articulation_velocities(o->state->v, o->work);
    if (dls_articulation_factor(o->work, &o->error) != DLS_OK)
        o->status = DLS_BAD_ARGUMENT;
    dls_articulation_forward(o->work, o->tree->tau, NULL, dls_v3(0, 0, -o->tree->gravity), o->x);
    return o->x;
}

static const double *inverse(ours *o)
{
    dls_articulation_velocities(o->state->v, o->work);
    dls_articulation_inverse(o->work, o->tree->vdot, NULL, dls_v3(0, 0, -o->tree->gravity), o->x);
    return o->x;
}

static const double *response(ours *o)
{
    size_t n = o->tree->n;
    o->y[0] = 1.0, o->y[n - 1] = -2.0;
    dls_articulation_solve(o->work, o->y, o->x);
    o->r = o->x[0] - 2.0 * o->x[n - 1];
    return o->x;
}

static const double *run_task(void *engine, bench_task task)
{
    ours *o = engine;
    if (task == BENCH_FACTORS && dls_articulation_factor(o->work, &o->error) != DLS_OK)
        o->status = DLS_BAD_ARGUMENT;
    if (task == BENCH_FACTORS || task == BENCH_RESPONSE)
        return response(o);
    if (task == BENCH_JACOBIAN) {
        dls_articulation_jacobian(o->work, o->J, 6 * o->tree->n);
        return o->J;
    }
    dls_articulation_kinematics(o->state, o->work);
    if (task == BENCH_ABA)
        return forward(o);
    if (task == BENCH_RNEA)
        return inverse(o);
    if (task == BENCH_MASS_MATRIX) {
        dls_articulation_mass_matrix(o->work, o->M, o->tree->n);
        return o->M;
    }
    dls_articulation_gravity_force(o->work, dls_v3(0, 0, -o->tree->gravity), o->x);
    return o->x;
}

/* --- measurement --- */

enum { CONTENDERS = sizeof peers / sizeof peers[0] }; /* ours instead of the NULL */

/* The algorithms that are timed side by side: ours first, then the peers that took the tree. */
typedef struct contender {
    const char *name;
    int n_tasks;
    void *engine;
    const double *(*run)(void *engine, bench_task task);
    void (*destroy)(void *engine);
    size_t count; /* calls in a batch */
    double best;  /* [s] a call, of the batches so far */
} contender;

/* Calls until a batch is long enough for the clock. */
static void time_batch(contender *c, bench_task task)
{
    for (;; c->count *= 2) {
        double start = bench_clock();
        for (size_t i = 0; i < c->count; i++)
            c->run(c->engine, task);
        double seconds = bench_since(start);
        if (seconds >= batch) {
            c->best = fmin(c->best, seconds / (double)c->count);
            return;
        }
    }
}

/* Largest difference of our result to the peer's over the largest entry. Our Jacobian is stored column by column. */
static double difference(const double *x, const double *y, bench_task task, size_t n)
{
    size_t rows = task == BENCH_JACOBIAN ? 6 * n : n, columns = task == BENCH_JACOBIAN ? n : 1;
    double worst = 0.0, scale = 0.0;
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < columns; k++) {
            worst = fmax(worst, fabs(x[k * rows + i] - y[i * columns + k]));
            scale = fmax(scale, fabs(x[k * rows + i]));
        }
    return worst / scale;
}

/* Starts where the task does, and compares the results. */
static void check(bench *b, const char *name, size_t n, contender *c, bench_task task, const double *x)
{
    c->count = 1, c->best = HUGE_VAL;
    c->run(c->engine, BENCH_ABA);
    const double *y = c->run(c->engine, task);
    double off = y && x ? difference(x, y, task, n) : 0.0;
    if (!(off < 1e-6))
        bench_note(b, "%s %zu: %s differs by %.3g of the largest entry", name, n, c->name, off);
}

/* The batches take turns, so that other work of the machine falls on all of them alike. */
static void measure_task(bench *b, const char *shape_name, size_t n, contender *c, size_t count, bench_task task)
{
    char name[DLS_NAME_MAX];
    snprintf(name, sizeof name, "%s-%s", tasks[task], shape_name);
    check(b, name, n, &c[0], task, NULL);
    const double *x = c[0].run(c[0].engine, task);
    for (size_t k = 1; k < count; k++)
        if ((int)task < c[k].n_tasks)
            check(b, name, n, &c[k], task, x);
    for (int repeat = 0; repeat < REPEATS; repeat++)
        for (size_t k = 0; k < count; k++)
            if ((int)task < c[k].n_tasks)
                time_batch(&c[k], task);
    bench_add(b, name, n, 1e9 * c[0].best / (double)n, "ns/dof", NULL, NAN);
    if (count == 1)
        bench_add(b, name, n, 1e9 * c[0].best, "ns", NULL, NAN);
    for (size_t k = 1; k < count; k++)
        if ((int)task < c[k].n_tasks)
            bench_add(b, name, n, 1e9 * c[0].best, "ns", c[k].name, 1e9 * c[k].best);
}

/* The number of contenders. */
static size_t gather(bench *b, const char *name, ours *o, contender *c)
{
    size_t count = 0;
    c[count++] = (contender){.name = "delassus", .n_tasks = BENCH_TASKS, .engine = o, .run = run_task};
    for (size_t k = 0; peers[k]; k++) {
        void *engine = peers[k]->create(o->tree);
        if (engine)
            c[count++] = (contender){.name = peers[k]->name,
                                     .n_tasks = peers[k]->n_tasks,
                                     .engine = engine,
                                     .run = peers[k]->run,
                                     .destroy = peers[k]->destroy};
        else
            bench_note(b, "%s %zu: %s does not take this tree", name, o->tree->n, peers[k]->name);
    }
    return count;
}

static dls_status measure_tasks(bench *b, const char *name, ours *o, dls_error *error)
{
    contender c[CONTENDERS];
    size_t count = gather(b, name, o, c);
    for (int task = 0; task < BENCH_TASKS; task++)
        measure_task(b, name, o->tree->n, c, count, (bench_task)task);
    for (size_t k = 1; k < count; k++)
        c[k].destroy(c[k].engine);
    if (o->status != DLS_OK)
        *error = o->error;
    return o->status;
}

static dls_status measure_trees(bench *b, const char *name, size_t n, bool branched, dls_error *error)
{
    bench_tree tree;
    ours o;
    if (!bench_tree_make(&tree, n, branched))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a tree of %zu hinges", n);
    dls_status status = compile(&o, &tree, error);
    if (status == DLS_OK)
        status = measure_tasks(b, name, &o, error);
    destroy(&o);
    bench_tree_release(&tree);
    return status;
}

dls_status bench_articulations(bench *b, dls_error *error)
{
    static const size_t chains[] = {10, 30, 60, 300};
    for (size_t k = 0; k < (b->quick ? 2u : 4u); k++)
        DLS_TRY(measure_trees(b, "chain", chains[k], false, error));
    return measure_trees(b, "tree", 5 * BENCH_LIMB, true, error);
}
