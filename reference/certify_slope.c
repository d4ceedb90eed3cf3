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
 *     |y - exact| <= max_i (violation of w_i / v_i) u                                                           (2)
 * (X. Chen, S. Xiang, "Computation of error bounds for P-matrix linear complementarity problems", Math. Program.
 * 106 (2006), row by row). Where D is all rows, that is a statement on the whole problem: one solution, no
 * other. A symmetric part of B that is positive definite serves as well: |y - exact|_2 <= |violations|_2 / alpha.
 *
 * Every entry that is computed carries a bound of its error: gamma times the sizes of its terms, what H itself is off
 * by, and what (1) leaves.
 */
#include "certify.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

typedef struct slope {
    const dls_stored *s;
    size_t f, d;
    size_t *F, *D;
    double *K, *R, *P;  /* f x f: H_FF, about its inverse, and their product */
    double e;           /* |1 - R K| */
    double *X, *column; /* f x d: about H_FF^-1 H_FD, and a bound of its error in each column: d */
    double *B, *off;    /* d x d: about the Schur complement, and bounds of its errors */
    double *u, *v;      /* the larger of f and d */
    int *pivots;
    double *yF, *yD; /* the bounds */
} slope;

static bool take(slope *p, dls_arena *memory)
{
    const size_t f = p->f, d = p->d, most = f > d ? f : d;
    double **const square[] = {&p->K, &p->R, &p->P};
    for (size_t k = 0; k < 3; k++)
        *square[k] = dls_arena_take(memory, f, (f + 1) * sizeof(double));
    p->X = dls_arena_take(memory, f, (d + 1) * sizeof(double));
    p->B = dls_arena_take(memory, d, (d + 1) * sizeof(double));
    p->off = dls_arena_take(memory, d, (d + 1) * sizeof(double));
    p->column = DLS_TAKE(memory, double, d);
    p->u = DLS_TAKE(memory, double, most);
    p->v = DLS_TAKE(memory, double, most);
    p->pivots = DLS_TAKE(memory, int, most);
    p->yF = DLS_TAKE_ZEROS(memory, double, f);
    p->yD = DLS_TAKE_ZEROS(memory, double, d);
    return !memory->failed;
}

static double entry(const dls_stored *s, size_t i, size_t j) { return s->H[j + s->n * i]; }

/* At least |R| x, row by row, for x >= 0. */
static void times_absolute_R(const slope *p, const double *x, double *y)
{
    memset(y, 0, p->f * sizeof *y);
    for (size_t b = 0; b < p->f; b++)
        for (size_t a = 0; a < p->f; a++)
            y[a] += fabs(p->R[a + p->f * b]) * x[b];
    for (size_t a = 0; a < p->f; a++)
        y[a] = dls_up(y[a], 2 * p->f + 2);
}

/* R, and |1 - R H_FF| <= e. False where that is not below 1. */
static bool invert(slope *p)
{
    const dls_stored *s = p->s;
    const size_t f = p->f;
    const int m = (int)f;
    double sizes = 0.0;
    if (f == 0)
        return true;
    for (size_t b = 0; b < f; b++) {
        sizes += s->size[p->F[b]];
        for (size_t a = 0; a < f; a++)
            p->K[a + f * b] = entry(s, p->F[a], p->F[b]);
    }
    memcpy(p->R, p->K, f * f * sizeof *p->R);
    /* the product's room is the inversion's work */
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, m, m, p->R, m, p->pivots) != 0 ||
        LAPACKE_dgetri_work(LAPACK_COL_MAJOR, m, p->R, m, p->pivots, p->P, (int)(f <= 20000 ? f * f : f)) != 0)
        return false;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, m, m, 1.0, p->R, m, p->K, m, 0.0, p->P, m);
    memset(p->u, 0, f * sizeof *p->u);
    for (size_t b = 0; b < f; b++)
        for (size_t a = 0; a < f; a++)
            p->u[a] += fabs(p->K[a + f * b]);
    for (size_t a = 0; a < f; a++)
        p->u[a] = dls_up((dls_gamma(f + 4) + s->relative) * p->u[a] + s->slack * s->size[p->F[a]] * sizes, f + 8);
    times_absolute_R(p, p->u, p->v);
    for (size_t b = 0; b < f; b++)
        for (size_t a = 0; a < f; a++)
            p->v[a] += fabs((a == b ? 1.0 : 0.0) - p->P[a + f * b]);
    for (size_t a = 0; a < f; a++) {
        if (!(p->v[a] < 0.5))
            return false;
        p->e = fmax(p->e, dls_up(p->v[a], 2 * f + 4));
    }
    return true;
}

