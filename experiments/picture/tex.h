/* tex.h - text for LaTeX. Not installed. */
#ifndef DLS_EXPERIMENTS_TEX_H
#define DLS_EXPERIMENTS_TEX_H

#include "delassus/status.h"

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

#endif
