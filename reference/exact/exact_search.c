/* All solutions of a small problem in exact arithmetic, or the proof that there is none.
 *
 * The doubles of the problem are taken as the exact numbers that they are (rational.h). In a solution each row with
 * lo < hi is in exactly one of these states:
 *     lower   lambda = lo,  w >= 0
 *     inside  lo < lambda < hi,  w = 0
 *     upper   lambda = hi,  w <= 0
 * so the solutions are the disjoint union, over all choices of states, of polyhedra. The search decides one row after
 * another. A row that is still open has lo <= lambda <= hi, and w >= 0 where hi is infinite, w <= 0 where lo is: if
 * that cannot be, together with what has been decided, no choice of the other rows needs to be looked at (linear
 * feasibility, exact_simplex.h). The row that the point found contradicts most visibly, the first one that is in none
 * of its states, is decided next.
 *
 * Where all rows are decided the polyhedron P is not empty. It has more than one point if a strict bound is only just
 * held, or if from the point found some lambda_i can rise or fall along P: again a question of feasibility, on the
 * differences d of two points (d = 0 where a bound holds for equality, d >= 0 at a lower bound, d <= 0 at an upper one,
 * d_i >= 1 or d_i <= -1). Then there is a continuum, of which two points are named, and the search ends.
 *
 * Monotone problems. If x^T A x >= 0 for all x, then two solutions have (lambda_i - lambda'_i)(w_i - w'_i) = 0 in each
 * row, since no term of the sum is positive: C. W. Cottle, J.-S. Pang, R. E. Stone, "The Linear Complementarity
 * Problem" (1992), theorem 3.1.7. So from one solution lambda'
 *     w'_i > 0: lambda_i = lo_i,   w'_i < 0: lambda_i = hi_i,   lo < lambda'_i < hi: w_i = 0
 * in all of them, and only degenerate rows remain open; if A is symmetric too, A (lambda - lambda') = 0 and w is
 * unique; if x^T A x > 0 there is no second solution. The first solution is looked for by single principal pivots with
 * the least index (K. G. Murty, Linear Algebra and its Applications 9 (1974)), exact ones, from the states that the
 * answer of Lemke's method in floating point has: that answer is a guess where to start, and proves nothing. Where
 * A_FF is singular on the way, or there are too many pivots, the search looks for it, in closed states.
 *
 * The time may grow exponentially with n, and with the length of the fractions; the settings `nodes` and `work` bound
 * it. */

#include "exact_search.h"

#include "apart.h"
#include "base/arithmetic.h"
#include "direct/direct.h"
#include "exact_simplex.h"
#include "exact_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    size_t rows, nodes;
    double work;
} settings;

static const dls_field fields[] = {
    {"rows", "", DLS_FIELD_COUNT, offsetof(settings, rows), "32", 1, DLS_RATIONAL_ROWS_MAX, false, NULL,
     "greatest number of rows; problems with more are refused"},
    {"nodes", "", DLS_FIELD_COUNT, offsetof(settings, nodes), "20000", 1, 1e9, false, NULL,
     "greatest number of partial and complete choices of states; beyond it the search ends without a verdict"},
    {"work", "", DLS_FIELD_REAL, offsetof(settings, work), "1e11", 0, HUGE_VAL, true, NULL,
     "greatest work of the exact arithmetic, in multiplications of 64-bit numbers, of which a second has about 1e9; "
     "beyond it the search ends without a verdict"},
};

typedef enum state { OPEN, LOWER, INSIDE, UPPER, HELD, FIXED } state; /* HELD: w = 0 and lo <= lambda <= hi */

typedef struct work {
    const dls_problem *p;
    settings set;
    dls_report *report;         /* of a search */
    dls_search_proof *verified; /* of a verification */
    dls_rational r;
    dls_exact_simplex simplex;
    dls_arena memory;
    dls_solver_work hint;
    double *lambda, *guess;     /* n */
    state *state;               /* n */
    fmpq *lo, *hi, *zero;       /* n: finite bounds of lambda, and w = 0, scaled */
    fmpq *found;                /* capacity x n: solutions */
    size_t n_found, n_reserved; /* how many there are, and how many have room */
    size_t nodes;
    bool closed;                      /* rows are decided between closed states: HELD in the place of INSIDE */
    bool any;                         /* the first solution is enough, in closed states */
    dls_exact_tree *tree;             /* NULL, or the record of the search, in closed states */
    char *record;                     /* its text */
    bool continuum, endless, limited; /* found by the search; endless: a ray */
} work;

/* --- definiteness --- */

