/* apart.h - exact arithmetic that memory may not suffice for. Not installed.
 *
 * FLINT and GMP end the process where memory is exhausted, and their only remedy, functions of one's own for memory and
 * for ends, holds for the whole process, whose other users of FLINT and GMP it would meet. So exact work is done apart,
 * in a child of this process: the child ends, and the caller gets DLS_NO_MEMORY. Where a trial shows that there is
 * plenty of memory, and the program has not asked otherwise (dls_exact_apart), the work is done in this process, since
 * a child costs milliseconds: what it needs is some megabytes by the limits on the sizes of exact problems. */
#ifndef DELASSUS_REFERENCE_APART_H
#define DELASSUS_REFERENCE_APART_H

#include "delassus/status.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct dls_apart {
    dls_status (*work)(void *context, dls_error *error);
    void *context;
    void *result; /* within the memory of the caller: plain data, which the work fills, without pointers */
    size_t size;
    /* Results of work that succeeded beyond these, from the child and into the context of the caller; false where that
     * failed. NULL: there are none. */
    bool (*send)(const void *context, FILE *to);
    bool (*receive)(void *context, FILE *from);
} dls_apart;

/* A text that the caller owns, or NULL, for `send` and `receive`. */
bool dls_apart_send_text(const char *text, FILE *to);
bool dls_apart_receive_text(char **text, FILE *from);

/* Does the work, which must not leave anything in memory but its results. */
dls_status dls_apart_run(const dls_apart *apart, dls_error *error);

#endif
