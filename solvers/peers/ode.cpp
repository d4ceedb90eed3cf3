/* The Open Dynamics Engine's solver of the boxed LCP, D. Baraff's extension of Dantzig's algorithm.
 *
 * Its library exports the function, and no header declares it (dSolveLCP of the sources is dxSolveLCP there, with an
 * arena for its memory). Rows of A are padded to four entries, b has the other sign, b and x are interleaved, and so are
 * lo and hi. It needs lo <= 0 <= hi: other bounds are reached by a shift of lambda, which is exact.
 *
 * Friction: row i with findex[i] = k is bounded by hi_i |lambda_k| with the lambda_k of the moment in which row i is
 * taken in; later rows still change lambda_k. That is its own law, and the examiner holds it against ours.
 *
 * QuickStep, its iterative solver, works on the joints of a world and cannot be handed a problem (doc/peers.md). */
#include "peer.h"

#include <ode/ode.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>
#include <vector>

struct dxWorldProcessMemArena;
struct dxWorldProcessMemoryManager;
struct dxWorldProcessMemoryReserveInfo;
void dxSolveLCP(dxWorldProcessMemArena *arena, unsigned n, double *A, double *b_x, double *w, unsigned free_rows,
                double *lo_hi, int *findex);
std::size_t dxEstimateSolveLCPMemoryReq(unsigned n, bool w_given);
dxWorldProcessMemArena *dxAllocateTemporaryWorldProcessMemArena(std::size_t size,
                                                                const dxWorldProcessMemoryManager *manager,
                                                                const dxWorldProcessMemoryReserveInfo *reserve);
void dxFreeTemporaryWorldProcessMemArena(dxWorldProcessMemArena *arena);

namespace
{

// What the library had to say: it reports a failure by a message alone.
char said[DLS_MESSAGE_MAX / 2];

void listen(int, const char *format, va_list arguments) { std::vsnprintf(said, sizeof said, format, arguments); }

struct ode_lcp {
    std::vector<double> A, b_x, lo_hi;
    std::vector<int> findex;

    explicit ode_lcp(const peer_work *w)
    {
        const dls_dense *d = w->dense;
        const std::size_t n = d->n, stride = n > 1 ? ((n - 1) | 3) + 1 : n;
        A.assign(n * stride, 0.0);
        b_x.assign(2 * n, 0.0);
        lo_hi.assign(2 * n, 0.0);
        findex.assign(n, -1);
        for (std::size_t i = 0; i < n; i++) {
            const std::size_t parent = w->problem->parent[i];
            std::memcpy(&A[i * stride], d->A + i * n, n * sizeof(double));
            b_x[2 * i] = -w->shifted[i];
            lo_hi[2 * i] = d->lo[i] - w->origin[i];
            lo_hi[2 * i + 1] = d->hi[i] - w->origin[i];
            if (parent == DLS_NONE)
                continue;
            findex[i] = static_cast<int>(parent);
            lo_hi[2 * i] = -w->problem->mu[i];
            lo_hi[2 * i + 1] = w->problem->mu[i];
        }
    }
};

dls_status solve(peer_work *w, dls_report *report, dls_error *error)
{
    const unsigned n = static_cast<unsigned>(w->dense->n);
    ode_lcp lcp(w);
    dxWorldProcessMemArena *arena =
        dxAllocateTemporaryWorldProcessMemArena(dxEstimateSolveLCPMemoryReq(n, false), nullptr, nullptr);
    if (!arena)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %u rows", n);
    void **pointers = reinterpret_cast<void **>(arena);
    pointers[0] = pointers[1]; // the arena starts where its memory begins
    dMessageFunction *before = dGetMessageHandler();
    said[0] = '\0';
    dSetMessageHandler(listen);
    dxSolveLCP(arena, n, lcp.A.data(), lcp.b_x.data(), nullptr, 0, lcp.lo_hi.data(), lcp.findex.data());
    dSetMessageHandler(before);
    dxFreeTemporaryWorldProcessMemArena(arena);
    for (unsigned i = 0; i < n; i++)
        w->lambda[i] = w->origin[i] + lcp.b_x[2 * i + 1];
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

const dls_solver dantzig = {
    /* name */ "ode-dantzig",
    /* summary */ "Dantzig's algorithm with bounds, of the Open Dynamics Engine",
    /* source */ "R. Smith, Open Dynamics Engine, dSolveLCP; D. Baraff, Fast contact force computation, 1994",
    DLS_SOLVER_DIRECT,
    DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_COUPLED,
    /* fields */ {nullptr, 0, 1},
    peer_open_following,
    /* reload */ nullptr,
    iterate,
    peer_read,
    peer_close,
    /* splitting, refresh, velocity, renew, iterate_together */ nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
};

} // namespace

DLS_PLUGINS(&dantzig);
