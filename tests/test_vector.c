/* Vectors and matrices from the files of other programs: every kind that is read, and what is wrong with those that are
 * not, by its place. */
#include "check.h"
#include "failing_memory.h"

#include "delassus/io.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static void write_file(const char *text)
{
    FILE *file;
    snprintf(path, sizeof path, "/tmp/delassus-vector-%ld", (long)getpid());
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static const dls_vector_query plain = {"lambda", NULL, false}, one = {"lambda", "solver=b", false},
                              bounds = {"hi", NULL, true};

/* Each of these is 1, -2.5, 3e-300. */
TEST(test_kinds)
{
    static const struct {
        const char *text;
        const dls_vector_query *query;
    } cases[] = {
        {"1 -2.5 3e-300", &plain},
        {"# three\n1, -2.5,\r\n3e-300 # the last\n\n", &plain},
        {"\n\n1;-2.5;3e-300", &plain},
        {"1.0D+00\n-0.25d1 3D-300\n", &plain}, /* Fortran's */
        {"[1, -2.5, 3e-300]\n", &plain},
        {"{\"solver\": \"a \\\" 1e-400\", \"lambda\": [1, -2.5, 3e-300]}", &plain},
        {"{\"solver\": \"a\", \"lambda\": [7]}\n{\"solver\": \"b\", \"lambda\": [1, -2.5, 3e-300]}\n", &one},
        {"# delassus\nrow\tlambda[N s]\tw[m/s]\n0\t1\tnan\n1\t-2.5\t0\n2\t3e-300\t0\n", &plain},
        {"lambda_n,lambda\n9,1\n9,-2.5\n9,3e-300\n", &plain},
        {"i  lambda   solver\n0  7  a\n1  1  b\n2 -2.5  b\n# between\n3 3e-300 b", &one},
        {"%%MatrixMarket matrix array real general\n% a comment\n%\n3 1\n1\n-2.5\n3e-300\n", &plain},
        {"%%matrixmarket Matrix coordinate Real general\n1 3 3\n1 3 3e-300\n1 1 1\n1 2 -2.5\n", &plain},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double *values;
        size_t n;
        dls_error error;
        write_file(cases[k].text);
        assert_status(dls_vector_read(path, cases[k].query, &n, &values, &error), &error);
        assert_int_equal(n, 3);
        assert_true(values[0] == 1.0 && values[1] == -2.5 && values[2] == 3e-300);
        free(values);
    }
}

TEST(test_infinite_numbers)
{
    dls_error error;
    double *values;
    size_t n;
    write_file("lo hi\n0 inf\n-inf 2\n");
    assert_status(dls_vector_read(path, &bounds, &n, &values, &error), &error);
    assert_true(n == 2 && isinf(values[0]) && values[1] == 2.0);
    free(values);
}

TEST(test_what_is_wrong)
{
    static const struct {
        const char *text;
        const dls_vector_query *query;
        const char *words;
    } cases[] = {
        {"", &plain, "the file is empty"},
        {"# nothing\n\n", &plain, "holds no number"},
        {"[]", &plain, "holds no number"},
        {"1 2 x", &plain, ":1:5: 'x' is not a number"},
        {"1 nan", &plain, ":1:3: 'nan' is not a finite number"},
        {"1\ninf", &plain, ":2:1: 'inf' is not a finite number"},
        {"1 1e-400", &plain, ":1:3: '1e-400' is too small"},
        {"1 1e400", &plain, ":1:3: "},
        {"\xef\xbb\xbf"
         "1 2",
         &plain, "byte order mark"},
        {"[1, 2", &plain, "no valid JSON"},
        {"[1, \"2\"]", &plain, "entry 2 is no number"},
        {"[1, null]", &plain, "entry 2 is null"},
        {"[1,\n 1e-400]", &plain, ":2:2: '1e-400' is too small"},
        {"{\"w\": [1]}", &plain, "lambda: the object has no such array"},
        {"{\"lambda\": 1}", &plain, "lambda: the object has no such array"},
        {"{\"lambda\": [1]}\n{\"lambda\": [2]}", &plain, ":2:1: lambda: a second vector"},
        {"{\"solver\": \"a\", \"lambda\": [1]}", &one, "holds no number for which this is so"},
        {"row\tlambda\n0\t1\n1\n", &plain, ":3:1: the line has 1 cells, and the line of names 2"},
        {"row,lambda,w\n0,1,2\n\"1,5\",2,3\n", &plain, ":3:1: the line has 4 cells, and the line of names 3"},
        {"row lambda\n0 1 \n 1  2\t3\n", &plain, "the line has 3 cells, and the line of names 2"},
        {"lambda\tsolver\n1\ta\n2\n", &one, ":3:1: the line has 1 cells, and the line of names 2"},
        {"row\tlambda\n0\t1\n1\tnan\n", &plain, ":3:3: lambda: 'nan' is not a finite number"},
        {"row\tlambda\n0\t1e-400\n", &plain, ":2:3: lambda: '1e-400' is too small"},
        {"row\tlambda\tw\n0\t\t1\n", &plain, ":2:3: lambda: an empty cell"},
        {"row\tlambda\n0\t1 2\n", &plain, "lambda: '1 2' is not a number"},
        {"row\tlambda\n0\t-\n", &plain, ":2:3: lambda: '-' is not a number"},
        {"row\tlamda\n0\t1\n", &plain, "lambda: no such column; the columns are row, lamda"},
        {"row\tlambda\n0\t1\n", &one, "solver: no such column"},
        {"%%MatrixMarket matrix array real general\n2 2\n1 2 3 4\n", &plain, "a matrix of 2 x 2"},
        {"%%MatrixMarket matrix array complex general\n1 1\n1 0\n", &plain, ":1:29: field: 'complex' is not read"},
        {"%%MatrixMarket matrix array real general\n3 1\n1 2\n", &plain, ":4:1: entry: missing"},
        {"%%MatrixMarket matrix array real general\n2 1\n1 2 3\n", &plain, ":3:5: something follows the last entry"},
        {"%%MatrixMarket matrix array real general\n2 1\n1 inf\n", &plain, ":3:3: entry: 'inf' is not a finite"},
        {"%%MatrixMarket matrix coordinate real general\n2 1 2\n1 1 1\n1 1 2\n", &plain, "entry (1, 1) is given twice"},
        {"%%MatrixMarket matrix coordinate real general\n2 1 1\n0 1 1\n", &plain, "counted from 1"},
        {"%%MatrixMarket matrix coordinate real general\n2 1 1\n3 1 1\n", &plain, "3 is more than the 2"},
        {"%%MatrixMarket matrix array real general\n100000000 1\n1\n", &plain, "do not stand in this file"},
        {"%%MatrixMarket matrix coordinate real general\n100000 100000 0\n", &plain, "at most 134217728 entries"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double *values;
        size_t n;
        dls_error error = {.message = ""};
        char text[DLS_PATH_MAX + DLS_MESSAGE_MAX];
        write_file(cases[k].text);
        assert_int_not_equal(dls_vector_read(path, cases[k].query, &n, &values, &error), DLS_OK);
        assert_true(n == 0 && !values);
        dls_error_format(&error, text, sizeof text);
        if (!strstr(text, cases[k].words))
            fail_msg("case %zu: '%s' does not say '%s'", k, text, cases[k].words);
    }
}

TEST(test_matrices)
{
    static const struct {
        const char *text;
        double entries[4];
    } cases[] = {
        {"%%MatrixMarket matrix array integer general\n2 2\n1 2 3 4\n", {1, 2, 3, 4}},
        {"%%MatrixMarket matrix array real symmetric\n2 2\n1 2 4\n", {1, 2, 2, 4}},
        {"%%MatrixMarket matrix array real skew-symmetric\n2 2\n2\n", {0, 2, -2, 0}},
        {"%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n2 1 5\n2 2 7\n", {0, 5, 5, 7}},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 5\n", {0, 5, -5, 0}},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 5\n", {0, 0, 5, 0}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        size_t rows, columns;
        double *values;
        dls_error error;
        assert_status(
            dls_matrix_market_parse(cases[k].text, strlen(cases[k].text), "A", false, &rows, &columns, &values, &error),
            &error);
        assert_true(rows == 2 && columns == 2);
        for (size_t i = 0; i < 4; i++)
            assert_true(values[i] == cases[k].entries[i]);
        free(values);
    }
}

/* The library reads its own files back to the bit. */
TEST(test_round_trip)
{
    const double A[6] = {1.0 / 3.0, -1e300, 4.9406564584124654e-324, 0.0, 2.0, 1e-17};
    size_t rows, columns, size;
    double *values;
    char *text;
    dls_error error;
    write_file("");
    assert_status(dls_matrix_market_write(path, "two\nlines", 2, 3, A, &error), &error);
    assert_status(dls_file_read(path, &text, &size, &error), &error);
    assert_status(dls_matrix_market_parse(text, size, path, false, &rows, &columns, &values, &error), &error);
    assert_true(rows == 2 && columns == 3);
    assert_memory_equal(values, A, sizeof A);
    free(values);
    free(text);
}

/* jansson's own memory is not seen here. */
TEST(test_every_allocation_may_fail)
{
    static const char *const texts[] = {"1 2 3 4 5 6 7 8 9 10", "row lambda\n1 2\n",
                                        "%%MatrixMarket matrix coordinate real general\n2 1 1\n1 1 1\n"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        double *values;
        size_t n, needed;
        dls_error error;
        write_file(texts[k]);
        allocations = fail_at = 0;
        assert_status(dls_vector_read(path, &plain, &n, &values, &error), &error);
        free(values);
        needed = allocations;
        assert_true(needed >= 2);
        for (size_t i = 1; i <= needed; i++) {
            const long before = live;
            allocations = 0, fail_at = i;
            dls_status status = dls_vector_read(path, &plain, &n, &values, &error);
            fail_at = 0;
            assert_int_equal(status, DLS_NO_MEMORY);
            assert_int_equal(live, before);
        }
    }
}

/* A problem as a set of files: one contact in a box, one under the cone, and a row between bounds. */
static void write_set(const char *without)
{
    static const struct {
        const char *part, *text;
    } parts[] = {
        {"A", "7 7\n2 0 0 0 0 0 0  0 2 0 0 0 0 0  0 0 2 0 0 0 0  0 0 0 2 0 0 0  0 0 0 0 2 0 0  0 0 0 0 0 2 0  "
              "0 0 0 0 0 0 2\n"},
        {"b", "7 1\n1 2 3 4 5 6 7\n"},
        {"lo", "7 1\n0 0 0 0 0 0 -1\n"},
        {"hi", "7 1\ninf 0 inf 0 0 0 3\n"},
        {"coupling", "7 3\n0 1 0 3 3 0 0  0 0.5 0 0.25 0.25 0 0  0 0 0 1 1 0 0\n"},
    };
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        char name[80];
        snprintf(name, sizeof name, "/tmp/delassus-vector-%ld.%s.mtx", (long)getpid(), parts[k].part);
        unlink(name);
        if (strcmp(parts[k].part, without) == 0)
            continue;
        FILE *file = fopen(name, "w");
        assert_non_null(file);
        fprintf(file, "%%%%MatrixMarket matrix array real general\n%s", parts[k].text);
        fclose(file);
    }
}

static dls_status load_set(dls_content *content, dls_error *error)
{
    char name[80];
    snprintf(name, sizeof name, "/tmp/delassus-vector-%ld.A.mtx", (long)getpid());
    return dls_file_load(name, NULL, content, error);
}

static void remove_set(void)
{
    static const char *const parts[] = {"A", "b", "lo", "hi", "coupling"};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        char name[80];
        snprintf(name, sizeof name, "/tmp/delassus-vector-%ld.%s.mtx", (long)getpid(), parts[k]);
        unlink(name);
    }
}

