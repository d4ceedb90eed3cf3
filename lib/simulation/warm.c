/* Warm starts: each solve begins with the impulses of the last step. temporal-coherence, Contact Caching.
 *
 * The rows of joints are the same in every step and keep their own impulses, also while a joint has no rows. Contacts
 * are detected again in every step; a contact is the same as an earlier one if it connects the same bodies at nearly
 * the same place. A corner stays at its place on its own body while the other body slides, so the place is compared in
 * the frames of both bodies and the smaller distance counts:
 *     distance = min over both bodies of |R^T (p - x) now - the same before|
 * Contacts of a pair come and go as faces slide off each other, so the place decides: among all contacts of a pair,
 * the new and the old one with the least distance are matched first, then the nearest of the remaining ones, and so on
 * within the limit. All lists are sorted by pair and traversed once, in parallel. Contacts come by pair of shapes, of
 * which a link may have several: those of two links need not be adjacent, and their number is not limited.
 *
 * Friction impulses are kept as vectors in the world frame, since the tangents rotate with the normal. All impulses are
 * multiplied by h over the previous h, since forces persist, not impulses. A contact that is lost for a step or two (a
 * rattling box) may return: it is kept, with its age in steps.
 */
#include "warm.h"

#include "base/memory.h"
#include "model/model.h"
#include "parts.h"

#include <stdlib.h>
#include <string.h>

static const dls_field fields[] = {
    {"start", "", DLS_FIELD_BOOL, offsetof(dls_warm, on), "true", 0, 0, false, NULL,
     "each solve begins with the impulses of the previous step"},
    {"distance", "m", DLS_FIELD_REAL, offsetof(dls_warm, distance), "0.02", 0, HUGE_VAL, false, NULL,
     "a contact that has moved farther than this on both bodies is a new contact"},
    {"age", "", DLS_FIELD_COUNT, offsetof(dls_warm, age), "2", 0, 1e6, false, NULL,
     "number of steps after which a contact that was not detected again is forgotten"},
};
const dls_field_table dls_warm_fields = DLS_FIELD_TABLE(fields, dls_warm);

/* A contact as it was in the last step in which it was detected. */
typedef struct memory {
    size_t body[2];
    dls_vec3 place[2]; /* in the frames of the bodies */
    double normal;
    dls_vec3 friction;   /* world frame */
    dls_vec3 moment;     /* of rolling and torsional friction, likewise */
    size_t contact, row; /* of a contact of this step: its number, and its first row */
    size_t age;          /* steps since it was detected */
    bool used;           /* matched with a contact of this step */
} memory;

typedef struct memories {
    size_t count, capacity;
    memory *at;
} memories;

/* The earlier contact that is nearest to a new one. */
typedef struct match {
    memory *then; /* NULL: none within the limit */
    double distance;
    bool lost;
} match;

struct dls_warm_store {
    size_t n_joint_rows;     /* of the last step */
    size_t n_all_joint_rows; /* of the model, once there is room for them */
    double *joint;   /* impulses of the rows of all joints of the model, also of those that have no rows at present */
    memories latest; /* the contacts of the last step, by pair */
    memories lost;   /* older ones, by pair */
    memories fresh, missed; /* latest and lost of the step that begins */
    match *near;            /* of the contacts of a pair */
    size_t near_capacity;
    double h;   /* of the last step; 0: there was none */
    bool begun; /* a step has begun, whose impulses are not remembered yet */
};

void dls_warm_release(struct dls_warm_store *store)
{
    if (!store)
        return;
    free(store->joint);
    free(store->latest.at);
    free(store->lost.at);
    free(store->fresh.at);
    free(store->missed.at);
    free(store->near);
    free(store);
}

size_t dls_warm_size(const struct dls_warm_store *store)
{
    if (!store)
        return 0;
    const size_t kept = store->latest.capacity + store->lost.capacity + store->fresh.capacity + store->missed.capacity;
    return sizeof *store + store->n_all_joint_rows * sizeof *store->joint + kept * sizeof(memory) +
           store->near_capacity * sizeof *store->near;
}

