/* From a configuration to the rows of all joints and contacts: count, allocate, fill. */
#include "delassus/rows.h"

#include "base/memory.h"
#include "model/model.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- memory --- */

/* The memory of a list. Rows on links and coordinates are summed in `dense`, over all columns. */
typedef struct store {
    dls_arena arena;
    dls_mass mass;            /* at the list's configuration */
    dls_row_spring *springs;  /* by row, set for rows with a spring: rows of joints, which come first */
    double *dense, *rounding; /* nv */
    double *B, *scratch;      /* nv */
    double *prescribed;       /* n, or NULL: the part of each row's velocity by kinematic ends */
} store;

typedef struct sizes {
    size_t n, springs, blocks, coefs;
} sizes;

dls_status dls_row_list_create(dls_row_list **list, dls_error *error)
{
    dls_row_list *made = *list = calloc(1, sizeof *made);
    if (made)
        made->memory = calloc(1, sizeof(store));
    if (made && made->memory)
        return DLS_OK;
    free(made);
    *list = NULL;
    return dls_fail(error, DLS_NO_MEMORY, "no memory for a list of rows");
}

void dls_row_list_destroy(dls_row_list *list)
{
    if (!list)
        return;
    dls_arena_release(&((store *)list->memory)->arena);
    free(list->memory);
    free(list);
}

/* About as many bytes as the arrays of a list take. */
static size_t bytes_of_rows(const sizes *need)
{
    return need->n * (sizeof(dls_list_row) + sizeof(size_t) + sizeof(double)) + need->springs * sizeof(dls_row_spring) +
           need->blocks * (2 * sizeof(size_t) + sizeof(uint32_t)) + need->coefs * sizeof(double) + 1024;
}

/* Makes the arrays of a list, without filling them. */
static dls_status take_arrays(dls_row_list *list, size_t nv, const sizes *need, dls_error *error)
{
    store *memory = list->memory;
    dls_arena *arena = &memory->arena;
    list->n = list->J.n = list->J.n_blocks = 0;
    list->J.n_columns = nv;
    list->finite = true;
    list->row = DLS_TAKE(arena, dls_list_row, need->n);
    memory->springs = DLS_TAKE(arena, dls_row_spring, need->springs);
    memory->prescribed = NULL;
    list->J.start = DLS_TAKE(arena, size_t, need->n + 1);
    list->J.offset = DLS_TAKE(arena, size_t, need->blocks);
    list->J.coef_at = DLS_TAKE(arena, size_t, need->blocks + 1);
    list->J.mass = DLS_TAKE(arena, uint32_t, need->blocks);
    list->J.coef = DLS_TAKE(arena, double, need->coefs);
    if (!arena->failed) {
        list->J.start[0] = list->J.coef_at[0] = 0;
        return DLS_OK;
    }
    return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows of %zu coefficients", need->n, need->coefs);
}

dls_status dls_row_list_blank(dls_row_list *list, size_t n, dls_error *error)
{
    dls_arena *arena = &((store *)list->memory)->arena;
    dls_arena_reset(arena);
    list->row = DLS_TAKE_ZEROS(arena, dls_list_row, n);
    list->n = list->row ? n : 0;
    for (size_t i = 0; i < list->n; i++) {
        list->row[i].owner = DLS_NONE;
        list->row[i].label = "";
    }
    return list->row ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", n);
}

/* --- one owner's rows --- */

size_t dls_rows_of_joint(const dls_configuration *c, const dls_joint *joint, double h, dls_row *rows)
{
    dls_end ends[2];
    if (c->idle[joint - c->model->joints])
        return 0;
    dls_configuration_ends(c, joint, ends);
    joint->type->rows(joint, ends, h, rows);
    return joint->n_rows;
}

size_t dls_rows_of_contact(const dls_configuration *c, const dls_contact *contact, double h, dls_row *rows)
{
    const dls_end ends[2] = {dls_configuration_end(c, contact->body[0]), dls_configuration_end(c, contact->body[1])};
    dls_contact_rows(contact, ends, dls_norm(c->model->world.gravity), h, rows);
    return dls_contact_count(contact);
}

/* The point of a body that a contact has at another pose. A ball, and a capsule about its axis, touch with other points
 * as they turn: the contact stays at the radius from the nearest point of the centre line, against the normal, which
 * points away from body 2. Points of other shapes move with them. */
