/* Rows of reference trajectories: their kinds, C, J, and the drift Jdot v.
 *
 * J is put together here and not by lib/problem, which it checks: J1, J2 of a joint type times the dense Jacobian of
 * each end.
 *
 * DRIFT. Let q(s) = q (+) s v: every entry of the generalised velocity stays as it is, bodies and floating bases turn
 * with a constant omega, joints go on with constant speeds. Along that curve q' = v, and C'(s) = J(q(s)) v, whence
 *     Jdot v = d/ds [J(q(s)) v]  at s = 0
 * with nothing else to add: the velocity products of links are in how J changes. J(q) v is the rate of the row, J1 .
 * (v, omega) of end 1 + J2 . (v, omega) of end 2, which takes no Jacobian. Its derivative is the central difference
 * of order 12,
 *     f' = sum_k c_k (f(k s) - f(-k s)) / s,   c_k = (-1)^(k+1) 6!^2 / (k (6 - k)! (6 + k)!),
 * (B. Fornberg, Math. Comp. 51 (1988) 699). For f with frequency w it misses by 8.3e-5 (w s)^12 of f'; rounding by 2
 * eps |J| |v| / s. s = 0.05 / rate, with the rate of the fastest turning, makes these 2e-20 and 40 eps |J| |v| rate.
 * A row may turn faster than all bodies do (a short distance between two that pass each other): the difference of
 * order 10 from the same values says so, as it misses by 3.6e-4 (w s)^10, and s is halved until both agree to 1e-13
 * of |J| |v| rate, or no better than before.
 *
 * UNITS. Tolerances are for a scene of the size 1. The size of another is twice the largest length at the start,
 * rounded up to a power of 2: distances of ends from the origin, radii of gyration, and gaps, stretches and errors of
 * rows. Positions, linear velocities and gaps are compared with it, so that a scene in millimetres or kilometres has
 * the same events. */
#include "parts.h"

#include <stdio.h>
#include <string.h>

enum { EVENT_ROWS = 2000 }; /* whose matrix is dense, 32 MB */

/* --- owners: joints, then pairs --- */

static size_t count_owners(const trajectory_rows *rows) { return rows->has.joints + rows->n_pairs; }

static const dls_joint *joint_of(const trajectory_rows *rows, size_t owner) /* NULL: a pair */
{
    return owner < rows->has.joints ? &rows->joints[owner] : NULL;
}

static const size_t *ends_of(const trajectory_rows *rows, size_t owner)
{
    return owner < rows->has.joints ? rows->joints[owner].body : rows->pairs[owner - rows->has.joints].body;
}

const char *trajectory_owner_name(const trajectory_rows *rows, size_t owner, char text[TRAJECTORY_NAME])
{
    if (joint_of(rows, owner))
        return joint_of(rows, owner)->name;
    const size_t *end = ends_of(rows, owner);
    char name[2][DLS_NAME_MAX];
    for (int k = 0; k < 2; k++)
        dls_model_end_name(rows->model, end[k], name[k], sizeof name[k]);
    snprintf(text, TRAJECTORY_NAME, "%s on %s", name[0], name[1]);
    return text;
}

static void find_movers(const trajectory_rows *rows, size_t owner, size_t mover[2])
{
    size_t moves[2];
    for (size_t k = 0; k < 2; k++) {
        const size_t end = ends_of(rows, owner)[k];
        moves[k] = end != DLS_WORLD && dls_model_moves(rows->model, end) ? end : DLS_WORLD;
    }
    mover[0] = moves[0] < moves[1] ? moves[0] : moves[1];
    mover[1] = moves[0] < moves[1] ? moves[1] : moves[0];
}

static void find_ends(const trajectory_rows *rows, const dls_configuration *at, size_t owner, dls_end end[2])
{
    if (joint_of(rows, owner)) {
        dls_configuration_ends(at, joint_of(rows, owner), end);
        return;
    }
    for (int k = 0; k < 2; k++)
        end[k] = dls_configuration_end(at, ends_of(rows, owner)[k]);
}

