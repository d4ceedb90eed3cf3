/* Copies of one model, stepped together.
 *
 * A step of a copy reads only its state, its warm starts, the model and the options. All other data that a simulation
 * keeps between steps is memory for reuse (rows, problem, factors, the solver's work memory, whose iterates are those
 * of a new one). A copy therefore consists of its state and its warm starts, and any simulation may step it, whatever
 * copy it has stepped before: the results are the same bytes.
 *
 * If the scheme has one solve per step, a thread prepares the problems of DLS_TOGETHER copies, each in a simulation of
 * its own, lets the solver iterate them together, and finishes the steps. Free threads take the next such group.
 */
#include "batch_parts.h"

#include "base/arithmetic.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

dls_batch_options dls_batch_default(void) { return (dls_batch_options){.simulation = dls_simulation_default()}; }

/* --- open and close --- */

static dls_status open_worker(dls_batch *batch, dls_batch_worker *worker, dls_error *error)
{
    DLS_TRY(dls_configuration_create(batch->model, &worker->reader, error));
    for (size_t k = 0; k < batch->together; k++) {
        dls_simulation **s = &worker->simulations[k];
        DLS_TRY(dls_simulation_open(batch->model, &batch->options.simulation, s, error));
        (*s)->lazy = (*s)->scheme->prepare != NULL && !batch->model->world.sleep; /* sleep reads the speeds of links */
        worker->own_state[k] = (*s)->state;
    }
    return DLS_OK;
}

static dls_status find_drives(dls_batch *batch, dls_error *error)
{
    const dls_model *model = batch->model;
    batch->drives = calloc(model->n_joints + 1, sizeof *batch->drives);
    if (!batch->drives)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the numbers of %zu joints", model->n_joints);
    for (size_t j = 0; j < model->n_joints; j++)
        if (model->joints[j].type->driven)
            batch->drives[batch->n_drives++] = j;
    return DLS_OK;
}

static dls_status batch_create_parts(dls_batch *batch, dls_error *error)
{
    batch->copies = calloc(batch->count, sizeof *batch->copies);
    batch->workers = calloc(batch->threads, sizeof *batch->workers);
    if (!batch->copies || !batch->workers)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a batch of %zu copies", batch->count);
    for (size_t t = 0; t < batch->threads; t++)
        DLS_TRY(open_worker(batch, &batch->workers[t], error));
    for (size_t i = 0; i < batch->count; i++) {
        DLS_TRY(dls_state_create(batch->model, &batch->copies[i].state, error));
        if (batch->model->world.sleep)
            DLS_TRY(dls_state_create(batch->model, &batch->copies[i].rest, error));
    }
    DLS_TRY(dls_state_create(batch->model, &batch->scratch, error));
    return find_drives(batch, error);
}

static dls_status count_threads(size_t asked, size_t *threads, dls_error *error)
{
#ifdef _OPENMP
    *threads = asked ? asked : (size_t)omp_get_max_threads();
    return *threads <= 4096 ? DLS_OK : dls_fail(error, DLS_BAD_ARGUMENT, "%zu threads are too many", asked);
#else
    *threads = 1;
    return asked <= 1
               ? DLS_OK
               : dls_fail(error, DLS_UNAVAILABLE, "this build has no OpenMP: a batch takes one thread, not %zu", asked);
#endif
}

dls_status dls_batch_open(const dls_model *model, size_t count, const dls_batch_options *options, dls_batch **made,
                          dls_error *error)
{
    size_t threads;
    *made = NULL;
    if (count == 0)
        return dls_fail(error, DLS_BAD_ARGUMENT, "a batch needs at least one copy");
    if (options->simulation.ledger)
        return dls_fail(error, DLS_BAD_ARGUMENT,
                        "a batch keeps no ledger; leave options.simulation.ledger off, or step a simulation");
    DLS_TRY(count_threads(options->threads, &threads, error));
    dls_batch *batch = calloc(1, sizeof *batch);
    if (!batch)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a batch");
    const bool splits = dls_simulation_scheme_of(&options->simulation)->prepare != NULL;
    batch->model = model;
    batch->count = count;
    batch->options = *options;
    batch->together = splits && count > 1 ? DLS_TOGETHER : 1;
    const size_t groups = (count + batch->together - 1) / batch->together;
    batch->threads = threads < groups ? threads : groups;
    dls_status status = batch_create_parts(batch, error);
    if (status == DLS_OK)
        *made = batch;
    else
        dls_batch_close(batch);
    return status;
}

void dls_batch_close(dls_batch *batch)
{
    if (!batch)
        return;
    for (size_t i = 0; batch->copies && i < batch->count; i++) {
        dls_state_destroy(batch->copies[i].state);
        dls_state_destroy(batch->copies[i].rest);
        dls_warm_release(batch->copies[i].warm);
        free(batch->copies[i].message);
    }
    for (size_t t = 0; batch->workers && t < batch->threads; t++) {
        for (size_t k = 0; k < batch->together; k++)
            dls_simulation_close(batch->workers[t].simulations[k]);
        dls_configuration_destroy(batch->workers[t].reader);
    }
    dls_state_destroy(batch->scratch);
    free(batch->drives);
    free(batch->copies);
    free(batch->workers);
    free(batch);
}

