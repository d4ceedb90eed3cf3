/* Rows to units: groups of adjacent rows on one pair of bodies, and general rows. See packing.h. */
#include "packing.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* M^-1 is definite, so the diagonal is zero if the row is zero and has no compliance. The matrix form contains the
 * diagonal. */
bool dls_pack_is_dead(const dls_problem *p, size_t i)
{
    if (p->gamma[i] != 0.0)
        return false;
    for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
        for (size_t j = p->J.coef_at[k]; j < p->J.coef_at[k + 1]; j++)
            if (p->J.coef[j] != 0.0 && (p->form == DLS_FORM_MECHANICAL || p->J.offset[k] + j - p->J.coef_at[k] == i))
                return false;
    return true;
}

dls_status dls_pack_diagonal(const dls_packed *packed, size_t i, double diagonal, dls_error *error)
{
    const dls_problem *p = packed->problem;
    if (!isfinite(packed->omega / diagonal) || !isfinite(diagonal))
        return dls_fail(error, DLS_REFUSED, "row %zu has the diagonal %g, which cannot be divided by", i, diagonal);
    if (diagonal < 0.0 && (p->lo[i] != -HUGE_VAL || p->hi[i] != HUGE_VAL))
        return dls_fail(error, DLS_REFUSED,
                        "row %zu has a bound and the negative diagonal %g: a sweep would move away from its solution",
                        i, diagonal);
    return DLS_OK;
}

static bool row_is_dead(const dls_packed *packed, size_t i)
{
    return packed->finds_dead && dls_pack_is_dead(packed->problem, i);
}

/* Whether row i has two blocks of six coefficients each, of two bodies, as most rows; `ends` are then the bodies. */
static bool on_two_bodies(const dls_packed *packed, size_t i, uint32_t ends[2])
{
    const dls_rows *J = &packed->problem->J;
    const size_t k = J->start[i];
    if (J->start[i + 1] != k + 2)
        return false;
    ends[0] = J->mass[k], ends[1] = J->mass[k + 1];
    return ends[0] != ends[1] && J->coef_at[k + 1] == J->coef_at[k] + 6 && J->coef_at[k + 2] == J->coef_at[k] + 12 &&
           packed->slots[ends[0]].kind == DLS_SLOT_BODY && packed->slots[ends[1]].kind == DLS_SLOT_BODY;
}

/* How many mass blocks a row acts on if they are weighted and not more than two, else 0: a general row. *whole: bodies,
 * with six coefficients each. Of a problem in the mechanical form. */
static unsigned ends_of(const dls_packed *packed, size_t i, uint32_t ends[2], bool *whole)
{
    const dls_rows *J = &packed->problem->J;
    size_t k = J->start[i], done = 0;
    unsigned count = 0;
    dls_piece piece;
    *whole = true;
    if (on_two_bodies(packed, i, ends))
        return 2;
    ends[1] = DLS_NO_UNIT;
    while (dls_pack_piece(packed, i, &k, &done, &piece)) {
        const bool again = count > 0 && ends[count - 1] == piece.block;
        if (packed->slots[piece.block].kind == DLS_SLOT_PLAIN || (count == 2 && !again))
            return 0;
        *whole &= piece.length == 6 && packed->slots[piece.block].kind == DLS_SLOT_BODY && !again;
        if (!again)
            ends[count++] = (uint32_t)piece.block;
    }
    return count;
}

static bool coupled_to(const dls_problem *p, size_t i, size_t parent) { return i < p->n && p->parent[i] == parent; }

/* How many rows from `i` make one chunk, and its kind. Row i is not coupled. */
static unsigned chunk_from(const dls_problem *p, size_t i, size_t end, unsigned *kind)
{
    unsigned rows = 1;
    *kind = DLS_BATCH_EQUALITY;
    if (coupled_to(p, i + 1, i)) {
        while (rows < DLS_CHUNK_ROWS && i + rows < end && coupled_to(p, i + rows, i))
            rows++;
        *kind = DLS_BATCH_COUPLED;
        return rows;
    }
    while (rows < DLS_CHUNK_ROWS && i + rows < end && p->parent[i + rows] == DLS_NONE &&
           !coupled_to(p, i + rows + 1, i + rows))
        rows++;
    for (size_t r = i; r < i + rows; r++)
        if (p->lo[r] != -HUGE_VAL || p->hi[r] != HUGE_VAL)
            *kind = DLS_BATCH_BOXED;
    return rows;
}

/* The rows from i on that act on the same blocks, `count` of them, as far as they fit one group: its chunks are of one
 * kind, and only the last is short. */
static dls_row_unit group_from(const dls_packed *packed, size_t i, unsigned count, const uint32_t ends[2], bool whole)
{
    const dls_problem *p = packed->problem;
    dls_row_unit unit = {.first = (uint32_t)i, .coef = p->J.coef_at[p->J.start[i]]};
    size_t end = i + 1, at = i;
    uint32_t other[2];
    for (bool here; end < p->n && end < i + DLS_GROUP_ROWS && !row_is_dead(packed, end); end++) {
        if (ends_of(packed, end, other, &here) != count || other[0] != ends[0] || other[1] != ends[1])
            break;
        whole &= here;
    }
    while (at < end && p->parent[at] == DLS_NONE) {
        unsigned kind, rows = chunk_from(p, at, end, &kind);
        if (at > i && kind != unit.kind)
            break;
        unit.kind = (uint8_t)kind;
        at += rows;
        if (rows < DLS_CHUNK_ROWS)
            break;
    }
    unit.rows = (uint8_t)(at - i);
    unit.whole = whole;
    for (size_t r = i; r < at; r++)
        unit.compliant |= p->gamma[r] != 0.0;
    return unit;
}

