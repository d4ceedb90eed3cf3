/* MuJoCo's constraint solvers PGS, CG and Newton, on a model that is made for the problem.
 *
 * MuJoCo solves a regularised problem: its constraint force f minimises
 *     1/2 f^T (A + R) f + f^T b      within the bounds of f,      R diagonal, R > 0,
 * (CG and Newton the dual of it in accelerations), so that w = A lambda + b is -R lambda where ours is 0: every
 * constraint is a little soft. Its own models have R >= 1e-4 diag(A), for the impedance of a constraint is at most
 * 0.9999. Here R is `regularization` times diag(A), in the place of Gamma, and the examiner measures the residual
 * of our problem, R = 0.
 *
 * The model has n sliders of mass 1, without gravity, so that M = 1, and its Jacobian is filled by hand: A = J J^T with
 * J = D V sqrt(E) for A = D S D, S = V E V^T of unit diagonal. Its three kinds of rows take any bounds, exactly:
 *     free      lambda = f                       an equality
 *     [lo, hi]  lambda = (lo + hi)/2 + f         friction, |f| <= (hi - lo)/2
 *     one bound lambda = lo + f, or hi - f       a limit, f >= 0
 * R acts on f; where diag(A) is 0 it is `regularization` itself. Eigenvalues of S that are below 0 by rounding count as
 * 0. Friction that follows a normal impulse is refused: MuJoCo's contacts take Coulomb's cone without De Saxce's term,
 * which is another law. A must be symmetric and semidefinite. */
#include "peer.h"

#include <lapacke.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 2000 }; /* mjData is at most 2 GiB, and holds several n x n matrices */

typedef struct settings {
    double regularization, tolerance;
    size_t iterations;
} settings;
static const dls_field fields[] = {
    {"regularization", "", DLS_FIELD_REAL, offsetof(settings, regularization), "1e-7", 1e-15, 1, false, NULL,
     "R over diag(A); MuJoCo's own models have at least 1e-4; an exact solution needs 0, which MuJoCo does not accept"},
    {"tolerance", "", DLS_FIELD_REAL, offsetof(settings, tolerance), "1e-15", 0, 1, false, NULL,
     "MuJoCo's tolerance: improvement of the cost, and norm of the gradient, at which it ends"},
    {"iterations", "", DLS_FIELD_COUNT, offsetof(settings, iterations), "1000", 1, 1e9, false, NULL,
     "greatest number of MuJoCo's iterations"},
};

/* --- the rows in MuJoCo's order: equalities, friction, limits --- */

typedef enum kind { EQUALITY, FRICTION, LIMIT } kind;

static kind kind_of(const dls_dense *d, size_t i)
{
    const bool below = isfinite(d->lo[i]), above = isfinite(d->hi[i]);
    return below && above ? FRICTION : below || above ? LIMIT : EQUALITY;
}

/* lambda = from + sign f. */
static double sign_of(const dls_dense *d, size_t i)
{
    return kind_of(d, i) == LIMIT && !isfinite(d->lo[i]) ? -1.0 : 1.0;
}
static double from_of(const dls_dense *d, size_t i)
{
    switch (kind_of(d, i)) {
    case EQUALITY:
        return 0.0;
    case FRICTION:
        return d->lo[i] + 0.5 * (d->hi[i] - d->lo[i]);
    default:
        return isfinite(d->lo[i]) ? d->lo[i] : d->hi[i];
    }
}

/* --- A = J J^T --- */

