/* Augmented vertex block descent on rows. C. Giles, E. Diaz, C. Yuksel, Augmented Vertex Block Descent, 2025; A. H.
 * Chen, Z. Liu, Y. Yang, C. Yuksel, Vertex Block Descent, 2024.
 *
 * A step of implicit Euler over h is the least D, the displacement from q, of
 *     1/2 (D - Y)^T M (D - Y) / h^2 + sum over rows of 1/2 k C*^2 - f C*,      Y = h v*,  v* = v + h M^-1 force
 * with the stiffness k > 0 and the force f of each row. `iterations` of the solver, which is not used itself, times:
 *     each block b of M after another (a body: 6 x 6; an articulation: all of its joints), at the current positions:
 *         F_i = clamp(f_i - k_i C*_i)
 *         D_b <- D_b + (M_b / h^2 + sum k_i J_ib^T J_ib)^-1 (M_b (Y_b - D_b) / h^2 + sum J_ib^T F_i)
 *     each row: f_i <- clamp(f_i - k_i C*_i), and where that is within its bounds, k_i <- min(k_i + beta |C*_i|, k_max)
 * v+ = D / h. Rows at a bound have no k in the block, unless the motion to Y would bring them from it: a stop that is
 * just open must not let its block fall through. C* = C - alpha C(q): the share 1 - alpha of an error is corrected in
 * each step, whatever the ERP is, and a gap is not.
 * Friction and motors have the way C* = J D - h u; bounds of friction are those of the last normal force. A spring and
 * damper has f = push - kp C - kd (J D) / h, with k = kp + kd / h. A step begins with alpha gamma times the impulses of
 * its warm start (without: 0).
 *
 * STIFFNESS AT THE START. The authors keep gamma k from step to step. A simulation keeps impulses alone, so that
 * copies, changes and repeated steps have the same bytes. So k begins at `stiffness` times m / h^2, m = 1 / (J M^-1
 * J^T) the effective mass of the row, and at least at k_min. It is then in the units of the problem. k_min, k_max and
 * BETA ARE NOT: beta is in N/m^2, so that with other units of mass or length the same mechanism has other iterates;
 * tests/test_units.c measures this, and that all other schemes do not depend on units. With beta = 0 this one does not
 * either, as far as k_min and k_max do not act.
 *
 * The geometric stiffness of the authors, for the change of J within the step, is left out. RESTITUTION does not exist
 * in the method: a contact that would rebound is refused.
 *
 * CONVERGENCE. If blocks are solved exactly together, the dual step is the method of multipliers, whose error falls by
 * 1 / (1 + k A h^2) for each row per iteration; one sweep over the blocks is Gauss-Seidel for a matrix whose condition
 * grows with k. So heavy bodies on light ones and long chains need many iterations, and a larger k does not help.
 * The ledger is that of xpbd.c. Order 1 where the iterations converge.
 */
#include "halfway.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct avbd {
    double alpha, beta, gamma, stiffness, least, most;
} avbd;

#define REAL(key, unit, member, fallback, min, max, help)                                        \
    {                                                                                            \
        key, unit, DLS_FIELD_REAL, offsetof(avbd, member), fallback, min, max, false, NULL, help \
    }
static const dls_field fields[] = {
    REAL("alpha", "", alpha, "0.99", 0, 1, "share of a position error that a step does not correct"),
    REAL("beta", "N/m^2", beta, "1e5", 0, HUGE_VAL, "growth of a row's stiffness per iteration, over its error"),
    REAL("gamma", "", gamma, "0.99", 0, 1,
         "with alpha the share of the impulses of a warm start that a step begins with"),
    REAL("stiffness", "", stiffness, "10", 0, HUGE_VAL,
         "stiffness of a row at the start of a step, relative to its effective mass over h^2"),
    REAL("k_min", "N/m", least, "1", 0, HUGE_VAL, "least stiffness of a row"),
    REAL("k_max", "N/m", most, "1e10", 0, HUGE_VAL, "greatest stiffness of a row"),
};

typedef struct avbd_work {
    dls_halfway halfway; /* v: Y; mean: D; by row: target: alpha C(q); c: k; u: the impulse within an iteration */
    dls_row_list *rows;  /* at the current positions */
    size_t capacity;     /* of entries */
    size_t *start,
        *entry;    /* the blocks of J by blocks of M, as in dls_rows_by_block; entry[2 e]: row, [2 e + 1]: block */
    size_t length; /* of the longest block of M */
    double *H, *M, *b, *J; /* length x length, and length */
    const avbd *settings;
    double h;
} avbd_work;

