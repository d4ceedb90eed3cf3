/* Rows on an articulation by the articulated-body algorithm with added inertia and proximal iterations: constrainedABA
 * of Sathya and Carpentier, "Constrained articulated body dynamics algorithms" (IEEE T-RO 2025); the iterations are
 * those of Carpentier, Budhiraja and Mansard, "Proximal and sparse resolution of constrained dynamic equations" (RSS
 * 2021).
 *
 * ONE SOLVE with the damping R > 0,
 *
 *     M v - J^T x = rho,   J v + R x = r                                                                      (1)
 *
 * eliminates the rows a that act on one link or one degree of freedom alone, x_a = R_a^-1 (r_a - J_a v):
 *
 *     M' v = rho + J_a^T R_a^-1 r_a + J_c^T x_c,   M' = M + J_a^T R_a^-1 J_a
 *
 * M' is the mass matrix of the same tree: a wrench f on a link adds the inertia f f^T / R to it, a force on a degree of
 * freedom adds f^2 / R to its armature. The other rows c, which couple places of the tree, are left:
 *
 *     (J_c M'^-1 J_c^T + R_c) x_c = r_c - J_c v_0,   v_0 of x_c = 0
 *
 * with the matrix by propagation.c through the factors of M', and its Cholesky factor. With rho = 0 the solution of (1)
 * is x = (A + R)^-1 r.
 *
 * ITERATIONS. The correction of (v, lambda) is the solution of (1) for the residuals rho = tau + J^T lambda - M v and
 * r = gamma - J v, evaluated with M itself. In exact arithmetic this is the proximal point method,
 *
 *     (A + R) (lambda_{k+1} - lambda_k) = gamma - J M^-1 tau - A lambda_k
 *
 * whose error falls by R / (sigma + R) per iteration along an eigenvector of A with eigenvalue sigma > 0 (for R = mu
 * 1); along those with sigma = 0 lambda does not move, so from 0 it converges to the solution least in the norm of R.
 * The rounding of one solve, about eps A / R, is corrected by the next as in iterative refinement. R = 1e-8 A_ii has
 * both factors near 1e-8.
 */
#include "delassus/constrained.h"

#include "parts.h"

#include "base/arithmetic.h"
#include "delassus/mass.h"

#include <math.h>
#include <string.h>

struct dls_constrained {
    dls_arena memory;
    dls_articulation_work *work;
    size_t n_rows, n_forces, n_coupled, n_coupled_forces;
    dls_tree_force *forces, *coupled; /* all; those of coupled rows, numbered among these */
    double *R;                        /* n_rows */
    size_t *number;                   /* n_rows: among the coupled rows; DLS_NONE: a row of one force */
    dls_mass_dense K;                 /* of the coupled rows */
    dls_inertia6 *added;              /* n_links: J_a^T R_a^-1 J_a at the anchors */
    double *armature;                 /* nv: with that of J_a^T R_a^-1 J_a */
    double *v, *rho, *scratch;        /* nv */
    double *r, *x, *y;                /* n_rows */
    double *rc, *xc;                  /* n_coupled */
};

/* --- rows --- */

/* Jv = J v, by way of the motions of all links. */
static void rows_of_motion(const dls_constrained *c, const double *v, double *Jv)
{
    dls_articulation_work *work = c->work;
    const dls_articulation *art = work->articulation;
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        dls_spatial a = {{0, 0, 0}, {0, 0, 0}};
        if (i)
            a = dls_motion_at(work->links[link->parent].f, work->links[i].r);
        for (size_t k = link->dof; k < link->dof + link->n_dofs; k++)
            a = dls_spatial_axpy(a, v[k], work->S[k]);
        work->links[i].f = a;
    }
    memset(Jv, 0, c->n_rows * sizeof *Jv);
    for (size_t f = 0; f < c->n_forces; f++) {
        const dls_tree_force *force = &c->forces[f];
        Jv[force->row] += force->dof != DLS_NONE ? force->force * v[force->dof]
                                                 : dls_spatial_dot(force->wrench, work->links[force->link].f);
    }
}

/* y += J^T x */
static void add_forces_of_rows(const dls_constrained *c, const double *x, double *y)
{
    dls_articulation_work *work = c->work;
    const dls_articulation *art = work->articulation;
    double *to = c->scratch;
    for (size_t i = 0; i < art->n_links; i++)
        work->links[i].f = (dls_spatial){{0, 0, 0}, {0, 0, 0}};
    for (size_t f = 0; f < c->n_forces; f++)
        if (c->forces[f].dof == DLS_NONE) {
            dls_spatial *at = &work->links[c->forces[f].link].f;
            *at = dls_spatial_axpy(*at, x[c->forces[f].row], c->forces[f].wrench);
        }
    dls_tree_gather(work, NULL, to);
    for (size_t f = 0; f < c->n_forces; f++)
        if (c->forces[f].dof != DLS_NONE)
            to[c->forces[f].dof] += c->forces[f].force * x[c->forces[f].row];
    for (size_t k = 0; k < art->nv; k++)
        y[k] += to[k];
}

