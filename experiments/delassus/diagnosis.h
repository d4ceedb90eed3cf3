/* diagnosis.h - why a simulation explodes, comes apart or drifts: causes, each with the part, the number and a way to
 * fix it.
 *
 *     dls_diagnosis *diagnosis;
 *     dls_diagnosis_create(&diagnosis, error);
 *     dls_diagnose_model(diagnosis, model, &settings, error);    // before the first step
 *     dls_diagnose_run(diagnosis, &run, &result, error);         // after a run
 *     dls_diagnosis_sort(diagnosis);
 *     for (size_t i = 0; i < diagnosis->count; i++) puts(diagnosis->finding[i].text);
 *     dls_diagnosis_destroy(diagnosis);
 * A finding is measured, never guessed from names: its number and the limit from which it is a finding are members.
 */
#ifndef DELASSUS_DIAGNOSIS_H
#define DELASSUS_DIAGNOSIS_H

#include "delassus/experiments.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dls_severity {
    DLS_SEVERITY_NOTE,  /* true of many sound mechanisms; it limits what can be asked of a solver */
    DLS_SEVERITY_RISK,  /* wrong results, or slow ones, under some settings */
    DLS_SEVERITY_FAULT, /* the motion is wrong as it is set up */
    DLS_SEVERITIES
} dls_severity;
extern const char *const dls_severity_names[]; /* "note", "risk", "fault"; NULL at the end */

/* The one list of causes: X(NAME, word, meaning). */
#define DLS_FAULT_LIST(X)                                                                                   \
    X(DIVERGED, "diverged", "a run ends because a number is not finite")                                    \
    X(UNSOLVED, "unsolved", "the solver failed in a step of a run, or its claim was refuted")               \
    X(ENERGY, "energy-growth", "a run gains energy that nothing gives it")                                  \
    X(IMPACT_ENERGY, "impact-energy", "impacts of a run create energy")                                     \
    X(WARM, "warm-start", "warm starts of a run are not damped by its iterations")                          \
    X(NOT_CONVERGED, "not-converged", "answers of a run are far from a solution")                           \
    X(DRIFT, "drift", "joints of a run come apart")                                                         \
    X(INERTIA, "impossible-inertia", "principal moments that no body has")                                  \
    X(INERTIA_SIZE, "inertia-size", "an inertia that does not fit the size of its body")                    \
    X(DENSITY, "density", "a mass that does not fit the volume of its shapes")                              \
    X(REFLECTED, "reflected-inertia", "a chain whose inertia at a joint is lost in rounding")               \
    X(OPEN_LOOP, "open-loop", "joints that are not closed at the start")                                    \
    X(OVERLAP, "overlap", "shapes that overlap at the start")                                               \
    X(LIMIT, "limit-violated", "coordinates beyond their limits at the start")                              \
    X(SPEED, "speed-violated", "velocities that joints do not allow at the start")                          \
    X(CONTRADICTORY, "contradictory-rows", "redundant rows that contradict each other")                     \
    X(REDUNDANT, "redundant-rows", "rows of joints that depend on each other: their forces are not unique") \
    X(FRICTION, "friction-not-unique", "contact forces that are not unique")                                \
    X(DEAD_ROW, "row-without-motion", "rows that no impulse can move")                                      \
    X(MASS_RATIO, "mass-ratio", "a light part between heavy ones, on which a sweep converges slowly")       \
    X(SLOW_SWEEP, "slow-sweep", "a mechanism on which a sweep converges slowly")                            \
    X(STIFF, "stiff-spring", "an explicit spring or damper beyond its limit of stability")                  \
    X(UNRESOLVED, "unresolved-spring", "an implicit spring whose oscillation the step does not resolve")    \
    X(TARGET, "target-beyond-limit", "a drive or spring that pulls beyond a limit")                         \
    X(OPPOSED, "opposed-drives", "drives that pull one coordinate to different targets")                    \
    X(SPIN, "fast-rotation", "a body that turns too far in one step")                                       \
    X(TUNNEL, "tunnelling", "a body that moves by more than its thickness in one step")                     \
    X(STEP, "step-too-long", "a step in which gravity moves a body by a large part of the mechanism")       \
    X(SOFT, "soft-contact", "contacts so compliant that bodies sink into them under their weight")          \
    X(CHATTER, "chatter", "contacts that come and go between steps")                                        \
    X(WEAK, "weak-drive", "a drive whose force limit is below the weight that it carries at the start")     \
    X(SATURATED, "saturated-drive", "a drive at the limit of its force for most of a run")                  \
    X(PRESSING, "pressed-limit", "a drive that pushes against a limit for most of a run")                   \
    X(UNSUPPORTED, "unsupported", "nothing that a body can fall on")                                        \
    X(NO_SHAPES, "meshes-skipped", "meshes of a robot that do not collide")                                 \
    X(UNMEASURED, "not-measured",                                                                           \
      "figures that were not measured, since something that they need is missing or too large")

