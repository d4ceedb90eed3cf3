/* DART's solvers of the boxed LCP: DantzigBoxedLcpSolver, PgsBoxedLcpSolver and dart::lcpsolver::Lemke.
 *
 * The first two solve A x = b + w, so that b has the opposite sign of ours, with lo <= 0 <= hi; rows of A are padded to
 * four entries. Friction: row i with findex[i] = k is bounded by hi_i |x_k| in Dantzig's algorithm, which is a copy of
 * ODE's with the x_k of the moment in which row i enters, and by hi_i x_k with the current x_k in the sweeps.
 *
 * The sweeps set x_i = 0 where A_ii < epsilon, 1e-9 by default: a test that carries units. DART makes up to 30 sweeps
 * and ends where x changes by less than its tolerances; here each call makes one sweep (mMaxIteration = 1), from where
 * the last one ended.
 *
 * Lemke solves w = M z + q, an LCP without bounds above. */
#include "peer.h"

#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/lcpsolver/Lemke.hpp>

#include <cmath>
#include <new>
#include <string>
#include <vector>

namespace
{

// Our problem in DART's layout; lambda = origin + x.
struct dart_lcp {
    std::size_t n, stride;
    std::vector<double> A, b, x, lo, hi;
    std::vector<int> follows;

    explicit dart_lcp(const peer_work *w)
        : n(w->dense->n), stride(n > 1 ? ((n - 1) | 3) + 1 : n), A(n * stride, 0.0), b(n), x(n), lo(n), hi(n),
          follows(n, -1)
    {
        const dls_dense *d = w->dense;
        for (std::size_t i = 0; i < n; i++) {
            const std::size_t parent = w->problem->parent[i];
            const bool coupled = parent != DLS_NONE;
            for (std::size_t j = 0; j < n; j++)
                A[stride * i + j] = d->A[i + n * j];
            b[i] = -w->shifted[i];
            x[i] = w->lambda[i] - w->origin[i];
            lo[i] = coupled ? -w->problem->mu[i] : d->lo[i] - w->origin[i];
            hi[i] = coupled ? w->problem->mu[i] : d->hi[i] - w->origin[i];
            if (coupled)
                follows[i] = static_cast<int>(parent);
        }
    }

    bool solve(dart::constraint::BoxedLcpSolver &solver, peer_work *w)
    {
        const bool claims = solver.solve(static_cast<int>(n), A.data(), x.data(), b.data(), 0, lo.data(), hi.data(),
                                         follows.data(), false);
        for (std::size_t i = 0; i < n; i++)
            w->lambda[i] = w->origin[i] + x[i];
        return claims;
    }
};

dls_status no_memory(dls_error *error) { return dls_fail(error, DLS_NO_MEMORY, "no memory for the matrices of DART"); }

dls_status dantzig(void *work, dls_report *report, dls_error *error)
try {
    peer_work *w = static_cast<peer_work *>(work);
    dart::constraint::DantzigBoxedLcpSolver solver;
    return peer_end(dart_lcp(w).solve(solver, w), "DantzigBoxedLcpSolver returned false", report);
} catch (const std::bad_alloc &) {
    return no_memory(error);
}

struct pgs_settings {
    double epsilon;
};

// It claims nothing.
dls_status sweep(void *work, dls_report *report, dls_error *error)
try {
    peer_work *w = static_cast<peer_work *>(work);
    const pgs_settings *set = static_cast<const pgs_settings *>(w->settings);
    dart::constraint::PgsBoxedLcpSolver solver;
    solver.setOption({1, 0.0, 0.0, set->epsilon, false});
    dart_lcp(w).solve(solver, w);
    report->iterations++;
    return DLS_OK;
} catch (const std::bad_alloc &) {
    return no_memory(error);
}

dls_status lemke(void *work, dls_report *report, dls_error *error)
try {
    peer_work *w = static_cast<peer_work *>(work);
    const Eigen::Index n = static_cast<Eigen::Index>(w->dense->n);
    const Eigen::MatrixXd M = Eigen::Map<const Eigen::MatrixXd>(w->dense->A, n, n);
    const Eigen::VectorXd q = Eigen::Map<const Eigen::VectorXd>(w->dense->b, n);
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    const int failure = dart::lcpsolver::Lemke(M, q, &z);
    for (Eigen::Index i = 0; i < n && i < z.size(); i++)
        w->lambda[i] = z[i];
    return peer_end(failure == 0, ("Lemke returned " + std::to_string(failure)).c_str(), report);
} catch (const std::bad_alloc &) {
    return no_memory(error);
}

const dls_field pgs_fields[] = {
    {"epsilon", "", DLS_FIELD_REAL, offsetof(pgs_settings, epsilon), "1e-9", 0, HUGE_VAL, false, nullptr,
     "rows with a smaller diagonal of A get no impulse, DART's mEpsilonForDivision, in the unit of the diagonal"},
};

const dls_solver dantzig_solver = PEER_SOLVER(
    "dart-dantzig", "Dantzig's algorithm with bounds, of DART",
    "J. Lee et al., DART, DantzigBoxedLcpSolver, after R. Smith's Open Dynamics Engine", DLS_SOLVER_DIRECT,
    DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_COUPLED, PEER_NO_FIELDS, peer_open_following, dantzig);
const dls_solver pgs_solver = PEER_SOLVER(
    "dart-pgs", "projected Gauss-Seidel on the dense matrix, of DART", "J. Lee et al., DART, PgsBoxedLcpSolver",
    DLS_SOLVER_ITERATIVE, DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED,
    DLS_FIELD_TABLE(pgs_fields, pgs_settings), peer_open_following, sweep);
const dls_solver lemke_solver =
    PEER_SOLVER("dart-lemke", "Lemke's method, of DART", "J. Lee et al., DART, dart::lcpsolver::Lemke",
                DLS_SOLVER_DIRECT, DLS_ACCEPTS_UNSYMMETRIC, PEER_NO_FIELDS, peer_open, lemke);

} // namespace

DLS_PLUGINS(&dantzig_solver, &pgs_solver, &lemke_solver);
