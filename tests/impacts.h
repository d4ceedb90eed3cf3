/* impacts.h - impacts whose outcome tests know: Newton's cradle, and planar impacts of a rod with friction, by every
 * law. */
#ifndef DELASSUS_TESTS_IMPACTS_H
#define DELASSUS_TESTS_IMPACTS_H

#include "check.h"

#include "delassus/law.h"
#include "delassus/status.h"

#include <math.h>
#include <stdio.h>

enum { NEWTON, POISSON, STRONGE, MOREAU, LAWS };

/* Solves A x = b of n <= 3 rows by elimination; A is overwritten. */
static inline void solve(size_t n, double A[3][3], double b[3])
{
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++) {
            const double f = i == k ? 0.0 : A[i][k] / A[k][k];
            for (size_t j = 0; j < n; j++)
                A[i][j] -= f * A[k][j];
            b[i] -= f * b[k];
        }
    for (size_t k = 0; k < n; k++)
        b[k] /= A[k][k];
}

/* --- Newton's cradle --- */

enum { BALLS = 4, GAPS = BALLS - 1 };
static const double masses[BALLS] = {1.3, 0.7, 2.1, 0.9};

/* Balls of radius 1/2 along x that touch, without gravity. `reversed`: contacts in the opposite order. */
static inline void write_cradle(char *text, size_t size, const double speed[BALLS], const double e[GAPS],
                                const char *law, double mass_unit, double length_unit, bool reversed)
{
    size_t n = (size_t)snprintf(text, size, "world: {gravity: [0, 0, 0]}\nbodies:\n");
    for (int i = 0; i < BALLS; i++)
        n += (size_t)snprintf(text + n, size - n,
                              "  - {name: b%d, shape: sphere, radius: %.17g, mass: %.17g, position: [%.17g, 0, 0], "
                              "velocity: [%.17g, 0, 0]}\n",
                              i, 0.5 * length_unit, masses[i] * mass_unit, i * length_unit, speed[i] * length_unit);
    n += (size_t)snprintf(text + n, size - n, "joints:\n");
    for (int k = 0; k < GAPS; k++) {
        const int i = reversed ? GAPS - 1 - k : k;
        n +=
            (size_t)snprintf(text + n, size - n,
                             "  - {name: c%d, type: contact, body1: b%d, body2: b%d, normal: [1, 0, 0], point: [%.17g, "
                             "0, 0], restitution: %.17g, impact: %s}\n",
                             i, i + 1, i, (i + 0.5) * length_unit, e[i], law);
    }
}

static inline void delassus_matrix(double A[3][3])
{
    for (int i = 0; i < GAPS; i++)
        for (int j = 0; j < GAPS; j++)
            A[i][j] = i == j                     ? 1.0 / masses[i] + 1.0 / masses[i + 1]
                      : i == j + 1 || j == i + 1 ? -1.0 / masses[i > j ? i : j]
                                                 : 0.0;
}

/* Velocities after impulses p between neighbours. */
static inline void after_impulses(const double speed[BALLS], const double p[GAPS], double v[BALLS])
{
    for (int i = 0; i < BALLS; i++)
        v[i] = speed[i] + ((i > 0 ? p[i - 1] : 0.0) - (i < GAPS ? p[i] : 0.0)) / masses[i];
}

/* The first ball hits the others at rest; all contacts have an impulse in compression, A p = -w-, and the expansion has
 * exactly its least impulses, k e p. Newton: w+ = (e s, 0, 0), whose impulses are positive too. */
static inline void expected_cradle(int law, const double speed[BALLS], const double e[GAPS], double v[BALLS])
{
    double A[3][3], p[GAPS], w[GAPS], back = 0.0, free = 0.0;
    for (int i = 0; i < GAPS; i++)
        w[i] = speed[i + 1] - speed[i], p[i] = -w[i] - (law == NEWTON || law == MOREAU ? e[i] * w[i] : 0.0);
    delassus_matrix(A);
    solve(GAPS, A, p);
    delassus_matrix(A);
    for (int i = 0; i < GAPS; i++) {
        assert_true(p[i] > 0.0);
        back -= 0.5 * e[i] * e[i] * p[i] * w[i];
        for (int j = 0; j < GAPS; j++)
            free += 0.5 * e[i] * p[i] * A[i][j] * e[j] * p[j];
    }
    const double k = law == POISSON ? 1.0 : law == STRONGE ? sqrt(back / free) : 0.0;
    for (int i = 0; i < GAPS; i++)
        p[i] += k * e[i] * p[i];
    after_impulses(speed, p, v);
    for (int i = 0; i < GAPS; i++)
        assert_true(v[i + 1] - v[i] > -1e-14);
}

/* --- a rod with friction --- */

/* The planar impact of a rod, or of any body whose contact point is at (x, z) from its centre of mass: rows n, t. */
typedef struct planar {
    double m, inertia, x, z, e, mu, n, t; /* n, t: speeds of the contact before */
} planar;

