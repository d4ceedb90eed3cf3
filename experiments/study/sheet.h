/* sheet.h - a table as text, cut into cells. Not installed. */
#ifndef DLS_EXPERIMENTS_SHEET_H
#define DLS_EXPERIMENTS_SHEET_H

#include "delassus/status.h"

#include <stdbool.h>

/* Cells are separated as the line of names is: by tabs, else by commas or semicolons, and then a cell may stand in
 * double quotes. Lines that begin with # are left out. */
typedef struct dls_sheet {
    char *text;
    char **cells; /* (1 + rows) x columns; the first ones are the names of the columns */
    size_t *line; /* 1 + rows: in the file, from 1 */
    size_t columns, rows;
    char (*unit)[DLS_NAME_MAX]; /* columns: of the columns that were asked for */
} dls_sheet;
/* DLS_BAD_INPUT without a line of names, for a row with another number of cells, and for a quote that does not enclose
 * its cell. Release it after a failure too. */
dls_status dls_sheet_read(const char *path, dls_sheet *sheet, dls_error *error);
void dls_sheet_release(dls_sheet *sheet);
static inline const char *dls_sheet_name(const dls_sheet *sheet, size_t column) { return sheet->cells[column]; }
static inline const char *dls_sheet_cell(const dls_sheet *sheet, size_t row, size_t column)
{
    return sheet->cells[(1 + row) * sheet->columns + column];
}
/* The column of that name, of which the unit in brackets may be left out where no other column has the name. Its unit
 * is that in the brackets, else that of its cells, as "2 ms", in SI; "": none. The error lists the columns that there
 * are. */
dls_status dls_sheet_column(dls_sheet *sheet, const char *path, const char *name, size_t *column, dls_error *error);
/* Whether a cell of such a column is a finite number, which may have a unit of its own. */
bool dls_sheet_real(const dls_sheet *sheet, size_t row, size_t column, double *value);

#endif
