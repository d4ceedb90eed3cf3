/* Problems swept beside each other, one in each lane: which of them are, what is read into the lanes, and that every
 * lane gives the bytes of its problem alone, on every compiled path. */
#include "delassus/delassus.h"
#include "delassus/solvers.h"

#include "packed_problems.h"
#include "solvers/together.h"

#include <string.h>

enum { L = DLS_TOGETHER, N = 44 };

/* --- problems --- */

/* A matrix whose row i has `1 + i % 21` entries, the same for every seed; one entry in five is 0 in the lanes of which
 * `zero` has a bit. `twist`: another row has one entry more. */
static dls_problem *of_matrix(size_t n, unsigned long long seed, bool zero, bool twist)
{
    static double A[N * N];
    double b[N] = {0.0}, lo[N] = {0.0}, hi[N] = {0.0};
    dls_problem *p;
    dls_error error;
    memset(A, 0, sizeof A);
    state = 5;
    for (size_t i = 0; i < n; i++) {
        A[i + n * i] = 1.0;
        for (size_t count = 1; count < 1 + i % 21;) {
            double *entry = &A[i + n * below(n)];
            count += *entry == 0.0;
            *entry = 1.0;
        }
    }
    for (size_t k = 0; k < n && twist; k++) /* of the last row, before which all is as it was */
        A[n - 1 + n * k] = k < n / 2;
    for (size_t i = 0; i < n; i++)
        A[i + n * i] = 1.0, lo[i] = i % 3 ? -HUGE_VAL : 0.0, hi[i] = i % 4 == 2 ? 0.3 : HUGE_VAL;
    assert_status(dls_problem_from_matrix(n, A, b, lo, hi, &p, &error), &error);
    state = seed;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
            for (size_t j = 0; j < p->J.coef_at[k + 1] - p->J.coef_at[k]; j++) {
                const bool diagonal = p->J.offset[k] + j == i, gone = !diagonal && zero && (i + j + k) % 5 == 0;
                p->J.coef[p->J.coef_at[k] + j] = diagonal ? 2.0 + draw() : gone ? 0.0 : 0.2 * draw();
            }
        p->c[i] = draw(), p->gamma[i] = i % 5 == 1 ? 0.3 + 0.2 * draw() : 0.0;
        if (i % 7 > 4) { /* friction behind its normal row, and in front of one */
            const size_t parent = i % 7 == 5 ? i - 1 : i + 1 < n && (i + 1) % 7 < 5 ? i + 1 : i - 2;
            p->parent[i] = parent, p->law[i] = DLS_LAW_BOX, p->mu[i] = 0.5 + 0.2 * draw();
            p->lo[i] = p->hi[i] = 0.0, p->n_coupled++;
        }
    }
    assert_status(dls_problem_check(p, &error), &error);
    return p;
}

static dls_packed *packed_of(const dls_problem *p, const dls_sweep_path *path, const double *lambda0)
{
    dls_packed *packed;
    dls_error error;
    assert_status(dls_packed_create(OMEGA, &packed, &error), &error);
    packed->path = path ? path : packed->path;
    assert_status(dls_packed_load(packed, p, lambda0, &error), &error);
    return packed;
}

static void sweep_together(dls_packed *const *works, size_t count, size_t iterations, bool symmetric, bool *done)
{
    dls_together together = {0};
    dls_together_sweep(&together, works, count, iterations, symmetric, done);
    dls_together_release(&together);
}

/* Sweeps works of these problems together, and each alone. */
static void compare(dls_problem *const *p, size_t count, size_t iterations, bool symmetric, const bool *expected)
{
    double lambda0[N];
    for (const dls_sweep_path *path = dls_sweep_paths; path->name; path++) {
        dls_packed *works[L], *alone[L];
        bool done[L] = {false};
        if (!path->available())
            continue;
        state = 77;
        for (size_t k = 0; k < count; k++) {
            for (size_t i = 0; i < p[k]->n; i++)
                lambda0[i] = 0.3 * draw();
            works[k] = packed_of(p[k], path, lambda0), alone[k] = packed_of(p[k], path, lambda0);
        }
        sweep_together(works, count, iterations, symmetric, done);
        for (size_t k = 0; k < count; k++) {
            const dls_packed *packed = works[k];
            assert_int_equal(done[k], expected ? expected[k] : count > 1);
            for (size_t t = 0; t < iterations && done[k]; t++) {
                dls_packed_sweep(alone[k], DLS_FORWARD);
                if (symmetric)
                    dls_packed_sweep(alone[k], DLS_BACKWARD);
            }
            assert_memory_equal(packed->lambda.at, alone[k]->lambda.at, packed->n_lambda * sizeof(double));
            assert_memory_equal(packed->y.at, alone[k]->y.at, (packed->n_y + 16) * sizeof(double));
        }
        for (size_t k = 0; k < count; k++)
            dls_packed_destroy(works[k]), dls_packed_destroy(alone[k]);
    }
}

