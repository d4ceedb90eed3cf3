/* The examiner refutes what is not a solution: answers that are wrong in one way each, and right answers to a problem
 * that has changed since. Every row that a way applies to is broken in turn. */
#include "examined.h"
#include "mechanism.h"

#include "cones.h"
#include "direct_solve.h"

enum { N_MAX = 60 };
/* The default tolerance of `delassus solve`; what is right is below a thousandth of it. */
static const double tolerance = 1e-9;
/* How far numbers are moved, of the largest impulse, or of themselves. */
static const double off = 1e-6;

/* A problem and its solution. */
typedef struct instance {
    const char *name;
    dls_problem *p;
    double lambda[N_MAX], w[N_MAX];
    double largest; /* impulse */
} instance;

static double residual_of(const dls_problem *p, const double *lambda)
{
    dls_certificate c;
    dls_examiner *examiner = examiner_of(p);
    dls_examine(examiner, lambda, NULL, &c);
    dls_examiner_destroy(examiner);
    return c.scaled_residual;
}

static void finish_instance(instance *at, const char *name)
{
    at->name = name;
    at->largest = 0.0;
    assert_true(at->p->n <= N_MAX);
    assert_below(direct_examine(at->p, at->lambda, at->w), 1e-3 * tolerance);
    for (size_t i = 0; i < at->p->n; i++)
        at->largest = fmax(at->largest, fabs(at->lambda[i]));
}

/* --- the instances --- */

static void manufactured(instance *at, const char *name, dls_matrix_class matrix, dls_bounds_class bounds, size_t n)
{
    const dls_recipe recipe = {matrix, bounds, n, 0.0, 7};
    at->p = problem_from_recipe(&recipe, at->lambda, NULL);
    finish_instance(at, name);
}

static const char scene[] =
    "world: {gravity: [0.7, 0.2, -9.81], step: 0.01}\n"
    "bodies:\n"
    "  - {name: a, shape: box, size: [0.3, 0.2, 0.4], mass: 2.385, position: [0, 0, 1], orientation: [0.7, 0.1, -0.7, "
    "0.1], omega: [0.3, 0.2, 0.5]}\n"
    "  - {name: b, shape: box, size: [0.2, 0.3, 0.1], mass: 0.7, position: [0.4, 0.1, 1], velocity: [0.2, 0.1, 0.3]}\n"
    "  - {name: c, shape: box, size: [0.4, 0.4, 0.2], mass: 1.3, position: [3, 0.1, 0.1], velocity: [1.1, 0.4, -0.2]}\n"
    "joints:\n"
    "  - {name: peg, type: ball, body1: a, anchor: [0.1, 0.1, 1.2], cfm: 0.001}\n"
    "  - {name: link, type: hinge, body1: b, body2: a, anchor: [0.2, 0.1, 1], axis: [0.3, 1, 0.2]}\n"
    "  - {name: rope, type: distance, body1: b, anchor1: [0.45, 0.1, 1], anchor2: [0.5, 0, 1.6], max: 0.59}\n"
    "  - {name: brake, type: motor, coordinates: {link: 1}, force: 0.01}\n"
    "  - {name: one, type: contact, body1: c, point: [2.8, -0.1, 0], normal: [0, 0.1, 1], mu: 0.3, friction_mass: "
    "0.4}\n"
    "  - {name: two, type: contact, body1: c, point: [3.2, 0.3, 0], normal: [0, 0, 1], mu: 0.6, friction_mass: 0.3}\n"
    "  - {name: far, type: contact, body1: c, point: [3.2, -0.1, 0], normal: [0.1, 0, 1], gap: 0.4}\n";

static void mechanism(instance *at)
{
    dls_report report = {0};
    dls_model *model = parse_model(scene);
    at->p = problem_from_state(model, dls_model_initial(model), NULL, 0.01);
    direct_solve("block-pivoting", at->p, NULL, at->lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "mechanism");
    dls_report_release(&report);
    /* The problem keeps its own configuration, which has the masses; the model is not asked again. */
    dls_model_destroy(model);
    finish_instance(at, "mechanism");
}

static void cones(instance *at)
{
    at->p = cone_manufacture(2 * REGIMES, 11, at->lambda, at->w);
    finish_instance(at, "cones");
}

