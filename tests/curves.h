/* curves.h - curves that tests run along: at least one of every kind, with values that hide no factor. */
#ifndef DLS_TESTS_CURVES_H
#define DLS_TESTS_CURVES_H

#include "delassus/curve.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

typedef struct curve_spec {
    const char *name, *type, *settings; /* "key=value; key=value" */
    const double (*points)[3];
    size_t n; /* of points, or of pieces */
    const struct curve_spec *pieces;
} curve_spec;

#define SPEC_POINTS(array) (array), sizeof(array) / sizeof((array)[0]), NULL
#define SPEC_PIECES(array) NULL, sizeof(array) / sizeof((array)[0]), (array)

/* Applies "key=value; key=value" through `set`. */
static inline dls_status set_all(void *def, dls_status (*set)(void *, const char *, const char *, dls_error *),
                                 const char *settings, dls_error *error)
{
    char text[512];
    snprintf(text, sizeof text, "%s", settings);
    for (char *key = text, *next; key && *key; key = next) {
        next = strchr(key, ';');
        if (next)
            *next++ = '\0';
        key += strspn(key, " ");
        char *value = strchr(key, '=');
        *value++ = '\0';
        DLS_TRY(set(def, key, value, error));
    }
    return DLS_OK;
}

static inline dls_status set_curve(void *def, const char *key, const char *value, dls_error *error)
{
    return dls_curve_set(def, key, value, error);
}

static inline dls_status define_curve(const curve_spec *spec, dls_curve_def *def, dls_error *error)
{
    dls_status status = dls_curve_default(def, spec->type, error);
    if (status == DLS_OK)
        status = set_all(def, set_curve, spec->settings, error);
    for (size_t i = 0; status == DLS_OK && spec->points && i < spec->n; i++)
        status = dls_curve_add_point(def, dls_v3(spec->points[i][0], spec->points[i][1], spec->points[i][2]), error);
    for (size_t i = 0; status == DLS_OK && spec->pieces && i < spec->n; i++) {
        dls_curve_def piece;
        status = define_curve(&spec->pieces[i], &piece, error);
        if (status == DLS_OK)
            status = dls_curve_add_piece(def, &piece, error);
        dls_curve_def_release(&piece);
    }
    return status;
}

static inline dls_status try_curve(const curve_spec *spec, dls_curve **curve, dls_error *error)
{
    dls_curve_def def = {0};
    *curve = NULL;
    dls_status status = define_curve(spec, &def, error);
    if (status == DLS_OK)
        status = dls_curve_create(&def, curve, error);
    dls_curve_def_release(&def);
    return status;
}

static inline dls_curve *make_curve(const curve_spec *spec)
{
    dls_error error;
    dls_curve *curve;
    assert_status(try_curve(spec, &curve, &error), &error);
    return curve;
}

static inline dls_status set_twist(void *def, const char *key, const char *value, dls_error *error)
{
    return dls_twist_set(def, key, value, error);
}

static inline dls_status try_twist(const char *type, const char *settings, const double (*points)[2], size_t n,
                                   const dls_curve *curve, dls_twist **twist, dls_error *error)
{
    dls_twist_def def = {0};
    *twist = NULL;
    dls_status status = dls_twist_default(&def, type, error);
    if (status == DLS_OK)
        status = set_all(&def, set_twist, settings, error);
    for (size_t i = 0; status == DLS_OK && i < n; i++)
        status = dls_twist_add_point(&def, points[i][0], points[i][1], error);
    if (status == DLS_OK)
        status = dls_twist_create(&def, curve, twist, error);
    dls_twist_def_release(&def);
    return status;
}

/* At least one twist of every kind. */
static const double twist_points[][2] = {{0, 0.1}, {3, -0.4}, {5, 0.9}, {60, 0.3}};
static const struct {
    const char *type, *settings;
    size_t n;
    bool smooth; /* its rate has a derivative everywhere */
} twist_specs[] = {{"constant", "angle=40 deg", 0, true},
                   {"linear", "start=0.3; rate=-0.7", 0, true},
                   {"spline", "", 4, true},
                   {"spline", "interpolation=steffen", 4, false}};
