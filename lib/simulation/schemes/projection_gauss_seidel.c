/* Nonlinear Gauss-Seidel on the positions after the step. T. Jakobsen, Advanced character physics, 2001 (relaxation
 * of positions, point masses); M. Mueller, B. Heidelberger, M. Hennix, J. Ratcliff, Position based dynamics, 2007;
 * for rigid bodies E. Catto, Box2D.
 *
 * A step at the velocity level (no bias), then `sweeps` passes over the rows with a position error, one after another:
 *     C, J at the current q;   sigma = -share C / (J M^-1 J^T);   q <- q (+) M^-1 J^T sigma
 * which makes the linearised C of the row zero (share 1) at the positions that the previous rows have produced. Only
 * the single row is linearised, so that large errors are no more difficult than small ones; like every Gauss-Seidel
 * method it needs many sweeps for long chains. A stop acts where C < 0, each time from 0: sigma is not accumulated,
 * since there is no force to be reduced. Other rows may close a gap. Displacements come from pairs of impulses: they do
 * not move the centre of mass, and do not change v. ERP determines only whether a row takes part (ERP > 0). M of bodies
 * is that at the start of the sweep; M of articulations, through which their rows act, is the current one.
 */
#include "positions.h"

typedef struct projection_gauss_seidel {
    size_t sweeps;
    double share;
} projection_gauss_seidel;

static const dls_field fields[] = {
    {"sweeps", "", DLS_FIELD_COUNT, offsetof(projection_gauss_seidel, sweeps), "4", 1, 1e9, false, NULL,
     "number of sweeps over the positions per step"},
    {"share", "", DLS_FIELD_REAL, offsetof(projection_gauss_seidel, share), "1", 0, 2, true, NULL,
     "share of its error that a row corrects when the sweep visits it"},
};

static void correct(dls_positions *p, size_t i, double share, double h)
{
    dls_list_row *row = &p->all->row[i];
    if (!dls_row_constrains_position(row, h) || dls_list_row_bias(row, (dls_time_base){h, h}) == 0.0)
        return;
    const double mobility = dls_row_list_response(p->all, i, p->displacement, p->scratch);
    if (mobility > 0.0)
        dls_stage_displace_row(p->simulation, p->all, i, -share * row->C / mobility, p->displacement);
}

static dls_status sweep(dls_positions *p, double share, double h, dls_error *error)
{
    DLS_TRY(dls_stage_rows(p->simulation, p->all, h, error));
    for (size_t i = 0, first = 0; i < p->all->n; i++) {
        const dls_list_row *row = &p->all->row[i];
        first = row->owner == p->all->row[first].owner ? first : i;
        if (row->role != DLS_ROLE_JOINT && row->role != DLS_ROLE_STOP)
            continue;
        DLS_TRY(dls_stage_renew_rows(p->simulation, p->all, first, h, error));
        correct(p, i, share, h);
    }
    return DLS_OK;
}

static dls_status step(dls_simulation *s, const void *settings, void *work, double h, dls_error *error)
{
    const projection_gauss_seidel *set = settings;
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, h, error));
    dls_stage_drop_bias(s, false);
    DLS_TRY(dls_stage_solve(s, dls_stage_iterations(s), error));
    dls_stage_kick(s);
    dls_stage_drift(s, h);
    dls_energies before = dls_stage_energies(s);
    for (size_t k = 0; k < set->sweeps; k++)
        DLS_TRY(sweep(work, set->share, h, error));
    dls_stage_count_correction(s, before);
    return dls_stage_end(s, h, error);
}

const dls_scheme dls_scheme_projection_gauss_seidel = {
    .name = "projection-gauss-seidel",
    .summary = "a solve at the velocity level, then nonlinear Gauss-Seidel on the positions, row by row",
    .source = "Jakobsen 2001; Mueller et al. 2007; Catto, Box2D",
    .fields = DLS_FIELD_TABLE(fields, projection_gauss_seidel),
    .open = dls_positions_open,
    .close = dls_positions_close,
    .step = step,
};
