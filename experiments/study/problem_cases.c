/* Problems on which solvers are compared: scenes after a few steps, a pile of balls, contacts that are drawn. */
#include "study/rig.h"

#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const dls_case dls_cases[] = {
    {"stack", "stack-10-found", 0.0, DLS_LAW_FIXED, 3, 0.0, 0.01},
    {"stack-cone", "stack-10-found", 0.0, DLS_LAW_CONE, 3, 0.0, 0.01},
    {"chain-1", "chain-10", 1.0, DLS_LAW_FIXED, 3, 0.0, 0.01},
    {"chain-100", "chain-10", 100.0, DLS_LAW_FIXED, 3, 0.0, 0.01},
    {"wall", "wall", 0.0, DLS_LAW_FIXED, 3, 0.0, 0.002},
    {"pile", NULL, 0.0, DLS_LAW_CONE, 3, 0.0, 0.002},
    {"grasp", "lift", 0.0, DLS_LAW_CONE, 500, 0.0, 0.001},
    {"humanoid", "humanoid", 0.0, DLS_LAW_BOX, 500, 0.0, 0.001},
    {"cones-0.5", NULL, 0.0, DLS_LAW_CONE, 0, 0.5, 1.0},
    {"cones-1", NULL, 0.0, DLS_LAW_CONE, 0, 1.0, 1.0},
    {"cones-2", NULL, 0.0, DLS_LAW_CONE, 0, 2.0, 1.0},
    {"cones-3", NULL, 0.0, DLS_LAW_CONE, 0, 3.0, 1.0},
    {NULL, NULL, 0.0, DLS_LAW_FIXED, 0, 0.0, 0.0},
};

/* --- the pile --- */

/* Balls of one kilogram on the ground, each of an upper layer in the hollow of four below. */
static dls_status make_pile(size_t layers, dls_scene **scene, dls_error *error)
{
    static const double radius = 0.1, apart = 0.2002;
    DLS_TRY(dls_scene_text(scene, error,
                           "name: pile\nworld: {gravity: [0, 0, -9.81], collide: true, mu: 0.4}\n"
                           "bodies:\n  - {name: ground, static: true, shape: plane}\n"));
    dls_status status = DLS_OK;
    const double below = apart / sqrt(2.0), rise = sqrt(4.0 * radius * radius - below * below);
    for (size_t k = 0; k < layers; k++)
        for (size_t ball = 0; ball < (layers - k) * (layers - k) && status == DLS_OK; ball++) {
            const size_t i = ball / (layers - k), j = ball % (layers - k);
            dls_body_def body;
            dls_body_default(&body);
            snprintf(body.name, sizeof body.name, "ball%u", (unsigned)((k << 20) + ball));
            body.shape = DLS_SHAPE_SPHERE;
            body.radius = radius;
            body.mass = 1.0;
            body.position = (dls_vec3){((double)i + 0.5 * (double)k) * apart, ((double)j + 0.5 * (double)k) * apart,
                                       radius + (double)k * rise};
            status = dls_scene_add_body(*scene, &body, error);
        }
    if (status == DLS_OK)
        return DLS_OK;
    dls_scene_destroy(*scene);
    *scene = NULL;
    return status;
}

/* --- drawn contacts --- */

static double draw(gsl_rng *draws) { return 2.0 * gsl_rng_uniform(draws) - 1.0; }

/* J, n x nv by rows: a contact has coefficients at two bodies. */
static void draw_rows(gsl_rng *draws, size_t contacts, size_t bodies, double *J)
{
    const size_t nv = 6 * bodies;
    for (size_t c = 0; c < contacts; c++) {
        const size_t one = gsl_rng_uniform_int(draws, bodies);
        const size_t other = (one + 1 + gsl_rng_uniform_int(draws, bodies - 1)) % bodies;
        for (size_t r = 3 * c; r < 3 * c + 3; r++)
            for (size_t k = 0; k < 6; k++)
                J[r * nv + 6 * one + k] = draw(draws), J[r * nv + 6 * other + k] = draw(draws);
    }
}

