/* delassus collection: problems that are generated from seeds, their properties, and their certified answers. */
#include "delassus/collection.h"

#include "json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct task {
    const arguments *arguments;
    size_t k; /* the only problem, or DLS_NONE */
    bool json;
    dls_table *table; /* of describe -o; NULL: standard output */
    dls_collection_tally all;
    bool headed; /* the head of the table of check is printed */
} task;

/* Calls `each` for the problems of a set, with their names. */
static dls_status each_problem(task *t, const dls_collection_set *set,
                               dls_status (*each)(task *, const char *name, const dls_collected *, dls_error *),
                               dls_error *error)
{
    const size_t first = t->k == DLS_NONE ? 0 : t->k, end = t->k == DLS_NONE ? set->count : t->k + 1;
    dls_status status = DLS_OK;
    for (size_t k = first; k < end && status == DLS_OK && !stop_asked(NULL); k++) {
        char name[DLS_PATH_MAX];
        dls_collected made;
        dls_collection_name(set, k, name);
        DLS_TRY(dls_collection_make(set, k, &made, error));
        status = each(t, name, &made, error);
        dls_collected_release(&made);
    }
    return status;
}

static dls_status print_object(json_t *o, dls_error *error);

/* Says which files of a set hold no problem. */
static dls_status print_skipped(const task *t, const dls_collection_set *set, dls_error *error)
{
    const char *why, *path;
    for (size_t i = 0; (path = dls_collection_skipped(set, i, &why)) != NULL; i++) {
        if (!t->json) {
            printf("no problem: %s (%s)\n", path, why);
            continue;
        }
        json_t *o = json_object();
        json_put(&o, "action", json_text("skip"));
        json_put(&o, "file", json_text(path));
        json_put(&o, "reason", json_text(why));
        DLS_TRY(print_object(o, error));
    }
    return DLS_OK;
}

/* Calls `each` for the sets, problems, folders and files that the words name, and without words for every set. */
static dls_status each_set(task *t, dls_status (*each)(task *, const dls_collection_set *, dls_error *),
                           dls_error *error)
{
    const arguments *a = t->arguments;
    for (const dls_collection_set *set = dls_collection_sets; a->n_words == 1 && set->name && !stop_asked(NULL); set++)
        DLS_TRY(each(t, set, error));
    for (size_t w = 1; w < a->n_words && !stop_asked(NULL); w++) {
        const dls_collection_set *set;
        dls_collection_set files;
        dls_status status = dls_collection_find(a->words[w], &set, &t->k, error);
        if (status == DLS_OK) {
            DLS_TRY(each(t, set, error));
            continue;
        }
        if (access(a->words[w], F_OK) != 0)
            return status;
        t->k = DLS_NONE;
        DLS_TRY(dls_collection_read(a->words[w], &files, error));
        status = print_skipped(t, &files, error);
        if (status == DLS_OK)
            status = each(t, &files, error);
        dls_collection_release(&files);
        DLS_TRY(status);
    }
    return DLS_OK;
}

static dls_status print_object(json_t *o, dls_error *error)
{
    return json_print(o) ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for JSON");
}

/* --- list --- */

static dls_status list_problem(task *t, const char *name, const dls_collected *made, dls_error *error)
{
    char sha[DLS_PROBLEM_NAME];
    const dls_problem *p = made->problem;
    DLS_TRY(dls_problem_name(p, sha, error));
    if (!t->json) {
        printf("%-24s %6zu rows  sha256 %s\n", name, p->n, sha);
        return DLS_OK;
    }
    json_t *o = json_object();
    json_put(&o, "action", json_text("list"));
    json_put(&o, "problem", json_text(name));
    json_put(&o, "rows", json_count(p->n));
    json_put(&o, "sha256", json_text(sha));
    return print_object(o, error);
}

static dls_status list_set(task *t, const dls_collection_set *set, dls_error *error)
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

static dls_status list_problems(task *t, const dls_collection_set *set, dls_error *error)
{
    return each_problem(t, set, list_problem, error);
}

static dls_status run_list(task *t, dls_error *error)
{
    return each_set(t, t->arguments->n_words > 1 ? list_problems : list_set, error);
}

/* --- get --- */

/* FILE for one problem; FOLDER/SET-VERSION/k.FORMAT for a set. */
static dls_status get_problem(task *t, const char *name, const dls_collected *made, dls_error *error)
{
    char path[DLS_PATH_MAX];
    const char *format = argument(t->arguments, "to", "problem"), *output = argument(t->arguments, "output", NULL);
    const int length = t->k == DLS_NONE ? snprintf(path, sizeof path, "%s/%s.%s", output, name, format)
                                        : snprintf(path, sizeof path, "%s", output);
    if (length >= DLS_PATH_MAX)
        return dls_fail(error, DLS_BAD_INPUT, "the path of an output is too long");
    DLS_TRY(dls_file_write(made->problem, made->lambda, format, path, NULL, error));
    if (!t->json) {
        printf("%s: %zu rows, written to %s\n", name, made->problem->n, path);
        return DLS_OK;
    }
    json_t *o = json_object();
    json_put(&o, "action", json_text("get"));
    json_put(&o, "problem", json_text(name));
    json_put(&o, "rows", json_count(made->problem->n));
    json_put(&o, "output", json_text(path));
    return print_object(o, error);
}

