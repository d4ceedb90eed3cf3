/* ci.h - the cases of delassus ci, each a dumped step with its verdict, and the reports of them. */
#ifndef DELASSUS_CMD_CI_H
#define DELASSUS_CMD_CI_H

#include "command.h"

typedef enum ci_verdict { CI_PASS, CI_FAIL, CI_ERROR } ci_verdict;
extern const char *const ci_verdict_names[]; /* "pass", "fail", "error" */

typedef struct ci_case {
    const char *name; /* of the step in the folder */
    ci_verdict verdict;
    size_t rows;
    const char *outcome;                                         /* of the examination; "" for an error */
    double scaled_residual, velocity_residual, impulse_residual; /* [1] */
    double baseline;                              /* scaled residual of the step in the baseline; NaN: none */
    size_t worst_row;                             /* or DLS_NONE */
    double lambda, w;                             /* of that row [N s], [m/s] */
    char worst[8 * DLS_NAME_MAX];                 /* its name */
    char message[DLS_MESSAGE_MAX + DLS_PATH_MAX]; /* why it did not pass */
} ci_case;

typedef struct ci_cases {
    const char *folder;
    const ci_case *of;
    size_t count, number[3]; /* number: of each verdict */
    double tolerance, factor;
    double seconds; /* wall time of all examinations */
} ci_cases;

/* The case with the largest scaled residual; NULL: none was examined. */
const ci_case *ci_worst(const ci_cases *cases);

/* Residuals of an earlier table of delassus ci, by the name of the step. */
typedef struct ci_baseline {
    char **names;
    double *residuals;
    size_t count, capacity;
} ci_baseline;
dls_status ci_baseline_read(const char *path, ci_baseline *baseline, dls_error *error);
/* The residual of a step; NaN: it was not there. */
double ci_baseline_of(const ci_baseline *baseline, const char *name);
void ci_baseline_release(ci_baseline *baseline);

/* A table with a row for each case, which --baseline reads; `line`: the command, for its head. */
dls_status ci_write_table(const ci_cases *cases, const char *line, const char *path, dls_error *error);
/* JUnit's XML: a test case for each step. */
dls_status ci_write_junit(const ci_cases *cases, const char *path, dls_error *error);
/* SARIF 2.1.0: a result for each step that did not pass. */
dls_status ci_write_sarif(const ci_cases *cases, const char *path, dls_error *error);
/* An endpoint badge of shields.io: the worst residual, green where every step has passed. */
dls_status ci_write_badge(const ci_cases *cases, const char *path, dls_error *error);

#endif
