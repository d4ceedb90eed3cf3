/* delassus list: what there is, from the descriptors. */
#include "dynamics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void range_text(const dls_field *f, char *text, size_t size)
{
    static const char *const kinds[] = {
        [DLS_FIELD_BOOL] = "true|false",  [DLS_FIELD_REALS] = "list of ",         [DLS_FIELD_COUNTS] = "list of ",
        [DLS_FIELD_CHOICES] = "list of ", [DLS_FIELD_NAMES] = "list of names",    [DLS_FIELD_TRACK] = "a track",
        [DLS_FIELD_JOINT] = "a joint",    [DLS_FIELD_END] = "body, link or world"};
    size_t used = (size_t)snprintf(text, size, "%s", kinds[f->kind] ? kinds[f->kind] : "");
    if (f->choices) {
        for (size_t i = 0; f->choices[i] && used < size; i++)
            used += (size_t)snprintf(text + used, size - used, "%s%.*s", i ? "|" : "", dls_choice_length(f->choices[i]),
                                     f->choices[i]);
    } else if (f->min != 0.0 || f->max != 0.0 || f->open_min) {
        snprintf(text + used, size - used, "%c%g, %g%c", f->open_min || isinf(f->min) ? '(' : '[', f->min, f->max,
                 isinf(f->max) ? ')' : ']');
    } else if (f->kind == DLS_FIELD_REALS || f->kind == DLS_FIELD_COUNTS) {
        snprintf(text + used, size - used, f->kind == DLS_FIELD_REALS ? "numbers" : "whole numbers");
    }
}

static void print_fields(const dls_field_table *table)
{
    char range[256];
    for (size_t i = 0; i < table->count; i++) {
        const dls_field *f = &table->fields[i];
        range_text(f, range, sizeof range);
        printf("    %-18s %-12s default %-14s %-20s %s\n", f->key, *f->unit ? f->unit : "-",
               !f->fallback   ? "(required)"
               : *f->fallback ? f->fallback
                              : "(unset)",
               *range ? range : "-", f->help);
    }
}

static void list_joints(void)
{
    printf("Joint types\n\n  Every joint has\n");
    print_fields(&dls_joint_common_fields);
    for (size_t i = 0; dls_joint_types[i]; i++) {
        const dls_joint_type *type = dls_joint_types[i];
        printf("\n  %s: %s\n    %s\n", type->name, type->summary, type->equation);
        if (type->terms_min)
            printf("    holds:  coordinates: {NAME: gear, ..}, %zu or more\n", type->terms_min);
        else
            printf("    holds:  body1, body2%s\n", type->coordinate ? "; provides a coordinate" : "");
        print_fields(&type->fields);
    }
}

static void list_motions(void)
{
    printf("Motion types: what a link's joint lets move\n\n  Every link of an articulation has the fields of a body, "
           "and\n");
    print_fields(&dls_drawn_joint_fields);
    printf("\n");
    for (size_t i = 0; dls_motions[i]; i++)
        printf("  %-20s degrees of freedom %zu    %s\n", dls_motions[i]->name, dls_motions[i]->n_dofs,
               dls_motions[i]->summary);
}

static void list_curves(void)
{
    printf("Curves of tracks\n");
    for (size_t i = 0; dls_curve_types[i]; i++) {
        const dls_curve_type *type = dls_curve_types[i];
        printf("\n  %s: %s\n    %s\n%s%s", type->name, type->summary, type->equation,
               type->has_points ? "    holds:  points: [[x, y, z], ..]\n" : "",
               type->has_pieces ? "    holds:  pieces: [curve, ..]\n" : "");
        print_fields(&type->fields);
    }
    printf("\nTwists of tracks\n");
    for (size_t i = 0; dls_twist_types[i]; i++) {
        const dls_twist_type *type = dls_twist_types[i];
        printf("\n  %s: %s\n    %s\n%s", type->name, type->summary, type->equation,
               type->has_points ? "    holds:  points: [[s, angle], ..]\n" : "");
        print_fields(&type->fields);
    }
}

