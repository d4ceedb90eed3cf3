/* experiments.h - both paths on the same problem: solver names, reference solutions, histories, trajectories, figures,
 * reports. */
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

/* --- a job: where results go, and who is told of progress --- */

typedef struct dls_job {
    const char *output;  /* folder of the results; made where it is not there */
    const char *command; /* the command that makes them again, for provenance */
    const char *data;    /* folder of published problems, or NULL */
    void (*progress)(void *context, const char *what, double share); /* NULL: nobody is told */
    void *context;
} dls_job;
void dls_job_progress(const dls_job *job, const char *what, double share); /* share of the work done, 0 to 1 */
/* "output/stem.suffix" into path[DLS_PATH_MAX]; too long is an error. */
dls_status dls_job_path(const dls_job *job, const char *stem, const char *suffix, char *path, dls_error *error);
/* The lines that all our tables begin with: the build, the processor, BLAS and its threads (rounding depends on both),
 * the command that makes the table again. */
void dls_note_provenance(dls_table *table, const char *command);
/* A table in the job's folder with the provenance lines all our tables begin with. */
dls_status dls_job_table(const dls_job *job, const char *stem, dls_table **table, dls_error *error);
/* The end of tables that belong together, NULL among them allowed: all are committed, or, where `status` or one of them
 * has failed, none. Returns the first failure. */
dls_status dls_tables_end(dls_table **tables, size_t count, dls_status status, dls_error *error);
/* Folder of what is installed with the program (scenes/, plots/): the environment's DELASSUS_DATADIR; else the source
 * folder where the library runs from the tree that it was built in; else where it was installed. */
const char *dls_data_folder(void);
/* Folder of the peers' shared objects: the environment's DELASSUS_PEERDIR; else, as above, the build folder's or the
 * installed one. */
const char *dls_peer_folder(void);
/* That of the engines': DELASSUS_ENGINEDIR. */
const char *dls_engine_folder(void);

/* --- solvers of both paths (solver_table.c) --- */

const dls_solver *dls_solver_at(size_t index); /* direct ones first; NULL behind the last */
const dls_solver *dls_solver_find(const char *name);

/* A peer: a solver of another project, in a shared object that is built where its library is found (doc/peers.md). */
typedef struct dls_peer {
    const char *name, *library, *package; /* what it needs, and Debian's package of that */
    bool built;
} dls_peer;
extern const char dls_all_peers[]; /* the name "all-peers", which stands for every peer that was built */
/* False behind the last. */
bool dls_peer_at(size_t index, dls_peer *peer);

/* An engine of another project that steps whole scenes, likewise (doc/engines.md). */
typedef struct dls_engine_entry {
    const char *name, *summary, *library, *package; /* what it needs, and how to have that */
    bool built;
} dls_engine_entry;
/* False behind the last. */
bool dls_engine_at(size_t index, dls_engine_entry *engine);

/* A solver with its settings. */
typedef struct dls_choice {
    const dls_solver *solver;
    void *settings;
    void *plugin; /* of a solver from a shared object: what it needs, settings included; else NULL */
} dls_choice;
/* The defaults. An unknown name is an error that names the nearest one. "exec:COMMAND" is another program, which gets the
 * problem on its standard input and writes impulses, or its iterates one after another, to its standard output;
 * its settings are seconds and input. A name with a '/' is a shared object with a dls_plugin, PATH or PATH:NAME where it
 * has several solvers. Its solvers, and peers, run in a process of their own, or with "inside:" before the name in ours
 * (doc/outside-solvers.md, doc/peers.md). */
dls_status dls_choice_create(const char *name, dls_choice *choice, dls_error *error);
void dls_choice_release(dls_choice *choice);
/* Several, of which *choices is the array, at first NULL and 0: adds those of a list with commas between the names.
 * "all-peers" is every peer that was built; the command of "exec:" is the rest of the list, commas and all. Release them
 * after a failure too. */
dls_status dls_choices_add(const char *names, dls_choice **choices, size_t *count, dls_error *error);
/* Every iterative solver that accepts the problem (NULL: every one). */
dls_status dls_choices_iterative(const dls_problem *problem, dls_choice **choices, size_t *count, dls_error *error);
void dls_choices_release(dls_choice *choices, size_t count);
/* Sets "KEY" in every solver that has such a field, or "SOLVER.KEY" in that one; a key that none has is an error. */
dls_status dls_choices_set(dls_choice *choices, size_t count, const char *key, const char *value, dls_error *error);

