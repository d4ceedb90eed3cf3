/* Accelerations under bilateral rows by Gauss' principle, and changes that restore them.
 *
 * M vdot = F + J^T f with J vdot = -Jdot v is the KKT system [M, -J^T; J, 0] [vdot; f] = [F; -Jdot v]. Of all vdot
 * that the rows allow it has the least (vdot - a)^T M (vdot - a), a = M^-1 F (Gauss 1829; F. Udwadia and R. Kalaba,
 * Proc. R. Soc. A 439 (1992) 407). With M = L L^T and W = L^-1 J^T,
 *     vdot = a + L^-T z,   z the shortest vector with W^T z = -Jdot v - J a,
 * by a QR factorisation of W, so that the condition number of W enters and not that of J M^-1 J^T. The same z with
 * -C, -J v on the right restores the rows at the smallest cost in the mass metric.
 *
 * REDUNDANT ROWS. In a position that holds C = 0 they are found by QR with column pivoting of W, its columns scaled
 * to 1: a row whose remainder is below 1e-8 says nothing new (the rows' own rounding is 1e-15, and what |C| leaves
 * 1e-13). Within a step, where an integrator looks at positions a little off C = 0, redundant rows disagree with each
 * other, and a least-squares solution of them all would follow that disagreement divided by itself. Hence a step
 * keeps to the rows chosen at its start. Those left out hold by the geometry, which is measured after every step. */
#include "blas.h"
#include "parts.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

static const double rank_tolerance = 1e-8, weak_tolerance = 1e-3; /* weak: a singular position is near */
static const double slow_sliding = 3e-8; /* against max(1, |v|) in units of the row, at the default tolerance */

/* --- memory --- */

static int larger(int size, double asked) { return asked > size ? (int)asked : size; }

/* The work space of LAPACK for matrices of nv x n and nv x nv. */
static int work_size(lapack_int nv, lapack_int n)
{
    double best = 0.0, none = 0.0;
    lapack_int pivot = 0, narrow = n < nv ? n : nv;
    int size = 1;
    LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, nv, narrow, &none, nv, &none, &best, -1);
    size = larger(size, best);
    LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', nv, 1, narrow, &none, nv, &none, &none, nv, &best, -1);
    size = larger(size, best);
    LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, nv, n, &none, nv, &pivot, &none, &best, -1);
    size = larger(size, best);
    LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, nv, nv, narrow, &none, nv, &none, &best, -1);
    return larger(size, best);
}

dls_status trajectory_system_create(trajectory_system *s, const trajectory_rows *rows, dls_arena *memory,
                                    dls_error *error)
{
    size_t nv = s->nv = rows->has.nv, n = rows->events ? rows->n : rows->n_bilateral;
    DLS_TRY(dls_blas_ready(error));
    s->work_size = nv ? work_size((lapack_int)nv, (lapack_int)n) : 1;
    s->M = DLS_TAKE_ZEROS(memory, double, nv *nv);
    s->force = DLS_TAKE_ZEROS(memory, double, nv);
    s->W = DLS_TAKE_ZEROS(memory, double, nv *n);
    s->side = DLS_TAKE_ZEROS(memory, double, nv + n);
    s->tau = DLS_TAKE_ZEROS(memory, double, 2 * n + nv);
    s->work = DLS_TAKE_ZEROS(memory, double, (size_t)s->work_size);
    s->pivot = DLS_TAKE_ZEROS(memory, int, n);
    s->held = DLS_TAKE_ZEROS(memory, size_t, n);
    s->basis = DLS_TAKE_ZEROS(memory, size_t, n);
    s->touched = DLS_TAKE_ZEROS(memory, size_t, nv);
    s->f = DLS_TAKE_ZEROS(memory, double, n);
    s->n = rows->n;
    if (rows->events) {
        s->V = DLS_TAKE_ZEROS(memory, double, nv *n);
        s->K = DLS_TAKE_ZEROS(memory, double, n *n);
        s->pushed = DLS_TAKE_ZEROS(memory, double, nv);
        s->full = DLS_TAKE_ZEROS(memory, double, n *n);
    }
    s->Z = DLS_TAKE_ZEROS(memory, double, nv *nv);
    s->MZ = DLS_TAKE_ZEROS(memory, double, nv *nv);
    s->reduced = DLS_TAKE_ZEROS(memory, double, nv *nv);
    return memory->failed
               ? dls_fail(error, DLS_NO_MEMORY, "no memory for a dense system of %zu velocities and %zu rows", nv, n)
               : DLS_OK;
}