static dls_vec3 contact_point_at(const dls_model *model, const dls_contact *contact, int i, const dls_end *end)
{
    const dls_vec3 place = contact->place[i];
    const dls_body *body = contact->body[i] < model->n_bodies ? &model->bodies[contact->body[i]] : NULL;
    if (!body || body->has_shapes || (body->shape != DLS_SHAPE_SPHERE && body->shape != DLS_SHAPE_CAPSULE))
        return dls_add(end->x, dls_mul3(end->R, place));
    const double half = body->shape == DLS_SHAPE_CAPSULE ? 0.5 * body->length : 0.0;
    const dls_vec3 centre = dls_v3(0.0, 0.0, fmax(-half, fmin(half, place.z)));
    return dls_add(dls_add(end->x, dls_mul3(end->R, centre)),
                   dls_scale(i == 0 ? -body->radius : body->radius, contact->normal));
}

/* C_n = C_0 + n . (displacement of point 1 - displacement of point 2). */
dls_contact dls_contact_follow(const dls_configuration *now, const dls_contact *contact)
{
    dls_contact moved = *contact;
    for (int i = 0; i < 2; i++) {
        const bool is_body = contact->body[i] < now->model->n_bodies;
        if (!dls_model_moves(now->model, contact->body[i]) &&
            !(is_body && now->model->bodies[contact->body[i]].prescribed != DLS_NONE))
            continue;
        const dls_end end = dls_configuration_end(now, contact->body[i]);
        moved.point[i] = contact_point_at(now->model, contact, i, &end);
        double way = dls_dot(contact->normal, dls_sub(moved.point[i], contact->point[i]));
        moved.gap += i == 0 ? way : -way;
    }
    return moved;
}

/* --- Jacobians in columns --- */

/* The next row to write, its first block and coefficient. */
typedef struct cursor {
    size_t row, block, coef;
} cursor;

/* Adds a block, and returns its coefficients, which the caller writes. */
static double *add_block(dls_rows *J, cursor *at, size_t offset, size_t length, size_t mass)
{
    double *coef = J->coef + at->coef;
    J->offset[at->block] = offset;
    J->mass[at->block] = (uint32_t)mass;
    J->coef_at[at->block++] = at->coef;
    at->coef += length;
    return coef;
}

static void end_row(dls_rows *J, cursor *at)
{
    J->start[++at->row] = at->block;
    J->coef_at[at->block] = at->coef;
}

static const dls_body *moving_body(const dls_model *model, size_t body)
{
    return body == DLS_WORLD || model->bodies[body].offset == DLS_NONE ? NULL : &model->bodies[body];
}

/* Adds rows on two bodies: a block of six for each body that moves, in the order of the columns. Returns the number of
 * blocks per row; first[i]: the coefficients of the first row on body i, NULL if it does not move. */
static size_t add_rows(dls_rows *J, cursor *at, size_t count, const dls_model *model, const size_t ends[2],
                       double *first[2])
{
    const dls_body *body[2] = {moving_body(model, ends[0]), moving_body(model, ends[1])};
    const bool swapped = body[0] && body[1] && body[1]->offset < body[0]->offset;
    const size_t blocks = (size_t)(body[0] != NULL) + (size_t)(body[1] != NULL);
    double *coef = J->coef + at->coef;
    for (int k = 0; k < 2; k++)
        first[k ^ swapped] = body[k ^ swapped] ? coef + (k && blocks == 2 ? 6 : 0) : NULL;
    for (size_t r = 0; r < count; r++) {
        for (int k = 0; k < 2; k++)
            if (body[k ^ swapped])
                add_block(J, at, body[k ^ swapped]->offset, 6, body[k ^ swapped]->block);
        end_row(J, at);
    }
    return blocks;
}

static void put_plain(dls_rows *J, cursor *at, const dls_row *rows, size_t count, const dls_model *model,
                      const size_t ends[2])
{
    double *to[2];
    const size_t stride = 6 * add_rows(J, at, count, model, ends, to);
    for (size_t r = 0; r < count; r++) {
        for (size_t k = 0; k < 6 && to[0]; k++)
            to[0][r * stride + k] = rows[r].J1[k];
        for (size_t k = 0; k < 6 && to[1]; k++)
            to[1][r * stride + k] = rows[r].J2[k];
    }
}

