/* Alternating direction method of multipliers with a proximal term.
 *
 * x solves the linear system, y the bounds and cones, and z is the velocity that keeps both together; with P the
 * projection onto the bounds, D one number per row or contact (dls_kit_steps) and s De Saxce's term:
 *
 *     (A + (eta + rho) D) x' = -(b + s(z)) + rho D y + eta D x + z
 *     y' = P(x' - z / (rho D)),    z' = z - rho D (x' - y')
 *
 * At a fixed point x = y and z = w + s(w), so that y solves the problem. The iterates are the impulses y, and x' = y +
 * d with (A + (eta + rho) D) d = z - w - s(z) + eta D (x - y), which loses no digits near the solution. d comes from a
 * dense Cholesky factor, or from conjugate gradients preconditioned by D, until their residual has fallen to the share
 * `inner`. A start lambda0 comes with the z of one projected step: z = w + s + D (P(lambda0 - (w + s) / D) - lambda0).
 *
 * Where one of the residuals sqrt(D) (x - y) and sqrt(D) (eta (x' - x) + rho (y' - y)) exceeds `ratio` times the other,
 * rho is multiplied or divided by `step`. Such rules can cycle (some of the test problems did without the following):
 * as many iterations pass between two changes as rho has changed its direction. The start rho = 1 is the size of a
 * projected gradient step; the spectral one of Carpentier et al., sqrt(L eta) (L / eta)^0.2 with the largest eigenvalue
 * L of D^-1 A, took as many iterations here, and begins with large wrong impulses.
 *
 * Where dependent rows contradict each other, rho stays at its start at least, and impulses grow as slowly as in
 * sweeps.
 *
 * For symmetric semidefinite A and fixed bounds it converges for every fixed rho (J. Eckstein and D. P. Bertsekas,
 * 1992). No rate is known that the free rows alone determine; with all rows free the error shrinks by at least
 * (eta + rho) / (eta + rho + lambda_min(D^-1 A)). There is no proof with bounds that follow a normal impulse, nor under
 * Coulomb's cone, where s depends on z: the method may cycle there, tests/test_proximal_methods.c has an example.
 * Rounding errors of rows with large w reach those with a small one through d: answers have residuals of about 1e-14
 * max |w|, so that rows of tiny terms may stay unsolved relative to their own. */
#include "delassus/solvers.h"
#include "dense_factor.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

typedef struct settings {
    int factor; /* the place in `factors` */
    double rho, proximal, step, ratio, inner;
} settings;

enum { NONE, DENSE, BY_SIZE };
static const char *const factors[] = {"none", "dense", "by-size", NULL};
static const dls_field fields[] = {
    {"factor", "", DLS_FIELD_CHOICE, offsetof(settings, factor), "by-size", 0, 0, false, factors,
     "solution of the linear systems; dense: a Cholesky factor; none: conjugate gradients; by-size: dense up to 400 "
     "rows"},
    {"rho", "", DLS_FIELD_REAL, offsetof(settings, rho), "1", 0, 1e9, true, NULL,
     "first penalty of x - y, relative to the diagonal of A"},
    {"proximal", "", DLS_FIELD_REAL, offsetof(settings, proximal), "1e-8", 0, 1, true, NULL,
     "eta of the proximal term, relative to the diagonal of A"},
    {"step", "", DLS_FIELD_REAL, offsetof(settings, step), "5", 1, 1e3, false, NULL,
     "factor by which the penalty changes; 1: it stays as it is"},
    {"ratio", "", DLS_FIELD_REAL, offsetof(settings, ratio), "5", 1, 1e9, false, NULL,
     "ratio of the residuals of x = y and of z above which rho changes"},
    {"inner", "", DLS_FIELD_REAL, offsetof(settings, inner), "0.01", 0, 1, true, NULL,
     "without a factor: reduction of the residual by conjugate gradients in an iteration"},
};

enum { DENSE_ROWS = 400, INNER_STEPS = 500 };
enum { STEPS, SCALE, X, Z, RIGHT, NEXT, D, P, Q, VECTORS }; /* STEPS: 1 / D, SCALE: D; P, Q: scratch */

typedef struct admm {
    dls_kit kit;
    settings set;
    double rho;
    size_t reversals, since; /* changes of rho's direction, and iterations since it changed */
    int direction;           /* of the last change */
    bool dense, stale;       /* stale: L is the factor of another rho */
    double *A, *L, *shift, *right;
    size_t *rows;
    dls_arena memory;
} admm;

