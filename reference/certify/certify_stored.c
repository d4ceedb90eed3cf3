/* A problem as exact numbers.
 *
 * In the matrix form A is stored. In the mechanical form A = J M^-1 J^T + Gamma is not: J, Gamma, v*, c and the entries
 * of M are doubles (dls_mass_block_matrix). With L L^T = M
 * as computed and G = L^-1 as computed, let  G M G^T = 1 + E.  If |E| <= e < 1 then M is positive definite,
 *     M^-1 = G^T (1 + E)^-1 G,   and with Y = J G^T:   |J M^-1 J^T - Y Y^T|_ij <= e / (1 - e) |Y_i| |Y_j|.       (1)
 * Y is computed with |error of Y_ij| <= gamma_m (|J| |G|^T)_ij, and Y Y^T, whatever the order of summation, with
 * |error|_ij <= gamma |Y_i| |Y_j| (Cauchy and Schwarz; S. M. Rump, "Verification methods", Acta Numerica 19 (2010)).
 * All errors have the form slack size_i size_j; A_ii itself is at most |Y_i|^2 / (1 - e) + Gamma_i, size_i^2.
 *
 * w is evaluated through velocities. With u near M^-1 J^T lambda, in twice the precision, and the momentum
 * r = J^T lambda - M u that is left, v+ = v* + u + M^-1 r, and
 *     w_i = J_i (v* + u) + Gamma_i lambda_i - c_i + J_i M^-1 r,
 *     |J_i M^-1 r| <= sum over blocks |G J_i^T| |G r| / (1 - e).
 *
 * Positive definiteness (S. M. Rump, "Verification of positive definiteness", BIT 46 (2006)): if Cholesky's method runs
 * to its end on C with positive pivots, in any order of summation, then L L^T = C + F with
 * |F|_ij <= g / (1 - g) sqrt(C_ii C_jj), g = gamma_(m+1) (N. J. Higham, "Accuracy and Stability of Numerical
 * Algorithms" (2002), theorem 10.3 and Demmel's theorem 10.5), so that no eigenvalue of C is below -g / (1 - g)
 * trace(C). With C = H - shift, every eigenvalue of H is above shift minus that, minus the norm of what H is off by.
 * OpenBLAS multiplies by reciprocals of pivots, and the shift and C_ii = H_ii - shift are rounded: some roundings more,
 * each of at most u trace(H), for which g = gamma_(m+10) has room. */
#include "parts.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* --- the mass --- */

bool dls_all_within(size_t count, const double *x, double limit)
{
    for (size_t k = 0; k < count; k++)
        if (!(fabs(x[k]) <= limit))
            return false;
    return true;
}

void dls_absolute(size_t count, const double *x, double *y)
{
    for (size_t k = 0; k < count; k++)
        y[k] = fabs(x[k]);
}

/* G of one block, and at least the Frobenius norm of G M G^T - 1; infinite where M is not positive definite. `room`:
 * 4 m x m. The products have at most 2 m + 2 roundings each; 1e-100 is for underflow, G being below 1e100. */
static double invert_mass(size_t m, const double *M, double *G, double *room)
{
    double *T = room, *P = T + m * m, *absolute_G = P + m * m, *absolute_M = absolute_G + m * m, sum = 0.0;
    int k = (int)m;
    memcpy(G, M, m * m * sizeof *G);
    if (!dls_all_within(m * m, M, 1e150) || LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', k, G, k) != 0)
        return HUGE_VAL;
    for (size_t j = 0; j < m; j++)
        memset(G + m * j, 0, j * sizeof *G);
    if (LAPACKE_dtrtri_work(LAPACK_COL_MAJOR, 'L', 'N', k, G, k) != 0 || !dls_all_within(m * m, G, 1e100))
        return HUGE_VAL;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, k, k, k, 1.0, M, k, G, k, 0.0, T, k);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, k, k, k, 1.0, G, k, T, k, 0.0, P, k);
    dls_absolute(m * m, G, absolute_G);
    dls_absolute(m * m, M, absolute_M);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, k, k, k, 1.0, absolute_M, k, absolute_G, k, 0.0, T, k);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, k, k, k, 1.0, absolute_G, k, T, k, 0.0, absolute_M, k);
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < m; i++) {
            double off = fabs(P[i + m * j] - (i == j ? 1.0 : 0.0)) * (1.0 + DBL_EPSILON) +
                         dls_gamma(4 * m + 8) * absolute_M[i + m * j] + 1e-100;
            sum += off * off;
        }
    return dls_up(sqrt(sum), m * m + 8);
}

