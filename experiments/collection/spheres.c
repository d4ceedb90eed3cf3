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

enum { SIDE = 4, PLACES = SIDE * SIDE * SIDE / 2, PAIRS = 6 * PLACES };

typedef struct packing {
    size_t spheres, pairs, pair[PAIRS][2];
    dls_vec3 at[PLACES];
} packing;

static void fill_packing(packing *p, size_t side)
{
    p->spheres = p->pairs = 0;
    for (size_t place = 0; place < side * side * side; place++) {
        const size_t x = place % side, y = place / side % side, z = place / side / side;
        if ((x + y + z) % 2 == 0)
            p->at[p->spheres++] = dls_v3((double)x, (double)y, (double)z);
    }
    for (size_t i = 0; i < p->spheres; i++)
        for (size_t j = 0; j < i; j++) {
            const dls_vec3 apart = dls_sub(p->at[i], p->at[j]);
            if (dls_dot(apart, apart) == 2.0)
                p->pair[p->pairs][0] = i, p->pair[p->pairs++][1] = j;
        }
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
    static const char *const laws[] = {"fixed", "box", "cone", "associated", "cone", "cone"};
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
    const double inertia = 0.2; /* 2/5 m r^2 */
    packing *p = malloc(sizeof *p);
    if (!p)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a packing of spheres");
    fill_packing(p, 2 + of.k % 3);
    draw_pairs(p, (size_t)(per_sphere[of.k / 3 % 5] * (double)p->spheres), &of.draws);
    dls_maker maker = dls_make_scene(dls_v3(0.0, 0.0, 0.0), error);
    for (size_t i = 0; i < p->spheres; i++) {
        dls_collect_body(&maker, i, 1.0, p->at[i], &of.draws);
        if (maker.status == DLS_OK)
            maker.scene->bodies[i].inertia = dls_v3(inertia, inertia, inertia);
    }
    for (size_t k = 0; k < p->pairs; k++)
        make_contact(&maker, p, k, of.variant);
    free(p);
    return dls_collect_made(&maker, made, error);
}
