/* Warm starts: the impulses of the last step are where the next solve begins. temporal-coherence, Contact Caching.
 *
 * Rows of joints are the same from step to step, and take their own impulses. Contacts are found anew in every step; one is the
 * same as before where it lies between the same bodies at nearly the same place. A corner stays where it is on the body that it
 * belongs to, whichever way the other one slides, so the place is compared in the frames of both bodies and the nearer counts:
 *     distance = min over both bodies of |R^T (p - x) now - the same then|
 * Collision libraries number the contacts of a pair in any order; place decides, the nearest pair of contacts first come in the
 * order of the new ones, each old one used once. Friction impulses are kept as vectors of the world, for the tangents turn with the
 * normal. All impulses are scaled by h / h before: forces persist, not impulses. A contact that is lost for a step or two (a box that
 * rattles) may come back: it is kept, with its age in steps.
 */
#include "warm.h"

#include <stdlib.h>
#include <string.h>

static const dls_field fields[] = {
    {"start", "", DLS_FIELD_BOOL, offsetof(dls_warm, on), "true", 0, 0, false, NULL, "begin each solve with the impulses of the step before"},
    {"distance", "m", DLS_FIELD_REAL, offsetof(dls_warm, distance), "0.02", 0, HUGE_VAL, false, NULL, "a contact that has moved farther on both bodies is another one"},
    {"age", "", DLS_FIELD_COUNT, offsetof(dls_warm, age), "2", 1, 1e6, false, NULL, "steps after which a contact that was not found again is forgotten"},
};
const dls_field_table dls_warm_fields = DLS_FIELD_TABLE(fields, dls_warm);

/* A contact as it was in the last step that found it. */
typedef struct memory {
    size_t body[2];
    dls_vec3 place[2]; /* in the frames of the bodies */
    double normal;
    dls_vec3 friction; /* world frame */
    size_t age;        /* steps since it was found */
} memory;

struct dls_warm_store {
    size_t n_joint_rows, joint_capacity;
    double *joint; /* impulses of the joints' rows */
    size_t count, capacity;
    memory *at;    /* the contacts of the last step in their order, then older ones */
    size_t n_fresh, fresh_capacity;
    memory *fresh; /* of the step that begins */
    bool *used;    /* count */
    double h;      /* of the last step; 0: there was none */
};

void dls_warm_release(struct dls_warm_store *store)
{
    if (!store)
        return;
    free(store->joint);
    free(store->at);
    free(store->fresh);
    free(store->used);
    free(store);
}

static dls_status room(void **array, size_t *capacity, size_t count, size_t size, dls_error *error)
{
    if (count <= *capacity && *array)
        return DLS_OK;
    void *larger = realloc(*array, (2 * count + 8) * size);
    if (!larger)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the impulses of %zu contacts", count);
    *array = larger;
    *capacity = 2 * count + 8;
    return DLS_OK;
}

static size_t contact_rows(const dls_contacts *contacts)
{
    size_t rows = 0;
    for (size_t k = 0; k < contacts->count; k++)
        rows += dls_contact_count(&contacts->at[k]);
    return rows;
}

/* --- before a step: what the last one ended with --------------------------------------------------------------------- */

dls_status dls_warm_remember(dls_stepper *s, dls_error *error)
{
    struct dls_warm_store *store = s->warm_store;
    if (!store || !(store->h > 0.0))
        return DLS_OK;
    size_t row = s->problem->n - contact_rows(&s->contacts);
    DLS_TRY(room((void **)&store->joint, &store->joint_capacity, row, sizeof *store->joint, error));
    memcpy(store->joint, s->lambda, row * sizeof *store->joint);
    store->n_joint_rows = row;
    for (size_t k = 0; k < s->contacts.count; k++) {
        const dls_contact *contact = &s->contacts.at[k];
        memory *m = &store->at[k];
        dls_vec3 u1, u2;
        m->normal = s->lambda[row];
        m->friction = dls_v3(0, 0, 0);
        if (dls_contact_count(contact) == 3) {
            dls_tangents(contact->normal, &u1, &u2);
            m->friction = dls_add(dls_scale(s->lambda[row + 1], u1), dls_scale(s->lambda[row + 2], u2));
        }
        row += dls_contact_count(contact);
    }
    return DLS_OK;
}

