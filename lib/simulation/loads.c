/* Loads of joints: the force that each transmitted in the last step, for those whose friction answers to it. What sleeps
 * keeps the last one that it had. */
#include "parts.h"

#include "model/model.h"

/* Of a joint of a tree; what is along the axis of a slide is no load. */
static dls_status load_in_tree(dls_simulation *s, size_t dof, double *load, dls_error *error)
{
    size_t a = s->model->n_members;
    while (s->model->members[a - 1].offset > dof)
        a--;
    const dls_member *member = &s->model->members[a - 1];
    const size_t own = dof - member->offset, link = member->tree->dof_link[own];
    dls_joint_wrench joint;
    DLS_TRY(dls_simulation_joint_wrench(s, a - 1, link, &joint, error));
    dls_vec3 force = joint.wrench.lin;
    if (member->tree->links[link].motion->slides) {
        const dls_vec3 axis = s->held->works[a - 1]->S[own].lin;
        force = dls_sub(force, dls_scale(dls_dot(axis, force), axis));
    }
    *load = dls_norm(force);
    return DLS_OK;
}

static dls_status load_of(dls_simulation *s, const dls_term *term, double *load, dls_error *error)
{
    dls_constraint_force force;
    if (term->dof != DLS_NONE)
        return load_in_tree(s, term->dof, load, error);
    DLS_TRY(dls_simulation_forces_of(s, term->joint, &force, error));
    *load = dls_norm(force.end[0].lin);
    return DLS_OK;
}

dls_status dls_loads_bring(dls_simulation *s, dls_error *error)
{
    for (size_t j = 0; j < s->model->n_joints && s->model->n_own > 0; j++) {
        const dls_joint *joint = &s->model->joints[j];
        double load;
        if (!joint->type->loaded || s->now->idle[j])
            continue;
        DLS_TRY(load_of(s, &joint->terms[0], &load, error));
        dls_simulation_put_numbers(s, joint, &load);
    }
    return DLS_OK;
}
