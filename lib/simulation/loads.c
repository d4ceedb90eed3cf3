/* Loads of joints with load-dependent friction: the force, and the moment about the anchor, that each joint transmitted
 * in the last step. Sleeping joints keep their last loads.
 */
#include "parts.h"

#include "model/model.h"

typedef struct pressure {
    double force, moment; /* [N], [N m] */
} pressure;

/* The component of a perpendicular to n axes, at most 3, which need not be perpendicular to each other. */
static dls_vec3 component_across(dls_vec3 a, const dls_vec3 *axes, size_t n)
{
    dls_vec3 e[3];
    for (size_t i = 0; i < n; i++) {
        e[i] = axes[i];
        for (size_t k = 0; k < i; k++)
            e[i] = dls_sub(e[i], dls_scale(dls_dot(e[k], axes[i]), e[k]));
        if (dls_norm(e[i]) > 1e-9) /* else the axis depends on the previous ones, within the rounding of unit vectors */
            e[i] = dls_unit(e[i]);
        a = dls_sub(a, dls_scale(dls_dot(e[i], a), e[i]));
    }
    return a;
}

/* The load of a joint of an articulation. */
static dls_status load_in_tree(dls_simulation *s, size_t dof, pressure *load, dls_error *error)
{
    size_t a = s->model->n_articulations;
    while (s->model->articulations[a - 1].offset > dof)
        a--;
    const dls_model_articulation *articulation = &s->model->articulations[a - 1];
    const size_t i = articulation->tree->dof_link[dof - articulation->offset];
    const dls_link *link = &articulation->tree->links[i];
    const dls_spatial *S = s->linearised->works[a - 1]->S + link->dof;
    const bool slides = link->motion->slides;
    dls_joint_wrench joint;
    dls_vec3 axes[3];
    DLS_TRY(dls_simulation_joint_wrench(s, a - 1, i, &joint, error));
    for (size_t k = 0; k < link->n_dofs; k++)
        axes[k] = slides ? S[k].lin : S[k].ang;
    load->force = dls_norm(component_across(joint.wrench.lin, axes, slides ? link->n_dofs : 0));
    load->moment = dls_norm(component_across(joint.wrench.ang, axes, slides ? 0 : link->n_dofs));
    return DLS_OK;
}

static dls_status load_of_joint(dls_simulation *s, const dls_term *term, pressure *load, dls_error *error)
{
    dls_constraint_force force;
    if (term->dof != DLS_NONE)
        return load_in_tree(s, term->dof, load, error);
    const dls_joint *joint = &s->model->joints[term->joint];
    DLS_TRY(dls_simulation_forces_of(s, term->joint, &force, error));
    const dls_end end = dls_configuration_end(s->linearised, joint->body[0]);
    const dls_spatial there = dls_force_at(force.end[0], dls_neg(dls_end_arm(&end, &joint->frame[0])));
    load->force = dls_norm(there.lin);
    load->moment = dls_norm(there.ang);
    return DLS_OK;
}

dls_status dls_loads_update(dls_simulation *s, dls_error *error)
{
    for (size_t j = 0; j < s->model->n_joints && s->model->n_joint_state > 0; j++) {
        const dls_joint *joint = &s->model->joints[j];
        pressure load;
        if (!joint->type->loaded || s->now->idle[j])
            continue;
        DLS_TRY(load_of_joint(s, &joint->terms[0], &load, error));
        dls_simulation_put_numbers(s, joint, (const double[]){load.force, load.moment});
    }
    return DLS_OK;
}
