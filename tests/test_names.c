/* Names found by hashing, and what a scene and a model of many parts cost: work is counted, not timed. */
#include "base/names.h"
#include "delassus/delassus.h"

#include "check.h"
#include "failing_memory.h"

#include <stdio.h>
#include <string.h>

/* Comparisons of strings by the library; those that the compiler has made inline are of constants. */
static size_t comparisons;
static long live_at_start; /* other files may have kept some memory */

static int note_live(void **state)
{
    (void)state;
    live_at_start = live;
    return 0;
}

TESTS_WITH(note_live, NULL)
int __real_strcmp(const char *a, const char *b);
int __real_strncmp(const char *a, const char *b, size_t n);
int __wrap_strcmp(const char *a, const char *b);
int __wrap_strncmp(const char *a, const char *b, size_t n);
int __wrap_strcmp(const char *a, const char *b)
{
    comparisons++;
    return __real_strcmp(a, b);
}
int __wrap_strncmp(const char *a, const char *b, size_t n)
{
    comparisons++;
    return __real_strncmp(a, b, n);
}

enum { MANY = 5000 };

/* Short names, long ones, and ones that differ in one letter alone. */
static const char *name_of(size_t i, char text[64])
{
    snprintf(text, 64, i % 3 == 0 ? "%zu" : i % 3 == 1 ? "a rather long name of body number %zu" : "%zu.link", i);
    return text;
}

static void fill(dls_names *names, size_t count)
{
    char text[64];
    for (size_t i = names->count; i < count; i++)
        assert_int_equal(dls_names_add(names, name_of(i, text), 7 * i), 7 * i);
    assert_int_equal(names->count, count);
}

TEST(test_find)
{
    char text[64];
    dls_names names = {0};
    assert_true(dls_names_find(&names, "") == SIZE_MAX);
    assert_int_equal(dls_names_add(&names, "", 0), 0); /* the empty name is a name */
    fill(&names, MANY);
    assert_int_equal(dls_names_find(&names, ""), 0);
    for (size_t i = 1; i < 2 * MANY; i++)
        assert_true(dls_names_find(&names, name_of(i, text)) == (i < MANY ? 7 * i : SIZE_MAX));
    for (size_t i = 1; i < MANY; i++) /* the first value stays */
        assert_int_equal(dls_names_add(&names, name_of(i, text), 1), 7 * i);
    assert_int_equal(names.count, MANY);
    dls_names_release(&names);
    assert_true(dls_names_find(&names, "") == SIZE_MAX);
    assert_int_equal(live, live_at_start);
}

TEST(test_shorten)
{
    char text[64];
    dls_names names = {0};
    fill(&names, MANY);
    dls_names_shorten(&names, 2 * MANY);
    assert_int_equal(names.count, MANY);
    dls_names_shorten(&names, 100);
    for (size_t i = 0; i < MANY; i++)
        assert_true(dls_names_find(&names, name_of(i, text)) == (i < 100 ? 7 * i : SIZE_MAX));
    fill(&names, MANY);
    for (size_t i = 0; i < MANY; i++)
        assert_int_equal(dls_names_find(&names, name_of(i, text)), 7 * i);
    dls_names_release(&names);
    assert_int_equal(live, live_at_start);
}

/* A call that finds no memory says so, changes nothing, and can be repeated. */
TEST(test_memory_may_fail)
{
    char text[64];
    size_t failures = 0;
    for (size_t k = 1;; k++) {
        dls_names names = {0};
        size_t failed = SIZE_MAX;
        allocations = 0, fail_at = k;
        for (size_t i = 0; i < 1000; i++)
            if (dls_names_add(&names, name_of(i, text), i) == SIZE_MAX) {
                assert_true(failed == SIZE_MAX && names.count == i);
                assert_true(dls_names_find(&names, name_of(i, text)) == SIZE_MAX);
                failed = i--;
            }
        fail_at = 0;
        for (size_t i = 0; i < 1000; i++)
            assert_int_equal(dls_names_find(&names, name_of(i, text)), i);
        dls_names_release(&names);
        assert_int_equal(live, live_at_start);
        if (failed == SIZE_MAX)
            break;
        failures++;
    }
    assert_true(failures >= 10); /* slots, entries and text have grown that often together */
}

