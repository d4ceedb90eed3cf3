/* The kit of iterative solvers on random problems in both forms: its operations against A, B and v as dense sums, and
 * its projections against the inequality that defines them. */
#include "delassus/solver_kit.h"

#include "packed_problems.h"

#include <string.h>

static const double tolerance = 2e-11; /* relative to the largest number: sums of up to VELOCITIES products, in weighted
                                          coordinates of bodies whose masses and inertias differ by a hundred */

/* A, and the responses B of the rows, by the definition of a problem. */
typedef struct dense {
    const dls_problem *p;
    double A[ROWS][ROWS], B[ROWS][VELOCITIES], largest;
} dense;

static void dense_of(const dls_problem *p, dense *d)
{
    double scratch[VELOCITIES] = {0.0};
    memset(d, 0, sizeof *d);
    d->p = p;
    for (size_t i = 0; i < p->n; i++) {
        dls_problem_response(p, i, d->B[i], scratch);
        for (size_t k = 0; k < p->n; k++) {
            d->A[k][i] = dls_rows_dot(&p->J, k, d->B[i]) + (k == i ? p->gamma[i] : 0.0);
            d->largest = fmax(d->largest, fabs(d->A[k][i]));
        }
    }
}

/* v = v* + B lambda */
static void velocity_of(const dense *d, const double *lambda, double *v)
{
    memcpy(v, d->p->v_star, d->p->nv * sizeof *v);
    for (size_t i = 0; i < d->p->n; i++)
        for (size_t j = 0; j < d->p->nv; j++)
            v[j] += d->B[i][j] * lambda[i];
}

static double residual_of(const dense *d, const double *lambda, size_t i)
{
    double v[VELOCITIES];
    velocity_of(d, lambda, v);
    return dls_rows_dot(&d->p->J, i, v) + d->p->gamma[i] * lambda[i] - d->p->c[i];
}

static void check_velocity(const dls_kit *kit, const dense *d)
{
    double lambda[ROWS], v[VELOCITIES], expected[VELOCITIES];
    dls_kit_read(kit, lambda);
    dls_kit_velocity(kit, v);
    velocity_of(d, lambda, expected);
    for (size_t j = 0; j < d->p->nv; j++)
        assert_close(v[j], expected[j], tolerance * (1.0 + d->largest));
}

static dls_kit *open_kit(const dls_problem *p, const dls_kit_plan *plan, const double *lambda0)
{
    void *work;
    dls_error error;
    assert_status(dls_kit_open(plan, p, lambda0, &work, &error), &error);
    return work;
}

/* --- all rows at once --- */

enum { X, Y, VECTORS };

static void check_packed(const dense *d, const double *lambda0)
{
    const dls_problem *p = d->p;
    const dls_kit_plan plan = {.size = sizeof(dls_kit), .vectors = VECTORS, .omega = OMEGA};
    dls_kit *kit = open_kit(p, &plan, lambda0);
    double *x = kit->vector[X], *y = kit->vector[Y], lambda[ROWS], given[ROWS];
    const double allowed = tolerance * (1.0 + d->largest);
    for (size_t k = 0; k < kit->size; k++)
        assert_true(x[k] == 0.0 && y[k] == 0.0);
    dls_kit_read(kit, lambda);
    dls_kit_residual(kit, y);
    for (size_t i = 0; i < p->n; i++)
        assert_close(y[dls_kit_place(kit, i)], d->A[i][i] == 0.0 ? 0.0 : residual_of(d, lambda, i), allowed);
    dls_kit_shift(kit, y, x);
    for (size_t i = 0; i < p->n; i++) {
        double along[2] = {0.0};
        for (size_t t = 0; t < 2 && dls_problem_is_cone(p, i); t++)
            along[t] = d->A[i + 1 + t][i + 1 + t] == 0.0 ? 0.0 : p->mu[i + 1] * residual_of(d, lambda, i + 1 + t);
        assert_close(x[dls_kit_place(kit, i)], hypot(along[0], along[1]), allowed);
    }
    dls_kit_steps(kit, y);
    for (size_t i = 0; i < p->n; i++) {
        const size_t normal = p->law[i] == DLS_LAW_CONE ? p->parent[i] : i;
        double diagonal = d->A[i][i];
        if (dls_problem_is_cone(p, normal))
            diagonal = (d->A[normal][normal] + d->A[normal + 1][normal + 1] + d->A[normal + 2][normal + 2]) / 3.0;
        assert_close(y[dls_kit_place(kit, i)] * diagonal, d->A[i][i] == 0.0 ? 0.0 : OMEGA, tolerance);
    }
    for (size_t i = 0; i < p->n; i++)
        x[dls_kit_place(kit, i)] = given[i] = d->A[i][i] == 0.0 ? 0.0 : uniform(-1.0, 1.0);
    dls_kit_multiply(kit, x, y);
    for (size_t i = 0; i < p->n; i++) {
        double sum = 0.0;
        for (size_t k = 0; k < p->n; k++)
            sum += d->A[i][k] * given[k];
        assert_close(y[dls_kit_place(kit, i)], d->A[i][i] == 0.0 ? 0.0 : sum, allowed);
    }
    check_velocity(kit, d); /* a product leaves it as it is */
    dls_kit_add(kit, x);
    for (size_t k = 0; k < kit->size; k++)
        kit->lambda[k] += x[k];
    check_velocity(kit, d);
    dls_kit_sweep(kit, DLS_BACKWARD);
    check_velocity(kit, d);
    dls_kit_close(kit);
}

