/* A certificate as a file: JSON, in the format that proof/check_certificate.py defines. */
#include "statement.h"

#include "base/arithmetic.h"
#include "base/text.h"

#include "delassus/table.h"

#include <string.h>

static void write_number(FILE *to, double x)
{
    char text[40];
    dls_print(text, sizeof text, "%.17g", x);
    fputs(text, to);
}

/* A member; `before` is the comma behind the one before it, or "". */
static void write_numbers_behind(FILE *to, const char *before, const char *name, size_t count, const double *x)
{
    fprintf(to, "%s\"%s\": [", before, name);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", to);
        write_number(to, x[i]);
    }
    fputc(']', to);
}

static void write_numbers(FILE *to, const char *name, size_t count, const double *x)
{
    write_numbers_behind(to, ",\n", name, count, x);
}

/* `count` fractions of a text in which they are separated by spaces, as a list; returns the rest of the text. */
static const char *write_fractions(FILE *to, size_t count, const char *text)
{
    fputc('[', to);
    for (size_t i = 0; i < count; i++) {
        const size_t length = strcspn(text, " ");
        fprintf(to, "%s\"%.*s\"", i > 0 ? ", " : "", (int)length, text);
        text += length + (text[length] == ' ');
    }
    fputc(']', to);
    return text;
}

static void write_solutions(FILE *to, const dls_statement *s)
{
    const char *rest = s->fractions;
    fputs(", \"solutions\": [", to);
    for (size_t k = 0; k < s->n_solutions; k++) {
        fputs(k > 0 ? ",\n" : "\n", to);
        rest = write_fractions(to, s->p->n, rest);
    }
    fputc(']', to);
}

static void write_claim(FILE *to, const dls_statement *s)
{
    static const char *const kinds[] = {[DLS_STATEMENT_SOLUTION] = "solution",   [DLS_STATEMENT_SEVERAL] = "several",
                                        [DLS_STATEMENT_CONTINUUM] = "continuum", [DLS_STATEMENT_ALL] = "all",
                                        [DLS_STATEMENT_VELOCITY] = "velocity",   [DLS_STATEMENT_BACKWARD] = "backward"};
    static const char *const unique[] = {"null", "\"velocity\"", "\"impulses\""};
    const size_t n = s->p->n;
    fprintf(to, "\"claim\": {\"kind\": \"%s\"", kinds[s->kind]);
    if (s->kind == DLS_STATEMENT_SOLUTION || s->kind == DLS_STATEMENT_BACKWARD || s->kind == DLS_STATEMENT_VELOCITY)
        write_numbers(to, "given", n, s->given);
    if (s->kind == DLS_STATEMENT_SOLUTION) {
        write_numbers(to, "radius", n, s->radius);
        fprintf(to, ",\n\"unique\": %s,\n\"states\": [", unique[s->unique]);
        for (size_t i = 0; i < n; i++)
            fprintf(to, "%s\"%s\"", i > 0 ? ", " : "", s->state[i]);
        fputc(']', to);
    } else if (s->kind == DLS_STATEMENT_VELOCITY) {
        write_numbers(to, "within", 1, &s->distance);
    } else if (s->kind == DLS_STATEMENT_BACKWARD) {
        write_numbers(to, "off", 2, (const double[]){s->b_off, s->mu_off});
    } else {
        write_solutions(to, s);
    }
    fputs("}", to);
}

static void write_definite_witness(FILE *to, const dls_statement *s)
{
    const size_t n = s->p->n;
    fputs("\"x\": [", to);
    for (size_t i = 0; i < n; i++) {
        fputs(i > 0 ? ", [" : "[", to);
        write_number(to, s->x[i].high);
        fputs(", ", to);
        write_number(to, s->x[i].low);
        fputc(']', to);
    }
    fputs("],\n\"scale\": [", to);
    for (size_t i = 0; i < n; i++)
        fprintf(to, "%s%d", i > 0 ? ", " : "", s->scale[i]);
    fputs("],\n\"alpha\": ", to);
    write_number(to, s->alpha);
    fputs(",\n\"factor\": [", to);
    for (size_t i = 0; i < n; i++) {
        fputs(i > 0 ? ",\n[" : "\n[", to);
        for (size_t j = 0; j <= i; j++) {
            fputs(j > 0 ? ", " : "", to);
            write_number(to, s->L[n * i + j]);
        }
        fputc(']', to);
    }
    fputc(']', to);
}

static void write_witness(FILE *to, const dls_statement *s)
{
    fputs("\"witness\": {", to);
    if (s->kind == DLS_STATEMENT_ALL) {
        fprintf(to, "\"tree\": %s", s->tree);
    } else if (s->kind == DLS_STATEMENT_VELOCITY) {
        write_numbers_behind(to, "", "change", s->p->nv, s->change);
    } else if (s->kind == DLS_STATEMENT_SOLUTION && s->unique == DLS_UNIQUE_IMPULSES) {
        write_definite_witness(to, s);
    } else if (s->kind == DLS_STATEMENT_SOLUTION) {
        fputs("\"x\": ", to);
        write_fractions(to, s->p->n, s->fractions);
    }
    fputc('}', to);
}

dls_status dls_statement_write(const dls_statement *s, const char *path, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    dls_output output;
    char name[DLS_PROBLEM_NAME];
    if (s->kind == DLS_STATEMENT_NONE)
        return dls_fail(error, DLS_REFUSED, "%.400s", s->text);
    DLS_TRY(dls_output_open(&output, path, error));
    FILE *to = output.stream;
    fputs("{\"format\": \"delassus certificate 1\",\n\"problem\": ", to);
    const dls_status status = dls_statement_problem(s->p, to, name, error);
    if (status != DLS_OK) {
        dls_output_abandon(&output);
        return status;
    }
    fprintf(to, ",\n\"sha256\": \"%s\",\n", name);
    write_claim(to, s);
    fputs(",\n", to);
    write_witness(to, s);
    fputs("}\n", to);
    return dls_output_commit(&output, error);
}

dls_status dls_problem_name(const dls_problem *problem, char name[DLS_PROBLEM_NAME], dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    return dls_statement_problem(problem, NULL, name, error);
}
