/* A diagnosis: each fault that is put into a sound mechanism is found, with its part and its number, and without it
 * nothing is; borders of stability are those of runs; units change nothing. */
#include "problems.h"

#include "delassus/diagnosis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A block on the ground, and an arm of two rods with a drive and limits. */
static const char machine[] =
    "name: machine\n"
    "world: {collide: true, friction: box, step: 2 ms, duration: 0.1 s}\n"
    "bodies:\n"
    "  - {name: ground, static: true, shape: plane}\n"
    "  - {name: block, shape: box, size: [0.4, 0.4, 0.4], mass: 50 kg, position: [3, 0, 0.2]}\n"
    "  - {name: rod, shape: box, size: [1, 0.1, 0.1], mass: 5 kg, position: [0.5, 0, 3]}\n"
    "  - {name: tip, shape: box, size: [1, 0.1, 0.1], mass: 5 kg, position: [1.5, 0, 3]}\n"
    "joints:\n"
    "  - {name: shoulder, type: hinge, body1: rod, anchor: [0, 0, 3], axis: [0, 1, 0]}\n"
    "  - {name: elbow, type: hinge, body1: tip, body2: rod, anchor: [1, 0, 3], axis: [0, 1, 0]}\n"
    "  - {name: stop, type: limit, coordinates: {shoulder: 1}, lower: -1, upper: 1}\n"
    "  - {name: motor, type: drive, coordinates: {shoulder: 1}, stiffness: 1000, damping: 100, target: 0.2}\n"
    "  - {name: second, type: drive, coordinates: {shoulder: 1}, stiffness: 10, damping: 1, target: 0.2}\n";

/* A chain of links without shapes, whose masses are %s and 1 kg. */
static const char chain[] =
    "name: chain\n"
    "world: {gravity: [0, 0, -9.81], step: 2 ms}\n"
    "articulations:\n"
    "  - name: arm\n"
    "    links:\n"
    "      - {name: base, static: true}\n"
    "      - {name: first, parent: base, motion: revolute, anchor: [0, 0, 0], axis: [0, 1, 0], mass: %s,\n"
    "         inertia: [1e-11, 1e-11, 1e-11], position: [1e-7, 0, 0]}\n"
    "      - {name: second, parent: first, motion: revolute, anchor: [0, 0, 0], axis: [0, 1, 0], mass: 1 kg,\n"
    "         inertia: [1, 1, 1], position: [1, 0, 0]}\n";

typedef struct diagnosed {
    dls_scene *scene;
    dls_model *model;
    dls_diagnosis *found;
} diagnosed;

/* Parses a scene, sets "KEY=VALUE" up to a NULL, and diagnoses its start. */
static diagnosed diagnose_text(const char *text, const char *const *settings)
{
    diagnosed d;
    dls_error error;
    char key[DLS_NAME_MAX];
    assert_status(dls_scene_parse(text, strlen(text), "machine.yaml", &d.scene, &error), &error);
    for (; settings && *settings; settings++) {
        const size_t length = strcspn(*settings, "=");
        snprintf(key, sizeof key, "%.*s", (int)length, *settings);
        assert_status(dls_scene_set(d.scene, key, *settings + length + 1, &error), &error);
    }
    assert_status(dls_model_create(d.scene, &d.model, &error), &error);
    assert_status(dls_diagnosis_create(&d.found, &error), &error);
    assert_status(dls_diagnose_model(d.found, d.model, NULL, &error), &error);
    dls_diagnosis_sort(d.found);
    return d;
}

static void release_diagnosed(diagnosed *d)
{
    dls_diagnosis_destroy(d->found);
    dls_model_destroy(d->model);
    dls_scene_destroy(d->scene);
}

static const dls_diagnosis_finding *find_cause(const dls_diagnosis *d, dls_fault_cause cause)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->finding[i].cause == cause)
            return &d->finding[i];
    return NULL;
}

