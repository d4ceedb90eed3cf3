/* Tables as one HDF5 file: a group for each table, with its lines of provenance as one string; a dataset for each
 * column, with its unit as an attribute. A column with a unit holds doubles, so does one of numbers of which some are
 * not whole; whole numbers without a unit are counts, 64 bit integers; all else are strings. Numbers are those of the
 * text to the bit. */
#include "hdf5_file.h"

#include "base/memory.h"
#include "base/text.h"
#include "delassus/table.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- reading the text --- */

typedef struct sheet {
    const char *path, *name;
    char *text;
    char *provenance; /* lines without "# " */
    char **cells;     /* columns x (1 + rows), by rows; the first row are the columns' names */
    size_t columns, rows;
} sheet;

/* The whole of it: dls_file_read has a limit, which the tables of a long run may exceed. */
static dls_status read_file(sheet *s, dls_error *error)
{
    size_t room = 0, used = 0;
    FILE *stream = fopen(s->path, "rb");
    if (!stream)
        return dls_fail_about(error, DLS_IO, s->path, NULL, "cannot read: %s", dls_system_text(errno));
    for (size_t got = 1; got > 0; used += got) {
        if (!DLS_GROW(s->text, room, used + (1 << 16))) {
            fclose(stream);
            return dls_fail_about(error, DLS_NO_MEMORY, s->path, NULL, "no memory for this table");
        }
        got = fread(s->text + used, 1, (1 << 16) - 1, stream);
    }
    const bool failed = ferror(stream);
    fclose(stream);
    s->text[used] = '\0';
    return failed ? dls_fail_about(error, DLS_IO, s->path, NULL, "a read failed") : DLS_OK;
}

/* Cuts the text into cells, in place. */
static dls_status split_sheet(sheet *s, dls_error *error)
{
    size_t room = 0, count = 0, length = 0;
    char *next;
    s->provenance = calloc(strlen(s->text) + 1, 1);
    if (!s->provenance)
        return dls_fail_about(error, DLS_NO_MEMORY, s->path, NULL, "no memory for this table");
    for (char *line = s->text; *line; line = next) {
        const size_t size = strcspn(line, "\n");
        next = line + size + (line[size] == '\n');
        line[size] = '\0';
        if (line[0] == '#') {
            const char *words = line + strspn(line, "# ");
            length += (size_t)(stpcpy(s->provenance + length, words) - (s->provenance + length));
            s->provenance[length++] = '\n';
            continue;
        }
        const size_t before = count;
        for (char *cell = line; cell; count++) {
            char *tab = strchr(cell, '\t');
            if (!DLS_GROW(s->cells, room, count + 1))
                return dls_fail_about(error, DLS_NO_MEMORY, s->path, NULL, "no memory for this table");
            s->cells[count] = cell;
            if (tab)
                *tab = '\0';
            cell = tab ? tab + 1 : NULL;
        }
        if (s->columns == 0)
            s->columns = count;
        else if (count - before != s->columns)
            return dls_fail_about(error, DLS_BAD_INPUT, s->path, NULL,
                                  "a row has not as many cells as there are columns");
    }
    s->rows = s->columns ? count / s->columns - 1 : 0;
    return DLS_OK;
}

static void release_sheets(sheet *sheets, size_t count)
{
    for (size_t k = 0; sheets && k < count; k++) {
        free(sheets[k].text);
        free(sheets[k].provenance);
        free(sheets[k].cells);
    }
    free(sheets);
}

/* --- columns --- */

static bool is_whole(const char *cell, int64_t *value)
{
    const char *digits = cell + (*cell == '-');
    if (!*digits || strspn(digits, "0123456789") != strlen(digits) || strlen(digits) > 18)
        return false;
    *value = strtoll(cell, NULL, 10);
    return *value != 0 || digits == cell; /* no whole number is -0 */
}

static bool is_real(const char *cell, double *value)
{
    const char *end = cell;
    dls_error unused;
    const dls_status status = dls_read_real(cell, value, &end, &unused);
    if (status == DLS_NOT_FINITE && strcmp(cell, "nan") == 0)
        return *value = NAN, true;
    return status == DLS_OK && end != cell && !*end;
}

static bool put_text_attribute(hid_t at, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    hid_t attribute = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool ok = attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    return ok;
}

