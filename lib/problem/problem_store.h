/* problem_store.h - the memory of a dls_problem. Not installed.
 *
 * This folder has the rows of a mechanism, the mass operator, the problem that is assembled from both, and the
 * interface of solvers. It knows joint types and contacts by their rows alone, and neither solvers nor schemes. */
#ifndef DELASSUS_PROBLEM_STORE_H
#define DELASSUS_PROBLEM_STORE_H

#include "base/memory.h"
#include "delassus/problem.h"

typedef struct dls_problem_store {
    dls_arena arena;                  /* all arrays of the problem, and data of its reader */
    dls_row_list *rows;               /* where the rows come from, or NULL */
    dls_configuration *configuration; /* of a problem made by dls_problem_create; else NULL */
    bool owns_rows;
    const char **owners; /* n, or NULL: the owner of each row, by name */
} dls_problem_store;

/* The arrays of n rows and nv velocities beside the Jacobian and the mass operator, not filled. */
dls_status dls_problem_take(dls_problem *problem, dls_error *error);
/* dls_problem_check of row i alone. */
dls_status dls_problem_check_row(const dls_problem *problem, size_t i, dls_error *error);
/* The numbers of a body's mass block, owned by the problem. */
dls_status dls_problem_keep_body(dls_problem *problem, dls_mass_body **kept, dls_error *error);
/* A mass block of n x n numbers, all zero, owned by the problem. */
dls_status dls_problem_keep_dense(dls_problem *problem, size_t n, const dls_mass_dense **kept, dls_error *error);
/* A copy of `length` bytes with a zero after them, owned by the problem. */
dls_status dls_problem_keep_text(dls_problem *problem, const char *text, size_t length, const char **kept,
                                 dls_error *error);
/* Copies the rows of `from` into a problem of as many rows, where row i is row order[i] (NULL: i): friction, and the
 * origin of the rows. */
dls_status dls_problem_copy_rows(const dls_problem *from, const size_t *order, dls_problem *to, dls_error *error);
/* A list of n rows, all zero and without Jacobians, owned by the problem, into which a reader writes the origin of the
 * rows. */
dls_status dls_problem_keep_rows(dls_problem *problem, dls_row_list **rows, dls_error *error);

#endif
