#include "hdf5_file.h"

#include "base/text.h"
#include "delassus/table.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

dls_hdf5_quiet dls_hdf5_begin(void)
{
    dls_hdf5_quiet quiet;
    pthread_mutex_lock(&lock);
    H5Eget_auto2(H5E_DEFAULT, &quiet.print, &quiet.context);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return quiet;
}

void dls_hdf5_end(dls_hdf5_quiet quiet)
{
    H5Eset_auto2(H5E_DEFAULT, quiet.print, quiet.context);
    pthread_mutex_unlock(&lock);
}

bool dls_hdf5_put(hid_t group, const char *name, hid_t stored, hid_t type, size_t count, const void *values)
{
    hsize_t extent = count;
    hid_t space = H5Screate_simple(1, &extent, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(how, false);
    hid_t set = H5Dcreate2(group, name, stored, space, H5P_DEFAULT, how, H5P_DEFAULT);
    bool ok = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    H5Dclose(set);
    H5Pclose(how);
    H5Sclose(space);
    return ok;
}

bool dls_hdf5_put_reals(hid_t group, const char *name, size_t count, const double *values)
{
    return dls_hdf5_put(group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, values);
}

/* The bytes of the finished file, made in memory; NULL, or *size 0, where HDF5 failed. */
static void *make_image(bool (*fill)(hid_t file, const void *context), const void *context, size_t *size)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    void *image = NULL;
    *size = 0;
    hid_t file = H5Pset_fapl_core(access, 1 << 16, false) >= 0
                     ? H5Fcreate(DLS_HDF5_IN_MEMORY, H5F_ACC_TRUNC, H5P_DEFAULT, access)
                     : -1;
    if (file >= 0 && fill(file, context) && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0) {
        ssize_t bytes = H5Fget_file_image(file, NULL, 0);
        *size = bytes > 0 ? (size_t)bytes : 0;
        image = *size ? malloc(*size) : NULL;
        if (image && H5Fget_file_image(file, image, *size) < 0)
            *size = 0;
    }
    if (file >= 0)
        H5Fclose(file);
    H5Pclose(access);
    return image;
}

static dls_status write_image(const void *image, size_t size, const char *path, dls_error *error)
{
    dls_output output;
    DLS_TRY(dls_output_open(&output, path, error));
    if (fwrite(image, 1, size, output.stream) != size) {
        dls_output_abandon(&output);
        return dls_fail_about(error, DLS_NOT_WRITTEN, path, NULL, "cannot write; nothing was changed: %s",
                              dls_system_text(errno));
    }
    return dls_output_commit(&output, error);
}

dls_status dls_hdf5_write(const char *path, bool (*fill)(hid_t file, const void *context), const void *context,
                          dls_error *error)
{
    size_t size = 0;
    dls_hdf5_quiet before = dls_hdf5_begin();
    void *image = make_image(fill, context, &size);
    dls_hdf5_end(before);
    const dls_status status = image && size
                                  ? write_image(image, size, path, error)
                                  : dls_fail_about(error, DLS_NO_MEMORY, path, NULL, "HDF5 could not make the file");
    free(image);
    return status;
}
