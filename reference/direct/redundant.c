/* Redundant rows of closed loops.
 *
 * A loop of joints may have more rows than it needs and still move: a four-bar linkage, or Bennett's, whose four axes
 * are neither parallel nor meet. Its Jacobian has a SELF-STRESS, impulses N != 0 of its rows that leave every body at
 * rest, J^T N = 0, so that rows N^T w = N^T b cannot be changed by any impulse. That holds where the loop is closed,
 * C = 0. A simulation evaluates J at a configuration that is off by |C|, where J^T N is of the order of |C|: then the
 * rows are independent by the letter, but only by an error, and the exact solution of the problem as stored is either a
 * linkage that locks or one that is torn apart by impulses of size 1 / |C|.
 *
 * WHICH ROWS? With l the longest lever of the linear rows, the direction of row i is uncertain by the angle
 *     phi_i = |C_i| / l of a linear row, |C_i| of an angular one
 * and N is a self-stress if on every body k, force and torque apart,
 * |sum_i J_ik^T N_i| <= K phi(N) sum_i |J_ik^T N_i| + 1e-13 max |N| sum_i |J_ik|, phi(N) = max_i phi_i |N_i| / max_j
 * |N_j|: what acts on the body cancels, but for the error of closure. That is a statement of statics and holds whatever
 * the masses are: the rows of a light body between heavy ones are nearly dependent in A, but no self-stress, for on the
 * last body of a chain nothing cancels. Candidates are the singular vectors of J, lengths in units of l, whose singular
 * values are small enough. Where K phi(N) is above a tenth nothing can be told, and the rows are taken as they are.
 *
 * Nor may the rows contradict each other by more than that explains: with b_i = J_i v* - c_i
 *     |N^T b| <= sum_i |N_i| (K phi(N) |J_i| |v*| + |bias_i| + rounding of b_i),
 * where bias_i is the part of c_i that corrects C_i: a target speed that differs from another one on the same axis is
 * no error of closure, and such rows have no solution.
 *
 * WHAT THEN? v+ is that of the least squares: among all w of these rows with the given N^T w the one of least
 * sum w_i^2 / A_ii, which is
 *     w = D N (N^T D N)^-1 N^T b,  D = diag(A).
 * With N^T D N = 1 and Q = 1 - D N N^T,
 *     A'' = Q A Q^T + D N N^T D,   b'' = Q b
 * has the same v+: N^T A'' lambda = N^T D lambda = 0 says that of all impulses that make it lambda is the one of least
 * sum A_ii lambda_i^2, and A'' is definite on these rows if the self-stresses are all that A lacks. A row that nothing
 * moves, A_ii = 0, counts as a self-stress N = e_i with D_ii = 1: its w is b_i, and its impulse 0. */
#include "redundant.h"

#include "blas.h"

#include <lapacke.h>

static const double closure = 2.0, widest = 0.1; /* K, and the largest K phi */
static const double rounding = 1e-13;            /* of J^T N beside its terms */

/* A body's force and torque, or the generalised force of another block of M: columns that have one unit. */
typedef struct part {
    size_t first, length;
    bool angular; /* the torque of a body: lengths enter */
} part;

typedef struct geometry {
    const dls_problem *p;
    part *parts;
    size_t n_parts, *part_of;  /* of each velocity */
    double lever, *phi, *bias; /* n */
    double angle;              /* the largest phi, below widest / closure */
    dls_arena *scratch;
    bool *linear;                /* n */
    double *sum, *terms, *sizes; /* nv; n_parts: sum_i |J_ik^T N_i|, sum_i |J_ik| */
} geometry;

static void take_parts(geometry *g, dls_arena *memory)
{
    const dls_mass *mass = &g->p->mass;
    g->parts = DLS_TAKE(memory, part, 2 * mass->n_blocks);
    g->part_of = DLS_TAKE(memory, size_t, g->p->nv);
    for (size_t k = 0; !memory->failed && k < mass->n_blocks; k++) {
        const dls_mass_block *block = &mass->blocks[k];
        const bool body = block->kind == &dls_mass_body_kind;
        const size_t split = body ? block->length / 2 : block->length;
        g->parts[g->n_parts++] = (part){block->offset, split, false};
        if (body)
            g->parts[g->n_parts++] = (part){block->offset + split, block->length - split, true};
    }
    for (size_t k = 0; !memory->failed && k < g->n_parts; k++)
        for (size_t j = 0; j < g->parts[k].length; j++)
            g->part_of[g->parts[k].first + j] = k;
}

