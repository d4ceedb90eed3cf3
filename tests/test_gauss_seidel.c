/* Laws of Gauss-Seidel and its kin, for every method and setting in the table below: the objective never grows where A
 * is symmetric and semidefinite, solutions stay, and iterates do not depend on units, on the numbers of the bodies or
 * on the directions of the tangents. */
#include "check.h"
#include "problems.h"

#include "delassus/reference.h"
#include "delassus/solvers.h"

#include "cones.h"
#include "packed_problems.h"

#include <string.h>

static const struct variant {
    const char *solver, *key, *value; /* key NULL: the defaults */
} variants[] = {
    {"pgs", NULL, NULL},
    {"sor", "omega", "1.6"},
    {"symmetric-pgs", NULL, NULL},
    {"nsgs", NULL, NULL},
    {"nsgs", "order", "backward"},
    {"nsgs", "order", "symmetric"},
    {"nsgs", "order", "shuffled"},
    {"nsgs", "order", "random"},
    {"greedy", NULL, NULL},
    {"mass-splitting", NULL, NULL},
    {"coloured-pgs", NULL, NULL},
    {"block-gs", "block", "contact"},
    {"block-gs", "block", "pair"},
    {"block-gs", "block", "body"},
    {"block-gs", "block", "articulation"},
    {"block-gs", "block", "island"},
    {"block-gs", "largest", "5"},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static const struct variant *under_test;
static int name_the_variant(void **unused)
{
    (void)unused;
    if (under_test)
        print_error("failed by %s %s %s\n", under_test->solver, under_test->key ? under_test->key : "",
                    under_test->key ? under_test->value : "");
    under_test = NULL;
    return 0;
}

/* --- runs --- */

typedef struct run {
    const dls_solver *solver;
    dls_settings settings;
    void *work;
} run;

static run run_open(const struct variant *variant, const dls_problem *p, const double *lambda0)
{
    run r = {.solver = dls_iterative_find(variant->solver)};
    dls_error error;
    assert_non_null(r.solver);
    assert_status(dls_settings_create(&r.solver->fields, &r.settings, &error), &error);
    if (variant->key)
        assert_status(dls_settings_set(&r.settings, variant->key, variant->value, &error), &error);
    assert_status(r.solver->open(p, r.settings.values, lambda0, &r.work, &error), &error);
    return r;
}

static void run_iterate(run *r, size_t count, double *lambda)
{
    dls_report report = {0};
    dls_error error;
    for (size_t k = 0; k < count; k++)
        assert_status(r->solver->iterate(r->work, &report, &error), &error);
    r->solver->read(r->work, lambda);
}

static void run_close(run *r)
{
    r->solver->close(r->work);
    dls_settings_release(&r->settings);
}

/* --- problems --- */

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0.0;
    for (size_t j = 0; j < n; j++)
        sum += a[j] * b[j];
    return sum;
}

/* Random rows on bodies of every kind, without friction; 0 is within the bounds. */
static void draw_bounded(made *m, uint64_t seed)
{
    draw_seed(seed);
    draw_problem(m);
    for (size_t i = 0; i < m->p->n; i++) {
        if (m->p->parent[i] != DLS_NONE)
            m->p->parent[i] = DLS_NONE, m->p->law[i] = DLS_LAW_FIXED, m->p->mu[i] = 0.0, m->p->hi[i] = 0.2;
        m->p->lo[i] = fmin(m->p->lo[i], 0.0), m->p->hi[i] = fmax(m->p->hi[i], 0.0);
    }
    m->p->n_coupled = 0;
    finish(m);
}

/* 1/2 lambda^T A lambda + b^T lambda; *size: the sum of the sizes of its terms. */
static double objective(const made *m, const double *lambda, double *size)
{
    const dls_problem *p = m->p;
    double v[VELOCITIES], f = 0.0;
    memcpy(v, p->v_star, p->nv * sizeof *v);
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->nv; j++)
            v[j] += m->B[i][j] * lambda[i];
    *size = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        const double w = dot(m->J[i], v, p->nv) + p->gamma[i] * lambda[i] - p->c[i];
        const double b = dot(m->J[i], p->v_star, p->nv) - p->c[i];
        f += 0.5 * lambda[i] * (w + b);
        *size += fabs(lambda[i]) * (fabs(w) + fabs(b));
    }
    return f;
}

