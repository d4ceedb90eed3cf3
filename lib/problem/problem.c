/* The memory of a problem, its validation, and the equations that all users of a problem share. */
#include "problem_store.h"

#include "base/arithmetic.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- memory --- */

dls_status dls_problem_take(dls_problem *p, dls_error *error)
{
    dls_arena *arena = &p->store->arena;
    p->v_star = DLS_TAKE(arena, double, p->nv);
    p->gamma = DLS_TAKE(arena, double, p->n);
    p->c = DLS_TAKE(arena, double, p->n);
    p->lo = DLS_TAKE(arena, double, p->n);
    p->hi = DLS_TAKE(arena, double, p->n);
    p->mu = DLS_TAKE(arena, double, p->n);
    p->parent = DLS_TAKE(arena, size_t, p->n);
    p->law = DLS_TAKE(arena, dls_law, p->n);
    if (!arena->failed)
        return DLS_OK;
    const size_t n = p->n;
    p->n = p->nv = p->J.n = 0;
    return dls_fail(error, DLS_NO_MEMORY, "no memory for a problem of %zu rows", n);
}

static dls_status take_zeros(dls_problem *p, size_t n_blocks, size_t n_coefs, size_t n_mass, dls_error *error)
{
    dls_arena *arena = &p->store->arena;
    const size_t n = p->n;
    p->h = 1.0;
    p->mass = (dls_mass){p->nv, n_mass, DLS_TAKE_ZEROS(arena, dls_mass_block, n_mass)};
    p->J = (dls_rows){.n = n,
                      .n_columns = p->nv,
                      .n_blocks = n_blocks,
                      .start = DLS_TAKE_ZEROS(arena, size_t, n + 1),
                      .offset = DLS_TAKE_ZEROS(arena, size_t, n_blocks + 1),
                      .coef_at = DLS_TAKE_ZEROS(arena, size_t, n_blocks + 1),
                      .mass = n_mass ? DLS_TAKE_ZEROS(arena, uint32_t, n_blocks) : NULL,
                      .coef = DLS_TAKE_ZEROS(arena, double, n_coefs)};
    DLS_TRY(dls_problem_take(p, error));
    memset(p->v_star, 0, p->nv * sizeof *p->v_star);
    for (size_t i = 0; i < n; i++) {
        p->gamma[i] = p->c[i] = p->lo[i] = p->hi[i] = p->mu[i] = 0.0;
        p->parent[i] = DLS_NONE;
        p->law[i] = DLS_LAW_FIXED;
    }
    return DLS_OK;
}

dls_status dls_problem_allocate(size_t n, size_t nv, size_t n_blocks, size_t n_coefs, size_t n_mass,
                                dls_problem **problem, dls_error *error)
{
    dls_problem *p = *problem = calloc(1, sizeof *p);
    if (p)
        p->store = calloc(1, sizeof *p->store);
    if (!p || !p->store) {
        free(p);
        *problem = NULL;
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a problem");
    }
    p->n = n, p->nv = nv;
    dls_status status = take_zeros(p, n_blocks, n_coefs, n_mass, error);
    if (status != DLS_OK) {
        dls_problem_destroy(p);
        *problem = NULL;
    }
    return status;
}

void dls_problem_destroy(dls_problem *p)
{
    if (!p)
        return;
    if (p->store->owns_rows)
        dls_row_list_destroy(p->store->rows);
    dls_configuration_destroy(p->store->configuration);
    dls_arena_release(&p->store->arena);
    free(p->store);
    free(p);
}

const dls_row_list *dls_problem_rows(const dls_problem *p) { return p->store->rows; }

const char *dls_problem_label(const dls_problem *p, size_t i)
{
    return p->store->rows ? p->store->rows->row[i].label : "row";
}

const char *dls_problem_owner(const dls_problem *p, size_t i) { return p->store->owners ? p->store->owners[i] : ""; }

const char *const dls_row_status_names[] = {"between", "lower", "upper", "cone", NULL};

