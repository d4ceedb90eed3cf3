/* The table of direct methods, and what all of them have in common: assembly, units, twins, and memory that is kept. */
#include "blas.h"
#include "cone_path.h"
#include "last_step.h"
#include "self_check.h"

#include <lapacke.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

const dls_solver *const dls_direct_solvers[] = {
#define SOLVER(name) &dls_solver_##name,
#include "direct.def"
#undef SOLVER
    NULL};

const dls_solver *dls_direct_find(const char *name)
{
    for (size_t i = 0; dls_direct_solvers[i]; i++)
        if (strcmp(dls_direct_solvers[i]->name, name) == 0)
            return dls_direct_solvers[i];
    return NULL;
}

typedef struct work {
    const dls_solver *solver;
    dls_direct_solve *solve;
    int prepare;
    dls_direct direct;
    dls_arena problem; /* q, s and lambda */
    dls_arena memory;  /* of the assembly, and then of the method */
    dls_dense q;       /* as a method finds it, without twins */
    double *lambda;    /* n, in the units of q */
    double *tried;     /* n, by the last step */
    _Alignas(max_align_t) unsigned char settings[];
} work;

/* --- blocks --- */

/* Rows belong to one block if a chain of rows leads from one to the other, each joined to the next by an entry of A
 * that is not 0, or by friction. Blocks are independent problems: each has its own units and its own scale, so that the
 * outcome depends neither on the units of another block nor on its presence. A row of a mechanism that no impulse can
 * move belongs to the block of the row beside it: its b is the result of the same step. */

static bool is_dead(const dls_direct *d, size_t i)
{
    return d->problem->form == DLS_FORM_MECHANICAL && d->q.A[i + d->n * i] == 0.0;
}

static bool are_joined(const dls_direct *d, size_t i, size_t j, size_t first_live)
{
    const size_t beside_i = i < first_live ? i + 1 : i - 1, beside_j = j < first_live ? j + 1 : j - 1;
    return d->q.A[j + d->n * i] != 0.0 || (!d->q.symmetric && d->q.A[i + d->n * j] != 0.0) ||
           d->problem->parent[i] == j || d->problem->parent[j] == i || (is_dead(d, i) && beside_i == j) ||
           (is_dead(d, j) && beside_j == i);
}

