/* Coloured sweeps: groups of one colour move no body in common, the iterates are those of projected Gauss-Seidel over
 * the rows in the order of their colours, and the number of threads changes no byte. */
#include "check.h"
#include "problems.h"

#include "delassus/reference.h"
#include "delassus/solvers.h"

#include "bench/scenes.h"
#include "packed_problems.h"
#include "solvers/packed.h"

#include <string.h>

static dls_packed *coloured(const dls_problem *p, size_t threads)
{
    dls_packed *packed;
    dls_error error;
    assert_status(dls_packed_create(1.0, &packed, &error), &error);
    packed->threads = threads;
    assert_status(dls_packed_load(packed, p, NULL, &error), &error);
    return packed;
}

/* Random rows on blocks of every kind, without friction. */
static void draw_rows_alone(made *m, uint64_t seed)
{
    draw_seed(seed);
    draw_problem(m);
    for (size_t i = 0; i < m->p->n; i++)
        if (m->p->parent[i] != DLS_NONE)
            m->p->parent[i] = DLS_NONE, m->p->law[i] = DLS_LAW_FIXED, m->p->mu[i] = 0.0, m->p->hi[i] = 0.2;
    m->p->n_coupled = 0;
    finish(m);
}

TEST(test_colours_share_no_body)
{
    static made m;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        size_t units = 0;
        draw_seed(seed);
        draw_problem(&m);
        finish(&m);
        dls_packed *packed = coloured(m.p, 3);
        for (size_t c = 0; c < packed->n_colours; c++) {
            bool moved[BLOCKS] = {false};
            for (size_t b = packed->part[3 * c]; b < packed->part[3 * c + 3]; b++)
                for (size_t lane = 0; lane < DLS_LANES && packed->batches[b].unit[lane] != DLS_NO_UNIT; lane++) {
                    const dls_row_unit *unit = &packed->units[packed->batches[b].unit[lane]];
                    bool own[BLOCKS] = {false}; /* a friction row names the bodies of its normal row again */
                    for (size_t e = unit[0].entry; e < unit[1].entry; e++)
                        own[packed->entries[e]] = true;
                    for (size_t k = 0; k < m.n_blocks; k++) {
                        assert_false(own[k] && moved[k]);
                        moved[k] = moved[k] || own[k];
                    }
                    units++;
                    if (packed->batches[b].kind == DLS_BATCH_ROW)
                        break; /* the other lanes of a general row have no meaning */
                }
        }
        assert_int_equal(units, packed->n_units);
        dls_packed_destroy(packed);
        end(&m);
    }
}

/* The rows in the order in which they are swept, dead ones last. */
static void order_of(const dls_packed *packed, size_t *order)
{
    size_t count = 0;
    bool *swept = test_calloc(packed->n + 1, sizeof *swept);
    for (size_t b = 0; b < packed->n_batches; b++)
        for (size_t lane = 0; lane < DLS_LANES && packed->batches[b].unit[lane] != DLS_NO_UNIT; lane++) {
            const dls_row_unit *unit = &packed->units[packed->batches[b].unit[lane]];
            for (size_t r = 0; r < unit->rows; r++)
                order[count++] = unit->first + r, swept[unit->first + r] = true;
            if (packed->batches[b].kind == DLS_BATCH_ROW)
                break;
        }
    for (size_t i = 0; i < packed->n; i++)
        if (!swept[i])
            order[count++] = i;
    assert_int_equal(count, packed->n);
    test_free(swept);
}

static dls_problem *reordered_by_colours(const dls_problem *p, size_t *order)
{
    dls_packed *packed = coloured(p, 2);
    dls_problem *reordered;
    dls_error error;
    order_of(packed, order);
    assert_status(dls_problem_reorder(p, order, &reordered, &error), &error);
    dls_packed_destroy(packed);
    return reordered;
}

static void solve(const char *name, const char *threads, const dls_problem *p, size_t iterations, double *lambda)
{
    const dls_solver *solver = dls_iterative_find(name);
    dls_settings settings;
    dls_report report = {0};
    dls_error error;
    assert_status(dls_settings_create(&solver->fields, &settings, &error), &error);
    if (threads)
        assert_status(dls_settings_set(&settings, "threads", threads, &error), &error);
    assert_status(dls_solve(solver, p, settings.values, iterations, lambda, &report, NULL, NULL, &error), &error);
    dls_report_release(&report);
    dls_settings_release(&settings);
}

