/* The convex problem of contacts in velocities, minimised by Newton's method with an exact line search.
 *
 * With a compliance R > 0 of all rows, impulses are a function of velocities, and with A = G G^T + Lambda, G =
 * J M^-1/2, S = R + Lambda and y = M^1/2 (v - v*), the problem of the associated law is to minimise without constraints
 *
 *     |y|^2 / 2 + max over lambda in K of { -lambda.(G y + b) - lambda.S lambda / 2 },
 *
 * where K is the product of bounds and cones. The maximum is at lambda(y) = P(-S^-1 (G y + b)), P the projection onto
 * K in the norm of S, the gradient is y - G^T lambda(y), and the Hessian 1 + G^T H G with H = dP S^-1, which is
 * symmetric and semidefinite (E. Todorov, 2014; A. Castro, F. Permenter and X. Han, 2023, whose method SAP is this).
 * The function is strictly convex and its gradient Lipschitz continuous, so Newton's method with a line search
 * converges from everywhere, in the end superlinearly. The factor has one row for each velocity.
 *
 * Without regularisation R is not part of the answer but that of a proximal step, which the next one takes away again:
 * from lambda_k with w_k = A lambda_k + b the step is the same problem for d = y - G^T lambda_k,
 *
 *     lambda(d) = P(lambda_k - S^-1 (w_k + G d)),    gradient d - G^T (lambda(d) - lambda_k),
 *
 * and lambda_{k+1} = lambda(d): the augmented Lagrangian method (R. T. Rockafellar, 1976), which converges for every
 * R > 0 where the law is that of a minimum, with an error that vanishes with |d|. Differences lose no digits however
 * small R is; what the root G of a matrix leaves out, as rounding errors may have made it indefinite by a little, is
 * part of w_k alone. R falls tenfold after a step that few Newton steps solve, and grows after one that they do not.
 *
 * Coulomb's law, and box friction, is the associated law with De Saxce's term added to w_n (cone_projection.h); each
 * step takes the term of its lambda_k. That is a fixed point iteration, which contracts where friction and normal
 * velocities are not strongly coupled; nothing is proved, and the violation of the problem itself decides.
 *
 * With regularisation = sap, R stays, and the answer is that of the associated law with this compliance, whatever the
 * law of the discs is:
 *     R_n = max(Lambda_n, beta^2 / (4 pi^2) |W|),   R_t = max(Lambda_t, sigma |W|),
 * with |W| a third of the Frobenius norm of the contact's block of A (Castro et al.). Other rows stay as they are. Such
 * an answer does not solve the problem, and never counts as solved unless it does; the message says by how much it
 * violates the laws. */
#include "cone_map.h"
#include "cone_projection.h"
#include "direct.h"

#include "delassus/math3.h"

#include <lapacke.h>

enum { NONE, SAP };
static const char *const regularisations[] = {"none", "sap", NULL};

typedef struct settings {
    double tolerance, proximal, sigma, beta, work;
    size_t limit, newton;
    int regularisation;
} settings;

static const dls_field fields[] = {
    {"tolerance", "", DLS_FIELD_REAL, offsetof(settings, tolerance), "1e-15", 0, 1, false, NULL,
     "violation of a row that ends the method, as a share of its own terms, |b_i| + sum_j |A_ij lambda_j| of w_i; at "
     "least their rounding error; 1e-10 is enough for an answer"},
    {"proximal", "", DLS_FIELD_REAL, offsetof(settings, proximal), "1e-2", 1e-8, 1e3, false, NULL,
     "first compliance of the proximal steps, as a share of the diagonal of A"},
    {"regularisation", "", DLS_FIELD_CHOICE, offsetof(settings, regularisation), "none", 0, 0, false, regularisations,
     "none: the problem itself; sap: the associated law with the compliance of SAP, whose answer is another one"},
    {"sigma", "", DLS_FIELD_REAL, offsetof(settings, sigma), "1e-3", 0, 1e3, false, NULL,
     "compliance of tangents under SAP's regularisation, as a share of the contact's block of A"},
    {"beta", "", DLS_FIELD_REAL, offsetof(settings, beta), "1", 0, 1e3, false, NULL,
     "near-rigid parameter of its normal rows: their compliance is the share beta^2 / (4 pi^2)"},
    {"limit", "", DLS_FIELD_COUNT, offsetof(settings, limit), "200", 1, 1e9, false, NULL,
     "greatest number of proximal steps"},
    {"newton", "", DLS_FIELD_COUNT, offsetof(settings, newton), "50", 1, 1e9, false, NULL,
     "greatest number of Newton steps per proximal step"},
    {"work", "", DLS_FIELD_REAL, offsetof(settings, work), "1e13", 1, HUGE_VAL, false, NULL,
     "greatest number of multiplications in factorisations, nv^3 / 3 each; then the best iterate is the answer"},
};

