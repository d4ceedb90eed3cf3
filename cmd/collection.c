/* delassus collection: problems that are generated from seeds, their properties, and their certified answers. */
#include "delassus/collection.h"

#include "json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct task {
    const arguments *arguments;
    const dls_collection_set *set; /* the only one; NULL: all */
    size_t k;                      /* the only problem, or DLS_NONE */
    bool json;
    dls_table *table; /* of describe -o; NULL: standard output */
    size_t open;      /* problems without an answer */
} task;

/* Calls `each` for the problems of the task, made. */
static dls_status each_problem(task *t, const dls_collection_set *set,
                               dls_status (*each)(task *, const dls_collection_set *, const dls_collected *,
                                                  dls_error *),
                               dls_error *error)
{
    const size_t first = t->k == DLS_NONE ? 0 : t->k, end = t->k == DLS_NONE ? set->count : t->k + 1;
    dls_status status = DLS_OK;
    for (size_t k = first; k < end && status == DLS_OK; k++) {
        dls_collected made;
        DLS_TRY(dls_collection_make(set, k, &made, error));
        status = each(t, set, &made, error);
        dls_collected_release(&made);
    }
    return status;
}

static dls_status print_object(json_t *o, dls_error *error)
{
    return json_print(o) ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for JSON");
}

/* --- list --- */

static dls_status list_problem(task *t, const dls_collection_set *set, const dls_collected *made, dls_error *error)
{
    char sha[DLS_PROBLEM_NAME];
    const dls_problem *p = made->problem;
    (void)set;
    DLS_TRY(dls_problem_name(p, sha, error));
    if (!t->json) {
        printf("%-24s %6zu rows  sha256 %s\n", p->name, p->n, sha);
        return DLS_OK;
    }
    json_t *o = json_object();
    json_put(&o, "action", json_text("list"));
    json_put(&o, "problem", json_text(p->name));
    json_put(&o, "rows", json_count(p->n));
    json_put(&o, "sha256", json_text(sha));
    return print_object(o, error);
}

static dls_status list_set(const task *t, const dls_collection_set *set, dls_error *error)
{
    size_t least = SIZE_MAX, most = 0;
    for (size_t k = 0; k < set->count; k++) {
        dls_collected made;
        DLS_TRY(dls_collection_make(set, k, &made, error));
        least = made.problem->n < least ? made.problem->n : least;
        most = made.problem->n > most ? made.problem->n : most;
        dls_collected_release(&made);
    }
    if (!t->json) {
        printf("%-20s %3zu problems, %3zu to %5zu rows  %-8s %s\n", set->name, set->count, least, most,
               dls_tier_names[set->tier], set->summary);
        return DLS_OK;
    }
    json_t *o = json_object();
    json_put(&o, "action", json_text("list"));
    json_put(&o, "set", json_text(set->name));
    json_put(&o, "version", json_count(set->version));
    json_put(&o, "problems", json_count(set->count));
    json_put(&o, "least_rows", json_count(least));
    json_put(&o, "most_rows", json_count(most));
    json_put(&o, "tier", json_text(dls_tier_names[set->tier]));
    json_put(&o, "summary", json_text(set->summary));
    return print_object(o, error);
}

static dls_status run_list(task *t, dls_error *error)
{
    if (t->set)
        return each_problem(t, t->set, list_problem, error);
    for (const dls_collection_set *set = dls_collection_sets; set->name; set++)
        DLS_TRY(list_set(t, set, error));
    return DLS_OK;
}

/* --- get --- */

