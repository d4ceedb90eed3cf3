/* Projected Gauss-Seidel with Anderson's acceleration.
 *
 * With S(x) the impulses after a sweep from x and f = S(x) - x, the next sweep begins from the combination of the last
 * sweeps whose f is smallest in the norm of D = diag A, for an S that were affine:
 *
 *     lambda = S(x),   gamma = argmin |f - dF gamma|_D,   x' = lambda - dG gamma
 *
 * where the columns of dF and dG are the last differences of f and of S(x), at most `memory`. The least squares are
 * solved by Cholesky's factor of dF^T D dF, newest difference first; one that depends on newer ones to DEPENDENT is
 * left out. The answer is lambda, which is within its bounds; x' need not be.
 *
 * Safeguard: if |f|_D is more than twice the smallest one since the last restart, the history is dropped and the next
 * sweep begins from lambda itself. On an affine S the acceleration is equivalent to restarted GMRES (H. Walker and P.
 * Ni, 2011). With bounds no rate is known, and there is no proof of convergence.
 */
#include "delassus/solvers.h"
#include "first_order.h"

#include <math.h>
#include <string.h>

enum { MEMORY_MAX = 8 };
enum {
    STEPS,
    F,
    STEP,
    X,
    DF,
    DG = DF + MEMORY_MAX,
    VECTORS = DG + MEMORY_MAX
}; /* 1 / A_ii; f; x' - lambda, with which
                                                                                   the next iteration begins; scratch */
typedef struct settings {
    size_t memory;
} settings;
static const dls_field fields[] = {{"memory", "", DLS_FIELD_COUNT, offsetof(settings, memory), "5", 1, MEMORY_MAX,
                                    false, NULL, "differences that are combined"}};

static const double DEPENDENT = 1e-10; /* of |dF|^2: rounding errors of the normal equations are near 1e-15 of it */

typedef struct anderson {
    dls_kit kit;
    size_t memory, count, next;          /* count: differences; next: the place of the next one */
    double least;                        /* |f|^2 since the last restart */
    double gram[MEMORY_MAX][MEMORY_MAX]; /* dF^T D dF */
} anderson;

static dls_status anderson_start(void *work, dls_error *error)
{
    return dls_first_order_steps(work, ((dls_kit *)work)->vector[STEPS], error);
}

static dls_status anderson_open(const dls_problem *problem, const void *given, const double *lambda0, void **work,
                                dls_error *error)
{
    const dls_kit_plan plan = {.size = sizeof(anderson), .vectors = VECTORS, .omega = 1.0, .start = anderson_start};
    DLS_TRY(dls_kit_open(&plan, problem, lambda0, work, error));
    ((anderson *)*work)->memory = ((const settings *)given)->memory;
    return DLS_OK;
}

static void anderson_restart(anderson *a)
{
    a->count = a->next = 0;
    a->least = HUGE_VAL;
    memset(a->kit.vector[STEP], 0, a->kit.size * sizeof(double));
}

/* x^T D y */
static double anderson_dot(const anderson *a, const double *x, const double *y)
{
    const double *s = a->kit.vector[STEPS];
    double sum = 0.0;
    for (size_t k = 0; k < a->kit.size; k++)
        sum += s[k] > 0.0 ? x[k] * y[k] / s[k] : 0.0;
    return sum;
}

/* Stores the last differences of f and S, and their products with the others. */
static void anderson_remember(anderson *a)
{
    const size_t to = a->next;
    a->count += a->count < a->memory;
    a->next = (to + 1) % a->memory;
    for (size_t j = 0; j < a->count; j++)
        a->gram[to][j] = a->gram[j][to] = anderson_dot(a, a->kit.vector[DF + to], a->kit.vector[DF + j]);
}

/* gamma, by the place of its difference. */
static void anderson_solve(const anderson *a, double gamma[MEMORY_MAX])
{
    double L[MEMORY_MAX][MEMORY_MAX], x[MEMORY_MAX];
    size_t at[MEMORY_MAX], rank = 0;
    for (size_t age = 0; age < a->count; age++) {
        const size_t i = (a->next + 2 * a->memory - 1 - age) % a->memory;
        double pivot = a->gram[i][i];
        gamma[i] = 0.0;
        x[rank] = anderson_dot(a, a->kit.vector[DF + i], a->kit.vector[F]);
        for (size_t j = 0; j < rank; j++) {
            L[rank][j] = a->gram[i][at[j]];
            for (size_t l = 0; l < j; l++)
                L[rank][j] -= L[rank][l] * L[j][l];
            L[rank][j] /= L[j][j];
            pivot -= L[rank][j] * L[rank][j];
            x[rank] -= L[rank][j] * x[j];
        }
        if (!(pivot > DEPENDENT * a->gram[i][i]))
            continue;
        L[rank][rank] = sqrt(pivot);
        x[rank] /= L[rank][rank];
        at[rank++] = i;
    }
    for (size_t j = rank; j-- > 0; gamma[at[j]] = x[j] /= L[j][j])
        for (size_t l = j + 1; l < rank; l++)
            x[j] -= L[l][j] * x[l];
}

static dls_status anderson_iterate(void *work, dls_report *report, dls_error *error)
{
    anderson *a = work;
    dls_kit *kit = work;
    double *lambda = kit->lambda, *f = kit->vector[F], *step = kit->vector[STEP], *x = kit->vector[X];
    double *dF = kit->vector[DF + a->next], *dG = kit->vector[DG + a->next], gamma[MEMORY_MAX];
    const bool first = kit->changed || a->least == HUGE_VAL;
    (void)error;
    if (kit->changed)
        anderson_restart(a);
    for (size_t k = 0; k < kit->size; k++)
        x[k] = lambda[k] += step[k];
    dls_kit_add(kit, step);
    dls_kit_sweep(kit, DLS_FORWARD);
    for (size_t k = 0; k < kit->size; k++) {
        dG[k] = lambda[k] - (x[k] - step[k]);
        x[k] = lambda[k] - x[k];
        dF[k] = x[k] - f[k];
        f[k] = x[k];
    }
    const double square = anderson_dot(a, f, f);
    if (!first && square <= 4.0 * a->least) {
        anderson_remember(a);
        anderson_solve(a, gamma);
        for (size_t k = 0; k < kit->size; k++) {
            step[k] = 0.0;
            for (size_t j = 0; j < a->count; j++)
                step[k] -= gamma[j] * kit->vector[DG + j][k];
        }
    } else {
        anderson_restart(a);
    }
    a->least = fmin(a->least, square);
    kit->visits += (double)(8 * a->count * kit->problem->n) / 48.0;
    dls_kit_report(kit, report);
    return DLS_OK;
}

const dls_solver dls_solver_anderson = {
    .name = "anderson",
    .summary = "projected Gauss-Seidel with Anderson's acceleration",
    .source = "D. G. Anderson, Iterative procedures for nonlinear integral equations, 1965; Y. Peng et al., Anderson "
              "acceleration for geometry optimization and physics simulation, 2018",
    DLS_KIT_MEMBERS,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = anderson_open,
    .iterate = anderson_iterate,
};
