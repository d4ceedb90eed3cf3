/* A primal-dual interior point method for the associated law of contacts, in a fixed point on De Saxce's term.
 *
 * In the variables of a contact L = (mu lambda_n, lambda_t) and U = ((w_n + s) / mu, w_t), with a given s >= 0, the
 * associated law is
 *     L and U in the cone x_0 >= |(x_1, x_2)|,   L o U = 0,   x o y = (x . y, x_0 y_t + y_0 x_t),
 * the condition for the minimum of lambda.A lambda / 2 + (b + s n).lambda over the cones. Where s = mu |w_t| it is
 * Coulomb's law (G. De Saxce and Z.-Q. Feng, 1998; derived in examine_cone.c). So each outer iteration solves the
 * convex problem and sets s to mu |w_t| of its solution (V. Acary, F. Cadoux, C. Lemarechal and J. Malick, 2011). A
 * fixed point solves the problem; in practice the map contracts where friction and normal velocities are not strongly
 * coupled, and no theory says where. Box friction has the bounds mu lambda_n +- lambda_t >= 0 in place of the cone,
 * whose multipliers act on normal and tangent, and s = mu |w_t| for each tangent; other rows have their bounds.
 *
 * The path of the convex problem has s y = tau for each slack s and multiplier y of a bound, and L o U = tau (1, 0,
 * 0). With Nesterov and Todd's scaling, the symmetric W with W L = W^-1 U = v, which is
 *     W^2 = sqrt(det U / det L) (2 q q^T - J),   q = (U' + J L') / sqrt(2 + 2 L'.U'),   J = diag(1, -1, -1),
 * with L' and U' of determinant 1, the step is that of v o (W dL + W^-1 dU) = tau (1, 0, 0) - v o v, in which L and U
 * have the same part, so that the eliminated matrix is symmetric and definite with A,
 *     (A + sum g g^T y / s + S W^2 S) d = right side,   S = diag(mu, 1, 1),  g = ds / dlambda,
 * and is factorised by Cholesky (Y. Nesterov and M. Todd, 1997). The predictor has tau = 0; the corrector has tau =
 * (tau_p / tau)^3 of it and the products ds dy and (W dL) o (W^-1 dU) of the predictor (S. Mehrotra, 1992). Steps end
 * at 0.99 of the distance to the boundary. A may be singular: see `regular` in cone_path.c, which follows the path of
 * Coulomb's law itself, without an outer iteration and without this symmetry.
 *
 * An iterate at the boundary of the cones whose products are 0 looks solved although the equations of motion are not
 * satisfied: the violation of the problem itself (cone_map.c) decides alone, within dls_reach. When it is small,
 * Newton's method (cone_descent.c) finishes; the report counts its steps apart. A problem without friction goes to
 * block-pivoting, and the report says so. */
#include "block_pivoting.h"
#include "cone_descent.h"
#include "cone_path.h"
#include "jordan.h"

typedef struct settings {
    double contraction, work;
    size_t limit, inner;
} settings;

static const dls_field fields[] = {
    {"limit", "", DLS_FIELD_COUNT, offsetof(settings, limit), "60", 1, 1e9, false, NULL,
     "greatest number of outer iterations"},
    {"inner", "", DLS_FIELD_COUNT, offsetof(settings, inner), "60", 1, 1e9, false, NULL,
     "greatest number of steps in an outer iteration"},
    {"contraction", "", DLS_FIELD_REAL, offsetof(settings, contraction), "0.01", 1e-12, 1, false, NULL,
     "accuracy of an outer iteration, as a share of the last change of De Saxce's term"},
    {"work", "", DLS_FIELD_REAL, offsetof(settings, work), "1e12", 1, HUGE_VAL, false, NULL,
     "greatest number of multiplications, n^3 / 3 per factorisation; then the best iterate is the answer"},
};

enum { FINISH_STEPS = 20, PATIENCE = 6, IDLE = 3 };
static const double regular = 1e-11, boundary = 0.99;
/* Violation at which Newton's method is tried, and the factor by which it has to fall until the next attempt. */
static const double finish_at = 1e-3, try_again = 0.1;

/* A contact with friction: its variables, their steps, and W, which is symmetric. */
typedef struct contact {
    size_t row;
    double mu, L[3], U[3], dL[3], dU[3], v[3], W[3][3], inverse[3][3];
} contact;