/* doc/diagnosis.md has a row for each cause, in their order, and no other. */
TEST(causes_are_those_of_the_documentation)
{
    char path[1024], line[1024], word[64];
    size_t cause = 0;
    snprintf(path, sizeof path, "%s/doc/diagnosis.md", getenv("DLS_TEST_SOURCE"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "| `%63[^`]` |", word) == 1) {
            assert_true(cause < DLS_FAULT_CAUSES);
            assert_string_equal(word, dls_fault_causes[cause++].word);
        }
    fclose(file);
    assert_int_equal(cause, DLS_FAULT_CAUSES);
}

/* --- the start --- */

TEST(sound_machine_has_neither_faults_nor_risks)
{
    diagnosed d = diagnose_text(machine, NULL);
    assert_int_equal(dls_diagnosis_count(d.found, DLS_SEVERITY_FAULT), 0);
    assert_int_equal(dls_diagnosis_count(d.found, DLS_SEVERITY_RISK), 0);
    release_diagnosed(&d);
}

static const struct {
    dls_fault_cause cause;
    const char *setting, *subject;
    double value, accuracy; /* in closed form; 0: not compared */
} planted[] = {
    {DLS_FAULT_OVERLAP, "bodies.block.position=[3, 0, 0.1]", "block", 0.1 / 0.4, 1e-12},
    {DLS_FAULT_SPIN, "bodies.block.omega=[0, 0, 1000]", "block", 2.0, 1e-12},
    {DLS_FAULT_TUNNEL, "bodies.block.velocity=[0, 0, -300]", "block", 0.6, 1e-12},
    {DLS_FAULT_DENSITY, "bodies.block.mass=1e-3", "block", 0.1 / (1e-3 / 0.064), 1e-12},
    {DLS_FAULT_INERTIA, "bodies.block.inertia=[1, 1, 10]", "block", 0.8, 1e-12},
    {DLS_FAULT_INERTIA_SIZE, "bodies.block.inertia=[1e4, 1e4, 1e4]", "block", 14.142135623730951 / 0.34641016151377546,
     1e-12},
    {DLS_FAULT_INERTIA_SIZE, "bodies.tip.inertia=[1e-9, 1e-9, 1e-9]", "tip", 0.0, 0.0},
    {DLS_FAULT_LIMIT, "joints.stop.lower=0.5", "stop.lower", 0.5, 1e-12},
    {DLS_FAULT_TARGET, "joints.motor.target=3", "motor.drive", 2.0, 1e-12},
    {DLS_FAULT_UNRESOLVED, "joints.motor.stiffness=1e9", "motor.drive", 0.0, 0.0},
    {DLS_FAULT_STEP, "world.step=1", "", 0.0, 0.0},
    {DLS_FAULT_SOFT, "world.contact_cfm=0.01", "block", 50.0 * 9.81 / 4.0 * 0.002 * 0.01 / 0.2 / 0.4, 1e-12},
    {DLS_FAULT_SPEED, "bodies.tip.velocity=[0, 5, 0]", "elbow", 0.0, 0.0},
    {DLS_FAULT_MASS_RATIO, "bodies.tip.mass=1e5", "elbow", 0.0, 0.0},
    {DLS_FAULT_OPPOSED, "joints.second.target=-0.2", "motor.drive", 0.4, 1e-12},
};

TEST(planted_faults_are_found_with_part_and_number)
{
    for (size_t i = 0; i < sizeof planted / sizeof planted[0]; i++) {
        const char *const settings[] = {planted[i].setting, NULL};
        diagnosed d = diagnose_text(machine, settings);
        const dls_diagnosis_finding *finding = find_cause(d.found, planted[i].cause);
        if (!finding)
            fail_msg("%s: %s is not found", planted[i].setting, dls_fault_causes[planted[i].cause].word);
        if (!strstr(finding->subject, planted[i].subject))
            fail_msg("%s: found in '%s'", planted[i].setting, finding->subject);
        if (planted[i].value > 0.0)
            assert_close(finding->value, planted[i].value, planted[i].accuracy * planted[i].value);
        assert_true(finding->value > finding->limit);
        release_diagnosed(&d);
    }
}