/* --- every lane --- */

static void test_every_lane_gives_the_bytes_of_its_problem_alone(void **unused)
{
    static const size_t sizes[] = {1, 2, 3, 7, 21, N};
    (void)unused;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        dls_problem *p[L];
        for (size_t lane = 0; lane < L; lane++)
            p[lane] = of_matrix(sizes[k], 101 + lane, lane != 2, false);
        for (size_t count = 1; count <= L; count++)
            for (int symmetric = 0; symmetric < 2; symmetric++)
                compare(p, count, 3, symmetric, NULL);
        for (size_t lane = 0; lane < L; lane++)
            dls_problem_destroy(p[lane]);
    }
}

/* Rows of an articulation, of which some share what they move. */
static void test_rows_that_share_a_response(void **unused)
{
    static const char *const rows[] = {"0:1=1",  "0:1=-1",      "0:2=1", "0 1",   "0:1=1", "1:0=2",
                                       "1:0=-2", "0:0+2 0:9+3", "1",     "0:3=1", "",      "0:2=-1"};
    (void)unused;
    static made m[L];
    dls_problem *p[L];
    for (size_t lane = 0; lane < L; lane++) {
        state = 31 + lane;
        begin(&m[lane], "LI");
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            row(&m[lane], rows[i]);
        p[lane] = m[lane].p;
        p[lane]->hi[2] = 0.1, p[lane]->lo[3] = 0.0, p[lane]->gamma[4] = 0.2 + 0.1 * draw(), p[lane]->gamma[10] = 0.1;
        couple(&m[lane], 8, 3), couple(&m[lane], 0, 3);
        finish(&m[lane]);
    }
    for (size_t count = 2; count <= L; count++)
        compare(p, count, 4, count % 2, NULL);
    for (size_t lane = 0; lane < L; lane++)
        end(&m[lane]);
}

/* --- classes --- */

/* Those of one structure go together, wherever they stand among the others; one of its kind goes alone. */
static void test_problems_of_one_structure_go_together(void **unused)
{
    (void)unused;
    static made bodies;
    state = 3;
    begin(&bodies, "bb");
    row(&bodies, "0 1");
    finish(&bodies);
    dls_problem *const a[] = {of_matrix(9, 1, true, false), of_matrix(9, 2, true, false), of_matrix(9, 3, true, false)},
                       *const b[] = {of_matrix(9, 4, true, true), of_matrix(9, 5, true, true)},
                       *const c[] = {of_matrix(8, 6, true, false), of_matrix(8, 7, true, false)};
    for (size_t k = 0; k < 2; k++) { /* the diagonal of a row that nothing moves; it has entries no more */
        const size_t at = c[k]->J.start[0];
        memset(&c[k]->J.coef[c[k]->J.coef_at[at]], 0,
               (c[k]->J.coef_at[c[k]->J.start[1]] - c[k]->J.coef_at[at]) * sizeof(double));
        c[k]->gamma[0] = 0.0;
    }
    dls_problem *const mixed[] = {a[0], b[0], c[0], a[1], b[1], bodies.p, a[2], c[1]};
    static const bool all_but_bodies[] = {true, true, true, true, true, false, true, true};
    compare(mixed, 8, 3, true, all_but_bodies);
    dls_problem *const odd[] = {b[0], a[0], c[1], a[2], bodies.p, bodies.p};
    static const bool two[] = {false, true, false, true, false, false};
    compare(odd, 6, 2, false, two);
    for (size_t k = 0; k < 3; k++)
        dls_problem_destroy(a[k]);
    for (size_t k = 0; k < 2; k++)
        dls_problem_destroy(b[k]), dls_problem_destroy(c[k]);
    end(&bodies);
}

static bool go_together(dls_packed *a, dls_packed *b)
{
    dls_packed *works[2] = {a, b};
    bool done[2] = {false};
    sweep_together(works, 2, 0, false, done);
    assert_true(done[0] == done[1]);
    return done[0];
}

