/* parts.h - shared parts of the experiment on articulations: mechanisms in both kinds of coordinates, paths,
 * findings. */
#ifndef DLS_EXPERIMENTS_ARTICULATION_PARTS_H
#define DLS_EXPERIMENTS_ARTICULATION_PARTS_H

#include "study/rig.h"
#include "study/study.h"

/* --- mechanisms (forms.c) --- */

/* Reduced coordinates: an articulation. Maximal ones: the same solids as bodies, the same joints as rows. */
typedef enum dls_reduced_form { DLS_REDUCED, DLS_MAXIMAL, DLS_REDUCED_FORMS } dls_reduced_form;
extern const char *const dls_reduced_form_names[DLS_REDUCED_FORMS];

typedef enum dls_reduced_joints {
    DLS_REDUCED_HINGES, /* one degree of freedom each, about axes that alternate between two directions */
    DLS_REDUCED_BALLS,  /* three degrees of freedom each */
    DLS_REDUCED_FEW,    /* four hinges, all other joints fixed */
    DLS_REDUCED_KINDS
} dls_reduced_joints;

/* A spring and damper to the drawn position on each coordinate [N m/rad, N m s/rad]. */
typedef struct dls_reduced_drive {
    double kp, kd;
    bool is_explicit;
} dls_reduced_drive;

/* Rods of 0.5 m and 1 kg, one after another from the origin on, at rest in a plane that is not that of gravity. */
typedef struct dls_reduced_chain {
    size_t links;
    dls_reduced_joints joints;
    double ratio;    /* mass of the last rod over that of the others */
    bool middle;     /* of an arch: the lowest rod has this mass in the place of the last one */
    bool arch;       /* the second half goes up again, and a ball joint holds the far end: a loop */
    bool weightless; /* no gravity */
    double base;     /* reduced form: mass of a base that floats, held by a fixed joint; 0: a static one */
    const dls_reduced_drive *drive; /* reduced form, or NULL */
} dls_reduced_chain;
#define dls_reduced_rod 0.5 /* length of a rod [m] */
dls_status dls_reduced_chain_scene(const dls_reduced_chain *chain, dls_reduced_form form, double erp, dls_scene **scene,
                                   dls_error *error);

dls_status dls_reduced_chain_model(const dls_reduced_chain *chain, dls_reduced_form form, double erp, dls_model **model,
                                   dls_error *error);

/* Rod i of a model of either form, from 0 on. */
dls_end dls_reduced_solid(const dls_configuration *at, size_t i);

extern const char *const dls_reduced_joint_names[]; /* by dls_reduced_joints */
/* The shortest of a few steps [s], measured. */
dls_status dls_reduced_time(const dls_model *model, const char *solver, size_t iterations, double h, double *seconds,
                            dls_error *error); /* cost.c */

/* --- drives (drives.c) --- */

/* The spectral radius of a whole step of h from the model's initial state, in which it is at rest, with at most four
 * degrees of freedom. */
dls_status dls_reduced_step_radius(const dls_model *model, const dls_rig_plan *plan, double h, double *radius,
                                   dls_error *error);
/* The least eigenvalue of the mass matrix of a weightless chain of at most four equal links. */
dls_status dls_reduced_least_inertia(size_t links, double *least, dls_error *error);

/* --- reference trajectories (articulation_exact.c) --- */

/* Look number k, from 0 on. */
typedef void (*dls_reduced_visit)(void *context, size_t k, const dls_configuration *at, const dls_state *state);
/* The exact trajectory from the model's initial state on, after 1, 2, ..., count steps of time [s]. */
dls_status dls_reduced_exactly(const dls_model *model, double step, size_t count, dls_reduced_visit visit,
                               void *context, dls_error *error);

/* --- sweeps (chains.c) --- */

/* PGS on the problem of the model's first step, against the reference; without rows found->of is NULL. To be released.
 */
dls_status dls_reduced_compare(const dls_study *study, const dls_model *model, dls_comparisons *found,
                               dls_error *error);

/* --- settings, tables, findings --- */

typedef struct dls_reduced_settings {
    dls_list ratios, iterations;
    size_t links, most; /* links of chain and arch; iterations at most when rates are fitted */
    double duration, step, erp;
    dls_list sizes; /* links, of cost */
    size_t dense;
    dls_list bases, erps, few; /* masses [kg], of the joint that holds the base, iterations */
    size_t borders;
    double driven;              /* length of the runs with drives [s] */
    double spin, spun, damping; /* [rad/s], length of its runs [s], [1/s] */
} dls_reduced_settings;

enum {
    DLS_REDUCED_ERRORS,
    DLS_REDUCED_RATES,
    DLS_REDUCED_TIMES,
    DLS_REDUCED_SIZES,
    DLS_REDUCED_COSTS,
    DLS_REDUCED_BASES,
    DLS_REDUCED_BORDERS,
    DLS_REDUCED_DIFFERENCES,
    DLS_REDUCED_SPINS,
    DLS_REDUCED_GROWTHS
};

enum { DLS_REDUCED_MECHANISMS = 3 };
extern const char *const dls_reduced_mechanism_names[DLS_REDUCED_MECHANISMS]; /* chains.c */

/* Ways to spin: a rotor, and a flail of two rods (spin.c). */
enum {
    DLS_SPIN_EXPLICIT,
    DLS_SPIN_LINK,
    DLS_SPIN_TENTH,
    DLS_SPIN_IMPLICIT,
    DLS_SPIN_KEPT,
    DLS_SPIN_NONE,
    DLS_SPIN_DAMPED,
    DLS_SPIN_LIMITED,
    DLS_SPIN_SEMI,
    DLS_SPIN_FLAIL,
    DLS_SPIN_FLAIL_TENTH,
    DLS_SPIN_FLAIL_IMPLICIT,
    DLS_SPIN_FLAIL_SEMI,
    DLS_SPIN_FLAIL_DAMPED,
    DLS_SPIN_FLAIL_LIMITED,
    DLS_SPIN_FLAIL_BODIES,
    DLS_SPIN_WAYS
};
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
    double apart;                /* of both forms' reference trajectories, the largest distance [m] */
    dls_certified_record record; /* of all exact solves */
    double cost[DLS_REDUCED_KINDS][DLS_REDUCED_FORMS]; /* measured time, most links over fewest */
    double held_apart;                                 /* held and fixed base, solved exactly, the largest [m] */
    double border_error;                               /* of explicit drives, the largest relative one */
    double implicit_radius, stiffest;  /* the largest spectral radius of implicit drives, and h^2 kp / m */
    double drive_order[3];             /* in h: implicit - explicit, the error of each */
    double spin_energy[DLS_SPIN_WAYS]; /* at the end, over that at the start */
    double spin_angle[DLS_SPIN_WAYS];  /* to the exact rotation, after a hundredth of the run [rad] */
    double growth_error;               /* of the logarithm of a step's factor */
} dls_reduced_findings;

/* --- parts --- */

dls_status dls_reduced_chains(dls_study *study, dls_error *error); /* chains.c */
dls_status dls_reduced_cost(dls_study *study, dls_error *error);
dls_status dls_reduced_base(dls_study *study, dls_error *error);
dls_status dls_reduced_drives(dls_study *study, dls_error *error); /* drives.c: borders of stability */
dls_status dls_reduced_drive_orders(dls_study *study, dls_error *error);
dls_status dls_reduced_spins(dls_study *study, dls_error *error);  /* spin.c: energy over time */
dls_status dls_reduced_growth(dls_study *study, dls_error *error); /* of a rotor, in a step */
dls_status dls_reduced_figures(dls_study *study, dls_error *error);

#endif
