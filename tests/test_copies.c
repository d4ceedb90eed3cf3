/* Copies of a scene from the program: the same bytes at any number of threads, and as single runs. */
#include "check.h"
#include "problems.h"

#include "delassus/delassus.h"
#include "delassus/experiments.h"
#include "delassus/solvers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char scene_text[] =
    "world: {gravity: [0.3, 0, -9.81], step: 2 ms, duration: 0.2}\n"
    "bodies:\n"
    "  - {name: bob, shape: sphere, radius: 0.1, mass: 1.3, position: [1, 0, 0]}\n"
    "  - {name: weight, shape: box, size: [0.2, 0.1, 0.3], mass: 0.7, position: [2, 0, 0], omega: [0.3, 0.2, 2]}\n"
    "articulations:\n"
    "  - name: arm\n"
    "    links:\n"
    "      - {name: base, static: true, position: [0, 5, 0]}\n"
    "      - {name: upper, parent: base, motion: revolute, axis: [0, 1, 0.2], anchor: [0, 5, 0], shape: sphere, "
    "radius: "
    "0.1, mass: 0.6, position: [0.5, 5, 0]}\n"
    "      - {name: fore, parent: upper, motion: prismatic, axis: [1, 0.1, 0], shape: sphere, radius: 0.1, mass: 0.3, "
    "position: [0.9, 5, 0]}\n"
    "joints:\n"
    "  - {name: pivot, type: ball, body1: bob, anchor: [0, 0, 0]}\n"
    "  - {name: rod, type: hinge, body1: weight, body2: bob, anchor: [1.5, 0, 0], axis: [0, 1, 0]}\n"
    "  - {name: brake, type: friction, coordinates: {rod: 1}, force: 0.02}\n"
    "  - {name: spring, type: drive, coordinates: {arm.fore: 1}, stiffness: 80, damping: 2}\n"
    "  - {name: stop, type: limit, coordinates: {arm.upper: 1}, lower: -1, upper: 0.15}\n";

typedef struct fixture {
    dls_scene *scene;
    dls_model *model;
    dls_settings settings;
    dls_run run;
    dls_job job;
    char folder[64];
} fixture;

static void open_fixture(fixture *f, const char *text, const char *solver)
{
    dls_error error;
    *f = (fixture){.folder = "/tmp/test-copies-XXXXXX"};
    assert_non_null(mkdtemp(f->folder));
    f->scene = parse_scene(text);
    assert_status(dls_model_create(f->scene, &f->model, &error), &error);
    f->job = (dls_job){.output = f->folder, .command = "test"};
    f->run = (dls_run){.model = f->model,
                       .scene = f->scene,
                       .stem = "s",
                       .scheme = dls_scheme_find("euler"),
                       .iterations = 12,
                       .step = 2e-3,
                       .duration = 0.2,
                       .samples = 10};
    assert_status(dls_fields_default(&dls_warm_fields, &f->run.warm, &error), &error);
    assert_status(dls_choice_create(solver, &f->run.choice, &error), &error);
    assert_status(dls_settings_create(&f->run.scheme->fields, &f->settings, &error), &error);
    f->run.scheme_settings = f->settings.values;
}

static void close_fixture(fixture *f)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", f->folder);
    assert_int_equal(system(command), 0);
    dls_settings_release(&f->settings);
    dls_choice_release(&f->run.choice);
    dls_model_destroy(f->model);
    dls_scene_destroy(f->scene);
}

