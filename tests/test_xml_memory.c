/* Every allocation of libxml2 fails once, and once with all that follow: the readers of URDF and MJCF return the right
 * robot or the status DLS_NO_MEMORY, and never another robot. The hooks are libxml2's own; they are set before it is
 * used. */
#include "delassus/articulation.h"
#include "delassus/io.h"

#include "check.h"

#include <libxml/parser.h>
#include <libxml/xmlmemory.h>
#include <stdlib.h>
#include <string.h>

static size_t allocations, fail_at; /* counted from 1; 0: none fails */
static bool fail_on;                /* also all after it */
static long live;

static bool granted(void)
{
    ++allocations;
    return fail_at == 0 || (fail_on ? allocations < fail_at : allocations != fail_at);
}

static void *counted(void *memory)
{
    live += memory != NULL;
    return memory;
}

static void *hooked_malloc(size_t size) { return granted() ? counted(malloc(size)) : NULL; }
static char *hooked_strdup(const char *text) { return granted() ? counted(strdup(text)) : NULL; }
static void *hooked_realloc(void *memory, size_t size)
{
    if (!granted())
        return NULL;
    return memory ? realloc(memory, size) : counted(malloc(size));
}
static void hooked_free(void *memory)
{
    live -= memory != NULL;
    free(memory);
}

/* Every element and attribute that the reader knows. Missing, each of them but a name would give another robot. */
static const char robot[] =
    "<?xml version='1.0'?>\n<!-- a robot --><robot name='r&amp;d &#39;1&#39;' xmlns:xacro='http://ros.org/xacro'>\n"
    "<link name='world'/><link name='hull'><inertial><origin xyz='0.1 0.2 0.3' rpy='0.4 0.5 0.6'/><mass value='3'/>\n"
    "<inertia ixx='1.1' ixy='0.01' ixz='0.02' iyy='1.2' iyz='0.03' izz='1.3'/></inertial><visual/><collision/></link>\n"
    "<link name='&lt;arm&gt;'><inertial><mass value='2.385'/><inertia ixx='0.5' ixy='0' ixz='0' iyy='0.5' iyz='0' "
    "izz='0.5'/></inertial></link>\n"
    "<link name='hand'><inertial><mass value='1.7'/><inertia ixx='0.5' ixy='0' ixz='0' iyy='0.5' iyz='0' izz='0.5'/>"
    "</inertial></link>\n"
    "<link name='camera'><visual><origin xyz='.1 .2 .3' rpy='.4 .5 .6'/><geometry><mesh filename='a.stl' scale='1 2 "
    "3'/>"
    "</geometry><material name='m'/></visual><visual><geometry><box size='1 2 3'/></geometry>"
    "<material name='n'><color rgba='1 1 0 1'/></material></visual></link>\n"
    "<material name='m'><color rgba='0 0 1 1'/></material>\n"
    "<joint name='free' type='floating'><parent link='world'/><child link='hull'/><origin xyz='1 2 3' rpy='.3 .2 .1'/>"
    "</joint>\n"
    "<joint name='shoulder' type='revolute'><parent link='hull'/><child link='&lt;arm&gt;'/><origin xyz='1 0 0.5' "
    "rpy='0.7 0.8 0.9'/><axis xyz='0 1 1'/><limit lower='-1' upper='2' effort='5' velocity='3'/>\n"
    "<dynamics damping='0.7' friction='0.1'/></joint>\n"
    "<joint name='wrist' type='prismatic'><parent link='&lt;arm&gt;'/><child link='hand'/><axis xyz='0 0 1'/>"
    "<limit lower='-0.5' upper='0.5' effort='7' velocity='2'/><mimic joint='shoulder' multiplier='-2' offset='0.25'/>"
    "</joint>\n"
    "<joint name='mount' type='fixed'><parent link='hand'/><child link='camera'/><origin rpy='0 0 1.5'/></joint>\n"
    "</robot>\n";

