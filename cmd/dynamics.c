/* delassus dynamics: a quantity of the inverse-dynamics suite, of an articulation in a given state. */
#include "dynamics.h"
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- quantities --- */

static dls_status compute_gravity(dynamics_task *t, size_t rows, double *out, dls_error *error)
{
    (void)rows, (void)error;
    dls_articulation_gravity_force(t->work, t->gravity, out);
    return DLS_OK;
}

static dls_status compute_coriolis(dynamics_task *t, size_t rows, double *out, dls_error *error)
{
    (void)rows, (void)error;
    dls_articulation_coriolis_force(t->work, out);
    return DLS_OK;
}

static dls_status compute_external(dynamics_task *t, size_t rows, double *out, dls_error *error)
{
    (void)rows, (void)error;
    dls_articulation_external_force(t->work, t->load->force, out);
    return DLS_OK;
}

static dls_status compute_joint_force(dynamics_task *t, size_t rows, double *out, dls_error *error)
{
    (void)rows, (void)error;
    dls_articulation_joint_force(t->work, t->vdot, out);
    return DLS_OK;
}

static dls_status compute_inverse(dynamics_task *t, size_t rows, double *out, dls_error *error)
{
    (void)rows, (void)error;
    dls_articulation_inverse(t->work, t->vdot, NULL, t->gravity, out);
    return DLS_OK;
}

static dls_status compute_bias(dynamics_task *t, size_t rows, double *out, dls_error *error)
{
    (void)rows, (void)error;
    dls_articulation_inverse(t->work, NULL, NULL, t->gravity, out);
    return DLS_OK;
}

static dls_status compute_forward(dynamics_task *t, size_t rows, double *out, dls_error *error)
{
    (void)rows;
    if (t->held)
        return dynamics_forward_on_moved_base(t, out, error);
    DLS_TRY(dls_articulation_check_dynamics(t->tree, error));
    DLS_TRY(dls_articulation_factor(t->work, error));
    dls_articulation_forward(t->work, t->load->tau, NULL, t->gravity, out);
    return DLS_OK;
}

static dls_status compute_mass(dynamics_task *t, size_t rows, double *out, dls_error *error)
{
    (void)error;
    dls_articulation_mass_matrix(t->work, out, rows);
    return DLS_OK;
}

static dls_status compute_eliminated(dynamics_task *t, size_t rows, double *out, dls_error *error)
{
    dls_articulation_mass_matrix_eliminated(t->work, out, rows);
    for (size_t k = 0; k < rows * rows; k++)
        if (!isfinite(out[k]))
            return dls_fail(
                error, DLS_BAD_INPUT,
                "the floating base '%s' cannot be eliminated: all links together have no mass, or no inertia "
                "about some axis",
                t->tree->defs[0].name);
    return DLS_OK;
}

static dls_status compute_jacobian(dynamics_task *t, size_t rows, double *out, dls_error *error)
{
    (void)error;
    dls_articulation_jacobian(t->work, out, rows);
    return DLS_OK;
}

static dls_status compute_centre(dynamics_task *t, size_t rows, double *out, dls_error *error)
{
    (void)rows;
    if (!(t->tree->mass > 0.0))
        return dls_fail(error, DLS_BAD_INPUT, "robot '%s' has no mass, and no centre of it", t->tree->name);
    dls_vec3 c = dls_articulation_centre_of_mass(t->work);
    out[0] = c.x, out[1] = c.y, out[2] = c.z;
    return DLS_OK;
}

static dls_status compute_momentum(dynamics_task *t, size_t rows, double *out, dls_error *error)
{
    (void)rows, (void)error;
    dls_articulation_centroidal_momentum(t->work, out);
    return DLS_OK;
}

