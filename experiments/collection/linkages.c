/* Chains and closed loops of bodies.
 *
 *     ratio    links joined by balls, the first to the world; the last is 10^e times as heavy as the others
 *     size     towers of cubes, each on one point of the one below, without friction: up to 10^5 rows
 *     planar   a rectangle of unit links in the plane with parallel hinges, one link the ground. Three rows of a planar
 *              loop in space depend on the others
 *     spatial  a closed path along x, y, z, -x, -y, -z, joined by balls
 *
 * Joints of loops are at points of a lattice, and hinges turn about z, whose frame needs no rotation: C = 0, and the
 * rows are consistent, exactly. */
#include "collection/parts.h"

static const double gravity = -9.75; /* [m/s^2]; dyadic */

/* Point k of a closed path; returns the number of its edges. The path goes along each direction in turn. */
static size_t path_point(const size_t length[6], const dls_vec3 direction[6], size_t k, dls_vec3 *point)
{
    size_t edges = 0;
    *point = dls_v3(0.0, 0.0, 0.0);
    for (size_t side = 0; side < 6; side++) {
        const size_t left = k > edges ? k - edges : 0, steps = left < length[side] ? left : length[side];
        *point = dls_add(*point, dls_scale((double)steps, direction[side]));
        edges += length[side];
    }
    return edges;
}

/* Body i is the edge from point i to i + 1; edge 0 is the ground of a planar loop. */
static dls_status make_loop(dls_collection_member of, dls_collected *made, dls_error *error)
{
    const bool planar = of.variant == DLS_CHAINS_PLANAR;
    const size_t m = 1 + of.k % 10, across = 1 + of.k / 10;
    const size_t plane[6] = {m, across, 0, m, across, 0}, space[6] = {m, m, m, m, m, m},
                 *length = planar ? plane : space;
    const dls_vec3 direction[6] = {dls_v3(1.0, 0.0, 0.0),  dls_v3(0.0, 1.0, 0.0),  dls_v3(0.0, 0.0, 1.0),
                                   dls_v3(-1.0, 0.0, 0.0), dls_v3(0.0, -1.0, 0.0), dls_v3(0.0, 0.0, -1.0)};
    dls_vec3 from, to;
    dls_maker maker = dls_make_scene(planar ? dls_v3(0.0, gravity, 0.0) : dls_v3(0.0, 0.0, gravity), error);
    const size_t edges = path_point(length, direction, 0, &from);
    for (size_t i = 0; i < edges; i++) {
        path_point(length, direction, i, &from), path_point(length, direction, i + 1, &to);
        if (i > 0 || !planar)
            dls_collect_body(&maker, i, (double)(1 + dls_draw_below(&of.draws, 16)) / 4.0,
                             dls_scale(0.5, dls_add(from, to)), &of.draws);
    }
    for (size_t i = 0; i < edges; i++) {
        const size_t next = (i + 1) % edges;
        path_point(length, direction, i + 1, &to);
        const bool grounded = planar && (i == 0 || next == 0);
        dls_collect_joint(&maker, planar ? "hinge" : "ball", i, planar && i == 0 ? next : i,
                          grounded ? DLS_NONE : next);
        dls_make_vector(&maker, "anchor", to);
        if (planar)
            dls_make_vector(&maker, "axis", dls_v3(0.0, 0.0, 1.0));
    }
    return dls_collect_made(&maker, made, error);
}

static dls_status make_tower(dls_collection_member of, size_t height, dls_collected *made, dls_error *error)
{
    dls_maker maker = dls_make_scene(dls_v3(0.0, 0.0, gravity), error);
    for (size_t i = 0; i < height; i++)
        dls_collect_body(&maker, i, 1.0, dls_v3(0.0, 0.0, 0.25 + 0.5 * (double)i), &of.draws);
    for (size_t i = 0; i < height; i++) {
        dls_collect_joint(&maker, "contact", i, i, i > 0 ? i - 1 : DLS_NONE);
        dls_make_vector(&maker, "point", dls_v3(0.0, 0.0, 0.5 * (double)i));
        dls_make_vector(&maker, "normal", dls_v3(0.0, 0.0, 1.0));
    }
    return dls_collect_made(&maker, made, error);
}

static dls_status make_chain(dls_collection_member of, size_t links, double ratio, dls_collected *made,
                             dls_error *error)
{
    dls_maker maker = dls_make_scene(dls_v3(0.0, 0.0, gravity), error);
    for (size_t i = 0; i < links; i++)
        dls_collect_body(&maker, i, i + 1 == links ? ratio : 1.0, dls_v3((double)i + 0.5, 0.0, 0.0), &of.draws);
    for (size_t i = 0; i < links; i++) {
        dls_collect_joint(&maker, "ball", i, i, i > 0 ? i - 1 : DLS_NONE);
        dls_make_vector(&maker, "anchor", dls_v3((double)i, 0.0, 0.0));
    }
    return dls_collect_made(&maker, made, error);
}

dls_status dls_collect_chains(dls_collection_member of, dls_collected *made, dls_error *error)
{
    static const size_t links[] = {1, 2, 5, 10, 20, 40}, sizes[] = {1, 10, 100, 1000, 10000, 100000};
    double ratio = 1.0;
    if (of.variant == DLS_CHAINS_SIZE)
        return make_tower(of, sizes[of.k], made, error);
    if (of.variant != DLS_CHAINS_RATIO)
        return make_loop(of, made, error);
    for (size_t e = 0; e < of.k % 13; e++)
        ratio *= 10.0; /* exact up to 10^22 */
    return make_chain(of, links[of.k / 13], ratio, made, error);
}
