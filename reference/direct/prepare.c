/* The preparation of a problem for a direct method: blocks, units, twins. */
#include "prepare.h"

#include <limits.h>

/* --- blocks --- */

/* Rows belong to one block if a chain of rows leads from one to the other, each joined to the next by an entry of A
 * that is not 0, or by friction. Blocks are independent problems: each has its own units and its own scale, so that the
 * outcome depends neither on the units of another block nor on its presence. A row of a mechanism that no impulse can
 * move belongs to the block of the row beside it: its b is the result of the same step. */

static bool row_is_dead(const dls_direct *d, size_t i)
{
    return d->problem->form == DLS_FORM_MECHANICAL && d->q.A[i + d->n * i] == 0.0;
}

static bool rows_are_joined(const dls_direct *d, size_t i, size_t j, size_t first_live)
{
    const size_t beside_i = i < first_live ? i + 1 : i - 1, beside_j = j < first_live ? j + 1 : j - 1;
    return d->q.A[j + d->n * i] != 0.0 || (!d->q.symmetric && d->q.A[i + d->n * j] != 0.0) ||
           d->problem->parent[i] == j || d->problem->parent[j] == i || (row_is_dead(d, i) && beside_i == j) ||
           (row_is_dead(d, j) && beside_j == i);
}

/* Numbers the blocks from 0 to n_blocks - 1. `queue`: n entries. */
static void find_blocks(dls_direct *d, size_t *queue)
{
    const size_t n = d->n;
    size_t first_live = 0;
    while (first_live < n && row_is_dead(d, first_live))
        first_live++;
    for (size_t i = 0; i < n; i++)
        d->block[i] = DLS_NONE;
    for (size_t root = 0; root < n; root++) {
        size_t count = 1;
        if (d->block[root] != DLS_NONE)
            continue;
        queue[0] = root, d->block[root] = d->n_blocks;
        for (size_t at = 0; at < count; at++)
            for (size_t j = root + 1; j < n; j++)
                if (d->block[j] == DLS_NONE && rows_are_joined(d, queue[at], j, first_live))
                    d->block[j] = d->n_blocks, queue[count++] = j;
        d->n_blocks++;
    }
}

/* --- units --- */

/* Row i has the unit s_i and all impulses of its block the factor u, powers of two, and in them the problem of a method
 * is
 *     s_i A_ij s_j,   s_i b_i / u,   lo_i / (s_i u),   hi_i / (s_i u).
 * The same problem in other units, (S A S, S b, S^-1 lo, S^-1 hi) or (A, c b, c lo, c hi) with S and c powers of two,
 * becomes the same doubles, so that no method can tell one from the other: every unit is found in whole numbers from
 * binary exponents, by rules that only ask which numbers are 0. Only the exponents are kept: s_i, s_i s_j and s_i / u
 * may themselves be beyond the range of a double.
 *
 * Where every diagonal entry of a block is positive and none of the others stands out above the diagonal, s_i is the
 * power of two next to 1 / sqrt(A_ii). Else the exponents e_ij of |A_ij| are balanced (A. R. Curtis, J. K. Reid 1972:
 * sum of (e_ij + s_i + s_j)^2 least; then D. Ruiz 2001: the largest entry of each row and column 1). To begin with
 * whole numbers, the graph of the entries that are not 0 is searched: along its tree e_ij + s_i + s_j = 0, which leaves
 * s of one row free, and the first entry that closes an odd cycle, such as one on the diagonal, fixes that. Without one
 * (A = [0 1; -1 0] does not know its units) b and bounds do. Rows of a mechanism that nothing moves have the unit of
 * the rows beside them. */
enum { STANDS_OUT = 8, SWEEPS = 10, NO_ENTRY = INT_MIN };

typedef struct neighbour {
    uint32_t row;
    int exponent; /* of the entry */
} neighbour;

