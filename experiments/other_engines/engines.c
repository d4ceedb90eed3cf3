/* Experiment: physics engines of other projects beside the schemes of delassus, on the same scene files.
 *
 * Each engine gets the bodies, joints, gravity and step of a scene in its own form (translate.c, and a file for each
 * library) and steps it in a separate process. Drift of the joints, depths and energy are computed by delassus from the
 * reported states, in the same way for its own schemes. Differences between the models are in the table of notes, and a
 * scene that an engine cannot represent is refused with the reason.
 */
#include "other_engines/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(...) DLS_SETTING(dls_engines_settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(scenes, "", NAMES,
          "pendulum, chain-10, hinge-pair, four-bar, slider-crank, heavy-on-light, stack-10, stack-10-found, "
          "box-on-slope, box-on-slope-found",
          0, 0, "names of installed scenes, or paths of files"),
    FIELD(engines, "", NAMES, "", 0, 0, "default: every engine that was built"),
    FIELD(methods, "", NAMES, "baumgarte, projection-newton, tgs-substep, small-steps", 0, 0,
          "methods of delassus, with PGS"),
    FIELD(starts, "", NAMES, "cold, warm", 0, 0,
          "starts of each of these methods: cold from zero impulse, warm from the impulses of the step before"),
    FIELD(reference, "", NAMES, "block-pivoting, fixed-point, cone-newton", 0, 0,
          "direct methods of the run ours-exact, with Baumgarte's feedback; each step has the first that solves it"),
    FIELD(iterations, "", COUNT, "20", 2, 1e6,
          "iterations per step of every iterative method; number of substeps of small steps"),
    FIELD(many, "", COUNT, "1000", 2, 1e6,
          "iterations per step in place of these for the comparison of the first steps"),
    FIELD(step, "s", REAL, "0.004", 1e-6, 1,
          "time step of a run; for the comparison of the first steps it is halved twice"),
    FIELD(duration, "s", REAL, "1", 1e-6, 1e4, "duration of a run"),
    FIELD(samples, "", COUNT, "100", 1, 1e6, "greatest number of points of a run in the table over time"),
    FIELD(box_steps, "s", REALS, "0.0005, 0.001", 1e-6, 1,
          "time steps of the free box; published are also 0.0001 and 0.0002"),
    FIELD(box_duration, "s", REAL, "10", 1e-6, 1e4, "duration of its motion"),
    FIELD(box_methods, "", NAMES, "baumgarte, midpoint, rattle, moreau-jean", 0, 0,
          "methods of delassus for the free box and all tests after it; the last three are of second order"),
    FIELD(bounce_steps, "s", REALS, "0.004", 1e-6, 1, "time steps of SimBenchmark's bouncing test"),
    FIELD(restitutions, "", REALS, "1, 0.5", 0, 1, "coefficients of restitution of its ball"),
    FIELD(bounce_duration, "s", REAL, "20", 1e-3, 1e4, "duration of its motion"),
    FIELD(quadruped_steps, "s", REALS, "0.004", 1e-6, 1, "time steps of SimBenchmark's tests of a quadruped"),
    FIELD(quadruped_duration, "s", REAL, "10", 1e-3, 10, "longest duration of these; the fall takes 2 s"),
    FIELD(elastic_side, "", COUNT, "2", 1, 12, "elastic balls in each row of SimBenchmark's 666; published: 6"),
    FIELD(elastic_steps, "s", REALS, "0.001", 1e-6, 1, "their time steps"),
    FIELD(elastic_duration, "s", REAL, "5", 1e-3, 1e4, "duration of their motion; published: 10"),
    FIELD(elastic_followed, "", COUNT, "27", 0, 1e4, "most of them whose motion in continuous time is followed"),
    FIELD(articulated, "", NAMES, "double-pendulum, quadruped", 0, 0,
          "scenes with an articulation, beside its motion in reduced coordinates"),
    FIELD(articulated_steps, "s", REALS, "0.004, 0.002, 0.001", 1e-6, 1, "their time steps, in falling order"),
    FIELD(articulated_duration, "s", REAL, "0.4", 1e-3, 1e4, "duration of their motion"),
    FIELD(rolling_duration, "s", REAL, "4", 1e-3, 1e4, "duration of SimBenchmark's rolling test"),
    FIELD(rolling_iterations, "", COUNT, "100", 1, 1e6, "iterations per step of NSGS, our own solver there"),
    FIELD(rolling_without, "", NAMES, "simbody", 0, 0,
          "engines that do not roll; Simbody would take half a minute, 4 ms per step; none: all roll"),
    FIELD(patience, "s", REAL, "60", 1e-3, 1e6, "time limit, beyond which an engine has failed"),
};

