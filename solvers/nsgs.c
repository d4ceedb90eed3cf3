/* Nonsmooth Gauss-Seidel: solves one contact after another exactly under Coulomb's cone, with all others fixed.
 *
 *     w_c = J_c v + Gamma_c lambda_c - c_c,   q_c = w_c - W_cc lambda_c,   W_cc = J_c M^-1 J_c^T + Gamma_c
 *     lambda_c' solves Signorini's and Coulomb's law for w = W_cc lambda + q_c (contact_law.c)
 *     v <- v + B_c (lambda_c' - lambda_c),  B = M^-1 J^T
 *
 * Each other row, friction boxes included, takes one step of projected Gauss-Seidel (pgs.c). With the order `symmetric`
 * an iteration goes through the rows forwards, then backwards.
 *
 * The law is not the optimality condition of a minimum (its w_n + mu |w_t| is not a gradient), and convergence is not
 * guaranteed; at a fixed point of the iteration the law holds for every contact. */
#include "delassus/solvers.h"

#include "contact_law.h"
#include "response.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    int order;
} settings;

enum { FORWARD, SYMMETRIC };
static const char *const orders[] = {"forward", "symmetric", NULL};
static const dls_field fields[] = {
    {"order", "", DLS_FIELD_CHOICE, offsetof(settings, order), "forward", 0, 0, false, orders,
     "order of the rows in an iteration; forward; symmetric: forwards, then backwards"},
};

typedef enum unit_kind { UNIT_ROW, UNIT_CONTACT, UNIT_DEAD } unit_kind;

/* A row, or the three of a contact. */
typedef struct unit {
    size_t first;
    unit_kind kind;
    size_t block;    /* of a contact */
    double diagonal; /* of a row */
} unit;

typedef struct work {
    const dls_problem *p;
    int order;
    dls_response response;
    size_t n_units, n_blocks, dead;
    unit *units;
    dls_contact_block *blocks;
    double *c, *lambda; /* n */
    double *v;          /* nv */
    size_t unit_capacity, block_capacity, c_capacity, lambda_capacity, v_capacity;
} work;

/* --- making one --- */

static double entry(const work *w, size_t k, size_t i)
{
    return dls_response_entry(&w->response, w->p, k, i, w->v) + (k == i ? w->p->gamma[i] : 0.0);
}

static dls_status put_contact(work *w, size_t i, unit *to, dls_error *error)
{
    dls_contact_block *block = &w->blocks[w->n_blocks];
    double largest = 0.0;
    for (size_t r = 0; r < 3; r++)
        for (size_t s = 0; s < 3; s++) {
            block->W[r][s] = entry(w, i + r, i + s);
            largest = fmax(largest, fabs(block->W[r][s]));
        }
    block->mu = w->p->mu[i + 1], block->hi = w->p->hi[i];
    *to = (unit){.first = i, .kind = largest == 0.0 ? UNIT_DEAD : UNIT_CONTACT, .block = w->n_blocks++};
    w->dead += largest == 0.0 ? 3 : 0;
    if (largest > 0.0 && !dls_contact_block_prepare(block))
        return dls_fail(
            error, DLS_REFUSED,
            "the contact at row %zu has a diagonal block that is not positive semidefinite, or no normal response", i);
    return DLS_OK;
}

static dls_status put_row(work *w, size_t i, unit *to, dls_error *error)
{
    double diagonal = entry(w, i, i);
    *to = (unit){.first = i, .kind = diagonal == 0.0 ? UNIT_DEAD : UNIT_ROW, .diagonal = diagonal};
    w->dead += diagonal == 0.0;
    return diagonal < 0.0 || (diagonal > 0.0 && diagonal < DBL_MIN)
               ? dls_fail(error, DLS_REFUSED, "row %zu has the diagonal %g; it must be positive", i, diagonal)
               : DLS_OK;
}

static void close(void *memory)
{
    work *w = memory;
    if (!w)
        return;
    dls_response_release(&w->response);
    free(w->units), free(w->blocks), free(w->c), free(w->lambda), free(w->v);
    free(w);
}

/* All that does not depend on impulses; v becomes 0, and what was in it stands behind it. */
static dls_status load(work *w, const dls_problem *p, dls_error *error)
{
    w->p = p;
    w->n_units = w->n_blocks = w->dead = 0;
    if (!DLS_GROW(w->units, w->unit_capacity, p->n) || !DLS_GROW(w->blocks, w->block_capacity, p->n_cone / 2) ||
        !DLS_GROW(w->c, w->c_capacity, p->n) || !DLS_GROW(w->lambda, w->lambda_capacity, p->n) ||
        !DLS_GROW(w->v, w->v_capacity, 2 * p->nv))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", p->n);
    DLS_TRY(dls_response_load(&w->response, p, error));
    memcpy(w->v + p->nv, w->v, p->nv * sizeof *w->v);
    memset(w->v, 0, p->nv * sizeof *w->v);
    for (size_t i = 0; i < p->n;) {
        bool contact = dls_problem_is_cone(p, i);
        unit *to = &w->units[w->n_units++];
        DLS_TRY(contact ? put_contact(w, i, to, error) : put_row(w, i, to, error));
        i += contact ? 3 : 1;
    }
    memcpy(w->c, p->c, p->n * sizeof *w->c);
    return DLS_OK;
}

