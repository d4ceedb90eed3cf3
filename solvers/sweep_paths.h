/* sweep_paths.h - the compiled forms of the sweep. Internal to this folder. */
#ifndef DELASSUS_SWEEP_PATHS_H
#define DELASSUS_SWEEP_PATHS_H

#include "config.h"

#include "packed.h"

void dls_sweep_plain(dls_packed *packed, dls_direction direction);
#ifdef HAVE_TARGET_ATTRIBUTE
void dls_sweep_avx2(dls_packed *packed, dls_direction direction);
void dls_sweep_avx512(dls_packed *packed, dls_direction direction);
#endif

#endif
