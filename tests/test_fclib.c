/* FCLIB's files: the published one, its stored "solution", which is none, and what we write comes back. */
#include "cones.h"
#include "direct_solve.h"
#include "published.h"

#include "delassus/table.h"

#include <string.h>
#include <unistd.h>

#ifdef TEST_HDF5
#include "failing_memory.h"

#include "io/hdf5_file.h"
#endif

static const char path[] = "test_fclib.hdf5";

static dls_problem *read_file(const char *name, double **stored)
{
    dls_content content;
    dls_error error;
    assert_status(dls_file_load(name, NULL, &content, &error), &error);
    *stored = content.stored;
    return content.problem;
}

TEST(test_published_file)
{
    char name[DLS_PATH_MAX];
    double *stored;
    dls_report report = {0};
    data_path(name, "fclib/local_problem_test.hdf5");
    if (!dls_hdf5_available() || access(name, R_OK) != 0)
        skip();
    dls_problem *p = read_file(name, &stored);
    assert_int_equal(p->n, 144);
    assert_int_equal(p->n_cone, 96);
    assert_int_equal(p->J.coef_at[p->J.n_blocks], 4896);
    assert_non_null(stored);
    assert_true(cone_certify(p, stored).natural_residual > 1e-3); /* zeros: contacts approach */
    double *lambda = test_calloc(p->n, sizeof *lambda), *w = test_calloc(p->n, sizeof *w);
    direct_solve("cone-newton", p, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SOLVED, name);
    assert_below(direct_examine(p, lambda, w), 1e-12);
    dls_report_release(&report);
    test_free(lambda), test_free(w);
    free(stored);
    dls_problem_destroy(p);
}

static double entry_of(const dls_problem *p, size_t i, size_t j)
{
    double *e = test_calloc(p->n, sizeof *e);
    e[j] = 1.0;
    double a = dls_rows_dot(&p->J, i, e) + (i == j ? p->gamma[i] : 0.0);
    test_free(e);
    return a;
}

TEST(test_what_is_written_comes_back)
{
    enum { CONTACTS = 4, N = 3 * CONTACTS };
    double lambda[N], w[N], *stored;
    dls_error error;
    if (!dls_hdf5_available())
        skip();
    dls_problem *p = cone_manufacture(CONTACTS, 3, lambda, w);
    p->J.coef[1] += 0.25; /* not symmetric: rows are not columns */
    for (size_t c = 0; c < CONTACTS; c++)
        p->hi[3 * c] = HUGE_VAL;
    assert_status(dls_file_write(p, lambda, "fclib", path, NULL, &error), &error);
    dls_problem *back = read_file(path, &stored);
    assert_int_equal(back->n, N);
    for (size_t i = 0; i < N; i++) {
        assert_close(stored[i], lambda[i], 0.0);
        assert_close(back->c[i], p->c[i], 0.0);
        assert_close(back->mu[i], p->mu[i], 0.0);
        for (size_t j = 0; j < N; j++)
            assert_close(entry_of(back, i, j), entry_of(p, i, j), 0.0);
    }
    free(stored);
    dls_problem_destroy(back);
    assert_status(dls_file_write(p, NULL, "fclib", path, NULL, &error), &error);
    back = read_file(path, &stored);
    assert_null(stored);
    dls_problem_destroy(back);
    unlink(path);
    p->hi[0] = 3.0;
    assert_int_equal(dls_file_write(p, NULL, "fclib", path, NULL, &error), DLS_REFUSED);
    dls_problem_destroy(p);
}

