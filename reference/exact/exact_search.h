/* exact_search.h - the solver `exact`, as other methods call it. Not installed. */
#ifndef DELASSUS_REFERENCE_EXACT_SEARCH_H
#define DELASSUS_REFERENCE_EXACT_SEARCH_H

#include "delassus/reference.h"

/* The solver with its default settings and at most this work. */
dls_status dls_exact_search(const dls_problem *problem, double most_work, double *lambda, dls_report *report,
                            dls_error *error);

/* All solutions of a problem with fixed bounds, DLS_REFUSED for more than 200 rows, and *tree, a record that proves
 * them to be all (exact_tree.h), which the caller frees: NULL where the search reached a limit, of its work or of its
 * nodes, found a continuum, or a solution at which A_FF is singular. */
dls_status dls_exact_search_all(const dls_problem *problem, double most_work, size_t most_nodes, dls_report *report,
                                char **tree, dls_error *error);

#endif
