/* Problem files: every bit comes back, and what is wrong is named with its line. */
#include "delassus/delassus.h"

#include "check.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NAME "test_problem_file.problem"

static void assert_reals(const double *a, const double *b, size_t count)
{
    if (count > 0)
        assert_memory_equal(a, b, count * sizeof *a);
}

static void assert_sizes(const size_t *a, const size_t *b, size_t count)
{
    if (count > 0)
        assert_memory_equal(a, b, count * sizeof *a);
}

static void assert_same(const dls_problem *a, const dls_problem *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->form, b->form);
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->nv, b->nv);
    assert_int_equal(a->n_coupled, b->n_coupled);
    assert_int_equal(a->J.n, b->J.n);
    assert_int_equal(a->J.n_columns, b->J.n_columns);
    assert_sizes(a->J.start, b->J.start, a->n + 1);
    size_t blocks = a->J.start[a->n];
    assert_sizes(a->J.offset, b->J.offset, blocks);
    assert_sizes(a->J.coef_at, b->J.coef_at, blocks + 1);
    assert_reals(a->J.coef, b->J.coef, a->J.coef_at[blocks]);
    assert_reals(&a->h, &b->h, 1);
    const double *const reals[][2] = {{a->gamma, b->gamma}, {a->c, b->c}, {a->lo, b->lo}, {a->hi, b->hi}, {a->C, b->C}, {a->mu, b->mu}};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        assert_reals(reals[i][0], reals[i][1], a->n);
    assert_reals(a->v_star, b->v_star, a->nv);
    assert_sizes(a->parent, b->parent, a->n);
    assert_sizes(a->owner, b->owner, a->n);
    for (size_t i = 0; i < a->n; i++)
        assert_string_equal(a->label[i], b->label[i]);
    assert_int_equal(a->mass.n_blocks, b->mass.n_blocks);
    for (size_t k = 0; k < a->mass.n_blocks; k++) {
        assert_int_equal(a->mass.blocks[k].offset, b->mass.blocks[k].offset);
        assert_int_equal(a->mass.blocks[k].length, b->mass.blocks[k].length);
        assert_ptr_equal(a->mass.blocks[k].kind, b->mass.blocks[k].kind);
        assert_memory_equal(a->mass.blocks[k].data, b->mass.blocks[k].data, sizeof(dls_mass_body));
    }
}

static void round_trip(const dls_problem *problem)
{
    dls_problem *back;
    dls_error error;
    assert_status(dls_problem_write(problem, NAME, &error), &error);
    assert_status(dls_problem_read(NAME, &back, &error), &error);
    assert_same(problem, back);
    dls_problem_destroy(back);
    unlink(NAME);
}

/* Two turning bodies on a ball joint and a contact row with its friction: every kind of number is there. */
static dls_problem *mechanical(void)
{
    static const char scene_text[] = "name: 'two \"quoted\" bodies'\n"
                                     "bodies:\n"
                                     "  - {name: a, shape: box, size: [1, 2.385, 0.3], mass: 3.7, omega: [0.3, -2, 5], orientation: [0.6, 0, 0.8, 0]}\n"
                                     "  - {name: b, shape: capsule, radius: 0.2, length: 1.1, density: 977, position: [1.3, 0, 0.1]}\n"
                                     "joints:\n"
                                     "  - {name: j, type: ball, body1: b, body2: a, anchor: [0.7, 0.1, 0], cfm: 1e-7, erp: 0.3, force_lo: -11.7}\n"
                                     "  - {name: k, type: ball, body1: a, anchor: [0, 0.1, 0]}\n";
    dls_scene *scene;
    dls_model *model;
    dls_problem *problem;
    dls_error error;
    assert_status(dls_scene_parse(scene_text, sizeof scene_text - 1, "scene", &scene, &error), &error);
    assert_status(dls_model_create(scene, &model, &error), &error);
    model->initial->x[0] = dls_v3(0.01, -1e-300, 1.0 / 3.0);
    assert_status(dls_problem_create(model, model->initial, NULL, 1.0 / 999.0, &problem, &error), &error);
    dls_model_destroy(model);
    dls_scene_destroy(scene);
    problem->parent[4] = 3;
    problem->mu[4] = 0.7;
    problem->lo[4] = problem->hi[4] = 0.0;
    problem->lo[3] = 0.0;
    problem->n_coupled = 1;
    return problem;
}

