/* Files of other projects: the solutions that are known of them satisfy the problems that are read. And files of our
 * own, told apart by dls_file_load. */
#include "delassus/delassus.h"

#include "check.h"
#include "problems.h"
#include "published.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* max_i |z_i - clamp(z_i - w_i)|, w = A z + b: 0 at a solution, and of nothing else. */
static double natural_residual(const dls_problem *p, const double *z)
{
    double worst = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        double moved = z[i] - (dls_rows_dot(&p->J, i, z) + p->gamma[i] * z[i] - p->c[i]);
        double clamped = moved < p->lo[i] ? p->lo[i] : moved > p->hi[i] ? p->hi[i] : moved;
        worst = fmax(worst, fabs(z[i] - clamped));
    }
    return worst;
}

enum { ANSWERS = 512 };

/* The answers stand in the file with 15 digits and come from an enumeration in double precision: 1e-9 of their size. */
static void check_answers(const char *json, const char *file, const char *format, size_t expected)
{
    char path[256];
    double z[ANSWERS], size = 1.0;
    snprintf(path, sizeof path, "siconos/%s", file);
    dls_problem *problem = read_data(path, format);
    size_t count =
        strcmp(format, "siconos-mlcp") == 0 ? known(json, file, "u", z, ANSWERS) : known(json, file, "z", z, ANSWERS);
    if (strcmp(format, "siconos-mlcp") == 0)
        count += known(json, file, "v", z + count, ANSWERS - count);
    assert_int_equal(count, expected * problem->n);
    for (size_t i = 0; i < count; i++)
        size = fmax(size, fabs(z[i]));
    for (size_t k = 0; k < expected; k++) {
        assert_below(natural_residual(problem, z + k * problem->n), 1e-9 * size);
        z[k * problem->n] += 1e-3 * size;
        assert_true(natural_residual(problem, z + k * problem->n) > 1e-9 * size);
    }
    dls_problem_destroy(problem);
}

TEST(test_known_answers_of_siconos)
{
    static const struct {
        const char *file;
        const char *format;
        size_t solutions;
    } files[] = {
        {"lcp/lcp_CPS_2.dat", "siconos-lcp", 1},
        {"lcp/lcp_CPS_3.dat", "siconos-lcp", 3},
        {"lcp/lcp_CPS_4bis.dat", "siconos-lcp", 1},
        {"lcp/lcp_exp_murty.dat", "siconos-lcp", 1},
        {"lcp/lcp_mmc.dat", "siconos-lcp", 1},
        {"lcp/lcp_ortiz_block.dat", "siconos-lcp", 1},
        {"mlcp/PD_mlcp.dat", "siconos-mlcp", 1},
        {"mlcp/RLCD_mlcp.dat", "siconos-mlcp", 1},
        {"mlcp/diodeBridge_mlcp.dat", "siconos-mlcp", 1},
        {"mlcp/relay2_mlcp.dat", "siconos-mlcp", 1},
        {"relay/relay_4x4.dat", "siconos-relay", 1},
        {"relay/step_2x2.dat", "siconos-relay", 1},
    };
    char *json = slurp("siconos/known_answers.json");
    if (!json)
        skip();
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        check_answers(json, files[i].file, files[i].format, files[i].solutions);
    test_free(json);
}

static double entry_of(const dls_problem *p, size_t i, size_t j)
{
    double e[64] = {0.0};
    e[j] = 1.0;
    return dls_rows_dot(&p->J, i, e);
}

TEST(test_columns_are_lines)
{
    static const double M[3][3] = {{0, -1, 2}, {2, 0, -2}, {-1, 1, 0}};
    char *json = slurp("siconos/known_answers.json");
    if (!json)
        skip();
    test_free(json);
    dls_problem *p = read_data("siconos/lcp/lcp_CPS_2.dat", "siconos-lcp");
    assert_string_equal(p->name, "lcp_CPS_2.dat");
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            assert_close(entry_of(p, i, j), M[i][j], 0.0);
    dls_problem_destroy(p);
}

static dls_problem *parse(const char *text, const char *format)
{
    dls_content content;
    dls_error error;
    assert_status(dls_file_parse(text, strlen(text), "text", format, &content, &error), &error);
    return content.problem;
}

/* A file that has both forms of an mlcp: the one in parts, read alone, is the same problem. */
static void check_parts(const char *file)
{
    char path[256], *behind;
    snprintf(path, sizeof path, "siconos/%s", file);
    char *text = slurp(path), *parts = test_calloc(1, 1 << 20);
    const char *at = text;
    long head[4];
    for (int i = 0; i < 4; i++, at = behind)
        head[i] = strtol(at, &behind, 10);
    long rows = head[2] + head[3], blocks = -1, start;
    do {
        start = strtol(at, &behind, 10);
        at = behind;
        blocks++;
    } while (start < rows);
    for (long k = 0; k < blocks + 5 + rows * rows + rows; k++, at = behind)
        (void)strtod(at, &behind);
    snprintf(parts, 1 << 20, "0 1 %ld %ld %s", head[2], head[3], at);
    dls_problem *a = read_data(path, "siconos-mlcp"), *b = parse(parts, "siconos-mlcp");
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        for (size_t j = 0; j < a->n; j++)
            assert_close(entry_of(a, i, j), entry_of(b, i, j), 0.0);
        assert_close(a->c[i], b->c[i], 0.0);
        assert_true(a->lo[i] == b->lo[i] && a->hi[i] == b->hi[i]);
    }
    dls_problem_destroy(a);
    dls_problem_destroy(b);
    test_free(text);
    test_free(parts);
}

