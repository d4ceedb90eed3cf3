/* The command line: an input is the words of one call, one a line; the program's own main reads them, in a folder that
 * holds a scene, a problem, a robot, and tables of its state and of forces. Whatever takes long or starts other
 * programs (solving, stepping, checking, experiments, the report) is replaced by functions below with --wrap, which
 * answer at once; --iterations K chooses the outcome of a replaced solver.
 *
 * These must hold: an exit status that the help names; for 2, a complaint of one line on standard error and nothing on
 * standard output; no control characters on standard error; and no unfinished file left in the folder. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "command.h"

#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS_MAX = 24, LENGTH_MAX = 300, SOLUTIONS = 2, POSES_MAX = 2, FACETS_MAX = 40 };

int delassus_main(int argc, char **argv); /* cmd/delassus.c */

/* --- what is replaced --- */

static size_t checks; /* of this call */

void __wrap_clean_up_after_signals(void);
int __wrap_fsync(int file);
dls_status __wrap_dls_solve(const dls_solver *solver, const dls_problem *problem, const void *settings, size_t limit,
                            double *lambda, dls_report *report, dls_observer observer, void *context, dls_error *error);
dls_status __wrap_dls_solve_until(const dls_choice *choice, const dls_problem *problem, dls_stop *stop, double *lambda,
                                  dls_report *report, dls_error *error);
dls_status __wrap_dls_decide_outcome(const dls_criteria *criteria, const double *lambda, dls_certificate *certificate,
                                     dls_bounds *bounds, dls_report *report, dls_error *error);
dls_status __wrap_dls_velocities_find(const dls_problem *problem, dls_examiner *examiner, double tolerance,
                                      dls_velocities *found, dls_error *error);
dls_status __real_dls_problem_facets(const dls_problem *problem, size_t k, dls_facets_variant variant,
                                     dls_facets **facets, dls_error *error);
dls_status __wrap_dls_problem_facets(const dls_problem *problem, size_t k, dls_facets_variant variant,
                                     dls_facets **facets, dls_error *error);
dls_status __wrap_dls_compare_each(const dls_problem *problem, const dls_choice *choices, size_t count,
                                   size_t iterations, double enough, dls_compare_told told, void *context,
                                   dls_comparisons *found, dls_error *error);
dls_status __wrap_dls_plot(const dls_job *job, const char *script, const char *table, const char *stem,
                           const char *caption, const char *const *variables, dls_error *error);
dls_status __wrap_dls_run_trajectory(const dls_job *job, const dls_run *run, dls_run_result *result, dls_error *error);
dls_status __wrap_dls_run_copies(const dls_job *job, const dls_run *run, const dls_copies *copies,
                                 dls_copies_result *result, dls_error *error);
dls_status __real_dls_check_problem(const dls_model *model, const dls_state *state, const dls_contacts *contacts,
                                    const dls_problem *problem, uint64_t seed, dls_check_report **report,
                                    dls_error *error);
dls_status __wrap_dls_check_problem(const dls_model *model, const dls_state *state, const dls_contacts *contacts,
                                    const dls_problem *problem, uint64_t seed, dls_check_report **report,
                                    dls_error *error);
dls_status __wrap_dls_experiment_run(const dls_experiment *experiment, const dls_job *job, const void *settings,
                                     dls_error *error);
dls_status __wrap_dls_report_all(const dls_job *job, const dls_report_plan *plan, dls_error *error);
int __wrap_posix_spawnp(pid_t *process, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const words[], char *const environment[]);

void __wrap_clean_up_after_signals(void) {}
int __wrap_fsync(int file) { return file < 0 ? -1 : 0; }

static double *fresh(size_t count)
{
    double *values = calloc(count + 1, sizeof *values);
    fuzz_insist(values != NULL);
    for (size_t i = 0; i < count; i++)
        values[i] = 0.1 * (double)(i + 1);
    return values;
}

dls_status __wrap_dls_solve(const dls_solver *solver, const dls_problem *problem, const void *settings, size_t limit,
                            double *lambda, dls_report *report, dls_observer observer, void *context, dls_error *error)
{
    const size_t n = problem->n;
    const dls_outcome outcome = (dls_outcome)(limit % DLS_OUTCOMES);
    (void)settings;
    dls_report_end(report, outcome, "replaced: %s", solver->name);
    report->iterations = limit;
    if (observer)
        observer(context, lambda, report);
    if (limit == 13) { /* an impulse that is not finite is no answer */
        for (size_t i = 0; i < n; i++)
            lambda[i] = NAN;
    } else if (limit == 17) {
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", n);
    }
    if (outcome == DLS_OUTCOME_NO_SOLUTION)
        report->proof_vector = fresh(n);
    if (outcome == DLS_OUTCOME_SEVERAL || outcome == DLS_OUTCOME_CONTINUUM) {
        report->n_solutions = SOLUTIONS;
        report->solutions = fresh(SOLUTIONS * n);
        report->fractions = strdup("1/3 -2/7");
    }
    return DLS_OK;
}

