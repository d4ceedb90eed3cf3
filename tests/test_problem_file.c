/* Problem files: every bit comes back, and what is wrong is named with its line. */
#include "delassus/delassus.h"

#include "check.h"
#include "problem/problem_store.h"
#include "problems.h"

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

static void assert_dense(const dls_mass_dense *a, const dls_mass_dense *b)
{
    assert_int_equal(a->n, b->n);
    assert_reals(a->M, b->M, a->n * a->n);
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
    const double *const reals[][2] = {
        {a->gamma, b->gamma}, {a->c, b->c}, {a->lo, b->lo}, {a->hi, b->hi}, {a->mu, b->mu}};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        assert_reals(reals[i][0], reals[i][1], a->n);
    assert_reals(a->v_star, b->v_star, a->nv);
    assert_sizes(a->parent, b->parent, a->n);
    const dls_row_list *rows[2] = {dls_problem_rows(a), dls_problem_rows(b)};
    for (size_t i = 0; i < a->n; i++) {
        assert_string_equal(dls_problem_label(a, i), dls_problem_label(b, i));
        assert_reals(&(double){rows[0] ? rows[0]->row[i].C : 0.0}, &(double){rows[1] ? rows[1]->row[i].C : 0.0}, 1);
        assert_sizes(&(size_t){rows[0] ? rows[0]->row[i].owner : DLS_NONE},
                     &(size_t){rows[1] ? rows[1]->row[i].owner : DLS_NONE}, 1);
    }
    assert_int_equal(a->mass.n_blocks, b->mass.n_blocks);
    for (size_t k = 0; k < a->mass.n_blocks; k++) {
        assert_int_equal(a->mass.blocks[k].offset, b->mass.blocks[k].offset);
        assert_int_equal(a->mass.blocks[k].length, b->mass.blocks[k].length);
        assert_ptr_equal(a->mass.blocks[k].kind, b->mass.blocks[k].kind);
        if (a->mass.blocks[k].kind == &dls_mass_body_kind)
            assert_memory_equal(a->mass.blocks[k].data, b->mass.blocks[k].data, sizeof(dls_mass_body));
        else
            assert_dense(a->mass.blocks[k].data, b->mass.blocks[k].data);
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

static dls_problem *problem_of(const char *scene_text, dls_vec3 x, double h)
{
    dls_model *model = parse_model(scene_text);
    dls_model_initial(model)->x[0] = x;
    dls_problem *problem = problem_from_state(model, dls_model_initial(model), NULL, h);
    dls_model_destroy(model);
    return problem;
}

/* Two turning bodies on a ball joint and a contact row with its friction: every kind of number is there. */
static dls_problem *mechanical(void)
{
    static const char scene_text[] =
        "name: 'two \"quoted\" bodies'\n"
        "bodies:\n"
        "  - {name: a, shape: box, size: [1, 2.385, 0.3], mass: 3.7, omega: [0.3, -2, 5], orientation: [0.6, 0, 0.8, "
        "0]}\n"
        "  - {name: b, shape: capsule, radius: 0.2, length: 1.1, density: 977, position: [1.3, 0, 0.1]}\n"
        "joints:\n"
        "  - {name: j, type: ball, body1: b, body2: a, anchor: [0.7, 0.1, 0], cfm: 1e-7, erp: 0.3, force_lo: -11.7}\n"
        "  - {name: k, type: ball, body1: a, anchor: [0, 0.1, 0]}\n";
    dls_problem *problem = problem_of(scene_text, dls_v3(0.01, -1e-300, 1.0 / 3.0), 1.0 / 999.0);
    problem->parent[4] = 3;
    problem->law[4] = DLS_LAW_BOX;
    problem->mu[4] = 0.7;
    problem->lo[4] = problem->hi[4] = 0.0;
    problem->lo[3] = 0.0;
    problem->n_coupled = 1;
    return problem;
}

TEST(test_mechanical_form_comes_back)
{
    dls_problem *problem = mechanical();
    round_trip(problem);
    dls_problem_destroy(problem);
}

TEST(test_matrix_form_comes_back)
{
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
    dls_problem *problem = problem_from_matrix(N, A, b, lo, hi);
    round_trip(problem);
    dls_problem_destroy(problem);
    problem = problem_from_matrix(0, A, b, NULL, NULL);
    round_trip(problem);
    dls_problem_destroy(problem);
}

/* --- articulations --- */

/* Two branches on a fixed root, one of them tied to a body, and a floating tree: blocks of 6, 3 and 7 velocities. */
static const char articulated_text[] =
    "bodies:\n"
    "  - {name: ball, shape: sphere, radius: 0.3, mass: 2.385, position: [1.3, 0.2, -1]}\n"
    "articulations:\n"
    "  - name: rods\n"
    "    links:\n"
    "      - {name: root, static: true}\n"
    "      - {name: A, parent: root, motion: revolute, shape: box, size: [0.05, 0.07, 1], mass: 1.3, position: [0, 0, "
    "-0.5], anchor: [0, 0, 0], axis: [0, 1, 0], start: 0.5, armature: 0.01}\n"
    "      - {name: B, parent: root, motion: revolute, shape: box, size: [0.05, 0.07, 1], mass: 0.7, position: [0.5, "
    "0, -0.5], anchor: [0.5, 0, 0], axis: [0.3, 1, 0], start: 0.25}\n"
    "      - {name: C, parent: B, motion: prismatic, shape: box, size: [0.05, 0.05, 1], mass: 1.7, position: [0.5, 0, "
    "-1], anchor: [0.5, 0, -1], axis: [1, 0, 1]}\n"
    "  - name: swimmer\n"
    "    links:\n"
    "      - {name: hull, shape: box, size: [1, 0.4, 0.3], mass: 3.7, position: [0, 3, 0]}\n"
    "      - {name: fin, parent: hull, motion: revolute, shape: box, size: [0.5, 0.3, 0.02], mass: 0.4, position: "
    "[0.8, 3, 0.1], anchor: [0.5, 3, 0], axis: [0, 1, 0.2], speed: 3}\n"
    "joints:\n"
    "  - {name: couple, type: mimic, coordinates: {rods.A: 1, rods.B: -2}}\n"
    "  - {name: tie, type: ball, body1: rods.C, body2: ball, anchor: [1, 0, -1], cfm: 1e-7}\n";

static char *bytes_of(const char *path)
{
    FILE *from = fopen(path, "r");
    assert_non_null(from);
    char *text = test_calloc(1, 65536);
    size_t got = fread(text, 1, 65535, from);
    assert_true(got < 65535);
    fclose(from);
    return text;
}

/* M x and M^-1 x of the problem and of what came back from its file: M has the rounding of its entries, eps |M|, and
 * M^-1 that times the condition, some hundreds. */
static void compare_masses(const dls_problem *p, const dls_problem *q)
{
    double x[16], y[16], z[16];
    assert_int_equal(p->nv, 16);
    for (size_t j = 0; j < 16; j++) {
        memset(x, 0, sizeof x);
        x[j] = 1.0;
        dls_mass_multiply(&p->mass, x, y);
        dls_mass_multiply(&q->mass, x, z);
        for (size_t i = 0; i < 16; i++)
            assert_close(z[i], y[i], 1e-14);
        dls_mass_solve(&p->mass, x, y);
        dls_mass_solve(&q->mass, x, z);
        for (size_t i = 0; i < 16; i++)
            assert_close(z[i], y[i], 1e-12);
    }
    x[15] = 0.0, x[6] = 1.0; /* the rod A: nothing of B and C moves, exactly */
    dls_mass_solve(&q->mass, x, z);
    assert_true(z[6] > 0.0 && z[7] == 0.0 && z[8] == 0.0);
}

TEST(test_articulations_become_dense)
{
    dls_problem *problem = problem_of(articulated_text, dls_v3(1.3, 0.2, -1.0), 1e-3), *back;
    dls_error error;
    assert_status(dls_problem_write(problem, NAME, &error), &error);
    char *first = bytes_of(NAME);
    assert_status(dls_problem_read(NAME, &back, &error), &error);
    assert_int_equal(back->mass.n_blocks, 3);
    assert_ptr_equal(back->mass.blocks[1].kind, &dls_mass_dense_kind);
    assert_int_equal(back->mass.blocks[2].offset, 9);
    assert_int_equal(back->mass.blocks[2].length, 7);
    compare_masses(problem, back);
    dls_problem_destroy(problem);
    round_trip(back);
    assert_status(dls_problem_write(back, NAME, &error), &error);
    char *second = bytes_of(NAME);
    assert_string_equal(first, second);
    test_free(first), test_free(second);
    dls_problem_destroy(back);
    unlink(NAME);
}

TEST(test_what_cannot_be_written)
{
    dls_problem *problem = mechanical();
    dls_error error;
    assert_int_equal(dls_problem_write(problem, ".", &error), DLS_NOT_WRITTEN);
    problem->store->rows->row[2].label = "two\nlines";
    assert_int_equal(dls_problem_write(problem, NAME, &error), DLS_BAD_ARGUMENT);
    problem->store->rows->row[2].label = "x";
    problem->c[0] = NAN;
    assert_int_equal(dls_problem_write(problem, NAME, &error), DLS_NOT_FINITE);
    assert_int_equal(access(NAME, F_OK), -1);
    dls_problem_destroy(problem);
}

/* --- wrong files --- */

#define HEAD "delassus-problem 1\nname \"p\"\nform matrix\nstep 1\nmasses 0\nrows 2\nblocks 2\ncoefficients 4\n"
#define ROW1 "row 0 5 0 inf 0 0 - - 1 \"first\"\nblock 0 2 2 1\n"
#define ROW2 "row 0 6 0 inf 0 0 - - 1 \"second\"\nblock 0 2 1 2\n"
#define MECHANICAL \
    "delassus-problem 1\nname \"p\"\nform mechanical\nstep 0.1\nmasses 1\nrows 0\nblocks 0\ncoefficients 0\n"
#define BODY "mass body 2 0.5 1 0 0 0 2 0 0 0 4 1 0 0 0 0.5 0 0 0 0.25\n"
#define V6 "velocity 0\nvelocity 1\nvelocity 2\nvelocity 3\nvelocity 4\nvelocity 5\n"

#define TWO_BODIES "delassus-problem 1\nname \"p\"\nform mechanical\nstep 0.1\nmasses 2\n"

#define DENSE                                                                                            \
    "delassus-problem 1\nname \"p\"\nform mechanical\nstep 0.1\nmasses 1\nvelocities 2\nrows 0\nblocks " \
    "0\ncoefficients 0\n"

TEST(test_small_files)
{
    static const char *const good[] = {HEAD ROW1 ROW2 "end\n", HEAD "# a comment\n\n" ROW1 ROW2 "end",
                                       MECHANICAL BODY V6 "end\n",
                                       DENSE "mass dense 2\ncolumn 2 -1\ncolumn 3\nvelocity 0\nvelocity 1\nend\n"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        dls_problem *problem;
        dls_error error;
        assert_status(dls_problem_parse(good[i], strlen(good[i]), "good", &problem, &error), &error);
        dls_problem_destroy(problem);
    }
}

/* A number that is none, or infinite, is refused in its place; only bounds may be infinite, each on its own side. */
TEST(test_every_number_is_looked_at)
{
    static const char *const bad[] = {"nan", "inf", "-inf", "x", "1e999", "1e-999", "2y"};
    enum { BAD = sizeof bad / sizeof bad[0], ROW = 6, MASS = 20, V = 6 };
    static const char *const row[ROW] = {"0", "5", "0", "7", "0", "0"}, *const row_keys[ROW] = {"gamma", "c", "lo",
                                                                                                "hi",    "C", "mu"},
                             *const mass[MASS] = {"2", "0.5", "1", "0", "0", "0",   "2", "0", "0", "0",
                                                  "4", "1",   "0", "0", "0", "0.5", "0", "0", "0", "0.25"};
    for (size_t k = 0; k < 1 + ROW + MASS + V; k++)
        for (size_t b = 0; b < BAD; b++) {
            char text[2048];
            const size_t of_mass = k - 1 - ROW, of_v = k - 1 - ROW - MASS; /* beyond them where k is of another part */
            const char *key = k == 0           ? "step"
                              : k <= ROW       ? row_keys[k - 1]
                              : of_mass == 0   ? "mass"
                              : of_mass == 1   ? "inverse mass"
                              : of_mass < 11   ? "inertia"
                              : of_mass < MASS ? "inverse inertia"
                                               : "velocity";
            size_t used = (size_t)snprintf(text, sizeof text,
                                           "delassus-problem 1\nname \"p\"\nform mechanical\nstep %s\nmasses 1\nrows "
                                           "1\nblocks 1\ncoefficients 1\nmass body",
                                           k == 0 ? bad[b] : "0.1");
            for (size_t i = 0; i < MASS; i++)
                used += (size_t)snprintf(text + used, sizeof text - used, " %s", i == of_mass ? bad[b] : mass[i]);
            used += (size_t)snprintf(text + used, sizeof text - used, "\n");
            for (size_t i = 0; i < V; i++)
                used += (size_t)snprintf(text + used, sizeof text - used, "velocity %s\n", i == of_v ? bad[b] : "1");
            used += (size_t)snprintf(text + used, sizeof text - used, "row");
            for (size_t i = 0; i < ROW; i++)
                used += (size_t)snprintf(text + used, sizeof text - used, " %s", i + 1 == k ? bad[b] : row[i]);
            snprintf(text + used, sizeof text - used, " - - 1 \"r\"\nblock 0 1 1\nend\n");
            dls_problem *problem;
            dls_error error;
            const dls_status status = dls_problem_parse(text, strlen(text), "numbers", &problem, &error);
            const bool fine = (k == 3 && strcmp(bad[b], "-inf") == 0) || (k == 4 && strcmp(bad[b], "inf") == 0);
            if (k == 3 && strcmp(bad[b], "inf") == 0)
                key = "hi"; /* both bounds are wrong where lo is infinite */
            if ((status == DLS_OK) != fine || (!fine && strcmp(error.key, key) != 0))
                fail_msg("number %zu as %s: %s, '%s': %s", k, bad[b], dls_status_text(status), error.key,
                         error.message);
            dls_problem_destroy(problem);
        }
}

/* The part of c that may be the correction of C: the part of c between 0 and -C / h. */
TEST(test_corrections)
{
    static const struct {
        double c, C, bias;
    } cases[] = {{2, -0.5, 2},  {9, -0.5, 5}, {5, -0.5, 5}, {-3, -0.5, 0}, {-2, 0.5, -2}, {-9, 0.5, -5},
                 {-5, 0.5, -5}, {3, 0.5, 0},  {0, 0.5, 0},  {4, 0, 0},     {-4, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        dls_problem *problem;
        dls_error error;
        snprintf(text, sizeof text,
                 "delassus-problem 1\nname \"p\"\nform mechanical\nstep 0.1\nmasses 1\nrows 1\nblocks "
                 "1\ncoefficients 1\n" BODY V6 "row 0.25 %g -inf inf %g 0 - 7 1 \"r\"\nblock 5 1 3\nend\n",
                 cases[i].c, cases[i].C);
        assert_status(dls_problem_parse(text, strlen(text), "text", &problem, &error), &error);
        const dls_list_row *row = &dls_problem_rows(problem)->row[0];
        assert_close(row->bias, cases[i].bias, 0.0);
        assert_true(row->C == cases[i].C && row->owner == 7 && problem->gamma[0] == 0.25);
        assert_true(problem->J.mass[0] == 0 && problem->J.offset[0] == 5 && problem->v_star[4] == 4.0);
        dls_problem_destroy(problem);
    }
}

/* Names and labels have up to 63 bytes; quotes within them are theirs, and blanks around them are not. */
TEST(test_longest_texts)
{
    for (int label = 0; label < 2; label++)
        for (int length = DLS_NAME_MAX - 2; length <= DLS_NAME_MAX; length++) {
            char text[1024], name[DLS_NAME_MAX + 1];
            dls_problem *problem;
            dls_error error;
            memset(name, '"', sizeof name);
            name[length] = '\0';
            snprintf(text, sizeof text,
                     "delassus-problem 1\r\nname \t\"%s\" \t\r\nform matrix\nstep 1\nmasses 0\nrows 1\nblocks "
                     "1\ncoefficients 1\nrow 0 5 0 inf 0 0 - - 1 \"%s\"\nblock 0 1 2\nend",
                     label ? "p" : name, label ? name : "l");
            const dls_status status = dls_problem_parse(text, strlen(text), "text", &problem, &error);
            assert_int_equal(status, length < DLS_NAME_MAX ? DLS_OK : DLS_BAD_INPUT);
            if (status == DLS_OK)
                assert_string_equal(label ? dls_problem_label(problem, 0) : problem->name, name);
            else
                assert_non_null(strstr(error.message, "a text of 64 bytes; at most 63"));
            dls_problem_destroy(problem);
        }
}

TEST(test_wrong_files)
{
    static const struct {
        const char *text;
        long line;
        const char *key, *word;
    } cases[] = {
        {"", 0, "", "empty"},
        {"delassus-problem 2\n", 1, "version", "version 1"},
        {"delassus-problem", 1, "version", "missing"},
        {"hello\n", 1, "", "expected 'delassus-problem'"},
        {"delassus-problem 1\nname p\n", 2, "name", "quotes"},
        {"delassus-problem 1\nname \"p\"\nform dense\n", 3, "form", "neither"},
        {"delassus-problem 1\nname \"p\"\nform matrix\nstep nan\n", 4, "step", "finite"},
        {"delassus-problem 1\nname \"p\"\nform matrix\nstep 1\nmasses 0\nrows 1000000000\n", 6, "rows", "more than"},
        {"delassus-problem 1\nname \"p\"\nform matrix\nstep 1\nmasses 0\nrows -1\n", 6, "rows", "whole number"},
        {"delassus-problem 1\nname \"p\"\nform matrix\nstep 2\nmasses 0\nrows 0\nblocks 0\ncoefficients 0\nend", 8,
         "form", "step 1"},
        {"delassus-problem 1\nname \"p\"\nform mechanical\nstep -1\nmasses 0\nrows 0\nblocks 0\ncoefficients 0\nend", 0,
         "", "positive"},
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
        {HEAD ROW1 ROW2 "end\nmore\n", 14, "", "follows the end"},
        {HEAD ROW1 "row 0 6 0 0 0 0.5 1 - 1 \"second\"\nblock 0 2 1 2\nend\n", 0, "", "parent"},
        {HEAD ROW1 "row 0 6 0 0 0 0.5 7 - 1 \"second\"\nblock 0 2 1 2\nend\n", 11, "parent", "more than"},
        {HEAD "row 0 1 inf inf 0 0 - - 1 \"first\"\n", 9, "hi", "bounds [inf, inf]"},
        {HEAD "row 0 1 -inf -inf 0 0 - - 1 \"first\"\n", 9, "hi", "bounds [-inf, -inf]"},
        {HEAD "row 0 1 0 inf 0 0.5 - - 1 \"first\"\n", 9, "mu", "no parent"},
        {HEAD "row 0 1 0 inf 0 0 0 - 1 first\"\n", 9, "label", "quotes"},
        {HEAD "row 0 1 0 inf 0 0 - - 1 \"first\n", 9, "label", "quotes"},
        {HEAD "row 0 1 0 inf 0 0 - - 1 \"\n", 9, "label", "quotes"},
        {HEAD "row 0 1 0 inf 0 0 3 - 1 \"first\"\n", 9, "parent", "more than"},
        {HEAD "row 0 1 0 inf 0 0 cone:3 - 1 \"first\"\n", 9, "parent", "more than"},
        {HEAD "row 0 1 0 inf 0 0 cone: - 1 \"first\"\n", 9, "parent", "whole number"},
        {HEAD "row 0 1 0 inf 0 0 cube:1 - 1 \"first\"\n", 9, "parent", "whole number"},
        {HEAD "row 0 1 0 inf 0 0 - x 1 \"first\"\n", 9, "owner", "whole number"},
        {HEAD "row 0 5 0 inf 0 0 - - 1 \"first\"\nblock 1 2 2 1\n", 10, "length", "more than"},
        {HEAD "row 0 5 0 inf 0 0 - - 2 \"first\"\nblock 0 2 2 1\nblock 1 1 3\n", 11, "column", "do not overlap"},
        {HEAD ROW1 "row 0 6 0 inf 0 0 - - 1 \"second\"\nblock 0 1 1\nend\n", 13, "",
         "2 blocks and 3 coefficients; the header says 2 and 4"},
        {HEAD "row 0 5 0 inf 0 0 - - 2 \"first\"\nblock 0 2 2 1\nblock 2 0\n"
              "row 0 6 0 inf 0 0 - - 1 \"second\"\n",
         12, "blocks", "more than"},
        {HEAD ROW1 "row 0 6 0 inf 0 0 - - 1 \"second\"\nblock 0 2 1 2\nfinish\n", 13, "", "expected 'end'"},
        {TWO_BODIES "rows 1\nblocks 1\ncoefficients 7\n" BODY BODY V6 V6
                    "row 0 5 0 inf 0 0 - - 1 \"r\"\nblock 0 7 1 2 3 4 5 6 7\n",
         24, "length", "from one mass block into the next"},
        {TWO_BODIES "rows 1\nblocks 1\ncoefficients 2\n" BODY BODY V6 V6
                    "row 0 5 0 inf 0 0 - - 1 \"r\"\nblock 5 2 1 2\n",
         24, "length", "from one mass block into the next"},
        {MECHANICAL "mass body 0 0.5\n", 9, "mass", "positive"},
        {MECHANICAL "mass body 2 0.5 -1 0 0 0 -2 0 0 0 -4 -1 0 0 0 -0.5 0 0 0 -0.25\n", 9, "inertia",
         "positive definite"},
        {MECHANICAL "mass body 2 0.5 1 0 0 0 2 0 0 0 4 1 0 0 0 0.5 0 0 1e-11 0.25\n", 9, "inertia", "inverse"},
        {MECHANICAL BODY V6 "row\n", 16, "", "expected 'end'"},
        {MECHANICAL "mass tree 2 0.5\n", 9, "kind", "neither body nor dense"},
        {DENSE "mass body 2 0.5", 10, "kind", "6 velocities"},
        {DENSE "mass dense 3\n", 10, "length", "more than"},
        {DENSE "mass dense 0\n", 10, "length", "0 columns"},
        {DENSE "mass dense 2\n", 10, "length", "no room"},
        {DENSE "mass dense 1\ncolumn 2\nend\n", 11, "velocities", "1 velocities"},
        {DENSE "mass dense 2\ncolumn 2 -1 3\ncolumn 3\n", 11, "", "behind"},
        {DENSE "mass dense 2\ncolumn 2\ncolumn 3\n", 11, "inertia", "missing"},
        {DENSE "mass dense 2\ncolumn 2 nan\ncolumn 3\n", 11, "inertia", "finite"},
        {DENSE "mass dense 2\ncolumn 0 0\ncolumn 3\n", 11, "inertia", "positive definite"},
        {DENSE "mass dense 2\ncolumn 2 -4\ncolumn 8\n", 12, "inertia", "positive definite"},
        {"delassus-problem 1\nname \"p\"\nform matrix\nstep 1\nmasses 0\nvelocities 4\nrows 0\nblocks 0\ncoefficients "
         "0\nend",
         9, "form", "step 1"},
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
        bool as_expected = status != DLS_OK && problem == NULL && strcmp(error.file, "wrong") == 0 &&
                           error.line == cases[i].line && strcmp(error.key, cases[i].key) == 0 &&
                           strstr(error.message, cases[i].word);
        if (!as_expected)
            fail_msg("case %zu: %s; expected line %ld, key '%s', '%s'", i, shown, cases[i].line, cases[i].key,
                     cases[i].word);
    }
}
