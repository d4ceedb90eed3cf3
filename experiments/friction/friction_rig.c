/* Piles of blocks on a slope, and their steps under a law, by the reference or by sweeps.
 *
 * The reference: block pivoting where bounds are fixed, Lemke's method where the law is a polygon or a box
 * (reference/direct), semismooth Newton under the cone. The examiner certifies each answer on the problem that was
 * solved: the LCP of the facets, or that of the cone. Four contact points of a box have 12 rows for its six degrees of
 * freedom; at the threshold, where sliding and sticking are equal to rounding, Lemke's last basis may be singular to
 * rounding too. Then Newton's method and interior points, which find solutions of least norm, are tried next. */
#include "friction/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double good_enough = 1e-14;       /* scaled residual; well below the speed that counts as rest */
static const double edge[3] = {0.6, 0.4, 0.2}; /* [m] */

/* A vector of the slope's frame, x down, z off it. */
static dls_vec3 on_slope(double slope, double x, double y, double z)
{
    double c = cos(slope), s = sin(slope);
    return dls_v3(c * x + s * z, y, c * z - s * x);
}

/* A box, and the contacts at the corners of its lower face. */
static void add_box(dls_maker *m, const dls_friction_settings *set, dls_law friction, size_t i, double slope)
{
    const dls_quat turned = {cos(0.5 * slope), 0.0, sin(0.5 * slope), 0.0};
    char name[DLS_NAME_MAX], below[DLS_NAME_MAX], contact[2 * DLS_NAME_MAX];
    snprintf(name, sizeof name, "box%zu", i);
    snprintf(below, sizeof below, "box%zu", i - 1);
    dls_make_box(m, name, dls_v3(edge[0], edge[1], edge[2]), set->mass,
                 on_slope(slope, 0.0, 0.0, ((double)i + 0.5) * edge[2]), turned);
    for (int corner = 0; corner < 4; corner++) {
        snprintf(contact, sizeof contact, "under%zu-%d", i, corner);
        dls_make_joint(m, "contact", contact, name, i > 0 ? below : NULL);
        dls_make_vector(m, "point",
                        on_slope(slope, corner & 1 ? 0.5 * edge[0] : -0.5 * edge[0],
                                 corner & 2 ? 0.5 * edge[1] : -0.5 * edge[1], (double)i * edge[2]));
        dls_make_vector(m, "normal", on_slope(slope, 0.0, 0.0, 1.0));
        dls_make_real(m, "mu", set->mu);
        dls_make_real(m, "friction_mass", 0.25 * set->mass);
        dls_make_real(m, "friction", (double)friction);
    }
}

dls_status dls_friction_open(const dls_study *study, size_t law, size_t boxes, double slope, dls_friction_rig *rig,
                             dls_error *error)
{
    dls_maker maker = dls_make_scene(dls_v3(0.0, 0.0, -dls_friction_gravity), error);
    dls_friction_findings *f = study->found;
    dls_scene *scene;
    *rig = (dls_friction_rig){.law = &dls_friction_laws[law], .settings = study->settings, .found = &f->of[law]};
    rig->certified = (dls_certified){rig->law->direct, good_enough, rig->law->facets, &rig->record};
    rig->n = rig->law->sweep ? 3 : 1;
    for (size_t i = 0; i < boxes; i++)
        add_box(&maker, rig->settings, rig->law->friction, i, slope);
    DLS_TRY(dls_make_end(&maker, &scene));
    const dls_rig_plan reference = {.with = {&dls_solver_certified, &rig->certified, NULL}, .iterations = 1};
    dls_status status = dls_rig_open(&rig->by[0], scene, &reference, error);
    for (size_t k = 1; k < rig->n && status == DLS_OK; k++) {
        const dls_rig_plan sweeps = {.solver = rig->law->sweep,
                                     .iterations = k == 1 ? rig->settings->few : rig->settings->many};
        status = dls_rig_open_model(&rig->by[k], rig->by[0].model, &sweeps, error);
    }
    if (status != DLS_OK)
        dls_friction_close(rig);
    return status;
}

void dls_friction_close(dls_friction_rig *rig)
{
    dls_certified_record *all = &rig->found->record;
    all->worst = dls_worse(all->worst, rig->record.worst);
    all->solves += rig->record.solves;
    all->others += rig->record.others;
    for (int k = 2; k >= 0; k--)
        dls_rig_close(&rig->by[k]);
}

dls_status dls_friction_push(dls_friction_rig *rig, int k, size_t steps, size_t box, double force, double direction,
                             dls_error *error)
{
    const dls_model *model = rig->by[k].model;
    dls_state *state = dls_simulation_edit(rig->by[k].simulation);
    double *at = state->force + dls_model_bodies(model)[box].offset;
    dls_state_copy(state, dls_model_initial(model));
    at[0] = force * cos(direction);
    at[1] = force * sin(direction);
    while (steps-- > 0)
        DLS_TRY(dls_rig_step(&rig->by[k], rig->settings->step, error));
    return DLS_OK;
}

dls_vec3 dls_friction_velocity(const dls_friction_rig *rig, int k, size_t box)
{
    const double *v = dls_rig_state(&rig->by[k])->v + dls_model_bodies(rig->by[k].model)[box].offset;
    return dls_v3(v[0], v[1], v[2]);
}

bool dls_friction_moves(const dls_friction_rig *rig, int k, size_t box)
{
    return dls_norm(dls_friction_velocity(rig, k, box)) >
           rig->settings->still * dls_friction_gravity * rig->settings->step;
}

const char *dls_friction_solver(const dls_friction_rig *rig, int k) { return k ? rig->law->sweep : "reference"; }

size_t dls_friction_iterations(const dls_friction_rig *rig, int k)
{
    return k == 0 ? 0 : k == 1 ? rig->settings->few : rig->settings->many;
}
