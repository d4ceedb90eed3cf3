/* Curves by arc length: the frame's equations, closed forms, splines. */
#include "curve/cubic.h"
#include "curves.h"

#include <gsl/gsl_integration.h>

static double distance(dls_vec3 a, dls_vec3 b) { return dls_norm(dls_sub(a, b)); }

/* --- the frame's equations, by finite differences --- */

/* Five points: error h^4 f^(5)/30, and rounding of 1.5 eps |P|/h. Curvatures up to 4/m need a small h. */
static const double step = 3e-4;

static dls_curve_point derivative(const dls_curve *curve, const dls_twist *twist, double s)
{
    static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, offset[4] = {-2, -1, 1, 2};
    dls_curve_point sum = {.c = 0.0}, at;
    for (int i = 0; i < 4; i++) {
        dls_track_at(curve, twist, s + offset[i] * step, NULL, &at);
        sum.P = dls_add(sum.P, dls_scale(weight[i] / step, at.P));
        sum.T = dls_add(sum.T, dls_scale(weight[i] / step, at.T));
        sum.N = dls_add(sum.N, dls_scale(weight[i] / step, at.N));
        sum.B = dls_add(sum.B, dls_scale(weight[i] / step, at.B));
    }
    return sum;
}

/* The worst of P' = T and the three equations of curve.h. */
static double frame_error(const dls_curve *curve, const dls_twist *twist, double s)
{
    dls_curve_point at, d = derivative(curve, twist, s);
    dls_track_at(curve, twist, s, NULL, &at);
    dls_vec3 T1 = dls_add(dls_scale(at.c, at.N), dls_scale(at.cb, at.B));
    dls_vec3 N1 = dls_add(dls_scale(-at.c, at.T), dls_scale(at.t, at.B));
    dls_vec3 B1 = dls_add(dls_scale(-at.cb, at.T), dls_scale(-at.t, at.N));
    return fmax(fmax(distance(d.P, at.T), distance(d.T, T1)), fmax(distance(d.N, N1), distance(d.B, B1)));
}

static bool at_seam(const dls_curve *curve, double s)
{
    if (s < 3 * step || s > curve->length - 3 * step)
        return true;
    for (size_t k = 0; k < dls_curve_seams(curve); k++)
        if (fabs(dls_curve_seam_at(curve, k).s - s) < 3 * step)
            return true;
    return false;
}

static double worst_frame_error(const dls_curve *curve, const dls_twist *twist)
{
    double worst = 0.0;
    for (int i = 0; i <= 1000; i++) {
        double s = curve->length * i / 1000, error;
        if (!at_seam(curve, s) && !((error = frame_error(curve, twist, s)) <= worst))
            worst = error;
    }
    return worst;
}

TEST(test_every_curve_and_twist_is_here)
{
    for (const dls_curve_type *const *type = dls_curve_types; *type; type++) {
        bool found = false;
        for (size_t i = 0; i < SPECS; i++)
            found = found || strcmp(spec_all[i].type, (*type)->name) == 0;
        if (!found)
            print_error("curve '%s' is in curves.def and not in curves.h\n", (*type)->name);
        assert_true(found);
    }
    for (const dls_twist_type *const *type = dls_twist_types; *type; type++) {
        bool found = false;
        for (size_t i = 0; i < TWIST_SPECS; i++)
            found = found || strcmp(twist_specs[i].type, (*type)->name) == 0;
        if (!found)
            print_error("twist '%s' is in twists.def and not in curves.h\n", (*type)->name);
        assert_true(found);
    }
}

TEST(test_frame_equations)
{
    for (size_t i = 0; i < SPECS; i++) {
        dls_curve *curve = make_curve(&spec_all[i]);
        double worst = worst_frame_error(curve, NULL);
        if (!(worst <= 1e-7))
            print_error("%s\n", spec_all[i].name);
        if (getenv("DLS_TEST_SHOW"))
            print_message("# %s: %.2g\n", spec_all[i].name, worst);
        assert_below(worst, 1e-7);
        dls_curve_destroy(curve);
    }
}

