/* Error bounds without definiteness: from the slopes of the natural map.
 *
 * Let N be rows that are held at a bound, F rows with w = 0 and no bounds, D rows with both their bounds, undecided. In
 * the units of H, with R near H_FF^-1 and |1 - R H_FF| <= e < 1 in the maximum norm, H_FF^-1 exists (S. M. Rump, Acta
 * Numerica 19 (2010), section 10) and, D held,
 *     |x_F - exact| = |H_FF^-1 w_F| <= |R w_F| + e / (1 - e) max |R w_F|.                                       (1)
 * With F eliminated, D has a problem of its own, with B = H_DD - H_DF H_FF^-1 H_FD. Let
 *     f_i(y) = y_i - clamp(y_i - w_i(y) / B_ii)
 * be its natural map. f(y) - f(z) = S (y - z) with row i of S between row i of 1 and row i of B / B_ii: slopes of the
 * map, as in G. Alefeld, X. Chen, F. Potra, "Numerical validation of solutions of linear complementarity problems",
 * Numer. Math. 83 (1999). S has a diagonal of 1, and |S_ij| <= |B_ij| / B_ii beside it. So if B is an H-matrix with a
 * positive diagonal, that is, if its comparison matrix <B> (B_ii on, -|B_ij| beside the diagonal) has a vector u > 0
 * with v = <B> u > 0, then B is a P-matrix, the problem of D has exactly one solution for any right side, and
 *     |y - exact| <= <B>^-1 (violations of w) <= max_i (violation of w_i / v_i) u                             (2)
 * (X. Chen, S. Xiang, "Computation of error bounds for P-matrix linear complementarity problems", Math. Program.
 * 106 (2006)): with the diagonal d of B, |S^-1| <= <S>^-1 <= <B>^-1 d and |f_i| <= violation of w_i / B_ii. Where D is
 * all rows, that is a statement on the whole problem: one solution, no other. A symmetric part of B that is positive
 * definite serves as well: |y - exact|_2 <= |violations|_2 / alpha.
 *
 * R stays a product of triangles, and no product with H_FF is formed. Gaussian elimination of H_FF^T ends with
 *     P H_FF^T = L U + E0,   |E0| <= g |L| |U|,
 * and substitution gives W near L^-1 and Z near U^-1 with
 *     L W = 1 + E1,  |E1| <= g |L| |W|,      U Z = 1 + E2,  |E2| <= g |U| |Z|,
 * for any order of summation and any pivots (N. J. Higham, "Accuracy and Stability of Numerical Algorithms" (2002),
 * theorems 9.3 and 8.5; g = gamma_(f+8) has room for the reciprocals of pivots that OpenBLAS multiplies by). So
 *     R = P^T W^T Z^T,     R H_FF = P^T (1 + E1^T + W^T E2^T L^T + W^T Z^T E0^T) P,
 *     |1 - R H_FF| <= P^T g (|W|^T |L|^T + 2 |W|^T |Z|^T |U|^T |L|^T) P,
 * and the sums of rows of the right side are products with vectors.
 *
 * Every entry that is computed carries a bound of its error: gamma times the sizes of its terms, what H itself is off
 * by, and what (1) leaves. */
#include "parts.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { PANEL = 128 };

typedef struct slope {
    const dls_stored *s;
    size_t f, d;
    size_t *F, *D;
    double *LU;      /* f x f, of the caller: of H_FF^T */
    double *WZ;      /* f x f: W below the diagonal, where it has ones, and Z from the diagonal up */
    double *panel;   /* f x PANEL: columns of W or Z */
    double e;        /* |1 - R H_FF| */
    double *X, *G;   /* f x d: about H_FF^-1 H_FD, and what it leaves of H_FD */
    double *column;  /* d: a bound of the error of each column of X */
    double *Q;       /* d x f: H_DF */
    double *B, *off; /* d x d: about the Schur complement, and bounds of its errors; then <B> from below */
    double *u, *v;   /* the larger of f and d */
    int *pivots;     /* f */
    double *yF, *yD; /* the bounds */
} slope;