/* Entries of a row on links are sums, S_k . J6 over six terms and two ends. If the terms cancel, as those of a planar
 * loop do across its plane, the sum is only rounding error, and a row of such entries would seem to be movable. An
 * entry of `dense` below its bound in `rounding` is therefore set to 0: gamma |S_k| |J6|, with the errors of products
 * and of the positions in S_k, one rotation per link from the root (N. Higham, Accuracy and Stability of Numerical
 * Algorithms, 2002, section 3.1). */
static double gamma_of(const dls_articulation *tree, size_t link)
{
    double operations = 6.0;
    for (; link != DLS_NONE; link = tree->links[link].parent)
        operations += 1.0;
    return 4.0 * DBL_EPSILON * operations;
}

/* sum += s J6 on an end: the velocity of a link is S_k v_k summed over the degrees of freedom on its way to the root.
 */
static void add_end(const dls_configuration *c, size_t end, double s, const double *J6, const store *to)
{
    size_t link;
    const dls_model_articulation *articulation = dls_model_articulation_of(c->model, end, &link);
    if (!articulation) {
        const dls_body *body = moving_body(c->model, end);
        for (size_t k = 0; body && k < 6; k++)
            to->dense[body->offset + k] += s * J6[k];
        return;
    }
    const dls_articulation *tree = articulation->tree;
    const dls_articulation_work *work = c->works[articulation - c->model->articulations];
    const dls_spatial J = {dls_v3(J6[0], J6[1], J6[2]), dls_v3(J6[3], J6[4], J6[5])};
    const double gamma = fabs(s) * gamma_of(tree, link);
    const double linear = gamma * dls_norm(J.lin), angular = gamma * dls_norm(J.ang);
    const double far = dls_norm(work->links[link].c);
    for (size_t k = dls_articulation_last_dof(tree, link); k != DLS_NONE; k = tree->dof_before[k]) {
        dls_vec3 r = dls_sub(work->links[link].c, work->links[tree->dof_link[k]].c);
        to->dense[articulation->offset + k] += s * dls_spatial_dot(J, dls_motion_at(work->S[k], r));
        double turns = dls_norm(work->S[k].ang), reach = far + dls_norm(work->links[tree->dof_link[k]].c);
        to->rounding[articulation->offset + k] += linear * (dls_norm(work->S[k].lin) + turns * reach) + angular * turns;
    }
}

static void add_ends(const dls_configuration *c, const dls_joint *joint, double s, const dls_row *row, const store *to)
{
    add_end(c, joint->body[0], s, row->J1, to);
    add_end(c, joint->body[1], s, row->J2, to);
}

/* Adds dC/dy times the slope of a term in its column; the coordinate of a joint between bodies has a row. */
static void add_term(const dls_configuration *c, const dls_term *term, double Jy, const store *to)
{
    const double s = Jy * c->slopes[term->number];
    if (term->dof != DLS_NONE) {
        static const double one[] = {1.0};
        const double *gradient = term->motion ? c->gradients[term->number] : one;
        for (size_t k = 0; k < (term->motion ? term->motion->n_dofs : 1); k++)
            to->dense[term->dof + k] += s * gradient[k];
        return;
    }
    const dls_joint *joint = &c->model->joints[term->joint];
    dls_end end[2];
    dls_row row = {0};
    dls_configuration_ends(c, joint, end);
    joint->type->coordinate(joint, end, &row);
    add_ends(c, joint, s, &row, to);
}

/* Whether row i is 0 in all its columns, so that no impulse moves it. */
static bool row_is_zero(const dls_rows *J, size_t i)
{
    for (size_t k = J->coef_at[J->start[i]]; k < J->coef_at[J->start[i + 1]]; k++)
        if (J->coef[k] != 0.0)
            return false;
    return true;
}

/* Sets C of a row that no impulse moves to 0 if it is below the rounding error of the positions of its ends. Otherwise
 * the row would have a target speed of that size, which no impulse can produce. */