TEST(test_twisted_frame_equations)
{
    dls_error error;
    for (size_t i = 0; i < SPECS; i++) {
        dls_curve *curve = make_curve(&spec_all[i]);
        for (size_t k = 0; k < TWIST_SPECS; k++) {
            dls_twist *twist;
            assert_status(try_twist_spec(k, curve, &twist, &error), &error);
            if (twist_specs[k].smooth)
                assert_below(worst_frame_error(curve, twist), 1e-7);
            dls_twist_destroy(twist);
        }
        dls_curve_destroy(curve);
    }
}

/* A wrong sign of any of the three rates is seen. */
TEST(test_wrong_rates_are_seen)
{
    dls_curve *curve = make_curve(spec_find("turned spline"));
    for (int k = 0; k < 3; k++) {
        dls_curve_point at, d = derivative(curve, NULL, 4.0);
        dls_curve_at(curve, 4.0, &at);
        double *rate = k == 0 ? &at.c : k == 1 ? &at.cb : &at.t;
        *rate = -*rate;
        double off = fmax(fabs(dls_dot(d.T, at.N) - at.c),
                          fmax(fabs(dls_dot(d.T, at.B) - at.cb), fabs(dls_dot(d.N, at.B) - at.t)));
        assert_true(off > 1e-3);
    }
    dls_curve_destroy(curve);
}

static void check_orthonormal(const dls_curve_point *at, const char *name)
{
    const double off[] = {dls_norm(at->T) - 1.0,
                          dls_norm(at->N) - 1.0,
                          dls_norm(at->B) - 1.0,
                          dls_dot(at->T, at->N),
                          dls_dot(at->N, at->B),
                          dls_dot(at->B, at->T),
                          distance(dls_cross(at->T, at->N), at->B)};
    for (size_t k = 0; k < sizeof off / sizeof off[0]; k++) {
        if (!(fabs(off[k]) <= 1e-14))
            print_error("%s: %zu\n", name, k);
        assert_below(fabs(off[k]), 1e-14);
    }
}

TEST(test_orthonormal)
{
    for (size_t i = 0; i < SPECS; i++) {
        dls_curve *curve = make_curve(&spec_all[i]);
        dls_twist *twist;
        dls_error error;
        assert_status(try_twist("linear", "start=0.3; rate=-0.7", NULL, 0, curve, &twist, &error), &error);
        for (int k = 0; k <= 997; k++) {
            dls_curve_point F, wF;
            dls_track_at(curve, twist, curve->length * k / 997, &F, &wF);
            check_orthonormal(&F, spec_all[i].name);
            check_orthonormal(&wF, spec_all[i].name);
        }
        dls_twist_destroy(twist);
        dls_curve_destroy(curve);
    }
}

/* N nowhere jumps, except that a closed rotation-minimising frame comes back turned. */
TEST(test_frame_is_continuous)
{
    for (size_t i = 0; i < SPECS; i++) {
        dls_curve *curve = make_curve(&spec_all[i]);
        for (size_t k = 0; k < dls_curve_seams(curve); k++) {
            dls_curve_seam seam = dls_curve_seam_at(curve, k);
            bool closing = seam.s == curve->length;
            assert_below(seam.gap, 1e-13 * curve->length);
            assert_below(seam.corner, 1e-13);
            if (!closing || strcmp(spec_all[i].name, "bishop knot") != 0)
                assert_below(fabs(seam.roll), 1e-12);
        }
        dls_curve_destroy(curve);
    }
}

/* --- closed forms --- */

TEST(test_arc_closed_form)
{
    dls_curve *curve = make_curve(spec_find("circle"));
    dls_curve_point at, start;
    dls_curve_at(curve, 0.0, &start);
    dls_vec3 centre = dls_add(start.P, dls_scale(2.7, start.N));
    assert_close(curve->length, 2 * DLS_PI * 2.7, 1e-14 * curve->length);
    for (int i = 0; i < 100; i++) {
        dls_curve_at(curve, curve->length * i / 100, &at);
        assert_close(distance(at.P, centre), 2.7, 1e-14);
        assert_close(distance(at.P, start.P), 2 * 2.7 * fabs(sin(DLS_PI * i / 100)), 1e-14);
    }
    dls_curve_destroy(curve);
}

