/* Rows of closed loops that say the same: which of them are found, on either side of what counts as rounding, and what
 * is left of the problem, against the formulas at the head of redundant.c. */
#include "check.h"

#include "direct/redundant.h"

#include "delassus/delassus.h"

enum { BODIES = 2, NV = 6 * BODIES, ROWS = 12 };

static unsigned state;
static int whole(int from, int to)
{
    state = state * 1664525u + 1013904223u;
    return from + (int)((state >> 8) % (unsigned)(to - from + 1));
}

typedef struct sample {
    size_t n;
    dls_mass_body body[BODIES];
    dls_problem *p;
    int row_unit[ROWS];
    double s[ROWS], A[ROWS * ROWS], b[ROWS], lo[ROWS], hi[ROWS];
    dls_dense q;
    dls_arena keep, scratch;
    dls_redundant r;
} sample;

/* n bilateral rows without coefficients; unit masses beside heavier ones. */
static void start(sample *m, size_t n)
{
    dls_error error;
    memset(m, 0, sizeof *m);
    m->n = n;
    assert_status(dls_problem_allocate(n, NV, BODIES * n, NV * n, BODIES, &m->p, &error), &error);
    m->p->form = DLS_FORM_MECHANICAL, m->p->h = 1.0;
    for (size_t k = 0; k < BODIES; k++) {
        const double mass = k ? 4.0 : 1.0;
        m->body[k] = (dls_mass_body){.mass = mass, .inverse_mass = 1.0 / mass};
        for (int i = 0; i < 3; i++)
            m->body[k].inertia.m[4 * i] = mass, m->body[k].inverse_inertia.m[4 * i] = 1.0 / mass;
        m->p->mass.blocks[k] = (dls_mass_block){6 * k, 6, &dls_mass_body_kind, &m->body[k]};
    }
    for (size_t k = 0; k < BODIES * n; k++) {
        m->p->J.offset[k] = 6 * (k % BODIES), m->p->J.mass[k] = (uint32_t)(k % BODIES);
        m->p->J.coef_at[k + 1] = 6 * (k + 1);
    }
    for (size_t i = 0; i < n; i++) {
        m->p->J.start[i + 1] = BODIES * (i + 1);
        m->p->lo[i] = -HUGE_VAL, m->p->hi[i] = HUGE_VAL, m->p->parent[i] = DLS_NONE;
    }
}

/* S A S with a diagonal between 1/2 and 2, S of powers of two, and what is found in it. */
static void find(sample *m)
{
    dls_dense *d;
    dls_error error;
    assert_status(dls_dense_create(m->p, &d, &error), &error);
    for (size_t i = 0; i < m->n; i++) {
        m->row_unit[i] = -(ilogb(d->A[i * (m->n + 1)]) + 1) / 2;
        m->s[i] = ldexp(1.0, m->row_unit[i]);
    }
    for (size_t i = 0; i < m->n; i++) {
        for (size_t j = 0; j < m->n; j++)
            m->A[i + m->n * j] = m->s[i] * d->A[i + m->n * j] * m->s[j];
        m->b[i] = m->s[i] * d->b[i];
    }
    dls_dense_destroy(d);
    m->q = (dls_dense){m->n, m->A, m->b, m->lo, m->hi, true};
    const dls_direct direct = {.problem = m->p, .q = m->q, .n = m->n, .row_unit = m->row_unit};
    assert_status(dls_redundant_find(&direct, &m->keep, &m->scratch, &m->r, &error), &error);
}

static void finish(sample *m)
{
    dls_arena_release(&m->keep);
    dls_arena_release(&m->scratch);
    dls_problem_destroy(m->p);
}

/* Rows of whole numbers, then `twins` rows that are sums of earlier ones, and others that take no part: one-sided,
 * compliant, or under a box. */
