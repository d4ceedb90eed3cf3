/* answer.h - counts solutions for the answer of a problem. Not installed. */
#ifndef DELASSUS_EXPERIMENTS_COLLECTION_ANSWERS_H
#define DELASSUS_EXPERIMENTS_COLLECTION_ANSWERS_H

#include "delassus/collection.h"

/* The number of solutions of a small problem with friction that are found and proved to be different; 0 or 1 proves
 * nothing. */
dls_status dls_answer_count(const dls_problem *problem, size_t *count, dls_error *error);

#endif
