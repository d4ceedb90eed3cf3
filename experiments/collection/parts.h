/* parts.h - what the generators of the collection share. Not installed.
 *
 * THE ROOM. sets.def is the table of the sets; a file a family of generators (matrices.c, spheres.c, ...); sets.c finds
 * a set or a problem by its name and makes it; selection.c lists the problems of a name; measured.c computes the
 * properties of a problem, answer.c solves and certifies it, several.c proves that solutions are different, and
 * answer_table.c keeps the table of answers. A generator draws with lib/base/draw.h alone and computes with + - * / and
 * square roots, which IEEE 754 defines to the bit. A generator that changes gets the next version. The generators call
 * no solver. */
#ifndef DELASSUS_EXPERIMENTS_COLLECTION_PARTS_H
#define DELASSUS_EXPERIMENTS_COLLECTION_PARTS_H

#include "delassus/collection.h"

#include "base/draw.h"
#include "study/rig.h"

/* Every generator of sets.def. */
#define SET(name, version, tier, count, family, variant, summary) \
    dls_status dls_collect_##family(dls_collection_member of, dls_collected *made, dls_error *error);
#include "collection/sets.def"
#undef SET

/* The path of member k of a set of files, in its folder, and its problem (files.c). */
const char *dls_collection_path(const dls_collection_set *set, size_t k);
dls_status dls_collection_load(const dls_collection_set *set, size_t k, dls_problem **problem, dls_error *error);

/* Variants of families; the comments in sets.def say more. */
enum {
    DLS_MATRICES_DEFINITE,
    DLS_MATRICES_SEMIDEFINITE,
    DLS_MATRICES_RANK,
    DLS_MATRICES_SKEW,
    DLS_MATRICES_P,
    DLS_MATRICES_DEGENERATE,
    DLS_MATRICES_ILL,
    DLS_MATRICES_GENERAL
};
enum { DLS_CHAINS_RATIO, DLS_CHAINS_SIZE, DLS_CHAINS_PLANAR, DLS_CHAINS_SPATIAL };
enum { DLS_DEVICES_DRIVES, DLS_DEVICES_MIMIC, DLS_DEVICES_TENDON, DLS_DEVICES_CONTRADICTORY };
enum { DLS_ROBOTS_QUADRUPED, DLS_ROBOTS_HUMANOID, DLS_ROBOTS_GRIPPER };
enum { DLS_HEAPS_PILE, DLS_HEAPS_CAPSULES, DLS_HEAPS_DROPPED };
enum { DLS_FCLIB_BOXES, DLS_FCLIB_KAPLAS, DLS_FCLIB_CHAIN, DLS_FCLIB_CHUTE, DLS_FCLIB_LOCAL };
enum { DLS_CONTACTS_GRASP, DLS_CONTACTS_PAINLEVE };
enum { DLS_MASONRY_STACK, DLS_MASONRY_WALL, DLS_MASONRY_ARCH, DLS_MASONRY_CARDS };
enum {
    DLS_SPHERES_SMOOTH,
    DLS_SPHERES_BOX,
    DLS_SPHERES_CONE,
    DLS_SPHERES_ASSOCIATED,
    DLS_SPHERES_ANISOTROPIC,
    DLS_SPHERES_ROLLING,
    DLS_SPHERES_BIG
};
enum { DLS_PATTERNS_BANDED, DLS_PATTERNS_BLOCKED, DLS_PATTERNS_SPECTRUM, DLS_PATTERNS_FACETS };
enum { DLS_CLASSIC_MURTY, DLS_CLASSIC_FATHI, DLS_CLASSIC_OBSTACLE, DLS_CLASSIC_COPIES, DLS_CLASSIC_NONE };

/* The state of the draws of a problem, from its name "SET-VERSION/k". */
uint64_t dls_collection_seed(const char *name);

/* A whole number from -most to most. */
static inline double dls_draw_whole(uint64_t *draws, size_t most)
{
    return (double)dls_draw_below(draws, 2 * most + 1) - (double)most;
}

/* Three whole numbers from -most to most, times `unit`, drawn one by one, z first: the order in which the arguments
 * of a call are evaluated is the compiler's, so that no expression may have two draws. */
static inline dls_vec3 dls_draw_vector(uint64_t *draws, size_t most, double unit)
{
    const double z = dls_draw_whole(draws, most), y = dls_draw_whole(draws, most), x = dls_draw_whole(draws, most);
    return dls_scale(unit, dls_v3(x, y, z));
}

/* A problem in the matrix form in the making: A column-major, all zero at first; lo = 0 and hi = infinity. */
typedef struct dls_draft {
    size_t n;
    double *A, *b, *lo, *hi; /* n x n, n, n, n */
    double *lambda;          /* n: the chosen solution */
    double *w;               /* n: A lambda + b */
} dls_draft;
dls_status dls_draft_open(dls_draft *d, size_t n, dls_error *error);
/* Sets b = w - A lambda, which is exact if all products and sums are. */
void dls_draft_choose(dls_draft *d);
/* Makes the problem, with the chosen solution unless `solution` is false, and releases the draft, also on failure. */
dls_status dls_draft_end(dls_draft *d, bool solution, dls_collected *made, dls_error *error);

/* --- scenes (bodies.c) --- */

/* Adds the body "bodyNUMBER", a cube of half a metre with its axes along the world's, with a drawn velocity of up to 1
 * m/s and 1 rad/s in eighths. */
void dls_collect_body(dls_maker *maker, size_t number, double mass, dls_vec3 position, uint64_t *draws);
/* Begins the joint "jointNUMBER" of this type between two of these bodies; DLS_NONE: the world. */
void dls_collect_joint(dls_maker *maker, const char *type, size_t number, size_t body1, size_t body2);
/* The problem of the first step of the scene, which is taken, also on failure. */
dls_status dls_collect_first(dls_scene *scene, dls_collected *made, dls_error *error);
/* The same of a scene in the making. */
dls_status dls_collect_made(dls_maker *maker, dls_collected *made, dls_error *error);

#endif
