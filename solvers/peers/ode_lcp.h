/* ode_lcp.h - ODE's solver of the boxed LCP in its own layout, for the peer and for the bench. C++. Not installed.
 *
 * Its library exports the function, and no header declares it (dSolveLCP of the sources is dxSolveLCP there, with an
 * arena for its memory). It solves A x = b + w: b has the other sign than ours. Rows of A are padded to four entries, b
 * and x are interleaved, and so are lo and hi. */
#ifndef DLS_SOLVERS_PEERS_ODE_LCP_H
#define DLS_SOLVERS_PEERS_ODE_LCP_H

#include <cstddef>
#include <cstring>
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

class ode_lcp
{
  public:
    /* The problem w = A x + b, A symmetric (n x n), lo <= x <= hi. */
    ode_lcp(std::size_t n, const double *A, const double *b, const double *lo, const double *hi)
        : rows(static_cast<unsigned>(n)),
          arena(dxAllocateTemporaryWorldProcessMemArena(dxEstimateSolveLCPMemoryReq(rows, false), nullptr, nullptr)),
          padded(n * stride(n), 0.0), b_x(2 * n, 0.0), lo_hi(2 * n, 0.0)
    {
        for (std::size_t i = 0; i < n; i++) {
            std::memcpy(&padded[i * stride(n)], A + i * n, n * sizeof(double));
            b_x[2 * i] = -b[i];
            lo_hi[2 * i] = lo[i];
            lo_hi[2 * i + 1] = hi[i];
        }
    }
    ~ode_lcp()
    {
        if (arena)
            dxFreeTemporaryWorldProcessMemArena(arena);
    }
    ode_lcp(const ode_lcp &) = delete;
    ode_lcp &operator=(const ode_lcp &) = delete;

    /* Row i is bounded by mu |x_parent|. */
    void follow(std::size_t i, std::size_t parent, double mu)
    {
        findex.resize(rows, -1);
        findex[i] = static_cast<int>(parent);
        lo_hi[2 * i] = -mu;
        lo_hi[2 * i + 1] = mu;
    }
    bool has_memory() const { return arena != nullptr; }
    /* Once: it works in place. */
    void solve()
    {
        void **pointers = reinterpret_cast<void **>(arena);
        pointers[0] = pointers[1]; /* the arena starts where its memory begins */
        dxSolveLCP(arena, rows, padded.data(), b_x.data(), nullptr, 0, lo_hi.data(),
                   findex.empty() ? nullptr : findex.data());
    }
    double x(std::size_t i) const { return b_x[2 * i + 1]; }

  private:
    static std::size_t stride(std::size_t n) { return n > 1 ? ((n - 1) | 3) + 1 : n; }

    unsigned rows;
    dxWorldProcessMemArena *arena;
    std::vector<double> padded, b_x, lo_hi;
    std::vector<int> findex; /* empty: no friction */
};

#endif
