/* Descent on the faces of the box: a finite method for symmetric positive SEMIDEFINITE A, with nothing added to A.
 *
 * For such A the mixed LCP is the optimality condition of the convex problem
 *     minimise  f(lambda) = 1/2 lambda^T A lambda + b^T lambda   over   lo <= lambda <= hi,      grad f = w.
 * The state is a lambda within its bounds and a set F of rows with A_FF positive definite (Cholesky factor R^T R =
 * A_FF) and w_F = 0. Let k be a row outside F that can lower f, by a move with the sign s = -sign(w_k). The direction
 *     z_k = s,   A_FF z_F = -s A_Fk   has   (A z)_F = 0,   (A z)_k = s kappa,
 *     kappa = z^T A z = a_kk - A_kF A_FF^-1 A_Fk >= 0:
 * along it w_F stays 0 and |w_k| shrinks at the rate kappa. A step can end in three ways:
 *   1. w_k = 0 is reached (kappa > 0): k joins F, and A_FF stays definite because its new pivot is kappa.
 *   2. A row j of F reaches a bound: it leaves F, and the next step has the same k. Where kappa = 0, z is the only
 *      null vector of the enlarged block and z_j != 0, so without j the block is definite again. If j = k, the row has
 *      crossed from one bound to the other, and F keeps w_F = 0.
 *   3. Nothing ends it: kappa = 0 and no bound lies ahead. A is semidefinite, so z^T A z = 0 means A z = 0, while b.z =
 *      w.z < 0; z_i >= 0 where only lo_i is finite, z_i <= 0 where only hi_i is, and z_i = 0 where both are. That is a
 *      Farkas vector: z.w = b.z < 0 for every lambda, but a solution would have z.w >= 0.
 * Dependent rows rarely agree to the last bit. If b.z is below `consistency`, the contradiction is taken for rounding:
 * k is held where it is, and the report gives the number of held rows and the largest w left on them. If it is above
 * that, but below what the rounding left in A z amounts to with the largest impulses of a solution (dls_reach), exact
 * arithmetic decides (farkas.c): which of the dependent rows comes last, and what rounding its z has, must not.
 *
 * The method is finite. In a step of length 0 (rows that touch their bound already) F only shrinks, and k does not
 * leave, for it moves away from its bound; with F = {} the step is positive. So between two choices of k the value f
 * falls strictly. It is the minimum over the face given by F and by the bounds of the other rows, so no face returns,
 * and there are finitely many. No rule for ties is needed; k is the row with the largest |w_k|, all scaled to a_kk = 1.
 * A start with w_F != 0 first walks to the minimum of its face, d_F = -A_FF^-1 w_F, and rows that reach a bound leave.
 *
 * Active sets on a box: Fletcher, Practical Methods of Optimization, section 10.5. The driving variable k is that of
 * Dantzig and Cottle 1968 and Keller 1973, but the signs of the other w_i are not protected here: f is what falls. */
#include "active_set.h"

/* An entry of z below this share of the largest one is rounding: A_FF of a condition number up to 1e6
 * leaves it 1e-10. */
static const double negligible = 1e-10;
/* A z of a null vector, |z_i| <= 1, as a share of the terms it sums: what the factor of a block of condition number
 * 1e6 leaves. */
static const double null_tolerance = 1e-9;
/* A new factor takes only rows whose pivot is that far above rounding. */
static const double pivot_margin = 1e4;

typedef struct dls_active_set {
    const dls_direct *direct;
    const dls_dense *d;
    const dls_active_set_limits *limits;
    size_t n, f;
    size_t *row;         /* F in the order of the factor */
    bool *inside, *held; /* n; inside is the caller's */
    double *against;     /* n: of rows held, -b.z for max |z_i| = 1 over max |b_i| */
    double *R;           /* upper triangle, leading dimension n */
    double *w, *z, *Az, *t, *largest;
    double *lambda; /* the caller's */
    dls_report *report;
} face;

/* max |z_i| */
static double size_of_z(const face *a)
{
    double largest = 0.0;
    for (size_t i = 0; i < a->n; i++)
        largest = fmax(largest, fabs(a->z[i]));
    return largest;
}