static dls_status no_room(size_t count, dls_error *error)
{
    return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses to start from", count);
}

/* Twice as many as needed, so that a settled run allocates nothing while the lists exchange their arrays. */
static dls_status make_room_for(memories *list, size_t count, dls_error *error)
{
    if (count <= list->capacity && list->at)
        return DLS_OK;
    return DLS_GROW(list->at, list->capacity, 2 * count + 8) ? DLS_OK : no_room(count, error);
}

static size_t contact_rows(const dls_contacts *contacts)
{
    size_t rows = 0;
    for (size_t k = 0; k < contacts->count; k++)
        rows += dls_contact_count(&contacts->at[k]);
    return rows;
}

/* --- before a step: the impulses of the last one --- */

static bool all_finite(const double *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(a[i]))
            return false;
    return true;
}

static void forget_impulses(struct dls_warm_store *store)
{
    memset(store->joint, 0, store->n_all_joint_rows * sizeof *store->joint);
    store->n_joint_rows = 0;
    store->latest.count = store->lost.count = 0;
    store->h = 0.0;
}

/* Copies impulses of the rows of joints into the store, or from there. Rows in the list ascend by owner and slot. */
static void exchange_joint_impulses(dls_simulation *s, size_t n_rows, bool store)
{
    const dls_joint *joints = s->model->joints;
    for (size_t i = 0, j = 0, first = 0; i < n_rows; i++) {
        const dls_list_row *row = &s->rows->row[i];
        while (j < row->owner)
            first += joints[j++].n_rows;
        double *kept = &s->warm_store->joint[first + row->slot];
        if (store)
            *kept = s->lambda[i];
        else
            s->lambda[i] = *kept;
    }
}

static void remember_contact(const dls_contact *contact, const double *lambda, memory *m)
{
    dls_vec3 u[2];
    size_t row = 1;
    m->normal = lambda[0];
    m->friction = m->moment = dls_v3(0, 0, 0);
    if (dls_contact_count(contact) == 1)
        return;
    dls_contact_frame(contact, u);
    for (size_t k = 0; k < dls_contact_tangents(contact); k++)
        m->friction = dls_add(m->friction, dls_scale(lambda[row++], u[k]));
    for (size_t k = 0; k < 2 && contact->rolling > 0.0; k++)
        m->moment = dls_add(m->moment, dls_scale(lambda[row++], u[k]));
    if (contact->torsion > 0.0)
        m->moment = dls_add(m->moment, dls_scale(lambda[row], contact->normal));
}

/* A step that failed before it had a problem has left contacts without impulses: it is ignored. One that diverged
 * leaves nothing to start from. */
void dls_warm_remember(dls_simulation *s)
{
    struct dls_warm_store *store = s->warm_store;
    if (!store || !store->begun)
        return;
    store->begun = false;
    if (!all_finite(s->lambda, s->problem->n)) {
        forget_impulses(store);
        return;
    }
    exchange_joint_impulses(s, store->n_joint_rows, true);
    for (memory *m = store->latest.at; m < store->latest.at + store->latest.count; m++)
        remember_contact(&s->contacts.at[m->contact], s->lambda + m->row, m);
}

/* --- the start of a step --- */

static void new_memory(const dls_simulation *s, size_t k, size_t row, memory *m)
{
    const dls_contact *contact = &s->contacts.at[k];
    m->contact = k;
    m->row = row;
    m->normal = 0.0;
    m->friction = m->moment = dls_v3(0, 0, 0);
    m->age = 0;
    m->used = false;
    for (int i = 0; i < 2; i++) {
        const dls_end end = dls_configuration_end(s->now, contact->body[i]);
        m->body[i] = contact->body[i];
        m->place[i] = dls_tmul3(end.R, dls_sub(contact->point[i], end.x));
    }
}

static int compare_pairs(const memory *a, const memory *b)
{
    if (a->body[0] != b->body[0])
        return a->body[0] < b->body[0] ? -1 : 1;
    return a->body[1] < b->body[1] ? -1 : a->body[1] > b->body[1];
}