/* Each number that the structure is made of, in every row. */
static void test_every_number_of_a_structure_counts(void **unused)
{
    (void)unused;
    dls_problem *p[2] = {of_matrix(9, 1, false, false), of_matrix(9, 2, false, false)};
    dls_packed *a = packed_of(p[0], NULL, NULL), *b = packed_of(p[1], NULL, NULL);
    assert_true(go_together(a, b) && go_together(b, a));
    size_t *const counts[] = {&b->n, &b->n_lambda, &b->n_y, &b->n_segments};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        (*counts[k])--;
        assert_false(go_together(a, b));
        (*counts[k])++;
    }
    b->n_general--, b->n_batches--;
    assert_false(go_together(a, b));
    b->n_general++;
    assert_false(go_together(a, b));
    b->n_batches++, b->omega = 1.2;
    assert_false(go_together(a, b));
    b->omega = OMEGA;
    for (size_t k = 0; k < b->n_general; k++) {
        dls_general_row *row = &b->general[k];
        size_t *const numbers[] = {&row->lambda, &row->parent, &row->J,          &row->n_J,
                                   &row->B,      &row->n_B,    &b->batches[k].at};
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            const size_t kept = *numbers[i];
            *numbers[i] = kept == 0 ? 1 : kept == DLS_NONE ? 0 : kept - 1;
            assert_false(go_together(a, b));
            *numbers[i] = kept;
        }
    }
    for (size_t k = 0; k < b->n_segments; k++) {
        b->segments[k].y ^= 4u;
        assert_false(go_together(a, b));
        b->segments[k].y ^= 4u, b->segments[k].vectors++;
        assert_false(go_together(a, b));
        b->segments[k].vectors--, b->segments[k].coef += 4;
        assert_false(go_together(a, b));
        b->segments[k].coef -= 4;
    }
    assert_true(go_together(a, b));
    dls_packed_destroy(a), dls_packed_destroy(b);
    for (size_t k = 0; k < 2; k++)
        dls_problem_destroy(p[k]);
}

static void test_no_rows_go_alone(void **unused)
{
    (void)unused;
    static made m;
    begin(&m, "I");
    finish(&m);
    dls_packed *a = packed_of(m.p, NULL, NULL), *b = packed_of(m.p, NULL, NULL);
    assert_false(go_together(a, b));
    dls_packed_destroy(a), dls_packed_destroy(b);
    end(&m);
}

/* --- what is in the lanes --- */

static void check_row(const dls_together *t, dls_packed *const *p, size_t count, size_t k, size_t *entry, bool *filled)
{
    const size_t at = p[0]->batches[k].at;
    const dls_general_row *g = &p[0]->general[at];
    const dls_together_row *row = &t->rows[k];
    const double *head = t->coef.at + row->coef, *J = head + L * DLS_TOGETHER_HEAD;
    assert_int_equal(row->lambda, g->lambda);
    assert_true(row->parent == (g->parent == DLS_NONE ? DLS_NO_UNIT : (uint32_t)g->parent));
    assert_true(row->run == g->B && row->n_runs == g->n_B && row->entry == *entry);
    for (size_t lane = 0; lane < L; lane++) {
        const dls_general_row *own = &p[lane < count ? lane : 0]->general[at];
        const double numbers[DLS_TOGETHER_HEAD] = {
            [DLS_TOGETHER_S] = own->s,   [DLS_TOGETHER_C] = own->c,   [DLS_TOGETHER_GAMMA] = own->gamma,
            [DLS_TOGETHER_LO] = own->lo, [DLS_TOGETHER_HI] = own->hi, [DLS_TOGETHER_MU] = own->mu};
        for (size_t i = 0; i < DLS_TOGETHER_HEAD; i++)
            assert_true(head[L * i + lane] == numbers[i]);
    }
    for (const dls_segment *s = p[0]->segments + g->J; s < p[0]->segments + g->J + g->n_J; s++)
        for (size_t i = 0; i < 4 * (size_t)s->vectors; i++) {
            bool any = false;
            for (size_t lane = 0; lane < count; lane++)
                any = any || p[lane]->general_coef.at[s->coef + i] != 0.0;
            if (!any)
                continue;
            assert_int_equal(t->entries[*entry].y, s->y + i);
            assert_int_equal(t->entries[*entry].sum, i % 8); /* two vectors of four in turn */
            for (size_t lane = 0; lane < L; lane++, J++)
                assert_true(*J == p[lane < count ? lane : 0]->general_coef.at[s->coef + i]);
            ++*entry;
        }
    assert_int_equal(row->n_entries, *entry - row->entry);
    for (size_t s = g->B; s < g->B + g->n_B; s++) {
        const dls_segment *of = &p[0]->segments[s];
        assert_true(t->runs[s].y == of->y && t->runs[s].length == 4 * of->vectors);
        if (!filled[s]) /* rows that share a run share its numbers, which stand with the first of them */
            assert_int_equal(t->runs[s].coef, J - t->coef.at);
        for (size_t i = 0; i < t->runs[s].length; i++)
            for (size_t lane = 0; lane < L; lane++)
                assert_true(t->coef.at[t->runs[s].coef + L * i + lane] ==
                            p[lane < count ? lane : 0]->general_coef.at[of->coef + i]);
        J += filled[s] ? 0 : L * t->runs[s].length;
        filled[s] = true;
    }
    if (k + 1 < t->n_rows)
        assert_int_equal(t->rows[k + 1].coef, J - t->coef.at);
}