dls_row_status dls_problem_row_status(const dls_problem *p, size_t i, const double *lambda)
{
    double lo, hi;
    if (dls_law_has_discs(p->law[i])) {
        const size_t parent = p->parent[i], first = i - (i - parent - 1) % 2;
        const double most = fmax(p->mu[first], p->mu[first + 1]);
        const double share = most > 0.0 ? p->mu[first] / most : 1.0, other = most > 0.0 ? p->mu[first + 1] / most : 1.0;
        const double radius = most * fmin(share, other) * fmax(lambda[parent], 0.0);
        const double x = lambda[first] * (other < share ? other : 1.0),
                     y = lambda[first + 1] * (share < other ? share : 1.0);
        const double pull = hypot(x, y);
        return pull >= radius * (1.0 - 4.0 * DBL_EPSILON) ? DLS_ROW_CONE : DLS_ROW_BETWEEN;
    }
    dls_problem_bounds(p, i, lambda, &lo, &hi);
    const double ulps = 4.0 * DBL_EPSILON * fabs(lambda[i]);
    return lambda[i] <= lo + ulps ? DLS_ROW_LOWER : lambda[i] >= hi - ulps ? DLS_ROW_UPPER : DLS_ROW_BETWEEN;
}

dls_status dls_problem_keep_text(dls_problem *p, const char *text, size_t length, const char **kept, dls_error *error)
{
    char *copy = DLS_TAKE(&p->store->arena, char, length + 1);
    if (!copy)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a problem's labels");
    memcpy(copy, text, length);
    copy[length] = '\0';
    *kept = copy;
    return DLS_OK;
}

dls_status dls_problem_keep_body(dls_problem *p, dls_mass_body **kept, dls_error *error)
{
    *kept = DLS_TAKE(&p->store->arena, dls_mass_body, 1);
    return *kept ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for the mass of a body");
}

dls_status dls_problem_keep_dense(dls_problem *p, size_t n, const dls_mass_dense **kept, dls_error *error)
{
    dls_arena *arena = &p->store->arena;
    dls_mass_dense *dense = DLS_TAKE(arena, dls_mass_dense, 1);
    double *values = n < SIZE_MAX / 8 / (n + 1) ? DLS_TAKE_ZEROS(arena, double, 2 * n * n) : NULL;
    if (!dense || !values)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a mass matrix of %zu velocities", n);
    *dense = (dls_mass_dense){n, values, values + n * n};
    *kept = dense;
    return DLS_OK;
}

dls_status dls_problem_keep_rows(dls_problem *p, dls_row_list **rows, dls_error *error)
{
    DLS_TRY(dls_row_list_create(&p->store->rows, error));
    p->store->owns_rows = true;
    *rows = p->store->rows;
    return dls_row_list_blank(p->store->rows, p->n, error);
}

/* Copies the list of the rows and the names of their owners, without springs, which belong to a list with a
 * configuration. */
static dls_status copy_origin(const dls_problem *from, const size_t *order, dls_problem *to, dls_error *error)
{
    const dls_row_list *list = from->store->rows;
    dls_row_list *rows;
    DLS_TRY(dls_problem_keep_rows(to, &rows, error));
    if (from->store->owners && !(to->store->owners = DLS_TAKE_ZEROS(&to->store->arena, const char *, to->n)))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the owners of %zu rows", to->n);
    for (size_t i = 0; i < to->n; i++) {
        const size_t k = order ? order[i] : i;
        const char *label = dls_problem_label(from, k), *owner = dls_problem_owner(from, k);
        if (list)
            rows->row[i] = list->row[k];
        rows->row[i].spring = NULL;
        rows->row[i].after = 0;
        DLS_TRY(dls_problem_keep_text(to, label, strlen(label), &rows->row[i].label, error));
        if (to->store->owners)
            DLS_TRY(dls_problem_keep_text(to, owner, strlen(owner), &to->store->owners[i], error));
    }
    return DLS_OK;
}

dls_status dls_problem_copy_rows(const dls_problem *from, const size_t *order, dls_problem *to, dls_error *error)
{
    size_t *place = malloc((from->n + 1) * sizeof *place); /* of each row of `from`: its row of `to` */
    if (!place)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the order of %zu rows", from->n);
    for (size_t i = 0; i < to->n; i++)
        place[order ? order[i] : i] = i;
    for (size_t i = 0; i < to->n; i++) {
        const size_t k = order ? order[i] : i;
        to->parent[i] = from->parent[k] == DLS_NONE ? DLS_NONE : place[from->parent[k]];
        to->mu[i] = from->mu[k];
        to->law[i] = from->law[k];
    }
    free(place);
    memcpy(to->name, from->name, sizeof from->name);
    to->n_coupled = from->n_coupled;
    to->n_cone = from->n_cone;
    DLS_TRY(copy_origin(from, order, to, error));
    return dls_problem_check(to, error);
}