/* --- factors --- */

/* inertia += s f f^T */
static void inertia_add(dls_inertia6 *inertia, double s, dls_spatial f)
{
    dls_inertia6_deflate(inertia, (dls_spatial){dls_scale(-s, f.lin), dls_scale(-s, f.ang)}, f);
}

/* The factors of M' = M + J_a^T R_a^-1 J_a. */
static dls_status factor_damped(const dls_constrained *c, dls_error *error)
{
    memset(c->added, 0, c->work->articulation->n_links * sizeof *c->added);
    memcpy(c->armature, c->work->articulation->armature, c->work->articulation->nv * sizeof *c->armature);
    for (size_t f = 0; f < c->n_forces; f++) {
        const dls_tree_force *force = &c->forces[f];
        if (c->number[force->row] != DLS_NONE)
            continue;
        if (force->dof != DLS_NONE)
            c->armature[force->dof] += force->force * force->force / c->R[force->row];
        else
            inertia_add(&c->added[force->link], 1.0 / c->R[force->row],
                        dls_force_at(force->wrench, c->work->links[force->link].d));
    }
    return dls_tree_factor(c->work, c->added, c->armature, error);
}

/* The numbers of the coupled rows, and their forces: of rows with none or one force, `number` is DLS_NONE. */
static void select_coupled(dls_constrained *c)
{
    size_t kept = 0;
    for (size_t f = 0; f < c->n_forces; f++)
        c->number[c->forces[f].row]++;
    for (size_t i = 0; i < c->n_rows; i++)
        c->number[i] = c->number[i] > 1 ? c->n_coupled++ : DLS_NONE;
    for (size_t f = 0; f < c->n_forces; f++)
        if (c->number[c->forces[f].row] != DLS_NONE) {
            c->coupled[kept] = c->forces[f];
            c->coupled[kept++].row = c->number[c->forces[f].row];
        }
    c->n_coupled_forces = kept;
}

/* Default damping: 1e-8 of the diagonal of A. */
static dls_status put_damping(dls_constrained *c, const double *damping, dls_error *error)
{
    const size_t n = c->n_rows;
    dls_arena memory = {0};
    if (damping) {
        memcpy(c->R, damping, n * sizeof *damping);
        for (size_t i = 0; i < n; i++)
            if (!(damping[i] > 0.0) || !isfinite(damping[i]))
                return dls_fail(error, DLS_BAD_ARGUMENT, "row %zu has the damping %g; it must be positive", i,
                                damping[i]);
        return DLS_OK;
    }
    double *A = dls_arena_zeros(&memory, n * n, sizeof *A);
    dls_status status = A ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for the damping of %zu rows", n);
    if (status == DLS_OK)
        status = dls_articulation_factor(c->work, error);
    if (status == DLS_OK)
        status = dls_articulation_delassus(c->work, c->n_forces, c->forces, A, n, error);
    for (size_t i = 0; i < n && status == DLS_OK; i++)
        c->R[i] = A[i + n * i] > 0.0 ? 1e-8 * A[i + n * i] : 1e-8;
    dls_arena_release(&memory);
    return status;
}

static dls_status factor_coupled(dls_constrained *c, dls_error *error)
{
    memset(c->K.M, 0, c->n_coupled * c->n_coupled * sizeof *c->K.M);
    DLS_TRY(dls_articulation_delassus(c->work, c->n_coupled_forces, c->coupled, c->K.M, c->n_coupled, error));
    for (size_t i = 0; i < c->n_rows; i++)
        if (c->number[i] != DLS_NONE)
            c->K.M[c->number[i] * (c->n_coupled + 1)] += c->R[i];
    for (size_t j = 0; j < c->n_coupled; j++)
        if (!dls_mass_dense_factor(&c->K, j))
            return dls_fail(error, DLS_BAD_ARGUMENT, "the damped rows of several forces are dependent (number %zu)", j);
    return DLS_OK;
}