static bool take_slope(slope *p, dls_arena *memory)
{
    const size_t f = p->f, d = p->d, most = f > d ? f : d;
    p->WZ = dls_arena_take(memory, f, (f + 1) * sizeof(double));
    p->panel = dls_arena_take(memory, f, PANEL * sizeof(double));
    double **const wide[] = {&p->X, &p->G, &p->Q};
    for (size_t k = 0; k < 3; k++)
        *wide[k] = dls_arena_take(memory, f, (d + 1) * sizeof(double));
    p->B = dls_arena_take(memory, d, (d + 1) * sizeof(double));
    p->off = dls_arena_take(memory, d, (d + 1) * sizeof(double));
    p->column = DLS_TAKE(memory, double, d);
    p->u = DLS_TAKE(memory, double, most);
    p->v = DLS_TAKE(memory, double, most);
    p->pivots = DLS_TAKE(memory, int, f);
    p->yF = DLS_TAKE_ZEROS(memory, double, f);
    p->yD = DLS_TAKE_ZEROS(memory, double, d);
    return !memory->failed;
}

/* Row i of H. */
static const double *row_of(const dls_stored *s, size_t i) { return s->H + s->n * i; }

/* --- F --- */

/* y = |T|^T x for a triangle of a matrix, `unit`: with ones on the diagonal; rounded up. x and y may not overlap. */
static void absolute_transposed(size_t f, const double *T, bool upper, bool unit, const double *x, double *y)
{
    for (size_t b = 0; b < f; b++) {
        const double *column = T + f * b;
        size_t first = upper ? 0 : b, end = upper ? b + 1 : f;
        double even = 0.0, odd = 0.0;
        first += unit && !upper;
        size_t a = first;
        for (; a + 2 <= end; a += 2) {
            even += fabs(column[a]) * x[a];
            odd += fabs(column[a + 1]) * x[a + 1];
        }
        even += a < end ? fabs(column[a]) * x[a] : 0.0;
        y[b] = dls_up(even + odd + (unit ? x[b] : 0.0), 2 * f + 2);
    }
}

/* P^T x, in place. */
static void permute_back(const slope *p, size_t columns, double *x)
{
    if (p->f > 0 && columns > 0)
        LAPACKE_dlaswp_work(LAPACK_COL_MAJOR, (int)columns, x, (int)p->f, 1, (int)p->f, p->pivots, -1);
}

/* X <- R X. */
static void times_R(const slope *p, size_t columns, double *X)
{
    const int f = (int)p->f;
    if (f == 0 || columns == 0)
        return;
    cblas_dtrmm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, f, (int)columns, 1.0, p->WZ, f, X, f);
    cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasUnit, f, (int)columns, 1.0, p->WZ, f, X, f);
    permute_back(p, columns, X);
}

/* Columns of 1, from row `first` of them on, into the panel. */
static void unit_columns(slope *p, size_t rows, size_t columns, size_t first)
{
    memset(p->panel, 0, rows * columns * sizeof *p->panel);
    for (size_t k = 0; k < columns; k++)
        p->panel[first + k + rows * k] = 1.0;
}

/* W and Z by substitution in panels of columns, which have zeros above or below. */
static void invert_triangles(slope *p)
{
    const size_t f = p->f;
    for (size_t first = 0; first < f; first += PANEL) {
        const size_t columns = f - first < PANEL ? f - first : PANEL, end = first + columns, below = f - first;
        unit_columns(p, below, columns, 0);
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, (int)below, (int)columns, 1.0,
                    p->LU + first + f * first, (int)f, p->panel, (int)below);
        for (size_t k = 0; k < columns; k++)
            memcpy(p->WZ + first + k + 1 + f * (first + k), p->panel + k + 1 + below * k,
                   (below - k - 1) * sizeof *p->WZ);
        unit_columns(p, end, columns, first);
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, (int)end, (int)columns, 1.0,
                    p->LU, (int)f, p->panel, (int)end);
        for (size_t k = 0; k < columns; k++)
            memcpy(p->WZ + f * (first + k), p->panel + end * k, (first + k + 1) * sizeof *p->WZ);
    }
}

/* Upper bounds of the row sums of |H_FF| into `sum`, and of what H_FF is off by in each row into `off`. */
static void row_sums_of_free(const slope *p, double *sum, double *off)
{
    const dls_stored *s = p->s;
    double sizes = 0.0;
    for (size_t a = 0; a < p->f; a++)
        sizes += s->size[p->F[a]];
    for (size_t a = 0; a < p->f; a++) {
        const double *row = row_of(s, p->F[a]);
        double total = 0.0;
        for (size_t b = 0; b < p->f; b++)
            total += fabs(row[p->F[b]]);
        sum[a] = dls_up(total, p->f + 2);
        off[a] = dls_up(s->slack * s->size[p->F[a]] * sizes, p->f + 8);
    }
}