#ifdef TEST_HDF5
static void put_again(hid_t file, const char *name, hid_t stored, hid_t type, hsize_t count, const void *values)
{
    hid_t space = H5Screate_simple(1, &count, NULL);
    if (H5Lexists(file, name, H5P_DEFAULT) > 0)
        assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    hid_t set = H5Dcreate2(file, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    assert_true(H5Dclose(set) >= 0 && H5Sclose(space) >= 0);
}

/* Five contacts of three rows made three of five: with mu_r they are read, under both names of the group; without it,
 * and mu_r of contacts in dimension 3, they are refused. */
TEST(test_rolling_local)
{
    enum { N = 15, ROLLING = 3 };
    static const double mu[ROLLING] = {0.5, 0.25, 0.125}, mu_r[ROLLING] = {0.1, 0.2, 0.3};
    static const struct {
        int dimension;
        bool rolling, moved; /* mu_r is there; /fclib_local_rolling */
    } cases[] = {{5, true, false}, {5, true, true}, {5, false, false}, {3, true, false}};
    double lambda[N], w[N];
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        dls_error error;
        dls_content content;
        dls_problem *p = cone_manufacture(N / 3, 3, lambda, w);
        for (size_t i = 0; i < N; i += 3)
            p->hi[i] = HUGE_VAL;
        assert_status(dls_file_write(p, NULL, "fclib", path, NULL, &error), &error);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(file >= 0);
        put_again(file, "/fclib_local/spacedim", H5T_STD_I32LE, H5T_NATIVE_INT, 1, &cases[k].dimension);
        if (cases[k].dimension == 5)
            put_again(file, "/fclib_local/vectors/mu", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, ROLLING, mu);
        if (cases[k].rolling)
            put_again(file, "/fclib_local/vectors/mu_r", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, ROLLING, mu_r);
        if (cases[k].moved)
            assert_true(H5Lmove(file, "/fclib_local", file, "/fclib_local_rolling", H5P_DEFAULT, H5P_DEFAULT) >= 0);
        assert_true(H5Fclose(file) >= 0);
        const dls_status status = dls_file_load(path, NULL, &content, &error);
        assert_int_equal(status, k < 2 ? DLS_OK : DLS_REFUSED);
        for (size_t i = 0; k < 2 && i < N; i++) {
            const dls_problem *back = content.problem;
            assert_int_equal(dls_problem_discs(back, i), i % 5 == 0 ? 2 : 0);
            assert_close(back->mu[i], i % 5 == 0 ? 0.0 : i % 5 < 3 ? mu[i / 5] : mu_r[i / 5], 0.0);
            assert_close(back->c[i], p->c[i], 0.0);
        }
        dls_content_release(&content);
        dls_problem_destroy(p);
        unlink(path);
    }
}

/* q as long doubles, one of which would become 0. */
TEST(test_wide_numbers)
{
    enum { CONTACTS = 1, N = 3 };
    static const char name[] = "/fclib_local/vectors/q";
    const long double q[N] = {1e-400L, 1.0L, 2.0L};
    const hsize_t extent = N;
    double lambda[N], w[N];
    dls_error error;
    dls_content content;
    dls_problem *p = cone_manufacture(CONTACTS, 3, lambda, w);
    p->hi[0] = HUGE_VAL;
    assert_status(dls_file_write(p, NULL, "fclib", path, NULL, &error), &error);
    dls_problem_destroy(p);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate_simple(1, &extent, NULL);
    assert_true(file >= 0 && H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    hid_t set = H5Dcreate2(file, name, H5T_NATIVE_LDOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, H5T_NATIVE_LDOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, q) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Fclose(file);
    const bool wide = sizeof(long double) > sizeof(double);
    assert_int_equal(dls_file_load(path, "fclib", &content, &error), wide ? DLS_BAD_INPUT : DLS_OK);
    if (wide)
        assert_non_null(strstr(error.message, "wider than 64 bits"));
    dls_content_release(&content);
    unlink(path);
}

/* --- the ways to store W, and what may be wrong --- */

static void put_values(hid_t file, const char *name, hid_t type, size_t count, const double *values)
{
    const hsize_t extent = count;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(set);
    H5Sclose(space);
}

/* Replaces a dataset of the file; count 0: only removes it. */
static void replace(const char *name, hid_t type, size_t count, const double *values)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0 && H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    if (count > 0)
        put_values(file, name, type, count, values);
    H5Fclose(file);
}

static void write_one_contact(void)
{
    double lambda[3], w[3];
    dls_error error;
    dls_problem *p = cone_manufacture(1, 3, lambda, w);
    p->hi[0] = HUGE_VAL;
    assert_status(dls_file_write(p, lambda, "fclib", path, NULL, &error), &error);
    dls_problem_destroy(p);
}

/* W = [3 0.5 0; 0 2 0; 0.25 0 1] by columns, by rows, and as triplets in any order, one of which adds to another. */
TEST(test_storage)
{
    static const double W[3][3] = {{3, 0.5, 0}, {0, 2, 0}, {0.25, 0, 1}};
    static const struct {
        double nz;
        size_t n_p, n_i;
        double p[8], i[8], x[8];
    } ways[] = {
        {-1, 4, 5, {0, 2, 4, 5}, {0, 2, 0, 1, 2}, {3, 0.25, 0.5, 2, 1}},
        {-2, 4, 5, {0, 2, 3, 5}, {0, 1, 1, 0, 2}, {3, 0.5, 2, 0.25, 1}},
        {6, 6, 6, {0, 0, 1, 1, 2, 0}, {2, 0, 0, 1, 2, 0}, {0.25, 1, 0.5, 2, 1, 2}},
    };
    for (size_t k = 0; k < 3; k++) {
        double *stored;
        write_one_contact();
        replace("/fclib_local/W/nz", H5T_STD_I32LE, 1, &ways[k].nz);
        replace("/fclib_local/W/p", H5T_STD_I32LE, ways[k].n_p, ways[k].p);
        replace("/fclib_local/W/i", H5T_STD_I32LE, ways[k].n_i, ways[k].i);
        replace("/fclib_local/W/x", H5T_IEEE_F64LE, ways[k].n_i, ways[k].x);
        dls_problem *p = read_file(path, &stored);
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < 3; j++)
                assert_true(entry_of(p, i, j) == W[i][j]);
        free(stored);
        dls_problem_destroy(p);
    }
    unlink(path);
}

