/* field.h - the settings of a thing, listed once.
 *
 * Every joint type, solver, scheme and experiment lists its fields in one table.  Parsing, defaults, validation,
 * `--set key=value`, `delassus list`, the manual and the table headers all read that list, and nothing else.
 * A value may carry its unit ("0.5 m", "30 deg"): another unit of the same kind is converted, any other is an error.
 */
#ifndef DELASSUS_FIELD_H
#define DELASSUS_FIELD_H

#include "delassus/math3.h"
#include "delassus/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dls_field_kind {
    DLS_FIELD_REAL,   /* double */
    DLS_FIELD_COUNT,  /* size_t */
    DLS_FIELD_BOOL,   /* bool: true, false */
    DLS_FIELD_CHOICE, /* int: index into choices */
    DLS_FIELD_VEC3,   /* dls_vec3: [x, y, z] */
    DLS_FIELD_QUAT,   /* dls_quat: [w, x, y, z], normalised; its norm must be within 1e-3 of 1 */
    DLS_FIELD_NAME    /* char[DLS_NAME_MAX] */
} dls_field_kind;

typedef struct dls_field {
    const char *key;
    const char *unit; /* "" where there is none */
    dls_field_kind kind;
    size_t offset; /* into the settings struct */
    const char
        *fallback; /* the default, as text; NULL: the key is required; "": left as dls_fields_default finds it, unset */
    double min, max; /* of a number or of each component; both 0: no limits. Infinite values pass only if max (min) is
                        infinite. */
    bool open_min;   /* value > min instead of >= min */
    const char *const *choices; /* of a DLS_FIELD_CHOICE, NULL at its end */
    const char *help;           /* one sentence */
} dls_field;

typedef struct dls_field_table {
    const dls_field *fields;
    size_t count;
    size_t size; /* of the settings struct; at least 1 */
} dls_field_table;

#define DLS_FIELD_TABLE(fields, type)                                \
    {                                                                \
        (fields), sizeof(fields) / sizeof((fields)[0]), sizeof(type) \
    }

/* NULL where the table has no such key. */
const dls_field *dls_field_find(const dls_field_table *table, const char *key);
/* Zeroes the struct (an unset real is NaN) and sets every default. */
dls_status dls_fields_default(const dls_field_table *table, void *settings, dls_error *error);
/* Parses text into one field, checks kind, unit and range. error->key is the field's key.
 * An unknown key is DLS_BAD_INPUT and names the nearest known one. */
dls_status dls_field_set(const dls_field_table *table, void *settings, const char *key, const char *text,
                         dls_error *error);
/* An error that names the first required key (fallback NULL; of kind real, vec3 or name) that was never set. */
dls_status dls_fields_require(const dls_field_table *table, const void *settings, dls_error *error);
/* The value as dls_field_set would read it, at full precision, into text[size]. */
void dls_field_print(const dls_field *field, const void *settings, char *text, size_t size);
/* Parses a finite or infinite number with an optional unit that must be `unit` or convertible to it.
 * `*end` is set behind what was read. NaN is DLS_NOT_FINITE. */
dls_status dls_parse_real(const char *text, const char *unit, double *value, const char **end, dls_error *error);
/* The word nearest to `word` in a list (word_at gives NULL behind its end), or NULL if none is near: "did you mean". */
const char *dls_nearest_word(const char *word, const char *(*word_at)(const void *, size_t), const void *context);

#ifdef __cplusplus
}
#endif

#endif
