/* failing_memory.h - allocations that fail on demand. The linker sends malloc and its kin of a test program to
 * failing_memory.c (--wrap: $(wrap_memory) in local.mk); allocations within shared libraries are not seen. */
#ifndef DLS_TESTS_FAILING_MEMORY_H
#define DLS_TESTS_FAILING_MEMORY_H

#include "delassus/status.h"

#include <stdbool.h>
#include <stddef.h>

extern size_t allocations, fail_at; /* counted from 1; 0: none fails */
extern size_t taken;                /* bytes asked for */
extern long live;                   /* allocated and not yet freed */

bool granted(size_t bytes);  /* counts an allocation; whether it succeeds */
void *counted(void *memory); /* counts it as live unless it is NULL */

/* Each allocation of the call fails once: the status and the error say so, and nothing leaks. */
typedef dls_status (*failing_call)(const void *argument, dls_error *error);
void fail_every_allocation(failing_call call, const void *argument, const char *name);

#endif
