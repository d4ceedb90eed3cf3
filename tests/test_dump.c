/* The writer of steps for other projects, examples/dump/delassus_dump.h: every bit is read back, and what it writes is
 * examined. */
#include "draws.h"
#include "examined.h"
#include "failing_memory.h"

#include "delassus/io.h"

#include "examples/dump/delassus_dump.h"

#include <unistd.h>

static char dump_folder[] = "/tmp/delassus-dump-XXXXXX";

static int open_folder(void **state)
{
    (void)state;
    return mkdtemp(dump_folder) ? 0 : -1;
}

static const char *path_in(const char *name)
{
    static char path[sizeof dump_folder + 64];
    snprintf(path, sizeof path, "%s/%s", dump_folder, name);
    return path;
}

static int close_folder(void **state)
{
    (void)state;
    unlink(path_in("drawn-000000.problem"));
    unlink(path_in("drawn-000000.impulses"));
    unlink(path_in("ball-000000.problem"));
    unlink(path_in("ball-000000.impulses"));
    return rmdir(dump_folder);
}

TESTS_WITH(open_folder, close_folder)

/* --- every bit --- */

enum { SPEEDS = 3, NV = 6 + SPEEDS + 6, N = 5 };

typedef struct drawn {
    double mass[2], inertia[2][9], M[SPEEDS * SPEEDS], v[NV];
    double c[N], gamma[N], lo[N], hi[N], lambda[N], mu[N], J[N][NV];
} drawn;

/* A positive definite matrix, L L^T with a diagonal of L from 1 up. */
static void draw_definite(size_t n, double *A)
{
    double L[9] = {0};
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            L[i * n + j] = i == j ? uniform(1.0, 2.0) : uniform(-0.5, 0.5);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0.0;
            for (size_t k = 0; k <= j; k++)
                sum += L[i * n + k] * L[j * n + k];
            A[i * n + j] = A[j * n + i] = sum;
        }
}

static void draw_numbers(size_t count, double *values)
{
    for (size_t i = 0; i < count; i++)
        values[i] = any_sign(scale_between(-12.0, 12.0));
}

static drawn draw_step(uint64_t seed)
{
    drawn s;
    draw_seed(seed);
    for (size_t k = 0; k < 2; k++) {
        s.mass[k] = scale_between(-6.0, 6.0);
        draw_definite(3, s.inertia[k]);
    }
    draw_definite(SPEEDS, s.M);
    draw_numbers(NV, s.v);
    draw_numbers(N, s.c);
    draw_numbers(N, s.lambda);
    for (size_t i = 0; i < N; i++) {
        s.gamma[i] = scale_between(-12.0, 0.0);
        s.lo[i] = i < 2 ? 0.0 : -HUGE_VAL; /* a normal row has lo = 0 under a cone */
        s.hi[i] = HUGE_VAL;
        s.mu[i] = uniform(0.1, 1.0);
        draw_numbers(NV, s.J[i]);
    }
    return s;
}

/* Rows 0 to 2 are a contact under the cone; row 3 is between bounds of row 0; row 4 has no bounds. The blocks of a row
 * are given in the wrong order, and the last one in two parts. */
static int dump_drawn(const drawn *s, const char *folder)
{
    dls_dump dump;
    const double half[6] = {0};
    dls_dump_open(&dump, folder, "drawn");
    dls_dump_begin(&dump, 1.0 / 3.0);
    const int first = dls_dump_body(&dump, s->mass[0], s->inertia[0], s->v);
    const int tree = dls_dump_articulation(&dump, SPEEDS, s->M, s->v + 6);
    const int second = dls_dump_body(&dump, s->mass[1], s->inertia[1], s->v + 6 + SPEEDS);
    for (size_t i = 0; i < N; i++) {
        char label[32];
        snprintf(label, sizeof label, "row %zu", i);
        dls_dump_row(&dump, label, s->c[i], s->gamma[i], s->lo[i], s->hi[i], s->lambda[i]);
        dls_dump_block(&dump, second, s->J[i] + 6 + SPEEDS);
        dls_dump_block(&dump, -1, s->J[i]);
        dls_dump_block(&dump, first, s->J[i]);
        dls_dump_block(&dump, tree, s->J[i] + 6);
        dls_dump_block(&dump, second, half);
        if (i > 0 && i < 4)
            dls_dump_friction(&dump, 0, s->mu[i], i < 3 ? DLS_DUMP_CONE : DLS_DUMP_BOX);
    }
    dls_dump_end(&dump);
    return dls_dump_close(&dump);
}

