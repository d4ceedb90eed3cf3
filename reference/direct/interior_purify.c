/* The interior point's end: purification of its last point, and the proof that there is no solution.
 *
 * Purification. mu > 0 leaves s = y = sqrt(mu) on degenerate rows. So the sets are read off: F has the free rows and
 * those with s > y and t > z, the others are put on their bounds. A_FF d = -w_F is solved by least norm (plain Cholesky
 * where that succeeds), wrong rows change sets, and the round repeats. The point of all rounds with the least natural
 * residual is the result.
 *
 * Divergence. A problem without solution lets lambda grow along a vector x with A x = 0, b.x < 0. Whenever lambda has
 * grown a thousandfold, its projection on the null space of its large entries' block is tested as a Farkas vector. */
#include "interior.h"

typedef dls_interior work;

/* Singular values of A_FF, unit diagonal, below this share of the largest are 0: between rounding, n eps, and the
 * smallest eigenvalues of blocks that can be told from singular ones. Cholesky pivots are trusted only well above
 * rounding. */
static const double rank_tolerance = 1e-11, pivot_margin = 1e4;
/* Cancellation that would leave 1e-16 of the terms too much of b. */
static const double share_of_data = 1e-4;
enum { SHORTENINGS = 8 };

/* --- purification --- */

/* max |x - clamp(x - w)|, w = A x + b fresh; infinity for what is not finite. */
static double natural_residual(work *w)
{
    double worst = 0.0;
    dls_dense_w(&w->q, w->x, w->w);
    for (size_t i = 0; i < w->n; i++) {
        double r = fabs(w->x[i] - dls_bound_clamp(&w->q, i, w->x[i] - w->w[i]));
        if (!(r <= worst))
            worst = isfinite(r) ? r : HUGE_VAL;
    }
    return worst;
}

/* A_FF u = rhs: by Cholesky, else of least norm by complete orthogonal factors; rhs becomes u. */
static bool solve_between(work *w, const size_t *F, size_t f, bool singular, double *rhs, dls_report *report)
{
    lapack_int m = (lapack_int)f, rank;
    dls_dense_block(&w->q, f, F, w->K);
    report->factorizations++;
    if (w->q.symmetric && !singular && LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', m, w->K, m) == 0) {
        size_t j = 0;
        while (j < f && !dls_pivot_lost(w->K[j + f * j], pivot_margin * w->q.A[F[j] + w->n * F[j]], f))
            j++;
        if (j == f)
            return LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', m, 1, w->K, m, rhs, m) == 0;
    }
    w->singular = true;
    dls_dense_block(&w->q, f, F, w->K);
    memset(w->pivots, 0, f * sizeof *w->pivots);
    lapack_int room = (lapack_int)(w->dense->n * w->dense->n + 8 * w->dense->n + 8);
    return LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, m, m, 1, w->K, m, rhs, m, w->pivots, rank_tolerance, &rank, w->T,
                               room) == 0;
}

/* Wrong rows change sets. */
static void exchange_wrong_rows(work *w)
{
    double allowed = 0.01 * w->set.tolerance * w->unit;
    for (size_t i = 0; i < w->n; i++) {
        double x = dls_bound_clamp(&w->q, i, w->x[i]);
        if (w->inside[i] && x != w->x[i])
            w->inside[i] = fabs(x - w->x[i]) <= allowed;
        else if (!w->inside[i])
            w->inside[i] = (w->w[i] < -allowed && x < w->q.hi[i]) || (w->w[i] > allowed && x > w->q.lo[i]);
        w->x[i] = x;
    }
}

static bool correct_inside(work *w, dls_report *report)
{
    size_t f = 0, *F = w->row + w->dense->n; /* the second half of the list is scratch */
    for (size_t i = 0; i < w->n; i++)
        if (w->inside[i]) {
            w->rhs[f] = -w->w[i];
            F[f++] = i;
        }
    if (f > 0 && !solve_between(w, F, f, false, w->rhs, report))
        return false;
    for (size_t j = 0; j < f; j++)
        w->x[F[j]] += w->rhs[j];
    return true;
}

/* Numbers the islands of A_FF, rows that have nothing to do with each other, in `island`; returns their number. */
static size_t find_islands(const work *w, size_t f, const size_t *F, size_t *queue, double *island)
{
    size_t islands = 0;
    for (size_t j = 0; j < f; j++)
        island[j] = -1.0;
    for (size_t first = 0; first < f; first++) {
        if (island[first] >= 0.0)
            continue;
        size_t count = 1;
        queue[0] = first, island[first] = (double)islands;
        for (size_t at = 0; at < count; at++)
            for (size_t k = 0; k < f; k++)
                if (island[k] < 0.0 && w->q.A[F[k] + w->n * F[queue[at]]] != 0.0)
                    island[k] = (double)islands, queue[count++] = k;
        islands++;
    }
    return islands;
}

