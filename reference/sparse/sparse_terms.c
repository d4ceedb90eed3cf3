/* The terms of rows, and the length of a step, for methods that have no dense matrix.
 *
 * T_i = |c_i| + |J_i| |v*| + Gamma_i |lambda_i| and, over the blocks of M of the row, |G J_i^T| sum_j |G J_j^T
 * lambda_j|, M^-1 = G^T G: at least the terms |b_i| + sum_j |A_ij lambda_j| of w_i, in time linear in the entries of J.
 * */
#include "sparse.h"

#include <math.h>
#include <string.h>

/* A_ii, and |G J_ik^T| of each row and block of M, with its first block of J; 0 with the others. `B`: nv zeros,
 * `scratch`: 2 nv entries. */
static void measure_row(dls_row_terms *terms, size_t i, double *B, double *scratch)
{
    const dls_problem *p = terms->problem;
    const dls_rows *J = &p->J;
    terms->D[i] = dls_problem_response(p, i, B, scratch);
    for (size_t k = J->start[i], next; k < J->start[i + 1]; k = next) {
        double square = 0.0;
        for (next = k; next < J->start[i + 1] && J->mass[next] == J->mass[k]; next++) {
            for (size_t at = J->coef_at[next], j = J->offset[next]; at < J->coef_at[next + 1]; at++, j++)
                square += J->coef[at] * B[j];
            terms->reach[next] = 0.0;
        }
        terms->reach[k] = sqrt(fmax(square, 0.0));
    }
    const double b = dls_rows_dot(J, i, p->v_star) - p->c[i], root = sqrt(terms->D[i]);
    terms->size = root > 0.0 ? fmax(terms->size, fabs(b) / root) : terms->size;
    terms->size = isfinite(p->lo[i]) ? fmax(terms->size, fabs(p->lo[i]) * root) : terms->size;
    terms->size = isfinite(p->hi[i]) ? fmax(terms->size, fabs(p->hi[i]) * root) : terms->size;
}

bool dls_row_terms_take(const dls_problem *p, dls_arena *memory, dls_row_terms *terms)
{
    *terms = (dls_row_terms){.problem = p,
                             .D = DLS_TAKE(memory, double, p->n),
                             .reach = DLS_TAKE(memory, double, p->J.n_blocks),
                             .forces = DLS_TAKE_ZEROS(memory, double, p->mass.n_blocks)};
    double *B = DLS_TAKE_ZEROS(memory, double, p->nv), *scratch = DLS_TAKE_ZEROS(memory, double, 2 * p->nv);
    for (size_t i = 0; !memory->failed && i < p->n; i++)
        measure_row(terms, i, B, scratch);
    return !memory->failed;
}

void dls_row_terms_update(dls_row_terms *terms, const double *lambda)
{
    const dls_rows *J = &terms->problem->J;
    memset(terms->forces, 0, terms->problem->mass.n_blocks * sizeof *terms->forces);
    for (size_t i = 0; i < terms->problem->n; i++)
        for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
            terms->forces[J->mass[k]] += terms->reach[k] * fabs(lambda[i]);
}

double dls_row_terms_share(const dls_row_terms *terms, const double *lambda, size_t i, double wrong, double beside_data)
{
    const dls_problem *p = terms->problem;
    const dls_rows *J = &p->J;
    double sum = fabs(p->c[i]) + p->gamma[i] * fabs(lambda[i]);
    if (!(wrong > 0.0))
        return isnan(wrong) ? HUGE_VAL : 0.0;
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++) {
        sum += terms->reach[k] * terms->forces[J->mass[k]];
        for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++)
            sum += fabs(J->coef[at] * p->v_star[j]);
    }
    return fmax(wrong / sum, beside_data * wrong / (sqrt(terms->D[i]) * terms->size));
}

double dls_length_of_step(double (*slope)(const void *context, double t), const void *context)
{
    enum { ATTEMPTS = 100 };
    double from = 0.0, to = 1.0, below = slope(context, 0.0), above = slope(context, 1.0);
    const double enough = 0.1 * fabs(below);
    int side = 0;
    if (!(above > enough))
        return 1.0;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        const double secant = from - below * (to - from) / (above - below);
        const double t = secant > from && secant < to ? secant : 0.5 * (from + to);
        const double here = slope(context, t);
        if (fabs(here) <= 1e-2 * enough)
            return t;
        if (here > 0.0) {
            to = t, above = here;
            below *= side == 1 ? 0.5 : 1.0;
            side = 1;
        } else {
            from = t, below = here;
            above *= side == -1 ? 0.5 : 1.0;
            side = -1;
        }
    }
    return from > 0.0 ? from : to;
}
