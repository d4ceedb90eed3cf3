/* status.h - status codes and errors of all functions of the library.
 *
 * A function that can fail returns a dls_status and fills an optional dls_error (NULL is allowed everywhere).
 * Nothing in the library prints, exits or aborts. A dls_status describes a CALL; a dls_outcome (solver.h) describes a
 * SOLVE: the call can succeed although the solve finds no solution.
 */
#ifndef DELASSUS_STATUS_H
#define DELASSUS_STATUS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The one list of status codes: X(NAME, text). */
#define DLS_STATUS_LIST(X)               \
    X(OK, "ok")                          \
    X(NO_MEMORY, "out of memory")        \
    X(BAD_ARGUMENT, "bad argument")      \
    X(BAD_INPUT, "bad input")            \
    X(NOT_FINITE, "not a finite number") \
    X(IO, "input/output error")          \
    X(REFUSED, "refused")                \
    X(UNAVAILABLE, "not built in")       \
    X(UNSOLVABLE, "no solution")         \
    X(UNSOLVED, "not solved")            \
    X(NOT_WRITTEN, "cannot be written")

typedef enum dls_status {
#define DLS_STATUS_ENUM(name, text) DLS_##name,
    DLS_STATUS_LIST(DLS_STATUS_ENUM)
#undef DLS_STATUS_ENUM
} dls_status;

enum { DLS_NAME_MAX = 64, DLS_PATH_MAX = 1024, DLS_MESSAGE_MAX = 512 };

/* The message of a failure and its place. `file` is "" and `line`, `column` are 0 where there is no such place. */
typedef struct dls_error {
    dls_status status;
    long line, column; /* from 1 */
    char file[DLS_PATH_MAX];
    char key[DLS_NAME_MAX];
    char message[DLS_MESSAGE_MAX]; /* the problem, and how to fix it: one line, control characters of which are '?' */
} dls_error;

#if defined(__GNUC__)
#define DLS_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define DLS_PRINTF(text, first)
#endif

/* The text of a status, e.g. "out of memory". */
const char *dls_status_text(dls_status status);

/* Fills *error (if not NULL; file, line, column and key are cleared) and returns `status`, so that a failure is one
 * line:
 *     return dls_fail(error, DLS_BAD_ARGUMENT, "step must be positive, not %g", h); */
dls_status dls_fail(dls_error *error, dls_status status, const char *format, ...) DLS_PRINTF(3, 4);

/* The same for an error of a file, of a key, or of both, without a line. `file` and `key` may be NULL. */
dls_status dls_fail_about(dls_error *error, dls_status status, const char *file, const char *key, const char *format,
                          ...) DLS_PRINTF(5, 6);

/* The same for an error with a place in a file. `file` and `key` may be NULL. */
dls_status dls_fail_at(dls_error *error, dls_status status, const char *file, long line, long column, const char *key,
                       const char *format, ...) DLS_PRINTF(7, 8);

/* Adds a place to an error that a called function has filled; a place that is already set is kept. Returns `status`. */
dls_status dls_fail_place(dls_error *error, dls_status status, const char *file, long line, long column,
                          const char *key);

/* Writes "file:line:column: key: message" into text[size], without the parts that are unknown; always zero-terminated.
 */
void dls_error_format(const dls_error *error, char *text, size_t size);

/* Leaves the enclosing function with the status of `call` unless it is DLS_OK. Only for functions that have nothing to
 * release. */
#define DLS_TRY(call)                       \
    do {                                    \
        dls_status dls_try_status = (call); \
        if (dls_try_status != DLS_OK)       \
            return dls_try_status;          \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
