/* Answers of the program as JSON. */
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *json_text(const char *text)
{
    json_t *value = json_string(text);
    char *copy = value ? NULL : strdup(text);
    for (char *c = copy; c && *c; c++)
        *c = (char)((unsigned char)*c < 0x80 ? *c : '?');
    value = copy ? json_string(copy) : value;
    free(copy);
    return value;
}

json_t *json_number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

json_t *json_count(size_t value) { return json_integer((json_int_t)value); }

void json_put(json_t **object, const char *key, json_t *value)
{
    if (json_object_set_new(*object, key, value) == 0)
        return;
    json_decref(*object);
    *object = NULL;
}

void json_add(json_t **array, json_t *value)
{
    if (json_array_append_new(*array, value) == 0)
        return;
    json_decref(*array);
    *array = NULL;
}

json_t *json_vector(const double *values, size_t n)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_add(&array, json_number(values[i]));
    return array;
}

json_t *json_vectors(const double *values, size_t count, size_t n)
{
    json_t *array = json_array();
    for (size_t k = 0; k < count; k++)
        json_add(&array, json_vector(values + k * n, n));
    return array;
}

void json_put_figures(json_t **object, const dls_certificate *c)
{
    const struct {
        const char *key;
        double value;
    } figures[] = {{"natural_residual", c ? c->natural_residual : NAN},
                   {"natural_residual_velocity", c ? c->natural_residual_velocity : NAN},
                   {"velocity_residual", c ? c->velocity_residual : NAN},
                   {"impulse_residual", c ? c->impulse_residual : NAN},
                   {"scaled_residual", c ? c->scaled_residual : NAN},
                   {"least_residual", c ? c->least_residual : NAN},
                   {"data_residual", c ? c->data_residual : NAN},
                   {"inconsistent", c ? c->inconsistent : NAN}};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        json_put(object, figures[i].key, json_number(figures[i].value));
}

json_t *json_bounds(const dls_bounds *bounds, size_t n)
{
    json_t *o = json_object();
    json_put(&o, "unique", json_boolean(bounds->unique));
    json_put(&o, "lambda", json_number(bounds->lambda));
    json_put(&o, "w", json_number(bounds->w));
    json_put(&o, "velocity", json_number(bounds->velocity));
    json_put(&o, "radius_lambda", json_vector(bounds->radius_lambda, n));
    json_put(&o, "radius_w", json_vector(bounds->radius_w, n));
    json_put(&o, "dependent", json_count(bounds->dependent));
    json_put(&o, "inconsistent", json_number(bounds->inconsistent));
    json_put(&o, "text", json_text(bounds->text));
    return o;
}

json_t *json_rows(const dls_problem *problem)
{
    json_t *array = json_array();
    char name[8 * DLS_NAME_MAX];
    for (size_t i = 0; i < problem->n; i++) {
        row_name(problem, i, name, sizeof name);
        json_add(&array, json_text(name));
    }
    return array;
}

json_t *json_statuses(const dls_problem *problem, const double *lambda, size_t n)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_add(&array, json_string(dls_row_status_names[dls_problem_row_status(problem, i, lambda)]));
    return array;
}

bool json_print(json_t *object)
{
    const bool printed = object && (json_dumpf(object, stdout, JSON_REAL_PRECISION(17)) == 0 || ferror(stdout));
    if (printed)
        putchar('\n');
    else
        complain_no_memory();
    json_decref(object);
    return printed;
}
