/* Positions and speeds at the start.
 *
 * An error C of a rigid row is corrected at the speed erp C / h, whatever its size: a gap of a millimetre moves a body
 * by 12 mm/s at h = 1/60 s and erp = 0.2, and the energy of that is nobody's. Linear errors are measured against the
 * size of the mechanism, overlaps against the smaller of both thicknesses, angles against a radian. A body that turns
 * by omega h in a step is integrated with a relative error of about (omega h)^2, and one that moves by more than the
 * thinnest shape passes through it undetected. */
#include "parts.h"

#include <math.h>

static const double error_risk = 1e-3, error_fault = 1e-2;    /* of the size, or [rad] */
static const double overlap_risk = 0.02, overlap_fault = 0.2; /* of the thickness */
static const double speed_most = 1e-3;                        /* of the fastest motion */
static const double turn_risk = 0.5, turn_fault = 3.0;        /* [rad] in a step */
static const double fall_most = 0.1;                          /* of the size of the mechanism, in a step */

static dls_severity graded(double value, double fault)
{
    return value > fault ? DLS_SEVERITY_FAULT : DLS_SEVERITY_RISK;
}

static bool is_rigid(const diagnosis_scene *scene, size_t i)
{
    const dls_list_row *row = &scene->rows->row[i];
    return row->role == DLS_ROLE_JOINT && isinf(row->lo) && isinf(row->hi) && dls_list_row_rigid(row, scene->step);
}

/* --- positions --- */

static dls_status judge_position(diagnosis_scene *scene, size_t i, dls_error *error)
{
    const dls_list_row *row = &scene->rows->row[i];
    char name[2 * DLS_NAME_MAX + 32];
    const double relative = fabs(row->C) / diagnosis_row_size(scene, i);
    const bool stop =
        row->role == DLS_ROLE_STOP && row->owner < scene->has.joints && dls_list_row_rigid(row, scene->step);
    diagnosis_row_name(scene, i, name, sizeof name);
    if (is_rigid(scene, i))
        return dls_diagnosis_add(scene->into, DLS_FAULT_OPEN_LOOP, graded(relative, error_fault), name, relative,
                                 error_risk, error,
                                 "open by %.3g %s at the start: the first step corrects it at %.3g %s/s; correct the "
                                 "poses or the anchors",
                                 fabs(row->C), diagnosis_row_unit(scene, i), row->erp * fabs(row->C) / scene->step,
                                 diagnosis_row_unit(scene, i));
    if (stop && row->C < 0.0)
        return dls_diagnosis_add(scene->into, DLS_FAULT_LIMIT, graded(relative, error_fault), name, relative,
                                 error_risk, error,
                                 "%.3g %s beyond the limit at the start; move the start inside, or correct the limit",
                                 -row->C, diagnosis_row_unit(scene, i));
    return DLS_OK;
}

static dls_status judge_overlap(diagnosis_scene *scene, size_t k, dls_error *error)
{
    const dls_contact *contact = &scene->contacts.at[k];
    char name[2 * DLS_NAME_MAX + 32];
    const double thickness = fmin(scene->thickness[contact->body[0]], scene->thickness[contact->body[1]]);
    const double relative = -contact->gap / (isfinite(thickness) ? thickness : scene->length);
    dls_owner_name(scene->model, &scene->contacts, scene->has.joints + k, name, sizeof name);
    return dls_diagnosis_add(scene->into, DLS_FAULT_OVERLAP, graded(relative, overlap_fault), name, relative,
                             overlap_risk, error,
                             "%.3g m deep at the start, %.2g of the thinner shape: the first step drives them apart at "
                             "%.3g m/s; move them apart, or list the pair in `apart`",
                             -contact->gap, relative, -contact->gap * contact->erp / scene->step);
}

/* A row with compliance rests where (CFM / h) h f = -(ERP / h) C, at the depth f h CFM / ERP. A box rests on four
 * corners, each with a quarter of its weight. */