/* FEW: Newton steps of an easy proximal step; VERY_FEW: where it is also one of the fixed point iteration, which is
 * not faster for a smaller R. IDLE: steps in turn at the rounding errors of one; PATIENCE: proximal steps in turn that
 * do not halve the violation before the method ends; LAST: that do not lower it by a tenth, once it is that of an
 * answer. */
enum { FEW = 8, VERY_FEW = 3, IDLE = 3, PATIENCE = 20, LAST = 2, LINE_STEPS = 50 };
static const double easier = 0.1, harder = 10.0, hardest = 1e3, least_proximal = 1e-8, most_proximal = 1e4;
/* The share of its slope at the start that the line search leaves, and the accuracy of the first proximal step. */
static const double line_share = 1e-2, inner_share = 0.1, tiny = 1e-8;
/* The part of A that the root does not have takes part in w_k alone. It has to be small, and R so much larger. */
static const double most_remainder = 1e-6, beyond_remainder = 100.0;

typedef struct work {
    const settings *set;
    const dls_direct *d; /* the problem that is solved: with SAP's compliance if there is one */
    dls_root root;
    dls_cone_projection projection;
    double *compliance;                 /* n: what S has at least */
    double proximal;                    /* and besides, in the units of q */
    double remainder;                   /* of A less G G^T, as a share */
    double speed;                       /* |G^T lambda_k| */
    double *before;                     /* n: lambda_(k-1) */
    double *center, *w;                 /* n: lambda_k, and w there with De Saxce's term */
    double *lambda, *x, *image, *along; /* n: lambda(d); scratch; G d; G p */
    double *y, *gradient, *p;           /* columns: d, its gradient, Newton's step */
    double *K;                          /* columns x columns */
    double *T, *most, *best, least;     /* n; the best lambda and its violation */
    double multiplications;
    double enough; /* the violation that ends the method */
    size_t outer;
} work;

/* --- the function of one proximal step --- */

/* lambda and its derivative at d + length p. */
static void evaluate_impulses(work *s, double length)
{
    for (size_t i = 0; i < s->d->n; i++)
        s->x[i] = s->center[i] - (s->w[i] + s->image[i] + length * s->along[i]) / s->projection.S[i];
    dls_cone_projection_apply(&s->projection, s->x, s->lambda);
}

/* The gradient at d, of which lambda is known. */
static void evaluate_gradient(work *s)
{
    for (size_t i = 0; i < s->d->n; i++)
        s->x[i] = s->lambda[i] - s->center[i];
    dls_root_multiply_transposed(&s->root, s->x, s->gradient);
    for (size_t k = 0; k < s->root.columns; k++)
        s->gradient[k] = s->y[k] - s->gradient[k];
}

/* The slope along p at d + length p, and its derivative. */
static double evaluate_slope(work *s, double length, double *curvature)
{
    const int columns = (int)s->root.columns;
    const double square = cblas_ddot(columns, s->p, 1, s->p, 1);
    double slope = cblas_ddot(columns, s->p, 1, s->y, 1) + length * square;
    evaluate_impulses(s, length);
    for (size_t i = 0; i < s->d->n; i++)
        slope -= s->along[i] * (s->lambda[i] - s->center[i]);
    *curvature = square + dls_cone_projection_curvature(&s->projection, s->along);
    return slope;
}

/* The length at which the slope, which grows with it by |p|^2 at least, is 0: Newton's method, or bisection where that
 * would leave the interval. 0 where rounding has left no descent. */
static double search_line(work *s)
{
    double curvature, first = evaluate_slope(s, 0.0, &curvature), lower = 0.0, upper = HUGE_VAL, length = 1.0;
    if (!(first < 0.0))
        return 0.0;
    for (int k = 0; k < LINE_STEPS; k++) {
        const double slope = evaluate_slope(s, length, &curvature);
        if (!(fabs(slope) > line_share * -first))
            break;
        *(slope < 0.0 ? &lower : &upper) = length;
        const double next = length - slope / curvature;
        length = next > lower && next < upper ? next : isinf(upper) ? 2.0 * lower : 0.5 * (lower + upper);
    }
    return length;
}

