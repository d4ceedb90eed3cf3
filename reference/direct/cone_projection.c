/* The projection onto bounds, boxes and cones in a diagonal norm.
 *
 * In the norm S_n n^2 + sum_j S_j |y_j|^2, with the variables of cone_projection.h, the point of |y_j| <= m_j n nearest
 * to (n, y_j) shortens the limbs in a set B to m_j n', and has the n' that minimises
 *     S_n (n' - n)^2 + sum_j S_j max(0, |y_j| - m_j n')^2,   lo <= n' <= hi,  n' >= 0,
 * a convex function, so that n' = (S_n n + sum_B S_j m_j |y_j|) / (S_n + sum_B S_j m_j^2) within these bounds. B begins
 * with all limbs; those with |y_j| <= m_j n' leave it, which makes n' larger, so that they stay outside of it.
 *
 * With g = S x, the derivative of lambda by g is the symmetric matrix
 *     a q q^T + sum_B (m_j n' / |y_j|) / S_j t_j t_j^T + sum_others 1 / S_j,   a = 1 / (S_n + sum_B S_j m_j^2),
 *     q = (1, m_j e_j of B),  e_j = y_j / |y_j|,  t_j orthogonal to e_j,
 * in the variables y, without the first term where n' is at a bound, and 0 where n' = 0. In those of lambda the entry
 * of each row has the factor r_k, because y_k = lambda_k / r_k and S_k = S_j / r_k^2. */
#include "cone_projection.h"

void dls_cone_projection_take(dls_cone_projection *p, const dls_direct *d)
{
    const dls_problem *problem = d->problem;
    const size_t n = d->n;
    *p = (dls_cone_projection){.d = d};
    p->group = DLS_TAKE(d->memory, dls_cone_group, n);
    p->limb = DLS_TAKE(d->memory, dls_cone_limb, n);
    p->alone = DLS_TAKE(d->memory, bool, n);
    p->H.start = DLS_TAKE(d->memory, size_t, n + 1), p->H.row = DLS_TAKE(d->memory, size_t, 2 * n);
    p->H.weight = DLS_TAKE(d->memory, double, n), p->H.coef = DLS_TAKE(d->memory, double, 2 * n);
    p->S = dls_direct_vector(d);
    size_t *place = DLS_TAKE(d->memory, size_t, n), limbs = 0;
    if (d->memory->failed)
        return;
    for (size_t i = 0; i < n; i++)
        p->alone[i] = problem->parent[i] == DLS_NONE;
    for (size_t i = 0; i < n; i++)
        if (problem->parent[i] != DLS_NONE && p->alone[problem->parent[i]]) {
            p->alone[problem->parent[i]] = false;
            place[problem->parent[i]] = p->n_groups;
            p->group[p->n_groups++] = (dls_cone_group){.normal = problem->parent[i]};
        }
    for (size_t i = 0; i < n; i++)
        if (problem->parent[i] != DLS_NONE)
            p->group[place[problem->parent[i]]].count++;
    for (size_t k = 0; k < p->n_groups; k++) {
        p->group[k].first = limbs, limbs += p->group[k].count;
        p->group[k].count = 0;
    }
    for (size_t i = 0; i < n; i++) {
        if (problem->parent[i] == DLS_NONE)
            continue;
        const size_t rows = dls_law_has_discs(problem->law[i]) ? 2 : 1;
        dls_cone_group *group = &p->group[place[problem->parent[i]]];
        dls_cone_limb limb = {.row = i, .count = rows};
        for (size_t k = 0; k < rows; k++)
            limb.most = fmax(limb.most, dls_direct_mu(d, i + k));
        for (size_t k = 0; k < rows; k++)
            limb.share[k] = limb.most > 0.0 ? dls_direct_mu(d, i + k) / limb.most : 0.0;
        group->associated = problem->law[i] == DLS_LAW_ASSOCIATED;
        p->shifts = p->shifts || !group->associated;
        p->limb[group->first + group->count++] = limb;
        i += rows - 1;
    }
}

void dls_cone_projection_norm(dls_cone_projection *p, const double *least)
{
    memcpy(p->S, least, p->d->n * sizeof *p->S);
    for (size_t g = 0; g < p->n_groups; g++)
        for (dls_cone_limb *limb = p->limb + p->group[g].first; limb < p->limb + p->group[g].first + p->group[g].count;
             limb++) {
            limb->norm = 0.0;
            for (size_t k = 0; k < limb->count; k++)
                limb->norm = fmax(limb->norm, limb->share[k] * limb->share[k] * least[limb->row + k]);
            for (size_t k = 0; k < limb->count; k++)
                if (limb->share[k] > 0.0)
                    p->S[limb->row + k] = limb->norm / (limb->share[k] * limb->share[k]);
        }
}

/* --- the derivative --- */

static void begin_term(dls_cone_projection *p, double weight)
{
    p->H.weight[p->H.count] = weight;
    p->H.start[p->H.count + 1] = p->H.start[p->H.count];
    p->H.count++;
}

static void add_entry(dls_cone_projection *p, size_t row, double coef)
{
    const size_t at = p->H.start[p->H.count]++;
    p->H.row[at] = row, p->H.coef[at] = coef;
}