/* Knuth's 1.5 and 2.5 are for tables that are half full; growing adds each name's way into the larger tables. */
TEST(test_probes)
{
    size_t before = 0;
    for (size_t n = 1000; n <= 64000; n *= 2) {
        dls_names names = {0};
        fill(&names, n);
        assert_below((double)names.probes, 4.0 * (double)n);
        if (before)
            assert_below((double)names.probes / (double)before, 2.3);
        before = names.probes;
        dls_names_release(&names);
    }
}

/* --- scenes and models --- */

enum { LINKS = 4 };

static void add_body(dls_scene *scene, size_t i)
{
    dls_error error;
    dls_body_def body;
    dls_body_default(&body);
    snprintf(body.name, sizeof body.name, "body%zu", i);
    body.shape = DLS_SHAPE_SPHERE;
    body.radius = 0.31;
    body.mass = 1.7;
    body.position = dls_v3((double)i, 0.0, 0.0);
    assert_status(dls_scene_add_body(scene, &body, &error), &error);
}

/* A hinge to the next body, or a drive on the hinge of that number. */
static void add_joint(dls_scene *scene, size_t i, bool drive)
{
    dls_error error;
    dls_joint_def joint;
    char name[32];
    assert_status(dls_joint_default(&joint, drive ? "drive" : "hinge", &error), &error);
    snprintf(name, sizeof name, "hinge%zu", i);
    snprintf(joint.name, sizeof joint.name, "%s%s", drive ? "drive of " : "", name);
    if (drive) {
        assert_status(dls_joint_couple(&joint, name, 1.0, &error), &error);
        assert_status(dls_joint_set(&joint, "damping", "0.3", &error), &error);
    } else {
        assert_status(dls_joint_set(&joint, "anchor", "[0.1, 0.2, 0.3]", &error), &error);
        snprintf(joint.body[0], sizeof joint.body[0], "body%zu", i);
        snprintf(joint.body[1], sizeof joint.body[1], "body%zu", i + 1);
        assert_status(dls_joint_set(&joint, "axis", "[0, 1, 0]", &error), &error);
    }
    assert_status(dls_scene_add_joint(scene, &joint, &error), &error);
    dls_joint_def_release(&joint);
}

/* A root and its children. */
static void add_articulation(dls_scene *scene, size_t a)
{
    dls_error error;
    dls_articulation_def *def;
    assert_status(dls_articulation_def_create(&def, &error), &error);
    snprintf(def->name, sizeof def->name, "fan%zu", a);
    for (size_t i = 0; i < LINKS; i++) {
        dls_posed_link link;
        dls_body_default(&link.body);
        assert_status(dls_fields_default(&dls_posed_joint_fields, &link.joint, &error), &error);
        snprintf(link.body.name, sizeof link.body.name, "link%zu", i);
        link.body.shape = DLS_SHAPE_SPHERE;
        link.body.radius = link.body.mass = 0.4;
        if (i) {
            snprintf(link.joint.parent, sizeof link.joint.parent, "link0");
            snprintf(link.joint.motion, sizeof link.joint.motion, "revolute");
            link.joint.axis = dls_v3(0, 1, 0);
        }
        assert_status(dls_articulation_def_add_posed(def, &link, &error), &error);
    }
    assert_status(dls_scene_add_articulation(scene, def, &error), &error);
}

static void add_link_joint(dls_scene *scene, size_t i)
{
    dls_error error;
    dls_joint_def joint;
    char name[DLS_NAME_MAX];
    assert_status(dls_joint_default(&joint, i % 2 ? "ball" : "motor", &error), &error);
    snprintf(joint.name, sizeof joint.name, "at link %zu", i);
    snprintf(name, sizeof name, "fan%zu.link%zu", i / LINKS, i % LINKS);
    if (i % 2) {
        memcpy(joint.body[0], name, sizeof name);
        assert_status(dls_joint_set(&joint, "anchor", "[0, 0, 0]", &error), &error);
    } else {
        assert_status(dls_joint_couple(&joint, name, 1.0, &error), &error);
        assert_status(dls_joint_set(&joint, "force", "1", &error), &error);
    }
    assert_status(dls_scene_add_joint(scene, &joint, &error), &error);
    dls_joint_def_release(&joint);
}

typedef struct work {
    size_t comparisons, allocations, bytes;
} work;