/* The same of MJCF: what is missing would give another model, or one that is refused by another word. */
static const char model[] =
    "<?xml version='1.0'?>\n<!-- a model --><mujoco model='m &amp; n'><compiler angle='radian' eulerseq='XYZ'/>"
    "<option timestep='0.003' gravity='0 1 -9'><flag contact='disable'/></option>"
    "<default><joint damping='2'/><geom density='700'/><default class='c'><joint stiffness='3'/></default></default>"
    "<asset><mesh name='x' file='y.stl' scale='1 2 3'/><material name='z' rgba='1 0 0 1'/></asset>"
    "<worldbody><geom type='mesh' mesh='x' contype='0' conaffinity='0' mass='0'/>"
    "<site name='s' pos='0 0 3'/><body name='&lt;a&gt;' pos='1 2 3' euler='.1 .2 .3' childclass='c'>"
    "<joint name='j' axis='0 1 1' ref='.2' springref='.1' range='-1 2' limited='true' frictionloss='.3'/>"
    "<joint name='k' type='slide' armature='.4'/><geom type='capsule' fromto='0 0 0 0 0 1' size='.1'/>"
    "<geom type='box' size='.1 .2 .3' mass='2' pos='.1 0 0' material='z'/>"
    "<body name='b' quat='1 .1 .2 .3'><joint name='l' type='ball'/><inertial pos='.1 .2 .3' mass='3' fullinertia='3 4 "
    "5 .1 .2 .3'/>"
    "<site name='t' pos='0 0 1'/></body></body></worldbody>"
    "<tendon><spatial name='u' springlength='2' stiffness='4'><site site='s'/><site site='t'/></spatial>"
    "<fixed name='v' range='-1 1'><joint joint='j' coef='2'/><joint joint='k' coef='-3'/></fixed></tendon>"
    "<equality><joint joint1='j' joint2='k' polycoef='.1 .5'/><connect body1='b' anchor='0 1 0'/></equality>"
    "<actuator><position joint='j' kp='5'/></actuator><sensor><force site='t'/></sensor></mujoco>\n";

typedef struct text {
    char at[32768];
    size_t used;
} text;

static void put(text *to, const char *word)
{
    to->used += (size_t)snprintf(to->at + to->used, sizeof to->at - to->used, "%s ", word);
    assert_true(to->used < sizeof to->at);
}

static void put_reals(text *to, const void *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double value;
        char word[32];
        memcpy(&value, (const double *)from + i, sizeof value);
        snprintf(word, sizeof word, "%a", value);
        put(to, word);
    }
}

/* Everything that the reader fills. */
static void describe(const dls_articulation_def *def, size_t shapes, text *to)
{
    to->used = 0;
    put(to, def->name);
    put_reals(to, &(double[]){def->fixed_base, (double)def->n_links, (double)shapes}, 3);
    for (const dls_link_def *l = def->links; l < def->links + def->n_links; l++) {
        const char *const names[] = {l->name, l->parent, l->joint, l->motion ? l->motion->name : "-", l->mimic};
        const double values[] = {l->mass,    l->lower,    l->upper,      l->force_limit, l->speed_limit,
                                 l->damping, l->friction, l->multiplier, l->offset,      (double)l->axis[0]};
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            put(to, names[i]);
        put_reals(to, values, sizeof values / sizeof values[0]);
        put_reals(to, &l->centre, 3);
        put_reals(to, &l->inertia, 9);
        put_reals(to, &l->position, 3);
        put_reals(to, &l->orientation, 4);
        put_reals(to, &l->parent_frame, 7);
        put_reals(to, &l->child_frame, 7);
    }
    for (const dls_link_visual *v = def->visuals; v < def->visuals + def->n_visuals; v++) {
        put(to, v->link), put(to, v->mesh), put(to, v->model), put(to, v->wrong);
        put_reals(to, &v->size, 3);
        put_reals(to, &v->frame, 7);
        put_reals(to, &(double[]){v->shape, (double)v->colour, v->scale.x, v->scale.z}, 4);
    }
}

/* Also the joints and sensors of a scene. */
static void describe_scene(const dls_scene *scene, text *to)
{
    describe(scene->articulations[0], scene->n_bodies, to);
    put(to, scene->name);
    put_reals(to, &scene->world.gravity, 3);
    put_reals(to, &scene->world.step, 1);
    put_reals(
        to, (const double[]){scene->articulations[0]->links[1].q[0], scene->articulations[0]->links[2].armature[0]}, 2);
    for (const dls_joint_def *j = scene->joints; j < scene->joints + scene->n_joints; j++) {
        char value[64];
        put(to, j->name), put(to, j->type->name), put(to, j->body[0]), put(to, j->body[1]);
        put_reals(to, &j->common, 8);
        for (size_t k = 0; k < j->n_terms; k++)
            put(to, j->terms[k].coordinate), put_reals(to, j->terms[k].gears, DLS_GEARS_MAX);
        for (size_t k = 0; k < j->type->fields.count; k++) {
            dls_field_print(&j->type->fields.fields[k], j->settings.values, value, sizeof value);
            put(to, value);
        }
    }
    for (const dls_sensor_def *s = scene->sensors; s < scene->sensors + scene->n_sensors; s++) {
        put(to, s->link);
        put_reals(to, &s->position, 3);
    }
}