typedef struct work {
    const settings *set;
    const dls_direct *d;
    size_t n_sides, n_contacts;
    dls_cone_side *sides; /* at most 2 n */
    contact *contacts;    /* at most n / 3 */
    bool *fixed;          /* n: rows whose impulse has one value */
    double *x, *w, *shift, *rest, *step, *right, *of_A, *T, *most;
    double *K; /* n x n */
    lapack_int *pivots;
    double multiplications;
    dls_cone_descent descent;
} work;

/* --- rows and start --- */

static void take_ipm(work *p, const dls_direct *d)
{
    *p = (work){.set = d->settings, .d = d};
    p->sides = DLS_TAKE(d->memory, dls_cone_side, 2 * d->n);
    p->contacts = DLS_TAKE(d->memory, contact, d->n / 3);
    p->fixed = DLS_TAKE(d->memory, bool, d->n);
    DLS_DIRECT_VECTORS(d, &p->x, &p->w, &p->shift, &p->rest, &p->step, &p->right, &p->of_A, &p->T, &p->most);
    p->pivots = DLS_TAKE(d->memory, lapack_int, d->n);
    p->K = dls_take_matrix(d->memory, d->n, d->n);
    dls_cone_descent_take(&p->descent, d);
}

static void collect_rows(work *p)
{
    const dls_direct *d = p->d;
    p->n_sides = dls_cone_sides_collect(d, false, p->sides, p->fixed, p->x);
    for (size_t i = 0; i < d->n; i++)
        if (!p->fixed[i] && dls_cone_has_friction(d, i))
            p->contacts[p->n_contacts++] = (contact){.row = i, .mu = dls_direct_mu(d, i + 1)};
}

static void update_contacts(work *p)
{
    for (size_t k = 0; k < p->n_contacts; k++) {
        contact *c = &p->contacts[k];
        c->L[0] = c->mu * p->x[c->row], c->L[1] = p->x[c->row + 1], c->L[2] = p->x[c->row + 2];
    }
}

/* Impulses of the size of the data inside their bounds, and multipliers as large. False where two bounds have no double
 * between them. */
static bool start_ipm(work *p)
{
    const dls_direct *d = p->d;
    bool inside = true;
    for (size_t i = 0; i < d->n; i++) {
        const double lo = d->q.lo[i], hi = d->q.hi[i], right = dls_direct_right(d, i);
        const double margin = fmin(right > 0.0 ? right : dls_direct_size(d, i), 0.5 * hi - 0.5 * lo);
        if (!p->fixed[i])
            p->x[i] = d->problem->parent[i] != DLS_NONE ? 0.0 : fmin(fmax(0.0, lo + margin), hi - margin);
    }
    for (size_t k = 0; k < p->n_sides; k++) {
        dls_cone_side *side = &p->sides[k];
        const double right = dls_direct_right(d, side->row);
        side->y = right > 0.0 ? right : dls_direct_size(d, side->row);
        inside = inside && dls_cone_side_slack(side, p->x) > 0.0;
    }
    for (size_t k = 0; k < p->n_contacts; k++) {
        contact *c = &p->contacts[k];
        const double right = dls_direct_right(d, c->row);
        c->U[0] = right > 0.0 ? right : dls_direct_size(d, c->row);
        c->U[1] = c->U[2] = 0.0;
    }
    update_contacts(p);
    return inside;
}

/* --- one step --- */

/* The mean of s y and L . U after a step of length t. */
static double mean_product(const work *p, double t)
{
    double sum = 0.0;
    for (size_t k = 0; k < p->n_sides; k++) {
        const dls_cone_side *side = &p->sides[k];
        sum += (dls_cone_side_slack(side, p->x) + t * side->ds) * (side->y + t * side->dy);
    }
    for (size_t k = 0; k < p->n_contacts; k++)
        for (size_t r = 0; r < 3; r++)
            sum += (p->contacts[k].L[r] + t * p->contacts[k].dL[r]) * (p->contacts[k].U[r] + t * p->contacts[k].dU[r]);
    const size_t count = p->n_sides + p->n_contacts;
    return count > 0 ? sum / (double)count : 0.0;
}

/* scale (2 q q^T - J) */
static void reflect(double scale, const double *q, double M[3][3])
{
    for (size_t r = 0; r < 3; r++)
        for (size_t c = 0; c < 3; c++)
            M[r][c] = scale * (2.0 * q[r] * q[c] - (r == c ? (r == 0 ? 1.0 : -1.0) : 0.0));
}

