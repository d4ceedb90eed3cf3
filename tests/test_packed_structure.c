/* The layout of packed rows, looked at from inside: groups, batches, places, coefficients and shared responses of
 * random problems against a plain derivation of each from packing.h; sweeps of every compiled path against sums in long
 * double. */
#include "delassus/delassus.h"
#include "delassus/solvers.h"

#include "packed_problems.h"

#include <stdio.h>
#include <string.h>

enum { KEYS = 1000, WEIGHTED = 8 * BLOCKS + VELOCITIES };

/* --- what rows are --- */

static bool dead(const made *m, size_t i)
{
    bool zero = m->p->gamma[i] == 0.0;
    for (size_t j = 0; j < m->p->nv; j++)
        zero = zero && m->J[i][j] == 0.0;
    return zero;
}

/* The mass blocks that a row names, each once. */
static size_t blocks_of(const made *m, size_t i, uint32_t *list)
{
    size_t count = 0;
    for (size_t k = m->p->J.start[i]; k < m->p->J.start[i + 1]; k++)
        if (count == 0 || list[count - 1] != m->p->J.mass[k])
            list[count++] = m->p->J.mass[k];
    return count;
}

static bool can_be_grouped(const made *m, size_t i)
{
    uint32_t list[BLOCKS];
    const size_t count = blocks_of(m, i, list);
    bool all = count == 1 || count == 2;
    for (size_t k = 0; k < count; k++)
        all = all && m->block[list[k]].weighted;
    return all;
}

/* All six coefficients of every body it acts on, in one piece each. */
static bool whole_row(const made *m, size_t i)
{
    const dls_rows *J = &m->p->J;
    bool whole = true;
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
        whole = whole && J->coef_at[k + 1] - J->coef_at[k] == 6 && m->block[J->mass[k]].kind == 'b';
    return whole;
}

static bool same_blocks(const made *m, size_t i, size_t j)
{
    uint32_t a[BLOCKS], b[BLOCKS];
    const size_t count = blocks_of(m, i, a);
    return blocks_of(m, j, b) == count && memcmp(a, b, count * sizeof *a) == 0;
}

static bool has_friction(const made *m, size_t i) { return i + 1 < m->p->n && m->p->parent[i + 1] == i; }
static bool bounded(const made *m, size_t i) { return m->p->lo[i] > -HUGE_VAL || m->p->hi[i] < HUGE_VAL; }

typedef struct group {
    size_t first, rows, n_entries;
    unsigned kind;
    bool compliant, whole;
    uint32_t entries[2 * BLOCKS];
} group;

/* The group that begins with row i; each of its chunks but the last has three rows, and all are of one kind. */
static group group_at(const made *m, size_t i)
{
    group g = {.first = i, .rows = 1, .kind = DLS_BATCH_ROW};
    size_t last = i + 1, at = i;
    g.n_entries = blocks_of(m, i, g.entries);
    if (m->p->parent[i] != DLS_NONE || !can_be_grouped(m, i)) {
        if (m->p->parent[i] != DLS_NONE)
            g.n_entries += blocks_of(m, m->p->parent[i], g.entries + g.n_entries);
        return g;
    }
    while (last < m->p->n && last < i + 12 && !dead(m, last) && same_blocks(m, last, i))
        last++;
    g.whole = true;
    for (size_t r = i; r < last; r++)
        g.whole = g.whole && whole_row(m, r);
    for (size_t rows = 3; rows == 3 && at < last && m->p->parent[at] == DLS_NONE; at += rows) {
        unsigned kind = DLS_BATCH_EQUALITY;
        rows = 1;
        if (has_friction(m, at)) {
            kind = DLS_BATCH_COUPLED;
            while (rows < 3 && at + rows < last && m->p->parent[at + rows] == at)
                rows++;
        } else {
            while (rows < 3 && at + rows < last && m->p->parent[at + rows] == DLS_NONE && !has_friction(m, at + rows))
                rows++;
            for (size_t r = at; r < at + rows; r++)
                kind = bounded(m, r) ? DLS_BATCH_BOXED : kind;
        }
        if (at > i && kind != g.kind)
            break;
        g.kind = kind;
    }
    g.rows = at - i;
    for (size_t r = i; r < at; r++)
        g.compliant = g.compliant || m->p->gamma[r] != 0.0;
    return g;
}

static size_t groups_of(const made *m, group *groups)
{
    size_t count = 0;
    for (size_t i = 0; i < m->p->n;)
        if (dead(m, i)) {
            i++;
        } else {
            groups[count] = group_at(m, i);
            i += groups[count++].rows;
        }
    return count;
}

static void check_groups(const made *m, const dls_packed *packed, const group *groups, size_t count)
{
    size_t entries = 0;
    assert_int_equal(packed->n_units, count);
    for (size_t u = 0; u < count; u++) {
        const dls_row_unit *unit = &packed->units[u];
        const group *g = &groups[u];
        assert_int_equal(unit->first, g->first);
        assert_int_equal(unit->rows, g->rows);
        assert_int_equal(unit->kind, g->kind);
        assert_int_equal(unit->compliant, g->compliant);
        assert_int_equal(unit->whole, g->whole);
        assert_int_equal(unit->entry, entries);
        if (g->kind != DLS_BATCH_ROW)
            assert_int_equal(unit->coef, m->p->J.coef_at[m->p->J.start[g->first]]);
        for (size_t k = 0; k < g->n_entries; k++)
            assert_int_equal(packed->entries[entries++], g->entries[k]);
    }
    assert_int_equal(packed->units[count].entry, entries);
    assert_int_equal(packed->n_entries, entries);
}

/* --- batches --- */

static bool moves(const group *g, uint32_t block)
{
    for (size_t k = 0; k < g->n_entries; k++)
        if (g->entries[k] == block)
            return true;
    return false;
}

static bool ready(const group *groups, const bool *done, size_t u)
{
    for (size_t before = 0; before < u; before++)
        for (size_t k = 0; k < groups[u].n_entries; k++)
            if (!done[before] && moves(&groups[before], groups[u].entries[k]))
                return false;
    return true;
}

/* General rows win a tie, then the least kind, no compliance, the fewest rows. */
static size_t key_of(const group *g)
{
    return g->kind == DLS_BATCH_ROW ? 0 : 100 * (2 * g->kind + g->compliant) + g->rows;
}