static dls_status open_work(dls_simulation *s, void **work, dls_error *error)
{
    DLS_TRY(dls_halfway_open(s, sizeof(avbd_work), work, error));
    return dls_row_list_create(&((avbd_work *)*work)->rows, error);
}

static void close_work(void *work)
{
    avbd_work *w = work;
    if (w) {
        dls_row_list_destroy(w->rows);
        free(w->start);
        free(w->entry);
        free(w->H);
    }
    dls_halfway_close(work);
}

/* --- rows by blocks --- */

static dls_status make_room(avbd_work *w, dls_error *error)
{
    const dls_problem *p = dls_stage_problem(w->halfway.simulation);
    const size_t length = dls_mass_longest(&p->mass), blocks = p->mass.n_blocks;
    if (w->H && w->start && w->entry && length <= w->length && p->J.n_blocks <= w->capacity)
        return DLS_OK;
    free(w->start);
    free(w->entry);
    free(w->H);
    w->length = length;
    w->capacity = p->J.n_blocks + p->J.n_blocks / 2;
    w->start = calloc(blocks + 2, sizeof *w->start);
    w->entry = calloc(2 * w->capacity + 1, sizeof *w->entry);
    w->H = calloc(2 * (length + 1) * (length + 1), sizeof *w->H);
    if (!w->start || !w->entry || !w->H)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu blocks", blocks);
    w->M = w->H + length * length;
    w->b = w->M + length * length;
    w->J = w->b + length;
    return DLS_OK;
}

/* Sorts the blocks of J by the blocks of M, in the order of the rows. */
static void sort_blocks(avbd_work *w)
{
    const dls_problem *p = dls_stage_problem(w->halfway.simulation);
    const size_t blocks = p->mass.n_blocks;
    memset(w->start, 0, (blocks + 2) * sizeof *w->start);
    for (size_t e = 0; e < p->J.n_blocks; e++)
        w->start[p->J.mass[e] + 2]++;
    for (size_t b = 0; b < blocks; b++)
        w->start[b + 2] += w->start[b + 1];
    for (size_t i = 0; i < p->n; i++)
        for (size_t e = p->J.start[i]; e < p->J.start[i + 1]; e++) {
            const size_t at = w->start[p->J.mass[e] + 1]++;
            w->entry[2 * at] = i, w->entry[2 * at + 1] = e;
        }
}

/* --- one row --- */

/* The impulse of row i without bounds, and its stiffness. The mean velocity of the row is J D / h and what is given. */
static double row_impulse(const avbd_work *w, size_t i, double *k)
{
    const dls_halfway *half = &w->halfway;
    const dls_list_row *row = &w->rows->row[i];
    const double *prescribed = dls_row_list_prescribed(w->rows), *lambda = dls_stage_impulses(half->simulation),
                 h = w->h, way = dls_rows_dot(&w->rows->J, i, half->mean) + (prescribed ? h * prescribed[i] : 0.0);
    dls_spring_law law;
    *k = half->c[i];
    if (dls_row_spring_law(row, h, &law)) {
        if (row->role == DLS_ROLE_STOP && half->target[i] > 0.0) /* while a gap closes its damper does not act */
            law.push -= law.kd * row->u, law.kd = 0.0;
        *k = law.kp + law.kd / h;
        return h * (law.push - law.kp * row->C) - law.kd * way;
    }
    if (row->role == DLS_ROLE_JOINT || row->role == DLS_ROLE_STOP)
        return lambda[i] - h * *k * (row->C - half->target[i]);
    return lambda[i] - h * *k * (way - h * row->u);
}

/* Sets u[i] to the impulse of row i within its bounds, and returns its stiffness, or 0 if it is at a bound and would
 * also be there after a motion by `ahead` of the row. Tangents of a cone are scaled together, once the impulse of the
 * second one is known. */
static double bounded_impulse(avbd_work *w, size_t i, double ahead)
{
    const dls_problem *p = dls_stage_problem(w->halfway.simulation);
    const double *lambda = dls_stage_impulses(w->halfway.simulation);
    double k, lo, hi, free_one = row_impulse(w, i, &k);
    dls_problem_bounds(p, i, lambda, &lo, &hi);
    w->halfway.u[i] = fmin(fmax(free_one, lo), hi);
    if (p->law[i] == DLS_LAW_CONE && p->parent[i] + 2 == i) {
        const double first = w->halfway.u[i - 1], size = hypot(first, w->halfway.u[i]);
        if (size > hi) {
            w->halfway.u[i - 1] *= hi / size;
            w->halfway.u[i] *= hi / size;
        }
    }
    const double then = free_one - w->h * k * ahead;
    return fmax(free_one, then) > lo && fmin(free_one, then) < hi ? k : 0.0;
}

