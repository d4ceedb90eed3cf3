/* sweep_paths.h - the compiled forms of the loops over batches. Internal to this folder. */
#ifndef DELASSUS_SWEEP_PATHS_H
#define DELASSUS_SWEEP_PATHS_H

#include "config.h"

#include "packing.h"

#define DLS_SWEEP_PATH(name)                                                                                         \
    void dls_sweep_##name(dls_packed *packed, dls_direction direction, size_t first, size_t end);                    \
    bool dls_fill_##name(dls_packed *packed, const dls_row_batch *batch, const dls_lane *lanes);                     \
    void dls_add_##name(const dls_packed *packed, const dls_row_batch *batch, const double *x, double *y);           \
    void dls_residual_##name(const dls_packed *packed, const dls_row_batch *batch, const double *y, const double *x, \
                             bool with_c, double *w);                                                                \
    void dls_together_##name(const struct dls_together *together, dls_direction direction)
DLS_SWEEP_PATH(plain);
#ifdef HAVE_TARGET_ATTRIBUTE
DLS_SWEEP_PATH(avx2);
DLS_SWEEP_PATH(avx512);
#endif

#endif