/* On the cylinder x = r cos(phi), y = r sin(phi), z = k phi. */
TEST(test_helix_closed_form)
{
    const curve_spec spec = {
        "helix", "helix", "start=[1.3, 0, 0]; axis=[0, 0, 2]; normal=[-1, 0, 0]; radius=1.3; pitch=2.1; turns=2.7",
        NULL,    0,       NULL};
    dls_curve *curve = make_curve(&spec);
    double r = 1.3, k = 2.1 / (2 * DLS_PI), v = sqrt(r * r + k * k);
    dls_curve_point at;
    assert_close(curve->length, 2.7 * 2 * DLS_PI * v, 1e-13);
    for (int i = 0; i <= 100; i++) {
        double s = curve->length * i / 100, phi = s / v;
        dls_curve_at(curve, s, &at);
        assert_below(distance(at.P, dls_v3(r * cos(phi), r * sin(phi), k * phi)), 2e-14);
        assert_below(distance(at.N, dls_v3(-cos(phi), -sin(phi), 0)), 1e-14);
        assert_close(at.c, r / (v * v), 1e-15);
        assert_close(at.t, k / (v * v), 1e-15);
    }
    dls_curve_destroy(curve);
}

/* Constant curvature: an arc. None: a line. */
TEST(test_clothoid_limits)
{
    const curve_spec clothoid[2] = {
        {"", "clothoid", "length=5; start_curvature=-0.7; end_curvature=-0.7; bend=0.4", NULL, 0, NULL},
        {"", "clothoid", "length=5", NULL, 0, NULL}};
    const curve_spec other[2] = {{"", "arc", "radius=-1.4285714285714286; angle=3.5; bend=0.4", NULL, 0, NULL},
                                 {"", "line", "length=5", NULL, 0, NULL}};
    for (int k = 0; k < 2; k++) {
        dls_curve *a = make_curve(&clothoid[k]), *b = make_curve(&other[k]);
        for (int i = 0; i <= 50; i++) {
            dls_curve_point p, q;
            dls_curve_at(a, 0.1 * i, &p);
            dls_curve_at(b, 0.1 * i, &q);
            assert_below(distance(p.P, q.P) + distance(p.T, q.T) + distance(p.N, q.N) + fabs(p.c - q.c) +
                             fabs(p.cb - q.cb),
                         1e-14);
        }
        dls_curve_destroy(a);
        dls_curve_destroy(b);
    }
}

/* --- splines --- */

static dls_curve *circle_spline(size_t n)
{
    static double points[512][3];
    for (size_t i = 0; i < n; i++) {
        double phi = 2 * DLS_PI * (double)i / (double)n;
        points[i][0] = 2.7 * cos(phi) + 1, points[i][1] = 2.7 * 0.8 * sin(phi) - 2, points[i][2] = 2.7 * 0.6 * sin(phi);
    }
    return make_curve(&(curve_spec){"circle", "spline", "closed=true", (const double(*)[3])points, n, NULL});
}

/* Length and place converge as the fourth power of the distance between the points. */
TEST(test_spline_converges_on_a_circle)
{
    double last_length = 0.0, last_place = 0.0;
    for (size_t n = 16; n <= 512; n *= 2) {
        dls_curve *curve = circle_spline(n);
        dls_curve_point at;
        double length = fabs(curve->length - 2 * DLS_PI * 2.7), place = 0.0;
        for (int i = 0; i < 1000; i++) {
            dls_curve_at(curve, curve->length * i / 1000, &at);
            place = fmax(place, fabs(distance(at.P, dls_v3(1, -2, 0)) - 2.7));
            assert_below(fabs(at.t), 1e-12); /* a plane curve; the plane is as good as second differences over 3 cm */
        }
        if (n > 16 && n <= 256) { /* then rounding shows */
            assert_close(log2(last_length / length), 4.0, 0.1);
            assert_close(log2(last_place / place), 4.0, 0.1);
        }
        if (n == 512)
            assert_below(length / curve->length, 1e-10);
        last_length = length, last_place = place;
        dls_curve_destroy(curve);
    }
}

