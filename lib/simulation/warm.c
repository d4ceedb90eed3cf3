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
    dls_vec3 friction; /* world frame */
    dls_vec3 moment;   /* of rolling and torsional friction, likewise */
    unsigned age;      /* steps since it was detected, at most 1e6 */
    bool used;         /* matched with a contact of this step */
} memory;

typedef struct memories {
    size_t count, capacity;
    memory *at;
} memories;

/* A contact of this step. */
typedef struct arrival {
    size_t contact, row; /* its number, and its first row */
    memory *then;        /* the earlier contact that it is; NULL: it is new */
} arrival;

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
    memories latest; /* the contacts of the last step, by pair; of no use while a step has begun */
    memories lost;   /* older ones, by pair */
    memories missed; /* lost of the step that begins */
    arrival *fresh;  /* the contacts of this step, by pair */
    match *near;     /* of the contacts of a pair */
    size_t n_fresh, fresh_capacity, near_capacity;
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
    free(store->missed.at);
    free(store->fresh);
    free(store->near);
    free(store);
}

size_t dls_warm_size(const struct dls_warm_store *store)
{
    if (!store)
        return 0;
    const size_t kept = store->latest.capacity + store->lost.capacity + store->missed.capacity;
    return sizeof *store + store->n_all_joint_rows * sizeof *store->joint + kept * sizeof(memory) +
           store->fresh_capacity * sizeof *store->fresh + store->near_capacity * sizeof *store->near;
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

static memory remembered(const dls_contact *contact, const double *lambda)
{
    memory m = {.body = {contact->body[0], contact->body[1]},
                .place = {contact->place[0], contact->place[1]},
                .normal = lambda[0]};
    dls_vec3 u[2];
    size_t row = 1;
    if (dls_contact_count(contact) == 1)
        return m;
    dls_contact_frame(contact, u);
    for (size_t k = 0; k < dls_contact_tangents(contact); k++)
        m.friction = dls_add(m.friction, dls_scale(lambda[row++], u[k]));
    for (size_t k = 0; k < 2 && contact->rolling > 0.0; k++)
        m.moment = dls_add(m.moment, dls_scale(lambda[row++], u[k]));
    if (contact->torsion > 0.0)
        m.moment = dls_add(m.moment, dls_scale(lambda[row], contact->normal));
    return m;
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
    store->latest.count = store->n_fresh;
    for (size_t k = 0; k < store->n_fresh; k++)
        store->latest.at[k] = remembered(&s->contacts.at[store->fresh[k].contact], s->lambda + store->fresh[k].row);
}

/* --- the start of a step --- */

static int compare_pairs(const size_t a[2], const size_t b[2])
{
    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    return a[1] < b[1] ? -1 : a[1] > b[1];
}

static bool precedes_in_list(const dls_contacts *contacts, const arrival *a, const arrival *b)
{
    const int order = compare_pairs(contacts->at[a->contact].body, contacts->at[b->contact].body);
    return order < 0 || (order == 0 && a->contact < b->contact);
}

static void exchange_arrivals(arrival *a, arrival *b)
{
    const arrival c = *a;
    *a = *b, *b = c;
}

/* The heap below `root`, whose parts are heaps with the last in the list on top. */
static void sift_arrivals(const dls_contacts *contacts, arrival *at, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        child += child + 1 < count && precedes_in_list(contacts, &at[child], &at[child + 1]);
        if (!precedes_in_list(contacts, &at[root], &at[child]))
            return;
        exchange_arrivals(&at[root], &at[child]);
    }
}

/* Sorts by pair, and within a pair by contact; usually the list is sorted already. By a heap, since qsort may allocate
 * memory. */
static void sort_arrivals(const dls_contacts *contacts, arrival *at, size_t count)
{
    bool sorted = true;
    for (size_t k = 1; k < count; k++)
        sorted = sorted && !precedes_in_list(contacts, &at[k], &at[k - 1]);
    for (size_t root = sorted ? 0 : count / 2; root-- > 0;)
        sift_arrivals(contacts, at, root, count);
    for (size_t end = sorted ? 0 : count; end-- > 1;) {
        exchange_arrivals(&at[0], &at[end]);
        sift_arrivals(contacts, at, 0, end);
    }
}

static double square(dls_vec3 a) { return dls_dot(a, a); }

static double distance_between(const dls_contact *now, const memory *then)
{
    const double one = square(dls_sub(now->place[0], then->place[0])),
                 other = square(dls_sub(now->place[1], then->place[1]));
    return sqrt(one < other ? one : other);
}

/* Earlier contacts of one pair in a list: from `at` on; `at` + count is where the next pair begins. */
typedef struct group {
    memory *at;
    size_t count;
} group;

