/* Proximal points of contacts under Coulomb's cone, on sparse factors in the velocities of the bodies.
 *
 * A step from lambda, w = A lambda + b, solves the same problem with a compliance eps D that is taken away again at
 * lambda (ppa.c): every row and contact is a spring within its law, next(J d) (contact_springs.c), where d is the
 * change of the velocities,
 *     F(d) = M d - J^T (next(J d) - lambda) = 0,     F' = M + J^T S J,
 * which is sparse, and regular however many contacts depend on each other; no row of A is formed. |F| is measured by
 * M^-1, as the velocity that it stands for. Two laws of the springs take turns:
 *
 * THE ASSOCIATED LAW, with s_i = mu |w_t| of the velocities before the step added to the normal velocities. next is the
 * nearest point of a convex cone, F the gradient of a strictly convex function, and Newton's method with the length of
 * sparse_active_set.c converges from everywhere, on Cholesky factors. The steps converge to the solution for given s;
 * Coulomb's law is a fixed point of s -> mu |w_t| (V. Acary, F. Cadoux, C. Lemarechal and J. Malick, 2011), which is
 * iterated along with the steps. It need not contract: where bodies slide at large mu it meets cycles of two. The
 * mixing of the last iterates (mixing.c) makes it converge in practice; no theory says that it does. s_i is measured in
 * units of sqrt(D_i), as energies are.
 *
 * COULOMB'S LAW itself, whose S is not symmetric, on LU factors, once the violation is small. Newton's method is
 * locally quadratic, but from far away it fails: the impulses of a violation v are about v / eps, so that it begins
 * with eps a multiple of v (the rule of V. Acary, M. Bremond and O. Huber, 2018: alpha in proportion to the error), and
 * is left after a few steps that do not lower |F|. What it finds is kept unless the violation more than doubles.
 *
 * A step that Newton's method does not solve is not taken, one that leads far from the best point is taken back, and
 * eps grows tenfold. The best point is the answer. Nothing here promises that a solution exists, and a failure says
 * nothing about the problem. */
#include "contact_springs.h"
#include "mixing.h"

#include "delassus/reference.h"

#include "direct/direct.h"
#include "self_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    double tolerance, proximal;
    size_t limit, newton;
} settings;

static const dls_field fields[] = {
    {"tolerance", "", DLS_FIELD_REAL, offsetof(settings, tolerance), "1e-12", 0, 1, false, NULL,
     "violation of each row or contact that ends the method, as a share of the terms of its w; one of 1e-10 does once "
     "steps no longer halve it"},
    {"proximal", "", DLS_FIELD_REAL, offsetof(settings, proximal), "1e-8", 1e-12, 1, false, NULL,
     "least weight of the proximal term, as a share of A_ii"},
    {"limit", "", DLS_FIELD_COUNT, offsetof(settings, limit), "500", 1, 1e9, false, NULL,
     "greatest number of proximal steps"},
    {"newton", "", DLS_FIELD_COUNT, offsetof(settings, newton), "60", 1, 1e9, false, NULL,
     "greatest number of Newton steps, each with a factorisation, in a proximal step"},
};

/* FEW: Newton steps of an easy proximal step. STILL: steps in turn that do not halve |F| before a minimum ends; WINDOW:
 * those in which Coulomb's law has to halve it. RETRY, PATIENCE: proximal steps that do not halve the least violation
 * before the best point is taken again, and before the method ends, LAST: the same for an answer. */
enum { FEW = 15, STILL = 4, WINDOW = 6, HALVINGS = 25, ATTEMPTS = 3, RETRY = 15, PATIENCE = 40, LAST = 3 };
static const double most_weight = 1e-2, least_weight = 1e-2, change_of_weight = 10.0, damping = 0.5, armijo = 1e-4;
/* F is solved to a share of the violation. Points of more than so many times the least violation are left. */
static const double inner_share = 1e-2, astray = 100.0;
/* Violation below which Coulomb's law is tried, its share after a failure, and eps as a multiple of it. */
static const double law_below = 1e-3, try_again = 0.3, law_weight = 1e4, change_of_multiple = 4.0, worse = 2.0;

/* Violation beside the data, as a share of that beside the terms of a row. */
static const double beside_data = 1e-2;

