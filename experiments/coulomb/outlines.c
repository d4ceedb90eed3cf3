/* Blocks and the forces that hold them, as tables for figures. */
#include "coulomb/parts.h"

void dls_coulomb_outline(dls_study *study, const char *name, size_t size, const dls_blocks *b)
{
    for (size_t i = 0; i < b->structure.n_bodies; i++)
        for (size_t k = 0; k < b->bodies[i].corners; k++) {
            const double *p = b->corner[i] + 2 * k, *q = b->corner[i] + 2 * ((k + 1) % 4);
            dls_table_row(study->tables[DLS_COULOMB_OUTLINES], "%s %zu %zu %g %g %g %g", name, size, i, p[0], p[1],
                          q[0] - p[0], q[1] - p[1]);
        }
}

/* The resultant of a joint, on body 0, at the centre of its normal forces. */
void dls_coulomb_forces(dls_study *study, const char *name, size_t size, const dls_blocks *b, const double *force)
{
    for (size_t k = 0; k < b->structure.n_joints; k++) {
        const dls_structure_joint *joint = &b->joints[k];
        const double *f = force + 3 * k, normal = f[0] + f[1], share = normal > 0.0 ? f[1] / normal : 0.0;
        const dls_vec3 n = dls_unit(dls_blocks_normal(joint));
        dls_table_row(study->tables[DLS_COULOMB_FORCES], "%s %zu %zu %g %g %g %g", name, size, k,
                      joint->point[0][0] + share * (joint->point[1][0] - joint->point[0][0]),
                      joint->point[0][1] + share * (joint->point[1][1] - joint->point[0][1]), normal * n.x + f[2] * n.z,
                      normal * n.z - f[2] * n.x);
    }
}
