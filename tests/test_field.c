/* Field tables: every default parses and prints back, units convert, ranges hold, and doc/scene-format.md says the
 * same. */
#include "base/text.h"
#include "delassus/delassus.h"

#include "check.h"
#include "draws.h"
#include "failing_memory.h"

#include <stdio.h>
#include <string.h>

/* --- every table of the library --- */

static void check_key(const dls_field_table *table, size_t i)
{
    const dls_field *field = &table->fields[i];
    assert_true(strlen(field->key) > 0 && strlen(field->key) < DLS_NAME_MAX);
    assert_true(strlen(field->help) > 0 && !strchr(field->help, '\n'));
    for (const char *c = field->key; *c; c++)
        assert_true((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_');
    for (size_t j = 0; j < i; j++)
        assert_string_not_equal(table->fields[j].key, field->key);
    assert_true(field->offset < table->size);
    assert_true(field->min <= field->max);
    if (strcmp(field->key, "position") == 0 || strcmp(field->key, "anchor") == 0) /* a place may be anywhere */
        assert_true(field->min == 0.0 && field->max == 0.0 && !field->open_min);
    assert_int_equal(field->kind == DLS_FIELD_CHOICE || field->kind == DLS_FIELD_CHOICES, field->choices != NULL);
}

/* dls_field_set reads the text that dls_field_print writes, and it is printed again. */
static void check_prints_back(const dls_field_table *table, const dls_field *field, const void *settings)
{
    dls_error error;
    void *again = test_malloc(table->size);
    size_t length = dls_field_print(field, settings, NULL, 0);
    char *text = test_malloc(length + 1), *text_again = test_malloc(length + 1), cut[3];
    assert_int_equal(dls_field_print(field, settings, text, length + 1), length);
    assert_int_equal(strlen(text), length);
    assert_int_equal(dls_field_print(field, settings, cut, sizeof cut), length);
    assert_memory_equal(cut, text, length < 2 ? length : 2);
    assert_int_equal(strlen(cut), length < 2 ? length : 2);
    assert_status(dls_fields_default(table, again, &error), &error);
    assert_status(dls_field_set(table, again, field->key, text, &error), &error);
    dls_field_print(field, again, text_again, length + 1);
    assert_string_equal(text, text_again);
    dls_fields_release(table, again);
    test_free(text);
    test_free(text_again);
    test_free(again);
}

static void check_table(const dls_field_table *table)
{
    dls_error error;
    void *settings = test_malloc(table->size);
    memset(settings, 0xa5, table->size);
    assert_true(table->size > 0);
    assert_status(dls_fields_default(table, settings, &error), &error);
    for (size_t i = 0; i < table->count; i++) {
        check_key(table, i);
        if (table->fields[i].fallback && *table->fields[i].fallback)
            check_prints_back(table, &table->fields[i], settings);
    }
    dls_fields_release(table, settings);
    test_free(settings);
}

TEST(test_every_table)
{
    const dls_field_table *const tables[] = {
        &dls_world_fields,        &dls_body_fields,          &dls_joint_def_fields, &dls_joint_common_fields,
        &dls_posed_joint_fields,  &dls_sensor_fields,        &dls_apart_fields,     &dls_shape_surface_fields,
        &dls_surface_pair_fields, &dls_link_ellipsoid_fields};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        check_table(tables[i]);
    for (size_t i = 0; dls_joint_types[i]; i++) {
        check_table(&dls_joint_types[i]->fields);
        for (size_t k = 0; k < dls_joint_types[i]->fields.count; k++) { /* one name, one meaning in a joint's map */
            assert_null(dls_field_find(&dls_joint_common_fields, dls_joint_types[i]->fields.fields[k].key));
            assert_null(dls_field_find(&dls_joint_def_fields, dls_joint_types[i]->fields.fields[k].key));
        }
    }
    for (size_t i = 0; dls_schemes[i]; i++)
        check_table(&dls_schemes[i]->fields);
}

/* --- kinds, units, ranges --- */

typedef struct things {
    double length, angle, plain, inertia, share, open, any;
    size_t count, many;
    bool flag;
    int choice;
    dls_vec3 vector;
    dls_quat quat;
    char name[DLS_NAME_MAX];
    dls_list steps, counts, laws, names;
    dls_reference track, joint, end;
} things;

static const char *const choices[] = {"one|eins", "two", NULL};
#define THING(key, unit, kind, fallback, min, max, open, choices)                                         \
    {                                                                                                     \
#key, unit, DLS_FIELD_##kind, offsetof(things, key), fallback, min, max, open, choices, "a thing" \
    }
static const dls_field fields[] = {
    THING(length, "m", REAL, NULL, 0, 0, false, NULL),
    THING(angle, "rad", REAL, "", 0, 0, false, NULL),
    THING(plain, "", REAL, "1", 0, 0, false, NULL),
    THING(inertia, "kg m^2", REAL, "1", 0, 0, false, NULL),
    THING(share, "", REAL, "0", 0, 1, false, NULL),
    THING(open, "kg", REAL, "1", 0, HUGE_VAL, true, NULL),
    THING(any, "N", REAL, "0", -HUGE_VAL, HUGE_VAL, false, NULL),
    THING(count, "", COUNT, "3", 1, 10, false, NULL),
    THING(many, "", COUNT, "0", 0, 0, false, NULL),
    THING(flag, "", BOOL, "false", 0, 0, false, NULL),
    THING(choice, "", CHOICE, "one", 0, 0, false, choices),
    THING(vector, "m", VEC3, NULL, 0, 0, false, NULL),
    THING(quat, "", QUAT, "[1, 0, 0, 0]", 0, 0, false, NULL),
    THING(name, "", NAME, NULL, 0, 0, false, NULL),
    THING(steps, "s", REALS, "1 ms, 2 ms, 0.5 s", 0, 1, true, NULL),
    THING(counts, "", COUNTS, "", 1, 100, false, NULL),
    THING(laws, "", CHOICES, "[two, one, two]", 0, 0, false, choices),
    THING(names, "", NAMES, NULL, 0, 0, false, NULL),
    THING(track, "", TRACK, NULL, 0, 0, false, NULL),
    THING(joint, "", JOINT, "", 0, 0, false, NULL),
    THING(end, "", END, "world", 0, 0, false, NULL),
};
static const dls_field_table table = DLS_FIELD_TABLE(fields, things);

static double set_real(const char *key, const char *text)
{
    things t;
    double value;
    dls_error error;
    assert_status(dls_fields_default(&table, &t, &error), &error);
    assert_status(dls_field_set(&table, &t, key, text, &error), &error);
    memcpy(&value, (char *)&t + dls_field_find(&table, key)->offset, sizeof value);
    dls_fields_release(&table, &t);
    return value;
}

TEST(test_units)
{
    assert_close(set_real("length", "0.5"), 0.5, 0.0);
    assert_close(set_real("length", " 0.5 m "), 0.5, 0.0);
    assert_close(set_real("length", "0.5m"), 0.5, 0.0);
    assert_close(set_real("length", "25 mm"), 0.025, 1e-17);
    assert_close(set_real("length", "-3 cm"), -0.03, 1e-17);
    assert_close(set_real("angle", "30 deg"), 0.52359877559829887, 1e-16);
    assert_close(set_real("inertia", "2.5 kg m^2"), 2.5, 0.0);
    assert_close(set_real("open", "0x1p-3 g"), 1.25e-4, 1e-19);
    assert_true(set_real("any", "-inf N") == -HUGE_VAL);
    assert_true(set_real("any", "+Infinity") == HUGE_VAL);
}

/* Every unit that is converted, to its own unit and to no other. */
TEST(test_all_units)
{
    static const struct {
        const char *unit, *to;
        double factor;
    } units[] = {
        {"mm", "m", 1e-3},
        {"cm", "m", 1e-2},
        {"km", "m", 1e3},
        {"g", "kg", 1e-3},
        {"t", "kg", 1e3},
        {"ms", "s", 1e-3},
        {"us", "s", 1e-6},
        {"deg", "rad", DLS_PI / 180.0},
        {"rpm", "rad/s", 2.0 * DLS_PI / 60.0},
        {"deg/s", "rad/s", DLS_PI / 180.0},
        {"kN", "N", 1e3},
        {"mm/s", "m/s", 1e-3},
        {"mHz", "Hz", 1e-3},
        {"kHz", "Hz", 1e3},
        {"MHz", "Hz", 1e6},
        {"m", "m", 1},
        {"rad/s", "rad/s", 1},
        {"kg m^2", "kg m^2", 1},
    };
    static const char *const of[] = {"m", "kg", "s", "rad", "rad/s", "N", "m/s", "Hz", "kg m^2", ""};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        for (size_t k = 0; k < sizeof of / sizeof of[0]; k++) {
            char text[64];
            double value = 0.0;
            const char *end;
            dls_error error;
            snprintf(text, sizeof text, "-3.5 %s,", units[i].unit);
            const dls_status status = dls_parse_real(text, of[k], &value, &end, &error);
            if (strcmp(units[i].unit, "kg m^2") == 0 && strcmp(of[k], "kg") == 0) {
                assert_status(status, &error);
                assert_string_equal(end, " m^2,"); /* kilograms, and something else */
            } else if (strcmp(units[i].to, of[k]) == 0) {
                assert_status(status, &error);
                assert_close(value, -3.5 * units[i].factor, 4e-16 * 3.5 * units[i].factor);
                assert_string_equal(end, ",");
            } else {
                assert_int_equal(status, DLS_BAD_INPUT);
                assert_non_null(strstr(error.message, *of[k] ? "wrong unit '" : "after a number without unit"));
            }
        }
}

/* Text of more than 40 characters is cut in messages. */
TEST(test_long_units)
{
    char text[64] = "1 ";
    double value;
    dls_error error;
    for (size_t length = 39; length <= 41; length++) {
        char shown[64];
        memset(text + 2, 'u', length);
        text[2 + length] = '\0';
        snprintf(shown, sizeof shown, "'%.40s'", text + 2);
        assert_int_equal(dls_parse_real(text, "m", &value, NULL, &error), DLS_BAD_INPUT);
        assert_non_null(strstr(error.message, shown));
        assert_int_equal(dls_parse_real(text, "", &value, NULL, &error), DLS_BAD_INPUT);
        assert_non_null(strstr(error.message, shown));
    }
}

/* The last value that is taken on each side of a limit, and the first that is not. */
TEST(test_limits)
{
    char name[DLS_NAME_MAX + 1], list[DLS_NAME_MAX + 4];
    memset(name, 'n', sizeof name);
    name[DLS_NAME_MAX - 1] = '\0';
    snprintf(list, sizeof list, "[%s]", name);
    const struct {
        const char *key, *text, *said; /* NULL: it is taken */
    } cases[] = {
        {"share", "0", NULL},
        {"share", "1", NULL},
        {"share", "1.0000000000000002", "1.0000000000000002 is outside [0, 1]"},
        {"share", "-5e-324", "is outside [0, 1]"},
        {"open", "5e-324", NULL},
        {"open", "inf", NULL},
        {"open", "0", "0 is outside (0, inf) kg"},
        {"any", "inf", NULL},
        {"any", "-inf", NULL},
        {"plain", "inf", "must be finite"},
        {"plain", "-inf", "must be finite"},
        {"plain", "1.7976931348623157e308", NULL},
        {"count", "1", NULL},
        {"count", "10", NULL},
        {"count", "0", "0 is outside [1, 10]"},
        {"count", "11", "11 is outside [1, 10]"},
        {"count", " 7 \t", NULL},
        {"count", "", "'' is not a whole number"},
        {"count", "x", "'x' is not a whole number"},
        {"many", "0", NULL},
        {"many", "18446744073709551615", NULL},
        {"many", "18446744073709551616", "not a whole number"},
        {"quat", "[1.0009, 0, 0, 0]", NULL},
        {"quat", "[0, 0.9991, 0, 0]", NULL},
        {"quat", "[0, 0, 1.0011, 0]", "a quaternion [w, x, y, z] of norm 1.0011; it must be 1"},
        {"quat", "[0, 0, 0, -0.9989]", "of norm 0.9989"},
        {"name", name, NULL},
        {"track", name, NULL},
        {"names", name, NULL},
        {"names", list, NULL},
        {"choice", "one", NULL},
        {"choice", "two", NULL},
        {"choice", "eins", NULL},
        {"choice", "on", "'on' is none of one, two"},
        {"choice", "ones", "'ones' is none of one, two"},
        {"choice", "one|eins", "'one|eins' is none of one, two"},
        {"choice", "ein", "'ein' is none of one, two"},
        {"choice", "eins2", "is none of one, two"},
        {"flag", "true ", "'true ' is neither true nor false"},
        {"vector", "[1 m, 2, 3]", NULL},
        {"vector", "[1, 2, 3 m]", NULL},
        {"vector", "[1, 2, 3] m", NULL},
        {"vector", "[1 m, 2, 3] m", "a unit both within the list and after it"},
        {"vector", "[1, 2 m, 3] m", "a unit both within the list and after it"},
        {"vector", "[1, 2, 3 m] m", "a unit both within the list and after it"},
        {"vector", "[1, 2, 3] m m", "wrong unit 'm m'; write it in m"},
        {"vector", "[1, 2, 3]]", "wrong unit ']'; write it in m"},
        {"quat", "[1, 0, 0, 0] m", "wrong unit 'm'; write it in plain numbers"},
        {"vector", "[1, 2; 3]", ""},
        {"vector", "1", "expected a list of 3 numbers [..]"},
        {"names", "one, two]", "a list with one bracket"},
        {"names", "[one, two", "a list with one bracket"},
        {"names", "[one, two] ]", "unexpected ']' after the value"},
        {"names", ",", "an empty value in a list"},
        {"length", "1 m, 2", "unexpected ', 2' after the value"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        things t;
        dls_error error = {.message = ""};
        assert_status(dls_fields_default(&table, &t, &error), &error);
        const dls_status status = dls_field_set(&table, &t, cases[i].key, cases[i].text, &error);
        if ((status == DLS_OK) != (cases[i].said == NULL) || (cases[i].said && !strstr(error.message, cases[i].said)))
            fail_msg("%s: '%s' gives '%s'", cases[i].key, cases[i].text, error.message);
        dls_fields_release(&table, &t);
    }
    name[DLS_NAME_MAX - 1] = 'n', name[DLS_NAME_MAX] = '\0';
    static const char *const keys[] = {"name", "track", "names"};
    for (size_t k = 0; k < 3; k++) {
        things t;
        dls_error error;
        assert_status(dls_fields_default(&table, &t, &error), &error);
        assert_int_equal(dls_field_set(&table, &t, keys[k], name, &error), DLS_BAD_INPUT);
        assert_non_null(strstr(error.message, "63 characters"));
        dls_fields_release(&table, &t);
    }
}

/* Numbers at the ends of what each kind takes. */
TEST(test_limits_of_numbers)
{
    static const struct {
        const char *key;
        double number;
        const char *printed; /* NULL: it is refused */
    } cases[] = {
        {"many", 0, "0"},     {"many", 9007199254740991.0, "9007199254740991"},
        {"many", -1, NULL},   {"many", 18446744073709551616.0, NULL},
        {"many", 0.5, NULL},  {"count", 1, "1"},
        {"count", 10, "10"},  {"count", 0, NULL},
        {"flag", 0, "false"}, {"flag", 1, "true"},
        {"flag", 0.5, NULL},  {"flag", -1, NULL},
        {"choice", 0, "one"}, {"choice", 1, "two"},
        {"choice", -1, NULL}, {"laws", 0, "[one]"},
        {"laws", 1, "[two]"}, {"laws", 2, NULL},
        {"steps", 1, "[1]"},  {"steps", 0, NULL},
        {"share", 1, "1"},    {"share", -0.5, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dls_settings settings;
        dls_error error;
        char text[64];
        assert_status(dls_settings_create(&table, &settings, &error), &error);
        const dls_status status = dls_settings_set_number(&settings, cases[i].key, cases[i].number, &error);
        assert_int_equal(status, cases[i].printed ? DLS_OK : DLS_BAD_INPUT);
        if (cases[i].printed) {
            dls_field_print(dls_field_find(&table, cases[i].key), settings.values, text, sizeof text);
            assert_string_equal(text, cases[i].printed);
        }
        dls_settings_release(&settings);
    }
}

/* A text that does not fit is cut, as snprintf does, and the length is that of all of it. */
TEST(test_printing_into_little_room)
{
    things t;
    dls_error error;
    static const char *const set[][2] = {{"length", "-0.125"},     {"vector", "[1, -2.5, 3]"}, {"name", "n"},
                                         {"names", "n, mm, ooo"},  {"counts", "1, 20"},        {"angle", "1"},
                                         {"quat", "[0, 1, 0, 0]"}, {"track", "rail"}};
    assert_status(dls_fields_default(&table, &t, &error), &error);
    for (size_t i = 0; i < sizeof set / sizeof set[0]; i++)
        assert_status(dls_field_set(&table, &t, set[i][0], set[i][1], &error), &error);
    for (size_t i = 0; i < table.count; i++) {
        char whole[128], cut[128];
        const size_t length = dls_field_print(&table.fields[i], &t, whole, sizeof whole);
        assert_int_equal(length, strlen(whole));
        for (size_t size = 0; size <= length + 2; size++) {
            memset(cut, '#', sizeof cut);
            assert_int_equal(dls_field_print(&table.fields[i], &t, cut, size), length);
            const size_t kept = size == 0 ? 0 : size - 1 < length ? size - 1 : length;
            assert_memory_equal(cut, whole, kept);
            assert_int_equal(cut[kept], size ? '\0' : '#');
            for (size_t k = size; k < sizeof cut; k++)
                assert_int_equal(cut[k], '#');
        }
    }
    char text[64];
    dls_field_print(dls_field_find(&table, "counts"), &t, text, sizeof text);
    assert_string_equal(text, "[1, 20]");
    dls_field_print(dls_field_find(&table, "names"), &t, text, sizeof text);
    assert_string_equal(text, "[n, mm, ooo]");
    dls_fields_release(&table, &t);
    assert_status(dls_fields_default(&table, &t, &error), &error);
    dls_field_print(dls_field_find(&table, "counts"), &t, text, sizeof text);
    assert_string_equal(text, "[]");
    dls_fields_release(&table, &t);
}

/* Each number of a quaternion and of a vector goes to its place, and the quaternion becomes one of norm 1. */
TEST(test_places_of_numbers)
{
    things t;
    dls_error error;
    const double v[4] = {0.1, -0.3, 0.5, 0.8061}, norm = sqrt(0.01 + 0.09 + 0.25 + 0.8061 * 0.8061);
    assert_status(dls_fields_default(&table, &t, &error), &error);
    assert_status(dls_field_set_numbers(&table, &t, "quat", v, 4, &error), &error);
    assert_close(t.quat.w, v[0] / norm, 2e-16);
    assert_close(t.quat.x, v[1] / norm, 2e-16);
    assert_close(t.quat.y, v[2] / norm, 2e-16);
    assert_close(t.quat.z, v[3] / norm, 2e-16);
    assert_status(dls_field_set_numbers(&table, &t, "vector", v, 3, &error), &error);
    assert_true(t.vector.x == v[0] && t.vector.y == v[1] && t.vector.z == v[2]);
    for (size_t i = 0; i < 3; i++) { /* each of them is looked at */
        double w[3] = {1, 2, 3};
        w[i] = HUGE_VAL;
        assert_int_equal(dls_field_set_numbers(&table, &t, "vector", w, 3, &error), DLS_NOT_FINITE);
    }
    dls_fields_release(&table, &t);
}

/* The meaning of a word with one letter in three wrong, or one more; the first of those that are as near. */
static const char *word_at(const void *words, size_t i) { return ((const char *const *)words)[i]; }

TEST(test_nearest_words)
{
    static const char *const words[] = {"kitten", "mass", "radius", "x", "moss", NULL};
    static const char *const cases[][2] = {{"kitten", "kitten"},
                                           {"sitten", "kitten"},
                                           {"sitting", "kitten"},
                                           {"kittens", "kitten"},
                                           {"itten", "kitten"},
                                           {"siting", NULL},
                                           {"mess", "mass"},
                                           {"ms", NULL},
                                           {"y", "x"},
                                           {"", "x"},
                                           {"mas", "mass"},
                                           {"os", NULL},
                                           {"raduis", "radius"},
                                           {"radus", "radius"},
                                           {"moss", "moss"},
                                           {"miss", "mass"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *found = dls_nearest_word(cases[i][0], word_at, words);
        if (found != cases[i][1] && (!found || !cases[i][1] || strcmp(found, cases[i][1]) != 0))
            fail_msg("%s: %s", cases[i][0], found ? found : "none");
    }
}

TEST(test_other_kinds)
{
    things t;
    dls_error error;
    char longest[DLS_NAME_MAX];
    assert_status(dls_fields_default(&table, &t, &error), &error);
    assert_true(isnan(t.length) && isnan(t.vector.y) && t.count == 3 && !t.flag && t.choice == 0 && !t.name[0]);
    assert_status(dls_field_set(&table, &t, "vector", "[1, 2 cm , -3 m]", &error), &error);
    assert_close(t.vector.y, 0.02, 1e-17);
    assert_status(dls_field_set(&table, &t, "vector", " [1,2,3] mm", &error), &error);
    assert_close(t.vector.z, 3e-3, 1e-18);
    assert_int_equal(dls_field_set(&table, &t, "quat", "[0, 3.0005, 0, 4e-9]", &error), DLS_BAD_INPUT);
    assert_status(dls_field_set(&table, &t, "quat", "[0, 0.6001, 0, 0.8]", &error), &error);
    assert_close(t.quat.x * t.quat.x + t.quat.z * t.quat.z, 1.0, 4e-16);
    assert_status(dls_field_set(&table, &t, "flag", "true", &error), &error);
    assert_status(dls_field_set(&table, &t, "choice", "two", &error), &error);
    assert_status(dls_field_set(&table, &t, "count", "10", &error), &error);
    memset(longest, 'n', sizeof longest);
    longest[DLS_NAME_MAX - 1] = '\0';
    assert_status(dls_field_set(&table, &t, "name", longest, &error), &error);
    assert_true(t.flag && t.choice == 1 && t.count == 10);
    assert_string_equal(t.name, longest);
    dls_fields_release(&table, &t);
}

static void check_list(const char *key, const char *text, const char *printed)
{
    dls_settings settings;
    dls_error error;
    char found[256];
    assert_status(dls_settings_create(&table, &settings, &error), &error);
    assert_status(dls_settings_set(&settings, key, text, &error), &error);
    dls_field_print(dls_field_find(&table, key), settings.values, found, sizeof found);
    assert_string_equal(found, printed);
    dls_settings_release(&settings);
}

TEST(test_lists)
{
    check_list("steps", "0.25", "[0.25]");
    check_list("steps", "[0.25, 125 ms]", "[0.25, 0.125]");
    check_list("steps", " 0.25 ,125 ms ", "[0.25, 0.125]");
    check_list("steps", "[250, 125] ms", "[0.25, 0.125]");
    check_list("counts", "3,1 , 4", "[3, 1, 4]");
    check_list("counts", "[100]", "[100]");
    check_list("laws", "one", "[one]");
    check_list("laws", "[ two , two ]", "[two, two]");
    check_list("names", "pgs, block-pivoting", "[pgs, block-pivoting]");
    check_list("names", "pgs\t, block-pivoting \t", "[pgs, block-pivoting]");
    char text[4096] = "1", *end = text + 1;
    for (int i = 2; i <= 100; i++)
        end += snprintf(end, 8, ",%d", i);
    dls_settings settings, copy;
    dls_error error;
    assert_status(dls_settings_create(&table, &settings, &error), &error);
    const things *values = settings.values;
    assert_true(values->steps.count == 3 && values->counts.count == 0 && values->laws.count == 3);
    assert_close(values->steps.reals[1], 2e-3, 0.0);
    assert_true(values->laws.choices[0] == 1 && values->laws.choices[1] == 0);
    assert_status(dls_settings_set(&settings, "counts", text, &error), &error);
    assert_status(dls_settings_set(&settings, "names", "a,b", &error), &error);
    assert_status(dls_settings_copy(&settings, &copy, &error), &error);
    dls_settings_release(&settings);
    assert_null(settings.values);
    dls_settings_release(&settings);
    values = copy.values;
    assert_true(values->counts.count == 100 && values->counts.counts[99] == 100 && values->laws.choices[2] == 1);
    assert_string_equal(values->names.names[1], "b");
    dls_settings_release(&copy);
}

TEST(test_references)
{
    things t;
    dls_error error;
    assert_status(dls_fields_default(&table, &t, &error), &error);
    assert_true(!t.track.name[0] && t.track.index == SIZE_MAX && !t.track.object);
    assert_string_equal(t.end.name, "world");
    assert_status(dls_field_set(&table, &t, "track", "rail", &error), &error);
    assert_string_equal(t.track.name, "rail");
    assert_true(t.track.index == SIZE_MAX && !t.track.object);
    dls_fields_release(&table, &t);
}

/* The same value from text and from numbers, to the bit. */
static void check_number(const char *key, const char *text, const double *numbers, size_t count)
{
    char one[256], two[256];
    dls_settings settings;
    dls_error error;
    assert_status(dls_settings_create(&table, &settings, &error), &error);
    assert_status(dls_settings_set(&settings, key, text, &error), &error);
    dls_field_print(dls_field_find(&table, key), settings.values, one, sizeof one);
    dls_settings_release(&settings);
    assert_status(dls_settings_create(&table, &settings, &error), &error);
    assert_status(dls_field_set_numbers(&table, settings.values, key, numbers, count, &error), &error);
    dls_field_print(dls_field_find(&table, key), settings.values, two, sizeof two);
    dls_settings_release(&settings);
    assert_string_equal(one, two);
}
#define NUMBERS(...) (const double[]){__VA_ARGS__}, sizeof(double[]){__VA_ARGS__} / sizeof(double)

TEST(test_numbers)
{
    check_number("length", "0.1", NUMBERS(0.1));
    check_number("any", "-inf", NUMBERS(-HUGE_VAL));
    check_number("count", "7", NUMBERS(7));
    check_number("flag", "true", NUMBERS(1));
    check_number("choice", "two", NUMBERS(1));
    check_number("vector", "[0.1, -2, 1e300]", NUMBERS(0.1, -2, 1e300));
    check_number("quat", "[0.6, 0, -0.8, 0]", NUMBERS(0.6, 0, -0.8, 0));
    check_number("steps", "0.1, 0.2", NUMBERS(0.1, 0.2));
    check_number("counts", "1, 2, 100", NUMBERS(1, 2, 100));
    check_number("laws", "two, one", NUMBERS(1, 0));
}

TEST(test_refused_numbers)
{
    static const struct {
        const char *key;
        double numbers[4];
        size_t count;
        dls_status status;
        const char *word;
    } cases[] = {
        {"length", {NAN}, 1, DLS_NOT_FINITE, "finite"},
        {"length", {HUGE_VAL}, 1, DLS_NOT_FINITE, "finite"},
        {"length", {1, 2}, 2, DLS_BAD_INPUT, "takes 1 number, not 2"},
        {"share", {NAN}, 1, DLS_NOT_FINITE, "finite"},
        {"share", {1.5}, 1, DLS_BAD_INPUT, "outside [0, 1]"},
        {"open", {0.0}, 1, DLS_BAD_INPUT, "outside (0, inf) kg"},
        {"count", {2.5}, 1, DLS_BAD_INPUT, "whole number"},
        {"count", {-1}, 1, DLS_BAD_INPUT, "whole number"},
        {"count", {1e300}, 1, DLS_BAD_INPUT, "whole number"},
        {"count", {NAN}, 1, DLS_BAD_INPUT, "whole number"},
        {"count", {11}, 1, DLS_BAD_INPUT, "outside"},
        {"flag", {2}, 1, DLS_BAD_INPUT, "whole number from 0 to 1"},
        {"choice", {2}, 1, DLS_BAD_INPUT, "whole number from 0 to 1"},
        {"vector", {1, 2}, 2, DLS_BAD_INPUT, "takes 3 numbers, not 2"},
        {"vector", {1, 2, NAN}, 3, DLS_NOT_FINITE, "finite"},
        {"quat", {1, 1, 0, 0}, 4, DLS_BAD_INPUT, "norm"},
        {"quat", {NAN, 0, 0, 0}, 4, DLS_BAD_INPUT, "norm"},
        {"steps", {0.5, 0}, 2, DLS_BAD_INPUT, "outside (0, 1] s"},
        {"steps", {0}, 0, DLS_BAD_INPUT, "empty list"},
        {"counts", {1, 101}, 2, DLS_BAD_INPUT, "outside"},
        {"laws", {0, 3}, 2, DLS_BAD_INPUT, "whole number"},
        {"name", {1}, 1, DLS_BAD_INPUT, "is a name"},
        {"names", {1}, 1, DLS_BAD_INPUT, "names"},
        {"track", {1}, 1, DLS_BAD_INPUT, "is a name"},
        {"lenght", {1}, 1, DLS_BAD_INPUT, "'length'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        things t, before;
        dls_error error;
        assert_status(dls_fields_default(&table, &t, &error), &error);
        memcpy(&before, &t, sizeof t);
        dls_status status = dls_field_set_numbers(&table, &t, cases[i].key, cases[i].numbers, cases[i].count, &error);
        if (status != cases[i].status || !strstr(error.message, cases[i].word))
            fail_msg("%s, case %zu: '%s', expected '%s'", cases[i].key, i, error.message, cases[i].word);
        assert_string_equal(error.key, cases[i].key);
        assert_memory_equal(&t, &before, sizeof t);
        dls_fields_release(&table, &t);
    }
}

TEST(test_refusals)
{
    static const struct {
        const char *key, *text;
        dls_status status;
        const char *word;
    } cases[] = {
        {"length", "", DLS_BAD_INPUT, "not a number"},
        {"length", "1 kg", DLS_BAD_INPUT, "wrong unit 'kg'; write it in m"},
        {"length", "1 2", DLS_BAD_INPUT, "wrong unit '2'"},
        {"length", "1 m m", DLS_BAD_INPUT, "after the value"},
        {"length", "nan", DLS_NOT_FINITE, "NaN"},
        {"length", "inf", DLS_NOT_FINITE, "finite"},
        {"length", "1e400", DLS_BAD_INPUT, "too large"},
        {"length", "1e308 km", DLS_BAD_INPUT, "too large"},
        {"length", "[1]", DLS_BAD_INPUT, "not a number"},
        {"plain", "1 m", DLS_BAD_INPUT, "leave it out"},
        {"inertia", "1 kg", DLS_BAD_INPUT, "kg m^2"},
        {"share", "1.0001", DLS_BAD_INPUT, "outside [0, 1]"},
        {"share", "-1e-9", DLS_BAD_INPUT, "outside"},
        {"open", "0", DLS_BAD_INPUT, "outside (0, inf) kg"},
        {"open", "-1 kg", DLS_BAD_INPUT, "outside"},
        {"count", "0", DLS_BAD_INPUT, "outside"},
        {"count", "11", DLS_BAD_INPUT, "outside"},
        {"count", "-1", DLS_BAD_INPUT, "whole number"},
        {"count", "2.5", DLS_BAD_INPUT, "after the value"},
        {"count", "99999999999999999999999", DLS_BAD_INPUT, "whole number"},
        {"flag", "yes", DLS_BAD_INPUT, "neither"},
        {"choice", "three", DLS_BAD_INPUT, "one, two"},
        {"vector", "1, 2, 3", DLS_BAD_INPUT, "list of 3"},
        {"vector", "[1, 2]", DLS_BAD_INPUT, "list of 3"},
        {"vector", "[1, 2, 3, 4]", DLS_BAD_INPUT, "list of 3"},
        {"vector", "[1, 2, 3] kg", DLS_BAD_INPUT, "wrong unit"},
        {"vector", "[1 m, 2, 3] m", DLS_BAD_INPUT, "leave one out"},
        {"vector", "[1, 1e-400, 3]", DLS_BAD_INPUT, "too small"},
        {"vector", "[1, 4e-324, 3] mm", DLS_BAD_INPUT, "too small"},
        {"vector", "[1, 2, 1e308] km", DLS_BAD_INPUT, "too large"},
        {"vector", "[1, nan, 3]", DLS_NOT_FINITE, "NaN"},
        {"vector", "[1, inf, 3]", DLS_NOT_FINITE, "finite"},
        {"vector", "[1, 2, 3", DLS_BAD_INPUT, "list of 3"},
        {"steps", "", DLS_BAD_INPUT, "empty list"},
        {"steps", " [ ] ", DLS_BAD_INPUT, "empty list"},
        {"steps", "0.1, 0.2, 1.5", DLS_BAD_INPUT, "outside (0, 1] s"},
        {"steps", "0.1, nan", DLS_NOT_FINITE, "NaN"},
        {"steps", "0.1; 0.2", DLS_BAD_INPUT, "wrong unit"},
        {"steps", "0.1, 0.2 m", DLS_BAD_INPUT, "wrong unit 'm'"},
        {"steps", "0.1,, 0.2", DLS_BAD_INPUT, "not a number"},
        {"steps", "[0.1, 0.2", DLS_BAD_INPUT, "list of 2"},
        {"steps", "0.1, 0.2]", DLS_BAD_INPUT, "after the value"},
        {"counts", "1, 2.5", DLS_BAD_INPUT, "after the value"},
        {"counts", "1, 0", DLS_BAD_INPUT, "outside [1, 100]"},
        {"counts", "1,, 2", DLS_BAD_INPUT, "empty value"},
        {"counts", "1, 2,", DLS_BAD_INPUT, "empty value"},
        {"counts", "1, , 2", DLS_BAD_INPUT, "empty value"},
        {"counts", "1,\t, 2", DLS_BAD_INPUT, "empty value"},
        {"counts", "[1, 2", DLS_BAD_INPUT, "one bracket"},
        {"counts", "1, 2]", DLS_BAD_INPUT, "one bracket"},
        {"counts", "[1], 2", DLS_BAD_INPUT, "empty value"},
        {"counts", "[1, 2] 3", DLS_BAD_INPUT, "after the value"},
        {"laws", "one, three", DLS_BAD_INPUT, "none of one, two"},
        {"names", "n, nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn", DLS_BAD_INPUT, "63"},
        {"track", "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn", DLS_BAD_INPUT, "63"},
        {"quat", "[1, 0, 0]", DLS_BAD_INPUT, "list of 4"},
        {"quat", "[1.01, 0, 0, 0]", DLS_BAD_INPUT, "norm"},
        {"quat", "[inf, 0, 0, 0]", DLS_BAD_INPUT, "norm"},
        {"lenght", "1", DLS_BAD_INPUT, "'length'"},
        {"zzz", "1", DLS_BAD_INPUT, "unknown key"},
        {"name", "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn", DLS_BAD_INPUT, "63"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        things t, before;
        dls_error error;
        assert_status(dls_fields_default(&table, &t, &error), &error);
        memcpy(&before, &t, sizeof t);
        dls_status status = dls_field_set(&table, &t, cases[i].key, cases[i].text, &error);
        if (status != cases[i].status || !strstr(error.message, cases[i].word))
            fail_msg("%s: '%s' gives '%s', expected '%s'", cases[i].key, cases[i].text, error.message, cases[i].word);
        assert_string_equal(error.key, cases[i].key);
        assert_memory_equal(&t, &before, sizeof t); /* a refused value changes nothing */
        dls_fields_release(&table, &t);
    }
}

TEST(test_required_fields)
{
    things t;
    dls_error error;
    static const char *const set[][2] = {
        {"length", "1"}, {"vector", "[1, 2, 3]"}, {"name", "n"}, {"names", "n, m"}, {"track", "rail"}};
    assert_status(dls_fields_default(&table, &t, &error), &error);
    for (size_t i = 0; i < sizeof set / sizeof set[0]; i++) {
        assert_int_equal(dls_fields_require(&table, &t, &error), DLS_BAD_INPUT);
        assert_string_equal(error.key, set[i][0]);
        assert_status(dls_field_set(&table, &t, set[i][0], set[i][1], &error), &error);
    }
    assert_status(dls_fields_require(&table, &t, &error), &error);
    dls_fields_release(&table, &t);
}

/* Values that were assigned are those that a setting by numbers accepts, in every entry. */
TEST(test_assigned_values)
{
    const double numbers[] = {-HUGE_VAL, -1.5, -1.0, 0.0, 0.5, 1.0, 2.0, 50.0, 1e300, HUGE_VAL, NAN};
    for (size_t i = 0; i < table.count; i++) {
        const dls_field *field = &table.fields[i];
        const size_t entries = field->kind == DLS_FIELD_VEC3 ? 3 : 1;
        if (field->kind != DLS_FIELD_REAL && field->kind != DLS_FIELD_VEC3 && field->kind != DLS_FIELD_CHOICE &&
            field->kind != DLS_FIELD_COUNT)
            continue;
        for (size_t k = 0; k < entries * sizeof numbers / sizeof numbers[0]; k++) {
            things set, assigned;
            dls_error error;
            const double x = numbers[k / entries];
            double v[3] = {0.25, 0.5, 0.75};
            v[k % entries] = x;
            const bool is_real = field->kind == DLS_FIELD_REAL || field->kind == DLS_FIELD_VEC3;
            if (!is_real && (isnan(x) || fabs(x) > 100.0 || floor(x) != x || (field->kind == DLS_FIELD_COUNT && x < 0)))
                continue;
            assert_status(dls_fields_default(&table, &set, &error), &error);
            assert_status(dls_fields_copy(&table, &assigned, &set, &error), &error);
            assigned.length = 1.0, assigned.vector = dls_v3(1, 2, 3);
            assert_status(dls_fields_check(&table, &assigned, &error), &error);
            const int choice = is_real ? 0 : (int)x;
            const size_t count = is_real || x < 0.0 ? 0 : (size_t)x;
            void *to = (char *)&assigned + field->offset;
            if (is_real)
                memcpy(to, v, entries * sizeof *v);
            else if (field->kind == DLS_FIELD_CHOICE)
                memcpy(to, &choice, sizeof choice);
            else
                memcpy(to, &count, sizeof count);
            const dls_status wanted = dls_field_set_numbers(&table, &set, field->key, v, entries, &error),
                             status = dls_fields_check(&table, &assigned, &error);
            const bool unset = isnan(x) && k % entries == 0 && field->fallback && !*field->fallback;
            assert_int_equal(status, unset ? DLS_OK : wanted);
            if (status != DLS_OK)
                assert_string_equal(error.key, field->key);
            dls_fields_release(&table, &set), dls_fields_release(&table, &assigned);
        }
    }
    things t;
    dls_error error;
    assert_status(dls_fields_default(&table, &t, &error), &error);
    assert_int_equal(dls_fields_check(&table, &t, &error), DLS_NOT_FINITE); /* required, and not set */
    t.length = 1.0, t.vector = dls_v3(1, 2, 3);
    t.quat = (dls_quat){0.6, 0.8, 0.6, 0.0};
    assert_int_equal(dls_fields_check(&table, &t, &error), DLS_BAD_INPUT);
    t.quat = (dls_quat){0.6, 0.8, 0.0, 0.0};
    t.steps.reals[1] = 0.0; /* open at 0 */
    assert_int_equal(dls_fields_check(&table, &t, &error), DLS_BAD_INPUT);
    assert_string_equal(error.key, "steps");
    dls_fields_release(&table, &t);
}

/* --- memory --- */

static dls_status use_settings(dls_error *error)
{
    dls_settings settings, copy;
    DLS_TRY(dls_settings_create(&table, &settings, error));
    dls_status status = dls_settings_set(&settings, "names", "a, b", error);
    if (status == DLS_OK)
        status = dls_settings_set(&settings, "counts", "1, 2", error);
    if (status == DLS_OK)
        status = dls_settings_set_number(&settings, "steps", 0.5, error);
    if (status == DLS_OK && (status = dls_settings_copy(&settings, &copy, error)) == DLS_OK)
        dls_settings_release(&copy);
    dls_settings_release(&settings);
    return status;
}

TEST(test_memory_may_fail)
{
    dls_error error;
    allocations = 0, fail_at = 0;
    assert_status(use_settings(&error), &error);
    size_t needed = allocations;
    assert_true(needed >= 9); /* two structs, and all lists twice */
    for (size_t k = 1; k <= needed; k++) {
        long before = live;
        allocations = 0, fail_at = k;
        dls_status status = use_settings(&error);
        fail_at = 0;
        assert_int_equal(status, DLS_NO_MEMORY);
        assert_int_equal(live, before);
    }
}

/* --- the manual --- */

static void check_documented(const char *manual, const dls_field_table *of)
{
    for (size_t i = 0; i < of->count; i++) {
        char start[256];
        const dls_field *field = &of->fields[i];
        snprintf(start, sizeof start, "| `%s` | %s |", field->key, field->unit);
        const char *line = strstr(manual, start);
        if (!line)
            fail_msg("doc/scene-format.md has no line \"%s\"", start);
        const char *end = strchr(line, '\n'), *help = strstr(line, field->help);
        const char *fallback = !field->fallback ? "| required |" : *field->fallback ? field->fallback : "| not set |";
        const char *value = strstr(line, fallback);
        if (!help || help > end || !value || value > end)
            fail_msg("doc/scene-format.md: the line of `%s` has another default than '%s' or another text than '%s'",
                     field->key, fallback, field->help);
    }
}

TEST(test_manual_agrees)
{
    char path[DLS_PATH_MAX], *text = test_calloc(1, 1 << 16);
    snprintf(path, sizeof path, "%s/doc/scene-format.md", getenv("DLS_TEST_SOURCE"));
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    assert_true(fread(text, 1, (1 << 16) - 1, stream) > 0);
    fclose(stream);
    const char *world = strstr(text, "## `world`"), *bodies = strstr(text, "## `bodies`"),
               *joints = strstr(text, "## `joints`"), *links = strstr(text, "## `articulations`"),
               *sensors = strstr(text, "## `sensors`"), *surfaces = strstr(text, "## `surfaces` and `pairs`"),
               *ellipsoids = links ? strstr(links, "`half_axes`") : NULL,
               *pairs = surfaces ? strstr(surfaces, "`surface1`") : NULL;
    assert_true(world && bodies && joints && ellipsoids && sensors && pairs);
    check_documented(world, &dls_world_fields);
    check_documented(bodies, &dls_body_fields);
    check_documented(links, &dls_posed_joint_fields);
    check_documented(ellipsoids - strlen("| "), &dls_link_ellipsoid_fields);
    check_documented(joints, &dls_joint_def_fields);
    check_documented(joints, &dls_joint_common_fields);
    check_documented(sensors, &dls_sensor_fields);
    check_documented(surfaces, &dls_shape_surface_fields);
    check_documented(pairs - strlen("| "), &dls_surface_pair_fields);
    test_free(text);
}

/* A known word has its own hint, and one that is like none has another way, or nothing. */
TEST(test_hints)
{
    static const char *const words[] = {"alpha", "beta-two", NULL};
    assert_string_equal(dls_hint_of(dls_nearest_word("beta-too", word_at, words), "see a list").text,
                        "; did you mean 'beta-two'?");
    const char *none = dls_nearest_word("zzzzzz", word_at, words);
    assert_string_equal(dls_hint_of(none, "see a list").text, "; see a list");
    assert_string_equal(dls_hint_of(none, NULL).text, "");
    assert_string_equal(dls_hint_of("", NULL).text, "");
}

/* Numbers of all exponents come back, and not with a digit less. */
TEST(test_shortest_numbers)
{
    static const double known[] = {0.1, 1e22, 5e-324, 1.0 / 3.0, -0.0, 1e-5, HUGE_VAL};
    static const char *const texts[] = {"0.1", "1e+22", "5e-324", "0.3333333333333333", "-0", "1e-05", "inf"};
    char text[40];
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        dls_print_shortest(text, sizeof text, known[k]);
        assert_string_equal(text, texts[k]);
    }
    draw_seed(1);
    for (int k = 0; k < 5000; k++) {
        const uint64_t bits = draw_next();
        double x, back;
        const char *end;
        memcpy(&x, &bits, sizeof x);
        const int digits = dls_print_shortest(text, sizeof text, x);
        if (isnan(x))
            continue;
        assert_status(dls_read_real(text, &back, &end, NULL), NULL);
        assert_true(back == x && *end == '\0' && strlen(text) < 26);
        snprintf(text, sizeof text, "%.*e", digits > 1 ? digits - 2 : 0, x);
        assert_true(digits == 1 || dls_read_real(text, &back, &end, NULL) != DLS_OK || back != x);
    }
}
