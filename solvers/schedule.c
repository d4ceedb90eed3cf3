/* The order of a sweep: units into batches of four lanes.
 *
 * Two units that move a common mass block must be swept in their order; all others commute. That is a graph with at
 * most one edge for each unit and each of its blocks, to the next unit on that block. A unit is ready when those before
 * it on all of its blocks are done; units that are ready together have no block in common. Each batch takes up to four
 * ready units of one kind and length, first come first served, from the longest queue; free lanes are filled with
 * shorter groups of the kind. (List scheduling: R. L. Graham, "Bounds on multiprocessing timing anomalies", 1969.) The
 * matrix form is swept row by row in its order.
 *
 * For several threads units are coloured instead: each, in the order of the rows, gets the first colour that no unit on
 * its blocks has (D. J. A. Welsh and M. B. Powell, 1967). Units of one colour commute. Batches are made of one colour
 * after another, and those of each colour are divided among the threads by the number of their rows.
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

/* Takes batches until no unit is ready. */
static dls_status take_batches(plan *s, dls_packed *packed, dls_error *error)
{
    for (bool more = true; more; packed->n_batches += more) {
        if (!DLS_GROW(packed->batches, packed->batch_capacity, packed->n_batches + 1))
            return dls_fail(error, DLS_NO_MEMORY, "no memory for batches of %zu groups", packed->n_units);
        more = take_batch(s, &packed->batches[packed->n_batches]);
    }
    return DLS_OK;
}

/* --- colours --- */

/* Colours of each block below 32 are the bits of a mask; those from 32 on are counted, so that each unit gets a higher
 * one than those before it on its blocks. */
enum { MASKED = 32 };
typedef struct colouring {
    uint32_t *mask, *above; /* of each block; above: the first free colour from 32 on */
    uint32_t *next;         /* of each unit: the next one of its colour */
    uint32_t *head;         /* of each colour */
} colouring;

static uint32_t colour_of(const dls_packed *packed, uint32_t unit, const colouring *c)
{
    const uint32_t first = packed->units[unit].entry, end = packed->units[unit + 1].entry;
    uint32_t used = 0, colour = MASKED;
    for (uint32_t e = first; e < end; e++) {
        const uint32_t block = packed->entries[e];
        used |= c->mask[block];
        colour = c->above[block] > colour ? c->above[block] : colour;
    }
    if (used != UINT32_MAX)
        for (colour = 0; used >> colour & 1;)
            colour++;
    for (uint32_t e = first; e < end; e++)
        if (colour < MASKED)
            c->mask[packed->entries[e]] |= (uint32_t)1 << colour;
        else
            c->above[packed->entries[e]] = colour + 1;
    return colour;
}

/* Lists the units of each colour in the order of their rows. Returns how many colours there are. */
static size_t colour_units(const dls_packed *packed, const colouring *c)
{
    size_t colours = 0;
    memset(c->head, 0xff, packed->n_units * sizeof *c->head);
    for (size_t k = 0; k < packed->n_slots; k++)
        c->mask[k] = 0, c->above[k] = MASKED;
    for (uint32_t u = 0; u < packed->n_units; u++)
        c->next[u] = colour_of(packed, u, c);
    for (uint32_t u = (uint32_t)packed->n_units; u-- > 0;) {
        const uint32_t colour = c->next[u];
        colours = colour >= colours ? (size_t)colour + 1 : colours;
        c->next[u] = c->head[colour];
        c->head[colour] = u;
    }
    return colours;
}

/* Divides the batches from `first` on among the threads, by rows. */
static void divide_colour(dls_packed *packed, size_t first, uint32_t *part)
{
    size_t rows = 0, before = 0, t = 0;
    for (size_t k = first; k < packed->n_batches; k++)
        rows += packed->batches[k].rows;
    for (size_t k = first; k < packed->n_batches; before += packed->batches[k++].rows)
        for (; t < packed->threads && before * packed->threads >= rows * t; t++)
            part[t] = (uint32_t)k;
    for (; t <= packed->threads; t++)
        part[t] = (uint32_t)packed->n_batches;
}

static dls_status take_colours(plan *s, dls_packed *packed, const colouring *c, dls_error *error)
{
    packed->n_colours = colour_units(packed, c);
    const size_t parts = packed->n_colours * packed->threads;
    if (!DLS_GROW(packed->part, packed->part_capacity, parts + 1) ||
        !DLS_GROW(packed->taken, packed->taken_capacity, parts) ||
        !DLS_GROW(packed->batches, packed->batch_capacity, 1)) /* an array, also where there is no colour */
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu colours", packed->n_colours);
    for (size_t k = 0; k < parts; k++)
        atomic_init(&packed->taken[k], packed->sweeps);
    memset(s->next, 0xff, packed->n_entries * sizeof *s->next); /* no unit waits for another */
    for (size_t colour = 0; colour < packed->n_colours; colour++) {
        const size_t first = packed->n_batches;
        for (uint32_t u = c->head[colour]; u != NOBODY; u = c->next[u])
            push_unit(s, u);
        DLS_TRY(take_batches(s, packed, error));
        divide_colour(packed, first, packed->part + colour * packed->threads);
    }
    return DLS_OK;
}

/* --- all units --- */

static dls_status take_rows(dls_packed *packed, dls_error *error)
{
    if (!DLS_GROW(packed->batches, packed->batch_capacity, packed->n_units))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for batches of %zu rows", packed->n_units);
    for (; packed->n_batches < packed->n_units; packed->n_batches++)
        packed->batches[packed->n_batches] =
            (dls_row_batch){.kind = DLS_BATCH_ROW, .rows = 1, .unit = {(uint32_t)packed->n_batches}};
    return DLS_OK;
}

dls_status dls_pack_schedule(dls_packed *packed, dls_error *error)
{
    const size_t units = packed->n_units, blocks = packed->n_slots;
    plan s = {.packed = packed};
    packed->n_batches = packed->n_colours = 0;
    if (packed->problem->form == DLS_FORM_MATRIX)
        return take_rows(packed, error);
    if (!DLS_GROW(packed->plan, packed->plan_capacity, packed->n_entries + 3 * units + 2 * blocks))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the order of %zu groups", units);
    s.next = packed->plan, s.link = s.next + packed->n_entries, s.pending = s.link + units;
    s.last = s.pending + units;
    if (packed->threads) {
        uint32_t *next = s.link + units, *head = next + units, *mask = head + units;
        return take_colours(&s, packed, &(colouring){mask, mask + blocks, next, head}, error);
    }
    connect_units(&s);
    return take_batches(&s, packed, error);
}
