/* Damped projected Jacobi: all rows at once, each with the velocities and impulses of the previous iteration.
 *
 *     lambda_i' = clamp(lambda_i - omega (J_i v + Gamma_ii lambda_i - c_i) / A_ii, lo_i, hi_i)
 *     v        <- v + sum_i B_i (lambda_i' - lambda_i)
 *
 * Without damping it diverges where the corrections of several rows add up: for symmetric A it converges if
 * omega < 2 / mu, with mu the largest eigenvalue of D^-1 A, which is at most the number of rows that are coupled. Half
 * of Gauss-Seidel's step, the default, is sufficient for loosely coupled rows; stacks need less.
 */
#include "sweeper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const dls_field fields[] = {
    DLS_OMEGA_FIELD("0.5", "damping factor; smaller values converge more surely and more slowly")};

static double clamp(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

/* The next impulses of a chunk, which is laid out as packed.h says; y: the velocities of the lanes' bodies, 12 each. */
static void next_of_chunk(const dls_row_batch *batch, unsigned rows, const double *coef, double (*y)[DLS_LANES],
                          const double *lambda, double *next)
{
    const double *s = coef + (size_t)DLS_LANES * 12 * rows, *c = coef + dls_chunk_c(rows);
    const double *gamma = c + (size_t)DLS_LANES * (rows + rows * (rows - 1) / 2);
    const double *bounds = gamma + (batch->compliant ? (size_t)DLS_LANES * rows : 0);
    for (unsigned i = 0; i < rows; i++) {
        double residual[DLS_LANES];
        for (unsigned lane = 0; lane < DLS_LANES; lane++)
            residual[lane] = -c[DLS_LANES * i + lane];
        for (unsigned k = 0; k < 12; k++)
            for (unsigned lane = 0; lane < DLS_LANES; lane++)
                residual[lane] += coef[DLS_LANES * (12 * i + k) + lane] * y[k][lane];
        for (unsigned lane = 0; lane < DLS_LANES; lane++) {
            const unsigned at = DLS_LANES * i + lane;
            double lo = -HUGE_VAL, hi = HUGE_VAL;
            if (batch->compliant)
                residual[lane] += gamma[at] * lambda[at];
            if (batch->kind == DLS_BATCH_BOXED) {
                lo = bounds[at], hi = bounds[DLS_LANES * rows + at];
            } else if (batch->kind == DLS_BATCH_COUPLED && i == 0) {
                lo = bounds[at], hi = bounds[DLS_LANES + at];
            } else if (batch->kind == DLS_BATCH_COUPLED) {
                hi = bounds[DLS_LANES + at] * (lambda[lane] > 0.0 ? lambda[lane] : 0.0);
                lo = -hi;
            }
            next[at] = clamp(lambda[at] - s[at] * residual[lane], lo, hi);
        }
    }
}

static void next_of_batch(const dls_packed *packed, const dls_row_batch *batch, double *next)
{
    const double *coef = packed->coef.at + batch->at;
    double y[12][DLS_LANES];
    for (unsigned k = 0; k < 12; k++)
        for (unsigned lane = 0; lane < DLS_LANES; lane++)
            y[k][lane] = packed->y.at[batch->from[k / 6][lane] + k % 6];
    for (unsigned r = 0, rows; r < batch->rows; r += rows) {
        rows = batch->rows - r < DLS_CHUNK_ROWS ? batch->rows - r : DLS_CHUNK_ROWS;
        size_t first = batch->lambda + (size_t)DLS_LANES * r;
        next_of_chunk(batch, rows, coef, y, packed->lambda.at + first, next + first);
        coef += DLS_LANES * dls_chunk_vectors(batch->kind, batch->compliant, rows);
    }
}

typedef struct jacobi {
    dls_packed *packed;
    dls_doubles next; /* n_lambda: the next impulses, then their changes */
} jacobi;

static void close(void *work)
{
    jacobi *w = work;
    if (!w)
        return;
    dls_packed_destroy(w->packed);
    free(w->next.at);
    free(w);
}

static dls_status start(jacobi *w, dls_error *error)
{
    if (!dls_doubles_room(&w->next, 0, w->packed->n_lambda))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", w->packed->n);
    memcpy(w->next.at, w->packed->lambda.at, w->packed->n_lambda * sizeof(double));
    return DLS_OK;
}

static dls_status reload(void *work, const dls_problem *problem, const double *lambda0, dls_error *error)
{
    jacobi *w = work;
    DLS_TRY(dls_packed_load(w->packed, problem, lambda0, error));
    return start(w, error);
}

static dls_status renew(void *work, const dls_problem *problem, const double *v, dls_error *error)
{
    jacobi *w = work;
    DLS_TRY(dls_packed_renew(w->packed, problem, v, error));
    return start(w, error);
}

static dls_status open(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                       dls_error *error)
{
    jacobi *w = *work = calloc(1, sizeof *w);
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for Jacobi's iteration");
    dls_status status = dls_sweeper_create(settings, &w->packed, error);
    if (status == DLS_OK)
        status = reload(w, problem, lambda0, error);
    if (status != DLS_OK) {
        close(w);
        *work = NULL;
    }
    return status;
}

static dls_status iterate(void *work, dls_report *report, dls_error *error)
{
    jacobi *w = work;
    dls_packed *packed = w->packed;
    (void)error;
    for (size_t k = 0; k < packed->n_batches; k++) {
        const dls_row_batch *batch = &packed->batches[k];
        if (batch->kind == DLS_BATCH_ROW) {
            const dls_general_row *row = &packed->general[batch->at];
            double lo, hi, old = packed->lambda.at[row->lambda];
            dls_general_bounds(packed, row, &lo, &hi);
            w->next.at[row->lambda] = clamp(old - row->s * dls_general_residual(packed, row), lo, hi);
        } else {
            next_of_batch(packed, batch, w->next.at);
        }
    }
    for (size_t k = 0; k < packed->n_lambda; k++) {
        double to = w->next.at[k];
        w->next.at[k] = to - packed->lambda.at[k];
        packed->lambda.at[k] = to;
    }
    dls_packed_add(packed, w->next.at);
    memcpy(w->next.at, packed->lambda.at, packed->n_lambda * sizeof(double)); /* rows that nothing moves stay */
    report->iterations++;
    report->dead_rows = packed->dead;
    return DLS_OK;
}

static void read(const void *work, double *lambda) { dls_packed_read(((const jacobi *)work)->packed, lambda); }

static void refresh(void *work, const double *c) { dls_packed_refresh(((jacobi *)work)->packed, c); }

static void velocity(const void *work, double *v) { dls_packed_velocity(((const jacobi *)work)->packed, v); }

static dls_splitting splitting(const void *settings)
{
    return (dls_splitting){DLS_SPLITTING_JACOBI, ((const dls_sweeper_settings *)settings)->omega};
}

const dls_solver dls_solver_jacobi = {
    .name = "jacobi",
    .summary = "damped projected Jacobi",
    .source = "C. G. J. Jacobi, 1845; damped and projected: O. L. Mangasarian, 1977",
    .kind = DLS_SOLVER_ITERATIVE,
    .accepts = DLS_SWEEPER_ACCEPTS,
    .fields = DLS_FIELD_TABLE(fields, dls_sweeper_settings),
    .open = open,
    .reload = reload,
    .iterate = iterate,
    .read = read,
    .close = close,
    .refresh = refresh,
    .velocity = velocity,
    .renew = renew,
    .splitting = splitting,
};