static void draw_rows(sample *m, unsigned seed, size_t twins)
{
    start(m, ROWS);
    state = 3 + 7919 * seed;
    const size_t plain = 6, others = plain + twins;
    for (size_t i = 0; i < ROWS; i++) {
        const double unit = ldexp(1.0, whole(-2, 2));
        for (size_t c = 0; c < NV; c++) {
            const double *J = m->p->J.coef;
            double *to = m->p->J.coef + NV * i + c;
            *to = i < plain || i >= others ? unit * whole(-3, 3)
                  : i == plain             ? -2.0 * J[c]
                  : i == plain + 1         ? J[NV + c] + J[2 * NV + c]
                                           : 0.5 * J[3 * NV + c];
        }
        m->p->c[i] = whole(-2, 2);
        if (i >= others && i % 3 == 0)
            m->p->lo[i] = 0.0;
        else if (i >= others && i % 3 == 1)
            m->p->gamma[i] = 0.25;
        else if (i >= others)
            m->p->hi[i] = 0.0;
    }
    m->p->c[plain] = -2.0 * m->p->c[0];
    m->p->c[plain + 1] = m->p->c[1] + m->p->c[2];
    m->p->c[plain + 2] = 0.5 * m->p->c[3];
}

static double dot(size_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* N^T D N = 1, D N, and J^T N = 0. */
static void check_stresses(const sample *m)
{
    const dls_redundant *r = &m->r;
    for (size_t a = 0; a < r->k; a++) {
        for (size_t b = 0; b < r->k; b++)
            assert_close(dot(r->f, r->N + r->f * a, r->DN + r->f * b), a == b, 1e-12);
        for (size_t i = 0; i < r->f; i++) {
            const double D = m->A[r->rows[i] * (m->n + 1)];
            assert_close(r->DN[i + r->f * a], D * r->N[i + r->f * a], 1e-14 * D);
        }
        for (size_t c = 0; c < NV; c++) {
            double sum = 0.0;
            for (size_t i = 0; i < r->f; i++)
                sum += m->p->J.coef[NV * r->rows[i] + c] * m->s[r->rows[i]] * r->N[i + r->f * a];
            assert_close(sum, 0.0, 1e-13);
        }
    }
}

/* A'' = Q A Q^T + D N N^T D, b'' = Q b, Q = 1 - D N N^T, on all rows; `left` is D N N^T b. */
static void check_what_is_left(sample *m)
{
    const dls_redundant *r = &m->r;
    double Q[ROWS * ROWS] = {0}, QA[ROWS * ROWS], A[ROWS * ROWS], b[ROWS] = {0}, left[ROWS] = {0}, w[ROWS];
    double expected_w[ROWS] = {0}, kept[ROWS];
    const size_t n = m->n;
    for (size_t i = 0; i < n; i++)
        Q[i + n * i] = 1.0, w[i] = whole(-3, 3);
    for (size_t c = 0; c < r->k; c++)
        for (size_t i = 0; i < r->f; i++)
            for (size_t j = 0; j < r->f; j++)
                Q[r->rows[i] + n * r->rows[j]] -= r->DN[i + r->f * c] * r->N[j + r->f * c];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            QA[i + n * j] = 0.0;
            for (size_t k = 0; k < n; k++)
                QA[i + n * j] += Q[i + n * k] * m->A[k + n * j];
            b[i] += Q[i + n * j] * m->b[j];
            expected_w[i] += Q[i + n * j] * w[j];
            left[i] += ((i == j) - Q[i + n * j]) * m->b[j];
        }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            A[i + n * j] = 0.0;
            for (size_t k = 0; k < n; k++)
                A[i + n * j] += QA[i + n * k] * Q[j + n * k];
        }
    for (size_t c = 0; c < r->k; c++)
        for (size_t i = 0; i < r->f; i++)
            for (size_t j = 0; j < r->f; j++)
                A[r->rows[i] + n * r->rows[j]] += r->DN[i + r->f * c] * r->DN[j + r->f * c];
    dls_redundant_project(r, w, r->k > 0 ? kept : NULL);
    dls_redundant_remove(&m->r, &m->q);
    for (size_t i = 0; i < n; i++) {
        assert_close(m->b[i], b[i], 1e-11);
        assert_close(w[i], expected_w[i], 1e-11);
        for (size_t j = 0; j < n; j++) {
            assert_close(m->A[i + n * j], A[i + n * j], 1e-10);
            assert_true(m->A[i + n * j] == m->A[j + n * i]);
        }
    }
    for (size_t i = 0; i < r->f && r->k > 0; i++)
        assert_close(r->left[i], left[r->rows[i]], 1e-11);
}

