/* Tracks: composites and their seams, ends, twist, the nearest point, and what is refused. */
#include "curves.h"

static double distance(dls_vec3 a, dls_vec3 b) { return dls_norm(dls_sub(a, b)); }

/* --- composites --- */

/* line - clothoid - arc: no jump but of dc/ds. arc - line: 1/R. */
TEST(test_seams_of_a_railway)
{
    dls_curve *oval = make_curve(spec_find("oval")), *stadium = make_curve(spec_find("stadium"));
    assert_int_equal(dls_curve_seams(oval), 8);
    for (size_t k = 0; k < 8; k++) {
        dls_curve_seam seam = dls_curve_seam_at(oval, k);
        assert_below(fabs(seam.c) + fabs(seam.cb) + fabs(seam.t), 1e-14);
    }
    assert_int_equal(dls_curve_seams(stadium), 4);
    for (size_t k = 0; k < 4; k++) {
        dls_curve_seam seam = dls_curve_seam_at(stadium, k);
        assert_close(seam.c, k % 2 ? -1 / 1.7 : 1 / 1.7, 1e-14);
        assert_below(fabs(seam.cb) + fabs(seam.t), 1e-14);
    }
    assert_close(dls_curve_seam_at(stadium, 1).s, 4 + 1.7 * DLS_PI, 1e-14);
    dls_curve_destroy(oval);
    dls_curve_destroy(stadium);
}

/* After a bend to the left, one to the right has c < 0, and a hump cb < 0, in a frame that never rolls. */
TEST(test_frame_goes_on)
{
    dls_curve *chain = make_curve(spec_find("chain"));
    /* line, left, arc to the left, out, arc to the right, hump; a metre into four of them */
    double left = 3.1 + 2.2, right = left + 2.5 * 100 * DLS_PI / 180 + 2.2, hump = right + 4 * 40 * DLS_PI / 180;
    double s[4] = {0, left, right, hump}, c[4] = {0, 0.4, -0.25, 0}, cb[4] = {0, 0, 0, -0.2};
    for (int i = 0; i < 4; i++) {
        dls_curve_point at;
        dls_curve_at(chain, s[i] + 1, &at);
        assert_close(at.c, c[i], 1e-14);
        assert_close(at.cb, cb[i], 1e-14);
        assert_close(at.t, 0.0, 0.0);
        assert_below(fabs(at.N.z), 1e-14); /* level */
    }
    dls_curve_destroy(chain);
}

/* A piece whose own N points elsewhere is turned by a constant: both components of the curvature show. */
TEST(test_frame_is_turned)
{
    static const curve_spec pieces[] = {
        {"", "arc", "radius=2; angle=90 deg", NULL, 0, NULL},
        {"", "arc", "start=[2, 2, 0]; tangent=[0, 1, 0]; normal=[-1, 0, 1.7320508075688772]; radius=3; angle=1", NULL,
         0, NULL},
    };
    dls_curve *curve = make_curve(&(curve_spec){"", "composite", "", SPEC_PIECES(pieces)});
    dls_curve_point at;
    dls_curve_seam seam = dls_curve_seam_at(curve, 0);
    dls_curve_at(curve, DLS_PI + 0.5, &at);
    assert_close(at.c, 1.0 / 3 * 0.5, 1e-14);
    assert_close(at.cb, 1.0 / 3 * sqrt(0.75), 1e-14);
    assert_close(seam.c, 1.0 / 6 - 0.5, 1e-14);
    assert_close(seam.cb, sqrt(0.75) / 3, 1e-14);
    assert_close(seam.roll, 0.0, 1e-15);
    dls_curve_destroy(curve);
}

