/* experiments.h - iterative and direct methods on the same problems: solver names, reference solutions, convergence
 * histories, trajectories, figures, reports. */
#ifndef DELASSUS_EXPERIMENTS_H
#define DELASSUS_EXPERIMENTS_H

#include "delassus/io.h"
#include "delassus/reference.h"
#include "delassus/simulation.h"
#include "delassus/solvers.h"
#include "delassus/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- a job: the folder of results, and the callback for progress --- */

/* The formats of figures; each is also the suffix of its files. */
typedef enum dls_figure_format {
    DLS_FIGURE_SVG,
    DLS_FIGURE_PNG,
    DLS_FIGURE_PDF,  /* with its fonts */
    DLS_FIGURE_TIKZ, /* source for LaTeX's \input, which needs gnuplot-lua-tikz.sty of gnuplot */
    DLS_FIGURE_FORMATS
} dls_figure_format;
extern const char *const dls_figure_formats[]; /* "svg", ..., in the order of the enum; NULL at the end */
enum { DLS_FIGURES_DEFAULT = 1 << DLS_FIGURE_SVG | 1 << DLS_FIGURE_PNG };
/* Reads names separated by commas into a set of formats, the sum of 1 << format. DLS_BAD_INPUT for another name. */
dls_status dls_figure_formats_read(const char *names, unsigned *formats, dls_error *error);

typedef struct dls_job {
    const char *output;  /* folder of the results; created if it does not exist */
    const char *command; /* the command that reproduces them, for provenance */
    const char *data;    /* folder of published problems, or NULL */
    unsigned figures;    /* set of dls_figure_formats in which figures are written; 0: DLS_FIGURES_DEFAULT */
    void (*progress)(void *context, const char *what, double share); /* NULL: none */
    bool (*stop)(void *context); /* asked after every step of a run, which ends there if it says so; NULL: never */
    void *context;
} dls_job;
void dls_job_progress(const dls_job *job, const char *what, double share); /* fraction of the work done, 0 to 1 */
bool dls_job_stops(const dls_job *job);
/* Writes a word as a shell reads it, in single quotes where that is needed, up to 4 strlen(word) + 3 bytes; returns the
 * end, where the terminating 0 is. */
char *dls_shell_word(char *to, const char *word);
/* Writes "output/stem.suffix" into path[DLS_PATH_MAX]; a path that is too long is an error. */
dls_status dls_job_path(const dls_job *job, const char *stem, const char *suffix, char *path, dls_error *error);
/* Writes the provenance lines at the head of every table: the build, the processor, BLAS and its threads (rounding
 * depends on both), and the command that reproduces the table. */
void dls_note_provenance(dls_table *table, const char *command);
/* Creates a table in the job's folder, with these provenance lines. */
dls_status dls_job_table(const dls_job *job, const char *stem, dls_table **table, dls_error *error);
/* Finishes tables that belong together (some may be NULL): commits all of them, or none if `status` is a failure or one
 * of them has failed. Returns the first failure. */
dls_status dls_tables_end(dls_table **tables, size_t count, dls_status status, dls_error *error);
/* The folder of the data installed with the program (scenes/, plots/): the environment variable DELASSUS_DATADIR if it
 * is set; else that of the wheel which holds the library (doc/python.md); else the source folder if the library runs in
 * the tree that it was built in; else the folder of the installation. */
const char *dls_data_folder(void);
/* The folder of the peers' shared objects: the environment variable DELASSUS_PEERDIR if it is set; else, as above, in
 * the build folder or the installation. */
const char *dls_peer_folder(void);
/* The same for the engines' shared objects, with DELASSUS_ENGINEDIR. */
const char *dls_engine_folder(void);

/* --- direct and iterative solvers (host/) --- */

const dls_solver *dls_solver_at(size_t index); /* direct solvers first; NULL after the last */
const dls_solver *dls_solver_find(const char *name);
/* The solver of a run for which none is named: pgs, or nsgs where contacts, of the start or found later, have Coulomb's
 * cone or another law that pgs does not take. */
const dls_solver *dls_usual_solver(const dls_model *model);

/* A peer: a solver of another project, in a shared object that is built if its library is found (doc/peers.md). */
typedef struct dls_peer {
    const char *name, *library, *package; /* the library that it needs, and the Debian package of this library */
    bool built;
} dls_peer;
extern const char dls_all_peers[]; /* the name "all-peers", which means every peer that was built */
extern const char dls_all_own[];   /* the name "all-own", which means every solver of the tables of this project */
/* False after the last. */ bool dls_peer_at(size_t index, dls_peer *peer);

/* An engine of another project that steps whole scenes, likewise (doc/engines.md). */
typedef struct dls_engine_entry {
    const char *name, *summary, *library, *package; /* the library that it needs, and how to install it */
    bool built;
} dls_engine_entry;
/* False behind the last. */
bool dls_engine_at(size_t index, dls_engine_entry *engine);

/* A solver with its settings. */
typedef struct dls_choice {
    const dls_solver *solver;
    void *settings;
    void *separate; /* for a solver in a separate process, or from a shared object: its private data, settings included;
                       else NULL */
} dls_choice;
/* A solver with its default settings. For an unknown name, the error suggests the most similar one. "exec:COMMAND" is
 * another program, which gets the problem on its standard input and writes impulses, or its iterates one after another,
 * to its standard output;
 * its settings are seconds and input. A name with a '/' is a shared object with a dls_plugin, PATH or PATH:NAME where
 * it has several solvers. These solvers, and peers, run in a separate process, or in this process with "inside:" before
 * the name (doc/outside-solvers.md, doc/peers.md). */
dls_status dls_choice_create(const char *name, dls_choice *choice, dls_error *error);
void dls_choice_release(dls_choice *choice);
/* Adds the solvers of a list of names, separated by commas, to the array *choices, which is initially NULL with *count
 * 0. "all-own" is every solver of ours, "all-peers" every peer that was built; the command of "exec:" is the rest of
 * the list, commas included. Release the choices after a failure too. */