/* One dataset of a good file is another one: an error that names it, and nothing else. */
TEST(test_wrong_datasets)
{
    static const struct {
        const char *name;
        bool real;
        size_t count;
        double values[8];
        dls_status status;
        const char *said;
    } wrong[] = {
        {"/fclib_local/spacedim", false, 1, {4}, DLS_REFUSED, "dimension 4"},
        {"/fclib_local/spacedim", false, 1, {2}, DLS_BAD_INPUT, "no whole number of contacts"},
        {"/fclib_local/spacedim", false, 2, {3, 3}, DLS_BAD_INPUT, "must be one number"},
        {"/fclib_local/spacedim", true, 1, {3}, DLS_BAD_INPUT, "not an array of numbers"},
        {"/fclib_local/spacedim", false, 0, {0}, DLS_BAD_INPUT, "not there"},
        {"/fclib_local/W/m", false, 1, {6}, DLS_BAD_INPUT, "6 x 3"},
        {"/fclib_local/W/n", false, 1, {-3}, DLS_BAD_INPUT, "3 x -3"},
        {"/fclib_local/W/nz", false, 1, {-3}, DLS_BAD_INPUT, "-2, -1 or a number of triplets"},
        {"/fclib_local/W/nz", false, 1, {100}, DLS_BAD_INPUT, "point nowhere"},
        {"/fclib_local/W/p", false, 3, {0, 3, 6}, DLS_BAD_INPUT, "point nowhere"},
        {"/fclib_local/W/p", false, 4, {1, 3, 6, 9}, DLS_BAD_INPUT, "point nowhere"},
        {"/fclib_local/W/p", false, 4, {0, 3, 6, 10}, DLS_BAD_INPUT, "point nowhere"},
        {"/fclib_local/W/p", false, 4, {0, 6, 3, 9}, DLS_BAD_INPUT, "point nowhere"},
        {"/fclib_local/W/p", false, 4, {0, 30, 6, 9}, DLS_BAD_INPUT, "point nowhere"},
        {"/fclib_local/W/p", false, 4, {0, -1, 6, 9}, DLS_BAD_INPUT, "point nowhere"},
        {"/fclib_local/W/x", true, 4, {0}, DLS_BAD_INPUT, "4 numbers instead of"},
        {"/fclib_local/W/x", false, 4, {0}, DLS_BAD_INPUT, "not an array of numbers"},
        {"/fclib_local/vectors/q", true, 2, {1, 2}, DLS_BAD_INPUT, "2 numbers instead of 3"},
        {"/fclib_local/vectors/q", true, 3, {1, HUGE_VAL, 2}, DLS_NOT_FINITE, ""},
        {"/fclib_local/vectors/mu", true, 1, {-0.1}, DLS_BAD_INPUT, "-0.1"},
        {"/fclib_local/vectors/mu", true, 1, {NAN}, DLS_BAD_INPUT, "nan"},
        {"/fclib_local/vectors/mu", true, 1, {HUGE_VAL}, DLS_BAD_INPUT, "inf"},
        {"/fclib_local/vectors/mu", true, 0, {0}, DLS_BAD_INPUT, "not there"},
        {"/solution/r", true, 5, {0}, DLS_BAD_INPUT, "5 numbers instead of 3"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        dls_content content;
        dls_error error;
        write_one_contact();
        replace(wrong[k].name, wrong[k].real ? H5T_IEEE_F64LE : H5T_STD_I32LE, wrong[k].count, wrong[k].values);
        const dls_status status = dls_file_load(path, "fclib", &content, &error);
        if (status != wrong[k].status || !strstr(error.message, wrong[k].said))
            fail_msg("%s, case %zu: status %d, '%s'", wrong[k].name, k, (int)status, error.message);
        assert_null(content.problem);
        assert_null(content.stored);
    }
    unlink(path);
}

/* An array that says more numbers than a file can have, none of which is stored, and one without a place for numbers.
 */
TEST(test_extents)
{
    static const char name[] = "/fclib_local/vectors/q";
    const hsize_t huge = (hsize_t)1 << 40;
    for (int none = 0; none < 2; none++) {
        dls_content content;
        dls_error error;
        write_one_contact();
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        hid_t space = none ? H5Screate(H5S_NULL) : H5Screate_simple(1, &huge, NULL);
        assert_true(file >= 0 && H5Ldelete(file, name, H5P_DEFAULT) >= 0);
        hid_t set = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(set >= 0);
        H5Dclose(set);
        H5Sclose(space);
        H5Fclose(file);
        assert_int_equal(dls_file_load(path, "fclib", &content, &error), DLS_BAD_INPUT);
        assert_string_equal(error.key, name);
        assert_non_null(strstr(error.message, none ? "has 0 numbers instead of 3" : "is not an array of numbers"));
        assert_null(content.problem);
    }
    unlink(path);
}

TEST(test_triplets_that_point_nowhere)
{
    static const double three = 3, at[3] = {0, 1, 2}, out[3] = {0, 1, 3}, below[3] = {0, -1, 2}, ones[3] = {1, 1, 1};
    static const struct {
        const double *p, *i;
        size_t n_p;
    } wrong[] = {{at, out, 3}, {out, at, 3}, {at, below, 3}, {below, at, 3}, {at, at, 2}};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        dls_content content;
        dls_error error;
        write_one_contact();
        replace("/fclib_local/W/nz", H5T_STD_I32LE, 1, &three);
        replace("/fclib_local/W/p", H5T_STD_I32LE, wrong[k].n_p, wrong[k].p);
        replace("/fclib_local/W/i", H5T_STD_I32LE, 3, wrong[k].i);
        replace("/fclib_local/W/x", H5T_IEEE_F64LE, 3, ones);
        assert_int_equal(dls_file_load(path, "fclib", &content, &error), DLS_BAD_INPUT);
        assert_non_null(strstr(error.message, "point nowhere"));
    }
    unlink(path);
}

