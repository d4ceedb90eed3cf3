/* sharpness.h - how much certificates prove over a run of problems, against what they proved once. */
#ifndef DLS_TESTS_SHARPNESS_H
#define DLS_TESTS_SHARPNESS_H

#include "check.h"

#include "delassus/reference.h"

#include <string.h>

enum { DLS_KINDS = DLS_BOUNDS_VELOCITY + 1 };

/* How often what is proved, and the sums of the decimal logarithms of the radii: of all rows, of v+, and of what b and
 * mu are off by. */
typedef struct sharpness {
    size_t kinds[DLS_KINDS], unique, rows[3]; /* rows between, at a bound, undecided */
    double lambda, w, velocity, off;
} sharpness;

static inline double log_of(double radius) { return isnan(radius) ? 0.0 : log10(fmin(fmax(radius, 1e-40), 1e40)); }

static inline void add_sharpness(sharpness *to, size_t n, const dls_bounds *bounds)
{
    to->kinds[bounds->kind]++;
    to->unique += bounds->unique;
    to->rows[0] += bounds->between, to->rows[1] += bounds->at_bound, to->rows[2] += bounds->undecided;
    if (bounds->kind == DLS_BOUNDS_NONE)
        return;
    for (size_t i = 0; i < n; i++) {
        to->lambda += log_of(bounds->radius_lambda[i]);
        to->w += log_of(bounds->radius_w[i]);
    }
    to->velocity += log_of(bounds->velocity);
    if (bounds->kind == DLS_BOUNDS_BACKWARD)
        to->off += log_of(bounds->b_off) + log_of(bounds->mu_off);
    if (bounds->kind == DLS_BOUNDS_INDEPENDENT)
        to->off += log_of(bounds->inconsistent);
}

/* In the form in which it is written down. */
static inline void print_sharpness(const sharpness *s)
{
    print_message("{{");
    for (size_t k = 0; k < DLS_KINDS; k++)
        print_message("%s%zu", k ? ", " : "", s->kinds[k]);
    print_message("}, %zu, {%zu, %zu, %zu}, %.2f, %.2f, %.2f, %.2f}", s->unique, s->rows[0], s->rows[1], s->rows[2],
                  s->lambda, s->w, s->velocity, s->off);
}

static inline void check_count(const char *name, const char *what, size_t count, size_t expected)
{
    if (count > expected + expected / 500 || count < expected - expected / 500)
        fail_msg("%s: %s %zu times, and not %zu", name, what, count, expected);
}

static inline void check_sum(const char *name, const char *what, double sum, double expected, double tolerance)
{
    if (!(fabs(sum - expected) <= tolerance))
        fail_msg("%s: the logarithms of the radii of %s add up to %.2f, and not to %.2f", name, what, sum, expected);
}

static inline void check_sharpness(const char *name, const sharpness *s, const sharpness *of, double tolerance)
{
    for (size_t k = 0; k < DLS_KINDS; k++)
        check_count(name, "a kind of bounds", s->kinds[k], of->kinds[k]);
    check_count(name, "a unique solution", s->unique, of->unique);
    for (size_t k = 0; k < 3; k++)
        check_count(name, "a state of a row", s->rows[k], of->rows[k]);
    check_sum(name, "lambda", s->lambda, of->lambda, tolerance);
    check_sum(name, "w", s->w, of->w, tolerance);
    check_sum(name, "v+", s->velocity, of->velocity, tolerance);
    check_sum(name, "b and mu", s->off, of->off, tolerance);
}

/* What was proved once, of two sets of impulses each: near a solution, or mended; and others, or as they are. Bounds
 * are neither wider nor narrower now, and proved as often; sums of logarithms differ by at most the tolerance, of
 * which OpenBLAS' kernels take less than half. */
typedef struct known_sharpness {
    const char *name;
    sharpness near, other;
    double tolerance;
} known_sharpness;

/* Prints what is proved, and compares it with what is known of this name. */
static inline void report_sharpness(const known_sharpness *known, size_t count, const char *name, const sharpness *near,
                                    const sharpness *other)
{
    size_t k = 0;
    print_message("{\"%s\", ", name);
    print_sharpness(near);
    print_message(", ");
    print_sharpness(other);
    print_message(", 1.0},\n");
    while (k < count && strcmp(known[k].name, name) != 0)
        k++;
    if (k == count)
        fail_msg("nothing is known of '%s'", name);
    check_sharpness(name, near, &known[k].near, known[k].tolerance);
    check_sharpness(name, other, &known[k].other, known[k].tolerance);
}

#endif
