/* make bench: times of the algorithms on articulations, row-iterations of the sweeps and times of the direct methods,
 * and whole steps beside others on the same problems in the same run. One thread, CPU time, the best of several
 * repeats. */
#include "bench.h"
#include "peer.h"

#include "delassus/table.h"

#include <gsl/gsl_cblas.h>
#include <math.h>
#include <openblas_config.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void openblas_set_num_threads(int threads);
char *openblas_get_config(void);

double bench_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void bench_add(bench *b, const char *name, size_t size, double value, const char *unit, const char *peer,
               double peer_value)
{
    if (b->n_lines == BENCH_LINES_MAX)
        return;
    bench_line *line = &b->lines[b->n_lines++];
    *line = (bench_line){.size = size, .value = value, .unit = unit, .peer = peer, .peer_value = peer_value};
    snprintf(line->name, sizeof line->name, "%s", name);
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

static void write_lines(const bench *b, dls_table *table)
{
    dls_table_columns(table, "name\tsize\tthreads\tvalue\tunit\tpeer\tpeer_value\tratio");
    for (size_t k = 0; k < b->n_lines; k++) {
        const bench_line *line = &b->lines[k];
        dls_table_text(table, line->name);
        dls_table_count(table, line->size);
        dls_table_count(table, 1);
        dls_table_real(table, line->value);
        dls_table_text(table, line->unit);
        dls_table_text(table, line->peer ? line->peer : "");
        dls_table_real(table, line->peer ? line->peer_value : NAN);
        dls_table_real(table, line->peer ? line->value / line->peer_value : NAN);
        dls_table_end_row(table);
    }
}

static dls_status write_table(const bench *b, const char *path, dls_error *error)
{
    dls_table *table;
    DLS_TRY(dls_table_create(path, &table, error));
    dls_table_note_build(table);
    dls_table_note(table, "blas", "%s, 1 thread", openblas_get_config());
    dls_table_note(table, "method", "one thread, CPU time, best of several repeats; ratio = value / peer_value%s",
                   b->quick ? "; --quick" : "");
    for (size_t k = 0; k < b->n_notes; k++)
        dls_table_note(table, "note", "%s", b->notes[k]);
    write_lines(b, table);
    return dls_table_commit(table, error);
}

static void print_lines(const bench *b)
{
    for (size_t k = 0; k < b->n_notes; k++)
        printf("# %s\n", b->notes[k]);
    printf("%-24s %7s %12s %-10s %-8s %12s %8s\n", "name", "size", "value", "unit", "peer", "peer_value", "ratio");
    for (size_t k = 0; k < b->n_lines; k++) {
        const bench_line *l = &b->lines[k];
        printf("%-24s %7zu %12.4g %-10s", l->name, l->size, l->value, l->unit);
        if (l->peer)
            printf(" %-8s %12.4g %8.3g", l->peer, l->peer_value, l->value / l->peer_value);
        printf("\n");
    }
}

static const struct {
    const char *name;
    dls_status (*measure)(bench *b, dls_error *error);
} parts[] = {{"models", bench_models},  {"articulations", bench_articulations},
             {"mimics", bench_mimics},  {"sweeps", bench_sweeps},
             {"direct", bench_direct},  {"certify", bench_certify},
             {"steps", bench_steps},    {"batches", bench_batches},
             {"engines", bench_engines}};

static dls_status measure(bench *b, const char *only, dls_error *error)
{
    bool found = false;
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        if (!only || strcmp(only, parts[k].name) == 0) {
            found = true;
            DLS_TRY(parts[k].measure(b, error));
        }
    return found ? DLS_OK : dls_fail(error, DLS_BAD_INPUT, "there is no part '%s'", only);
}

static dls_status run(bench *b, const char *only, const char *path, dls_error *error)
{
    openblas_set_num_threads(1);
    DLS_TRY(measure(b, only, error));
    DLS_TRY(write_table(b, path, error));
    print_lines(b);
    return DLS_OK;
}

static int usage(FILE *stream, int status)
{
    fputs("usage: bench [--quick] [--only PART] [-o FILE]\n"
          "  --quick      small sizes only\n"
          "  --only PART  one of",
          stream);
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        fprintf(stream, " %s", parts[k].name);
    fputs("\n"
          "  -o FILE      the table; bench.tsv by default\n",
          stream);
    return status;
}

int main(int argc, char **argv)
{
    const char *path = "bench.tsv", *only = NULL;
    static bench b;
    dls_error error;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0)
            b.quick = true;
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            only = argv[++i];
        else if (strcmp(argv[i], "-o") == 0 && i + 1 < argc)
            path = argv[++i];
        else
            return strcmp(argv[i], "--help") == 0 ? usage(stdout, 0) : usage(stderr, 2);
    }
    if (run(&b, only, path, &error) == DLS_OK)
        return 0;
    char text[DLS_PATH_MAX + DLS_MESSAGE_MAX];
    dls_error_format(&error, text, sizeof text);
    fprintf(stderr, "bench: %s\n", text);
    return 1;
}