static void multiply3(double M[3][3], const double *x, double *y)
{
    for (size_t r = 0; r < 3; r++)
        y[r] = M[r][0] * x[0] + M[r][1] * x[1] + M[r][2] * x[2];
}

/* Nesterov and Todd's W and v. */
static void scale_contact(contact *c)
{
    const double l = sqrt(dls_cone_determinant(c->L)), u = sqrt(dls_cone_determinant(c->U));
    double product = 0.0, q[3], root[3], mirrored[3];
    for (size_t r = 0; r < 3; r++)
        product += c->L[r] / l * (c->U[r] / u);
    const double gamma = sqrt(0.5 * (1.0 + product));
    for (size_t r = 0; r < 3; r++)
        q[r] = (c->U[r] / u + (r == 0 ? 1.0 : -1.0) * (c->L[r] / l)) / (2.0 * gamma);
    for (size_t r = 0; r < 3; r++) {
        root[r] = (q[r] + (r == 0 ? 1.0 : 0.0)) / sqrt(2.0 * (q[0] + 1.0));
        mirrored[r] = (r == 0 ? 1.0 : -1.0) * root[r];
    }
    reflect(sqrt(u / l), root, c->W);
    reflect(sqrt(l / u), mirrored, c->inverse);
    multiply3(c->W, c->L, c->v);
}

/* S W W S d of a contact, added to `to`. */
static void add_contact(contact *c, const double *d, double *to)
{
    const double dL[3] = {c->mu * d[0], d[1], d[2]};
    double once[3], twice[3];
    multiply3(c->W, dL, once);
    multiply3(c->W, once, twice);
    to[0] += c->mu * twice[0], to[1] += twice[1], to[2] += twice[2];
}

/* The eliminated matrix with `added` on the diagonal of A, and its factor: Cholesky's, or LU without symmetry. */
static bool factorise_matrix(work *p, double added)
{
    const size_t n = p->d->n;
    const lapack_int order = (lapack_int)n;
    double *K = p->K;
    memcpy(K, p->d->q.A, n * n * sizeof *K);
    for (size_t i = 0; i < n; i++)
        K[i + n * i] += added;
    for (size_t k = 0; k < p->n_sides; k++) {
        const dls_cone_side *side = &p->sides[k];
        const double share = side->y / dls_cone_side_slack(side, p->x), beside = side->sign * side->mu * share;
        K[side->row + n * side->row] += share;
        if (side->mu > 0.0) {
            K[side->row + n * side->normal] += beside, K[side->normal + n * side->row] += beside;
            K[side->normal + n * side->normal] += side->mu * side->mu * share;
        }
    }
    for (size_t k = 0; k < p->n_contacts; k++)
        for (size_t c = 0; c < 3; c++) {
            double unit[3] = {0};
            unit[c] = 1.0;
            add_contact(&p->contacts[k], unit, K + p->contacts[k].row + n * (p->contacts[k].row + c));
        }
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            if (p->fixed[i] || p->fixed[j])
                K[i + n * j] = i == j;
    return dls_matrix_is_finite(n, K, false) &&
           (p->d->q.symmetric ? LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', order, K, order)
                              : LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, order, order, K, order, p->pivots)) == 0;
}

static void solve_by_factor(const work *p, double *d)
{
    const lapack_int n = (lapack_int)p->d->n;
    if (p->d->q.symmetric)
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, 1, p->K, n, d, n);
    else
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, p->K, n, p->pivots, d, n);
}

static bool factorise(work *p, dls_report *report)
{
    const double n = (double)p->d->n;
    bool done = false;
    for (size_t k = 0; k < p->n_contacts; k++)
        scale_contact(&p->contacts[k]);
    for (double added = regular; !done && added <= 1e-7; added *= 100.0) {
        done = factorise_matrix(p, added);
        report->factorizations++;
        p->multiplications += n * n * n / 3.0;
    }
    report->iterations++;
    return done;
}

