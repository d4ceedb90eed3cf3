/* widths.h - includes the file that LANES names once for any processor, with NAME(x) x_plain, and where the compiler
 * can, once more for AVX2, x_avx2, between which DLS_WIDEST chooses (parts.h). That file undefines NAME and TARGET. No
 * guard: a source defines LANES and includes this. Not installed. */
#define NAME(x) x##_plain
#define TARGET
#include LANES
#ifdef HAVE_TARGET_ATTRIBUTE
#define NAME(x) x##_avx2
#define TARGET __attribute__((target("avx2")))
#include LANES
#endif
#undef LANES
