/* parts.h - shared parts of the experiment `engines`. */
#ifndef DLS_EXPERIMENTS_ENGINES_PARTS_H
#define DLS_EXPERIMENTS_ENGINES_PARTS_H

#include "engines/engine_run.h"
#include "study/rig.h"
#include "study/study.h"

/* --- motions in closed form (closed_form.c) --- */

typedef struct dls_engines_law {
    enum { DLS_ENGINES_NO_LAW, DLS_ENGINES_PENDULUM, DLS_ENGINES_SLIDE } kind;
    size_t body;            /* the last one that moves; with a law the only one */
    dls_vec3 start, anchor; /* [m] */
    dls_vec3 along[2];      /* down and sideways of a pendulum; down the slope */
    double length;          /* [m] */
    double modulus;         /* sin(theta0 / 2) */
    double rate;            /* [rad/s]; acceleration of a block [m/s^2] */
} dls_engines_law;
/* The law of a pendulum or a block on a slope that starts at rest. `ours`: with the fixed friction bounds of given
 * contacts, which engines replace by mu times the normal force. */
dls_engines_law dls_engines_law_find(const dls_model *model, bool ours);
/* Where the centre of mass is at time t; NaN without a law. */
dls_vec3 dls_engines_law_at(const dls_engines_law *law, double t);

/* --- the experiment --- */

typedef struct dls_engines_settings {
    dls_list scenes, engines, methods, starts;
    size_t iterations, many, samples;
    double step, duration, patience;
    dls_list reference;
    dls_list box_steps, box_methods;
    double box_duration, rolling_duration;
    dls_list bounce_steps, restitutions;
    double bounce_duration;
    size_t elastic_side, elastic_followed;
    dls_list elastic_steps;
    double elastic_duration;
    dls_list quadruped_steps;
    double quadruped_duration;
    dls_list articulated, articulated_steps;
    double articulated_duration;
    dls_list rolling_without;
    size_t rolling_iterations;
} dls_engines_settings;

/* Tables, by their index. */
enum {
    DLS_ENGINES_RUNS,
    DLS_ENGINES_COST,
    DLS_ENGINES_HISTORY,
    DLS_ENGINES_PATHS,
    DLS_ENGINES_INSTANTS,
    DLS_ENGINES_BOX,
    DLS_ENGINES_ROLLING,
    DLS_ENGINES_BOUNCING,
    DLS_ENGINES_ELASTIC,
    DLS_ENGINES_QUADRUPED,
    DLS_ENGINES_ARTICULATIONS,
    DLS_ENGINES_NOTES
};

/* One of those that step a scene: an engine, or a method of ours. */
typedef struct dls_engines_runner {
    char name[2 * DLS_NAME_MAX];
    const dls_engine_choice *engine; /* NULL: ours, */
    const char *method, *solver;     /* by these, */
    const char *direct;              /* or the direct methods of the reference solution, separated by commas */
    bool warm;                       /* ours from the impulses of the step before */
    bool reduced;                    /* ours, of articulations in reduced coordinates */
    size_t iterations;               /* 0: none, it solves directly */
} dls_engines_runner;

/* The measures of a run. */
typedef struct dls_engines_finding {
    bool ran;
    double error, angle; /* largest joint error [m], [rad] */
    double depth;        /* largest depth of a contact [m] */
    double energy;       /* largest change of the energy [J] */
    bool has_law;
    double distance; /* largest one from the motion in closed form, if there is one [m] */
} dls_engines_finding;

enum { DLS_ENGINES_DIRECT = 8 }; /* direct methods of ours-exact */

typedef struct dls_engines_findings {
    dls_engine_choice *engines;
    size_t n_engines;
    dls_engines_runner *runners;
    size_t n_runners;
    char (*names)[DLS_NAME_MAX];                          /* of the scenes, without folder and suffix */
    char direct[DLS_ENGINES_DIRECT * (DLS_NAME_MAX + 1)]; /* the methods of ours-exact, separated by commas */
    dls_engines_finding *of;                              /* scenes x runners */
} dls_engines_findings;

/* A scene as engines get it. If it has an articulation, `model` has its links as bodies, without armatures, and
 * `folded` is its model in reduced coordinates; else NULL. */
typedef struct dls_engines_scene {
    dls_model *model, *folded;
    bool armed; /* whether joints have armatures */
} dls_engines_scene;
/* The name of a scene in tables and figures: that of the file, without folder and suffix. */
void dls_engines_scene_name(const char *path, char name[DLS_NAME_MAX]);
/* An installed scene, or, if the name has a slash or a point, a file. */
dls_status dls_engines_open(const char *scene, dls_engines_scene *of, dls_error *error);
void dls_engines_close(dls_engines_scene *of);
/* The model of an installed scene, or, if the name has a slash or a point, of a file. */
dls_status dls_engines_model(const char *scene, dls_model **model, dls_error *error);
/* An empty record of so many steps of the bodies of the model. */
dls_status dls_engines_record_create(const dls_model *model, size_t steps, dls_engine_record *record, dls_error *error);
/* Steps of ours into a record with room for them, which has the time of the steps alone and why they ended early;
 * `note` puts each state into it. */