static dls_status judge_softness(diagnosis_scene *scene, size_t i, dls_error *error)
{
    enum { CORNERS = 4 };
    const dls_body *body = &dls_model_bodies(scene->model)[i];
    const double cfm = scene->world->contact_cfm, erp = scene->world->contact_erp;
    const double force = body->mass * dls_norm(scene->world->gravity) / CORNERS;
    const double depth = force * scene->step * cfm / erp, relative = depth / scene->thickness[i];
    char name[2 * DLS_NAME_MAX];
    if (!scene->world->collide || !dls_model_moves(scene->model, i) || !(cfm > 0.0))
        return DLS_OK;
    dls_model_end_name(scene->model, i, name, sizeof name);
    return dls_diagnosis_add(scene->into, DLS_FAULT_SOFT, graded(relative, overlap_fault), name, relative, overlap_risk,
                             error,
                             "four contacts carry its weight at a depth of %.3g m, %.2g of its thickness: lower "
                             "`contact_cfm`, or raise `contact_erp`",
                             depth, relative);
}

/* --- speeds --- */

/* The largest speed of a centre of mass, or of a point of its size by rotation. */
static double largest_speed(const diagnosis_scene *scene)
{
    double speed = 0.0;
    for (size_t end = 0; end < scene->has.ends; end++) {
        const dls_end at = dls_configuration_end(scene->at, end);
        speed = fmax(speed, fmax(dls_norm(at.v), dls_norm(at.omega) * scene->extent[end]));
    }
    return speed;
}

static dls_status judge_row_speed(diagnosis_scene *scene, size_t i, double fastest, dls_error *error)
{
    char name[2 * DLS_NAME_MAX + 32];
    const double wrong = fabs(diagnosis_row_speed(scene, i) - scene->rows->row[i].u);
    const double way = scene->rows->row[i].angular ? wrong * scene->length : wrong;
    if (!is_rigid(scene, i) || !(fastest > 0.0))
        return DLS_OK;
    diagnosis_row_name(scene, i, name, sizeof name);
    return dls_diagnosis_add(scene->into, DLS_FAULT_SPEED, DLS_SEVERITY_RISK, name, way / fastest, speed_most, error,
                             "the start moves against it at %.3g %s/s, which the first step removes as an impact does; "
                             "correct the initial velocities",
                             wrong, diagnosis_row_unit(scene, i));
}

static dls_status judge_end_speed(diagnosis_scene *scene, size_t end, dls_error *error)
{
    char name[2 * DLS_NAME_MAX];
    const dls_end at = dls_configuration_end(scene->at, end);
    const double turn = dls_norm(at.omega) * scene->step, way = dls_norm(at.v) * scene->step;
    dls_model_end_name(scene->model, end, name, sizeof name);
    DLS_TRY(dls_diagnosis_add(scene->into, DLS_FAULT_SPIN, graded(turn, turn_fault), name, turn, turn_risk, error,
                              "turns by %.3g rad in a step of %.3g s; take steps of at most %.2g s", turn, scene->step,
                              turn_risk * scene->step / turn));
    if (!scene->world->collide || !isfinite(scene->thickness[end]))
        return DLS_OK;
    return dls_diagnosis_add(scene->into, DLS_FAULT_TUNNEL, DLS_SEVERITY_RISK, name, way, scene->thickness[end], error,
                             "moves by %.3g m in a step, and is %.3g m thick: it can pass through others without a "
                             "contact; take steps of at most %.2g s",
                             way, scene->thickness[end], scene->step * scene->thickness[end] / way);
}

/* --- gravity --- */

/* Whether gravity can move one of the links, in this pose or another: a joint moves it along gravity, or turns it about
 * an axis across it. */
static bool articulation_falls(const diagnosis_scene *scene, size_t n, double *J)
{
    static const double across = 1e-9; /* rounding */
    const dls_vec3 g = scene->world->gravity;
    const dls_articulation *tree = dls_model_articulations(scene->model)[n].tree;
    const size_t rows = dls_articulation_jacobian_rows(tree);
    dls_articulation_jacobian(scene->at->works[n], J, rows);
    for (size_t k = 0; k < rows * tree->nv; k += 6) {
        const dls_vec3 v = {J[k], J[k + 1], J[k + 2]}, omega = {J[k + 3], J[k + 4], J[k + 5]};
        if (fabs(dls_dot(v, g)) > across * dls_norm(v) * dls_norm(g) ||
            dls_norm(dls_cross(omega, g)) > across * dls_norm(omega) * dls_norm(g))
            return true;
    }
    return false;
}

