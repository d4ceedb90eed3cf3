/* A solver from a shared object that exports a dls_plugin (solver.h).
 *
 * Each problem is solved in a separate process, a fork of this one, which has the problem and the settings in memory:
 * one request is one iteration, and its record is the answer. Damaged memory, a crash, a hang or an exit ends only that
 * process, and is the outcome of this solve, with the reason. */
#include "plugin_solver.h"

#include "base/text.h"
#include "child.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char inside[] = "inside:", symbol[] = "dls_plugin_here";

/* A choice of this kind. The settings of the plugin stand at its end, and behind them the time limit. */
typedef struct head {
    void *object;
    const dls_solver *real;
    dls_solver solver; /* what stands for it */
    dls_field *fields; /* its own, and "seconds" */
    size_t seconds_at; /* offset of the time limit in the settings */
    char name[DLS_NAME_MAX];
    _Alignas(max_align_t) char settings[];
} head;

static const head *head_of(const void *settings)
{
    return (const head *)(const void *)((const char *)settings - offsetof(head, settings));
}

/* --- what goes through the socket --- */

/* The answer to a request; n impulses follow. */
typedef struct record {
    dls_status status;
    dls_outcome outcome;
    size_t iterations, factorizations, dead_rows;
    dls_proof proof;
    bool vector; /* whether a Farkas vector of n entries follows the impulses */
    char message[DLS_MESSAGE_MAX];
} record;