/* Numbers the blocks from 0 to n_blocks - 1. `queue`: n entries. */
static void find_blocks(dls_direct *d, size_t *queue)
{
    const size_t n = d->n;
    size_t first_live = 0;
    while (first_live < n && is_dead(d, first_live))
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
                if (d->block[j] == DLS_NONE && are_joined(d, queue[at], j, first_live))
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
    const size_t *row;     /* n: the rows of the block in q */
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
static int half(int x) { return (x - (x & 1)) / 2; } /* rounded down */
static double entry(const units *u, size_t i, size_t j) { return u->q->A[u->row[i] + u->q->n * u->row[j]]; }

/* The graph of the entries that are not 0; the larger of |A_ij|, |A_ji| counts. */
static void find_neighbours(const units *u)
{
    size_t count = 0;
    for (size_t i = 0; i < u->n; i++) {
        u->start[i] = count;
        for (size_t j = 0; j < u->n; j++) {
            int a = exponent(fmax(fabs(entry(u, i, j)), fabs(entry(u, j, i))));
            if (a != NO_ENTRY)
                u->neighbours[count++] = (neighbour){(uint32_t)j, a};
        }
    }
    u->start[u->n] = count;
}

static bool by_diagonal(const units *u)
{
    for (size_t i = 0; i < u->n; i++) {
        double a = entry(u, i, i);
        if (a < 0.0)
            return false;
        u->e[i] = a > 0.0 ? -half(exponent(a) + 1) : NO_ENTRY;
    }
    for (size_t j = 0; j < u->n; j++)
        for (size_t i = 0; i < u->n; i++) {
            int a = exponent(entry(u, i, j));
            if (a != NO_ENTRY && (u->e[i] == NO_ENTRY || u->e[j] == NO_ENTRY || a + u->e[i] + u->e[j] > STANDS_OUT))
                return false;
        }
    return true;
}
/* The exponents of b_i, lo_i and hi_i in the unit of row i. */
static void data(const units *u, size_t i, int at[3])
{
    const size_t r = u->row[i];
    const double x[3] = {u->q->b[r], u->q->lo[r], u->q->hi[r]};
    for (int k = 0; k < 3; k++) {
        int e = exponent(x[k]);
        at[k] = e == NO_ENTRY ? e : k == 0 ? e + u->e[i] : e - u->e[i];
    }
}

/* The rows joined to `root`; returns how many there are, in the queue, and whether their t is fixed. */
static size_t search(const units *u, size_t root, bool *fixed)
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
                t = -u->k[i] * half(a + u->e[i] + u->e[j]);
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
static bool fix_by_data(units *u, size_t count, bool last)
{
    int first[2] = {NO_ENTRY, NO_ENTRY}, at[3], t = 0;
    for (size_t k = 0; k < count; k++) {
        data(u, u->queue[k], at);
        for (int d = 0; d < 3; d++) {
            int side = (d == 0) == (u->k[u->queue[k]] > 0);
            if (at[d] != NO_ENTRY && first[side] == NO_ENTRY)
                first[side] = at[d];
        }
    }
    if (first[0] != NO_ENTRY && first[1] != NO_ENTRY)
        t = half(first[0] - first[1]);
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

static void balance(const units *u)
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
static void find_impulse(units *u)
{
    int most[2] = {NO_ENTRY, NO_ENTRY}, at[3];
    for (size_t i = 0; i < u->n; i++) {
        if (u->e[i] == NO_ENTRY)
            continue;
        data(u, i, at);
        for (int d = 0; d < 3; d++)
            most[d > 0] = at[d] > most[d > 0] ? at[d] : most[d > 0];
    }
    u->impulse = most[0] != NO_ENTRY ? most[0] : most[1];
}

/* A row of a mechanism that nothing moves has the unit of the rows beside it: its b is the outcome of the same step. */
static void follow_neighbours(const units *u)
{
    for (size_t i = 1; i < u->n; i++)
        if (u->e[i] == NO_ENTRY)
            u->e[i] = u->e[i - 1];
    for (size_t i = u->n; i-- > 1;)
        if (u->e[i - 1] == NO_ENTRY)
            u->e[i - 1] = u->e[i];
}

/* First what fixes itself, then what follows the impulse of the rest; false: no memory. */
static bool by_graph(units *u, dls_arena *memory)
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
            size_t count = search(u, root, &fixed);
            if (!fixed && !fix_by_data(u, count, last != 0))
                for (size_t k = 0; k < count; k++)
                    u->e[u->queue[k]] = NO_ENTRY;
        }
        if (!last)
            find_impulse(u);
    }
    balance(u);
    return true;
}

/* The tangents of a contact follow its normal row, also within a block. */
static void join_tangents(const units *u, const dls_problem *p)
{
    for (size_t i = 0; i < u->n; i++)
        if (dls_problem_is_cone(p, u->row[i]))
            u->e[i + 1] = u->e[i + 2] = u->e[i + 1] < u->e[i + 2] ? u->e[i + 1] : u->e[i + 2];
}

static dls_status choose_block_units(work *w, units *u, dls_error *error)
{
    const dls_problem *p = w->direct.problem;
    if (!by_diagonal(u)) {
        for (size_t i = 0; i < u->n; i++)
            u->e[i] = NO_ENTRY, u->shift[i] = 0.0;
        if (!by_graph(u, &w->memory))
            return dls_fail(error, DLS_NO_MEMORY, "no memory for the entries of %zu rows", u->n);
    } else {
        if (p->form == DLS_FORM_MECHANICAL)
            follow_neighbours(u);
        find_impulse(u);
        for (size_t i = 0; i < u->n; i++)
            if (u->e[i] == NO_ENTRY)
                u->queue[0] = i, u->k[i] = 1, u->e[i] = 0, fix_by_data(u, 1, true);
    }
    if (w->prepare == DLS_DIRECT_CONTACTS)
        join_tangents(u, p);
    find_impulse(u);
    return DLS_OK;
}

