/* profile.h - solvers on many problems: their answers as files, the examiner's verdicts on them, and profiles. May
 * include host/, solve/, io. Not installed.
 *
 * profile_problems.c finds the problems; profile_answers.c solves them, and writes one answer file for each solver and
 * problem into a folder that has the problems too; answer_file.c writes and reads such files; profile_verdicts.c
 * examines all answers of a folder again, whoever wrote them; profile_scores.c counts; profile_known.c measures what is
 * known of a problem, and profile_choice.c learns from it a decision_tree.c of which solver to take; profile_curves.c
 * has the profiles; profile_figures.c draws; leaderboard_page.c makes a page; submission.c examines one file. */
#ifndef DELASSUS_EXPERIMENTS_PROFILE_H
#define DELASSUS_EXPERIMENTS_PROFILE_H

#include "delassus/collection.h"

enum { DLS_SETTINGS_MAX = 2048 };

/* One answer to a problem. */
typedef struct dls_attempt {
    double tolerance; /* that the solver was given, or for which it was ended */
    dls_outcome claim;
    size_t iterations;
    double row_visits, seconds;
    double *lambda; /* n, or NULL: none */
    double *farkas; /* n, or NULL: none */
    char message[DLS_MESSAGE_MAX];
} dls_attempt;

/* The answers of one solver to one problem, one for each tolerance, the largest first. A direct method has one. */
typedef struct dls_answers {
    char problem[DLS_PROBLEM_NAME], family[DLS_NAME_MAX], file[DLS_PATH_MAX];
    char solver[DLS_NAME_MAX], version[DLS_NAME_MAX], machine[DLS_NAME_MAX];
    char settings[DLS_SETTINGS_MAX]; /* all of the solver's, "KEY=VALUE KEY=VALUE" */
    double limit;                    /* of each answer [s] */
    size_t most_iterations;
    bool direct;
    size_t n, count;
    dls_attempt *attempts;
} dls_answers;

dls_status dls_answers_write(const dls_answers *answers, const char *path, dls_error *error);
/* Fails with DLS_BAD_INPUT, the file and the member, for a file that is no such answer. Release it in every case. */
dls_status dls_answers_read(const char *path, dls_answers *answers, dls_error *error);
void dls_answers_release(dls_answers *answers);
void dls_attempts_release(dls_answers *answers); /* the attempts alone */

/* A problem of a profile: a file, or one of the collection. */
typedef struct dls_profile_entry {
    const char *word;
    dls_collection_place place; /* set NULL: `word` is a file */
} dls_profile_entry;
/* The problems that the words of the profile name. The caller frees *entries, after a failure too. */
dls_status dls_profile_entries(const dls_profile *profile, dls_profile_entry **entries, size_t *count,
                               dls_error *error);
/* Loads or makes the problem, with its family (the set, or the first word of the file's name) and its name. */
dls_status dls_profile_load(const dls_profile_entry *entry, dls_content *content, char family[DLS_NAME_MAX],
                            char file[DLS_PATH_MAX], dls_error *error);

/* The costs of an answer: X(NAME, text as in tables). */
#define DLS_COST_LIST(X)        \
    X(ITERATIONS, "iterations") \
    X(VISITS, "row-visits")     \
    X(SECONDS, "seconds")
enum {
#define DLS_COST_ENUM(name, text) DLS_COST_##name,
    DLS_COST_LIST(DLS_COST_ENUM)
#undef DLS_COST_ENUM
        DLS_COSTS /* how many there are */
};

/* A verdict on one answer, for one of the tolerances. */
typedef struct dls_judged {
    size_t problem, solver, tolerance; /* places in the lists below */
    dls_verdict verdict;
    dls_outcome claim, outcome;
    double cost[DLS_COSTS];
    double residual;
} dls_judged;

/* Properties of a problem that are known before it is solved: X(NAME, text as in tables, help). NaN: not known. */
#define DLS_KNOWN_LIST(X)                                                                                   \
    X(ROWS, "rows", "number of rows")                                                                       \
    X(DENSITY, "density", "rows over velocities; unknown in the matrix form")                               \
    X(RANK, "rank_ratio", "numerical rank over rows")                                                       \
    X(CONDITION, "condition", "largest over least singular value above rounding, A scaled by its diagonal") \
    X(FILL, "fill", "share of stored entries of J, or of A in the matrix form")                             \
    X(SYMMETRIC, "symmetric", "1: A is symmetric")                                                          \
    X(ASSOCIATED, "associated", "1: the associated law of friction")                                        \
    X(ELLIPTIC, "elliptic", "1: anisotropic friction")                                                      \
    X(ROLLING, "rolling", "1: rolling friction")                                                            \
    X(FREE, "free_rows", "share of rows without a bound")                                                   \
    X(UNILATERAL, "unilateral_rows", "share of rows with one bound")                                        \
    X(BOUNDED, "bounded_rows", "share of rows with two bounds")                                             \
    X(BOX, "box_rows", "share of rows of friction in a box")                                                \
    X(CONE, "cone_rows", "share of rows of friction under a cone")
