/* A certificate as a file: JSON, in the format that proof/check_certificate.py defines. */
#include "statement.h"

#include "base/arithmetic.h"
#include "base/text.h"

#include "delassus/table.h"

#include <string.h>

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
                                        [DLS_STATEMENT_VELOCITY] = "velocity",   [DLS_STATEMENT_BACKWARD] = "backward",
                                        [DLS_STATEMENT_STATES] = "states"};
    static const char *const unique[] = {"null", "\"velocity\"", "\"impulses\""};
    const size_t n = s->p->n;
    fprintf(to, "\"claim\": {\"kind\": \"%s\"", kinds[s->kind]);
    const bool near = s->kind == DLS_STATEMENT_SOLUTION || s->kind == DLS_STATEMENT_STATES;
    if (near || s->kind == DLS_STATEMENT_BACKWARD || s->kind == DLS_STATEMENT_VELOCITY)
        dls_statement_write_numbers(to, "given", n, s->given);
    if (near) {
        dls_statement_write_numbers(to, "radius", n, s->radius);
        if (s->kind == DLS_STATEMENT_SOLUTION)
            fprintf(to, ",\n\"unique\": %s", unique[s->unique]);
        fputs(",\n\"states\": [", to);
        for (size_t i = 0; i < n; i++)
            fprintf(to, "%s\"%s\"", i > 0 ? ", " : "", s->state[i]);
        fputc(']', to);
    } else if (s->kind == DLS_STATEMENT_VELOCITY) {
        dls_statement_write_numbers(to, "within", 1, &s->distance);
    } else if (s->kind == DLS_STATEMENT_BACKWARD) {
        dls_statement_write_numbers(to, "off", 2, (const double[]){s->b_off, s->mu_off});
    } else {
        write_solutions(to, s);
    }
    fputs("}", to);
}

/* Impulses of twice the precision. */
static void write_pairs(FILE *to, const dls_statement *s)
{
    fputs("\"x\": [", to);
    for (size_t i = 0; i < s->p->n; i++) {
        fputs(i > 0 ? ", " : "", to);
        dls_statement_write_list(to, 2, (const double[]){s->x[i].high, s->x[i].low});
    }
    fputc(']', to);
}

static void write_definite_witness(FILE *to, const dls_statement *s)
{
    const size_t n = s->p->n;
    write_pairs(to, s);
    fputs(",\n\"scale\": [", to);
    for (size_t i = 0; i < n; i++)
        fprintf(to, "%s%d", i > 0 ? ", " : "", s->scale[i]);
    fputs("],\n\"alpha\": ", to);
    dls_statement_write_number(to, s->alpha);
    fputs(",\n\"factor\": [", to);
    for (size_t i = 0; i < n; i++) {
        fputs(i > 0 ? ",\n" : "\n", to);
        dls_statement_write_list(to, i + 1, s->L + n * i);
    }
    fputc(']', to);
}

static void write_witness(FILE *to, const dls_statement *s)
{
    fputs("\"witness\": {", to);
    if (s->kind == DLS_STATEMENT_ALL) {
        fprintf(to, "\"tree\": %s", s->tree);
    } else if (s->kind == DLS_STATEMENT_VELOCITY) {
        fputs("\"x\": ", to);
        dls_statement_write_list(to, s->p->n, s->impulses ? s->impulses : s->given);
        dls_statement_write_numbers(to, "change", s->p->nv, s->change);
    } else if (s->kind == DLS_STATEMENT_SOLUTION && s->unique == DLS_UNIQUE_IMPULSES) {
        write_definite_witness(to, s);
    } else if (s->kind == DLS_STATEMENT_STATES) {
        write_pairs(to, s);
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
    if (s->of)
        dls_statement_write_claim(s->dependent, to);
    write_claim(to, s->of ? s->of : s);
    fputs(s->of ? "},\n" : ",\n", to);
    if (s->of)
        dls_statement_write_combinations(s->dependent, to);
    write_witness(to, s->of ? s->of : s);
    fputs(s->of ? "}}\n" : "}\n", to);
    return dls_output_commit(&output, error);
}

dls_status dls_problem_name(const dls_problem *problem, char name[DLS_PROBLEM_NAME], dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    return dls_statement_problem(problem, NULL, name, error);
}
