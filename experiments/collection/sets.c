/* The table of sets, and its problems by their names. */
#include "collection/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const dls_tier_names[] = {"lower", "average", "higher", NULL};

#define SET(name, version, tier, count, family, variant, summary) \
    {name, version, DLS_TIER_##tier, count, dls_collect_##family, variant, summary, NULL},
const dls_collection_set dls_collection_sets[] = {
#include "collection/sets.def"
    {NULL, 0, DLS_TIER_LOWER, 0, NULL, 0, NULL, NULL},
};
#undef SET

void dls_collected_release(dls_collected *made)
{
    dls_problem_destroy(made->problem);
    free(made->lambda);
    *made = (dls_collected){.problem = NULL};
}

/* FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo, 1991). */
uint64_t dls_collection_seed(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return hash;
}

void dls_collection_stem(const dls_collection_set *set, char stem[DLS_NAME_MAX])
{
    if (set->files)
        snprintf(stem, DLS_NAME_MAX, "%s", set->name);
    else
        snprintf(stem, DLS_NAME_MAX, "%s-%u", set->name, set->version);
}

void dls_collection_name(const dls_collection_set *set, size_t k, char name[DLS_PATH_MAX])
{
    char stem[DLS_NAME_MAX];
    dls_collection_stem(set, stem);
    if (set->files)
        snprintf(name, DLS_PATH_MAX, "%s/%.900s", stem, dls_collection_path(set, k));
    else
        snprintf(name, DLS_PATH_MAX, "%s/%zu", stem, k);
}

dls_status dls_collection_make(const dls_collection_set *set, size_t k, dls_collected *made, dls_error *error)
{
    char name[DLS_PATH_MAX];
    *made = (dls_collected){.problem = NULL};
    if (set->files)
        return dls_collection_load(set, k, &made->problem, error);
    dls_collection_name(set, k, name);
    const dls_status status = set->make(
        (dls_collection_member){.k = k, .variant = set->variant, .draws = dls_collection_seed(name)}, made, error);
    if (status == DLS_OK)
        snprintf(made->problem->name, sizeof made->problem->name, "%.63s", name);
    else
        dls_collected_release(made);
    return status;
}

/* --- names --- */

static const char *set_name_at(const void *context, size_t i)
{
    (void)context;
    return dls_collection_sets[i].name;
}

/* Whether the first `length` characters are "SET" or "SET-VERSION". */
static bool set_is_named(const dls_collection_set *set, const char *name, size_t length)
{
    char versioned[DLS_NAME_MAX];
    const size_t own = strlen(set->name);
    snprintf(versioned, sizeof versioned, "%s-%u", set->name, set->version);
    return (length == own && memcmp(name, set->name, own) == 0) ||
           (length == strlen(versioned) && memcmp(name, versioned, length) == 0);
}

dls_status dls_collection_find(const char *name, const dls_collection_set **set, size_t *k, dls_error *error)
{
    const size_t length = strcspn(name, "/");
    char *end = NULL, word[DLS_NAME_MAX];
    *k = DLS_NONE;
    for (*set = dls_collection_sets; (*set)->name && !set_is_named(*set, name, length);)
        (*set)++;
    snprintf(word, sizeof word, "%.*s", (int)(length < DLS_NAME_MAX ? length : DLS_NAME_MAX - 1), name);
    if (!(*set)->name)
        return dls_fail(error, DLS_BAD_INPUT, "the collection has no set '%s'%s", word,
                        dls_hint_of(dls_nearest_word(word, set_name_at, NULL), "see delassus collection list").text);
    if (!name[length])
        return DLS_OK;
    const char *number = name + length + 1;
    const unsigned long long value = strtoull(number, &end, 10);
    if (*number < '0' || *number > '9' || *end || value >= (*set)->count)
        return dls_fail(error, DLS_BAD_INPUT, "%.60s: the problems of this set are %s/0 to %s/%zu", name, (*set)->name,
                        (*set)->name, (*set)->count - 1);
    *k = (size_t)value;
    return DLS_OK;
}
