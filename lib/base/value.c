/* Values of fields. A list is made of the values of one kind, its element; everything else about lists is here once. */
#include "value.h"

#include "text.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- numbers with units --- */

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

static const char *skip_space(const char *text) { return text + strspn(text, " \t"); }

/* The factor of the unit written at `text` (its length in *length), 0 if it is no unit of the kind that is expected. */
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

/* Length of a possible unit at `text`: units may contain spaces ("kg m^2"). */
static size_t unit_length(const char *text, const char *unit)
{
    size_t length = strlen(unit);
    bool whole = length > 0 && strncmp(text, unit, length) == 0 && strchr(" \t,]", text[length]);
    return whole ? length : strcspn(text, " \t,]");
}

/* *value *= factor, where that leaves the range of a double in neither direction. */
static dls_status convert(double *value, double factor, const char *text, dls_error *error)
{
    const double number = *value;
    *value *= factor;
    if ((isinf(*value) && !isinf(number)) || (*value == 0.0 && number != 0.0))
        return dls_fail(error, DLS_BAD_INPUT, "'%.40s' is too %s for a double", text,
                        *value == 0.0 ? "small" : "large");
    return DLS_OK;
}

static dls_status parse_number(const char *text, const char *unit, double *value, bool *has_unit, const char **end,
                               dls_error *error)
{
    const char *behind;
    text = skip_space(text);
    DLS_TRY(dls_read_real(text, value, &behind, error));
    const char *from = skip_space(behind);
    size_t length = unit_length(from, unit);
    double factor = unit_factor(from, length, unit);
    int shown = (int)(length < 40 ? length : 40);
    if (factor == 0.0 && *unit)
        return dls_fail(error, DLS_BAD_INPUT, "wrong unit '%.*s'; write it in %s", shown, from, unit);
    if (factor == 0.0)
        return dls_fail(error, DLS_BAD_INPUT, "'%.*s' after a number without unit; leave it out", shown, from);
    DLS_TRY(convert(value, factor, text, error));
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
    return *rest ? dls_fail(error, DLS_BAD_INPUT, "unexpected '%.40s' after the value", rest) : DLS_OK;
}

/* `count` numbers, each with an optional unit, or one unit for all: "[a, b, c] unit". Without brackets, "a, b, c",
 * where `bare` allows it. */
static dls_status parse_numbers(const char *text, const char *unit, double *values, size_t count, bool bare,
                                dls_error *error)
{
    bool has_unit = false, any_unit = false, brackets;
    const char *const list = text = skip_space(text);
    brackets = *text == '[';
    text += brackets;
    for (size_t i = 0; i < count && (brackets || bare); i++) {
        DLS_TRY(parse_number(text, unit, &values[i], &has_unit, &text, error));
        any_unit = any_unit || has_unit;
        text = skip_space(text);
        if (i + 1 == count ? brackets && *text != ']' : *text != ',')
            return dls_fail(error, DLS_BAD_INPUT, "expected a list of %zu numbers [..]", count);
        text += brackets || i + 1 < count;
    }
    if (!brackets)
        return bare ? at_end(text, error)
                    : dls_fail(error, DLS_BAD_INPUT, "expected a list of %zu numbers [..]", count);
    text = skip_space(text);
    double factor = unit_factor(text, strlen(text), unit);
    if (factor == 0.0)
        return dls_fail(error, DLS_BAD_INPUT, "wrong unit '%.40s'; write it in %s", text,
                        *unit ? unit : "plain numbers");
    if (any_unit && *text)
        return dls_fail(error, DLS_BAD_INPUT, "a unit both within the list and after it; leave one out");
    for (size_t i = 0; i < count; i++)
        DLS_TRY(convert(&values[i], factor, list, error));
    return DLS_OK;
}

