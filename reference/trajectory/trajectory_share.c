/* Forces of rows that share a load, such as the corners of a box.
 *
 * The rows that are held have M vdot = F + G^T f with J vdot = -Jdot v; G = J but for friction that slides by a normal
 * force. With more rows than their rank r, f is not unique: a kernel vector of K = J M^-1 G^T may be added to it.
 *
 * THEOREM. If K has the rank r of J, vdot is unique if and only if G has this rank, too. Proof: vdot changes by M^-1
 * G^T k for k in ker K, which is 0 for all of them just where ker K = ker G^T. The second is a part of the first, and
 * both have the same dimension where the ranks are equal.
 *
 * Without sliding G = J, and vdot is unique. A box that slides without turning has the same direction e at all corners:
 * with g = n - mu e, the rank of (g, x_i x g) is that of (n, x_i x n) for points x_i of the plane. Where it turns, the
 * rank is higher, and its motion depends on the shares of the corners in the load: it is refused.
 *
 * The forces are those of the least sum A_ii f_i^2 with G^T f = G_B^T f_B for a basis B of rows: the same as those by
 * which a continuation is chosen (trajectory_modes.c). They are one choice of several. Friction that holds has the sum
 * a f_i^2 / N_i, with the normal forces N of the least sum without this weight, and a the largest A_ii of friction
 * between the same bodies. Among all f_i with the same resultant force F and torque the least sum f_i^2 / N_i is that
 * of f_i = N_i (p + q e x x_i) for some p and q; the friction of a box at rest on a slope is then f_i = tan(alpha) N_i,
 * whose resultant goes through the centre of pressure as it must, and it is within all cones if tan(alpha) <= mu,
 * however the corners are loaded, and however the box is turned. With A_ii in the place of a it would not be: corners
 * that are farther from the centre would have less. */
#include "parts.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Least singular values, against the largest: G without sliding, as of J (trajectory_system.c); with it, the rounding
 * of directions. */
static const double rank_tolerance = 1e-8, direction_tolerance = 1e-11, slow_tolerance = 1e-6;
static const double least_share = 1e-4; /* of the largest load, in the weights of friction: keeps ranks apart */

dls_status trajectory_share_create(trajectory_system *s, dls_arena *memory, dls_error *error)
{
    const lapack_int nv = (lapack_int)s->nv, n = (lapack_int)s->n;
    double best = 0.0, none = 0.0;
    lapack_int rank = 0, integers = 0;
    if (nv > 0 && n > 0)
        LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, nv, n, 1, &none, nv, &none, nv > n ? nv : n, &none, rank_tolerance, &rank,
                            &best, -1, &integers);
    s->share_size = (int)best;
    s->share_work = DLS_TAKE_ZEROS(memory, double, (size_t)s->share_size);
    s->share_integers = DLS_TAKE_ZEROS(memory, int, (size_t)integers);
    s->singular = DLS_TAKE_ZEROS(memory, double, s->n);
    s->share = DLS_TAKE_ZEROS(memory, double, s->n);
    return memory->failed ? dls_fail(error, DLS_NO_MEMORY, "no memory for the forces of %zu rows", s->n) : DLS_OK;
}

/* V = L^-1 G^T of the rows that are held, column i times share_i = 1 / sqrt(|A_ii|). */
static void gather_shares(trajectory_system *s, const trajectory_rows *rows)
{
    const int nv = (int)s->nv, n = (int)s->n_held;
    for (size_t k = 0; k < s->n_held; k++) {
        memcpy(s->W + s->nv * k, rows->JT + s->nv * s->held[k], s->nv * sizeof *s->W);
        trajectory_system_column(s, rows, s->held[k], s->V + s->nv * k);
    }
    trajectory_system_lower(s, s->W, s->n_held);
    trajectory_system_lower(s, s->V, s->n_held);
    for (int k = 0; k < n; k++) {
        const double A = fabs(cblas_ddot(nv, s->W + s->nv * (size_t)k, 1, s->V + s->nv * (size_t)k, 1));
        s->share[k] = A > 0.0 ? 1.0 / sqrt(A) : 1.0;
        cblas_dscal(nv, s->share[k], s->V + s->nv * (size_t)k, 1);
    }
}

/* The shortest y with V y = side, which it replaces; V is spent. The rank of V, or -1. */
static lapack_int solve_shares(trajectory_system *s, double tolerance)
{
    const lapack_int nv = (lapack_int)s->nv, n = (lapack_int)s->n_held;
    lapack_int rank = 0;
    return LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, nv, n, 1, s->V, nv, s->side, nv > n ? nv : n, s->singular, tolerance,
                               &rank, s->share_work, s->share_size, s->share_integers) == 0
               ? rank
               : -1;
}

