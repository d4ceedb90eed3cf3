/* scene_repeat.h - counters of a repeated definition, and values that follow them. Not installed. */
#ifndef DELASSUS_IO_SCENE_REPEAT_H
#define DELASSUS_IO_SCENE_REPEAT_H

#include "yaml_tree.h"

enum { DLS_COUNTERS_MAX = 3, DLS_VALUE_MAX = 1024 };

/* i, j, k, from 0; i turns slowest. All zero: no repeat, one turn. */
typedef struct dls_counters {
    size_t count[DLS_COUNTERS_MAX]; /* 0: the counter is not declared */
    size_t at[DLS_COUNTERS_MAX];
} dls_counters;

/* `repeat: 10` (i alone) or `repeat: {i: 10, j: 4}`. `repeat` may be NULL. Errors have their place, without the file.
 */
dls_status dls_counters_read(const dls_yaml_node *repeat, dls_counters *counters, dls_error *error);
/* How many turns there are. */
size_t dls_counters_turns(const dls_counters *counters);
/* The next turn; false after the last one. */
bool dls_counters_turn(dls_counters *counters);
/* The value of a key as dls_field_set reads it, into text[DLS_VALUE_MAX]: a scalar or a list of scalars, in which {i},
 * {i+1} and {i-1} stand for the counters, or {start: a, i: b, ..}: a + i b + .. by components. */
dls_status dls_counters_value(const dls_counters *counters, const dls_field *field, const dls_yaml_node *value,
                              char *text, dls_error *error);
/* A key or another text of `node`, with its counters, into text[DLS_VALUE_MAX]. */
dls_status dls_counters_text(const dls_counters *counters, const char *from, const dls_yaml_node *node, char *text,
                             dls_error *error);

#endif