dls_status __wrap_dls_solve_until(const dls_choice *choice, const dls_problem *problem, dls_stop *stop, double *lambda,
                                  dls_report *report, dls_error *error)
{
    return __wrap_dls_solve(choice->solver, problem, choice->settings, stop->limit, lambda, report, stop->observer,
                            stop->context, error);
}

dls_status __wrap_dls_decide_outcome(const dls_criteria *criteria, const double *lambda, dls_certificate *certificate,
                                     dls_bounds *bounds, dls_report *report, dls_error *error)
{
    (void)criteria, (void)lambda, (void)certificate, (void)error;
    if (report->iterations % 2) {
        bounds->kind = DLS_BOUNDS_ACTIVE_SET;
        bounds->lambda = bounds->w = bounds->velocity = 1e-9;
        bounds->radius_lambda = fresh(2 * criteria->problem->n); /* one piece, as where it is proved */
        bounds->radius_w = bounds->radius_lambda + criteria->problem->n;
    }
    return DLS_OK;
}

dls_status __wrap_dls_velocities_find(const dls_problem *problem, dls_examiner *examiner, double tolerance,
                                      dls_velocities *found, dls_error *error)
{
    (void)examiner, (void)tolerance, (void)error;
    if (problem->n_coupled > 0) {
        found->count = SOLUTIONS;
        found->lambda = fresh(SOLUTIONS * problem->n);
    }
    return DLS_OK;
}

dls_status __wrap_dls_problem_facets(const dls_problem *problem, size_t k, dls_facets_variant variant,
                                     dls_facets **facets, dls_error *error)
{
    return k > FACETS_MAX ? dls_fail(error, DLS_NO_MEMORY, "no memory for %zu facets", k)
                          : __real_dls_problem_facets(problem, k, variant, facets, error);
}

/* The solvers end with one outcome after another, from that of `iterations` on. */
dls_status __wrap_dls_compare_each(const dls_problem *problem, const dls_choice *choices, size_t count,
                                   size_t iterations, double enough, dls_compare_told told, void *context,
                                   dls_comparisons *found, dls_error *error)
{
    (void)enough;
    if (iterations == 13)
        return dls_fail(error, DLS_REFUSED, "replaced: no reference");
    *found = (dls_comparisons){.rows = problem->n, .reference = dls_direct_solvers[0]};
    if (told)
        told(context, found);
    found->of = calloc(count + 1, sizeof *found->of);
    fuzz_insist(found->of != NULL);
    for (size_t k = 0; k < count; k++) {
        dls_comparison *of = &found->of[k];
        *of = (dls_comparison){.solver = choices[k].solver,
                               .outcome = (dls_outcome)((iterations + k) % DLS_OUTCOMES),
                               .message = "replaced",
                               .iterations = iterations,
                               .count = 1,
                               .figures = calloc(1, sizeof *of->figures),
                               .distance = fresh(1),
                               .visits = fresh(1),
                               .no_rate = iterations % 2 ? "replaced" : NULL};
        fuzz_insist(of->figures != NULL);
        found->count++;
        if (told)
            told(context, found);
    }
    return DLS_OK;
}

dls_status __wrap_dls_plot(const dls_job *job, const char *script, const char *table, const char *stem,
                           const char *caption, const char *const *variables, dls_error *error)
{
    (void)job, (void)error;
    fuzz_insist(*script && *table && *stem && *caption && *variables[0]);
    return DLS_OK;
}

dls_status __wrap_dls_run_trajectory(const dls_job *job, const dls_run *run, dls_run_result *result, dls_error *error)
{
    /* A still picture is of no steps; 0 iterations are those of the scene. */
    fuzz_insist(run->step > 0.0 && (run->duration > 0.0 || run->silent) && *job->output);
    *result = (dls_run_result){.steps = run->samples % 7,
                               .steps_unsolved = run->iterations % 2,
                               .examined = run->iterations % 3,
                               .certified = run->iterations % 5,
                               .worst_inconsistent = run->iterations % 11 ? 0.0 : 1e-3,
                               .joints = run->iterations % 7 != 0,
                               .end = (dls_run_end)(run->iterations % 14 == 13 ? run->samples % 4 : 0),
                               .unsolved = {.step = 1, .outcome = DLS_OUTCOME_TIME_LIMIT, .reason = "replaced"},
                               .reason = "replaced"};
    return run->iterations == 17 ? dls_fail(error, DLS_NO_MEMORY, "no memory for a run") : DLS_OK;
}

