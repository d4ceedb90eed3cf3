/* Solutions near given impulses; several; a continuum. */
#include "certified.h"

#include <stdlib.h>

enum { PRECISION = 256 };

/* mu > 0 with z.(S z) >= mu z.z for all z, S = D A D, D = diag(2^scale), and the norms of the rows of S. THEOREM. If S
 * = alpha + L L^T + E, then mu = alpha - max_i sum_j |E_ij + E_ji| / 2, since z.(E z) is at most that times z.z (S. A.
 * Gershgorin 1931). */
static void bound_definite(const problem *p, const json_t *witness, slong *scale, arb_t mu, arb_ptr norms)
{
    const slong n = p->n;
    const json_t *exponents = member(witness, "scale"), *factor = member(witness, "factor");
    fmpq_mat_t A;
    fmpq_t number;
    arb_mat_t S, L, U, E;
    arb_t sum;
    fmpq_init(number);
    arb_init(sum);
    matrix_of(p, A);
    arb_mat_init(S, n, n), arb_mat_init(L, n, n), arb_mat_init(U, n, n), arb_mat_init(E, n, n);
    insist((slong)json_array_size(exponents) == n && (slong)json_array_size(factor) == n, "the factor is not n x n");
    for (slong i = 0; i < n; i++) {
        scale[i] = whole_number(json_array_get(exponents, (size_t)i));
        insist(labs(scale[i]) < 1100, "an exponent is too large");
    }
    for (slong i = 0; i < n; i++) {
        const fmpq *row = exact_list(json_array_get(factor, (size_t)i), i + 1);
        for (slong j = 0; j <= i; j++)
            arb_set_fmpq(arb_mat_entry(L, i, j), row + j, PRECISION);
        for (slong j = 0; j < n; j++) {
            arb_set_fmpq(arb_mat_entry(S, i, j), fmpq_mat_entry(A, i, j), PRECISION);
            arb_mul_2exp_si(arb_mat_entry(S, i, j), arb_mat_entry(S, i, j), scale[i] + scale[j]);
        }
    }
    arb_mat_transpose(U, L);
    arb_mat_mul(E, L, U, PRECISION);
    exact_number(member(witness, "alpha"), number);
    arb_set_fmpq(sum, number, PRECISION);
    for (slong i = 0; i < n; i++)
        arb_add(arb_mat_entry(E, i, i), arb_mat_entry(E, i, i), sum, PRECISION);
    arb_mat_sub(E, S, E, PRECISION);
    arb_set(mu, sum);
    for (slong i = 0; i < n; i++) {
        arb_t row, term;
        arb_init(row), arb_init(term);
        for (slong j = 0; j < n; j++) {
            arb_add(term, arb_mat_entry(E, i, j), arb_mat_entry(E, j, i), PRECISION);
            arb_abs(term, term);
            arb_add(row, row, term, PRECISION);
            arb_addmul(norms + i, arb_mat_entry(S, i, j), arb_mat_entry(S, i, j), PRECISION);
        }
        arb_mul_2exp_si(row, row, -1);
        arb_sub(row, sum, row, PRECISION);
        arb_min(mu, mu, row, PRECISION);
        arb_sqrt(norms + i, norms + i, PRECISION);
        arb_clear(row), arb_clear(term);
    }
    insist(arb_is_positive(mu), "A is not proved positive definite");
}

bool is_beyond(const fmpq_t x, const arb_t r, bool equal)
{
    arb_t ball;
    if (arb_is_zero(r))
        return equal ? fmpq_sgn(x) >= 0 : fmpq_sgn(x) > 0;
    arb_init(ball);
    arb_set_fmpq(ball, x, PRECISION);
    const bool beyond = arb_gt(ball, r);
    arb_clear(ball);
    return beyond;
}

void read_witness(const json_t *x, fmpq_t to)
{
    if (json_is_string(x)) {
        exact_number(x, to);
    } else {
        const fmpq *pair = exact_list(x, 2);
        fmpq_add(to, pair, pair + 1);
    }
}

static void insist_state(const problem *p, slong i, const char *state, const fmpq_t x, const fmpq_t w, const arb_t near,
                         const arb_t near_w)
{
    const bool lo = !p->no_lo[i], hi = !p->no_hi[i], same = lo && hi && fmpq_equal(p->lo + i, p->hi + i);
    fmpq_t minus, below, above;
    fmpq_init(minus), fmpq_init(below), fmpq_init(above);
    fmpq_neg(minus, w);
    fmpq_sub(below, x, p->lo + i), fmpq_sub(above, p->hi + i, x);
    bool holds = is_text(state, "open");
    if (is_text(state, "lower"))
        holds = lo && fmpq_is_zero(below) && (same || is_beyond(w, near_w, false));
    else if (is_text(state, "upper"))
        holds = hi && fmpq_is_zero(above) && (same || is_beyond(minus, near_w, false));
    else if (is_text(state, "between"))
        holds = (!lo || is_beyond(below, near, false)) && (!hi || is_beyond(above, near, false));
    insist(holds, "a row is not proved to be in its state");
    fmpq_clear(minus), fmpq_clear(below), fmpq_clear(above);
}

/* The witness x is a solution, or solves the problem with w changed by e. THEOREM. If z.(D A D z) >= mu z.z for all z,
 * there is one solution x*, and with z = (x - x*) / d, monotony gives mu z.z <= z.(D A D z) <= z.(D e). So |z| <= r =
 * |D e| / mu, |x_i - x*_i| <= d_i r, and |d_i (w_i - w*_i)| is at most r times the norm of row i of D A D. In the
 * mechanical form all solutions have the same v+, as A is semidefinite. */
