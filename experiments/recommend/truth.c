/* The truth: the motion in continuous time, else a run with exact solves whose step is halved until two of them agree.
 * The error of a motion is estimated by that with a hundred times the tolerance (experiments/run/motion.c). The error
 * of a refined run of the first order, with the step h, is about its distance from the run with 2 h. */
#include "parts.h"

#include "base/text.h"
#include "study/rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double margin = 0.25; /* a refined run is good enough with this part of the error that is asked for */

/* --- the motion in continuous time --- */

typedef struct visitor {
    const dls_job *job;
    recommend_truth *truth;
    double error, lever; /* lever: the largest radius of gyration, at least 1 [m] */
    size_t seen;         /* samples, the start included */
} visitor;

/* The distance of a motion is the larger one of those in m and in rad: at most this, in sizes, of a point that is the
 * largest radius of gyration away from its centre. */
static bool visit_sample(void *context, const dls_reference_sample *sample)
{
    visitor *v = context;
    recommend_truth *t = v->truth;
    if (!sample->state)
        return false;
    if (v->seen > 0)
        recommend_keep_places(t, sample->at, t->at + (v->seen - 1) * t->count);
    t->own = fmax(t->own, v->lever * sample->position / t->size);
    if (t->own <= v->error)
        t->known_until = t->duration * (double)v->seen / RECOMMEND_TIMES;
    v->seen++;
    dls_job_progress(v->job, "truth", (double)v->seen / (RECOMMEND_TIMES + 1));
    return t->own <= v->error && !dls_job_stops(v->job);
}

/* False, with the reason, where there is none. */
static dls_status follow_motion(const dls_job *job, recommend_truth *t, double error, bool *found, dls_error *why)
{
    const dls_reference_motion motion = {.model = t->model,
                                         .duration = t->duration,
                                         .samples = RECOMMEND_TIMES,
                                         .tolerance = dls_trajectory_default().tolerance};
    visitor v = {.job = job, .truth = t, .error = error, .lever = 1.0};
    for (size_t i = 0; i < t->count; i++)
        v.lever = fmax(v.lever, t->radius[i]);
    dls_reference_motion_result result;
    const dls_status status = dls_reference_motion_follow(&motion, visit_sample, &v, &result, why);
    *found = status == DLS_OK && result.end.status == DLS_OK;
    if (status == DLS_NO_MEMORY)
        return status;
    if (status != DLS_OK)
        snprintf(t->why_refined, sizeof t->why_refined, "%s", why->message);
    else if (!*found)
        dls_print(t->why_refined, sizeof t->why_refined, "the motion ends at %.6g s: %.400s", result.reached,
                  result.end.message);
    return DLS_OK;
}

/* --- refined runs --- */

/* Euler steps, which have one problem each, solved by direct methods until the examiner finds one good enough. *done:
 * whether it came to its end; why_refined tells why it did not. */
static dls_status run_refined(recommend_truth *t, size_t level, recommend_place *places, bool *done, dls_error *error)
{
    dls_certified_record record = {.solves = 0};
    dls_certified settings = {.good_enough = 1e-12, .record = &record};
    recommend_trial trial = {
        .scheme = dls_scheme_find("euler"), .choice = {&dls_solver_certified, &settings, NULL}, .level = level};
    DLS_TRY(recommend_try(t, &trial, places, error));
    *done = trial.fate == RECOMMEND_MISSED;
    t->work += trial.work;
    t->step = trial.step;
    if (!*done)
        dls_fail(error, DLS_REFUSED,
                 "the refined run with steps of %.4g s, the last that was tried, is no truth: %s: "
                 "%.300s",
                 trial.step, recommend_fates[trial.fate], trial.reason);
    return DLS_OK;
}

/* The distance of two runs over all times, and the time up to which it is at most `error`. */
static double compare_runs(recommend_truth *t, const recommend_place *coarse, const recommend_place *fine, double error)
{
    double most = 0.0;
    t->known_until = 0.0;
    for (size_t k = 0; k < RECOMMEND_TIMES; k++) {
        most = fmax(most, recommend_distance(t, coarse + k * t->count, fine + k * t->count));
        if (most <= error)
            t->known_until = t->duration * (double)(k + 1) / RECOMMEND_TIMES;
    }
    return most;
}

/* Halves the step until two runs agree, or the budget is spent. */
static dls_status refine(const dls_job *job, recommend_truth *t, double error, double budget, dls_error *why)
{
    const size_t bytes = RECOMMEND_TIMES * t->count * sizeof *t->at;
    recommend_place *coarse = malloc(bytes);
    bool before = false, done = false;
    dls_status status = coarse ? DLS_OK : dls_fail(why, DLS_NO_MEMORY, "no memory for a refined run");
    t->own = HUGE_VAL, t->known_until = 0.0; /* until two runs came to their end */
    for (size_t level = RECOMMEND_SAMPLED_LEVEL; status == DLS_OK && level <= RECOMMEND_LEVELS; level++) {
        memcpy(coarse, t->at, bytes);
        before = done;
        status = run_refined(t, level, t->at, &done, why);
        if (status == DLS_OK && before && done)
            t->own = compare_runs(t, coarse, t->at, error);
        if (t->own <= margin * error || 2.0 * t->work > budget || dls_job_stops(job))
            break;
    }
    free(coarse);
    return status == DLS_OK && !done ? why->status : status;
}

dls_status recommend_find_truth(const dls_job *job, const dls_model *model, double duration, double error,
                                double budget, recommend_truth *truth, dls_error *error_of_it)
{
    bool found;
    DLS_TRY(recommend_measure(model, duration, truth, error_of_it));
    DLS_TRY(follow_motion(job, truth, error, &found, error_of_it));
    return found ? DLS_OK : refine(job, truth, error, budget, error_of_it);
}
