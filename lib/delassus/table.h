/* table.h - tables as text files that gnuplot, R, pandas and Octave read as they are.
 *
 * "# key: value" lines of provenance, one line of tab-separated column names `name[unit]`, then tab-separated rows at
 * full precision (%.17g). Written under a temporary name in the same folder and renamed by dls_table_commit: a reader
 * never sees an incomplete table, and after a failure (a full disk) the previous file is unchanged.
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
/* Writes a provenance line. Only before the columns. */
void dls_table_note(dls_table *table, const char *key, const char *format, ...) DLS_PRINTF(3, 4);
/* Writes version, commit, compiler and flags, and CPU as provenance lines. */
void dls_table_note_build(dls_table *table);
/* Writes one provenance line per field: "set PREFIXKEY: value unit"; `prefix` is "" or e.g. "pgs.". */
void dls_table_note_fields(dls_table *table, const char *prefix, const dls_field_table *fields, const void *settings);
/* Writes the line of column names, which are separated by tabs in `names`. */
void dls_table_columns(dls_table *table, const char *names);
/* Write the cells of the current row, from left to right, then the end of the row. NaN is written as "nan". */
void dls_table_real(dls_table *table, double value);
void dls_table_count(dls_table *table, size_t value);
void dls_table_text(dls_table *table, const char *text); /* tabs and line ends become spaces; empty becomes "-" */
void dls_table_end_row(dls_table *table);
/* Write several cells, or a whole row, in the order of `format`: "%s" a text, "%zu" a count, "%g" a real number, always
 * at full precision; blanks between them are ignored. */
void dls_table_cells(dls_table *table, const char *format, ...) DLS_PRINTF(2, 3);
void dls_table_row(dls_table *table, const char *format, ...) DLS_PRINTF(2, 3);
void dls_table_reals(dls_table *table, const double *values, size_t count);
/* Finishes the table: flushes it, checks that all writes succeeded, that rows have as many cells as there are columns
 * and that notes precede the columns, then renames the file. Frees the table in every case, and removes the temporary
 * file on failure. */
dls_status dls_table_commit(dls_table *table, dls_error *error);
/* The same without renaming, for tables that are committed together: settle all, then commit all. A table that cannot
 * be settled is abandoned. */
dls_status dls_table_settle(dls_table *table, dls_error *error);
void dls_table_abandon(dls_table *table); /* removes the temporary file; NULL is allowed */

/* Several tables in one HDF5 file: a group for each, with a dataset for each column NAME (attribute `unit`) and a
 * dataset of one string for the provenance. Columns that differ only in their unit are called NAME_UNIT. Real numbers
 * are doubles, equal to the bit to those that were given; counts are 64-bit integers, texts are strings (UTF-8) as long
 * as the longest of their column. Cells of a column are of one kind. Long columns are compressed. The same tables give
 * the same bytes. Tables are in memory, with 8 bytes a cell, until dls_book_commit writes the file. */
typedef struct dls_book dls_book;
bool dls_hdf5_available(void); /* whether the library was built with it */
/* DLS_UNAVAILABLE without HDF5. */
dls_status dls_book_create(const char *path, dls_book **book, dls_error *error);
/* Begins a table, which is the book's: it is neither committed nor abandoned alone. */
dls_status dls_book_table(dls_book *book, const char *name, dls_table **table, dls_error *error);
/* Writes a table of the book as a text file too. */
dls_status dls_book_text(const dls_book *book, const char *name, const char *path, dls_error *error);
/* Writes the file, and frees the book with its tables in every case. On failure the previous file is unchanged. */
dls_status dls_book_commit(dls_book *book, dls_error *error);
void dls_book_abandon(dls_book *book); /* NULL is allowed */

/* The same for files of any kind: a stream to a temporary file in the folder of `path`, which is committed or
 * abandoned. A device, or a pipe with a reader, is written directly; a symbolic link is kept, and the file that it
 * points to is replaced. Abandoning an output that was committed, or that failed to open, has no effect. */
typedef struct dls_output {
    FILE *stream;
    char path[DLS_PATH_MAX];
    char temporary[DLS_PATH_MAX + 32];
    int listed; /* for dls_outputs_remove_unfinished; 0: not listed */
} dls_output;
dls_status dls_output_open(dls_output *output, const char *path, dls_error *error);
/* Flushes to the disk, checks for errors and renames. On failure the temporary file is removed and the previous file is
 * unchanged. */
dls_status dls_output_commit(dls_output *output, dls_error *error);
/* The same without renaming. */
dls_status dls_output_settle(dls_output *output, dls_error *error);
void dls_output_abandon(dls_output *output);
/* Removes the temporary files of all outputs of the process that are neither committed nor abandoned, up to
 * DLS_OUTPUTS_LISTED at a time. May be called in a signal handler, which must then end the process. The library
 * installs no signal handler. */
enum { DLS_OUTPUTS_LISTED = 64 };
void dls_outputs_remove_unfinished(void);
/* Makes dls_output_open refuse, with DLS_BAD_INPUT, every path that names one of these files, also by a link: a program
 * calls it with its inputs before it writes anything, so that no output destroys one. In force for the whole process;
 * `paths` is kept, and its strings. The library never calls it. */
void dls_outputs_spare(const char *const *paths, size_t count);
/* Whether dls_output_open would refuse the path for that reason: the error that it would give, or DLS_OK. */
dls_status dls_output_check(const char *path, dls_error *error);
/* Creates the folder `path` and its parent folders, if they do not exist. */
dls_status dls_folder_create(const char *path, dls_error *error);

/* Facts about this build, for headers and `delassus --version`. `commit` is "unknown" outside a repository and its
 * tarballs. */
typedef struct dls_build {
    const char *version, *commit, *compiler, *flags;
} dls_build;
dls_build dls_build_facts(void);
/* The processor's name as reported by the system, else "unknown". */
void dls_cpu_name(char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
