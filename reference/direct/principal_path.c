/* Parametric principal pivoting for mixed problems whose matrix is a P-matrix (R. W. Cottle, "Monotone solutions of the
 * parametric linear complementarity problem", Math. Prog. 3 (1972); R. W. Cottle, J.-S. Pang, R. E. Stone, "The Linear
 * Complementarity Problem" (1992), section 4.5).
 *
 * Any choice of sets, F inside and the others at bounds, solves the problem with another right side b(1) = b + d: with
 * lambda_F and w_N the values that the sets have for b, and e_F, e_N what brings them into their ranges,
 *     d_F = -A_FF e_F,     d_N = e_N - A_NF e_F.
 * From there t falls to 0. On fixed sets
 *     A_FF lambda_F(t) = -(b_F + t d_F + A_FN lambda_N),     w_N(t) = b_N + t d_N + A_N lambda(t)
 * are linear in t, and the first row that comes to the end of its range changes sets: from inside to the bound that it
 * met, from a bound to inside. Its pivot has the sign of a ratio of principal minors, so for a P-matrix the row goes on
 * into its new range as t falls further. The solution of b + t d is unique and continuous in t; so every piece of it is
 * passed once, and the path ends at t = 0. The e have no pattern, so no two rows come to an end at once but by
 * accident, or at t = 0, where all degenerate rows do: there the path stops, with sets that are right up to rounding.
 */
#include "principal_path.h"

void dls_principal_path_take(dls_principal_path *p, const dls_direct *direct, double *factor, size_t *F,
                             lapack_int *pivots)
{
    *p = (dls_principal_path){
        .direct = direct, .q = &direct->q, .n = direct->q.n, .factor = factor, .F = F, .pivots = pivots};
    DLS_DIRECT_VECTORS(direct, &p->d, &p->lambda, &p->w, &p->slope_lambda, &p->slope_w);
    p->x = DLS_TAKE(direct->memory, double, 2 * p->n);
}

static void multiply_add(const dls_principal_path *p, const double *x, double *y)
{
    int n = (int)p->n;
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, p->q->A, n, x, 1, 1.0, y, 1);
}

/* lambda and w of the sets, and their slopes; false where A_FF is singular. */
static bool evaluate_path(dls_principal_path *p, const unsigned char *state)
{
    const dls_dense *q = p->q;
    p->f = 0;
    for (size_t i = 0; i < p->n; i++) {
        p->lambda[i] = state[i] == DLS_SET_LOWER ? q->lo[i] : state[i] == DLS_SET_UPPER ? q->hi[i] : 0.0;
        p->slope_lambda[i] = 0.0;
        if (state[i] == DLS_SET_INSIDE)
            p->F[p->f++] = i;
    }
    lapack_int f = (lapack_int)p->f;
    memcpy(p->w, q->b, p->n * sizeof *p->w);
    multiply_add(p, p->lambda, p->w);
    for (size_t k = 0; k < p->f; k++)
        p->x[k] = -p->w[p->F[k]], p->x[p->f + k] = -p->d[p->F[k]];
    dls_dense_block(q, p->f, p->F, p->factor);
    if (f > 0 && LAPACKE_dgesv_work(LAPACK_COL_MAJOR, f, 2, p->factor, f, p->pivots, p->x, f) != 0)
        return false;
    for (size_t k = 0; k < p->f; k++)
        p->lambda[p->F[k]] = p->x[k], p->slope_lambda[p->F[k]] = p->x[p->f + k];
    memcpy(p->w, q->b, p->n * sizeof *p->w);
    memcpy(p->slope_w, p->d, p->n * sizeof *p->d);
    multiply_add(p, p->lambda, p->w);
    multiply_add(p, p->slope_lambda, p->slope_w);
    return true;
}

/* d of the derivation, from lambda and w of the sets. A row within its range moves further in, by up to one size of
 * the data; one beyond it comes as far in; one between two bounds goes to the middle half. */
static void choose_direction(dls_principal_path *p, const unsigned char *state)
{
    const dls_dense *q = p->q;
    double fraction = 0.0, *e = p->slope_lambda;
    memset(e, 0, p->n * sizeof *e);
    memset(p->d, 0, p->n * sizeof *p->d);
    for (size_t i = 0; i < p->n; i++) {
        double lambda = p->lambda[i], w = p->w[i], inward;
        fraction = fmod(fraction + 0.6180339887498949, 1.0); /* the golden section: no pattern */
        inward = (0.5 + 0.5 * fraction) * dls_direct_size(p->direct, i);
        if (!(q->lo[i] < q->hi[i]) || dls_bound_free(q, i))
            continue;
        if (state[i] == DLS_SET_LOWER)
            p->d[i] = fmax(w, 0.0) + inward - w;
        else if (state[i] == DLS_SET_UPPER)
            p->d[i] = fmin(w, 0.0) - inward - w;
        else if (isinf(q->hi[i]))
            e[i] = fmax(lambda, q->lo[i]) + inward - lambda;
        else if (isinf(q->lo[i]))
            e[i] = fmin(lambda, q->hi[i]) - inward - lambda;
        else
            e[i] = q->lo[i] + (0.25 + 0.5 * fraction) * (q->hi[i] - q->lo[i]) - lambda;
    }
    cblas_dscal((int)p->n, -1.0, p->d, 1);
    multiply_add(p, e, p->d);
    cblas_dscal((int)p->n, -1.0, p->d, 1);
}

/* The t at which row i reaches the end of its range as t falls, or minus infinity, and the set that it has beyond. */
static double end_of(const dls_principal_path *p, const unsigned char *state, size_t i, unsigned char *beyond)
{
    const dls_dense *q = p->q;
    bool inside = state[i] == DLS_SET_INSIDE;
    double slope = inside ? p->slope_lambda[i] : p->slope_w[i], room;
    if (!(q->lo[i] < q->hi[i]) || slope == 0.0)
        return -HUGE_VAL;
    if (!inside && (slope > 0.0) != (state[i] == DLS_SET_LOWER))
        return -HUGE_VAL;
    *beyond = !inside ? DLS_SET_INSIDE : slope > 0.0 ? DLS_SET_LOWER : DLS_SET_UPPER;
    room = !inside ? p->w[i] : p->lambda[i] - (slope > 0.0 ? q->lo[i] : q->hi[i]);
    return -room / slope;
}

void dls_principal_path_follow(dls_principal_path *p, size_t limit, unsigned char *state, dls_report *report)
{
    size_t moved = p->n;
    unsigned char from = 0, to = 0;
    double t = 1.0;
    memset(p->d, 0, p->n * sizeof *p->d);
    if (!evaluate_path(p, state))
        return;
    choose_direction(p, state);
    for (size_t k = 0; k < limit; k++) {
        report->iterations++, report->factorizations++;
        if (!evaluate_path(p, state))
            return;
        /* The next row to come to the end of its range, at t or below. The path is at its end without one, and turns
         * back if the row that moved last would return to its set `from`. */
        size_t next = p->n;
        double first = (double)p->n * DBL_EPSILON; /* t d is then the rounding of b */
        for (size_t i = 0; i < p->n; i++) {
            unsigned char beyond = 0;
            double at = fmin(end_of(p, state, i, &beyond), t);
            if (at > first && i == moved && beyond == from)
                return;
            if (at > first)
                first = at, next = i, to = beyond;
        }
        if (next == p->n)
            return;
        t = first, moved = next;
        from = state[moved];
        state[moved] = to;
    }
}