/* A line of provenance per setting of each. */
void dls_note_choices(dls_table *table, const dls_choice *choices, size_t count);

/* --- the last word (judge.c) --- */

typedef struct dls_judge {
    const dls_problem *problem;
    dls_examiner *examiner; /* of it */
    double tolerance;       /* scaled residual of a solution */
    size_t largest;         /* rows of a problem that error bounds are proved for: their cost grows with the cube */
} dls_judge;
enum { DLS_CERTIFY_ROWS = 2500 }; /* seconds */
/* Measures lambda and decides what the outcome is called, whatever the method claims. Solved is an answer, or what a
 * sweep ended on, with a scaled residual of at most the tolerance, whose violations are small beside b too (the data
 * residual) or near which a solution is proved to exist. No solution is what exact arithmetic proves of the Farkas
 * vector. Any other claim becomes a numerical failure with the reason. `bounds` (NULL: not wanted) gets what is proved
 * of an answer's error, and is to be released. Fails with DLS_NO_MEMORY alone. */
dls_status dls_judge_answer(const dls_judge *judge, const double *lambda, dls_certificate *certificate,
                            dls_bounds *bounds, dls_report *report, dls_error *error);
/* Whether, of two judged outcomes, one is a solution and the other says that there is none. */
bool dls_contradict(const dls_report *one, const dls_report *other);

/* --- the reference solution (reference_solution.c) --- */

typedef struct dls_truth {
    const dls_solver *solver; /* whose answer it is; NULL if no direct method had one */
    double *lambda;           /* n */
    dls_certificate certificate;
    size_t tried; /* methods, this one included */
} dls_truth;
/* Direct methods in turn until the examiner finds a scaled residual of at most `good_enough`, else the best of them.
 * `methods`: names separated by commas; NULL: all that take the problem, fast ones first. No answer at all is
 * DLS_REFUSED with the reasons. */
dls_status dls_truth_create(const dls_problem *problem, dls_examiner *examiner, const char *methods, double good_enough,
                            dls_truth **truth, dls_error *error);
void dls_truth_destroy(dls_truth *truth);

/* --- problems of scenes and files (load.c) --- */

/* The problem of a model's first step, contacts found by collision included. h: 0 for the scene's own step. */
dls_status dls_first_problem(const dls_model *model, double h, dls_problem **problem, dls_error *error);
/* A file's problem: of a scene that of its first step. Otherwise as dls_file_load. */
dls_status dls_load_problem(const char *path, const char *format, dls_content *content, dls_error *error);
dls_status dls_load_model(const char *path, dls_model **model, dls_error *error);
/* The file's name without folder and extension, into name[size]. */
void dls_file_stem(const char *path, char *name, size_t size);

/* --- histories (compare.c) --- */

/* What comparing found of one solver. */
typedef struct dls_comparison {
    const dls_solver *solver;
    dls_outcome outcome;
    char message[DLS_MESSAGE_MAX]; /* of its report: why it refused the problem or failed */
    size_t iterations;
    double work;                     /* row-iterations of one iteration; NaN of a direct method */
    size_t count;                    /* iterates, the start included */
    dls_certificate *figures;        /* count: of every iterate, by the examiner */
    double *distance;                /* count: to the reference, sqrt(dv^T M dv) */
    double spectral_radius;          /* of the iteration matrix on the free set; NaN where none is predicted */
    double predicted_rate;           /* the same among the modes this run holds */
    double rate_within;              /* proved: predicted_rate is so far from the exact one at most; NaN: it is not the
                                        spectral radius, or there are too many rows */
    const char *no_rate;             /* why none is predicted; NULL: one is */
    double fitted_rate;              /* NaN where there were too few points */
    size_t fit_first, fit_end;       /* to distance[fit_first .. fit_end - 1] */
    char last_row[6 * DLS_NAME_MAX]; /* the row that did so, as "JOINT.LABEL"; "": none did */
    size_t bounds_settled;           /* the last iteration at which a row came to a bound or left one */
    size_t iterations_to_1e6; /* first iteration with a distance below 1e-6 of the first one's; SIZE_MAX: never */
} dls_comparison;
typedef struct dls_comparisons {
    size_t rows;
    const dls_solver *reference; /* whose answer the distances are to, */
    double reference_residual;   /* and what the examiner says of it, scaled, */
    double reference_bound;      /* and what is proved of its error, sqrt(dv^T M dv); NaN: nothing */
    size_t count;
    dls_comparison *of; /* count */
} dls_comparisons;

