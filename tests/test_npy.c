/* Arrays of numpy (.npy), written byte by byte: every type of numbers that is taken, in both byte orders and both
 * orders of the axes; headers as other programs may write them; and broken ones, which are refused with the problem. */
#include "check.h"

#include "io/npy.h"

#include <stdio.h>
#include <string.h>

enum { FILE_SIZE = 512 };

/* An array of a version with this header and these bytes of numbers. How long it is. */
static size_t write_array(unsigned char *to, unsigned version, const char *header, const void *numbers, size_t size)
{
    static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    const size_t wide = version == 1 ? 2 : 4, length = strlen(header);
    size_t used = sizeof magic;
    memcpy(to, magic, used);
    to[used++] = (unsigned char)version, to[used++] = 0;
    for (size_t k = 0; k < wide; k++)
        to[used++] = (unsigned char)(length >> (8 * k) & 0xff);
    assert_true(used + length + size <= FILE_SIZE);
    memcpy(to + used, header, length);
    memcpy(to + used + length, numbers, size);
    return used + length + size;
}

static dls_status parse(const unsigned char *data, size_t size, dls_arena *memory, dls_npy *array, dls_error *error)
{
    *memory = (dls_arena){0};
    return dls_npy_parse(data, size, "file.npz", "g.npy", memory, array, error);
}

TEST(test_every_type_of_numbers)
{
    static const struct {
        const char *type;
        size_t width;
        unsigned char bytes[16]; /* of two numbers */
        double values[2];
    } types[] = {
        {"<f8", 8, {0, 0, 0, 0, 0, 0, 0xf8, 0x3f, 0, 0, 0, 0, 0, 0, 4, 0xc0}, {1.5, -2.5}},
        {">f8", 8, {0x3f, 0xf8, 0, 0, 0, 0, 0, 0, 0xc0, 4}, {1.5, -2.5}},
        {"<f4", 4, {0, 0, 0xc0, 0x3f, 0, 0, 0x20, 0xc0}, {1.5, -2.5}},
        {">f4", 4, {0x3f, 0xc0, 0, 0, 0xc0, 0x20, 0, 0}, {1.5, -2.5}},
        {"<i8", 8, {0x39, 0x30, 0, 0, 0, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, {12345, -2}},
        {">i8", 8, {0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}, {-9223372036854775808.0, 256}},
        {"<i4", 4, {0x39, 0x30, 0, 0, 0xfe, 0xff, 0xff, 0xff}, {12345, -2}},
        {">i2", 2, {0x30, 0x39, 0xff, 0xfe}, {12345, -2}},
        {"|i1", 1, {0x7f, 0x80}, {127, -128}},
        {"<u8", 8, {0, 0, 0, 0, 0, 0, 0, 0x80, 3}, {9223372036854775808.0, 3}},
        {"<u2", 2, {0xff, 0xff, 1, 0}, {65535, 1}},
        {"|u1", 1, {0x7f, 0x80}, {127, 128}},
        {"=u1", 1, {2, 0xff}, {2, 255}},
    };
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        unsigned char data[FILE_SIZE];
        char header[128];
        dls_arena memory;
        dls_npy array;
        dls_error error;
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (2,), }  \n", types[k].type);
        for (unsigned version = 1; version <= 3; version++) {
            const size_t size = write_array(data, version, header, types[k].bytes, 2 * types[k].width);
            assert_status(parse(data, size, &memory, &array, &error), &error);
            assert_int_equal(array.dimensions, 1);
            assert_int_equal(array.count, 2);
            assert_close(array.values[0], types[k].values[0], 0.0);
            assert_close(array.values[1], types[k].values[1], 0.0);
            dls_arena_release(&memory);
        }
    }
}

/* Bytes 0 to 23 as an array of 2 x 3 x 4: by columns the first index runs fastest. */
TEST(test_orders_of_the_axes)
{
    unsigned char numbers[24], data[FILE_SIZE];
    for (unsigned char k = 0; k < sizeof numbers; k++)
        numbers[k] = k;
    for (int by_columns = 0; by_columns < 2; by_columns++) {
        char header[128];
        dls_arena memory;
        dls_npy array;
        dls_error error;
        snprintf(header, sizeof header, "{\"shape\" : ( 2,3 ,\t4 ,), \"fortran_order\":%s,\n\"descr\":\"|u1\"}",
                 by_columns ? "True" : "False");
        const size_t size = write_array(data, 1, header, numbers, sizeof numbers);
        assert_status(parse(data, size, &memory, &array, &error), &error);
        assert_true(array.dimensions == 3 && array.shape[0] == 2 && array.shape[1] == 3 && array.shape[2] == 4);
        for (size_t i = 0; i < 2; i++)
            for (size_t j = 0; j < 3; j++)
                for (size_t k = 0; k < 4; k++)
                    assert_close(array.values[12 * i + 4 * j + k],
                                 (double)(by_columns ? i + 2 * j + 6 * k : 12 * i + 4 * j + k), 0.0);
        dls_arena_release(&memory);
    }
}

