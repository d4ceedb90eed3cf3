/* ode-new-joints 7: increasing CFM "can reduce the numerical errors in the simulation. If the system is near-singular,
 * then this can markedly increase stability."
 *
 * A loop with redundant rows, whose A has eigenvalues of the size of rounding, and a chain, whose A is definite, by
 *     cholesky         lambda = -A^-1 b with the Cholesky factor of A and nothing else, as a simple engine has it
 *     block-pivoting   a direct method that treats dependent rows
 *     pgs              sweeps from zero impulse
 * Without CFM the factor of a singular matrix breaks down, or divides by rounding errors. */
#include "parts.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

/* --- lambda = -A^-1 b --- */

typedef struct factor_work {
    dls_dense *dense; /* b is replaced by lambda */
    bool broken;
} factor_work;

static void close_factor(void *work)
{
    factor_work *w = work;
    if (w)
        dls_dense_destroy(w->dense);
    free(w);
}

static dls_status open_factor(const dls_problem *p, const void *settings, const double *lambda0, void **work,
                              dls_error *error)
{
    (void)settings, (void)lambda0;
    factor_work *w = *work = calloc(1, sizeof *w);
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a factor of %zu rows", p->n);
    const dls_status status = dls_dense_create(p, &w->dense, error);
    if (status != DLS_OK) {
        close_factor(w);
        *work = NULL;
    }
    return status;
}

static dls_status iterate_factor(void *work, dls_report *report, dls_error *error)
{
    factor_work *w = work;
    const lapack_int n = (lapack_int)w->dense->n;
    (void)error;
    w->broken = LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'L', n, 1, w->dense->A, n, w->dense->b, n) != 0;
    report->outcome = w->broken ? DLS_OUTCOME_NUMERICAL_FAILURE : DLS_OUTCOME_SOLVED;
    return DLS_OK;
}

static void read_factor(const void *work, double *lambda)
{
    const factor_work *w = work;
    for (size_t i = 0; i < w->dense->n; i++)
        lambda[i] = w->broken ? 0.0 : -w->dense->b[i];
}

static const dls_solver plain_factor = {
    .name = "cholesky",
    .summary = "the Cholesky factor of A, and nothing else",
    .source = "textbook",
    .kind = DLS_SOLVER_DIRECT,
    .accepts = DLS_ACCEPTS_FREE,
    .fields = {NULL, 0, 1},
    .open = open_factor,
    .iterate = iterate_factor,
    .read = read_factor,
    .close = close_factor,
};

/* --- runs --- */

static const char *const mixed_names[DLS_CLAIMS_MIXED] = {"four-bar", "chain-10"};
static const char *const way_names[DLS_CLAIMS_WAYS] = {"cholesky", "block-pivoting", "pgs"};

static dls_status run_mixed(const dls_study *study, size_t of, size_t way, size_t k, dls_error *error)
{
    const dls_claims_settings *set = study->settings;
    dls_claims_findings *f = study->found;
    const double cfm = set->mixings.reals[k];
    dls_rig_plan plan = {.solver = way_names[way], .iterations = set->iterations, .diverges = true};
    dls_scene *scene;
    dls_rig rig;
    double worst = 0.0, linear, angular;
    if (way == DLS_CLAIMS_PLAIN)
        plan.solver = NULL, plan.with.solver = &plain_factor;
    DLS_TRY(dls_scene_named(mixed_names[of], &scene, error));
    for (size_t j = 0; j < scene->n_joints; j++)
        scene->joints[j].common.cfm = cfm;
    DLS_TRY(dls_rig_open(&rig, scene, &plan, error));
    while (dls_rig_next(&rig, set->step, dls_step_count(set->duration, set->step))) {
        dls_joint_errors(dls_rig_at(&rig), &linear, &angular);
        worst = fmax(worst, linear);
    }
    worst = rig.failed ? HUGE_VAL : worst;
    f->mixing[of][way].error[k] = worst;
    f->mixing[of][way].unsolved[k] = rig.unsolved;
    dls_claims_row(study, "cfm", mixed_names[of], way_names[way], "cfm[m/(s N)]", cfm, "largest joint error[m]", worst);
    dls_claims_row(study, "cfm", mixed_names[of], way_names[way], "cfm[m/(s N)]", cfm, "unsolved steps",
                   (double)rig.unsolved);
    return dls_rig_end(&rig);
}

dls_status dls_claims_near_singular(dls_study *study, dls_error *error)
{
    const dls_claims_settings *set = study->settings;
    for (dls_grid g = DLS_GRID(DLS_CLAIMS_MIXED, DLS_CLAIMS_WAYS, set->mixings.count); dls_study_next(study, &g);)
        DLS_TRY(run_mixed(study, g.at[0], g.at[1], g.at[2], error));
    return DLS_OK;
}
