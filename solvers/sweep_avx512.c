/* The sweep for x86-64 processors with AVX-512VL: vectors of four doubles as with AVX2, but 32 registers of them. */
#include "sweep_paths.h"

#ifdef HAVE_TARGET_ATTRIBUTE
#define NAME(what) dls_##what##_avx512
#define TARGET __attribute__((target("avx512f,avx512vl,avx512dq")))
#define SWEEP_AVX
#define SWEEP_AVX512
#include "sweep_kernel.h"
#include "together_kernel.h"
#else
typedef int dls_no_sweep_avx512; /* a file may not be empty */
#endif
