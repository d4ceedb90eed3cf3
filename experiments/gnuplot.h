/* gnuplot.h - gnuplot as a child process. Not installed. */
#ifndef DLS_EXPERIMENTS_GNUPLOT_H
#define DLS_EXPERIMENTS_GNUPLOT_H

#include "delassus/status.h"

/* Runs `script` ("-": what `input` has, a file descriptor) after the commands `settings`; the figure goes from gnuplot's standard output to the
 * file descriptor `figure`. `input` is gnuplot's standard input, -1: ours. DLS_UNAVAILABLE without gnuplot. */
dls_status dls_gnuplot(const char *settings, const char *script, int input, int figure, dls_error *error);

#endif