/* --- blocks --- */

/* Solves H x = b in place by Cholesky's method; H is n x n, by rows, with the leading dimension n, and positive
 * definite. */
static void block_solve(size_t n, double *H, double *b)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            for (size_t k = 0; k < j; k++)
                H[i * n + j] -= H[i * n + k] * H[j * n + k];
            H[i * n + j] = i == j ? sqrt(H[j * n + j]) : H[i * n + j] / H[j * n + j];
        }
        for (size_t k = 0; k < j; k++)
            b[j] -= H[j * n + k] * b[k];
        b[j] /= H[j * n + j];
    }
    for (size_t j = n; j-- > 0;) {
        for (size_t k = j + 1; k < n; k++)
            b[j] -= H[k * n + j] * b[k];
        b[j] /= H[j * n + j];
    }
}

/* H and b of a block without rows. */
static void put_inertia(avbd_work *w, const dls_mass_block *block)
{
    const size_t n = block->length;
    const double scale = 1.0 / (w->h * w->h);
    dls_mass_block_matrix(block, w->b, w->M, n);
    memset(w->b, 0, n * sizeof *w->b);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const size_t at = block->offset + j;
            w->H[i * n + j] = scale * w->M[i * n + j];
            w->b[i] += w->H[i * n + j] * (w->halfway.v[at] - w->halfway.mean[at]);
        }
}

static void add_row(avbd_work *w, size_t n, double k, double force)
{
    for (size_t i = 0; i < n; i++) {
        w->b[i] += w->J[i] * force;
        for (size_t j = 0; j < n; j++)
            w->H[i * n + j] += k * w->J[i] * w->J[j];
    }
}

/* Adds all rows of block b, whose J may have several parts in it, to H and b. */
static void add_rows(avbd_work *w, size_t b, const dls_mass_block *block)
{
    const dls_rows *J = &w->rows->J;
    memset(w->J, 0, block->length * sizeof *w->J);
    for (size_t e = w->start[b]; e < w->start[b + 1]; e++) {
        const size_t i = w->entry[2 * e], part = w->entry[2 * e + 1], length = J->coef_at[part + 1] - J->coef_at[part];
        memcpy(w->J + (J->offset[part] - block->offset), J->coef + J->coef_at[part], length * sizeof *w->J);
        if (e + 1 < w->start[b + 1] && w->entry[2 * e + 2] == i)
            continue;
        add_row(w, block->length, w->halfway.lo[i], w->halfway.u[i] / w->h);
        memset(w->J, 0, block->length * sizeof *w->J);
    }
}

/* Moves by b in the columns of a block of M, which is that of `body`, or of an articulation (DLS_NONE). */
static void displace_block(avbd_work *w, const dls_mass_block *block, size_t body)
{
    dls_halfway *half = &w->halfway;
    for (size_t j = 0; j < block->length; j++)
        half->mean[block->offset + j] += w->b[j];
    if (body != DLS_NONE) {
        dls_stage_displace_body(half->simulation, body, w->b);
        return;
    }
    memcpy(half->move + block->offset, w->b, block->length * sizeof *half->move);
    dls_stage_displace(half->simulation, half->move);
    memset(half->move + block->offset, 0, block->length * sizeof *half->move);
}

static dls_status move_block(avbd_work *w, size_t b, size_t body, dls_error *error)
{
    dls_halfway *half = &w->halfway;
    const dls_mass_block *block = &dls_stage_problem(half->simulation)->mass.blocks[b];
    const dls_row_list *rows = w->rows;
    const size_t begin = w->start[b], end = w->start[b + 1], n = block->length;
    for (size_t e = begin; e < end; e++) {
        const size_t i = w->entry[2 * e];
        if (e == begin || rows->row[i].owner != rows->row[w->entry[2 * e - 2]].owner)
            DLS_TRY(dls_stage_renew_rows(half->simulation, w->rows, i - rows->row[i].slot, w->h, error));
    }
    put_inertia(w, block);
    for (size_t j = block->offset; j < block->offset + n; j++)
        half->move[j] = half->v[j] - half->mean[j];
    for (size_t e = begin; e < end; e++) {
        const size_t i = w->entry[2 * e];
        half->lo[i] = bounded_impulse(w, i, dls_rows_dot(&rows->J, i, half->move));
    }
    memset(half->move + block->offset, 0, n * sizeof *half->move);
    add_rows(w, b, block);
    block_solve(n, w->H, w->b);
    displace_block(w, block, body);
    return DLS_OK;
}

