/* profile.h - solvers on many problems: their answers as files, the examiner's verdicts on them, and profiles. May
 * include host/, solve/, io. Not installed.
 *
 * profile_answers.c solves, and writes one answer file for each solver and problem into a folder that has the problems
 * too; answer_file.c writes and reads such files; profile_verdicts.c examines all answers of a folder again, whoever
 * wrote them; profile_scores.c counts, and draws the profiles; leaderboard_page.c makes a page. */
#ifndef DELASSUS_EXPERIMENTS_PROFILE_H
#define DELASSUS_EXPERIMENTS_PROFILE_H

#include "delassus/experiments.h"

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
    bool direct;
    size_t n, count;
    dls_attempt *attempts;
} dls_answers;

dls_status dls_answers_write(const dls_answers *answers, const char *path, dls_error *error);
/* Fails with DLS_BAD_INPUT, the file and the member, for a file that is no such answer. Release it in every case. */
dls_status dls_answers_read(const char *path, dls_answers *answers, dls_error *error);
void dls_answers_release(dls_answers *answers);

/* A verdict on one answer, for one of the tolerances. */
typedef struct dls_judged {
    size_t problem, solver, tolerance; /* places in the lists below */
    dls_verdict verdict;
    dls_outcome claim, outcome;
    double cost[3]; /* iterations, row visits, seconds */
    double residual;
} dls_judged;

/* All verdicts on a folder. */
typedef struct dls_verdict_list {
    size_t n_problems, n_solvers, n_tolerances, count;
    char (*problems)[DLS_PROBLEM_NAME], (*families)[DLS_NAME_MAX], (*solvers)[DLS_NAME_MAX];
    size_t *rows; /* of each problem */
    const double *tolerances;
    dls_judged *judged;
    size_t room[5];
} dls_verdict_list;

/* Examines FOLDER/answers/SOLVER/PROBLEM.json for each FOLDER/problems/PROBLEM.problem. */
dls_status dls_verdicts_of_folder(const dls_job *job, const double *tolerances, size_t count, dls_verdict_list *list,
                                  dls_error *error);
void dls_verdicts_release(dls_verdict_list *list);

/* Tables profile.answers, profile.scores and profile.curves, and the figure. `seconds`: the time limit that an unsolved
 * problem counts twice. */
dls_status dls_scores_write(const dls_job *job, const dls_verdict_list *list, double seconds, dls_error *error);
/* FOLDER/index.html. */
dls_status dls_leaderboard_page(const dls_job *job, const dls_verdict_list *list, double seconds, dls_error *error);

/* The counts of one solver at one tolerance. */
typedef struct dls_score {
    size_t verdicts[DLS_VERDICTS], problems;
    double points, par2; /* 1 for a right answer, -16 for a silently wrong one; mean seconds, 2 limits if unsolved */
    double share, least, most; /* of right answers, and its interval of 95 % */
} dls_score;
dls_score dls_score_of(const dls_verdict_list *list, size_t solver, size_t tolerance, double seconds);

#endif