static inline void planar_matrix(const planar *c, double A[3][3])
{
    A[0][0] = 1.0 / c->m + c->x * c->x / c->inertia;
    A[1][1] = 1.0 / c->m + c->z * c->z / c->inertia;
    A[0][1] = A[1][0] = -c->x * c->z / c->inertia;
}

/* The impulses p that bring the contact from w to w_n = target or more, with p_n >= least, complementary, and friction:
 * the one of the six cases (at target or at least; stick, slide either way) that is consistent. */
static inline void planar_phase(const planar *c, const double w[2], double target, double least, double p[2])
{
    double A[3][3];
    size_t found = 0;
    planar_matrix(c, A);
    for (int at_least = 0; at_least < 2; at_least++)
        for (int s = -1; s <= 1; s++) {
            double M[3][3] = {{0}}, b[3], q[2];
            for (int j = 0; j < 2; j++) {
                M[0][j] = at_least ? j == 0 : A[0][j];
                M[1][j] = s == 0 ? A[1][j] : j == 0 ? s * c->mu : 1.0;
            }
            b[0] = at_least ? least : target - w[0];
            b[1] = s == 0 ? -w[1] : 0.0;
            solve(2, M, b);
            for (int i = 0; i < 2; i++)
                q[i] = w[i] + A[i][0] * b[0] + A[i][1] * b[1];
            const bool friction = s == 0 ? fabs(b[1]) <= c->mu * b[0] : s * q[1] > 0.0;
            if (!friction || b[0] < least - 1e-14 || q[0] < target - 1e-14)
                continue;
            if (found++ > 0) { /* two cases with one solution, at the edge of both */
                assert_close(b[0], p[0], 1e-14);
                assert_close(b[1], p[1], 1e-14);
            }
            p[0] = b[0], p[1] = b[1];
        }
    assert_true(found > 0);
}

/* Stronge's law by small steps of the normal impulse, each at its middle. */
static inline void planar_stronge(const planar *c, double p[2])
{
    double A[3][3], w[2] = {c->n, c->t}, work = 0.0, compressed = NAN;
    const double dp = 2e-7 * c->m * fabs(c->n);
    planar_matrix(c, A);
    for (p[0] = p[1] = 0.0; isnan(compressed) || work < (1.0 - c->e * c->e) * compressed; p[0] += dp) {
        double f = w[1] > 0.0 ? -c->mu : c->mu;
        const double stick = (-w[1] / dp - A[1][0]) / A[1][1]; /* the force that ends this step without sliding */
        f = fabs(stick) <= c->mu ? stick : f;
        work += dp * (w[0] + 0.5 * dp * (A[0][0] + A[0][1] * f));
        for (int i = 0; i < 2; i++)
            w[i] += dp * (A[i][0] + A[i][1] * f);
        p[1] += f * dp;
        if (isnan(compressed) && w[0] >= 0.0)
            compressed = work;
    }
}

static inline void expected_planar(const planar *c, int law, double p[2])
{
    const double w[2] = {c->n, c->t};
    double A[3][3], middle[2], q[2];
    planar_matrix(c, A);
    if (law == STRONGE) {
        planar_stronge(c, p);
        return;
    }
    planar_phase(c, w, law == POISSON ? 0.0 : -c->e * c->n, 0.0, p);
    if (law != POISSON)
        return;
    for (int i = 0; i < 2; i++)
        middle[i] = w[i] + A[i][0] * p[0] + A[i][1] * p[1];
    planar_phase(c, middle, 0.0, c->e * p[0], q);
    p[0] += q[0], p[1] += q[1];
}

/* The change of energy by impulses p. */
static inline double planar_gain(const planar *c, const double p[2])
{
    double A[3][3];
    planar_matrix(c, A);
    return p[0] * (c->n + 0.5 * (A[0][0] * p[0] + A[0][1] * p[1])) +
           p[1] * (c->t + 0.5 * (A[1][0] * p[0] + A[1][1] * p[1]));
}

/* The scene, in units of mass and length; the plane of motion turned by `turn` about z. */
static inline void write_planar(char *text, size_t size, const planar *c, int law, double mass, double length,
                                double turn)
{
    const double inertia = c->inertia * mass * length * length, cs = cos(turn), sn = sin(turn);
    snprintf(text, size,
             "world: {gravity: [0, 0, 0]}\n"
             "bodies:\n  - {name: rod, mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: [%.17g, %.17g, %.17g], "
             "velocity: [%.17g, %.17g, %.17g]}\n"
             "joints:\n  - {name: tip, type: contact, body1: rod, point: [0, 0, 0], normal: [0, 0, 1], mu: %.17g, "
             "friction: cone, restitution: %.17g, impact: %s}\n",
             c->m * mass, inertia, inertia, inertia, -c->x * cs * length, -c->x * sn * length, -c->z * length,
             c->t * cs * length, c->t * sn * length, c->n * length, c->mu, c->e, dls_impact_law_names[law]);
}

#endif
