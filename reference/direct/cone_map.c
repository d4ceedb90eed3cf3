/* The maps whose zeros are the solutions. The first is that of P. Alart and A. Curnier, "A mixed formulation for
 * frictional contact problems prone to Newton like solution methods", 1991. With tau = lambda - w, in scaled units, so
 * that their parameter is 1:
 *
 *     F_n = lambda_n - clamp(tau_n, lo, hi)
 *     F_t = lambda_t - (tau_t brought into the disc of radius r),   r = mu max(0, clamp(tau_n))
 *
 * Rolling friction is a second disc with a radius of its own (law.h), and w_n is that of Coulomb's law, with the term
 * of De Saxce in neither. Box friction is the same with an interval in the place of the disc; other rows have F_n
 * alone. F = 0 is the law of each row: the normal one of (5), hence r = mu lambda_n, and with it Coulomb's law of the
 * tangents. F is piecewise smooth, and with P the derivative of the projections
 *     dF = dlambda - P dtau,   dtau = (1 - A) dlambda,   so   V = 1 - P + P A.
 * P is 1 inside and 0 beyond a bound; on the rim, with e = tau_t / |tau_t|, it is mu e for tau_n and
 * (r / |tau_t|) (1 - e e^T) for tau_t. A projection of tau is P tau plus an offset, the bound or r e where it does not
 * depend on tau_n.
 * With tau = lambda - A lambda - b the zero of the piece at hand is V lambda = offset - P b.
 *
 * The natural map and Fischer and Burmeister's (contact_maps.c) take the place of these rows in contacts with one disc
 * whose normal impulse has no upper bound; the latter also in rows without friction. There V = 1 - Q + P A, where 1 - Q
 * and P are the derivatives of F by lambda and w, and the offset is that of the tangent.
 *
 * A sweep takes the contacts in turn, lambda_c <- P_K(lambda_c - rho (w_c + mu |w_t| n)), De Saxce's projection
 * (derived in examine_cone.c), with rho = 1 / trace A_cc, which is below the inverse of the largest eigenvalue of
 * A_cc. Sweeps only provide a start for Newton's method. */
#include "cone_map.h"

#include "contact_maps.h"
#include "measure.h"