/* Rows have their numbers within the block. */
typedef struct units {
    const dls_dense *q;
    size_t *row;           /* n: the rows of the block in q */
    size_t n;              /* of the block */
    int *e;                /* s_i = 2^e_i */
    signed char *k;        /* e_i is k_i t off where the t of its graph is free; 0: not reached yet */
    size_t *queue;         /* n */
    double *shift, *most;  /* n, of the balance */
    int impulse;           /* u = 2^impulse */
    neighbour *neighbours; /* those of row i in the order of their numbers, from start[i] to start[i + 1] */
    size_t *start;         /* n + 1 */
} units;

static int exponent(double x) { return x == 0.0 || !isfinite(x) ? NO_ENTRY : ilogb(x); }
static int half_down(int x) { return (x - (x & 1)) / 2; } /* rounded down */
static double entry_of_A(const units *u, size_t i, size_t j) { return u->q->A[u->row[i] + u->q->n * u->row[j]]; }

/* The graph of the entries that are not 0; the larger of |A_ij|, |A_ji| counts. */
static void find_neighbours(const units *u)
{
    size_t count = 0;
    for (size_t i = 0; i < u->n; i++) {
        u->start[i] = count;
        for (size_t j = 0; j < u->n; j++) {
            int a = exponent(fmax(fabs(entry_of_A(u, i, j)), fabs(entry_of_A(u, j, i))));
            if (a != NO_ENTRY)
                u->neighbours[count++] = (neighbour){(uint32_t)j, a};
        }
    }
    u->start[u->n] = count;
}

static bool units_by_diagonal(const units *u)
{
    for (size_t i = 0; i < u->n; i++) {
        double a = entry_of_A(u, i, i);
        if (a < 0.0)
            return false;
        u->e[i] = a > 0.0 ? -half_down(exponent(a) + 1) : NO_ENTRY;
    }
    for (size_t j = 0; j < u->n; j++)
        for (size_t i = 0; i < u->n; i++) {
            int a = exponent(entry_of_A(u, i, j));
            if (a != NO_ENTRY && (u->e[i] == NO_ENTRY || u->e[j] == NO_ENTRY || a + u->e[i] + u->e[j] > STANDS_OUT))
                return false;
        }
    return true;
}
/* The exponents of b_i, lo_i and hi_i in the unit of row i. */
static void exponents_of_data(const units *u, size_t i, int at[3])
{
    const size_t r = u->row[i];
    const double x[3] = {u->q->b[r], u->q->lo[r], u->q->hi[r]};
    for (int k = 0; k < 3; k++) {
        int e = exponent(x[k]);
        at[k] = e == NO_ENTRY ? e : k == 0 ? e + u->e[i] : e - u->e[i];
    }
}

/* The rows joined to `root`; returns how many there are, in the queue, and whether their t is fixed. */
static size_t search_graph(const units *u, size_t root, bool *fixed)
{
    size_t count = 1;
    int t = 0;
    *fixed = false;
    u->queue[0] = root, u->e[root] = 0, u->k[root] = 1;
    for (size_t at = 0; at < count; at++)
        for (size_t i = u->queue[at], p = u->start[i]; p < u->start[i + 1]; p++) {
            const size_t j = u->neighbours[p].row;
            const int a = u->neighbours[p].exponent;
            if (u->k[j] == 0) {
                u->e[j] = -a - u->e[i], u->k[j] = (signed char)-u->k[i];
                u->queue[count++] = j;
            } else if (!*fixed && u->k[j] == u->k[i]) {
                t = -u->k[i] * half_down(a + u->e[i] + u->e[j]);
                *fixed = true;
            }
        }
    for (size_t at = 0; at < count; at++)
        u->e[u->queue[at]] += u->k[u->queue[at]] * t;
    return count;
}

/* A graph whose t is free takes it from its data: with `impulse` unknown (NO_ENTRY) from two that t moves apart, which
 * become equal; else, where t moves all data one way, from the first, which becomes as large as all impulses. Returns
 * whether that was possible. */
