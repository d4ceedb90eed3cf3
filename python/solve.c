/* One solve with its history, and the examiner's word on any impulses. */
#include "parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- interrupts --- */

double py_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool py_watch_go_on(py_watch *watch)
{
    const double now = py_seconds();
    if (watch->stopped || now - watch->last < 0.1)
        return !watch->stopped;
    watch->last = now;
    PyGILState_STATE state = PyGILState_Ensure();
    watch->stopped = PyErr_CheckSignals() != 0;
    PyGILState_Release(state);
    return !watch->stopped;
}

/* --- figures --- */

#define FIGURE(member)                             \
    {                                              \
#member, offsetof(dls_certificate, member) \
    }
static const struct {
    const char *name;
    size_t offset;
} figures[] = {FIGURE(natural_residual),
               FIGURE(natural_residual_velocity),
               FIGURE(natural_residual_impulse),
               FIGURE(impulse_residual),
               FIGURE(velocity_residual),
               FIGURE(scaled_residual),
               FIGURE(least_residual),
               FIGURE(data_residual),
               FIGURE(inconsistent),
               FIGURE(bound_violation),
               FIGURE(cone_violation),
               FIGURE(complementarity_gap),
               FIGURE(friction_dissipation),
               FIGURE(objective),
               FIGURE(w_max)};
enum { FIGURE_COUNT = sizeof figures / sizeof figures[0] };
_Static_assert(sizeof(dls_certificate) == FIGURE_COUNT * sizeof(double) + sizeof(size_t),
               "every figure of the certificate, and the worst row");

size_t py_figure_count(void) { return FIGURE_COUNT; }

const char *py_figure_name(size_t index) { return figures[index].name; }

void py_figures_of(const dls_certificate *c, double *to)
{
    for (size_t i = 0; i < FIGURE_COUNT; i++)
        memcpy(&to[i], (const char *)c + figures[i].offset, sizeof to[i]);
}

static PyObject *figures_dict(const dls_certificate *c)
{
    double values[FIGURE_COUNT];
    PyObject *dict = PyDict_New();
    py_figures_of(c, values);
    for (size_t i = 0; dict && i < FIGURE_COUNT; i++)
        if (!py_put(dict, figures[i].name, PyFloat_FromDouble(values[i])))
            Py_CLEAR(dict);
    if (dict &&
        !py_put(dict, "worst_row", c->worst_row == DLS_NONE ? Py_BuildValue("") : PyLong_FromSize_t(c->worst_row)))
        Py_CLEAR(dict);
    return dict;
}

static const char *const bounds_kinds[] = {
    [DLS_BOUNDS_NONE] = "none",     [DLS_BOUNDS_BACKWARD] = "backward",     [DLS_BOUNDS_INDEPENDENT] = "independent",
    [DLS_BOUNDS_EXISTS] = "exists", [DLS_BOUNDS_ACTIVE_SET] = "active-set", [DLS_BOUNDS_VELOCITY] = "velocity"};

static PyObject *bounds_dict(const dls_bounds *b, size_t n)
{
    const bool there = b->radius_lambda && b->radius_w;
    PyObject *dict = Py_BuildValue("{s:s,s:N,s:d,s:d,s:d,s:n,s:d,s:d,s:d,s:n,s:n,s:n}", "kind", bounds_kinds[b->kind],
                                   "unique", PyBool_FromLong(b->unique), "impulses", b->lambda, "w", b->w, "velocity",
                                   b->velocity, "dependent", (Py_ssize_t)b->dependent, "inconsistent", b->inconsistent,
                                   "b_off", b->b_off, "mu_off", b->mu_off, "between", (Py_ssize_t)b->between,
                                   "at_bound", (Py_ssize_t)b->at_bound, "undecided", (Py_ssize_t)b->undecided);
    if (dict && (!py_put(dict, "text", py_text(b->text)) ||
                 !py_put(dict, "radius_impulses", there ? py_array(b->radius_lambda, n) : Py_BuildValue("")) ||
                 !py_put(dict, "radius_w", there ? py_array(b->radius_w, n) : Py_BuildValue(""))))
        Py_CLEAR(dict);
    return dict;
}

static const char *const proofs[] = {[DLS_PROOF_NONE] = "none",
                                     [DLS_PROOF_FARKAS] = "farkas",
                                     [DLS_PROOF_ENUMERATION] = "enumeration",
                                     [DLS_PROOF_EXACT] = "exact",
                                     [DLS_PROOF_CERTIFICATE] = "certificate"};