dls_status __wrap_dls_run_copies(const dls_job *job, const dls_run *run, const dls_copies *copies,
                                 dls_copies_result *result, dls_error *error)
{
    fuzz_insist(run->step > 0.0 && run->duration > 0.0 && copies->count > 0 && copies->spread >= 0.0);
    fuzz_insist(*copies->written || *job->output);
    *result = (dls_copies_result){
        .steps = run->samples % 7, .failed = copies->count % 3 == 2, .joints = copies->seed % 2, .reason = "replaced"};
    return copies->threads == 17 ? dls_fail(error, DLS_NO_MEMORY, "no memory for a batch") : DLS_OK;
}

dls_status __wrap_dls_check_problem(const dls_model *model, const dls_state *state, const dls_contacts *contacts,
                                    const dls_problem *problem, uint64_t seed, dls_check_report **report,
                                    dls_error *error)
{
    return ++checks > POSES_MAX ? dls_fail(error, DLS_NO_MEMORY, "no memory for %zu poses", checks)
                                : __real_dls_check_problem(model, state, contacts, problem, seed, report, error);
}

dls_status __wrap_dls_experiment_run(const dls_experiment *experiment, const dls_job *job, const void *settings,
                                     dls_error *error)
{
    (void)error;
    fuzz_insist(experiment && settings && *job->output);
    return DLS_OK;
}

dls_status __wrap_dls_report_all(const dls_job *job, const dls_report_plan *plan, dls_error *error)
{
    fuzz_insist(plan->jobs > 0);
    return plan->small ? dls_fail_about(error, DLS_NOT_WRITTEN, job->output, NULL, "replaced: cannot write") : DLS_OK;
}

/* No program is there. */
int __wrap_posix_spawnp(pid_t *process, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const words[], char *const environment[])
{
    (void)process, (void)actions, (void)attributes, (void)environment;
    fuzz_insist(file == words[0]);
    return ENOENT;
}

/* --- the folder --- */

static struct input {
    const char *name, *from; /* below the folder of the sources; NULL: `text` */
    const char *text;
    size_t size;
    struct stat written;
} inputs[] = {
    {"pendulum.yaml", "tests/fuzz/corpus/scene/pendulum.yaml", NULL, 0, {0}},
    {"joints.yaml", "tests/fuzz/corpus/scene/joints.yaml", NULL, 0, {0}},
    {"contact.yaml",
     NULL,
     "name: contact\nworld: {friction: cone}\nbodies:\n  - {name: ball, shape: sphere, radius: 1, mass: 2}\n"
     "joints:\n  - {name: touch, type: contact, body1: ball, point: [0, 0, -1], normal: [0, 0, 1], mu: 0.5, "
     "friction_mass: 2}\n",
     0,
     {0}},
    {"matrix.problem", "tests/fuzz/corpus/problem/matrix.problem", NULL, 0, {0}},
    {"lcp", "tests/fuzz/corpus/siconos-lcp/lcp", NULL, 0, {0}},
    {"gripper.urdf", "models/gripper.urdf", NULL, 0, {0}},
    {"state", NULL, "joint\tq\tqd\tqdd\ttau\nroll\t0.5\t-1\t2\t3\nwrist\t0.25\n", 0, {0}},
    {"forces", NULL, "link\tfx\tfy\tfz\ttx\nforearm\t1\t2\t3\t4\n", 0, {0}},
};
enum { INPUTS = sizeof inputs / sizeof inputs[0] };

static void write_input(struct input *in)
{
    FILE *file = fopen(in->name, "w");
    fuzz_insist(file && fwrite(in->text, 1, in->size, file) == in->size && fclose(file) == 0);
    fuzz_insist(stat(in->name, &in->written) == 0);
}

static char folder[] = "/tmp/delassus-fuzz-XXXXXX";

static void remove_folder(void)
{
    for (size_t i = 0; i < INPUTS; i++)
        unlink(inputs[i].name);
    if (chdir("/") == 0)
        rmdir(folder);
}

static void make_folder(void)
{
    fuzz_insist(mkdtemp(folder) && chdir(folder) == 0 && atexit(remove_folder) == 0);
    for (size_t i = 0; i < INPUTS; i++) {
        char path[DLS_PATH_MAX], *text;
        if (inputs[i].from) {
            snprintf(path, sizeof path, "%s/%s", DELASSUS_SOURCEDIR, inputs[i].from);
            fuzz_insist(dls_file_read(path, &text, &inputs[i].size, NULL) == DLS_OK);
            inputs[i].text = text;
        } else {
            inputs[i].size = strlen(inputs[i].text);
        }
        write_input(&inputs[i]);
    }
}

