/* gnuplot.h - gnuplot as a child process. Not installed. */
#ifndef DLS_EXPERIMENTS_GNUPLOT_H
#define DLS_EXPERIMENTS_GNUPLOT_H

#include "delassus/experiments.h"

#include <stdio.h>

/* Runs a script after the commands `settings`. `script` is a file, or "-" for gnuplot's standard input, which is the
 * file descriptor `input` (-1: ours). Its output is copied to `figure`; DLS_IO unless that ends as its format does.
 * DLS_UNAVAILABLE without gnuplot. */
dls_status dls_gnuplot(const char *settings, const char *script, int input, dls_figure_format format, FILE *figure,
                       dls_error *error);
/* Draws the figure STEM in one format into the job's folder, by such a script, after the variables that style.gp reads,
 * `table`, and `variables` as dls_plot has them. */
dls_status dls_figure_script(const dls_job *job, const char *script, int input, const char *table, const char *stem,
                             dls_figure_format format, const char *const *variables, dls_error *error);
/* Writes STEM.caption.txt: the caption, and where the figure is from. */
dls_status dls_figure_caption(const dls_job *job, const char *table, const char *stem, const char *caption,
                              dls_error *error);

#endif
