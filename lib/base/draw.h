/* draw.h - random numbers from a seed: the same seed gives the same numbers everywhere. Not installed. */
#ifndef DELASSUS_BASE_DRAW_H
#define DELASSUS_BASE_DRAW_H

#include <stddef.h>
#include <stdint.h>

/* 64 random bits; the state begins as the seed. splitmix64: S. Vigna, 2015. */
static inline uint64_t dls_draw_bits(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A number below `count`, which is positive. Draws that would make some numbers more frequent are rejected. */
static inline size_t dls_draw_below(uint64_t *state, size_t count)
{
    const uint64_t least = (0 - (uint64_t)count) % count;
    uint64_t x = dls_draw_bits(state);
    while (x < least)
        x = dls_draw_bits(state);
    return (size_t)(x % count);
}

#endif