/* Impulses within their bounds, those of boxes at the normal impulses `normals`. */
static void draw_feasible(const dls_problem *p, const double *normals, double *lambda)
{
    for (size_t i = 0; i < p->n; i++) {
        double lo = p->lo[i], hi = p->hi[i];
        if (p->parent[i] != DLS_NONE)
            hi = p->mu[i] * fmax(p->law[i] == DLS_LAW_CONE ? lambda[p->parent[i]] : normals[p->parent[i]], 0.0),
            lo = -hi;
        if (p->law[i] == DLS_LAW_CONE)
            lo *= 0.7, hi *= 0.7; /* both tangents within the disc */
        lambda[i] = fmin(fmax(0.6 * uniform(-1.0, 1.0), lo), hi);
    }
}

/* (x - P x) (y - P x) <= 0 for every y within the bounds. */
static void check_projection(const dense *d)
{
    const dls_problem *p = d->p;
    const dls_kit_plan plan = {.size = sizeof(dls_kit), .vectors = VECTORS, .omega = 1.0};
    dls_kit *kit = open_kit(p, &plan, NULL);
    double *x = kit->vector[X], *y = kit->vector[Y], normals[ROWS], given[ROWS], other[ROWS];
    for (size_t i = 0; i < p->n; i++) {
        kit->lambda[dls_kit_place(kit, i)] = normals[i] = uniform(-1.0, 1.0);
        x[dls_kit_place(kit, i)] = given[i] = uniform(-1.0, 1.0);
    }
    dls_kit_project(kit, kit->lambda, x);
    memcpy(y, x, kit->size * sizeof *y);
    dls_kit_project(kit, kit->lambda, y);
    for (size_t i = 0; i < p->n; i++) {
        assert_close(y[dls_kit_place(kit, i)], x[dls_kit_place(kit, i)], 1e-14);
        if (d->A[i][i] == 0.0)
            assert_true(x[dls_kit_place(kit, i)] == given[i]);
    }
    for (int k = 0; k < 10; k++) {
        double sum = 0.0;
        draw_feasible(p, normals, other);
        for (size_t i = 0; i < p->n; i++) {
            const double projected = x[dls_kit_place(kit, i)];
            sum += (given[i] - projected) * (other[i] - projected);
        }
        assert_true(sum <= 1e-12);
    }
    dls_kit_close(kit);
}

/* --- one row after another --- */

static void check_row_by_row(const dense *d, const double *lambda0)
{
    const dls_problem *p = d->p;
    const dls_kit_plan plan = {.size = sizeof(dls_kit), .row_by_row = true};
    dls_kit *kit = open_kit(p, &plan, lambda0);
    double block[9];
    for (size_t k = 0; k < 20; k++) {
        const size_t i = below(p->n), count = p->n - i < 3 ? 1 : 3;
        assert_close(dls_kit_row_residual(kit, i), residual_of(d, kit->lambda, i), tolerance * (1.0 + d->largest));
        dls_kit_block(kit, i, count, block);
        for (size_t r = 0; r < count; r++)
            for (size_t s = 0; s < count; s++)
                assert_close(block[count * r + s], d->A[i + r][i + s], tolerance * d->largest);
        const double impulse = uniform(-1.0, 1.0);
        dls_kit_row_set(kit, i, impulse);
        assert_true(kit->lambda[i] == impulse && dls_kit_place(kit, i) == i);
        check_velocity(kit, d);
    }
    dls_kit_close(kit);
}

/* --- tests --- */

