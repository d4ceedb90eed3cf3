/* Every allocation of libxml2 fails once, and once with all that follow: the reader returns the right robot or the
 * status DLS_NO_MEMORY, and never another robot. The hooks are libxml2's own; they are set before it is used. */
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
    "<link name='camera'/>\n"
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
}

static text right;

static bool survives(size_t which, bool all_after)
{
    static text found;
    dls_articulation_def *def;
    dls_error error = {.message = ""};
    size_t shapes = 0;
    const long before = live;
    allocations = 0, fail_at = which, fail_on = all_after;
    dls_status status = dls_urdf_parse(robot, sizeof robot - 1, "robot.urdf", &def, &shapes, &error);
    fail_at = 0;
    bool ok = status == DLS_NO_MEMORY && error.status == status && error.message[0];
    if (status == DLS_OK) {
        describe(def, shapes, &found);
        ok = strcmp(found.at, right.at) == 0;
        dls_articulation_def_destroy(def);
    }
    xmlResetLastError();
    if (!ok)
        print_error("allocation %zu%s: status '%s', message '%s'%s\n", which, all_after ? " and all after it" : "",
                    dls_status_text(status), error.message, status == DLS_OK ? ", another robot" : "");
    if (live != before)
        print_message("allocation %zu: libxml2 keeps %ld blocks\n", which, live - before);
    return ok;
}

static void test_the_right_robot_or_no_memory(void **unused)
{
    (void)unused;
    dls_articulation_def *def;
    dls_error error;
    size_t shapes, failures = 0;
    for (int turn = 0; turn < 2; turn++) { /* the first one also for what libxml2 keeps */
        allocations = 0;
        assert_status(dls_urdf_parse(robot, sizeof robot - 1, "robot.urdf", &def, &shapes, &error), &error);
        describe(def, shapes, &right);
        dls_articulation_def_destroy(def);
    }
    assert_non_null(strstr(right.at, "r&d '1' ")); /* entities of characters are read */
    assert_non_null(strstr(right.at, "<arm> "));
    const size_t needed = allocations;
    assert_true(needed > 50);
    for (size_t k = 1; k <= needed && failures < 20; k++)
        failures += (size_t)!survives(k, false) + (size_t)!survives(k, true);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_right_robot_or_no_memory)};
    if (xmlMemSetup(hooked_free, hooked_malloc, hooked_realloc, hooked_strdup) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    xmlCleanupParser();
    return failed;
}