static dls_status get_problems(task *t, const dls_collection_set *set, dls_error *error)
{
    return each_problem(t, set, get_problem, error);
}

static dls_status run_get(task *t, dls_error *error)
{
    if (t->arguments->n_words != 2 || !argument(t->arguments, "output", NULL))
        return dls_fail(error, DLS_BAD_INPUT, "collection get: name a set or a problem, and -o FILE, or a folder");
    return each_set(t, get_problems, error);
}

/* --- describe --- */

static const char property_columns[] =
    "problem\trows\tvelocities\tcontacts\tdensity\tfill\tsymmetric\trank\tcondition\tpgs_radius\tdegenerate\t"
    "complementary\tanswer\tbound\tstatement";

static json_t *known_count(size_t value) { return value == DLS_NONE ? json_null() : json_count(value); }

static dls_status print_properties(const char *name, const dls_properties *f, const dls_answer *answer,
                                   dls_error *error)
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
    json_put(&o, "answer", json_text(dls_answer_names[answer->word]));
    json_put(&o, "bound", json_number(answer->bound));
    json_put(&o, "statement", json_text(answer->statement));
    return print_object(o, error);
}

static void add_properties(dls_table *table, const char *name, const dls_properties *f, const dls_answer *answer)
{
    const double rank = f->rank == DLS_NONE ? NAN : (double)f->rank;
    const double degenerate = f->degenerate == DLS_NONE ? NAN : (double)f->degenerate;
    dls_table_text(table, name);
    dls_table_cells(table, "%zu %zu %zu %g %g %zu %g %g %g %g %g", f->rows, f->velocities, f->contacts, f->density,
                    f->fill, (size_t)f->symmetric, rank, f->condition, f->pgs_radius, degenerate, f->complementary);
    dls_table_text(table, dls_answer_names[answer->word]);
    dls_table_cells(table, "%g", answer->bound);
    dls_table_text(table, answer->statement);
    dls_table_end_row(table);
}

static dls_status describe_problem(task *t, const char *name, const dls_collected *made, dls_error *error)
{
    dls_properties f;
    dls_answer answer;
    DLS_TRY(dls_collection_describe(made, &f, error));
    DLS_TRY(dls_answer_find(made->problem, NULL, &answer, error));
    if (t->table)
        add_properties(t->table, name, &f, &answer);
    if (t->json)
        return print_properties(name, &f, &answer, error);
    const double rank = f.rank == DLS_NONE ? NAN : (double)f.rank;
    const double degenerate = f.degenerate == DLS_NONE ? NAN : (double)f.degenerate;
    printf("%s: %zu rows, %zu velocities, %zu contacts, density %.3g, fill %.3g, %s, rank %g, condition %.3g, "
           "PGS radius %.4g, %g degenerate, complementary %.2g\n  %s: %s\n",
           name, f.rows, f.velocities, f.contacts, f.density, f.fill, f.symmetric ? "symmetric" : "not symmetric", rank,
           f.condition, f.pgs_radius, degenerate, f.complementary, dls_answer_names[answer.word], answer.statement);
    return DLS_OK;
}

static dls_status describe_problems(task *t, const dls_collection_set *set, dls_error *error)
{
    return each_problem(t, set, describe_problem, error);
}

static dls_status run_describe(task *t, dls_error *error)
{
    const char *output = argument(t->arguments, "output", NULL);
    if (output) {
        DLS_TRY(dls_table_create(output, &t->table, error));
        dls_note_provenance(t->table, t->arguments->line);
        dls_table_columns(t->table, property_columns);
    }
    const dls_status status = each_set(t, describe_problems, error);
    if (status != DLS_OK)
        dls_table_abandon(t->table);
    return status == DLS_OK && t->table ? dls_table_commit(t->table, error) : status;
}

/* --- check --- */

static void add_tally(dls_collection_tally *to, const dls_collection_tally *tally)
{
    to->problems += tally->problems, to->known += tally->known, to->seconds += tally->seconds;
    for (size_t word = 0; word < DLS_ANSWER_WORDS; word++)
        to->answers[word] += tally->answers[word];
}

static void print_tally_head(void)
{
    printf("| %-22s | %8s |", "set", "problems");
    for (size_t word = 0; word < DLS_ANSWER_WORDS; word++)
        printf(" %8s |", dls_answer_names[word]);
    printf(" %5s | %7s |\n| --- | --- |", "known", "seconds");
    for (size_t word = 0; word < DLS_ANSWER_WORDS; word++)
        printf(" --- |");
    printf(" --- | --- |\n");
}

