/* json.h - values of the program as JSON; each function returns NULL without memory. */
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
/* Sets the examiner's figures in an object, of NULL as null; false where that failed. */
bool json_set_figures(json_t *object, const dls_certificate *certificate);
json_t *json_bounds(const dls_bounds *bounds, size_t n);
/* "JOINT.LABEL" of every row, or its label alone. */
json_t *json_rows(const dls_problem *problem);
/* Where each of the first n impulses stands between its bounds. */
json_t *json_statuses(const dls_problem *problem, const double *lambda, size_t n);

#endif
