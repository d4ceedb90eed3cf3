/* main.c - a test program: it runs the tests of the files that its arguments name ("tests/test_cone.c", or
 * "test_cone"), and those of all of its files without arguments. */
#include "check.h"

#include <stdio.h>
#include <string.h>

enum { TESTS_MAX = 200 }; /* in a file */

static check_test *first_test;
static check_test **last_test = &first_test;

void check_enter(check_test *test)
{
    *last_test = test;
    last_test = &test->next;
}

/* Whether two paths name the same file, without regard to folders and extensions. */
static bool is_same_file(const char *a, const char *b)
{
    const char *const ends[2] = {strrchr(a, '/'), strrchr(b, '/')};
    a = ends[0] ? ends[0] + 1 : a, b = ends[1] ? ends[1] + 1 : b;
    const size_t length = strcspn(a, ".");
    return length == strcspn(b, ".") && strncmp(a, b, length) == 0;
}

/* The number of tests of the file that fail, or -1 if there are none. */
static int run_file(const char *file)
{
    static struct CMUnitTest tests[TESTS_MAX];
    size_t count = 0;
    CMFixtureFunction before = NULL, after = NULL;
    for (const check_test *t = first_test; t; t = t->next) {
        if (!is_same_file(t->file, file))
            continue;
        if (t->before || t->after)
            before = t->before, after = t->after;
        else if (count < TESTS_MAX)
            tests[count++] = t->test;
    }
    if (count == 0 || count == TESTS_MAX) {
        fprintf(stderr, "%s: this program has %s tests of this file\n", file, count ? "too many" : "no");
        return -1;
    }
    return _cmocka_run_group_tests(file, tests, count, before, after);
}

int main(int count, char **arguments)
{
    bool failed = false;
    for (int k = 1; k < count; k++)
        failed = run_file(arguments[k]) != 0 || failed;
    const char *last = "";
    for (const check_test *t = first_test; t && count == 1; t = t->next) {
        if (!is_same_file(t->file, last)) {
            printf("# %s\n", t->file);
            fflush(stdout);
            failed = run_file(t->file) != 0 || failed;
        }
        last = t->file;
    }
    return failed;
}
