/* Contacts on sparse factors: their springs against finite differences and the laws, the mixing of iterates on linear
 * maps, and answers against those of the dense method, in other units, frames and numbers. */
#include "direct_solve.h"

#include "direct/direct.h"
#include "sparse/contact_springs.h"
#include "sparse/mixing.h"

enum { BODIES = 5, CORNERS = 4, CONTACTS = BODIES * CORNERS, NV = 6 * BODIES, N = 3 * CONTACTS + 2 };

static unsigned state;
static double draw(double from, double to)
{
    state = state * 1664525u + 1013904223u;
    return from + (to - from) * (double)(state >> 8) / 16777216.0;
}

/* How a tower is described. */
typedef struct view {
    double rows, masses, turn; /* factors of rows and masses; the angle of the tangents */
    bool renumbered;           /* the bodies, from top to bottom */
} view;
static const view plain = {1.0, 1.0, 0.0, false};

static size_t body_place(const view *as, size_t body) { return as->renumbered ? BODIES - 1 - body : body; }

/* Row i is the velocity of a corner along `axis` relative to the box below it, by rows of J for the box and for the one
 * below (NULL: the ground), the one with the lower number first. */
static void write_row(dls_problem *p, const view *as, size_t i, size_t body, const double arm[2][3],
                      const double axis[3])
{
    size_t part = p->J.start[i], sides = body > 0 ? 2 : 1;
    for (size_t k = 0; k < sides; k++) {
        const size_t side = sides == 2 && body_place(as, body) > body_place(as, body - 1) ? 1 - k : k;
        const double sign = as->rows * (side == 0 ? 1.0 : -1.0), *r = arm[side];
        double *J = p->J.coef + p->J.coef_at[part];
        for (size_t a = 0; a < 3; a++) {
            J[a] = sign * axis[a];
            J[3 + a] = sign * (r[(a + 1) % 3] * axis[(a + 2) % 3] - r[(a + 2) % 3] * axis[(a + 1) % 3]);
        }
        p->J.mass[part] = (uint32_t)body_place(as, body - side);
        p->J.offset[part] = 6 * p->J.mass[part];
        p->J.coef_at[part + 1] = p->J.coef_at[part] + 6;
        part++;
    }
    p->J.start[i + 1] = part;
    p->parent[i] = DLS_NONE;
    p->hi[i] = HUGE_VAL;
}

/* A tower of boxes on four corners each, pushed from the side: 60 rows of contacts on 30 velocities. Behind them a row
 * without bounds and one with two, that hold the lowest box. With some compliance there is one answer. */
static dls_problem *tower(unsigned seed, const view *as, double gamma, double mu)
{
    static dls_mass_body bodies[BODIES];
    static const double up[3] = {0.0, 0.0, 1.0}, across[2][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}, zero[2][3] = {{0}};
    const double t1[3] = {cos(as->turn), sin(as->turn), 0.0}, t2[3] = {-sin(as->turn), cos(as->turn), 0.0};
    dls_problem *p;
    dls_error error = {0};
    state = 77 + 6151 * seed;
    assert_status(dls_problem_allocate(N, NV, 2 * N, 12 * N, BODIES, &p, &error), &error);
    p->form = DLS_FORM_MECHANICAL, p->h = 0.01;
    for (size_t k = 0; k < BODIES; k++) {
        const double mass = as->masses * draw(0.5, 2.0), inertia = 0.03 * mass;
        dls_mass_body *body = &bodies[body_place(as, k)];
        *body = (dls_mass_body){.mass = mass, .inverse_mass = 1.0 / mass};
        for (int i = 0; i < 3; i++)
            body->inertia.m[4 * i] = inertia, body->inverse_inertia.m[4 * i] = 1.0 / inertia;
        p->mass.blocks[body_place(as, k)] = (dls_mass_block){6 * body_place(as, k), 6, &dls_mass_body_kind, body};
        for (size_t a = 0; a < 6; a++)
            p->v_star[6 * body_place(as, k) + a] = a == 2 ? -0.1 : draw(-0.03, 0.03);
    }
    for (size_t c = 0; c < CONTACTS; c++) {
        const double x = c & 1 ? 0.3 : -0.3, y = c & 2 ? 0.25 : -0.25;
        const double arm[2][3] = {{x + draw(-0.05, 0.05), y + draw(-0.05, 0.05), -0.1}, {x, y, 0.1}};
        write_row(p, as, 3 * c, c / CORNERS, arm, up);
        write_row(p, as, 3 * c + 1, c / CORNERS, arm, t1);
        write_row(p, as, 3 * c + 2, c / CORNERS, arm, t2);
    }
    for (size_t i = N - 2; i < N; i++)
        write_row(p, as, i, 0, zero, across[i - (N - 2)]);
    p->lo[N - 2] = -HUGE_VAL, p->lo[N - 1] = -0.01 * as->masses / as->rows, p->hi[N - 1] = -p->lo[N - 1];
    for (size_t i = 0; i < N; i++)
        p->gamma[i] = gamma * as->rows * as->rows / as->masses;
    p->J.n_blocks = p->J.start[N];
    for (size_t c = 0; c < CONTACTS; c++)
        dls_problem_make_cone(p, 3 * c, mu);
    assert_status(dls_problem_check(p, &error), &error);
    return p;
}

