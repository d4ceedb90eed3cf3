/* Blocks that stand on each other, with contacts at the corners of their faces under Coulomb's cone.
 *
 *     stack  a tower of cubes with drawn masses and velocities: without friction, with a box, with the cone
 *     wall   courses of bricks of 1 m x 1/2 m, each on the halves of two below
 *     arch   a semicircle of mean radius 1 on two springers. Its joints are the lines from the centre through the
 *            points (2 s, 1 - s^2) / (1 + s^2), s from -1 to 1 in equal steps, which need no trigonometric function.
 *            Half of the arches are thinner than the least thickness 0.1075 at which an arch without sliding stands
 *     cards  houses of 1 to 4 levels (coulomb/house.c), whose cards lean by angles with the sines 7/25, 5/13 and 8/17.
 *            One level stands from mu = (tan a - t / L) / 2 on; of each angle a third of the houses has too little */
#include "collection/parts.h"

#include "coulomb/parts.h"

static dls_status make_stack(dls_collection_member of, dls_collected *made, dls_error *error)
{
    const size_t height = 1 + of.k % 16, law = of.k / 16;
    dls_maker maker = dls_make_scene(dls_v3(0.0, 0.0, -9.75), error);
    for (size_t i = 0; i < height; i++)
        dls_collect_body(&maker, i, (double)(1 + dls_draw_below(&of.draws, 16)) / 4.0,
                         dls_v3(0.0, 0.0, 0.25 + 0.5 * (double)i), &of.draws);
    for (size_t k = 0; k < 4 * height; k++) {
        dls_collect_joint(&maker, "contact", k, k / 4, k < 4 ? DLS_NONE : k / 4 - 1);
        dls_make_vector(&maker, "point", dls_v3(k & 1 ? 0.25 : -0.25, k & 2 ? 0.25 : -0.25, 0.5 * (double)(k / 4)));
        dls_make_vector(&maker, "normal", dls_v3(0.0, 0.0, 1.0));
        if (law > 0) {
            dls_make_real(&maker, "mu", 0.5);
            dls_make_set(&maker, "friction", law == 1 ? "box" : "cone");
        }
    }
    return dls_collect_made(&maker, made, error);
}

/* The problem of a structure, which is released. */
static dls_status blocks_problem(dls_blocks *b, double mu, dls_collected *made, dls_error *error)
{
    dls_scene *scene;
    dls_blocks_set_mu(b, mu);
    const dls_status status = dls_blocks_scene(b, 2048.0, &scene, error);
    dls_blocks_release(b);
    return status == DLS_OK ? dls_collect_first(scene, made, error) : status;
}

/* Course c has its bricks half a brick to the right where c is odd; the ground is the last body. */
static dls_status make_wall(dls_collection_member of, dls_collected *made, dls_error *error)
{
    const size_t courses = 1 + of.k % 4, width = 1 + of.k / 4;
    dls_blocks b;
    DLS_TRY(dls_blocks_create(courses * width + 1, 2 * courses * width, 0.5, &b, error));
    for (size_t i = 0; i < courses * width; i++) {
        const size_t c = i / width;
        const double x = (double)(i % width) + (c % 2 ? 0.5 : 0.0), z = 0.5 * (double)c;
        dls_blocks_add(&b, (double[8]){x, z, x + 1.0, z, x + 1.0, z + 0.5, x, z + 0.5});
        for (int half = 0; half < 2; half++) {
            const size_t right = i % width + (c % 2 ? (size_t)half : 0);
            const size_t left = c % 2 == 0 && half == 0 ? 1 : 0; /* an even course reaches half a brick farther left */
            const double from = x + 0.5 * half;
            if (c > 0 && (right < left || right - left >= width))
                continue;
            dls_blocks_face(&b, i, c > 0 ? (c - 1) * width + right - left : courses * width, (double[2]){from, z},
                            (double[2]){from + 0.5, z});
        }
    }
    dls_blocks_add(&b, NULL);
    return blocks_problem(&b, 0.625, made, error);
}

static dls_status make_arch(dls_collection_member of, dls_collected *made, dls_error *error)
{
    const size_t stones = 3 + of.k % 10;
    const double thickness = of.k < 10 ? 0.25 : 0.09375;
    double at[2][2][2] = {{{0.0}}}; /* left and right of a stone, inner and outer, x and z */
    dls_blocks b;
    DLS_TRY(dls_blocks_create(stones + 1, stones + 1, thickness, &b, error));
    for (size_t k = 0; k <= stones; k++) {
        const double s = 2.0 * (double)k / (double)stones - 1.0, over = 1.0 + s * s;
        for (size_t c = 0; c < 2; c++) {
            const double radius = 1.0 + (c ? 0.5 : -0.5) * thickness;
            at[0][c][0] = at[1][c][0], at[0][c][1] = at[1][c][1];
            at[1][c][0] = radius * 2.0 * s / over, at[1][c][1] = radius * (1.0 - s * s) / over;
        }
        if (k > 0)
            dls_blocks_add(&b, (double[8]){at[0][0][0], at[0][0][1], at[1][0][0], at[1][0][1], at[1][1][0], at[1][1][1],
                                           at[0][1][0], at[0][1][1]});
        dls_blocks_face(&b, k, k > 0 ? k - 1 : stones, at[1][1], at[1][0]);
    }
    dls_blocks_add(&b, NULL);
    return blocks_problem(&b, 0.625, made, error);
}

static dls_status make_cards(dls_collection_member of, dls_collected *made, dls_error *error)
{
    static const double angle[][2] = {{7.0 / 25.0, 24.0 / 25.0}, {5.0 / 13.0, 12.0 / 13.0}, {8.0 / 17.0, 15.0 / 17.0}};
    static const double friction[] = {0.125, 0.375, 0.75};
    const double *lean = angle[of.k / 4 % 3];
    const dls_house_size size = {1 + of.k % 4, lean[0], lean[1], 1.0, 0.03125, 0.5, 0.0078125};
    dls_blocks b;
    DLS_TRY(dls_house(&size, &b, error));
    return blocks_problem(&b, friction[of.k / 12], made, error);
}

dls_status dls_collect_masonry(dls_collection_member of, dls_collected *made, dls_error *error)
{
    switch (of.variant) {
    case DLS_MASONRY_WALL:
        return make_wall(of, made, error);
    case DLS_MASONRY_CARDS:
        return make_cards(of, made, error);
    case DLS_MASONRY_ARCH:
        return make_arch(of, made, error);
    default:
        return make_stack(of, made, error);
    }
}
