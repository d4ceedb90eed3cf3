/* Contacts under rolling, anisotropic and associated laws: De Saxce's term, the projection, and one contact alone.
 *
 * The laws (law.h) are u = w + s(w) in K*, lambda in K, lambda . u = 0, with the cone K = { |y| <= m n of each disc },
 * the variables y of discs.h, and s = sum h(w) on the normal row under Coulomb's law (G. De Saxce and Z.-Q. Feng, 1998;
 * with rolling friction V. Acary and F. Bourrier, 2021), 0 under the associated one.
 *
 * PROJECTION. In the norm D_n n^2 + sum D_j |y_j|^2 the point of K nearest to x has the y_j of x, or those shortened to
 * m_j n, and the n that minimises
 *     D_n (n - x_n)^2 + sum D_j max(0, |y_j| - m_j n)^2,   0 <= n <= hi,
 * which is convex. With S the discs that are shortened n = (D_n x_n + sum_S D_j m_j |y_j|) / (D_n + sum_S D_j m_j^2). S
 * begins with all discs; one with |y_j| <= m_j n leaves it. That increases n, so that it stays outside, and after as
 * many rounds as there are discs S is right. The bounds of n cut what is convex in n alone.
 *   Each disc has one D in the variables in which it is round, so that the method needs no projection onto an ellipse.
 * Any D would do for a solution, lambda = P(lambda - D^-1 u).
 *
 * ONE CONTACT. The law of several discs, or without circular symmetry, has no closed form. Extragradient steps (G. M.
 * Korpelevich, 1976)
 *     trial = P(x - r D^-1 u(x)),   x' = P(x - r D^-1 u(trial)),   r = nu / L
 * start from the impulses at hand and end after STEPS of them, or when a move is a tenth of the first one; the sweep
 * over the contacts goes on with what they have reached, and needs hardly more passes than with exact solutions. L is a
 * bound of |u(x) - u(y)| / |x - y|: a step by a test of that ratio fits the large impulses, and tiny ones beside them,
 * such as those of a contact that comes to rest, then diverge. With s = 0 and W semidefinite no step leads away from a
 * solution; with s there is no proof. */
#include "discs.h"

#include <float.h>
#include <math.h>
#include <string.h>

dls_discs dls_discs_of(const dls_problem *p, size_t i)
{
    const size_t count = dls_problem_discs(p, i);
    dls_discs discs = {
        .count = count, .rows = 1 + 2 * count, .hi = p->hi[i], .associated = p->law[i + 1] == DLS_LAW_ASSOCIATED};
    discs.share[0] = 1.0;
    for (size_t j = 0; j < count; j++) {
        const double *mu = p->mu + i + 1 + 2 * j, most = fmax(mu[0], mu[1]);
        discs.most[j] = most;
        for (size_t k = 0; k < 2; k++)
            discs.share[1 + 2 * j + k] = most > 0.0 ? mu[k] / most : 1.0;
    }
    return discs;
}

bool dls_discs_are_coulomb(const dls_discs *discs)
{
    return discs->count == 1 && !discs->associated && discs->share[1] == discs->share[2];
}

double dls_discs_shift(const dls_discs *discs, const double *w)
{
    double sum = 0.0;
    for (size_t j = 0; j < discs->count && !discs->associated; j++) {
        const size_t k = 1 + 2 * j;
        sum += discs->most[j] * hypot(discs->share[k] * w[k], discs->share[k + 1] * w[k + 1]);
    }
    return sum;
}

void dls_discs_norm(const dls_discs *discs, const double *diagonal, double *D)
{
    D[0] = diagonal[0];
    for (size_t k = 1; k < discs->rows; k += 2) {
        double sum = 0.0;
        size_t count = 0;
        for (size_t t = k; t < k + 2; t++) {
            const double of = discs->share[t] * discs->share[t] * diagonal[t];
            sum += of;
            count += of != 0.0;
        }
        for (size_t t = k; t < k + 2; t++)
            D[t] = discs->share[t] > 0.0 && count > 0 ? sum / ((double)count * discs->share[t] * discs->share[t])
                                                      : diagonal[t];
    }
}

/* D of a disc in the variables in which it is round: that of its row with r = 1. */
static double round_norm(const dls_discs *discs, const double *D, size_t j)
{
    const double d = D[discs->share[1 + 2 * j] == 1.0 ? 1 + 2 * j : 2 + 2 * j];
    return d > 0.0 ? d : D[0];
}