/* --- M and forces --- */

static void put3(double *to, dls_vec3 a) { to[0] = a.x, to[1] = a.y, to[2] = a.z; }

static void add_body_mass(trajectory_system *s, const dls_configuration *c, const dls_state *state, size_t i)
{
    const dls_body *body = &dls_model_bodies(c->model)[i];
    if (body->offset == DLS_NONE)
        return;
    size_t at = body->offset;
    const dls_end end = c->bodies[i];
    dls_mat3 inertia = dls_rotate_tensor(end.R, body->inertia);
    const dls_spatial outer = dls_configuration_body_force(c, state, i);
    for (size_t k = 0; k < 3; k++) {
        s->M[(at + k) * (s->nv + 1)] = body->mass;
        for (size_t l = 0; l < 3; l++)
            s->M[at + 3 + k + s->nv * (at + 3 + l)] = inertia.m[3 * k + l];
    }
    put3(s->force + at, dls_add(dls_scale(body->mass, dls_model_world(c->model)->gravity), outer.lin));
    put3(s->force + at + 3, dls_sub(outer.ang, dls_cross(end.omega, dls_mul3(inertia, end.omega))));
}

/* M by composite inertias, C + g - J^T f by inverse dynamics. */
static void add_articulation(trajectory_system *s, const dls_configuration *at, const dls_state *state, size_t a)
{
    const dls_model_articulation *articulation = &dls_model_articulations(at->model)[a];
    const dls_articulation_load load = dls_state_load(at->model, state, a);
    double *force = s->force + articulation->offset;
    dls_articulation_inverse(at->works[a], NULL, dls_configuration_link_forces(at, state, a),
                             dls_model_world(at->model)->gravity, force);
    for (size_t k = 0; k < articulation->tree->nv; k++)
        force[k] = load.tau[k] - force[k];
    dls_articulation_mass_matrix(at->works[a], s->M + articulation->offset * (s->nv + 1), s->nv);
}

/* The direction of sliding, f_t = -mu f_n u / |u|. Beyond the place where the sliding ends, which a step may reach
 * before it is found, the force goes on as it was: the direction is turned by half a turn where it has been reversed
 * since the last event. */
static void find_direction(const trajectory_rows *rows, trajectory_row *row, const double *v)
{
    const size_t i = (size_t)(row - rows->row);
    const double u[2] = {trajectory_row_speed(rows, i, v), trajectory_row_speed(rows, i + 1, v)};
    const double length = hypot(u[0], u[1]), along = u[0] * row[0].onset + u[1] * row[1].onset;
    const double sign = along < -0.5 * length ? -1.0 : 1.0;
    const double speed = row->size * fmax(1.0, trajectory_rows_largest(rows, v));
    for (int k = 0; k < 2; k++)
        row[k].direction = length > 1e-12 * speed ? sign * u[k] / length : row[k].onset;
    row->slow = length < slow_sliding * rows->grain * speed;
}

/* The force of a row that does not follow from accelerations. */
static void add_row_force(trajectory_system *s, trajectory_rows *rows, size_t i, const double *v)
{
    trajectory_row *row = &rows->row[i];
    switch (row->mode) {
    case TRAJECTORY_FOLLOWS:
        row->force = row->feed - row->kp * row->C - row->kd * (trajectory_row_speed(rows, i, v) - row->u);
        break;
    case TRAJECTORY_AT_LO:
        row->force = row->lo;
        break;
    case TRAJECTORY_AT_HI:
        row->force = row->hi;
        break;
    case TRAJECTORY_SLIDES:
        s->slides = true;
        if (row->kind == TRAJECTORY_DISC)
            find_direction(rows, row, v);
        else if (row->kind == TRAJECTORY_BOX)
            row->direction = row->onset;
        return;
    default:
        row->force = 0.0;
        return;
    }
    cblas_daxpy((int)s->nv, row->force, rows->JT + s->nv * i, 1, s->force, 1);
}

