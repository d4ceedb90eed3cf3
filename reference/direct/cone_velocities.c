/* Newton's matrix V = 1 - P + P A of Alart and Curnier's map (cone_map.c), where A = G G^T + Lambda has few columns in
 * G = J M^-1/2: many contacts of few bodies. Lambda is the compliance of the rows and the shift of a proximal step.
 *
 *     V = B + P G G^T,   B = 1 - P + P Lambda,   V^-1 r = x - C G S^-1 G^T x,
 *     x = B^-1 r,   C = B^-1 P,   S = 1 + G^T C G
 * (M. A. Woodbury, 1950). B has a block for each contact, in which the normal row comes first: Lambda_n inside its
 * bounds, 1 beyond; a tangent that sticks has Lambda_t, both that slide have the 2 x 2 block 1 - P_tt + P_tt Lambda_t,
 * and below the normal row -P_tn (1 - Lambda_n). So C has the entries P / Lambda there, and in the blocks of sliding
 * tangents B_tt^-1 P. S has one row for each velocity, and a contact adds the products of its rows of G, which have
 * entries for two bodies alone: the factor costs nv^3 / 3, and everything else little.
 *
 * 1 / Lambda is large, and x loses as many digits as it has; a step of refinement gets them back. Below a least Lambda
 * the factor of the rows themselves is better. */
#include "cone_velocities.h"

static const double least_compliance = 1e-9, accuracy = 1e-9;

void dls_cone_velocities_take(dls_cone_velocities *v, const dls_direct *d)
{
    const size_t n = d->n;
    *v = (dls_cone_velocities){.d = d};
    dls_root_take_mechanical(&v->root, d);
    v->nv = v->root.columns;
    if (!v->root.start)
        return;
    v->pivots = DLS_TAKE(d->memory, lapack_int, v->nv);
    v->S = dls_take_matrix(d->memory, v->nv, v->nv);
    v->y = DLS_TAKE(d->memory, double, v->nv);
    v->B = DLS_TAKE(d->memory, double, 4 * n), v->C = DLS_TAKE(d->memory, double, 3 * n);
    DLS_DIRECT_VECTORS(d, &v->x0, &v->rest, &v->image);
}

bool dls_cone_velocities_suit(const dls_cone_velocities *v, double shift, size_t m)
{
    bool suits = v->root.start && 10 * v->nv <= 8 * m;
    for (size_t i = 0; suits && i < v->d->n; i++)
        suits = v->root.compliance[i] + shift >= least_compliance;
    return suits;
}

/* --- B and C --- */

static bool both_slide(const dls_cone_row *row) { return row->count == 3; }

/* The inverse of B_tt of two sliding tangents, in B of the first, and C of all rows. */
static void invert_blocks(dls_cone_velocities *v, const dls_cone_row *rows, double shift)
{
    for (size_t i = 0; i < v->d->n; i++) {
        const dls_cone_row *row = &rows[i];
        double *C = v->C + 3 * i;
        if (!both_slide(row)) {
            for (size_t k = 0; k < row->count; k++)
                C[k] = row->P[k] / (v->root.compliance[row->column[k]] + shift);
            continue;
        }
        if (row->column[1] == i) { /* the first tangent: both */
            const double *P = row->P + 1, *Q = row[1].P + 1;
            const double lambda[2] = {v->root.compliance[i] + shift, v->root.compliance[i + 1] + shift};
            const double a = 1.0 - P[0] + P[0] * lambda[0], b = -P[1] + P[1] * lambda[1];
            const double c = -Q[0] + Q[0] * lambda[0], e = 1.0 - Q[1] + Q[1] * lambda[1], det = a * e - b * c;
            const double inverse[4] = {e / det, -b / det, -c / det, a / det};
            memcpy(v->B + 4 * i, inverse, sizeof inverse);
            for (size_t t = 0; t < 2; t++)
                for (size_t k = 0; k < 3; k++)
                    C[3 * t + k] = (inverse[2 * t] * row->P[k] + inverse[2 * t + 1] * row[1].P[k]) /
                                   (k == 0 ? v->root.compliance[row->column[0]] + shift : 1.0);
        }
    }
}

