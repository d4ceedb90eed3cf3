/* delassus list: joint types, solvers, schemes, experiments and formats with their settings, from the descriptors. */
#include "dynamics.h"
#include "json.h"

#include <stdio.h>
#include <string.h>

static void print_fields(const dls_field_table *table)
{
    char range[256];
    for (size_t i = 0; i < table->count; i++) {
        const dls_field *f = &table->fields[i];
        dls_field_range(f, range, sizeof range);
        printf("    %-18s %-12s default %-14s %-20s %s\n", f->key, *f->unit ? f->unit : "-",
               !f->fallback   ? "(required)"
               : *f->fallback ? f->fallback
                              : "(unset)",
               *range ? range : "-", f->help);
    }
}

/* The entry of one thing in a list; NULL where it has nothing to say. */
typedef struct item {
    const char *name, *kind, *summary, *equation, *source, *unit;
    char takes[256];               /* its argument; "" */
    const dls_field_table *fields; /* NULL: none */
    dls_choice choice;             /* of a peer, which owns the rest */
} item;

typedef struct list {
    const char *name, *title;
    const char *common_text; /* fields that all items have beside their own, and a text on them; NULL: none */
    const dls_field_table *common;
    bool (*at)(size_t i, item *found); /* false at the end */
    bool flat;                         /* an item is one line */
    const char *(*where)(void);        /* the folder that the title ends with; NULL: none */
} list;

/* --- the lists --- */

static bool joint_at(size_t i, item *found)
{
    const dls_joint_type *type = dls_joint_type_at(i);
    if (!type)
        return false;
    *found = (item){.name = type->name, .summary = type->summary, .equation = type->equation, .fields = &type->fields};
    if (type->terms_min)
        snprintf(found->takes, sizeof found->takes, "coordinates: {NAME: gear, ..}, %zu or more", type->terms_min);
    else
        snprintf(found->takes, sizeof found->takes, "body1, body2%s",
                 type->coordinate ? "; provides a coordinate" : "");
    return true;
}

static bool motion_at(size_t i, item *found)
{
    const dls_motion *motion = dls_motions[i];
    if (!motion)
        return false;
    *found = (item){.name = motion->name, .summary = motion->summary};
    snprintf(found->takes, sizeof found->takes, "%zu degree%s of freedom", motion->n_dofs,
             motion->n_dofs == 1 ? "" : "s");
    return true;
}

static bool curve_at(size_t i, item *found)
{
    const dls_curve_type *type = dls_curve_types[i];
    if (!type)
        return false;
    *found = (item){.name = type->name, .summary = type->summary, .equation = type->equation, .fields = &type->fields};
    snprintf(found->takes, sizeof found->takes, "%s",
             type->has_points   ? "points: [[x, y, z], ..]"
             : type->has_pieces ? "pieces: [curve, ..]"
                                : "");
    return true;
}

static bool twist_at(size_t i, item *found)
{
    const dls_twist_type *type = dls_twist_types[i];
    if (!type)
        return false;
    *found = (item){.name = type->name, .summary = type->summary, .equation = type->equation, .fields = &type->fields};
    snprintf(found->takes, sizeof found->takes, "%s", type->has_points ? "points: [[s, angle], ..]" : "");
    return true;
}

static void describe_solver(const dls_solver *s, item *found)
{
    found->name = s->name, found->summary = s->summary, found->source = s->source, found->fields = &s->fields;
    found->kind = s->kind == DLS_SOLVER_DIRECT ? "direct" : "iterative";
    snprintf(found->takes, sizeof found->takes, "[0, inf)%s%s%s%s%s%s%s%s%s%s",
             s->accepts & DLS_ACCEPTS_FREE ? ", free rows" : "", s->accepts & DLS_ACCEPTS_BOXED ? ", any bounds" : "",
             s->accepts & DLS_ACCEPTS_UNSYMMETRIC ? ", unsymmetric A" : "",
             s->accepts & DLS_ACCEPTS_COUPLED ? ", friction in a box" : "",
             s->accepts & DLS_ACCEPTS_CONE ? ", Coulomb's cone" : "",
             s->accepts & DLS_ACCEPTS_ELLIPTIC ? ", anisotropic" : "",
             s->accepts & DLS_ACCEPTS_ROLLING ? ", rolling and torsional friction" : "",
             s->accepts & DLS_ACCEPTS_ASSOCIATED ? ", the associated law" : "",
             s->accepts & DLS_NEEDS_MASS ? "; needs the masses" : "",
             s->accepts & DLS_TAKES_START ? "; begins at a start" : "");
}

