/* tex.h - text for LaTeX. Not installed. */
#ifndef DLS_EXPERIMENTS_TEX_H
#define DLS_EXPERIMENTS_TEX_H

#include "delassus/status.h"

#include <stdbool.h>
#include <stdio.h>

/* Writes UTF-8 text such that pdflatex (with inputenc's utf8) and lualatex set it as it reads: TeX's special
 * characters, mathematical signs and Greek letters are translated; tabs and line ends are blanks. A character that
 * LaTeX may not have stands there as its code, as in [U+2603]. */
void dls_tex_text(FILE *to, const char *text);

/* The same of a command or a file's name, which may be broken behind its parts and keeps straight quotes. */
void dls_tex_code(FILE *to, const char *text);

/* The same of a label of gnuplot, whose x^2, x_1 and x^{...} are raised and lowered: a caret always, an underscore if
 * it stands behind a single letter, since other names have underscores of their own. */
void dls_tex_label(FILE *to, const char *label);

/* Copies a figure of gnuplot's terminal tikz, with its labels translated and without the date. */
dls_status dls_tex_figure(FILE *from, FILE *to, dls_error *error);

/* --- tables (tex_table.c) --- */

/* The columns of a table: the length of their longest cells, and whether one of them is no number. */
enum { DLS_TEX_COLUMNS = 64 };
typedef struct dls_tex_columns {
    size_t count;
    struct {
        size_t length;
        bool words;
    } of[DLS_TEX_COLUMNS];
} dls_tex_columns;
dls_tex_columns dls_tex_columns_of(const char *text);
/* The environment tabular of a table's text, with the rules of booktabs; numbers stand to the right. */
void dls_tex_tabular(FILE *to, const char *text, const dls_tex_columns *columns);
/* A cell at the six digits a reader wants, in digits[size] where it is a number, and a dash where it is none (nan); the
 * file has all of them. */
const char *dls_short_cell(const char *cell, char *digits, size_t size);

#endif