typedef struct work {
    const dls_problem *p;
    settings settings;
    dls_arena memory;
    dls_row_terms terms;
    dls_contact_springs law;
    dls_springs symmetric, full; /* M + J^T S J: its lower triangle, and all of it */
    dls_sparse_factor *cholesky, *lu;
    dls_mixing mixing;
    double weight, violation, least;                    /* eps of the associated law; of lambda, best */
    double *D, *lambda, *best, *w, *shift;              /* n */
    double *next, *along, *w_along;                     /* n: J d, J p */
    double *S;                                          /* 3 n: that of a unit begins at 3 i */
    double *v, *d, *trial, *gradient, *step, *momentum; /* nv: gradient F, step p, momentum M d */
    double *scratch;                                    /* 2 nv */
    double *s, *G;                                      /* one for each contact, of the mixing */
    double p_M_d, p_M_p;
    double below, multiple; /* the violation below which Coulomb's law is tried, and its eps as a multiple of it */
} work;

static double dot(size_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* --- lambda --- */

/* w and the violation at lambda. The tangents of a contact have one map and one scale, the smaller share of the two. */
static double evaluate(work *a, const double *lambda)
{
    const dls_problem *p = a->p;
    double worst = 0.0;
    dls_problem_velocity(p, lambda, a->v, a->scratch);
    for (size_t i = 0; i < p->n; i++)
        a->w[i] = dls_rows_dot(&p->J, i, a->v) + p->gamma[i] * lambda[i] - p->c[i];
    dls_row_terms_update(&a->terms, lambda);
    for (size_t i = 0, length; i < p->n; i += length) {
        const double D = a->D[i], *w = a->w + i, *l = lambda + i;
        double normal = w[0];
        length = dls_spring_rows(p, i);
        if (length == 3) {
            const double radius = p->mu[i + 1] * fmax(l[0], 0.0), x[2] = {D * l[1] - w[1], D * l[2] - w[2]};
            const double reach = hypot(x[0], x[1]), share = reach > D * radius ? D * radius / reach : 1.0;
            const double wrong =
                share == 1.0 ? hypot(w[1], w[2]) : hypot(D * l[1] - share * x[0], D * l[2] - share * x[1]);
            if (p->law[i + 1] == DLS_LAW_ASSOCIATED)
                normal -= p->mu[i + 1] * hypot(w[1], w[2]);
            worst = fmax(worst, fmin(dls_row_terms_share(&a->terms, lambda, i + 1, wrong, beside_data),
                                     dls_row_terms_share(&a->terms, lambda, i + 2, wrong, beside_data)));
        }
        const double slack = fmax(normal > 0.0 ? l[0] - p->lo[i] : p->hi[i] - l[0], 0.0);
        const double off = fmax(fmax(p->lo[i] - l[0], l[0] - p->hi[i]), 0.0);
        const double wrong = fmax(fmin(fabs(normal), D > 0.0 ? D * slack : slack > 0.0 ? HUGE_VAL : 0.0), D * off);
        worst = isnan(normal) ? HUGE_VAL : fmax(worst, dls_row_terms_share(&a->terms, lambda, i, wrong, beside_data));
    }
    return worst;
}

/* Takes a point with its violation; the best is kept. */
static void move_to(work *a, const double *lambda, double violation)
{
    if (lambda != a->lambda)
        memcpy(a->lambda, lambda, a->p->n * sizeof *lambda);
    a->violation = violation;
    if (violation < a->least) {
        a->least = violation;
        memcpy(a->best, lambda, a->p->n * sizeof *lambda);
    }
}

/* --- F --- */

/* next, S and F at d, with M d in `momentum`; returns |F|. */
static double find_gradient(work *a, const double *d)
{
    const dls_problem *p = a->p;
    for (size_t i = 0; i < p->n; i++)
        a->along[i] = dls_rows_dot(&p->J, i, d);
    dls_mass_multiply(&p->mass, d, a->momentum);
    memcpy(a->gradient, a->momentum, p->nv * sizeof *a->gradient);
    for (size_t i = 0, length; i < p->n; i += length) {
        length = dls_spring_rows(p, i);
        dls_contact_response(&a->law, i, a->along + i, a->next + i, a->S + 3 * i);
        for (size_t r = i; r < i + length; r++)
            if (a->next[r] != a->lambda[r])
                dls_rows_axpy(&p->J, r, a->lambda[r] - a->next[r], a->gradient);
    }
    dls_mass_solve(&p->mass, a->gradient, a->scratch);
    return sqrt(fmax(dot(p->nv, a->gradient, a->scratch), 0.0));
}

/* Begins a step at d = 0. */
static double start_step(work *a, bool coulomb, double eps)
{
    a->law.coulomb = coulomb;
    a->law.eps = eps;
    a->law.lambda = a->lambda, a->law.w = a->w, a->law.shift = a->shift, a->law.D = a->D, a->law.problem = a->p;
    memset(a->d, 0, a->p->nv * sizeof *a->d);
    return find_gradient(a, a->d);
}

/* p with F' p = -F; *good: false where F' has no factor. */
static dls_status find_step(work *a, const dls_springs *H, dls_sparse_factor *factor, dls_report *report, bool *good,
                            dls_error *error)
{
    dls_springs_reset(H);
    for (size_t i = 0, length; i < a->p->n; i += length) {
        length = dls_spring_rows(a->p, i);
        const double *S = a->S + 3 * i;
        for (size_t r = 0; r < length; r++)
            for (size_t c = 0; c < length; c++)
                if (S[length * r + c] != 0.0)
                    dls_springs_add(H, i + r, i + c, S[length * r + c]);
    }
    DLS_TRY(dls_sparse_factorize(factor, &H->H, good, error));
    report->iterations++;
    report->factorizations++;
    if (!*good)
        return DLS_OK;
    report->row_visits +=
        6.0 * (double)a->p->n + dls_sparse_factor_entries(factor) / 12.0 + dls_sparse_factor_operations(factor) / 48.0;
    for (size_t j = 0; j < a->p->nv; j++)
        a->scratch[j] = -a->gradient[j];
    return dls_sparse_factor_solve(factor, &H->H, a->scratch, a->step, error);
}

/* --- the associated law --- */

/* The slope of the convex function along p at d + t p. */
static double slope_at(const void *context, double t)
{
    const work *a = context;
    double slope = a->p_M_d + t * a->p_M_p, along[3], next[3], S[9];
    for (size_t i = 0, length; i < a->p->n; i += length) {
        length = dls_spring_rows(a->p, i);
        for (size_t r = 0; r < length; r++)
            along[r] = a->along[i + r] + t * a->w_along[i + r];
        dls_contact_response(&a->law, i, along, next, S);
        for (size_t r = 0; r < length; r++)
            slope -= a->w_along[i + r] * (next[r] - a->lambda[i + r]);
    }
    return slope;
}

/* Newton steps until |F| is at most `enough`, or rounding; *solved: whether it is nearly so. */
static dls_status minimise(work *a, double enough, size_t *count, dls_report *report, bool *solved, dls_error *error)
{
    const dls_problem *p = a->p;
    double now = start_step(a, false, a->weight), least = HUGE_VAL;
    size_t still = 0;
    for (*count = 0; now > enough && still < STILL && *count < a->settings.newton; ++*count) {
        DLS_TRY(find_step(a, &a->symmetric, a->cholesky, report, solved, error));
        if (!*solved)
            return DLS_OK;
        for (size_t i = 0; i < p->n; i++)
            a->w_along[i] = dls_rows_dot(&p->J, i, a->step);
        dls_mass_multiply(&p->mass, a->step, a->scratch);
        a->p_M_d = dot(p->nv, a->step, a->momentum), a->p_M_p = dot(p->nv, a->step, a->scratch);
        const double t = dls_length_of_step(slope_at, a);
        for (size_t j = 0; j < p->nv; j++)
            a->d[j] += t * a->step[j];
        now = find_gradient(a, a->d);
        still = t < 1.0 || now < 0.5 * least ? 0 : still + 1;
        least = fmin(least, now);
    }
    *solved = now <= 10.0 * enough;
    return DLS_OK;
}

static bool is_shifted(const work *a, size_t i)
{
    return dls_spring_rows(a->p, i) == 3 && a->p->law[i + 1] == DLS_LAW_CONE && a->D[i] > 0.0;
}

/* mu |w_t| */
static double wanted_shift(const work *a, size_t i) { return a->p->mu[i + 1] * hypot(a->w[i + 1], a->w[i + 2]); }

static void restart_shift(work *a)
{
    dls_mixing_restart(&a->mixing);
    for (size_t i = 0; i < a->p->n; i++)
        a->shift[i] = is_shifted(a, i) ? wanted_shift(a, i) : 0.0;
}

static void mix_shift(work *a)
{
    size_t k = 0;
    for (size_t i = 0; i < a->p->n; i++)
        if (is_shifted(a, i)) {
            a->s[k] = a->shift[i] / sqrt(a->D[i]);
            a->G[k++] = wanted_shift(a, i) / sqrt(a->D[i]);
        }
    dls_mixing_next(&a->mixing, damping, a->s, a->G, a->s);
    k = 0;
    for (size_t i = 0; i < a->p->n; i++)
        if (is_shifted(a, i))
            a->shift[i] = a->s[k++] * sqrt(a->D[i]);
}

/* A proximal step under the associated law, and the next weight and shift. *taken: whether there was one. */
static dls_status associated_step(work *a, dls_report *report, bool *taken, dls_error *error)
{
    const double least = fmax(a->settings.proximal, least_weight * a->violation);
    size_t count;
    DLS_TRY(minimise(a, inner_share * a->violation * a->terms.size, &count, report, taken, error));
    if (*taken) {
        move_to(a, a->next, evaluate(a, a->next));
        if (a->violation <= astray * a->least) {
            a->weight = count < FEW ? fmax(a->weight / change_of_weight, least) : a->weight;
            mix_shift(a);
            return DLS_OK;
        }
        move_to(a, a->best, evaluate(a, a->best));
    }
    a->weight = fmin(a->weight * change_of_weight, most_weight);
    restart_shift(a);
    return DLS_OK;
}

/* --- Coulomb's law --- */

/* F = 0 under Coulomb's law by Newton steps that lower |F|; *solved: whether |F| is at most `enough`. */
static dls_status solve_law(work *a, double eps, double enough, dls_report *report, bool *solved, dls_error *error)
{
    const size_t nv = a->p->nv;
    double now = start_step(a, true, eps), mark = HUGE_VAL;
    *solved = false;
    for (size_t count = 0; now > enough && count < a->settings.newton; count++) {
        bool good;
        double t = 2.0, next = HUGE_VAL;
        if (count % WINDOW == 0) {
            if (!(now <= 0.5 * mark))
                return DLS_OK;
            mark = now;
        }
        DLS_TRY(find_step(a, &a->full, a->lu, report, &good, error));
        for (int k = 0; good && k < HALVINGS && !(next <= (1.0 - armijo * t) * now); k++) {
            t *= 0.5;
            for (size_t j = 0; j < nv; j++)
                a->trial[j] = a->d[j] + t * a->step[j];
            next = find_gradient(a, a->trial);
        }
        if (!(next < now))
            return DLS_OK;
        memcpy(a->d, a->trial, nv * sizeof *a->d);
        now = next;
    }
    *solved = now <= enough;
    return DLS_OK;
}

/* A proximal step under Coulomb's law, where it is worth trying; *taken: whether it lowers the violation. eps is larger
 * in the next attempt where Newton's method failed, and smaller in the next step where it did not. */
static dls_status coulomb_step(work *a, dls_report *report, bool *taken, dls_error *error)
{
    const double before = a->violation;
    bool solved = false;
    *taken = false;
    if (!(before < a->below))
        return DLS_OK;
    for (int k = 0; k < ATTEMPTS && !solved; k++) {
        const double eps = fmin(fmax(a->multiple * before, a->settings.proximal), most_weight);
        DLS_TRY(solve_law(a, eps, inner_share * before * a->terms.size, report, &solved, error));
        a->multiple *= solved ? 1.0 : change_of_multiple;
    }
    if (solved) {
        const double violation = evaluate(a, a->next);
        *taken = violation <= worse * before;
        if (violation > 0.5 * before)
            a->multiple = fmax(a->multiple / change_of_multiple, 1.0);
        if (*taken) {
            move_to(a, a->next, violation);
            restart_shift(a);
            return DLS_OK;
        }
        evaluate(a, a->lambda);
    }
    a->below = try_again * before;
    return DLS_OK;
}

/* --- the method --- */

static dls_status ppa_iterate(void *memory, dls_report *report, dls_error *error)
{
    work *a = memory;
    double mark = HUGE_VAL;
    size_t steps = 0, slow = 0, of_law = 0;
    a->least = HUGE_VAL;
    move_to(a, a->lambda, evaluate(a, a->lambda));
    restart_shift(a);
    a->weight = fmin(fmax(a->violation, a->settings.proximal), most_weight);
    a->below = law_below, a->multiple = law_weight;
    for (; a->least > a->settings.tolerance && isfinite(a->least) && steps < a->settings.limit &&
           slow < (a->least > dls_solved_to ? PATIENCE : LAST);
         steps++) {
        bool taken;
        if (slow > 0 && slow % RETRY == 0) {
            move_to(a, a->best, evaluate(a, a->best));
            restart_shift(a);
            a->below = law_below, a->multiple = law_weight;
        }
        DLS_TRY(coulomb_step(a, report, &taken, error));
        of_law += taken;
        if (!taken)
            DLS_TRY(associated_step(a, report, &taken, error));
        slow = a->least <= 0.5 * mark ? 0 : slow + 1;
        mark = slow == 0 ? a->least : mark;
    }
    memcpy(a->lambda, a->best, a->p->n * sizeof *a->best);
    dls_report_end(report, a->least <= dls_solved_to ? DLS_OUTCOME_SOLVED : DLS_OUTCOME_ITERATION_LIMIT,
                   "proximal steps: %zu, of these under Coulomb's law: %zu; the largest violation of a row is %.3g",
                   steps, of_law, a->least);
    return DLS_OK;
}

/* --- the solver --- */

static void ppa_close(void *memory)
{
    work *a = memory;
    if (!a)
        return;
    dls_sparse_factor_destroy(a->cholesky);
    dls_sparse_factor_destroy(a->lu);
    dls_arena_release(&a->memory);
    free(a);
}

static double start_impulse(const dls_problem *p, const double *lambda0, size_t i)
{
    const double x = lambda0 && isfinite(lambda0[i]) ? lambda0[i] : 0.0;
    return p->parent[i] != DLS_NONE ? x : fmin(fmax(x, p->lo[i]), p->hi[i]);
}

static dls_status load_problem(work *a, const dls_problem *p, const double *lambda0, dls_error *error)
{
    double **const of_rows[] = {&a->D, &a->lambda, &a->best, &a->w, &a->shift, &a->next, &a->along, &a->w_along};
    double **const of_velocities[] = {&a->v, &a->d, &a->trial, &a->gradient, &a->step, &a->momentum};
    const size_t contacts = dls_problem_cones(p);
    a->p = p;
    for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; k++)
        *of_rows[k] = DLS_TAKE_ZEROS(&a->memory, double, p->n);
    for (size_t k = 0; k < sizeof of_velocities / sizeof *of_velocities; k++)
        *of_velocities[k] = DLS_TAKE_ZEROS(&a->memory, double, p->nv);
    a->scratch = DLS_TAKE_ZEROS(&a->memory, double, 2 * p->nv);
    a->S = DLS_TAKE_ZEROS(&a->memory, double, 3 * p->n);
    a->s = DLS_TAKE_ZEROS(&a->memory, double, contacts), a->G = DLS_TAKE_ZEROS(&a->memory, double, contacts);
    if (!dls_row_terms_take(p, &a->memory, &a->terms))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a problem of %zu rows", p->n);
    for (size_t i = 0; i < p->n; i++) {
        a->lambda[i] = start_impulse(p, lambda0, i);
        for (size_t r = 0; r < dls_spring_rows(p, i); r++)
            a->D[i] = fmax(a->D[i], a->terms.D[i + r]);
    }
    size_t shifted = 0;
    for (size_t i = 0; i < p->n; i++)
        shifted += is_shifted(a, i);
    dls_mixing_take(&a->memory, shifted, &a->mixing);
    DLS_TRY(dls_springs_take(p, true, &a->memory, &a->symmetric, error));
    DLS_TRY(dls_springs_take(p, false, &a->memory, &a->full, error));
    DLS_TRY(dls_sparse_factor_analyze(a->cholesky, &a->symmetric.H, error));
    return dls_sparse_factor_analyze(a->lu, &a->full.H, error);
}

