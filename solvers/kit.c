/* The kit of iterative solvers: work, and operations on rows in both arrangements. See solver_kit.h. */
#include "kit.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- work --- */

void dls_kit_close(void *work)
{
    dls_kit *kit = work;
    if (!kit)
        return;
    struct dls_kit_inside *in = kit->inside;
    if (in) {
        if (in->plan.end)
            in->plan.end(work);
        dls_packed_destroy(in->packed);
        dls_response_release(&in->response);
        free(in->vectors.at), free(in->norm.at), free(in->c), free(in->lambda), free(in->v), free(in->kept);
    }
    free(in);
    free(kit);
}

/* Loads all that does not depend on impulses row by row; v becomes 0, and the velocity before it is kept. */
static dls_status load_rows(struct dls_kit_inside *in, const dls_problem *p, dls_error *error)
{
    if (!DLS_GROW(in->c, in->c_capacity, p->n) || !DLS_GROW(in->lambda, in->lambda_capacity, p->n) ||
        !DLS_GROW(in->v, in->v_capacity, 2 * p->nv) || !DLS_GROW(in->kept, in->kept_capacity, p->nv))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", p->n);
    DLS_TRY(dls_response_load(&in->response, p, error));
    memcpy(in->kept, in->v, p->nv * sizeof *in->v);
    memset(in->v, 0, 2 * p->nv * sizeof *in->v);
    memcpy(in->c, p->c, p->n * sizeof *in->c);
    return DLS_OK;
}

/* Whether row i is the normal row of a contact beyond Coulomb's isotropic cone, whose norm is its own. */
static bool is_special(const dls_kit *kit, size_t i, dls_discs *discs)
{
    if (kit->inside->laws == 0 || !dls_problem_is_cone(kit->problem, i))
        return false;
    *discs = dls_discs_of(kit->problem, i);
    return !dls_discs_are_coulomb(discs);
}

/* D of the rows of such contacts; a row that no impulse moves counts for nothing. */
static void load_norm(dls_kit *kit)
{
    struct dls_kit_inside *in = kit->inside;
    const uint32_t *where = in->packed->where;
    double *D = in->norm.at, diagonal[DLS_CONTACT_ROWS], of[DLS_CONTACT_ROWS];
    dls_discs discs;
    dls_packed_steps(in->packed, D);
    for (size_t i = 0; i < kit->problem->n; i++) {
        if (!is_special(kit, i, &discs))
            continue;
        for (size_t r = 0; r < discs.rows; r++)
            diagonal[r] = D[where[i + r]] != 0.0 ? 1.0 / D[where[i + r]] : 0.0;
        dls_discs_norm(&discs, diagonal, of);
        for (size_t r = 0; r < discs.rows; r++)
            D[where[i + r]] = diagonal[r] != 0.0 ? of[r] : 0.0;
    }
}

/* Points the kit to a loaded problem, and starts the method on it. */
static dls_status start_method(dls_kit *kit, const dls_problem *p, bool renewed, bool keep_vectors, dls_error *error)
{
    struct dls_kit_inside *in = kit->inside;
    kit->problem = p;
    kit->renewed = renewed;
    kit->size = in->packed ? in->packed->n_lambda : p->n;
    kit->lambda = in->packed ? in->packed->lambda.at : in->lambda;
    kit->dead = in->packed ? in->packed->dead : 0;
    kit->visits = 0.0;
    kit->v = in->v;
    kit->changed = true;
    kit->loaded = kit->loaded || !keep_vectors;
    if (!dls_doubles_room(&in->vectors, 0, in->plan.vectors * kit->size))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the vectors of %zu rows", p->n);
    if (!keep_vectors)
        memset(in->vectors.at, 0, in->plan.vectors * kit->size * sizeof(double));
    for (size_t k = 0; k < in->plan.vectors; k++)
        kit->vector[k] = in->vectors.at + k * kit->size;
    in->laws = dls_problem_contact_laws(p);
    if (in->packed && in->laws != 0) {
        if (!dls_doubles_room(&in->norm, 0, kit->size))
            return dls_fail(error, DLS_NO_MEMORY, "no memory for the norm of %zu rows", p->n);
        load_norm(kit);
    }
    return in->plan.start ? in->plan.start(kit, error) : DLS_OK;
}

dls_status dls_kit_reload(void *work, const dls_problem *p, const double *lambda0, dls_error *error)
{
    struct dls_kit_inside *in = ((dls_kit *)work)->inside;
    if (in->packed) {
        DLS_TRY(dls_packed_load(in->packed, p, lambda0, error));
        return start_method(work, p, false, false, error);
    }
    DLS_TRY(load_rows(in, p, error));
    memcpy(in->v, p->v_star, p->nv * sizeof *in->v);
    for (size_t i = 0; i < p->n; i++) {
        in->lambda[i] = lambda0 ? lambda0[i] : 0.0;
        dls_response_add(&in->response, i, in->lambda[i], in->v);
    }
    return start_method(work, p, false, false, error);
}

