/* The compiled forms of the loops over batches, the fastest first. */
#include "sweep_paths.h"

static bool always(void) { return true; }

#ifdef HAVE_TARGET_ATTRIBUTE
static bool has_avx2(void) { return __builtin_cpu_supports("avx2"); }
static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
}
#endif

const dls_sweep_path dls_sweep_paths[] = {
#ifdef HAVE_TARGET_ATTRIBUTE
    {"avx512", has_avx512, dls_sweep_avx512, dls_fill_avx512, dls_add_avx512, dls_residual_avx512, dls_together_avx512},
    {"avx2", has_avx2, dls_sweep_avx2, dls_fill_avx2, dls_add_avx2, dls_residual_avx2, dls_together_avx2},
#endif
    {"plain", always, dls_sweep_plain, dls_fill_plain, dls_add_plain, dls_residual_plain, dls_together_plain},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