static void check_schedule(const dls_packed *packed, const group *groups, size_t count)
{
    static size_t queue[ROWS], waiting[KEYS];
    bool done[ROWS] = {false}, queued[ROWS] = {false};
    size_t n = 0, batches = 0, taken = 0;
    for (size_t u = 0; u < count; u++)
        if (ready(groups, done, u))
            queue[n++] = u, queued[u] = true;
    while (taken < count) {
        size_t best = 0, lanes = 0, unit[DLS_LANES];
        memset(waiting, 0, sizeof waiting);
        for (size_t k = 0; k < n; k++)
            waiting[key_of(&groups[queue[k]])]++;
        for (size_t key = 1; key < KEYS; key++)
            best = waiting[key] > waiting[best] ? key : best;
        assert_true(batches < packed->n_batches && waiting[best] > 0);
        const dls_row_batch *batch = &packed->batches[batches++];
        for (size_t key = best; lanes < (best ? DLS_LANES : 1) && (key == best || key % 100 > 0); key--)
            for (size_t k = 0; k < n && lanes < (best ? DLS_LANES : 1); k++)
                if (key_of(&groups[queue[k]]) == key) {
                    unit[lanes++] = queue[k];
                    memmove(queue + k, queue + k + 1, (--n - k) * sizeof *queue);
                    k--;
                }
        assert_int_equal(batch->kind, groups[unit[0]].kind);
        assert_int_equal(batch->compliant, groups[unit[0]].compliant);
        assert_int_equal(batch->rows, groups[unit[0]].rows);
        for (size_t lane = 0; lane < DLS_LANES; lane++)
            assert_true(batch->unit[lane] == (lane < lanes ? unit[lane] : DLS_NO_UNIT));
        for (size_t lane = 0; lane < lanes; lane++) {
            const group *g = &groups[unit[lane]];
            done[unit[lane]] = true, taken++;
            for (size_t e = 0; e < g->n_entries; e++)
                for (size_t u = 0; u < count; u++) {
                    if (done[u] || !moves(&groups[u], g->entries[e]))
                        continue;
                    bool later = false; /* the last of the blocks that both move counts */
                    for (size_t k = e + 1; k < g->n_entries; k++)
                        later = later || moves(&groups[u], g->entries[k]);
                    if (!queued[u] && !later && ready(groups, done, u))
                        queue[n++] = u, queued[u] = true;
                    break;
                }
        }
    }
    assert_int_equal(packed->n_batches, batches);
}

/* --- places --- */

static size_t padded(size_t length) { return length <= 8 ? 8 : length <= 16 ? 16 : 24; }

static size_t vectors_of(unsigned kind, bool compliant, size_t rows)
{
    const size_t bounds = kind == DLS_BATCH_EQUALITY ? 0 : kind == DLS_BATCH_BOXED ? 2 * rows : 2 + rows - 1;
    return 12 * rows + 2 * rows + rows * (rows - 1) / 2 + (compliant ? rows : 0) + bounds;
}

static void check_places(const made *m, const dls_packed *packed)
{
    size_t y = 0, lambda = 0, coef = 0, general = 0, place[ROWS];
    for (size_t k = 0; k < m->n_blocks; k++) {
        const mass_block *b = &m->block[k];
        const dls_slot *slot = &packed->slots[k];
        assert_int_equal(slot->y, y);
        assert_int_equal(slot->v, b->offset);
        assert_int_equal(slot->length, b->length);
        assert_int_equal(slot->kind, b->kind == 'b' ? DLS_SLOT_BODY : b->kind == 'f' ? DLS_SLOT_FULL : DLS_SLOT_PLAIN);
        for (size_t j = 0; j < b->length; j++)
            assert_int_equal(packed->block_of[b->offset + j], k);
        y += padded(b->length);
    }
    assert_int_equal(packed->n_slots, m->n_blocks);
    assert_int_equal(packed->n_y, y);
    for (size_t i = 0; i < m->p->n; i++)
        place[i] = DLS_NONE;
    for (size_t k = 0; k < packed->n_batches; k++) {
        const dls_row_batch *batch = &packed->batches[k];
        if (batch->kind == DLS_BATCH_ROW)
            continue;
        assert_int_equal(batch->at, coef);
        assert_int_equal(batch->lambda, lambda);
        for (size_t lane = 0; lane < DLS_LANES; lane++) {
            const dls_row_unit *unit = batch->unit[lane] == DLS_NO_UNIT ? NULL : &packed->units[batch->unit[lane]];
            const size_t ends = unit ? unit[1].entry - unit->entry : 0;
            for (size_t e = 0; e < 2; e++) {
                const size_t from = e < ends ? packed->slots[packed->entries[unit->entry + e]].y : y;
                assert_int_equal(batch->from[e][lane], from);
                assert_int_equal(batch->to[e][lane], e < ends ? from : y + 8);
            }
            for (size_t r = 0; unit && r < unit->rows; r++)
                place[unit->first + r] = lambda + 4 * r + lane;
        }
        lambda += 4 * (size_t)batch->rows;
        for (size_t left = batch->rows; left; left -= left < 3 ? left : 3)
            coef += 4 * vectors_of(batch->kind, batch->compliant, left < 3 ? left : 3);
    }
    for (size_t k = 0; k < packed->n_batches; k++)
        if (packed->batches[k].kind == DLS_BATCH_ROW) {
            assert_int_equal(packed->batches[k].at, general);
            place[packed->units[packed->batches[k].unit[0]].first] = lambda + general++;
        }
    lambda += general;
    size_t dead_rows = 0;
    for (size_t i = 0; i < m->p->n; i++) {
        if (place[i] == DLS_NONE)
            assert_true(dead(m, i)), place[i] = lambda + dead_rows++;
        assert_int_equal(packed->where[i], place[i]);
    }
    assert_int_equal(packed->n_coef, coef);
    assert_int_equal(packed->n_general, general);
    assert_int_equal(packed->dead, dead_rows);
    assert_int_equal(packed->n_lambda, lambda + dead_rows);
}

/* --- coefficients --- */

/* C of a weighted block, from the columns of M^-1. */
static void factor(const made *m, size_t k, long double C[6][6])
{
    double W[6][6], unit[6];
    const dls_mass_block *b = &m->p->mass.blocks[k];
    for (size_t j = 0; j < 6; j++) {
        memset(unit, 0, sizeof unit);
        unit[j] = 1.0;
        b->kind->solve(b->data, unit, W[j]);
    }
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 6; j++) {
            long double sum = W[i][j];
            for (size_t l = 0; l < (i < j ? i : j); l++)
                sum -= C[i][l] * C[j][l];
            C[i][j] = i < j ? 0.0L : i == j ? sqrtl(sum) : sum / C[j][j];
        }
}

