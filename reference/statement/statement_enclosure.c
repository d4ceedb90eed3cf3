/* The witnesses of a problem with fixed bounds and a definite A, near given impulses.
 *
 * With the scaled matrix H = D A D of the certificates, D = diag(d), powers of two:
 *     H = alpha + L L^T + E                 a Cholesky factor of H - alpha, alpha about half the least eigenvalue
 *     x in its bounds, w_i right but for e  impulses of twice the precision, corrected by w_F = 0
 * so that |x - solution|_i <= d_i |D e| / mu, mu = alpha - |E|, and |d_i (w - w of the solution)_i| <= |H_i| |D e| /
 * mu. The program that checks a certificate proves this again in exact arithmetic, so that nothing here needs to be a
 * bound; claims are made a little weaker than what is computed, for it to find them proved. */
#include "statement.h"

#include "blas.h"
#include "certify/parts.h"
#include "self_check.h"

#include <cblas.h>
#include <lapacke.h>

#include <math.h>
#include <string.h>

/* A claim is weaker than the computed value by this factor. */
static const double margin = 1.0 + 1e-6;

typedef struct enclosure {
    dls_statement *out;
    dls_stored s;
    size_t n, m;
    size_t *free_rows;   /* m: between their bounds */
    lapack_int *pivots;  /* n */
    double *factor;      /* n x n */
    double *w, *w_error; /* n */
    double *step;        /* n */
    double *norm_work;   /* 3 n */
    lapack_int *norm_at; /* n */
    double mu;
} enclosure;

/* The lower triangle of (H + H^T) / 2 - shift over all rows, row by row; to LAPACK it is an upper one, by columns. */
static void take_symmetric_part(const enclosure *c, double shift, double *S)
{
    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < c->n; j++)
            S[c->n * i + j] =
                j > i ? 0.0 : 0.5 * (c->s.H[c->n * i + j] + c->s.H[c->n * j + i]) - (i == j ? shift : 0.0);
}

static bool factor_symmetric_part(enclosure *c, double shift)
{
    take_symmetric_part(c, shift, c->out->L);
    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', (lapack_int)c->n, c->out->L, (lapack_int)c->n) == 0;
}

/* About 1 over the 1-norm of the inverse of H, which is at most its least eigenvalue; 0 where H is not definite. */
static double estimate_least_eigenvalue(enclosure *c)
{
    double largest = 0.0, reciprocal = 0.0;
    if (!factor_symmetric_part(c, 0.0))
        return 0.0;
    for (size_t i = 0; i < c->n; i++)
        largest = fmax(largest, c->s.largest[i]);
    LAPACKE_dpocon_work(LAPACK_COL_MAJOR, 'U', (lapack_int)c->n, c->out->L, (lapack_int)c->n, largest, &reciprocal,
                        c->norm_work, c->norm_at);
    return reciprocal * largest;
}

/* A bound of the largest row sum of |H - alpha - L L^T|, from its computed value and its roundings. */
static double factor_defect(enclosure *c)
{
    const size_t n = c->n;
    double *E = c->factor, worst = 0.0;
    take_symmetric_part(c, c->out->alpha, E);
    cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, (blasint)n, (blasint)n, -1.0, c->out->L, (blasint)n, 1.0, E,
                (blasint)n);
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < n; j++)
            sum += fabs(j <= i ? E[n * i + j] : E[n * j + i]);
        worst = fmax(worst, sum);
    }
    return 2.0 * worst + (double)n * (8.0 * DBL_EPSILON + c->s.slack);
}

/* alpha, L and mu; false where H is not definite beyond rounding. */
static bool find_definite_factor(enclosure *c)
{
    double alpha = 0.5 * estimate_least_eigenvalue(c);
    for (int k = 0; k < 8 && alpha > 0.0; k++, alpha *= 0.5) {
        c->out->alpha = alpha;
        if (!factor_symmetric_part(c, alpha))
            continue;
        c->mu = (alpha - factor_defect(c)) / margin;
        return c->mu > 0.25 * alpha;
    }
    return false;
}

/* --- the impulses --- */

static double row_diagonal(const enclosure *c, size_t i) { return c->s.H[(c->n + 1) * i] / (c->s.d[i] * c->s.d[i]); }

static void clamp_impulse(enclosure *c, size_t i)
{
    const dls_problem *p = c->out->p;
    dls_twofold *x = &c->out->x[i];
    if ((x->high - p->lo[i]) + x->low <= 0.0)
        *x = (dls_twofold){p->lo[i], 0.0};
    else if ((x->high - p->hi[i]) + x->low >= 0.0)
        *x = (dls_twofold){p->hi[i], 0.0};
}

static void evaluate_rows(enclosure *c) { dls_stored_w(&c->s, c->out->x, c->w, c->w_error); }

/* Rows whose impulse, less w / A_ii, is within the bounds are free; the others go to their bound. */
static void choose_free_rows(enclosure *c)
{
    const dls_problem *p = c->out->p;
    c->m = 0;
    for (size_t i = 0; i < c->n; i++) {
        const double aim = dls_twofold_value(c->out->x[i]) - c->w[i] / row_diagonal(c, i);
        if (aim > p->lo[i] && aim < p->hi[i])
            c->free_rows[c->m++] = i;
        else
            c->out->x[i] = (dls_twofold){aim >= p->hi[i] ? p->hi[i] : p->lo[i], 0.0};
    }
    evaluate_rows(c);
}

