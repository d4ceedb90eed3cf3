/* Problems with nothing in them, and rows without a coefficient, which compliance alone keeps from being dead: every
 * solver takes them. Their arrays of columns are empty; a sanitizer sees arithmetic on pointers to nothing. */
#include "delassus/delassus.h"
#include "delassus/reference.h"
#include "delassus/solvers.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 4, ITERATIONS = 2000 };

/* w = gamma lambda - c: lambda is c / gamma within the bounds. */
static const struct {
    const char *text;
    double lambda;
} rows[ROWS] = {{"row 2 5 0 inf 0 0 - - 0 \"normal\"\n", 2.5},
                {"row 4 -3 -inf inf 0 0 - - 0 \"free\"\n", -0.75},
                {"row 0.5 3 -1 1 0 0 - - 0 \"box\"\n", 1.0},
                {"row 0.25 9 0 0 0 0.5 0 - 0 \"friction\"\n", 1.25}};

static dls_problem *problem_of(const char *form, size_t count)
{
    char text[1024];
    dls_problem *problem;
    dls_error error;
    size_t used = (size_t)snprintf(
        text, sizeof text,
        "delassus-problem 1\nname \"bare\"\nform %s\nstep 1\nmasses 0\nrows %zu\nblocks 0\ncoefficients 0\n", form,
        count);
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", rows[i].text);
    used += (size_t)snprintf(text + used, sizeof text - used, "end\n");
    assert_status(dls_problem_parse(text, used, "bare", &problem, &error), &error);
    return problem;
}

static size_t solve_with(const dls_solver *const *solvers, const dls_problem *problem)
{
    size_t solved = 0;
    for (size_t k = 0; solvers[k]; k++) {
        dls_settings settings;
        dls_report report = {0};
        dls_error error;
        double lambda[ROWS + 1] = {0.0};
        if (dls_solver_refuses(solvers[k], problem))
            continue;
        assert_status(dls_settings_create(&solvers[k]->fields, &settings, &error), &error);
        assert_status(dls_solve(solvers[k], problem, settings.values, ITERATIONS, lambda, &report, NULL, NULL, &error),
                      &error);
        for (size_t i = 0; i < problem->n; i++) {
            if (fabs(lambda[i] - rows[i].lambda) > 1e-9)
                print_error("%s, row %zu of %zu\n", solvers[k]->name, i, problem->n);
            assert_close(lambda[i], rows[i].lambda, 1e-9);
        }
        dls_report_release(&report);
        dls_settings_release(&settings);
        solved++;
    }
    return solved;
}

TEST(test_every_solver)
{
    static const char *const forms[] = {"mechanical", "matrix"};
    for (size_t f = 0; f < 2; f++)
        for (size_t count = 0; count <= ROWS; count++) {
            dls_problem *problem = problem_of(forms[f], count);
            assert_true(solve_with(dls_iterative_solvers, problem) > 0);
            assert_true(solve_with(dls_direct_solvers, problem) > 0);
            dls_problem_destroy(problem);
        }
}