typedef enum dls_fault_cause {
#define DLS_FAULT_ENUM(id, word, meaning) DLS_FAULT_##id,
    DLS_FAULT_LIST(DLS_FAULT_ENUM)
#undef DLS_FAULT_ENUM
        DLS_FAULT_CAUSES
} dls_fault_cause;
typedef struct dls_fault_text {
    const char *word, *meaning; /* "open-loop", a line */
} dls_fault_text;
extern const dls_fault_text dls_fault_causes[]; /* in the order of the enum; word NULL at the end */

typedef struct dls_diagnosis_finding {
    dls_fault_cause cause;
    dls_severity severity;
    char subject[2 * DLS_NAME_MAX + 32]; /* the joint, row, contact, body or link; "" the mechanism as a whole */
    double value, limit;                 /* the number, and the one from which it is a finding; units by cause */
    char text[DLS_MESSAGE_MAX];          /* what is wrong with its numbers, and how to fix it */
} dls_diagnosis_finding;

typedef struct dls_diagnosis {
    size_t count, capacity;
    dls_diagnosis_finding *finding;
    double length; /* the size of the mechanism, once dls_diagnose_model has measured it [m]; 0: not measured */
    bool singular; /* dls_diagnose_model found a mass matrix with which no step can be made */
} dls_diagnosis;

/* The steps that are to be made. */
typedef struct dls_diagnosis_settings {
    double step;       /* h [s]; 0: that of the model's world */
    size_t iterations; /* of a sweep per step; 0: those of the world */
} dls_diagnosis_settings;

dls_status dls_diagnosis_create(dls_diagnosis **diagnosis, dls_error *error);
void dls_diagnosis_destroy(dls_diagnosis *diagnosis); /* NULL is allowed */
/* Faults first, then risks and notes; within these by cause, the largest excess over its limit first. */
void dls_diagnosis_sort(dls_diagnosis *diagnosis);
/* The number of findings of a severity. */
size_t dls_diagnosis_count(const dls_diagnosis *diagnosis, dls_severity severity);

/* Findings of a mechanism in its initial state, before a step is made: masses and inertias, springs and drives, loops,
 * overlaps and limits, speeds, and the problem of its first step (dls_diagnose_problem). `settings` NULL: those of the
 * world. Fails if memory is exhausted, or if the first step cannot be assembled. */
dls_status dls_diagnose_model(dls_diagnosis *diagnosis, const dls_model *model, const dls_diagnosis_settings *settings,
                              dls_error *error);
/* Findings of the problem of one step, of this program or dumped by an engine: redundant rows, rows that contradict
 * each other, friction without a unique answer, rows that nothing moves, and how slowly a sweep of projected
 * Gauss-Seidel converges on it, and why. Ranks are those of problems of up to DLS_DIAGNOSIS_ROWS rows, rates of
 * convergence of two thirds of that; a note tells where they are not measured. `iterations`: of a sweep per step; 0:
 * 50.
 */
enum { DLS_DIAGNOSIS_ROWS = 600 };
dls_status dls_diagnose_problem(dls_diagnosis *diagnosis, const dls_problem *problem, size_t iterations,
                                dls_error *error);
/* Findings of a run that dls_run_trajectory has made with an account of energy (`ledger` or `energy_limit`), `watch`,
 * and examined steps; notes tell what was not measured without these. Errors of joints are relative to `length`, after
 * dls_diagnose_model. */
dls_status dls_diagnose_run(dls_diagnosis *diagnosis, const dls_run *run, const dls_run_result *result,
                            dls_error *error);

/* Findings of the tables of a run: STEM.energy.tsv, whose path is `energies`, and beside it STEM.trajectory.tsv where
 * it is. *first is the time of the first line with a finding that is no note [s], or NaN. DLS_BAD_INPUT for a file that
 * is no such table. */
dls_status dls_diagnose_tables(dls_diagnosis *diagnosis, const char *energies, double *first, dls_error *error);

#ifdef __cplusplus
}
#endif

#endif
