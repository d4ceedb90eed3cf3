/* A solver in a separate process: a solver of a shared object, or one of the library with a time limit.
 *
 * Each problem is solved in a separate process, a fork of this one, which has the problem and the settings in memory.
 * A request is a number of iterations, as many as until the next examination; the process makes them one after another,
 * and each has a record with its impulses as its answer. It measures its own time. Damaged memory, a crash, a hang or
 * an exit ends only that process, and is the outcome of this solve, with the reason. At the time limit the process is
 * killed, even in a factorisation of LAPACK or an exact search, so that no method has to check the time. */
#include "host.h"

#include "base/arithmetic.h"
#include "base/clock.h"
#include "base/text.h"
#include "child.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* The data of a choice. The solver's settings are at its end, followed by the time limit. */
typedef struct head {
    void *object; /* the shared object; NULL: a solver of the library, whose proofs by enumeration are accepted */
    const dls_solver *real;
    dls_solver solver; /* the same solver in a separate process */
    dls_field *fields; /* its own, and "seconds" */
    size_t seconds_at; /* offset of the time limit in the settings */
    _Alignas(max_align_t) char settings[];
} head;

static double seconds_of(const head *h)
{
    double seconds;
    memcpy(&seconds, h->settings + h->seconds_at, sizeof seconds);
    return seconds;
}

/* --- messages through the socket --- */

/* The answer to a request. It is followed by n impulses, by so many vectors of n numbers as the counts say, and by
 * the fractions. */
typedef struct record {
    dls_status status;
    dls_outcome outcome;
    size_t iterations, factorizations, dead_rows;
    double row_visits;
    double inconsistent, least_impulses, seconds;
    dls_proof proof;
    size_t proof_vectors; /* 1 or 0 */
    size_t solutions;
    size_t fractions; /* bytes of their text, with the zero byte at its end; 0: none */
    char message[DLS_MESSAGE_MAX];
} record;

/* --- the child's side --- */

/* Proofs by enumeration, and the solutions found by it, are accepted only from solvers of the library. */
static record record_of(const head *of, dls_status status, const dls_report *report, const dls_error *error)
{
    const bool trusted = !of->object, farkas = report->proof == DLS_PROOF_FARKAS && report->proof_vector;
    record r = {.status = status,
                .outcome = report->outcome,
                .iterations = report->iterations,
                .factorizations = report->factorizations,
                .row_visits = report->row_visits,
                .dead_rows = report->dead_rows,
                .inconsistent = report->inconsistent,
                .least_impulses = trusted ? report->least_impulses : 0.0,
                .seconds = report->seconds,
                .proof = trusted || farkas ? report->proof : DLS_PROOF_NONE,
                .proof_vectors = (trusted && report->proof_vector) || farkas,
                .solutions = trusted && report->solutions ? report->n_solutions : 0,
                .fractions = trusted && report->fractions ? strlen(report->fractions) + 1 : 0};
    snprintf(r.message, sizeof r.message, "%s", status == DLS_OK ? report->message : error->message);
    return r;
}

typedef struct served {
    const head *of;
    FILE *to;
    dls_solver_work kept;
    dls_status status;
    dls_report report;
    dls_error error;
    double *lambda; /* n */
    size_t n;
} served;

static bool send_answer(const served *s)
{
    const dls_report *report = &s->report;
    const record r = record_of(s->of, s->status, report, &s->error);
    const size_t each = sizeof *s->lambda, proofs = r.proof_vectors * s->n, solutions = r.solutions * s->n;
    return fwrite(&r, sizeof r, 1, s->to) == 1 && fwrite(s->lambda, each, s->n, s->to) == s->n &&
           fwrite(report->proof_vector, each, proofs, s->to) == proofs &&
           fwrite(report->solutions, each, solutions, s->to) == solutions &&
           fwrite(report->fractions, 1, r.fractions, s->to) == r.fractions;
}

static bool runs(const served *s) { return s->status == DLS_OK && s->report.outcome == DLS_OUTCOME_RUNNING; }

/* Makes `count` iterations, or fewer if the method ends. Their answers are sent together, but at least every 20 ms, so
 * that little is lost at the time limit. */
static bool answer_request(served *s, size_t count)
{
    const double patience = 0.02; /* [s] */
    double sent = dls_wall_clock();
    do {
        if (runs(s))
            s->status = dls_solver_iterate(&s->kept, 1, s->lambda, &s->report, &s->error);
        const double now = dls_wall_clock();
        const bool late = now - sent > patience;
        if (!send_answer(s) || (late && fflush(s->to) != 0))
            return false;
        sent = late ? now : sent;
    } while (--count > 0 && runs(s));
    return fflush(s->to) == 0;
}