static bool send_all(int to, const void *data, size_t size)
{
    for (const char *at = data; size > 0;) {
        ssize_t sent = send(to, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        at += sent > 0 ? sent : 0;
        size -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

/* False at the end of the stream, or where `deadline` passes; then *late is set. */
static bool receive_all(int from, void *data, size_t size, double deadline, bool *late)
{
    for (char *at = data; size > 0;) {
        struct pollfd wait = {.fd = from, .events = POLLIN};
        const int patience = dls_child_patience(deadline);
        if (patience == 0) {
            *late = true;
            return false;
        }
        if (poll(&wait, 1, patience) <= 0)
            continue;
        ssize_t got = recv(from, at, size, 0);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        at += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* --- the child's side --- */

static bool answer(int to, dls_solver_work *kept, dls_status status, const dls_report *report, const dls_error *error,
                   double *lambda)
{
    record r = {.status = status,
                .outcome = report->outcome,
                .iterations = report->iterations,
                .factorizations = report->factorizations,
                .dead_rows = report->dead_rows,
                .proof = report->proof == DLS_PROOF_FARKAS && report->proof_vector ? DLS_PROOF_FARKAS : DLS_PROOF_NONE,
                .vector = report->proof == DLS_PROOF_FARKAS && report->proof_vector};
    snprintf(r.message, sizeof r.message, "%s", status == DLS_OK ? report->message : error->message);
    if (kept->work)
        kept->solver->read(kept->work, lambda);
    return send_all(to, &r, sizeof r) && send_all(to, lambda, kept->n * sizeof *lambda) &&
           (!r.vector || send_all(to, report->proof_vector, kept->n * sizeof *lambda));
}

/* Answers the opening, then every request, until the other side closes. */
static void serve(int socket, const head *of, const dls_problem *problem, const double *lambda0)
{
    dls_solver_work kept = {.solver = of->real, .settings = of->settings};
    dls_report report = {0};
    dls_error error = {.message = ""};
    double *lambda = calloc(problem->n + 1, sizeof *lambda);
    char request;
    if (!lambda)
        return;
    dls_status status = dls_solver_load(&kept, problem, lambda0, &report, &error);
    while (answer(socket, &kept, status, &report, &error, lambda) && recv(socket, &request, 1, 0) == 1)
        if (status == DLS_OK && report.outcome == DLS_OUTCOME_RUNNING)
            status = of->real->iterate(kept.work, &report, &error);
}

/* --- our side --- */

typedef struct work {
    const head *of;
    size_t n;
    dls_child child;
    double seconds; /* left of its time */
    double *lambda;
    char why[DLS_MESSAGE_MAX]; /* how the child ended, where that was not well */
} work;

static dls_status start(work *w, const dls_problem *problem, const double *lambda0, dls_error *error)
{
    int ends[2];
    if (!dls_child_pipes(&w->child) || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return dls_fail(error, DLS_IO, "no process for the solver '%s': %s", w->of->name, dls_system_text(errno));
    close(w->child.output[0]), close(w->child.output[1]); /* the socket takes their place */
    w->child.output[0] = ends[0], w->child.output[1] = ends[1];
    fflush(NULL); /* else an exit() of the solver writes once more what our streams hold */
    w->child.process = fork();
    if (w->child.process == 0) {
        setpgid(0, 0);
        dls_child_signals();
        fcntl(w->child.errors[1], F_SETFL, O_NONBLOCK); /* nobody reads while it works: what does not fit is lost */
        dup2(w->child.errors[1], 2);
        dup2(w->child.errors[1], 1); /* standard output is ours */
        close(ends[0]);
        serve(ends[1], w->of, problem, lambda0);
        _exit(0);
    }
    if (w->child.process < 0)
        return dls_fail(error, DLS_IO, "no process for the solver '%s': %s", w->of->name, dls_system_text(errno));
    setpgid(w->child.process, w->child.process);
    close(ends[1]);
    w->child.output[1] = -1;
    return DLS_OK;
}

/* The record of an answer, and its impulses. False where the child has ended, or is too late; then `why` says so. */
static bool receive(work *w, record *r, double **vector)
{
    const double begin = dls_wall_clock();
    const size_t bytes = w->n * sizeof *w->lambda;
    bool late = false;
    *vector = NULL;
    bool good = receive_all(w->child.output[0], r, sizeof *r, begin + w->seconds, &late) &&
                receive_all(w->child.output[0], w->lambda, bytes, begin + w->seconds, &late);
    if (good && r->vector) {
        *vector = calloc(w->n + 1, sizeof **vector);
        good = *vector && receive_all(w->child.output[0], *vector, bytes, begin + w->seconds, &late);
    }
    w->seconds -= dls_wall_clock() - begin;
    if (good)
        return true;
    free(*vector);
    *vector = NULL;
    dls_text rest = {0};
    dls_child_wait(&w->child, late ? 0.0 : 1.0, &rest, w->why, sizeof w->why);
    free(rest.at);
    if (late)
        snprintf(w->why, sizeof w->why, "no answer within its time limit: killed");
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
        shutdown(w->child.output[0], SHUT_WR);
        dls_child_wait(&w->child, 1.0, &rest, w->why, sizeof w->why);
    }
    dls_child_close(&w->child);
    free(rest.at);
    free(w->lambda);
    free(w);
}

static dls_status open_work(const dls_problem *problem, const void *settings, const double *lambda0, void **kept,
                            dls_error *error)
{
    work *w = calloc(1, sizeof *w);
    record r;
    double *vector;
    *kept = NULL;
    if (w)
        w->lambda = calloc(problem->n + 1, sizeof *w->lambda);
    if (!w || !w->lambda) {
        free(w);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", problem->n);
    }
    w->of = head_of(settings);
    w->n = problem->n;
    memcpy(&w->seconds, w->of->settings + w->of->seconds_at, sizeof w->seconds);
    dls_status status = start(w, problem, lambda0, error);
    if (status == DLS_OK && receive(w, &r, &vector)) {
        free(vector);
        status = r.status;
        if (status != DLS_OK || r.outcome == DLS_OUTCOME_REFUSED)
            status = dls_fail(error, status == DLS_OK ? DLS_REFUSED : status, "%s", r.message);
    }
    if (status != DLS_OK) {
        close_work(w);
        return status;
    }
    *kept = w; /* what went wrong in opening, without a word of the solver, is told by the first iteration */
    return DLS_OK;
}

static dls_status iterate(void *kept, dls_report *report, dls_error *error)
{
    work *w = kept;
    record r;
    double *vector;
    if (w->why[0] || !send_all(w->child.output[0], "i", 1) || !receive(w, &r, &vector)) {
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE, "%s",
                       w->why[0] ? w->why : "the solver's process is gone");
        return DLS_OK;
    }
    report->iterations = r.iterations;
    report->factorizations = r.factorizations;
    report->dead_rows = r.dead_rows;
    report->proof = r.proof;
    free(report->proof_vector);
    report->proof_vector = vector;
    if (r.status != DLS_OK)
        return dls_fail(error, r.status, "%s", r.message);
    dls_report_end(report, r.outcome, "%s", r.message);
    return DLS_OK;
}

static void read_impulses(const void *kept, double *lambda)
{
    const work *w = kept;
    memcpy(lambda, w->lambda, w->n * sizeof *lambda);
}

/* --- loading --- */

bool dls_is_plugin(const char *name) { return strchr(name, '/') != NULL; }

/* Whether every solver of the list, which is not empty, has what a solver must have. */
static bool is_complete(const dls_solver *const *solvers)
{
    if (!solvers || !solvers[0])
        return false;
    for (; *solvers; solvers++)
        if (!(*solvers)->name || !(*solvers)->summary || !(*solvers)->source || !(*solvers)->open ||
            !(*solvers)->iterate || !(*solvers)->read || !(*solvers)->close)
            return false;
    return true;
}

const dls_plugin *dls_plugin_load(const char *path, void **object, dls_error *error)
{
    *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*object) {
        dls_fail_at(error, DLS_IO, path, 0, 0, NULL, "cannot be loaded: %s", dlerror());
        return NULL;
    }
    const dls_plugin *plugin = dlsym(*object, symbol);
    const dls_plugin ours = DLS_PLUGIN_OF(NULL);
    if (!plugin)
        dls_fail_at(error, DLS_BAD_INPUT, path, 0, 0, NULL, "has no '%s': declare DLS_PLUGIN(its descriptor)", symbol);
    else if (plugin->version != ours.version || plugin->solver_size != ours.solver_size ||
             plugin->problem_size != ours.problem_size || plugin->report_size != ours.report_size)
        dls_fail_at(error, DLS_BAD_INPUT, path, 0, 0, NULL,
                    "was compiled for another delassus: compile it again with the headers of this one");
    else if (!is_complete(plugin->solvers))
        dls_fail_at(error, DLS_BAD_INPUT, path, 0, 0, NULL,
                    "a descriptor of it lacks name, summary, source, open, iterate, read or close");
    else
        return plugin;
    dlclose(*object);
    *object = NULL;
    return NULL;
}

/* The solver of that name; without one ("") the only solver. */
static const dls_solver *find(const dls_plugin *plugin, const char *path, const char *name, dls_error *error)
{
    char names[DLS_MESSAGE_MAX / 2] = "";
    size_t used = 0, count = 0;
    for (; plugin->solvers[count]; count++) {
        if (strcmp(plugin->solvers[count]->name, name) == 0)
            return plugin->solvers[count];
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, " %s", plugin->solvers[count]->name);
    }
    if (count == 1 && !*name)
        return plugin->solvers[0];
    dls_fail_at(error, DLS_BAD_INPUT, path, 0, 0, NULL, "%s; name one behind a colon, PATH:NAME:%s",
                *name ? "has no solver of that name" : "has several solvers", names);
    return NULL;
}

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
    h->solver.refresh = NULL;
    h->solver.velocity = NULL;
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

/* "PATH" or "PATH:NAME": the path into path[DLS_PATH_MAX], and the name, "" where there is none. */
static const char *split(const char *text, char *path)
{
    const char *slash = strrchr(text, '/'), *colon = strchr(slash ? slash : text, ':');
    snprintf(path, DLS_PATH_MAX, "%.*s", colon ? (int)(colon - text) : DLS_PATH_MAX - 1, text);
    return colon ? colon + 1 : "";
}

/* What stands for `real`, a solver of the object, which it takes over, after a failure too. */
static dls_status choose(const dls_solver *real, void *object, bool ours, dls_choice *choice, dls_error *error)
{
    const size_t seconds_at = (real->fields.size + sizeof(double) - 1) / sizeof(double) * sizeof(double);
    head *h = calloc(1, sizeof *h + seconds_at + sizeof(double));
    if (h)
        h->fields = calloc(real->fields.count + 1, sizeof *h->fields);
    if (!h || !h->fields) {
        free(h);
        dlclose(object);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the settings of %s", real->name);
    }
    h->object = object;
    h->real = real;
    h->seconds_at = seconds_at;
    snprintf(h->name, sizeof h->name, "%s", real->name);
    stand_for(h);
    *choice = (dls_choice){ours ? h->real : &h->solver, h->settings, h};
    return dls_fields_default(&choice->solver->fields, choice->settings, error);
}

dls_status dls_plugin_choose(const char *name, dls_choice *choice, dls_error *error)
{
    const bool ours = strncmp(name, inside, sizeof inside - 1) == 0;
    char path[DLS_PATH_MAX];
    const char *wanted = split(name + (ours ? sizeof inside - 1 : 0), path);
    void *object;
    *choice = (dls_choice){NULL, NULL, NULL};
    const dls_plugin *plugin = dls_plugin_load(path, &object, error);
    const dls_solver *real = plugin ? find(plugin, path, wanted, error) : NULL;
    if (!real) {
        if (plugin)
            dlclose(object);
        return error ? error->status : DLS_BAD_INPUT;
    }
    return choose(real, object, ours, choice, error);
}

void dls_plugin_release(void *plugin)
{
    head *h = plugin;
    dlclose(h->object);
    free(h->fields);
    free(h);
}
