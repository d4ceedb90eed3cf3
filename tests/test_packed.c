/* Packed rows of random problems: sweeps of every compiled path against the loop of the conventions, loads that follow
 * each other, and what is refused. */
#include "delassus/delassus.h"
#include "delassus/solvers.h"

#include "naive.h"
#include "packed_problems.h"
#include "problems.h"

#include <stdio.h>
#include <string.h>

static dls_packed *create(const dls_sweep_path *path)
{
    dls_packed *packed;
    dls_error error;
    assert_status(dls_packed_create(OMEGA, &packed, &error), &error);
    packed->path = path ? path : packed->path;
    return packed;
}

/* --- sweeps --- */

static void compare(const dls_packed *packed, const naive *w, double *lambda, double *v)
{
    double scale = 1.0;
    dls_packed_read(packed, lambda);
    dls_packed_velocity(packed, v);
    for (size_t i = 0; i < w->p->n; i++)
        scale = fmax(scale, fabs((double)w->lambda[i]));
    for (size_t i = 0; i < w->p->n; i++)
        assert_close(lambda[i], (double)w->lambda[i], 1e-12 * scale);
    for (size_t j = 0; j < w->p->nv; j++)
        assert_close(v[j], (double)w->v[j], 2e-12 * scale);
}

/* Starts, sweeps there and back, and velocities, on every path; they give the same bytes. */
static void check_sweeps(const dls_problem *p)
{
    static double plain[2][VELOCITIES], found[2][VELOCITIES], lambda0[ROWS];
    bool first = true;
    dls_error error;
    for (size_t i = 0; i < p->n; i++)
        lambda0[i] = below(4) ? 0.3 * uniform(-1.0, 1.0) : 0.0;
    for (const dls_sweep_path *path = dls_sweep_paths; path->name; path++) {
        if (!path->available())
            continue;
        naive w = naive_open(p, (dls_splitting){DLS_SPLITTING_FORWARD, OMEGA}, false, lambda0);
        dls_packed *packed = create(path);
        assert_status(dls_packed_load(packed, p, lambda0, &error), &error);
        compare(packed, &w, found[0], found[1]);
        for (int sweep = 0; sweep < 6; sweep++) {
            dls_packed_sweep(packed, sweep % 3 != 1 ? DLS_FORWARD : DLS_BACKWARD);
            naive_sweep(&w, sweep % 3 != 1);
            compare(packed, &w, found[0], found[1]);
        }
        if (!first) {
            assert_memory_equal(found[0], plain[0], p->n * sizeof(double));
            assert_memory_equal(found[1], plain[1], p->nv * sizeof(double));
        }
        memcpy(plain, found, sizeof plain);
        first = false;
        dls_packed_destroy(packed);
        naive_close(&w);
    }
}

TEST(test_sweeps_of_every_path_are_sums_over_all_velocities)
{
    static made m;
    draw_seed(11);
    for (size_t k = 0; k < 120; k++) {
        dls_problem *matrix;
        dls_error error;
        draw_problem(&m);
        finish(&m);
        if (can_be_moved(&m)) {
            check_sweeps(m.p);
            assert_status(dls_problem_matrix_form(m.p, &matrix, &error), &error);
            check_sweeps(matrix);
            dls_problem_destroy(matrix);
        }
        end(&m);
    }
}

/* Blocks of six that are no bodies, and parts of bodies that only together with the next row's make six. */
TEST(test_rows_that_look_like_those_of_two_bodies)
{
    static const char *const rows[][4] = {
        {"0 1:0+3", "1:3+3", "0 1", "0 1"},   {"0:0+3 1", "0 1:0+5", "0:5+1 1", "0 1"},
        {"0 1", "0 1:0+3", "0:0+3 1", "0 1"}, {"0 2", "0 2", "2 3", "2 3"},
        {"0 1", "0 1", "1 2", "1 2"},         {"0:0+3 0:3+3", "0 1", "0:0+3", "1:3+3"},
        {"2 4", "0 4", "0 4", "0 4"},         {"0", "0 1", "0", "1"}};
    static made m;
    draw_seed(41);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        begin(&m, "bbfbI");
        for (size_t i = 0; i < 4; i++)
            row(&m, rows[k][i]);
        finish(&m);
        check_sweeps(m.p);
        end(&m);
    }
}

