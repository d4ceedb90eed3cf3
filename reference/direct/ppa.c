/* The proximal point algorithm over Newton's method: Coulomb's cone, box friction and bounds, dense.
 *
 * With the units of prepare.h, diag(A) = 1, the step from lambda_k is the solution of the same problem with a
 * compliance alpha_k and a b that takes it away again at lambda_k:
 *
 *     w = (A + alpha_k 1) lambda_{k+1} + b - alpha_k lambda_k,     w and lambda_{k+1} obey the laws of each row.
 *
 * A fixed point is a solution. Where the laws are those of a minimum, the map from lambda_k to lambda_{k+1} does not
 * expand and its fixed points attract from anywhere for every alpha_k > 0, and linearly with a ratio that vanishes with
 * alpha_k (R. T. Rockafellar, 1976). Coulomb's law is not that of a minimum and nothing is proved; in practice this is
 * the surest of the methods at small tolerances (V. Acary, M. Bremond and O. Huber, 2018). It helps because A +
 * alpha_k 1 is definite where contacts are redundant: Newton's matrix is regular, and lambda_k is a start near the
 * solution. Newton's method is that of cone_descent.c, on the map that the settings choose (cone_map.c): its zeros are
 * the same for each.
 *
 * alpha_k falls tenfold after a step that Newton's method solves in few steps, or that gains little, by less after a
 * failure, and grows where it fails; a failure leaves lambda_k where it is, unless the violation of the problem itself
 * has fallen all the same. Impulses that creep along redundant rows move by 1 / alpha_k, and a step starts where the
 * last one foretells, if its violation is smaller there. With the compliance, Newton's matrix has a factor in the
 * velocities of the bodies (cone_velocities.c), down to an alpha_k of 1e-9.
 *
 * The first start is a few sweeps over the contacts. Where many contacts of few bodies are redundant, as between boxes
 * at rest, lambda_k then creeps along the set of solutions towards the one nearby, whose contacts stick at their rims.
 * If steps no longer halve the violation, the second start is the end of an interior path (cone_path.c), in the middle
 * of that set, from where a few steps are enough. The report says so.
 *
 * A problem without friction goes to block-pivoting, and the report says so. Nothing here promises that a solution
 * exists, and a failure says nothing about the problem. Where steps stand still, impulses that grow without end have
 * terms of at most about dls_reach times b, and so a violation of at least 1 / dls_reach: beyond it the outcome is a
 * failure, after which the verdict looks for a contradiction. Below it the outcome is that of an iterate, which the
 * examiner accepts if it meets the examiner's own criterion. */
#include "block_pivoting.h"
#include "cone_descent.h"
#include "cone_path.h"

typedef struct settings {
    double tolerance, alpha, work;
    size_t limit, newton, sweeps;
    int map;
} settings;

static const char *const maps[] = {
#define MAP_TEXT(name, text) text,
    DLS_CONE_MAP_LIST(MAP_TEXT)
#undef MAP_TEXT
        NULL};

static const dls_field fields[] = {
    {"tolerance", "", DLS_FIELD_REAL, offsetof(settings, tolerance), "1e-13", 0, 1, false, NULL,
     "violation of a row that ends the method, as a share of its own terms, |b_i| + sum_j |A_ij lambda_j| of w_i; at "
     "least their rounding error; 1e-10 is enough for an answer"},
    {"alpha", "", DLS_FIELD_REAL, offsetof(settings, alpha), "1e-2", 1e-12, 1e3, false, NULL,
     "first compliance, as a share of the diagonal of A"},
    {"limit", "", DLS_FIELD_COUNT, offsetof(settings, limit), "100", 1, 1e9, false, NULL,
     "greatest number of proximal steps"},
    {"newton", "", DLS_FIELD_COUNT, offsetof(settings, newton), "40", 1, 1e9, false, NULL,
     "greatest number of Newton steps per proximal step"},
    {"sweeps", "", DLS_FIELD_COUNT, offsetof(settings, sweeps), "20", 0, 1e9, false, NULL,
     "number of sweeps over the contacts before the first step"},
    {"map", "", DLS_FIELD_CHOICE, offsetof(settings, map), "alart-curnier", 0, 0, false, maps,
     "map of a contact whose zero a proximal step finds by Newton's method; contacts that roll or have an upper bound, "
     "and box friction, keep alart-curnier"},
    {"work", "", DLS_FIELD_REAL, offsetof(settings, work), "1e13", 1, HUGE_VAL, false, NULL,
     "greatest number of multiplications in factorisations, f^3 / 3 for f rows that are not at a bound; then the best "
     "iterate is the answer"},
};

/* INNER: projections of a contact per sweep. FEW: Newton steps of an easy proximal step. PATIENCE: proximal steps in
 * turn that do not halve the violation, before a start ends; LAST: the same once the violation is that of an answer. */