enum { INDEFINITE, SEMIDEFINITE, DEFINITE };

/* Whether A + A^T is definite, by fraction-free elimination, E. H. Bareiss, Mathematics of Computation 22 (1968). A row
 * whose pivot is 0 must be 0 as a whole. */
static int definiteness(const dls_rational *r)
{
    slong n = (slong)r->n;
    int kind = DEFINITE;
    fmpq_mat_t sum;
    fmpz_mat_t M;
    fmpz_t common, before;
    fmpq_mat_init(sum, n, n), fmpz_mat_init(M, n, n), fmpz_init(common), fmpz_init_set_ui(before, 1);
    fmpq_mat_transpose(sum, r->A);
    fmpq_mat_add(sum, sum, r->A);
    fmpq_mat_get_fmpz_mat_matwise(M, common, sum);
    for (slong k = 0; k < n && kind != INDEFINITE; k++) {
        fmpz *pivot = fmpz_mat_entry(M, k, k);
        if (fmpz_sgn(pivot) < 0)
            kind = INDEFINITE;
        for (slong j = k; j < n && fmpz_is_zero(pivot); j++)
            kind = !fmpz_is_zero(fmpz_mat_entry(M, k, j)) || kind == INDEFINITE ? INDEFINITE : SEMIDEFINITE;
        if (fmpz_sgn(pivot) <= 0)
            continue;
        for (slong i = k + 1; i < n; i++)
            for (slong j = k + 1; j < n; j++) {
                fmpz *entry = fmpz_mat_entry(M, i, j);
                fmpz_mul(entry, entry, pivot);
                fmpz_submul(entry, fmpz_mat_entry(M, i, k), fmpz_mat_entry(M, k, j));
                fmpz_divexact(entry, entry, before);
            }
        fmpz_set(before, pivot);
    }
    fmpq_mat_clear(sum), fmpz_mat_clear(M), fmpz_clear(common), fmpz_clear(before);
    return kind;
}

/* --- states --- */

static void assume_state(work *w, size_t i, state to)
{
    double lo = w->p->lo[i], hi = w->p->hi[i];
    dls_range impulse = {lo, hi, to == INSIDE};
    dls_range row = {isinf(hi) ? 0.0 : -HUGE_VAL, isinf(lo) ? 0.0 : HUGE_VAL, false};
    w->state[i] = to;
    switch (to) {
    case LOWER:
        impulse.upper = lo, row = (dls_range){0.0, HUGE_VAL, false};
        break;
    case UPPER:
        impulse.lower = hi, row = (dls_range){-HUGE_VAL, 0.0, false};
        break;
    case INSIDE:
    case HELD:
        row = (dls_range){0.0, 0.0, false};
        break;
    case FIXED:
        row = (dls_range){-HUGE_VAL, HUGE_VAL, false};
        break;
    case OPEN:
        break;
    }
    dls_exact_simplex_bound(&w->simplex, i, impulse);
    dls_exact_simplex_bound(&w->simplex, w->p->n + i, row);
}

/* The value of a variable, against a number in its scaled unit. */
static int compare_variable(const work *w, size_t v, const fmpq *number)
{
    const dls_exact_set *set = &w->simplex.set[DLS_POINTS];
    int order = fmpq_cmp(set->a + v, number);
    return order ? order : fmpq_sgn(set->d + v);
}
static int sign_of_w(const work *w, size_t i) { return compare_variable(w, w->p->n + i, w->zero + i); }
static int against_lo(const work *w, size_t i) { return isinf(w->p->lo[i]) ? 1 : compare_variable(w, i, w->lo + i); }
static int against_hi(const work *w, size_t i) { return isinf(w->p->hi[i]) ? -1 : compare_variable(w, i, w->hi + i); }

/* The state in which the current point, within its bounds, has row i; OPEN where it contradicts all of them. */
static state present_state(const work *w, size_t i)
{
    int sign = sign_of_w(w, i);
    if (against_lo(w, i) == 0)
        return sign >= 0 ? LOWER : OPEN;
    if (against_hi(w, i) == 0)
        return sign <= 0 ? UPPER : OPEN;
    return sign == 0 ? INSIDE : OPEN;
}

/* The state nearest to the guess. */
static state guessed_state(const work *w, size_t i)
{
    return w->guess[i] <= w->p->lo[i] ? LOWER : w->guess[i] >= w->p->hi[i] ? UPPER : HELD;
}

/* --- points --- */