TEST(test_corner)
{
    static const curve_spec pieces[] = {
        {"", "line", "length=2", NULL, 0, NULL},
        {"", "line", "start=[2, 0, 5e-7]; tangent=[1, 1, 0.5]; normal=[0, 0, 1]; length=3", NULL, 0, NULL},
    };
    dls_curve *curve = make_curve(&(curve_spec){"", "composite", "", SPEC_PIECES(pieces)});
    dls_curve_seam seam = dls_curve_seam_at(curve, 0);
    dls_curve_point at;
    assert_close(seam.corner, acos(1 / 1.5), 1e-14);
    assert_close(seam.gap, 5e-7, 1e-16);
    assert_close(seam.roll, 0.0, 1e-15);
    dls_curve_at(curve, 3.0, &at);
    dls_vec3 N = dls_quat_rotate(dls_quat_between(dls_v3(1, 0, 0), dls_unit(dls_v3(1, 1, 0.5))), dls_v3(0, 1, 0));
    assert_below(distance(at.N, N), 1e-15);
    dls_curve_destroy(curve);
}

/* A composite in a composite is the same curve, with the same seams. */
TEST(test_nested)
{
    static const curve_spec halves[] = {
        {"", "composite", "chained=true", NULL, 4, spec_oval},
        {"", "composite", "chained=true", NULL, 4, spec_oval},
    };
    dls_curve *nested = make_curve(&(curve_spec){"", "composite", "chained=true; closed=true", SPEC_PIECES(halves)});
    dls_curve *flat = make_curve(spec_find("oval"));
    assert_int_equal(dls_curve_seams(nested), dls_curve_seams(flat));
    for (size_t k = 0; k < 8; k++)
        assert_close(dls_curve_seam_at(nested, k).s, dls_curve_seam_at(flat, k).s, 1e-13);
    for (int i = 0; i < 200; i++) {
        dls_curve_point p, q;
        dls_curve_at(nested, 0.171 * i, &p);
        dls_curve_at(flat, 0.171 * i, &q);
        assert_below(distance(p.P, q.P) + distance(p.T, q.T) + distance(p.N, q.N), 1e-13);
    }
    dls_curve_destroy(nested);
    dls_curve_destroy(flat);
}

/* --- ends --- */

TEST(test_ends)
{
    dls_curve *curve = make_curve(spec_find("line"));
    dls_curve_point at, end;
    dls_error error;
    assert_int_equal(dls_curve_at(curve, 7.3, &end), DLS_CURVE_ON);
    assert_int_equal(dls_curve_at(curve, 7.4, &at), DLS_CURVE_BEYOND);
    assert_close(distance(at.P, end.P), 0.0, 0.0);
    assert_int_equal(dls_curve_at(curve, -1e-9, &at), DLS_CURVE_BEFORE);
    assert_int_equal(dls_curve_at(curve, NAN, &at), DLS_CURVE_NOWHERE);
    assert_true(isnan(at.P.x) && isnan(at.c));
    assert_int_equal(dls_curve_check(curve, 7.3, &error), DLS_OK);
    assert_int_equal(dls_curve_check(curve, 8.3, &error), DLS_BAD_INPUT);
    assert_non_null(strstr(error.message, "beyond the end"));
    assert_int_equal(dls_curve_check(curve, -1, &error), DLS_BAD_INPUT);
    assert_non_null(strstr(error.message, "before the start"));
    assert_int_equal(dls_curve_check(curve, INFINITY, &error), DLS_NOT_FINITE);
    dls_curve_destroy(curve);
}

TEST(test_wrap)
{
    dls_curve *curve = make_curve(spec_find("knot"));
    double L = curve->length;
    assert_close(dls_curve_wrap(curve, 2.7 + 3 * L), 2.7, 1e-13);
    assert_close(dls_curve_wrap(curve, 2.7 - 3 * L), 2.7, 1e-13);
    assert_close(dls_curve_wrap(curve, L), 0.0, 0.0);
    assert_true(dls_curve_wrap(curve, -1e-30) < L);
    for (int i = -20; i < 20; i++) {
        dls_curve_point p, q;
        dls_error error;
        double s = 0.37 * i * L;
        assert_int_equal(dls_curve_at(curve, s, &p), DLS_CURVE_ON);
        assert_int_equal(dls_curve_check(curve, s, &error), DLS_OK);
        dls_curve_at(curve, s + L, &q);
        assert_below(distance(p.P, q.P) + distance(p.N, q.N), 1e-12);
    }
    dls_curve_destroy(curve);
}

/* --- twist --- */