/* A row in the coordinates of packed rows: J C of a weighted block, J of another. */
static void weigh(const made *m, const double *J, double *y)
{
    size_t at = 0;
    for (size_t k = 0; k < m->n_blocks; k++) {
        const mass_block *b = &m->block[k];
        long double C[6][6];
        memset(y + at, 0, padded(b->length) * sizeof *y);
        if (b->weighted) {
            factor(m, k, C);
            for (size_t c = 0; c < 6; c++) {
                long double sum = 0.0L;
                for (size_t r = c; r < 6; r++)
                    sum += J[b->offset + r] * C[r][c];
                y[at + c] = (double)sum;
            }
        } else {
            memcpy(y + at, J + b->offset, b->length * sizeof *y);
        }
        at += padded(b->length);
    }
}

/* What a general row reads, and what it changes. */
static void sides_of(const made *m, size_t i, double sides[2][WEIGHTED])
{
    size_t at = 0;
    weigh(m, m->J[i], sides[0]);
    memcpy(sides[1], sides[0], sizeof sides[0]);
    for (size_t k = 0; k < m->n_blocks; at += padded(m->block[k++].length))
        if (!m->block[k].weighted)
            memcpy(sides[1] + at, m->B[i] + m->block[k].offset, m->block[k].length * sizeof(double));
}

static void check_group_row(const made *m, const dls_packed *packed, const dls_row_batch *batch, const double *chunk,
                            size_t lane, size_t rows, size_t at, size_t i)
{
    const dls_problem *p = m->p;
    double expected[WEIGHTED];
    const double *s = chunk + 4 * 12 * rows, *c = s + 4 * rows, *A = c + 4 * rows,
                 *behind = A + 4 * (rows * (rows - 1) / 2);
    weigh(m, m->J[i], expected);
    for (size_t e = 0; e < 2; e++) {
        const bool there = batch->from[e][lane] != packed->n_y;
        for (size_t k = 0; k < 6; k++)
            assert_close(chunk[4 * (12 * at + 6 * e + k) + lane], there ? expected[batch->from[e][lane] + k] : 0.0,
                         1e-14);
    }
    assert_close(s[4 * at + lane] * m->diagonal[i], OMEGA, 1e-13);
    assert_true(c[4 * at + lane] == p->c[i]);
    for (size_t q = 0; q < at; q++) {
        double entry = 0.0;
        for (size_t j = 0; j < p->nv; j++)
            entry += m->J[i][j] * m->B[i - at + q][j];
        assert_close(A[4 * (at * (at - 1) / 2 + q) + lane], entry, 1e-13);
    }
    if (batch->compliant) {
        assert_true(behind[4 * at + lane] == p->gamma[i]);
        behind += 4 * rows;
    }
    if (batch->kind == DLS_BATCH_BOXED || (batch->kind == DLS_BATCH_COUPLED && at == 0)) {
        assert_true(behind[4 * at + lane] == p->lo[i]);
        assert_true(behind[4 * (at + (batch->kind == DLS_BATCH_BOXED ? rows : 1)) + lane] == p->hi[i]);
    } else if (batch->kind == DLS_BATCH_COUPLED) {
        assert_true(behind[4 * (1 + at) + lane] == p->mu[i]);
    }
}

static void check_batch(const made *m, const dls_packed *packed, const dls_row_batch *batch)
{
    for (size_t lane = 0; lane < DLS_LANES; lane++) {
        const dls_row_unit *unit = batch->unit[lane] == DLS_NO_UNIT ? NULL : &packed->units[batch->unit[lane]];
        const double *chunk = packed->coef.at + batch->at;
        for (size_t r = 0, rows; r < batch->rows; r += rows) {
            rows = batch->rows - r < 3 ? batch->rows - r : 3;
            const size_t vectors = vectors_of(batch->kind, batch->compliant, rows);
            for (size_t i = 0; i < rows; i++) {
                if (unit && r + i < unit->rows) {
                    check_group_row(m, packed, batch, chunk, lane, rows, i, unit->first + r + i);
                    continue;
                }
                for (size_t k = 0; k < 12; k++)
                    assert_true(chunk[4 * (12 * i + k) + lane] == 0.0);
                assert_true(chunk[4 * (12 * rows + i) + lane] == 0.0);
                assert_true(chunk[4 * (13 * rows + i) + lane] == 0.0);
            }
            for (size_t k = 0; k < vectors && !unit; k++)
                assert_true(chunk[4 * k + lane] == 0.0);
            chunk += 4 * vectors;
        }
    }
}

/* Segments multiplied out; they hold whole vectors, none of them all zero, and no two of a row touch within a block. */
static void spread(const dls_packed *packed, size_t first, size_t count, double *y)
{
    memset(y, 0, packed->n_y * sizeof *y);
    for (size_t s = first; s < first + count; s++) {
        const dls_segment *run = &packed->segments[s];
        assert_true(run->y % 4 == 0 && run->coef % 4 == 0 && run->vectors > 0);
        for (size_t k = 0; k < run->vectors; k++) {
            bool any = false;
            for (size_t lane = 0; lane < 4; lane++) {
                const double value = packed->general_coef.at[run->coef + 4 * k + lane];
                assert_true(y[run->y + 4 * k + lane] == 0.0);
                y[run->y + 4 * k + lane] = value;
                any = any || value != 0.0;
            }
            assert_true(any);
        }
    }
}

static void check_general(const made *m, const dls_packed *packed, size_t i)
{
    const dls_problem *p = m->p;
    const dls_general_row *g =
        &packed->general[packed->where[i] - (packed->n_lambda - packed->dead - packed->n_general)];
    double expected[2][WEIGHTED], found[WEIGHTED];
    assert_int_equal(g->lambda, packed->where[i]);
    assert_true(g->parent == (p->parent[i] == DLS_NONE ? DLS_NONE : packed->where[p->parent[i]]));
    assert_true(g->c == p->c[i] && g->gamma == p->gamma[i] && g->lo == p->lo[i] && g->hi == p->hi[i]);
    assert_true(g->mu == p->mu[i]);
    assert_close(g->s * m->diagonal[i], OMEGA, 1e-13);
    sides_of(m, i, expected);
    spread(packed, g->J, g->n_J, found);
    for (size_t k = 0; k < packed->n_y; k++)
        assert_close(found[k], expected[0][k], 1e-14);
    spread(packed, g->B, g->n_B, found);
    for (size_t k = 0; k < packed->n_y; k++)
        assert_close(found[k], expected[1][k], 1e-13);
}