/* The largest delta at which all bounds hold, at most 1. */
static void choose_delta(const dls_exact_simplex *s, fmpq_t delta)
{
    const dls_exact_set *set = &s->set[DLS_POINTS];
    fmpq_t room, slope;
    fmpq_init(room), fmpq_init(slope);
    fmpq_one(delta);
    for (size_t v = 0; v < 2 * s->n; v++)
        for (int side = -1; side <= 1; side += 2) {
            if (isinf(side < 0 ? set->range[v].lower : set->range[v].upper))
                continue;
            fmpq_sub(room, side < 0 ? set->lower + v : set->upper + v, set->a + v);
            fmpq_sub_si(slope, set->d + v, set->range[v].strict ? -side : 0);
            if (fmpq_sgn(slope) * side <= 0) /* moves away from the bound */
                continue;
            fmpq_div(room, room, slope);
            if (fmpq_cmp(room, delta) < 0)
                fmpq_set(delta, room);
        }
    fmpq_clear(room), fmpq_clear(slope);
}

/* lambda at the current point, for a value of delta. */
static void read_point(const dls_exact_simplex *s, const fmpq_t delta, fmpq *lambda)
{
    const dls_exact_set *set = &s->set[DLS_POINTS];
    for (size_t i = 0; i < s->n; i++) {
        fmpq_set(lambda + i, set->a + i);
        fmpq_addmul(lambda + i, delta, set->d + i);
        fmpq_mul(lambda + i, lambda + i, s->unit + i);
    }
}

/* Room for one more solution. */
static fmpq *room_for_solution(work *w)
{
    size_t n = w->p->n;
    if (w->n_found == w->n_reserved) {
        size_t room = 2 * w->n_reserved + 4;
        fmpq *grown = _fmpq_vec_init((slong)(room * n));
        for (size_t k = 0; k < w->n_found * n; k++)
            fmpq_swap(grown + k, w->found + k);
        _fmpq_vec_clear(w->found, (slong)(w->n_reserved * n));
        w->found = grown, w->n_reserved = room;
    }
    return w->found + n * w->n_found++;
}

/* --- whether a polyhedron is one point --- */

/* A direction in which some lambda changes; false if there is none. */
static bool find_direction(dls_exact_simplex *s)
{
    for (size_t i = 0; i < s->n; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            dls_range range = s->now->range[i];
            if ((sign < 0 ? range.lower : range.upper) == 0.0)
                continue;
            dls_exact_simplex_bound(s, i,
                                    sign < 0 ? (dls_range){-HUGE_VAL, -1.0, false} : (dls_range){1.0, HUGE_VAL, false});
            if (dls_exact_simplex_feasible(s))
                return true;
            dls_exact_simplex_bound(s, i, range);
        }
    return false;
}

/* How far the point can go along the direction; false where it can go on for ever. */
static bool reach_of_direction(const dls_exact_simplex *s, fmpq_t length)
{
    const dls_exact_set *points = &s->set[DLS_POINTS], *directions = &s->set[DLS_DIRECTIONS];
    bool ends = false;
    fmpq_t x;
    fmpq_init(x);
    for (size_t v = 0; v < 2 * s->n; v++) {
        int sign = fmpq_sgn(directions->a + v);
        if (sign == 0 || isinf(sign < 0 ? points->range[v].lower : points->range[v].upper))
            continue;
        fmpq_sub(x, sign < 0 ? points->lower + v : points->upper + v, points->a + v);
        fmpq_div(x, x, directions->a + v);
        if (!ends || fmpq_cmp(x, length) < 0)
            fmpq_set(length, x);
        ends = true;
    }
    fmpq_clear(x);
    return ends;
}

/* A length along a ray that shows beside the point: the largest |lambda_i| and the largest change are alike, and the
 * change is 1 from lambda = 0. */
static void visible_length(const dls_exact_simplex *s, const fmpq *lambda, fmpq_t length)
{
    fmpq_t x, change;
    fmpq_init(x), fmpq_init(change);
    fmpq_zero(length);
    for (size_t i = 0; i < s->n; i++) {
        fmpq_abs(x, lambda + i);
        if (fmpq_cmp(x, length) > 0)
            fmpq_set(length, x);
        fmpq_mul(x, s->set[DLS_DIRECTIONS].a + i, s->unit + i);
        fmpq_abs(x, x);
        if (fmpq_cmp(x, change) > 0)
            fmpq_set(change, x);
    }
    if (fmpq_is_zero(length))
        fmpq_one(length);
    fmpq_div(length, length, change);
    fmpq_clear(x), fmpq_clear(change);
}

