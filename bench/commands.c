/* The times around the library that a user waits for: the program's processor time and memory, children included.
 *   start          delassus --version, beside a program that does nothing
 *   run            10 steps of a pyramid of `size` boxes by `run`, beside the same steps by the library, in this process
 *   run-rows       with the rows of every step, as text
 *   run-hdf5       with them as HDF5, beside text
 *   run-memory     the memory of `run` at its largest
 *   run-examined   with the examination of every step
 *   run-examined-memory
 * Each is the least of three. */
#define _DEFAULT_SOURCE /* wait4 */

#include "bench.h"
#include "scenes.h"

#include "delassus/simulation.h"
#include "delassus/solvers.h"
#include "delassus/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 10, RUNS = 3 };

/* The program itself: where it is linked with the shared library, the one of its name is a script, which takes longer
 * to start than the program. */
#define SHARED BENCH_BUILD "/.libs/delassus"
static const char *program(void)
{
    return access(SHARED, X_OK) == 0 ? "LD_LIBRARY_PATH='" BENCH_BUILD "/.libs' exec '" SHARED "'"
                                     : "exec '" BENCH_BUILD "/delassus'";
}

/* The cost of a program that has ended: processor time [s], memory [MiB]. */
typedef struct cost {
    double seconds, memory;
} cost;

/* A shell replaces itself by the command, so that its own time is left out but for its start, which `start` measures
 * beside a command that does nothing. */
static dls_status run_shell(const char *command, cost *of, dls_error *error)
{
    struct rusage used;
    int how = 0;
    const pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || wait4(child, &how, 0, &used) < 0 || !WIFEXITED(how) || WEXITSTATUS(how) != 0)
        return dls_fail(error, DLS_IO, "'%s' failed", command);
    *of = (cost){(double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                     1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec),
                 (double)used.ru_maxrss / 1024.0};
    return DLS_OK;
}

static dls_status measure_command(const char *command, cost *least, dls_error *error)
{
    *least = (cost){HUGE_VAL, HUGE_VAL};
    for (int k = 0; k < RUNS; k++) {
        cost of;
        DLS_TRY(run_shell(command, &of, error));
        least->seconds = fmin(least->seconds, of.seconds), least->memory = fmin(least->memory, of.memory);
    }
    return DLS_OK;
}

/* --- a pyramid --- */

/* The scene of bench_pyramid as a file. */
static dls_status write_pyramid(const char *path, size_t bottom, dls_error *error)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return dls_fail(error, DLS_IO, "cannot write %s", path);
    fprintf(out, "world: {gravity: [0, 0, -9.81], collide: true, mu: 0.6, step: 0.016666666666666666}\nbodies:\n"
                 "  - {name: ground, static: true, shape: plane}\n");
    for (size_t row = 0; row < bottom; row++)
        for (size_t i = 0; i < bottom - row; i++)
            fprintf(out, "  - {name: b%zu.%zu, shape: box, size: [1, 1, 1], mass: 100, position: [%.1f, 0, %.1f]}\n",
                    row, i, (double)i + 0.5 * (double)row, (double)row + 0.5);
    return fclose(out) == 0 ? DLS_OK : dls_fail(error, DLS_IO, "cannot write %s", path);
}

/* Opening a simulation, and its first steps. */
static dls_status measure_library(const dls_model *model, double h, double *seconds, dls_error *error)
{
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_iterative_find("pgs");
    *seconds = HUGE_VAL;
    for (int k = 0; k < RUNS; k++) {
        dls_simulation *simulation;
        const double start = bench_clock();
        DLS_TRY(dls_simulation_open(model, &options, &simulation, error));
        dls_status status = DLS_OK;
        for (int step = 0; step < STEPS && status == DLS_OK; step++)
            status = dls_simulation_step(simulation, h, error);
        *seconds = fmin(*seconds, bench_since(start));
        dls_simulation_close(simulation);
        DLS_TRY(status);
    }
    return DLS_OK;
}

static dls_status measure_runs(bench *b, const char *folder, size_t bottom, dls_error *error)
{
    char path[DLS_PATH_MAX + 16], command[4 * DLS_PATH_MAX];
    bench_scene *scene = NULL;
    double library = NAN;
    cost plain, examined, rows, hdf5;
    snprintf(path, sizeof path, "%s/pyramid.yaml", folder);
    DLS_TRY(write_pyramid(path, bottom, error));
    DLS_TRY(bench_pyramid(bottom, &scene, error));
    const size_t boxes = scene->boxes;
    const dls_status status = measure_library(scene->model, scene->h, &library, error);
    bench_scene_destroy(scene);
    DLS_TRY(status);
    const char *const form = "%s run '%s' --solver pgs --time %.17g -o '%s/run' %s >'%s/out'";
    const double time = STEPS / 60.0;
    snprintf(command, sizeof command, form, program(), path, time, folder, "--examine never", folder);
    DLS_TRY(measure_command(command, &plain, error));
    bench_add(b, "run", boxes, plain.seconds, "s", "library", library);
    bench_add(b, "run-memory", boxes, plain.memory, "MiB", NULL, NAN);
    snprintf(command, sizeof command, form, program(), path, time, folder, "--examine every", folder);
    DLS_TRY(measure_command(command, &examined, error));
    bench_add(b, "run-examined", boxes, examined.seconds, "s", "not-examined", plain.seconds);
    bench_add(b, "run-examined-memory", boxes, examined.memory, "MiB", "not-examined", plain.memory);
    snprintf(command, sizeof command, form, program(), path, time, folder, "--examine never --record rows", folder);
    DLS_TRY(measure_command(command, &rows, error));
    bench_add(b, "run-rows", boxes, rows.seconds, "s", "library", library);
    if (!dls_hdf5_available())
        return DLS_OK;
    snprintf(command, sizeof command, form, program(), path, time, folder,
             "--examine never --record rows --format hdf5", folder);
    DLS_TRY(measure_command(command, &hdf5, error));
    bench_add(b, "run-hdf5", boxes, hdf5.seconds, "s", "text", rows.seconds);
    return DLS_OK;
}

static dls_status measure_start(bench *b, dls_error *error)
{
    char command[4 * DLS_PATH_MAX];
    cost start, nothing;
    snprintf(command, sizeof command, "%s --version >/dev/null", program());
    DLS_TRY(measure_command(command, &start, error));
    DLS_TRY(measure_command("exec true", &nothing, error));
    bench_add(b, "start", 1, 1e3 * start.seconds, "ms", "true", 1e3 * nothing.seconds);
    return DLS_OK;
}

dls_status bench_commands(bench *b, dls_error *error)
{
    char folder[] = "/tmp/delassus-bench.XXXXXX", command[DLS_PATH_MAX];
    cost unused;
    if (!mkdtemp(folder))
        return dls_fail(error, DLS_IO, "cannot make a folder in /tmp");
    dls_status status = measure_start(b, error);
    if (status == DLS_OK)
        status = measure_runs(b, folder, b->quick ? 14 : 100, error);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    run_shell(command, &unused, NULL);
    return status;
}
