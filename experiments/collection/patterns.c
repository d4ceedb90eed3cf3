/* Matrices with a prescribed pattern or spectrum, after the generators of K. Erleben's num4lcp (github.com/erleben/
 * num4lcp, matlab/make_*.m, 2011), derived again in exact arithmetic around a chosen solution.
 *
 *     banded    the matrix of a pressure Poisson equation (make_fluid_matrix): n = g^3 rows, three bands beside the
 *               diagonal, each with one negative number
 *     blocked   blocks of 6 x 6, of which a prescribed share is not 0 (make_blocked_matrix): 1/8, 1/4, 1/2
 *     spectrum  the eigenvalues k / n, of which a prescribed share is 0 instead (make_psd_matrix): 0, 1/4, 1/2, 3/4.
 *               Its eigenvectors are those of Sylvester's Hadamard matrix, n a power of two, whose products are exact,
 *               with rows and columns in a drawn order and of drawn signs
 *     facets    contacts with four facets of friction (make_contact_matrix has the pattern alone): rows (n, +-t1, +-t2,
 *               s) a contact, after D. Stewart and J. Trinkle (1996). With N and D the rows along normals and tangents,
 *                   A = ( N N^T   N D^T   0 )
 *                       ( D N^T   D D^T   E ),   E^T = (1 1 1 1) of each contact: copositive, not symmetric
 *                       (  mu     -E^T    0 )
 *               and u, w_D = D v + E s and mu lambda_n - E^T beta are those of contacts that are open, stick or slide
 *
 * Differences: num4lcp takes real numbers; makes a matrix definite by a multiple of 1 from its computed eigenvalues,
 * here by a diagonal that is larger than the sum beside it; has w = 0 in the rows of b = -A x and b = 0 elsewhere,
 * where w may be negative, so that its x need not be a solution; here w >= 0 is chosen. */
#include "collection/parts.h"

#include <math.h>
#include <stdlib.h>

/* A number from 1 / most to 1. */
static double draw_part(uint64_t *draws, size_t most)
{
    return (double)(1 + dls_draw_below(draws, most)) / (double)most;
}

/* Half of the rows have an impulse, half a velocity. */
static void choose_halves(dls_draft *d, uint64_t *draws)
{
    for (size_t i = 0; i < d->n; i++) {
        double *of = dls_draw_below(draws, 2) ? d->lambda : d->w;
        of[i] = 2.0 * draw_part(draws, 16);
    }
    dls_draft_choose(d);
}

/* Makes the diagonal larger than the sum of the magnitudes beside it. */
static void make_dominant(dls_draft *d)
{
    for (size_t i = 0; i < d->n; i++) {
        double sum = 0.125;
        for (size_t j = 0; j < d->n; j++)
            sum += i == j ? 0.0 : fabs(d->A[i + d->n * j]);
        d->A[i + d->n * i] = sum;
    }
}

static void fill_bands(dls_draft *d, uint64_t *draws)
{
    for (size_t band = 1; band <= 3; band++) {
        const double value = -draw_part(draws, 16);
        for (size_t i = 0; i + band < d->n; i++)
            d->A[i + d->n * (i + band)] = d->A[i + band + d->n * i] = value;
    }
    make_dominant(d);
}

/* `part` eighths of the blocks beside the diagonal are not 0. */
static void fill_blocks(dls_draft *d, size_t part, uint64_t *draws)
{
    enum { BLOCK = 6 };
    for (size_t I = 0; I < d->n; I += BLOCK)
        for (size_t J = 0; J <= I; J += BLOCK) {
            if (J < I && dls_draw_below(draws, 8) >= part)
                continue;
            for (size_t i = I; i < I + BLOCK; i++)
                for (size_t j = J; j < J + BLOCK && j <= i; j++)
                    d->A[i + d->n * j] = d->A[j + d->n * i] = draw_part(draws, 16);
        }
    make_dominant(d);
}

/* Entry (i, k) of Sylvester's matrix: -1 to the number of ones that i and k have in common. */
static double sylvester(size_t i, size_t k)
{
    size_t common = i & k, odd = 0;
    for (; common; common &= common - 1)
        odd ^= 1;
    return odd ? -1.0 : 1.0;
}

static dls_status fill_spectrum(dls_draft *d, size_t zeros, uint64_t *draws, dls_error *error)
{
    const size_t n = d->n;
    size_t *order = calloc(n, sizeof *order);
    if (!order)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for an order of %zu rows", n);
    for (size_t i = 0; i < n; i++) { /* the signs in w, which is free as long as no solution is chosen */
        const size_t j = dls_draw_below(draws, i + 1);
        order[i] = order[j], order[j] = i;
        d->w[i] = dls_draw_below(draws, 2) ? 1.0 : -1.0;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0.0;
            for (size_t k = zeros; k < n; k++)
                sum += (double)(k + 1) * sylvester(order[i], k) * sylvester(order[j], k);
            d->A[i + n * j] = d->w[i] * d->w[j] * sum / (double)(n * n);
        }
    for (size_t i = 0; i < n; i++)
        d->w[i] = 0.0;
    free(order);
    return DLS_OK;
}