static text right, found;

static dls_status read_robot(dls_error *error, text *to)
{
    dls_articulation_def *def;
    size_t shapes = 0;
    DLS_TRY(dls_urdf_parse(robot, sizeof robot - 1, "robot.urdf", &def, &shapes, error));
    describe(def, shapes, to);
    dls_articulation_def_destroy(def);
    return DLS_OK;
}

static dls_status read_model(dls_error *error, text *to)
{
    dls_scene *scene;
    DLS_TRY(dls_scene_parse(model, sizeof model - 1, "model.xml", &scene, error));
    describe_scene(scene, to);
    dls_scene_destroy(scene);
    return DLS_OK;
}

typedef dls_status reader(dls_error *error, text *to);

static bool survives(reader *read, size_t which, bool all_after)
{
    dls_error error = {.message = ""};
    const long before = live;
    allocations = 0, fail_at = which, fail_on = all_after;
    dls_status status = read(&error, &found);
    fail_at = 0;
    const bool ok = status == DLS_OK ? strcmp(found.at, right.at) == 0
                                     : status == DLS_NO_MEMORY && error.status == status && error.message[0];
    xmlResetLastError();
    if (!ok)
        print_error("allocation %zu%s: status '%s', message '%s'%s\n", which, all_after ? " and all after it" : "",
                    dls_status_text(status), error.message, status == DLS_OK ? ", another robot" : "");
    if (live != before)
        print_message("allocation %zu: libxml2 keeps %ld blocks\n", which, live - before);
    return ok;
}

static void test_reader(reader *read)
{
    dls_error error;
    size_t failures = 0;
    for (int turn = 0; turn < 2; turn++) { /* the first one also for what libxml2 keeps */
        allocations = 0;
        assert_status(read(&error, &right), &error);
    }
    const size_t needed = allocations;
    assert_true(needed > 0);
    for (size_t k = 1; k <= needed && failures < 20; k++)
        failures += (size_t)!survives(read, k, false) + (size_t)!survives(read, k, true);
    assert_int_equal(failures, 0);
}

TEST(test_the_right_robot_or_no_memory)
{
    test_reader(read_robot);
    assert_non_null(strstr(right.at, "r&d '1' ")); /* entities of characters are read */
    assert_non_null(strstr(right.at, "<arm> "));
    assert_non_null(strstr(right.at, "camera a.stl robot.urdf "));
}

TEST(test_the_right_model_or_no_memory)
{
    test_reader(read_model);
    assert_non_null(strstr(right.at, "m & n "));
    assert_non_null(strstr(right.at, "<a>.j spring "));
    assert_non_null(strstr(right.at, "world y.stl model.xml "));
}

/* The same model from another file, whose elements are copied. */
static dls_status read_included(dls_error *error, text *to)
{
    static const char outer[] = "<mujoco><include file='test_xml_memory.model.xml'/></mujoco>";
    dls_scene *scene;
    DLS_TRY(dls_scene_parse(outer, sizeof outer - 1, "model.xml", &scene, error));
    describe_scene(scene, to);
    dls_scene_destroy(scene);
    return DLS_OK;
}

TEST(test_the_right_included_model_or_no_memory)
{
    static const char file[] = "test_xml_memory.model.xml";
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    assert_int_equal(fwrite(model, 1, sizeof model - 1, stream), sizeof model - 1);
    assert_int_equal(fclose(stream), 0);
    test_reader(read_included);
    assert_non_null(strstr(right.at, "<a>.j spring "));
    assert_int_equal(remove(file), 0);
}

/* libxml2 loses parts of what it copies where memory is exhausted; leak detection need not tell that again. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libxml2.so\n"; }

static int set_memory(void **unused)
{
    (void)unused;
    return xmlMemSetup(hooked_free, hooked_malloc, hooked_realloc, hooked_strdup);
}

static int clean_up(void **unused)
{
    (void)unused;
    xmlCleanupParser();
    return 0;
}
TESTS_WITH(set_memory, clean_up)