/* |J_ik|^2 of a row in the angular parts of bodies, or in the others. */
static double square_of_row(const geometry *g, size_t i, bool angular)
{
    const dls_rows *J = &g->p->J;
    double sum = 0.0;
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
        for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++)
            sum += g->parts[g->part_of[j]].angular == angular ? J->coef[at] * J->coef[at] : 0.0;
    return sum;
}

/* The longest lever, and the angle by which each row is uncertain; returns the largest angle. */
static double take_angles(geometry *g, const dls_row_list *list, size_t f, const size_t *rows)
{
    double largest = 0.0;
    g->lever = 0.0;
    for (size_t k = 0; k < f; k++) {
        size_t i = rows[k];
        g->linear[i] = !(list && list->row[i].angular) && square_of_row(g, i, false) > 0.0;
        if (g->linear[i])
            g->lever = fmax(g->lever, sqrt(square_of_row(g, i, true)));
    }
    for (size_t k = 0; k < f; k++) {
        size_t i = rows[k];
        g->bias[i] = list ? fabs(list->row[i].bias) : 0.0;
        g->phi[i] = list && list->row[i].C != 0.0 ? fabs(list->row[i].C) / (g->linear[i] ? g->lever : 1.0) : 0.0;
        largest = fmax(largest, g->phi[i]);
    }
    return largest;
}

/* Whether N^T b is due to the error of closure: a true contradiction has no solution. Each entry of N has the
 * rounding of the largest one, and so has N^T b a part of rows that are not in N. */
static bool is_due_to_closure(const geometry *g, size_t f, const size_t *rows, const double *N, double phi,
                              double largest)
{
    static const double granted = 64.0; /* roundings of each term of b, as the examiner has it */
    const dls_rows *J = &g->p->J;
    double along = 0.0, allowed = 0.0;
    for (size_t r = 0; r < f; r++) {
        const size_t i = rows[r];
        double b = -g->p->c[i], terms = 0.0;
        size_t count = 2;
        for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
            for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++, count++) {
                b += J->coef[at] * g->p->v_star[j];
                terms += fabs(J->coef[at] * g->p->v_star[j]);
            }
        along += N[r] * b;
        allowed += fabs(N[r]) * (closure * phi * terms + g->bias[i]) +
                   granted * ((double)count * fabs(N[r]) + largest) * DBL_EPSILON * (terms + fabs(g->p->c[i]));
    }
    return fabs(along) <= allowed;
}

/* Whether N (f entries: impulses of the rows) leaves every body at rest, to the error of closure. */
static bool is_self_stress(const geometry *g, size_t f, const size_t *rows, const double *N)
{
    const dls_rows *J = &g->p->J;
    double largest = 0.0, phi = 0.0; /* max |N|, phi(N) */
    for (size_t r = 0; r < f; r++) {
        phi = fmax(phi, g->phi[rows[r]] * fabs(N[r]));
        largest = fmax(largest, fabs(N[r]));
    }
    phi /= largest;
    if (!(closure * phi <= widest && is_due_to_closure(g, f, rows, N, phi, largest)))
        return false;
    memset(g->sum, 0, g->p->nv * sizeof *g->sum);
    memset(g->terms, 0, g->n_parts * sizeof *g->terms);
    memset(g->sizes, 0, g->n_parts * sizeof *g->sizes);
    for (size_t r = 0; r < f; r++) {
        for (size_t k = J->start[rows[r]]; k < J->start[rows[r] + 1]; k++) {
            size_t j = J->offset[k];
            for (size_t at = J->coef_at[k]; at < J->coef_at[k + 1];) {
                const size_t of = g->part_of[j], end = g->parts[of].first + g->parts[of].length;
                double square = 0.0;
                for (; at < J->coef_at[k + 1] && j < end; at++, j++) {
                    g->sum[j] += J->coef[at] * N[r];
                    square += J->coef[at] * J->coef[at];
                }
                g->terms[of] += sqrt(square) * fabs(N[r]);
                g->sizes[of] += sqrt(square);
            }
        }
    }
    for (size_t k = 0; k < g->n_parts; k++)
        if (!(cblas_dnrm2((int)g->parts[k].length, g->sum + g->parts[k].first, 1) <=
              closure * phi * g->terms[k] + rounding * largest * g->sizes[k]))
            return false;
    return true;
}