/* Answers the opening, then every request, until the other side closes. */
static void serve_solve(int socket, const head *of, size_t iterations, const dls_problem *problem,
                        const double *lambda0)
{
    DLS_STANDARD_ARITHMETIC;
    served s = {.of = of, .to = fdopen(socket, "w"), .kept = {of->real, of->settings, .timed = true}, .n = problem->n};
    char buffer[1 << 16];
    size_t count;
    (void)iterations;
    s.lambda = calloc(problem->n + 1, sizeof *s.lambda);
    if (!s.lambda || !s.to || setvbuf(s.to, buffer, _IOFBF, sizeof buffer) != 0)
        return;
    s.status = dls_solver_load(&s.kept, problem, lambda0, &s.report, &s.error);
    if (s.kept.work)
        of->real->read(s.kept.work, s.lambda);
    bool heard = send_answer(&s) && fflush(s.to) == 0;
    while (heard && recv(socket, &count, sizeof count, MSG_WAITALL) == sizeof count)
        heard = answer_request(&s, count);
}

/* Sends how long a solve takes in a process that has made it before. */
static void serve_time(int socket, const head *of, size_t iterations, const dls_problem *problem, const double *lambda0)
{
    DLS_STANDARD_ARITHMETIC;
    const double seconds = dls_seconds_again(of->real, of->settings, problem, lambda0, iterations);
    send(socket, &seconds, sizeof seconds, MSG_NOSIGNAL);
}

/* The work of a child. */
typedef void service(int socket, const head *of, size_t iterations, const dls_problem *problem, const double *lambda0);

/* Otherwise a child would go on computing after its parent has ended. */
static void end_with_parent(pid_t parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        _exit(0);
}

/* --- our side --- */

typedef struct work {
    const head *of;
    size_t n;
    dls_child child;
    double opened, deadline; /* when the wall clock shows them [s] */
    size_t done, due;        /* iterations, and answers that were asked for and have not come yet */
    size_t from, to;         /* bytes that have arrived and were not read yet */
    char inbox[1 << 14];
    double *lambda, *arriving; /* n each: impulses of the last complete answer, and a buffer */
    char why[DLS_MESSAGE_MAX]; /* how the child failed; "" */
    bool late;                 /* killed at the time limit */
} work;