static double clamp(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

/* --- the map --- */

static dls_cone_row unchanged_row(size_t i) { return (dls_cone_row){.count = 1, .column = {i}, .P = {1.0}}; }

/* The first of the two rows of the disc that row i is in. */
static size_t disc_of(const dls_problem *p, size_t i) { return i - (i - p->parent[i] - 1) % 2; }

/* r, and its derivative by tau_n: mu or 0. */
static double radius_at(const dls_direct *d, size_t normal, double mu, double tau, double *slope)
{
    double lo = fmax(d->q.lo[normal], 0.0), hi = d->q.hi[normal];
    *slope = tau > lo && tau < hi ? mu : 0.0;
    return mu * fmax(clamp(tau, lo, hi), 0.0);
}

static double box_row_value(const dls_direct *d, size_t i, const double *lambda, const double *w, dls_cone_row *row)
{
    size_t normal = d->problem->parent[i];
    double slope, tau = lambda[i] - w[i],
                  r = radius_at(d, normal, dls_direct_mu(d, i), lambda[normal] - w[normal], &slope);
    if (fabs(tau) <= r) {
        *row = unchanged_row(i);
        return w[i];
    }
    double sign = tau > 0.0 ? 1.0 : -1.0;
    *row = slope > 0.0 ? (dls_cone_row){.count = 1, .column = {normal}, .P = {sign * slope}}
                       : (dls_cone_row){.offset = sign * r};
    return lambda[i] - sign * r;
}

/* One row of a disc. */
static double disc_row_value(const dls_direct *d, size_t i, const double *lambda, const double *w, dls_cone_row *row)
{
    const size_t normal = d->problem->parent[i], first = disc_of(d->problem, i), t = i - first;
    const double tau[2] = {lambda[first] - w[first], lambda[first + 1] - w[first + 1]};
    double slope, r = radius_at(d, normal, dls_direct_mu(d, first), lambda[normal] - w[normal], &slope);
    const double length = hypot(tau[0], tau[1]);
    *row = unchanged_row(i);
    if (length <= r)
        return w[i];
    if (r == 0.0) {
        *row = (dls_cone_row){0};
        return lambda[i];
    }
    const double e[2] = {tau[0] / length, tau[1] / length}, share = r / length;
    *row = (dls_cone_row){.count = 3,
                          .column = {normal, first, first + 1},
                          .P = {slope * e[t], share * ((t == 0) - e[t] * e[0]), share * ((t == 1) - e[t] * e[1])},
                          .offset = slope > 0.0 ? 0.0 : r * e[t]};
    return lambda[i] - r * e[t];
}

static double fixed_row_value(const dls_direct *d, size_t i, const double *lambda, const double *w, dls_cone_row *row)
{
    /* the middle one of three, for lambda - (lambda - w) would lose a small w */
    const double lo = d->q.lo[i], hi = d->q.hi[i], tau = lambda[i] - w[i];
    *row = tau > lo && tau < hi ? unchanged_row(i) : (dls_cone_row){.offset = tau <= lo ? lo : hi};
    return tau <= lo ? lambda[i] - lo : tau >= hi ? lambda[i] - hi : w[i];
}

/* The offset of the tangent of F at hand. */
static double tangent_offset(size_t i, const double *lambda, const double *w, double F, const dls_cone_row *row)
{
    double offset = lambda[i] - F;
    for (size_t k = 0; k < row->count; k++)
        offset += row->P[k] * w[row->column[k]] - row->Q[k] * lambda[row->column[k]];
    return offset;
}

/* Whether row i is the normal row of a contact to which the other maps apply. */
static bool has_other_maps(const dls_direct *d, size_t i)
{
    return dls_problem_discs(d->problem, i) == 1 && d->q.lo[i] == 0.0 && isinf(d->q.hi[i]) &&
           dls_direct_mu(d, i + 1) > 0.0;
}

/* The three rows of such a contact. */
static void contact_rows_value(dls_cone_map map, const dls_direct *d, size_t i, const double *lambda, const double *w,
                               double *F, dls_cone_row *rows)
{
    dls_contact_map of;
    const double mu = dls_direct_mu(d, i + 1);
    bool determined = true; /* by themselves: dF = dlambda */
    (map == DLS_CONE_MAP_NATURAL ? dls_contact_natural : dls_contact_fischer_burmeister)(mu, lambda + i, w + i, &of);
    for (size_t r = 0; r < 3; r++)
        for (size_t k = 0; k < 3; k++)
            determined = determined && of.X[r][k] == (k == r) && of.Y[r][k] == 0.0;
    for (size_t r = 0; r < 3; r++) {
        dls_cone_row *row = &rows[i + r];
        *row = (dls_cone_row){.count = determined ? 0 : 3, .column = {i, i + 1, i + 2}};
        for (size_t k = 0; k < 3; k++)
            row->Q[k] = (k == r) - of.X[r][k], row->P[k] = of.Y[r][k];
        F[i + r] = of.F[r];
        row->offset = tangent_offset(i + r, lambda, w, F[i + r], row);
    }
}

static double fischer_burmeister_row_value(const dls_direct *d, size_t i, const double *lambda, const double *w,
                                           dls_cone_row *row)
{
    double by_lambda, by_w;
    const double F = dls_row_fischer_burmeister(d->q.lo[i], d->q.hi[i], lambda[i], w[i], &by_lambda, &by_w);
    *row = (dls_cone_row){.count = 1, .column = {i}, .Q = {1.0 - by_lambda}, .P = {by_w}};
    row->offset = tangent_offset(i, lambda, w, F, row);
    return F;
}

void dls_cone_map_value(dls_cone_map map, const dls_direct *d, const double *lambda, double *w, double *F,
                        dls_cone_row *rows)
{
    const dls_dense *q = &d->q;
    int n = (int)d->n;
    memcpy(w, q->b, d->n * sizeof *w);
    if (n > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, q->A, n, lambda, 1, 1.0, w, 1);
    for (size_t i = 0; i < d->n; i++) {
        const dls_law law = d->problem->law[i];
        if (map != DLS_CONE_MAP_ALART_CURNIER && has_other_maps(d, i)) {
            contact_rows_value(map, d, i, lambda, w, F, rows);
            i += 2;
        } else if (map == DLS_CONE_MAP_FISCHER_BURMEISTER && law == DLS_LAW_FIXED) {
            F[i] = fischer_burmeister_row_value(d, i, lambda, w, &rows[i]);
        } else {
            F[i] = (law == DLS_LAW_FIXED ? fixed_row_value
                    : law == DLS_LAW_BOX ? box_row_value
                                         : disc_row_value)(d, i, lambda, w, &rows[i]);
            memcpy(rows[i].Q, rows[i].P, sizeof rows[i].Q);
        }
    }
}

/* F_t with tau = x - y, x = lambda_t / most, y = w_t / T and the radius r / most. */
static double disc_violation(double r, const double *lambda, const double *w, double T, double most)
{
    if (isinf(most)) /* these rows move nothing */
        most = r;
    const double y[2] = {w[0] == 0.0 ? 0.0 : w[0] / T, w[1] == 0.0 ? 0.0 : w[1] / T};
    if (most == 0.0)
        return lambda[0] != 0.0 || lambda[1] != 0.0 ? HUGE_VAL : r > 0.0 ? hypot(y[0], y[1]) : 0.0;
    const double x[2] = {lambda[0] / most, lambda[1] / most}, tau[2] = {x[0] - y[0], x[1] - y[1]};
    const double length = hypot(tau[0], tau[1]), share = r / most / length;
    return length <= r / most ? hypot(y[0], y[1]) : hypot(x[0] - share * tau[0], x[1] - share * tau[1]);
}

/* m = max mu_k, and r_k = mu_k / m, of the disc with the rows `first` and `first` + 1: it is round in lambda_k / r_k,
 * and there its velocities are r_k w_k. */
static double disc_shares(const dls_direct *d, size_t first, double share[2])
{
    const double mu[2] = {dls_direct_mu(d, first), dls_direct_mu(d, first + 1)}, m = fmax(mu[0], mu[1]);
    for (size_t t = 0; t < 2; t++)
        share[t] = m > 0.0 ? mu[t] / m : 1.0;
    return m;
}

static double row_disc_violation(const dls_direct *d, size_t first, const double *lambda, const double *w,
                                 const double *T, const double *most)
{
    double share[2], y[2], z[2], terms = 0.0, larger = -1.0, alone = 0.0;
    const double r = disc_shares(d, first, share) * fmax(lambda[d->problem->parent[first]], 0.0);
    for (size_t t = 0; t < 2; t++) {
        const size_t i = first + t;
        y[t] = share[t] > 0.0 ? lambda[i] / share[t] : 0.0;
        z[t] = share[t] * w[i];
        terms = fmax(terms, share[t] * T[i]);
        if (share[t] == 0.0)
            alone = dls_row_violation(0.0, 0.0, lambda[i], w[i], T[i], most[i]);
        else if (isfinite(most[i]))
            larger = fmax(larger, most[i] / share[t]);
    }
    const double round = disc_violation(r, y, z, terms, larger < 0.0 ? HUGE_VAL : larger);
    return isnan(alone) || fabs(alone) > round ? alone : round;
}

/* Under the associated law, sum h(w) over the discs that row i bounds, with which its contact opens; adds their terms
 * to those of w_i. Else 0. */
static double associated_opening(const dls_direct *d, size_t i, const double *w, const double *T, double *terms)
{
    const dls_problem *p = d->problem;
    double sum = 0.0;
    for (size_t k = 0; k < dls_problem_discs(p, i) && p->law[i + 1] == DLS_LAW_ASSOCIATED; k++) {
        double share[2];
        const size_t first = i + 1 + 2 * k;
        const double m = disc_shares(d, first, share);
        sum += m * hypot(share[0] * w[first], share[1] * w[first + 1]);
        *terms += m * fmax(share[0] * T[first], share[1] * T[first + 1]);
    }
    return sum;
}

double dls_cone_map_violation(const dls_direct *d, const double *lambda, const double *w, double *T, double *most)
{
    const dls_problem *p = d->problem;
    double worst = 0.0;
    dls_row_scales(&d->q, lambda, T, most);
    for (size_t i = 0; i < d->n && !isnan(worst); i++) {
        const double r = p->law[i] == DLS_LAW_FIXED ? 0.0 : dls_direct_mu(d, i) * fmax(lambda[p->parent[i]], 0.0);
        double v = 0.0;
        if (p->law[i] == DLS_LAW_FIXED) {
            double own = T[i];
            const double opening = associated_opening(d, i, w, T, &own);
            v = dls_row_violation(d->q.lo[i], d->q.hi[i], lambda[i], w[i] - opening, own, most[i]);
        } else if (p->law[i] == DLS_LAW_BOX)
            v = dls_row_violation(-r, r, lambda[i], w[i], T[i], most[i]);
        else if (disc_of(p, i) == i)
            v = row_disc_violation(d, i, lambda, w, T, most);
        worst = fabs(v) > worst || isnan(v) ? fabs(v) : worst;
    }
    return worst;
}

bool dls_cone_map_within_reach(const dls_direct *d, const double *lambda)
{
    for (size_t i = 0; i < d->n; i++)
        if (!(fabs(lambda[i]) <= dls_reach * dls_direct_size(d, i)))
            return false;
    return true;
}

void dls_cone_map_jacobian(const dls_direct *d, const dls_cone_row *rows, size_t m, const size_t *active, double *V)
{
    const dls_dense *q = &d->q;
    for (size_t c = 0; c < m; c++) {
        const size_t j = active ? active[c] : c;
        const double *A = q->A + q->n * j;
        double *column = V + m * c;
        for (size_t r = 0; r < m; r++) {
            const size_t i = active ? active[r] : r;
            const dls_cone_row *row = &rows[i];
            double sum = i == j;
            for (size_t k = 0; k < row->count; k++)
                sum -= row->column[k] == j ? row->Q[k] : 0.0;
            for (size_t k = 0; k < row->count; k++)
                sum += row->P[k] * A[row->column[k]];
            column[r] = sum;
        }
    }
}

void dls_cone_map_apply(const dls_direct *d, const dls_cone_row *rows, const double *x, double *Ax, double *Vx)
{
    const int n = (int)d->n;
    if (n > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, d->q.A, n, x, 1, 0.0, Ax, 1);
    for (size_t i = 0; i < d->n; i++) {
        Vx[i] = x[i];
        for (size_t k = 0; k < rows[i].count; k++)
            Vx[i] += rows[i].P[k] * Ax[rows[i].column[k]] - rows[i].Q[k] * x[rows[i].column[k]];
    }
}

void dls_cone_map_apply_transposed(const dls_direct *d, const dls_cone_row *rows, const double *y, double *Py,
                                   double *Vy)
{
    const int n = (int)d->n;
    memset(Py, 0, d->n * sizeof *Py);
    memcpy(Vy, y, d->n * sizeof *Vy);
    for (size_t i = 0; i < d->n; i++)
        for (size_t k = 0; k < rows[i].count; k++) {
            Py[rows[i].column[k]] += rows[i].P[k] * y[i];
            Vy[rows[i].column[k]] -= rows[i].Q[k] * y[i];
        }
    if (n > 0)
        cblas_dgemv(CblasColMajor, CblasTrans, n, n, 1.0, d->q.A, n, Py, 1, 1.0, Vy, 1);
}

/* x within lo and hi; at one of them if tau is there or beyond. */
static double clamp_by_tau(double x, double tau, double lo, double hi)
{
    return tau <= lo ? lo : tau >= hi ? hi : clamp(x, lo, hi);
}

void dls_cone_map_project(const dls_direct *d, const double *w, double *lambda)
{
    const dls_problem *p = d->problem;
    for (size_t i = 0; i < d->n; i++) {
        const double r = p->law[i] == DLS_LAW_FIXED ? 0.0 : dls_direct_mu(d, i) * fmax(lambda[p->parent[i]], 0.0);
        if (p->law[i] == DLS_LAW_FIXED)
            lambda[i] = clamp_by_tau(lambda[i], lambda[i] - w[i], d->q.lo[i], d->q.hi[i]);
        else if (p->law[i] == DLS_LAW_BOX)
            lambda[i] = clamp_by_tau(lambda[i], lambda[i] - w[i], -r, r);
        else if (disc_of(p, i) == i) {
            const double tau[2] = {lambda[i] - w[i], lambda[i + 1] - w[i + 1]}, reach = hypot(tau[0], tau[1]);
            const double length = hypot(lambda[i], lambda[i + 1]), share = length > r ? r / length : 1.0;
            for (size_t t = 0; t < 2; t++)
                lambda[i + t] = reach > r ? r / reach * tau[t] : share * lambda[i + t];
        }
    }
}

void dls_cone_map_right_side(const dls_direct *d, const dls_cone_row *rows, double *right)
{
    for (size_t i = 0; i < d->n; i++) {
        right[i] = rows[i].offset;
        for (size_t k = 0; k < rows[i].count; k++)
            right[i] -= rows[i].P[k] * d->q.b[rows[i].column[k]];
    }
}

/* --- sweeps --- */

/* One step of projected Gauss-Seidel. */
static void visit_row(const dls_direct *d, size_t i, double *lambda)
{
    const dls_dense *q = &d->q;
    double lo = q->lo[i], hi = q->hi[i], diagonal = q->A[i + d->n * i], slope;
    if (!(diagonal > 0.0))
        return;
    if (d->problem->parent[i] != DLS_NONE) {
        hi = radius_at(d, d->problem->parent[i], dls_direct_mu(d, i), lambda[d->problem->parent[i]], &slope);
        lo = -hi;
    }
    lambda[i] = clamp(lambda[i] - dls_dense_row_w(q, i, lambda) / diagonal, lo, hi);
}

/* `inner` projections onto the cone, or onto its disc at hi where the nearest point lies above that. */
static void visit_contact(const dls_direct *d, size_t i, size_t inner, double *lambda)
{
    const dls_dense *q = &d->q;
    double mu = dls_direct_mu(d, i + 1), trace = 0.0, w[3];
    for (size_t r = 0; r < 3; r++) {
        trace += q->A[i + r + d->n * (i + r)];
        w[r] = dls_dense_row_w(q, i + r, lambda);
    }
    for (size_t k = 0; trace > 0.0 && k < inner; k++) {
        double x[3] = {lambda[i] - (w[0] + mu * hypot(w[1], w[2])) / trace, lambda[i + 1] - w[1] / trace,
                       lambda[i + 2] - w[2] / trace};
        double length = hypot(x[1], x[2]), normal = length <= mu * x[0] ? x[0] : (x[0] + mu * length) / (1.0 + mu * mu);
        x[0] = clamp(normal, 0.0, q->hi[i]);
        double share = length > mu * x[0] ? mu * x[0] / length : 1.0;
        x[1] *= share, x[2] *= share;
        for (size_t c = 0; c < 3; c++)
            for (size_t r = 0; r < 3; r++)
                w[r] += q->A[i + r + d->n * (i + c)] * (x[c] - lambda[i + c]);
        memcpy(lambda + i, x, sizeof x);
    }
}

/* One projection of rolling friction onto its disc. */
static void visit_rolling(const dls_direct *d, size_t first, double *lambda)
{
    const dls_dense *q = &d->q;
    const double trace = q->A[first * (q->n + 1)] + q->A[(first + 1) * (q->n + 1)];
    if (!(trace > 0.0))
        return;
    double slope, x[2] = {lambda[first] - dls_dense_row_w(q, first, lambda) / trace,
                          lambda[first + 1] - dls_dense_row_w(q, first + 1, lambda) / trace};
    const double r = radius_at(d, d->problem->parent[first], dls_direct_mu(d, first), lambda[d->problem->parent[first]],
                               &slope),
                 length = hypot(x[0], x[1]), share = length > r ? r / length : 1.0;
    lambda[first] = share * x[0], lambda[first + 1] = share * x[1];
}

void dls_cone_map_sweep(const dls_direct *d, size_t inner, double *lambda)
{
    for (size_t i = 0; i < d->n; i++) {
        const size_t discs = dls_problem_discs(d->problem, i);
        if (discs > 0) {
            visit_contact(d, i, inner, lambda);
            if (discs > 1)
                visit_rolling(d, i + 3, lambda);
            i += 2 * discs;
        } else {
            visit_row(d, i, lambda);
        }
    }
}
