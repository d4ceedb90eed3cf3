/* Whatever the floating-point environment of the caller is, and whatever an observer does to it, the library gives the
 * same bytes, and leaves the environment as it was. */
#ifdef __linux__
#define _GNU_SOURCE /* feenableexcept */
#endif
#include "delassus/experiments.h"

#include "arithmetic_fault.h"
#include "base/arithmetic.h"
#include "check.h"
#include "examined.h"

#include <cblas.h>
#include <fenv.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __SSE2_MATH__
#include <xmmintrin.h>
#endif

/* --- environments --- */

static void set_default(void) { fesetenv(FE_DFL_ENV); }
static void round_down(void) { fesetround(FE_DOWNWARD); }
static void round_up(void) { fesetround(FE_UPWARD); }
static void round_to_zero(void) { fesetround(FE_TOWARDZERO); }
#ifdef __linux__
static void trap(void) { feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW); }
#endif
#ifdef __SSE2_MATH__
static void flush_to_zero(void) { _mm_setcsr(_mm_getcsr() | 0x8000); }
static void denormals_are_zero(void) { _mm_setcsr(_mm_getcsr() | 0x0040); }
static void both(void) { _mm_setcsr(_mm_getcsr() | 0x8040); } /* as objects compiled with -Ofast do */
#endif

static const struct environment {
    const char *name;
    void (*set)(void);
    bool faulty; /* error bounds do not hold */
} environments[] = {
    {"default", set_default, false},
    {"round downward", round_down, true},
    {"round upward", round_up, true},
    {"round to zero", round_to_zero, true},
#ifdef __linux__
    {"exceptions trap", trap, false},
#endif
#ifdef __SSE2_MATH__
    {"flush to zero", flush_to_zero, true},
    {"denormals are zero", denormals_are_zero, true},
    {"both", both, true},
#endif
};
enum { ENVIRONMENTS = sizeof environments / sizeof environments[0] };

/* All that an environment sets, without the flags of exceptions that have occurred. */
static unsigned long controls(void)
{
    unsigned long all = (unsigned)fegetround();
#ifdef __linux__
    all = all << 16 | (unsigned)fegetexcept();
#endif
#ifdef __SSE2_MATH__
    all = all << 16 | (_mm_getcsr() & ~0x3fu);
#endif
    return all;
}

/* --- results --- */

enum { MOST = 1 << 16 };
static double results[2][MOST];
static size_t count;

/* Whole numbers are passed as int: a size_t that is 0 becomes -0 where the processor rounds downward. */
static void keep(double x)
{
    assert_in_range(count, 0, MOST - 1);
    results[1][count++] = x;
}

static void keep_all(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        keep(x[i]);
}

static void keep_text(const char *text)
{
    for (; *text; text++)
        keep(*text);
}

/* Numbers at the lower end of the range: b is subnormal, and so is every product that must not vanish. */
static const char denormal[] =
    "{\"n\": 3, \"A\": [[0, 0, 0], [0, 5.4683415146672981e-304, 0], [0, 0, 2.7341707573336491e-304]],"
    " \"b\": [1.5810100666919889e-322, -7.9050503334599447e-323, 1.5810100666919889e-322]}",
                  contradictory[] = "{\"n\": 1, \"A\": [[0]], \"b\": [-5e-324]}";

static dls_problem *parse(const char *text)
{
    dls_content content;
    dls_error error;
    assert_status(dls_file_parse(text, strlen(text), "text", NULL, &content, &error), &error);
    return content.problem;
}

static const dls_model *load(void)
{
    static dls_model *model; /* made in the first environment */
    char path[DLS_PATH_MAX];
    dls_error error;
    snprintf(path, sizeof path, "%s/scenes/four-bar.yaml", getenv("DLS_TEST_SOURCE") ? getenv("DLS_TEST_SOURCE") : ".");
    if (!model)
        assert_status(dls_load_model(path, &model, &error), &error);
    return model;
}

static void solve_all(const dls_problem *p)
{
    double lambda[64], w[64];
    dls_certificate c;
    dls_bounds bounds;
    dls_error error;
    dls_examiner *examiner = examiner_of(p);
    const dls_solver *solver;
    for (size_t k = 0; (solver = dls_solver_at(k)); k++) {
        dls_settings settings;
        dls_report report = {0};
        memset(lambda, 0, sizeof lambda);
        assert_status(dls_settings_create(&solver->fields, &settings, &error), &error);
        assert_status(dls_solve(solver, p, settings.values, 50, lambda, &report, NULL, NULL, &error), &error);
        dls_examine(examiner, lambda, w, &c);
        keep((int)report.outcome), keep((int)report.iterations), keep_text(report.message);
        keep_all(p->n, lambda), keep_all(p->n, w);
        keep(c.scaled_residual), keep(c.data_residual), keep(c.natural_residual_velocity);
        assert_status(dls_certify(p, lambda, &bounds, &error), &error);
        keep((int)bounds.kind), keep_text(bounds.text), keep_all(p->n, bounds.radius_lambda);
        keep_all(p->n, bounds.radius_w);
        dls_bounds_release(&bounds);
        dls_report_release(&report);
        dls_settings_release(&settings);
    }
    dls_examiner_destroy(examiner);
}