/* (1) */
static void bound_free(slope *p, const double *w, const double *w_error)
{
    const dls_stored *s = p->s;
    const size_t f = p->f;
    double largest = 0.0;
    for (size_t a = 0; a < f; a++)
        p->u[a] = dls_up((w_error[p->F[a]] + dls_gamma(f + 4) * fabs(w[p->F[a]])) * s->d[p->F[a]], 4);
    times_absolute_R(p, p->u, p->yF);
    memset(p->v, 0, f * sizeof *p->v);
    for (size_t b = 0; b < f; b++)
        for (size_t a = 0; a < f; a++)
            p->v[a] += p->R[a + f * b] * (w[p->F[b]] * s->d[p->F[b]]);
    for (size_t a = 0; a < f; a++) {
        p->yF[a] = dls_up(p->yF[a] + fabs(p->v[a]), 4);
        largest = fmax(largest, p->yF[a]);
    }
    for (size_t a = 0; a < f; a++)
        p->yF[a] = dls_up(p->yF[a] + p->e / (1.0 - p->e) * largest, 8);
}

/* X and the error of its columns: X - exact = H_FF^-1 (H_FF X - H_FD). */
static void eliminate(slope *p)
{
    const dls_stored *s = p->s;
    const size_t f = p->f, d = p->d;
    for (size_t j = 0; j < d; j++) {
        double *x = p->X + f * j, worst = 0.0, sizes = s->size[p->D[j]];
        memset(x, 0, f * sizeof *x);
        for (size_t b = 0; b < f; b++)
            for (size_t a = 0; a < f; a++)
                x[a] += p->R[a + f * b] * entry(s, p->F[b], p->D[j]);
        for (size_t a = 0; a < f; a++)
            sizes += s->size[p->F[a]] * fabs(x[a]);
        for (size_t a = 0; a < f; a++) {
            double h = entry(s, p->F[a], p->D[j]), sum = -h, terms = fabs(h);
            for (size_t b = 0; b < f; b++) {
                sum += p->K[a + f * b] * x[b];
                terms += fabs(p->K[a + f * b] * x[b]);
            }
            p->u[a] = dls_up(fabs(sum) + (dls_gamma(f + 4) + s->relative) * terms + s->slack * s->size[p->F[a]] * sizes,
                             2 * f + 8);
        }
        times_absolute_R(p, p->u, p->v);
        for (size_t a = 0; a < f; a++)
            worst = fmax(worst, p->v[a]);
        p->column[j] = dls_up(worst / (1.0 - p->e), 4);
    }
}

static void schur_complement(slope *p)
{
    const dls_stored *s = p->s;
    const size_t f = p->f, d = p->d;
    for (size_t j = 0; j < d; j++) {
        const double *x = p->X + f * j;
        double sizes = s->size[p->D[j]];
        for (size_t a = 0; a < f; a++)
            sizes += s->size[p->F[a]] * (fabs(x[a]) + p->column[j]);
        for (size_t i = 0; i < d; i++) {
            double h = entry(s, p->D[i], p->D[j]), sum = h, terms = fabs(h), row = 0.0;
            for (size_t a = 0; a < f; a++) {
                double k = entry(s, p->D[i], p->F[a]);
                sum -= k * x[a];
                terms += fabs(k * x[a]);
                row += fabs(k);
            }
            p->B[i + d * j] = sum;
            p->off[i + d * j] =
                dls_up((dls_gamma(f + 4) + 2.0 * s->relative) * terms + (1.0 + s->relative) * row * p->column[j] +
                           s->slack * s->size[p->D[i]] * sizes,
                       2 * f + 16);
        }
    }
}

/* p->off: <B> from below, in the place of B's errors. */
static void compare(slope *p)
{
    const size_t d = p->d;
    for (size_t j = 0; j < d; j++)
        for (size_t i = 0; i < d; i++) {
            double b = p->B[i + d * j], off = p->off[i + d * j];
            p->off[i + d * j] = i == j ? b * (1.0 - 4.0 * DBL_EPSILON) - off : -dls_up(fabs(b) + off, 1);
        }
}

/* v = <B> u from below; whether u > 0 and v > 0. */
static bool is_positive(slope *p)
{
    const size_t d = p->d;
    memset(p->v, 0, d * sizeof *p->v);
    for (size_t j = 0; j < d; j++)
        for (size_t i = 0; i < d; i++)
            p->v[i] += i == j ? 0.0 : -p->off[i + d * j] * p->u[j];
    for (size_t i = 0; i < d; i++) {
        p->v[i] = p->off[i + d * i] * p->u[i] * (1.0 - 8.0 * DBL_EPSILON) - dls_up(p->v[i], 2 * d + 4);
        p->v[i] *= 1.0 - 4.0 * DBL_EPSILON;
        if (!(p->u[i] > 1e-300 && p->u[i] < 1e300 && p->v[i] > 0.0))
            return false;
    }
    return true;
}

/* u as it makes <B> u = 1; where rounding spoils that (a triangular B with large entries), as it makes
 * (1/2 diag(<B>) + <B> - diag(<B>)) u = 1, by repetition. */
