#include "zip.h"

#include "config.h"
#include "delassus/io.h"

#include <stdint.h>
#include <string.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

/* The records of an archive: their signatures, and their sizes without names, extra fields and comments. */
enum { LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50 };
enum { LOCAL_SIZE = 30, CENTRAL_SIZE = 46, END_SIZE = 22, COMMENT_MAX = 65535 };
enum { STORED = 0, DEFLATED = 8, ENCRYPTED = 1 };

typedef struct archive {
    const unsigned char *at;
    size_t size;
    const char *file, *member;
    dls_error *error;
} archive;

/* Numbers of two and four bytes, the last of which is the most significant. */
static uint32_t two_bytes(const unsigned char *at) { return at[0] | (uint32_t)at[1] << 8; }
static uint32_t four_bytes(const unsigned char *at) { return two_bytes(at) | two_bytes(at + 2) << 16; }

static dls_status zip_fail(const archive *z, const char *what)
{
    return dls_fail_about(z->error, DLS_BAD_INPUT, z->file, z->member, "%s", what);
}

bool dls_is_zip(const char *bytes, size_t size)
{
    const unsigned char *at = (const unsigned char *)bytes;
    return size >= END_SIZE && (four_bytes(at) == LOCAL || four_bytes(at) == END);
}

/* CRC-32 of IEEE 802.3, bits reflected. */
static uint32_t checksum(const unsigned char *data, size_t length)
{
    uint32_t table[256], crc = UINT32_MAX;
    for (uint32_t k = 0; k < 256; k++) {
        table[k] = k;
        for (int bit = 0; bit < 8; bit++)
            table[k] = table[k] >> 1 ^ (table[k] & 1 ? 0xedb88320U : 0);
    }
    for (size_t i = 0; i < length; i++)
        crc = table[(crc ^ data[i]) & 0xff] ^ crc >> 8;
    return ~crc;
}

/* --- reading --- */

/* The record at the archive's end, which a comment may follow; NULL: there is none. */
static const unsigned char *find_end(const archive *z)
{
    for (size_t behind = END_SIZE; behind <= z->size && behind <= END_SIZE + COMMENT_MAX; behind++) {
        const unsigned char *at = z->at + z->size - behind;
        if (four_bytes(at) == END && two_bytes(at + 20) == behind - END_SIZE)
            return at;
    }
    return NULL;
}

/* The directory's record of the member; NULL: there is none, or with *broken the directory is damaged. */
static const unsigned char *find_entry(const archive *z, const unsigned char *end, bool *broken)
{
    const size_t entries = two_bytes(end + 10), length = strlen(z->member), limit = (size_t)(end - z->at);
    size_t at = four_bytes(end + 16);
    *broken = false;
    for (size_t k = 0; k < entries; k++) {
        if (at > limit || limit - at < CENTRAL_SIZE || four_bytes(z->at + at) != CENTRAL) {
            *broken = true;
            return NULL;
        }
        const unsigned char *entry = z->at + at;
        const size_t name = two_bytes(entry + 28), rest = two_bytes(entry + 30) + two_bytes(entry + 32);
        if (limit - at - CENTRAL_SIZE < name + rest) {
            *broken = true;
            return NULL;
        }
        if (name == length && memcmp(entry + CENTRAL_SIZE, z->member, length) == 0)
            return entry;
        at += CENTRAL_SIZE + name + rest;
    }
    return NULL;
}

static dls_status inflate_member(const archive *z, const unsigned char *packed, size_t count, size_t length,
                                 dls_arena *memory, const unsigned char **data)
{
#ifdef HAVE_ZLIB
    unsigned char *to = DLS_TAKE(memory, unsigned char, length);
    z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)packed, .avail_in = (uInt)count};
    if (!to || inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return dls_fail(z->error, DLS_NO_MEMORY, "no memory for the %zu bytes of %s", length, z->member);
    stream.next_out = to, stream.avail_out = (uInt)length;
    const int outcome = inflate(&stream, Z_FINISH);
    const bool whole = outcome == Z_STREAM_END && stream.total_out == length;
    inflateEnd(&stream);
    *data = to;
    if (outcome == Z_MEM_ERROR)
        return dls_fail(z->error, DLS_NO_MEMORY, "no memory to unpack %s", z->member);
    return whole ? DLS_OK : zip_fail(z, "is damaged: its compressed bytes do not unpack to its size");
#else
    (void)packed, (void)count, (void)length, (void)memory, (void)data;
    return dls_fail_about(
        z->error, DLS_UNAVAILABLE, z->file, z->member,
        "is compressed, and this build is without zlib: install it (zlib1g-dev) and configure again, or "
        "save the file uncompressed (numpy.savez)");
#endif
}

