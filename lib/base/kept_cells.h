/* kept_cells.h - a table that is kept in memory, by columns, until a file is made of it. Not installed. */
#ifndef DELASSUS_BASE_KEPT_CELLS_H
#define DELASSUS_BASE_KEPT_CELLS_H

#include "delassus/table.h"

#include "names.h"

typedef enum dls_cell_kind { DLS_CELL_NONE, DLS_CELL_REAL, DLS_CELL_COUNT, DLS_CELL_TEXT } dls_cell_kind;
typedef union dls_cell {
    double real;
    uint64_t count; /* or the number of a text */
} dls_cell;

typedef struct dls_kept_cells {
    char *head; /* the notes "# key: value", and the line of columns, as in the file */
    size_t head_size;
    struct dls_table_column {
        dls_cell_kind kind; /* NONE: no cell yet */
        dls_cell *cells;
        size_t capacity;
    } * columns;
    size_t n_columns, rows;
    dls_names texts; /* all different texts, by their numbers */
} dls_kept_cells;

/* A table for the functions of table.h, except dls_table_commit; dls_table_abandon frees it. */
dls_status dls_table_keep(const char *name, dls_table **table, dls_error *error);
/* Its cells, once it is settled; NULL for a table that is a file. */
const dls_kept_cells *dls_table_kept(const dls_table *table);
const char *dls_cell_text(const dls_kept_cells *of, dls_cell cell);

/* Writes a settled kept table into another, which then has the same notes, columns and rows. */
void dls_table_print(const dls_table *kept, dls_table *to);

#endif