static void assert_bits(const double *read, const double *written, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_close(read[i], written[i], 0.0);
}

TEST(test_every_bit_of_a_dumped_step_is_read_back)
{
    const dls_vector_query query = {"lambda", NULL, false};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const drawn s = draw_step(seed);
        dls_problem *p;
        dls_error error;
        double *lambda, M[NV * NV], unit[NV], column[NV];
        size_t count;
        assert_int_equal(dump_drawn(&s, dump_folder), 0);
        assert_status(dls_problem_read(path_in("drawn-000000.problem"), &p, &error), &error);
        assert_status(dls_vector_read(path_in("drawn-000000.impulses"), &query, &count, &lambda, &error), &error);
        assert_true(p->n == N && p->nv == NV && count == N && p->mass.n_blocks == 3);
        assert_string_equal(p->name, "drawn 0");
        assert_bits(&p->h, &(double){1.0 / 3.0}, 1);
        assert_bits(lambda, s.lambda, N);
        assert_bits(p->v_star, s.v, NV);
        assert_bits(p->c, s.c, N);
        assert_bits(p->gamma, s.gamma, N);
        for (size_t i = 0; i < N; i++) {
            const bool friction = i > 0 && i < 4;
            assert_bits(p->J.coef + i * NV, s.J[i], NV);
            assert_true(p->parent[i] == (friction ? 0 : DLS_NONE));
            assert_true(p->law[i] == (!friction ? DLS_LAW_FIXED : i < 3 ? DLS_LAW_CONE : DLS_LAW_BOX));
            assert_bits(&p->mu[i], friction ? &s.mu[i] : &(double){0.0}, 1);
            assert_true(p->lo[i] == (friction ? 0.0 : s.lo[i]) && p->hi[i] == (friction ? 0.0 : s.hi[i]));
        }
        for (size_t j = 0; j < NV; j++) {
            memset(unit, 0, sizeof unit);
            unit[j] = 1.0;
            dls_mass_multiply(&p->mass, unit, column);
            memcpy(M + j * NV, column, sizeof column);
        }
        for (size_t i = 0; i < SPEEDS; i++)
            assert_bits(M + (6 + i) * NV + 6, s.M + i * SPEEDS, SPEEDS);
        for (size_t i = 0; i < 3; i++) {
            assert_bits(M + i * NV + i, &s.mass[0], 1);
            assert_bits(M + (3 + i) * NV + 3, s.inertia[0] + 3 * i, 3);
            assert_bits(M + (6 + SPEEDS + 3 + i) * NV + 6 + SPEEDS + 3, s.inertia[1] + 3 * i, 3);
        }
        free(lambda);
        dls_problem_destroy(p);
    }
}

/* --- a ball at rest on a plane: lambda = m g h, and w = 0 --- */

static const double ball_mass = 2.385, ball_speed = 0.0981; /* [kg], [m/s]: g h */

