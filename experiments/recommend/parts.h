/* The parts of a recommendation (delassus/recommend.h): places and their distances (places.c), the truth (truth.c), one
 * run that is measured against it (trial.c), the search (recommend.c), its table and figure (recommend_table.c). Not
 * installed. */
#ifndef DELASSUS_RECOMMEND_PARTS_H
#define DELASSUS_RECOMMEND_PARTS_H

#include "delassus/recommend.h"

/* Runs have 10 2^level steps; places are kept at 160 times. */
enum { RECOMMEND_COARSEST = 10, RECOMMEND_TIMES = 160, RECOMMEND_LEVELS = 20, RECOMMEND_SAMPLED_LEVEL = 4 };

/* The place of a body or link that can move. */
typedef struct recommend_place {
    dls_vec3 x;
    dls_quat q;
} recommend_place;

/* The truth at the times, and what distances are measured by. */
typedef struct recommend_truth {
    const dls_model *model;
    double duration, size; /* [s], [m] */
    size_t count;          /* of bodies and links that can move */
    size_t *end;           /* count: their numbers */
    double *radius;        /* count: radius of gyration about the centre of mass [m] */
    recommend_place *at;   /* RECOMMEND_TIMES x count, the first ones after duration / RECOMMEND_TIMES */
    double own;            /* estimated error, in sizes */
    double known_until;    /* [s] */
    double step;           /* of a refined run [s]; 0: the motion in continuous time */
    double work;           /* that finding it took, by refined runs */
    char why_refined[DLS_MESSAGE_MAX];
} recommend_truth;
/* --- what distances are measured by (places.c) --- */

/* Fills in model, duration, size, and the bodies; DLS_REFUSED if nothing can move, or has a size. */
dls_status recommend_measure(const dls_model *model, double duration, recommend_truth *truth, dls_error *error);
void recommend_release_truth(recommend_truth *truth);
void recommend_keep_places(const recommend_truth *truth, const dls_configuration *at, recommend_place *places);
/* The largest distance of a body from its place, in sizes: of its centre of mass, or radius of gyration times angle. */
double recommend_distance(const recommend_truth *truth, const recommend_place *places, const recommend_place *others);

/* Finds the truth to `error` where it can within `budget` row visits: known_until is the duration then (truth.c). */
dls_status recommend_find_truth(const dls_job *job, const dls_model *model, double duration, double error,
                                double budget, recommend_truth *truth, dls_error *error_of_it);

/* --- runs (trial.c) --- */

/* The fate of a run. */
typedef enum recommend_fate {
    RECOMMEND_MISSED,   /* it came to its end, and misses the error */
    RECOMMEND_HELD,     /* it holds the error, and so does the run with half its step */
    RECOMMEND_LUCKY,    /* it holds the error, and the run with half its step does not */
    RECOMMEND_HOLDS,    /* it holds the error, and half its step was not tried */
    RECOMMEND_UNSOLVED, /* the solver had no answer for a step */
    RECOMMEND_DIVERGED,
    RECOMMEND_REFUSED, /* scheme, solver and scene do not go together */
    RECOMMEND_FATES
} recommend_fate;
extern const char *const recommend_fates[];

typedef struct recommend_trial {
    const dls_scheme *scheme;
    dls_choice choice;
    size_t iterations; /* per step; 0: a direct solver */
    size_t level;
    recommend_fate fate;
    double step, work, seconds; /* [s], row visits, processor time of the steps [s] */
    double most, end;           /* distances from the truth, over time and at the end; NaN without an end */
    bool front;                 /* no cheaper run has a smaller error */
    char reason[DLS_MESSAGE_MAX];
} recommend_trial;
/* Runs it. `keep` gets its places at the times, RECOMMEND_TIMES x count, for levels from RECOMMEND_SAMPLED_LEVEL on;
 * NULL: they are compared with the truth. Iterations that are fewer than the scene's articulations need become these.
 * What the run cannot do is its fate; fails only without memory. */
dls_status recommend_try(const recommend_truth *truth, recommend_trial *trial, recommend_place *keep, dls_error *error);
/* Whether the scheme makes iterations of its own, in which the solver has no part. */
bool recommend_solves(const dls_scheme *scheme);

/* Writes the table of all trials, and the figure of cost against error; NULL: none is recommended. */
dls_status recommend_write(const dls_job *job, const dls_recommend *wanted, const recommend_truth *truth,
                           recommend_trial *trials, size_t count, const recommend_trial *best,
                           dls_recommendation *found, dls_error *error);

#endif
