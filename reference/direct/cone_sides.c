/* The bounds of rows and of friction in a box, |lambda_t| <= mu lambda_n: two slacks each, where they are finite. */
#include "cone_sides.h"

bool dls_cone_has_friction(const dls_direct *d, size_t i)
{
    return dls_problem_is_cone(d->problem, i) && dls_direct_mu(d, i + 1) > 0.0;
}

static bool row_is_fixed(const dls_direct *d, size_t i, bool one_sided)
{
    const dls_problem *p = d->problem;
    const size_t normal = p->parent[i];
    const double lo = d->q.lo[i], hi = d->q.hi[i];
    if (one_sided)
        return normal != DLS_NONE || (isfinite(lo) && isfinite(hi));
    if (normal == DLS_NONE)
        return lo == hi;
    return dls_direct_mu(d, i) == 0.0 || d->q.hi[normal] <= 0.0 || (dls_law_has_discs(p->law[i]) && i - normal > 2);
}

size_t dls_cone_sides_collect(const dls_direct *d, bool one_sided, dls_cone_side *sides, bool *fixed, double *lambda)
{
    const dls_problem *p = d->problem;
    size_t count = 0;
    for (size_t i = 0; i < d->n; i++) {
        const bool tangent = p->parent[i] != DLS_NONE;
        const double lo = d->q.lo[i], hi = d->q.hi[i];
        lambda[i] = tangent || one_sided ? 0.0 : lo;
        fixed[i] = row_is_fixed(d, i, one_sided);
        if (fixed[i])
            continue;
        if (!tangent && isfinite(lo) && (one_sided || !dls_cone_has_friction(d, i)))
            sides[count++] = (dls_cone_side){.row = i, .normal = i, .sign = 1.0, .bound = lo};
        if (!tangent && isfinite(hi))
            sides[count++] = (dls_cone_side){.row = i, .normal = i, .sign = -1.0, .bound = -hi};
        for (double sign = -1.0; p->law[i] == DLS_LAW_BOX && sign <= 1.0; sign += 2.0)
            sides[count++] = (dls_cone_side){.row = i, .normal = p->parent[i], .sign = sign, .mu = dls_direct_mu(d, i)};
    }
    return count;
}
