/* solver.h - a solver computes the impulses of a problem. Direct and iterative methods have the same descriptor.
 * For one problem, use dls_solve. For a sequence of problems, as in a simulation, use a dls_solver_work, which is
 * loaded with each problem in turn. It keeps its memory, and the structure that successive problems have in common.
 * A direct method finishes in one iteration. The report contains the claim of the solver, which it does not check; the
 * examiner (reference.h) measures the error.
 */
#ifndef DELASSUS_SOLVER_H
#define DELASSUS_SOLVER_H

#include "delassus/field.h"
#include "delassus/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The outcome of a solve: X(NAME, text in tables and JSON). */
#define DLS_OUTCOME_LIST(X)                   \
    X(RUNNING, "running")                     \
    X(SOLVED, "solved")                       \
    X(NO_SOLUTION, "no-solution")             \
    X(SEVERAL, "several")                     \
    X(CONTINUUM, "continuum")                 \
    X(ITERATION_LIMIT, "iteration-limit")     \
    X(NUMERICAL_FAILURE, "numerical-failure") \
    X(REFUSED, "refused")                     \
    X(TIME_LIMIT, "time-limit")               \
    X(UNDECIDED, "undecided")

typedef enum dls_outcome {
#define DLS_OUTCOME_ENUM(name, text) DLS_OUTCOME_##name,
    DLS_OUTCOME_LIST(DLS_OUTCOME_ENUM)
#undef DLS_OUTCOME_ENUM
        DLS_OUTCOMES /* how many there are */
} dls_outcome;
const char *dls_outcome_text(dls_outcome outcome);
/* Whether a solve with this outcome has no impulses to go on with: a proof that there are none, a failure, a refusal,
 * or the end of its time. */
bool dls_outcome_failed(dls_outcome outcome);

/* Whether it says that the impulses are a solution: the only one found, one of several, or one of a continuum. */
bool dls_outcome_solved(dls_outcome outcome);

/* The proof of an outcome. */
typedef enum dls_proof {
    DLS_PROOF_NONE,
    DLS_PROOF_FARKAS, /* y: for every lambda within the bounds y.(A lambda + b) contradicts the signs of w; checked by
                         the examiner */
    DLS_PROOF_ENUMERATION, /* every index set was tried, in exact arithmetic */
    DLS_PROOF_EXACT,       /* solutions were found in exact arithmetic, then rounded to doubles */
    DLS_PROOF_CERTIFICATE  /* an error bound shows that there is a solution: set by the examiner's word alone */
} dls_proof;

typedef struct dls_report {
    dls_outcome outcome;
    size_t iterations;     /* sweeps of an iterative method; pivots, factorisations or Newton steps of a direct one */
    size_t factorizations; /* of dense matrices */
    double row_visits;   /* work of an iterative method: a visit reads a row's J and its response B = M^-1 J^T once, as
                              a sweep does with every row; a product with A visits every row; other work counts its
                              floating-point operations / 48, those of a visit to a row of two bodies. 0: not counted */
    double seconds;      /* wall time of the solver alone: open (or reload), the iterations, one read; neither observers
                              nor examinations. 0 where it is not measured (dls_solver_work) */
    size_t dead_rows;    /* rows with a zero diagonal, which no impulse can move: skipped by sweeps */
    double inconsistent; /* direct methods: the largest remaining |w| of rows between their bounds that contradict
                              each other, or that no impulse can move; the answer is then the least-squares one [m/s,
                              rad/s] */
    double least_impulses; /* direct methods, if positive: rows that the message names nearly contradict each other, and
                              a solution has scaled impulses of at least so many times b and the finite bounds */
    dls_proof proof;
    double *proof_vector; /* n entries, or NULL; owned by the report */
    size_t n_solutions;   /* for SEVERAL; at least 2 for CONTINUUM; 1 for SOLVED by enumeration or exact search */
    double *solutions;    /* n_solutions x n, one after another; owned by the report */
    char *fractions;      /* the same as exact fractions, if they are known exactly, else NULL: n_solutions x n
                             fractions such as "-385/2", separated by spaces; owned by the report */
    bool refuted;         /* a NUMERICAL_FAILURE of which the method had claimed more, and the examiner refutes it */
    char message[DLS_MESSAGE_MAX]; /* the reason for every outcome except SOLVED; also names any fallback that a method
                                      used */
} dls_report;
void dls_report_release(dls_report *report); /* frees the vectors and zeroes it */
/* Sets outcome and message. */
void dls_report_end(dls_report *report, dls_outcome outcome, const char *format, ...) DLS_PRINTF(3, 4);

