/* The Open Dynamics Engine's solver of the boxed LCP, D. Baraff's extension of Dantzig's algorithm.
 *
 * ode_lcp.h has how it is called. It needs lo <= 0 <= hi: other bounds are reached by a shift of lambda, which is
 * exact.
 *
 * Friction: row i with findex[i] = k is bounded by hi_i |lambda_k| with the lambda_k of the moment in which row i is
 * taken in; later rows still change lambda_k. That law is its own; the examiner measures the answer by ours.
 *
 * QuickStep, its iterative solver, works on the joints of a world and cannot be handed a problem (doc/peers.md). */
#include "ode_lcp.h"
#include "peer.h"

#include <ode/ode.h>

#include <cstdarg>
#include <cstdio>
#include <new>

namespace
{

// The message of the library, which reports a failure by a message alone.
char said[DLS_MESSAGE_MAX / 2];

void listen(int, const char *format, va_list arguments) { std::vsnprintf(said, sizeof said, format, arguments); }

dls_status solve(peer_work *w, dls_report *report, dls_error *error)
{
    const std::size_t n = w->dense->n;
    std::vector<double> lo(n), hi(n);
    for (std::size_t i = 0; i < n; i++) {
        lo[i] = w->dense->lo[i] - w->origin[i];
        hi[i] = w->dense->hi[i] - w->origin[i];
    }
    ode_lcp lcp(n, w->dense->A, w->shifted, lo.data(), hi.data());
    if (!lcp.has_memory())
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", n);
    for (std::size_t i = 0; i < n; i++)
        if (w->problem->parent[i] != DLS_NONE)
            lcp.follow(i, w->problem->parent[i], w->problem->mu[i]);
    dMessageFunction *before = dGetMessageHandler();
    said[0] = '\0';
    dSetMessageHandler(listen);
    lcp.solve();
    dSetMessageHandler(before);
    for (std::size_t i = 0; i < n; i++)
        w->lambda[i] = w->origin[i] + lcp.x(i);
    return peer_end(!said[0], said, report);
}

dls_status iterate(void *work, dls_report *report, dls_error *error)
{
    try {
        return solve(static_cast<peer_work *>(work), report, error);
    } catch (const std::bad_alloc &) {
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the matrices of ODE");
    }
}

const dls_solver dantzig = PEER_SOLVER(
    "ode-dantzig", "Dantzig's algorithm with bounds, of the Open Dynamics Engine",
    "R. Smith, Open Dynamics Engine, dSolveLCP; D. Baraff, Fast contact force computation, 1994", DLS_SOLVER_DIRECT,
    DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_COUPLED, PEER_NO_FIELDS, peer_open_following, iterate);

} // namespace

DLS_PLUGINS(&dantzig);
