/* The report: every experiment, a run of every scene, and one page over their tables and figures, on paper too.
 *
 * Each part runs in a separate process, in a hidden folder within that of the report; when it has ended, its files are
 * moved to the folder of the report, and the page is written again. So an interrupted report contains the finished
 * parts, and the page shows nothing of an earlier report. Files of an interrupted part remain in its hidden folder
 * until the next report.
 */
#include "report.h"
#include "study/rig.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REPORT_ITERATIONS = 50, REPORT_SAMPLES = 200, REPORT_SMALL_STEPS = 10 };

typedef struct work {
    const dls_job *job;
    const dls_report_plan *plan;
    dls_report_part *parts; /* count */
    size_t count, done;
    dls_report_outcome *outcomes; /* of the parts, shared with the processes: `shared` bytes */
    size_t shared;
} work;

/* --- an experiment --- */

static dls_status set_small(const dls_experiment *experiment, void *settings, dls_error *error)
{
    char text[512], *rest = text;
    snprintf(text, sizeof text, "%s", experiment->small);
    for (char *key; (key = strsep(&rest, " "));) {
        char *value = strchr(key, '=');
        *value++ = '\0';
        DLS_TRY(dls_field_set(&experiment->fields, settings, key, value, error));
    }
    return DLS_OK;
}

/* A scene as SVG for the page, and as PDF where figures are. */
static dls_status draw_scene(const dls_job *job, const dls_scene *scene, const char *stem, dls_error *error)
{
    static const dls_figure_format formats[] = {DLS_FIGURE_SVG, DLS_FIGURE_PDF};
    char path[DLS_PATH_MAX];
    for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++)
        if (job->figures & 1u << formats[k]) {
            DLS_TRY(dls_job_path(job, stem, dls_figure_formats[formats[k]], path, error));
            DLS_TRY(dls_picture_scene(scene, path, error));
        }
    return DLS_OK;
}

static dls_status draw_mechanisms(const dls_job *job, const dls_experiment *experiment, dls_error *error)
{
    char names[256], stem[2 * DLS_NAME_MAX], *rest = names;
    snprintf(names, sizeof names, "%s", experiment->mechanisms ? experiment->mechanisms : "");
    for (char *name; (name = strsep(&rest, " "));) {
        dls_scene *scene;
        if (!*name)
            continue;
        snprintf(stem, sizeof stem, "%s.mechanism.%s", experiment->name, name);
        DLS_TRY(experiment->mechanism ? experiment->mechanism(name, &scene, error)
                                      : dls_scene_named(name, &scene, error));
        const dls_status status = draw_scene(job, scene, stem, error);
        dls_scene_destroy(scene);
        DLS_TRY(status);
    }
    return DLS_OK;
}

static dls_status run_experiment(const dls_job *job, const dls_experiment *experiment, bool small, dls_error *error)
{
    dls_settings settings;
    DLS_TRY(dls_settings_create(&experiment->fields, &settings, error));
    dls_status status = small ? set_small(experiment, settings.values, error) : DLS_OK;
    if (status == DLS_OK)
        status = draw_mechanisms(job, experiment, error);
    if (status == DLS_OK)
        status = dls_experiment_run(experiment, job, settings.values, error);
    dls_settings_release(&settings);
    return status;
}

/* --- a run --- */

/* As the part's command would, with every other default. */
static dls_status run_model(const dls_job *job, dls_run *run, dls_report_outcome *outcome, dls_error *error)
{
    dls_settings settings;
    dls_status status = dls_settings_create(&run->scheme->fields, &settings, error);
    run->scheme_settings = settings.values;
    if (status == DLS_OK)
        status = dls_fields_default(&dls_warm_fields, &run->warm, error);
    if (status == DLS_OK)
        status = dls_choice_create(outcome->solver, &run->choice, error);
    if (status == DLS_OK)
        status = dls_run_trajectory(job, run, &outcome->run, error);
    if (status == DLS_OK)
        status = dls_run_check_end(&outcome->run, error);
    dls_choice_release(&run->choice);
    dls_settings_release(&settings);
    return status;
}