/* 150 hinges have 750 rows. */
TEST(figures_that_are_not_measured_are_told)
{
    static const char many[] =
        "name: many\n"
        "bodies:\n"
        "  - {repeat: 150, name: 'a{i}', mass: 1 kg, inertia: [1, 1, 1]}\n"
        "joints:\n"
        "  - {repeat: 150, name: 'j{i}', type: hinge, body1: 'a{i}', anchor: [0, 0, 0], axis: [0, 0, 1]}\n";
    diagnosed d = diagnose_text(many, NULL);
    const dls_diagnosis_finding *finding = find_cause(d.found, DLS_FAULT_UNMEASURED);
    assert_non_null(finding);
    assert_int_equal(finding->severity, DLS_SEVERITY_NOTE);
    release_diagnosed(&d);
}

static bool has_note(const dls_diagnosis *d, const char *words)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->finding[i].cause == DLS_FAULT_UNMEASURED && strstr(d->finding[i].text, words))
            return true;
    return false;
}

/* A body of which no point but one is known, and a mesh; and a sphere, of which all is known. */
TEST(sizes_that_are_not_known_are_told)
{
    static const struct {
        const char *body, *note;
    } cases[] = {{"mass: 1, inertia: [1, 1, 1]", "against the size of the mechanism"},
                 {"mass: 1, inertia: [1, 1, 1], shape: mesh, mesh: test_diagnosis.obj", "1 shapes are meshes"},
                 {"mass: 1, shape: sphere, radius: 1", NULL}};
    FILE *mesh = fopen("test_diagnosis.obj", "w");
    assert_non_null(mesh);
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", mesh);
    fclose(mesh);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[256];
        snprintf(text, sizeof text, "world: {collide: true}\nbodies: [{name: a, %s}]\n", cases[k].body);
        diagnosed d = diagnose_text(text, NULL);
        for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++)
            assert_true(!cases[n].note || has_note(d.found, cases[n].note) == (n == k));
        release_diagnosed(&d);
    }
    remove("test_diagnosis.obj");
}

/* Two locks of one coordinate: at one value they are redundant, at two they contradict each other. */
TEST(redundant_rows_contradict_each_other_or_not)
{
    static const char locks[] = "  - {name: lock, type: lock, coordinates: {elbow: 1}, at: 0}\n"
                                "  - {name: twin, type: lock, coordinates: {elbow: 2}, at: %s}\n";
    for (int apart = 0; apart < 2; apart++) {
        char more[512], text[sizeof machine + sizeof more];
        snprintf(more, sizeof more, locks, apart ? "0.3" : "0");
        snprintf(text, sizeof text, "%s%s", machine, more);
        diagnosed d = diagnose_text(text, NULL);
        const dls_diagnosis_finding *redundant = find_cause(d.found, DLS_FAULT_REDUNDANT);
        assert_non_null(redundant);
        assert_close(redundant->value, 1.0, 0.0);
        assert_true((find_cause(d.found, DLS_FAULT_CONTRADICTORY) != NULL) == apart);
        assert_true((find_cause(d.found, DLS_FAULT_OPEN_LOOP) != NULL) == apart);
        release_diagnosed(&d);
    }
}

/* The mass ratio of a row is a cause only if the slowest mode lives in this row. A tag of 1 kg on a drum of 1 t is
 * right after a few sweeps, and so is one of 1 g at the end of forty beads; a ton there is not. */
