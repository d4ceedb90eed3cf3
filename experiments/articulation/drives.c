/* Implicit and explicit drives: stability limits against their closed form, and the difference of order h.
 *
 * A chain at rest without gravity, the same kp and kd on each of its hinges. Along an eigenvector of the mass matrix,
 * of the eigenvalue m, an explicit step is
 *     v+ = v - (h / m) (kp q + kd v),   q+ = q + h v+
 * whose matrix has the trace 2 - x - y and the determinant 1 - x, with x = h kd / m and y = h^2 kp / m: stable for
 * 2 x + y < 4 and x < 2. The least m decides. The implicit step divides v - (h / m) kp q by 1 + x + y, and is stable
 * always. Here the matrix of a whole step of the simulation is measured, by central differences of its start. */
#include "parts.h"

#include "spectra.h"

#include <math.h>
#include <string.h>

enum { RODS_MAX = 4, SIZE_MAX_MAP = 2 * RODS_MAX };
static const size_t rods[] = {1, RODS_MAX};
static const double push = 1e-5;   /* of a coordinate [rad]; central differences leave its square */
static const double beyond = 1e-7; /* a spectral radius above 1 by this is unstable */

/* --- the matrix of a step --- */

/* (h v, q) after a step from entry k of it displaced. */
static dls_status map_column(const dls_model *model, const dls_rig_plan *plan, size_t k, double h, double by,
                             double *to, dls_error *error)
{
    const size_t n = dls_model_count(model).nv;
    dls_rig rig;
    DLS_TRY(dls_rig_open_model(&rig, model, plan, error));
    dls_state *state = dls_simulation_edit(rig.simulation);
    *(k < n ? &state->v[k] : &state->coordinates[k - n]) += k < n ? by / h : by;
    dls_status status = dls_rig_step(&rig, h, error);
    const dls_state *after = dls_rig_state(&rig);
    for (size_t i = 0; i < n; i++)
        to[i] = h * after->v[i], to[n + i] = after->coordinates[i];
    dls_rig_close(&rig);
    return status;
}

dls_status dls_reduced_step_radius(const dls_model *model, const dls_rig_plan *plan, double h, double *radius,
                                   dls_error *error)
{
    const size_t n = 2 * dls_model_count(model).nv;
    double P[SIZE_MAX_MAP * SIZE_MAX_MAP], minus[SIZE_MAX_MAP], re[SIZE_MAX_MAP], im[SIZE_MAX_MAP];
    for (size_t k = 0; k < n; k++) {
        DLS_TRY(map_column(model, plan, k, h, push, P + k * n, error));
        DLS_TRY(map_column(model, plan, k, h, -push, minus, error));
        for (size_t i = 0; i < n; i++)
            P[k * n + i] = (P[k * n + i] - minus[i]) / (2.0 * push);
    }
    dls_arena memory = {0};
    const dls_status status = dls_general_spectrum(n, P, re, im, &memory, "the eigenvalues of a step's matrix", error);
    dls_arena_release(&memory);
    DLS_TRY(status);
    *radius = 0.0;
    for (size_t k = 0; k < n; k++)
        *radius = fmax(*radius, hypot(re[k], im[k]));
    return DLS_OK;
}

/* --- borders --- */

typedef struct trial {
    size_t links;
    double m, x, h; /* least eigenvalue of the mass matrix, h kd / m, step */
    bool is_explicit;
    double radius;
} trial;

static dls_status radius_at(trial *t, double y, dls_error *error)
{
    const dls_reduced_drive drive = {y * t->m / (t->h * t->h), t->x * t->m / t->h, t->is_explicit};
    const dls_reduced_chain chain = {.links = t->links, .ratio = 1.0, .weightless = true, .drive = &drive};
    dls_model *model;
    DLS_TRY(dls_reduced_chain_model(&chain, DLS_REDUCED, 0.0, &model, error));
    const dls_rig_plan plan = {.solver = "block-pivoting", .iterations = 1};
    dls_status status = dls_reduced_step_radius(model, &plan, t->h, &t->radius, error);
    dls_model_destroy(model);
    return status;
}

static dls_status unstable(void *context, double y, bool *so, dls_error *error)
{
    trial *t = context;
    DLS_TRY(radius_at(t, y, error));
    *so = t->radius > 1.0 + beyond;
    return DLS_OK;
}

dls_status dls_reduced_least_inertia(size_t links, double *least, dls_error *error)
{
    const dls_reduced_chain chain = {.links = links, .ratio = 1.0, .weightless = true};
    double M[RODS_MAX * RODS_MAX], eigenvalues[RODS_MAX];
    dls_model *model;
    dls_configuration *at = NULL;
    dls_arena memory = {0};
    DLS_TRY(dls_reduced_chain_model(&chain, DLS_REDUCED, 0.0, &model, error));
    dls_status status = dls_configuration_create(model, &at, error);
    if (status == DLS_OK) {
        dls_configuration_evaluate(at, dls_model_initial(model));
        dls_articulation_mass_matrix(at->works[0], M, links);
        status =
            dls_symmetric_spectrum(links, false, M, eigenvalues, &memory, "the eigenvalues of a mass matrix", error);
        *least = eigenvalues[0];
    }
    dls_arena_release(&memory);
    dls_configuration_destroy(at);
    dls_model_destroy(model);
    return status;
}