static dls_status take_mass(dls_stored *s, const char **why, dls_error *error)
{
    const dls_mass *mass = &s->p->mass;
    size_t entries = 0, longest = 0;
    s->mass_at = DLS_TAKE(s->memory, size_t, mass->n_blocks);
    for (size_t k = 0; s->mass_at && k < mass->n_blocks; k++) {
        s->mass_at[k] = entries;
        entries += mass->blocks[k].length * mass->blocks[k].length;
        longest = mass->blocks[k].length > longest ? mass->blocks[k].length : longest;
    }
    s->M = DLS_TAKE_ZEROS(s->memory, double, entries);
    s->G = DLS_TAKE_ZEROS(s->memory, double, entries);
    double *room = DLS_TAKE(s->memory, double, 4 * longest * longest);
    if (s->memory->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory to certify a problem of %zu rows", s->n);
    for (size_t k = 0; k < mass->n_blocks; k++) {
        dls_mass_block_matrix(&mass->blocks[k], s->part, s->M + s->mass_at[k], mass->blocks[k].length);
        s->defect =
            fmax(s->defect, invert_mass(mass->blocks[k].length, s->M + s->mass_at[k], s->G + s->mass_at[k], room));
    }
    if (!(s->defect < 0.1))
        *why = "the mass matrix was not proved positive definite";
    return DLS_OK;
}

/* --- A in the mechanical form --- */

static void find_touches(dls_stored *s)
{
    const dls_rows *J = &s->p->J;
    size_t t = 0;
    for (size_t i = 0; i < s->n; i++) {
        s->touch_at[i] = t;
        for (size_t k = J->start[i]; k < J->start[i + 1];) {
            dls_touch *touch = &s->touches[t++];
            *touch = (dls_touch){i, J->mass[k], k, k, 0.0};
            while (k < J->start[i + 1] && J->mass[k] == touch->mass)
                touch->end = ++k;
        }
    }
    s->touch_at[s->n] = s->n_touches = t;
}

/* y = G J^T of a touch, and at least the norm of what rounding makes of it. `J`: m entries of work. */
static double lever_of_touch(const dls_stored *s, const dls_touch *touch, double *J, double *y, size_t stride)
{
    const dls_rows *rows = &s->p->J;
    const dls_mass_block *block = &s->p->mass.blocks[touch->mass];
    const double *G = s->G + s->mass_at[touch->mass];
    size_t m = block->length;
    dls_norm_sum off = {0};
    memset(J, 0, m * sizeof *J);
    for (size_t k = touch->first; k < touch->end; k++)
        for (size_t at = rows->coef_at[k], j = rows->offset[k] - block->offset; at < rows->coef_at[k + 1]; at++, j++)
            J[j] += rows->coef[at];
    for (size_t i = 0; i < m; i++) {
        double sum = 0.0, sizes = 0.0;
        for (size_t j = 0; j <= i; j++) {
            sum += G[i + m * j] * J[j];
            sizes += fabs(G[i + m * j] * J[j]);
        }
        y[stride * i] = sum;
        dls_norm_sum_add(&off, dls_up(sizes, 2 * m));
    }
    return dls_up(dls_gamma(m + 4) * dls_norm_sum_value(&off), 2);
}

bool dls_stored_is_zero(const dls_stored *s, size_t i)
{
    const dls_rows *J = &s->p->J;
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
        for (size_t at = J->coef_at[k]; at < J->coef_at[k + 1]; at++)
            if (J->coef[at] != 0.0)
                return false;
    return true;
}

/* The touches of each block of M, in the order of their rows: those of block k are touching[at[k]] to
 * touching[at[k + 1] - 1]. `at` (n_blocks + 2 entries) is 0 before. */
static void sort_touches(const dls_stored *s, size_t *at, size_t *touching)
{
    const size_t blocks = s->p->mass.n_blocks;
    for (size_t t = 0; t < s->n_touches; t++)
        at[s->touches[t].mass + 2]++;
    for (size_t k = 0; k < blocks; k++)
        at[k + 2] += at[k + 1];
    for (size_t t = 0; t < s->n_touches; t++)
        touching[at[s->touches[t].mass + 1]++] = t;
}

/* (1) and the two roundings above it, without H where there is none. A row of Y is off by at most `theta` of its
 * size. */
static dls_status assemble_mechanical(dls_stored *s, const char **why, dls_error *error)
{
    const dls_mass *mass = &s->p->mass;
    double theta = 0.0, *J = s->part;
    size_t *at = DLS_TAKE_ZEROS(s->memory, size_t, mass->n_blocks + 2), most = 0, room = 0, longest = 0, blocks = 0;
    size_t *touching = DLS_TAKE(s->memory, size_t, s->n_touches);
    if (s->H)
        memset(s->H, 0, s->n * s->n * sizeof *s->H);
    if (!s->memory->failed)
        sort_touches(s, at, touching);
    for (size_t k = 0; !s->memory->failed && k < mass->n_blocks; k++) {
        const size_t found = at[k + 1] - at[k], m = mass->blocks[k].length;
        most = found > most ? found : most;
        room = found * m > room ? found * m : room;
        longest = m > longest ? m : longest;
    }
    double *Y = DLS_TAKE(s->memory, double, room), *product = NULL;
    if (s->H)
        product = dls_arena_take(s->memory, most, (most + 1) * sizeof *product);
    double *off = DLS_TAKE_ZEROS(s->memory, double, s->n);
    if (s->memory->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory to certify a problem of %zu rows", s->n);
    for (size_t k = 0; k < mass->n_blocks; k++) {
        const size_t m = mass->blocks[k].length, found = at[k + 1] - at[k], *of = touching + at[k];
        if (found == 0)
            continue;
        for (size_t a = 0; a < found; a++) {
            dls_touch *touch = &s->touches[of[a]];
            double rounding = lever_of_touch(s, touch, J, Y + a, found);
            dls_norm_sum norm = {0};
            for (size_t j = 0; j < m; j++)
                dls_norm_sum_add(&norm, Y[a + found * j]);
            touch->reach = dls_up(dls_norm_sum_value(&norm) + rounding, 1);
            s->size[touch->row] += touch->reach * touch->reach;
            off[touch->row] += rounding * rounding;
        }
        if (!s->H)
            continue;
        cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, (int)found, (int)m, 1.0, Y, (int)found, 0.0, product,
                    (int)found);
        for (size_t b = 0; b < found; b++)
            for (size_t a = b; a < found; a++) { /* both triangles of H */
                size_t i = s->touches[of[a]].row, j = s->touches[of[b]].row;
                s->H[i + s->n * j] += product[a + found * b];
                if (a != b)
                    s->H[j + s->n * i] += product[a + found * b];
            }
    }
    for (size_t i = 0; i < s->n; i++) {
        size_t touches = s->touch_at[i + 1] - s->touch_at[i];
        blocks = touches > blocks ? touches : blocks;
        if (s->H)
            s->H[i + s->n * i] += s->p->gamma[i];
        s->size[i] = dls_up(sqrt(s->size[i] / (1.0 - s->defect) + s->p->gamma[i]), 2 * touches + 8);
        if (s->size[i] < 1e-130 && !dls_stored_is_zero(s, i)) /* the squares of its roundings underflow */
            *why = "a row of J is too small";
        if (s->size[i] > 0.0 && off[i] > 0.0)
            theta = fmax(theta, dls_up(sqrt(off[i]) / s->size[i], touches + 4));
    }
    s->slack = dls_up(2.0 * theta + dls_gamma(longest + blocks + 8) + s->defect / (1.0 - s->defect), 8);
    return DLS_OK;
}

/* --- loading --- */

static double power_of_two(double size)
{
    return size > 0.0 && isfinite(size) ? exp2(-rint(fmin(fmax(log2(size), -400.0), 400.0))) : 1.0;
}

/* size_i: the largest entry of row and column i of d H d. */
static void largest_entries(const dls_stored *s, double *size)
{
    const size_t n = s->n;
    memset(size, 0, n * sizeof *size);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double h = fabs(s->H[j + n * i]) * s->d[i] * s->d[j];
            size[i] = h > size[i] ? h : size[i];
            size[j] = h > size[j] ? h : size[j];
        }
}