/* A tree in itself has no constraints, contacts, springs or actuators. */
enum {
    OF_TREES = 1 << DLS_ASPECT_BODIES,
    OF_LOOPS = OF_TREES | 1 << DLS_ASPECT_CONSTRAINTS | 1 << DLS_ASPECT_CONTACTS
};
#define QUANTITY(id, name, unit, rows, columns, help) {name, unit, rows, columns, help, compute_##id, false, OF_TREES},
#define LOOP_QUANTITY(id, name, unit, rows, columns, help) \
    {name, unit, rows, columns, help, dynamics_loops_##id, true, OF_LOOPS},
const quantity quantities[] = {
#include "quantities.def"
    {NULL, NULL, VALUE, VALUE, NULL, NULL, false, 0}};
#undef QUANTITY
#undef LOOP_QUANTITY

static const char *quantity_name_at(const void *context, size_t i)
{
    (void)context;
    return quantities[i].name;
}

static void print_quantities(void)
{
    printf("\nQuantities:\n");
    for (const quantity *q = quantities; q->name; q++)
        printf("  %-40s %s\n", q->name, q->help);
}

/* --- printing --- */

static size_t length_of(const dynamics_task *t, dynamics_axis axis)
{
    const dls_articulation *tree = t->tree;
    const size_t lengths[] = {[VALUE] = 1,
                              [DOFS] = tree->nv,
                              [JOINTS] = tree->nv - tree->n_base,
                              [LINK_AXES] = dls_articulation_jacobian_rows(tree),
                              [AXES] = 3,
                              [MOMENTA] = 6,
                              [LOOP_ROWS] = t->loops ? dynamics_loops_rows(t) : 0};
    return lengths[axis];
}

/* Prints the name of the row or column; of a link's velocity in two cells. */
static void name_of(const dynamics_task *t, dynamics_axis axis, size_t i, char *text, size_t size)
{
    const dls_articulation *tree = t->tree;
    static const char *const velocities[] = {"vx", "vy", "vz", "wx", "wy", "wz"}, *const axes[] = {"x", "y", "z"},
                             *const momenta[] = {"px", "py", "pz", "Lx", "Ly", "Lz"};
    if (axis == LINK_AXES)
        snprintf(text, size, "%s\t%s", tree->defs[(tree->fixed_base ? 1 : 0) + i / 6].name, velocities[i % 6]);
    else if (axis == DOFS || axis == JOINTS)
        dls_articulation_dof_name(tree, axis == JOINTS ? tree->n_base + i : i, text, size);
    else if (axis == LOOP_ROWS)
        dynamics_loops_row_name(t, i, text, size);
    else
        snprintf(text, size, "%s", axis == AXES ? axes[i] : momenta[i]);
}

static void print_text(const dynamics_task *t, const quantity *q, const double *values)
{
    static const char *const first[] = {[DOFS] = "joint", [JOINTS] = "joint", [LINK_AXES] = "link\taxis",
                                        [AXES] = "axis",  [MOMENTA] = "axis", [LOOP_ROWS] = "row"};
    const size_t rows = length_of(t, q->rows), columns = length_of(t, q->columns);
    char name[4 * DLS_NAME_MAX];
    for (size_t k = 0; k < sizeof t->notes / sizeof t->notes[0] && t->notes[k][0]; k++)
        printf("# %s\n", t->notes[k]);
    printf("%s", first[q->rows]);
    if (q->columns == VALUE)
        printf("\t%s[%s]", q->name, q->unit);
    for (size_t k = 0; q->columns != VALUE && k < columns; k++) {
        name_of(t, q->columns, k, name, sizeof name);
        printf("\t%s", name);
    }
    printf("\n");
    for (size_t i = 0; i < rows; i++) {
        name_of(t, q->rows, i, name, sizeof name);
        printf("%s", name);
        for (size_t k = 0; k < columns; k++)
            printf("\t%.17g", values[i + rows * k]);
        printf("\n");
    }
}

static json_t *json_axis(const dynamics_task *t, dynamics_axis axis)
{
    char name[4 * DLS_NAME_MAX];
    json_t *array = json_array();
    for (size_t i = 0; axis != VALUE && i < length_of(t, axis); i++) {
        name_of(t, axis, i, name, sizeof name);
        if (strchr(name, '\t'))
            *strchr(name, '\t') = '.';
        json_add(&array, json_text(name));
    }
    return array;
}

/* The matrix by rows; a vector is a matrix of one column. */
static bool print_json(const dynamics_task *t, const quantity *q, const double *values)
{
    const size_t rows = length_of(t, q->rows), columns = length_of(t, q->columns);
    json_t *o = json_object(), *notes = json_array(), *matrix = json_array();
    for (size_t k = 0; k < sizeof t->notes / sizeof t->notes[0] && t->notes[k][0]; k++)
        json_add(&notes, json_text(t->notes[k]));
    for (size_t i = 0; i < rows; i++) {
        json_t *row = json_array();
        for (size_t k = 0; k < columns; k++)
            json_add(&row, json_number(values[i + rows * k]));
        json_add(&matrix, row);
    }
    json_put(&o, "quantity", json_text(q->name));
    json_put(&o, "unit", json_text(q->unit));
    json_put(&o, "articulation", json_text(t->tree->name));
    json_put(&o, "rows", json_axis(t, q->rows));
    json_put(&o, "columns", json_axis(t, q->columns));
    json_put(&o, "values", matrix);
    json_put(&o, "notes", notes);
    return json_print(o);
}

/* --- the command --- */

static dls_status prepare(dynamics_task *t, const arguments *a, dls_error *error)
{
    DLS_TRY(dls_articulation_state_create(t->tree, &t->state, error));
    DLS_TRY(dls_articulation_load_create(t->tree, &t->load, error));
    DLS_TRY(dls_articulation_work_create(t->tree, &t->work, error));
    t->vdot = calloc(t->tree->nv + 1, sizeof *t->vdot);
    if (!t->vdot)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu accelerations", t->tree->nv);
    const char *state = argument(a, "state", NULL), *forces = argument(a, "forces", NULL);
    if (state)
        DLS_TRY(dynamics_read_state(t, state, error));
    if (forces)
        DLS_TRY(dynamics_read_forces(t, forces, error));
    dls_articulation_kinematics(t->state, t->work);
    dls_articulation_velocities(t->state->v, t->work);
    return DLS_OK;
}

static int print_quantity(const arguments *a, dynamics_task *t, const quantity *q)
{
    dls_error error;
    dls_status status = prepare(t, a, &error);
    if (status == DLS_OK && q->loops)
        status = dynamics_loops_open(t, argument(a, "motors", NULL), argument(a, "contacts", NULL), &error);
    const size_t rows = length_of(t, q->rows);
    double *values = calloc(rows * length_of(t, q->columns) + 1, sizeof *values);
    if (status == DLS_OK && !values)
        status = dls_fail(&error, DLS_NO_MEMORY, "no memory for %s of %zu rows", q->name, rows);
    if (status == DLS_OK && (status = q->compute(t, rows, values, &error)) != DLS_OK)
        dls_fail_place(&error, status, a->words[0], 0, 0, NULL);
    bool printed = true;
    if (status == DLS_OK && argument(a, "json", NULL))
        printed = print_json(t, q, values);
    else if (status == DLS_OK)
        print_text(t, q, values);
    free(values);
    dynamics_loops_close(t);
    free(t->vdot);
    dls_articulation_load_destroy(t->load);
    dls_articulation_work_destroy(t->work);
    dls_articulation_state_destroy(t->state);
    return status != DLS_OK ? complain(&error) : printed ? EXIT_DONE : EXIT_BAD_INPUT;
}

/* --- which tree, and on which base --- */

/* The articulation of that name, or the only one there is; NULL after a message. */
static dls_articulation_def *choose_articulation(const arguments *a, const dls_scene *scene)
{
    const char *name = argument(a, "articulation", NULL);
    char names[DLS_MESSAGE_MAX / 2] = "none";
    for (size_t i = 0, used = 0; i < scene->n_articulations; i++) {
        dls_articulation_def *def = scene->articulations[i];
        if (name ? strcmp(def->name, name) == 0 : scene->n_articulations == 1)
            return def;
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", def->name);
    }
    if (name)
        complain_text("--articulation: there is no '%s'; those of %s are %s", name, a->words[0], names);
    else if (scene->n_articulations == 0)
        complain_text("%s: no articulation; dynamics is of trees of links, and bodies alone have none", a->words[0]);
    else
        complain_text("%s: several articulations; choose one of them by --articulation: %s", a->words[0], names);
    return NULL;
}

/* --base: as the scene has it, fixed, floating, or moved as the state file says: then the tree on a fixed base is made,
 * too. */
static dls_status make_trees(const char *base, dls_articulation_def *def, dls_articulation **tree,
                             dls_articulation **held, dls_error *error)
{
    *tree = *held = NULL;
    if (strcmp(base, "moved") == 0) {
        def->fixed_base = true;
        DLS_TRY(dls_articulation_create(def, held, error));
    }
    if (strcmp(base, "scene") != 0)
        def->fixed_base = strcmp(base, "fixed") == 0;
    return dls_articulation_create(def, tree, error);
}

static int run_scene(const arguments *a, const dls_scene *scene, const quantity *q)
{
    const char *base = argument(a, "base", "scene");
    dls_articulation_def *def = choose_articulation(a, scene);
    dls_articulation *tree, *held;
    dls_error error;
    if (!def)
        return EXIT_BAD_INPUT;
    dls_status status = make_trees(base, def, &tree, &held, &error);
    dynamics_task t = {.tree = tree, .held = held, .gravity = scene->world.gravity, .scene = scene};
    int result = status == DLS_OK ? print_quantity(a, &t, q) : complain(&error);
    dls_articulation_destroy(held);
    dls_articulation_destroy(tree);
    return result;
}

/* Whether the options are words that there are; complains of the first that is not. */
static bool check_options(const arguments *a, const quantity *q)
{
    static const char *const bases[] = {"scene", "fixed", "floating", "moved"};
    static const char *const kinds[] = {"none", "detected", "frictionless"};
    const char *name = argument(a, "quantity", ""), *base = argument(a, "base", bases[0]),
               *contacts = argument(a, "contacts", kinds[0]);
    bool known = false, known_contacts = false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        known_contacts = known_contacts || strcmp(contacts, kinds[i]) == 0;
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++)
        known = known || strcmp(base, bases[i]) == 0;
    if (!q->name) {
        complain_text("--quantity: there is no '%s'%s", name,
                      dls_hint_of(dls_nearest_word(name, quantity_name_at, NULL), "see delassus list quantities").text);
    } else if (!known) {
        complain_text("--base: '%s' is not scene, fixed, floating or moved", base);
    } else if (!known_contacts) {
        complain_text("--contacts: '%s' is not none, detected or frictionless", contacts);
    } else if (argument(a, "contacts", NULL) && !q->loops) {
        complain_text("--contacts: only the quantities of loops have contacts; '%s' has not", q->name);
    } else if (argument(a, "motors", NULL) && !q->loops) {
        complain_text("--motors: only the quantities of loops have motors; '%s' has not", q->name);
    } else if (argument(a, "forces", NULL) && q->compute != compute_external) {
        complain_text("--forces: only generalized-external-force takes forces on links; '%s' does not", q->name);
    } else {
        return true;
    }
    return false;
}

