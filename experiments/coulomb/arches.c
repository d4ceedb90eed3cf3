/* Arches: the semicircle, and the catenary of the masonry scenes.
 *
 * THE LEAST THICKNESS of a semicircular arch of mean radius 1, thickness t, inner and outer radius r = 1 -+ t/2,
 * without sliding (P. Couplet 1730; M. Milankovitch, "Theorie der Druckkurven", Z. Math. Physik 55 (1907): t = 0.1075;
 * J. Heyman, "The safety of masonry arches", Int. J. Mech. Sci. 11 (1969)). From the crown to the angle p the weight is
 * W = t p, with the first moment X = (r_o^3 - r_i^3) (1 - cos p) / 3. A thrust H through the outermost point of the
 * crown passes the inner points if, by moments,
 *     H (r_o - r_i cos p) >= W r_i sin p - X for all p,
 * and the outer point of the springers if H r_o <= W r_o - X at p = pi/2. Both hold from the least thickness on.
 *
 * THE CATENARY (Rigid-IPC's masonry scene, after the Gateway Arch's weighted catenary; the scenes of FBF have 25 and
 * 101 stones): z = 0.6 - a (cosh(c x / 0.3) - 1), a = 0.6 / (Q - 1), c = arcosh(Q), Q = 100/49, in equal pieces of its
 * length. A stone is as thick as the curve's linear law says at its lower end, 0.1 at the foot and 0.07 at the crown,
 * and as deep. */
#include "coulomb/parts.h"

#include <math.h>

/* --- the semicircle --- */

dls_status dls_arch_round(size_t stones, double thickness, dls_blocks *b, dls_error *error)
{
    const double inner = 1.0 - 0.5 * thickness, outer = 1.0 + 0.5 * thickness;
    double at[2][2][2]; /* left and right of a stone, inner and outer, x and z */
    DLS_TRY(dls_blocks_create(stones + 1, stones + 1, thickness, b, error));
    for (size_t k = 0; k <= stones; k++) {
        const double angle = M_PI * (double)k / (double)stones, x = -cos(angle), z = sin(angle);
        for (size_t c = 0; c < 2; c++) {
            at[0][c][0] = at[1][c][0], at[0][c][1] = at[1][c][1];
            at[1][c][0] = (c ? outer : inner) * x, at[1][c][1] = (c ? outer : inner) * z;
        }
        if (k > 0)
            dls_blocks_add(b, (double[8]){at[0][0][0], at[0][0][1], at[1][0][0], at[1][0][1], at[1][1][0], at[1][1][1],
                                          at[0][1][0], at[0][1][1]});
        dls_blocks_face(b, k, k > 0 ? k - 1 : stones, at[1][1], at[1][0]);
    }
    dls_blocks_add(b, NULL);
    return DLS_OK;
}

/* The thrust that the inner point at the angle p needs. */
static double inner_thrust(double p, double thickness)
{
    const double inner = 1.0 - 0.5 * thickness, outer = 1.0 + 0.5 * thickness;
    const double moment = (pow(outer, 3.0) - pow(inner, 3.0)) * (1.0 - cos(p)) / 3.0;
    return (thickness * p * inner * sin(p) - moment) / (outer - inner * cos(p));
}

/* The thrust that the springers can take, less the largest that an inner point needs, by golden sections. */
static double thrust_margin(double thickness)
{
    const double golden = 0.5 * (sqrt(5.0) - 1.0), inner = 1.0 - 0.5 * thickness, outer = 1.0 + 0.5 * thickness;
    double low = 0.1, high = 0.5 * M_PI;
    while (high - low > 1e-9) {
        const double a = high - golden * (high - low), c = low + golden * (high - low);
        if (inner_thrust(a, thickness) > inner_thrust(c, thickness))
            high = c;
        else
            low = a;
    }
    const double springer = thickness * 0.5 * M_PI - (pow(outer, 3.0) - pow(inner, 3.0)) / (3.0 * outer);
    return springer - inner_thrust(0.5 * (low + high), thickness);
}