/* Provenance too, since an attribute holds no more than 64 KiB. */
static bool put_strings(hid_t group, const char *name, size_t count, const char *const *texts)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const bool ok = dls_hdf5_put(group, name, type, type, count, texts);
    H5Tclose(type);
    return ok;
}

/* Cuts "NAME[unit]" in two and returns the unit, or NULL. */
static const char *cut_unit(char *name)
{
    char *unit = strchr(name, '[');
    if (!unit)
        return NULL;
    unit[1 + strcspn(unit + 1, "]")] = '\0';
    *unit = '\0';
    return unit + 1;
}

/* Two columns may differ in their unit alone: then it is part of their names, "error_m" and "error_rad". */
static bool name_column(const sheet *s, size_t column, const char *unit, char *name, size_t size)
{
    const char *base = s->cells[column];
    bool twice = false;
    for (size_t j = 0; j < s->columns; j++)
        twice = twice || (j != column && strncmp(s->cells[j], base, strlen(base)) == 0 &&
                          (s->cells[j][strlen(base)] == '[' || !s->cells[j][strlen(base)]));
    const int length = snprintf(name, size, "%s%s%s", base, twice && unit ? "_" : "", twice && unit ? unit : "");
    for (char *c = name; *c; c++)
        if (*c == '/')
            *c = '_';
    return length > 0 && (size_t)length < size;
}

/* `values` has room for a number of every row. */
static bool put_column(hid_t group, const sheet *s, size_t column, void *values)
{
    int64_t *wholes = values;
    double *reals = values;
    const char **texts = values;
    const char *unit = cut_unit(s->cells[column]);
    char name[256];
    bool all_whole = !unit, all_real = true, ok;
    for (size_t i = 0; i < s->rows && all_whole; i++)
        all_whole = is_whole(s->cells[(i + 1) * s->columns + column], &wholes[i]);
    for (size_t i = 0; i < s->rows && all_real && !all_whole; i++)
        all_real = is_real(s->cells[(i + 1) * s->columns + column], &reals[i]);
    if (!name_column(s, column, unit, name, sizeof name))
        return false;
    if (all_whole && s->rows > 0) {
        ok = dls_hdf5_put(group, name, H5T_STD_I64LE, H5T_NATIVE_INT64, s->rows, wholes);
    } else if (all_real) {
        ok = dls_hdf5_put_reals(group, name, s->rows, reals);
    } else {
        for (size_t i = 0; i < s->rows; i++)
            texts[i] = s->cells[(i + 1) * s->columns + column];
        ok = put_strings(group, name, s->rows, texts);
    }
    if (!ok || !unit)
        return ok;
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    ok = set >= 0 && put_text_attribute(set, "unit", unit);
    H5Dclose(set);
    return ok;
}

typedef struct book {
    sheet *sheets;
    size_t count;
    void *values; /* room for a column of any sheet */
} book;

static bool fill_book(hid_t file, const void *context)
{
    const book *b = context;
    bool ok = true;
    for (size_t k = 0; k < b->count && ok; k++) {
        const sheet *s = &b->sheets[k];
        const char *const provenance = s->provenance;
        hid_t group = H5Gcreate2(file, s->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        ok = group >= 0 && put_strings(group, "provenance", 1, &provenance);
        for (size_t j = 0; j < s->columns && ok; j++)
            ok = put_column(group, s, j, b->values);
        H5Gclose(group);
    }
    return ok;
}

bool dls_hdf5_available(void) { return true; }

dls_status dls_tables_to_hdf5(const char *const *paths, const char *const *names, size_t count, const char *output,
                              dls_error *error)
{
    book b = {calloc(count + 1, sizeof *b.sheets), count, NULL};
    dls_status status = b.sheets ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu tables", count);
    size_t rows = 0;
    for (size_t k = 0; k < count && status == DLS_OK; k++) {
        b.sheets[k].path = paths[k], b.sheets[k].name = names[k];
        status = read_file(&b.sheets[k], error);
        if (status == DLS_OK)
            status = split_sheet(&b.sheets[k], error);
        rows = b.sheets[k].rows > rows ? b.sheets[k].rows : rows;
    }
    if (status == DLS_OK && !(b.values = calloc(rows + 1, sizeof(int64_t))))
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for a column of %zu rows", rows);
    if (status == DLS_OK)
        status = dls_hdf5_write(output, fill_book, &b, error);
    free(b.values);
    release_sheets(b.sheets, count);
    return status;
}
