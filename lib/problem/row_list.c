/* From a configuration to the rows of all joints and contacts: count, take memory, fill, and insist that the counts
 * agree. */
#include "delassus/rows.h"

#include "base/memory.h"
#include "model/model.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- memory --- */

/* Behind list->memory. Rows on links and coordinates are added up in `dense`, over all columns. */
typedef struct store {
    dls_arena arena;
    dls_mass mass;            /* at the list's configuration */
    double *dense, *rounding; /* nv */
    double *B, *scratch;      /* nv */
} store;

typedef struct sizes {
    size_t n, blocks, coefs;
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

/* The arrays of a list, not yet filled. */
static dls_status take(dls_row_list *list, size_t nv, const sizes *need, dls_error *error)
{
    dls_arena *arena = &((store *)list->memory)->arena;
    list->n = list->J.n = need->n;
    list->J.n_columns = nv;
    list->J.n_blocks = need->blocks;
    list->row = DLS_TAKE(arena, dls_list_row, need->n);
    list->J.start = DLS_TAKE(arena, size_t, need->n + 1);
    list->J.offset = DLS_TAKE(arena, size_t, need->blocks);
    list->J.coef_at = DLS_TAKE(arena, size_t, need->blocks + 1);
    list->J.mass = DLS_TAKE(arena, uint32_t, need->blocks);
    list->J.coef = DLS_TAKE(arena, double, need->coefs);
    if (!arena->failed) {
        list->J.start[0] = list->J.coef_at[0] = 0;
        return DLS_OK;
    }
    list->n = list->J.n = 0;
    return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows of %zu coefficients", need->n, need->coefs);
}

dls_status dls_row_list_blank(dls_row_list *list, size_t n, dls_error *error)
{
    dls_arena *arena = &((store *)list->memory)->arena;
    dls_arena_reset(arena);
    list->row = DLS_TAKE_ZEROS(arena, dls_list_row, n);
    list->n = list->row ? n : 0;
    for (size_t i = 0; i < list->n; i++) {
        list->row[i].parent = list->row[i].owner = DLS_NONE;
        list->row[i].label = "";
    }
    return list->row ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", n);
}

/* --- one owner's rows --- */

size_t dls_rows_of_joint(const dls_configuration *c, const dls_joint *joint, double h, dls_row *rows)
{
    dls_end ends[2];
    dls_configuration_ends(c, joint, ends);
    joint->type->rows(joint, ends, h, rows);
    return joint->type->count(joint);
}

size_t dls_rows_of_contact(const dls_configuration *c, const dls_contact *contact, double h, dls_row *rows)
{
    const dls_end ends[2] = {dls_configuration_end(c, contact->body[0]), dls_configuration_end(c, contact->body[1])};
    dls_contact_rows(contact, ends, dls_norm(c->model->world.gravity), h, rows);
    return dls_contact_count(contact);
}

/* Where a point of a body has gone. */
static dls_vec3 follow(const dls_state *start, const dls_configuration *now, size_t body, dls_vec3 point)
{
    if (!dls_model_moves(now->model, body))
        return point;
    const dls_end *to = &now->bodies[body];
    dls_mat3 R = dls_quat_matrix(start->q[body]);
    return dls_add(to->x, dls_mul3(to->R, dls_tmul3(R, dls_sub(point, start->x[body]))));
}

/* C_n = C_0 + n . (displacement of point 1 - displacement of point 2). */
dls_contact dls_contact_follow(const dls_state *start, const dls_configuration *now, const dls_contact *contact)
{
    dls_contact moved = *contact;
    for (int i = 0; i < 2; i++) {
        moved.point[i] = follow(start, now, contact->body[i], contact->point[i]);
        double way = dls_dot(contact->normal, dls_sub(moved.point[i], contact->point[i]));
        moved.gap += i == 0 ? way : -way;
    }
    return moved;
}

/* --- Jacobians in columns --- */

/* The row that is written next, its first block and coefficient. */
typedef struct cursor {
    size_t row, block, coef;
} cursor;

static void put_block(dls_rows *J, cursor *at, const dls_body *body, const double *coef)
{
    J->offset[at->block] = body->offset;
    J->mass[at->block] = (uint32_t)body->block;
    J->coef_at[at->block++] = at->coef;
    memcpy(J->coef + at->coef, coef, 6 * sizeof *coef);
    at->coef += 6;
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

/* Rows on two bodies: a block of six for each that moves, in the order of their columns. */
static void put_plain(dls_rows *J, cursor *at, const dls_row *rows, size_t count, const dls_model *model,
                      const size_t ends[2])
{
    const dls_body *body[2] = {moving_body(model, ends[0]), moving_body(model, ends[1])};
    const bool swapped = body[0] && body[1] && body[1]->offset < body[0]->offset;
    for (size_t r = 0; r < count; r++) {
        const double *coef[2] = {rows[r].J1, rows[r].J2};
        for (int i = 0; i < 2; i++)
            if (body[i ^ swapped])
                put_block(J, at, body[i ^ swapped], coef[i ^ swapped]);
        end_row(J, at);
    }
}

/* Entries of a row on links are sums, S_k . J6 over six terms and two ends. Where the terms cancel, as those of a
 * planar loop do across its plane, what is left has no digit of its own, and a row of such entries would look like one
 * that something can move. So `dense` goes with `rounding`, and an entry below that bound is 0: (gamma) |S_k| |J6| with
 * the errors of products and of the positions behind S_k, a rotation for each link on the way from the root (N. Higham,
 * Accuracy and Stability of Numerical Algorithms, 2002, section 3.1). */
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
    const dls_member *member = dls_model_member(c->model, end, &link);
    if (!member) {
        const dls_body *body = moving_body(c->model, end);
        for (size_t k = 0; body && k < 6; k++)
            to->dense[body->offset + k] += s * J6[k];
        return;
    }
    const dls_articulation *tree = member->tree;
    const dls_articulation_work *work = c->works[member - c->model->members];
    const dls_spatial J = {dls_v3(J6[0], J6[1], J6[2]), dls_v3(J6[3], J6[4], J6[5])};
    const double gamma = fabs(s) * gamma_of(tree, link);
    const double linear = gamma * dls_norm(J.lin), angular = gamma * dls_norm(J.ang);
    const double far = dls_norm(work->links[link].c);
    for (size_t k = dls_articulation_last_dof(tree, link); k != DLS_NONE; k = tree->dof_before[k]) {
        dls_vec3 r = dls_sub(work->links[link].c, work->links[tree->dof_link[k]].c);
        to->dense[member->offset + k] += s * dls_spatial_dot(J, dls_motion_at(work->S[k], r));
        double turns = dls_norm(work->S[k].ang), reach = far + dls_norm(work->links[tree->dof_link[k]].c);
        to->rounding[member->offset + k] += linear * (dls_norm(work->S[k].lin) + turns * reach) + angular * turns;
    }
}

static void add_ends(const dls_configuration *c, const dls_joint *joint, double s, const dls_row *row, const store *to)
{
    add_end(c, joint->body[0], s, row->J1, to);
    add_end(c, joint->body[1], s, row->J2, to);
}

/* A coordinate's gear times dC/dy, in its column; what a joint between bodies measures has a row of its own. */
static void add_term(const dls_configuration *c, const dls_term *term, double s, const store *to)
{
    if (term->dof != DLS_NONE) {
        to->dense[term->dof] += s * term->gear;
        return;
    }
    const dls_joint *joint = &c->model->joints[term->joint];
    dls_end end[2];
    dls_row row = {0};
    dls_configuration_ends(c, joint, end);
    joint->type->coordinate(joint, end, &row);
    add_ends(c, joint, s * term->gear, &row, to);
}

/* Rows on links or coordinates: the columns that the model has found for the joint. */
static void put_spanned(dls_rows *J, cursor *at, const dls_row *rows, size_t count, const dls_configuration *c,
                        const dls_joint *joint, const store *sum)
{
    const dls_span *spans = joint->spans, *spans_end = spans + joint->n_spans;
    for (size_t r = 0; r < count; r++) {
        for (const dls_span *span = spans; span < spans_end; span++) {
            memset(sum->dense + span->offset, 0, span->length * sizeof *sum->dense);
            memset(sum->rounding + span->offset, 0, span->length * sizeof *sum->rounding);
        }
        add_ends(c, joint, 1.0, &rows[r], sum);
        for (size_t t = 0; t < joint->n_terms; t++)
            add_term(c, &joint->terms[t], rows[r].Jy, sum);
        for (const dls_span *span = spans; span < spans_end; span++) {
            J->offset[at->block] = span->offset;
            J->mass[at->block] = (uint32_t)span->block;
            J->coef_at[at->block++] = at->coef;
            for (size_t k = span->offset; k < span->offset + span->length; k++)
                J->coef[at->coef++] = fabs(sum->dense[k]) > sum->rounding[k] ? sum->dense[k] : 0.0;
        }
        end_row(J, at);
    }
}

/* --- what a row says --- */

static dls_list_row list_row(const dls_row *row, size_t owner, size_t first, size_t slot)
{
    return (dls_list_row){.C = row->C,
                          .erp = row->erp,
                          .cfm = row->cfm,
                          .kp = row->kp,
                          .kd = row->kd,
                          .frequency = row->frequency,
                          .ratio = row->ratio,
                          .u = row->u,
                          .lo = row->lo,
                          .hi = row->hi,
                          .mu = row->law == DLS_LAW_FIXED ? 0.0 : row->mu,
                          .parent = row->law == DLS_LAW_FIXED ? DLS_NONE : first + (size_t)row->parent,
                          .owner = owner,
                          .label = row->label,
                          .slot = (unsigned char)slot,
                          .law = (unsigned char)row->law,
                          .role = (unsigned char)row->role,
                          .gap = row->gap,
                          .angular = row->angular};
}

/* The rows of one owner from at->row on. `joint` is NULL for a contact. */
static void put_owner(dls_row_list *list, cursor *at, const dls_configuration *c, const dls_joint *joint,
                      const dls_contact *contact, size_t owner, double h)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    store *own = list->memory;
    size_t first = at->row;
    size_t count = joint ? dls_rows_of_joint(c, joint, h, rows) : dls_rows_of_contact(c, contact, h, rows);
    if (joint && joint->spans)
        put_spanned(&list->J, at, rows, count, c, joint, own);
    else
        put_plain(&list->J, at, rows, count, c->model, joint ? joint->body : contact->body);
    for (size_t r = 0; r < count; r++) {
        list->row[first + r] = list_row(&rows[r], owner, first, r);
        if (rows[r].frequency > 0.0)
            list->row[first + r].mobility = dls_rows_response(&list->J, &own->mass, first + r, own->B, own->scratch);
    }
}

