/* Which solver for which problem: a tree learnt from the verdicts, and how often it errs.
 *
 * COST of choosing solver s for problem p, with r = its time over that of the fastest right answer: log10(r) / 10 if
 * its answer is right and r <= 10; 17 if it is silently wrong, the points between a right and a wrong answer; else 1.
 * A choice ERRS where the cost is 1 or more: the answer is not right, or the solver takes more than ten times as long
 * as the fastest one. Ten, because times of less than a millisecond vary. Problems that no solver has right have no
 * say.
 *
 * ERRORS are of choices for problems that the tree was not learnt from: 10 folds, drawn from a fixed seed, each
 * chosen for by a tree of the nine others; and each family by a tree of all other families, which is harder, since no
 * problem of its kind was seen. The best single solver, the tree without a question, has the same errors beside it. */
#include "profile/decision_tree.h"
#include "profile/profile.h"

#include "base/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FOLDS = 10, WRONG_COST = 17 };
static const double slow = 10.0;

/* The verdicts at one tolerance as samples: the problems that any solver has right. */
typedef struct choice {
    const dls_verdict_list *list;
    size_t tolerance;
    dls_samples samples;
    size_t *problem, *fold; /* samples.n */
    bool *use;              /* samples.n */
} choice;

/* --- samples --- */

static void find_fastest(const choice *c, double *fastest)
{
    for (size_t p = 0; p < c->list->n_problems; p++)
        fastest[p] = HUGE_VAL;
    for (size_t k = 0; k < c->list->count; k++) {
        const dls_judged *j = &c->list->judged[k];
        if (j->tolerance == c->tolerance && j->verdict == DLS_VERDICT_RIGHT)
            fastest[j->problem] = fmin(fastest[j->problem], fmax(j->cost[DLS_COST_SECONDS], 1e-9));
    }
}

static double cost_of(const dls_judged *j, double fastest)
{
    const double ratio = fmax(j->cost[DLS_COST_SECONDS], 1e-9) / fastest;
    return j->verdict == DLS_VERDICT_WRONG                    ? WRONG_COST
           : j->verdict == DLS_VERDICT_RIGHT && ratio <= slow ? 0.1 * log10(ratio)
                                                              : 1.0;
}

/* Fills the samples; `fastest` and `sample` have room for n_problems. */
static void fill_samples(choice *c, double *fastest, size_t *sample)
{
    const size_t classes = c->list->n_solvers;
    dls_samples *s = &c->samples;
    find_fastest(c, fastest);
    for (size_t p = 0; p < c->list->n_problems; p++) {
        if (isinf(fastest[p]))
            continue;
        memcpy(s->property + s->n * DLS_KNOWN, c->list->known[p].of, DLS_KNOWN * sizeof *s->property);
        for (size_t k = 0; k < classes; k++)
            s->cost[s->n * classes + k] = 1.0; /* no answer */
        c->problem[s->n] = p;
        sample[p] = s->n++;
    }
    for (size_t k = 0; k < c->list->count; k++) {
        const dls_judged *j = &c->list->judged[k];
        if (j->tolerance == c->tolerance && !isinf(fastest[j->problem]))
            s->cost[sample[j->problem] * classes + j->solver] = cost_of(j, fastest[j->problem]);
    }
}

static void choice_release(choice *c)
{
    free(c->samples.property), free(c->samples.cost), free(c->problem), free(c->fold), free(c->use);
}

