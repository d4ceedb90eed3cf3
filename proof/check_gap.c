/* The velocity v+, bounded by a duality gap; and problems without rows that depend on others. */
#include "certified.h"

void set_disc_size(const friction *f, const fmpq *g, fmpq_t to)
{
    fmpq_t square, term;
    fmpq_init(square), fmpq_init(term);
    for (slong k = 0; k < f->count; k++) {
        fmpq_mul(term, f->mu + k, g + f->first + k);
        fmpq_addmul(square, term, term);
    }
    root_above(square, to);
    fmpq_clear(square), fmpq_clear(term);
}

/* (t_k / mu_k)^2 summed over a disc; t_k = 0 where mu_k = 0. */
static void set_disc_square(const friction *f, const fmpq *x, fmpq_t to)
{
    fmpq_t term;
    fmpq_init(term);
    fmpq_zero(to);
    for (slong k = 0; k < f->count; k++) {
        const bool smooth = fmpq_is_zero(f->mu + k);
        insist(!smooth || fmpq_is_zero(x + f->first + k), "there is friction without a coefficient");
        if (smooth)
            continue;
        fmpq_div(term, x + f->first + k, f->mu + k);
        fmpq_addmul(to, term, term);
    }
    fmpq_clear(term);
}

/* x_i g_i of a row with bounds of its own, less the least of y g_i over its y. */
static void add_row_gap(const problem *p, slong i, const fmpq_t x, const fmpq_t g, fmpq_t square)
{
    const bool low = fmpq_sgn(g) > 0, bounded = !(low ? p->no_lo[i] : p->no_hi[i]), soft = !fmpq_is_zero(p->gamma + i);
    fmpq_t gap, other;
    fmpq_init(gap), fmpq_init(other);
    insist((p->no_lo[i] || fmpq_cmp(x, p->lo + i) >= 0) && (p->no_hi[i] || fmpq_cmp(x, p->hi + i) <= 0),
           "an impulse is outside its bounds");
    insist(fmpq_is_zero(g) || bounded || soft, "a velocity has the wrong sign");
    if (bounded) {
        fmpq_sub(gap, x, low ? p->lo + i : p->hi + i);
        fmpq_mul(gap, gap, g);
        fmpq_mul_2exp(gap, gap, 1);
    }
    if (soft) {
        fmpq_mul(other, g, g);
        fmpq_div(other, other, p->gamma + i);
        if (!bounded || fmpq_cmp(other, gap) < 0)
            fmpq_set(gap, other);
    }
    fmpq_add(square, square, gap);
    fmpq_clear(gap), fmpq_clear(other);
}

static void insist_cones(const problem *p, const fmpq *x, const fmpq *g)
{
    fmpq *size = _fmpq_vec_init(p->n + 1);
    fmpq_t square, normal;
    fmpq_init(square), fmpq_init(normal);
    for (const friction *f = p->friction; f < p->friction + p->n_friction; f++) {
        insist(f->law == LAW_ASSOCIATED, "a friction law without a cone program");
        insist(!p->no_lo[f->normal] && fmpq_is_zero(p->lo + f->normal) && p->no_hi[f->normal],
               "bounds of a normal row");
        set_disc_square(f, x, square);
        fmpq_mul(normal, x + f->normal, x + f->normal);
        insist(fmpq_sgn(x + f->normal) >= 0 && fmpq_cmp(square, normal) <= 0, "an impulse is outside of its cone");
        set_disc_size(f, g, square);
        fmpq_add(size + f->normal, size + f->normal, square);
        insist(fmpq_cmp(g + f->normal, size + f->normal) > 0, "a velocity is outside of a dual cone");
    }
}

/* All solutions have one v+, within `within` of the velocity of the given impulses in the norm |v|_M. THEOREM (duality
 * of convex programs). For x in its bounds and any change u of v, let g = w + J u. If g_i >= 0 where hi_i is infinite
 * and g_i <= 0 where lo_i is, and g_n > sum |mu g_t| for each contact under the associated law, a solution exists (R.
 * T. Rockafellar, Convex Analysis, theorem 28.2), and, a row of a contact counting with g_i x_i, |v - v+|_M^2 <=
 * |u|_M^2 + 2 sum_i g_i (x_i - lo_i if g_i > 0, x_i - hi_i if g_i < 0; at most g_i / (2 Gamma_i)). */