static double slack_of_row(const face *a, size_t i, double direction)
{
    return direction > 0.0 ? a->d->hi[i] - a->lambda[i] : a->lambda[i] - a->d->lo[i];
}

static void solve_upper(const face *a, bool transposed, double *x)
{
    if (a->f > 0)
        cblas_dtrsv(CblasColMajor, CblasUpper, transposed ? CblasTrans : CblasNoTrans, CblasNonUnit, (int)a->f, a->R,
                    (int)a->n, x, 1);
}

/* t = R^-T A_Fk; returns the pivot a_kk - t.t */
static double border_factor(face *a, size_t k)
{
    const double *column = a->d->A + a->n * k;
    for (size_t p = 0; p < a->f; p++)
        a->t[p] = column[a->row[p]];
    solve_upper(a, true, a->t);
    return column[k] - cblas_ddot((int)a->f, a->t, 1, a->t, 1);
}

static void add_row(face *a, size_t k, double pivot)
{
    memcpy(a->R + a->n * a->f, a->t, a->f * sizeof *a->t);
    a->R[a->f + a->n * a->f] = sqrt(pivot);
    a->row[a->f++] = k;
    a->inside[k] = true;
}

/* Without column p, R is upper Hessenberg from there on: one Givens rotation a column makes it a triangle again. */
static void drop_row(face *a, size_t p)
{
    a->inside[a->row[p]] = false;
    a->f--;
    for (size_t c = p; c < a->f; c++) {
        a->row[c] = a->row[c + 1];
        memcpy(a->R + a->n * c, a->R + a->n * (c + 1), (c + 2) * sizeof *a->R);
    }
    for (size_t c = p; c < a->f; c++) {
        double *column = a->R + a->n * c, cosine, sine;
        cblas_drotg(&column[c], &column[c + 1], &cosine, &sine);
        if (c + 1 < a->f)
            cblas_drot((int)(a->f - c - 1), column + a->n + c, (int)a->n, column + a->n + c + 1, (int)a->n, cosine,
                       sine);
    }
}

/* The first row of F (by its place), or `k` at place f, that z takes to a bound, and the step to there. */
static size_t find_blocking(const face *a, size_t k, double *step)
{
    size_t place = SIZE_MAX;
    double largest = size_of_z(a);
    *step = HUGE_VAL;
    for (size_t p = 0; p < a->f + (k < a->n); p++) {
        size_t i = p < a->f ? a->row[p] : k;
        if (fabs(a->z[i]) <= negligible * largest)
            continue;
        double reach = slack_of_row(a, i, a->z[i]) / fabs(a->z[i]);
        if (reach < *step) {
            *step = reach;
            place = p;
        }
    }
    return place;
}

static void form_Az(face *a)
{
    int n = (int)a->n;
    cblas_dsymv(CblasColMajor, CblasLower, n, 1.0, a->d->A, n, a->z, 1, 0.0, a->Az, 1);
}

/* lambda and w along z; the row that blocks (SIZE_MAX: none) lands on its bound exactly. */
static void walk_along_z(face *a, double step, size_t blocked)
{
    for (size_t i = 0; i < a->n; i++) {
        if (a->z[i] != 0.0)
            a->lambda[i] = dls_bound_clamp(a->d, i, a->lambda[i] + step * a->z[i]);
        a->w[i] += step * a->Az[i];
    }
    if (blocked < a->n)
        a->lambda[blocked] = a->z[blocked] > 0.0 ? a->d->hi[blocked] : a->d->lo[blocked];
    a->report->iterations++;
}

/* z of the derivation for row k; returns kappa, or 0 where it is only rounding: the factor stands for A_FF + E with
 * |E_ij| <= n eps sqrt(a_ii a_jj), so that kappa is known to z^T E z. */
static double form_direction(face *a, size_t k, double sign)
{
    double pivot = border_factor(a, k), spread = sqrt(a->d->A[k + a->n * k]);
    memset(a->z, 0, a->n * sizeof *a->z);
    solve_upper(a, false, a->t);
    for (size_t p = 0; p < a->f; p++) {
        size_t i = a->row[p];
        a->z[i] = -sign * a->t[p];
        spread += fabs(a->z[i]) * sqrt(a->d->A[i + a->n * i]);
    }
    a->z[k] = sign;
    form_Az(a);
    return fabs(pivot) <= (double)a->n * DBL_EPSILON * spread * spread ? 0.0 : pivot;
}

