/* Scenes in YAML: what good ones become, and that each wrong one is refused with its line, key and reason. */
#include "delassus/delassus.h"

#include "check.h"
#include "io/formats.h"
#include "problems.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- good scenes --- */

TEST(test_everything_arrives)
{
    dls_scene *scene = parse_scene("# comment\n"
                                   "name: two of them\n"
                                   "world: {gravity: [0, 0, -1.62], step: 2 ms, gyroscopic: implicit}\n"
                                   "bodies:\n"
                                   "  - name: floor\n"
                                   "    static: true\n"
                                   "    shape: plane\n"
                                   "  - name: \"box\"\n"
                                   "    shape: box\n"
                                   "    size: \"[10, 20, 30] cm\"\n"
                                   "    mass: 385 g\n"
                                   "    position: [1, 2 mm, 3 m]\n"
                                   "    orientation: [0, 0.6, 0.8, 0]\n"
                                   "joints:\n"
                                   "  - name: pivot\n"
                                   "    anchor: [1, 0, 0]\n"
                                   "    body1: box\n"
                                   "    type: ball\n"
                                   "    erp: 0.3\n"
                                   "    force_hi: 1.5e3\n");
    const dls_body_def *box = &scene->bodies[1];
    const dls_joint_def *pivot = &scene->joints[0];
    assert_string_equal(scene->name, "two of them");
    assert_string_equal(scene->file, "text");
    assert_close(scene->world.step, 2e-3, 0.0);
    assert_close(scene->world.gravity.z, -1.62, 0.0);
    assert_int_equal(scene->world.gyroscopic, DLS_GYROSCOPIC_IMPLICIT);
    assert_int_equal(scene->n_bodies, 2);
    assert_true(scene->bodies[0].is_static);
    assert_int_equal(scene->bodies[0].place.line, 5);
    assert_string_equal(box->name, "box");
    assert_close(box->size.z, 0.3, 1e-16);
    assert_close(box->mass, 0.385, 1e-16);
    assert_close(box->position.y, 2e-3, 0.0);
    assert_close(box->orientation.y, 0.8, 1e-15);
    assert_int_equal(scene->n_joints, 1);
    assert_string_equal(pivot->type->name, "ball");
    assert_string_equal(pivot->body[0], "box");
    assert_string_equal(pivot->body[1], "world");
    assert_close(pivot->common.erp, 0.3, 0.0);
    assert_close(pivot->common.force_hi, 1.5e3, 0.0);
    assert_true(isinf(pivot->common.force_lo));
    dls_scene_destroy(scene);
}

TEST(test_repeats)
{
    dls_scene *scene = parse_scene("bodies:\n"
                                   "  - repeat: {j: 3, i: 2}\n"
                                   "    name: b{i}.{j+1}\n"
                                   "    shape: sphere\n"
                                   "    radius: {start: 1 cm, i: 1 mm}\n"
                                   "    mass: 1\n"
                                   "    position: {start: [0.5, 0, 1 m], i: [10 cm, 0, 0], j: [0, 0.25, -1]}\n"
                                   "  - {name: 'plain{i}', shape: sphere, radius: 1, mass: 1}\n"
                                   "joints:\n"
                                   "  - repeat: 2\n"
                                   "    name: c{i}\n"
                                   "    type: ball\n"
                                   "    body1: b{i}.2\n"
                                   "    body2: b{i}.{i+1}\n"
                                   "    anchor: ['{i}', 0, '-0.{i+7}5']\n");
    assert_int_equal(scene->n_bodies, 7);
    static const char *const names[] = {"b0.1", "b0.2", "b0.3", "b1.1", "b1.2", "b1.3", "plain{i}"};
    for (size_t k = 0; k < 7; k++)
        assert_string_equal(scene->bodies[k].name, names[k]);
    const dls_body_def *last = &scene->bodies[5];
    assert_close(last->radius, 0.011, 1e-17);
    assert_close(last->position.x, 0.6, 1e-15);
    assert_close(last->position.y, 0.5, 0.0);
    assert_close(last->position.z, -1.0, 0.0);
    assert_int_equal(last->place.line, 2);
    assert_string_equal(scene->joints[1].name, "c1");
    assert_string_equal(scene->joints[1].body[1], "b1.2");
    const dls_field *anchor = dls_joint_field(&scene->joints[1], "anchor");
    char text[128];
    dls_field_print(anchor, scene->joints[1].settings.values, text, sizeof text);
    dls_vec3 expected = dls_v3(1, 0, -0.85), read;
    memcpy(&read, (char *)scene->joints[1].settings.values + anchor->offset, sizeof read);
    assert_close(read.x, expected.x, 0.0);
    assert_close(read.z, expected.z, 0.0);
    dls_scene_destroy(scene);
}

/* The scenes of the project: each compiles, and the numbers of bodies and joints are what their names say. */
TEST(test_shipped_scenes)
{
    static const struct {
        const char *file;
        size_t bodies, joints;
    } scenes[] = {{"pendulum", 1, 1}, {"chain-10", 10, 10}, {"chain-100", 100, 100}, {"star-5", 0, 5}, {"loop", 0, 1}};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        char path[DLS_PATH_MAX];
        dls_scene *scene;
        dls_model *model;
        dls_error error;
        snprintf(path, sizeof path, "%s/scenes/%s.yaml", getenv("DLS_TEST_SOURCE"), scenes[i].file);
        assert_status(dls_scene_read(path, &scene, &error), &error);
        assert_int_equal(scene->n_bodies, scenes[i].bodies);
        assert_int_equal(scene->n_joints, scenes[i].joints);
        assert_status(dls_model_create(scene, &model, &error), &error);
        dls_problem *problem = problem_from_state(model, dls_model_initial(model), NULL, scene->world.step);
        for (size_t row = 0; row < problem->n; row++)
            assert_close(dls_problem_rows(problem)->row[row].C, 0.0,
                         1e-14 * (double)(scenes[i].bodies + 1)); /* the joints hold at the start */
        dls_problem_destroy(problem);
        dls_model_destroy(model);
        dls_scene_destroy(scene);
    }
}

