/* Impulses of gyroscopic and Coriolis terms, computed by other functions than v*: for articulations by inverse
 * dynamics, where v* uses forward dynamics; M d where the change d of the velocity is implicit. */
#include "gyroscopic.h"
#include "model/model.h"

static dls_vec3 body_turning(const dls_model *model, const dls_body *body, const dls_end *end, double h)
{
    dls_vec3 w = dls_tmul3(end->R, end->omega);
    dls_vec3 impulse = dls_scale(-h, dls_cross(w, dls_mul3(body->inertia, w)));
    if (model->world.gyroscopic == DLS_GYROSCOPIC_NONE)
        return dls_v3(0, 0, 0);
    if (model->world.gyroscopic == DLS_GYROSCOPIC_IMPLICIT)
        impulse = dls_mul3(body->inertia, dls_sub(dls_gyroscopic_implicit(body->inertia, w, h), w));
    return dls_mul3(end->R, impulse);
}

void dls_turning_impulses(const dls_configuration *c, double h, double *impulse)
{
    const dls_model *model = c->model;
    for (size_t i = 0; i < model->n_bodies; i++) {
        if (model->bodies[i].offset == DLS_NONE)
            continue;
        const dls_vec3 torque = body_turning(model, &model->bodies[i], &c->bodies[i], h);
        double *to = impulse + model->bodies[i].offset;
        to[0] = to[1] = to[2] = 0.0;
        to[3] = torque.x, to[4] = torque.y, to[5] = torque.z;
    }
    for (size_t a = 0; a < model->n_articulations; a++) {
        double *to = impulse + model->articulations[a].offset;
        const double theta = dls_coriolis_theta(&model->world);
        if (theta > 0.0) {
            dls_articulation_coriolis_change(c->works[a], c->v + model->articulations[a].offset, h, theta, to);
            dls_articulation_multiply(c->works[a], to, to);
            continue;
        }
        dls_articulation_coriolis_force(c->works[a], to);
        for (size_t k = 0; k < model->articulations[a].tree->nv; k++)
            to[k] *= -h;
    }
}
