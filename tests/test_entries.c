/* The loops of the examiner over entries of A: every compiled path gives the bytes of the plain one, which is compared
 * with the definitions by test_examine_definitions.c, and quotients keep their digits at any size. */
#include "check.h"
#include "draws.h"

#include "examine/entries.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SLOTS = 64, LONGEST = 9 };

typedef struct outcome {
    double entry[SLOTS], bound[SLOTS], most[SLOTS], sum[SLOTS + 1];
} outcome;

static double any(void) { return ldexp(draw(-1000, 1000), draw(-60, 20)); }

/* Two blocks of m velocities, joined in a run of any length; then sums and quotients of any number of slots. */
static outcome run_loops(const dls_entries_path *path, size_t m, const double *own, const double *lever,
                         const double *size, const double *x, size_t meeting)
{
    outcome o = {.most = {0.0}};
    for (size_t block = 0; block < 2; block++)
        path->multiply(own + block * m, size[block], lever + block * SLOTS / 2 * m, m, size + block * SLOTS / 2,
                       SLOTS / 2, o.entry + block * SLOTS / 2, o.bound + block * SLOTS / 2);
    path->join(o.entry + 1, o.entry + SLOTS / 2, meeting);
    path->join(o.bound + 1, o.bound + SLOTS / 2, meeting);
    path->cut(o.entry, o.bound, SLOTS);
    for (size_t count = 0; count <= SLOTS; count++) {
        o.sum[count] = path->sum(o.entry, x, count);
        path->raise(o.entry, count, 1.0 / (1.0 + fabs(x[count % SLOTS])), o.most);
    }
    return o;
}

TEST(test_every_path_has_the_bytes_of_the_plain_one)
{
    for (int round = 0; round < 200; round++) {
        static double own[2 * LONGEST], lever[SLOTS * LONGEST], size[SLOTS], x[SLOTS];
        const size_t m = (size_t)draw(1, LONGEST), meeting = (size_t)draw(0, SLOTS / 2 - 1);
        const dls_entries_path *plain = dls_entries_paths;
        while (plain[1].name)
            plain++;
        for (size_t k = 0; k < 2 * LONGEST; k++)
            own[k] = any();
        for (size_t k = 0; k < SLOTS * LONGEST; k++)
            lever[k] = draw(0, 3) ? any() : 0.0;
        for (size_t k = 0; k < SLOTS; k++)
            size[k] = fabs(any()), x[k] = fabs(any());
        const outcome expected = run_loops(plain, m, own, lever, size, x, meeting);
        for (const dls_entries_path *path = dls_entries_paths; path->name; path++) {
            if (!path->usable())
                continue;
            const outcome found = run_loops(path, m, own, lever, size, x, meeting);
            assert_memory_equal(&found, &expected, sizeof found);
        }
    }
}

TEST(test_quotients_of_any_size)
{
    static const double scales[] = {0.0, 0x1p-1074, 0x1p-1050, 0x1p-1020, 1.5, 0x1p1020, DBL_MAX, HUGE_VAL, NAN};
    static const double sizes[] = {0.0, 0x1p-1074, 0x1p-1030, 0.75, 0x1p1010, DBL_MAX};
    enum { SCALES = sizeof scales / sizeof scales[0], SIZES = sizeof sizes / sizeof sizes[0] };
    dls_entry_span span = {0, SIZES, sizes};
    const dls_entries e = {.path = dls_entries_fastest(), .span = &span};
    for (size_t k = 0; k < SCALES; k++) {
        double most[SIZES] = {0.0};
        dls_entries_raise(&e, 1, scales[k], most);
        for (size_t s = 0; s < SIZES; s++) {
            const double quotient = sizes[s] / scales[k];
            if (sizes[s] == 0.0 || !isfinite(scales[k]))
                assert_true(most[s] == 0.0);
            else if (isinf(quotient) || quotient < DBL_MIN)
                assert_true(fabs(most[s] - quotient) <= 0x1p-1074 || most[s] == quotient);
            else
                assert_close(most[s], quotient, 2.0 * DBL_EPSILON * quotient);
        }
    }
}
