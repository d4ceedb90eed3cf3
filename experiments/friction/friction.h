/* friction.h - inside the experiment on friction laws: the laws, piles of blocks on a slope, measured steps. */
#ifndef DLS_EXPERIMENTS_FRICTION_H
#define DLS_EXPERIMENTS_FRICTION_H

#include "delassus/experiments.h"

/* --- laws (laws.c) --- */

/* What friction can hold at a contact is the set r P: r = mu m g or mu times the normal force, P a regular polygon or
 * the unit disc. */
typedef struct dls_friction_law {
    const char *name;
    dls_friction friction; /* as the contacts have it */
    size_t facets;         /* that take the cone's place, or 0 */
    const char *direct;    /* the reference's method, and others where it fails, separated by commas */
    const char *sweep;     /* NULL: there is none */
    size_t corners;        /* of P; 0: the disc */
    double corner, radius; /* the angle of a corner from the first tangent [rad], its distance from the centre */
} dls_friction_law;
extern const dls_friction_law dls_friction_laws[]; /* name NULL at the end */

/* The distance from the centre to the rim of P in a direction. */
double dls_friction_reach(const dls_friction_law *law, double direction);
/* What is left of the force (pull, direction) when friction of the set r P has taken away what it can, its point
 * nearest to the force: along (cos, sin) of the angle *along [rad]. */
double dls_friction_excess(const dls_friction_law *law, double r, double pull, double direction, double *along);
/* Largest reach over smallest: 1 / cos(pi / corners). */
double dls_friction_anisotropy(const dls_friction_law *law);

#define dls_friction_gravity 9.81 /* [m/s^2] */

/* --- rigs (rig.c): a pile on a slope, and steps of it --- */

/* Boxes of 0.6 x 0.4 x 0.2 m on each other, each on four given points; the lowest on a slope that goes down along x. */
typedef struct dls_friction_pile {
    size_t boxes;
    double mu, mass, slope; /* of a box [kg], [rad] */
} dls_friction_pile;

typedef struct dls_friction_rig {
    const dls_friction_law *law;
    dls_model *model;
    dls_simulation *simulation;
    dls_choice *direct, sweep;
    size_t n_direct;
    size_t solves, others; /* with the reference; those in which the first method was not good enough */
    double *v, *scratch;   /* nv: the velocity after the last solve [m/s, rad/s] */
    double residual; /* the examiner's, scaled, of the last solve with the reference, on the problem that the law is */
    double worst;    /* of all of them */
} dls_friction_rig;
dls_status dls_friction_open(const dls_friction_law *law, const dls_friction_pile *pile, dls_friction_rig *rig,
                             dls_error *error);
void dls_friction_close(dls_friction_rig *rig);
/* v of the step that begins at the rig's state. iterations 0: by the reference, DLS_REFUSED where that finds no
 * solution. */
dls_status dls_friction_solve(dls_friction_rig *rig, double h, size_t iterations, dls_error *error);
/* A horizontal force at the centre of a box, instead of the one before [N]; direction from x to y [rad]. */
void dls_friction_pull(dls_friction_rig *rig, size_t box, double force, double direction);
dls_vec3 dls_friction_velocity(const dls_friction_rig *rig, size_t box); /* v of its centre [m/s] */
/* Speed above the part `still` of g h. */
bool dls_friction_moves(const dls_friction_rig *rig, size_t box, double still, double h);

/* --- the laboratory (friction.c) --- */

typedef struct dls_friction_settings {
    double mu, mass, step; /* [kg], [s] */
    size_t angles, directions, boxes, steps;
    size_t few, many; /* iterations of sweeps */
    double beyond;    /* of the least force: what shows the direction of motion */
    double still, width;
} dls_friction_settings;

/* What the captions and tests say of the studies. Of sweeps: few iterations, many. */
typedef struct dls_friction_finding {
    double critical, critical_expected;    /* angle of the slope [rad] */
    double slide_error;                    /* largest |a - predicted| / g, reference */
    double sweep_creep[2], sweep_error[2]; /* largest a / g where it should stick; |a - predicted| / g, slides */
    double anisotropy, reach_error;        /* measured; largest relative error of a least force */
    double off, off_error;                 /* motion against pull [rad]: the largest; measured against predicted */
    double sweep_off_error[2];
    double diagonal_off[2]; /* 1.2 mu m g at 30 and 45 deg: motion off the pull [rad], NaN at rest */
    double diagonal_off_expected[2];
    double diagonal_speed[2], diagonal_speed_expected[2]; /* [m/s] */
    double lowest, highest;                               /* least force at the lowest and the highest box [N] */
    double stack_error;                                   /* largest relative error of a least force of the stack */
    double stack_creep[3]; /* reference, sweeps: speed at 0.9 of the least force over the free one */
    size_t wrong_movers;   /* boxes pulled at which other boxes move than it and those on it */
    double residual;
    size_t solves, others; /* with the reference; not by the first method */
} dls_friction_finding;
enum { DLS_FRICTION_LAWS = 6 };

typedef struct dls_friction_lab {
    const dls_job *job;
    const dls_friction_settings *settings;
    dls_field_table fields;
    dls_friction_finding found[DLS_FRICTION_LAWS]; /* as dls_friction_laws */
} dls_friction_lab;

/* What its solves with the reference were worth. */
void dls_friction_note(dls_friction_finding *found, const dls_friction_rig *rig);
/* A table with the experiment's settings and these columns; handed over, or given up where `status` says so. */
dls_status dls_friction_table(const dls_friction_lab *lab, const char *stem, const char *columns, dls_table **table,
                              dls_error *error);
dls_status dls_friction_finish(dls_table *table, dls_status status, dls_error *error);

/* Whether something moves at x. */
typedef dls_status (*dls_friction_probe)(void *context, double x, bool *moves, dls_error *error);
/* The least x at which it does, between low and high, by bisection down to `width`. DLS_REFUSED where it moves at low
 * or not at high. */
dls_status dls_friction_bisect(dls_friction_probe probe, void *context, double low, double high, double width,
                               double *x, dls_error *error);

/* --- studies: their tables and findings --- */

dls_status dls_friction_slope(dls_friction_lab *lab, dls_error *error);         /* slope.c */
dls_status dls_friction_pulls(dls_friction_lab *lab, dls_error *error);         /* pull.c */
dls_status dls_friction_stack(dls_friction_lab *lab, dls_error *error);         /* stack.c */
dls_status dls_friction_figures(const dls_friction_lab *lab, dls_error *error); /* figures.c */
dls_status dls_friction_study(dls_friction_lab *lab, dls_error *error);         /* friction.c: all of it but figures */
extern const dls_field_table dls_friction_fields;

#endif