static dls_status ppa_open(const dls_problem *p, const void *set, const double *lambda0, void **out, dls_error *error)
{
    *out = NULL;
    DLS_TRY(dls_self_check(error));
    work *a = calloc(1, sizeof *a);
    if (!a)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for sparse-ppa");
    a->settings = *(const settings *)set;
    dls_status status = dls_sparse_factor_create(DLS_SPARSE_CHOLESKY, &a->cholesky, error);
    if (status == DLS_OK)
        status = dls_sparse_factor_create(DLS_SPARSE_LU, &a->lu, error);
    if (status == DLS_OK)
        status = load_problem(a, p, lambda0, error);
    if (status == DLS_OK)
        *out = a;
    else
        ppa_close(a);
    return status;
}

static void ppa_read(const void *memory, double *lambda)
{
    const work *a = memory;
    memcpy(lambda, a->lambda, a->p->n * sizeof *lambda);
}

const dls_solver dls_solver_sparse_ppa = {
    .name = "sparse-ppa",
    .summary = "proximal point algorithm for contacts, on sparse factors in the velocities of the bodies",
    .source = "Rockafellar 1976; Acary, Cadoux, Lemarechal and Malick 2011; Acary, Bremond and Huber 2018",
    .kind = DLS_SOLVER_DIRECT,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_CONE | DLS_ACCEPTS_ASSOCIATED | DLS_NEEDS_CONE |
               DLS_NEEDS_MASS | DLS_LARGE | DLS_TAKES_START,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = ppa_open,
    .iterate = ppa_iterate,
    .read = ppa_read,
    .close = ppa_close};
