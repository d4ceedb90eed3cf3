/* bench.h - the lines of bench.tsv and bench.md, and the parts that measure them. */
#ifndef DELASSUS_BENCH_BENCH_H
#define DELASSUS_BENCH_BENCH_H

#include "clock.h"

#include "delassus/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct bench_line {
    size_t part;                                 /* of those in bench.c */
    char name[DLS_NAME_MAX], peer[DLS_NAME_MAX]; /* peer "": none */
    size_t size;
    double value;
    const char *unit;
    double peer_value;
} bench_line;

enum { BENCH_LINES_MAX = 1024, BENCH_NOTES_MAX = 64 };

typedef struct bench {
    bool quick;
    size_t part; /* that is measured */
    size_t n_lines, n_notes;
    bench_line lines[BENCH_LINES_MAX];
    char notes[BENCH_NOTES_MAX][DLS_MESSAGE_MAX];
} bench;

/* `peer` NULL: nobody to compare with. */
void bench_add(bench *b, const char *name, size_t size, double value, const char *unit, const char *peer,
               double peer_value);
/* A time that is known only as a difference of two: the median of `count` differences, which it sorts, where it is
 * above their noise (the distance to the farther quartile), else NaN. */
double bench_difference(double *differences, size_t count, double *noise);
/* A line of the header: something that did not go as it should. */
void bench_note(bench *b, const char *format, ...) DLS_PRINTF(2, 3);

dls_status bench_sweeps(bench *b, dls_error *error);        /* sweeps.c: pgs-* */
dls_status bench_direct(bench *b, dls_error *error);        /* direct.c: NAME-lcp, NAME-boxed */
dls_status bench_solves(bench *b, dls_error *error);        /* solves.c: SCENE-SOLVER */
dls_status bench_certify(bench *b, dls_error *error);       /* certify.c: certify-* */
dls_status bench_models(bench *b, dls_error *error);        /* models.c: model-create, robot-*, spline-* */
dls_status bench_articulations(bench *b, dls_error *error); /* articulations.c: aba-*, crba-*, ... */
dls_status bench_mimics(bench *b, dls_error *error);        /* mimics.c: mimics-* */
dls_status bench_steps(bench *b, dls_error *error);         /* steps.c: step, step-* */
dls_status bench_commands(bench *b, dls_error *error);      /* commands.c: start, run, run-* */
dls_status bench_batches(bench *b, dls_error *error);       /* batches.c: batch-* */
dls_status bench_engines(bench *b, dls_error *error);       /* engines.c: engine-* */

#endif
