/* Newton's matrix of contacts by a factor in the velocities of the bodies: its solutions against the matrix itself, and
 * the answers of methods that use it against those to the same problem given as a matrix. */
#include "direct_solve.h"

#include "direct/cone_velocities.h"

enum { BODIES = 2, NV = 6 * BODIES, N = 27 };

static unsigned state;
static double draw(double from, double to)
{
    state = state * 1664525u + 1013904223u;
    return from + (to - from) * (double)(state >> 8) / 16777216.0;
}

/* Six cones, a normal row with two rows under its box, and six others, between two bodies of different mass. */
static dls_problem *many_contacts(unsigned seed)
{
    static dls_mass_body bodies[BODIES];
    dls_problem *p;
    dls_error error = {0};
    state = 31 + 7919 * seed;
    assert_status(dls_problem_allocate(N, NV, BODIES * N, NV * N, BODIES, &p, &error), &error);
    p->form = DLS_FORM_MECHANICAL, p->h = 0.01;
    for (size_t k = 0; k < BODIES; k++) {
        const double mass = k == 0 ? 1.7 : 0.3, inertia = 0.4 * mass;
        bodies[k] = (dls_mass_body){.mass = mass, .inverse_mass = 1.0 / mass};
        for (int i = 0; i < 3; i++)
            bodies[k].inertia.m[4 * i] = inertia, bodies[k].inverse_inertia.m[4 * i] = 1.0 / inertia;
        p->mass.blocks[k] = (dls_mass_block){6 * k, 6, &dls_mass_body_kind, &bodies[k]};
    }
    for (size_t j = 0; j < NV; j++)
        p->v_star[j] = draw(-1.0, 1.0);
    for (size_t block = 0; block < BODIES * N; block++) {
        p->J.offset[block] = 6 * (block % BODIES), p->J.mass[block] = (uint32_t)(block % BODIES);
        p->J.coef_at[block + 1] = 6 * (block + 1);
    }
    for (size_t k = 0; k < NV * N; k++)
        p->J.coef[k] = draw(-1.0, 1.0);
    for (size_t i = 0; i < N; i++) {
        p->J.start[i + 1] = BODIES * (i + 1);
        p->lo[i] = 0.0, p->hi[i] = HUGE_VAL, p->parent[i] = DLS_NONE;
        p->gamma[i] = i % 4 == 0 ? draw(1e-3, 1.0) : 0.0;
    }
    for (size_t c = 0; c < 6; c++)
        dls_problem_make_cone(p, 3 * c, 0.2 + 0.1 * (double)c);
    for (size_t i = 19; i < 21; i++) {
        p->parent[i] = 18, p->law[i] = DLS_LAW_BOX, p->mu[i] = 0.6, p->lo[i] = p->hi[i] = 0.0;
        p->n_coupled++;
    }
    p->hi[21] = 0.5, p->lo[22] = -HUGE_VAL, p->lo[23] = -0.4, p->hi[23] = 0.3;
    return p;
}

/* V x = r to rounding, in units of rows of their own, and for every map and regime that impulses drawn at random
 * have. */
TEST(test_solutions_of_the_matrix)
{
    static const double shifts[] = {1.0, 1e-2, 1e-5, 1e-7};
    for (unsigned seed = 0; seed < 300; seed++) {
        const double shift = shifts[seed % 4];
        const dls_cone_map map = (dls_cone_map)(seed % 3);
        dls_problem *p = many_contacts(seed);
        dls_dense *dense = dense_of(p);
        dls_arena memory = {0};
        int row_unit[N], impulse_unit[N] = {0};
        double lambda[N], w[N], F[N], right[N], x[N], product[N], Vx[N], largest = 0.0;
        dls_cone_row rows[N];
        dls_cone_velocities velocities;
        for (size_t i = 0; i < N; i++)
            row_unit[i] = p->law[i] == DLS_LAW_CONE && p->parent[i] + 1 < i ? row_unit[i - 1] : (int)(i * seed % 5) - 2;
        for (size_t j = 0; j < N; j++)
            for (size_t i = 0; i < N; i++)
                dense->A[i + N * j] = ldexp(dense->A[i + N * j], row_unit[i] + row_unit[j]) + (i == j ? shift : 0.0);
        const dls_direct d = {
            .problem = p, .q = *dense, .n = N, .row_unit = row_unit, .impulse_unit = impulse_unit, .memory = &memory};
        for (size_t i = 0; i < N; i++)
            lambda[i] = draw(-1.0, 2.0), right[i] = draw(-1.0, 1.0);
        dls_cone_map_value(map, &d, lambda, w, F, rows);
        dls_cone_velocities_take(&velocities, &d);
        assert_false(memory.failed);
        assert_true(dls_cone_velocities_suit(&velocities, shift, N));
        assert_false(dls_cone_velocities_suit(&velocities, 0.0, N)); /* rows without compliance */
        assert_false(dls_cone_velocities_suit(&velocities, shift, NV));
        assert_true(dls_cone_velocities_solve(&velocities, rows, shift, right, x));
        dls_cone_map_apply(&d, rows, x, product, Vx);
        for (size_t i = 0; i < N; i++)
            largest = fmax(largest, fabs(Vx[i] - right[i]));
        assert_below(largest, 1e-9);
        dls_arena_release(&memory);
        dls_dense_destroy(dense);
        dls_problem_destroy(p);
    }
}

/* A problem given as a matrix has no velocities: its answer is a second computation. The compliance of all rows makes A
 * definite, and friction is weak, so that there is one answer. */
TEST(test_answers_with_and_without_velocities)
{
    static const char *const methods[] = {"ppa", "cone-newton", "staggered"};
    for (unsigned seed = 0; seed < 40; seed++) {
        dls_problem *p = many_contacts(seed);
        for (size_t i = 0; i < N; i++) {
            p->gamma[i] += 0.5;
            p->mu[i] *= 0.2;
        }
        dls_dense *dense = dense_of(p);
        dls_problem *matrix = problem_from_matrix(N, dense->A, dense->b, dense->lo, dense->hi);
        memcpy(matrix->law, p->law, N * sizeof *p->law);
        memcpy(matrix->parent, p->parent, N * sizeof *p->parent);
        memcpy(matrix->mu, p->mu, N * sizeof *p->mu);
        matrix->n_cone = p->n_cone, matrix->n_coupled = p->n_coupled;
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
            double lambda[N], other[N], w[N];
            dls_report report = {0};
            direct_solve(methods[m], p, NULL, lambda, &report);
            assert_outcome_is(&report, DLS_OUTCOME_SOLVED, methods[m]);
            assert_below(direct_examine(p, lambda, w), 1e-9);
            direct_solve(methods[m], matrix, NULL, other, &report);
            assert_outcome_is(&report, DLS_OUTCOME_SOLVED, methods[m]);
            for (size_t i = 0; i < N; i++)
                assert_close(lambda[i], other[i], 1e-8);
            dls_report_release(&report);
        }
        dls_dense_destroy(dense);
        dls_problem_destroy(matrix);
        dls_problem_destroy(p);
    }
}