/* --- the matrix form --- */

/* Runs of adjacent nonzeros of each row become blocks; there are at most as many as nonzeros. */
static void store_rows(dls_rows *J, size_t n, const double *A)
{
    size_t block = 0, coef = 0;
    for (size_t i = 0; i < n; i++) {
        J->start[i] = block;
        for (size_t j = 0; j < n; j++) {
            if (A[i + n * j] == 0.0)
                continue;
            if (j == 0 || A[i + n * (j - 1)] == 0.0) {
                J->offset[block] = j;
                J->coef_at[block++] = coef;
            }
            J->coef[coef++] = A[i + n * j];
        }
    }
    J->start[n] = J->n_blocks = block;
    J->coef_at[block] = coef;
}

dls_status dls_problem_from_matrix(size_t n, const double *A, const double *b, const double *lo, const double *hi,
                                   dls_problem **problem, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    size_t nonzeros = 0;
    for (size_t k = 0; k < n * n; k++)
        nonzeros += A[k] != 0.0;
    DLS_TRY(dls_problem_allocate(n, n, nonzeros, nonzeros, 0, problem, error));
    dls_problem *p = *problem;
    p->form = DLS_FORM_MATRIX;
    store_rows(&p->J, n, A);
    for (size_t i = 0; i < n; i++) {
        p->c[i] = -b[i];
        p->lo[i] = lo ? lo[i] : 0.0;
        p->hi[i] = hi ? hi[i] : HUGE_VAL;
    }
    dls_status status = dls_problem_check(p, error);
    if (status != DLS_OK) {
        dls_problem_destroy(p);
        *problem = NULL;
    }
    return status;
}

/* --- checks --- */

/* Checks that row i in a disc belongs to a contact under a cone whose rows stand as problem.h says. */
static dls_status check_disc(const dls_problem *p, size_t i, dls_error *error)
{
    const size_t normal = p->parent[i], discs = dls_problem_discs(p, normal);
    bool whole = discs > 0 && i > normal && i <= normal + 2 * discs;
    for (size_t k = normal + 1; whole && k <= normal + 2 * discs; k++)
        whole = p->parent[k] == normal && dls_law_has_discs(p->law[k]);
    if (!whole)
        return dls_fail(error, DLS_BAD_INPUT,
                        "row %zu: the rows of a cone are the two tangents after their normal row, and the two rows of "
                        "rolling friction after these",
                        i);
    if (p->law[i] != p->law[normal + 1] || p->lo[normal] != 0.0)
        return dls_fail(error, DLS_BAD_INPUT, "row %zu: a cone has one law, and a normal impulse from 0 up", i);
    return DLS_OK;
}

/* Checks that a row under a box or a cone has a normal row, and that a cone is complete. */
static dls_status check_law(const dls_problem *p, size_t i, dls_error *error)
{
    size_t normal = p->parent[i];
    if (normal == DLS_NONE)
        return p->law[i] == DLS_LAW_FIXED
                   ? DLS_OK
                   : dls_fail(error, DLS_BAD_INPUT, "row %zu is under a friction law without a normal row", i);
    if (p->law[i] == DLS_LAW_FIXED)
        return dls_fail(error, DLS_BAD_INPUT, "row %zu has a normal row, and fixed bounds", i);
    if (normal >= p->n || p->parent[normal] != DLS_NONE)
        return dls_fail(error, DLS_BAD_INPUT, "row %zu has no normal row as its parent", i);
    if (dls_law_has_discs(p->law[i]))
        return check_disc(p, i, error);
    if (dls_problem_is_cone(p, normal) && p->law[normal + 1] == DLS_LAW_ASSOCIATED)
        return dls_fail(error, DLS_BAD_INPUT,
                        "row %zu: torsional friction between bounds is not part of an associated law", i);
    return DLS_OK;
}

/* Whether a block of J lies within the block of the mass operator that it names. */
static bool lies_within_mass(const dls_problem *p, size_t k, size_t length)
{
    if (p->J.mass[k] >= p->mass.n_blocks)
        return false;
    const dls_mass_block *block = &p->mass.blocks[p->J.mass[k]];
    return p->J.offset[k] >= block->offset && p->J.offset[k] + length <= block->offset + block->length;
}

