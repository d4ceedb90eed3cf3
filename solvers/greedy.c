/* Greedy Gauss-Seidel, the rule of Gauss and Southwell: each step solves the row, or the contact, that gains most.
 *
 * The gain of a row is that of its projected step (pgs.c), measured in the norm of its diagonal, and that of a contact
 * under Coulomb's cone the same of its exact solution (nsgs.c):
 *
 *     gain_i = A_ii (clamp(lambda_i - w_i / A_ii, lo_i, hi_i) - lambda_i)^2
 *     gain_c = d^T W_cc d,   d = lambda_c' - lambda_c
 *
 * Both are energies, whatever the units of the row. For symmetric semidefinite A without friction, half the gain is the
 * least by which the step reduces the objective. The largest gain is at least the mean, so that without bounds
 *
 *     f(k + 1) - f* <= (1 - lambda_min / N) (f(k) - f*)
 *
 * after every step, with N rows and lambda_min the least positive eigenvalue of D^-1/2 A D^-1/2: the bound that random
 * draws have in expectation alone (J. Nutini et al., "Coordinate descent converges faster with the Gauss-Southwell
 * rule than random selection", 2015). An iteration makes as many steps as there are rows and contacts, which is at
 * most a factor exp(-lambda_min) of f - f* and exp(-lambda_min / 2) of the error in the norm of A; rows at their
 * bounds that stay there cost no step, and more are left for the others.
 *
 * A step changes the gains of rows on the same bodies, and of friction bounded by its impulse, and of no others. A heap
 * of the gains finds the largest one. Each step evaluates the gains of all its neighbours, so that an iteration costs
 * several sweeps: report->row_visits counts them.
 */
#include "turns.h"

#include "delassus/solvers.h"

#include "base/memory.h"
#include "kit.h"

#include <math.h>
#include <stdlib.h>

typedef struct greedy {
    dls_kit kit;
    dls_turns turns;
    double *gain;         /* of each turn */
    size_t *heap, *place; /* the turns, each gain at least those of the two below it; where each turn is */
    /* The turns whose gain depends on slot s: of_slot[slot_start[s]] to of_slot[slot_start[s + 1] - 1]. A slot is a
     * mass block, by its first velocity; in the matrix form, where an impulse is a velocity, a row. */
    size_t *of_slot, *slot_start, *last_of; /* last_of: the stamp of the last visit to a slot */
    size_t stamp, gain_capacity, heap_capacity, place_capacity, of_slot_capacity, start_capacity, last_capacity;
} greedy;

/* --- neighbours --- */

typedef void slot_visitor(greedy *w, size_t turn, size_t slot);

static void greedy_visit(greedy *w, size_t turn, size_t slot, slot_visitor *visit)
{
    if (w->last_of[slot] != w->stamp)
        visit(w, turn, slot);
    w->last_of[slot] = w->stamp;
}

/* The slots that row i changes. */
static void greedy_changed(greedy *w, size_t turn, size_t i, slot_visitor *visit)
{
    const dls_response *r = &w->kit.inside->response;
    for (const dls_response_run *run = r->runs + r->start[i], *end = r->runs + r->start[i + 1]; run < end; run++)
        greedy_visit(w, turn, run->offset, visit);
}

/* Visits the slots that the residual and the bounds of each turn depend on, each once. */
static void greedy_all_slots(greedy *w, slot_visitor *visit)
{
    const dls_problem *p = w->kit.problem;
    for (size_t s = 0; s < p->nv; s++)
        w->last_of[s] = 0;
    w->stamp = 1;
    for (size_t t = 0; t < w->turns.count; t++, w->stamp++)
        for (size_t i = w->turns.at[t].first; i < w->turns.at[t].first + w->turns.at[t].rows; i++) {
            greedy_changed(w, t, i, visit);
            for (size_t k = p->J.start[i]; k < p->J.start[i + 1] && p->form == DLS_FORM_MATRIX; k++)
                for (size_t j = p->J.offset[k]; j < p->J.offset[k] + p->J.coef_at[k + 1] - p->J.coef_at[k]; j++)
                    greedy_visit(w, t, j, visit);
            if (p->parent[i] != DLS_NONE)
                greedy_changed(w, t, p->parent[i], visit);
        }
}