/* The rows as their type writes them, for a step of 1 s; what depends on it is not read. */
static size_t write_rows(const trajectory_rows *rows, const dls_configuration *at, size_t owner, dls_row *row)
{
    if (joint_of(rows, owner))
        return dls_rows_of_joint(at, joint_of(rows, owner), 1.0, row);
    dls_end end[2];
    find_ends(rows, at, owner, end);
    const dls_contact contact = trajectory_pair_contact(rows, &rows->pairs[owner - rows->has.joints], end);
    dls_contact_rows(&contact, end, 0.0, 1.0, row);
    return dls_contact_count(&contact);
}

/* --- kinds --- */

static dls_status refuse_row(const dls_joint *joint, const dls_row *row, const char *why, dls_error *error)
{
    return dls_fail(error, DLS_REFUSED,
                    "joint '%s', row '%s': %s; a reference trajectory has bilateral rows and drives alone", joint->name,
                    row->label, why);
}

static bool is_unbounded(const dls_row *row) { return row->lo == -HUGE_VAL && row->hi == HUGE_VAL; }

static dls_status classify_row(const dls_joint *joint, const dls_row *row, bool ignore_open, trajectory_kind *kind,
                               dls_error *error)
{
    bool spring = row->kp > 0.0 || row->kd > 0.0, bounded = !is_unbounded(row);
    *kind = spring ? TRAJECTORY_SPRING : TRAJECTORY_BILATERAL;
    if (row->law != DLS_LAW_FIXED)
        return refuse_row(joint, row, "friction", error);
    if (row->frequency > 0.0 || row->per_mass)
        return refuse_row(joint, row, "its spring is for a unit of effective mass", error);
    if (row->feed != 0.0)
        return refuse_row(joint, row, "it feeds a force forward", error);
    if (row->gap && ignore_open) {
        *kind = TRAJECTORY_OPEN;
        return DLS_OK;
    }
    if (row->lo == 0.0 && row->hi > 0.0)
        return refuse_row(joint, row, ignore_open ? "unilateral, and its gap is closed" : "unilateral", error);
    if (bounded)
        return refuse_row(joint, row, "its force is limited", error);
    if (row->u != 0.0 && !spring)
        return refuse_row(joint, row, "it has a target speed", error);
    if (joint->type->no_position)
        return refuse_row(joint, row, "it holds no position", error);
    return row->cfm > 0.0 && !spring ? refuse_row(joint, row, "cfm depends on the time step", error) : DLS_OK;
}

/* --- kinds, with events --- */

static dls_status refuse_event(const trajectory_rows *rows, size_t owner, const dls_row *row, const char *why,
                               dls_error *error)
{
    char name[TRAJECTORY_NAME];
    return dls_fail(error, DLS_REFUSED, "'%s', row '%s': %s", trajectory_owner_name(rows, owner, name), row->label,
                    why);
}

static dls_status classify_friction(const trajectory_rows *rows, const dls_row *row, size_t first, trajectory_row *to,
                                    dls_error *error)
{
    if (row->law == DLS_LAW_ASSOCIATED)
        return refuse_event(rows, to->owner, row, "associated friction is a law of time steps; use friction: cone",
                            error);
    if (row->angular)
        return refuse_event(rows, to->owner, row, "a reference trajectory has no rolling or torsional friction", error);
    to->parent = first + (size_t)row->parent;
    to->mu = row->mu;
    if (row->law == DLS_LAW_BOX)
        to->kind = TRAJECTORY_BOX;
    else
        to->kind = to[-1].kind == TRAJECTORY_DISC && to[-1].owner == to->owner ? TRAJECTORY_SECOND : TRAJECTORY_DISC;
    return to->kind == TRAJECTORY_SECOND && to[-1].mu != to->mu
               ? refuse_event(rows, to->owner, row, "a reference trajectory has no anisotropic friction", error)
               : DLS_OK;
}

