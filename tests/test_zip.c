/* ZIP archives, written byte by byte: every field of the records that is read, what stands before, between and behind
 * them, and broken archives, which are refused with the problem. */
#include "check.h"

#include "config.h"
#include "io/zip.h"

#include <string.h>

enum { SIZE = 8192, BEFORE = 300, MEMBERS = 4, NAME_MAX_LENGTH = 320 };

typedef struct bytes {
    unsigned char at[SIZE];
    size_t used;
} bytes;

typedef struct member {
    const char *name, *data; /* the bytes of the file */
    unsigned long length, crc;
    const char *packed; /* NULL: stored */
    unsigned long packed_length;
    unsigned long local_extra, extra, comment; /* how many bytes of each */
} member;

/* Where the records of each member begin, and the last one of the archive. */
typedef struct places {
    size_t local[MEMBERS], central[MEMBERS], end;
} places;

static void put(bytes *to, unsigned long value, int width)
{
    for (; width > 0; width--, value >>= 8)
        to->at[to->used++] = (unsigned char)(value & 0xff);
    assert_true(to->used < SIZE - NAME_MAX_LENGTH);
}
static void put_bytes(bytes *to, const void *from, size_t length)
{
    assert_true(to->used + length <= SIZE);
    memcpy(to->at + to->used, from, length);
    to->used += length;
}
static void put_filler(bytes *to, size_t length)
{
    for (size_t k = 0; k < length; k++)
        put(to, 'P', 1);
}

/* The fields that the local and the central record share; `extra` is that of the record. */
static void put_head(bytes *to, const member *m, unsigned long extra)
{
    put(to, 20, 2), put(to, 0, 2), put(to, m->packed ? 8 : 0, 2);
    put(to, 0, 2), put(to, 0x21, 2); /* midnight, 1 January 1980 */
    put(to, m->crc, 4), put(to, m->packed ? m->packed_length : m->length, 4), put(to, m->length, 4);
    put(to, (unsigned long)strlen(m->name), 2), put(to, extra, 2);
}

/* An archive with `before` bytes in front of it and this comment at its end. */
static void write_archive(bytes *to, const member *members, size_t count, size_t before, const char *comment,
                          size_t comment_length, places *at)
{
    to->used = 0;
    put_filler(to, before);
    for (size_t k = 0; k < count; k++) {
        const member *m = &members[k];
        at->local[k] = to->used;
        put(to, 0x04034b50, 4);
        put_head(to, m, m->local_extra);
        put_bytes(to, m->name, strlen(m->name));
        put_filler(to, m->local_extra);
        put_bytes(to, m->packed ? m->packed : m->data, m->packed ? m->packed_length : m->length);
    }
    const size_t directory = to->used;
    for (size_t k = 0; k < count; k++) {
        const member *m = &members[k];
        at->central[k] = to->used;
        put(to, 0x02014b50, 4), put(to, 20, 2);
        put_head(to, m, m->extra);
        put(to, m->comment, 2);
        put(to, 0, 2), put(to, 0, 2), put(to, 0, 4); /* part and attributes */
        put(to, at->local[k], 4);
        put_bytes(to, m->name, strlen(m->name));
        put_filler(to, m->extra + m->comment);
    }
    at->end = to->used;
    put(to, 0x06054b50, 4), put(to, 0, 2), put(to, 0, 2);
    put(to, (unsigned long)count, 2), put(to, (unsigned long)count, 2);
    put(to, at->end - directory, 4), put(to, directory, 4), put(to, comment_length, 2);
    put_bytes(to, comment, comment_length);
}

/* The first name is of the same length as the second, the third one longer than a byte can say. The last member is one
 * block of deflate that is stored. The checksums are published ones. */
static char long_name[NAME_MAX_LENGTH + 1];
static const char deflated[] = "\x01\x09\x00\xf6\xff"
                               "123456789";
