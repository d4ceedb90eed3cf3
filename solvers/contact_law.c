/* One contact under Signorini's and Coulomb's laws, w = W lambda + q, by one scalar equation.
 *
 *     0 <= lambda_n, w_n >= 0, lambda_n w_n = 0;   |lambda_t| <= mu lambda_n;   w_t = -alpha lambda_t, alpha >= 0,
 *     alpha = 0 unless |lambda_t| = mu lambda_n
 *
 * Where q_n >= 0 no impulse is needed. Else the contact is closed, w_n = 0, and the normal impulse is a function of
 * the others,
 *     lambda_n = a - d . lambda_t,   a = -q_n / W_nn > 0,   d = W_nt / W_nn
 *     (S + alpha) lambda_t = -s,     S = W_tt - W_tn W_nt / W_nn,   s = q_t - W_tn q_n / W_nn
 * which leaves the curve lambda_t(alpha), alpha >= 0. On it
 *     G(alpha) = mu lambda_n / |lambda_t| - 1
 * is at least 0 at alpha = 0 where the contact sticks. Else it slides at a root: with S positive semidefinite
 * |lambda_t| <= |s| / alpha, so G > 0 for alpha >= |s| (1 + mu |d|) / (mu a), and G is continuous. There lambda_n =
 * |lambda_t| / mu is not negative by itself. G is close to linear (|lambda_t| falls as 1 / alpha), as in J. J. More
 * and D. C. Sorensen's trust-region step (1983), so Newton's method, kept within the bracket by bisection, ends in a
 * few steps. (That such a scalar equation solves the contact: O. Bonnefon and G. Daviet, "Quartic formulation of
 * Coulomb 3D frictional contact", 2011; here it is not expanded into its quartic.)
 *
 * If that solution has lambda_n > hi, the normal impulse is fixed: at a given lambda_n = n the curve is that of W_tt
 * and q_t + W_tn n, and
 *     w_n(n) = W_nn n + W_nt lambda_t(n) + q_n
 * is continuous in n, with w_n(0) = q_n < 0. Where w_n(hi) <= 0, n = hi solves the law. Else (the law has more than one
 * solution without the bound, and the one found first lies beyond it) w_n has a root between 0 and hi, which bisection
 * finds.
 *
 * If S is singular to rounding, sticking is tested at alpha = eps (tr S + W_nn), where w_t = -alpha lambda_t is of the
 * order of the rounding error of w. If the law has more than one solution (mu large relative to W's coupling), a
 * contact with q_n >= 0 is open, and sticking is preferred to sliding. */
#include "delassus/solver_kit.h"

#include <float.h>
#include <math.h>

enum {
    STEPS = 200
}; /* Newton needs about five; a bracket from 0 halves towards any root that a double has room for beside it */

/* The curve (S + alpha) lambda_t = -s with lambda_n = a - d . lambda_t. */
typedef struct curve {
    const double (*S)[2];
    double s[2], a, d[2], mu;
} curve;

/* Solves (S + alpha) x = r by elimination with the larger pivot. The result solves a system with rounded entries, so
 * that the residual is of the order of rounding even if S is singular. Quotients of determinants would lose all digits
 * there. */
static void solve_shifted(const curve *c, double alpha, const double r[2], double x[2])
{
    const double A[2][2] = {{c->S[0][0] + alpha, c->S[0][1]}, {c->S[1][0], c->S[1][1] + alpha}};
    const int first = fabs(A[1][0]) > fabs(A[0][0]), second = 1 - first;
    const double factor = A[second][0] / A[first][0];
    x[1] = (r[second] - factor * r[first]) / (A[second][1] - factor * A[first][1]);
    x[0] = (r[first] - A[first][1] * x[1]) / A[first][0];
}

static double normal_of(const curve *c, const double t[2]) { return c->a - (c->d[0] * t[0] + c->d[1] * t[1]); }

/* Computes lambda_t at alpha, and returns G with its slope there. */
static double curve_at(const curve *c, double alpha, double t[2], double *slope)
{
    const double r[2] = {-c->s[0], -c->s[1]};
    double change[2];
    solve_shifted(c, alpha, r, t);
    solve_shifted(c, alpha, t, change); /* -d lambda_t / d alpha */
    double length = hypot(t[0], t[1]), normal = normal_of(c, t);
    double normal_change = c->d[0] * change[0] + c->d[1] * change[1];
    double along = t[0] / length * change[0] + t[1] / length * change[1], ratio = normal / length;
    *slope = c->mu * (normal_change + ratio * along) / length;
    return c->mu * ratio - 1.0;
}

/* Finds the root of G between low (G < 0) and high (G > 0). */
static void slide_on_curve(const curve *c, double low, double high, double t[2])
{
    double alpha = low, slope, G = curve_at(c, low, t, &slope);
    for (int k = 0; k < STEPS && high - low > DBL_EPSILON * high; k++) {
        double next = alpha - G / slope;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (fabs(next - alpha) <= DBL_EPSILON * next)
            break;
        alpha = next;
        G = curve_at(c, alpha, t, &slope);
        if (G == 0.0)
            break;
        *(G < 0.0 ? &low : &high) = alpha;
    }
}