TEST(mass_ratio_is_found_where_the_slowest_mode_lives)
{
    static const char beads[] = "  - {repeat: 40, name: 'bead{i}', mass: 1 kg, inertia: [1e-3, 1e-3, 1e-3],\n"
                                "     position: {start: [0, 0, 0], i: [0, 0, -0.1]}}\n",
                      bonds[] =
                          "  - {name: bond0, type: ball, body1: bead0, anchor: [0, 0, 0.1]}\n"
                          "  - {repeat: 39, name: 'bond{i+1}', type: ball, body1: 'bead{i+1}', body2: 'bead{i}',\n"
                          "     anchor: {start: [0, 0, 0], i: [0, 0, -0.1]}}\n",
                      drum[] = "  - {name: drum, mass: 1000 kg, inertia: [100, 100, 100], position: [5, 0, 0]}\n"
                               "  - {name: tag, mass: 1 kg, inertia: [1e-3, 1e-3, 1e-3], position: [5, 0, -0.5]}\n",
                      belt[] = "  - {name: axle, type: ball, body1: drum, anchor: [5, 0, 0]}\n"
                               "  - {name: belt, type: ball, body1: tag, body2: drum, anchor: [5, 0, -0.5]}\n",
                      last[] = "  - {name: tip, mass: %s, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, -4]}\n",
                      rope[] = "  - {name: rope, type: ball, body1: tip, body2: bead39, anchor: [0, 0, -4]}\n";
    static const struct {
        bool drum, chain;
        const char *tip;          /* its mass; NULL: there is none */
        const char *ratio, *slow; /* the joint of the finding; NULL: there is none */
    } cases[] = {{true, false, NULL, NULL, NULL},
                 {false, true, NULL, NULL, "bond"},
                 {true, true, NULL, NULL, "bond"},
                 {true, true, "1 g", NULL, "bond"},
                 {true, true, "1000 kg", "rope", NULL}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[2048], tip[sizeof last + 16];
        snprintf(tip, sizeof tip, last, cases[k].tip ? cases[k].tip : "");
        snprintf(text, sizeof text, "name: belt and chain\nworld: {step: 2 ms}\nbodies:\n%s%s%sjoints:\n%s%s%s",
                 cases[k].chain ? beads : "", cases[k].drum ? drum : "", cases[k].tip ? tip : "",
                 cases[k].chain ? bonds : "", cases[k].drum ? belt : "", cases[k].tip ? rope : "");
        diagnosed d = diagnose_text(text, NULL);
        const dls_diagnosis_finding *ratio = find_cause(d.found, DLS_FAULT_MASS_RATIO);
        const dls_diagnosis_finding *slow = find_cause(d.found, DLS_FAULT_SLOW_SWEEP);
        if ((ratio != NULL) != (cases[k].ratio != NULL) || (slow != NULL) != (cases[k].slow != NULL))
            fail_msg("case %zu: mass-ratio '%s', slow-sweep '%s'", k, ratio ? ratio->subject : "",
                     slow ? slow->subject : "");
        assert_true(!ratio || strstr(ratio->subject, cases[k].ratio));
        assert_true(!slow || strstr(slow->subject, cases[k].slow));
        release_diagnosed(&d);
    }
}

/* Pairs of rows with A = (2, -1)^T (2, -1) and b = (2 + d, -1): a free second row leaves w_1 = d, which no lambda_1 <=
 * 1 without a lower bound solves unless d = 0. The residual of d = 2^-50 is rounding; exact arithmetic tells up to its
 * number of rows, and beyond it a note. */
TEST(problem_without_solution_is_a_fault_though_its_residual_is_rounding)
{
    enum { PAIRS = 20, ROWS = 2 * PAIRS };
    static const struct {
        double d, lo;
        size_t pairs;
        bool fault, note;
    } cases[] = {{0x1p-50, -HUGE_VAL, 1, true, false},
                 {0.0, -HUGE_VAL, 1, false, false},
                 {0x1p-50, -1.0, 1, false, false},
                 {0x1p-50, -HUGE_VAL, PAIRS, false, true}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const size_t n = 2 * cases[k].pairs;
        double A[ROWS * ROWS] = {0.0}, b[ROWS], lo[ROWS], hi[ROWS];
        for (size_t i = 0; i < n; i += 2) {
            A[i + n * i] = 4.0, A[i + 1 + n * (i + 1)] = 1.0;
            A[i + 1 + n * i] = A[i + n * (i + 1)] = -2.0;
            b[i] = 2.0 + cases[k].d, b[i + 1] = -1.0;
            lo[i] = cases[k].lo, lo[i + 1] = -HUGE_VAL;
            hi[i] = 1.0, hi[i + 1] = HUGE_VAL;
        }
        dls_problem *problem = problem_from_matrix(n, A, b, lo, hi);
        dls_diagnosis *found;
        dls_error error;
        assert_status(dls_diagnosis_create(&found, &error), &error);
        assert_status(dls_diagnose_problem(found, problem, 0, &error), &error);
        assert_true(has_note(found, "whether the step has a solution") == cases[k].note);
        assert_true((find_cause(found, DLS_FAULT_CONTRADICTORY) != NULL) == cases[k].fault);
        assert_int_equal(dls_diagnosis_count(found, DLS_SEVERITY_FAULT), cases[k].fault);
        dls_diagnosis_destroy(found);
        dls_problem_destroy(problem);
    }
}