enum { TWIST_SPECS = sizeof twist_specs / sizeof twist_specs[0] };

/* On a closed curve without the last point, which is beyond its length. */
static inline dls_status try_twist_spec(size_t k, const dls_curve *curve, dls_twist **twist, dls_error *error)
{
    return try_twist(twist_specs[k].type, twist_specs[k].settings, twist_points,
                     twist_specs[k].n - (twist_specs[k].n && curve->closed), curve, twist, error);
}

/* Curved in space, plane with an inflection, the same closed, a closed space curve, plane to 1 cm, straight. */
static const double spec_space[][3] = {{0, 0, 0},        {2.1, 0.4, 0.3},  {3.3, 2.2, 1.7}, {1.9, 3.7, 2.9},
                                       {-0.4, 3.1, 2.2}, {-1.2, 1.3, 3.4}, {0.7, 0.2, 4.8}};
static const double spec_wave[][3] = {{0, 0, 0.7},      {1.3, 1.1, 0.7},  {2.9, 1.2, 0.7}, {4.1, -0.3, 0.7},
                                      {5.3, -1.4, 0.7}, {7.0, -0.2, 0.7}, {8.1, 1.7, 0.7}};
static const double spec_bean[][3] = {{3, 0, 1.5},         {2.3, 2.1, 1.15},    {0.2, 0.9, 0.1},  {-2.4, 1.8, -1.2},
                                      {-2.9, -0.3, -1.45}, {-1.1, -2.2, -0.55}, {1.7, -1.9, 0.85}};
static const double spec_knot[][3] = {{3, 0, 0.1},       {1.2, 2.3, 1.4},    {-1.7, 2.1, -0.6},
                                      {-2.8, -0.3, 0.9}, {-0.9, -2.6, -1.2}, {2.2, -1.9, 0.3}};
static const double spec_shaken[][3] = {{0, 0, 0.7},      {1.3, 1.1, 0.71},  {2.9, 1.2, 0.69}, {4.1, -0.3, 0.71},
                                        {5.3, -1.4, 0.7}, {7.0, -0.2, 0.69}, {8.1, 1.7, 0.7}};
static const double spec_row[][3] = {{1, 2, 3}, {2.1, 2.5, 2.2}, {4.3, 3.5, 0.6}, {5.4, 4, -0.2}};

static const curve_spec spec_level[] = {
    {"line", "line", "length=3.1; tangent=[1, 0.3, 0]", NULL, 0, NULL},
    {"left", "clothoid", "length=2.2; end_curvature=0.4", NULL, 0, NULL},
    {"arc", "arc", "radius=2.5; angle=100 deg", NULL, 0, NULL},
    {"out", "clothoid", "length=2.2; start_curvature=0.4; end_curvature=-0.25", NULL, 0, NULL},
    {"right", "arc", "radius=-4; angle=40 deg", NULL, 0, NULL},
    {"hump", "arc", "radius=5; angle=33 deg; bend=-90 deg", NULL, 0, NULL},
    {"coil", "helix", "radius=1.5; pitch=2; turns=1.2", NULL, 0, NULL},
    {"end", "line", "length=2", NULL, 0, NULL},
    {"spline", "spline", "", SPEC_POINTS(spec_space)},
};
/* An oval: lines, clothoids that turn by length * curvature / 2 = 0.4 each, arcs that turn by the rest of pi. */
static const curve_spec spec_oval[] = {
    {"line", "line", "length=6", NULL, 0, NULL},
    {"in", "clothoid", "length=2; end_curvature=0.4", NULL, 0, NULL},
    {"arc", "arc", "radius=2.5; angle=2.3415926535897931", NULL, 0, NULL},
    {"out", "clothoid", "length=2; start_curvature=0.4", NULL, 0, NULL},
    {"line", "line", "length=6", NULL, 0, NULL},
    {"in", "clothoid", "length=2; end_curvature=0.4", NULL, 0, NULL},
    {"arc", "arc", "radius=2.5; angle=2.3415926535897931", NULL, 0, NULL},
    {"out", "clothoid", "length=2; start_curvature=0.4", NULL, 0, NULL},
};
static const curve_spec spec_stadium[] = {
    {"line", "line", "length=4; start=[-2, -1.7, 0]", NULL, 0, NULL},
    {"arc", "arc", "start=[2, -1.7, 0]; radius=1.7; angle=180 deg", NULL, 0, NULL},
    {"line", "line", "length=4; start=[2, 1.7, 0]; tangent=[-1, 0, 0]", NULL, 0, NULL},
    {"arc", "arc", "start=[-2, 1.7, 0]; tangent=[-1, 0, 0]; normal=[0, -1, 0]; radius=1.7; angle=180 deg", NULL, 0,
     NULL},
};

