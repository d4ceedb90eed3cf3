/* Values of the program as JSON. Each function returns NULL without memory. */
#include "json.h"

#include <math.h>
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

json_t *json_vector(const double *values, size_t n)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        if (json_array_append_new(array, json_number(values[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

json_t *json_vectors(const double *values, size_t count, size_t n)
{
    json_t *array = json_array();
    for (size_t k = 0; k < count; k++)
        if (json_array_append_new(array, json_vector(values + k * n, n)) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

bool json_set_figures(json_t *o, const dls_certificate *c)
{
    const struct {
        const char *key;
        double value;
    } figures[] = {{"natural_residual", c ? c->natural_residual : NAN},
                   {"natural_residual_velocity", c ? c->natural_residual_velocity : NAN},
                   {"velocity_residual", c ? c->velocity_residual : NAN},
                   {"impulse_residual", c ? c->impulse_residual : NAN},
                   {"scaled_residual", c ? c->scaled_residual : NAN},
                   {"data_residual", c ? c->data_residual : NAN},
                   {"inconsistent", c ? c->inconsistent : NAN}};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        if (json_object_set_new(o, figures[i].key, json_number(figures[i].value)) != 0)
            return false;
    return true;
}

json_t *json_bounds(const dls_bounds *bounds, size_t n)
{
    json_t *o = json_object();
    if (json_object_set_new(o, "unique", json_boolean(bounds->unique)) ||
        json_object_set_new(o, "lambda", json_number(bounds->lambda)) ||
        json_object_set_new(o, "w", json_number(bounds->w)) ||
        json_object_set_new(o, "velocity", json_number(bounds->velocity)) ||
        json_object_set_new(o, "radius_lambda", json_vector(bounds->radius_lambda, n)) ||
        json_object_set_new(o, "radius_w", json_vector(bounds->radius_w, n)) ||
        json_object_set_new(o, "dependent", json_integer((json_int_t)bounds->dependent)) ||
        json_object_set_new(o, "inconsistent", json_number(bounds->inconsistent)) ||
        json_object_set_new(o, "text", json_text(bounds->text))) {
        json_decref(o);
        return NULL;
    }
    return o;
}

json_t *json_rows(const dls_problem *problem)
{
    json_t *array = json_array();
    char name[8 * DLS_NAME_MAX];
    for (size_t i = 0; array && i < problem->n; i++) {
        row_name(problem, i, name, sizeof name);
        if (json_array_append_new(array, json_text(name)) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

json_t *json_statuses(const dls_problem *problem, const double *lambda, size_t n)
{
    json_t *array = json_array();
    for (size_t i = 0; array && i < n; i++)
        if (json_array_append_new(array,
                                  json_string(dls_row_status_names[dls_problem_row_status(problem, i, lambda)])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}
