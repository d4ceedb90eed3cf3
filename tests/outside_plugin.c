/* Solvers in shared objects that behave badly, one for each MODE; test_outside.sh compiles and names them. */
#include <delassus/delassus.h>

#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __SSE2_MATH__
#include <xmmintrin.h>
#endif

#define RIGHT 0
#define CRASH 1
#define HANG 2
#define LIE 3
#define NOT_A_NUMBER 4
#define EXIT 5
#define REFUSE 6
#define NO_SOLUTION 7
#define CRASH_IN_OPEN 8
#define OLD 9
#define INCOMPLETE 10
#define NOTHING 11
#define BROKEN_PIPE 12
#define SEVERAL 13
#define TWO 14
#define EMPTY 15
#define FARKAS 16
#define LOST 17
#define OLD_SOLVER 18
#define OLD_PROBLEM 19
#define OLD_REPORT 20
#define NO_NAME 21
#define NO_SUMMARY 22
#define NO_SOURCE 23
#define NO_OPEN 24
#define NO_ITERATE 25
#define NO_CLOSE 26
#define CRASH_AND_LEAVE 28
#define OTHER_ARITHMETIC 27

#if MODE == OTHER_ARITHMETIC
/* Acts as an object compiled with -Ofast when it is loaded, and sets another rounding mode. */
__attribute__((constructor)) static void change_arithmetic(void)
{
    fesetround(FE_UPWARD);
#ifdef __SSE2_MATH__
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}
#endif

typedef struct settings {
    double value;
} settings;
static const dls_field fields[] = {
    {"value", "", DLS_FIELD_REAL, offsetof(settings, value), "1.5", 0, 0, false, NULL, "every impulse of its answer"},
};

typedef struct work {
    size_t n;
    double value;
} work;

static dls_status open_work(const dls_problem *problem, const void *given, const double *lambda0, void **kept,
                            dls_error *error)
{
    static work only;
    (void)lambda0;
    *kept = NULL;
    if (MODE == REFUSE)
        return dls_fail(error, DLS_REFUSED, "it does not like the problem");
    if (MODE == CRASH_IN_OPEN)
        raise(SIGSEGV);
    only = (work){problem->n, ((const settings *)given)->value};
    *kept = &only;
    return DLS_OK;
}

static dls_status iterate(void *kept, dls_report *report, dls_error *error)
{
    const work *w = kept;
    report->iterations++;
    switch (MODE) {
    case CRASH:
        fprintf(stderr, "before the end\n");
        raise(SIGSEGV);
        break;
    case CRASH_AND_LEAVE:
        if (fork() == 0)
            for (;;)
                pause();
        raise(SIGSEGV);
        break;
    case HANG:
        for (;;)
            pause();
    case EXIT:
        exit(7);
    case BROKEN_PIPE:
        raise(SIGPIPE);
        break;
    case SEVERAL:
        dls_report_end(report, DLS_OUTCOME_SEVERAL, "it lists none");
        break;
    case FARKAS: /* every row alone */
        report->proof = DLS_PROOF_FARKAS;
        report->proof_vector = malloc(w->n * sizeof *report->proof_vector);
        for (size_t i = 0; report->proof_vector && i < w->n; i++)
            report->proof_vector[i] = 1.0;
        dls_report_end(report, DLS_OUTCOME_NO_SOLUTION, "it has a proof");
        break;
    case LOST:
        return dls_fail(error, DLS_NOT_FINITE, "it has lost its numbers");
    case NO_SOLUTION:
        dls_report_end(report, DLS_OUTCOME_NO_SOLUTION, "it says so");
        break;
    default:
        dls_report_end(report, DLS_OUTCOME_SOLVED, "it is sure");
    }
    return DLS_OK;
}

static void read_impulses(const void *kept, double *lambda)
{
    const work *w = kept;
    for (size_t i = 0; i < w->n; i++)
        lambda[i] = MODE == NOT_A_NUMBER ? NAN : w->value;
}

static void close_work(void *kept) { (void)kept; }

static const dls_solver solver = {
    .name = MODE == NO_NAME ? NULL : "badly",
    .summary = MODE == NO_SUMMARY ? NULL : "",
    .source = MODE == NO_SOURCE ? NULL : "",
    .kind = DLS_SOLVER_DIRECT,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = MODE == NO_OPEN ? NULL : open_work,
    .iterate = MODE == NO_ITERATE ? NULL : iterate,
    .read = MODE == INCOMPLETE ? NULL : read_impulses,
    .close = MODE == NO_CLOSE ? NULL : close_work,
};
#if MODE == OLD
static const dls_solver *const solvers[] = {&solver, NULL};
const dls_plugin dls_plugin_here = {0, sizeof(dls_solver), sizeof(dls_problem), sizeof(dls_report), solvers};
#elif MODE >= OLD_SOLVER && MODE <= OLD_REPORT
static const dls_solver *const solvers[] = {&solver, NULL};
typedef struct larger {
    dls_solver solver;
    dls_problem problem;
    dls_report report;
} larger;
#if MODE == OLD_SOLVER
#define dls_solver larger
#elif MODE == OLD_PROBLEM
#define dls_problem larger
#else
#define dls_report larger
#endif
const dls_plugin dls_plugin_here = DLS_PLUGIN_OF(solvers);
#elif MODE == TWO
static const dls_solver second = {
    .name = "second",
    .summary = "",
    .source = "",
    .kind = DLS_SOLVER_DIRECT,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = open_work,
    .iterate = iterate,
    .read = read_impulses,
    .close = close_work,
};
DLS_PLUGINS(&solver, &second);
#elif MODE == EMPTY
DLS_PLUGINS(NULL);
#elif MODE == NOTHING
const dls_solver *const the_solvers[] = {&solver};
#else
DLS_PLUGIN(solver);
#endif
