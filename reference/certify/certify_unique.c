/* H-matrices, and which problems have one solution for every right side.
 *
 * A matrix with a positive diagonal is an H-matrix if its comparison matrix <B> (B_ii on the diagonal, -|B_ij| beside
 * it) has a vector u > 0 with <B> u > 0. It is then a P-matrix: all principal minors are positive, and a problem with
 * bounds of any kind has exactly one solution (R. W. Cottle, J.-S. Pang, R. E. Stone, "The Linear Complementarity
 * Problem" (1992), theorems 3.3.7 and 3.3.15; S. M. Robinson, "Normal maps induced by linear transformations", Math.
 * Oper. Res. 17 (1992), for bounds that are infinite on one side or both).
 *
 * Where H is reducible, rows and columns can be ordered such that it is block triangular. Every principal minor is then
 * a product of minors of the blocks on the diagonal: H is a P-matrix if every block is one, because it is definite or
 * an H-matrix. The blocks are the strong components of the graph with an edge for every entry that is not 0 (R. Tarjan,
 * "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972)). */
#include "parts.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

typedef enum answer { NO, YES, OPEN } answer;

/* N x for x >= 0, of N = -B beside the diagonal of <B>, with as many roundings as it has terms. */
static void times_N(const dls_comparison_matrix *c, const double *x, double *y)
{
    const size_t d = c->d;
    memset(y, 0, d * sizeof *y);
    for (size_t j = 0; j < d; j++)
        for (size_t i = 0; i < d; i++)
            y[i] += i == j ? 0.0 : -c->entries[i + d * j] * x[j];
}

/* (<B> x)_i from below, where Nx is what times_N makes of x. */
static double row_below(const dls_comparison_matrix *c, size_t i, const double *x, double Nx)
{
    const double kept = c->entries[i + c->d * i] * x[i] * (1.0 - 8.0 * DBL_EPSILON), most = dls_up(Nx, 2 * c->d + 4);
    return kept - most - 4.0 * DBL_EPSILON * fabs(kept - most);
}

/* v = <B> u from below. YES: u > 0 and v > 0, so B is an H-matrix; NO: v < 0 everywhere, so that no u will do; for
 * N u >= D u, and D^-1 N has a spectral radius of 1 or more. */
static answer is_positive(const dls_comparison_matrix *c)
{
    const size_t d = c->d;
    bool positive = true, negative = true;
    times_N(c, c->u, c->v);
    for (size_t i = 0; i < d; i++) {
        negative = negative && c->entries[i + d * i] * c->u[i] < c->v[i];
        c->v[i] = row_below(c, i, c->u, c->v[i]);
        positive = positive && c->u[i] > 1e-300 && c->u[i] < 1e300 && c->v[i] > 0.0;
    }
    return positive ? YES : negative ? NO : OPEN;
}

/* Puts the rows in an order in which a triangular matrix is solved from top to bottom, by depth-first search: a row
 * comes after those that it depends on. Where there are circles it is some order. `state`, `next`: d. */
static void sort_triangular(const dls_comparison_matrix *c, size_t *order, size_t *state, size_t *next, size_t *stack)
{
    const size_t d = c->d;
    size_t left = d, depth = 0;
    memset(state, 0, d * sizeof *state);
    for (size_t root = 0; root < d; root++) {
        if (state[root])
            continue;
        stack[depth++] = root, state[root] = 1, next[root] = 0;
        while (depth > 0) {
            size_t j = stack[depth - 1], i = next[j];
            while (i < d && (state[i] || c->entries[i + d * j] == 0.0))
                i++;
            next[j] = i + 1;
            if (i < d)
                stack[depth++] = i, state[i] = 1, next[i] = 0;
            else
                order[--left] = j, depth--;
        }
    }
}

/* One Gauss-Seidel sweep towards x = factor (right + N x) / D; `right`: NULL for 1 in every row. Nx is kept as x
 * changes. Returns the largest |x_i|; *moved: the largest change. */
static double sweep_rows(const dls_comparison_matrix *c, const size_t *order, double factor, const double *right,
                         double *x, double *Nx, double *moved)
{
    const size_t d = c->d;
    double largest = 0.0;
    *moved = 0.0;
    for (size_t k = 0; k < d; k++) {
        size_t j = order[k];
        const double *column = c->entries + d * j;
        double to = factor * ((right ? right[j] : 1.0) + Nx[j]) / column[j], change = to - x[j];
        x[j] = to;
        largest = fmax(largest, fabs(to));
        *moved = fmax(*moved, fabs(change));
        double kept = Nx[j];
        for (size_t i = 0; i < d; i++)
            Nx[i] -= column[i] * change;
        Nx[j] = kept;
    }
    return largest;
}

