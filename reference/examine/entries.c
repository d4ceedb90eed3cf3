/* Slots, levers and rows of the entries of A: see entries.h. */
#include "entries.h"

#include <math.h>
#include <string.h>

/* --- M --- */

/* x <- L^-1 x for an x whose entries before `first` are 0; row r of L begins at column begin[r]. */
static void solve_lower(const double *L, const size_t *begin, size_t m, size_t first, double *x)
{
    for (size_t r = first; r < m; r++) {
        double sum = x[r];
        for (size_t c = begin[r] > first ? begin[r] : first; c < r; c++)
            sum -= L[m * r + c] * x[c];
        x[r] = sum * L[m * r + r];
    }
}

void dls_entries_solve_mass(const dls_entries *e, double *x)
{
    for (size_t k = 0; k < e->p->mass.n_blocks; k++) {
        const dls_mass_block *block = &e->p->mass.blocks[k];
        const double *L = e->factor + e->factor_at[k];
        const size_t *begin = e->begin + block->offset, m = block->length;
        double *y = x + block->offset;
        solve_lower(L, begin, m, 0, y);
        for (size_t r = m; r-- > 0;) { /* L^-T */
            y[r] *= L[m * r + r];
            for (size_t c = begin[r]; c < r; c++)
                y[c] -= L[m * r + c] * y[r];
        }
    }
}

/* M = L L^T in place, rows of the lower triangle, which begin where those of M do; false if M is not definite. */
static bool factor_block(double *M, size_t m, size_t *begin)
{
    for (size_t r = 0; r < m; r++) {
        double *row = M + m * r, diagonal = row[r];
        for (begin[r] = 0; begin[r] < r && row[begin[r]] == 0.0;)
            begin[r]++;
        for (size_t c = begin[r]; c < r; c++) {
            const double *above = M + m * c;
            double sum = row[c];
            for (size_t k = begin[r] > begin[c] ? begin[r] : begin[c]; k < c; k++)
                sum -= row[k] * above[k];
            row[c] = sum * above[c];
            diagonal -= row[c] * row[c];
        }
        if (!(diagonal > 0.0))
            return false;
        row[r] = 1.0 / sqrt(diagonal);
    }
    return true;
}

