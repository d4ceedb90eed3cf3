/* json.h - answers of the program as JSON, one object on a line; doc/answers.schema.json says what they hold. What
 * makes a value returns NULL without memory, and an object or array that such a value is put into becomes NULL too, so
 * that only json_print needs to be asked. */
#ifndef DELASSUS_CMD_JSON_H
#define DELASSUS_CMD_JSON_H

#include "command.h"

#include <jansson.h>

/* A file's name need not be UTF-8, which JSON is: bytes that are none of it become '?'. */
json_t *json_text(const char *text);
/* JSON knows no infinity and no NaN: null. */
json_t *json_number(double value);
json_t *json_vector(const double *values, size_t n);
json_t *json_vectors(const double *values, size_t count, size_t n); /* an array of `count` vectors */
json_t *json_count(size_t value);
void json_put(json_t **object, const char *key, json_t *value);
void json_add(json_t **array, json_t *value);
/* Puts the examiner's figures into an object, of NULL as null. */
void json_put_figures(json_t **object, const dls_certificate *certificate);
json_t *json_bounds(const dls_bounds *bounds, size_t n);
/* "JOINT.LABEL" of every row, or its label alone. */
json_t *json_rows(const dls_problem *problem);
/* Where each of the first n impulses stands between its bounds. */
json_t *json_statuses(const dls_problem *problem, const double *lambda, size_t n);

/* The object on one line of standard output, and releases it; false, after a message, without memory. That standard
 * output has been written is checked where the program ends (exit_status). */
bool json_print(json_t *object);

#endif