static dls_status run_scene(dls_job *job, dls_report_part *part, bool small, dls_error *error)
{
    dls_scene *scene;
    dls_model *model = NULL;
    char command[sizeof part->command + DLS_NAME_MAX + 64];
    DLS_TRY(dls_scene_read(part->file, &scene, error));
    dls_status status = dls_model_create(scene, &model, error);
    if (status == DLS_OK) {
        const dls_solver *solver = dls_usual_solver(model);
        dls_run run = {.model = model,
                       .scene = scene,
                       .stem = part->name,
                       .scheme = dls_scheme_find("euler"),
                       .iterations = REPORT_ITERATIONS,
                       .step = dls_model_world(model)->step,
                       .duration = dls_model_world(model)->duration,
                       .samples = REPORT_SAMPLES,
                       .examine = DLS_EXAMINE_EVERY};
        if (small)
            run.duration = fmin(run.duration, REPORT_SMALL_STEPS * run.step);
        part->outcome->step = run.step;
        snprintf(part->outcome->solver, sizeof part->outcome->solver, "%s", solver->name);
        const int used = snprintf(command, sizeof command, "%s --solver %s", part->command, solver->name);
        if (small)
            snprintf(command + used, sizeof command - (size_t)used, " --time %.17g", run.duration);
        job->command = command;
        status = draw_scene(job, scene, part->name, error);
        if (status == DLS_OK)
            status = run_model(job, &run, part->outcome, error);
    }
    dls_model_destroy(model);
    dls_scene_destroy(scene);
    return status;
}