const char *check_solution(const problem *p, const json_t *claim, const json_t *witness)
{
    const slong n = p->n;
    const json_t *unique = member(claim, "unique"), *xs = member(witness, "x"), *states = member(claim, "states");
    const char *common = json_is_null(unique) ? "" : text_of(unique);
    const bool one = is_text(common, "impulses");
    const fmpq *given = exact_list(member(claim, "given"), n), *radius = exact_list(member(claim, "radius"), n);
    fmpq *x = _fmpq_vec_init(n + 1), *w = _fmpq_vec_init(n + 1), *e = _fmpq_vec_init(n + 1);
    slong *scale = room(n, sizeof *scale);
    arb_ptr near = _arb_vec_init(n + 1), near_w = _arb_vec_init(n + 1);
    fmpq_t sum, most;
    arb_t mu, r;
    bool off = false;
    fmpq_init(sum), fmpq_init(most);
    arb_init(mu), arb_init(r);
    insist(p->n_friction == 0, "solutions under a friction law are of another kind");
    insist((slong)json_array_size(xs) == n && (slong)json_array_size(states) == n, "a list has no n entries");
    for (slong i = 0; i < n; i++)
        read_witness(json_array_get(xs, (size_t)i), x + i);
    evaluate_w(p, x, w);
    for (slong i = 0; i < n; i++) {
        insist(row_fault(p, i, x + i, w + i, e + i), "an impulse is outside its bounds");
        off = off || !fmpq_is_zero(e + i);
    }
    insist(one || !off, "the witness is no solution");
    insist(one || json_is_null(unique) || (is_text(common, "velocity") && !p->matrix), "uniqueness is not proved");
    if (one)
        bound_definite(p, witness, scale, mu, near_w);
    for (slong i = 0; i < n && off; i++) {
        arb_t term;
        arb_init(term);
        arb_set_fmpq(term, e + i, PRECISION);
        arb_mul_2exp_si(term, term, scale[i]);
        arb_addmul(r, term, term, PRECISION);
        arb_clear(term);
    }
    arb_sqrt(r, r, PRECISION);
    if (off)
        arb_div(r, r, mu, PRECISION);
    for (slong i = 0; i < n; i++) {
        arb_mul(near_w + i, near_w + i, r, PRECISION);
        arb_mul_2exp_si(near_w + i, near_w + i, -scale[i]);
        arb_mul_2exp_si(near + i, r, scale[i]);
        insist_state(p, i, text_of(json_array_get(states, (size_t)i)), x + i, w + i, near + i, near_w + i);
        fmpq_sub(sum, given + i, x + i);
        fmpq_abs(sum, sum);
        fmpq_sub(sum, radius + i, sum);
        insist(is_beyond(sum, near + i, true), "a radius is too small");
        if (fmpq_cmp(radius + i, most) > 0)
            fmpq_set(most, radius + i);
    }
    return words(one ? "the only solution is within %.3g of the given impulses"
                 : json_is_null(unique)
                     ? "a solution is within %.3g of the given impulses"
                     : "a solution with the v+ of all solutions is within %.3g of the given impulses",
                 fmpq_get_d(most), 0.0);
}

fmpq **read_solutions(const problem *p, const json_t *claim, slong *count)
{
    const json_t *list = member(claim, "solutions");
    insist(json_is_array(list), "there is no list of solutions");
    *count = (slong)json_array_size(list);
    fmpq **found = room(*count, sizeof *found);
    for (slong k = 0; k < *count; k++) {
        found[k] = exact_list(json_array_get(list, (size_t)k), p->n);
        insist(is_solution(p, found[k]), "a listed solution is none");
        for (slong j = 0; j < k; j++)
            insist(!same_vector(found[j], found[k], p->n), "a solution is listed twice");
    }
    return found;
}

/* Different solutions; a continuum: two, and all points between them. x_i and w_i are affine between two solutions, so
 * that row i holds between them where it is in one and the same state in both. */
const char *check_several(const problem *p, const json_t *claim, const json_t *witness)
{
    slong count;
    fmpq *w[2], **found = read_solutions(p, claim, &count);
    (void)witness;
    insist(count > 1, "one solution is not several");
    if (is_text(text_of(member(claim, "kind")), "several"))
        return words("%.0f different solutions", (double)count, 0.0);
    insist(count == 2, "a continuum is given by two solutions");
    for (int k = 0; k < 2; k++) {
        w[k] = _fmpq_vec_init(p->n + 1);
        evaluate_w(p, found[k], w[k]);
    }
    for (slong i = 0; i < p->n; i++) {
        const fmpq *x = found[0] + i, *y = found[1] + i;
        const int sign = fmpq_sgn(w[0] + i), other = fmpq_sgn(w[1] + i);
        const bool still = fmpq_equal(x, y);
        insist((sign == 0 && other == 0) ||
                   (still && !p->no_lo[i] && fmpq_equal(x, p->lo + i) && sign >= 0 && other >= 0) ||
                   (still && !p->no_hi[i] && fmpq_equal(x, p->hi + i) && sign <= 0 && other <= 0),
               "a row does not hold between the solutions");
    }
    return "every point between the two given solutions is one";
}