dls_status dls_kit_renew(void *work, const dls_problem *p, const double *v, dls_error *error)
{
    struct dls_kit_inside *in = ((dls_kit *)work)->inside;
    if (in->packed) {
        const size_t layout = in->packed->layout;
        DLS_TRY(dls_packed_renew(in->packed, p, v, error));
        return start_method(work, p, true, layout == in->packed->layout, error);
    }
    DLS_TRY(load_rows(in, p, error));
    memcpy(in->v, v ? v : in->kept, p->nv * sizeof *in->v);
    return start_method(work, p, true, true, error);
}

dls_status dls_kit_open(const dls_kit_plan *plan, const dls_problem *problem, const double *lambda0, void **work,
                        dls_error *error)
{
    *work = NULL;
    if (!plan->row_by_row && !(plan->omega > 0.0 && plan->omega < 2.0))
        return dls_fail(error, DLS_BAD_ARGUMENT, "omega must lie between 0 and 2, both excluded, not %g", plan->omega);
    if (plan->vectors > DLS_KIT_VECTORS_MAX)
        return dls_fail(error, DLS_BAD_ARGUMENT, "%zu vectors by row, more than %d", plan->vectors,
                        DLS_KIT_VECTORS_MAX);
    dls_kit *kit = calloc(1, plan->size);
    struct dls_kit_inside *in = calloc(1, sizeof *in);
    dls_status status = DLS_OK;
    if (!kit || !in) {
        free(kit), free(in);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for an iterative solver");
    }
    kit->inside = in;
    in->plan = *plan;
    if (!plan->row_by_row)
        status = dls_packed_create(plan->omega, &in->packed, error);
    if (in->packed)
        in->packed->threads = plan->threads;
    if (status == DLS_OK)
        status = dls_kit_reload(kit, problem, lambda0, error);
    if (status != DLS_OK)
        dls_kit_close(kit);
    else
        *work = kit;
    return status;
}

void dls_kit_read(const void *work, double *lambda)
{
    const dls_kit *kit = work;
    if (kit->inside->packed)
        dls_packed_read(kit->inside->packed, lambda);
    else
        memcpy(lambda, kit->lambda, kit->size * sizeof *lambda);
}

void dls_kit_refresh(void *work, const double *c)
{
    dls_kit *kit = work;
    kit->changed = true;
    if (kit->inside->packed)
        dls_packed_refresh(kit->inside->packed, c);
    else
        memcpy(kit->inside->c, c, kit->size * sizeof *c);
}

void dls_kit_velocity(const void *work, double *v)
{
    const dls_kit *kit = work;
    if (kit->inside->packed)
        dls_packed_velocity(kit->inside->packed, v);
    else
        memcpy(v, kit->v, kit->problem->nv * sizeof *v);
}

void dls_kit_report(dls_kit *kit, dls_report *report)
{
    report->iterations++;
    report->dead_rows = kit->dead;
    report->row_visits += kit->visits;
    kit->visits = 0.0;
    kit->loaded = kit->changed = false;
}

/* --- all rows at once --- */

size_t dls_kit_place(const dls_kit *kit, size_t i) { return kit->inside->packed ? kit->inside->packed->where[i] : i; }

static double living_rows(const dls_kit *kit) { return (double)(kit->problem->n - kit->dead); }

void dls_kit_sweep(dls_kit *kit, dls_direction direction)
{
    dls_packed_sweep(kit->inside->packed, direction);
    kit->visits += living_rows(kit);
}

void dls_kit_residual(dls_kit *kit, double *w)
{
    const dls_packed *packed = kit->inside->packed;
    dls_packed_residual(packed, packed->y.at, kit->lambda, true, w);
    kit->visits += 0.5 * living_rows(kit);
}

void dls_kit_multiply(dls_kit *kit, const double *x, double *y)
{
    const dls_packed *packed = kit->inside->packed;
    double *velocity = packed->y.at + dls_packed_width(packed); /* the second vector of velocities */
    memset(velocity, 0, dls_packed_width(packed) * sizeof *velocity);
    dls_packed_add(packed, x, velocity);
    dls_packed_residual(packed, velocity, x, false, y);
    kit->visits += living_rows(kit);
}

void dls_kit_add(dls_kit *kit, const double *x)
{
    dls_packed_add(kit->inside->packed, x, kit->inside->packed->y.at);
    kit->visits += 0.5 * living_rows(kit);
}

