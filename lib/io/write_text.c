/* The file and the work memory of a writer of text. */
#include "writers.h"

#include "base/text.h"
#include "delassus/table.h"

#include <stdlib.h>

dls_status dls_write_text(const dls_problem *p, const char *path,
                          void (*put)(FILE *to, const dls_problem *problem, double *room), dls_error *error)
{
    dls_output output;
    const size_t longest = dls_mass_longest(&p->mass);
    double *room = calloc(p->n + 2 * p->nv + longest * longest + 1, sizeof *room);
    if (!room)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a column of %zu rows", p->n);
    dls_status status = dls_output_open(&output, path, error);
    if (status == DLS_OK) {
        const locale_t before = dls_locale_begin();
        put(output.stream, p, room);
        dls_locale_end(before);
        status = dls_output_commit(&output, error);
    }
    free(room);
    return status;
}
