/* delassus motion: the motion of a scene in continuous time, across contacts, friction and limits. */
#include "json.h"

#include <math.h>
#include <stdio.h>

typedef struct moved {
    dls_scene *scene;
    dls_model *model;
    dls_reference_motion motion;
    char stem[DLS_NAME_MAX];
} moved;

static bool open_moved(const arguments *a, moved *m)
{
    dls_error error;
    *m = (moved){.motion = {.samples = 500, .tolerance = dls_trajectory_default().tolerance}};
    dls_file_stem(a->words[0], m->stem, sizeof m->stem);
    if (dls_scene_read(a->words[0], &m->scene, &error) != DLS_OK) {
        complain(&error);
        return false;
    }
    if (!m->scene->name[0])
        snprintf(m->scene->name, sizeof m->scene->name, "%s", m->stem);
    if (!set_scene(a, m->scene))
        return false;
    if (dls_model_create(m->scene, &m->model, &error) != DLS_OK) {
        complain_of_scene(m->scene, &error);
        return false;
    }
    m->motion.model = m->model;
    m->motion.stem = m->stem;
    m->motion.project = argument(a, "project", NULL) != NULL;
    m->motion.duration = dls_model_world(m->model)->duration;
    return argument_real(a, "time", "s", &m->motion.duration) && argument_count(a, "samples", 1, &m->motion.samples) &&
           argument_real(a, "tolerance", "", &m->motion.tolerance);
}

static bool print_json(const moved *m, const dls_job *job, const dls_reference_motion_result *r)
{
    json_t *o = json_object();
    json_put(&o, "scene", json_text(dls_model_name(m->model)));
    json_put(&o, "reached", json_number(r->reached));
    json_put(&o, "events", json_count(r->events));
    json_put(&o, "steps", json_count(r->report.steps));
    json_put(&o, "searched", json_count(r->report.searched));
    json_put(&o, "redundant", json_count(r->report.redundant));
    json_put(&o, "energy_start", json_number(r->energy_start));
    json_put(&o, "energy_end", json_number(r->energy_end));
    json_put(&o, "distance", json_number(r->position));
    json_put(&o, "distance_of_speed", json_number(r->velocity));
    json_put(&o, "ended", r->end.status == DLS_OK ? json_null() : json_text(r->end.message));
    json_put(&o, "output", json_text(job->output));
    json_put(&o, "stem", json_text(m->stem));
    return json_print(o);
}

static void print_text(const moved *m, const dls_job *job, const dls_reference_motion_result *r)
{
    printf("%s: %.9g s in %zu steps of the integrator, %zu events\n", dls_model_name(m->model), r->reached,
           r->report.steps, r->events);
    printf("  energy         %.9g J to %.9g J, kinetic and potential\n", r->energy_start, r->energy_end);
    printf("  rows           |C| at most %.1e m or rad, |J v| %.1e, of those that are held\n", r->report.C,
           r->report.Jv);
    if (r->report.redundant)
        printf("  forces         not unique: up to %zu rows beyond their rank; one choice of several, of least norm\n",
               r->report.redundant);
    if (r->report.searched)
        printf(
            "  continuations  searched, not enumerated, in %zu problems of contacts that may begin to slide together\n",
            r->report.searched);
    printf("  error          about %.1e m or rad, %.1e m/s or rad/s: the distance from the motion with 100 times the\n"
           "                 tolerance, an estimate and no bound\n",
           r->position, r->velocity);
    printf("  tables         %s/%s.motion.tsv, .motion-rows.tsv, .motion-events.tsv, .motion-energy.tsv%s\n",
           job->output, m->stem, r->joints ? ", .motion-joints.tsv" : "");
}

static int run_motion(const arguments *a)
{
    moved m;
    dls_error error;
    dls_reference_motion_result result;
    int status = EXIT_BAD_INPUT;
    const dls_job job = make_job(a, argument(a, "output", "."));
    if (open_moved(a, &m)) {
        note_scene(a->words[0], m.scene, false, true);
        if (dls_reference_motion_write(&job, &m.motion, &result, &error) != DLS_OK)
            status = complain(&error);
        else {
            end_progress();
            status = EXIT_DONE;
            if (!argument(a, "json", NULL))
                print_text(&m, &job, &result);
            else if (!print_json(&m, &job, &result))
                status = EXIT_BAD_INPUT;
            if (result.end.status != DLS_OK) {
                complain_text("the motion ends at %.9g s: %s", result.reached, result.end.message);
                status = EXIT_UNSOLVED;
            }
        }
    }
    dls_model_destroy(m.model);
    dls_scene_destroy(m.scene);
    return status;
}

static const option_spec options[] = {
    {"output", 'o', "DIR", "folder of the tables [.]"},
    {"time", 0, "S", "duration [the scene's]"},
    {"samples", 0, "N", "times at which states are written [500]"},
    {"tolerance", 0, "T", "error of a step of the integrator, 1e-16 to 1e-3 [3e-15]"},
    {"project", 0, NULL, "start at the nearest pose and speed that satisfy the joints"},
    {"set", 0, "KEY=VALUE", "a key of the scene, as in run"},
    JOINT_TYPE_OPTION,
    IGNORE_OPTION,
    JSON_OPTION,
    {NULL, 0, NULL, NULL}};
const command command_motion = {
    .name = "motion",
    .usage = "SCENE [--time S] [-o DIR]",
    .summary = "the motion of a scene in continuous time, across impacts, friction and limits",
    .details =
        "No time step: an integrator of order 8 between events, which are located to rounding: contacts and limits "
        "that "
        "close\nand open, friction that sticks and slides, motors and drives that saturate. At each event the "
        "complementarity problem\nof the impulses or accelerations is solved by enumeration. Where it has no solution, "
        "or "
        "several that differ in the\nmotion, the motion ends there, with exit status 1: the tables stand up to that "
        "time. The error is estimated by a second\nmotion with 100 times the tolerance.",
    .min_words = 1,
    .max_words = 1,
    .files = 1,
    .options = options,
    .run = run_motion,
};