double dls_cone_projection_curvature(const dls_cone_projection *p, const double *u)
{
    double sum = 0.0;
    for (size_t t = 0; t < p->H.count; t++) {
        double along = 0.0;
        for (size_t k = p->H.start[t]; k < p->H.start[t + 1]; k++)
            along += p->H.coef[k] * u[p->H.row[k]];
        sum += p->H.weight[t] * along * along;
    }
    return sum;
}

/* --- the projection --- */

static void project_row(dls_cone_projection *p, size_t i, const double *x, double *lambda)
{
    lambda[i] = dls_bound_clamp(&p->d->q, i, x[i]);
    if (x[i] > p->d->q.lo[i] && x[i] < p->d->q.hi[i]) {
        begin_term(p, 1.0 / p->S[i]);
        add_entry(p, i, 1.0);
    }
}

/* n' before its bounds, and *under = S_n + sum_B S_j m_j^2; marks B. */
static double nearest_normal(const dls_cone_projection *p, const dls_cone_group *group, const double *x, double *under)
{
    dls_cone_limb *limb = p->limb + group->first;
    double normal = x[group->normal];
    bool again = true;
    for (size_t j = 0; j < group->count; j++) {
        double y[2] = {0.0, 0.0};
        for (size_t k = 0; k < limb[j].count; k++)
            y[k] = limb[j].share[k] > 0.0 ? x[limb[j].row + k] / limb[j].share[k] : 0.0;
        limb[j].length = hypot(y[0], y[1]);
        limb[j].shortened = limb[j].most > 0.0;
    }
    while (again) {
        double over = p->S[group->normal] * x[group->normal];
        *under = p->S[group->normal];
        for (size_t j = 0; j < group->count; j++)
            if (limb[j].shortened) {
                const double pull = limb[j].norm * limb[j].most;
                over += pull * limb[j].length, *under += pull * limb[j].most;
            }
        normal = over / *under;
        again = false;
        for (size_t j = 0; j < group->count; j++)
            if (limb[j].shortened && limb[j].length <= limb[j].most * normal)
                limb[j].shortened = false, again = true;
    }
    return normal;
}

/* Brings a limb into the radius, and adds the terms of its own. */
static void project_limb(dls_cone_projection *p, const dls_cone_limb *limb, double radius, const double *x,
                         double *lambda)
{
    const bool outside = limb->length > radius;
    for (size_t k = 0; k < limb->count; k++) {
        const size_t i = limb->row + k;
        lambda[i] = limb->share[k] == 0.0 || radius == 0.0 ? 0.0 : outside ? radius / limb->length * x[i] : x[i];
        if (!outside && radius > 0.0 && limb->share[k] > 0.0) {
            begin_term(p, 1.0 / p->S[i]);
            add_entry(p, i, 1.0);
        }
    }
    if (!outside || radius == 0.0 || limb->count == 1 || limb->share[0] == 0.0 || limb->share[1] == 0.0)
        return;
    begin_term(p, radius / limb->length / limb->norm);
    add_entry(p, limb->row, -x[limb->row + 1] / limb->share[1] / limb->length * limb->share[0]);
    add_entry(p, limb->row + 1, x[limb->row] / limb->share[0] / limb->length * limb->share[1]);
}

static void project_group(dls_cone_projection *p, const dls_cone_group *group, const double *x, double *lambda)
{
    const dls_cone_limb *limb = p->limb + group->first;
    const double lo = fmax(p->d->q.lo[group->normal], 0.0), hi = fmax(p->d->q.hi[group->normal], 0.0);
    double under, normal = nearest_normal(p, group, x, &under);
    if (normal > lo && normal < hi) {
        begin_term(p, 1.0 / under);
        add_entry(p, group->normal, 1.0);
        for (size_t j = 0; j < group->count; j++)
            for (size_t k = 0; limb[j].shortened && k < limb[j].count; k++)
                if (limb[j].share[k] > 0.0) /* m e_k r_k, and y_k r_k = x_k */
                    add_entry(p, limb[j].row + k, limb[j].most * x[limb[j].row + k] / limb[j].length);
    }
    normal = fmin(fmax(normal, lo), hi);
    lambda[group->normal] = normal;
    for (size_t j = 0; j < group->count; j++)
        project_limb(p, &limb[j], limb[j].most * normal, x, lambda);
}

void dls_cone_projection_apply(dls_cone_projection *p, const double *x, double *lambda)
{
    p->H.count = 0;
    p->H.start[0] = 0;
    for (size_t i = 0; i < p->d->n; i++)
        if (p->alone[i])
            project_row(p, i, x, lambda);
    for (size_t k = 0; k < p->n_groups; k++)
        project_group(p, &p->group[k], x, lambda);
}

void dls_cone_projection_add_shift(const dls_cone_projection *p, const double *w, double *to)
{
    for (size_t g = 0; g < p->n_groups; g++) {
        const dls_cone_group *group = &p->group[g];
        for (size_t j = group->first; !group->associated && j < group->first + group->count; j++) {
            const dls_cone_limb *limb = &p->limb[j];
            double z[2] = {0.0, 0.0};
            for (size_t k = 0; k < limb->count; k++)
                z[k] = limb->share[k] * w[limb->row + k];
            to[group->normal] += limb->most * hypot(z[0], z[1]);
        }
    }
}
