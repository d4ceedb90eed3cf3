#include "delassus/field.h"

#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Units that are converted: value * factor is in `to`. */
static const struct {
    const char *unit, *to;
    double factor;
} conversions[] = {
    {"mm", "m", 1e-3},
    {"cm", "m", 1e-2},
    {"km", "m", 1e3},
    {"g", "kg", 1e-3},
    {"t", "kg", 1e3},
    {"ms", "s", 1e-3},
    {"us", "s", 1e-6},
    {"deg", "rad", DLS_PI / 180.0},
    {"deg/s", "rad/s", DLS_PI / 180.0},
    {"rpm", "rad/s", DLS_PI / 30.0},
    {"kN", "N", 1e3},
    {"mm/s", "m/s", 1e-3},
    {"mHz", "Hz", 1e-3},
    {"kHz", "Hz", 1e3},
    {"MHz", "Hz", 1e6},
};

static const char *skip_space(const char *text)
{
    while (*text == ' ' || *text == '\t')
        text++;
    return text;
}

/* The factor of the unit written at `text` (its length in *length), 0 if it is no unit of the kind asked for. */
static double unit_factor(const char *text, size_t length, const char *unit)
{
    if (length == 0 || (strlen(unit) == length && strncmp(text, unit, length) == 0))
        return 1.0;
    for (size_t i = 0; i < sizeof conversions / sizeof conversions[0]; i++)
        if (strlen(conversions[i].unit) == length && strncmp(text, conversions[i].unit, length) == 0 &&
            strcmp(conversions[i].to, unit) == 0)
            return conversions[i].factor;
    return 0.0;
}

/* Length of what may be a unit at `text`: units have spaces of their own ("kg m^2"). */
static size_t unit_length(const char *text, const char *unit)
{
    size_t length = strlen(unit);
    bool whole = length > 0 && strncmp(text, unit, length) == 0 && strchr(" \t,]", text[length]);
    return whole ? length : strcspn(text, " \t,]");
}

static dls_status parse_number(const char *text, const char *unit, double *value, bool *has_unit, const char **end,
                               dls_error *error)
{
    const char *behind;
    double number;
    text = skip_space(text);
    DLS_TRY(dls_read_real(text, &number, &behind, error));
    const char *from = skip_space(behind);
    size_t length = unit_length(from, unit);
    double factor = unit_factor(from, length, unit);
    int shown = (int)(length < 40 ? length : 40);
    if (factor == 0.0 && *unit)
        return dls_fail(error, DLS_BAD_INPUT, "wrong unit '%.*s'; write it in %s", shown, from, unit);
    if (factor == 0.0)
        return dls_fail(error, DLS_BAD_INPUT, "'%.*s' behind a number without unit; leave it out", shown, from);
    *value = number * factor;
    if ((isinf(*value) && !isinf(number)) || (*value == 0.0 && number != 0.0))
        return dls_fail(error, DLS_BAD_INPUT, "'%.40s' is too %s for a double", text,
                        *value == 0.0 ? "small" : "large");
    *has_unit = length > 0;
    *end = from + length;
    return DLS_OK;
}

dls_status dls_parse_real(const char *text, const char *unit, double *value, const char **end, dls_error *error)
{
    const char *behind;
    bool has_unit;
    DLS_TRY(parse_number(text, unit, value, &has_unit, &behind, error));
    if (end)
        *end = behind;
    return DLS_OK;
}

static dls_status at_end(const char *rest, dls_error *error)
{
    rest = skip_space(rest);
    return *rest ? dls_fail(error, DLS_BAD_INPUT, "unexpected '%.40s' behind the value", rest) : DLS_OK;
}

/* As many numbers as asked for, each with an optional unit, or one unit for all: "[a, b, c] unit". */
static dls_status parse_list(const char *text, const char *unit, double *values, int count, dls_error *error)
{
    bool has_unit = false, any_unit = false;
    text = skip_space(text);
    if (*text != '[')
        return dls_fail(error, DLS_BAD_INPUT, "expected a list of %d numbers [..]", count);
    text++;
    for (int i = 0; i < count; i++) {
        DLS_TRY(parse_number(text, unit, &values[i], &has_unit, &text, error));
        any_unit = any_unit || has_unit;
        text = skip_space(text);
        char expected = i + 1 < count ? ',' : ']';
        if (*text != expected)
            return dls_fail(error, DLS_BAD_INPUT, "expected a list of %d numbers [..]", count);
        text++;
    }
    text = skip_space(text);
    double factor = unit_factor(text, strlen(text), unit);
    if (factor == 0.0)
        return dls_fail(error, DLS_BAD_INPUT, "wrong unit '%.40s'; write it in %s", text,
                        *unit ? unit : "plain numbers");
    if (any_unit && *text)
        return dls_fail(error, DLS_BAD_INPUT, "a unit both within the list and behind it; leave one out");
    for (int i = 0; i < count; i++)
        values[i] *= factor;
    return DLS_OK;
}