TEST(test_both_forms_of_an_mlcp_agree)
{
    char *json = slurp("siconos/known_answers.json");
    if (!json)
        skip();
    test_free(json);
    check_parts("mlcp/RLCD_mlcp.dat");
    check_parts("mlcp/diodeBridge_mlcp.dat");
    check_parts("mlcp/diodeBridge20_mlcp.dat");
    check_parts("mlcp/relay2_mlcp.dat");
}

static void check_mixed(const char *file, size_t n, size_t equalities)
{
    dls_problem *p = read_data(file, "siconos-gmp");
    size_t free_rows = 0;
    assert_int_equal(p->n, n);
    for (size_t i = 0; i < n; i++) {
        free_rows += isinf(p->lo[i]) && isinf(p->hi[i]);
        for (size_t j = 0; j < i; j++)
            assert_close(entry_of(p, i, j), entry_of(p, j, i),
                         1e-6 * fabs(entry_of(p, i, j)) + 1e-6); /* 7 digits in the file */
    }
    assert_int_equal(free_rows, equalities);
    dls_problem_destroy(p);
}

TEST(test_mixed_blocks)
{
    char *json = slurp("siconos/known_answers.json");
    if (!json)
        skip();
    test_free(json);
    check_mixed("siconos/gmp/GMP0.dat", 6, 5);
    check_mixed("siconos/gmp/GMP3.dat", 36, 35);
    dls_problem *p = read_data("siconos/gmp/GMP0.dat", "siconos-gmp");
    assert_close(entry_of(p, 5, 5), 1.411721, 0.0);
    assert_close(entry_of(p, 5, 1), 4.217140e-01, 0.0);
    assert_close(p->c[5], 9.126016, 0.0);
    dls_problem_destroy(p);
}

/* A 1000 kg cube on a 1 g cube: by symmetry each corner of a face bears a quarter of 9.81000981 N s and 9.81 N s (step
 * of 1 ms). */
TEST(test_two_cubes)
{
    char *json = slurp("siconos/known_answers.json");
    if (!json)
        skip();
    test_free(json);
    dls_problem *p = read_data("contactbench/2cubes_t0.txt", "contactbench-normals");
    double lambda[8];
    assert_int_equal(p->n, 8);
    for (size_t i = 0; i < 8; i++)
        lambda[i] = (i < 4 ? 9.81000981 : 9.81) / 4.0;
    for (size_t i = 0; i < 8; i++) {
        double w = dls_rows_dot(&p->J, i, lambda) - p->c[i];
        assert_close(w, 0.0, 1e-9 * 4000.0 * 2.5); /* entries of A up to 4000, impulses of 2.5 in 9 digits */
        assert_true(p->lo[i] == 0.0 && isinf(p->hi[i]));
        assert_string_equal(dls_problem_label(p, i), "normal");
    }
    dls_problem_destroy(p);
}

/* --- wrong files --- */

TEST(test_small_files)
{
    static const char whole[] = "1 0 1 1  0 1 2  0 1  0 2 2 2 2  1 2  3 4  5 6", parts[] = "0 1 1 1  1 4 3 2  5 6";
    static const double expected[2][2] = {{1, 3}, {2, 4}};
    for (int k = 0; k < 2; k++) {
        dls_problem *p = parse(k ? parts : whole, "siconos-mlcp");
        for (size_t i = 0; i < 2; i++) {
            for (size_t j = 0; j < 2; j++)
                assert_close(entry_of(p, i, j), expected[i][j], 0.0);
            assert_close(p->c[i], i ? -6.0 : -5.0, 0.0);
            assert_true(p->lo[i] == (i ? 0.0 : -HUGE_VAL) && p->hi[i] == HUGE_VAL);
        }
        dls_problem_destroy(p);
    }
}