/* Rows under the box law: each contact's tangents stick, slide forwards and backwards, or are of an open contact. */
static void boxes(instance *at)
{
    enum { CONTACTS = 6, N = 3 * CONTACTS };
    static const double share[CONTACTS][2] = {{0.4, -0.3}, {1, 0.2}, {-1, 1}, {0, 0}, {-0.5, -1}, {1, 1}};
    double A[N * N], b[N] = {0.0}, lo[N], hi[N], w[N];
    unsigned seed = 5;
    cone_matrix(N, &seed, A);
    for (size_t k = 0; k < CONTACTS; k++) {
        const bool open = k == 3;
        at->lambda[3 * k] = open ? 0.0 : 1.3 + 0.2 * (double)k;
        w[3 * k] = open ? 0.7 : 0.0;
        lo[3 * k] = 0.0, hi[3 * k] = HUGE_VAL;
        for (size_t t = 0; t < 2; t++) {
            const double s = share[k][t];
            at->lambda[3 * k + 1 + t] = s * 0.4 * at->lambda[3 * k];
            w[3 * k + 1 + t] = open ? 0.3 : fabs(s) == 1.0 ? -0.6 * s : 0.0;
            lo[3 * k + 1 + t] = hi[3 * k + 1 + t] = 0.0;
        }
    }
    for (size_t i = 0; i < N; i++) {
        b[i] = w[i];
        for (size_t j = 0; j < N; j++)
            b[i] -= A[i + N * j] * at->lambda[j];
    }
    at->p = problem_from_matrix(N, A, b, lo, hi);
    for (size_t k = 0; k < CONTACTS; k++)
        for (size_t t = 3 * k + 1; t < 3 * k + 3; t++) {
            at->p->parent[t] = 3 * k;
            at->p->mu[t] = 0.4;
            at->p->law[t] = DLS_LAW_BOX;
            at->p->n_coupled++;
        }
    finish_instance(at, "boxes");
}

enum { INSTANCES = 7 };

static void make_instance(int which, instance *at)
{
    *at = (instance){0};
    switch (which) {
    case 0:
        manufactured(at, "lcp", DLS_MATRIX_DEFINITE, DLS_BOUNDS_LCP, 17);
        break;
    case 1:
        manufactured(at, "boxed", DLS_MATRIX_DEFINITE, DLS_BOUNDS_BOXED, 31);
        break;
    case 2:
        manufactured(at, "monotone", DLS_MATRIX_MONOTONE, DLS_BOUNDS_BOXED, 24);
        break;
    case 3:
        manufactured(at, "P", DLS_MATRIX_P, DLS_BOUNDS_LCP, 19);
        break;
    case 4:
        mechanism(at);
        break;
    case 5:
        cones(at);
        break;
    default:
        boxes(at);
        break;
    }
}

/* --- breaks --- */

/* Breaks row i; false where this way does not apply to it. A change of the problem is made in place: the instance is
 * made again after it. */
typedef bool (*breaking)(instance *at, size_t i);

static bool coupled(const instance *at, size_t i) { return at->p->parent[i] != DLS_NONE; }
static bool is_cone(const instance *at, size_t i) { return at->p->law[i] == DLS_LAW_CONE; }
static bool is_normal(const instance *at, size_t i) { return i + 1 < at->p->n && at->p->parent[i + 1] == i; }
static bool at_lo(const instance *at, size_t i) { return !coupled(at, i) && at->lambda[i] == at->p->lo[i]; }
static bool at_hi(const instance *at, size_t i) { return !coupled(at, i) && at->lambda[i] == at->p->hi[i]; }
static bool between(const instance *at, size_t i) { return !coupled(at, i) && !at_lo(at, i) && !at_hi(at, i); }
static bool presses(const instance *at, size_t i) { return fabs(at->w[i]) > 1e-3; }
static double moved(const instance *at, double x) { return x + off * fmax(fabs(x), at->largest); }

#define BREAK(name) static bool name(instance *at, size_t i)

