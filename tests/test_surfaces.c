/* Surfaces of shapes: the coefficients between two of them, which shapes touch, and what a scene says of them. */
#include "delassus/articulation.h"
#include "delassus/delassus.h"

#include "check.h"
#include "failing_memory.h"
#include "problems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- rules --- */

/* A ball that rests on a floor, each with its surface, in a world with coefficients of its own. */
#define WORLD "world: {collide: true, friction: cone, mu: 0.5, torsion: 0.25, rolling: 0.125}\n"
#define BALL(floor, ball)                                             \
    "bodies:\n- {name: floor, shape: plane, static: true" floor "}\n" \
    "- {name: ball, shape: sphere, radius: 1, mass: 2, position: [0, 0, 1]" ball "}\n"
#define ON_STEEL BALL(", surface: rubber", ", surface: steel")
#define SURFACES(rubber, steel) "surfaces:\n- {name: rubber" rubber "}\n- {name: steel" steel "}\n"
#define PAIR(pair) "pairs:\n- {surface1: steel, surface2: rubber" pair "}\n"

/* The larger of each coefficient, or all those of higher priority; as many kinds as condim says; the coefficients of
 * the world where a surface has none, and 0 beyond its condim. A pair has its own. */
TEST(test_coefficients_between_two_surfaces)
{
    static const struct {
        const char *text;
        double mu, torsion, rolling; /* mu NaN: the two do not touch */
    } cases[] = {
        {WORLD BALL("", ""), 0.5, 0.25, 0.125},
        {WORLD ON_STEEL SURFACES("", ""), 0.5, 0.25, 0.125},
        {WORLD ON_STEEL SURFACES(", mu: 0.75", ", mu: 0.375"), 0.75, 0.25, 0.125},
        {WORLD ON_STEEL SURFACES(", mu: 0.375", ", mu: 0.0625"), 0.375, 0.25, 0.125},
        {WORLD ON_STEEL SURFACES(", mu: 0.75, torsion: 1 cm, rolling: 0", ", mu: 0.375, torsion: 2 cm, rolling: 1 mm"),
         0.75, 0.02, 0.001},
        {WORLD ON_STEEL SURFACES(", torsion: 1 cm, rolling: 0", ", torsion: 0, rolling: 0"), 0.5, 0.01, 0.0},
        {WORLD ON_STEEL SURFACES(", torsion: 1 cm, rolling: 1 mm, condim: 3", ", condim: 3"), 0.5, 0.0, 0.0},
        {WORLD ON_STEEL SURFACES(", torsion: 1 cm, rolling: 1 mm, condim: 3", ", condim: 4"), 0.5, 0.25, 0.0},
        {WORLD ON_STEEL SURFACES(", torsion: 1 cm, rolling: 1, condim: 3", ", condim: 6"), 0.5, 0.25, 1.0},
        {WORLD ON_STEEL SURFACES(", condim: 1", ", condim: 1"), 0.0, 0.0, 0.0},
        {WORLD ON_STEEL SURFACES(", condim: 1", ", condim: 3, mu: 0.25"), 0.5, 0.0, 0.0},
        {WORLD ON_STEEL SURFACES(", mu: 0.25, torsion: 0, rolling: 0, priority: 1", ", mu: 2"), 0.25, 0.0, 0.0},
        {WORLD ON_STEEL SURFACES(", mu: 0.25", ", mu: 0.125, condim: 3, priority: 0.5"), 0.125, 0.0, 0.0},
        {WORLD ON_STEEL SURFACES(", mu: 4, priority: -1", ", mu: 0.125, condim: 4"), 0.125, 0.25, 0.0},
        /* one alone has a surface */
        {WORLD BALL("", ", surface: steel") SURFACES("", ", mu: 0.25"), 0.5, 0.25, 0.125},
        {WORLD BALL("", ", surface: steel") SURFACES("", ", mu: 0.75"), 0.75, 0.25, 0.125},
        {WORLD BALL("", ", surface: steel") SURFACES("", ", mu: 0.25, condim: 3, priority: 1"), 0.25, 0.0, 0.0},
        {WORLD BALL("", ", surface: steel") SURFACES("", ", type: 0, affinity: 4"), 0.5, 0.25, 0.125},
        {WORLD BALL("", ", surface: steel") SURFACES("", ", type: 0, affinity: 0"), NAN, 0.0, 0.0},
        /* bits */
        {WORLD ON_STEEL SURFACES(", type: 2, affinity: 0", ", type: 0, affinity: 6"), 0.5, 0.25, 0.125},
        {WORLD ON_STEEL SURFACES(", type: 2, affinity: 4", ", type: 3, affinity: 1"), NAN, 0.0, 0.0},
        {WORLD ON_STEEL SURFACES(", type: 2147483648, affinity: 0", ", type: 0, affinity: 4294967295"), 0.5, 0.25,
         0.125},
        /* pairs, whose order does not matter */
        {WORLD ON_STEEL SURFACES(", condim: 1", ", condim: 1") PAIR(", mu: 0.375, torsion: 1 mm, rolling: 2 mm"), 0.375,
         0.001, 0.002},
        {WORLD ON_STEEL SURFACES(", mu: 2, condim: 4", ", mu: 1") PAIR(", rolling: 2 mm"), 2.0, 0.25, 0.002},
        {WORLD ON_STEEL SURFACES(", type: 0, affinity: 0", "") PAIR(""), 0.5, 0.25, 0.125},
        {WORLD "apart: [{body1: ball, body2: floor}]\n" ON_STEEL SURFACES("", "") PAIR(", mu: 1"), 1.0, 0.25, 0.125},
        {WORLD "apart: [{body1: ball, body2: floor}]\n" ON_STEEL SURFACES("", ""), NAN, 0.0, 0.0},
        /* sections may be in any order; a surface may be in a pair with itself */
        {SURFACES(", mu: 3", "") "pairs: [{surface1: rubber, surface2: rubber, mu: 0.0625}]\n" WORLD BALL(
             ", surface: rubber", ", surface: rubber"),
         0.0625, 0.25, 0.125},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        dls_model *model = parse_model(cases[k].text);
        dls_contacts contacts = contacts_at_start(model);
        if (contacts.count != !isnan(cases[k].mu))
            fail_msg("%zu contacts: %s", contacts.count, cases[k].text);
        if (contacts.count) {
            assert_close(contacts.at[0].mu, cases[k].mu, 0.0);
            assert_close(contacts.at[0].torsion, cases[k].torsion, 0.0);
            assert_close(contacts.at[0].rolling, cases[k].rolling, 0.0);
        }
        dls_contacts_release(&contacts);
        dls_model_destroy(model);
    }
}