static dls_twist *make_twist(const char *type, const char *settings, const double (*points)[2], size_t n,
                             const dls_curve *curve)
{
    dls_twist *twist;
    dls_error error;
    assert_status(try_twist(type, settings, points, n, curve, &twist, &error), &error);
    return twist;
}

static void check_rate(const dls_twist *twist, double s)
{
    double wt[2], rate, unused, h = 1e-4;
    dls_twist_at(twist, s - h, &wt[0], &unused);
    dls_twist_at(twist, s + h, &wt[1], &unused);
    dls_twist_at(twist, s, &unused, &rate);
    assert_close((wt[1] - wt[0]) / (2 * h), rate, 1e-7);
}

TEST(test_twist_on_a_line)
{
    static const double points[][2] = {{-1, 0.2}, {1.3, 0.2}, {2.4, 0.9}, {4.1, 0.9}, {8, -0.4}};
    static const char *const kinds[] = {"", "interpolation=steffen", "interpolation=linear"};
    dls_curve *curve = make_curve(spec_find("line"));
    for (int k = 0; k < 3; k++) {
        dls_twist *twist = make_twist("spline", kinds[k], points, 5, curve);
        double wt, rate, least = INFINITY, most = -INFINITY;
        for (int i = 1; i < 4; i++) {
            dls_twist_at(twist, points[i][0], &wt, &rate);
            assert_close(wt, points[i][1], 1e-15);
        }
        for (int i = 1; i < 150; i++) {
            dls_twist_at(twist, 0.0487 * i, &wt, &rate);
            check_rate(twist, 0.0487 * i);
            least = fmin(least, wt), most = fmax(most, wt);
        }
        assert_true(k == 0 ? most > 0.91 : most <= 0.9); /* a C2 spline overshoots */
        dls_twist_destroy(twist);
    }
    dls_curve_destroy(curve);
}

/* A closed curve's twist comes back, whole turns apart, with its rate. */
TEST(test_twist_around)
{
    static const double points[][2] = {{0.4, 0.2}, {2.1, 0.9}, {5.3, 0.6}, {8.8, -0.7}};
    static const char *const kinds[] = {"", "interpolation=steffen", "interpolation=linear", "total=360 deg",
                                        "interpolation=steffen; total=-720 deg"};
    dls_curve *curve = make_curve(spec_find("circle"));
    for (int k = 0; k < 5; k++) {
        dls_twist *twist = make_twist("spline", kinds[k], points, 4, curve);
        double first[2], last[2], at[2], total = k == 3 ? 2 * DLS_PI : k == 4 ? -4 * DLS_PI : 0.0;
        dls_twist_at(twist, 0.0, &first[0], &first[1]);
        dls_twist_at(twist, curve->length, &last[0], &last[1]);
        assert_close(last[0], first[0] + total, 1e-14);
        assert_close(last[1], first[1], 1e-14);
        assert_close(dls_track_roll(curve, twist), 0.0, 1e-14);
        for (int i = 0; i < 4; i++) {
            dls_twist_at(twist, points[i][0], &at[0], &at[1]);
            assert_close(at[0], points[i][1], 1e-14);
        }
        for (int i = 1; i < 90; i++)
            check_rate(twist, curve->length * i / 90.7);
        dls_twist_destroy(twist);
    }
    dls_curve_destroy(curve);
}

/* Two points: straight from the one to the other, and back across the seam. */
TEST(test_twist_of_two_points_around)
{
    dls_curve *curve = make_curve(spec_find("circle"));
    const double L = curve->length, points[2][2] = {{0.3 * L, 0.2}, {0.8 * L, 0.9}};
    dls_twist *twist = make_twist("spline", "interpolation=linear", points, 2, curve);
    for (int i = 0; i < 100; i++) {
        const double s = L * i / 99.0, from = s < 0.3 * L ? s + L : s;
        double wt, rate;
        dls_twist_at(twist, s, &wt, &rate);
        assert_close(wt, from < 0.8 * L ? 0.2 + 0.7 * (from / L - 0.3) / 0.5 : 0.9 - 0.7 * (from / L - 0.8) / 0.5,
                     1e-14);
    }
    dls_twist_destroy(twist);
    dls_curve_destroy(curve);
}

