#include "exact_simplex.h"

#include <math.h>
#include <stdlib.h>

static fmpz *T(const dls_exact_simplex *s, size_t r, size_t c) { return fmpz_mat_entry(s->T, (slong)r, (slong)c); }

/* --- scaled integers --- */

/* Divide the `count` entries at `step` by their common divisor, which is returned in *content; 1 of zeros. */
static void divide_by_content(fmpz *first, size_t count, size_t step, fmpz_t content)
{
    fmpz_zero(content);
    for (size_t k = 0; k < count; k++)
        fmpz_gcd(content, content, first + k * step);
    if (fmpz_is_zero(content))
        fmpz_one(content);
    for (size_t k = 0; k < count; k++)
        fmpz_divexact(first + k * step, first + k * step, content);
}

/* T = R A C with positive diagonal R and C, T of integers; lambda = C lambda', w - b = R^-1 w'. */
static void scale(dls_exact_simplex *s, const dls_rational *r)
{
    size_t n = s->n;
    fmpz *denominator = _fmpz_vec_init((slong)n);
    fmpz_t content;
    fmpz_init(content);
    fmpq_mat_get_fmpz_mat_rowwise(s->T, denominator, r->A);
    for (size_t i = 0; i < n; i++) {
        divide_by_content(T(s, i, 0), n, 1, content);
        fmpq_set_fmpz_frac(s->unit + n + i, content, denominator + i);
        fmpq_set(s->shift + n + i, fmpq_mat_entry(r->b, (slong)i, 0));
    }
    for (size_t j = 0; j < n; j++) {
        divide_by_content(T(s, 0, j), n, n, content);
        fmpz_one(fmpq_numref(s->unit + j));
        fmpz_set(fmpq_denref(s->unit + j), content);
    }
    _fmpz_vec_clear(denominator, (slong)n);
    fmpz_clear(content);
}

static void init_set(dls_exact_set *set, size_t count, dls_arena *memory)
{
    set->range = DLS_TAKE(memory, dls_range, count);
    set->lower = _fmpq_vec_init((slong)count), set->upper = _fmpq_vec_init((slong)count);
    set->a = _fmpq_vec_init((slong)count), set->d = _fmpq_vec_init((slong)count);
}

static size_t count_columns(const dls_rational *r)
{
    size_t count = r->n;
    for (; count > 0; count--)
        for (size_t i = 0; i < r->n; i++)
            if (!fmpq_is_zero(fmpq_mat_entry(r->A, (slong)i, (slong)count - 1)))
                return count;
    return 0;
}

void dls_exact_simplex_init(dls_exact_simplex *s, const dls_rational *r, dls_arena *memory)
{
    size_t n = r->n;
    *s = (dls_exact_simplex){.n = n, .most_work = HUGE_VAL};
    s->basic = DLS_TAKE(memory, size_t, n), s->nonbasic = DLS_TAKE(memory, size_t, n);
    s->place = DLS_TAKE(memory, size_t, 2 * n), s->is_basic = DLS_TAKE(memory, bool, 2 * n);
    init_set(&s->set[DLS_POINTS], 2 * n, memory), init_set(&s->set[DLS_DIRECTIONS], 2 * n, memory);
    s->unit = _fmpq_vec_init((slong)(2 * n)), s->shift = _fmpq_vec_init((slong)(2 * n));
    s->columns = count_columns(r);
    fmpz_mat_init(s->T, (slong)n, (slong)n);
    fmpz_init_set_ui(s->D, 1);
    fmpq_init(s->x), fmpq_init(s->change), fmpq_init(s->rate), fmpz_init(s->y);
    if (memory->failed)
        return;
    for (size_t i = 0; i < n; i++) {
        s->nonbasic[i] = s->place[i] = s->place[n + i] = i;
        s->basic[i] = n + i;
        s->is_basic[i] = false, s->is_basic[n + i] = true;
    }
    for (size_t v = 0; v < 2 * n; v++)
        s->set[DLS_POINTS].range[v] = (dls_range){-HUGE_VAL, HUGE_VAL, false};
    if (n > 0)
        scale(s, r);
    dls_exact_simplex_choose(s, DLS_POINTS);
}

