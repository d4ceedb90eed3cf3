/* delassus dynamics: a quantity of the inverse-dynamics suite, of an articulation in a given state. */
#include "dynamics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- quantities --- */

static void print_vector(const dynamics_task *t, const char *column, const double *values)
{
    char name[2 * DLS_NAME_MAX];
    printf("joint\t%s\n", column);
    for (size_t k = 0; k < t->tree->nv; k++) {
        dls_articulation_dof_name(t->tree, k, name, sizeof name);
        printf("%s\t%.17g\n", name, values[k]);
    }
}

/* A column a degree of freedom, from `start` on. */
static void print_dof_header(const dynamics_task *t, const char *first, size_t start)
{
    char name[2 * DLS_NAME_MAX];
    printf("%s", first);
    for (size_t k = start; k < t->tree->nv; k++) {
        dls_articulation_dof_name(t->tree, k, name, sizeof name);
        printf("\t%s", name);
    }
    printf("\n");
}

static void print_row(const double *matrix, size_t rows, size_t columns, size_t row)
{
    for (size_t k = 0; k < columns; k++)
        printf("\t%.17g", matrix[row + rows * k]);
    printf("\n");
}

static dls_status gravity(dynamics_task *t, dls_error *error)
{
    (void)error;
    dls_articulation_gravity_force(t->work, t->gravity, t->out);
    print_vector(t, "generalized-gravity-force[N m|N]", t->out);
    return DLS_OK;
}

static dls_status coriolis(dynamics_task *t, dls_error *error)
{
    (void)error;
    dls_articulation_coriolis_force(t->work, t->out);
    print_vector(t, "coriolis-and-centrifugal-force[N m|N]", t->out);
    return DLS_OK;
}

static dls_status external(dynamics_task *t, dls_error *error)
{
    (void)error;
    dls_articulation_external_force(t->work, t->load->force, t->out);
    print_vector(t, "generalized-external-force[N m|N]", t->out);
    return DLS_OK;
}

static dls_status joint_force(dynamics_task *t, dls_error *error)
{
    (void)error;
    dls_articulation_joint_force(t->work, t->vdot, t->out);
    print_vector(t, "joint-force[N m|N]", t->out);
    return DLS_OK;
}

static dls_status inverse(dynamics_task *t, dls_error *error)
{
    (void)error;
    dls_articulation_inverse(t->work, t->vdot, NULL, t->gravity, t->out);
    print_vector(t, "inverse-dynamics[N m|N]", t->out);
    return DLS_OK;
}

static dls_status joint_acceleration(dynamics_task *t, dls_error *error)
{
    DLS_TRY(dls_articulation_factor(t->work, error));
    dls_articulation_forward(t->work, t->load->tau, NULL, t->gravity, t->out);
    print_vector(t, "joint-acceleration[rad/s^2|m/s^2]", t->out);
    return DLS_OK;
}

static dls_status matrix_of(size_t rows, size_t columns, double **matrix, dls_error *error)
{
    *matrix = calloc(rows * columns + 1, sizeof **matrix);
    return *matrix ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for a matrix of %zu rows", rows);
}

static dls_status print_square(dynamics_task *t, size_t start,
                               void (*compute)(dls_articulation_work *, double *, size_t), dls_error *error)
{
    char name[2 * DLS_NAME_MAX];
    size_t n = t->tree->nv - start;
    double *M;
    DLS_TRY(matrix_of(n, n, &M, error));
    compute(t->work, M, n);
    print_dof_header(t, "joint", start);
    for (size_t i = 0; i < n; i++) {
        dls_articulation_dof_name(t->tree, start + i, name, sizeof name);
        printf("%s", name);
        print_row(M, n, n, i);
    }
    free(M);
    return DLS_OK;
}

static dls_status mass_matrix(dynamics_task *t, dls_error *error)
{
    return print_square(t, 0, dls_articulation_mass_matrix, error);
}

static dls_status eliminated(dynamics_task *t, dls_error *error)
{
    return print_square(t, t->tree->n_base, dls_articulation_mass_matrix_eliminated, error);
}

static const char *const axis_names[] = {"vx", "vy", "vz", "wx", "wy", "wz"};

static dls_status jacobian(dynamics_task *t, dls_error *error)
{
    size_t rows = dls_articulation_jacobian_rows(t->tree), first = t->tree->fixed_base ? 1 : 0;
    double *J;
    DLS_TRY(matrix_of(rows, t->tree->nv, &J, error));
    dls_articulation_jacobian(t->work, J, rows);
    print_dof_header(t, "link\taxis", 0);
    for (size_t i = 0; i < rows; i++) {
        printf("%s\t%s", t->tree->defs[first + i / 6].name, axis_names[i % 6]);
        print_row(J, rows, t->tree->nv, i);
    }
    free(J);
    return DLS_OK;
}