/* The eliminated matrix without `regular`, times d. */
static void multiply_matrix(work *p, const double *d, double *product)
{
    const int n = (int)p->d->n;
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, p->d->q.A, n, d, 1, 0.0, product, 1);
    for (size_t k = 0; k < p->n_sides; k++) {
        const dls_cone_side *side = &p->sides[k];
        const double ds = side->sign * d[side->row] + side->mu * d[side->normal];
        const double force = side->y / dls_cone_side_slack(side, p->x) * ds;
        product[side->row] += side->sign * force;
        product[side->normal] += side->mu * force;
    }
    for (size_t k = 0; k < p->n_contacts; k++)
        add_contact(&p->contacts[k], d + p->contacts[k].row, product + p->contacts[k].row);
    for (int i = 0; i < n; i++)
        product[i] = p->fixed[i] ? d[i] : product[i];
}

/* Solves for the right side `step` into `step`, with a few steps of refinement, which take `regular` away again in all
 * directions that A and the bounds tell from 0. */
static void solve_refined(work *p)
{
    enum { REFINEMENTS = 3 };
    const int n = (int)p->d->n;
    memcpy(p->right, p->step, p->d->n * sizeof *p->right);
    solve_by_factor(p, p->step);
    for (int k = 0; k < REFINEMENTS; k++) {
        multiply_matrix(p, p->step, p->of_A);
        for (size_t i = 0; i < p->d->n; i++)
            p->of_A[i] = p->right[i] - p->of_A[i];
        solve_by_factor(p, p->of_A);
        cblas_daxpy(n, 1.0, p->of_A, 1, p->step, 1);
    }
}

/* The step towards products tau, less those of the step before where `second`. */
static void find_direction(work *p, double tau, bool second)
{
    double *d = p->step;
    for (size_t i = 0; i < p->d->n; i++)
        d[i] = -p->w[i] - p->shift[i];
    for (size_t k = 0; k < p->n_sides; k++) {
        dls_cone_side *side = &p->sides[k];
        side->dy = (tau - (second ? side->ds * side->dy : 0.0)) / dls_cone_side_slack(side, p->x) - side->y;
        d[side->row] += side->sign * (side->y + side->dy);
        d[side->normal] += side->mu * (side->y + side->dy);
    }
    for (size_t k = 0; k < p->n_contacts; k++) {
        contact *c = &p->contacts[k];
        double square[3], of_L[3], of_U[3], product[3] = {0}, wanted[3], along[3];
        dls_jordan_product(c->v, c->v, square);
        multiply3(c->W, c->dL, of_L);
        multiply3(c->inverse, c->dU, of_U);
        if (second)
            dls_jordan_product(of_L, of_U, product);
        for (size_t r = 0; r < 3; r++)
            wanted[r] = (r == 0 ? tau : 0.0) - square[r] - product[r];
        dls_jordan_divide(c->v, wanted, along);
        multiply3(c->W, along, c->dU);
        for (size_t r = 0; r < 3; r++)
            d[c->row + r] += (r == 0 ? c->mu : 1.0) * (c->U[r] + c->dU[r]);
    }
    for (size_t i = 0; i < p->d->n; i++)
        d[i] = p->fixed[i] ? 0.0 : d[i];
    solve_refined(p);
    for (size_t k = 0; k < p->n_sides; k++) {
        dls_cone_side *side = &p->sides[k];
        side->ds = side->sign * d[side->row] + side->mu * d[side->normal];
        side->dy -= side->y / dls_cone_side_slack(side, p->x) * side->ds;
    }
    for (size_t k = 0; k < p->n_contacts; k++) {
        contact *c = &p->contacts[k];
        double once[3], twice[3];
        c->dL[0] = c->mu * d[c->row], c->dL[1] = d[c->row + 1], c->dL[2] = d[c->row + 2];
        multiply3(c->W, c->dL, once);
        multiply3(c->W, once, twice);
        for (size_t r = 0; r < 3; r++)
            c->dU[r] -= twice[r];
    }
}

static double reach_of_step(const work *p)
{
    double t = HUGE_VAL;
    for (size_t k = 0; k < p->n_sides; k++) {
        const dls_cone_side *side = &p->sides[k];
        t = fmin(t, side->ds < 0.0 ? -dls_cone_side_slack(side, p->x) / side->ds : HUGE_VAL);
        t = fmin(t, side->dy < 0.0 ? -side->y / side->dy : HUGE_VAL);
    }
    for (size_t k = 0; k < p->n_contacts; k++) {
        const contact *c = &p->contacts[k];
        t = fmin(t, fmin(dls_cone_reach(c->L, c->dL), dls_cone_reach(c->U, c->dU)));
    }
    return t;
}

