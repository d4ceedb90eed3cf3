/* Experiment: where sweeps stall in float, double and double-double.
 *
 * A sweep in floating point is lambda' = S(lambda) + delta, where delta holds the roundings of one sweep. On the free
 * set the error goes e' = G e + delta, and stalls at (N. J. Higham, P. A. Knight, SIAM J. Matrix Anal. Appl. 14 (1993))
 *     |e| <= |(1 - G)^-1| |delta|,   1 - G = P^-1 A.
 * Row i rounds to u (|J_i||v| + |Gamma_ii lambda_i| + |c_i|) / A_ii, times a small number. Coefficients that were
 * rounded to u_c move the solution by |(1 - G)^-1| u_c times the same sum. The velocity that is carried along gathers a
 * rounding at every change of an impulse, until changes are below its last digit, N = ln(1 / u_s) / (1 - rho) sweeps
 * long, rho the spectral radius; taken as independent they add up to sqrt(N) of one. In the norm |x|^2 = sum A_ii x_i^2
 * the stall is therefore near
 *     (u_c + u_s sqrt(1 + N)) |(1 - G)^-1| s,   s^2 = sum (|J_i||v| + |Gamma_ii lambda_i| + |c_i|)^2 / A_ii.
 * |(1 - G)^-1| is about 1 / (1 - rho): float coefficients cost digits once, float sums also by the number of sweeps.
 */
#include "precision/ladder.h"
#include "study/rig.h"
#include "study/study.h"

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    size_t links, sweeps;
    double step;
    dls_list ratios;
} settings;

#define FIELD(...) DLS_SETTING(settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(links, "", COUNT, "3", 1, 20, "balls of the chain"),
    FIELD(sweeps, "", COUNT, "400000", 1, 1e10, "greatest number of sweeps: a run that needs more is left out"),
    FIELD(step, "s", REAL, "0.01", 1e-9, 1, "time step of the linearised problem"),
    FIELD(ratios, "", REALS, "1,3,10,30,100,300", 1e-12, 1e12, "masses of the last ball over that of the others"),
};

enum { STALLS };
static const dls_experiment_table tables[] = {
    [STALLS] = {.stem = "precision.stalls",
                .columns = "mass_ratio\tprecision\tspectral_radius\tamplification\tsweeps\terror\tpredicted_error"},
    {.stem = NULL},
};

static const dls_ladder_rung *const rungs[] = {&dls_ladder_float, &dls_ladder_mixed, &dls_ladder_double,
                                               &dls_ladder_twofold};
enum { RUNGS = sizeof rungs / sizeof rungs[0], FLOAT = 0, MIXED = 1, TWOFOLD = RUNGS - 1 };

typedef struct findings {
    double worst_ratio; /* of measured to predicted errors, */
    double least_ratio;
    double error[RUNGS], mass; /* at the last mass ratio */
    size_t count;
} findings;

/* A problem with dense rows, and what theory says of it. */
typedef struct dense_problem {
    dls_problem *problem;
    dls_dense *dense;
    dls_ladder_problem rows;
    double *memory;
    double rho, amplification;
} dense_problem;

static dls_status make_chain(size_t links, double ratio, double step, dls_problem **problem, dls_error *error)
{
    char name[2][DLS_NAME_MAX], joint[DLS_NAME_MAX];
    dls_maker maker = dls_make_scene((dls_vec3){0.0, 0.0, -9.81}, error);
    dls_scene *scene;
    dls_model *model;
    for (size_t i = 0; i < links; i++) {
        const dls_vec3 at = {0.06 * ((double)i + 1.0), 0.0, -0.08 * ((double)i + 1.0)};
        snprintf(name[i % 2], sizeof name[0], "box%u", (unsigned)i);
        dls_make_box(&maker, name[i % 2], (dls_vec3){0.07, 0.05, 0.06}, i + 1 == links ? ratio : 1.0, at,
                     (dls_quat){1.0, 0.0, 0.0, 0.0});
        snprintf(joint, sizeof joint, "joint%u", (unsigned)i);
        dls_make_joint(&maker, "ball", joint, name[i % 2], i > 0 ? name[(i + 1) % 2] : NULL);
        dls_make_vector(&maker, "anchor", (dls_vec3){at.x - 0.03, 0.0, at.z + 0.04});
    }
    DLS_TRY(dls_make_end(&maker, &scene));
    DLS_TRY(dls_scene_model(scene, &model, error));
    const dls_status status = dls_first_problem(model, step, problem, error);
    dls_model_destroy(model);
    return status;
}

