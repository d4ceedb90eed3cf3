#include "npy.h"

#include "delassus/io.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
enum { MAGIC = sizeof magic, TYPE_MAX = 16 };

typedef struct header {
    const char *at, *end;
    const char *file, *member;
    dls_error *error;
    char type[TYPE_MAX]; /* numpy's, such as <f8 */
    bool by_columns;
    bool seen[3]; /* descr, fortran_order, shape */
} header;

static dls_status npy_fail(const header *h, const char *what)
{
    return dls_fail_about(h->error, DLS_BAD_INPUT, h->file, h->member, "%s", what);
}

/* --- the header --- */

static void skip_blanks(header *h)
{
    while (h->at < h->end && strchr(" \t\n", *h->at))
        h->at++;
}

/* True if the word comes next, and then the position moves past it. */
static bool pass_word(header *h, const char *word)
{
    const size_t length = strlen(word);
    skip_blanks(h);
    if ((size_t)(h->end - h->at) < length || memcmp(h->at, word, length) != 0)
        return false;
    h->at += length;
    return true;
}

/* A string in quotes, without escapes. */
static bool take_string(header *h, char *text, size_t size)
{
    skip_blanks(h);
    const char quote = h->at < h->end ? *h->at : '\0';
    if (quote != '\'' && quote != '"')
        return false;
    const char *start = ++h->at;
    while (h->at < h->end && *h->at != quote && *h->at != '\\')
        h->at++;
    const size_t length = (size_t)(h->at - start);
    if (h->at == h->end || *h->at != quote || length >= size)
        return false;
    memcpy(text, start, length);
    text[length] = '\0';
    h->at++;
    return true;
}

static bool take_size(header *h, size_t *value)
{
    skip_blanks(h);
    const char *start = h->at;
    for (*value = 0; h->at < h->end && *h->at >= '0' && *h->at <= '9' && *value <= DLS_FILE_MAX; h->at++)
        *value = 10 * *value + (size_t)(*h->at - '0');
    return h->at > start && *value <= DLS_FILE_MAX;
}

/* A tuple: (), (3,), (3, 4) or (3, 4,). */
static bool take_shape(header *h, dls_npy *array)
{
    if (!pass_word(h, "("))
        return false;
    while (!pass_word(h, ")")) {
        if (array->dimensions == DLS_NPY_DIMENSIONS || !take_size(h, &array->shape[array->dimensions++]))
            return false;
        if (pass_word(h, ","))
            continue;
        return array->dimensions > 1 && pass_word(h, ")");
    }
    return true;
}

static bool take_entry(header *h, dls_npy *array)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    char key[TYPE_MAX];
    size_t k = 0;
    if (!take_string(h, key, sizeof key) || !pass_word(h, ":"))
        return false;
    while (k < 3 && strcmp(key, keys[k]) != 0)
        k++;
    if (k == 3 || h->seen[k])
        return false;
    h->seen[k] = true;
    if (k == 0)
        return take_string(h, h->type, sizeof h->type);
    if (k == 2)
        return take_shape(h, array);
    h->by_columns = pass_word(h, "True");
    return h->by_columns || pass_word(h, "False");
}

static dls_status read_header(header *h, dls_npy *array)
{
    bool good = pass_word(h, "{");
    while (good && !pass_word(h, "}")) {
        good = take_entry(h, array);
        if (good && !pass_word(h, ",")) {
            good = pass_word(h, "}");
            break;
        }
    }
    skip_blanks(h);
    if (good && h->seen[0] && h->seen[1] && h->seen[2] && h->at == h->end)
        return DLS_OK;
    return npy_fail(
        h, "the header of the array is not {'descr': '<f8', 'fortran_order': False, 'shape': (...)}, of numbers, "
           "as numpy writes it");
}

/* --- the numbers --- */

/* A number of `width` bytes, the last of which is the most significant. */
static double number_at(const unsigned char *at, size_t width, char kind, bool big)
{
    uint64_t bits = 0;
    for (size_t k = 0; k < width; k++)
        bits = bits << 8 | at[big ? k : width - 1 - k];
    if (kind == 'f' && width == 8) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (kind == 'f') {
        const uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        return (double)value;
    }
    if (kind == 'i' && bits >> (8 * width - 1)) /* two's complement: -(2^(8 width) - bits) */
        return -(double)(~(bits | (width < 8 ? UINT64_MAX << (8 * width) : 0)) + 1);
    return (double)bits;
}

