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

static const char one[] = "test_hdf5_one.tsv", again[] = "test_hdf5_again.tsv", out[] = "test_hdf5_tables.h5";
static const double values[] = {0.1, -1e300, DBL_MIN, 3.0, NAN, INFINITY};
enum { ROWS = sizeof values / sizeof values[0] };

static void fill_table(dls_table *table, size_t rows)
{
    dls_table_note(table, "command", "delassus test");
    dls_table_note(table, "set x", "1 m");
    dls_table_columns(table, "time[s]\tstep\tbody\tmass[kg]");
    for (size_t i = 0; i < rows; i++)
        dls_table_row(table, "%g %zu %s %g", values[i % ROWS], i * 1000000000u, i % 2 ? "crank" : "r\xc3\xb6hre", 3.0);
}

static dls_status write_book(size_t rows, const char *to, dls_error *error)
{
    dls_book *book;
    dls_table *first, *second;
    DLS_TRY(dls_book_create(to, &book, error));
    assert_status(dls_book_table(book, "one", &first, error), error);
    fill_table(first, rows);
    assert_status(dls_book_table(book, "two", &second, error), error);
    dls_table_columns(second, "empty[m/s]\tname\terror[m]\terror[rad/s]");
    assert_status(dls_book_text(book, "one", again, error), error);
    return dls_book_commit(book, error);
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

static void assert_reals(const double *reals, size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        assert_true(isnan(values[i % ROWS]) ? isnan(reals[i])
                                            : memcmp(&reals[i], &values[i % ROWS], sizeof *reals) == 0);
}

/* As many rows as fit into memory as they are, and so many that they are compressed. */
TEST(test_what_is_read_is_what_was_written)
{
    enum { MOST = 50000 };
    static double reals[MOST];
    static int64_t steps[MOST];
    static char bodies[MOST][16];
    dls_error error;
    for (size_t rows = ROWS; rows <= MOST; rows += MOST - ROWS) {
        char *provenance;
        assert_status(write_book(rows, out, &error), &error);
        hid_t file = H5Fopen(out, H5F_ACC_RDONLY, H5P_DEFAULT), text = H5Tcopy(H5T_C_S1);
        assert_true(file >= 0);
        read_set(file, "one/time", H5T_FLOAT, H5T_NATIVE_DOUBLE, rows, reals);
        assert_reals(reals, rows);
        assert_unit(file, "one/time", "s");
        read_set(file, "one/step", H5T_INTEGER, H5T_NATIVE_INT64, rows, steps);
        read_set(file, "one/mass", H5T_FLOAT, H5T_NATIVE_DOUBLE, rows, reals); /* whole only by chance */
        H5Tset_size(text, sizeof bodies[0]);
        H5Tset_cset(text, H5T_CSET_UTF8);
        read_set(file, "one/body", H5T_STRING, text, rows, bodies);
        for (size_t i = 0; i < rows; i++) {
            assert_true(steps[i] == (int64_t)i * 1000000000);
            assert_true(reals[i] == 3.0);
            assert_string_equal(bodies[i], i % 2 ? "crank" : "r\xc3\xb6hre");
        }
        assert_int_equal(H5Aexists_by_name(file, "one/step", "unit", H5P_DEFAULT), 0);
        read_strings(file, "one/provenance", 1, &provenance);
        assert_string_equal(provenance, "command: delassus test\nset x: 1 m\n");
        H5free_memory(provenance);
        read_set(file, "two/empty", H5T_FLOAT, H5T_NATIVE_DOUBLE, 0, NULL);
        assert_unit(file, "two/empty", "m/s");
        assert_unit(file, "two/error_m", "m");
        assert_unit(file, "two/error_rad_s", "rad/s");
        H5Tclose(text);
        H5Fclose(file);
    }
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
    assert_status(write_book(ROWS, out, &error), &error);
    const size_t size = file_bytes(out, first, sizeof first);
    assert_status(write_book(ROWS, out, &error), &error);
    assert_int_equal(file_bytes(out, second, sizeof second), size);
    assert_memory_equal(first, second, size);
}

TEST(test_a_table_of_a_book_as_text_is_that_text)
{
    static char first[1 << 12], second[1 << 12];
    dls_table *table;
    dls_error error;
    assert_status(dls_table_create(one, &table, &error), &error);
    fill_table(table, ROWS);
    assert_status(dls_table_commit(table, &error), &error);
    assert_status(write_book(ROWS, out, &error), &error);
    const size_t size = file_bytes(one, first, sizeof first);
    assert_int_equal(file_bytes(again, second, sizeof second), size);
    assert_memory_equal(first, second, size);
}

/* Gives a book a table with these columns and the cells of `format`, 1 for each number and "x" for each text. */
static dls_status write_faulty(const char *columns, const char *first, const char *second, dls_error *error)
{
    dls_book *book;
    dls_table *table;
    assert_status(dls_book_create(out, &book, error), error);
    assert_status(dls_book_table(book, "one", &table, error), error);
    dls_table_columns(table, columns);
    for (const char *const *row = (const char *const[]){first, second, NULL}; *row; row++) {
        for (const char *cell = *row; *cell; cell++)
            if (*cell == 's')
                dls_table_text(table, "x");
            else if (*cell == 'z')
                dls_table_count(table, 1);
            else
                dls_table_real(table, 1.0);
        dls_table_end_row(table);
    }
    return dls_book_commit(book, error);
}

TEST(test_faults_leave_what_was_there)
{
    char kept[16];
    dls_error error;
    FILE *stream = fopen(out, "w");
    assert_non_null(stream);
    fputs("before", stream);
    fclose(stream);
    assert_int_equal(write_faulty("x\ty", "gg", "g", &error), DLS_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "cells"));
    assert_int_equal(write_faulty("x\ty", "gg", "ggg", &error), DLS_BAD_ARGUMENT);
    assert_int_equal(write_faulty("x\ty", "gs", "gg", &error), DLS_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "kinds"));
    assert_int_equal(write_faulty("x\ty", "gz", "gg", &error), DLS_BAD_ARGUMENT);
    assert_int_not_equal(write_faulty("x\tx", "gg", "gg", &error), DLS_OK); /* two columns of one name */
    assert_int_equal(file_bytes(out, kept, sizeof kept), 6);
    if (access("/dev/full", W_OK) == 0)
        assert_int_equal(write_book(ROWS, "/dev/full", &error), DLS_NOT_WRITTEN);
}

static int remove_all(void **unused)
{
    (void)unused;
    remove(one), remove(again), remove(out);
    return 0;
}

static int silence_hdf5(void **unused)
{
    (void)unused;
    return H5Eset_auto2(H5E_DEFAULT, NULL, NULL) < 0;
}
TESTS_WITH(silence_hdf5, remove_all)
