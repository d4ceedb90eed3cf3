/* Differences of all rows and ends along motions of the whole mechanism, q (+) s e (conventions (6)).
 *
 * A motion e has an entry in every column, so that each difference involves all entries of all rows: dC/ds is compared
 * with J e. An error delta of an entry of J causes a difference of |delta| |e_k|, with |e_k| between 0.5 and 1 (of a
 * radian or an arm); with six random motions two wrong entries of a row do not cancel. The cost is linear in the size
 * of the mechanism; one column after another would be quadratic. An entry that should be 0 is detected too, since J e
 * contains it and dC/ds does not.
 */
#include "check_parts.h"
#include "problem/gyroscopic.h"

#include "base/draw.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = DLS_DIFFERENCE_LEVELS };

double dls_check_random(uint64_t *seed) { return (double)(dls_draw_bits(seed) >> 11) * 0x1p-52 - 1.0; }

/* --- lengths and rounding at the state --- */

static dls_vec3 half(const double J[6], int i) { return dls_v3(J[3 * i], J[3 * i + 1], J[3 * i + 2]); }

/* The mean length of arms from the centres of mass to joints; 1 m where there are none. */
static double arm_of(const dls_check *c)
{
    double sum = 0.0, count = 0.0;
    for (const dls_joint *joint = c->model->joints; joint < c->model->joints + c->model->n_joints; joint++)
        for (int i = 0; i < 2; i++)
            if (joint->moves[i]) {
                sum += dls_norm(joint->frame[i].p);
                count += 1.0;
            }
    for (size_t a = 0; a < c->model->n_articulations; a++)
        for (size_t i = 1; i < c->model->articulations[a].tree->n_links; i++) {
            sum += dls_norm(c->here->works[a]->links[i].r);
            count += 1.0;
        }
    return sum > 0.0 && isfinite(sum) ? sum / count : 1.0;
}

static void find_reach(const dls_check *c)
{
    for (size_t i = 0; i < c->model->n_bodies; i++)
        c->reach[i] = dls_difference_reach_of(c->here->bodies[i].x);
    for (size_t a = 0; a < c->model->n_articulations; a++) {
        const dls_articulation *tree = c->model->articulations[a].tree;
        const dls_link_work *links = c->here->works[a]->links;
        dls_reach *reach = c->reach + c->model->articulations[a].first_end;
        reach[0] = dls_difference_reach_of(links[0].c);
        for (size_t i = 1; i < tree->n_links; i++) {
            const dls_reach *parent = &reach[tree->links[i].parent];
            reach[i] = (dls_reach){.far = dls_norm(links[i].c),
                                   .far_ulps = parent->far_ulps + 4.0,
                                   .near = parent->near + dls_norm(links[i].l) + dls_norm(links[i].d),
                                   .near_ulps = parent->near_ulps + 32.0};
        }
    }
}

static dls_reach reach_of(const dls_check *c, size_t end)
{
    return end == DLS_WORLD ? dls_difference_reach_of(dls_v3(0, 0, 0)) : c->reach[end];
}

static double size_of(const dls_check *c, const dls_row *row)
{
    double size = 0.0;
    for (int i = 0; i < 2; i++) {
        const double *J = i == 0 ? row->J1 : row->J2;
        size = fmax(size, dls_norm(half(J, 0)) * c->arm + dls_norm(half(J, 1)));
    }
    return size;
}

/* Rounding of the higher powers of a term. */
static double higher_rounding(const dls_term *term, double q)
{
    const double a = fabs(q), *G = term->gears;
    return 16.0 * DBL_EPSILON * a * a * (fabs(G[1]) + a * (fabs(G[2]) + a * fabs(G[3])));
}

