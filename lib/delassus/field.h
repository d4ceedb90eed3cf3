/* field.h - tables of settings: key, unit, type, default, range and help of each setting, listed once.
 *
 * Every joint type, solver, scheme and experiment lists its fields in one table. Parsing, defaults, validation,
 * `--set key=value`, `delassus list`, the manual and the table headers all read that list, and nothing else.
 * The values are stored in a C struct, the settings struct; the table describes its members. The caller may declare
 * such a struct (dls_fields_default), or a dls_settings may own it:
 *
 *     dls_settings settings;
 *     dls_settings_create(&scheme->fields, &settings, error);
 *     dls_settings_set(&settings, "time_base", "substep", error);      by text, as --set does
 *     dls_settings_set_number(&settings, "compliance", 1e-7, error);   or by number
 *     ... scheme->open(.., settings.values, ..) ...
 *     dls_settings_release(&settings);
 *
 * In text a number may carry its unit ("0.5 m", "30 deg"): another unit of the same kind is converted, any other is an
 * error. Lists are written with or without brackets: "[1, 2, 5] ms" or "1 ms, 2 ms, 5 ms".
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

/* The kind of a field, and the type of its member in the settings struct. */
typedef enum dls_field_kind {
    DLS_FIELD_REAL,    /* double */
    DLS_FIELD_COUNT,   /* size_t */
    DLS_FIELD_BOOL,    /* bool: true, false */
    DLS_FIELD_CHOICE,  /* int: index into choices */
    DLS_FIELD_VEC3,    /* dls_vec3: [x, y, z] */
    DLS_FIELD_QUAT,    /* dls_quat: [w, x, y, z], normalised; its norm must be within 1e-3 of 1 */
    DLS_FIELD_NAME,    /* char[DLS_NAME_MAX] */
    DLS_FIELD_REALS,   /* dls_list of reals, */
    DLS_FIELD_COUNTS,  /* of counts, */
    DLS_FIELD_CHOICES, /* of choices, */
    DLS_FIELD_NAMES,   /* or of names: one value or more, or none while it is unset */
    DLS_FIELD_TRACK,   /* dls_reference to a track of the scene, */
    DLS_FIELD_JOINT,   /* to a joint, */
    DLS_FIELD_END      /* or to a body, a link "ARTICULATION.LINK" or the world */
} dls_field_kind;

/* The value of a list-valued field. Its memory belongs to the settings struct and is freed by dls_settings_release, or
 * by dls_fields_release for a struct that the caller declared. */
typedef struct dls_list {
    size_t count;
    union {
        double *reals;
        size_t *counts;
        int *choices;
        char (*names)[DLS_NAME_MAX];
    };
} dls_list;

/* The value of a reference-valued field: the name of a track, joint or end. dls_model_create resolves all references
 * before it calls functions of a joint type; the index is then that of the track, joint or end in the model, DLS_WORLD
 * for the world. Before that, only the name is set. */
typedef struct dls_reference {
    char name[DLS_NAME_MAX];
    size_t index;
    const void *object; /* a const dls_track *, or a const dls_joint *; NULL for an end */
} dls_reference;

typedef struct dls_field {
    const char *key;
    const char *unit; /* "" where there is none */
    dls_field_kind kind;
    size_t offset;        /* of the member in the settings struct */
    const char *fallback; /* the default, as text; NULL: the field is required; "": it is left unset */
    double min, max;      /* limits of a number, of each component or of each value of a list; both 0: none. An infinite
                             value is accepted only where max (min) is infinite. */
    bool open_min;        /* value > min instead of >= min */
    /* The words of a choice or a list of choices, NULL at the end: "name", or "name|older name"; the older name is
     * accepted and never written. */
    const char *const *choices;
    const char *help; /* one sentence */
} dls_field;

/* The length of a choice's name. */
static inline int dls_choice_length(const char *choice)
{
    int length = 0;
    while (choice[length] && choice[length] != '|')
        length++;
    return length;
}

typedef struct dls_field_table {
    const dls_field *fields;
    size_t count;
    size_t size; /* of the settings struct; at least 1 */
} dls_field_table;

