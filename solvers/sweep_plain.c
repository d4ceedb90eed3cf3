/* The sweep for any processor. */
#include "sweep_paths.h"

#define SWEEP dls_sweep_plain
#define TARGET
#include "sweep_kernel.h"
