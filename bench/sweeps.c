/* PGS and its peers on a contact pile and on a grid of ball joints: million row-iterations per second, and the set-up
 * before the first of them. */
#include "bench.h"
#include "peer.h"
#include "scenes.h"

#include "delassus/solvers.h"
#include "engines/engine_run.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 9, PEER_REPEATS = 5 };

static const bench_peer *const peers[] = {
#ifdef BENCH_ODE
    &bench_peer_ode,
#endif
#ifdef BENCH_BULLET
    &bench_peer_bullet,
#endif
    NULL};

typedef struct cost {
    double rate;      /* million row-iterations per second */
    double setup;     /* us a row; NaN: below the noise */
    double noise;     /* of a set-up that is a difference [us a row] */
    double bytes;     /* a row */
    double violation; /* worst |J v| of joints, worst approach of contacts, after the longer run [m/s] */
} cost;

/* --- ours --- */

static size_t heap(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* From a state to the first iteration, again and again in the same memory: the configuration, the rows, the
 * problem, the solver's work. */
static dls_status our_setup(const bench_scene *scene, dls_configuration *at, dls_row_list *rows, dls_problem *p,
                            dls_solver_work *solving, dls_report *report, cost *ours, dls_error *error)
{
    const size_t before = heap();
    ours->setup = HUGE_VAL;
    for (int k = 0; k < REPEATS; k++) {
        double start = bench_clock();
        dls_configuration_evaluate(at, dls_model_initial(scene->model));
        DLS_TRY(dls_configuration_factor(at, error));
        DLS_TRY(dls_row_list_fill(rows, at, &scene->contacts, scene->h, error));
        DLS_TRY(dls_problem_assemble(p, at, dls_model_initial(scene->model), rows, scene->h, error));
        DLS_TRY(dls_solver_load(solving, p, NULL, report, error));
        ours->setup = fmin(ours->setup, 1e6 * bench_since(start) / (double)p->n);
    }
    ours->bytes = (double)(heap() - before) / (double)p->n;
    return DLS_OK;
}

static dls_status our_iterations(const dls_problem *p, dls_solver_work *solving, dls_report *report, int iterations,
                                 cost *ours, double *v, double *scratch, dls_error *error)
{
    double best = HUGE_VAL;
    for (int k = 0; k < REPEATS; k++) {
        DLS_TRY(dls_solver_load(solving, p, NULL, report, error));
        double start = bench_clock();
        for (int i = 0; i < iterations; i++)
            DLS_TRY(solving->solver->iterate(solving->work, report, error));
        best = fmin(best, bench_since(start));
    }
    ours->rate = 1e-6 * (double)p->n * iterations / best;
    double *lambda = malloc((p->n + 1) * sizeof *lambda);
    if (!lambda)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", p->n);
    solving->solver->read(solving->work, lambda);
    dls_problem_velocity(p, lambda, v, scratch);
    free(lambda);
    return DLS_OK;
}

static dls_status our_cost(const bench_scene *scene, const dls_problem *p, int iterations, cost *ours, double *v,
                           double *scratch, dls_error *error)
{
    char settings[64];
    dls_solver_work solving = {.solver = dls_iterative_find("pgs"), .settings = settings};
    dls_configuration *at = NULL;
    dls_row_list *rows = NULL;
    dls_problem *own = NULL;
    dls_report report = {0};
    dls_status status = dls_fields_default(&solving.solver->fields, settings, error);
    if (status == DLS_OK)
        status = dls_configuration_create(scene->model, &at, error);
    if (status == DLS_OK)
        status = dls_row_list_create(&rows, error);
    if (status == DLS_OK)
        status = dls_problem_allocate(0, 0, 0, 0, 0, &own, error);
    if (status == DLS_OK)
        status = our_setup(scene, at, rows, own, &solving, &report, ours, error);
    if (status == DLS_OK)
        status = our_iterations(p, &solving, &report, iterations, ours, v, scratch, error);
    dls_solver_release(&solving);
    dls_report_release(&report);
    dls_problem_destroy(own);
    dls_row_list_destroy(rows);
    dls_configuration_destroy(at);
    return status;
}

/* --- peers --- */

/* A step costs set-up + k iterations. The set-up is extrapolated from 1 and 5 of them to none; an iteration is one
 * after the 16th, when ODE, which takes its rows as they come for the first eight, has put them in random order. */
static bool peer_cost(const bench_peer *peer, const dls_engine_mechanism *m, const dls_contacts *contacts, size_t rows,
                      int iterations, cost *theirs, dls_engine_state *states)
{
    const int counts[4] = {1, 5, 16, 16 + iterations};
    double setup[PEER_REPEATS], sweeps[PEER_REPEATS], noise;
    void *world = peer->create(m, contacts);
    if (!world)
        return false;
    for (int k = 0; k < PEER_REPEATS; k++) {
        double step[4];
        for (int i = 0; i < 4; i++)
            step[i] = peer->step(world, counts[i], states);
        setup[k] = step[0] - (step[1] - step[0]) / 4.0;
        sweeps[k] = step[3] - step[2];
    }
    peer->destroy(world);
    theirs->rate = 1e-6 * (double)rows * iterations / bench_difference(sweeps, PEER_REPEATS, &noise);
    theirs->setup = 1e6 * bench_difference(setup, PEER_REPEATS, &theirs->noise) / (double)rows;
    theirs->noise *= 1e6 / (double)rows;
    return true;
}

/* --- comparison --- */

/* Everybody must have solved the problem: the worst speed that a bilateral or a normal row forbids. */
static double violation(const dls_problem *p, const double *v)
{
    double worst = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        double speed = dls_rows_dot(&p->J, i, v);
        if (p->parent[i] == DLS_NONE)
            worst = fmax(worst, p->lo[i] == 0.0 ? -speed : fabs(speed));
    }
    return worst;
}

