#include "base/text.h"
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t length(const dls_solver *const *solvers)
{
    size_t n = 0;
    while (solvers[n])
        n++;
    return n;
}

const dls_solver *dls_solver_at(size_t index)
{
    size_t direct = length(dls_direct_solvers), iterative = length(dls_iterative_solvers);
    return index < direct               ? dls_direct_solvers[index]
           : index < direct + iterative ? dls_iterative_solvers[index - direct]
                                        : NULL;
}

const dls_solver *dls_solver_find(const char *name)
{
    const dls_solver *solver = dls_direct_find(name);
    return solver ? solver : dls_iterative_find(name);
}

/* nsgs refuses no problem. A model that has no first problem is told by its run. */
const dls_solver *dls_usual_solver(const dls_model *model)
{
    dls_error error;
    dls_problem *problem;
    const dls_solver *pgs = dls_iterative_find("pgs");
    bool refused = dls_law_has_discs((dls_law)dls_model_world(model)->friction);
    if (!refused && dls_first_problem(model, 0.0, &problem, &error) == DLS_OK) {
        refused = dls_solver_refuses(pgs, problem) != NULL;
        dls_problem_destroy(problem);
    }
    return refused ? dls_iterative_find("nsgs") : pgs;
}

static const char *name_at(const void *context, size_t i)
{
    const size_t ours = length(dls_direct_solvers) + length(dls_iterative_solvers);
    dls_peer peer;
    (void)context;
    return i < ours ? dls_solver_at(i)->name : dls_peer_at(i - ours, &peer) ? peer.name : NULL;
}

static dls_status no_solver(const char *name, dls_error *error)
{
    if (dls_scheme_find(name))
        return dls_fail(error, DLS_BAD_INPUT,
                        "'%s' is a scheme, which decides when to solve, and no solver; see "
                        "delassus run --scheme %s",
                        name, name);
    if (strlen(name) > 3 && strcmp(name + strlen(name) - 3, ".so") == 0)
        return dls_fail(error, DLS_BAD_INPUT, "a shared object is named with its folder: ./%s", name);
    return dls_fail(error, DLS_BAD_INPUT, "there is no solver '%s'%s", name,
                    dls_hint_of(dls_nearest_word(name, name_at, NULL), "see delassus list solvers").text);
}

dls_status dls_choice_create(const char *name, dls_choice *choice, dls_error *error)
{
    if (strncmp(name, dls_exec_prefix, strlen(dls_exec_prefix)) == 0)
        return dls_exec_choose(name + strlen(dls_exec_prefix), choice, error);
    if (dls_is_plugin(name))
        return dls_plugin_choose(name, choice, error);
    if (dls_is_peer(name))
        return dls_peer_choose(name, choice, error);
    *choice = (dls_choice){dls_solver_find(name), NULL, NULL};
    if (!choice->solver)
        return no_solver(name, error);
    choice->settings = malloc(choice->solver->fields.size);
    if (!choice->settings)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the settings of %s", name);
    return dls_fields_default(&choice->solver->fields, choice->settings, error);
}

void dls_choice_release(dls_choice *choice)
{
    if (choice->separate)
        dls_separate_release(choice->separate);
    else
        free(choice->settings);
    *choice = (dls_choice){NULL, NULL, NULL};
}

const char dls_all_peers[] = "all-peers", dls_all_own[] = "all-own";

static dls_status add_one(const char *name, dls_choice **choices, size_t *count, dls_error *error)
{
    dls_choice *more = realloc(*choices, (*count + 1) * sizeof *more);
    if (!more)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu solvers", *count + 1);
    *choices = more;
    return dls_choice_create(name, &more[(*count)++], error);
}

static dls_status add_word(const char *name, dls_choice **choices, size_t *count, dls_error *error)
{
    const size_t before = *count;
    dls_peer peer;
    if (strcmp(name, dls_all_own) == 0) {
        for (size_t i = 0; dls_solver_at(i); i++)
            DLS_TRY(add_one(dls_solver_at(i)->name, choices, count, error));
        return DLS_OK;
    }
    if (strcmp(name, dls_all_peers) != 0)
        return add_one(name, choices, count, error);
    for (size_t i = 0; dls_peer_at(i, &peer); i++)
        if (peer.built)
            DLS_TRY(add_one(peer.name, choices, count, error));
    return *count > before ? DLS_OK
                           : dls_fail(error, DLS_UNAVAILABLE, "no peer was built: %s has none; see delassus list peers",
                                      dls_peer_folder());
}

