/* draws.h - random numbers of tests whose problems are named by a seed: the same on every machine. */
#ifndef DLS_TESTS_DRAWS_H
#define DLS_TESTS_DRAWS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static uint64_t draw_state;

static inline void draw_seed(uint64_t seed) { draw_state = seed * 0xd1342543de82ef95u + 1; }
static inline uint64_t draw_next(void) /* splitmix64 */
{
    uint64_t z = (draw_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
static inline int draw(int from, int to) { return from + (int)(draw_next() % (uint64_t)(to - from + 1)); }
static inline double uniform(double from, double to)
{
    return from + (to - from) * (double)(draw_next() >> 11) * 0x1p-53;
}
static inline bool often(int in) { return draw(1, in) != 1; }
static inline double any_sign(double x) { return draw(0, 1) ? x : -x; }
static inline double scale_between(double low, double high) { return pow(10.0, uniform(low, high)); }

/* A count that the environment may set. */
static inline uint64_t draw_number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

#endif
