#include "scene_repeat.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[DLS_COUNTERS_MAX] = {"i", "j", "k"};

#define COUNTER(name, index)                                                                                       \
    {                                                                                                              \
        name, "", DLS_FIELD_COUNT, offsetof(dls_counters, count) + (index) * sizeof(size_t), "0", 1, 10000, false, \
            NULL, "turns of the counter " name ", which runs from 0"                                               \
    }
static const dls_field fields[] = {COUNTER("i", 0), COUNTER("j", 1), COUNTER("k", 2)};
static const dls_field_table counter_fields = DLS_FIELD_TABLE(fields, dls_counters);

static dls_status repeat_fail(dls_error *error, const dls_yaml_node *node, const char *message)
{
    return dls_fail_at(error, DLS_BAD_INPUT, NULL, node->place.line, node->place.column, node->key, "%s", message);
}

static dls_status read_counter(const dls_yaml_node *node, const char *key, dls_counters *counters, dls_error *error)
{
    if (node->kind != DLS_YAML_SCALAR)
        return repeat_fail(error, node, "expected how often to repeat, a number");
    dls_status status = dls_field_set(&counter_fields, counters, key, node->text, error);
    return status == DLS_OK ? DLS_OK
                            : dls_fail_place(error, status, NULL, node->key_place.line, node->key_place.column, NULL);
}

void dls_counters_reset(dls_counters *counters) { *counters = (dls_counters){.constants = counters->constants}; }

dls_status dls_counters_read(const dls_yaml_node *repeat, dls_counters *counters, dls_error *error)
{
    dls_counters_reset(counters);
    if (!repeat)
        return DLS_OK;
    if (repeat->kind == DLS_YAML_SCALAR)
        return read_counter(repeat, "i", counters, error);
    if (repeat->kind == DLS_YAML_LIST || repeat->count == 0)
        return repeat_fail(error, repeat, "expected a number, or a map of counters as in {i: 10, j: 4}");
    for (const dls_yaml_node *child = repeat->first; child; child = child->next)
        DLS_TRY(read_counter(child, child->key, counters, error));
    return DLS_OK;
}

size_t dls_counters_turns(const dls_counters *counters)
{
    size_t turns = 1;
    for (size_t c = 0; c < DLS_COUNTERS_MAX; c++)
        turns *= counters->count[c] ? counters->count[c] : 1;
    return turns;
}

bool dls_counters_turn(dls_counters *counters)
{
    for (size_t c = DLS_COUNTERS_MAX; c-- > 0;) {
        if (counters->at[c] + 1 < counters->count[c]) {
            counters->at[c]++;
            return true;
        }
        counters->at[c] = 0;
    }
    return false;
}

/* DLS_COUNTERS_MAX where it is not declared here. */
static size_t find_counter(const dls_counters *counters, const char *name, size_t length)
{
    for (size_t c = 0; c < DLS_COUNTERS_MAX; c++)
        if (counters->count[c] > 0 && strlen(names[c]) == length && strncmp(names[c], name, length) == 0)
            return c;
    return DLS_COUNTERS_MAX;
}

static bool has_counters(const dls_counters *counters)
{
    return counters->count[0] > 0 || counters->count[1] > 0 || counters->count[2] > 0;
}

/* --- expressions --- */

static bool name_value(const void *context, const char *name, size_t length, double *value)
{
    const dls_counters *counters = context;
    const size_t c = find_counter(counters, name, length), known = counters->constants ? counters->constants->count : 0;
    if (c < DLS_COUNTERS_MAX) {
        *value = (double)counters->at[c];
        return true;
    }
    for (size_t i = 0; i < known; i++)
        if (strlen(counters->constants->of[i].name) == length &&
            strncmp(counters->constants->of[i].name, name, length) == 0) {
            *value = counters->constants->of[i].value;
            return true;
        }
    return false;
}

dls_status dls_counters_expression(const dls_counters *counters, const dls_yaml_node *node, double *value,
                                   dls_error *error)
{
    const dls_status status = dls_expression_value(node->text, name_value, counters, value, error);
    return status == DLS_OK ? DLS_OK
                            : dls_fail_place(error, status, NULL, node->place.line, node->place.column, node->key);
}