/* s->largest, and whether no number is too large. */
static bool measure_rows(const dls_stored *s)
{
    bool fits = true;
    for (size_t i = 0; i < s->n; i++) {
        s->largest[i] = 0.0;
        for (size_t j = 0; j < s->n; j++) {
            double h = fabs(s->H[j + s->n * i]);
            fits = fits && h <= 1e300;
            s->largest[i] = h > s->largest[i] ? h : s->largest[i];
        }
    }
    return fits;
}

/* Whether H = H^T to the last bit, tile by tile. */
static bool is_mirrored(const dls_stored *s)
{
    enum { TILE = 32 };
    const size_t n = s->n;
    for (size_t row = 0; row < n; row += TILE)
        for (size_t column = 0; column <= row; column += TILE)
            for (size_t i = row; i < row + TILE && i < n; i++)
                for (size_t j = column; j < column + TILE && j < i; j++)
                    if (s->H[j + n * i] != s->H[i + n * j])
                        return false;
    return true;
}

static double diagonal(const dls_stored *s, size_t i)
{
    const dls_rows *A = &s->p->J;
    double sum = s->p->gamma[i];
    for (size_t k = A->start[i]; k < A->start[i + 1]; k++) {
        size_t length = A->coef_at[k + 1] - A->coef_at[k];
        if (i >= A->offset[k] && i < A->offset[k] + length)
            sum += A->coef[A->coef_at[k] + i - A->offset[k]];
    }
    return sum;
}

