/* Nonsmooth Gauss-Seidel: solves one contact after another exactly under Coulomb's cone, with all others fixed.
 *
 *     w_c = J_c v + Gamma_c lambda_c - c_c,   q_c = w_c - W_cc lambda_c,   W_cc = J_c M^-1 J_c^T + Gamma_c
 *     lambda_c' solves Signorini's and Coulomb's law for w = W_cc lambda + q_c (contact_law.c)
 *     v <- v + B_c (lambda_c' - lambda_c),  B = M^-1 J^T
 *
 * Each other row, friction boxes included, takes one step of projected Gauss-Seidel (pgs.c). With the order `symmetric`
 * an iteration visits the rows forwards, then backwards.
 *
 * The law is not the optimality condition of a minimum (its w_n + mu |w_t| is not a gradient), and convergence is not
 * guaranteed; at a fixed point of the iteration the law holds for every contact. */
#include "delassus/solver_kit.h"
#include "delassus/solvers.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef struct settings {
    int symmetric; /* the place in `orders` */
} settings;

static const char *const orders[] = {"forward", "symmetric", NULL};
static const dls_field fields[] = {
    {"order", "", DLS_FIELD_CHOICE, offsetof(settings, symmetric), "forward", 0, 0, false, orders,
     "order of the rows in an iteration; forward; symmetric: forwards, then backwards"},
};

/* A row, or the three of a contact, which has a block. */
typedef struct unit {
    size_t first, block; /* block: DLS_NONE for a row */
    double diagonal;     /* of a row; the largest entry of a contact's block; 0: no impulse moves it */
} unit;

typedef struct nsgs {
    dls_kit kit;
    bool symmetric;
    unit *units;
    dls_contact_block *blocks;
    size_t n_units, n_blocks, unit_capacity, block_capacity;
} nsgs;

static dls_status nsgs_put_contact(nsgs *w, unit *u, dls_error *error)
{
    const dls_problem *p = w->kit.problem;
    dls_contact_block *block = &w->blocks[u->block = w->n_blocks++];
    dls_kit_block(&w->kit, u->first, 3, &block->W[0][0]);
    for (size_t k = 0; k < 9; k++)
        u->diagonal = fmax(u->diagonal, fabs(block->W[k / 3][k % 3]));
    block->mu = p->mu[u->first + 1], block->hi = p->hi[u->first];
    if (u->diagonal == 0.0 || dls_contact_block_prepare(block))
        return DLS_OK;
    return dls_fail(
        error, DLS_REFUSED,
        "the contact at row %zu has a diagonal block that is not positive semidefinite, or no normal response",
        u->first);
}

static dls_status nsgs_start(void *work, dls_error *error)
{
    nsgs *w = work;
    const dls_problem *p = w->kit.problem;
    w->n_units = w->n_blocks = 0;
    if (!DLS_GROW(w->units, w->unit_capacity, p->n) || !DLS_GROW(w->blocks, w->block_capacity, p->n_cone / 2))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", p->n);
    for (size_t i = 0, rows; i < p->n; i += rows) {
        const bool contact = dls_problem_is_cone(p, i);
        unit *u = &w->units[w->n_units++];
        *u = (unit){.first = i, .block = DLS_NONE};
        rows = contact ? 3 : 1;
        if (contact)
            DLS_TRY(nsgs_put_contact(w, u, error));
        else
            dls_kit_block(&w->kit, i, 1, &u->diagonal);
        if (u->diagonal < 0.0 || (u->diagonal > 0.0 && u->diagonal < DBL_MIN && !contact))
            return dls_fail(error, DLS_REFUSED, "row %zu has the diagonal %g; it must be positive", i, u->diagonal);
        w->kit.dead += u->diagonal == 0.0 ? rows : 0;
    }
    return DLS_OK;
}

static void nsgs_end(void *work) { free(((nsgs *)work)->units), free(((nsgs *)work)->blocks); }

/* Impulses outside the cone stay until their contact's turn comes. */
static dls_status nsgs_open(const dls_problem *problem, const void *set, const double *lambda0, void **work,
                            dls_error *error)
{
    const dls_kit_plan plan = {.size = sizeof(nsgs), .row_by_row = true, .start = nsgs_start, .end = nsgs_end};
    DLS_TRY(dls_kit_open(&plan, problem, lambda0, work, error));
    ((nsgs *)*work)->symmetric = ((const settings *)set)->symmetric;
    return DLS_OK;
}

static void nsgs_visit(nsgs *w, const unit *u)
{
    dls_kit *kit = &w->kit;
    if (u->diagonal == 0.0)
        return;
    if (u->block == DLS_NONE) {
        double lo, hi, to = kit->lambda[u->first] - dls_kit_row_residual(kit, u->first) / u->diagonal;
        dls_problem_bounds(kit->problem, u->first, kit->lambda, &lo, &hi);
        dls_kit_row_set(kit, u->first, to < lo ? lo : to > hi ? hi : to);
    } else {
        const dls_contact_block *block = &w->blocks[u->block];
        double q[3], to[3];
        for (size_t r = 0; r < 3; r++) {
            q[r] = dls_kit_row_residual(kit, u->first + r);
            for (size_t s = 0; s < 3; s++)
                q[r] -= block->W[r][s] * kit->lambda[u->first + s];
        }
        dls_contact_solve(block, q, to);
        for (size_t r = 0; r < 3; r++)
            dls_kit_row_set(kit, u->first + r, to[r]);
    }
}

static dls_status nsgs_iterate(void *work, dls_report *report, dls_error *error)
{
    nsgs *w = work;
    (void)error;
    for (size_t k = 0; k < w->n_units; k++)
        nsgs_visit(w, &w->units[k]);
    for (size_t k = w->n_units; w->symmetric && k-- > 0;)
        nsgs_visit(w, &w->units[k]);
    dls_kit_report(&w->kit, report);
    return DLS_OK;
}

/* Without coupled rows it is projected Gauss-Seidel. */
static dls_splitting nsgs_splitting(const void *set)
{
    const bool symmetric = ((const settings *)set)->symmetric;
    return (dls_splitting){symmetric ? DLS_SPLITTING_SYMMETRIC : DLS_SPLITTING_FORWARD, 1.0};
}

const dls_solver dls_solver_nsgs = {
    .name = "nsgs",
    .summary = "nonsmooth Gauss-Seidel: solves one contact after another exactly under Coulomb's cone",
    .source = "M. Jean, The non-smooth contact dynamics method, 1999; F. Jourdan, P. Alart and M. Jean, 1998",
    DLS_KIT_MEMBERS,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_CONE,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = nsgs_open,
    .iterate = nsgs_iterate,
    .splitting = nsgs_splitting,
};
