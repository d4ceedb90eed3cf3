#include "rational.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* --- numbers --- */

void dls_rational_set(fmpq_t x, double value)
{
    int exponent;
    double fraction = frexp(value, &exponent);
    fmpz_set_d(fmpq_numref(x), ldexp(fraction, DBL_MANT_DIG));
    fmpz_one(fmpq_denref(x));
    exponent -= DBL_MANT_DIG;
    if (exponent >= 0)
        fmpq_mul_2exp(x, x, (flint_bitcnt_t)exponent);
    else
        fmpq_div_2exp(x, x, (flint_bitcnt_t)-exponent);
}

/* quotient = floor(|x| / 2^unit); whether something is left, and how it compares with half of 2^unit. */
typedef struct quotient {
    fmpz_t whole;
    bool exact;
    int half; /* the rest less a half: -1, 0, 1 */
} quotient;

static void divide_fraction(quotient *q, const fmpq_t x, slong unit)
{
    fmpz_t num, den, rest;
    fmpz_init(num), fmpz_init(den), fmpz_init(rest);
    fmpz_abs(num, fmpq_numref(x));
    fmpz_set(den, fmpq_denref(x));
    if (unit >= 0)
        fmpz_mul_2exp(den, den, (ulong)unit);
    else
        fmpz_mul_2exp(num, num, (ulong)-unit);
    fmpz_fdiv_qr(q->whole, rest, num, den);
    q->exact = fmpz_is_zero(rest);
    q->half = fmpz_cmp2abs(den, rest);
    q->half = q->half < 0 ? 1 : q->half > 0 ? -1 : 0;
    fmpz_clear(num), fmpz_clear(den), fmpz_clear(rest);
}

double dls_rational_get(const fmpq_t x, dls_rounding rounding)
{
    enum { SMALLEST = DBL_MIN_EXP - DBL_MANT_DIG };
    quotient q;
    if (fmpq_is_zero(x))
        return 0.0;
    fmpz_init(q.whole);
    /* |x| is between 2^(e - 1) and 2^(e + 1), so the quotient has 53 or 54 bits, or fewer below the normal numbers */
    slong e = (slong)fmpz_bits(fmpq_numref(x)) - (slong)fmpz_bits(fmpq_denref(x));
    slong unit = e - DBL_MANT_DIG < SMALLEST ? SMALLEST : e - DBL_MANT_DIG;
    divide_fraction(&q, x, unit);
    if (fmpz_bits(q.whole) > DBL_MANT_DIG)
        divide_fraction(&q, x, ++unit);
    bool up = rounding == DLS_ROUND_AWAY
                  ? !q.exact
                  : rounding == DLS_ROUND_NEAREST && (q.half > 0 || (q.half == 0 && !q.exact && fmpz_is_odd(q.whole)));
    double value = fmpz_get_d(q.whole) + (up ? 1.0 : 0.0);
    fmpz_clear(q.whole);
    value = unit > DBL_MAX_EXP ? HUGE_VAL : ldexp(value, (int)unit);
    if (isinf(value) && rounding == DLS_ROUND_TOWARDS_ZERO)
        value = DBL_MAX;
    return fmpq_sgn(x) < 0 ? -value : value;
}

/* --- A and b --- */

static fmpq *entry(const fmpq_mat_t matrix, size_t i, size_t j) { return fmpq_mat_entry(matrix, (slong)i, (slong)j); }

/* Row i of J into a 1 x n_columns matrix of zeros. */
static void set_row(const dls_rows *J, size_t i, size_t first, size_t columns, fmpq_mat_t row, size_t at)
{
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
        for (size_t c = J->coef_at[k], j = J->offset[k]; c < J->coef_at[k + 1]; c++, j++)
            if (j >= first && j < first + columns)
                dls_rational_set(entry(row, at, j - first), J->coef[c]);
}

