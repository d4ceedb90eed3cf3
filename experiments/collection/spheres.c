/* Spheres with a prescribed number of contacts.
 *
 * Spheres of radius sqrt(1/2) stand at the points of {0, .., s - 1}^3 with an even sum of coordinates, a part of the
 * densest packing: neighbours are sqrt 2 apart and touch. Of all pairs of neighbours a drawn subset is in contact, with
 * a prescribed number of contacts per sphere; the others have no row. With friction a contact has 3 rows and a sphere 6
 * velocities: the density of contacts is c = 3 contacts / 6 spheres, and a rank of A above 1 / c of its rows is
 * impossible (V. Acary, M. Bremond, O. Huber, "On solving contact problems with Coulomb friction: formulations and
 * numerical comparisons", 2018, compare solvers by c and by the ratio of rank and rows). Velocities are drawn, so that
 * contacts open, stick and slide; at rest no contact approaches, so that impulses that solve a problem exist. */
#include "collection/parts.h"

#include <math.h>
#include <stdlib.h>

typedef struct packing {
    size_t spheres, pairs;
    dls_vec3 *at;      /* spheres */
    size_t (*pair)[2]; /* pairs, of at most 6 times as many as spheres */
} packing;

static void packing_release(packing *p) { free(p->at), free(p->pair); }

/* Adds the pair of sphere i and the one at this place of the lattice, if it is one and comes before i. */
static void add_pair(packing *p, const size_t *number, size_t side, size_t i, dls_vec3 at)
{
    const double most = (double)side - 1.0;
    if (!(at.x >= 0.0 && at.y >= 0.0 && at.z >= 0.0 && at.x <= most && at.y <= most && at.z <= most))
        return;
    const size_t j = number[(size_t)at.x + side * ((size_t)at.y + side * (size_t)at.z)];
    if (j < i)
        p->pair[p->pairs][0] = i, p->pair[p->pairs++][1] = j;
}

/* The twelve neighbours of a sphere differ by -1, 0 or 1 along each axis, along two of them not by 0. */
static void add_pairs(packing *p, const size_t *number, size_t side, size_t i)
{
    for (size_t step = 0; step < 27; step++) {
        const dls_vec3 by = dls_v3((double)(step % 3) - 1.0, (double)(step / 3 % 3) - 1.0, (double)(step / 9) - 1.0);
        if (dls_dot(by, by) == 2.0)
            add_pair(p, number, side, i, dls_add(p->at[i], by));
    }
}

static dls_status fill_packing(packing *p, size_t side, dls_error *error)
{
    const size_t places = side * side * side, most = (places + 1) / 2;
    size_t *number = calloc(places, sizeof *number);
    *p = (packing){.at = calloc(most, sizeof *p->at), .pair = calloc(6 * most, sizeof *p->pair)};
    if (!number || !p->at || !p->pair) {
        free(number), packing_release(p);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a packing of %zu spheres", most);
    }
    for (size_t place = 0; place < places; place++) {
        const size_t x = place % side, y = place / side % side, z = place / side / side;
        number[place] = (x + y + z) % 2 == 0 ? p->spheres : SIZE_MAX;
        if ((x + y + z) % 2 == 0)
            p->at[p->spheres++] = dls_v3((double)x, (double)y, (double)z);
    }
    for (size_t i = 0; i < p->spheres; i++)
        add_pairs(p, number, side, i);
    free(number);
    return DLS_OK;
}

/* Leaves `count` drawn pairs. */
static void draw_pairs(packing *p, size_t count, uint64_t *draws)
{
    for (size_t k = 0; k < count && k < p->pairs; k++) {
        const size_t from = k + dls_draw_below(draws, p->pairs - k);
        const size_t swapped[2] = {p->pair[k][0], p->pair[k][1]};
        p->pair[k][0] = p->pair[from][0], p->pair[k][1] = p->pair[from][1];
        p->pair[from][0] = swapped[0], p->pair[from][1] = swapped[1];
    }
    p->pairs = count < p->pairs ? count : p->pairs;
}

static void make_contact(dls_maker *m, const packing *p, size_t k, int variant)
{
    static const char *const laws[] = {"fixed", "box", "cone", "associated", "cone", "cone", "cone"};
    const size_t i = p->pair[k][0], j = p->pair[k][1];
    dls_collect_joint(m, "contact", k, i, j);
    dls_make_vector(m, "point", dls_scale(0.5, dls_add(p->at[i], p->at[j])));
    dls_make_vector(m, "normal", dls_sub(p->at[i], p->at[j]));
    dls_make_set(m, "friction", laws[variant]);
    if (variant != DLS_SPHERES_SMOOTH)
        dls_make_real(m, "mu", 0.5);
    if (variant == DLS_SPHERES_ANISOTROPIC) {
        dls_make_real(m, "across", 0.125);
        dls_make_vector(m, "along", dls_v3(1.0, 2.0, 4.0));
    }
    if (variant == DLS_SPHERES_ROLLING)
        dls_make_real(m, "rolling", 0.0625);
}

dls_status dls_collect_spheres(dls_collection_member of, dls_collected *made, dls_error *error)
{
    static const double per_sphere[] = {0.5, 1.0, 1.5, 2.0, 2.5};
    static const size_t sides[] = {6, 8, 12, 16, 32}; /* 648 to 98,304 rows */
    const double inertia = 0.2;                       /* 2/5 m r^2 */
    const bool big = of.variant == DLS_SPHERES_BIG;
    packing packed, *const p = &packed;
    DLS_TRY(fill_packing(p, big ? sides[of.k % 5] : 2 + of.k % 3, error));
    draw_pairs(p, (size_t)((big ? 2.0 : per_sphere[of.k / 3 % 5]) * (double)p->spheres), &of.draws);
    dls_maker maker = dls_make_scene(dls_v3(0.0, 0.0, 0.0), error);
    for (size_t i = 0; i < p->spheres; i++) {
        dls_collect_body(&maker, i, 1.0, p->at[i], &of.draws);
        if (maker.status == DLS_OK)
            maker.scene->bodies[i].inertia = dls_v3(inertia, inertia, inertia);
    }
    for (size_t k = 0; k < p->pairs; k++)
        make_contact(&maker, p, k, of.variant);
    packing_release(p);
    return dls_collect_made(&maker, made, error);
}
