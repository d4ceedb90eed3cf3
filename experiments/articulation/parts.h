/* parts.h - what the parts of the experiment on articulations share: mechanisms in both kinds of coordinates, paths,
 * findings. */
#ifndef DLS_EXPERIMENTS_ARTICULATION_PARTS_H
#define DLS_EXPERIMENTS_ARTICULATION_PARTS_H

#include "study/rig.h"
#include "study/study.h"

/* --- mechanisms (mechanisms.c) --- */

/* Reduced coordinates: an articulation. Maximal ones: the same solids as bodies, the same joints as rows. */
typedef enum dls_reduced_form { DLS_REDUCED, DLS_MAXIMAL, DLS_REDUCED_FORMS } dls_reduced_form;
extern const char *const dls_reduced_form_names[DLS_REDUCED_FORMS];

typedef enum dls_reduced_joints {
    DLS_REDUCED_HINGES, /* one degree of freedom each, about axes that alternate between two directions */
    DLS_REDUCED_BALLS,  /* three degrees of freedom each */
    DLS_REDUCED_FEW     /* four hinges, all other joints fixed */
} dls_reduced_joints;

/* Rods of 0.5 m and 1 kg, one after another from the origin on, at rest in a plane that holds gravity. */
typedef struct dls_reduced_chain {
    size_t links;
    dls_reduced_joints joints;
    double ratio; /* mass of the last rod over that of the others */
    bool arch;    /* the second half goes up again, and a ball joint holds the far end: a loop */
} dls_reduced_chain;
#define dls_reduced_rod 0.5 /* length of a rod [m] */
dls_status dls_reduced_chain_scene(const dls_reduced_chain *chain, dls_reduced_form form, double erp, dls_scene **scene,
                                   dls_error *error);

/* The centre of solid i of the model of either form, as maximal coordinates number them. */
dls_vec3 dls_reduced_centre(const dls_configuration *at, size_t i);

/* --- settings, tables, findings --- */

typedef struct dls_reduced_settings {
    dls_list ratios, iterations;
    size_t links, most; /* links of chain and arch; iterations at most when rates are fitted */
    double duration, step, erp;
} dls_reduced_settings;

enum { DLS_REDUCED_ERRORS, DLS_REDUCED_RATES, DLS_REDUCED_TIMES };

enum { DLS_REDUCED_MECHANISMS = 3 };
typedef struct dls_reduced_mechanism {
    const char *name, *caption;
} dls_reduced_mechanism;
extern const dls_reduced_mechanism dls_reduced_mechanisms[DLS_REDUCED_MECHANISMS]; /* chains.c */

typedef struct dls_reduced_findings {
    /* By mechanism and ratio: largest distance of a solid to the exact trajectory, solved exactly [m]. */
    double error[DLS_REDUCED_MECHANISMS][DLS_REDUCED_FORMS][DLS_LIST_MAX];
    double fine[DLS_REDUCED_FORMS]; /* of the chain at the last ratio, with steps a tenth as long */
    double fastest;                 /* of its light rods, w h */
    /* Iterations of PGS that reduce the first error by 1e6: measured, else predicted; 0 without rows. And how far a
     * fitted rate of a run that got there is from the predicted one at most, as logarithms, relative. */
    double needed[DLS_REDUCED_MECHANISMS][DLS_REDUCED_FORMS][DLS_LIST_MAX];
    double rate_error;
    double most_reduced;         /* of articulations with rows, the most iterations */
    double apart;                /* of both forms' exact trajectories, the largest distance [m] */
    dls_certified_record record; /* of all exact solves */
} dls_reduced_findings;

/* --- parts --- */

dls_status dls_reduced_chains(dls_study *study, dls_error *error); /* chains.c */
dls_status dls_reduced_figures(dls_study *study, dls_error *error);

#endif