static int run_dynamics(const arguments *a)
{
    const char *name = argument(a, "quantity", "inverse-dynamics"), *gravity = argument(a, "gravity", NULL);
    const quantity *q = quantities;
    dls_scene *scene;
    dls_error error;
    while (q->name && strcmp(q->name, name) != 0)
        q++;
    if (!check_options(a, q))
        return EXIT_BAD_INPUT;
    if (dls_scene_read(a->words[0], &scene, &error) != DLS_OK)
        return complain(&error);
    note_scene(a->words[0], scene, true, true);
    int status;
    dls_scene_ignore(scene, ~q->needs);
    if (ignore_aspects(a, scene, &error) != DLS_OK || dls_scene_check_dropped(scene, q->needs, &error) != DLS_OK)
        status = complain(&error);
    else if (gravity && dls_field_set(&dls_world_fields, &scene->world, "gravity", gravity, &error) != DLS_OK)
        status = complain_text("--gravity: %s", error.message);
    else
        status = run_scene(a, scene, q);
    dls_scene_destroy(scene);
    return status;
}

static const option_spec options[] = {
    {"quantity", 'q', "NAME", "the quantity [inverse-dynamics]"},
    {"articulation", 'a', "NAME", "name of the articulation, if the scene has several"},
    {"state", 's', "FILE",
     "state: tab-separated columns joint, q, qd, qdd, tau; missing q and qd are those of the scene, other missing "
     "values 0"},
    {"forces", 'f', "FILE",
     "forces on links: tab-separated columns link, fx, fy, fz, tx, ty, tz; missing values are 0"},
    {"motors", 'm', "NAMES", "degrees of freedom with a motor, as in A,B, for loops [all joints]"},
    {"contacts", 'c', "KIND",
     "detected contacts that take part in loops: none, detected (friction is refused) or frictionless (normal forces "
     "alone) [none]"},
    {"gravity", 'g', "VECTOR", "acceleration of gravity, as in \"[0, 0, -1.62]\" [the scene's]"},
    {"base", 'b', "KIND",
     "the root link: fixed, floating, moved (its motion is in the state file), or scene: as in the scene [scene]"},
    JOINT_TYPE_OPTION,
    IGNORE_OPTION,
    JSON_OPTION,
    {NULL, 0, NULL, NULL}};
const command command_dynamics = {
    .name = "dynamics",
    .usage = "SCENE|ROBOT [--articulation NAME] [--state FILE] [--forces FILE] [--quantity NAME]",
    .summary = "a quantity of an articulation's inverse dynamics, as a table",
    .details =
        "The articulation is one of a scene, or a robot. Forces on links are in the world frame and act at their "
        "centres of mass.\n"
        "All is in the world frame with a link's centre of mass as its reference point, armature included "
        "wherever masses are.",
    .min_words = 1,
    .max_words = 1,
    .files = 1,
    .options = options,
    .run = run_dynamics,
    .more = print_quantities,
};
