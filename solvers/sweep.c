/* The compiled forms of the loops over batches, the fastest first. */
#include "sweep_paths.h"

#include "base/widest.h"

const dls_sweep_path dls_sweep_paths[] = {
#ifdef HAVE_TARGET_ATTRIBUTE
    {"avx512", dls_has_avx512, dls_sweep_avx512, dls_fill_avx512, dls_add_avx512, dls_residual_avx512,
     dls_together_avx512},
    {"avx2", dls_has_avx2, dls_sweep_avx2, dls_fill_avx2, dls_add_avx2, dls_residual_avx2, dls_together_avx2},
#endif
    {"plain", dls_has_any, dls_sweep_plain, dls_fill_plain, dls_add_plain, dls_residual_plain, dls_together_plain},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