PyObject *py_report(const dls_report *r, size_t n)
{
    PyObject *dict = Py_BuildValue(
        "{s:s,s:n,s:n,s:d,s:n,s:d,s:s,s:n,s:z}", "outcome", dls_outcome_text(r->outcome), "iterations",
        (Py_ssize_t)r->iterations, "factorizations", (Py_ssize_t)r->factorizations, "row_visits", r->row_visits,
        "dead_rows", (Py_ssize_t)r->dead_rows, "inconsistent", r->inconsistent, "proof", proofs[r->proof],
        "n_solutions", r->solutions ? (Py_ssize_t)r->n_solutions : (Py_ssize_t)0, "fractions", r->fractions);
    if (dict &&
        (!py_put(dict, "message", py_text(r->message)) ||
         !py_put(dict, "proof_vector", r->proof_vector ? py_array(r->proof_vector, n) : Py_BuildValue("")) ||
         !py_put(dict, "solutions", r->solutions ? py_array(r->solutions, r->n_solutions * n) : Py_BuildValue(""))))
        Py_CLEAR(dict);
    return dict;
}

/* --- a solve --- */

typedef struct task {
    const dls_problem *p;
    dls_choice choice;
    dls_examiner *examiner;
    Py_ssize_t limit;
    double tolerance, enough; /* scaled residuals: of a solution, and with which an iterative solver ends */
    bool own;                 /* the solver is written in Python */
    int certify, keep_figures, keep_iterates;
    double *lambda; /* n: the start, then the answer */
    double *w, *v;  /* n; 2 nv, half of it scratch */
    double *figures, *iterates;
    size_t count, room; /* of iterates */
    bool no_memory;
    py_watch watch;
    dls_certificate certificate;
    dls_bounds bounds;
    dls_report report;
    dls_sentence sentence;
    double total; /* [s] */
} task;

static bool grow(double **at, size_t numbers)
{
    double *more = numbers <= SIZE_MAX / sizeof *more ? realloc(*at, numbers * sizeof *more) : NULL;
    *at = more ? more : *at;
    return more;
}

static bool record(task *t, const double *lambda)
{
    const size_t n = t->p->n;
    if (t->count == t->room) {
        const size_t room = 2 * t->room + 64;
        if ((t->keep_figures && !grow(&t->figures, room * FIGURE_COUNT)) ||
            (t->keep_iterates && !grow(&t->iterates, room * n + 1)))
            return false;
        t->room = room;
    }
    if (t->keep_figures) {
        dls_examine(t->examiner, lambda, NULL, &t->certificate);
        py_figures_of(&t->certificate, t->figures + t->count * FIGURE_COUNT);
    }
    if (t->keep_iterates && n > 0)
        memcpy(t->iterates + t->count * n, lambda, n * sizeof *lambda);
    t->count++;
    return true;
}

static bool observe(void *context, const double *lambda, const dls_report *report)
{
    task *t = context;
    (void)report;
    if ((t->keep_figures || t->keep_iterates) && !record(t, lambda)) {
        t->no_memory = true;
        return false;
    }
    return py_watch_go_on(&t->watch);
}

static dls_status criteria(task *t, dls_error *error)
{
    const dls_criteria last_word = {t->p, t->examiner, t->tolerance, t->certify ? DLS_CERTIFY_ROWS : 0};
    dls_examine(t->examiner, t->lambda, t->w, &t->certificate);
    dls_problem_velocity(t->p, t->lambda, t->v, t->v + t->p->nv);
    DLS_TRY(dls_decide_outcome(&last_word, t->lambda, &t->certificate, &t->bounds, &t->report, error));
    t->sentence = dls_sentence_of(&last_word, t->lambda, t->w, &t->certificate, &t->bounds, &t->report, 0);
    return DLS_OK;
}

static dls_status prepare(task *t, dls_error *error)
{
    t->w = calloc(t->p->n + 1, sizeof *t->w);
    t->v = calloc(2 * t->p->nv + 1, sizeof *t->v);
    if (!t->w || !t->v)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", t->p->n);
    return dls_examiner_create(t->p, &t->examiner, error);
}