static bool solver_at(size_t i, item *found)
{
    *found = (item){.name = NULL};
    if (dls_solver_at(i))
        describe_solver(dls_solver_at(i), found);
    return found->name;
}

static bool peer_at(size_t i, item *found)
{
    static char why[DLS_NAME_MAX + DLS_MESSAGE_MAX];
    dls_peer peer;
    dls_error error;
    *found = (item){.name = NULL};
    if (!dls_peer_at(i, &peer))
        return false;
    if (!peer.built)
        snprintf(why, sizeof why, "not built; it needs %s (%s on Debian)", peer.library, peer.package);
    else if (dls_choice_create(peer.name, &found->choice, &error) == DLS_OK)
        return describe_solver(found->choice.solver, found), true;
    else
        snprintf(why, sizeof why, "%s", error.message);
    found->name = peer.name, found->summary = why;
    return true;
}

static bool engine_at(size_t i, item *found)
{
    static char text[DLS_NAME_MAX + DLS_MESSAGE_MAX];
    dls_engine_entry engine;
    *found = (item){.name = NULL};
    if (!dls_engine_at(i, &engine))
        return false;
    if (engine.built)
        snprintf(text, sizeof text, "%s", engine.summary);
    else
        snprintf(text, sizeof text, "%s; not built, it needs %s (%s)", engine.summary, engine.library, engine.package);
    found->name = engine.name, found->summary = text;
    return true;
}

static bool scheme_at(size_t i, item *found)
{
    const dls_scheme *scheme = dls_schemes[i];
    if (scheme)
        *found = (item){
            .name = scheme->name, .summary = scheme->summary, .source = scheme->source, .fields = &scheme->fields};
    return scheme;
}

static bool experiment_at(size_t i, item *found)
{
    const dls_experiment *experiment = dls_experiments[i];
    if (experiment)
        *found = (item){.name = experiment->name, .summary = experiment->summary, .fields = &experiment->fields};
    return experiment;
}

static bool format_at(size_t i, item *found)
{
    *found = (item){.name = dls_formats[i].name, .summary = dls_formats[i].help};
    return found->name;
}

static bool written_at(size_t i, item *found)
{
    *found = (item){.name = dls_written_formats[i].name, .summary = dls_written_formats[i].help};
    return found->name;
}

static bool quantity_at(size_t i, item *found)
{
    *found = (item){.name = quantities[i].name, .summary = quantities[i].help, .unit = quantities[i].unit};
    return found->name;
}

static const list lists[] = {
    {"joints", "Joint types", "Every joint has", &dls_joint_common_fields, joint_at, false, NULL},
    {"motions", "Motion types: what a link's joint lets move",
     "Every link of an articulation has the fields of a body, and", &dls_posed_joint_fields, motion_at, true, NULL},
    {"curves", "Curves of tracks", NULL, NULL, curve_at, false, NULL},
    {"twists", "Twists of tracks", NULL, NULL, twist_at, false, NULL},
    {"solvers", "Solvers", NULL, NULL, solver_at, false, NULL},
    {"peers", "Peers: solvers of other projects, in ", NULL, NULL, peer_at, false, dls_peer_folder},
    {"engines", "Engines of other projects, which step whole scenes, in ", NULL, NULL, engine_at, false,
     dls_engine_folder},
    {"schemes", "Schemes", NULL, NULL, scheme_at, false, NULL},
    {"experiments", "Experiments", NULL, NULL, experiment_at, false, NULL},
    {"formats", "Formats of files", NULL, NULL, format_at, true, NULL},
    {"written-formats", "Formats that convert writes", NULL, NULL, written_at, true, NULL},
    {"quantities", "Quantities of dynamics", NULL, NULL, quantity_at, true, NULL},
};
enum { LISTS = sizeof lists / sizeof lists[0] };

/* --- as text --- */