/* Rows that hold both ways and give nothing, of those that impulses move or of the others; returns how many. */
static size_t list_bilateral(const dls_problem *p, const dls_dense *q, bool moved, size_t *rows)
{
    size_t f = 0;
    for (size_t i = 0; i < p->n; i++)
        if (isinf(p->lo[i]) && isinf(p->hi[i]) && p->gamma[i] == 0.0 && p->law[i] == DLS_LAW_FIXED &&
            moved == (q->A[i + q->n * i] > 0.0))
            rows[f++] = i;
    return f;
}

/* D; a row that nothing moves has a self-stress of its own, N = e_i, and 1 in the place of A_ii = 0. */
static double weight_of_row(const dls_redundant *r, const dls_dense *q, size_t i)
{
    const double diagonal = q->A[r->rows[i] + q->n * r->rows[i]];
    return diagonal > 0.0 ? diagonal : 1.0;
}

/* Adds N, which becomes N of D-norm 1, and D-orthogonal to those before it, twice for the sake of rounding; unless
 * nothing is left of it. */
static void add_self_stress(dls_redundant *r, const dls_direct *d, double *N)
{
    double before = 0.0, norm = 0.0, *DN = r->DN + r->f * r->k;
    for (size_t i = 0; i < r->f; i++)
        N[i] = ldexp(N[i], -d->row_unit[r->rows[i]]);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t c = 0; c < r->k; c++) {
            double along = cblas_ddot((int)r->f, r->DN + r->f * c, 1, N, 1);
            cblas_daxpy((int)r->f, -along, r->N + r->f * c, 1, N, 1);
        }
        norm = 0.0;
        for (size_t i = 0; i < r->f; i++)
            norm += weight_of_row(r, &d->q, i) * N[i] * N[i];
        before = pass == 0 ? norm : before;
        for (size_t i = 0; i < r->f; i++)
            N[i] /= sqrt(norm);
    }
    for (size_t i = 0; i < r->f; i++)
        DN[i] = weight_of_row(r, &d->q, i) * N[i];
    r->k += isfinite(before) && norm > 0.5;
}

/* Self-stresses among the first m rows, which impulses move: singular vectors of J. */
static dls_status find_in_loops(const dls_direct *d, const geometry *g, size_t m, double *Vt, dls_redundant *r,
                                dls_error *error)
{
    const dls_problem *p = d->problem;
    const size_t f = r->f, rank = m < p->nv ? m : p->nv;
    const lapack_int rows = (lapack_int)p->nv, columns = (lapack_int)m, room = 69 * (rows + columns);
    double *Jt = DLS_TAKE(g->scratch, double, p->nv *m), *sigma = DLS_TAKE(g->scratch, double, rank), unused;
    double *work = DLS_TAKE(g->scratch, double, (size_t)room);
    if (g->scratch->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the redundant rows of %zu", p->n);
    const double length =
        g->lever > 0.0 ? g->lever : 1.0;   /* without a lever no length enters but those of angular rows */
    memset(Jt, 0, p->nv * m * sizeof *Jt); /* J of these rows as columns, lengths in units of `length` */
    for (size_t i = 0; i < m; i++) {
        double *column = Jt + p->nv * i;
        dls_rows_axpy(&p->J, r->rows[i], g->linear[r->rows[i]] ? 1.0 : 1.0 / length, column);
        for (size_t j = 0; j < p->nv; j++)
            column[j] *= g->parts[g->part_of[j]].angular ? 1.0 / length : 1.0;
    }
    if (LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'A', rows, columns, Jt, rows, sigma, &unused, 1, Vt, columns, work,
                            room) != 0)
        return DLS_OK;
    for (size_t c = 0; c < m; c++) { /* the singular vectors are rows of Vt, the smallest last */
        const size_t of = m - 1 - c;
        double *N = r->N + f * r->k;
        memset(N, 0, f * sizeof *N);
        for (size_t i = 0; i < m; i++)
            N[i] = Vt[of + m * i] * (g->linear[r->rows[i]] ? 1.0 : 1.0 / length);
        if (of < rank && sigma[of] > (closure * g->angle + rounding) * sqrt((double)m) * sigma[0])
            break;
        if (is_self_stress(g, f, r->rows, N))
            add_self_stress(r, d, N);
    }
    return DLS_OK;
}

