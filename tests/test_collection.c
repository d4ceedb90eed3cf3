/* The collection: every problem has a name of its own, chosen solutions are exact, contacts are as many as prescribed,
 * known numbers of solutions are found, and a run of check continues an earlier one. */
#include "check.h"

#include "delassus/collection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static dls_collected make_one(const char *name)
{
    const dls_collection_set *set;
    dls_collected made;
    dls_error error;
    size_t k;
    assert_status(dls_collection_find(name, &set, &k, &error), &error);
    assert_status(dls_collection_make(set, k, &made, &error), &error);
    return made;
}

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

TEST(collection_has_a_thousand_different_problems)
{
    enum { MOST = 4096 };
    static char names[MOST][DLS_PROBLEM_NAME];
    size_t count = 0, all = 0;
    for (const dls_collection_set *set = dls_collection_sets; set->name; set++) {
        const size_t step = check_small() ? 7 : 1;
        all += set->count;
        for (size_t k = 0; k < set->count; k += step) {
            dls_collected made;
            dls_error error;
            if (strcmp(set->name, "size") == 0 && check_small() && k > 3)
                continue;
            assert_status(dls_collection_make(set, k, &made, &error), &error);
            assert_status(dls_problem_check(made.problem, &error), &error);
            assert_status(dls_problem_name(made.problem, names[count++], &error), &error);
            dls_collected_release(&made);
        }
    }
    assert_true(all >= 1000);
    qsort(names, count, sizeof names[0], by_text);
    for (size_t k = 1; k < count; k++)
        assert_string_not_equal(names[k - 1], names[k]);
}

/* Different problems, of every set up to `last` as many as of any other, unless the set has no more small ones. */
static void check_small_selection(const char *name, const char *last)
{
    dls_collection_place *places;
    dls_error error;
    size_t count, most = 0;
    assert_status(dls_collection_choose(name, &places, &count, &error), &error);
    assert_int_equal(count, 200);
    for (size_t i = 1; i < count; i++)
        assert_true(places[i - 1].set < places[i].set ||
                    (places[i - 1].set == places[i].set && places[i - 1].k < places[i].k));
    assert_string_equal(places[count - 1].set->name, last);
    for (const dls_collection_set *set = dls_collection_sets; set <= places[count - 1].set; set++) {
        size_t of_set = 0;
        for (size_t i = 0; i < count; i++)
            of_set += places[i].set == set;
        most = of_set > most ? of_set : most;
    }
    for (const dls_collection_set *set = dls_collection_sets; set <= places[count - 1].set; set++) {
        size_t of_set = 0, small = 0;
        for (size_t i = 0; i < count; i++)
            of_set += places[i].set == set;
        for (size_t k = 0; k < set->count && of_set + 1 < most; k++) {
            dls_collected made;
            assert_status(dls_collection_make(set, k, &made, &error), &error);
            small += made.problem->n <= DLS_MEASURED_ROWS;
            dls_collected_release(&made);
        }
        assert_true(of_set + 1 >= most || of_set == small);
    }
    free(places);
}

/* A version keeps its sets when others are added. */
TEST(collection_selects_200_problems_of_many_sets)
{
    check_small_selection("small-1", "spheres-rolling");
    check_small_selection("small-2", "fclib-capsules");
    check_small_selection("small-3", "big");
    assert_true(dls_collection_has("small") && !dls_collection_has("small-0"));
}

/* A lambda + b, summed from the first column to the last, or back: equal if no sum is rounded. */
static double exact_w(const dls_problem *p, const double *lambda, size_t i)
{
    double forward = -p->c[i], backward = 0.0;
    const size_t first = p->J.start[i], end = p->J.start[i + 1];
    for (size_t block = first; block < end; block++)
        for (size_t k = p->J.coef_at[block]; k < p->J.coef_at[block + 1]; k++)
            forward += p->J.coef[k] * lambda[p->J.offset[block] + k - p->J.coef_at[block]];
    for (size_t block = end; block-- > first;)
        for (size_t k = p->J.coef_at[block + 1]; k-- > p->J.coef_at[block];)
            backward += p->J.coef[k] * lambda[p->J.offset[block] + k - p->J.coef_at[block]];
    assert_true(forward == backward - p->c[i]);
    return forward;
}

