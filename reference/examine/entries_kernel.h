/* entries_kernel.h - loops over the entries of a row of A, included once for each instruction set with
 *     NAME(what)   the name of a function of this path
 *     TARGET       the attribute that turns the instruction set on
 * The operations and their order are the same in every one of them, and nothing is contracted, so are the results.
 * Rows of the mechanical form have whole vectors; spans of the matrix form may have a rest. */

TARGET static void NAME(multiply)(const double *own, double own_size, const double *lever, size_t m, const double *size,
                                  size_t count, double *entry, double *bound)
{
    for (size_t s = 0; s < count; s += LANES, lever += LANES * m) {
        vec sum = own[0] * GIVEN(lever);
        if (m == 6) /* a body, as most blocks are */
            sum = ((((sum + own[1] * GIVEN(lever + LANES)) + own[2] * GIVEN(lever + 2 * LANES)) +
                    own[3] * GIVEN(lever + 3 * LANES)) +
                   own[4] * GIVEN(lever + 4 * LANES)) +
                  own[5] * GIVEN(lever + 5 * LANES);
        for (size_t c = 1; c < m && m != 6; c++)
            sum += own[c] * GIVEN(lever + LANES * c);
        AT(entry + s) = sum;
        AT(bound + s) = own_size * GIVEN(size + s);
    }
}

TARGET static void NAME(cut)(double *entry, const double *bound, size_t count)
{
    for (size_t s = 0; s < count; s += LANES) {
        const vec a = AT(entry + s);
        AT(entry + s) = (vec)((mask)a & (ABS(a) > dls_granted * DBL_EPSILON * GIVEN(bound + s)));
    }
}

TARGET static double NAME(sum)(const double *entry, const double *x, size_t count)
{
    vec sums = {0.0};
    size_t s = 0;
    for (; s + LANES <= count; s += LANES)
        sums += ABS(GIVEN(entry + s)) * GIVEN(x + s);
    double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (; s < count; s++)
        sum += fabs(entry[s]) * x[s];
    return sum;
}

TARGET static void NAME(raise)(const double *entry, size_t count, double by, double *most)
{
    size_t s = 0;
    for (; s + LANES <= count; s += LANES) {
        const vec x = ABS(GIVEN(entry + s)) * by, old = AT(most + s);
        const mask larger = x > old;
        AT(most + s) = (vec)(((mask)x & larger) | ((mask)old & ~larger));
    }
    for (; s < count; s++)
        most[s] = fabs(entry[s]) * by > most[s] ? fabs(entry[s]) * by : most[s];
}

TARGET static void NAME(join)(double *first, double *other, size_t count)
{
    size_t s = 0;
    for (; s + LANES <= count; s += LANES) {
        AT(first + s) += AT(other + s);
        AT(other + s) = (vec){0.0};
    }
    for (; s < count; s++) {
        first[s] += other[s];
        other[s] = 0.0;
    }
}
