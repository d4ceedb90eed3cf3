/* delassus check: the problems of a scene at several poses against the definitions of their rows and masses, and the
 * dense Delassus matrix against the row-wise operator. */
#include "json.h"

#include "delassus/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double operator_limit = 1e-12;
/* The dense matrix of more rows is not formed: memory and time grow with the square. */
enum { DENSE_ROWS = 1000 };

/* The worst of one subject over all poses. */
typedef struct worst {
    dls_check_found found;
    size_t pose;
    const char *label; /* of the row or body */
} worst;

/* One line of the report: a joint, all contacts, all bodies, or an articulation. */
typedef struct line {
    const char *name, *type;
    worst of[DLS_CHECK_SUBJECTS];
} line;

typedef struct checking {
    const dls_model *model;
    size_t poses, seed, pose;
    size_t n_joints, n_lines, n_contacts; /* joints, contacts, bodies, articulations */
    line *lines;
    double sight;
    size_t n_rows;     /* of the scene's first step */
    double difference; /* of its dense A from the row-wise operator, over the largest entry */
    dls_collider *collider;
    dls_contacts contacts;
    dls_state *state;
} checking;

static line *contacts_line(const checking *c) { return &c->lines[c->n_joints]; }
static line *bodies_line(const checking *c) { return &c->lines[c->n_joints + 1]; }
static line *member_line(const checking *c, size_t a) { return &c->lines[c->n_joints + 2 + a]; }

static void gather(line *to, dls_check_subject subject, const dls_check_found *found, size_t pose, const char *label)
{
    worst *at = &to->of[subject];
    if (!at->label || !(found->ratio <= at->found.ratio))
        *at = (worst){*found, pose, label};
}

static void gather_report(checking *c, const dls_problem *problem, const dls_check_report *report)
{
    const dls_list_row *row = dls_problem_rows(problem)->row;
    const dls_body *bodies = dls_model_bodies(c->model);
    const dls_model_articulation *articulations = dls_model_articulations(c->model);
    const dls_model_counts counts = dls_model_count(c->model);
    for (size_t i = 0; i < report->n_rows; i++) {
        const size_t owner = report->rows[i].owner;
        line *to = owner < c->n_joints ? &c->lines[owner] : contacts_line(c);
        for (int k = 0; k < DLS_CHECK_ROW_SUBJECTS; k++)
            gather(to, (dls_check_subject)k, &report->rows[i].found[k], c->pose, row[i].label);
    }
    for (int k = DLS_CHECK_ROW_SUBJECTS; k < DLS_CHECK_SUBJECTS; k++) {
        for (size_t i = 0; i < counts.bodies; i++)
            if (bodies[i].block != DLS_NONE)
                gather(bodies_line(c), (dls_check_subject)k,
                       &report->blocks[bodies[i].block].found[k - DLS_CHECK_ROW_SUBJECTS], c->pose, bodies[i].name);
        for (size_t a = 0; a < counts.articulations; a++)
            if (articulations[a].block != DLS_NONE)
                gather(member_line(c, a), (dls_check_subject)k,
                       &report->blocks[articulations[a].block].found[k - DLS_CHECK_ROW_SUBJECTS], c->pose,
                       articulations[a].tree->name);
    }
    c->n_contacts += c->contacts.count;
    c->sight = fmax(c->sight, report->sight);
}

/* The scene's own pose first, then poses off it. */
static dls_status check_pose(checking *c, dls_error *error)
{
    const dls_world_def *world = dls_model_world(c->model);
    const uint64_t seed = (uint64_t)c->seed * 1000003u + c->pose;
    dls_problem *problem = NULL;
    dls_check_report *report = NULL;
    dls_state_copy(c->state, dls_model_initial(c->model));
    DLS_TRY(c->pose > 0 ? dls_check_stir(c->model, c->state, seed, error)
                        : dls_check_settle(c->model, c->state, error));
    if (c->collider)
        DLS_TRY(dls_collider_find(c->collider, c->state, &c->contacts, error));
    DLS_TRY(dls_problem_create(c->model, c->state, &c->contacts, world->step, &problem, error));
    dls_status status = dls_check_problem(c->model, c->state, &c->contacts, problem, seed, &report, error);
    if (status == DLS_OK)
        gather_report(c, problem, report);
    dls_check_report_destroy(report);
    dls_problem_destroy(problem);
    return status;
}