/* w_F = 0 on the free rows by corrections from residuals of twice the precision. */
static bool refine_free_rows(enclosure *c)
{
    enum { CORRECTIONS = 8 };
    const size_t m = c->m;
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b < m; b++)
            c->factor[a + m * b] = c->s.H[c->n * c->free_rows[a] + c->free_rows[b]];
    if (m > 0 &&
        LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, (lapack_int)m, (lapack_int)m, c->factor, (lapack_int)m, c->pivots) != 0)
        return false;
    double before = HUGE_VAL;
    for (int k = 0; k < CORRECTIONS && m > 0; k++) {
        double largest = 0.0;
        for (size_t a = 0; a < m; a++)
            c->step[a] = -c->s.d[c->free_rows[a]] * c->w[c->free_rows[a]];
        if (LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', (lapack_int)m, 1, c->factor, (lapack_int)m, c->pivots, c->step,
                                (lapack_int)m) != 0)
            return false;
        for (size_t a = 0; a < m; a++)
            largest = fmax(largest, fabs(c->step[a]));
        if (!(largest < 0.5 * before))
            break;
        before = largest;
        for (size_t a = 0; a < m; a++) {
            const size_t i = c->free_rows[a];
            c->out->x[i] = dls_twofold_add(c->out->x[i], c->step[a] * c->s.d[i]);
        }
        evaluate_rows(c);
    }
    return true;
}

/* --- radii and states --- */

static bool is_at(dls_twofold x, double bound) { return x.high == bound && x.low == 0.0; }

/* At most how far w_i is from the values that its row allows. */
static double row_excess(const enclosure *c, size_t i)
{
    const bool lo = is_at(c->out->x[i], c->out->p->lo[i]), hi = is_at(c->out->x[i], c->out->p->hi[i]);
    const double most = c->w[i] + c->w_error[i], least = c->w[i] - c->w_error[i];
    return fmax(0.0, fmax(hi ? 0.0 : -least, lo ? 0.0 : most));
}

static void claim_radii(enclosure *c)
{
    dls_statement *out = c->out;
    const dls_problem *p = out->p;
    double sum = 0.0;
    for (size_t i = 0; i < c->n; i++)
        sum = hypot(sum, c->s.d[i] * row_excess(c, i));
    const double r = margin * sum / c->mu;
    for (size_t i = 0; i < c->n; i++) {
        const dls_twofold x = out->x[i];
        const double near = r * c->s.d[i];
        const double near_w =
            margin * (c->w_error[i] + cblas_dnrm2((blasint)c->n, c->s.H + c->n * i, 1) * r / c->s.d[i]);
        out->radius[i] = margin * (fabs((out->given[i] - x.high) - x.low) + near);
        out->state[i] = p->lo[i] == p->hi[i]                      ? "lower"
                        : is_at(x, p->lo[i]) && c->w[i] > near_w  ? "lower"
                        : is_at(x, p->hi[i]) && -c->w[i] > near_w ? "upper"
                        : (x.high - p->lo[i]) + x.low > margin * near && (p->hi[i] - x.high) - x.low > margin * near
                            ? "between"
                            : "open";
    }
}

/* --- */

static dls_status take_enclosure(enclosure *c, const char **why, dls_error *error)
{
    dls_statement *out = c->out;
    dls_arena *memory = &out->memory;
    const size_t n = c->n = out->p->n;
    DLS_TRY(dls_stored_take(out->p, memory, &c->s, why, error));
    c->free_rows = DLS_TAKE(memory, size_t, n);
    c->pivots = DLS_TAKE(memory, lapack_int, n);
    c->factor = DLS_TAKE(memory, double, n *n);
    c->norm_work = DLS_TAKE(memory, double, 3 * n);
    c->norm_at = DLS_TAKE(memory, lapack_int, n);
    c->w = DLS_TAKE(memory, double, n), c->w_error = DLS_TAKE(memory, double, n), c->step = DLS_TAKE(memory, double, n);
    out->scale = DLS_TAKE(memory, int, n);
    out->L = DLS_TAKE(memory, double, n *n);
    out->x = DLS_TAKE(memory, dls_twofold, n);
    return memory->failed ? dls_fail(error, DLS_NO_MEMORY, "no memory for the witnesses of %zu rows", n) : DLS_OK;
}

dls_status dls_statement_enclose(dls_statement *out, bool *found, dls_error *error)
{
    enclosure c = {.out = out};
    const char *why = NULL;
    *found = false;
    DLS_TRY(dls_blas_ready(error));
    DLS_TRY(dls_self_check(error));
    DLS_TRY(take_enclosure(&c, &why, error));
    if (why || !find_definite_factor(&c))
        return DLS_OK;
    for (size_t i = 0; i < c.n; i++) {
        out->scale[i] = ilogb(c.s.d[i]);
        out->x[i] = (dls_twofold){out->given[i], 0.0};
        clamp_impulse(&c, i);
    }
    evaluate_rows(&c);
    for (int round = 0; round < 3; round++) { /* a row may leave its side when the others are exact */
        choose_free_rows(&c);
        if (!refine_free_rows(&c))
            return DLS_OK;
    }
    for (size_t i = 0; i < c.n; i++)
        clamp_impulse(&c, i);
    evaluate_rows(&c);
    claim_radii(&c);
    out->unique = DLS_UNIQUE_IMPULSES;
    *found = true;
    for (size_t i = 0; i < c.n; i++)
        *found = *found && isfinite(out->radius[i]);
    return DLS_OK;
}
