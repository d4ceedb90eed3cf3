/* A solver that is another program: exec:COMMAND.
 *
 * The command runs in a shell of its own process group, reads the problem from its standard input and writes impulses
 * to its standard output: vectors of n numbers, one per line or as JSON arrays; the last vector is its answer, those
 * before it are its iterates. "seconds S" behind a vector says how long it took to find it, since the program alone
 * knows what its start and its reading took. A last line "status OUTCOME REASON" is its claim. If it crashes, hangs, or
 * writes too few or too many numbers, this becomes the outcome of the solve, with the reason, and affects nothing else.
 * Its memory and time are not limited, except by the time limit, after which its whole process group is killed. */
#include "host.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "child.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INPUT_JSON, INPUT_TEXT };
static const char *const inputs[] = {"json", "text", NULL};

typedef struct settings {
    double seconds;
    int input;
} settings;

static const dls_field fields[] = {
    {.key = "seconds",
     .unit = "s",
     .kind = DLS_FIELD_REAL,
     .offset = offsetof(settings, seconds),
     .fallback = "60",
     .max = HUGE_VAL,
     .open_min = true,
     .help = "time after which the program is killed"},
    {.key = "input",
     .unit = "",
     .kind = DLS_FIELD_CHOICE,
     .offset = offsetof(settings, input),
     .fallback = "json",
     .choices = inputs,
     .help = "what the program reads: json (A, b, lo, hi, mu, parent, law, lambda0), or text (doc/problem-format.md)"},
};

/* A choice of this kind: the settings, as the field table knows them, then the parts of the descriptor. */
typedef struct outside {
    settings set;
    dls_solver solver;
    char name[DLS_NAME_MAX];
    char command[];
} outside;

typedef struct work {
    const outside *of;
    const dls_problem *problem;
    double *lambda0, *answers; /* n, count x n */
    size_t count, at;          /* vectors; the one that is the current iterate */
    double *spent;             /* timed: the seconds that the program says for each of the first vectors, NaN: none */
    size_t timed, spent_room;
    bool ran, late;            /* late: it was killed at the time limit */
    double seconds;            /* wall time of the program, from its start to its end */
    char why[DLS_MESSAGE_MAX]; /* why the program failed; "" */
    dls_outcome status;        /* as the program states it; without a statement DLS_OUTCOME_ITERATION_LIMIT, no claim */
    char reason[DLS_MESSAGE_MAX]; /* behind it; "" */
} work;

/* --- its input: an unlinked temporary file, read from its beginning --- */

static dls_status open_input(const work *w, FILE **input, dls_error *error)
{
    const char *folder = getenv("TMPDIR");
    char path[DLS_PATH_MAX];
    snprintf(path, sizeof path, "%.*s/delassus-exec-XXXXXX", DLS_PATH_MAX - 32, folder && *folder ? folder : "/tmp");
    int file = mkstemp(path);
    *input = file < 0 ? NULL : fdopen(file, "w+");
    if (!*input) {
        if (file >= 0)
            close(file), unlink(path);
        return dls_fail_about(error, DLS_NOT_WRITTEN, path, NULL, "cannot be made: %s", dls_system_text(errno));
    }
    dls_status status = w->of->set.input == INPUT_JSON ? dls_problem_print_json(w->problem, w->lambda0, *input, error)
                                                       : dls_problem_write(w->problem, path, error);
    if (status == DLS_OK && w->of->set.input == INPUT_TEXT) { /* written under another name and renamed to this one */
        fclose(*input);
        *input = fopen(path, "r");
    }
    unlink(path);
    if (status == DLS_OK && (!*input || fflush(*input) != 0 || ferror(*input) || fseek(*input, 0, SEEK_SET) != 0))
        status = dls_fail_about(error, DLS_NOT_WRITTEN, path, NULL, "cannot be written: %s", dls_system_text(errno));
    if (status != DLS_OK && *input) {
        fclose(*input);
        *input = NULL;
    }
    return status;
}

/* --- the process --- */

static dls_status run_program(work *w, FILE *input, dls_text *said, dls_error *error)
{
    char shell[] = "/bin/sh",
         option[] = "-c", *const words[] = {shell, option, (char *)(uintptr_t)w->of->command, NULL};
    dls_child child;
    const double start = dls_wall_clock();
    int failed = dls_child_pipes(&child) ? dls_child_spawn(&child, words, fileno(input)) : errno;
    if (failed) {
        dls_child_close(&child);
        return dls_fail(error, DLS_IO, "'%.200s' cannot be run: %s", w->of->command, dls_system_text(failed));
    }
    w->late = !dls_child_wait(&child, w->of->set.seconds, said, w->why, sizeof w->why);
    w->seconds = dls_wall_clock() - start;
    return DLS_OK;
}

/* --- its answer --- */

/* Brackets, commas and white space stand between numbers. */
static const char between[] = " \t\r\n,;[]";

