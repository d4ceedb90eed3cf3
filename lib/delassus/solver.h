/* solver.h - a solver turns a problem into impulses. Direct and iterative ones stand behind one descriptor.
 *
 * The caller owns the loop:
 *     open(problem, settings, lambda0, &work)
 *     while (report.outcome == DLS_OUTCOME_RUNNING && k < limit) { iterate(work, &report); read(work, lambda);
 * ...examine... } close(work) A direct method finishes in one iteration. iterate() never allocates memory in an
 * iterative method. A solver never grades itself: what it says in the report is a claim; the examiner (reference)
 * measures.
 */
#ifndef DELASSUS_SOLVER_H
#define DELASSUS_SOLVER_H

#include "delassus/field.h"
#include "delassus/problem.h"

/* How a solve ended: X(NAME, text as in tables and JSON). */
#define DLS_OUTCOME_LIST(X)                   \
    X(RUNNING, "running")                     \
    X(SOLVED, "solved")                       \
    X(NO_SOLUTION, "no-solution")             \
    X(SEVERAL, "several")                     \
    X(ITERATION_LIMIT, "iteration-limit")     \
    X(NUMERICAL_FAILURE, "numerical-failure") \
    X(REFUSED, "refused")

typedef enum dls_outcome {
#define DLS_OUTCOME_ENUM(name, text) DLS_OUTCOME_##name,
    DLS_OUTCOME_LIST(DLS_OUTCOME_ENUM)
#undef DLS_OUTCOME_ENUM
} dls_outcome;
const char *dls_outcome_text(dls_outcome outcome);

/* What proves that there is no solution. */
typedef enum dls_proof {
    DLS_PROOF_NONE,
    DLS_PROOF_FARKAS, /* y: for every lambda within the bounds y.(A lambda + b) contradicts the signs of w; checked by
                         the examiner */
    DLS_PROOF_RAY,    /* a secondary ray of Lemke's method: proves no solution for the classes its header names */
    DLS_PROOF_ENUMERATION /* every index set was tried */
} dls_proof;

typedef struct dls_report {
    dls_outcome outcome;
    size_t iterations;     /* sweeps of an iterative method; pivots, factorisations or Newton steps of a direct one */
    size_t factorizations; /* of dense matrices */
    size_t dead_rows;      /* rows with a zero diagonal, which nothing can move: skipped by sweeps */
    dls_proof proof;
    double *proof_vector;          /* n entries, or NULL; owned by the report */
    size_t n_solutions;            /* of SEVERAL (and 1 of SOLVED by enumeration) */
    double *solutions;             /* n_solutions x n, one after another; owned by the report */
    char message[DLS_MESSAGE_MAX]; /* why: for every outcome but SOLVED; and any rescue a method took, by name */
} dls_report;
void dls_report_release(dls_report *report); /* frees the vectors and zeroes it */
/* Sets outcome and message. */
void dls_report_end(dls_report *report, dls_outcome outcome, const char *format, ...) DLS_PRINTF(3, 4);

/* What a solver takes. The driver refuses, by name, a problem that needs what is not here. */
typedef enum dls_accepts {
    DLS_ACCEPTS_FREE = 1u << 0,        /* rows with lo = -inf, hi = inf */
    DLS_ACCEPTS_BOXED = 1u << 1,       /* two finite bounds, or an upper bound alone, or a lower one other than 0 */
    DLS_ACCEPTS_UNSYMMETRIC = 1u << 2, /* the matrix form with A != A^T */
    DLS_ACCEPTS_COUPLED = 1u << 3,     /* friction bounded by the current normal impulse, each tangent alone */
    DLS_ACCEPTS_CONE = 1u << 4,        /* Coulomb's cone */
    DLS_NEEDS_CONE = 1u << 5           /* and nothing without one */
} dls_accepts;

typedef enum dls_solver_kind { DLS_SOLVER_DIRECT, DLS_SOLVER_ITERATIVE } dls_solver_kind;

/* The stationary iteration that a linear sweep is, for the predicted rate: lambda <- lambda - P^-1 (A lambda + b),
 * A = L + D + U. */
typedef enum dls_splitting_kind {
    DLS_SPLITTING_NONE,      /* not a stationary iteration */
    DLS_SPLITTING_FORWARD,   /* P = D / omega + L */
    DLS_SPLITTING_SYMMETRIC, /* a forward, then a backward sweep */
    DLS_SPLITTING_JACOBI     /* P = D / omega */
} dls_splitting_kind;
typedef struct dls_splitting {
    dls_splitting_kind kind;
    double omega;
} dls_splitting;

typedef struct dls_solver {
    const char *name;    /* kebab case */
    const char *summary; /* one line */
    const char *source;  /* the paper */
    dls_solver_kind kind;
    unsigned accepts; /* dls_accepts */
    dls_field_table fields;
    /* lambda0: n impulses to start from, or NULL for 0 (direct methods ignore it). DLS_REFUSED with a message for what
     * the flags cannot say (a matrix that is too large, or not definite where it must be). */
    dls_status (*open)(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                       dls_error *error);
    dls_status (*iterate)(void *work, dls_report *report, dls_error *error);
    void (*read)(const void *work, double *lambda);   /* the current impulses, n entries */
    void (*close)(void *work);                        /* NULL is allowed */
    dls_splitting (*splitting)(const void *settings); /* NULL: none */
    /* What a scheme needs that moves positions between iterations; both NULL where the method cannot. */
    void (*refresh)(void *work, const double *c);  /* another c (n entries) from here on; impulses and velocity stay */
    void (*velocity)(const void *work, double *v); /* v* + M^-1 J^T lambda of the current impulses, nv entries */
} dls_solver;

/* What the observer sees after each iteration; `lambda` is the current iterate. Return false to stop. */
typedef bool (*dls_observer)(void *context, const double *lambda, const dls_report *report);

/* The loop: checks the flags, opens, iterates at most `limit` times, closes. `lambda` (n entries) is read as the start
 * and holds the result. A refusal is a report with DLS_OUTCOME_REFUSED and the status DLS_OK. An iterative method ends
 * with DLS_OUTCOME_ITERATION_LIMIT: whether it has converged is for the examiner to say. Zero a report before its first
 * use. */
dls_status dls_solve(const dls_solver *solver, const dls_problem *problem, const void *settings, size_t limit,
                     double *lambda, dls_report *report, dls_observer observer, void *context, dls_error *error);
/* The beginning of that loop, for who iterates by hand: releases the report, checks the flags, opens. A refusal is a
 * report with DLS_OUTCOME_REFUSED, no work and the status DLS_OK. */
dls_status dls_solver_open(const dls_solver *solver, const dls_problem *problem, const void *settings,
                           const double *lambda0, void **work, dls_report *report, dls_error *error);
/* NULL if the solver accepts the problem by its flags, else which need it does not meet. */
const char *dls_solver_refuses(const dls_solver *solver, const dls_problem *problem);

#endif