static void solve_tower(const char *name, const dls_problem *p, double *lambda, double *v)
{
    double w[N], scratch[NV];
    dls_report report = {0};
    direct_solve(name, p, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SOLVED, name);
    assert_below(direct_examine(p, lambda, w), 1e-9);
    dls_problem_velocity(p, lambda, v, scratch);
    dls_report_release(&report);
}

TEST(test_answers_of_the_dense_method)
{
    for (unsigned seed = 0; seed < 20; seed++) {
        dls_problem *p = tower(seed, &plain, 0.1, 0.3);
        double lambda[N], dense[N], v[NV];
        solve_tower("sparse-ppa", p, lambda, v);
        solve_tower("ppa", p, dense, v);
        for (size_t i = 0; i < N; i++)
            assert_close(lambda[i], dense[i], 1e-8);
        dls_problem_destroy(p);
    }
}

/* Redundant contacts: the velocities are those of the same tower in other units, frames and numbers. */
TEST(test_velocities_do_not_depend_on_the_view)
{
    static const view views[] = {
        {1e6, 1.0, 0.0, false}, {1.0, 1e6, 0.0, false}, {1.0, 1.0, 0.7, false}, {1.0, 1.0, 0.0, true}};
    for (unsigned seed = 0; seed < 10; seed++) {
        dls_problem *p = tower(seed, &plain, 0.0, 0.4);
        double lambda[N], v[NV], other[NV];
        solve_tower("sparse-ppa", p, lambda, v);
        dls_problem_destroy(p);
        for (size_t k = 0; k < sizeof views / sizeof *views; k++) {
            p = tower(seed, &views[k], 0.0, 0.4);
            solve_tower("sparse-ppa", p, lambda, other);
            for (size_t j = 0; j < NV; j++)
                assert_close(other[6 * body_place(&views[k], j / 6) + j % 6], v[j], 1e-7);
            dls_problem_destroy(p);
        }
    }
}

/* The associated law is that of a convex problem, whose w is unique: the answer does not depend on the start. */
TEST(test_the_associated_law_from_any_start)
{
    dls_error error;
    for (unsigned seed = 0; seed < 10; seed++) {
        dls_problem *p = tower(seed, &plain, 0.0, 0.8);
        const dls_solver *solver = dls_direct_find("sparse-ppa");
        double settings[8], lambda[2][N], w[2][N];
        assert_status(dls_problem_set_law(p, DLS_LAW_ASSOCIATED, &error), &error);
        assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
        for (int k = 0; k < 2; k++) {
            dls_report report = {0};
            for (size_t i = 0; i < N; i++)
                lambda[k][i] = k ? draw(-1.0, 1.0) : 0.0;
            assert_status(dls_solve(solver, p, settings, 1, lambda[k], &report, NULL, NULL, &error), &error);
            assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "the associated law");
            assert_below(direct_examine(p, lambda[k], w[k]), 1e-9);
            dls_report_release(&report);
        }
        for (size_t i = 0; i < N; i++)
            assert_close(w[0][i], w[1][i], 1e-8);
        dls_problem_destroy(p);
    }
}

