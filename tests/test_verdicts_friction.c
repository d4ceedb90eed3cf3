/* No verdict is false on random small problems whose friction follows the normal impulse, under a box or a cone
 * (verdicts.h). Under a box every choice of states is tried in rational arithmetic; whether a cone has a solution is
 * not known. DLS_VERDICTS is the number of problems (3000; make fuzz: 100000), DLS_VERDICTS_FIRST the first seed (1).
 */
#include "examined.h"
#include "verdicts.h"

enum { CONTACTS = 2 };

typedef struct draft {
    const char *kind;
    size_t n;
    double A[N * N], b[N], lo[N], hi[N], mu[N];
    size_t parent[N];
    bool whole, cone;
} draft;

static double entry(const draft *d) { return d->whole ? (double)draw(-3, 3) : uniform(-3.0, 3.0); }
static double *at(draft *d, size_t i, size_t j) { return &d->A[i + d->n * j]; }

static void draw_rows(draft *d)
{
    size_t contacts = (size_t)draw(1, CONTACTS);
    d->cone = draw(0, 1) != 0;
    for (size_t c = 0; c < contacts; c++) {
        size_t normal = d->n++, tangents = d->cone ? 2 : (size_t)draw(1, 2);
        d->parent[normal] = DLS_NONE;
        d->hi[normal] = often(4) ? HUGE_VAL : d->whole ? (double)draw(1, 2) : uniform(0.1, 2.0);
        double mu = d->whole ? 0.5 * (double)draw(0, 4) : often(5) ? uniform(0.0, 1.5) : scale_between(-3.0, 3.0);
        for (size_t t = 0; t < tangents; t++)
            d->mu[d->n] = mu, d->parent[d->n++] = normal;
    }
    if (draw(0, 2) == 0) {
        int kind = draw(0, 2);
        d->parent[d->n] = DLS_NONE;
        d->lo[d->n] = kind == 0 ? 0.0 : kind == 1 ? -HUGE_VAL : -1.0;
        d->hi[d->n++] = kind < 2 ? HUGE_VAL : 1.0;
    }
}

static void draw_matrix(draft *d)
{
    int kind = draw(0, 6);
    size_t rank = kind == 0 || kind == 4 ? d->n : (size_t)draw(0, (int)d->n);
    double G[N][N];
    const char *const kinds[] = {"definite", "semidefinite", "skew", "any", "nearly singular", "tiny", "symmetric"};
    d->kind = kinds[kind];
    for (size_t i = 0; i < d->n; i++)
        for (size_t k = 0; k < d->n; k++)
            G[i][k] = entry(d);
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j < d->n; j++) {
            for (size_t k = 0; k < rank && kind != 3 && kind < 5; k++)
                *at(d, i, j) += G[i][k] * G[j][k];
            if (kind == 2)
                *at(d, i, j) += i == j ? 0.0 : i < j ? G[i][j] : -G[j][i];
            if (kind == 3)
                *at(d, i, j) = G[i][j];
            if (kind >= 5)
                *at(d, i, j) = i < j ? G[i][j] : G[j][i];
        }
    for (size_t i = 0; i < d->n; i++) {
        if (kind == 5)
            *at(d, i, i) = any_sign(scale_between(-20.0, -9.0));
        if (kind == 4)
            *at(d, i, i) += scale_between(-16.0, -6.0);
    }
}

