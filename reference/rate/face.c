/* Which rows are free near a solution, and the equations that sweeps and other methods solve there.
 *
 * A friction row at its bound follows its normal row, lambda_t = +-mu lambda_n. A contact that slides under Coulomb's
 * cone has lambda_t = -mu lambda_n w_t / |w_t|; with d = w_t / |w_t| and p across d the derivative of this law is
 *     d.dlambda_t = -mu dlambda_n,   p.dlambda_t = -mu lambda_n p.dw_t / |w_t|
 * so that friction across the direction of sliding acts like a compliance gamma = |w_t| / (mu lambda_n). A contact that
 * sticks has three free rows, and one that is open has none. */
#include "rate/face.h"

void dls_rate_sides(const dls_problem *p, const double *diagonal, const double *lambda, const double *w,
                    dls_row_side *side)
{
    for (size_t i = 0; i < p->n; i++) {
        const size_t n = p->parent[i];
        if (n == DLS_NONE) {
            side[i] = lambda[i] > p->lo[i] && lambda[i] < p->hi[i] ? DLS_SIDE_BETWEEN
                      : lambda[i] <= p->lo[i]                      ? DLS_SIDE_LOWER
                                                                   : DLS_SIDE_UPPER;
            continue;
        }
        const double most = p->mu[i] * fmax(lambda[n], 0.0), x = lambda[i] - w[i] / diagonal[i];
        side[i] = most == 0.0 || x <= -most ? DLS_SIDE_LOWER : x >= most ? DLS_SIDE_UPPER : DLS_SIDE_BETWEEN;
        if (p->law[i] != DLS_LAW_CONE || most == 0.0)
            continue;
        const size_t other = i == n + 1 ? n + 2 : n + 1;
        const double size = fmax(diagonal[i], diagonal[other]);
        const bool slides = hypot(lambda[i] - w[i] / size, lambda[other] - w[other] / size) >= most;
        side[i] = slides ? DLS_SIDE_CONE : DLS_SIDE_BETWEEN;
    }
}

/* The equation of a row that is not at a fixed bound. */
static dls_face_equation equation_of(const dls_problem *p, const dls_dense *d, size_t i, dls_row_side side,
                                     const double *lambda, const double *w)
{
    const size_t n = p->parent[i], stride = d->n + 1, first = dls_problem_is_cone(p, i) ? i : n;
    dls_face_equation e = {.row = i, .normal = n, .contact = DLS_NONE, .scale = d->A[i * stride]};
    if (first != DLS_NONE && dls_problem_is_cone(p, first)) {
        e.contact = first;
        e.scale = (d->A[first * stride] + d->A[(first + 1) * stride] + d->A[(first + 2) * stride]) / 3.0;
    }
    if (side == DLS_SIDE_CONE) {
        const double speed = hypot(w[n + 1], w[n + 2]), u[2] = {w[n + 1] / speed, w[n + 2] / speed};
        const bool along = i == n + 1;
        e.kind = along ? DLS_FACE_ALONG : DLS_FACE_ACROSS;
        e.row = n + 1;
        e.share = -p->mu[i];
        e.gamma = speed / (p->mu[i] * lambda[n]);
        e.d[0] = along ? u[0] : -u[1], e.d[1] = along ? u[1] : u[0];
    } else if (side != DLS_SIDE_BETWEEN) {
        e.kind = DLS_FACE_FOLLOWS;
        e.share = side == DLS_SIDE_LOWER ? -p->mu[i] : p->mu[i];
    }
    return e;
}

size_t dls_face_find(const dls_problem *p, const dls_dense *d, const dls_row_side *side, const double *lambda,
                     const double *w, dls_face_equation *equations)
{
    size_t count = 0;
    for (size_t i = 0; i < p->n; i++) {
        const size_t n = p->parent[i];
        const bool moves = side[i] == DLS_SIDE_BETWEEN || (n != DLS_NONE && p->mu[i] * lambda[n] > 0.0);
        if (!moves || !(d->A[i * (d->n + 1)] > 0.0))
            continue;
        const dls_face_equation e = equation_of(p, d, i, side[i], lambda, w);
        if ((e.kind == DLS_FACE_FOLLOWS || e.kind == DLS_FACE_ALONG) && side[n] != DLS_SIDE_BETWEEN)
            continue; /* the normal impulse is at a fixed bound, and friction too */
        equations[count++] = e;
    }
    return count;
}

double dls_face_value(const dls_face_equation *e, const double *w, const double *x)
{
    switch (e->kind) {
    case DLS_FACE_FREE:
        break;
    case DLS_FACE_FOLLOWS:
        return e->scale * (x[e->row] - e->share * x[e->normal]);
    case DLS_FACE_ALONG:
        return e->scale * (e->d[0] * x[e->row] + e->d[1] * x[e->row + 1] - e->share * x[e->normal]);
    case DLS_FACE_ACROSS:
        return e->d[0] * (w[e->row] + e->gamma * x[e->row]) + e->d[1] * (w[e->row + 1] + e->gamma * x[e->row + 1]);
    }
    return w[e->row];
}
