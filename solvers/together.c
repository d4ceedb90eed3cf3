/* Sweeps over problems of equal structure, such as those of the copies of a batch: DLS_TOGETHER at once.
 *
 * A general row of one problem (general.c) is a chain of dependent operations: a sum over a few entries, a bound, and a
 * change of some velocities that the next row needs. The same row of eight problems is eight such chains in parallel,
 * in the lanes of vectors. Every lane performs the operations of the kernel for one problem (sweep_kernel.h, row_of) in
 * the same order, so that its bytes are the same:
 *
 *     sum[k] += J y in eight sums, w = ((s0 + s1) + (s2 + s3)) + Gamma lambda - c with s_k = sum[k] + sum[k + 4]
 *
 * An entry of J that is 0 in every lane is left out: it adds 0 to a sum, which is never -0. This is correct for finite
 * velocities (0 times infinity is not 0). A lane whose final velocities or impulses are not finite is therefore
 * discarded: its own work memory, which is read and written only here, is unchanged, and it is iterated alone. A value
 * cannot be infinite in between only, since a sum that is not finite stays so.
 *
 * Problems have equal structure if the lists of their rows, runs and bounds are equal; copies with different contacts,
 * or with an entry of J that happens to be 0, have different structures. The problems of each structure are iterated
 * together. Groups of rows on bodies already use all lanes (packing.h), so problems with groups are iterated alone.
 */
#include "together.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { L = DLS_TOGETHER };

/* --- structure --- */

static bool only_general(const dls_packed *p) { return p->n_general == p->n_batches && p->n_general > 0; }

static bool same_rows(const dls_packed *a, const dls_packed *b)
{
    for (size_t k = 0; k < a->n_general; k++) {
        const dls_general_row *x = &a->general[k], *y = &b->general[k];
        if (a->batches[k].at != b->batches[k].at || x->lambda != y->lambda || x->parent != y->parent || x->J != y->J ||
            x->n_J != y->n_J || x->B != y->B || x->n_B != y->n_B)
            return false;
    }
    return true;
}

static bool same_structure(const dls_packed *a, const dls_packed *b)
{
    return a->n == b->n && a->n_lambda == b->n_lambda && a->n_y == b->n_y && a->n_general == b->n_general &&
           a->n_batches == b->n_batches && a->n_segments == b->n_segments && a->omega == b->omega && same_rows(a, b) &&
           memcmp(a->segments, b->segments, a->n_segments * sizeof *a->segments) == 0;
}

/* --- into lanes and out --- */

void dls_together_release(dls_together *t)
{
    free(t->rows), free(t->entries), free(t->runs);
    free(t->y.at), free(t->lambda.at), free(t->coef.at);
}

static bool make_room(dls_together *t, const dls_packed *p)
{
    size_t vectors = 0;
    for (size_t s = 0; s < p->n_segments; s++)
        vectors += p->segments[s].vectors;
    return DLS_GROW(t->rows, t->row_capacity, p->n_general) &&
           DLS_GROW(t->entries, t->entry_capacity, DLS_LANES * vectors) &&
           DLS_GROW(t->runs, t->run_capacity, p->n_segments) && dls_doubles_room(&t->y, 0, L * p->n_y) &&
           dls_doubles_room(&t->lambda, 0, L * p->n_lambda) &&
           dls_doubles_room(&t->coef, 0, L * (DLS_LANES * vectors + DLS_TOGETHER_HEAD * p->n_general));
}

static double *put_head(const dls_packed *const *p, size_t at, double *to)
{
    for (size_t lane = 0; lane < L; lane++) {
        const dls_general_row *row = &p[lane]->general[at];
        to[L * DLS_TOGETHER_S + lane] = row->s;
        to[L * DLS_TOGETHER_C + lane] = row->c;
        to[L * DLS_TOGETHER_GAMMA + lane] = row->gamma;
        to[L * DLS_TOGETHER_LO + lane] = row->lo;
        to[L * DLS_TOGETHER_HI + lane] = row->hi;
        to[L * DLS_TOGETHER_MU + lane] = row->mu;
    }
    return to + (size_t)L * DLS_TOGETHER_HEAD;
}

static double *put_entries(const dls_packed *const *p, const dls_segment *s, dls_together *t, size_t *n_entries,
                           double *to)
{
    const double *from[L];
    for (size_t lane = 0; lane < L; lane++)
        from[lane] = p[lane]->general_coef.at + s->coef;
    for (size_t k = 0; k < DLS_LANES * s->vectors; k++) {
        bool any = false;
        for (size_t lane = 0; lane < L && !any; lane++)
            any = from[lane][k] != 0.0;
        if (!any)
            continue;
        for (size_t lane = 0; lane < L; lane++)
            to[lane] = from[lane][k];
        const size_t vector = k / DLS_LANES;
        const bool odd = vector % 2 == 1; /* the kernel takes vectors two by two, and the last alone */
        t->entries[(*n_entries)++] =
            (dls_together_entry){s->y + (uint32_t)k, (uint32_t)(k % DLS_LANES + (odd ? DLS_LANES : 0))};
        to += L;
    }
    return to;
}