/* Surfaces of links: of the link, of one of its shapes, of the link for shapes that have none. Links that are rigidly
 * one do not touch, even as a pair. */
TEST(test_surfaces_of_links)
{
    dls_model *model = parse_model(
        WORLD
        "surfaces: [{name: rough, mu: 4}, {name: smooth, mu: 0.75}]\n"
        "pairs: [{surface1: rough, surface2: rough, mu: 8}]\n"
        "bodies: [{name: floor, shape: plane, static: true}]\n"
        "articulations:\n- name: arm\n  links:\n"
        "  - {name: a, shape: sphere, radius: 1, mass: 1, position: [0, 0, 0.75], surface: rough}\n"
        "  - {name: b, parent: a, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0.75], surface: rough,\n"
        "     shapes: [{shape: sphere, radius: 1}, {shape: sphere, radius: 1, position: [8, 0, 0], surface: smooth}]}\n"
        "  - {name: c, parent: a, motion: revolute, axis: [0, 1, 0], mass: 1, inertia: [1, 1, 1],\n"
        "     position: [-1.5, 0, 0.75], surface: rough, shapes: [{shape: sphere, radius: 0.75}]}\n");
    static const double mu[] = {4.0, 4.0, 0.75, 4.0, 8.0, 8.0}; /* on the floor; c on a and on b */
    dls_contacts contacts = contacts_at_start(model);
    size_t found[6] = {0};
    assert_int_equal(contacts.count, 5);
    for (size_t k = 0; k < contacts.count; k++)
        for (size_t i = 0; i < sizeof mu / sizeof mu[0]; i++)
            found[i] += contacts.at[k].mu == mu[i];
    assert_int_equal(found[0], 3); /* a, b and c on the floor */
    assert_int_equal(found[2], 1);
    assert_int_equal(found[4], 1); /* c on a, which a joint connects, while a and b are one */
    dls_contacts_release(&contacts);
    dls_model_destroy(model);
}