static bool is_input(const char *name)
{
    for (size_t i = 0; i < INPUTS; i++)
        if (strcmp(name, inputs[i].name) == 0)
            return true;
    return false;
}

static bool is_unfinished(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".tmp") == 0;
}

/* Removes what the call wrote into the folder that is open, and insists that it is finished. */
static void sweep(const char *path, bool top)
{
    DIR *dir = opendir(path);
    char below[2 * DLS_PATH_MAX];
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || (top && is_input(entry->d_name)))
            continue;
        fuzz_insist(!is_unfinished(entry->d_name) || strstr(entry->d_name, ".tmp.tmp"));
        snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (entry->d_type == DT_DIR)
            sweep(below, false), rmdir(below);
        else
            unlink(below);
    }
    if (dir)
        closedir(dir);
}

static void restore_folder(void)
{
    sweep(".", true);
    for (size_t i = 0; i < INPUTS; i++) {
        struct stat now;
        if (stat(inputs[i].name, &now) != 0 || now.st_ino != inputs[i].written.st_ino ||
            now.st_size != inputs[i].written.st_size || now.st_mtim.tv_nsec != inputs[i].written.st_mtim.tv_nsec)
            write_input(&inputs[i]);
    }
}

/* --- a call --- */

/* The words of the input. No path leads out of the folder: a / stands behind "out" or becomes a _. */
static int split(const unsigned char *data, size_t size, char *text, char **words)
{
    int count = 0;
    words[count++] = "delassus";
    for (size_t i = 0; i < size && count < WORDS_MAX; i++) {
        char *word = text + i;
        for (; i < size && data[i] != '\n' && data[i] != '\0'; i++)
            text[i] =
                data[i] == '/' && (text + i - word < 3 || strncmp(text + i - 3, "out", 3) != 0) ? '_' : (char)data[i];
        text[i] = '\0';
        if (strlen(word) <= LENGTH_MAX)
            words[count++] = word;
    }
    words[count] = NULL;
    return count;
}

static bool is_plain(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (((unsigned char)text[i] < 32 && text[i] != '\n') || text[i] == 127)
            return false;
    return true;
}

/* The text behind the first line of `complaint`, which must be a complaint. */
static const char *complaint_end(const char *complaint)
{
    const char *end = strchr(complaint, '\n');
    fuzz_insist(end && strncmp(complaint, "delassus: ", 10) == 0 && end - complaint > 10);
    return end + 1;
}

/* Whether a line on standard error says what is done, and is no complaint. */
static bool is_note(const char *line, const char *end)
{
    static const char *const notes[] = {"dynamics has no use for them\n", "; taken from "};
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
        if (memmem(line, (size_t)(end - line), notes[i], strlen(notes[i])))
            return true;
    return false;
}

/* A program whose input is bad says so in one line. Notes may come before it; compare may have finished files before
 * one that is bad, or found that one has no reference, and ci prints the steps that it can examine. */
static void check_refusal(const char *name, size_t written, const char *complaint)
{
    const bool many = strcmp(name, "compare") == 0 || strcmp(name, "ci") == 0;
    for (const char *next; *(next = complaint_end(complaint)); complaint = next)
        fuzz_insist(many || is_note(complaint, next));
    fuzz_insist(written == 0 || many);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static bool ready;
    FILE *const streams[] = {stdout, stderr};
    char *said[2], *words[WORDS_MAX + 2], *text = calloc(size + 1, 1);
    size_t sizes[2];
    if (!ready)
        make_folder(), ready = true;
    fuzz_insist(text != NULL);
    const int count = split(data, size, text, words);
    const char *name = count > 1 ? words[1] : "";
    stdout = open_memstream(&said[0], &sizes[0]);
    stderr = open_memstream(&said[1], &sizes[1]);
    fuzz_insist(stdout && stderr);
    optind = 0; /* glibc's getopt begins again */
    checks = 0;
    const int status = delassus_main(count, words);
    fuzz_insist(fclose(stdout) == 0 && fclose(stderr) == 0);
    stdout = streams[0], stderr = streams[1];
    fuzz_insist(status >= EXIT_DONE && status <= EXIT_NOT_WRITTEN);
    fuzz_insist(is_plain(said[1], sizes[1]));
    if (status == EXIT_BAD_INPUT)
        check_refusal(name, sizes[0], said[1]);
    free(said[0]);
    free(said[1]);
    free(text);
    restore_folder();
    return 0;
}
