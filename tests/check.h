/* check.h - assertions that print both values at full digits, and the tolerance. */
#ifndef DLS_TESTS_CHECK_H
#define DLS_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "delassus/status.h"

/* A test of a file, or what is done before and after the tests of a file; main.c runs them. */
typedef struct check_test {
    const char *file;
    struct CMUnitTest test;
    CMFixtureFunction before, after;
    struct check_test *next;
} check_test;
void check_enter(check_test *test);

#define CHECK_ENTER(name, ...)                                            \
    __attribute__((constructor)) static void enter_##name(void)           \
    {                                                                     \
        static check_test name##_entry = {.file = __FILE__, __VA_ARGS__}; \
        check_enter(&name##_entry);                                       \
    }

/* TEST(name) { ... } is a test. After one with TEST_AFTER, and before and after all tests of a file with TESTS_WITH,
 * functions are called that return 0 unless they fail. */
#define TEST_OF(name, entry)               \
    static void name(void **unused_state); \
    CHECK_ENTER(name, .test = entry)       \
    static void name(__attribute__((unused)) void **unused_state)
#define TEST(name) TEST_OF(name, cmocka_unit_test(name))
#define TEST_AFTER(name, after_each) TEST_OF(name, cmocka_unit_test_teardown(name, after_each))
#define TESTS_WITH(before_all, after_all) CHECK_ENTER(fixtures, .before = before_all, .after = after_all)

/* LAPACK and the BLAS call this function if an argument is wrong, for example a leading dimension of 0. Their own
 * version prints; in a test such a call is a failure. */
__attribute__((weak)) void xerbla_(const char *name, const int *argument, size_t length);
void xerbla_(const char *name, const int *argument, size_t length)
{
    fail_msg("argument %d of %.*s is wrong", *argument, (int)length, name);
}

/* The tolerances are multiplied by DLS_TEST_TOLERANCE_SCALE where it is set: 0 shows every true margin. */
static inline double check_scale(void)
{
    const char *text = getenv("DLS_TEST_TOLERANCE_SCALE");
    return text ? strtod(text, NULL) : 1.0;
}

/* Whether the run is to be small: unless DLS_TEST_FULL is set, and always under a sanitizer, whose checks make loops
 * slow. */
static inline bool check_small(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
    return true;
#endif
#endif
    return getenv("DLS_TEST_FULL") == NULL;
}

/* 1; in a small run k: of what is repeated, such as the seeds of random problems, one in k is tested, and that is said.
 */
static inline size_t check_one_of(size_t k, const char *what)
{
    if (!check_small())
        return 1;
    print_message("# small run: one in %zu of the %s\n", k, what);
    return k;
}

static inline void check_close(double value, double expected, double tolerance, const char *what, const char *file,
                               int line)
{
    double allowed = tolerance * check_scale();
    if (fabs(value - expected) <= allowed)
        return;
    print_error("%s: %.17g, expected %.17g, differ by %.3g, allowed %.3g\n", what, value, expected,
                fabs(value - expected), allowed);
    _fail(file, line);
}
#define assert_close(value, expected, tolerance) \
    check_close((value), (expected), (tolerance), #value, __FILE__, __LINE__)

/* value <= limit, and not NaN. */
static inline void check_below(double value, double limit, const char *what, const char *file, int line)
{
    if (value <= limit * check_scale())
        return;
    print_error("%s: %.17g, expected at most %.3g\n", what, value, limit * check_scale());
    _fail(file, line);
}
#define assert_below(value, limit) check_below((value), (limit), #value, __FILE__, __LINE__)

static inline void check_status(dls_status status, const dls_error *error, const char *what, const char *file, int line)
{
    if (status == DLS_OK)
        return;
    char text[DLS_PATH_MAX + DLS_MESSAGE_MAX];
    dls_error_format(error, text, sizeof text);
    print_error("%s: %s\n", what, text);
    _fail(file, line);
}
#define assert_status(call, error) check_status((call), (error), #call, __FILE__, __LINE__)

#endif