/* p from the factor of 1 + G^T H G. */
static bool find_step(work *s, dls_report *report)
{
    const size_t columns = s->root.columns;
    const lapack_int order = (lapack_int)columns;
    const double size = (double)columns;
    memset(s->K, 0, columns * columns * sizeof *s->K);
    for (size_t k = 0; k < columns; k++) {
        s->K[k + columns * k] = 1.0;
        s->p[k] = -s->gradient[k];
    }
    dls_root_add_squares(&s->root, &s->projection.H, s->K);
    report->factorizations++;
    s->multiplications += size * size * size / 3.0;
    return dls_matrix_is_finite(columns, s->K, true) &&
           LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', order, s->K, order) == 0 &&
           LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', order, 1, s->K, order, s->p, order) == 0;
}

static bool within_work(const work *s)
{
    const double size = (double)s->root.columns;
    return s->multiplications + size * size * size / 3.0 <= s->set->work;
}

/* Whether lambda(d) is that of the minimum, to a share of its distance from lambda_k, in the norm of S: the minimum is
 * within |gradient| of d. */
static bool is_accurate(work *s, double share)
{
    double error = 0.0, moved = 0.0;
    dls_root_multiply(&s->root, s->gradient, s->x);
    for (size_t i = 0; i < s->d->n; i++) {
        const double change = s->lambda[i] - s->center[i];
        error += s->x[i] * (s->x[i] / s->projection.S[i]);
        moved += change * (change * s->projection.S[i]);
    }
    return error <= share * share * moved;
}

/* Newton steps from d = 0. True at the minimum, also where rounding leaves no descent: steps that are tiny beside the
 * velocities, and of which several in turn do not halve the gradient. */
static bool minimise(work *s, double share, dls_report *report)
{
    const size_t n = s->d->n;
    const int columns = (int)s->root.columns;
    memset(s->y, 0, s->root.columns * sizeof *s->y);
    memset(s->image, 0, n * sizeof *s->image);
    memset(s->along, 0, n * sizeof *s->along);
    evaluate_impulses(s, 0.0);
    evaluate_gradient(s);
    double least = HUGE_VAL;
    for (size_t k = 0, idle = 0; idle < IDLE && !is_accurate(s, share); k++) {
        if (k >= s->set->newton || !within_work(s) || !find_step(s, report))
            return false;
        report->iterations++;
        dls_root_multiply(&s->root, s->p, s->along);
        const double length = search_line(s), moved = length * cblas_dnrm2(columns, s->p, 1);
        cblas_daxpy(columns, length, s->p, 1, s->y, 1);
        dls_root_multiply(&s->root, s->y, s->image);
        evaluate_impulses(s, 0.0);
        evaluate_gradient(s);
        const double left = cblas_dnrm2(columns, s->gradient, 1);
        idle = left <= 0.5 * least || moved > tiny * (s->speed + cblas_dnrm2(columns, s->y, 1)) ? 0 : idle + 1;
        least = fmin(least, left);
    }
    return true;
}

/* lambda(d) with one more step to first order, in x: lambda - H G p, which satisfies d + p = G^T (lambda - lambda_k) as
 * exactly as p is known, where lambda(d) has rounding errors of w, divided by S. The factor is the last one. */
static void correct_impulses(work *s)
{
    const size_t columns = s->root.columns;
    const lapack_int order = (lapack_int)columns;
    memcpy(s->p, s->gradient, columns * sizeof *s->p);
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', order, 1, s->K, order, s->p, order);
    dls_root_multiply(&s->root, s->p, s->along);
    memcpy(s->x, s->lambda, s->d->n * sizeof *s->x);
    dls_root_squares_add(&s->projection.H, s->along, s->x);
}

/* --- proximal steps --- */

/* w of lambda_k, and its violation; remembers the best one. A row whose terms are all rounding errors of those of
 * others, as a row that depends on them may have, has a violation of 1 where it is solved: without friction such rows
 * are measured beside the others. */
static double evaluate_center(work *s)
{
    dls_dense_w(&s->d->q, s->center, s->w);
    double residual, v = dls_cone_map_violation(s->d, s->center, s->w, s->T, s->most);
    if (s->d->problem->n_coupled == 0 && v > s->enough &&
        dls_direct_solved(s->d, s->center, s->enough, s->x, &residual))
        v = fmin(residual, s->enough);
    if (!isnan(v) && v < s->least && dls_cone_map_within_reach(s->d, s->center)) {
        s->least = v;
        memcpy(s->best, s->center, s->d->n * sizeof *s->best);
    }
    dls_cone_projection_add_shift(&s->projection, s->w, s->w);
    dls_root_multiply_transposed(&s->root, s->center, s->y);
    s->speed = cblas_dnrm2((int)s->root.columns, s->y, 1);
    return v;
}

