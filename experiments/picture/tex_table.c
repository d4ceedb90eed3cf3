/* A table for LaTeX: a tabular with the rules of booktabs, numbers at six digits. */
#include "delassus/experiments.h"
#include "tex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *dls_short_cell(const char *cell, char *digits, size_t size)
{
    char *end;
    const double value = strtod(cell, &end);
    if (!*cell || *end)
        return cell;
    if (isnan(value))
        return "–";
    snprintf(digits, size, "%.6g", value);
    return digits;
}

/* Copies the cell at *text, which ends at a tab or with the line, and moves *text to its end. */
static void read_cell(const char **text, char *cell, size_t size)
{
    const size_t length = strcspn(*text, "\t\n");
    snprintf(cell, size, "%.*s", (int)length, *text);
    *text += length;
}

/* The next line that is neither empty nor a comment; NULL at the end. */
static const char *table_line(const char *text)
{
    while (*text == '#' || *text == '\n') {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return *text ? text : NULL;
}

dls_tex_columns dls_tex_columns_of(const char *text)
{
    dls_tex_columns c = {.count = 0};
    char cell[DLS_MESSAGE_MAX], digits[32];
    while ((text = table_line(text))) {
        const bool head = c.count == 0;
        for (size_t k = 0; k < DLS_TEX_COLUMNS; k++) {
            char *end;
            read_cell(&text, cell, sizeof cell);
            strtod(cell, &end);
            const size_t length = strlen(dls_short_cell(cell, digits, sizeof digits));
            c.of[k].length = length > c.of[k].length ? length : c.of[k].length;
            c.of[k].words = c.of[k].words || (!head && (!*cell || *end));
            c.count = head ? k + 1 : c.count;
            if (*text != '\t')
                break;
            text++;
        }
        text += strcspn(text, "\n");
    }
    return c;
}

void dls_tex_tabular(FILE *to, const char *text, const dls_tex_columns *c)
{
    char cell[DLS_MESSAGE_MAX], digits[32];
    bool first = true;
    fputs("\\begin{tabular}{", to);
    for (size_t k = 0; k < c->count; k++)
        fputc(c->of[k].words ? 'l' : 'r', to);
    fputs("}\n\\toprule\n", to);
    while ((text = table_line(text))) {
        for (bool more = true; more;) {
            read_cell(&text, cell, sizeof cell);
            more = *text == '\t';
            text += more;
            dls_tex_text(to, dls_short_cell(cell, digits, sizeof digits));
            fputs(more ? " & " : " \\\\\n", to);
        }
        fputs(first ? "\\midrule\n" : "", to);
        first = false;
    }
    fputs("\\bottomrule\n\\end{tabular}", to);
}

dls_status dls_table_tex(const dls_job *job, const char *stem, dls_error *error)
{
    char from[DLS_PATH_MAX], path[DLS_PATH_MAX], *text;
    size_t size;
    dls_output output;
    DLS_TRY(dls_job_path(job, stem, "tsv", from, error));
    DLS_TRY(dls_job_path(job, stem, "tex", path, error));
    DLS_TRY(dls_file_read(from, &text, &size, error));
    const dls_tex_columns columns = dls_tex_columns_of(text);
    dls_status status = dls_output_open(&output, path, error);
    if (status == DLS_OK) {
        fprintf(output.stream, "%% %s.tsv; \\usepackage{booktabs}\n", stem);
        dls_tex_tabular(output.stream, text, &columns);
        fputs("\n", output.stream);
        status = dls_output_commit(&output, error);
    }
    free(text);
    return status;
}
