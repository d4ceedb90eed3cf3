#include "delassus/experiments.h"

#include <math.h>

void dls_joint_errors(const dls_configuration *at, double *linear, double *angular)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    *linear = *angular = 0.0;
    for (size_t j = 0; j < at->model->n_joints; j++) {
        size_t count = dls_rows_of_joint(at, &at->model->joints[j], at->model->world.step, rows);
        for (size_t r = 0; r < count; r++) {
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
