/* Every allocation of a run with mimic joints fails once, in every way of stepping: the status says so, nothing leaks.
 */
#include "check.h"
#include "failing_memory.h"

#include "mimic/parts.h"

static dls_status try_run(const void *way, dls_error *error)
{
    const dls_mimic_setup setup = {.mechanism = DLS_MIMIC_PARALLEL_2, .actuation = DLS_MIMIC_DRIVE_LIMIT, .erp = 0.2};
    const dls_mimic_run run = {*(const dls_mimic_way *)way, 2, 0.01, 0.02};
    dls_mimic_path path = {0, 0, NULL};
    dls_mimic_result result;
    dls_status status = dls_mimic_try(&setup, &run, &path, &result, error);
    dls_mimic_path_release(&path);
    return status;
}

TEST(test_every_allocation)
{
    for (dls_mimic_way way = 0; way < DLS_MIMIC_WAYS; way++)
        fail_every_allocation(try_run, &way, dls_mimic_way_names[way]);
}