static double *put_run(const dls_packed *const *p, size_t segment, dls_together *t, double *to)
{
    const dls_segment *s = &p[0]->segments[segment];
    const size_t length = DLS_LANES * (size_t)s->vectors;
    if (t->runs[segment].length) /* stored already, for another row */
        return to;
    t->runs[segment] = (dls_together_run){s->y, (uint32_t)length, (size_t)(to - t->coef.at)};
    for (size_t lane = 0; lane < L; lane++) {
        const double *from = p[lane]->general_coef.at + s->coef;
        for (size_t k = 0; k < length; k++)
            to[L * k + lane] = from[k];
    }
    return to + L * length;
}

static void put_lanes(const dls_packed *const *p, dls_together *t)
{
    const dls_packed *first = p[0];
    size_t n_entries = 0;
    double *to = t->coef.at;
    t->n_rows = first->n_general;
    memset(t->runs, 0, first->n_segments * sizeof *t->runs);
    for (size_t k = 0; k < t->n_rows; k++) {
        const size_t at = first->batches[k].at;
        const dls_general_row *row = &first->general[at];
        t->rows[k] = (dls_together_row){
            .lambda = (uint32_t)row->lambda,
            .parent = row->parent == DLS_NONE ? DLS_NO_UNIT : (uint32_t)row->parent,
            .entry = (uint32_t)n_entries,
            .run = (uint32_t)row->B,
            .n_runs = (uint32_t)row->n_B,
            .coef = (size_t)(to - t->coef.at),
        };
        to = put_head(p, at, to);
        for (size_t s = row->J; s < row->J + row->n_J; s++)
            to = put_entries(p, &first->segments[s], t, &n_entries, to);
        t->rows[k].n_entries = (uint32_t)n_entries - t->rows[k].entry;
        for (size_t s = row->B; s < row->B + row->n_B; s++)
            to = put_run(p, s, t, to);
    }
    for (size_t lane = 0; lane < L; lane++) {
        for (size_t k = 0; k < first->n_y; k++)
            t->y.at[L * k + lane] = p[lane]->y.at[k];
        for (size_t k = 0; k < first->n_lambda; k++)
            t->lambda.at[L * k + lane] = p[lane]->lambda.at[k];
    }
}

static bool lane_finite(const double *a, size_t n, size_t lane)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += 0.0 * a[L * k + lane];
    return sum == 0.0;
}

/* Copies a lane back into its work; false, without a change, if a number is not finite. */
static bool read_lane(const dls_together *t, size_t lane, dls_packed *p)
{
    if (!lane_finite(t->y.at, p->n_y, lane) || !lane_finite(t->lambda.at, p->n_lambda, lane))
        return false;
    for (size_t k = 0; k < p->n_y; k++)
        p->y.at[k] = t->y.at[L * k + lane];
    for (size_t k = 0; k < p->n_lambda; k++)
        p->lambda.at[k] = t->lambda.at[L * k + lane];
    return true;
}

/* --- classes --- */

/* Sweeps `count` works of one structure; the remaining lanes repeat the first one. */
static void sweep_class(dls_together *t, dls_packed *const *p, size_t count, size_t iterations, bool symmetric,
                        bool *done)
{
    const dls_packed *lanes[L], *first = p[0];
    if (!make_room(t, first))
        return;
    for (size_t lane = 0; lane < L; lane++)
        lanes[lane] = p[lane < count ? lane : 0];
    put_lanes(lanes, t);
    for (size_t k = 0; k < iterations; k++) {
        first->path->together(t, DLS_FORWARD);
        if (symmetric)
            first->path->together(t, DLS_BACKWARD);
    }
    for (size_t lane = 0; lane < count; lane++)
        done[lane] = read_lane(t, lane, p[lane]);
}

void dls_together_sweep(dls_together *together, dls_packed *const *packed, size_t count, size_t iterations,
                        bool symmetric, bool *done)
{
    bool classified[L] = {false};
    for (size_t i = 0; i < count; i++) {
        dls_packed *p[L];
        size_t who[L], n = 0;
        bool swept[L] = {false};
        for (size_t k = i; k < count && only_general(packed[i]); k++)
            if (!classified[k] && (k == i || same_structure(packed[i], packed[k]))) {
                p[n] = packed[k];
                who[n++] = k;
                classified[k] = true;
            }
        if (n > 1)
            sweep_class(together, p, n, iterations, symmetric, swept);
        for (size_t k = 0; k < n; k++)
            done[who[k]] |= swept[k];
    }
}