/* The sign of the move of row i that lowers f, or 0. A row between its bounds moves either way. */
static double wished_sign(const face *a, size_t i, double sum)
{
    double allowed = a->limits->tolerance * (fabs(a->d->b[i]) + a->largest[i] * sum);
    if (a->w[i] < -allowed && a->lambda[i] < a->d->hi[i])
        return 1.0;
    return a->w[i] > allowed && a->lambda[i] > a->d->lo[i] ? -1.0 : 0.0;
}

static size_t most_wrong(const face *a)
{
    size_t worst = SIZE_MAX;
    double sum = 0.0, most = 0.0;
    for (size_t i = 0; i < a->n; i++)
        sum += fabs(a->lambda[i]);
    for (size_t i = 0; i < a->n; i++)
        if (!a->inside[i] && !a->held[i] && fabs(a->w[i]) > most && wished_sign(a, i, sum) != 0.0) {
            most = fabs(a->w[i]);
            worst = i;
        }
    return worst;
}

/* Row k can move without end along z. Scaled to max |z_i| = 1, z is a proof where A z = 0. */
static dls_status end_endless(face *a, size_t k, dls_error *error)
{
    double largest = size_of_z(a), slack = 0.0;
    for (size_t i = 0; i < a->n; i++) {
        bool rounding = fabs(a->z[i]) <= negligible * largest && !dls_bound_free(a->d, i);
        a->z[i] = rounding ? 0.0 : a->z[i] / largest;
    }
    form_Az(a);
    for (size_t i = 0; i < a->n; i++) {
        slack = fmax(slack, fabs(a->Az[i]));
        if (fabs(a->Az[i]) <= null_tolerance * a->largest[i])
            continue;
        dls_report_end(a->report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "row %zu can move without end, but rounding hides whether that proves that there is no solution",
                       k);
        return DLS_OK;
    }
    const double right = dls_direct_right(a->direct, k);
    const double contradiction = -cblas_ddot((int)a->n, a->d->b, 1, a->z, 1);
    bool proved = contradiction > a->limits->consistency * right;
    if (proved)
        DLS_TRY(dls_direct_proof(a->direct, a->z, a->report, error));
    if (proved && !(contradiction > dls_reach * slack * right)) {
        dls_farkas_proof proof;
        DLS_TRY(dls_farkas_verify(a->direct->problem, a->report->proof_vector, &proof, error));
        proved = proof.proved;
    }
    if (proved) {
        dls_report_end(a->report, DLS_OUTCOME_NO_SOLUTION,
                       "descent without end along a vector z with A z = 0, b.z < 0");
    } else {
        dls_report_withdraw_proof(a->report);
        a->held[k] = true, a->against[k] = contradiction / right;
    }
    return DLS_OK;
}

/* Move row k until w_k = 0, it reaches its other bound, or the outcome is decided. */
static dls_status drive_row(face *a, size_t k, dls_error *error)
{
    double sign = a->w[k] < 0.0 ? 1.0 : -1.0;
    while (a->report->outcome == DLS_OUTCOME_RUNNING) {
        double kappa = form_direction(a, k, sign), full, step;
        if (kappa < 0.0) {
            dls_report_end(a->report, DLS_OUTCOME_NUMERICAL_FAILURE,
                           "A is not positive semidefinite: curvature %.3g along row %zu; the safeguard needs one that "
                           "is",
                           kappa, k);
            return DLS_OK;
        }
        full = kappa > 0.0 ? fmax(-sign * a->w[k], 0.0) / kappa : HUGE_VAL;
        size_t place = find_blocking(a, k, &step);
        if (place == SIZE_MAX && isinf(full))
            return end_endless(a, k, error);
        if (full < step) {
            walk_along_z(a, full, SIZE_MAX);
            add_row(a, k, border_factor(a, k));
            return DLS_OK;
        }
        walk_along_z(a, step, place < a->f ? a->row[place] : k);
        if (place == a->f)
            return DLS_OK;
        drop_row(a, place);
    }
    return DLS_OK;
}

