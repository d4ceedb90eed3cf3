/* formats.h - the functions of formats.def. Not installed. */
#ifndef DELASSUS_IO_FORMATS_H
#define DELASSUS_IO_FORMATS_H

#include "delassus/io.h"

/* True if a file with this text may have the format. Cheap: the reader decides. */
typedef bool dls_recogniser(const char *text, size_t size);

/* Fills the content, which is zeroed before; after a failure the caller releases it. `name` is the file in errors. *end
 * is set to where the reader stopped: the format may ignore the text after its last number. */
typedef dls_status dls_reader_of_format(const char *text, size_t size, const char *name, dls_content *content,
                                        size_t *end, dls_error *error);

/* DLS_REFUSED, with the name of the format, where the text has one that is known and not read. */
dls_status dls_refuse_unread(const char *text, size_t size, const char *name, dls_error *error);

/* The names of a list, with commas between them, as far as there is room. */
void dls_format_names(const dls_format *formats, char *names, size_t size);

#define FORMAT(id, name, help)  \
    dls_recogniser dls_is_##id; \
    dls_reader_of_format dls_read_##id;
#include "formats.def"
#undef FORMAT

#endif
