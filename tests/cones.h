/* cones.h - manufactured contacts under Coulomb's cone, shared by the tests of it. */
#ifndef DLS_TESTS_CONES_H
#define DLS_TESTS_CONES_H

#include "check.h"
#include "examined.h"

#include "delassus/reference.h"

typedef enum regime { STICK, SLIDE, OPEN, GRAZE, FULL, REGIMES } regime;

static inline double cone_draw(unsigned *seed)
{
    *seed = 1664525u * *seed + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0 - 0.5;
}

/* Impulses and velocities of one contact that obey the law: GRAZE is on the rim without sliding, FULL has lambda_n =
 * hi. Returns hi. */
static inline double cone_choose(regime r, double mu, unsigned *seed, double lambda[3], double w[3])
{
    double angle = 6.0 * cone_draw(seed), size = 1.7 + cone_draw(seed), speed = 0.9 + cone_draw(seed),
           t[2] = {cos(angle), sin(angle)};
    double share = r == STICK ? 0.4 : 1.0;
    for (int i = 0; i < 3; i++)
        lambda[i] = r == OPEN ? 0.0 : i == 0 ? size : share * mu * size * t[i - 1];
    w[0] = r == OPEN ? 0.3 + speed : r == FULL ? -speed : 0.0;
    for (int i = 1; i < 3; i++)
        w[i] = r == OPEN ? 2.0 * cone_draw(seed) : r == SLIDE || r == FULL ? -speed * t[i - 1] : 0.0;
    return r == FULL ? size : HUGE_VAL;
}

/* G G^T + 0.4, of draws. */
static inline void cone_matrix(size_t n, unsigned *seed, double *A)
{
    double *G = test_calloc(n * n, sizeof *G);
    for (size_t k = 0; k < n * n; k++)
        G[k] = cone_draw(seed);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            A[i + n * j] = i == j ? 0.4 : 0.0;
            for (size_t k = 0; k < n; k++)
                A[i + n * j] += G[i + n * k] * G[j + n * k];
        }
    test_free(G);
}

/* `contacts` contacts in all regimes in turn over a definite matrix; lambda and w get the solution. */
static inline dls_problem *cone_manufacture(size_t contacts, unsigned seed, double *lambda, double *w)
{
    size_t n = 3 * contacts;
    double *A = test_calloc(n * n, sizeof *A), *b = test_calloc(n, sizeof *b);
    double *hi = test_calloc(n, sizeof *hi), *mu = test_calloc(n, sizeof *mu);
    dls_error error;
    cone_matrix(n, &seed, A);
    for (size_t c = 0; c < contacts; c++) {
        mu[c] = 0.15 + 0.2 * (double)(c % 4);
        hi[3 * c] = cone_choose((regime)(c % REGIMES), mu[c], &seed, lambda + 3 * c, w + 3 * c);
        hi[3 * c + 1] = hi[3 * c + 2] = HUGE_VAL;
    }
    for (size_t i = 0; i < n; i++) {
        b[i] = w[i];
        for (size_t j = 0; j < n; j++)
            b[i] -= A[i + n * j] * lambda[j];
    }
    dls_problem *p = problem_from_matrix(n, A, b, NULL, hi);
    for (size_t c = 0; c < contacts; c++)
        dls_problem_make_cone(p, 3 * c, mu[c]);
    assert_status(dls_problem_check(p, &error), &error);
    test_free(A), test_free(b), test_free(hi), test_free(mu);
    return p;
}

static inline dls_certificate cone_certify(const dls_problem *p, const double *lambda)
{
    dls_certificate c;
    dls_examiner *examiner = examiner_of(p);
    dls_examine(examiner, lambda, NULL, &c);
    dls_examiner_destroy(examiner);
    return c;
}

#endif
