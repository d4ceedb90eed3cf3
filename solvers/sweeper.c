#include "sweeper.h"

#include "kit.h"
#include "together.h"

typedef struct sweeper {
    dls_kit kit;
    dls_together together; /* for calls in which this work is the first of several */
} sweeper;

static void end(void *work) { dls_together_release(&((sweeper *)work)->together); }

dls_status dls_sweeper_open(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                            dls_error *error)
{
    const double omega = ((const dls_sweeper_settings *)settings)->omega;
    const dls_kit_plan plan = {.size = sizeof(sweeper), .omega = omega, .end = end};
    return dls_kit_open(&plan, problem, lambda0, work, error);
}

dls_status dls_sweeper_forward(void *work, dls_report *report, dls_error *error)
{
    dls_kit *kit = work;
    (void)error;
    dls_kit_sweep(kit, DLS_FORWARD);
    dls_kit_report(kit, report);
    return DLS_OK;
}

dls_splitting dls_sweeper_forward_splitting(const void *settings)
{
    return (dls_splitting){DLS_SPLITTING_FORWARD, ((const dls_sweeper_settings *)settings)->omega};
}

static void sweep_together(void *const *works, size_t count, size_t iterations, bool symmetric,
                           dls_report *const *reports, bool *done)
{
    dls_packed *packed[DLS_TOGETHER] = {NULL};
    for (size_t i = 0; i < count; i++)
        packed[i] = ((dls_kit *)works[i])->inside->packed;
    dls_together_sweep(&((sweeper *)works[0])->together, packed, count, iterations, symmetric, done);
    for (size_t i = 0; i < count; i++)
        if (done[i]) {
            reports[i]->iterations += iterations;
            reports[i]->dead_rows = packed[i]->dead;
            reports[i]->row_visits += (double)((packed[i]->n - packed[i]->dead) * iterations * (symmetric ? 2 : 1));
        }
}

void dls_sweeper_forward_together(void *const *works, size_t count, size_t iterations, dls_report *const *reports,
                                  bool *done)
{
    sweep_together(works, count, iterations, false, reports, done);
}

void dls_sweeper_symmetric_together(void *const *works, size_t count, size_t iterations, dls_report *const *reports,
                                    bool *done)
{
    sweep_together(works, count, iterations, true, reports, done);
}