/* A += J_k M_k^-1 J_k^T with the columns J_k of one block of M, for the rows that have some. */
static dls_status add_block(dls_rational *r, size_t k, dls_error *error)
{
    const dls_problem *p = r->problem;
    const dls_mass_block *block = &p->mass.blocks[k];
    size_t m = block->length, count = 0, rows[DLS_RATIONAL_ROWS_MAX];
    for (size_t i = 0; i < r->n; i++) {
        bool touches = false;
        for (size_t at = p->J.start[i]; at < p->J.start[i + 1]; at++)
            touches = touches || p->J.mass[at] == k;
        if (touches)
            rows[count++] = i;
    }
    fmpq_mat_t M, J, X, product;
    fmpq_mat_init(M, (slong)m, (slong)m);
    fmpq_mat_init(J, (slong)count, (slong)m);
    fmpq_mat_init(X, (slong)m, (slong)count);
    fmpq_mat_init(product, (slong)count, (slong)count);
    double unit[DLS_RATIONAL_BLOCK_MAX], numbers[DLS_RATIONAL_BLOCK_MAX * DLS_RATIONAL_BLOCK_MAX];
    dls_mass_block_matrix(block, unit, numbers, m);
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < m; i++)
            dls_rational_set(entry(M, i, j), numbers[i + m * j]);
    for (size_t i = 0; i < count; i++)
        set_row(&p->J, rows[i], block->offset, m, J, i);
    fmpq_mat_transpose(X, J);
    bool regular = count == 0 || fmpq_mat_solve(X, M, X);
    if (regular && count > 0)
        fmpq_mat_mul(product, J, X);
    for (size_t i = 0; regular && i < count; i++)
        for (size_t j = 0; j < count; j++)
            fmpq_add(entry(r->A, rows[i], rows[j]), entry(r->A, rows[i], rows[j]), entry(product, i, j));
    fmpq_mat_clear(M), fmpq_mat_clear(J), fmpq_mat_clear(X), fmpq_mat_clear(product);
    return regular ? DLS_OK : dls_fail(error, DLS_BAD_INPUT, "block %zu of the mass matrix is singular", k);
}

static void set_right_side(dls_rational *r)
{
    const dls_problem *p = r->problem;
    fmpq_t x, y;
    fmpq_init(x), fmpq_init(y);
    for (size_t i = 0; i < r->n; i++) {
        fmpq *b = entry(r->b, i, 0);
        for (size_t k = p->J.start[i]; p->form == DLS_FORM_MECHANICAL && k < p->J.start[i + 1]; k++)
            for (size_t c = p->J.coef_at[k], j = p->J.offset[k]; c < p->J.coef_at[k + 1]; c++, j++) {
                dls_rational_set(x, p->J.coef[c]);
                dls_rational_set(y, p->v_star[j]);
                fmpq_addmul(b, x, y);
            }
        dls_rational_set(x, p->c[i]);
        fmpq_sub(b, b, x);
        dls_rational_set(x, p->gamma[i]);
        fmpq_add(entry(r->A, i, i), entry(r->A, i, i), x);
    }
    fmpq_clear(x), fmpq_clear(y);
}

dls_status dls_rational_accept(const dls_problem *p, dls_error *error)
{
    if (p->n > DLS_RATIONAL_ROWS_MAX)
        return dls_fail(error, DLS_REFUSED, "exact arithmetic takes problems of at most %d rows; this one has %zu",
                        DLS_RATIONAL_ROWS_MAX, p->n);
    for (size_t i = 0; i < p->n; i++)
        if (p->parent[i] != DLS_NONE)
            return dls_fail(error, DLS_REFUSED,
                            "row %zu (%s) is friction under a box or a cone; exact arithmetic takes fixed bounds only",
                            i, dls_problem_label(p, i));
    for (size_t k = 0; k < p->mass.n_blocks; k++)
        if (p->mass.blocks[k].length > DLS_RATIONAL_BLOCK_MAX)
            return dls_fail(error, DLS_REFUSED,
                            "exact arithmetic takes articulations of at most %d velocities; block %zu of the mass "
                            "matrix has %zu",
                            DLS_RATIONAL_BLOCK_MAX, k, p->mass.blocks[k].length);
    return DLS_OK;
}