static void test_mechanical_form_comes_back(void **unused)
{
    (void)unused;
    dls_problem *problem = mechanical();
    round_trip(problem);
    dls_problem_destroy(problem);
}

static void test_matrix_form_comes_back(void **unused)
{
    (void)unused;
    enum { N = 7 };
    double A[N * N], b[N], lo[N], hi[N];
    unsigned seed = 12345;
    for (size_t k = 0; k < N * N; k++) {
        seed = 1664525u * seed + 1013904223u;
        A[k] = k % 3 == 0 ? 0.0 : ((double)seed / 4294967296.0 - 0.5) * pow(10.0, (double)(k % 40) - 20.0);
    }
    for (size_t i = 0; i < N; i++) {
        b[i] = i == 2 ? 4.9406564584124654e-324 : i == 3 ? -1.7976931348623157e308 : 1.0 / (double)(i + 3);
        lo[i] = i == 1 ? -HUGE_VAL : -0.1 * (double)i;
        hi[i] = i == 5 ? 1e-3 : HUGE_VAL;
    }
    dls_problem *problem;
    dls_error error;
    assert_status(dls_problem_from_matrix(N, A, b, lo, hi, &problem, &error), &error);
    round_trip(problem);
    dls_problem_destroy(problem);
    assert_status(dls_problem_from_matrix(0, A, b, NULL, NULL, &problem, &error), &error);
    round_trip(problem);
    dls_problem_destroy(problem);
}

static void test_what_cannot_be_written(void **unused)
{
    (void)unused;
    dls_problem *problem = mechanical();
    dls_error error;
    assert_int_equal(dls_problem_write(problem, ".", &error), DLS_IO);
    problem->label[2] = "two\nlines";
    assert_int_equal(dls_problem_write(problem, NAME, &error), DLS_BAD_ARGUMENT);
    problem->label[2] = "x";
    problem->c[0] = NAN;
    assert_int_equal(dls_problem_write(problem, NAME, &error), DLS_NOT_FINITE);
    assert_int_equal(access(NAME, F_OK), -1);
    dls_problem_destroy(problem);
}

/* --- wrong files --------------------------------------------------------------------------------------------------- */

#define HEAD "delassus-problem 1\nname \"p\"\nform matrix\nstep 1\nmasses 0\nrows 2\nblocks 2\ncoefficients 4\n"
#define ROW1 "row 0 5 0 inf 0 0 - - 1 \"first\"\nblock 0 2 2 1\n"
#define ROW2 "row 0 6 0 inf 0 0 - - 1 \"second\"\nblock 0 2 1 2\n"
#define MECHANICAL "delassus-problem 1\nname \"p\"\nform mechanical\nstep 0.1\nmasses 1\nrows 0\nblocks 0\ncoefficients 0\n"
#define BODY "mass body 2 0.5 1 0 0 0 2 0 0 0 4 1 0 0 0 0.5 0 0 0 0.25\n"
#define V6 "velocity 0\nvelocity 1\nvelocity 2\nvelocity 3\nvelocity 4\nvelocity 5\n"

static void test_small_files(void **unused)
{
    (void)unused;
    static const char *const good[] = {HEAD ROW1 ROW2 "end\n", HEAD "# a comment\n\n" ROW1 ROW2 "end", MECHANICAL BODY V6 "end\n"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        dls_problem *problem;
        dls_error error;
        assert_status(dls_problem_parse(good[i], strlen(good[i]), "good", &problem, &error), &error);
        dls_problem_destroy(problem);
    }
}