static void test_what_is_found_and_what_is_left(void **unused)
{
    (void)unused;
    for (unsigned seed = 0; seed < 40; seed++)
        for (size_t twins = 0; twins <= 3; twins++) {
            sample m;
            draw_rows(&m, seed, twins);
            find(&m);
            assert_int_equal(m.r.f, 6 + twins);
            for (size_t i = 0; i < m.r.f; i++)
                assert_int_equal(m.r.rows[i], i);
            if (m.r.k != twins)
                print_error("seed %u: %zu self-stresses, and not %zu\n", seed, m.r.k, twins);
            assert_int_equal(m.r.k, twins);
            check_stresses(&m);
            check_what_is_left(&m);
            finish(&m);
        }
}

/* What twins keep of a contradiction that is small enough: D N N^T b, and v+ does not see it. */
static void test_contradictions_are_kept(void **unused)
{
    sample m;
    (void)unused;
    start(&m, 2);
    m.p->J.coef[0] = m.p->J.coef[NV] = 1.0;
    m.p->c[0] = -1.0, m.p->c[1] = -1.0 - 0x1p-46;
    find(&m);
    assert_int_equal(m.r.k, 1);
    dls_redundant_remove(&m.r, &m.q);
    assert_close(m.b[0], 1.0 + 0x1p-47, 0x1p-51);
    assert_close(m.b[1], 1.0 + 0x1p-47, 0x1p-51);
    assert_close(m.r.left[0], -0x1p-47, 0x1p-51);
    assert_close(m.r.left[1], 0x1p-47, 0x1p-51);
    finish(&m);
}

/* Two rows along x on one body, one of them turned by d or with another c by e:
 * |J^T N| = d / sqrt 2 against 1e-13 (1 / sqrt 2) 2, which is between 7 and 8 times 2^-45;
 * |N^T b| = e / sqrt 2 against 64 (2 + 12 + 1) eps sqrt 2 |c| for 12 coefficients of each row: e up to 30 2^-46. With
 * v* = 3 along x the terms of b are 1 + 3. */
static void test_limits_of_rounding(void **unused)
{
    const struct {
        double d, e, v;
        size_t k;
    } cases[] = {
        {0.0, 0.0, 0.0, 1},
        {7.0 * 0x1p-45, 0.0, 0.0, 1},
        {8.0 * 0x1p-45, 0.0, 0.0, 0},
        {-7.0 * 0x1p-45, 0.0, 0.0, 1},
        {-8.0 * 0x1p-45, 0.0, 0.0, 0},
        {0.0, 29.5 * 0x1p-46, 0.0, 1},
        {0.0, 30.5 * 0x1p-46, 0.0, 0},
        {0.0, -29.5 * 0x1p-46, 0.0, 1},
        {0.0, -30.5 * 0x1p-46, 0.0, 0},
        {0.0, 118.0 * 0x1p-46, 3.0, 1},
        {0.0, 122.0 * 0x1p-46, 3.0, 0},
    };
    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        sample m;
        start(&m, 2);
        m.p->J.coef[0] = m.p->J.coef[NV] = 1.0;
        m.p->J.coef[NV + 1] = cases[k].d;
        m.p->v_star[0] = cases[k].v;
        m.p->c[0] = -1.0, m.p->c[1] = -1.0 - cases[k].e;
        find(&m);
        if (m.r.k != cases[k].k)
            print_error("case %zu: %zu, and not %zu\n", k, m.r.k, cases[k].k);
        assert_int_equal(m.r.k, cases[k].k);
        finish(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_found_and_what_is_left),
        cmocka_unit_test(test_contradictions_are_kept),
        cmocka_unit_test(test_limits_of_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