static dls_status choose_units(work *w, dls_error *error)
{
    dls_direct *d = &w->direct;
    size_t n = d->n, *row = DLS_TAKE(&w->memory, size_t, n);
    dls_arena *memory = &w->memory;
    units u = {.q = &d->q,
               .row = row,
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
                row[u.n++] = i;
        DLS_TRY(choose_block_units(w, &u, error));
        for (size_t i = 0; i < u.n; i++) {
            d->row_unit[row[i]] = u.e[i];
            d->impulse_unit[row[i]] = u.impulse == NO_ENTRY ? 0 : u.impulse;
        }
    }
    return DLS_OK;
}

static void scale(dls_direct *d)
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

static void measure_blocks(dls_direct *d)
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

/* --- the functions of a solver --- */

dls_status dls_direct_ready(const dls_direct *d, dls_error *error)
{
    return d->memory->failed
               ? dls_fail(error, DLS_NO_MEMORY, "no memory for %s on a problem of %zu rows", d->name, d->n)
               : DLS_OK;
}

void dls_direct_close(void *memory)
{
    work *w = memory;
    if (!w)
        return;
    dls_arena_release(&w->problem);
    dls_arena_release(&w->memory);
    free(w);
}

dls_status dls_direct_reload(void *memory, const dls_problem *problem, const double *lambda0, dls_error *error)
{
    work *w = memory;
    dls_direct *d = &w->direct;
    (void)lambda0;
    dls_arena_reset(&w->problem);
    dls_arena_reset(&w->memory);
    *d = (dls_direct){problem, w->settings, w->solver->name, .n = problem->n, .memory = &w->memory};
    DLS_TRY(dls_dense_take(problem, &w->problem, &w->memory, &d->q, error));
    d->row_unit = DLS_TAKE(&w->problem, int, d->n), d->impulse_unit = DLS_TAKE(&w->problem, int, d->n);
    d->block = DLS_TAKE(&w->problem, size_t, d->n);
    d->right = DLS_TAKE(&w->problem, double, d->n), d->size = DLS_TAKE(&w->problem, double, d->n);
    w->lambda = DLS_TAKE_ZEROS(&w->problem, double, d->n);
    w->tried = DLS_TAKE(&w->problem, double, d->n);
    if (w->problem.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a dense problem of %zu rows", d->n);
    DLS_TRY(choose_units(w, error));
    scale(d);
    DLS_TRY(check_range(d, error));
    dls_arena_reset(&w->memory);
    DLS_TRY(dls_redundant_find(d, &w->problem, &w->memory, &d->redundant, error));
    dls_redundant_remove(&d->redundant, &d->q);
    measure_blocks(d);
    w->q = d->q;
    dls_arena_reset(&w->memory);
    return DLS_OK;
}

dls_status dls_direct_open(const dls_solver *solver, dls_direct_solve *solve, int prepare, const dls_problem *problem,
                           const void *settings, void **out, dls_error *error)
{
    *out = NULL;
    DLS_TRY(dls_self_check(error));
    work *w = calloc(1, sizeof *w + solver->fields.size);
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %s", solver->name);
    w->solver = solver, w->solve = solve, w->prepare = prepare;
    memcpy(w->settings, settings, solver->fields.size);
    dls_status status = dls_direct_reload(w, problem, NULL, error);
    if (status == DLS_OK)
        *out = w;
    else
        dls_direct_close(w);
    return status;
}

/* --- the end of every solve --- */

/* What a claim that a method did not make must reach (its own may leave dls_solved_to), by rows (last_step.h); how
 * much of b may be left where the impulses are not known to be exact: A lambda may cancel so far that nothing but
 * rounding is left, as where there is no solution. */
static const double mended_to = 1e-13, left_of_data = 1e-9, nothing_left = 1e-13;
/* Pivots of a definite matrix stand that far above rounding; two solutions nearer than that share are one. */
static const double pivot_margin = 64.0, same_solution = 1e-7;
enum { ROUNDS = 20, MENDING_ROUNDS = 100 };

DLS_PRINTF(3, 4) static void append(dls_report *report, dls_outcome outcome, const char *format, ...)
{
    char said[DLS_MESSAGE_MAX / 2], more[DLS_MESSAGE_MAX / 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(more, sizeof more, format, arguments);
    va_end(arguments);
    snprintf(said, sizeof said, "%.200s", report->message);
    dls_report_end(report, outcome, "%s%s%s", said, said[0] ? "; " : "", more);
}

void dls_report_withdraw_proof(dls_report *report)
{
    free(report->proof_vector);
    report->proof_vector = NULL;
    report->proof = DLS_PROOF_NONE;
}

/* Where the blocks of A in which more than left_of_data is left are definite there is a solution, however large the
 * impulses; without figures all blocks, and then there is no proof that there is none. */
static dls_status is_definite(work *w, const dls_last_figures *f, bool *definite, dls_error *error)
{
    const dls_dense *q = &w->q;
    double *factor = dls_take_matrix(w->direct.memory, q->n, q->n);
    size_t m = 0, *row = DLS_TAKE(w->direct.memory, size_t, q->n);
    DLS_TRY(dls_direct_ready(&w->direct, error));
    for (size_t i = 0; i < q->n; i++)
        if (!f || f->share[w->direct.block[i]] > left_of_data)
            row[m++] = i;
    dls_dense_block(q, m, row, factor);
    *definite = q->symmetric &&
                (m == 0 || LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)m, factor, (lapack_int)m) == 0);
    for (size_t j = 0; *definite && j < m; j++)
        *definite = !dls_pivot_lost(factor[j + m * j], pivot_margin * q->A[row[j] + q->n * row[j]], m);
    return DLS_OK;
}