static const curve_spec spec_all[] = {
    {"line", "line", "start=[1, -2, 0.5]; tangent=[2, 1, -0.3]; normal=[0.1, 1, 0.4]; length=7.3", NULL, 0, NULL},
    {"arc", "arc", "start=[1, -2, 0.5]; tangent=[2, 1, -0.3]; normal=[0.1, 1, 0.4]; radius=2.7; angle=231 deg", NULL, 0,
     NULL},
    {"climb", "arc", "tangent=[2, 1, -0.3]; normal=[0.1, 1, 0.4]; radius=-2.7; angle=1.3; bend=70 deg", NULL, 0, NULL},
    {"circle", "arc", "start=[1, -2, 0.5]; normal=[0.3, 1, 0.4]; radius=2.7; closed=true", NULL, 0, NULL},
    {"helix", "helix", "start=[1, -2, 0.5]; axis=[0.2, -0.1, 1]; normal=[1, 0.5, 0]; radius=1.3; pitch=2.1; turns=2.7",
     NULL, 0, NULL},
    {"left-handed helix", "helix", "tangent=[1, 0.5, 0.2]; radius=1.3; pitch=-2.1", NULL, 0, NULL},
    {"clothoid", "clothoid", "length=6; start_curvature=-0.4; end_curvature=1.1; tangent=[1, 0.2, 0.1]; bend=25 deg",
     NULL, 0, NULL},
    {"long clothoid", "clothoid", "length=11; end_curvature=4", NULL, 0, NULL},
    {"space spline", "spline", "", SPEC_POINTS(spec_space)},
    {"wave", "spline", "", SPEC_POINTS(spec_wave)},
    {"bean", "spline", "closed=true", SPEC_POINTS(spec_bean)},
    {"knot", "spline", "closed=true", SPEC_POINTS(spec_knot)},
    {"turned spline", "spline", "normal=[0.2, -0.3, 1]", SPEC_POINTS(spec_space)},
    {"row", "spline", "", SPEC_POINTS(spec_row)},
    {"bishop spline", "spline", "frame=bishop", SPEC_POINTS(spec_space)},
    {"bishop knot", "spline", "frame=bishop; closed=true; normal=[0, 0, 1]", SPEC_POINTS(spec_knot)},
    {"level spline", "spline", "frame=up; up=[0.1, 0, 2]", SPEC_POINTS(spec_space)},
    {"steady wave", "spline", "flat=0.05", SPEC_POINTS(spec_shaken)},
    {"chain", "composite", "chained=true", SPEC_PIECES(spec_level)},
    {"oval", "composite", "chained=true; closed=true", SPEC_PIECES(spec_oval)},
    {"stadium", "composite", "closed=true", SPEC_PIECES(spec_stadium)},
};
enum { SPECS = sizeof spec_all / sizeof spec_all[0] };

static inline const curve_spec *spec_find(const char *name)
{
    for (size_t i = 0; i < SPECS; i++)
        if (strcmp(spec_all[i].name, name) == 0)
            return &spec_all[i];
    return NULL;
}

#endif