/* Arrays of one number without an axis, and of none with an empty one. */
TEST(test_sizes)
{
    static const unsigned char five = 5;
    unsigned char data[FILE_SIZE];
    dls_arena memory;
    dls_npy array;
    dls_error error;
    size_t size = write_array(data, 1, "{'descr': '|u1', 'fortran_order': True, 'shape': ()}", &five, 1);
    assert_status(parse(data, size, &memory, &array, &error), &error);
    assert_true(array.dimensions == 0 && array.count == 1 && array.values[0] == 5.0);
    dls_arena_release(&memory);
    size = write_array(data, 1, "{'descr': '|u1', 'fortran_order': True, 'shape': (7, 0, 123456789)}", &five, 0);
    assert_status(parse(data, size, &memory, &array, &error), &error);
    assert_true(array.dimensions == 3 && array.count == 0);
    dls_arena_release(&memory);
}

TEST(test_what_is_printed_is_read)
{
    static const double values[] = {0.1, -1e300, 5e-324, 0.0, -0.0, 7.0};
    static const struct {
        size_t dimensions, shape[3];
    } of[] = {{1, {6}}, {2, {2, 3}}, {3, {1, 3, 2}}};
    for (size_t k = 0; k < sizeof of / sizeof of[0]; k++) {
        unsigned char data[FILE_SIZE];
        dls_arena memory;
        dls_npy array;
        dls_error error;
        const size_t size = dls_npy_print(values, of[k].dimensions, of[k].shape, NULL);
        assert_true(size <= sizeof data);
        assert_int_equal(dls_npy_print(values, of[k].dimensions, of[k].shape, data), size);
        assert_status(parse(data, size, &memory, &array, &error), &error);
        assert_int_equal(array.dimensions, of[k].dimensions);
        assert_memory_equal(array.shape, of[k].shape, of[k].dimensions * sizeof *array.shape);
        assert_memory_equal(array.values, values, sizeof values);
        dls_arena_release(&memory);
    }
}

static void assert_refused(const unsigned char *data, size_t size, dls_status status, const char *said, const char *of)
{
    dls_arena memory;
    dls_npy array;
    dls_error error;
    const dls_status found = parse(data, size, &memory, &array, &error);
    if (found != status || !strstr(error.message, said) || strcmp(error.file, "file.npz") != 0 ||
        strcmp(error.key, "g.npy") != 0)
        fail_msg("%s: %s, %s: %s: %s", of, dls_status_text(found), error.file, error.key, error.message);
    dls_arena_release(&memory);
}

