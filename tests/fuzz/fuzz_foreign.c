/* Files of other projects: the first byte says of which kind, '0' for the first. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    dls_problem *problem;
    dls_error error;
    if (size == 0)
        return 0;
    dls_foreign kind = (dls_foreign)((data[0] - '0') & 0xff) % (DLS_FOREIGN_CONTACTBENCH_CONE + 1);
    dls_status status = dls_foreign_parse((const char *)data + 1, size - 1, "fuzz", kind, &problem, &error);
    fuzz_check(status, problem, &error);
    if (status == DLS_OK)
        fuzz_use_problem(problem);
    dls_problem_destroy(problem);
    return 0;
}
