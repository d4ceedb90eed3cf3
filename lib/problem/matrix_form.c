/* The matrix form of a problem: A = J M^-1 J^T + Gamma and b = J v* - c as numbers, the rows as they are.
 *
 * Column j of A is J x, M x = J_j^T. The two halves, which differ by rounding, become their mean, since A is symmetric.
 */
#include "problem_store.h"

#include "base/arithmetic.h"

#include <math.h>
#include <string.h>

enum { ROWS_MAX = 16384 /* a matrix of 2 GiB */ };

static void form_matrix(const dls_problem *p, double *A, double *x, double *scratch)
{
    const size_t n = p->n;
    for (size_t j = 0; j < n; j++) {
        memset(x, 0, p->nv * sizeof *x);
        (void)dls_rows_response(&p->J, &p->mass, j, x, scratch);
        for (size_t i = 0; i < n; i++)
            A[i + n * j] = dls_rows_dot(&p->J, i, x);
    }
    for (size_t j = 0; j < n; j++) {
        A[j + n * j] += p->gamma[j];
        for (size_t i = j + 1; i < n; i++)
            A[i + n * j] = A[j + n * i] = 0.5 * A[i + n * j] + 0.5 * A[j + n * i];
    }
}

static void copy_matrix(const dls_problem *p, double *A)
{
    const size_t n = p->n;
    memset(A, 0, n * n * sizeof *A);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
            for (size_t c = p->J.coef_at[k]; c < p->J.coef_at[k + 1]; c++)
                A[i + n * (p->J.offset[k] + c - p->J.coef_at[k])] = p->J.coef[c];
        A[i + n * i] += p->gamma[i];
    }
}

dls_status dls_problem_matrix_form(const dls_problem *p, dls_problem **matrix, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    const size_t n = p->n;
    dls_arena work = {0};
    *matrix = NULL;
    if (n > ROWS_MAX)
        return dls_fail(error, DLS_REFUSED, "A of %zu rows would be dense; at most %d rows are formed", n, ROWS_MAX);
    double *A = DLS_TAKE(&work, double, n *n), *b = DLS_TAKE(&work, double, n), *x = DLS_TAKE(&work, double, p->nv),
           *scratch = DLS_TAKE(&work, double, p->nv);
    dls_status status = work.failed ? dls_fail(error, DLS_NO_MEMORY, "no memory for a matrix of %zu rows", n) : DLS_OK;
    if (status == DLS_OK) {
        if (p->form == DLS_FORM_MATRIX)
            copy_matrix(p, A);
        else
            form_matrix(p, A, x, scratch);
        for (size_t i = 0; i < n; i++)
            b[i] = (p->form == DLS_FORM_MATRIX ? 0.0 : dls_rows_dot(&p->J, i, p->v_star)) - p->c[i];
        status = dls_problem_from_matrix(n, A, b, p->lo, p->hi, matrix, error);
    }
    dls_arena_release(&work);
    if (status == DLS_OK)
        status = dls_problem_copy_rows(p, NULL, *matrix, error);
    if (status == DLS_OK)
        return DLS_OK;
    dls_problem_destroy(*matrix);
    *matrix = NULL;
    return status;
}
