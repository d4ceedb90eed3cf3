/* Laws of iterative methods, for every entry of the table that accepts the problem: solutions are fixed points and are
 * found, iterates do not depend on units, axes and the order of the bodies, objectives fall, and proven rates hold. */
#include "delassus/delassus.h"
#include "delassus/solvers.h"

#include "packed_problems.h"
#include "problems.h"

#include <math.h>
#include <string.h>

static const char *under_test; /* the method; NULL: none */

static int name_the_method(void **unused)
{
    (void)unused;
    if (under_test)
        print_error("failed by %s\n", under_test);
    under_test = NULL;
    return 0;
}

/* The n-th method that accepts the problem, with its default settings; NULL: no more. */
static const dls_solver *method_for(const dls_problem *p, size_t n, char settings[64])
{
    dls_error error;
    for (const dls_solver *const *solver = dls_iterative_solvers; *solver; solver++)
        if (!dls_solver_refuses(*solver, p) && n-- == 0) {
            under_test = (*solver)->name;
            assert_true((*solver)->fields.size <= 64);
            assert_status(dls_fields_default(&(*solver)->fields, settings, &error), &error);
            return *solver;
        }
    under_test = NULL;
    return NULL;
}

/* The iterate after `iterations`, from `lambda`, which it replaces. */
static void iterate(const dls_solver *solver, const char *settings, const dls_problem *p, size_t iterations,
                    double *lambda)
{
    dls_error error;
    dls_report report = {0};
    assert_status(dls_solve(solver, p, settings, iterations, lambda, &report, NULL, NULL, &error), &error);
    assert_int_equal(report.iterations, iterations);
    dls_report_release(&report);
}

/* --- solutions that are chosen --- */

enum { N = 24 };

typedef struct chosen {
    dls_problem *p;
    double A[N * N], b[N], lambda[N]; /* the solution */
} chosen;

/* A definite A of a moderate condition, on which damped Jacobi converges as well: its largest eigenvalue is below twice
 * the diagonal by Gershgorin. */
static void draw_matrix(double *A)
{
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j <= i; j++)
            A[i + N * j] = A[j + N * i] = i == j ? 2.0 : uniform(-1.0, 1.0) / (0.6 * N);
}

static void make_chosen(chosen *c, const double *w, const double *lo, const double *hi)
{
    for (size_t i = 0; i < N; i++) {
        c->b[i] = w[i];
        for (size_t j = 0; j < N; j++)
            c->b[i] -= c->A[i + N * j] * c->lambda[j];
    }
    dls_error error;
    assert_status(dls_problem_from_matrix(N, c->A, c->b, lo, hi, &c->p, &error), &error);
}

/* A third of the rows each is free, between bounds, and on one of them. */
static void choose_bounded(chosen *c)
{
    double w[N], lo[N], hi[N];
    draw_matrix(c->A);
    for (size_t i = 0; i < N; i++) {
        c->lambda[i] = uniform(-1.0, 1.0), w[i] = 0.0;
        lo[i] = i % 3 ? c->lambda[i] - uniform(0.1, 1.0) : -HUGE_VAL;
        hi[i] = i % 3 ? c->lambda[i] + uniform(0.1, 1.0) : HUGE_VAL;
        if (i % 6 == 2)
            c->lambda[i] = lo[i], w[i] = uniform(0.1, 1.0);
        else if (i % 6 == 5)
            c->lambda[i] = hi[i], w[i] = -uniform(0.1, 1.0);
    }
    make_chosen(c, w, lo, hi);
}