static const member members[MEMBERS] = {
    {"a.npy", "123456789", 9, 0xcbf43926, NULL, 0, 3, 5, 7},
    {"b.npy", "The quick brown fox jumps over the lazy dog", 43, 0x414fa339, NULL, 0, 259, 261, 263},
    {long_name, "", 0, 0, NULL, 0, 0, 0, 0},
    {"c.npy", "123456789", 9, 0xcbf43926, deflated, sizeof deflated - 1, 0, 0, 0},
};
#ifdef HAVE_ZLIB
static const size_t readable = MEMBERS;
#else
static const size_t readable = MEMBERS - 1;
#endif

/* The comment has the beginning of a last record in it. */
static const char comment[] = "PK\5\6 is no record of 22 bytes or more, for its comment does not end here";

static void prepare(bytes *to, places *at)
{
    memset(long_name, 'x', NAME_MAX_LENGTH);
    write_archive(to, members, MEMBERS, BEFORE, comment, sizeof comment - 1, at);
}

/* In memory of its own, so that a sanitizer sees what is read beyond it. */
static dls_status find(const bytes *archive, size_t size, const char *name, const member *expected, dls_error *error)
{
    char *copy = test_malloc(size + !size);
    const unsigned char *data;
    size_t length;
    dls_arena memory = {0};
    memcpy(copy, archive->at, size);
    const dls_status status = dls_zip_find(copy, size, "file.npz", name, &memory, &data, &length, error);
    if (status == DLS_OK && expected) {
        assert_non_null(data);
        assert_int_equal(length, expected->length);
        assert_memory_equal(data, expected->data, length);
    } else if (status == DLS_OK) {
        assert_null(data);
        assert_int_equal(length, 0);
    }
    dls_arena_release(&memory);
    test_free(copy);
    return status;
}

static void assert_refused(const bytes *archive, size_t size, const char *name, dls_status status, const char *said,
                           const char *of)
{
    dls_error error;
    const dls_status found = find(archive, size, name, NULL, &error);
    if (found != status || !strstr(error.message, said) || strcmp(error.file, "file.npz") != 0)
        fail_msg("%s of %s: %s, %s: %s", of, name, dls_status_text(found), error.file, found ? error.message : "");
}

TEST(test_members)
{
    static const char *const others[] = {"d.npy", "a.np", "a.npyx", "", "P"};
    bytes archive;
    places at;
    dls_error error;
    prepare(&archive, &at);
    for (size_t k = 0; k < readable; k++)
        assert_status(find(&archive, archive.used, members[k].name, &members[k], &error), &error);
    if (readable < MEMBERS)
        assert_refused(&archive, archive.used, members[readable].name, DLS_UNAVAILABLE, "without zlib", "deflated");
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        assert_status(find(&archive, archive.used, others[k], NULL, &error), &error);
}

TEST(test_cut_off)
{
    bytes archive;
    places at;
    prepare(&archive, &at);
    for (size_t size = 0; size < archive.used; size++)
        assert_refused(&archive, size, "b.npy", DLS_BAD_INPUT, "directory at the end of the archive is missing",
                       "cut off");
}

/* The longest comment is found, and the last record is not looked for farther from the end. */
TEST(test_comments)
{
    enum { LONGEST = 65535, END = 22 };
    unsigned char *archive = test_calloc(LONGEST + END + 2, 1);
    static const unsigned char begin[] = {'P', 'K', 5, 6};
    const unsigned char *data;
    size_t length;
    dls_arena memory = {0};
    dls_error error;
    memcpy(archive + 1, begin, sizeof begin);
    archive[21] = archive[22] = 0xff;
    assert_status(dls_zip_find((const char *)archive, LONGEST + END + 1, "file", "a", &memory, &data, &length, &error),
                  &error);
    assert_null(data);
    assert_int_equal(
        dls_zip_find((const char *)archive, LONGEST + END + 2, "file", "a", &memory, &data, &length, &error),
        DLS_BAD_INPUT);
    test_free(archive);
}

