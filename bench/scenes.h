/* scenes.h - mechanisms of any size to measure on, as models that are built through the public functions. */
#ifndef DELASSUS_BENCH_SCENES_H
#define DELASSUS_BENCH_SCENES_H

#include "delassus/contact.h"

typedef struct bench_scene {
    dls_model *model; /* the ground is its first body, where there is one; then the boxes */
    size_t boxes;
    double h;              /* the step [s] */
    dls_contacts contacts; /* that are given */
} bench_scene;

/* A pyramid of boxes, one box deep, `layers` in its lowest row, with given contacts: every box has four with each of
 * the two below it or with the ground, 12 rows with friction bounded by the current normal force. layers^2 pairs. */
dls_status bench_contacts(size_t layers, double mu, bench_scene **scene, dls_error *error);
/* Boxes in `rows` rows of `columns`, ball joints between neighbours, the first row hung from the world. With 100
 * columns and 99 rows it is joint_grid of Box3D's benchmark, whose 100 static bodies are the world here. */
dls_status bench_grid(size_t columns, size_t rows, bench_scene **scene, dls_error *error);

/* The others collide, and have no given contacts. */
/* A pyramid of unit boxes, one box deep, `bottom` in its lowest row: bottom (bottom + 1) / 2 boxes. 100: large_pyramid
 * of Box3D's benchmark. */
dls_status bench_pyramid(size_t bottom, bench_scene **scene, dls_error *error);
/* A pile of unit boxes with `side` x `side` of them in its lowest layer, each on four below: side (side + 1)
 * (2 side + 1) / 6 boxes. */
dls_status bench_pile(size_t side, bench_scene **scene, dls_error *error);

/* A wall of bricks, each course a quarter of a brick beside the one below; 10 bricks, or a multiple of 20. */
dls_status bench_wall(size_t bricks, bench_scene **scene, dls_error *error);

void bench_scene_destroy(bench_scene *scene); /* NULL is allowed */

#endif
