/* Tables and outputs: what stands in the file, and that a failure leaves what was there before. */
#include "delassus/table.h"

#include "check.h"

#include <dirent.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "test_table.XXXXXX";

static void path_of(char *path, const char *name) { snprintf(path, 256, "%s/%s", folder, name); }

static void read_back(const char *path, char *text, size_t size)
{
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    size_t length = fread(text, 1, size - 1, stream);
    text[length] = '\0';
    fclose(stream);
}

static size_t files_in(const char *path)
{
    size_t count = 0;
    DIR *stream = opendir(path);
    assert_non_null(stream);
    for (struct dirent *entry; (entry = readdir(stream));)
        count += entry->d_name[0] != '.';
    closedir(stream);
    return count;
}

typedef struct settings {
    double gain;
    size_t passes;
    bool warm;
} settings;
static const dls_field fields[] = {
    {"gain", "N/m", DLS_FIELD_REAL, offsetof(settings, gain), "2.5", 0, 0, false, NULL, "a gain"},
    {"passes", "", DLS_FIELD_COUNT, offsetof(settings, passes), "7", 0, 0, false, NULL, "how often"},
    {"warm", "", DLS_FIELD_BOOL, offsetof(settings, warm), "true", 0, 0, false, NULL, "start warm"},
};
static const dls_field_table table_fields = DLS_FIELD_TABLE(fields, settings);

TEST(test_rows_and_notes)
{
    char path[256], text[4096];
    path_of(path, "deep/deeper/rows.tsv");
    dls_table *table;
    dls_error error;
    settings values;
    assert_status(dls_fields_default(&table_fields, &values, &error), &error);
    assert_status(dls_table_create(path, &table, &error), &error);
    dls_table_note(table, "scene", "a name\nin two lines, %d", 2);
    dls_table_note_fields(table, "pgs.", &table_fields, &values);
    dls_table_columns(table, "name\ttime[s]\tcount");
    dls_table_text(table, "tab\there");
    dls_table_real(table, 0.1);
    dls_table_count(table, 18446744073709551615u);
    dls_table_end_row(table);
    dls_table_text(table, "");
    dls_table_real(table, NAN);
    dls_table_count(table, 0);
    dls_table_end_row(table);
    dls_table_row(table, "%s %g, %zu", "100 %", 1.0 / 3.0, (size_t)3);
    dls_table_cells(table, "%s", "array");
    dls_table_reals(table, (const double[]){0.5, 2.0}, 2);
    dls_table_end_row(table);
    assert_status(dls_table_commit(table, &error), &error);
    read_back(path, text, sizeof text);
    assert_string_equal(text, "# scene: a name in two lines, 2\n"
                              "# set pgs.gain: 2.5 N/m\n# set pgs.passes: 7\n# set pgs.warm: true\n"
                              "name\ttime[s]\tcount\n"
                              "tab here\t0.10000000000000001\t18446744073709551615\n-\tnan\t0\n"
                              "100 %\t0.33333333333333331\t3\narray\t0.5\t2\n");
}

/* A cell holds the number that printf's %.17g prints, whole numbers and signed zeros too. */
TEST(test_numbers_are_those_of_printf)
{
    static const double values[] = {0.0,  -0.0,   1.0,    -1.0,      999999999999999.0, 1e15,      -1e15, 1e16,
                                    0.5,  -2.5e3, 1e-300, DBL_MAX,   DBL_MIN,           1.0 / 3.0, 123e9, 1e22,
                                    1e-5, -7.0,   0x1p53, -INFINITY, INFINITY};
    char path[256], text[4096], expected[4096] = "x\n";
    path_of(path, "numbers.tsv");
    dls_table *table;
    dls_error error;
    assert_status(dls_table_create(path, &table, &error), &error);
    dls_table_columns(table, "x");
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        dls_table_row(table, "%g", values[k]);
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "%.17g\n", values[k]);
    }
    assert_status(dls_table_commit(table, &error), &error);
    read_back(path, text, sizeof text);
    assert_string_equal(text, expected);
}

TEST(test_build_notes)
{
    char path[256], text[8192];
    path_of(path, "build.tsv");
    dls_table *table;
    dls_error error;
    assert_status(dls_table_create(path, &table, &error), &error);
    dls_table_note_build(table);
    dls_table_columns(table, "x");
    assert_status(dls_table_commit(table, &error), &error);
    read_back(path, text, sizeof text);
    const char *const keys[] = {"# delassus: ", "# commit: ", "# compiler: ", "# flags: ", "# cpu: "};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        assert_non_null(strstr(text, keys[i]));
    assert_string_not_equal(dls_build_facts().commit, "");
}

/* The name is what stands behind "model name", a colon and blanks, cut where the text has no more room. */
TEST(test_the_name_of_the_processor)
{
    char line[512], name[512] = "unknown", told[512], beginning[4];
    FILE *stream = fopen("/proc/cpuinfo", "r");
    while (stream && strcmp(name, "unknown") == 0 && fgets(line, sizeof line, stream))
        if (sscanf(line, "model name : %511[^\n]", told) == 1)
            memcpy(name, told, sizeof name);
    if (stream)
        fclose(stream);
    dls_cpu_name(told, sizeof told);
    assert_string_equal(told, name);
    dls_cpu_name(beginning, sizeof beginning);
    assert_int_equal(strlen(beginning), 3);
    assert_memory_equal(beginning, name, 3);
}

/* A command may be long. */
TEST(test_a_long_note)
{
    enum { LENGTH = 20000 };
    static char note[LENGTH + 1], text[LENGTH + 64], expected[LENGTH + 64];
    char path[256];
    path_of(path, "long.tsv");
    dls_table *table;
    dls_error error;
    memset(note, 'x', LENGTH);
    assert_status(dls_table_create(path, &table, &error), &error);
    dls_table_note(table, "command", "%s", note);
    dls_table_columns(table, "x");
    assert_status(dls_table_commit(table, &error), &error);
    read_back(path, text, sizeof text);
    snprintf(expected, sizeof expected, "# command: %s\nx\n", note);
    assert_string_equal(text, expected);
}

