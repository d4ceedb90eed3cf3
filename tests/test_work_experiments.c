/* The experiments on the work of methods: drawn contacts, work up to a residual, sweeps in several precisions,
 * and that each experiment's tables and findings are there. */
#include "studies.h"

#include "errata/parts.h"
#include "mechanisms/parts.h"
#include "precision/ladder.h"
#include "study/rig.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The rank of A is the number of velocities where these are fewer than rows, and a method for cones finds an answer. */
TEST(test_drawn_contacts)
{
    const double densities[] = {0.5, 1.0, 2.0, 3.0};
    for (size_t k = 0; k < 4; k++) {
        enum { CONTACTS = 12, ROWS = 3 * CONTACTS };
        dls_problem *p;
        dls_dense *d;
        dls_examiner *examiner;
        dls_choice choice;
        dls_solver_reach reach;
        dls_error error;
        double s[ROWS], work[16 * ROWS], lambda[ROWS];
        assert_status(dls_draw_contacts(CONTACTS, densities[k], 7, &p, &error), &error);
        assert_int_equal(p->n, ROWS);
        assert_int_equal(p->n_cone, 2 * CONTACTS);
        assert_status(dls_dense_create(p, &d, &error), &error);
        assert_int_equal(LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', ROWS, ROWS, d->A, ROWS, s, NULL, 1, NULL, 1,
                                             work, 16 * ROWS),
                         0);
        size_t rank = 0;
        for (size_t i = 0; i < ROWS; i++)
            rank += s[i] > 1e-10 * s[0];
        assert_int_equal(rank, densities[k] < 1.0 ? ROWS : (size_t)(ROWS / densities[k]));
        assert_status(dls_examiner_create(p, &examiner, &error), &error);
        assert_status(dls_choice_create("cone-newton", &choice, &error), &error);
        assert_status(dls_reach_measure(&choice, p, examiner, NULL, 1, 100.0, lambda, &reach, &error), &error);
        assert_true(reach.to[2].iterations > 0.0);
        assert_true(dls_outcome_solved(reach.claim) && dls_outcome_solved(reach.certified));
        dls_choice_release(&choice);
        dls_examiner_destroy(examiner);
        dls_dense_destroy(d);
        dls_problem_destroy(p);
    }
}

/* Smaller residuals take no fewer iterations; the iterate before the counted one is not good enough; a limit that is
 * too small reaches nothing. */
TEST(test_work_up_to_a_residual)
{
    const dls_case_size size = {.layers = 2, .contacts = 2, .seed = 1};
    dls_case_open at;
    dls_examiner *examiner;
    dls_choice pgs;
    dls_solver_reach reach, less;
    dls_error error;
    dls_certificate certificate;
    dls_report report = {0};
    assert_string_equal(dls_cases[2].name, "chain-1");
    assert_status(dls_case_begin(&at, &dls_cases[2], &size, &error), &error);
    double *lambda = calloc(at.problem->n, sizeof *lambda);
    assert_non_null(at.warm);
    assert_status(dls_examiner_create(at.problem, &examiner, &error), &error);
    assert_status(dls_choice_create("pgs", &pgs, &error), &error);
    assert_status(dls_reach_measure(&pgs, at.problem, examiner, NULL, 100000, 100.0, lambda, &reach, &error), &error);
    for (size_t k = 0; k < DLS_REACH_TARGETS; k++) {
        const size_t count = (size_t)reach.to[k].iterations;
        assert_true(k == 0 || reach.to[k].iterations >= reach.to[k - 1].iterations);
        assert_true(reach.to[k].visits >= reach.to[k].iterations * (double)at.problem->n);
        for (size_t before = 0; before < 2; before++) {
            memset(lambda, 0, at.problem->n * sizeof *lambda);
            assert_status(
                dls_solve(pgs.solver, at.problem, pgs.settings, count - before, lambda, &report, NULL, NULL, &error),
                &error);
            dls_report_release(&report);
            dls_examine(examiner, lambda, NULL, &certificate);
            assert_int_equal(dls_is_converged(&certificate, dls_reach_targets[k]), before == 0);
        }
    }
    assert_status(dls_reach_measure(&pgs, at.problem, examiner, NULL, (size_t)reach.to[0].iterations - 1, 100.0, lambda,
                                    &less, &error),
                  &error);
    assert_true(isnan(less.to[0].iterations) && isnan(less.to[1].iterations));
    dls_choice_release(&pgs);
    dls_examiner_destroy(examiner);
    free(lambda);
    dls_case_close(&at);
}