TEST(chain_loses_reflected_inertia_in_rounding)
{
    for (int light = 0; light < 2; light++) {
        char text[sizeof chain + 32];
        snprintf(text, sizeof text, chain, light ? "1e-13 kg" : "1 kg");
        if (!light) { /* an inertia like that of its neighbour */
            char *at = strstr(text, "[1e-11, 1e-11, 1e-11]");
            memcpy(at, "[1.0,   1.0,   1.0  ]", strlen("[1.0,   1.0,   1.0  ]"));
        }
        diagnosed d = diagnose_text(text, NULL);
        const dls_diagnosis_finding *finding = find_cause(d.found, DLS_FAULT_REFLECTED);
        assert_true((finding != NULL) == light);
        if (light) /* 1e-11 with the second link free, 2 with it locked */
            assert_close(finding->value, 1e-9 / (1e-11 / 2.0), 0.01 * 200.0);
        release_diagnosed(&d);
    }
}

/* Two links that turn about one axis, of which the first has no inertia: no step can be made, and the joint is
 * named. */
TEST(singular_mass_matrix_is_a_fault_and_no_error)
{
    char text[sizeof chain + 64];
    snprintf(text, sizeof text, chain, "0");
    char *at = strstr(text, "[1e-11, 1e-11, 1e-11]");
    memcpy(at, "[0,     0,     0    ]", strlen("[0,     0,     0    ]"));
    diagnosed d = diagnose_text(text, NULL);
    const dls_diagnosis_finding *finding = find_cause(d.found, DLS_FAULT_REFLECTED);
    assert_non_null(finding);
    assert_int_equal(finding->severity, DLS_SEVERITY_FAULT);
    assert_true(d.found->singular);
    release_diagnosed(&d);
}

/* A mass on a slide: a step of 0.1 s is too long for 2 cm, unless the slide is level and gravity cannot move it. */
TEST(step_is_too_long_only_where_gravity_moves_something)
{
    static const char slide[] =
        "name: slide\n"
        "articulations:\n"
        "  - name: rail\n"
        "    links:\n"
        "      - {name: base, static: true}\n"
        "      - {name: bead, parent: base, motion: prismatic, axis: [%s], shape: sphere, radius: 0.02, mass: 1}\n"
        "world: {step: 0.1}\n";
    for (int level = 0; level < 2; level++) {
        char text[sizeof slide + 32];
        snprintf(text, sizeof text, slide, level ? "3, 4, 0" : "3, 4, 1");
        diagnosed d = diagnose_text(text, NULL);
        const dls_diagnosis_finding *finding = find_cause(d.found, DLS_FAULT_STEP);
        assert_true((finding == NULL) == level);
        if (finding)
            assert_close(finding->value, 9.81 * 0.01 / 0.02, 1e-12 * finding->value);
        release_diagnosed(&d);
    }
}

