/* The table of methods of constraint stabilisation, once for all experiments.
 *
 * ORDERS of the joint error in the step h, with d = h^2/2 (second derivative of C) the error of a straight step along a
 * curved constraint: without feedback t/h errors d add up to O(h t). If a feedback or correction removes the share s of
 * the error in each step, the error converges to d (1 - s)/s or d/s, O(h^2), whether s is due to ERP, sweeps or
 * substeps. Springs have the deflection load / kp, which does not depend on h. After a sweep from zero impulse J v
 * differs from c by a share of h times the load, and the position by h times this per step: O(h^2) again; so it does
 * under xpbd. avbd has a share of an error that its iterations leave, without an order. A midpoint rule misses the
 * curve by d = O(h^3). */
#include "study/rig.h"

#include <math.h>
#include <string.h>

#define METHOD(...) {__VA_ARGS__},
#define VARIANT(...) {__VA_ARGS__},
const dls_method dls_methods[] = {
#include "study/methods.def"
    {.name = NULL},
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