static void prove_contradiction(void)
{
    dls_problem *p = parse(contradictory);
    const double y = 1.0;
    dls_farkas_proof proof;
    dls_error error;
    assert_status(dls_farkas_verify(p, &y, &proof, &error), &error);
    assert_true(proof.proved);
    keep(proof.margin);
    dls_problem_destroy(p);
}

static void run(void)
{
    dls_simulation *simulation;
    dls_simulation_options options = dls_simulation_default();
    dls_error error;
    options.solver = dls_solver_find("pgs");
    assert_status(dls_simulation_open(load(), &options, &simulation, &error), &error);
    for (int k = 0; k < 20; k++)
        assert_status(dls_simulation_step(simulation, 1e-3, &error), &error);
    const dls_state *s = dls_simulation_state(simulation);
    keep_all(s->nv, s->v);
    for (size_t i = 0; i < s->n_bodies; i++)
        keep(s->x[i].x), keep(s->x[i].y), keep(s->x[i].z);
    dls_simulation_close(simulation);
}

static void compute(void)
{
    dls_problem *small = parse(denormal), *usual;
    count = 0;
    usual = problem_from_state(load(), dls_model_initial(load()), NULL, dls_model_world(load())->step);
    solve_all(small);
    solve_all(usual);
    prove_contradiction();
    run();
    keep_text(dls_digits_up(0.1, 3).text), keep_text(dls_digits_up(5e-324, 3).text);
    dls_problem_destroy(small), dls_problem_destroy(usual);
}

TEST(test_environments)
{
    compute();
    const size_t expected = count;
    memcpy(results[0], results[1], sizeof results[0]);
    for (size_t k = 0; k < ENVIRONMENTS; k++) {
        environments[k].set();
        const unsigned long before = controls();
        compute();
        const unsigned long after = controls();
        set_default();
        if (before != after)
            fail_msg("%s: the environment was %lx, and is %lx", environments[k].name, before, after);
        if (count != expected || memcmp(results[0], results[1], count * sizeof(double)) != 0)
            fail_msg("%s: the results are others", environments[k].name);
    }
}

/* An observer that leaves another environment behind changes nothing of what follows. */
static bool disturb(void *context, const double *lambda, const dls_report *report)
{
    void (*const *set)(void) = context;
    (void)lambda, (void)report;
    (*set)();
    return true;
}

TEST(test_observers)
{
    dls_problem *p = parse(denormal);
    const dls_solver *solver = dls_solver_find("pgs");
    dls_settings settings;
    dls_error error;
    assert_status(dls_settings_create(&solver->fields, &settings, &error), &error);
    for (size_t k = 0; k < ENVIRONMENTS; k++) {
        double lambda[3] = {0};
        dls_report report = {0};
        void (*set)(void) = environments[k].set;
        const unsigned long before = controls();
        assert_status(dls_solve(solver, p, settings.values, 5, lambda, &report, disturb, &set, &error), &error);
        const unsigned long after = controls();
        set_default();
        assert_int_equal(before, after);
        assert_close(lambda[1], 0x1p-63 * (4.0 / 3.0), 0.0);
        dls_report_release(&report);
    }
    dls_settings_release(&settings);
    dls_problem_destroy(p);
}

/* The self-check knows every faulty environment, and finds none within a scope of the library's. */
static const char *fault_within(void)
{
    DLS_STANDARD_ARITHMETIC;
    return dls_arithmetic_fault();
}

TEST(test_faults)
{
    for (size_t k = 0; k < ENVIRONMENTS; k++) {
        environments[k].set();
        const char *fault = environments[k].faulty ? dls_arithmetic_fault() : NULL, *within = fault_within();
        set_default();
        if (environments[k].faulty != (fault != NULL) || within)
            fail_msg("%s: %s; within: %s", environments[k].name, fault ? fault : "no fault", within ? within : "none");
    }
}

/* Threads of OpenBLAS that were started in another environment, here after a fork, are noticed, and so are those that
 * replace them. */
#ifdef __SSE2_MATH__
static void restart_blas(void)
{
    enum { N = 300 };
    static double A[N * N], B[N * N];
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1.0, A, N, A, N, 0.0, B, N);
}
#endif

TEST(test_threads_of_the_blas)
{
#ifdef __SSE2_MATH__
    const int before = openblas_get_num_threads(), own_threads = 1;
    const double lambda[3] = {0.0};
    dls_problem *p = parse(denormal);
    dls_bounds bounds;
    dls_error error;
    openblas_set_num_threads(2);
    if (openblas_get_num_threads() == 2 && openblas_get_parallel() == own_threads) {
        both();
        restart_blas();
        const dls_status status = dls_certify(p, lambda, &bounds, &error);
        set_default();
        assert_int_equal(status, DLS_UNAVAILABLE);
        dls_bounds_release(&bounds);
        restart_blas();
        assert_status(dls_certify(p, lambda, &bounds, &error), &error);
        dls_bounds_release(&bounds);
    }
    openblas_set_num_threads(before);
    dls_problem_destroy(p);
#endif
}