static void test_wrong_files(void **unused)
{
    (void)unused;
    static const struct { const char *text; long line; const char *key, *word; } cases[] = {
        {"", 0, "", "empty"},
        {"delassus-problem 2\n", 1, "version", "version 1"},
        {"delassus-problem", 1, "version", "missing"},
        {"hello\n", 1, "", "expected 'delassus-problem'"},
        {"delassus-problem 1\nname p\n", 2, "name", "quotes"},
        {"delassus-problem 1\nname \"p\"\nform dense\n", 3, "form", "neither"},
        {"delassus-problem 1\nname \"p\"\nform matrix\nstep nan\n", 4, "step", "finite"},
        {"delassus-problem 1\nname \"p\"\nform matrix\nstep 1\nmasses 0\nrows 1000000000\n", 6, "rows", "more than"},
        {"delassus-problem 1\nname \"p\"\nform matrix\nstep 1\nmasses 0\nrows -1\n", 6, "rows", "whole number"},
        {"delassus-problem 1\nname \"p\"\nform matrix\nstep 2\nmasses 0\nrows 0\nblocks 0\ncoefficients 0\nend", 8, "form", "step 1"},
        {"delassus-problem 1\nname \"p\"\nform mechanical\nstep -1\nmasses 0\nrows 0\nblocks 0\ncoefficients 0\nend", 0, "", "positive"},
        {HEAD "row 0 5 0 inf 0 0 - - 1 first\n", 9, "label", "quotes"},
        {HEAD "row 0 nan 0 inf 0 0 - - 1 \"first\"\n", 9, "c", "finite"},
        {HEAD "row 0 inf 0 inf 0 0 - - 1 \"first\"\n", 9, "c", "finite"},
        {HEAD "row 0 1 3 2 0 0 - - 1 \"first\"\n", 9, "hi", "lo <= hi"},
        {HEAD "row 0 1 0 inf 0 0 - - 3 \"first\"\n", 9, "blocks", "more than"},
        {HEAD "row 0 1 0 inf\n", 9, "C", "line ends"},
        {HEAD "row 0 5 0 inf 0 0 - - 1 \"first\"\nblock 0 3 1 2 3\n", 10, "length", "more than"},
        {HEAD "row 0 5 0 inf 0 0 - - 1 \"first\"\nblock 3 0\n", 10, "column", "more than"},
        {HEAD "row 0 5 0 inf 0 0 - - 2 \"first\"\nblock 1 1 5\nblock 0 1 2\n", 11, "column", "order"},
        {HEAD "row 0 5 0 inf 0 0 - - 1 \"first\"\nblock 0 2 1\n", 10, "coefficient", "missing"},
        {HEAD "row 0 5 0 inf 0 0 - - 1 \"first\"\nblock 0 2 1 2 3\n", 10, "", "behind"},
        {HEAD ROW1 "row 0 6 0 inf 0 0 - - 0 \"second\"\nend\n", 12, "", "header says"},
        {HEAD ROW1 ROW2, 13, "end", "missing"},
        {HEAD ROW1 ROW2 "end\nmore\n", 14, "", "behind"},
        {HEAD ROW1 "row 0 6 0 0 0 0.5 1 - 1 \"second\"\nblock 0 2 1 2\nend\n", 0, "", "parent"},
        {HEAD ROW1 "row 0 6 0 0 0 0.5 7 - 1 \"second\"\nblock 0 2 1 2\nend\n", 11, "parent", "more than"},
        {MECHANICAL "mass tree 2 0.5\n", 9, "", "expected 'body'"},
        {MECHANICAL "mass body -2 -0.5\n", 9, "mass", "positive"},
        {MECHANICAL "mass body 2 0.6\n", 9, "mass", "inverse"},
        {MECHANICAL "mass body 2 0.5 1 0 0 0 2 0 0 0 4 1 0 0 0 0.5 0 0 0 0.3\n", 9, "inertia", "inverse"},
        {MECHANICAL BODY "velocity 0\nend\n", 11, "", "expected 'velocity'"},
        {HEAD "row 0 5 0 inf 0 0 - - 1 \"\xff\"\n", 9, "", "UTF-8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dls_problem *problem;
        dls_error error;
        char shown[2048];
        dls_status status = dls_problem_parse(cases[i].text, strlen(cases[i].text), "wrong", &problem, &error);
        dls_error_format(&error, shown, sizeof shown);
        bool as_expected = status != DLS_OK && problem == NULL && strcmp(error.file, "wrong") == 0 && error.line == cases[i].line &&
                           strcmp(error.key, cases[i].key) == 0 && strstr(error.message, cases[i].word);
        if (!as_expected)
            fail_msg("case %zu: %s; expected line %ld, key '%s', '%s'", i, shown, cases[i].line, cases[i].key, cases[i].word);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mechanical_form_comes_back),
        cmocka_unit_test(test_matrix_form_comes_back),
        cmocka_unit_test(test_what_cannot_be_written),
        cmocka_unit_test(test_small_files),
        cmocka_unit_test(test_wrong_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