/* The list of units while it is written over the previous one; `same` while they agree. */
typedef struct units {
    dls_packed *packed;
    size_t count, entries;
    bool same, failed;
} units;

static void add_entry(units *to, uint32_t block)
{
    dls_packed *packed = to->packed;
    if (to->entries == packed->entry_capacity && !DLS_GROW(packed->entries, packed->entry_capacity, to->entries + 1)) {
        to->failed = true;
        return;
    }
    to->same = to->same && to->entries < packed->n_entries && packed->entries[to->entries] == block;
    packed->entries[to->entries++] = block;
}

/* The mass blocks of a row, each once: pieces come in the order of their columns. */
static void add_row(units *to, size_t i)
{
    size_t k = to->packed->problem->J.start[i], done = 0;
    dls_piece piece;
    uint32_t last = DLS_NO_UNIT;
    while (dls_pack_piece(to->packed, i, &k, &done, &piece))
        if (piece.block != last)
            add_entry(to, last = (uint32_t)piece.block);
}

static void add_unit(units *to, dls_row_unit unit)
{
    dls_packed *packed = to->packed;
    unit.entry = (uint32_t)to->entries;
    if (to->count + 2 > packed->unit_capacity && !DLS_GROW(packed->units, packed->unit_capacity, to->count + 2)) {
        to->failed = true;
        return;
    }
    dls_row_unit *at = &packed->units[to->count++];
    to->same = to->same && to->count <= packed->n_units && at->first == unit.first && at->rows == unit.rows &&
               at->kind == unit.kind && at->compliant == unit.compliant && at->whole == unit.whole &&
               at->entry == unit.entry;
    *at = unit;
}

/* --- an unchanged structure --- */

/* If every row is a general row, the units depend on the columns, normal rows and dead rows alone: if these are those
 * of the last load, so are the units. */
typedef struct part {
    const size_t *at;
    size_t count;
} part;
enum { PARTS = 4 };

static void parts_of(const dls_problem *p, part parts[PARTS])
{
    const dls_rows *J = &p->J;
    parts[0] = (part){J->start, p->n + 1}; /* its last number is that of the blocks */
    parts[1] = (part){p->parent, p->n};
    parts[2] = (part){J->offset, J->n_blocks};
    parts[3] = (part){J->coef_at, J->n_blocks};
}

/* `packed` has been filled for as many rows. */
static bool same_rows(const dls_packed *packed)
{
    part parts[PARTS];
    const size_t *known = packed->shape;
    if (packed->finds_dead)
        return false;
    parts_of(packed->problem, parts);
    for (int k = 0; k < PARTS; known += parts[k++].count)
        if (memcmp(known, parts[k].at, parts[k].count * sizeof *known) != 0)
            return false;
    return true;
}

static bool all_general(const dls_packed *packed)
{
    for (size_t u = 0; u < packed->n_units; u++)
        if (packed->units[u].kind != DLS_BATCH_ROW)
            return false;
    return packed->n_units == packed->problem->n;
}

static dls_status keep_rows(dls_packed *packed, dls_error *error)
{
    const dls_problem *p = packed->problem;
    packed->shape_known = false;
    if (!all_general(packed) || packed->finds_dead || p->form != DLS_FORM_MECHANICAL)
        return DLS_OK;
    part parts[PARTS];
    size_t count = 0;
    parts_of(p, parts);
    for (int k = 0; k < PARTS; k++)
        count += parts[k].count;
    if (!DLS_GROW(packed->shape, packed->shape_capacity, count))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the structure of %zu rows", p->n);
    size_t *to = packed->shape;
    for (int k = 0; k < PARTS; to += parts[k++].count)
        memcpy(to, parts[k].at, parts[k].count * sizeof *to);
    packed->shape_known = true;
    return DLS_OK;
}

dls_status dls_pack_units(dls_packed *packed, bool *same, dls_error *error)
{
    const dls_problem *p = packed->problem;
    if (*same && packed->shape_known && same_rows(packed))
        return DLS_OK;
    units to = {.packed = packed, .same = *same};
    for (size_t i = 0; i < p->n && !to.failed;) {
        uint32_t ends[2];
        bool whole, mechanical = p->form == DLS_FORM_MECHANICAL;
        if (row_is_dead(packed, i)) {
            i++;
            continue;
        }
        unsigned count = mechanical && p->parent[i] == DLS_NONE ? ends_of(packed, i, ends, &whole) : 0;
        dls_row_unit unit = count ? group_from(packed, i, count, ends, whole)
                                  : (dls_row_unit){.first = (uint32_t)i, .rows = 1, .kind = DLS_BATCH_ROW};
        add_unit(&to, unit);
        for (unsigned k = 0; k < count; k++)
            add_entry(&to, ends[k]);
        if (!count && mechanical) {
            add_row(&to, i);
            if (p->parent[i] !=
                DLS_NONE) /* it reads its parent's impulse, in the order of rows on the parent's bodies */
                add_row(&to, p->parent[i]);
        }
        i += unit.rows;
    }
    *same = to.same && !to.failed && to.count == packed->n_units && to.entries == packed->n_entries;
    packed->n_units = to.count;
    packed->n_entries = to.entries;
    if (to.failed || !DLS_GROW(packed->units, packed->unit_capacity, to.count + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the groups of %zu rows", p->n);
    packed->units[to.count].entry = (uint32_t)to.entries;
    return keep_rows(packed, error);
}