dls_status dls_rational_init(dls_rational *r, const dls_problem *p, dls_error *error)
{
    dls_status status = DLS_OK;
    DLS_TRY(dls_rational_accept(p, error));
    *r = (dls_rational){.problem = p, .n = p->n};
    fmpq_mat_init(r->A, (slong)p->n, (slong)p->n);
    fmpq_mat_init(r->b, (slong)p->n, 1);
    for (size_t i = 0; p->form == DLS_FORM_MATRIX && i < p->n; i++)
        set_row(&p->J, i, 0, p->n, r->A, i); /* A stands in the place of J */
    for (size_t k = 0; status == DLS_OK && k < p->mass.n_blocks; k++)
        status = add_block(r, k, error);
    set_right_side(r);
    if (status != DLS_OK)
        dls_rational_clear(r);
    return status;
}

void dls_rational_clear(dls_rational *r)
{
    fmpq_mat_clear(r->A);
    fmpq_mat_clear(r->b);
}

dls_status dls_rational_create(const dls_problem *p, dls_rational **rational, dls_error *error)
{
    dls_rational *r = calloc(1, sizeof *r);
    *rational = NULL;
    if (!r)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for an exact problem of %zu rows", p->n);
    dls_status status = dls_rational_init(r, p, error);
    if (status == DLS_OK)
        *rational = r;
    else
        free(r);
    return status;
}

void dls_rational_destroy(dls_rational *r)
{
    if (!r)
        return;
    dls_rational_clear(r);
    free(r);
}

/* --- residuals --- */

void dls_rational_w(const dls_rational *r, const double *lambda, fmpq_mat_t w)
{
    fmpq_t x;
    fmpq_init(x);
    fmpq_mat_set(w, r->b);
    for (size_t j = 0; j < r->n; j++) {
        dls_rational_set(x, lambda[j]);
        for (size_t i = 0; lambda[j] != 0.0 && i < r->n; i++)
            fmpq_addmul(entry(w, i, 0), entry(r->A, i, j), x);
    }
    fmpq_clear(x);
}

/* x = lambda - bound; false where the bound is infinite. */
static bool row_distance(fmpq_t x, double lambda, double bound)
{
    fmpq_t y;
    if (isinf(bound))
        return false;
    fmpq_init(y);
    dls_rational_set(x, lambda);
    dls_rational_set(y, bound);
    fmpq_sub(x, x, y);
    fmpq_clear(y);
    return true;
}

void dls_rational_residual(const dls_rational *r, const double *lambda, double *residual, double *w)
{
    const dls_problem *p = r->problem;
    fmpq_mat_t exact;
    fmpq_t x, map;
    fmpq_mat_init(exact, (slong)r->n, 1);
    fmpq_init(x), fmpq_init(map);
    dls_rational_w(r, lambda, exact);
    for (size_t i = 0; i < r->n; i++) {
        fmpq_set(map, entry(exact, i, 0));
        if (row_distance(x, lambda[i], p->lo[i]) && fmpq_cmp(x, map) < 0)
            fmpq_set(map, x);
        if (row_distance(x, lambda[i], p->hi[i]) && fmpq_cmp(x, map) > 0)
            fmpq_set(map, x);
        if (residual)
            residual[i] = fabs(dls_rational_get(map, DLS_ROUND_AWAY));
        if (w)
            w[i] = dls_rational_get(entry(exact, i, 0), DLS_ROUND_NEAREST);
    }
    fmpq_clear(x), fmpq_clear(map);
    fmpq_mat_clear(exact);
}
