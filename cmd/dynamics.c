/* delassus dynamics: a quantity of the inverse-dynamics suite, of an articulation in a given state. */
#include "command.h"

#include "delassus/articulation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a quantity is computed from, and where it is printed. */
typedef struct task {
    const dls_articulation *tree;
    dls_articulation_state *state;
    dls_articulation_work *work;
    double *vdot, *tau; /* nv: accelerations and joint forces of the state file */
    double *out;        /* nv */
    dls_vec3 gravity;
} task;

/* --- names ------------------------------------------------------------------------------------------------------------ */

/* The name of a degree of freedom: its joint's, with the axis where the joint has several; of the base, the axis. */
static void dof_name(const dls_articulation *tree, size_t dof, char *name, size_t size)
{
    static const char *const axes[] = {"twist", "swing1", "swing2", "x", "y", "z"};
    const char *axis = axes[dls_articulation_axis(tree, dof)];
    size_t link = tree->dof_link[dof];
    const dls_link_def *def = &tree->defs[link];
    if (dof < tree->n_base)
        snprintf(name, size, "base.%s", axis);
    else if (tree->links[link].n_dofs == 1)
        snprintf(name, size, "%s", def->joint[0] ? def->joint : def->name);
    else
        snprintf(name, size, "%s.%s", def->joint[0] ? def->joint : def->name, axis);
}

static size_t find_dof(const dls_articulation *tree, const char *wanted)
{
    char name[2 * DLS_NAME_MAX];
    for (size_t k = 0; k < tree->nv; k++) {
        dof_name(tree, k, name, sizeof name);
        if (strcmp(name, wanted) == 0)
            return k;
    }
    return DLS_NONE;
}

/* --- the state file: tab-separated columns joint, q, qd, qdd, tau, in any order; what is missing is 0 ------------------- */

enum { COLUMNS_MAX = 8 };
static const char *const column_names[] = {"joint", "q", "qd", "qdd", "tau", NULL};

static dls_status state_column(const char *file, long line, const char *cell, int *column, dls_error *error)
{
    char name[DLS_NAME_MAX];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(cell, "["), cell); /* a unit may follow */
    for (*column = 0; column_names[*column]; ++*column)
        if (strcmp(column_names[*column], name) == 0)
            return DLS_OK;
    return dls_fail_at(error, DLS_BAD_INPUT, file, line, 1, cell, "unknown column; a state has joint, q, qd, qdd, tau");
}

static dls_status set_value(task *t, size_t dof, int column, double value, dls_error *error)
{
    size_t link = t->tree->dof_link[dof];
    if (column == 1 && (dof < t->tree->n_base || t->tree->links[link].n_dofs != 1))
        return value == 0.0 ? DLS_OK
                            : dls_fail(error, DLS_BAD_INPUT, "the position of a base or of a joint of several axes cannot be given here");
    if (column == 1)
        dls_articulation_set_position(t->tree, t->state, link, value);
    else
        *(column == 2 ? &t->state->v[dof] : column == 3 ? &t->vdot[dof] : &t->tau[dof]) = value;
    return DLS_OK;
}

static dls_status state_row(task *t, const char *file, long line, char *text, const int *columns, int count, dls_error *error)
{
    char *cells[COLUMNS_MAX] = {NULL};
    size_t dof = DLS_NONE;
    int n = 0;
    for (char *rest = text, *cell; n < count && (cell = strsep(&rest, "\t"));)
        cells[n++] = cell;
    for (int i = 0; i < n; i++)
        if (columns[i] == 0)
            dof = find_dof(t->tree, cells[i]);
    if (dof == DLS_NONE)
        return dls_fail_at(error, DLS_BAD_INPUT, file, line, 1, "joint", "there is no joint '%.60s'", n ? cells[0] : "");
    for (int i = 0; i < n; i++) {
        double value;
        const char *end;
        if (columns[i] == 0 || !cells[i][0])
            continue;
        dls_status status = dls_parse_real(cells[i], "", &value, &end, error);
        if (status == DLS_OK && *end)
            status = dls_fail(error, DLS_BAD_INPUT, "'%.40s' is not a number", cells[i]);
        if (status == DLS_OK)
            status = set_value(t, dof, columns[i], value, error);
        if (status != DLS_OK)
            return dls_fail_place(error, status, file, line, i + 1, column_names[columns[i]]);
    }
    return DLS_OK;
}

