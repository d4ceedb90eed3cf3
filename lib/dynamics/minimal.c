/* Loops and mimic joints in minimal coordinates: the second, exact formulation beside rows with multipliers. It is that
 * of the cluster joints of Chignoli, Adrian, Kim and Wensing, "Recursive Rigid-Body Dynamics Algorithms for Systems
 * with Kinematic Loops" (2023), with the whole mechanism as one cluster; Featherstone 2008, section 8.5.
 *
 * ELIMINATION. The rows J vdot = gamma, reduced by Gauss and Jordan, determine a dependent velocity each,
 *
 *     vdot_d = gamma_d - sum over independent i of T_di vdot_i    =>    G_di = -T_di,   g_d = gamma_d
 *
 * and v_d = G v_i likewise, as J v = 0. Rows that depend on others leave a residual of gamma, which is 0 if the rows
 * agree. gamma = -J' v contains G' u, so the rate of G is never formed. With vdot = G udot + g, d'Alembert's principle
 * (J^T lambda does no work along G) gives
 *
 *     G^T (M vdot + n - tau) = 0    =>    M_y udot = G^T (tau - n - M g),   M_y = G^T M G
 *
 * in which lambda does not appear. For a gear, J = (m, -1): G = (1, m) to the last bit, as scaling by powers of 2 is
 * exact, and m^2 M_22 is the reflected inertia that cluster joints fold into joint 1.
 */
#include "delassus/minimal.h"

#include "base/arithmetic.h"
#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct owned_minimal {
    dls_minimal minimal; /* first: the caller has its address */
    dls_arena memory;
} owned_minimal;

static int exponent_of(double x)
{
    int e = 0;
    frexp(x, &e);
    return e;
}

/* The reduced rows: J with columns scaled by 2^-column[k] and rows by any power of 2, row-major. */
typedef struct reduction {
    size_t n, nv, rank;
    double *T;      /* n x nv */
    double *right;  /* n */
    int *column;    /* nv */
    size_t *pivot;  /* rank: dependent velocity of a row */
    bool *is_pivot; /* nv */
} reduction;

static void scale_rows(const dls_loops *l, reduction *r)
{
    memset(r->T, 0, r->n * r->nv * sizeof *r->T);
    for (size_t i = 0; i < r->n; i++) {
        double *row = r->T + i * r->nv, most = 0.0;
        dls_rows_axpy(&l->problem->J, i, 1.0, row);
        for (size_t k = 0; k < r->nv; k++) {
            row[k] = ldexp(row[k], -r->column[k]);
            most = fmax(most, fabs(row[k]));
        }
        for (size_t k = 0; k < r->nv; k++)
            row[k] = ldexp(row[k], -exponent_of(most));
        r->right[i] = ldexp(r->right[i], -exponent_of(most));
    }
}

/* Swaps the largest entry at or below row `at` into it. False if all are only rounding. */
static bool next_pivot(reduction *r, size_t at, size_t *column)
{
    double most = 64.0 * DBL_EPSILON * (double)(r->nv + r->n);
    size_t found = r->n;
    for (size_t i = at; i < r->n; i++)
        for (size_t k = 0; k < r->nv; k++)
            if (!r->is_pivot[k] && fabs(r->T[i * r->nv + k]) > most) {
                most = fabs(r->T[i * r->nv + k]);
                found = i;
                *column = k;
            }
    if (found == r->n)
        return false;
    for (size_t k = 0; k < r->nv && found != at; k++) {
        const double kept = r->T[at * r->nv + k];
        r->T[at * r->nv + k] = r->T[found * r->nv + k];
        r->T[found * r->nv + k] = kept;
    }
    const double kept = r->right[at];
    r->right[at] = r->right[found];
    r->right[found] = kept;
    return true;
}

/* Gauss and Jordan, with complete pivoting. */
static void reduce_rows(reduction *r)
{
    size_t column = 0;
    for (r->rank = 0; r->rank < r->n && next_pivot(r, r->rank, &column); r->rank++) {
        double *pivot = r->T + r->rank * r->nv;
        const double p = pivot[column];
        for (size_t k = 0; k < r->nv; k++)
            pivot[k] /= p;
        r->right[r->rank] /= p;
        for (size_t i = 0; i < r->n; i++) {
            const double factor = r->T[i * r->nv + column];
            if (i == r->rank || factor == 0.0)
                continue;
            for (size_t k = 0; k < r->nv; k++)
                r->T[i * r->nv + k] -= factor * pivot[k];
            r->T[i * r->nv + column] = 0.0;
            r->right[i] -= factor * r->right[r->rank];
        }
        r->pivot[r->rank] = column;
        r->is_pivot[column] = true;
    }
}