static bool is_number(const dls_field *field)
{
    return field->kind == DLS_FIELD_REAL || field->kind == DLS_FIELD_COUNT || field->kind == DLS_FIELD_VEC3 ||
           field->kind == DLS_FIELD_QUAT || field->kind == DLS_FIELD_REALS || field->kind == DLS_FIELD_COUNTS;
}

/* --- {i} within text --- */

/* "{i}", "{i+12}", "{i-1}" at *text, which is moved past it. */
static dls_status counter_value(const dls_counters *counters, const char **text, long *value, const dls_yaml_node *node,
                                dls_error *error)
{
    const char *name = *text + 1;
    char *behind = NULL;
    size_t length = strcspn(name, "+-}");
    size_t c = find_counter(counters, name, length);
    if (c == DLS_COUNTERS_MAX)
        return repeat_fail(error, node,
                           "no such counter in braces; a repeat has {i}, or those of i, j, k that it declares");
    *value = (long)counters->at[c];
    const char *rest = name + length;
    if (*rest == '+' || *rest == '-') {
        long offset = strtol(rest, &behind, 10);
        if (behind == rest || behind - rest > 6)
            return repeat_fail(error, node, "expected {i+N} or {i-N} with a whole number N of at most 5 digits");
        *value += offset;
        rest = behind;
    }
    if (*rest != '}')
        return repeat_fail(error, node, "expected {i}, {i+N} or {i-N}");
    *text = rest + 1;
    return DLS_OK;
}

typedef struct buffer {
    char *text;
    size_t used;
} buffer;

static dls_status put_bytes(buffer *to, const char *text, size_t length, const dls_yaml_node *node, dls_error *error)
{
    if (length >= DLS_VALUE_MAX - to->used)
        return repeat_fail(error, node, "the value is too long");
    memcpy(to->text + to->used, text, length);
    to->used += length;
    to->text[to->used] = '\0';
    return DLS_OK;
}

/* Outside a repeat braces are braces. */
static dls_status put_counted_text(const dls_counters *counters, buffer *to, const char *text,
                                   const dls_yaml_node *node, dls_error *error)
{
    while (has_counters(counters) && strchr(text, '{')) {
        size_t length = strcspn(text, "{");
        char number[32];
        long value = 0;
        DLS_TRY(put_bytes(to, text, length, node, error));
        text += length;
        DLS_TRY(counter_value(counters, &text, &value, node, error));
        snprintf(number, sizeof number, "%ld", value);
        DLS_TRY(put_bytes(to, number, strlen(number), node, error));
    }
    return put_bytes(to, text, strlen(text), node, error);
}

static dls_status put_expression(const dls_counters *counters, buffer *to, const dls_yaml_node *node, dls_error *error)
{
    char text[40];
    double value;
    DLS_TRY(dls_counters_expression(counters, node, &value, error));
    dls_print(text, sizeof text, "%.17g", value);
    return put_bytes(to, text, strlen(text), node, error);
}

static dls_status put_scalar(const dls_counters *counters, const dls_field *field, buffer *to,
                             const dls_yaml_node *node, dls_error *error)
{
    if (node->kind == DLS_YAML_SCALAR && !node->empty && is_number(field) && dls_is_expression(node->text))
        return put_expression(counters, to, node, error);
    if (node->kind != DLS_YAML_SCALAR)
        return repeat_fail(error, node, "expected a value or a list of plain values");
    if (node->empty)
        return repeat_fail(error, node, "has no value; write one behind the colon, or leave the line out");
    return put_counted_text(counters, to, node->text, node, error);
}

static dls_status put_value_list(const dls_counters *counters, const dls_field *field, buffer *to,
                                 const dls_yaml_node *list, dls_error *error)
{
    DLS_TRY(put_bytes(to, "[", 1, list, error));
    for (const dls_yaml_node *item = list->first; item; item = item->next) {
        DLS_TRY(put_scalar(counters, field, to, item, error));
        if (!dls_is_expression(item->text) && strpbrk(item->text, ",[]"))
            return repeat_fail(error, item, "a comma or bracket within one value of a list");
        if (item->next)
            DLS_TRY(put_bytes(to, ", ", 2, list, error));
    }
    return put_bytes(to, "]", 1, list, error);
}

