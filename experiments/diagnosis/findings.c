/* The list of findings, and how a row is named in them. */
#include "parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const dls_severity_names[] = {"note", "risk", "fault", NULL};
const dls_fault_text dls_fault_causes[] = {
#define DLS_FAULT_ENTRY(id, word, meaning) {word, meaning},
    DLS_FAULT_LIST(DLS_FAULT_ENTRY)
#undef DLS_FAULT_ENTRY
        {NULL, NULL}};

/* --- the list --- */

dls_status dls_diagnosis_create(dls_diagnosis **diagnosis, dls_error *error)
{
    *diagnosis = calloc(1, sizeof **diagnosis);
    return *diagnosis ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for a diagnosis");
}

void dls_diagnosis_destroy(dls_diagnosis *diagnosis)
{
    if (diagnosis)
        free(diagnosis->finding);
    free(diagnosis);
}

dls_status dls_diagnosis_add(dls_diagnosis *d, dls_fault_cause cause, dls_severity severity, const char *subject,
                             double value, double limit, dls_error *error, const char *format, ...)
{
    if (!(value > limit))
        return DLS_OK;
    if (d->count == d->capacity && !DLS_GROW(d->finding, d->capacity, d->count + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu findings", d->count + 1);
    dls_diagnosis_finding *finding = &d->finding[d->count++];
    *finding = (dls_diagnosis_finding){.cause = cause, .severity = severity, .value = value, .limit = limit};
    snprintf(finding->subject, sizeof finding->subject, "%s", subject ? subject : "");
    va_list list;
    va_start(list, format);
    vsnprintf(finding->text, sizeof finding->text, format, list);
    va_end(list);
    return DLS_OK;
}

dls_status diagnosis_unmeasured(dls_diagnosis *diagnosis, const char *figure, const char *reason, dls_error *error)
{
    return dls_diagnosis_add(diagnosis, DLS_FAULT_UNMEASURED, DLS_SEVERITY_NOTE, NULL, 1.0, 0.0, error,
                             "%s not measured: %.300s", figure, reason);
}

static double finding_excess(const dls_diagnosis_finding *finding)
{
    return finding->limit > 0.0 ? finding->value / finding->limit : finding->value;
}

static int compare_findings(const void *first, const void *second)
{
    const dls_diagnosis_finding *a = first, *b = second;
    if (a->severity != b->severity)
        return a->severity > b->severity ? -1 : 1;
    if (a->cause != b->cause)
        return a->cause < b->cause ? -1 : 1;
    const double x = finding_excess(a), y = finding_excess(b);
    return x > y ? -1 : x < y ? 1 : strcmp(a->subject, b->subject);
}

void dls_diagnosis_sort(dls_diagnosis *diagnosis)
{
    if (diagnosis->count > 1)
        qsort(diagnosis->finding, diagnosis->count, sizeof *diagnosis->finding, compare_findings);
}

size_t dls_diagnosis_count(const dls_diagnosis *diagnosis, dls_severity severity)
{
    size_t count = 0;
    for (size_t i = 0; i < diagnosis->count; i++)
        count += diagnosis->finding[i].severity == severity;
    return count;
}

/* --- rows --- */

void diagnosis_row_name(const diagnosis_scene *scene, size_t i, char *text, size_t size)
{
    char owner[2 * DLS_NAME_MAX + 32];
    const dls_list_row *row = &scene->rows->row[i];
    dls_owner_name(scene->model, &scene->contacts, row->owner, owner, sizeof owner);
    snprintf(text, size, "%.100s.%s", owner, row->label);
}

double diagnosis_row_size(const diagnosis_scene *scene, size_t i)
{
    return scene->rows->row[i].angular || !(scene->length > 0.0) ? 1.0 : scene->length;
}

const char *diagnosis_row_unit(const diagnosis_scene *scene, size_t i)
{
    return scene->rows->row[i].angular ? "rad" : "m";
}

double diagnosis_row_speed(const diagnosis_scene *scene, size_t i)
{
    const double *prescribed = dls_row_list_prescribed(scene->rows);
    return dls_rows_dot(&scene->rows->J, i, scene->at->v) + (prescribed ? prescribed[i] : 0.0);
}
