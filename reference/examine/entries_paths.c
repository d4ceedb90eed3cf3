/* The loops over entries for each instruction set, and the choice among them. */
#include "entries.h"

#include "base/widest.h"

#include <float.h>
#include <math.h>

enum { LANES = DLS_ENTRY_LANES };
typedef double vec __attribute__((vector_size(8 * LANES)));
typedef double loose_vec __attribute__((vector_size(8 * LANES), aligned(8)));
typedef long long mask __attribute__((vector_size(8 * LANES)));

#define AT(x) (*(loose_vec *)(x))
#define GIVEN(x) (*(const loose_vec *)(x))
#define ABS(a) ((vec)((mask)(a)&0x7fffffffffffffffLL))

#define NAME(what) what##_plain
#define TARGET
#include "entries_kernel.h"
#undef NAME
#undef TARGET

#ifdef HAVE_TARGET_ATTRIBUTE
#define NAME(what) what##_avx2
#define TARGET __attribute__((target("avx2")))
#include "entries_kernel.h"
#undef NAME
#undef TARGET
#define NAME(what) what##_avx512
#define TARGET __attribute__((target("avx512f,avx512vl,avx512dq")))
#include "entries_kernel.h"
#endif

const dls_entries_path dls_entries_paths[] = {
#ifdef HAVE_TARGET_ATTRIBUTE
    {"avx512", dls_has_avx512, multiply_avx512, join_avx512, cut_avx512, sum_avx512, raise_avx512},
    {"avx2", dls_has_avx2, multiply_avx2, join_avx2, cut_avx2, sum_avx2, raise_avx2},
#endif
    {"plain", dls_has_any, multiply_plain, join_plain, cut_plain, sum_plain, raise_plain},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};

const dls_entries_path *dls_entries_fastest(void)
{
    const dls_entries_path *path = dls_entries_paths;
    while (!path->usable())
        path++;
    return path;
}