/* A link that does not collide has shapes and surfaces, which are there, and no solid. */
TEST(test_links_that_pass)
{
    static const char *const links[] = {"shape: sphere, radius: 1, surface: rubber",
                                        "surface: rubber, shapes: [{shape: sphere, radius: 1}]",
                                        "shapes: [{shape: sphere, radius: 1, surface: rubber}]"};
    for (size_t k = 0; k < 3; k++)
        for (int passes = 0; passes < 2; passes++) {
            char text[512];
            snprintf(text, sizeof text,
                     "world: {collide: true}\nsurfaces: [{name: rubber}]\narticulations:\n- name: arm\n  links:\n"
                     "  - {name: a, mass: 1, inertia: [1, 1, 1], %s%s}\n",
                     passes ? "collide: false, " : "", links[k]);
            dls_model *model = parse_model(text);
            assert_int_equal(dls_model_count(model).solids, !passes);
            assert_int_equal(dls_model_articulations(model)[0].n_shapes, !passes);
            dls_model_destroy(model);
        }
}

/* A body that a change adds has a surface of the scene or of the change, and a pair of the change. */
TEST(test_changes_keep_surfaces)
{
    dls_scene *scene = parse_scene(
        WORLD
        "surfaces: [{name: steel, mu: 0.75, condim: 3}]\n"
        "bodies: [{name: floor, shape: plane, static: true, surface: steel}]\n"
        "changes:\n"
        "- {time: 1, bodies: [{name: one, shape: sphere, radius: 1, mass: 1, position: [0, 0, 1], surface: steel}]}\n"
        "- time: 2\n  bodies: [{name: two, shape: sphere, radius: 1, mass: 1, position: [9, 0, 1], surface: wood}]\n"
        "  surfaces: [{name: wood, mu: 3}]\n  pairs: [{surface1: steel, surface2: wood, mu: 2, torsion: 0, rolling: "
        "0}]\n"
        "- {time: 3, remove: {bodies: [one]}}\n");
    static const double mu[3][2] = {{0.75}, {0.75, 2.0}, {2.0}};
    static const size_t count[] = {1, 2, 1};
    for (size_t k = 0; k < 3; k++) {
        dls_model *model;
        dls_error error;
        assert_status(dls_model_create(scene->changes[k].after, &model, &error), &error);
        dls_contacts contacts = contacts_at_start(model);
        assert_int_equal(contacts.count, count[k]);
        for (size_t i = 0; i < count[k]; i++) {
            assert_close(contacts.at[i].mu, mu[k][i], 0.0);
            assert_true(contacts.at[i].torsion == 0.0 && contacts.at[i].rolling == 0.0);
        }
        dls_contacts_release(&contacts);
        dls_model_destroy(model);
    }
    dls_scene_destroy(scene);
}

/* --- wrong scenes --- */

#define LINK(keys) "articulations:\n- name: arm\n  links:\n  - {name: a, mass: 1, inertia: [1, 1, 1], " keys "}\n"

