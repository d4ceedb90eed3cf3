/* Every iterative method on random problems over mass blocks of every kind, against its definition in full vectors of
 * long double: cold and warm, with another right side, and with another problem of the same rows under way. */
#include "delassus/delassus.h"
#include "delassus/solvers.h"

#include "delassus/solver_kit.h"
#include "packed_problems.h"
#include "problems.h"

#include <float.h>
#include <string.h>

/* --- the definitions --- */

typedef struct naive {
    const made *m;
    bool jacobi, symmetric, backward, cones;
    double omega;
    long double lambda[ROWS], v[VELOCITIES], c[ROWS];
} naive;

static bool dead(const made *m, size_t i)
{
    bool zero = m->p->gamma[i] == 0.0;
    for (size_t j = 0; j < m->p->nv; j++)
        zero = zero && m->J[i][j] == 0.0;
    return zero;
}

static bool cone_at(const naive *w, size_t i) { return w->cones && dls_problem_is_cone(w->m->p, i); }

static long double entry(const made *m, size_t k, size_t i)
{
    long double sum = i == k ? m->p->gamma[i] : 0.0;
    for (size_t j = 0; j < m->p->nv; j++)
        sum += (long double)m->J[k][j] * m->B[i][j];
    return sum;
}

static void move(naive *w, size_t i, long double to)
{
    for (size_t j = 0; j < w->m->p->nv; j++)
        w->v[j] += w->m->B[i][j] * (to - w->lambda[i]);
    w->lambda[i] = to;
}

static long double residual(const naive *w, size_t i)
{
    long double sum = w->m->p->gamma[i] * w->lambda[i] - w->c[i];
    for (size_t j = 0; j < w->m->p->nv; j++)
        sum += w->m->J[i][j] * w->v[j];
    return sum;
}

static long double next(const naive *w, size_t i)
{
    const dls_problem *p = w->m->p;
    long double lo = p->lo[i], hi = p->hi[i];
    if (dead(w->m, i))
        return w->lambda[i];
    if (p->parent[i] != DLS_NONE) {
        const long double normal = w->lambda[p->parent[i]];
        hi = normal > 0.0L ? p->mu[i] * normal : 0.0L, lo = -hi;
    }
    const long double to = w->lambda[i] - w->omega * residual(w, i) / entry(w->m, i, i);
    return to < lo ? lo : to > hi ? hi : to;
}

static void visit_contact(naive *w, size_t i)
{
    dls_contact_block b = {.mu = w->m->p->mu[i + 1], .hi = w->m->p->hi[i]};
    double q[3], to[3];
    bool none = true;
    for (size_t r = 0; r < 3; r++) {
        long double sum = residual(w, i + r);
        none = none && dead(w->m, i + r);
        for (size_t s = 0; s < 3; s++) {
            b.W[r][s] = (double)entry(w->m, i + r, i + s);
            sum -= entry(w->m, i + r, i + s) * w->lambda[i + s];
        }
        q[r] = (double)sum;
    }
    if (none)
        return;
    assert_true(dls_contact_block_prepare(&b));
    dls_contact_solve(&b, q, to);
    for (size_t r = 0; r < 3; r++)
        move(w, i + r, to[r]);
}

static void iterate(naive *w)
{
    const size_t n = w->m->p->n;
    long double to[ROWS];
    for (size_t i = 0; i < n && w->jacobi; i++)
        to[i] = next(w, i);
    for (size_t i = 0; i < n && w->jacobi; i++)
        move(w, i, to[i]);
    for (size_t k = w->backward ? n : 0; k < 2 * n && !w->jacobi; k++) {
        const size_t i = k < n ? k : 2 * n - 1 - k;
        if (k >= n && !w->symmetric && !w->backward)
            break;
        if ((i >= 1 && cone_at(w, i - 1)) || (i >= 2 && cone_at(w, i - 2)))
            continue;
        if (cone_at(w, i))
            visit_contact(w, i);
        else
            move(w, i, next(w, i));
    }
}

static void start(naive *w, const double *lambda0)
{
    for (size_t j = 0; j < w->m->p->nv; j++)
        w->v[j] = w->m->p->v_star[j];
    for (size_t i = 0; i < w->m->p->n; i++) {
        w->lambda[i] = 0.0;
        move(w, i, lambda0 ? lambda0[i] : 0.0L);
        w->c[i] = w->m->p->c[i];
    }
}

