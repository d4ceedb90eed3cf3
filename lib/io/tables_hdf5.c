/* Tables as one HDF5 file: a group for each table, with its lines of provenance as one string; a dataset for each
 * column, with its unit as an attribute. */
#include "hdf5_file.h"

#include "base/kept_cells.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct sheet {
    char name[DLS_NAME_MAX];
    dls_table *table;
} sheet;

struct dls_book {
    dls_output output;
    sheet *sheets;
    size_t count, capacity;
};

dls_status dls_book_create(const char *path, dls_book **book, dls_error *error)
{
    *book = NULL;
    DLS_TRY(dls_hdf5_load(path, error));
    *book = calloc(1, sizeof **book);
    if (!*book)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the tables of %s", path);
    const dls_status status = dls_output_open(&(*book)->output, path, error);
    if (status != DLS_OK) {
        free(*book);
        *book = NULL;
    }
    return status;
}

dls_status dls_book_table(dls_book *book, const char *name, dls_table **table, dls_error *error)
{
    *table = NULL;
    if (!DLS_GROW(book->sheets, book->capacity, book->count + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the table '%s'", name);
    sheet *s = &book->sheets[book->count];
    if ((size_t)snprintf(s->name, sizeof s->name, "%s", name) >= sizeof s->name)
        return dls_fail(error, DLS_BAD_ARGUMENT, "the name of the table '%s' is too long", name);
    DLS_TRY(dls_table_keep(name, &s->table, error));
    book->count++;
    *table = s->table;
    return DLS_OK;
}

void dls_book_abandon(dls_book *book)
{
    if (!book)
        return;
    for (size_t k = 0; k < book->count; k++)
        dls_table_abandon(book->sheets[k].table);
    dls_output_abandon(&book->output);
    free(book->sheets);
    free(book);
}

/* --- columns --- */

/* The head of a table in parts. */
typedef struct heading {
    char *provenance; /* its notes, without "# " */
    char **names;     /* of the columns, with their units */
    char *text;       /* of both */
} heading;

static void release_heading(heading *h)
{
    free(h->provenance);
    free(h->names);
    free(h->text);
}

static bool read_heading(const dls_kept_cells *cells, heading *h)
{
    char *to = h->provenance = malloc(cells->head_size + 1), *line = h->text = strdup(cells->head);
    h->names = calloc(cells->n_columns + 1, sizeof *h->names);
    if (!h->provenance || !h->text || !h->names)
        return false;
    for (; *line == '#'; line += strcspn(line, "\n") + 1) {
        const char *words = line + strspn(line, "# ");
        const size_t length = strcspn(words, "\n") + 1;
        memcpy(to, words, length);
        to += length;
    }
    *to = '\0';
    for (size_t k = 0; k < cells->n_columns; k++) {
        h->names[k] = line;
        line += strcspn(line, "\t\n");
        *line++ = '\0';
    }
    return true;
}

static bool put_text_attribute(hid_t at, const char *name, const char *text)
{
    hid_t type = dls_h5->Tcopy(*dls_h5->C_S1), space = dls_h5->Screate(H5S_SCALAR);
    dls_h5->Tset_size(type, strlen(text) + 1);
    dls_h5->Tset_cset(type, H5T_CSET_UTF8);
    hid_t attribute = dls_h5->Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool ok = attribute >= 0 && dls_h5->Awrite(attribute, type, text) >= 0;
    dls_h5->Aclose(attribute);
    dls_h5->Sclose(space);
    dls_h5->Tclose(type);
    return ok;
}

/* A string of variable length, since an attribute holds no more than 64 KiB. */
static bool put_provenance(hid_t group, const char *text)
{
    hid_t type = dls_h5->Tcopy(*dls_h5->C_S1);
    dls_h5->Tset_size(type, H5T_VARIABLE);
    dls_h5->Tset_cset(type, H5T_CSET_UTF8);
    const bool ok = dls_hdf5_put(group, "provenance", type, type, false, 1, &text);
    dls_h5->Tclose(type);
    return ok;
}

static bool put_texts(hid_t group, const char *name, const dls_kept_cells *cells, const dls_cell *column)
{
    size_t longest = 1;
    for (size_t i = 0; i < cells->rows; i++) {
        const size_t length = strlen(dls_cell_text(cells, column[i]));
        longest = length > longest ? length : longest;
    }
    char *texts = calloc(cells->rows, longest);
    if (!texts)
        return false;
    for (size_t i = 0; i < cells->rows; i++) {
        const char *text = dls_cell_text(cells, column[i]);
        memcpy(texts + i * longest, text, strlen(text));
    }
    hid_t type = dls_h5->Tcopy(*dls_h5->C_S1);
    dls_h5->Tset_size(type, longest);
    dls_h5->Tset_strpad(type, H5T_STR_NULLPAD);
    dls_h5->Tset_cset(type, H5T_CSET_UTF8);
    const bool ok = dls_hdf5_put(group, name, type, type, true, cells->rows, texts);
    dls_h5->Tclose(type);
    free(texts);
    return ok;
}

/* Two columns may differ in their unit alone: then it is part of their names, "error_m" and "error_rad". */
static bool name_column(const heading *h, size_t columns, size_t column, char *name, size_t size)
{
    const char *full = h->names[column];
    const int base = (int)strcspn(full, "[");
    bool twice = false;
    for (size_t j = 0; j < columns; j++)
        twice = twice || (j != column && (int)strcspn(h->names[j], "[") == base &&
                          strncmp(h->names[j], full, (size_t)base) == 0 && full[base]);
    const char *unit = full[base] ? full + base + 1 : "";
    const int length =
        snprintf(name, size, "%.*s%s%.*s", base, full, twice ? "_" : "", twice ? (int)strcspn(unit, "]") : 0, unit);
    for (char *c = name; *c; c++)
        if (*c == '/')
            *c = '_';
    return length > 0 && (size_t)length < size;
}

static bool put_unit(hid_t group, const char *name, const char *full)
{
    char unit[64] = "";
    const char *from = strchr(full, '[');
    if (!from)
        return true;
    snprintf(unit, sizeof unit, "%.*s", (int)strcspn(from + 1, "]"), from + 1);
    hid_t set = dls_h5->Dopen2(group, name, H5P_DEFAULT);
    const bool ok = set >= 0 && put_text_attribute(set, "unit", unit);
    dls_h5->Dclose(set);
    return ok;
}

static bool put_column(hid_t group, const dls_kept_cells *cells, const heading *h, size_t column)
{
    const struct dls_table_column *of = &cells->columns[column];
    char name[256];
    bool ok = name_column(h, cells->n_columns, column, name, sizeof name);
    if (of->kind == DLS_CELL_TEXT)
        ok = ok && put_texts(group, name, cells, of->cells);
    else if (of->kind == DLS_CELL_COUNT)
        ok = ok && dls_hdf5_put(group, name, *dls_h5->STD_I64LE, *dls_h5->NATIVE_INT64, true, cells->rows, of->cells);
    else
        ok = ok && dls_hdf5_put(group, name, *dls_h5->IEEE_F64LE, *dls_h5->NATIVE_DOUBLE, true, cells->rows, of->cells);
    return ok && put_unit(group, name, h->names[column]);
}

static bool put_sheet(hid_t file, const sheet *s)
{
    const dls_kept_cells *cells = dls_table_kept(s->table);
    heading h = {0};
    bool ok = read_heading(cells, &h);
    hid_t group = ok ? dls_h5->Gcreate2(file, s->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : -1;
    ok = group >= 0 && put_provenance(group, h.provenance);
    for (size_t k = 0; k < cells->n_columns && ok; k++)
        ok = put_column(group, cells, &h, k);
    if (group >= 0)
        dls_h5->Gclose(group);
    release_heading(&h);
    return ok;
}

static bool fill_book(hid_t file, const void *context)
{
    const dls_book *book = context;
    bool ok = true;
    for (size_t k = 0; k < book->count && ok; k++)
        ok = put_sheet(file, &book->sheets[k]);
    return ok;
}

bool dls_hdf5_available(void) { return true; }

dls_status dls_book_commit(dls_book *book, dls_error *error)
{
    dls_status status = DLS_OK;
    for (size_t k = 0; k < book->count && status == DLS_OK; k++)
        status = dls_table_settle(book->sheets[k].table, error);
    if (status == DLS_OK)
        status = dls_hdf5_write(&book->output, fill_book, book, error);
    dls_book_abandon(book);
    return status;
}

/* --- as text --- */

dls_status dls_book_text(const dls_book *book, const char *name, const char *path, dls_error *error)
{
    size_t k = 0;
    dls_table *to;
    while (k < book->count && strcmp(book->sheets[k].name, name) != 0)
        k++;
    if (k == book->count)
        return dls_fail(error, DLS_BAD_ARGUMENT, "the book has no table '%s'", name);
    DLS_TRY(dls_table_settle(book->sheets[k].table, error));
    DLS_TRY(dls_table_create(path, &to, error));
    dls_table_print(book->sheets[k].table, to);
    return dls_table_commit(to, error);
}
