/* Scenes for experiments: those that are installed, scenes as text, scenes made step by step. */
#include "study/rig.h"

#include <gsl/gsl_rng.h>

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

dls_status dls_scene_named(const char *name, dls_scene **scene, dls_error *error)
{
    char path[DLS_PATH_MAX];
    *scene = NULL;
    if (snprintf(path, sizeof path, "%s/scenes/%s.yaml", dls_data_folder(), name) >= DLS_PATH_MAX)
        return dls_fail(error, DLS_BAD_INPUT, "the path of scene %s is too long", name);
    return dls_scene_read(path, scene, error);
}

dls_status dls_scene_text(dls_scene **scene, dls_error *error, const char *format, ...)
{
    char text[4096];
    va_list values;
    va_start(values, format);
    dls_print_list(text, sizeof text, format, values);
    va_end(values);
    *scene = NULL;
    if (strlen(text) + 1 == sizeof text)
        return dls_fail(error, DLS_BAD_ARGUMENT, "the text of a scene is too long");
    return dls_scene_parse(text, strlen(text), "experiment", scene, error);
}

/* --- step by step --- */

dls_maker dls_make_scene(dls_vec3 gravity, dls_error *error)
{
    dls_maker maker = {.error = error};
    maker.status = dls_scene_create(&maker.scene, error);
    if (maker.status == DLS_OK)
        maker.scene->world.gravity = gravity;
    return maker;
}

/* The joint is whole. */
static void end_joint(dls_maker *m)
{
    if (m->status == DLS_OK && m->open)
        m->status = dls_scene_add_joint(m->scene, &m->joint, m->error);
    dls_joint_def_release(&m->joint);
    m->joint = (dls_joint_def){.type = NULL};
    m->open = false;
}

void dls_make_box(dls_maker *m, const char *name, dls_vec3 size, double mass, dls_vec3 position, dls_quat turned)
{
    dls_body_def body;
    if (m->status != DLS_OK)
        return;
    dls_body_default(&body);
    snprintf(body.name, sizeof body.name, "%s", name);
    body.shape = DLS_SHAPE_BOX;
    body.size = size;
    body.mass = mass;
    body.position = position;
    body.orientation = turned;
    m->status = dls_scene_add_body(m->scene, &body, m->error);
}

void dls_make_joint(dls_maker *m, const char *type, const char *name, const char *body1, const char *body2)
{
    end_joint(m);
    if (m->status != DLS_OK)
        return;
    m->open = true;
    m->status = dls_joint_default(&m->joint, type, m->error);
    snprintf(m->joint.name, sizeof m->joint.name, "%s", name);
    if (body1)
        snprintf(m->joint.body[0], sizeof m->joint.body[0], "%s", body1);
    if (body2)
        snprintf(m->joint.body[1], sizeof m->joint.body[1], "%s", body2);
}

void dls_make_set(dls_maker *m, const char *key, const char *text)
{
    if (m->status == DLS_OK)
        m->status = dls_joint_set(&m->joint, key, text, m->error);
}

void dls_make_real(dls_maker *m, const char *key, double value)
{
    if (m->status == DLS_OK)
        m->status = dls_joint_set_number(&m->joint, key, value, m->error);
}

void dls_make_vector(dls_maker *m, const char *key, dls_vec3 value)
{
    if (m->status == DLS_OK)
        m->status = dls_joint_set_vector(&m->joint, key, value, m->error);
}

void dls_make_term(dls_maker *m, const char *coordinate, double gear)
{
    if (m->status == DLS_OK)
        m->status = dls_joint_couple(&m->joint, coordinate, gear, m->error);
}

dls_status dls_make_end(dls_maker *m, dls_scene **scene)
{
    end_joint(m);
    *scene = m->status == DLS_OK ? m->scene : NULL;
    if (m->status != DLS_OK)
        dls_scene_destroy(m->scene);
    m->scene = NULL;
    return m->status;
}

/* --- copies --- */

static dls_status draws_open(uint64_t seed, gsl_rng **draws, dls_error *error)
{
    *draws = gsl_rng_alloc(gsl_rng_mt19937);
    if (!*draws)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for random numbers");
    gsl_rng_set(*draws, (unsigned long)seed);
    return DLS_OK;
}

static double draw_number(gsl_rng *draws, double largest)
{
    return largest != 0.0 ? largest * (2.0 * gsl_rng_uniform(draws) - 1.0) : 0.0;
}

dls_status dls_scene_displace(dls_scene *scene, dls_vec3 offset, uint64_t seed, dls_error *error)
{
    gsl_rng *draws;
    DLS_TRY(draws_open(seed, &draws, error));
    for (size_t i = 0; i < scene->n_bodies; i++) {
        dls_vec3 *x = &scene->bodies[i].position;
        x->x += draw_number(draws, offset.x), x->y += draw_number(draws, offset.y),
            x->z += draw_number(draws, offset.z);
    }
    gsl_rng_free(draws);
    return DLS_OK;
}

dls_status dls_scene_vary(dls_scene *scene, double share, uint64_t seed, dls_error *error)
{
    gsl_rng *draws;
    DLS_TRY(draws_open(seed, &draws, error));
    dls_vec3 *g = &scene->world.gravity;
    const double length = share * dls_norm(*g);
    g->x += draw_number(draws, length), g->y += draw_number(draws, length), g->z += draw_number(draws, length);
    for (size_t i = 0; i < scene->n_bodies; i++)
        scene->bodies[i].mass *= 1.0 + draw_number(draws, share);
    gsl_rng_free(draws);
    return DLS_OK;
}