static dls_status classify_event_row(const trajectory_rows *rows, const dls_row *row, size_t first, trajectory_row *to,
                                     dls_error *error)
{
    const dls_joint *joint = joint_of(rows, to->owner);
    const bool spring = row->kp > 0.0 || row->kd > 0.0, bounded = !is_unbounded(row);
    if (row->frequency > 0.0 || row->per_mass)
        return refuse_event(rows, to->owner, row, "its spring is for a unit of effective mass", error);
    if (row->parent >= 0)
        return classify_friction(rows, row, first, to, error);
    if (row->role == DLS_ROLE_FRICTION && !(joint && joint->type->terms_min > 0))
        return refuse_event(rows, to->owner, row,
                            "friction with a fixed bound is a law of time steps; use friction: cone or box", error);
    if (spring) {
        to->kind = TRAJECTORY_SPRING;
        to->soft = row->role == DLS_ROLE_STOP && row->lo == 0.0;
        return DLS_OK;
    }
    if (row->cfm > 0.0)
        return refuse_event(rows, to->owner, row, "cfm depends on the time step", error);
    if (joint && joint->type->no_position) {
        to->kind = TRAJECTORY_SPEED;
        return row->is_rate ? refuse_event(rows, to->owner, row, "its direction is that of a time step's start", error)
                            : DLS_OK;
    }
    if (row->role == DLS_ROLE_STOP && row->lo == 0.0) {
        to->kind = TRAJECTORY_STOP;
        return !joint || joint->common.force_hi == HUGE_VAL
                   ? DLS_OK
                   : refuse_event(rows, to->owner, row, "its force is limited", error);
    }
    if (bounded)
        return refuse_event(rows, to->owner, row, "its force is limited", error);
    if (row->u != 0.0)
        return refuse_event(rows, to->owner, row, "it has a target speed", error);
    to->kind = TRAJECTORY_BILATERAL;
    return DLS_OK;
}

/* Rows of joints that a motion can have. */
static dls_status check_joint(const dls_joint *joint, bool *on_coordinates, dls_error *error)
{
    *on_coordinates = joint->n_terms > 0; /* whose rows are constant where all terms are linear */
    if (joint->type->n_state > 0 && !joint->type->schedule &&
        !(joint->type->holonomic && joint->type->holonomic(joint)))
        return dls_fail(error, DLS_REFUSED,
                        "joint '%s' keeps numbers that follow from its steps and not from the positions; "
                        "a reference trajectory needs a track joint with update: nearest",
                        joint->name);
    for (size_t k = 0; k < joint->n_terms; k++) {
        *on_coordinates = *on_coordinates && joint->terms[k].dof != DLS_NONE && dls_term_is_linear(&joint->terms[k]);
        if (joint->terms[k].motion)
            return dls_fail(error, DLS_REFUSED,
                            "joint '%s' acts on a coordinate of a joint that turns about a point; reference "
                            "trajectories have coordinates of one axis alone",
                            joint->name);
    }
    return DLS_OK;
}

static trajectory_mode first_mode(const trajectory_row *row, const dls_row *from)
{
    if (row->kind == TRAJECTORY_SPRING)
        return TRAJECTORY_FOLLOWS;
    return row->kind == TRAJECTORY_BILATERAL || (row->kind == TRAJECTORY_SPEED && is_unbounded(from))
               ? TRAJECTORY_HELD
               : TRAJECTORY_ABSENT;
}

static dls_status classify_rows(trajectory_rows *rows, bool ignore_open, dls_error *error)
{
    dls_row row[DLS_JOINT_ROWS_MAX];
    trajectory_row *to = rows->row;
    rows->constant = true;
    for (size_t j = 0; j < count_owners(rows); j++) {
        const dls_joint *joint = joint_of(rows, j);
        bool on_coordinates = false;
        if (joint)
            DLS_TRY(check_joint(joint, &on_coordinates, error));
        const size_t count = write_rows(rows, rows->at, j, row), first = (size_t)(to - rows->row);
        for (size_t i = 0; i < count; i++, to++) {
            *to = (trajectory_row){.owner = j, .label = row[i].label, .left_at = HUGE_VAL};
            find_movers(rows, j, to->mover);
            DLS_TRY(rows->events ? classify_event_row(rows, &row[i], first, to, error)
                                 : classify_row(joint, &row[i], ignore_open, &to->kind, error));
            to->mode = first_mode(to, &row[i]);
            rows->n_bilateral += to->kind == TRAJECTORY_BILATERAL;
            rows->constant = rows->constant && (to->kind != TRAJECTORY_BILATERAL || on_coordinates);
        }
    }
    rows->constant = rows->constant && !rows->events;
    return DLS_OK;
}

