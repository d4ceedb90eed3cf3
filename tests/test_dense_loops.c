/* Loops and the impulses behind a velocity, of problems that are put together here from bodies and rows: rank, the
 * least force, the motion, and the map of the iteration, against pseudo-inverses and sweeps in plain arithmetic. */
#include "check.h"

#include "delassus/delassus.h"
#include "delassus/reference.h"

#include <lapacke.h>
#include <string.h>

enum { BODIES = 3, NV = 6 * BODIES, ROWS = 9, MOST = NV + ROWS };

static unsigned state;
static double draw(double from, double to)
{
    state = state * 1664525u + 1013904223u;
    return from + (to - from) * (double)(state >> 8) / 16777216.0;
}

typedef struct sample {
    dls_mass_body body[BODIES];
    dls_problem *p;
    dls_loops l;
    bool actuated[NV];
    double vdot[NV], needed[NV], gamma[ROWS];
    double M[NV * NV], J[ROWS * NV]; /* column-major */
} sample;

/* Masses and inertias of scales far apart; the inertia has products. */
static void make_bodies(sample *m)
{
    for (size_t b = 0; b < BODIES; b++) {
        const double mass = ldexp(draw(1.0, 2.0), (int)(4 * b)), a = 0.25 * mass, c = draw(-0.5, 0.5) * a;
        dls_mass_body *body = &m->body[b];
        *body = (dls_mass_body){.mass = mass, .inverse_mass = 1.0 / mass};
        body->inertia = (dls_mat3){{a, c, 0, c, 2 * a, 0, 0, 0, 3 * a}};
        const double det = 2 * a * a - c * c;
        body->inverse_inertia = (dls_mat3){{2 * a / det, -c / det, 0, -c / det, a / det, 0, 0, 0, 1 / (3 * a)}};
        m->p->mass.blocks[b] = (dls_mass_block){6 * b, 6, &dls_mass_body_kind, body};
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < 3; j++) {
                m->M[6 * b + i + NV * (6 * b + j)] = i == j ? mass : 0.0;
                m->M[6 * b + 3 + i + NV * (6 * b + 3 + j)] = body->inertia.m[3 * i + j];
            }
    }
}

/* Rows between bodies: one of them may move nothing, one may be another in another unit, and some are one-sided. */
static void make(sample *m, unsigned seed, size_t n)
{
    dls_error error;
    memset(m, 0, sizeof *m);
    state = 5 + 7919 * seed;
    assert_status(dls_problem_allocate(n, NV, BODIES * n, NV * n, BODIES, &m->p, &error), &error);
    m->p->form = DLS_FORM_MECHANICAL, m->p->h = 1.0;
    make_bodies(m);
    for (size_t i = 0; i < n; i++) {
        const double unit = ldexp(1.0, (int)(i % 3) * 3 - 3);
        for (size_t b = 0; b < BODIES; b++) {
            m->p->J.offset[BODIES * i + b] = 6 * b, m->p->J.mass[BODIES * i + b] = (uint32_t)b;
            m->p->J.coef_at[BODIES * i + b + 1] = 6 * (BODIES * i + b + 1);
        }
        m->p->J.start[i + 1] = BODIES * (i + 1);
        for (size_t k = 0; k < NV; k++) {
            double x = unit * draw(-1.0, 1.0);
            if (i == 4 && seed % 3 == 1)
                x = 0.0;
            if (i == 5 && seed % 2 == 1)
                x = 0.5 * m->J[1 + ROWS * k];
            m->p->J.coef[NV * i + k] = m->J[i + ROWS * k] = x;
        }
        m->p->lo[i] = i % 4 == 3 ? 0.0 : -HUGE_VAL, m->p->hi[i] = HUGE_VAL, m->p->parent[i] = DLS_NONE;
        m->p->c[i] = m->gamma[i] = draw(-1.0, 1.0);
    }
    for (size_t k = 0; k < NV; k++) {
        m->actuated[k] = draw(0.0, 1.0) < (seed % 5 == 4 ? 0.95 : 0.6) || (seed % 7 == 6);
        m->vdot[k] = draw(-1.0, 1.0), m->needed[k] = draw(-1.0, 1.0);
    }
    m->l = (dls_loops){.nv = NV,
                       .n = n,
                       .actuated = m->actuated,
                       .vdot = m->vdot,
                       .needed = m->needed,
                       .gamma = m->gamma,
                       .problem = m->p};
}