/* Finds lambda on the curve: sticking, or sliding on the rim of the cone. */
static void follow_curve(const curve *c, double scale, double lambda[3])
{
    double slope, t[2] = {0.0, 0.0}, s = hypot(c->s[0], c->s[1]);
    double det = c->S[0][0] * c->S[1][1] - c->S[0][1] * c->S[1][0], trace_of_block = c->S[0][0] + c->S[1][1];
    double least = det > 4.0 * DBL_EPSILON * trace_of_block * trace_of_block ? 0.0 : DBL_EPSILON * scale;
    bool slides = c->mu > 0.0 && s > 0.0 && !(curve_at(c, least, t, &slope) >= 0.0);
    if (slides)
        slide_on_curve(c, least, fmax(s * (1.0 + c->mu * hypot(c->d[0], c->d[1])) / (c->mu * c->a), 2.0 * least), t);
    lambda[0] = fmax(normal_of(c, t), 0.0);
    double share = slides ? c->mu * lambda[0] / hypot(t[0], t[1]) : 1.0;
    lambda[1] = share * t[0];
    lambda[2] = share * t[1];
}

void dls_cone_project(double mu, double hi, double x[3])
{
    const double length = hypot(x[1], x[2]);
    double normal = x[0], rim = length;
    if (length > mu * x[0]) { /* onto the generator (1, mu), or the apex */
        normal = fmax((x[0] + mu * length) / (1.0 + mu * mu), 0.0);
        rim = mu * normal;
    }
    if (normal > hi) {
        normal = hi;
        rim = fmin(length, mu * hi);
    }
    const double share = rim < length ? rim / length : 1.0;
    x[0] = normal, x[1] *= share, x[2] *= share;
}

static bool semidefinite(const double A[2][2], double scale)
{
    double off = 0.5 * (A[0][1] + A[1][0]), small = 16.0 * DBL_EPSILON * scale;
    return A[0][0] >= -small && A[1][1] >= -small && (A[0][0] + small) * (A[1][1] + small) >= off * off - small * small;
}

bool dls_contact_block_prepare(dls_contact_block *b)
{
    double largest = fmax(b->W[0][0], fmax(b->W[1][1], b->W[2][2]));
    const double tangents[2][2] = {{b->W[1][1], b->W[1][2]}, {b->W[2][1], b->W[2][2]}};
    if (!(b->W[0][0] > 0.0))
        return false;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            b->S[i][j] = b->W[i + 1][j + 1] - b->W[i + 1][0] * b->W[0][j + 1] / b->W[0][0];
    return semidefinite((const double(*)[2])b->S, largest) && semidefinite(tangents, largest);
}

static double trace_of_block(const dls_contact_block *b) { return b->W[0][0] + b->W[1][1] + b->W[2][2]; }

/* Computes the impulses for the given lambda_n = n. Returns w_n; *sizes: the sum of the sizes of its terms. */
static double solve_tangents(const dls_contact_block *b, const double q[3], double n, double lambda[3], double *sizes)
{
    const double(*W)[3] = b->W;
    double w = q[0];
    const double tangents[2][2] = {{W[1][1], W[1][2]}, {W[2][1], W[2][2]}};
    const curve fixed_normal = {tangents, {q[1] + W[1][0] * n, q[2] + W[2][0] * n}, n, {0.0, 0.0}, b->mu};
    follow_curve(&fixed_normal, trace_of_block(b), lambda);
    *sizes = fabs(w);
    for (int k = 0; k < 3; k++) {
        w += W[0][k] * lambda[k];
        *sizes += fabs(W[0][k] * lambda[k]);
    }
    return w;
}

/* Solves the law with lambda_n <= hi if its solution without this bound lies beyond it. */
static void solve_bounded(const dls_contact_block *b, const double q[3], double lambda[3])
{
    double sizes, w = solve_tangents(b, q, b->hi, lambda, &sizes);
    if (w <= 4.0 * DBL_EPSILON * sizes)
        return;
    double low = 0.0, high = b->hi;
    for (int k = 0; k < STEPS && w != 0.0 && high - low > DBL_EPSILON * high; k++) {
        double n = 0.5 * (low + high);
        w = solve_tangents(b, q, n, lambda, &sizes);
        *(w < 0.0 ? &low : &high) = n;
    }
}

void dls_contact_solve(const dls_contact_block *b, const double q[3], double lambda[3])
{
    lambda[0] = lambda[1] = lambda[2] = 0.0;
    if (q[0] >= 0.0 || b->hi == 0.0)
        return;
    const double(*W)[3] = b->W;
    const curve closed = {b->S,
                          {q[1] - W[1][0] * q[0] / W[0][0], q[2] - W[2][0] * q[0] / W[0][0]},
                          -q[0] / W[0][0],
                          {W[0][1] / W[0][0], W[0][2] / W[0][0]},
                          b->mu};
    follow_curve(&closed, trace_of_block(b), lambda);
    if (lambda[0] > b->hi)
        solve_bounded(b, q, lambda);
}