/* --- units --- */

static double gyration(double mass, double trace) { return mass > 0.0 ? sqrt(0.5 * trace / mass) : 0.0; }

static double scene_size(const trajectory_rows *rows)
{
    dls_row row[DLS_JOINT_ROWS_MAX];
    double size = 0.0;
    for (size_t j = 0; j < count_owners(rows); j++) {
        const size_t count = write_rows(rows, rows->at, j, row);
        for (size_t i = 0; i < count; i++)
            size = fmax(size, row[i].angular ? 0.0 : fabs(row[i].C));
    }
    for (size_t i = 0; i < rows->has.ends; i++)
        size = fmax(size, dls_norm(dls_configuration_end(rows->at, i).x));
    for (size_t i = 0; i < rows->has.bodies; i++) {
        const dls_mat3 *I = &rows->bodies[i].inertia;
        size = fmax(size, gyration(rows->bodies[i].mass, I->m[0] + I->m[4] + I->m[8]));
    }
    for (size_t a = 0; a < rows->has.articulations; a++) {
        const dls_articulation *tree = rows->articulations[a].tree;
        for (size_t i = 0; i < tree->n_links; i++) {
            const dls_mat3 *I = &tree->defs[i].inertia;
            size = fmax(size, gyration(tree->defs[i].mass, I->m[0] + I->m[4] + I->m[8]));
        }
    }
    return size;
}

static void find_units(trajectory_rows *rows)
{
    const double size = scene_size(rows);
    rows->length = size > 0.0 ? 2.0 * exp2(ceil(log2(size))) : 1.0;
    for (size_t k = 0; k < rows->has.nv; k++)
        rows->unit[k] = 1.0;
    for (size_t i = 0; i < rows->has.bodies; i++)
        for (size_t k = 0; k < 3 && rows->bodies[i].offset != DLS_NONE; k++)
            rows->unit[rows->bodies[i].offset + k] = rows->length;
    for (size_t a = 0; a < rows->has.articulations; a++) {
        const dls_articulation *tree = rows->articulations[a].tree;
        double *unit = rows->unit + rows->articulations[a].offset;
        for (size_t k = 0; k < tree->nv; k++)
            if (k < tree->n_base ? k < 3 : tree->links[tree->dof_link[k]].motion->slides)
                unit[k] = rows->length;
    }
}

