/* The map whose zeros are the solutions, P. Alart and A. Curnier, "A mixed formulation for frictional contact
 * problems prone to Newton like solution methods", 1991. With tau = lambda - w, in scaled units, so that their
 * parameter is 1:
 *
 *     F_n = lambda_n - clamp(tau_n, lo, hi)
 *     F_t = lambda_t - (tau_t brought into the disc of radius r),   r = mu max(0, clamp(tau_n))
 *
 * Box friction is the same with an interval for the disc; other rows have F_n alone. F = 0 says each row's law in
 * turn: the normal one of (5), and with it r = mu lambda_n and Coulomb's law of the tangents. F is piecewise smooth,
 * and
 *     dF = dlambda - P dtau,  dtau = (1 - A) dlambda:  V = 1 - P + P A,  P the derivative of the projections:
 *     1 inside, 0 beyond a bound; on the rim along e = tau_t / |tau_t|  mu e for tau_n and (r / |tau_t|) (1 - e e^T).
 *
 * A sweep takes the contacts in turn, lambda_c <- P_K(lambda_c - rho (w_c + mu |w_t| n)), De Saxce's projection
 * (examine_cone.c says why), with rho = 1 / trace A_cc below the inverse of its largest eigenvalue. It only looks
 * for a place to start from. */
#include "cone_map.h"

#include "natural_map.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double clamp(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

static double size_of(const dls_dense *d, size_t i)
{
    double size = fabs(d->A[i + d->n * i]);
    for (size_t j = 0; size == 0.0 && j < d->n; j++)
        size = fmax(size, fabs(d->A[i + d->n * j]));
    return size;
}

static void choose_scales(const dls_problem *p, const dls_dense *d, double *s)
{
    for (size_t i = 0; i < p->n; i++) {
        double size = size_of(d, i);
        bool cone = dls_problem_is_cone(p, i);
        if (cone)
            size = fmax(size, fmax(size_of(d, i + 1), size_of(d, i + 2)));
        s[i] = size > 0.0 ? exp2(-rint(0.5 * log2(size))) : 1.0;
        if (cone)
            s[i + 1] = s[i + 2] = s[i], i += 2;
    }
    for (size_t i = 0; i < p->n; i++)
        if (p->parent[i] != DLS_NONE && p->law[i] == DLS_LAW_BOX)
            s[i] = s[p->parent[i]];
}

dls_status dls_cone_map_create(const dls_problem *p, dls_cone_map *map, dls_error *error)
{
    *map = (dls_cone_map){.p = p, .unit = 1.0};
    DLS_TRY(dls_dense_create(p, &map->dense, error));
    dls_dense *d = map->dense;
    map->s = calloc(p->n + 1, sizeof *map->s);
    if (!map->s)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a problem of %zu rows", p->n);
    choose_scales(p, d, map->s);
    for (size_t i = 0; i < p->n; i++) {
        for (size_t j = 0; j < p->n; j++)
            d->A[i + p->n * j] *= map->s[i] * map->s[j];
        d->b[i] *= map->s[i];
        d->lo[i] /= map->s[i], d->hi[i] /= map->s[i];
        map->unit = fmax(map->unit, fabs(d->b[i]));
    }
    return DLS_OK;
}

void dls_cone_map_release(dls_cone_map *map)
{
    dls_dense_destroy(map->dense);
    free(map->s);
    *map = (dls_cone_map){0};
}

/* --- the map --- */

static dls_cone_row inside(size_t i) { return (dls_cone_row){.count = 1, .column = {i}, .P = {1.0}}; }

/* A row with its own bounds; the middle one of three, for lambda - (lambda - w) would lose a small w. */
static double bounded(const dls_cone_map *map, size_t i, double lambda, double w, dls_cone_row *row)
{
    double lo = map->dense->lo[i], hi = map->dense->hi[i], tau = lambda - w;
    *row = tau > lo && tau < hi ? inside(i) : (dls_cone_row){0};
    return tau <= lo ? lambda - lo : tau >= hi ? lambda - hi : w;
}

/* r, and its derivative by tau_n: mu or 0. */
static double radius(const dls_cone_map *map, size_t normal, double mu, double tau, double *slope)
{
    double lo = fmax(map->dense->lo[normal], 0.0), hi = map->dense->hi[normal];
    *slope = tau > lo && tau < hi ? mu : 0.0;
    return mu * fmax(clamp(tau, lo, hi), 0.0);
}

static double boxed(const dls_cone_map *map, size_t i, const double *lambda, const double *w, dls_cone_row *row)
{
    size_t normal = map->p->parent[i];
    double slope, tau = lambda[i] - w[i], r = radius(map, normal, map->p->mu[i], lambda[normal] - w[normal], &slope);
    if (fabs(tau) <= r) {
        *row = inside(i);
        return w[i];
    }
    double sign = tau > 0.0 ? 1.0 : -1.0;
    *row = (dls_cone_row){.count = 1, .column = {normal}, .P = {sign * slope}};
    return lambda[i] - sign * r;
}