/* Contacts under Coulomb's cone that stick, slide and lift off in turn. */
static void choose_cones(chosen *c)
{
    double w[N] = {0.0}, lo[N], hi[N];
    const double mu = 0.6;
    draw_matrix(c->A);
    for (size_t i = 0; i < N; i += 3) {
        const double angle = uniform(-3.0, 3.0), normal = uniform(0.3, 1.0), speed = uniform(0.1, 1.0);
        const double along = i % 9 == 0 ? 0.4 * mu * normal : mu * normal;
        const bool lifts = i % 9 == 6;
        for (size_t r = 0; r < 3; r++)
            lo[i + r] = r ? -HUGE_VAL : 0.0, hi[i + r] = HUGE_VAL;
        c->lambda[i] = lifts ? 0.0 : normal;
        c->lambda[i + 1] = lifts ? 0.0 : along * cos(angle), c->lambda[i + 2] = lifts ? 0.0 : along * sin(angle);
        w[i] = lifts ? speed : 0.0;
        w[i + 1] = i % 9 ? -speed * cos(angle) : 0.0, w[i + 2] = i % 9 ? -speed * sin(angle) : 0.0;
    }
    make_chosen(c, w, lo, hi);
    for (size_t i = 0; i < N; i += 3)
        dls_problem_make_cone(c->p, i, mu);
}

static void assert_near(const double *lambda, const double *expected, size_t n, double tolerance)
{
    for (size_t i = 0; i < n; i++)
        assert_close(lambda[i], expected[i], tolerance);
}

/* Every contraction keeps a solution but for rounding, and finds it: A is so well conditioned that 400 iterations
 * reduce the error of every method by more than 1e9. */
TEST_AFTER(test_solutions_are_fixed_points_and_are_found, name_the_method)
{
    for (unsigned long long seed = 1; seed <= 20; seed++) {
        chosen c;
        char settings[64];
        draw_seed(seed);
        (seed % 2 ? choose_bounded : choose_cones)(&c);
        const dls_solver *solver;
        for (size_t k = 0; (solver = method_for(c.p, k, settings)) != NULL; k++) {
            double lambda[N], zero[N] = {0.0};
            memcpy(lambda, c.lambda, sizeof lambda);
            iterate(solver, settings, c.p, 20, lambda);
            assert_near(lambda, c.lambda, N, 1e-12);
            iterate(solver, settings, c.p, 400, zero);
            assert_near(zero, c.lambda, N, 1e-9);
        }
        dls_problem_destroy(c.p);
    }
}

/* --- invariance --- */

/* Scale of a row's velocity: one for a normal row and the friction rows that follow it, so that cones stay cones. */
static double unit_of(const dls_problem *p, size_t i)
{
    const size_t root = p->parent[i] == DLS_NONE ? i : p->parent[i];
    return ldexp(1.0, (int)(root * 7919 % 41) - 20);
}

/* The same problem in other units: row i times its unit, and all masses times 2^20. */
static void change_units(made *m)
{
    dls_problem *p = m->p;
    const double mass = 0x1p20;
    for (size_t k = 0; k < m->n_blocks; k++) {
        m->block[k].body.inverse_mass /= mass;
        for (size_t j = 0; j < 9; j++)
            m->block[k].body.inverse_inertia.m[j] /= mass;
        for (size_t j = 0; j < LENGTH * LENGTH; j++)
            m->block[k].m.W[j] /= mass;
    }
    for (size_t i = 0; i < p->n; i++) {
        const double unit = unit_of(p, i);
        for (size_t k = p->J.coef_at[p->J.start[i]]; k < p->J.coef_at[p->J.start[i + 1]]; k++)
            p->J.coef[k] *= unit;
        p->c[i] *= unit, p->gamma[i] *= unit * unit / mass;
        p->lo[i] *= mass / unit, p->hi[i] *= mass / unit;
    }
}

static void draw_with_friction(made *m, unsigned long long seed)
{
    draw_seed(seed);
    draw_problem(m);
    for (size_t i = 0; i + 2 < m->p->n && seed % 2; i += 3)
        if (m->p->n_coupled == m->p->n_cone)
            dls_problem_make_cone(m->p, i, 0.6);
    finish(m);
}

