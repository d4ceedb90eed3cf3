/* Mimic joints on chains of hinges and on the branched tree (names that end in -tree), n / 2 of them, each on two
 * neighbours: one PGS iteration, the set-up before the first, and whole steps of 4 iterations.
 *     mimics-rows       kinematics, articulated inertias, the list of rows, and the problem from it
 *     mimics-pack       the responses M^-1 J^T, laid out for sweeps
 *     mimics-iteration  one PGS iteration
 *     mimics-euler      a step of the scheme euler, from the same state again and again; that it is put back is part
 *     of the time
 *     mimics-tgs        a step of the scheme tgs
 * Whole steps stand beside one of MuJoCo (peer_mujoco_mimics.c), whose format ends at a depth of 100 bodies. */
#include "bench.h"
#include "peer.h"
#include "trees.h"

#include "delassus/delassus.h"
#include "delassus/solvers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 15, ITERATIONS = 4 };

static const double batch = 1e-3, h = 1e-3, gear = 1.3; /* [s], [s], [1] */

/* --- the mechanisms --- */

/* The scene takes the definition once it is complete. */
static dls_status add_links(dls_scene *scene, const bench_tree *tree, dls_error *error)
{
    dls_articulation_def *def;
    DLS_TRY(dls_articulation_def_create(&def, error));
    snprintf(def->name, sizeof def->name, "chain");
    dls_status status = bench_tree_define(tree, def, error);
    if (status == DLS_OK)
        status = dls_scene_add_articulation(scene, def, error);
    if (status != DLS_OK)
        dls_articulation_def_destroy(def);
    return status;
}

static dls_status add_mimic(dls_scene *scene, size_t i, dls_error *error)
{
    dls_joint_def joint;
    char name[DLS_NAME_MAX];
    DLS_TRY(dls_joint_default(&joint, "mimic", error));
    snprintf(joint.name, sizeof joint.name, "m%zu", i);
    dls_status status = DLS_OK;
    for (size_t k = 0; k < 2 && status == DLS_OK; k++) {
        snprintf(name, sizeof name, "chain.l%zu", i + k);
        status = dls_joint_couple(&joint, name, k ? -gear : 1.0, error);
    }
    if (status == DLS_OK)
        status = dls_scene_add_joint(scene, &joint, error);
    if (status != DLS_OK)
        dls_joint_def_release(&joint);
    return status;
}

static dls_status make_model(const bench_tree *tree, dls_model **model, dls_error *error)
{
    dls_scene *scene;
    DLS_TRY(dls_scene_create(&scene, error));
    dls_status status = add_links(scene, tree, error);
    for (size_t i = 0; i + 1 < tree->n && status == DLS_OK; i += 2)
        status = add_mimic(scene, i, error);
    if (status == DLS_OK)
        status = dls_model_create(scene, model, error);
    dls_scene_destroy(scene);
    return status;
}

/* --- the timed parts --- */

typedef struct mimics {
    bool branched;
    bench_tree tree;
    void *peer;
    dls_model *model;
    dls_configuration *at;
    dls_row_list *rows;
    dls_problem *problem;
    dls_solver_work solving;
    dls_report report;
    dls_simulation *simulation;
    dls_status status;
    dls_error error;
} mimics;

static void fill_rows(mimics *m)
{
    dls_configuration_evaluate(m->at, dls_model_initial(m->model));
    m->status = dls_configuration_factor(m->at, &m->error);
    if (m->status == DLS_OK)
        m->status = dls_row_list_fill(m->rows, m->at, NULL, h, &m->error);
    if (m->status == DLS_OK)
        m->status = dls_problem_assemble(m->problem, m->at, dls_model_initial(m->model), m->rows, h, &m->error);
}

static void pack(mimics *m) { m->status = dls_solver_load(&m->solving, m->problem, NULL, &m->report, &m->error); }

static void iteration(mimics *m) { m->status = m->solving.solver->iterate(m->solving.work, &m->report, &m->error); }

static void step_mimics(mimics *m)
{
    dls_state_copy(dls_simulation_edit(m->simulation), dls_model_initial(m->model));
    m->status = dls_simulation_step(m->simulation, h, &m->error);
}

