/* A backward error under friction laws. */
#include "certified.h"

/* The values |mu w_t| of a disc, as it may be chosen within the changes; none: the friction is not proved. */
typedef struct lifts {
    slong normal, count;
    fmpq value[3];
} lifts;

/* s: 0, or that of sliding: whether |r (w + s t / r^2)|, r left out, is at most b_off. */
static bool is_still(const friction *f, const fmpq *r, const fmpq *x, const fmpq *w, const fmpq_t s, const fmpq_t b_off)
{
    fmpq_t sum, term, square;
    fmpq_init(sum), fmpq_init(term), fmpq_init(square);
    for (slong k = 0; k < f->count; k++) {
        fmpq_mul(term, s, x + f->first + k);
        fmpq_mul(square, r + k, r + k);
        fmpq_div(term, term, square);
        fmpq_add(term, term, w + f->first + k);
        fmpq_addmul(sum, term, term);
    }
    fmpq_mul(square, b_off, b_off);
    const bool still = fmpq_cmp(sum, square) <= 0;
    fmpq_clear(sum), fmpq_clear(term), fmpq_clear(square);
    return still;
}

/* A tangent impulse t beside a normal impulse n sticks where |t| <= mu n, w = 0; it slides where |t| = mu n, w = -s t
 * with an s >= 0. A disc is round in t_k / r_k and r_k w_k, r_k = mu_k / max mu; both mu_k change by one factor. */
static lifts find_lifts(const friction *f, const fmpq *x, const fmpq *w, const fmpq_t b_off, const fmpq_t mu_off)
{
    lifts found = {.normal = f->normal};
    const fmpq *mu = f->count == 2 && fmpq_cmp(f->mu + 1, f->mu) > 0 ? f->mu + 1 : f->mu, *n = x + f->normal;
    fmpq *r = _fmpq_vec_init(2);
    fmpq_t t2, s, most, square, zero;
    fmpq_init(t2), fmpq_init(s), fmpq_init(most), fmpq_init(square), fmpq_init(zero);
    for (slong k = 0; k < f->count; k++) {
        fmpq_one(r + k);
        if (!fmpq_is_zero(mu))
            fmpq_div(r + k, f->mu + k, mu);
        insist(!fmpq_is_zero(r + k), "a disc has one coefficient of 0");
        fmpq_div(most, x + f->first + k, r + k);
        fmpq_addmul(t2, most, most);
        fmpq_submul(s, x + f->first + k, w + f->first + k);
    }
    if (fmpq_sgn(s) > 0 && !fmpq_is_zero(t2))
        fmpq_div(s, s, t2);
    else
        fmpq_zero(s);
    fmpq_add(most, mu, mu_off);
    fmpq_mul(most, most, n);
    fmpq_mul(square, most, most);
    insist(fmpq_sgn(n) >= 0 && fmpq_cmp(t2, square) <= 0, "friction is too large");
    const bool may_vanish = fmpq_cmp(mu, mu_off) <= 0;
    if (is_still(f, r, x, w, zero, b_off) || (fmpq_is_zero(t2) && may_vanish))
        fmpq_zero(found.value + found.count++);
    fmpq_sub(most, mu, mu_off);
    fmpq_mul(most, most, n);
    fmpq_mul(square, most, most);
    if (fmpq_sgn(n) > 0 && is_still(f, r, x, w, s, b_off) && (may_vanish || fmpq_cmp(t2, square) >= 0)) {
        fmpq_mul(found.value + found.count, s, t2);
        fmpq_div(found.value + found.count, found.value + found.count, n);
        found.count++;
    }
    if (fmpq_is_zero(n))
        set_disc_size(f, w, found.value + found.count++);
    insist(found.count > 0, "the friction of a row is not proved");
    return found;
}

/* Whether row i, whose w is less the choices of the discs from `at` on, is off by at most b_off for one choice. */
static bool can_hold(const problem *p, slong i, const fmpq_t x, const fmpq_t w, const lifts *at, const lifts *end,
                     const fmpq_t b_off)
{
    fmpq_t rest;
    fmpq_init(rest);
    while (at < end && at->normal != i)
        at++;
    if (at == end) {
        const bool within = row_fault(p, i, x, w, rest);
        return within && fmpq_cmp(rest, b_off) <= 0;
    }
    for (slong k = 0; k < at->count; k++) {
        fmpq_sub(rest, w, at->value + k);
        if (can_hold(p, i, x, rest, at + 1, end, b_off))
            return true;
    }
    return false;
}

/* The given impulses solve the problem with b_i off by at most b_off and mu by at most mu_off. Under the associated
 * law the normal row has w_n less |mu w_t| of its discs in place of w_n, which is s |t|^2 / n where one slides. */
const char *check_backward(const problem *p, const json_t *claim, const json_t *witness)
{
    const fmpq *x = exact_list(member(claim, "given"), p->n), *off = exact_list(member(claim, "off"), 2);
    fmpq *w = _fmpq_vec_init(p->n + 1);
    lifts *found = room(p->n_friction, sizeof *found);
    slong count = 0;
    (void)witness;
    insist(fmpq_sgn(off) >= 0 && fmpq_sgn(off + 1) >= 0, "a bound is negative");
    evaluate_w(p, x, w);
    for (slong k = 0; k < p->n_friction; k++) {
        found[count] = find_lifts(p->friction + k, x, w, off, off + 1);
        count += p->friction[k].law == LAW_ASSOCIATED;
    }
    for (slong i = 0; i < p->n; i++)
        insist(p->tangent[i] || can_hold(p, i, x + i, w + i, found, found + count, off), "a row is off");
    return words("the impulses solve the problem with b off by at most %.3g and mu by %.3g", fmpq_get_d(off),
                 fmpq_get_d(off + 1));
}
