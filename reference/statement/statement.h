/* statement.h - a statement about a problem, with all that another program needs to check it. Not installed.
 *
 * statement.c chooses what is claimed, statement_enclosure.c finds the witnesses of a unique solution,
 * statement_write.c writes the file, statement_problem.c the problem and its name. The format is defined by the program that
 * checks it, proof/check_certificate.py. Nothing here is a proof: a claim is what that program finds proved. */
#ifndef DELASSUS_REFERENCE_STATEMENT_H
#define DELASSUS_REFERENCE_STATEMENT_H

#include "delassus/reference.h"

#include "base/memory.h"
#include "twofold.h"

#include <stdio.h>

struct dls_statement {
    const dls_problem *p;
    dls_statement_kind kind;
    char text[DLS_MESSAGE_MAX];
    /* A solution near given impulses; backward: `given` alone. */
    double *given, *radius; /* n */
    const char **state;     /* n: "lower", "between", "upper", "open" */
    dls_statement_unique unique;
    dls_twofold *x; /* n: its witness, if not in `fractions` */
    double b_off, mu_off;
    /* The velocity: |v - v+|_M <= distance, and the witness, a change of v that makes every row one that may be. */
    double distance, *change; /* change: nv */
    /* A definite A: D A D = alpha + L L^T but for rounding, D = diag(2^scale). */
    int *scale;
    double alpha, *L; /* L: n x n, row-major, lower triangle */
    /* Exact solutions: n_solutions x n fractions, separated by spaces, and the record that they are all. */
    size_t n_solutions;
    char *fractions, *tree;
    dls_arena memory;
};

/* The witnesses of a problem whose A is definite, near s->given: x, radius, state, scale, alpha, L, unique. *found:
 * false where A is not found to be definite, or no radius is. Fails with DLS_NO_MEMORY alone. */
dls_status dls_statement_enclose(dls_statement *s, bool *found, dls_error *error);

/* The problem as JSON, into `to`, and its name, the SHA-256 of its numbers, as 64 hexadecimal digits; `to` NULL: the
 * name alone. */
dls_status dls_statement_problem(const dls_problem *p, FILE *to, char name[DLS_PROBLEM_NAME], dls_error *error);

#endif
