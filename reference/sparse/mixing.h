/* mixing.h - acceleration of a fixed-point iteration from its last iterates. Not installed. */
#ifndef DELASSUS_REFERENCE_MIXING_H
#define DELASSUS_REFERENCE_MIXING_H

#include "base/memory.h"

enum { DLS_MIXING_DEPTH = 12 };

/* The last iterates s_k and their changes g_k = G(s_k) - s_k, the newest first. */
typedef struct dls_mixing {
    size_t n, known;
    double *s[DLS_MIXING_DEPTH + 1], *g[DLS_MIXING_DEPTH + 1]; /* n */
    double *q[DLS_MIXING_DEPTH], *rest;                        /* n */
} dls_mixing;

/* Takes memory for n >= 0 unknowns. Its success is that of the arena. */
void dls_mixing_take(dls_arena *memory, size_t n, dls_mixing *mixing);
/* Forgets all iterates. */
void dls_mixing_restart(dls_mixing *mixing);
/* The next iterate, from s and G(s), in `next`; each n entries, >= 0, in one unit of length. `share` of the change that
 * the last iterates do not explain is taken, usually 1/2. */
void dls_mixing_next(dls_mixing *mixing, double share, const double *s, const double *G, double *next);

#endif
