/* examination.h - impulses that another program computed for a problem, measured and certified by the examiner: shared
 * by the commands examine and ci. */
#ifndef DELASSUS_CMD_EXAMINATION_H
#define DELASSUS_CMD_EXAMINATION_H

#include "command.h"

typedef struct examination {
    dls_content content;
    const dls_problem *problem; /* of the content */
    dls_examiner *examiner;
    double *lambda, *w; /* n */
    dls_certificate certificate;
    dls_bounds bounds;
    dls_report report;
    dls_sentence sentence; /* of these, rows counted from 1 */
} examination;

/* Reads the problem of a file, in the format of that name or as recognised (NULL), with room for its impulses. Release
 * it after a failure, too. */
dls_status examination_open(examination *e, const char *file, const char *format, dls_error *error);
/* Reads its impulses from the file `given` (read_vector, column lambda). */
dls_status examination_read(examination *e, const arguments *a, const char *given, dls_error *error);
/* Examines and certifies e->lambda, and decides by the scaled residual `tolerance`. */
dls_status examination_decide(examination *e, double tolerance, dls_error *error);
void examination_release(examination *e);

bool examination_is_solution(const examination *e);
bool examination_is_undecided(const examination *e);

#endif