/* Runs each solver from 0 for `iterations` at most, and measures every iterate; a run ends when its distance to the
 * reference has fallen to `enough` of the first one (0: never). Nothing is left to release after a failure. DLS_REFUSED
 * where no direct method has a reference. */
dls_status dls_compare(const dls_problem *problem, const dls_choice *choices, size_t count, size_t iterations,
                       double enough, dls_comparisons *found, dls_error *error);
void dls_comparisons_release(dls_comparisons *found);
/* Lines of a problem called `name`: about `samples` per solver (0: every iterate) into `history`, one per solver into
 * `summary`; either may be NULL. The columns are dls_history_columns and dls_summary_columns. */
extern const char dls_history_columns[], dls_summary_columns[];
void dls_comparisons_write(const dls_comparisons *found, const char *name, size_t samples, dls_table *history,
                           dls_table *summary);
/* The figure STEM of problem `name` from the job's table of histories with that stem. `solvers`: names with blanks
 * between them, as dls_comparison_names lists the first `most` that did not refuse the problem; it returns NULL without
 * memory, else the caller frees the list. */
dls_status dls_comparison_plot(const dls_job *job, const char *table, const char *stem, const char *name,
                               const char *title, const char *solvers, dls_error *error);
/* The tables STEM.history.tsv and STEM.summary.tsv of all that was found, and where wanted the figure STEM of the
 * solvers that did not refuse the problem. `choices` are the solvers that were compared, for the tables' heads. */
dls_status dls_comparisons_save(const dls_job *job, const char *stem, const dls_choice *choices, size_t count,
                                const dls_comparisons *found, bool figure, dls_error *error);
/* iterations_to_1e6; NaN: never. */
double dls_comparison_reached(const dls_comparison *of);
char *dls_comparison_names(const dls_comparisons *found, size_t most);
/* The factor per iteration by which distance[first .. end - 1] falls, from the least-squares line of its logarithms;
 * NaN with fewer than 8 points. */
dls_status dls_fit_rate(const double *distance, size_t first, size_t end, double *rate, dls_error *error);

/* --- trajectories (trajectory.c) --- */

/* The steps whose impulses the examiner measures. */
typedef enum dls_examine_steps {
    DLS_EXAMINE_SAMPLES, /* those that have a line in the table of energies, and the last one */
    DLS_EXAMINE_EVERY,
    DLS_EXAMINE_NEVER
} dls_examine_steps;
extern const char *const dls_examine_names[]; /* in the order of the enum; NULL at the end */

typedef struct dls_film dls_film; /* frames of a run, for pictures: below */

typedef struct dls_run {
    const dls_model *model;
    const dls_scene *scene; /* that the model was made of, whose changes the run carries out; NULL: there are none */
    const char *stem;       /* of the file names */
    dls_choice choice;
    const dls_scheme *scheme;
    const void *scheme_settings;
    size_t iterations; /* a step; 0: the scene's */
    dls_warm warm;
    double step, duration;
    size_t samples; /* at most so many lines a body and in the energies' table; 0: every step */
    dls_examine_steps examine;
    bool certify;   /* prove error bounds of the answers of examined steps */
    bool ledger;    /* keep one, and write its tables */
    bool silent;    /* neither tables nor figures: the result alone */
    bool hdf5;      /* the tables as groups of STEM.h5, and none as text */
    dls_film *film; /* gets a frame of each state that has lines in the table of bodies; NULL: none is wanted */
} dls_run;
/* The columns of the ledger's parts, a tab before each. */
#define DLS_LEDGER_COLUMN(name, text, help) "\t" text "[J]"
#define DLS_LEDGER_COLUMNS DLS_LEDGER_PARTS_LIST(DLS_LEDGER_COLUMN)