/* Superelevation: wB leans into the curve, N towards the centre. */
TEST(test_superelevation)
{
    dls_curve *curve = make_curve(spec_find("oval"));
    dls_twist *twist = make_twist("constant", "angle=6 deg", NULL, 0, curve);
    dls_curve_point F, wF;
    dls_track_at(curve, twist, 9.0, &F, &wF);
    assert_close(F.c, 0.4, 1e-15);
    assert_close(dls_dot(wF.N, F.N), cos(6 * DLS_PI / 180), 1e-15);
    assert_close(dls_dot(wF.N, F.B), sin(6 * DLS_PI / 180), 1e-15);
    assert_close(hypot(wF.c, wF.cb), 0.4, 1e-15);
    assert_close(wF.cb, -0.4 * sin(6 * DLS_PI / 180), 1e-15);
    dls_track_at(curve, NULL, 9.0, NULL, &wF);
    assert_close(distance(wF.N, F.N), 0.0, 0.0);
    dls_twist_destroy(twist);
    dls_curve_destroy(curve);
}

/* The rotation-minimising frame of a closed space curve comes back turned; a linear twist undoes it. */
TEST(test_twist_undoes_the_roll)
{
    dls_curve *curve = make_curve(spec_find("bishop knot"));
    double roll = dls_track_roll(curve, NULL);
    char settings[64];
    dls_curve_point last, first;
    assert_true(fabs(roll) > 0.01);
    snprintf(settings, sizeof settings, "rate=%.17g", roll / curve->length);
    dls_twist *twist = make_twist("linear", settings, NULL, 0, curve);
    assert_close(dls_track_roll(curve, twist), 0.0, 1e-13);
    dls_track_at(curve, twist, curve->length - 1e-13, NULL, &last);
    dls_track_at(curve, twist, 0.0, NULL, &first);
    assert_below(distance(last.N, first.N), 1e-12);
    dls_twist_destroy(twist);
    dls_curve_destroy(curve);
}

/* --- the nearest point --- */

/* Off the curve by less than its radius of curvature, the foot is where one started. */
TEST(test_nearest)
{
    for (size_t i = 0; i < SPECS; i++) {
        dls_curve *curve = make_curve(&spec_all[i]);
        for (int k = 0; k < 40; k++) {
            double s = curve->length * (k + 0.37) / 41, phi = 1.7 * k, r = 0.4 / fmax(curve->c_max, 1.0);
            dls_curve_point at;
            dls_curve_at(curve, s, &at);
            dls_vec3 p = dls_add(at.P, dls_add(dls_scale(r * cos(phi), at.N), dls_scale(r * sin(phi), at.B)));
            dls_curve_nearest near = dls_curve_nearest_to(curve, p, s + 0.13 * r);
            assert_true(near.found && near.where == DLS_CURVE_ON);
            assert_close(near.s, s, 1e-12);
            assert_close(near.distance, r, 1e-13);
            near = dls_curve_nearest_of_all(curve, p);
            assert_true(near.found);
            assert_below(near.distance, r + 1e-13);
        }
        dls_curve_destroy(curve);
    }
}

static double nearest_by_samples(const dls_curve *curve, dls_vec3 p, int samples)
{
    double best = INFINITY;
    for (int i = 0; i <= samples; i++) {
        dls_curve_point at;
        curve->type->at(curve, curve->length * i / samples, &at);
        best = fmin(best, distance(p, at.P));
    }
    return best;
}