static work work_of(size_t n, bool articulated)
{
    dls_error error;
    dls_scene *scene;
    dls_model *model;
    comparisons = allocations = taken = 0;
    assert_status(dls_scene_create(&scene, &error), &error);
    for (size_t i = 0; i <= n; i++)
        if (!articulated)
            add_body(scene, i);
        else if (i % LINKS == 0)
            add_articulation(scene, i / LINKS);
    for (size_t i = 0; i < n; i++)
        if (articulated && i % LINKS)
            add_link_joint(scene, i);
        else if (!articulated)
            add_joint(scene, i, false), add_joint(scene, i, true);
    assert_status(dls_model_create(scene, &model, &error), &error);
    const work needed = {comparisons, allocations, taken};
    assert_int_equal(dls_model_count(model).joints, articulated ? n - n / LINKS : 2 * n);
    dls_model_destroy(model);
    dls_scene_destroy(scene);
    assert_int_equal(live, live_at_start);
    return needed;
}

/* Comparisons and allocations twice as many for twice the parts, and memory too; arrays that double may take a step
 * more: at most a factor of two of the bytes. */
static void check_linear(bool articulated)
{
    const work one = work_of(2000, articulated), two = work_of(4000, articulated), four = work_of(8000, articulated);
    assert_below((double)two.comparisons / (double)one.comparisons, 2.3);
    assert_below((double)four.comparisons / (double)two.comparisons, 2.3);
    assert_below((double)two.allocations / (double)one.allocations, 2.3);
    assert_below((double)four.allocations / (double)two.allocations, 2.3);
    assert_below((double)four.bytes / (double)one.bytes, 5.0);
}

TEST(test_scenes_are_linear)
{
    check_linear(false);
    check_linear(true);
}

/* --- robots, and scenes that are refused --- */

/* A chain of n sliders in URDF, each of which follows the one before, on n links that are fixed one to the next. */
static work work_of_robot(size_t n)
{
    static const char inertial[] = "<inertial><mass value='1.7'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
                                   "izz='1'/></inertial>";
    const size_t room = 600 * n;
    char *text = malloc(room);
    assert_non_null(text);
    size_t used = (size_t)snprintf(text, room, "<robot name='chain'><link name='l0'/>");
    for (size_t i = 1; i <= 2 * n; i++) {
        used += (size_t)snprintf(text + used, room - used,
                                 "<link name='l%zu'>%s</link><joint name='j%zu' type='%s'><parent link='l%zu'/>"
                                 "<child link='l%zu'/>",
                                 i, inertial, i, i <= n ? "fixed" : "continuous", i - 1, i);
        if (i > n + 1)
            used += (size_t)snprintf(text + used, room - used, "<mimic joint='j%zu'/>", i - 1);
        used += (size_t)snprintf(text + used, room - used, "</joint>\n");
    }
    used += (size_t)snprintf(text + used, room - used, "</robot>\n");
    assert_true(used < room - 1);
    dls_scene *scene;
    dls_model *model;
    dls_error error;
    comparisons = allocations = taken = 0;
    assert_status(dls_scene_parse(text, used, "chain.urdf", &scene, &error), &error);
    assert_status(dls_model_create(scene, &model, &error), &error);
    const work needed = {comparisons, allocations, taken};
    assert_int_equal(dls_model_count(model).nv, n);
    dls_model_destroy(model);
    dls_scene_destroy(scene);
    free(text);
    assert_int_equal(live, live_at_start);
    return needed;
}

TEST(test_robots_are_linear)
{
    const work one = work_of_robot(500), two = work_of_robot(1000), four = work_of_robot(2000);
    assert_below((double)two.comparisons / (double)one.comparisons, 2.3);
    assert_below((double)four.comparisons / (double)two.comparisons, 2.3);
    assert_below((double)four.allocations / (double)two.allocations, 2.3);
}

