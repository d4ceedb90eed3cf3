#include "arithmetic.h"

#include <stdatomic.h>

static atomic_ulong changes;

unsigned long dls_arithmetic_changes(void) { return atomic_load(&changes); }

#ifdef __SSE2_MATH__
#include <xmmintrin.h>

/* Doubles are computed by SSE2, whose control register is read in a few cycles, and almost always is as it should be;
 * fegetenv and fesetenv need a hundred times as long. The lowest six bits are the flags of exceptions that occurred. */
static bool is_standard(void)
{
    enum { FLAGS = 0x3f, STANDARD = 0x1f80 };
    return (_mm_getcsr() & ~(unsigned)FLAGS) == STANDARD;
}
static void count_change(void) { atomic_fetch_add(&changes, 1); }
#else
/* Without a portable way to tell, the environment is always set, and no change is counted. */
static bool is_standard(void) { return false; }
static void count_change(void) {}
#endif

dls_arithmetic dls_arithmetic_begin(void)
{
    dls_arithmetic scope = {.changed = !is_standard()};
    if (scope.changed) {
        count_change();
        fegetenv(&scope.before);
        fesetenv(FE_DFL_ENV);
    }
    return scope;
}

void dls_arithmetic_end(const dls_arithmetic *scope)
{
    if (scope->changed)
        fesetenv(&scope->before);
    else if (!is_standard())
        fesetenv(FE_DFL_ENV);
}