static void print_solver(const dls_solver *s)
{
    printf("\n  %s (%s): %s\n    source: %s\n    takes:  [0, inf)%s%s%s%s%s\n", s->name,
           s->kind == DLS_SOLVER_DIRECT ? "direct" : "iterative", s->summary, s->source,
           s->accepts & DLS_ACCEPTS_FREE ? ", free rows" : "", s->accepts & DLS_ACCEPTS_BOXED ? ", any bounds" : "",
           s->accepts & DLS_ACCEPTS_UNSYMMETRIC ? ", unsymmetric A" : "",
           s->accepts & DLS_ACCEPTS_COUPLED ? ", friction in a box" : "",
           s->accepts & DLS_ACCEPTS_CONE ? ", Coulomb's cone" : "");
    print_fields(&s->fields);
}

static void list_solvers(void)
{
    printf("Solvers\n");
    for (size_t i = 0; dls_solver_at(i); i++)
        print_solver(dls_solver_at(i));
}

static void list_peers(void)
{
    dls_peer peer;
    printf("Peers: solvers of other projects, in %s\n", dls_peer_folder());
    for (size_t i = 0; dls_peer_at(i, &peer); i++) {
        dls_choice choice = {NULL, NULL, NULL};
        dls_error error;
        if (!peer.built)
            printf("\n  %s: not built; it needs %s (%s on Debian)\n", peer.name, peer.library, peer.package);
        else if (dls_choice_create(peer.name, &choice, &error) == DLS_OK)
            print_solver(choice.solver);
        else
            printf("\n  %s: %s\n", peer.name, error.message);
        dls_choice_release(&choice);
    }
}

static void list_schemes(void)
{
    printf("Schemes\n");
    for (size_t i = 0; dls_schemes[i]; i++) {
        printf("\n  %s: %s\n    source: %s\n", dls_schemes[i]->name, dls_schemes[i]->summary, dls_schemes[i]->source);
        print_fields(&dls_schemes[i]->fields);
    }
}

static void list_experiments(void)
{
    printf("Experiments\n");
    for (size_t i = 0; dls_experiments[i]; i++) {
        printf("\n  %s: %s\n", dls_experiments[i]->name, dls_experiments[i]->summary);
        print_fields(&dls_experiments[i]->fields);
    }
}

static void list_formats(void)
{
    printf("Formats of files\n\n");
    for (const dls_format *f = dls_formats; f->name; f++)
        printf("  %-18s %s\n", f->name, f->help);
}

static void list_quantities(void)
{
    printf("Quantities of dynamics\n\n");
    for (const quantity *q = quantities; q->name; q++)
        printf("  %-40s %-14s %s\n", q->name, *q->unit ? q->unit : "-", q->help);
}

static const struct {
    const char *name;
    void (*print)(void);
} lists[] = {{"joints", list_joints},           {"motions", list_motions}, {"curves", list_curves},
             {"solvers", list_solvers},         {"peers", list_peers},     {"schemes", list_schemes},
             {"experiments", list_experiments}, {"formats", list_formats}, {"quantities", list_quantities}};
enum { LISTS = sizeof lists / sizeof lists[0] };

static const char *list_name_at(const void *context, size_t i)
{
    (void)context;
    return i < LISTS ? lists[i].name : NULL;
}

static void print_lists(void)
{
    printf("\nLists:");
    for (size_t i = 0; i < LISTS; i++)
        printf(" %s", lists[i].name);
    printf("\n");
}

static int run(const arguments *a)
{
    bool found = false;
    for (size_t i = 0; i < LISTS; i++)
        if (!a->n_words || strcmp(a->words[0], lists[i].name) == 0) {
            printf("%s", found ? "\n" : "");
            lists[i].print();
            found = true;
        }
    if (found)
        return EXIT_DONE;
    const char *nearest = dls_nearest_word(a->words[0], list_name_at, NULL);
    return complain_text("list: there is no list '%s'; %s%s", a->words[0],
                         nearest ? "did you mean " : "see delassus list --help", nearest ? nearest : "");
}

static const option_spec options[] = {{NULL, 0, NULL, NULL}};
const command command_list = {
    .name = "list",
    .usage = "[WHAT]",
    .summary = "what there is, with every field: key, unit, default, range, help",
    .min_words = 0,
    .max_words = 1,
    .options = options,
    .run = run,
    .more = print_lists,
};
