/* Piecewise cubics through points. With h the length of an interval, q = (y_{i+1} - y_i)/h and u from its start:
 *
 *     C2, from half the second derivatives m_i at the points
 *         y = y_i + (q - h (2 m_i + m_{i+1})/3) u + m_i u^2 + (m_{i+1} - m_i)/(3 h) u^3
 *     whose first derivative is continuous at the point i between the intervals a and b if
 *         h_a m_{i-1} + 2 (h_a + h_b) m_i + h_b m_{i+1} = 3 (q_b - q_a);
 *     C1, from the slopes d_i
 *         y = y_i + d_i u + (3 q - 2 d_i - d_{i+1})/h u^2 + (d_i + d_{i+1} - 2 q)/h^2 u^3.
 *
 * De Boor, A Practical Guide to Splines (1978), chapter IV. */
#include "cubic.h"

#include <math.h>

/* Solves a symmetric tridiagonal system of n equations whose first and last unknown are coupled by `corner`; `right`
 * becomes the solution. The matrix is diagonally dominant: L D L^T needs no pivoting. `diagonal` becomes D; L has
 * below[i]/D_i under the diagonal and last[i] in its last row. */
static void solve_cyclic(size_t n, double *diagonal, double *below, double corner, double *last, double *right)
{
    double row = corner; /* the last row's entry in column i */
    for (size_t i = 0; i + 1 < n; i++) {
        if (i + 2 == n)
            below[i] += row, row = 0.0;
        const double factor = below[i] / diagonal[i];
        last[i] = row / diagonal[i];
        diagonal[i + 1] -= below[i] * factor;
        right[i + 1] -= factor * right[i];
        diagonal[n - 1] -= row * last[i];
        right[n - 1] -= last[i] * right[i];
        row = -last[i] * below[i];
    }
    for (size_t i = n; i-- > 0;) {
        right[i] /= diagonal[i];
        if (i + 1 < n)
            right[i] -= below[i] / diagonal[i] * right[i + 1] + last[i] * right[n - 1];
    }
}

/* m[0], ..., m[n - 1]; work: 3 n. */
static void half_curvatures(bool periodic, size_t n, const double *x, const double *y, double *m, double *work)
{
    const size_t unknown = periodic ? n - 1 : n - 2; /* m[1], ... */
    double *diagonal = work, *below = work + n, *last = below + n;
    for (size_t i = 1; i <= unknown; i++) {
        const size_t next = i + 1 < n ? i : 0; /* the interval after the last one of a closed curve is the first */
        const double ha = x[i] - x[i - 1], hb = x[next + 1] - x[next];
        diagonal[i - 1] = 2.0 * (hb + ha);
        below[i - 1] = hb;
        m[i] = 3.0 * ((y[next + 1] - y[next]) * (1.0 / hb) - (y[i] - y[i - 1]) * (1.0 / ha));
    }
    solve_cyclic(unknown, diagonal, below, periodic ? x[1] - x[0] : 0.0, last, m + 1);
    m[0] = periodic ? m[n - 1] : 0.0;
    m[n - 1] = m[0];
}

static double quotient(const double *x, const double *y, size_t i) { return (y[i + 1] - y[i]) / (x[i + 1] - x[i]); }

/* Steffen's slopes: of the parabola through three points, but at most twice the smaller slope beside, and 0 where those
 * differ in sign. */
static void steffen_slopes(size_t n, const double *x, const double *y, double *d)
{
    d[0] = quotient(x, y, 0);
    d[n - 1] = quotient(x, y, n - 2);
    for (size_t i = 1; i + 1 < n; i++) {
        const double ha = x[i] - x[i - 1], hb = x[i + 1] - x[i], a = quotient(x, y, i - 1), b = quotient(x, y, i);
        const double parabola = (a * hb + b * ha) / (ha + hb);
        d[i] = (copysign(1.0, a) + copysign(1.0, b)) * fmin(fabs(a), fmin(fabs(b), 0.5 * fabs(parabola)));
    }
}

dls_status dls_cubic_fit(dls_cubic_kind fit, size_t n, const double *x, const double *y, double (*k)[4],
                         dls_arena *memory, dls_error *error)
{
    const bool smooth = fit == DLS_CUBIC_NATURAL || fit == DLS_CUBIC_PERIODIC;
    double *at = DLS_TAKE_ZEROS(memory, double, 4 * n); /* m, d; linear: 0 */
    if (!at)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a spline of %zu points", n);
    if (smooth)
        half_curvatures(fit == DLS_CUBIC_PERIODIC, n, x, y, at, at + n);
    else if (fit == DLS_CUBIC_STEFFEN)
        steffen_slopes(n, x, y, at);
    for (size_t i = 0; i + 1 < n; i++) {
        const double h = x[i + 1] - x[i], q = quotient(x, y, i), a = at[i], b = at[i + 1];
        k[i][0] = y[i];
        if (smooth)
            k[i][1] = q - h * (2.0 * a + b) / 3.0, k[i][2] = a, k[i][3] = (b - a) / (3.0 * h);
        else if (fit == DLS_CUBIC_STEFFEN)
            k[i][1] = a, k[i][2] = (3.0 * q - 2.0 * a - b) / h, k[i][3] = (a + b - 2.0 * q) / (h * h);
        else
            k[i][1] = q, k[i][2] = k[i][3] = 0.0;
    }
    return DLS_OK;
}