/* An arm of 3 kg, whose centre of mass is 0.4 m from its level axis, weighs 3 g 0.4 N m. */
TEST(drive_is_too_weak_for_the_weight_it_carries)
{
    static const char arm[] =
        "name: arm\n"
        "articulations:\n"
        "  - name: arm\n"
        "    links:\n"
        "      - {name: base, static: true}\n"
        "      - {name: upper, parent: base, motion: revolute, anchor: [0, 0, 0], axis: [0, 1, 0], mass: 3,\n"
        "         inertia: [0.1, 0.1, 0.1], position: [0.4, 0, 0.3]}\n"
        "joints:\n"
        "  - {name: motor, type: drive, coordinates: {arm.upper: %s}, stiffness: 100, damping: 10, force: %s}\n";
    static const char *const gears[] = {"-2", "[-2, 7]"}; /* which have the same slope at the start */
    for (int weak = 0; weak < 4; weak++) {
        char text[sizeof arm + 32];
        snprintf(text, sizeof text, arm, gears[weak / 2], weak % 2 ? "5" : "6");
        diagnosed d = diagnose_text(text, NULL);
        const dls_diagnosis_finding *finding = find_cause(d.found, DLS_FAULT_WEAK);
        assert_true((finding != NULL) == weak % 2);
        if (finding)
            assert_close(finding->value, 3.0 * 9.81 * 0.4 / 2.0 / 5.0, 1e-12);
        release_diagnosed(&d);
    }
}

/* Masses and forces a thousand times as large change no finding. */
TEST(units_of_mass_change_no_finding)
{
    static const char *const heavy[] = {"bodies.block.mass=5e4",        "bodies.rod.mass=5e3",
                                        "bodies.tip.mass=5e3",          "joints.motor.stiffness=1e6",
                                        "joints.motor.damping=1e5",     "joints.second.stiffness=1e4",
                                        "joints.second.damping=1e3",    "joints.motor.target=3",
                                        "bodies.block.omega=[0,0,500]", NULL};
    static const char *const light[] = {"joints.motor.target=3", "bodies.block.omega=[0,0,500]", NULL};
    diagnosed a = diagnose_text(machine, light), b = diagnose_text(machine, heavy);
    assert_int_equal(a.found->count, b.found->count);
    for (size_t i = 0; i < a.found->count; i++) {
        assert_int_equal(a.found->finding[i].cause, b.found->finding[i].cause);
        assert_string_equal(a.found->finding[i].subject, b.found->finding[i].subject);
        assert_close(a.found->finding[i].value, b.found->finding[i].value, 1e-6 * a.found->finding[i].value);
    }
    release_diagnosed(&a), release_diagnosed(&b);
}

/* --- runs --- */

static dls_run_result run_silently(diagnosed *d, const char *solver, double duration, dls_diagnosis *found)
{
    dls_error error;
    dls_run_result result;
    const dls_job job = {.output = ".", .command = "test"};
    dls_run run = {
        .model = d->model, .stem = "machine", .silent = true, .energy_limit = 1e6, .go_on = true, .watch = true};
    assert_status(dls_choice_create(solver, &run.choice, &error), &error);
    assert_status(dls_scheme_choose("euler", &run.scheme, &error), &error);
    run.step = dls_model_world(d->model)->step, run.duration = duration;
    assert_status(dls_run_trajectory(&job, &run, &result, &error), &error);
    assert_status(dls_diagnose_run(found, &run, &result, &error), &error);
    dls_choice_release(&run.choice);
    return result;
}