TEST(collection_chosen_solutions_are_exact)
{
    size_t chosen = 0;
    for (const dls_collection_set *set = dls_collection_sets; set->name; set++)
        for (size_t k = 0; k < set->count && strcmp(set->name, "size") != 0; k += check_small() ? 5 : 1) {
            dls_collected made;
            dls_error error;
            assert_status(dls_collection_make(set, k, &made, &error), &error);
            const dls_problem *p = made.problem;
            for (size_t i = 0; made.lambda && i < p->n; i++) {
                const double w = exact_w(p, made.lambda, i), lambda = made.lambda[i];
                assert_true(lambda >= p->lo[i] && lambda <= p->hi[i]);
                assert_true(w == 0.0 || (w > 0.0 && lambda == p->lo[i]) || (w < 0.0 && lambda == p->hi[i]));
            }
            chosen += made.lambda != NULL;
            dls_collected_release(&made);
        }
    assert_true(chosen > 0);
}

/* Packed spheres have min(d spheres, pairs of neighbours) contacts: 14 spheres with d = 1 have 14, which is a density
 * of 3 x 14 / (6 x 14) with friction. */
TEST(collection_has_the_density_of_contacts_asked_for)
{
    dls_properties f;
    dls_error error;
    dls_collected made = make_one("spheres-cone/4");
    assert_status(dls_properties_measure(made.problem, NULL, &f, &error), &error);
    assert_int_equal(f.contacts, 14);
    assert_int_equal(f.velocities, 6 * 14);
    assert_true(f.density == 0.5);
    assert_true(f.rank <= f.velocities && f.rank <= f.rows);
    dls_collected_release(&made);
}

/* Problem k of "rank" has (1 + k % 7) / 8 of the rank. */
TEST(collection_has_the_rank_asked_for)
{
    static const char *const names[] = {"rank/0", "rank/3", "rank/13"};
    const size_t rows[] = {16, 16, 32}, rank[] = {2, 8, 28};
    for (size_t k = 0; k < 3; k++) {
        dls_properties f;
        dls_error error;
        dls_collected made = make_one(names[k]);
        assert_status(dls_collection_describe(&made, &f, &error), &error);
        assert_int_equal(f.rows, rows[k]);
        assert_int_equal(f.rank, rank[k]);
        assert_int_equal(f.degenerate, 0);
        assert_true(f.symmetric && f.complementary > 0.0);
        dls_collected_release(&made);
    }
}

/* Rows of closed loops in the plane: of 5 rows of each hinge, 3 of the loop depend on the others. */
TEST(collection_loops_are_redundant_and_consistent)
{
    dls_properties f;
    dls_error error;
    dls_collected made = make_one("loop-planar/0");
    assert_status(dls_collection_describe(&made, &f, &error), &error);
    assert_int_equal(f.rows, 20);
    assert_int_equal(f.rank, 17);
    dls_collected_release(&made);
}

static dls_collection_tally check_set(const char *folder, const char *name)
{
    const dls_job job = {.output = folder, .command = "test"};
    const dls_collection_set *set;
    dls_collection_tally tally = {0};
    dls_error error;
    size_t k;
    assert_status(dls_collection_find(name, &set, &k, &error), &error);
    assert_status(dls_collection_check(&job, set, k, &tally, &error), &error);
    return tally;
}