/* H = d A d of the matrix form. Slack is what entries lose that become subnormal numbers, at most 2^-1074, and the
 * rounding of A_ii + Gamma_i. */
static void fill_matrix(dls_stored *s)
{
    const dls_rows *A = &s->p->J;
    bool subnormal = false, compliant = false;
    s->lossy = false;
    for (size_t i = 0; i < s->n; i++) {
        double *row = s->H + s->n * i;
        memset(row, 0, s->n * sizeof *row);
        for (size_t k = A->start[i]; k < A->start[i + 1]; k++)
            for (size_t at = A->coef_at[k], j = A->offset[k]; at < A->coef_at[k + 1]; at++, j++) {
                double h = A->coef[at] * (s->d[i] * s->d[j]);
                row[j] += h;
                s->lossy = s->lossy || (h == 0.0 && A->coef[at] != 0.0);
                subnormal = subnormal || (fabs(h) < DBL_MIN && A->coef[at] != 0.0);
            }
        double compliance = s->p->gamma[i] * (s->d[i] * s->d[i]);
        row[i] += compliance;
        s->size[i] = compliance != 0.0 ? dls_up(sqrt(fabs(row[i])), 2) : 0.0;
        compliant = compliant || compliance != 0.0;
        subnormal = subnormal || (compliance < DBL_MIN && s->p->gamma[i] != 0.0);
    }
    s->exact = !compliant && !subnormal;
    s->slack = compliant ? dls_unit_roundoff : subnormal ? DBL_TRUE_MIN : 0.0;
    for (size_t i = 0; subnormal && i < s->n; i++)
        s->size[i] = fmax(s->size[i], 1.0);
}