static void clear_rounding(const dls_configuration *c, const dls_joint *joint, dls_row *row)
{
    double noise = 0.0;
    for (int i = 0; i < 2; i++) {
        size_t link = DLS_NONE;
        const dls_model_articulation *articulation = dls_model_articulation_of(c->model, joint->body[i], &link);
        const dls_end end = dls_configuration_end(c, joint->body[i]);
        const double *J6 = i ? row->J2 : row->J1, reach = dls_norm(end.x) + dls_norm(joint->frame[i].p);
        noise += (articulation ? gamma_of(articulation->tree, link) : 32.0 * DBL_EPSILON) *
                 (dls_norm(dls_v3(J6[0], J6[1], J6[2])) * reach + dls_norm(dls_v3(J6[3], J6[4], J6[5])));
    }
    if (fabs(row->C) <= noise)
        row->C = 0.0;
}

/* Rows of a joint on one coordinate that is a velocity: put_spanned with one entry. */
static void put_one_speed(dls_rows *J, cursor *at, const dls_row *rows, size_t count, const dls_joint *joint,
                          double slope)
{
    for (size_t r = 0; r < count; r++) {
        *add_block(J, at, joint->spans[0].offset, 1, joint->spans[0].block) = 0.0 + rows[r].Jy * slope;
        end_row(J, at);
    }
}

static void clear_spans(const dls_span *spans, size_t count, const store *sum)
{
    for (const dls_span *span = spans; span < spans + count; span++) {
        memset(sum->dense + span->offset, 0, span->length * sizeof *sum->dense);
        memset(sum->rounding + span->offset, 0, span->length * sizeof *sum->rounding);
    }
}

/* Writes the sums in these columns as one row. */
static void put_spans(dls_rows *J, cursor *at, const dls_span *spans, size_t count, const store *sum)
{
    for (const dls_span *span = spans; span < spans + count; span++) {
        double *coef = add_block(J, at, span->offset, span->length, span->block);
        for (size_t k = span->offset; k < span->offset + span->length; k++)
            *coef++ = fabs(sum->dense[k]) > sum->rounding[k] ? sum->dense[k] : 0.0;
    }
    end_row(J, at);
}

/* Rows on links or coordinates, in the columns that the model has found for the joint. */
static void put_spanned(dls_row_list *list, cursor *at, const dls_row *rows, size_t count, const dls_configuration *c,
                        const dls_joint *joint)
{
    const store *sum = list->memory;
    for (size_t r = 0; r < count; r++) {
        clear_spans(joint->spans, joint->n_spans, sum);
        add_ends(c, joint, 1.0, &rows[r], sum);
        for (size_t t = 0; t < joint->n_terms; t++)
            add_term(c, &joint->terms[t], rows[r].Jy, sum);
        put_spans(&list->J, at, joint->spans, joint->n_spans, sum);
    }
}

/* --- one owner --- */

/* Whether `count` numbers are finite: 0 times a number that is not is NaN. */
static bool numbers_finite(const double *a, size_t count)
{
    double sum[4] = {0.0};
    size_t k = 0;
    for (; k + 4 <= count; k += 4)
        for (size_t j = 0; j < 4; j++)
            sum[j] += 0.0 * a[k + j];
    for (; k < count; k++)
        sum[0] += 0.0 * a[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]) == 0.0;
}

static void put_row(dls_list_row *to, const dls_row *row, size_t owner, size_t slot)
{
    const bool plain = row->law == DLS_LAW_FIXED;
    to->C = row->C;
    to->erp = row->erp, to->cfm = row->cfm;
    to->u = row->u;
    to->lo = row->lo, to->hi = row->hi;
    to->mu = plain ? 0.0 : row->mu;
    to->bias = 0.0;
    to->restitution = row->restitution;
    to->impact = (unsigned char)row->impact;
    to->impacts = row->impacts;
    to->owner = owner;
    to->label = row->label;
    to->spring = NULL;
    to->slot = (unsigned char)slot;
    to->after = (unsigned char)(plain ? 0 : slot - (size_t)row->parent);
    to->law = (unsigned char)row->law;
    to->role = (unsigned char)row->role;
    to->gap = row->gap;
    to->angular = row->angular;
}

/* An explicit spring and damper has the force of the list's configuration, within its bounds, as a fixed impulse, lo =
 * hi. Gains per unit of mass produce no force on a row that no impulse moves. */
