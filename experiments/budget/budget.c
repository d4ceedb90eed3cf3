/* Experiment: all schemes at one cost.
 *
 * A scheme that makes N sweeps per step of h makes N / h sweeps per second of motion, the `budget`, which long steps
 * with many sweeps and short steps with few may spend alike. Every scheme gets each budget in each division of it,
 * with warm starts, and is judged by what is left: the error of the joints, or the depth of contacts; the energy that
 * it has lost or gained beside that of the truth; and, for a smooth motion, the distance of the bodies from their true
 * places. The truth is RATTLE with exact solves and short steps, which is of second order; its own error is the
 * difference to the same with half the step, and stands in the caption. Stacks have no truth.
 *
 * Sweeps are not all the cost: assembling a problem takes the time of several. So the processor time of each run
 * stands beside its budget.
 */
#include "study/rig.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    dls_list scenes, methods, budgets, divisions;
    double duration, truth;
} settings;

#define FIELD(...) DLS_SETTING(settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(scenes, "", NAMES, "chain-10, four-bar, stack-10-found", 0, 0,
          "names of installed scenes, or paths of files; those without contacts and limits have a truth"),
    FIELD(methods, "", NAMES, "", 0, 0, "default: all methods of constraint stabilisation but soft ones"),
    FIELD(budgets, "1/s", REALS, "300, 1000, 3000, 10000", 1, 1e7, "sweeps per second of motion"),
    FIELD(divisions, "", COUNTS, "1, 4, 16, 64", 1, 10000, "sweeps per step; substeps of small steps"),
    FIELD(duration, "s", REAL, "0.5", 1e-3, 1e5, "duration of a run"),
    FIELD(truth, "s", REAL, "2e-4", 1e-7, 0.1, "time step of the truth"),
};

enum { RUNS, BEST };
static const dls_experiment_table tables[] = {
    [RUNS] = {.stem = "budget.runs",
              .columns = "scene\tmethod\tbudget[1/s]\tsweeps_per_step\tstep[s]\trow_visits\tmeasured_time[s]"
                         "\tjoint_error\tenergy_error[J]\tdistance[m]"},
    [BEST] = {.stem = "budget.best",
              .columns = "scene\tmethod\tbudget[1/s]\tsweeps_per_step\tmeasured_time[s]\tjoint_error\tenergy_error[J]"
                         "\tdistance[m]"},
    {.stem = NULL},
};

typedef struct findings {
    double own_error;        /* largest distance of a truth from that of half the step [m] */
    char best[DLS_NAME_MAX]; /* of the first scene and the largest budget, by the distance, or the joint error */
    double error, worst;     /* its error, and that of the worst one that came to the end */
    size_t sweeps;           /* per step of the best one */
} findings;

/* The end of a run. */
typedef struct ending {
    double joint, energy, distance, seconds, visits;
} ending;
/* Where the bodies are at the end, the energy there, and whether a stop has acted. */
typedef struct places {
    size_t count;
    dls_vec3 *x;
    double energy;
    bool stops;
} places;

static double error_of(const dls_rig *rig)
{
    double linear, angular;
    dls_joint_errors(dls_rig_at(rig), &linear, &angular);
    return fmax(linear, dls_penetration(dls_simulation_contacts(rig->simulation)));
}

static double distance_of(const dls_rig *rig, const places *truth)
{
    double farthest = 0.0;
    for (size_t i = 0; i < truth->count && truth->x; i++)
        farthest = fmax(farthest, dls_norm(dls_sub(dls_rig_state(rig)->x[i], truth->x[i])));
    return truth->x ? farthest : NAN;
}

static bool has_stops(const dls_rig *rig)
{
    const dls_row_list *rows = dls_simulation_rows(rig->simulation);
    for (size_t i = 0; rows && i < rows->n; i++)
        if (rows->row[i].role == DLS_ROLE_STOP)
            return true;
    return false;
}

static dls_status keep_places(const dls_rig *rig, places *keep, dls_error *error)
{
    *keep = (places){
        .count = dls_model_count(rig->model).bodies, .energy = dls_energy(dls_rig_at(rig)), .stops = has_stops(rig)};
    keep->x = malloc((keep->count + 1) * sizeof *keep->x);
    if (!keep->x)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu bodies", keep->count);
    memcpy(keep->x, dls_rig_state(rig)->x, keep->count * sizeof *keep->x);
    return DLS_OK;
}