static dls_status solve(task *t, dls_error *error)
{
    const bool recorded = t->keep_figures || t->keep_iterates;
    DLS_TRY(prepare(t, error));
    dls_stop stop = {.examiner = t->enough >= 0.0 ? t->examiner : NULL,
                     .tolerance = t->enough,
                     .limit = (size_t)t->limit,
                     .timed = true,
                     .observer = observe,
                     .context = t};
    if (recorded && !record(t, t->lambda))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the history");
    const double start = py_seconds();
    DLS_TRY(dls_solve_until(&t->choice, t->p, &stop, t->lambda, &t->report, error));
    if (t->no_memory)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the history");
    if (recorded && t->choice.solver->kind == DLS_SOLVER_ITERATIVE)
        t->count = stop.iterates + 1; /* the start, and up to the answer */
    const dls_status status = t->watch.stopped ? DLS_OK : criteria(t, error);
    t->total = py_seconds() - start;
    return status;
}

static void release_task(task *t)
{
    dls_report_release(&t->report);
    dls_bounds_release(&t->bounds);
    dls_examiner_destroy(t->examiner);
    free(t->w);
    free(t->v);
    free(t->figures);
    free(t->iterates);
}

static PyObject *sentence_tuple(const dls_sentence *of)
{
    return Py_BuildValue("NNdN", py_text(of->text), PyBool_FromLong(of->proved), of->by,
                         of->row == DLS_NONE ? Py_BuildValue("") : PyLong_FromSize_t(of->row));
}

static PyObject *give_answer(const task *t)
{
    const size_t n = t->p->n;
    PyObject *dict = py_report(&t->report, n);
    if (dict &&
        (!py_put(dict, "seconds", PyFloat_FromDouble(t->report.seconds)) ||
         !py_put(dict, "total_seconds", PyFloat_FromDouble(t->total)) || !py_put(dict, "w", py_array(t->w, n)) ||
         !py_put(dict, "velocity", py_array(t->v, t->p->nv)) ||
         !py_put(dict, "figures", figures_dict(&t->certificate)) ||
         !py_put(dict, "sentence", sentence_tuple(&t->sentence)) ||
         !py_put(dict, "bounds", bounds_dict(&t->bounds, n)) || !py_put(dict, "count", PyLong_FromSize_t(t->count)) ||
         !py_put(dict, "history",
                 t->keep_figures ? py_array(t->figures, t->count * FIGURE_COUNT) : Py_BuildValue("")) ||
         !py_put(dict, "iterates", t->keep_iterates ? py_array(t->iterates, t->count * n) : Py_BuildValue(""))))
        Py_CLEAR(dict);
    return dict;
}

/* solve(problem, choice, impulses (the start, overwritten), limit, tolerance, enough, certify, figures, iterates) */
PyObject *py_solve(PyObject *module, PyObject *arguments)
{
    PyObject *problem, *choice, *impulses, *result = NULL;
    task t = {.watch = {.last = py_seconds()}};
    py_vector x;
    dls_error error;
    dls_status status;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!Onddppp", &py_problem_type, &problem, &py_choice_type, &choice, &impulses,
                          &t.limit, &t.tolerance, &t.enough, &t.certify, &t.keep_figures, &t.keep_iterates))
        return NULL;
    if (t.limit < 0)
        return PyErr_Format(PyExc_ValueError, "iterations must not be negative");
    t.p = py_problem_use((py_problem *)problem);
    if (!t.p)
        return NULL;
    if (!py_doubles(impulses, "the start", (Py_ssize_t)t.p->n, true, &x)) {
        py_problem_leave((py_problem *)problem);
        return NULL;
    }
    t.choice = ((py_choice *)choice)->choice;
    t.lambda = x.at;
    Py_BEGIN_ALLOW_THREADS;
    status = solve(&t, &error);
    Py_END_ALLOW_THREADS;
    if (status != DLS_OK)
        py_raise_of(&choice, 1, &error);
    else if (!t.watch.stopped)
        result = give_answer(&t);
    release_task(&t);
    PyBuffer_Release(&x.view);
    py_problem_leave((py_problem *)problem);
    return result;
}

/* --- the examiner alone --- */

/* examine(problem, impulses, tolerance, certify) */
PyObject *py_examine(PyObject *module, PyObject *arguments)
{
    PyObject *problem, *impulses, *result = NULL;
    task t = {.count = 0};
    py_vector x;
    dls_error error;
    dls_status status;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!Odp", &py_problem_type, &problem, &impulses, &t.tolerance, &t.certify))
        return NULL;
    t.p = py_problem_use((py_problem *)problem);
    if (!t.p)
        return NULL;
    if (py_doubles(impulses, "the impulses", (Py_ssize_t)t.p->n, false, &x)) {
        t.lambda = x.at;
        Py_BEGIN_ALLOW_THREADS;
        status = prepare(&t, &error);
        if (status == DLS_OK) {
            dls_report_end(&t.report, DLS_OUTCOME_SOLVED, "%s", "");
            status = criteria(&t, &error);
        }
        Py_END_ALLOW_THREADS;
        result = status == DLS_OK ? give_answer(&t) : py_raise(&error);
        release_task(&t);
        PyBuffer_Release(&x.view);
    }
    py_problem_leave((py_problem *)problem);
    return result;
}

