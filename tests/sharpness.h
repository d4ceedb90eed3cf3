/* sharpness.h - how much certificates prove over a run of problems, against a floor: sound bounds that are never
 * proved, or as wide as the impulses are large, would pass every other test. A better method proves more. */
#ifndef DLS_TESTS_SHARPNESS_H
#define DLS_TESTS_SHARPNESS_H

#include "check.h"

#include "delassus/reference.h"

#include <string.h>

/* Numbers of answers, with bounds, and with the proof that there is one solution; of their rows, and of those that are
 * proved to be between their bounds or at one; decimal digits of the radii of lambda,
 * w, v+, and b and mu, from -16 (no bound) to 16, and how many radii there are. */
typedef struct sharpness {
    size_t answers, bounded, unique, rows, decided, radii[4];
    double digits[4];
} sharpness;

static inline void add_radius(sharpness *to, size_t which, double radius)
{
    to->radii[which]++;
    to->digits[which] -= log10(fmin(fmax(radius, 1e-16), 1e16));
}

static inline void add_sharpness(sharpness *to, size_t n, const dls_bounds *bounds)
{
    const bool bounded = bounds->kind != DLS_BOUNDS_NONE, backward = bounds->kind == DLS_BOUNDS_BACKWARD;
    to->answers++, to->bounded += bounded, to->unique += bounds->unique;
    to->rows += n, to->decided += bounds->between + bounds->at_bound;
    for (size_t i = 0; i < n; i++) {
        add_radius(to, 0, bounded ? bounds->radius_lambda[i] : HUGE_VAL);
        add_radius(to, 1, bounded ? bounds->radius_w[i] : HUGE_VAL);
    }
    add_radius(to, 2, bounded ? bounds->velocity : HUGE_VAL);
    add_radius(to, 3,
               !bounded                                 ? HUGE_VAL
               : backward                               ? fmax(bounds->b_off, bounds->mu_off)
               : bounds->kind == DLS_BOUNDS_INDEPENDENT ? bounds->inconsistent
                                                        : 0.0);
}

/* Per cent of the answers that are bounded, and unique, and of the rows that are decided; mean digits of the four kinds
 * of radii. Near a solution, or of refined impulses, and of others. */
typedef struct sharpness_floor {
    const char *name;
    double near[7], other[7];
} sharpness_floor;

static inline void check_sharpness(const char *name, const char *what, const sharpness *s, const double *floor)
{
    double proved[7] = {100.0 * (double)s->bounded / (double)s->answers, 100.0 * (double)s->unique / (double)s->answers,
                        100.0 * (double)s->decided / (double)s->rows};
    for (size_t k = 0; k < 4; k++)
        proved[3 + k] = s->digits[k] / (double)s->radii[k];
    print_message("# %s, %s: %.1f %% bounded, %.1f %% unique, %.1f %% decided, digits %.2f %.2f %.2f %.2f\n", name,
                  what, proved[0], proved[1], proved[2], proved[3], proved[4], proved[5], proved[6]);
    for (size_t k = 0; k < 7; k++)
        if (!(proved[k] >= floor[k]))
            fail_msg("%s, %s: %.17g, expected at least %.17g", name, what, proved[k], floor[k]);
}

static inline void report_sharpness(const sharpness_floor *floors, size_t count, const char *name,
                                    const sharpness *near, const sharpness *other)
{
    size_t k = 0;
    while (k < count && strcmp(floors[k].name, name) != 0)
        k++;
    if (k == count)
        fail_msg("'%s' has no floor", name);
    check_sharpness(name, "near", near, floors[k].near);
    check_sharpness(name, "other", other, floors[k].other);
}

#endif
