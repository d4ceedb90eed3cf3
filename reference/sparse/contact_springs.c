/* The impulses of rows in a proximal step, as functions of the velocities.
 *
 * With a compliance C = eps D + Gamma, one number for a contact, the step from lambda asks for next with
 *     w + along + C (next - lambda) and next under the law,    x = lambda - (w + along) / C
 * A row has next = clamp(x). A contact under Coulomb's law has next_n = clamp(x_n), and next_t is the nearest point to
 * x_t of the disc of radius mu next_n; S is not symmetric where it slides. Under the associated law next is the nearest
 * point to x of the cone, with S symmetric and not negative; the associated law with mu |w_t| added to w_n is Coulomb's
 * (G. De Saxce and Z.-Q. Feng, 1998), and here `shift` is added.
 *
 * On the rim of the cone next_n = (x_n + mu |x_t|) / (1 + mu^2). For a contact that slides both terms are large as 1 /
 * C, and cancel: with q = lambda_t - along_t / C,
 *     x_n + mu |x_t| = lambda_n - (along_n + w_n + shift - mu |w_t|) / C + mu (|x_t| - |w_t| / C),
 *     |x_t| - |w_t| / C = q . (q - 2 w_t / C) / (|x_t| + |w_t| / C). */
#include "contact_springs.h"

#include <math.h>
#include <string.h>

size_t dls_spring_rows(const dls_problem *p, size_t i) { return dls_problem_discs(p, i) > 0 ? 3 : 1; }

/* 1 / C; 0 of a row that no impulse moves, which keeps its own. */
static double unit_stiffness(const dls_contact_springs *a, size_t i)
{
    double gamma = a->problem->gamma[i];
    for (size_t r = 1; r < dls_spring_rows(a->problem, i); r++)
        gamma = fmax(gamma, a->problem->gamma[i + r]);
    const double compliance = a->eps * a->D[i] + gamma;
    return compliance > 0.0 ? 1.0 / compliance : 0.0;
}

/* A row that just touches its bound is between, as in a pile that begins to fall. */
static void row_response(const dls_contact_springs *a, size_t i, double along, double *next, double *S)
{
    const double lo = a->problem->lo[i], hi = a->problem->hi[i], s = unit_stiffness(a, i);
    const double x = a->lambda[i] - s * (a->w[i] + along);
    *next = x < lo ? lo : x > hi ? hi : x;
    *S = x >= lo && x <= hi && lo < hi ? s : 0.0;
}

/* The rim of the disc with radius r, x_t = length e: next_t = r e. */
static void slide(const double *e, double r, double length, double s, double *next, double *S)
{
    const double across = s * r / length;
    next[1] = r * e[0], next[2] = r * e[1];
    S[4] = across * (1.0 - e[0] * e[0]), S[8] = across * (1.0 - e[1] * e[1]);
    S[5] = S[7] = -across * e[0] * e[1];
}

static void coulomb_response(const dls_contact_springs *a, size_t i, double s, const double *x, double *next, double *S)
{
    const double mu = a->problem->mu[i + 1], hi = a->problem->hi[i], length = hypot(x[1], x[2]);
    const bool between = x[0] >= 0.0 && x[0] <= hi;
    next[0] = fmin(fmax(x[0], 0.0), hi);
    S[0] = between ? s : 0.0;
    if (length <= mu * next[0]) {
        next[1] = x[1], next[2] = x[2];
        S[4] = S[8] = s;
        return;
    }
    const double e[2] = {x[1] / length, x[2] / length};
    slide(e, mu * next[0], length, s, next, S);
    S[3] = mu * e[0] * S[0], S[6] = mu * e[1] * S[0];
}

/* `sum`: x_n + mu |x_t|. */
static void associated_response(const dls_contact_springs *a, size_t i, double s, const double *x, double sum,
                                double *next, double *S)
{
    const double mu = a->problem->mu[i + 1], hi = a->problem->hi[i], length = hypot(x[1], x[2]);
    const bool inside = length <= mu * x[0];
    const double n = inside ? x[0] : sum / (1.0 + mu * mu);
    const bool between = n >= 0.0 && n <= hi;
    next[0] = fmin(fmax(n, 0.0), hi);
    if (length <= mu * next[0]) {
        next[1] = x[1], next[2] = x[2];
        S[0] = between ? s : 0.0;
        S[4] = S[8] = s;
        return;
    }
    const double e[2] = {x[1] / length, x[2] / length}, g[3] = {1.0, mu * e[0], mu * e[1]};
    slide(e, mu * next[0], length, s, next, S);
    for (size_t r = 0; between && r < 3; r++)
        for (size_t c = 0; c < 3; c++)
            S[3 * r + c] += s * g[r] * g[c] / (1.0 + mu * mu);
}

void dls_contact_response(const dls_contact_springs *a, size_t i, const double *along, double *next, double *S)
{
    if (dls_spring_rows(a->problem, i) == 1) {
        row_response(a, i, along[0], next, S);
        return;
    }
    const double s = unit_stiffness(a, i), mu = a->problem->mu[i + 1], *w = a->w + i, *lambda = a->lambda + i;
    const double q[2] = {lambda[1] - s * along[1], lambda[2] - s * along[2]};
    double x[3] = {lambda[0] - s * (along[0] + w[0]), q[0] - s * w[1], q[1] - s * w[2]};
    memset(S, 0, 9 * sizeof *S);
    if (a->coulomb && a->problem->law[i + 1] == DLS_LAW_CONE) {
        coulomb_response(a, i, s, x, next, S);
        return;
    }
    const double speed = hypot(w[1], w[2]), length = hypot(x[1], x[2]), both = length + s * speed;
    const double longer = both > 0.0 ? (q[0] * (q[0] - 2.0 * s * w[1]) + q[1] * (q[1] - 2.0 * s * w[2])) / both : 0.0;
    const double sum = lambda[0] - s * (along[0] + w[0] + (a->shift[i] - mu * speed)) + mu * longer;
    x[0] -= s * a->shift[i];
    associated_response(a, i, s, x, sum, next, S);
}