/* The impulses nearest to a reference's that make a velocity: (impulses, the part of v that none makes). */
static dls_status behind(const dls_problem *p, const double *v, double *lambda, double *left, dls_error *error)
{
    dls_examiner *examiner = NULL;
    dls_reference_solution *reference = NULL;
    DLS_TRY(dls_examiner_create(p, &examiner, error));
    dls_status status = dls_reference_solution_create(p, examiner, NULL, 1e-12, &reference, error);
    if (status == DLS_OK)
        status = dls_impulses_of_velocity(p, v, reference->lambda, lambda, left, error);
    dls_reference_solution_destroy(reference);
    dls_examiner_destroy(examiner);
    return status;
}

PyObject *py_impulses_of_velocity(PyObject *module, PyObject *arguments)
{
    PyObject *problem, *velocity, *impulses = NULL;
    py_vector v;
    double *lambda, left;
    dls_error error;
    dls_status status;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O", &py_problem_type, &problem, &velocity))
        return NULL;
    const dls_problem *p = py_problem_use((py_problem *)problem);
    if (!p)
        return NULL;
    if (p->form == DLS_FORM_MATRIX) {
        py_raise_text(DLS_REFUSED, "a problem in matrix form has no velocities; give impulses");
    } else if (py_doubles(velocity, "the velocity", (Py_ssize_t)p->nv, false, &v)) {
        impulses = py_room(p->n, &lambda);
        if (impulses) {
            Py_BEGIN_ALLOW_THREADS;
            status = behind(p, v.at, lambda, &left, &error);
            Py_END_ALLOW_THREADS;
            if (status != DLS_OK) {
                Py_CLEAR(impulses);
                py_raise(&error);
            }
        }
        PyBuffer_Release(&v.view);
    }
    py_problem_leave((py_problem *)problem);
    return impulses ? Py_BuildValue("Nd", impulses, left) : NULL;
}

/* reference(problem, good enough) -> the name of the direct method whose answer is the reference
 * (dls_reference_solution_create) */
PyObject *py_reference(PyObject *module, PyObject *arguments)
{
    PyObject *problem, *name = NULL;
    double good_enough;
    dls_examiner *examiner = NULL;
    dls_reference_solution *reference = NULL;
    dls_error error;
    dls_status status;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!d", &py_problem_type, &problem, &good_enough))
        return NULL;
    const dls_problem *p = py_problem_use((py_problem *)problem);
    if (!p)
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = dls_examiner_create(p, &examiner, &error);
    if (status == DLS_OK)
        status = dls_reference_solution_create(p, examiner, NULL, good_enough, &reference, &error);
    Py_END_ALLOW_THREADS;
    name = status == DLS_OK ? py_text(reference->solver->name) : py_raise(&error);
    dls_reference_solution_destroy(reference);
    dls_examiner_destroy(examiner);
    py_problem_leave((py_problem *)problem);
    return name;
}

/* velocities(problem, tolerance) -> (count, impulses of each): several values of v+ under friction. */
PyObject *py_velocities(PyObject *module, PyObject *arguments)
{
    PyObject *problem, *result = NULL;
    double tolerance;
    dls_examiner *examiner = NULL;
    dls_velocities found = {0, NULL};
    dls_error error;
    dls_status status;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!d", &py_problem_type, &problem, &tolerance))
        return NULL;
    const dls_problem *p = py_problem_use((py_problem *)problem);
    if (!p)
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = dls_examiner_create(p, &examiner, &error);
    if (status == DLS_OK)
        status = dls_velocities_find(p, examiner, tolerance, &found, &error);
    dls_examiner_destroy(examiner);
    Py_END_ALLOW_THREADS;
    if (status == DLS_OK)
        result = Py_BuildValue("nN", (Py_ssize_t)found.count, py_array(found.lambda, found.count * p->n));
    else
        py_raise(&error);
    dls_velocities_release(&found);
    py_problem_leave((py_problem *)problem);
    return result;
}
