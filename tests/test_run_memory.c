/* Every allocation of a run fails once: of one with a ledger, certificates, forces, sensors, a joint that breaks, and
 * changes of the scene; of copies; of a comparison with its tables; and of a recommendation. The status says so,
 * nothing leaks, and no unfinished file stays. */
#include "check.h"
#include "failing_memory.h"

#include "delassus/recommend.h"
#include "delassus/reference.h"
#include "delassus/solvers.h"
#include "study/rig.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

static const char text[] =
    "name: short\n"
    "world: {step: 1 ms, sleep: true}\n"
    "bodies:\n"
    "  - {name: bob, shape: sphere, radius: 0.1, mass: 2.5, position: [1, 0, 0]}\n"
    "  - {name: load, shape: box, size: [0.1, 0.2, 0.3], mass: 1.1, position: [1.5, 0, 0]}\n"
    "joints:\n"
    "  - {name: pivot, type: ball, body1: bob, anchor: [0, 0, 0]}\n"
    "  - {name: rope, type: distance, body1: bob, body2: load, anchor1: [1, 0, 0], anchor2: [1.5, 0, 0]}\n"
    "  - {name: wire, type: ball, body1: load, anchor: [2, 0, 0], break_force: 1}\n"
    "  - {name: foot, type: contact, body1: load, point: [1.5, 0, -0.15], normal: [0, 0, 1], mu: 0.5}\n"
    "  - {name: motor, type: drive, coordinates: {arm.elbow: 1}, stiffness: 300, damping: 30, target: 0.4}\n"
    "articulations:\n"
    "  - name: arm\n"
    "    links:\n"
    "      - {name: post, static: true, position: [3, 0, 1]}\n"
    "      - {name: fore, parent: post, joint: elbow, motion: revolute, axis: [0, 1, 0.3], anchor: [3, 0, 1.8],\n"
    "         shape: capsule, radius: 0.04, length: 0.4, mass: 0.8, position: [3, 0, 2.05]}\n"
    "sensors:\n"
    "  - {name: gauge, link: arm.fore}\n";
static const char changes[] = "changes:\n"
                              "  - time: 0.002\n"
                              "    remove: {joints: [rope]}\n"
                              "    bodies:\n"
                              "      - {name: ball, shape: sphere, radius: 0.1, mass: 0.5, position: [5, 0, 0]}\n";

typedef struct fixture {
    char folder[32];
    dls_job job;
    dls_scene *scene;
    dls_model *model;
    dls_settings settings;
    dls_run run;
} fixture;