/* --- the start of a step --------------------------------------------------------------------------------------------- */

static memory new_memory(const dls_stepper *s, const dls_contact *contact)
{
    memory m = {.body = {contact->body[0], contact->body[1]}};
    for (int i = 0; i < 2; i++) {
        dls_end end = dls_model_end(s->model, s->state, contact->body[i]);
        m.place[i] = dls_tmul3(end.R, dls_sub(contact->point[i], end.x));
    }
    return m;
}

static double distance(const memory *a, const memory *b)
{
    return fmin(dls_norm(dls_sub(a->place[0], b->place[0])), dls_norm(dls_sub(a->place[1], b->place[1])));
}

/* Contacts come pair by pair, so that those of the last step with this pair are a run; older ones stand behind all of them. */
static memory *nearest(struct dls_warm_store *store, const memory *m, double limit)
{
    memory *best = NULL;
    for (size_t k = 0; k < store->count; k++) {
        memory *old = &store->at[k];
        if (store->used[k] || old->body[0] != m->body[0] || old->body[1] != m->body[1])
            continue;
        double d = distance(m, old);
        if (d <= limit && (!best || d < limit)) {
            best = old;
            limit = d;
        }
    }
    return best;
}

static void start_contact(const dls_contact *contact, const memory *m, double scale, double *lambda)
{
    dls_vec3 u1, u2;
    lambda[0] = scale * m->normal;
    if (dls_contact_count(contact) == 1)
        return;
    dls_tangents(contact->normal, &u1, &u2);
    lambda[1] = scale * dls_dot(m->friction, u1);
    lambda[2] = scale * dls_dot(m->friction, u2);
}

static void start_contacts(dls_stepper *s, double scale, size_t row)
{
    struct dls_warm_store *store = s->warm_store;
    memset(store->used, 0, store->capacity * sizeof *store->used);
    for (size_t k = 0; k < s->contacts.count; k++) {
        const dls_contact *contact = &s->contacts.at[k];
        store->fresh[k] = new_memory(s, contact);
        memory *old = nearest(store, &store->fresh[k], s->warm.distance);
        if (old) {
            start_contact(contact, old, scale, s->lambda + row);
            store->used[old - store->at] = true;
        }
        row += dls_contact_count(contact);
    }
    store->n_fresh = s->contacts.count;
}

/* What was not found again grows older; its impulses are put to this step's length. */
static void keep_lost(struct dls_warm_store *store, size_t age, double scale)
{
    for (size_t k = 0; k < store->count; k++) {
        if (store->used[k] || store->at[k].age >= age)
            continue;
        memory *m = &store->fresh[store->n_fresh++];
        *m = store->at[k];
        m->age++;
        m->normal *= scale;
        m->friction = dls_scale(scale, m->friction);
    }
}

static void swap(struct dls_warm_store *store)
{
    memory *at = store->at;
    size_t capacity = store->capacity;
    store->at = store->fresh, store->count = store->n_fresh, store->capacity = store->fresh_capacity;
    store->fresh = at, store->fresh_capacity = capacity;
}

dls_status dls_warm_begin(dls_stepper *s, double h, dls_error *error)
{
    if (!s->warm.on)
        return DLS_OK;
    if (!s->warm_store)
        s->warm_store = calloc(1, sizeof *s->warm_store);
    struct dls_warm_store *store = s->warm_store;
    if (!store)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for warm starts");
    size_t row = s->problem->n - contact_rows(&s->contacts), all = s->contacts.count + store->count;
    DLS_TRY(room((void **)&store->fresh, &store->fresh_capacity, all, sizeof *store->fresh, error));
    bool *used = realloc(store->used, (store->capacity + 1) * sizeof *used);
    if (!used)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the impulses of %zu contacts", all);
    store->used = used;
    double scale = store->h > 0.0 ? h / store->h : 0.0;
    for (size_t i = 0; i < row && i < store->n_joint_rows; i++)
        s->lambda[i] = scale * store->joint[i];
    start_contacts(s, scale, row);
    keep_lost(store, s->warm.age, scale);
    swap(store);
    store->h = h;
    return DLS_OK;
}
