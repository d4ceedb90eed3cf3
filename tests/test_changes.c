/* Changes of a scene: what its reader makes of them, what goes with a part that is removed, and runs that carry them
 * out. */
#include "check.h"
#include "problems.h"

#include "delassus/change.h"
#include "delassus/delassus.h"
#include "delassus/experiments.h"
#include "delassus/solvers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- what goes with what --- */

static const char net[] =
    "bodies:\n"
    "  - {name: p, shape: sphere, radius: 0.1, mass: 1.7}\n"
    "  - {name: q, shape: sphere, radius: 0.1, mass: 0.9, position: [1, 0, 0]}\n"
    "  - {name: r, shape: sphere, radius: 0.1, mass: 0.9, position: [2, 0, 0]}\n"
    "articulations:\n"
    "  - name: arm\n"
    "    links:\n"
    "      - {name: base, static: true, position: [0, 5, 0]}\n"
    "      - {name: upper, parent: base, joint: shoulder, motion: spherical, mass: 1, inertia: [1, 1, 1], position: "
    "[0, 6, "
    "0]}\n"
    "      - {name: fore, parent: upper, joint: elbow, motion: revolute, axis: [0, 0, 1], shape: sphere, radius: 0.1, "
    "mass: 1, position: [0, 7, 0]}\n"
    "      - {name: hand, parent: fore, joint: wrist, motion: revolute, axis: [0, 0, 1], shape: sphere, radius: 0.1, "
    "mass: "
    "1, position: [0, 8, 0]}\n"
    "joints:\n"
    "  - {name: pq, type: hinge, body1: p, body2: q, anchor: [0.4, 0, 0], axis: [0, 0, 1]}\n"
    "  - {name: qr, type: hinge, body1: q, body2: r, anchor: [1.4, 0, 0], axis: [0, 0, 1]}\n"
    "  - {name: gear, type: mimic, coordinates: {pq: 1, qr: -2}}\n"
    "  - {name: couple, type: mimic, coordinates: {arm.elbow: 1, arm.wrist: -2}}\n"
    "  - {name: stop, type: limit, coordinates: {arm.shoulder.twist: 1}, lower: -1, upper: 1}\n"
    "  - {name: hold, type: ball, body1: arm.hand, anchor: [0, 8, 0]}\n"
    "sensors: [{name: touch, link: arm.hand}, {name: load, link: q}]\n"
    "apart: [{body1: q, body2: arm.fore}, {body1: p, body2: r}]\n";

static void joints_of(const dls_scene *scene, char *text, size_t size)
{
    size_t used = 0;
    *text = 0;
    for (size_t j = 0; j < scene->n_joints; j++)
        used += (size_t)snprintf(text + used, size - used, "%s ", scene->joints[j].name);
}