enum { DLS_RUN_BROKEN = 10 };
typedef struct dls_run_result {
    size_t steps, steps_unsolved; /* unsolved: a direct method ended, or was judged, otherwise than solved */
    size_t iterations;            /* of the solver, in all steps */
    size_t examined; /* steps, of which the examiner found the answer right, or a claim wrong; of the rest, iterates on
                        their way and methods that claimed nothing, nothing is decided */
    size_t confirmed, refuted;
    size_t certified;                   /* of the confirmed ones, how many with a proved error bound, */
    double worst_bound;                 /* and the largest: sqrt(dv^T M dv) to the solution [sqrt(J)] */
    double worst_residual;              /* examiner's scaled residual over the steps that were examined */
    double worst_inconsistent;          /* and its `inconsistent`: of redundant rows [m/s, rad/s] */
    double worst_linear, worst_angular; /* joint errors over all states [m], [rad] */
    double energy_start, energy_end;    /* [J] */
    double worst_mismatch;              /* of the ledger's sum, over all steps */
    bool joints, events;                /* there is a table of joint coordinates, of events */
    size_t changes;                     /* of the scene that were carried out, */
    double energy_changes;              /* and the kinetic and potential energy that they brought [J] */
    size_t slept, woke;                 /* how often a body or an articulation fell asleep, and woke */
    size_t n_broken;                    /* joints that broke, */
    struct {
        char name[DLS_NAME_MAX];
        double time;              /* [s] */
    } broken[DLS_RUN_BROKEN];     /* and the first of them */
    bool diverged;                /* the run ended early: the tables stand up to the last finite state */
    char reason[DLS_MESSAGE_MAX]; /* which body, joint or row is not finite, and when */
} dls_run_result;
/* Tables STEM.trajectory.tsv (bodies and links that can move) and STEM.energy.tsv (a line about a sampled step has the
 * state before it; the last line has the state after the last step, and no solve), where there are joint coordinates
 * STEM.joints.tsv (those of articulations, without bases and joints that turn about a point, and of hinges and sliders
 * that others are coupled to), and figures STEM.energy.svg and .png. With tracks STEM.tracks.tsv too, where joints may
 * break, or the world sleeps, STEM.events.tsv (a line for each event of every step), with a ledger
 * STEM.ledger.tsv and STEM.ledger-joints.tsv. A scene's change is carried out before the first step that begins at its
 * time or later; the state before it stands in the tables, and after it that of the parts that it added; STEM.changes.tsv
 * has each part that came or went. A run that diverges is a result, and DLS_OK. */
dls_status dls_trajectory(const dls_job *job, const dls_run *run, dls_run_result *result, dls_error *error);
/* --- copies (run_copies.c): a batch of one scene --- */

typedef struct dls_copies {
    size_t count;
    double spread;  /* initial coordinates of all copies but the first are off the scene's by up to this [rad, m] */
    size_t seed;    /* of these draws */
    size_t threads; /* 0: as many as OpenMP gives */
    const char *written; /* copies whose states are in the tables: "0,3,10-12", or "all" */
} dls_copies;
typedef struct dls_copies_result {
    size_t steps, threads;
    size_t bytes;   /* that a copy owns at most */
    double seconds; /* wall time of all steps of all copies */
    size_t failed;  /* copies that diverged, or whose problem the solver refused; they end before that step */
    bool joints;    /* there is a table of joint coordinates */
    char reason[DLS_MESSAGE_MAX]; /* of the first of them that failed */
} dls_copies_result;
/* Tables STEM.copies.tsv and, where there are joint coordinates, STEM.copies-joints.tsv: those of dls_trajectory with
 * the number of the copy in each line, the copies of a time in ascending order. The states are to the bit those that a
 * run has from the same initial state, and the bytes the same at any number of threads. The spread of a copy is a draw
 * for each degree of freedom of a joint of an articulation, and for each coordinate of the position of a body or a
 * floating base that moves; it does not depend on the number of copies. DLS_REFUSED, with the reason, for what no batch
 * can do: a scene that sleeps or changes, a ledger, and solvers that run outside the program. */
