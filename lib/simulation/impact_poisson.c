/* Poisson's law of impact in two phases, for any number of contacts with friction. C. Glocker, F. Pfeiffer, Multiple
 * impacts with friction in rigid multibody systems, Nonlinear Dynamics 7, 1995.
 *
 * With the speeds w- = J v- before the impact, A = J M^-1 J^T and the coefficients e, per contact:
 *     COMPRESSION  w_c = w- + A p,    0 <= p_n  complementary to  w_cn >= 0,  friction with mu p_n
 *     EXPANSION    w+  = w_c + A q,   e p_n <= q_n,  w+_n >= 0,  (q_n - e p_n) w+_n = 0,  friction with mu q_n
 * The expansion gives each contact at least e times the impulse that it has had in compression, and more where the
 * expansion of its neighbours would drive bodies into each other. There is no tangential restitution. Neither phase has
 * forces, biases or time.
 *
 * Without friction w+ = -e w- + (1 + e) w_c, one e for all: Newton's outcome if w_c = 0, as for a single contact. It
 * differs where a contact does not take part in compression, where coefficients differ, and with friction, which in
 * compression and in expansion may have different signs. With one e and without friction, no energy is created, as e^2
 * <= 1 of that taken is given back. With different coefficients it may be: the ledger tells.
 *
 * A PHASE is solved by projected Gauss-Seidel sweeps over dense A to rounding, since all methods for Coulomb's cone in
 * this library have lo = 0 in the normal row. A fixed point of the sweeps solves the phase: the tangential step is a
 * projection onto the disc of radius mu q_n of the CURRENT normal impulse. No proof of convergence is known for large
 * mu; sweeps that do not converge are an error, not an answer.
 */
#include "impact.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 20000 };

/* A change of impulse d in row i: w += A d. Returns it in units common to all rows. */
static double change(const dls_impact *m, size_t i, double d, double *p, double *w)
{
    if (d == 0.0)
        return 0.0;
    p[i] += d;
    for (size_t j = 0; j < m->n; j++)
        w[j] += m->A[i * m->n + j] * d;
    return fabs(d) * sqrt(m->A[i * m->n + i]);
}

/* Both tangents i and i + 1: a step of length 1 / (largest eigenvalue of their A), then the projection. */
static double sweep_disc(const dls_impact *m, size_t i, double radius, double *p, double *w)
{
    const double a = m->A[i * m->n + i], b = m->A[i * m->n + i + 1], c = m->A[(i + 1) * m->n + i + 1];
    const double most = 0.5 * (a + c) + hypot(0.5 * (a - c), b);
    if (!(most > 0.0))
        return 0.0;
    double t[2] = {p[i] - w[i] / most, p[i + 1] - w[i + 1] / most};
    const double length = hypot(t[0], t[1]), scale = length > radius ? radius / length : 1.0;
    const double d[2] = {scale * t[0] - p[i], scale * t[1] - p[i + 1]};
    return fmax(change(m, i, d[0], p, w), change(m, i + 1, d[1], p, w));
}

static double sweep_row(const dls_impact *m, size_t i, const double *least, double *p, double *w)
{
    const double a = m->A[i * m->n + i], bound = m->normal[i] == i ? 0.0 : m->mu[m->normal[i]] * p[m->normal[i]];
    if (m->law[i] == DLS_LAW_CONE)
        return m->normal[i] + 1 == i ? sweep_disc(m, i, bound, p, w) : 0.0;
    if (!(a > 0.0))
        return 0.0;
    const double free = p[i] - w[i] / a;
    const double next = m->normal[i] == i ? fmax(least[i], free) : fmax(-bound, fmin(bound, free));
    return change(m, i, next - p[i], p, w);
}

dls_status dls_impact_phase(const dls_impact *m, const double *w0, const double *least, double *p, double *w,
                            dls_error *error)
{
    double scale = 0.0, last = 0.0;
    memcpy(w, w0, m->n * sizeof *w);
    memset(p, 0, m->n * sizeof *p);
    for (size_t i = 0; i < m->n; i++)
        if (m->A[i * m->n + i] > 0.0) {
            const double root = sqrt(m->A[i * m->n + i]);
            scale = fmax(scale, fmax(fabs(w0[i]) / root, m->normal[i] == i ? least[i] * root : 0.0));
        }
    for (size_t k = 0; k < SWEEPS; k++) {
        last = 0.0;
        for (size_t i = 0; i < m->n; i++)
            last = fmax(last, sweep_row(m, i, least, p, w));
        if (last <= 1e-15 * scale)
            return DLS_OK;
    }
    return last <= 1e-13 * scale
               ? DLS_OK
               : dls_fail(error, DLS_UNSOLVED,
                          "an impact of %zu rows is not solved after %d sweeps, whose last one still changes %.3g of "
                          "the velocities; take the law of impact newton, or less friction",
                          m->n, SWEEPS, last / scale);
}

dls_status dls_impact_poisson(const dls_impact *m, dls_error *error)
{
    memset(m->least, 0, m->n * sizeof *m->least);
    DLS_TRY(dls_impact_phase(m, m->before, m->least, m->impulse, m->speed, error));
    for (size_t i = 0; i < m->n; i++)
        m->least[i] = m->normal[i] == i ? m->restitution[i] * m->impulse[i] : 0.0;
    DLS_TRY(dls_impact_phase(m, m->speed, m->least, m->phase, m->after, error));
    for (size_t i = 0; i < m->n; i++)
        m->impulse[i] += m->phase[i];
    return DLS_OK;
}