dls_status trajectory_system_evaluate(trajectory_system *s, trajectory_rows *rows, const dls_state *state, bool factor,
                                      dls_error *error)
{
    DLS_TRY(dls_blas_ready(error));
    memset(s->M, 0, s->nv * s->nv * sizeof *s->M);
    trajectory_rows_evaluate(rows, state);
    dls_configuration_immerse(rows->at);
    for (size_t i = 0; i < rows->has.bodies; i++)
        add_body_mass(s, rows->at, state, i);
    for (size_t a = 0; a < rows->has.articulations; a++)
        add_articulation(s, rows->at, state, a);
    s->slides = false;
    for (size_t i = 0; i < rows->n; i++)
        add_row_force(s, rows, i, state->v);
    lapack_int nv = (lapack_int)s->nv;
    if (factor && nv > 0 && LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', nv, s->M, nv) != 0)
        return dls_fail(error, DLS_BAD_INPUT, "the mass matrix is not positive definite at t = %.9g s", state->time);
    return DLS_OK;
}

/* --- rows --- */

static void solve_lower(const trajectory_system *s, CBLAS_TRANSPOSE transposed, double *X, size_t columns)
{
    if (s->nv > 0 && columns > 0)
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, transposed, CblasNonUnit, (int)s->nv, (int)columns, 1.0, s->M,
                    (int)s->nv, X, (int)s->nv);
}

void trajectory_system_lower(const trajectory_system *s, double *X, size_t columns)
{
    solve_lower(s, CblasNoTrans, X, columns);
}

/* Scale the columns of W, height x n, to `weight` (NULL: 1) and factor it; the first `rank` of `pivot` (from 1) are
 * independent. */
static dls_status find_rank(trajectory_system *s, size_t height, size_t n, const double *weight, dls_error *error)
{
    lapack_int m = (lapack_int)height;
    s->rank = s->weak = 0;
    for (size_t k = 0; k < n; k++) {
        double length = cblas_dnrm2(m, s->W + height * k, 1);
        s->pivot[k] = 0;
        if (length > 0.0)
            cblas_dscal(m, (weight ? weight[k] : 1.0) / length, s->W + height * k, 1);
    }
    if (n == 0 || height == 0)
        return DLS_OK;
    if (LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, m, (lapack_int)n, s->W, m, s->pivot, s->tau, s->work, s->work_size) != 0)
        return dls_fail(error, DLS_NOT_FINITE, "the rows cannot be factored");
    for (; s->rank < n && s->rank < height; s->rank++) {
        const double remainder = fabs(s->W[s->rank * (height + 1)]) / (weight ? weight[s->pivot[s->rank] - 1] : 1.0);
        if (!(remainder > rank_tolerance))
            break;
        s->weak += remainder < weak_tolerance;
    }
    return DLS_OK;
}

/* Where rows say the same, joints are kept before stops, and stops before friction. */
static double row_weight(const trajectory_row *row)
{
    return row->kind == TRAJECTORY_BILATERAL || row->kind == TRAJECTORY_SPEED ? 1.0
           : row->kind == TRAJECTORY_STOP                                     ? 0.01
                                                                              : 0.001;
}

size_t trajectory_system_rank(trajectory_system *s, const trajectory_rows *rows, const size_t *row, size_t n)
{
    for (size_t k = 0; k < n; k++)
        memcpy(s->W + s->nv * k, rows->JT + s->nv * row[k], s->nv * sizeof *s->W);
    solve_lower(s, CblasNoTrans, s->W, n);
    return find_rank(s, s->nv, n, NULL, NULL) == DLS_OK ? s->rank : 0;
}

dls_status trajectory_system_choose(trajectory_system *s, const trajectory_rows *rows, dls_error *error)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->row[i].mode == TRAJECTORY_HELD && trajectory_row_acts(rows, i)) {
            memcpy(s->W + s->nv * n, rows->JT + s->nv * i, s->nv * sizeof *s->W);
            s->side[n] = row_weight(&rows->row[i]);
            s->held[n++] = i;
        }
    solve_lower(s, CblasNoTrans, s->W, n);
    DLS_TRY(find_rank(s, s->nv, n, s->side, error));
    for (size_t k = 0; k < s->rank; k++)
        s->basis[k] = s->held[s->pivot[k] - 1];
    s->n_held = n;
    return DLS_OK;
}