BREAK(below_its_bound)
{
    if (!at_lo(at, i))
        return false;
    at->lambda[i] -= off * at->largest;
    return true;
}
BREAK(above_its_bound)
{
    if (!at_hi(at, i))
        return false;
    at->lambda[i] += off * at->largest;
    return true;
}
BREAK(pushes_though_it_opens)
{
    if (!at_lo(at, i) || !presses(at, i))
        return false;
    at->lambda[i] += off * at->largest;
    return true;
}
BREAK(does_not_push_enough)
{
    if (!at_hi(at, i) || !presses(at, i))
        return false;
    at->lambda[i] -= off * at->largest;
    return true;
}
BREAK(a_little_more)
{
    if (!between(at, i))
        return false;
    at->lambda[i] = moved(at, at->lambda[i]);
    return true;
}
BREAK(sign_flipped)
{
    at->lambda[i] = -at->lambda[i];
    return at->lambda[i] != 0.0;
}
BREAK(dropped)
{
    bool there = at->lambda[i] != 0.0;
    at->lambda[i] = 0.0;
    return there;
}
BREAK(doubled)
{
    at->lambda[i] *= 2.0;
    return at->lambda[i] != 0.0;
}
BREAK(swapped_with_the_next)
{
    if (i + 1 >= at->p->n || fabs(at->lambda[i] - at->lambda[i + 1]) < off * at->largest)
        return false;
    double kept = at->lambda[i];
    at->lambda[i] = at->lambda[i + 1];
    at->lambda[i + 1] = kept;
    return true;
}
BREAK(not_a_number)
{
    at->lambda[i] = NAN;
    return true;
}
BREAK(infinite)
{
    at->lambda[i] = HUGE_VAL;
    return true;
}
BREAK(minus_infinite)
{
    at->lambda[i] = -HUGE_VAL;
    return true;
}
BREAK(as_floats)
{
    for (size_t k = 0; k < at->p->n; k++)
        at->lambda[k] = (double)(float)at->lambda[k];
    return i == 0;
}
BREAK(all_too_large)
{
    for (size_t k = 0; k < at->p->n; k++)
        at->lambda[k] *= 1.0 + off;
    return i == 0;
}
BREAK(all_negated)
{
    for (size_t k = 0; k < at->p->n; k++)
        at->lambda[k] = -at->lambda[k];
    return i == 0;
}
BREAK(all_zero)
{
    memset(at->lambda, 0, sizeof at->lambda);
    return i == 0;
}
BREAK(one_row_on)
{
    memmove(at->lambda + 1, at->lambda, (at->p->n - 1) * sizeof *at->lambda);
    return i == 0;
}
BREAK(to_the_other_bound)
{
    const double lo = at->p->lo[i], hi = at->p->hi[i];
    if (coupled(at, i) || isinf(lo) || isinf(hi) || !(lo < hi) || !presses(at, i))
        return false;
    at->lambda[i] = at->lambda[i] == lo ? hi : lo;
    return true;
}

/* --- friction --- */

/* The first tangent of a contact with friction; its tangents in t. */
static bool tangents(instance *at, size_t i, double **t)
{
    *t = at->lambda + i;
    return coupled(at, i) && at->p->parent[i] + 1 == i;
}
static double rim(const instance *at, size_t i) { return at->p->mu[i] * at->lambda[at->p->parent[i]]; }
static bool slides(const instance *at, size_t i)
{
    const double *l = at->lambda + i;
    bool moves = presses(at, i) || presses(at, i + 1);
    double size = is_cone(at, i) ? hypot(l[0], l[1]) : fmax(fabs(l[0]), fabs(l[1]));
    return moves && rim(at, i) > 0.0 && size > 0.999 * rim(at, i);
}
static bool open(const instance *at, size_t i) { return at->lambda[at->p->parent[i]] == 0.0; }

BREAK(friction_beyond_mu)
{
    double *t;
    if (!tangents(at, i, &t) || !slides(at, i))
        return false;
    t[0] *= 1.0 + off, t[1] *= 1.0 + off;
    return true;
}
BREAK(friction_below_mu)
{
    double *t;
    if (!tangents(at, i, &t) || !slides(at, i))
        return false;
    t[0] *= 1.0 - off, t[1] *= 1.0 - off;
    return true;
}
BREAK(friction_along_the_motion)
{
    double *t;
    if (!tangents(at, i, &t) || !slides(at, i))
        return false;
    t[0] = -t[0], t[1] = -t[1];
    return true;
}
BREAK(friction_turned)
{
    double *t;
    if (!tangents(at, i, &t) || !slides(at, i) || !is_cone(at, i))
        return false;
    double c = cos(off), s = sin(off), x = t[0];
    t[0] = c * x - s * t[1], t[1] = s * x + c * t[1];
    return true;
}
BREAK(friction_of_an_open_contact)
{
    double *t;
    if (!tangents(at, i, &t) || !open(at, i))
        return false;
    t[0] = off * at->largest;
    return true;
}
BREAK(friction_that_sticks_less)
{
    double *t;
    if (!tangents(at, i, &t) || open(at, i) || slides(at, i))
        return false;
    t[1] = moved(at, t[1]);
    return true;
}
BREAK(friction_dropped)
{
    double *t;
    if (!tangents(at, i, &t) || open(at, i))
        return false;
    t[0] = t[1] = 0.0;
    return true;
}
BREAK(contact_that_pulls)
{
    if (!is_normal(at, i))
        return false;
    at->lambda[i] = -off * at->largest;
    return true;
}

