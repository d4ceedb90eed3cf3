/* Another scheme in a shared object, which solves positions by itself: extended position based dynamics.
 *
 *     cc -shared -fPIC own_xpbd.c $(pkg-config --cflags --libs delassus) -o own_xpbd.so
 *     delassus run scene.yaml --scheme ./own_xpbd.so -o out
 *
 * M. Macklin, M. Mueller, N. Chentanez, XPBD, 2016; M. Mueller, M. Macklin et al., Detailed rigid body simulation with
 * extended position based dynamics, 2020. A step is q_1 = q (+) h v*, then sweeps over the rows, each with its C and J
 * at the positions that the rows before it have left, the multiplier h p, and the compliance alpha of its spring:
 *     h dp = (-C - alpha / h p) / (J M^-1 J^T + alpha / h^2)     p + dp >= 0 of a stop
 *     q_1 <- q_1 (+) M^-1 J^T h dp,  p <- p + dp
 * and v+ = (q_1 (-) q) / h. At rest M (q_1 - q (+) h v*) = h J^T p balances the weight, and C = -alpha p / h is the
 * static deflection of the spring, whatever h and the number of sweeps are. p is the impulse of the row, so that the
 * examiner measures how far it is from that of the linearised problem of the step. Dampers, friction and motors are
 * left out: p is 0 there. The scheme xpbd of the library has them, substeps, and a ledger of its impulses.
 */
#include <delassus/delassus.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct xpbd {
    dls_row_list *rows; /* at q_1 */
    double *dx, *scratch;
} xpbd;

static dls_status open_work(dls_simulation *s, void **work, dls_error *error)
{
    const size_t nv = dls_model_count(dls_simulation_model(s)).nv;
    xpbd *w = *work = calloc(1, sizeof *w + 2 * nv * sizeof *w->dx);
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu displacements", nv);
    w->dx = (double *)(w + 1);
    w->scratch = w->dx + nv;
    return dls_row_list_create(&w->rows, error);
}

static void close_work(void *work)
{
    if (work)
        dls_row_list_destroy(((xpbd *)work)->rows);
    free(work);
}

static double compliance(const dls_list_row *row, double h)
{
    if (row->spring)
        return row->spring->mobility / row->spring->kp;
    return row->cfm > 0.0 ? h * row->cfm / row->erp : 0.0;
}

static void correct(dls_simulation *s, xpbd *w, size_t i, double h)
{
    const dls_list_row *row = &w->rows->row[i];
    const size_t nv = w->rows->J.n_columns;
    const double alpha = compliance(row, h);
    double *p = &dls_stage_impulses(s)[i];
    memset(w->dx, 0, nv * sizeof *w->dx);
    const double mobility = dls_row_list_response(w->rows, i, w->dx, w->scratch) + alpha / (h * h);
    if (!(mobility > 0.0) || isinf(mobility))
        return;
    const double next = *p - (row->C + alpha / h * *p) / (h * mobility);
    const double dp = (row->role == DLS_ROLE_STOP ? fmax(next, 0.0) : next) - *p;
    for (size_t k = 0; k < nv; k++)
        w->dx[k] *= h * dp;
    *p += dp;
    dls_stage_displace(s, w->dx);
}

static dls_status step(dls_simulation *s, const void *settings, void *work, double h, dls_error *error)
{
    xpbd *w = work;
    (void)settings;
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, h, error));
    memset(dls_stage_impulses(s), 0, dls_stage_problem(s)->n * sizeof(double));
    dls_stage_kick(s); /* by the forces alone */
    dls_stage_drift(s, h);
    const dls_energies before = dls_stage_energies(s);
    for (size_t n = 0; n < dls_stage_iterations(s); n++) {
        DLS_TRY(dls_stage_rows(s, w->rows, h, error));
        for (size_t i = 0, first = 0; i < w->rows->n; i++) {
            const dls_row_role role = w->rows->row[i].role;
            first = w->rows->row[i].owner == w->rows->row[first].owner ? first : i;
            if (role != DLS_ROLE_JOINT && role != DLS_ROLE_STOP)
                continue;
            DLS_TRY(dls_stage_renew_rows(s, w->rows, first, h, error));
            correct(s, w, i, h);
        }
    }
    dls_stage_displacement(s, w->dx);
    for (size_t k = 0; k < dls_stage_problem(s)->nv; k++)
        w->dx[k] /= h;
    dls_stage_set_velocity(s, w->dx);
    dls_stage_count_correction(s, before);
    dls_report_end(dls_stage_report(s), DLS_OUTCOME_ITERATION_LIMIT, "%zu sweeps", dls_stage_iterations(s));
    return dls_stage_end(s, h, error);
}

static const dls_scheme own_xpbd = {
    .name = "own-xpbd",
    .summary = "extended position based dynamics",
    .source = "Macklin, Mueller, Chentanez 2016; Mueller et al. 2020",
    .fields = {NULL, 0, 1},
    .open = open_work,
    .close = close_work,
    .step = step,
};
DLS_SCHEME_PLUGIN(own_xpbd);