static dls_status momentum_matrix(dynamics_task *t, dls_error *error)
{
    static const char *const names[] = {"px", "py", "pz", "Lx", "Ly", "Lz"};
    double *A;
    DLS_TRY(matrix_of(6, t->tree->nv, &A, error));
    dls_articulation_centroidal_momentum(t->work, A);
    print_dof_header(t, "axis", 0);
    for (size_t i = 0; i < 6; i++) {
        printf("%s", names[i]);
        print_row(A, 6, t->tree->nv, i);
    }
    free(A);
    return DLS_OK;
}

static dls_status centre(dynamics_task *t, dls_error *error)
{
    (void)error;
    dls_vec3 c = dls_articulation_centre_of_mass(t->work);
    printf("axis\tarticulation-com[m]\nx\t%.17g\ny\t%.17g\nz\t%.17g\n", c.x, c.y, c.z);
    return DLS_OK;
}

static const struct {
    const char *name;
    dls_status (*print)(dynamics_task *, dls_error *);
} quantities[] = {{"generalized-gravity-force", gravity},
                  {"coriolis-and-centrifugal-force", coriolis},
                  {"generalized-external-force", external},
                  {"joint-force", joint_force},
                  {"joint-acceleration", joint_acceleration},
                  {"inverse-dynamics", inverse},
                  {"generalized-mass-matrix", mass_matrix},
                  {"generalized-mass-matrix-root-eliminated", eliminated},
                  {"dense-jacobian", jacobian},
                  {"articulation-com", centre},
                  {"centre-of-mass", centre},
                  {"centroidal-momentum-matrix", momentum_matrix}};
enum { QUANTITIES = sizeof quantities / sizeof quantities[0] };

static const char *quantity_name_at(const void *context, size_t i)
{
    (void)context;
    return i < QUANTITIES ? quantities[i].name : NULL;
}

/* --- the command --- */

static dls_status prepare(dynamics_task *t, const arguments *a, dls_error *error)
{
    size_t nv = t->tree->nv;
    DLS_TRY(dls_articulation_state_create(t->tree, &t->state, error));
    DLS_TRY(dls_articulation_load_create(t->tree, &t->load, error));
    DLS_TRY(dls_articulation_work_create(t->tree, &t->work, error));
    DLS_TRY(matrix_of(nv, 1, &t->vdot, error));
    DLS_TRY(matrix_of(nv, 1, &t->out, error));
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
    free(t->out);
    free(t->vdot);
    dls_articulation_load_destroy(t->load);
    dls_articulation_work_destroy(t->work);
    dls_articulation_state_destroy(t->state);
}

static int print_quantity(const arguments *a, const dls_articulation *tree, size_t quantity)
{
    dynamics_task t = {.tree = tree, .gravity = {0.0, 0.0, -9.81}};
    dls_error error;
    dls_status status = prepare(&t, a, &error);
    if (status == DLS_OK)
        status = quantities[quantity].print(&t, &error);
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
    dls_articulation *tree;
    dls_error error;
    size_t k = 0;
    while (k < QUANTITIES && strcmp(quantities[k].name, name) != 0)
        k++;
    if (k == QUANTITIES) {
        const char *nearest = dls_nearest_word(name, quantity_name_at, NULL);
        return complain_text("--quantity: there is no '%s'; %s%s", name,
                             nearest ? "did you mean " : "see delassus dynamics --help", nearest ? nearest : "");
    }
    if (argument(a, "forces", NULL) && quantities[k].print != external)
        return complain_text("--forces: only generalized-external-force takes forces on links; '%s' does not", name);
    if (load(a->words[0], &tree, &error) != DLS_OK)
        return complain(&error);
    int status = print_quantity(a, tree, k);
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
    "dynamics",
    "MODEL [--state FILE] [--forces FILE] [--quantity NAME]",
    "a quantity of an articulation's inverse dynamics, as a table",
    "MODEL is a robot in URDF. Gravity is (0, 0, -9.81) m/s^2. Forces on links are in the world frame and act at their "
    "centres of mass.\n"
    "Quantities, in the world frame with a link's centre of mass as its reference point, armature included wherever "
    "masses are:\n"
    "  generalized-gravity-force       g: forces that hold it against gravity, at rest\n"
    "  coriolis-and-centrifugal-force  C: forces that its speeds ask for\n"
    "  generalized-external-force      -J^T f: forces that hold it against the forces on links, and against nothing "
    "else\n"
    "  joint-force                     M qdd + C, without gravity\n"
    "  inverse-dynamics                M qdd + C + g\n"
    "  joint-acceleration              qdd under the forces tau and gravity: M qdd = tau - C - g\n"
    "  generalized-mass-matrix         M, of a floating base with its six rows and columns\n"
    "  generalized-mass-matrix-root-eliminated  M of the joints with a floating base let go: M_jj - M_jb M_bb^-1 M_bj\n"
    "  dense-jacobian                  velocities of the links' centres of mass over those of the joints; of a fixed "
    "root none\n"
    "  articulation-com                centre of mass, also by the name centre-of-mass\n"
    "  centroidal-momentum-matrix      momentum of the links about it over the speeds of the joints, without armature",
    1,
    1,
    options,
    run};