static dls_status start_child(work *w, service *serves, size_t iterations, const dls_problem *problem,
                              const double *lambda0, dls_error *error)
{
    int ends[2];
    if (!dls_child_pipes(&w->child) || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return dls_fail(error, DLS_IO, "no process for the solver '%s': %s", w->of->real->name, dls_system_text(errno));
    close(w->child.output[0]), close(w->child.output[1]); /* the socket takes their place */
    w->child.output[0] = ends[0], w->child.output[1] = ends[1];
    fflush(NULL); /* else an exit() of the solver writes once more the buffers of our streams */
    const pid_t parent = getpid();
    w->child.process = fork();
    if (w->child.process == 0) {
        setpgid(0, 0);
        dls_child_signals();
        end_with_parent(parent);
        fcntl(w->child.errors[1], F_SETFL, O_NONBLOCK); /* nobody reads meanwhile: text that does not fit is lost */
        dup2(w->child.errors[1], 2);
        dup2(w->child.errors[1], 1); /* standard output is ours */
        close(ends[0]);
        serves(ends[1], w->of, iterations, problem, lambda0);
        _exit(0);
    }
    if (w->child.process < 0)
        return dls_fail(error, DLS_IO, "no process for the solver '%s': %s", w->of->real->name, dls_system_text(errno));
    setpgid(w->child.process, w->child.process);
    close(ends[1]);
    w->child.output[1] = -1;
    return DLS_OK;
}

/* False at the end of the stream, or where the deadline passes; then w->late is set. */
static bool receive_all(work *w, void *data, size_t size)
{
    for (char *at = data; size > 0;) {
        struct pollfd wait = {.fd = w->child.output[0], .events = POLLIN};
        const size_t there = w->to - w->from, count = there < size ? there : size;
        memcpy(at, w->inbox + w->from, count);
        at += count, size -= count, w->from += count;
        w->late = size > 0 && dls_child_patience(w->deadline) == 0;
        if (w->late)
            return false;
        if (size == 0)
            continue;
        if (poll(&wait, 1, dls_child_look(w->deadline)) <= 0) {
            if (dls_child_ended(w->child.process) && poll(&wait, 1, 0) <= 0) /* all that it has sent is read */
                return false;
            continue;
        }
        const ssize_t got = recv(wait.fd, w->inbox, sizeof w->inbox, 0);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        w->from = 0, w->to = got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* Receives `count` elements into a new array; NULL if count is 0. */
static bool receive_array(work *w, size_t count, size_t size, void **array)
{
    *array = count > 0 ? calloc(count, size > 0 ? size : 1) : NULL;
    return count == 0 || (*array && receive_all(w, *array, count * size));
}

/* Receives an answer into w->lambda and the report. False if the child has ended or its time is over. */
static bool receive_answer(work *w, record *r, dls_report *report)
{
    const size_t bytes = w->n * sizeof *w->lambda;
    void *proof = NULL, *solutions = NULL, *fractions = NULL;
    if (!receive_all(w, r, sizeof *r) || !receive_all(w, w->arriving, bytes) ||
        !receive_array(w, r->proof_vectors, bytes, &proof) || !receive_array(w, r->solutions, bytes, &solutions) ||
        !receive_array(w, r->fractions, 1, &fractions)) {
        free(proof);
        free(solutions);
        free(fractions);
        return false;
    }
    memcpy(w->lambda, w->arriving, bytes);
    dls_report_release(report);
    *report = (dls_report){.outcome = r->outcome,
                           .iterations = r->iterations,
                           .factorizations = r->factorizations,
                           .row_visits = r->row_visits,
                           .dead_rows = r->dead_rows,
                           .inconsistent = r->inconsistent,
                           .least_impulses = r->least_impulses,
                           .seconds = r->seconds,
                           .proof = r->proof,
                           .proof_vector = proof,
                           .n_solutions = r->solutions,
                           .solutions = solutions,
                           .fractions = fractions};
    snprintf(report->message, sizeof report->message, "%s", r->message);
    return true;
}

/* The same; without an answer, the child is ended, and `why` gets the reason. */
static bool receive(work *w, record *r, dls_report *report)
{
    if (receive_answer(w, r, report))
        return true;
    dls_text rest = {0};
    dls_child_wait(&w->child, w->late ? 0.0 : 1.0, &rest, w->why, sizeof w->why);
    free(rest.at);
    if (w->late)
        snprintf(w->why, sizeof w->why, "no %sanswer within %g s: killed", report->iterations > 0 ? "final " : "",
                 seconds_of(w->of));
    else if (!w->why[0])
        snprintf(w->why, sizeof w->why, "the solver ended its process");
    return false;
}

static void close_work(void *kept)
{
    work *w = kept;
    dls_text rest = {0};
    if (!w)
        return;
    if (w->child.process > 0 && w->child.output[0] >= 0) {
        dls_child_wait(&w->child, 0.0, &rest, w->why, sizeof w->why); /* it may be far ahead, and has nothing to end */
    }
    dls_child_close(&w->child);
    free(rest.at);
    free(w->lambda);
    free(w->arriving);
    free(w);
}

static dls_status create_work(const head *of, const dls_problem *problem, double seconds, work **made, dls_error *error)
{
    work *w = *made = calloc(1, sizeof *w);
    if (w) {
        w->of = of;
        w->n = problem->n;
        w->opened = dls_wall_clock();
        w->deadline = w->opened + seconds;
        w->child = (dls_child){.process = -1, .output = {-1, -1}, .errors = {-1, -1}};
        w->lambda = calloc(problem->n + 1, sizeof *w->lambda);
        w->arriving = calloc(problem->n + 1, sizeof *w->arriving);
    }
    if (!w || !w->lambda || !w->arriving) {
        close_work(w);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", problem->n);
    }
    return DLS_OK;
}

static dls_status open_work(const dls_problem *problem, const void *settings, const double *lambda0, void **kept,
                            dls_error *error)
{
    const head *of = (const head *)(const void *)((const char *)settings - offsetof(head, settings));
    dls_report report = {0};
    work *w;
    record r;
    *kept = NULL;
    DLS_TRY(create_work(of, problem, seconds_of(of), &w, error));
    dls_status status = start_child(w, serve_solve, 0, problem, lambda0, error);
    if (status == DLS_OK && receive(w, &r, &report)) {
        status = r.status;
        if (status != DLS_OK || r.outcome == DLS_OUTCOME_REFUSED)
            status = dls_fail(error, status == DLS_OK ? DLS_REFUSED : status, "%s", r.message);
    }
    dls_report_release(&report);
    if (status != DLS_OK) {
        close_work(w);
        return status;
    }
    *kept = w; /* a failure of opening that the solver does not report is told by the first iteration */
    return DLS_OK;
}

/* Asks for as many iterations as there are until the next examination. */
static bool request_iterations(work *w)
{
    w->due = dls_examination_interval(w->done, w->n);
    return send(w->child.output[0], &w->due, sizeof w->due, MSG_NOSIGNAL) == sizeof w->due;
}

static dls_status iterate(void *kept, dls_report *report, dls_error *error)
{
    work *w = kept;
    record r;
    if (w->why[0] || (w->due == 0 && !request_iterations(w)) || !receive(w, &r, report)) {
        report->seconds = dls_wall_clock() - w->opened; /* the process cannot say it any more */
        dls_report_end(report, w->late ? DLS_OUTCOME_TIME_LIMIT : DLS_OUTCOME_NUMERICAL_FAILURE, "%s",
                       w->why[0] ? w->why : "the solver's process is gone");
        return DLS_OK;
    }
    w->done++, w->due = r.status == DLS_OK && r.outcome == DLS_OUTCOME_RUNNING ? w->due - 1 : 0;
    return r.status == DLS_OK ? DLS_OK : dls_fail(error, r.status, "%s", r.message);
}

static void read_impulses(const void *kept, double *lambda)
{
    const work *w = kept;
    memcpy(lambda, w->lambda, w->n * sizeof *lambda);
}

double dls_separate_seconds_again(const dls_choice *choice, const dls_problem *problem, const double *lambda0,
                                  size_t iterations)
{
    const double patience = 1.0; /* [s], for a short solve */
    double seconds = HUGE_VAL;
    work *w;
    if (create_work(choice->separate, problem, patience, &w, NULL) != DLS_OK)
        return seconds;
    if (start_child(w, serve_time, iterations, problem, lambda0, NULL) != DLS_OK ||
        !receive_all(w, &seconds, sizeof seconds))
        seconds = HUGE_VAL;
    close_work(w);
    return seconds;
}

/* --- choices --- */

static void stand_for(head *h)
{
    const dls_field_table *real = &h->real->fields;
    h->solver = *h->real;
    h->solver.fields = (dls_field_table){h->fields, real->count + 1, h->seconds_at + sizeof(double)};
    h->solver.open = open_work;
    h->solver.reload = NULL;
    h->solver.iterate = iterate;
    h->solver.read = read_impulses;
    h->solver.close = close_work;
    h->solver.splitting = NULL;
    h->solver.law = NULL;
    h->solver.refresh = NULL;
    h->solver.velocity = NULL;
    h->solver.renew = NULL;
    h->solver.iterate_together = NULL;
    h->solver.accepts |= DLS_ELSEWHERE;
    for (size_t i = 0; i < real->count; i++)
        h->fields[i] = real->fields[i];
    h->fields[real->count] = (dls_field){.key = "seconds",
                                         .unit = "s",
                                         .kind = DLS_FIELD_REAL,
                                         .offset = h->seconds_at,
                                         .fallback = "60",
                                         .max = HUGE_VAL,
                                         .open_min = true,
                                         .help = "time after which its process is killed"};
}

/* The data of a choice of `real`, with default settings. */
static dls_status create_head(const dls_solver *real, head **made, dls_error *error)
{
    const size_t seconds_at = (real->fields.size + sizeof(double) - 1) / sizeof(double) * sizeof(double);
    head *h = calloc(1, sizeof *h + seconds_at + sizeof(double));
    if (h)
        h->fields = calloc(real->fields.count + 1, sizeof *h->fields);
    if (!h || !h->fields) {
        free(h);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the settings of %s", real->name);
    }
    h->real = real;
    h->seconds_at = seconds_at;
    stand_for(h);
    const dls_status status = dls_fields_default(&h->solver.fields, h->settings, error);
    if (status == DLS_OK)
        *made = h;
    else
        dls_separate_release(h);
    return status;
}

dls_status dls_separate_choose(const dls_solver *real, void *object, bool ours, dls_choice *choice, dls_error *error)
{
    head *h;
    const dls_status status = create_head(real, &h, error);
    if (status != DLS_OK) {
        dlclose(object);
        return status;
    }
    h->object = object;
    *choice = (dls_choice){ours ? real : &h->solver, h->settings, h};
    return DLS_OK;
}

dls_status dls_separate_move(dls_choice *choice, dls_error *error)
{
    head *h = choice->separate;
    if (!h) {
        DLS_TRY(create_head(choice->solver, &h, error));
        memcpy(h->settings, choice->settings, choice->solver->fields.size);
        free(choice->settings);
    }
    *choice = (dls_choice){&h->solver, h->settings, h};
    return DLS_OK;
}

void dls_separate_release(void *separate)
{
    head *h = separate;
    if (h->object)
        dlclose(h->object);
    free(h->fields);
    free(h);
}