dls_status dls_constrained_create(dls_articulation_work *work, size_t n_rows, size_t n_forces,
                                  const dls_tree_force *forces, const double *damping, dls_constrained **constrained,
                                  dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    dls_arena m = {0};
    const size_t nv = work->articulation->nv;
    dls_constrained *c = DLS_TAKE_ZEROS(&m, dls_constrained, 1);
    dls_constrained made = {
        .work = work,
        .n_rows = n_rows,
        .n_forces = n_forces,
        .forces = DLS_TAKE(&m, dls_tree_force, n_forces),
        .coupled = DLS_TAKE(&m, dls_tree_force, n_forces),
        .R = DLS_TAKE(&m, double, n_rows),
        .number = DLS_TAKE_ZEROS(&m, size_t, n_rows),
        .added = DLS_TAKE(&m, dls_inertia6, work->articulation->n_links),
        .armature = DLS_TAKE(&m, double, nv),
        .v = DLS_TAKE(&m, double, nv),
        .rho = DLS_TAKE(&m, double, nv),
        .scratch = DLS_TAKE(&m, double, nv),
        .r = DLS_TAKE(&m, double, n_rows),
        .x = DLS_TAKE(&m, double, n_rows),
        .y = DLS_TAKE(&m, double, n_rows),
    };
    *constrained = NULL;
    if (!m.failed) {
        memcpy(made.forces, forces, n_forces * sizeof *forces);
        select_coupled(&made);
        const size_t nc = made.n_coupled;
        made.K = (dls_mass_dense){nc, dls_arena_take(&m, nc * nc, sizeof(double)),
                                  dls_arena_take(&m, nc * nc, sizeof(double))};
        made.rc = DLS_TAKE(&m, double, nc);
        made.xc = DLS_TAKE(&m, double, nc);
    }
    dls_status status = m.failed ? dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", n_rows) : DLS_OK;
    if (status == DLS_OK)
        status = put_damping(&made, damping, error);
    if (status == DLS_OK)
        status = factor_damped(&made, error);
    if (status == DLS_OK)
        status = factor_coupled(&made, error);
    if (status != DLS_OK) {
        dls_arena_release(&m);
        return status;
    }
    made.memory = m;
    *c = made;
    *constrained = c;
    return DLS_OK;
}

void dls_constrained_destroy(dls_constrained *c)
{
    if (!c)
        return;
    dls_arena memory = c->memory;
    dls_arena_release(&memory);
}

/* --- solutions --- */

/* Equation (1) for rho (NULL: 0) and c->r: c->v and c->x. */
static void solve_damped(dls_constrained *c, const double *rho)
{
    const size_t n = c->n_rows, nv = c->work->articulation->nv;
    for (size_t i = 0; i < n; i++)
        c->x[i] = c->number[i] == DLS_NONE ? c->r[i] / c->R[i] : 0.0;
    for (int pass = 0; pass < 2; pass++) {
        if (rho)
            memcpy(c->v, rho, nv * sizeof *rho);
        else
            memset(c->v, 0, nv * sizeof *c->v);
        add_forces_of_rows(c, c->x, c->v);
        dls_tree_propagate(c->work, c->v, c->v);
        rows_of_motion(c, c->v, c->y);
        if (pass == 1 || c->n_coupled == 0)
            break;
        for (size_t i = 0; i < n; i++)
            if (c->number[i] != DLS_NONE)
                c->rc[c->number[i]] = c->r[i] - c->y[i];
        dls_mass_dense_kind.solve(&c->K, c->rc, c->xc);
        for (size_t i = 0; i < n; i++)
            if (c->number[i] != DLS_NONE)
                c->x[i] = c->xc[c->number[i]];
    }
    for (size_t i = 0; i < n; i++)
        if (c->number[i] == DLS_NONE)
            c->x[i] = (c->r[i] - c->y[i]) / c->R[i];
}

void dls_constrained_inverse(dls_constrained *c, const double *b, double *x)
{
    DLS_STANDARD_ARITHMETIC;
    memcpy(c->r, b, c->n_rows * sizeof *b);
    solve_damped(c, NULL);
    memcpy(x, c->x, c->n_rows * sizeof *x);
}

/* sqrt(v^T M v) */
static double mass_norm(const dls_constrained *c, const double *v)
{
    double sum = 0.0;
    dls_articulation_multiply(c->work, v, c->scratch);
    for (size_t k = 0; k < c->work->articulation->nv; k++)
        sum += v[k] * c->scratch[k];
    return sqrt(fmax(sum, 0.0));
}

void dls_constrained_forward(dls_constrained *c, const double *tau, const double *gamma, double tolerance, size_t limit,
                             double *vdot, double *lambda, dls_constrained_report *report)
{
    DLS_STANDARD_ARITHMETIC;
    const size_t n = c->n_rows, nv = c->work->articulation->nv;
    *report = (dls_constrained_report){false, 0, HUGE_VAL, 0.0};
    memset(vdot, 0, nv * sizeof *vdot);
    memset(lambda, 0, n * sizeof *lambda);
    memcpy(c->r, gamma, n * sizeof *gamma);
    while (report->iterations < limit && !report->converged) {
        dls_articulation_multiply(c->work, vdot, c->rho);
        for (size_t k = 0; k < nv; k++)
            c->rho[k] = (tau ? tau[k] : 0.0) - c->rho[k];
        add_forces_of_rows(c, lambda, c->rho);
        solve_damped(c, c->rho);
        for (size_t k = 0; k < nv; k++)
            vdot[k] += c->v[k];
        for (size_t i = 0; i < n; i++)
            lambda[i] += c->x[i];
        const double size = mass_norm(c, vdot), change = mass_norm(c, c->v);
        report->change = change > 0.0 ? change / size : 0.0;
        report->converged = report->change <= tolerance;
        report->iterations++;
        rows_of_motion(c, vdot, c->r);
        for (size_t i = 0; i < n; i++)
            c->r[i] = gamma[i] - c->r[i];
    }
    for (size_t i = 0; i < n; i++)
        report->missed = fmax(report->missed, fabs(c->r[i]) / sqrt(c->R[i]));
}