#define RUNNER "runner\titerations\t"
#define WHAT "scene\t" RUNNER
static const dls_experiment_table tables[] = {
    [DLS_ENGINES_RUNS] = {.stem = "engines.runs",
                          .columns = "scene\tcontacts\t" RUNNER
                                     "version\tstep[s]\tsteps\toutcome\tworst_error[m]\tlast_error[m]\tworst_error[rad]"
                                     "\tlast_error[rad]\tworst_depth[m]\tlast_depth[m]\tworst_energy_change[J]"
                                     "\tlast_energy_change[J]\tworst_distance[m]\treason"},
    [DLS_ENGINES_COST] = {.stem = "engines.cost", .columns = WHAT "steps\ttime_measured_a_step[s]"},
    [DLS_ENGINES_HISTORY] = {.stem = "engines.history",
                             .columns = WHAT "time[s]\terror[m]\terror[rad]\tdepth[m]\tenergy_change[J]"},
    [DLS_ENGINES_PATHS] = {.stem = "engines.paths",
                           .columns = WHAT "body\ttime[s]\tx[m]\ty[m]\tz[m]\ttravel[m]\texact_travel[m]"
                                           "\tdistance[m]"},
    [DLS_ENGINES_INSTANTS] = {.stem = "engines.instants",
                              .columns = "scene\tengine\titerations\tstep[s]\tacceleration_difference[m/s^2]"
                                         "\tacceleration_difference[rad/s^2]\treason"},
    [DLS_ENGINES_BOX] = {.stem = "engines.free-box",
                         .columns = "runner\tversion\tstep[s]\tlargest_error_of\terror\tpublished_55c3b05"
                                    "\tpublished_0a8b4c2\tsteps\treason"},
    [DLS_ENGINES_ROLLING] =
        {.stem = "engines.rolling",
         .columns = "runner\tversion\titerations\tpush\tsteps\tplate_speed[m/s]\tball_speed[m/s]\terror[m^2/s^2]"
                    "\tpublished[m^2/s^2]\treason"},
    [DLS_ENGINES_BOUNCING] = {.stem = "engines.bouncing",
                              .columns =
                                  "runner\tversion\trestitution\tstep[s]\tsteps\tmean_square_energy_change[J^2]"
                                  "\tof_free_flight[J^2]\tpublished[J^2]\trebound\trebound_in_closed_form\treason"},
    [DLS_ENGINES_ELASTIC] = {.stem = "engines.elastic",
                             .columns =
                                 "runner\tversion\tballs\tstep[s]\tsteps\tmean_square_energy_change[J^2]"
                                 "\twithout_that_of_euler_in_flight[J^2]\tpublished[J^2]\thorizontal_momentum[kg*m/s]"
                                 "\tvertical_angular_momentum[kg*m^2/s]\tnear_the_motion_until[s]\treason"},
    [DLS_ENGINES_QUADRUPED] =
        {.stem = "engines.quadruped",
         .columns = "test\trunner\tversion\tstep[s]\tsteps\tmean_square_energy_change[J^2]\tof_a_point[J^2]"
                    "\tmean_square_momentum_error[kg^2*m^2/s^2]\tangular_momentum_change[kg*m^2/s]"
                    "\tpublished[J^2|kg^2*m^2/s^2]\tdistance_from_the_motion[m]\treason"},
    [DLS_ENGINES_ARTICULATIONS] = {.stem = "engines.articulations",
                                   .columns = WHAT "version\tstep[s]\tsteps\tdistance_from_the_motion[m]"
                                                   "\tangle_from_the_motion[rad]\torder\treason"},
    [DLS_ENGINES_NOTES] = {.stem = "engines.notes", .columns = "engine\tversion\tsubject\tnot_as_ours"},
    {.stem = NULL},
};

/* --- who takes part --- */