dls_status dls_choices_add(const char *names, dls_choice **choices, size_t *count, dls_error *error);
/* Adds every iterative solver that accepts the problem (NULL: every iterative solver). */
dls_status dls_choices_iterative(const dls_problem *problem, dls_choice **choices, size_t *count, dls_error *error);
void dls_choices_release(dls_choice *choices, size_t count);
/* Sets "KEY" in every solver that has such a field, or "SOLVER.KEY" in that solver; a key that no solver has is an
 * error. */
dls_status dls_choices_set(dls_choice *choices, size_t count, const char *key, const char *value, dls_error *error);
/* The key of these solvers that is most similar to a mistyped one; NULL if none is. */
const char *dls_choices_nearest_key(const dls_choice *choices, size_t count, const char *key);
/* Limits the wall time of each solve, `seconds` > 0: a solve that needs more ends with DLS_OUTCOME_TIME_LIMIT, and an
 * iterative solver then has its last iterate. The limit is the setting "seconds" of solvers that run in a separate
 * process; other solvers are moved to a separate process, which is killed at the limit, and get this setting. */
dls_status dls_choice_limit(dls_choice *choice, double seconds, dls_error *error);

/* The scheme of that name. A name with a '/' is a shared object with a dls_scheme_plugin, PATH or PATH:NAME if it has
 * several schemes; it runs in this process and stays loaded until its end. For an unknown name, the error suggests the
 * most similar one. */
dls_status dls_scheme_choose(const char *name, const dls_scheme **scheme, dls_error *error);
/* Adds the joint types of a shared object with a dls_joint_plugin, which stays loaded, to those that scenes may name
 * (dls_joint_type_add). */
dls_status dls_joint_types_load(const char *path, dls_error *error);

/* Writes a provenance line for each setting of each solver. */
void dls_note_choices(dls_table *table, const dls_choice *choices, size_t count);

/* --- the final outcome of a solve (solve/outcome.c) --- */

typedef struct dls_criteria {
    const dls_problem *problem;
    dls_examiner *examiner; /* of this problem */
    double tolerance;       /* scaled residual of a solution */
    size_t largest;         /* largest number of rows for which error bounds are proved: their cost grows with the cube
                               */
} dls_criteria;
enum { DLS_CERTIFY_ROWS = 2500 }; /* seconds */
#define DLS_SOLVED_TOLERANCE 1e-9 /* the tolerance unless another one is asked for */
/* Measures lambda and sets the outcome, whatever the method claims; doc/verdicts.md has the rule. A certificate that
 * covers the answer decides: `solved` if its radii are at most the tolerance times the scale of their block, never if
 * they exceed that scale. In between, and without one, the scaled residual and the data residual decide. `undecided`:
 * neither; `numerical-failure`: a claim that the scaled residual refutes. `no-solution` needs a proof that is checked
 * here. `bounds` (or NULL) gets the proved bounds of an answer's error; release them. Fails only with DLS_NO_MEMORY. */
dls_status dls_decide_outcome(const dls_criteria *criteria, const double *lambda, dls_certificate *certificate,
                              dls_bounds *bounds, dls_report *report, dls_error *error);
/* An outcome in words for somebody with ten seconds (solve/sentence.c). */
typedef struct dls_sentence {
    bool proved; /* of an answer that is right: `by` is a proved bound, and no measured residual */
    /* Right: the bound of the error of lambda, of w where lambda is not unique, or of b and mu (dls_bounds); of an
     * exact answer without such bounds its rounding to doubles; or the scaled residual. Wrong: the violation of `row`,
     * of its impulse or its w; of a contact under a cone the scaled residual. Else NaN. */
    double by;
    size_t row;                     /* with the largest violation, of an answer that is wrong; else DLS_NONE */
    char text[2 * DLS_MESSAGE_MAX]; /* "right to 2e-15: ...", "wrong by 0.3 in row 4, A.x: ...", "undecided: ..." */
} dls_sentence;
/* The sentence of what dls_decide_outcome has decided and filled; w = A lambda + b. `first`: the number of the first
 * row in the text, 0 or 1. */
dls_sentence dls_sentence_of(const dls_criteria *criteria, const double *lambda, const double *w,
                             const dls_certificate *certificate, const dls_bounds *bounds, const dls_report *report,
                             size_t first);
/* Whether an iterate needs no further sweep: both of its residuals are small enough for `solved`. Where the data
 * residual is infinite, b.lambda being 0, only a proof can tell, and no sweep changes that. */
bool dls_is_converged(const dls_certificate *certificate, double tolerance);
/* Whether two such outcomes contradict each other: one proves a solution, exactly or by its certificate, and the other
 * that there is none. An answer whose residual alone is small solves the problem to the tolerance, and no more. */
bool dls_contradict(const dls_report *one, const dls_report *other);

/* The fate of a problem that a solver got: X(NAME, text as in tables). Unproved is a claim that the examiner neither
 * refutes nor confirms: small residuals of impulses so large that they prove nothing. */
#define DLS_VERDICT_LIST(X)     \
    X(RIGHT, "right")           \
    X(UNFINISHED, "unfinished") \
    X(UNPROVED, "unproved")     \
    X(FAILED, "failed")         \
    X(WRONG, "silently-wrong")  \
    X(REFUSED, "refused")
typedef enum dls_verdict {
#define DLS_VERDICT_ENUM(name, text) DLS_VERDICT_##name,
    DLS_VERDICT_LIST(DLS_VERDICT_ENUM)
#undef DLS_VERDICT_ENUM
        DLS_VERDICTS /* how many there are */
} dls_verdict;
extern const char *const dls_verdicts[]; /* NULL at the end */
/* The verdict on what a method claimed, given the outcome that dls_decide_outcome has for its answer, and the scaled
 * residual. A method that claims nothing is right where its answer is; else a direct one has failed, and has reported
 * it. */