/* Release it after a failure too. */
static dls_status choice_open(choice *c, dls_error *error)
{
    const size_t n = c->list->n_problems + 1, classes = c->list->n_solvers;
    double *fastest = malloc(n * sizeof *fastest);
    size_t *sample = malloc(n * sizeof *sample);
    c->samples = (dls_samples){.n_properties = DLS_KNOWN, .n_classes = classes};
    c->samples.property = malloc(n * DLS_KNOWN * sizeof *c->samples.property);
    c->samples.cost = malloc(n * (classes + 1) * sizeof *c->samples.cost);
    c->problem = malloc(n * sizeof *c->problem);
    c->fold = malloc(n * sizeof *c->fold);
    c->use = malloc(n * sizeof *c->use);
    const bool allocated =
        fastest && sample && c->samples.property && c->samples.cost && c->problem && c->fold && c->use;
    if (allocated)
        fill_samples(c, fastest, sample);
    free(fastest), free(sample);
    return allocated ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for a tree of %zu problems", n);
}

/* --- errors --- */

typedef struct errors {
    size_t n, wrong; /* choices, and those that err */
    double cost;     /* summed */
} errors;

static void count_errors(const choice *c, const dls_tree *tree, size_t fold, errors *found)
{
    for (size_t i = 0; i < c->samples.n; i++) {
        if (fold != DLS_NONE && c->fold[i] != fold)
            continue;
        const size_t leaf = dls_tree_leaf(tree, c->samples.property + i * DLS_KNOWN);
        const double cost = c->samples.cost[i * c->samples.n_classes + tree->node[leaf].choice];
        found->n++, found->wrong += cost >= 1.0, found->cost += cost;
    }
}

/* Each fold is chosen for by a tree of the others. */
static dls_status cross_validate(choice *c, size_t folds, size_t depth, errors *found, dls_error *error)
{
    *found = (errors){0};
    for (size_t fold = 0; fold < folds; fold++) {
        dls_tree tree;
        size_t others = 0;
        for (size_t i = 0; i < c->samples.n; i++)
            others += c->use[i] = c->fold[i] != fold;
        if (others == 0 || others == c->samples.n)
            continue;
        DLS_TRY(dls_tree_learn(&c->samples, c->use, depth, &tree, error));
        count_errors(c, &tree, fold, found);
    }
    return DLS_OK;
}

static void draw_folds(choice *c)
{
    uint64_t draws = 1984; /* any seed */
    for (size_t i = 0; i < c->samples.n; i++) {
        const size_t other = dls_draw_below(&draws, i + 1);
        c->fold[i] = c->fold[other];
        c->fold[other] = i;
    }
    for (size_t i = 0; i < c->samples.n; i++)
        c->fold[i] %= FOLDS;
}

static void put_errors(dls_table *table, double tolerance, const char *rule, const char *seen, const errors *found)
{
    const double n = (double)found->n;
    dls_table_row(table, "%g %s %s %zu %zu %g %g", tolerance, rule, seen, found->n, found->wrong,
                  (double)found->wrong / n, found->cost / n);
}

/* The errors of the tree and of the best single solver, on problems that they were learnt from and on others. */
static dls_status write_errors(choice *c, const dls_tree *tree, const dls_tree *single, dls_choice_errors *of,
                               dls_table *table, dls_error *error)
{
    static const char *const rules[] = {"single", "tree"};
    const double tolerance = c->list->tolerances[c->tolerance];
    for (size_t k = 0; k < 2; k++) {
        errors own = {0}, folds, families;
        const size_t depth = k > 0 ? DLS_TREE_DEPTH : 0;
        count_errors(c, k > 0 ? tree : single, DLS_NONE, &own);
        draw_folds(c);
        DLS_TRY(cross_validate(c, FOLDS, depth, &folds, error));
        for (size_t i = 0; i < c->samples.n; i++)
            c->fold[i] = c->list->family[c->problem[i]];
        DLS_TRY(cross_validate(c, c->list->n_families, depth, &families, error));
        put_errors(table, tolerance, rules[k], "all", &own);
        put_errors(table, tolerance, rules[k], "10-folds", &folds);
        put_errors(table, tolerance, rules[k], "other-families", &families);
        of->folds[k] = (double)folds.wrong / (double)folds.n;
        of->families[k] = (double)families.wrong / (double)families.n;
    }
    return DLS_OK;
}

/* --- the tree --- */