/* --- start and steps --- */

static dls_status parse_component(const dls_counters *counters, const dls_field *field, const dls_yaml_node *node,
                                  double *value, dls_error *error)
{
    const char *end = "";
    if (node->kind != DLS_YAML_SCALAR)
        return repeat_fail(error, node, "expected a number");
    if (dls_is_expression(node->text))
        return dls_counters_expression(counters, node, value, error);
    dls_status status = dls_parse_real(node->text, field->unit, value, &end, error);
    if (status != DLS_OK)
        return dls_fail_place(error, status, NULL, node->place.line, node->place.column, node->key);
    return end[strspn(end, " \t")] ? repeat_fail(error, node, "something stands behind the number") : DLS_OK;
}

/* to += factor * the numbers of `node`, as many as the field has. */
static dls_status add_components(const dls_counters *counters, const dls_field *field, const dls_yaml_node *node,
                                 double factor, double *to, dls_error *error)
{
    size_t wanted = field->kind == DLS_FIELD_VEC3 ? 3 : 1;
    const dls_yaml_node *item = node->kind == DLS_YAML_LIST ? node->first : node;
    if ((node->kind == DLS_YAML_LIST ? node->count : 1) != wanted || (wanted > 1 && node->kind != DLS_YAML_LIST))
        return repeat_fail(error, node, wanted == 3 ? "expected a list of 3 numbers [..]" : "expected one number");
    for (size_t i = 0; i < wanted; i++, item = item->next) {
        double value = 0.0;
        DLS_TRY(parse_component(counters, field, item, &value, error));
        to[i] += factor * value;
    }
    return DLS_OK;
}

static dls_status stepped_value(const dls_counters *counters, const dls_field *field, const dls_yaml_node *map,
                                dls_scene_value *value, dls_error *error)
{
    const dls_yaml_node *start = dls_yaml_find(map, "start");
    if (!has_counters(counters))
        return repeat_fail(error, map, "a value that steps stands only beside repeat");
    if (field->kind != DLS_FIELD_REAL && field->kind != DLS_FIELD_VEC3 && field->kind != DLS_FIELD_COUNT)
        return repeat_fail(error, map, "only numbers and vectors can step");
    if (!start)
        return repeat_fail(error, map, "missing 'start'; write {start: .., i: ..}");
    DLS_TRY(add_components(counters, field, start, 1.0, value->numbers, error));
    for (const dls_yaml_node *step = map->first; step; step = step->next) {
        if (step == start)
            continue;
        size_t c = find_counter(counters, step->key, strlen(step->key));
        if (c == DLS_COUNTERS_MAX)
            return dls_fail_at(error, DLS_BAD_INPUT, NULL, step->key_place.line, step->key_place.column, step->key,
                               "unknown key; expected 'start' or a counter of this repeat");
        DLS_TRY(add_components(counters, field, step, (double)counters->at[c], value->numbers, error));
    }
    value->count = field->kind == DLS_FIELD_VEC3 ? 3 : 1;
    return DLS_OK;
}

dls_status dls_counters_value(const dls_counters *counters, const dls_field *field, const dls_yaml_node *node,
                              dls_scene_value *value, dls_error *error)
{
    buffer to = {value->text, 0};
    *value = (dls_scene_value){.count = 0};
    if (node->kind == DLS_YAML_MAP)
        return stepped_value(counters, field, node, value, error);
    return node->kind == DLS_YAML_LIST ? put_value_list(counters, field, &to, node, error)
                                       : put_scalar(counters, field, &to, node, error);
}

dls_status dls_scene_value_set(const dls_scene_value *value, const dls_settings *settings, const char *key,
                               dls_error *error)
{
    return value->count
               ? dls_field_set_numbers(settings->table, settings->values, key, value->numbers, value->count, error)
               : dls_field_set(settings->table, settings->values, key, value->text, error);
}

dls_status dls_counters_text(const dls_counters *counters, const char *from, const dls_yaml_node *node, char *text,
                             dls_error *error)
{
    buffer to = {text, 0};
    text[0] = '\0';
    return put_counted_text(counters, &to, from, node, error);
}