dls_verdict dls_verdict_of(dls_solver_kind kind, dls_outcome claim, dls_outcome judged, double residual,
                           double tolerance);

/* --- a solve that the examiner ends (solve/solve_until.c) --- */

typedef struct dls_stop {
    dls_examiner *examiner; /* of the problem that is solved; NULL: no iterate is good enough */
    double tolerance;       /* scaled residual */
    size_t limit;           /* of iterations */
    bool timed;             /* a solve of less than 20 ms is made up to nine times more, only to be timed */
    dls_observer observer;  /* called after each iteration, or NULL; */
    void *context;          /* with this */
    size_t iterates;        /* result, of an iterative solver: how many there are up to the answer, itself included */
} dls_stop;
/* dls_solve, for an iterative solver up to an iterate that is good enough (dls_is_converged) while the one before it is
 * not. Iterates are examined at intervals that grow with their number, and the last one; where one is good enough,
 * bisection among those since the examination before finds the answer. Which iterate that is depends on the iterates
 * alone. report->seconds is the time of the solver up to it, without the examinations; with `timed` the least one,
 * except for solvers that are called once (DLS_CALL_ONCE). The observer is also called for iterates behind the answer.
 */
dls_status dls_solve_until(const dls_choice *choice, const dls_problem *problem, dls_stop *stop, double *lambda,
                           dls_report *report, dls_error *error);

/* --- the reference solution (solve/reference_solution.c) --- */

typedef struct dls_reference_solution {
    const dls_solver *solver; /* the method that found it; NULL if no direct method found one */
    double *lambda;           /* n */
    dls_certificate certificate;
    bool proved;  /* by its certificate, or since it is exact: there is a solution, and this is near it */
    size_t tried; /* number of methods tried, this one included */
} dls_reference_solution;
/* Tries direct methods in turn until the examiner measures a scaled residual of at most `good_enough`; if none reaches
 * it, takes the best answer whose outcome is `solved` (dls_decide_outcome). `methods`: names separated by commas; NULL:
 * all methods that accept the problem, fast ones first. If a method proves that there is no solution:
 * DLS_UNSOLVABLE; if no method has an answer, or if an answer and a proof contradict each other: DLS_REFUSED with the
 * reasons. */
dls_status dls_reference_solution_create(const dls_problem *problem, dls_examiner *examiner, const char *methods,
                                         double good_enough, dls_reference_solution **reference, dls_error *error);
void dls_reference_solution_destroy(dls_reference_solution *reference);

/* --- the strongest statement about a problem (solve/best_statement.c) --- */

typedef struct dls_best_statement {
    dls_statement *statement;          /* NULL after a failure */
    dls_reference_solution *reference; /* what it is about, on its bounds and cones; NULL: all solutions, or none */
} dls_best_statement;
/* A statement about all solutions of a problem of up to 32 rows with fixed bounds, if the search for them ends; else
 * about the best answer of the direct methods, or that there is no solution. The problem must outlive it. DLS_REFUSED
 * if no method has an answer. `methods`: as dls_reference_solution_create has them. Release it in any case. */
dls_status dls_best_statement_find(const dls_problem *problem, const char *methods,
                                   const dls_statement_settings *settings, dls_best_statement *best, dls_error *error);
void dls_best_statement_release(dls_best_statement *best);

/* --- convergence histories (solve/compare.c) --- */

/* Whether a fitted rate is within its regime. */
typedef enum dls_fit_word {
    DLS_FIT_LINE,     /* the two halves of the fitted iterates have one slope, within a fifth */
    DLS_FIT_BENT,     /* they have not */
    DLS_FIT_SETTLING, /* rows came to a bound or left one in the last quarter of the run */
    DLS_FIT_SHORT     /* too few iterates */
} dls_fit_word;
extern const char *const dls_fit_words[]; /* "line", "bent", "settling", "short"; NULL at the end */

/* The results of a comparison for one solver. */
typedef struct dls_comparison {
    const dls_solver *solver;
    dls_outcome outcome;
    char message[DLS_MESSAGE_MAX]; /* from its report: why it refused the problem or failed */
    size_t iterations;
    double seconds;           /* of the solver alone, for these iterations */
    double row_visits;        /* of these iterations (solver.h); NaN: not counted */
    size_t count;             /* number of iterates, the start included */
    dls_certificate *figures; /* count: certificate of every iterate, by the examiner */
    double *distance;         /* count: distance to the reference, sqrt(dv^T M dv) */
    double *visits;           /* count: row visits up to this iterate */
    double spectral_radius;   /* of the iteration matrix on the free set; NaN if none is predicted */
    double predicted_rate;    /* the same for the modes that this run contains, or by the law of the method */
    dls_rate_word word;       /* how much the prediction says */
    double rate_within;       /* proved bound of the error of predicted_rate; NaN: it is not the spectral radius,
                                        or there are too many rows */
    const char *no_rate;      /* why none is predicted; NULL: one is */
    double fitted_rate;       /* NaN if there were too few points */
    dls_fit_word fit;
    size_t fit_first, fit_end;       /* fitted to distance[fit_first .. fit_end - 1] */
    char last_row[6 * DLS_NAME_MAX]; /* the last row that came to a bound or left one, as "JOINT.LABEL"; "": none */
    size_t bounds_settled;           /* the last iteration at which a row came to a bound or left one */
    size_t iterations_to_1e6; /* first iteration with a distance below 1e-6 of the first one's; SIZE_MAX: never */
} dls_comparison;
typedef struct dls_comparisons {
    size_t rows;
    const dls_solver *reference; /* the distances are to the answer of this solver */
    double reference_residual;   /* its scaled residual, by the examiner */
    double reference_bound;      /* proved bound of its error, sqrt(dv^T M dv); NaN: nothing is proved */
    size_t count;
    dls_comparison *of; /* count */
} dls_comparisons;