/* Each of several solutions by itself; those that turn out to be the same are one. */
static dls_status finish_each(work *w, dls_last_step *step, dls_report *report, dls_error *error)
{
    size_t n = w->direct.n, kept = 0;
    dls_last_figures f;
    for (size_t k = 0; k < report->n_solutions; k++) {
        double *solution = report->solutions + n * k, *to = report->solutions + n * kept;
        bool known = false;
        for (size_t i = 0; i < n; i++)
            w->tried[i] = dls_direct_impulse_scaled(&w->direct, i, solution[i]);
        DLS_TRY(dls_last_step_run(step, ROUNDS, w->tried, &f, report, error));
        for (size_t i = 0; i < n; i++)
            to[i] = dls_direct_impulse(&w->direct, i, w->tried[i]);
        for (size_t other = 0; other < kept && !known; other++) {
            double largest = 0.0, apart = 0.0;
            for (size_t i = 0; i < n; i++) {
                double x = dls_direct_impulse_scaled(&w->direct, i, report->solutions[n * other + i]);
                largest = fmax(largest, fmax(fabs(x), fabs(w->tried[i])));
                apart = fmax(apart, fabs(x - w->tried[i]));
            }
            known = apart <= same_solution * largest;
        }
        kept += !known;
    }
    if (kept == 1 && (report->outcome == DLS_OUTCOME_SEVERAL || report->outcome == DLS_OUTCOME_CONTINUUM))
        append(report, DLS_OUTCOME_SOLVED, "one and the same to rounding");
    report->n_solutions = kept;
    return DLS_OK;
}