static void greedy_count(greedy *w, size_t turn, size_t slot)
{
    (void)turn;
    w->slot_start[slot + 1]++;
}

static void greedy_list(greedy *w, size_t turn, size_t slot) { w->of_slot[w->slot_start[slot]++] = turn; }

static dls_status greedy_find_neighbours(greedy *w, dls_error *error)
{
    const size_t nv = w->kit.problem->nv;
    if (!DLS_GROW(w->slot_start, w->start_capacity, nv + 1) || !DLS_GROW(w->last_of, w->last_capacity, nv))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the neighbours of %zu rows", w->kit.problem->n);
    for (size_t s = 0; s <= nv; s++)
        w->slot_start[s] = 0;
    greedy_all_slots(w, greedy_count);
    for (size_t s = 0; s < nv; s++)
        w->slot_start[s + 1] += w->slot_start[s];
    if (!DLS_GROW(w->of_slot, w->of_slot_capacity, w->slot_start[nv]))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the neighbours of %zu rows", w->kit.problem->n);
    greedy_all_slots(w, greedy_list);
    for (size_t s = nv; s > 0; s--) /* each list has been counted to its end */
        w->slot_start[s] = w->slot_start[s - 1];
    w->slot_start[0] = 0;
    return DLS_OK;
}

static dls_status greedy_start(void *work, dls_error *error)
{
    greedy *w = work;
    DLS_TRY(dls_turns_load(&w->turns, &w->kit, error));
    DLS_TRY(greedy_find_neighbours(w, error));
    if (!DLS_GROW(w->gain, w->gain_capacity, w->turns.count) || !DLS_GROW(w->heap, w->heap_capacity, w->turns.count) ||
        !DLS_GROW(w->place, w->place_capacity, w->turns.count))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the gains of %zu rows", w->turns.count);
    return DLS_OK;
}

static void greedy_end(void *work)
{
    greedy *w = work;
    dls_turns_release(&w->turns);
    free(w->gain), free(w->heap), free(w->place);
    free(w->of_slot), free(w->slot_start), free(w->last_of);
}

static dls_status greedy_open(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                              dls_error *error)
{
    const dls_kit_plan plan = {.size = sizeof(greedy), .row_by_row = true, .start = greedy_start, .end = greedy_end};
    (void)settings;
    return dls_kit_open(&plan, problem, lambda0, work, error);
}

/* --- gains --- */

/* Impulses outside fixed bounds, of a start from elsewhere, come first. */
static double greedy_gain(greedy *w, const dls_turn *turn)
{
    const dls_problem *p = w->kit.problem;
    const double lambda = w->kit.lambda[turn->first];
    double to[DLS_CONTACT_ROWS], gain = 0.0;
    if (turn->diagonal == 0.0)
        return 0.0;
    if (p->parent[turn->first] == DLS_NONE && (lambda < p->lo[turn->first] || lambda > p->hi[turn->first]))
        return HUGE_VAL;
    dls_turn_solve(&w->turns, &w->kit, turn, to);
    for (size_t r = 0; r < turn->rows; r++)
        to[r] -= w->kit.lambda[turn->first + r];
    if (turn->rows == 1)
        return turn->diagonal * to[0] * to[0];
    for (size_t r = 0; r < turn->rows; r++)
        for (size_t s = 0; s < turn->rows; s++)
            gain +=
                to[r] * to[s] *
                (turn->discs == DLS_NONE ? w->turns.blocks[turn->block].W[r][s] : w->turns.discs[turn->discs].W[r][s]);
    return gain;
}