/* How many segments and numbers the general rows have, and how often M^-1 of the blocks that are not weighted is asked
 * for: rows of one coordinate share what they move with one before, whose coefficient is the same or the opposite;
 * others are solved for up to sixteen at once. */
typedef struct work {
    size_t segments, numbers, calls[BLOCKS], sides[BLOCKS];
} work;

static void count_runs(const mass_block *b, const double *values, work *to)
{
    bool before = false;
    for (size_t k = 0; k < b->length; k += 4) {
        bool any = false;
        for (size_t lane = 0; lane < 4 && k + lane < b->length; lane++)
            any = any || values[k + lane] != 0.0;
        to->segments += any && !before;
        to->numbers += any ? 4 : 0;
        before = any;
    }
}

/* Of all blocks that row i names. */
static void count_side(const made *m, size_t i, const double *side, work *to)
{
    uint32_t list[BLOCKS];
    const size_t count = blocks_of(m, i, list);
    size_t at = 0;
    for (size_t k = 0, e = 0; k < m->n_blocks; at += padded(m->block[k++].length))
        if (e < count && list[e] == k)
            count_runs(&m->block[k], side + at, to), e++;
}

static size_t only_column_of(const made *m, size_t i)
{
    const dls_rows *J = &m->p->J;
    const size_t k = J->start[i];
    return J->start[i + 1] == k + 1 && J->coef_at[k + 1] - J->coef_at[k] == 1 && J->coef[J->coef_at[k]] != 0.0 &&
                   !m->block[J->mass[k]].weighted
               ? J->offset[k]
               : DLS_NONE;
}

typedef struct waiting {
    size_t count, row[DLS_ARTICULATION_LANES];
    bool columns;
} waiting;

static void solve_waiting(const made *m, waiting *w, work *to)
{
    for (size_t k = 0; k < m->n_blocks; k++) {
        size_t sides = 0;
        for (size_t r = 0; r < w->count; r++) {
            uint32_t list[BLOCKS];
            const size_t count = blocks_of(m, w->row[r], list);
            for (size_t e = 0; e < count; e++)
                sides += list[e] == k && !m->block[k].weighted;
        }
        to->calls[k] += sides > 0;
        to->sides[k] += sides;
    }
    w->count = 0;
}

static work work_of(const made *m, const group *groups, size_t n_groups)
{
    work to = {0};
    waiting w = {0};
    double first[VELOCITIES] = {0.0}, opposite[VELOCITIES] = {0.0};
    for (size_t u = 0; u < n_groups; u++) {
        const size_t i = groups[u].first, column = only_column_of(m, i);
        double sides[2][WEIGHTED];
        if (groups[u].kind != DLS_BATCH_ROW)
            continue;
        if (w.count == DLS_ARTICULATION_LANES || (w.count && w.columns != (column != DLS_NONE)))
            solve_waiting(m, &w, &to);
        w.columns = column != DLS_NONE;
        sides_of(m, i, sides);
        bool shared = false;
        if (w.columns) {
            const double coef = m->J[i][column];
            bool other_block = false, same = false;
            for (size_t r = 0; r < w.count; r++) {
                same = same || only_column_of(m, w.row[r]) == column;
                other_block = other_block || !same_blocks(m, w.row[r], i);
            }
            if (same || other_block)
                solve_waiting(m, &w, &to);
            shared = first[column] == coef || opposite[column] == coef;
            if (!shared && first[column] == -coef) {
                count_side(m, i, sides[1], &to);
                opposite[column] = coef;
                shared = true;
            }
            if (!shared)
                first[column] = coef;
        }
        count_side(m, i, sides[0], &to);
        if (!shared)
            count_side(m, i, sides[1], &to);
        if (!shared)
            w.row[w.count++] = i;
    }
    solve_waiting(m, &w, &to);
    return to;
}

static void check_work(const made *m, const dls_packed *packed, const group *groups, size_t count)
{
    const work expected = work_of(m, groups, count);
    assert_int_equal(packed->n_segments, expected.segments);
    assert_int_equal(packed->n_general_coef, expected.numbers);
    for (size_t k = 0; k < m->n_blocks; k++)
        if (m->block[k].to) {
            assert_int_equal(m->block[k].m.calls, expected.calls[k]);
            assert_int_equal(m->block[k].m.sides, expected.sides[k]);
        }
}

/* --- all of it --- */

static dls_packed *create(const dls_sweep_path *path)
{
    dls_packed *packed;
    dls_error error;
    assert_status(dls_packed_create(OMEGA, &packed, &error), &error);
    packed->path = path ? path : packed->path;
    return packed;
}

static void load(made *m, dls_packed *packed, const double *lambda0)
{
    dls_error error;
    finish(m);
    assert_status(dls_packed_load(packed, m->p, lambda0, &error), &error);
    if (packed->dead > 0) /* that a row is dead is found in a second look */
        assert_status(dls_packed_load(packed, m->p, lambda0, &error), &error);
}

/* What has been loaded, number by number. */
static void check_layout(const made *m, const dls_packed *packed)
{
    static group groups[ROWS];
    const size_t count = groups_of(m, groups);
    check_groups(m, packed, groups, count);
    check_schedule(packed, groups, count);
    check_places(m, packed);
    for (size_t k = 0; k < packed->n_batches; k++)
        if (packed->batches[k].kind == DLS_BATCH_ROW)
            check_general(m, packed, packed->units[packed->batches[k].unit[0]].first);
        else
            check_batch(m, packed, &packed->batches[k]);
}

static void check_load(made *m, dls_packed *packed)
{
    static group groups[ROWS];
    dls_error error;
    load(m, packed, NULL);
    check_layout(m, packed);
    for (size_t k = 0; k < m->n_blocks; k++)
        m->block[k].m.calls = m->block[k].m.sides = 0;
    assert_status(dls_packed_load(packed, m->p, NULL, &error), &error);
    check_layout(m, packed);
    check_work(m, packed, groups, groups_of(m, groups));
}

/* --- random problems --- */

static bool any_without_movement(const made *m)
{
    for (size_t i = 0; i < m->p->n; i++)
        if (m->diagonal[i] < 1e-3 && !dead(m, i))
            return true;
    return false;
}

