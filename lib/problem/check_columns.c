/* dC/dq by central differences along the columns of the generalised velocity, against the rows that the problem has.
 *
 * check.c moves the two ends of a joint by themselves. Here the whole state moves as a step moves it, q (+) s e_k, and
 * every row is looked at: also what lies between the joint's own J and the problem's, which is the way from a link to
 * its root, gears, the coordinates of hinges and sliders, and that no row has a column too few. Differences,
 * extrapolation and the ladder of steps are those of check.c. A row whose columns cancel (two links that nothing moves
 * against each other) is still as large as it is at its ends, and held against that.
 */
#include "delassus/check.h"
#include "delassus/problem.h"

#include "model/model.h"

#include <stdlib.h>

enum { RUNGS = 3, COLUMNS = 3 + RUNGS };

typedef struct columns {
    const dls_model *model;
    const dls_state *at;
    dls_state *moved;
    dls_configuration *here, *there; /* at `at`, and where it was moved */
    dls_problem *problem;
    double *e;                 /* nv: the unit vector */
    double *C, *D, *largest;   /* n: position errors, a difference, and the largest entries */
    double *difference[RUNGS]; /* n: the largest of each rung */
    double *memory;
} columns;

static void positions(columns *c, double s)
{
    dls_state_copy(c->moved, c->at);
    dls_configuration_advance(c->here, c->there, c->moved, c->e, s, true);
    for (size_t i = 0; i < c->problem->n; i++)
        c->C[i] = NAN;
    double *C = c->C;
    for (size_t j = 0; j < c->model->n_joints; j++) {
        const dls_joint *joint = &c->model->joints[j];
        dls_end end[2];
        dls_configuration_ends(c->there, joint, end);
        joint->type->position(joint, end, C);
        C += joint->type->count(joint);
    }
}

/* D += weight (C(+s) - C(-s)) / (2 s) */
static void add_central(columns *c, double s, double weight)
{
    for (int side = 1; side >= -1; side -= 2) {
        positions(c, side * s);
        for (size_t i = 0; i < c->problem->n; i++)
            c->D[i] += weight * side * c->C[i] / (2.0 * s);
    }
}

static void compare_column(columns *c, size_t k, double s, double *difference)
{
    const size_t n = c->problem->n;
    c->e[k] = 1.0;
    for (size_t i = 0; i < n; i++)
        c->D[i] = 0.0;
    add_central(c, 0.5 * s, 4.0 / 3.0);
    add_central(c, s, -1.0 / 3.0);
    for (size_t i = 0; i < n; i++) {
        double J = dls_rows_dot(&c->problem->J, i, c->e), error = fabs(J - c->D[i]);
        c->largest[i] = fmax(c->largest[i], fabs(J));
        if (!(error <= difference[i]))
            difference[i] = isnan(error) ? HUGE_VAL : error;
    }
    c->e[k] = 0.0;
}

/* The largest entry of a row before it goes into columns. */
static double at_ends(const dls_joint *joint, const dls_row *row)
{
    double largest = 0.0;
    for (int k = 0; k < 6; k++)
        largest = fmax(largest, fmax(fabs(row->J1[k]), fabs(row->J2[k])));
    for (size_t t = 0; t < joint->n_terms; t++)
        largest = fmax(largest, fabs(joint->terms[t].gear * row->Jy));
    return largest;
}

static void start_largest(columns *c)
{
    double *largest = c->largest;
    dls_configuration_set_velocity(c->here, c->at->v);
    for (size_t j = 0; j < c->model->n_joints; j++) {
        const dls_joint *joint = &c->model->joints[j];
        dls_row rows[DLS_JOINT_ROWS_MAX];
        size_t count = dls_rows_of_joint(c->here, joint, c->problem->h, rows);
        for (size_t r = 0; r < count; r++)
            *largest++ = at_ends(joint, &rows[r]);
    }
}

static double disagreement(const columns *c, size_t i)
{
    double best = HUGE_VAL;
    for (int rung = 0; rung < RUNGS; rung++)
        best = fmin(best, c->difference[rung][i]);
    return best == 0.0 ? 0.0 : best / c->largest[i];
}

static void judge(const columns *c, dls_jacobian_check *checks)
{
    size_t i = 0;
    for (size_t j = 0; j < c->model->n_joints; j++) {
        checks[j] = (dls_jacobian_check){0.0, 0};
        for (size_t r = 0; r < c->model->joints[j].type->count(&c->model->joints[j]); r++, i++) {
            double error = disagreement(c, i);
            if (error > checks[j].worst)
                checks[j] = (dls_jacobian_check){error, r};
        }
    }
}

static dls_status fill(columns *c, dls_error *error)
{
    DLS_TRY(dls_state_create(c->model, &c->moved, error));
    DLS_TRY(dls_configuration_create(c->model, &c->here, error));
    DLS_TRY(dls_configuration_create(c->model, &c->there, error));
    dls_configuration_evaluate(c->here, c->at);
    DLS_TRY(dls_problem_create(c->model, c->at, NULL, c->model->world.step, &c->problem, error));
    size_t n = c->problem->n;
    c->memory = calloc(COLUMNS * n + c->model->nv + 1, sizeof *c->memory);
    if (!c->memory)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for differences of %zu rows", n);
    c->C = c->memory, c->D = c->C + n, c->largest = c->D + n;
    for (int rung = 0; rung < RUNGS; rung++)
        c->difference[rung] = c->largest + n * (size_t)(rung + 1);
    c->e = c->memory + COLUMNS * n;
    return DLS_OK;
}

dls_status dls_check_columns(const dls_model *model, const dls_state *state, double step, dls_jacobian_check *checks,
                             dls_error *error)
{
    columns c = {.model = model, .at = state};
    if (!(step > 0.0) || !isfinite(step))
        return dls_fail(error, DLS_BAD_ARGUMENT, "the step of finite differences must be positive and finite, not %g",
                        step);
    dls_status status = fill(&c, error);
    if (status == DLS_OK) {
        start_largest(&c);
        for (int rung = 0; rung < RUNGS; rung++, step /= 16.0)
            for (size_t k = 0; k < model->nv; k++)
                compare_column(&c, k, step, c.difference[rung]);
        judge(&c, checks);
    }
    free(c.memory);
    dls_problem_destroy(c.problem);
    dls_configuration_destroy(c.here);
    dls_configuration_destroy(c.there);
    dls_state_destroy(c.moved);
    return status;
}