/* --- comparison --- */

/* Settings besides the defaults with which a method is compared, if it has them. */
static const struct variation {
    const char *key, *value;
} variations[] = {{"omega", "0.6"}, {"omega", "0.1"}, {"order", "symmetric"}, {"order", "backward"}};
static const char *under_test; /* the method; NULL: none */

static int name_the_method(void **unused)
{
    (void)unused;
    if (under_test)
        print_error("failed by %s\n", under_test);
    under_test = NULL;
    return 0;
}

static void assert_same(const dls_solver *solver, const void *work, const naive *w)
{
    double lambda[ROWS], v[VELOCITIES], scale = 1.0;
    solver->read(work, lambda), solver->velocity(work, v);
    for (size_t i = 0; i < w->m->p->n; i++)
        scale = fmax(scale, fabs((double)w->lambda[i]));
    for (size_t i = 0; i < w->m->p->n; i++)
        assert_close(lambda[i], (double)w->lambda[i], 1e-11 * scale);
    for (size_t j = 0; j < w->m->p->nv; j++)
        assert_close(v[j], (double)w->v[j], 2e-11 * scale);
}

static void run(const dls_solver *solver, void *work, naive *w, size_t count, dls_report *report)
{
    size_t none = 0;
    dls_error error;
    for (size_t i = 0; i < w->m->p->n; i++)
        none += dead(w->m, i);
    for (size_t k = 0; k < count; k++) {
        const size_t before = report->iterations;
        assert_status(solver->iterate(work, report, &error), &error);
        assert_int_equal(report->iterations, before + 1);
        assert_int_equal(report->dead_rows, none);
        iterate(w);
        assert_same(solver, work, w);
    }
}

/* One work all the way: opened, another c, the other problem of the same rows, another velocity, and loaded again. */
static void follow(const dls_solver *solver, const void *settings, made *m, made *other)
{
    double lambda0[ROWS], lambda1[ROWS], c[ROWS], v[VELOCITIES];
    void *work;
    dls_error error;
    dls_report report = {0};
    const dls_splitting splitting = solver->splitting(settings);
    naive w = {.m = m,
               .jacobi = splitting.kind == DLS_SPLITTING_JACOBI,
               .symmetric = splitting.kind == DLS_SPLITTING_SYMMETRIC,
               .backward = splitting.kind == DLS_SPLITTING_BACKWARD,
               .cones = solver->accepts & DLS_ACCEPTS_CONE,
               .omega = splitting.omega};
    for (size_t i = 0; i < m->p->n; i++)
        lambda0[i] = below(3) ? 0.2 * uniform(-1.0, 1.0) : 0.0, lambda1[i] = 0.1 * uniform(-1.0, 1.0),
        c[i] = uniform(-1.0, 1.0);
    for (size_t j = 0; j < m->p->nv; j++)
        v[j] = uniform(-1.0, 1.0);
    assert_status(solver->open(m->p, settings, lambda0, &work, &error), &error);
    start(&w, lambda0);
    assert_same(solver, work, &w);
    run(solver, work, &w, 3, &report);
    solver->refresh(work, c);
    for (size_t i = 0; i < m->p->n; i++)
        w.c[i] = c[i];
    run(solver, work, &w, 2, &report);
    for (int given = 0; given < 2; given++) { /* the impulses stay, and the velocities too, or others come */
        made *to = given ? m : other;
        assert_status(solver->renew(work, to->p, given ? v : NULL, &error), &error);
        w.m = to;
        for (size_t i = 0; i < m->p->n; i++)
            w.c[i] = to->p->c[i];
        for (size_t j = 0; j < m->p->nv && given; j++)
            w.v[j] = v[j];
        assert_same(solver, work, &w);
        run(solver, work, &w, 2, &report);
    }
    for (int warm = 0; warm < 2; warm++) {
        w.m = warm ? m : other;
        assert_status(solver->reload(work, w.m->p, warm ? lambda1 : NULL, &error), &error);
        start(&w, warm ? lambda1 : NULL);
        assert_same(solver, work, &w);
        run(solver, work, &w, 2, &report);
    }
    solver->close(work);
}

