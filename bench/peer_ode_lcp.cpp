// ODE's Dantzig solver, which the library exports without a header. Its b has the other sign, its rows are padded to
// four entries, b and x are interleaved, and so are lo and hi.
#include "peer.h"

#include <cstring>
#include <vector>

struct dxWorldProcessMemArena;
struct dxWorldProcessMemoryManager;
struct dxWorldProcessMemoryReserveInfo;
void dxSolveLCP(dxWorldProcessMemArena *arena, unsigned n, double *A, double *b_x, double *w, unsigned free_rows,
                double *lo_hi, int *friction);
std::size_t dxEstimateSolveLCPMemoryReq(unsigned n, bool w_given);
dxWorldProcessMemArena *dxAllocateTemporaryWorldProcessMemArena(std::size_t size,
                                                                const dxWorldProcessMemoryManager *manager,
                                                                const dxWorldProcessMemoryReserveInfo *reserve);
void dxFreeTemporaryWorldProcessMemArena(dxWorldProcessMemArena *arena);

double bench_ode_lcp(std::size_t n, const double *A, const double *b, const double *lo, const double *hi, double *x)
{
    const std::size_t stride = n > 1 ? ((n - 1) | 3) + 1 : n;
    std::vector<double> padded(n * stride), b_x(2 * n), lo_hi(2 * n);
    dxWorldProcessMemArena *arena = dxAllocateTemporaryWorldProcessMemArena(
        dxEstimateSolveLCPMemoryReq(static_cast<unsigned>(n), false), nullptr, nullptr);
    if (!arena)
        return -1.0;
    for (std::size_t i = 0; i < n; i++) {
        std::memcpy(&padded[i * stride], A + i * n, n * sizeof(double));
        b_x[2 * i] = -b[i];
        lo_hi[2 * i] = lo[i];
        lo_hi[2 * i + 1] = hi[i];
    }
    void **pointers = reinterpret_cast<void **>(arena);
    pointers[0] = pointers[1]; // the arena starts where its memory begins
    const double start = bench_clock();
    dxSolveLCP(arena, static_cast<unsigned>(n), padded.data(), b_x.data(), nullptr, 0, lo_hi.data(), nullptr);
    const double seconds = bench_clock() - start;
    for (std::size_t i = 0; i < n; i++)
        x[i] = b_x[2 * i + 1];
    dxFreeTemporaryWorldProcessMemArena(arena);
    return seconds;
}
