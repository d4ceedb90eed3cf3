/* A sweep, in several threads where rows have colours (schedule.c).
 *
 * Each colour has one part for each thread. A thread takes its own part of a colour, whose coefficients are in its cache
 * since the sweep before, then the parts that no thread has begun, because their threads are late or have no processor;
 * it goes on to the next colour when all parts of this one are done. Who sweeps a part changes no result.
 */
#include "packed.h"

#ifdef _OPENMP
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>

/* Waits until `done` has reached `count`. */
static void wait_for(atomic_size_t *done, size_t count)
{
    enum { PATIENCE = 4096 };
    for (size_t k = 1; atomic_load_explicit(done, memory_order_acquire) < count; k++)
        if (k % PATIENCE == 0)
            sched_yield();
}

static void sweep_parts(dls_packed *packed, dls_direction direction, size_t thread, atomic_size_t *done)
{
    const size_t threads = packed->threads, colours = packed->n_colours;
    for (size_t k = 0; k < colours; k++) {
        const size_t colour = direction == DLS_FORWARD ? k : colours - 1 - k;
        for (size_t t = 0; t < threads; t++) {
            const size_t part = colour * threads + (thread + t) % threads;
            unsigned before = packed->sweeps - 1;
            if (!atomic_compare_exchange_strong(&packed->taken[part], &before, packed->sweeps))
                continue;
            packed->path->sweep(packed, direction, packed->part[part], packed->part[part + 1]);
            atomic_fetch_add_explicit(done, 1, memory_order_release);
        }
        wait_for(done, (k + 1) * threads);
    }
}
#endif

void dls_packed_sweep(dls_packed *packed, dls_direction direction)
{
#ifdef _OPENMP
    enum { WORTH_THREADS = 3000 }; /* rows, swept in about the time that threads take to start */
    if (packed->threads > 1 && packed->n_colours && packed->n >= WORTH_THREADS) {
        atomic_size_t done = 0;
        packed->sweeps++;
#pragma omp parallel num_threads((int)packed->threads)
        sweep_parts(packed, direction, (size_t)omp_get_thread_num(), &done);
        return;
    }
#endif
    packed->path->sweep(packed, direction, 0, packed->n_batches);
}