double dls_arch_least_thickness(void)
{
    double low = 0.05, high = 0.2;
    while (high - low > 1e-15) {
        const double middle = 0.5 * (low + high);
        if (thrust_margin(middle) >= 0.0)
            high = middle;
        else
            low = middle;
        if (middle == low && middle == high)
            break;
    }
    return high;
}

/* --- the catenary --- */

static const double half_width = 0.3, crown = 0.6, foot_thickness = 0.1, crown_thickness = 0.07, ratio = 100.0 / 49.0;

static double catenary_height(double x)
{
    return crown - crown / (ratio - 1.0) * (cosh(acosh(ratio) * x / half_width) - 1.0);
}

static double catenary_slope(double x)
{
    const double c = acosh(ratio) / half_width;
    return -crown / (ratio - 1.0) * c * sinh(c * x);
}

/* The length of the curve from the crown, by Gauss' rule of five points on pieces of a hundredth. */
static double catenary_length(double x)
{
    static const double node[3] = {0.0, 0.538469310105683, 0.906179845938664};
    static const double weight[3] = {0.568888888888889, 0.478628670499366, 0.236926885056189};
    enum { PIECES = 100 };
    double length = 0.0;
    for (int k = 0; k < PIECES; k++) {
        const double half = 0.5 * x / PIECES, middle = (2.0 * k + 1.0) * half;
        for (int g = -2; g <= 2; g++) {
            const double slope = catenary_slope(middle + (g < 0 ? -half : half) * node[g < 0 ? -g : g]);
            length += half * weight[g < 0 ? -g : g] * sqrt(1.0 + slope * slope);
        }
    }
    return length;
}

/* The x of a length from the crown, by Newton's method. */
static double catenary_place(double length)
{
    double x = 0.5 * length;
    for (int k = 0; k < 30; k++) {
        const double slope = catenary_slope(x);
        x -= (catenary_length(x) - length) / sqrt(1.0 + slope * slope);
    }
    return x;
}

static double catenary_thickness(double x)
{
    const double height = fmax(0.0, fmin(1.0, catenary_height(x) / crown));
    return foot_thickness + height * (crown_thickness - foot_thickness);
}

/* The end of the joint at x, `across` from the curve, outwards. */
static void catenary_point(double x, double across, double p[2])
{
    const double slope = catenary_slope(x), length = sqrt(1.0 + slope * slope);
    p[0] = x - across * slope / length, p[1] = catenary_height(x) + across / length;
}

static void add_catenary_stone(dls_blocks *b, double x0, double x1, double thickness)
{
    double corner[8];
    catenary_point(x0, -0.5 * thickness, corner), catenary_point(x1, -0.5 * thickness, corner + 2);
    catenary_point(x1, 0.5 * thickness, corner + 4), catenary_point(x0, 0.5 * thickness, corner + 6);
    dls_blocks_add(b, corner);
}

/* Two stones touch where both have a face. The depth of all is the crown's. */
dls_status dls_arch_catenary(size_t stones, dls_blocks *b, dls_error *error)
{
    const double whole = 2.0 * catenary_length(half_width);
    double before = 0.0, left = -half_width;
    DLS_TRY(dls_blocks_create(stones, stones - 1, crown_thickness, b, error));
    for (size_t k = 0; k < stones; k++) {
        const double right =
            k + 1 < stones ? catenary_place(whole * ((double)(k + 1) / (double)stones - 0.5)) : half_width;
        const double thickness = catenary_thickness(left < 0.0 && 2 * k < stones ? left : right);
        if (k == 0 || k + 1 == stones)
            dls_blocks_add(b, NULL);
        else
            add_catenary_stone(b, left, right, thickness);
        if (k > 0) {
            double inner[2], outer[2];
            const double common = fmin(before, thickness);
            catenary_point(left, 0.5 * common, outer), catenary_point(left, -0.5 * common, inner);
            dls_blocks_face(b, k, k - 1, outer, inner);
        }
        before = thickness, left = right;
    }
    return DLS_OK;
}