static void put_explicit(dls_list_row *row, const dls_row_spring *spring, double rate)
{
    const double pull = spring->kp * row->C + spring->kd * (rate - row->u);
    const double force = spring->feed - (spring->mobility > 0.0 ? pull / spring->mobility : 0.0);
    row->lo = row->hi = fmax(row->lo, fmin(row->hi, force));
    row->erp = row->cfm = 0.0;
}

/* `prescribed`: the part of the rate by kinematic ends, in addition to J v. */
static void put_spring(dls_row_list *list, size_t i, const dls_row *row, const double *v, double prescribed)
{
    store *memory = list->memory;
    const double w = 2.0 * DLS_PI * row->frequency;
    const bool per_mass = row->frequency > 0.0 || row->per_mass;
    dls_row_spring *spring = &memory->springs[i];
    spring->kp = w > 0.0 ? w * w : row->kp;
    spring->kd = w > 0.0 ? 2.0 * row->ratio * w : row->kd;
    spring->feed = row->feed;
    spring->mobility = per_mass ? dls_rows_response(&list->J, &memory->mass, i, memory->B, memory->scratch) : 1.0;
    if (row->is_explicit)
        put_explicit(&list->row[i], spring, dls_rows_dot(&list->J, i, v) + prescribed);
    else
        list->row[i].spring = spring;
}

/* The rebound of a stop whose speed is J v and the part of its kinematic ends. */
static void put_rebound(dls_row_list *list, size_t i, const dls_configuration *c, const dls_joint *joint,
                        const dls_row *row)
{
    const double prescribed = c->model->n_prescribed ? dls_row_prescribed(c, joint, joint->body, row) : 0.0;
    dls_list_row_rebound(&list->row[i], dls_rows_dot(&list->J, i, c->v) + prescribed, row->threshold);
}

/* Writes the rows of a joint from at->row on. */
static void put_joint(dls_row_list *list, cursor *at, const dls_configuration *c, size_t j, double h)
{
    const dls_joint *joint = &c->model->joints[j];
    dls_row rows[DLS_JOINT_ROWS_MAX];
    const size_t first = at->row, count = dls_rows_of_joint(c, joint, h, rows);
    const bool one_speed = joint->n_terms == 1 && joint->n_spans == 1 && joint->spans[0].length == 1 &&
                           !joint->terms[0].motion && joint->terms[0].dof != DLS_NONE;
    if (joint->spans && one_speed)
        put_one_speed(&list->J, at, rows, count, joint, c->slopes[joint->terms[0].number]);
    else if (joint->spans)
        put_spanned(list, at, rows, count, c, joint);
    else
        put_plain(&list->J, at, rows, count, c->model, joint->body);
    for (size_t r = 0; r < count; r++) {
        if (joint->spans && !joint->n_terms && row_is_zero(&list->J, first + r))
            clear_rounding(c, joint, &rows[r]);
        put_row(&list->row[first + r], &rows[r], j, r);
        if (rows[r].measured)
            put_rebound(list, first + r, c, joint, &rows[r]);
        if (dls_row_springs(&rows[r]) || rows[r].is_explicit)
            put_spring(list, first + r, &rows[r], c->v,
                       c->model->n_prescribed ? dls_row_prescribed(c, joint, joint->body, &rows[r]) : 0.0);
    }
}

/* The columns of an end: six of a body; of a link from the first to the last degree of freedom on its way to the root,
 * between which those of other branches are 0. Length 0: it cannot move. */
static dls_span span_of(const dls_model *model, size_t end)
{
    size_t link;
    const dls_model_articulation *articulation = dls_model_articulation_of(model, end, &link);
    if (!articulation) {
        const dls_body *body = moving_body(model, end);
        return body ? (dls_span){body->offset, 6, body->block} : (dls_span){0, 0, 0};
    }
    const size_t last = dls_articulation_last_dof(articulation->tree, link);
    size_t first = last;
    for (size_t k = last; k != DLS_NONE; k = articulation->tree->dof_before[k])
        first = k;
    return last == DLS_NONE ? (dls_span){0, 0, 0}
                            : (dls_span){articulation->offset + first, last - first + 1, articulation->block};
}

