/* Several solvers on one problem, every iterate measured against the reference: histories, rates, tables and a figure.
 */
#include "parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- results --- */

static PyObject *figures_of(const dls_comparison *c)
{
    double *at;
    PyObject *array = py_room(c->count * py_figure_count(), &at);
    for (size_t i = 0; array && i < c->count; i++)
        py_figures_of(&c->figures[i], at + i * py_figure_count());
    return array;
}

static PyObject *one(const dls_comparison *c)
{
    PyObject *dict =
        Py_BuildValue("{s:s,s:s,s:n,s:d,s:n,s:d,s:d,s:d,s:d,s:n,s:n,s:n,s:d,s:d,s:s,s:s}", "solver", c->solver->name,
                      "outcome", dls_outcome_text(c->outcome), "iterations", (Py_ssize_t)c->iterations, "seconds",
                      c->seconds, "count", (Py_ssize_t)c->count, "spectral_radius", c->spectral_radius,
                      "predicted_rate", c->predicted_rate, "rate_within", c->rate_within, "fitted_rate", c->fitted_rate,
                      "fit_first", (Py_ssize_t)c->fit_first, "fit_end", (Py_ssize_t)c->fit_end, "bounds_settled",
                      (Py_ssize_t)c->bounds_settled, "iterations_to_1e6", dls_comparison_reached(c), "row_visits",
                      c->row_visits, "prediction", dls_rate_words[c->word], "fit", dls_fit_words[c->fit]);
    if (dict && (!py_put(dict, "last_row", py_text(c->last_row)) || !py_put(dict, "message", py_text(c->message)) ||
                 !py_put(dict, "no_rate", py_text(c->no_rate ? c->no_rate : "")) ||
                 !py_put(dict, "distance", py_array(c->distance, c->count)) || !py_put(dict, "history", figures_of(c))))
        Py_CLEAR(dict);
    return dict;
}

static PyObject *all(const dls_comparisons *found)
{
    PyObject *list = PyList_New(0);
    for (size_t k = 0; list && k < found->count; k++)
        py_append(&list, one(&found->of[k]));
    return Py_BuildValue("sddN", found->reference->name, found->reference_residual, found->reference_bound, list);
}

/* --- the call --- */

typedef struct task {
    PyObject **objects;          /* count, borrowed from the list */
    dls_choice *choices, *heard; /* as they are, and so that they hear an interrupt */
    py_watched *watched;
    Py_ssize_t count;
    py_watch watch;
} task;

static bool gather(PyObject *list, task *t)
{
    t->count = PyList_GET_SIZE(list);
    t->watch.last = py_seconds();
    const size_t room = (size_t)t->count + 1;
    t->objects = calloc(room, sizeof *t->objects);
    t->choices = calloc(room, sizeof *t->choices);
    t->heard = calloc(room, sizeof *t->heard);
    t->watched = calloc(room, sizeof *t->watched);
    if (!t->objects || !t->choices || !t->heard || !t->watched) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < t->count; i++) {
        PyObject *choice = PyList_GET_ITEM(list, i);
        if (!PyObject_TypeCheck(choice, &py_choice_type)) {
            PyErr_SetString(PyExc_TypeError, "a list of choices is needed");
            return false;
        }
        t->objects[i] = choice;
        t->choices[i] = ((py_choice *)choice)->choice;
        t->heard[i] = py_watched_choice(&t->watched[i], &t->choices[i], &t->watch);
    }
    return true;
}

/* compare(problem, [choice], iterations, enough, output or None, stem, command, figure)
 * -> (reference, its residual, its bound, [dict of each solver]) */
PyObject *py_compare(PyObject *module, PyObject *arguments)
{
    PyObject *problem, *list, *result = NULL;
    task t = {.count = 0};
    dls_job job = {0};
    const char *stem;
    Py_ssize_t iterations;
    double enough;
    int figure;
    dls_comparisons found = {.of = NULL};
    dls_error error;
    dls_status status;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!ndzssp", &py_problem_type, &problem, &PyList_Type, &list, &iterations,
                          &enough, &job.output, &stem, &job.command, &figure))
        return NULL;
    const dls_problem *p = py_problem_use((py_problem *)problem);
    if (!p)
        return NULL;
    Py_INCREF(list);
    if (gather(list, &t)) {
        Py_BEGIN_ALLOW_THREADS;
        status = dls_compare(p, t.heard, (size_t)t.count, (size_t)iterations, enough, &found, &error);
        if (status == DLS_OK && job.output)
            status = dls_comparisons_save(&job, stem, t.choices, (size_t)t.count, &found, figure, &error);
        Py_END_ALLOW_THREADS;
        if (status == DLS_OK)
            result = all(&found);
        else if (!t.watch.stopped)
            py_raise_of(t.objects, t.count, &error);
    }
    dls_comparisons_release(&found);
    free(t.objects);
    free(t.choices);
    free(t.heard);
    free(t.watched);
    Py_DECREF(list);
    py_problem_leave((py_problem *)problem);
    return result;
}