static bool is_H_matrix(slope *p, double *room)
{
    const size_t d = p->d;
    compare(p);
    memcpy(room, p->off, d * d * sizeof *room);
    for (size_t i = 0; i < d; i++)
        p->u[i] = 1.0;
    if (LAPACKE_dgesv_work(LAPACK_COL_MAJOR, (int)d, 1, room, (int)d, p->pivots, p->u, (int)d) == 0 && is_positive(p))
        return true;
    for (size_t i = 0; i < d; i++)
        p->u[i] = 1.0;
    for (size_t step = 0; step < d && step * d * d < 1000000000; step++) {
        double largest = 0.0;
        memset(p->v, 0, d * sizeof *p->v);
        for (size_t j = 0; j < d; j++)
            for (size_t i = 0; i < d; i++)
                p->v[i] += i == j ? 0.0 : -p->off[i + d * j] * p->u[j];
        for (size_t i = 0; i < d; i++) {
            p->u[i] = 2.0 * (1.0 + p->v[i]) / p->off[i + d * i];
            largest = fmax(largest, p->u[i]);
        }
        if (is_positive(p))
            return true;
        if (!(largest < 1e250))
            return false;
    }
    return false;
}

/* alpha at most the smallest eigenvalue of the symmetric part of B, as dls_stored_definite has it; 0 if not proved. */
static double definite_part(const slope *p, double *L)
{
    const size_t d = p->d;
    double trace = 0.0, square = 0.0, largest = 0.0;
    for (size_t j = 0; j < d; j++)
        for (size_t i = j; i < d; i++) {
            double b = 0.5 * (p->B[i + d * j] + p->B[j + d * i]),
                   off = 0.5 * (p->off[i + d * j] + p->off[j + d * i]) + dls_unit_roundoff * fabs(b);
            L[i + d * j] = b;
            square += (i == j ? 1.0 : 2.0) * off * off;
            trace += i == j ? b : 0.0;
            largest = i == j ? fmax(largest, b) : largest;
        }
    double g = dls_gamma(d + 8);
    double off = dls_up(g / (1.0 - g) * trace + sqrt(square) + 2.0 * dls_unit_roundoff * largest, d * d + 16) + 1e-200;
    for (size_t i = 0; i < d; i++)
        L[i + d * i] -= 2.0 * off;
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (int)d, L, (int)d) != 0)
        return 0.0;
    for (size_t i = 0; i < d; i++)
        if (!(L[i + d * i] > 0.0 && L[i + d * i] < HUGE_VAL))
            return 0.0;
    return off * (1.0 - 8.0 * DBL_EPSILON);
}

/* What rounding and F leave of the sign of w_i: the violation that the problem of D starts from. */
static double violation_of(const slope *p, size_t i, double violation)
{
    const dls_stored *s = p->s;
    double sum = 0.0, sizes = 0.0;
    for (size_t a = 0; a < p->f; a++) {
        sum += fabs(entry(s, i, p->F[a])) * p->yF[a];
        sizes += s->size[p->F[a]] * p->yF[a];
    }
    return dls_up(violation * s->d[i] + (1.0 + s->relative) * sum + s->slack * s->size[i] * sizes, 2 * p->f + 16);
}

/* (2) */
static bool bound_undecided(slope *p, const double *violation, double *room)
{
    const size_t d = p->d, f = p->f;
    double worst = 0.0, square = 0.0;
    eliminate(p);
    schur_complement(p);
    double alpha = definite_part(p, room);
    bool is_H = is_H_matrix(p, room);
    if (!(alpha > 0.0) && !is_H)
        return false;
    for (size_t i = 0; i < d; i++) {
        double wrong = violation_of(p, p->D[i], violation[p->D[i]]);
        square += wrong * wrong;
        worst = fmax(worst, is_H ? dls_up(wrong / p->v[i], 2) : 0.0);
    }
    for (size_t i = 0; i < d; i++)
        p->yD[i] =
            dls_up(fmin(is_H ? worst * p->u[i] : HUGE_VAL, alpha > 0.0 ? sqrt(square) / alpha : HUGE_VAL), d + 8);
    for (size_t a = 0; a < f; a++) {
        double sum = 0.0;
        for (size_t j = 0; j < d; j++)
            sum += (fabs(p->X[a + f * j]) + p->column[j]) * p->yD[j];
        p->yF[a] = dls_up(p->yF[a] + sum, 2 * d + 4);
    }
    return true;
}

dls_status dls_slope_radii(const dls_stored *s, const dls_slope_part *part, const double *w, const double *w_error,
                           const double *violation, double *radius, bool *proved, dls_error *error)
{
    dls_arena memory = {0};
    slope p = {.s = s, .F = DLS_TAKE(&memory, size_t, s->n), .D = DLS_TAKE(&memory, size_t, s->n)};
    *proved = false;
    for (size_t i = 0; !memory.failed && i < s->n; i++) {
        radius[i] = 0.0;
        if (part[i] == DLS_SLOPE_FREE)
            p.F[p.f++] = i;
        else if (part[i] == DLS_SLOPE_UNDECIDED)
            p.D[p.d++] = i;
    }
    double *room = memory.failed ? NULL : dls_arena_take(&memory, p.d, (p.d + 1) * sizeof *room);
    if (memory.failed || !take(&p, &memory)) {
        dls_arena_release(&memory);
        return dls_fail(error, DLS_NO_MEMORY, "no memory to certify a problem of %zu rows", s->n);
    }
    if (invert(&p)) {
        bound_free(&p, w, w_error);
        *proved = p.d == 0 || bound_undecided(&p, violation, room);
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