static void test_random_problems_are_laid_out_as_documented(void **unused)
{
    (void)unused;
    static made m;
    state = 203;
    dls_packed *kept = create(NULL);
    for (size_t k = 0; k < 300; k++) {
        draw_problem(&m);
        finish(&m);
        if (!any_without_movement(&m)) {
            dls_packed *fresh = create(NULL);
            check_load(&m, fresh);
            dls_packed_destroy(fresh);
            kept->finds_dead = false;
            check_load(&m, kept);
        }
        end(&m);
    }
    dls_packed_destroy(kept);
}

/* Blocks of six that are no bodies, and parts of bodies that only together with the next row's make six. */
static void test_rows_that_look_like_those_of_two_bodies(void **unused)
{
    static const char *const rows[][4] = {
        {"0 1:0+3", "1:3+3", "0 1", "0 1"},   {"0:0+3 1", "0 1:0+5", "0:5+1 1", "0 1"},
        {"0 1", "0 1:0+3", "0:0+3 1", "0 1"}, {"0 2", "0 2", "2 3", "2 3"},
        {"0 1", "0 1", "1 2", "1 2"},         {"0:0+3 0:3+3", "0 1", "0:0+3", "1:3+3"},
        {"2 4", "0 4", "0 4", "0 4"},         {"0", "0 1", "0", "1"}};
    (void)unused;
    static made m;
    state = 41;
    dls_packed *kept = create(NULL);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        begin(&m, "bbfbI");
        for (size_t i = 0; i < 4; i++)
            row(&m, rows[k][i]);
        check_load(&m, kept);
        end(&m);
    }
    dls_packed_destroy(kept);
}

/* --- sweeps --- */

typedef struct naive {
    long double lambda[ROWS], v[VELOCITIES];
} naive;

static void naive_start(const made *m, const double *lambda0, naive *w)
{
    for (size_t j = 0; j < m->p->nv; j++)
        w->v[j] = m->p->v_star[j];
    for (size_t i = 0; i < m->p->n; i++) {
        w->lambda[i] = lambda0 ? lambda0[i] : 0.0;
        for (size_t j = 0; j < m->p->nv && !dead(m, i); j++)
            w->v[j] += (long double)m->B[i][j] * w->lambda[i];
    }
}

static void naive_visit(const made *m, naive *w, size_t i)
{
    const dls_problem *p = m->p;
    long double lo = p->lo[i], hi = p->hi[i], residual = p->gamma[i] * w->lambda[i] - p->c[i];
    if (dead(m, i))
        return;
    if (p->parent[i] != DLS_NONE) {
        const long double normal = w->lambda[p->parent[i]];
        hi = normal > 0.0L ? p->mu[i] * normal : 0.0L, lo = -hi;
    }
    for (size_t j = 0; j < p->nv; j++)
        residual += m->J[i][j] * w->v[j];
    long double to = w->lambda[i] - OMEGA * residual / m->diagonal[i];
    to = to < lo ? lo : to > hi ? hi : to;
    for (size_t j = 0; j < p->nv; j++)
        w->v[j] += m->B[i][j] * (to - w->lambda[i]);
    w->lambda[i] = to;
}

static void compare(const made *m, const dls_packed *packed, const naive *w, double *lambda, double *v)
{
    double scale = 1.0;
    dls_packed_read(packed, lambda);
    dls_packed_velocity(packed, v);
    for (size_t i = 0; i < m->p->n; i++)
        scale = fmax(scale, fabs((double)w->lambda[i]));
    for (size_t i = 0; i < m->p->n; i++)
        assert_close(lambda[i], (double)w->lambda[i], 1e-12 * scale);
    for (size_t j = 0; j < m->p->nv; j++)
        assert_close(v[j], (double)w->v[j], 2e-12 * scale);
    for (size_t k = 0; k < 8; k++) /* nobody writes to what lanes without a body read */
        assert_true(packed->y.at[packed->n_y + k] == 0.0);
}

/* Starts, sweeps there and back, and sums, on every path; they give the same bytes. */
static void check_sweeps(made *m)
{
    static double plain[2][VELOCITIES], found[2][VELOCITIES], lambda0[ROWS];
    bool first = true;
    finish(m);
    for (size_t i = 0; i < m->p->n; i++)
        lambda0[i] = below(4) ? 0.3 * draw() : 0.0;
    for (const dls_sweep_path *path = dls_sweep_paths; path->name; path++) {
        naive w;
        if (!path->available())
            continue;
        dls_packed *packed = create(path);
        load(m, packed, lambda0);
        naive_start(m, lambda0, &w);
        compare(m, packed, &w, found[0], found[1]);
        for (int sweep = 0; sweep < 6; sweep++) {
            const bool forward = sweep % 3 != 1;
            dls_packed_sweep(packed, forward ? DLS_FORWARD : DLS_BACKWARD);
            for (size_t i = 0; i < m->p->n; i++)
                naive_visit(m, &w, forward ? i : m->p->n - 1 - i);
            compare(m, packed, &w, found[0], found[1]);
        }
        if (!first) {
            assert_memory_equal(found[0], plain[0], m->p->n * sizeof(double));
            assert_memory_equal(found[1], plain[1], m->p->nv * sizeof(double));
        }
        memcpy(plain, found, sizeof plain);
        first = false;
        dls_packed_destroy(packed);
    }
}

static void test_sweeps_of_every_path_are_sums_over_all_velocities(void **unused)
{
    (void)unused;
    static made m;
    state = 11;
    for (size_t k = 0; k < 120; k++) {
        draw_problem(&m);
        finish(&m);
        if (!any_without_movement(&m))
            check_sweeps(&m);
        end(&m);
    }
}

/* --- loads that follow each other --- */

/* The coefficients of the batches and the general rows are those of `expected`. */
static void assert_same_numbers(const dls_packed *packed, const dls_packed *expected)
{
    assert_int_equal(packed->n_coef, expected->n_coef);
    assert_memory_equal(packed->coef.at, expected->coef.at, packed->n_coef * sizeof(double));
    assert_int_equal(packed->n_general_coef, expected->n_general_coef);
    if (packed->n_general_coef)
        assert_memory_equal(packed->general_coef.at, expected->general_coef.at,
                            packed->n_general_coef * sizeof(double));
    for (size_t k = 0; k < packed->n_general; k++) {
        const dls_general_row *a = &packed->general[k], *b = &expected->general[k];
        assert_true(a->s == b->s && a->c == b->c && a->gamma == b->gamma && a->lo == b->lo && a->hi == b->hi &&
                    a->mu == b->mu && a->lambda == b->lambda && a->parent == b->parent && a->J == b->J &&
                    a->n_J == b->n_J && a->B == b->B && a->n_B == b->n_B);
    }
}