static dls_status check_poses(checking *c, dls_error *error)
{
    const dls_model_counts counts = dls_model_count(c->model);
    c->n_joints = counts.joints;
    c->n_lines = counts.joints + 2 + counts.articulations;
    c->lines = calloc(c->n_lines, sizeof *c->lines);
    if (!c->lines)
        return dls_fail(error, DLS_NO_MEMORY, "no memory to check %zu joints", counts.joints);
    for (size_t j = 0; j < counts.joints; j++) {
        c->lines[j].name = dls_model_joints(c->model)[j].name;
        c->lines[j].type = dls_model_joints(c->model)[j].type->name;
    }
    contacts_line(c)->name = "contacts", contacts_line(c)->type = "detected";
    bodies_line(c)->name = "bodies", bodies_line(c)->type = "mass";
    for (size_t a = 0; a < counts.articulations; a++) {
        member_line(c, a)->name = dls_model_articulations(c->model)[a].tree->name;
        member_line(c, a)->type = "articulation";
    }
    if (dls_model_world(c->model)->collide)
        DLS_TRY(dls_collider_create(c->model, &c->collider, error));
    DLS_TRY(dls_state_create(c->model, &c->state, error));
    for (c->pose = 0; c->pose <= c->poses; c->pose++)
        DLS_TRY(check_pose(c, error));
    return DLS_OK;
}

/* --- printing --- */

static bool line_passes(const line *of)
{
    for (int k = 0; k < DLS_CHECK_SUBJECTS; k++)
        if (of->of[k].label && !(of->of[k].found.ratio <= 1.0))
            return false;
    return true;
}

static bool passes(const checking *c)
{
    bool good = c->difference <= operator_limit;
    for (size_t i = 0; i < c->n_lines && c->lines; i++)
        good = good && line_passes(&c->lines[i]);
    return good;
}

static void print_lines(const line *lines, size_t count, int first, int end)
{
    bool head = false;
    for (const line *of = lines; of < lines + count; of++) {
        if (!of->of[first].label)
            continue;
        if (!head) {
            printf("%-24s %-12s", first == 0 ? "joint" : "mass", "type");
            for (int k = first; k < end; k++)
                printf(" %13s", dls_check_subject_names[k]);
            printf("\n");
        }
        head = true;
        printf("%-24s %-12s", of->name, of->type);
        for (int k = first; k < end; k++)
            printf(" %13.1e", of->of[k].found.ratio);
        printf("%s\n", line_passes(of) ? "" : "  FAILED");
    }
}

/* Calls `tell` of every subject of every line that failed. */
static void each_failure(const checking *c, void (*tell)(const checking *, const line *, int, void *), void *context)
{
    for (const line *of = c->lines; of < c->lines + c->n_lines; of++)
        for (int k = 0; k < DLS_CHECK_SUBJECTS; k++)
            if (of->of[k].label && !(of->of[k].found.ratio <= 1.0))
                tell(c, of, k, context);
}

static void print_failure(const checking *c, const line *of, int k, void *unused)
{
    const worst *w = &of->of[k];
    const bool coarse = fabs(w->found.found - w->found.expected) <= w->found.allowed;
    (void)unused;
    printf("%s '%s', %s '%s', %s: is %.17g, should be %.17g, %s %.1e", of->type, of->name,
           k < DLS_CHECK_ROW_SUBJECTS ? "row" : "of", w->label, dls_check_subject_names[k], w->found.found,
           w->found.expected, coarse ? "which the differences tell only to" : "to within", w->found.allowed);
    if (w->pose == 0)
        printf(", at the scene's pose\n");
    else
        printf(", at pose %zu of seed %zu\n", w->pose, c->seed);
}