static dls_status find_falling(diagnosis_scene *scene, bool *falls, dls_error *error)
{
    for (size_t i = 0; i < scene->has.bodies; i++)
        *falls = *falls || dls_model_moves(scene->model, i);
    for (size_t n = 0; n < scene->has.articulations && !*falls; n++) {
        const dls_articulation *tree = dls_model_articulations(scene->model)[n].tree;
        double *J = DLS_TAKE(&scene->memory, double, dls_articulation_jacobian_rows(tree) * tree->nv + 1);
        if (scene->memory.failed)
            return dls_fail(error, DLS_NO_MEMORY, "no memory for the motions of %zu links", tree->n_links);
        *falls = articulation_falls(scene, n, J);
    }
    return DLS_OK;
}

/* A mechanism in another unit of length, or a step in another unit of time. */
static dls_status judge_step(diagnosis_scene *scene, dls_error *error)
{
    bool falls = false;
    DLS_TRY(find_falling(scene, &falls, error));
    const double fall = falls ? dls_norm(scene->world->gravity) * scene->step * scene->step : 0.0;
    if (!(scene->length > 0.0))
        return DLS_OK;
    return dls_diagnosis_add(scene->into, DLS_FAULT_STEP, DLS_SEVERITY_FAULT, NULL, fall / scene->length, fall_most,
                             error,
                             "in a step of %.3g s gravity moves a body by %.3g m, and the mechanism reaches %.3g m: "
                             "the step is too long, or lengths are in another unit",
                             scene->step, fall, scene->length);
}

/* An articulation with a floating base that can meet nothing. */
static dls_status judge_support(diagnosis_scene *scene, dls_error *error)
{
    const dls_model_articulation *all = dls_model_articulations(scene->model);
    for (size_t n = 0; n < scene->has.articulations; n++) {
        const dls_model_articulation *a = &all[n];
        const double skipped = (double)a->meshes_skipped;
        if (scene->world->collide)
            DLS_TRY(dls_diagnosis_add(scene->into, DLS_FAULT_NO_SHAPES, DLS_SEVERITY_RISK, a->tree->name, skipped, 0.0,
                                      error,
                                      "%zu of its collision shapes are meshes, which `meshes` of the world skips: they "
                                      "touch nothing",
                                      a->meshes_skipped));
        const bool falls = !a->tree->fixed_base && !a->held && !scene->world->collide && scene->rows->n == 0;
        DLS_TRY(dls_diagnosis_add(scene->into, DLS_FAULT_UNSUPPORTED, DLS_SEVERITY_NOTE, a->tree->name,
                                  falls ? dls_norm(scene->world->gravity) : 0.0, 0.0, error,
                                  "its base floats and nothing can touch it: it falls freely; set `collide` of the "
                                  "world and add a ground, or fix the base"));
    }
    return DLS_OK;
}

dls_status diagnosis_start(diagnosis_scene *scene, dls_error *error)
{
    const double fastest = largest_speed(scene);
    for (size_t i = 0; i < scene->rows->n; i++) {
        DLS_TRY(judge_position(scene, i, error));
        DLS_TRY(judge_row_speed(scene, i, fastest, error));
    }
    for (size_t k = 0; k < scene->contacts.count; k++)
        DLS_TRY(judge_overlap(scene, k, error));
    for (size_t i = 0; i < scene->has.bodies; i++)
        DLS_TRY(judge_softness(scene, i, error));
    for (size_t end = 0; end < scene->has.ends; end++)
        if (dls_model_moves(scene->model, end))
            DLS_TRY(judge_end_speed(scene, end, error));
    DLS_TRY(judge_step(scene, error));
    return judge_support(scene, error);
}
