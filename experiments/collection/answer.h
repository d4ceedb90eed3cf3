/* answer.h - what the table of answers says of a problem. Not installed. */
#ifndef DELASSUS_EXPERIMENTS_COLLECTION_ANSWERS_H
#define DELASSUS_EXPERIMENTS_COLLECTION_ANSWERS_H

#include "delassus/collection.h"

typedef struct dls_answer {
    dls_answer_word word;
    char method[DLS_NAME_MAX];       /* that found it; "": the search for all solutions, or none */
    double residual, bound;          /* scaled residual of its impulses; proved bound; NaN: none */
    bool stated;                     /* a certificate is in the file */
    char statement[DLS_MESSAGE_MAX]; /* what is certified, or why nothing is */
} dls_answer;

/* Solves and certifies. The certificate is written to `path`, if there is one. */
dls_status dls_answer_find(const dls_problem *problem, const char *path, dls_answer *answer, dls_error *error);

/* The number of solutions of a small problem with friction that are found and proved to be different; 0 or 1 proves
 * nothing. */
dls_status dls_answer_count(const dls_problem *problem, size_t *count, dls_error *error);

#endif
