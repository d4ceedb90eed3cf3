/* Nothing that is read or written depends on the locale of the process: every scene, robot and problem, tables,
 * messages and figures' numbers under a locale whose decimal point is a comma, against the same in "C". */
#include "delassus/experiments.h"

#include "check.h"

#include <dirent.h>
#include <glob.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "test_locale.XXXXXX";
static char path[DLS_PATH_MAX];

static const char *in_folder(const char *part, const char *name)
{
    snprintf(path, sizeof path, "%s/%s/%s", folder, part, name);
    return path;
}

static char *read_whole(const char *file)
{
    FILE *stream = fopen(file, "r");
    assert_non_null(stream);
    size_t used = 0, size = 1 << 16;
    char *text = test_malloc(size + 1);
    for (size_t got; (got = fread(text + used, 1, size - used, stream)) > 0; used += got)
        if (used + got == size)
            text = test_realloc(text, (size *= 2) + 1);
    text[used] = '\0';
    fclose(stream);
    return text;
}

/* --- a locale with commas, made where the system has a program to make one --- */

static const char definition[] = "comment_char %\nescape_char /\n"
                                 "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n";

static bool make_locale(void)
{
    char command[512];
    FILE *stream = fopen(in_folder(".", "comma"), "w");
    assert_non_null(stream);
    fputs(definition, stream);
    fclose(stream);
    /* It complains about the categories that are not there, and makes the one that is. */
    snprintf(command, sizeof command, "localedef -c -i '%s/comma' '%s/de_DE' >'%s/log' 2>&1", folder, folder, folder);
    if (system(command) < 0 || setenv("LOCPATH", folder, 1) != 0)
        return false;
    bool made = setlocale(LC_ALL, "de_DE") && strtod("0,5", NULL) == 0.5;
    setlocale(LC_ALL, "C");
    return made;
}

/* --- everything that is read and written --- */

static const char fc3d[] = "3 1 0 3 3 3 3 2.5 0 0 0 1.25 0 0 0 1e-3 -3.5 1 1 0.5";

static void write_problem(const char *part, const char *name, const dls_problem *problem)
{
    char file[DLS_NAME_MAX + 16];
    dls_error error;
    dls_problem *again;
    snprintf(file, sizeof file, "%s.problem", name);
    assert_status(dls_problem_write(problem, in_folder(part, file), &error), &error);
    assert_status(dls_problem_read(path, &again, &error), &error);
    snprintf(file, sizeof file, "%s.again", name);
    assert_status(dls_problem_write(again, in_folder(part, file), &error), &error);
    snprintf(file, sizeof file, "%s.mtx", name);
    assert_status(dls_matrix_market_write_rows(in_folder(part, file), name, &again->J, &error), &error);
    dls_problem_destroy(again);
}