/* Whether every row can be moved, or acts on nothing; sweeps refuse a row of a body that nothing moves. */
static bool each_diagonal_is_good(const dense *d)
{
    for (size_t i = 0; i < d->p->n; i++) {
        const dls_rows *J = &d->p->J;
        bool acts = d->A[i][i] != 0.0;
        for (size_t k = J->coef_at[J->start[i]]; k < J->coef_at[J->start[i + 1]]; k++)
            acts |= J->coef[k] != 0.0 && d->p->form == DLS_FORM_MECHANICAL;
        if (acts && !(d->A[i][i] >= 1e-6))
            return false;
    }
    return true;
}

/* Boxes of three rows become cones, every other one. */
static void make_cones(dls_problem *p)
{
    for (size_t i = 0; i + 2 < p->n; i++)
        if (p->parent[i + 1] == i && p->parent[i + 2] == i && (i + 3 == p->n || p->parent[i + 3] != i) && below(2)) {
            p->n_coupled -= 2; /* make_cone counts them again */
            dls_problem_make_cone(p, i, p->mu[i + 1]);
        }
}

static void on_random_problems(void (*check)(const dense *d, const double *lambda0), bool cones)
{
    static made m;
    static dense d;
    double lambda0[ROWS];
    dls_error error;
    size_t checked = 0;
    draw_seed(5);
    while (checked < 120) {
        dls_problem *matrix;
        draw_problem(&m);
        finish(&m);
        if (cones)
            make_cones(m.p);
        assert_status(dls_problem_matrix_form(m.p, &matrix, &error), &error);
        const dls_problem *const forms[] = {m.p, m.p->nv ? matrix : m.p};
        for (size_t form = 0; form < 2; form++) {
            dense_of(forms[form], &d);
            if (!each_diagonal_is_good(&d))
                continue;
            for (size_t i = 0; i < m.p->n; i++)
                lambda0[i] = below(3) && d.A[i][i] != 0.0 ? uniform(-1.0, 1.0) : 0.0;
            check(&d, lambda0);
            checked++;
        }
        dls_problem_destroy(matrix);
        end(&m);
    }
}

TEST(test_operations_on_packed_rows) { on_random_problems(check_packed, false); }

static void check_projection_of(const dense *d, const double *lambda0)
{
    (void)lambda0;
    check_projection(d);
}

TEST(test_projections_onto_bounds_and_cones) { on_random_problems(check_projection_of, true); }

TEST(test_operations_row_by_row) { on_random_problems(check_row_by_row, true); }

TEST(test_the_projection_onto_a_cone)
{
    draw_seed(9);
    for (int k = 0; k < 3000; k++) {
        const double mu = below(6) ? 1.5 * fabs(uniform(-1.0, 1.0)) : 0.0,
                     hi = below(3) ? HUGE_VAL : 0.6 * fabs(uniform(-1.0, 1.0));
        const double x[3] = {uniform(-1.0, 1.0), uniform(-1.0, 1.0), below(8) ? uniform(-1.0, 1.0) : 0.0};
        double nearest[3] = {x[0], x[1], x[2]}, sum = 0.0;
        dls_cone_project(mu, hi, nearest);
        const double rim = hypot(nearest[1], nearest[2]), n = fmin(fabs(uniform(-1.0, 1.0)), hi),
                     angle = 3.2 * uniform(-1.0, 1.0);
        assert_true(nearest[0] >= 0.0 && nearest[0] <= hi && rim <= mu * nearest[0] * (1.0 + 1e-15) + 1e-300);
        const double other[3] = {n, mu * n * cos(angle), mu * n * sin(angle)};
        for (int r = 0; r < 3; r++)
            sum += (x[r] - nearest[r]) * (other[r] - nearest[r]);
        assert_true(sum <= 1e-15);
    }
}

TEST(test_plans_that_are_refused)
{
    const double A[] = {1.0}, b[] = {1.0};
    const dls_kit_plan plans[] = {{.size = sizeof(dls_kit)},
                                  {.size = sizeof(dls_kit), .omega = 2.0},
                                  {.size = sizeof(dls_kit), .omega = 1.0, .vectors = DLS_KIT_VECTORS_MAX + 1}};
    dls_problem *p;
    dls_error error;
    assert_status(dls_problem_from_matrix(1, A, b, NULL, NULL, &p, &error), &error);
    for (size_t k = 0; k < sizeof plans / sizeof *plans; k++) {
        void *work = &error;
        assert_int_equal(dls_kit_open(&plans[k], p, NULL, &work, &error), DLS_BAD_ARGUMENT);
        assert_null(work);
    }
    dls_problem_destroy(p);
}