/* Impulses so large that A lambda cancels are nearly a null vector of a symmetric A with b.lambda < 0: as exact
 * arithmetic decides, a proof that there is no solution, or nothing. */
static dls_status refuse_large_impulses(work *w, double left, dls_report *report, dls_error *error)
{
    dls_farkas_proof proof = {0};
    dls_direct *d = &w->direct;
    if (w->q.symmetric) {
        d->n_twins = 0;
        DLS_TRY(dls_direct_proof(d, w->lambda, report, error));
        DLS_TRY(dls_farkas_verify(d->problem, report->proof_vector, &proof, error));
    }
    if (proof.proved) {
        memset(w->lambda, 0, d->n * sizeof *w->lambda); /* they would look like a solution beside their own terms */
        append(report, DLS_OUTCOME_NO_SOLUTION, "impulses without end along a vector z with A z = 0, b.z < 0");
    } else {
        dls_report_withdraw_proof(report);
        append(report, DLS_OUTCOME_NUMERICAL_FAILURE,
               "impulses so large that rounding leaves %.3g of b; there may be no solution", left);
    }
    return DLS_OK;
}

/* The largest w that rows of closed loops keep. [m/s, rad/s] */
static double inconsistency(const dls_direct *d)
{
    double largest = 0.0;
    for (size_t r = 0; d->redundant.k > 0 && r < d->redundant.f; r++)
        largest = fmax(largest, fabs(dls_direct_velocity(d, d->redundant.rows[r], d->redundant.left[r])));
    return largest;
}

/* A claim is brought to its last digits, and withdrawn where it does not stand. A failure, or the claim that there is
 * no solution, is tried from where the method stopped. A limit is the user's. */
static dls_status finish(work *w, dls_report *report, dls_error *error)
{
    dls_outcome outcome = report->outcome;
    bool claims = outcome == DLS_OUTCOME_SOLVED || outcome == DLS_OUTCOME_SEVERAL || outcome == DLS_OUTCOME_CONTINUUM;
    bool gives_up = outcome == DLS_OUTCOME_NO_SOLUTION || outcome == DLS_OUTCOME_NUMERICAL_FAILURE;
    dls_last_figures f;
    for (size_t i = 0; i < w->direct.n; i++)
        report->dead_rows += w->q.A[i + w->direct.n * i] == 0.0;
    if (w->direct.problem->n_cone > 0 || w->direct.n == 0 || !(claims || gives_up) ||
        report->proof == DLS_PROOF_EXACT || report->proof == DLS_PROOF_ENUMERATION)
        return DLS_OK;
    dls_last_step *step = dls_last_step_take(&w->direct, &w->q);
    DLS_TRY(dls_direct_ready(&w->direct, error));
    memcpy(w->tried, w->lambda, w->direct.n * sizeof *w->tried);
    DLS_TRY(dls_last_step_run(step, claims ? ROUNDS : MENDING_ROUNDS, w->tried, &f, report, error));
    const bool good = f.violation <= (claims ? dls_solved_to : mended_to);
    const bool measured = f.beside_data <= nothing_left, small = f.exact || (measured && f.data <= left_of_data);
    bool definite = false;
    if (claims && good && measured && !small)
        DLS_TRY(is_definite(w, &f, &definite, error));
    else if (outcome == DLS_OUTCOME_NO_SOLUTION)
        DLS_TRY(is_definite(w, NULL, &definite, error));
    const bool stands = good && (small || (claims && definite));
    if (claims || stands)
        memcpy(w->lambda, w->tried, w->direct.n * sizeof *w->tried);
    report->inconsistent = claims || stands ? fmax(f.inconsistent, inconsistency(&w->direct)) : 0.0;
    if (report->inconsistent > 0.0)
        append(report, outcome, "redundant rows are inconsistent by %.3g [m/s, rad/s], %.3g [m, rad] per step",
               report->inconsistent, report->inconsistent * w->direct.problem->h);
    if (claims && !(f.violation <= dls_solved_to))
        append(report, DLS_OUTCOME_NUMERICAL_FAILURE, "a row is off by %.3g of its own terms", f.violation);
    else if (claims && !stands)
        return refuse_large_impulses(w, measured ? f.data : f.beside_data, report, error);
    else if (claims) {
        if (!(f.given <= dls_solved_to))
            append(report, outcome, "the last step mends a row that was off by %.3g of its own terms", f.given);
        DLS_TRY(finish_each(w, step, report, error));
    } else if (stands) {
        dls_report_withdraw_proof(report);
        append(report, DLS_OUTCOME_SOLVED, "the last step goes on from there to a solution, off by %.3g", f.violation);
    } else if (outcome == DLS_OUTCOME_NO_SOLUTION && definite) {
        dls_report_withdraw_proof(report);
        append(report, DLS_OUTCOME_NUMERICAL_FAILURE, "but A is definite: there is a solution, which was not found");
    }
    return DLS_OK;
}