/* The columns of both ends, in their order; one span if both are of one articulation. */
static size_t contact_spans(const dls_model *model, const dls_contact *contact, dls_span spans[2])
{
    const dls_span one = span_of(model, contact->body[0]), two = span_of(model, contact->body[1]);
    size_t count = 0;
    if (one.length && two.length && one.block == two.block) {
        const size_t from = one.offset < two.offset ? one.offset : two.offset;
        const size_t to =
            one.offset + one.length > two.offset + two.length ? one.offset + one.length : two.offset + two.length;
        spans[count++] = (dls_span){from, to - from, one.block};
        return count;
    }
    const bool swapped = two.offset < one.offset;
    const dls_span *in_order[2] = {swapped ? &two : &one, swapped ? &one : &two};
    for (int k = 0; k < 2; k++)
        if (in_order[k]->length)
            spans[count++] = *in_order[k];
    return count;
}

/* Writes the rows of a contact; those on bodies directly into their columns. */
static void put_contact(dls_row_list *list, cursor *at, const dls_configuration *c, const dls_contact *contact,
                        size_t owner, double gravity, double h)
{
    static const dls_end world = {0}; /* position and velocity; nothing else is read */
    const size_t first = at->row, count = dls_contact_count(contact);
    if (dls_model_has_bodies_at(c->model, contact->body)) {
        const dls_end *ends[2];
        double *J[2];
        for (int i = 0; i < 2; i++)
            ends[i] = contact->body[i] == DLS_WORLD ? &world : &c->bodies[contact->body[i]];
        const size_t stride = 6 * add_rows(&list->J, at, count, c->model, contact->body, J);
        dls_contact_put(contact, ends, gravity, h, list->row + first, J, stride);
    } else {
        double J6[2][DLS_CONTACT_ROWS_MAX][6];
        const dls_end ends[2] = {dls_configuration_end(c, contact->body[0]),
                                 dls_configuration_end(c, contact->body[1])};
        dls_contact_put(contact, (const dls_end *const[2]){&ends[0], &ends[1]}, gravity, h, list->row + first,
                        (double *const[2]){J6[0][0], J6[1][0]}, 6);
        dls_span spans[2];
        const size_t n_spans = contact_spans(c->model, contact, spans);
        for (size_t r = 0; r < count; r++) {
            clear_spans(spans, n_spans, list->memory);
            add_end(c, contact->body[0], 1.0, J6[0][r], list->memory);
            add_end(c, contact->body[1], 1.0, J6[1][r], list->memory);
            put_spans(&list->J, at, spans, n_spans, list->memory);
        }
    }
    for (size_t r = 0; r < count; r++)
        list->row[first + r].owner = owner;
}

/* --- kinematic ends --- */

/* J6 on both ends times the velocities of kinematic ends. */
static double kinematic_velocity(const dls_configuration *c, const size_t ends[2], const dls_row *row)
{
    const double *J6[2] = {row->J1, row->J2};
    double sum = 0.0;
    for (int k = 0; k < 2; k++) {
        if (ends[k] >= c->model->n_bodies || c->model->bodies[ends[k]].prescribed == DLS_NONE)
            continue;
        const dls_end *end = &c->bodies[ends[k]];
        sum += dls_dot(dls_v3(J6[k][0], J6[k][1], J6[k][2]), end->v) +
               dls_dot(dls_v3(J6[k][3], J6[k][4], J6[k][5]), end->omega);
    }
    return sum;
}

double dls_row_prescribed(const dls_configuration *c, const dls_joint *joint, const size_t ends[2], const dls_row *row)
{
    double sum = kinematic_velocity(c, ends, row);
    for (size_t t = 0; joint && t < joint->n_terms; t++) {
        dls_end end[2];
        dls_row rate = {0};
        if (joint->terms[t].dof != DLS_NONE)
            continue;
        const dls_joint *measured = &c->model->joints[joint->terms[t].joint];
        dls_configuration_ends(c, measured, end);
        measured->type->coordinate(measured, end, &rate);
        sum += row->Jy * c->slopes[joint->terms[t].number] * kinematic_velocity(c, measured->body, &rate);
    }
    return sum;
}