static void print_text(const checking *c)
{
    print_lines(c->lines, c->n_joints + 1, 0, DLS_CHECK_ROW_SUBJECTS);
    printf("\n");
    print_lines(c->lines + c->n_joints + 1, c->n_lines - c->n_joints - 1, DLS_CHECK_ROW_SUBJECTS, DLS_CHECK_SUBJECTS);
    printf("\n%zu poses, seed %zu, %zu contacts; wrong entries of J are seen from %.1e of their row on\n", c->poses + 1,
           c->seed, c->n_contacts, c->sight);
    if (c->n_rows <= DENSE_ROWS)
        printf("dense A against the row-wise operator, %zu rows: %.3e of the largest entry%s\n", c->n_rows,
               c->difference, c->difference <= operator_limit ? "" : "  FAILED");
    else
        printf("dense A is not formed: %zu rows, more than %d\n", c->n_rows, (int)DENSE_ROWS);
    each_failure(c, print_failure, NULL);
    printf("%s\n", passes(c) ? "all checks passed" : "a check FAILED");
}

/* --- JSON --- */

static void add_failure(const checking *c, const line *of, int k, void *context)
{
    json_t **failures = context, *o = json_object();
    const worst *w = &of->of[k];
    (void)c;
    json_put(&o, "name", json_text(of->name));
    json_put(&o, "type", json_text(of->type));
    json_put(&o, "of", json_text(w->label));
    json_put(&o, "subject", json_text(dls_check_subject_names[k]));
    json_put(&o, "pose", json_count(w->pose));
    json_put(&o, "found", json_number(w->found.found));
    json_put(&o, "expected", json_number(w->found.expected));
    json_put(&o, "allowed", json_number(w->found.allowed));
    json_add(failures, o);
}

static json_t *json_line(const line *of)
{
    json_t *o = json_object(), *ratios = json_object();
    for (int k = 0; k < DLS_CHECK_SUBJECTS; k++)
        if (of->of[k].label)
            json_put(&ratios, dls_check_subject_names[k], json_number(of->of[k].found.ratio));
    json_put(&o, "name", json_text(of->name));
    json_put(&o, "type", json_text(of->type));
    json_put(&o, "passed", json_boolean(line_passes(of)));
    json_put(&o, "ratios", ratios);
    return o;
}

static bool print_json(const checking *c)
{
    json_t *o = json_object(), *lines = json_array(), *failures = json_array();
    for (const line *of = c->lines; of < c->lines + c->n_lines; of++)
        if (of->of[0].label || of->of[DLS_CHECK_ROW_SUBJECTS].label)
            json_add(&lines, json_line(of));
    each_failure(c, add_failure, &failures);
    json_put(&o, "scene", json_text(dls_model_name(c->model)));
    json_put(&o, "passed", json_boolean(passes(c)));
    json_put(&o, "poses", json_count(c->poses + 1));
    json_put(&o, "seed", json_count(c->seed));
    json_put(&o, "contacts", json_count(c->n_contacts));
    json_put(&o, "sight", json_number(c->sight));
    json_put(&o, "rows", json_count(c->n_rows));
    json_put(&o, "operator_difference", c->n_rows <= DENSE_ROWS ? json_number(c->difference) : json_null());
    json_put(&o, "lines", lines);
    json_put(&o, "failures", failures);
    return json_print(o);
}

/* --- dense A --- */