/* d, so that the diagonal of d A d is about 1 where it is not 0. */
static void units_of_diagonal(dls_stored *s)
{
    for (size_t i = 0; i < s->n; i++)
        s->d[i] = power_of_two(sqrt(fabs(diagonal(s, i))));
}

/* H with a diagonal of about 1. Where that leaves an entry above 4, as it does not where A is definite, with rows and
 * columns whose largest entries are about 1 (D. Ruiz, RAL-TR-2001-034). False where numbers are too large. */
static bool take_matrix(dls_stored *s, double *size)
{
    enum { SWEEPS = 8 };
    bool even = true;
    units_of_diagonal(s);
    fill_matrix(s);
    bool fits = measure_rows(s);
    for (size_t i = 0; i < s->n; i++)
        even = even && s->largest[i] <= 4.0;
    if (fits && even)
        return true;
    for (size_t i = 0; i < s->n; i++)
        s->d[i] = 1.0;
    fill_matrix(s);
    units_of_diagonal(s); /* a start that follows the units of each row: H is then the same in any */
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        largest_entries(s, size);
        for (size_t i = 0; i < s->n; i++)
            s->d[i] *= power_of_two(sqrt(size[i]));
    }
    fill_matrix(s);
    fits = measure_rows(s);
    for (size_t i = 0; i < s->n; i++)
        s->exact = s->exact && s->largest[i] <= 4.0;
    return fits;
}