/* R, and |1 - R H_FF| <= e. False where that is not below 1/2. Underflow loses at most 1e-200 of an entry of the
 * products, all factors being below 1e100. */
static bool invert_free_block(slope *p)
{
    const size_t f = p->f;
    const double gamma = dls_gamma(f + 8);
    if (f == 0)
        return true;
    for (size_t b = 0; b < f; b++)
        for (size_t a = 0; a < f; a++)
            p->LU[a + f * b] = row_of(p->s, p->F[b])[p->F[a]];
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, (int)f, (int)f, p->LU, (int)f, p->pivots) != 0)
        return false;
    invert_triangles(p);
    if (!dls_all_within(f * f, p->LU, 1e100) || !dls_all_within(f * f, p->WZ, 1e100))
        return false;
    /* t = |L|^T 1;  |W|^T g t;  |W|^T |Z|^T (2 g |U|^T t + off) */
    double *t = p->u, *x = p->v, *total = p->yF, sum = 0.0;
    for (size_t a = 0; a < f; a++)
        x[a] = 1.0;
    absolute_transposed(f, p->LU, false, true, x, t);
    for (size_t a = 0; a < f; a++)
        sum += t[a];
    absolute_transposed(f, p->LU, true, false, t, x);
    for (size_t a = 0; a < f; a++)
        x[a] = dls_up(2.0 * gamma * x[a], 4);
    row_sums_of_free(p, total, p->G);
    for (size_t a = 0; a < f; a++)
        x[a] = dls_up(x[a] + p->G[a], 2) + 1e-200 * (double)f;
    absolute_transposed(f, p->WZ, true, false, x, total);
    for (size_t a = 0; a < f; a++)
        total[a] = dls_up(total[a] + gamma * t[a], 4) + 2e-200 * dls_up(sum, f);
    absolute_transposed(f, p->WZ, false, true, total, x);
    for (size_t a = 0; a < f; a++)
        p->e = fmax(p->e, dls_up(x[a], 4));
    return p->e < 0.5;
}

/* (1). r: R w_F, computed. */
static void bound_free(slope *p, const double *w, const double *w_error)
{
    const dls_stored *s = p->s;
    const size_t f = p->f;
    double largest = 0.0, *r = p->G;
    for (size_t a = 0; a < f; a++) {
        r[a] = w[p->F[a]] * s->d[p->F[a]];
        p->u[a] = dls_up(w_error[p->F[a]] * s->d[p->F[a]] + dls_gamma(2 * f + 8) * fabs(r[a]), 4);
    }
    times_R(p, 1, r);
    absolute_transposed(f, p->WZ, true, false, p->u, p->v); /* |R| u, through the absolute values of its factors */
    absolute_transposed(f, p->WZ, false, true, p->v, p->yF);
    permute_back(p, 1, p->yF);
    for (size_t a = 0; a < f; a++) {
        p->yF[a] = dls_up(p->yF[a] + fabs(r[a]), 4) + 1e-200;
        largest = fmax(largest, p->yF[a]);
    }
    for (size_t a = 0; a < f; a++)
        p->yF[a] = dls_up(p->yF[a] + p->e / (1.0 - p->e) * largest, 8);
}

static double largest_of(size_t count, const double *x)
{
    double largest = 0.0;
    for (size_t k = 0; k < count; k++)
        largest = fmax(largest, fabs(x[k]));
    return largest;
}

/* X = R H_FD, and G = H_FF X - H_FD, both as computed. The room of LU holds H_FF^T. */
static void eliminate_free(slope *p)
{
    const size_t f = p->f, d = p->d;
    const int rows = (int)f, columns = (int)d;
    for (size_t a = 0; a < f; a++) {
        const double *row = row_of(p->s, p->F[a]);
        for (size_t j = 0; j < d; j++)
            p->G[a + f * j] = row[p->D[j]];
    }
    memcpy(p->X, p->G, f * d * sizeof *p->X);
    times_R(p, d, p->X);
    for (size_t b = 0; b < f; b++)
        for (size_t a = 0; a < f; a++)
            p->LU[a + f * b] = row_of(p->s, p->F[b])[p->F[a]];
    if (f > 0 && d > 0)
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rows, columns, rows, 1.0, p->LU, rows, p->X, rows, -1.0,
                    p->G, rows);
}

