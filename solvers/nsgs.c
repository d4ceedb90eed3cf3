/* Nonsmooth Gauss-Seidel: solves one contact after another exactly under Coulomb's cone, with all others fixed.
 *
 *     w_c = J_c v + Gamma_c lambda_c - c_c,   q_c = w_c - W_cc lambda_c,   W_cc = J_c M^-1 J_c^T + Gamma_c
 *     lambda_c' solves Signorini's and Coulomb's law for w = W_cc lambda + q_c (contact_law.c); under another law of
 *     contacts it is moved towards a solution from lambda_c (discs.c)
 *     v <- v + B_c (lambda_c' - lambda_c),  B = M^-1 J^T
 *
 * Each other row, friction boxes included, takes one step of projected Gauss-Seidel (pgs.c).
 *
 * The law is not the optimality condition of a minimum (its w_n + mu |w_t| is not a gradient), and convergence is not
 * guaranteed; at a fixed point of the iteration the law holds for every contact.
 *
 * ORDERS. An iteration visits as many rows and contacts (N) as there are, or twice as many:
 *     forward    in the order of the problem
 *     backward   in the reverse order; for symmetric A with the same rate
 *     symmetric  forwards, then backwards
 *     shuffled   each once, in an order that is drawn for each iteration
 *     random     N independent draws, so that some are visited twice and others not at all
 * For symmetric semidefinite A without bounds and friction, one step of `random` reduces the objective above its
 * minimum by the factor 1 - lambda_min / N or less in expectation, lambda_min the least positive eigenvalue of D^-1/2
 * A D^-1/2 (Leventhal and Lewis, "Randomized methods for linear constraints", 2010). Rows that stay at their bounds
 * waste their draws. N steps reduce it by (1 - lambda_min / N)^N <= exp(-lambda_min), and its square root, the error
 * in the norm of A, by exp(-lambda_min / 2). For `shuffled` no rate is known. Draws depend on the seed alone; a load
 * begins them again.
 */
#include "turns.h"

#include "delassus/solvers.h"

#include "base/draw.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { FORWARD, BACKWARD, SYMMETRIC, SHUFFLED, RANDOM };

typedef struct settings {
    int order; /* one of the above: the place in `orders` */
    size_t seed;
} settings;

static const char *const orders[] = {"forward", "backward", "symmetric", "shuffled", "random", NULL};
static const dls_field fields[] = {
    {"order", "", DLS_FIELD_CHOICE, offsetof(settings, order), "forward", 0, 0, false, orders,
     "order of the rows in an iteration; symmetric: forwards, then backwards; shuffled: another order in each "
     "iteration; random: independent draws of rows"},
    {"seed", "", DLS_FIELD_COUNT, offsetof(settings, seed), "1", 0, 1e15, false, NULL,
     "seed of the orders shuffled and random; the same seed gives the same impulses"},
};

typedef struct nsgs {
    dls_kit kit;
    dls_turns turns;
    settings set;
    uint64_t draws;   /* state of the random numbers */
    size_t *shuffled; /* of SHUFFLED: the turns in their last order */
    size_t capacity;
} nsgs;

static dls_status nsgs_start(void *work, dls_error *error)
{
    nsgs *w = work;
    DLS_TRY(dls_turns_load(&w->turns, &w->kit, error));
    if (w->kit.renewed)
        return DLS_OK;
    if (!DLS_GROW(w->shuffled, w->capacity, w->turns.count))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the order of %zu rows", w->turns.count);
    for (size_t k = 0; k < w->turns.count; k++)
        w->shuffled[k] = k;
    w->draws = w->set.seed;
    return DLS_OK;
}

static void nsgs_end(void *work)
{
    nsgs *w = work;
    dls_turns_release(&w->turns);
    free(w->shuffled);
}

/* Impulses outside the cone stay until their contact's turn comes. */
static dls_status nsgs_open(const dls_problem *problem, const void *set, const double *lambda0, void **work,
                            dls_error *error)
{
    const dls_kit_plan plan = {.size = sizeof(nsgs), .row_by_row = true, .start = nsgs_start, .end = nsgs_end};
    DLS_TRY(dls_kit_open(&plan, problem, lambda0, work, error));
    nsgs *w = *work;
    w->set = *(const settings *)set;
    w->draws = w->set.seed;
    return DLS_OK;
}

static void nsgs_visit(nsgs *w, size_t k) { dls_turn_take(&w->turns, &w->kit, &w->turns.at[k]); }

/* Draws an order, each with the same probability: R. Durstenfeld, Algorithm 235: random permutation, 1964. */
static void nsgs_shuffle(nsgs *w)
{
    for (size_t k = w->turns.count; k > 1; k--) {
        const size_t other = dls_draw_below(&w->draws, k), kept = w->shuffled[k - 1];
        w->shuffled[k - 1] = w->shuffled[other], w->shuffled[other] = kept;
    }
}

static dls_status nsgs_iterate(void *work, dls_report *report, dls_error *error)
{
    nsgs *w = work;
    const size_t count = w->turns.count;
    const int order = w->set.order;
    (void)error;
    if (order == SHUFFLED)
        nsgs_shuffle(w);
    for (size_t k = 0; k < count && order != BACKWARD; k++)
        nsgs_visit(w, order == SHUFFLED ? w->shuffled[k] : order == RANDOM ? dls_draw_below(&w->draws, count) : k);
    for (size_t k = count; (order == BACKWARD || order == SYMMETRIC) && k-- > 0;)
        nsgs_visit(w, k);
    dls_kit_report(&w->kit, report);
    return DLS_OK;
}

/* Without coupled rows it is projected Gauss-Seidel. */
static dls_splitting nsgs_splitting(const void *set)
{
    static const dls_splitting_kind kinds[] = {[FORWARD] = DLS_SPLITTING_FORWARD,
                                               [BACKWARD] = DLS_SPLITTING_BACKWARD,
                                               [SYMMETRIC] = DLS_SPLITTING_SYMMETRIC,
                                               [SHUFFLED] = DLS_SPLITTING_NONE,
                                               [RANDOM] = DLS_SPLITTING_NONE};
    return (dls_splitting){kinds[((const settings *)set)->order], 1.0};
}

static double nsgs_factor(const void *set, size_t count, const double *eigenvalues)
{
    return count > 0 && ((const settings *)set)->order == RANDOM ? exp(-0.5 * eigenvalues[0]) : NAN;
}

static const dls_rate_law law = {
    .preconditioner = DLS_SPLITTING_JACOBI,
    .factor = nsgs_factor,
    .theory = "an expectation for independent draws: D. Leventhal and A. S. Lewis, Randomized methods for linear "
              "constraints: convergence rates and conditioning, 2010",
};

const dls_solver dls_solver_nsgs = {
    .name = "nsgs",
    .summary = "nonsmooth Gauss-Seidel: solves one contact after another exactly under Coulomb's cone",
    .source = "M. Jean, The non-smooth contact dynamics method, 1999; F. Jourdan, P. Alart and M. Jean, 1998",
    DLS_KIT_MEMBERS,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_LAWS,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = nsgs_open,
    .iterate = nsgs_iterate,
    .splitting = nsgs_splitting,
    .law = &law,
};
