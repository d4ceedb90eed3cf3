/* HDF5, by the addresses of its functions. */
#include "readers/hdf5_calls.h"

extern const dls_hdf5_calls dls_hdf5_here;
const dls_hdf5_calls dls_hdf5_here = {
#define ADDRESS(name) .name = H5##name,
    DLS_HDF5_FUNCTIONS(ADDRESS)
#undef ADDRESS
#define ADDRESS(name, variable) .name = &variable,
        DLS_HDF5_NUMBERS(ADDRESS)};