/* --- the problem has changed since --- */

static bool first_of_body(const instance *at, size_t i, dls_mass_body **body)
{
    if (at->p->form != DLS_FORM_MECHANICAL || i >= at->p->mass.n_blocks)
        return false;
    *body = (dls_mass_body *)(uintptr_t)at->p->mass.blocks[i].data;
    return true;
}
BREAK(mass_changed)
{
    dls_mass_body *body;
    if (!first_of_body(at, i, &body))
        return false;
    body->mass *= 1.0 + 10.0 * off;
    return true;
}
BREAK(inertia_changed)
{
    dls_mass_body *body;
    if (!first_of_body(at, i, &body))
        return false;
    for (int k = 0; k < 9; k++)
        body->inertia.m[k] *= 1.01;
    return true;
}
/* A velocity that a held row looks at. */
BREAK(unconstrained_velocity_changed)
{
    double e[N_MAX] = {0.0};
    bool held = false;
    if (at->p->form != DLS_FORM_MECHANICAL || i >= at->p->nv)
        return false;
    e[i] = 1.0;
    for (size_t k = 0; k < at->p->n; k++)
        held = held || (between(at, k) && fabs(dls_rows_dot(&at->p->J, k, e)) > 1e-3);
    at->p->v_star[i] += 1e-4;
    return held;
}
BREAK(right_side_changed)
{
    if (!between(at, i))
        return false;
    at->p->c[i] += off * (fabs(at->p->c[i]) + 1.0);
    return true;
}
BREAK(compliance_changed)
{
    if (!between(at, i) || fabs(at->lambda[i]) < 0.01 * at->largest)
        return false;
    at->p->gamma[i] += 1e-4;
    return true;
}
/* The entry that the row has most of. */
BREAK(entry_changed)
{
    const dls_rows *J = &at->p->J;
    const double *x = at->p->form == DLS_FORM_MATRIX ? at->lambda : at->p->v_star;
    double most = 0.0, *entry = NULL;
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
        for (size_t c = J->coef_at[k], j = J->offset[k]; c < J->coef_at[k + 1]; c++, j++)
            if (fabs(J->coef[c] * x[j]) > most) {
                most = fabs(J->coef[c] * x[j]);
                entry = &J->coef[c];
            }
    if (!between(at, i) || !entry)
        return false;
    *entry *= 1.001;
    return true;
}
BREAK(row_negated)
{
    const dls_rows *J = &at->p->J;
    if (!between(at, i) || (fabs(at->p->c[i]) < 1e-3 && fabs(at->lambda[i]) < 0.01 * at->largest))
        return false;
    for (size_t k = J->coef_at[J->start[i]]; k < J->coef_at[J->start[i + 1]]; k++)
        J->coef[k] = -J->coef[k];
    return true;
}
BREAK(bound_tightened)
{
    if (coupled(at, i) || !(at->lambda[i] > 0.01 * at->largest) || !isinf(at->p->hi[i]))
        return false;
    at->p->hi[i] = (1.0 - off) * at->lambda[i];
    return true;
}
BREAK(bound_widened)
{
    if (!at_hi(at, i) || !presses(at, i))
        return false;
    at->p->hi[i] += off * at->largest;
    return true;
}
BREAK(floor_taken_away)
{
    if (!at_lo(at, i) || !presses(at, i) || dls_problem_is_cone(at->p, i))
        return false; /* the cone itself is the floor of its normal impulse */
    at->p->lo[i] = -HUGE_VAL;
    return true;
}
BREAK(mu_lowered)
{
    double *t;
    if (!tangents(at, i, &t) || !slides(at, i))
        return false;
    at->p->mu[i] = at->p->mu[i + 1] = (1.0 - off) * at->p->mu[i];
    return true;
}
BREAK(mu_raised)
{
    double *t;
    if (!tangents(at, i, &t) || !slides(at, i))
        return false;
    at->p->mu[i] = at->p->mu[i + 1] = (1.0 + off) * at->p->mu[i];
    return true;
}
BREAK(normal_of_another_contact)
{
    if (!coupled(at, i) || is_cone(at, i) || !presses(at, i) || open(at, i))
        return false;
    size_t other = at->p->parent[i] + 3 < at->p->n ? at->p->parent[i] + 3 : 0;
    if (fabs(at->lambda[other] - at->lambda[at->p->parent[i]]) < 0.01)
        return false;
    at->p->parent[i] = other;
    return true;
}
/* A corner of the square lies outside the disc. */
BREAK(cone_in_the_place_of_a_box)
{
    double *t;
    if (!tangents(at, i, &t) || is_cone(at, i) || !(hypot(t[0], t[1]) > 1.1 * rim(at, i)) || open(at, i))
        return false;
    dls_problem_make_cone(at->p, i - 1, at->p->mu[i]);
    return true;
}
BREAK(box_in_the_place_of_a_cone)
{
    double *t;
    if (!tangents(at, i, &t) || !is_cone(at, i) || !slides(at, i) || fmin(fabs(t[0]), fabs(t[1])) < 0.05 * rim(at, i))
        return false;
    at->p->law[i] = at->p->law[i + 1] = DLS_LAW_BOX;
    at->p->n_cone -= 2;
    return true;
}

