/* The lines of the table, and the clock. */
#include "bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double bench_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double clock_cost(void)
{
    double least = HUGE_VAL;
    for (int k = 0; k < 1000; k++) {
        const double start = bench_clock();
        least = fmin(least, bench_clock() - start);
    }
    return least;
}

double bench_since(double start)
{
    static double cost = -1.0;
    const double now = bench_clock();
    if (cost < 0.0)
        cost = clock_cost();
    return fmax(0.0, now - start - cost);
}

static int by_size(const void *one, const void *other)
{
    const double *a = one, *b = other;
    return (*a > *b) - (*a < *b);
}

double bench_difference(double *differences, size_t count, double *noise)
{
    qsort(differences, count, sizeof *differences, by_size);
    const double median = differences[count / 2];
    *noise = fmax(differences[3 * count / 4] - median, median - differences[count / 4]);
    return median > *noise ? median : NAN;
}

void bench_add(bench *b, const char *name, size_t size, double value, const char *unit, const char *peer,
               double peer_value)
{
    if (b->n_lines == BENCH_LINES_MAX) {
        bench_note(b, "%s %zu is left out: there are more than %d lines", name, size, (int)BENCH_LINES_MAX);
        return;
    }
    bench_line *line = &b->lines[b->n_lines++];
    *line = (bench_line){.part = b->part, .size = size, .value = value, .unit = unit, .peer_value = peer_value};
    snprintf(line->name, sizeof line->name, "%s", name);
    snprintf(line->peer, sizeof line->peer, "%s", peer ? peer : "");
    fprintf(stderr, "%s %zu %s: %.4g %s\n", name, size, peer ? peer : "", value, unit);
}

void bench_note(bench *b, const char *format, ...)
{
    va_list arguments;
    if (b->n_notes == BENCH_NOTES_MAX)
        return;
    va_start(arguments, format);
    vsnprintf(b->notes[b->n_notes++], sizeof b->notes[0], format, arguments);
    va_end(arguments);
}
