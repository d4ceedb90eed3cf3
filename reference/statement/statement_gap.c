/* The witnesses of a bound of v+ under the associated law, where the impulses solve a convex cone program.
 *
 * For impulses x in their cones and bounds, w = A x + b, and a change u of the velocity for which g = w + J u is
 * inside of the dual cones, g_n > sum h(g_t), and has no wrong sign in rows with one bound,
 *     |v(x) - v+|_M^2 <= |u|_M^2 + 2 sum of g_i x_i over contacts, and of the gaps of other rows (certify_large.c).
 * x are the given impulses, moved into their cones; u = t D with a direction D that opens all contacts at once, from
 *     (M + J^T diag(s) J) D = J^T diag(s) r,   s_i = 1e10 / A_ii,   r_i = sqrt(A_ii) of normal rows, 0 of tangents,
 * and the least t that serves: h is sublinear, so that t (D_n - sum h(D_t)) > sum h(w_t) - w_n is enough. The program
 * that checks a certificate proves the bound again, so that nothing here needs to be one; the claim is a little weaker
 * than what is computed. */
#include "statement.h"

#include "certify/parts.h"
#include "sparse/sparse.h"

#include <float.h>
#include <math.h>

/* A claim is weaker than the computed value by this factor. */
static const double margin = 1.001;

typedef struct cone_gap {
    const dls_problem *p;
    dls_stored s;
    double *A;                   /* n: sqrt(A_ii) */
    double *x, *w, *w_error, *g; /* n */
    double *D, *right;           /* nv */
    double *along, *stiffness;   /* n: J D */
    dls_springs springs;
} cone_gap;

/* The sum of h over the discs of the contact whose normal row is i, 0 if it is none. */
static double disc_sizes(const dls_problem *p, size_t i, const double *g)
{
    double sum = 0.0;
    for (size_t k = i + 1; k < i + 1 + 2 * dls_problem_discs(p, i); k += 2)
        sum += hypot(p->mu[k] * g[k], p->mu[k + 1] * g[k + 1]);
    return sum;
}

static bool is_one_sided(const dls_problem *p, size_t i)
{
    return p->gamma[i] == 0.0 && isinf(p->lo[i]) != isinf(p->hi[i]);
}

/* Whether each row is of an associated contact, or has bounds of its own that no velocity must meet exactly. */
static bool is_covered(const dls_problem *p)
{
    for (size_t i = 0; i < p->n; i++) {
        const bool contact = dls_problem_discs(p, i) > 0, fixed = p->parent[i] == DLS_NONE && !contact;
        if (fixed     ? p->gamma[i] == 0.0 && isinf(p->lo[i]) && isinf(p->hi[i])
            : contact ? !isinf(p->hi[i])
                      : p->law[i] != DLS_LAW_ASSOCIATED)
            return false;
    }
    return true;
}

/* The tangent impulses of a disc, a little inside of it. */
static void move_into_disc(const cone_gap *c, size_t normal, size_t k)
{
    const double *mu = c->p->mu + k, n = c->x[normal];
    double *x = c->x + k, size = 0.0;
    for (size_t j = 0; j < 2; j++) {
        x[j] = mu[j] > 0.0 ? x[j] : 0.0;
        size = hypot(size, mu[j] > 0.0 ? x[j] / mu[j] : 0.0);
    }
    const double share = size > n * (1.0 - 8.0 * DBL_EPSILON) ? n * (1.0 - 8.0 * DBL_EPSILON) / size : 1.0;
    x[0] *= share, x[1] *= share;
}

static void move_into_cones(const cone_gap *c, const double *given)
{
    const dls_problem *p = c->p;
    for (size_t i = 0; i < p->n; i++)
        c->x[i] = p->parent[i] == DLS_NONE ? fmin(fmax(given[i], p->lo[i]), p->hi[i]) : given[i];
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = i + 1; k < i + 1 + 2 * dls_problem_discs(p, i); k += 2)
            move_into_disc(c, i, k);
}

/* The gain that g needs in row i; not positive where it is right already. */
static double lack_of_row(const cone_gap *c, size_t i)
{
    if (dls_problem_discs(c->p, i) > 0) {
        const double sizes = disc_sizes(c->p, i, c->w);
        return sizes - c->w[i] + 4.0 * c->w_error[i] + 8.0 * DBL_EPSILON * (fabs(c->w[i]) + sizes) + DBL_MIN;
    }
    return is_one_sided(c->p, i) ? c->w_error[i] - (isinf(c->p->hi[i]) ? c->w[i] : -c->w[i]) : 0.0;
}

static double gain_of_row(const cone_gap *c, size_t i)
{
    return dls_problem_discs(c->p, i) > 0 ? c->along[i] - disc_sizes(c->p, i, c->along)
           : isinf(c->p->hi[i])           ? c->along[i]
                                          : -c->along[i];
}

static dls_status find_opening(cone_gap *c, bool *found, dls_error *error)
{
    const dls_problem *p = c->p;
    dls_sparse_factor *factor = NULL;
    for (size_t i = 0; i < p->n; i++) {
        const bool contact = dls_problem_discs(p, i) > 0, friction = p->parent[i] != DLS_NONE;
        c->stiffness[i] =
            (contact || friction || is_one_sided(p, i)) && c->A[i] > 0.0 ? 1e10 / (c->A[i] * c->A[i]) : 0.0;
        if (!friction)
            dls_rows_axpy(&p->J, i, (isinf(p->hi[i]) ? c->A[i] : -c->A[i]) * c->stiffness[i], c->right);
    }
    dls_status status = dls_sparse_factor_create(DLS_SPARSE_CHOLESKY, &factor, error);
    if (status == DLS_OK)
        status = dls_sparse_factor_analyze(factor, &c->springs.H, error);
    if (status == DLS_OK) {
        dls_springs_fill(&c->springs, c->stiffness);
        status = dls_sparse_factorize(factor, &c->springs.H, found, error);
    }
    if (status == DLS_OK && *found)
        status = dls_sparse_factor_solve(factor, &c->springs.H, c->right, c->D, error);
    dls_sparse_factor_destroy(factor);
    *found = *found && dls_all_within(p->nv, c->D, 1e150);
    return status;
}