static dls_status take_stored(const dls_problem *p, bool matrix, dls_arena *memory, dls_stored *s, const char **why,
                              dls_error *error)
{
    const size_t n = p->n, nv = p->form == DLS_FORM_MECHANICAL ? p->nv : 0;
    *why = NULL;
    *s = (dls_stored){.p = p, .n = n, .nv = nv, .memory = memory, .semidefinite = p->form == DLS_FORM_MECHANICAL};
    double *size = DLS_TAKE(memory, double, n);
    s->d = DLS_TAKE(memory, double, n);
    s->size = DLS_TAKE_ZEROS(memory, double, n);
    s->largest = DLS_TAKE(memory, double, n);
    s->H = matrix ? dls_arena_take(memory, n, (n + 1) * sizeof *s->H) : NULL;
    s->u = DLS_TAKE(memory, dls_twofold, nv);
    s->force = DLS_TAKE(memory, dls_twofold_sum, nv);
    s->momentum = DLS_TAKE(memory, double, nv);
    s->momentum_error = DLS_TAKE(memory, double, nv);
    s->part = DLS_TAKE(memory, double, nv);
    s->lost = DLS_TAKE_ZEROS(memory, double, p->mass.n_blocks);
    s->factors = (dls_factors){DLS_TAKE(memory, double, n), DLS_TAKE(memory, double, n), DLS_TAKE(memory, double, n),
                               DLS_TAKE(memory, double, n)};
    s->touch_at = DLS_TAKE(memory, size_t, n + 1);
    s->touches = DLS_TAKE(memory, dls_touch, nv ? p->J.n_blocks : 0);
    if (memory->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory to certify a problem of %zu rows", n);
    for (size_t i = 0; i < n; i++)
        if (s->semidefinite && !(p->gamma[i] >= 0.0))
            *why = "a row has a negative compliance";
    bool fits = true;
    if (!*why && s->semidefinite) {
        find_touches(s);
        DLS_TRY(take_mass(s, why, error));
        if (!*why) {
            DLS_TRY(assemble_mechanical(s, why, error));
            for (size_t i = 0; i < n; i++)
                s->d[i] = power_of_two(s->size[i]);
            for (size_t i = 0; i < n; i++) {
                s->size[i] *= s->d[i];
                for (size_t j = 0; j < n && matrix; j++)
                    s->H[j + n * i] *= s->d[i] * s->d[j];
            }
            fits = !matrix || measure_rows(s);
        }
    } else if (!*why) {
        fits = take_matrix(s, size);
    }
    if (*why)
        return DLS_OK;
    if (!fits)
        *why = "entries of A overflow";
    s->mirrored = s->semidefinite || is_mirrored(s);
    s->symmetric = s->mirrored || dls_problem_is_symmetric(p);
    return DLS_OK;
}

dls_status dls_stored_take(const dls_problem *p, dls_arena *memory, dls_stored *s, const char **why, dls_error *error)
{
    return take_stored(p, true, memory, s, why, error);
}

dls_status dls_stored_take_rows(const dls_problem *p, dls_arena *memory, dls_stored *s, const char **why,
                                dls_error *error)
{
    return take_stored(p, false, memory, s, why, error);
}

/* --- w in twice the precision --- */

/* x += G^T G r of one block. */
static void add_response(const dls_stored *s, const dls_mass_block *block, const double *G, const double *r)
{
    size_t m = block->length;
    for (size_t i = 0; i < m; i++) {
        double sum = 0.0;
        for (size_t j = 0; j <= i; j++)
            sum += G[i + m * j] * r[j];
        s->part[i] = sum;
    }
    for (size_t j = 0; j < m; j++) {
        double sum = 0.0;
        for (size_t i = j; i < m; i++)
            sum += G[i + m * j] * s->part[i];
        s->u[block->offset + j] = dls_twofold_add(s->u[block->offset + j], sum);
    }
}

/* r = J^T lambda - M u of one block, and its error. */
static void momentum_left(const dls_stored *s, const dls_mass_block *block, const double *M)
{
    size_t m = block->length, first = block->offset;
    for (size_t i = 0; i < m; i++) {
        dls_twofold_sum sum = s->force[first + i];
        for (size_t j = 0; j < m; j++)
            dls_sum_add_twofold(&sum, -M[j + m * i], s->u[first + j]);
        s->momentum[first + i] = dls_sum_value(&sum, &s->momentum_error[first + i]);
    }
}

/* At least |G r| over the r within its error. */
static double momentum_norm(const dls_stored *s, const dls_mass_block *block, const double *G)
{
    size_t m = block->length;
    dls_norm_sum norm_of = {0};
    for (size_t i = 0; i < m; i++) {
        double sum = 0.0;
        for (size_t j = 0; j <= i; j++)
            sum += fabs(G[i + m * j]) * (fabs(s->momentum[block->offset + j]) + s->momentum_error[block->offset + j]);
        dls_norm_sum_add(&norm_of, dls_up(sum, 3 * m));
    }
    return dls_norm_sum_value(&norm_of);
}

/* The velocity u that lambda makes. The defect of G is the factor by which a correction shrinks the momentum left. */
static void find_velocity(dls_stored *s, const dls_twofold *lambda)
{
    enum { CORRECTIONS = 4 };
    const dls_rows *J = &s->p->J;
    memset(s->force, 0, s->nv * sizeof *s->force);
    memset(s->u, 0, s->nv * sizeof *s->u);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
            for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++)
                dls_sum_add_twofold(&s->force[j], J->coef[at], lambda[i]);
    for (size_t k = 0; k < s->p->mass.n_blocks; k++) {
        const dls_mass_block *block = &s->p->mass.blocks[k];
        const double *M = s->M + s->mass_at[k], *G = s->G + s->mass_at[k];
        momentum_left(s, block, M);
        for (int step = 0; step < CORRECTIONS; step++) {
            add_response(s, block, G, s->momentum + block->offset);
            momentum_left(s, block, M);
        }
        s->lost[k] = dls_up(momentum_norm(s, block, G) / (1.0 - s->defect), 2);
    }
}