static void greedy_put(greedy *w, size_t at, size_t turn)
{
    w->heap[at] = turn;
    w->place[turn] = at;
}

/* Moves the turn at `at` down to where no larger gain is below it. */
static void greedy_sink(greedy *w, size_t at)
{
    const size_t turn = w->heap[at];
    for (size_t below; (below = 2 * at + 1) < w->turns.count; at = below) {
        below += below + 1 < w->turns.count && w->gain[w->heap[below + 1]] > w->gain[w->heap[below]];
        if (!(w->gain[w->heap[below]] > w->gain[turn]))
            break;
        greedy_put(w, at, w->heap[below]);
    }
    greedy_put(w, at, turn);
}

/* Moves it up to where no smaller gain is above it. */
static void greedy_rise(greedy *w, size_t at)
{
    const size_t turn = w->heap[at];
    for (; at > 0 && w->gain[turn] > w->gain[w->heap[(at - 1) / 2]]; at = (at - 1) / 2)
        greedy_put(w, at, w->heap[(at - 1) / 2]);
    greedy_put(w, at, turn);
}

static void greedy_update(greedy *w, size_t turn)
{
    w->gain[turn] = greedy_gain(w, &w->turns.at[turn]);
    greedy_sink(w, w->place[turn]);
    greedy_rise(w, w->place[turn]);
}

static void greedy_update_slot(greedy *w, size_t turn, size_t slot)
{
    (void)turn;
    for (size_t k = w->slot_start[slot]; k < w->slot_start[slot + 1]; k++)
        greedy_update(w, w->of_slot[k]);
}

/* Solves the turn with the largest gain; false if no step gains anything. */
static bool greedy_step(greedy *w)
{
    const size_t best = w->heap[0];
    const dls_turn *turn = &w->turns.at[best];
    if (!(w->gain[best] > 0.0))
        return false;
    dls_turn_take(&w->turns, &w->kit, turn);
    greedy_update(w, best); /* a row of compliance alone acts on no slot */
    w->stamp++;
    for (size_t i = turn->first; i < turn->first + turn->rows; i++)
        greedy_changed(w, best, i, greedy_update_slot);
    return true;
}

/* Gains are evaluated again in each iteration, because c may have been replaced. */
static dls_status greedy_iterate(void *work, dls_report *report, dls_error *error)
{
    greedy *w = work;
    const size_t count = w->turns.count;
    (void)error;
    for (size_t t = 0; t < count; t++) {
        w->gain[t] = greedy_gain(w, &w->turns.at[t]);
        greedy_put(w, t, t);
    }
    for (size_t at = count / 2; at-- > 0;)
        greedy_sink(w, at);
    for (size_t k = 0; k < count && greedy_step(w); k++)
        continue;
    dls_kit_report(&w->kit, report);
    return DLS_OK;
}

static double greedy_factor(const void *settings, size_t count, const double *eigenvalues)
{
    (void)settings;
    return count > 0 ? exp(-0.5 * eigenvalues[0]) : NAN;
}

static const dls_rate_law law = {
    .preconditioner = DLS_SPLITTING_JACOBI,
    .bound = true,
    .factor = greedy_factor,
    .theory = "a bound of every step, with the mean gain in the place of the largest: J. Nutini et al., 2015",
};

const dls_solver dls_solver_greedy = {
    .name = "greedy",
    .summary = "greedy Gauss-Seidel (Gauss-Southwell): each step solves the row or contact that gains most",
    .source = "R. V. Southwell, Relaxation methods in engineering science, 1940; J. Nutini et al., Coordinate descent "
              "converges faster with the Gauss-Southwell rule than random selection, 2015",
    DLS_KIT_MEMBERS,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_LAWS,
    .fields = {NULL, 0, 1},
    .open = greedy_open,
    .iterate = greedy_iterate,
    .law = &law,
};