/* null and NaN are numbers here: the driver names the first impulse that is not finite. */
static bool number_of(const char *word, const char *end, double *value)
{
    const char *behind;
    dls_error why;
    if (strcmp(word, "null") == 0) {
        *value = NAN;
        return true;
    }
    dls_status status = dls_read_real(word, value, &behind, &why);
    if (status == DLS_NOT_FINITE)
        *value = NAN;
    return behind == end && status != DLS_BAD_INPUT;
}

/* The program's own time, behind `count` numbers. */
static bool take_seconds(work *w, size_t count, double seconds)
{
    const size_t n = w->problem->n, vectors = n > 0 ? count / n : 0;
    if (vectors == 0 || vectors * n != count || !(seconds >= 0.0)) {
        snprintf(w->why, sizeof w->why, "'seconds' and a time from 0 on stand behind a vector of %zu numbers", n);
        return true;
    }
    if (!DLS_GROW(w->spent, w->spent_room, vectors))
        return false;
    while (w->timed < vectors)
        w->spent[w->timed++] = NAN;
    w->spent[vectors - 1] = seconds;
    return true;
}

/* The line behind "status"; returns its end. */
static char *take_status(work *w, char *at)
{
    static const dls_outcome known[] = {
        DLS_OUTCOME_SOLVED,     DLS_OUTCOME_NO_SOLUTION,       DLS_OUTCOME_REFUSED,
        DLS_OUTCOME_TIME_LIMIT, DLS_OUTCOME_NUMERICAL_FAILURE, DLS_OUTCOME_ITERATION_LIMIT};
    const size_t count = sizeof known / sizeof *known;
    at += strspn(at, " \t");
    const size_t length = strcspn(at, " \t\r\n");
    size_t k = 0;
    while (k < count &&
           (strlen(dls_outcome_text(known[k])) != length || strncmp(dls_outcome_text(known[k]), at, length)))
        k++;
    if (k == count)
        snprintf(w->why, sizeof w->why,
                 "'status %.*s' in the program's answer: a status is solved, no-solution, refused, time-limit, "
                 "numerical-failure or iteration-limit",
                 (int)(length < 60 ? length : 60), at);
    else
        w->status = known[k];
    at += length + strspn(at + length, " \t");
    const size_t rest = strcspn(at, "\r\n");
    snprintf(w->reason, sizeof w->reason, "%.*s", (int)(rest < sizeof w->reason ? rest : sizeof w->reason - 1), at);
    at += rest;
    if (!w->why[0] && at[strspn(at, between)])
        snprintf(w->why, sizeof w->why, "the program's answer goes on behind its status");
    return at;
}

static dls_status parse_answer(work *w, const dls_text *said, dls_error *error)
{
    size_t count = 0, room = 0, n = w->problem->n;
    bool is_time = false, there = true;
    if (said->cut)
        snprintf(w->why, sizeof w->why, "the program answered more than could be kept");
    else if (said->at && strlen(said->at) != said->size)
        snprintf(w->why, sizeof w->why, "a zero byte in the program's answer");
    for (char *at = said->at; at && *(at += strspn(at, between)) && !w->why[0];) {
        char *end = at + strcspn(at, between), kept = *end;
        double value = 0.0;
        *end = '\0';
        const bool word = !is_time && strcmp(at, "seconds") == 0;
        if (!is_time && strcmp(at, "status") == 0) {
            *end = kept;
            at = take_status(w, end);
            continue;
        }
        if (!word && !number_of(at, end, &value))
            snprintf(w->why, sizeof w->why, "'%.60s' in the program's answer is no number of a double's range", at);
        else if (is_time)
            there = take_seconds(w, count, value);
        else if (!word && (there = DLS_GROW(w->answers, room, count + 1)))
            w->answers[count++] = value;
        if (!there)
            return dls_fail(error, DLS_NO_MEMORY, "no memory for the answer of '%.200s'", w->of->command);
        is_time = word;
        *end = kept;
        at = end;
    }
    if (is_time && !w->why[0])
        snprintf(w->why, sizeof w->why, "the program's answer ends with 'seconds', without a number");
    w->count = n > 0 ? count / n : 0;
    const bool needed = !dls_outcome_failed(w->status) || w->status == DLS_OUTCOME_NO_SOLUTION;
    if (!w->why[0] && (w->count * n != count || (count == 0 && n > 0 && needed)))
        snprintf(w->why, sizeof w->why, "the program answered %zu numbers; %zu rows need %zu, or several times as many",
                 count, n, n);
    return DLS_OK;
}

static dls_status run_once(work *w, dls_error *error)
{
    FILE *input;
    dls_text said = {0};
    DLS_TRY(open_input(w, &input, error));
    dls_status status = run_program(w, input, &said, error);
    fclose(input);
    if (status == DLS_OK && !w->why[0])
        status = parse_answer(w, &said, error);
    free(said.at);
    return status;
}