/* A row of zero diagonal has the step 0 and adds nothing to the mean. */
void dls_kit_steps(const dls_kit *kit, double *s)
{
    const dls_problem *p = kit->problem;
    const uint32_t *where = kit->inside->packed->where;
    dls_packed_steps(kit->inside->packed, s);
    for (size_t i = 0; i < p->n && p->n_cone; i++) {
        double sum = 0.0;
        dls_discs discs;
        if (!dls_problem_is_cone(p, i))
            continue;
        if (is_special(kit, i, &discs)) {
            const double *D = kit->inside->norm.at;
            for (size_t r = i; r < i + discs.rows; r++)
                s[where[r]] = D[where[r]] != 0.0 ? 1.0 / D[where[r]] : 0.0;
            continue;
        }
        for (size_t r = i; r < i + 3; r++)
            sum += s[where[r]] > 0.0 ? 1.0 / s[where[r]] : 0.0;
        for (size_t r = i; r < i + 3; r++)
            s[where[r]] = s[where[r]] > 0.0 ? 3.0 / sum : 0.0;
    }
}

void dls_kit_shift(const dls_kit *kit, const double *w, double *shift)
{
    const dls_problem *p = kit->problem;
    const uint32_t *where = kit->inside->packed->where;
    memset(shift, 0, kit->size * sizeof *shift);
    for (size_t i = 0; i < p->n && p->n_cone; i++) {
        dls_discs discs;
        if (is_special(kit, i, &discs)) {
            double of[DLS_CONTACT_ROWS];
            for (size_t r = 0; r < discs.rows; r++)
                of[r] = w[where[i + r]];
            shift[where[i]] = dls_discs_shift(&discs, of);
        } else if (dls_problem_is_cone(p, i)) {
            shift[where[i]] = p->mu[i + 1] * hypot(w[where[i + 1]], w[where[i + 2]]);
        }
    }
}

static void project_contact(const dls_kit *kit, const dls_discs *discs, size_t i, double *x)
{
    const uint32_t *where = kit->inside->packed->where;
    double of[DLS_CONTACT_ROWS], D[DLS_CONTACT_ROWS];
    for (size_t r = 0; r < discs->rows; r++)
        of[r] = x[where[i + r]], D[r] = kit->inside->norm.at[where[i + r]];
    dls_discs_project(discs, D, of);
    for (size_t r = 0; r < discs->rows; r++)
        x[where[i + r]] = of[r];
}

void dls_kit_project(const dls_kit *kit, const double *normals, double *x)
{
    const dls_problem *p = kit->problem;
    const uint32_t *where = kit->inside->packed->where;
    for (size_t i = 0; i < p->n; i++) {
        double *to = &x[where[i]], lo = p->lo[i], hi = p->hi[i];
        dls_discs discs;
        if (where[i] >= kit->size - kit->dead)
            continue;
        if (is_special(kit, i, &discs)) {
            project_contact(kit, &discs, i, x);
            i += discs.rows - 1;
            continue;
        }
        if (p->n_cone && dls_problem_is_cone(p, i)) {
            double *first = &x[where[i + 1]], *second = &x[where[i + 2]], impulse[3] = {*to, *first, *second};
            dls_cone_project(p->mu[i + 1], hi, impulse);
            *to = impulse[0], *first = impulse[1], *second = impulse[2];
            i += 2;
            continue;
        }
        if (p->parent[i] != DLS_NONE) {
            const double normal = normals[where[p->parent[i]]];
            hi = p->mu[i] * (normal > 0.0 ? normal : 0.0);
            lo = -hi;
        }
        *to = *to < lo ? lo : *to > hi ? hi : *to;
    }
}

/* --- one row after another --- */

double dls_kit_row_residual(dls_kit *kit, size_t i)
{
    const dls_problem *p = kit->problem;
    kit->visits += 0.5;
    return dls_rows_dot(&p->J, i, kit->v) + p->gamma[i] * kit->lambda[i] - kit->inside->c[i];
}

void dls_kit_row_set(dls_kit *kit, size_t i, double impulse)
{
    dls_response_add(&kit->inside->response, i, impulse - kit->lambda[i], kit->v);
    kit->lambda[i] = impulse;
    kit->visits += 0.5;
}

void dls_kit_block(const dls_kit *kit, size_t i, size_t count, double *block)
{
    const dls_problem *p = kit->problem;
    double *zero = kit->v + p->nv;
    for (size_t r = 0; r < count; r++)
        for (size_t s = 0; s < count; s++)
            block[count * r + s] =
                dls_response_entry(&kit->inside->response, p, i + r, i + s, zero) + (r == s ? p->gamma[i + r] : 0.0);
}