static void write_tree(const choice *c, const dls_tree *tree, dls_table *table)
{
    errors found[DLS_TREE_NODES] = {{0}};
    for (size_t i = 0; i < c->samples.n; i++) {
        const size_t leaf = dls_tree_leaf(tree, c->samples.property + i * DLS_KNOWN);
        found[leaf].wrong += c->samples.cost[i * c->samples.n_classes + tree->node[leaf].choice] >= 1.0;
    }
    for (size_t k = 0; k < tree->count; k++) {
        const dls_tree_node *node = &tree->node[k];
        dls_table_cells(table, "%g %zu %zu", c->list->tolerances[c->tolerance], k, node->depth);
        if (node->property == DLS_NONE)
            dls_table_cells(table, "%s %g %s %s %zu %s %zu", "-", NAN, "-", "-", node->n_samples,
                            c->list->solvers[node->choice], found[k].wrong);
        else
            dls_table_cells(table, "%s %g %zu %zu %zu %s %s", dls_known_names[node->property], node->threshold,
                            node->below, node->above, node->n_samples, "-", "-");
        dls_table_end_row(table);
    }
}

/* "condition <= 12: nsgs (40 problems)", a line each, indented by depth. */
static void print_node(const choice *c, const dls_tree *tree, size_t at, FILE *to)
{
    const dls_tree_node *node = &tree->node[at];
    const int indent = 4 * (int)node->depth;
    if (node->property == DLS_NONE) {
        fprintf(to, "%*s%s (%zu problems)\n", indent, "", c->list->solvers[node->choice], node->n_samples);
        return;
    }
    fprintf(to, "%*sif %s <= %g:\n", indent, "", dls_known_names[node->property], node->threshold);
    print_node(c, tree, node->below, to);
    fprintf(to, "%*selse:\n", indent, "");
    print_node(c, tree, node->above, to);
}

static dls_status write_choice(choice *c, dls_table *trees, dls_table *table, dls_choice_errors *of, dls_error *error)
{
    dls_tree tree, single;
    for (size_t i = 0; i < c->samples.n; i++)
        c->use[i] = true;
    if (c->samples.n == 0)
        return DLS_OK;
    DLS_TRY(dls_tree_learn(&c->samples, c->use, DLS_TREE_DEPTH, &tree, error));
    DLS_TRY(dls_tree_learn(&c->samples, c->use, 0, &single, error));
    write_tree(c, &tree, trees);
    of->single = single.node[0].choice, of->n = c->samples.n;
    DLS_TRY(write_errors(c, &tree, &single, of, table, error));
    size_t size;
    FILE *text = open_memstream(&of->text, &size);
    if (!text)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the text of a tree");
    print_node(c, &tree, 0, text);
    return fclose(text) == 0 ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for the text of a tree");
}

dls_status dls_choice_write(const dls_job *job, const dls_verdict_list *list, dls_choice_errors *of, dls_error *error)
{
    dls_table *tables[2] = {NULL, NULL};
    DLS_TRY(dls_job_table(job, "profile.tree", &tables[0], error));
    dls_status status = dls_job_table(job, "profile.choice", &tables[1], error);
    if (status == DLS_OK) {
        dls_table_columns(tables[0],
                          "tolerance\tnode\tdepth\tproperty\tthreshold\tbelow\tabove\tproblems\tsolver\terrors");
        dls_table_columns(tables[1], "tolerance\trule\tseen\tproblems\terrors\terror\tmean_cost");
    }
    for (size_t t = 0; t < list->n_tolerances && status == DLS_OK; t++) {
        choice c = {.list = list, .tolerance = t};
        of[t] = (dls_choice_errors){.single = DLS_NONE};
        status = choice_open(&c, error);
        if (status == DLS_OK)
            status = write_choice(&c, tables[0], tables[1], &of[t], error);
        choice_release(&c);
    }
    return dls_tables_end(tables, 2, status, error);
}
