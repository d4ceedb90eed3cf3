/* The contents of the files of a report's parts: captions, findings, tables of few rows. */
#include "report.h"

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
    dls_report_caption c = {.text = dls_report_text(job, name), .command = ""};
    char *source = c.text ? strstr(c.text, "\n\n") : NULL;
    if (!source)
        return c;
    *source = '\0';
    source += 2;
    sscanf(source, "From %63[^, ]", c.table);
    char *command = strstr(source, "Command: ");
    if (command) {
        c.command = command + strlen("Command: ");
        command[strcspn(command, "\n")] = '\0';
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

void dls_report_run_sentence(const dls_report_part *part, char *text, size_t size)
{
    const dls_report_outcome *o = part->outcome;
    *text = '\0';
    if (o->status == DLS_OK && o->run.steps > 0)
        snprintf(
            text, size,
            "by %s, %zu steps of %.4g s: energy %.4g to %.4g J, joint errors %.2g m and %.2g rad, residual %.2g at "
            "worst.",
            o->solver, o->run.steps, o->step, o->run.energy_start, o->run.energy_end, o->run.worst_linear,
            o->run.worst_angular, o->run.worst_residual);
}