static void put_carried_velocities(dls_row_list *list, const dls_configuration *c, const dls_contacts *contacts,
                                   double h)
{
    const store *memory = list->memory;
    const size_t n_joints = c->model->n_joints, owners = n_joints + (contacts ? contacts->count : 0);
    dls_row rows[DLS_JOINT_ROWS_MAX];
    for (size_t owner = 0, i = 0; owner < owners; owner++) {
        const dls_joint *joint = owner < n_joints ? &c->model->joints[owner] : NULL;
        const dls_contact *contact = joint ? NULL : &contacts->at[owner - n_joints];
        const size_t count = joint ? dls_rows_of_joint(c, joint, h, rows) : dls_rows_of_contact(c, contact, h, rows);
        for (size_t r = 0; r < count; r++)
            memory->prescribed[i++] = dls_row_prescribed(c, joint, joint ? joint->body : contact->body, &rows[r]);
    }
}

const double *dls_row_list_prescribed(const dls_row_list *list) { return ((const store *)list->memory)->prescribed; }

/* --- all rows --- */

enum { CHECK_EVERY = 1024 }; /* coefficients between two checks that they are finite */

/* The sizes of the rows of all joints, and upper bounds for those of contacts. */
static sizes sizes_of_rows(const dls_model *model, const dls_contacts *contacts)
{
    const size_t n_contacts = contacts ? contacts->count : 0;
    size_t rows = 0;
    for (size_t k = 0; k < n_contacts; k++)
        rows += dls_contact_count(&contacts->at[k]);
    sizes need = {.n = model->rows.n + rows,
                  .springs = model->rows.n,
                  .blocks = model->rows.blocks + 2 * rows,
                  .coefs = model->rows.coefs + 12 * rows};
    for (size_t k = 0; k < n_contacts && model->n_articulations; k++) {
        dls_span spans[2];
        size_t s =
            dls_model_has_bodies_at(model, contacts->at[k].body) ? 0 : contact_spans(model, &contacts->at[k], spans);
        while (s-- > 0)
            need.coefs += dls_contact_count(&contacts->at[k]) * spans[s].length;
    }
    return need;
}

/* Whether the coefficients that were written since *from are finite. Not called for each owner, because numbers that
 * have just been written one by one are slow to read back as vectors. */
static bool written_finite(const dls_row_list *list, size_t *from, size_t to)
{
    const size_t first = *from;
    *from = to;
    return numbers_finite(list->J.coef + first, to - first);
}

/* Writes the rows of all owners into the arrays of the list. */
static void put_all_rows(dls_row_list *list, const dls_configuration *c, const dls_contacts *contacts, double h)
{
    const dls_model *model = c->model;
    const size_t n_contacts = contacts ? contacts->count : 0;
    const double gravity = dls_norm(model->world.gravity);
    cursor at = {0, 0, 0};
    size_t checked = 0;
    list->finite = true;
    for (size_t k = 0; k < model->n_joints + n_contacts; k++) {
        if (k < model->n_joints)
            put_joint(list, &at, c, k, h);
        else
            put_contact(list, &at, c, &contacts->at[k - model->n_joints], k, gravity, h);
        if (at.coef - checked > CHECK_EVERY)
            list->finite = written_finite(list, &checked, at.coef) && list->finite;
    }
    list->finite = written_finite(list, &checked, at.coef) && list->finite;
    list->n = list->J.n = at.row;
    list->J.n_blocks = at.block;
}

