/* Why a warm-started stack oscillates.
 *
 * Take a system whose rows are all equalities with one ERP e, at constant J, and a sweep with the iteration matrix G.
 * N sweeps change its velocity error to H w, H = A G^N A^-1. With v the velocity of the rows, the position errors
 * c = C / h, and L = A lambda, the velocity due to the impulses carried over from the last step, all relative to rest,
 * a warm step is
 *     v' = H w - (1 - H) e c,   w = v + L         from w towards the target -e c
 *     L' = L + (v' - w)                           the solve's change of lambda is carried over
 *     c' = c + v'
 * All matrices are functions of H, so the modes are independent. A solve leaves the share 1 - kappa of the error of a
 * mode; its factor z = 1 + s per step satisfies
 *     s^3 + (2 kappa + kappa e) s^2 + (kappa + 2 kappa e) s + kappa e = 0
 * and with s = 2 p / (1 - p), by Routh and Hurwitz, all |z| < 1 if and only if (e < 4)
 *     kappa > e / (1 + e),  that is  (1 + e) rho^N < 1,  rho the sweep's factor of the mode.
 * Impulses that are carried over are an integrator, and the ERP feeds positions back to velocities; with the mass there
 * are three integrations in a loop, which is damped only by the share kappa that a solve removes. If kappa is small,
 * the mode oscillates and grows. Without a bias (e = 0, split impulse) s = 0 and |z|^2 = 1 - kappa < 1: the impulses
 * converge for any N. Cold starts, L = 0, have z^2 - (2 - kappa - kappa e) z + 1 - kappa = 0 and |z|^2 = 1 - kappa
 * while z is complex, but a wrong equilibrium, e kappa C = (1 - kappa) h^2 g: the system sinks.
 *
 * For a vertical chain of ten equal balls and the vertical rows, D^-1/2 A D^-1/2 is the even half of that of a chain of
 * 19 (one end is free). The factors of Jacobi are cos((2 j - 1) pi / 20), and those of Gauss-Seidel are their squares,
 * since a chain is consistently ordered.
 */
#include "coherence/parts.h"

#include <complex.h>
#include <gsl/gsl_poly.h>
#include <lapacke.h>
#include <math.h>

/* --- the law --- */

typedef double complex number;

void dls_coherence_law(double kappa, double erp, double *growth, double *period)
{
    gsl_complex root[3];
    number largest = 0.0;
    gsl_poly_complex_solve_cubic(kappa * (2.0 + erp), kappa * (1.0 + 2.0 * erp), kappa * erp, &root[0], &root[1],
                                 &root[2]);
    for (int k = 0; k < 3; k++) {
        number z = 1.0 + GSL_REAL(root[k]) + I * GSL_IMAG(root[k]);
        if (cabs(z) > cabs(largest))
            largest = z;
    }
    double angle = fabs(carg(largest));
    *growth = cabs(largest);
    *period = angle > 1e-6 ? 2.0 * DLS_PI / angle : 0.0;
}

void dls_coherence_predict(size_t iterations, double erp, double *growth, double *period)
{
    *growth = *period = 0.0;
    for (int j = 1; j <= DLS_COHERENCE_BODIES; j++) {
        double jacobi = cos((2 * j - 1) * DLS_PI / (2.0 * DLS_COHERENCE_BODIES)), g, p;
        dls_coherence_law(1.0 - pow(jacobi, 2.0 * (double)iterations), erp, &g, &p);
        if (g > *growth)
            *growth = g, *period = p;
    }
}

/* --- measured --- */

enum { WINDOW = 16 };

/* In the end one pair of modes is left: x'' = t x' - d x with t = 2 r cos(theta), d = r^2, by least squares over the
 * last WINDOW steps. */
static void fit_pair(const double *x, double *growth, double *period)
{
    enum { ROWS = WINDOW - 2 };
    double A[2 * ROWS], td[ROWS], work[64 * ROWS];
    for (size_t k = 0; k < ROWS; k++)
        A[k] = x[k + 1], A[ROWS + k] = -x[k], td[k] = x[k + 2];
    *growth = *period = NAN;
    if (LAPACKE_dgels_work(LAPACK_COL_MAJOR, 'N', ROWS, 2, 1, A, ROWS, td, ROWS, work, 64 * ROWS) != 0)
        return;
    number root = 0.5 * (fabs(td[0]) + csqrt(td[0] * td[0] - 4.0 * td[1]));
    double angle = fabs(carg(root));
    *growth = cabs(root);
    *period = angle > 1e-6 ? 2.0 * DLS_PI / angle : 0.0;
}

/* The last ball's height takes part in every mode. */
dls_status dls_coherence_measure_law(size_t iterations, double erp, size_t steps, double *growth, double *period,
                                     dls_error *error)
{
    const dls_coherence_run run = {.scene = DLS_COHERENCE_PLUMB,
                                   .number = erp,
                                   .method = "baumgarte",
                                   .iterations = iterations,
                                   .step = 1.0 / 60.0,
                                   .warm = true};
    dls_rig rig;
    double x[WINDOW], ordered[WINDOW];
    DLS_TRY(dls_coherence_open(&run, &rig, error));
    rig.diverges = false;
    while (dls_rig_next(&rig, run.step, steps))
        x[(rig.steps - 1) % WINDOW] = dls_coherence_height(&rig);
    DLS_TRY(dls_rig_end(&rig));
    for (size_t k = 0; k < WINDOW; k++)
        ordered[k] = x[(steps + k) % WINDOW];
    fit_pair(ordered, growth, period);
    return DLS_OK;
}

/* --- the table --- */

enum { LAW_STEPS = 300 };

/* A mode that dies is fitted before it is rounding; one that dies soon, and other modes with it, not at all. */
static size_t law_steps(double growth)
{
    double left = growth < 1.0 ? log(1e-7) / log(growth) : HUGE_VAL;
    return left < LAW_STEPS ? (size_t)fmax(left, 2.0 * WINDOW) : LAW_STEPS;
}

static const double erps[] = {0.1, 0.2, 0.5};

dls_status dls_coherence_laws(dls_study *study, dls_error *error)
{
    dls_coherence_findings *f = study->found;
    for (dls_grid g = DLS_GRID(sizeof erps / sizeof erps[0], 20); dls_study_next(study, &g);) {
        const double erp = erps[g.at[0]];
        const size_t N = g.at[1] + 1;
        double growth, period, measured = NAN, measured_period = NAN;
        dls_coherence_predict(N, erp, &growth, &period);
        if (growth > 0.93)
            DLS_TRY(dls_coherence_measure_law(N, erp, law_steps(growth), &measured, &measured_period, error));
        if (growth > 0.95)
            f->law_deviation = fmax(f->law_deviation, fabs(growth - measured));
        dls_table_row(study->tables[DLS_COHERENCE_LAW], "%g %zu %g %g %g %g %g %g", erp, N,
                      1.0 - pow(cos(DLS_PI / (2.0 * DLS_COHERENCE_BODIES)), 2.0 * (double)N), erp / (1.0 + erp), growth,
                      measured, period, measured_period);
    }
    return DLS_OK;
}