static void test_another_right_side_is_that_of_a_load_with_it(void **unused)
{
    (void)unused;
    static made m;
    state = 5;
    for (size_t k = 0; k < 60; k++) {
        draw_problem(&m);
        finish(&m);
        if (!any_without_movement(&m)) {
            dls_packed *packed = create(NULL), *expected = create(NULL);
            load(&m, packed, NULL);
            for (size_t i = 0; i < m.p->n; i++)
                m.p->c[i] = draw();
            load(&m, expected, NULL);
            dls_packed_refresh(packed, m.p->c);
            assert_same_numbers(packed, expected);
            dls_packed_destroy(packed), dls_packed_destroy(expected);
        }
        end(&m);
    }
}

/* Masses, rows and right sides change; impulses stay, and velocities too, to the bit where the block is as before. */
static void test_a_renewed_problem_keeps_impulses_and_velocities(void **unused)
{
    (void)unused;
    static made m;
    state = 7;
    for (size_t k = 0; k < 60; k++) {
        draw_problem(&m);
        finish(&m);
        if (!any_without_movement(&m)) {
            double lambda[2][ROWS], v[2][VELOCITIES], given[VELOCITIES];
            bool changed[BLOCKS] = {false};
            dls_error error;
            dls_packed *packed = create(NULL), *expected = create(NULL);
            load(&m, packed, NULL);
            dls_packed_sweep(packed, DLS_FORWARD);
            dls_packed_read(packed, lambda[0]), dls_packed_velocity(packed, v[0]);
            for (size_t b = 0; b < m.n_blocks; b++) {
                changed[b] = below(2);
                if (changed[b] && m.block[b].kind == 'b')
                    m.block[b].body.inverse_mass *= 1.7, m.block[b].body.inverse_inertia.m[8] *= 1.3;
                for (size_t j = 0; changed[b] && m.block[b].to && j < LENGTH * LENGTH; j++)
                    m.block[b].m.W[j] *= 1.3;
            }
            for (size_t i = 0; i < m.p->n; i++)
                m.p->c[i] = draw();
            for (int again = 0; again < 2; again++) { /* with the velocities it has, then with others */
                finish(&m);
                load(&m, expected, NULL);
                for (size_t j = 0; j < m.p->nv; j++)
                    given[j] = draw();
                assert_status(dls_packed_renew(packed, m.p, again ? given : NULL, &error), &error);
                assert_same_numbers(packed, expected);
                check_layout(&m, packed);
                dls_packed_read(packed, lambda[1]), dls_packed_velocity(packed, v[1]);
                assert_memory_equal(lambda[1], lambda[0], m.p->n * sizeof(double));
                for (size_t b = 0; b < m.n_blocks; b++)
                    for (size_t j = m.block[b].offset; j < m.block[b].offset + m.block[b].length; j++) {
                        assert_close(v[1][j], again ? given[j] : v[0][j], 1e-13);
                        assert_true(again || changed[b] || v[1][j] == v[0][j]);
                    }
                for (size_t i = 0; i < packed->n_lambda; i++) { /* of lanes without a row */
                    bool of_row = false;
                    for (size_t r = 0; r < m.p->n; r++)
                        of_row = of_row || packed->where[r] == i;
                    assert_true(of_row || packed->lambda.at[i] == 0.0);
                }
            }
            dls_packed_destroy(packed), dls_packed_destroy(expected);
        }
        end(&m);
    }
}

/* Whether a load finds the order of the batches again, and whether it finds the groups without a look at the rows. */
static void load_again(made *m, dls_packed *packed, bool *batches, bool *groups)
{
    enum { MARK = 0x5a };
    *batches = *groups = packed->n_units > 0 && packed->plan_capacity > 0;
    memset(packed->plan, MARK, packed->plan_capacity * sizeof *packed->plan);
    for (size_t u = 0; u < packed->n_units; u++)
        if (packed->units[u].kind == DLS_BATCH_ROW)
            packed->units[u].coef = MARK;
    load(m, packed, NULL);
    for (size_t k = 0; k < packed->plan_capacity; k++)
        *batches = *batches && packed->plan[k] == 0x5a5a5a5au;
    for (size_t u = 0; u < packed->n_units; u++)
        *groups = *groups && packed->units[u].kind == DLS_BATCH_ROW && packed->units[u].coef == MARK;
}

static void of_rows(made *m, const char *kinds, const char *const *rows, const size_t *parents)
{
    begin(m, kinds);
    for (size_t i = 0; rows[i]; i++) {
        row(m, rows[i]);
        if (parents && parents[i] != DLS_NONE)
            couple(m, i, parents[i]);
    }
}

