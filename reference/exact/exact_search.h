/* exact_search.h - the solver `exact`, as other methods call it. Not installed. */
#ifndef DELASSUS_REFERENCE_EXACT_SEARCH_H
#define DELASSUS_REFERENCE_EXACT_SEARCH_H

#include "delassus/reference.h"

/* The solver with its default settings and at most this work. */
dls_status dls_exact_search(const dls_problem *problem, double most_work, double *lambda, dls_report *report,
                            dls_error *error);

#endif