/* First by sweeps towards u = 9/8 (1 + N u) / D, for which <B> u = 1 + D u / 9; they are exact for triangular matrices.
 * Then as it makes <B> u = 1. The sweeps of an H-matrix may diverge too, but their factor is at most (9/8)^2 in the end
 * (the theorem of Stein and Rosenberg): of large matrices, for which the system of equations is dear, those that grow
 * by more than 2, or soon by a million, are given up. */
bool dls_is_H_matrix(const dls_comparison_matrix *c, double *room, size_t *places)
{
    const size_t d = c->d, sweeps = d < 200 ? 100 : 12;
    double before = HUGE_VAL, moved;
    for (size_t i = 0; i < d; i++) {
        if (!(c->entries[i + d * i] > 0.0))
            return false;
        c->u[i] = 0.0, room[i] = 0.0;
    }
    sort_triangular(c, places, places + d, places + 2 * d, places + 3 * d);
    for (size_t sweep = 1; sweep <= sweeps; sweep++) {
        double largest = sweep_rows(c, places, 1.125, NULL, c->u, room, &moved);
        if (!(largest < 1e250))
            break;
        if (d >= 200 && ((sweep > 5 && largest > 2.0 * before) || (sweep > 2 && largest > 1e6 * before)))
            return false;
        before = largest;
        answer a = sweep == 1 || sweep % 4 == 0 ? is_positive(c) : OPEN;
        if (a != OPEN)
            return a == YES;
    }
    memcpy(room, c->entries, d * d * sizeof *room);
    for (size_t i = 0; i < d; i++)
        c->u[i] = 1.0;
    int *pivots = (int *)(places + d); /* the order stays */
    return LAPACKE_dgesv_work(LAPACK_COL_MAJOR, (int)d, 1, room, (int)d, pivots, c->u, (int)d) == 0 &&
           is_positive(c) == YES;
}

/* Infinite where b is no number. */
static double larger_or_infinite(double a, double b) { return isnan(b) ? HUGE_VAL : fmax(a, b); }

/* <B>^-1 is not negative (an M-matrix), so that <B> x >= right wherever x = z + t u with t v >= right - <B> z. z comes
 * by sweeps from 0, and what they have left is t; t u without them is a bound too, and the smaller is taken. Any z >= 0
 * will do, and rounding is kept from making an entry negative. */
void dls_H_bound(const dls_comparison_matrix *c, const double *right, const size_t *places, double *room, double *x)
{
    const size_t d = c->d, sweeps = d < 200 ? 100 : 4;
    double *z = room, *Nz = room + d, whole = 0.0, left = 0.0, moved = HUGE_VAL, largest = 0.0;
    const double *v = c->v;
    memset(room, 0, 2 * d * sizeof *room);
    for (size_t sweep = 0; sweep < sweeps && moved > 0.001 * largest; sweep++)
        largest = sweep_rows(c, places, 1.0, right, z, Nz, &moved);
    for (size_t i = 0; i < d; i++)
        z[i] = fmax(z[i], 0.0);
    times_N(c, z, Nz);
    for (size_t i = 0; i < d; i++) {
        whole = larger_or_infinite(whole, dls_up(right[i] / v[i], 2));
        left = larger_or_infinite(left, dls_up((right[i] - row_below(c, i, z, Nz[i])) / v[i], 4));
    }
    for (size_t i = 0; i < d; i++)
        x[i] = dls_up(fmin(whole * c->u[i], z[i] + left * c->u[i]), 4);
}

/* --- P-matrices --- */

/* A depth-first search of the graph. */
typedef struct search {
    const dls_stored *s;
    size_t *component;   /* n: of each row, from 1; 0: none yet */
    size_t *found, *low; /* n: when a row was found, from 1, and the first that it leads back to */
    size_t *next;        /* n: entry from which to go on */
    size_t *path, *open; /* n: rows on the way, and rows without a component */
    size_t depth, n_open, clock, count;
} search;

static void enter_row(search *t, size_t i)
{
    t->path[t->depth++] = t->open[t->n_open++] = i;
    t->found[i] = t->low[i] = ++t->clock;
    t->next[i] = 0;
}