/* Names the rows with y_i != 0 in the message, or how many more there are than fit. */
static void name_contradiction(const dls_direct *d, const double *y, double bound, dls_report *report)
{
    char rows[DLS_MESSAGE_MAX / 4] = "", more[64] = "";
    size_t used = 0, count = 0, left = 0;
    for (size_t i = 0; i < d->n; i++) {
        if (y[i] != 0.0 && used + DLS_NAME_MAX < sizeof rows)
            used += (size_t)snprintf(rows + used, sizeof rows - used, "%s%zu (%s)", count++ > 0 ? ", " : "", i,
                                     dls_problem_label(d->problem, i));
        else
            left += y[i] != 0.0;
    }
    if (left > 0)
        snprintf(more, sizeof more, " and %zu others", left);
    append(report, report->outcome,
           "rows %s%s nearly contradict each other: a solution has scaled impulses of at least %.3g times b", rows,
           more, bound);
    report->least_impulses = bound;
}

/* Under friction no method looks for rows that contradict each other, as those for other problems do. Where their
 * contradiction is not exact, the report names them. */
static dls_status find_contradiction(work *w, dls_report *report, dls_error *error)
{
    enum { STEPS = 60 };
    dls_direct whole = w->direct;
    dls_cone_path path;
    dls_farkas_proof proof;
    double bound;
    whole.q = w->q, whole.n_twins = 0;
    double *y = DLS_TAKE(whole.memory, double, whole.n);
    dls_cone_path_take(&path, &whole);
    DLS_TRY(dls_direct_ready(&whole, error));
    if (!dls_cone_path_contradiction(&path, STEPS, y, &bound, report))
        return DLS_OK;
    DLS_TRY(dls_direct_proof(&whole, y, report, error));
    DLS_TRY(dls_farkas_verify(whole.problem, report->proof_vector, &proof, error));
    if (proof.proved) {
        append(report, DLS_OUTCOME_NO_SOLUTION, "its rows contradict each other along a Farkas vector");
    } else {
        dls_report_withdraw_proof(report);
        name_contradiction(&whole, y, bound, report);
    }
    return DLS_OK;
}

dls_status dls_direct_iterate(void *memory, dls_report *report, dls_error *error)
{
    work *w = memory;
    DLS_TRY(dls_blas_ready(error));
    DLS_TRY(w->solve(&w->direct, w->lambda, report, error));
    DLS_TRY(finish(w, report, error));
    const bool fails = report->outcome == DLS_OUTCOME_NUMERICAL_FAILURE && w->direct.problem->n_coupled > 0;
    return fails ? find_contradiction(w, report, error) : DLS_OK;
}

void dls_direct_read(const void *memory, double *lambda)
{
    const work *w = memory;
    for (size_t i = 0; i < w->direct.n; i++)
        lambda[i] = dls_direct_impulse(&w->direct, i, w->lambda[i]);
}

/* --- twins --- */

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