/* The sums are those of the other sweep, but for the lanes in which they are formed. */
static void check_order(const dls_problem *p)
{
    const size_t n = p->n;
    double *x = test_calloc(n + 1, sizeof *x), *y = test_calloc(n + 1, sizeof *y), *z = test_calloc(n + 1, sizeof *z);
    double largest = 0.0;
    size_t *order = test_calloc(n + 1, sizeof *order);
    dls_problem *reordered = reordered_by_colours(p, order);
    solve("coloured-pgs", "2", p, 10, x);
    solve("pgs", NULL, reordered, 10, y);
    dls_order_undo(n, order, y, z);
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(z[i]));
    for (size_t i = 0; i < n; i++)
        assert_close(x[i], z[i], 1e-11 * largest);
    dls_packed *packed = coloured(p, 2);
    for (int k = 0; k < 5; k++)
        dls_packed_sweep(packed, DLS_FORWARD), dls_packed_sweep(packed, DLS_BACKWARD);
    dls_packed_read(packed, x);
    memset(y, 0, n * sizeof *y);
    solve("symmetric-pgs", NULL, reordered, 5, y);
    dls_order_undo(n, order, y, z);
    for (size_t i = 0; i < n; i++)
        assert_close(x[i], z[i], 1e-11 * largest);
    dls_packed_destroy(packed);
    dls_problem_destroy(reordered);
    test_free(x), test_free(y), test_free(z), test_free(order);
}

static dls_problem *pile(size_t layers)
{
    bench_scene *scene;
    dls_error error;
    assert_status(bench_contacts(layers, 0.5, &scene, &error), &error);
    dls_problem *p = problem_from_state(scene->model, dls_model_initial(scene->model), &scene->contacts, scene->h);
    bench_scene_destroy(scene);
    return p;
}

TEST(test_sweeps_in_the_order_of_colours)
{
    static made m;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        draw_rows_alone(&m, seed);
        check_order(m.p);
        end(&m);
    }
    dls_problem *p = pile(8); /* with friction */
    check_order(p);
    dls_problem_destroy(p);
}

/* A star: one body with more neighbours than a mask has bits. */
TEST(test_many_colours)
{
    static made m;
    draw_seed(3);
    begin(&m, "bbb");
    for (size_t i = 0; i < 40; i++)
        row(&m, i % 2 ? "0 1" : "0 2");
    finish(&m);
    dls_packed *packed = coloured(m.p, 2);
    assert_int_equal(packed->n_colours, 40);
    dls_packed_destroy(packed);
    check_order(m.p);
    end(&m);
}

/* The rate of the reordered problem is that of coloured sweeps: the change per sweep, after the other modes have died
 * out. */
TEST(test_rate_is_that_of_the_reordered_problem)
{
    bench_scene *scene;
    dls_rate rate;
    dls_error error;
    assert_status(bench_grid(3, 4, &scene, &error), &error);
    dls_problem *p = problem_from_state(scene->model, dls_model_initial(scene->model), NULL, scene->h);
    const size_t n = p->n;
    double *x = test_calloc(n, sizeof *x), *zero = test_calloc(n, sizeof *zero), changes[2] = {0.0};
    size_t *order = test_calloc(n, sizeof *order);
    dls_problem *reordered = reordered_by_colours(p, order);
    const dls_splitting forward = {DLS_SPLITTING_FORWARD, 1.0};
    assert_status(dls_rate_predict(reordered, zero, zero, forward, &rate, &error), &error);
    dls_packed *packed = coloured(p, 2);
    double *before = test_calloc(n, sizeof *before);
    for (int k = 0; k < 402; k++) {
        dls_packed_read(packed, before);
        dls_packed_sweep(packed, DLS_FORWARD);
        dls_packed_read(packed, x);
        changes[0] = changes[1], changes[1] = 0.0;
        for (size_t i = 0; i < n; i++)
            changes[1] += (x[i] - before[i]) * (x[i] - before[i]);
    }
    assert_close(sqrt(changes[1] / changes[0]), rate.excited_radius, 1e-3);
    dls_packed_destroy(packed);
    dls_problem_destroy(reordered), dls_problem_destroy(p);
    bench_scene_destroy(scene);
    test_free(x), test_free(zero), test_free(before), test_free(order);
}

TEST(test_threads_change_no_byte)
{
    static const char *const threads[] = {"1", "2", "3", "7", "0"};
    dls_problem *p = pile(17); /* enough rows for threads */
    double *x = test_calloc(p->n, sizeof *x), *y = test_calloc(p->n, sizeof *y);
    solve("coloured-pgs", threads[0], p, 8, x);
    for (size_t k = 1; k < sizeof threads / sizeof *threads; k++) {
        memset(y, 0, p->n * sizeof *y);
        solve("coloured-pgs", threads[k], p, 8, y);
        assert_memory_equal(x, y, p->n * sizeof *x);
    }
    dls_problem_destroy(p);
    test_free(x), test_free(y);
}