static void load_all(const char *part, const char *pattern)
{
    char where[DLS_PATH_MAX], stem[DLS_NAME_MAX];
    const char *source = getenv("DLS_TEST_SOURCE");
    glob_t found;
    dls_content content;
    dls_error error;
    snprintf(where, sizeof where, "%s/%s", source ? source : ".", pattern);
    assert_int_equal(glob(where, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        dls_file_stem(found.gl_pathv[i], stem, sizeof stem);
        assert_status(dls_load_problem(found.gl_pathv[i], NULL, &content, &error), &error);
        write_problem(part, stem, content.problem);
        dls_content_release(&content);
    }
    globfree(&found);
}

static void write_foreign(const char *part)
{
    dls_content content;
    dls_error error;
    assert_status(dls_file_parse(fc3d, strlen(fc3d), "contact", NULL, &content, &error), &error);
    assert_close(content.problem->mu[1], 0.5, 0.0);
    assert_status(dls_file_write(content.problem, NULL, "siconos-fc3d", in_folder(part, "contact.dat"), NULL, &error),
                  &error);
    const double values[] = {0.1, -2.385e-7};
    assert_status(dls_matrix_market_write(in_folder(part, "dense.mtx"), "dense", 2, 1, values, &error), &error);
    dls_content_release(&content);
}

typedef struct settings {
    double gain;
    dls_vec3 point;
    dls_quat turn;
} settings;
static const dls_field fields[] = {
    {"gain", "N/m", DLS_FIELD_REAL, offsetof(settings, gain), "2.5", 0.25, 1e3, false, NULL, "a gain"},
    {"point", "m", DLS_FIELD_VEC3, offsetof(settings, point), "[0.5, 1.5 mm, 0]", 0, 0, false, NULL, "a point"},
    {"turn", "", DLS_FIELD_QUAT, offsetof(settings, turn), "[0.6, 0, 0.8, 0]", 0, 0, false, NULL, "a turn"},
};
static const dls_field_table field_table = DLS_FIELD_TABLE(fields, settings);

static void write_table(const char *part)
{
    dls_table *table;
    dls_error error, wrong;
    settings values;
    assert_status(dls_table_create(in_folder(part, "table.tsv"), &table, &error), &error);
    assert_status(dls_fields_default(&field_table, &values, &error), &error);
    assert_status(dls_field_set(&field_table, &values, "gain", "0.5", &error), &error);
    dls_table_note(table, "step", "%g s", 0.002);
    dls_table_note_fields(table, "", &field_table, &values);
    dls_table_columns(table, "value\tmessage");
    dls_table_real(table, 0.1);
    assert_int_equal(dls_field_set(&field_table, &values, "gain", "0.125", &wrong), DLS_BAD_INPUT);
    dls_table_text(table, wrong.message);
    dls_table_end_row(table);
    dls_table_real(table, 1.5);
    assert_int_equal(dls_problem_read("/nowhere/at/all", &(dls_problem *){NULL}, &wrong), DLS_IO);
    dls_table_text(table, wrong.message);
    dls_table_end_row(table);
    assert_status(dls_table_commit(table, &error), &error);
}

static void write_pictures(const char *part)
{
    char where[DLS_PATH_MAX];
    const char *source = getenv("DLS_TEST_SOURCE");
    dls_scene *scene;
    dls_error error;
    snprintf(where, sizeof where, "%s/scenes/four-bar.yaml", source ? source : ".");
    assert_status(dls_scene_read(where, &scene, &error), &error);
    assert_status(dls_picture_scene(scene, in_folder(part, "picture.svg"), &error), &error);
    assert_status(dls_picture_scene(scene, in_folder(part, "picture.glb"), &error), &error);
    dls_scene_destroy(scene);
}

static size_t write_everything(const char *part)
{
    size_t count = 0;
    assert_int_equal(mkdir(in_folder(part, ""), 0777), 0);
    load_all(part, "scenes/*.yaml");
    load_all(part, "models/*.urdf");
    write_foreign(part);
    write_table(part);
    write_pictures(part);
    DIR *stream = opendir(in_folder(part, ""));
    assert_non_null(stream);
    for (struct dirent *entry; (entry = readdir(stream));)
        count += entry->d_name[0] != '.';
    closedir(stream);
    return count;
}

/* --- tests --- */

TEST(test_a_comma_changes_nothing)
{
    if (!make_locale()) {
        print_message("localedef did not make a locale with a decimal comma; see %s/log\n", folder);
        skip();
    }
    size_t files = write_everything("c");
    assert_non_null(setlocale(LC_ALL, "de_DE"));
    size_t again = write_everything("comma-locale");
    assert_true(strtod("0,5", NULL) == 0.5); /* the caller's locale is as it was */
    setlocale(LC_ALL, "C");
    assert_true(files > 30);
    assert_int_equal(files, again);
    DIR *stream = opendir(in_folder("c", ""));
    assert_non_null(stream);
    for (struct dirent *entry; (entry = readdir(stream));) {
        if (entry->d_name[0] == '.')
            continue;
        char *one = read_whole(in_folder("c", entry->d_name)),
             *other = read_whole(in_folder("comma-locale", entry->d_name));
        if (strcmp(one, other) != 0) {
            print_error("%s differs\n", entry->d_name);
            fail();
        }
        test_free(one);
        test_free(other);
    }
    closedir(stream);
}

/* A number beyond all doubles is an error, not 0 or infinity. */
TEST(test_numbers_out_of_range)
{
    static const struct {
        const char *text, *unit;
        dls_status status;
        double value;
        const char *word;
    } cases[] = {
        {"1e-400", "", DLS_BAD_INPUT, 0.0, "too small"},
        {"-1e-400", "", DLS_BAD_INPUT, 0.0, "too small"},
        {"1e400", "", DLS_BAD_INPUT, 0.0, "too large"},
        {"1e308 km", "m", DLS_BAD_INPUT, 0.0, "too large"},
        {"4.9406564584124654e-324 mm", "m", DLS_BAD_INPUT, 0.0, "too small"},
        {"4.9406564584124654e-324", "", DLS_OK, 4.9406564584124654e-324, ""},
        {"0e-999", "", DLS_OK, 0.0, ""},
        {"inf", "", DLS_OK, HUGE_VAL, ""},
        {"nan", "", DLS_NOT_FINITE, 0.0, "NaN"},
        {"0,5", "", DLS_BAD_INPUT, 0.0, "behind a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 0.0;
        dls_error error = {.message = ""};
        const char *end;
        dls_status status = dls_parse_real(cases[i].text, cases[i].unit, &value, &end, &error);
        if (cases[i].text[1] == ',' && status == DLS_OK) /* a comma ends a number in a list */
            status = *end == ',' ? DLS_BAD_INPUT : DLS_OK, snprintf(error.message, 32, "behind a number");
        if (status != cases[i].status || (status == DLS_OK && value != cases[i].value) ||
            !strstr(error.message, cases[i].word)) {
            print_error("'%s': status %d, %.17g, %s\n", cases[i].text, (int)status, value, error.message);
            fail();
        }
    }
    static const char problem[] = "delassus-problem 1\nname \"\"\nform matrix\nstep 1e-400\n";
    static const char lcp[] = "1\n0\n1 1\n1 1\n1e-400\n-3", large[] = "1\n0\n1 1\n1 1\n1e400\n-3";
    dls_problem *p;
    dls_content content;
    dls_error error;
    assert_int_equal(dls_problem_parse(problem, strlen(problem), "p", &p, &error), DLS_BAD_INPUT);
    assert_int_equal(error.line, 4);
    assert_int_equal(dls_file_parse(lcp, strlen(lcp), "p", "siconos-lcp", &content, &error), DLS_BAD_INPUT);
    assert_int_equal(error.line, 5);
    assert_non_null(strstr(error.message, "too small"));
    assert_int_equal(dls_file_parse(large, strlen(large), "p", "siconos-lcp", &content, &error), DLS_BAD_INPUT);
    assert_non_null(strstr(error.message, "too large"));
}

static int open_folder(void **unused)
{
    (void)unused;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **unused)
{
    (void)unused;
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

TESTS_WITH(open_folder, remove_folder)