/* Computes J (n x n, row-major). DLS_REFUSED if A is not semidefinite. */
static dls_status factorize(const dls_dense *d, double *J, dls_error *error)
{
    const size_t n = d->n;
    const size_t reals = 1 + 6 * n + 2 * n * n, integers = 3 + 5 * n;
    double *scale = calloc(2 * n + n * n + reals, sizeof *scale);
    lapack_int *more = calloc(integers, sizeof *more);
    if (!scale || !more)
        return free(scale), free(more), dls_fail(error, DLS_NO_MEMORY, "no memory for the eigenvalues of %zu rows", n);
    double *eigenvalues = scale + n, *S = eigenvalues + n, *work = S + n * n;
    for (size_t i = 0; i < n; i++)
        scale[i] = d->A[i + n * i] > 0.0 ? sqrt(d->A[i + n * i]) : 1.0;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            S[i + n * j] = d->A[i + n * j] / (scale[i] * scale[j]);
    const lapack_int failed = LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', (lapack_int)n, S, (lapack_int)n,
                                                  eigenvalues, work, (lapack_int)reals, more, (lapack_int)integers);
    const bool definite = !failed && eigenvalues[0] >= -1e-12 * (double)n;
    for (size_t i = 0; i < n && definite; i++)
        for (size_t j = 0; j < n; j++)
            J[n * i + j] = scale[i] * S[i + n * j] * sqrt(fmax(0.0, eigenvalues[j]));
    free(scale);
    free(more);
    return definite ? DLS_OK : dls_fail(error, DLS_REFUSED, "A must be symmetric and semidefinite");
}

/* --- the model --- */

static char *write_model(size_t n, size_t *size)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, size);
    if (!f)
        return NULL;
    fprintf(f,
            "<mujoco><option gravity='0 0 0' jacobian='dense'><flag warmstart='disable'/></option>"
            "<size njmax='%zu' nconmax='1'/><worldbody>\n",
            n);
    for (size_t i = 0; i < n; i++)
        fputs("<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><joint type='slide' axis='1 0 0'/></body>\n",
              f);
    fputs("</worldbody></mujoco>\n", f);
    if (fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

typedef struct mujoco_work {
    mjModel *model;
    mjData *data;
    size_t *row; /* n: the row of the problem that is MuJoCo's row k */
    double *J;   /* n x n, row-major */
} mujoco_work;

static void release_mujoco(void *data)
{
    mujoco_work *m = data;
    mj_deleteData(m->data);
    mj_deleteModel(m->model);
    free(m->row);
    free(m->J);
    free(m);
}

static dls_status load_model(mujoco_work *m, size_t n, dls_error *error)
{
    size_t size;
    char said[256] = "no memory", *text = write_model(n, &size);
    mjVFS *files = calloc(1, sizeof *files);
    if (files && text) {
        mj_defaultVFS(files);
        if (mj_makeEmptyFileVFS(files, "rows.xml", (int)size) == 0) {
            memcpy(files->filedata[mj_findFileVFS(files, "rows.xml")], text, size);
            m->model = mj_loadXML("rows.xml", files, said, sizeof said);
        }
        mj_deleteVFS(files);
    }
    free(files);
    free(text);
    m->data = m->model ? mj_makeData(m->model) : NULL;
    return m->data ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "MuJoCo has no model of %zu rows: %s", n, said);
}

static dls_status open_work(const dls_problem *problem, const void *set, const double *lambda0, void **work,
                            dls_error *error)
{
    if (problem->n > ROWS_MAX)
        return dls_fail(error, DLS_REFUSED, "MuJoCo's data is limited to 2 GiB: %zu rows are more than %d", problem->n,
                        ROWS_MAX);
    DLS_TRY(peer_open(problem, set, lambda0, work, error));
    peer_work *w = *work;
    const size_t n = problem->n;
    mujoco_work *m = calloc(1, sizeof *m);
    w->data = m;
    w->release = release_mujoco;
    if (m) {
        m->row = calloc(n + 1, sizeof *m->row);
        m->J = calloc(n * n + 1, sizeof *m->J);
    }
    dls_status status = m && m->row && m->J ? factorize(w->dense, m->J, error)
                                            : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", n);
    if (status == DLS_OK)
        status = load_model(m, n, error);
    for (size_t k = 0, at = 0; k <= LIMIT && status == DLS_OK; k++)
        for (size_t i = 0; i < n; i++)
            if (kind_of(w->dense, i) == (kind)k)
                m->row[at++] = i;
    if (status != DLS_OK) {
        peer_close(w);
        *work = NULL;
    }
    return status;
}

