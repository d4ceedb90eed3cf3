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

static size_t mass_length(const dls_problem *p, size_t k) { return p->mass.blocks[p->J.mass[k]].length; }

/* The parts of row i, one for each block of M that it acts on, in the units of q. */
static void fill_row(dls_cone_velocities *v, size_t i, size_t *count, double **values, double *y)
{
    const dls_problem *p = v->d->problem;
    v->start[i] = *count;
    for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++) {
        const dls_mass_block *block = &p->mass.blocks[p->J.mass[k]];
        bool known = false;
        for (size_t before = p->J.start[i]; before < k; before++)
            known = known || p->J.mass[before] == p->J.mass[k];
        if (known)
            continue;
        memset(y, 0, block->length * sizeof *y);
        for (size_t other = k; other < p->J.start[i + 1]; other++)
            for (size_t at = p->J.coef_at[other]; p->J.mass[other] == p->J.mass[k] && at < p->J.coef_at[other + 1];
                 at++)
                y[p->J.offset[other] - block->offset + (at - p->J.coef_at[other])] += p->J.coef[at];
        block->kind->half(block->data, y, *values);
        for (size_t r = 0; r < block->length; r++)
            (*values)[r] = ldexp((*values)[r], v->d->row_unit[i]);
        v->parts[(*count)++] = (dls_cone_part){.offset = block->offset, .length = block->length, .values = *values};
        *values += block->length;
    }
    v->start[i + 1] = *count;
    v->compliance[i] = ldexp(p->gamma[i], 2 * v->d->row_unit[i]);
}

void dls_cone_velocities_take(dls_cone_velocities *v, const dls_direct *d)
{
    const dls_problem *p = d->problem;
    const size_t n = d->n;
    *v = (dls_cone_velocities){.d = d, .nv = p->nv};
    v->available = p->form == DLS_FORM_MECHANICAL && p->nv > 0 && p->nv < n && d->redundant.k == 0 && d->n_twins == 0;
    if (!v->available)
        return;
    size_t count = 0, longest = 0, total = 0;
    for (size_t k = 0; k < p->J.start[n]; k++) {
        total += mass_length(p, k);
        longest = mass_length(p, k) > longest ? mass_length(p, k) : longest;
    }
    v->start = DLS_TAKE(d->memory, size_t, n + 1);
    v->parts = DLS_TAKE(d->memory, dls_cone_part, p->J.start[n]);
    v->pivots = DLS_TAKE(d->memory, lapack_int, p->nv);
    v->S = dls_take_matrix(d->memory, p->nv, p->nv);
    v->y = DLS_TAKE(d->memory, double, p->nv);
    v->B = DLS_TAKE(d->memory, double, 4 * n), v->C = DLS_TAKE(d->memory, double, 3 * n);
    DLS_DIRECT_VECTORS(d, &v->compliance, &v->x0, &v->rest, &v->image);
    double *values = DLS_TAKE(d->memory, double, total), *y = DLS_TAKE(d->memory, double, longest);
    for (size_t i = 0; !d->memory->failed && i < n; i++)
        fill_row(v, i, &count, &values, y);
}