dls_status trajectory_rows_create(trajectory_rows *rows, const dls_model *model, const dls_state *start,
                                  bool ignore_open_limits, bool events, dls_arena *memory, dls_error *error)
{
    rows->model = model;
    rows->events = events;
    rows->has = dls_model_count(model);
    rows->bodies = dls_model_bodies(model), rows->joints = dls_model_joints(model);
    rows->articulations = dls_model_articulations(model);
    DLS_TRY(trajectory_given_list(rows, start, memory, error));
    for (size_t k = 0; events && k < rows->has.solids; k++)
        if (dls_model_solids(model)[k].surface)
            return dls_fail(error, DLS_REFUSED,
                            "a shape of '%s' has friction of its own; in a reference trajectory across events all have "
                            "that of the world",
                            dls_model_name(model));
    if (events)
        DLS_TRY(trajectory_pairs_list(rows, memory, error));
    const dls_world_def *world = dls_model_world(model);
    const dls_contact contact = {.mu = world->mu, .rolling = world->rolling, .torsion = world->torsion};
    rows->n = rows->n_pairs * dls_contact_count(&contact);
    for (size_t j = 0; j < rows->has.joints; j++)
        rows->n += rows->joints[j].type->count(&rows->joints[j]);
    if (events && rows->n > EVENT_ROWS)
        return dls_fail(error, DLS_REFUSED,
                        "%zu rows of joints and of pairs of solids that may meet; a reference trajectory across events "
                        "has at most %d: keep solids apart that do not meet",
                        rows->n, (int)EVENT_ROWS);
    rows->row = DLS_TAKE_ZEROS(memory, trajectory_row, rows->n);
    rows->unit = DLS_TAKE_ZEROS(memory, double, rows->has.nv);
    rows->JT = DLS_TAKE_ZEROS(memory, double, rows->n * rows->has.nv);
    rows->drift = DLS_TAKE_ZEROS(memory, double, rows->n);
    rows->coarse = DLS_TAKE_ZEROS(memory, double, rows->n);
    rows->link = DLS_TAKE_ZEROS(memory, double *, rows->has.articulations);
    for (size_t a = 0; rows->link && a < rows->has.articulations; a++) {
        const dls_articulation *tree = rows->articulations[a].tree;
        if (rows->articulations[a].held)
            rows->link[a] = DLS_TAKE_ZEROS(memory, double, dls_articulation_jacobian_rows(tree) * tree->nv);
    }
    if (memory->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", rows->n);
    DLS_TRY(dls_state_create(model, &rows->probe, error));
    DLS_TRY(dls_configuration_create(model, &rows->at, error));
    DLS_TRY(dls_configuration_create(model, &rows->aside, error));
    dls_configuration_evaluate(rows->at, start);
    find_units(rows);
    return classify_rows(rows, ignore_open_limits, error);
}

void trajectory_rows_destroy(trajectory_rows *rows)
{
    dls_state_destroy(rows->probe);
    dls_configuration_destroy(rows->at);
    dls_configuration_destroy(rows->aside);
}

void trajectory_rows_move(trajectory_rows *rows, dls_state *state, const double *v, double time)
{
    if (state->n_joint_state > 0)
        dls_configuration_evaluate(rows->aside, state);
    trajectory_given_place(rows, state, time);
    dls_configuration_advance(rows->aside, rows->aside, state, v, 1.0, true);
}

/* --- C and J --- */

/* A row being added up: its entries, and how large they would be if nothing cancelled. */
typedef struct entries {
    double *to, size, carried;
    const double *unit;
} entries;

static void add_entry(entries *row, size_t column, double entry, double size)
{
    row->to[column] += entry;
    row->size += size * row->unit[column];
}

static double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static double length3(const double *a) { return sqrt(dot3(a, a)); }

/* s J6 (velocity of an end by the generalised velocity), or the rate that a kinematic end gives */
static void add_end(const trajectory_rows *rows, size_t end, double s, const double *J6, entries *to)
{
    size_t link;
    const dls_model *model = rows->model;
    const dls_model_articulation *articulation = dls_model_articulation_of(model, end, &link);
    if (!dls_model_moves(model, end)) {
        const dls_end at = dls_configuration_end(rows->at, end);
        to->carried +=
            s * (dls_dot(dls_v3(J6[0], J6[1], J6[2]), at.v) + dls_dot(dls_v3(J6[3], J6[4], J6[5]), at.omega));
        return;
    }
    if (!articulation) {
        for (size_t k = 0; k < 6; k++)
            add_entry(to, rows->bodies[end].offset + k, s * J6[k], fabs(s * J6[k]));
        return;
    }
    size_t ld = dls_articulation_jacobian_rows(articulation->tree),
           first = 6 * (link - (articulation->tree->fixed_base ? 1 : 0));
    const double *J = rows->link[articulation - rows->articulations] + first;
    for (size_t c = 0; c < articulation->tree->nv; c++, J += ld)
        add_entry(to, articulation->offset + c, s * (dot3(J6, J) + dot3(J6 + 3, J + 3)),
                  fabs(s) * (length3(J6) * length3(J) + length3(J6 + 3) * length3(J + 3)));
}

static void add_ends(const trajectory_rows *rows, const size_t end[2], double s, const dls_row *row, entries *to)
{
    add_end(rows, end[0], s, row->J1, to);
    add_end(rows, end[1], s, row->J2, to);
}

/* The coordinate that a term has of a joint between bodies: value and rate's row, with its ends. */
static dls_row measured_row(const dls_configuration *at, const dls_term *term, dls_end end[2])
{
    const dls_joint *joint = &dls_model_joints(at->model)[term->joint];
    dls_row row = {0};
    dls_configuration_ends(at, joint, end);
    joint->type->coordinate(joint, end, &row);
    return row;
}

/* Returns the number of its rows. */
static size_t evaluate_owner(trajectory_rows *rows, size_t owner, size_t first)
{
    dls_row row[DLS_JOINT_ROWS_MAX];
    const dls_joint *joint = joint_of(rows, owner);
    size_t nv = rows->has.nv, count = write_rows(rows, rows->at, owner, row);
    for (size_t i = 0; i < count; i++) {
        trajectory_row *to = &rows->row[first + i];
        entries J = {.to = rows->JT + nv * (first + i), .unit = rows->unit};
        const bool place = to->kind != TRAJECTORY_SPEED && to->kind < TRAJECTORY_BOX;
        to->C = place ? row[i].C : 0.0, to->kp = row[i].kp, to->kd = row[i].kd, to->u = row[i].u;
        to->feed = row[i].feed, to->lo = row[i].lo, to->hi = row[i].hi;
        to->restitution = row[i].restitution, to->threshold = row[i].threshold, to->impact = (int)row[i].impact;
        memset(J.to, 0, nv * sizeof *J.to);
        add_ends(rows, ends_of(rows, owner), 1.0, &row[i], &J);
        for (size_t k = 0; joint && k < joint->n_terms; k++) {
            const dls_term *term = &joint->terms[k];
            const double s = row[i].Jy * rows->at->slopes[term->number];
            if (term->dof != DLS_NONE) {
                add_entry(&J, term->dof, s, fabs(s));
                continue;
            }
            dls_end end[2];
            dls_row coordinate = measured_row(rows->at, term, end);
            add_ends(rows, rows->joints[term->joint].body, s, &coordinate, &J);
        }
        to->size = J.size, to->carried = J.carried;
    }
    return count;
}

void trajectory_rows_evaluate(trajectory_rows *rows, const dls_state *state)
{
    dls_configuration_evaluate(rows->at, state);
    for (size_t a = 0; a < rows->has.articulations; a++)
        if (rows->link[a])
            dls_articulation_jacobian(rows->at->works[a], rows->link[a],
                                      dls_articulation_jacobian_rows(rows->articulations[a].tree));
    for (size_t j = 0, first = 0; j < count_owners(rows); j++)
        first += evaluate_owner(rows, j, first);
}

/* --- joints that break --- */

void trajectory_rows_strain(const trajectory_rows *rows, size_t joint, double *force, double *torque)
{
    dls_row row[DLS_JOINT_ROWS_MAX];
    dls_end end[2];
    dls_vec3 F = {0}, T = {0};
    double along = 0.0;
    const dls_joint *of = joint_of(rows, joint);
    const size_t count = write_rows(rows, rows->at, joint, row);
    const trajectory_row *here = rows->row;
    while (here < rows->row + rows->n && here->owner != joint)
        here++;
    for (size_t i = 0; i < count; i++) {
        const double f = here[i].force, *J = row[i].J1;
        F = dls_add(F, dls_scale(f, dls_v3(J[0], J[1], J[2])));
        T = dls_add(T, dls_scale(f, dls_v3(J[3], J[4], J[5])));
        along += f * row[i].Jy;
    }
    find_ends(rows, rows->at, joint, end);
    *force = of->n_terms > 0 ? fabs(along) : dls_norm(F);
    *torque = of->n_terms > 0 ? fabs(along) : dls_norm(dls_sub(T, dls_cross(dls_end_arm(&end[0], &of->frame[0]), F)));
}

static bool acts_on(const dls_joint *joint, size_t other)
{
    for (size_t t = 0; t < joint->n_terms; t++)
        if (joint->terms[t].dof == DLS_NONE && joint->terms[t].joint == other)
            return true;
    return false;
}

void trajectory_rows_break(trajectory_rows *rows, size_t joint)
{
    for (size_t i = 0; i < rows->n; i++) {
        trajectory_row *row = &rows->row[i];
        const dls_joint *of = joint_of(rows, row->owner);
        if (!of || (row->owner != joint && !acts_on(of, joint)))
            continue;
        row->kind = TRAJECTORY_GONE, row->mode = TRAJECTORY_ABSENT;
        row->force = 0.0;
    }
}

double trajectory_row_rate(const trajectory_rows *rows, size_t i, const double *v)
{
    const double *J = rows->JT + rows->has.nv * i;
    double sum = 0.0;
    for (size_t k = 0; k < rows->has.nv; k++)
        sum += J[k] * v[k];
    return sum;
}

trajectory_errors trajectory_rows_errors(const trajectory_rows *rows, const double *v)
{
    trajectory_errors worst = {0};
    for (size_t i = 0; i < rows->n; i++) {
        const trajectory_row *row = &rows->row[i];
        if (row->mode != TRAJECTORY_HELD)
            continue;
        const double C = fabs(row->C), Jv = fabs(trajectory_row_speed(rows, i, v) - trajectory_row_target(row));
        const double size = row->size > 0.0 ? row->size : 1.0;
        worst.C = fmax(worst.C, C), worst.relative_C = fmax(worst.relative_C, C / size);
        worst.Jv = fmax(worst.Jv, Jv), worst.relative_Jv = fmax(worst.relative_Jv, Jv / size);
    }
    return worst;
}

double trajectory_rows_largest(const trajectory_rows *rows, const double *x)
{
    double largest = 0.0;
    for (size_t k = 0; k < rows->has.nv; k++)
        largest = fmax(largest, fabs(x[k]) / rows->unit[k]);
    return largest;
}

/* A row on links that cannot move along it, out of the plane of a planar tree, has entries that are rounding. */
bool trajectory_row_acts(const trajectory_rows *rows, size_t i)
{
    const double *J = rows->JT + rows->has.nv * i;
    double sum = 0.0;
    for (size_t k = 0; k < rows->has.nv; k++)
        sum += fabs(J[k]) * rows->unit[k];
    return sum > 1e-10 * rows->row[i].size;
}

/* --- drift --- */

static double end_rate(const dls_row *row, const dls_end end[2]) /* J1 . (v, omega) + J2 . (v, omega) */
{
    const double *J[2] = {row->J1, row->J2};
    double sum = 0.0;
    for (int e = 0; e < 2; e++) {
        sum += dls_dot(dls_v3(J[e][0], J[e][1], J[e][2]), end[e].v);
        sum += dls_dot(dls_v3(J[e][3], J[e][4], J[e][5]), end[e].omega);
    }
    return sum;
}

static double owner_rate(const trajectory_rows *rows, const dls_configuration *at, size_t owner, const dls_row *row)
{
    dls_end end[2];
    const dls_joint *joint = joint_of(rows, owner);
    find_ends(rows, at, owner, end);
    double sum = end_rate(row, end);
    for (size_t t = 0; joint && t < joint->n_terms; t++) {
        const dls_term *term = &joint->terms[t];
        dls_end ends[2];
        double rate = 0.0;
        if (term->dof == DLS_NONE) {
            dls_row coordinate = measured_row(at, term, ends);
            rate = end_rate(&coordinate, ends);
        } else
            rate = at->v[term->dof];
        sum += row->Jy * at->slopes[term->number] * rate;
    }
    return sum;
}

/* drift += a f, coarse += b f, with f the rates of all rows at a configuration. */
static void add_rates(trajectory_rows *rows, const dls_configuration *at, double a, double b)
{
    dls_row row[DLS_JOINT_ROWS_MAX];
    for (size_t j = 0, i = 0; j < count_owners(rows); j++) {
        size_t count = write_rows(rows, at, j, row);
        for (size_t k = 0; k < count; k++, i++) {
            double rate = owner_rate(rows, at, j, &row[k]);
            rows->drift[i] += a * rate;
            rows->coarse[i] += b * rate;
        }
    }
}

static void difference_rates(trajectory_rows *rows, const dls_state *state, double s)
{
    static const double fine[] = {6.0 / 7, -15.0 / 56, 5.0 / 63, -1.0 / 56, 1.0 / 385, -1.0 / 5544};
    static const double coarse[] = {5.0 / 6, -5.0 / 21, 5.0 / 84, -5.0 / 504, 1.0 / 1260, 0.0};
    memset(rows->drift, 0, rows->n * sizeof *rows->drift);
    memset(rows->coarse, 0, rows->n * sizeof *rows->coarse);
    for (int k = 0; k < 6; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            dls_state_copy(rows->probe, state);
            trajectory_given_place(rows, rows->probe, state->time + sign * (k + 1) * s);
            dls_configuration_advance(rows->at, rows->aside, rows->probe, state->v, sign * (k + 1) * s, true);
            add_rates(rows, rows->aside, sign * fine[k] / s, sign * coarse[k] / s);
        }
}

/* How soon a closed contact on a box may pass from a face to an edge: the differences, 0.3 / rate to both sides, stay
 * before that. */
static double kink_rate(const trajectory_rows *rows)
{
    double rate = 0.0;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->row[i].kind == TRAJECTORY_STOP && rows->row[i].mode == TRAJECTORY_HELD &&
            rows->row[i].owner >= rows->has.joints) {
            dls_end end[2];
            find_ends(rows, rows->at, rows->row[i].owner, end);
            rate = fmax(rate, trajectory_pair_rate(&rows->pairs[rows->row[i].owner - rows->has.joints], end));
        }
    return rate;
}