/* Lists the rows strictly between their bounds in the scratch of w->row; returns how many there are. */
static size_t list_between(const work *w)
{
    size_t f = 0, *F = w->row + w->dense->n;
    for (size_t i = 0; i < w->n; i++)
        if (w->x[i] > w->q.lo[i] && w->x[i] < w->q.hi[i])
            F[f++] = i;
    return f;
}

/* Whether in some island A x_F cancels: whether sum |b_i x_i| is small beside the terms of x_F.A x_F. */
static bool terms_cancel(work *w)
{
    size_t f = list_between(w), *F = w->row + w->dense->n, islands;
    double *island = w->dy, *data = w->dz, *terms = w->px;
    bool any = false;
    islands = find_islands(w, f, F, F + w->dense->n, island);
    memset(data, 0, islands * sizeof *data);
    memset(terms, 0, islands * sizeof *terms);
    for (size_t j = 0; j < f; j++) {
        double sum = 0.0;
        for (size_t k = 0; k < f; k++)
            sum += fabs(w->q.A[F[k] + w->n * F[j]] * w->x[F[k]]);
        terms[(size_t)island[j]] += sum * fabs(w->x[F[j]]);
        data[(size_t)island[j]] += fabs(w->q.b[F[j]] * w->x[F[j]]);
    }
    for (size_t k = 0; k < islands; k++)
        any = any || data[k] < share_of_data * terms[k];
    return any;
}

/* One step to the shortest x_F with the same A_FF x_F, in each island as far as the bounds allow; returns whether one
 * was in the way. */
static bool approach_shortest(work *w, dls_report *report)
{
    size_t f = list_between(w), *F = w->row + w->dense->n, *queue = F + w->dense->n;
    double *island = w->dy, *part = w->dz;
    bool blocked = false;
    for (size_t j = 0; j < f; j++) {
        w->rhs[j] = 0.0;
        for (size_t k = 0; k < f; k++)
            w->rhs[j] += w->q.A[F[k] + w->n * F[j]] * w->x[F[k]];
    }
    if (f == 0 || !solve_between(w, F, f, true, w->rhs, report))
        return false;
    for (size_t k = find_islands(w, f, F, queue, island); k-- > 0;)
        part[k] = 1.0;
    for (size_t j = 0; j < f; j++) {
        double way = w->rhs[j] - w->x[F[j]], slack = way < 0.0 ? lower_slack(w, F[j]) : upper_slack(w, F[j]);
        if (fabs(way) > slack)
            part[(size_t)island[j]] = fmin(part[(size_t)island[j]], slack / fabs(way));
    }
    for (size_t j = 0; j < f; j++) {
        double way = w->rhs[j] - w->x[F[j]], slack = way < 0.0 ? lower_slack(w, F[j]) : upper_slack(w, F[j]);
        bool meets = fabs(way) > slack && slack / fabs(way) <= part[(size_t)island[j]];
        w->x[F[j]] = meets ? (way < 0.0 ? w->q.lo[F[j]] : w->q.hi[F[j]])
                           : dls_bound_clamp(&w->q, F[j], w->x[F[j]] + part[(size_t)island[j]] * way);
        blocked = blocked || meets;
    }
    return blocked;
}

/* Where A_FF is singular there are other lambda with the same w, and the centre of the path may be far from all that b
 * asks for: lambda becomes a shorter one, and is corrected for the rounding that a long one left. */
static void shorten(work *w, double residual, dls_report *report)
{
    for (int pass = 0; pass < SHORTENINGS && approach_shortest(w, report); pass++)
        continue;
    for (size_t i = 0; i < w->n; i++)
        w->inside[i] = w->x[i] > w->q.lo[i] && w->x[i] < w->q.hi[i];
    dls_dense_w(&w->q, w->x, w->w);
    bool corrected = correct_inside(w, report);
    for (size_t i = 0; i < w->n; i++)
        w->x[i] = dls_bound_clamp(&w->q, i, w->x[i]);
    if (!corrected || !(natural_residual(w) <= fmax(residual, 0.1 * w->set.tolerance * w->unit)))
        memcpy(w->x, w->best, w->n * sizeof *w->x);
}

