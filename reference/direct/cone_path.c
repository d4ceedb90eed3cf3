/* A primal-dual interior path for rows with bounds, box friction and Coulomb's cone.
 *
 * In the variables of a contact
 *     L = (mu lambda_n, lambda_t),    U = (w_n / mu + |w_t|, w_t)
 * Coulomb's law is: L and U lie in the cone x_0 >= |(x_1, x_2)|, and L o U = 0 with Jordan's product
 *     x o y = (x . y, x_0 y_t + y_0 x_t);
 * for w_n >= 0 is U_0 >= |U_t|, and L . U = lambda_n w_n + mu lambda_n |w_t| + lambda_t . w_t (De Saxce, derived in
 * examine_cone.c). A row with a bound s >= 0 has a multiplier y >= 0 with s y = 0; box friction has the two bounds s =
 * mu lambda_n + lambda_t and s = mu lambda_n - lambda_t, whose multipliers act on the tangent alone. With the
 * velocities that multipliers and cones permit,
 *     w_i = sum_s sign_s y_s,     w = T(U) = (mu (U_0 - |U_t|), U_t)  of a contact,
 * the problem is A lambda + b = these, s y = 0, L o U = 0. The path is the solutions with s y = tau and L o U = tau (1,
 * 0, 0) for tau from large to small. Newton's step towards tau, with the residual r = A lambda + b - w, is
 *     A d - sum sign dy - T' dU = -r,   y ds + s dy = tau - s y,   L o dU + U o dL = tau (1, 0, 0) - L o U,
 * from which dy and dU are eliminated: with the matrix Arw(x) of x o, and S = diag(mu, 1, 1),
 *     (A + sum sign (y / s) ds/dlambda + T' Arw(L)^-1 Arw(U) S) d = -r + ...
 * The predictor has tau = 0; the corrector has tau = (tau_p / tau)^3 of it and its products ds dy, dL o dU (S.
 * Mehrotra, 1992). Where that gets nowhere, a step towards half of tau keeps to the middle. T is not linear and T'
 * jumps at U_t = 0, so no theory says that the path ends; in practice it does (D. M. Kleinert, B. Simeon and M.
 * Obermayr, "An inexact interior point method for the large-scale simulation of granular material" (2014); V. Acary, P.
 * Armand, H. M. Nguyen and M. Shpakovych, "Second-order cone programming for frictional contact mechanics using
 * interior point algorithm" (2024), whose cones have T with a fixed |U_t|). Where solutions form a continuum, as for
 * redundant contacts, the path leads to its middle, where contacts that can stick do so in the inner of their cones;
 * there Newton's method, which fails at points where a contact sticks at its rim, converges.
 *
 * A may be singular: to its diagonal of ones `regular` is added, which bounds the step in directions that nothing else
 * determines; refinement corrects the others. */
#include "cone_path.h"

#include "jordan.h"
#include "measure.h"

static const double regular = 1e-11, boundary = 0.99;

/* --- rows, their bounds and their start --- */

/* Collect the bounds and contacts; `one_sided` as in cone_sides.h. */
static void collect_rows(dls_cone_path *path, bool one_sided)
{
    const dls_direct *d = path->d;
    path->n_sides = dls_cone_sides_collect(d, one_sided, path->sides, path->fixed, path->x);
    path->n_pairs = 0;
    for (size_t i = 0; i < d->n; i++)
        if (!one_sided && !path->fixed[i] && dls_cone_has_friction(d, i))
            path->pairs[path->n_pairs++] = (dls_cone_pair){.row = i, .mu = dls_direct_mu(d, i + 1)};
}

