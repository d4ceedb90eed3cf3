/* Masses of bodies of MJCF: <inertial>, the least masses and inertias of <compiler>, and the total that all of them are
 * scaled to. */
#include "mjcf.h"

#include "delassus/spatial.h"

#include <string.h>

static dls_status read_inertia(const mjcf *m, const mjcf_element *e, dls_mat3 *I)
{
    double d[3], full[6];
    int diagonal, all;
    DLS_TRY(mjcf_vector(m, e, "diaginertia", d, 3, &diagonal));
    DLS_TRY(mjcf_vector(m, e, "fullinertia", full, 6, &all));
    if (!diagonal == !all)
        return dls_xml_bad(&m->x, e->node, "diaginertia", "needs diaginertia or fullinertia, and not both");
    *I = diagonal ? (dls_mat3){{d[0], 0, 0, 0, d[1], 0, 0, 0, d[2]}}
                  : (dls_mat3){{full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]}};
    return DLS_OK;
}

dls_status mjcf_read_inertial(const mjcf *m, const xmlNode *node, dls_link_def *link)
{
    const mjcf_element e = {.node = node, .class = DLS_NONE};
    dls_frame frame;
    DLS_TRY(mjcf_frame(m, &e, &frame));
    DLS_TRY(dls_xml_required_number(&m->x, node, "mass", &link->mass));
    DLS_TRY(read_inertia(m, &e, &link->inertia));
    link->centre = frame.p;
    link->inertia_allowance = dls_inertia_allowance(link->inertia);
    link->inertia = dls_rotate_tensor(dls_quat_matrix(frame.q), link->inertia);
    link->box_axes = dls_xml_has(node, "diaginertia") ? frame.q : (dls_quat){NAN, NAN, NAN, NAN};
    return DLS_OK;
}

/* B max(D, least) B^T of the inertia B D B^T about its principal axes. */
static dls_mat3 bound_inertia(dls_mat3 inertia, double least)
{
    dls_mat3 axes;
    double d[3];
    dls_eigen3(inertia, d, &axes);
    if (d[0] >= least && d[1] >= least && d[2] >= least)
        return inertia;
    return dls_rotate_tensor(axes,
                             (dls_mat3){{fmax(d[0], least), 0, 0, 0, fmax(d[1], least), 0, 0, 0, fmax(d[2], least)}});
}

/* MuJoCo puts the centre of mass of a body that has neither mass nor <inertial> where the body itself is in its parent.
 */
void mjcf_bound_mass(const mjcf *m, dls_link_def *link, bool is_empty, dls_vec3 place)
{
    if (is_empty && m->least_mass > 0.0)
        link->centre = place;
    link->mass = fmax(link->mass, m->least_mass);
    if (m->least_inertia > 0.0)
        link->inertia = bound_inertia(link->inertia, m->least_inertia);
}

dls_status mjcf_weigh_fixed_body(mjcf *m, const xmlNode *node, bool geoms_weigh, double before)
{
    const xmlNode *inertial = dls_xml_child(node, "inertial");
    double mass = 0.0;
    if (inertial && (m->inertia_source != MJCF_GEOMS || !geoms_weigh))
        DLS_TRY(dls_xml_required_number(&m->x, inertial, "mass", &mass));
    m->fixed_mass = before + fmax(m->fixed_mass - before + mass, m->least_mass);
    return DLS_OK;
}

dls_status mjcf_scale_masses(mjcf *m, const xmlNode *root)
{
    double sum = m->fixed_mass;
    for (size_t a = 0; a < m->scene->n_articulations; a++)
        for (size_t i = 0; i < m->scene->articulations[a]->n_links; i++)
            sum += m->scene->articulations[a]->links[i].mass;
    if (!(sum > 0.0))
        return dls_xml_bad(&m->x, root, "settotalmass", "no body has a mass that could be scaled");
    const double scale = m->total_mass / sum;
    for (size_t a = 0; a < m->scene->n_articulations; a++)
        for (size_t i = 0; i < m->scene->articulations[a]->n_links; i++) {
            dls_link_def *link = &m->scene->articulations[a]->links[i];
            link->mass *= scale;
            link->inertia_allowance *= scale;
            link->force = dls_scale(scale, link->force);
            for (int k = 0; k < 9; k++)
                link->inertia.m[k] *= scale;
        }
    return DLS_OK;
}

/* --- joints --- */

static double mean_of(const double *diagonal, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += diagonal[i];
    return sum / (double)count;
}

/* The diagonals of M and of M^-1 of a tree as it is defined. */
static dls_status weigh_tree(const dls_articulation *tree, double *inertia, double *mobility, dls_error *error)
{
    dls_articulation_state *state = NULL;
    dls_articulation_work *work = NULL;
    const size_t n = tree->nv;
    double *M = calloc(n * n + n + 1, sizeof *M);
    dls_status status = M ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for a mass matrix of %zu rows", n);
    if (status == DLS_OK)
        status = dls_articulation_state_create(tree, &state, error);
    if (status == DLS_OK)
        status = dls_articulation_work_create(tree, &work, error);
    if (status == DLS_OK) {
        dls_articulation_kinematics(state, work);
        dls_articulation_mass_matrix(work, M, n);
        status = dls_articulation_factor(work, error);
    }
    for (size_t i = 0; status == DLS_OK && i < n; i++) {
        double *force = M + n * n;
        memset(force, 0, n * sizeof *force);
        force[i] = 1.0;
        dls_articulation_solve(work, force, force);
        inertia[i] = M[i * n + i], mobility[i] = force[i];
    }
    free(M);
    dls_articulation_work_destroy(work);
    dls_articulation_state_destroy(state);
    return status;
}

static dls_status weigh_joints_of(mjcf *m, const dls_articulation_def *def, const dls_articulation *tree)
{
    double *diagonals = calloc(2 * tree->nv + 1, sizeof *diagonals);
    dls_status status = diagonals ? weigh_tree(tree, diagonals, diagonals + tree->nv, m->x.error)
                                  : dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for the masses of a robot");
    const size_t length = strlen(def->name);
    for (size_t k = 0; status == DLS_OK && k < m->n_joints; k++) {
        mjcf_joint *joint = &m->joints[k];
        if (strncmp(joint->coordinate, def->name, length) != 0 || joint->coordinate[length] != '.' || joint->floats)
            continue;
        const size_t link = dls_articulation_find_joint(tree, joint->coordinate + length + 1);
        const size_t dof = tree->links[link].dof, count = tree->links[link].n_dofs;
        joint->inertia = mean_of(diagonals + dof, count);
        joint->mobility = mean_of(diagonals + tree->nv + dof, count);
    }
    free(diagonals);
    return status;
}

dls_status mjcf_weigh_joints(mjcf *m)
{
    for (size_t a = 0; a < m->scene->n_articulations; a++) {
        const dls_articulation_def *def = m->scene->articulations[a];
        dls_articulation *tree;
        dls_status status = dls_articulation_create(def, &tree, m->x.error);
        if (status == DLS_OK)
            status = dls_articulation_check_dynamics(tree, m->x.error);
        if (status == DLS_OK)
            status = weigh_joints_of(m, def, tree);
        dls_articulation_destroy(tree);
        DLS_TRY(status);
    }
    return DLS_OK;
}