/* Runs each solver from lambda = 0 for at most `iterations`, and measures every iterate. A run ends early when its
 * distance to the reference is at most `enough` times the initial one (0: never). After a failure there is nothing to
 * release. DLS_REFUSED if no direct method finds a reference. */
dls_status dls_compare(const dls_problem *problem, const dls_choice *choices, size_t count, size_t iterations,
                       double enough, dls_comparisons *found, dls_error *error);
/* The same, and calls `told` where it is not NULL: once the reference is known, with found->count 0, then after each
 * solver, which is the last in found->of. */
typedef void (*dls_compare_told)(void *context, const dls_comparisons *found);
dls_status dls_compare_each(const dls_problem *problem, const dls_choice *choices, size_t count, size_t iterations,
                            double enough, dls_compare_told told, void *context, dls_comparisons *found,
                            dls_error *error);
void dls_comparisons_release(dls_comparisons *found);
/* Writes the lines of a problem called `name`: about `samples` per solver (0: every iterate) into `history`, and one
 * per solver into `summary`; either table may be NULL. The columns are dls_history_columns and dls_summary_columns. */
extern const char dls_history_columns[], dls_summary_columns[];
void dls_comparisons_write(const dls_comparisons *found, const char *name, size_t samples, dls_table *history,
                           dls_table *summary);
/* The figure STEM of problem `name` from the job's table of histories with that stem. `solvers`: names separated by
 * blanks. dls_comparison_names makes such a list, which the caller frees, of the first `most` solvers that did not
 * refuse the problem; NULL if memory is exhausted. */
dls_status dls_comparison_plot(const dls_job *job, const char *table, const char *stem, const char *name,
                               const char *title, const char *solvers, dls_error *error);
/* Writes the tables STEM.history.tsv and STEM.summary.tsv, and if `figure` is true the figure STEM of the solvers that
 * did not refuse the problem. `choices` are the compared solvers, for the heads of the tables. */
dls_status dls_comparisons_save(const dls_job *job, const char *stem, const dls_choice *choices, size_t count,
                                const dls_comparisons *found, bool figure, dls_error *error);
/* iterations_to_1e6; NaN: never. */
double dls_comparison_reached(const dls_comparison *of);
char *dls_comparison_names(const dls_comparisons *found, size_t most);
/* The factor per iteration by which distance[first .. end - 1] decreases, by a least-squares line through the
 * logarithms; NaN with fewer than 8 points. */
dls_status dls_fit_rate(const double *distance, size_t first, size_t end, double *rate, dls_error *error);

/* --- trajectories (run/trajectory.c) --- */

/* The steps with impulses that the examiner measures. */
typedef enum dls_examine_steps {
    DLS_EXAMINE_SAMPLES, /* the steps with a line in the table of energies, and the last step */
    DLS_EXAMINE_EVERY,
    DLS_EXAMINE_NEVER
} dls_examine_steps;
extern const char *const dls_examine_names[]; /* in the order of the enum; NULL at the end */

typedef struct dls_film dls_film; /* frames of a run, for pictures: below */

typedef struct dls_run {
    const dls_model *model;
    const dls_scene *scene; /* the scene of the model, for its changes during the run; NULL: no changes */
    const char *stem;       /* of the file names */
    dls_choice choice;
    const dls_scheme *scheme;
    const void *scheme_settings;
    size_t iterations; /* per step; 0: the scene's number */
    dls_warm warm;
    double step, duration;
    size_t samples; /* largest number of lines per body, and in the table of energies; 0: every step */
    dls_examine_steps examine;
    bool certify;        /* prove error bounds of the answers of examined steps */
    bool ledger;         /* keep an energy ledger, and write its tables */
    double energy_limit; /* end after the first step beyond this dls_run_gain.share; 0: none, and no account of gains
                            unless there is a ledger */
    bool go_on;          /* go on after steps that the solver did not solve, with the impulses that it left */
    bool watch;          /* measure `chatter`, `saturated` and `pressing` of the result */
    bool silent;         /* no tables and figures, only the result */
    bool forces, rows;   /* write the tables of forces of joints, contacts and sensors, and of impulses of rows */
    bool hdf5;           /* write the tables as groups of STEM.h5 instead of text files */
    dls_film *film;      /* gets a frame of each state in the table of bodies; NULL: none */
} dls_run;
/* The columns of the ledger's parts, a tab before each. */
#define DLS_LEDGER_COLUMN(name, text, help) "\t" text "[J]"
#define DLS_LEDGER_COLUMNS DLS_LEDGER_PARTS_LIST(DLS_LEDGER_COLUMN)

/* How a run ended: at its end, or earlier, and then the tables end with the state before the step that was not made. */
typedef enum dls_run_end {
    DLS_RUN_FINISHED,
    DLS_RUN_DIVERGED,   /* a state is not finite */
    DLS_RUN_UNSOLVED,   /* the solver has no impulses for the step */
    DLS_RUN_GAINED,     /* the run gained energy beyond dls_run.energy_limit */
    DLS_RUN_INTERRUPTED /* the job's `stop` said so */
} dls_run_end;
extern const char *const dls_run_end_names[]; /* in the order of the enum; NULL at the end */

typedef struct dls_unsolved_step {
    size_t step; /* from 1 */
    double time; /* at its start [s] */
    char solver[DLS_NAME_MAX];
    dls_outcome outcome;
    char reason[DLS_MESSAGE_MAX]; /* the solver's own message, or the examiner's that refutes it */
} dls_unsolved_step;

/* Energy that a run has gained and that nothing has given it. What gives energy: forces on bodies, joints and links,
 * motors, drives, kinematic bodies, and springs as much as they had stored; restitution takes energy. The total of all
 * other columns of the ledger, summed from the start of the run, is constant or falls in a mechanism; `gain` is the
 * most it has risen above its least value before. The work of springs is apart: what they have given beyond `stored`.
 *
 * `share` is `gain` over the largest energy of the run without the gain, T + |V|, with the potential energy V of the
 * tables, and what springs had stored; at least the energy of rest, sleep_energy for each kg that can move. */
