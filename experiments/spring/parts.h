/* parts.h - common parts of the experiment on springs: laws of the oscillator, rigs with a spring, findings.
 */
#ifndef DLS_EXPERIMENTS_SPRING_PARTS_H
#define DLS_EXPERIMENTS_SPRING_PARTS_H

#include "study/rig.h"
#include "study/study.h"

#define dls_spring_gravity 9.81 /* [m/s^2] */

/* --- laws (oscillator.c) --- */

/* m C'' = f - kp C - kd C', at C with the speed v. In m and kg, or rad and kg m^2. */
typedef struct dls_spring_mass {
    double m, kp, kd, f;
    double C, v;
} dls_spring_mass;

double dls_spring_critical(double m, double kp); /* kd of critical damping: 2 sqrt(kp m) */
/* C at `time`, in continuous time. */
double dls_spring_exact(const dls_spring_mass *s, double time);
/* A step of implicit Euler, the oldest way to write it, in long double. */
void dls_spring_implicit(const dls_spring_mass *s, long double h, long double *C, long double *v);
/* C and v after n steps of implicit Euler of length k, in closed form. */
void dls_spring_after(const dls_spring_mass *s, double k, size_t n, double *C, double *v);
/* C and v after a step of TGS with N iterations, the bias over T, in closed form. */
void dls_spring_tgs(const dls_spring_mass *s, double h, size_t N, double T, double *C, double *v);
/* Frequency w [rad/s] and damping ratio of the oscillator whose state a step of h multiplies by a matrix of this trace
 * and determinant. */
void dls_spring_oscillator(double trace, double determinant, double h, double *w, double *ratio);

/* --- rigs (spring_rig.c) --- */

typedef enum dls_spring_kind {
    DLS_SPRING_SLIDER,   /* a mass on a vertical slider, hung on a drive */
    DLS_SPRING_HINGE,    /* a wheel on a hinge, turned by a drive */
    DLS_SPRING_DISTANCE, /* two free bodies on a distance joint with stiffness and damping */
    DLS_SPRING_NUMBERS,  /* the same joint with numbers ERP and CFM, made for a step of `step` */
    DLS_SPRING_LIMIT,    /* the mass on the slider, let down on a limit */
    DLS_SPRING_CONTACT,  /* a free mass, let down on a contact */
    DLS_SPRING_KINDS
} dls_spring_kind;
extern const char *const dls_spring_kind_names[DLS_SPRING_KINDS];

typedef struct dls_spring_setup {
    dls_spring_kind kind;
    double mass;   /* [kg] */
    double kp, kd; /* [N/m, N s/m], of the hinge [N m/rad, N m s/rad] */
    double C;      /* at the start */
    double arm;    /* of the rail or the axis beside the centre of mass [m]: 0, and all rows are orthogonal in M^-1 */
    double step;   /* of DLS_SPRING_NUMBERS [s] */
    bool printed;  /* the row has the sign of the compliance that ode-new-joints (24) prints */
} dls_spring_setup;
dls_vec3 dls_spring_inertias(double mass); /* of the body, about its axes [kg m^2] */
/* The inertia that moves with C when arm is 0: kg, or kg m^2. */
double dls_spring_inertia(dls_spring_kind kind, double mass);
/* The oscillator that a setup without arm is. */
dls_spring_mass dls_spring_ideal(const dls_spring_setup *setup);
/* The factor of an error of C in one more sweep, in the first step of a slider or hinge with an arm. */
double dls_spring_rate(const dls_spring_setup *setup, double h);

/* Methods under the names of their schemes: no row is in error here. */
typedef enum dls_spring_integrator {
    DLS_SPRING_OTHER,
    DLS_SPRING_SUBSTEPS,   /* implicit Euler of h / N, */
    DLS_SPRING_TGS_STEP,   /* TGS with the bias over the step, */
    DLS_SPRING_TGS_SUBSTEP /* or over the substep */
} dls_spring_integrator;
typedef struct dls_spring_way {
    const char *name, *method;
    dls_spring_integrator integrator; /* of N iterations (oscillator.c) */
} dls_spring_way;
enum { DLS_SPRING_WAYS = 13 };
extern const dls_spring_way dls_spring_ways[DLS_SPRING_WAYS]; /* euler first */
/* The first way with this integrator. */
size_t dls_spring_way_of(dls_spring_integrator integrator);

