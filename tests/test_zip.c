/* ZIP archives, written byte by byte: names and extra fields of any length, a comment at the end, members beside the wanted
 * one; and damaged ones, each of which is refused with the problem. */
#include "check.h"

#include "io/zip.h"

#include <stdio.h>
#include <string.h>

/* One archive at a time. Its records: the local header at 0, the directory, the end. */
enum { LONG = 300, LOCAL_SIZE = 30, CENTRAL_SIZE = 46, END_SIZE = 22, ROOM = 4096 };
static const unsigned char content[] = "123456789"; /* whose CRC-32 is known */
enum { CONTENT = sizeof content - 1 };
static const size_t crc = 0xcbf43926;
static unsigned char bytes[ROOM];
static size_t size, directory, end;

static void put(size_t at, size_t value, size_t width)
{
    for (size_t k = 0; k < width; k++)
        bytes[at + k] = (unsigned char)(value >> (8 * k) & 0xff);
}

/* A member that is stored under this name, with extra fields in both of its records, and a comment of the archive. */
static void write_archive(const char *name, size_t extra, size_t comment)
{
    const size_t length = strlen(name);
    memset(bytes, 0, sizeof bytes);
    directory = LOCAL_SIZE + length + extra + CONTENT;
    end = directory + CENTRAL_SIZE + length + extra;
    size = end + END_SIZE + comment;
    assert_true(size <= sizeof bytes);
    put(0, 0x04034b50, 4);
    put(26, length, 2), put(28, extra, 2);
    memcpy(bytes + LOCAL_SIZE, name, length);
    memcpy(bytes + LOCAL_SIZE + length + extra, content, CONTENT);
    put(directory, 0x02014b50, 4);
    put(directory + 16, crc, 4), put(directory + 20, CONTENT, 4), put(directory + 24, CONTENT, 4);
    put(directory + 28, length, 2), put(directory + 30, extra, 2);
    memcpy(bytes + directory + CENTRAL_SIZE, name, length);
    put(end, 0x06054b50, 4);
    put(end + 8, 1, 2), put(end + 10, 1, 2), put(end + 12, end - directory, 4), put(end + 16, directory, 4);
    put(end + 20, comment, 2);
}

static dls_status find(size_t of, const char *member, const unsigned char **data, size_t *length, dls_error *error)
{
    dls_arena memory = {0};
    *error = (dls_error){.message = ""};
    const dls_status status = dls_zip_find((const char *)bytes, of, "file.npz", member, &memory, data, length, error);
    dls_arena_release(&memory);
    return status;
}

static void test_lengths_of_names_fields_and_comments(void **unused)
{
    static const size_t extras[] = {0, 1, 255, 256, LONG};
    char name[LONG + 1];
    (void)unused;
    memset(name, 'n', sizeof name);
    for (size_t length = 1; length <= LONG; length += 23)
        for (size_t k = 0; k < sizeof extras / sizeof extras[0]; k++) {
            const unsigned char *data;
            size_t found;
            dls_error error;
            name[length] = '\0';
            write_archive(name, extras[k], 3 * extras[k]);
            assert_true(dls_is_zip((const char *)bytes, size));
            assert_status(find(size, name, &data, &found, &error), &error);
            assert_int_equal(found, CONTENT);
            assert_memory_equal(data, content, CONTENT);
            name[length] = 'n', name[length - 1] = '\0'; /* a name that is shorter by one is another one */
            assert_status(find(size, name, &data, &found, &error), &error);
            assert_null(data);
            name[length - 1] = 'n';
        }
}

/* A number of the archive is another one. */
static void test_damaged_archives(void **unused)
{
    enum { FIRST, DIRECTORY, LAST, RECORDS };
    static const struct {
        int record;
        size_t at, width, value;
        const char *said;
    } damages[] = {
        {LAST, 0, 4, 0, "the directory at the end of the archive is missing"},
        {LAST, 16, 4, ROOM, "damaged"},
        {LAST, 16, 4, 1, "damaged"},
        {LAST, 10, 2, 2, "is one part of an archive"},
        {LAST, 4, 2, 1, "is one part of an archive"},
        {DIRECTORY, 0, 4, 0, "damaged"},
        {DIRECTORY, 8, 2, 1, "is encrypted"},
        {DIRECTORY, 10, 2, 12, "another method than deflate"},
        {DIRECTORY, 16, 4, 7, "its checksum is another one"},
        {DIRECTORY, 20, 4, CONTENT - 1, "is cut off"},
        {DIRECTORY, 20, 4, CONTENT + 1000, "is cut off"},
        {DIRECTORY, 20, 4, 0xffffffff, "is too large"},
        {DIRECTORY, 24, 4, CONTENT + 1, "is cut off"},
        {DIRECTORY, 24, 4, 0xffffffff, "is too large"},
        {DIRECTORY, 28, 2, 2000, "damaged"},
        {DIRECTORY, 30, 2, 2000, "damaged"},
        {DIRECTORY, 42, 4, ROOM, "the archive's directory leads nowhere"},
        {DIRECTORY, 42, 4, 1, "the archive's directory leads nowhere"},
        {DIRECTORY, 42, 4, 80, "the archive's directory leads nowhere"},
        {FIRST, 0, 4, 0, "the archive's directory leads nowhere"},
        {FIRST, 26, 2, 4, "its checksum is another one"},
        {FIRST, 26, 2, 2000, "is cut off"},
        {FIRST, 28, 2, 2000, "is cut off"},
    };
    (void)unused;
    for (size_t k = 0; k < sizeof damages / sizeof damages[0]; k++) {
        const unsigned char *data;
        size_t found;
        dls_error error;
        write_archive("g.npy", 0, 0);
        const size_t records[RECORDS] = {0, directory, end};
        put(records[damages[k].record] + damages[k].at, damages[k].value, damages[k].width);
        const dls_status status = find(size, "g.npy", &data, &found, &error);
        if (status != DLS_BAD_INPUT || !strstr(error.message, damages[k].said) || strcmp(error.file, "file.npz") != 0)
            fail_msg("damage %zu: %s, '%s'", k, dls_status_text(status), error.message);
    }
}

static void test_archives_cut_short(void **unused)
{
    (void)unused;
    write_archive("g.npy", 7, 9);
    for (size_t k = 0; k < size; k++) {
        const unsigned char *data;
        size_t found;
        dls_error error;
        assert_int_equal(find(k, "g.npy", &data, &found, &error), DLS_BAD_INPUT);
        assert_non_null(strstr(error.message, "is cut off"));
        assert_null(data);
    }
}

static void test_beginnings(void **unused)
{
    (void)unused;
    write_archive("g.npy", 0, 0);
    assert_false(dls_is_zip((const char *)bytes, END_SIZE - 1));
    assert_true(dls_is_zip((const char *)bytes + end, END_SIZE)); /* an empty archive has its end alone */
    assert_false(dls_is_zip((const char *)bytes + 1, size - 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths_of_names_fields_and_comments),
        cmocka_unit_test(test_damaged_archives),
        cmocka_unit_test(test_archives_cut_short),
        cmocka_unit_test(test_beginnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