static dls_status read_rows(task *t, const char *file, FILE *stream, dls_error *error)
{
    char text[4096];
    int columns[COLUMNS_MAX], count = 0;
    for (long line = 1; fgets(text, sizeof text, stream); line++) {
        text[strcspn(text, "\r\n")] = 0;
        if (!text[0] || text[0] == '#')
            continue;
        if (count > 0) {
            DLS_TRY(state_row(t, file, line, text, columns, count, error));
            continue;
        }
        for (char *rest = text, *cell; count < COLUMNS_MAX && (cell = strsep(&rest, "\t")); count++)
            DLS_TRY(state_column(file, line, cell, &columns[count], error));
    }
    return count > 0 ? DLS_OK : dls_fail_at(error, DLS_BAD_INPUT, file, 1, 1, NULL, "the state file is empty");
}

static dls_status read_state(task *t, const char *file, dls_error *error)
{
    FILE *stream = fopen(file, "r");
    if (!stream)
        return dls_fail_at(error, DLS_IO, file, 0, 0, NULL, "%s", strerror(errno));
    dls_status status = read_rows(t, file, stream, error);
    if (status == DLS_OK && ferror(stream))
        status = dls_fail_at(error, DLS_IO, file, 0, 0, NULL, "%s", strerror(errno));
    fclose(stream);
    return status;
}

/* --- quantities ----------------------------------------------------------------------------------------------------------- */

static void print_vector(const task *t, const char *column, const double *values)
{
    char name[2 * DLS_NAME_MAX];
    printf("joint\t%s\n", column);
    for (size_t k = 0; k < t->tree->nv; k++) {
        dof_name(t->tree, k, name, sizeof name);
        printf("%s\t%.17g\n", name, values[k]);
    }
}

static void print_dof_header(const task *t, const char *first)
{
    char name[2 * DLS_NAME_MAX];
    printf("%s", first);
    for (size_t k = 0; k < t->tree->nv; k++) {
        dof_name(t->tree, k, name, sizeof name);
        printf("\t%s", name);
    }
    printf("\n");
}

static void print_row(const task *t, const double *matrix, size_t rows, size_t row)
{
    for (size_t k = 0; k < t->tree->nv; k++)
        printf("\t%.17g", matrix[row + rows * k]);
    printf("\n");
}

static dls_status gravity(task *t, dls_error *error)
{
    (void)error;
    dls_articulation_gravity_force(t->work, t->gravity, t->out);
    print_vector(t, "generalized-gravity-force[N m|N]", t->out);
    return DLS_OK;
}

static dls_status coriolis(task *t, dls_error *error)
{
    (void)error;
    dls_articulation_coriolis_force(t->work, t->out);
    print_vector(t, "coriolis-and-centrifugal-force[N m|N]", t->out);
    return DLS_OK;
}

static dls_status joint_force(task *t, dls_error *error)
{
    (void)error;
    dls_articulation_joint_force(t->work, t->vdot, t->out);
    print_vector(t, "joint-force[N m|N]", t->out);
    return DLS_OK;
}

static dls_status inverse(task *t, dls_error *error)
{
    (void)error;
    dls_articulation_inverse(t->work, t->vdot, NULL, t->gravity, t->out);
    print_vector(t, "inverse-dynamics[N m|N]", t->out);
    return DLS_OK;
}

static dls_status joint_acceleration(task *t, dls_error *error)
{
    DLS_TRY(dls_articulation_factor(t->work, error));
    dls_articulation_forward(t->work, t->tau, NULL, t->gravity, t->out);
    print_vector(t, "joint-acceleration[rad/s^2|m/s^2]", t->out);
    return DLS_OK;
}

static dls_status matrix_of(size_t rows, size_t columns, double **matrix, dls_error *error)
{
    *matrix = calloc(rows * columns + 1, sizeof **matrix);
    return *matrix ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for a matrix of %zu rows", rows);
}

static dls_status mass_matrix(task *t, dls_error *error)
{
    char name[2 * DLS_NAME_MAX];
    size_t n = t->tree->nv;
    double *M;
    DLS_TRY(matrix_of(n, n, &M, error));
    dls_articulation_mass_matrix(t->work, M, n);
    print_dof_header(t, "joint");
    for (size_t i = 0; i < n; i++) {
        dof_name(t->tree, i, name, sizeof name);
        printf("%s", name);
        print_row(t, M, n, i);
    }
    free(M);
    return DLS_OK;
}

static const char *const axis_names[] = {"vx", "vy", "vz", "wx", "wy", "wz"};

static dls_status jacobian(task *t, dls_error *error)
{
    size_t rows = dls_articulation_jacobian_rows(t->tree), first = t->tree->fixed_base ? 1 : 0;
    double *J;
    DLS_TRY(matrix_of(rows, t->tree->nv, &J, error));
    dls_articulation_jacobian(t->work, J, rows);
    print_dof_header(t, "link\taxis");
    for (size_t i = 0; i < rows; i++) {
        printf("%s\t%s", t->tree->defs[first + i / 6].name, axis_names[i % 6]);
        print_row(t, J, rows, i);
    }
    free(J);
    return DLS_OK;
}