/* J_i (v* + u) and the part of its error that the momentum left makes. */
static double mechanical_row(const dls_stored *s, size_t i, dls_twofold_sum *sum)
{
    const dls_rows *J = &s->p->J;
    double lost = 0.0;
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
        for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++) {
            dls_sum_add_twofold(sum, J->coef[at], s->u[j]);
            dls_sum_add_product(sum, J->coef[at], s->p->v_star[j]);
        }
    for (size_t t = s->touch_at[i]; t < s->touch_at[i + 1]; t++)
        lost += s->touches[t].reach * s->lost[s->touches[t].mass];
    return lost;
}

void dls_stored_w(dls_stored *s, const dls_twofold *lambda, double *w, double *radius)
{
    const dls_problem *p = s->p;
    const dls_rows *J = &p->J;
    const bool mechanical = p->form == DLS_FORM_MECHANICAL;
    if (mechanical)
        find_velocity(s, lambda);
    for (size_t j = 0; j < s->n && !mechanical; j++) {
        const double unit = s->exact ? s->d[j] : 1.0;
        dls_factors_set(&s->factors, j, (dls_twofold){lambda[j].high / unit, lambda[j].low / unit});
    }
    for (size_t i = 0; i < s->n; i++) {
        dls_twofold_sum sum = {0};
        double lost = 0.0;
        const double unit = s->exact ? s->d[i] : 1.0;
        if (mechanical)
            lost = mechanical_row(s, i, &sum);
        else if (s->exact) /* d_i times as much: powers of two change no digit, and lambda_j / d_j loses no more to
                            * underflow, at most 2^-1075, than a product may lose */
            dls_sum_add_dot(&sum, s->n, s->H + s->n * i, &s->factors, 0);
        for (size_t k = J->start[i]; k < J->start[i + 1] && !mechanical && !s->exact; k++)
            dls_sum_add_dot(&sum, J->coef_at[k + 1] - J->coef_at[k], J->coef + J->coef_at[k], &s->factors,
                            J->offset[k]);
        if (p->gamma[i] != 0.0)
            dls_sum_add_twofold(&sum, p->gamma[i], lambda[i]);
        dls_sum_add(&sum, -p->c[i] * unit);
        w[i] = dls_sum_value(&sum, &radius[i]) / unit;
        radius[i] = dls_up(radius[i] / unit + lost, J->n_blocks > 0 ? 2 * (J->start[i + 1] - J->start[i]) + 2 : 2);
        if (!(isfinite(w[i]) && isfinite(radius[i])))
            w[i] = 0.0, radius[i] = HUGE_VAL;
    }
}

/* With dl = a + e, a = given - lambda and e = lambda - solution,
 *     dl . A dl <= a . A a + sum |a_i| shift_i + sum radius_i (|A a|_i + shift_i).
 * |.|_A is no norm where A is not semidefinite: dl . A dl may be large where a . A a and e . A e are 0. */
