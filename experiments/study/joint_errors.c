#include "delassus/experiments.h"

#include <math.h>

void dls_joint_errors(const dls_model *model, const dls_state *state, double *linear, double *angular)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    *linear = *angular = 0.0;
    dls_model_look(model, state);
    for (size_t j = 0; j < model->n_joints; j++) {
        const dls_joint *joint = &model->joints[j];
        dls_end ends[2];
        dls_model_ends(model, state, state->look, joint, ends);
        joint->type->rows(joint, ends, model->world.step, rows);
        for (size_t r = 0; r < joint->type->count(joint); r++) {
            if (dls_row_springs(&rows[r]))
                continue; /* a spring is not in error */
            double error = rows[r].lo == 0.0   ? fmax(-rows[r].C, 0.0)
                           : rows[r].hi == 0.0 ? fmax(rows[r].C, 0.0)
                                               : fabs(rows[r].C);
            double *worst = rows[r].angular ? angular : linear;
            *worst = fmax(*worst, error);
        }
    }
}
