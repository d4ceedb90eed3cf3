/* The table of methods of constraint stabilisation, once for all experiments.
 *
 * ORDERS of the joint error in the step h, with d = h^2/2 (second derivative of C) the error of a straight step along a
 * curved constraint: without feedback t/h errors d add up to O(h t). If a feedback or correction removes the share s of
 * the error in each step, the error converges to d (1 - s)/s or d/s, O(h^2), whether s is due to ERP, sweeps or
 * substeps. Springs have the deflection load / kp, which does not depend on h. After a sweep from zero impulse J v
 * differs from c by a share of h times the load, and the position by h times this per step: O(h^2) again. A midpoint
 * rule misses the curve by d = O(h^3). */
#include "study/rig.h"

#include <math.h>
#include <string.h>

const dls_method dls_methods[] = {
    {"none", "euler", "feedback", "none", false, false, false, 1.0},
    {"baumgarte", "euler", NULL, NULL, false, false, true, 2.0},
    {"soft", "euler", NULL, NULL, true, false, false, 0.0},
    {"split-impulse", "split-impulse", NULL, NULL, false, false, true, 2.0},
    {"projection-gauss-seidel", "projection-gauss-seidel", NULL, NULL, false, false, false, 2.0},
    {"projection-newton", "projection-newton", NULL, NULL, false, false, false, NAN},
    {"tgs-step", "tgs", "time_base", "step", false, true, true, 2.0},
    {"tgs-substep", "tgs", "time_base", "substep", false, true, true, 2.0},
    {"small-steps", "small-steps", "relax", "0", false, false, true, 2.0},
    {"small-steps-relaxed", "small-steps", "relax", "1", false, false, true, 2.0},
    {"midpoint", "midpoint", NULL, NULL, false, false, true, 3.0},
    {"rattle", "rattle", NULL, NULL, false, false, true, NAN},
    {"moreau-jean", "moreau-jean", NULL, NULL, false, false, true, 2.0},
    {"small-steps-relaxed-3", "small-steps", "relax", "3", false, false, true, 2.0},
    {NULL, NULL, NULL, NULL, false, false, false, 0.0},
};

const dls_method *dls_method_find(const char *name)
{
    for (const dls_method *method = dls_methods; method->name; method++)
        if (strcmp(method->name, name) == 0)
            return method;
    return NULL;
}

void dls_stabilise_joints(dls_scene *scene, const dls_method *method, const dls_stabilisation *stabilisation)
{
    for (size_t j = 0; j < scene->n_joints; j++) {
        dls_joint_common *common = &scene->joints[j].common;
        common->erp = stabilisation->erp;
        common->frequency = method->soft ? stabilisation->frequency : NAN;
        common->damping_ratio = method->soft ? stabilisation->ratio : NAN;
        scene->joints[j].erp_or_cfm = NULL;
    }
}