/* --- all rows --- */

static size_t blocks_of(const dls_model *model, const size_t body[2])
{
    return (size_t)(moving_body(model, body[0]) != NULL) + (size_t)(moving_body(model, body[1]) != NULL);
}

static sizes measure(const dls_model *model, const dls_contacts *contacts)
{
    sizes need = {0, 0, 0};
    for (const dls_joint *joint = model->joints; joint < model->joints + model->n_joints; joint++) {
        size_t rows = joint->type->count(joint), blocks = joint->spans ? 0 : rows * blocks_of(model, joint->body);
        need.n += rows;
        need.blocks += blocks + rows * joint->n_spans;
        need.coefs += 6 * blocks;
        for (size_t k = 0; k < joint->n_spans; k++)
            need.coefs += rows * joint->spans[k].length;
    }
    for (size_t k = 0; contacts && k < contacts->count; k++) {
        size_t rows = dls_contact_count(&contacts->at[k]), blocks = rows * blocks_of(model, contacts->at[k].body);
        need.n += rows;
        need.blocks += blocks;
        need.coefs += 6 * blocks;
    }
    return need;
}

dls_status dls_row_list_fill(dls_row_list *list, const dls_configuration *c, const dls_contacts *contacts, double h,
                             dls_error *error)
{
    const dls_model *model = c->model;
    store *own = list->memory;
    const sizes need = measure(model, contacts);
    dls_arena_reset(&own->arena);
    own->dense = DLS_TAKE(&own->arena, double, model->nv);
    own->rounding = DLS_TAKE(&own->arena, double, model->nv);
    own->B = DLS_TAKE(&own->arena, double, model->nv);
    own->scratch = DLS_TAKE(&own->arena, double, model->nv);
    own->mass.blocks = DLS_TAKE(&own->arena, dls_mass_block, model->n_blocks);
    DLS_TRY(take(list, model->nv, &need, error));
    dls_mass_at(c, &own->mass);
    cursor at = {0, 0, 0};
    for (size_t j = 0; j < model->n_joints; j++)
        put_owner(list, &at, c, &model->joints[j], NULL, j, h);
    for (size_t k = 0; contacts && k < contacts->count; k++)
        put_owner(list, &at, c, NULL, &contacts->at[k], model->n_joints + k, h);
    if (at.row != need.n || at.block != need.blocks || at.coef != need.coefs)
        return dls_fail(error, DLS_BAD_ARGUMENT, "a joint type wrote another number of rows than it counts");
    return DLS_OK;
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
            to->kp = rows[r].kp, to->kd = rows[r].kd, to->frequency = rows[r].frequency, to->ratio = rows[r].ratio;
            to->gap = rows[r].gap;
        }
    }
}

