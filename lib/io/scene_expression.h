/* scene_expression.h - numbers of a scene that are computed: "= 2 * L + 0.1". Not installed. */
#ifndef DELASSUS_IO_SCENE_EXPRESSION_H
#define DELASSUS_IO_SCENE_EXPRESSION_H

#include "yaml_tree.h"

typedef struct dls_constants {
    size_t count;
    struct {
        char name[DLS_NAME_MAX];
        double value;
    } of[DLS_YAML_KEYS_MAX];
} dls_constants;

/* Whether a text is an expression: it begins with '='. */
bool dls_is_expression(const char *text);
/* Its value: numbers, + - * / ^ and parentheses, sqrt, abs, sin, cos, tan, asin, acos, atan, pi, and names, whose
 * values are value_of(context, name, length, &value), false where there is no such name. Errors are about what is in
 * the text. */
dls_status dls_expression_value(const char *text, bool (*value_of)(const void *, const char *, size_t, double *),
                                const void *context, double *value, dls_error *error);

#endif
