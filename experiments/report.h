/* report.h - the parts of a report, and the page over them. Not installed. */
#ifndef DLS_EXPERIMENTS_REPORT_H
#define DLS_EXPERIMENTS_REPORT_H

#include "delassus/experiments.h"

#include <sys/types.h>

/* What the process of a part leaves; of a scene's run its solver and figures. */
typedef struct dls_report_outcome {
    dls_status status;
    char message[DLS_PATH_MAX + DLS_MESSAGE_MAX];
    char solver[DLS_NAME_MAX];
    double step;
    dls_run_result run;
} dls_report_outcome;

/* An experiment, or a run of a scene. */
typedef struct dls_report_part {
    const dls_experiment *experiment; /* NULL: it is a run */
    char name[DLS_NAME_MAX];          /* of the experiment, or of the scene's file without its suffix */
    char file[2 * DLS_PATH_MAX];      /* the scene's */
    char command[5 * DLS_PATH_MAX];   /* that repeats it */
    char folder[2 * DLS_PATH_MAX];    /* of its files until it is done */
    pid_t process;                    /* 0: it does not run */
    bool started, done;
    char **files; /* n_files, in the order of their names: what it has made, in the report's folder */
    size_t n_files;
    char *section; /* of the page; NULL: it is not done */
    dls_report_outcome *outcome;
} dls_report_part;

/* Makes the section of a part that has ended from its files. */
dls_status dls_report_section(const dls_job *job, dls_report_part *part, dls_error *error);
/* index.html over the sections that there are. */
dls_status dls_report_page(const dls_job *job, const dls_report_part *parts, size_t count, dls_error *error);

/* report.pdf of that page, by a browser. DLS_UNAVAILABLE where there is none. */
dls_status dls_report_print(const dls_job *job, dls_error *error);

#endif
