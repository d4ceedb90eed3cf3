/* hdf5_calls.h - the functions and types of HDF5 that the library uses, so that HDF5, with the forty libraries that it
 * brings along, is loaded with the first file that needs it. Not installed, and of builds with HDF5 alone. */
#ifndef DELASSUS_READERS_HDF5_CALLS_H
#define DELASSUS_READERS_HDF5_CALLS_H

#include <hdf5.h>

/* X(name): the function H5name. */
/* clang-format off */
#define DLS_HDF5_FUNCTIONS(X) \
    X(Aclose) X(Acreate2) X(Awrite) X(Dclose) X(Dcreate2) X(Dget_space) X(Dget_type) X(Dopen2) X(Dread) X(Dwrite) \
    X(Eget_auto2) X(Eset_auto2) X(Fclose) X(Fcreate) X(Fflush) X(Fget_file_image) X(Fopen) X(Gclose) X(Gcreate2) \
    X(Lexists) X(Pclose) X(Pcreate) X(Pset_chunk) X(Pset_deflate) X(Pset_fapl_core) X(Pset_file_image) \
    X(Pset_obj_track_times) X(Pset_shuffle) X(Sclose) X(Screate) X(Screate_simple) X(Sget_simple_extent_npoints) \
    X(Tclose) X(Tcopy) X(Tget_class) X(Tget_size) X(Tset_cset) X(Tset_size) X(Tset_strpad) X(Zfilter_avail) X(open)
/* X(name, variable): a type, or a class of properties, which HDF5 sets when it is opened. */
#define DLS_HDF5_NUMBERS(X) \
    X(DATASET_CREATE, H5P_CLS_DATASET_CREATE_ID_g) X(FILE_ACCESS, H5P_CLS_FILE_ACCESS_ID_g) X(C_S1, H5T_C_S1_g) \
    X(IEEE_F64LE, H5T_IEEE_F64LE_g) X(NATIVE_DOUBLE, H5T_NATIVE_DOUBLE_g) X(NATIVE_INT, H5T_NATIVE_INT_g) \
    X(NATIVE_INT64, H5T_NATIVE_INT64_g) X(STD_I32LE, H5T_STD_I32LE_g) X(STD_I64LE, H5T_STD_I64LE_g)
/* clang-format on */

typedef struct dls_hdf5_calls {
#define DLS_HDF5_MEMBER(name) __typeof__(&H5##name) name;
    DLS_HDF5_FUNCTIONS(DLS_HDF5_MEMBER)
#undef DLS_HDF5_MEMBER
#define DLS_HDF5_MEMBER(name, variable) const hid_t *name;
    DLS_HDF5_NUMBERS(DLS_HDF5_MEMBER)
#undef DLS_HDF5_MEMBER
} dls_hdf5_calls;

#endif
