/* Semi-implicit (symplectic) Euler: conventions (1), (2), (6).
 *
 *     v* = v + h M^-1 (f_ext - f_bias)      in the problem
 *     v+ = v* + M^-1 J^T lambda             lambda by the solver
 *     q+ = q (+) h v+
 *
 * FEEDBACK of position errors. With J v+ = c the error at the end of the step is C(q+) = C + h J v+ + O(h^2):
 *     baumgarte   c = -(ERP / h) C + u     C+ = (1 - ERP) C + d
 *     none        c = u                    C+ = C + d
 * where d = h^2 / 2 (second derivative of C along v) + O(h^3) is the error of a straight step along a curved
 * constraint. Without feedback the errors add up: t / h steps of O(h^2) are a drift of O(h t). With feedback they
 * converge to d / ERP = O(h^2), and the velocity that corrects them adds energy (J. Baumgarte, Stabilization of
 * constraints and integrals of motion, 1972: C'' + 2 a C' + b^2 C = 0; the velocity level has the first-order law C' =
 * -(ERP / h) C). The C of a row with compliance is the deflection of a spring and a gap is not an error either: these
 * rows act in both cases.
 */
#include "delassus/scheme.h"

enum { BAUMGARTE, NONE };
typedef struct euler {
    int feedback;
} euler;

static const char *const feedbacks[] = {"baumgarte", "none", NULL};
static const dls_field fields[] = {
    {"feedback", "", DLS_FIELD_CHOICE, offsetof(euler, feedback), "baumgarte", 0, 0, false, feedbacks,
     "feedback of position errors; baumgarte: by the ERP of the rows; none: rows hold at the velocity level only"},
};

static dls_status prepare(dls_simulation *s, const void *settings, double h, dls_error *error)
{
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, h, error));
    if (((const euler *)settings)->feedback == NONE)
        dls_stage_drop_bias(s, false);
    return DLS_OK;
}

static dls_status finish(dls_simulation *s, const void *settings, double h, dls_error *error)
{
    (void)settings;
    dls_stage_kick(s);
    dls_stage_drift(s, h);
    return dls_stage_end(s, h, error);
}

static double feedback(const void *settings, double erp)
{
    return ((const euler *)settings)->feedback == BAUMGARTE ? erp : 0.0;
}

const dls_scheme dls_scheme_euler = {
    .name = "euler",
    .summary = "semi-implicit Euler, one linearisation and one solve per step",
    .source = "temporal-coherence, Time Stepping (corrected sign)",
    .fields = DLS_FIELD_TABLE(fields, euler),
    .prepare = prepare,
    .finish = finish,
    .feedback = feedback,
};