typedef struct dls_run_gain {
    double gain, share; /* [J], [1] */
    double since, time; /* of the least value before, and of the largest gain [s] */
    const char *column; /* of the ledger, that has risen most in this time; NULL: no gain */
    double column_gain; /* by so much [J] */
} dls_run_gain;
/* A gain with a larger share is said in the summary of a run: of an integrator and feedback of position errors at
 * steps that resolve the motion it is less. */
extern const double dls_run_gain_told;

/* Energy that impacts have created (dls_ledger.impact_gain), in all steps of a run. */
typedef struct dls_run_impacts {
    double gain, share; /* [J], and relative to the largest energy as in dls_run_gain */
    size_t steps;       /* steps with such an impact */
    double time;        /* end of the first of them [s] */
} dls_run_impacts;
/* A larger share is said in the summary of a run: less may be the error of an iterative solver. */
extern const double dls_run_impacts_told;

/* Whether the iterations of a run damp its warm starts: they do if (1 + feedback) rate^iterations < 1
 * (experiments/run/warm_law.c). All zero where this does not apply, all but `largest` where it was not measured. */
typedef struct dls_run_warm {
    double feedback;   /* the largest share of a position error that the velocities of a step correct */
    double rate;       /* spectral radius of an iteration: the factor of the slowest error */
    size_t iterations; /* per step */
    size_t needed;     /* least number of iterations that damps them */
    size_t largest;    /* rows between their bounds, where they are too many to measure this; else 0 */
} dls_run_warm;
static inline bool dls_run_warm_grows(const dls_run_warm *warm) { return warm->iterations < warm->needed; }

/* Steps of one part in which its force was at a bound, or changed at the rate of the steps. All zero where a run was
 * not watched, or had none. */
typedef struct dls_run_unresolved {
    double share, count; /* of the steps, and their number */
    char name[2 * DLS_NAME_MAX], other[2 * DLS_NAME_MAX];
} dls_run_unresolved;

enum { DLS_RUN_BROKEN = 10, DLS_RUN_UNRESOLVED = 8 };
typedef struct dls_run_result {
    size_t steps, steps_unsolved; /* unsolved: the solver failed (dls_solver_unsolved), or was refuted */
    size_t iterations;            /* of the solver, in all steps, */
    double row_visits;            /* and their work; 0: not counted */
    size_t examined; /* examined steps: the answer was `confirmed`, a claim was `refuted`, or neither (an iterate that
                        has not converged, or a method without a claim) */
    size_t confirmed, refuted;
    size_t not_converged;               /* of those that are neither: above DLS_SOLVED_TOLERANCE */
    size_t certified;                   /* steps with a proved error bound */
    double worst_bound;                 /* the largest of these bounds: sqrt(dv^T M dv) to the solution [sqrt(J)] */
    size_t certified_independent;       /* steps with DLS_BOUNDS_INDEPENDENT, whose bound is no bound to a solution */
    double worst_independent;           /* the largest of these: to the solution for the independent rows [sqrt(J)] */
    double worst_residual;              /* largest scaled residual of the examined steps; NaN: one is NaN */
    double worst_inconsistent;          /* largest `inconsistent` of redundant rows in these steps [m/s, rad/s] */
    double worst_linear, worst_angular; /* largest joint errors of all states [m], [rad] */
    double energy_start, energy_end;    /* kinetic and potential [J] */
    double elastic_start, elastic_end;  /* of the springs of joints (dls_simulation_elastic_energy) [J] */
    dls_run_gain gain;                  /* the largest; 0 where no account is kept */
    dls_run_impacts impacts;            /* 0 where no ledger is kept */
    double worst_mismatch;              /* largest mismatch of the ledger over all steps */
    bool joints, events;                /* whether there are tables of joint coordinates and of events */
    size_t changes;                     /* changes of the scene during the run */
    double energy_changes;              /* kinetic and potential energy added by them [J] */
    size_t slept, woke;                 /* how often a body or an articulation fell asleep, and woke */
    size_t n_broken;                    /* number of joints that broke */
    struct {
        char name[DLS_NAME_MAX];
        double time;          /* [s] */
    } broken[DLS_RUN_BROKEN]; /* the first of them */
    dls_run_end end;
    char reason[DLS_MESSAGE_MAX]; /* if it diverged: the body, joint or row that is not finite, and the time */
    dls_run_warm warm;            /* of its first and last step, the one with the larger rate */
    dls_unsolved_step unsolved;   /* if steps_unsolved > 0: the one that ended the run, else the first */
    /* The worst first, those without a name are none: pairs of bodies whose contacts come and go between steps (changes
     * over the steps since they first touched, at least 10 changes); drives at the limit of their force; drives that
     * push against a limit of their coordinate, `other`. */
    dls_run_unresolved chatter[DLS_RUN_UNRESOLVED], saturated[DLS_RUN_UNRESOLVED], pressing[DLS_RUN_UNRESOLVED];
} dls_run_result;
/* Tables STEM.trajectory.tsv (bodies and links that can move) and STEM.energy.tsv (a line about a sampled step has the
 * state before it; the last line has the state after the last step, and no solve), where there are joint coordinates
 * STEM.joints.tsv (those of articulations, without bases and joints that turn about a point, and of hinges and sliders
 * that others are coupled to), and the figure STEM.energy. With tracks STEM.tracks.tsv too, where joints may
 * break, or the world sleeps, STEM.events.tsv (a line for each event of every step), with a ledger
 * STEM.ledger.tsv and STEM.ledger-joints.tsv. A scene's change is carried out before the first step that begins at its
 * time or later; the state before it stands in the tables, and after it that of the parts that it added;
 * STEM.changes.tsv has each part that came or went. A run that ends early is a result, and DLS_OK. */