/* A bound of the error of each column of X: X - exact = H_FF^-1 (H_FF X - H_FD). W and Z lose their signs. */
static void bound_columns(slope *p)
{
    const dls_stored *s = p->s;
    const size_t f = p->f, d = p->d;
    double *sum = p->u, *off = p->v, most = 0.0;
    if (f == 0) {
        memset(p->column, 0, d * sizeof *p->column);
        return;
    }
    row_sums_of_free(p, sum, off);
    for (size_t j = 0; j < d; j++) {
        const double *x = p->X + f * j;
        double *g = p->G + f * j, largest = largest_of(f, x), slack = s->slack * s->size[p->D[j]];
        for (size_t a = 0; a < f; a++) {
            double h = fabs(row_of(s, p->F[a])[p->D[j]]);
            g[a] = dls_up(fabs(g[a]) + dls_gamma(f + 4) * (sum[a] * largest + h) + off[a] * largest +
                              slack * s->size[p->F[a]],
                          8) +
                   1e-200;
        }
    }
    dls_absolute(f * f, p->WZ, p->WZ);
    times_R(p, d, p->G);
    for (size_t j = 0; j < d; j++) {
        /* If no free row depends on row j, by exact zeros, its column of X is 0 without an error. Where an entry of A
         * is lost to underflow, slack is not 0. */
        bool zero = s->slack == 0.0;
        for (size_t a = 0; a < f && zero; a++)
            zero = row_of(s, p->F[a])[p->D[j]] == 0.0;
        p->column[j] = zero ? 0.0 : dls_up(largest_of(f, p->G + f * j) / (1.0 - p->e), 4 * f + 8) + 1e-200;
        most = fmax(most, p->column[j]);
    }
    if (!isfinite(most))
        p->e = 1.0;
}

/* B = H_DD - H_DF X, and how far each entry is off. Zeros that nothing is taken from are exact: they tell which rows do
 * not depend on each other. */
static void schur_complement(slope *p)
{
    const dls_stored *s = p->s;
    const size_t f = p->f, d = p->d;
    const int rows = (int)d, inner = (int)f;
    for (size_t j = 0; j < d; j++)
        for (size_t i = 0; i < d; i++) {
            p->B[i + d * j] = row_of(s, p->D[i])[p->D[j]];
            p->off[i + d * j] = fabs(p->B[i + d * j]);
        }
    for (size_t i = 0; i < d; i++)
        for (size_t a = 0; a < f; a++)
            p->Q[a + f * i] = row_of(s, p->D[i])[p->F[a]];
    if (f > 0 && d > 0) {
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rows, rows, inner, -1.0, p->Q, inner, p->X, inner, 1.0,
                    p->B, rows);
        dls_absolute(f * d, p->X, p->G);
        dls_absolute(f * d, p->Q, p->Q);
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rows, rows, inner, 1.0, p->Q, inner, p->G, inner, 1.0,
                    p->off, rows);
    }
    for (size_t i = 0; i < d; i++) {
        p->v[i] = 0.0;
        for (size_t a = 0; a < f; a++)
            p->v[i] += p->Q[a + f * i];
    }
    for (size_t j = 0; j < d; j++) {
        double sizes = s->size[p->D[j]];
        for (size_t a = 0; a < f; a++)
            sizes += s->size[p->F[a]] * (p->G[a + f * j] + p->column[j]);
        for (size_t i = 0; i < d; i++) {
            double *off = p->off + i + d * j;
            const bool alone = s->slack == 0.0 && (p->v[i] == 0.0 || p->column[j] == 0.0);
            if (alone && p->B[i + d * j] == 0.0)
                *off = 0.0;
            else
                *off = dls_up(dls_gamma(f + 4) * *off + p->v[i] * p->column[j] + s->slack * s->size[p->D[i]] * sizes,
                              2 * f + 16);
        }
    }
}

/* p->off: <B> from below, in the place of B's errors. */
static void compare_from_below(slope *p)
{
    const size_t d = p->d;
    for (size_t j = 0; j < d; j++)
        for (size_t i = 0; i < d; i++) {
            double b = p->B[i + d * j], off = p->off[i + d * j];
            p->off[i + d * j] = i == j                   ? b * (1.0 - 4.0 * DBL_EPSILON) - off
                                : b == 0.0 && off == 0.0 ? 0.0
                                                         : -dls_up(fabs(b) + off, 1);
        }
}