enum { INNER = 10, FEW = 10, WINDOW = 8, PATIENCE = 8, LAST = 2, PATH_STEPS = 60 };
/* Factors of alpha after an easy or slow step, a failure that lowers the violation all the same, and another failure.
 */
static const double easiest = 0.1, harder = 4.0, hardest = 10.0, least_alpha = 1e-13, most_alpha = 1e4;
/* A proximal step is solved to the first share of the violation before it; beyond the second it is slow. */
static const double inner_share = 1e-3, slow_share = 0.3;
/* The violation of the best impulses may grow by this factor where they are moved into their cones. */
static const double hardly_larger = 1.01;

typedef struct work {
    const settings *set;
    const dls_direct *d;
    dls_direct shifted; /* A + alpha 1 and b - alpha lambda_k, in memory of its own */
    dls_cone_descent descent;
    dls_cone_path path;
    double *lambda, *w, *T, *most; /* n: lambda_k; of the problem itself */
    double *best, least;           /* n; of all starts, and its violation */
    double violation, enough;      /* of lambda_k; the one that ends the method */
    double alpha, ease;            /* ease: the next factor of an easy step */
    double *before, *foretold;     /* n: lambda_(k-1); scratch */
    double last_alpha;             /* of the step from there; 0: none */
    size_t outer;
} work;

static void take_work(work *p, const dls_direct *d)
{
    *p = (work){.set = d->settings, .d = d, .shifted = *d};
    p->shifted.q.A = dls_take_matrix(d->memory, d->n, d->n);
    p->shifted.q.b = dls_direct_vector(d);
    DLS_DIRECT_VECTORS(d, &p->lambda, &p->w, &p->T, &p->most, &p->best);
    DLS_DIRECT_VECTORS(d, &p->before, &p->foretold);
    dls_cone_descent_take(&p->descent, &p->shifted);
    p->descent.map = (dls_cone_map)p->set->map;
    dls_cone_path_take(&p->path, d);
    p->least = HUGE_VAL;
    p->enough = fmax(p->set->tolerance, dls_cone_descent_rounding(&p->descent));
}

/* The violation of the problem itself. Without a solution impulses grow by b / alpha in each step, until b is a
 * rounding error of the terms of w: beyond dls_reach they are none. */
static double ppa_violation(work *p, const double *lambda)
{
    dls_dense_w(&p->d->q, lambda, p->w);
    const double v = dls_cone_map_violation(p->d, lambda, p->w, p->T, p->most);
    return !isnan(v) && dls_cone_map_within_reach(p->d, lambda) ? v : HUGE_VAL;
}

/* Makes the problem of the next step. */
static void shift_problem(work *p)
{
    const dls_dense *q = &p->d->q;
    memcpy(p->shifted.q.A, q->A, q->n * q->n * sizeof *q->A);
    p->descent.shift = p->alpha;
    for (size_t i = 0; i < q->n; i++) {
        p->shifted.q.A[i + q->n * i] += p->alpha;
        p->shifted.q.b[i] = q->b[i] - p->alpha * p->lambda[i];
    }
}

static bool within_limits(const work *p)
{
    return p->outer < p->set->limit && p->descent.multiplications < p->set->work;
}

/* Newton steps until the violation is at most `to`. False where a window of them does not halve theta, or the limits
 * end them. */
static bool solve_shifted(work *p, double to, size_t last, dls_report *report)
{
    dls_cone_descent *descent = &p->descent;
    double mark = HUGE_VAL;
    dls_cone_descent_start(descent);
    for (size_t k = 0; descent->now > to; k++) {
        if (k % WINDOW == 0) {
            if (!(descent->theta <= 0.5 * mark))
                return false;
            mark = descent->theta;
        }
        if (report->iterations >= last || !within_limits(p) || !dls_cone_descent_step(descent, report))
            return false;
    }
    return true;
}

/* The start of a step: lambda_k, or where its violation is smaller there, the point that the last step foretells.
 * Impulses that creep along redundant rows move by 1 / alpha. */
static void choose_start(work *p)
{
    const size_t n = p->d->n;
    double violation[2];
    for (int k = 0; k < 2; k++) {
        const double share = k == 0 && p->last_alpha > 0.0 ? p->last_alpha / p->alpha : 0.0;
        for (size_t i = 0; i < n; i++)
            p->descent.lambda[i] = p->lambda[i] + share * (p->lambda[i] - p->before[i]);
        dls_cone_descent_start(&p->descent);
        violation[k] = p->descent.now;
        if (k == 0)
            memcpy(p->foretold, p->descent.lambda, n * sizeof *p->foretold);
    }
    if (violation[0] < violation[1])
        memcpy(p->descent.lambda, p->foretold, n * sizeof *p->foretold);
}