TEST(test_wrong_files)
{
    static const struct {
        const char *format;
        const char *text;
        dls_status status;
        long line;
        const char *key, *word;
    } cases[] = {
        {"siconos-lcp", "", DLS_BAD_INPUT, 0, "", "empty"},
        {"siconos-lcp", "x", DLS_BAD_INPUT, 1, "n", "whole number"},
        {"siconos-lcp", "1\n3\n1 1\n", DLS_REFUSED, 3, "matrix storage", "storage 3"},
        {"siconos-lcp", "1\n2\n1 1\n", DLS_BAD_INPUT, 4, "kind of sparse matrix", "file ends"},
        {"siconos-lcp", "999999999 0 1 1 1 1", DLS_BAD_INPUT, 1, "n", "more than"},
        {"siconos-lcp", "2\n0\n2 3\n", DLS_BAD_INPUT, 3, "matrix columns", "more than"},
        {"siconos-lcp", "2\n0\n2 1\n2 1 1 1 1 1 1", DLS_BAD_INPUT, 3, "matrix columns", "square"},
        {"siconos-lcp", "2\n0\n2 2\n2 3\n1 2 3 4 5 6", DLS_BAD_INPUT, 4, "matrix size", "2 x 3"},
        {"siconos-lcp", "2\n0\n2 2\n2 2\n1 2 3", DLS_BAD_INPUT, 4, "matrix", "ends before 4"},
        {"siconos-lcp", "2\n0\n2 2\n2 2\n1 2 x 4 5 6", DLS_BAD_INPUT, 5, "matrix", "not a number"},
        {"siconos-lcp", "2\n0\n2 2\n2 2\n1 2 nan 4 5 6", DLS_NOT_FINITE, 5, "matrix", "finite"},
        {"siconos-lcp", "2\n0\n2 2\n2 2\n1 2 3 4\n5", DLS_BAD_INPUT, 5, "q", "ends before 2"},
        {"siconos-lcp", "1\n0\n2 2\n2 2\n1 2 3 4\n5", DLS_BAD_INPUT, 5, "n", "2 rows"},
        {"siconos-relay", "1 0 1 1 1 1 2 3 1 -1", DLS_BAD_INPUT, 0, "", "lo <= hi"},
        {"siconos-relay", "1 0 1 1 1 1 2 3 1", DLS_BAD_INPUT, 1, "ub", "ends before"},
        {"siconos-mlcp", "0 0 1 1 1 1 1 1", DLS_BAD_INPUT, 1, "storage flag", "one of the two"},
        {"siconos-mlcp", "1 0 1 1 0 2 2 0 0 0 0 0 0", DLS_BAD_INPUT, 1, "block flag", "more than"},
        {"siconos-mlcp", "1 0 1 1 0 2 1 0 0 0 0 0 0", DLS_BAD_INPUT, 1, "block flag", "0 equality rows"},
        {"siconos-mlcp", "1 0 1 1 0 0 2 0 0 0 0 0 0", DLS_BAD_INPUT, 1, "block start", "ascend"},
        {"siconos-gmp", "1 2 2 1 1 1  2 2  2 1  0 1  0  0  1 2 3 4  5 6  0", DLS_OK, 0, "", ""},
        {"siconos-gmp", "1 2 2 1 1 1  2 2  2 1  0 1  0  0  1 2 3 4  5 6  4", DLS_BAD_INPUT, 1, "block type",
         "a contact has 3"},
        {"siconos-gmp", "1 3 3 1 1 1  3 3  2 1  0 1  0  0  2 0 0 0 1 0 0 0 1  -3 1 1  4", DLS_BAD_INPUT, 1, "mu",
         "ends"},
        {"siconos-gmp", "1 3 3 1 1 1  3 3  2 1  0 1  0  0  2 0 0 0 1 0 0 0 1  -3 1 1  4 -1", DLS_BAD_INPUT, 1, "mu",
         "negative"},
        {"siconos-gmp", "1 2 2 1 1 1  2 2  2 1  0 1  0  0  1 2 3 4  5 6  3", DLS_REFUSED, 1, "block type", "not read"},
        {"siconos-gmp", "1 2 2 1 1 1  1 2  2 1  0 1  0  0  1 2 3 4  5 6  0", DLS_BAD_INPUT, 1, "cumulative rows",
         "must be 2"},
        {"siconos-gmp", "1 2 2 1 1 1  2 2  3 1  0 1  0  0  1 2 3 4  5 6  0", DLS_BAD_INPUT, 1, "block index",
         "lengths 3"},
        {"siconos-gmp", "1 2 2 1 1 1  2 2  2 1  0 1  1  0  1 2 3 4  5 6  0", DLS_BAD_INPUT, 1, "block column",
         "more than"},
        {"siconos-gmp", "1 2 2 1 1 1  2 2  2 1  0 1  0  1  1 2 3 4  5 6  0", DLS_BAD_INPUT, 1, "block number",
         "more than"},
        {"siconos-gmp", "1 2 2 2 1 1  2 2  2 2  0 2  0 0  0 1 2 3 4 1 1 2 3 4 5 6 0", DLS_BAD_INPUT, 1, "block column",
         "ascend"},
        {"siconos-gmp", "1 2 2 1 0 0 2 2 1 1 0 0 0 0 0 0 0", DLS_BAD_INPUT, 1, "cumulative rows", "must be 2"},
        {"siconos-fc3d", "2 1 0 2 2 2 2 2 0 0 1 -3 1 0.5", DLS_BAD_INPUT, 1, "dimension", "they have 3"},
        {"siconos-fc3d", "3 2 0 3 3 3 3 2 0 0 0 1 0 0 0 1 -3 1 1 0.5", DLS_BAD_INPUT, 1, "contacts",
         "2 contacts have 6"},
        {"siconos-fc3d", "3 1 0 3 3 3 3 2 0 0 0 1 0 0 0 1 -3 1 1", DLS_BAD_INPUT, 1, "mu", "ends before"},
        {"siconos-fc3d", "3 1 0 3 3 3 3 2 0 0 0 1 0 0 0 1 -3 1 1 -0.5", DLS_BAD_INPUT, 1, "mu", "negative"},
        {"contactbench", "2 1 2 3", DLS_BAD_INPUT, 1, "G", "ends before 36"},
        {"contactbench", "1 1 2 3 4 5 6 7 8 9 1 2 3", DLS_BAD_INPUT, 1, "mu", "ends before"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dls_content content;
        dls_error error = {.message = ""};
        char shown[2048];
        dls_status status =
            dls_file_parse(cases[i].text, strlen(cases[i].text), "wrong", cases[i].format, &content, &error);
        dls_error_format(&error, shown, sizeof shown);
        bool as_expected = status == cases[i].status && (status == DLS_OK) == (content.problem != NULL) &&
                           error.line == cases[i].line && strcmp(error.key, cases[i].key) == 0 &&
                           strstr(error.message, cases[i].word);
        dls_content_release(&content);
        if (!as_expected)
            print_error("case %zu: %s; expected line %ld, key '%s', '%s'\n", i, shown, cases[i].line, cases[i].key,
                        cases[i].word);
        failures += !as_expected;
    }
    assert_int_equal(failures, 0);
}

/* Two block rows and columns, of 1 and 2 rows, without the block below: what is wrong in one of its numbers. */
TEST(test_every_number_of_blocks)
{
    static const char *const good[] = {
        "3",  "1",  "3",  "3",                               /* n; blocks; rows and columns */
        "3",  "2",  "2",                                     /* blocks, block rows, block columns */
        "1",  "3",  "1",  "3",                               /* cumulative rows, columns */
        "3",  "3",  "0",  "2", "3",                          /* lengths, starts */
        "0",  "1",  "1",                                     /* block columns */
        "0",  "2",  "1",  "3", "4", "2", "5", "6", "7", "8", /* the blocks, by columns */
        "-1", "-2", "-3",
    };
    enum { WORDS = sizeof good / sizeof good[0] };
    static const double A[3][3] = {{2, 3, 4}, {0, 5, 7}, {0, 6, 8}};
    static const struct {
        size_t word;
        const char *by, *key, *said;
    } wrong[] = {
        {0, "2", "n", "the matrix has 3 rows, n is 2"},
        {1, "3", "matrix storage", "storage 3 is not read"},
        {3, "2", "matrix columns", "square, not 3 x 2"},
        {4, "4", "block index", "lengths 3 and 3; they must be 3 and 4"},
        {5, "1", "cumulative rows", "the last must be 3"},
        {7, "4", "cumulative rows", "more than the 3"},
        {8, "0", "cumulative rows", "must ascend"},
        {8, "2", "cumulative rows", "the last must be 3"},
        {10, "0", "cumulative columns", "must ascend"},
        {10, "2", "cumulative columns", "the last must be 3"},
        {11, "2", "block index", "lengths 2 and 3; they must be 3 and 3"},
        {12, "2", "block index", "lengths 3 and 2; they must be 3 and 3"},
        {13, "1", "block row start", "the first must be 0"},
        {14, "4", "block row start", "more than the 3"},
        {15, "1", "block row start", "must ascend"},
        {15, "2", "block row start", "the last must be 3"},
        {16, "1", "block column", "must ascend within a block row"},
        {17, "0", "block column", "must ascend within a block row"},
        {18, "2", "block column", "more than the 1"},
        {19, "1", "block number", "1, where 0 was to come"},
        {21, "0", "block number", "0, where 1 was to come"},
        {24, "3", "block number", "more than the 2"},
        {25, "x", "matrix", "'x' is not a number"},
        {31, "nan", "q", "not a finite number"},
    };
    for (size_t k = 0; k <= sizeof wrong / sizeof wrong[0]; k++) {
        const bool is_good = k == sizeof wrong / sizeof wrong[0];
        char text[512] = "";
        dls_content content;
        dls_error error = {.message = ""};
        long column = 1;
        for (size_t i = 0; i < WORDS; i++) {
            const bool replaced = !is_good && wrong[k].word == i;
            if (replaced)
                column = (long)strlen(text) + 1;
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s ", replaced ? wrong[k].by : good[i]);
        }
        const dls_status status = dls_file_parse(text, strlen(text), "text", "siconos-lcp", &content, &error);
        if (!is_good) {
            if (status == DLS_OK || strcmp(error.key, wrong[k].key) != 0 || !strstr(error.message, wrong[k].said) ||
                error.line != 1 || error.column < column)
                fail_msg("case %zu: line %ld, column %ld after %ld, '%s': %s\n", k, error.line, error.column, column,
                         error.key, error.message);
            continue;
        }
        assert_status(status, &error);
        for (size_t i = 0; i < 3; i++) {
            for (size_t j = 0; j < 3; j++)
                assert_close(entry_of(content.problem, i, j), A[i][j], 0.0);
            assert_close(content.problem->c[i], (double)i + 1.0, 0.0);
        }
        dls_content_release(&content);
    }
}

/* --- any file --- */

static void write_file(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

/* As which format a text was read, "" where it was not. */
static const char *load(const char *format, const char *text, dls_error *error)
{
    static const char path[] = "test_foreign.file";
    dls_content content;
    write_file(path, text);
    dls_status status = dls_file_load(path, format, &content, error);
    assert_true((status == DLS_OK) == ((content.scene != NULL) != (content.problem != NULL)));
    const char *name = status == DLS_OK ? content.format->name : "";
    assert_true(status == DLS_OK || (error->message[0] && strcmp(error->file, path) == 0));
    dls_content_release(&content);
    unlink(path);
    return name;
}

/* A file is known by what it holds. */
TEST(test_any_file)
{
    static const struct {
        const char *text, *format, *word;
    } cases[] = {
        {"bodies:\n  - name: a\n", "scene", ""},
        {"# a comment\n\n  # another\nname: x\n", "scene", ""},
        {"---\nbodies:\n  - name: a\n", "scene", ""},
        {"bodie:\n  - name: a\n", "", "did you mean 'bodies'"},
        {"<robot name='r'><link name='a'/></robot>", "urdf", ""},
        {"<?xml version='1.0'?>\n<r/>", "", "<robot>"},
        {"<?xml version='1.0'?>\n<!-- <robot> -->\n<mujoco><worldbody><body><freejoint/><geom "
         "size='1'/></body></worldbody>"
         "</mujoco>",
         "mjcf", ""},
        {"<mujoco/>", "", "there is no body"},
        {"<mujocos/>", "", "<robot>"},
        {"delassus-problem 1\nname \"\"\nform matrix\nstep 1\nmasses 0\nrows 0\nblocks 0\ncoefficients 0\nend\n",
         "problem", ""},
        {"1 0 1 1 1 1 2 -3", "siconos-lcp", ""},
        {"1 0 1 1 1 1 2 -3 solution 1.5", "siconos-lcp", ""},
        {"1 0 1 1 1 1 2 -3 -1 1", "siconos-relay", ""},
        {"1 0 1 1 1 1 2 -3 -1 1 solution", "", "siconos-lcp or siconos-relay"},
        {"1 0 1 1  0 1 2  0 1  0 2 2 2 2  1 2  3 4  5 6", "siconos-mlcp", ""},
        {"0 1 1 1  1 4 3 2  5 6", "siconos-mlcp", ""},
        {"1 2 2 1 1 1  2 2  2 1  0 1  0  0  1 2 3 4  5 6  0", "siconos-gmp", ""},
        {"3 1 0 3 3 3 3 2 0 0 0 1 0 0 0 1 -3 1 1 0.5", "siconos-fc3d", ""},
        {"2 1 0 2 2 2 2 2 0 0 1 -3 1 0.5", "siconos-fc2d", ""},
        {"3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 -1 -1 0 0 0 0.1", "siconos-gfc3d", ""},
        {"3 1 0 2 2 2 2 1 0 0 1 0 2 3 2 3 1 0 0 1 0 0 -1 -1 0 0 0 0.1", "siconos-gfc3d", ""},
        {"3 1 0 3 3 3 3 1 0 0 0 1 2 0 2 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 -1 -1 0 0 0 0.1", "", "ends at velocity 2"},
        {"3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 0 3 3 3 3 1", "", "read as siconos-gfc3d"}, /* cut off within H */
        {"3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 1 3 3 1 1 1 3 3 2 1 0 1 0 0", "", "read as siconos-gfc3d"},
        {"3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 2 3 3 2 CSparse\n3-by-3, nzmax: 3 nnz: 3", "", "read as siconos-gfc3d"},
        {"2 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 0 3 2 3 2 1 0 0 0 1 0 -1 -1 -1 0 0 0.1", "siconos-gfc2d", ""},
        {"{\"A\": [[1]], \"b\": [1]}", "json", ""},
        {"{\"A\": [[1]], \"b\": [1], \"findex\": [-1]}", "dart", ""},
        {"3 1 0 3 3 3 3 2 0 0 0 1 0 0 0 1 0 3 3 0.5", "siconos-fc3d", ""}, /* a q that begins like a matrix */
        {"1 1 2 3 4 5 6 7 8 9 1 2 3 0.5", "contactbench", ""},
        {"1 1 2 3 4 5 6 7 8 9 1 2 3 0.5 7", "", "follows the end"},
        {"0", "", "0 rows"},
        {"0\n0\n0 0\n0 0\n", "", "0 rows"},
        {"{\"A\": [[1]], \"b\": [1], \"findex\": [3]}", "",
         "no row from 0 to 0"}, /* said by the reader that knows it */
        {"[1, 2]", "", "no object"},
        {"#usda 1.0\n", "", "USD"},
        {"PXR-USDC\001\002", "", "USD"},
        {"PK\003\004\n0000000000000000000000000000scene.usdc", "", "USD"},
        {"5 1 0 5 5 5 5 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 -1 0 0 0 0 0.5 0.1", "siconos-rfc3d", ""},
        {"5 1 0 5 5 5 5 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 -1 0 0 0 0 0.5 -0.1", "",
         "negative friction coefficient"},
        {"5 1 0 5 5 5 5 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 -1 0 0 0 0 0.5", "", "read as siconos-rfc3d"},
        {"5 1 0 1 1 1 1 2 0 1 5 1 5 1 0 0 0 0 -1 0 0 0 0 0 0.5 0.1", "siconos-grfc3d", ""},
        {"5 0 5 5 5 5 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 -1 0 0 0 0", "siconos-lcp", ""},
        {"2 0 2 2 2 2 1 2 3", "", "read as siconos-lcp"},
        {"2 0 2 2 2 2 1 2 3 x", "", "read as siconos-lcp"},
        {"1 1 1 1 0 1 2 0 1 0 3 2 3 2 1 -1 1 -1 -1 1 0 1 1 1 -1 1 0 -1", "", "M is rectangular, 3 x 2"},
        {"x", "", "nothing in it tells"},
        {"PK\003\004 an archive that is no archive", "", "cut off: the directory at the end"},
        {"%%MatrixMarket matrix array real general\n", "", "one matrix is no problem"}, /* sets: test_vector.c */
        {"", "", "empty"},
        {"\xef\xbb\xbf"
         "{\"A\": [[1]], \"b\": [1]}",
         "json", ""},
        {"\xef\xbb\xbf", "", "empty"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dls_error error = {.message = ""};
        const char *found = load(NULL, cases[i].text, &error);
        if (strcmp(found, cases[i].format) == 0 && strstr(error.message, cases[i].word))
            continue;
        print_error("case %zu: read as '%s', %s\n", i, found, error.message);
        failures++;
    }
    assert_int_equal(failures, 0);
    dls_error error;
    assert_string_equal(load("contactbench-normals", "1 1 2 3 4 5 6 7 8 9 1 2 3 0.5", &error), "contactbench-normals");
    assert_string_equal(load("scene", "bodies:\n  - name: a\n", &error), "scene");
    for (const dls_format *f = dls_formats; f->name; f++) {
        bool found = strcmp(f->name, "contactbench-normals") == 0 || strcmp(f->name, "fclib") == 0 ||
                     strcmp(f->name, "matrix-market") == 0 || strcmp(f->name, "contactbench-npz") == 0 ||
                     strcmp(f->name, "sdf") == 0;
        /* above; test_fclib.c; test_vector.c; test_npz.sh; test_sdf.sh */
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
            found = found || strcmp(cases[i].format, f->name) == 0;
        if (!found)
            print_error("format '%s' is in formats.def and not here\n", f->name);
        assert_true(found);
    }
    assert_string_equal(load("siconos-fc3d", "1 0 1 1 1 1 2 -3", &error), "");
    assert_string_equal(load("siconos-fd3d", "1 0 1 1 1 1 2 -3", &error), "");
    assert_non_null(strstr(error.message, "did you mean 'siconos-fc3d'"));
    for (size_t i = 0; dls_formats[i].name; i++)
        assert_non_null(strstr(error.message, dls_formats[i].name));
    dls_content content;
    assert_int_equal(dls_file_load(".", NULL, &content, &error), DLS_IO);
    assert_non_null(strstr(error.message, "folder"));
}

/* Every published file, by what it holds: under a name that says nothing. */
TEST(test_any_published_file)
{
    static const struct {
        const char *pattern, *format, *word;
    } kinds[] = {
        {"siconos/lcp/*.dat", "siconos-lcp", ""},     {"siconos/mlcp/*.dat", "siconos-mlcp", ""},
        {"siconos/relay/*.dat", "siconos-relay", ""}, {"siconos/gmp/*.dat", "siconos-gmp", ""},
        {"siconos/fc3d/*.dat", "siconos-fc3d", ""},   {"siconos/fc2d/*.dat", "siconos-fc2d", ""},
        {"siconos/gfc3d/*.dat", "siconos-gfc3d", ""}, {"siconos/rfc3d/*.dat", "siconos-rfc3d", ""},
        {"contactbench/*.txt", "contactbench", ""},   {"urdf/*.urdf", "urdf", ""},
    };
    size_t failures = 0, files = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        char pattern[DLS_PATH_MAX];
        glob_t found;
        data_path(pattern, kinds[k].pattern);
        if (glob(pattern, 0, NULL, &found) != 0)
            skip();
        for (size_t i = 0; i < found.gl_pathc; i++, files++) {
            dls_content content;
            dls_error error = {.message = ""};
            dls_status status = dls_file_load(found.gl_pathv[i], NULL, &content, &error);
            const char *name = status == DLS_OK ? content.format->name : "";
            if (strcmp(name, kinds[k].format) != 0 || !strstr(error.message, kinds[k].word)) {
                print_error("%s: read as '%s', %s\n", found.gl_pathv[i], name, error.message);
                failures++;
            }
            dls_content_release(&content);
        }
        globfree(&found);
    }
    assert_true(files > 20);
    assert_int_equal(failures, 0);
}

/* --- Matrix Market --- */

/* An independent reader of both formats, into a dense matrix by columns. */
static void read_market(const char *path, size_t *rows, size_t *columns, double *values)
{
    char line[1025], format[32];
    size_t nonzeros = 0;
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    assert_non_null(fgets(line, sizeof line, stream));
    assert_int_equal(sscanf(line, "%%%%MatrixMarket matrix %31s real general", format), 1);
    do
        assert_non_null(fgets(line, sizeof line, stream));
    while (line[0] == '%');
    bool array = strcmp(format, "array") == 0;
    assert_int_equal(sscanf(line, "%zu %zu %zu", rows, columns, &nonzeros), array ? 2 : 3);
    memset(values, 0, *rows * *columns * sizeof *values);
    for (size_t k = 0; k < (array ? *rows * *columns : nonzeros); k++) {
        size_t i = k % *rows + 1, j = k / *rows + 1;
        if (!array)
            assert_int_equal(fscanf(stream, "%zu %zu", &i, &j), 2);
        assert_true(i >= 1 && i <= *rows && j >= 1 && j <= *columns);
        assert_int_equal(fscanf(stream, "%lf", &values[i - 1 + *rows * (j - 1)]), 1);
    }
    assert_int_equal(fscanf(stream, "%1s", line), EOF);
    fclose(stream);
}

TEST(test_matrix_market)
{
    static const char path[] = "test_foreign.mtx";
    double A[12], square[9] = {1.0 / 3.0, 0, -2e-300, 0, 5, 6.25, 0, 1e300, 0}, b[3] = {0, 0, 0}, back[16];
    size_t rows, columns;
    dls_error error;
    for (size_t k = 0; k < 12; k++)
        A[k] = 1.0 / ((double)k - 4.5);
    assert_status(dls_matrix_market_write(path, "two\nlines", 4, 3, A, &error), &error);
    read_market(path, &rows, &columns, back);
    assert_int_equal(rows, 4);
    assert_int_equal(columns, 3);
    assert_memory_equal(A, back, sizeof A);
    dls_problem *p = problem_from_matrix(3, square, b, NULL, NULL);
    assert_status(dls_matrix_market_write_rows(path, "rows", &p->J, &error), &error);
    read_market(path, &rows, &columns, back);
    assert_int_equal(rows, 3);
    assert_int_equal(columns, 3);
    assert_memory_equal(square, back, sizeof square);
    dls_problem_destroy(p);
    unlink(path);
    assert_int_equal(dls_matrix_market_write(".", "", 4, 3, A, &error), DLS_NOT_WRITTEN);
}

/* Both formats, every symmetry, and what each refuses, where. */
TEST(test_reading_matrix_market)
{
#define BEGIN "%%MatrixMarket matrix "
    static const struct {
        const char *text;
        size_t rows, columns;
        double values[9]; /* by columns */
    } good[] = {
        {BEGIN "array real general\n% a comment\n%\n2 3\n1 2\n3 4\n5 6\n", 2, 3, {1, 2, 3, 4, 5, 6}},
        {"%%matrixmarket MATRIX Array Integer General\n1 1 7", 1, 1, {7}},
        {BEGIN "array double symmetric\n3 3\n1 2 3 4 5 6\n", 3, 3, {1, 2, 3, 2, 4, 5, 3, 5, 6}},
        {BEGIN "array real skew-symmetric\n3 3\n1 2 3\n\n", 3, 3, {0, 1, 2, -1, 0, 3, -2, -3, 0}},
        {BEGIN "coordinate real general\n2 3 3\n2 1 -5\n1 3 6.5\n1 1 1e300\n", 2, 3, {1e300, -5, 0, 0, 6.5, 0}},
        {BEGIN "coordinate real symmetric\n3 3 3\n1 1 1\n3 1 2\n3 3 4\n", 3, 3, {1, 0, 2, 0, 0, 0, 2, 0, 4}},
        {BEGIN "coordinate integer skew-symmetric\n3 3 2\n2 1 1\n3 2 2\n", 3, 3, {0, 1, 0, -1, 0, 2, 0, -2, 0}},
        {BEGIN "array real general\n2 2\n1.0D+00 -2.5d-1\n3D2 4E-1", 2, 2, {1, -0.25, 300, 0.4}}, /* Fortran's */
        {BEGIN "coordinate real general\n2 2 0\n", 2, 2, {0}},
        {BEGIN "array real general\n0 0\n", 0, 0, {0}},
    };
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        size_t rows, columns;
        double *values;
        dls_error error;
        assert_status(dls_matrix_market_parse(good[k].text, strlen(good[k].text), "m.mtx", false, &rows, &columns,
                                              &values, &error),
                      &error);
        assert_int_equal(rows, good[k].rows);
        assert_int_equal(columns, good[k].columns);
        for (size_t i = 0; i < rows * columns; i++)
            assert_close(values[i], good[k].values[i], 0.0);
        free(values);
    }
    static const struct {
        const char *text;
        long line;
        const char *key, *word;
    } wrong[] = {
        {"%MatrixMarket matrix array real general\n1 1\n1\n", 1, "", "does not begin with"},
        {"%%MatrixMarke", 1, "", "does not begin with"},
        {BEGIN, 1, "format", ""},
        {"%%MatrixMarket vector array real general\n", 1, "object", "'vector' is not read"},
        {BEGIN "list real general\n", 1, "format", "'list' is not read"},
        {BEGIN "array complex general\n", 1, "field", "'complex' is not read"},
        {BEGIN "array real hermitian\n", 1, "symmetry", "'hermitian' is not read"},
        {BEGIN "array real general\n2 2\n1 2 3\n", 4, "entry", "missing; the file ends here"},
        {BEGIN "array real general\n2 2\n1 2 3 4D\n", 3, "entry", "'4D' is not a number"},
        {BEGIN "array real general\n2 2\n1 2 3 4 5\n", 3, "", "follows the last entry"},
        {BEGIN "array real general\n2 2\n1 2 nan 4\n", 3, "entry", "finite"},
        {BEGIN "array real general\n2 2\n1 2 inf 4\n", 3, "entry", "finite"},
        {BEGIN "array real general\n1000 1000\n1 2\n", 2, "", "1000 x 1000 entries do not stand in this file"},
        {BEGIN "array real general\n134217729 1\n1 2\n", 2, "number of rows", "more than"},
        {BEGIN "array real general\n2 67108865\n1 2\n", 2, "", "at most 134217728 entries"},
        {BEGIN "array real symmetric\n2 3\n1 2 3\n", 2, "", "2 x 3: a symmetric matrix is square"},
        {BEGIN "coordinate real skew-symmetric\n3 2 0\n", 2, "", "3 x 2: a symmetric matrix is square"},
        {BEGIN "coordinate real general\n2 2 99\n1 1 1\n", 2, "number of entries", "more than"},
        {BEGIN "coordinate real general\n2 2 1\n0 1 1\n", 3, "", "counted from 1"},
        {BEGIN "coordinate real general\n2 2 1\n1 0 1\n", 3, "", "counted from 1"},
        {BEGIN "coordinate real general\n2 2 1\n3 1 1\n", 3, "row", "more than"},
        {BEGIN "coordinate real general\n2 2 1\n1 3 1\n", 3, "column", "more than"},
        {BEGIN "coordinate real general\n2 2 2\n2 1 1\n2 1 5\n", 4, "", "entry (2, 1) is given twice"},
        {BEGIN "coordinate real symmetric\n2 2 2\n2 1 1\n1 2 1\n", 4, "", "entry (1, 2) is not below the diagonal"},
        {BEGIN "coordinate real skew-symmetric\n2 2 1\n2 2 1\n", 3, "", "entry (2, 2) is not below the diagonal"},
    };
#undef BEGIN
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        size_t rows, columns;
        double *values;
        dls_error error = {.message = ""};
        const dls_status status = dls_matrix_market_parse(wrong[k].text, strlen(wrong[k].text), "m.mtx", false, &rows,
                                                          &columns, &values, &error);
        if (status == DLS_OK || values || rows || columns || error.line != wrong[k].line ||
            strcmp(error.key, wrong[k].key) != 0 || !strstr(error.message, wrong[k].word))
            fail_msg("case %zu: line %ld, '%s': %s", k, error.line, error.key, error.message);
    }
    static const char infinite[] = "%%MatrixMarket matrix array real general\n2 1\n-inf inf";
    size_t rows, columns;
    double *values;
    dls_error error;
    assert_status(dls_matrix_market_parse(infinite, strlen(infinite), "lo.mtx", true, &rows, &columns, &values, &error),
                  &error);
    assert_true(values[0] == -HUGE_VAL && values[1] == HUGE_VAL);
    free(values);
}

