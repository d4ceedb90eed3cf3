/* parts.h - common parts of the experiment `peers`.
 */
#ifndef DLS_EXPERIMENTS_PEERS_PARTS_H
#define DLS_EXPERIMENTS_PEERS_PARTS_H

#include "study/study.h"

typedef struct dls_peers_settings {
    size_t rows, made, iterations;
    double tolerance, patience;
    dls_list solvers;
} dls_peers_settings;

/* Tables, by their index. */
enum { DLS_PEERS_ANSWERS, DLS_PEERS_SUMMARY };

typedef struct dls_peers_findings {
    dls_choice *choices; /* of the settings, else every peer that was built */
    size_t n_choices;
    size_t (*count)[DLS_VERDICTS]; /* n_choices */
    size_t problems, too_large;    /* that were tried, and left out for their size */
    size_t far; /* silently wrong answers with a residual, D-scaled, above the tolerance in m/s too */
} dls_peers_findings;

/* A problem of the collection: `what` is its kind, `name` its scene or recipe, `file` its argument on a command line.
 * */
typedef struct dls_peers_case {
    const char *what, *name, *file;
    const dls_problem *problem;
} dls_peers_case;
/* Every peer on it, into tables and findings (answers.c). */
dls_status dls_peers_try(dls_study *study, const dls_peers_case *of, dls_error *error);

/* The collection (collection.c): scenes, manufactured problems, published ones where their folder is given. */
dls_status dls_peers_scenes(dls_study *study, dls_error *error);
dls_status dls_peers_made(dls_study *study, dls_error *error);
dls_status dls_peers_published(dls_study *study, dls_error *error);

#endif