void dls_discs_project(const dls_discs *discs, const double *D, double *x)
{
    double length[2] = {0.0, 0.0}, normal = x[0];
    bool shortened[2] = {false, false}, again = true;
    for (size_t j = 0; j < discs->count; j++) {
        double *y = x + 1 + 2 * j;
        for (size_t k = 0; k < 2; k++)
            y[k] = discs->share[1 + 2 * j + k] > 0.0 ? y[k] / discs->share[1 + 2 * j + k] : 0.0;
        length[j] = hypot(y[0], y[1]);
        shortened[j] = discs->most[j] > 0.0;
    }
    while (again) {
        double over = D[0] * x[0], under = D[0];
        for (size_t j = 0; j < discs->count; j++)
            if (shortened[j]) {
                const double d = round_norm(discs, D, j) * discs->most[j];
                over += d * length[j], under += d * discs->most[j];
            }
        normal = under > 0.0 ? over / under : x[0];
        again = false;
        for (size_t j = 0; j < discs->count; j++)
            if (shortened[j] && length[j] <= discs->most[j] * normal)
                shortened[j] = false, again = true;
    }
    normal = shortened[0] || shortened[1] ? normal : x[0];
    x[0] = normal <= 0.0 ? 0.0 : normal < discs->hi ? normal : discs->hi;
    for (size_t j = 0; j < discs->count; j++) {
        const double radius = discs->most[j] * x[0], share = radius < length[j] ? radius / length[j] : 1.0;
        for (size_t k = 1 + 2 * j; k < 3 + 2 * j; k++)
            x[k] *= share * discs->share[k];
    }
}

/* --- one contact --- */

enum { STEPS = 60 };
static const double nu = 0.9;
static const double enough = 0.1; /* the part of the first move of a visit that ends it */

/* nu / L. With V = D^-1/2 W D^-1/2 the map W x has in the norms of D and D^-1 at most the constant sqrt(|V|_1 |V|_inf),
 * and s at most so much times sum m sqrt(D_j / D_n). */
static double safe_step(const dls_discs_block *b)
{
    const dls_discs *discs = &b->discs;
    double by_rows = 0.0, by_columns = 0.0, shift = 1.0;
    for (size_t r = 0; r < discs->rows; r++) {
        double row = 0.0, column = 0.0;
        for (size_t s = 0; s < discs->rows; s++)
            if (b->D[r] > 0.0 && b->D[s] > 0.0) {
                row += fabs(b->W[r][s]) / sqrt(b->D[r]) / sqrt(b->D[s]);
                column += fabs(b->W[s][r]) / sqrt(b->D[r]) / sqrt(b->D[s]);
            }
        by_rows = fmax(by_rows, row), by_columns = fmax(by_columns, column);
    }
    for (size_t j = 0; j < discs->count && !discs->associated; j++)
        shift += discs->most[j] * sqrt(round_norm(discs, b->D, j) / b->D[0]);
    return nu / (sqrt(by_rows) * sqrt(by_columns) * shift);
}

bool dls_discs_prepare(dls_discs_block *b, const dls_discs *discs, const double *W)
{
    const size_t rows = discs->rows;
    double diagonal[DLS_CONTACT_ROWS];
    *b = (dls_discs_block){.discs = *discs};
    for (size_t r = 0; r < rows; r++)
        for (size_t s = 0; s < rows; s++)
            b->W[r][s] = W[rows * r + s];
    for (size_t r = 0; r < rows; r++) {
        if (!(W[rows * r + r] >= 0.0))
            return false;
        diagonal[r] = W[rows * r + r];
    }
    dls_discs_norm(discs, diagonal, b->D);
    b->step = W[0] > 0.0 ? safe_step(b) : 0.0;
    return W[0] > 0.0;
}

/* u = w + W (x - from) + s */
static void discs_velocity(const dls_discs_block *b, const double *w, const double *from, const double *x, double *u)
{
    for (size_t r = 0; r < b->discs.rows; r++) {
        u[r] = w[r];
        for (size_t s = 0; s < b->discs.rows; s++)
            u[r] += b->W[r][s] * (x[s] - from[s]);
    }
    u[0] += dls_discs_shift(&b->discs, u);
}

static void discs_step(const dls_discs_block *b, const double *x, double r, const double *u, double *to)
{
    for (size_t k = 0; k < b->discs.rows; k++)
        to[k] = b->D[k] > 0.0 ? x[k] - r * u[k] / b->D[k] : x[k];
    dls_discs_project(&b->discs, b->D, to);
}

/* |x - y|_D^2 */
static double discs_square(const dls_discs_block *b, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t k = 0; k < b->discs.rows; k++)
        sum += (x[k] - y[k]) * (x[k] - y[k]) * b->D[k];
    return sum;
}

/* Whether no impulse differs by more than a rounding of its own: tiny ones beside large ones count too. */
static bool discs_stand_still(const dls_discs_block *b, const double *x, const double *y)
{
    for (size_t k = 0; k < b->discs.rows; k++)
        if (!(fabs(x[k] - y[k]) <= DBL_EPSILON * fabs(y[k])))
            return false;
    return true;
}

void dls_discs_solve(const dls_discs_block *b, const double *w, double *lambda)
{
    const size_t size = b->discs.rows * sizeof *lambda;
    double from[DLS_CONTACT_ROWS], trial[DLS_CONTACT_ROWS], u[DLS_CONTACT_ROWS];
    memcpy(from, lambda, size);
    dls_discs_project(&b->discs, b->D, lambda);
    double first = 0.0;
    for (int step = 0; step < STEPS; step++) {
        discs_velocity(b, w, from, lambda, u);
        discs_step(b, lambda, b->step, u, trial);
        const double moves = discs_square(b, trial, lambda);
        const bool still = discs_stand_still(b, trial, lambda);
        first = step == 0 ? moves : first;
        discs_velocity(b, w, from, trial, u);
        discs_step(b, lambda, b->step, u, lambda);
        if (still || moves < enough * enough * first)
            return;
    }
}