/* x <- K^+ x for a rows x columns matrix, which is lost; the rank: singular values above 1e-10 of the largest. */
static size_t pseudo_solve(size_t rows, size_t columns, double *K, double *x)
{
    double U[MOST * MOST], VT[MOST * MOST], s[MOST], y[MOST] = {0}, rest[MOST];
    const size_t least = rows < columns ? rows : columns;
    size_t rank = 0;
    if (least == 0) {
        memset(x, 0, columns * sizeof *x);
        return 0;
    }
    assert_int_equal(LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'A', 'A', (int)rows, (int)columns, K, (int)rows, s, U, (int)rows,
                                    VT, (int)columns, rest),
                     0);
    while (rank < least && s[rank] > 1e-10 * s[0])
        rank++;
    for (size_t k = 0; k < rank; k++) {
        double along = 0.0;
        for (size_t i = 0; i < rows; i++)
            along += U[i + rows * k] * x[i];
        for (size_t j = 0; j < columns; j++)
            y[j] += VT[k + columns * j] * along / s[k];
    }
    memcpy(x, y, columns * sizeof *x);
    return rank;
}

/* A = J M^-1 J^T, and F = J M^-1 P_a J^T. */
static void responses(const sample *m, double *A, double *F)
{
    double L[NV * NV], W[NV * ROWS];
    const size_t n = m->l.n;
    memcpy(L, m->M, sizeof L);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < NV; k++)
            W[k + NV * i] = m->J[i + ROWS * k];
    assert_int_equal(LAPACKE_dposv(LAPACK_COL_MAJOR, 'U', NV, (int)n, L, NV, W, NV), 0);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            A[i + n * j] = F[i + n * j] = 0.0;
            for (size_t k = 0; k < NV; k++) { /* (M^-1 J^T)_ki is (J M^-1)_ik */
                A[i + n * j] += W[k + NV * i] * m->J[j + ROWS * k];
                F[i + n * j] += m->actuated[k] ? W[k + NV * i] * m->J[j + ROWS * k] : 0.0;
            }
        }
}

TEST(test_least_forces)
{
    size_t unique = 0, only_forces = 0, neither = 0;
    for (unsigned seed = 0; seed < 70; seed++) {
        static double B[MOST * MOST];
        double A[ROWS * ROWS], F[ROWS * ROWS], E[ROWS], lambda[ROWS], tau[NV], missed = 0.0;
        size_t rank[2], pulling = 0;
        double expected[2][MOST];
        sample m;
        dls_loops_facts facts;
        dls_error error;
        make(&m, seed, 1 + seed % ROWS);
        const size_t n = m.l.n;
        responses(&m, A, F);
        for (size_t i = 0; i < n; i++)
            E[i] = A[i + n * i] > 0.0 ? 1.0 / sqrt(A[i + n * i]) : 0.0;
        for (int all = 0; all < 2; all++) {
            size_t rows = 0, r = 0;
            for (size_t k = 0; k < NV; k++)
                rows += all || !m.actuated[k];
            for (size_t k = 0; k < NV; k++) {
                if (!all && m.actuated[k])
                    continue;
                for (size_t i = 0; i < n; i++)
                    B[r + rows * i] = m.J[i + ROWS * k] * E[i] / sqrt(m.M[k + NV * k]);
                expected[all][r++] = m.needed[k] / sqrt(m.M[k + NV * k]);
            }
            rank[all] = pseudo_solve(rows, n, B, expected[all]);
        }
        assert_status(dls_loops_solve(&m.l, lambda, tau, &facts, &error), &error);
        for (size_t i = 0; i < n; i++) {
            assert_close(lambda[i], expected[0][i] * E[i], 1e-9 * (1.0 + fabs(lambda[i])));
            pulling += m.p->lo[i] == 0.0 && lambda[i] < 0.0;
        }
        for (size_t k = 0; k < NV; k++) {
            double left = m.needed[k];
            for (size_t i = 0; i < n; i++)
                left -= m.J[i + ROWS * k] * lambda[i];
            assert_close(tau[k], m.actuated[k] ? left : 0.0, 1e-12 * (1.0 + fabs(left)));
            missed = m.actuated[k] ? missed : fmax(missed, fabs(left));
        }
        assert_int_equal(facts.rank, rank[0]);
        assert_int_equal(facts.rank_of_rows, rank[1]);
        assert_int_equal(facts.unique, rank[0] == n);
        assert_int_equal(facts.forces_unique, rank[0] == rank[1]);
        assert_int_equal(facts.pulling, pulling);
        assert_close(facts.missed, missed, 1e-12 * (1.0 + missed));
        unique += facts.unique, only_forces += facts.forces_unique && !facts.unique, neither += !facts.forces_unique;
        dls_problem_destroy(m.p);
    }
    assert_true(unique > 10 && only_forces > 10 && neither > 5);
}