/* The rig of a kind, by its name, with C = 0.1 m (rad), as a scene for a picture. */
dls_status dls_spring_mechanism(const char *name, dls_scene **scene, dls_error *error);
dls_status dls_spring_open(const dls_spring_setup *setup, const dls_spring_way *way, const char *solver,
                           size_t iterations, dls_rig *rig, dls_error *error);
double dls_spring_C(const dls_rig *rig);
double dls_spring_speed(const dls_rig *rig, dls_spring_kind kind);
/* A step of a setup without load as the matrix that takes (C, v) there, by rows; measured, from two starts. */
dls_status dls_spring_map(const dls_spring_setup *setup, const dls_spring_way *way, size_t iterations, double h,
                          double P[4], dls_error *error);

/* --- settings, tables, findings --- */

typedef struct dls_spring_settings {
    double mass, amplitude;        /* [kg], [m, rad] */
    double softest, stiffest;      /* kp, by decades */
    dls_list dampings;             /* kd over critical damping */
    dls_list counts;               /* iterations, substeps */
    double step, coarse, duration; /* [s] */
    double stiffness;              /* of the study of N substeps, as w h */
    double arm;                    /* [m] */
    double contest;                /* [s] of PGS against direct steps */
} dls_spring_settings;

enum {
    DLS_SPRING_EULER,
    DLS_SPRING_ORDER,
    DLS_SPRING_ORDERS,
    DLS_SPRING_MOTION,
    DLS_SPRING_LAWS,
    DLS_SPRING_DAMPING,
    DLS_SPRING_ITERATIONS,
    DLS_SPRING_STOPS,
    DLS_SPRING_SIGN,
    DLS_SPRING_SIGN_RUN
};

/* The findings of captions and tests. */
typedef struct dls_spring_findings {
    double dampings[DLS_LIST_MAX + 1]; /* of the settings, and 0 */
    size_t n_dampings;
    double euler[DLS_SPRING_KINDS]; /* largest difference to implicit Euler over start amplitude or sag */
    size_t runs;
    double order_low, order_high; /* orders in h, over all oscillators */
    double error_constant; /* error over amplitude of the undamped slider is this times w h, at the shortest step */
    double law;            /* largest difference to the laws of N substeps and of TGS */
    size_t laws;
    double seen_ratio[DLS_SPRING_WAYS][2]; /* undamped: damping ratio by N = 1 and N = the last count */
    double pgs[2][DLS_LIST_MAX];           /* slider, hinge with an arm: worst difference to direct steps, by count */
    double pgs_distance;                   /* of the distance joint, one iteration */
    double depth[2][DLS_SPRING_WAYS];      /* limit, contact: worst |depth kp / (m g) - 1| */
    double growth; /* either sign: largest difference of a step's matrix to its prediction, over the largest entry */
    double growth_shown, correct_left; /* |C| after the shown run, printed and correct */
    double turning;                    /* kp from which on the printed sign does not diverge, 4 m / h^2 */
} dls_spring_findings;

/* --- parts: their tables and findings --- */

dls_status dls_spring_euler(dls_study *study, dls_error *error);    /* euler.c: rows against implicit Euler */
dls_status dls_spring_order(dls_study *study, dls_error *error);    /* the same against the exact oscillator */
dls_status dls_spring_substeps(dls_study *study, dls_error *error); /* substeps.c */
dls_status dls_spring_iterations(dls_study *study, dls_error *error);
dls_status dls_spring_stops(dls_study *study, dls_error *error);
dls_status dls_spring_sign(dls_study *study, dls_error *error);
dls_status dls_spring_figures(dls_study *study, dls_error *error);

#endif