/* `keep` gets the end, or is NULL. The time is that of the steps alone. */
static dls_status run_one(const char *scene_name, const dls_rig_plan *plan, double h, double duration,
                          const places *truth, ending *end, places *keep, dls_error *error)
{
    dls_scene *scene;
    dls_rig rig;
    *end = (ending){.joint = 0.0, .energy = NAN, .distance = NAN};
    DLS_TRY(dls_scene_named(scene_name, &scene, error));
    DLS_TRY(dls_rig_open(&rig, scene, plan, error));
    const double start = dls_energy(dls_rig_at(&rig));
    const size_t count = dls_step_count(duration, h);
    for (bool goes_on = true; goes_on;) {
        const double before = dls_seconds();
        goes_on = dls_rig_next(&rig, h, count);
        end->seconds += dls_seconds() - before;
        if (goes_on)
            end->joint = fmax(end->joint, error_of(&rig));
    }
    end->visits = (double)rig.spy.row_iterations;
    if (rig.failed || rig.status != DLS_OK) { /* a finding */
        end->joint = end->energy = end->distance = HUGE_VAL;
    } else {
        end->energy = dls_energy(dls_rig_at(&rig)) - (truth->x ? truth->energy : start);
        end->distance = distance_of(&rig, truth);
    }
    if (keep && rig.status == DLS_OK)
        rig.status = keep_places(&rig, keep, error);
    return dls_rig_end(&rig);
}

/* The truth of a scene without contacts and limits; x is NULL for one with them. */
static dls_status find_truth(dls_study *study, const char *name, places *truth, dls_error *error)
{
    const settings *set = study->settings;
    findings *f = study->found;
    const dls_rig_plan exact = {.method = "rattle", .solver = "block-pivoting"};
    const places none = {.x = NULL};
    dls_scene *scene;
    ending end;
    *truth = none;
    DLS_TRY(dls_scene_named(name, &scene, error));
    const bool collides = scene->world.collide;
    dls_scene_destroy(scene);
    if (collides)
        return DLS_OK;
    DLS_TRY(run_one(name, &exact, set->truth, set->duration, &none, &end, truth, error));
    if (truth->stops) {
        free(truth->x);
        *truth = none;
        return DLS_OK;
    }
    DLS_TRY(run_one(name, &exact, 0.5 * set->truth, set->duration, truth, &end, NULL, error));
    f->own_error = fmax(f->own_error, end.distance);
    return DLS_OK;
}

/* Smaller is better: the distance where there is a truth, else the joint error. */
static double merit(const places *truth, const ending *end) { return truth->x ? end->distance : end->joint; }

static dls_status run_method(dls_study *study, size_t scene, const char *name, const dls_method *method, double budget,
                             const places *truth, dls_error *error)
{
    const settings *set = study->settings;
    findings *f = study->found;
    ending best = {.joint = HUGE_VAL, .distance = HUGE_VAL};
    size_t sweeps = 0;
    for (size_t k = 0; k < set->divisions.count; k++) {
        const size_t N = set->divisions.counts[k];
        const double h = (double)N / budget;
        const dls_rig_plan plan = {.method = method->name, .iterations = N, .warm = true, .diverges = true};
        ending end;
        if (h > 0.05 || h > set->duration)
            continue;
        DLS_TRY(run_one(name, &plan, h, set->duration, truth, &end, NULL, error));
        dls_table_row(study->tables[RUNS], "%s %s %g %zu %g %g %g %g %g %g", name, method->name, budget, N, h,
                      end.visits, end.seconds, end.joint, end.energy, end.distance);
        if (sweeps == 0 || merit(truth, &end) < merit(truth, &best))
            best = end, sweeps = N;
    }
    if (sweeps == 0)
        return DLS_OK;
    dls_table_row(study->tables[BEST], "%s %s %g %zu %g %g %g %g", name, method->name, budget, sweeps, best.seconds,
                  best.joint, best.energy, best.distance);
    if (scene == 0 && budget == set->budgets.reals[set->budgets.count - 1] && isfinite(merit(truth, &best))) {
        f->worst = fmax(f->worst, merit(truth, &best));
        if (!f->best[0] || merit(truth, &best) < f->error) {
            f->error = merit(truth, &best), f->sweeps = sweeps;
            snprintf(f->best, sizeof f->best, "%s", method->name);
        }
    }
    return DLS_OK;
}