/* --- which parts there are --- */

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static int is_scene(const struct dirent *entry) { return dls_report_ends_with(entry->d_name, ".yaml"); }
static int is_file(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* Whether `name`, or `group`, is among the names in plan->only. */
static bool wanted(const dls_report_plan *plan, const char *group, const char *name)
{
    const size_t length[2] = {strlen(group), strlen(name)};
    for (const char *at = plan->only; at && *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
        const size_t size = strcspn(at, ",");
        if ((size == length[0] && strncmp(at, group, size) == 0) || (size == length[1] && strncmp(at, name, size) == 0))
            return true;
    }
    return !plan->only;
}

static dls_report_part *add_part(work *w, const char *group, const char *name)
{
    if (!wanted(w->plan, group, name))
        return NULL;
    dls_report_part *part = &w->parts[w->count];
    part->outcome = &w->outcomes[w->count++];
    snprintf(part->name, sizeof part->name, "%s", name);
    snprintf(part->folder, sizeof part->folder, "%s/.%s.part", w->job->output, name);
    return part;
}

/* "delassus experiment NAME --set KEY=VALUE... --data DIR". */
static void name_command(const work *w, const dls_experiment *experiment, char *to)
{
    char text[512], *rest = text;
    snprintf(text, sizeof text, "%s", experiment->small);
    to = stpcpy(stpcpy(to, "delassus experiment "), experiment->name);
    for (char *setting; w->plan->small && (setting = strsep(&rest, " "));)
        to = stpcpy(stpcpy(to, " --set "), setting);
    if (w->job->data)
        dls_shell_word(stpcpy(to, " --data "), w->job->data);
}

static void add_experiments(work *w)
{
    for (size_t i = 0; dls_experiments[i]; i++) {
        dls_report_part *part = add_part(w, "experiments", dls_experiments[i]->name);
        if (!part)
            continue;
        part->experiment = dls_experiments[i];
        name_command(w, dls_experiments[i], part->command);
    }
}

static void add_scene(work *w, const char *file)
{
    char name[DLS_NAME_MAX];
    dls_file_stem(file, name, sizeof name);
    dls_report_part *part = add_part(w, "scenes", name);
    if (!part)
        return;
    snprintf(part->file, sizeof part->file, "%s/scenes/%s", dls_data_folder(), file);
    snprintf(part->command, sizeof part->command, "delassus run scenes/%s --iterations %d --samples %d --examine every",
             file, REPORT_ITERATIONS, REPORT_SAMPLES);
}

/* The parts of the plan, and the memory that their processes write to. */
static dls_status add_parts(work *w, dls_error *error)
{
    char folder[2 * DLS_PATH_MAX];
    struct dirent **entries;
    snprintf(folder, sizeof folder, "%s/scenes", dls_data_folder());
    const int scenes = scandir(folder, &entries, is_scene, by_name);
    if (scenes < 0)
        return dls_fail(error, DLS_IO, "cannot read the scenes in %s: %s; set DELASSUS_DATADIR", folder,
                        strerror(errno));
    size_t room = (size_t)scenes;
    while (dls_experiments[room - (size_t)scenes])
        room++;
    w->parts = calloc(room + 1, sizeof *w->parts);
    w->shared = (room + 1) * sizeof *w->outcomes;
    w->outcomes = mmap(NULL, w->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const bool fine = w->parts && w->outcomes != MAP_FAILED;
    if (fine)
        add_experiments(w);
    for (int i = 0; i < scenes; i++) {
        if (fine)
            add_scene(w, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return fine ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for a report");
}

/* Each name of plan->only leads to a part. */
static dls_status check_names(const work *w, dls_error *error)
{
    char name[DLS_NAME_MAX];
    for (const char *at = w->plan->only; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        bool found = false;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        for (size_t k = 0; k < w->count; k++)
            found = found || strcmp(name, w->parts[k].name) == 0 ||
                    strcmp(name, w->parts[k].experiment ? "experiments" : "scenes") == 0;
        if (!found)
            return dls_fail(error, DLS_BAD_INPUT,
                            "'%s' is no experiment and no scene; name one of 'delassus list experiments' or a file in "
                            "scenes/ without its suffix, or 'experiments' or 'scenes' for all of them",
                            name);
    }
    return DLS_OK;
}

/* --- processes --- */

/* Removes the files that an interrupted report left in the folder of a part. */
static void clear_folder(const char *folder)
{
    char path[3 * DLS_PATH_MAX];
    struct dirent **entries;
    int count = scandir(folder, &entries, is_file, by_name);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        unlink(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    rmdir(folder);
}

/* A process whose parent is gone ends like one that is told to. */
static void end_alone(void *parent, const char *what, double share)
{
    (void)what, (void)share;
    if (getppid() != *(const pid_t *)parent)
        raise(SIGTERM);
}

static int work_on(const work *w, dls_report_part *part, pid_t parent)
{
    dls_error error = {.message = ""};
    dls_job job = *w->job;
    job.output = part->folder;
    job.command = part->command;
    job.progress = end_alone;
    job.context = &parent;
    clear_folder(part->folder);
    part->outcome->status = part->experiment ? run_experiment(&job, part->experiment, w->plan->small, &error)
                                             : run_scene(&job, part, w->plan->small, &error);
    if (part->outcome->status != DLS_OK)
        dls_error_format(&error, part->outcome->message, sizeof part->outcome->message);
    return 0;
}

static dls_status start_part(work *w, dls_report_part *part, dls_error *error)
{
    part->started = true;
    part->outcome->status = DLS_IO; /* until the process tells */
    snprintf(part->outcome->message, sizeof part->outcome->message, "the process ended of itself");
    const pid_t parent = getpid();
    fflush(NULL);
    part->process = fork();
    if (part->process == 0)
        _exit(work_on(w, part, parent));
    return part->process > 0 ? DLS_OK
                             : dls_fail(error, DLS_NO_MEMORY, "no process can be started: %s", strerror(errno));
}

/* The files of a part that has ended move into the report's folder. */
static dls_status take_files(const work *w, dls_report_part *part, dls_error *error)
{
    char from[3 * DLS_PATH_MAX], to[2 * DLS_PATH_MAX];
    struct dirent **entries;
    dls_status status = DLS_OK;
    int count = scandir(part->folder, &entries, is_file, by_name);
    if (count < 0) /* it failed before it made one */
        return DLS_OK;
    part->files = calloc((size_t)count + 1, sizeof *part->files);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        snprintf(from, sizeof from, "%s/%s", part->folder, name);
        snprintf(to, sizeof to, "%s/%s", w->job->output, name);
        if (status == DLS_OK && (!part->files || !(part->files[i] = strdup(name))))
            status = dls_fail(error, DLS_NO_MEMORY, "no memory for the names of files");
        else if (status == DLS_OK && rename(from, to) != 0)
            status = dls_fail_about(error, DLS_NOT_WRITTEN, to, NULL, "cannot be written: %s", strerror(errno));
        part->n_files += status == DLS_OK;
        free(entries[i]);
    }
    free(entries);
    rmdir(part->folder);
    return status;
}

static dls_status end_part(work *w, dls_report_part *part, int how, dls_error *error)
{
    part->process = 0;
    part->done = true;
    w->done++;
    if (WIFSIGNALED(how)) {
        part->outcome->status = DLS_IO;
        snprintf(part->outcome->message, sizeof part->outcome->message, "the process was ended by signal %d",
                 WTERMSIG(how));
    }
    DLS_TRY(take_files(w, part, error));
    DLS_TRY(dls_report_section(w->job, part, error));
    return dls_report_page(w->job, w->parts, w->count, error);
}

/* Starts parts until so many run, and takes leave of those that have ended. How many run. */
static size_t look_after(work *w, dls_status *status, dls_error *error)
{
    size_t running = 0;
    for (size_t k = 0; k < w->count; k++) {
        dls_report_part *part = &w->parts[k];
        int how;
        if (part->process > 0 && waitpid(part->process, &how, WNOHANG) == part->process) {
            const dls_status ended = end_part(w, part, how, *status == DLS_OK ? error : NULL);
            *status = *status == DLS_OK ? ended : *status;
        }
        running += part->process > 0;
    }
    for (size_t k = 0; k < w->count && *status == DLS_OK && running < w->plan->jobs; k++)
        if (!w->parts[k].started) {
            *status = start_part(w, &w->parts[k], error);
            running += *status == DLS_OK;
        }
    return running;
}

static dls_status run_parts(work *w, dls_error *error)
{
    static const struct timespec pause = {.tv_nsec = 20000000};
    dls_status status = DLS_OK;
    char text[256];
    while (look_after(w, &status, error) > 0) {
        size_t used = (size_t)snprintf(text, sizeof text, "%zu of %zu done; running:", w->done, w->count);
        for (size_t k = 0; k < w->count && used < sizeof text; k++)
            if (w->parts[k].process > 0)
                used += (size_t)snprintf(text + used, sizeof text - used, " %s", w->parts[k].name);
        dls_job_progress(w->job, text, (double)w->done / (double)w->count);
        nanosleep(&pause, NULL);
    }
    return status;
}

/* --- all of it --- */

static dls_status write_runs(const work *w, dls_error *error)
{
    dls_table *runs;
    bool any = false;
    for (size_t k = 0; k < w->count; k++)
        any = any || !w->parts[k].experiment;
    if (!any)
        return DLS_OK;
    DLS_TRY(dls_job_table(w->job, "runs.summary", &runs, error));
    dls_table_columns(
        runs,
        "file\tsolver\titerations\tstep[s]\tsteps\tenergy_start[J]\tenergy_end[J]\tjoint_error[m]\tjoint_error[rad]"
        "\tscaled_residual");
    for (size_t k = 0; k < w->count; k++) {
        const dls_report_outcome *o = w->parts[k].outcome;
        if (!w->parts[k].experiment && o->status == DLS_OK && o->run.steps > 0)
            dls_table_row(runs, "%s %s %zu %g %zu %g %g %g %g %g", w->parts[k].name, o->solver,
                          (size_t)REPORT_ITERATIONS, o->step, o->run.steps, o->run.energy_start, o->run.energy_end,
                          o->run.worst_linear, o->run.worst_angular, o->run.worst_residual);
    }
    return dls_tables_end(&runs, 1, DLS_OK, error);
}

static dls_status report(work *w, dls_error *error)
{
    DLS_TRY(add_parts(w, error));
    DLS_TRY(check_names(w, error));
    DLS_TRY(dls_report_page(w->job, w->parts, w->count, error)); /* the folder can be written */
    DLS_TRY(run_parts(w, error));
    DLS_TRY(write_runs(w, error));
    DLS_TRY(dls_report_page(w->job, w->parts, w->count, error));
    if (w->plan->pdf) {
        DLS_TRY(dls_report_tex(w->job, w->parts, w->count, error));
        DLS_TRY(dls_report_print(w->job, error));
    }
    for (size_t k = 0; k < w->count; k++)
        if (w->parts[k].outcome->status != DLS_OK)
            return dls_fail(error, w->parts[k].outcome->status, "%s: %s", w->parts[k].name,
                            w->parts[k].outcome->message);
    return DLS_OK;
}

dls_status dls_report_all(const dls_job *job, const dls_report_plan *plan, dls_error *error)
{
    dls_job own = *job;
    work w = {.job = &own, .plan = plan, .outcomes = MAP_FAILED};
    own.figures = (job->figures ? job->figures : DLS_FIGURES_DEFAULT) | 1u << DLS_FIGURE_SVG;
    if (plan->pdf)
        own.figures |= 1u << DLS_FIGURE_PDF;
    const dls_status status = report(&w, error);
    for (size_t k = 0; k < w.count; k++) {
        for (size_t i = 0; i < w.parts[k].n_files; i++)
            free(w.parts[k].files[i]);
        free(w.parts[k].files);
        free(w.parts[k].section);
    }
    free(w.parts);
    if (w.outcomes != MAP_FAILED)
        munmap(w.outcomes, w.shared);
    return status;
}
