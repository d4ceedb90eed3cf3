/* Sines and cosines of all joint coordinates, two at a time.
 *
 * With x = n pi/2 + r, |r| <= pi/4, where pi/2 has three parts of 33, 33 and 53 bits, so that n times the first two is
 * exact and r is accurate to rounding (Cody and Waite, Software Manual for the Elementary Functions, 1980),
 *
 *     sin x = sin r cos(n pi/2) + cos r sin(n pi/2),   cos x = cos r cos(n pi/2) - sin r sin(n pi/2)
 *
 * The Taylor series of sin r and cos r end where the next term is below 5e-17 (r^17) and 3e-18 (r^18). No branch
 * depends on x within the range, and the bits are the same with every C library.
 */
#include "parts.h"

static const double range = 1e5; /* within it n has no more than 17 bits */

typedef double pair __attribute__((vector_size(16)));

/* (sin r - r) / (r z), z = r^2 */
static pair sine_series(pair z)
{
    pair z2 = z * z;
    pair low = (-1.0 / 6 + z * (1.0 / 120)) + z2 * (-1.0 / 5040 + z * (1.0 / 362880));
    pair high = (-1.0 / 39916800 + z * (1.0 / 6227020800)) + z2 * (-1.0 / 1307674368000);
    return low + z2 * z2 * high;
}

/* (cos r - 1 + z / 2) / z^2 */
static pair cosine_series(pair z)
{
    pair z2 = z * z;
    pair low = (1.0 / 24 + z * (-1.0 / 720)) + z2 * (1.0 / 40320 + z * (-1.0 / 3628800));
    pair high = (1.0 / 479001600 + z * (-1.0 / 87178291200)) + z2 * (1.0 / 20922789888000);
    return low + z2 * z2 * high;
}

static void two(pair x, pair *sine, pair *cosine)
{
    static const double quarter[5] = {0.0, 1.0, 0.0, -1.0, 0.0};
    pair n = (x * 0x1.45f306dc9c883p-1 + 0x1.8p52) - 0x1.8p52; /* to the nearest integer */
    pair r = ((x - n * 0x1.921fb544p+0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
    pair z = r * r, s = r + r * z * sine_series(z), c = (1.0 - 0.5 * z) + z * z * cosine_series(z);
    int a = (int)n[0] & 3, b = (int)n[1] & 3;
    pair sn = {quarter[a], quarter[b]}, cn = {quarter[a + 1], quarter[b + 1]};
    *sine = s * cn + c * sn;
    *cosine = c * cn - s * sn;
}

void dls_tree_sines(const double *x, size_t n, double *sine, double *cosine)
{
    for (size_t k = 0; k < n; k += 2) {
        bool both = k + 1 < n;
        pair at = {x[k], both ? x[k + 1] : 0.0}, s, c;
        if (fabs(at[0]) < range && fabs(at[1]) < range)
            two(at, &s, &c);
        else
            s = (pair){sin(at[0]), sin(at[1])}, c = (pair){cos(at[0]), cos(at[1])};
        sine[k] = s[0], cosine[k] = c[0];
        if (both)
            sine[k + 1] = s[1], cosine[k + 1] = c[1];
    }
}