/* Moves by t, and returns whether all is finite and inside. */
static bool move_along(work *p, double t)
{
    bool inside = true;
    for (size_t i = 0; i < p->d->n; i++) {
        p->x[i] += t * p->step[i];
        inside = inside && isfinite(p->x[i]);
    }
    for (size_t k = 0; k < p->n_sides; k++) {
        dls_cone_side *side = &p->sides[k];
        side->y += t * side->dy;
        inside = inside && side->y > 0.0 && dls_cone_side_slack(side, p->x) > 0.0;
    }
    update_contacts(p);
    for (size_t k = 0; k < p->n_contacts; k++) {
        contact *c = &p->contacts[k];
        for (size_t r = 0; r < 3; r++)
            c->U[r] += t * c->dU[r];
        inside = inside && dls_cone_determinant(c->L) > 0.0 && c->L[0] > 0.0 && dls_cone_determinant(c->U) > 0.0 &&
                 c->U[0] > 0.0;
    }
    return inside;
}

/* A predictor-corrector step; false where it gets nowhere. */
static bool ipm_step(work *p, dls_report *report)
{
    const double tau = mean_product(p, 0.0);
    if (!factorise(p, report))
        return false;
    find_direction(p, 0.0, false);
    const double ratio = tau > 0.0 ? fmax(mean_product(p, fmin(1.0, boundary * reach_of_step(p))), 0.0) / tau : 0.0;
    find_direction(p, fmax(pow(fmin(ratio, 1.0), 3.0), 1e-6) * tau, true);
    double t = fmin(1.0, boundary * reach_of_step(p));
    if (!(t >= 0.1)) {
        find_direction(p, 0.5 * tau, false);
        t = fmin(1.0, boundary * reach_of_step(p));
    }
    return t > 1e-10 && move_along(p, t);
}

/* --- the convex problem and the outer iteration --- */

/* w at x, and the largest residual of its equations. */
static double update_residual(work *p)
{
    double largest = 0.0;
    dls_dense_w(&p->d->q, p->x, p->w);
    for (size_t i = 0; i < p->d->n; i++)
        p->rest[i] = p->w[i] + p->shift[i];
    for (size_t k = 0; k < p->n_sides; k++) {
        p->rest[p->sides[k].row] -= p->sides[k].sign * p->sides[k].y;
        p->rest[p->sides[k].normal] -= p->sides[k].mu * p->sides[k].y;
    }
    for (size_t k = 0; k < p->n_contacts; k++)
        for (size_t r = 0; r < 3; r++)
            p->rest[p->contacts[k].row + r] -= (r == 0 ? p->contacts[k].mu : 1.0) * p->contacts[k].U[r];
    for (size_t i = 0; i < p->d->n; i++)
        largest = p->fixed[i] ? largest : fmax(largest, fabs(p->rest[i]));
    return largest;
}

/* Whether another factorisation is within the limit of the work, which is the same on every machine. */
static bool within_work(const work *p)
{
    const double n = (double)p->d->n;
    return p->multiplications + p->descent.multiplications + n * n * n / 3.0 <= p->set->work;
}

/* Steps to products and residuals of at most accuracy^2 and accuracy; the best points are remembered. False where they
 * get nowhere before. */
static bool solve_convex(work *p, double accuracy, dls_report *report)
{
    dls_cone_descent *best = &p->descent;
    for (size_t k = 0;; k++) {
        const double residual = update_residual(p);
        const double violation = dls_cone_map_violation(p->d, p->x, p->w, p->T, p->most);
        if (violation < best->least && dls_cone_map_within_reach(p->d, p->x)) {
            best->least = violation;
            memcpy(best->best, p->x, p->d->n * sizeof *p->x);
        }
        if ((mean_product(p, 0.0) <= accuracy * accuracy && residual <= accuracy) || best->least <= dls_solved_to)
            return true;
        if (k >= p->set->inner || !within_work(p) || !ipm_step(p, report))
            return false;
    }
}