/* Between the least and the greatest number; "" where the field has none. */
static void put_limits(const dls_field *f, char *text, size_t size)
{
    *text = '\0';
    if (f->min == 0.0 && f->max == 0.0 && !f->open_min)
        return;
    const bool unlimited = f->max >= DBL_MAX; /* any finite number, or infinity too */
    dls_print(text, size, "%c%g, %g%c", f->open_min || isinf(f->min) ? '(' : '[', f->min, unlimited ? HUGE_VAL : f->max,
              unlimited ? ')' : ']');
}

void dls_field_range(const dls_field *f, char *text, size_t size)
{
    static const char *const kinds[] = {
        [DLS_FIELD_BOOL] = "true|false",  [DLS_FIELD_REALS] = "list of ",         [DLS_FIELD_COUNTS] = "list of ",
        [DLS_FIELD_CHOICES] = "list of ", [DLS_FIELD_NAMES] = "list of names",    [DLS_FIELD_TRACK] = "a track",
        [DLS_FIELD_JOINT] = "a joint",    [DLS_FIELD_END] = "body, link or world"};
    char limits[128];
    put_limits(f, limits, sizeof limits);
    size_t used = (size_t)snprintf(text, size, "%s", kinds[f->kind] ? kinds[f->kind] : "");
    for (size_t i = 0; f->choices && f->choices[i] && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", i ? "|" : "", dls_choice_length(f->choices[i]),
                                 f->choices[i]);
    if (f->choices || used >= size)
        return;
    if (!*limits && (f->kind == DLS_FIELD_REALS || f->kind == DLS_FIELD_COUNTS))
        snprintf(limits, sizeof limits, f->kind == DLS_FIELD_REALS ? "numbers" : "whole numbers");
    snprintf(text + used, size - used, "%s", limits);
}

static dls_status check_range(const dls_field *field, double value, dls_error *error)
{
    bool limited = field->min != 0.0 || field->max != 0.0 || field->open_min;
    if (isnan(value) || (isinf(value) && (!limited || field->max == DBL_MAX)))
        return dls_fail(error, DLS_NOT_FINITE, "must be finite");
    if (!limited || ((field->open_min ? value > field->min : value >= field->min) && value <= field->max))
        return DLS_OK;
    char limits[128];
    put_limits(field, limits, sizeof limits);
    return dls_fail(error, DLS_BAD_INPUT, "%.17g is outside %s%s%s", value, limits, *field->unit ? " " : "",
                    field->unit);
}

/* --- from numbers: as many as the kind has, checked here and nowhere else --- */

static dls_status put_real(const dls_field *field, void *to, const double *v, dls_error *error)
{
    DLS_TRY(check_range(field, *v, error));
    memcpy(to, v, sizeof *v);
    return DLS_OK;
}

/* A whole number, from 0 and less than `end`, into *value. */
static dls_status whole(double number, double end, size_t *value, dls_error *error)
{
    if (!(number >= 0.0 && number < end) || number != floor(number))
        return dls_fail(error, DLS_BAD_INPUT, "%.17g is not a whole number from 0 to %.0f", number, end - 1.0);
    *value = (size_t)number;
    return DLS_OK;
}

static dls_status put_count(const dls_field *field, void *to, const double *v, dls_error *error)
{
    size_t value = 0;
    DLS_TRY(whole(*v, 9007199254740993.0, &value, error)); /* beyond 2^53 doubles skip whole numbers */
    DLS_TRY(check_range(field, *v, error));
    memcpy(to, &value, sizeof value);
    return DLS_OK;
}

static dls_status put_bool(const dls_field *field, void *to, const double *v, dls_error *error)
{
    size_t number = 0;
    (void)field;
    DLS_TRY(whole(*v, 2.0, &number, error));
    bool value = number == 1;
    memcpy(to, &value, sizeof value);
    return DLS_OK;
}

static dls_status put_choice(const dls_field *field, void *to, const double *v, dls_error *error)
{
    size_t count = 0, index = 0;
    while (field->choices[count])
        count++;
    DLS_TRY(whole(*v, (double)count, &index, error));
    int value = (int)index;
    memcpy(to, &value, sizeof value);
    return DLS_OK;
}