dls_status dls_row_list_fill(dls_row_list *list, const dls_configuration *c, const dls_contacts *contacts, double h,
                             dls_error *error)
{
    const dls_model *model = c->model;
    store *memory = list->memory;
    const sizes need = sizes_of_rows(model, contacts);
    dls_arena_reset_for(&memory->arena, bytes_of_rows(&need) + 4 * model->nv * sizeof(double) +
                                            model->n_blocks * sizeof(dls_mass_block));
    memory->dense = DLS_TAKE(&memory->arena, double, model->nv);
    memory->rounding = DLS_TAKE(&memory->arena, double, model->nv);
    memory->B = DLS_TAKE(&memory->arena, double, model->nv);
    memory->scratch = DLS_TAKE(&memory->arena, double, model->nv);
    memory->mass.blocks = DLS_TAKE(&memory->arena, dls_mass_block, model->n_blocks);
    DLS_TRY(take_arrays(list, model->nv, &need, error));
    dls_mass_at(c, &memory->mass);
    put_all_rows(list, c, contacts, h);
    if (model->n_prescribed == 0)
        return DLS_OK;
    memory->prescribed = DLS_TAKE(&memory->arena, double, list->n);
    if (!memory->prescribed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the motion of %zu rows", list->n);
    put_carried_velocities(list, c, contacts, h);
    return DLS_OK;
}

void dls_row_list_renew_all(dls_row_list *list, const dls_configuration *c, const dls_contacts *contacts, double h)
{
    store *memory = list->memory;
    if (c->bodies_factored && c->links_factored)
        dls_mass_at(c, &memory->mass);
    put_all_rows(list, c, contacts, h);
    if (memory->prescribed)
        put_carried_velocities(list, c, contacts, h);
}

void dls_row_list_refresh(dls_row_list *list, const dls_configuration *c, const dls_contacts *contacts, double h)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    const size_t n_joints = c->model->n_joints, owners = n_joints + (contacts ? contacts->count : 0);
    dls_list_row *to = list->row;
    for (size_t owner = 0; owner < owners; owner++) {
        size_t count = owner < n_joints ? dls_rows_of_joint(c, &c->model->joints[owner], h, rows)
                                        : dls_rows_of_contact(c, &contacts->at[owner - n_joints], h, rows);
        for (size_t r = 0; r < count; r++, to++) {
            to->C = rows[r].C, to->u = rows[r].u;
            to->erp = rows[r].erp, to->cfm = rows[r].cfm;
            to->gap = rows[r].gap;
            if (owner < n_joints && rows[r].measured) {
                const double hi = to->hi;
                put_rebound(list, (size_t)(to - list->row), c, &c->model->joints[owner], &rows[r]);
                to->hi = hi;
            }
        }
    }
}

void dls_row_list_renew(dls_row_list *list, const dls_configuration *c, const dls_contact *contact, size_t first,
                        double h)
{
    size_t owner = list->row[first].owner;
    cursor at = {first, list->J.start[first], list->J.coef_at[list->J.start[first]]};
    if (contact)
        put_contact(list, &at, c, contact, owner, dls_norm(c->model->world.gravity), h);
    else
        put_joint(list, &at, c, owner, h);
    size_t checked = list->J.coef_at[list->J.start[first]];
    list->finite = written_finite(list, &checked, at.coef) && list->finite;
}

double dls_row_list_response(const dls_row_list *list, size_t i, double *B, double *scratch)
{
    return dls_rows_response(&list->J, &((const store *)list->memory)->mass, i, B, scratch);
}

dls_status dls_row_list_filter(dls_row_list *to, const dls_row_list *from, const bool *keep, dls_error *error)
{
    const dls_rows *J = &from->J;
    store *memory = to->memory;
    sizes need = {0, 0, 0, 0};
    for (size_t i = 0; i < from->n; i++)
        if (keep[i]) {
            need.n++;
            need.springs = from->row[i].spring ? need.n : need.springs;
            need.blocks += J->start[i + 1] - J->start[i];
            need.coefs += J->coef_at[J->start[i + 1]] - J->coef_at[J->start[i]];
        }
    dls_arena_reset_for(&memory->arena, bytes_of_rows(&need));
    DLS_TRY(take_arrays(to, J->n_columns, &need, error));
    const double *prescribed = dls_row_list_prescribed(from);
    memory->prescribed = prescribed ? DLS_TAKE(&memory->arena, double, need.n) : NULL;
    if (prescribed && !memory->prescribed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the motion of %zu rows", need.n);
    cursor at = {0, 0, 0};
    for (size_t i = 0; i < from->n; i++) {
        if (!keep[i])
            continue;
        if (prescribed)
            memory->prescribed[at.row] = prescribed[i];
        dls_list_row *row = &to->row[at.row];
        *row = from->row[i];
        row->after = 0, row->mu = 0.0, row->law = DLS_LAW_FIXED;
        if (row->spring) {
            memory->springs[at.row] = *row->spring;
            row->spring = &memory->springs[at.row];
        }
        for (size_t k = J->start[i]; k < J->start[i + 1]; k++) {
            size_t length = J->coef_at[k + 1] - J->coef_at[k];
            memcpy(add_block(&to->J, &at, J->offset[k], length, J->mass[k]), J->coef + J->coef_at[k],
                   length * sizeof *J->coef);
        }
        end_row(&to->J, &at);
    }
    to->n = to->J.n = need.n;
    to->J.n_blocks = need.blocks;
    to->finite = from->finite;
    return DLS_OK;
}