/* --- a step --- */

static void copy_enters(dls_batch_worker *worker, size_t k, dls_batch_copy *copy)
{
    dls_simulation *s = worker->simulations[k];
    s->state = copy->state;
    s->warm_store = copy->warm;
    s->edited = true;
    s->touched = copy->touched;
    if (copy->rest)
        worker->own_rest[k] = dls_sleep_exchange(s, copy->rest);
    copy->touched = false;
}

static void note_failure(dls_batch_worker *worker, dls_batch_copy *copy, size_t number, const dls_error *error)
{
    const size_t size = strlen(error->message) + 1;
    copy->message = malloc(size);
    if (copy->message)
        memcpy(copy->message, error->message, size);
    if (worker->first_failed != DLS_NONE && worker->first_failed < number)
        return;
    worker->first_failed = number;
    worker->status = copy->status;
    worker->error = *error;
}

/* The impulses go into the copy's warm starts now: those of another copy come next. A copy that failed goes back to the
 * start of the step. */
static void copy_leaves(const dls_batch *batch, dls_batch_worker *worker, size_t k, size_t number, dls_status status,
                        const dls_error *error)
{
    dls_simulation *s = worker->simulations[k];
    dls_batch_copy *copy = &batch->copies[number];
    copy->status = status;
    copy->outcome = s->report.outcome;
    if (status == DLS_OK) {
        dls_warm_remember(s);
        if (batch->options.observe)
            batch->options.observe(batch->options.context, number, s);
    } else {
        dls_state_copy(copy->state, s->start);
        note_failure(worker, copy, number, error);
    }
    copy->warm = s->warm_store;
    s->warm_store = NULL;
    s->state = worker->own_state[k];
    if (copy->rest)
        (void)dls_sleep_exchange(s, worker->own_rest[k]);
}

static void step_one(dls_batch *batch, dls_batch_worker *worker, size_t number, double h)
{
    dls_error error;
    copy_enters(worker, 0, &batch->copies[number]);
    const dls_status status = dls_simulation_step(worker->simulations[0], h, &error);
    copy_leaves(batch, worker, 0, number, status, &error);
}

/* The problems that are ready, together; status[k] is that of simulation k. */
static void solve_together(dls_batch_worker *worker, size_t n, dls_status *status, dls_error *error)
{
    dls_solver_work *work[DLS_TOGETHER];
    double *lambda[DLS_TOGETHER];
    dls_report *report[DLS_TOGETHER];
    dls_status ended[DLS_TOGETHER];
    dls_error why[DLS_TOGETHER];
    size_t place[DLS_TOGETHER], ready = 0;
    for (size_t k = 0; k < n; k++) {
        dls_simulation *s = worker->simulations[k];
        if (status[k] != DLS_OK)
            continue;
        place[ready] = k;
        work[ready] = &s->solving, lambda[ready] = s->lambda, report[ready++] = &s->report;
    }
    if (ready == 0)
        return;
    dls_solver_run_together(work, ready, worker->simulations[0]->iterations, lambda, report, ended, why);
    for (size_t r = 0; r < ready; r++)
        if ((status[place[r]] = ended[r]) != DLS_OK)
            error[place[r]] = why[r];
}

/* The processor fetches the state of a copy while the one before it is stepped. */
static void prefetch_copy(const dls_batch *batch, size_t number)
{
    const size_t line = 64, size = dls_state_size(batch->scratch);
    if (number < batch->count)
        for (size_t at = 0; at < size; at += line)
            __builtin_prefetch((const char *)batch->copies[number].state + at, 1);
}

static void step_group(dls_batch *batch, dls_batch_worker *worker, const size_t *numbers, size_t n, double h)
{
    dls_status status[DLS_TOGETHER];
    dls_error error[DLS_TOGETHER];
    for (size_t k = 0; k < n; k++) {
        dls_simulation *s = worker->simulations[k];
        prefetch_copy(batch, numbers[k] + 1);
        copy_enters(worker, k, &batch->copies[numbers[k]]);
        status[k] = dls_simulation_prepare(s, h, &error[k]);
        if (status[k] == DLS_OK)
            status[k] = dls_stage_load(s, &error[k]);
    }
    solve_together(worker, n, status, error);
    for (size_t k = 0; k < n; k++) {
        if (status[k] == DLS_OK)
            status[k] = dls_simulation_finish(worker->simulations[k], h, &error[k]);
        copy_leaves(batch, worker, k, numbers[k], status[k], &error[k]);
    }
}