static dls_status momentum_matrix(task *t, dls_error *error)
{
    static const char *const names[] = {"px", "py", "pz", "Lx", "Ly", "Lz"};
    double *A;
    DLS_TRY(matrix_of(6, t->tree->nv, &A, error));
    dls_articulation_centroidal_momentum(t->work, A);
    print_dof_header(t, "axis");
    for (size_t i = 0; i < 6; i++) {
        printf("%s", names[i]);
        print_row(t, A, 6, i);
    }
    free(A);
    return DLS_OK;
}

static dls_status centre(task *t, dls_error *error)
{
    (void)error;
    dls_vec3 c = dls_articulation_centre_of_mass(t->work);
    printf("axis\tarticulation-com[m]\nx\t%.17g\ny\t%.17g\nz\t%.17g\n", c.x, c.y, c.z);
    return DLS_OK;
}

static const struct { const char *name; dls_status (*print)(task *, dls_error *); } quantities[] = {
    {"generalized-gravity-force", gravity}, {"coriolis-and-centrifugal-force", coriolis}, {"joint-force", joint_force},
    {"joint-acceleration", joint_acceleration}, {"inverse-dynamics", inverse}, {"generalized-mass-matrix", mass_matrix},
    {"dense-jacobian", jacobian}, {"articulation-com", centre}, {"centroidal-momentum-matrix", momentum_matrix}};
enum { QUANTITIES = sizeof quantities / sizeof quantities[0] };

static const char *quantity_name_at(const void *context, size_t i)
{
    (void)context;
    return i < QUANTITIES ? quantities[i].name : NULL;
}

/* --- the command ------------------------------------------------------------------------------------------------------------ */

static dls_status prepare(task *t, const arguments *a, dls_error *error)
{
    size_t nv = t->tree->nv;
    DLS_TRY(dls_articulation_state_create(t->tree, &t->state, error));
    DLS_TRY(dls_articulation_work_create(t->tree, &t->work, error));
    DLS_TRY(matrix_of(nv, 1, &t->vdot, error));
    DLS_TRY(matrix_of(nv, 1, &t->tau, error));
    DLS_TRY(matrix_of(nv, 1, &t->out, error));
    const char *file = argument(a, "state", NULL);
    if (file)
        DLS_TRY(read_state(t, file, error));
    DLS_TRY(dls_articulation_state_check(t->tree, t->state, error));
    dls_articulation_kinematics(t->state, t->work);
    dls_articulation_velocities(t->state->v, t->work);
    return DLS_OK;
}

static void release(task *t)
{
    free(t->out);
    free(t->tau);
    free(t->vdot);
    dls_articulation_work_destroy(t->work);
    dls_articulation_state_destroy(t->state);
}

static int print_quantity(const arguments *a, const dls_articulation *tree, size_t quantity)
{
    task t = {.tree = tree, .gravity = {0.0, 0.0, -9.81}};
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
    if (status == DLS_OK && shapes > 0)
        fprintf(stderr, "delassus: %s: %zu <visual> and <collision> elements are no concern of dynamics and were passed over\n", path, shapes);
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
        return complain_text("--quantity: there is no '%s'; %s%s", name, nearest ? "did you mean " : "see delassus dynamics --help", nearest ? nearest : "");
    }
    if (load(a->words[0], &tree, &error) != DLS_OK)
        return complain(&error);
    int status = print_quantity(a, tree, k);
    dls_articulation_destroy(tree);
    return status;
}

static const option_spec options[] = {
    {"quantity", 'q', "NAME", "which one [inverse-dynamics]"},
    {"state", 's', "FILE", "state: tab-separated columns joint, q, qd, qdd, tau; what is missing is 0"},
    {NULL, 0, NULL, NULL}};
const command command_dynamics = {
    "dynamics", "MODEL [--state FILE] [--quantity NAME]", "a quantity of an articulation's inverse dynamics, as a table",
    "MODEL is a robot in URDF. Gravity is (0, 0, -9.81) m/s^2. Quantities, in the world frame with a link's centre of mass as its reference\n"
    "point, armature included wherever masses are:\n"
    "  generalized-gravity-force       forces that hold it against gravity, at rest\n"
    "  coriolis-and-centrifugal-force  forces that its speeds ask for\n"
    "  joint-force                     M qdd + C, without gravity\n"
    "  inverse-dynamics                M qdd + C + g\n"
    "  joint-acceleration              qdd under the forces tau and gravity\n"
    "  generalized-mass-matrix         M\n"
    "  dense-jacobian                  velocities of the links' centres of mass over those of the joints\n"
    "  articulation-com                centre of mass\n"
    "  centroidal-momentum-matrix      momentum about it over the speeds of the joints",
    1, 1, options, run};