/* The numbers of a dataset, of which there are `count`. */
static void get_values(const char *name, size_t count, double *values)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t space = H5Dget_space(set);
    assert_int_equal(H5Sget_simple_extent_npoints(space), count);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
}

/* The file as other programs read it: u = W r + q, the sizes, and so many entries as W has that are not 0. */
TEST(test_what_other_programs_read)
{
    enum { CONTACTS = 3, N = 3 * CONTACTS };
    double lambda[N], w[N], u[N], r[N], q[N], mu[CONTACTS], one[1], p_of[N + 1], i_of[N * N], x[N * N];
    dls_error error;
    dls_problem *p = cone_manufacture(CONTACTS, 5, lambda, w);
    for (size_t c = 0; c < CONTACTS; c++) {
        p->hi[3 * c] = HUGE_VAL;
        p->mu[3 * c + 1] = p->mu[3 * c + 2] = 0.25 * (double)(c + 1);
    }
    for (size_t i = 0; i < N; i++)
        lambda[i] = (double)(i + 1);
    assert_status(dls_file_write(p, lambda, "fclib", path, NULL, &error), &error);
    get_values("/solution/r", N, r), get_values("/solution/u", N, u);
    get_values("/fclib_local/vectors/q", N, q), get_values("/fclib_local/vectors/mu", CONTACTS, mu);
    size_t count = 0;
    for (size_t i = 0; i < N; i++) {
        double expected = -p->c[i], size = fabs(p->c[i]);
        for (size_t j = 0; j < N; j++) {
            const double a = entry_of(p, i, j);
            expected += a * lambda[j], size += fabs(a * lambda[j]);
            count += a != 0.0;
        }
        assert_close(u[i], expected, 1e-14 * size);
        assert_true(r[i] == lambda[i] && q[i] == -p->c[i]);
    }
    for (size_t c = 0; c < CONTACTS; c++)
        assert_close(mu[c], 0.25 * (double)(c + 1), 0.0);
    static const char *const sizes[] = {"m", "n", "nz", "nzmax"};
    const double expected[] = {N, N, -1, (double)count};
    for (size_t k = 0; k < 4; k++) {
        char name[64];
        snprintf(name, sizeof name, "/fclib_local/W/%s", sizes[k]);
        get_values(name, 1, one);
        assert_close(one[0], expected[k], 0.0);
    }
    get_values("/fclib_local/spacedim", 1, one);
    assert_close(one[0], 3.0, 0.0);
    get_values("/fclib_local/W/p", N + 1, p_of), get_values("/fclib_local/W/i", count, i_of);
    get_values("/fclib_local/W/x", count, x);
    assert_true(p_of[0] == 0.0 && p_of[N] == (double)count);
    for (size_t j = 0; j < N; j++)
        for (size_t k = (size_t)p_of[j]; k < (size_t)p_of[j + 1]; k++)
            assert_true(x[k] == entry_of(p, (size_t)i_of[k], j) && x[k] != 0.0);
    dls_problem_destroy(p);
    unlink(path);
}