/* The kinds of rows and matrices that a solver accepts. Other problems are refused, with the reason. */
typedef enum dls_accepts {
    DLS_ACCEPTS_FREE = 1u << 0,        /* rows with lo = -inf, hi = inf */
    DLS_ACCEPTS_BOXED = 1u << 1,       /* two finite bounds, only an upper bound, or a lower bound other than 0 */
    DLS_ACCEPTS_UNSYMMETRIC = 1u << 2, /* the matrix form with A != A^T */
    DLS_ACCEPTS_COUPLED = 1u << 3,     /* friction bounded by the current normal impulse, each tangent separately */
    DLS_ACCEPTS_CONE = 1u << 4,        /* Coulomb's cone, isotropic */
    DLS_NEEDS_CONE = 1u << 5,          /* only problems with a cone */
    DLS_ELSEWHERE = 1u << 7,           /* its iterations are made in another process, which measures them: iterate sets
                                          report->seconds */
    DLS_CALL_ONCE = 1u << 8,           /* its calls have effects: it is not called again only to measure its time */
    DLS_TAKES_START = 1u << 9,         /* a direct method that begins at the start impulses */
    DLS_NEEDS_MASS = 1u << 10,         /* only the mechanical form */
    DLS_LARGE = 1u << 11, /* needs no dense matrix: chosen automatically where one is too large, or for contacts
                                          under a cone */
    DLS_ACCEPTS_ASSOCIATED = 1u << 12, /* with DLS_ACCEPTS_CONE: DLS_LAW_ASSOCIATED */
    DLS_ACCEPTS_ROLLING = 1u << 13,    /* likewise: rolling and torsional friction of contacts under a cone */
    DLS_ACCEPTS_ELLIPTIC = 1u << 14,   /* likewise: discs with two coefficients, anisotropic friction */
    DLS_ACCEPTS_LAWS = DLS_ACCEPTS_CONE | DLS_ACCEPTS_ASSOCIATED | DLS_ACCEPTS_ROLLING | DLS_ACCEPTS_ELLIPTIC,
    DLS_BY_NAME = 1u << 6 /* never chosen automatically: its answer is for the stored doubles as exact
                                          numbers, so that rounding errors may leave redundant rows without a solution
                                          */
} dls_accepts;

typedef enum dls_solver_kind { DLS_SOLVER_DIRECT, DLS_SOLVER_ITERATIVE } dls_solver_kind;

/* A linear sweep as a stationary iteration, for the predicted rate: lambda <- lambda - P^-1 (A lambda + b), A = L + D +
 * U. */
typedef enum dls_splitting_kind {
    DLS_SPLITTING_NONE,      /* not a stationary iteration */
    DLS_SPLITTING_FORWARD,   /* P = D / omega + L */
    DLS_SPLITTING_BACKWARD,  /* P = D / omega + U */
    DLS_SPLITTING_SYMMETRIC, /* a forward, then a backward sweep */
    DLS_SPLITTING_JACOBI     /* P = D / omega */
} dls_splitting_kind;
typedef struct dls_splitting {
    dls_splitting_kind kind;
    double omega;
} dls_splitting;

/* The predicted rate of a method that is no stationary iteration, where theory gives one. The set of free rows no
 * longer changes, and under Coulomb's cone neither do the directions of sliding. */