/* --- wrong scenes --- */

#define BODY "bodies:\n  - name: a\n    shape: sphere\n    radius: 1\n    mass: 2\n"

typedef struct wrong {
    const char *text;
    long line;
    const char *key, *word;
} wrong;

/* The status of the reader, or else of dls_model_create. */
static bool refused(const wrong *w, const char *text, size_t size, size_t number)
{
    dls_scene *scene = NULL;
    dls_model *model = NULL;
    dls_error error = {.message = ""};
    char shown[2048];
    dls_status status = dls_scene_parse(text, size, "wrong", &scene, &error);
    if (status == DLS_OK)
        status = dls_model_create(scene, &model, &error);
    dls_error_format(&error, shown, sizeof shown);
    bool as_expected = status != DLS_OK && error.status == status && strcmp(error.file, "wrong") == 0 &&
                       error.line == w->line && strcmp(error.key, w->key) == 0 && strstr(error.message, w->word) &&
                       !strchr(error.message, '\n');
    dls_model_destroy(model);
    dls_scene_destroy(scene);
    if (!as_expected)
        print_error("case %zu: %s; expected line %ld, key '%s', '%s'\n", number, shown, w->line, w->key, w->word);
    return as_expected;
}

TEST(test_wrong_scenes)
{
    size_t failures = 0;
    static const wrong cases[] = {
        /* the file */
        {"", 0, "", "empty"},
        {"# only a comment\n\n", 1, "", "no content"},
        {"hello\n", 1, "", "expected a map"},
        {"- a\n", 1, "", "found a list"},
        {"tracks:\n  - {name: t, curve: {type: line, length: 1}, twist: [1]}\n" BODY, 2, "twist",
         "expected a twist, a map as in {type: constant, angle: 5 deg}"},
        {"name: x\n", 0, "bodies", "no bodies"},
        {"bodies: [\n", 2, "bodies", "not YAML"},
        {"bodies:\n  - name: a\n   mass: 2\n", 3, "bodies", "not YAML"},
        {"bodies:\n\t- name: a\n", 2, "", "indented with spaces"},
        {"name: caf\xe9\n", 1, "", "UTF-8"},
        {"name: a\nworld: {}\nname: \xed\xa0\x80\n", 3, "", "UTF-8"},
        {BODY "---\nname: second\n", 6, "", "second document"},
        /* what is not used of YAML */
        {"bodies: &b\n  - name: a\n", 1, "bodies", "anchors"},
        {"a: &a [x, x]\nb: &b [*a, *a]\n", 1, "a", "anchors"},
        {"bodies: *b\n", 1, "bodies", "aliases"},
        {"bodies:\n  - name: a\n    mass: !!float 2\n", 3, "mass", "tags"},
        {"bodies:\n  - {name: a, ? [x] : y}\n", 2, "bodies", "a key must be a word"},
        {"bodies: [[[[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]]]\n", 1, "bodies", "16 levels"},
        {"bodies:\n  - name: \"a\\0b\"\n", 2, "name", "control character"},
        {"name: |\n  two\n  lines\n", 1, "name", "control character"},
        /* keys */
        {"wrold: {}\n", 1, "wrold", "'world'"},
        {"q: {}\n", 1, "q",
         "name, constants, world, bodies, articulations, tracks, joints, tendons, sensors, apart, surfaces, pairs and "
         "changes"},
        {"world: {gravty: [0, 0, 0]}\n", 1, "gravty", "'gravity'"},
        {BODY "    masss: 2\n", 6, "masss", "'mass'"},
        {BODY "    mass: 2\n", 6, "mass", "duplicate key"},
        {BODY "name: a\nname: b\n", 7, "name", "duplicate key"},
        {BODY "joints:\n  - name: j\n    type: ball\n    body1: a\n    ancho: [0, 0, 0]\n", 10, "ancho", "'anchor'"},
        {BODY "joints:\n  - name: j\n    type: ball\n    body: a\n", 9, "body", "'body1'"},
        {"bodies:\n  - aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: 1\n", 2,
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "63 characters"},
        {"world:\n", 1, "world", "found nothing"},
        {"bodies: 3\n", 1, "bodies", "expected a list"},
        {"bodies: {name: a}\n", 1, "bodies", "expected a list"},
        {"bodies:\n  - a\n", 2, "bodies", "expected a body"},
        {"joints: [3]\n", 1, "joints", "expected a joint"},
        {"name: [a]\n", 1, "name", "expected a name"},
        /* values */
        {"bodies:\n  - name: a\n    mass:\n", 3, "mass", "no value"},
        {"bodies:\n  - name: a\n    mass: nan\n", 3, "mass", "NaN"},
        {"bodies:\n  - name: a\n    mass: .nan\n", 3, "mass", "not a number"},
        {"bodies:\n  - name: a\n    mass: -2\n", 3, "mass", "outside"},
        {"bodies:\n  - {name: a, shape: sphere, radius: 1, mass: 0}\n", 2, "mass", "must be positive"},
        {"bodies:\n  - name: a\n    mass: 2 m\n", 3, "mass", "wrong unit 'm'; write it in kg"},
        {"bodies:\n  - name: a\n    mass: 1e999\n", 3, "mass", "too large"},
        {"bodies:\n  - name: a\n    mass: 1e307 t\n", 3, "mass", "too large"},
        {"bodies:\n  - name: a\n    mass: [2]\n", 3, "mass", "not a number"},
        {"bodies:\n  - name: a\n    mass: {x: 2}\n", 3, "mass", "beside repeat"},
        {"bodies:\n  - name: a\n    static: yes\n", 3, "static", "neither true nor false"},
        {"bodies:\n  - name: a\n    shape: ball\n", 3, "shape", "none of none, box, sphere"},
        {"bodies:\n  - name: a\n    position: [1, 2]\n", 3, "position", "list of 3"},
        {"bodies:\n  - name: a\n    position: [1, 2, 3, 4]\n", 3, "position", "list of 3"},
        {"bodies:\n  - name: a\n    position: [1, 2, inf]\n", 3, "position", "finite"},
        {"bodies:\n  - name: a\n    position: [1, '2, 3']\n", 3, "position", "comma"},
        {"bodies:\n  - name: a\n    position: [1, 2, [3]]\n", 3, "position", "plain values"},
        {"bodies:\n  - name: a\n    position: '[1 cm, 2, 3] cm'\n", 3, "position", "leave one out"},
        {"bodies:\n  - name: a\n    orientation: [1, 1, 0, 0]\n", 3, "orientation", "must be 1"},
        {"world:\n  step: 0\n", 2, "step", "outside"},
        {"bodies:\n  - {name: a, kinematic: true, static: true}\n", 2, "static", "leave out one"},
        {"bodies:\n  - {name: a, kinematic: true, mass: 1}\n", 2, "mass", "has no mass"},
        {"bodies:\n  - {name: a, kinematic: true, shape: sphere, radius: 1, density: 1}\n", 2, "density",
         "has no mass"},
        {"bodies:\n  - {name: a, kinematic: true, inertia: [1, 1, 1]}\n", 2, "inertia", "has no mass"},
        {"bodies:\n  - {name: a, kinematic: true, force: [1, 0, 0]}\n", 2, "force", "nothing that acts"},
        {"bodies:\n  - {name: a, kinematic: true, torque: [1, 0, 0]}\n", 2, "torque", "nothing that acts"},
        {"bodies:\n  - {name: a, kinematic: true, shape: plane, omega: [1, 0, 0]}\n", 2, "omega", "make it a box"},
        {"bodies:\n  - {name: a, kinematic: true, swing: [1, 0, 0]}\n", 2, "period", "needs both"},
        {"bodies:\n  - {name: a, kinematic: true, period: 1}\n", 2, "swing", "needs both"},
        {"bodies:\n  - {name: a, kinematic: true, swing: [inf, 0, 0], period: 1}\n", 2, "swing", "finite"},
        {"bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1], swing: [1, 0, 0]}\n", 2, "swing", "only a kinematic"},
        {"bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1], period: 1}\n", 2, "period", "only a kinematic"},
        {"bodies:\n  - {name: a, static: true, velocity: [1, 0, 0]}\n", 2, "velocity", "does not move"},
        {"bodies:\n  - {name: a, static: true, omega: [1, 0, 0]}\n", 2, "velocity", "does not move"},
        {"bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1], velocity: [1, inf, 0]}\n", 2, "velocity", "finite"},
        {"bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1], omega: [inf, 0, 0]}\n", 2, "omega", "finite"},
        {"bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1], force: [inf, 0, 0]}\n", 2, "force", "finite"},
        {"bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1], torque: [inf, 0, 0]}\n", 2, "torque", "finite"},
        {"world: {gravity: [0, inf, 0]}\n", 1, "gravity", "finite"},
        {"world: {step: inf}\n", 0, "step", "finite"},
        /* names */
        {"bodies:\n  - shape: sphere\n", 2, "name", "needs a name"},
        {"bodies:\n  - name: world\n", 2, "name", "other than 'world'"},
        {BODY "  - name: a\n", 6, "name", "duplicate name 'a'"},
        {BODY "joints:\n  - {name: j, type: ball, body1: a}\n  - {name: j, type: ball, body1: a}\n", 8, "name",
         "duplicate name 'j'"},
        /* joints */
        {BODY "joints:\n  - {name: j, body1: a}\n", 7, "type", "missing"},
        {BODY "joints:\n  - {name: j, type: bal, body1: a}\n", 7, "type", "ball"},
        {BODY "joints:\n  - {name: j, type: [ball], body1: a}\n", 7, "type", "name of a joint type"},
        {BODY "joints:\n  - {name: j, type: ball, body1: a}\n", 7, "anchor", "missing"},
        {BODY "joints:\n  - {name: j, type: ball, body1: b, anchor: [0, 0, 0]}\n", 7, "body1", "'b'"},
        {BODY "joints:\n  - {name: j, type: ball, body1: a, body2: a, anchor: [0, 0, 0]}\n", 7, "body2",
         "two different"},
        /* repeats */
        {BODY "    repeat: 2\n", 2, "name", "duplicate name"},
        {BODY "    repeat: 0\n", 6, "i", "outside"},
        {BODY "    repeat: x\n", 6, "i", "not a whole number"},
        {BODY "    repeat: [2]\n", 6, "repeat", "expected a number"},
        {BODY "    repeat: {}\n", 6, "repeat", "expected a number"},
        {BODY "    repeat: {l: 2}\n", 6, "l", "unknown key"},
        {BODY "    repeat: {i: 10001}\n", 6, "i", "outside"},
        {"bodies:\n  - {repeat: {i: 9999, j: 9999}, name: 'a{i}.{j}'}\n", 2, "repeat", "would have 99980001"},
        {"bodies:\n  - {repeat: 2, name: 'a{j}'}\n", 2, "name", "no such counter"},
        {"bodies:\n  - {repeat: 2, name: 'a{i'}\n", 2, "name", "expected {i}"},
        {"bodies:\n  - {repeat: 2, name: 'a{i*2}'}\n", 2, "name", "no such counter"},
        {"bodies:\n  - {repeat: 2, name: 'a{i+}'}\n", 2, "name", "whole number"},
        {"bodies:\n  - {repeat: 2, name: 'a{i+123456}'}\n", 2, "name", "5 digits"},
        {"bodies:\n  - repeat: 2\n    name: a{i}\n    mass: {i: 2}\n", 4, "mass", "missing 'start'"},
        {"bodies:\n  - repeat: 2\n    name: a{i}\n    mass: {start: 1, j: 2}\n", 4, "j", "counter of this repeat"},
        {"bodies:\n  - repeat: 2\n    name: a{i}\n    mass: {start: 1 m, i: 2}\n", 4, "start", "wrong unit"},
        {"bodies:\n  - repeat: 2\n    name: a{i}\n    mass: {start: 1, i: -2}\n", 4, "mass", "outside"},
        {"bodies:\n  - repeat: 2\n    name: a{i}\n    position: {start: 1, i: [0, 0, 1]}\n", 4, "start", "3 numbers"},
        {"bodies:\n  - repeat: 2\n    name: {start: 1, i: 2}\n", 3, "name", "only numbers and vectors"},
        /* what dls_model_create finds, with the place that the reader kept */
        {"bodies:\n  - name: a\n    shape: sphere\n    radius: 1\n", 2, "mass", "needs a mass"},
        {"bodies:\n  - name: a\n    shape: box\n    mass: 1\n", 2, "size", "needs size"},
        {"world: {inertia: refuse}\nbodies:\n  - {name: a, mass: 1, inertia: [1, 1, 3]}\n", 3, "inertia",
         "no body has this inertia"},
        {"bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1], inertia_off: [1, 0, 0]}\n", 2, "inertia",
         "not positive definite"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        failures += !refused(&cases[i], cases[i].text, strlen(cases[i].text), i);
    assert_int_equal(failures, 0);
}

#define ARM "articulations:\n  - name: arm\n    links:\n      - {name: root, static: true}\n"
#define ROD(name, parent) "      - {name: " name ", parent: " parent ", shape: sphere, radius: 1, mass: 1, motion: "
#define TWO                                                      \
    ARM ROD("a", "root") "revolute, axis: [0, 1, 0]}\n" ROD("b", \
                                                            "a") "prismatic, axis: [1, 0, 0]}\n" /* lines 1 to 6 \
                                                                                                       */
#define JOINTS TWO "joints:\n  - {name: m, type: "

TEST(test_wrong_articulations)
{
    size_t failures = 0;
    static const wrong cases[] = {
        /* the section */
        {"articulations: 3\n", 1, "articulations", "expected a list"},
        {"articulations: [3]\n", 1, "articulations", "an articulation, a map"},
        {"articulations:\n  - {name: a}\n", 2, "links", "has links, or urdf"},
        {"articulations:\n  - {name: a, links: [], urdf: b}\n", 2, "urdf", "has links, or urdf"},
        {"articulations:\n  - {name: a, links: []}\n", 0, "links", "no links"},
        {"articulations:\n  - {name: a, link: []}\n", 2, "link", "'links'"},
        {"articulations:\n  - {name: a, links: 3}\n", 2, "links", "a list of links"},
        {"articulations:\n  - {links: [{name: a, static: true}]}\n", 2, "name", "needs a name"},
        {"articulations:\n  - {name: a.b, links: [{name: a, static: true}]}\n", 2, "name", "without dots"},
        {"articulations:\n  - {name: world, links: [{name: a, static: true}]}\n", 2, "name", "other than 'world'"},
        {TWO "  - {name: arm, links: [{name: a, static: true}]}\n", 7, "name", "duplicate name 'arm'"},
        {"articulations:\n  - {name: a, position: [0, 0, 0], links: [{name: a, static: true}]}\n", 2, "position",
         "robots from URDF; links"},
        {"articulations:\n  - {name: a, com_speed: 0, links: [{name: a, static: true}]}\n", 2, "com_speed", "outside"},
        {"articulations:\n  - {name: a, urdf: [b]}\n", 2, "urdf", "name of a URDF file"},
        {ARM "  - {name: 'b{i}', links: [{repeat: 2, name: 'x{i}', static: true}]}\n", 5, "parent", "has one root"},
        /* links */
        {ARM "      - {name: a, parent: root, masss: 2}\n", 5, "masss", "'mass'"},
        {ARM "      - {name: a, parent: root, anchr: [0, 0, 0]}\n", 5, "anchr", "'anchor'"},
        {ARM "      - {parent: root}\n", 5, "name", "needs a name"},
        {ARM "      - {name: root, parent: root, shape: sphere, radius: 1, mass: 1}\n", 5, "name",
         "taken by another link"},
        {ARM "      - {name: a, parent: rot}\n", 5, "parent", "no such link"},
        {ARM "      - {name: a, static: true}\n", 4, "parent", "without parent is 'a'"},
        {ARM ROD("a", "root") "revolut, axis: [0, 1, 0]}\n", 5, "motion", "'revolute'"},
        {ARM ROD("a", "root") "revolute}\n", 5, "axis", "needs an axis"},
        {ARM ROD("a", "root") "revolute, axis: [0, 0, 0]}\n", 5, "axis", "needs an axis"},
        {ARM ROD("a", "root") "revolute, axis: [0, 1, 0], axis2: [1, 0, 0]}\n", 5, "axis2", "has one axis"},
        {ARM ROD("a", "root") "fix, axis: [0, 1, 0]}\n", 5, "axis", "has no axis"},
        {ARM ROD("a", "root") "spherical-2, axis: [0, 1, 0]}\n", 5, "axis2", "second axis"},
        {ARM ROD("a", "root") "spherical-2, axis: [0, 1, 0], axis2: [0, 1, 1]}\n", 5, "axis2", "right angles"},
        {ARM ROD("a", "root") "spherical, axis2: [0, 1, 0]}\n", 5, "axis2", "needs a first"},
        {ARM ROD("a", "root") "spherical-2, axis: [0, 1, 0], axis2: [0, 0, 0]}\n", 5, "axis2", "right angles"},
        {ARM ROD("a", "root") "fix, kinematic: true}\n", 5, "kinematic", "cannot be kinematic"},
        {ARM ROD("a", "root") "fix, swing: [0, 0, 1]}\n", 5, "swing", "cannot be kinematic"},
        {ARM ROD("a", "root") "fix, period: 2}\n", 5, "swing", "cannot be kinematic"},
        {ARM ROD("a", "root") "fix, armature: 2}\n", 5, "armature", "does not have it"},
        {ARM ROD("a", "root") "fix, effort: 2}\n", 5, "effort", "does not have it"},
        {ARM ROD("a", "root") "xyz}\n", 5, "motion", "see delassus list motions"},
        {ARM ROD("a", "root") "spherical, q: 0.3}\n", 5, "q", "drawn at 0"},
        {ARM ROD("a", "root") "fix, start: 0.3}\n", 5, "start", "does not have it"},
        {ARM ROD("a", "root") "revolute, axis: [0, 1, 0], start2: 0.3}\n", 5, "start2", "does not have it"},
        {ARM ROD("a", "root") "prismatic, axis: [0, 1, 0], spin: [0, 0, 1]}\n", 5, "spin", "does not have it"},
        {ARM ROD("a", "root") "revolute, axis: [0, 1, 0], rotation: [0, 1, 0, 0]}\n", 5, "rotation",
         "does not have it"},
        {ARM ROD("a", "root") "spherical, speed: 2}\n", 5, "speed", "does not have it"},
        {ARM ROD("a", "root") "spherical-2, axis: [0, 1, 0], axis2: [1, 0, 0], start: inf}\n", 5, "start", "finite"},
        {ARM ROD("a", "root") "revolute, axis: [0, 1, 0], armature: -1}\n", 5, "armature", "outside"},
        {ARM ROD("a", "root") "revolute, axis: [0, 1, 0], velocity: [0, 1, 0]}\n", 5, "velocity", "only the root"},
        {ARM ROD("a", "root") "fix, static: true}\n", 5, "static", "only the root"},
        {ARM "      - {name: a, parent: root, motion: revolute, axis: [0, 1, 0]}\n", 5, "mass", "moves no mass"},
        {ARM "      - {name: a, parent: root, mass: 1}\n", 5, "inertia", "inertia"},
        {"articulations:\n  - {name: a, links: [{name: r}]}\n", 2, "mass", "without any mass"},
        {"articulations:\n  - {name: a, links: [{name: r, static: true, omega: [1, 0, 0]}]}\n", 2, "velocity",
         "static root"},
        {"articulations:\n  - {name: a, links: [{name: r, static: true, axis: [1, 0, 0]}]}\n", 2, "parent",
         "without a parent"},
        {"articulations:\n  - {name: a, links: [{name: r, static: true, anchor: [1, 0, 0]}]}\n", 2, "parent",
         "without a parent"},
        {"articulations:\n  - {name: a, links: [{name: r, static: true, axis2: [1, 0, 0]}]}\n", 2, "parent",
         "without a parent"},
        {"articulations:\n  - {name: a, links: [{name: r, static: true, joint: j}]}\n", 2, "parent",
         "without a parent"},
        {"articulations:\n  - {name: a, links: [{name: r, static: true, q: 0.1}]}\n", 2, "parent", "without a parent"},
        {"articulations:\n  - {name: a, links: [{name: r, static: true, start: 0.1}]}\n", 2, "start",
         "does not have it"},
        {"articulations:\n  - {name: a, links: [{name: r, static: true, motion: spherical}]}\n", 2, "motion",
         "the root has no joint"},
        {"articulations:\n  - {name: a, links: [{name: r, static: true, motion: xyz}]}\n", 2, "motion",
         "see delassus list motions"},
        {TWO "      - {name: c, parent: b, joint: a, shape: sphere, radius: 1, mass: 1}\n", 7, "joint",
         "another joint has the name 'a'"},
        {ARM ROD("s", "root") "spherical}\n" ROD("s.twist", "s") "revolute, axis: [0, 1, 0]}\n", 6, "joint",
         "axis of another joint is called 's.twist'"},
        {"bodies:\n  - {name: arm.b, static: true}\n" TWO, 2, "name", "rename the body"},
        {TWO "apart:\n  - {body1: arm.b, body2: arm.d}\n", 8, "body2", "no link 'd'"},
        /* ends */
        {JOINTS "ball, body1: arm.c, anchor: [0, 0, 0]}\n", 8, "body1", "articulation 'arm' has no link 'c'"},
        {JOINTS "ball, body1: arm.rot, anchor: [0, 0, 0]}\n", 8, "body1", "'root'"},
        {JOINTS "ball, body1: a, anchor: [0, 0, 0]}\n", 8, "body1", "there is no body 'a'"},
        {JOINTS "ball, body1: arm.a, body2: arm.a, anchor: [0, 0, 0]}\n", 8, "body2", "two different"},
        {JOINTS "ball, body1: arm.root, anchor: [0, 0, 0]}\n", 8, "body1", "cannot move"},
        {JOINTS "ball, body1: arm.b, anchor: [0, 0, 0], coordinates: {arm.a: 1}}\n", 8, "coordinates",
         "ties two bodies"},
        /* coordinates */
        {JOINTS "mimic}\n", 8, "coordinates", "at least two"},
        {JOINTS "mimic, coordinates: 3}\n", 8, "coordinates", "joint coordinates and their gears"},
        {JOINTS "mimic, coordinates: {arm.a: 1}}\n", 8, "coordinates", "at least two"},
        {JOINTS "drive, stiffness: 1}\n", 8, "coordinates", "at least one"},
        {JOINTS "mimic, coordinates: {arm.a: 1, arm.b: 0}}\n", 8, "arm.b", "not 0"},
        {JOINTS "mimic, coordinates: {arm.a: 1, arm.b: inf}}\n", 8, "arm.b", "finite"},
        {JOINTS "mimic, coordinates: {arm.a: 1, arm.b: x}}\n", 8, "arm.b", "not a number"},
        {JOINTS "mimic, coordinates: {arm.a: 1, arm.a: -1}}\n", 8, "arm.a", "duplicate key"},
        {JOINTS "mimic, coordinates: {arm.a: 1, arm.c: 2}}\n", 8, "arm.c", "no such joint"},
        {JOINTS "mimic, coordinates: {arm.a: 1, leg.a: 2}}\n", 8, "leg.a", "no such coordinate"},
        {JOINTS "mimic, coordinates: {arm.a: 1, arm.b: 2}, body1: arm.a}\n", 8, "body1", "acts on joint coordinates"},
        {JOINTS "mimic, coordinates: {arm.a: 1, arm.b: 2}, body2: arm.a}\n", 8, "body2", "acts on joint coordinates"},
        {JOINTS "mimic, coordinates: {arm.a: 1, arm.b: 2}, offset: inf}\n", 8, "offset", "finite"},
        {JOINTS "mimic, coordinates: {arm.a: 1, m: 2}}\n", 8, "m", "no coordinate"},
        {ARM ROD("f", "root") "fix}\n" ROD("s", "f") "spherical}\n" ROD(
             "t", "s") "spherical-2, axis: [0, 1, 0], axis2: [1, 0, 0]}\n"
                       "joints:\n  - {name: m, type: drive, stiffness: 1, coordinates: {arm.f: 1}}\n",
         9, "arm.f", "fix joint"},
        {ARM ROD("s",
                 "root") "spherical}\njoints:\n  - {name: m, type: drive, stiffness: 1, coordinates: {arm.s: 1}}\n",
         7, "arm.s", "several axes"},
        {ARM ROD("t", "root") "spherical-2, axis: [0, 1, 0], axis2: [1, 0, 0]}\njoints:\n  - {name: m, type: drive, "
                              "stiffness: 1, coordinates: {arm.t: 1}}\n",
         7, "arm.t", "several axes"},
        {ARM ROD("t", "root") "spherical-2, axis: [0, 1, 0], axis2: [1, 0, 0]}\njoints:\n  - {name: m, type: drive, "
                              "stiffness: 1, coordinates: {arm.t.x: 1}}\n",
         7, "arm.t.x", "no such axis"},
        {"articulations:\n  - {name: a, links: [{name: r, shape: sphere, radius: 1, mass: 1}]}\njoints:\n  - {name: m, "
         "type: drive, stiffness: 1, coordinates: {a.base.x: 1}}\n",
         4, "a.base.x", "floating base"},
        {BODY "joints:\n  - {name: j, type: ball, body1: a, anchor: [0, 0, 0]}\n  - {name: m, type: drive, stiffness: "
              "1, coordinates: {j: 1}}\n",
         8, "j", "no coordinate"},
        {BODY TWO "joints:\n  - {name: arm.pin, type: hinge, body1: a, anchor: [0, 0, 0], axis: [0, 1, 0]}\n"
                  "  - {name: m, type: drive, stiffness: 1, coordinates: {arm.pin: 1}}\n",
         14, "arm.pin", "rename it"},
        {BODY "joints:\n  - {name: m, type: mimic, coordinates: {n: 1, m: 2}}\n", 7, "n", "no such coordinate"},
        /* settings */
        {JOINTS "drive, coordinates: {arm.a: 1}}\n", 8, "stiffness", "stiffness or a damping"},
        {JOINTS "drive, coordinates: {arm.a: 1}, stiffness: -1}\n", 8, "stiffness", "outside"},
        {JOINTS "drive, coordinates: {arm.a: 1}, stiffness: inf}\n", 8, "stiffness", "finite"},
        {JOINTS "drive, coordinates: {arm.a: 1}, damping: 1, target: inf}\n", 8, "target", "finite"},
        {JOINTS "drive, coordinates: {arm.a: 1}, damping: 1, speed: inf}\n", 8, "speed", "finite"},
        {JOINTS "drive, coordinates: {arm.a: 1}, damping: 1, cfm: 0.1}\n", 8, "cfm", "leave it out"},
        {JOINTS "motor, coordinates: {arm.a: 1}, speed: inf}\n", 8, "speed", "finite"},
        {JOINTS "motor, coordinates: {arm.a: 1}, force: -1}\n", 8, "force", "outside"},
        {JOINTS "limit, coordinates: {arm.a: 1}}\n", 8, "lower", "lower or upper"},
        {JOINTS "limit, coordinates: {arm.a: 1}, lower: 2, upper: 1}\n", 8, "upper", "not be less"},
        {JOINTS "limit, coordinates: {arm.a: 1}, lower: inf}\n", 8, "lower", "lower or upper"},
        {JOINTS "contact, body1: arm.a, point: [0, 0, 0], normal: [0, 0, 1], force_lo: 1}\n", 8, "force_lo",
         "must contain 0"},
        {ARM "      - {name: frame, parent: root, motion: revolute, axis: [0, 1, 0], armature: 1}\n"
             "joints:\n  - {name: c, type: contact, body1: arm.frame, point: [0, 0, 0], normal: [0, 0, 1], mu: 1}\n",
         7, "friction_mass", "give the mass"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        failures += !refused(&cases[i], cases[i].text, strlen(cases[i].text), i);
    assert_int_equal(failures, 0);
}

/* --- changes --- */

#define TO_CHANGE                                                                                                  \
    "bodies:\n"                                                                                                    \
    "  - {name: a, mass: 1, inertia: [1, 1, 1]}\n"                                                                 \
    "  - {name: b, mass: 1, inertia: [1, 1, 1]}\n"                                                                 \
    "articulations:\n"                                                                                             \
    "  - {name: arm, links: [{name: base, static: true}, {name: x, parent: base, motion: prismatic, axis: [1, 0, " \
    "0], mass: 1, inertia: [1, 1, 1]}]}\n"                                                                         \
    "joints:\n"                                                                                                    \
    "  - {name: j, type: ball, body1: a, anchor: [0, 0, 0]}\n"                                                     \
    "changes:\n" /* lines 1 to 8 */

TEST(test_wrong_changes)
{
    size_t failures = 0;
    static const wrong cases[] = {
        {TO_CHANGE "  a\n", 9, "changes", "a list of changes"},
        {TO_CHANGE "  - a\n", 9, "", "a change, a map"},
        {TO_CHANGE "  - {remove: {bodies: [b]}}\n", 9, "time", "missing; give time of the change"},
        {TO_CHANGE "  - {time: 1}\n", 9, "", "changes nothing"},
        {TO_CHANGE "  - {time: 0, remove: {bodies: [b]}}\n", 9, "time", "outside"},
        {TO_CHANGE "  - {time: 1 kg, remove: {bodies: [b]}}\n", 9, "time", "wrong unit"},
        {TO_CHANGE "  - {time: 1, remove: {bodies: [b]}}\n  - {time: 1, remove: {bodies: [a]}}\n", 10, "time",
         "after the changes before it"},
        {TO_CHANGE "  - {time: 1, tracks: []}\n", 9, "tracks",
         "unknown key of a change; the keys are: time, remove, bodies, articulations, joints, tendons, sensors, apart"},
        {TO_CHANGE "  - {time: 1, removed: {bodies: [b]}}\n", 9, "removed", "'remove'"},
        {TO_CHANGE "  - {time: 1, remove: [b]}\n", 9, "remove", "what to remove"},
        {TO_CHANGE "  - {time: 1, remove: {boddies: [b]}}\n", 9, "boddies", "'bodies'"},
        {TO_CHANGE "  - {time: 1, remove: {trees: [b]}}\n", 9, "trees", "can be removed"},
        {TO_CHANGE "  - {time: 1, remove: {bodies: b}}\n", 9, "bodies", "a list of names"},
        {TO_CHANGE "  - {time: 1, remove: {bodies: [[b]]}}\n", 9, "", "a name"},
        {TO_CHANGE "  - {time: 1, remove: {bodies: [c]}}\n", 9, "bodies", "no body 'c'"},
        {TO_CHANGE "  - {time: 1, remove: {joints: [jj]}}\n", 9, "joints", "mean 'j'?"},
        {TO_CHANGE "  - {time: 1, remove: {links: [arm.y]}}\n", 9, "links", "no link 'arm.y'"},
        {TO_CHANGE "  - {time: 1, remove: {links: [arm.base]}}\n", 9, "links", "remove the articulation 'arm'"},
        {TO_CHANGE "  - {time: 1, remove: {bodies: [b]}}\n  - {time: 2, remove: {bodies: ['b*']}}\n", 10, "bodies",
         "no body 'b*'"},
        {TO_CHANGE "  - {time: 1, remove: {bodies: [b]}, bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]}\n", 9,
         "bodies", "removed and added"},
        {TO_CHANGE "  - {time: 1, remove: {links: [arm.x]}, articulations: [{name: arm, links: [{name: x, parent: "
                   "base, mass: 1}]}]}\n",
         9, "links", "removed and added"},
        {TO_CHANGE "  - {time: 1, bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]}\n", 9, "name",
         "duplicate name 'a'"},
        {TO_CHANGE "  - {time: 1, articulations: [{name: arm, links: [{name: y, mass: 1}]}]}\n", 9, "parent",
         "has a parent"},
        {TO_CHANGE "  - {time: 1, articulations: [{name: arm, floating: true, links: [{name: y, parent: x}]}]}\n", 9,
         "floating", "adds links to it"},
        {TO_CHANGE "  - {time: 1, bodies: [{repeat: {i: 500, j: 500}, name: 'c{i}-{j}', mass: 1, inertia: [1, 1, "
                   "1]}]}\n",
         9, "", "with those of all its changes"},
        {"changes: []\n" TO_CHANGE, 9, "changes", "duplicate key"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        failures += !refused(&cases[i], cases[i].text, strlen(cases[i].text), i);
    assert_int_equal(failures, 0);
}

/* By its first line that is neither blank nor a comment; nothing behind the size is looked at. */
TEST(test_how_a_scene_begins)
{
    static const struct {
        const char *text;
        bool is;
    } cases[] = {
        {"a:", true},
        {"a", false},
        {":", false},
        {"", false},
        {" \r\n\t", false},
        {"---", true},
        {"--", false},
        {"%YAML", true},
        {"%YAM", false},
        {"{", false},
        {"- ", true},
        {"-", false},
        {"# c\n a:", true},
        {"# c", false},
        {"#\n#\n\n  world:", true},
        {"#\n#a:", false},
        {"z:", true},
        {"Z:", true},
        {"A:", true},
        {"a_-'\":", true},
        {"a1:", false},
        {"a@:", false},
        {"a[:", false},
        {"a`:", false},
        {"a{:", false},
        {"a :", false},
        {"name 1:", false},
        {"\"world\": ", true},
        {"[1, 2]", false},
        {"%%MatrixMarket", false},
        {"{bodies:", true},
        {"{ \"world\":", true},
        {"{\"A\": 1, 'joints':", true},
        {"{\"A\":", false},
        {"{name:", false},
        {"{a: {bodies: 1},", false},
        {"{a: bodies,", false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const size_t size = strlen(cases[k].text);
        char longer[64];
        snprintf(longer, sizeof longer, "%s: {- ---", cases[k].text);
        if (dls_is_scene(cases[k].text, size) != cases[k].is || dls_is_scene(longer, size) != cases[k].is)
            fail_msg("'%s' is %sa scene", cases[k].text, cases[k].is ? "not " : "");
    }
}

TEST(test_zero_bytes)
{
    static const wrong inside = {NULL, 2, "", "zero byte"}, all = {NULL, 1, "", "zero byte"};
    static const char text[] = "name: a\nwor\0ld: {}\n";
    char *zeros = test_calloc(1, 1 << 20);
    assert_true(refused(&inside, text, sizeof text - 1, 0));
    assert_true(refused(&all, zeros, 1 << 20, 1));
    test_free(zeros);
}

TEST(test_deep_nesting_is_cheap)
{
    static const wrong deep = {NULL, 1, "a", "16 levels"};
    size_t size = 1 << 20;
    char *text = test_malloc(size);
    memset(text, '[', size);
    memcpy(text, "a: ", 3);
    assert_true(refused(&deep, text, size, 0));
    test_free(text);
}

static void assert_unreadable(const char *path, dls_status expected, const char *word)
{
    dls_scene *scene;
    dls_error error;
    assert_int_equal(dls_scene_read(path, &scene, &error), expected);
    assert_null(scene);
    assert_string_equal(error.file, path);
    assert_non_null(strstr(error.message, word));
}

TEST(test_files_that_cannot_be_read)
{
    assert_unreadable(".", DLS_IO, "folder");
    assert_unreadable("there-is-no-such-file.yaml", DLS_IO, "No such file");
    static const char name[] = "test_scene_reader.zeros.yaml";
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, (off_t)1 << 30), 0); /* 1 GB of zeros, without a block on the disk */
    close(file);
    assert_unreadable(name, DLS_BAD_INPUT, "larger than 256 MB");
    unlink(name);
}

/* The place of an error counts lines and columns from 1: that of the wrong value, key or name. */
TEST(test_places)
{
    static const struct {
        const char *text, *at; /* `at` stands in the second line */
    } cases[] = {{"name: x\nbodies: [{name: a, shape: sphere, radius: 1, mass: -1}]", "-1}"},
                 {"name: x\nbodies: [{name: a, shape: sphere, radius: 1, weight: 1}]", "weight"},
                 {"name: x\nworld: {step: 1 kg}", "1 kg"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const char *line = strchr(cases[k].text, '\n') + 1;
        dls_scene *scene;
        dls_error error;
        assert_int_equal(dls_scene_parse(cases[k].text, strlen(cases[k].text), "t", &scene, &error), DLS_BAD_INPUT);
        assert_int_equal(error.line, 2);
        assert_int_equal(error.column, strstr(line, cases[k].at) - line + 1);
    }
}