/* --- the solver --- */

static dls_status open_work(const dls_problem *problem, const void *set, const double *lambda0, void **kept,
                            dls_error *error)
{
    work *w = calloc(1, sizeof *w);
    if (w)
        w->lambda0 = calloc(problem->n + 1, sizeof *w->lambda0);
    *kept = w;
    if (!w || !w->lambda0) {
        free(w);
        *kept = NULL;
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", problem->n);
    }
    w->of = set;
    w->problem = problem;
    w->status = DLS_OUTCOME_ITERATION_LIMIT;
    if (lambda0)
        memcpy(w->lambda0, lambda0, problem->n * sizeof *lambda0);
    return DLS_OK;
}

/* The program's claim; the last vector behind "no-solution" is that of Farkas' lemma. */
static dls_status end_program(const work *w, dls_report *report, dls_error *error)
{
    const size_t n = w->problem->n;
    if (w->status == DLS_OUTCOME_NO_SOLUTION && w->count > 0) {
        report->proof_vector = malloc(n * sizeof *report->proof_vector);
        if (!report->proof_vector)
            return dls_fail(error, DLS_NO_MEMORY, "no memory for a proof of %zu numbers", n);
        memcpy(report->proof_vector, w->answers + w->at * n, n * sizeof *report->proof_vector);
        report->proof = DLS_PROOF_FARKAS;
    }
    const bool fails = dls_outcome_failed(w->status) && w->status != DLS_OUTCOME_NO_SOLUTION;
    dls_report_end(report, w->status, "%s", fails && !w->reason[0] ? "the program gives no reason" : w->reason);
    return DLS_OK;
}

static dls_status iterate(void *kept, dls_report *report, dls_error *error)
{
    work *w = kept;
    if (!w->ran) {
        w->ran = true;
        DLS_TRY(run_once(w, error));
    } else {
        w->at++;
    }
    report->seconds = w->at < w->timed && !isnan(w->spent[w->at]) ? w->spent[w->at] : w->seconds;
    if (w->why[0]) {
        dls_report_end(report, w->late ? DLS_OUTCOME_TIME_LIMIT : DLS_OUTCOME_NUMERICAL_FAILURE, "%s", w->why);
        return DLS_OK;
    }
    report->iterations += w->count > 0;
    return w->at + 1 >= w->count ? end_program(w, report, error) : DLS_OK;
}

static void read_impulses(const void *kept, double *lambda)
{
    const work *w = kept;
    const double *from = w->ran && !w->why[0] && w->count ? w->answers + w->at * w->problem->n : w->lambda0;
    memcpy(lambda, from, w->problem->n * sizeof *lambda);
}

static void close_work(void *kept)
{
    work *w = kept;
    if (!w)
        return;
    free(w->lambda0);
    free(w->answers);
    free(w->spent);
    free(w);
}

/* --- a choice --- */

/* The command as a word of tables, figures and --set: folders are left out, and what is neither a letter, a digit nor
 * one of ._ becomes '-'. */
static void name_of(const char *command, char name[DLS_NAME_MAX])
{
    size_t used = (size_t)snprintf(name, DLS_NAME_MAX, "%s", dls_exec_prefix), word = used;
    for (const char *c = command; *c && used + 1 < DLS_NAME_MAX; c++) {
        const bool plain =
            strchr("._", *c) || (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        if (*c == '/')
            used = word;
        else if (plain || (used > word && name[used - 1] != '-'))
            name[used++] = plain ? *c : '-';
        if (!plain && *c != '/')
            word = used;
    }
    while (name[used - 1] == '-')
        used--;
    name[used] = '\0';
}

const char dls_exec_prefix[] = "exec:";

dls_status dls_exec_choose(const char *command, dls_choice *choice, dls_error *error)
{
    const size_t length = strlen(command);
    *choice = (dls_choice){NULL, NULL, NULL};
    if (command[strspn(command, " \t")] == '\0')
        return dls_fail(error, DLS_BAD_INPUT, "exec: needs a command, as in exec:./my-solver");
    outside *o = calloc(1, sizeof *o + length + 1);
    if (!o)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the command '%.200s'", command);
    memcpy(o->command, command, length + 1);
    name_of(command, o->name);
    o->solver = (dls_solver){.name = o->name,
                             .summary = "another program",
                             .source = "",
                             .kind = DLS_SOLVER_ITERATIVE,
                             .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC |
                                        DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_CONE | DLS_ELSEWHERE | DLS_CALL_ONCE,
                             .fields = DLS_FIELD_TABLE(fields, settings),
                             .open = open_work,
                             .iterate = iterate,
                             .read = read_impulses,
                             .close = close_work};
    *choice = (dls_choice){&o->solver, o, NULL};
    return dls_fields_default(&o->solver.fields, o, error);
}