/* us a call, the best of several batches. */
static dls_status cost(void (*call)(mimics *), mimics *m, double *us, dls_error *error)
{
    size_t count = 1;
    *us = HUGE_VAL;
    for (int k = 0; k < REPEATS;) {
        double start = bench_clock();
        for (size_t i = 0; i < count && m->status == DLS_OK; i++)
            call(m);
        double seconds = bench_since(start);
        if (m->status != DLS_OK) {
            *error = m->error;
            return m->status;
        }
        if (seconds < batch) {
            count *= 2;
            continue;
        }
        *us = fmin(*us, 1e6 * seconds / (double)count);
        k++;
    }
    return DLS_OK;
}

/* peer: the time of MuJoCo's step; NaN: there is none. */
static void add_cost(bench *b, const mimics *m, const char *what, double us, double peer)
{
    char name[DLS_NAME_MAX];
    snprintf(name, sizeof name, "mimics-%s%s", what, m->branched ? "-tree" : "");
    bench_add(b, name, m->tree.n, us, "us", isnan(peer) ? NULL : "mujoco", peer);
}

static dls_status measure_parts(bench *b, mimics *m, dls_error *error)
{
    static const struct {
        const char *name;
        void (*call)(mimics *);
    } parts[] = {{"rows", fill_rows}, {"pack", pack}, {"iteration", iteration}};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        double us;
        DLS_TRY(cost(parts[k].call, m, &us, error));
        add_cost(b, m, parts[k].name, us, NAN);
    }
    return DLS_OK;
}

#ifdef BENCH_MUJOCO
static void peer_step(mimics *m) { bench_mujoco_mimics_step(m->peer); }

/* us a step of MuJoCo; NaN where there is none. */
static dls_status measure_peer(mimics *m, double *us, dls_error *error)
{
    *us = NAN;
    m->peer = bench_mujoco_mimics_create(&m->tree, gear, ITERATIONS, h);
    if (!m->peer)
        return DLS_OK;
    dls_status status = cost(peer_step, m, us, error);
    bench_mujoco_mimics_destroy(m->peer);
    return status;
}
#else
static dls_status measure_peer(mimics *m, double *us, dls_error *error)
{
    (void)m, (void)error;
    *us = NAN;
    return DLS_OK;
}
#endif

static dls_status measure_steps(bench *b, mimics *m, dls_error *error)
{
    static const char *const schemes[] = {"euler", "tgs"};
    dls_simulation_options options = dls_simulation_default();
    options.solver = m->solving.solver;
    options.iterations = ITERATIONS;
    double us, peer;
    DLS_TRY(measure_peer(m, &peer, error));
    for (size_t k = 0; k < 2; k++) {
        options.scheme = dls_scheme_find(schemes[k]);
        DLS_TRY(dls_simulation_open(m->model, &options, &m->simulation, error));
        dls_status status = cost(step_mimics, m, &us, error);
        dls_simulation_close(m->simulation);
        DLS_TRY(status);
        add_cost(b, m, schemes[k], us, peer);
    }
    return DLS_OK;
}

static dls_status open_mimics(mimics *m, dls_error *error)
{
    DLS_TRY(make_model(&m->tree, &m->model, error));
    DLS_TRY(dls_configuration_create(m->model, &m->at, error));
    DLS_TRY(dls_row_list_create(&m->rows, error));
    return dls_problem_allocate(0, 0, 0, 0, 0, &m->problem, error);
}

static dls_status measure_mimics(bench *b, size_t n, bool branched, dls_error *error)
{
    char settings[64];
    mimics m = {.branched = branched, .solving = {.solver = dls_iterative_find("pgs"), .settings = settings}};
    DLS_TRY(dls_fields_default(&m.solving.solver->fields, settings, error));
    if (!bench_tree_make(&m.tree, n, branched))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a tree of %zu hinges", n);
    dls_status status = open_mimics(&m, error);
    if (status == DLS_OK)
        status = measure_parts(b, &m, error);
    if (status == DLS_OK)
        status = measure_steps(b, &m, error);
    dls_report_release(&m.report);
    dls_solver_release(&m.solving);
    dls_problem_destroy(m.problem);
    dls_row_list_destroy(m.rows);
    dls_configuration_destroy(m.at);
    dls_model_destroy(m.model);
    bench_tree_release(&m.tree);
    return status;
}

dls_status bench_mimics(bench *b, dls_error *error)
{
    static const size_t chains[] = {10, 30, 60, 300};
    for (size_t k = 0; k < (b->quick ? 3u : 4u); k++)
        DLS_TRY(measure_mimics(b, chains[k], false, error));
    return measure_mimics(b, 30, true, error);
}