static dls_status unpack_member(const archive *z, const unsigned char *entry, dls_arena *memory,
                                const unsigned char **data, size_t *length)
{
    const uint32_t flags = two_bytes(entry + 8), method = two_bytes(entry + 10), crc = four_bytes(entry + 16);
    const size_t packed = four_bytes(entry + 20), start = four_bytes(entry + 42);
    *length = four_bytes(entry + 24);
    if (flags & ENCRYPTED)
        return zip_fail(z, "is encrypted; save it without a password");
    if (method != STORED && method != DEFLATED)
        return zip_fail(z, "is packed by another method than deflate; save it again with numpy.savez");
    if (*length > DLS_FILE_MAX || packed > DLS_FILE_MAX)
        return zip_fail(z, "is too large");
    if (start > z->size || z->size - start < LOCAL_SIZE || four_bytes(z->at + start) != LOCAL)
        return zip_fail(z, "is damaged: the archive's directory leads nowhere");
    const size_t head = LOCAL_SIZE + two_bytes(z->at + start + 26) + two_bytes(z->at + start + 28);
    if (z->size - start < head || z->size - start - head < packed || (method == STORED && packed != *length))
        return zip_fail(z, "is cut off");
    *data = z->at + start + head;
    if (method == DEFLATED)
        DLS_TRY(inflate_member(z, *data, packed, *length, memory, data));
    return checksum(*data, *length) == crc ? DLS_OK : zip_fail(z, "is damaged: its checksum is another one");
}

dls_status dls_zip_find(const char *bytes, size_t size, const char *file, const char *member, dls_arena *memory,
                        const unsigned char **data, size_t *length, dls_error *error)
{
    const archive z = {(const unsigned char *)bytes, size, file, member, error};
    const unsigned char *end = find_end(&z);
    bool broken = false;
    *data = NULL, *length = 0;
    if (!end)
        return dls_fail_about(error, DLS_BAD_INPUT, file, NULL,
                              "is cut off: the directory at the end of the archive is missing");
    if (two_bytes(end + 4) != 0 || two_bytes(end + 8) != two_bytes(end + 10))
        return dls_fail_about(error, DLS_BAD_INPUT, file, NULL, "is one part of an archive; join the parts");
    const unsigned char *entry = find_entry(&z, end, &broken);
    if (broken)
        return dls_fail_about(error, DLS_BAD_INPUT, file, NULL, "the directory of the archive is damaged");
    return entry ? unpack_member(&z, entry, memory, data, length) : DLS_OK;
}

/* --- writing --- */

static void put_number(FILE *to, uint32_t value, int bytes)
{
    for (; bytes > 0; bytes--, value >>= 8)
        fputc((int)(value & 0xff), to);
}

enum { NEEDED = 20, DATE = 0x21 }; /* 2.0; 1 January 1980 */

/* The fields that both records of a member have. */
static void put_record_head(FILE *to, const dls_zip_part *part)
{
    put_number(to, NEEDED, 2);
    put_number(to, 0, 2); /* flags */
    put_number(to, STORED, 2);
    put_number(to, 0, 2); /* midnight */
    put_number(to, DATE, 2);
    put_number(to, checksum(part->data, part->length), 4);
    put_number(to, (uint32_t)part->length, 4);
    put_number(to, (uint32_t)part->length, 4);
    put_number(to, (uint32_t)strlen(part->name), 2);
    put_number(to, 0, 2); /* extra fields */
}

void dls_zip_print(const dls_zip_part *parts, size_t count, FILE *to)
{
    size_t start = 0, directory = 0;
    for (size_t k = 0; k < count; k++) {
        put_number(to, LOCAL, 4);
        put_record_head(to, &parts[k]);
        fputs(parts[k].name, to);
        fwrite(parts[k].data, 1, parts[k].length, to);
    }
    for (size_t k = 0; k < count; k++) {
        put_number(to, CENTRAL, 4);
        put_number(to, NEEDED, 2);
        put_record_head(to, &parts[k]);
        put_number(to, 0, 2); /* comment */
        put_number(to, 0, 2); /* part */
        put_number(to, 0, 2); /* attributes */
        put_number(to, 0, 4);
        put_number(to, (uint32_t)start, 4);
        fputs(parts[k].name, to);
        start += LOCAL_SIZE + strlen(parts[k].name) + parts[k].length;
        directory += CENTRAL_SIZE + strlen(parts[k].name);
    }
    put_number(to, END, 4);
    put_number(to, 0, 4); /* parts */
    put_number(to, (uint32_t)count, 2);
    put_number(to, (uint32_t)count, 2);
    put_number(to, (uint32_t)directory, 4);
    put_number(to, (uint32_t)start, 4);
    put_number(to, 0, 2); /* comment */
}
