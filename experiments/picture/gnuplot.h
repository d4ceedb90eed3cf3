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

#endif