/* --- descent --- */

/* Every step of every method minimises the objective, or more than it, over some of the impulses. */
static void check_descent(const struct variant *variant, const made *m, const dls_problem *p)
{
    double lambda[ROWS] = {0}, size, before = 0.0;
    run r = run_open(variant, p, NULL);
    under_test = variant;
    for (int k = 0; k < 12; k++) {
        run_iterate(&r, 1, lambda);
        const double after = objective(m, lambda, &size);
        assert_true(after <= before + 1e-12 * size);
        before = after;
    }
    run_close(&r);
    under_test = NULL;
}

TEST_AFTER(test_the_objective_never_grows, name_the_variant)
{
    static made m;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        dls_problem *matrix;
        dls_error error;
        draw_bounded(&m, seed);
        assert_status(dls_problem_matrix_form(m.p, &matrix, &error), &error);
        for (size_t k = 0; k < VARIANTS; k++) {
            check_descent(&variants[k], &m, m.p);
            check_descent(&variants[k], &m, matrix);
        }
        dls_problem_destroy(matrix);
        end(&m);
    }
}

/* Each added row on the same body adds to the eigenvalue of D^-1 A: Jacobi without damping leaves every bound behind,
 * and copies of the body do not. */
TEST(test_mass_splitting_converges_where_jacobi_diverges)
{
    static made m;
    const struct variant jacobi = {"jacobi", "omega", "1"}, split = {"mass-splitting", NULL, NULL};
    size_t diverged = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        double lambda[ROWS] = {0}, size, before = 0.0;
        draw_seed(seed);
        begin(&m, "bbbb");
        for (int k = 0; k < 12; k++)
            row(&m, (const char *const[]){"0 1", "1 2", "2 3", "1 3", "0 2"}[k % 5]);
        finish(&m);
        run one = run_open(&jacobi, m.p, NULL), other = run_open(&split, m.p, NULL);
        run_iterate(&one, 100, lambda);
        diverged += objective(&m, lambda, &size) > 1e6;
        for (int k = 0; k < 100; k++) {
            run_iterate(&other, 1, lambda);
            const double after = objective(&m, lambda, &size);
            assert_true(after <= before + 1e-12 * size);
            before = after;
        }
        run_close(&one), run_close(&other);
        end(&m);
    }
    assert_true(diverged > 10);
}

/* --- solutions --- */

static void check_stays(const struct variant *variant, const dls_problem *p, const double *solution)
{
    double lambda[ROWS];
    if (dls_solver_refuses(dls_iterative_find(variant->solver), p))
        return;
    under_test = variant;
    run r = run_open(variant, p, solution);
    run_iterate(&r, 3, lambda);
    for (size_t i = 0; i < p->n; i++)
        assert_close(lambda[i], solution[i], 1e-13);
    run_close(&r);
    under_test = NULL;
}

TEST_AFTER(test_solutions_stay, name_the_variant)
{
    for (unsigned seed = 0; seed < 20; seed++)
        for (int bounds = DLS_BOUNDS_LCP; bounds <= DLS_BOUNDS_BOXED; bounds++) {
            double lambda[60] = {0}, w[60] = {0};
            const dls_recipe recipe = {DLS_MATRIX_DEFINITE, (dls_bounds_class)bounds, 30, 0.1, seed};
            dls_problem *rows = problem_from_recipe(&recipe, lambda, w);
            for (size_t k = 0; k < VARIANTS; k++)
                check_stays(&variants[k], rows, lambda);
            dls_problem *contacts = cone_manufacture(1 + seed % 10, seed, lambda, w);
            for (size_t k = 0; k < VARIANTS; k++)
                check_stays(&variants[k], contacts, lambda);
            dls_problem_destroy(rows), dls_problem_destroy(contacts);
        }
}

/* --- invariance --- */

enum { BODIES = 6, ITERATIONS = 6 };

