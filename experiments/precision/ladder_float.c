/* Sweeps with coefficients of type float and sums of type float. */
#define COEF float
#define SUM float
#define FROM_DOUBLE(x) ((SUM)(x))
#define TO_DOUBLE(x) ((double)(x))
#define ADD_PRODUCT(sum, x, a) ((SUM)((sum) + (x) * (SUM)(a)))
#define SUBTRACT(x, y) ((SUM)((x) - (y)))
#define DIVIDE(x, a) ((SUM)((x) / (SUM)(a)))
#include "precision/ladder_kernel.h"

const dls_ladder_rung dls_ladder_float = {"float", 0x1p-24, 0x1p-24, run_sweeps};
