/* Projected fixed-point iteration (PROX, or JORPROX) with an adapted step.
 *
 *     lambda' = P(lambda - r D^-1 (w + s(w)))
 *
 * P projects onto the bounds and cones, D has one number per row or contact (dls_kit_steps), and s is De Saxce's term.
 * Where the change grows, sum_i D_i (lambda'_i - lambda_i)^2 > that before, r is multiplied by `shrink`.
 *
 * With A symmetric semidefinite, fixed bounds and L the largest eigenvalue of D^-1 A, the map is nonexpansive in the
 * norm of D if r <= 2 / L: then the change does not grow, so that r never falls below 2 shrink / L, and for r < 2 / L
 * the iteration converges (projected gradients; E. S. Levitin and B. T. Polyak, 1966). Once the free set is fixed its
 * error shrinks by max |1 - r mu|, mu the eigenvalues of D_F^-1 A_FF. The step that is just short enough is nearly the
 * best: for mu_min << mu_max the optimum is 2 / (mu_min + mu_max). Without symmetry a step that is short enough
 * converges where A is positive definite. No proof covers bounds that follow a normal impulse, or Coulomb's cone. */
#include "delassus/solver_kit.h"
#include "delassus/solvers.h"

#include <math.h>

typedef struct settings {
    double r, shrink;
} settings;

static const dls_field fields[] = {
    {"r", "", DLS_FIELD_REAL, offsetof(settings, r), "0.5", 0, 1e3, true, NULL,
     "first step, relative to 1 / A_ii; a step that is too long goes astray before it is shortened"},
    {"shrink", "", DLS_FIELD_REAL, offsetof(settings, shrink), "0.7", 0, 1, true, NULL,
     "factor of the step where the change of the impulses grows; 1: the step is fixed"},
};

enum { STEPS, W, NEXT, VECTORS };

static const double rounding = 1e-13; /* changes below this share of the impulses do not count as growth */

typedef struct prox {
    dls_kit kit;
    settings set;
    double r, before; /* the step, and the squared change of the last iteration */
} prox;

static dls_status prox_start(void *work, dls_error *error)
{
    const dls_kit *kit = work;
    (void)error;
    dls_kit_steps(kit, kit->vector[STEPS]);
    return DLS_OK;
}

static dls_status prox_open(const dls_problem *problem, const void *set, const double *lambda0, void **work,
                            dls_error *error)
{
    const dls_kit_plan plan = {.size = sizeof(prox), .vectors = VECTORS, .omega = 1.0, .start = prox_start};
    DLS_TRY(dls_kit_open(&plan, problem, lambda0, work, error));
    ((prox *)*work)->set = *(const settings *)set;
    return DLS_OK;
}

static dls_status prox_iterate(void *work, dls_report *report, dls_error *error)
{
    prox *w = work;
    dls_kit *kit = &w->kit;
    const double *s = kit->vector[STEPS];
    double *lambda = kit->lambda, *residual = kit->vector[W], *next = kit->vector[NEXT], change = 0.0, size = 0.0;
    (void)error;
    w->r = kit->loaded ? w->set.r : w->r;
    dls_kit_residual(kit, residual);
    dls_kit_shift(kit, residual, next);
    for (size_t k = 0; k < kit->size; k++)
        next[k] = lambda[k] - w->r * s[k] * (residual[k] + next[k]);
    dls_kit_project(kit, next, next);
    for (size_t k = 0; k < kit->size; k++) {
        const double to = next[k];
        next[k] = to - lambda[k];
        lambda[k] = to;
        change += s[k] > 0.0 ? next[k] * next[k] / s[k] : 0.0;
        size += s[k] > 0.0 ? to * to / s[k] : 0.0;
    }
    dls_kit_add(kit, next);
    if (!kit->changed && change > w->before && change > rounding * rounding * size)
        w->r *= w->set.shrink;
    w->before = change;
    dls_kit_report(kit, report);
    return DLS_OK;
}

/* The factor of the first step that does not diverge. */
static double prox_factor(const void *set, size_t count, const double *eigenvalues)
{
    const settings *of = set;
    const double least = eigenvalues[0], largest = eigenvalues[count - 1];
    double r = of->r;
    while (r * largest > 2.0 && of->shrink < 1.0)
        r *= of->shrink;
    return fmax(fabs(1.0 - r * least), fabs(1.0 - r * largest));
}

static const dls_rate_law law = {
    .preconditioner = DLS_SPLITTING_JACOBI,
    .factor = prox_factor,
    .theory = "a fixed step r reduces the error by max |1 - r mu|, mu the eigenvalues of D^-1 A of the free rows; r is "
              "the first of r, r shrink, r shrink^2, ... for which this is at most 1",
};

const dls_solver dls_solver_prox = {
    .name = "prox",
    .summary = "projected fixed-point iteration with an adapted step",
    .source = "M. Foerg, F. Pfeiffer and H. Ulbrich, 2005; C. Studer and C. Glocker, 2007; K. Erleben, Rigid body "
              "contact problems using proximal operators, 2017",
    DLS_KIT_MEMBERS,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_LAWS,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = prox_open,
    .iterate = prox_iterate,
    .law = &law,
};
