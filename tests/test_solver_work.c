/* How much work the direct methods do on fixed families of problems, in pivots, steps and factorisations, and how
 * many problems they solve: none does more, or solves fewer, than it once did. A method that has lost a rule of its
 * own often still finds its answers, by its other rules and in more steps. */
#include "cones.h"

#include <string.h>

enum { MANUFACTURED, SMALL, CONES, FAMILIES, LARGEST = 30 };
static const char *const family_names[] = {"manufactured", "small", "cones"};

typedef struct totals {
    size_t solved, proved, iterations, factorizations; /* the last two: of the problems that are solved */
} totals;

/* What was counted once, under OpenBLAS' kernels SkylakeX, Haswell, Nehalem and Prescott: the fewest solved and proved,
 * the most iterations and factorisations. What a run counts is printed in the same form. */
static const struct {
    const char *solver;
    totals of[FAMILIES];
} known[] = {
    {"enumeration", {{48, 0, 7872, 8034}, {323, 77, 6051, 6167}, {0, 0, 0, 0}}},
    {"dantzig", {{48, 0, 561, 69}, {77, 10, 101, 135}, {0, 0, 0, 0}}},
    {"lemke", {{96, 0, 995, 238}, {318, 35, 874, 725}, {0, 0, 0, 0}}},
    {"block-pivoting", {{96, 0, 432, 343}, {301, 3, 888, 756}, {0, 0, 0, 0}}},
    {"interior-point", {{96, 0, 1641, 1785}, {318, 4, 4580, 4911}, {0, 0, 0, 0}}},
    {"newton", {{96, 0, 848, 972}, {318, 0, 2938, 3072}, {0, 0, 0, 0}}},
    {"fixed-point", {{96, 0, 96, 343}, {301, 3, 301, 756}, {0, 0, 0, 0}}},
    {"cone-newton", {{0, 0, 0, 0}, {0, 0, 0, 0}, {60, 0, 70, 70}}},
};

static unsigned state;
static int whole(int from, int to)
{
    state = 1664525u * state + 1013904223u;
    return from + (int)((state >> 8) % (unsigned)(to - from + 1));
}

/* Integers, of any definiteness: symmetric, skew in part, or neither; rows of every kind. */
static dls_problem *small_problem(unsigned seed)
{
    double A[25], b[5], lo[5], hi[5];
    dls_problem *p;
    dls_error error;
    state = 2385 + 7919 * seed;
    const size_t n = 2 + seed % 4;
    const int kind = (int)(seed / 4 % 3);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            A[i + n * j] = i == j ? whole(0, 3) : whole(-2, 2);
            A[j + n * i] = kind == 0 || i == j ? A[i + n * j] : kind == 1 ? -A[i + n * j] : whole(-2, 2);
        }
    for (size_t i = 0; i < n; i++) {
        const int of = whole(0, 4);
        b[i] = whole(-3, 3);
        lo[i] = of == 4 ? -HUGE_VAL : of == 3 ? -1.0 : 0.0;
        hi[i] = of >= 3 && (of == 3 || whole(0, 1)) ? 1.0 : HUGE_VAL;
    }
    assert_status(dls_problem_from_matrix(n, A, b, lo, hi, &p, &error), &error);
    return p;
}

/* Number k of a family; NULL behind the last. */
static dls_problem *problem_of(int family, unsigned k)
{
    static const dls_matrix_class classes[] = {DLS_MATRIX_DEFINITE, DLS_MATRIX_SEMIDEFINITE, DLS_MATRIX_MONOTONE,
                                               DLS_MATRIX_P};
    dls_problem *p = NULL;
    dls_error error;
    double lambda[LARGEST], w[LARGEST];
    if (family == MANUFACTURED && k < 96) {
        const dls_recipe recipe = {classes[k % 4], k / 4 % 2 ? DLS_BOUNDS_BOXED : DLS_BOUNDS_LCP,
                                   k / 8 % 2 ? LARGEST : 8, k / 16 % 2 ? 0.5 : 0.0, 1 + k};
        assert_status(dls_manufacture(&recipe, &p, NULL, NULL, &error), &error);
    } else if (family == SMALL && k < 400) {
        p = small_problem(k);
    } else if (family == CONES && k < 60) {
        p = cone_manufacture(1 + k % (LARGEST / 3), k, lambda, w);
    }
    return p;
}

static totals work_of(const dls_solver *solver, int family)
{
    totals t = {0};
    double settings[32], lambda[2 * LARGEST];
    dls_problem *p;
    dls_error error;
    assert_true(solver->fields.size <= sizeof settings);
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    for (unsigned k = 0; (p = problem_of(family, k)); k++) {
        dls_report report = {0};
        memset(lambda, 0, sizeof lambda);
        assert_status(dls_solve(solver, p, settings, 1, lambda, &report, NULL, NULL, &error), &error);
        const bool solved = report.outcome == DLS_OUTCOME_SOLVED || report.outcome == DLS_OUTCOME_SEVERAL ||
                            report.outcome == DLS_OUTCOME_CONTINUUM;
        t.solved += solved;
        t.proved += report.outcome == DLS_OUTCOME_NO_SOLUTION;
        t.iterations += solved ? report.iterations : 0;
        t.factorizations += solved ? report.factorizations : 0;
        dls_report_release(&report);
        dls_problem_destroy(p);
    }
    return t;
}

static bool within(const char *solver, int family, const char *what, size_t count, double least, double most)
{
    const bool good = (double)count >= least && (double)count <= most;
    if (!good)
        print_error("%s, %s problems: %zu %s, and not %g to %g\n", solver, family_names[family], count, what, least,
                    most);
    return good;
}

/* A hundredth of the problems, and a twentieth of the work, may depend on the rounding of another processor's
 * kernels. */
static void test_no_method_works_more(void **unused)
{
    bool good = true;
    (void)unused;
    for (size_t s = 0; dls_direct_solvers[s]; s++) {
        const char *name = dls_direct_solvers[s]->name;
        const size_t count = sizeof known / sizeof known[0];
        size_t k = 0;
        if (dls_direct_solvers[s]->accepts & DLS_BY_NAME) /* exact search: too slow for these sizes */
            continue;
        while (k < count && strcmp(known[k].solver, name) != 0)
            k++;
        print_message("{\"%s\", {", name);
        for (int f = 0; f < FAMILIES; f++) {
            const totals t = work_of(dls_direct_solvers[s], f), before = k < count ? known[k].of[f] : (totals){0};
            print_message("%s{%zu, %zu, %zu, %zu}", f ? ", " : "", t.solved, t.proved, t.iterations, t.factorizations);
            good = within(name, f, "are solved", t.solved, 0.99 * (double)before.solved, HUGE_VAL) && good;
            good = within(name, f, "are proved unsolvable", t.proved, 0.99 * (double)before.proved, HUGE_VAL) && good;
            good = within(name, f, "iterations", t.iterations, 0.0, 1.05 * (double)before.iterations) && good;
            good =
                within(name, f, "factorisations", t.factorizations, 0.0, 1.05 * (double)before.factorizations) && good;
        }
        print_message("}},\n");
    }
    assert_true(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_method_works_more)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