TEST(collection_check_certifies_and_continues)
{
    char folder[] = "/tmp/dls-collection-XXXXXX";
    assert_non_null(mkdtemp(folder));
    dls_collection_tally tally = check_set(folder, "copies/2");
    assert_int_equal(tally.problems, 1);
    assert_int_equal(tally.answers[DLS_ANSWER_SEVERAL], 1);
    tally = check_set(folder, "copies/1");
    assert_int_equal(tally.known, 0);
    tally = check_set(folder, "copies/2");
    assert_int_equal(tally.known, 1);
    assert_int_equal(tally.answers[DLS_ANSWER_SEVERAL], 1);
    assert_int_equal(check_set(folder, "none/2").answers[DLS_ANSWER_NONE], 1);
    assert_int_equal(check_set(folder, "p/7").answers[DLS_ANSWER_SOLUTION], 1); /* P: never several */
    assert_int_equal(check_set(folder, "loop-planar/1").answers[DLS_ANSWER_SEVERAL], 1);
    assert_int_equal(check_set(folder, "murty/7").answers[DLS_ANSWER_SOLUTION], 1);
    assert_int_equal(check_set(folder, "painleve/0").answers[DLS_ANSWER_SOLUTION], 1);
    assert_int_equal(check_set(folder, "painleve/8").answers[DLS_ANSWER_SEVERAL], 1);
    assert_int_equal(check_set(folder, "size/3").answers[DLS_ANSWER_SOLUTION], 1);
    char command[64], certificate[64];
    snprintf(certificate, sizeof certificate, "%s/size-1/4.cert.json", folder);
    FILE *stale = fopen(certificate, "w"); /* of an earlier answer: today's is too large for a file */
    assert_true(stale && fclose(stale) == 0);
    assert_int_equal(check_set(folder, "size/4").problems, 1);
    assert_int_equal(access(certificate, F_OK), -1);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
}

/* Replaces the table of copies-1 by its head and a row that is cut after `cells` cells, or has a word of its own. */
static void damage_table(const char *folder, size_t cells, const char *word)
{
    char path[64], line[4096], *text;
    size_t size;
    dls_error error;
    snprintf(path, sizeof path, "%s/copies-1.tsv", folder);
    assert_status(dls_file_read(path, &text, &size, &error), &error);
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    for (char *at = text, *end; *at; at = end + 1) {
        end = at + strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(end - at), at);
        if (strncmp(line, "copies-1/", 9) != 0) {
            fprintf(to, "%s\n", line);
            continue;
        }
        char *cell = line, *rest;
        for (size_t k = 0; k < cells && (rest = strsep(&cell, "\t")); k++)
            fprintf(to, "%s%s", k ? "\t" : "", word && k == 3 ? word : rest);
        fputs("\n", to);
    }
    fclose(to);
    free(text);
}

/* A row of the table that is cut, or has a word that is no answer, is not taken for an answer. */
TEST(collection_check_solves_damaged_rows_again)
{
    char folder[] = "/tmp/dls-collection-XXXXXX", command[64];
    assert_non_null(mkdtemp(folder));
    check_set(folder, "copies/2");
    for (size_t cells = 1; cells <= 9; cells++) {
        damage_table(folder, cells, NULL);
        const dls_collection_tally tally = check_set(folder, "copies/2");
        assert_int_equal(tally.known, cells == 9);
        assert_int_equal(tally.answers[DLS_ANSWER_SEVERAL], 1);
    }
    damage_table(folder, 9, "severally");
    assert_int_equal(check_set(folder, "copies/2").known, 0);
    assert_int_equal(check_set(folder, "copies/2").known, 1);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
}

TEST(collection_names_are_those_of_the_table)
{
    static const char *const wrong[] = {"definit", "definite-2", "definite/80", "definite/", "definite/-1", "murty/1x"};
    const dls_collection_set *set;
    dls_error error;
    size_t k;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(dls_collection_find(wrong[i], &set, &k, &error), DLS_BAD_INPUT);
    assert_status(dls_collection_find("spheres-cone-1/59", &set, &k, &error), &error);
    assert_string_equal(set->name, "spheres-cone");
    assert_int_equal(k, 59);
}