/* --- loads that follow each other --- */

/* Both give the same bytes, before and after a sweep. */
static void assert_same_sweeps(const dls_problem *p, dls_packed *packed, dls_packed *expected)
{
    double lambda[2][ROWS], v[2][VELOCITIES];
    for (int swept = 0; swept < 2; swept++) {
        dls_packed_read(packed, lambda[0]), dls_packed_read(expected, lambda[1]);
        dls_packed_velocity(packed, v[0]), dls_packed_velocity(expected, v[1]);
        assert_memory_equal(lambda[0], lambda[1], p->n * sizeof(double));
        assert_memory_equal(v[0], v[1], p->nv * sizeof(double));
        dls_packed_sweep(packed, DLS_FORWARD), dls_packed_sweep(expected, DLS_FORWARD);
    }
}

/* Loads the problem into work that has loaded another, and into new work. */
static void check_load(made *m, dls_packed *kept)
{
    dls_error error;
    dls_packed *fresh = create(NULL);
    finish(m);
    assert_status(dls_packed_load(kept, m->p, NULL, &error), &error);
    assert_status(dls_packed_load(fresh, m->p, NULL, &error), &error);
    assert_same_sweeps(m->p, kept, fresh);
    dls_packed_destroy(fresh);
}

TEST(test_loads_and_other_right_sides_of_random_problems)
{
    static made m;
    draw_seed(203);
    dls_packed *kept = create(NULL);
    for (size_t k = 0; k < 200; k++) {
        dls_error error;
        draw_problem(&m);
        finish(&m);
        if (can_be_moved(&m)) {
            dls_packed *refreshed = create(NULL);
            check_load(&m, kept);
            assert_status(dls_packed_load(refreshed, m.p, NULL, &error), &error);
            for (size_t i = 0; i < m.p->n; i++)
                m.p->c[i] = uniform(-1.0, 1.0);
            dls_packed_refresh(refreshed, m.p->c);
            assert_status(dls_packed_load(kept, m.p, NULL, &error), &error);
            assert_same_sweeps(m.p, refreshed, kept);
            dls_packed_destroy(refreshed);
        }
        end(&m);
    }
    dls_packed_destroy(kept);
}

/* Masses, rows and right sides change; impulses stay, and velocities too, to the bit where the block is as before. */
TEST(test_a_renewed_problem_keeps_impulses_and_velocities)
{
    static made m;
    draw_seed(7);
    for (size_t k = 0; k < 60; k++) {
        draw_problem(&m);
        finish(&m);
        if (can_be_moved(&m)) {
            double lambda[2][ROWS], v[2][VELOCITIES], given[VELOCITIES];
            bool changed[BLOCKS] = {false};
            dls_error error;
            dls_packed *packed = create(NULL);
            assert_status(dls_packed_load(packed, m.p, NULL, &error), &error);
            dls_packed_sweep(packed, DLS_FORWARD);
            dls_packed_read(packed, lambda[0]), dls_packed_velocity(packed, v[0]);
            for (size_t b = 0; b < m.n_blocks; b++) {
                changed[b] = below(2);
                if (changed[b] && m.block[b].kind == 'b')
                    m.block[b].body.inverse_mass *= 1.7, m.block[b].body.inverse_inertia.m[8] *= 1.3;
                for (size_t j = 0; changed[b] && m.block[b].m.length && j < LENGTH * LENGTH; j++)
                    m.block[b].m.W[j] *= 1.3;
            }
            for (size_t j = 0; j < m.p->nv; j++)
                given[j] = uniform(-1.0, 1.0);
            for (int again = 0; again < 2; again++) { /* with the velocities it has, then with others */
                finish(&m);
                assert_status(dls_packed_renew(packed, m.p, again ? given : NULL, &error), &error);
                dls_packed_read(packed, lambda[1]), dls_packed_velocity(packed, v[1]);
                assert_memory_equal(lambda[1], lambda[0], m.p->n * sizeof(double));
                for (size_t b = 0; b < m.n_blocks; b++)
                    for (size_t j = m.block[b].offset; j < m.block[b].offset + m.block[b].length; j++) {
                        assert_close(v[1][j], again ? given[j] : v[0][j], 1e-13);
                        assert_true(again || changed[b] || v[1][j] == v[0][j]);
                    }
            }
            dls_packed_destroy(packed);
        }
        end(&m);
    }
}

