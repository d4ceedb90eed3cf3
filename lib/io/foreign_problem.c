/* Problems from the matrices of other projects' files. */
#include "foreign.h"

#include "file.h"
#include "problem/problem_store.h"

/* The nonzeros of a matrix as runs of adjacent columns of a row. With J NULL they are counted alone. */
typedef struct runs {
    dls_rows *J;
    size_t row, behind; /* of the entry before: its row, and the column behind it */
    size_t count, nonzeros;
} runs;

static void put_run_entry(void *context, size_t row, size_t column, double value)
{
    runs *r = context;
    if (r->nonzeros == 0 || row != r->row || column != r->behind) {
        if (r->J)
            r->J->offset[r->count] = column, r->J->coef_at[r->count] = r->nonzeros;
        r->count++;
    }
    if (r->J) {
        r->J->start[row + 1] = r->count;
        r->J->coef[r->nonzeros] = value;
    }
    r->nonzeros++, r->row = row, r->behind = column + 1;
}

static runs put_runs(const dls_foreign_matrix *A, dls_rows *J)
{
    runs r = {.J = J};
    dls_foreign_each(A, put_run_entry, &r);
    for (size_t i = 0; J && i < A->rows; i++) /* rows of zeros alone */
        if (J->start[i + 1] < J->start[i])
            J->start[i + 1] = J->start[i];
    if (J)
        J->coef_at[r.count] = r.nonzeros;
    return r;
}

static dls_status local_problem(const dls_foreign *from, const char *file, dls_problem **problem, dls_error *error)
{
    const size_t n = from->A.rows;
    const runs r = put_runs(&from->A, NULL);
    DLS_TRY(dls_problem_allocate(n, n, r.count, r.nonzeros, 0, problem, error));
    (*problem)->form = DLS_FORM_MATRIX;
    put_runs(&from->A, &(*problem)->J);
    return dls_foreign_fill_rows(from, file, *problem, error);
}

dls_status dls_foreign_problem(const dls_foreign *from, const char *file, dls_problem **problem, dls_error *error)
{
    *problem = NULL;
    dls_status status = (from->M.rows > 0 ? dls_foreign_global : local_problem)(from, file, problem, error);
    if (status == DLS_OK)
        return DLS_OK;
    dls_problem_destroy(*problem);
    *problem = NULL;
    return dls_fail_place(error, status, file, 0, 0, NULL);
}

dls_status dls_foreign_parse(dls_status (*read)(dls_scan *, dls_foreign *), const char *text, size_t size,
                             const char *name, dls_content *content, size_t *end, dls_error *error)
{
    dls_arena memory = {0};
    dls_foreign found = {.mu = NULL};
    *end = 0;
    DLS_TRY(dls_text_check(text, size, name, error));
    dls_scan scan = dls_scan_begin(text, size, name, false, error);
    scan.memory = &memory;
    dls_status status = read(&scan, &found);
    *end = (size_t)(scan.at - text);
    if (status == DLS_OK)
        status = dls_foreign_problem(&found, name, &content->problem, error);
    dls_arena_release(&memory);
    return status == DLS_OK ? DLS_OK : dls_fail_place(error, status, name, 0, 0, NULL);
}