TEST(test_misuse_is_an_error)
{
    char path[256];
    path_of(path, "misuse.tsv");
    for (int kind = 0; kind < 6; kind++) {
        dls_table *table;
        dls_error error;
        assert_status(dls_table_create(path, &table, &error), &error);
        if (kind != 3)
            dls_table_columns(table, "a\tb");
        if (kind == 0)
            dls_table_note(table, "late", "note");
        if (kind == 1 || kind == 2)
            dls_table_count(table, 1);
        if (kind == 1)
            dls_table_end_row(table);
        if (kind == 4)
            dls_table_row(table, "%d %g", 1, 0.5);
        if (kind == 5)
            dls_table_columns(table, "c\td");
        assert_int_equal(dls_table_commit(table, &error), DLS_BAD_ARGUMENT);
        assert_int_equal(access(path, F_OK), -1);
    }
}

/* Tables that belong together appear only when all of them are settled. */
TEST(test_settled_tables)
{
    char path[2][256];
    dls_table *table[2];
    dls_error error;
    for (int bad = 0; bad < 2; bad++) {
        for (int k = 0; k < 2; k++) {
            path_of(path[k], k ? "second.tsv" : "first.tsv");
            assert_status(dls_table_create(path[k], &table[k], &error), &error);
            dls_table_columns(table[k], "a\tb");
            dls_table_row(table[k], "%g %g", 1.0, bad && k ? 0.5 : 2.0);
        }
        if (bad)
            dls_table_count(table[1], 3);
        assert_status(dls_table_settle(table[0], &error), &error);
        assert_int_equal(dls_table_settle(table[1], &error), bad ? DLS_BAD_ARGUMENT : DLS_OK);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(access(path[k], F_OK), -1);
            if (bad)
                dls_table_abandon(table[k]);
            else
                assert_status(dls_table_commit(table[k], &error), &error);
            assert_int_equal(access(path[k], F_OK), bad ? -1 : 0);
            remove(path[k]);
        }
    }
}

static void write_old(const char *path)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs("old", stream);
    fclose(stream);
}

TEST(test_full_disk_leaves_the_old_file)
{
    char path[256], text[64];
    path_of(path, "full/old.tsv");
    dls_error error;

    char parent[256];
    path_of(parent, "full");
    assert_status(dls_folder_create(parent, &error), &error);
    write_old(path);
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 4096;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    dls_table *table;
    assert_status(dls_table_create(path, &table, &error), &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    dls_table_columns(table, "x");
    for (int i = 0; i < 10000; i++) {
        dls_table_real(table, 0.1);
        dls_table_end_row(table);
    }
    dls_status status = dls_table_commit(table, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, DLS_NOT_WRITTEN);
    assert_string_equal(error.file, path);
    assert_non_null(strstr(error.message, "cannot write"));
    read_back(path, text, sizeof text);
    assert_string_equal(text, "old");
    assert_int_equal(files_in(parent), 1);
}

TEST(test_device_that_is_full)
{
    dls_output output;
    dls_error error;
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_status(dls_output_open(&output, "/dev/full", &error), &error);
    fputs("something", output.stream);
    assert_int_equal(dls_output_commit(&output, &error), DLS_NOT_WRITTEN);
    assert_non_null(strstr(error.message, "No space left"));
}

TEST(test_unwritable_places)
{
    char long_path[DLS_PATH_MAX + 8], file[256], below[300];
    memset(long_path, 'a', sizeof long_path);
    long_path[sizeof long_path - 1] = '\0';
    path_of(file, "plain");
    write_old(file);
    snprintf(below, sizeof below, "%s/below", file);
    const struct {
        const char *path;
        dls_status status;
    } cases[] = {{folder, DLS_NOT_WRITTEN},
                 {"", DLS_BAD_ARGUMENT},
                 {long_path, DLS_BAD_ARGUMENT},
                 {below, DLS_NOT_WRITTEN},
                 {"/proc/none/file", DLS_NOT_WRITTEN}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dls_output output;
        dls_error error;
        assert_int_equal(dls_output_open(&output, cases[i].path, &error), cases[i].status);
        assert_true(error.message[0]);
        dls_output_abandon(&output);
    }
}

TEST(test_link_stays_a_link)
{
    char target[256], link_path[256], text[64];
    struct stat facts;
    dls_output output;
    dls_error error;
    path_of(target, "target");
    path_of(link_path, "link");
    write_old(target);
    assert_int_equal(symlink("target", link_path), 0);
    assert_status(dls_output_open(&output, link_path, &error), &error);
    fputs("new", output.stream);
    assert_status(dls_output_commit(&output, &error), &error);
    assert_int_equal(lstat(link_path, &facts), 0);
    assert_true(S_ISLNK(facts.st_mode));
    read_back(target, text, sizeof text);
    assert_string_equal(text, "new");
}

TEST(test_abandoned_output_leaves_nothing)
{
    char path[256], parent[256];
    path_of(parent, "abandoned");
    path_of(path, "abandoned/file");
    dls_table *table;
    dls_error error;
    assert_status(dls_table_create(path, &table, &error), &error);
    assert_int_equal(files_in(parent), 1);
    dls_table_abandon(table);
    dls_table_abandon(NULL);
    assert_int_equal(files_in(parent), 0);
}

static int make_folder(void **unused)
{
    (void)unused;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **unused)
{
    (void)unused;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

TESTS_WITH(make_folder, remove_folder)