static void draw_right_side(draft *d)
{
    int kind = draw(0, 5);
    double lambda[N], w[N];
    for (size_t i = 0; i < d->n; i++) {
        double x = d->whole ? (double)draw(1, 2) : uniform(0.1, 2.0);
        size_t normal = d->parent[i];
        int where = draw(0, 3);
        w[i] = 0.0;
        if (normal == DLS_NONE) {
            bool open = where == 0 && d->lo[i] == 0.0, full = where == 1 && !isinf(d->hi[i]);
            lambda[i] = open ? 0.0 : full ? d->hi[i] : isinf(d->hi[i]) ? x : 0.5 * d->hi[i];
            w[i] = !draw(0, 1) ? 0.0 : open ? x : full ? -x : 0.0;
        } else if (d->cone && d->parent[i - 1] == DLS_NONE) { /* the first of two: both follow below */
            double angle = d->whole ? 0.0 : uniform(0.0, 6.28), most = d->mu[i] * lambda[normal];
            double share = where == 0 ? uniform(0.0, 1.0) : 1.0, speed = where < 2 ? 0.0 : x;
            lambda[i] = share * most * cos(angle), w[i] = -speed * cos(angle);
            if (lambda[normal] == 0.0)
                w[i] = entry(d);
            lambda[i + 1] = share * most * sin(angle), w[i + 1] = -speed * sin(angle);
        } else if (!d->cone) {
            double most = d->mu[i] * lambda[normal];
            lambda[i] = where == 0 ? uniform(-1.0, 1.0) * most : where < 3 ? most : -most;
            w[i] = most == 0.0 ? entry(d) : where == 0 || !draw(0, 2) ? 0.0 : where < 3 ? -x : x;
        }
    }
    for (size_t i = 0; i < d->n; i++) {
        d->b[i] = kind == 0 ? 0.0 : kind < 3 ? 2.0 * entry(d) : w[i];
        if (kind >= 3)
            for (size_t j = 0; j < d->n; j++)
                d->b[i] -= *at(d, i, j) * lambda[j];
        if (kind == 5)
            d->b[i] *= 1.0 + uniform(-1e-8, 1e-8);
    }
}

static void rescale(draft *d)
{
    double size = often(3) ? 1.0 : scale_between(-12.0, 12.0), s[N];
    bool rows = !often(3);
    for (size_t i = 0; i < d->n; i++)
        s[i] = rows && draw(0, 1) ? scale_between(-8.0, 8.0) : 1.0;
    for (size_t i = 0; i < d->n; i++) { /* the tangents of a contact have one unit */
        if (d->parent[i] == DLS_NONE)
            continue;
        s[i] = d->parent[i] + 1 < i ? s[i - 1] : draw(0, 2) ? s[i] : s[d->parent[i]];
        d->mu[i] *= s[d->parent[i]] / s[i];
    }
    for (size_t i = 0; i < d->n; i++) {
        for (size_t j = 0; j < d->n; j++)
            *at(d, i, j) *= s[i] * s[j];
        d->b[i] *= s[i] * size;
        if (often(4))
            d->lo[i] *= size / s[i], d->hi[i] *= size / s[i];
    }
}

/* The law of each row, for a problem of these rows without friction. */
static void couple(const draft *d, dls_problem *p)
{
    dls_error error = {0};
    for (size_t i = 0; i < d->n; i++) {
        if (d->parent[i] == DLS_NONE)
            continue;
        if (d->cone) {
            if (d->parent[i - 1] == DLS_NONE)
                dls_problem_make_cone(p, i - 1, d->mu[i]);
        } else {
            p->parent[i] = d->parent[i], p->mu[i] = d->mu[i], p->law[i] = DLS_LAW_BOX;
            p->lo[i] = p->hi[i] = 0.0;
            p->n_coupled++;
        }
    }
    assert_status(dls_problem_check(p, &error), &error);
}

static void draw_matrix_problem(draft *d, dls_problem *drawn[2])
{
    draw_rows(d);
    draw_matrix(d);
    draw_right_side(d);
    rescale(d);
    for (int k = 0; k < 2; k++)
        drawn[k] = problem_from_matrix(d->n, d->A, d->b, d->lo, d->hi);
}

/* Row i: the velocity of a point of body 1 beside that of body 2 along a direction; 1 m away at most. */
static void set_direction(dls_problem *p, size_t i, dls_vec3 along, const dls_vec3 *arms)
{
    for (size_t k = 0; k < p->mass.n_blocks; k++) {
        const dls_vec3 turn = dls_cross(arms[k], along);
        const double sign = k == 0 ? 1.0 : -1.0;
        double *J = p->J.coef + 6 * (p->mass.n_blocks * i + k);
        J[0] = sign * along.x, J[1] = sign * along.y, J[2] = sign * along.z;
        J[3] = sign * turn.x, J[4] = sign * turn.y, J[5] = sign * turn.z;
    }
}

static dls_vec3 any_vector(void)
{
    double x = uniform(-1.0, 1.0), y = uniform(-1.0, 1.0), z = uniform(-1.0, 1.0);
    return dls_v3(x, y, z);
}