/* The impulses that a block asks for where all are 0: the largest |b_i| of its rows that are violated there. */
static void measure_blocks_asked(dls_cone_path *path, double *asked)
{
    const dls_direct *d = path->d;
    memset(asked, 0, d->n_blocks * sizeof *asked);
    for (size_t i = 0; i < d->n; i++) {
        const bool up = d->q.hi[i] > 0.0, down = d->q.lo[i] < 0.0, tangent = d->problem->parent[i] != DLS_NONE;
        const double b = d->q.b[i];
        if (tangent || (up && b < 0.0) || (down && b > 0.0) || d->q.lo[i] > 0.0 || d->q.hi[i] < 0.0)
            asked[d->block[i]] = fmax(asked[d->block[i]], fabs(b));
    }
    for (size_t k = 0; k < d->n_blocks; k++)
        asked[k] = asked[k] > 0.0 ? asked[k] : d->size[k];
}

/* L at x. */
static void update_pairs(dls_cone_path *path)
{
    for (size_t k = 0; k < path->n_pairs; k++) {
        dls_cone_pair *pair = &path->pairs[k];
        const double *x = path->x + pair->row;
        pair->L[0] = pair->mu * x[0], pair->L[1] = x[1], pair->L[2] = x[2];
    }
}

/* Impulses inside their bounds, multipliers with s y = asked^2 or above it where b asks for more. False where two
 * bounds have no double between them. */
static bool start_path(dls_cone_path *path)
{
    const dls_direct *d = path->d;
    double *asked = path->right; /* n_blocks <= n entries */
    bool inside = true;
    measure_blocks_asked(path, asked);
    for (size_t i = 0; i < d->n; i++) {
        const double lo = d->q.lo[i], hi = d->q.hi[i], size = asked[d->block[i]], b = fabs(d->q.b[i]);
        const double margin = fmin(b > size ? size * (size / b) : size, 0.5 * hi - 0.5 * lo);
        if (!path->fixed[i])
            path->x[i] = d->problem->parent[i] != DLS_NONE ? 0.0 : fmin(fmax(0.0, lo + margin), hi - margin);
    }
    for (size_t k = 0; k < path->n_sides; k++) {
        dls_cone_side *side = &path->sides[k];
        const double s = dls_cone_side_slack(side, path->x), size = asked[d->block[side->row]];
        side->y = fmax(size * (size / s), side->sign * d->q.b[side->row]);
        inside = inside && s > 0.0 && isfinite(side->y);
    }
    for (size_t k = 0; k < path->n_pairs; k++) {
        dls_cone_pair *pair = &path->pairs[k];
        const double *b = d->q.b + pair->row, size = asked[d->block[pair->row]];
        pair->U[0] = fmax(size, 2.0 * fmax(fabs(b[0]), fmax(fabs(b[1]), fabs(b[2]))));
        pair->U[1] = pair->U[2] = 0.0;
    }
    update_pairs(path);
    return inside;
}

/* --- one step --- */

/* The mean of s y and L . U after a step of length t. */
static double mean_product(const dls_cone_path *path, double t)
{
    double sum = 0.0;
    for (size_t k = 0; k < path->n_sides; k++) {
        const dls_cone_side *side = &path->sides[k];
        sum += (dls_cone_side_slack(side, path->x) + t * side->ds) * (side->y + t * side->dy);
    }
    for (size_t k = 0; k < path->n_pairs; k++)
        for (size_t r = 0; r < 3; r++)
            sum += (path->pairs[k].L[r] + t * path->pairs[k].dL[r]) * (path->pairs[k].U[r] + t * path->pairs[k].dU[r]);
    const size_t count = path->n_sides + path->n_pairs;
    return count > 0 ? sum / (double)count : 0.0;
}

/* T' z at U. */
static void permitted_derivative(const dls_cone_pair *pair, const double *z, double *Tz)
{
    const double length = hypot(pair->U[1], pair->U[2]);
    const double along = length > 0.0 ? (pair->U[1] * z[1] + pair->U[2] * z[2]) / length : 0.0;
    Tz[0] = pair->mu * (z[0] - along), Tz[1] = z[1], Tz[2] = z[2];
}

