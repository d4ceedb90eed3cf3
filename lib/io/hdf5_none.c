/* Replacement of FCLIB's files, and of tables in HDF5, if the library was configured without HDF5.
 */
#include "formats.h"

#include "delassus/table.h"

static dls_status without(const char *path, dls_error *error)
{
    return dls_fail_about(
        error, DLS_UNAVAILABLE, path, NULL,
        "files of FCLIB are HDF5, which this build is without; install HDF5 (libhdf5-dev) and configure again");
}

dls_status dls_read_fclib(const char *text, size_t size, const char *name, dls_content *content, size_t *end,
                          dls_error *error)
{
    (void)text, (void)content;
    *end = size;
    return without(name, error);
}

dls_status dls_write_fclib(const dls_problem *problem, const double *r, const char *path, dls_error *error)
{
    (void)problem, (void)r;
    return without(path, error);
}

dls_status dls_write_fclib_global(const dls_problem *problem, const double *r, const char *path, dls_error *error)
{
    return dls_write_fclib(problem, r, path, error);
}

bool dls_hdf5_available(void) { return false; }

dls_status dls_book_create(const char *path, dls_book **book, dls_error *error)
{
    *book = NULL;
    return dls_fail_about(error, DLS_UNAVAILABLE, path, NULL,
                          "this build is without HDF5; install it (libhdf5-dev) and configure again");
}

/* No book is ever created. */
dls_status dls_book_table(dls_book *book, const char *name, dls_table **table, dls_error *error)
{
    (void)book, (void)name, *table = NULL;
    return dls_fail(error, DLS_BAD_ARGUMENT, "no book");
}

dls_status dls_book_text(const dls_book *book, const char *name, const char *path, dls_error *error)
{
    (void)book, (void)name, (void)path;
    return dls_fail(error, DLS_BAD_ARGUMENT, "no book");
}

dls_status dls_book_commit(dls_book *book, dls_error *error)
{
    (void)book;
    return dls_fail(error, DLS_BAD_ARGUMENT, "no book");
}

void dls_book_abandon(dls_book *book) { (void)book; }
