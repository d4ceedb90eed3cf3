/* delassus dynamics: a quantity of the inverse-dynamics suite, of an articulation in a given state. */
#include "dynamics.h"

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

static dls_status compute_forward(dynamics_task *t, size_t rows, double *out, dls_error *error)
{
    (void)rows;
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

#define QUANTITY(id, name, unit, rows, columns, help) {name, unit, rows, columns, help, compute_##id},
const quantity quantities[] = {
#include "quantities.def"
    {NULL, NULL, VALUE, VALUE, NULL, NULL}};
#undef QUANTITY

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

static size_t length_of(const dls_articulation *tree, dynamics_axis axis)
{
    const size_t lengths[] = {[VALUE] = 1,
                              [DOFS] = tree->nv,
                              [JOINTS] = tree->nv - tree->n_base,
                              [LINK_AXES] = dls_articulation_jacobian_rows(tree),
                              [AXES] = 3,
                              [MOMENTA] = 6};
    return lengths[axis];
}

/* What the row or column is called, of a link's velocity in two cells. */
static void print_name(const dls_articulation *tree, dynamics_axis axis, size_t i)
{
    static const char *const velocities[] = {"vx", "vy", "vz", "wx", "wy", "wz"}, *const axes[] = {"x", "y", "z"},
                             *const momenta[] = {"px", "py", "pz", "Lx", "Ly", "Lz"};
    char name[2 * DLS_NAME_MAX];
    if (axis == LINK_AXES) {
        printf("%s\t%s", tree->defs[(tree->fixed_base ? 1 : 0) + i / 6].name, velocities[i % 6]);
    } else if (axis == DOFS || axis == JOINTS) {
        dls_articulation_dof_name(tree, axis == JOINTS ? tree->n_base + i : i, name, sizeof name);
        printf("%s", name);
    } else {
        printf("%s", axis == AXES ? axes[i] : momenta[i]);
    }
}

static void print_table(const dls_articulation *tree, const quantity *q, const double *values)
{
    static const char *const first[] = {
        [DOFS] = "joint", [JOINTS] = "joint", [LINK_AXES] = "link\taxis", [AXES] = "axis", [MOMENTA] = "axis"};
    size_t rows = length_of(tree, q->rows), columns = length_of(tree, q->columns);
    printf("%s", first[q->rows]);
    if (q->columns == VALUE)
        printf("\t%s[%s]", q->name, q->unit);
    for (size_t k = 0; q->columns != VALUE && k < columns; k++) {
        printf("\t");
        print_name(tree, q->columns, k);
    }
    printf("\n");
    for (size_t i = 0; i < rows; i++) {
        print_name(tree, q->rows, i);
        for (size_t k = 0; k < columns; k++)
            printf("\t%.17g", values[i + rows * k]);
        printf("\n");
    }
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

static void release(dynamics_task *t)
{
    free(t->vdot);
    dls_articulation_load_destroy(t->load);
    dls_articulation_work_destroy(t->work);
    dls_articulation_state_destroy(t->state);
}

static int print_quantity(const arguments *a, const dls_articulation *tree, const quantity *q)
{
    dynamics_task t = {.tree = tree, .gravity = {0.0, 0.0, -9.81}};
    size_t rows = length_of(tree, q->rows);
    dls_error error;
    dls_status status = prepare(&t, a, &error);
    double *values = calloc(rows * length_of(tree, q->columns) + 1, sizeof *values);
    if (status == DLS_OK && !values)
        status = dls_fail(&error, DLS_NO_MEMORY, "no memory for %s of %zu rows", q->name, rows);
    if (status == DLS_OK && (status = q->compute(&t, rows, values, &error)) != DLS_OK)
        dls_fail_place(&error, status, a->words[0], 0, 0, NULL);
    if (status == DLS_OK)
        print_table(tree, q, values);
    free(values);
    release(&t);
    return status == DLS_OK ? EXIT_DONE : complain(&error);
}

static dls_status load(const char *path, dls_articulation **tree, dls_error *error)
{
    dls_articulation_def *def;
    size_t shapes;
    DLS_TRY(dls_urdf_read(path, &def, &shapes, error));
    dls_status status = dls_articulation_create(def, tree, error);
    dls_articulation_def_destroy(def);
    if (status == DLS_OK)
        note_shapes(path, shapes);
    return status;
}

static int run(const arguments *a)
{
    const char *name = argument(a, "quantity", "inverse-dynamics");
    const quantity *q = quantities;
    dls_articulation *tree;
    dls_error error;
    while (q->name && strcmp(q->name, name) != 0)
        q++;
    if (!q->name) {
        const char *nearest = dls_nearest_word(name, quantity_name_at, NULL);
        return complain_text("--quantity: there is no '%s'; %s%s", name,
                             nearest ? "did you mean " : "see delassus list quantities", nearest ? nearest : "");
    }
    if (argument(a, "forces", NULL) && q->compute != compute_external)
        return complain_text("--forces: only generalized-external-force takes forces on links; '%s' does not", name);
    if (load(a->words[0], &tree, &error) != DLS_OK)
        return complain(&error);
    int status = print_quantity(a, tree, q);
    dls_articulation_destroy(tree);
    return status;
}

static const option_spec options[] = {
    {"quantity", 'q', "NAME", "which one [inverse-dynamics]"},
    {"state", 's', "FILE", "state: tab-separated columns joint, q, qd, qdd, tau; what is missing is 0"},
    {"forces", 'f', "FILE",
     "forces on links: tab-separated columns link, fx, fy, fz, tx, ty, tz; what is missing is 0"},
    {NULL, 0, NULL, NULL}};
const command command_dynamics = {
    .name = "dynamics",
    .usage = "MODEL [--state FILE] [--forces FILE] [--quantity NAME]",
    .summary = "a quantity of an articulation's inverse dynamics, as a table",
    .details = "MODEL is a robot in URDF. Gravity is (0, 0, -9.81) m/s^2. Forces on links are in the world frame and "
               "act at their centres of mass.\n"
               "All is in the world frame with a link's centre of mass as its reference point, armature included "
               "wherever masses are.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .run = run,
    .more = print_quantities,
};
