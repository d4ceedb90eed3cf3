/* scenes.h - mechanisms of any size to measure sweeps on, made without a file. */
#ifndef DELASSUS_BENCH_SCENES_H
#define DELASSUS_BENCH_SCENES_H

#include "delassus/contact.h"
#include "delassus/problem.h"

typedef struct bench_scene {
    dls_model model; /* body 0 of a pile is the static ground */
    dls_contacts contacts;
    double h;
} bench_scene;

/* A pyramid of boxes, `layers` in the lowest layer; every box stands on the two below it or on the ground, with a
 * manifold of four contact points: 12 rows with coupled friction. layers + layers (layers - 1) manifolds. */
dls_status bench_pile(size_t layers, double mu, bench_scene **scene, dls_error *error);
/* side x side boxes, ball joints between neighbours, the first row of them hung from the world: 2 side^2 - side joints
 * of 3 rows. */
dls_status bench_grid(size_t side, bench_scene **scene, dls_error *error);
void bench_scene_destroy(bench_scene *scene);

#endif
