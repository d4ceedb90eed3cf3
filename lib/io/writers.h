/* writers.h - the functions of writers.def. Not installed. */
#ifndef DELASSUS_IO_WRITERS_H
#define DELASSUS_IO_WRITERS_H

#include "delassus/io.h"

#include <stdio.h>

/* Writes a problem that the format can say, in the form that it wants: mechanical where `says` has MASSES_ALONE, as it
 * is where it has SAYS_MASSES, else the matrix form. `solution`: n impulses for formats that keep them, or NULL. */
typedef dls_status dls_writer_of_format(const dls_problem *problem, const double *solution, const char *path,
                                        dls_error *error);

#define WRITER(id, name, says, help) dls_writer_of_format dls_write_##id;
#include "writers.def"
#undef WRITER

/* The text formats' writers: `put` writes to the stream, with room for n + 2 nv numbers, 3 n of the matrix form. */
dls_status dls_write_text(const dls_problem *problem, const char *path,
                          void (*put)(FILE *to, const dls_problem *problem, double *room), dls_error *error);

#endif
