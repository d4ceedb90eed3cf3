/* arithmetic.h - the floating-point environment in which the library computes. Not installed.
 *
 * Error bounds, and the comparisons that decide between verdicts, hold for the arithmetic of IEEE 754: results are
 * rounded to the nearest double, and subnormal numbers are kept. A process may be in another state: a shared object
 * that was compiled with -Ofast or -ffast-math makes the processor replace subnormal numbers by 0 from its loading on,
 * and a program may choose another rounding mode, or let exceptions trap. A public function that decides something, or
 * reads or prints numbers, therefore begins with
 *     DLS_STANDARD_ARITHMETIC;
 * which sets the default environment of C in the calling thread until the function returns, and then restores the one
 * that was there before, even if a function that was called in between has changed it. Threads have environments of
 * their own; a new thread begins with that of its creator. */
#ifndef DELASSUS_BASE_ARITHMETIC_H
#define DELASSUS_BASE_ARITHMETIC_H

#include <fenv.h>
#include <stdbool.h>

typedef struct dls_arithmetic {
    bool changed;  /* the environment was another one */
    fenv_t before; /* that one */
} dls_arithmetic;

dls_arithmetic dls_arithmetic_begin(void);
/* How often it began in another environment, in all threads, where that is known: a process for which this number grows
 * may start threads in such an environment. */
unsigned long dls_arithmetic_changes(void);
void dls_arithmetic_end(const dls_arithmetic *scope);

#define DLS_STANDARD_ARITHMETIC                                                                     \
    __attribute__((cleanup(dls_arithmetic_end), unused)) const dls_arithmetic dls_arithmetic_here = \
        dls_arithmetic_begin()

#endif