static bool precedes_in_list(const memory *a, const memory *b)
{
    const int order = compare_pairs(a, b);
    return order < 0 || (order == 0 && a->contact < b->contact);
}

static void exchange_memories(memory *a, memory *b)
{
    const memory c = *a;
    *a = *b, *b = c;
}

/* The heap below `root`, whose parts are heaps with the last in the list on top. */
static void sift_memories(memory *at, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        child += child + 1 < count && precedes_in_list(&at[child], &at[child + 1]);
        if (!precedes_in_list(&at[root], &at[child]))
            return;
        exchange_memories(&at[root], &at[child]);
    }
}

/* Sorts by pair, and within a pair by contact; usually the list is sorted already. By a heap, since qsort may allocate
 * memory. */
static void sort_memories(memories *list)
{
    bool sorted = true;
    for (size_t k = 1; k < list->count; k++)
        sorted = sorted && compare_pairs(&list->at[k - 1], &list->at[k]) <= 0;
    for (size_t root = sorted ? 0 : list->count / 2; root-- > 0;)
        sift_memories(list->at, root, list->count);
    for (size_t count = sorted ? 0 : list->count; count-- > 1;) {
        exchange_memories(&list->at[0], &list->at[count]);
        sift_memories(list->at, 0, count);
    }
}

static double square(dls_vec3 a) { return dls_dot(a, a); }

static double distance_between(const memory *a, const memory *b)
{
    const double one = square(dls_sub(a->place[0], b->place[0])), other = square(dls_sub(a->place[1], b->place[1]));
    return sqrt(one < other ? one : other);
}

/* Contacts of one pair in a list: from `at` on; `at` + count is where the next pair begins. */
typedef struct group {
    memory *at;
    size_t count;
} group;

static group group_at(const memories *list, size_t from, const memory *pair)
{
    group g = {list->at + from, 0};
    while (from + g.count < list->count && compare_pairs(&g.at[g.count], pair) == 0)
        g.count++;
    return g;
}

static void look_for_nearest(const memory *now, group old, bool lost, match *best)
{
    for (size_t k = 0; k < old.count; k++) {
        const double d = old.at[k].used ? NAN : distance_between(now, &old.at[k]);
        if (d <= best->distance && (!best->then || d < best->distance))
            *best = (match){&old.at[k], d, lost};
    }
}

static match nearest_match(const memory *now, group latest, group lost, double limit)
{
    match best = {NULL, limit, false};
    look_for_nearest(now, latest, false, &best);
    look_for_nearest(now, lost, true, &best);
    return best;
}

/* The nearer match is taken first, and at equal distances one with a contact of the last step. */
static bool match_precedes(match a, match b)
{
    return a.then && (!b.then || a.distance < b.distance || (a.distance == b.distance && !a.lost && b.lost));
}

static void match_pair(group now, group latest, group lost, double limit, match *near)
{
    for (size_t i = 0; i < now.count; i++)
        near[i] = nearest_match(&now.at[i], latest, lost, limit);
    for (size_t found = 0; found < now.count; found++) {
        size_t best = 0;
        for (size_t i = 1; i < now.count; i++)
            best = match_precedes(near[i], near[best]) ? i : best;
        memory *then = near[best].then;
        if (!then)
            return;
        now.at[best].normal = then->normal;
        now.at[best].friction = then->friction;
        now.at[best].moment = then->moment;
        now.at[best].used = then->used = true;
        for (size_t i = 0; i < now.count; i++)
            if (near[i].then == then)
                near[i] = now.at[i].used ? (match){NULL, limit, false} : nearest_match(&now.at[i], latest, lost, limit);
    }
}

/* Keep contacts that were not detected again, one step older. Between ends at rest none are looked for: these do not
 * grow older. */