/* Rounding and size of a sum of terms: those of each coordinate, times the slope of its term. */
static void measure_terms(const dls_check *c, const dls_joint *joint, double *rounding, double *size)
{
    *rounding = *size = 0.0;
    for (const dls_term *term = joint->terms; term < joint->terms + joint->n_terms; term++) {
        double r, s;
        if (term->dof == DLS_NONE) {
            const dls_joint *of = &c->model->joints[term->joint];
            dls_end end[2];
            dls_row row = {0};
            dls_configuration_ends(c->here, of, end);
            of->type->coordinate(of, end, &row);
            const dls_reach reach[2] = {dls_difference_reach(of, 0, reach_of(c, of->body[0])),
                                        dls_difference_reach(of, 1, reach_of(c, of->body[1]))};
            r = dls_difference_rounding(&row, reach) + 16.0 * DBL_EPSILON * fabs(c->state->measured[term->joint]);
            s = size_of(c, &row);
        } else if (term->motion) {
            const double *g = c->here->gradients[term->number];
            s = fabs(g[0]) + fabs(g[1]) + fabs(g[2]);
            r = 64.0 * DBL_EPSILON * s +
                16.0 * DBL_EPSILON * 2.0 * DLS_PI * fabs((double)c->state->wraps[term->position]);
        } else {
            s = c->unit[term->dof];
            r = 16.0 * DBL_EPSILON *
                (fabs(c->state->coordinates[term->position]) +
                 4.0 * DLS_PI * fabs((double)c->state->wraps[term->position]));
        }
        const double slope = fabs(c->here->slopes[term->number]);
        *rounding += slope * r + higher_rounding(term, dls_state_coordinate(c->state, term));
        *size += slope * s;
    }
}

static void measure_joint(dls_check *c, size_t j)
{
    const dls_joint *joint = &c->model->joints[j];
    double rounding = 0.0, size = 0.0;
    if (joint->n_terms)
        measure_terms(c, joint, &rounding, &size);
    for (size_t i = c->first[j]; i < c->first[j + 1]; i++) {
        const dls_row *row = &c->rows[i];
        if (joint->n_terms) {
            c->rounding[i] = fabs(row->Jy) * rounding + 16.0 * DBL_EPSILON * fabs(row->C);
            c->size[i] = fabs(row->Jy) * size;
            continue;
        }
        const dls_reach reach[2] = {dls_difference_reach(joint, 0, reach_of(c, joint->body[0])),
                                    dls_difference_reach(joint, 1, reach_of(c, joint->body[1]))};
        c->rounding[i] = dls_difference_rounding(row, reach);
        c->size[i] = size_of(c, row);
    }
}

static void measure_contact(dls_check *c, size_t owner)
{
    const dls_contact *contact = &c->contacts->at[owner - c->model->n_joints];
    dls_reach reach[2];
    for (int i = 0; i < 2; i++) {
        reach[i] = reach_of(c, contact->body[i]);
        reach[i].near += dls_norm(dls_sub(contact->point[i], dls_configuration_end(c->here, contact->body[i]).x));
    }
    for (size_t i = c->first[owner]; i < c->first[owner + 1]; i++) {
        c->rounding[i] = dls_difference_rounding(&c->rows[i], reach);
        c->size[i] = size_of(c, &c->rows[i]);
    }
}

/* --- C of all rows --- */

/* The place of a point that is fixed to a body and was at `point` at the state. */
static dls_vec3 moved_point(const dls_check *c, const dls_configuration *at, size_t body, dls_vec3 point)
{
    if (body == DLS_WORLD)
        return point;
    const dls_end from = dls_configuration_end(c->here, body), to = dls_configuration_end(at, body);
    return dls_add(to.x, dls_mul3(to.R, dls_tmul3(from.R, dls_sub(point, from.x))));
}

/* C along the normal, and along the tangents that the rows have. */
static void contact_position(const dls_check *c, const dls_configuration *at, size_t owner, double *C)
{
    const dls_contact *contact = &c->contacts->at[owner - c->model->n_joints];
    const dls_row *rows = &c->rows[c->first[owner]];
    dls_vec3 d = dls_sub(moved_point(c, at, contact->body[0], contact->point[0]),
                         moved_point(c, at, contact->body[1], contact->point[1]));
    for (size_t r = 0; r < c->first[owner + 1] - c->first[owner]; r++)
        C[r] = dls_dot(r == 0 ? contact->normal : half(rows[r].J1, 0), d);
}