typedef enum record { LOCAL, CENTRAL, END } record;

TEST(test_broken)
{
    static const char damaged[] = "the directory of the archive is damaged", nowhere[] = "directory leads nowhere",
                      cut[] = "is cut off", large[] = "is too large", sum[] = "its checksum is another one",
                      parts[] = "is one part of an archive", method[] = "another method than deflate",
                      secret[] = "is encrypted", unpack[] = "do not unpack to its size";
    static const struct {
        const char *of;
        size_t member; /* that is asked for */
        record in;
        size_t offset;
        unsigned char value;
        const char *said; /* NULL: it is read as before */
    } changes[] = {
        {"part of the end", 0, END, 4, 1, parts},
        {"part of the end, high byte", 0, END, 5, 1, parts},
        {"number of entries here", 0, END, 8, 3, parts},
        {"number of entries here, high byte", 0, END, 9, 1, parts},
        {"start of the directory", 0, END, 16, 0xff, damaged},
        {"start of the directory, second byte", 0, END, 17, 0, damaged},
        {"start of the directory, third byte", 0, END, 18, 1, damaged},
        {"start of the directory, high byte", 0, END, 19, 1, damaged},
        {"signature of an entry", 0, CENTRAL, 0, 'p', damaged},
        {"signature of an entry, high byte", 0, CENTRAL, 3, 3, damaged},
        {"length of a name", 1, CENTRAL, 29, 0x20, damaged},
        {"length of extra fields", 2, CENTRAL, 31, 0x20, damaged},
        {"length of a comment", 2, CENTRAL, 33, 0x20, damaged},
        {"signature of a file", 1, LOCAL, 0, 'p', nowhere},
        {"signature of a file, high byte", 1, LOCAL, 3, 3, nowhere},
        {"start of a file", 1, CENTRAL, 42, 0xff, nowhere},
        {"start of a file, third byte", 1, CENTRAL, 44, 1, nowhere},
        {"start of a file, high byte", 1, CENTRAL, 45, 1, nowhere},
        {"length of a file's name", 1, LOCAL, 27, 0x20, cut},
        {"length of a file's extra fields", 1, LOCAL, 29, 0x20, cut},
        {"a file's extra fields are shorter", 1, LOCAL, 29, 0, sum},
        {"a file's extra fields are longer", 1, LOCAL, 28, 4, sum},
        {"a file's name is longer", 0, LOCAL, 26, 6, sum},
        {"packed size", 0, CENTRAL, 20, 8, cut},
        {"packed size, second byte", 3, CENTRAL, 21, 0x40, cut},
        {"packed size, third byte", 3, CENTRAL, 22, 1, cut},
        {"packed size, high byte", 3, CENTRAL, 23, 0xff, large},
        {"size", 0, CENTRAL, 24, 8, cut},
        {"size, third byte", 0, CENTRAL, 26, 1, cut},
        {"size, high byte", 0, CENTRAL, 27, 0xff, large},
        {"method", 0, CENTRAL, 10, 1, method},
        {"method, high byte", 0, CENTRAL, 11, 8, method},
        {"flag of encryption", 0, CENTRAL, 8, 1, secret},
        {"flag of text in UTF-8", 0, CENTRAL, 9, 8, NULL},
        {"flag of a size that follows", 0, CENTRAL, 8, 8, NULL},
        {"checksum", 0, CENTRAL, 16, 0x27, sum},
        {"checksum, high byte", 0, CENTRAL, 19, 0xca, sum},
        {"a byte of a file", 0, LOCAL, 30 + 5 + 3, '2', sum},
        {"the last byte of a file", 0, LOCAL, 30 + 5 + 3 + 8, '8', sum},
        {"size, packed", 3, CENTRAL, 24, 8, unpack},
        {"size, packed, one more", 3, CENTRAL, 24, 10, unpack},
        {"packed size, one less", 3, CENTRAL, 20, sizeof deflated - 2, unpack},
        {"a byte of a packed file", 3, LOCAL, 30 + 5 + 5, '2', sum},
        {"a packed byte", 3, LOCAL, 30 + 5 + 1, 8, unpack},
        {"the time of a file", 0, CENTRAL, 12, 8, NULL},
    };
    bytes archive;
    places at;
    dls_error error;
    prepare(&archive, &at);
    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++) {
        const size_t m = changes[k].member, where = changes[k].offset + (changes[k].in == LOCAL     ? at.local[m]
                                                                         : changes[k].in == CENTRAL ? at.central[m]
                                                                                                    : at.end);
        const unsigned char before = archive.at[where];
        if (before == changes[k].value)
            fail_msg("%s is so already", changes[k].of);
        archive.at[where] = changes[k].value;
        if (!changes[k].said)
            assert_status(find(&archive, archive.used, members[m].name, &members[m], &error), &error);
        else if (changes[k].said == unpack || m < readable)
            assert_refused(&archive, archive.used, members[m].name, m < readable ? DLS_BAD_INPUT : DLS_UNAVAILABLE,
                           m < readable ? changes[k].said : "without zlib", changes[k].of);
        archive.at[where] = before;
    }
}

