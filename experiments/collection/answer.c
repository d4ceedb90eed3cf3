/* The certified answer of a problem. */
#include "collection/answer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const dls_answer_names[] = {"solution", "backward", "none", "several", "open", NULL};

/* Above so many rows no dense matrix is made: sparse methods, and the bounds of certify_large. */
enum { DENSE_ROWS = DLS_CERTIFY_ROWS };
static const char friction_methods[] = "fixed-point,sparse-ppa,cone-ipm,ppa,cone-newton,cone-interior,primal,nsgs";
static const char large_methods[] = "sparse-active-set";
/* Sweeps come first, whose time grows with the rows alone, up to what counts as solved. */
static const char large_friction_methods[] = "nsgs,sparse-ppa";
/* The search for all solutions is short where it grows exponentially with the rows. */
enum { SEARCHED_ROWS = 16, MANY_NODES = 2000, FEW_NODES = 100 };
static const double exact_work = 1e9; /* about a second */

static dls_answer_word word_of(const dls_statement *statement)
{
    switch (dls_statement_kind_of(statement)) {
    case DLS_STATEMENT_SOLUTION:
    case DLS_STATEMENT_STATES:
    case DLS_STATEMENT_VELOCITY:
        return DLS_ANSWER_SOLUTION;
    case DLS_STATEMENT_BACKWARD:
        return DLS_ANSWER_BACKWARD;
    case DLS_STATEMENT_SEVERAL:
    case DLS_STATEMENT_CONTINUUM:
        return DLS_ANSWER_SEVERAL;
    case DLS_STATEMENT_ALL: {
        const size_t count = dls_statement_solutions(statement);
        return count == 0 ? DLS_ANSWER_NONE : count == 1 ? DLS_ANSWER_SOLUTION : DLS_ANSWER_SEVERAL;
    }
    case DLS_STATEMENT_NONE:
        break;
    }
    return DLS_ANSWER_OPEN;
}

/* Uses the proved bounds of the impulses where they say more than the statement: that a solution exists. */
static void use_bounds(const dls_bounds *bounds, dls_answer *answer)
{
    const bool exists = bounds->kind >= DLS_BOUNDS_EXISTS;
    if (exists)
        answer->bound = bounds->kind == DLS_BOUNDS_VELOCITY ? bounds->velocity : bounds->lambda;
    else if (bounds->kind == DLS_BOUNDS_BACKWARD && answer->word != DLS_ANSWER_SOLUTION)
        answer->bound = fmax(bounds->b_off, bounds->mu_off);
    const bool better = (exists && answer->word != DLS_ANSWER_SOLUTION) ||
                        (bounds->kind == DLS_BOUNDS_BACKWARD && answer->word == DLS_ANSWER_OPEN);
    if (better)
        answer->word = exists ? DLS_ANSWER_SOLUTION : DLS_ANSWER_BACKWARD;
    if (better || !*answer->statement)
        snprintf(answer->statement, sizeof answer->statement, "%.*s", DLS_MESSAGE_MAX - 1, bounds->text);
}

static dls_status bound_reference(const dls_problem *p, const dls_reference_solution *reference, dls_answer *answer,
                                  dls_error *error)
{
    dls_bounds bounds = {.kind = DLS_BOUNDS_NONE};
    snprintf(answer->method, sizeof answer->method, "%s", reference->solver->name);
    answer->residual = reference->certificate.scaled_residual;
    const dls_status status = p->n <= DENSE_ROWS ? dls_certify(p, reference->lambda, &bounds, error)
                                                 : dls_certify_large(p, reference->lambda, &bounds, error);
    if (status == DLS_OK && answer->word != DLS_ANSWER_SEVERAL && answer->word != DLS_ANSWER_NONE)
        use_bounds(&bounds, answer);
    dls_bounds_release(&bounds);
    return status;
}

/* Several solutions with friction say more than one. */
static dls_status use_count(const dls_problem *p, dls_answer *answer, dls_error *error)
{
    size_t count;
    DLS_TRY(dls_answer_count(p, &count, error));
    if (count > 1) {
        answer->word = DLS_ANSWER_SEVERAL;
        snprintf(answer->statement, sizeof answer->statement, "%zu different solutions are proved to exist", count);
    }
    return DLS_OK;
}

static dls_status answer_large(const dls_problem *p, dls_answer *answer, dls_error *error)
{
    dls_examiner *examiner;
    dls_reference_solution *reference = NULL;
    DLS_TRY(dls_examiner_create(p, &examiner, error));
    dls_status status = p->n_coupled > 0
                            ? dls_reference_solution_create(p, examiner, large_friction_methods, DLS_SOLVED_TOLERANCE,
                                                            &reference, error)
                            : dls_reference_solution_create(p, examiner, large_methods, 1e-12, &reference, error);
    if (status == DLS_OK)
        status = bound_reference(p, reference, answer, error);
    dls_reference_solution_destroy(reference);
    dls_examiner_destroy(examiner);
    return status;
}

static dls_status answer_dense(const dls_problem *p, const char *path, dls_answer *answer, dls_error *error)
{
    dls_best_statement best;
    const dls_statement_settings effort = {.work = exact_work, .nodes = p->n <= SEARCHED_ROWS ? MANY_NODES : FEW_NODES};
    dls_status status = dls_best_statement_find(p, p->n_coupled > 0 ? friction_methods : NULL, &effort, &best, error);
    if (status == DLS_OK) {
        answer->word = word_of(best.statement);
        answer->stated = answer->word != DLS_ANSWER_OPEN;
        answer->bound = dls_statement_bound(best.statement);
        snprintf(answer->statement, sizeof answer->statement, "%s", dls_statement_text(best.statement));
        if (answer->stated && path)
            status = dls_statement_write(best.statement, path, error);
    }
    if (status == DLS_OK && best.reference)
        status = bound_reference(p, best.reference, answer, error);
    if (status == DLS_OK)
        status = use_count(p, answer, error);
    dls_best_statement_release(&best);
    return status;
}

dls_status dls_answer_find(const dls_problem *p, const char *path, dls_answer *answer, dls_error *error)
{
    dls_error why;
    *answer = (dls_answer){.word = DLS_ANSWER_OPEN, .residual = NAN, .bound = NAN};
    dls_status status = p->n <= DENSE_ROWS ? answer_dense(p, path, answer, &why) : answer_large(p, answer, &why);
    if (status == DLS_REFUSED) {
        snprintf(answer->statement, sizeof answer->statement, "%s", why.message);
        status = DLS_OK;
    } else if (status != DLS_OK && error) {
        *error = why;
    }
    return status;
}