/* An explicit spring of one coordinate oscillates for ever below omega h = 2 and explodes beyond. */
TEST(border_of_explicit_springs_is_that_of_runs)
{
    static const char pendulum[] =
        "name: spring\n"
        "world: {gravity: [0, 0, 0], step: 1 ms}\n"
        "bodies:\n"
        "  - {name: bob, mass: 1 kg, inertia: [1, 1, 1]}\n"
        "joints:\n"
        "  - {name: rail, type: slider, body1: bob, axis: [1, 0, 0]}\n"
        "  - {name: spring, type: drive, coordinates: {rail: 1}, method: explicit, target: 0.01}\n";
    for (int beyond = 0; beyond < 2; beyond++) { /* omega^2 = k / m = (2 / h)^2 = 4e6 1/s^2 */
        const char *const settings[] = {beyond ? "joints.spring.stiffness=4.04e6" : "joints.spring.stiffness=3.96e6",
                                        NULL};
        diagnosed d = diagnose_text(pendulum, settings);
        const dls_diagnosis_finding *finding = find_cause(d.found, DLS_FAULT_STIFF);
        assert_true((finding != NULL) == beyond);
        if (beyond)
            assert_close(finding->value, 1.01, 1e-9);
        const dls_run_result result = run_silently(&d, "pgs", 0.5, d.found);
        assert_true((result.energy_end > 1e10) == beyond);
        release_diagnosed(&d);
    }
}

TEST(runs_that_do_not_converge_are_told)
{
    static const char *const heavy[] = {"bodies.tip.mass=1e5", "world.position_iterations=2", NULL};
    diagnosed d = diagnose_text(machine, heavy);
    (void)run_silently(&d, "pgs", 0.1, d.found);
    assert_non_null(find_cause(d.found, DLS_FAULT_NOT_CONVERGED));
    release_diagnosed(&d);
    diagnosed sound = diagnose_text(machine, NULL);
    assert_true(run_silently(&sound, "nsgs", 0.1, sound.found).steps == 50);
    assert_null(find_cause(sound.found, DLS_FAULT_NOT_CONVERGED));
    assert_null(find_cause(sound.found, DLS_FAULT_ENERGY));
    release_diagnosed(&sound);
}

/* A ball on a plate that shakes at three times the acceleration of gravity: it leaves the plate in every period, which
 * five steps do not resolve, and a hundred do. */
TEST(contacts_chatter_where_steps_do_not_resolve_them)
{
    static const char shaker[] =
        "name: shaker\n"
        "world: {collide: true, friction: cone, step: 1 ms}\n"
        "bodies:\n"
        "  - {name: plate, kinematic: true, shape: box, size: [1, 1, 0.1], position: [0, 0, -0.05],\n"
        "     swing: [0, 0, %.17g], period: %.17g}\n"
        "  - {name: ball, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 0.1]}\n";
    for (int resolved = 0; resolved < 2; resolved++) {
        char text[sizeof shaker + 64];
        const double period = resolved ? 0.1 : 0.005, rate = 2.0 * DLS_PI / period;
        snprintf(text, sizeof text, shaker, 3.0 * 9.81 / (rate * rate), period);
        diagnosed d = diagnose_text(text, NULL);
        (void)run_silently(&d, "nsgs", 0.5, d.found);
        const dls_diagnosis_finding *finding = find_cause(d.found, DLS_FAULT_CHATTER);
        assert_true((finding == NULL) == resolved);
        if (finding)
            assert_string_equal(finding->subject, "plate on ball");
        release_diagnosed(&d);
    }
}

/* The motor of the machine pulls its shoulder past its stop at 1 rad: without a limit of its force it presses against
 * the stop, and with one that does not hold the arms it is at this limit. */
TEST(drives_press_against_limits_and_are_saturated)
{
    static const char *const press[] = {"joints.motor.target=-3", "joints.motor.stiffness=1e5",
                                        "joints.motor.damping=1e3", NULL};
    static const char *const weak[] = {"joints.motor.target=-3", "joints.motor.force=1", "joints.stop.upper=100", NULL};
    for (int k = 0; k < 2; k++) {
        diagnosed d = diagnose_text(machine, k ? weak : press);
        (void)run_silently(&d, "nsgs", 0.5, d.found);
        const dls_diagnosis_finding *pressing = find_cause(d.found, DLS_FAULT_PRESSING);
        const dls_diagnosis_finding *saturated = find_cause(d.found, DLS_FAULT_SATURATED);
        assert_true((pressing != NULL) == !k);
        assert_true((saturated != NULL) == k);
        assert_string_equal((k ? saturated : pressing)->subject, "motor");
        release_diagnosed(&d);
    }
}