/* K of the eliminated system, and its LU factors. */
static bool factorise_step(dls_cone_path *path, dls_report *report)
{
    const size_t n = path->d->n;
    double *K = path->K;
    memcpy(K, path->d->q.A, n * n * sizeof *K);
    for (size_t i = 0; i < n; i++)
        K[i + n * i] += regular + path->compliance;
    for (size_t k = 0; k < path->n_sides; k++) {
        const dls_cone_side *side = &path->sides[k];
        const double share = side->y / dls_cone_side_slack(side, path->x);
        K[side->row + n * side->row] += share;
        if (side->mu > 0.0)
            K[side->row + n * side->normal] += side->sign * side->mu * share;
    }
    for (size_t k = 0; k < path->n_pairs; k++) {
        const dls_cone_pair *pair = &path->pairs[k];
        for (size_t c = 0; c < 3; c++) {
            double column[3] = {0}, product[3], z[3], Tz[3];
            column[c] = c == 0 ? pair->mu : 1.0;
            dls_jordan_product(pair->U, column, product);
            dls_jordan_divide(pair->L, product, z);
            permitted_derivative(pair, z, Tz);
            for (size_t r = 0; r < 3; r++)
                K[pair->row + r + n * (pair->row + c)] += Tz[r];
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (path->fixed[i] || path->fixed[j])
                K[i + n * j] = i == j;
    report->iterations++;
    report->factorizations++;
    return dls_matrix_is_finite(n, K, false) &&
           LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, (lapack_int)n, (lapack_int)n, K, (lapack_int)n, path->pivots) == 0;
}

/* The eliminated system without `regular`, times d: in `product`. */
static void apply_step(const dls_cone_path *path, const double *d, double *product)
{
    const int n = (int)path->d->n;
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, path->d->q.A, n, d, 1, 0.0, product, 1);
    cblas_daxpy(n, path->compliance, d, 1, product, 1);
    for (size_t k = 0; k < path->n_sides; k++) {
        const dls_cone_side *side = &path->sides[k];
        product[side->row] += side->sign * (side->y / dls_cone_side_slack(side, path->x)) *
                              (side->sign * d[side->row] + side->mu * d[side->normal]);
    }
    for (size_t k = 0; k < path->n_pairs; k++) {
        const dls_cone_pair *pair = &path->pairs[k];
        const double dL[3] = {pair->mu * d[pair->row], d[pair->row + 1], d[pair->row + 2]};
        double of_U[3], z[3], Tz[3];
        dls_jordan_product(pair->U, dL, of_U);
        dls_jordan_divide(pair->L, of_U, z);
        permitted_derivative(pair, z, Tz);
        for (size_t r = 0; r < 3; r++)
            product[pair->row + r] += Tz[r];
    }
    for (int i = 0; i < n; i++)
        if (path->fixed[i])
            product[i] = d[i];
}

/* Solves the system with the right side d into d, by the factors and a few steps of refinement, which take `regular`
 * away again in all directions that A and the bounds tell from 0. */
static void solve_refined(dls_cone_path *path, double *d)
{
    enum { REFINEMENTS = 3 };
    const lapack_int n = (lapack_int)path->d->n;
    double *right = path->T, *rest = path->most;
    memcpy(right, d, path->d->n * sizeof *right);
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, path->K, n, path->pivots, d, n);
    for (int k = 0; k < REFINEMENTS; k++) {
        apply_step(path, d, rest);
        for (size_t i = 0; i < path->d->n; i++)
            rest[i] = right[i] - rest[i];
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, path->K, n, path->pivots, rest, n);
        cblas_daxpy((int)n, 1.0, rest, 1, d, 1);
    }
}