/* One block of M after another, of which those of bodies come first, in the order of the bodies. */
static dls_status sweep_blocks(avbd_work *w, dls_error *error)
{
    const dls_model *model = dls_simulation_model(w->halfway.simulation);
    const size_t n_bodies = dls_model_count(model).bodies;
    memset(w->halfway.move, 0, w->rows->J.n_columns * sizeof *w->halfway.move); /* so it is after each block */
    for (size_t b = 0, body = 0; b < dls_stage_problem(w->halfway.simulation)->mass.n_blocks; b++) {
        while (body < n_bodies && dls_model_bodies(model)[body].block != b)
            body++;
        DLS_TRY(move_block(w, b, body < n_bodies ? body : DLS_NONE, error));
    }
    return DLS_OK;
}

/* The new impulses, and stiffnesses. */
static dls_status update_rows(avbd_work *w, dls_error *error)
{
    dls_halfway *half = &w->halfway;
    double *lambda = dls_stage_impulses(half->simulation);
    DLS_TRY(dls_stage_rows(half->simulation, w->rows, w->h, error));
    for (size_t i = 0; i < w->rows->n; i++)
        half->lo[i] = bounded_impulse(w, i, 0.0);
    for (size_t i = 0; i < w->rows->n; i++) {
        const double error_of_row = half->c[i] > 0.0 ? fabs(half->u[i] - lambda[i]) / (w->h * half->c[i]) : 0.0;
        if (half->lo[i] > 0.0)
            half->c[i] = fmin(half->c[i] + w->settings->beta * error_of_row, w->settings->most);
        lambda[i] = half->u[i];
    }
    return DLS_OK;
}

/* --- the step --- */

static dls_status begin_rows(avbd_work *w, dls_error *error)
{
    dls_halfway *half = &w->halfway;
    dls_simulation *s = half->simulation;
    const dls_problem *p = dls_stage_problem(s);
    const dls_row_list *rows = dls_simulation_rows(s);
    const avbd *set = w->settings;
    double *lambda = dls_stage_impulses(s);
    for (size_t i = 0; i < p->n; i++) {
        const dls_list_row *row = &rows->row[i];
        if (row->role == DLS_ROLE_STOP && row->u > 0.0)
            return dls_fail(error, DLS_REFUSED,
                            "avbd has no restitution, and a contact rebounds at %g m/s; set its "
                            "restitution to 0, or take another scheme",
                            row->u);
        const double A = dls_rows_response(&p->J, &p->mass, i, half->move, half->scratch),
                     k = A > 0.0 ? set->stiffness / (A * w->h * w->h) : 0.0;
        half->c[i] = A > 0.0 ? fmin(fmax(k, set->least), set->most) : 0.0;
        half->target[i] = !dls_list_row_rigid(row, w->h) ? row->C : row->gap ? 0.0 : set->alpha * row->C;
        lambda[i] *= set->alpha * set->gamma;
    }
    return DLS_OK;
}

static dls_status step(dls_simulation *s, const void *settings, void *work, double h, dls_error *error)
{
    avbd_work *w = work;
    dls_halfway *half = &w->halfway;
    DLS_TRY(dls_halfway_refuse_keep(s, "avbd", error));
    w->settings = settings;
    w->h = h;
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, h, error));
    DLS_TRY(dls_halfway_refuse_laws(s, "avbd", error));
    DLS_TRY(dls_halfway_begin(half, error));
    DLS_TRY(make_room(w, error));
    dls_stage_drop_bias(s, false);
    const dls_problem *p = dls_stage_problem(s);
    DLS_TRY(begin_rows(w, error));
    sort_blocks(w);
    const dls_energies before = dls_halfway_predict(half, h);
    memcpy(half->v, half->mean, p->nv * sizeof *half->v);
    for (size_t n = 0; n < dls_stage_iterations(s); n++) {
        DLS_TRY(dls_stage_rows(s, w->rows, h, error));
        DLS_TRY(sweep_blocks(w, error));
        DLS_TRY(update_rows(w, error));
    }
    for (size_t j = 0; j < p->nv; j++)
        half->mean[j] /= h;
    dls_halfway_end(half, before);
    dls_stage_report(s)->iterations = dls_stage_iterations(s);
    dls_report_end(dls_stage_report(s), DLS_OUTCOME_ITERATION_LIMIT, "%zu iterations", dls_stage_iterations(s));
    return dls_stage_end(s, h, error);
}

const dls_scheme dls_scheme_avbd = {
    .name = "avbd",
    .summary = "augmented vertex block descent: a Newton step for each body or articulation after another, with "
               "multipliers and stiffnesses of the rows",
    .source = "Giles, Diaz, Yuksel 2025",
    .fields = DLS_FIELD_TABLE(fields, avbd),
    .open = open_work,
    .close = close_work,
    .step = step,
};