dls_status dls_redundant_find(const dls_direct *d, dls_arena *keep, dls_arena *scratch, dls_redundant *r,
                              dls_error *error)
{
    const dls_problem *p = d->problem;
    const dls_row_list *list = dls_problem_rows(p);
    geometry g = {.p = p, .scratch = scratch};
    *r = (dls_redundant){0};
    if (p->form != DLS_FORM_MECHANICAL || p->n == 0)
        return DLS_OK;
    DLS_TRY(dls_blas_ready(error));
    r->rows = DLS_TAKE(keep, size_t, p->n);
    g.phi = DLS_TAKE(scratch, double, p->n), g.bias = DLS_TAKE(scratch, double, p->n);
    g.linear = DLS_TAKE(scratch, bool, p->n);
    take_parts(&g, scratch);
    g.sum = DLS_TAKE(scratch, double, p->nv), g.terms = DLS_TAKE(scratch, double, g.n_parts),
    g.sizes = DLS_TAKE(scratch, double, g.n_parts);
    if (keep->failed || scratch->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the redundant rows of %zu", p->n);
    const size_t moved = list_bilateral(p, &d->q, true, r->rows);
    const size_t f = r->f = moved + list_bilateral(p, &d->q, false, r->rows + moved);
    if (f == 0)
        return DLS_OK;
    g.angle = fmin(take_angles(&g, list, f, r->rows), widest / closure);
    double *A = DLS_TAKE(scratch, double, moved *moved);
    /* A self-stress has N^T A N <= (K phi sum over the parts of |L^-1 J_ik^T N_i|)^2, at most 16 (K phi)^2 f |N|^2 for
     * a diagonal below 2: where A_FF less that is definite, there is none. */
    const double square = (closure * g.angle) * (closure * g.angle);
    for (size_t j = 0; A && j < moved; j++) {
        for (size_t i = 0; i < moved; i++)
            A[i + moved * j] = d->q.A[r->rows[i] + d->q.n * r->rows[j]];
        A[j + moved * j] -= (16.0 * square + 4.0 * DBL_EPSILON) * (double)moved;
    }
    const lapack_int size = (lapack_int)moved;
    const bool loops = moved > 0 && !(A && LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', size, A, size) == 0);
    if (!loops && f == moved)
        return DLS_OK;
    r->N = DLS_TAKE(keep, double, f *f), r->DN = DLS_TAKE(keep, double, f *f), r->left = DLS_TAKE(keep, double, f);
    if (keep->failed || scratch->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the redundant rows of %zu", p->n);
    if (loops)
        DLS_TRY(find_in_loops(d, &g, moved, A, r, error));
    for (size_t i = moved; i < f; i++) {
        double *N = r->N + f * r->k;
        memset(N, 0, f * sizeof *N);
        N[i] = 1.0;
        if (is_self_stress(&g, f, r->rows, N))
            add_self_stress(r, d, N);
    }
    return DLS_OK;
}

void dls_redundant_project(const dls_redundant *r, double *w, double *left)
{
    if (left)
        memset(left, 0, r->f * sizeof *left);
    for (size_t c = 0; c < r->k; c++) {
        const double *N = r->N + r->f * c, *DN = r->DN + r->f * c;
        double along = 0.0;
        for (size_t i = 0; i < r->f; i++)
            along += N[i] * w[r->rows[i]];
        for (size_t i = 0; i < r->f; i++) {
            w[r->rows[i]] -= along * DN[i];
            if (left)
                left[i] += along * DN[i];
        }
    }
}

void dls_redundant_remove(dls_redundant *r, dls_dense *q)
{
    const size_t n = q->n;
    if (r->k == 0)
        return;
    dls_redundant_project(r, q->b, r->left);
    for (size_t j = 0; j < n; j++)
        dls_redundant_project(r, q->A + n * j, NULL);
    for (size_t c = 0; c < r->k; c++) {
        const double *N = r->N + r->f * c, *DN = r->DN + r->f * c;
        for (size_t i = 0; i < n; i++) {
            double along = 0.0;
            for (size_t j = 0; j < r->f; j++)
                along += q->A[i + n * r->rows[j]] * N[j];
            for (size_t j = 0; j < r->f; j++)
                q->A[i + n * r->rows[j]] -= along * DN[j];
        }
    }
    for (size_t c = 0; c < r->k; c++)
        for (size_t j = 0; j < r->f; j++)
            for (size_t i = 0; i < r->f; i++)
                q->A[r->rows[i] + n * r->rows[j]] += r->DN[i + r->f * c] * r->DN[j + r->f * c];
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < j; i++)
            q->A[i + n * j] = q->A[j + n * i];
}