/* A table without its head: that has the build's words. */
enum { BYTES = 1 << 19 };
static char *read_lines(const fixture *f, const char *name)
{
    char path[128], *text = test_calloc(1, BYTES);
    snprintf(path, sizeof path, "%s/s.%s.tsv", f->folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t size = fread(text, 1, BYTES - 1, file);
    assert_true(size > 0 && size < BYTES - 1);
    fclose(file);
    char *from = strstr(text, "\ntime[s]");
    assert_non_null(from);
    memmove(text, from + 1, strlen(from + 1) + 1);
    return text;
}

/* The lines of one copy, without the cell of its number. */
static char *lines_of_copy(const char *text, size_t copy)
{
    char *lines = test_calloc(1, BYTES), *to = lines;
    for (const char *line = text, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        const char *cell = strchr(line, '\t') + 1;
        const char *after = strchr(cell, '\t');
        const bool head = strncmp(line, "time[s]", 7) == 0;
        if (!head && strtoull(cell, NULL, 10) != copy)
            continue;
        to += sprintf(to, "%.*s%.*s\n", (int)(cell - line), line, (int)(end - after - 1), after + 1);
    }
    return lines;
}

static void run_copies(fixture *f, const dls_copies *copies, char *text[2])
{
    dls_copies_result result;
    dls_error error;
    assert_status(dls_run_copies(&f->job, &f->run, copies, &result, &error), &error);
    assert_int_equal(result.failed, 0);
    assert_int_equal(result.steps, 100);
    assert_true(result.joints && result.bytes > 0 && result.seconds > 0.0);
    text[0] = read_lines(f, "copies");
    text[1] = read_lines(f, "copies-joints");
}

static void free_both(char *text[2])
{
    test_free(text[0]);
    test_free(text[1]);
}

/* The number of threads and of copies changes nothing; copy 0 is the scene itself, as a run of it has it. */
TEST(test_bytes)
{
    static const char *const schemes[] = {"euler", "tgs", "small-steps"};
    for (size_t k = 0; k < 3; k++) {
        fixture f;
        char *one[2], *other[2];
        dls_run_result alone;
        dls_error error;
        open_fixture(&f, scene_text, k == 1 ? "sor" : "pgs");
        dls_settings_release(&f.settings);
        f.run.scheme = dls_scheme_find(schemes[k]);
        assert_status(dls_settings_create(&f.run.scheme->fields, &f.settings, &error), &error);
        f.run.scheme_settings = f.settings.values;
        dls_copies copies = {.count = 19, .spread = 0.05, .seed = 7, .threads = 1, .written = "all"};
        run_copies(&f, &copies, one);
        for (copies.threads = 2; copies.threads <= 3; copies.threads++) {
            dls_copies_result result;
            dls_status status = dls_run_copies(&f.job, &f.run, &copies, &result, &error);
            if (status == DLS_UNAVAILABLE)
                break; /* without OpenMP */
            assert_status(status, &error);
            other[0] = read_lines(&f, "copies"), other[1] = read_lines(&f, "copies-joints");
            assert_string_equal(one[0], other[0]);
            assert_string_equal(one[1], other[1]);
            free_both(other);
        }
        /* fewer copies, some of which are written */
        copies.count = 12, copies.threads = 1, copies.written = "3,9-10";
        run_copies(&f, &copies, other);
        for (size_t copy = 0; copy < 12; copy++) {
            char *a = lines_of_copy(one[0], copy), *b = lines_of_copy(other[0], copy);
            const bool written = copy == 3 || copy == 9 || copy == 10;
            assert_int_equal(strcmp(a, b) == 0, written);
            assert_int_equal(strchr(b, '\n')[1] != '\0', written); /* more than the head */
            test_free(a);
            test_free(b);
        }
        free_both(other);
        /* a single run */
        assert_status(dls_run_trajectory(&f.job, &f.run, &alone, &error), &error);
        static const char *const tables[] = {"trajectory", "joints"};
        for (int t = 0; t < 2; t++) {
            char *run = read_lines(&f, tables[t]), *copy = lines_of_copy(one[t], 0), *off = lines_of_copy(one[t], 1);
            assert_string_equal(run, copy);
            assert_string_not_equal(run, off);
            test_free(run);
            test_free(copy);
            test_free(off);
        }
        free_both(one);
        close_fixture(&f);
    }
}

/* The cell of a line of the table of joints at that time. */
static double joint_at(const char *lines, const char *name, double time)
{
    for (const char *line = strchr(lines, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        const char *cell = strchr(line, '\t') + 1;
        if (fabs(strtod(line, NULL) - time) < 1e-9 && strncmp(cell, name, strlen(name)) == 0)
            return strtod(strchr(cell, '\t') + 1, NULL);
    }
    fail_msg("no line of %s at %g s", name, time);
    return NAN;
}

/* Every copy is what a simulation makes of its first line. */
TEST(test_single_runs)
{
    fixture f;
    char *text[2];
    dls_error error;
    open_fixture(&f, scene_text, "pgs");
    const dls_copies copies = {.count = 9, .spread = 0.2, .seed = 1, .written = "all"};
    run_copies(&f, &copies, text);
    for (size_t copy = 0; copy < copies.count; copy++) {
        char *lines = lines_of_copy(text[1], copy), *bodies = lines_of_copy(text[0], copy);
        dls_simulation *s;
        dls_simulation_options options = dls_simulation_default();
        options.solver = f.run.choice.solver, options.solver_settings = f.run.choice.settings;
        options.iterations = 12;
        options.warm = f.run.warm;
        assert_status(dls_simulation_open(f.model, &options, &s, &error), &error);
        dls_state *state = dls_simulation_edit(s);
        const double *q = dls_model_initial(f.model)->coordinates;
        const double upper = joint_at(lines, "arm.upper", 0.0), fore = joint_at(lines, "arm.fore", 0.0);
        assert_true(fabs(upper - q[0]) <= 0.2 && fabs(fore - q[1]) <= 0.2);
        assert_int_equal(upper != q[0] && fore != q[1], copy > 0);
        state->coordinates[0] = upper, state->coordinates[1] = fore;
        for (size_t body = 0; body < 2; body++) { /* `bob` and `weight` have the first two lines */
            const char *line = strchr(bodies, '\n') + 1;
            line = body ? strchr(line, '\n') + 1 : line;
            double *const x[] = {&state->x[body].x, &state->x[body].y, &state->x[body].z};
            const char *cell = strchr(strchr(line, '\t') + 1, '\t') + 1;
            for (size_t k = 0; k < 3; k++, cell = strchr(cell, '\t') + 1) {
                assert_true(fabs(strtod(cell, NULL) - *x[k]) <= 0.2);
                *x[k] = strtod(cell, NULL);
            }
        }
        state->measured[1] = joint_at(lines, "rod", 0.0);
        for (int k = 0; k < 100; k++)
            assert_status(dls_simulation_step(s, 2e-3, &error), &error);
        const dls_state *end = dls_simulation_state(s);
        assert_true(end->coordinates[0] == joint_at(lines, "arm.upper", 0.2));
        assert_true(end->coordinates[1] == joint_at(lines, "arm.fore", 0.2));
        assert_true(end->measured[1] == joint_at(lines, "rod", 0.2));
        dls_simulation_close(s);
        test_free(lines);
        test_free(bodies);
    }
    free_both(text);
    close_fixture(&f);
}

/* --- what is refused --- */

static void refuse(fixture *f, const dls_copies *copies, dls_status status, const char *word)
{
    dls_copies_result result;
    dls_error error;
    assert_int_equal(dls_run_copies(&f->job, &f->run, copies, &result, &error), status);
    if (!strstr(error.message, word))
        fail_msg("'%s' does not say '%s'", error.message, word);
}

#define ONE "bodies: [{name: a, shape: sphere, radius: 0.1, mass: 1}]\n"

TEST(test_refused)
{
    static const char *const lists[] = {"", "x", "3-", "2-1", "0,5", "0,,1", "1,", "-1", "1-2-3", "all,1"};
    fixture f;
    dls_copies copies = {.count = 5, .written = "all"};
    open_fixture(&f, ONE "changes: [{time: 1, bodies: [{name: b, shape: sphere, radius: 0.1, mass: 1}]}]\n", "pgs");
    refuse(&f, &copies, DLS_REFUSED, "has changes");
    close_fixture(&f);
    open_fixture(&f, ONE, "exec:cat");
    refuse(&f, &copies, DLS_REFUSED, "outside this program");
    close_fixture(&f);
    open_fixture(&f, ONE, "pgs");
    f.run.ledger = true;
    refuse(&f, &copies, DLS_REFUSED, "no ledger");
    f.run.ledger = false;
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) {
        copies.written = lists[k];
        refuse(&f, &copies, DLS_BAD_INPUT, "no list of copies");
    }
    copies.count = 0;
    refuse(&f, &copies, DLS_BAD_INPUT, "no copies");
    close_fixture(&f);
}

/* An explicit drive beyond its limit diverges: the copy's lines end, and the first has its reason. */
TEST(test_copies_that_fail)
{
    fixture f;
    dls_copies_result result;
    dls_error error;
    const dls_copies copies = {.count = 3, .spread = 0.1, .seed = 2, .written = "all"};
    open_fixture(&f,
                 "articulations:\n  - name: arm\n    links:\n      - {name: base, static: true}\n"
                 "      - {name: slide, parent: base, motion: prismatic, axis: [1, 0, 0], mass: 1, inertia: [1, 1, 1], "
                 "start: 0}\n"
                 "joints: [{name: d, type: drive, method: explicit, coordinates: {arm.slide: 1}, stiffness: 1e12}]\n"
                 "world: {gravity: [0, 0, 0]}\n",
                 "pgs");
    assert_status(dls_run_copies(&f.job, &f.run, &copies, &result, &error), &error);
    assert_int_equal(result.failed, 2); /* copy 0 rests at its target */
    assert_int_equal(result.steps, 100);
    assert_non_null(strstr(result.reason, "copy "));
    char *text = read_lines(&f, "copies"), *zero = lines_of_copy(text, 0), *one = lines_of_copy(text, 1);
    assert_true(strlen(one) < strlen(zero));
    assert_null(strstr(one, "nan"));
    test_free(text);
    test_free(zero);
    test_free(one);
    close_fixture(&f);
}