static bool fix_graph_by_data(units *u, size_t count, bool last)
{
    int first[2] = {NO_ENTRY, NO_ENTRY}, at[3], t = 0;
    for (size_t k = 0; k < count; k++) {
        exponents_of_data(u, u->queue[k], at);
        for (int d = 0; d < 3; d++) {
            int side = (d == 0) == (u->k[u->queue[k]] > 0);
            if (at[d] != NO_ENTRY && first[side] == NO_ENTRY)
                first[side] = at[d];
        }
    }
    if (first[0] != NO_ENTRY && first[1] != NO_ENTRY)
        t = half_down(first[0] - first[1]);
    else if (!last)
        return false;
    else if (first[0] != NO_ENTRY || first[1] != NO_ENTRY) {
        int from = first[0] != NO_ENTRY ? first[0] : first[1];
        u->impulse = u->impulse == NO_ENTRY ? from : u->impulse;
        t = first[1] != NO_ENTRY ? u->impulse - from : from - u->impulse;
    }
    for (size_t k = 0; k < count; k++)
        u->e[u->queue[k]] += u->k[u->queue[k]] * t;
    return true;
}

static void balance_units(const units *u)
{
    for (int sweep = 0; sweep < 2 * SWEEPS; sweep++) {
        for (size_t i = 0; i < u->n; i++) {
            double sum = 0.0, most = -HUGE_VAL;
            const size_t count = u->start[i + 1] - u->start[i];
            for (const neighbour *with = u->neighbours + u->start[i]; with < u->neighbours + u->start[i + 1]; with++) {
                double at = with->exponent + u->e[i] + u->e[with->row] + u->shift[i] + u->shift[with->row];
                sum += at, most = at > most ? at : most;
            }
            u->most[i] = count == 0 ? 0.0 : 0.5 * (sweep < SWEEPS ? sum / (double)count : most);
        }
        for (size_t i = 0; i < u->n; i++)
            u->shift[i] -= u->most[i];
    }
    for (size_t i = 0; i < u->n; i++)
        u->e[i] += (int)rint(u->shift[i]);
}

/* The exponent of the largest b_i, or where all are 0 of the largest bound, among the rows that have units. */
static void find_impulse_unit(units *u)
{
    int most[2] = {NO_ENTRY, NO_ENTRY}, at[3];
    for (size_t i = 0; i < u->n; i++) {
        if (u->e[i] == NO_ENTRY)
            continue;
        exponents_of_data(u, i, at);
        for (int d = 0; d < 3; d++)
            most[d > 0] = at[d] > most[d > 0] ? at[d] : most[d > 0];
    }
    u->impulse = most[0] != NO_ENTRY ? most[0] : most[1];
}

/* First the graphs whose t is fixed, then those that follow the impulse of the others. False for want of memory. */
static bool units_by_graph(units *u, dls_arena *memory)
{
    u->neighbours = DLS_TAKE(memory, neighbour, u->n * u->n);
    u->start = DLS_TAKE(memory, size_t, u->n + 1);
    if (memory->failed)
        return false;
    find_neighbours(u);
    u->impulse = NO_ENTRY;
    for (int last = 0; last < 2; last++) {
        for (size_t i = 0; i < u->n; i++)
            u->k[i] = (signed char)(last && u->e[i] != NO_ENTRY);
        for (size_t root = 0; root < u->n; root++) {
            bool fixed;
            if (u->k[root] != 0)
                continue;
            size_t count = search_graph(u, root, &fixed);
            if (!fixed && !fix_graph_by_data(u, count, last != 0))
                for (size_t k = 0; k < count; k++)
                    u->e[u->queue[k]] = NO_ENTRY;
        }
        if (!last)
            find_impulse_unit(u);
    }
    balance_units(u);
    return true;
}