/* A second point of the polyhedron into `other`; false if there is none. */
static bool second_point(work *w, const fmpq *lambda, fmpq *other)
{
    dls_exact_simplex *s = &w->simplex;
    dls_exact_simplex_choose(s, DLS_DIRECTIONS);
    const dls_exact_set *points = &s->set[DLS_POINTS];
    for (size_t v = 0; v < 2 * s->n; v++) { /* the bounds of directions from the point within the polyhedron */
        const dls_range *range = &points->range[v];
        bool lower = !isinf(range->lower) && fmpq_equal(points->a + v, points->lower + v);
        bool upper = !isinf(range->upper) && fmpq_equal(points->a + v, points->upper + v);
        dls_exact_simplex_bound(s, v, (dls_range){lower ? 0.0 : -HUGE_VAL, upper ? 0.0 : HUGE_VAL, false});
    }
    bool moves = find_direction(s);
    if (moves) {
        fmpq_t length;
        fmpq_init(length);
        w->endless = !reach_of_direction(s, length);
        if (w->endless)
            visible_length(s, lambda, length);
        for (size_t i = 0; i < s->n; i++) {
            fmpq_mul(other + i, s->set[DLS_DIRECTIONS].a + i, s->unit + i);
            fmpq_mul(other + i, other + i, length);
            fmpq_add(other + i, other + i, lambda + i);
        }
        fmpq_clear(length);
    }
    dls_exact_simplex_choose(s, DLS_POINTS);
    return moves;
}

/* --- the search --- */

/* Closed states share solutions that are degenerate. */
static bool found_before(const work *w, const fmpq *solution)
{
    const size_t n = w->p->n;
    for (const fmpq *other = w->found; other != solution; other += n) {
        size_t same = 0;
        while (same < n && fmpq_equal(other + same, solution + same))
            same++;
        if (same == n)
            return true;
    }
    return false;
}

/* All rows are decided, and the point is within their bounds: one solution, or two of a continuum. Whether to end. */
static bool complete_choice(work *w)
{
    dls_exact_simplex *s = &w->simplex;
    size_t n = s->n;
    bool loose = false;
    fmpq_t delta;
    fmpq_init(delta);
    choose_delta(s, delta);
    (void)room_for_solution(w), (void)room_for_solution(w);
    fmpq *first = w->found + n * (w->n_found - 2), *second = first + n;
    read_point(s, delta, first);
    for (size_t i = 0; i < n; i++)
        loose = loose || !fmpq_is_zero(s->set[DLS_POINTS].d + i);
    if (loose) {
        fmpq_div_2exp(delta, delta, 1);
        read_point(s, delta, second);
    }
    fmpq_clear(delta);
    w->continuum = !w->any && (loose || second_point(w, first, second));
    w->limited = !w->continuum && dls_exact_simplex_exhausted(s);
    if (!w->continuum)
        w->n_found -= found_before(w, first) ? 2 : 1;
    if (w->continuum && w->n_found > 2) { /* the two witnesses alone */
        for (size_t k = 0; k < 2 * n; k++)
            fmpq_swap(w->found + k, first + k);
        w->n_found = 2;
    }
    return w->any || w->continuum || w->limited;
}

/* The row to decide next, n if there is none: one that the current point contradicts, else any. */
static size_t next_row(const work *w)
{
    size_t open = w->p->n;
    for (size_t i = w->p->n; i-- > 0;)
        if (w->state[i] == OPEN) {
            if (present_state(w, i) == OPEN)
                return i;
            open = i;
        }
    return open;
}

/* Whether w = 0 on the rows held has a single solution for the impulses of the others. */
static bool choice_has_one_point(const work *w)
{
    const size_t n = w->p->n;
    fmpq_mat_t A;
    fmpq_t determinant;
    fmpq_mat_init(A, (slong)n, (slong)n), fmpq_init(determinant);
    fmpq_mat_one(A);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n && w->state[i] == HELD; j++)
            if (w->state[j] == HELD)
                fmpq_set(fmpq_mat_entry(A, (slong)i, (slong)j), fmpq_mat_entry(w->r.A, (slong)i, (slong)j));
    fmpq_mat_det(determinant, A);
    const bool single = !fmpq_is_zero(determinant);
    fmpq_mat_clear(A), fmpq_clear(determinant);
    return single;
}