/* De Saxce's term of w, and its largest change. */
static double update_shift(work *p)
{
    const dls_problem *problem = p->d->problem;
    double change = 0.0;
    memset(p->right, 0, p->d->n * sizeof *p->right);
    for (size_t k = 0; k < p->n_contacts; k++)
        p->right[p->contacts[k].row] =
            p->contacts[k].mu * hypot(p->w[p->contacts[k].row + 1], p->w[p->contacts[k].row + 2]);
    for (size_t i = 0; i < p->d->n; i++)
        if (problem->law[i] == DLS_LAW_BOX && !p->fixed[i])
            p->right[problem->parent[i]] += dls_direct_mu(p->d, i) * fabs(p->w[i]);
    for (size_t i = 0; i < p->d->n; i++) {
        change = fmax(change, fabs(p->right[i] - p->shift[i]));
        p->shift[i] = p->right[i];
    }
    return change;
}

/* Moves multipliers, and normal impulses, away from the boundary by `margin`: the next problem is that far away. */
static void restart_inside(work *p, double margin)
{
    for (size_t k = 0; k < p->n_sides; k++)
        p->sides[k].y += margin;
    for (size_t k = 0; k < p->n_contacts; k++) {
        contact *c = &p->contacts[k];
        const double hi = p->d->q.hi[c->row];
        p->x[c->row] += fmin(margin / c->mu, 0.5 * (hi - p->x[c->row]));
        c->U[0] += margin;
    }
    update_contacts(p);
}

/* Newton's method from the best point; whether that solves the problem. */
static bool finish(work *p, dls_report *report)
{
    dls_cone_descent *descent = &p->descent;
    memcpy(descent->lambda, descent->best, p->d->n * sizeof *descent->best);
    dls_cone_descend(descent, fmax(dls_solved_to, dls_cone_descent_rounding(descent)),
                     report->iterations + FINISH_STEPS, report);
    return descent->least <= dls_solved_to;
}

static dls_status solve_cone_ipm(dls_direct *d, double *lambda, dls_report *report, dls_error *error)
{
    work p;
    size_t outer = 0, slow = 0, idle = 0, steps = 0;
    if (d->problem->n_coupled == 0)
        return dls_block_pivoting_without_friction(d, lambda, report, error);
    take_ipm(&p, d);
    DLS_TRY(dls_direct_ready(d, error));
    collect_rows(&p);
    bool solved = false, goes_on = start_ipm(&p);
    double next = finish_at, last = HUGE_VAL, accuracy = p.set->contraction;
    while (goes_on && !solved && outer < p.set->limit && within_work(&p)) {
        const size_t before = report->iterations;
        idle = solve_convex(&p, accuracy, report) ? 0 : idle + 1;
        steps += report->iterations - before;
        outer++;
        if (p.descent.least <= next && within_work(&p)) {
            solved = finish(&p, report);
            next = try_again * p.descent.least;
        }
        const double change = update_shift(&p);
        slow = change <= 0.5 * last ? 0 : slow + 1;
        last = slow > 0 ? last : change;
        goes_on = isfinite(change) && slow < PATIENCE && idle < IDLE;
        accuracy = fmax(p.set->contraction * fmin(change, 1.0), 1e-13);
        restart_inside(&p, fmin(change, 1.0));
    }
    if (!solved && isfinite(p.descent.least) && within_work(&p))
        solved = finish(&p, report);
    if (isfinite(p.descent.least))
        dls_cone_descent_choose(&p.descent);
    solved = p.descent.least <= dls_solved_to && dls_cone_map_within_reach(d, p.descent.lambda);
    memcpy(lambda, p.descent.lambda, d->n * sizeof *lambda);
    dls_report_end(report,
                   solved                                                     ? DLS_OUTCOME_SOLVED
                   : !within_work(&p) || (outer >= p.set->limit && idle == 0) ? DLS_OUTCOME_ITERATION_LIMIT
                                                                              : DLS_OUTCOME_NUMERICAL_FAILURE,
                   "outer iterations: %zu, steps: %zu, of Newton's method: %zu; the largest violation of a row is %.3g",
                   outer, steps, report->iterations - steps, p.descent.least);
    return DLS_OK;
}

DLS_DIRECT_SOLVER(
    cone_ipm, solve_cone_ipm, DLS_DIRECT_CONTACTS, .name = "cone-ipm",
    .summary = "interior point method with Nesterov and Todd's scaling for the associated law, in a fixed "
               "point on De Saxce's term",
    .source = "Y. Nesterov and M. Todd 1997; V. Acary, F. Cadoux, C. Lemarechal and J. Malick 2011",
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_CONE,
    .fields = DLS_FIELD_TABLE(fields, settings));
