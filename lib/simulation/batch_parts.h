/* batch_parts.h - a batch from the inside. Not installed. */
#ifndef DELASSUS_BATCH_PARTS_H
#define DELASSUS_BATCH_PARTS_H

#include "delassus/batch.h"
#include "parts.h"
#include "warm.h"

/* The data of a copy. */
typedef struct dls_batch_copy {
    dls_state *state;
    dls_state *rest;             /* when something last fell asleep (sleep.c); NULL in a world without sleep */
    bool touched;                /* the caller may have changed the state since the last step */
    struct dls_warm_store *warm; /* NULL until its first step with warm starts */
    dls_status status;           /* the status of its last step, DLS_OK before the first */
    dls_outcome outcome;
    char *message; /* why it failed; NULL where there was no memory for it */
} dls_batch_copy;

/* The data of a thread: simulations which step one copy after another, in place of their own states. */
typedef struct dls_batch_worker {
    dls_simulation *simulations[DLS_TOGETHER];
    dls_state *own_state[DLS_TOGETHER], *own_rest[DLS_TOGETHER];
    dls_configuration *reader; /* the configuration of a state that is read */
    size_t first_failed;       /* the first copy that failed in the step; DLS_NONE */
    dls_status status;         /* its status and error */
    dls_error error;
} dls_batch_worker;

struct dls_batch {
    const dls_model *model;
    size_t count, threads, together; /* together: simulations a worker has, DLS_TOGETHER or 1 */
    dls_batch_options options;
    dls_batch_copy *copies;
    dls_batch_worker *workers; /* threads */
    size_t n_drives, *drives;  /* joints that have a setpoint */
    dls_state *scratch;        /* a copy as it is being written */
};

/* DLS_BAD_ARGUMENT, unless every copy of the list is there. */
dls_status dls_batch_check_list(const dls_batch *batch, const size_t *copies, size_t n, dls_error *error);
/* The copy at place k of a list (NULL: of all). */
static inline size_t dls_batch_listed(const size_t *copies, size_t k) { return copies ? copies[k] : k; }

#endif