TEST(test_what_goes_with_a_part)
{
    static const struct {
        dls_part part;
        const char *name, *joints;
        size_t bodies, links, sensors, apart;
    } cases[] = {
        {DLS_PART_BODY, "q", "couple stop hold ", 2, 4, 1, 1},
        {DLS_PART_BODY, "r", "pq couple stop hold ", 2, 4, 2, 1},
        {DLS_PART_BODY, "[pr]", "couple stop hold ", 1, 4, 2, 1},
        {DLS_PART_JOINT, "pq", "qr couple stop hold ", 3, 4, 2, 2},
        {DLS_PART_JOINT, "*e*", "pq qr stop hold ", 3, 4, 2, 2},
        {DLS_PART_LINK, "arm.hand", "pq qr gear stop ", 3, 3, 1, 2},
        {DLS_PART_LINK, "arm.fore", "pq qr gear stop ", 3, 2, 1, 1},
        {DLS_PART_LINK, "arm.upper", "pq qr gear ", 3, 1, 1, 1},
        {DLS_PART_ARTICULATION, "arm", "pq qr gear ", 3, 0, 1, 1},
        {DLS_PART_SENSOR, "touch", "pq qr gear couple stop hold ", 3, 4, 1, 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        dls_scene *scene = parse_scene(net);
        dls_model *model;
        dls_error error;
        char joints[256];
        dls_articulation_def *arm = scene->articulations[0];
        for (size_t i = 0; i < arm->n_links; i++) { /* all but the first are those of another link than i */
            dls_link_visual visual = {.scale = dls_v3(1, 1, 1)};
            snprintf(visual.link, sizeof visual.link, "%s", arm->links[(i + 2) % arm->n_links].name);
            assert_status(dls_articulation_def_add_visual(arm, &visual, &error), &error);
        }
        assert_status(dls_scene_remove(scene, cases[k].part, cases[k].name, &error), &error);
        joints_of(scene, joints, sizeof joints);
        assert_string_equal(joints, cases[k].joints);
        assert_int_equal(scene->n_bodies, cases[k].bodies);
        assert_int_equal(scene->n_articulations ? scene->articulations[0]->n_links : 0, cases[k].links);
        assert_int_equal(scene->n_articulations ? scene->articulations[0]->n_shapes : 0,
                         cases[k].links > 2 ? cases[k].links - 2 : 0);
        assert_int_equal(scene->n_articulations ? scene->articulations[0]->n_visuals : 0, cases[k].links);
        assert_int_equal(scene->n_sensors, cases[k].sensors);
        assert_int_equal(scene->n_apart, cases[k].apart);
        assert_status(dls_model_create(scene, &model, &error), &error); /* nothing refers to what is gone */
        dls_model_destroy(model);
        dls_body_def again; /* names are free again, and no others */
        dls_body_default(&again);
        snprintf(again.name, sizeof again.name, "q");
        again.mass = 1.0, again.inertia = dls_v3(1, 1, 1);
        assert_int_equal(dls_scene_add_body(scene, &again, &error) == DLS_OK, k == 0);
        dls_scene_destroy(scene);
    }
}

/* --- the scenes after changes --- */

TEST(test_scenes_after_changes)
{
    char text[4096], joints[256];
    dls_error error;
    snprintf(
        text, sizeof text,
        "%schanges:\n"
        "  - {time: 20 ms, remove: {bodies: [r], links: [arm.fore]}, joints: [{name: weld, type: fixed, body1: p, "
        "body2: arm.upper}]}\n"
        "  - time: 1\n"
        "    articulations: [{name: arm, links: [{name: fore, parent: upper, joint: elbow, mass: 2, inertia: [1, 1, "
        "1]}]}]\n"
        "    bodies: [{repeat: 2, name: 's{i}', mass: 1, inertia: [1, 1, 1]}]\n"
        "    joints: [{name: ball, type: ball, body1: p, body2: s0, anchor: [0, 0, 0]}]\n",
        net);
    dls_scene *scene = parse_scene(text);
    assert_int_equal(scene->n_changes, 2);
    assert_close(scene->changes[0].time, 0.02, 1e-17);
    assert_int_equal(scene->n_bodies, 3);
    const dls_scene *one = scene->changes[0].after, *two = scene->changes[1].after;
    assert_true(!one->n_changes && !two->n_changes);
    joints_of(one, joints, sizeof joints);
    assert_string_equal(joints, "pq stop weld ");
    assert_int_equal(one->joints[0].change, 0);
    assert_int_equal(one->joints[2].change, 1);
    joints_of(two, joints, sizeof joints);
    assert_string_equal(joints, "pq stop weld ball ");
    assert_int_equal(two->joints[2].change, 1);
    assert_int_equal(two->joints[3].change, 2);
    assert_int_equal(two->n_bodies, 4);
    assert_string_equal(two->bodies[3].name, "s1");
    assert_int_equal(two->articulations[0]->n_links, 3);
    /* a setting is one of all of them */
    assert_status(dls_scene_set(scene, "world.step", "3 ms", &error), &error);
    assert_status(dls_scene_set(scene, "bodies.s*.mass", "5", &error), &error);
    assert_status(dls_scene_set(scene, "joints.pq.erp", "0.7", &error), &error);
    assert_close(two->world.step, 3e-3, 0.0);
    assert_close(two->bodies[3].mass, 5.0, 0.0);
    assert_close(scene->joints[0].common.erp + one->joints[0].common.erp + two->joints[0].common.erp, 2.1, 1e-15);
    static const char *const keys[] = {"bodies.t.mass", "bodies.mass",  "bodies..mass", "bodies.s0.",
                                       "bodies.",       "bodies.s0.ma", "bodies"};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        assert_int_equal(dls_scene_set(scene, keys[k], "5", &error), DLS_BAD_INPUT);
    char long_key[2 * DLS_NAME_MAX + 32];
    for (int length = DLS_NAME_MAX - 1; length <= 2 * DLS_NAME_MAX; length++) { /* no name is so long */
        snprintf(long_key, sizeof long_key, "bodies.%0*d.mass", length, 0);
        assert_int_equal(dls_scene_set(scene, long_key, "5", &error), DLS_BAD_INPUT);
    }
    memset(long_key + 7, '*', DLS_NAME_MAX - 1), strcpy(long_key + 7 + DLS_NAME_MAX - 1, ".mass");
    assert_status(dls_scene_set(scene, long_key, "6", &error), &error);
    assert_close(two->bodies[3].mass, 6.0, 0.0);
    dls_scene_destroy(scene);
}

/* --- runs --- */

static const char flying[] =
    "world: {gravity: [0, 0, -3], step: 1 ms, duration: 0.4}\n"
    "bodies:\n"
    "  - {name: p, shape: box, size: [0.3, 0.2, 0.1], mass: 1.7, velocity: [0.1, 0.2, 0.3], omega: [1, 2, 3]}\n"
    "  - {name: q, shape: box, size: [0.1, 0.2, 0.1], mass: 0.4, position: [1, 0, 0], velocity: [-0.4, 0.1, 0]}\n"
    "  - {name: r, shape: sphere, radius: 0.1, mass: 0.7, position: [0, 2, 0], omega: [0, 3, 1]}\n"
    "articulations:\n"
    "  - name: arm\n"
    "    links:\n"
    "      - {name: root, shape: sphere, radius: 0.1, mass: 0.9, position: [0, 5, 0], velocity: [0.3, 0, 0.7]}\n"
    "      - {name: upper, parent: root, motion: revolute, axis: [0, 1, 0.2], anchor: [0.1, 5, 0], shape: sphere, "
    "radius: "
    "0.1, mass: 0.6, position: [0.5, 5, 0], speed: 2}\n"
    "changes:\n"
    "  - {time: 0.1, joints: [{name: weld, type: fixed, body1: p, body2: q}, {name: turn, type: hinge, body1: q, "
    "body2: r, "
    "anchor: [0.7, 1, 0.2], axis: [0, 1, 1]}]}\n"
    "  - {time: 0.2, remove: {bodies: [r]}}\n"
    "  - time: 0.25\n"
    "    articulations: [{name: arm, links: [{name: hand, parent: upper, motion: revolute, axis: [1, 0, 0], shape: "
    "sphere, "
    "radius: 0.1, mass: 0.2, position: [0.7, 5.1, 0], speed: -1}]}]\n"
    "  - {time: 0.3, bodies: [{name: s, shape: sphere, radius: 0.1, mass: 0.3, position: [7, 0, 0], velocity: [1, 0, "
    "0]}]}\n";

static dls_simulation_options options_of_run(void)
{
    static dls_warm warm;
    dls_error error;
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_iterative_find("pgs");
    options.iterations = 30;
    assert_status(dls_fields_default(&dls_warm_fields, &warm, &error), &error);
    options.warm = warm;
    return options;
}

/* The steps of a run, by hand: steps, and the library's change of the simulation. Joints that the first change has
 * placed stay where they are on their bodies in the changes after it, so that their errors go on to the bit. */
static void step_by_hand(const dls_scene *scene, double time, dls_model **model, dls_simulation **s)
{
    dls_error error;
    const dls_simulation_options options = options_of_run();
    assert_status(dls_model_create(scene, model, &error), &error);
    assert_status(dls_simulation_open(*model, &options, s, &error), &error);
    for (size_t k = 0, next = 0; k < (size_t)lround(time * 1e3); k++) {
        if (next < scene->n_changes && k == (size_t)lround(scene->changes[next].time * 1e3)) {
            dls_model *changed;
            double C[2][DLS_JOINT_ROWS_MAX] = {{0.0}};
            for (int after = 0; after < 2; after++) {
                const size_t j = dls_model_find_joint(dls_simulation_model(*s), "weld");
                if (j != DLS_NONE && next > 0) {
                    const dls_joint *weld = &dls_model_joints(dls_simulation_model(*s))[j];
                    dls_end end[2];
                    dls_configuration_ends(dls_simulation_configuration(*s), weld, end);
                    weld->type->position(weld, end, C[after]);
                }
                if (after)
                    break;
                assert_status(dls_model_create_changed(scene->changes[next].after, *model, dls_simulation_state(*s),
                                                       &changed, &error),
                              &error);
                assert_status(dls_simulation_change(s, changed, NULL, &error), &error);
                dls_model_destroy(*model);
                *model = changed;
            }
            assert_memory_equal(C[0], C[1], sizeof C[0]);
            next++;
        }
        assert_status(dls_simulation_step(*s, 1e-3, &error), &error);
    }
}

/* Lines of a table into `lines`, without its head; the number of them. */
enum { LINES = 4000, WIDTH = 1200 };
static size_t read_table(const char *folder, const char *stem, char (*lines)[WIDTH])
{
    char path[512];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/fly.%s.tsv", folder, stem);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (count < LINES && fgets(lines[count], WIDTH, file))
        count += lines[count][0] != '#' && strncmp(lines[count], "time[s]", 7) != 0;
    fclose(file);
    return count;
}

/* The cell of a line that has that number. */
static const char *cell(const char *line, int number)
{
    while (number-- > 0)
        line = strchr(line, '\t') + 1;
    return line;
}

static size_t lines_of(char (*lines)[WIDTH], size_t count, const char *name, double from, double to)
{
    size_t found = 0;
    for (size_t k = 0; k < count; k++) {
        const double time = strtod(lines[k], NULL);
        found += strncmp(cell(lines[k], 1), name, strlen(name)) == 0 && cell(lines[k], 1)[strlen(name)] == '\t' &&
                 time > from - 1e-9 && time < to + 1e-9;
    }
    return found;
}

static void clear(const char *folder)
{
    char command[512];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
}

TEST(test_runs)
{
    static char folder[] = "/tmp/test-changes-XXXXXX";
    char(*lines)[WIDTH] = test_calloc(LINES, WIDTH);
    dls_scene *scene = parse_scene(flying);
    dls_model *model, *last;
    dls_simulation *s;
    dls_run_result result;
    dls_settings settings;
    dls_error error;
    assert_non_null(mkdtemp(folder));
    assert_status(dls_model_create(scene, &model, &error), &error);
    dls_run run = {.model = model,
                   .scene = scene,
                   .stem = "fly",
                   .scheme = dls_scheme_find("euler"),
                   .iterations = 30,
                   .warm = options_of_run().warm,
                   .step = 1e-3,
                   .duration = 0.4,
                   .samples = 7,
                   .ledger = true};
    assert_status(dls_choice_create("pgs", &run.choice, &error), &error);
    assert_status(dls_settings_create(&run.scheme->fields, &settings, &error), &error);
    run.scheme_settings = settings.values;
    const dls_job job = {.output = folder, .command = "test"};
    assert_status(dls_run_trajectory(&job, &run, &result, &error), &error);
    assert_int_equal(result.changes, 4);
    assert_int_equal(result.steps, 400);
    assert_true(result.worst_mismatch < 1e-13);

    /* the last state is that of the library's own calls, to the digits of the table */
    size_t count = read_table(folder, "trajectory", lines);
    step_by_hand(scene, 0.4, &last, &s);
    for (size_t k = 0; k < 3; k++) {
        static const char *const bodies[] = {"p", "q", "s"};
        const dls_end end = dls_configuration_end(dls_simulation_configuration(s), dls_model_find_end(last, bodies[k]));
        const double then[] = {end.x.x, end.x.y, end.x.z, end.q.w,     end.q.x,     end.q.y,    end.q.z,
                               end.v.x, end.v.y, end.v.z, end.omega.x, end.omega.y, end.omega.z};
        size_t line = count;
        while (line-- > 0 && strncmp(cell(lines[line], 1), bodies[k], 1) != 0)
            ;
        for (int i = 0; i < 13; i++)
            assert_true(strtod(cell(lines[line], 2 + i), NULL) == then[i]);
    }
    /* every part begins and ends where its change is, with one line at each time */
    assert_int_equal(lines_of(lines, count, "r", 0.2, 0.2), 1);
    assert_int_equal(lines_of(lines, count, "r", 0.201, 1.0), 0);
    assert_int_equal(lines_of(lines, count, "p", 0.2, 0.2), 1);
    assert_int_equal(lines_of(lines, count, "arm.hand", 0.0, 0.249), 0);
    assert_int_equal(lines_of(lines, count, "arm.hand", 0.25, 0.25), 1);
    assert_int_equal(lines_of(lines, count, "s", 0.3, 0.3), 1);
    assert_int_equal(lines_of(lines, count, "s", 0.0, 0.299), 0);
    count = read_table(folder, "joints", lines);
    assert_int_equal(lines_of(lines, count, "arm.hand", 0.0, 0.249), 0);
    assert_int_equal(lines_of(lines, count, "arm.hand", 0.25, 0.25), 1);
    assert_int_equal(lines_of(lines, count, "arm.upper", 0.25, 0.25), 1);

    /* the parts of a change are its difference of mass, energy and momentum */
    count = read_table(folder, "changes", lines);
    assert_int_equal(count, 2 + 1 + 2 + 1 + 1 + 1 + 1 + 1);
    double sum[9] = {0.0}, energy = 0.0, largest[9] = {0.0};
    for (size_t k = 0; k < count; k++) {
        const bool whole = strncmp(cell(lines[k], 1), "scene", 5) == 0;
        for (int i = 0; i < 9; i++) {
            const double value = strtod(cell(lines[k], 4 + i), NULL);
            if (whole)
                assert_close(value, sum[i], 1e-14 * (largest[i] + 40.0)); /* rounding of sums over all, up to 40 */
            largest[i] = whole ? 0.0 : fmax(largest[i], fabs(value));
            sum[i] = whole ? 0.0 : sum[i] + value;
            energy += whole && (i == 1 || i == 2) ? value : 0.0;
        }
    }
    assert_close(energy, result.energy_changes, 1e-13);
    assert_true(fabs(energy) > 0.1);
    /* and with the steps of the ledger the difference of energy between start and end */
    run.samples = 0;
    dls_run_result every;
    assert_status(dls_run_trajectory(&job, &run, &every, &error), &error);
    assert_true(every.energy_end == result.energy_end);
    count = read_table(folder, "ledger", lines);
    assert_int_equal(count, 400);
    double change = 0.0;
    for (size_t k = 0; k < count; k++)
        change += strtod(cell(lines[k], 3), NULL);
    assert_close(every.energy_start + change + energy, every.energy_end, 1e-12);
    clear(folder);
    dls_simulation_close(s);
    dls_model_destroy(last);
    dls_model_destroy(model);
    dls_settings_release(&settings);
    dls_choice_release(&run.choice);
    dls_scene_destroy(scene);
    test_free(lines);
}

/* An error of a scene after a change is told before the first step, at its place in the file. */
TEST(test_a_wrong_change)
{
    dls_scene *scene =
        parse_scene("bodies:\n  - {name: p, mass: 1, inertia: [1, 1, 1]}\nchanges:\n"
                    "  - {time: 1, bodies: [{name: q, mass: 1, inertia: [1, 1, 1]}]}\n"
                    "  - time: 2\n    joints:\n      - {name: j, type: ball, body1: r, anchor: [0, 0, 0]}\n");
    dls_model *model;
    dls_run_result result;
    dls_error error;
    assert_status(dls_model_create(scene, &model, &error), &error);
    const dls_run run = {.model = model, .scene = scene, .stem = "x", .step = 1e-3, .duration = 1.0, .silent = true};
    const dls_job job = {.output = "", .command = ""};
    assert_int_equal(dls_run_trajectory(&job, &run, &result, &error), DLS_BAD_INPUT);
    assert_int_equal(error.line, 7);
    assert_string_equal(error.key, "body1");
    dls_model_destroy(model);
    dls_scene_destroy(scene);
}

/* --- links on a robot --- */

static dls_status parse_robot(const char *added, dls_scene **scene, dls_error *error)
{
    char text[2000];
    snprintf(
        text, sizeof text,
        "articulations:\n  - {name: g, urdf: %s/models/gripper.urdf, position: [0, 0.2, 0.75], start: {wrist: 0.5, "
        "left_slide: 0.02}}\n"
        "changes:\n"
        "  - time: 0.25\n    articulations:\n      - name: g\n        links:\n"
        "          - {name: camera, parent: palm, mass: 0.2, inertia: [1e-4, 2e-4, 3e-4], position: [0.1, 0.2, 1.3], "
        "%s}\n"
        "  - time: 0.5\n    articulations:\n      - name: g\n        links:\n"
        "          - {name: hood, parent: camera, joint: lid, motion: revolute, axis: [0, 1, 0], mass: 0.1, inertia: "
        "[1e-4, 1e-4, 1e-4], position: [0.1, 0.2, 1.4]}\n",
        getenv("DLS_TEST_SOURCE"), added);
    return dls_scene_parse(text, strlen(text), "text", scene, error);
}

/* Drawn where the robot has its links at the start, they turn with them; what was there keeps its state to the bit. */
TEST(test_links_on_a_robot)
{
    dls_scene *scene;
    dls_error error;
    dls_model *model[3];
    dls_simulation *s;
    assert_status(parse_robot("orientation: [1, 0, 0, 0]", &scene, &error), &error);
    assert_status(dls_model_create(scene, &model[0], &error), &error);
    for (size_t k = 0; k < 2; k++) {
        const dls_scene *after = scene->changes[k].after;
        assert_status(dls_model_create(after, &model[1 + k], &error), &error);
        const dls_model_counts counts = dls_model_count(model[1 + k]);
        dls_configuration *at;
        assert_status(dls_configuration_create(model[1 + k], &at, &error), &error);
        dls_configuration_evaluate(at, dls_model_initial(model[1 + k]));
        const dls_end camera = dls_configuration_end(at, dls_model_find_end(model[1 + k], "g.camera"));
        assert_close(dls_norm(dls_sub(camera.x, dls_v3(0.1, 0.2, 1.3))), 0.0, 1e-14);
        assert_close(fabs(camera.q.w), 1.0, 1e-14);
        assert_int_equal(counts.links, 6 + k);
        dls_configuration_destroy(at);
        dls_model_destroy(model[1 + k]);
    }
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_iterative_find("pgs");
    assert_status(dls_simulation_open(model[0], &options, &s, &error), &error);
    for (size_t k = 0; k < 3; k++) {
        for (int n = 0; n < 100; n++)
            assert_status(dls_simulation_step(s, 1e-3, &error), &error);
        if (k == 2)
            break;
        const dls_configuration *now = dls_simulation_configuration(s);
        const dls_end palm = dls_configuration_end(now, dls_model_find_end(model[k], "g.palm"));
        assert_status(
            dls_model_create_changed(scene->changes[k].after, model[k], dls_simulation_state(s), &model[k + 1], &error),
            &error);
        assert_status(dls_simulation_change(&s, model[k + 1], NULL, &error), &error);
        const dls_end kept =
            dls_configuration_end(dls_simulation_configuration(s), dls_model_find_end(model[k + 1], "g.palm"));
        assert_memory_equal(&palm.x, &kept.x, sizeof palm.x);
        assert_memory_equal(&palm.v, &kept.v, sizeof palm.v);
        assert_true(dls_model_find_joint(model[k + 1], "g.right_slide mimic") != DLS_NONE);
    }
    dls_simulation_close(s);
    for (size_t k = 0; k < 3; k++)
        dls_model_destroy(model[k]);
    dls_scene_destroy(scene);
    /* what is wrong of them is so in the scene */
    assert_int_equal(parse_robot("axis: [0, 0, 1]", &scene, &error), DLS_BAD_INPUT);
    assert_string_equal(error.file, "text");
    assert_int_equal(error.line, 8);
    assert_string_equal(error.key, "axis");
    assert_int_equal(parse_robot("joint: wrist", &scene, &error), DLS_OK);
    assert_int_equal(dls_model_create(scene->changes[0].after, &model[0], &error), DLS_BAD_INPUT);
    assert_string_equal(error.file, "text");
    assert_int_equal(error.line, 8);
    dls_scene_destroy(scene);
}
