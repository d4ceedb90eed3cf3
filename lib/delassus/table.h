/* table.h - tables as text files that gnuplot, R, pandas and Octave read as they are.
 *
 * "# key: value" lines of provenance, one line of tab-separated column names `name[unit]`, then tab-separated rows at
 * full precision (%.17g). Written under a temporary name in the same folder and renamed by dls_table_commit: a reader
 * never sees half a table, and a failure (a full disk) leaves what was there before.
 */
#ifndef DELASSUS_TABLE_H
#define DELASSUS_TABLE_H

#include "delassus/field.h"
#include "delassus/status.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_table dls_table;

/* Creates the folder of `path` if it is not there (one level or several). */
dls_status dls_table_create(const char *path, dls_table **table, dls_error *error);
/* A provenance line. Before the columns. */
void dls_table_note(dls_table *table, const char *key, const char *format, ...) DLS_PRINTF(3, 4);
/* Version, commit, compiler and flags, CPU. */
void dls_table_note_build(dls_table *table);
/* One line a field: "set PREFIXKEY: value unit"; `prefix` is "" or e.g. "pgs.". */
void dls_table_note_fields(dls_table *table, const char *prefix, const dls_field_table *fields, const void *settings);
/* The column line: tab-separated as given. */
void dls_table_columns(dls_table *table, const char *names);
/* Cells of the current row, from left to right, then the end of the row. NaN is written as "nan". */
void dls_table_real(dls_table *table, double value);
void dls_table_count(dls_table *table, size_t value);
void dls_table_text(dls_table *table, const char *text); /* tabs and line ends become spaces; empty becomes "-" */
void dls_table_end_row(dls_table *table);
/* Several cells, and a whole row, in the order of `format`: "%s" a text, "%zu" a count, "%g" a real, which is written
 * in full whatever the format; blanks between them mean nothing. */
void dls_table_cells(dls_table *table, const char *format, ...) DLS_PRINTF(2, 3);
void dls_table_row(dls_table *table, const char *format, ...) DLS_PRINTF(2, 3);
void dls_table_reals(dls_table *table, const double *values, size_t count);
/* Flushes, checks every write, that rows have as many cells as there are columns, and that notes stand above the
 * columns; renames. Frees the table in every case, and on failure removes the temporary file. */
dls_status dls_table_commit(dls_table *table, dls_error *error);
/* All of that but the renaming, for tables that are committed together: settle each, then commit each. A table that
 * could not be settled is abandoned. */
dls_status dls_table_settle(dls_table *table, dls_error *error);
void dls_table_abandon(dls_table *table); /* removes the temporary file; NULL is allowed */

/* Finished tables as one HDF5 file: a group names[k] for each, with a dataset for each column NAME (attribute `unit`) and
 * the provenance, a dataset of one string; columns that differ in their unit alone are called NAME_UNIT. Numbers are
 * doubles, to the bit those of the text, or 64 bit integers where all of a column without unit are whole; all else are
 * strings (UTF-8). The same tables give the same bytes. Without HDF5 DLS_UNAVAILABLE, as FCLIB's files are (io.h). */
bool dls_hdf5_available(void); /* whether the library was built with it */
dls_status dls_tables_to_hdf5(const char *const *paths, const char *const *names, size_t count, const char *output,
                              dls_error *error);

/* The same for files of another kind: a stream to a temporary file beside `path`, committed or abandoned. A path that
 * is a device or a pipe with a reader is written straight; a symbolic link stays, and the file that it points to is replaced. An
 * output that was committed (or failed to open) may be abandoned: nothing happens. */
typedef struct dls_output {
    FILE *stream;
    char path[DLS_PATH_MAX];
    char temporary[DLS_PATH_MAX + 32];
    int listed; /* for dls_outputs_remove_unfinished; 0: not listed */
} dls_output;
dls_status dls_output_open(dls_output *output, const char *path, dls_error *error);
/* Flushes to the disk, checks, renames. On failure the temporary file is removed and what was there before is
 * untouched. */
dls_status dls_output_commit(dls_output *output, dls_error *error);
/* All of that but the renaming. */
dls_status dls_output_settle(dls_output *output, dls_error *error);
void dls_output_abandon(dls_output *output);
/* Removes the temporary files of all outputs of the process that are neither committed nor abandoned, up to
 * DLS_OUTPUTS_LISTED at a time. Safe in a signal handler, which must then end the process: the library installs none. */
enum { DLS_OUTPUTS_LISTED = 64 };
void dls_outputs_remove_unfinished(void);
/* Makes the folder `path` and those above it, where they are not there. */
dls_status dls_folder_create(const char *path, dls_error *error);

/* Facts about this build, for headers and `delassus --version`. `commit` is "unknown" outside a repository and its
 * tarballs. */
typedef struct dls_build {
    const char *version, *commit, *compiler, *flags;
} dls_build;
dls_build dls_build_facts(void);
/* The processor's name as the system tells it, else "unknown". */
void dls_cpu_name(char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
