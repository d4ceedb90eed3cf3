// ODE's Dantzig solver, timed alone.
#include "peer.h"

#include "peers/ode_lcp.h"

double bench_ode_lcp(std::size_t n, const double *A, const double *b, const double *lo, const double *hi, double *x)
{
    ode_lcp lcp(n, A, b, lo, hi);
    if (!lcp.has_memory())
        return -1.0;
    const double start = bench_clock();
    lcp.solve();
    const double seconds = bench_since(start);
    for (std::size_t i = 0; i < n; i++)
        x[i] = lcp.x(i);
    return seconds;
}
