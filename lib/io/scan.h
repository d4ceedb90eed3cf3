/* scan.h - words and numbers of a text, with the place of each error. Not installed. */
#ifndef DELASSUS_IO_SCAN_H
#define DELASSUS_IO_SCAN_H

#include "base/memory.h"
#include "delassus/status.h"

enum { DLS_TOKEN_MAX = 64 };

typedef struct dls_scan {
    const char *text, *at, *end;
    const char *token; /* the last one, for errors */
    const char *name;  /* of the file */
    bool lines;        /* a line end ends a record: words are looked for in the current line alone */
    dls_arena *memory; /* of the values; NULL where the caller has its own */
    dls_error *error;
} dls_scan;

dls_scan dls_scan_begin(const char *text, size_t size, const char *name, bool lines, dls_error *error);
/* DLS_BAD_INPUT (or `status`) at the last token; `key` may be NULL. */
dls_status dls_scan_fail(const dls_scan *scan, dls_status status, const char *key, const char *format, ...)
    DLS_PRINTF(4, 5);
/* Past white space, of the current line alone where records are lines; past the end of the line. */
void dls_scan_skip_space(dls_scan *scan);
void dls_scan_skip_line(dls_scan *scan);
/* The next word, into word[DLS_TOKEN_MAX]. `what` names the expected word in an error. */
dls_status dls_scan_word(dls_scan *scan, const char *what, char *word);
/* The next word must be this one. */
dls_status dls_scan_keyword(dls_scan *scan, const char *keyword);
/* A finite number, or an infinite one where that is allowed. */
dls_status dls_scan_real(dls_scan *scan, const char *what, bool infinite, double *value);
dls_status dls_scan_reals(dls_scan *scan, const char *what, size_t count, double *values);
/* A whole number in 0..max. */
dls_status dls_scan_count(dls_scan *scan, const char *what, size_t max, size_t *value);
/* Where records are lines: nothing more may stand in this one; goes to the next that is neither blank nor a comment
 * (#). */
dls_status dls_scan_end_line(dls_scan *scan);
bool dls_scan_at_end(const dls_scan *scan);
/* Nothing but white space may follow. */
dls_status dls_scan_end(dls_scan *scan);
/* Bytes not yet read: no more than half as many numbers can stand there. */
size_t dls_scan_left(const dls_scan *scan);

#endif