TEST(test_broken_headers)
{
#define ORDER "'fortran_order': False"
#define OF "'descr': '|u1', " ORDER ", 'shape': "
    static const char header[] = "the header of the array is not {'descr'", type[] = "store them as float64",
                      size[] = "where its header says";
    static const struct {
        const char *header, *said;
    } broken[] = {
        {"", header},
        {"[1, 2]", header},
        {"{", header},
        {"{}", header},
        {"{" OF "(4,)", header},
        {"{" OF "(4,)} 1", header},
        {"{" OF "(4,), 'shape': (4,)}", header},
        {"{" OF "(4,) 'more': 1}", header},
        {"{" OF "(4,), 'more': 1}", header},
        {"{'descr': '|u1', " ORDER ", 'size': (4,)}", header},
        {"{'descr': '|u1', " ORDER "}", header},
        {"{'descr': '|u1', 'shape': (4,)}", header},
        {"{" ORDER ", 'shape': (4,)}", header},
        {"{descr: '|u1', " ORDER ", 'shape': (4,)}", header},
        {"{'descr' '|u1', " ORDER ", 'shape': (4,)}", header},
        {"{'descr': |u1, " ORDER ", 'shape': (4,)}", header},
        {"{'descr': '|u1", header},
        {"{'descr': '|u1\", " ORDER ", 'shape': (4,)}", header},
        {"{'descr': '|\\u1', " ORDER ", 'shape': (4,)}", header},
        {"{'descr': '|u1234567890123456', " ORDER ", 'shape': (4,)}", header},
        {"{'descr': '|u1', 'fortran_order': 0, 'shape': (4,)}", header},
        {"{'descr':", header},
        {"{" OF "4}", header},
        {"{" OF "(4)}", header},
        {"{" OF "(4, }", header},
        {"{" OF "(2, 2, }", header},
        {"{" OF "(4, x}", header},
        {"{" OF "(1, 2, 1, 2, }", header},
        {"{" OF "(1, 2, 1, 2, 1)}", header},
        {"{" OF "(4294967297)}", header},
        {"{" OF "(4,)}x", header},
        {"{" OF "(4,)", header},
        {"{" OF "(4,),", header},
        {"{'descr': '|u1', 'fortran_order': False, 'fortran_order': False, 'shape': (4,)}", header},
        {"{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': (4,)}", header},
        {"{" OF "(4", header},
        {"{" OF "(2, 2}", header},
        {"{" OF "(-4,)}", header},
        {"{" OF "(2, two)}", header},
        {"{" OF "(1, 1, 2, 2, 1)}", header},
        {"{" OF "(99999999999999999999999,)}", header},
        {"{" OF "(999999, 999999)}", "more numbers than a file can have"},
        {"{" OF "(3,)}", size},
        {"{" OF "(5,)}", size},
        {"{'descr': '', " ORDER ", 'shape': (4,)}", type},
        {"{'descr': '<', " ORDER ", 'shape': (4,)}", type},
        {"{'descr': '<f', " ORDER ", 'shape': (4,)}", type},
        {"{'descr': 'xu1', " ORDER ", 'shape': (4,)}", type},
        {"{'descr': '<f2', " ORDER ", 'shape': (2,)}", type},
        {"{'descr': '<f5', " ORDER ", 'shape': (1,)}", type},
        {"{'descr': '<f9', " ORDER ", 'shape': (1,)}", type},
        {"{'descr': '<f0', " ORDER ", 'shape': (1,)}", type},
        {"{'descr': '<f16', " ORDER ", 'shape': (1,)}", type},
        {"{'descr': '|f4', " ORDER ", 'shape': (1,)}", type},
        {"{'descr': '=i4', " ORDER ", 'shape': (1,)}", type},
        {"{'descr': '<i3', " ORDER ", 'shape': (1,)}", type},
        {"{'descr': '<u6', " ORDER ", 'shape': (1,)}", type},
        {"{'descr': '<c8', " ORDER ", 'shape': (1,)}", type},
        {"{'descr': '|O', " ORDER ", 'shape': (1,)}", type},
    };
    for (size_t k = 0; k < sizeof broken / sizeof broken[0]; k++) {
        unsigned char data[FILE_SIZE];
        const size_t length = write_array(data, 1, broken[k].header, "\1\2\3\4", 4);
        assert_refused(data, length, DLS_BAD_INPUT, broken[k].said, broken[k].header);
    }
#undef ORDER
#undef OF
}

TEST(test_broken_beginnings)
{
    static const char header[] = "{'descr': '|u1', 'fortran_order': False, 'shape': (4,)}",
                      none[] = "is no array of numpy", version[] = "of numpy's format; 1.0 to 3.0 are known",
                      cut[] = "is cut off within its header";
    unsigned char data[FILE_SIZE];
    size_t size = write_array(data, 1, header, "\1\2\3\4", 4);
    for (size_t k = 0; k + 4 < size; k++)
        assert_refused(data, k, DLS_BAD_INPUT, k < 10 ? none : cut, "cut off");
    for (size_t k = 0; k < 8; k++) {
        data[k] ^= 0x40;
        assert_refused(data, size, DLS_BAD_INPUT, k < 6 ? none : version, "another byte");
        data[k] ^= 0x40;
    }
    data[6] = 0;
    assert_refused(data, size, DLS_BAD_INPUT, version, "version 0");
    size = write_array(data, 2, header, "\1\2\3\4", 4);
    for (size_t k = 10; k + 4 < size; k++)
        assert_refused(data, k, DLS_BAD_INPUT, cut, "version 2, cut off");
}

/* The number is counted by rows, wherever it stands. */
TEST(test_numbers_that_are_not_finite)
{
    static const unsigned char nan[] = {0, 0, 0, 0, 0, 0, 0xc0, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0},
                               infinite[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0, 0, 0, 0};
    unsigned char data[FILE_SIZE];
    size_t size = write_array(data, 1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}", nan, sizeof nan);
    assert_refused(data, size, DLS_NOT_FINITE, "number 2 (from 0, by rows) is NaN or infinite", "NaN");
    size = write_array(data, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)}", infinite, sizeof infinite);
    assert_refused(data, size, DLS_NOT_FINITE, "number 2 (from 0, by rows) is NaN or infinite", "infinite");
}
