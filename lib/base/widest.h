/* widest.h - functions that are compiled for several instruction sets. Not installed. */
#ifndef DELASSUS_BASE_WIDEST_H
#define DELASSUS_BASE_WIDEST_H

#include "config.h"

/* The widest version that the processor has, of a function that is compiled for several instruction sets. */
#ifdef HAVE_TARGET_ATTRIBUTE
#define DLS_WIDEST(name) (__builtin_cpu_supports("avx2") ? name##_avx2 : name##_plain)
#define DLS_WIDEST_OF_THREE(name) (__builtin_cpu_supports("avx512f") ? name##_avx512 : DLS_WIDEST(name))
#else
#define DLS_WIDEST(name) name##_plain
#define DLS_WIDEST_OF_THREE(name) name##_plain
#endif

#endif