static void of_rows(made *m, const char *kinds, const char *const *rows, const size_t *parents)
{
    begin(m, kinds);
    for (size_t i = 0; rows[i]; i++) {
        row(m, rows[i]);
        if (parents && parents[i] != DLS_NONE)
            couple(m, i, parents[i]);
    }
}

/* Numbers alone change, or what a row acts on, its friction, or the length of a block. */
TEST(test_a_load_after_another_structure_is_that_of_new_work)
{
#define NO DLS_NONE
    static const struct {
        const char *kinds, *rows[2][6];
        size_t parents[2][6];
        const char *other_kinds;
    } cases[] = {
        {"bbb", {{"0 1", "1 2", "0"}, {"0 1", "1 2", "0"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL},
        {"bbb", {{"0 1", "1 2", "0"}, {"0 1", "0 2", "0"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL},
        {"bbb", {{"0 1", "1 2", "0"}, {"0 1", "1 2", "0:0+5"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL},
        {"bbb", {{"0 1", "1 2", "0"}, {"0 1", "1 2", "1"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL},
        {"bbb", {{"0 1", "0 1", "0"}, {"0 1", "0", "0"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL},
        {"bbb", {{"0 1", "0 1", "0"}, {"0 1", "0 1", "0"}}, {{NO, NO, NO}, {NO, 0, NO}}, NULL},
        {"bbb", {{"0 1", "0 1", "0"}, {"0 1", "0 1"}}, {{NO, NO, NO}, {NO, NO}}, NULL},
        {"bbb", {{"0 1", "0 1", "0"}, {"0 1", "0 1", "0", "2"}}, {{NO, NO, NO}, {NO, NO, NO, NO}}, NULL},
        {"bbf", {{"0 1", "2"}, {"0 1", "2"}}, {{NO, NO}, {NO, NO}}, "bfb"},
        {"bbI", {{"0 2", "2"}, {"0 2", "2"}}, {{NO, NO}, {NO, NO}}, "bbH"},
        {"IJ", {{"0", "1", "0 1"}, {"0", "1", "0 1"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL},
        {"IJ", {{"0", "1", "0 1"}, {"0", "0", "0 1"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL},
        {"IJ", {{"0:0+2", "1", "0 1"}, {"0:1+2", "1", "0 1"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL},
        {"IJ", {{"0", "1", "0 1"}, {"0", "0 1", "1"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL},
        {"IJ", {{"0", "1", "0 1"}, {"0", "1", "0 1"}}, {{NO, NO, NO}, {NO, NO, 0}}, NULL},
        {"IJ", {{"0", "1", "1"}, {"0", "1", "1"}}, {{NO, NO, 0}, {NO, NO, 1}}, NULL},
        {"IJ", {{"0:0+2", "1", "0"}, {"0:0+3", "1", "0"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL},
    };
#undef NO
    static made m[2];
    draw_seed(13);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        dls_packed *kept = create(NULL);
        for (int side = 0; side < 2; side++) {
            const char *rows[7] = {NULL}, *other = side ? cases[k].other_kinds : NULL;
            memcpy(rows, cases[k].rows[side], sizeof cases[k].rows[side]);
            of_rows(&m[side], other ? other : cases[k].kinds, rows, cases[k].parents[side]);
        }
        for (int turn = 0; turn < 5; turn++) /* the first, the other twice, the first twice */
            check_load(&m[turn == 1 || turn == 2], kept);
        dls_packed_destroy(kept);
        end(&m[0]), end(&m[1]);
    }
}

/* --- refusals --- */

/* Whichever row it is, in whatever lane: a sweep divides by a diagonal that is not too small, and only by that. */
TEST(test_the_row_that_no_sweep_can_divide_by_is_named)
{
    static const char *const rows[] = {"0 1", "0 1", "2 3", "2 3", "4 5", "4 5", "6 7", "6 7", "8",
                                       "8",   "8",   "8",   "8",   "8",   "8",   "9",   "10",  "9 10"};
    enum { COUNT = sizeof rows / sizeof rows[0] };
    static const struct {
        double factor;
        bool refused;
    } cases[] = {{0x1p-515, true}, {0x1p-505, false}, {0x1p505, false}, {0x1p515, true}};
    static made m;
    draw_seed(23);
    begin(&m, "bbbbbbbbbbI");
    for (size_t i = 0; i < COUNT; i++)
        row(&m, rows[i]);
    for (const dls_sweep_path *path = dls_sweep_paths; path->name; path++)
        for (size_t k = 0; k < 4 * COUNT && path->available(); k++) {
            const dls_rows *J = &m.p->J;
            const size_t i = k / 4;
            char expected[128];
            dls_error error;
            dls_packed *packed = create(path);
            for (int back = 0; back < 2; back++) {
                for (size_t j = J->coef_at[J->start[i]]; j < J->coef_at[J->start[i + 1]]; j++)
                    J->coef[j] *= back ? 1.0 / cases[k % 4].factor : cases[k % 4].factor;
                const dls_status status = dls_packed_load(packed, m.p, NULL, &error);
                finish(&m);
                if (back || !cases[k % 4].refused) {
                    assert_status(status, &error);
                    continue;
                }
                assert_int_equal(status, DLS_REFUSED);
                snprintf(expected, sizeof expected, "row %zu has the diagonal", i);
                if (strncmp(error.message, expected, strlen(expected)) != 0)
                    fail_msg("'%s' for row %zu", error.message, i);
                assert_non_null(strstr(error.message, ", which cannot be divided by"));
                assert_true((m.diagonal[i] < HUGE_VAL) == (cases[k % 4].factor < 1.0));
                if (m.diagonal[i] < HUGE_VAL) /* the figure of the message has six digits */
                    assert_close(strtod(error.message + strlen(expected), NULL) / m.diagonal[i], 1.0, 2e-5);
            }
            dls_packed_destroy(packed);
        }
    end(&m);
}

/* Positions have 32 bits, and each size a sixteenth of their range. The sizes are said, and nothing is as large. */
TEST(test_problems_that_are_too_large_are_refused)
{
    static made m;
    begin(&m, "b");
    row(&m, "");
    finish(&m);
    size_t *const sizes[] = {&m.p->n, &m.p->J.n_blocks, &m.p->nv};
    for (size_t k = 0; k < 3; k++) {
        const size_t kept = *sizes[k];
        dls_packed *packed = create(NULL);
        dls_error error;
        char expected[128];
        *sizes[k] = UINT32_MAX / 16;
        snprintf(expected, sizeof expected, "a problem of %zu rows is too large for sweeps", m.p->n);
        assert_int_equal(dls_packed_load(packed, m.p, NULL, &error), DLS_REFUSED);
        assert_string_equal(error.message, expected);
        *sizes[k] = kept;
        assert_status(dls_packed_load(packed, m.p, NULL, &error), &error);
        dls_packed_destroy(packed);
    }
    end(&m);
}
