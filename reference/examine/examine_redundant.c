/* Rows of closed loops that contradict each other.
 *
 * The rows of a closed loop may be more than it needs: then impulses y of theirs leave every body at rest, J^T y = 0,
 * and no impulse changes y.w. Among all w with that y.w the one of least sum w_i^2 / A_ii is w_i = A_ii y_i; it is the
 * answer of least squares (conventions). So a w of rows that hold both ways is no violation if y_i = w_i / A_ii leaves
 * every body at rest: on every body, of the force and of the torque,
 *     |sum_i J_ik^T y_i| <= (4 phi(y) + 1e-13) sum_i |J_ik^T y_i| + rounding of w,
 *     phi(y) = max_i phi_i |y_i| / max_j |y_j|,
 * and if y.w is no more than the error of closure explains,
 *     |y.w| <= sum_i |y_i| (4 phi(y) |J_i| |v*| + |bias_i| + rounding of w_i),
 * where bias_i is the part of c_i that corrects C_i, and phi_i the angle by which the direction of row i is uncertain
 * because the loop is not closed: |C_i| of an angular row, and |C_i| over the longest lever of a linear one. Where C is
 * not known, phi is 0; with 4 phi above 0.2, every w counts. */
#include "parts.h"

#include <math.h>
#include <string.h>

static const double closure = 4.0, widest = 0.2, nothing = 1e-13;

/* Whether velocity j of a block of M is the angular velocity of a body: lengths enter J there. */
static bool is_turning(const dls_mass_block *block, size_t j) { return block->kind == &dls_mass_body_kind && j >= 3; }

/* |J_i|^2 in the torques of bodies, or in everything else. */
static double square_of_row(const dls_problem *p, size_t i, bool torque)
{
    const dls_rows *J = &p->J;
    double sum = 0.0;
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++) {
        const dls_mass_block *block = &p->mass.blocks[J->mass[k]];
        for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++)
            sum += is_turning(block, j - block->offset) == torque ? J->coef[at] * J->coef[at] : 0.0;
    }
    return sum;
}

static bool holds_both_ways(const dls_problem *p, size_t i)
{
    return isinf(p->lo[i]) && isinf(p->hi[i]) && p->gamma[i] == 0.0 && p->law[i] == DLS_LAW_FIXED;
}

static bool is_linear(const dls_problem *p, const dls_row_list *list, size_t i)
{
    return !list->row[i].angular && square_of_row(p, i, false) > 0.0;
}

/* phi(y) */
static double angle_of_closure(const dls_problem *p, const double *y)
{
    const dls_row_list *list = dls_problem_rows(p);
    double lever = 0.0, most = 0.0, phi = 0.0;
    for (size_t i = 0; list && i < p->n; i++) {
        if (holds_both_ways(p, i) && is_linear(p, list, i))
            lever = fmax(lever, square_of_row(p, i, true));
        most = fmax(most, fabs(y[i]));
    }
    for (size_t i = 0; list && i < p->n; i++)
        if (y[i] != 0.0 && list->row[i].C != 0.0)
            phi = fmax(phi, fabs(list->row[i].C * y[i]) / (most * (is_linear(p, list, i) ? sqrt(lever) : 1.0)));
    return phi;
}

/* Whether y.w is no more than the error of closure explains. */
static bool is_explained_by_closure(const dls_problem *p, const double *y, const double *w, const double *rounding,
                                    double phi)
{
    const dls_row_list *list = dls_problem_rows(p);
    const dls_rows *J = &p->J;
    double along = 0.0, allowed = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        double of_velocity = 0.0, bias = list ? fabs(list->row[i].bias) : 0.0;
        if (y[i] == 0.0)
            continue;
        for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
            for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++)
                of_velocity += fabs(J->coef[at] * p->v_star[j]);
        along += y[i] * w[i];
        allowed += fabs(y[i]) * (phi * of_velocity + bias + rounding[i]);
    }
    return fabs(along) <= allowed;
}

/* Add J_i^T y_i to the forces, the sizes of its two parts on each block of M to the terms, their rounding to
 * `allowed`. */
static void add_forces(const dls_problem *p, size_t i, double rounding, const dls_redundant_rows *rows)
{
    const dls_rows *J = &p->J;
    double *terms = rows->parts, *allowed = terms + 2 * p->mass.n_blocks;
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++) {
        const dls_mass_block *block = &p->mass.blocks[J->mass[k]];
        double square[2] = {0.0, 0.0};
        for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++) {
            rows->force[j] += J->coef[at] * rows->y[i];
            square[is_turning(block, j - block->offset)] += J->coef[at] * J->coef[at];
        }
        for (size_t part = 0; part < 2; part++) {
            terms[2 * J->mass[k] + part] += sqrt(square[part]) * fabs(rows->y[i]);
            allowed[2 * J->mass[k] + part] += sqrt(square[part]) * rounding;
        }
    }
}

static bool is_at_rest(const dls_problem *p, const double *force, double phi, const double *terms,
                       const double *allowed)
{
    for (size_t k = 0; k < p->mass.n_blocks; k++) {
        const dls_mass_block *block = &p->mass.blocks[k];
        double square[2] = {0.0, 0.0};
        for (size_t j = 0; j < block->length; j++)
            square[is_turning(block, j)] += force[block->offset + j] * force[block->offset + j];
        for (size_t part = 0; part < 2; part++)
            if (!(sqrt(square[part]) <= phi * terms[2 * k + part] + allowed[2 * k + part]))
                return false;
    }
    return true;
}

double dls_examine_redundant(const dls_problem *p, const double *D, const double *evaluation, const double *rounding,
                             const double *w, dls_redundant_rows *rows)
{
    double largest = 0.0, *terms = rows->parts, *allowed = rows->parts + 2 * p->mass.n_blocks;
    for (size_t i = 0; i < p->n; i++) {
        const bool holds = p->form == DLS_FORM_MECHANICAL && holds_both_ways(p, i);
        rows->kept[i] = false;
        rows->y[i] = holds ? w[i] / D[i] : 0.0;
        largest = holds && !(fabs(w[i]) <= rounding[i]) ? fmax(largest, fabs(w[i])) : largest;
    }
    if (!(largest > 0.0 && isfinite(largest)))
        return 0.0;
    double most = 0.0;
    for (size_t i = 0; i < p->n; i++)
        most = fmax(most, fabs(rows->y[i]));
    /* a power of two, so that the largest y is about 1 and no square of a force leaves the range of a double */
    const double unit = isnormal(most) ? scalbn(1.0, -ilogb(most)) : 1.0;
    for (size_t i = 0; i < p->n; i++)
        rows->y[i] *= unit;
    const double phi = closure * angle_of_closure(p, rows->y) + nothing;
    if (!(phi <= widest && is_explained_by_closure(p, rows->y, w, evaluation, phi)))
        return 0.0;
    memset(rows->force, 0, p->nv * sizeof *rows->force);
    memset(rows->parts, 0, 4 * p->mass.n_blocks * sizeof *rows->parts);
    for (size_t i = 0; i < p->n; i++)
        if (rows->y[i] != 0.0)
            add_forces(p, i, evaluation[i] / D[i] * unit, rows);
    if (!is_at_rest(p, rows->force, phi, terms, allowed))
        return 0.0;
    for (size_t i = 0; i < p->n; i++)
        rows->kept[i] = rows->y[i] != 0.0 && !(fabs(w[i]) <= rounding[i]);
    return largest;
}