dls_status dls_run_trajectory(const dls_job *job, const dls_run *run, dls_run_result *result, dls_error *error);
/* The end of a run as an error, which says where it ended and why; DLS_OK if it finished. */
dls_status dls_run_check_end(const dls_run_result *result, dls_error *error);
/* --- copies (run/run_copies.c): a batch of one scene --- */

/* --- the motion itself: a reference trajectory across its events (run/motion.c) --- */

typedef struct dls_reference_motion {
    const dls_model *model;
    const char *stem;    /* of the tables */
    double duration;     /* [s] */
    size_t samples;      /* times at which states are given, beside the start; at least 1 */
    const double *times; /* these times from the start of the model's initial state on, ascending [s]; NULL: evenly */
    double tolerance;    /* of the integrator: dls_trajectory_settings */
    bool project;        /* project_start */
} dls_reference_motion;

typedef struct dls_reference_motion_result {
    dls_trajectory_report report;
    size_t events;
    bool joints;                     /* whether there are coordinates */
    double reached;                  /* the last time that was given [s] */
    double energy_start, energy_end; /* kinetic and potential [J] */
    double position, velocity; /* largest distance from the same motion with a hundred times the tolerance, over all
                                  ends and times: [m] and [rad], [m/s] and [rad/s] */
    dls_error end;             /* why the motion ended before its time; status DLS_OK: it did not */
} dls_reference_motion_result;

/* The motion at one of the times. */
typedef struct dls_reference_sample {
    const dls_state *state; /* NULL: the motion has ended before its time, and there are events alone */
    const dls_configuration *at;
    const dls_trajectory *exact;
    double kinetic, potential;
    double position, velocity; /* the distances at this time */
} dls_reference_sample;
/* Follows the motion: `visit` gets the start and each of the times, and ends the motion where it returns false. */
dls_status dls_reference_motion_follow(const dls_reference_motion *motion,
                                       bool (*visit)(void *context, const dls_reference_sample *sample), void *context,
                                       dls_reference_motion_result *result, dls_error *error);
/* Writes the tables STEM.motion.tsv (bodies and links), STEM.motion-joints.tsv (coordinates, where there are any),
 * STEM.motion-rows.tsv (forces), STEM.motion-events.tsv and STEM.motion-energy.tsv (energies, and the distance from the
 * same motion with another tolerance). That distance is an estimate of the error and no bound. A motion that ends early
 * is a result: its tables end there. */
dls_status dls_reference_motion_write(const dls_job *job, const dls_reference_motion *motion,
                                      dls_reference_motion_result *result, dls_error *error);

typedef struct dls_copies {
    size_t count;
    double spread;       /* largest random offset of the initial coordinates of all copies except the first [rad, m] */
    size_t seed;         /* of these random offsets */
    size_t threads;      /* 0: as many as OpenMP gives */
    const char *written; /* copies whose states are in the tables: "0,3,10-12", or "all" */
} dls_copies;
typedef struct dls_copies_result {
    size_t steps, threads;
    size_t bytes;          /* memory of the largest copy */
    double seconds;        /* wall time of all steps of all copies */
    size_t failed;         /* copies that diverged, or whose solver did not solve a step; they end before that step */
    size_t steps_unsolved; /* steps of copies that went on without an answer (dls_run.go_on) */
    bool interrupted;      /* the job's `stop` said so: all copies end after the same step */
    bool joints;           /* there is a table of joint coordinates */
    char reason[DLS_MESSAGE_MAX]; /* of the first copy that failed */
} dls_copies_result;
/* Tables STEM.copies.tsv and, where there are joint coordinates, STEM.copies-joints.tsv: those of dls_run_trajectory
 * with the number of the copy in each line, the copies of a time in ascending order. The states are to the bit those
 * that a run has from the same initial state, and the bytes the same at any number of threads. The spread of a copy is
 * a draw for each degree of freedom of a joint of an articulation, and for each coordinate of the position of a body or
 * a floating base that moves; it does not depend on the number of copies. DLS_REFUSED, with the reason, for what no
 * batch can do: a scene that sleeps or changes, a ledger, and solvers that run outside the program. */
dls_status dls_run_copies(const dls_job *job, const dls_run *run, const dls_copies *copies, dls_copies_result *result,
                          dls_error *error);
/* The largest violation of the joints in a state: |C| of equality rows, -C of unilateral rows; [m] and [rad]. */
void dls_joint_errors(const dls_configuration *at, double *linear, double *angular);
void dls_joint_error(const dls_configuration *at, const dls_joint *joint, double *linear, double *angular); /* of one */

/* --- pictures of mechanisms (picture/, doc/view.md) --- */

/* A film without frames. `name` is its title, `note` describes the run. */
dls_status dls_film_create(const char *name, const char *note, dls_film **film, dls_error *error);
void dls_film_destroy(dls_film *film); /* NULL is allowed */
/* Adds a frame: the state of the simulation, joint errors and, if `stepped` is true, the contact forces of the last
 * step. Times must not decrease; a frame replaces an earlier frame of the same time. If the model has changed, bodies
 * and joints with the same names are continued. Ignored once a body is farther than 1e30 m away. `examiner` holds the
 * problem of the last step; NULL: the film loads it into its own. */
dls_status dls_film_take(dls_film *film, dls_simulation *simulation, bool stepped, dls_examiner *examiner,
                         dls_error *error);
size_t dls_film_frames(const dls_film *film);
/* The problems of its frames, each once: visuals of links that are wrong, meshes that cannot be found or read. None
 * of them is an error of the film, which shows these links as if they did not have the visual. NULL behind the last. */
const dls_error *dls_film_problem(const dls_film *film, size_t k);
void dls_film_keep_last(dls_film *film); /* drops all frames but the last */