#define DLS_FIELD_TABLE(fields, type)                                \
    {                                                                \
        (fields), sizeof(fields) / sizeof((fields)[0]), sizeof(type) \
    }

/* The field with that key; NULL if the table has none. */
const dls_field *dls_field_find(const dls_field_table *table, const char *key);
/* The range of a field as lists show it: "[0, inf)", "true|false", "list of a|b"; "" for any finite number. */
void dls_field_range(const dls_field *field, char *text, size_t size);
/* Sets one field from text, and checks kind, unit and range. On failure the value is unchanged, and error->key is the
 * key. An unknown key is DLS_BAD_INPUT, and the message names the nearest known one. */
dls_status dls_field_set(const dls_field_table *table, void *values, const char *key, const char *text,
                         dls_error *error);
/* Sets one field from numbers in its own unit, with the same checks: one number for a real, a count, a choice (its
 * index) or a bool (0 or 1), three for a vector, four for a quaternion, one or more for a list of numbers or choices.
 * Names cannot be set this way. */
dls_status dls_field_set_numbers(const dls_field_table *table, void *values, const char *key, const double *numbers,
                                 size_t count, dls_error *error);
/* Writes the value into text[size] as dls_field_set reads it, at full precision. Like snprintf it truncates a text that
 * does not fit, and returns the length of the whole text without its terminating zero. */
size_t dls_field_print(const dls_field *field, const void *values, char *text, size_t size);

/* --- settings structs declared by the caller --- */

/* Initialises the struct, whatever it contained, with every default; unset numbers are NaN. */
dls_status dls_fields_default(const dls_field_table *table, void *values, dls_error *error);
/* Initialises the struct `to` with a copy of `from`. */
dls_status dls_fields_copy(const dls_field_table *table, void *to, const void *from, dls_error *error);
/* Frees the lists in the struct, which become empty. Structs without lists need no release. */
void dls_fields_release(const dls_field_table *table, void *values);
/* Checks values that were not set by text or by numbers but assigned: each must be one that dls_field_set_numbers
 * accepts, or unset where the default is. The error is that of the first other one, and has its key. */
dls_status dls_fields_check(const dls_field_table *table, const void *values, dls_error *error);
/* DLS_BAD_INPUT, naming the first required field (a field whose fallback is NULL) that has not been set, if there is
 * one. */
dls_status dls_fields_require(const dls_field_table *table, const void *values, dls_error *error);

/* --- settings that own their struct --- */

typedef struct dls_settings {
    const dls_field_table *table;
    void *values; /* the settings struct; NULL after a failure and after the release */
} dls_settings;

/* Settings with every default. The table must outlive them. */
dls_status dls_settings_create(const dls_field_table *table, dls_settings *settings, dls_error *error);
/* Initialises `to` with a copy of `from`. */
dls_status dls_settings_copy(const dls_settings *from, dls_settings *to, dls_error *error);
/* Also allowed for zeroed settings and after a failed creation. */
void dls_settings_release(dls_settings *settings);
/* dls_field_set, and dls_field_set_numbers with one number. */
dls_status dls_settings_set(dls_settings *settings, const char *key, const char *text, dls_error *error);
dls_status dls_settings_set_number(dls_settings *settings, const char *key, double number, dls_error *error);

/* --- words and numbers --- */

/* Parses a finite or infinite number with an optional unit, which must be `unit` or convertible to it. `*end` is set to
 * the first character after it. NaN is DLS_NOT_FINITE. */
dls_status dls_parse_real(const char *text, const char *unit, double *value, const char **end, dls_error *error);
/* The word in a list that is most similar to `word`, for "did you mean" messages; NULL if none is similar.
 * word_at(context, i) returns word i, or NULL after the last.
 */
const char *dls_nearest_word(const char *word, const char *(*word_at)(const void *, size_t), const void *context);
/* The end of a message about an unknown word: "; did you mean 'NEAREST'?". Without a nearest word (NULL, or empty) it
 * is "; OTHERWISE", or nothing where that is NULL. */
typedef struct dls_hint {
    char text[DLS_MESSAGE_MAX];
} dls_hint;
dls_hint dls_hint_of(const char *nearest, const char *otherwise);

#ifdef __cplusplus
}
#endif

#endif