/* Powers of two scale every number without rounding, so that a method which adds numbers of different units, or
 * compares them, gives other iterates. One that factors singular blocks with a regularisation of 1e-8 (block-gs)
 * enlarges the roundings of its roots and quotients as much. */
TEST_AFTER(test_iterates_do_not_depend_on_units, name_the_method)
{
    static made m[2];
    for (unsigned long long seed = 1; seed <= 60; seed++) {
        char settings[64];
        draw_with_friction(&m[0], seed), draw_with_friction(&m[1], seed);
        change_units(&m[1]);
        finish(&m[1]);
        const dls_solver *solver;
        for (size_t k = 0; (solver = method_for(m[0].p, k, settings)) != NULL; k++) {
            double lambda[2][ROWS] = {{0.0}}, scale = 0.0;
            void *work;
            dls_error error;
            if (solver->open(m[0].p, settings, NULL, &work, &error) == DLS_REFUSED)
                continue;
            solver->close(work);
            for (int side = 0; side < 2; side++)
                iterate(solver, settings, m[side].p, 12, lambda[side]);
            for (size_t i = 0; i < m[0].p->n; i++)
                scale = fmax(scale, fabs(lambda[0][i]));
            for (size_t i = 0; i < m[0].p->n; i++)
                assert_close(lambda[1][i] * unit_of(m[1].p, i) * 0x1p-20, lambda[0][i], 1e-6 * scale);
        }
        end(&m[0]), end(&m[1]);
    }
}

/* Tangents of every contact turned by an angle of its own: the impulses turn with them, to the rounding of products
 * with the turned matrix, which 12 iterations do not amplify much. */
TEST_AFTER(test_iterates_turn_with_the_tangents, name_the_method)
{
    for (unsigned long long seed = 1; seed <= 20; seed++) {
        chosen c;
        char settings[64];
        double A[N * N], b[N], turn[N][2], lo[N], hi[N];
        dls_problem *turned;
        dls_error error;
        const dls_solver *solver;
        draw_seed(seed);
        choose_cones(&c);
        memcpy(A, c.A, sizeof A), memcpy(b, c.b, sizeof b);
        for (size_t i = 0; i < N; i += 3) {
            const double angle = uniform(-3.0, 3.0), cosine = cos(angle), sine = sin(angle);
            turn[i][0] = cosine, turn[i][1] = sine;
            lo[i] = 0.0, lo[i + 1] = lo[i + 2] = -HUGE_VAL, hi[i] = hi[i + 1] = hi[i + 2] = HUGE_VAL;
            for (size_t j = 0; j <= 2 * N; j++) { /* rows of A, then its columns, then b */
                double *first = j < N ? &A[i + 1 + N * j] : j < 2 * N ? &A[j - N + N * (i + 1)] : &b[i + 1];
                double *second = j < N ? &A[i + 2 + N * j] : j < 2 * N ? &A[j - N + N * (i + 2)] : &b[i + 2];
                const double x = *first, y = *second;
                *first = cosine * x + sine * y, *second = cosine * y - sine * x;
            }
        }
        assert_status(dls_problem_from_matrix(N, A, b, lo, hi, &turned, &error), &error);
        for (size_t i = 0; i < N; i += 3)
            dls_problem_make_cone(turned, i, 0.6);
        for (size_t k = 0; (solver = method_for(c.p, k, settings)) != NULL; k++) {
            double one[N] = {0.0}, other[N] = {0.0};
            iterate(solver, settings, c.p, 12, one);
            iterate(solver, settings, turned, 12, other);
            for (size_t i = 0; i < N; i += 3) {
                assert_close(other[i], one[i], 1e-11);
                assert_close(other[i + 1], turn[i][0] * one[i + 1] + turn[i][1] * one[i + 2], 1e-11);
                assert_close(other[i + 2], turn[i][0] * one[i + 2] - turn[i][1] * one[i + 1], 1e-11);
            }
        }
        dls_problem_destroy(c.p), dls_problem_destroy(turned);
    }
}