/* max |A_ij - e_i . operator(e_j)| / max |A|, column by column through the examiner's own operator. */
static dls_status operator_error(const dls_problem *problem, double *error_found, dls_error *error)
{
    dls_dense *dense = NULL;
    dls_examiner *examiner = NULL;
    dls_certificate certificate;
    size_t n = problem->n;
    double largest = 0.0, off = 0.0, *e = calloc(n + 1, sizeof *e), *w = calloc(n + 1, sizeof *w);
    dls_status status =
        e && w ? dls_dense_create(problem, &dense, error) : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", n);
    if (status == DLS_OK)
        status = dls_examiner_create(problem, &examiner, error);
    for (size_t j = 0; status == DLS_OK && j < n; j++) {
        e[j] = 1.0;
        dls_examine(examiner, e, w, &certificate);
        e[j] = 0.0;
        for (size_t i = 0; i < n; i++) {
            off = fmax(off, fabs(w[i] - dense->b[i] - dense->A[i + n * j]));
            largest = fmax(largest, fmax(fabs(dense->A[i + n * j]), fabs(dense->b[i])));
        }
    }
    *error_found = largest > 0.0 ? off / largest : 0.0;
    dls_examiner_destroy(examiner);
    dls_dense_destroy(dense);
    free(e);
    free(w);
    return status;
}

static dls_status check_operator(checking *c, dls_error *error)
{
    dls_problem *problem;
    DLS_TRY(dls_first_problem(c->model, 0.0, &problem, error));
    c->n_rows = problem->n;
    const dls_status status = c->n_rows <= DENSE_ROWS ? operator_error(problem, &c->difference, error) : DLS_OK;
    dls_problem_destroy(problem);
    return status;
}

static int check_model(checking *c, bool json)
{
    dls_error error;
    bool printed = true;
    dls_status status = check_poses(c, &error);
    if (status == DLS_OK)
        status = check_operator(c, &error);
    if (status == DLS_OK && json)
        printed = print_json(c);
    else if (status == DLS_OK)
        print_text(c);
    const int verdict = !printed ? EXIT_BAD_INPUT : passes(c) ? EXIT_DONE : EXIT_UNSOLVED;
    dls_state_destroy(c->state);
    dls_contacts_release(&c->contacts);
    dls_collider_destroy(c->collider);
    free(c->lines);
    return status == DLS_OK ? verdict : complain(&error);
}

static int run_check(const arguments *a)
{
    checking c = {.poses = 4, .seed = 1};
    dls_model *model;
    dls_error error;
    if (!argument_count(a, "poses", 0, &c.poses) || !argument_count(a, "seed", 0, &c.seed))
        return EXIT_BAD_INPUT;
    if (dls_load_model(a->words[0], &model, &error) != DLS_OK)
        return complain(&error);
    c.model = model;
    int status = check_model(&c, argument(a, "json", NULL));
    dls_model_destroy(model);
    return status;
}

static const option_spec options[] = {{"poses", 'p', "N", "number of perturbed poses, at which joints have errors [4]"},
                                      {"seed", 0, "N", "seed of the random poses and motions [1]"},
                                      JOINT_TYPE_OPTION,
                                      JSON_OPTION,
                                      {NULL, 0, NULL, NULL}};
const command command_check = {
    .name = "check",
    .usage = "SCENE|ROBOT [--poses N] [--seed N]",
    .summary = "rows and masses against their definitions and finite differences; dense A against the row-wise "
               "operator",
    .details =
        "Prints the largest error of each kind, divided by the error allowed for rounding and for the "
        "differences'\n"
        "own estimated error: at most 1 passes. Exit status 1 if a check fails.\n"
        "C is compared with position(), J with differences of it with respect to the velocities of the joint's two\n"
        "ends and to those of the whole mechanism, c, Gamma, bounds and friction with the equations of\n"
        "doc/conventions.md and the settings of the joint; velocities with differences of poses, M with the "
        "kinetic\n"
        "energy, v* with d'Alembert's principle. The limit of dense A is 1e-12.",
    .min_words = 1,
    .max_words = 1,
    .files = 1,
    .options = options,
    .run = run_check,
};