static void choose_norm(work *s)
{
    for (size_t i = 0; i < s->d->n; i++)
        s->x[i] = fmax(s->compliance[i], s->proximal);
    dls_cone_projection_norm(&s->projection, s->x);
}

/* Proximal steps from `center`, until the violation is small enough or stands still. Without a solution the impulses
 * grow without end, along a vector that proves it: returns true. */
static bool follow_center(work *s, dls_report *report)
{
    const size_t n = s->d->n;
    const double smallest = fmax(least_proximal, beyond_remainder * s->remainder);
    s->proximal = fmax(s->proximal, smallest);
    s->enough = fmax(s->set->tolerance, (double)(n + 3) * DBL_EPSILON);
    choose_norm(s);
    double now = evaluate_center(s), last = now;
    for (size_t slow = 0; !(now <= s->enough) && slow < (s->least > dls_solved_to ? PATIENCE : LAST) &&
                          s->outer < s->set->limit && within_work(s) && s->proximal <= most_proximal;) {
        const size_t before = report->iterations, k = ++s->outer;
        choose_norm(s);
        const bool solved = minimise(s, inner_share / (double)(k * k), report);
        memcpy(s->before, s->center, n * sizeof *s->before);
        memcpy(s->center, s->lambda, n * sizeof *s->center);
        now = evaluate_center(s);
        if (report->iterations > before) {
            correct_impulses(s);
            memcpy(s->center, s->x, n * sizeof *s->center);
            const double corrected = evaluate_center(s);
            if (!(corrected < now)) {
                memcpy(s->center, s->lambda, n * sizeof *s->center);
                evaluate_center(s);
            }
            now = fmin(now, corrected);
        }
        if (!dls_cone_map_within_reach(s->d, s->center)) {
            if (s->d->problem->n_coupled == 0)
                return true;
            memcpy(s->center, s->before, n * sizeof *s->center);
            now = evaluate_center(s);
            s->proximal *= hardest;
        }
        slow = now <= (s->least > dls_solved_to ? 0.5 : 0.9) * last ? 0 : slow + 1;
        last = slow > 0 ? last : now;
        if (!solved)
            s->proximal *= harder;
        else if (report->iterations - before <= (s->projection.shifts ? VERY_FEW : FEW))
            s->proximal = fmax(s->proximal * easier, smallest);
    }
    return false;
}

/* --- SAP's regularisation --- */

/* A third of the Frobenius norm of the three rows of a contact of A, in the units of the problem. */
static double block_size(const dls_direct *d, size_t i)
{
    double square = 0.0;
    for (size_t a = i; a < i + 3; a++)
        for (size_t b = i; b < i + 3; b++) {
            const double entry = ldexp(d->q.A[a + d->n * b], -d->row_unit[a] - d->row_unit[b]);
            square += entry * entry;
        }
    return sqrt(square) / 3.0;
}

/* Makes `relaxed` the problem of SAP, with its compliance on the diagonal of A. False where it has no such problem. */
static bool regularise(const work *s, const dls_direct *d, dls_problem *associated, dls_direct *relaxed,
                       const double *own)
{
    const size_t n = d->n;
    const unsigned others = DLS_CONTACTS_ROLLING | DLS_CONTACTS_TORSIONAL;
    if ((dls_problem_contact_laws(d->problem) & others) || d->problem->n_coupled > d->problem->n_cone)
        return false;
    memcpy(relaxed->q.A, d->q.A, n * n * sizeof *d->q.A);
    for (size_t i = 0; i < n; i++)
        associated->law[i] = dls_law_has_discs(d->problem->law[i]) ? DLS_LAW_ASSOCIATED : d->problem->law[i];
    for (size_t i = 0; i < n; i++) {
        if (!dls_problem_is_cone(d->problem, i))
            continue;
        const double W = block_size(d, i), beta = s->set->beta / (2.0 * DLS_PI);
        for (size_t k = i; k < i + 3; k++) {
            const double wanted = ldexp((k == i ? beta * beta : s->set->sigma) * W, 2 * d->row_unit[k]);
            const double added = fmax(wanted - own[k], 0.0);
            relaxed->q.A[k + n * k] += added;
            s->compliance[k] += added;
        }
    }
    return true;
}

/* --- the method --- */