dls_status dls_problem_check_row(const dls_problem *p, size_t i, dls_error *error)
{
    if (!isfinite(p->gamma[i]) || !isfinite(p->c[i]) || !isfinite(p->mu[i]))
        return dls_fail(error, DLS_NOT_FINITE,
                        "row %zu has a right side, compliance, error or friction that is not finite", i);
    if (isnan(p->lo[i]) || isnan(p->hi[i]) || p->lo[i] > p->hi[i] || p->lo[i] == HUGE_VAL || p->hi[i] == -HUGE_VAL)
        return dls_fail(error, DLS_BAD_INPUT, "row %zu has bounds [%g, %g]; lo <= hi must hold", i, p->lo[i], p->hi[i]);
    if (p->gamma[i] < 0.0 || p->mu[i] < 0.0)
        return dls_fail(error, DLS_BAD_INPUT, "row %zu has a negative compliance or friction coefficient", i);
    DLS_TRY(check_law(p, i, error));
    for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++) {
        size_t length = p->J.coef_at[k + 1] - p->J.coef_at[k];
        if (length > p->nv || p->J.offset[k] > p->nv - length)
            return dls_fail(error, DLS_BAD_INPUT, "row %zu reaches beyond the %zu velocities", i, p->nv);
        if (k > p->J.start[i] && p->J.offset[k] < p->J.offset[k - 1] + p->J.coef_at[k] - p->J.coef_at[k - 1])
            return dls_fail(error, DLS_BAD_INPUT,
                            "row %zu: the blocks of a row stand in the order of their columns and do not overlap", i);
        if (p->form == DLS_FORM_MECHANICAL && !lies_within_mass(p, k, length))
            return dls_fail(error, DLS_BAD_INPUT, "row %zu has a block that is not within its block of the mass", i);
        for (size_t j = p->J.coef_at[k]; j < p->J.coef_at[k + 1]; j++)
            if (!isfinite(p->J.coef[j]))
                return dls_fail(error, DLS_NOT_FINITE, "row %zu has a coefficient that is not finite", i);
    }
    return DLS_OK;
}

dls_status dls_problem_check(const dls_problem *p, dls_error *error)
{
    if (!(p->h > 0.0) || !isfinite(p->h))
        return dls_fail(error, DLS_BAD_INPUT, "the time step must be positive and finite, not %g", p->h);
    size_t coupled = 0, cone = 0;
    for (size_t i = 0; i < p->n; i++) {
        DLS_TRY(dls_problem_check_row(p, i, error));
        coupled += p->law[i] != DLS_LAW_FIXED;
        cone += dls_law_has_discs(p->law[i]);
    }
    if (coupled != p->n_coupled || cone != p->n_cone)
        return dls_fail(error, DLS_BAD_INPUT,
                        "%zu rows are under a friction law, %zu of them in discs; n_coupled and n_cone are %zu "
                        "and %zu",
                        coupled, cone, p->n_coupled, p->n_cone);
    for (size_t j = 0; j < p->nv; j++)
        if (!isfinite(p->v_star[j]))
            return dls_fail(error, DLS_NOT_FINITE, "unconstrained velocity %zu is not finite", j);
    return DLS_OK;
}

/* --- equations --- */

void dls_problem_velocity(const dls_problem *p, const double *lambda, double *v, double *scratch)
{
    if (p->form == DLS_FORM_MATRIX) {
        memcpy(v, lambda, p->n * sizeof *v);
        return;
    }
    memset(scratch, 0, p->nv * sizeof *scratch);
    for (size_t i = 0; i < p->n; i++)
        dls_rows_axpy(&p->J, i, lambda[i], scratch);
    dls_mass_solve(&p->mass, scratch, v);
    for (size_t j = 0; j < p->nv; j++)
        v[j] += p->v_star[j];
}

/* The entry of a row in one column, by bisection over the row's blocks. */
static double row_entry(const dls_rows *J, size_t i, size_t column)
{
    size_t from = J->start[i], to = J->start[i + 1];
    while (to - from > 1) {
        size_t middle = from + (to - from) / 2;
        if (J->offset[middle] <= column)
            from = middle;
        else
            to = middle;
    }
    bool inside =
        to > from && column >= J->offset[from] && column - J->offset[from] < J->coef_at[from + 1] - J->coef_at[from];
    return inside ? J->coef[J->coef_at[from] + column - J->offset[from]] : 0.0;
}

