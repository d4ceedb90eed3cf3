#include "hdf5_file.h"

#include "base/module.h"
#include "base/text.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

const dls_hdf5_calls *dls_h5;

#ifdef DLS_HDF5_LINKED /* a static library has it inside */
extern const dls_hdf5_calls dls_hdf5_here;
static dls_status find_calls(const char *path, const void **found, dls_error *error)
{
    (void)path, (void)error;
    *found = &dls_hdf5_here;
    return DLS_OK;
}
#else
static dls_status find_calls(const char *path, const void **found, dls_error *error)
{
    return dls_reader_module("hdf5", "dls_hdf5_here", path, "a file in HDF5", found, error);
}
#endif

dls_status dls_hdf5_load(const char *path, dls_error *error)
{
    const void *found = NULL;
    pthread_mutex_lock(&lock);
    dls_status status = dls_h5 ? DLS_OK : find_calls(path, &found, error);
    if (found) {
        const dls_hdf5_calls *calls = found;
        if (calls->open() >= 0)
            dls_h5 = calls;
        else
            status = dls_fail_about(error, DLS_NO_MEMORY, path, NULL, "HDF5 could not be started");
    }
    pthread_mutex_unlock(&lock);
    return status;
}

dls_hdf5_quiet dls_hdf5_begin(void)
{
    dls_hdf5_quiet quiet;
    pthread_mutex_lock(&lock);
    dls_h5->Eget_auto2(H5E_DEFAULT, &quiet.print, &quiet.context);
    dls_h5->Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return quiet;
}

void dls_hdf5_end(dls_hdf5_quiet quiet)
{
    dls_h5->Eset_auto2(H5E_DEFAULT, quiet.print, quiet.context);
    pthread_mutex_unlock(&lock);
}

/* Chunks of 2^14 values, with the bytes of equal significance together, which compresses doubles of a motion best. */
static bool pack_values(hid_t how, size_t count)
{
    const hsize_t chunk = 1 << 14;
    const unsigned effort = 1; /* more takes several times as long for some per cent */
    return count <= chunk || dls_h5->Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0 ||
           (dls_h5->Pset_chunk(how, 1, &chunk) >= 0 && dls_h5->Pset_shuffle(how) >= 0 &&
            dls_h5->Pset_deflate(how, effort) >= 0);
}

bool dls_hdf5_put(hid_t group, const char *name, hid_t stored, hid_t type, bool packed, size_t count,
                  const void *values)
{
    hsize_t extent = count;
    hid_t space = dls_h5->Screate_simple(1, &extent, NULL), how = dls_h5->Pcreate(*dls_h5->DATASET_CREATE);
    dls_h5->Pset_obj_track_times(how, false);
    hid_t set = !packed || pack_values(how, count)
                    ? dls_h5->Dcreate2(group, name, stored, space, H5P_DEFAULT, how, H5P_DEFAULT)
                    : -1;
    bool ok = set >= 0 && dls_h5->Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    dls_h5->Dclose(set);
    dls_h5->Pclose(how);
    dls_h5->Sclose(space);
    return ok;
}

bool dls_hdf5_put_reals(hid_t group, const char *name, size_t count, const double *values)
{
    return dls_hdf5_put(group, name, *dls_h5->IEEE_F64LE, *dls_h5->NATIVE_DOUBLE, false, count, values);
}

/* The bytes of the finished file, made in memory; NULL, or *size 0, where HDF5 failed. */
static void *make_image(bool (*fill)(hid_t file, const void *context), const void *context, size_t *size)
{
    hid_t access = dls_h5->Pcreate(*dls_h5->FILE_ACCESS);
    void *image = NULL;
    *size = 0;
    hid_t file = dls_h5->Pset_fapl_core(access, 1 << 16, false) >= 0
                     ? dls_h5->Fcreate(DLS_HDF5_IN_MEMORY, DLS_HDF5_TRUNCATE, H5P_DEFAULT, access)
                     : -1;
    if (file >= 0 && fill(file, context) && dls_h5->Fflush(file, H5F_SCOPE_GLOBAL) >= 0) {
        ssize_t bytes = dls_h5->Fget_file_image(file, NULL, 0);
        *size = bytes > 0 ? (size_t)bytes : 0;
        image = *size ? malloc(*size) : NULL;
        if (image && dls_h5->Fget_file_image(file, image, *size) < 0)
            *size = 0;
    }
    if (file >= 0)
        dls_h5->Fclose(file);
    dls_h5->Pclose(access);
    return image;
}

static dls_status write_image(const void *image, size_t size, dls_output *output, dls_error *error)
{
    if (fwrite(image, 1, size, output->stream) != size)
        return dls_fail_about(error, DLS_NOT_WRITTEN, output->path, NULL, "cannot write; nothing was changed: %s",
                              dls_system_text(errno));
    return dls_output_commit(output, error);
}

dls_status dls_hdf5_write(dls_output *output, bool (*fill)(hid_t file, const void *context), const void *context,
                          dls_error *error)
{
    size_t size = 0;
    dls_hdf5_quiet before = dls_hdf5_begin();
    void *image = make_image(fill, context, &size);
    dls_hdf5_end(before);
    const dls_status status =
        image && size ? write_image(image, size, output, error)
                      : dls_fail_about(error, DLS_NO_MEMORY, output->path, NULL, "HDF5 could not make the file");
    free(image);
    dls_output_abandon(output);
    return status;
}