static void print_item(const list *of, const item *it)
{
    if (of->flat) {
        printf("  %-34s ", it->name);
        if (it->unit)
            printf("%-14s ", *it->unit ? it->unit : "-");
        printf("%s%s%s\n", it->summary, *it->takes ? "; " : "", it->takes);
        return;
    }
    printf("\n  %s%s%s%s: %s\n", it->name, it->kind ? " (" : "", it->kind ? it->kind : "", it->kind ? ")" : "",
           it->summary);
    if (it->equation)
        printf("    %s\n", it->equation);
    if (it->source)
        printf("    source: %s\n", it->source);
    if (*it->takes)
        printf("    takes:  %s\n", it->takes);
    if (it->fields)
        print_fields(it->fields);
}

static void print_list(const list *of)
{
    item it;
    printf("%s%s\n", of->title, of->where ? of->where() : "");
    if (of->common) {
        printf("\n  %s\n", of->common_text);
        print_fields(of->common);
    }
    printf("%s", of->flat ? "\n" : "");
    for (size_t i = 0; of->at(i, &it); i++) {
        print_item(of, &it);
        dls_choice_release(&it.choice);
    }
}

static void print_names(const list *of)
{
    item it;
    for (size_t i = 0; of->at(i, &it); i++) {
        printf("%s\n", it.name);
        dls_choice_release(&it.choice);
    }
}

void print_list_names(const char *name)
{
    for (size_t i = 0; i < LISTS; i++)
        if (strcmp(name, "lists") == 0)
            printf("%s\n", lists[i].name);
        else if (strcmp(name, lists[i].name) == 0)
            print_names(&lists[i]);
}

/* --- as JSON --- */

static json_t *json_fields(const dls_field_table *table)
{
    char range[256];
    json_t *all = json_array();
    for (size_t i = 0; table && i < table->count; i++) {
        const dls_field *f = &table->fields[i];
        json_t *field = json_object();
        dls_field_range(f, range, sizeof range);
        json_put(&field, "key", json_text(f->key));
        json_put(&field, "unit", json_text(f->unit));
        json_put(&field, "default", f->fallback && *f->fallback ? json_text(f->fallback) : json_null());
        json_put(&field, "required", json_boolean(!f->fallback));
        json_put(&field, "range", json_text(range));
        json_put(&field, "help", json_text(f->help));
        json_add(&all, field);
    }
    return all;
}

static json_t *json_item(const item *it)
{
    const struct {
        const char *key, *text;
    } texts[] = {{"name", it->name},
                 {"kind", it->kind},
                 {"summary", it->summary},
                 {"equation", it->equation},
                 {"source", it->source},
                 {"unit", it->unit},
                 {"takes", *it->takes ? it->takes : NULL}};
    json_t *o = json_object();
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].text)
            json_put(&o, texts[i].key, json_text(texts[i].text));
    json_put(&o, "fields", json_fields(it->fields));
    return o;
}

static bool print_json(const list *of)
{
    item it;
    json_t *o = json_object();
    json_t *items = json_array();
    for (size_t i = 0; of->at(i, &it); i++) {
        json_add(&items, json_item(&it));
        dls_choice_release(&it.choice);
    }
    json_put(&o, "list", json_text(of->name));
    json_put(&o, "common", json_fields(of->common));
    json_put(&o, "items", items);
    return json_print(o);
}

/* --- the command --- */

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

static int run_list(const arguments *a)
{
    const bool json = argument(a, "json", NULL), names = argument(a, "names", NULL);
    bool found = false, printed = true;
    for (size_t i = 0; i < LISTS; i++) {
        if (a->n_words && strcmp(a->words[0], lists[i].name) != 0)
            continue;
        if (json)
            printed = print_json(&lists[i]) && printed;
        else if (names)
            print_names(&lists[i]);
        else
            printf("%s", found ? "\n" : ""), print_list(&lists[i]);
        found = true;
    }
    if (found)
        return printed ? EXIT_DONE : EXIT_BAD_INPUT;
    return complain_text(
        "list: there is no list '%s'%s", a->words[0],
        dls_hint_of(dls_nearest_word(a->words[0], list_name_at, NULL), "see delassus list --help").text);
}

static const option_spec options[] = {
    JOINT_TYPE_OPTION, JSON_OPTION, {"names", 0, NULL, "only the names, one per line"}, {NULL, 0, NULL, NULL}};
const command command_list = {
    .name = "list",
    .usage = "[WHAT] [--names | --json]",
    .summary = "joint types, solvers, schemes and more, each setting with key, unit, default, range and help",
    .min_words = 0,
    .max_words = 1,
    .options = options,
    .run = run_list,
    .more = print_lists,
};