/* lambda and w of one contact that obey Signorini's and Coulomb's law. */
static void draw_answer(gsl_rng *draws, size_t kind, double mu, double *lambda, double *w)
{
    const double angle = M_PI * draw(draws), d[2] = {cos(angle), sin(angle)}, size = 1.0 + 0.5 * draw(draws);
    lambda[0] = kind == 0 ? 0.0 : size;
    w[0] = kind == 0 ? size : 0.0;
    for (size_t t = 0; t < 2; t++) {
        lambda[1 + t] = kind == 0 ? 0.0 : kind == 1 ? 0.5 * mu * size * d[t] : -mu * size * d[t];
        w[1 + t] = kind == 1 ? 0.0 : size * d[t];
    }
}

dls_status dls_draw_contacts(size_t contacts, double density, uint64_t seed, dls_problem **problem, dls_error *error)
{
    static const double mu = 0.5;
    const size_t n = 3 * contacts, wanted = (size_t)lround((double)n / (6.0 * density)),
                 bodies = wanted > 2 ? wanted : 2;
    const size_t nv = 6 * bodies;
    gsl_rng *draws = gsl_rng_alloc(gsl_rng_mt19937);
    double *J = calloc(n * (nv + n + 3), sizeof *J);
    dls_status status = DLS_OK;
    *problem = NULL;
    if (!draws || !J)
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for %zu contacts", contacts);
    if (status == DLS_OK) {
        double *A = J + n * nv, *lambda = A + n * n, *w = lambda + n, *b = w + n;
        gsl_rng_set(draws, (unsigned long)seed);
        draw_rows(draws, contacts, bodies, J);
        for (size_t c = 0; c < contacts; c++)
            draw_answer(draws, c % 3, mu, lambda + 3 * c, w + 3 * c);
        for (size_t i = 0; i < n; i++) {
            b[i] = w[i];
            for (size_t j = 0; j < n; j++) {
                for (size_t k = 0; k < nv; k++)
                    A[i + n * j] += J[i * nv + k] * J[j * nv + k];
                b[i] -= A[i + n * j] * lambda[j];
            }
        }
        status = dls_problem_from_matrix(n, A, b, NULL, NULL, problem, error);
    }
    for (size_t c = 0; c < contacts && status == DLS_OK; c++)
        dls_problem_make_cone(*problem, 3 * c, mu);
    gsl_rng_free(draws);
    free(J);
    return status;
}

dls_status dls_perturb(size_t n, double share, uint64_t seed, double *lambda, dls_error *error)
{
    gsl_rng *draws = gsl_rng_alloc(gsl_rng_mt19937);
    if (!draws)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for draws");
    gsl_rng_set(draws, (unsigned long)seed);
    for (size_t i = 0; i < n; i++)
        lambda[i] *= 1.0 + share * draw(draws);
    gsl_rng_free(draws);
    return DLS_OK;
}

/* --- cases --- */

dls_status dls_case_begin(dls_case_open *at, const dls_case *of, const dls_case_size *size, dls_error *error)
{
    const dls_rig_plan plan = {.solver = "nsgs", .iterations = 30, .warm = true, .diverges = true};
    dls_scene *scene;
    memset(at, 0, sizeof *at);
    if (of->density > 0.0) {
        DLS_TRY(dls_draw_contacts(size->contacts, of->density, size->seed, &at->drawn, error));
        at->problem = at->drawn;
        return DLS_OK;
    }
    DLS_TRY(of->scene ? dls_scene_named(of->scene, &scene, error) : make_pile(size->layers, &scene, error));
    scene->world.friction = (int)of->law;
    if (of->ratio > 0.0)
        scene->bodies[scene->n_bodies - 1].mass = of->ratio * scene->bodies[0].mass;
    DLS_TRY(dls_rig_open(&at->rig, scene, &plan, error));
    dls_status status = DLS_OK;
    for (size_t k = 0; k < of->steps && status == DLS_OK; k++) {
        at->rig.spy.remember = k + 1 == of->steps;
        status = dls_rig_step(&at->rig, of->step, error);
    }
    at->problem = dls_simulation_problem(at->rig.simulation);
    at->warm = at->rig.spy.n_start == at->problem->n ? at->rig.spy.start : NULL;
    if (status != DLS_OK)
        dls_case_close(at);
    return status;
}

void dls_case_close(dls_case_open *at)
{
    dls_rig_close(&at->rig);
    dls_problem_destroy(at->drawn);
    memset(at, 0, sizeof *at);
}
