/* Newton's matrix V = 1 - Q + P A of a map of cone_map.c, where A = G G^T + Lambda has few columns in G = J M^-1/2:
 * many contacts of few bodies. Lambda is the compliance of the rows and the shift of a proximal step.
 *
 *     V = B + P G G^T,   B = 1 - Q + P Lambda,   V^-1 r = x - C G S^-1 G^T x,
 *     x = B^-1 r,   C = B^-1 P,   S = 1 + G^T C G
 * (M. A. Woodbury, 1950). B has a block for each contact, 3 x 3 where the map couples all three rows. Else the normal
 * row comes first: under Alart and Curnier's map, where Q = P, it has Lambda_n inside its bounds and 1 beyond; a
 * tangent that sticks has Lambda_t, both that slide have the 2 x 2 block 1 - P_tt + P_tt Lambda_t, and -P_tn (1 -
 * Lambda_n) in the column of the normal row. S has one row for each velocity, and a contact adds the products of its
 * rows of G, which have entries for two bodies alone: the factor costs nv^3 / 3, and everything else little.
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
/* Whether the rows from the normal row i on are those of a map that couples all three. */
static bool is_whole(const dls_cone_row *rows, size_t i) { return rows[i].count == 3 && rows[i].column[0] == i; }

static double compliance_of(const dls_cone_velocities *v, size_t i, double shift)
{
    return v->root.compliance[i] + shift;
}

/* The entry of B of a row that depends on itself alone, or on nothing. */
static double own_entry(const dls_cone_velocities *v, const dls_cone_row *rows, size_t i, double shift)
{
    return rows[i].count == 0 ? 1.0 : 1.0 - rows[i].Q[0] + rows[i].P[0] * compliance_of(v, i, shift);
}

/* Less the entry of B of a tangent in the column of its normal row. */
static double normal_entry(const dls_cone_velocities *v, const dls_cone_row *row, double shift)
{
    return row->Q[0] - row->P[0] * compliance_of(v, row->column[0], shift);
}

/* The inverse of B of a whole contact in B, row by row, and its C. */
static void invert_whole(dls_cone_velocities *v, const dls_cone_row *rows, size_t i, double shift)
{
    double B[3][3], *inverse = v->B + 4 * i, det = 0.0;
    for (size_t r = 0; r < 3; r++)
        for (size_t k = 0; k < 3; k++)
            B[r][k] = (r == k) - rows[i + r].Q[k] + rows[i + r].P[k] * compliance_of(v, i + k, shift);
    for (size_t r = 0; r < 3; r++)
        for (size_t k = 0; k < 3; k++) {
            const size_t r1 = (r + 1) % 3, r2 = (r + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            inverse[3 * k + r] = B[r1][k1] * B[r2][k2] - B[r1][k2] * B[r2][k1];
        }
    for (size_t k = 0; k < 3; k++)
        det += B[0][k] * inverse[3 * k];
    for (size_t k = 0; k < 9; k++)
        inverse[k] /= det;
    for (size_t r = 0; r < 3; r++)
        for (size_t k = 0; k < 3; k++) {
            double *C = v->C + 3 * (i + r);
            C[k] = 0.0;
            for (size_t j = 0; j < 3; j++)
                C[k] += inverse[3 * r + j] * rows[i + j].P[k];
        }
}

/* The inverse of B_tt of two sliding tangents in B of the first, and their C. */
static void invert_tangents(dls_cone_velocities *v, const dls_cone_row *rows, size_t i, double shift)
{
    const double lambda[2] = {compliance_of(v, i, shift), compliance_of(v, i + 1, shift)};
    const double *P = rows[i].P + 1, *Q = rows[i].Q + 1, *next_P = rows[i + 1].P + 1, *next_Q = rows[i + 1].Q + 1;
    const double a = 1.0 - Q[0] + P[0] * lambda[0], b = -Q[1] + P[1] * lambda[1];
    const double c = -next_Q[0] + next_P[0] * lambda[0], e = 1.0 - next_Q[1] + next_P[1] * lambda[1];
    const double det = a * e - b * c, inverse[4] = {e / det, -b / det, -c / det, a / det};
    const double *of_normal = v->C + 3 * rows[i].column[0];
    memcpy(v->B + 4 * i, inverse, sizeof inverse);
    for (size_t t = 0; t < 2; t++)
        for (size_t k = 0; k < 3; k++) {
            double right[2] = {rows[i].P[k], rows[i + 1].P[k]};
            for (size_t s = 0; s < 2 && k == 0; s++)
                right[s] += normal_entry(v, &rows[i + s], shift) * of_normal[0];
            v->C[3 * (i + t) + k] = inverse[2 * t] * right[0] + inverse[2 * t + 1] * right[1];
        }
}

/* B^-1 and C of all rows; false where a row depends on the normal row of a whole contact that it is not part of. */
static bool invert_blocks(dls_cone_velocities *v, const dls_cone_row *rows, double shift)
{
    const dls_problem *p = v->d->problem;
    for (size_t i = 0; i < v->d->n; i++) {
        const dls_cone_row *row = &rows[i];
        double *C = v->C + 3 * i;
        if (p->parent[i] == DLS_NONE && is_whole(rows, i)) {
            invert_whole(v, rows, i, shift);
            i += 2;
        } else if (both_slide(row)) {
            if (row->column[1] == i) /* the first tangent: both */
                invert_tangents(v, rows, i, shift);
        } else if (row->count == 0) {
            C[0] = 0.0;
        } else if (row->column[0] == i) {
            C[0] = row->P[0] / own_entry(v, rows, i, shift);
        } else if (is_whole(rows, row->column[0])) {
            return false;
        } else {
            C[0] = row->P[0] + normal_entry(v, row, shift) * v->C[3 * row->column[0]];
        }
    }
    return true;
}

/* x = B^-1 r: normal rows come before their tangents. */
static void solve_blocks(const dls_cone_velocities *v, const dls_cone_row *rows, double shift, const double *r,
                         double *x)
{
    const dls_problem *p = v->d->problem;
    for (size_t i = 0; i < v->d->n; i++) {
        const dls_cone_row *row = &rows[i];
        const double *inverse = v->B + 4 * i;
        if (p->parent[i] == DLS_NONE && is_whole(rows, i)) {
            for (size_t k = 0; k < 3; k++)
                x[i + k] = inverse[3 * k] * r[i] + inverse[3 * k + 1] * r[i + 1] + inverse[3 * k + 2] * r[i + 2];
            i += 2;
        } else if (!both_slide(row)) {
            x[i] = row->count == 0 || row->column[0] == i ? r[i] / own_entry(v, rows, i, shift)
                                                          : r[i] + normal_entry(v, row, shift) * x[row->column[0]];
        } else if (row->column[1] == i) {
            const double along = x[row->column[0]];
            const double of[2] = {r[i] + normal_entry(v, row, shift) * along,
                                  r[i + 1] + normal_entry(v, row + 1, shift) * along};
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
    if (!invert_blocks(v, rows, shift) || !factorise_velocities(v, rows))
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