/* A lambda = -b with A = [2 -1; -1 2] and b = (-1, 0) has the solution (2/3, 1/3), which each precision reaches to its
 * own rounding. 1/3 = high + low with high = fl(1/3) and low = 2^-54 / 3. */
TEST(test_precisions_reach_their_own_rounding)
{
    static const double J[] = {1, -1, 0, 0, 1, -1}, diagonal[] = {2, 2}, zero[3] = {0}, c[] = {1, 0};
    static const double lo[] = {-HUGE_VAL, -HUGE_VAL}, hi[] = {HUGE_VAL, HUGE_VAL};
    const dls_ladder_problem p = {2, 3, J, J, diagonal, zero, c, lo, hi, zero};
    const dls_ladder_rung *const rungs[] = {&dls_ladder_float, &dls_ladder_mixed, &dls_ladder_double,
                                            &dls_ladder_twofold};
    for (size_t r = 0; r < 4; r++) {
        double high[2], low[2];
        assert_true(rungs[r]->run(&p, 200, zero, high, low));
        for (size_t i = 0; i < 2; i++) {
            const double share = i == 0 ? 2.0 : 1.0, exact = share / 3.0, rest = share * ldexp(1.0, -54) / 3.0;
            assert_close((high[i] - exact) + (low[i] - rest), 0.0, 16.0 * rungs[r]->sums);
        }
    }
}

/* Bounds hold in all precisions: the first row is held at -1/4. */
TEST(test_precisions_project)
{
    static const double J[] = {1, -1, 0, 0, 1, -1}, diagonal[] = {2, 2}, zero[3] = {0}, c[] = {-1, 0};
    static const double lo[] = {-0.25, -HUGE_VAL}, hi[] = {HUGE_VAL, HUGE_VAL};
    const dls_ladder_problem p = {2, 3, J, J, diagonal, zero, c, lo, hi, zero};
    const dls_ladder_rung *const rungs[] = {&dls_ladder_float, &dls_ladder_mixed, &dls_ladder_double,
                                            &dls_ladder_twofold};
    for (size_t r = 0; r < 4; r++) {
        double high[2], low[2];
        assert_true(rungs[r]->run(&p, 50, zero, high, low));
        assert_true(high[0] == -0.25 && high[1] == -0.125 && low[0] == 0.0 && low[1] == 0.0);
    }
}