void dls_interior_purify(work *w, dls_report *report, size_t *rounds)
{
    double best = natural_residual(w), residual = best;
    memcpy(w->best, w->x, w->n * sizeof *w->x);
    for (size_t i = 0; i < w->n; i++) {
        bool low = w->y[i] > 0.0 && lower_slack(w, i) <= w->y[i], high = w->z[i] > 0.0 && upper_slack(w, i) <= w->z[i];
        w->inside[i] = !low && !high;
        if (!w->inside[i])
            w->x[i] = low && !(high && upper_slack(w, i) < lower_slack(w, i)) ? w->q.lo[i] : w->q.hi[i];
    }
    dls_dense_w(&w->q, w->x, w->w);
    for (*rounds = 0; *rounds < w->set.rounds && (*rounds == 0 || best > 0.01 * w->set.tolerance * w->unit);
         ++*rounds) {
        if (!correct_inside(w, report))
            break;
        dls_dense_w(&w->q, w->x, w->w);
        exchange_wrong_rows(w);
        residual = natural_residual(w);
        if (residual < best) {
            best = residual;
            memcpy(w->best, w->x, w->n * sizeof *w->x);
        }
    }
    memcpy(w->x, w->best, w->n * sizeof *w->x);
    if (w->singular && w->q.symmetric && terms_cancel(w))
        shorten(w, best, report);
}

/* --- infeasible problems --- */

/* Scales x to max |x_i| = 1 and puts entries of the wrong sign that are rounding to 0. Returns whether x.w >= 0 in
 * every solution then. */
static bool farkas_signs(const work *w, double *x)
{
    double largest = fabs(x[cblas_idamax((int)w->n, x, 1)]);
    if (!(largest > 0.0) || !isfinite(largest))
        return false;
    for (size_t i = 0; i < w->n; i++)
        x[i] /= largest;
    for (size_t i = 0; i < w->n; i++) {
        bool below = !isinf(w->q.lo[i]), above = !isinf(w->q.hi[i]);
        if ((below && x[i] < 0.0) || (above && x[i] > 0.0)) {
            if (fabs(x[i]) > 1e-10)
                return false;
            x[i] = 0.0;
        }
    }
    return true;
}

/* Tests the direction of lambda, projected: x_P - A_PP^+ A_PP x_P over its large entries P. Symmetric A only. */
bool dls_interior_find_farkas(work *w, dls_report *report)
{
    size_t f = 0, *P = w->row + w->dense->n;
    int n = (int)w->n;
    double largest = 0.0, slack = 0.0;
    for (size_t i = 0; i < w->n; i++)
        largest = fmax(largest, fabs(w->x[i]));
    memset(w->px, 0, w->n * sizeof *w->px);
    for (size_t i = 0; i < w->n; i++)
        if (fabs(w->x[i]) > 1e-4 * largest && (isinf(w->q.lo[i]) || isinf(w->q.hi[i]))) {
            w->px[i] = w->x[i] / largest;
            P[f++] = i;
        }
    if (f == 0)
        return false;
    cblas_dsymv(CblasColMajor, CblasLower, n, 1.0, w->q.A, n, w->px, 1, 0.0, w->rhs, 1);
    for (size_t j = 0; j < f; j++)
        w->dx[j] = w->rhs[P[j]];
    bool ok = solve_between(w, P, f, true, w->dx, report);
    for (size_t j = 0; j < f; j++)
        w->px[P[j]] -= w->dx[j];
    ok = ok && farkas_signs(w, w->px);
    cblas_dsymv(CblasColMajor, CblasLower, n, 1.0, w->q.A, n, w->px, 1, 0.0, w->rhs, 1);
    for (size_t i = 0; i < w->n; i++)
        slack = fabs(w->rhs[i]) > slack || isnan(w->rhs[i]) ? fabs(w->rhs[i]) : slack;
    memset(w->w, 0, w->dense->n * sizeof *w->w);
    for (size_t i = 0; i < w->n; i++)
        w->w[w->row[i]] = w->px[i];
    return ok && dls_interior_contradicts(w, -dls_interior_contradiction(w), slack);
}

bool dls_interior_contradicts(const work *w, double contradiction, double slack)
{
    return contradiction > w->set.consistency && contradiction > dls_reach * slack;
}

double dls_interior_contradiction(const work *w)
{
    double bx = 0.0, largest = 0.0, right = 0.0;
    for (size_t i = 0; i < w->dense->n; i++) {
        bx += w->dense->b[i] * w->w[i];
        right = w->w[i] != 0.0 ? fmax(right, dls_direct_right(w->direct, i)) : right;
        largest = fmax(largest, fabs(w->w[i]));
    }
    return right > 0.0 ? bx / (right * largest) : 0.0;
}