/* Contacts of one or two bodies, which may slide fast or approach fast. */
static dls_problem *problem_of_contacts(const draft *d)
{
    dls_problem *p = problem_of_bodies(d->n, (size_t)draw(1, 2));
    const double fast = often(2) ? 1.0 : scale_between(0.0, 9.0);
    const bool slides = draw(0, 1) != 0;
    dls_vec3 frame[3], arms[2];
    for (size_t i = 0, t = 0; i < d->n; i++) {
        if (d->parent[i] == DLS_NONE) {
            frame[0] = dls_unit(any_vector());
            dls_tangents(frame[0], &frame[1], &frame[2]);
            for (size_t k = 0; k < 2; k++)
                arms[k] = any_vector();
        }
        t = d->parent[i] == DLS_NONE ? 0 : t + 1;
        set_direction(p, i, frame[t], arms);
        p->lo[i] = d->lo[i], p->hi[i] = d->hi[i];
        p->gamma[i] = often(4) ? 0.0 : scale_between(-9.0, 0.0);
        p->c[i] = (draw(0, 1) ? uniform(-1.0, 1.0) : 0.0) * (slides == (t > 0) ? fast : 1.0);
    }
    return p;
}

/* Twice the same draws: with friction, and without for the exact numbers. */
static instance draw_instance(uint64_t seed)
{
    draft d = {0};
    dls_problem *drawn[2];
    draw_seed(seed);
    d.whole = draw(0, 1) != 0;
    if (draw(0, 2) > 0) {
        draw_matrix_problem(&d, drawn);
    } else {
        d.kind = "mechanical";
        draw_rows(&d);
        const uint64_t state = draw_state;
        for (int k = 0; k < 2; k++)
            draw_state = state, drawn[k] = problem_of_contacts(&d);
    }
    couple(&d, drawn[0]);
    return (instance){.kind = d.kind, .problem = drawn[0], .rows = drawn[1]};
}

/* Every choice of states is tried. Of cones nothing is known, nor where states do not determine the impulses. */
static dls_outcome outcome_under_boxes(instance *at)
{
    bool complete;
    for (size_t i = 0; i < at->problem->n; i++)
        if (at->problem->law[i] == DLS_LAW_CONE)
            return DLS_OUTCOME_REFUSED;
    const dls_outcome found = outcome_of_states(at, &complete);
    return found == DLS_OUTCOME_NO_SOLUTION && !complete ? DLS_OUTCOME_REFUSED : found;
}

TEST(test_no_verdict_is_false)
{
    campaign c = {.draw = draw_instance, .truth = outcome_under_boxes, .iterations = 300};
    search_false_verdicts(&c, 3000, NULL, 0);
}

/* Contacts under a cone, with a definite A or of bodies, in units and speeds of any size. The method may fail: it did
 * on 12 of 13,000 such problems with larger seeds, of which some have no solution. */
static void assert_solves_contacts(const char *method, size_t allowed)
{
    size_t count = 0, failures = 0;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        instance at = draw_instance(seed);
        if (at.problem->n_cone > 0 && (!strcmp(at.kind, "definite") || !strcmp(at.kind, "mechanical"))) {
            double lambda[N];
            dls_report report = {0};
            dls_certificate certificate;
            dls_error error = {0};
            dls_criteria criteria = {at.problem, NULL, tolerance, DLS_CERTIFY_ROWS};
            criteria.examiner = examiner_of(at.problem);
            solve(dls_direct_find(method), at.problem, 1, lambda, &report);
            assert_status(dls_decide_outcome(&criteria, lambda, &certificate, NULL, &report, &error), &error);
            if (report.outcome != DLS_OUTCOME_SOLVED && ++failures > allowed)
                fail_msg("%s, seed %llu: %s, %s", method, (unsigned long long)seed, dls_outcome_text(report.outcome),
                         report.message);
            dls_report_release(&report);
            dls_examiner_destroy(criteria.examiner);
            count++;
        }
        dls_problem_destroy(at.rows);
        dls_problem_destroy(at.problem);
    }
    print_message("# %zu problems\n", count);
    assert_true(count > 800);
}

TEST(test_cone_newton_solves_contacts) { assert_solves_contacts("cone-newton", 0); }

/* One of the problems has a solution of 1e10 times b, towards which the violation does not fall from step to step. */
TEST(test_ppa_solves_contacts) { assert_solves_contacts("ppa", 1); }