/* W = L^-1 J^T of the basis, each column of length 1 times `scale`, in f. */
static void gather_basis(trajectory_system *s, const trajectory_rows *rows)
{
    for (size_t k = 0; k < s->rank; k++)
        memcpy(s->W + s->nv * k, rows->JT + s->nv * s->basis[k], s->nv * sizeof *s->W);
    solve_lower(s, CblasNoTrans, s->W, s->rank);
    for (size_t k = 0; k < s->rank; k++) { /* newtons beside newton metres: all rows alike */
        s->f[k] = 1.0 / cblas_dnrm2((int)s->nv, s->W + s->nv * k, 1);
        cblas_dscal((int)s->nv, s->f[k], s->W + s->nv * k, 1);
        s->side[k] *= s->f[k];
    }
}

/* x += L^-T z, z the shortest with W^T z = side; the forces that do it, W f = z, in f. */
dls_status trajectory_system_correct(trajectory_system *s, const trajectory_rows *rows, double *x, dls_error *error)
{
    lapack_int nv = (lapack_int)s->nv, rank = (lapack_int)s->rank;
    if (rank == 0)
        return DLS_OK;
    gather_basis(s, rows);
    if (LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, nv, rank, s->W, nv, s->tau, s->work, s->work_size) != 0)
        return dls_fail(error, DLS_NOT_FINITE, "the rows cannot be factored");
    for (size_t k = 0; k < s->rank; k++)
        if (!(fabs(s->W[k * (s->nv + 1)]) > 0.0))
            return dls_fail(error, DLS_REFUSED,
                            "rows that were independent at the start of a step depend on each other within it");
    /* W = Q R: z = Q y with R^T y = side, and R (f / scale) = y */
    cblas_dtrsv(CblasColMajor, CblasUpper, CblasTrans, CblasNonUnit, rank, s->W, nv, s->side, 1);
    for (size_t k = s->rank; k < s->nv; k++)
        s->side[k] = 0.0;
    memcpy(s->tau + s->rank, s->side, s->rank * sizeof *s->side);
    cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, rank, s->W, nv, s->tau + s->rank, 1);
    for (size_t k = 0; k < s->rank; k++)
        s->f[k] *= s->tau[s->rank + k];
    if (LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', nv, 1, rank, s->W, nv, s->tau, s->side, nv, s->work,
                            s->work_size) != 0)
        return dls_fail(error, DLS_NOT_FINITE, "the rows cannot be factored");
    solve_lower(s, CblasTrans, s->side, 1);
    cblas_daxpy((int)s->nv, 1.0, s->side, 1, x, 1);
    return DLS_OK;
}

void trajectory_system_column(const trajectory_system *s, const trajectory_rows *rows, size_t i, double *to)
{
    memcpy(to, rows->JT + s->nv * i, s->nv * sizeof *to);
    for (size_t t = i + 1; t < rows->n && rows->row[t].owner == rows->row[i].owner; t++)
        if (rows->row[t].mode == TRAJECTORY_SLIDES && rows->row[t].parent == i)
            cblas_daxpy((int)s->nv, -rows->row[t].mu * rows->row[t].direction, rows->JT + s->nv * t, 1, to, 1);
}

/* vdot = a + M^-1 G^T f, a in `force`, with J vdot = -drift for the basis. */
static dls_status push_by_rows(trajectory_system *s, const trajectory_rows *rows, double *vdot, dls_error *error)
{
    const int nv = (int)s->nv, rank = (int)s->rank;
    for (size_t k = 0; k < s->rank; k++)
        s->side[k] = -rows->drift[s->basis[k]] - trajectory_row_rate(rows, s->basis[k], s->force);
    memcpy(vdot, s->force, s->nv * sizeof *vdot);
    if (rank == 0)
        return DLS_OK;
    gather_basis(s, rows);
    for (size_t k = 0; k < s->rank; k++)
        trajectory_system_column(s, rows, s->basis[k], s->V + s->nv * k);
    solve_lower(s, CblasNoTrans, s->V, s->rank);
    for (size_t k = 0; k < s->rank; k++)
        cblas_dscal(nv, s->f[k], s->V + s->nv * k, 1);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rank, rank, nv, 1.0, s->W, nv, s->V, nv, 0.0, s->K, rank);
    if (LAPACKE_dgesv_work(LAPACK_COL_MAJOR, rank, 1, s->K, rank, s->pivot, s->side, rank) != 0)
        return dls_fail(error, DLS_REFUSED, "a contact that slides jams: no force moves its normal row");
    cblas_dgemv(CblasColMajor, CblasNoTrans, nv, rank, 1.0, s->V, nv, s->side, 1, 0.0, s->pushed, 1);
    for (size_t k = 0; k < s->rank; k++)
        s->f[k] *= s->side[k];
    solve_lower(s, CblasTrans, s->pushed, 1);
    cblas_daxpy(nv, 1.0, s->pushed, 1, vdot, 1);
    return DLS_OK;
}

