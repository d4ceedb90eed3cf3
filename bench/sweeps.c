/* PGS and its peers on a contact pile and on a grid of ball joints: million row-iterations a second, and what comes
 * before the first of them. */
#include "bench.h"
#include "peer.h"
#include "scenes.h"

#include "delassus/solvers.h"

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
    double rate;      /* million row-iterations a second */
    double setup;     /* us a row */
    double bytes;     /* a row */
    double violation; /* worst |J v| of joints, worst approach of contacts, after the longer run [m/s] */
} cost;

/* --- ours --- */

static size_t heap(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* From a state to the first iteration: the rows, then the packing. */
static dls_status our_setup(const dls_solver *pgs, const bench_scene *scene, dls_problem *p, const void *settings,
                            cost *ours, void **work, dls_error *error)
{
    ours->setup = HUGE_VAL;
    for (int k = 0; k < REPEATS; k++) {
        pgs->close(*work);
        size_t before = heap();
        double start = bench_clock();
        DLS_TRY(dls_problem_rebuild(p, &scene->model, scene->model.initial, &scene->contacts, scene->h, error));
        DLS_TRY(pgs->open(p, settings, NULL, work, error));
        ours->setup = fmin(ours->setup, 1e6 * (bench_clock() - start) / (double)p->n);
        ours->bytes = (double)(heap() - before) / (double)p->n;
    }
    return DLS_OK;
}

static dls_status our_cost(const bench_scene *scene, dls_problem *p, int iterations, cost *ours, double *v,
                           double *scratch, dls_error *error)
{
    const dls_solver *pgs = dls_iterative_find("pgs");
    char settings[64];
    void *work = NULL;
    dls_report report = {0};
    double *lambda = malloc(p->n * sizeof *lambda), best = HUGE_VAL;
    dls_status status =
        lambda ? dls_fields_default(&pgs->fields, settings, error) : dls_fail(error, DLS_NO_MEMORY, "bench");
    if (status == DLS_OK)
        status = our_setup(pgs, scene, p, settings, ours, &work, error);
    for (int k = 0; k < REPEATS && status == DLS_OK; k++) {
        pgs->close(work);
        status = pgs->open(p, settings, NULL, &work, error);
        double start = bench_clock();
        for (int i = 0; i < iterations && status == DLS_OK; i++)
            status = pgs->iterate(work, &report, error);
        best = fmin(best, bench_clock() - start);
    }
    if (status == DLS_OK) {
        pgs->read(work, lambda);
        dls_problem_velocity(p, lambda, v, scratch);
    }
    ours->rate = 1e-6 * (double)p->n * iterations / best;
    pgs->close(work);
    free(lambda);
    return status;
}

/* --- peers --- */

/* A step costs set-up + k iterations. The set-up is what 1 and 5 of them leave at none; an iteration what comes after
 * the 16th, when ODE, which takes its rows as they come for the first eight, has put them in random order. */
static bool peer_cost(const bench_peer *peer, const bench_mechanism *m, size_t rows, int iterations, cost *theirs,
                      double *v)
{
    const int counts[4] = {1, 5, 16, 16 + iterations};
    double best[4] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    void *world = peer->create(m);
    if (!world)
        return false;
    for (int k = 0; k < PEER_REPEATS; k++)
        for (int i = 0; i < 4; i++)
            best[i] = fmin(best[i], peer->step(world, counts[i], v));
    peer->destroy(world);
    theirs->rate = 1e-6 * (double)rows * iterations / (best[3] - best[2]);
    theirs->setup = 1e6 * (best[0] - (best[1] - best[0]) / 4.0) / (double)rows;
    return true;
}

/* What peers are given: the same bodies, contacts and anchors. */
static void release(bench_mechanism *m)
{
    free(m->bodies);
    free(m->contacts);
    free(m->balls);
}

static size_t peer_body(const dls_model *model, size_t body)
{
    return body == DLS_WORLD || model->bodies[body].offset == DLS_NONE ? BENCH_WORLD : model->bodies[body].offset / 6;
}

static void put3(double to[3], dls_vec3 a) { to[0] = a.x, to[1] = a.y, to[2] = a.z; }

static void flatten(const bench_scene *s, bench_mechanism *m)
{
    const dls_model *model = &s->model;
    for (size_t i = 0; i < model->n_bodies; i++) {
        const dls_body *body = &model->bodies[i];
        if (body->offset == DLS_NONE)
            continue;
        bench_free_body *to = &m->bodies[m->n_bodies++];
        *to = (bench_free_body){body->mass, {body->inertia.m[0], body->inertia.m[4], body->inertia.m[8]}, {0}};
        put3(to->x, model->initial->x[i]);
    }
    for (size_t k = 0; k < s->contacts.count; k++) {
        const dls_contact *c = &s->contacts.at[k];
        bench_contact *to = &m->contacts[m->n_contacts++];
        *to = (bench_contact){{peer_body(model, c->body[0]), peer_body(model, c->body[1])}, {0}, {0}, c->mu};
        put3(to->point, c->point[0]);
        put3(to->normal, c->normal);
    }
    for (size_t k = 0; k < model->n_joints; k++) {
        const dls_joint *joint = &model->joints[k];
        bench_ball *to = &m->balls[m->n_balls++];
        *to = (bench_ball){{peer_body(model, joint->body[0]), peer_body(model, joint->body[1])}, {0}};
        put3(to->anchor, dls_add(model->initial->x[joint->body[0]], joint->frame[0].p)); /* all bodies are upright */
    }
}

static bool make_mechanism(const bench_scene *s, bench_mechanism *m)
{
    *m = (bench_mechanism){.h = s->h, .gravity = -s->model.world.gravity.z};
    m->bodies = calloc(s->model.n_bodies, sizeof *m->bodies);
    m->contacts = calloc(s->contacts.count + 1, sizeof *m->contacts);
    m->balls = calloc(s->model.n_joints + 1, sizeof *m->balls);
    if (!m->bodies || !m->contacts || !m->balls) {
        release(m);
        return false;
    }
    flatten(s, m);
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

static void compare(bench *b, const char *scene, const bench_mechanism *m, const dls_problem *p, int iterations,
                    const cost *ours, double *v)
{
    double before = violation(p, p->v_star);
    char name[DLS_NAME_MAX];
    if (!(ours->violation < 0.5 * before))
        bench_note(b, "pgs-%s %zu: pgs leaves %.3g of %.3g m/s after %d iterations", scene, p->n, ours->violation,
                   before, iterations);
    for (size_t k = 0; peers[k]; k++) {
        cost theirs;
        if (!peer_cost(peers[k], m, p->n, iterations, &theirs, v)) {
            bench_note(b, "pgs-%s %zu: no memory for %s", scene, p->n, peers[k]->name);
            continue;
        }
        theirs.violation = violation(p, v);
        if (!(theirs.violation < 0.5 * before))
            bench_note(b, "pgs-%s %zu: %s leaves %.3g of %.3g m/s after %d iterations", scene, p->n, peers[k]->name,
                       theirs.violation, before, iterations);
        add_lines(b, scene, p->n, ours, peers[k]->name, &theirs);
    }
    if (!peers[0])
        add_lines(b, scene, p->n, ours, NULL, NULL);
    snprintf(name, sizeof name, "pgs-%s-memory", scene);
    bench_add(b, name, p->n, ours->bytes, "bytes/row", NULL, NAN);
}

static dls_status measure(bench *b, const char *name, bench_scene *scene, dls_error *error)
{
    dls_problem *p = NULL;
    bench_mechanism m = {0};
    cost ours;
    DLS_TRY(dls_problem_create(&scene->model, scene->model.initial, &scene->contacts, scene->h, &p, error));
    int iterations = p->n < 5000 ? 1000 : p->n < 50000 ? 200 : 50;
    double *v = calloc(2 * p->nv, sizeof *v);
    dls_status status =
        v && make_mechanism(scene, &m) ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %s", name);
    if (status == DLS_OK) {
        status = our_cost(scene, p, iterations, &ours, v, v + p->nv, error);
        if (status == DLS_OK) {
            ours.violation = violation(p, v);
            compare(b, name, &m, p, iterations, &ours, v);
        }
        release(&m);
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
            DLS_TRY(kind ? bench_grid(sides[k], &scene, error) : bench_pile(layers[k], 0.5, &scene, error));
            dls_status status = measure(b, kind ? "ball" : "contact", scene, error);
            bench_scene_destroy(scene);
            DLS_TRY(status);
        }
    return DLS_OK;
}
