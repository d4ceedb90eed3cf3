/* make bench: times of the algorithms on articulations, row-iterations of the sweeps and times of the direct methods,
 * and whole steps beside others on the same problems in the same run. One thread, CPU time, the best of several
 * repeats. */
#include "bench.h"

#include "delassus/table.h"

#include <gsl/gsl_cblas.h>
#include <math.h>
#include <openblas_config.h>
#include <stdio.h>
#include <string.h>

void openblas_set_num_threads(int threads);
char *openblas_get_config(void);

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
        dls_table_text(table, line->peer);
        dls_table_real(table, line->peer[0] ? line->peer_value : NAN);
        dls_table_real(table, line->peer[0] ? line->value / line->peer_value : NAN);
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

static const struct {
    const char *name;
    dls_status (*measure)(bench *b, dls_error *error);
    const char *what;
} parts[] = {
    {"models", bench_models,
     "Creating models, robots and splines; `size` is the number of parts, the peer half as many of them."},
    {"articulations", bench_articulations,
     "One evaluation on a tree of `size` degrees of freedom, kinematics included."},
    {"mimics", bench_mimics, "A step of `size` hinges in a chain, every other one a mimic of its neighbour."},
    {"sweeps", bench_sweeps,
     "Row-iterations of projected Gauss-Seidel, set-up and memory; `size` is the number of rows."},
    {"direct", bench_direct,
     "Direct methods on random problems with `size` rows, beside one Cholesky factorisation of the same size."},
    {"solves", bench_solves,
     "One solve of `size` rows, 1000 iterations, by a stopwatch around open, iterate and read; the peer is the time "
     "that "
     "`solve` prints."},
    {"certify", bench_certify,
     "Certificates of an answer with `size` rows, beside one Cholesky factorisation of the same size."},
    {"steps", bench_steps, "Where the time of a step goes: `size` boxes with detected contacts."},
    {"batches", bench_batches, "A step of one of `size` copies, beside a step of a single simulation."},
    {"commands", bench_commands,
     "What a command takes besides the library: its processor time and memory; `size` is the number of boxes."},
    {"engines", bench_engines,
     "Whole steps at equal work beside other engines, and the errors afterwards; `size` is the number of bodies."},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

static void write_part(const bench *b, size_t part, FILE *out)
{
    bool any = false;
    for (size_t k = 0; k < b->n_lines; k++) {
        const bench_line *l = &b->lines[k];
        if (l->part != part)
            continue;
        if (!any)
            fprintf(out,
                    "\n## %s\n\n%s\n\n| | size | value | unit | peer | its value | ratio |\n"
                    "| --- | --- | --- | --- | --- | --- | --- |\n",
                    parts[part].name, parts[part].what);
        any = true;
        fprintf(out, "| %s | %zu | %.3g | %s |", l->name, l->size, l->value, l->unit);
        if (l->peer[0] && isnan(l->peer_value))
            fprintf(out, " %s | | |\n", l->peer);
        else if (l->peer[0])
            fprintf(out, " %s | %.3g | %.2g |\n", l->peer, l->peer_value, l->value / l->peer_value);
        else
            fprintf(out, " | | |\n");
    }
}

/* The same lines as a page in Markdown. */
static dls_status write_page(const bench *b, const char *path, dls_error *error)
{
    const dls_build build = dls_build_facts();
    char cpu[128];
    dls_output output;
    DLS_TRY(dls_output_open(&output, path, error));
    dls_cpu_name(cpu, sizeof cpu);
    fprintf(output.stream,
            "# Speeds\n\nWritten by `make bench`: one thread, processor time, the best of several repeats. A ratio is "
            "the value over the "
            "peer's in the same run; on another processor only ratios compare.\n\n"
            "- delassus %s (%s), %s, `%s`\n- processor: %s\n- BLAS: %s\n",
            build.version, build.commit, build.compiler, build.flags, cpu, openblas_get_config());
    for (size_t k = 0; k < b->n_notes; k++)
        fprintf(output.stream, "- %s\n", b->notes[k]);
    for (size_t part = 0; part < PARTS; part++)
        write_part(b, part, output.stream);
    return dls_output_commit(&output, error);
}

static dls_status measure_parts(bench *b, const char *only, dls_error *error)
{
    bool found = false;
    for (b->part = 0; b->part < PARTS; b->part++)
        if (!only || strcmp(only, parts[b->part].name) == 0) {
            found = true;
            DLS_TRY(parts[b->part].measure(b, error));
        }
    return found ? DLS_OK : dls_fail(error, DLS_BAD_INPUT, "there is no part '%s'", only);
}

static dls_status run_bench(bench *b, const char *only, const char *path, const char *page, dls_error *error)
{
    openblas_set_num_threads(1);
    DLS_TRY(measure_parts(b, only, error));
    DLS_TRY(write_table(b, path, error));
    DLS_TRY(write_page(b, page, error));
    printf("bench: table %s, page %s\n", path, page);
    return DLS_OK;
}

static int usage(FILE *stream, int status)
{
    fputs("usage: bench [--quick] [--only PART] [-o FILE] [--page FILE]\n"
          "  --quick      small sizes only\n"
          "  --only PART  one of",
          stream);
    for (size_t k = 0; k < PARTS; k++)
        fprintf(stream, " %s", parts[k].name);
    fputs("\n"
          "  -o FILE      the table; bench.tsv by default\n"
          "  --page FILE  the same as a page in Markdown; bench.md by default\n",
          stream);
    return status;
}

int main(int argc, char **argv)
{
    const char *path = "bench.tsv", *page = "bench.md", *only = NULL;
    static bench b;
    dls_error error;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0)
            b.quick = true;
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            only = argv[++i];
        else if (strcmp(argv[i], "-o") == 0 && i + 1 < argc)
            path = argv[++i];
        else if (strcmp(argv[i], "--page") == 0 && i + 1 < argc)
            page = argv[++i];
        else
            return strcmp(argv[i], "--help") == 0 ? usage(stdout, 0) : usage(stderr, 2);
    }
    if (run_bench(&b, only, path, page, &error) == DLS_OK)
        return 0;
    char text[DLS_PATH_MAX + DLS_MESSAGE_MAX];
    dls_error_format(&error, text, sizeof text);
    fprintf(stderr, "bench: %s\n", text);
    return 1;
}