static void open_fixture(fixture *f, bool changing)
{
    dls_error error;
    strcpy(f->folder, "/tmp/test-memory-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    f->job = (dls_job){.output = f->folder, .command = "test"};
    assert_status(dls_scene_text(&f->scene, &error, "%s%s", text, changing ? changes : ""), &error);
    f->scene->world.sleep = changing;
    assert_status(dls_model_create(f->scene, &f->model, &error), &error);
    f->run = (dls_run){.model = f->model,
                       .scene = f->scene,
                       .stem = "short",
                       .scheme = dls_scheme_find("euler"),
                       .iterations = 5,
                       .step = 1e-3,
                       .duration = 4e-3,
                       .examine = DLS_EXAMINE_EVERY,
                       .certify = changing,
                       .ledger = changing};
    assert_status(dls_fields_default(&dls_warm_fields, &f->run.warm, &error), &error);
    assert_status(dls_choice_create("block-pivoting", &f->run.choice, &error), &error);
    assert_status(dls_settings_create(&f->run.scheme->fields, &f->settings, &error), &error);
    f->run.scheme_settings = f->settings.values;
}

/* Files of the fixture's folder whose names end in `suffix`, which are removed. */
static size_t sweep_folder(const fixture *f, const char *suffix)
{
    size_t count = 0;
    char path[DLS_PATH_MAX];
    DIR *dir = opendir(f->folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        const size_t length = strlen(entry->d_name), ends = strlen(suffix);
        if (entry->d_name[0] == '.' || length < ends || strcmp(entry->d_name + length - ends, suffix) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", f->folder, entry->d_name);
        unlink(path);
        count++;
    }
    closedir(dir);
    return count;
}

static void close_fixture(fixture *f)
{
    sweep_folder(f, "");
    assert_int_equal(rmdir(f->folder), 0);
    dls_settings_release(&f->settings);
    dls_choice_release(&f->run.choice);
    dls_model_destroy(f->model);
    dls_scene_destroy(f->scene);
}

static dls_status try_run(fixture *f, dls_error *error)
{
    dls_run_result result;
    return dls_run_trajectory(&f->job, &f->run, &result, error);
}

static dls_status try_copies(fixture *f, dls_error *error)
{
    const dls_copies copies = {.count = 3, .spread = 0.05, .seed = 7, .threads = 1, .written = "all"};
    dls_copies_result result;
    const dls_status status = dls_run_copies(&f->job, &f->run, &copies, &result, error);
    return status == DLS_OK && result.failed > 0 ? DLS_NO_MEMORY : status; /* that copy alone ends */
}

static dls_status try_comparison(fixture *f, dls_error *error)
{
    dls_comparisons found;
    dls_problem *problem;
    dls_choice *choices = NULL;
    size_t count = 0;
    dls_status status = dls_choices_add("pgs", &choices, &count, error);
    if (status == DLS_OK)
        status = dls_choices_add("sor", &choices, &count, error);
    if (status == DLS_OK)
        status = dls_first_problem(f->model, 0.0, &problem, error);
    if (status == DLS_OK) {
        status = dls_compare(problem, choices, count, 12, 0.0, &found, error);
        dls_problem_destroy(problem);
        if (status == DLS_OK) {
            status = dls_comparisons_save(&f->job, "short", choices, count, &found, false, error);
            dls_comparisons_release(&found);
        }
    }
    dls_choices_release(choices, count);
    return status;
}

/* A recommendation for a pendulum, which has a motion in continuous time: two runs, the coarser of which is
 * recommended. */
static dls_status try_recommendation(fixture *f, dls_error *error)
{
    static const char pendulum[] = "bodies: [{name: bob, shape: sphere, radius: 0.1, mass: 2.5, position: [1, 0, 0]}]\n"
                                   "joints: [{name: pivot, type: ball, body1: bob, anchor: [0, 0, 0]}]\n";
    dls_recommendation found = {.runs = 0};
    dls_recommend wanted = {.scene = "pendulum.yaml",
                            .options = "",
                            .stem = "short",
                            .error = 1.0,
                            .duration = 0.1,
                            .seconds = 1.0,
                            .schemes = &f->run.scheme,
                            .n_schemes = 1,
                            .choices = &f->run.choice,
                            .n_choices = 1};
    dls_scene *scene = NULL;
    dls_model *model = NULL;
    dls_status status = dls_scene_text(&scene, error, "%s", pendulum);
    if (status == DLS_OK)
        status = dls_model_create(scene, &model, error);
    wanted.model = model;
    if (status == DLS_OK)
        status = dls_recommend_run(&f->job, &wanted, &found, error);
    dls_model_destroy(model);
    dls_scene_destroy(scene);
    return status == DLS_OK && found.status != DLS_RECOMMENDED ? DLS_NO_MEMORY : status;
}

/* A figure without gnuplot is unavailable; its tables come first. Where that is `optional`, a proof, or a repetition
 * that is made to measure its time, for which there is no memory is left out, and the run goes on. */
static void try_all(bool changing, dls_status (*try)(fixture *f, dls_error *error), bool optional)
{
    fixture f;
    dls_error error;
    size_t went_on = 0;
    open_fixture(&f, changing);
    const dls_status well = try(&f, &error); /* once for what libraries keep */
    assert_true(well == DLS_OK || well == DLS_UNAVAILABLE);
    const long first = live;
    allocations = 0;
    assert_int_equal(try(&f, &error), well);
    const long unseen = live - first; /* what realpath allocates is not counted, but what is freed of it is */
    const size_t needed = allocations;
    assert_true(unseen <= 0);
    assert_true(needed > 0);
    for (size_t k = 1; k <= needed; k++) {
        const long before = live;
        allocations = 0, fail_at = k;
        const dls_status status = try(&f, &error);
        fail_at = 0;
        went_on += status == well;
        if ((status != well && status != DLS_NO_MEMORY) || (live != before && live != before + unseen))
            fail_msg("allocation %zu of %zu: %s, %ld leaked", k, needed, dls_status_text(status), live - before);
        assert_int_equal(sweep_folder(&f, ".tmp"), 0);
    }
    print_message("# %zu allocations, %zu of which the run can do without\n", needed, went_on);
    assert_true(optional ? went_on < needed : went_on == 0);
    close_fixture(&f);
}

TEST(test_runs) { try_all(true, try_run, false); }

TEST(test_copies) { try_all(false, try_copies, false); }

TEST(test_comparisons) { try_all(false, try_comparison, true); }

TEST(test_recommendations) { try_all(false, try_recommendation, false); }

static int hide_gnuplot(void **unused)
{
    (void)unused;
    return setenv("PATH", "/nowhere", 1);
}
TESTS_WITH(hide_gnuplot, NULL)