typedef dls_status dls_engines_note(void *context, const dls_state *state, dls_engine_record *record, dls_error *error);
dls_status dls_engines_run_ours(const dls_engines_runner *runner, const dls_model *model, double h, size_t steps,
                                dls_engines_note *note, void *context, dls_engine_record *record, dls_error *error);
/* `steps` steps by an engine, or by ours. DLS_REFUSED where it cannot. */
dls_status dls_engines_take(const dls_engines_runner *runner, const dls_model *model, double h, size_t steps,
                            double patience, dls_engine_record *record, dls_error *error);
/* The same of a scene that may have articulations. */
dls_status dls_engines_take_scene(const dls_engines_runner *runner, const dls_engines_scene *scene, double h,
                                  size_t steps, double patience, dls_engine_record *record, dls_error *error);
/* The states of all bodies. */
void dls_engines_states(const dls_model *model, const dls_state *state, dls_engine_state *to);
/* `steps` states of the motion in continuous time with its events, each h after the one before (continuous.c); the
 * tolerance is `coarser` times the default. Where the motion ends, the record says why. `impacts` (or NULL): how
 * many. */
dls_status dls_engines_motion(const dls_model *model, double h, size_t steps, double coarser, dls_engine_record *record,
                              size_t *impacts, dls_error *error);
/* Those that the tests of conservation compare: all engines, then the methods of `box_methods` by PGS. */
size_t dls_engines_compared_count(const dls_study *study);
dls_engines_runner dls_engines_compared(const dls_study *study, size_t index, size_t iterations);
/* Parts: runs of every scene by all (engines_runs.c), and their first instants beside ours (instants.c). */
dls_status dls_engines_runs(dls_study *study, dls_error *error);
dls_status dls_engines_instants(dls_study *study, dls_error *error);
/* Errors of a free body in closed form (free_box.c): the largest relative ones of its angular momentum and energy, and
 * of position and velocity [m], [m/s]. */
enum { DLS_ENGINES_FREE = 4 };
void dls_engines_free_errors(const dls_model *model, const dls_engine_record *record, double h,
                             double error[DLS_ENGINES_FREE]);
dls_status dls_engines_box(dls_study *study, dls_error *error);
/* SimBenchmark's rolling test (rolling.c), pushed at 60 degrees (0) or along y (1), and its error in steps of 1 ms
 * [m^2/s^2]. */
dls_status dls_engines_rolling_model(size_t push, dls_model **model, dls_error *error);
double dls_engines_rolling_error(const dls_engine_record *record, size_t push);
dls_status dls_engines_rolling(dls_study *study, dls_error *error);
/* SimBenchmark's bouncing test (bouncing.c): a ball that falls on a plane with the coefficient of restitution e; the
 * mean square of the change of the energy of 49 of them [J^2], that of semi-implicit Euler in free flight, and the
 * height of the first rebound over that of the fall, e^2 by Newton's law (NaN: the ball has not come back down). */
dls_status dls_engines_bouncing_model(double e, dls_model **model, dls_error *error);
double dls_engines_bouncing_error(const dls_engine_record *record);
double dls_engines_bouncing_closed_form(double h);
double dls_engines_bouncing_height(const dls_engine_record *record);
dls_status dls_engines_bouncing(dls_study *study, dls_error *error);
/* SimBenchmark's elastic balls (elastic_balls.c): side^3 of them. Mean squares of the change of the energy, and of the
 * same without that of semi-implicit Euler in free flight [J^2]; the largest horizontal momentum and angular momentum
 * about a vertical axis, which are 0 [kg m/s], [kg m^2/s]. */
typedef struct dls_engines_elastic {
    double energy, beside, across, about;
} dls_engines_elastic;
dls_status dls_engines_elastic_model(size_t side, dls_model **model, dls_error *error);
dls_engines_elastic dls_engines_elastic_measure(const dls_model *model, const dls_engine_record *record, double h);
dls_status dls_engines_elastic_balls(dls_study *study, dls_error *error);
/* SimBenchmark's quadruped (quadruped.c), which falls (0) or is struck by a ball (1). Mean squares of the change of the
 * energy [J^2], that of semi-implicit Euler for a point of its mass, and of the error of the momentum [(kg m/s)^2]; the
 * largest change of the angular momentum about the centre of mass [kg m^2/s]. */
typedef struct dls_engines_quadruped {
    double energy, momentum, turning;
} dls_engines_quadruped;
dls_status dls_engines_quadruped_model(size_t test, dls_model **model, dls_error *error);
double dls_engines_quadruped_closed_form(const dls_model *model, double h, double duration);
dls_status dls_engines_quadruped_measure(const dls_model *model, const dls_engine_record *record, double h,
                                         dls_engines_quadruped *of, dls_error *error);
dls_status dls_engines_quadrupeds(dls_study *study, dls_error *error);
/* Articulations in steps that are halved (articulations.c), by all engines, ours-exact and ours-reduced. */
size_t dls_engines_folded_count(const dls_study *study);
dls_engines_runner dls_engines_folded(const dls_study *study, size_t index);
dls_status dls_engines_articulations(dls_study *study, dls_error *error);
dls_status dls_engines_figures(dls_study *study, dls_error *error);

#endif