/* |D^1/2 A^-1 (D + L) D^-1/2|, the 2-norm of (1 - G)^-1 in the norm of D. */
static bool find_amplification(const dls_dense *d, double *amplification)
{
    const size_t n = d->n;
    const lapack_int m = (lapack_int)n;
    double *A = malloc((2 * n * n + 7 * n) * sizeof *A);
    lapack_int *pivots = malloc((n + 1) * sizeof *pivots);
    bool done = A && pivots;
    if (done) {
        double *P = A + n * n, *s = P + n * n;
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++) {
                const double scale = 1.0 / sqrt(d->A[i * (n + 1)] * d->A[j * (n + 1)]);
                A[i + n * j] = scale * d->A[i + n * j];
                P[i + n * j] = i >= j ? A[i + n * j] : 0.0;
            }
        done = LAPACKE_dgesv_work(LAPACK_COL_MAJOR, m, m, A, m, pivots, P, m) == 0 &&
               LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', m, m, P, m, s, NULL, m, NULL, m, s + n, 6 * m) == 0;
        *amplification = done ? s[0] : NAN;
    }
    free(A);
    free(pivots);
    return done;
}

static dls_status open_problem(dense_problem *at, size_t links, double ratio, double step, dls_error *error)
{
    dls_rate rate;
    memset(at, 0, sizeof *at);
    DLS_TRY(make_chain(links, ratio, step, &at->problem, error));
    const size_t n = at->problem->n, nv = at->problem->nv;
    DLS_TRY(dls_dense_create(at->problem, &at->dense, error));
    double *J = at->memory = calloc(4 * n * nv + 2 * n, sizeof *J);
    if (!J)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu dense rows", n);
    double *columns = J + n * nv, *response = columns + n * nv, *B = response + n * nv, *diagonal = B + n * nv;
    dls_dense_jacobian(at->problem, columns);
    DLS_TRY(dls_dense_response(at->problem, response, error));
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < nv; k++)
            J[i * nv + k] = columns[i + n * k], B[i * nv + k] = response[k + nv * i];
        diagonal[i] = at->dense->A[i * (n + 1)];
    }
    at->rows = (dls_ladder_problem){n,
                                    nv,
                                    J,
                                    B,
                                    diagonal,
                                    at->problem->gamma,
                                    at->problem->c,
                                    at->problem->lo,
                                    at->problem->hi,
                                    at->problem->v_star};
    DLS_TRY(
        dls_rate_predict(at->problem, diagonal + n, NULL, (dls_splitting){DLS_SPLITTING_FORWARD, 1.0}, &rate, error));
    at->rho = rate.spectral_radius;
    return find_amplification(at->dense, &at->amplification)
               ? DLS_OK
               : dls_fail(error, DLS_BAD_INPUT, "the matrix of the chain is singular");
}

static void close_problem(dense_problem *at)
{
    dls_dense_destroy(at->dense);
    dls_problem_destroy(at->problem);
    free(at->memory);
}

/* s of the head of this file over |lambda|, both in the norm of D. */
static double relative_terms(const dense_problem *at, const double *lambda)
{
    const dls_ladder_problem *p = &at->rows;
    double terms = 0.0, size = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        double sum = fabs(p->gamma[i] * lambda[i]) + fabs(p->c[i]);
        for (size_t k = 0; k < p->nv; k++) {
            double v = p->v_star[k];
            for (size_t j = 0; j < p->n; j++)
                v += p->B[j * p->nv + k] * lambda[j];
            sum += fabs(p->J[i * p->nv + k] * v);
        }
        terms += sum * sum / p->diagonal[i];
        size += p->diagonal[i] * lambda[i] * lambda[i];
    }
    return sqrt(terms / size);
}

typedef struct answer {
    double *high, *low; /* n each */
} answer;

static double distance(const dense_problem *at, const answer *x, const answer *y)
{
    double sum = 0.0, size = 0.0;
    for (size_t i = 0; i < at->rows.n; i++) {
        const double e = (x->high[i] - y->high[i]) + (x->low[i] - y->low[i]);
        sum += at->rows.diagonal[i] * e * e;
        size += at->rows.diagonal[i] * y->high[i] * y->high[i];
    }
    return sqrt(sum / size);
}

/* Sweeps after which the error of the start is a hundredth of a rounding. */
static double sweeps_needed(const dense_problem *at, const dls_ladder_rung *rung)
{
    return ceil(log(1e-3 * rung->sums) / log(at->rho));
}