static dls_status find_border(dls_study *study, trial *t, dls_error *error)
{
    dls_reduced_findings *f = study->found;
    const double predicted = 4.0 - 2.0 * t->x;
    double low = 0.37 * predicted, high = 1.61 * predicted; /* whose halves are not the prediction */
    t->is_explicit = true;
    DLS_TRY(dls_bisect(unstable, t, &low, &high, 1e-6, error));
    f->border_error = fmax(f->border_error, fabs(low / predicted - 1.0));
    dls_table_row(study->tables[DLS_REDUCED_BORDERS], "%s %zu %g %g %g %g", "explicit", t->links, t->x, low, predicted,
                  t->radius);
    t->is_explicit = false;
    for (double y = 0.01; y < 2e6; y *= 100.0) {
        DLS_TRY(radius_at(t, y, error));
        f->implicit_radius = fmax(f->implicit_radius, t->radius);
        f->stiffest = fmax(f->stiffest, y);
        dls_table_row(study->tables[DLS_REDUCED_BORDERS], "%s %zu %g %g %g %g", "implicit", t->links, t->x, y, NAN,
                      t->radius);
    }
    return DLS_OK;
}

dls_status dls_reduced_drives(dls_study *study, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    for (dls_grid g = DLS_GRID(2, set->borders); dls_study_next(study, &g);) {
        trial t = {.links = rods[g.at[0]], .x = 1.9 * (double)g.at[1] / (double)set->borders, .h = set->step};
        DLS_TRY(dls_reduced_least_inertia(t.links, &t.m, error));
        DLS_TRY(find_border(study, &t, error));
    }
    return DLS_OK;
}

/* --- the difference --- */

enum { LOOKS = 20, HALVINGS = 6, DRIVEN = 2 };
static const dls_reduced_drive gentle = {.kp = 60.0, .kd = 6.0};

typedef struct samples {
    double q[LOOKS][DRIVEN];
} samples;

static double largest_difference(const samples *a, const samples *b)
{
    double worst = 0.0;
    for (size_t k = 0; k < LOOKS; k++)
        for (size_t i = 0; i < DRIVEN; i++)
            worst = fmax(worst, fabs(a->q[k][i] - b->q[k][i]));
    return worst;
}

static void keep_drive(void *context, size_t k, const dls_configuration *at, const dls_state *state)
{
    samples *to = context;
    (void)at;
    memcpy(to->q[k], state->coordinates, sizeof to->q[k]);
}

static dls_status follow(const dls_model *model, double h, size_t steps_per_sample, samples *to, dls_error *error)
{
    const dls_rig_plan plan = {.solver = "block-pivoting", .iterations = 1};
    dls_rig rig;
    DLS_TRY(dls_rig_open_model(&rig, model, &plan, error));
    while (dls_rig_next(&rig, h, LOOKS * steps_per_sample))
        if (rig.steps % steps_per_sample == 0)
            memcpy(to->q[rig.steps / steps_per_sample - 1], dls_rig_state(&rig)->coordinates, sizeof to->q[0]);
    return dls_rig_end(&rig);
}

/* Two rods that fall onto their drives, by both methods. */
static dls_status differences(dls_study *study, dls_model *const model[2], dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    dls_reduced_findings *f = study->found;
    double step[HALVINGS], apart[HALVINGS], off[2][HALVINGS];
    samples exact, by[2];
    DLS_TRY(dls_reduced_exactly(model[0], set->driven / LOOKS, LOOKS, keep_drive, &exact, error));
    for (size_t k = 0, steps = 4; k < HALVINGS; k++, steps *= 2) {
        step[k] = set->driven / (double)(LOOKS * steps);
        for (int e = 0; e < 2; e++) {
            DLS_TRY(follow(model[e], step[k], steps, &by[e], error));
            off[e][k] = largest_difference(&by[e], &exact);
        }
        apart[k] = largest_difference(&by[0], &by[1]);
        dls_table_row(study->tables[DLS_REDUCED_DIFFERENCES], "%g %g %g %g", step[k], apart[k], off[0][k], off[1][k]);
    }
    f->drive_order[0] = dls_fit_order(step, apart, HALVINGS);
    f->drive_order[1] = dls_fit_order(step, off[0], HALVINGS);
    f->drive_order[2] = dls_fit_order(step, off[1], HALVINGS);
    return DLS_OK;
}

dls_status dls_reduced_drive_orders(dls_study *study, dls_error *error)
{
    dls_model *model[2] = {NULL, NULL};
    dls_status status = DLS_OK;
    for (int e = 0; e < 2 && status == DLS_OK; e++) {
        const dls_reduced_drive drive = {gentle.kp, gentle.kd, e == 1};
        const dls_reduced_chain chain = {.links = DRIVEN, .ratio = 1.0, .drive = &drive};
        status = dls_reduced_chain_model(&chain, DLS_REDUCED, 0.0, &model[e], error);
    }
    if (status == DLS_OK)
        status = differences(study, model, error);
    dls_model_destroy(model[0]);
    dls_model_destroy(model[1]);
    return status;
}