static dls_status choose_block_units(const dls_direct *d, units *u, int prepare, dls_error *error)
{
    const dls_problem *p = d->problem;
    if (!units_by_diagonal(u)) {
        for (size_t i = 0; i < u->n; i++)
            u->e[i] = NO_ENTRY, u->shift[i] = 0.0;
        if (!units_by_graph(u, d->memory))
            return dls_fail(error, DLS_NO_MEMORY, "no memory for the entries of %zu rows", u->n);
    } else {
        for (size_t i = 1; p->form == DLS_FORM_MECHANICAL && i < u->n; i++)
            u->e[i] = u->e[i] == NO_ENTRY ? u->e[i - 1] : u->e[i];
        for (size_t i = u->n; p->form == DLS_FORM_MECHANICAL && i-- > 1;)
            u->e[i - 1] = u->e[i - 1] == NO_ENTRY ? u->e[i] : u->e[i - 1];
        find_impulse_unit(u);
        for (size_t i = 0; i < u->n; i++)
            if (u->e[i] == NO_ENTRY)
                u->queue[0] = i, u->k[i] = 1, u->e[i] = 0, fix_graph_by_data(u, 1, true);
    }
    for (size_t i = 0; prepare == DLS_DIRECT_CONTACTS && i < u->n; i++)
        for (size_t k = 0; k < dls_problem_discs(p, u->row[i]); k++) { /* they follow it, also within a block */
            int *e = u->e + i + 1 + 2 * k;
            e[0] = e[1] = e[0] < e[1] ? e[0] : e[1];
        }
    find_impulse_unit(u);
    return DLS_OK;
}

static void scale_problem(dls_direct *d)
{
    dls_dense *q = &d->q;
    for (size_t j = 0; j < q->n; j++)
        for (size_t i = 0; i < q->n; i++)
            if (q->A[i + q->n * j] != 0.0)
                q->A[i + q->n * j] = ldexp(q->A[i + q->n * j], d->row_unit[i] + d->row_unit[j]);
    for (size_t i = 0; i < q->n; i++) {
        q->b[i] = dls_direct_velocity_scaled(d, i, q->b[i]);
        q->lo[i] = dls_direct_impulse_scaled(d, i, q->lo[i]);
        q->hi[i] = dls_direct_impulse_scaled(d, i, q->hi[i]);
    }
}

/* Refuses what a double cannot represent in these units: a bound beyond its range, and products of a mechanical problem
 * that are so small that they have lost digits. */
static dls_status check_range(const dls_direct *d, dls_error *error)
{
    static const double least = DBL_MIN / DBL_EPSILON;
    for (size_t i = 0; i < d->n; i++) {
        const double bound = fmax(isinf(d->problem->lo[i]) ? 0.0 : fabs(d->problem->lo[i]),
                                  isinf(d->problem->hi[i]) ? 0.0 : fabs(d->problem->hi[i]));
        const double a = ldexp(d->q.A[i + d->n * i], -2 * d->row_unit[i]);
        if (!(dls_direct_impulse_scaled(d, i, bound) <= DBL_MAX / 4.0))
            return dls_fail(error, DLS_REFUSED,
                            "row %zu (%s): its bound %g is more than 1e307 times the impulses that b requires; give it "
                            "no bound, or one nearer to them",
                            i, dls_problem_label(d->problem, i), bound);
        if (d->problem->form == DLS_FORM_MECHANICAL && a > 0.0 && a < least)
            return dls_fail(error, DLS_REFUSED,
                            "row %zu (%s): its diagonal entry %g of A is below %g, where products lose digits; choose "
                            "other units of its coefficients or of mass",
                            i, dls_problem_label(d->problem, i), a, least);
    }
    return DLS_OK;
}