static bool is_chosen(const settings *set, const dls_method *method)
{
    bool chosen = set->methods.count == 0 && !method->soft;
    for (size_t k = 0; k < set->methods.count; k++)
        chosen = chosen || strcmp(set->methods.names[k], method->name) == 0;
    return chosen;
}

static dls_status run_scenes(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    places truth = {.x = NULL};
    size_t scene = SIZE_MAX;
    dls_status status = DLS_OK;
    for (size_t k = 0; k < set->methods.count && status == DLS_OK; k++)
        if (!dls_method_find(set->methods.names[k]))
            status = dls_fail(error, DLS_BAD_ARGUMENT, "there is no method '%s'", set->methods.names[k]);
    for (dls_grid g = DLS_GRID(set->scenes.count, DLS_METHODS, set->budgets.count);
         status == DLS_OK && dls_study_next(study, &g);) {
        const char *name = set->scenes.names[g.at[0]];
        if (g.at[0] != scene) {
            free(truth.x);
            scene = g.at[0];
            status = find_truth(study, name, &truth, error);
        }
        if (status == DLS_OK && is_chosen(set, &dls_methods[g.at[1]]))
            status = run_method(study, scene, name, &dls_methods[g.at[1]], set->budgets.reals[g.at[2]], &truth, error);
    }
    free(truth.x);
    return status;
}

static const dls_experiment_part parts[] = {{"scenes", run_scenes}, {NULL, NULL}};

static dls_status figures(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    const findings *f = study->found;
    char methods[DLS_METHODS * DLS_NAME_MAX] = "";
    for (size_t k = 0; k < DLS_METHODS; k++)
        if (is_chosen(set, &dls_methods[k]))
            dls_words_add(methods, sizeof methods, dls_methods[k].name);
    for (size_t k = 0; k < set->scenes.count; k++) {
        char name[DLS_NAME_MAX];
        dls_figure figure;
        snprintf(name, sizeof name, "%zu", k + 1);
        dls_figure_begin(&figure, study, "budget", BEST, name);
        dls_figure_set(&figure, "scene", "%s", set->scenes.names[k]);
        dls_figure_set(&figure, "methods", "%s", methods);
        DLS_TRY(dls_figure_draw(
            &figure, error,
            "The scene %s: each scheme at each number of sweeps of PGS per second of motion, in the division into "
            "steps "
            "that is best for it, with warm starts, over the processor time of %g s of motion. Left: the largest joint "
            "error or depth of a contact; right: the distance of the bodies from their true places at the end, or, "
            "where contacts leave no truth, the change of energy. The truth is known to %.1e m.",
            set->scenes.names[k], set->duration, f->own_error));
    }
    return DLS_OK;
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    const settings *set = study->settings;
    const findings *f = study->found;
    if (!f->best[0])
        return;
    snprintf(finding->figure, sizeof finding->figure, "budget-1");
    snprintf(
        finding->sentence, sizeof finding->sentence,
        "At %g sweeps per second of motion %s with %zu per step comes nearest to the truth of %s (%.1e m); the worst "
        "scheme that comes to the end is %.1e m away.",
        set->budgets.reals[set->budgets.count - 1], f->best, f->sweeps, set->scenes.names[0], f->error, f->worst);
}

const dls_experiment dls_experiment_budget = {
    .name = "budget",
    .summary = "all schemes at one cost: sweeps per second of motion, divided into steps as is best for each",
    .title = "Schemes at one cost",
    .question = "Which scheme makes the most of a given number of sweeps per second, and in how many steps?",
    .varies = "the scheme, the sweeps per second of motion, and their division into steps",
    .measures = "joint errors, energy, the distance from the true motion, row visits and processor time",
    .shows = "whether long steps with many sweeps or short steps with few are better, scheme by scheme",
    .mechanisms = "chain-10 four-bar stack-10-found",
    .fields = DLS_FIELD_TABLE(fields, settings),
    .small = "scenes=four-bar methods=baumgarte,small-steps budgets=400 divisions=1,4 duration=0.1 truth=1e-3",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(findings),
    .figures = figures,
    .conclude = conclude,
};
