/* The arithmetic of the library as it was compiled, and of the threads of the BLAS, is tested on numbers whose results
 * are known. The threads have environments of their own, which they inherit from the thread that loads the BLAS, and
 * which the BLAS offers no function to set: if they replace subnormal numbers by 0, all that is left is to refuse. */
#include "self_check.h"

#include "arithmetic_fault.h"
#include "base/arithmetic.h"

#include <cblas.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Test the sums by lanes, whose instructions depend on the processor. */
static const char *lanes_fault(void)
{
    enum { TERMS = 8 };
    static const double odd = 0x1.0000001p0;
    volatile double a[TERMS], x[TERMS];
    double factor[TERMS], high[TERMS], upper[TERMS], lower[TERMS], low[TERMS], error;
    const dls_factors factors = {high, upper, lower, low};
    for (size_t j = 0; j < TERMS; j++)
        a[j] = j < 4 ? odd : -1.0, x[j] = j < 4 ? odd : 0x1.0000002p0;
    for (size_t j = 0; j < TERMS; j++) {
        factor[j] = a[j];
        dls_factors_set(&factors, j, (dls_twofold){x[j], 0.0});
    }
    dls_twofold_sum sum = {0};
    dls_sum_add_dot(&sum, TERMS, factor, &factors, 0);
    return dls_sum_value(&sum, &error) == 4.0 * 0x1p-56 ? NULL : "the error term of a product is lost";
}

/* Whether y += x, of subnormal numbers, and long enough for every thread to have a part, gives x. */
static dls_status blas_keeps_subnormal(bool *kept, dls_error *error)
{
    enum { LONG = 1 << 15 };
    const double subnormal = 0x1p-1030;
    double *x = malloc(LONG * sizeof *x), *y = calloc(LONG, sizeof *y);
    const dls_status status = x && y ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory to test the BLAS");
    *kept = true;
    for (size_t i = 0; status == DLS_OK && i < LONG; i++)
        x[i] = subnormal;
    if (status == DLS_OK)
        cblas_daxpy(LONG, 1.0, x, 1, y, 1);
    for (size_t i = 0; status == DLS_OK && i < LONG; i++)
        *kept = *kept && y[i] == subnormal;
    free(x);
    free(y);
    return status;
}

static const char sound[] = "", threads[] = "threads of OpenBLAS replace subnormal numbers by 0, since a shared object "
                                            "compiled with -Ofast or -ffast-math was loaded before OpenBLAS";

static dls_status find_fault(const char **fault, dls_error *error)
{
    bool kept = true;
    *fault = dls_arithmetic_fault();
    if (!*fault)
        *fault = lanes_fault();
    if (!*fault && openblas_get_num_threads() > 1)
        DLS_TRY(blas_keeps_subnormal(&kept, error));
    if (!*fault)
        *fault = kept ? sound : threads;
    return DLS_OK;
}

/* OpenBLAS ends its threads at a fork and starts them again when it is next called, by whomever: they are tested again
 * if the process has been in another environment since the last test. Threads that come at the same time find the
 * same. */
dls_status dls_self_check(dls_error *error)
{
    static _Atomic(const char *) found;
    static atomic_ulong found_at;
    const unsigned long changes = dls_arithmetic_changes();
    const char *fault = atomic_load(&found);
    if (!fault || fault == threads || (changes != atomic_load(&found_at) && openblas_get_num_threads() > 1)) {
        DLS_TRY(find_fault(&fault, error));
        atomic_store(&found, fault);
        atomic_store(&found_at, changes);
    }
    if (fault == sound)
        return DLS_OK;
    return dls_fail(error, DLS_UNAVAILABLE, "error bounds would not hold: %s; %s", fault,
                    fault == threads ? "load it after delassus, or set OPENBLAS_NUM_THREADS=1" : DLS_ARITHMETIC_MEND);
}