static void positions(const dls_check *c, const dls_configuration *at, double *C)
{
    for (size_t i = 0; i < c->problem->n; i++)
        C[i] = NAN;
    for (size_t owner = 0; owner < c->n_owners; owner++) {
        double *to = C + c->first[owner];
        if (c->first[owner + 1] == c->first[owner])
            continue;
        if (owner < c->model->n_joints) {
            const dls_joint *joint = &c->model->joints[owner];
            dls_end end[2];
            dls_configuration_ends(at, joint, end);
            joint->type->position(joint, end, to);
        } else {
            contact_position(c, at, owner, to);
        }
    }
}

/* --- differences --- */

/* Moves the state by s along a motion, into `there`: C of all rows, and all ends at the generalised velocity v. */
static void evaluate_at(const dls_check *c, const double *motion, const double *v, double s, double *C, dls_end *ends)
{
    dls_state_copy(c->moved, c->state);
    dls_configuration_advance(c->here, c->there, c->moved, motion, s, true);
    positions(c, c->there, C);
    dls_configuration_set_velocity(c->there, v);
    for (size_t end = 0; end < c->model->n_ends; end++)
        ends[end] = dls_configuration_end(c->there, end);
}

static void put6(double *to, dls_vec3 a, dls_vec3 b, double s)
{
    to[0] = a.x / s, to[1] = a.y / s, to[2] = a.z / s;
    to[3] = b.x / s, to[4] = b.y / s, to[5] = b.z / s;
}

/* (x(+) - x(-), log(q(+) q(-)^-1)) / (2 s), and the same of the velocities. */
static void central_ends(const dls_check *c, double s, double *velocity, double *acceleration)
{
    for (size_t end = 0; end < c->model->n_ends; end++) {
        const dls_end *a = &c->ends_after[end], *b = &c->ends_before[end];
        put6(velocity + 6 * end, dls_sub(a->x, b->x), dls_quat_log(dls_quat_mul(a->q, dls_quat_conj(b->q))), 2.0 * s);
        put6(acceleration + 6 * end, dls_sub(a->v, b->v), dls_sub(a->omega, b->omega), 2.0 * s);
    }
}

/* The largest speed of a point of the mechanism, for the rounding of accelerations; ulps of length and of angle. */
static void limit_ends(const dls_check *c, int m, const double *velocity, const double *acceleration, size_t stride)
{
    double speed = 0.0, spin = 0.0, extent = 0.0;
    for (size_t end = 0; end < c->model->n_ends; end++) {
        speed = fmax(speed, dls_norm(c->ends_after[end].v));
        spin = fmax(spin, dls_norm(c->ends_after[end].omega));
        extent = fmax(extent, c->reach[end].near);
    }
    for (size_t k = 0; k < 6 * c->model->n_ends; k++) {
        const dls_reach *reach = &c->reach[k / 6];
        const bool turns = k % 6 >= 3;
        const double unit = DBL_EPSILON * reach->near_ulps;
        const double place = unit * reach->near + DBL_EPSILON * reach->far_ulps * reach->far;
        c->velocities[m][k] = dls_difference_limit(velocity + k, stride, c->step, turns ? unit : place);
        if (m >= DLS_CHECK_OWN)
            c->accelerations[m][k] =
                dls_difference_limit(acceleration + k, stride, c->step, unit * (turns ? spin : speed + spin * extent));
    }
}