/* A group of a matrix, dense by columns without its zeros. */
static void put_sparse(hid_t file, const char *name, size_t m, size_t n, const double *values)
{
    char member[64];
    double p[16] = {0}, rows[64], x[64];
    const double size[2] = {(double)m, (double)n}, compressed = -1;
    size_t count = 0;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < m; i++)
            if (values[i + m * j] != 0.0)
                rows[count] = (double)i, x[count++] = values[i + m * j];
        p[j + 1] = (double)count;
    }
    H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    const struct {
        const char *name;
        bool real;
        size_t count;
        const double *values;
    } members[] = {{"m", false, 1, &size[0]}, {"n", false, 1, &size[1]}, {"nz", false, 1, &compressed},
                   {"p", false, n + 1, p},    {"i", false, count, rows}, {"x", true, count, x}};
    for (size_t k = 0; k < sizeof members / sizeof members[0]; k++) {
        snprintf(member, sizeof member, "%s/%s", name, members[k].name);
        put_values(file, member, members[k].real ? H5T_IEEE_F64LE : H5T_STD_I32LE, members[k].count, members[k].values);
    }
}

/* u = W r + V l + q, V^T r + R l + s = 0: free rows behind the contacts. And the global form of the same with M = 1:
 * H^T H = W, H^T G = V, G^T G = R. */
static const double equations_W[] = {1.25, 0, -.125, 0, 1, 0, -.125, 0, 1.0625}, equations_V[] = {.5, 2, -.25},
                    equations_R[] = {5}, equations_q[] = {-1, 2, 3}, equations_s[] = {7};