/* A start that is a solution stays as it is, without a factorisation. */
TEST(test_a_solution_is_kept)
{
    dls_problem *p = tower(3, &plain, 0.1, 0.3);
    const dls_solver *solver = dls_direct_find("sparse-ppa");
    double lambda[N], v[NV], again[N], settings[8];
    dls_report report = {0};
    dls_error error;
    solve_tower("sparse-ppa", p, lambda, v);
    memcpy(again, lambda, sizeof lambda);
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    assert_status(dls_field_set(&solver->fields, settings, "tolerance", "1e-9", &error), &error);
    assert_status(dls_solve(solver, p, settings, 1, again, &report, NULL, NULL, &error), &error);
    assert_int_equal(report.factorizations, 0);
    assert_memory_equal(again, lambda, sizeof lambda);
    dls_report_release(&report);
    dls_problem_destroy(p);
}

/* A box between two floors that come nearer: no impulses push it away from both. */
TEST(test_no_answer_where_there_is_none)
{
    dls_problem *p = tower(1, &plain, 0.0, 0.3);
    double lambda[N];
    dls_report report = {0};
    for (size_t c = 0; c < CORNERS; c++) { /* the second box stands below the first one's floor */
        const size_t i = 3 * (CORNERS + c);
        for (size_t k = p->J.coef_at[p->J.start[i]]; k < p->J.coef_at[p->J.start[i] + 1]; k++)
            p->J.coef[k] = 0.0;
        for (size_t k = p->J.coef_at[p->J.start[i] + 1]; k < p->J.coef_at[p->J.start[i + 1]]; k++)
            p->J.coef[k] = 0.0;
        p->J.coef[p->J.coef_at[p->J.start[i]] + 2] = -1.0;
        p->c[i] = 0.2;
    }
    direct_solve("sparse-ppa", p, NULL, lambda, &report);
    assert_false(dls_outcome_solved(report.outcome));
    dls_report_release(&report);
    dls_problem_destroy(p);
}

/* --- springs --- */

/* next + S (along' - along) is next at along', to second order, wherever the law has a derivative; and next obeys the
 * law with the velocity u = w + along + C (next - lambda). */
TEST(test_springs)
{
    enum { TRIALS = 2000 };
    static const double step = 1e-6;
    dls_problem *p = tower(0, &plain, 0.0, 0.5);
    double D[N], shift[N] = {0}, lambda[N] = {0}, w[N] = {0};
    size_t smooth = 0;
    for (size_t i = 0; i < N; i++)
        D[i] = 1.0;
    for (int k = 0; k < TRIALS; k++) {
        const bool coulomb = k % 2 == 0;
        const double eps = k % 3 == 0 ? 0.2 : 1.3, mu = draw(0.0, 1.0), along[3] = {0.3, -0.2, 0.1};
        double next[3], S[9], there[3], of_there[9], back[3], of_back[9], off = 0.0, curved = 0.0;
        for (size_t r = 0; r < 3; r++)
            lambda[r] = draw(-0.5, 1.0), w[r] = draw(-1.0, 1.0);
        p->mu[1] = p->mu[2] = mu, p->hi[0] = k % 5 == 0 ? 0.4 : HUGE_VAL;
        shift[0] = mu * hypot(w[1], w[2]) * draw(0.5, 1.5);
        const dls_contact_springs springs = {p, D, eps, coulomb, lambda, w, shift};
        dls_contact_response(&springs, 0, along, next, S);
        assert_true(next[0] >= 0.0 && next[0] <= p->hi[0]);
        assert_below(hypot(next[1], next[2]), mu * next[0] + 1e-14);
        double u[3], inward = 0.0;
        for (size_t r = 0; r < 3; r++)
            u[r] = w[r] + along[r] + eps * (next[r] - lambda[r]);
        u[0] += coulomb ? 0.0 : shift[0];
        if (coulomb) { /* each part by itself */
            assert_true(next[0] > 0.0 ? next[0] == p->hi[0] || fabs(u[0]) < 1e-12 : u[0] >= 0.0);
            assert_close(mu * next[0] * hypot(u[1], u[2]), -(next[1] * u[1] + next[2] * u[2]), 1e-12);
        } else if (isinf(p->hi[0])) { /* u in the dual cone, across next */
            assert_true(u[0] >= mu * hypot(u[1], u[2]) - 1e-12);
            inward = next[0] * u[0] + next[1] * u[1] + next[2] * u[2];
            assert_close(inward, 0.0, 1e-12);
        }
        for (size_t c = 0; c < 3; c++) {
            double ahead[3] = {along[0], along[1], along[2]}, behind[3] = {along[0], along[1], along[2]};
            ahead[c] += step, behind[c] -= step;
            dls_contact_response(&springs, 0, ahead, there, of_there);
            dls_contact_response(&springs, 0, behind, back, of_back);
            for (size_t r = 0; r < 3; r++) {
                off = fmax(off, fabs((back[r] - there[r]) / (2.0 * step) - S[3 * r + c]));
                curved = fmax(curved, fabs(there[r] + back[r] - 2.0 * next[r]) / step);
            }
        }
        if (curved < 1e-4) { /* no kink within the step */
            assert_below(off, 1e-5);
            smooth++;
        }
    }
    assert_true(smooth > TRIALS / 2);
    dls_problem_destroy(p);
}