/* A kind of file that films are written to, known by how its name ends. */
typedef struct dls_picture_kind {
    const char *suffix; /* with its dot */
    bool animated;      /* false: it shows the last frame */
    size_t films;       /* the largest number of films side by side */
    const char *help;
    dls_status (*write)(const dls_film *const *films, size_t count, const char *path, dls_error *error);
} dls_picture_kind;
extern const dls_picture_kind dls_picture_kinds[]; /* suffix NULL at the end */
/* The kind of a file, by its name. For an unknown kind DLS_BAD_INPUT, with a list of all kinds. */
dls_status dls_picture_kind_of(const char *path, const dls_picture_kind **kind, dls_error *error);
/* Writes films side by side; the file is complete or not written. DLS_REFUSED if the kind cannot show that many films,
 * or a film has no frame. */
dls_status dls_picture_write(dls_film *const *films, size_t count, const char *path, dls_error *error);
/* Draw the last state of a run (run->film must be set; no tables are written), and a scene in its initial state. */
dls_status dls_picture_run(dls_run *run, const char *path, dls_error *error);
dls_status dls_picture_scene(const dls_scene *scene, const char *path, dls_error *error);

/* --- sweeps (sweep/): many runs of one scene, one for each combination of the values of some keys --- */

/* A key and its values, as text. Keys: those of a scene (dls_scene_set); solver, scheme, scheme.KEY, warm.KEY; of the
 * run iterations, dt, time, examine, seed, offset (dls_sweep_fields); else of the solver; "SOLVER.KEY" is a setting of
 * that solver only; cells with other solvers ignore it. */
typedef struct dls_sweep_axis {
    char key[DLS_NAME_MAX];
    char **values;
    size_t count;
} dls_sweep_axis;
/* Reads "KEY=VALUES": values separated by commas. A value is a text or a range FIRST:LAST:COUNT or FIRST:LAST:COUNT:log
 * of numbers, which may have a unit. Release the axis after a failure too. */
dls_status dls_sweep_axis_create(const char *text, dls_sweep_axis *axis, dls_error *error);
void dls_sweep_axis_release(dls_sweep_axis *axis);
extern const dls_field_table dls_sweep_fields; /* of the run itself */

typedef struct dls_sweep {
    const char *scene; /* its file */
    const char *stem;  /* of the table */
    const dls_sweep_axis *axes;
    size_t n_axes;
    const dls_sweep_axis *fixed; /* one value each, set before the axes */
    size_t n_fixed;
    size_t jobs;          /* processes, at least 1 */
    size_t shard, shards; /* only cells shard, shard + shards, shard + 2 shards, ..., where shard is 1 to shards */
    bool seconds;         /* add a column of run times; the table is then not reproducible */
} dls_sweep;
typedef enum dls_sweep_outcome {
    DLS_SWEEP_FINISHED,
    DLS_SWEEP_UNSOLVED, /* the solver did not solve a step */
    DLS_SWEEP_DIVERGED,
    DLS_SWEEP_REFUSED,
    DLS_SWEEP_CRASHED,
    DLS_SWEEP_OUTCOMES
} dls_sweep_outcome;
extern const char *const dls_sweep_outcomes[]; /* "finished", ...; NULL at the end */
typedef struct dls_sweep_result {
    size_t cells, kept; /* cells of this shard; cells kept from an interrupted sweep */
    size_t damaged;     /* lines of its journal that are not as it wrote them: their cells are run again */
    size_t outcomes[DLS_SWEEP_OUTCOMES]; /* number of cells with each outcome */
    char table[DLS_PATH_MAX];
} dls_sweep_result;
/* Writes the table STEM.sweep.tsv, or STEM.sweep.K-of-N.tsv for a shard, with a line for each cell, in the same order
 * for any number of processes. A run that diverges, a setting that is refused and a process that crashes are outcomes
 * of their cells. Finished cells are kept in a journal next to the table; an interrupted sweep continues from it. */
dls_status dls_sweep_run(const dls_job *job, const dls_sweep *sweep, dls_sweep_result *result, dls_error *error);
/* Joins the tables of all shards, given in any order, into the table STEM.sweep.tsv. DLS_BAD_INPUT if they belong to
 * different sweeps, or if a shard is missing or given twice. */
dls_status dls_sweep_merge(const dls_job *job, const char *const *files, size_t count, dls_sweep_result *result,
                           dls_error *error);

/* --- profiles (profile/; doc/profiles.md) --- */

/* Solvers on many problems, without a common presolve and without another's start. */
typedef struct dls_profile {
    const char *const *words; /* files of problems or scenes, and names of the collection: SET, SET/K, small */
    size_t n_words;
    dls_choice *choices; /* they get the time limit */
    size_t n_choices;
    const double *tolerances; /* scaled residual, or certified, the largest first */
    size_t n_tolerances;
    double seconds; /* for each answer */
    size_t iterations;
} dls_profile;
/* Solves what the job's folder has no answers to, examines all of its answers, and writes the tables profile.answers,
 * profile.scores and profile.curves and the figure `profile`. */
dls_status dls_profile_run(const dls_job *job, const dls_profile *profile, dls_error *error);
/* Examines all answers of such a folder again, whoever wrote them, and writes the same tables and index.html. */
dls_status dls_leaderboard(const dls_job *job, const double *tolerances, size_t count, dls_error *error);

enum { DLS_SUBMISSION_TOLERANCES = 16 };
/* The verdict on one answer of an answer file. */
typedef struct dls_submitted {
    double tolerance;
    dls_outcome claim, outcome;
    dls_verdict verdict;
    double residual, seconds; /* scaled residual, NaN without impulses */
} dls_submitted;
typedef struct dls_submission {
    char problem[DLS_PROBLEM_NAME], solver[DLS_NAME_MAX], version[DLS_NAME_MAX];
    size_t rows, count;
    dls_submitted of[DLS_SUBMISSION_TOLERANCES]; /* count: one for each tolerance for which the file has an answer */
} dls_submission;
/* Reads one answer file (doc/profiles.md) and examines its answers. `problem`: a file or a name of the collection;
 * NULL: the problem of the collection that the file names, or ../../problems/NAME.problem beside it. DLS_BAD_INPUT if
 * the file is not of the form, or answers another problem. */