/* [M -J^T; J 0] [vdot; -lambda]: the signs are those of the derivation; of any rank, by least norm. */
TEST(test_motions_under_joint_forces)
{
    for (unsigned seed = 0; seed < 30; seed++) {
        static double K[MOST * MOST];
        double x[MOST], tau[NV], vdot[NV], lambda[ROWS];
        sample m;
        dls_error error;
        make(&m, seed, 1 + seed % ROWS);
        const size_t n = m.l.n, size = NV + n;
        memset(K, 0, sizeof K);
        for (size_t k = 0; k < NV; k++) {
            tau[k] = draw(-1.0, 1.0);
            x[k] = tau[k] - m.needed[k];
            for (size_t j = 0; j < NV; j++) {
                K[k + size * j] = m.M[k + NV * j];
                x[k] += m.M[k + NV * j] * m.vdot[j];
            }
            for (size_t i = 0; i < n; i++)
                K[k + size * (NV + i)] = -m.J[i + ROWS * k], K[NV + i + size * k] = m.J[i + ROWS * k];
        }
        memcpy(x + NV, m.gamma, n * sizeof *x);
        pseudo_solve(size, size, K, x);
        assert_status(dls_loops_motion(&m.l, tau, vdot, lambda, &error), &error);
        for (size_t k = 0; k < NV; k++)
            assert_close(vdot[k], x[k], 1e-9 * (1.0 + fabs(x[k])));
        for (size_t i = 0; i < n; i++)
            assert_close(lambda[i], x[NV + i], 1e-9 * (1.0 + fabs(x[NV + i])));
        dls_problem_destroy(m.p);
    }
}

/* A turn from an error e of lambda: by an exact solver A^+ F e, in the rows' own units; else sweeps on A x = F e from
 * e, and rows that nothing moves become 0. */
static void turn(size_t n, const double *A, const double *F, size_t sweeps, double *e)
{
    double Fe[ROWS], K[ROWS * ROWS];
    for (size_t i = 0; i < n; i++) {
        Fe[i] = 0.0;
        for (size_t j = 0; j < n; j++)
            Fe[i] += F[i + n * j] * e[j];
    }
    for (size_t s = 0; s < sweeps; s++)
        for (size_t i = 0; i < n; i++) {
            double rest = Fe[i];
            for (size_t j = 0; j < n; j++)
                rest -= A[i + n * j] * e[j];
            e[i] += A[i + n * i] > 0.0 ? rest / A[i + n * i] : 0.0;
        }
    if (sweeps > 0)
        return;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            K[i + n * j] =
                A[i + n * i] > 0.0 && A[j + n * j] > 0.0 ? A[i + n * j] / sqrt(A[i + n * i] * A[j + n * j]) : 0.0;
    for (size_t i = 0; i < n; i++)
        Fe[i] = A[i + n * i] > 0.0 ? Fe[i] / sqrt(A[i + n * i]) : 0.0;
    pseudo_solve(n, n, K, Fe);
    for (size_t i = 0; i < n; i++)
        e[i] = A[i + n * i] > 0.0 ? Fe[i] / sqrt(A[i + n * i]) : 0.0;
}

