/* Many copies of a robot arm, each with targets of its own, in one batch: how far from its target is each joint after
 * half a second, over a hundred random poses? One of the copies is then stepped again alone, and must end in the same
 * state to the last bit.
 *
 *     cc arms.c $(pkg-config --cflags --libs delassus) -o arms && ./arms arm-12.yaml
 */
#include <delassus/delassus.h>
#include <delassus/experiments.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COPIES = 128, STEPS = 250, WITNESS = 77 };
static const double h = 0.002;

/* Uniform in [-range, range]: the low bits of such a generator repeat, so the high ones are taken. */
static double draw(unsigned long long *seed, double range)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return range * ((double)(*seed >> 11) * 0x1p-52 - 1.0);
}

static dls_status read_model(const char *path, dls_model **model, dls_error *error)
{
    dls_scene *scene;
    DLS_TRY(dls_scene_read(path, &scene, error));
    dls_status status = dls_model_create(scene, model, error);
    dls_scene_destroy(scene);
    return status;
}

/* From the rest pose of the scene: drives of all copies aim at `targets`, where the joints then are is in `positions`.
 */
static dls_status move(dls_batch *batch, const double *targets, size_t n_drives, double *positions, size_t n_joints,
                       dls_error *error)
{
    DLS_TRY(dls_batch_write(batch, DLS_BATCH_DRIVE_TARGET, NULL, 0, targets, n_drives, error));
    for (int k = 0; k < STEPS; k++)
        DLS_TRY(dls_batch_step(batch, h, error));
    DLS_TRY(dls_batch_read(batch, DLS_BATCH_JOINT_POSITION, NULL, 0, positions, n_joints, error));
    return DLS_OK;
}

/* One copy alone: drives are joints of the scene, in its order. */
static dls_status move_alone(const dls_model *model, const dls_simulation_options *options, const double *targets,
                             dls_simulation **simulation, dls_error *error)
{
    const dls_joint *joints = dls_model_joints(model);
    DLS_TRY(dls_simulation_open(model, options, simulation, error));
    for (size_t j = 0, k = 0; j < dls_model_count(model).joints; j++)
        if (joints[j].type->driven)
            DLS_TRY(dls_simulation_drive(*simulation, j, (dls_setpoint){.target = targets[k++]}, error));
    for (int k = 0; k < STEPS; k++)
        DLS_TRY(dls_simulation_step(*simulation, h, error));
    return DLS_OK;
}

static void report(const double *targets, const double *positions, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        double sum = 0.0, worst = 0.0;
        for (size_t copy = 0; copy < COPIES; copy++) {
            const double miss = fabs(positions[copy * n + k] - targets[copy * n + k]);
            sum += miss;
            worst = fmax(worst, miss);
        }
        printf("joint %2zu misses its target by %.4f rad on average, %.4f rad at worst\n", k + 1, sum / COPIES, worst);
    }
}

static dls_status compare(const dls_model *model, const dls_batch_options *options, dls_batch *batch,
                          const double *targets, size_t n, bool *same, dls_error *error)
{
    dls_simulation *alone = NULL;
    dls_status status = move_alone(model, &options->simulation, targets + WITNESS * n, &alone, error);
    if (status == DLS_OK) {
        const dls_state *a = dls_batch_state(batch, WITNESS), *b = dls_simulation_state(alone);
        *same = memcmp(a->coordinates, b->coordinates, n * sizeof(double)) == 0 &&
                memcmp(a->v, b->v, a->nv * sizeof(double)) == 0;
    }
    dls_simulation_close(alone);
    return status;
}

static dls_status run(const dls_model *model, bool *same, dls_error *error)
{
    dls_batch *batch = NULL;
    dls_batch_options options = dls_batch_default();
    options.simulation.solver = dls_solver_find("pgs");
    options.simulation.iterations = 10;
    dls_status status = dls_batch_open(model, COPIES, &options, &batch, error);
    if (status != DLS_OK)
        return status;
    const size_t n = dls_batch_numbers(batch, DLS_BATCH_DRIVE_TARGET);
    double *targets = calloc(2 * COPIES * n, sizeof *targets), *positions = targets ? targets + COPIES * n : NULL;
    unsigned long long seed = 42;
    for (size_t k = 0; targets && k < COPIES * n; k++)
        targets[k] = draw(&seed, 1.2);
    if (!targets || n == 0 || n != dls_batch_numbers(batch, DLS_BATCH_JOINT_POSITION))
        status = dls_fail(error, DLS_BAD_INPUT, "this example is for an arm with a drive on each of its joints");
    if (status == DLS_OK)
        status = move(batch, targets, n, positions, n, error);
    if (status == DLS_OK) {
        printf("%d arms for %g s, %zu bytes a copy\n", COPIES, h * STEPS, dls_batch_size(batch));
        report(targets, positions, n);
        status = compare(model, &options, batch, targets, n, same, error);
    }
    free(targets);
    dls_batch_close(batch);
    return status;
}

int main(int argc, char **argv)
{
    dls_error error;
    char text[DLS_PATH_MAX + DLS_MESSAGE_MAX];
    dls_model *model = NULL;
    bool same = false;
    dls_status status = read_model(argc > 1 ? argv[1] : "arm-12.yaml", &model, &error);
    if (status == DLS_OK)
        status = run(model, &same, &error);
    dls_model_destroy(model);
    if (status != DLS_OK) {
        dls_error_format(&error, text, sizeof text);
        fprintf(stderr, "%s\n", text);
        return 1;
    }
    printf("copy %d, stepped alone: %s\n", WITNESS, same ? "the same to the last bit" : "DIFFERENT");
    return same ? 0 : 1;
}