/* alpha at most the smallest eigenvalue of the symmetric part of B, as dls_definite_within has it; 0 if not proved. */
static double definite_part(const slope *p, double *L)
{
    const size_t d = p->d;
    double square = 0.0;
    for (size_t j = 0; j < d; j++)
        for (size_t i = j; i < d; i++) {
            double b = 0.5 * (p->B[i + d * j] + p->B[j + d * i]),
                   off = 0.5 * (p->off[i + d * j] + p->off[j + d * i]) + dls_unit_roundoff * fabs(b);
            L[i + d * j] = b;
            square += (i == j ? 1.0 : 2.0) * off * off;
        }
    return dls_definite_within(d, L, dls_root_up(square, 2 * d * d), 0.0);
}

/* (2). Where D is all rows, H was not proved definite before. */
static bool bound_undecided(slope *p, const double *violation, double *room, size_t *places)
{
    const dls_stored *s = p->s;
    const size_t d = p->d, f = p->f;
    const dls_comparison_matrix c = {d, p->off, p->u, p->v};
    dls_norm_sum norm = {0};
    eliminate_free(p);
    bound_columns(p);
    schur_complement(p);
    double alpha = p->e < 0.5 && d < s->n ? definite_part(p, room) : 0.0;
    compare_from_below(p);
    bool is_H = p->e < 0.5 && dls_is_H_matrix(&c, room, places);
    if (!(alpha > 0.0) && !is_H)
        return false;
    double *wrong = p->B; /* whose entries have served */
    for (size_t i = 0; i < d; i++) {
        /* the violation of row i in the problem of D: its own, and the part due to rounding and to F */
        const double *row = row_of(s, p->D[i]);
        double sum = 0.0, sizes = 0.0;
        for (size_t a = 0; a < f; a++) {
            sum += fabs(row[p->F[a]]) * p->yF[a];
            sizes += s->size[p->F[a]] * p->yF[a];
        }
        wrong[i] = dls_up(violation[p->D[i]] * s->d[p->D[i]] + sum + s->slack * s->size[p->D[i]] * sizes, 2 * f + 16);
        dls_norm_sum_add(&norm, wrong[i]);
        p->yD[i] = HUGE_VAL;
    }
    if (is_H)
        dls_H_bound(&c, wrong, places, room, p->yD);
    for (size_t i = 0; alpha > 0.0 && i < d; i++)
        p->yD[i] = fmin(p->yD[i], dls_up(dls_norm_sum_value(&norm) / alpha, 8));
    for (size_t a = 0; a < f; a++) {
        double sum = 0.0;
        for (size_t j = 0; j < d; j++)
            sum += (fabs(p->X[a + f * j]) + p->column[j]) * p->yD[j];
        p->yF[a] = dls_up(p->yF[a] + sum, 2 * d + 4);
    }
    return true;
}

dls_status dls_slope_radii(const dls_stored *s, const dls_slope_part *part, const double *w, const double *w_error,
                           const double *violation, double *LU, double *radius, bool *proved, dls_error *error)
{
    dls_arena memory = {0};
    slope p = {.s = s, .LU = LU, .F = DLS_TAKE(&memory, size_t, s->n), .D = DLS_TAKE(&memory, size_t, s->n)};
    *proved = false;
    for (size_t i = 0; !memory.failed && i < s->n; i++) {
        radius[i] = 0.0;
        if (part[i] == DLS_SLOPE_FREE)
            p.F[p.f++] = i;
        else if (part[i] == DLS_SLOPE_UNDECIDED)
            p.D[p.d++] = i;
    }
    double *room = memory.failed ? NULL : dls_arena_take(&memory, p.d, (p.d + 1) * sizeof *room);
    size_t *places = memory.failed ? NULL : DLS_TAKE(&memory, size_t, 4 * p.d);
    if (memory.failed || !take_slope(&p, &memory)) {
        dls_arena_release(&memory);
        return dls_fail(error, DLS_NO_MEMORY, "no memory to certify a problem of %zu rows", s->n);
    }
    if (invert_free_block(&p)) {
        bound_free(&p, w, w_error);
        *proved = p.d == 0 || bound_undecided(&p, violation, room, places);
    }
    for (size_t a = 0; a < p.f; a++)
        radius[p.F[a]] = p.yF[a];
    for (size_t j = 0; j < p.d; j++)
        radius[p.D[j]] = p.yD[j];
    for (size_t i = 0; i < s->n; i++)
        *proved = *proved && isfinite(radius[i]);
    dls_arena_release(&memory);
    return DLS_OK;
}
