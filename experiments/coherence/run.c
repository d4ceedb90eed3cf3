/* Machines with which steps of the experiment on temporal coherence are taken, and the scenes. */
#include "coherence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- scenes --- */

/* Courses of ten bricks, every other one shifted by a quarter of a brick. */
static const char wall[] =
    "name: wall of 100\n"
    "world: {gravity: [0, 0, -9.81], collide: true, friction: box, mu: 0.6}\n"
    "bodies:\n"
    "  - {name: ground, static: true, shape: plane}\n"
    "  - {repeat: {i: 5, k: 10}, name: 'even{i}-{k}', shape: box, size: [0.24, 0.115, 0.1], density: 1800,\n"
    "     position: {start: [0, 0, 0.05], i: [0, 0, 0.2], k: [0.25, 0, 0]}}\n"
    "  - {repeat: {i: 5, k: 10}, name: 'odd{i}-{k}', shape: box, size: [0.24, 0.115, 0.1], density: 1800,\n"
    "     position: {start: [0.06, 0, 0.15], i: [0, 0, 0.2], k: [0.25, 0, 0]}}\n";

static const char plumb[] = "name: plumb line of 10\n"
                            "world: {gravity: [0, 0, -9.81]}\n"
                            "bodies:\n"
                            "  - {repeat: 10, name: 'ball{i}', shape: sphere, radius: 0.04, mass: 1.7, position: "
                            "{start: [0, 0, -0.1], i: [0, 0, -0.1]}}\n"
                            "joints:\n"
                            "  - {name: pivot, type: ball, body1: ball0, anchor: [0, 0, 0]}\n"
                            "  - {repeat: 9, name: 'link{i}', type: ball, body1: 'ball{i+1}', body2: 'ball{i}', "
                            "anchor: {start: [0, 0, -0.15], i: [0, 0, -0.1]}}\n";

static dls_status finish(dls_scene *scene, dls_model **model, dls_error *error)
{
    dls_status status = dls_model_create(scene, model, error);
    dls_scene_destroy(scene);
    return status;
}

static dls_status read_scene(const char *name, dls_scene **scene, dls_error *error)
{
    char path[DLS_PATH_MAX];
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", dls_data_folder(), name);
    return dls_scene_read(path, scene, error);
}

dls_status dls_coherence_stack(double margin, dls_model **model, dls_error *error)
{
    dls_scene *scene;
    DLS_TRY(read_scene("stack-10-found", &scene, error));
    scene->world.contact_margin = margin;
    return finish(scene, model, error);
}

dls_status dls_coherence_wall(double margin, dls_model **model, dls_error *error)
{
    dls_scene *scene;
    DLS_TRY(dls_scene_parse(wall, sizeof wall - 1, "wall of 100", &scene, error));
    scene->world.contact_margin = margin;
    return finish(scene, model, error);
}

dls_status dls_coherence_chain(double ratio, dls_model **model, dls_error *error)
{
    dls_scene *scene;
    DLS_TRY(read_scene("chain-10", &scene, error));
    scene->bodies[scene->n_bodies - 1].mass = ratio * scene->bodies[0].mass;
    return finish(scene, model, error);
}

dls_status dls_coherence_plumb(double erp, dls_model **model, dls_error *error)
{
    dls_scene *scene;
    DLS_TRY(dls_scene_parse(plumb, sizeof plumb - 1, "plumb line", &scene, error));
    for (size_t j = 0; j < scene->n_joints; j++)
        scene->joints[j].common.erp = erp;
    return finish(scene, model, error);
}

/* --- machines --- */

static dls_status fill(const dls_coherence_way *way, dls_coherence_machine *m, dls_error *error)
{
    m->step = way->step;
    m->scheme = dls_scheme_find(way->scheme);
    if (!m->scheme)
        return dls_fail(error, DLS_BAD_ARGUMENT, "there is no scheme '%s'", way->scheme);
    DLS_TRY(dls_choice_create("pgs", &m->choice, error));
    m->settings = malloc(m->scheme->fields.size);
    if (!m->settings)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the settings of %s", m->scheme->name);
    DLS_TRY(dls_fields_default(&m->scheme->fields, m->settings, error));
    if (way->key)
        DLS_TRY(dls_field_set(&m->scheme->fields, m->settings, way->key, way->value, error));
    dls_simulation_options options = dls_simulation_default();
    options.solver = m->choice.solver, options.solver_settings = m->choice.settings;
    options.scheme = m->scheme, options.scheme_settings = m->settings;
    options.iterations = way->iterations;
    DLS_TRY(dls_fields_default(&dls_warm_fields, &options.warm, error));
    options.warm.on = way->warm;
    return dls_simulation_open(m->model, &options, &m->simulation, error);
}

dls_status dls_coherence_open(dls_model *model, const dls_coherence_way *way, dls_coherence_machine *m,
                              dls_error *error)
{
    *m = (dls_coherence_machine){.model = model};
    dls_status status = fill(way, m, error);
    if (status != DLS_OK)
        dls_coherence_close(m);
    return status;
}

void dls_coherence_close(dls_coherence_machine *m)
{
    dls_simulation_close(m->simulation);
    free(m->settings);
    dls_choice_release(&m->choice);
    dls_model_destroy(m->model);
    *m = (dls_coherence_machine){0};
}

dls_status dls_coherence_step(dls_coherence_machine *m, dls_error *error)
{
    return dls_simulation_step(m->simulation, m->step, error);
}

const char *dls_coherence_holding_scheme(void) { return dls_scheme_find("split-impulse") ? "split-impulse" : "euler"; }

/* --- measures --- */

dls_status dls_coherence_residual(const dls_coherence_machine *m, const double *lambda, double *residual,
                                  dls_error *error)
{
    dls_examiner *examiner;
    dls_certificate certificate;
    DLS_TRY(dls_examiner_create(dls_simulation_problem(m->simulation), &examiner, error));
    dls_examine(examiner, lambda, NULL, &certificate);
    dls_examiner_destroy(examiner);
    *residual = certificate.scaled_residual;
    return DLS_OK;
}

double dls_coherence_height(const dls_model *model, const dls_state *state)
{
    size_t last = model->n_bodies - 1;
    return state->x[last].z - model->initial->x[last].z;
}
