/* Rows to units: groups of adjacent rows on one pair of bodies, and general rows. See packed.h. */
#include "packed.h"

#include <math.h>
#include <stdlib.h>

/* The one or two weighted blocks of a row, or false where it is a general row. */
static bool pair_of(const dls_pack *pack, size_t i, uint32_t pair[2])
{
    size_t k = pack->problem->J.start[i], done = 0, count = 0;
    dls_piece piece;
    pair[0] = pair[1] = UINT32_MAX;
    while (dls_pack_piece(pack, i, &k, &done, &piece)) {
        uint32_t block = (uint32_t)piece.block;
        if (!pack->slots[block].weighted)
            return false;
        if (count > 0 && pair[count - 1] == block)
            continue;
        if (count == 2)
            return false;
        pair[count++] = block;
    }
    return count > 0;
}

/* M^-1 is definite: the diagonal is zero where the row is, and has no compliance. The matrix form has its diagonal. */
static bool is_dead(const dls_problem *p, size_t i)
{
    if (p->gamma[i] != 0.0)
        return false;
    for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
        for (size_t j = p->J.coef_at[k]; j < p->J.coef_at[k + 1]; j++)
            if (p->J.coef[j] != 0.0 && (p->form == DLS_FORM_MECHANICAL || p->J.offset[k] + j - p->J.coef_at[k] == i))
                return false;
    return true;
}

static bool coupled_to(const dls_pack *pack, size_t i, size_t parent)
{
    return i < pack->problem->n && pack->problem->parent[i] == parent;
}

/* How many rows from `i` make one chunk, and its kind. Row i is not coupled. */
static unsigned chunk_from(const dls_pack *pack, size_t i, size_t end, unsigned *kind)
{
    const dls_problem *p = pack->problem;
    unsigned rows = 1;
    *kind = DLS_BATCH_EQUALITY;
    if (coupled_to(pack, i + 1, i)) {
        while (rows < DLS_CHUNK_ROWS && i + rows < end && coupled_to(pack, i + rows, i))
            rows++;
        *kind = DLS_BATCH_COUPLED;
        return rows;
    }
    while (rows < DLS_CHUNK_ROWS && i + rows < end && p->parent[i + rows] == DLS_NONE &&
           !coupled_to(pack, i + rows + 1, i + rows))
        rows++;
    for (size_t r = i; r < i + rows; r++)
        if (p->lo[r] != -HUGE_VAL || p->hi[r] != HUGE_VAL)
            *kind = DLS_BATCH_BOXED;
    return rows;
}

/* Whether row i has its blocks where row i - 1 has them. */
static bool same_columns(const dls_rows *J, size_t i)
{
    size_t a = J->start[i - 1], b = J->start[i], blocks = b - a;
    if (J->start[i + 1] - b != blocks)
        return false;
    for (size_t k = 0; k < blocks; k++)
        if (J->offset[a + k] != J->offset[b + k] ||
            J->coef_at[a + k + 1] - J->coef_at[a + k] != J->coef_at[b + k + 1] - J->coef_at[b + k])
            return false;
    return true;
}

/* The end of the rows from i that act on the same pair. */
static size_t same_pair(const dls_pack *pack, size_t i, const uint32_t pair[2])
{
    size_t end = i + 1;
    uint32_t other[2];
    while (end < pack->problem->n && end < i + DLS_GROUP_ROWS && !pack->dead[end] &&
           (same_columns(&pack->problem->J, end) ||
            (pair_of(pack, end, other) && other[0] == pair[0] && other[1] == pair[1])))
        end++;
    return end;
}

/* The chunks of a group are of one kind, and only the last is short. */
static dls_row_unit group_from(const dls_pack *pack, size_t i, const uint32_t pair[2])
{
    dls_row_unit unit = {.first = (uint32_t)i};
    size_t end = same_pair(pack, i, pair), at = i;
    while (at < end && pack->problem->parent[at] == DLS_NONE) {
        unsigned kind, rows = chunk_from(pack, at, end, &kind);
        if (at > i && kind != unit.kind)
            break;
        unit.kind = (uint8_t)kind;
        at += rows;
        if (rows < DLS_CHUNK_ROWS)
            break;
    }
    unit.rows = (uint8_t)(at - i);
    for (size_t r = i; r < at; r++)
        unit.compliant |= pack->problem->gamma[r] != 0.0;
    return unit;
}

static bool room(dls_unit_list *units, size_t *capacity, size_t more)
{
    if (units->n_entries + more <= *capacity)
        return true;
    size_t larger = 2 * (units->n_entries + more);
    uint32_t *blocks = realloc(units->blocks, larger * sizeof *blocks);
    if (!blocks)
        return false;
    units->blocks = blocks;
    *capacity = larger;
    return true;
}

/* The mass blocks of a row, each once: pieces come in the order of their columns. */
static bool add_blocks(dls_pack *pack, size_t i, size_t *capacity)
{
    dls_unit_list *units = &pack->units;
    size_t k = pack->problem->J.start[i], done = 0;
    dls_piece piece;
    uint32_t last = UINT32_MAX;
    while (dls_pack_piece(pack, i, &k, &done, &piece)) {
        if (!room(units, capacity, 1))
            return false;
        if (piece.block != last)
            units->blocks[units->n_entries++] = last = (uint32_t)piece.block;
    }
    return true;
}

static dls_row_unit unit_from(const dls_pack *pack, size_t i)
{
    uint32_t pair[2];
    const dls_problem *p = pack->problem;
    if (p->form == DLS_FORM_MECHANICAL && p->parent[i] == DLS_NONE && pair_of(pack, i, pair))
        return group_from(pack, i, pair);
    return (dls_row_unit){.first = (uint32_t)i, .rows = 1, .kind = DLS_BATCH_ROW};
}

dls_status dls_pack_units(dls_pack *pack, dls_error *error)
{
    const dls_problem *p = pack->problem;
    dls_unit_list *units = &pack->units;
    size_t capacity = 2 * p->n + 2;
    units->at = malloc((p->n + 1) * sizeof *units->at);
    units->blocks = malloc(capacity * sizeof *units->blocks);
    bool ok = units->at && units->blocks;
    for (size_t i = 0; i < p->n; i++)
        pack->packed->dead += pack->dead[i] = is_dead(p, i);
    for (size_t i = 0; ok && i < p->n;) {
        if (pack->dead[i]) {
            i++;
            continue;
        }
        dls_row_unit unit = unit_from(pack, i);
        unit.entry = (uint32_t)units->n_entries;
        units->at[units->count++] = unit;
        if (p->form == DLS_FORM_MECHANICAL)
            ok = add_blocks(pack, i, &capacity) &&
                 /* a row reads the impulse of its parent: it keeps its place among the rows of the parent's bodies */
                 (unit.kind != DLS_BATCH_ROW || p->parent[i] == DLS_NONE || add_blocks(pack, p->parent[i], &capacity));
        i += unit.rows;
    }
    if (!ok)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the groups of %zu rows", p->n);
    units->at[units->count].entry = (uint32_t)units->n_entries;
    return DLS_OK;
}