dls_status dls_run_copies(const dls_job *job, const dls_run *run, const dls_copies *copies, dls_copies_result *result,
                          dls_error *error);
/* The largest violation over the joints of a state: |C| of equality rows, -C of unilateral ones; [m] and [rad]. */
void dls_joint_errors(const dls_configuration *at, double *linear, double *angular);
void dls_joint_error(const dls_configuration *at, const dls_joint *joint, double *linear, double *angular); /* of one */

/* --- pictures (picture/): a mechanism as it is seen, doc/view.md --- */

/* A film without frames. `name` is its title, `note` says how the run was made. */
dls_status dls_film_create(const char *name, const char *note, dls_film **film, dls_error *error);
void dls_film_destroy(dls_film *film); /* NULL is allowed */
/* Adds a frame: the state of the simulation, joint errors, and, where it has stepped, the contact forces of the last
 * step. Times do not
 * descend; of two frames of one time the later one holds. A simulation of another model goes on with the bodies and
 * joints of the same names. Ignored once a body is farther than 1e30 m away. */
dls_status dls_film_take(dls_film *film, dls_simulation *simulation, bool stepped, dls_error *error);
size_t dls_film_frames(const dls_film *film);
void dls_film_keep_last(dls_film *film); /* drops all frames but the last */

/* A kind of file that films are written to, known by how its name ends. */
typedef struct dls_picture_kind {
    const char *suffix; /* with its dot */
    bool animated;      /* else it shows the last frame */
    size_t films;       /* the most that it shows side by side */
    const char *help;
    dls_status (*write)(const dls_film *const *films, size_t count, const char *path, dls_error *error);
} dls_picture_kind;
extern const dls_picture_kind dls_picture_kinds[]; /* suffix NULL at the end */
/* The kind of a file by its name. DLS_BAD_INPUT, with the kinds there are, where there is none. */
dls_status dls_picture_kind_of(const char *path, const dls_picture_kind **kind, dls_error *error);
/* Writes films side by side, there in full or not at all. DLS_REFUSED where the kind cannot show so many, or a film has no frame. */
dls_status dls_picture_write(dls_film *const *films, size_t count, const char *path, dls_error *error);
/* The last state of a run whose film is set, without tables; and a scene at its start. */
dls_status dls_picture_run(dls_run *run, const char *path, dls_error *error);
dls_status dls_picture_scene(const dls_scene *scene, const char *path, dls_error *error);

/* --- sweeps (sweep.c): many runs of one scene, one for each combination of the values of some keys --- */

/* A key and its values, as text. Keys: those of a scene (dls_scene_set); solver, scheme, scheme.KEY, warm.KEY; of the
 * run iterations, dt, time, examine, seed, offset (dls_sweep_fields); else of the solver; "SOLVER.KEY" is a setting of
 * that solver alone, which the cells of other solvers ignore. */
typedef struct dls_sweep_axis {
    char key[DLS_NAME_MAX];
    char **values;
    size_t count;
} dls_sweep_axis;
/* From "KEY=VALUES": values with commas between them, each as it is or a range FIRST:LAST:COUNT, or
 * FIRST:LAST:COUNT:log, of numbers that may have a unit. Release it after a failure too. */
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
    size_t shard, shards; /* only the cells whose number, from 1, leaves the rest shard (1 to shards) on division */
    bool seconds;         /* a column of them: then the table is not the same twice */
} dls_sweep;
typedef enum dls_sweep_outcome {
    DLS_SWEEP_FINISHED,
    DLS_SWEEP_DIVERGED,
    DLS_SWEEP_REFUSED,
    DLS_SWEEP_CRASHED,
    DLS_SWEEP_OUTCOMES
} dls_sweep_outcome;
extern const char *const dls_sweep_outcomes[]; /* "finished", ...; NULL at the end */
typedef struct dls_sweep_result {
    size_t cells, kept;                  /* of this shard; of these, kept from a sweep that was cut off */
    size_t outcomes[DLS_SWEEP_OUTCOMES]; /* how many cells ended so */
    char table[DLS_PATH_MAX];
} dls_sweep_result;
/* The table STEM.sweep.tsv, or STEM.sweep.K-of-N.tsv of a shard, a line for each cell, in their order whatever the
 * number of processes. A run that diverges, a setting that is refused and a process that crashes are outcomes of their
 * cells. What is done is kept beside the table in a journal from cell to cell; the same sweep goes on from it. */