/* A method with its default settings, and with each variation; one that is no splitting has no definition here. */
static void follow_all(const dls_solver *solver, made m[2])
{
    char settings[64];
    dls_error error;
    assert_true(solver->fields.size <= sizeof settings);
    for (size_t k = 0; k <= sizeof variations / sizeof *variations; k++) {
        assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
        if (!solver->splitting || (k > 0 && !dls_field_find(&solver->fields, variations[k - 1].key)))
            continue;
        if (k > 0)
            assert_status(
                dls_field_set(&solver->fields, settings, variations[k - 1].key, variations[k - 1].value, &error),
                &error);
        const dls_splitting splitting = solver->splitting(settings);
        if (k > 0 && strcmp(variations[k - 1].key, "omega") == 0)
            assert_true(splitting.omega == strtod(variations[k - 1].value, NULL));
        if (splitting.kind != DLS_SPLITTING_NONE)
            follow(solver, settings, &m[0], &m[1]);
    }
}

/* --- problems --- */

/* Cones where three rows that follow each other have no friction yet. */
static void draw_cones(made *m)
{
    dls_problem *p = m->p;
    for (size_t i = 0; i + 2 < p->n; i++) {
        bool bare = below(2), none = true, all = true;
        for (size_t k = 0; k < p->n; k++)
            bare = bare && (p->parent[k] == DLS_NONE || p->parent[k] < i || p->parent[k] > i + 2);
        for (size_t r = i; r < i + 3; r++)
            bare = bare && p->parent[r] == DLS_NONE, none = none && dead(m, r), all = all && !dead(m, r);
        if (!bare || !(none || all))
            continue;
        p->hi[i] = below(3) ? HUGE_VAL : 0.3 + 0.2 * uniform(-1.0, 1.0);
        dls_problem_make_cone(p, i, below(5) ? 0.6 + 0.4 * uniform(-1.0, 1.0) : 0.0);
        i += 2;
    }
}

static bool can_be_moved(const made *m)
{
    bool all = true;
    for (size_t i = 0; i < m->p->n; i++)
        all = all && (dead(m, i) || m->diagonal[i] > 1e-3);
    return all;
}

/* The same rows with other numbers. */
static void draw_numbers(made *m)
{
    dls_problem *p = m->p;
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = p->J.coef_at[p->J.start[i]]; k < p->J.coef_at[p->J.start[i + 1]]; k++)
            p->J.coef[k] *= 1.0 + 0.2 * uniform(-1.0, 1.0);
        p->c[i] = uniform(-1.0, 1.0), p->gamma[i] *= 1.0 + 0.2 * uniform(-1.0, 1.0), p->mu[i] *= 1.1;
        p->hi[i] *= 1.1, p->lo[i] *= 0.9;
    }
    for (size_t j = 0; j < p->nv; j++)
        p->v_star[j] = uniform(-1.0, 1.0);
    for (size_t i = 0; i + 2 < p->n; i++) /* both tangents of a contact have its coefficient */
        if (dls_problem_is_cone(p, i))
            p->mu[i + 2] = p->mu[i + 1];
}

static void draw_pair(made m[2], unsigned long long seed, bool cones)
{
    for (int k = 0; k < 2; k++) {
        draw_seed(seed);
        draw_problem(&m[k]);
        finish(&m[k]);
        if (cones)
            draw_cones(&m[k]);
        if (k) {
            draw_numbers(&m[k]);
            for (size_t b = 0; b < m[k].n_blocks; b++)
                if (m[k].block[b].kind == 'b' && below(2))
                    m[k].block[b].body.inverse_mass *= 1.3;
        }
        finish(&m[k]);
    }
}

TEST_AFTER(test_methods_on_random_problems, name_the_method)
{
    static made m[2];
    size_t contacts = 0, rows = 0;
    for (unsigned long long seed = 1; seed <= 60; seed++) {
        const bool cones = seed % 2;
        draw_pair(m, seed, cones);
        if (can_be_moved(&m[0]) && can_be_moved(&m[1]))
            for (const dls_solver *const *solver = dls_iterative_solvers; *solver; solver++, under_test = NULL) {
                under_test = (*solver)->name;
                if (!dls_solver_refuses(*solver, m[0].p))
                    follow_all(*solver, m);
            }
        contacts += m[0].p->n_cone / 2, rows += m[0].p->n;
        end(&m[0]), end(&m[1]);
    }
    print_message("# %zu rows, %zu contacts\n", rows, contacts);
    assert_true(contacts > 50);
}

/* --- what a method does not take --- */

