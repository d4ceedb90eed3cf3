/* Split impulse: errors are corrected by pseudo-velocities, which move positions and leave momentum unchanged. K.
 * Guendelman, R. Bridson, R. Fedkiw, Nonconvex rigid bodies with stacking, 2003 (positions and velocities separately);
 * E. Catto, Modeling and solving constraints, GDC 2009 (pseudo-velocities).
 *
 * Two problems at the same q, with the same rows, M and bounds:
 *     v+ = v* + M^-1 J^T lambda             J v+ >= u            of all rows, without the bias
 * s = M^-1 J^T sigma J s >= -ERP C of the rows with a position error (dls_row_constrains_position);
 *                                                                s is a displacement
 *     q+ = q (+) h v+ (+) s                 v remains v+
 * ERP C is corrected as in Baumgarte's scheme, but the velocity that does so is discarded after the step: it adds no
 * energy to v and does not throw bodies upwards. The impulses sigma act in pairs like lambda, so s does not move the
 * centre of mass, and the linear momentum is that of v+. The angular momentum sum x x m v + I omega is not conserved
 * exactly by ANY correction of positions: at fixed v it changes by s x m v.
 *
 * For a STOP (contact, limit) the effect of v+ is included: with a velocity of separation, or a gap, the condition is
 * J (h v+ + s) >= -ERP C or -C, so that a gap is not closed twice, and separating bodies are not pushed.
 *
 * SAG. Sweeps from zero impulse that remove the share kappa of the error of a mode let a load sag, which accelerates
 * the mode by a: J v* = J v + h a. Baumgarte's scheme has J v+ = (1 - kappa) J v* + kappa c with c = -(ERP / h) C,
 * which is 0 at rest. Here J v+ = (1 - kappa) J v* without c, so that at rest J v+ = (1 - kappa) h a / kappa, and the
 * second problem takes back kappa ERP C of the way h J v+ that this makes in each step:
 *     Baumgarte       C = (1 - kappa) h^2 a / (kappa ERP)
 *     split impulse   C = (1 - kappa) h^2 a / (kappa^2 ERP)
 * 1 / kappa times as much, since two solves that are not converged act one after the other. tests/test_unconverged.c
 * measures both to 1e-9 and 1e-7 (the compliance). Warm starts leave neither.
 */
#include "positions.h"

typedef struct split_impulse {
    double compliance;
} split_impulse;

static const dls_field fields[] = {DLS_POSITION_COMPLIANCE(split_impulse)};

/* c of stops, displacements: less what h v+ does. */
static void count_motion(dls_positions *p, double h)
{
    const double *prescribed = dls_row_list_prescribed(p->rows), *v = dls_simulation_state(p->simulation)->v;
    for (size_t i = 0; i < p->rows->n; i++) {
        const dls_list_row *row = &p->rows->row[i];
        double way = h * (dls_rows_dot(&p->problem->J, i, v) + (prescribed ? prescribed[i] : 0.0));
        if (row->role == DLS_ROLE_STOP && (row->C > 0.0 || way > 0.0))
            p->problem->c[i] -= way;
    }
}

static dls_status step(dls_simulation *s, const void *settings, void *work, double h, dls_error *error)
{
    dls_positions *p = work;
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, h, error));
    dls_stage_drop_bias(s, false);
    DLS_TRY(dls_stage_solve(s, dls_stage_iterations(s), error));
    dls_stage_kick(s);
    DLS_TRY(dls_positions_assemble(p, h, error));
    count_motion(p, h);
    DLS_TRY(dls_positions_solve(p, ((const split_impulse *)settings)->compliance, error));
    dls_stage_drift(s, h);
    dls_positions_apply(p);
    return dls_stage_end(s, h, error);
}

const dls_scheme dls_scheme_split_impulse = {
    .name = "split-impulse",
    .summary = "pseudo-velocities correct positions by ERP C and leave momentum unchanged; two solves per step",
    .source = "Guendelman, Bridson, Fedkiw 2003; Catto 2009",
    .fields = DLS_FIELD_TABLE(fields, split_impulse),
    .open = dls_positions_open,
    .close = dls_positions_close,
    .step = step,
};
