/* All solutions, of which there may be none. */
#include "certified.h"

#include <stdlib.h>

typedef enum state { OPEN, ZERO, LOWER, UPPER } state;

typedef struct search {
    const problem *p;
    fmpq_mat_t A;
    slong count;
    fmpq **found;
    state *states; /* n */
} search;

/* Friction gives z_t x_t >= -mu |z_t| x_n. */
static void give_friction_to_normal_row(const problem *p, const friction *f, const fmpq *y, fmpq *z)
{
    insist(f->law != LAW_ASSOCIATED, "no proof under the associated law");
    insist(!p->no_lo[f->normal] && fmpq_sgn(p->lo + f->normal) >= 0, "a normal impulse may be negative");
    for (slong k = 0; k < f->count; k++) {
        const slong t = f->first + k;
        insist(fmpq_is_zero(y + t), "w of a row under friction may have any sign");
        fmpq_abs(z + t, z + t);
        fmpq_submul(z + f->normal, f->mu + k, z + t);
        fmpq_zero(z + t);
    }
}

/* THEOREM. w = A x + b gives y.w - (A^T y).x = y.b for every y. If the left side is larger than y.b for all x and w
 * that the states allow, no solution has them (J. Farkas 1902). Where w_i may have any sign, y_i = 0. In the
 * mechanical form A^T y = J M^-1 J^T y + Gamma y and y.b = v*.J^T y - c.y. */
static void check_farkas(const search *s, const json_t *vector)
{
    const problem *p = s->p;
    const slong n = p->n;
    fmpq *y = exact_list(vector, n), *force = _fmpq_vec_init(p->columns + 1), *v = _fmpq_vec_init(p->columns + 1);
    fmpq *z = _fmpq_vec_init(n + 1);
    fmpq_t least, part;
    fmpq_init(least), fmpq_init(part);
    times_transposed(p, y, force);
    respond(p, force, v);
    if (p->matrix)
        for (slong i = 0; i < n; i++)
            fmpq_set(z + i, force + i);
    else
        times_rows(p, v, z);
    dot_product(n, y, p->c, least);
    if (!p->matrix) {
        dot_product(p->columns, p->v_star, force, part);
        fmpq_sub(least, least, part);
    }
    for (slong i = 0; i < n; i++) {
        fmpq_addmul(z + i, p->gamma + i, y + i);
        fmpq_neg(z + i, z + i);
    }
    for (slong k = 0; k < p->n_friction; k++)
        give_friction_to_normal_row(p, p->friction + k, y, z);
    for (slong i = 0; i < n; i++) {
        const int a = fmpq_sgn(y + i), b = fmpq_sgn(z + i);
        const state is = s->states[i];
        const bool low = is == LOWER || (is != UPPER && b > 0); /* the bound at which z_i x_i is least */
        const bool sign = is == ZERO || (is == LOWER && a > 0) || (is == UPPER && a < 0) ||
                          (is == OPEN && (a > 0 ? p->no_hi[i] : p->no_lo[i]));
        insist((a == 0 || sign) && (b == 0 || !(low ? p->no_lo[i] : p->no_hi[i])), "a row may be otherwise");
        if (b != 0)
            fmpq_addmul(least, z + i, low ? p->lo + i : p->hi + i);
    }
    insist(fmpq_sgn(least) > 0, "a Farkas vector proves nothing");
    _fmpq_vec_clear(y, n + 1), _fmpq_vec_clear(z, n + 1);
    _fmpq_vec_clear(force, p->columns + 1), _fmpq_vec_clear(v, p->columns + 1);
    fmpq_clear(least), fmpq_clear(part);
}