static dls_status run_ratio(dls_study *study, double ratio, const dense_problem *at, dls_error *error)
{
    const settings *set = study->settings;
    findings *f = study->found;
    const size_t n = at->rows.n;
    double *memory = calloc(5 * n + 1, sizeof *memory);
    const answer exact = {memory, memory + n}, found = {memory + 2 * n, memory + 3 * n};
    double *start = memory + 4 * n;
    dls_status status = memory ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", n);
    const double most = sweeps_needed(at, rungs[TWOFOLD]);
    if (status == DLS_OK && most <= (double)set->sweeps &&
        !rungs[TWOFOLD]->run(&at->rows, (size_t)most, start, exact.high, exact.low))
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for sweeps of %zu rows", n);
    for (size_t i = 0; i < n && status == DLS_OK; i++)
        start[i] = exact.high[i] * (1.0 + 1e-3 * sin((double)i));
    for (size_t r = 0; r < RUNGS && status == DLS_OK && most <= (double)set->sweeps; r++) {
        const double sweeps = sweeps_needed(at, rungs[r]);
        if (!rungs[r]->run(&at->rows, (size_t)sweeps, start, found.high, found.low)) {
            status = dls_fail(error, DLS_NO_MEMORY, "no memory for sweeps of %zu rows", n);
            break;
        }
        const double error_found = distance(at, &found, &exact);
        const double gathered = sqrt(1.0 - log(rungs[r]->sums) / (1.0 - at->rho));
        const double predicted =
            (rungs[r]->coefficients + rungs[r]->sums * gathered) * at->amplification * relative_terms(at, exact.high);
        dls_table_row(study->tables[STALLS], "%g %s %g %g %g %g %g", ratio, rungs[r]->name, at->rho, at->amplification,
                      sweeps, error_found, predicted);
        const double share = error_found / predicted;
        f->worst_ratio = f->count == 0 ? share : fmax(f->worst_ratio, share);
        f->least_ratio = f->count == 0 ? share : fmin(f->least_ratio, share);
        f->count++;
        f->error[r] = error_found;
        f->mass = ratio;
    }
    free(memory);
    return status;
}

static dls_status run_ratios(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    for (dls_grid g = DLS_GRID(set->ratios.count); dls_study_next(study, &g);) {
        const double ratio = set->ratios.reals[g.at[0]];
        dense_problem at;
        dls_status status = open_problem(&at, set->links, ratio, set->step, error);
        if (status == DLS_OK)
            status = run_ratio(study, ratio, &at, error);
        close_problem(&at);
        DLS_TRY(status);
    }
    return DLS_OK;
}

static const dls_experiment_part parts[] = {{"stalls", run_ratios}, {NULL, NULL}};

static dls_status figures(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    dls_figure figure;
    dls_figure_begin(&figure, study, "precision", STALLS, NULL);
    return dls_figure_draw(&figure, error,
                           "Relative error of the impulses at which projected Gauss-Seidel stalls on a chain of %zu "
                           "boxes, over the mass ratio of the last one: measured (points) and predicted from the "
                           "roundings of a sweep and of the carried velocity (lines). Float coefficients cost digits "
                           "once, float sums more with every sweep.",
                           set->links);
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    const findings *f = study->found;
    if (f->count == 0)
        return;
    snprintf(finding->figure, sizeof finding->figure, "precision");
    snprintf(finding->sentence, sizeof finding->sentence,
             "At a mass ratio of %g sweeps in float stall at %.1e of the impulses, with float coefficients and double "
             "sums at %.1e; all precisions stall at %.1g to %.1g of what rounding theory predicts.",
             f->mass, f->error[FLOAT], f->error[MIXED], f->least_ratio, f->worst_ratio);
}

const dls_experiment dls_experiment_precision = {
    .name = "precision",
    .summary = "where sweeps stall in float, double and double-double, from one source, against theory",
    .title = "Precision",
    .question = "How many digits does a sweep have in float, double and double-double?",
    .varies = "the precision of coefficients and of sums, and the mass ratio",
    .measures = "the relative error at which the sweep stalls, against the fixed point in double-double",
    .shows = "that the stall is the unit roundoff times the factor by which a sweep amplifies errors, so that a mass "
             "ratio costs as many digits as iterations",
    .fields = DLS_FIELD_TABLE(fields, settings),
    .small = "ratios=1,10 sweeps=20000",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(findings),
    .figures = figures,
    .conclude = conclude,
};
