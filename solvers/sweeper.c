#include "sweeper.h"

dls_status dls_sweeper_create(const void *settings, dls_packed **packed, dls_error *error)
{
    double omega = ((const dls_sweeper_settings *)settings)->omega;
    *packed = NULL;
    if (!(omega > 0.0 && omega < 2.0))
        return dls_fail(error, DLS_BAD_ARGUMENT, "omega must lie between 0 and 2, both excluded, not %g", omega);
    return dls_packed_create(omega, packed, error);
}

dls_status dls_sweeper_open(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                            dls_error *error)
{
    dls_packed *packed;
    *work = NULL;
    DLS_TRY(dls_sweeper_create(settings, &packed, error));
    dls_status status = dls_packed_load(packed, problem, lambda0, error);
    if (status == DLS_OK)
        *work = packed;
    else
        dls_packed_destroy(packed);
    return status;
}

dls_status dls_sweeper_reload(void *work, const dls_problem *problem, const double *lambda0, dls_error *error)
{
    return dls_packed_load(work, problem, lambda0, error);
}

void dls_sweeper_read(const void *work, double *lambda) { dls_packed_read(work, lambda); }

void dls_sweeper_refresh(void *work, const double *c) { dls_packed_refresh(work, c); }

void dls_sweeper_velocity(const void *work, double *v) { dls_packed_velocity(work, v); }

dls_status dls_sweeper_renew(void *work, const dls_problem *problem, const double *v, dls_error *error)
{
    return dls_packed_renew(work, problem, v, error);
}

void dls_sweeper_close(void *work) { dls_packed_destroy(work); }

dls_status dls_sweeper_forward(void *work, dls_report *report, dls_error *error)
{
    dls_packed *packed = work;
    (void)error;
    dls_packed_sweep(packed, DLS_FORWARD);
    report->iterations++;
    report->dead_rows = packed->dead;
    return DLS_OK;
}

dls_splitting dls_sweeper_forward_splitting(const void *settings)
{
    return (dls_splitting){DLS_SPLITTING_FORWARD, ((const dls_sweeper_settings *)settings)->omega};
}
