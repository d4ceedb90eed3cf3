/* The JSON of the program when memory runs out: each allocation of the JSON library fails once. Either the
 * object is whole, and the same, or the exit status says that something is wrong. */
#include "check.h"

#include "command.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const command command_solve, command_examine;

static long left;
static bool failed;

static void *limited(size_t size)
{
    if (left-- != 0)
        return malloc(size);
    failed = true;
    return NULL;
}

static const char problem[] = "test_json_memory.json", answer[] = "test_json_memory.txt",
                  out[] = "test_json_memory.out";

static void write_file(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

/* The command with its standard output in a file, and its messages nowhere. */
static int run(const command *c, const arguments *a)
{
    fflush(stdout);
    fflush(stderr);
    const int output = dup(1), messages = dup(2);
    assert_true(output >= 0 && messages >= 0);
    assert_non_null(freopen(out, "w", stdout));
    assert_non_null(freopen("/dev/null", "w", stderr));
    const int status = c->run(a);
    fflush(stdout);
    fflush(stderr);
    assert_true(dup2(output, 1) >= 0 && dup2(messages, 2) >= 0);
    close(output);
    close(messages);
    clearerr(stdout);
    clearerr(stderr);
    return status;
}

/* The text of the file, without the time that it took. */
static json_t *printed(void)
{
    json_error_t why;
    json_t *value = json_load_file(out, 0, &why);
    json_object_del(value, "seconds");
    json_object_del(value, "total_seconds");
    return value;
}

static void check(const command *c, const char *text, const char *given, const char *solver, int expected)
{
    const char *words[] = {problem, answer};
    option_value options[] = {{"json", ""}, {"solver", solver}};
    char line[] = "test";
    const arguments a = {words, given ? 2 : 1, options, solver ? 2 : 1, line, NULL, NULL, NULL};
    write_file(problem, text);
    if (given)
        write_file(answer, given);
    json_set_alloc_funcs(malloc, free);
    assert_int_equal(run(c, &a), expected);
    json_t *whole = printed();
    assert_true(json_is_object(whole));
    long n = 0;
    for (failed = true; failed; n++) {
        failed = false;
        left = n;
        json_set_alloc_funcs(limited, free);
        const int status = run(c, &a);
        json_set_alloc_funcs(malloc, free);
        if (status != expected) {
            assert_true(failed && status == EXIT_BAD_INPUT);
            continue;
        }
        json_t *now = printed();
        if (!json_equal(whole, now))
            print_error("allocation %ld fails: another object, and exit status %d\n", n, status);
        assert_true(json_equal(whole, now));
        json_decref(now);
    }
    assert_true(n > 20);
    json_decref(whole);
    unlink(problem);
    unlink(answer);
    unlink(out);
}

static const char three[] = "{\"A\": [[1, 2], [2, 1]], \"b\": [-1, -1]}", none[] = "{\"A\": [[-1]], \"b\": [-1]}",
                  cone[] = "{\"A\": [[2, 0, 0], [0, 1, 0], [0, 0, 1]], \"b\": [-1, 0.25, 0], \"parent\": [null, 0, 0], "
                           "\"law\": [null, \"cone\", \"cone\"], \"mu\": [0, 0.5, 0.5]}";

TEST(test_solve)
{
    check(&command_solve, three, NULL, "exact", EXIT_DONE); /* three solutions, and their fractions */
    check(&command_solve, none, NULL, "lemke", EXIT_NO_SOLUTION);
    check(&command_solve, cone, NULL, "cone-newton", EXIT_DONE);
}

TEST(test_examine)
{
    check(&command_examine, three, "1 0", NULL, EXIT_DONE);
    check(&command_examine, three, "1 1", NULL, EXIT_UNSOLVED);
}