/* The copies of group g that have not failed. */
static void step_copies(dls_batch *batch, dls_batch_worker *worker, size_t g, double h)
{
    DLS_STANDARD_ARITHMETIC;
    size_t numbers[DLS_TOGETHER], n = 0;
    const size_t first = g * batch->together, end = first + batch->together;
    for (size_t i = first; i < end && i < batch->count; i++)
        if (batch->copies[i].status == DLS_OK)
            numbers[n++] = i;
    if (n > 0 && worker->simulations[0]->scheme->prepare)
        step_group(batch, worker, numbers, n, h);
    else if (n > 0)
        step_one(batch, worker, numbers[0], h);
}

static void step_all(dls_batch *batch, double h)
{
    const size_t groups = (batch->count + batch->together - 1) / batch->together;
#ifdef _OPENMP
#pragma omp parallel for num_threads((int)batch->threads) schedule(dynamic)
    for (size_t g = 0; g < groups; g++)
        step_copies(batch, &batch->workers[omp_get_thread_num()], g, h);
#else
    for (size_t g = 0; g < groups; g++)
        step_copies(batch, &batch->workers[0], g, h);
#endif
}

dls_status dls_batch_step(dls_batch *batch, double h, dls_error *error)
{
    DLS_TRY(dls_simulation_check_step(h, error));
    const dls_batch_worker *first = &batch->workers[0];
    for (size_t t = 0; t < batch->threads; t++)
        batch->workers[t].first_failed = DLS_NONE;
    step_all(batch, h);
    for (size_t t = 1; t < batch->threads; t++)
        if (batch->workers[t].first_failed < first->first_failed)
            first = &batch->workers[t];
    if (first->first_failed == DLS_NONE)
        return DLS_OK;
    return dls_fail(error, first->status, "copy %zu: %.400s", first->first_failed, first->error.message);
}

/* --- states --- */

dls_status dls_batch_check_list(const dls_batch *batch, const size_t *copies, size_t n, dls_error *error)
{
    for (size_t k = 0; copies && k < n; k++)
        if (copies[k] >= batch->count)
            return dls_fail(error, DLS_BAD_ARGUMENT, "entry %zu of the list is copy %zu; the batch has %zu", k,
                            copies[k], batch->count);
    return DLS_OK;
}

static void start_again(dls_batch_copy *copy, const dls_state *state)
{
    dls_state_copy(copy->state, state);
    dls_warm_release(copy->warm);
    free(copy->message);
    if (copy->rest)
        dls_state_copy(copy->rest, state);
    *copy = (dls_batch_copy){.state = copy->state, .rest = copy->rest};
}

dls_status dls_batch_set_state(dls_batch *batch, size_t copy, const dls_state *state, dls_error *error)
{
    const dls_state *like = batch->scratch;
    DLS_TRY(dls_batch_check_list(batch, &copy, 1, error));
    if (dls_state_size(state) != dls_state_size(like) || state->nv != like->nv || state->n_bodies != like->n_bodies)
        return dls_fail(error, DLS_BAD_ARGUMENT, "the state is not one of the batch's model");
    DLS_TRY(dls_state_check(batch->model, state, error));
    start_again(&batch->copies[copy], state);
    return DLS_OK;
}

dls_status dls_batch_reset(dls_batch *batch, const size_t *copies, size_t n, dls_error *error)
{
    DLS_TRY(dls_batch_check_list(batch, copies, n, error));
    for (size_t k = 0; k < (copies ? n : batch->count); k++)
        start_again(&batch->copies[dls_batch_listed(copies, k)], batch->model->initial);
    return DLS_OK;
}

const dls_state *dls_batch_state(const dls_batch *batch, size_t copy)
{
    return copy < batch->count ? batch->copies[copy].state : NULL;
}

/* --- accessors --- */

dls_status dls_batch_status(const dls_batch *batch, size_t number, dls_error *error)
{
    DLS_TRY(dls_batch_check_list(batch, &number, 1, error));
    const dls_batch_copy *copy = &batch->copies[number];
    return copy->status == DLS_OK ? DLS_OK
                                  : dls_fail(error, copy->status, "copy %zu: %s", number,
                                             copy->message ? copy->message : dls_status_text(copy->status));
}

size_t dls_batch_failed(const dls_batch *batch)
{
    size_t failed = 0;
    for (size_t i = 0; i < batch->count; i++)
        failed += batch->copies[i].status != DLS_OK;
    return failed;
}

dls_outcome dls_batch_outcome(const dls_batch *batch, size_t copy)
{
    return copy < batch->count ? batch->copies[copy].outcome : DLS_OUTCOME_RUNNING;
}

const dls_model *dls_batch_model(const dls_batch *batch) { return batch->model; }
size_t dls_batch_count(const dls_batch *batch) { return batch->count; }
size_t dls_batch_threads(const dls_batch *batch) { return batch->threads; }

size_t dls_batch_size(const dls_batch *batch)
{
    size_t warm = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const size_t size = dls_warm_size(batch->copies[i].warm);
        warm = size > warm ? size : warm;
    }
    return sizeof *batch->copies + (batch->model->world.sleep ? 2 : 1) * dls_state_size(batch->scratch) + warm;
}