dls_status dls_submission_check(const char *file, const char *problem, const double *tolerances, size_t count,
                                dls_submission *of, dls_error *error);

/* --- figures (picture/plot.c, picture/plot_table.c) --- */

/* Runs plots/SCRIPT.gp on a table and writes the figure STEM in the formats of the job, and STEM.caption.txt, into the
 * job's folder. `variables` are pairs of a gnuplot variable's name and its value, a string; NULL at the end.
 * DLS_UNAVAILABLE without gnuplot, or if it was built without the terminal for a format. */
dls_status dls_plot(const dls_job *job, const char *script, const char *table, const char *stem, const char *caption,
                    const char *const *variables, dls_error *error);
/* A figure of some columns of a table over another one. The table is text: lines of #, a line of names `name[unit]`,
 * then rows, of cells between tabs, commas or semicolons. Columns are named as there, and the unit may be left out
 * where no other column has the name. */
enum { DLS_TABLE_CURVES = 8 };                                    /* that can be told apart */
extern const char *const dls_log_axes[];                          /* "x", "y", "xy"; NULL at the end */
dls_status dls_log_axes_check(const char *log, dls_error *error); /* DLS_BAD_INPUT; NULL is right */
typedef struct dls_table_figure {
    const char *table; /* its file */
    const char *x, *y; /* a column; columns, separated by commas */
    const char *by;    /* a column, each value of which has a curve; NULL: none */
    const char *where; /* COLUMN=VALUE: only these rows; NULL: all */
    const char *log;   /* logarithmic axes, of dls_log_axes; NULL: none */
    const char *stem;  /* of the figure */
} dls_table_figure;
typedef struct dls_table_figure_result {
    size_t rows, curves, points;
    char left_out[1024]; /* the rows that are not drawn, and why; "": all are */
} dls_table_figure_result;
/* Writes the figure STEM in the formats of the job, and STEM.caption.txt. Lines join points in the order of the rows,
 * unless a curve has several of them at one x. DLS_BAD_INPUT, with the columns that there are, for one that is not;
 * for a column without a finite number; for more than DLS_TABLE_CURVES curves. Otherwise as dls_plot. */
dls_status dls_plot_columns(const dls_job *job, const dls_table_figure *figure, dls_table_figure_result *result,
                            dls_error *error);
/* Writes the table STEM.tsv of the job's folder as STEM.tex: the environment tabular, with the rules of booktabs and
 * six digits of each number. */
dls_status dls_table_tex(const dls_job *job, const char *stem, dls_error *error);

/* --- experiments --- */

typedef struct dls_study dls_study; /* a run of an experiment (experiments/study/study.h) */

/* A table that an experiment measures. */
typedef struct dls_experiment_table {
    const char *stem, *columns; /* columns NULL: the experiment's `note` writes them, after its notes */
} dls_experiment_table;
/* A part of the work. */
typedef struct dls_experiment_part {
    const char *name;
    dls_status (*run)(dls_study *study, dls_error *error);
} dls_experiment_part;

/* The strongest finding of an experiment: one sentence with its numbers, and the figure that shows it. */
typedef struct dls_finding {
    char figure[DLS_NAME_MAX]; /* its stem; "": no finding */
    char sentence[512];
} dls_finding;
typedef struct dls_experiment {
    const char *name, *summary;
    /* For the report: a heading, the question, what varies, what is measured, what is shown, and the names of scenes
     * with blanks between them that it draws as NAME.mechanism.SCENE.svg; NULL: none. */
    const char *title, *question, *varies, *measures, *shows, *mechanisms;
    dls_status (*mechanism)(const char *name, dls_scene **scene, dls_error *error); /* makes them; NULL: from scenes/ */
    dls_field_table fields;
    const char *small; /* KEY=VALUE, separated by blanks: settings for a trial run of one or two seconds */
    const dls_experiment_table *tables; /* stem NULL at the end */
    const dls_experiment_part *parts;   /* fill the tables, one after another; name NULL at the end */
    size_t findings;                    /* bytes of the data that the parts keep for captions */
    /* Checks of the settings beyond those of the fields, before any table is made. NULL: none. */
    dls_status (*prepare)(dls_study *study, dls_error *error);
    void (*release)(void *findings);                        /* frees memory that these data own; NULL: none */
    const char *remark[2];                                  /* a line of provenance, its key first; NULL: none */
    void (*note)(const dls_study *study, dls_table *table); /* provenance in addition to the settings; NULL: none */
    dls_status (*figures)(dls_study *study, dls_error *error);
    void (*conclude)(const dls_study *study, dls_finding *finding); /* NAME.finding.txt for the report; NULL: none */
} dls_experiment;
extern const dls_experiment *const dls_experiments[]; /* NULL at the end */
const dls_experiment *dls_experiment_find(const char *name);
/* Runs the experiment: writes all of its tables, or none, and its figures. `settings` as `fields` describes them. */
dls_status dls_experiment_run(const dls_experiment *experiment, const dls_job *job, const void *settings,
                              dls_error *error);

/* Reads the finding that an experiment left in the job's folder; false if it has none. */
bool dls_finding_read(const dls_job *job, const char *experiment, dls_finding *finding);

typedef struct dls_report_plan {
    bool small; /* every experiment with its small settings, and ten steps of each scene */
    const char
        *only;   /* experiments and scenes, separated by commas; "experiments", "scenes": all of these; NULL: both */
    size_t jobs; /* number of processes, at least 1 */
    bool pdf;    /* also write figures as PDF, report.tex, and report.pdf, by LaTeX or a browser */
} dls_report_plan;
/* Runs the experiments with their defaults and the scenes, and writes index.html with their tables and figures. If a
 * part fails, the others still run; the first failure is the status. The page is written again after each part, so that
 * an interrupted report shows the parts that are finished. */
dls_status dls_report_all(const dls_job *job, const dls_report_plan *plan, dls_error *error);

#ifdef __cplusplus
}
#endif

#endif