const char *check_velocity(const problem *p, const json_t *claim, const json_t *witness)
{
    const slong n = p->n;
    fmpq *given = exact_list(member(claim, "given"), n), *x = exact_list(member(witness, "x"), n);
    const fmpq *u = exact_list(member(witness, "change"), p->columns), *within = exact_list(member(claim, "within"), 1);
    fmpq *g = _fmpq_vec_init(n + 1), *w = _fmpq_vec_init(n + 1), *force = _fmpq_vec_init(p->columns + 1);
    fmpq_t square, moved;
    fmpq_init(square), fmpq_init(moved);
    insist(!p->matrix, "a matrix has no velocity");
    evaluate_w(p, x, w);
    times_rows(p, u, g);
    for (slong i = 0; i < n; i++)
        fmpq_add(g + i, g + i, w + i);
    for (const mass_block *b = p->blocks; b < p->blocks + p->n_blocks; b++)
        for (slong i = 0; i < b->m; i++)
            for (slong j = 0; j < b->m; j++) {
                fmpq_mul(moved, u + b->first + i, fmpq_mat_entry(b->M, i, j));
                fmpq_addmul(square, moved, u + b->first + j);
            }
    insist_cones(p, x, g);
    for (slong i = 0; i < n; i++)
        if (p->tangent[i] || p->normal[i]) {
            fmpq_mul(moved, g + i, x + i);
            fmpq_mul_2exp(moved, moved, 1);
            fmpq_add(square, square, moved);
        } else {
            add_row_gap(p, i, x + i, g + i, square);
        }
    for (slong i = 0; i < n; i++)
        fmpq_sub(given + i, given + i, x + i);
    times_transposed(p, given, force);
    square_of_force(p, force, moved); /* |v(given) - v(x)|_M^2 */
    root_above(moved, moved);
    root_above(square, square);
    fmpq_add(square, square, moved);
    insist(fmpq_cmp(square, within) <= 0, "the velocity is not proved");
    return words("the velocity v+ of all solutions is within %.3g of that of the given impulses", fmpq_get_d(within),
                 0.0);
}

/* Rows that are left out have no bounds, and are combinations J_k = sum_i a_i J_i + rest of other rows without bounds:
 * they hold at all velocities v of the problem that is left, J_k v = c_k, but for residual_0 |v|_M + residual_1. For
 * w_i = 0 in these rows, so that J_k v - c_k = rest.v + sum_i a_i c_i - c_k, and |rest.v| <= |M^-1/2 rest| |v|_M. */
bool *read_left_out(const json_t *stored, const json_t *claim, const json_t *witness)
{
    const problem *p = read_problem(stored, NULL);
    const json_t *rows = member(claim, "rows"), *combinations = member(witness, "combinations");
    const fmpq *residual = exact_list(member(claim, "residual"), 2);
    const slong count = (slong)json_array_size(rows);
    bool *left_out = room(p->n, sizeof *left_out);
    fmpq *force = _fmpq_vec_init(p->columns + 1);
    fmpq_t square, most;
    fmpq_init(square), fmpq_init(most);
    insist(!p->matrix && p->n_friction == 0, "rows of this problem cannot be left out");
    insist(count > 0 && (slong)json_array_size(combinations) == count, "there is no combination for each row");
    insist(fmpq_sgn(residual) >= 0 && fmpq_sgn(residual + 1) >= 0, "a residual is negative");
    fmpq_mul(most, residual, residual);
    for (slong k = 0, before = -1; k < count; before = whole_number(json_array_get(rows, (size_t)k++))) {
        const slong i = whole_number(json_array_get(rows, (size_t)k));
        insist(i > before && i < p->n, "the rows that are left out are not ascending");
        left_out[i] = true;
    }
    for (slong k = 0; k < count; k++) {
        fmpq *y = exact_list(json_array_get(combinations, (size_t)k), p->n);
        const slong row = whole_number(json_array_get(rows, (size_t)k));
        for (slong i = 0; i < p->n; i++) {
            const bool free_row = p->no_lo[i] && p->no_hi[i] && fmpq_is_zero(p->gamma + i);
            insist(i == row ? free_row && fmpq_is_zero(y + i) : fmpq_is_zero(y + i) || (free_row && !left_out[i]),
                   "a row is no combination of rows without bounds");
            fmpq_neg(y + i, y + i);
        }
        fmpq_one(y + row);
        times_transposed(p, y, force);
        square_of_force(p, force, square);
        insist(fmpq_cmp(square, most) <= 0, "a row differs more from its combination");
        dot_product(p->n, y, p->c, square);
        fmpq_abs(square, square);
        insist(fmpq_cmp(square, residual + 1) <= 0, "a row contradicts the others by more");
    }
    return left_out;
}