/* x = B^-1 r: normal rows and all others without a parent first. */
static void solve_blocks(const dls_cone_velocities *v, const dls_cone_row *rows, double shift, const double *r,
                         double *x)
{
    const dls_problem *p = v->d->problem;
    for (size_t i = 0; i < v->d->n; i++)
        if (p->parent[i] == DLS_NONE)
            x[i] = rows[i].count == 0 ? r[i] : r[i] / (v->root.compliance[i] + shift);
    for (size_t i = 0; i < v->d->n; i++) {
        const dls_cone_row *row = &rows[i];
        const size_t normal = p->parent[i];
        if (normal == DLS_NONE)
            continue;
        const double along = (1.0 - v->root.compliance[normal] - shift) * x[normal];
        if (row->count == 0) {
            x[i] = r[i];
        } else if (!both_slide(row)) {
            x[i] = row->column[0] == i ? r[i] / (v->root.compliance[i] + shift) : r[i] + row->P[0] * along;
        } else if (row->column[1] == i) {
            const double *inverse = v->B + 4 * i;
            const double of[2] = {r[i] + row->P[0] * along, r[i + 1] + row[1].P[0] * along};
            x[i] = inverse[0] * of[0] + inverse[1] * of[1];
            x[i + 1] = inverse[2] * of[0] + inverse[3] * of[1];
        }
    }
}

/* --- S --- */

static bool factorise_velocities(dls_cone_velocities *v, const dls_cone_row *rows)
{
    const lapack_int nv = (lapack_int)v->nv;
    memset(v->S, 0, v->nv * v->nv * sizeof *v->S);
    for (size_t k = 0; k < v->nv; k++)
        v->S[k + v->nv * k] = 1.0;
    for (size_t i = 0; i < v->d->n; i++)
        for (size_t k = 0; k < rows[i].count; k++)
            if (v->C[3 * i + k] != 0.0)
                dls_root_add_product(&v->root, i, rows[i].column[k], v->C[3 * i + k], v->S);
    return dls_matrix_is_finite(v->nv, v->S, false) &&
           LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, nv, nv, v->S, nv, v->pivots) == 0;
}

/* x += V^-1 r, by the factor. */
static void add_solution(dls_cone_velocities *v, const dls_cone_row *rows, double shift, const double *r, double *x)
{
    const lapack_int nv = (lapack_int)v->nv;
    solve_blocks(v, rows, shift, r, v->x0);
    dls_root_multiply_transposed(&v->root, v->x0, v->y);
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', nv, 1, v->S, nv, v->pivots, v->y, nv);
    dls_root_multiply(&v->root, v->y, v->image);
    for (size_t i = 0; i < v->d->n; i++) {
        double moved = 0.0;
        for (size_t k = 0; k < rows[i].count; k++)
            moved += v->C[3 * i + k] * v->image[rows[i].column[k]];
        x[i] += v->x0[i] - moved;
    }
}

bool dls_cone_velocities_solve(dls_cone_velocities *v, const dls_cone_row *rows, double shift, const double *right,
                               double *x)
{
    enum { REFINEMENTS = 3 };
    const size_t n = v->d->n;
    double size = 0.0;
    invert_blocks(v, rows, shift);
    if (!factorise_velocities(v, rows))
        return false;
    memset(x, 0, n * sizeof *x);
    memcpy(v->rest, right, n * sizeof *right);
    for (size_t i = 0; i < n; i++)
        size = fmax(size, fabs(right[i]));
    double last = HUGE_VAL;
    for (int k = 0; k <= REFINEMENTS && !(last <= DBL_EPSILON * size); k++) {
        double largest = 0.0;
        add_solution(v, rows, shift, v->rest, x);
        dls_cone_map_apply(v->d, rows, x, v->x0, v->image);
        for (size_t i = 0; i < n; i++) {
            v->rest[i] = right[i] - v->image[i];
            largest = isnan(v->rest[i]) ? HUGE_VAL : fmax(largest, fabs(v->rest[i]));
        }
        if (!(largest <= 0.1 * last) && last <= accuracy * size)
            return true;
        last = largest;
    }
    return last <= accuracy * size;
}