static void dump_ball(double share)
{
    dls_dump dump;
    const double inertia[9] = {0.3, 0, 0, 0, 0.3, 0, 0, 0, 0.3}, v[6] = {0, 0, -ball_speed, 0, 0, 0},
                 J[6] = {0, 0, 1, 0, 0, 0};
    dls_dump_open(&dump, dump_folder, "ball");
    dls_dump_begin(&dump, 0.01);
    const int ball = dls_dump_body(&dump, ball_mass, inertia, v);
    dls_dump_row(&dump, "ball-floor.normal", 0.0, 0.0, 0.0, HUGE_VAL, share * ball_mass * ball_speed);
    dls_dump_block(&dump, ball, J);
    dls_dump_end(&dump);
    assert_int_equal(dls_dump_close(&dump), 0);
}

static double residual_of_ball(double share)
{
    const dls_vector_query query = {"lambda", NULL, false};
    dls_problem *p;
    dls_certificate c;
    dls_error error;
    double *lambda, w;
    size_t count;
    dump_ball(share);
    assert_status(dls_problem_read(path_in("ball-000000.problem"), &p, &error), &error);
    assert_status(dls_vector_read(path_in("ball-000000.impulses"), &query, &count, &lambda, &error), &error);
    dls_examiner *examiner = examiner_of(p);
    dls_examine(examiner, lambda, &w, &c);
    assert_close(w, (share - 1.0) * ball_speed, 1e-15);
    dls_examiner_destroy(examiner);
    dls_problem_destroy(p);
    free(lambda);
    return c.scaled_residual;
}

/* With lambda = (1 + s) m g h the row separates by w = s g h, and |w| / (|b| + A lambda) = s / (2 + s). */
TEST(test_a_dumped_step_is_examined)
{
    assert_below(residual_of_ball(1.0), 4e-16);
    assert_close(residual_of_ball(1.25), 0.25 / 2.25, 1e-15);
}

/* --- a matrix --- */

/* A = [2 1; 0.5 2], b = (-5, -6) and lambda_2 <= 1: lambda = (2, 1) and w = (0, -3). */
TEST(test_a_matrix_is_dumped)
{
    const double A[2][2] = {{2.0, 1.0}, {0.5, 2.0}}, b[2] = {-5.0, -6.0}, x[2] = {2.0, 1.0};
    dls_dump dump;
    dls_problem *p;
    dls_certificate c;
    dls_error error;
    double w[2];
    dls_dump_open(&dump, dump_folder, "ball");
    dls_dump_begin_matrix(&dump, 2);
    for (int i = 0; i < 2; i++) {
        dls_dump_row(&dump, "row", -b[i], 0.0, 0.0, i ? 1.0 : HUGE_VAL, x[i]);
        dls_dump_block(&dump, 0, A[i]);
    }
    dls_dump_end(&dump);
    assert_int_equal(dls_dump_close(&dump), 0);
    assert_status(dls_problem_read(path_in("ball-000000.problem"), &p, &error), &error);
    assert_true(p->form == DLS_FORM_MATRIX && p->n == 2);
    dls_examiner *examiner = examiner_of(p);
    dls_examine(examiner, x, w, &c);
    assert_below(c.scaled_residual, 0.0);
    assert_close(w[0], 0.0, 0.0);
    assert_close(w[1], -3.0, 0.0);
    dls_examiner_destroy(examiner);
    dls_problem_destroy(p);
}

/* --- what cannot be written --- */

TEST(test_the_first_failure_is_kept)
{
    drawn s = draw_step(1);
    assert_int_equal(dump_drawn(&s, "/tmp/delassus-dump-none"), ENOENT);
    assert_int_equal(dump_drawn(&s, ""), 0); /* no folder: nothing is written */
    s.lambda[2] = NAN;
    assert_int_equal(dump_drawn(&s, dump_folder), ERANGE);
}

TEST(test_the_writer_fails_without_memory)
{
    const drawn s = draw_step(1);
    const long before = live;
    int status = ENOMEM;
    for (fail_at = 1; status == ENOMEM; fail_at++) {
        allocations = 0;
        status = dump_drawn(&s, dump_folder);
        assert_true(live == before);
    }
    fail_at = 0;
    assert_int_equal(status, 0);
}