static dls_status choose_engines(const dls_engines_settings *set, dls_engines_findings *f, dls_error *error)
{
    dls_engine_entry of;
    size_t count = set->engines.count;
    for (size_t i = 0; !set->engines.count && dls_engine_at(i, &of); i++)
        count += of.built;
    f->engines = calloc(count + 1, sizeof *f->engines);
    if (!f->engines)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu engines", count);
    for (size_t i = 0; i < set->engines.count; i++, f->n_engines++)
        DLS_TRY(dls_engine_choose(set->engines.names[i], &f->engines[f->n_engines], error));
    for (size_t i = 0; !set->engines.count && dls_engine_at(i, &of); i++)
        if (of.built) {
            DLS_TRY(dls_engine_choose(of.name, &f->engines[f->n_engines], error));
            f->n_engines++;
        }
    return DLS_OK;
}

static dls_status add_ours(const dls_engines_settings *set, const char *method, const char *start,
                           dls_engines_runner *r, dls_error *error)
{
    const bool warm = strcmp(start, "warm") == 0;
    if (!dls_method_find(method))
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "methods",
                              "there is no method '%s'; see the experiment drift", method);
    if (!warm && strcmp(start, "cold") != 0)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "starts", "a start is cold or warm, not '%s'", start);
    *r = (dls_engines_runner){.method = method, .solver = "pgs", .warm = warm, .iterations = set->iterations};
    snprintf(r->name, sizeof r->name, "ours-%s%s", method, warm ? "-warm" : "");
    return DLS_OK;
}

/* The name of each scene in tables and figures. */
static dls_status name_scenes(const dls_engines_settings *set, dls_engines_findings *f, dls_error *error)
{
    f->names = calloc(set->scenes.count, sizeof *f->names);
    if (!f->names)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu scenes", set->scenes.count);
    for (size_t s = 0; s < set->scenes.count; s++) {
        const char *path = set->scenes.names[s];
        dls_engines_scene_name(path, f->names[s]);
        for (size_t k = 0; k < s; k++)
            if (strcmp(f->names[k], f->names[s]) == 0)
                return dls_fail_about(error, DLS_BAD_INPUT, NULL, "scenes",
                                      "'%s' and '%s' have the same name: rename a file", set->scenes.names[k], path);
    }
    return DLS_OK;
}

static dls_status list_runners(const dls_engines_settings *set, dls_engines_findings *f, dls_error *error)
{
    dls_engines_runner *r = f->runners =
        calloc(f->n_engines + set->methods.count * set->starts.count + 1, sizeof *f->runners);
    if (!r)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu engines", f->n_engines);
    for (size_t k = 0; k < f->n_engines; k++, r++) {
        *r = (dls_engines_runner){.engine = &f->engines[k],
                                  .iterations = f->engines[k].engine->sweeps ? set->iterations : 0};
        snprintf(r->name, sizeof r->name, "%s", f->engines[k].engine->name);
    }
    if (set->reference.count > DLS_ENGINES_DIRECT)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "reference", "at most %d methods, not %zu",
                              (int)DLS_ENGINES_DIRECT, set->reference.count);
    for (size_t k = 0, used = 0; k < set->reference.count; k++)
        used +=
            (size_t)snprintf(f->direct + used, sizeof f->direct - used, "%s%s", k ? "," : "", set->reference.names[k]);
    *r = (dls_engines_runner){.method = "baumgarte", .direct = f->direct};
    snprintf(r->name, sizeof r->name, "ours-exact");
    r++;
    for (size_t k = 0; k < set->methods.count; k++)
        for (size_t j = 0; j < set->starts.count; j++, r++)
            DLS_TRY(add_ours(set, set->methods.names[k], set->starts.names[j], r, error));
    f->n_runners = (size_t)(r - f->runners);
    return DLS_OK;
}

/* Names of engines, built or not. */
static dls_status check_left_out(const dls_engines_settings *set, dls_error *error)
{
    dls_engine_entry of;
    for (size_t k = 0; k < set->rolling_without.count; k++) {
        const char *name = set->rolling_without.names[k];
        size_t i = 0;
        while (dls_engine_at(i, &of) && strcmp(of.name, name) != 0)
            i++;
        if (!dls_engine_at(i, &of) && strcmp(name, "none") != 0)
            return dls_fail_about(error, DLS_BAD_INPUT, NULL, "rolling_without",
                                  "there is no engine '%s'; see delassus list engines", name);
    }
    return DLS_OK;
}