/* The rates of rows that have no displacement, from the differences of their ends. */
static void put_rates(dls_check *c, int m)
{
    for (size_t j = 0; j < c->n_owners; j++)
        for (size_t i = c->first[j]; i < c->first[j + 1]; i++) {
            const size_t *ends =
                j < c->model->n_joints ? c->model->joints[j].body : c->contacts->at[j - c->model->n_joints].body;
            dls_vec3 x[2], v[2], omega[2];
            double error = 0.0;
            if (!c->rows[i].is_rate)
                continue;
            for (int k = 0; k < 2; k++) {
                const size_t end = ends[k];
                const dls_difference *d = end == DLS_WORLD ? NULL : c->velocities[m] + 6 * end;
                x[k] = dls_configuration_end(c->here, end).x;
                v[k] = d ? dls_v3(d[0].value, d[1].value, d[2].value) : dls_v3(0, 0, 0);
                omega[k] = d ? dls_v3(d[3].value, d[4].value, d[5].value) : dls_v3(0, 0, 0);
                for (int n = 0; d && n < 6; n++)
                    error += d[n].error;
            }
            const double value = dls_difference_rate(&c->rows[i], x, v, omega);
            c->rates[m][i] = (dls_difference){value, error * (1.0 + dls_norm(dls_sub(x[0], x[1])))};
        }
}

static void difference(dls_check *c, int m)
{
    const size_t n = c->problem->n, ends = 6 * c->model->n_ends, stride = n + 2 * ends;
    const double *v = m == DLS_CHECK_CROSS ? c->turn : c->state->v;
    for (int level = 0; level < LEVELS; level++) {
        const double s = dls_difference_step(c->step, level);
        double *to = c->central + stride * (size_t)level;
        evaluate_at(c, c->motion[m], v, s, c->after, c->ends_after);
        evaluate_at(c, c->motion[m], v, -s, c->before, c->ends_before);
        for (size_t i = 0; i < n; i++)
            to[i] = (c->after[i] - c->before[i]) / (2.0 * s);
        central_ends(c, s, to + n, to + n + ends);
    }
    for (size_t i = 0; i < n; i++)
        c->rates[m][i] = dls_difference_limit(c->central + i, stride, c->step, c->rounding[i]);
    limit_ends(c, m, c->central + n, c->central + n + ends, stride);
    put_rates(c, m);
}

/* --- motions --- */

/* The largest entries: 1 of a rotation, an arm of a translation. */
static void find_units(const dls_check *c)
{
    const dls_model *model = c->model;
    for (size_t k = 0; k < model->nv; k++)
        c->unit[k] = 1.0;
    for (size_t i = 0; i < model->n_bodies; i++)
        for (size_t k = 0; k < 3 && model->bodies[i].offset != DLS_NONE; k++)
            c->unit[model->bodies[i].offset + k] = c->arm;
    for (size_t a = 0; a < model->n_articulations; a++) {
        const dls_articulation *tree = model->articulations[a].tree;
        for (size_t k = 0; k < tree->nv; k++)
            if (dls_articulation_axis(tree, k) >= DLS_X)
                c->unit[model->articulations[a].offset + k] = c->arm;
    }
}

/* Entries of any size up to the unit; of at least half of it where `whole`. */
static void draw_motion(const dls_check *c, double *e, uint64_t *seed, bool whole)
{
    for (size_t k = 0; k < c->model->nv; k++) {
        const double x = dls_check_random(seed);
        e[k] = c->unit[k] * (whole ? copysign(0.5 + 0.5 * fabs(x), x) : x);
    }
}

/* One entry of a motion that is not drawn. */
static double motion_entry(const dls_check *c, int m, size_t k)
{
    if (m == DLS_CHECK_KICK)
        return (c->problem->v_star[k] - c->state->v[k] - c->turn[k]) / c->problem->h;
    return m == DLS_CHECK_TURN ? c->turn[k] : c->state->v[k];
}

