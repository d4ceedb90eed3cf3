/* Pieces end to end. A chained composite moves each piece as a rigid body, so that P, T, N, B at its start are those at
 * the end of the piece before. Otherwise every piece stays where its own definition places it, and must begin where the
 * one before ends.
 *
 * The frame of the first piece is its own. The frame of every other piece is turned about T by the constant angle for
 * which N continues at the seam (where T has a corner: after the smallest rotation from one tangent to the other), so t
 * is the piece's own. For example, a straight piece keeps the last N; an arc to the right after one to the left has N
 * to the left and c < 0; a hump after a level bend has N level and cb < 0. */
#include "parts.h"

#include <float.h>

typedef struct composite {
    bool chained, closed;
    double meet;
} composite;

typedef struct piece {
    dls_curve curve;
    double s0;           /* where it begins [m] */
    double cosine, sine; /* of the turn about T */
    bool moved;
    dls_mat3 R; /* moved: P = shift + R P_own */
    dls_vec3 shift;
} piece;

typedef struct chain {
    size_t n;
    piece *pieces; /* n */
} chain;

static const dls_field fields[] = {
    {"chained", "", DLS_FIELD_BOOL, offsetof(composite, chained), "false", 0, 0, false, NULL,
     "each piece is moved so that its P, T, N and B begin where those of the previous piece end"},
    {"closed", "", DLS_FIELD_BOOL, offsetof(composite, closed), "false", 0, 0, false, NULL,
     "the last piece ends where the first begins, and s wraps around"},
    {"meet", "m", DLS_FIELD_REAL, offsetof(composite, meet), "1e-6 m", 0, DBL_MAX, false, NULL,
     "largest allowed gap between consecutive pieces; the report on the seams gives each gap"},
};

/* From the piece's own coordinates and frame to the composite's. */
static void place_in_composite(const piece *p, dls_curve_point *point)
{
    if (p->moved) {
        point->P = dls_add(p->shift, dls_mul3(p->R, point->P));
        point->T = dls_mul3(p->R, point->T);
        point->N = dls_mul3(p->R, point->N);
        point->B = dls_mul3(p->R, point->B);
    }
    *point = dls_curve_turn(point, p->cosine, p->sine, 0.0);
}

static void piece_point(const piece *p, double s, dls_curve_point *point)
{
    p->curve.type->at(&p->curve, fmin(s, p->curve.length), point); /* s - s0 may be rounded to a value beyond the end */
    place_in_composite(p, point);
}

static dls_mat3 frame_columns(const dls_curve_point *f)
{
    return (dls_mat3){{f->T.x, f->N.x, f->B.x, f->T.y, f->N.y, f->B.y, f->T.z, f->N.z, f->B.z}};
}

static dls_mat3 frame_rows(const dls_curve_point *f)
{
    return (dls_mat3){{f->T.x, f->T.y, f->T.z, f->N.x, f->N.y, f->N.z, f->B.x, f->B.y, f->B.z}};
}

/* Moves the piece so that its frame at s = 0 becomes *end. */
static void move_piece(piece *p, dls_curve_point end)
{
    dls_curve_point own;
    dls_curve_straighten(&end);
    p->curve.type->at(&p->curve, 0.0, &own);
    p->R = dls_matmul3(frame_columns(&end), frame_rows(&own));
    p->shift = dls_sub(end.P, dls_mul3(p->R, own.P));
    p->moved = true;
}

static dls_status check_gap(double gap, double meet, size_t i, size_t n, dls_error *error)
{
    if (gap <= meet)
        return DLS_OK;
    return dls_fail_about(error, DLS_BAD_INPUT, NULL, i + 1 < n ? "pieces" : "closed",
                          "piece %zu ends %g m from where piece %zu begins; at most %g m is allowed (meet)", i + 1, gap,
                          (i + 1) % n + 1, meet);
}

static dls_status attach_piece(const composite *settings, chain *data, size_t i, dls_error *error)
{
    dls_curve_point last, next;
    piece *p = &data->pieces[i], *before = p - 1;
    p->s0 = before->s0 + before->curve.length;
    piece_point(before, before->curve.length, &last);
    if (settings->chained)
        move_piece(p, last);
    piece_point(p, 0.0, &next);
    dls_curve_continue(&last, &next, &p->cosine, &p->sine);
    return check_gap(dls_norm(dls_sub(next.P, last.P)), settings->meet, i - 1, data->n, error);
}

