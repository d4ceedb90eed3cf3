/* Tables as HDF5: what is read back is what the text has, to the bit; the same bytes each time; and faults. */
#include "check.h"

#include "delassus/table.h"

#include <float.h>
#include <hdf5.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char one[] = "test_hdf5_one.tsv", two[] = "test_hdf5_two.tsv", out[] = "test_hdf5_tables.h5";
static const double values[] = {0.1, -1e300, DBL_MIN, 3.0, NAN, INFINITY};
enum { ROWS = sizeof values / sizeof values[0] };

static void write_tables(void)
{
    dls_table *table;
    dls_error error;
    assert_status(dls_table_create(one, &table, &error), &error);
    dls_table_note(table, "command", "delassus test");
    dls_table_note(table, "set x", "1 m");
    dls_table_columns(table, "time[s]\tstep\tbody\tlate\tmass[kg]");
    for (size_t i = 0; i < ROWS; i++)
        dls_table_row(table, "%g %zu %s %g %g", values[i], i * 1000000000u, i % 2 ? "crank" : "r\xc3\xb6hre", 2.0, 3.0);
    assert_status(dls_table_commit(table, &error), &error);
    assert_status(dls_table_create(two, &table, &error), &error);
    dls_table_columns(table, "empty[m/s]\tname\terror[m]\terror[rad/s]");
    assert_status(dls_table_commit(table, &error), &error);
}

static dls_status convert(const char *first, const char *to, dls_error *error)
{
    const char *const paths[] = {first, two}, *const names[] = {"one", "two"};
    return dls_tables_to_hdf5(paths, names, 2, to, error);
}

static size_t rows_of(hid_t set)
{
    hid_t space = H5Dget_space(set);
    hsize_t extent = 0;
    assert_int_equal(H5Sget_simple_extent_dims(space, &extent, NULL), 1);
    H5Sclose(space);
    return (size_t)extent;
}

static void read_set(hid_t file, const char *name, H5T_class_t class, hid_t type, size_t rows, void *to)
{
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT), stored = H5Dget_type(set);
    assert_true(set >= 0);
    assert_int_equal(H5Tget_class(stored), class);
    assert_int_equal(rows_of(set), rows);
    if (rows > 0)
        assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) >= 0);
    H5Tclose(stored);
    H5Dclose(set);
}

static void read_strings(hid_t file, const char *name, size_t rows, char **to)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    read_set(file, name, H5T_STRING, type, rows, to);
    H5Tclose(type);
}

static void assert_unit(hid_t file, const char *name, const char *unit)
{
    char text[32] = "";
    hid_t attribute = H5Aopen_by_name(file, name, "unit", H5P_DEFAULT, H5P_DEFAULT), type = H5Aget_type(attribute);
    assert_true(attribute >= 0);
    assert_true(H5Tget_size(type) < sizeof text);
    assert_true(H5Aread(attribute, type, text) >= 0);
    assert_string_equal(text, unit);
    H5Tclose(type);
    H5Aclose(attribute);
}

TEST(test_what_is_read_is_what_was_written)
{
    double reals[ROWS];
    int64_t steps[ROWS], late[ROWS];
    char *bodies[ROWS], *provenance;
    dls_error error;
    write_tables();
    assert_status(convert(one, out, &error), &error);
    hid_t file = H5Fopen(out, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    read_set(file, "one/time", H5T_FLOAT, H5T_NATIVE_DOUBLE, ROWS, reals);
    for (size_t i = 0; i < ROWS; i++)
        assert_true(isnan(values[i]) ? isnan(reals[i]) : memcmp(&reals[i], &values[i], sizeof *reals) == 0);
    assert_unit(file, "one/time", "s");
    read_set(file, "one/step", H5T_INTEGER, H5T_NATIVE_INT64, ROWS, steps);
    read_set(file, "one/late", H5T_INTEGER, H5T_NATIVE_INT64, ROWS, late);
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(steps[i] == (int64_t)i * 1000000000);
        assert_true(late[i] == 2);
    }
    read_set(file, "one/mass", H5T_FLOAT, H5T_NATIVE_DOUBLE, ROWS, reals); /* whole only by chance */
    for (size_t i = 0; i < ROWS; i++)
        assert_true(reals[i] == 3.0);
    assert_int_equal(H5Aexists_by_name(file, "one/step", "unit", H5P_DEFAULT), 0);
    read_strings(file, "one/body", ROWS, bodies);
    for (size_t i = 0; i < ROWS; i++) {
        assert_string_equal(bodies[i], i % 2 ? "crank" : "r\xc3\xb6hre");
        H5free_memory(bodies[i]);
    }
    read_strings(file, "one/provenance", 1, &provenance);
    assert_string_equal(provenance, "command: delassus test\nset x: 1 m\n");
    H5free_memory(provenance);
    read_set(file, "two/empty", H5T_FLOAT, H5T_NATIVE_DOUBLE, 0, NULL);
    assert_unit(file, "two/empty", "m/s");
    assert_unit(file, "two/error_m", "m");
    assert_unit(file, "two/error_rad_s", "rad/s");
    H5Fclose(file);
}