/* Sliding that has just begun: with u = 0 its direction follows from the accelerations, u' = a_t along e, and for small
 * u it is near that one: e' = (a_t - e e . a_t) / |u| drives it there at the rate mu f_n / |u|, which no explicit
 * integrator follows. Below slow_sliding, e is the one with a_t x e = 0, by the secant method in its angle. It misses
 * the true one by |u| e' / (mu f_n), so that the velocity is off by some 1e-12 of the speeds when this ends. */
static double sideways(trajectory_system *s, trajectory_rows *rows, size_t i, double angle, double *vdot,
                       dls_error *error)
{
    trajectory_row *row = &rows->row[i];
    row[0].direction = cos(angle), row[1].direction = sin(angle);
    if (push_by_rows(s, rows, vdot, error) != DLS_OK)
        return (double)NAN;
    const double a[2] = {rows->drift[i] + trajectory_row_rate(rows, i, vdot),
                         rows->drift[i + 1] + trajectory_row_rate(rows, i + 1, vdot)};
    return a[0] * row[1].direction - a[1] * row[0].direction;
}

static dls_status turn_slow(trajectory_system *s, trajectory_rows *rows, size_t i, double *vdot, dls_error *error)
{
    enum { ROUNDS = 30 };
    trajectory_row *row = &rows->row[i];
    const double start = atan2(row[1].direction, row[0].direction);
    double angle[2] = {start, start + 1e-6}, a[2];
    for (int k = 0; k < 2; k++)
        a[k] = sideways(s, rows, i, angle[k], vdot, error);
    for (int k = 0; k < ROUNDS && a[1] != a[0] && !isnan(a[1]); k++) {
        const double next = angle[1] - a[1] * (angle[1] - angle[0]) / (a[1] - a[0]);
        if (!(fabs(next - start) < 1.0) || fabs(next - angle[1]) < 1e-15)
            break;
        angle[0] = angle[1], a[0] = a[1];
        angle[1] = next, a[1] = sideways(s, rows, i, next, vdot, error);
    }
    return push_by_rows(s, rows, vdot, error);
}

dls_status trajectory_system_accelerate(trajectory_system *s, trajectory_rows *rows, double *vdot, dls_error *error)
{
    solve_lower(s, CblasNoTrans, s->force, 1);
    solve_lower(s, CblasTrans, s->force, 1);
    if (s->slides) {
        DLS_TRY(push_by_rows(s, rows, vdot, error));
        for (size_t i = 0; i < rows->n; i++)
            if (rows->row[i].mode == TRAJECTORY_SLIDES && rows->row[i].kind == TRAJECTORY_DISC && rows->row[i].begins &&
                rows->row[i].slow)
                DLS_TRY(turn_slow(s, rows, i, vdot, error));
    } else {
        for (size_t k = 0; k < s->rank; k++)
            s->side[k] = -rows->drift[s->basis[k]] - trajectory_row_rate(rows, s->basis[k], s->force);
        memcpy(vdot, s->force, s->nv * sizeof *vdot);
        DLS_TRY(trajectory_system_correct(s, rows, vdot, error));
    }
    for (size_t k = 0; k < s->rank; k++)
        rows->row[s->basis[k]].force = s->f[k];
    return DLS_OK;
}

/* --- all rows at once --- */

