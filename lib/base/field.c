/* Field tables, and settings that own their values. The values of each kind: value.c. */
#include "value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const dls_field *dls_field_find(const dls_field_table *table, const char *key)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->fields[i].key, key) == 0)
            return &table->fields[i];
    return NULL;
}

static void *field_value(const dls_field *field, const void *values) { return (char *)values + field->offset; }

static dls_status fail_at_field(const dls_field *field, dls_status status, dls_error *error)
{
    return status == DLS_OK ? DLS_OK : dls_fail_place(error, status, NULL, 0, 0, field->key);
}

/* --- structs --- */

dls_status dls_fields_default(const dls_field_table *table, void *values, dls_error *error)
{
    dls_status status = DLS_OK;
    memset(values, 0, table->size);
    for (size_t i = 0; i < table->count && status == DLS_OK; i++) {
        const dls_field *field = &table->fields[i];
        if (field->fallback && *field->fallback)
            status =
                fail_at_field(field, dls_value_parse(field, field_value(field, values), field->fallback, error), error);
        else
            dls_value_unset(field, field_value(field, values));
    }
    if (status != DLS_OK)
        dls_fields_release(table, values);
    return status;
}

dls_status dls_fields_copy(const dls_field_table *table, void *to, const void *from, dls_error *error)
{
    dls_status status = DLS_OK;
    memcpy(to, from, table->size);
    for (size_t i = 0; i < table->count; i++) /* on to the end after a failure: no list is left that is another's */
        if (dls_value_own(&table->fields[i], field_value(&table->fields[i], to), error) != DLS_OK)
            status = DLS_NO_MEMORY;
    if (status != DLS_OK)
        dls_fields_release(table, to);
    return status;
}

void dls_fields_release(const dls_field_table *table, void *values)
{
    for (size_t i = 0; i < table->count; i++)
        dls_value_release(&table->fields[i], field_value(&table->fields[i], values));
}

/* Levenshtein's distance of short words. */
static size_t word_distance(const char *a, const char *b)
{
    size_t row[DLS_NAME_MAX + 1], nb = strlen(b);
    if (nb > DLS_NAME_MAX)
        return SIZE_MAX;
    for (size_t j = 0; j <= nb; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            size_t edit = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = change < edit ? change : edit;
        }
    }
    return row[nb];
}

const char *dls_nearest_word(const char *word, const char *(*word_at)(const void *, size_t), const void *context)
{
    const char *best = NULL, *candidate;
    size_t best_distance = SIZE_MAX;
    for (size_t i = 0; (candidate = word_at(context, i)); i++) {
        size_t distance = word_distance(word, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best_distance <= 1 + strlen(word) / 3 ? best : NULL;
}

dls_hint dls_hint_of(const char *nearest, const char *otherwise)
{
    dls_hint hint = {.text = ""};
    if (nearest && *nearest)
        snprintf(hint.text, sizeof hint.text, "; did you mean '%.120s'?", nearest);
    else if (otherwise)
        snprintf(hint.text, sizeof hint.text, "; %s", otherwise);
    return hint;
}

static const char *key_at(const void *table, size_t i)
{
    const dls_field_table *fields = table;
    return i < fields->count ? fields->fields[i].key : NULL;
}

/* As many keys as the text holds. */
static void list_keys(const dls_field_table *table, char *text, size_t size)
{
    size_t used = 0;
    snprintf(text, size, "none");
    for (size_t i = 0; i < table->count && used + strlen(table->fields[i].key) + 3 <= size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", table->fields[i].key);
}

static dls_status unknown_key(const dls_field_table *table, const char *key, dls_error *error)
{
    char keys[DLS_MESSAGE_MAX - 64] = "the keys are: ";
    list_keys(table, keys + strlen(keys), sizeof keys - strlen(keys));
    return dls_fail_about(error, DLS_BAD_INPUT, NULL, key, "unknown key%s",
                          dls_hint_of(dls_nearest_word(key, key_at, table), keys).text);
}

dls_status dls_field_set(const dls_field_table *table, void *values, const char *key, const char *text,
                         dls_error *error)
{
    const dls_field *field = dls_field_find(table, key);
    return field ? fail_at_field(field, dls_value_parse(field, field_value(field, values), text, error), error)
                 : unknown_key(table, key, error);
}

dls_status dls_field_set_numbers(const dls_field_table *table, void *values, const char *key, const double *numbers,
                                 size_t count, dls_error *error)
{
    const dls_field *field = dls_field_find(table, key);
    return field ? fail_at_field(field, dls_value_put(field, field_value(field, values), numbers, count, error), error)
                 : unknown_key(table, key, error);
}

size_t dls_field_print(const dls_field *field, const void *values, char *text, size_t size)
{
    return dls_value_print(field, field_value(field, values), text, size);
}

dls_status dls_fields_check(const dls_field_table *table, const void *values, dls_error *error)
{
    for (size_t i = 0; i < table->count; i++) {
        const dls_field *field = &table->fields[i];
        DLS_TRY(fail_at_field(field, dls_value_check(field, field_value(field, values), error), error));
    }
    return DLS_OK;
}

dls_status dls_fields_require(const dls_field_table *table, const void *values, dls_error *error)
{
    for (size_t i = 0; i < table->count; i++) {
        const dls_field *field = &table->fields[i];
        if (!field->fallback && dls_value_is_unset(field, field_value(field, values)))
            return dls_fail_about(error, DLS_BAD_INPUT, NULL, field->key, "missing; give %s%s%s%s", field->help,
                                  *field->unit ? " [" : "", field->unit, *field->unit ? "]" : "");
    }
    return DLS_OK;
}

/* --- settings --- */

static dls_status take_settings(const dls_field_table *table, dls_settings *settings, dls_error *error)
{
    *settings = (dls_settings){table, malloc(table->size)};
    return settings->values ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for settings");
}

static dls_status settings_taken(dls_status status, dls_settings *settings)
{
    if (status != DLS_OK) {
        free(settings->values);
        settings->values = NULL;
    }
    return status;
}

dls_status dls_settings_create(const dls_field_table *table, dls_settings *settings, dls_error *error)
{
    DLS_TRY(take_settings(table, settings, error));
    return settings_taken(dls_fields_default(table, settings->values, error), settings);
}

dls_status dls_settings_copy(const dls_settings *from, dls_settings *to, dls_error *error)
{
    DLS_TRY(take_settings(from->table, to, error));
    return settings_taken(dls_fields_copy(from->table, to->values, from->values, error), to);
}

void dls_settings_release(dls_settings *settings)
{
    if (settings->values)
        dls_fields_release(settings->table, settings->values);
    free(settings->values);
    settings->values = NULL;
}

dls_status dls_settings_set(dls_settings *settings, const char *key, const char *text, dls_error *error)
{
    return dls_field_set(settings->table, settings->values, key, text, error);
}

dls_status dls_settings_set_number(dls_settings *settings, const char *key, double number, dls_error *error)
{
    return dls_field_set_numbers(settings->table, settings->values, key, &number, 1, error);
}
