/* delassus dump: the matrices and vectors of a scene's first step, as Matrix Market files. */
#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct dump {
    const dls_problem *problem;
    const dls_dense *dense; /* of A, b, lo and hi; NULL where none of them was chosen */
    const char *folder, *stem;
} dump;

static void path_of(const dump *d, const char *suffix, char *path)
{
    snprintf(path, DLS_PATH_MAX, "%s/%s.%s", d->folder, d->stem, suffix);
}

static dls_status array(const dump *d, const char *what, const char *comment, size_t rows, size_t columns,
                        const double *values, dls_error *error)
{
    char path[DLS_PATH_MAX], suffix[32];
    snprintf(suffix, sizeof suffix, "%s.mtx", what);
    path_of(d, suffix, path);
    return dls_matrix_market_write(path, comment, rows, columns, values, error);
}

static dls_status dump_M(const dump *d, dls_error *error)
{
    size_t nv = d->problem->nv;
    double *M = calloc(nv * nv + 1, sizeof *M);
    dls_status status =
        M ? dls_dense_mass(d->problem, M, error) : dls_fail(error, DLS_NO_MEMORY, "no memory for the mass matrix");
    if (status == DLS_OK)
        status = array(d, "M",
                       "mass matrix, block-diagonal: diag(m 1, R I R^T) a body, the joint-space inertia an "
                       "articulation [kg, kg m, kg m^2]",
                       nv, nv, M, error);
    free(M);
    return status;
}

static dls_status dump_J(const dump *d, dls_error *error)
{
    char path[DLS_PATH_MAX];
    path_of(d, "J.mtx", path);
    return dls_matrix_market_write_rows(path, "constraint Jacobian, n x nv", &d->problem->J, error);
}

static dls_status dump_A(const dump *d, dls_error *error)
{
    size_t n = d->problem->n;
    return array(d, "A", "Delassus matrix J M^-1 J^T + CFM/h", n, n, d->dense->A, error);
}

static dls_status dump_lo(const dump *d, dls_error *error)
{
    return array(d, "lo", "lower bounds of the impulses [N s, N m s]", d->problem->n, 1, d->problem->lo, error);
}

static dls_status dump_hi(const dump *d, dls_error *error)
{
    return array(d, "hi", "upper bounds of the impulses [N s, N m s]", d->problem->n, 1, d->problem->hi, error);
}

/* b is of no use without its bounds: they come with it. */
static dls_status dump_b(const dump *d, dls_error *error)
{
    char path[DLS_PATH_MAX];
    DLS_TRY(array(d, "b", "b = J v* - c [m/s, rad/s]", d->problem->n, 1, d->dense->b, error));
    snprintf(path, sizeof path, "%s/%s", d->folder, d->stem);
    return dls_matrix_set_write_bounds(d->problem, path, error);
}

static dls_status dump_problem(const dump *d, dls_error *error)
{
    char path[DLS_PATH_MAX];
    path_of(d, "problem", path);
    return dls_problem_write(d->problem, path, error);
}

static const struct {
    const char *what;
    dls_status (*write)(const dump *, dls_error *);
    bool dense;
} parts[] = {{"M", dump_M, false},
             {"J", dump_J, false},
             {"A", dump_A, true},
             {"b", dump_b, true},
             {"lo", dump_lo, false},
             {"hi", dump_hi, false},
             {"problem", dump_problem, false}};

enum { PARTS = sizeof parts / sizeof parts[0] };

/* The words of --what as flags, so that a wrong one is found before anything is written. */
static dls_status choose_parts(const char *what, bool *chosen, dls_error *error)
{
    for (const char *from = what;; from++) {
        size_t length = strcspn(from, ","), i = 0;
        while (i < PARTS && (strlen(parts[i].what) != length || strncmp(parts[i].what, from, length) != 0))
            i++;
        if (i == PARTS)
            return dls_fail(error, DLS_BAD_INPUT, "--what: '%.*s' is none of M, J, A, b, lo, hi, problem", (int)length,
                            from);
        chosen[i] = true;
        from += length;
        if (!*from)
            return DLS_OK;
    }
}

static bool print_json(const arguments *a, const dump *d, const bool *chosen)
{
    json_t *o = json_object(), *what = json_array();
    for (size_t i = 0; i < PARTS; i++)
        if (chosen[i])
            json_add(&what, json_text(parts[i].what));
    json_put(&o, "file", json_text(a->words[0]));
    json_put(&o, "rows", json_count(d->problem->n));
    json_put(&o, "velocities", json_count(d->problem->nv));
    json_put(&o, "what", what);
    json_put(&o, "output", json_text(d->folder));
    json_put(&o, "stem", json_text(d->stem));
    return json_print(o);
}

static int run_dump(const arguments *a)
{
    char stem[DLS_NAME_MAX];
    dls_content content;
    dls_error error;
    const char *what = argument(a, "what", NULL);
    bool chosen[PARTS] = {false}, printed = true;
    if ((what && choose_parts(what, chosen, &error) != DLS_OK) ||
        load_problem(a, a->words[0], &content, &error) != DLS_OK)
        return complain(&error);
    note_scene(a->words[0], content.scene, false, true);
    dls_file_stem(a->words[0], stem, sizeof stem);
    if (!what) { /* a matrix is all that its problem says: no masses, no Jacobian */
        what = content.problem->form == DLS_FORM_MATRIX ? "A,b,problem" : "M,J,A,b,problem";
        (void)choose_parts(what, chosen, &error);
    }
    dls_dense *dense = NULL;
    dls_status status = DLS_OK;
    for (size_t i = 0; i < PARTS && status == DLS_OK && !dense; i++)
        if (chosen[i] && parts[i].dense)
            status = dls_dense_create(content.problem, &dense, &error);
    dump d = {content.problem, dense, argument(a, "output", "dump"), stem};
    for (size_t i = 0; i < PARTS && status == DLS_OK; i++)
        if (chosen[i])
            status = parts[i].write(&d, &error);
    if (status == DLS_OK && argument(a, "json", NULL))
        printed = print_json(a, &d, chosen);
    else if (status == DLS_OK)
        printf("%s: %s in %s/\n", a->words[0], what, d.folder);
    dls_dense_destroy(dense);
    dls_content_release(&content);
    return status != DLS_OK ? complain(&error) : printed ? EXIT_DONE : EXIT_BAD_INPUT;
}

static const option_spec options[] = {
    {"what", 'w', "LIST",
     "of M, J, A, b (with lo, hi and the coupling of friction), lo, hi, problem, separated by commas [all there are]"},
    {"format", 'f', "NAME", "format of the file [recognised from its content]"},
    {"output", 'o', "DIR", "folder [dump]"},
    JOINT_TYPE_OPTION,
    IGNORE_OPTION,
    JSON_OPTION,
    {NULL, 0, NULL, NULL}};
const command command_dump = {
    .name = "dump",
    .usage = "SCENE [--what M,J,A,b,problem] [-o DIR]",
    .summary = "matrices of a scene's first step as Matrix Market files, and the problem itself",
    .min_words = 1,
    .max_words = 1,
    .files = 1,
    .options = options,
    .run = run_dump,
    .more = name_formats,
};