/* The same rows over the bodies in the reverse order. */
static void renumber_bodies(const made *from, made *to)
{
    char kinds[BLOCKS + 1] = "";
    const size_t blocks = from->n_blocks;
    memset(kinds, 'b', blocks);
    begin(to, kinds);
    for (size_t k = 0; k < blocks; k++) {
        to->block[k].body = from->block[blocks - 1 - k].body;
        memcpy(to->p->v_star + 6 * k, from->p->v_star + 6 * (blocks - 1 - k), 6 * sizeof(double));
    }
    for (size_t i = 0; i < from->p->n; i++) {
        char text[8 * BLOCKS] = "";
        for (size_t k = from->p->J.start[i + 1]; k-- > from->p->J.start[i];)
            snprintf(text + strlen(text), 8, "%s%zu", *text ? " " : "", blocks - 1 - from->p->J.mass[k]);
        row(to, text);
        for (size_t k = to->p->J.start[i]; k < to->p->J.start[i + 1]; k++)
            memcpy(to->p->J.coef + to->p->J.coef_at[k], from->J[i] + 6 * (blocks - 1 - to->p->J.mass[k]),
                   6 * sizeof(double));
        to->p->c[i] = from->p->c[i], to->p->lo[i] = from->p->lo[i], to->p->hi[i] = from->p->hi[i];
    }
    finish(to);
}

/* Bounded rows between two bodies each, 30 of them in 48 velocities: sums over bodies are taken in another order. */
TEST_AFTER(test_iterates_do_not_depend_on_the_order_of_bodies, name_the_method)
{
    static made m[2];
    for (unsigned long long seed = 1; seed <= 20; seed++) {
        char settings[64], text[16];
        const dls_solver *solver;
        draw_seed(seed);
        begin(&m[0], "bbbbbbbb");
        for (size_t k = 0; k < 30; k++) {
            const size_t body = below(7);
            snprintf(text, sizeof text, "%zu %zu", body, body + 1 + below(7 - body));
            const size_t i = row(&m[0], text);
            m[0].p->lo[i] = k % 2 ? 0.0 : -HUGE_VAL, m[0].p->hi[i] = k % 4 == 1 ? 0.2 : HUGE_VAL;
        }
        finish(&m[0]);
        renumber_bodies(&m[0], &m[1]);
        for (size_t k = 0; (solver = method_for(m[0].p, k, settings)) != NULL; k++) {
            double lambda[2][ROWS] = {{0.0}}, scale = 0.0;
            for (int side = 0; side < 2; side++)
                iterate(solver, settings, m[side].p, 8, lambda[side]);
            for (size_t i = 0; i < m[0].p->n; i++)
                scale = fmax(scale, fabs(lambda[0][i]));
            assert_near(lambda[1], lambda[0], m[0].p->n, 1e-8 * scale);
        }
        end(&m[0]), end(&m[1]);
    }
}

/* --- the objective --- */

static double objective(const chosen *c, const double *lambda)
{
    double sum = 0.0;
    for (size_t i = 0; i < N; i++) {
        sum += c->b[i] * lambda[i];
        for (size_t j = 0; j < N; j++)
            sum += 0.5 * lambda[i] * c->A[i + N * j] * lambda[j];
    }
    return sum;
}