static void keep_missed(struct dls_warm_store *store, const dls_configuration *now, group old, size_t age)
{
    const bool still = now->n_asleep && old.count && dls_configuration_still(now, old.at->body[0]) &&
                       dls_configuration_still(now, old.at->body[1]);
    for (size_t k = 0; k < old.count; k++) {
        if (old.at[k].used || (old.at[k].age >= age && !still))
            continue;
        memory *m = &store->missed.at[store->missed.count++];
        *m = old.at[k];
        m->age += !still;
    }
}

static const memory *first_pair(const memory *pair, const memories *list, size_t at)
{
    const memory *m = at < list->count ? &list->at[at] : NULL;
    return !pair || (m && compare_pairs(m, pair) < 0) ? m : pair;
}

/* Match the contacts of each pair; all three lists are sorted by pair. */
static void match_all(struct dls_warm_store *store, const dls_configuration *at, const dls_warm *settings)
{
    size_t now = 0, latest = 0, lost = 0;
    const memory *pair;
    store->missed.count = 0;
    while ((pair = first_pair(first_pair(first_pair(NULL, &store->fresh, now), &store->latest, latest), &store->lost,
                              lost))) {
        group a = group_at(&store->fresh, now, pair), b = group_at(&store->latest, latest, pair),
              c = group_at(&store->lost, lost, pair);
        match_pair(a, b, c, settings->distance, store->near);
        keep_missed(store, at, b, settings->age);
        keep_missed(store, at, c, settings->age);
        now += a.count, latest += b.count, lost += c.count;
    }
}

/* Impulses for a step of another length. */
static void scale_impulses(memories *list, double scale)
{
    for (size_t k = 0; k < list->count; k++) {
        list->at[k].used = false;
        list->at[k].normal *= scale;
        list->at[k].friction = dls_scale(scale, list->at[k].friction);
        list->at[k].moment = dls_scale(scale, list->at[k].moment);
    }
}

static void start_contact(const dls_contact *contact, const memory *m, double *lambda)
{
    dls_vec3 u[2];
    size_t row = 1;
    lambda[0] = m->normal;
    if (dls_contact_count(contact) == 1)
        return;
    dls_contact_frame(contact, u);
    for (size_t k = 0; k < dls_contact_tangents(contact); k++)
        lambda[row++] = dls_dot(m->friction, u[k]);
    for (size_t k = 0; k < 2 && contact->rolling > 0.0; k++)
        lambda[row++] = dls_dot(m->moment, u[k]);
    if (contact->torsion > 0.0)
        lambda[row] = dls_dot(m->moment, contact->normal);
}

static void swap_memories(memories *a, memories *b)
{
    memories c = *a;
    *a = *b, *b = c;
}

static dls_status make_room_for_step(dls_simulation *s, dls_error *error)
{
    struct dls_warm_store *store = s->warm_store;
    const size_t joint_rows = s->model->rows.n;
    if (!store->joint && !(store->joint = calloc(joint_rows + 1, sizeof *store->joint)))
        return no_room(joint_rows, error);
    store->n_all_joint_rows = joint_rows;
    DLS_TRY(make_room_for(&store->latest, store->latest.count, error));
    DLS_TRY(make_room_for(&store->lost, store->lost.count, error));
    DLS_TRY(make_room_for(&store->fresh, s->contacts.count, error));
    if (!DLS_GROW(store->near, store->near_capacity, s->contacts.count + 1))
        return no_room(s->contacts.count, error);
    return make_room_for(&store->missed, store->latest.count + store->lost.count, error);
}

