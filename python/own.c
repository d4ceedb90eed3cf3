/* Solvers written in Python: a descriptor (solver.h) whose iterations are calls of a Python object.
 *
 * begin(problem, start) is called for each problem and returns a function; each call of that is one iteration, and
 * returns (n impulses, or None where there are no more; whether that was the last). An exception that it raises ends
 * the solve, and is raised again where the solve was called: exceptions pass through the library as a failed call. The
 * problem is lent for the time of the solve.
 */
#include "parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct py_own {
    dls_solver solver;
    char name[DLS_NAME_MAX];
    PyObject *begin;
    PyObject *raised[3]; /* type, value, traceback; NULL: nothing */
    struct work *works;  /* that are open */
} py_own;

typedef struct work {
    py_own *of;
    struct work *next_of_own, **link; /* its place in that list */
    PyObject *problem, *next;
    size_t n;
    double lambda[]; /* n */
} work;

/* Keeps the exception that is set, the first one of a call. */
static dls_status keep_exception(py_own *own, dls_error *error)
{
    PyObject *raised[3];
    PyErr_Fetch(&raised[0], &raised[1], &raised[2]);
    const bool first = !own->raised[0];
    for (int i = 0; i < 3; i++) {
        if (first)
            own->raised[i] = raised[i];
        else
            Py_XDECREF(raised[i]);
    }
    return dls_fail(error, DLS_BAD_INPUT, "the solver %s raised an exception", own->name);
}

bool py_own_raise(py_own *own)
{
    if (!own->raised[0])
        return false;
    PyErr_Restore(own->raised[0], own->raised[1], own->raised[2]);
    memset(own->raised, 0, sizeof own->raised);
    return true;
}

PyObject *py_raise_of(PyObject *const *choices, Py_ssize_t count, const dls_error *error)
{
    bool raised = false;
    for (Py_ssize_t i = 0; i < count; i++) {
        py_own *own = ((py_choice *)choices[i])->own;
        if (own && raised) /* of several, the first */
            for (int k = 0; k < 3; k++)
                Py_CLEAR(own->raised[k]);
        else if (own)
            raised = py_own_raise(own);
    }
    return raised ? NULL : py_raise(error);
}

/* --- the descriptor's functions, called without Python's lock --- */

static void close_work(void *kept)
{
    work *w = kept;
    if (!w)
        return;
    PyGILState_STATE state = PyGILState_Ensure();
    *w->link = w->next_of_own;
    if (w->next_of_own)
        w->next_of_own->link = w->link;
    py_problem_end(w->problem);
    Py_XDECREF(w->problem);
    Py_XDECREF(w->next);
    PyGILState_Release(state);
    free(w);
}

static dls_status begin(work *w, const dls_problem *problem, dls_error *error)
{
    PyGILState_STATE state = PyGILState_Ensure();
    dls_status status = DLS_OK;
    w->link = &w->of->works;
    w->next_of_own = w->of->works;
    if (w->next_of_own)
        w->next_of_own->link = &w->next_of_own;
    w->of->works = w;
    PyObject *start = py_array(w->lambda, w->n);
    w->problem = py_problem_lend(problem);
    if (start && w->problem)
        w->next = PyObject_CallFunctionObjArgs(w->of->begin, w->problem, start, NULL);
    if (!w->next)
        status = keep_exception(w->of, error);
    Py_XDECREF(start);
    PyGILState_Release(state);
    return status;
}

static dls_status open_work(const dls_problem *problem, const void *settings, const double *lambda0, void **kept,
                            dls_error *error)
{
    work *w = *kept = calloc(1, sizeof *w + (problem->n + 1) * sizeof w->lambda[0]);
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", problem->n);
    w->of = (py_own *)(uintptr_t)settings;
    w->n = problem->n;
    if (lambda0)
        memcpy(w->lambda, lambda0, w->n * sizeof *lambda0);
    dls_status status = begin(w, problem, error);
    if (status != DLS_OK) {
        close_work(w);
        *kept = NULL;
    }
    return status;
}

/* The answer of one call: True where it was taken apart, else an exception is set. */
static bool take_answer(work *w, PyObject *answer, dls_report *report)
{
    PyObject *impulses;
    int last;
    py_vector x;
    if (!PyArg_ParseTuple(answer, "Op", &impulses, &last))
        return false;
    if (impulses != Py_None) {
        if (!py_doubles(impulses, "an iterate", (Py_ssize_t)w->n, false, &x))
            return false;
        if (w->n > 0)
            memcpy(w->lambda, x.at, w->n * sizeof *x.at);
        PyBuffer_Release(&x.view);
        report->iterations++;
    }
    if (last)
        dls_report_end(report, DLS_OUTCOME_SOLVED, "%s", "");
    return true;
}

static dls_status iterate(void *kept, dls_report *report, dls_error *error)
{
    work *w = kept;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *answer = PyErr_CheckSignals() == 0 ? PyObject_CallFunctionObjArgs(w->next, NULL) : NULL;
    dls_status status = answer && take_answer(w, answer, report) ? DLS_OK : keep_exception(w->of, error);
    Py_XDECREF(answer);
    PyGILState_Release(state);
    return status;
}

static void read_impulses(const void *kept, double *lambda)
{
    const work *w = kept;
    memcpy(lambda, w->lambda, w->n * sizeof *lambda);
}

/* --- a choice --- */

py_own *py_own_create(const char *name, unsigned accepts, PyObject *start)
{
    py_own *own = calloc(1, sizeof *own);
    if (!own)
        return (py_own *)(void *)PyErr_NoMemory();
    snprintf(own->name, sizeof own->name, "%s", name);
    Py_INCREF(start);
    own->begin = start;
    own->solver = (dls_solver){.name = own->name,
                               .summary = "a solver written in Python",
                               .source = "",
                               .kind = DLS_SOLVER_ITERATIVE,
                               .accepts = accepts | DLS_CALL_ONCE,
                               .fields = {NULL, 0, 1},
                               .open = open_work,
                               .iterate = iterate,
                               .read = read_impulses,
                               .close = close_work};
    return own;
}

void py_own_destroy(py_own *own)
{
    for (int i = 0; i < 3; i++)
        Py_XDECREF(own->raised[i]);
    Py_XDECREF(own->begin);
    free(own);
}

int py_own_traverse(py_own *own, visitproc visit, void *arg)
{
    Py_VISIT(own->begin);
    for (int i = 0; i < 3; i++)
        Py_VISIT(own->raised[i]);
    for (work *w = own->works; w; w = w->next_of_own)
        Py_VISIT(w->next);
    return 0;
}

void py_own_clear(py_own *own)
{
    Py_CLEAR(own->begin);
    for (work *w = own->works; w; w = w->next_of_own)
        Py_CLEAR(w->next);
}

dls_choice py_own_choice(py_own *own) { return (dls_choice){&own->solver, own, NULL}; }