/* A file may end where the archive's last record begins, and a directory of one entry there too. */
TEST(test_ends)
{
    bytes archive;
    places at;
    dls_error error;
    write_archive(&archive, members, 1, 0, "", 0, &at);
    assert_status(find(&archive, archive.used, "a.npy", &members[0], &error), &error);
    for (unsigned char more = 1; more < 40; more++) { /* the entry's comment would reach into the last record */
        archive.at[at.central[0] + 32] = (unsigned char)(members[0].comment + more);
        assert_refused(&archive, archive.used, "a.npy", DLS_BAD_INPUT, "is damaged", "comment");
    }
    write_archive(&archive, members, 0, 0, "", 0, &at);
    assert_status(find(&archive, archive.used, "a.npy", NULL, &error), &error);
    archive.at[8] = archive.at[10] = 1; /* an entry that is not there */
    assert_refused(&archive, archive.used, "a.npy", DLS_BAD_INPUT, "is damaged", "no entry");
}

TEST(test_recognition)
{
    bytes archive;
    places at;
    write_archive(&archive, members, 1, 0, "", 0, &at);
    assert_true(dls_is_zip((const char *)archive.at, archive.used));
    assert_true(dls_is_zip((const char *)archive.at, 22));
    assert_false(dls_is_zip((const char *)archive.at, 21));
    assert_false(dls_is_zip((const char *)archive.at + at.central[0], 22));
    assert_true(dls_is_zip((const char *)archive.at + at.end, 22));
    archive.at[3] = 3;
    assert_false(dls_is_zip((const char *)archive.at, archive.used));
}

/* The library's bytes are those of this file's own writer, to the last byte. */
TEST(test_writing)
{
    member plain[MEMBERS];
    dls_zip_part parts[MEMBERS];
    bytes expected;
    places at;
    prepare(&expected, &at);
    for (size_t k = 0; k < MEMBERS; k++) {
        plain[k] = (member){
            .name = members[k].name, .data = members[k].data, .length = members[k].length, .crc = members[k].crc};
        parts[k] = (dls_zip_part){members[k].name, (const unsigned char *)members[k].data, members[k].length};
    }
    for (size_t count = 0; count <= MEMBERS; count++) {
        unsigned char written[SIZE];
        FILE *file = tmpfile();
        assert_non_null(file);
        dls_zip_print(parts, count, file);
        rewind(file);
        const size_t size = fread(written, 1, sizeof written, file);
        fclose(file);
        write_archive(&expected, plain, count, 0, "", 0, &at);
        assert_int_equal(size, expected.used);
        assert_memory_equal(written, expected.at, size);
    }
}