static dls_status put_vec3(const dls_field *field, void *to, const double *v, dls_error *error)
{
    for (int i = 0; i < 3; i++)
        DLS_TRY(check_range(field, v[i], error));
    dls_vec3 value = dls_v3(v[0], v[1], v[2]);
    memcpy(to, &value, sizeof value);
    return DLS_OK;
}

static dls_status put_quat(const dls_field *field, void *to, const double *v, dls_error *error)
{
    (void)field;
    double norm = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
    if (!(fabs(norm - 1.0) <= 1e-3))
        return dls_fail(error, DLS_BAD_INPUT, "a quaternion [w, x, y, z] of norm %g; it must be 1", norm);
    dls_quat value = dls_quat_unit((dls_quat){v[0], v[1], v[2], v[3]});
    memcpy(to, &value, sizeof value);
    return DLS_OK;
}

/* --- from text --- */

static dls_status parse_real(const dls_field *field, void *to, const char *text, dls_error *error)
{
    double value;
    DLS_TRY(dls_parse_real(text, field->unit, &value, &text, error));
    DLS_TRY(at_end(text, error));
    return put_real(field, to, &value, error);
}

static dls_status parse_count(const dls_field *field, void *to, const char *text, dls_error *error)
{
    char *behind;
    text = skip_space(text);
    errno = 0;
    unsigned long long number = strtoull(text, &behind, 10);
    if (behind == text || *text == '-' || errno)
        return dls_fail(error, DLS_BAD_INPUT, "'%.40s' is not a whole number", text);
    DLS_TRY(at_end(behind, error));
    DLS_TRY(check_range(field, (double)number, error));
    size_t value = (size_t)number;
    memcpy(to, &value, sizeof value);
    return DLS_OK;
}

static dls_status parse_bool(const dls_field *field, void *to, const char *text, dls_error *error)
{
    (void)field;
    bool value = strcmp(text, "true") == 0;
    if (!value && strcmp(text, "false") != 0)
        return dls_fail(error, DLS_BAD_INPUT, "'%.40s' is neither true nor false", text);
    memcpy(to, &value, sizeof value);
    return DLS_OK;
}