static const struct {
    const char *what;
    breaking apply;
} breaks[] = {
    {"below its bound by 1e-6", below_its_bound},
    {"above its bound by 1e-6", above_its_bound},
    {"pushes by 1e-6 though it opens", pushes_though_it_opens},
    {"does not push by 1e-6 though it is overcome", does_not_push_enough},
    {"1e-6 more", a_little_more},
    {"sign flipped", sign_flipped},
    {"dropped", dropped},
    {"doubled", doubled},
    {"swapped with the next", swapped_with_the_next},
    {"not a number", not_a_number},
    {"infinite", infinite},
    {"minus infinite", minus_infinite},
    {"in single precision", as_floats},
    {"all 1e-6 too large", all_too_large},
    {"all negated", all_negated},
    {"all zero", all_zero},
    {"one row on", one_row_on},
    {"at the other bound", to_the_other_bound},
    {"friction beyond mu by 1e-6", friction_beyond_mu},
    {"friction below mu by 1e-6 though it slides", friction_below_mu},
    {"friction along the motion", friction_along_the_motion},
    {"friction turned by 1e-6 rad", friction_turned},
    {"friction of an open contact", friction_of_an_open_contact},
    {"friction that sticks, 1e-6 more", friction_that_sticks_less},
    {"friction dropped", friction_dropped},
    {"contact that pulls by 1e-6", contact_that_pulls},
    {"mass changed by 1e-5", mass_changed},
    {"inertia changed", inertia_changed},
    {"v* changed", unconstrained_velocity_changed},
    {"c changed by 1e-6", right_side_changed},
    {"Gamma changed", compliance_changed},
    {"J or A changed", entry_changed},
    {"row negated", row_negated},
    {"bound tightened by 1e-6", bound_tightened},
    {"bound widened by 1e-6", bound_widened},
    {"floor taken away", floor_taken_away},
    {"mu lowered by 1e-6", mu_lowered},
    {"mu raised by 1e-6 though it slides", mu_raised},
    {"friction of another normal", normal_of_another_contact},
    {"cone in the place of a box", cone_in_the_place_of_a_box},
    {"box in the place of a cone", box_in_the_place_of_a_cone},
};
enum { BREAKS = sizeof breaks / sizeof breaks[0] };

