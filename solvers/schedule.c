/* The order of a sweep: units into batches of four lanes.
 *
 * Two units that move a common mass block must be swept in their order; all others commute. That is a graph with at
 * most one edge for each unit and each of its blocks, to the next unit on that block. A unit is ready when those before
 * it on all of its blocks are done; units that are ready together have no block in common. Each batch takes up to four
 * ready units of one kind and length, first come first served, from the longest queue; free lanes are filled with
 * shorter groups of the kind. (List scheduling: R. L. Graham, "Bounds on multiprocessing timing anomalies", 1969.) The
 * matrix form is swept row by row as it stands.
 */
#include "packed.h"

#include <stdlib.h>
#include <string.h>

enum { CLASSES = 6, QUEUES = CLASSES * DLS_GROUP_ROWS + 1, GENERAL = QUEUES - 1 };
#define NOBODY UINT32_MAX

typedef struct plan {
    dls_unit_list *units;
    uint32_t *next;    /* of each entry: the next unit on that block */
    uint32_t *pending; /* of each unit: how many units before it are not done */
    uint32_t *link;    /* of each unit: the next in its queue */
    uint32_t *last;    /* of each block: the last entry so far */
    uint32_t head[QUEUES], tail[QUEUES], length[QUEUES];
} plan;

static unsigned queue_of(const dls_row_unit *unit)
{
    if (unit->kind == DLS_BATCH_ROW)
        return GENERAL;
    return (2u * unit->kind + unit->compliant) * DLS_GROUP_ROWS + unit->rows - 1u;
}

static void push(plan *s, uint32_t unit)
{
    unsigned q = queue_of(&s->units->at[unit]);
    s->link[unit] = NOBODY;
    if (s->length[q]++)
        s->link[s->tail[q]] = unit;
    else
        s->head[q] = unit;
    s->tail[q] = unit;
}

static uint32_t pop(plan *s, unsigned q)
{
    uint32_t unit = s->head[q];
    s->head[q] = s->link[unit];
    s->length[q]--;
    return unit;
}

static void connect(plan *s, size_t n_blocks)
{
    memset(s->last, 0xff, n_blocks * sizeof *s->last);
    for (uint32_t u = 0; u < s->units->count; u++) {
        for (uint32_t e = s->units->at[u].entry; e < s->units->at[u + 1].entry; e++) {
            uint32_t *last = &s->last[s->units->blocks[e]];
            s->next[e] = NOBODY;
            if (*last != NOBODY && *last >= s->units->at[u].entry)
                continue; /* the same block again, of a parent row */
            if (*last != NOBODY) {
                s->next[*last] = u;
                s->pending[u]++;
            }
            *last = e;
        }
    }
    for (uint32_t u = 0; u < s->units->count; u++)
        if (s->pending[u] == 0)
            push(s, u);
}

static void release(plan *s, uint32_t unit)
{
    for (uint32_t e = s->units->at[unit].entry; e < s->units->at[unit + 1].entry; e++)
        if (s->next[e] != NOBODY && --s->pending[s->next[e]] == 0)
            push(s, s->next[e]);
}

static unsigned longest_queue(const plan *s)
{
    unsigned best = GENERAL;
    for (unsigned q = 0; q < QUEUES; q++)
        if (s->length[q] > s->length[best])
            best = q;
    return best;
}

/* The lanes of the next batch; true while there is one. */
static bool take(plan *s, dls_batch *batch, uint32_t lanes[DLS_LANES])
{
    unsigned q = longest_queue(s), count = 0;
    if (s->length[q] == 0)
        return false;
    const dls_row_unit *first = &s->units->at[s->head[q]];
    *batch = (dls_batch){.kind = first->kind, .compliant = first->compliant, .rows = first->rows};
    for (unsigned rows = first->rows; rows > 0; rows--, q--)
        while (s->length[q] && count < (first->kind == DLS_BATCH_ROW ? 1 : DLS_LANES))
            lanes[count++] = pop(s, q);
    for (unsigned lane = count; lane < DLS_LANES; lane++)
        lanes[lane] = NOBODY;
    for (unsigned lane = 0; lane < count; lane++)
        release(s, lanes[lane]);
    return true;
}

static void in_row_order(dls_pack *pack)
{
    for (uint32_t u = 0; u < pack->units.count; u++) {
        pack->packed->batches[u] = (dls_batch){.kind = DLS_BATCH_ROW, .rows = 1};
        pack->lanes[DLS_LANES * u] = u;
    }
    pack->packed->n_batches = pack->units.count;
}

dls_status dls_pack_schedule(dls_pack *pack, dls_error *error)
{
    size_t units = pack->units.count, blocks = pack->problem->mass.n_blocks;
    plan *s = calloc(1, sizeof *s);
    uint32_t *memory = calloc(pack->units.n_entries + 2 * units + blocks + 1, sizeof *memory);
    pack->lanes = malloc((DLS_LANES * units + 1) * sizeof *pack->lanes);
    pack->packed->batches = malloc((units + 1) * sizeof *pack->packed->batches);
    bool ok = s && memory && pack->lanes && pack->packed->batches;
    if (ok && pack->problem->form == DLS_FORM_MATRIX) {
        in_row_order(pack);
    } else if (ok) {
        s->units = &pack->units;
        s->next = memory, s->pending = s->next + pack->units.n_entries, s->link = s->pending + units,
        s->last = s->link + units;
        connect(s, blocks);
        size_t k = 0;
        while (take(s, &pack->packed->batches[k], pack->lanes + DLS_LANES * k))
            k++;
        pack->packed->n_batches = k;
    }
    free(memory);
    free(s);
    return ok ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for the order of %zu groups", units);
}