double dls_stored_distance(size_t n, const double *given, const double *w_given, const double *w_given_error,
                           const dls_vicinity *of)
{
    double sum = 0.0, rounding = 0.0, impulse = 0.0, speed = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double moved = fabs((given[i] - of->lambda[i].high) - of->lambda[i].low),
                     turned = fabs(w_given[i] - of->w[i]) + w_given_error[i] + of->w_error[i];
        impulse = fmax(impulse, of->radius ? fmax(moved, of->radius[i]) : moved);
        speed = fmax(speed, of->radius ? fmax(turned, of->shift[i]) : turned);
    }
    if (impulse == 0.0)
        return 0.0;
    if (!(impulse < HUGE_VAL && speed < HUGE_VAL))
        return HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        const double dl = ((given[i] - of->lambda[i].high) - of->lambda[i].low) / impulse,
                     dw = (w_given[i] - of->w[i]) / speed, error = (w_given_error[i] + of->w_error[i]) / speed,
                     shift = of->shift ? of->shift[i] / speed : 0.0,
                     radius = of->radius ? of->radius[i] / impulse : 0.0;
        if (dl != 0.0) {
            sum += dl * dw;
            rounding += fabs(dl) * (error + shift + (double)(n + 8) * DBL_EPSILON * fabs(dw));
        }
        if (radius != 0.0)
            rounding += radius * (fabs(dw) + error + shift);
    }
    return dls_up(sqrt(impulse) * sqrt(speed) * dls_root_up(fmax(0.0, sum) + dls_up(rounding, 2 * n + 16), n + 8), 6);
}

/* --- definiteness of A --- */

/* The lower triangle of the symmetric part of H over m rows, tile by tile; the sum of the squares of its entries. */
static double symmetric_part(const dls_stored *s, size_t m, const size_t *rows, double *L)
{
    enum { TILE = 32 };
    const size_t n = s->n;
    double square = 0.0;
    for (size_t column = 0; column < m; column += TILE)
        for (size_t row = column; row < m; row += TILE)
            for (size_t b = column; b < column + TILE && b < m; b++) {
                double sum = 0.0;
                for (size_t a = row > b ? row : b; a < row + TILE && a < m; a++) {
                    size_t i = rows[a], j = rows[b];
                    double h = s->mirrored ? s->H[i + n * j] : 0.5 * (s->H[i + n * j] + s->H[j + n * i]);
                    L[a + m * b] = h;
                    sum += a == b ? 0.5 * h * h : h * h;
                }
                square += 2.0 * sum;
            }
    return square;
}

double dls_definite_within(size_t m, double *L, double radius, double wanted)
{
    const double g = dls_gamma(m + 10);
    double trace = 0.0;
    for (size_t a = 0; a < m; a++)
        trace += L[a + m * a];
    const double off = dls_up(g / (1.0 - g) * trace + radius, m * m + 16) + 1e-200, shift = off + fmax(off, wanted);
    for (size_t a = 0; a < m; a++)
        L[a + m * a] -= shift;
    if (m > 0 && LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (int)m, L, (int)m) != 0)
        return 0.0;
    for (size_t a = 0; a < m; a++)
        if (!(L[a + m * a] > 0.0 && L[a + m * a] < HUGE_VAL))
            return 0.0;
    return m > 0 ? (shift - off) * (1.0 - 8.0 * DBL_EPSILON) : 1.0;
}

double dls_stored_definite(const dls_stored *s, size_t m, const size_t *rows, double wanted, double *L)
{
    enum { SAMPLE = 256 }; /* rows that show soon that many are not definite */
    if (m > 4 * SAMPLE && !(dls_stored_definite(s, SAMPLE, rows, 0.0, L) > 0.0))
        return 0.0;
    const double square = symmetric_part(s, m, rows, L), mean = s->mirrored ? 0.0 : dls_unit_roundoff; /* of halves */
    double sizes = 0.0;
    for (size_t a = 0; a < m; a++)
        sizes += s->size[rows[a]] * s->size[rows[a]];
    return dls_definite_within(m, L, mean * dls_root_up(square, 2 * m * m) + s->slack * sizes, wanted);
}

double dls_stored_row(const dls_stored *s, size_t i, size_t m, const size_t *rows)
{
    double square = 0.0, sizes = 0.0;
    for (size_t a = 0; a < m; a++) {
        double h = s->H[rows[a] + s->n * i];
        square += h * h;
        sizes += s->size[rows[a]] * s->size[rows[a]];
    }
    return dls_up(dls_root_up(square, 2 * m) + s->slack * s->size[i] * dls_root_up(sizes, 2 * m), 8);
}