/* The length of D; infinite where D serves not all rows. */
static double length_of_opening(const cone_gap *c)
{
    double t = 0.0;
    for (size_t i = 0; i < c->p->n; i++) {
        const double lack = lack_of_row(c, i), gain = gain_of_row(c, i);
        if (lack > 0.0)
            t = fmax(t, gain > 0.0 ? lack / gain : HUGE_VAL);
    }
    return t * (1.0 + 1e-9);
}

/* Twice the gap of row i at g; of a contact at its normal row. */
static double row_gap(const cone_gap *c, size_t i)
{
    const dls_problem *p = c->p;
    const double g = c->g[i];
    if (p->parent[i] != DLS_NONE)
        return 0.0;
    if (dls_problem_discs(p, i) > 0) {
        dls_twofold_sum sum = {0};
        double terms = 0.0, error;
        for (size_t k = i; k < i + 1 + 2 * dls_problem_discs(p, i); k++) {
            dls_sum_add_product(&sum, c->g[k], c->x[k]);
            terms += (c->w_error[k] + 4.0 * DBL_EPSILON * fabs(c->g[k])) * fabs(c->x[k]);
        }
        return 2.0 * (fmax(0.0, dls_sum_value(&sum, &error)) + terms);
    }
    const double bound = g > 0.0 ? p->lo[i] : p->hi[i], gap = 2.0 * g * (c->x[i] - bound);
    const double soft = p->gamma[i] > 0.0 ? g * g / p->gamma[i] : HUGE_VAL;
    return g == 0.0 ? 0.0 : isinf(bound) ? soft : fmin(fmax(0.0, gap), soft);
}

/* The witnesses u, x and the distance of v+ from the velocity of the given impulses. */
static void measure_gap(cone_gap *c, double t, dls_statement *out)
{
    const dls_problem *p = c->p;
    double square = 0.0, moved = 0.0;
    for (size_t k = 0; k < p->nv; k++)
        out->change[k] = t * c->D[k];
    dls_mass_multiply(&p->mass, out->change, c->right);
    for (size_t k = 0; k < p->nv; k++)
        square += out->change[k] * c->right[k];
    for (size_t i = 0; i < p->n; i++)
        c->g[i] = c->w[i] + dls_rows_dot(&p->J, i, out->change);
    for (size_t i = 0; i < p->n; i++) {
        square += row_gap(c, i);
        moved += fabs(out->given[i] - c->x[i]) * c->A[i];
    }
    out->impulses = c->x;
    out->distance = margin * (sqrt(fmax(0.0, square)) + moved) + DBL_MIN;
}

static dls_status take_gap(cone_gap *c, dls_statement *out, const char **why, dls_error *error)
{
    const dls_problem *p = c->p;
    dls_arena *memory = &out->memory;
    double **const of_rows[] = {&c->A, &c->x, &c->w, &c->w_error, &c->g, &c->along, &c->stiffness};
    for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; k++)
        *of_rows[k] = DLS_TAKE_ZEROS(memory, double, p->n);
    c->D = DLS_TAKE_ZEROS(memory, double, p->nv);
    c->right = DLS_TAKE_ZEROS(memory, double, 2 * p->nv);
    out->change = DLS_TAKE_ZEROS(memory, double, p->nv);
    if (memory->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a statement about %zu rows", p->n);
    DLS_TRY(dls_stored_take_rows(p, memory, &c->s, why, error));
    return dls_springs_take(p, true, memory, &c->springs, error);
}

dls_status dls_statement_gap(dls_statement *out, bool *found, dls_error *error)
{
    cone_gap c = {.p = out->p};
    const dls_problem *p = c.p;
    const char *why = NULL;
    *found = false;
    if (p->form != DLS_FORM_MECHANICAL || !is_covered(p))
        return DLS_OK;
    DLS_TRY(take_gap(&c, out, &why, error));
    dls_twofold *x = DLS_TAKE(&out->memory, dls_twofold, p->n);
    if (out->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a statement about %zu rows", p->n);
    if (why)
        return DLS_OK;
    dls_problem_diagonal(p, c.A, c.right);
    for (size_t i = 0; i < p->n; i++)
        c.A[i] = sqrt(fmax(0.0, c.A[i]));
    move_into_cones(&c, out->given);
    for (size_t i = 0; i < p->n; i++)
        x[i] = (dls_twofold){c.x[i], 0.0};
    dls_stored_w(&c.s, x, c.w, c.w_error);
    for (size_t k = 0; k < p->nv; k++)
        c.right[k] = 0.0;
    DLS_TRY(find_opening(&c, found, error));
    for (size_t i = 0; *found && i < p->n; i++)
        c.along[i] = dls_rows_dot(&p->J, i, c.D);
    const double t = *found ? length_of_opening(&c) : HUGE_VAL;
    if (isfinite(t))
        measure_gap(&c, t, out);
    *found = isfinite(t) && isfinite(out->distance);
    return DLS_OK;
}
