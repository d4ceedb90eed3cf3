#include "parts.h"

const double dls_curve_gauss_x[4] = {0.18343464249564980494, 0.52553240991632898582, 0.79666647741362673959,
                                     0.96028985649753623168};
const double dls_curve_gauss_w[4] = {0.36268378337836198297, 0.31370664587788728734, 0.22238103445337447054,
                                     0.10122853629037625915};

/* With N' = cos N + sin B, B' = cos B - sin N, d/ds(angle) = rate:
 * c' = dT/ds.N' = cos c + sin cb,  cb' = dT/ds.B' = cos cb - sin c,  t' = dN'/ds.B' = t + rate. */
dls_curve_point dls_curve_turn(const dls_curve_point *point, double cosine, double sine, double rate)
{
    dls_curve_point turned = *point;
    turned.N = dls_add(dls_scale(cosine, point->N), dls_scale(sine, point->B));
    turned.B = dls_sub(dls_scale(cosine, point->B), dls_scale(sine, point->N));
    turned.c = cosine * point->c + sine * point->cb;
    turned.cb = cosine * point->cb - sine * point->c;
    turned.t = point->t + rate;
    return turned;
}

static dls_status unit_direction(dls_vec3 v, const char *key, dls_vec3 *unit, dls_error *error)
{
    *unit = dls_unit(v);
    if (!(fabs(dls_norm(*unit) - 1.0) < 1e-8)) /* the zero vector, or one that is not finite */
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, key, "[%g, %g, %g] is no direction", v.x, v.y, v.z);
    return DLS_OK;
}

dls_status dls_curve_place_start(const dls_curve_start *start, const char *key, dls_curve_point *frame,
                                 dls_error *error)
{
    dls_vec3 normal;
    *frame = (dls_curve_point){.P = start->start};
    DLS_TRY(unit_direction(start->tangent, key, &frame->T, error));
    DLS_TRY(unit_direction(start->normal, "normal", &normal, error));
    frame->N = dls_sub(normal, dls_scale(dls_dot(normal, frame->T), frame->T));
    if (!(dls_norm(frame->N) > 1e-8)) /* half the digits of its direction are lost */
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "normal", "it points along the tangent: turn it away");
    dls_curve_straighten(frame);
    return DLS_OK;
}

dls_status dls_curve_plane_of(const dls_curve_start *start, double bend, dls_curve_plane *plane, dls_error *error)
{
    dls_curve_point frame;
    DLS_TRY(dls_curve_place_start(start, "tangent", &frame, error));
    double cosine = cos(bend), sine = sin(bend);
    dls_curve_point bent = dls_curve_turn(&frame, cosine, sine, 0.0);
    *plane = (dls_curve_plane){frame.P, bent.T, bent.N, bent.B, cosine, sine};
    return DLS_OK;
}

void dls_curve_plane_at(const dls_curve_plane *plane, double x, double y, double theta, double k,
                        dls_curve_point *point)
{
    double c = cos(theta), s = sin(theta);
    dls_curve_point own = {.P = dls_add(plane->P, dls_add(dls_scale(x, plane->T), dls_scale(y, plane->E))),
                           .T = dls_add(dls_scale(c, plane->T), dls_scale(s, plane->E)),
                           .N = dls_sub(dls_scale(c, plane->E), dls_scale(s, plane->T)),
                           .B = plane->G,
                           .c = k};
    *point = dls_curve_turn(&own, plane->cosine, -plane->sine, 0.0);
}

/* The least rotation from a to b keeps a x b and turns a into b; a v normal to a has  v - (b.v)/(1 + a.b) (a + b)  as
 * image: it is normal to b, and nothing but the part of v along b changes. */
dls_vec3 dls_curve_carry(dls_vec3 v, dls_vec3 a, dls_vec3 b)
{
    return dls_sub(v, dls_scale(dls_dot(b, v) / (1.0 + dls_dot(a, b)), dls_add(a, b)));
}

void dls_curve_continue(const dls_curve_point *from, const dls_curve_point *to, double *cosine, double *sine)
{
    dls_vec3 N = dls_quat_rotate(dls_quat_between(from->T, to->T), from->N);
    double c = dls_dot(N, to->N), s = dls_dot(N, to->B), r = hypot(c, s);
    *cosine = c / r;
    *sine = s / r;
}

void dls_curve_straighten(dls_curve_point *point)
{
    point->T = dls_unit(point->T);
    point->N = dls_unit(dls_sub(point->N, dls_scale(dls_dot(point->N, point->T), point->T)));
    point->B = dls_unit(dls_cross(point->T, point->N));
}
