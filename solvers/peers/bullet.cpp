/* Bullet's solvers of mixed LCPs, in double precision: btSolveProjectedGaussSeidel, btDantzigSolver, btLemkeSolver.
 *
 * All implement btMLCPSolverInterface: A x = b + w with bounds, so that b has the opposite sign of ours. Friction:
 * row i with limitDependency[i] = k is bounded by hi_i x_k. The sweeps use the current x_k, as ours do; Dantzig's
 * algorithm, which is ODE's, uses x_k when row i enters, which later rows still change.
 *
 * btLemkeSolver solves an LCP as it is. With bounds it inverts A and solves an LCP of twice the size, with lo and hi on
 * the right-hand side: they must be finite. It returns `true` however its algorithm ended, also on a ray or at its
 * limit of pivots. */
#include "peer.h"

#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeSolver.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

#include <cmath>
#include <new>

namespace
{

// Our problem in its types; lambda = origin + x.
struct bullet_mlcp {
    btMatrixXu A;
    btVectorXu b, x, lo, hi;
    btAlignedObjectArray<int> follows;

    explicit bullet_mlcp(const peer_work *w) : A(size(w), size(w)), b(size(w)), x(size(w)), lo(size(w)), hi(size(w))
    {
        const dls_dense *d = w->dense;
        follows.resize(size(w), -1);
        for (int i = 0; i < size(w); i++) {
            const std::size_t row = static_cast<std::size_t>(i), parent = w->problem->parent[row];
            const bool coupled = parent != DLS_NONE;
            for (int j = 0; j < size(w); j++)
                A.setElem(i, j, d->A[row + d->n * static_cast<std::size_t>(j)]);
            b[i] = -w->shifted[row];
            x[i] = w->lambda[row] - w->origin[row];
            lo[i] = coupled ? -w->problem->mu[row] : d->lo[row] - w->origin[row];
            hi[i] = coupled ? w->problem->mu[row] : d->hi[row] - w->origin[row];
            if (coupled)
                follows[i] = static_cast<int>(parent);
        }
    }

    static int size(const peer_work *w) { return static_cast<int>(w->dense->n); }

    bool solve(btMLCPSolverInterface &solver, peer_work *w)
    {
        const bool claims = solver.solveMLCP(A, b, x, lo, hi, follows, 1);
        for (int i = 0; i < size(w); i++)
            w->lambda[i] = w->origin[i] + x[i];
        return claims;
    }
};

dls_status no_memory(dls_error *error)
{
    return dls_fail(error, DLS_NO_MEMORY, "no memory for the matrices of Bullet");
}

dls_status open_sweeps(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                       dls_error *error)
try {
    dls_status status = peer_open_following(problem, settings, lambda0, work, error);
    if (status != DLS_OK)
        return status;
    peer_work *w = static_cast<peer_work *>(*work);
    w->release = [](void *data) { delete static_cast<bullet_mlcp *>(data); };
    w->data = new bullet_mlcp(w);
    return DLS_OK;
} catch (const std::bad_alloc &) {
    peer_close(*work);
    *work = nullptr;
    return no_memory(error);
}

// One sweep each, from where the last one ended. It claims nothing.
dls_status sweep(void *work, dls_report *report, dls_error *error)
try {
    peer_work *w = static_cast<peer_work *>(work);
    btSolveProjectedGaussSeidel solver;
    static_cast<bullet_mlcp *>(w->data)->solve(solver, w);
    report->iterations++;
    return DLS_OK;
} catch (const std::bad_alloc &) {
    return no_memory(error);
}

dls_status dantzig(void *work, dls_report *report, dls_error *error)
try {
    peer_work *w = static_cast<peer_work *>(work);
    btDantzigSolver solver;
    return peer_end(bullet_mlcp(w).solve(solver, w), "btDantzigSolver returned false", report);
} catch (const std::bad_alloc &) {
    return no_memory(error);
}

struct lemke_settings {
    std::size_t pivots;
    double largest;
};

bool is_lcp(const dls_dense *d)
{
    for (std::size_t i = 0; i < d->n; i++)
        if (d->lo[i] != 0.0 || d->hi[i] != HUGE_VAL)
            return false;
    return true;
}

dls_status open_lemke(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                      dls_error *error)
{
    dls_status status = peer_open(problem, settings, lambda0, work, error);
    if (status != DLS_OK)
        return status;
    const dls_dense *d = static_cast<peer_work *>(*work)->dense;
    const bool lcp = is_lcp(d);
    for (std::size_t i = 0; i < d->n; i++) {
        if (lcp || (std::isfinite(d->lo[i]) && std::isfinite(d->hi[i])))
            continue;
        peer_close(*work);
        *work = nullptr;
        return dls_fail(error, DLS_REFUSED,
                        "bounds must all be [0, inf) or all be finite: its own form has them on the right-hand side, "
                        "and row %zu is not bounded",
                        i);
    }
    return DLS_OK;
}

dls_status lemke(void *work, dls_report *report, dls_error *error)
try {
    peer_work *w = static_cast<peer_work *>(work);
    const lemke_settings *set = static_cast<const lemke_settings *>(w->settings);
    btLemkeSolver solver;
    solver.m_maxLoops = static_cast<int>(set->pivots);
    solver.m_maxValue = set->largest;
    solver.m_useLoHighBounds = !is_lcp(w->dense);
    return peer_end(bullet_mlcp(w).solve(solver, w), "btLemkeSolver returned false", report);
} catch (const std::bad_alloc &) {
    return no_memory(error);
}

const dls_field lemke_fields[] = {
    {"pivots", "", DLS_FIELD_COUNT, offsetof(lemke_settings, pivots), "1000", 1, 1e9, false, nullptr,
     "greatest number of pivots, Bullet's m_maxLoops; Bullet does not report that it was reached"},
    {"largest", "", DLS_FIELD_REAL, offsetof(lemke_settings, largest), "100000", 0, HUGE_VAL, true, nullptr,
     "largest impulse, Bullet's m_maxValue; a larger one is a failure"},
};

const dls_solver pgs_solver =
    PEER_SOLVER("bullet-pgs", "projected Gauss-Seidel on the dense matrix, of Bullet",
                "E. Coumans, Bullet Physics, btSolveProjectedGaussSeidel", DLS_SOLVER_ITERATIVE,
                DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED, PEER_NO_FIELDS,
                open_sweeps, sweep);
const dls_solver dantzig_solver = PEER_SOLVER(
    "bullet-dantzig", "Dantzig's algorithm with bounds, of Bullet",
    "E. Coumans, Bullet Physics, btDantzigSolver, after R. Smith's Open Dynamics Engine", DLS_SOLVER_DIRECT,
    DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_COUPLED, PEER_NO_FIELDS, peer_open_following, dantzig);
const dls_solver lemke_solver = PEER_SOLVER("bullet-lemke", "Lemke's method, of Bullet",
                                            "K. Grundl, E. Coumans, Bullet Physics, btLemkeSolver; J. E. Lloyd, 2005",
                                            DLS_SOLVER_DIRECT, DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC,
                                            DLS_FIELD_TABLE(lemke_fields, lemke_settings), open_lemke, lemke);

} // namespace

DLS_PLUGINS(&pgs_solver, &dantzig_solver, &lemke_solver);
