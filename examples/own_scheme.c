/* A scheme of one's own in a shared object: the implicit midpoint rule.
 *
 *     cc -shared -fPIC own_scheme.c $(pkg-config --cflags --libs delassus) -o own_scheme.so
 *     delassus run pendulum.yaml --scheme ./own_scheme.so --solver block-pivoting --ledger -o out
 *
 * With k = h / 2, all forces and rows are those of the middle of the step (q_m, v_m):
 *     v_m = v + k M_m^-1 f(q_m, v_m) + M_m^-1 J_m^T lambda,  J_m v_m = u,  q_m = q (+) k v_m
 *     q+  = q (+) h v_m,   v+ = 2 v_m - v
 * v_m is found by fixed-point iteration, with one linearisation and one solve per pass. Each pass begins at q.
 *
 * ENERGY. For constant M the change of the kinetic energy is 1/2 (v+ - v)^T M (v+ + v) = h v_m . f, since the impulses
 * do no work at J_m v_m = 0, and for a constant force it is exactly what the motion by h v_m takes from the potential
 * energy: the energy of a plane pendulum is conserved to rounding, after any number of passes and for every h.
 * (E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, IV.2.1: quadratic invariants.) A position error
 * per step is O(h^3), and nothing corrects it; that of a rod, whose C is quadratic, is 0 once v_m has converged.
 *
 * The scheme midpoint of the library has other rows, under which impacts and errors of velocities end.
 *
 * A STOP has J_m v_m >= 0, so v+ = 2 v_m - v reverses the velocity: impacts are elastic, whatever their restitution is.
 */
#include <delassus/delassus.h>

#include <stdlib.h>
#include <string.h>

typedef struct midpoint {
    size_t passes;
} midpoint;

static const dls_field fields[] = {
    {"passes", "", DLS_FIELD_COUNT, offsetof(midpoint, passes), "6", 1, 1e6, false, NULL,
     "fixed-point iterations per step, each with one solve"},
};

/* The work: v_m and an increment, nv entries each. */
static dls_status open_work(dls_simulation *s, void **work, dls_error *error)
{
    const size_t nv = dls_model_count(dls_simulation_model(s)).nv;
    *work = calloc(2 * nv + 1, sizeof(double));
    return *work ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu velocities", nv);
}

static dls_status step(dls_simulation *s, const void *settings, void *work, double h, dls_error *error)
{
    const size_t nv = dls_model_count(dls_simulation_model(s)).nv, passes = ((const midpoint *)settings)->passes;
    const double k = 0.5 * h, *v = dls_stage_start(s)->v;
    double *v_m = work, *increment = v_m + nv;
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, k, error)); /* detects contacts */
    memcpy(v_m, v, nv * sizeof *v);
    for (size_t n = 0; n < passes; n++) {
        for (size_t j = 0; j < nv; j++)
            increment[j] = k * v_m[j];
        dls_stage_return(s);
        dls_stage_displace(s, increment);
        DLS_TRY(dls_stage_linearise_at(s, v_m, k, error));
        dls_stage_drop_bias(s, false);
        DLS_TRY(dls_stage_solve(s, dls_stage_iterations(s), error));
        dls_problem_velocity(dls_stage_problem(s), dls_stage_impulses(s), v_m, increment);
    }
    dls_stage_set_velocity(s, v_m);
    dls_stage_count_impulses(s, v, NULL); /* the first half of the step */
    dls_stage_return(s);
    dls_stage_drift(s, h);
    for (size_t j = 0; j < nv; j++)
        increment[j] = 2.0 * v_m[j] - v[j];
    dls_stage_set_velocity(s, increment);
    dls_stage_count_impulses(s, v_m, NULL); /* the second half, with the same impulses and forces */
    return dls_stage_end(s, h, error);
}

static const dls_scheme own_midpoint = {
    .name = "own-midpoint",
    .summary = "implicit midpoint rule, by fixed-point iteration",
    .source = "Hairer, Lubich, Wanner, Geometric Numerical Integration, 2006",
    .fields = DLS_FIELD_TABLE(fields, midpoint),
    .open = open_work,
    .close = free,
    .step = step,
};
DLS_SCHEME_PLUGIN(own_midpoint);
