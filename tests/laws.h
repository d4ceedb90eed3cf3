/* laws.h - manufactured contacts under all laws of law.h, shared by their tests. */
#ifndef DLS_TESTS_LAWS_H
#define DLS_TESTS_LAWS_H

#include "cones.h"

#include <string.h>

/* A contact: its law, and its friction coefficients, those of the second disc and of torsion from 0 up, else -1. */
typedef struct law_case {
    const char *name;
    dls_law law;
    double mu[2], rolling[2], torsion;
} law_case;

static const law_case law_cases[] = {
    {"isotropic", DLS_LAW_CONE, {0.6, 0.6}, {-1.0, -1.0}, -1.0},
    {"anisotropic", DLS_LAW_CONE, {0.8, 0.3}, {-1.0, -1.0}, -1.0},
    {"one direction", DLS_LAW_CONE, {0.0, 0.5}, {-1.0, -1.0}, -1.0},
    {"rolling", DLS_LAW_CONE, {0.5, 0.5}, {0.2, 0.2}, -1.0},
    {"rolling, anisotropic", DLS_LAW_CONE, {0.3, 0.7}, {0.4, 0.1}, -1.0},
    {"torsional", DLS_LAW_CONE, {0.5, 0.5}, {-1.0, -1.0}, 0.3},
    {"all", DLS_LAW_CONE, {0.5, 0.7}, {0.1, 0.2}, 0.2},
    {"associated", DLS_LAW_ASSOCIATED, {0.6, 0.6}, {-1.0, -1.0}, -1.0},
    {"associated, anisotropic", DLS_LAW_ASSOCIATED, {0.3, 0.9}, {-1.0, -1.0}, -1.0},
    {"associated, rolling", DLS_LAW_ASSOCIATED, {0.5, 0.5}, {0.3, 0.2}, -1.0},
};
enum { LAW_CASES = sizeof law_cases / sizeof law_cases[0], LAW_ROWS = 6 };

static inline size_t law_rows(const law_case *c) { return 3 + (c->rolling[0] >= 0.0 ? 2U : 0U) + (c->torsion >= 0.0); }

/* Impulse and velocity of a disc, by its law in words: inside the ellipse w = 0; on its rim w is along the inner normal
 * of the ellipse, which is -(lambda_1 / mu_1^2, lambda_2 / mu_2^2). Returns h(w). */
static inline double law_choose_disc(regime r, const double mu[2], double normal, unsigned *seed, double *lambda,
                                     double *w)
{
    const double angle = 6.0 * cone_draw(seed), speed = 0.9 + cone_draw(seed), t[2] = {cos(angle), sin(angle)};
    const double share = r == STICK ? 0.4 : r == OPEN ? 0.0 : 1.0;
    double h = 0.0;
    for (int k = 0; k < 2; k++) {
        lambda[k] = share * mu[k] * normal * t[k];
        w[k] = r == OPEN                   ? 2.0 * cone_draw(seed)
               : mu[k] == 0.0              ? 0.7 * cone_draw(seed)
               : (r == SLIDE || r == FULL) ? -speed * t[k] / mu[k]
                                           : 0.0;
        h += mu[k] * mu[k] * w[k] * w[k];
    }
    return sqrt(h);
}

/* Impulses and velocities of a contact that obey its law. Returns hi. A disc with one coefficient 0 slides in the other
 * direction alone. */
static inline double law_choose(const law_case *c, regime r, unsigned *seed, double *lambda, double *w)
{
    const bool associated = c->law == DLS_LAW_ASSOCIATED;
    const double normal = r == OPEN ? 0.0 : 1.7 + cone_draw(seed);
    size_t at = 3;
    double h = law_choose_disc(r, c->mu, normal, seed, lambda + 1, w + 1);
    if (c->mu[0] == 0.0 && r != OPEN) { /* an interval: at its end, or inside */
        lambda[2] = (r == STICK ? 0.4 : 1.0) * c->mu[1] * normal;
        w[2] = r == SLIDE || r == FULL ? -0.8 : 0.0;
        h = c->mu[1] * fabs(w[2]);
    }
    if (c->rolling[0] >= 0.0) {
        h += law_choose_disc(r == SLIDE ? STICK : r, c->rolling, normal, seed, lambda + 3, w + 3);
        at = 5;
    }
    if (c->torsion >= 0.0) {
        lambda[at] = (r == STICK ? -0.3 : r == OPEN ? 0.0 : 1.0) * c->torsion * normal;
        w[at] = r == OPEN ? cone_draw(seed) : r == SLIDE || r == FULL ? -0.6 : 0.0;
    }
    lambda[0] = normal;
    w[0] = (r == OPEN ? 0.8 + cone_draw(seed) : r == FULL ? -0.8 + cone_draw(seed) : 0.0) + (associated ? h : 0.0);
    return r == FULL ? normal : HUGE_VAL;
}

static inline void law_make(dls_problem *p, size_t i, const law_case *c)
{
    dls_problem_make_disc(p, i, i + 1, c->law, c->mu[0], c->mu[1]);
    if (c->rolling[0] >= 0.0)
        dls_problem_make_disc(p, i, i + 3, c->law, c->rolling[0], c->rolling[1]);
    if (c->torsion >= 0.0)
        dls_problem_make_box(p, i, i + law_rows(c) - 1, c->torsion);
}

/* Contacts of the given cases and regimes over a definite matrix; lambda and w get the solution. */
static inline dls_problem *law_mix(const law_case *const *of, size_t contacts, const regime *regimes, unsigned seed,
                                   double *lambda, double *w)
{
    size_t n = 0, at = 0;
    for (size_t k = 0; k < contacts; k++)
        n += law_rows(of[k]);
    double *A = test_calloc(n * n, sizeof *A), *b = test_calloc(n, sizeof *b), *hi = test_calloc(n, sizeof *hi);
    dls_error error;
    cone_matrix(n, &seed, A);
    for (size_t k = 0; k < contacts; at += law_rows(of[k++])) {
        hi[at] = law_choose(of[k], regimes[k], &seed, lambda + at, w + at);
        for (size_t r = 1; r < law_rows(of[k]); r++)
            hi[at + r] = HUGE_VAL;
    }
    for (size_t i = 0; i < n; i++) {
        b[i] = w[i];
        for (size_t j = 0; j < n; j++)
            b[i] -= A[i + n * j] * lambda[j];
    }
    dls_problem *p = problem_from_matrix(n, A, b, NULL, hi);
    at = 0;
    for (size_t k = 0; k < contacts; at += law_rows(of[k++]))
        law_make(p, at, of[k]);
    assert_status(dls_problem_check(p, &error), &error);
    test_free(A), test_free(b), test_free(hi);
    return p;
}

/* Contacts of one case. */
static inline dls_problem *law_manufacture(const law_case *c, size_t contacts, const regime *regimes, unsigned seed,
                                           double *lambda, double *w)
{
    const law_case *of[16];
    assert_true(contacts <= sizeof of / sizeof of[0]);
    for (size_t k = 0; k < contacts; k++)
        of[k] = c;
    return law_mix(of, contacts, regimes, seed, lambda, w);
}

#endif