/* The line of a set, or of all, in the table of doc/collection.md. */
static dls_status print_tally(task *t, const char *name, const dls_collection_tally *tally, dls_error *error)
{
    if (!t->json) {
        if (!t->headed)
            print_tally_head();
        t->headed = true;
        printf("| %-22s | %8zu |", name, tally->problems);
        for (size_t word = 0; word < DLS_ANSWER_WORDS; word++)
            printf(" %8zu |", tally->answers[word]);
        printf(" %5zu | %7.1f |\n", tally->known, tally->seconds);
        return fflush(stdout) == 0 ? DLS_OK : dls_fail(error, DLS_IO, "standard output cannot be written");
    }
    json_t *o = json_object();
    json_put(&o, "action", json_text("check"));
    json_put(&o, "set", json_text(name));
    json_put(&o, "problems", json_count(tally->problems));
    json_put(&o, "known", json_count(tally->known));
    for (size_t word = 0; word < DLS_ANSWER_WORDS; word++)
        json_put(&o, dls_answer_names[word], json_count(tally->answers[word]));
    json_put(&o, "seconds", json_number(tally->seconds));
    return print_object(o, error);
}

static dls_status check_problems(task *t, const dls_collection_set *set, dls_error *error)
{
    dls_collection_tally tally = {0};
    dls_job job = make_job(t->arguments, argument(t->arguments, "output", "collection"));
    const double start = wall_clock();
    job.stop = stop_asked;
    DLS_TRY(dls_collection_check(&job, set, t->k, &tally, error));
    end_progress();
    tally.seconds = wall_clock() - start;
    add_tally(&t->all, &tally);
    return print_tally(t, set->name, &tally, error);
}

static dls_status run_check(task *t, dls_error *error)
{
    dls_exact_apart(true);
    stop_at_signals();
    DLS_TRY(each_set(t, check_problems, error));
    return t->json || t->arguments->n_words == 2 ? DLS_OK : print_tally(t, "all", &t->all, error);
}

/* --- the command --- */

static const struct {
    const char *name;
    dls_status (*run)(task *t, dls_error *error);
    bool output, to; /* whether it has this option */
} actions[] = {{"list", run_list, false, false},
               {"get", run_get, true, true},
               {"describe", run_describe, true, false},
               {"check", run_check, true, false},
               {NULL, NULL, false, false}};

/* An option that the action does not have is an error: its user expects an effect. */
static bool has_its_options(const arguments *a, size_t action)
{
    const char *wrong = argument(a, "output", NULL) && !actions[action].output ? "output"
                        : argument(a, "to", NULL) && !actions[action].to       ? "to"
                                                                               : NULL;
    if (wrong)
        complain_text("collection %s: it has no option --%s; see delassus collection --help", actions[action].name,
                      wrong);
    return !wrong;
}

static int run_collection(const arguments *a)
{
    task t = {.arguments = a, .k = DLS_NONE, .json = argument(a, "json", NULL) != NULL};
    dls_error error;
    size_t i = 0;
    while (actions[i].name && strcmp(actions[i].name, a->words[0]) != 0)
        i++;
    if (!actions[i].name)
        return complain_text("collection: '%s' is none of list, get, describe, check", a->words[0]);
    if (!has_its_options(a, i))
        return EXIT_BAD_INPUT;
    if (actions[i].run(&t, &error) != DLS_OK)
        return complain(&error);
    return stop_signal() ? EXIT_SIGNAL + stop_signal() : t.all.answers[DLS_ANSWER_OPEN] > 0 ? EXIT_UNSOLVED : EXIT_DONE;
}

static const option_spec options[] = {
    {"output", 'o', "PATH", "get: the file, or the folder of a set; describe: a table; check: a folder [collection]"},
    {"to", 't', "NAME", "format in which get writes (delassus list written-formats) [problem]"},
    JSON_OPTION,
    {NULL, 0, NULL, NULL}};
const command command_collection = {
    .name = "collection",
    .usage = "list|get|describe|check [SET[/K] | FILE | FOLDER]... [-o PATH]",
    .summary = "named problems, generated from seeds: write, describe, solve and certify them",
    .details =
        "list      the sets, or the problems of SET with their rows and names (SHA-256)\n"
        "get       write problem K of SET, or all of SET into a folder\n"
        "describe  size, density of contacts, rank, condition, degeneracy, spectral radius of PGS, certified answer\n"
        "check     solve and certify: tables of answers FOLDER/SET-VERSION.tsv, and the certificates; a run that "
        "was interrupted\n"
        "          goes on where it was\n"
        "A FILE, or the files of a FOLDER, are published problems in a format of 'delassus list formats'. "
        "doc/collection.md describes the sets. Exit status 0: done; 1: check has left a problem open; 2: bad "
        "input.",
    .min_words = 1,
    .max_words = 100000,
    .options = options,
    .run = run_collection,
};