TEST(test_every_break_is_refuted)
{
    size_t count = 0, missed = 0, applied[BREAKS] = {0};
    double least = HUGE_VAL;
    for (int which = 0; which < INSTANCES; which++) {
        instance at;
        make_instance(which, &at);
        const size_t rows = at.p->n;
        dls_problem_destroy(at.p);
        for (size_t k = 0; k < BREAKS; k++)
            for (size_t i = 0; i < rows; i++) {
                make_instance(which, &at);
                if (breaks[k].apply(&at, i)) {
                    const double residual = residual_of(at.p, at.lambda);
                    applied[k]++;
                    count++;
                    if (residual <= tolerance) {
                        print_error("%s, row %zu, %s: residual %.3g\n", at.name, i, breaks[k].what, residual);
                        missed++;
                    }
                    least = fmin(least, residual);
                }
                dls_problem_destroy(at.p);
            }
    }
    for (size_t k = 0; k < BREAKS; k++) {
        if (applied[k] == 0)
            print_error("%s: applies to no row\n", breaks[k].what);
        assert_true(applied[k] > 0);
    }
    print_message("# %zu of %zu answers, wrong in %d ways, are refuted; the least residual is %.1e\n", count - missed,
                  count, (int)BREAKS, least);
    assert_int_equal(missed, 0);
}

/* --- certificates --- */

/* The proof of an answer must hold for every solution that is known with a radius of its own. Returns whether
 * anything is proved. */
static bool proof_holds(const dls_problem *p, const double *lambda, const double *solution, const dls_bounds *known,
                        const char *what)
{
    dls_bounds bounds;
    dls_error error;
    assert_status(dls_certify(p, lambda, &bounds, &error), &error);
    const bool near = bounds.kind == DLS_BOUNDS_EXISTS || bounds.kind == DLS_BOUNDS_ACTIVE_SET;
    bool holds = true;
    for (size_t i = 0; i < p->n && near && bounds.unique; i++) {
        holds = holds && fabs(lambda[i] - solution[i]) <= bounds.radius_lambda[i] + known->radius_lambda[i];
        holds = holds && fabs(bounds.w_at[i] - known->w_at[i]) <= bounds.radius_w[i] + known->radius_w[i];
    }
    if (bounds.kind >= DLS_BOUNDS_EXISTS && bounds.unique && dls_problem_is_symmetric(p)) {
        dls_examiner *examiner = examiner_of(p);
        /* The distance itself is rounded, by some eps of each term. */
        const double distance = dls_examiner_distance(examiner, lambda, solution);
        holds = holds && (1.0 - 1e-12) * distance <= bounds.velocity + known->velocity;
        dls_examiner_destroy(examiner);
    }
    for (size_t i = 0; i < p->n; i++)
        holds = holds && (isfinite(lambda[i]) || bounds.kind == DLS_BOUNDS_NONE);
    if (!holds)
        print_error("%s: %s\n", what, bounds.text);
    const bool proved = bounds.kind >= DLS_BOUNDS_EXISTS;
    dls_bounds_release(&bounds);
    assert_true(holds);
    return proved;
}

/* The solution of the problem as it is now, with its radii. */
static bool solve_again(const dls_problem *p, double *solution, dls_bounds *known)
{
    dls_report report = {0};
    dls_error error;
    direct_solve("lemke", p, NULL, solution, &report);
    const bool solved = report.outcome == DLS_OUTCOME_SOLVED;
    dls_report_release(&report);
    *known = (dls_bounds){0};
    if (solved)
        assert_status(dls_certify(p, solution, known, &error), &error);
    return solved && known->kind == DLS_BOUNDS_ACTIVE_SET && known->unique;
}

TEST(test_no_certificate_is_wrong)
{
    size_t count = 0, proved = 0;
    for (int which = 0; which < INSTANCES; which++) {
        instance at;
        make_instance(which, &at);
        const size_t rows = at.p->n;
        const bool plain = at.p->n_coupled == 0;
        dls_problem_destroy(at.p);
        for (size_t k = 0; k < BREAKS && plain; k++)
            for (size_t i = 0; i < rows; i++) {
                double solution[N_MAX];
                dls_bounds known;
                make_instance(which, &at);
                if (breaks[k].apply(&at, i) && solve_again(at.p, solution, &known)) {
                    count++;
                    proved += proof_holds(at.p, at.lambda, solution, &known, breaks[k].what);
                }
                dls_bounds_release(&known);
                dls_problem_destroy(at.p);
            }
    }
    print_message("# of %zu wrong answers the certificates prove radii for %zu, which hold\n", count, proved);
    assert_true(proved > 0 && proved < count);
}