TEST(test_diagonals_of_nonsmooth_gauss_seidel)
{
    static const struct {
        double A;
        bool taken;
        size_t dead_rows;
    } cases[] = {{1.0, true, 0}, {DBL_MIN, true, 0},     {0.5 * DBL_MIN, false, 0}, {0x1p-1074, false, 0},
                 {0.0, true, 1}, {-0x1p-1074, false, 0}, {-1.0, false, 0}};
    const dls_solver *nsgs = dls_iterative_find("nsgs");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double A[4] = {2.0, 0.0, 0.0, cases[k].A}, b[2] = {1.0, 0.0};
        const struct {
            int order;
            size_t seed;
        } set = {0, 1};
        double lambda[2];
        void *work;
        dls_error error;
        dls_report report = {0};
        dls_problem *p = problem_from_matrix(2, A, b, NULL, NULL);
        const dls_status status = nsgs->open(p, &set, NULL, &work, &error);
        assert_int_equal(status, cases[k].taken ? DLS_OK : DLS_REFUSED);
        if (status == DLS_OK) {
            assert_status(nsgs->iterate(work, &report, &error), &error);
            nsgs->read(work, lambda);
            assert_true(lambda[0] == 0.0 && lambda[1] == 0.0);
            assert_int_equal(report.dead_rows, cases[k].dead_rows);
            nsgs->close(work);
        } else {
            assert_null(work);
            assert_true(strncmp(error.message, "row 1 has the diagonal ", 23) == 0);
            assert_non_null(strstr(error.message, "; it must be positive"));
        }
        dls_problem_destroy(p);
    }
}

/* A contact whose normal, or whose tangents alone, cannot be moved, behind a row and a contact that can. */
TEST(test_contacts_of_nonsmooth_gauss_seidel)
{
    static const struct {
        const char *normal, *tangent;
        bool taken;
        size_t dead_rows;
    } cases[] = {{"0", "1", true, 0},
                 {"0:0=0", "1", false, 0},
                 {"0", "1:0=0", true, 0},
                 {"0:0=0", "1:0=0", true, 3},
                 {"0:0=1", "0:0=1", true, 0}};
    static made m;
    const dls_solver *nsgs = dls_iterative_find("nsgs");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct {
            int order;
            size_t seed;
        } set = {0, 1};
        void *work;
        dls_error error;
        dls_report report = {0};
        draw_seed(7);
        begin(&m, "bb");
        row(&m, "0"), row(&m, "0"), row(&m, "1"), row(&m, "0 1");
        row(&m, cases[k].normal), row(&m, cases[k].tangent), row(&m, cases[k].tangent);
        dls_problem_make_cone(m.p, 1, 0.5), dls_problem_make_cone(m.p, 4, 0.5);
        finish(&m);
        const dls_status status = nsgs->open(m.p, &set, NULL, &work, &error);
        assert_int_equal(status, cases[k].taken ? DLS_OK : DLS_REFUSED);
        if (status == DLS_OK) {
            assert_status(nsgs->iterate(work, &report, &error), &error);
            assert_int_equal(report.dead_rows, cases[k].dead_rows);
            nsgs->close(work);
        } else {
            assert_string_equal(error.message, "the contact at row 4 has a diagonal block that is not positive "
                                               "semidefinite, or no normal response");
        }
        end(&m);
    }
}

/* Both ends of what a relaxation factor may be. */
TEST(test_relaxation_factors)
{
    static const struct {
        double omega;
        bool taken;
    } cases[] = {{0.0, false}, {DBL_MIN, true}, {1.0, true}, {2.0 - 0x1p-52, true}, {2.0, false}, {NAN, false}};
    const double A = 2.0, b = 1.0;
    dls_error error;
    dls_problem *p = problem_from_matrix(1, &A, &b, NULL, NULL);
    for (size_t s = 0; dls_iterative_solvers[s]; s++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            const dls_solver *solver = dls_iterative_solvers[s];
            void *work;
            if (!dls_field_find(&solver->fields, "omega"))
                continue;
            const dls_status status = solver->open(p, &cases[k].omega, NULL, &work, &error);
            assert_int_equal(status, cases[k].taken ? DLS_OK : DLS_BAD_ARGUMENT);
            if (status == DLS_OK)
                solver->close(work);
            else
                assert_true(!work && strstr(error.message, "omega must lie between 0 and 2, both excluded, not "));
        }
    dls_problem_destroy(p);
}