/* The step towards products tau, less those of the step before where `second`: in right, ds, dy, dL and dU. */
static void find_direction(dls_cone_path *path, double tau, bool second)
{
    double *d = path->right;
    for (size_t i = 0; i < path->d->n; i++)
        d[i] = -path->w[i];
    for (size_t k = 0; k < path->n_sides; k++) {
        dls_cone_side *side = &path->sides[k];
        side->dy = (tau - (second ? side->ds * side->dy : 0.0)) / dls_cone_side_slack(side, path->x) - side->y;
        d[side->row] += side->sign * (side->y + side->dy);
    }
    for (size_t k = 0; k < path->n_pairs; k++) {
        dls_cone_pair *pair = &path->pairs[k];
        const double permitted[3] = {pair->mu * (pair->U[0] - hypot(pair->U[1], pair->U[2])), pair->U[1], pair->U[2]};
        double product[3], of_step[3], want[3], Tz[3];
        dls_jordan_product(pair->L, pair->U, product);
        dls_jordan_product(pair->dL, pair->dU, of_step);
        for (size_t r = 0; r < 3; r++)
            want[r] = (r == 0 ? tau : 0.0) - product[r] - (second ? of_step[r] : 0.0);
        dls_jordan_divide(pair->L, want, pair->dU);
        permitted_derivative(pair, pair->dU, Tz);
        for (size_t r = 0; r < 3; r++)
            d[pair->row + r] += permitted[r] + Tz[r];
    }
    for (size_t i = 0; i < path->d->n; i++)
        d[i] = path->fixed[i] ? 0.0 : d[i];
    solve_refined(path, d);
    for (size_t k = 0; k < path->n_sides; k++) {
        dls_cone_side *side = &path->sides[k];
        side->ds = side->sign * d[side->row] + side->mu * d[side->normal];
        side->dy -= side->y / dls_cone_side_slack(side, path->x) * side->ds;
    }
    for (size_t k = 0; k < path->n_pairs; k++) {
        dls_cone_pair *pair = &path->pairs[k];
        double product[3], z[3];
        pair->dL[0] = pair->mu * d[pair->row], pair->dL[1] = d[pair->row + 1], pair->dL[2] = d[pair->row + 2];
        dls_jordan_product(pair->U, pair->dL, product);
        dls_jordan_divide(pair->L, product, z);
        for (size_t r = 0; r < 3; r++)
            pair->dU[r] -= z[r];
    }
}

static double reach_of_step(const dls_cone_path *path)
{
    double t = HUGE_VAL;
    for (size_t k = 0; k < path->n_sides; k++) {
        const dls_cone_side *side = &path->sides[k];
        t = fmin(t, side->ds < 0.0 ? -dls_cone_side_slack(side, path->x) / side->ds : HUGE_VAL);
        t = fmin(t, side->dy < 0.0 ? -side->y / side->dy : HUGE_VAL);
    }
    for (size_t k = 0; k < path->n_pairs; k++) {
        const dls_cone_pair *pair = &path->pairs[k];
        t = fmin(t, fmin(dls_cone_reach(pair->L, pair->dL), dls_cone_reach(pair->U, pair->dU)));
    }
    return t;
}

/* Moves by t, and returns whether all is finite and inside. */
static bool move_along(dls_cone_path *path, double t)
{
    bool inside = true;
    for (size_t i = 0; i < path->d->n; i++) {
        path->x[i] += t * path->right[i];
        inside = inside && isfinite(path->x[i]);
    }
    for (size_t k = 0; k < path->n_sides; k++) {
        dls_cone_side *side = &path->sides[k];
        side->y += t * side->dy;
        inside = inside && side->y > 0.0 && dls_cone_side_slack(side, path->x) > 0.0;
    }
    update_pairs(path);
    for (size_t k = 0; k < path->n_pairs; k++) {
        dls_cone_pair *pair = &path->pairs[k];
        for (size_t r = 0; r < 3; r++)
            pair->U[r] += t * pair->dU[r];
        inside = inside && pair->L[0] > hypot(pair->L[1], pair->L[2]) && pair->U[0] > hypot(pair->U[1], pair->U[2]);
    }
    return inside;
}

