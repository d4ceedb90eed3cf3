/* The sweep for x86-64 processors with AVX2. */
#include "sweep_paths.h"

#ifdef HAVE_TARGET_ATTRIBUTE
#define NAME(what) dls_##what##_avx2
#define TARGET __attribute__((target("avx2")))
#define SWEEP_AVX
#include "sweep_kernel.h"
#include "together_kernel.h"
#else
typedef int dls_no_sweep_avx2; /* a file may not be empty */
#endif
