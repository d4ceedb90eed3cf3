/* Recommended settings hold the error when that is measured against closed forms, and the next coarser step does not;
 * the answer is the same in every run; what has no answer is told. */
#include "check.h"

#include "delassus/recommend.h"
#include "study/sheet.h"

#include <gsl/gsl_sf_ellint.h>
#include <gsl/gsl_sf_elljac.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TIMES = 160 }; /* at which errors are measured (doc/recommend.md) */
static const double g = 9.81, radius = 0.5, arm = 1.0, bob_radius = 0.1;

/* --- scenes with closed forms --- */

static dls_model *model_of(const char *text)
{
    char path[] = "test_recommend.XXXXXX";
    dls_scene *scene;
    dls_model *model;
    dls_error error;
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    assert_status(dls_scene_read(path, &scene, &error), &error);
    remove(path);
    assert_status(dls_model_create(scene, &model, &error), &error);
    dls_scene_destroy(scene);
    return model;
}

static dls_model *ball(void)
{
    return model_of("world: {gravity: [0, 0, -9.81]}\n"
                    "bodies:\n  - {name: ball, shape: sphere, radius: 0.5, mass: 2}\n");
}

static dls_vec3 ball_at(double t) { return dls_v3(0, 0, -0.5 * g * t * t); }

/* The diagonal of a cube of twice the radius of gyration, sqrt(tr I / (2 m)), tr I = 3 (2/5) m r^2. */
static double ball_size(void) { return 2.0 * sqrt(3.0) * radius * sqrt(0.6); }

static dls_model *pendulum(void)
{
    return model_of("world: {gravity: [0, 0, -9.81]}\n"
                    "bodies:\n  - {name: bob, shape: sphere, radius: 0.1, mass: 2.5, position: [1, 0, 0]}\n"
                    "joints:\n  - {name: pivot, type: ball, body1: bob, anchor: [0, 0, 0]}\n");
}

/* Released at a right angle: sin(theta / 2) = k sn(K - w t, k), k = sin(pi / 4), w^2 = m g L / (m L^2 + I). */
static dls_vec3 bob_at(double t)
{
    const double k = sqrt(0.5), inertia = 0.4 * bob_radius * bob_radius, w = sqrt(g * arm / (arm * arm + inertia));
    double sn, cn, dn;
    assert_int_equal(gsl_sf_elljac_e(gsl_sf_ellint_Kcomp(k, GSL_PREC_DOUBLE) - w * t, k * k, &sn, &cn, &dn), 0);
    const double theta = 2.0 * asin(k * sn);
    return dls_v3(arm * sin(theta), 0, -arm * cos(theta));
}

/* The box from the anchor to the far side of the bob's radius of gyration. */
static double bob_size(void)
{
    const double r = bob_radius * sqrt(0.6);
    return sqrt((arm + r) * (arm + r) + 8.0 * r * r);
}

/* --- the error, measured here --- */

/* The largest distance of body 0 from `at` in a run, at the times, in sizes. */
static double error_of(const dls_model *model, dls_vec3 (*at)(double), double size, double duration, const char *scheme,
                       const char *solver, size_t iterations, double step)
{
    dls_simulation_options options = dls_simulation_default();
    dls_simulation *simulation;
    dls_choice choice;
    dls_error error;
    double most = 0.0;
    assert_status(dls_choice_create(solver, &choice, &error), &error);
    options.solver = choice.solver, options.solver_settings = choice.settings;
    options.scheme = dls_scheme_find(scheme), options.iterations = iterations;
    assert_status(dls_fields_default(&dls_warm_fields, &options.warm, &error), &error);
    assert_status(dls_simulation_open(model, &options, &simulation, &error), &error);
    const size_t steps = (size_t)lround(duration / step), every = steps > TIMES ? steps / TIMES : 1;
    for (size_t k = 1; k <= steps; k++) {
        assert_status(dls_simulation_step(simulation, step, &error), &error);
        const dls_vec3 away = dls_sub(dls_simulation_state(simulation)->x[0], at(step * (double)k));
        if (k % every == 0)
            most = fmax(most, dls_norm(away) / size);
    }
    dls_simulation_close(simulation);
    dls_choice_release(&choice);
    return most;
}

/* --- recommendations --- */

typedef struct asked {
    dls_recommend of;
    dls_recommendation found;
    const dls_scheme *schemes[16];
    dls_choice *choices;
    char folder[32];
} asked;