static dls_status parse_choice(const dls_field *field, void *to, const char *text, dls_error *error)
{
    char known[DLS_MESSAGE_MAX / 2] = "";
    for (int i = 0; field->choices[i]; i++) {
        const char *choice = field->choices[i];
        int length = dls_choice_length(choice);
        if ((strncmp(choice, text, (size_t)length) == 0 && !text[length]) ||
            (choice[length] && strcmp(choice + length + 1, text) == 0)) {
            memcpy(to, &i, sizeof i);
            return DLS_OK;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%.*s", i ? ", " : "", length, choice);
    }
    return dls_fail(error, DLS_BAD_INPUT, "'%.40s' is none of %s", text, known);
}

static dls_status parse_vec3(const dls_field *field, void *to, const char *text, dls_error *error)
{
    double v[3];
    DLS_TRY(parse_numbers(text, field->unit, v, 3, false, error));
    return put_vec3(field, to, v, error);
}

static dls_status parse_quat(const dls_field *field, void *to, const char *text, dls_error *error)
{
    double v[4];
    DLS_TRY(parse_numbers(text, "", v, 4, false, error));
    return put_quat(field, to, v, error);
}

static dls_status parse_name(const dls_field *field, void *to, const char *text, dls_error *error)
{
    (void)field;
    if (strlen(text) >= DLS_NAME_MAX)
        return dls_fail(error, DLS_BAD_INPUT, "longer than %d characters", DLS_NAME_MAX - 1);
    memset(to, 0, DLS_NAME_MAX);
    memcpy(to, text, strlen(text));
    return DLS_OK;
}

static dls_status parse_reference(const dls_field *field, void *to, const char *text, dls_error *error)
{
    dls_reference value = {.index = SIZE_MAX};
    DLS_TRY(parse_name(field, value.name, text, error));
    memcpy(to, &value, sizeof value);
    return DLS_OK;
}

/* --- to text: as snprintf does --- */

static int print_real(const void *from, char *text, size_t size)
{
    double value;
    memcpy(&value, from, sizeof value);
    return dls_print(text, size, "%.17g", value);
}

static int print_count(const void *from, char *text, size_t size)
{
    size_t value;
    memcpy(&value, from, sizeof value);
    return snprintf(text, size, "%zu", value);
}

static int print_bool(const void *from, char *text, size_t size)
{
    bool value;
    memcpy(&value, from, sizeof value);
    return snprintf(text, size, "%s", value ? "true" : "false");
}

static int print_vec3(const void *from, char *text, size_t size)
{
    dls_vec3 v;
    memcpy(&v, from, sizeof v);
    return dls_print(text, size, "[%.17g, %.17g, %.17g]", v.x, v.y, v.z);
}

static int print_quat(const void *from, char *text, size_t size)
{
    dls_quat q;
    memcpy(&q, from, sizeof q);
    return dls_print(text, size, "[%.17g, %.17g, %.17g, %.17g]", q.w, q.x, q.y, q.z);
}

/* A reference begins with its name. */
static int print_name(const void *from, char *text, size_t size)
{
    return snprintf(text, size, "%s", (const char *)from);
}

/* --- functions of each kind: the only place that knows all kinds --- */

typedef struct kind {
    size_t size;    /* of the value */
    size_t numbers; /* that it is set from; 0: from text alone */
    size_t reals;   /* doubles that are NaN while it is unset */
    dls_status (*put)(const dls_field *, void *, const double *, dls_error *);
    dls_status (*parse)(const dls_field *, void *, const char *, dls_error *);
    int (*print)(const void *, char *, size_t); /* NULL: through its choices */
} kind;

#define REFERENCE                                                      \
    {                                                                  \
        sizeof(dls_reference), 0, 0, NULL, parse_reference, print_name \
    }
static const kind kinds[] = {
    [DLS_FIELD_REAL] = {sizeof(double), 1, 1, put_real, parse_real, print_real},
    [DLS_FIELD_COUNT] = {sizeof(size_t), 1, 0, put_count, parse_count, print_count},
    [DLS_FIELD_BOOL] = {sizeof(bool), 1, 0, put_bool, parse_bool, print_bool},
    [DLS_FIELD_CHOICE] = {sizeof(int), 1, 0, put_choice, parse_choice, NULL},
    [DLS_FIELD_VEC3] = {sizeof(dls_vec3), 3, 3, put_vec3, parse_vec3, print_vec3},
    [DLS_FIELD_QUAT] = {sizeof(dls_quat), 4, 4, put_quat, parse_quat, print_quat},
    [DLS_FIELD_NAME] = {DLS_NAME_MAX, 0, 0, NULL, parse_name, print_name},
    [DLS_FIELD_TRACK] = REFERENCE,
    [DLS_FIELD_JOINT] = REFERENCE,
    [DLS_FIELD_END] = REFERENCE,
};

/* The kind of a list's values; NULL where the field is no list. */
static const kind *element_of(const dls_field *field)
{
    return field->kind == DLS_FIELD_REALS     ? &kinds[DLS_FIELD_REAL]
           : field->kind == DLS_FIELD_COUNTS  ? &kinds[DLS_FIELD_COUNT]
           : field->kind == DLS_FIELD_CHOICES ? &kinds[DLS_FIELD_CHOICE]
           : field->kind == DLS_FIELD_NAMES   ? &kinds[DLS_FIELD_NAME]
                                              : NULL;
}

/* --- lists --- */

/* The members of dls_list's union are pointers of one representation, as POSIX has it. */
static void *values_of(const dls_list *list) { return list->reals; }

static dls_status new_list(const kind *element, size_t count, dls_list *list, dls_error *error)
{
    list->count = count;
    list->reals = count < SIZE_MAX / element->size ? calloc(count, element->size) : NULL;
    return list->reals ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for a list of %zu values", count);
}

static dls_status store_list(dls_status status, dls_list *list, void *to)
{
    dls_list before;
    memcpy(&before, to, sizeof before);
    free(values_of(status == DLS_OK ? &before : list));
    if (status == DLS_OK)
        memcpy(to, list, sizeof *list);
    return status;
}

/* As many values as the list has, separated by commas, each as its element reads it. */
static dls_status parse_words(const dls_field *field, const kind *element, const char *text, const dls_list *list,
                              dls_error *error)
{
    char word[DLS_NAME_MAX], *at = values_of(list);
    bool brackets = *text == '[';
    text += brackets;
    for (size_t i = 0; i < list->count; i++, at += element->size) {
        text = skip_space(text);
        size_t length = strcspn(text, ",]"), used = length;
        while (used > 0 && (text[used - 1] == ' ' || text[used - 1] == '\t'))
            used--;
        if (used == 0 || used >= sizeof word)
            return dls_fail(error, DLS_BAD_INPUT,
                            used ? "a value of more than %d characters"
                                 : "an empty value in a list; leave the comma out",
                            DLS_NAME_MAX - 1);
        snprintf(word, sizeof word, "%.*s", (int)used, text);
        DLS_TRY(element->parse(field, at, word, error));
        text += length + (i + 1 < list->count);
    }
    if ((*text == ']') != brackets)
        return dls_fail(error, DLS_BAD_INPUT, "a list with one bracket; write [a, b] or a, b");
    return at_end(text + brackets, error);
}

static dls_status parse_list(const dls_field *field, const kind *element, void *to, const char *text, dls_error *error)
{
    dls_list list;
    size_t count = 1;
    text = skip_space(text);
    if (text[strspn(text, "[ \t]")] == '\0')
        return dls_fail(error, DLS_BAD_INPUT, "an empty list; give at least one value");
    for (const char *c = text; *c; c++)
        count += *c == ',';
    DLS_TRY(new_list(element, count, &list, error));
    dls_status status = field->kind == DLS_FIELD_REALS
                            ? parse_numbers(text, field->unit, list.reals, count, true, error)
                            : parse_words(field, element, text, &list, error);
    for (size_t i = 0; i < count && status == DLS_OK && field->kind == DLS_FIELD_REALS; i++)
        status = check_range(field, list.reals[i], error);
    return store_list(status, &list, to);
}

static dls_status put_list(const dls_field *field, const kind *element, void *to, const double *numbers, size_t count,
                           dls_error *error)
{
    dls_list list;
    if (!element->put || !count)
        return dls_fail(error, DLS_BAD_INPUT,
                        count ? "a list of names cannot be set by numbers" : "an empty list; give at least one value");
    DLS_TRY(new_list(element, count, &list, error));
    dls_status status = DLS_OK;
    for (size_t i = 0; i < count && status == DLS_OK; i++)
        status = element->put(field, (char *)values_of(&list) + i * element->size, &numbers[i], error);
    return store_list(status, &list, to);
}

/* --- any kind --- */

dls_status dls_value_parse(const dls_field *field, void *to, const char *text, dls_error *error)
{
    const kind *element = element_of(field);
    return element ? parse_list(field, element, to, text, error) : kinds[field->kind].parse(field, to, text, error);
}

dls_status dls_value_put(const dls_field *field, void *to, const double *numbers, size_t count, dls_error *error)
{
    const kind *element = element_of(field);
    if (element)
        return put_list(field, element, to, numbers, count, error);
    size_t needed = kinds[field->kind].numbers;
    if (!needed)
        return dls_fail(error, DLS_BAD_INPUT, "is a name, which cannot be set by a number");
    if (count != needed)
        return dls_fail(error, DLS_BAD_INPUT, "takes %zu number%s, not %zu", needed, needed > 1 ? "s" : "", count);
    return kinds[field->kind].put(field, to, numbers, error);
}

static size_t print_one(const dls_field *field, const kind *one, const void *from, char *text, size_t size)
{
    int choice;
    if (one->print)
        return (size_t)one->print(from, text, size);
    memcpy(&choice, from, sizeof choice);
    return (size_t)snprintf(text, size, "%.*s", dls_choice_length(field->choices[choice]), field->choices[choice]);
}

size_t dls_value_print(const dls_field *field, const void *from, char *text, size_t size)
{
    dls_list list;
    const kind *element = element_of(field);
    if (!element)
        return print_one(field, &kinds[field->kind], from, text, size);
    memcpy(&list, from, sizeof list);
    size_t used = 0;
    for (size_t i = 0; i <= list.count; i++) {
        const char *before = i == list.count ? (i ? "]" : "[]") : i ? ", " : "[";
        bool room = used < size;
        used += (size_t)snprintf(room ? text + used : NULL, room ? size - used : 0, "%s", before);
        room = used < size;
        if (i < list.count)
            used += print_one(field, element, (const char *)values_of(&list) + i * element->size,
                              room ? text + used : NULL, room ? size - used : 0);
    }
    return used;
}

void dls_value_unset(const dls_field *field, void *to)
{
    const double unset[4] = {NAN, NAN, NAN, NAN};
    const dls_reference nothing = {.index = SIZE_MAX};
    if (kinds[field->kind].parse == parse_reference)
        memcpy(to, &nothing, sizeof nothing);
    else if (!element_of(field))
        memcpy(to, unset, kinds[field->kind].reals * sizeof unset[0]);
}

bool dls_value_is_unset(const dls_field *field, const void *from)
{
    double value = 0.0;
    dls_list list = {1, {NULL}};
    if (element_of(field))
        memcpy(&list, from, sizeof list);
    else if (kinds[field->kind].reals)
        memcpy(&value, from, sizeof value);
    else if (kinds[field->kind].print == print_name)
        return !*(const char *)from;
    return isnan(value) || list.count == 0;
}

/* One value that is no name, as the numbers that it would be set from. */
static dls_status check_one(const dls_field *field, const kind *one, const void *from, dls_error *error)
{
    double numbers[4], room[4];
    size_t count;
    int choice;
    memcpy(numbers, from, one->reals * sizeof numbers[0]);
    if (one == &kinds[DLS_FIELD_COUNT]) {
        memcpy(&count, from, sizeof count);
        return check_range(field, (double)count, error);
    }
    if (one == &kinds[DLS_FIELD_CHOICE]) {
        memcpy(&choice, from, sizeof choice);
        numbers[0] = choice;
    }
    return one->reals || one == &kinds[DLS_FIELD_CHOICE] ? one->put(field, room, numbers, error) : DLS_OK;
}

dls_status dls_value_check(const dls_field *field, const void *from, dls_error *error)
{
    const kind *element = element_of(field);
    dls_list list;
    if (field->fallback && !*field->fallback && dls_value_is_unset(field, from))
        return DLS_OK;
    if (!element)
        return check_one(field, &kinds[field->kind], from, error);
    memcpy(&list, from, sizeof list);
    for (size_t i = 0; i < list.count; i++)
        DLS_TRY(check_one(field, element, (const char *)values_of(&list) + i * element->size, error));
    return DLS_OK;
}

dls_status dls_value_own(const dls_field *field, void *to, dls_error *error)
{
    dls_list list, copy;
    const kind *element = element_of(field);
    if (!element)
        return DLS_OK;
    memcpy(&list, to, sizeof list);
    memset(to, 0, sizeof list);
    if (list.count == 0)
        return DLS_OK;
    DLS_TRY(new_list(element, list.count, &copy, error));
    memcpy(values_of(&copy), values_of(&list), list.count * element->size);
    memcpy(to, &copy, sizeof copy);
    return DLS_OK;
}

void dls_value_release(const dls_field *field, void *to)
{
    dls_list list;
    if (!element_of(field))
        return;
    memcpy(&list, to, sizeof list);
    free(values_of(&list));
    memset(to, 0, sizeof list);
}