dls_status dls_choices_add(const char *names, dls_choice **choices, size_t *count, dls_error *error)
{
    const char *from = names;
    for (size_t length; length = strcspn(from, ","), from[length]; from += length + 1) {
        char name[DLS_PATH_MAX];
        if (strncmp(from, dls_exec_prefix, strlen(dls_exec_prefix)) == 0)
            break;
        snprintf(name, sizeof name, "%.*s", (int)length, from);
        DLS_TRY(add_word(name, choices, count, error));
    }
    return add_word(from, choices, count, error);
}

dls_status dls_choices_iterative(const dls_problem *problem, dls_choice **choices, size_t *count, dls_error *error)
{
    *choices = NULL, *count = 0;
    for (size_t i = 0; dls_iterative_solvers[i]; i++)
        if (!problem || !dls_solver_refuses(dls_iterative_solvers[i], problem))
            DLS_TRY(add_one(dls_iterative_solvers[i]->name, choices, count, error));
    return DLS_OK;
}

void dls_choices_release(dls_choice *choices, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dls_choice_release(&choices[i]);
    free(choices);
}

/* The key that `key` is for this solver: behind "SOLVER." if it begins so; NULL if it is another solver's. */
static const char *own_key(const dls_solver *solver, const char *key)
{
    const char *dot = strchr(key, '.');
    if (!dot)
        return key;
    size_t length = (size_t)(dot - key);
    return strlen(solver->name) == length && strncmp(solver->name, key, length) == 0 ? dot + 1 : NULL;
}

/* The keys of several solvers, one after another, for dls_nearest_word. */
typedef struct choice_keys {
    const dls_choice *choices;
    size_t count;
} choice_keys;

static const char *choice_key_at(const void *context, size_t i)
{
    const choice_keys *of = context;
    for (size_t k = 0; k < of->count; k++) {
        const dls_field_table *fields = &of->choices[k].solver->fields;
        if (i < fields->count)
            return fields->fields[i].key;
        i -= fields->count;
    }
    return NULL;
}

const char *dls_choices_nearest_key(const dls_choice *choices, size_t count, const char *key)
{
    return dls_nearest_word(key, choice_key_at, &(choice_keys){choices, count});
}

dls_status dls_choices_set(dls_choice *choices, size_t count, const char *key, const char *value, dls_error *error)
{
    bool known = false;
    dls_status status = DLS_OK;
    for (size_t i = 0; i < count; i++) {
        const dls_field_table *fields = &choices[i].solver->fields;
        const char *own = own_key(choices[i].solver, key);
        if (!own || (!dls_field_find(fields, own) && (own == key || known)))
            continue;
        known = true;
        status = dls_field_set(fields, choices[i].settings, own, value, error);
        if (status != DLS_OK)
            return status;
    }
    if (known)
        return DLS_OK;
    return dls_fail_about(error, DLS_BAD_INPUT, NULL, key, "no solver in use has this key%s",
                          dls_hint_of(dls_choices_nearest_key(choices, count, key), "see delassus list solvers").text);
}

dls_status dls_choice_limit(dls_choice *choice, double seconds, dls_error *error)
{
    char text[32];
    dls_print(text, sizeof text, "%.17g", seconds);
    if (!dls_field_find(&choice->solver->fields, "seconds"))
        DLS_TRY(dls_separate_move(choice, error));
    return dls_choices_set(choice, 1, "seconds", text, error);
}

void dls_note_choices(dls_table *table, const dls_choice *choices, size_t count)
{
    char prefix[DLS_NAME_MAX + 1];
    for (size_t i = 0; i < count; i++) {
        snprintf(prefix, sizeof prefix, "%s.", choices[i].solver->name);
        dls_table_note_fields(table, prefix, &choices[i].solver->fields, choices[i].settings);
    }
}