/* --- mixing --- */

/* On a linear map of n unknowns the change that n iterates do not explain is 0, so that the iteration ends there,
 * whatever the size of the map: also where it does not contract. */
TEST(test_mixing_ends_on_linear_maps)
{
    enum { UNKNOWNS = 4 };
    static const double G[UNKNOWNS][UNKNOWNS] = {
        {-1.4, 0.3, 0.0, 0.1}, {0.2, -0.9, 0.2, 0.0}, {0.0, 0.1, 0.5, 0.2}, {0.1, 0.0, 0.3, -0.2}};
    static const double fixed[UNKNOWNS] = {1.0, 1.2, 0.9, 1.1};
    dls_arena memory = {0};
    dls_mixing mixing;
    double s[UNKNOWNS] = {1.1, 1.1, 1.0, 1.0}, of_s[UNKNOWNS];
    dls_mixing_take(&memory, UNKNOWNS, &mixing);
    assert_false(memory.failed);
    for (int k = 0; k < 2 * UNKNOWNS; k++) {
        for (size_t i = 0; i < UNKNOWNS; i++) {
            of_s[i] = fixed[i];
            for (size_t j = 0; j < UNKNOWNS; j++)
                of_s[i] += G[i][j] * (s[j] - fixed[j]);
        }
        dls_mixing_next(&mixing, 0.5, s, of_s, s);
    }
    for (size_t i = 0; i < UNKNOWNS; i++)
        assert_close(s[i], fixed[i], 1e-9);
    dls_arena_release(&memory);
}

/* Without older iterates a step is the damped one, and no entry leaves the range of its two values by more than half of
 * the smaller one and once the larger one. */
TEST(test_mixing_begins_damped)
{
    dls_arena memory = {0};
    dls_mixing mixing;
    double s[2] = {1.0, 3.0}, G[2] = {3.0, 0.0}, next[2];
    dls_mixing_take(&memory, 2, &mixing);
    dls_mixing_next(&mixing, 0.5, s, G, next);
    assert_close(next[0], 2.0, 1e-15);
    assert_close(next[1], 1.5, 1e-15);
    dls_mixing_next(&mixing, 0.5, s, (double[]){3.001, 0.001}, next);
    for (size_t i = 0; i < 2; i++)
        assert_true(next[i] >= 0.0 && next[i] <= 6.01);
    dls_mixing_restart(&mixing);
    dls_mixing_next(&mixing, 0.25, s, G, next);
    assert_close(next[0], 1.5, 1e-15);
    dls_arena_release(&memory);
}
