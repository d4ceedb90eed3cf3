/* Sweeps with coefficients of type double and sums of type double. */
#define COEF double
#define SUM double
#define FROM_DOUBLE(x) ((SUM)(x))
#define TO_DOUBLE(x) ((double)(x))
#define ADD_PRODUCT(sum, x, a) ((SUM)((sum) + (x) * (SUM)(a)))
#define SUBTRACT(x, y) ((SUM)((x) - (y)))
#define DIVIDE(x, a) ((SUM)((x) / (SUM)(a)))
#include "precision/ladder_kernel.h"

const dls_ladder_rung dls_ladder_double = {"double", 0x1p-53, 0x1p-53, run_sweeps};