/* The rounding of the directions in which contacts slide: of velocities, against the slowest. */
static double direction_rounding(const trajectory_rows *rows, const double *v)
{
    double worst = direction_tolerance;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->row[i].mode == TRAJECTORY_SLIDES && rows->row[i].kind == TRAJECTORY_DISC) {
            const double u = hypot(trajectory_row_speed(rows, i, v), trajectory_row_speed(rows, i + 1, v));
            const double fast = rows->row[i].size * fmax(1.0, trajectory_rows_largest(rows, v));
            worst = fmax(worst, fmin(slow_tolerance, 1e-13 * fast / u));
        }
    return worst;
}

static dls_status check_shares(trajectory_system *s, const trajectory_rows *rows, const double *v, dls_error *error)
{
    char name[TRAJECTORY_NAME];
    if (!s->slides || s->n_held == s->rank)
        return DLS_OK;
    gather_shares(s, rows);
    memset(s->side, 0, (s->nv + s->n) * sizeof *s->side);
    if (solve_shares(s, direction_rounding(rows, v)) == (lapack_int)s->rank)
        return DLS_OK;
    const size_t i = s->held[s->n_held - 1];
    return dls_fail(error, DLS_REFUSED,
                    "'%s', row '%s': contacts share their load in many ways, and friction that slides in different "
                    "directions depends on it: it is undecided which motion goes on",
                    trajectory_owner_name(rows, rows->row[i].owner, name), rows->row[i].label);
}

dls_status trajectory_share_choose(trajectory_system *s, const trajectory_rows *rows, const double *v, dls_error *error)
{
    DLS_TRY(trajectory_system_choose(s, rows, error));
    return rows->events ? check_shares(s, rows, v, error) : DLS_OK;
}

double trajectory_share_weight(double normal, double largest)
{
    return largest > 0.0 ? sqrt(fmax(normal / largest, least_share)) : 1.0;
}

/* The least share of friction between the same bodies. */
static double least_friction_share(const trajectory_system *s, const trajectory_rows *rows, size_t k)
{
    const trajectory_row *own = &rows->row[s->held[k]];
    double least = s->share[k];
    for (size_t j = 0; j < s->n_held; j++) {
        const trajectory_row *row = &rows->row[s->held[j]];
        if (row->kind >= TRAJECTORY_BOX && row->mover[0] == own->mover[0] && row->mover[1] == own->mover[1])
            least = fmin(least, s->share[j]);
    }
    return least;
}

/* Whether friction holds; the columns of V of its rows times their weights. */
static bool weigh_friction(trajectory_system *s, const trajectory_rows *rows)
{
    double largest = 0.0;
    bool any = false;
    for (size_t k = 0; k < s->n_held; k++)
        if (rows->row[s->held[k]].kind == TRAJECTORY_STOP)
            largest = fmax(largest, rows->row[s->held[k]].force);
    for (size_t k = 0; k < s->n_held; k++) {
        const trajectory_row *row = &rows->row[s->held[k]];
        if (row->kind < TRAJECTORY_BOX)
            continue;
        const double weight = trajectory_share_weight(rows->row[row->parent].force, largest);
        s->singular[k] = weight * least_friction_share(s, rows, k) / s->share[k];
        cblas_dscal((int)s->nv, s->singular[k], s->V + s->nv * k, 1);
        any = true;
    }
    for (size_t k = 0; k < s->n_held; k++)
        s->share[k] *= rows->row[s->held[k]].kind < TRAJECTORY_BOX ? 1.0 : s->singular[k];
    return any;
}

/* The forces of least norm with the same effect as those of the basis, with friction weighted by the loads. */
static void spread_forces(trajectory_system *s, trajectory_rows *rows)
{
    for (int round = 0; round < 2; round++) { /* without the loads, then with them */
        memset(s->side, 0, (s->nv + s->n) * sizeof *s->side);
        for (size_t k = 0; k < s->rank; k++) {
            trajectory_system_column(s, rows, s->basis[k], s->pushed);
            cblas_daxpy((int)s->nv, s->f[k], s->pushed, 1, s->side, 1);
        }
        trajectory_system_lower(s, s->side, 1);
        gather_shares(s, rows);
        if (round == 1 && !weigh_friction(s, rows))
            return;
        if (solve_shares(s, s->slides ? slow_tolerance : rank_tolerance) != (lapack_int)s->rank)
            return;
        for (size_t k = 0; k < s->n_held; k++)
            rows->row[s->held[k]].force = s->share[k] * s->side[k];
    }
}

void trajectory_share_forces(trajectory_system *s, trajectory_rows *rows)
{
    if (!rows->events)
        return;
    if (s->n_held > s->rank)
        spread_forces(s, rows);
    for (size_t i = 0; i < rows->n && s->slides; i++)
        if (rows->row[i].mode == TRAJECTORY_SLIDES)
            rows->row[i].force = -rows->row[i].mu * rows->row[i].direction * rows->row[rows->row[i].parent].force;
}