/* From a start with w_F != 0 to the minimum of its face. */
static void settle_on_face(face *a)
{
    for (bool settled = false; !settled;) {
        double step;
        for (size_t p = 0; p < a->f; p++)
            a->t[p] = -a->w[a->row[p]];
        solve_upper(a, true, a->t);
        solve_upper(a, false, a->t);
        memset(a->z, 0, a->n * sizeof *a->z);
        for (size_t p = 0; p < a->f; p++)
            a->z[a->row[p]] = a->t[p];
        form_Az(a);
        size_t place = find_blocking(a, SIZE_MAX, &step);
        settled = !(step < 1.0);
        walk_along_z(a, settled ? 1.0 : step, settled ? SIZE_MAX : a->row[place]);
        if (!settled)
            drop_row(a, place);
    }
}

/* A new factor, then lambda and w from it, without the rounding that updates left. A row that depends on those before
 * it stays outside F, where it is. */
static void refresh_factor(face *a)
{
    size_t wanted = 0;
    a->f = 0;
    for (size_t i = 0; i < a->n; i++)
        if (a->inside[i])
            a->row[wanted++] = i;
    for (size_t p = 0; p < wanted; p++) {
        size_t k = a->row[p];
        double pivot = border_factor(a, k);
        if (pivot > 0.0 && !dls_pivot_lost(sqrt(pivot), pivot_margin * a->d->A[k + a->n * k], a->n))
            add_row(a, k, pivot);
        else
            a->inside[k] = false;
    }
    a->report->factorizations++;
    dls_dense_w(a->d, a->lambda, a->w);
    settle_on_face(a);
    dls_dense_w(a->d, a->lambda, a->w);
}

/* Held rows may keep a contradiction, which is measured along the null vector: the w of one of its rows depends on
 * which of them comes last. */
static void finish_descent(face *a)
{
    size_t count = 0;
    double left = 0.0;
    for (size_t i = 0; i < a->n; i++)
        if (a->held[i] && wished_sign(a, i, 0.0) != 0.0) {
            count++;
            left = fmax(left, a->against[i]);
        }
    bool small = left <= a->limits->consistency;
    if (count == 0)
        a->report->outcome = DLS_OUTCOME_SOLVED;
    else
        dls_report_end(a->report, small ? DLS_OUTCOME_SOLVED : DLS_OUTCOME_NUMERICAL_FAILURE,
                       "%zu dependent rows contradict the others by %.2g of their max |b|", count, left);
}

dls_active_set *dls_active_set_take(const dls_direct *d, double *R)
{
    face *a = DLS_TAKE_ZEROS(d->memory, face, 1);
    if (!a)
        return NULL;
    *a = (face){.direct = d, .d = &d->q, .n = d->q.n, .R = R};
    a->row = DLS_TAKE(d->memory, size_t, a->n);
    a->held = DLS_TAKE(d->memory, bool, a->n);
    DLS_DIRECT_VECTORS(d, &a->w, &a->z, &a->Az, &a->t, &a->largest, &a->against);
    return d->memory->failed ? NULL : a;
}

dls_status dls_active_set_solve(dls_active_set *a, const dls_active_set_limits *limits, bool *inside, double *lambda,
                                dls_report *report, dls_error *error)
{
    a->limits = limits, a->inside = inside, a->lambda = lambda, a->report = report;
    dls_dense_row_max(a->d, a->largest);
    memset(a->held, 0, a->n * sizeof *a->held);
    for (size_t i = 0; i < a->n; i++)
        lambda[i] = dls_bound_clamp(a->d, i, lambda[i]);
    bool fresh = true;
    refresh_factor(a);
    while (report->outcome == DLS_OUTCOME_RUNNING) {
        size_t k = most_wrong(a);
        if (k == SIZE_MAX && fresh) {
            finish_descent(a);
        } else if (k == SIZE_MAX) {
            refresh_factor(a);
            fresh = true;
        } else if (report->iterations >= limits->pivots) {
            dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT, "%zu pivots; row %zu still has w = %.3g",
                           report->iterations, k, a->w[k]);
        } else {
            fresh = false;
            DLS_TRY(drive_row(a, k, error));
        }
    }
    return DLS_OK;
}