static void write_equations(bool global)
{
    static const double H[] = {1, 0, 0, .5, 0, 1, 0, 0, 0, 0, 1, -.25},
                        G[] = {0, 2, 0, 1}, /* by columns, 4 velocities */
        M[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const double mu[] = {.5}, zero[] = {0, 0, 0, 0}, three = 3, r[] = {1, 2, 3}, l[] = {4};
    const char *form = global ? "/fclib_global" : "/fclib_local";
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    char name[64];
    H5Gclose(H5Gcreate2(file, form, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    snprintf(name, sizeof name, "%s/vectors", form);
    H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Gclose(H5Gcreate2(file, "/solution", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    snprintf(name, sizeof name, "%s/spacedim", form);
    put_values(file, name, H5T_STD_I32LE, 1, &three);
    snprintf(name, sizeof name, "%s/vectors/mu", form);
    put_values(file, name, H5T_IEEE_F64LE, 1, mu);
    put_values(file, "/solution/r", H5T_IEEE_F64LE, 3, r);
    put_values(file, "/solution/l", H5T_IEEE_F64LE, 1, l);
    if (global) {
        put_sparse(file, "/fclib_global/M", 4, 4, M);
        put_sparse(file, "/fclib_global/H", 4, 3, H);
        put_sparse(file, "/fclib_global/G", 4, 1, G);
        put_values(file, "/fclib_global/vectors/f", H5T_IEEE_F64LE, 4, zero);
        put_values(file, "/fclib_global/vectors/w", H5T_IEEE_F64LE, 3, equations_q);
        put_values(file, "/fclib_global/vectors/b", H5T_IEEE_F64LE, 1, equations_s);
    } else {
        put_sparse(file, "/fclib_local/W", 3, 3, equations_W);
        put_sparse(file, "/fclib_local/V", 3, 1, equations_V);
        put_sparse(file, "/fclib_local/R", 1, 1, equations_R);
        put_values(file, "/fclib_local/vectors/q", H5T_IEEE_F64LE, 3, equations_q);
        put_values(file, "/fclib_local/vectors/s", H5T_IEEE_F64LE, 1, equations_s);
    }
    H5Fclose(file);
}

TEST(test_equations_beside_contacts)
{
    for (int global = 0; global < 2; global++) {
        write_equations(global);
        dls_content content;
        dls_problem *p;
        dls_error error;
        assert_status(dls_file_load(path, NULL, &content, &error), &error);
        assert_int_equal(content.problem->form, global ? DLS_FORM_MECHANICAL : DLS_FORM_MATRIX);
        assert_status(dls_problem_matrix_form(content.problem, &p, &error), &error);
        assert_int_equal(p->n, 4);
        for (size_t i = 0; i < 4; i++) { /* all are sums of powers of two: exact */
            for (size_t j = 0; j < 4; j++)
                assert_close(entry_of(p, i, j),
                             i < 3 && j < 3 ? equations_W[i + 3 * j]
                             : i < 3        ? equations_V[i]
                             : j < 3        ? equations_V[j]
                                            : equations_R[0],
                             0.0);
            assert_close(p->c[i], i < 3 ? -equations_q[i] : -equations_s[0], 0.0);
            assert_close(content.stored[i], (double)i + 1.0, 0.0);
        }
        assert_true(p->lo[3] == -HUGE_VAL && p->hi[3] == HUGE_VAL && p->lo[0] == 0.0 && p->n_cone == 2);
        assert_string_equal(dls_problem_label(p, 3), "equation");
        dls_problem_destroy(p);
        dls_content_release(&content);
    }
    unlink(path);
}

/* Each dataset of a file with equations is missing, or has the wrong size, or an index that points nowhere. */
TEST(test_wrong_equations)
{
    static const struct {
        bool global;
        const char *name;
        bool real;
        size_t count;
        double value;
        const char *said;
    } wrong[] = {
        {false, "/fclib_local/R/m", false, 1, 2, "R 2 x 1"},
        {false, "/fclib_local/R/n", false, 1, 2, "R 1 x 2"},
        {false, "/fclib_local/R/m", false, 0, 0, "is not there"},
        {false, "/fclib_local/V/m", false, 1, 4, "is 4 x 1"},
        {false, "/fclib_local/V/n", false, 1, 2, "is 3 x 2"},
        {false, "/fclib_local/V/nz", false, 1, 9, "point nowhere"},
        {false, "/fclib_local/R/nz", false, 1, 9, "point nowhere"},
        {false, "/fclib_local/W/m", false, 1, -3, "is -3 x 3"},
        {false, "/fclib_local/vectors/s", true, 0, 0, "is not there"},
        {true, "/fclib_global/M/x", true, 0, 0, "is not there"},
        {true, "/fclib_global/H/x", true, 0, 0, "is not there"},
        {true, "/fclib_global/G/x", true, 0, 0, "is not there"},
        {true, "/fclib_global/M/m", false, 1, 5, "M is 5 x 4"},
        {true, "/fclib_global/H/m", false, 1, 5, "H 5 x 3"},
        {true, "/fclib_global/G/m", false, 1, 5, "G 5 x 1"},
        {true, "/fclib_global/M/nz", false, 1, 9, "point nowhere"},
        {true, "/fclib_global/H/nz", false, 1, 9, "point nowhere"},
        {true, "/fclib_global/G/nz", false, 1, 9, "point nowhere"},
        {true, "/fclib_global/vectors/f", true, 1, 0, "has 1 numbers instead of 4"},
        {true, "/fclib_global/vectors/w", true, 1, 0, "has 1 numbers instead of 3"},
        {true, "/fclib_global/vectors/b", true, 0, 0, "is not there"},
        {true, "/fclib_global/spacedim", false, 0, 0, "is not there"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        dls_content content;
        dls_error error;
        write_equations(wrong[k].global);
        replace(wrong[k].name, wrong[k].real ? H5T_IEEE_F64LE : H5T_STD_I32LE, wrong[k].count, &wrong[k].value);
        const dls_status status = dls_file_load(path, "fclib", &content, &error);
        if (status != DLS_BAD_INPUT || !strstr(error.message, wrong[k].said) ||
            strncmp(error.key, wrong[k].name, strlen("/fclib_local")) != 0)
            fail_msg("%s, case %zu: status %d, %s: '%s'", wrong[k].name, k, (int)status, error.key, error.message);
        assert_null(content.problem);
        assert_null(content.stored);
    }
    double *stored;
    write_equations(false); /* a stored r without its l is none */
    replace("/solution/l", H5T_IEEE_F64LE, 0, NULL);
    dls_problem *p = read_file(path, &stored);
    assert_null(stored);
    dls_problem_destroy(p);
    unlink(path);
}

/* --- calls and allocations that fail --- */

static const char *failing; /* the name of the call that fails; NULL: none */
static size_t calls, failing_at;

static bool fails(const char *name) { return failing && strcmp(name, failing) == 0 && ++calls == failing_at; }

/* X(type, name, parameters, arguments): a function of HDF5, which is replaced by one that may fail. */
#define FAILING(X)                                                                                                     \
    X(hid_t, Gcreate2, (hid_t at, const char *name, hid_t links, hid_t make, hid_t use), (at, name, links, make, use)) \
    X(hid_t, Dcreate2, (hid_t at, const char *name, hid_t type, hid_t space, hid_t links, hid_t make, hid_t use),      \
      (at, name, type, space, links, make, use))                                                                       \
    X(herr_t, Dwrite, (hid_t set, hid_t type, hid_t from, hid_t to, hid_t how, const void *values),                    \
      (set, type, from, to, how, values))                                                                              \
    X(herr_t, Dread, (hid_t set, hid_t type, hid_t from, hid_t to, hid_t how, void *values),                           \
      (set, type, from, to, how, values))                                                                              \
    X(hid_t, Fcreate, (const char *name, unsigned flags, hid_t make, hid_t use), (name, flags, make, use))             \
    X(hid_t, Fopen, (const char *name, unsigned flags, hid_t use), (name, flags, use))                                 \
    X(herr_t, Fflush, (hid_t file, H5F_scope_t scope), (file, scope))                                                  \
    X(ssize_t, Fget_file_image, (hid_t file, void *image, size_t size), (file, image, size))                           \
    X(hid_t, Dopen2, (hid_t at, const char *name, hid_t use), (at, name, use))                                         \
    X(hid_t, Dget_space, (hid_t set), (set))                                                                           \
    X(hid_t, Dget_type, (hid_t set), (set))                                                                            \
    X(hssize_t, Sget_simple_extent_npoints, (hid_t space), (space))                                                    \
    X(herr_t, Pset_fapl_core, (hid_t list, size_t step, hbool_t store), (list, step, store))                           \
    X(herr_t, Pset_file_image, (hid_t list, void *image, size_t size), (list, image, size))
#define FAILING_FUNCTION(type, name, parameters, arguments) \
    static type failing_##name parameters { return fails("H5" #name) ? (type)-1 : H5##name arguments; }
FAILING(FAILING_FUNCTION)

static void replace_calls(void)
{
    static dls_hdf5_calls replaced;
    dls_error error;
    assert_status(dls_hdf5_load(path, &error), &error);
    replaced = *dls_h5;
#define FAILING_MEMBER(type, name, parameters, arguments) replaced.name = failing_##name;
    FAILING(FAILING_MEMBER)
    dls_h5 = &replaced;
}

/* The contents of a file, and an impulse for it: the local form, or the global one. */
static dls_problem *read_form(bool global, double lambda[3])
{
    double *stored, w[3];
    if (!global) {
        dls_problem *p = cone_manufacture(1, 3, lambda, w);
        p->hi[0] = HUGE_VAL;
        return p;
    }
    write_equations(true);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0 && H5Ldelete(file, "/fclib_global/G", H5P_DEFAULT) >= 0);
    H5Fclose(file);
    dls_problem *p = read_file(path, &stored);
    free(stored);
    lambda[0] = 3.0, lambda[1] = 0.5, lambda[2] = -0.25;
    return p;
}

static const char *const kinds[] = {"fclib", "fclib-global"};

/* No file is written that is not whole: there is what there was. */
TEST(test_every_call_of_writing)
{
    static const char *const names[] = {"H5Pset_fapl_core", "H5Fcreate", "H5Gcreate2",       "H5Dcreate2",
                                        "H5Dwrite",         "H5Fflush",  "H5Fget_file_image"};
    replace_calls();
    for (int global = 0; global < 2; global++) {
        double lambda[3];
        dls_error error;
        dls_problem *p = read_form(global, lambda);
        unlink(path);
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
            for (failing_at = 1;; failing_at++) {
                failing = names[k], calls = 0;
                const dls_status status = dls_file_write(p, lambda, kinds[global], path, NULL, &error);
                failing = NULL;
                if (calls < failing_at) {
                    assert_true(failing_at > 1); /* the call is made */
                    assert_status(status, &error);
                    assert_int_equal(unlink(path), 0);
                    break;
                }
                assert_int_equal(status, DLS_NO_MEMORY);
                assert_non_null(strstr(error.message, "HDF5 could not make the file"));
                assert_int_equal(access(path, F_OK), -1);
            }
        dls_problem_destroy(p);
    }
}

TEST(test_every_call_of_reading)
{
    static const char *const names[] = {
        "H5Pset_fapl_core", "H5Pset_file_image", "H5Fopen", "H5Dopen2",
        "H5Dget_space",     "H5Dget_type",       "H5Dread", "H5Sget_simple_extent_npoints"};
    replace_calls();
    for (int global = 0; global < 2; global++) {
        write_equations(global);
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
            for (failing_at = 1;; failing_at++) {
                dls_content content;
                dls_error error;
                failing = names[k], calls = 0;
                const dls_status status = dls_file_load(path, "fclib", &content, &error);
                failing = NULL;
                if (calls < failing_at) {
                    assert_true(failing_at > 1); /* the call is made */
                    assert_status(status, &error);
                    dls_content_release(&content);
                    break;
                }
                assert_int_equal(status, DLS_BAD_INPUT);
                assert_string_equal(error.file, path);
                assert_null(content.problem);
                assert_null(content.stored);
            }
    }
    unlink(path);
}

TEST(test_every_allocation)
{
    for (int global = 0; global < 2; global++) {
        double lambda[3];
        dls_error error;
        dls_problem *p = read_form(global, lambda);
        for (size_t failed = 1;; failed++) {
            unlink(path);
            const long before = live;
            allocations = 0, fail_at = failed;
            const dls_status status = dls_file_write(p, lambda, kinds[global], path, NULL, &error);
            fail_at = 0;
            assert_int_equal(live, before);
            if (status == DLS_OK)
                break;
            assert_int_equal(status, DLS_NO_MEMORY);
            assert_int_equal(access(path, F_OK), -1);
        }
        dls_problem_destroy(p);
        write_equations(global);
        for (size_t failed = 1;; failed++) {
            dls_content content;
            const long before = live;
            allocations = 0, fail_at = failed;
            const dls_status status = dls_file_load(path, "fclib", &content, &error);
            fail_at = 0;
            if (status == DLS_OK) {
                assert_true(failed > 5);
                dls_content_release(&content);
                break;
            }
            assert_int_equal(status, DLS_NO_MEMORY);
            assert_int_equal(live, before);
            assert_null(content.problem);
            assert_null(content.stored);
        }
    }
    unlink(path);
}

/* Equations beside the contacts (V), a file without the local form, one in a folder that is a file. */
TEST(test_other_files)
{
    double lambda[3], w[3];
    dls_content content;
    dls_error error;
    write_one_contact();
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Gclose(H5Gcreate2(file, "/fclib_local/V", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Fclose(file);
    assert_int_equal(dls_file_load(path, "fclib", &content, &error), DLS_BAD_INPUT);
    assert_string_equal(error.key, "/fclib_local/V/m");
    file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, "/fclib_local", H5P_DEFAULT) >= 0);
    H5Fclose(file);
    assert_int_equal(dls_file_load(path, "fclib", &content, &error), DLS_BAD_INPUT);
    assert_non_null(strstr(error.message, "neither is /fclib_global"));
    dls_problem *p = cone_manufacture(1, 3, lambda, w);
    p->hi[0] = HUGE_VAL;
    assert_int_equal(dls_file_write(p, NULL, "fclib", "test_fclib.hdf5/in.hdf5", NULL, &error), DLS_NOT_WRITTEN);
    assert_string_not_equal(error.message, "");
    dls_problem_destroy(p);
    unlink(path);
}
#endif

/* A file cut short anywhere is an error. (What HDF5 makes of changed bytes is its own affair.) */
TEST(test_files_cut_short)
{
    enum { CONTACTS = 1, N = 3 };
    double lambda[N], w[N];
    dls_error error;
    if (!dls_hdf5_available())
        skip();
    dls_problem *p = cone_manufacture(CONTACTS, 3, lambda, w);
    assert_status(dls_file_write(p, lambda, "fclib", path, NULL, &error), &error);
    dls_problem_destroy(p);
    static char bytes[1 << 16];
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    size_t size = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    for (size_t k = 0; k < size; k += 97) {
        dls_content content;
        stream = fopen(path, "wb");
        fwrite(bytes, 1, k, stream);
        fclose(stream);
        assert_int_equal(dls_file_load(path, "fclib", &content, &error), DLS_BAD_INPUT);
        assert_null(content.problem);
        assert_null(content.stored);
        assert_string_not_equal(error.message, "");
    }
    unlink(path);
}

TEST(test_without_hdf5)
{
    static const char begins[] = "\211HDF\r\n\032\n";
    dls_content content;
    dls_error error;
    assert_int_equal(dls_file_parse(begins, sizeof begins - 1, "x", NULL, &content, &error),
                     dls_hdf5_available() ? DLS_BAD_INPUT : DLS_UNAVAILABLE);
    assert_null(content.problem);
    assert_string_not_equal(error.message, "");
}