static void put_motion(dls_check *c, int m)
{
    double largest = 0.0;
    for (size_t k = 0; k < c->model->nv; k++) {
        c->motion[m][k] = motion_entry(c, m, k);
        largest = fmax(largest, fabs(c->motion[m][k]));
    }
    c->scale[m] = largest > 0.0 && isfinite(largest) ? largest : 1.0;
    for (size_t k = 0; k < c->model->nv; k++)
        c->motion[m][k] = isfinite(c->motion[m][k]) ? c->motion[m][k] / c->scale[m] : 0.0;
}

/* Computes d by the library; the equation that it solves is checked. */
static void put_turn(dls_check *c)
{
    const dls_model *model = c->model;
    const double theta = dls_coriolis_theta(&model->world);
    memset(c->turn, 0, model->nv * sizeof *c->turn);
    for (size_t a = 0; a < model->n_articulations && theta > 0.0; a++)
        dls_articulation_coriolis_change(c->here->works[a], c->state->v + model->articulations[a].offset, c->problem->h,
                                         theta, c->turn + model->articulations[a].offset);
}

void dls_check_move(dls_check *c, uint64_t seed, bool all)
{
    for (int m = 0; m < DLS_CHECK_DRAWN; m++) {
        draw_motion(c, c->motion[m], &seed, true);
        c->scale[m] = 1.0;
        difference(c, m);
    }
    put_turn(c);
    for (int m = DLS_CHECK_OWN; m < (dls_coriolis_theta(&c->model->world) > 0.0 ? DLS_CHECK_MOTIONS : DLS_CHECK_TURN);
         m++)
        if (all) {
            put_motion(c, m);
            difference(c, m);
        }
    dls_configuration_set_velocity(c->here, c->state->v);
    dls_configuration_immerse(c->here);
}

/* --- memory --- */

static dls_status take(dls_check *c, dls_error *error)
{
    const size_t n = c->problem->n, ends = c->model->n_ends;
    dls_arena *arena = &c->arena;
    c->first = DLS_TAKE(arena, size_t, c->n_owners + 1);
    c->rows = DLS_TAKE_ZEROS(arena, dls_row, n);
    c->C = DLS_TAKE(arena, double, n);
    c->rounding = DLS_TAKE(arena, double, n);
    c->size = DLS_TAKE(arena, double, n);
    c->after = DLS_TAKE(arena, double, n);
    c->before = DLS_TAKE(arena, double, n);
    c->force = DLS_TAKE(arena, double, c->model->nv);
    c->response = DLS_TAKE(arena, double, c->model->nv);
    c->unit = DLS_TAKE(arena, double, c->model->nv);
    c->reach = DLS_TAKE(arena, dls_reach, ends);
    c->ends_after = DLS_TAKE(arena, dls_end, ends);
    c->ends_before = DLS_TAKE(arena, dls_end, ends);
    c->turn = DLS_TAKE(arena, double, c->model->nv);
    c->central = DLS_TAKE(arena, double, LEVELS *(n + 12 * ends));
    for (int m = 0; m < DLS_CHECK_MOTIONS; m++) {
        c->motion[m] = DLS_TAKE(arena, double, c->model->nv);
        c->rates[m] = DLS_TAKE(arena, dls_difference, n);
        c->velocities[m] = DLS_TAKE(arena, dls_difference, 6 * ends);
        c->accelerations[m] = DLS_TAKE(arena, dls_difference, m < DLS_CHECK_OWN ? 0 : 6 * ends);
    }
    return arena->failed ? dls_fail(error, DLS_NO_MEMORY, "no memory to check %zu rows", n) : DLS_OK;
}

/* The first row of each owner, and the rows as the types write them. Whether they are as many as the problem has. */
static bool fill_rows(dls_check *c)
{
    size_t at = 0;
    for (size_t owner = 0; owner < c->n_owners; owner++) {
        const bool joint = owner < c->model->n_joints;
        const dls_contact *contact = joint ? NULL : &c->contacts->at[owner - c->model->n_joints];
        const dls_joint *of = joint ? &c->model->joints[owner] : NULL;
        const size_t count = !joint ? dls_contact_count(contact) : c->here->idle[owner] ? 0 : of->type->count(of);
        c->first[owner] = at;
        if (count > c->problem->n - at)
            return false;
        if (joint)
            dls_rows_of_joint(c->here, of, c->problem->h, c->rows + at);
        else
            dls_rows_of_contact(c->here, contact, c->problem->h, c->rows + at);
        at += count;
    }
    c->first[c->n_owners] = at;
    return at == c->problem->n;
}

