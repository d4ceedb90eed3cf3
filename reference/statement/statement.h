/* statement.h - a statement about a problem, with all that another program needs to check it. Not installed.
 *
 * statement.c chooses what is claimed, statement_enclosure.c finds the witnesses of a unique solution, statement_gap.c
 * those of v+ under the associated law, statement_dependent.c leaves out dependent rows, statement_write.c writes the
 * file, statement_problem.c the problem and its name. The format is defined by the program that checks it,
 * proof/check_certificate.py. Nothing here is a proof: a claim is what that program finds proved. */
#ifndef DELASSUS_REFERENCE_STATEMENT_H
#define DELASSUS_REFERENCE_STATEMENT_H

#include "delassus/reference.h"

#include "base/memory.h"
#include "twofold.h"

#include <stdio.h>

typedef struct dls_statement_dependent dls_statement_dependent; /* rows that are left out (statement_dependent.c) */

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
    const double *impulses;   /* n: in their bounds, for the witness; NULL: the given ones */
    /* A definite A: D A D = alpha + L L^T but for rounding, D = diag(2^scale). */
    int *scale;
    double alpha, *L; /* L: n x n, row-major, lower triangle */
    /* Exact solutions: n_solutions x n fractions, separated by spaces, and the record that they are all. */
    size_t n_solutions;
    char *fractions, *tree;
    /* A statement about the problem without dependent rows: `of` has it, and dependent the rows; else NULL. */
    dls_statement_dependent *dependent;
    struct dls_statement *of;
    dls_arena memory;
};

/* The witnesses of a problem whose A is definite, near s->given: x, radius, state, scale, alpha, L, unique. *found:
 * false where A is not found to be definite, or no radius is. Fails with DLS_NO_MEMORY alone. */
dls_status dls_statement_enclose(dls_statement *s, bool *found, dls_error *error);

/* The witnesses of a bound of v+ under the associated law, near s->given: impulses, change, distance. *found: false
 * where there is none. Fails with DLS_NO_MEMORY alone. (statement_gap.c) */
dls_status dls_statement_gap(dls_statement *s, bool *found, dls_error *error);

/* Divides the rows without bounds into independent and dependent ones, at s->given: s->dependent. */
dls_status dls_statement_divide(dls_statement *s, dls_error *error);
/* The problem without dependent rows, NULL where there are none, and impulses of it that do the same. */
const dls_problem *dls_statement_rest(const dls_statement_dependent *d, const double **lambda);
void dls_statement_describe_rest(const dls_statement_dependent *d, char *text, size_t size);
/* The parts of the file up to the claim and the witness of the statement about the rest. */
void dls_statement_write_claim(const dls_statement_dependent *d, FILE *to);
void dls_statement_write_combinations(const dls_statement_dependent *d, FILE *to);
void dls_statement_dependent_release(dls_statement_dependent *d); /* NULL is allowed */

/* A number; a list of numbers; a member of an object, with the comma before it. (statement_text.c) */
void dls_statement_write_number(FILE *to, double x);
void dls_statement_write_list(FILE *to, size_t count, const double *x);
void dls_statement_write_numbers(FILE *to, const char *name, size_t count, const double *x);

/* The problem as JSON, into `to`, and its name, the SHA-256 of its numbers, as 64 hexadecimal digits; `to` NULL: the
 * name alone. */
dls_status dls_statement_problem(const dls_problem *p, FILE *to, char name[DLS_PROBLEM_NAME], dls_error *error);

#endif