/* From anywhere: no sample of the curve is nearer, and none much further than the best. */
TEST(test_nearest_of_all)
{
    enum { SAMPLES = 2000 };
    unsigned seed = 12345;
    for (size_t i = 0; i < SPECS; i++) {
        dls_curve *curve = make_curve(&spec_all[i]);
        for (int k = 0; k < 20; k++) {
            double x[3], d = curve->length / SAMPLES;
            for (int j = 0; j < 3; j++)
                x[j] = ((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0 * 12 - 6;
            dls_vec3 p = dls_v3(x[0], x[1], x[2]);
            double best = nearest_by_samples(curve, p, SAMPLES);
            dls_curve_nearest near = dls_curve_nearest_of_all(curve, p);
            assert_true(near.found);
            assert_below(near.distance, best + 1e-13);
            assert_below(best, near.distance + 0.5 * d);
        }
        dls_curve_destroy(curve);
    }
}

/* A coil of 30 turns: near each of them is a point to which this turn is nearest, and the samples have to be as dense
 * as the turns are. From u off the coil along the normal the foot is the point itself. */
TEST(test_nearest_turn_of_many)
{
    dls_curve *curve = make_curve(&(curve_spec){"", "helix", "radius=1; pitch=0.5; turns=30", NULL, 0, NULL});
    for (int k = 1; k < 120; k++) {
        const double s = curve->length * k / 120.0;
        dls_curve_point at;
        dls_curve_at(curve, s, &at);
        for (int side = -1; side <= 1; side++) {
            const dls_vec3 p = dls_add(at.P, dls_scale(0.01 * side, at.N));
            const dls_curve_nearest near = dls_curve_nearest_of_all(curve, p);
            assert_true(near.found && near.where == DLS_CURVE_ON);
            assert_close(near.s, s, 1e-11 * curve->length);
            assert_close(near.distance, 0.01 * abs(side), 1e-12);
        }
    }
    dls_curve_destroy(curve);
}

/* On an open curve the ends belong to it, what is beyond is told by how much; on a closed one every finite s is one. */
TEST(test_where_s_is)
{
    dls_curve *line = make_curve(&(curve_spec){"", "line", "length=2", NULL, 0, NULL});
    dls_curve *ring = make_curve(&(curve_spec){"", "arc", "radius=1; closed=true", NULL, 0, NULL});
    static const double at[] = {-1e-300, 0.0, 1.0, 2.0, 2.0000000000000004, -0.5, 2.5};
    static const dls_curve_where where[] = {DLS_CURVE_BEFORE, DLS_CURVE_ON,     DLS_CURVE_ON,    DLS_CURVE_ON,
                                            DLS_CURVE_BEYOND, DLS_CURVE_BEFORE, DLS_CURVE_BEYOND};
    dls_curve_point point;
    dls_error error;
    for (size_t k = 0; k < sizeof at / sizeof at[0]; k++) {
        assert_int_equal(dls_curve_at(line, at[k], &point), where[k]);
        assert_close(dls_norm(point.P), fmin(fmax(at[k], 0.0), 2.0), 1e-15);
        assert_int_equal(dls_curve_check(line, at[k], &error), where[k] == DLS_CURVE_ON ? DLS_OK : DLS_BAD_INPUT);
        assert_close(dls_curve_wrap(line, at[k]), at[k], 0.0);
    }
    assert_int_equal(dls_curve_check(line, -0.5, &error), DLS_BAD_INPUT);
    assert_string_equal(error.message, "-0.5 m is 0.5 m before the start of an open curve");
    assert_int_equal(dls_curve_check(line, 2.5, &error), DLS_BAD_INPUT);
    assert_string_equal(error.message, "2.5 m is 0.5 m beyond the end of an open curve, which is 2 m long");
    assert_int_equal(dls_curve_check(line, NAN, &error), DLS_NOT_FINITE);
    assert_int_equal(dls_curve_check(ring, INFINITY, &error), DLS_NOT_FINITE);
    assert_int_equal(dls_curve_at(ring, -INFINITY, &point), DLS_CURVE_NOWHERE);
    assert_true(isnan(point.P.x) && isnan(point.B.z) && isnan(point.c));
    const double L = ring->length;
    const double around[][2] = {{0, 0}, {L, 0}, {-0.25, L - 0.25}, {L + 0.5, 0.5}, {-1e-20, 0}, {3 * L, 0}, {1, 1}};
    for (size_t k = 0; k < sizeof around / sizeof around[0]; k++) {
        assert_close(dls_curve_wrap(ring, around[k][0]), around[k][1], 4e-15);
        assert_true(dls_curve_wrap(ring, around[k][0]) < L);
        assert_int_equal(dls_curve_at(ring, around[k][0], &point), DLS_CURVE_ON);
        assert_status(dls_curve_check(ring, around[k][0], &error), &error);
    }
    dls_curve_destroy(line);
    dls_curve_destroy(ring);
}

TEST(test_nearest_at_the_ends)
{
    dls_curve *curve = make_curve(&(curve_spec){"", "line", "length=2", NULL, 0, NULL});
    dls_curve_nearest near = dls_curve_nearest_of_all(curve, dls_v3(2.5, 0.5, 0));
    assert_int_equal(near.where, DLS_CURVE_BEYOND);
    assert_close(near.s, 2.0, 0.0);
    assert_close(near.distance, sqrt(0.5), 1e-15);
    near = dls_curve_nearest_to(curve, dls_v3(-1, 0, 0), 1.2);
    assert_true(near.found && near.where == DLS_CURVE_BEFORE);
    assert_int_equal(dls_curve_nearest_to(curve, dls_v3(2, 1, 0), 1).where, DLS_CURVE_ON);
    assert_false(dls_curve_nearest_to(curve, dls_v3(NAN, 1, 0), 1).found);
    assert_false(dls_curve_nearest_of_all(curve, dls_v3(NAN, 1, 0)).found);
    dls_curve_destroy(curve);
}

/* All of a circle is as near to its centre; from past the centre Newton's step would climb. */
TEST(test_nearest_on_a_circle)
{
    dls_curve *curve = make_curve(&(curve_spec){"", "arc", "radius=2; closed=true", NULL, 0, NULL});
    dls_curve_nearest near = dls_curve_nearest_of_all(curve, dls_v3(0, 2, 0));
    assert_true(near.found);
    assert_close(near.distance, 2.0, 1e-15);
    near = dls_curve_nearest_to(curve, dls_v3(0, 3, 0), 0.1); /* the far side is nearest */
    assert_true(near.found);
    assert_close(near.s, 2 * DLS_PI, 1e-13);
    assert_close(near.distance, 1.0, 1e-14);
    dls_curve_destroy(curve);
}

/* At a corner no perpendicular has its foot; the corner itself is nearest. */
TEST(test_nearest_at_a_corner)
{
    static const curve_spec pieces[] = {
        {"", "line", "length=2", NULL, 0, NULL},
        {"", "line", "start=[2, 0, 0]; tangent=[0, 1, 0]; normal=[-1, 0, 0]; length=2", NULL, 0, NULL}};
    dls_curve *curve = make_curve(&(curve_spec){"", "composite", "", SPEC_PIECES(pieces)});
    dls_curve_nearest near = dls_curve_nearest_of_all(curve, dls_v3(3, -0.7, 0));
    assert_true(near.found);
    assert_close(near.s, 2.0, 1e-12);
    assert_close(near.distance, hypot(1, 0.7), 1e-12);
    dls_curve_destroy(curve);
}

/* --- what is refused --- */

typedef struct refusal {
    curve_spec spec;
    dls_status status;
    const char *key, *words;
} refusal;

static const double equal_points[][3] = {{0, 0, 0}, {1, 2, 0}, {1, 2, 0}, {3, 1, 0}},
                    repeated[][3] = {{0, 0, 0}, {1, 2, 0}, {3, 1, 0}, {0, 0, 0}};
static const double nan_points[][3] = {{0, 0, 0}, {1, NAN, 0}, {3, 1, 0}},
                    huge_points[][3] = {{0, 0, 0}, {1e300, 0, 0}, {0, 1e300, 0}};
static const double cusp[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, climb[][3] = {{0, 0, 0}, {0, 0, 1}, {0, 0, 3}};
static const curve_spec apart[] = {{"", "line", "length=1", NULL, 0, NULL},
                                   {"", "line", "start=[1, 0.1, 0]; length=1", NULL, 0, NULL}};
static const curve_spec bad_piece[] = {{"", "line", "length=1", NULL, 0, NULL},
                                       {"", "arc", "radius=0; angle=1", NULL, 0, NULL}};
static const curve_spec closed_piece[] = {{"", "arc", "radius=1; closed=true", NULL, 0, NULL}};

static const refusal refusals[] = {
    {{"", "lne", "", NULL, 0, NULL}, DLS_BAD_INPUT, "type", "did you mean 'line'"},
    {{"", "line", "", NULL, 0, NULL}, DLS_BAD_INPUT, "length", "missing"},
    {{"", "line", "length=0", NULL, 0, NULL}, DLS_BAD_INPUT, "length", "outside (0,"},
    {{"", "line", "length=inf", NULL, 0, NULL}, DLS_NOT_FINITE, "length", "must be finite"},
    {{"", "line", "length=nan", NULL, 0, NULL}, DLS_NOT_FINITE, "length", ""},
    {{"", "line", "length=1; tangent=[0, 0, 0]", NULL, 0, NULL}, DLS_BAD_INPUT, "tangent", "no direction"},
    {{"", "line", "length=1; normal=[2, 0, 0]", NULL, 0, NULL}, DLS_BAD_INPUT, "normal", "along the tangent"},
    {{"", "line", "length=1; start=[nan, 0, 0]", NULL, 0, NULL}, DLS_NOT_FINITE, "start", ""},
    {{"", "line", "length=1; start=[inf, 0, 0]", NULL, 0, NULL}, DLS_NOT_FINITE, "start", ""},
    {{"", "line", "lenght=1", NULL, 0, NULL}, DLS_BAD_INPUT, "lenght", "did you mean 'length'"},
    {{"", "line", "length=1", SPEC_POINTS(repeated)}, DLS_BAD_INPUT, "points", "not given by points"},
    {{"", "line", "length=1", SPEC_PIECES(apart)}, DLS_BAD_INPUT, "pieces", "has no pieces"},
    {{"", "arc", "radius=0; angle=1", NULL, 0, NULL}, DLS_BAD_INPUT, "radius", "radius 0"},
    {{"", "arc", "radius=1; angle=0", NULL, 0, NULL}, DLS_BAD_INPUT, "angle", "outside (0,"},
    {{"", "arc", "radius=1", NULL, 0, NULL}, DLS_BAD_INPUT, "angle", "missing"},
    {{"", "arc", "radius=1; angle=300 deg; closed=true", NULL, 0, NULL},
     DLS_BAD_INPUT,
     "closed",
     "does not meet its start"},
    {{"", "arc", "radius=1e308; angle=1e3", NULL, 0, NULL}, DLS_BAD_INPUT, "length", "finite"},
    {{"", "helix", "radius=0; pitch=1", NULL, 0, NULL}, DLS_BAD_INPUT, "radius", "outside (0,"},
    {{"", "helix", "radius=1; pitch=1; axis=[0, 0, 0]", NULL, 0, NULL}, DLS_BAD_INPUT, "axis", "no direction"},
    {{"", "clothoid", "length=1e4; end_curvature=1e9", NULL, 0, NULL}, DLS_REFUSED, "end_curvature", "turns"},
    {{"", "spline", "", repeated, 2, NULL}, DLS_BAD_INPUT, "points", "needs 3 points, and has 2"},
    {{"", "spline", "", SPEC_POINTS(equal_points)}, DLS_BAD_INPUT, "points", "points 2 and 3 are equal"},
    {{"", "spline", "closed=true", SPEC_POINTS(repeated)}, DLS_BAD_INPUT, "points", "points 4 and 1 are equal"},
    {{"", "spline", "", SPEC_POINTS(nan_points)}, DLS_NOT_FINITE, "points", "point 2"},
    {{"", "spline", "", SPEC_POINTS(huge_points)}, DLS_BAD_INPUT, "points", "points 1 and 2 are too far apart"},
    {{"", "spline", "", SPEC_POINTS(cusp)}, DLS_REFUSED, "points", "cusp"},
    {{"", "spline", "frame=up", SPEC_POINTS(climb)}, DLS_BAD_INPUT, "up", "runs along"},
    {{"", "spline", "normal=[0, 0, 2]", SPEC_POINTS(climb)}, DLS_BAD_INPUT, "normal", "along the curve"},
    {{"", "composite", "", NULL, 0, NULL}, DLS_BAD_INPUT, "pieces", "at least one"},
    {{"", "composite", "", SPEC_PIECES(apart)},
     DLS_BAD_INPUT,
     "pieces",
     "piece 1 ends 0.1 m from where piece 2 begins"},
    {{"", "composite", "chained=true; closed=true", SPEC_PIECES(apart)},
     DLS_BAD_INPUT,
     "closed",
     "piece 2 ends 2 m from where piece 1"},
    {{"", "composite", "", SPEC_PIECES(bad_piece)}, DLS_BAD_INPUT, "radius", "piece 2 (arc)"},
    {{"", "composite", "", SPEC_PIECES(closed_piece)}, DLS_BAD_INPUT, "closed", "piece 1 (arc)"},
};

static void check_refusal(dls_status status, const dls_error *error, dls_status expected, const char *key,
                          const char *words)
{
    if (status == expected && strcmp(error->key, key) == 0 && strstr(error->message, words))
        return;
    print_error("expected '%s': '%s', got '%s': '%s' (%s)\n", key, words, error->key, error->message,
                dls_status_text(status));
    fail();
}

TEST(test_refused_curves)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        dls_error error = {.key = ""};
        dls_curve *curve;
        dls_status status = try_curve(&refusals[i].spec, &curve, &error);
        check_refusal(status, &error, refusals[i].status, refusals[i].key, refusals[i].words);
        assert_null(curve);
        assert_int_equal(try_curve(&refusals[i].spec, &curve, NULL), refusals[i].status);
    }
}

TEST(test_refused_twists)
{
    static const double good[][2] = {{0, 1}, {3, 2}, {8, 1}}, back[][2] = {{0, 1}, {3, 2}, {3, 1}},
                        nan[][2] = {{0, 1}, {3, NAN}, {8, 1}};
    static const double late[][2] = {{1, 1}, {3, 2}, {8, 1}}, far[][2] = {{0, 1}, {3, 2}, {80, 1}};
    static const struct {
        const char *curve, *type, *settings;
        const double (*points)[2];
        size_t n;
        dls_status status;
        const char *key, *words;
    } bad[] = {
        {"line", "contsant", "", NULL, 0, DLS_BAD_INPUT, "type", "did you mean 'constant'"},
        {"line", "constant", "angle=nan", NULL, 0, DLS_NOT_FINITE, "angle", ""},
        {"line", "linear", "", NULL, 0, DLS_BAD_INPUT, "rate", "missing"},
        {"line", "linear", "rate=1", good, 3, DLS_BAD_INPUT, "points", "not given by points"},
        {"line", "spline", "", good, 2, DLS_BAD_INPUT, "points", "needs 3"},
        {"line", "spline", "interpolation=linear", good, 1, DLS_BAD_INPUT, "points", "needs 2"},
        {"line", "spline", "", back, 3, DLS_BAD_INPUT, "points", "point 3: s does not grow"},
        {"line", "spline", "", nan, 3, DLS_NOT_FINITE, "points", "point 2"},
        {"line", "spline", "", late, 3, DLS_BAD_INPUT, "points", "does not cover"},
        {"line", "spline", "total=1", good, 3, DLS_BAD_INPUT, "total", "no laps"},
        {"circle", "spline", "", far, 3, DLS_BAD_INPUT, "points", "closed curve"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        dls_error error = {.key = ""};
        dls_twist *twist;
        dls_curve *curve = make_curve(spec_find(bad[i].curve));
        dls_status status = try_twist(bad[i].type, bad[i].settings, bad[i].points, bad[i].n, curve, &twist, &error);
        check_refusal(status, &error, bad[i].status, bad[i].key, bad[i].words);
        dls_curve_destroy(curve);
    }
}

/* --- determinism --- */

/* The same curve twice, run along in opposite directions: the same bits. */
TEST(test_same_bits)
{
    enum { N = 501 };
    static dls_curve_point there[N], back[N];
    for (size_t i = 0; i < SPECS; i++) {
        dls_curve *a = make_curve(&spec_all[i]), *b = make_curve(&spec_all[i]);
        for (int k = 0; k < N; k++)
            dls_curve_at(a, a->length * k / (N - 1), &there[k]);
        for (int k = N; k-- > 0;)
            dls_curve_at(b, b->length * k / (N - 1), &back[k]);
        assert_memory_equal(there, back, sizeof there);
        dls_curve_destroy(a);
        dls_curve_destroy(b);
    }
}