/* A value out of the field's range, in words. */
static dls_status check_range(const dls_field *field, double value, dls_error *error)
{
    bool limited = field->min != 0.0 || field->max != 0.0 || field->open_min;
    if (!limited)
        return isfinite(value) ? DLS_OK : dls_fail(error, DLS_NOT_FINITE, "must be finite");
    bool low = field->open_min ? !(value > field->min) : !(value >= field->min);
    if (!low && value <= field->max)
        return DLS_OK;
    return dls_fail(error, DLS_BAD_INPUT, "%.17g is outside %c%g, %g%c%s%s", value, field->open_min ? '(' : '[',
                    field->min, field->max, isinf(field->max) ? ')' : ']', *field->unit ? " " : "", field->unit);
}

static dls_status set_real(const dls_field *field, void *to, const char *text, dls_error *error)
{
    double value;
    DLS_TRY(dls_parse_real(text, field->unit, &value, &text, error));
    DLS_TRY(at_end(text, error));
    DLS_TRY(check_range(field, value, error));
    memcpy(to, &value, sizeof value);
    return DLS_OK;
}

static dls_status set_count(const dls_field *field, void *to, const char *text, dls_error *error)
{
    char *behind;
    text = skip_space(text);
    errno = 0;
    unsigned long long number = strtoull(text, &behind, 10);
    if (behind == text || *text == '-' || errno)
        return dls_fail(error, DLS_BAD_INPUT, "'%.40s' is not a whole number", text);
    DLS_TRY(at_end(behind, error));
    if (field->max > 0.0 || field->min > 0.0)
        DLS_TRY(check_range(field, (double)number, error));
    size_t value = (size_t)number;
    memcpy(to, &value, sizeof value);
    return DLS_OK;
}

static dls_status set_bool(const dls_field *field, void *to, const char *text, dls_error *error)
{
    (void)field;
    bool value = strcmp(text, "true") == 0;
    if (!value && strcmp(text, "false") != 0)
        return dls_fail(error, DLS_BAD_INPUT, "'%.40s' is neither true nor false", text);
    memcpy(to, &value, sizeof value);
    return DLS_OK;
}

static dls_status set_choice(const dls_field *field, void *to, const char *text, dls_error *error)
{
    char known[DLS_MESSAGE_MAX / 2] = "";
    for (int i = 0; field->choices[i]; i++) {
        if (strcmp(field->choices[i], text) == 0) {
            memcpy(to, &i, sizeof i);
            return DLS_OK;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", field->choices[i]);
    }
    return dls_fail(error, DLS_BAD_INPUT, "'%.40s' is none of %s", text, known);
}

static dls_status set_vec3(const dls_field *field, void *to, const char *text, dls_error *error)
{
    double v[3];
    DLS_TRY(parse_list(text, field->unit, v, 3, error));
    for (int i = 0; i < 3; i++)
        DLS_TRY(check_range(field, v[i], error));
    dls_vec3 value = dls_v3(v[0], v[1], v[2]);
    memcpy(to, &value, sizeof value);
    return DLS_OK;
}

static dls_status set_quat(const dls_field *field, void *to, const char *text, dls_error *error)
{
    double v[4];
    (void)field;
    DLS_TRY(parse_list(text, "", v, 4, error));
    double norm = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
    if (!(fabs(norm - 1.0) <= 1e-3))
        return dls_fail(error, DLS_BAD_INPUT, "a quaternion [w, x, y, z] of norm %g; it must be 1", norm);
    dls_quat value = dls_quat_unit((dls_quat){v[0], v[1], v[2], v[3]});
    memcpy(to, &value, sizeof value);
    return DLS_OK;
}

static dls_status set_name(const dls_field *field, void *to, const char *text, dls_error *error)
{
    (void)field;
    if (strlen(text) >= DLS_NAME_MAX)
        return dls_fail(error, DLS_BAD_INPUT, "longer than %d characters", DLS_NAME_MAX - 1);
    memset(to, 0, DLS_NAME_MAX);
    memcpy(to, text, strlen(text));
    return DLS_OK;
}

static void print_real(const void *from, char *text, size_t size)
{
    double value;
    memcpy(&value, from, sizeof value);
    dls_print(text, size, "%.17g", value);
}

static void print_count(const void *from, char *text, size_t size)
{
    size_t value;
    memcpy(&value, from, sizeof value);
    snprintf(text, size, "%zu", value);
}

static void print_bool(const void *from, char *text, size_t size)
{
    bool value;
    memcpy(&value, from, sizeof value);
    snprintf(text, size, "%s", value ? "true" : "false");
}

static void print_vec3(const void *from, char *text, size_t size)
{
    dls_vec3 v;
    memcpy(&v, from, sizeof v);
    dls_print(text, size, "[%.17g, %.17g, %.17g]", v.x, v.y, v.z);
}

static void print_quat(const void *from, char *text, size_t size)
{
    dls_quat q;
    memcpy(&q, from, sizeof q);
    dls_print(text, size, "[%.17g, %.17g, %.17g, %.17g]", q.w, q.x, q.y, q.z);
}

static void print_name(const void *from, char *text, size_t size) { snprintf(text, size, "%s", (const char *)from); }

/* What each kind of field does: the only place that knows them all. DLS_FIELD_CHOICE prints through its choices. */
static const struct {
    dls_status (*set)(const dls_field *, void *, const char *, dls_error *);
    void (*print)(const void *, char *, size_t);
    size_t reals; /* doubles that are NaN where it is unset */
} kinds[] = {
    [DLS_FIELD_REAL] = {set_real, print_real, 1}, [DLS_FIELD_COUNT] = {set_count, print_count, 0},
    [DLS_FIELD_BOOL] = {set_bool, print_bool, 0}, [DLS_FIELD_CHOICE] = {set_choice, NULL, 0},
    [DLS_FIELD_VEC3] = {set_vec3, print_vec3, 3}, [DLS_FIELD_QUAT] = {set_quat, print_quat, 4},
    [DLS_FIELD_NAME] = {set_name, print_name, 0},
};

const dls_field *dls_field_find(const dls_field_table *table, const char *key)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->fields[i].key, key) == 0)
            return &table->fields[i];
    return NULL;
}