/* The arc length of a spline, added up from chords. A chord is short of its arc by c^2 d^3/24, which is put back. */
TEST(test_spline_length_by_chords)
{
    static const char *const names[] = {"space spline", "wave", "bean", "knot", "row"};
    enum { CHORDS = 20000 };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        dls_curve *curve = make_curve(spec_find(names[i]));
        dls_curve_point last, at;
        double d = curve->length / CHORDS, sum = 0.0;
        dls_curve_at(curve, 0.0, &last);
        for (int k = 1; k <= CHORDS; k++) {
            curve->type->at(curve, curve->length * k / CHORDS, &at);
            sum += distance(at.P, last.P) + 0.5 * (at.c * at.c + last.c * last.c) * d * d * d / 24;
            last = at;
        }
        assert_close(sum, curve->length, 1e-10 * curve->length);
        dls_curve_destroy(curve);
    }
}

/* Knots are the seams. */
TEST(test_spline_meets_its_points)
{
    dls_curve *curve = make_curve(spec_find("space spline"));
    size_t n = sizeof spec_space / sizeof spec_space[0];
    assert_int_equal(dls_curve_seams(curve), n - 2);
    for (size_t i = 0; i < n; i++) {
        double s = i == 0 ? 0.0 : i == n - 1 ? curve->length : dls_curve_seam_at(curve, i - 1).s;
        dls_curve_point at;
        dls_curve_at(curve, s, &at);
        assert_below(distance(at.P, dls_v3(spec_space[i][0], spec_space[i][1], spec_space[i][2])), 1e-14);
    }
    dls_curve_destroy(curve);
}

/* C2: T and the curvature do not jump, the torsion does. */
TEST(test_spline_seams)
{
    dls_curve *curve = make_curve(spec_find("knot"));
    assert_int_equal(dls_curve_seams(curve), 6);
    for (size_t k = 0; k < 6; k++) {
        dls_curve_seam seam = dls_curve_seam_at(curve, k);
        assert_below(fabs(seam.c), 1e-12);
        assert_below(fabs(seam.cb), 1e-12);
        assert_true(fabs(seam.t) > 1e-2);
        dls_curve_point before, after;
        dls_curve_at(curve, seam.s - 1e-9, &before);
        dls_curve_at(curve, fmod(seam.s + 1e-9, curve->length), &after);
        assert_below(fabs(seam.t - (after.t - before.t)), 1e-6);
    }
    dls_curve_destroy(curve);
}

/* Where a plane spline bends to the other side c changes its sign, and B stays. */
TEST(test_inflections)
{
    static const char *const names[] = {"wave", "bean"};
    for (int k = 0; k < 2; k++) {
        dls_curve *curve = make_curve(spec_find(names[k]));
        dls_curve_point first, at;
        int changes = 0;
        double last = 0.0;
        dls_curve_at(curve, 0.0, &first);
        for (int i = 1; i < 1000; i++) {
            dls_curve_at(curve, curve->length * i / 1000, &at);
            assert_below(distance(at.B, first.B), 1e-12);
            assert_below(fabs(at.t) + fabs(at.cb), 1e-14);
            changes += at.c * last < 0.0;
            last = at.c;
        }
        assert_int_equal(changes, k == 0 ? 1 : 2);
        dls_curve_destroy(curve);
    }
}

/* A wave that is plane to 1 cm only: taken as plane, its frame is steady; else it spins near each inflection. */
TEST(test_flat)
{
    curve_spec spec = *spec_find("steady wave");
    for (int k = 0; k < 2; k++) {
        spec.settings = k ? "" : spec.settings;
        dls_curve *curve = make_curve(&spec);
        dls_curve_point at;
        double fastest = 0.0;
        for (int i = 0; i < 1000; i++) {
            dls_curve_at(curve, curve->length * i / 1000, &at);
            fastest = fmax(fastest, fabs(at.t));
        }
        if (k)
            assert_true(fastest > 5.0);
        else
            assert_below(fastest, 0.1);
        dls_curve_destroy(curve);
    }
}