/* Rows between rigid bodies, with friction under boxes. */
static void draw_bodies(made *m, uint64_t seed)
{
    draw_seed(seed);
    begin(m, "bbbbbb");
    while (m->p->n < 40)
        draw_rows(m);
    for (size_t i = 0; i < m->p->n; i++)
        m->p->lo[i] = fmin(m->p->lo[i], 0.0), m->p->hi[i] = fmax(m->p->hi[i], 0.0);
    finish(m);
}

/* The normal row of a friction row, or the row itself. */
static size_t normal_of(const dls_problem *p, size_t i) { return p->parent[i] == DLS_NONE ? i : p->parent[i]; }

/* Multiplies each row, with its friction, by a power of 10 between 1e-3 and 1e3: s_i. */
static void scale_rows(made *m, double *s)
{
    dls_problem *p = m->p;
    for (size_t i = 0; i < p->n; i++)
        s[i] = pow(10.0, (double)(normal_of(p, i) * 5 % 7) - 3.0);
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = p->J.coef_at[p->J.start[i]]; k < p->J.coef_at[p->J.start[i + 1]]; k++)
            p->J.coef[k] *= s[i];
        p->c[i] *= s[i], p->gamma[i] *= s[i] * s[i], p->lo[i] /= s[i], p->hi[i] /= s[i];
    }
}

/* Makes all masses 1e6 times as large: impulses are too. */
static void scale_masses(made *m, double *s)
{
    for (size_t k = 0; k < m->n_blocks; k++) {
        m->block[k].body.inverse_mass /= 1e6;
        for (int j = 0; j < 9; j++)
            m->block[k].body.inverse_inertia.m[j] /= 1e6;
    }
    for (size_t i = 0; i < m->p->n; i++)
        s[i] = 1e-6, m->p->gamma[i] /= 1e6, m->p->lo[i] *= 1e6, m->p->hi[i] *= 1e6;
}

typedef struct part {
    size_t offset, length;
    double coef[6];
} part;

