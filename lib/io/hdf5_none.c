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

dls_status dls_tables_to_hdf5(const char *const *paths, const char *const *names, size_t count, const char *output,
                              dls_error *error)
{
    (void)paths, (void)names, (void)count;
    return dls_fail_about(error, DLS_UNAVAILABLE, output, NULL,
                          "this build is without HDF5; install it (libhdf5-dev) and configure again");
}
