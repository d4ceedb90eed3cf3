/* Claims against the examiner's outcome. */
#include "delassus/experiments.h"

const char *const dls_verdicts[] = {
#define TEXT(name, text) text,
    DLS_VERDICT_LIST(TEXT)
#undef TEXT
        NULL};

dls_verdict dls_verdict_of(dls_solver_kind kind, dls_outcome claim, dls_outcome judged, double residual,
                           double tolerance)
{
    if (claim == DLS_OUTCOME_REFUSED)
        return DLS_VERDICT_REFUSED;
    if (claim == DLS_OUTCOME_NUMERICAL_FAILURE || claim == DLS_OUTCOME_TIME_LIMIT)
        return DLS_VERDICT_FAILED;
    if (dls_outcome_solved(judged) || judged == DLS_OUTCOME_NO_SOLUTION)
        return DLS_VERDICT_RIGHT;
    if (judged == DLS_OUTCOME_UNDECIDED || residual <= tolerance)
        return DLS_VERDICT_UNPROVED;
    return claim != DLS_OUTCOME_ITERATION_LIMIT ? DLS_VERDICT_WRONG
           : kind == DLS_SOLVER_DIRECT          ? DLS_VERDICT_FAILED
                                                : DLS_VERDICT_UNFINISHED;
}