/* True ends the search. */
static bool descend(work *w)
{
    if (w->nodes++ == w->set.nodes)
        return w->limited = true;
    if (!dls_exact_simplex_feasible(&w->simplex)) {
        dls_exact_tree_contradiction(w->tree, &w->simplex);
        return w->limited = dls_exact_simplex_exhausted(&w->simplex);
    }
    size_t i = next_row(w);
    if (i == w->p->n) {
        dls_exact_tree_point(w->tree, w->tree && choice_has_one_point(w));
        return complete_choice(w);
    }
    state likely = present_state(w, i), inside = w->closed ? HELD : INSIDE;
    if (likely == OPEN)
        likely = guessed_state(w, i) == HELD ? INSIDE : guessed_state(w, i);
    const state order[3] = {likely, (state)(LOWER + likely % 3), (state)(LOWER + (likely + 1) % 3)};
    static const char *const sides[] = {[LOWER] = "lower", [INSIDE] = "zero", [UPPER] = "upper"};
    dls_exact_tree_row(w->tree, i);
    for (int k = 0; k < 3; k++) {
        if ((order[k] == LOWER && isinf(w->p->lo[i])) || (order[k] == UPPER && isinf(w->p->hi[i])))
            continue;
        assume_state(w, i, order[k] == INSIDE ? inside : order[k]);
        dls_exact_tree_side(w->tree, sides[order[k]]);
        if (descend(w))
            return true;
    }
    dls_exact_tree_row_end(w->tree);
    assume_state(w, i, OPEN);
    return false;
}

/* The state that a row takes next, where the current point contradicts its own; else its own. */
static state better_state(const work *w, size_t i)
{
    switch (w->state[i]) {
    case LOWER:
        return sign_of_w(w, i) < 0 ? HELD : LOWER;
    case UPPER:
        return sign_of_w(w, i) > 0 ? HELD : UPPER;
    case HELD:
        return against_lo(w, i) < 0 ? LOWER : against_hi(w, i) > 0 ? UPPER : HELD;
    default:
        return w->state[i];
    }
}

/* Murty's method: the point with w = 0 on the rows held and lambda at bounds on the others; the first row that it
 * contradicts changes its state. True where none is left. */
static bool pivot_to_solution(work *w)
{
    static const double none = HUGE_VAL;
    dls_exact_simplex *s = &w->simplex;
    size_t n = w->p->n, wrong = 0;
    for (size_t i = 0; i < n; i++)
        w->state[i] = w->state[i] == OPEN ? guessed_state(w, i) : w->state[i];
    while (w->nodes < 20 * n + 20 && w->nodes < w->set.nodes) {
        w->nodes++;
        for (size_t i = 0; i < n; i++) {
            double bound = w->state[i] == UPPER ? w->p->hi[i] : w->p->lo[i];
            bool held = w->state[i] == HELD;
            dls_exact_simplex_bound(s, i, held ? (dls_range){-none, none, false} : (dls_range){bound, bound, false});
            dls_exact_simplex_bound(s, n + i, held ? (dls_range){0.0, 0.0, false} : (dls_range){-none, none, false});
        }
        if (!dls_exact_simplex_feasible(s))
            return false;
        for (wrong = 0; wrong < n && better_state(w, wrong) == w->state[wrong]; wrong++)
            continue;
        if (wrong == n)
            return true;
        w->state[wrong] = better_state(w, wrong);
    }
    return false;
}

/* Every row open, but those that have no choice. */
static void open_all(work *w)
{
    for (size_t i = 0; i < w->p->n; i++)
        assume_state(w, i, w->p->lo[i] == w->p->hi[i] ? FIXED : isinf(w->p->lo[i]) && isinf(w->p->hi[i]) ? HELD : OPEN);
}

/* In a monotone problem, the properties that all solutions share with the current point of the simplex. */
static void restrict_states(work *w, bool unique_w)
{
    for (size_t i = 0; i < w->p->n; i++) {
        bool at_bound = against_lo(w, i) == 0 || against_hi(w, i) == 0;
        int sign = sign_of_w(w, i);
        if (w->state[i] != FIXED)
            w->state[i] = sign > 0 ? LOWER : sign < 0 ? UPPER : unique_w || !at_bound ? HELD : OPEN;
    }
    for (size_t i = 0; i < w->p->n; i++)
        assume_state(w, i, w->state[i]);
}

static void search_states(work *w)
{
    int kind = definiteness(&w->r);
    bool found = false;
    w->any = w->closed = kind != INDEFINITE;
    open_all(w);
    if (w->any && pivot_to_solution(w)) {
        found = complete_choice(w);
    } else {
        open_all(w);
        found = descend(w);
    }
    if (!found || !w->any || w->limited || kind == DEFINITE)
        return;
    fmpq_mat_t transposed;
    fmpq_mat_init(transposed, (slong)w->p->n, (slong)w->p->n);
    fmpq_mat_transpose(transposed, w->r.A);
    restrict_states(w, fmpq_mat_equal(transposed, w->r.A) != 0); /* w is unique if A is symmetric */
    fmpq_mat_clear(transposed);
    w->any = w->closed = false;
    w->n_found = 0;
    descend(w);
}