TEST(test_wrong_surfaces_are_refused)
{
    static const struct {
        const char *text;
        long line;
        const char *key, *message;
    } cases[] = {
        {WORLD BALL("", ", surface: rubber"), 4, "surface", "there is no surface 'rubber'; add it"},
        {WORLD BALL("", ", surface: ruber") SURFACES("", ""), 4, "surface", "did you mean 'rubber'?"},
        {WORLD BALL("", ", collide: false, surface: x") SURFACES("", ""), 4, "surface", "there is no surface 'x'"},
        {LINK("collide: false, shape: sphere, radius: 1, surface: x"), 4, "surface", "there is no surface 'x'"},
        {LINK("collide: false, shapes: [{shape: sphere, radius: 1, surface: x}]"), 4, "surface",
         "there is no surface 'x'"},
        {LINK("collide: false, surface: x, shapes: [{shape: sphere, radius: 1}]"), 4, "surface",
         "there is no surface 'x'"},
        {LINK("collide: false, surface: x, shapes: [{shape: mesh, mesh: none.stl}]"), 4, "surface",
         "there is no surface 'x'"},
        {LINK("collide: false, surface: x"), 4, "surface", "no shape"},
        {SURFACES("", "") "- {name: rubber}\n", 4, "name", "duplicate name 'rubber'"},
        {SURFACES("", "") "- {mu: 1}\n", 4, "name", "needs a name"},
        {SURFACES(", mu: -1", ""), 2, "mu", ""},
        {SURFACES(", mu: inf", ""), 2, "mu", ""},
        {SURFACES(", torsion: 1 kg", ""), 2, "torsion", "'kg'"},
        {SURFACES("", ", rolling: [1, 2]"), 3, "rolling", ""},
        {SURFACES("", ", condim: 2"), 3, "condim", ""},
        {SURFACES("", ", type: -1"), 3, "type", ""},
        {SURFACES("", ", affinity: 4294967296"), 3, "affinity", ""},
        {SURFACES("", ", priority: high"), 3, "priority", ""},
        {SURFACES("", ", friction: 1"), 3, "friction", "unknown key of a surface"},
        {"surfaces: {}\n", 1, "surfaces", "a list of surfaces"},
        {"surfaces: [rubber]\n", 1, "surfaces", "a surface, a map"},
        {"world: {collide: true}\n" SURFACES(", torsion: 1", ""), 3, "torsion", "cone, or box"},
        {"world: {collide: true, friction: box}\n" SURFACES("", ", rolling: 1"), 4, "rolling", "cone, or associated"},
        {"world: {collide: true}\n" SURFACES("", "") PAIR(", rolling: 1"), 6, "rolling", "cone, or associated"},
        {SURFACES("", "") "pairs: [{surface1: rubber, surface2: stel}]\n", 4, "surface2", "did you mean 'steel'?"},
        {SURFACES("", "") "pairs: [{surface1: x, surface2: steel}]\n", 4, "surface1", "there is no surface 'x'"},
        {SURFACES("", "") "pairs: [{surface1: steel}]\n", 4, "surface2", "missing"},
        {SURFACES("", "") PAIR("") "- {surface1: rubber, surface2: rubber}\n- {surface1: rubber, surface2: steel}\n", 7,
         "surface2", "'rubber' and 'steel' is given twice"},
        {SURFACES("", "") PAIR(", mu: -1"), 5, "mu", ""},
        {SURFACES("", "") PAIR(", condim: 3"), 5, "condim", "unknown key of a pair"},
        {"pair: []\n", 1, "pair", "did you mean 'pairs'?"},
        {"articulations:\n- name: arm\n  links:\n"
         "  - {name: a, mass: 1, inertia: [1, 1, 1], shapes: [{shape: sphere, radius: 1, surface: x}]}\n",
         4, "surface", "there is no surface 'x'"},
        {"articulations:\n- name: arm\n  links:\n"
         "  - {name: a, mass: 1, inertia: [1, 1, 1], visuals: [{shape: sphere, radius: 1, surface: x}]}\n",
         4, "surface", "unknown key of a visual"},
        {"surfaces: [{name: x}]\narticulations:\n- name: arm\n  links:\n"
         "  - {name: a, mass: 1, inertia: [1, 1, 1], surface: x}\n",
         5, "surface", "no shape"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        static const char body[] = "bodies: [{name: b, shape: sphere, radius: 1, mass: 1}]\n";
        const bool whole = strstr(cases[k].text, "bodies") || strstr(cases[k].text, "articulations");
        char text[1024];
        dls_error error = {.message = ""};
        snprintf(text, sizeof text, "%s%s", cases[k].text, whole ? "" : body);
        const dls_status status = try_scene(text, &error);
        if ((status != DLS_BAD_INPUT && status != DLS_NOT_FINITE) || error.line != cases[k].line ||
            strcmp(error.key, cases[k].key) != 0 || strcmp(error.file, "text") != 0 ||
            !strstr(error.message, cases[k].message))
            fail_msg("%s: status %d, %s:%ld: %s: %s", cases[k].text, status, error.file, error.line, error.key,
                     error.message);
    }
}

/* Values that a program puts into surfaces, pairs and the world are checked as those of a file, which has no NaN. */
TEST(test_assigned_coefficients_are_checked)
{
    static const double values[] = {-1.0, -HUGE_VAL, HUGE_VAL, NAN, 0.0, 0.5};
    static const char *const keys[DLS_FRICTIONS] = {"mu", "torsion", "rolling"};
    for (int k = 0; k < DLS_FRICTIONS; k++)
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
            for (int where = 0; where < 3; where++) {
                dls_scene *scene = parse_scene(WORLD ON_STEEL SURFACES("", "") PAIR(""));
                dls_model *model = NULL;
                dls_error error;
                double *const world[DLS_FRICTIONS] = {&scene->world.mu, &scene->world.torsion, &scene->world.rolling};
                *(where == 0   ? &scene->surfaces[1].friction[k]
                  : where == 1 ? &scene->pairs[0].friction[k]
                               : world[k]) = values[i];
                const dls_status status = dls_model_create(scene, &model, &error);
                const bool fine = isnan(values[i]) ? where < 2 : values[i] >= 0.0 && isfinite(values[i]);
                assert_int_equal(status == DLS_OK, fine);
                if (!fine) {
                    assert_string_equal(error.key, keys[k]);
                    assert_int_equal(error.line, where == 0 ? 7 : where == 1 ? 9 : 0);
                }
                dls_model_destroy(model);
                dls_scene_destroy(scene);
            }
    for (int which = 0; which < 4; which++) {
        static const char *const others[] = {"priority", "condim", "type", "affinity"};
        dls_scene *scene = parse_scene(WORLD ON_STEEL SURFACES("", ""));
        dls_model *model;
        dls_error error;
        dls_shape_surface *of = &scene->surfaces[0];
        if (which == 0)
            of->priority = NAN;
        else if (which == 1)
            of->condim = 5;
        else
            *(which == 2 ? &of->type : &of->affinity) = (size_t)1 << 32;
        assert_int_not_equal(dls_model_create(scene, &model, &error), DLS_OK);
        assert_string_equal(error.key, others[which]);
        dls_scene_destroy(scene);
    }
}

/* A definition that was never initialised is refused. */
TEST(test_stamps_of_surfaces)
{
    const dls_shape_surface surface = {.name = "rubber"};
    const dls_surface_pair pair = {.surface = {"rubber", "rubber"}};
    dls_scene *scene;
    dls_error error;
    assert_status(dls_scene_create(&scene, &error), &error);
    assert_int_equal(dls_scene_add_surface(scene, &surface, &error), DLS_BAD_ARGUMENT);
    assert_int_equal(dls_scene_add_pair(scene, &pair, &error), DLS_BAD_ARGUMENT);
    dls_scene_destroy(scene);
}

/* --- memory --- */

static dls_status read_surfaces(const void *text, dls_error *error)
{
    dls_scene *scene;
    dls_model *model = NULL;
    const char *name = strncmp(text, "<mujoco", 7) == 0 ? "model.xml" : "scene.yaml";
    dls_status status = dls_scene_parse(text, strlen(text), name, &scene, error);
    if (status == DLS_OK) {
        status = dls_model_create(scene, &model, error);
        dls_scene_destroy(scene);
    }
    dls_model_destroy(model);
    return status;
}

TEST(test_memory_of_surfaces_may_fail)
{
    static const char scene[] = WORLD ON_STEEL SURFACES("", ", mu: 1") PAIR(", mu: 2");
    static const char model[] =
        "<mujoco><worldbody><geom name='a' type='plane'/><geom type='plane' condim='4'/><body><freejoint/>"
        "<geom name='b' size='1'/></body></worldbody><contact><pair geom1='a' geom2='b'/></contact></mujoco>";
    fail_every_allocation(read_surfaces, scene, "a scene with surfaces");
    fail_every_allocation(read_surfaces, model, "a model with surfaces");
}

/* --- written scenes --- */

static dls_scene *written_and_read(const dls_scene *scene)
{
    char path[64];
    unsigned lost;
    dls_content content;
    dls_error error;
    snprintf(path, sizeof path, "surfaces-%ld.yaml", (long)getpid());
    assert_status(dls_scene_write(scene, path, &lost, &error), &error);
    assert_status(dls_file_load(path, NULL, &content, &error), &error);
    assert_int_equal(remove(path), 0);
    return content.scene;
}

static dls_problem *first_rows(const dls_scene *scene, dls_contacts *contacts)
{
    dls_model *model;
    dls_error error;
    assert_status(dls_model_create(scene, &model, &error), &error);
    *contacts = contacts_at_start(model);
    dls_problem *problem = problem_from_state(model, dls_model_initial(model), contacts, 0.001);
    dls_model_destroy(model);
    return problem;
}

/* All numbers of the contacts and of the rows, to the bit. */
static void assert_same_contacts(const dls_scene *one, const dls_scene *other, size_t count)
{
    dls_contacts a, b;
    dls_problem *p = first_rows(one, &a), *q = first_rows(other, &b);
    assert_int_equal(a.count, count);
    assert_int_equal(b.count, count);
    for (size_t k = 0; k < count; k++) {
        const dls_contact *x = &a.at[k], *y = &b.at[k];
        assert_true(x->body[0] == y->body[0] && x->body[1] == y->body[1] && x->feature == y->feature);
        assert_true(x->mu == y->mu && x->torsion == y->torsion && x->rolling == y->rolling);
        assert_true(x->gap == y->gap && x->friction == y->friction && x->friction_mass == y->friction_mass);
        assert_memory_equal(x->point, y->point, sizeof x->point);
        assert_memory_equal(&x->normal, &y->normal, sizeof x->normal);
    }
    assert_int_equal(p->n, q->n);
    assert_int_equal(p->J.n_blocks, q->J.n_blocks);
    assert_memory_equal(p->J.coef, q->J.coef, p->J.coef_at[p->J.n_blocks] * sizeof *p->J.coef);
    assert_memory_equal(p->c, q->c, p->n * sizeof *p->c);
    assert_memory_equal(p->mu, q->mu, p->n * sizeof *p->mu);
    assert_memory_equal(p->lo, q->lo, p->n * sizeof *p->lo);
    assert_memory_equal(p->hi, q->hi, p->n * sizeof *p->hi);
    assert_memory_equal(p->law, q->law, p->n * sizeof *p->law);
    assert_memory_equal(p->parent, q->parent, p->n * sizeof *p->parent);
    for (size_t i = 0; i < p->n; i++) {
        assert_string_equal(dls_problem_owner(p, i), dls_problem_owner(q, i));
        assert_string_equal(dls_problem_label(p, i), dls_problem_label(q, i));
    }
    dls_problem_destroy(p), dls_problem_destroy(q);
    dls_contacts_release(&a), dls_contacts_release(&b);
}

/* Places are binary fractions, so that frames are written without rounding. */
TEST(test_a_written_model_has_the_same_contacts)
{
    static const char text[] =
        "<mujoco><worldbody>"
        "<geom name='floor' type='plane' condim='1' friction='.3 .01 .001'/>"
        "<geom name='step' type='box' size='1 1 .25' pos='16 0 .25' condim='3' friction='.7'/>"
        "<body name='a' pos='0 0 .9375'><freejoint/><geom size='1' condim='3' friction='.1'/></body>"
        "<body name='b' pos='1.9375 0 .9375'><freejoint/><geom size='1' condim='4' friction='.9 .0123'/></body>"
        "<body name='c' pos='0 1.9375 .9375'><freejoint/>"
        "<geom size='1' condim='6' friction='.6 .1 .0321' priority='2'/></body>"
        "<body name='d' pos='8 0 .9375'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
        "<geom name='d' size='1' contype='2' conaffinity='4' friction='.2'/><geom size='.5' pos='0 0 -.5'/></body>"
        "<body name='e' pos='9.9375 0 .9375'><freejoint/><geom size='1' contype='4' conaffinity='0' condim='6'/></body>"
        "<body name='f' pos='16 0 1.4375'><freejoint/><geom name='f' size='1'/>"
        "<body name='g' pos='0 0 1.5'><joint axis='1 0 0'/><geom name='g' size='.75' priority='-1'/></body></body>"
        "<body name='h' pos='24 0 .9375'><freejoint/><geom name='h' size='1' contype='0' conaffinity='0'/></body>"
        "</worldbody><contact><pair geom1='f' geom2='g' condim='4' friction='.4 .4 .02'/>"
        "<pair geom1='h' geom2='floor' condim='6' friction='.15 .15 .025 .0035 .0035'/></contact></mujoco>";
    dls_scene *scene;
    dls_error error;
    assert_status(dls_scene_parse(text, strlen(text), "model.xml", &scene, &error), &error);
    dls_scene *back = written_and_read(scene);
    /* a b c on the floor; a on b and on c; the small ball of d on the floor; d on e, f on the step, f on g, h on the
     * floor; e, whose bits only d has, does not touch the floor, and neither does d */
    assert_same_contacts(scene, back, 10);
    assert_int_equal(back->n_pairs, 2);
    assert_true(back->n_surfaces == scene->n_surfaces && back->n_surfaces > 4);
    dls_scene *again = written_and_read(back);
    assert_same_contacts(scene, again, 10);
    dls_scene_destroy(scene);
    dls_scene_destroy(back);
    dls_scene_destroy(again);
}

static double value_of(const dls_field *field, const void *values)
{
    return *(const double *)((const char *)values + field->offset);
}

static void assert_same_fields(const dls_field_table *table, const void *a, const void *b)
{
    for (size_t i = 0; i < table->count; i++) {
        char x[256], y[256];
        const dls_field *field = &table->fields[i];
        dls_field_print(field, a, x, sizeof x);
        dls_field_print(field, b, y, sizeof y);
        assert_string_equal(x, y);
        if (field->kind == DLS_FIELD_REAL && !isnan(value_of(field, a)))
            assert_true(value_of(field, a) == value_of(field, b));
    }
}

/* All that a scene says of surfaces, also what it leaves to the world. */
TEST(test_a_written_scene_keeps_its_surfaces)
{
    dls_scene *scene = parse_scene(
        WORLD
        "surfaces:\n- {name: \"it's\", mu: 0.1, torsion: 1.1 cm, rolling: 3 mm, condim: 4, priority: -2.5, type: 7, "
        "affinity: 0}\n"
        "- {name: plain}\n- {name: free, mu: 0, condim: 1}\n"
        "pairs:\n- {surface1: plain, surface2: \"it's\"}\n- {surface1: free, surface2: plain, mu: 0, rolling: 0.7}\n"
        "bodies: [{name: a, shape: plane, static: true, surface: \"it's\"}]\n"
        "articulations:\n- name: arm\n  links:\n"
        "  - {name: a, mass: 1, inertia: [1, 1, 1], surface: plain, shape: sphere, radius: 1, position: [0, 0, 2]}\n");
    dls_scene *back = written_and_read(scene);
    assert_true(scene->n_surfaces == 3 && back->n_surfaces == 3 && scene->n_pairs == 2 && back->n_pairs == 2);
    for (size_t k = 0; k < 3; k++)
        assert_same_fields(&dls_shape_surface_fields, &scene->surfaces[k], &back->surfaces[k]);
    for (size_t k = 0; k < 2; k++)
        assert_same_fields(&dls_surface_pair_fields, &scene->pairs[k], &back->pairs[k]);
    assert_string_equal(back->bodies[0].surface, "it's");
    assert_string_equal(back->articulations[0]->shapes[0].surface, "plain");
    dls_scene_destroy(scene);
    dls_scene_destroy(back);
}