TEST(test_problem_of_matrices)
{
    dls_content content;
    dls_error error;
    write_set("");
    assert_status(load_set(&content, &error), &error);
    const dls_problem *p = content.problem;
    assert_string_equal(content.format->name, "matrix-market");
    assert_true(p->n == 7 && p->n_coupled == 3 && p->n_cone == 2 && dls_problem_is_cone(p, 2));
    assert_true(p->parent[1] == 0 && p->law[1] == DLS_LAW_BOX && p->mu[1] == 0.5 && p->mu[4] == 0.25);
    assert_true(p->lo[6] == -1.0 && p->hi[6] == 3.0 && isinf(p->hi[0]) && p->c[6] == -7.0);
    dls_content_release(&content);
    write_set("coupling"); /* then rows 1, 3, 4 have the bounds 0, 0 of the files */
    assert_status(load_set(&content, &error), &error);
    assert_true(content.problem->n_coupled == 0 && content.problem->hi[1] == 0.0);
    dls_content_release(&content);
    write_set("hi"); /* a bound that is not given is none */
    assert_status(load_set(&content, &error), &error);
    assert_true(isinf(content.problem->hi[6]) && content.problem->lo[6] == -1.0);
    dls_content_release(&content);
    write_set("b");
    assert_int_equal(load_set(&content, &error), DLS_IO);
    write_set("");
    allocations = fail_at = 0;
    assert_status(load_set(&content, &error), &error);
    dls_content_release(&content);
    const size_t needed = allocations;
    for (size_t i = 1; i <= needed; i++) {
        const long before = live;
        allocations = 0, fail_at = i;
        dls_status status = load_set(&content, &error);
        fail_at = 0;
        assert_int_equal(status, DLS_NO_MEMORY);
        assert_int_equal(live, before);
    }
    remove_set();
}

static int remove_file(void **unused)
{
    (void)unused;
    unlink(path);
    return 0;
}

TESTS_WITH(NULL, remove_file)