/* --- the functions of a solver --- */

static void close_search(void *memory)
{
    work *w = memory;
    if (!w)
        return;
    dls_solver_release(&w->hint);
    dls_arena_release(&w->memory);
    free(w);
}

static dls_status reload_search(void *memory, const dls_problem *p, const double *lambda0, dls_error *error)
{
    work *w = memory;
    (void)lambda0;
    w->p = p;
    if (p->n > w->set.rows)
        return dls_fail(error, DLS_REFUSED,
                        "%zu rows, and an exact search takes at most %zu; raise rows, or take another method", p->n,
                        w->set.rows);
    DLS_TRY(dls_rational_accept(p, error));
    dls_arena_reset(&w->memory);
    w->lambda = DLS_TAKE_ZEROS(&w->memory, double, p->n), w->guess = DLS_TAKE_ZEROS(&w->memory, double, p->n);
    w->state = DLS_TAKE(&w->memory, state, p->n);
    return w->memory.failed ? dls_fail(error, DLS_NO_MEMORY, "no memory for an exact search of %zu rows", p->n)
                            : DLS_OK;
}

static dls_status open_search(const dls_problem *p, const void *settings_of, const double *lambda0, void **out,
                              dls_error *error)
{
    work *w = calloc(1, sizeof *w);
    *out = NULL;
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for an exact search of %zu rows", p->n);
    w->set = *(const settings *)settings_of;
    dls_status status = reload_search(w, p, lambda0, error);
    if (status == DLS_OK)
        *out = w;
    else
        close_search(w);
    return status;
}

/* Where to look first. */
static dls_status guess_impulses(work *w, dls_error *error)
{
    const dls_solver *lemke = dls_direct_find("lemke");
    double fields_of[32];
    dls_report report = {0};
    w->hint.solver = lemke, w->hint.settings = fields_of;
    DLS_TRY(dls_fields_default(&lemke->fields, fields_of, error));
    dls_status status = dls_solver_load(&w->hint, w->p, NULL, &report, error);
    if (status == DLS_OK)
        status = dls_solver_run(&w->hint, 1, w->guess, &report, NULL, NULL, error);
    dls_report_release(&report);
    return status;
}

/* The solutions as fractions. NULL for want of memory. */
static char *write_fractions(const work *w)
{
    size_t count = w->n_found * w->p->n, length = 1, at = 0;
    for (size_t k = 0; k < count; k++) /* two numbers, a sign, a bar, a space, and the 0 that fmpq_get_str adds */
        length += fmpz_sizeinbase(fmpq_numref(w->found + k), 10) + fmpz_sizeinbase(fmpq_denref(w->found + k), 10) + 4;
    char *text = malloc(length);
    for (size_t k = 0; text && k < count; k++) {
        if (k > 0)
            text[at++] = ' ';
        fmpq_get_str(text + at, 10, w->found + k);
        at += strlen(text + at);
    }
    if (text)
        text[at] = 0;
    return text;
}

static dls_status report_solutions(const work *w, dls_report *report, dls_error *error)
{
    size_t n = w->p->n;
    free(report->fractions);
    report->fractions = write_fractions(w);
    double *copy = malloc((w->n_found * n + 1) * sizeof *copy);
    if (!copy || !report->fractions) {
        free(copy);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu solutions", w->n_found);
    }
    for (size_t k = 0; k < w->n_found * n; k++)
        copy[k] = dls_rational_get(w->found + k, DLS_ROUND_NEAREST);
    free(report->solutions);
    report->solutions = copy;
    report->n_solutions = w->n_found;
    memcpy(w->lambda, copy, n * sizeof *copy);
    return DLS_OK;
}

