/* Problems by name: a set, one of its problems, or the selection `small`.
 *
 * SMALL has 200 problems of many sets, as equally many of each as there are: round after round it takes one more from
 * each set, in the order of sets.def, until it has 200. The next one of a set is drawn among those that it has not
 * taken, by a state that begins as the FNV-1a hash of "small-VERSION/SET". Problems of more than 1000 rows
 * (DLS_MEASURED_ROWS), whose rank and condition are not measured, are left out. A version never changes: it has the
 * sets up to one that is named here, and sets that come later, at the end of sets.def, are in the next version. */
#include "collection/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char dls_collection_small[] = "small";
enum { SMALL_COUNT = 200 };
/* The last set of each version; "small" is the newest one. */
static const char *const small_last[] = {"spheres-rolling", "fclib-capsules", "big"};
enum { SMALL_VERSIONS = sizeof small_last / sizeof small_last[0] };

/* The version of "small" or "small-VERSION"; 0: the name is another one. */
static size_t small_version(const char *name)
{
    for (size_t version = 1; version <= SMALL_VERSIONS; version++) {
        char versioned[DLS_NAME_MAX];
        snprintf(versioned, sizeof versioned, "%s-%zu", dls_collection_small, version);
        if (strcmp(name, versioned) == 0)
            return version;
    }
    return strcmp(name, dls_collection_small) == 0 ? SMALL_VERSIONS : 0;
}

/* --- small --- */

/* The problems of a set that are not taken yet: its numbers in the order in which they are drawn, `taken` of them. */
typedef struct deck {
    uint64_t draws;
    size_t count, taken;
    size_t *numbers; /* count */
} deck;

static dls_status deck_open(const dls_collection_set *set, size_t version, deck *d, dls_error *error)
{
    char name[DLS_NAME_MAX];
    snprintf(name, sizeof name, "%s-%zu/%s", dls_collection_small, version, set->name);
    *d = (deck){.draws = dls_collection_seed(name), .count = set->count};
    d->numbers = malloc(set->count * sizeof *d->numbers);
    if (!d->numbers)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the %zu problems of %s", set->count, set->name);
    for (size_t k = 0; k < set->count; k++)
        d->numbers[k] = k;
    return DLS_OK;
}

static size_t deck_draw(deck *d)
{
    const size_t at = d->taken + dls_draw_below(&d->draws, d->count - d->taken), k = d->numbers[at];
    d->numbers[at] = d->numbers[d->taken];
    d->numbers[d->taken++] = k;
    return k;
}

/* The next problem of the set that is small enough; false: there is none. */
static dls_status deck_next(const dls_collection_set *set, deck *d, size_t *k, bool *found, dls_error *error)
{
    for (*found = false; !*found && d->taken < d->count;) {
        dls_collected made;
        *k = deck_draw(d);
        DLS_TRY(dls_collection_make(set, *k, &made, error));
        *found = made.problem->n <= DLS_MEASURED_ROWS;
        dls_collected_release(&made);
    }
    return DLS_OK;
}

static dls_status deal_small(deck *decks, size_t sets, dls_collection_place *places, size_t *count, dls_error *error)
{
    for (bool any = true; any && *count < SMALL_COUNT;) {
        any = false;
        for (size_t s = 0; s < sets && *count < SMALL_COUNT; s++) {
            const dls_collection_set *set = &dls_collection_sets[s];
            bool found;
            size_t k;
            DLS_TRY(deck_next(set, &decks[s], &k, &found, error));
            if (found)
                places[(*count)++] = (dls_collection_place){set, k};
            any |= found;
        }
    }
    return DLS_OK;
}

static int by_place(const void *a, const void *b)
{
    const dls_collection_place *x = a, *y = b;
    return x->set != y->set ? (x->set > y->set) - (x->set < y->set) : (x->k > y->k) - (x->k < y->k);
}

static dls_status choose_small(size_t version, dls_collection_place *places, size_t *count, dls_error *error)
{
    size_t sets = 1;
    while (strcmp(dls_collection_sets[sets - 1].name, small_last[version - 1]) != 0)
        sets++;
    deck *decks = calloc(sets, sizeof *decks);
    dls_status status = decks ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu sets", sets);
    for (size_t s = 0; s < sets && status == DLS_OK; s++)
        status = deck_open(&dls_collection_sets[s], version, &decks[s], error);
    if (status == DLS_OK)
        status = deal_small(decks, sets, places, count, error);
    for (size_t s = 0; decks && s < sets; s++)
        free(decks[s].numbers);
    free(decks);
    qsort(places, *count, sizeof *places, by_place);
    return status;
}

/* --- by name --- */

bool dls_collection_has(const char *name)
{
    const dls_collection_set *set;
    dls_error ignored;
    size_t k;
    return small_version(name) > 0 || dls_collection_find(name, &set, &k, &ignored) == DLS_OK;
}

dls_status dls_collection_choose(const char *name, dls_collection_place **places, size_t *count, dls_error *error)
{
    const size_t small = small_version(name);
    const dls_collection_set *set = NULL;
    size_t k = DLS_NONE;
    *places = NULL, *count = 0;
    if (!small)
        DLS_TRY(dls_collection_find(name, &set, &k, error));
    *places = calloc(small ? SMALL_COUNT : set->count, sizeof **places);
    if (!*places)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the problems of %.60s", name);
    if (small)
        return choose_small(small, *places, count, error);
    for (size_t i = k == DLS_NONE ? 0 : k; i < (k == DLS_NONE ? set->count : k + 1); i++)
        (*places)[(*count)++] = (dls_collection_place){set, i};
    return DLS_OK;
}