/* A predictor-corrector step; false where it gets nowhere. */
static bool path_step(dls_cone_path *path, dls_report *report)
{
    const double tau = mean_product(path, 0.0);
    if (!factorise_step(path, report))
        return false;
    find_direction(path, 0.0, false);
    const double ratio = fmax(mean_product(path, fmin(1.0, boundary * reach_of_step(path))), 0.0) / tau;
    find_direction(path, fmax(pow(fmin(ratio, 1.0), 3.0), 1e-6) * tau, true);
    double t = fmin(1.0, boundary * reach_of_step(path));
    if (!(t >= 0.1)) {
        find_direction(path, 0.5 * tau, false);
        t = fmin(1.0, boundary * reach_of_step(path));
    }
    return t > 1e-10 && move_along(path, t);
}

/* --- the path --- */

void dls_cone_path_take(dls_cone_path *path, const dls_direct *d)
{
    *path = (dls_cone_path){.d = d};
    path->sides = DLS_TAKE(d->memory, dls_cone_side, 2 * d->n);
    path->pairs = DLS_TAKE(d->memory, dls_cone_pair, d->n / 3);
    path->fixed = DLS_TAKE(d->memory, bool, d->n);
    path->pivots = DLS_TAKE(d->memory, lapack_int, d->n);
    DLS_DIRECT_VECTORS(d, &path->x, &path->w, &path->right, &path->T, &path->most);
    path->K = dls_take_matrix(d->memory, d->n, d->n);
}

/* w at x, with the compliance. */
static void update_velocities(dls_cone_path *path)
{
    dls_dense_w(&path->d->q, path->x, path->w);
    cblas_daxpy((int)path->d->n, path->compliance, path->x, 1, path->w, 1);
}

void dls_cone_path_follow(dls_cone_path *path, size_t limit, double *lambda, dls_report *report)
{
    const dls_direct *d = path->d;
    double least = HUGE_VAL;
    path->compliance = 0.0;
    collect_rows(path, false);
    bool goes_on = start_path(path);
    for (size_t k = 0; goes_on; k++) {
        update_velocities(path);
        const double violation = dls_cone_map_violation(d, path->x, path->w, path->T, path->most);
        if (violation < least) {
            least = violation;
            memcpy(lambda, path->x, d->n * sizeof *lambda);
        }
        goes_on = k < limit && !(violation <= (double)(d->n + 3) * DBL_EPSILON) && path_step(path, report);
    }
}

/* The rows that can contradict each other are those whose w has one sign or none in every solution: rows with one bound
 * or none, and no tangents. With x = G^T y, G = J M^-1/2 in units of 1, the least violation of these rows by any
 * velocity, min |dist(G x + b)|^2 / 2 + epsilon |x|^2 / 2, has the distances y with (A / epsilon + 1) y + b
 * complementary to y: the same rows with compliance epsilon, and lambda = y / epsilon. For epsilon -> 0 the distances
 * vanish, or y is a Farkas vector: A y = 0, b.y = -|y|^2. Distances that vanish are of size epsilon in y; without them
 * it is nearer to an exact one. Redundant rows whose b agree but for rounding errors contradict each other only in
 * exact arithmetic: b.y is then a rounding error of its own terms, and y no reason for a failure. */
bool dls_cone_path_contradiction(dls_cone_path *path, size_t limit, double *y, double *bound, dls_report *report)
{
    static const double epsilon = 1e-10, ended = 1e-20, vanishes = 1e-6;
    path->compliance = epsilon;
    collect_rows(path, true);
    bool goes_on = start_path(path);
    const double start = mean_product(path, 0.0);
    for (size_t k = 0; k < limit && goes_on; k++) {
        update_velocities(path);
        goes_on = mean_product(path, 0.0) > ended * start && path_step(path, report);
    }
    const size_t n = path->d->n;
    const double largest = n > 0 ? fabs(path->x[cblas_idamax((int)n, path->x, 1)]) : 0.0;
    double sum = 0.0, terms = 0.0;
    for (size_t i = 0; i < n; i++) {
        y[i] = fabs(path->x[i]) > vanishes * largest ? path->x[i] : 0.0;
        sum += path->d->q.b[i] * y[i];
        terms += fabs(path->d->q.b[i] * y[i]);
    }
    return -sum > vanishes * terms && dls_direct_farkas(path->d, y, bound);
}