dls_status dls_sweep_run(const dls_job *job, const dls_sweep *sweep, dls_sweep_result *result, dls_error *error);
/* The tables of all shards, in any order, as the one table STEM.sweep.tsv. DLS_BAD_INPUT where they are of different
 * sweeps, or one is missing or there twice. */
dls_status dls_sweep_merge(const dls_job *job, const char *const *files, size_t count, dls_sweep_result *result,
                           dls_error *error);

/* --- figures (plot.c) --- */

/* Runs plots/SCRIPT.gp over a table: STEM.svg, STEM.png and STEM.caption.txt in the job's folder. `variables` are pairs
 * of a gnuplot variable's name and its value, a string; NULL at the end. DLS_UNAVAILABLE without gnuplot. */
dls_status dls_plot(const dls_job *job, const char *script, const char *table, const char *stem, const char *caption,
                    const char *const *variables, dls_error *error);

/* --- experiments --- */

typedef struct dls_study dls_study; /* a run of an experiment (experiments/study/study.h) */

/* A table that an experiment measures. */
typedef struct dls_experiment_table {
    const char *stem, *columns; /* columns NULL: the experiment's `note` names them, after its notes */
    bool collides;              /* left out where there is no collision detection */
} dls_experiment_table;
/* A part of the work. */
typedef struct dls_experiment_part {
    const char *name;
    dls_status (*run)(dls_study *study, dls_error *error);
} dls_experiment_part;

/* The strongest thing an experiment found: one sentence with its numbers, and the figure that shows it. */
typedef struct dls_finding {
    char figure[DLS_NAME_MAX]; /* its stem; "": there is nothing to tell */
    char sentence[512];
} dls_finding;
typedef struct dls_experiment {
    const char *name, *summary;
    /* For the report: a heading, the question, what varies, what is measured, what is shown, and the names of scenes with
     * blanks between them that it draws as NAME.mechanism.SCENE.svg; NULL: none. */
    const char *title, *question, *varies, *measures, *shows, *mechanisms;
    dls_field_table fields;
    const char
        *small; /* KEY=VALUE, with blanks between them: settings with which it takes a second or two, to try it out */
    const dls_experiment_table *tables; /* stem NULL at the end */
    const dls_experiment_part *parts;   /* that fill them, one after another; name NULL at the end */
    size_t findings;                    /* bytes of what the parts leave for captions */
    /* What the fields cannot check of the settings, before any table is made. NULL: nothing. */
    dls_status (*prepare)(dls_study *study, dls_error *error);
    void (*release)(void *findings);                        /* frees what they own; NULL: nothing */
    const char *remark[2];                                  /* a line of provenance, its key first; NULL: none */
    void (*note)(const dls_study *study, dls_table *table); /* other provenance beside the settings; NULL: none */
    dls_status (*figures)(dls_study *study, dls_error *error);
    void (*conclude)(const dls_study *study, dls_finding *finding); /* NAME.finding.txt for the report; NULL: none */
} dls_experiment;
extern const dls_experiment *const dls_experiments[]; /* NULL at the end */
const dls_experiment *dls_experiment_find(const char *name);
/* Its tables, all of them or none, and its figures. `settings` as `fields` describes them. */
dls_status dls_experiment_run(const dls_experiment *experiment, const dls_job *job, const void *settings,
                              dls_error *error);

typedef struct dls_report_plan {
    bool small; /* every experiment with its small settings, and ten steps of each scene */
    const char
        *only;   /* experiments and scenes, with commas between; "experiments", "scenes": all of them; NULL: both */
    size_t jobs; /* processes at once, at least 1 */
    bool pdf;    /* report.pdf too, printed by a browser */
} dls_report_plan;
/* Experiments with their defaults, runs of scenes, and index.html over the tables and figures that they made. A part that
 * fails does not end the others; the first failure is the status. The page is written again after each part, so that an
 * interrupted report shows what was finished. */
dls_status dls_report_all(const dls_job *job, const dls_report_plan *plan, dls_error *error);

#ifdef __cplusplus
}
#endif

#endif