/* Impulses outside the cone stay until their contact's turn comes. */
static dls_status reload(void *memory, const dls_problem *p, const double *lambda0, dls_error *error)
{
    work *w = memory;
    DLS_TRY(load(w, p, error));
    memcpy(w->v, p->v_star, p->nv * sizeof *w->v);
    for (size_t i = 0; i < p->n; i++) {
        w->lambda[i] = lambda0 ? lambda0[i] : 0.0;
        dls_response_add(&w->response, i, w->lambda[i], w->v);
    }
    return DLS_OK;
}

static dls_status renew(void *memory, const dls_problem *p, const double *v, dls_error *error)
{
    work *w = memory;
    DLS_TRY(load(w, p, error));
    memcpy(w->v, v ? v : w->v + p->nv, p->nv * sizeof *w->v);
    return DLS_OK;
}

static dls_status open(const dls_problem *problem, const void *set, const double *lambda0, void **out, dls_error *error)
{
    work *w = *out = calloc(1, sizeof *w);
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a nonsmooth Gauss-Seidel method");
    w->order = ((const settings *)set)->order;
    dls_status status = reload(w, problem, lambda0, error);
    if (status != DLS_OK) {
        close(w);
        *out = NULL;
    }
    return status;
}

/* --- sweeping --- */

static double residual(const work *w, size_t i)
{
    return dls_rows_dot(&w->p->J, i, w->v) + w->p->gamma[i] * w->lambda[i] - w->c[i];
}

static void move(work *w, size_t i, double to)
{
    dls_response_add(&w->response, i, to - w->lambda[i], w->v);
    w->lambda[i] = to;
}

static void visit(work *w, const unit *u)
{
    if (u->kind == UNIT_ROW) {
        double lo, hi, to = w->lambda[u->first] - residual(w, u->first) / u->diagonal;
        dls_problem_bounds(w->p, u->first, w->lambda, &lo, &hi);
        move(w, u->first, to < lo ? lo : to > hi ? hi : to);
    } else if (u->kind == UNIT_CONTACT) {
        const dls_contact_block *block = &w->blocks[u->block];
        double q[3], to[3];
        for (size_t r = 0; r < 3; r++) {
            q[r] = residual(w, u->first + r);
            for (size_t s = 0; s < 3; s++)
                q[r] -= block->W[r][s] * w->lambda[u->first + s];
        }
        dls_contact_solve(block, q, to);
        for (size_t r = 0; r < 3; r++)
            move(w, u->first + r, to[r]);
    }
}

static dls_status iterate(void *memory, dls_report *report, dls_error *error)
{
    work *w = memory;
    (void)error;
    for (size_t k = 0; k < w->n_units; k++)
        visit(w, &w->units[k]);
    for (size_t k = w->n_units; w->order == SYMMETRIC && k-- > 0;)
        visit(w, &w->units[k]);
    report->iterations++;
    report->dead_rows = w->dead;
    return DLS_OK;
}

static void read(const void *memory, double *lambda)
{
    const work *w = memory;
    memcpy(lambda, w->lambda, w->p->n * sizeof *lambda);
}

static void refresh(void *memory, const double *c)
{
    work *w = memory;
    memcpy(w->c, c, w->p->n * sizeof *w->c);
}

static void velocity(const void *memory, double *v)
{
    const work *w = memory;
    memcpy(v, w->v, w->p->nv * sizeof *v);
}

/* Without coupled rows it is projected Gauss-Seidel. */
static dls_splitting splitting(const void *set)
{
    return (dls_splitting){
        ((const settings *)set)->order == SYMMETRIC ? DLS_SPLITTING_SYMMETRIC : DLS_SPLITTING_FORWARD, 1.0};
}

const dls_solver dls_solver_nsgs = {
    .name = "nsgs",
    .summary = "nonsmooth Gauss-Seidel: solves one contact after another exactly under Coulomb's cone",
    .source = "M. Jean, The non-smooth contact dynamics method, 1999; F. Jourdan, P. Alart and M. Jean, 1998",
    .kind = DLS_SOLVER_ITERATIVE,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_CONE,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = open,
    .reload = reload,
    .iterate = iterate,
    .read = read,
    .close = close,
    .refresh = refresh,
    .velocity = velocity,
    .renew = renew,
    .splitting = splitting,
};
