/* At which iterations an iterate is examined, and the time of a short solve. */
#include "host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_BYTES = 1 << 26 }; /* of the iterates between two examinations */

size_t dls_examination_interval(size_t done, size_t n)
{
    const size_t share = done / 4, room = KEPT_BYTES / ((n + 1) * sizeof(double)), most = share < room ? share : room;
    return most > 1 ? most : 1;
}

const double dls_short_solve = 0.02;

double dls_seconds_again(const dls_solver *solver, const void *settings, const dls_problem *problem,
                         const double *lambda0, size_t iterations)
{
    const size_t n = problem->n;
    double *lambda = malloc((n + 1) * sizeof *lambda), least = HUGE_VAL, spent = 0.0;
    for (int k = 0; lambda && k < 9 && spent < dls_short_solve; k++) {
        dls_report report = {0};
        dls_error why;
        memcpy(lambda, lambda0, n * sizeof *lambda);
        if (dls_solve(solver, problem, settings, iterations, lambda, &report, NULL, NULL, &why) == DLS_OK)
            least = fmin(least, report.seconds);
        spent += report.seconds;
        dls_report_release(&report);
    }
    free(lambda);
    return least;
}
