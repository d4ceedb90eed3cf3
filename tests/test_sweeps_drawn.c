/* Every iterative method on random problems over mass blocks of every kind, against its definition in full vectors of
 * long double: cold and warm, with another right side, and with another problem of the same rows under way. */
#include "delassus/delassus.h"
#include "delassus/solvers.h"

#include "naive.h"
#include "packed_problems.h"
#include "problems.h"

#include <float.h>
#include <string.h>

/* --- comparison --- */

/* Settings besides the defaults with which a method is compared, if it has them. */
static const struct variation {
    const char *key, *value;
} variations[] = {{"omega", "0.6"}, {"omega", "0.1"}, {"order", "symmetric"}, {"order", "backward"}};

static void assert_same(const dls_solver *solver, const void *work, const naive *w)
{
    double lambda[ROWS], v[VELOCITIES], scale = 1.0;
    solver->read(work, lambda), solver->velocity(work, v);
    for (size_t i = 0; i < w->p->n; i++)
        scale = fmax(scale, fabs((double)w->lambda[i]));
    for (size_t i = 0; i < w->p->n; i++)
        assert_close(lambda[i], (double)w->lambda[i], 1e-11 * scale);
    for (size_t j = 0; j < w->p->nv; j++)
        assert_close(v[j], (double)w->v[j], 2e-11 * scale);
}

static void run(const dls_solver *solver, void *work, naive *w, size_t count, dls_report *report)
{
    size_t none = 0;
    dls_error error;
    for (size_t i = 0; i < w->p->n; i++)
        none += w->D[i] == 0.0;
    for (size_t k = 0; k < count; k++) {
        const size_t before = report->iterations;
        assert_status(solver->iterate(work, report, &error), &error);
        assert_int_equal(report->iterations, before + 1);
        assert_int_equal(report->dead_rows, none);
        naive_iterate(w);
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
    for (size_t i = 0; i < m->p->n; i++)
        lambda0[i] = below(3) ? 0.2 * uniform(-1.0, 1.0) : 0.0, lambda1[i] = 0.1 * uniform(-1.0, 1.0),
        c[i] = uniform(-1.0, 1.0);
    for (size_t j = 0; j < m->p->nv; j++)
        v[j] = uniform(-1.0, 1.0);
    assert_status(solver->open(m->p, settings, lambda0, &work, &error), &error);
    naive w = naive_open(m->p, solver->splitting(settings), solver->accepts & DLS_ACCEPTS_CONE, lambda0);
    assert_same(solver, work, &w);
    run(solver, work, &w, 3, &report);
    solver->refresh(work, c);
    for (size_t i = 0; i < m->p->n; i++)
        w.c[i] = c[i];
    run(solver, work, &w, 2, &report);
    for (int given = 0; given < 2; given++) { /* the impulses stay, and the velocities too, or others come */
        made *to = given ? m : other;
        assert_status(solver->renew(work, to->p, given ? v : NULL, &error), &error);
        naive_renew(&w, to->p);
        for (size_t j = 0; j < m->p->nv && given; j++)
            w.v[j] = v[j];
        assert_same(solver, work, &w);
        run(solver, work, &w, 2, &report);
    }
    for (int warm = 0; warm < 2; warm++) {
        naive_renew(&w, warm ? m->p : other->p);
        assert_status(solver->reload(work, w.p, warm ? lambda1 : NULL, &error), &error);
        naive_start(&w, warm ? lambda1 : NULL);
        assert_same(solver, work, &w);
        run(solver, work, &w, 2, &report);
    }
    solver->close(work);
    naive_close(&w);
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

/* Friction rows before, after and far from their normal row, which acts on something, and several of one. */
static void draw_couplings(made *m)
{
    dls_problem *p = m->p;
    for (size_t k = 0; k < p->n / 4; k++) {
        const size_t i = below(p->n), parent = below(p->n);
        bool free = i != parent && p->J.start[parent] < p->J.start[parent + 1] && p->parent[i] == DLS_NONE &&
                    p->parent[parent] == DLS_NONE;
        for (size_t r = 0; r < p->n; r++)
            free = free && p->parent[r] != i;
        if (free)
            couple(m, i, parent);
    }
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
        if (seed % 3 == 0)
            draw_couplings(&m[k]);
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
            for (const dls_solver *const *solver = dls_iterative_solvers; *solver; solver++, method_under_test = NULL) {
                method_under_test = (*solver)->name;
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