/* A million bodies in a hundred repeats, then articulations: refused before the first of them is made. */
TEST(test_too_many_parts_are_counted_first)
{
    enum { REPEATS = 100 };
    static char text[16384];
    size_t used = (size_t)snprintf(text, sizeof text, "bodies:\n");
    dls_scene *scene;
    dls_error error;
    for (int i = 0; i < REPEATS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "  - {repeat: 10000, name: 'b%d-{i}', shape: sphere, radius: 1, mass: 1}\n", i);
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "articulations:\n  - name: a\n    links:\n      - {name: root, static: true}\n"
                             "      - {repeat: {i: 7, j: 11}, name: 'l{i}-{j}', parent: root, shape: sphere, radius: "
                             "1, mass: 1}\n");
    taken = 0;
    assert_int_equal(dls_scene_parse(text, used, "many.yaml", &scene, &error), DLS_BAD_INPUT);
    assert_string_equal(error.message,
                        "the scene would have 1000078 bodies, links, tracks and joints; at most 250000 are read");
    assert_string_equal(error.key, "repeat");
    assert_int_equal(error.line, 27);
    assert_below((double)taken, 100.0 * (double)used);
    assert_int_equal(live, live_at_start);
    text[used = (size_t)snprintf(text, sizeof text, "bodies:\n  - {repeat: x, name: b}\n")] = '\0';
    assert_int_equal(dls_scene_parse(text, used, "many.yaml", &scene, &error), DLS_BAD_INPUT);
    assert_non_null(strstr(error.message, "not a whole number"));
}

/* --- references and lists in settings --- */

typedef struct watch {
    dls_reference joint, end, ground, other;
    dls_list gains;
} watch;
#define WATCH(key, kind, fallback)                                                                           \
    {                                                                                                        \
#key, "", DLS_FIELD_##kind, offsetof(watch, key), fallback, 0, 0, false, NULL, "what it is to watch" \
    }
static const dls_field watch_fields[] = {WATCH(joint, JOINT, NULL), WATCH(end, END, NULL), WATCH(ground, END, "world"),
                                         WATCH(other, TRACK, ""), WATCH(gains, REALS, "1, 2, 4")};

/* The settings that a type sees in place(). */
static dls_status place_watch(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const watch *settings = joint->settings;
    (void)end, (void)error;
    assert_int_equal(settings->joint.index, 2); /* of the model, though defined later */
    assert_ptr_equal(settings->joint.object, joint + 2);
    assert_int_equal(settings->end.index, 3 + 2); /* bodies, then links */
    assert_null(settings->end.object);
    assert_true(settings->ground.index == DLS_WORLD);
    assert_true(settings->other.index == SIZE_MAX && !settings->other.object);
    assert_int_equal(settings->gains.count, 3);
    assert_close(settings->gains.reals[2], 4.0, 0.0);
    return DLS_OK;
}

static size_t count_none(const dls_joint *joint)
{
    (void)joint;
    return 0;
}

static const dls_joint_type watch_type = {
    .name = "watch", .fields = DLS_FIELD_TABLE(watch_fields, watch), .place = place_watch, .count = count_none};

static dls_status build_watch(const char *joint, const char *end, dls_error *error)
{
    dls_scene *scene;
    dls_model *model = NULL;
    assert_status(dls_scene_create(&scene, error), error);
    for (size_t i = 0; i < 3; i++)
        add_body(scene, i);
    add_articulation(scene, 0);
    dls_joint_def def;
    assert_status(dls_joint_default(&def, "ball", error), error);
    dls_settings_release(&def.settings);
    def.type = &watch_type;
    assert_status(dls_settings_create(&watch_type.fields, &def.settings, error), error);
    snprintf(def.name, sizeof def.name, "watch");
    snprintf(def.body[0], sizeof def.body[0], "body0");
    assert_status(dls_joint_set(&def, "joint", joint, error), error);
    assert_status(dls_joint_set(&def, "end", end, error), error);
    assert_status(dls_scene_add_joint(scene, &def, error), error);
    add_joint(scene, 0, false);
    add_joint(scene, 1, false);
    dls_status status = dls_model_create(scene, &model, error);
    dls_scene_destroy(scene);
    dls_model_destroy(model);
    return status;
}

TEST(test_references_are_resolved)
{
    dls_error error;
    assert_status(build_watch("hinge1", "fan0.link2", &error), &error);
    assert_int_equal(build_watch("hinge8", "fan0.link2", &error), DLS_BAD_INPUT);
    assert_string_equal(error.message, "there is no joint 'hinge8'; did you mean 'hinge0'?");
    assert_string_equal(error.key, "joint");
    assert_int_equal(build_watch("hinge1", "fan0.lnk2", &error), DLS_BAD_INPUT);
    assert_string_equal(error.message, "articulation 'fan0' has no link 'lnk2'; did you mean 'link2'?");
    assert_string_equal(error.key, "end");
    assert_int_equal(live, live_at_start);
}