static dls_status report_search(const work *w, dls_report *report, dls_error *error)
{
    report->iterations = w->nodes;
    report->factorizations = w->simplex.pivots;
    if (w->n_found > 0)
        DLS_TRY(report_solutions(w, report, error));
    if (w->limited) {
        dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT,
                       "%zu choices of states were examined with a work of %.2g, and there are more; raise %s; "
                       "solutions so far: %zu",
                       w->nodes, w->simplex.work, w->nodes > w->set.nodes ? "nodes" : "work", w->n_found);
    } else if (w->continuum) {
        report->proof = DLS_PROOF_EXACT;
        dls_report_end(report, DLS_OUTCOME_CONTINUUM,
                       "exact: every point between the two solutions listed is one%s; there may be others",
                       w->endless ? ", and so is the ray from the first through the second" : "");
    } else if (w->n_found > 0) {
        report->proof = DLS_PROOF_EXACT;
        dls_report_end(report, w->n_found > 1 ? DLS_OUTCOME_SEVERAL : DLS_OUTCOME_SOLVED,
                       "exact, rounded to the nearest doubles; solutions: %zu, and no others; choices of states: %zu",
                       w->n_found, w->nodes);
    } else {
        report->proof = DLS_PROOF_ENUMERATION;
        dls_report_end(report, DLS_OUTCOME_NO_SOLUTION,
                       "exact: no choice of states of the rows can hold; looked at: %zu", w->nodes);
    }
    return DLS_OK;
}

/* The simplex of the problem without bounds, and no solutions. */
static dls_status start_search(work *w, dls_error *error)
{
    const slong n = (slong)w->p->n;
    DLS_TRY(dls_rational_init(&w->r, w->p, error));
    dls_exact_simplex_init(&w->simplex, &w->r, &w->memory);
    if (w->memory.failed) {
        dls_exact_simplex_clear(&w->simplex);
        dls_rational_clear(&w->r);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for an exact search of %zu rows", w->p->n);
    }
    w->simplex.most_work = w->set.work;
    w->zero = _fmpq_vec_init(n), w->lo = _fmpq_vec_init(n), w->hi = _fmpq_vec_init(n);
    w->found = NULL;
    w->n_found = w->n_reserved = w->nodes = 0;
    w->continuum = w->endless = w->limited = false;
    for (size_t i = 0; i < w->p->n; i++) {
        dls_exact_simplex_scaled(&w->simplex, i, w->p->lo[i], w->lo + i);
        dls_exact_simplex_scaled(&w->simplex, i, w->p->hi[i], w->hi + i);
        dls_exact_simplex_scaled(&w->simplex, w->p->n + i, 0.0, w->zero + i);
    }
    return DLS_OK;
}

static void end_search(work *w)
{
    const slong n = (slong)w->p->n;
    _fmpq_vec_clear(w->zero, n), _fmpq_vec_clear(w->lo, n), _fmpq_vec_clear(w->hi, n);
    _fmpq_vec_clear(w->found, (slong)w->n_reserved * n);
    dls_exact_simplex_clear(&w->simplex);
    dls_rational_clear(&w->r);
}

static dls_status search_exactly(void *memory, dls_error *error)
{
    work *w = memory;
    DLS_TRY(start_search(w, error));
    search_states(w);
    const dls_status status = report_search(w, w->report, error);
    end_search(w);
    return status;
}

/* The report has its counts and its text already. */
static bool send_solutions(const void *memory, FILE *to)
{
    const work *w = memory;
    const dls_report *report = w->report;
    const size_t n = w->p->n, count = w->n_found * n, length = w->n_found > 0 ? strlen(report->fractions) + 1 : 0;
    return fwrite(report, sizeof *report, 1, to) == 1 && fwrite(&w->n_found, sizeof w->n_found, 1, to) == 1 &&
           fwrite(&length, sizeof length, 1, to) == 1 &&
           fwrite(report->solutions, sizeof *report->solutions, count, to) == count &&
           fwrite(report->fractions, 1, length, to) == length;
}

static bool receive_solutions(void *memory, FILE *from)
{
    work *w = memory;
    dls_report *report = w->report, got;
    size_t length;
    if (fread(&got, sizeof got, 1, from) != 1 || fread(&w->n_found, sizeof w->n_found, 1, from) != 1 ||
        fread(&length, sizeof length, 1, from) != 1)
        return false;
    const size_t count = w->n_found * w->p->n;
    got.proof_vector = report->proof_vector, got.solutions = report->solutions, got.fractions = report->fractions;
    *report = got;
    if (w->n_found == 0)
        return true;
    free(report->solutions), free(report->fractions);
    report->solutions = malloc(count * sizeof *report->solutions + 1);
    report->fractions = malloc(length);
    if (!report->solutions || !report->fractions)
        return false;
    report->fractions[0] = '\0';
    if (fread(report->solutions, sizeof *report->solutions, count, from) != count ||
        fread(report->fractions, 1, length, from) != length)
        return false;
    memcpy(w->lambda, report->solutions, w->p->n * sizeof *w->lambda);
    return true;
}

static dls_status iterate_search(void *memory, dls_report *report, dls_error *error)
{
    work *w = memory;
    w->report = report;
    DLS_TRY(guess_impulses(w, error));
    return dls_apart_run(&(dls_apart){search_exactly, w, &w->nodes, sizeof w->nodes, send_solutions, receive_solutions},
                         error);
}

