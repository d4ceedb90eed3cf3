/* gnuplot.h - gnuplot as a child process. Not installed. */
#ifndef DLS_EXPERIMENTS_GNUPLOT_H
#define DLS_EXPERIMENTS_GNUPLOT_H

#include "delassus/status.h"

/* Runs a script after the commands `settings`. `script` is a file, or "-" for gnuplot's standard input, which is the
 * file descriptor `input` (-1: ours). The figure goes to the file descriptor `figure`. DLS_UNAVAILABLE without gnuplot.
 */
dls_status dls_gnuplot(const char *settings, const char *script, int input, int figure, dls_error *error);

#endif