static int by_offset(const void *a, const void *b)
{
    const part *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Numbers the bodies 3 5 1 0 4 2. */
static void renumber_bodies(made *m, double *s)
{
    static const size_t to[BODIES] = {3, 5, 1, 0, 4, 2};
    const made before = *m;
    dls_problem *p = m->p;
    double v[6 * BODIES];
    memcpy(v, p->v_star, sizeof v);
    for (size_t k = 0; k < BODIES; k++) {
        m->block[to[k]].body = before.block[k].body;
        memcpy(p->v_star + 6 * to[k], v + 6 * k, 6 * sizeof *v);
    }
    for (size_t i = 0; i < p->n; i++) {
        part parts[8];
        const size_t from = p->J.start[i], count = p->J.start[i + 1] - from;
        size_t coef = p->J.coef_at[from];
        for (size_t k = 0; k < count; k++) {
            const size_t at = p->J.coef_at[from + k], offset = p->J.offset[from + k];
            parts[k] = (part){6 * to[offset / 6] + offset % 6, p->J.coef_at[from + k + 1] - at, {0.0}};
            memcpy(parts[k].coef, p->J.coef + at, parts[k].length * sizeof(double));
        }
        qsort(parts, count, sizeof *parts, by_offset);
        for (size_t k = 0; k < count; k++) {
            p->J.offset[from + k] = parts[k].offset, p->J.mass[from + k] = (uint32_t)(parts[k].offset / 6);
            p->J.coef_at[from + k] = coef;
            memcpy(p->J.coef + coef, parts[k].coef, parts[k].length * sizeof(double));
            coef += parts[k].length;
        }
        s[i] = 1.0;
    }
}

/* Rounding of a few sweeps; blocks of redundant rows are solved up to the rounding over 1e-8, their proximal term. */
static double rounding_of(const struct variant *variant)
{
    return strcmp(variant->solver, "block-gs") == 0 ? 1e-6 : 1e-9;
}

/* The iterates of the changed problem are those of the given one, lambda_i / s_i. */
static void check_same(void (*change)(made *m, double *s))
{
    static made m, changed;
    double s[ROWS], one[ROWS], other[ROWS];
    for (uint64_t seed = 1; seed <= 15; seed++) {
        draw_bodies(&m, seed), draw_bodies(&changed, seed);
        change(&changed, s);
        finish(&changed);
        for (size_t k = 0; k < VARIANTS; k++) {
            double largest = 1e-3;
            if (change == renumber_bodies && variants[k].key && strcmp(variants[k].value, "body") == 0)
                continue; /* a row between two bodies is in the block of the first one */
            run r = run_open(&variants[k], m.p, NULL), q = run_open(&variants[k], changed.p, NULL);
            under_test = &variants[k];
            run_iterate(&r, ITERATIONS, one), run_iterate(&q, ITERATIONS, other);
            for (size_t i = 0; i < m.p->n; i++)
                largest = fmax(largest, fabs(one[i]));
            for (size_t i = 0; i < m.p->n; i++)
                assert_close(other[i] * s[i], one[i], rounding_of(&variants[k]) * largest);
            run_close(&r), run_close(&q);
            under_test = NULL;
        }
        end(&m), end(&changed);
    }
}

TEST_AFTER(test_units_of_rows_change_nothing, name_the_variant) { check_same(scale_rows); }
TEST_AFTER(test_masses_are_a_factor_of_the_impulses, name_the_variant) { check_same(scale_masses); }
TEST_AFTER(test_bodies_may_be_renumbered, name_the_variant) { check_same(renumber_bodies); }

/* Turns the tangents of contact c of a problem in the matrix form by c + 0.4 rad: Q A Q^T, Q b. */
static dls_problem *turn_tangents(const dls_problem *p, double *Q)
{
    const size_t n = p->n;
    double *A = test_calloc(n * n, sizeof *A), *QA = test_calloc(n * n, sizeof *A), *b = test_calloc(n, sizeof *b);
    dls_dense *d = dense_of(p);
    memset(Q, 0, n * n * sizeof *Q);
    for (size_t i = 0; i < n; i += 3) {
        const double angle = (double)(i / 3) + 0.4;
        Q[i + n * i] = 1.0;
        Q[i + 1 + n * (i + 1)] = Q[i + 2 + n * (i + 2)] = cos(angle);
        Q[i + 1 + n * (i + 2)] = -sin(angle), Q[i + 2 + n * (i + 1)] = sin(angle);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            b[i] += Q[i + n * j] * d->b[j];
            for (size_t k = 0; k < n; k++)
                QA[i + n * j] += Q[i + n * k] * d->A[k + n * j];
        }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++)
                A[i + n * j] += QA[i + n * k] * Q[j + n * k];
    dls_problem *turned = problem_from_matrix(n, A, b, NULL, p->hi);
    for (size_t i = 0; i < n; i += 3)
        turned->hi[i + 1] = turned->hi[i + 2] = HUGE_VAL, dls_problem_make_cone(turned, i, p->mu[i + 1]);
    dls_dense_destroy(d);
    test_free(A), test_free(QA), test_free(b);
    return turned;
}

TEST_AFTER(test_tangents_may_be_turned, name_the_variant)
{
    for (unsigned seed = 0; seed < 15; seed++) {
        double chosen[30] = {0}, w[30] = {0}, one[30], other[30], Q[30 * 30];
        dls_problem *p = cone_manufacture(1 + seed % 10, seed, chosen, w), *turned = turn_tangents(p, Q);
        for (size_t k = 0; k < VARIANTS; k++) {
            if (dls_solver_refuses(dls_iterative_find(variants[k].solver), p))
                continue;
            under_test = &variants[k];
            run r = run_open(&variants[k], p, NULL), q = run_open(&variants[k], turned, NULL);
            run_iterate(&r, ITERATIONS, one), run_iterate(&q, ITERATIONS, other);
            for (size_t i = 0; i < p->n; i++) {
                double turned_one = 0.0;
                for (size_t j = 0; j < p->n; j++)
                    turned_one += Q[i + p->n * j] * one[j];
                assert_close(other[i], turned_one, 1e-9);
            }
            run_close(&r), run_close(&q);
            under_test = NULL;
        }
        dls_problem_destroy(p), dls_problem_destroy(turned);
    }
}
