/* Memory of the sweeps: none is taken while they iterate, and every allocation of their making may fail. */
#include "delassus/delassus.h"
#include "delassus/solvers.h"

#include "bench/scenes.h"
#include "check.h"

#include <string.h>

/* The linker sends every allocation of the library here (--wrap). */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static size_t allocations, fail_at; /* counted from 1; 0: none fails */
static bool granted(void) { return ++allocations != fail_at; }

/* Fresh memory is full of NaN: whatever is read before it is written shows in the answer. */
static void *poisoned(void *memory, size_t size) { return memory ? memset(memory, 0xff, size) : NULL; }

void *__wrap_malloc(size_t size) { return granted() ? poisoned(__real_malloc(size), size) : NULL; }
void *__wrap_calloc(size_t count, size_t size) { return granted() ? __real_calloc(count, size) : NULL; }
void *__wrap_realloc(void *memory, size_t size) { return granted() ? __real_realloc(memory, size) : NULL; }
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return granted() ? poisoned(__real_aligned_alloc(alignment, size), size) : NULL;
}

/* A pile with manifolds of three and four points, where friction rows of the first hang on another point's normal row:
 * lanes of different lengths, and general rows. */
static dls_problem *make_problem(void)
{
    bench_scene *scene;
    dls_problem *p;
    dls_error error;
    assert_status(bench_contacts(6, 0.385, &scene, &error), &error);
    size_t kept = 0;
    for (size_t k = 0; k < scene->contacts.count; k++)
        if (k % 8 != 7)
            scene->contacts.at[kept++] = scene->contacts.at[k];
    scene->contacts.count = kept;
    assert_status(
        dls_problem_create(scene->model, dls_model_initial(scene->model), &scene->contacts, scene->h, &p, &error),
        &error);
    for (size_t k = 0; k < 2; k++)
        p->parent[21 * k + 1] = 21 * k + 3, p->law[21 * k + 1] = DLS_LAW_BOX;
    bench_scene_destroy(scene);
    return p;
}

static dls_problem *make_matrix(void)
{
    const double A[9] = {2.0, 0.3, 0.0, 0.3, 1.5, -0.2, 0.0, -0.2, 1.1}, b[3] = {-1.0, 0.5, -0.7};
    dls_problem *p;
    dls_error error;
    assert_status(dls_problem_from_matrix(3, A, b, NULL, NULL, &p, &error), &error);
    return p;
}

static dls_problem *make_contact(void)
{
    dls_problem *p = make_matrix();
    dls_problem_make_cone(p, 0, 0.4);
    return p;
}

static void check_memory(const dls_solver *solver, const dls_problem *p)
{
    char settings[64];
    void *work = NULL;
    dls_error error;
    dls_report report = {0};
    assert_true(solver->fields.size <= sizeof settings);
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    allocations = 0;
    assert_status(solver->open(p, settings, NULL, &work, &error), &error);
    size_t needed = allocations;
    assert_true(needed > 0);
    double *lambda = test_calloc(p->n, sizeof *lambda), *v = test_calloc(p->nv, sizeof *v);
    for (int k = 0; k < 5; k++) {
        assert_status(solver->iterate(work, &report, &error), &error);
        solver->refresh(work, p->c);
        solver->velocity(work, v);
    }
    assert_int_equal(allocations, needed);
    solver->read(work, lambda);
    for (size_t i = 0; i < p->n; i++)
        assert_true(isfinite(lambda[i]));
    for (size_t j = 0; j < p->nv; j++)
        assert_true(isfinite(v[j]));
    test_free(lambda), test_free(v);
    solver->close(work);
    for (size_t k = 1; k <= needed; k++) {
        allocations = 0, fail_at = k;
        dls_status status = solver->open(p, settings, NULL, &work, &error);
        fail_at = 0;
        assert_int_equal(status, DLS_NO_MEMORY);
        assert_null(work);
    }
}

static void test_memory(void **unused)
{
    (void)unused;
    dls_problem *const problems[] = {make_problem(), make_matrix(), make_contact()};
    for (size_t k = 0; k < 3; k++) {
        for (size_t s = 0; dls_iterative_solvers[s]; s++)
            if (!dls_solver_refuses(dls_iterative_solvers[s], problems[k]))
                check_memory(dls_iterative_solvers[s], problems[k]);
        dls_problem_destroy(problems[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