/* Numbers alone keep the order; a change of what a row acts on, of its friction, of a block's length does not. */
static void test_the_order_is_kept_while_the_structure_is(void **unused)
{
#define NO DLS_NONE
    static const struct {
        const char *kinds, *rows[2][6];
        size_t parents[2][6];
        const char *other_kinds;
        bool same;
    } cases[] = {
        {"bbb", {{"0 1", "1 2", "0"}, {"0 1", "1 2", "0"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL, true},
        {"bbb", {{"0 1", "1 2", "0"}, {"0 1", "0 2", "0"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL, false},
        {"bbb", {{"0 1", "1 2", "0"}, {"0 1", "1 2", "0:0+5"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL, false},
        {"bbb", {{"0 1", "1 2", "0"}, {"0 1", "1 2", "1"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL, false},
        {"bbb", {{"0 1", "0 1", "0"}, {"0 1", "0", "0"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL, false},
        {"bbb", {{"0 1", "0 1", "0"}, {"0 1", "0 1", "0"}}, {{NO, NO, NO}, {NO, 0, NO}}, NULL, false},
        {"bbb", {{"0 1", "0 1", "0"}, {"0 1", "0 1"}}, {{NO, NO, NO}, {NO, NO}}, NULL, false},
        {"bbb", {{"0 1", "0 1", "0"}, {"0 1", "0 1", "0", "2"}}, {{NO, NO, NO}, {NO, NO, NO, NO}}, NULL, false},
        {"bbf", {{"0 1", "2"}, {"0 1", "2"}}, {{NO, NO}, {NO, NO}}, "bfb", false},
        {"bbI", {{"0 2", "2"}, {"0 2", "2"}}, {{NO, NO}, {NO, NO}}, "bbH", false},
        {"IJ", {{"0", "1", "0 1"}, {"0", "1", "0 1"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL, true},
        {"IJ", {{"0", "1", "0 1"}, {"0", "0", "0 1"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL, false},
        {"IJ", {{"0:0+2", "1", "0 1"}, {"0:1+2", "1", "0 1"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL, true},
        {"IJ", {{"0", "1", "0 1"}, {"0", "0 1", "1"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL, false},
        {"IJ", {{"0", "1", "0 1"}, {"0", "1", "0 1"}}, {{NO, NO, NO}, {NO, NO, 0}}, NULL, false},
        {"IJ", {{"0", "1", "1"}, {"0", "1", "1"}}, {{NO, NO, 0}, {NO, NO, 1}}, NULL, false},
        {"IJ", {{"0:0+2", "1", "0"}, {"0:0+3", "1", "0"}}, {{NO, NO, NO}, {NO, NO, NO}}, NULL, true},
    };
#undef NO
    (void)unused;
    static made m[2];
    state = 13;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        bool batches, groups;
        const char *other = cases[k].other_kinds;
        dls_packed *packed = create(NULL);
        for (int side = 0; side < 2; side++) {
            const char *rows[7] = {NULL};
            memcpy(rows, cases[k].rows[side], sizeof cases[k].rows[side]);
            of_rows(&m[side], side && other ? other : cases[k].kinds, rows, cases[k].parents[side]);
        }
        load(&m[0], packed, NULL);
        for (int turn = 0; turn < 4; turn++) {
            made *to = &m[turn < 2]; /* the other, the other again, the first, the first again */
            const bool repeated = turn % 2 == 1;
            load_again(to, packed, &batches, &groups);
            check_layout(to, packed);
            if (batches != (repeated || cases[k].same))
                fail_msg("case %zu, turn %d: the order is %s", k, turn, batches ? "kept" : "made again");
            if (repeated && groups != (strpbrk(cases[k].kinds, "IJ") != NULL))
                fail_msg("case %zu, turn %d: the groups are %s", k, turn, groups ? "kept" : "made again");
        }
        dls_packed_destroy(packed);
        end(&m[0]), end(&m[1]);
    }
}

/* --- the matrix form --- */

/* A by columns, with zeros between its entries: what row i reads are its runs as they stand, what it changes is impulse
 * i. */
static void test_the_matrix_form_is_swept_row_by_row(void **unused)
{
    enum { N = 11 };
    (void)unused;
    state = 3;
    for (int turn = 0; turn < 40; turn++) {
        double A[N * N], b[N], lo[N], hi[N], lambda0[N], found[N];
        dls_problem *p;
        dls_error error;
        const size_t n = 1 + (size_t)turn % N, gone = turn % 4 ? DLS_NONE : n / 2;
        for (size_t k = 0; k < n * n; k++)
            A[k] = below(2) ? 0.2 * draw() : 0.0;
        for (size_t i = 0; i < n; i++) {
            b[i] = draw(), lo[i] = below(2) ? -0.4 : -HUGE_VAL, hi[i] = below(2) ? 0.3 : HUGE_VAL;
            A[i + n * i] = 1.5 + draw(), lambda0[i] = draw();
        }
        if (gone != DLS_NONE)
            A[gone + n * gone] = 0.0;
        assert_status(dls_problem_from_matrix(n, A, b, lo, hi, &p, &error), &error);
        for (size_t i = 0; i < n; i++)
            p->gamma[i] = i != gone && turn % 3 == 0 ? 0.1 : 0.0;
        dls_packed *packed = create(NULL);
        long double expected[N];
        assert_status(dls_packed_load(packed, p, lambda0, &error), &error);
        assert_int_equal(packed->dead, gone != DLS_NONE);
        assert_int_equal(packed->n_general, n - packed->dead);
        assert_int_equal(packed->n_batches, packed->n_general);
        for (size_t i = 0, at = 0; i < n; i++) {
            const size_t place = i == gone ? n - 1 : at;
            assert_int_equal(packed->where[i], place);
            expected[i] = lambda0[i];
            if (i == gone)
                continue;
            const dls_row_batch *batch = &packed->batches[at];
            const dls_general_row *g = &packed->general[at];
            double y[2 * N + 16] = {0.0};
            assert_true(batch->kind == DLS_BATCH_ROW && batch->at == at && batch->rows == 1 && batch->unit[0] == at);
            assert_int_equal(packed->units[at].first, i);
            assert_close(g->s * (A[i + n * i] + p->gamma[i]), OMEGA, 1e-14);
            assert_int_equal(g->n_B, 1);
            assert_true(g->parent == DLS_NONE && g->c == -b[i]);
            const dls_segment *B = &packed->segments[g->B];
            assert_true(B->vectors == 1 && B->y == i / 4 * 4);
            for (size_t lane = 0; lane < 4; lane++)
                assert_true(packed->general_coef.at[B->coef + lane] == (lane == i % 4 ? 1.0 : 0.0));
            for (const dls_segment *J = packed->segments + g->J; J < packed->segments + g->J + g->n_J; J++)
                for (size_t k = 0; k < 4 * (size_t)J->vectors; k++)
                    y[J->y + k] += packed->general_coef.at[J->coef + k];
            for (size_t j = 0; j < n; j++)
                assert_true(y[j] == A[i + n * j]);
            for (size_t j = n; j < 2 * N + 16; j++)
                assert_true(y[j] == 0.0);
            at++;
        }
        for (size_t i = 0; i < n; i++) {
            long double w = p->gamma[i] * expected[i] + b[i];
            for (size_t j = 0; j < n; j++) /* a row that nothing moves has no velocity, and none reads its impulse */
                w += j == gone ? 0.0L : A[i + n * j] * expected[j];
            if (i == gone)
                continue;
            const long double to = expected[i] - OMEGA * w / (A[i + n * i] + p->gamma[i]);
            expected[i] = to < lo[i] ? lo[i] : to > hi[i] ? hi[i] : to;
        }
        dls_packed_sweep(packed, DLS_FORWARD);
        dls_packed_read(packed, found);
        for (size_t i = 0; i < n; i++)
            assert_close(found[i], (double)expected[i], 1e-13);
        dls_packed_destroy(packed);
        dls_problem_destroy(p);
    }
}

/* --- diagonals --- */

/* Whichever row it is, in whatever lane: a sweep divides by a diagonal that is not too small, and only by that. */
static void test_the_row_that_no_sweep_can_divide_by_is_named(void **unused)
{
    static const char *const rows[] = {"0 1", "0 1", "2", "2", "2", "2", "2", "3 4", "3 4", "3 4", "5", "6", "5 6"};
    enum { COUNT = sizeof rows / sizeof rows[0] };
    static const struct {
        double factor;
        bool refused;
    } cases[] = {{0x1p-515, true}, {0x1p-505, false}, {0x1p505, false}, {0x1p515, true}};
    (void)unused;
    static made m;
    state = 23;
    begin(&m, "bbbbbbI");
    for (size_t i = 0; i < COUNT; i++)
        row(&m, rows[i]);
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k < 4; k++) {
            dls_rows *J = &m.p->J;
            char expected[128];
            dls_error error;
            dls_packed *packed = create(NULL);
            for (int back = 0; back < 2; back++) {
                for (size_t j = J->coef_at[J->start[i]]; j < J->coef_at[J->start[i + 1]]; j++)
                    J->coef[j] *= back ? 1.0 / cases[k].factor : cases[k].factor;
                const dls_status status = dls_packed_load(packed, m.p, NULL, &error);
                assert_int_equal(status, !back && cases[k].refused ? DLS_REFUSED : DLS_OK);
                snprintf(expected, sizeof expected, "row %zu has the diagonal", i);
                if (status != DLS_OK && strncmp(error.message, expected, strlen(expected)) != 0)
                    fail_msg("'%s' for row %zu", error.message, i);
                if (status != DLS_OK)
                    assert_non_null(strstr(error.message, ", which cannot be divided by"));
                finish(&m); /* the figure of the message has six digits */
                if (status != DLS_OK && m.diagonal[i] < HUGE_VAL)
                    assert_close(strtod(error.message + strlen(expected), NULL) / m.diagonal[i], 1.0, 2e-5);
                if (status != DLS_OK)
                    assert_true((m.diagonal[i] < HUGE_VAL) == (cases[k].factor < 1.0));
            }
            dls_packed_destroy(packed);
        }
    end(&m);
}

/* A filled batch says whether a sweep can divide by all of its diagonals; the rows that a lane does not have do not
 * count. */
static bool fill_one(const dls_sweep_path *path, unsigned rows, const double *lane_rows, size_t lane, unsigned r,
                     double J, double gamma)
{
    static double coefs[4][12][12], numbers[5][12], weights[8] = {1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0};
    dls_packed packed = {.omega = OMEGA};
    dls_lane lanes[DLS_LANES];
    double gammas[4][12] = {{0.0}};
    assert_true(dls_doubles_room(&packed.coef, 0, 4096));
    for (size_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < 12; i++)
            for (size_t j = 0; j < 12; j++)
                coefs[k][i][j] = k == lane && i == r ? J : 0.5;
        gammas[k][r] = k == lane ? gamma : 0.0;
        lanes[k] = (dls_lane){lane_rows[k], {coefs[k][0], coefs[k][0] + 6},
                              {12, 12},     {weights, weights},
                              numbers[0],   gammas[k],
                              numbers[2],   numbers[3],
                              numbers[4]};
    }
    const dls_row_batch batch = {.kind = DLS_BATCH_BOXED, .compliant = 1, .rows = (uint8_t)rows};
    const bool good = path->fill(&packed, &batch, lanes);
    free(packed.coef.at);
    return good;
}

static void test_a_batch_is_said_to_be_good_only_if_all_diagonals_are(void **unused)
{
    static const struct {
        double J, gamma;
        bool good;
    } cases[] = {{0.5, 0.0, true},      {0.0, 1.0, true},    {0.0, 0.0, false},     {0.5, -3.0, false},
                 {0.5, -4.0, false},    {0x1p600, 0, false}, {NAN, 0.0, false},     {0x1p-520, 0.0, false},
                 {0x1p-500, 0.0, true}, {0x1p500, 0, true},  {0.5, HUGE_VAL, false}};
    (void)unused;
    for (const dls_sweep_path *path = dls_sweep_paths; path->name; path++)
        for (unsigned rows = 1; rows <= 12 && path->available(); rows++)
            for (unsigned r = 0; r < rows; r++)
                for (size_t lane = 0; lane < DLS_LANES; lane++)
                    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
                        for (int there = 0; there < 2; there++) {
                            double lane_rows[DLS_LANES] = {rows, rows, rows, rows};
                            lane_rows[lane] = r + (there ? 1.0 : 0.0);
                            if (fill_one(path, rows, lane_rows, lane, r, cases[k].J, cases[k].gamma) !=
                                (cases[k].good || !there))
                                fail_msg("%s, %u rows, row %u, lane %zu, case %zu", path->name, rows, r, lane, k);
                        }
}

/* Positions have 32 bits, and each size a sixteenth of their range. The sizes are said, and nothing is as large. */
static void test_problems_that_are_too_large_are_refused(void **unused)
{
    (void)unused;
    static made m;
    begin(&m, "b");
    row(&m, "");
    finish(&m);
    size_t *const sizes[] = {&m.p->n, &m.p->J.n_blocks, &m.p->nv};
    for (size_t k = 0; k < 3; k++) {
        const size_t kept = *sizes[k];
        dls_packed *packed = create(NULL);
        dls_error error;
        char expected[128];
        *sizes[k] = UINT32_MAX / 16;
        snprintf(expected, sizeof expected, "a problem of %zu rows is too large for sweeps", m.p->n);
        assert_int_equal(dls_packed_load(packed, m.p, NULL, &error), DLS_REFUSED);
        assert_string_equal(error.message, expected);
        *sizes[k] = kept;
        assert_status(dls_packed_load(packed, m.p, NULL, &error), &error);
        dls_packed_destroy(packed);
    }
    end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_problems_are_laid_out_as_documented),
        cmocka_unit_test(test_rows_that_look_like_those_of_two_bodies),
        cmocka_unit_test(test_sweeps_of_every_path_are_sums_over_all_velocities),
        cmocka_unit_test(test_another_right_side_is_that_of_a_load_with_it),
        cmocka_unit_test(test_a_renewed_problem_keeps_impulses_and_velocities),
        cmocka_unit_test(test_the_order_is_kept_while_the_structure_is),
        cmocka_unit_test(test_the_matrix_form_is_swept_row_by_row),
        cmocka_unit_test(test_the_row_that_no_sweep_can_divide_by_is_named),
        cmocka_unit_test(test_a_batch_is_said_to_be_good_only_if_all_diagonals_are),
        cmocka_unit_test(test_problems_that_are_too_large_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