void trajectory_system_dense(trajectory_system *s, const trajectory_rows *rows)
{
    const int nv = (int)s->nv, n = (int)rows->n;
    memcpy(s->W, rows->JT, s->nv * rows->n * sizeof *s->W);
    for (size_t i = 0; i < rows->n; i++)
        trajectory_system_column(s, rows, i, s->V + s->nv * i);
    solve_lower(s, CblasNoTrans, s->W, rows->n);
    solve_lower(s, CblasNoTrans, s->V, rows->n);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, n, nv, 1.0, s->W, nv, s->V, nv, 0.0, s->full, n);
    solve_lower(s, CblasNoTrans, s->force, 1);
    solve_lower(s, CblasTrans, s->force, 1);
}

void trajectory_system_strike(trajectory_system *s, const trajectory_rows *rows, const double *z, double *v)
{
    memset(s->side, 0, s->nv * sizeof *s->side);
    for (size_t i = 0; i < rows->n; i++)
        cblas_daxpy((int)s->nv, z[i], rows->JT + s->nv * i, 1, s->side, 1);
    solve_lower(s, CblasNoTrans, s->side, 1);
    solve_lower(s, CblasTrans, s->side, 1);
    cblas_daxpy((int)s->nv, 1.0, s->side, 1, v, 1);
}

/* --- elimination --- */

/* Only columns that some row has are mixed: with G = J without the others, G^T P = Q R, and the last columns of Q
 * span ker G. */
static size_t touched_columns(trajectory_system *s, const trajectory_rows *rows)
{
    size_t touched = 0;
    for (size_t c = 0; c < s->nv; c++) {
        bool any = false;
        for (size_t i = 0; i < rows->n; i++)
            any = any || (rows->row[i].kind == TRAJECTORY_BILATERAL && rows->JT[c + s->nv * i] != 0.0);
        if (any)
            s->touched[touched++] = c;
    }
    return touched;
}

static void gather_Z(trajectory_system *s, size_t touched)
{
    s->columns = 0;
    for (size_t c = 0, t = 0; c < s->nv; c++)
        if (t < touched && s->touched[t] == c)
            t++;
        else
            s->Z[c + s->nv * s->columns++] = 1.0;
    for (size_t k = s->rank; k < touched; k++, s->columns++)
        for (size_t t = 0; t < touched; t++)
            s->Z[s->touched[t] + s->nv * s->columns] = s->M[t + touched * k];
}

dls_status trajectory_system_null_space(trajectory_system *s, const trajectory_rows *rows, dls_error *error)
{
    size_t n = 0, touched = touched_columns(s, rows);
    for (size_t i = 0; i < rows->n; i++)
        if (rows->row[i].kind == TRAJECTORY_BILATERAL) {
            for (size_t t = 0; t < touched; t++)
                s->W[t + touched * n] = rows->JT[s->touched[t] + s->nv * i];
            n++;
        }
    DLS_TRY(find_rank(s, touched, n, NULL, error));
    const size_t kept = n < touched ? n : touched;
    lapack_int m = (lapack_int)touched; /* Q, touched x touched, of the factored W goes into M */
    memcpy(s->M, s->W, touched * kept * sizeof *s->M);
    if (m > 0 &&
        LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, m, m, (lapack_int)kept, s->M, m, s->tau, s->work, s->work_size) != 0)
        return dls_fail(error, DLS_NOT_FINITE, "the rows cannot be factored");
    gather_Z(s, touched);
    return DLS_OK;
}

dls_status trajectory_system_eliminate(trajectory_system *s, const dls_state *state, double *wdot, dls_error *error)
{
    int nv = (int)s->nv, k = (int)s->columns;
    if (k == 0)
        return DLS_OK;
    cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, nv, k, 1.0, s->M, nv, s->Z, nv, 0.0, s->MZ, nv);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, k, k, nv, 1.0, s->Z, nv, s->MZ, nv, 0.0, s->reduced, k);
    cblas_dgemv(CblasColMajor, CblasTrans, nv, k, 1.0, s->Z, nv, s->force, 1, 0.0, wdot, 1);
    if (LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'L', k, 1, s->reduced, k, wdot, k) != 0)
        return dls_fail(error, DLS_BAD_INPUT, "the mass matrix is not positive definite at t = %.9g s", state->time);
    return DLS_OK;
}