static size_t file_bytes(const char *path, char *to, size_t size)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    const size_t read = fread(to, 1, size, stream);
    fclose(stream);
    assert_true(read < size);
    return read;
}

TEST(test_the_same_tables_give_the_same_bytes)
{
    static char first[1 << 17], second[1 << 17];
    dls_error error;
    write_tables();
    assert_status(convert(one, out, &error), &error);
    const size_t size = file_bytes(out, first, sizeof first);
    assert_status(convert(one, out, &error), &error);
    assert_int_equal(file_bytes(out, second, sizeof second), size);
    assert_memory_equal(first, second, size);
}

static void write_text(const char *text)
{
    FILE *stream = fopen(one, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

TEST(test_faults_leave_what_was_there)
{
    char kept[16];
    dls_error error;
    write_tables();
    FILE *stream = fopen(out, "w");
    assert_non_null(stream);
    fputs("before", stream);
    fclose(stream);
    assert_int_equal(convert("test_hdf5_none.tsv", out, &error), DLS_IO);
    assert_string_equal(error.file, "test_hdf5_none.tsv");
    write_text("# a: b\nx\ty\n1\t2\n3\n");
    assert_int_equal(convert(one, out, &error), DLS_BAD_INPUT);
    assert_non_null(strstr(error.message, "cells"));
    write_text("x\ty\n1\t2\t3\t4\n"); /* two rows in one line */
    assert_int_equal(convert(one, out, &error), DLS_BAD_INPUT);
    write_text("x\tx\n1\t2\n"); /* two columns of one name */
    assert_int_not_equal(convert(one, out, &error), DLS_OK);
    assert_int_equal(file_bytes(out, kept, sizeof kept), 6);
    if (access("/dev/full", W_OK) == 0) {
        write_tables();
        assert_int_equal(convert(one, "/dev/full", &error), DLS_NOT_WRITTEN);
    }
}

/* Cells that only look like whole numbers. */
TEST(test_kinds_of_columns)
{
    int64_t wholes[2];
    double reals[2];
    char *texts[2];
    dls_error error;
    write_tables();
    write_text("a\tb\tc\td\te\n-5\t1234567890123456789\t-\t1\t-0\n007\t1\t2\t1.5\t7\n");
    assert_status(convert(one, out, &error), &error);
    hid_t file = H5Fopen(out, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    read_set(file, "one/a", H5T_INTEGER, H5T_NATIVE_INT64, 2, wholes);
    assert_true(wholes[0] == -5 && wholes[1] == 7);
    read_set(file, "one/b", H5T_FLOAT, H5T_NATIVE_DOUBLE, 2, reals); /* more digits than are always exact */
    read_strings(file, "one/c", 2, texts);
    assert_string_equal(texts[0], "-");
    assert_string_equal(texts[1], "2");
    H5free_memory(texts[0]), H5free_memory(texts[1]);
    read_set(file, "one/d", H5T_FLOAT, H5T_NATIVE_DOUBLE, 2, reals);
    assert_true(reals[0] == 1.0 && reals[1] == 1.5);
    read_set(file, "one/e", H5T_FLOAT, H5T_NATIVE_DOUBLE, 2, reals);
    assert_true(reals[0] == 0.0 && signbit(reals[0]) && reals[1] == 7.0);
    H5Fclose(file);
}

static int remove_all(void **unused)
{
    (void)unused;
    remove(one), remove(two), remove(out);
    return 0;
}

static int silence_hdf5(void **unused)
{
    (void)unused;
    return H5Eset_auto2(H5E_DEFAULT, NULL, NULL) < 0;
}
TESTS_WITH(silence_hdf5, remove_all)