static void ask(asked *q, const dls_model *model, double wanted, double duration, double seconds, const char *scheme,
                const char *solvers)
{
    dls_error error;
    *q = (asked){.of = {.model = model,
                        .scene = "it's.yaml",
                        .options = "",
                        .stem = "s",
                        .error = wanted,
                        .duration = duration,
                        .seconds = seconds},
                 .folder = "test_recommend.XXXXXX"};
    assert_non_null(mkdtemp(q->folder));
    for (const dls_scheme *const *s = dls_schemes; *s; s++)
        if (!scheme || strcmp((*s)->name, scheme) == 0)
            q->schemes[q->of.n_schemes++] = *s;
    q->of.schemes = q->schemes;
    assert_status(dls_choices_add(solvers, &q->choices, &q->of.n_choices, &error), &error);
    q->of.choices = q->choices;
    const dls_job job = {.output = q->folder, .command = "test", .figures = 1u << DLS_FIGURE_SVG};
    const dls_status status = dls_recommend_run(&job, &q->of, &q->found, &error);
    if (status != DLS_UNAVAILABLE) /* gnuplot may not be there: the table comes first */
        assert_status(status, &error);
}

static void release(asked *q)
{
    static const char *const names[] = {"s.recommend.tsv", "s.recommend.svg", "s.recommend.caption.txt"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", q->folder, names[k]);
        remove(path);
    }
    assert_int_equal(rmdir(q->folder), 0);
    dls_choices_release(q->choices, q->of.n_choices);
}

static size_t column(dls_sheet *sheet, const char *name)
{
    size_t k;
    dls_error error;
    assert_status(dls_sheet_column(sheet, "table", name, &k, &error), &error);
    return k;
}

static double number(dls_sheet *sheet, size_t row, const char *name)
{
    double value;
    assert_true(dls_sheet_real(sheet, row, column(sheet, name), &value));
    return value;
}

/* The row of the recommended scheme, solver and iterations with this step; SIZE_MAX: there is none. */
static size_t row_of(dls_sheet *sheet, const dls_recommendation *found, double step)
{
    for (size_t row = 0; row < sheet->rows; row++)
        if (strcmp(dls_sheet_cell(sheet, row, column(sheet, "scheme")), found->scheme) == 0 &&
            strcmp(dls_sheet_cell(sheet, row, column(sheet, "solver")), found->solver) == 0 &&
            number(sheet, row, "iterations") == (double)found->iterations && number(sheet, row, "step") == step)
            return row;
    return SIZE_MAX;
}

/* The recommended run holds the error against the closed form, the next coarser one of the table does not, no cheaper
 * run that was decided holds it, and the table has the errors that are measured here. */
static void check_recommended(asked *q, dls_vec3 (*at)(double), double size)
{
    const dls_recommendation *found = &q->found;
    dls_sheet sheet;
    dls_error error;
    assert_int_equal(found->status, DLS_RECOMMENDED);
    assert_false(found->refined);
    assert_true(fabs(found->size - size) <= 1e-14 * size);
    assert_status(dls_sheet_read(found->table, &sheet, &error), &error);
    for (int twice = 1; twice <= 2; twice++) {
        const double step = twice * found->step,
                     measured = error_of(q->of.model, at, size, q->of.duration, found->scheme, found->solver,
                                         found->iterations, step);
        const size_t row = row_of(&sheet, found, step);
        assert_true(twice == 1 ? measured <= q->of.error : measured > q->of.error);
        assert_int_not_equal(row, SIZE_MAX);
        /* The truth is known to 1e-12, and so is the closed form. */
        assert_true(fabs(number(&sheet, row, "error") - measured) <= 1e-11);
        assert_true((number(&sheet, row, "recommended") == 1.0) == (twice == 1));
        assert_string_equal(dls_sheet_cell(&sheet, row, column(&sheet, "fate")), twice == 1 ? "held" : "missed");
    }
    for (size_t row = 0; row < sheet.rows; row++)
        if (strcmp(dls_sheet_cell(&sheet, row, column(&sheet, "fate")), "held") == 0)
            assert_true(number(&sheet, row, "work") >= found->work);
    dls_sheet_release(&sheet);
}

/* Euler's steps of h are late by g h t / 2: the coarsest step duration / (10 2^k) with g h T / 2 <= E follows. */
TEST(test_ball)
{
    const double wanted = 0.011, T = 0.7;
    asked q;
    dls_model *model = ball();
    ask(&q, model, wanted, T, 60.0, "euler", "pgs,block-pivoting");
    check_recommended(&q, ball_at, ball_size());
    double h = T / 10.0;
    while (0.5 * g * h * T > wanted * ball_size())
        h *= 0.5;
    assert_true(q.found.step == h);
    assert_string_equal(q.found.scheme, "euler");
    assert_non_null(strstr(q.found.command, "delassus run 'it'\\''s.yaml' --scheme euler --solver "));
    assert_non_null(strstr(q.found.command, " --time 0.7"));
    release(&q);
    dls_model_destroy(model);
}