static dls_status factor_mass(dls_entries *e, dls_arena *memory, dls_error *error)
{
    const dls_mass *mass = &e->p->mass;
    size_t entries = 0;
    e->factor_at = DLS_TAKE(memory, size_t, mass->n_blocks);
    for (size_t k = 0; e->factor_at && k < mass->n_blocks; k++) {
        e->factor_at[k] = entries;
        entries += mass->blocks[k].length * mass->blocks[k].length;
    }
    e->factor = DLS_TAKE(memory, double, entries);
    e->begin = DLS_TAKE(memory, size_t, e->p->nv);
    e->body = DLS_TAKE(memory, bool, mass->n_blocks);
    e->own = DLS_TAKE(memory, double, e->p->nv);
    if (memory->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory to examine a problem of %zu rows", e->p->n);
    for (size_t k = 0; k < mass->n_blocks; k++) {
        const dls_mass_block *block = &mass->blocks[k];
        const size_t m = block->length, *begin = e->begin + block->offset;
        double *M = e->factor + e->factor_at[k];
        dls_mass_block_matrix(block, e->own, M, m);
        if (!factor_block(M, m, e->begin + block->offset))
            return dls_fail(error, DLS_BAD_INPUT, "block %zu of the mass matrix is not positive definite", k);
        e->body[k] = m == 6 && begin[1] == 1 && begin[2] == 2 && begin[3] == 3 && begin[4] >= 3 && begin[5] >= 3;
    }
    return DLS_OK;
}

/* --- slots --- */

static size_t whole_vectors(size_t count) { return (count + DLS_ENTRY_LANES - 1) / DLS_ENTRY_LANES * DLS_ENTRY_LANES; }

/* The blocks of M that row i touches, one after another; in the matrix form, its pieces. */
static size_t next_span(const dls_entries *e, size_t i, size_t *piece)
{
    return e->p->form == DLS_FORM_MATRIX ? (*piece)++ : dls_entries_next_block(&e->p->J, i, piece);
}

static bool find_given_slots(dls_entries *e, dls_arena *memory)
{
    const size_t n = e->p->n;
    e->n_slots = n;
    e->row = DLS_TAKE(memory, size_t, n);
    e->slot_at = DLS_TAKE(memory, size_t, n + 1);
    e->slots = e->row; /* slot i is row i */
    if (memory->failed)
        return false;
    for (size_t i = 0; i < n; i++)
        e->row[i] = e->slot_at[i] = i;
    e->slot_at[n] = n;
    return true;
}

static bool find_slots(dls_entries *e, dls_arena *memory)
{
    const dls_rows *J = &e->p->J;
    const size_t n = e->p->n, n_blocks = e->p->mass.n_blocks;
    size_t count = 0, levers = 0;
    e->slot_at = DLS_TAKE(memory, size_t, n + 1);
    e->slots = DLS_TAKE(memory, size_t, J->start[n]);
    e->lever_at = DLS_TAKE(memory, size_t, n_blocks);
    e->block_at = DLS_TAKE_ZEROS(memory, size_t, n_blocks + 1);
    e->end_at = DLS_TAKE(memory, size_t, n_blocks);
    if (memory->failed)
        return false;
    for (size_t i = 0; i < n; i++)
        for (size_t piece = J->start[i]; piece < J->start[i + 1];)
            e->block_at[dls_entries_next_block(J, i, &piece) + 1]++;
    for (size_t k = 0; k < n_blocks; k++) {
        const size_t slots = whole_vectors(e->block_at[k + 1]);
        e->end_at[k] = e->block_at[k];
        e->block_at[k + 1] = e->block_at[k] + slots;
        e->lever_at[k] = levers;
        levers += slots * e->p->mass.blocks[k].length;
    }
    e->n_slots = e->block_at[n_blocks];
    e->row = DLS_TAKE_ZEROS(memory, size_t, e->n_slots);
    e->size = DLS_TAKE_ZEROS(memory, double, e->n_slots);
    e->lever = DLS_TAKE_ZEROS(memory, double, levers);
    if (memory->failed)
        return false;
    e->slot_at[0] = 0;
    for (size_t i = 0; i < n; e->slot_at[++i] = count)
        for (size_t piece = J->start[i]; piece < J->start[i + 1]; count++) {
            e->slots[count] = e->end_at[dls_entries_next_block(J, i, &piece)]++;
            e->row[e->slots[count]] = i;
        }
    return true;
}

static size_t terms_of_span(const dls_entries *e, size_t span)
{
    if (e->p->form == DLS_FORM_MATRIX)
        return e->p->J.coef_at[span + 1] - e->p->J.coef_at[span];
    return e->end_at[span] - e->block_at[span];
}

size_t dls_entries_terms(const dls_entries *e, size_t i)
{
    size_t terms = 0;
    for (size_t piece = e->p->J.start[i]; piece < e->p->J.start[i + 1];)
        terms += terms_of_span(e, next_span(e, i, &piece));
    return terms;
}

/* Room for the row at hand. */
static bool take_row(dls_entries *e, dls_arena *memory)
{
    const bool given = e->p->form == DLS_FORM_MATRIX;
    size_t most = 0, spans = 0;
    for (size_t i = 0; i < e->p->n; i++) {
        const size_t pieces = e->p->J.start[i + 1] - e->p->J.start[i],
                     room = given ? 0 : dls_entries_terms(e, i) + pieces * (DLS_ENTRY_LANES - 1);
        most = room > most ? room : most;
        spans = pieces > spans ? pieces : spans;
    }
    e->span = DLS_TAKE(memory, dls_entry_span, spans);
    e->entry = DLS_TAKE(memory, double, most);
    e->bound = DLS_TAKE(memory, double, most);
    e->runs = DLS_TAKE(memory, dls_entry_run, most);
    e->seen = DLS_TAKE_ZEROS(memory, size_t, e->p->n);
    e->diagonal = DLS_TAKE_ZEROS(memory, double, e->p->n);
    e->touching = DLS_NONE;
    e->noted = 1;
    return !memory->failed;
}

/* --- levers --- */

/* Entry c of y_ik of a slot of block k is in *(lever_of(e, k, slot) + DLS_ENTRY_LANES c). */
static double *lever_of(const dls_entries *e, size_t k, size_t slot)
{
    const size_t at = slot - e->block_at[k], lane = at % DLS_ENTRY_LANES;
    return e->lever + e->lever_at[k] + (at - lane) * e->p->mass.blocks[k].length + lane;
}

static double squares(const double *x, size_t m)
{
    double sum = 0.0;
    for (size_t j = 0; j < m; j++)
        sum += x[j] * x[j];
    return sum;
}

/* Computes y_ik of a slot of row i, whose first piece in J is *piece; *piece is then the first piece of the next
 * block. */
static void find_lever(dls_entries *e, size_t i, size_t slot, size_t *piece)
{
    const dls_rows *J = &e->p->J;
    const size_t k = J->mass[*piece], m = e->p->mass.blocks[k].length, offset = e->p->mass.blocks[k].offset;
    double *y = e->own, *lever = lever_of(e, k, slot);
    if (e->body[k] && J->coef_at[*piece + 1] - J->coef_at[*piece] == 6) {
        const double *L = e->factor + e->factor_at[k], *a = J->coef + J->coef_at[(*piece)++];
        y[0] = a[0] * L[0], y[1] = a[1] * L[7], y[2] = a[2] * L[14], y[3] = a[3] * L[21];
        y[4] = (a[4] - L[27] * y[3]) * L[28];
        y[5] = ((a[5] - L[33] * y[3]) - L[34] * y[4]) * L[35];
    } else {
        const size_t first = J->offset[*piece] - offset;
        memset(y, 0, m * sizeof *y);
        for (; *piece < J->start[i + 1] && J->mass[*piece] == k; ++*piece)
            memcpy(y + (J->offset[*piece] - offset), J->coef + J->coef_at[*piece],
                   (J->coef_at[*piece + 1] - J->coef_at[*piece]) * sizeof *y);
        solve_lower(e->factor + e->factor_at[k], e->begin + offset, m, first, y);
    }
    const double square = squares(y, m);
    e->size[slot] = sqrt(square);
    e->diagonal[i] += square;
    for (size_t c = 0; c < m; c++)
        lever[DLS_ENTRY_LANES * c] = y[c];
}

static void find_given_diagonal(dls_entries *e, size_t i)
{
    const dls_rows *J = &e->p->J;
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
        if (i >= J->offset[k] && i - J->offset[k] < J->coef_at[k + 1] - J->coef_at[k])
            e->diagonal[i] += J->coef[J->coef_at[k] + (i - J->offset[k])];
}

dls_status dls_entries_load(dls_entries *e, const dls_problem *p, dls_arena *memory, dls_error *error)
{
    const bool given = p->form == DLS_FORM_MATRIX;
    *e = (dls_entries){.p = p, .path = dls_entries_fastest()};
    DLS_TRY(factor_mass(e, memory, error));
    if (!(given ? find_given_slots(e, memory) : find_slots(e, memory)) || !take_row(e, memory))
        return dls_fail(error, DLS_NO_MEMORY, "no memory to examine a problem of %zu rows", p->n);
    for (size_t i = 0; i < p->n; i++) {
        if (given)
            find_given_diagonal(e, i);
        for (size_t s = e->slot_at[i], piece = p->J.start[i]; !given && s < e->slot_at[i + 1]; s++)
            find_lever(e, i, e->slots[s], &piece);
    }
    return DLS_OK;
}

/* --- rows --- */

static bool touches_same(const dls_rows *J, size_t i, size_t j)
{
    size_t one = J->start[i], other = J->start[j];
    while (one < J->start[i + 1] && other < J->start[j + 1])
        if (dls_entries_next_block(J, i, &one) != dls_entries_next_block(J, j, &other))
            return false;
    return one == J->start[i + 1] && other == J->start[j + 1];
}

/* The place, in the row at hand, of a row's slot in a block after its first one in that row: it joins the last run, or
 * begins one. */
static void add_meeting(dls_entries *e, size_t first, size_t other)
{
    dls_entry_run *last = e->n_runs > 0 ? &e->runs[e->n_runs - 1] : NULL;
    if (last && last->first + last->count == first && last->other + last->count == other)
        last->count++;
    else
        e->runs[e->n_runs++] = (dls_entry_run){first, other, 1};
}

/* The rows that meet row i in several blocks. Rows of one manifold touch the same blocks and have the same runs. Places
 * are noted from `noted` on, which rises with each search, so that older notes are known as such. */
static void find_runs(dls_entries *e, size_t i)
{
    const dls_rows *J = &e->p->J;
    size_t place = e->noted;
    if (e->touching != DLS_NONE && touches_same(J, i, e->touching))
        return;
    e->touching = i;
    e->n_runs = 0;
    for (size_t piece = J->start[i]; piece < J->start[i + 1];) {
        const size_t k = dls_entries_next_block(J, i, &piece), first = e->block_at[k];
        for (size_t s = first; s < e->end_at[k]; s++) {
            size_t *seen = &e->seen[e->row[s]];
            if (*seen < e->noted)
                *seen = place + (s - first);
            else
                add_meeting(e, *seen - e->noted, place + (s - first) - e->noted);
        }
        place += e->block_at[k + 1] - first;
    }
    e->noted = place;
}

static size_t mechanical_row(dls_entries *e, size_t i)
{
    size_t spans = 0, place = 0;
    find_runs(e, i);
    for (size_t piece = e->p->J.start[i], s = e->slot_at[i]; piece < e->p->J.start[i + 1]; s++) {
        const size_t k = dls_entries_next_block(&e->p->J, i, &piece), m = e->p->mass.blocks[k].length,
                     first = e->block_at[k], count = e->block_at[k + 1] - first;
        const double *lever = lever_of(e, k, e->slots[s]);
        for (size_t c = 0; c < m; c++)
            e->own[c] = lever[DLS_ENTRY_LANES * c];
        e->path->multiply(e->own, e->size[e->slots[s]], e->lever + e->lever_at[k], m, e->size + first, count,
                          e->entry + place, e->bound + place);
        e->span[spans++] = (dls_entry_span){first, count, e->entry + place};
        place += count;
    }
    for (const dls_entry_run *run = e->runs; run < e->runs + e->n_runs; run++) {
        e->path->join(e->entry + run->first, e->entry + run->other, run->count);
        e->path->join(e->bound + run->first, e->bound + run->other, run->count);
    }
    e->path->cut(e->entry, e->bound, place);
    return spans;
}

size_t dls_entries_row(dls_entries *e, size_t i)
{
    const dls_rows *J = &e->p->J;
    if (e->p->form != DLS_FORM_MATRIX)
        return mechanical_row(e, i);
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
        e->span[k - J->start[i]] =
            (dls_entry_span){J->offset[k], J->coef_at[k + 1] - J->coef_at[k], J->coef + J->coef_at[k]};
    return J->start[i + 1] - J->start[i];
}

/* One division for the row, where its quotient is no subnormal number and does not overflow. */
void dls_entries_raise(const dls_entries *e, size_t spans, double scale, double *most)
{
    const bool even = scale >= 0x1p-1020 && scale <= 0x1p1020;
    for (const dls_entry_span *span = e->span; span < e->span + spans; span++) {
        double *of = most + span->slot;
        if (even)
            e->path->raise(span->entry, span->count, 1.0 / scale, of);
        for (size_t k = 0; k < span->count && !even; k++)
            of[k] = fabs(span->entry[k]) / scale > of[k] ? fabs(span->entry[k]) / scale : of[k];
    }
}