static dls_status set_field(const dls_field *field, void *settings, const char *text, dls_error *error)
{
    dls_status status = kinds[field->kind].set(field, (char *)settings + field->offset, text, error);
    return status == DLS_OK ? DLS_OK : dls_fail_place(error, status, NULL, 0, 0, field->key);
}

dls_status dls_fields_default(const dls_field_table *table, void *settings, dls_error *error)
{
    memset(settings, 0, table->size);
    for (size_t i = 0; i < table->count; i++) {
        const dls_field *field = &table->fields[i];
        const double unset[4] = {NAN, NAN, NAN, NAN};
        if (field->fallback && *field->fallback)
            DLS_TRY(set_field(field, settings, field->fallback, error));
        else
            memcpy((char *)settings + field->offset, unset, kinds[field->kind].reals * sizeof unset[0]);
    }
    return DLS_OK;
}

/* Levenshtein's distance of short words: for "did you mean". */
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
    char keys[DLS_MESSAGE_MAX - 64];
    const char *nearest = dls_nearest_word(key, key_at, table);
    list_keys(table, keys, sizeof keys);
    dls_status status = nearest ? dls_fail(error, DLS_BAD_INPUT, "unknown key; did you mean '%s'?", nearest)
                                : dls_fail(error, DLS_BAD_INPUT, "unknown key; the keys are: %s", keys);
    return dls_fail_place(error, status, NULL, 0, 0, key);
}

dls_status dls_field_set(const dls_field_table *table, void *settings, const char *key, const char *text,
                         dls_error *error)
{
    const dls_field *field = dls_field_find(table, key);
    return field ? set_field(field, settings, text, error) : unknown_key(table, key, error);
}

dls_status dls_fields_require(const dls_field_table *table, const void *settings, dls_error *error)
{
    for (size_t i = 0; i < table->count; i++) {
        const dls_field *field = &table->fields[i];
        const char *from = (const char *)settings + field->offset;
        double value = 0.0;
        if (field->fallback)
            continue;
        if (kinds[field->kind].reals)
            memcpy(&value, from, sizeof value);
        if (isnan(value) || (field->kind == DLS_FIELD_NAME && !*from))
            return dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, field->key, "missing; give %s%s%s%s", field->help,
                               *field->unit ? " [" : "", field->unit, *field->unit ? "]" : "");
    }
    return DLS_OK;
}

void dls_field_print(const dls_field *field, const void *settings, char *text, size_t size)
{
    const char *from = (const char *)settings + field->offset;
    if (field->kind == DLS_FIELD_CHOICE) {
        int choice;
        memcpy(&choice, from, sizeof choice);
        snprintf(text, size, "%s", field->choices[choice]);
    } else {
        kinds[field->kind].print(from, text, size);
    }
}