/* Methods whose every step is a minimum along a line within fixed bounds, or a projected step that is short enough. */
TEST_AFTER(test_the_objective_falls, name_the_method)
{
    static const char *const monotone[] = {"pgs",  "sor",          "symmetric-pgs", "nsgs",
                                           "prox", "projected-cg", "mprgp",         "pgs-sm"};
    for (unsigned long long seed = 1; seed <= 20; seed++) {
        chosen c;
        char settings[64];
        draw_seed(seed);
        choose_bounded(&c);
        for (size_t s = 0; s < sizeof monotone / sizeof *monotone; s++) {
            const dls_solver *solver = dls_iterative_find(monotone[s]);
            double lambda[N] = {0.0}, before = HUGE_VAL;
            dls_error error;
            dls_report report = {0};
            void *work;
            under_test = monotone[s];
            assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
            assert_status(solver->open(c.p, settings, NULL, &work, &error), &error);
            for (size_t k = 0; k < 60; k++) {
                assert_status(solver->iterate(work, &report, &error), &error);
                solver->read(work, lambda);
                const double now = objective(&c, lambda);
                assert_true(now <= before + 1e-13); /* rounding of some N^2 products of size 1 */
                before = now;
            }
            solver->close(work);
        }
        under_test = NULL;
        dls_problem_destroy(c.p);
    }
}

/* --- proven rates --- */

/* A hanging string: 2 on the diagonal, -1 beside it. The eigenvalues of D^-1 A are 1 - cos(i pi / (N + 1)). An error in
 * the norm of A is at most twice the k-th power of the proven factor (the 2 of the bound of conjugate gradients). */
TEST_AFTER(test_proven_rates, name_the_method)
{
    chosen c = {.p = NULL};
    double eigenvalues[N], w[N] = {0.0};
    char settings[64];
    const dls_solver *solver;
    draw_seed(1);
    for (size_t i = 0; i < N; i++) {
        c.A[i + N * i] = 2.0;
        if (i > 0)
            c.A[i + N * (i - 1)] = c.A[i - 1 + N * i] = -1.0;
        c.lambda[i] = uniform(-1.0, 1.0);
        eigenvalues[i] = 1.0 - cos((double)(i + 1) * acos(-1.0) / (N + 1));
    }
    double lo[N], hi[N];
    for (size_t i = 0; i < N; i++)
        lo[i] = -HUGE_VAL, hi[i] = HUGE_VAL;
    make_chosen(&c, w, lo, hi);
    const double least = objective(&c, c.lambda);
    for (size_t s = 0; (solver = method_for(c.p, s, settings)) != NULL; s++) {
        if (!solver->law || !solver->law->bound || solver->law->preconditioner != DLS_SPLITTING_JACOBI)
            continue;
        const double factor = solver->law->factor(settings, N, eigenvalues);
        assert_true(factor > 0.0 && factor < 1.0);
        for (size_t k = 1; k <= 20; k++) {
            double lambda[N] = {0.0};
            iterate(solver, settings, c.p, k, lambda);
            const double error = sqrt(fmax(objective(&c, lambda) - least, 0.0));
            assert_true(error <= 2.0 * pow(factor, (double)k) * sqrt(-least) + 1e-7);
        }
    }
    dls_problem_destroy(c.p);
}

/* Without bounds, conjugate gradients end after as many iterations as there are rows; rounding delays them a little,
 * and the preconditioned ones restart once. */
TEST_AFTER(test_conjugate_gradients_end, name_the_method)
{
    static const char *const conjugate[] = {"projected-cg", "mprgp"};
    for (size_t s = 0; s < sizeof conjugate / sizeof *conjugate; s++) {
        chosen c;
        char settings[64];
        double lambda[N] = {0.0}, w[N] = {0.0}, lo[N], hi[N];
        dls_error error;
        const dls_solver *solver = dls_iterative_find(conjugate[s]);
        under_test = conjugate[s];
        draw_seed(3);
        draw_matrix(c.A);
        for (size_t i = 0; i < N; i++)
            c.lambda[i] = uniform(-1.0, 1.0), lo[i] = -HUGE_VAL, hi[i] = HUGE_VAL;
        make_chosen(&c, w, lo, hi);
        assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
        iterate(solver, settings, c.p, N + 8, lambda);
        assert_near(lambda, c.lambda, N, 1e-12);
        dls_problem_destroy(c.p);
    }
    under_test = NULL;
}
