/* parts.h - common parts of the experiment on friction laws: the laws, piles of blocks on a slope, findings.
 */
#ifndef DLS_EXPERIMENTS_FRICTION_PARTS_H
#define DLS_EXPERIMENTS_FRICTION_PARTS_H

#include "study/rig.h"
#include "study/study.h"

/* --- laws (friction_laws.c) --- */

/* The forces that friction can hold at a contact are the set r P: r = mu m g or mu times the normal force, P a regular
 * polygon or the unit disc. */
typedef struct dls_friction_law {
    const char *name;
    dls_law friction;      /* as the contacts have it */
    size_t facets;         /* that take the cone's place, or 0 */
    const char *direct;    /* the reference's method, and others where it fails, separated by commas */
    const char *sweep;     /* NULL: there is none */
    size_t corners;        /* of P; 0: the disc */
    double corner, radius; /* the angle of a corner from the first tangent [rad], its distance from the centre */
} dls_friction_law;
enum {
    DLS_FRICTION_LAW_FIXED,
    DLS_FRICTION_LAW_BOX,
    DLS_FRICTION_LAW_FACETS_4,
    DLS_FRICTION_LAW_FACETS_8,
    DLS_FRICTION_LAW_FACETS_16,
    DLS_FRICTION_LAW_CONE,
    DLS_FRICTION_LAWS
};
extern const dls_friction_law dls_friction_laws[DLS_FRICTION_LAWS];

/* The distance from the centre to the rim of P in a direction. */
double dls_friction_reach(const dls_friction_law *law, double direction);
/* The rest of the force (pull, direction) that friction of the set r P, by its point nearest to the force, does not
 * cancel: along (cos, sin) of the angle *along [rad]. */
double dls_friction_excess(const dls_friction_law *law, double r, double pull, double direction, double *along);
/* Largest reach over smallest: 1 / cos(pi / corners). */
double dls_friction_anisotropy(const dls_friction_law *law);

#define dls_friction_gravity 9.81 /* [m/s^2] */

/* --- settings, tables, findings --- */

typedef struct dls_friction_settings {
    double mu, mass, step; /* [kg], [s] */
    size_t angles, directions, boxes, steps;
    size_t few, many; /* iterations of sweeps */
    double beyond;    /* of the least force: what shows the direction of motion */
    double still, width;
} dls_friction_settings;

enum {
    DLS_FRICTION_SLOPE,
    DLS_FRICTION_SLOPE_SUMMARY,
    DLS_FRICTION_PULL,
    DLS_FRICTION_DIRECTION,
    DLS_FRICTION_PREDICTED,
    DLS_FRICTION_DIAGONAL,
    DLS_FRICTION_PULL_SUMMARY,
    DLS_FRICTION_STACK,
    DLS_FRICTION_SWEEPS
};

/* The findings of captions and tests on a law. */
typedef struct dls_friction_finding {
    double critical, critical_expected; /* angle of the slope [rad] */
    double slide_error;                 /* largest |a - predicted| / g, reference */
    /* With sweeps, few iterations and many: largest a / g where it should stick; |a - predicted| / g, slides. */
    double sweep_creep[2], sweep_error[2];
    double anisotropy, reach_error; /* measured; largest relative error of a least force */
    double off, off_error;          /* motion against pull [rad]: the largest; measured against predicted */
    double sweep_off_error[2];
    double diagonal_off[2]; /* 1.2 mu m g at 30 and 45 deg: motion off the pull [rad], NaN at rest */
    double diagonal_off_expected[2];
    double diagonal_speed[2], diagonal_speed_expected[2]; /* [m/s] */
    double lowest, highest;                               /* least force at the lowest and the highest box [N] */
    double stack_error;                                   /* largest relative error of a least force of the stack */
    double stack_creep[3];       /* reference, sweeps: speed at 0.9 of the least force over the free one */
    size_t wrong_movers;         /* boxes pulled at which other boxes move than it and those on it */
    dls_certified_record record; /* of all solves with the reference */
} dls_friction_finding;
typedef struct dls_friction_findings {
    dls_friction_finding of[DLS_FRICTION_LAWS];
} dls_friction_findings;

/* --- rigs (friction_rig.c): a pile on a slope, under a law, by the reference and by sweeps --- */

/* Boxes of 0.6 x 0.4 x 0.2 m on each other, each on four given points; the lowest on a slope that goes down along x. */
typedef struct dls_friction_rig {
    const dls_friction_law *law;
    const dls_friction_settings *settings;
    dls_friction_finding *found;
    dls_certified certified;
    dls_certified_record record; /* of this rig */
    size_t n;                    /* rigs: the reference; few and many sweeps, where the law has them */
    dls_rig by[3];
} dls_friction_rig;
/* By the experiment's settings, for a law by its index; slope in [rad]. The rig must not move. */
dls_status dls_friction_open(const dls_study *study, size_t law, size_t boxes, double slope, dls_friction_rig *rig,
                             dls_error *error);
void dls_friction_close(dls_friction_rig *rig); /* and adds its record to the findings */
/* `steps` steps from rest, with a horizontal force at the centre of a box, its direction from x to y [N, rad]. By the
 * reference (k = 0) that is DLS_REFUSED where it finds no solution. */
dls_status dls_friction_push(dls_friction_rig *rig, int k, size_t steps, size_t box, double force, double direction,
                             dls_error *error);
/* v of a box's centre after that [m/s], and whether its speed is above the part `still` of g h. */
dls_vec3 dls_friction_velocity(const dls_friction_rig *rig, int k, size_t box);
bool dls_friction_moves(const dls_friction_rig *rig, int k, size_t box);
/* Name and iterations of its solver, for tables. */
const char *dls_friction_solver(const dls_friction_rig *rig, int k);
size_t dls_friction_iterations(const dls_friction_rig *rig, int k);

/* --- parts: their tables and findings --- */

dls_status dls_friction_slope(dls_study *study, dls_error *error);
dls_status dls_friction_pulls(dls_study *study, dls_error *error); /* pull.c */
dls_status dls_friction_stack(dls_study *study, dls_error *error);
dls_status dls_friction_figures(dls_study *study, dls_error *error);

#endif
