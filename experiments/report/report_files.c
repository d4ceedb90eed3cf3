/* The contents of the files of a report's parts: captions, findings, tables of few rows. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool dls_report_ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

bool dls_report_has(const dls_report_part *part, const char *stem, const char *suffix)
{
    char name[3 * DLS_NAME_MAX];
    snprintf(name, sizeof name, "%s.%s", stem, suffix);
    for (size_t i = 0; i < part->n_files; i++)
        if (strcmp(part->files[i], name) == 0)
            return true;
    return false;
}

char *dls_report_text(const dls_job *job, const char *name)
{
    char path[2 * DLS_PATH_MAX], *text;
    size_t size;
    snprintf(path, sizeof path, "%s/%s", job->output, name);
    return dls_file_read(path, &text, &size, NULL) == DLS_OK ? text : NULL;
}

dls_report_caption dls_report_caption_read(const dls_job *job, const char *stem)
{
    char name[2 * DLS_NAME_MAX];
    snprintf(name, sizeof name, "%.*s.caption.txt", DLS_NAME_MAX, stem);
    dls_report_caption c = {.text = dls_report_text(job, name), .table = "", .command = ""};
    static const char from[] = "\n\nFrom ", by[] = ", by delassus ", command[] = "Command: ";
    char *source = c.text ? strstr(c.text, from) : NULL;
    if (!source)
        return c;
    *source = '\0';
    source += sizeof from - 1;
    char *rest = strstr(source, by);
    if (!rest)
        return c;
    *rest = '\0';
    c.table = source;
    if ((rest = strstr(rest + 1, command))) {
        c.command = rest + sizeof command - 1;
        rest[strcspn(rest, "\n")] = '\0';
    }
    return c;
}

const char *dls_report_figure(const dls_report_part *part, size_t i, char *stem, size_t size)
{
    static const char end[] = ".caption.txt";
    if (!dls_report_ends_with(part->files[i], end))
        return NULL;
    snprintf(stem, size, "%.*s", (int)(strlen(part->files[i]) - strlen(end)), part->files[i]);
    return stem;
}

const char *dls_report_mechanism(const dls_report_part *part, size_t i, const char *suffix)
{
    char prefix[2 * DLS_NAME_MAX];
    const size_t length = (size_t)snprintf(prefix, sizeof prefix, "%s.mechanism.", part->name);
    const char *name = part->files[i];
    return strncmp(name, prefix, length) == 0 && dls_report_ends_with(name, suffix) ? name + length : NULL;
}

bool dls_report_finding(const dls_job *job, const dls_report_part *part, dls_finding *finding)
{
    return dls_report_has(part, part->name, "finding.txt") && dls_finding_read(job, part->name, finding);
}

size_t dls_report_rows(const char *text)
{
    size_t rows = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n'))
        rows += *line != '#';
    return rows > 0 ? rows - 1 : 0;
}

size_t dls_report_count(const dls_report_part *part, const char *end)
{
    size_t count = 0;
    for (size_t i = 0; i < part->n_files; i++)
        count += dls_report_ends_with(part->files[i], end);
    return count;
}

const char *dls_report_residual(double residual, char text[DLS_REPORT_RESIDUAL])
{
    snprintf(text, DLS_REPORT_RESIDUAL,
             isnan(residual)   ? "not a number"
             : isinf(residual) ? "infinite"
                               : "%.2g",
             residual);
    return text;
}

void dls_report_run_sentence(const dls_report_part *part, char *text, size_t size)
{
    const dls_report_outcome *o = part->outcome;
    char residual[DLS_REPORT_RESIDUAL];
    *text = '\0';
    if (o->status != DLS_OK || o->run.steps == 0)
        return;
    const size_t used = (size_t)snprintf(
        text, size, "by %s, %zu steps of %.4g s: energy %.4g to %.4g J, joint errors %.2g m and %.2g rad", o->solver,
        o->run.steps, o->step, o->run.energy_start, o->run.energy_end, o->run.worst_linear, o->run.worst_angular);
    if (used < size && o->run.examined > 0)
        snprintf(text + used, size - used, ", scaled residual at worst %s.",
                 dls_report_residual(o->run.worst_residual, residual));
    else if (used < size)
        snprintf(text + used, size - used, ".");
}