static void check_lanes(dls_problem *const *problems, size_t count)
{
    dls_packed *p[L];
    dls_together together = {0};
    const dls_together *t = &together;
    bool done[L] = {false}, filled[512] = {false};
    size_t entry = 0;
    for (size_t k = 0; k < count; k++)
        p[k] = packed_of(problems[k], NULL, NULL);
    dls_together_sweep(&together, p, count, 0, false, done);
    assert_true(p[0]->n_segments <= 512);
    assert_int_equal(t->n_rows, p[0]->n_general);
    for (size_t k = 0; k < t->n_rows; k++)
        check_row(t, p, count, k, &entry, filled);
    for (size_t s = 0; s < p[0]->n_segments; s++)
        assert_true(filled[s] || t->runs[s].length == 0);
    for (size_t lane = 0; lane < L; lane++) {
        const dls_packed *own = p[lane < count ? lane : 0];
        for (size_t k = 0; k < own->n_y; k++)
            assert_true(t->y.at[L * k + lane] == own->y.at[k]);
        for (size_t k = 0; k < own->n_lambda; k++)
            assert_true(t->lambda.at[L * k + lane] == own->lambda.at[k]);
    }
    for (size_t k = 0; k < count; k++) {
        assert_true(done[k]);
        dls_packed_destroy(p[k]);
    }
    dls_together_release(&together);
}

static void test_what_is_read_into_the_lanes(void **unused)
{
    static const char *const rows[] = {"0:1=1", "0:1=-1", "0:1=1", "0 1", "1:3+4", "0:0+1 0:11+1", "0:1=-1", "1:0=1"};
    (void)unused;
    static made m[L];
    dls_problem *matrices[L], *mechanical[L];
    for (size_t lane = 0; lane < L; lane++) {
        matrices[lane] = of_matrix(24, 11 + lane, lane != 3, false);
        state = 51 + lane;
        begin(&m[lane], "LI");
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            row(&m[lane], rows[i]);
        finish(&m[lane]);
        mechanical[lane] = m[lane].p;
    }
    for (size_t count = 2; count <= L; count++)
        check_lanes(matrices, count), check_lanes(mechanical, count);
    for (size_t lane = 0; lane < L; lane++)
        dls_problem_destroy(matrices[lane]), end(&m[lane]);
}

/* A lane that ends with a number that is not finite, wherever, is left as it was, and only that. */
static void test_a_lane_that_is_not_finite_is_left_as_it_was(void **unused)
{
    (void)unused;
    dls_problem *p[L];
    dls_packed *packed[L];
    for (size_t k = 0; k < L; k++)
        p[k] = of_matrix(9, 1 + k, true, false), packed[k] = packed_of(p[k], NULL, NULL);
    for (size_t at = 0; at < packed[0]->n_y + packed[0]->n_lambda; at++)
        for (size_t bad = 0; bad < L; bad += 3) {
            const bool of_y = at < packed[bad]->n_y;
            double *number = of_y ? &packed[bad]->y.at[at] : &packed[bad]->lambda.at[at - packed[bad]->n_y];
            const double kept = *number;
            bool done[L] = {false};
            *number = at % 2 ? HUGE_VAL : NAN;
            sweep_together(packed, L, 0, false, done);
            for (size_t k = 0; k < L; k++)
                assert_int_equal(done[k], k != bad);
            *number = kept;
        }
    for (size_t k = 0; k < L; k++)
        dls_packed_destroy(packed[k]), dls_problem_destroy(p[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_lane_gives_the_bytes_of_its_problem_alone),
        cmocka_unit_test(test_rows_that_share_a_response),
        cmocka_unit_test(test_problems_of_one_structure_go_together),
        cmocka_unit_test(test_every_number_of_a_structure_counts),
        cmocka_unit_test(test_no_rows_go_alone),
        cmocka_unit_test(test_what_is_read_into_the_lanes),
        cmocka_unit_test(test_a_lane_that_is_not_finite_is_left_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
