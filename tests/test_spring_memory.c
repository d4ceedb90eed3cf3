/* Every allocation of a spring's rig and its steps fails once, in every rig: the status says so, nothing leaks. */
#include "check.h"
#include "failing_memory.h"

#include "spring/parts.h"

static dls_status try_map(const void *setup, dls_error *error)
{
    const dls_spring_setup *s = setup;
    double P[4];
    return dls_spring_map(s, &dls_spring_ways[s->printed ? 0 : 2], 2, 0.01, P, error);
}

TEST(test_every_allocation)
{
    dls_spring_setup setup = {.mass = 2.385, .kp = 40.0, .kd = 3.0, .C = 0.1, .step = 0.01};
    for (setup.kind = 0; setup.kind < DLS_SPRING_KINDS; setup.kind++)
        fail_every_allocation(try_map, &setup, dls_spring_kind_names[setup.kind]);
    setup.kind = DLS_SPRING_DISTANCE, setup.printed = true;
    fail_every_allocation(try_map, &setup, "printed");
}