/* Columns scaled so that a unit has about the inertia 1: 2^column is about 1 / sqrt(M_kk). */
static void scale_columns(const dls_loops *l, double *unit, double *product, int *column)
{
    memset(unit, 0, l->nv * sizeof *unit);
    for (size_t b = 0; b < l->problem->mass.n_blocks; b++) {
        const dls_mass_block *block = &l->problem->mass.blocks[b];
        for (size_t k = 0; k < block->length; k++) {
            unit[k] = 1.0;
            block->kind->multiply(block->data, unit, product);
            unit[k] = 0.0;
            column[block->offset + k] = exponent_of(product[k]) / 2;
        }
    }
}

/* Reduces the rows J x = right of prepared loops. */
static dls_status reduce_loops(const dls_loops *l, const double *right, dls_arena *scratch, reduction *r,
                               dls_error *error)
{
    double *unit = DLS_TAKE(scratch, double, l->nv), *product = DLS_TAKE(scratch, double, l->nv);
    *r = (reduction){l->n,
                     l->nv,
                     0,
                     dls_arena_take(scratch, l->n * l->nv, sizeof(double)),
                     DLS_TAKE(scratch, double, l->n),
                     DLS_TAKE_ZEROS(scratch, int, l->nv),
                     DLS_TAKE(scratch, size_t, l->n),
                     DLS_TAKE_ZEROS(scratch, bool, l->nv)};
    if (scratch->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows in minimal coordinates", l->n);
    for (size_t i = 0; i < l->n; i++)
        if (l->problem->lo[i] != -HUGE_VAL || l->problem->hi[i] != HUGE_VAL)
            return dls_fail(error, DLS_REFUSED, "row '%s' is one-sided: it removes no coordinate",
                            dls_problem_label(l->problem, i));
    memcpy(r->right, right, l->n * sizeof *right);
    scale_columns(l, unit, product, r->column);
    scale_rows(l, r);
    reduce_rows(r);
    return DLS_OK;
}

/* --- the motion --- */

static void put_coordinates(const reduction *r, dls_minimal *m)
{
    memset(m->G, 0, m->nv * m->n * sizeof *m->G);
    memset(m->g, 0, m->nv * sizeof *m->g);
    for (size_t k = 0, at = 0; k < m->nv; k++)
        if (!r->is_pivot[k])
            m->independent[at++] = k;
    for (size_t j = 0; j < m->n; j++)
        m->G[m->independent[j] + m->nv * j] = 1.0;
    for (size_t i = 0; i < r->rank; i++) {
        const size_t d = r->pivot[i];
        m->g[d] = ldexp(r->right[i], -r->column[d]);
        for (size_t j = 0; j < m->n; j++) {
            const size_t k = m->independent[j];
            m->G[d + m->nv * j] = 0.0 - ldexp(r->T[i * r->nv + k], r->column[k] - r->column[d]);
        }
    }
}

static double column_dot(const dls_minimal *m, size_t j, const double *x)
{
    double sum = 0.0;
    for (size_t k = 0; k < m->nv; k++)
        sum += m->G[k + m->nv * j] * x[k];
    return sum;
}

/* M_y, and vdot by its Cholesky factor L, n x n. x, y: nv entries of work. */
static dls_status solve_motion(const dls_loops *l, const double *tau, dls_minimal *m, double *L, double *x, double *y,
                               dls_error *error)
{
    const dls_mass_dense dense = {m->n, m->M, L};
    for (size_t j = 0; j < m->n; j++) {
        dls_mass_multiply(&l->problem->mass, m->G + m->nv * j, x);
        for (size_t i = j; i < m->n; i++)
            m->M[i + m->n * j] = m->M[j + m->n * i] = column_dot(m, i, x);
    }
    for (size_t j = 0; j < m->n; j++)
        if (!dls_mass_dense_factor(&dense, j))
            return dls_fail(error, DLS_BAD_ARGUMENT, "independent velocity %zu moves no inertia", m->independent[j]);
    for (size_t k = 0; k < m->nv; k++)
        y[k] = l->vdot[k] - m->g[k];
    dls_mass_multiply(&l->problem->mass, y, x);
    for (size_t k = 0; k < m->nv; k++)
        x[k] += (tau ? tau[k] : 0.0) - l->needed[k];
    for (size_t j = 0; j < m->n; j++)
        y[j] = column_dot(m, j, x);
    dls_mass_dense_kind.solve(&dense, y, x);
    memcpy(m->vdot, m->g, m->nv * sizeof *m->g);
    for (size_t j = 0; j < m->n; j++)
        for (size_t k = 0; k < m->nv; k++)
            m->vdot[k] += m->G[k + m->nv * j] * x[j];
    return DLS_OK;
}

static dls_status fill_minimal(const dls_loops *l, const double *tau, owned_minimal *made, dls_arena *scratch,
                               dls_error *error)
{
    dls_minimal *m = &made->minimal;
    reduction r;
    DLS_TRY(reduce_loops(l, l->gamma, scratch, &r, error));
    const size_t nv = l->nv, n = nv - r.rank;
    *m = (dls_minimal){nv,
                       n,
                       DLS_TAKE(&made->memory, size_t, n),
                       dls_arena_take(&made->memory, nv * n, sizeof(double)),
                       DLS_TAKE(&made->memory, double, nv),
                       dls_arena_take(&made->memory, n * n, sizeof(double)),
                       DLS_TAKE(&made->memory, double, nv),
                       0.0};
    double *L = dls_arena_take(scratch, n * n, sizeof *L), *x = DLS_TAKE(scratch, double, nv),
           *y = DLS_TAKE(scratch, double, nv);
    if (scratch->failed || made->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu minimal coordinates", n);
    put_coordinates(&r, m);
    for (size_t i = 0; i < l->n; i++)
        m->contradiction = fmax(m->contradiction, fabs(l->gamma[i] - dls_rows_dot(&l->problem->J, i, m->g)));
    return solve_motion(l, tau, m, L, x, y, error);
}

dls_status dls_minimal_create(const dls_loops *l, const double *tau, dls_minimal **minimal, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    dls_arena scratch = {0}, memory = {0};
    owned_minimal *made = DLS_TAKE_ZEROS(&memory, owned_minimal, 1);
    *minimal = NULL;
    if (!made)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for minimal coordinates");
    made->memory = memory;
    const dls_status status = fill_minimal(l, tau, made, &scratch, error);
    dls_arena_release(&scratch);
    if (status == DLS_OK)
        *minimal = &made->minimal;
    else
        dls_minimal_destroy(&made->minimal);
    return status;
}

void dls_minimal_destroy(dls_minimal *minimal)
{
    if (!minimal)
        return;
    dls_arena memory = ((owned_minimal *)minimal)->memory;
    dls_arena_release(&memory);
}

void dls_minimal_velocity(const dls_minimal *m, double *v)
{
    for (size_t d = 0, next = 0; d < m->nv; d++) {
        if (next < m->n && m->independent[next] == d) {
            next++;
            continue;
        }
        v[d] = 0.0;
        for (size_t j = 0; j < m->n; j++)
            v[d] += m->G[d + m->nv * j] * v[m->independent[j]];
    }
}

/* --- positions --- */

/* Moves the dependent coordinates by one step of Newton's method; *step: its largest entry [m, rad]. */
static dls_status close_once(dls_loops *l, dls_configuration *at, dls_state *state, dls_arena *scratch, double *step,
                             dls_error *error)
{
    reduction r;
    double *move = DLS_TAKE_ZEROS(scratch, double, l->nv);
    DLS_TRY(reduce_loops(l, l->C, scratch, &r, error));
    *step = 0.0;
    for (size_t i = 0; i < r.rank; i++) {
        move[r.pivot[i]] = -ldexp(r.right[i], -r.column[r.pivot[i]]);
        *step = fmax(*step, fabs(move[r.pivot[i]]));
    }
    if (!isfinite(*step))
        return dls_fail(error, DLS_NOT_FINITE, "the loops cannot be closed: a step is not finite");
    dls_configuration_evaluate(at, state);
    dls_configuration_advance(at, at, state, move, 1.0, true);
    return dls_loops_prepare(l, state, NULL, error);
}

dls_status dls_minimal_close(dls_loops *l, dls_state *state, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    dls_configuration *at;
    dls_arena scratch = {0};
    double step = HUGE_VAL, before = HUGE_VAL;
    DLS_TRY(dls_configuration_create(l->model, &at, error));
    dls_status status = dls_loops_prepare(l, state, NULL, error);
    /* Quadratic convergence ends where rounding stops it. */
    for (int k = 0; k < 30 && status == DLS_OK && step > 1e-15 && !(k > 3 && step < 1e-12 && step >= before); k++) {
        before = step;
        dls_arena_reset(&scratch);
        status = close_once(l, at, state, &scratch, &step, error);
    }
    if (status == DLS_OK && !(step < 1e-12))
        status = dls_fail(error, DLS_BAD_INPUT, "the loops cannot be closed: the last step of 30 was %g", step);
    dls_arena_release(&scratch);
    dls_configuration_destroy(at);
    return status;
}