/* Each with its small settings; the tables are there, and the finding is a sentence. */
TEST(test_experiments_run)
{
    const char *const names[] = {"methods",    "precision", "orders",  "ratio",  "cfm",    "standing",
                                 "relaxation", "paradox",   "coulomb", "budget", "errata", "mechanisms"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const dls_experiment *experiment = dls_experiment_find(names[k]);
        char folder[] = "/tmp/delassus-test-XXXXXX", settings[2048], small[256];
        dls_study *study;
        dls_error error;
        assert_non_null(experiment);
        assert_non_null(mkdtemp(folder));
        const dls_job job = {.output = folder, .command = "test"};
        assert_true(experiment->fields.size <= sizeof settings);
        assert_status(dls_fields_default(&experiment->fields, settings, &error), &error);
        snprintf(small, sizeof small, "%s", experiment->small);
        for (char *rest, *word = strtok_r(small, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
            char *value = strchr(word, '=');
            *value = 0;
            assert_status(dls_field_set(&experiment->fields, settings, word, value + 1, &error), &error);
        }
        assert_status(dls_study_open(experiment, &job, settings, &study, &error), &error);
        assert_status(dls_study_measure(study, &error), &error);
        dls_finding finding = {.figure = ""};
        experiment->conclude(study, &finding);
        assert_true(!finding.figure[0] || strlen(finding.sentence) > 20);
        remove_tables(names[k], folder);
        close_study(names[k], settings, study);
    }
}

/* With exact solves a chain is stable up to h omega = 2 per substep, whatever its masses; a spectral radius beyond 1
 * is the growth of a perturbation that is stepped. */
TEST(test_stability_law)
{
    const char *const options[][2] = {{"links", "2"},  {"iterations", "3"}, {"ratios", "1, 40"},
                                      {"factor", "2"}, {"settle", "300"},   {"watched", "60"}};
    char folder[] = "/tmp/delassus-test-XXXXXX", settings[1024], path[128], line[512], method[32], solver[32];
    dls_study *study;
    dls_error error;
    size_t limits = 0, grown = 0;
    assert_non_null(mkdtemp(folder));
    const dls_job job = {.output = folder, .command = "test"};
    assert_status(open_study("stability", &job, settings, options, 6, &study, &error), &error);
    assert_status(dls_study_measure(study, &error), &error);
    snprintf(path, sizeof path, "%s/stability.limits.tsv", folder);
    FILE *table = fopen(path, "r");
    assert_non_null(table);
    while (fgets(line, sizeof line, table)) {
        double ratio, omega, limit, law;
        size_t count;
        if (sscanf(line, "%lf %31s %31s %zu %lf %lf %lf", &ratio, method, solver, &count, &omega, &limit, &law) != 7 ||
            strcmp(solver, "exact") != 0 || isnan(law))
            continue;                                /* soft-step has springs for joints */
        assert_true(fabs(limit / law - 1.0) < 1e-4); /* a growth of 1e-3 is reached 1e-7 of the limit beyond it */
        limits++;
    }
    fclose(table);
    assert_true(limits >= 12);
    snprintf(path, sizeof path, "%s/stability.steps.tsv", folder);
    table = fopen(path, "r");
    assert_non_null(table);
    while (fgets(line, sizeof line, table)) {
        double ratio, h, x, sag, radius, growth, law;
        size_t count;
        if (sscanf(line, "%lf %31s %31s %zu %lf %lf %lf %lf %lf %lf", &ratio, method, solver, &count, &h, &x, &sag,
                   &radius, &growth, &law) != 10)
            continue;
        if (strcmp(solver, "exact") == 0 && strcmp(method, "baumgarte") == 0)
            assert_true(fabs(radius / law - 1.0) < 1e-5); /* central differences of 1e-5, and roots that meet at 1 */
        if (!(radius > 1.01 && radius < 1.1))
            continue;
        assert_true(fabs(growth - radius) < 0.5 * (radius - 1.0));
        grown++;
    }
    fclose(table);
    assert_true(grown > 0);
    remove_tables("stability", folder);
    close_study("stability", settings, study);
}

/* A body that slides under the associated law glides at h mu |v_t|; and what the examiner accepts under that law it
 * refutes under Coulomb's where a contact slides. */
TEST(test_relaxation_law)
{
    const char *const options[][2] = {
        {"cases", "cones-0.5"}, {"contacts", "6"}, {"least", "1e-3"}, {"factor", "1000"}, {"steps", "0.02, 0.003"}};
    char folder[] = "/tmp/delassus-test-XXXXXX", settings[1024], path[128], line[512], name[64];
    dls_study *study;
    dls_error error;
    size_t heights = 0, answers = 0;
    assert_non_null(mkdtemp(folder));
    const dls_job job = {.output = folder, .command = "test"};
    assert_status(open_study("relaxation", &job, settings, options, 5, &study, &error), &error);
    assert_status(dls_study_measure(study, &error), &error);
    snprintf(path, sizeof path, "%s/relaxation.glide.tsv", folder);
    FILE *table = fopen(path, "r");
    assert_non_null(table);
    while (fgets(line, sizeof line, table)) {
        double h, speed, height, law;
        if (sscanf(line, "%lf %lf %lf %lf", &h, &speed, &height, &law) != 4)
            continue;
        assert_close(law, 0.5 * h * speed, 1e-15);
        assert_close(height, law, 1e-12);
        heights++;
    }
    fclose(table);
    assert_int_equal(heights, 2);
    snprintf(path, sizeof path, "%s/relaxation.problems.tsv", folder);
    table = fopen(path, "r");
    assert_non_null(table);
    while (fgets(line, sizeof line, table)) {
        double sigma, beta, distance, own, coulomb;
        if (sscanf(line, "%63s sigma %lf %lf %lf %lf %lf", name, &sigma, &beta, &distance, &own, &coulomb) != 6)
            continue;
        assert_true(own <= 1e-9 && coulomb > 1e-6 && distance > 1e-6);
        answers++;
    }
    fclose(table);
    assert_int_equal(answers, 2);
    remove_tables("relaxation", folder);
    close_study("relaxation", settings, study);
}

/* The search finds as many solutions of Painleve's rod as the closed form has, and of a wedge that friction can hold;
 * every solver returns one of them, or none. */
TEST(test_paradox_counts)
{
    const char *const options[][2] = {
        {"angles", "30, 60, 80"}, {"mus", "0.5, 1.75, 3"}, {"walls", "20"}, {"limit", "3000"}};
    char folder[] = "/tmp/delassus-test-XXXXXX", settings[1024], path[128], line[512], name[32], solver[64];
    dls_study *study;
    dls_error error;
    size_t one = 0, three = 0, answers = 0;
    assert_non_null(mkdtemp(folder));
    const dls_job job = {.output = folder, .command = "test"};
    assert_status(open_study("paradox", &job, settings, options, 4, &study, &error), &error);
    assert_status(dls_study_measure(study, &error), &error);
    snprintf(path, sizeof path, "%s/paradox.problems.tsv", folder);
    FILE *table = fopen(path, "r");
    assert_non_null(table);
    while (fgets(line, sizeof line, table)) {
        double angle, mu;
        size_t found, predicted;
        if (sscanf(line, "%31s %lf %lf %zu %zu", name, &angle, &mu, &found, &predicted) != 5)
            continue;
        assert_int_equal(found, predicted);
        one += found == 1, three += found == 3;
    }
    fclose(table);
    assert_true(one >= 3 && three >= 2);
    snprintf(path, sizeof path, "%s/paradox.summary.tsv", folder);
    table = fopen(path, "r");
    assert_non_null(table);
    while (fgets(line, sizeof line, table)) {
        size_t problems, open, slide, stick, none, wrong;
        if (sscanf(line, "%31s %63s %zu %zu %zu %zu %zu %zu", name, solver, &problems, &open, &slide, &stick, &none,
                   &wrong) != 8)
            continue;
        assert_int_equal(problems, open + slide + stick + none);
        assert_int_equal(wrong, 0);
        answers++;
    }
    fclose(table);
    assert_true(answers >= 10);
    remove_tables("paradox", folder);
    close_study("paradox", settings, study);
}

/* One sweep per step: twice the budget is half the step, which halves the error of a scheme of first order and quarters
 * that of one of second order. */
TEST(test_budget_orders)
{
    const char *const options[][2] = {{"scenes", "four-bar"},    {"methods", "baumgarte, rattle"},
                                      {"budgets", "1000, 2000"}, {"divisions", "1"},
                                      {"duration", "0.1"},       {"truth", "1e-4"}};
    char folder[] = "/tmp/delassus-test-XXXXXX", settings[1024], path[128], line[512], scene[64], method[64];
    double distance[2][2] = {{0}};
    size_t count[2] = {0};
    dls_study *study;
    dls_error error;
    assert_non_null(mkdtemp(folder));
    const dls_job job = {.output = folder, .command = "test"};
    assert_status(open_study("budget", &job, settings, options, 6, &study, &error), &error);
    assert_status(dls_study_measure(study, &error), &error);
    snprintf(path, sizeof path, "%s/budget.best.tsv", folder);
    FILE *table = fopen(path, "r");
    assert_non_null(table);
    while (fgets(line, sizeof line, table)) {
        double budget, seconds, joint, energy, far;
        size_t sweeps;
        if (sscanf(line, "%63s %63s %lf %zu %lf %lf %lf %lf", scene, method, &budget, &sweeps, &seconds, &joint,
                   &energy, &far) != 8)
            continue;
        const size_t k = strcmp(method, "rattle") == 0;
        assert_true(count[k] < 2 && sweeps == 1);
        distance[k][count[k]++] = far;
    }
    fclose(table);
    assert_true(count[0] == 2 && count[1] == 2);
    for (size_t k = 0; k < 2; k++) {
        const double order = log2(distance[k][0] / distance[k][1]), theory = k == 0 ? 1.0 : 2.0;
        assert_true(fabs(order - theory) < 0.2);
    }
    remove_tables("budget", folder);
    close_study("budget", settings, study);
}

/* Claims of the sources within their bounds, each with its reason:
 *   CFM     a Cholesky factor alone needs a definite A; with a CFM of 1e-10 it solves the same problem as a method that
 *           treats dependent rows, and adds CFM f h / ERP to the error of a joint that bears the force f
 *   drives  explicit ones have the border y + 2 x = 4 with x = 0.2 sqrt(y): y = 3.28; implicit ones have none
 *   ERP     an error of d per step settles at d / ERP: 4 times as large at 0.2 as at 0.8; warm sweeps that do not
 *           converge carry their rests on, and burst
 *   energy  1/2 (ERP/h)^2 C . A^-1 C of an isolated error, which is taken back
 *   ds      as printed an error of s grows by D / R where the track is farther than R; the speed counts the way at the
 *           distance D outside of R as longer by D / R, D = R (h v / R)^2 / (2 ERP) */
TEST(test_claims_of_the_sources)
{
    const char *const options[][2] = {{"mixings", "0, 1e-10"}, {"gains", "3.1, 3.5, 1e5"},
                                      {"sweeps", "1, 4"},      {"corrections", "0.2, 0.8"},
                                      {"duration", "0.02"},    {"fall", "1"},
                                      {"seconds", "0.01"},     {"limit", "20"},
                                      {"unknowns", "12"},      {"lap", "5"}};
    char folder[] = "/tmp/delassus-test-XXXXXX", settings[2048];
    dls_study *study;
    dls_error error;
    assert_non_null(mkdtemp(folder));
    const dls_job job = {.output = folder, .command = "test"};
    assert_status(open_study("errata", &job, settings, options, 10, &study, &error), &error);
    assert_status(dls_study_measure(study, &error), &error);
    const dls_claims_findings *f = study->found;
    const dls_claims_mixing *plain = &f->mixing[DLS_CLAIMS_LOOP][DLS_CLAIMS_PLAIN],
                            *treated = &f->mixing[DLS_CLAIMS_LOOP][DLS_CLAIMS_TREATED];
    assert_true(plain->unsolved[0] > 0 && plain->unsolved[1] == 0);
    assert_true(treated->unsolved[0] == 0 && f->mixing[DLS_CLAIMS_CHAIN][DLS_CLAIMS_PLAIN].unsolved[0] == 0);
    assert_true(plain->error[0] > 10.0 * treated->error[0]);
    assert_close(plain->error[1] / treated->error[1], 1.0, 1e-6);
    assert_close(treated->error[1], treated->error[0], 1e-10 * 50.0 * 1e-3 / 0.2); /* CFM f h / ERP, f < 50 N */

    assert_true(f->drive[0].radius[0] < 1.0 && f->drive[0].radius[1] > 1.0);
    for (size_t way = 1; way < 4; way++)
        assert_true(f->drive[way].largest < 1.0);

    const dls_claims_correction *pair = f->correction[2];
    assert_close(pair[DLS_CLAIMS_EXACT].error[0] / pair[DLS_CLAIMS_EXACT].error[1], 4.0, 0.4);
    assert_true(pair[DLS_CLAIMS_FEW].error[1] < pair[DLS_CLAIMS_FEW].error[0]);
    assert_true(pair[DLS_CLAIMS_WARM].error[1] > 10.0 * pair[DLS_CLAIMS_EXACT].error[1]);
    assert_true(pair[DLS_CLAIMS_WARM].energy[1] > 1.0 && fabs(pair[DLS_CLAIMS_EXACT].energy[1]) < 0.1);
    assert_close(f->kick[1] / f->kick[0], 16.0, 1e-3);
    for (size_t k = 0; k < 2; k++)
        assert_true(f->kick[k] > 0.0 && f->kept[k] < 1e-9 * f->kick[k]);

    const double *flight = f->lag[DLS_CLAIMS_FLIGHT], *lap = f->lag[DLS_CLAIMS_LAP];
    assert_true(fabs(flight[DLS_CLAIMS_PRINTED]) > 1.0 && fabs(flight[DLS_CLAIMS_DIVIDED]) < 1e-6);
    assert_true(fabs(flight[DLS_CLAIMS_SPEED]) > 0.1);
    const double turn = 1e-3 * 2.0 / 1.25, way = 5.0 * 2.0;
    assert_close(lap[DLS_CLAIMS_SPEED] / (way * turn * turn / (2.0 * 0.2)), 1.0, 0.1);
    assert_true(fabs(lap[DLS_CLAIMS_PRINTED]) < 1e-3 * lap[DLS_CLAIMS_SPEED]);
    remove_tables("errata", folder);
    close_study("errata", settings, study);
}

static double fitted_order(const dls_mechanisms_finding *of, const char *scheme)
{
    size_t s = 0;
    while (dls_schemes[s] && strcmp(dls_schemes[s]->name, scheme) != 0)
        s++;
    assert_true(of[s].run);
    return of[s].order;
}

/* Springs and dampers on a smooth motion without rows that hold: every scheme comes nearer to it with shorter steps, in
 * its order. On Bricard's mechanism the redundant row is independent where C is not 0; RATTLE and the projection keep C
 * = 0, and their orders. */
TEST(test_published_mechanisms)
{
    const char *const options[][2] = {{"mechanisms", "iftomm-a04, iftomm-a05"}, {"levels", "3"}, {"sweeps", "20"}};
    char folder[] = "/tmp/delassus-test-XXXXXX", settings[1024];
    dls_study *study;
    dls_error error;
    assert_non_null(mkdtemp(folder));
    const dls_job job = {.output = folder, .command = "test"};
    assert_status(open_study("mechanisms", &job, settings, options, 3, &study, &error), &error);
    assert_status(dls_study_measure(study, &error), &error);
    const dls_mechanisms_findings *f = study->found;
    const dls_mechanisms_finding *bricard = f->of[DLS_PUBLISHED_BRICARD], *governor = f->of[DLS_PUBLISHED - 1];
    assert_int_equal(f->course[DLS_PUBLISHED_BRICARD].rows, 30);
    assert_int_equal(f->course[DLS_PUBLISHED_BRICARD].rank, 29);
    for (size_t s = 0; dls_schemes[s]; s++) {
        if (!governor[s].run)
            continue;
        print_message("# %s: orders %.3f, %.3f\n", dls_schemes[s]->name, bricard[s].order, governor[s].order);
        assert_false(dls_mechanisms_astray(&governor[s]));
        assert_true(governor[s].order > 0.9 && governor[s].order < 2.1);
    }
    assert_close(fitted_order(governor, "euler"), 1.0, 0.05);
    assert_close(fitted_order(governor, "midpoint"), 2.0, 0.05);
    assert_close(fitted_order(governor, "rattle"), 2.0, 0.05);
    assert_close(fitted_order(bricard, "rattle"), 2.0, 0.05);
    assert_close(fitted_order(bricard, "projection-newton"), 1.0, 0.1);
    remove_tables("mechanisms", folder);
    close_study("mechanisms", settings, study);
}
