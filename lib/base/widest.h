/* widest.h - functions that are compiled for several instruction sets. Not installed. */
#ifndef DELASSUS_BASE_WIDEST_H
#define DELASSUS_BASE_WIDEST_H

#include "config.h"

#include <stdbool.h>

/* The widest version that the processor has, of a function that is compiled for several instruction sets. */
#ifdef HAVE_TARGET_ATTRIBUTE
#define DLS_WIDEST(name) (__builtin_cpu_supports("avx2") ? name##_avx2 : name##_plain)
#define DLS_WIDEST_OF_THREE(name) (__builtin_cpu_supports("avx512f") ? name##_avx512 : DLS_WIDEST(name))

/* For tables of versions: whether the processor has what those for target("avx2") and for
 * target("avx512f,avx512vl,avx512dq") need. */
static inline bool dls_has_avx2(void) { return __builtin_cpu_supports("avx2"); }
static inline bool dls_has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
}
#else
#define DLS_WIDEST(name) name##_plain
#define DLS_WIDEST_OF_THREE(name) name##_plain
#endif
/* The same for a version that needs nothing. */
static inline bool dls_has_any(void) { return true; }

#endif
