/* FCLIB's files: the published one, its stored "solution", which is none, and what we write comes back. */
#include "cones.h"
#include "direct_solve.h"
#include "published.h"

#include <unistd.h>

#ifdef TEST_HDF5
#include <hdf5.h>
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

static void test_published_file(void **unused)
{
    (void)unused;
    char name[DLS_PATH_MAX];
    double *stored;
    dls_report report = {0};
    data_path(name, "fclib/local_problem_test.hdf5");
    if (!dls_fclib_available() || access(name, R_OK) != 0)
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

static void test_what_is_written_comes_back(void **unused)
{
    (void)unused;
    enum { CONTACTS = 4, N = 3 * CONTACTS };
    double lambda[N], w[N], *stored;
    dls_error error;
    if (!dls_fclib_available())
        skip();
    dls_problem *p = cone_manufacture(CONTACTS, 3, lambda, w);
    p->J.coef[1] += 0.25; /* not symmetric: rows are not columns */
    for (size_t c = 0; c < CONTACTS; c++)
        p->hi[3 * c] = HUGE_VAL;
    assert_status(dls_fclib_write(p, lambda, path, &error), &error);
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
    assert_status(dls_fclib_write(p, NULL, path, &error), &error);
    back = read_file(path, &stored);
    assert_null(stored);
    dls_problem_destroy(back);
    unlink(path);
    p->hi[0] = 3.0;
    assert_int_equal(dls_fclib_write(p, NULL, path, &error), DLS_REFUSED);
    dls_problem_destroy(p);
}

#ifdef TEST_HDF5
/* q as long doubles, one of which would become 0. */
static void test_wide_numbers(void **unused)
{
    (void)unused;
    enum { CONTACTS = 1, N = 3 };
    static const char name[] = "/fclib_local/vectors/q";
    const long double q[N] = {1e-400L, 1.0L, 2.0L};
    const hsize_t extent = N;
    double lambda[N], w[N];
    dls_error error;
    dls_content content;
    dls_problem *p = cone_manufacture(CONTACTS, 3, lambda, w);
    p->hi[0] = HUGE_VAL;
    assert_status(dls_fclib_write(p, NULL, path, &error), &error);
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
#endif

/* A file cut short anywhere is an error. (What HDF5 makes of changed bytes is its own affair.) */
static void test_files_cut_short(void **unused)
{
    (void)unused;
    enum { CONTACTS = 1, N = 3 };
    double lambda[N], w[N];
    dls_error error;
    if (!dls_fclib_available())
        skip();
    dls_problem *p = cone_manufacture(CONTACTS, 3, lambda, w);
    assert_status(dls_fclib_write(p, lambda, path, &error), &error);
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

static void test_without_hdf5(void **unused)
{
    (void)unused;
    static const char begins[] = "\211HDF\r\n\032\n";
    dls_content content;
    dls_error error;
    assert_int_equal(dls_file_parse(begins, sizeof begins - 1, "x", NULL, &content, &error),
                     dls_fclib_available() ? DLS_BAD_INPUT : DLS_UNAVAILABLE);
    assert_null(content.problem);
    assert_string_not_equal(error.message, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_file),  cmocka_unit_test(test_what_is_written_comes_back),
#ifdef TEST_HDF5
        cmocka_unit_test(test_wide_numbers),
#endif
        cmocka_unit_test(test_files_cut_short), cmocka_unit_test(test_without_hdf5),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