/* FILE for one problem; FOLDER/SET-VERSION/k.FORMAT for a set. */
static dls_status get_problem(task *t, const dls_collection_set *set, const dls_collected *made, dls_error *error)
{
    char path[DLS_PATH_MAX];
    const char *format = argument(t->arguments, "to", "problem"), *output = argument(t->arguments, "output", NULL);
    (void)set;
    const int length = t->k == DLS_NONE ? snprintf(path, sizeof path, "%s/%s.%s", output, made->problem->name, format)
                                        : snprintf(path, sizeof path, "%s", output);
    if (length >= DLS_PATH_MAX)
        return dls_fail(error, DLS_BAD_INPUT, "the path of an output is too long");
    DLS_TRY(dls_file_write(made->problem, made->lambda, format, path, NULL, error));
    if (!t->json) {
        printf("%s: %zu rows, written to %s\n", made->problem->name, made->problem->n, path);
        return DLS_OK;
    }
    json_t *o = json_object();
    json_put(&o, "action", json_text("get"));
    json_put(&o, "problem", json_text(made->problem->name));
    json_put(&o, "rows", json_count(made->problem->n));
    json_put(&o, "output", json_text(path));
    return print_object(o, error);
}

static dls_status run_get(task *t, dls_error *error)
{
    if (!t->set || !argument(t->arguments, "output", NULL))
        return dls_fail(error, DLS_BAD_INPUT, "collection get: name a set or a problem, and -o FILE, or a folder");
    return each_problem(t, t->set, get_problem, error);
}

/* --- describe --- */

static const char property_columns[] =
    "problem\trows\tvelocities\tcontacts\tdensity\tfill\tsymmetric\trank\tcondition\tpgs_radius\tdegenerate\t"
    "complementary";

static json_t *known_count(size_t value) { return value == DLS_NONE ? json_null() : json_count(value); }

static dls_status print_properties(const char *name, const dls_properties *f, dls_error *error)
{
    json_t *o = json_object();
    json_put(&o, "action", json_text("describe"));
    json_put(&o, "problem", json_text(name));
    json_put(&o, "rows", json_count(f->rows));
    json_put(&o, "velocities", json_count(f->velocities));
    json_put(&o, "contacts", json_count(f->contacts));
    json_put(&o, "density", json_number(f->density));
    json_put(&o, "fill", json_number(f->fill));
    json_put(&o, "symmetric", json_boolean(f->symmetric));
    json_put(&o, "rank", known_count(f->rank));
    json_put(&o, "condition", json_number(f->condition));
    json_put(&o, "pgs_radius", json_number(f->pgs_radius));
    json_put(&o, "degenerate", known_count(f->degenerate));
    json_put(&o, "complementary", json_number(f->complementary));
    return print_object(o, error);
}

static dls_status describe_problem(task *t, const dls_collection_set *set, const dls_collected *made, dls_error *error)
{
    dls_properties f;
    (void)set;
    DLS_TRY(dls_collection_describe(made, &f, error));
    const double rank = f.rank == DLS_NONE ? NAN : (double)f.rank;
    const double degenerate = f.degenerate == DLS_NONE ? NAN : (double)f.degenerate;
    if (t->table)
        dls_table_row(t->table, "%s %zu %zu %zu %g %g %zu %g %g %g %g %g", made->problem->name, f.rows, f.velocities,
                      f.contacts, f.density, f.fill, (size_t)f.symmetric, rank, f.condition, f.pgs_radius, degenerate,
                      f.complementary);
    if (t->json)
        return print_properties(made->problem->name, &f, error);
    printf("%s: %zu rows, %zu velocities, %zu contacts, density %.3g, fill %.3g, %s, rank %g, condition %.3g, "
           "PGS radius %.4g, %g degenerate, complementary %.2g\n",
           made->problem->name, f.rows, f.velocities, f.contacts, f.density, f.fill,
           f.symmetric ? "symmetric" : "not symmetric", rank, f.condition, f.pgs_radius, degenerate, f.complementary);
    return DLS_OK;
}

static dls_status run_describe(task *t, dls_error *error)
{
    const char *output = argument(t->arguments, "output", NULL);
    dls_status status = DLS_OK;
    if (output) {
        DLS_TRY(dls_table_create(output, &t->table, error));
        dls_note_provenance(t->table, t->arguments->line);
        dls_table_columns(t->table, property_columns);
    }
    for (const dls_collection_set *set = dls_collection_sets; status == DLS_OK && set->name; set++)
        if (!t->set || set == t->set)
            status = each_problem(t, set, describe_problem, error);
    if (status != DLS_OK)
        dls_table_abandon(t->table);
    return status == DLS_OK && t->table ? dls_table_commit(t->table, error) : status;
}