void dls_exact_simplex_clear(dls_exact_simplex *s)
{
    slong count = 2 * (slong)s->n;
    for (int k = 0; k < 2; k++) {
        dls_exact_set *set = &s->set[k];
        _fmpq_vec_clear(set->lower, count), _fmpq_vec_clear(set->upper, count);
        _fmpq_vec_clear(set->a, count), _fmpq_vec_clear(set->d, count);
    }
    _fmpq_vec_clear(s->unit, count), _fmpq_vec_clear(s->shift, count);
    fmpz_mat_clear(s->T);
    fmpz_clear(s->D);
    fmpq_clear(s->x), fmpq_clear(s->change), fmpq_clear(s->rate), fmpz_clear(s->y);
}

/* --- the work --- */

/* `count` operations on integers, or on fractions, which are reduced, of the length of the dictionary's denominator and
 * of x. */
static void count_integers(dls_exact_simplex *s, size_t count, const fmpz *x)
{
    const double words = 1.0 + (double)fmpz_size(x) + (double)fmpz_size(s->D);
    s->work += (double)count * (10.0 + words * words);
}
static void count_fractions(dls_exact_simplex *s, size_t count, const fmpq *x)
{
    const double words = 1.0 + (double)fmpz_size(fmpq_numref(x)) + (double)fmpz_size(fmpq_denref(x));
    s->work += (double)count * (200.0 + 10.0 * words * words);
}

/* --- values --- */

/* Moves the nonbasic variable of column c by `change`, of the a or of the d of all values. */
static void shift_column(dls_exact_simplex *s, size_t c, fmpq *values)
{
    count_fractions(s, s->n + 1, s->change);
    fmpq_add(values + s->nonbasic[c], values + s->nonbasic[c], s->change);
    fmpq_div_fmpz(s->rate, s->change, s->D);
    for (size_t r = 0; r < s->n; r++)
        if (!fmpz_is_zero(T(s, r, c))) {
            fmpq_mul_fmpz(s->x, s->rate, T(s, r, c));
            fmpq_add(values + s->basic[r], values + s->basic[r], s->x);
        }
}

/* The value of a variable against its lower or upper bound: negative where it is below. */
static int against_lower(const dls_exact_set *set, size_t v)
{
    int order = fmpq_cmp(set->a + v, set->lower + v);
    return order ? order : set->range[v].strict ? fmpq_cmp_si(set->d + v, 1) : fmpq_sgn(set->d + v);
}
static int against_upper(const dls_exact_set *set, size_t v)
{
    int order = fmpq_cmp(set->a + v, set->upper + v);
    return order ? order : set->range[v].strict ? fmpq_cmp_si(set->d + v, -1) : fmpq_sgn(set->d + v);
}
static bool below(const dls_exact_set *set, size_t v)
{
    return !isinf(set->range[v].lower) && against_lower(set, v) < 0;
}
static bool above(const dls_exact_set *set, size_t v)
{
    return !isinf(set->range[v].upper) && against_upper(set, v) > 0;
}

/* Moves the variable of column c, by what takes variable v to a bound: v is nonbasic there, or basic with entry p /
 * D. */
static void move_to_bound(dls_exact_simplex *s, size_t c, size_t v, bool to_lower, const fmpz *p)
{
    dls_exact_set *set = s->now;
    fmpq *const values[2] = {set->a, set->d};
    for (int k = 0; k < 2; k++) {
        if (k == 0)
            fmpq_set(s->change, to_lower ? set->lower + v : set->upper + v);
        else
            fmpq_set_si(s->change, !set->range[v].strict ? 0 : to_lower ? 1 : -1, 1);
        fmpq_sub(s->change, s->change, values[k] + v);
        if (p) {
            fmpq_mul_fmpz(s->change, s->change, s->D);
            fmpq_div_fmpz(s->change, s->change, p);
        }
        if (!fmpq_is_zero(s->change))
            shift_column(s, c, values[k]);
    }
}

void dls_exact_simplex_scaled(const dls_exact_simplex *s, size_t v, double bound, fmpq_t scaled)
{
    if (isinf(bound))
        return;
    dls_rational_set(scaled, bound);
    if (s->now == &s->set[DLS_DIRECTIONS])
        return;
    fmpq_sub(scaled, scaled, s->shift + v);
    fmpq_div(scaled, scaled, s->unit + v);
}

void dls_exact_simplex_bound(dls_exact_simplex *s, size_t v, dls_range range)
{
    dls_exact_set *set = s->now;
    if (range.lower != set->range[v].lower)
        dls_exact_simplex_scaled(s, v, range.lower, set->lower + v);
    if (range.upper != set->range[v].upper)
        dls_exact_simplex_scaled(s, v, range.upper, set->upper + v);
    set->range[v] = range;
    if (s->is_basic[v])
        return;
    if (below(set, v))
        move_to_bound(s, s->place[v], v, true, NULL);
    else if (above(set, v))
        move_to_bound(s, s->place[v], v, false, NULL);
}

