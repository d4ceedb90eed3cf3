#include "study/study.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dls_figure_begin(dls_figure *figure, const dls_study *study, const char *script, size_t table,
                      const char *case_name)
{
    *figure = (dls_figure){.study = study, .script = script, .table = study->experiment->tables[table].stem};
    snprintf(figure->stem, sizeof figure->stem, "%s%s%s", script, case_name ? "-" : "", case_name ? case_name : "");
    figure->caption = open_memstream(&figure->text[0], &figure->size[0]);
    figure->variables = open_memstream(&figure->text[1], &figure->size[1]);
}

static void print(FILE *stream, const char *format, va_list values)
{
    locale_t before = dls_locale_begin();
    if (stream)
        vfprintf(stream, format, values);
    dls_locale_end(before);
}

void dls_figure_say(dls_figure *figure, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print(figure->caption, format, values);
    va_end(values);
}

void dls_figure_set(dls_figure *figure, const char *name, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (figure->variables)
        fprintf(figure->variables, "%s%c", name, 0);
    print(figure->variables, format, values);
    if (figure->variables)
        fputc(0, figure->variables);
    va_end(values);
    figure->n_variables++;
}

void dls_figure_set_table(dls_figure *figure, const char *name, size_t table)
{
    const dls_study *study = figure->study;
    dls_figure_set(figure, name, "%s/%s.tsv", study->job->output, study->experiment->tables[table].stem);
}

void dls_figure_set_list(dls_figure *figure, const char *name, const dls_list *counts)
{
    char text[DLS_LIST_MAX * 24] = "";
    for (size_t k = 0, used = 0; k < counts->count; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu", k ? " " : "", counts->counts[k]);
    dls_figure_set(figure, name, "%s", text);
}

void dls_words_add(char *words, size_t size, const char *word)
{
    const size_t used = strlen(words);
    snprintf(words + used, size - used, "%s%s", used ? " " : "", word);
}

/* Both texts are whole. */
static bool close_streams(dls_figure *figure)
{
    bool whole = figure->caption && figure->variables && !ferror(figure->caption) && !ferror(figure->variables);
    if (figure->caption && fclose(figure->caption) != 0)
        whole = false;
    if (figure->variables && fclose(figure->variables) != 0)
        whole = false;
    return whole;
}

dls_status dls_figure_draw(dls_figure *figure, dls_error *error, const char *format, ...)
{
    const dls_job *job = figure->study->job;
    char table[DLS_PATH_MAX];
    va_list values;
    va_start(values, format);
    print(figure->caption, format, values);
    va_end(values);
    bool whole = close_streams(figure);
    const char **pairs = calloc(2 * figure->n_variables + 1, sizeof *pairs);
    dls_status status = dls_job_path(job, figure->table, "tsv", table, error);
    if (status == DLS_OK && (!whole || !pairs))
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for the figure %s", figure->stem);
    if (status == DLS_OK) {
        const char *text = figure->text[1];
        for (size_t k = 0; k < 2 * figure->n_variables; k++, text += strlen(text) + 1)
            pairs[k] = text;
        status = dls_plot(job, figure->script, table, figure->stem, figure->text[0], pairs, error);
    }
    free(pairs);
    free(figure->text[0]);
    free(figure->text[1]);
    return status;
}
