/* A problem in our own format. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    dls_problem *problem;
    dls_error error;
    dls_status status = dls_problem_parse((const char *)data, size, "fuzz", &problem, &error);
    fuzz_check(status, problem, &error);
    if (status == DLS_OK)
        fuzz_use_problem(problem);
    dls_problem_destroy(problem);
    return 0;
}
