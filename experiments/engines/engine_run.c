/* Engines by name, and their runs, each in a separate process that writes its states to a pipe.
 */
#include "engines/engine_run.h"
#include "base/arithmetic.h"
#include "base/text.h"
#include "host/child.h"
#include "study/study.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name, *library, *package;
} objects[] = {
#define ENGINE_OBJECT(name, library, package) {#name, library, package},
#define ENGINE(name, object, summary)
#include "engines/engines.def"
#undef ENGINE
#undef ENGINE_OBJECT
};

static const struct {
    const char *name, *object, *summary;
} engines[] = {
#define ENGINE_OBJECT(name, library, package)
#define ENGINE(name, object, summary) {name, #object, summary},
#include "engines/engines.def"
#undef ENGINE
#undef ENGINE_OBJECT
};
enum { ENGINES = sizeof engines / sizeof engines[0], OBJECTS = sizeof objects / sizeof objects[0] };

static bool path_of(size_t index, char *path)
{
    int length = snprintf(path, DLS_PATH_MAX, "%s/%s.so", dls_engine_folder(), engines[index].object);
    return length < DLS_PATH_MAX && access(path, R_OK) == 0;
}

bool dls_engine_at(size_t index, dls_engine_entry *engine)
{
    char path[DLS_PATH_MAX];
    size_t k = 0;
    if (index >= ENGINES)
        return false;
    while (k + 1 < OBJECTS && strcmp(objects[k].name, engines[index].object) != 0)
        k++;
    *engine = (dls_engine_entry){engines[index].name, engines[index].summary, objects[k].library, objects[k].package,
                                 path_of(index, path)};
    return true;
}

/* --- loading --- */

static dls_status load_engine(const char *path, const char *name, dls_engine_choice *choice, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    choice->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!choice->object)
        return dls_fail_about(error, DLS_IO, path, NULL, "cannot be loaded: %s", dlerror());
    const dls_engines *of = dlsym(choice->object, "dls_engines_here");
    if (!of || of->stamp != DLS_ENGINE_STAMP)
        return dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "has no engines of this delassus");
    for (size_t k = 0; k < of->count; k++)
        if (strcmp(of->of[k]->name, name) == 0)
            choice->engine = of->of[k];
    if (!choice->engine)
        return dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "has no engine '%s'", name);
    choice->engine->version(choice->version, sizeof choice->version);
    return DLS_OK;
}

dls_status dls_engine_choose(const char *name, dls_engine_choice *choice, dls_error *error)
{
    size_t index = 0;
    char path[DLS_PATH_MAX];
    dls_engine_entry of;
    *choice = (dls_engine_choice){.engine = NULL};
    while (index < ENGINES && strcmp(engines[index].name, name) != 0)
        index++;
    if (!dls_engine_at(index, &of))
        return dls_fail(error, DLS_BAD_ARGUMENT, "there is no engine '%s'; see delassus list engines", name);
    if (!path_of(index, path))
        return dls_fail(error, DLS_UNAVAILABLE,
                        "the engine '%s' was not built: it needs %s (%s) and a shared library of delassus; there is no "
                        "%s.so in %s",
                        name, of.library, of.package, engines[index].object, dls_engine_folder());
    dls_status status = load_engine(path, name, choice, error);
    if (status != DLS_OK)
        dls_engine_release(choice);
    return status;
}

void dls_engine_release(dls_engine_choice *choice)
{
    if (choice->object)
        dlclose(choice->object);
    *choice = (dls_engine_choice){.engine = NULL};
}

/* --- the child's side --- */

