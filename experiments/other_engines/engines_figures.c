/* Figures on engines, and captions with their numbers.
 */
#include "other_engines/parts.h"

#include <math.h>
#include <string.h>

/* "NAME VALUE, ..." of the runners that ran. */
static void say_each(dls_figure *figure, const dls_engines_findings *f, size_t scene, size_t member)
{
    const char *between = "";
    for (size_t k = 0; k < f->n_runners; k++) {
        const dls_engines_finding *found = &f->of[scene * f->n_runners + k];
        double value;
        memcpy(&value, (const char *)found + member, sizeof value);
        if (!found->ran || isnan(value))
            continue;
        dls_figure_say(figure, "%s%s %.2g", between, f->runners[k].name, value);
        between = ", ";
    }
}

static void set_runners(dls_figure *figure, const dls_engines_findings *f)
{
    char names[2048] = "";
    for (size_t k = 0; k < f->n_runners; k++)
        dls_words_add(names, sizeof names, f->runners[k].name);
    dls_figure_set(figure, "runners", "%s", names);
}

static const char *say_panels(const dls_engines_findings *f)
{
    bool others = false;
    for (size_t k = 0; k < f->n_runners; k++)
        others = others || f->runners[k].engine;
    return others ? "Left engines of other projects, right delassus." : "Of delassus alone.";
}

static dls_status draw_scene(dls_study *study, size_t s, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    const dls_engines_findings *f = study->found;
    const char *scene = f->names[s];
    double error_of_joints = 0.0, depth = 0.0;
    dls_figure figure;
    for (size_t k = 0; k < f->n_runners; k++) {
        error_of_joints = fmax(error_of_joints, f->of[s * f->n_runners + k].error);
        depth = fmax(depth, f->of[s * f->n_runners + k].depth);
    }
    const bool joints = error_of_joints > 0.0 || !(depth > 0.0);
    dls_figure_begin(&figure, study, "engines", DLS_ENGINES_HISTORY, scene);
    dls_figure_set(&figure, "scene", "%s", scene);
    dls_figure_set(&figure, "what", "%s", joints ? "error[m]" : "depth[m]");
    dls_figure_set(&figure, "title", "%s", joints ? "joint error [m]" : "depth of contacts [m]");
    set_runners(&figure, f);
    dls_figure_say(
        &figure,
        "The scene %s in steps of %g s: above the largest %s, below the largest change of energy. %s A dashed line is "
        "the second method of a library; ours, with %zu iterations or substeps where something sweeps, are dotted from "
        "a warm start. All are measured by our code from the states alone; an arrow: below the frame, which ends at "
        "1e-12 m and 1e-8 J at the latest. Differences between the models are in engines.notes.tsv. Largest %s in "
        "%g s [m]: ",
        scene, set->step, joints ? "joint error" : "depth of a contact", say_panels(f), set->iterations,
        joints ? "joint error" : "depth", set->duration);
    say_each(&figure, f, s, joints ? offsetof(dls_engines_finding, error) : offsetof(dls_engines_finding, depth));
    dls_figure_say(&figure, ". Largest change of energy [J]: ");
    say_each(&figure, f, s, offsetof(dls_engines_finding, energy));
    return dls_figure_draw(&figure, error, ".");
}

/* The way of a body beside the motion in closed form, where a runner has one. */
static dls_status draw_path(dls_study *study, size_t s, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    const dls_engines_findings *f = study->found;
    const char *scene = f->names[s];
    dls_figure figure;
    dls_figure_begin(&figure, study, "engines-path", DLS_ENGINES_PATHS, scene);
    dls_figure_set(&figure, "scene", "%s", scene);
    set_runners(&figure, f);
    dls_figure_say(&figure,
                   "The scene %s in steps of %g s, beside the motion in closed form. %s Above the distance of the body "
                   "from its start, with the closed form (circles; with given "
                   "contacts ours has fixed friction bounds, and a closed form of its own), below the distance from "
                   "that motion, which a step of first order leaves in the size of the step. Largest distance in %g s "
                   "[m]: ",
                   scene, set->step, say_panels(f), set->duration);
    say_each(&figure, f, s, offsetof(dls_engines_finding, distance));
    return dls_figure_draw(&figure, error, ".");
}

/* The distances of articulations from their motion over the step. */
static dls_status draw_articulation(dls_study *study, const char *path, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    char names[2048] = "", scene[DLS_NAME_MAX];
    dls_figure figure;
    dls_engines_scene_name(path, scene);
    for (size_t k = 0; k < dls_engines_folded_count(study); k++)
        dls_words_add(names, sizeof names, dls_engines_folded(study, k).name);
    dls_figure_begin(&figure, study, "engines-articulations", DLS_ENGINES_ARTICULATIONS, scene);
    dls_figure_set(&figure, "scene", "%s", scene);
    dls_figure_set(&figure, "runners", "%s", names);
    dls_figure_say(&figure,
                   "The articulation of the scene %s, whose links are bodies for engines of other projects (left) and "
                   "for ours-exact "
                   "(right), and coordinates for ours-reduced: the largest distance of a centre of mass from the "
                   "motion in continuous "
                   "time within %g s, over the steps per second. Dotted: in proportion to the step, the first order. "
                   "Those that are "
                   "not drawn were refused, with the reason in engines.articulations.tsv",
                   scene, set->articulated_duration);
    return dls_figure_draw(&figure, error, ".");
}

dls_status dls_engines_figures(dls_study *study, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    const dls_engines_findings *f = study->found;
    for (size_t s = 0; s < set->scenes.count; s++) {
        bool ran = false, has_law = false;
        for (size_t k = 0; k < f->n_runners; k++) {
            ran = ran || f->of[s * f->n_runners + k].ran;
            has_law = has_law || f->of[s * f->n_runners + k].has_law;
        }
        if (ran)
            DLS_TRY(draw_scene(study, s, error));
        if (has_law)
            DLS_TRY(draw_path(study, s, error));
    }
    for (size_t s = 0; s < set->articulated.count; s++)
        DLS_TRY(draw_articulation(study, set->articulated.names[s], error));
    return DLS_OK;
}