typedef struct dls_rate_law {
    /* DLS_SPLITTING_JACOBI: P = D, with one number per contact under a cone, the mean of its three diagonals;
     * DLS_SPLITTING_SYMMETRIC: P = omega / (2 - omega) (D / omega + L) D^-1 (D / omega + U) of a forward, then a
     * backward sweep */
    dls_splitting_kind preconditioner;
    double (*omega)(const void *settings); /* NULL: 1 */
    bool bound; /* theory proves that the error shrinks at least so fast; false: an estimate */
    /* The factor of the error per iteration, from the positive eigenvalues of P^-1 A_FF, ascending; NaN if none is
     * known with these settings. */
    double (*factor)(const void *settings, size_t count, const double *eigenvalues);
    const char *theory; /* the theorem and its source, one sentence */
} dls_rate_law;

typedef struct dls_solver {
    const char *name;    /* kebab case */
    const char *summary; /* one line */
    const char *source;  /* the paper */
    dls_solver_kind kind;
    unsigned accepts; /* dls_accepts */
    dls_field_table fields;
    /* Makes work for a problem, which must stay as it is until the work is closed or reloaded. lambda0: n impulses to
     * start from, or NULL for 0 (direct methods without DLS_TAKES_START ignore it). DLS_REFUSED, with a message, for
     * conditions beyond the flags (a matrix that is too large, or not definite although the method needs it). On
     * failure *work is NULL. */
    dls_status (*open)(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                       dls_error *error);
    /* Loads another problem into the same work, with the same settings: every iterate is, to the last bit, that of
     * newly opened work. Memory is reused and grows only when needed; data that depend only on the structure (sizes,
     * sparsity, mass blocks, kinds of bounds, friction) are kept if it has not changed. After a failure the work can
     * only be closed or reloaded. NULL: work is opened again for each problem. */
    dls_status (*reload)(void *work, const dls_problem *problem, const double *lambda0, dls_error *error);
    /* One iteration. In an iterative method it allocates no memory. */
    dls_status (*iterate)(void *work, dls_report *report, dls_error *error);
    void (*read)(const void *work, double *lambda);   /* the current impulses, n entries */
    void (*close)(void *work);                        /* NULL is allowed */
    dls_splitting (*splitting)(const void *settings); /* NULL: none */
    const dls_rate_law *law; /* of a method without a splitting, or whose settings give none; NULL: none known */
    /* For schemes that move positions between iterations; both are NULL if the method cannot do this. */
    void (*refresh)(void *work, const double *c);  /* replaces c (n entries); impulses and velocity are kept */
    void (*velocity)(const void *work, double *v); /* v* + M^-1 J^T lambda of the current impulses, nv entries */
    /* The same rows at another configuration, with another J, M or c. The impulses are kept. The velocity becomes v (nv
     * entries), or is kept if v is NULL. Memory and failures as in reload; NULL: the method cannot do this. */
    dls_status (*renew)(void *work, const dls_problem *problem, const double *v, dls_error *error);
    /* Makes `iterations` iterations of several works at once, with the same results, bit by bit, as one after another.
     * done[i]: whether this was possible; if not, work i is unchanged. Only for methods without a stopping test of
     * their own. NULL: not implemented. */
    void (*iterate_together)(void *const *works, size_t count, size_t iterations, dls_report *const *reports,
                             bool *done);
} dls_solver;

/* Solvers in a shared object, for the program's --solver ./mine.so: one line after the descriptors,
 *     DLS_PLUGIN(my_solver);    or, for several,    DLS_PLUGINS(&one_solver, &other_solver);
 * compiled by  cc -shared -fPIC mine.c $(pkg-config --cflags --libs delassus) -o mine.so
 * If there are several, ./mine.so:NAME selects one. */
typedef struct dls_plugin {
    unsigned version; /* of this struct and of dls_solver */
    size_t solver_size, problem_size, report_size;
    const dls_solver *const *solvers; /* NULL at the end */
} dls_plugin;
extern const dls_plugin dls_plugin_here; /* the shared object's */
#define DLS_PLUGIN_OF(solvers)                                                    \
    {                                                                             \
        3, sizeof(dls_solver), sizeof(dls_problem), sizeof(dls_report), (solvers) \
    }
