/* The sweep for any processor. */
#include "sweep_paths.h"

#define NAME(what) dls_##what##_plain
#define TARGET
#include "sweep_kernel.h"
#include "together_kernel.h"