/* One proximal step and the next alpha. */
static void proximal_step(work *p, dls_report *report)
{
    dls_cone_descent *descent = &p->descent;
    const double to = fmax(inner_share * fmin(p->violation, 1.0), p->enough);
    const size_t before = report->iterations, last = before + p->set->newton;
    shift_problem(p);
    choose_start(p);
    bool solved = solve_shifted(p, to, last, report);
    if (!solved && report->iterations < last && within_limits(p)) {
        for (size_t k = 0; k < p->set->sweeps; k++)
            dls_cone_map_sweep(&p->shifted, INNER, descent->lambda);
        solved = solve_shifted(p, to, last, report);
    }
    const double violation = ppa_violation(p, descent->lambda);
    const bool slow = violation > slow_share * p->violation, moves = solved || violation < p->violation;
    if (moves) {
        memcpy(p->before, p->lambda, p->d->n * sizeof *p->lambda);
        memcpy(p->lambda, descent->lambda, p->d->n * sizeof *p->lambda);
        p->last_alpha = solved ? p->alpha : 0.0;
    }
    if (!solved) {
        p->alpha *= violation < p->violation ? harder : hardest;
        p->ease = sqrt(p->ease);
    } else if (slow || report->iterations - before < FEW) {
        p->alpha = fmax(p->alpha * p->ease, least_alpha);
        p->ease = fmax(p->ease * p->ease, easiest);
    }
    p->violation = moves ? violation : p->violation;
    p->outer++;
}

static void remember_best(work *p)
{
    if (p->violation < p->least) {
        p->least = p->violation;
        memcpy(p->best, p->lambda, p->d->n * sizeof *p->best);
    }
}

/* Moves the best impulses into their bounds and cones, and to the bounds and rims that they press against; or friction
 * only as far as rounding has left it outside its cone; if their violation is hardly larger there. */
static void project_best(work *p)
{
    const double allowed = fmax(hardly_larger * p->least, dls_cone_descent_rounding(&p->descent));
    for (int k = 0; k < 2; k++) {
        memcpy(p->lambda, p->best, p->d->n * sizeof *p->lambda);
        ppa_violation(p, p->lambda);
        for (size_t i = 0; k == 1 && i < p->d->n; i++)
            p->w[i] = p->d->problem->parent[i] == DLS_NONE ? p->w[i] : 0.0;
        dls_cone_map_project(p->d, p->w, p->lambda);
        const double violation = ppa_violation(p, p->lambda);
        if (violation <= allowed) {
            p->least = violation;
            memcpy(p->best, p->lambda, p->d->n * sizeof *p->best);
            return;
        }
    }
}

/* Proximal steps from lambda, until the violation is small enough, or stands still. */
static void follow_start(work *p, dls_report *report)
{
    double last = p->violation = ppa_violation(p, p->lambda);
    remember_best(p);
    p->alpha = p->set->alpha;
    p->ease = easiest;
    p->last_alpha = 0.0;
    for (size_t slow = 0; p->violation > p->enough && slow < (p->least > dls_solved_to ? PATIENCE : LAST) &&
                          p->alpha <= most_alpha && within_limits(p);) {
        proximal_step(p, report);
        slow = p->violation < last && p->violation <= 0.5 * last ? 0 : slow + 1;
        last = slow > 0 ? last : p->violation;
        remember_best(p);
    }
}

static dls_status solve_ppa(dls_direct *d, double *lambda, dls_report *report, dls_error *error)
{
    work p;
    if (d->problem->n_coupled == 0)
        return dls_block_pivoting_without_friction(d, lambda, report, error);
    take_work(&p, d);
    DLS_TRY(dls_direct_ready(d, error));
    for (size_t k = 0; k < p.set->sweeps; k++)
        dls_cone_map_sweep(d, INNER, p.lambda);
    follow_start(&p, report);
    const bool again = p.least > dls_solved_to && within_limits(&p);
    if (again) {
        dls_cone_path_follow(&p.path, PATH_STEPS, p.lambda, report);
        follow_start(&p, report);
    }
    project_best(&p);
    memcpy(lambda, p.best, d->n * sizeof *lambda);
    dls_report_end(report,
                   p.least <= dls_solved_to                            ? DLS_OUTCOME_SOLVED
                   : within_limits(&p) && !(p.least * dls_reach < 1.0) ? DLS_OUTCOME_NUMERICAL_FAILURE
                                                                       : DLS_OUTCOME_ITERATION_LIMIT,
                   "proximal steps: %zu%s; the largest violation of a row is %.3g", p.outer,
                   again ? "; a start by an interior path" : "", p.least);
    return DLS_OK;
}

DLS_DIRECT_SOLVER(
    ppa, solve_ppa, DLS_DIRECT_CONTACTS, .name = "ppa",
    .summary = "proximal point algorithm over semismooth Newton, on Alart and Curnier's map or two others",
    .source = "R. T. Rockafellar 1976; V. Acary, M. Bremond and O. Huber 2018; M. Fukushima, Z.-Q. Luo and P. "
              "Tseng 2002",
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_CONE |
               DLS_ACCEPTS_ROLLING,
    .fields = DLS_FIELD_TABLE(fields, settings));