static bool write_all(int to, const void *data, size_t size)
{
    for (const char *at = data; size > 0;) {
        const ssize_t written = write(to, at, size);
        if (written < 0 && errno != EINTR)
            return false;
        at += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* Whether the world begins with the velocities of the mechanism, which coordinates of joints cannot have if bodies tear
 * at one. */
static bool has_speeds(const dls_engine_mechanism *m, const dls_engine_state *states, char *why, size_t size)
{
    double off = 0.0, most = 0.0;
    for (size_t i = 0; i < m->n_bodies; i++) {
        const dls_engine_body *b = &m->bodies[i];
        if (!b->moves)
            continue;
        off = fmax(off, fmax(dls_norm(dls_sub(states[i].v, b->v)), dls_norm(dls_sub(states[i].omega, b->omega))));
        most = fmax(most, fmax(dls_norm(b->v), dls_norm(b->omega)));
    }
    if (off > 1e-6 * most)
        snprintf(why, size, "the velocities of the start are off the joints by %g; its coordinates cannot have them",
                 off);
    return !(off > 1e-6 * most);
}

/* First why it cannot, of DLS_MESSAGE_MAX bytes and "" where it can; then for each step its seconds and its states. */
static void serve_run(int to, const dls_engine *engine, const dls_engine_mechanism *m, size_t steps)
{
    char why[DLS_MESSAGE_MAX] = "";
    dls_engine_state *states = calloc(m->n_bodies + 1, sizeof *states);
    void *world = states ? engine->open(m, why, sizeof why) : NULL;
    if (!world && !why[0])
        snprintf(why, sizeof why, "it could not be opened");
    if (world)
        engine->read(world, states);
    bool goes = world && has_speeds(m, states, why, sizeof why);
    goes = write_all(to, why, sizeof why) && goes;
    for (size_t k = 0; goes && k < steps; k++) {
        const double start = dls_seconds();
        engine->step(world);
        const double seconds = dls_seconds() - start;
        engine->read(world, states);
        goes = write_all(to, &seconds, sizeof seconds) && write_all(to, states, m->n_bodies * sizeof *states);
    }
    if (world)
        engine->close(world);
    free(states);
}

/* --- our side --- */

static dls_status start_engine(dls_child *child, const dls_engine *engine, const dls_engine_mechanism *m, size_t steps,
                               dls_error *error)
{
    if (!dls_child_pipes(child)) {
        dls_child_close(child);
        return dls_fail(error, DLS_IO, "no process for the engine '%s': %s", engine->name, dls_system_text(errno));
    }
    fflush(NULL); /* else an exit() of the engine writes once more the buffers of our streams */
    child->process = fork();
    if (child->process == 0) {
        setpgid(0, 0);
        dls_child_signals();
        dup2(child->errors[1], 2);
        dup2(child->errors[1], 1); /* standard output is ours */
        serve_run(child->output[1], engine, m, steps);
        _exit(0);
    }
    if (child->process < 0) {
        dls_child_close(child);
        return dls_fail(error, DLS_IO, "no process for the engine '%s': %s", engine->name, dls_system_text(errno));
    }
    setpgid(child->process, child->process);
    return DLS_OK;
}

static bool is_finite(const dls_engine_state *s, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!dls_finite3(s[i].x) || !dls_finite3(s[i].v) || !dls_finite3(s[i].omega) || !isfinite(s[i].q.w) ||
            !dls_finite3(dls_v3(s[i].q.x, s[i].q.y, s[i].q.z)))
            return false;
    return true;
}

/* Reads whole steps of the output, as long as they are finite. */
static void unpack(const dls_text *said, size_t steps, dls_engine_record *record)
{
    const size_t bytes = record->n_bodies * sizeof *record->states, each = sizeof record->seconds + bytes;
    const char *at = said->at + DLS_MESSAGE_MAX;
    for (size_t left = said->size - DLS_MESSAGE_MAX; record->steps < steps && left >= each; left -= each, at += each) {
        dls_engine_state *to = record->states + record->steps * record->n_bodies;
        double seconds;
        memcpy(&seconds, at, sizeof seconds);
        memcpy(to, at + sizeof seconds, bytes);
        if (!is_finite(to, record->n_bodies)) {
            snprintf(record->why, sizeof record->why, "diverged: the state after step %zu is not finite",
                     record->steps + 1);
            return;
        }
        record->seconds += seconds;
        record->steps++;
    }
}

dls_status dls_engine_run(const dls_engine *engine, const dls_engine_mechanism *m, size_t steps, double patience,
                          dls_engine_record *record, dls_error *error)
{
    dls_child child;
    dls_text said = {0};
    *record = (dls_engine_record){.n_bodies = m->n_bodies};
    DLS_TRY(dls_engine_check(engine, m, error));
    record->states = calloc(steps * m->n_bodies + 1, sizeof *record->states);
    dls_status status = record->states ? start_engine(&child, engine, m, steps, error)
                                       : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu states", steps);
    if (status == DLS_OK) {
        dls_child_wait(&child, patience, &said, record->why, sizeof record->why);
        if (said.cut)
            status = dls_fail(error, DLS_NO_MEMORY, "no memory for the states of %s", engine->name);
        else if (said.size >= DLS_MESSAGE_MAX && said.at[0])
            status = dls_fail(error, DLS_REFUSED, "%.*s", DLS_MESSAGE_MAX / 2, said.at);
        else if (said.size >= DLS_MESSAGE_MAX)
            unpack(&said, steps, record);
    }
    if (status == DLS_OK && record->steps < steps && !record->why[0])
        snprintf(record->why, sizeof record->why, "the engine ended its process");
    free(said.at);
    if (status != DLS_OK)
        dls_engine_record_release(record);
    return status;
}

void dls_engine_record_release(dls_engine_record *record)
{
    free(record->states);
    record->states = NULL;
}

void dls_engine_place(const dls_model *model, const dls_engine_state *states, dls_state *state)
{
    const dls_body *bodies = dls_model_bodies(model);
    for (size_t i = 0; i < state->n_bodies; i++) {
        state->x[i] = states[i].x;
        state->q[i] = dls_quat_unit(states[i].q);
        if (bodies[i].offset == DLS_NONE)
            continue;
        double *v = state->v + bodies[i].offset;
        for (int k = 0; k < 3; k++) {
            v[k] = dls_get3(states[i].v, k);
            v[3 + k] = dls_get3(states[i].omega, k);
        }
    }
}
