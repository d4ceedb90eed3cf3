/* Statements about problems that others can check. */
#include "parts.h"

static const char *const kinds[] = {[DLS_STATEMENT_NONE] = "none",         [DLS_STATEMENT_SOLUTION] = "solution",
                                    [DLS_STATEMENT_SEVERAL] = "several",   [DLS_STATEMENT_CONTINUUM] = "continuum",
                                    [DLS_STATEMENT_ALL] = "all",           [DLS_STATEMENT_VELOCITY] = "velocity",
                                    [DLS_STATEMENT_BACKWARD] = "backward", [DLS_STATEMENT_STATES] = "states"};

static dls_status make_statement(const dls_problem *p, const double *lambda, const double *y, const char *path,
                                 char name[DLS_PROBLEM_NAME], dls_statement **statement, dls_error *error)
{
    DLS_TRY(dls_problem_name(p, name, error));
    DLS_TRY(dls_statement_create(p, lambda, y, NULL, statement, error));
    return path && dls_statement_kind_of(*statement) != DLS_STATEMENT_NONE
               ? dls_statement_write(*statement, path, error)
               : DLS_OK;
}

/* certify(problem, impulses or None, farkas or None, path or None): (kind, text, name of the problem) */
PyObject *py_certify(PyObject *module, PyObject *arguments)
{
    PyObject *problem, *impulses, *farkas, *result = NULL;
    const char *path;
    char name[DLS_PROBLEM_NAME];
    dls_error error;
    dls_status status = DLS_OK;
    py_vector x = {.at = NULL}, y = {.at = NULL};
    dls_statement *statement = NULL;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!OOz", &py_problem_type, &problem, &impulses, &farkas, &path))
        return NULL;
    const dls_problem *p = py_problem_use((py_problem *)problem);
    if (!p)
        return NULL;
    const Py_ssize_t n = (Py_ssize_t)p->n;
    const bool given = impulses != Py_None && py_doubles(impulses, "the impulses", n, false, &x);
    const bool proof = farkas != Py_None && py_doubles(farkas, "the Farkas vector", n, false, &y);
    if (given == (impulses != Py_None) && proof == (farkas != Py_None)) {
        Py_BEGIN_ALLOW_THREADS;
        status = make_statement(p, x.at, y.at, path, name, &statement, &error);
        Py_END_ALLOW_THREADS;
        result = status == DLS_OK ? Py_BuildValue("sNs", kinds[dls_statement_kind_of(statement)],
                                                  py_text(dls_statement_text(statement)), name)
                                  : py_raise(&error);
        dls_statement_destroy(statement);
    }
    if (given)
        PyBuffer_Release(&x.view);
    if (proof)
        PyBuffer_Release(&y.view);
    py_problem_leave((py_problem *)problem);
    return result;
}