/* --- loading --- */

static dls_status admm_start(void *work, dls_error *error)
{
    admm *w = work;
    dls_kit *kit = &w->kit;
    const size_t n = kit->problem->n;
    double *s = kit->vector[STEPS];
    dls_kit_steps(kit, s);
    for (size_t k = 0; k < kit->size; k++)
        kit->vector[SCALE][k] = s[k] > 0.0 ? 1.0 / s[k] : 0.0;
    w->dense = w->set.factor == DENSE || (w->set.factor == BY_SIZE && n <= DENSE_ROWS);
    w->stale = true;
    dls_arena_reset(&w->memory);
    if (!w->dense)
        return DLS_OK;
    w->A = DLS_TAKE(&w->memory, double, n *n), w->L = DLS_TAKE(&w->memory, double, dls_factor_size(n));
    w->shift = DLS_TAKE(&w->memory, double, n), w->right = DLS_TAKE_ZEROS(&w->memory, double, dls_factor_padded(n));
    w->rows = DLS_TAKE(&w->memory, size_t, n);
    if (w->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a dense factor of %zu rows", n);
    for (size_t i = 0; i < n; i++)
        w->rows[i] = i;
    dls_dense_matrix(kit, kit->vector[P], kit->vector[Q], w->A);
    return DLS_OK;
}

static void admm_end(void *work) { dls_arena_release(&((admm *)work)->memory); }

/* The kit starts the method before it has its settings, with factor = none, so it starts once more. */
static dls_status admm_open(const dls_problem *problem, const void *set, const double *lambda0, void **work,
                            dls_error *error)
{
    const dls_kit_plan plan = {
        .size = sizeof(admm), .vectors = VECTORS, .omega = 1.0, .start = admm_start, .end = admm_end};
    DLS_TRY(dls_kit_open(&plan, problem, lambda0, work, error));
    ((admm *)*work)->set = *(const settings *)set;
    const dls_status status = admm_start(*work, error);
    if (status != DLS_OK) {
        dls_kit_close(*work);
        *work = NULL;
    }
    return status;
}

/* --- start of an iteration without a past --- */

static void admm_begin(admm *w)
{
    dls_kit *kit = &w->kit;
    const double *s = kit->vector[STEPS], *scale = kit->vector[SCALE], *lambda = kit->lambda;
    double *x = kit->vector[X], *z = kit->vector[Z], *shift = kit->vector[NEXT];
    w->rho = w->set.rho;
    w->reversals = w->since = 0;
    w->direction = 0;
    dls_kit_residual(kit, z);
    dls_kit_shift(kit, z, shift);
    for (size_t k = 0; k < kit->size; k++)
        x[k] = lambda[k] - s[k] * (z[k] += shift[k]);
    dls_kit_project(kit, x, x);
    for (size_t k = 0; k < kit->size; k++) {
        z[k] += scale[k] * (x[k] - lambda[k]);
        x[k] = lambda[k];
    }
}

/* --- the linear system: d from the right side r; they return d.r --- */

static double solve_by_factor(admm *w, const double *r, double *d, dls_report *report)
{
    dls_kit *kit = &w->kit;
    const size_t n = kit->problem->n;
    double sum = 0.0;
    if (w->stale) {
        for (size_t i = 0; i < n; i++)
            w->shift[i] = (w->set.proximal + w->rho) * kit->vector[SCALE][dls_kit_place(kit, i)];
        dls_factor(kit, w->A, w->shift, n, w->rows, w->L);
        report->factorizations++;
        w->stale = false;
    }
    for (size_t i = 0; i < n; i++)
        w->right[i] = r[dls_kit_place(kit, i)];
    dls_factor_solve(kit, n, w->L, w->right);
    for (size_t i = 0; i < n; i++) {
        const size_t k = dls_kit_place(kit, i);
        d[k] = w->right[i];
        sum += d[k] * r[k];
    }
    return sum;
}

/* Conjugate gradients from d = 0; r becomes their residual. */
static double solve_by_gradients(admm *w, double *r, double *d)
{
    dls_kit *kit = &w->kit;
    const double *s = kit->vector[STEPS], *scale = kit->vector[SCALE], shift = w->set.proximal + w->rho;
    double *p = kit->vector[P], *q = kit->vector[Q], square = 0.0, enough = 0.0, sum = 0.0;
    memset(d, 0, kit->size * sizeof *d);
    memset(p, 0, kit->size * sizeof *p);
    for (int step = 0; step < INNER_STEPS; step++) {
        double before = square, curvature = 0.0;
        square = 0.0;
        for (size_t k = 0; k < kit->size; k++)
            square += r[k] * s[k] * r[k];
        enough = step == 0 ? w->set.inner * w->set.inner * square : enough;
        if (!(square > enough))
            break;
        for (size_t k = 0; k < kit->size; k++)
            p[k] = s[k] * r[k] + (step == 0 ? 0.0 : square / before) * p[k];
        dls_kit_multiply(kit, p, q);
        for (size_t k = 0; k < kit->size; k++)
            curvature += p[k] * (q[k] += shift * scale[k] * p[k]);
        for (size_t k = 0; k < kit->size; k++) {
            d[k] += square / curvature * p[k];
            r[k] -= square / curvature * q[k];
        }
        sum += square / curvature * square;
    }
    return sum;
}

/* --- iterations --- */

/* Dependent rows that contradict each other have no solution: A hardly sees d, and the impulses grow by r / (eta + rho)
 * in every iteration. `seen` is d.A d, `moved` d.D d, `size` lambda.D lambda. */
static bool grows_without_end(double seen, double moved, double size)
{
    return seen <= 1e-12 * moved && moved > 1e-12 * size;
}

static void adapt_penalty(admm *w, double primal, double dual, bool grows)
{
    const double ratio = w->set.ratio * w->set.ratio;
    const int direction = grows ? 0 : primal > ratio * dual ? 1 : dual > ratio * primal ? -1 : 0;
    const double to = grows           ? fmax(w->rho, w->set.rho)
                      : direction > 0 ? w->rho * w->set.step
                      : direction < 0 ? w->rho / w->set.step
                                      : w->rho;
    w->since++;
    if (to == w->rho || (!grows && w->since < w->reversals) || !(to >= w->set.proximal && to <= 1.0 / w->set.proximal))
        return;
    w->reversals += direction * w->direction < 0;
    w->direction = direction;
    w->since = 0;
    w->rho = to;
    w->stale = true;
}

static dls_status admm_iterate(void *work, dls_report *report, dls_error *error)
{
    admm *w = work;
    dls_kit *kit = &w->kit;
    const double *s = kit->vector[STEPS], *scale = kit->vector[SCALE], eta = w->set.proximal;
    double *x = kit->vector[X], *y = kit->lambda, *z = kit->vector[Z], *right = kit->vector[RIGHT],
           *next = kit->vector[NEXT], *d = kit->vector[D], primal = 0.0, dual = 0.0, moved = 0.0, size = 0.0;
    (void)error;
    if (kit->loaded)
        admm_begin(w);
    const double rho = w->rho;
    dls_kit_residual(kit, right);
    dls_kit_shift(kit, z, next);
    for (size_t k = 0; k < kit->size; k++)
        right[k] = z[k] - right[k] - next[k] + eta * scale[k] * (x[k] - y[k]);
    const double sum = w->dense ? solve_by_factor(w, right, d, report) : solve_by_gradients(w, right, d);
    for (size_t k = 0; k < kit->size; k++) {
        const double to = y[k] + d[k];
        moved += d[k] * scale[k] * d[k];
        size += y[k] * scale[k] * y[k];
        d[k] = to - x[k];
        x[k] = to;
        next[k] = to - s[k] * z[k] / rho;
    }
    dls_kit_project(kit, next, next);
    for (size_t k = 0; k < kit->size; k++) {
        const double gap = x[k] - next[k], change = next[k] - y[k], drift = eta * d[k] + rho * change;
        primal += gap * gap * scale[k], dual += drift * drift * scale[k];
        z[k] -= rho * scale[k] * gap;
        y[k] = next[k];
        next[k] = change;
    }
    dls_kit_add(kit, next);
    adapt_penalty(w, primal, dual, grows_without_end(sum - (eta + rho) * moved, moved, size));
    dls_kit_report(kit, report);
    return DLS_OK;
}

const dls_solver dls_solver_admm = {
    .name = "admm",
    .summary = "alternating direction method of multipliers with a proximal term and an adapted penalty",
    .source = "J. Carpentier, Q. Le Lidec and L. Montaut, From compliant to rigid contact simulation, 2024; A. Tasora, "
              "D. Mangoni, S. Benatti and R. Garziera, 2021",
    DLS_KIT_MEMBERS,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_LAWS,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = admm_open,
    .iterate = admm_iterate,
};