static void tangents(const dls_cone_map *map, size_t n, const double *lambda, const double *w, double *F,
                     dls_cone_row *rows)
{
    double slope, r = radius(map, n, map->p->mu[n + 1], lambda[n] - w[n], &slope);
    double tau[2] = {lambda[n + 1] - w[n + 1], lambda[n + 2] - w[n + 2]}, length = hypot(tau[0], tau[1]);
    for (size_t t = 0; t < 2; t++) {
        size_t i = n + 1 + t;
        if (length <= r) {
            F[i] = w[i];
            rows[i] = inside(i);
            continue;
        }
        double e[2] = {tau[0] / length, tau[1] / length}, share = r / length;
        F[i] = lambda[i] - r * e[t];
        rows[i] =
            (dls_cone_row){.count = 3,
                           .column = {n, n + 1, n + 2},
                           .P = {slope * e[t], share * ((t == 0) - e[t] * e[0]), share * ((t == 1) - e[t] * e[1])}};
    }
}

double dls_cone_map_value(const dls_cone_map *map, const double *lambda, double *w, double *F, dls_cone_row *rows)
{
    const dls_dense *d = map->dense;
    int n = (int)d->n;
    memcpy(w, d->b, d->n * sizeof *w);
    if (n > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, d->A, n, lambda, 1, 1.0, w, 1);
    for (size_t i = 0; i < d->n; i++) {
        if (map->p->parent[i] == DLS_NONE)
            F[i] = bounded(map, i, lambda[i], w[i], &rows[i]);
        else if (map->p->law[i] == DLS_LAW_BOX)
            F[i] = boxed(map, i, lambda, w, &rows[i]);
        else if (map->p->parent[i] + 1 == i)
            tangents(map, i - 1, lambda, w, F, rows);
    }
    double sum = 0.0;
    for (size_t i = 0; i < d->n; i++)
        sum += F[i] * F[i];
    return 0.5 * sum;
}

void dls_cone_map_jacobian(const dls_cone_map *map, const dls_cone_row *rows, double *V)
{
    const dls_dense *d = map->dense;
    memset(V, 0, d->n * d->n * sizeof *V);
    for (size_t i = 0; i < d->n; i++) {
        V[i + d->n * i] = 1.0;
        for (size_t k = 0; k < rows[i].count; k++) {
            cblas_daxpy((int)d->n, rows[i].P[k], d->A + rows[i].column[k], (int)d->n, V + i, (int)d->n);
            V[i + d->n * rows[i].column[k]] -= rows[i].P[k];
        }
    }
}

bool dls_cone_map_solved(const dls_cone_map *map, const double *lambda, const double *F, double allowed)
{
    for (size_t i = 0; i < map->dense->n; i++)
        if (!(fabs(F[i]) <= allowed) && !(fabs(F[i]) <= dls_row_rounding(map->dense, i, lambda)))
            return false;
    return true;
}

/* --- sweeps --- */

static double residual(const dls_dense *d, size_t i, const double *lambda)
{
    return d->b[i] + cblas_ddot((int)d->n, d->A + i, (int)d->n, lambda, 1);
}

static void visit_row(const dls_cone_map *map, size_t i, double *lambda)
{
    const dls_dense *d = map->dense;
    double lo = d->lo[i], hi = d->hi[i], diagonal = d->A[i + d->n * i], slope;
    if (!(diagonal > 0.0))
        return;
    if (map->p->parent[i] != DLS_NONE) {
        hi = radius(map, map->p->parent[i], map->p->mu[i], lambda[map->p->parent[i]], &slope);
        lo = -hi;
    }
    lambda[i] = clamp(lambda[i] - residual(d, i, lambda) / diagonal, lo, hi);
}

/* The nearest point of the cone, and of the disc at hi where that is below. */
static void into_cone(double mu, double hi, double x[3])
{
    double length = hypot(x[1], x[2]), normal = length <= mu * x[0] ? x[0] : (x[0] + mu * length) / (1.0 + mu * mu);
    x[0] = clamp(normal, 0.0, hi);
    double share = length > mu * x[0] ? mu * x[0] / length : 1.0;
    x[1] *= share, x[2] *= share;
}

static void visit_contact(const dls_cone_map *map, size_t i, size_t inner, double *lambda)
{
    const dls_dense *d = map->dense;
    double mu = map->p->mu[i + 1], trace = 0.0, w[3];
    for (size_t r = 0; r < 3; r++) {
        trace += d->A[i + r + d->n * (i + r)];
        w[r] = residual(d, i + r, lambda);
    }
    for (size_t k = 0; trace > 0.0 && k < inner; k++) {
        double x[3] = {lambda[i] - (w[0] + mu * hypot(w[1], w[2])) / trace, lambda[i + 1] - w[1] / trace,
                       lambda[i + 2] - w[2] / trace};
        into_cone(mu, d->hi[i], x);
        for (size_t c = 0; c < 3; c++)
            for (size_t r = 0; r < 3; r++)
                w[r] += d->A[i + r + d->n * (i + c)] * (x[c] - lambda[i + c]);
        memcpy(lambda + i, x, sizeof x);
    }
}

void dls_cone_map_sweep(const dls_cone_map *map, size_t inner, double *lambda)
{
    for (size_t i = 0; i < map->dense->n; i++) {
        if (dls_problem_is_cone(map->p, i)) {
            visit_contact(map, i, inner, lambda);
            i += 2;
        } else {
            visit_row(map, i, lambda);
        }
    }
}