#define DLS_PLUGINS(...)                                                       \
    static const dls_solver *const dls_plugin_solvers[] = {__VA_ARGS__, NULL}; \
    const dls_plugin dls_plugin_here = DLS_PLUGIN_OF(dls_plugin_solvers)
#define DLS_PLUGIN(descriptor) DLS_PLUGINS(&(descriptor))

/* Called after each iteration, outside the time that is measured; `lambda` is the current iterate. Return false to
 * stop. */
typedef bool (*dls_observer)(void *context, const double *lambda, const dls_report *report);

/* One problem from start to end: load, run and release of a dls_solver_work, whose time is measured. `lambda` (n
 * entries) is read as the start and holds the result. */
dls_status dls_solve(const dls_solver *solver, const dls_problem *problem, const void *settings, size_t limit,
                     double *lambda, dls_report *report, dls_observer observer, void *context, dls_error *error);

/* The work of a solver, kept from one problem to the next:
 *     dls_solver_work kept = {.solver = solver, .settings = settings};
 *     for each problem: dls_solver_load(&kept, problem, lambda, &report, error), then dls_solver_run(&kept, ...)
 *     dls_solver_release(&kept);
 * The settings are read when the work is first made, and again after a release. */
typedef struct dls_solver_work {
    const dls_solver *solver;
    const void *settings;
    void *work;  /* argument of solver->iterate, read, refresh and velocity, for callers that iterate manually */
    size_t n;    /* rows of the problem in it */
    bool timed;  /* load, iterate and run measure report->seconds */
    double busy; /* time of load and of the iterations so far [s], if timed */
} dls_solver_work;

/* Loads a problem, which must stay as it is until the next load or release, and impulses to start from (n entries,
 * NULL: 0). Releases the report: zero it before its first use. Afterwards its outcome is DLS_OUTCOME_RUNNING, or
 * DLS_OUTCOME_REFUSED with the reason if the solver does not accept the problem; the status is DLS_OK in both cases. */
dls_status dls_solver_load(dls_solver_work *kept, const dls_problem *problem, const double *lambda0, dls_report *report,
                           dls_error *error);
/* Iterates at most `count` times while the outcome is DLS_OUTCOME_RUNNING, and reads the impulses (n entries). */
dls_status dls_solver_iterate(dls_solver_work *kept, size_t count, double *lambda, dls_report *report,
                              dls_error *error);
/* Iterates at most `limit` times while the outcome is DLS_OUTCOME_RUNNING; the observer may be NULL. `lambda` (n
 * entries) holds the result. An iterative method ends with DLS_OUTCOME_ITERATION_LIMIT; only the examiner decides
 * whether it has converged. A refused problem stays refused, and `lambda` is unchanged. */
dls_status dls_solver_run(dls_solver_work *kept, size_t limit, double *lambda, dls_report *report,
                          dls_observer observer, void *context, dls_error *error);
/* dls_solver_run without an observer, for up to DLS_TOGETHER works of one solver: at once if the solver can do this,
 * with the same results, bit by bit. status[i] and error[i] are those of work i. */
enum { DLS_TOGETHER = 8 };
void dls_solver_run_together(dls_solver_work *const *kept, size_t count, size_t limit, double *const *lambda,
                             dls_report *const *report, dls_status *status, dls_error *error);
/* Closes the work. It can be loaded again, like new work. */
void dls_solver_release(dls_solver_work *kept);

/* Whether a solve has no answer: it failed, or a direct method ended before it had one. An iterative method may have
 * been ended by its caller. */
bool dls_solver_unsolved(const dls_solver *solver, dls_outcome outcome);

/* NULL if the flags of the solver accept the problem, else the reason, as text. */
const char *dls_solver_refuses(const dls_solver *solver, const dls_problem *problem);

#ifdef __cplusplus
}
#endif

#endif