/* How fast J may turn: bodies and links, joints of articulations, and the ends of joints that pass each other at the
 * size of the scene. [1/s] */
static double turning_rate(const trajectory_rows *rows, const dls_state *state)
{
    double omega = 0.0, joint_speed = 0.0, pass = 0.0;
    for (size_t i = 0; i < rows->has.ends; i++)
        omega = fmax(omega, dls_norm(dls_configuration_end(rows->at, i).omega));
    for (const dls_model_articulation *articulation = rows->articulations;
         articulation < rows->articulations + rows->has.articulations; articulation++)
        for (size_t k = articulation->tree->n_base; k < articulation->tree->nv; k++)
            joint_speed =
                fmax(joint_speed, fabs(state->v[articulation->offset + k]) / rows->unit[articulation->offset + k]);
    for (size_t j = 0; j < count_owners(rows); j++) {
        dls_end end[2];
        find_ends(rows, rows->at, j, end);
        pass = fmax(pass, dls_norm(dls_sub(end[0].v, end[1].v)));
    }
    return 2.0 * omega + joint_speed + pass / rows->length + trajectory_given_rate(rows) + 0.5 * kink_rate(rows);
}

/* The largest disagreement of both orders against |J| |v| rate: 1e-14 is rounding. */
static double disagreement_of_orders(const trajectory_rows *rows, const dls_state *state, double rate)
{
    const double speed = trajectory_rows_largest(rows, state->v);
    double worst = 0.0;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->row[i].mode == TRAJECTORY_HELD && rows->row[i].size > 0.0)
            worst = fmax(worst, fabs(rows->drift[i] - rows->coarse[i]) / (rows->row[i].size * speed * rate));
    return worst;
}

double trajectory_rows_drift(trajectory_rows *rows, const dls_state *state)
{
    enum { HALVINGS = 20 };
    const double still = 1e-150; /* [1/s] Jdot v, of the size of rate |v|, is lost beside any acceleration, and steps in
                                    which something turns, 1 / rate, have no square */
    double rate = rows->constant ? 0.0 : turning_rate(rows, state), worst = HUGE_VAL, before;
    rows->drift_terms = 0.0;
    if (!(rate > still)) {
        memset(rows->drift, 0, rows->n * sizeof *rows->drift);
        return 0.0;
    }
    for (int k = 0; k < HALVINGS; k++) {
        before = worst;
        difference_rates(rows, state, ldexp(0.05 / rate, -k));
        worst = disagreement_of_orders(rows, state, ldexp(rate, k));
        rows->drift_terms = trajectory_rows_largest(rows, state->v) * ldexp(rate, k);
        if (worst < 1e-13 || !(worst < 0.5 * before))
            break;
    }
    return worst;
}