enum {
#define DLS_KNOWN_ENUM(name, text, help) DLS_KNOWN_##name,
    DLS_KNOWN_LIST(DLS_KNOWN_ENUM)
#undef DLS_KNOWN_ENUM
        DLS_KNOWN /* how many there are */
};
extern const char *const dls_known_names[];
typedef struct dls_known {
    double of[DLS_KNOWN];
} dls_known;
dls_status dls_known_measure(const dls_problem *problem, dls_known *known, dls_error *error);

/* All verdicts on a folder. */
typedef struct dls_verdict_list {
    size_t n_problems, n_families, n_solvers, n_tolerances, count;
    char (*problems)[DLS_PROBLEM_NAME], (*families)[DLS_NAME_MAX], (*solvers)[DLS_NAME_MAX]; /* families by name */
    size_t *rows, *family;                                                                   /* of each problem */
    dls_known *known;                                                                        /* n_problems */
    const double *tolerances;
    double limit;                  /* of all answers [s]; NaN: there is none */
    char limit_file[DLS_PATH_MAX]; /* the first file, which has it */
    dls_judged *judged;
    size_t room[7];
} dls_verdict_list;

/* Examines FOLDER/answers/SOLVER/PROBLEM.json for each FOLDER/problems/PROBLEM.problem. DLS_BAD_INPUT if two of the
 * files have different time limits: PAR-2 compares no such answers. */
dls_status dls_verdicts_of_folder(const dls_job *job, const double *tolerances, size_t count, dls_verdict_list *list,
                                  dls_error *error);
void dls_verdicts_release(dls_verdict_list *list);
/* The same step by step: a list, whose tolerances must outlive it; a problem with its name (dls_problem_name); and
 * answers from the file `path` to the last problem. */
dls_verdict_list dls_verdicts_begin(const double *tolerances, size_t count);
dls_status dls_verdicts_add_problem(dls_verdict_list *list, const char *name, const dls_problem *problem,
                                    dls_error *error);
dls_status dls_verdicts_add_answers(dls_verdict_list *list, const dls_answers *answers, const char *path,
                                    const dls_problem *problem, dls_examiner *examiner, dls_error *error);

/* The counts of one solver at one tolerance. */
typedef struct dls_score {
    size_t verdicts[DLS_VERDICTS], problems; /* all problems of the folder */
    size_t unanswered;                       /* problems to which this solver has no answer: as if it had failed */
    double points, par2; /* 1 for a right answer, -16 for a silently wrong one; mean seconds, 2 limits if unsolved */
    double share, least, most; /* of right answers, and its interval of 95 % */
} dls_score;
typedef struct dls_standing {
    size_t solver;
    dls_score score;
} dls_standing;
/* The n_solvers solvers, the best first; the caller frees them. NULL if memory is exhausted. */
dls_standing *dls_standings(const dls_verdict_list *list, size_t tolerance, dls_error *error);
/* Tables profile.answers, profile.scores, profile.families. */
dls_status dls_scores_write(const dls_job *job, const dls_verdict_list *list, dls_error *error);

/* Table profile.problems: the known properties (profile_known.c). */
dls_status dls_known_write(const dls_job *job, const dls_verdict_list *list, dls_error *error);

/* How often the choice of a solver errs (profile_choice.c). */
typedef struct dls_choice_errors {
    size_t n, single;             /* problems that any solver has right; the best single solver, DLS_NONE: n is 0 */
    double folds[2], families[2]; /* share of errors of it, and of the tree: in 10 folds, and of families left out */
    char *text;                   /* the tree, indented; the caller frees it */
} dls_choice_errors;
/* Tables profile.tree and profile.choice. of[n_tolerances]; free its texts after a failure too: it is zeroed first. */
dls_status dls_choice_write(const dls_job *job, const dls_verdict_list *list, dls_choice_errors *of, dls_error *error);

/* --- profiles (profile_curves.c) --- */

typedef enum dls_profile_kind {
    DLS_PROFILE_RATIO, /* in times of the least cost of all solvers: E. D. Dolan, J. J. More */
    DLS_PROFILE_BUDGET /* in units of the problem: J. J. More, S. M. Wild */
} dls_profile_kind;
/* A curve of the table profile.curves. */
typedef struct dls_profile_curve {
    dls_profile_kind kind;
    size_t cost, tolerance, solver;
    size_t first, rows; /* its rows in the table */
    double area;        /* mean of the share over the logarithm of the cost: 1 if all are right at the least cost */
} dls_profile_curve;
/* Writes the table, and describes its curves in its order; the caller frees *curves, after a failure too. */
dls_status dls_curves_write(const dls_job *job, const dls_verdict_list *list, dls_profile_curve **curves, size_t *count,
                            dls_error *error);
/* The figures of profiles, verdicts and families (profile_figures.c); none where no answer is right. */
dls_status dls_profile_figures(const dls_job *job, const dls_verdict_list *list, const dls_profile_curve *curves,
                               size_t count, dls_error *error);

/* FOLDER/index.html. */
dls_status dls_leaderboard_page(const dls_job *job, const dls_verdict_list *list, const dls_choice_errors *choice,
                                dls_error *error);

#endif