/* Row i is done: it closes a component, or passes on the first row that it leads back to. */
static void leave_row(search *t, size_t i)
{
    if (t->low[i] == t->found[i]) {
        t->count++;
        do
            t->component[t->open[--t->n_open]] = t->count;
        while (t->open[t->n_open] != i);
    }
    if (--t->depth > 0) {
        size_t above = t->path[t->depth - 1];
        t->low[above] = t->low[i] < t->low[above] ? t->low[i] : t->low[above];
    }
}

static void explore_from(search *t, size_t root)
{
    const size_t n = t->s->n;
    enter_row(t, root);
    while (t->depth > 0) {
        size_t i = t->path[t->depth - 1], j = t->next[i];
        const double *row = t->s->H + n * i;
        for (; j < n && (row[j] == 0.0 || t->found[j]); j++)
            if (row[j] != 0.0 && !t->component[j] && t->found[j] < t->low[i])
                t->low[i] = t->found[j];
        t->next[i] = j + 1;
        if (j < n)
            enter_row(t, j);
        else
            leave_row(t, i);
    }
}

/* <H>^T over m rows, from below: its columns are rows of H, and a matrix is an H-matrix if its transpose is. */
static void compare_rows(const dls_stored *s, size_t m, const size_t *rows, double *entries)
{
    for (size_t b = 0; b < m; b++) {
        const double *row = s->H + s->n * rows[b];
        for (size_t a = 0; a < m; a++) {
            double h = row[rows[a]], slack = s->slack * s->size[rows[a]] * s->size[rows[b]];
            entries[a + m * b] = a == b                     ? h * (1.0 - 8.0 * DBL_EPSILON) - dls_up(slack, 4)
                                 : h == 0.0 && slack == 0.0 ? 0.0
                                                            : -dls_up(fabs(h) + slack, 4);
        }
    }
}

/* One block: a positive number, definite, or an H-matrix. H as a whole was not proved definite. `entries`: m x m. */
static bool block_is_P(const dls_stored *s, size_t m, const size_t *rows, double *entries, dls_arena *memory)
{
    if (m == 1)
        return s->H[rows[0] + s->n * rows[0]] * (1.0 - 4.0 * DBL_EPSILON) >
               s->slack * s->size[rows[0]] * s->size[rows[0]];
    double *room = dls_arena_take(memory, m, m * sizeof *room), *u = DLS_TAKE(memory, double, 2 * m);
    size_t *places = DLS_TAKE(memory, size_t, 4 * m);
    if (memory->failed)
        return false;
    if (m < s->n && dls_stored_definite(s, m, rows, 0.0, room) > 0.0)
        return true;
    compare_rows(s, m, rows, entries);
    const dls_comparison_matrix c = {m, entries, u, u + m};
    return dls_is_H_matrix(&c, room, places);
}

/* The rows by ascending component, those of one component ascending. `places`: n. */
static void sort_by_component(size_t n, const size_t *component, size_t *places, size_t *sorted)
{
    size_t at = 0;
    memset(places, 0, n * sizeof *places);
    for (size_t i = 0; i < n; i++)
        places[component[i] - 1]++;
    for (size_t k = 0; k < n; k++) {
        const size_t count = places[k];
        places[k] = at, at += count;
    }
    for (size_t i = 0; i < n; i++)
        sorted[places[component[i] - 1]++] = i;
}

dls_status dls_stored_is_P(const dls_stored *s, double *room, bool *proved, dls_error *error)
{
    dls_arena memory = {0};
    const size_t n = s->n;
    size_t *component = DLS_TAKE_ZEROS(&memory, size_t, n), *found = DLS_TAKE_ZEROS(&memory, size_t, n),
           *low = DLS_TAKE(&memory, size_t, n), *next = DLS_TAKE(&memory, size_t, n),
           *path = DLS_TAKE(&memory, size_t, n), *open = DLS_TAKE(&memory, size_t, n);
    search t = {s, component, found, low, next, path, open, 0, 0, 0, 0};
    *proved = !memory.failed && !s->lossy;
    for (size_t i = 0; i < n && *proved; i++)
        if (!found[i])
            explore_from(&t, i);
    if (*proved)
        sort_by_component(n, component, low, path);
    for (size_t first = 0, m; first < n && *proved; first += m) {
        dls_arena spare = {0};
        for (m = 1; first + m < n && component[path[first + m]] == component[path[first]]; m++)
            continue;
        *proved = block_is_P(s, m, path + first, room, &spare);
        memory.failed = memory.failed || spare.failed;
        dls_arena_release(&spare);
    }
    bool failed = memory.failed;
    dls_arena_release(&memory);
    return failed ? dls_fail(error, DLS_NO_MEMORY, "no memory to certify a problem of %zu rows", n) : DLS_OK;
}