dls_status dls_check_open(dls_check *c, dls_error *error)
{
    const dls_row_list *list = dls_problem_rows(c->problem);
    c->n_owners = c->model->n_joints + c->contacts->count;
    if (!list || list->n != c->problem->n || c->problem->nv != c->model->nv ||
        c->problem->mass.n_blocks != c->model->n_blocks)
        return dls_fail(error, DLS_BAD_ARGUMENT, "the problem is not one of this model; assemble it from the model");
    c->list = list->row;
    DLS_TRY(take(c, error));
    DLS_TRY(dls_state_create(c->model, &c->moved, error));
    DLS_TRY(dls_configuration_create(c->model, &c->here, error));
    DLS_TRY(dls_configuration_create(c->model, &c->there, error));
    dls_configuration_evaluate(c->here, c->state);
    if (!fill_rows(c))
        return dls_fail(error, DLS_BAD_ARGUMENT, "the problem has %zu rows, and its joints and contacts another number",
                        c->problem->n);
    c->arm = arm_of(c);
    find_units(c);
    find_reach(c);
    for (size_t owner = 0; owner < c->n_owners; owner++)
        if (owner < c->model->n_joints)
            measure_joint(c, owner);
        else
            measure_contact(c, owner);
    positions(c, c->here, c->C);
    return DLS_OK;
}

void dls_check_close(dls_check *c)
{
    dls_configuration_destroy(c->here);
    dls_configuration_destroy(c->there);
    dls_state_destroy(c->moved);
    dls_arena_release(&c->arena);
}

/* --- poses --- */

/* Moves the state along a random motion of this size; 0: only iterates the numbers that joints keep. */
static dls_status move_state(const dls_model *model, dls_state *state, uint64_t seed, double size, dls_error *error)
{
    dls_check c = {.model = model, .state = state};
    double *e = calloc(2 * model->nv + 1, sizeof *e);
    dls_status status = e ? dls_configuration_create(model, &c.here, error)
                          : dls_fail(error, DLS_NO_MEMORY, "no memory for a motion of %zu velocities", model->nv);
    if (status == DLS_OK) {
        dls_configuration_evaluate(c.here, state);
        c.arm = arm_of(&c);
        c.unit = e + model->nv;
        find_units(&c);
        if (size > 0.0) {
            draw_motion(&c, e, &seed, false);
            dls_configuration_advance(c.here, c.here, state, e, size, true);
            draw_motion(&c, state->v, &seed, false);
        }
        memset(e, 0, model->nv * sizeof *e);
        for (int i = 0; i < 64 && model->n_owners > 0; i++)
            dls_configuration_advance(c.here, c.here, state, e, 0.0, true);
    }
    dls_configuration_destroy(c.here);
    free(e);
    return status;
}

dls_status dls_check_stir(const dls_model *model, dls_state *state, uint64_t seed, dls_error *error)
{
    return move_state(model, state, seed, 0.2, error);
}

dls_status dls_check_settle(const dls_model *model, dls_state *state, dls_error *error)
{
    return move_state(model, state, 0, 0.0, error);
}

void dls_check_note(dls_check_found *to, double found, double expected, double allowed)
{
    const double difference = fabs(found - expected);
    double ratio = found == expected ? 0.0 : difference / allowed;
    if (!(isfinite(allowed) && ratio <= DBL_MAX))
        ratio = HUGE_VAL;
    if (ratio > to->ratio || (to->ratio == 0.0 && to->allowed == 0.0))
        *to = (dls_check_found){found, expected, allowed, ratio};
}