/* --- MuJoCo's rows --- */

static void fill_row(const peer_work *w, int at)
{
    static const int types[] = {
        [EQUALITY] = mjCNSTR_EQUALITY, [FRICTION] = mjCNSTR_FRICTION_DOF, [LIMIT] = mjCNSTR_LIMIT_JOINT};
    const settings *set = w->settings;
    const dls_dense *d = w->dense;
    const mujoco_work *m = w->data;
    mjData *data = m->data;
    const size_t i = m->row[at], n = d->n;
    const kind of = kind_of(d, i);
    const double sign = sign_of(d, i), diagonal = d->A[i + n * i];
    double b = d->b[i];
    for (size_t j = 0; j < n; j++)
        b += d->A[i + n * j] * from_of(d, j);
    for (size_t j = 0; j < n; j++)
        data->efc_J[n * (size_t)at + j] = sign * m->J[n * i + j];
    data->efc_type[at] = types[of];
    data->efc_id[at] = 0;
    data->efc_frictionloss[at] = of == FRICTION ? 0.5 * (d->hi[i] - d->lo[i]) : 0.0;
    data->efc_R[at] = set->regularization * (diagonal > 0.0 ? diagonal : 1.0);
    data->efc_D[at] = 1.0 / data->efc_R[at];
    data->efc_diagApprox[at] = diagonal;
    data->efc_aref[at] = -sign * b;
    data->ne += of == EQUALITY;
    data->nf += of == FRICTION;
    data->nefc++;
}

static dls_status solve_rows(peer_work *w, int solver, dls_report *report)
{
    const settings *set = w->settings;
    const dls_dense *d = w->dense;
    mujoco_work *m = w->data;
    m->model->opt.solver = solver;
    m->model->opt.iterations = (int)set->iterations;
    m->model->opt.tolerance = set->tolerance;
    mj_fwdPosition(m->model, m->data); /* M and its factors */
    mju_zero(m->data->qacc_smooth, m->model->nv);
    m->data->ne = m->data->nf = m->data->nefc = 0;
    for (int k = 0; k < (int)d->n; k++)
        fill_row(w, k);
    mj_projectConstraint(m->model, m->data);
    mj_fwdConstraint(m->model, m->data);
    for (size_t k = 0; k < d->n; k++) {
        const size_t i = m->row[k];
        w->lambda[i] = from_of(d, i) + sign_of(d, i) * m->data->efc_force[k];
    }
    report->iterations = (size_t)m->data->solver_iter;
    dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT, /* it claims nothing: mj_fwdConstraint returns no status */
                   "in its own model, which has R = %g diag(A) added to A; it ended after %zu of %zu iterations",
                   set->regularization, report->iterations, set->iterations);
    return DLS_OK;
}

/* --- the descriptors --- */

#define DESCRIPTOR(id, number, what)                                                                               \
    static dls_status iterate_##id(void *work, dls_report *report, dls_error *error)                               \
    {                                                                                                              \
        (void)error;                                                                                               \
        return solve_rows(work, number, report);                                                                   \
    }                                                                                                              \
    static const dls_solver solver_##id =                                                                          \
        PEER_SOLVER("mujoco-" #id, what ", of MuJoCo, in its regularised model",                                   \
                    "E. Todorov, Convex and analytically-invertible dynamics with contacts and constraints, 2014", \
                    DLS_SOLVER_DIRECT, DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED, DLS_FIELD_TABLE(fields, settings),    \
                    open_work, iterate_##id);
DESCRIPTOR(pgs, mjSOL_PGS, "projected Gauss-Seidel")
DESCRIPTOR(cg, mjSOL_CG, "nonlinear conjugate gradients")
DESCRIPTOR(newton, mjSOL_NEWTON, "Newton's method with exact line search")

DLS_PLUGINS(&solver_pgs, &solver_cg, &solver_newton);