/* The only point of the states, from w = 0 in the rows that are not at a bound, is listed or is no solution. */
static void check_point(const search *s)
{
    const problem *p = s->p;
    slong m = 0, *rows = room(p->n, sizeof *rows);
    fmpq *x = _fmpq_vec_init(p->n + 1), *w = _fmpq_vec_init(p->n + 1);
    fmpq_mat_t system, right, value;
    bool listed = false;
    for (slong i = 0; i < p->n; i++) {
        const bool fixed = !p->no_lo[i] && !p->no_hi[i] && fmpq_equal(p->lo + i, p->hi + i);
        insist(s->states[i] != OPEN || fixed, "a row has no state in a complete choice");
        if (s->states[i] == ZERO)
            rows[m++] = i;
        else
            fmpq_set(x + i, s->states[i] == UPPER ? p->hi + i : p->lo + i);
    }
    evaluate_w(p, x, w);
    fmpq_mat_init(system, m, m), fmpq_mat_init(right, m, 1), fmpq_mat_init(value, m, 1);
    for (slong a = 0; a < m; a++) {
        fmpq_neg(fmpq_mat_entry(right, a, 0), w + rows[a]);
        for (slong b = 0; b < m; b++)
            fmpq_set(fmpq_mat_entry(system, a, b), fmpq_mat_entry(s->A, rows[a], rows[b]));
    }
    insist(m == 0 || fmpq_mat_solve(value, system, right), "a choice of states has no single point");
    for (slong a = 0; a < m; a++)
        fmpq_set(x + rows[a], fmpq_mat_entry(value, a, 0));
    for (slong k = 0; k < s->count; k++)
        listed = listed || same_vector(s->found[k], x, p->n);
    insist(listed || !is_solution(p, x), "a solution is not listed");
    fmpq_mat_clear(system), fmpq_mat_clear(right), fmpq_mat_clear(value);
    _fmpq_vec_clear(x, p->n + 1), _fmpq_vec_clear(w, p->n + 1);
    free(rows);
}

static void check_choices(search *s, const json_t *node)
{
    const problem *p = s->p;
    insist(json_is_object(node), "a tree has no node here");
    if (json_object_get(node, "row")) {
        const slong i = whole_number(json_object_get(node, "row"));
        insist(i >= 0 && i < p->n && s->states[i] == OPEN, "a wrong branch");
        insist(p->no_lo[i] || p->no_hi[i] || !fmpq_equal(p->lo + i, p->hi + i), "a branch of a row with one impulse");
        const char *const sides[] = {[ZERO] = "zero", [LOWER] = "lower", [UPPER] = "upper"};
        for (state side = ZERO; side <= UPPER; side++)
            if (side == ZERO || !(side == LOWER ? p->no_lo[i] : p->no_hi[i])) {
                s->states[i] = side;
                check_choices(s, member(node, sides[side]));
            }
        s->states[i] = OPEN;
    } else if (json_object_get(node, "farkas")) {
        check_farkas(s, json_object_get(node, "farkas"));
    } else {
        check_point(s);
    }
}

/* The listed solutions are all. Every solution has each row in one of three closed states: w = 0, x = lo, x = hi; a row
 * without bounds in the first, a row with lo = hi in any. A leaf of the tree of choices has no solution, or one point,
 * which is listed or is no solution. */
const char *check_all(const problem *p, const json_t *claim, const json_t *witness)
{
    search s = {.p = p, .states = room(p->n, sizeof *s.states)};
    const json_t *tree = member(witness, "tree");
    s.found = read_solutions(p, claim, &s.count);
    insist(p->n_friction == 0 || json_object_get(tree, "farkas"), "no search proves this under friction");
    if (!json_object_get(tree, "farkas"))
        matrix_of(p, s.A);
    for (slong i = 0; i < p->n; i++)
        s.states[i] = p->no_lo[i] && p->no_hi[i] ? ZERO : OPEN;
    check_choices(&s, tree);
    return s.count == 0   ? "no solution"
           : s.count == 1 ? "one solution, and no other"
                          : words("%.0f solutions, and no others", (double)s.count, 0.0);
}