/* --- facets --- */

enum { FACET_ROWS = 6, NORMAL = 0, SIDES = 1, SLACK = 5 };

/* Row k of a contact as a vector of velocities: the normal, then both directions of both tangents. */
static double facet_entry(const double *G, size_t m, size_t row, size_t column)
{
    const size_t contact = row / FACET_ROWS, k = row % FACET_ROWS;
    const double *of = G + 3 * m * contact;
    return k == NORMAL ? of[column] : (k <= SIDES + 1 ? 1.0 : -1.0) * of[m * (1 + (k - SIDES) % 2) + column];
}

static void fill_facets(dls_draft *d, const double *G, size_t m)
{
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j < d->n; j++) {
            const bool same = i / FACET_ROWS == j / FACET_ROWS;
            const size_t row = i % FACET_ROWS, column = j % FACET_ROWS;
            double *a = &d->A[i + d->n * j];
            if (row != SLACK && column != SLACK)
                for (size_t k = 0; k < m; k++)
                    *a += facet_entry(G, m, i, k) * facet_entry(G, m, j, k);
            else if (same && row != column && row != NORMAL && column == SLACK)
                *a = 1.0;
            else if (same && row == SLACK && row != column)
                *a = column == NORMAL ? 0.5 : -1.0;
        }
}

/* A contact is open, sticks or slides in turn: mu = 1/2, sliding at the speed s along tangent `along`. */
static void choose_contact(dls_draft *d, size_t contact, uint64_t *draws)
{
    double *lambda = d->lambda + FACET_ROWS * contact, *w = d->w + FACET_ROWS * contact;
    const size_t state = dls_draw_below(draws, 3), along = dls_draw_below(draws, 4);
    const double size = 2.0 * draw_part(draws, 16), speed = state == 1 ? 0.0 : draw_part(draws, 16);
    const double aside = speed * dls_draw_whole(draws, 7) / 8.0;
    lambda[state == 0 ? SLACK : NORMAL] = size;
    if (state == 0)
        w[NORMAL] = draw_part(draws, 16);
    if (state == 1)
        lambda[SIDES + along] = size / 4.0;
    if (state == 2)
        lambda[SIDES + along] = size / 2.0;
    lambda[SLACK] = speed;
    for (size_t k = 0; k < 4; k++) { /* direction `along` is the one against which the contact slides */
        const size_t turn = (k + 4 - along) % 4;
        w[SIDES + k] = speed + (turn == 0 ? -speed : turn == 2 ? speed : turn == 1 ? aside : -aside);
    }
    w[SLACK] = 0.5 * lambda[NORMAL] - lambda[SIDES + along];
}

static dls_status make_facets(dls_collection_member of, dls_collected *made, dls_error *error)
{
    const size_t contacts = 1 + of.k % 12, m = of.k < 12 ? 6 * contacts : 3 + contacts; /* the second: redundant */
    dls_draft d;
    double *G = calloc(3 * contacts * m, sizeof *G);
    if (!G)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu contacts", contacts);
    dls_status status = dls_draft_open(&d, FACET_ROWS * contacts, error);
    if (status == DLS_OK) {
        for (size_t k = 0; k < 3 * contacts * m; k++)
            G[k] = dls_draw_whole(&of.draws, 8) / 8.0;
        fill_facets(&d, G, m);
        for (size_t contact = 0; contact < contacts; contact++)
            choose_contact(&d, contact, &of.draws);
        dls_draft_choose(&d);
        status = dls_draft_end(&d, true, made, error);
    }
    free(G);
    return status;
}

dls_status dls_collect_patterns(dls_collection_member of, dls_collected *made, dls_error *error)
{
    static const size_t blocks[] = {1, 2, 4};
    const size_t g = 2 + of.k % 5, powers = (size_t)4 << of.k % 6;
    dls_draft d;
    if (of.variant == DLS_PATTERNS_FACETS)
        return make_facets(of, made, error);
    DLS_TRY(dls_draft_open(&d,
                           of.variant == DLS_PATTERNS_BANDED    ? g * g * g
                           : of.variant == DLS_PATTERNS_BLOCKED ? 6 * (1 + of.k % 8)
                                                                : powers,
                           error));
    if (of.variant == DLS_PATTERNS_BANDED)
        fill_bands(&d, &of.draws);
    else if (of.variant == DLS_PATTERNS_BLOCKED)
        fill_blocks(&d, blocks[of.k / 8 % 3], &of.draws);
    else if (fill_spectrum(&d, powers * (of.k / 6 % 4) / 4, &of.draws, error) != DLS_OK)
        return free(d.A), DLS_NO_MEMORY;
    choose_halves(&d, &of.draws);
    return dls_draft_end(&d, true, made, error);
}