void dls_row_list_renew(dls_row_list *list, const dls_configuration *c, const dls_contact *contact, size_t first,
                        double h)
{
    size_t owner = list->row[first].owner;
    cursor at = {first, list->J.start[first], list->J.coef_at[list->J.start[first]]};
    put_owner(list, &at, c, contact ? NULL : &c->model->joints[owner], contact, owner, h);
}

double dls_row_list_response(const dls_row_list *list, size_t i, double *B, double *scratch)
{
    return dls_rows_response(&list->J, &((const store *)list->memory)->mass, i, B, scratch);
}

dls_status dls_row_list_filter(dls_row_list *to, const dls_row_list *from, const bool *keep, dls_error *error)
{
    const dls_rows *J = &from->J;
    sizes need = {0, 0, 0};
    for (size_t i = 0; i < from->n; i++)
        if (keep[i]) {
            need.n++;
            need.blocks += J->start[i + 1] - J->start[i];
            need.coefs += J->coef_at[J->start[i + 1]] - J->coef_at[J->start[i]];
        }
    dls_arena_reset(&((store *)to->memory)->arena);
    DLS_TRY(take(to, J->n_columns, &need, error));
    cursor at = {0, 0, 0};
    for (size_t i = 0; i < from->n; i++) {
        if (!keep[i])
            continue;
        to->row[at.row] = from->row[i];
        to->row[at.row].parent = DLS_NONE, to->row[at.row].mu = 0.0, to->row[at.row].law = DLS_LAW_FIXED;
        for (size_t k = J->start[i]; k < J->start[i + 1]; k++) {
            size_t length = J->coef_at[k + 1] - J->coef_at[k];
            to->J.offset[at.block] = J->offset[k];
            to->J.mass[at.block] = J->mass[k];
            to->J.coef_at[at.block++] = at.coef;
            memcpy(to->J.coef + at.coef, J->coef + J->coef_at[k], length * sizeof *J->coef);
            at.coef += length;
        }
        end_row(&to->J, &at);
    }
    return DLS_OK;
}