dls_status dls_direct_choose_units(dls_direct *d, int prepare, dls_error *error)
{
    size_t n = d->n;
    dls_arena *memory = d->memory;
    units u = {.q = &d->q,
               .row = DLS_TAKE(memory, size_t, n),
               .e = DLS_TAKE(memory, int, n),
               .k = DLS_TAKE(memory, signed char, n),
               .queue = DLS_TAKE(memory, size_t, n),
               .shift = DLS_TAKE(memory, double, n),
               .most = DLS_TAKE(memory, double, n)};
    if (memory->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a dense problem of %zu rows", n);
    find_blocks(d, u.queue);
    for (size_t k = 0; k < d->n_blocks; k++) {
        u.n = 0;
        for (size_t i = 0; i < n; i++)
            if (d->block[i] == k)
                u.row[u.n++] = i;
        DLS_TRY(choose_block_units(d, &u, prepare, error));
        for (size_t i = 0; i < u.n; i++) {
            d->row_unit[u.row[i]] = u.e[i];
            d->impulse_unit[u.row[i]] = u.impulse == NO_ENTRY ? 0 : u.impulse;
        }
    }
    scale_problem(d);
    return check_range(d, error);
}

void dls_direct_measure_blocks(dls_direct *d)
{
    const dls_dense *q = &d->q;
    memset(d->right, 0, d->n_blocks * sizeof *d->right);
    memset(d->size, 0, d->n_blocks * sizeof *d->size);
    for (size_t i = 0; i < q->n; i++) {
        const double at[3] = {q->b[i], q->lo[i], q->hi[i]};
        double *right = &d->right[d->block[i]], *size = &d->size[d->block[i]];
        *right = fmax(*right, fabs(q->b[i]));
        for (int k = 0; k < 3; k++)
            *size = isfinite(at[k]) ? fmax(*size, fabs(at[k])) : *size;
    }
    for (size_t k = 0; k < d->n_blocks; k++)
        d->size[k] = d->size[k] == 0.0 ? 1.0 : d->size[k];
}

/* --- memory and twins --- */

dls_status dls_direct_ready(const dls_direct *d, dls_error *error)
{
    return d->memory->failed
               ? dls_fail(error, DLS_NO_MEMORY, "no memory for %s on a problem of %zu rows", d->name, d->n)
               : DLS_OK;
}

void dls_direct_split(dls_direct *d, size_t count, const size_t *rows)
{
    const dls_dense old = d->q;
    size_t n = d->n + count;
    dls_dense q = {n,
                   dls_take_matrix(d->memory, n, n),
                   DLS_TAKE(d->memory, double, n),
                   DLS_TAKE(d->memory, double, n),
                   DLS_TAKE(d->memory, double, n),
                   old.symmetric};
    size_t *block = DLS_TAKE(d->memory, size_t, n);
    d->twin = DLS_TAKE(d->memory, size_t, count);
    if (d->memory->failed)
        return;
    memcpy(d->twin, rows, count * sizeof *rows);
    for (size_t i = 0; i < n; i++)
        block[i] = d->block[i < old.n ? i : rows[i - old.n]];
    d->block = block;
    d->n_twins = count;
    d->q = q;
    for (size_t j = 0; j < n; j++) {
        size_t from = j < old.n ? j : rows[j - old.n];
        double sign = j < old.n ? 1.0 : -1.0;
        for (size_t i = 0; i < n; i++)
            q.A[i + n * j] = i < old.n ? sign * old.A[i + old.n * from] : -sign * old.A[rows[i - old.n] + old.n * from];
        q.b[j] = sign * old.b[from];
        q.lo[j] = j < old.n ? old.lo[j] : 0.0;
        q.hi[j] = j < old.n ? old.hi[j] : HUGE_VAL;
    }
    for (size_t k = 0; k < count; k++)
        q.lo[rows[k]] = 0.0;
}

void dls_direct_join(const dls_direct *d, const double *x, double *joined)
{
    memcpy(joined, x, d->n * sizeof *joined);
    for (size_t k = 0; k < d->n_twins; k++)
        joined[d->twin[k]] -= x[d->n + k];
}