TEST(test_level_frame)
{
    dls_curve *curve = make_curve(spec_find("level spline"));
    for (int i = 0; i < 100; i++) {
        dls_curve_point at;
        dls_curve_at(curve, curve->length * i / 100, &at);
        assert_below(fabs(dls_dot(at.N, dls_unit(dls_v3(0.1, 0, 2)))), 1e-15);
        assert_true(at.B.z > 0.0);
    }
    dls_curve_destroy(curve);
}

static double frenet_torsion(double s, void *curve)
{
    dls_curve_point at;
    dls_curve_at(curve, s, &at);
    return at.t;
}

/* Frenet's frame turns against the rotation-minimising one by the integral of the torsion; both bend alike. */
TEST(test_bishop_against_frenet)
{
    dls_curve *frenet = make_curve(spec_find("space spline")), *bishop = make_curve(spec_find("bishop spline"));
    size_t seams = dls_curve_seams(frenet);
    double turn = 0.0, s0 = 0.0, part, error;
    size_t evaluations;
    for (size_t k = 0; k <= seams; k++) {
        double s1 = k < seams ? dls_curve_seam_at(frenet, k).s : frenet->length;
        gsl_function f = {frenet_torsion, frenet};
        for (int i = 0; i < 8; i++) {
            double a = s0 + (s1 - s0) * i / 8 + 1e-12, b = s0 + (s1 - s0) * (i + 1) / 8 - 1e-12;
            gsl_integration_cquad_workspace *work = gsl_integration_cquad_workspace_alloc(100);
            gsl_integration_cquad(&f, a, b, 1e-12, 1e-12, work, &part, &error, &evaluations);
            gsl_integration_cquad_workspace_free(work);
            turn += part;
        }
        dls_curve_point F, W;
        dls_curve_at(frenet, s1 - 1e-12, &F);
        dls_curve_at(bishop, s1 - 1e-12, &W);
        double off = turn - atan2(dls_dot(F.N, W.B), dls_dot(F.N, W.N));
        assert_below(fabs(sin(0.5 * off)), 1e-9);
        assert_close(hypot(W.c, W.cb), fabs(F.c), 1e-13);
        s0 = s1;
    }
    assert_true(fabs(turn) > 0.5);
    dls_curve_destroy(frenet);
    dls_curve_destroy(bishop);
}

/* Its own t is what the table leaves: small. */
TEST(test_bishop_hardly_turns)
{
    dls_curve *curve = make_curve(spec_find("bishop knot"));
    dls_curve_point at;
    double worst = 0.0;
    for (int i = 0; i < 5000; i++) {
        dls_curve_at(curve, curve->length * i / 5000, &at);
        worst = fmax(worst, fabs(at.t));
    }
    if (getenv("DLS_TEST_SHOW"))
        print_message("# bishop knot: |t| up to %.2g rad/m\n", worst);
    assert_below(worst, 1e-4);
    dls_curve_at(curve, 0.0, &at);
    assert_true(at.N.z > 0.5); /* as near to the normal asked for as T allows */
    assert_below(fabs(dls_dot(at.B, dls_v3(0, 0, 1))), 1e-12);
    dls_curve_destroy(curve);
}

/* Stations of a cubic: each has the reciprocal speed and its derivative, they are as far apart as said, and few
 * suffice, for the quintic between two of them has an error of order 6. */