static void read_impulses(const void *memory, double *lambda)
{
    const work *w = memory;
    memcpy(lambda, w->lambda, w->p->n * sizeof *lambda);
}

const dls_solver dls_solver_exact_search = {
    .name = "exact",
    .summary = "all solutions of a small problem in exact rational arithmetic, or a proof that there is none; any A",
    .source = "Dutertre, de Moura 2006; Edmonds 1967",
    .kind = DLS_SOLVER_DIRECT,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_BY_NAME,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = open_search,
    .reload = reload_search,
    .iterate = iterate_search,
    .read = read_impulses,
    .close = close_search};

dls_status dls_exact_search(const dls_problem *problem, double most_work, double *lambda, dls_report *report,
                            dls_error *error)
{
    settings set;
    DLS_TRY(dls_fields_default(&dls_solver_exact_search.fields, &set, error));
    set.work = fmin(set.work, most_work);
    return dls_solve(&dls_solver_exact_search, problem, &set, 1, lambda, report, NULL, NULL, error);
}

/* --- the search with its record --- */

static dls_status record_search(void *memory, dls_error *error)
{
    work *w = memory;
    dls_exact_tree tree;
    DLS_TRY(start_search(w, error));
    dls_status status = dls_exact_tree_open(&tree) ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for a record");
    if (status == DLS_OK) {
        w->tree = &tree, w->any = false, w->closed = true;
        open_all(w);
        tree.incomplete = descend(w);
        w->tree = NULL;
        w->record = dls_exact_tree_close(&tree);
        status = report_search(w, w->report, error);
    }
    end_search(w);
    return status;
}

static bool send_record(const void *memory, FILE *to)
{
    const work *w = memory;
    return send_solutions(memory, to) && dls_apart_send_text(w->record, to);
}

static bool receive_record(void *memory, FILE *from)
{
    work *w = memory;
    return receive_solutions(memory, from) && dls_apart_receive_text(&w->record, from);
}

dls_status dls_exact_search_all(const dls_problem *problem, double most_work, size_t most_nodes, dls_report *report,
                                char **tree, dls_error *error)
{
    const settings set = {.rows = DLS_RATIONAL_ROWS_MAX, .nodes = most_nodes, .work = most_work};
    void *memory;
    *tree = NULL;
    DLS_TRY(open_search(problem, &set, NULL, &memory, error));
    work *w = memory;
    w->report = report;
    const dls_status status =
        dls_apart_run(&(dls_apart){record_search, w, &w->nodes, sizeof w->nodes, send_record, receive_record}, error);
    if (status == DLS_OK)
        *tree = w->record;
    else
        free(w->record);
    close_search(memory);
    return status;
}

/* --- the proof that there is no solution --- */

/* Neither the theory of monotone problems nor a guess of floating point enters: every choice of closed states is
 * excluded by itself or with others that share its first decisions. */
static dls_status verify_none(void *memory, dls_error *error)
{
    work *w = memory;
    dls_search_proof *proof = w->verified;
    DLS_TRY(start_search(w, error));
    w->any = w->closed = true;
    open_all(w);
    const bool ended = descend(w);
    proof->nodes = w->nodes;
    proof->proved = !ended;
    proof->refuted = ended && !w->limited;
    if (proof->refuted)
        snprintf(proof->reason, sizeof proof->reason, "the exact search finds a solution");
    else if (w->limited)
        snprintf(proof->reason, sizeof proof->reason,
                 "undecided: %zu choices of states were examined with a work of %.2g, and there are more", w->nodes,
                 w->simplex.work);
    end_search(w);
    return DLS_OK;
}

dls_status dls_search_verify(const dls_problem *problem, double most_work, dls_search_proof *proof, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    dls_error refused = {0};
    void *memory;
    const settings set = {.rows = 32, .nodes = SIZE_MAX, .work = most_work};
    *proof = (dls_search_proof){0};
    dls_status status = open_search(problem, &set, NULL, &memory, &refused);
    if (status == DLS_REFUSED) {
        snprintf(proof->reason, sizeof proof->reason, "undecided: %.150s", refused.message);
        return DLS_OK;
    }
    if (status == DLS_OK) {
        ((work *)memory)->verified = proof;
        status = dls_apart_run(&(dls_apart){verify_none, memory, proof, sizeof *proof, NULL, NULL}, error);
    } else {
        *error = refused;
    }
    close_search(memory);
    return status;
}
