/* report.h - the parts of a report, and the page and the paper over them. Not installed.
 *
 * THE ROOM. Every experiment and every scene in processes of their own, and one document over their tables and figures:
 * a page in HTML, and a paper in LaTeX. It reads the files of the parts and computes nothing: words on an
 * experiment are the experiment's (dls_experiment), figures are of picture/. */
#ifndef DLS_EXPERIMENTS_REPORT_H
#define DLS_EXPERIMENTS_REPORT_H

#include "delassus/experiments.h"

#include <sys/types.h>

/* The result of the process of a part; of a scene's run its solver and figures. */
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
    char **files; /* n_files, that it has made in the report's folder, in the order of their names */
    size_t n_files;
    char *section; /* of the page; NULL: it is not done */
    dls_report_outcome *outcome;
} dls_report_part;

/* Makes the section of a part that has ended from its files. */
dls_status dls_report_section(const dls_job *job, dls_report_part *part, dls_error *error);
/* index.html over the sections that there are. */
dls_status dls_report_page(const dls_job *job, const dls_report_part *parts, size_t count, dls_error *error);

/* report.tex, which has the same and includes figures as PDF. */
dls_status dls_report_tex(const dls_job *job, const dls_report_part *parts, size_t count, dls_error *error);
/* report.pdf of report.tex by LaTeX, or of index.html by a browser where LaTeX or a package of it is missing.
 * DLS_UNAVAILABLE where neither is there. */
dls_status dls_report_print(const dls_job *job, dls_error *error);

/* --- contents of the files of a part (report_files.c), for both --- */

enum { DLS_REPORT_ROWS = 30 }; /* of a table that is shown */

bool dls_report_ends_with(const char *name, const char *end);
/* Whether the part has made STEM.SUFFIX. */
bool dls_report_has(const dls_report_part *part, const char *stem, const char *suffix);
/* The text of a file of the report's folder; NULL where there is none, or no memory. */
char *dls_report_text(const dls_job *job, const char *name);

/* A caption's file has the caption, an empty line, and where the figure comes from: "From TABLE, by ...: COMMAND". */
typedef struct dls_report_caption {
    char *text; /* owns all of it; NULL: there is none */
    const char *table, *command;
} dls_report_caption;
dls_report_caption dls_report_caption_read(const dls_job *job, const char *stem);

/* The stem of the figure whose caption is file i of the part; NULL: that is another file. */
const char *dls_report_figure(const dls_report_part *part, size_t i, char *stem, size_t size);
/* "SCENE.SUFFIX" of a mechanism's picture with that suffix, ".svg", in file i; NULL: that is another file. */
const char *dls_report_mechanism(const dls_report_part *part, size_t i, const char *suffix);

/* Whether the part has a finding, which it reads. */
bool dls_report_finding(const dls_job *job, const dls_report_part *part, dls_finding *finding);

/* --- words of the document (report_words.c), for both --- */

extern const char dls_report_title[];
extern const char *const dls_report_method[], *const dls_report_references[]; /* paragraphs, [1] ...; NULL at the end */
void dls_report_abstract(const dls_report_part *parts, size_t count, char *text, size_t size);
void dls_report_conclusion(const dls_report_part *parts, size_t count, char *text, size_t size);
/* The captions of a section as they stand there so far; begin with {NULL}, and free `text`. */
typedef struct dls_report_captions {
    char *text; /* stem, zero byte, caption, zero byte, of one figure after another */
    size_t count, capacity;
} dls_report_captions;
/* Takes out of the caption of a figure the sentences that stand under one earlier figure, which `like` names: the one
 * with most of them. False: none. */
bool dls_report_caption_shorten(dls_report_captions *earlier, const char *stem, char *text, char *like, size_t size);

size_t dls_report_rows(const char *text);                              /* of a table, without its head */
size_t dls_report_count(const dls_report_part *part, const char *end); /* of the part's files whose name ends so */
/* A scaled residual in two digits, or in words where it is none: "infinite", "not a number". In text[32], which is
 * returned. */
enum { DLS_REPORT_RESIDUAL = 32 };
const char *dls_report_residual(double residual, char text[DLS_REPORT_RESIDUAL]);
/* "by pgs, 500 steps ..."; "" of a run that failed or made no step. */
void dls_report_run_sentence(const dls_report_part *part, char *text, size_t size);

#endif