static group group_at(const memories *list, size_t from, const size_t pair[2])
{
    group g = {list->at + from, 0};
    while (from + g.count < list->count && compare_pairs(g.at[g.count].body, pair) == 0)
        g.count++;
    return g;
}

static void look_for_nearest(const dls_contact *now, group old, bool lost, match *best)
{
    for (size_t k = 0; k < old.count; k++) {
        const double d = old.at[k].used ? NAN : distance_between(now, &old.at[k]);
        if (d <= best->distance && (!best->then || d < best->distance))
            *best = (match){&old.at[k], d, lost};
    }
}

static match nearest_match(const dls_contact *now, group latest, group lost, double limit)
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

static void match_pair(const dls_contact *contacts, arrival *now, size_t count, group latest, group lost, double limit,
                       match *near)
{
    for (size_t i = 0; i < count; i++)
        near[i] = nearest_match(&contacts[now[i].contact], latest, lost, limit);
    for (size_t found = 0; found < count; found++) {
        size_t best = 0;
        for (size_t i = 1; i < count; i++)
            best = match_precedes(near[i], near[best]) ? i : best;
        memory *then = near[best].then;
        if (!then)
            return;
        now[best].then = then;
        then->used = true;
        for (size_t i = 0; i < count; i++)
            if (near[i].then == then)
                near[i] = now[i].then ? (match){NULL, limit, false}
                                      : nearest_match(&contacts[now[i].contact], latest, lost, limit);
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

static const size_t *first_pair(const size_t *pair, const memories *list, size_t at)
{
    const size_t *body = at < list->count ? list->at[at].body : NULL;
    return !pair || (body && compare_pairs(body, pair) < 0) ? body : pair;
}

/* Match the contacts of each pair; all three lists are sorted by pair. */
static void match_all(struct dls_warm_store *store, const dls_contact *contacts, const dls_configuration *at,
                      const dls_warm *settings)
{
    size_t now = 0, latest = 0, lost = 0;
    const size_t *pair;
    store->missed.count = 0;
    while ((pair = first_pair(first_pair(now < store->n_fresh ? contacts[store->fresh[now].contact].body : NULL,
                                         &store->latest, latest),
                              &store->lost, lost))) {
        const group b = group_at(&store->latest, latest, pair), c = group_at(&store->lost, lost, pair);
        size_t count = 0;
        while (now + count < store->n_fresh &&
               compare_pairs(contacts[store->fresh[now + count].contact].body, pair) == 0)
            count++;
        match_pair(contacts, store->fresh + now, count, b, c, settings->distance, store->near);
        keep_missed(store, at, b, settings->age);
        keep_missed(store, at, c, settings->age);
        now += count, latest += b.count, lost += c.count;
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

static void start_contact(const dls_contact *contact, const memory *m, double scale, double *lambda)
{
    const dls_vec3 friction = dls_scale(scale, m->friction), moment = dls_scale(scale, m->moment);
    dls_vec3 u[2];
    size_t row = 1;
    lambda[0] = scale * m->normal;
    if (dls_contact_count(contact) == 1)
        return;
    dls_contact_frame(contact, u);
    for (size_t k = 0; k < dls_contact_tangents(contact); k++)
        lambda[row++] = dls_dot(friction, u[k]);
    for (size_t k = 0; k < 2 && contact->rolling > 0.0; k++)
        lambda[row++] = dls_dot(moment, u[k]);
    if (contact->torsion > 0.0)
        lambda[row] = dls_dot(moment, contact->normal);
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
    if (!DLS_GROW(store->latest.at, store->latest.capacity, s->contacts.count + 1) ||
        !DLS_GROW(store->fresh, store->fresh_capacity, s->contacts.count + 1) ||
        !DLS_GROW(store->near, store->near_capacity, s->contacts.count + 1))
        return no_room(s->contacts.count, error);
    DLS_TRY(make_room_for(&store->lost, store->lost.count, error));
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
    store->n_fresh = s->contacts.count;
    for (size_t k = 0; k < s->contacts.count; k++) {
        store->fresh[k] = (arrival){k, row, NULL};
        row += dls_contact_count(&s->contacts.at[k]);
    }
    sort_arrivals(&s->contacts, store->fresh, store->n_fresh);
    match_all(store, s->contacts.at, s->now, &s->warm);
    for (const arrival *a = store->fresh; a < store->fresh + store->n_fresh; a++)
        if (a->then)
            start_contact(&s->contacts.at[a->contact], a->then, scale, s->lambda + a->row);
    swap_memories(&store->missed, &store->lost);
    scale_impulses(&store->lost, scale);
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
        for (; !ordered && at > 0 && compare_pairs(to->at[at - 1].body, m.body) > 0; at--)
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