dls_status dls_warm_begin(dls_simulation *s, double h, dls_error *error)
{
    if (!s->warm.on)
        return DLS_OK;
    if (!s->warm_store)
        s->warm_store = calloc(1, sizeof *s->warm_store);
    struct dls_warm_store *store = s->warm_store;
    if (!store)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for warm starts");
    size_t row = s->problem->n - contact_rows(&s->contacts);
    DLS_TRY(make_room_for_step(s, error));
    double scale = store->h > 0.0 ? h / store->h : 0.0;
    for (size_t k = 0; k < store->n_all_joint_rows; k++)
        store->joint[k] *= scale;
    exchange_joint_impulses(s, row, false);
    store->n_joint_rows = row;
    store->fresh.count = s->contacts.count;
    for (size_t k = 0; k < s->contacts.count; k++) {
        new_memory(s, k, row, &store->fresh.at[k]);
        row += dls_contact_count(&s->contacts.at[k]);
    }
    sort_memories(&store->fresh);
    match_all(store, s->now, &s->warm);
    swap_memories(&store->fresh, &store->latest);
    swap_memories(&store->missed, &store->lost);
    scale_impulses(&store->latest, scale);
    scale_impulses(&store->lost, scale);
    for (const memory *m = store->latest.at; m < store->latest.at + store->latest.count; m++)
        start_contact(&s->contacts.at[m->contact], m, s->lambda + m->row);
    store->h = h;
    store->begun = true;
    return DLS_OK;
}

/* --- a changed model --- */

/* The same contact with the other end first, on which friction is opposite. */
static memory with_ends_exchanged(memory m)
{
    const memory from = m;
    for (int i = 0; i < 2; i++)
        m.body[i] = from.body[1 - i], m.place[i] = from.place[1 - i];
    m.friction = dls_scale(-1.0, from.friction);
    m.moment = dls_scale(-1.0, from.moment);
    return m;
}

/* Whether the ends that both models have follow one another as before. */
static bool ends_keep_order(const dls_model *model, const dls_model *changed)
{
    size_t last = 0;
    for (size_t end = 0; end < model->n_ends; end++) {
        const size_t now = dls_change_end(model, end, changed);
        if (now != DLS_NONE && now < last)
            return false;
        last = now != DLS_NONE ? now : last;
    }
    return true;
}

/* The contacts of a list whose two ends the changed model has too, in its numbers and in the order of its pairs. */
static dls_status carry_contacts(const dls_model *model, const memories *from, const dls_model *changed, memories *to,
                                 dls_error *error)
{
    const bool ordered = ends_keep_order(model, changed);
    DLS_TRY(make_room_for(to, from->count, error));
    for (size_t k = 0; k < from->count; k++) {
        memory m = from->at[k];
        for (int i = 0; i < 2; i++)
            m.body[i] = dls_change_end(model, m.body[i], changed);
        if (m.body[0] == DLS_NONE || m.body[1] == DLS_NONE)
            continue;
        m = m.body[0] > m.body[1] ? with_ends_exchanged(m) : m;
        size_t at = to->count++;
        for (; !ordered && at > 0 && compare_pairs(&to->at[at - 1], &m) > 0; at--)
            to->at[at] = to->at[at - 1];
        to->at[at] = m;
    }
    return DLS_OK;
}

static void carry_joints(const dls_simulation *from, dls_simulation *to)
{
    for (size_t j = 0, first = 0; j < from->model->n_joints; first += from->model->joints[j++].n_rows) {
        const size_t k = dls_change_joint(from->model, j, to->model);
        if (k == DLS_NONE || to->model->joints[k].n_rows != from->model->joints[j].n_rows)
            continue;
        size_t at = 0;
        for (size_t i = 0; i < k; i++)
            at += to->model->joints[i].n_rows;
        memcpy(to->warm_store->joint + at, from->warm_store->joint + first,
               from->model->joints[j].n_rows * sizeof(double));
    }
}

dls_status dls_warm_carry(dls_simulation *from, dls_simulation *to, dls_error *error)
{
    if (!from->warm.on || !from->warm_store)
        return DLS_OK;
    dls_warm_remember(from);
    to->warm_store = calloc(1, sizeof *to->warm_store);
    if (!to->warm_store)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for warm starts");
    DLS_TRY(make_room_for_step(to, error));
    to->warm_store->h = from->warm_store->h;
    carry_joints(from, to);
    DLS_TRY(carry_contacts(from->model, &from->warm_store->latest, to->model, &to->warm_store->latest, error));
    return carry_contacts(from->model, &from->warm_store->lost, to->model, &to->warm_store->lost, error);
}