bool dls_cone_velocities_suit(const dls_cone_velocities *v, double shift, size_t m)
{
    bool suits = v->available && 10 * v->nv <= 8 * m;
    for (size_t i = 0; suits && i < v->d->n; i++)
        suits = v->compliance[i] + shift >= least_compliance;
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
                C[k] = row->P[k] / (v->compliance[row->column[k]] + shift);
            continue;
        }
        if (row->column[1] == i) { /* the first tangent: both */
            const double *P = row->P + 1, *Q = row[1].P + 1;
            const double lambda[2] = {v->compliance[i] + shift, v->compliance[i + 1] + shift};
            const double a = 1.0 - P[0] + P[0] * lambda[0], b = -P[1] + P[1] * lambda[1];
            const double c = -Q[0] + Q[0] * lambda[0], e = 1.0 - Q[1] + Q[1] * lambda[1], det = a * e - b * c;
            const double inverse[4] = {e / det, -b / det, -c / det, a / det};
            memcpy(v->B + 4 * i, inverse, sizeof inverse);
            for (size_t t = 0; t < 2; t++)
                for (size_t k = 0; k < 3; k++)
                    C[3 * t + k] = (inverse[2 * t] * row->P[k] + inverse[2 * t + 1] * row[1].P[k]) /
                                   (k == 0 ? v->compliance[row->column[0]] + shift : 1.0);
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
            x[i] = rows[i].count == 0 ? r[i] : r[i] / (v->compliance[i] + shift);
    for (size_t i = 0; i < v->d->n; i++) {
        const dls_cone_row *row = &rows[i];
        const size_t normal = p->parent[i];
        if (normal == DLS_NONE)
            continue;
        const double along = (1.0 - v->compliance[normal] - shift) * x[normal];
        if (row->count == 0) {
            x[i] = r[i];
        } else if (!both_slide(row)) {
            x[i] = row->column[0] == i ? r[i] / (v->compliance[i] + shift) : r[i] + row->P[0] * along;
        } else if (row->column[1] == i) {
            const double *inverse = v->B + 4 * i;
            const double of[2] = {r[i] + row->P[0] * along, r[i + 1] + row[1].P[0] * along};
            x[i] = inverse[0] * of[0] + inverse[1] * of[1];
            x[i + 1] = inverse[2] * of[0] + inverse[3] * of[1];
        }
    }
}

/* --- S --- */

static void add_product(dls_cone_velocities *v, size_t i, size_t j, double share)
{
    for (size_t a = v->start[i]; a < v->start[i + 1]; a++)
        for (size_t b = v->start[j]; b < v->start[j + 1]; b++) {
            const dls_cone_part *left = &v->parts[a], *right = &v->parts[b];
            for (size_t c = 0; c < right->length; c++) {
                double *column = v->S + left->offset + v->nv * (right->offset + c);
                const double scaled = share * right->values[c];
                for (size_t r = 0; r < left->length; r++)
                    column[r] += left->values[r] * scaled;
            }
        }
}

static bool factorise_velocities(dls_cone_velocities *v, const dls_cone_row *rows)
{
    const lapack_int nv = (lapack_int)v->nv;
    memset(v->S, 0, v->nv * v->nv * sizeof *v->S);
    for (size_t k = 0; k < v->nv; k++)
        v->S[k + v->nv * k] = 1.0;
    for (size_t i = 0; i < v->d->n; i++)
        for (size_t k = 0; k < rows[i].count; k++)
            if (v->C[3 * i + k] != 0.0)
                add_product(v, i, rows[i].column[k], v->C[3 * i + k]);
    return dls_matrix_is_finite(v->nv, v->S, false) &&
           LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, nv, nv, v->S, nv, v->pivots) == 0;
}

/* x += V^-1 r, by the factor. */
static void add_solution(dls_cone_velocities *v, const dls_cone_row *rows, double shift, const double *r, double *x)
{
    const lapack_int nv = (lapack_int)v->nv;
    solve_blocks(v, rows, shift, r, v->x0);
    memset(v->y, 0, v->nv * sizeof *v->y);
    for (size_t i = 0; i < v->d->n; i++)
        for (const dls_cone_part *part = v->parts + v->start[i]; part < v->parts + v->start[i + 1]; part++)
            for (size_t c = 0; c < part->length; c++)
                v->y[part->offset + c] += part->values[c] * v->x0[i];
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', nv, 1, v->S, nv, v->pivots, v->y, nv);
    for (size_t i = 0; i < v->d->n; i++) {
        v->image[i] = 0.0;
        for (const dls_cone_part *part = v->parts + v->start[i]; part < v->parts + v->start[i + 1]; part++)
            for (size_t c = 0; c < part->length; c++)
                v->image[i] += part->values[c] * v->y[part->offset + c];
    }
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