bool dls_problem_is_symmetric(const dls_problem *p)
{
    const dls_rows *J = &p->J;
    for (size_t i = 0; p->form == DLS_FORM_MATRIX && i < p->n; i++)
        for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
            for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++) {
                double a = J->coef[at], b = row_entry(J, j, i), allowed = 1e-13 * (fabs(a) + fabs(b));
                if (fabs(a - b) <= allowed)
                    continue;
                allowed +=
                    1e-13 * sqrt(fabs(row_entry(J, i, i) + p->gamma[i])) * sqrt(fabs(row_entry(J, j, j) + p->gamma[j]));
                if (!(fabs(a - b) <= allowed))
                    return false;
            }
    return true;
}

void dls_problem_bounds(const dls_problem *p, size_t i, const double *lambda, double *lo, double *hi)
{
    *lo = p->lo[i];
    *hi = p->hi[i];
    if (p->parent[i] != DLS_NONE) {
        double normal = lambda[p->parent[i]];
        *hi = p->mu[i] * (normal > 0.0 ? normal : 0.0);
        *lo = -*hi;
    }
}

double dls_problem_response(const dls_problem *p, size_t i, double *B, double *scratch)
{
    if (p->form == DLS_FORM_MECHANICAL)
        return dls_rows_response(&p->J, &p->mass, i, B, scratch) + p->gamma[i];
    B[i] = 1.0;
    return row_entry(&p->J, i, i) + p->gamma[i];
}

void dls_problem_diagonal(const dls_problem *p, double *diagonal, double *scratch)
{
    for (size_t i = 0; i < p->n; i++)
        diagonal[i] = dls_problem_response(p, i, scratch, scratch + p->nv);
}

/* --- contacts under a cone --- */

static void couple_row(dls_problem *p, size_t normal, size_t i, dls_law law, double mu)
{
    p->parent[i] = normal;
    p->mu[i] = mu;
    p->law[i] = law;
    p->lo[i] = p->hi[i] = 0.0;
    p->n_coupled++;
}

void dls_problem_make_box(dls_problem *p, size_t normal, size_t i, double mu)
{
    couple_row(p, normal, i, DLS_LAW_BOX, mu);
}

void dls_problem_make_disc(dls_problem *p, size_t normal, size_t first, dls_law law, double mu_1, double mu_2)
{
    p->lo[normal] = 0.0;
    couple_row(p, normal, first, law, mu_1);
    couple_row(p, normal, first + 1, law, mu_2);
    p->n_cone += 2;
}

void dls_problem_make_cone(dls_problem *p, size_t i, double mu)
{
    dls_problem_make_disc(p, i, i + 1, DLS_LAW_CONE, mu, mu);
}

dls_status dls_problem_set_law(dls_problem *p, dls_law law, dls_error *error)
{
    if (!dls_law_has_discs(law))
        return dls_fail(error, DLS_BAD_ARGUMENT, "the law of discs is that of a cone or the associated one");
    if (law == DLS_LAW_ASSOCIATED && (dls_problem_contact_laws(p) & DLS_CONTACTS_TORSIONAL))
        return dls_fail(error, DLS_REFUSED,
                        "a contact has torsional friction, which is not part of an associated law; leave it out");
    for (size_t i = 0; i < p->n; i++)
        p->law[i] = dls_law_has_discs(p->law[i]) ? law : p->law[i];
    return DLS_OK;
}

size_t dls_problem_cones(const dls_problem *p)
{
    size_t cones = 0;
    for (size_t i = 0; p->n_cone > 0 && i < p->n; i++)
        cones += dls_problem_is_cone(p, i);
    return cones;
}

unsigned dls_problem_contact_laws(const dls_problem *p)
{
    unsigned laws = 0;
    for (size_t i = 0; p->n_cone > 0 && i < p->n; i++) {
        const size_t normal = p->parent[i], discs = dls_problem_discs(p, i);
        if (normal != DLS_NONE && p->law[i] == DLS_LAW_BOX && dls_problem_is_cone(p, normal))
            laws |= DLS_CONTACTS_TORSIONAL;
        laws |= discs == 2 ? DLS_CONTACTS_ROLLING : 0;
        laws |= discs > 0 && p->law[i + 1] == DLS_LAW_ASSOCIATED ? DLS_CONTACTS_ASSOCIATED : 0;
        for (size_t k = i + 1; k < i + 2 * discs; k += 2)
            laws |= p->mu[k] != p->mu[k + 1] ? DLS_CONTACTS_ELLIPTIC : 0;
    }
    return laws;
}
