/* scene_repeat.h - counters of a repeated definition, and values that follow them. Not installed. */
#ifndef DELASSUS_IO_SCENE_REPEAT_H
#define DELASSUS_IO_SCENE_REPEAT_H

#include "scene_expression.h"

enum { DLS_COUNTERS_MAX = 3, DLS_VALUE_MAX = 1024 };

/* i, j, k, from 0; i turns slowest. All zero: no repeat, one turn. */
typedef struct dls_counters {
    size_t count[DLS_COUNTERS_MAX]; /* 0: the counter is not declared */
    size_t at[DLS_COUNTERS_MAX];
    const dls_constants *constants; /* of the scene, for expressions; NULL: none */
} dls_counters;

/* No repeat, with the same constants. */
void dls_counters_reset(dls_counters *counters);

/* `repeat: 10` (i alone) or `repeat: {i: 10, j: 4}`. `repeat` may be NULL. Errors have their place, without the file.
 */
dls_status dls_counters_read(const dls_yaml_node *repeat, dls_counters *counters, dls_error *error);
/* How many turns there are. */
size_t dls_counters_turns(const dls_counters *counters);
/* The next turn; false after the last one. */
bool dls_counters_turn(dls_counters *counters);
/* The value of an expression, in which constants and counters are known. */
dls_status dls_counters_expression(const dls_counters *counters, const dls_yaml_node *node, double *value,
                                   dls_error *error);
/* The value of a key: numbers in the unit of its field, or text as dls_field_set reads it where there are none. */
typedef struct dls_scene_value {
    size_t count;
    double numbers[3];
    char text[DLS_VALUE_MAX];
} dls_scene_value;
/* A scalar or a list of scalars, in which {i}, {i+1} and {i-1} stand for the counters: text. = EXPRESSION: its number.
 * {start: a, i: b, ..}: the numbers a + i b + .. by components. */
dls_status dls_counters_value(const dls_counters *counters, const dls_field *field, const dls_yaml_node *node,
                              dls_scene_value *value, dls_error *error);
dls_status dls_scene_value_set(const dls_scene_value *value, const dls_settings *settings, const char *key,
                               dls_error *error);
/* A key or another text of `node`, with its counters, into text[DLS_VALUE_MAX]. */
dls_status dls_counters_text(const dls_counters *counters, const char *from, const dls_yaml_node *node, char *text,
                             dls_error *error);

#endif