static dls_status prepare(dls_study *study, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    dls_engines_findings *f = study->found;
    if (!set->scenes.count)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "scenes", "name a scene at least");
    DLS_TRY(name_scenes(set, f, error));
    DLS_TRY(choose_engines(set, f, error));
    DLS_TRY(list_runners(set, f, error));
    DLS_TRY(check_left_out(set, error));
    f->of = calloc(set->scenes.count * f->n_runners, sizeof *f->of);
    return f->of ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu scenes", set->scenes.count);
}

static void release_findings(void *found)
{
    dls_engines_findings *f = found;
    for (size_t k = 0; k < f->n_engines; k++)
        dls_engine_release(&f->engines[k]);
    free(f->engines);
    free(f->runners);
    free(f->names);
    free(f->of);
}

static dls_status list_notes(dls_study *study, dls_error *error)
{
    const dls_engines_findings *f = study->found;
    (void)error;
    for (size_t k = 0; k < f->n_engines; k++)
        for (const dls_engine_note *n = f->engines[k].engine->notes; n->subject; n++)
            dls_table_row(study->tables[DLS_ENGINES_NOTES], "%s %s %s %s", f->engines[k].engine->name,
                          f->engines[k].version, n->subject, n->text);
    return DLS_OK;
}

static const dls_experiment_part parts[] = {{"notes", list_notes},
                                            {"runs", dls_engines_runs},
                                            {"first instants", dls_engines_instants},
                                            {"free box", dls_engines_box},
                                            {"rolling", dls_engines_rolling},
                                            {"bouncing", dls_engines_bouncing},
                                            {"elastic balls", dls_engines_elastic_balls},
                                            {"quadruped", dls_engines_quadrupeds},
                                            {"articulations", dls_engines_articulations},
                                            {NULL, NULL}};

/* On one scene: the runner with the least joint error and the one with the largest. */
static void conclude(const dls_study *study, dls_finding *finding)
{
    const dls_engines_settings *set = study->settings;
    const dls_engines_findings *f = study->found;
    size_t s = 0, least = SIZE_MAX, most = SIZE_MAX;
    for (size_t k = 0; k < set->scenes.count; k++)
        if (strcmp(f->names[k], "chain-10") == 0)
            s = k;
    const dls_engines_finding *of = &f->of[s * f->n_runners];
    for (size_t k = 0; k < f->n_runners; k++) {
        if (!of[k].ran)
            continue;
        least = least == SIZE_MAX || of[k].error < of[least].error ? k : least;
        most = most == SIZE_MAX || of[k].error > of[most].error ? k : most;
    }
    if (least == SIZE_MAX)
        return;
    snprintf(finding->figure, sizeof finding->figure, "engines-%s", f->names[s]);
    snprintf(finding->sentence, sizeof finding->sentence,
             "On the scene %s, in steps of %g s with %zu iterations, joints come apart by %.2g m (%s) to %.2g m (%s).",
             f->names[s], set->step, set->iterations, of[least].error, f->runners[least].name, of[most].error,
             f->runners[most].name);
}

const dls_experiment dls_experiment_engines = {
    .name = "engines",
    .summary = "physics engines of other projects and the schemes of delassus: drift, energy and time per step of the "
               "same scenes",
    .title = "Engines of other projects",
    .question = "How do physics engines move the same mechanisms, measured by one examiner?",
    .varies = "engine or scheme of delassus, scene",
    .measures = "joint error, depth of contacts, change of energy, distance from a motion in closed form, time per "
                "step, and the first step relative to delassus",
    .shows = "which engine holds which mechanism, and how the models differ",
    .mechanisms = "pendulum chain-10 four-bar stack-10",
    .fields = DLS_FIELD_TABLE(fields, dls_engines_settings),
    .small =
        "scenes=pendulum,stack-10 methods=baumgarte starts=cold iterations=4 many=20 duration=0.05 box_steps=0.001 "
        "box_duration=0.1 rolling_duration=0.02 bounce_steps=0.01 bounce_duration=1 elastic_duration=0.7 "
        "quadruped_steps=0.01 quadruped_duration=0.1 articulated=double-pendulum articulated_steps=0.01 "
        "articulated_duration=0.02",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(dls_engines_findings),
    .prepare = prepare,
    .release = release_findings,
    .remark = {"contacts",
               "each engine detects given contacts from the shapes; engines.notes.tsv lists all other differences"},
    .figures = dls_engines_figures,
    .conclude = conclude,
};
