/* The order of a sweep: units into batches of four lanes.
 *
 * Two units that move a common mass block must be swept in their order; all others commute. That is a graph with at
 * most one edge for each unit and each of its blocks, to the next unit on that block. A unit is ready when those before
 * it on all of its blocks are done; units that are ready together have no block in common. Each batch takes up to four
 * ready units of one kind and length, first come first served, from the longest queue; free lanes are filled with
 * shorter groups of the kind. (List scheduling: R. L. Graham, "Bounds on multiprocessing timing anomalies", 1969.) The
 * matrix form is swept row by row in its order.
 */
#include "packing.h"

#include "base/memory.h"

#include <string.h>

enum { CLASSES = 6, QUEUES = CLASSES * DLS_GROUP_ROWS + 1, GENERAL = QUEUES - 1 };
#define NOBODY DLS_NO_UNIT

typedef struct plan {
    const dls_packed *packed;
    uint32_t *next;    /* of each entry: the next unit on that block */
    uint32_t *pending; /* of each unit: how many units before it are not done */
    uint32_t *link;    /* of each unit: the next in its queue */
    uint32_t *last;    /* of each block: the last entry so far */
    uint32_t head[QUEUES], tail[QUEUES], length[QUEUES];
    uint8_t used[QUEUES]; /* the queues that have had a unit, in rising order */
    unsigned n_used;
} plan;

static unsigned queue_of(const dls_row_unit *unit)
{
    if (unit->kind == DLS_BATCH_ROW)
        return GENERAL;
    return (2u * unit->kind + unit->compliant) * DLS_GROUP_ROWS + unit->rows - 1u;
}

static void push_unit(plan *s, uint32_t unit)
{
    unsigned q = queue_of(&s->packed->units[unit]), at = s->n_used;
    s->link[unit] = NOBODY;
    if (s->length[q]++) {
        s->link[s->tail[q]] = unit;
    } else {
        s->head[q] = unit;
        while (at > 0 && s->used[at - 1] > q)
            at--;
        if (at == 0 || s->used[at - 1] != q) {
            memmove(s->used + at + 1, s->used + at, s->n_used++ - at);
            s->used[at] = (uint8_t)q;
        }
    }
    s->tail[q] = unit;
}

static void connect_units(plan *s)
{
    const dls_row_unit *units = s->packed->units;
    memset(s->last, 0xff, s->packed->n_slots * sizeof *s->last);
    for (uint32_t u = 0; u < s->packed->n_units; u++) {
        s->pending[u] = 0;
        for (uint32_t e = units[u].entry; e < units[u + 1].entry; e++) {
            uint32_t *last = &s->last[s->packed->entries[e]];
            s->next[e] = NOBODY;
            if (*last != NOBODY && *last >= units[u].entry)
                continue; /* the same block again, of a parent row */
            if (*last != NOBODY) {
                s->next[*last] = u;
                s->pending[u]++;
            }
            *last = e;
        }
        if (s->pending[u] == 0)
            push_unit(s, u);
    }
}

/* Takes the next batch; false if no unit is left. */
static bool take_batch(plan *s, dls_row_batch *batch)
{
    unsigned q = GENERAL, count = 0;
    for (unsigned k = 0; k < s->n_used; k++)
        if (s->length[s->used[k]] > s->length[q])
            q = s->used[k];
    if (s->length[q] == 0)
        return false;
    const dls_row_unit *units = s->packed->units, *first = &units[s->head[q]];
    *batch = (dls_row_batch){.kind = first->kind, .compliant = first->compliant, .rows = first->rows};
    for (unsigned rows = first->rows; rows > 0; rows--, q--)
        while (s->length[q] && count < (first->kind == DLS_BATCH_ROW ? 1 : DLS_LANES)) {
            batch->unit[count++] = s->head[q];
            s->head[q] = s->link[s->head[q]];
            s->length[q]--;
        }
    for (unsigned lane = count; lane < DLS_LANES; lane++)
        batch->unit[lane] = NOBODY;
    for (unsigned lane = 0; lane < count; lane++) {
        const dls_row_unit *unit = &units[batch->unit[lane]];
        for (uint32_t e = unit[0].entry; e < unit[1].entry; e++)
            if (s->next[e] != NOBODY && --s->pending[s->next[e]] == 0)
                push_unit(s, s->next[e]);
    }
    return true;
}

dls_status dls_pack_schedule(dls_packed *packed, dls_error *error)
{
    const size_t units = packed->n_units, blocks = packed->n_slots;
    plan s = {.packed = packed};
    packed->n_batches = 0;
    if (!DLS_GROW(packed->plan, packed->plan_capacity, packed->n_entries + 2 * units + blocks))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the order of %zu groups", units);
    s.next = packed->plan, s.pending = s.next + packed->n_entries, s.link = s.pending + units, s.last = s.link + units;
    if (packed->problem->form == DLS_FORM_MECHANICAL)
        connect_units(&s);
    for (bool more = true; more;) {
        const size_t k = packed->n_batches;
        if (!DLS_GROW(packed->batches, packed->batch_capacity, k + 1))
            return dls_fail(error, DLS_NO_MEMORY, "no memory for batches of %zu groups", units);
        if (packed->problem->form == DLS_FORM_MECHANICAL) {
            more = take_batch(&s, &packed->batches[k]);
        } else {
            more = k < units;
            packed->batches[k] = (dls_row_batch){.kind = DLS_BATCH_ROW, .rows = 1, .unit = {(uint32_t)k}};
        }
        packed->n_batches += more;
    }
    return DLS_OK;
}