/* --- check --- */

static dls_status print_tally(const task *t, const dls_collection_set *set, const dls_collection_tally *tally,
                              double seconds, dls_error *error)
{
    if (!t->json) {
        printf("%-20s %3zu problems", set->name, tally->problems);
        for (size_t word = 0; word < DLS_ANSWER_WORDS; word++)
            printf(", %3zu %s", tally->answers[word], dls_answer_names[word]);
        printf("; %zu known before, %.1f s\n", tally->known, seconds);
        return fflush(stdout) == 0 ? DLS_OK : dls_fail(error, DLS_IO, "standard output cannot be written");
    }
    json_t *o = json_object();
    json_put(&o, "action", json_text("check"));
    json_put(&o, "set", json_text(set->name));
    json_put(&o, "problems", json_count(tally->problems));
    json_put(&o, "known", json_count(tally->known));
    for (size_t word = 0; word < DLS_ANSWER_WORDS; word++)
        json_put(&o, dls_answer_names[word], json_count(tally->answers[word]));
    json_put(&o, "seconds", json_number(seconds));
    return print_object(o, error);
}

static dls_status run_check(task *t, dls_error *error)
{
    dls_job job = make_job(t->arguments, argument(t->arguments, "output", "collection"));
    dls_exact_apart(true);
    stop_at_signals();
    job.stop = stop_asked;
    for (const dls_collection_set *set = dls_collection_sets; set->name && !stop_asked(NULL); set++) {
        dls_collection_tally tally = {0};
        const double start = wall_clock();
        if (t->set && set != t->set)
            continue;
        DLS_TRY(dls_collection_check(&job, set, t->k, &tally, error));
        end_progress();
        t->open += tally.answers[DLS_ANSWER_OPEN];
        DLS_TRY(print_tally(t, set, &tally, wall_clock() - start, error));
    }
    return DLS_OK;
}

/* --- the command --- */

static const struct {
    const char *name;
    dls_status (*run)(task *t, dls_error *error);
} actions[] = {{"list", run_list}, {"get", run_get}, {"describe", run_describe}, {"check", run_check}, {NULL, NULL}};

static int run_collection(const arguments *a)
{
    task t = {.arguments = a, .k = DLS_NONE, .json = argument(a, "json", NULL) != NULL};
    dls_error error;
    size_t i = 0;
    while (actions[i].name && strcmp(actions[i].name, a->words[0]) != 0)
        i++;
    if (!actions[i].name)
        return complain_text("collection: '%s' is none of list, get, describe, check", a->words[0]);
    if (a->n_words > 1 && dls_collection_find(a->words[1], &t.set, &t.k, &error) != DLS_OK)
        return complain(&error);
    if (actions[i].run(&t, &error) != DLS_OK)
        return complain(&error);
    return stop_signal() ? EXIT_SIGNAL + stop_signal() : t.open > 0 ? EXIT_UNSOLVED : EXIT_DONE;
}

static const option_spec options[] = {
    {"output", 'o', "PATH", "get: the file, or the folder of a set; describe: a table; check: a folder [collection]"},
    {"to", 't', "NAME", "format in which get writes (delassus list written-formats) [problem]"},
    JSON_OPTION,
    {NULL, 0, NULL, NULL}};
const command command_collection = {
    .name = "collection",
    .usage = "list|get|describe|check [SET[/K]] [-o PATH]",
    .summary = "named problems, generated from seeds: write, describe, solve and certify them",
    .details =
        "list      the sets, or the problems of SET with their rows and names (SHA-256)\n"
        "get       write problem K of SET, or all of SET into a folder\n"
        "describe  size, density of contacts, rank, condition, degeneracy, spectral radius of PGS\n"
        "check     solve and certify: tables of answers FOLDER/SET-VERSION.tsv, and the certificates; a run that "
        "was interrupted\n"
        "          goes on where it was\n"
        "doc/collection.md describes the sets. Exit status 0: done; 1: check has left a problem open; 2: bad "
        "input.",
    .min_words = 1,
    .max_words = 2,
    .options = options,
    .run = run_collection,
};