TEST(test_pendulum)
{
    static const double wanted[] = {2e-2, 2e-3};
    dls_model *model = pendulum();
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
        asked q;
        ask(&q, model, wanted[k], 1.1, 60.0, NULL, "pgs,block-gs,block-pivoting");
        check_recommended(&q, bob_at, bob_size());
        release(&q);
    }
    dls_model_destroy(model);
}

/* The rows of a table without the column of times. */
static char *rows_of(const char *path)
{
    dls_sheet sheet;
    dls_error error;
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    assert_status(dls_sheet_read(path, &sheet, &error), &error);
    const size_t times = column(&sheet, "measured_time");
    for (size_t row = 0; row < sheet.rows; row++)
        for (size_t k = 0; k < sheet.columns; k++)
            fprintf(to, "%s\t", k == times ? "" : dls_sheet_cell(&sheet, row, k));
    assert_int_equal(fclose(to), 0);
    dls_sheet_release(&sheet);
    return text;
}

TEST(test_same_answer)
{
    dls_model *model = pendulum();
    char *rows[2];
    asked q[2];
    for (int k = 0; k < 2; k++) {
        ask(&q[k], model, 1e-2, 0.5, 60.0, NULL, "pgs,nsgs");
        rows[k] = rows_of(q[k].found.table);
    }
    assert_string_equal(q[0].found.sentence, q[1].found.sentence);
    assert_string_equal(q[0].found.command, q[1].found.command);
    assert_string_equal(rows[0], rows[1]);
    for (int k = 0; k < 2; k++) {
        free(rows[k]);
        release(&q[k]);
    }
    dls_model_destroy(model);
}

/* A scheme that moves bodies between iterations takes no direct solver, and the table says why. */
TEST(test_refused)
{
    dls_model *model = ball();
    dls_sheet sheet;
    dls_error error;
    asked q;
    ask(&q, model, 1e-2, 0.5, 60.0, "tgs", "pgs,block-pivoting");
    assert_int_equal(q.found.status, DLS_RECOMMENDED);
    assert_int_equal(q.found.refused, 1);
    assert_string_equal(q.found.solver, "pgs");
    assert_status(dls_sheet_read(q.found.table, &sheet, &error), &error);
    size_t told = 0;
    for (size_t row = 0; row < sheet.rows; row++)
        told += strcmp(dls_sheet_cell(&sheet, row, column(&sheet, "fate")), "refused") == 0 &&
                strstr(dls_sheet_cell(&sheet, row, column(&sheet, "reason")), "block-pivoting");
    assert_int_equal(told, 1);
    dls_sheet_release(&sheet);
    release(&q);
    dls_model_destroy(model);
}

TEST(test_no_answer)
{
    dls_model *model = pendulum();
    asked q;
    /* Below the rounding of the positions, two motions cannot agree. */
    ask(&q, model, 1e-18, 1.0, 60.0, "euler", "pgs");
    assert_int_equal(q.found.status, DLS_RECOMMEND_UNKNOWN);
    assert_true(q.found.known_until < 1.0 && q.found.runs == 0 && !q.found.table[0]);
    assert_non_null(strstr(q.found.sentence, "No error of 1e-18 can be asked for beyond "));
    release(&q);
    /* A budget of 50,000 row visits is not enough for an error of a first order that small. */
    ask(&q, model, 1e-7, 1.0, 1e-3, "euler", "pgs");
    assert_int_equal(q.found.status, DLS_RECOMMEND_NONE);
    assert_true(q.found.spent && q.found.error_most > 1e-7 && !q.found.command[0]);
    assert_string_equal(q.found.scheme, "euler");
    release(&q);
    dls_model_destroy(model);
}

/* Capsules on each other have no motion in continuous time; the box's own refined run is the truth then. */
TEST(test_refined)
{
    dls_model *model =
        model_of("world: {gravity: [0, 0, -9.81], collide: true}\n"
                 "bodies:\n"
                 "  - {name: a, shape: capsule, radius: 0.1, length: 0.5, mass: 1, position: [0, 0, 1]}\n"
                 "  - {name: b, shape: capsule, radius: 0.1, length: 0.5, mass: 1}\n");
    asked q;
    ask(&q, model, 2e-2, 0.2, 60.0, "euler", "nsgs");
    assert_int_equal(q.found.status, DLS_RECOMMENDED);
    assert_true(q.found.refined && q.found.truth_step < q.found.step && q.found.why_refined[0]);
    assert_true(q.found.truth_error <= 0.25 * 2e-2);
    assert_true(q.found.error_most + q.found.truth_error <= 2e-2);
    release(&q);
    dls_model_destroy(model);
}