void dls_exact_simplex_choose(dls_exact_simplex *s, int which)
{
    s->now = &s->set[which];
    for (size_t v = 0; which == DLS_DIRECTIONS && v < 2 * s->n; v++) {
        s->now->range[v] = (dls_range){-HUGE_VAL, HUGE_VAL, false};
        fmpq_zero(s->now->a + v), fmpq_zero(s->now->d + v);
    }
}

/* --- pivots --- */

/* The basic variable of row r and the nonbasic one of column c change places. With p = T_rc,
 *     x_c = (D x_r - sum_j T_rj x_j) / p,   x_i = (T_ic x_r + sum_j (p T_ij - T_ic T_rj) / D x_j) / p:
 * the new denominator is p, and the division by the old one leaves no rest. */
static void pivot(dls_exact_simplex *s, size_t r, size_t c)
{
    size_t n = s->n, leaving = s->basic[r];
    fmpz_t p;
    fmpz_init_set(p, T(s, r, c));
    count_integers(s, n * s->columns, p);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; i != r && j < s->columns; j++)
            if (j != c) {
                fmpz_mul(s->y, p, T(s, i, j));
                fmpz_submul(s->y, T(s, i, c), T(s, r, j));
                fmpz_divexact(T(s, i, j), s->y, s->D);
            }
    for (size_t j = 0; j < s->columns; j++)
        fmpz_neg(T(s, r, j), T(s, r, j));
    fmpz_swap(T(s, r, c), s->D);
    fmpz_swap(s->D, p);
    if (fmpz_sgn(s->D) < 0) {
        fmpz_neg(s->D, s->D);
        fmpz_mat_neg(s->T, s->T);
    }
    fmpz_clear(p);
    s->basic[r] = s->nonbasic[c], s->nonbasic[c] = leaving;
    s->place[s->basic[r]] = r, s->place[leaving] = c;
    s->is_basic[s->basic[r]] = true, s->is_basic[leaving] = false;
    s->pivots++;
}

bool dls_exact_simplex_feasible(dls_exact_simplex *s)
{
    dls_exact_set *set = s->now;
    while (!dls_exact_simplex_exhausted(s)) {
        size_t v = 0, enter = 0;
        while (v < 2 * s->n && !(s->is_basic[v] && (below(set, v) || above(set, v))))
            v++;
        if (v == 2 * s->n)
            return true;
        bool up = below(set, v);
        size_t r = s->place[v];
        for (; enter < 2 * s->n; enter++) {
            int slope = s->is_basic[enter] ? 0 : fmpz_sgn(T(s, r, s->place[enter]));
            if (slope == 0)
                continue;
            bool rise = (slope > 0) == up;
            if (rise ? isinf(set->range[enter].upper) || against_upper(set, enter) < 0
                     : isinf(set->range[enter].lower) || against_lower(set, enter) > 0)
                break;
        }
        if (enter == 2 * s->n) {
            s->stuck = v;
            return false;
        }
        size_t c = s->place[enter];
        move_to_bound(s, c, v, up, T(s, r, c));
        pivot(s, r, c);
    }
    return false;
}

/* In the row of the variable v that is stuck, w'_v = sum_c T_vc x'_c / D, every x_c is at a bound beyond which it would
 * have to go, and w' = (w - shift) / unit. */
void dls_exact_simplex_conflict(const dls_exact_simplex *s, fmpq *y)
{
    const size_t v = s->stuck, r = s->place[v];
    const bool up = below(s->now, v);
    for (size_t k = 0; k < 2 * s->n; k++)
        fmpq_zero(y + k);
    for (size_t c = 0; c < s->columns; c++) {
        fmpq *entry = y + s->nonbasic[c];
        fmpz_set(fmpq_numref(entry), T(s, r, c));
        fmpz_set(fmpq_denref(entry), s->D);
        fmpq_canonicalise(entry);
        fmpq_div(entry, entry, s->unit + s->nonbasic[c]);
        if (up)
            fmpq_neg(entry, entry);
    }
    fmpq_inv(y + v, s->unit + v);
    if (!up)
        fmpq_neg(y + v, y + v);
}