static void take_primal(work *s, const dls_direct *d)
{
    const settings *set = d->settings;
    *s = (work){.set = set, .d = d, .proximal = set->proximal, .least = HUGE_VAL};
    dls_root_take_mechanical(&s->root, d);
    if (!s->root.start)
        dls_root_take_matrix(&s->root, d);
    const size_t columns = s->root.columns > 0 ? s->root.columns : d->n;
    dls_cone_projection_take(&s->projection, d);
    DLS_DIRECT_VECTORS(d, &s->compliance, &s->before, &s->center, &s->w, &s->lambda, &s->x, &s->image, &s->along);
    DLS_DIRECT_VECTORS(d, &s->T, &s->most, &s->best);
    s->y = DLS_TAKE(d->memory, double, columns), s->p = DLS_TAKE(d->memory, double, columns);
    s->gradient = DLS_TAKE(d->memory, double, columns);
    s->K = dls_take_matrix(d->memory, columns, columns);
}

static dls_status end_primal(work *s, const dls_direct *d, bool endless, double *lambda, dls_report *report,
                             dls_error *error)
{
    const bool limited = s->outer >= s->set->limit || !within_work(s);
    double bound;
    for (size_t i = 0; i < d->n; i++)
        s->before[i] = s->center[i] - s->before[i];
    memcpy(lambda, s->best, d->n * sizeof *lambda);
    if (s->least <= dls_solved_to && s->d == d) {
        dls_report_end(report, DLS_OUTCOME_SOLVED, "proximal steps: %zu; the largest violation of a row is %.3g",
                       s->outer, s->least);
    } else if (s->least <= dls_solved_to) {
        dls_dense_w(&d->q, lambda, s->w);
        const double v = dls_cone_map_violation(d, lambda, s->w, s->T, s->most);
        dls_report_end(
            report, v <= dls_solved_to ? DLS_OUTCOME_SOLVED : DLS_OUTCOME_ITERATION_LIMIT,
            "the answer of the problem with SAP's compliance, sigma %.3g and beta %.3g, to %.3g; it violates "
            "a row of the problem itself by %.3g",
            s->set->sigma, s->set->beta, s->least, v);
    } else if (endless && dls_direct_farkas(d, s->before, &bound)) {
        return dls_direct_report_farkas(d, s->before, bound, report, error);
    } else {
        dls_report_end(report, limited ? DLS_OUTCOME_ITERATION_LIMIT : DLS_OUTCOME_NUMERICAL_FAILURE,
                       "proximal steps: %zu; the largest violation of a row is %.3g%s", s->outer, s->least,
                       endless ? "; impulses grow without end" : "");
    }
    return DLS_OK;
}

static dls_status solve_primal(dls_direct *d, double *lambda, dls_report *report, dls_error *error)
{
    const settings *set = d->settings;
    const bool sap = set->regularisation == SAP;
    dls_problem associated = *d->problem;
    dls_direct relaxed = *d;
    work s;
    take_primal(&s, d);
    double *own = dls_direct_vector(d);
    if (sap) {
        relaxed.problem = &associated;
        relaxed.q.A = dls_take_matrix(d->memory, d->n, d->n);
        associated.law = DLS_TAKE(d->memory, dls_law, d->n);
    }
    if (s.root.columns == 0)
        s.remainder = dls_root_factorise(&s.root, d);
    DLS_TRY(dls_direct_ready(d, error));
    for (size_t i = 0; i < d->n; i++) {
        own[i] = d->problem->form == DLS_FORM_MECHANICAL ? ldexp(d->problem->gamma[i], 2 * d->row_unit[i]) : 0.0;
        s.compliance[i] = s.root.compliance[i];
        s.center[i] = lambda[i];
    }
    if (!(s.remainder <= most_remainder)) {
        dls_report_end(report, DLS_OUTCOME_REFUSED,
                       "the matrix is not positive semidefinite, and there is no convex function to minimise");
        return DLS_OK;
    }
    if (sap && !regularise(&s, d, &associated, &relaxed, own)) {
        dls_report_end(report, DLS_OUTCOME_REFUSED,
                       "SAP's regularisation is that of contacts with two tangents under a cone, without rolling or "
                       "torsional friction");
        return DLS_OK;
    }
    if (sap) {
        s.d = &relaxed;
        dls_cone_projection_take(&s.projection, &relaxed);
        DLS_TRY(dls_direct_ready(d, error));
    }
    const bool endless = follow_center(&s, report);
    return end_primal(&s, d, endless, lambda, report, error);
}

DLS_DIRECT_SOLVER(primal, solve_primal, DLS_DIRECT_CONTACTS, .name = "primal",
                  .summary = "Newton's method on the convex problem in velocities, in proximal steps; or with SAP's "
                             "regularisation",
                  .source = "E. Todorov 2014; A. Castro, F. Permenter and X. Han 2023; R. T. Rockafellar 1976",
                  .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_LAWS |
                             DLS_TAKES_START,
                  .fields = DLS_FIELD_TABLE(fields, settings));
