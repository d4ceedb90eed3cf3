/* dynamics.h - an articulation in a given state, as `delassus dynamics` reads it from files. */
#ifndef DELASSUS_CMD_DYNAMICS_H
#define DELASSUS_CMD_DYNAMICS_H

#include "command.h"

#include "delassus/articulation.h"

/* The inputs of a quantity. */
typedef struct dynamics_task {
    const dls_articulation *tree;
    dls_articulation_state *state;
    dls_articulation_load *load;
    dls_articulation_work *work;
    double *vdot;        /* nv: accelerations of the state file */
    double *coordinates; /* nv: of the state file, while it is read */
    dls_vec3 gravity;
    const dls_articulation
        *held; /* the same tree on a fixed base, where the base moves as the state file says; or NULL */
    const dls_scene *scene;
    char notes[7][200];           /* facts on the answer, a line each; "" at the end */
    struct dynamics_loops *loops; /* of a quantity that needs them: dynamics_loops.c; else NULL */
} dynamics_task;

/* The meaning of a row or a column of a quantity: one value, a degree of freedom of the whole tree or of its joints
 * alone, a component of a link's velocity, of a point, of a momentum, a row of the joints that close loops. */
typedef enum dynamics_axis { VALUE, DOFS, JOINTS, LINK_AXES, AXES, MOMENTA, LOOP_ROWS } dynamics_axis;

typedef struct quantity {
    const char *name, *unit;
    dynamics_axis rows, columns;
    const char *help;
    dls_status (*compute)(dynamics_task *task, size_t rows, double *out, dls_error *error);
    bool loops;     /* needs dynamics_loops_open first */
    unsigned needs; /* aspects of the scene that it depends on: a sum of 1 << dls_aspect */
} quantity;
extern const quantity quantities[]; /* name NULL at the end */

/* The joint accelerations under load->tau and gravity of a tree whose base has the velocity and the acceleration of the
 * state file; the base's own six entries of qdd are those. DLS_BAD_INPUT where a joint moves no inertia. */
dls_status dynamics_forward_on_moved_base(dynamics_task *task, double *qdd, dls_error *error);

/* The loops that the rigid joints of the scene close, with the motors named in `motors` ("A,B" or NULL: all joints) and
 * the contacts named in `contacts` ("detected", "frictionless", "none" or NULL), in the state of the task; errors of
 * names have the key "motors". */
dls_status dynamics_loops_open(dynamics_task *task, const char *motors, const char *contacts, dls_error *error);
void dynamics_loops_close(dynamics_task *task);
size_t dynamics_loops_rows(const dynamics_task *task);
void dynamics_loops_row_name(const dynamics_task *task, size_t row, char *text, size_t size);
/* The quantities of loops; the last two leave facts on their answer in the notes. */
dls_status dynamics_loops_coefficients(dynamics_task *task, size_t rows, double *K, dls_error *error);
dls_status dynamics_loops_lambda(dynamics_task *task, size_t rows, double *lambda, dls_error *error);
dls_status dynamics_loops_force(dynamics_task *task, size_t rows, double *tau, dls_error *error);

/* Tables of a row a joint (columns joint, q, qd, qdd, tau) and of a row a link (link, fx, fy, fz, tx, ty, tz), into
 * state, vdot and load; columns in any order, and those that are missing keep their values. The q of a degree of
 * freedom is its coordinate; of a floating base, its centre of mass and the rotation vector of its link frame. Errors
 * name file, line and column's key. */
dls_status dynamics_read_state(dynamics_task *task, const char *file, dls_error *error);
dls_status dynamics_read_forces(dynamics_task *task, const char *file, dls_error *error);

#endif
