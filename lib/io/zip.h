/* zip.h - members of a ZIP archive that is in memory, and archives of stored members. Not installed.
 *
 * PKWARE, APPNOTE.TXT (.ZIP File Format Specification). Read: members that are stored, and, where the library was
 * configured with zlib, deflated ones; checked against their CRC-32. Refused: encryption, other methods, archives in
 * parts, and sizes that need ZIP64 (DLS_FILE_MAX is far below). */
#ifndef DELASSUS_IO_ZIP_H
#define DELASSUS_IO_ZIP_H

#include "base/memory.h"
#include "delassus/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

bool dls_is_zip(const char *bytes, size_t size);
/* The member of that name: its bytes are in the archive itself, or in memory of the arena. *data is NULL, and no error,
 * where there is none. `file` stands for the archive in errors. */
dls_status dls_zip_find(const char *bytes, size_t size, const char *file, const char *member, dls_arena *memory,
                        const unsigned char **data, size_t *length, dls_error *error);

typedef struct dls_zip_part {
    const char *name;
    const unsigned char *data;
    size_t length; /* below 2^32 in all */
} dls_zip_part;
/* Writes an archive of stored members, dated 1980-01-01: the same parts give the same bytes. Errors of the stream are
 * for the caller to check. */
void dls_zip_print(const dls_zip_part *parts, size_t count, FILE *to);

#endif