TEST(test_stations_of_cubics)
{
    static const struct {
        dls_cubic_path path;
        size_t most; /* intervals */
    } cubics[] = {
        {{.a = {1.0, 0.5, -0.25}, .b = {0.25, -0.5, 0.125}, .c = {-0.125, 0.25, 0.5}, .end = 1.0}, 8},
        {{.a = {2.0, 0.0, 0.0}, .b = {0.0, 1.0, 0.0}, .c = {0.0, 0.0, 0.5}, .end = 2.0}, 16},
    };
    for (size_t k = 0; k < sizeof cubics / sizeof cubics[0]; k++) {
        enum { PIECES = 4096 };
        dls_cubic_path path = cubics[k].path;
        dls_cubic_station *stations;
        dls_arena memory = {0};
        dls_error error;
        assert_status(dls_cubic_tabulate(&path, 1, &memory, &stations, &error), &error);
        print_message("# %zu intervals\n", path.n);
        assert_in_range(path.n, 2, cubics[k].most);
        double length = 0.0;
        size_t next = 0;
        for (size_t i = 0; i <= PIECES && next <= path.n; i++) { /* by Simpson's rule, to and from each station */
            const double from = path.end * (double)i / PIECES;
            while (next <= path.n && stations[next].u <= from + path.end / PIECES) {
                const double rest = stations[next].u - from;
                double speeds[3];
                dls_vec3 P1, P2, P3;
                for (int at = 0; at < 3; at++) {
                    dls_cubic_path_at(&path, from + 0.5 * at * rest, &P1, &P2, &P3);
                    speeds[at] = dls_norm(P1);
                }
                assert_close(length + rest * (speeds[0] + 4.0 * speeds[1] + speeds[2]) / 6.0, path.h * (double)next,
                             1e-13 * path.length);
                assert_close(stations[next].u1, 1.0 / speeds[2], 1e-14);
                assert_close(stations[next].u2, -dls_dot(P1, P2) / pow(speeds[2], 4.0), 1e-13);
                next++;
            }
            double sum = 0.0;
            for (int at = 0; at < 3; at++) {
                dls_vec3 P1, P2, P3;
                dls_cubic_path_at(&path, from + 0.5 * at * path.end / PIECES, &P1, &P2, &P3);
                sum += (at == 1 ? 4.0 : 1.0) * dls_norm(P1);
            }
            length += path.end / PIECES * sum / 6.0;
        }
        assert_int_equal(next, path.n + 1);
        dls_arena_release(&memory);
    }
}

/* Steffen's splines: a line stays one, at every point and both ends; slopes are those of parabolas; and between two
 * points nothing leaves their range, with a slope of 0 where data turn round. */
TEST(test_monotone_splines)
{
    enum { N = 7 };
    static const double x[N] = {0, 0.3, 0.8, 1.9, 2.1, 3.4, 4}, y[N] = {1, 1.7, 1.7, 4.2, 3.9, 3.8, 5};
    double line[N], square[N], k[N - 1][4];
    dls_arena memory = {0};
    dls_error error = {0};
    for (int i = 0; i < N; i++)
        line[i] = 2.385 - 0.7 * x[i];
    assert_status(dls_cubic_fit(DLS_CUBIC_STEFFEN, N, x, line, k, &memory, &error), &error);
    for (int i = 0; i + 1 < N; i++) {
        assert_close(k[i][0], line[i], 1e-15);
        assert_close(k[i][1], -0.7, 1e-14);
        assert_close(k[i][2], 0.0, 1e-12);
        assert_close(k[i][3], 0.0, 1e-12);
    }
    for (int i = 0; i < N; i++)
        square[i] = (x[i] + 1.0) * (x[i] + 1.0);
    assert_status(dls_cubic_fit(DLS_CUBIC_STEFFEN, N, x, square, k, &memory, &error), &error);
    for (int i = 1; i + 1 < N; i++) /* the parabola through three points of a parabola */
        assert_close(k[i][1], 2.0 * (x[i] + 1.0), 1e-13);
    assert_close(k[0][1], (square[1] - square[0]) / (x[1] - x[0]), 1e-13);
    const double h = x[N - 1] - x[N - 2];
    assert_close(k[N - 2][1] + h * (2.0 * k[N - 2][2] + h * 3.0 * k[N - 2][3]), (square[N - 1] - square[N - 2]) / h,
                 1e-12);
    assert_status(dls_cubic_fit(DLS_CUBIC_STEFFEN, N, x, y, k, &memory, &error), &error);
    for (int i = 0; i + 1 < N; i++)
        for (int part = 0; part <= 20; part++) {
            const double u = (x[i + 1] - x[i]) * part / 20.0,
                         at = k[i][0] + u * (k[i][1] + u * (k[i][2] + u * k[i][3]));
            assert_true(at >= fmin(y[i], y[i + 1]) - 1e-14 && at <= fmax(y[i], y[i + 1]) + 1e-14);
        }
    assert_close(k[3][1], 0.0, 0.0);
    assert_close(k[4][1], 2.0 * -0.1 / 1.3,
                 1e-14); /* at most twice the smaller slope beside; the parabola's is -1.31 */
    dls_arena_release(&memory);
}