TEST(test_rates_of_turns)
{
    size_t unseen_in_all = 0;
    for (unsigned seed = 0; seed < 70; seed++) {
        double A[ROWS * ROWS], F[ROWS * ROWS], T[ROWS * ROWS] = {0}, real[ROWS], imaginary[ROWS], radius = 0.0;
        const size_t sweeps = seed % 4;
        size_t unseen = 0;
        sample m;
        dls_loops_map map;
        dls_error error;
        make(&m, seed, 1 + seed % ROWS);
        const size_t n = m.l.n;
        responses(&m, A, F);
        for (size_t j = 0; j < n; j++) {
            T[j + n * j] = 1.0;
            turn(n, A, F, sweeps, T + n * j);
        }
        assert_int_equal(
            LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', (int)n, T, (int)n, real, imaginary, NULL, 1, NULL, 1), 0);
        for (size_t k = 0; k < n; k++) {
            const bool one = hypot(real[k] - 1.0, imaginary[k]) < 1e-8;
            unseen += one;
            radius = one ? radius : fmax(radius, hypot(real[k], imaginary[k]));
        }
        assert_status(dls_loops_rate(&m.l, sweeps, &map, &error), &error);
        assert_int_equal(map.unseen, unseen);
        assert_close(map.rate, radius, 1e-8);
        unseen_in_all += unseen;
        dls_problem_destroy(m.p);
    }
    assert_true(unseen_in_all > 20);
}

/* Among all impulses that make a velocity the nearest to `near`, in the rows' own units; what no impulse makes is told
 * block by block. */
TEST(test_impulses_behind_a_velocity)
{
    for (unsigned seed = 0; seed < 40; seed++) {
        static double S[MOST * MOST];
        double L[NV * NV], W[NV * ROWS], R[NV * ROWS] = {0}, E[ROWS], x[MOST] = {0}, v[NV], near[ROWS], lambda[ROWS];
        double left, worst = 0.0, expected[ROWS];
        const bool made = seed % 3 != 0;
        sample m;
        dls_error error;
        make(&m, seed, 1 + seed % ROWS);
        const size_t n = m.l.n;
        memcpy(L, m.M, sizeof L);
        assert_int_equal(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', NV, L, NV), 0);
        for (size_t i = 0; i < n; i++) { /* W = M^-1 J^T, R = L^-1 J^T */
            for (size_t k = 0; k < NV; k++)
                W[k + NV * i] = m.J[i + ROWS * k];
            for (size_t k = 0; k < NV; k++) {
                R[k + NV * i] = m.J[i + ROWS * k];
                for (size_t j = 0; j < k; j++)
                    R[k + NV * i] -= L[k + NV * j] * R[j + NV * i];
                R[k + NV * i] /= L[k + NV * k];
            }
            near[i] = draw(-1.0, 1.0);
        }
        assert_int_equal(LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', NV, (int)n, L, NV, W, NV), 0);
        for (size_t k = 0; k < NV; k++) {
            m.p->v_star[k] = draw(-1.0, 1.0);
            v[k] = made ? m.p->v_star[k] : draw(-1.0, 1.0);
            for (size_t i = 0; i < n && made; i++)
                v[k] += W[k + NV * i] * draw(-1.0, 1.0);
        }
        for (size_t i = 0; i < n; i++)
            E[i] = 0.0;
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < NV; k++)
                E[i] += R[k + NV * i] * R[k + NV * i];
            E[i] = E[i] > 0.0 ? 1.0 / sqrt(E[i]) : 0.0;
            for (size_t k = 0; k < NV; k++)
                S[k + NV * i] = R[k + NV * i] * E[i];
        }
        for (size_t k = 0; k < NV; k++) /* L^T (v - v* - W near) */
            for (size_t j = k; j < NV; j++) {
                double rest = v[j] - m.p->v_star[j];
                for (size_t i = 0; i < n; i++)
                    rest -= W[j + NV * i] * near[i];
                x[k] += L[j + NV * k] * rest;
            }
        pseudo_solve(NV, n, S, x);
        for (size_t i = 0; i < n; i++)
            expected[i] = near[i] + E[i] * x[i];
        assert_status(dls_impulses_of_velocity(m.p, v, near, lambda, &left, &error), &error);
        for (size_t i = 0; i < n; i++)
            assert_close(lambda[i], expected[i], 1e-10 * (1.0 + fabs(expected[i])));
        for (size_t b = 0; b < BODIES; b++) {
            double squares[3] = {0.0}, terms = 0.0;
            for (size_t k = 6 * b; k < 6 * b + 6; k++) {
                double of[3] = {0.0};
                for (size_t j = k; j < 6 * b + 6; j++) {
                    double rest = v[j] - m.p->v_star[j];
                    for (size_t i = 0; i < n; i++)
                        rest -= W[j + NV * i] * lambda[i];
                    of[0] += L[j + NV * k] * rest;
                    of[1] += L[j + NV * k] * v[j];
                    of[2] += L[j + NV * k] * m.p->v_star[j];
                }
                for (int c = 0; c < 3; c++)
                    squares[c] += of[c] * of[c];
            }
            terms = sqrt(squares[1]) + sqrt(squares[2]);
            for (size_t i = 0; i < n; i++) {
                double square = 0.0;
                for (size_t k = 6 * b; k < 6 * b + 6; k++)
                    square += R[k + NV * i] * R[k + NV * i];
                terms += sqrt(square) * fabs(lambda[i]);
            }
            worst = fmax(worst, sqrt(squares[0]) / terms);
        }
        assert_close(left, worst, made ? 1e-14 : 1e-12);
        dls_problem_destroy(m.p);
    }
}
