/* Houses of cards.
 *
 * A frame is two cards of length L and thickness t that lean by the angle a from the vertical, on their lowest corners,
 * and touch with the inner ones of their upper ends: base to apex is L (sin a, cos a), and the outer upper corner is
 * the highest. A level has frames beside each other; horizontal cards lie on the highest corners of two neighbours, and
 * carry the frames of the next level, one fewer. The scenes of FBF have 4 levels with 26 cards and 10 levels with 155,
 * a = 0.23, L = 1, t = 0.03; their horizontal cards overlap by 3 mm, which is here a gap.
 *
 * ONE PAIR of cards alone: with the weight w at the middle of the card, (L sin a - t cos a) / 2 from its base, moments
 * about the base give the thrust H = w (tan a - t / L) / 2 at the apex, so that the friction at the base, which carries
 * w, must be at least (tan a - t / L) / 2; the apex has no vertical force. */
#include "coulomb/parts.h"

#include <stdlib.h>

/* a = 0.23 */
const dls_house_size dls_house_of_cards = {1, 0.22797752353518841, 0.97366639500537489, 1.0, 0.03, 0.45, 0.003};

size_t dls_house_cards(size_t levels) { return levels * (3 * levels + 1) / 2; }

/* The centre of frame i of a level with `frames` of them. */
static double frame_centre(const dls_house_size *s, size_t frames, size_t i)
{
    return ((double)i - 0.5 * (double)(frames - 1)) * (s->length + s->gap);
}

/* A leaning card; side 0 is the left one, whose card leans to the right. */
static size_t add_leaning(dls_blocks *b, const dls_house_size *s, double centre, double base, int side)
{
    const double sine = s->sine, cosine = s->cosine, sign = side == 0 ? 1.0 : -1.0;
    const double foot[2] = {centre - sign * s->length * sine, base}, apex[2] = {centre, base + s->length * cosine};
    const double across[2] = {-sign * s->thickness * cosine, s->thickness * sine};
    const double card[4][2] = {{foot[0], foot[1]},
                               {apex[0], apex[1]},
                               {apex[0] + across[0], apex[1] + across[1]},
                               {foot[0] + across[0], foot[1] + across[1]}};
    double corner[8];
    for (size_t k = 0; k < 4; k++) {
        const size_t from = side == 0 ? k : (4 - k) % 4; /* counterclockwise on both sides */
        corner[2 * k] = card[from][0], corner[2 * k + 1] = card[from][1];
    }
    return dls_blocks_add(b, corner);
}

static size_t add_frame(dls_blocks *b, const dls_house_size *s, double centre, double base, size_t ground)
{
    const size_t left = add_leaning(b, s, centre, base, 0), right = add_leaning(b, s, centre, base, 1);
    for (size_t side = 0; side < 2; side++) {
        const double out = s->length * s->sine;
        const double foot[2] = {centre + (side == 0 ? -out : out), base};
        dls_blocks_point(b, side == 0 ? left : right, ground, foot, 0.0, 1.0);
    }
    dls_blocks_point(b, right, left, (double[2]){centre, base + s->length * s->cosine}, 1.0, 0.0);
    return left;
}

/* The horizontal card on frame i and the next one. */
static size_t add_horizontal(dls_blocks *b, const dls_house_size *s, size_t frames, size_t i, double base,
                             const size_t *left)
{
    const double one = frame_centre(s, frames, i), other = frame_centre(s, frames, i + 1);
    const double middle = 0.5 * (one + other), half = 0.5 * s->length, in = s->thickness * s->cosine;
    const size_t card = dls_blocks_add(b, (double[8]){middle - half, base, middle + half, base, middle + half,
                                                      base + s->thickness, middle - half, base + s->thickness});
    dls_blocks_point(b, card, left[i] + 1, (double[2]){one + in, base}, 0.0, 1.0);
    dls_blocks_point(b, card, left[i + 1], (double[2]){other - in, base}, 0.0, 1.0);
    return card;
}

dls_status dls_house(const dls_house_size *s, dls_blocks *b, dls_error *error)
{
    const size_t cards = dls_house_cards(s->levels), frames_of_all = s->levels * (s->levels + 1) / 2;
    const double rise = s->length * s->cosine + s->thickness * s->sine;
    size_t *left = calloc(2 * s->levels, sizeof *left), *below = left + s->levels;
    double base = 0.0;
    if (!left)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu frames", s->levels);
    const dls_status status =
        dls_blocks_create(cards + 1, 3 * frames_of_all + 2 * (cards - 2 * frames_of_all), s->width, b, error);
    for (size_t frames = s->levels; frames > 0 && status == DLS_OK; frames--) {
        for (size_t i = 0; i < frames; i++)
            left[i] = add_frame(b, s, frame_centre(s, frames, i), base, frames == s->levels ? cards : below[i]);
        base += rise;
        for (size_t i = 0; i + 1 < frames; i++)
            below[i] = add_horizontal(b, s, frames, i, base, left);
        base += s->thickness;
    }
    if (status == DLS_OK)
        dls_blocks_add(b, NULL);
    free(left);
    return status;
}

double dls_house_pair_mu(const dls_house_size *s) { return 0.5 * (s->sine / s->cosine - s->thickness / s->length); }