static dls_status name_piece(dls_status status, size_t i, const char *type, dls_error *error)
{
    if (!error)
        return status;
    dls_error inner = *error;
    return dls_fail_about(error, status, NULL, inner.key, "piece %zu (%s): %.400s", i + 1, type, inner.message);
}

static dls_status make_piece(const dls_curve_def *def, dls_arena *memory, piece *p, size_t i, dls_error *error)
{
    p->cosine = 1.0;
    dls_status status = dls_curve_make(def, memory, &p->curve, error);
    if (status == DLS_OK && p->curve.closed)
        status =
            dls_fail_about(error, DLS_BAD_INPUT, NULL, "closed", "a closed curve goes nowhere else; leave closed out");
    return status == DLS_OK ? DLS_OK : name_piece(status, i, def->type ? def->type->name : "?", error);
}

static dls_status check_closed(const composite *settings, const chain *data, dls_error *error)
{
    dls_curve_point first, last;
    piece_point(&data->pieces[0], 0.0, &first);
    piece_point(&data->pieces[data->n - 1], data->pieces[data->n - 1].curve.length, &last);
    return check_gap(dls_norm(dls_sub(first.P, last.P)), settings->meet, data->n - 1, data->n, error);
}

static dls_status make_composite(const dls_curve_def *def, dls_curve *curve, dls_error *error)
{
    const composite *settings = def->settings.values;
    if (def->n_pieces == 0)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "pieces", "a composite curve needs at least one piece");
    chain *data = curve->data;
    data->pieces = DLS_TAKE_ZEROS(curve->memory, piece, def->n_pieces);
    if (!data->pieces)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu pieces of a curve", def->n_pieces);
    data->n = def->n_pieces;
    for (size_t i = 0; i < data->n; i++) {
        DLS_TRY(make_piece(&def->pieces[i], curve->memory, &data->pieces[i], i, error));
        if (i > 0)
            DLS_TRY(attach_piece(settings, data, i, error));
        curve->length = data->pieces[i].s0 + data->pieces[i].curve.length;
        curve->c_max = fmax(curve->c_max, data->pieces[i].curve.c_max);
    }
    curve->closed = settings->closed;
    return settings->closed ? check_closed(settings, data, error) : DLS_OK;
}

static void composite_at(const dls_curve *curve, double s, dls_curve_point *point)
{
    const chain *data = curve->data;
    size_t i = dls_curve_piece(&data->pieces[0].s0, sizeof data->pieces[0], data->n, s);
    piece_point(&data->pieces[i], s - data->pieces[i].s0, point);
}

static size_t seams_within(const dls_curve *curve) { return curve->type->seams ? curve->type->seams(curve) : 0; }

static size_t count_composite_seams(const dls_curve *curve)
{
    const chain *data = curve->data;
    size_t count = data->n - 1;
    for (size_t i = 0; i < data->n; i++)
        count += seams_within(&data->pieces[i].curve);
    return count;
}

static double composite_seam(const dls_curve *curve, size_t k, dls_curve_point *before, dls_curve_point *after)
{
    const chain *data = curve->data;
    const piece *p = data->pieces;
    for (size_t within = seams_within(&p->curve); k > within; within = seams_within(&p->curve)) {
        k -= within + 1;
        p++;
    }
    if (k < seams_within(&p->curve)) {
        double s = p->curve.type->seam(&p->curve, k, before, after);
        place_in_composite(p, before);
        place_in_composite(p, after);
        return p->s0 + s;
    }
    piece_point(p, p->curve.length, before);
    piece_point(p + 1, 0.0, after);
    return p[1].s0;
}

const dls_curve_type dls_curve_composite = {
    .name = "composite",
    .summary = "pieces joined end to end, with a report on the jumps at the seams",
    .equation = "that of each piece",
    .fields = DLS_FIELD_TABLE(fields, composite),
    .has_pieces = true,
    .size = sizeof(chain),
    .make = make_composite,
    .at = composite_at,
    .seams = count_composite_seams,
    .seam = composite_seam,
};