/* UTF-8 as RFC 3629 has it: the least and the greatest of each length, and what lies between and beyond them. */
TEST(test_text_is_utf8)
{
    static const struct {
        const char *bytes;
        bool good;
    } cases[] = {
        {"\x01", true},
        {"\x7f", true},
        {"\x80", false},
        {"\xbf", false},
        {"\xc0\x80", false},
        {"\xc1\xbf", false},
        {"\xc2\x80", true},
        {"\xdf\xbf", true},
        {"\xc2", false},
        {"\xc2\x7f", false},
        {"\xc2\xc0", false},
        {"\xe0\x9f\xbf", false},
        {"\xe0\xa0\x80", true},
        {"\xe1\x80\x80", true},
        {"\xec\xbf\xbf", true},
        {"\xed\x9f\xbf", true},
        {"\xed\xa0\x80", false},
        {"\xed\xbf\xbf", false},
        {"\xee\x80\x80", true},
        {"\xef\xbf\xbf", true},
        {"\xe1\x80", false},
        {"\xe1\x80\xc0", false},
        {"\xe1\x7f\x80", false},
        {"\xf0\x8f\xbf\xbf", false},
        {"\xf0\x90\x80\x80", true},
        {"\xf3\xbf\xbf\xbf", true},
        {"\xf4\x8f\xbf\xbf", true},
        {"\xf4\x90\x80\x80", false},
        {"\xf5\x80\x80\x80", false},
        {"\xff", false},
        {"\xf1\x80\x80", false},
        {"\xf1\x80\x80\x7f", false},
        {"\xf1\x80\xc0\x80", false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (int end = 0; end < 2; end++) { /* before other text, and at the end */
            char text[256];
            dls_content content;
            dls_error error = {.message = ""};
            snprintf(text, sizeof text,
                     "delassus-problem 1\nname \"p\"\nform matrix\nstep 1\nmasses 0\nrows 0\nblocks 0\n"
                     "coefficients 0\nend\n#%s%s",
                     cases[k].bytes, end ? "" : "...");
            const dls_status status = dls_file_parse(text, strlen(text), "text", "problem", &content, &error);
            if ((status == DLS_OK) != cases[k].good)
                fail_msg("case %zu, end %d: %s", k, end, error.message);
            if (!cases[k].good)
                assert_true(strstr(error.message, "UTF-8") && error.line == 10);
            dls_content_release(&content);
        }
}