static dls_status read_type(const header *h, char *kind, size_t *width, bool *big)
{
    const char *type = h->type;
    *kind = type[0] ? type[1] : '\0';
    *width = *kind && type[2] >= '1' && type[2] <= '8' && !type[3] ? (size_t)(type[2] - '0') : 0;
    *big = type[0] == '>';
    const bool order = strchr("<>|=", type[0]) && type[0],
               power = *width == 1 || *width == 2 || *width == 4 || *width == 8;
    if (order && ((*kind == 'f' && *width >= 4 && power) || ((*kind == 'i' || *kind == 'u') && power)) &&
        (*width == 1 || type[0] == '<' || type[0] == '>'))
        return DLS_OK;
    return dls_fail_about(h->error, DLS_BAD_INPUT, h->file, h->member,
                          "its numbers have numpy's type '%s'; store them as float64 (array.astype(float))", type);
}

/* Position of number k, counted by rows: in an array by columns the first index runs fastest. */
static size_t number_place(const dls_npy *array, bool by_columns, size_t k)
{
    size_t place = 0, factor = array->count;
    if (!by_columns)
        return k;
    for (size_t d = array->dimensions; d-- > 0; k /= array->shape[d]) {
        factor /= array->shape[d];
        place += factor * (k % array->shape[d]);
    }
    return place;
}

static dls_status read_values(const header *h, const unsigned char *data, size_t size, dls_arena *memory,
                              dls_npy *array)
{
    char kind;
    size_t width;
    bool big;
    DLS_TRY(read_type(h, &kind, &width, &big));
    array->count = 1;
    for (size_t d = 0; d < array->dimensions; d++) {
        if (array->shape[d] > 0 && array->count > DLS_FILE_MAX / array->shape[d])
            return npy_fail(h, "its shape has more numbers than a file can have");
        array->count *= array->shape[d];
    }
    if (size != array->count * width)
        return dls_fail_about(h->error, DLS_BAD_INPUT, h->file, h->member,
                              "has %zu bytes of numbers where its header says %zu", size, array->count * width);
    array->values = DLS_TAKE(memory, double, array->count);
    if (!array->values)
        return dls_fail(h->error, DLS_NO_MEMORY, "no memory for %zu numbers", array->count);
    for (size_t k = 0; k < array->count; k++) {
        array->values[k] = number_at(data + width * number_place(array, h->by_columns, k), width, kind, big);
        if (!isfinite(array->values[k]))
            return dls_fail_about(h->error, DLS_NOT_FINITE, h->file, h->member,
                                  "number %zu (from 0, by rows) is NaN or infinite", k);
    }
    return DLS_OK;
}

dls_status dls_npy_parse(const unsigned char *data, size_t size, const char *file, const char *member,
                         dls_arena *memory, dls_npy *array, dls_error *error)
{
    header h = {.file = file, .member = member, .error = error};
    *array = (dls_npy){.dimensions = 0};
    if (size < MAGIC + 4 || memcmp(data, magic, MAGIC) != 0)
        return npy_fail(&h, "is no array of numpy");
    const unsigned version = data[MAGIC];
    const size_t wide = version == 1 ? 2 : 4, start = MAGIC + 2 + wide;
    if (version < 1 || version > 3 || data[MAGIC + 1] != 0)
        return dls_fail_about(error, DLS_BAD_INPUT, file, member,
                              "has version %u.%u of numpy's format; 1.0 to 3.0 are known", version, data[MAGIC + 1]);
    size_t length = 0;
    for (size_t k = wide; k-- > 0 && start <= size;)
        length = length << 8 | data[MAGIC + 2 + k];
    if (start > size || size - start < length)
        return npy_fail(&h, "is cut off within its header");
    h.at = (const char *)data + start;
    h.end = h.at + length;
    DLS_TRY(read_header(&h, array));
    return read_values(&h, data + start + length, size - start - length, memory, array);
}

/* --- writing --- */

size_t dls_npy_print(const double *values, size_t dimensions, const size_t *shape, unsigned char *to)
{
    enum { WHOLE = 128, HEAD = MAGIC + 4 }; /* numpy aligns the numbers to 64 bytes */
    char text[WHOLE + 1];
    size_t used = (size_t)snprintf(text, sizeof text, "{'descr': '<f8', 'fortran_order': False, 'shape': ("), count = 1;
    for (size_t d = 0; d < dimensions; d++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu%s", d ? ", " : "", shape[d],
                                 dimensions == 1 ? "," : "");
        count *= shape[d];
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "), }");
    if (!to)
        return WHOLE + 8 * count;
    memcpy(to, magic, MAGIC);
    to[MAGIC] = 1, to[MAGIC + 1] = 0;
    to[MAGIC + 2] = WHOLE - HEAD, to[MAGIC + 3] = 0;
    memset(to + HEAD, ' ', WHOLE - HEAD);
    memcpy(to + HEAD, text, used);
    to[WHOLE - 1] = '\n';
    for (size_t k = 0; k < count; k++) {
        uint64_t bits;
        memcpy(&bits, &values[k], sizeof bits);
        for (int byte = 0; byte < 8; byte++, bits >>= 8)
            to[WHOLE + 8 * k + (size_t)byte] = (unsigned char)(bits & 0xff);
    }
    return WHOLE + 8 * count;
}