static void add_lines(bench *b, const char *scene, size_t rows, const cost *ours, const char *peer, const cost *theirs)
{
    char name[DLS_NAME_MAX];
    snprintf(name, sizeof name, "pgs-%s", scene);
    bench_add(b, name, rows, ours->rate, "Mrow.it/s", peer, theirs ? theirs->rate : NAN);
    snprintf(name, sizeof name, "pgs-%s-setup", scene);
    bench_add(b, name, rows, ours->setup, "us/row", peer, theirs ? theirs->setup : NAN);
}

/* All peers; v[nv] of the model gets their velocities. */
static dls_status compare_peers(bench *b, const char *name, const bench_scene *scene, const dls_problem *p,
                                int iterations, const cost *ours, double *v, dls_error *error)
{
    const double before = violation(p, p->v_star);
    const dls_body *bodies = dls_model_bodies(scene->model);
    dls_engine_mechanism *m = NULL;
    DLS_TRY(dls_engine_mechanism_create(scene->model, scene->h, 1, &m, error));
    dls_engine_state *states = calloc(m->n_bodies + 1, sizeof *states);
    dls_status status = states ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu states", m->n_bodies);
    for (size_t k = 0; peers[k] && status == DLS_OK; k++) {
        cost theirs;
        if (!peer_cost(peers[k], m, &scene->contacts, p->n, iterations, &theirs, states)) {
            bench_note(b, "pgs-%s %zu: no memory for %s", name, p->n, peers[k]->name);
            continue;
        }
        for (size_t i = 0; i < m->n_bodies; i++)
            for (int axis = 0; axis < 3 && bodies[i].offset != DLS_NONE; axis++) {
                v[bodies[i].offset + (size_t)axis] = dls_get3(states[i].v, axis);
                v[bodies[i].offset + 3 + (size_t)axis] = dls_get3(states[i].omega, axis);
            }
        theirs.violation = violation(p, v);
        if (!(theirs.violation < 0.5 * before))
            bench_note(b, "pgs-%s %zu: %s leaves %.3g of %.3g m/s after %d iterations", name, p->n, peers[k]->name,
                       theirs.violation, before, iterations);
        if (isnan(theirs.setup))
            bench_note(b, "pgs-%s-setup %zu: that of %s is below the noise of %.2g us/row", name, p->n, peers[k]->name,
                       theirs.noise);
        if (isnan(theirs.rate))
            bench_note(b, "pgs-%s %zu: the iterations of %s are below the noise", name, p->n, peers[k]->name);
        add_lines(b, name, p->n, ours, peers[k]->name, &theirs);
    }
    free(states);
    dls_engine_mechanism_destroy(m);
    return status;
}

static dls_status measure_scene(bench *b, const char *name, bench_scene *scene, dls_error *error)
{
    dls_problem *p = NULL;
    cost ours = {0};
    char line[DLS_NAME_MAX];
    DLS_TRY(dls_problem_create(scene->model, dls_model_initial(scene->model), &scene->contacts, scene->h, &p, error));
    int iterations = p->n < 5000 ? 1000 : p->n < 50000 ? 200 : 50;
    double *v = calloc(2 * p->nv, sizeof *v);
    dls_status status = v ? our_cost(scene, p, iterations, &ours, v, v + p->nv, error)
                          : dls_fail(error, DLS_NO_MEMORY, "no memory for %s", name);
    if (status == DLS_OK) {
        const double before = violation(p, p->v_star);
        ours.violation = violation(p, v);
        if (!(ours.violation < 0.5 * before))
            bench_note(b, "pgs-%s %zu: pgs leaves %.3g of %.3g m/s after %d iterations", name, p->n, ours.violation,
                       before, iterations);
        status = compare_peers(b, name, scene, p, iterations, &ours, v, error);
    }
    if (status == DLS_OK) {
        if (!peers[0])
            add_lines(b, name, p->n, &ours, NULL, NULL);
        snprintf(line, sizeof line, "pgs-%s-memory", name);
        bench_add(b, line, p->n, ours.bytes, "bytes/row", NULL, NAN);
    }
    free(v);
    dls_problem_destroy(p);
    return status;
}

dls_status bench_sweeps(bench *b, dls_error *error)
{
    static const size_t layers[] = {9, 29, 91}, sides[] = {13, 41, 129};
    for (size_t kind = 0; kind < 2; kind++)
        for (size_t k = 0; k < (b->quick ? 2u : 3u); k++) {
            bench_scene *scene;
            DLS_TRY(kind ? bench_grid(sides[k], sides[k], &scene, error)
                         : bench_contacts(layers[k], 0.5, &scene, error));
            dls_status status = measure_scene(b, kind ? "ball" : "contact", scene, error);
            bench_scene_destroy(scene);
            DLS_TRY(status);
        }
    return DLS_OK;
}
