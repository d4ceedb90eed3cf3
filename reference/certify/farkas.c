/* Proofs that there is no solution, in exact arithmetic.
 *
 * With z = A^T y, y proves that w = A lambda + b, lo <= lambda <= hi has no solution if
 *
 *     row i has        y_i      z_i       share of the supremum of z.lambda
 *     lo alone         >= 0     <= 0      z_i lo_i
 *     hi alone         <= 0     >= 0      z_i hi_i
 *     neither          any      = 0       0
 *     both             = 0      any       max(z_i lo_i, z_i hi_i)
 *
 * and b.y + sum of the shares < 0: every solution has y.w >= 0 by the first column, but y.w = b.y + z.lambda is
 * negative by the others (O. L. Mangasarian, "Nonlinear Programming" (1969), section 2.4).
 *
 * A tangent under a friction law has y_t = 0, since its w may have any sign. Its impulse is at most mu lambda_n, so
 * that z_t lambda_t <= mu |z_t| lambda_n in a box and under a cone: mu |z_t| is added to z_n, whose row must have lo >=
 * 0, and then z_t counts as 0.
 *
 * In the mechanical form A = J M^-1 J^T + Gamma is positive semidefinite, and in each row y_i z_i <= 0. So y^T A y <=
 * 0, hence J^T y = 0 and Gamma y = 0, z = 0, and b.y = v*.(J^T y) - c.y = -c.y: neither M nor A is needed, and the
 * cost is linear in the entries of J.
 *
 * A solver hands over such a y with rounding, by which the entries of z (or of J^T y) that must be 0 are not.
 * If y as it stands is no proof, take the rows S that matter and the columns Z where z is small beside its own terms,
 * and solve A_SZ^T y_S = 0 (J_S^T y_S = 0) near y: the rank, the pivot columns and the pivot rows modulo a prime, the
 * free entries as they are, the pivot entries by the exact solution of the square system of the pivots (p-adic
 * lifting: J. D. Dixon, "Exact solution of linear equations using p-adic expansions" (1982)). Whether the rank modulo
 * the prime is the true one, and whether S and Z were well chosen, does not matter: all conditions are checked exactly
 * on the y that comes out. */
#include "delassus/reference.h"

#include "exact/apart.h"
#include "exact/rational.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/text.h"
#include "self_check.h"

#include <flint/nmod_mat.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows in S, and rows times columns: 250 unknowns of a full matrix take 1.3 s. */
enum { SUPPORT_MAX = 250, ENTRIES_MAX = 250 * 1000 };

/* Shares of its terms below which an entry may be rounding: of good and of ill-conditioned factors. */
static const double smallness[] = {1e-13, 1e-11, 1e-9, 1e-7};

typedef struct farkas {
    const dls_problem *p;
    fmpq_mat_t y, z; /* n x 1; z is J^T y, n_columns x 1, in the mechanical form */
    double *start;   /* n: y as it was given, but for entries of the wrong sign */
    double *value;   /* n_columns: z in doubles */
    double *terms;   /* n_columns: sum of the sizes of the terms of z */
    double *share;   /* n: the largest part of a sum of terms that the row has */
    size_t *rows;    /* S, by falling share */
    size_t *columns; /* Z */
    size_t *place;   /* n_columns: place in Z, or DLS_NONE */
    size_t n_rows, n_columns;
    dls_arena memory;
} farkas;

static fmpq *entry(const fmpq_mat_t matrix, size_t i, size_t j) { return fmpq_mat_entry(matrix, (slong)i, (slong)j); }

/* The signs that y_i may have: 0 where both bounds are finite. */
static bool may_be_positive(const dls_problem *p, size_t i) { return p->law[i] == DLS_LAW_FIXED && isinf(p->hi[i]); }
static bool may_be_negative(const dls_problem *p, size_t i) { return p->law[i] == DLS_LAW_FIXED && isinf(p->lo[i]); }

/* --- the exact check --- */

/* z = A^T y (J^T y) over the rows where y is not 0; in the matrix form the diagonal has Gamma. */
static void multiply_y(farkas *f)
{
    const dls_rows *J = &f->p->J;
    fmpq_t x;
    fmpq_init(x);
    fmpq_mat_zero(f->z);
    for (size_t i = 0; i < f->p->n; i++) {
        if (fmpq_is_zero(entry(f->y, i, 0)))
            continue;
        for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
            for (size_t c = J->coef_at[k], j = J->offset[k]; c < J->coef_at[k + 1]; c++, j++) {
                dls_rational_set(x, J->coef[c]);
                fmpq_addmul(entry(f->z, j, 0), entry(f->y, i, 0), x);
            }
        if (f->p->form == DLS_FORM_MATRIX) {
            dls_rational_set(x, f->p->gamma[i]);
            fmpq_addmul(entry(f->z, i, 0), entry(f->y, i, 0), x);
        }
    }
    fmpq_clear(x);
}

static bool refuse_proof(dls_farkas_proof *proof, const char *format, ...) DLS_PRINTF(2, 3);
static bool refuse_proof(dls_farkas_proof *proof, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    dls_print_list(proof->reason, sizeof proof->reason, format, arguments);
    va_end(arguments);
    return false;
}

/* The mechanical form: J^T y = 0 and Gamma y = 0. */
static bool mechanical_holds(const farkas *f, dls_farkas_proof *proof)
{
    for (size_t j = 0; j < f->p->nv; j++)
        if (!fmpq_is_zero(entry(f->z, j, 0)))
            return refuse_proof(proof, "J^T y is not exactly 0: its entry %zu is %.3g", j,
                                dls_rational_get(entry(f->z, j, 0), DLS_ROUND_NEAREST));
    for (size_t i = 0; i < f->p->n; i++)
        if (f->p->gamma[i] != 0.0 && !fmpq_is_zero(entry(f->y, i, 0)))
            return refuse_proof(proof, "row %zu (%s) is compliant and cannot contradict another", i,
                                dls_problem_label(f->p, i));
    return true;
}

/* Adds mu |z_t| of tangents to the z of their normal rows, and sets z_t to 0; false where a normal row may be negative.
 */
static bool charge_friction(farkas *f, dls_farkas_proof *proof)
{
    const dls_problem *p = f->p;
    bool valid = true;
    fmpq_t mu;
    fmpq_init(mu);
    for (size_t i = 0; valid && i < p->n; i++) {
        fmpq *z = entry(f->z, i, 0);
        if (p->law[i] == DLS_LAW_FIXED || fmpq_is_zero(z))
            continue;
        if (!(p->lo[p->parent[i]] >= 0.0))
            valid = refuse_proof(proof, "the normal row of row %zu (%s) may have a negative impulse", i,
                                 dls_problem_label(p, i));
        dls_rational_set(mu, p->mu[i]);
        fmpq_abs(z, z);
        fmpq_addmul(entry(f->z, p->parent[i], 0), mu, z);
        fmpq_zero(z);
    }
    fmpq_clear(mu);
    return valid;
}

/* Adds the largest z_i lambda_i to the supremum; false where that is infinite. */
static bool add_share(const farkas *f, size_t i, fmpq_t supremum, dls_farkas_proof *proof)
{
    const fmpq *z = entry(f->z, i, 0);
    double bound = fmpq_sgn(z) > 0 ? f->p->hi[i] : f->p->lo[i];
    fmpq_t x;
    if (fmpq_is_zero(z))
        return true;
    if (isinf(bound))
        return refuse_proof(proof, "(A^T y)_%zu is %.3g, and lambda there has no bound", i,
                            dls_rational_get(z, DLS_ROUND_NEAREST));
    fmpq_init(x);
    dls_rational_set(x, bound);
    fmpq_addmul(supremum, z, x);
    fmpq_clear(x);
    return true;
}

/* b.y; in the mechanical form, where J^T y = 0, -c.y. */
static void start_supremum(const farkas *f, fmpq_t supremum)
{
    fmpq_t x;
    fmpq_init(x);
    fmpq_zero(supremum);
    for (size_t i = 0; i < f->p->n; i++) {
        dls_rational_set(x, f->p->c[i]);
        fmpq_submul(supremum, x, entry(f->y, i, 0));
    }
    fmpq_clear(x);
}

/* The rows' column of the table above; *largest becomes max |y|. */
static bool signs_hold(const farkas *f, fmpq_t largest, dls_farkas_proof *proof)
{
    fmpq_t size;
    fmpq_init(size);
    fmpq_zero(largest);
    bool valid = true;
    for (size_t i = 0; valid && i < f->p->n; i++) {
        int sign = fmpq_sgn(entry(f->y, i, 0));
        if ((sign > 0 && !may_be_positive(f->p, i)) || (sign < 0 && !may_be_negative(f->p, i)))
            valid = refuse_proof(proof, "y_%zu has the wrong sign once A^T y is exact", i);
        fmpq_abs(size, entry(f->y, i, 0));
        if (fmpq_cmp(size, largest) > 0)
            fmpq_set(largest, size);
    }
    fmpq_clear(size);
    return valid && (!fmpq_is_zero(largest) || refuse_proof(proof, "y is 0 but for entries that can prove nothing"));
}

/* Whether f->y is a proof, and its margin. */
static bool check_proof(farkas *f, dls_farkas_proof *proof)
{
    fmpq_t largest, supremum;
    fmpq_init(largest), fmpq_init(supremum);
    bool holds = signs_hold(f, largest, proof);
    if (holds) {
        multiply_y(f);
        start_supremum(f, supremum);
        holds = f->p->form == DLS_FORM_MATRIX ? charge_friction(f, proof) : mechanical_holds(f, proof);
        for (size_t i = 0; f->p->form == DLS_FORM_MATRIX && holds && i < f->p->n; i++)
            holds = add_share(f, i, supremum, proof);
    }
    if (holds) {
        fmpq_div(supremum, supremum, largest);
        fmpq_neg(supremum, supremum);
        proof->margin = dls_rational_get(supremum, DLS_ROUND_TOWARDS_ZERO);
        holds = fmpq_sgn(supremum) > 0 || refuse_proof(proof, "the signs hold, but y.w can be %.3g", -proof->margin);
    }
    proof->margin = holds ? proof->margin : 0.0;
    fmpq_clear(largest), fmpq_clear(supremum);
    return holds;
}

/* --- an exact y near the given one --- */

/* Terms, values and shares from y in doubles. */
static void weigh_terms(farkas *f)
{
    const dls_problem *p = f->p;
    const dls_rows *J = &p->J;
    memset(f->value, 0, J->n_columns * sizeof *f->value);
    memset(f->terms, 0, J->n_columns * sizeof *f->terms);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < p->n; i++) {
            f->share[i] = 0.0;
            for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
                for (size_t c = J->coef_at[k], j = J->offset[k]; c < J->coef_at[k + 1]; c++, j++) {
                    double term = J->coef[c] * f->start[i];
                    f->value[j] += pass == 0 ? term : 0.0;
                    f->terms[j] += pass == 0 ? fabs(term) : 0.0;
                    if (pass == 1 && f->terms[j] > 0.0)
                        f->share[i] = fmax(f->share[i], fabs(term) / f->terms[j]);
                }
        }
}

static int by_falling_share(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return x[0] > y[0] ? -1 : x[0] < y[0] ? 1 : x[1] < y[1] ? -1 : 1;
}

/* S and Z for one smallness. `boxed`: columns of rows with two bounds are in Z too where z is small. `pairs`: 2 n. */
static void choose_support(farkas *f, double small, bool boxed, double *pairs)
{
    const dls_problem *p = f->p;
    bool matrix = p->form == DLS_FORM_MATRIX;
    f->n_rows = f->n_columns = 0;
    for (size_t i = 0; i < p->n; i++)
        if (f->start[i] != 0.0 && (f->share[i] > small || f->share[i] == 0.0) && (matrix || p->gamma[i] == 0.0)) {
            pairs[2 * f->n_rows] = f->share[i];
            pairs[2 * f->n_rows++ + 1] = (double)i;
        }
    qsort(pairs, f->n_rows, 2 * sizeof *pairs, by_falling_share);
    for (size_t s = 0; s < f->n_rows; s++)
        f->rows[s] = (size_t)pairs[2 * s + 1];
    for (size_t j = 0; j < p->J.n_columns; j++) {
        double z = f->value[j];
        bool wrong = matrix && ((z > 0.0 && isinf(p->hi[j])) || (z < 0.0 && isinf(p->lo[j])));
        bool two = matrix && isfinite(p->lo[j]) && isfinite(p->hi[j]);
        bool vanish = !matrix || wrong || (fabs(z) <= small * f->terms[j] && (boxed || !two));
        f->place[j] = vanish && f->terms[j] > 0.0 ? f->n_columns : DLS_NONE;
        if (f->place[j] != DLS_NONE)
            f->columns[f->n_columns++] = j;
    }
}

/* The conditions A_SZ^T (J_S^T), each times the common denominator of its entries. */
static void gather_conditions(const farkas *f, fmpz_mat_t conditions)
{
    const dls_rows *J = &f->p->J;
    fmpq_mat_t G;
    fmpq_t x;
    fmpz *scale = _fmpz_vec_init((slong)f->n_columns);
    fmpq_mat_init(G, (slong)f->n_columns, (slong)f->n_rows);
    fmpq_init(x);
    for (size_t s = 0; s < f->n_rows; s++) {
        size_t i = f->rows[s];
        for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
            for (size_t c = J->coef_at[k], j = J->offset[k]; c < J->coef_at[k + 1]; c++, j++)
                if (f->place[j] != DLS_NONE) {
                    dls_rational_set(x, J->coef[c]);
                    fmpq_add(entry(G, f->place[j], s), entry(G, f->place[j], s), x);
                }
        if (f->p->form == DLS_FORM_MATRIX && f->place[i] != DLS_NONE) {
            dls_rational_set(x, f->p->gamma[i]);
            fmpq_add(entry(G, f->place[i], s), entry(G, f->place[i], s), x);
        }
    }
    fmpq_mat_get_fmpz_mat_rowwise(conditions, scale, G);
    _fmpz_vec_clear(scale, (slong)f->n_columns);
    fmpq_mat_clear(G);
    fmpq_clear(x);
}

/* The pivot columns of a matrix modulo a prime, by row reduction in place. */
static size_t pivots_modulo(nmod_mat_t matrix, size_t *at)
{
    slong rank = nmod_mat_rref(matrix), column = 0;
    for (slong r = 0; r < rank; r++, column++) {
        while (nmod_mat_entry(matrix, r, column) == 0)
            column++;
        at[r] = (size_t)column;
    }
    return (size_t)rank;
}

/* The pivot columns of the conditions and as many independent rows. */
static size_t find_pivots(const fmpz_mat_t conditions, size_t *columns, size_t *rows)
{
    static const mp_limb_t prime = UWORD(4611686018427387847); /* 2^62 - 57 */
    slong m = fmpz_mat_nrows(conditions), n = fmpz_mat_ncols(conditions);
    nmod_mat_t reduced, chosen;
    nmod_mat_init(reduced, m, n, prime);
    fmpz_mat_get_nmod_mat(reduced, conditions);
    size_t rank = pivots_modulo(reduced, columns);
    fmpz_mat_get_nmod_mat(reduced, conditions);
    nmod_mat_init(chosen, (slong)rank, m, prime);
    for (size_t r = 0; r < rank; r++)
        for (slong i = 0; i < m; i++)
            nmod_mat_entry(chosen, r, i) = nmod_mat_entry(reduced, i, columns[r]);
    pivots_modulo(chosen, rows);
    nmod_mat_clear(reduced), nmod_mat_clear(chosen);
    return rank;
}

/* y_S with conditions y_S = 0: pivot entries from the free ones. False if the square system is singular. */
static bool complete_y(farkas *f, const fmpz_mat_t conditions, size_t rank, const size_t *columns, const size_t *rows)
{
    fmpz_mat_t square, right;
    fmpq_mat_t solved, sum;
    fmpz_t common;
    fmpq_t x;
    fmpz_mat_init(square, (slong)rank, (slong)rank), fmpz_mat_init(right, (slong)rank, 1);
    fmpq_mat_init(solved, (slong)rank, 1), fmpq_mat_init(sum, (slong)rank, 1);
    fmpz_init(common), fmpq_init(x);
    fmpq_mat_zero(f->y);
    for (size_t s = 0, next = 0; s < f->n_rows; s++) {
        bool pivot = next < rank && columns[next] == s;
        if (!pivot)
            dls_rational_set(entry(f->y, f->rows[s], 0), f->start[f->rows[s]]);
        for (size_t r = 0; r < rank; r++) {
            const fmpz *c = fmpz_mat_entry(conditions, (slong)rows[r], (slong)s);
            if (pivot) {
                fmpz_set(fmpz_mat_entry(square, (slong)r, (slong)next), c);
            } else {
                fmpq_mul_fmpz(x, entry(f->y, f->rows[s], 0), c);
                fmpq_sub(entry(sum, r, 0), entry(sum, r, 0), x);
            }
        }
        next += pivot;
    }
    fmpq_mat_get_fmpz_mat_matwise(right, common, sum);
    bool regular = rank == 0 || fmpq_mat_solve_fmpz_mat_dixon(solved, square, right);
    for (size_t r = 0; regular && r < rank; r++)
        fmpq_div_fmpz(entry(f->y, f->rows[columns[r]], 0), entry(solved, r, 0), common);
    fmpz_mat_clear(square), fmpz_mat_clear(right);
    fmpq_mat_clear(solved), fmpq_mat_clear(sum);
    fmpz_clear(common), fmpq_clear(x);
    return regular;
}

/* One try: an exact y with the given S and Z. */
static bool repair_y(farkas *f, dls_farkas_proof *proof, size_t *pivot_columns, size_t *pivot_rows)
{
    if (f->n_rows == 0)
        return refuse_proof(proof, "y is 0 but for rounding, or on compliant rows alone");
    if (f->n_rows > SUPPORT_MAX || f->n_rows * f->n_columns > ENTRIES_MAX)
        return refuse_proof(
            proof,
            "y has rounding and %zu entries that matter, in %zu conditions: at most %d, and %d coefficients, "
            "are made exact",
            f->n_rows, f->n_columns, SUPPORT_MAX, ENTRIES_MAX);
    fmpz_mat_t conditions;
    fmpz_mat_init(conditions, (slong)f->n_columns, (slong)f->n_rows);
    gather_conditions(f, conditions);
    size_t rank = find_pivots(conditions, pivot_columns, pivot_rows);
    bool proves = false;
    if (rank == f->n_rows)
        refuse_proof(proof, "the entries of A^T y that are small cannot all be 0 exactly");
    else
        proves = complete_y(f, conditions, rank, pivot_columns, pivot_rows) && check_proof(f, proof);
    fmpz_mat_clear(conditions);
    return proves;
}

/* --- */

static dls_status verify_y(farkas *f, const double *y, dls_farkas_proof *proof, dls_error *error)
{
    const dls_problem *p = f->p;
    size_t columns = p->J.n_columns;
    f->start = DLS_TAKE(&f->memory, double, p->n), f->share = DLS_TAKE(&f->memory, double, p->n);
    f->value = DLS_TAKE(&f->memory, double, columns), f->terms = DLS_TAKE(&f->memory, double, columns);
    f->rows = DLS_TAKE(&f->memory, size_t, p->n), f->columns = DLS_TAKE(&f->memory, size_t, columns);
    f->place = DLS_TAKE(&f->memory, size_t, columns);
    double *pairs = DLS_TAKE(&f->memory, double, 2 * p->n);
    size_t *pivot_columns = DLS_TAKE(&f->memory, size_t, p->n), *pivot_rows = DLS_TAKE(&f->memory, size_t, p->n);
    if (f->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory to verify a proof for %zu rows", p->n);
    for (size_t i = 0; i < p->n; i++) {
        bool wrong = (y[i] > 0.0 && !may_be_positive(p, i)) || (y[i] < 0.0 && !may_be_negative(p, i));
        f->start[i] = wrong ? 0.0 : y[i];
        dls_rational_set(entry(f->y, i, 0), f->start[i]);
    }
    proof->proved = check_proof(f, proof);
    weigh_terms(f);
    size_t rows = 0, conditions = 0; /* of the last try: the same once more would give the same */
    for (size_t k = 0; !proof->proved && k < 2 * sizeof smallness / sizeof smallness[0]; k++) {
        choose_support(f, smallness[k / 2], k % 2 != 0, pairs);
        if (k == 0 || f->n_rows != rows || f->n_columns != conditions)
            proof->proved = repair_y(f, proof, pivot_columns, pivot_rows);
        rows = f->n_rows, conditions = f->n_columns;
    }
    if (proof->proved)
        proof->reason[0] = 0;
    return DLS_OK;
}

typedef struct question {
    const dls_problem *problem;
    const double *y;
    dls_farkas_proof *proof;
    bool asked;      /* for the fractions of y */
    char *fractions; /* NULL: nothing is proved, or no memory */
} question;

static char *farkas_fractions(const farkas *f)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        return NULL;
    for (size_t i = 0; i < f->p->n; i++) {
        fputs(i > 0 ? " " : "", to);
        fmpq_fprint(to, entry(f->y, i, 0));
    }
    const bool failed = ferror(to) != 0;
    if (fclose(to) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

static dls_status verify_exactly(void *context, dls_error *error)
{
    question *q = context;
    farkas f = {.p = q->problem};
    fmpq_mat_init(f.y, (slong)f.p->n, 1);
    fmpq_mat_init(f.z, (slong)f.p->J.n_columns, 1);
    const dls_status status = verify_y(&f, q->y, q->proof, error);
    q->fractions = q->asked && q->proof->proved ? farkas_fractions(&f) : NULL;
    fmpq_mat_clear(f.y), fmpq_mat_clear(f.z);
    dls_arena_release(&f.memory);
    return status;
}

static bool send_fractions(const void *context, FILE *to)
{
    const question *q = context;
    return dls_apart_send_text(q->fractions, to);
}

static bool receive_fractions(void *context, FILE *from)
{
    question *q = context;
    return dls_apart_receive_text(&q->fractions, from);
}

dls_status dls_farkas_fractions(const dls_problem *p, const double *y, dls_farkas_proof *proof, char **fractions,
                                dls_error *error)
{
    dls_error wrong;
    memset(proof, 0, sizeof *proof);
    DLS_TRY(dls_self_check(error));
    if (dls_problem_check(p, &wrong) != DLS_OK) {
        refuse_proof(proof, "%s", wrong.message);
        return DLS_OK;
    }
    for (size_t i = 0; i < p->n; i++)
        if (!isfinite(y[i])) {
            refuse_proof(proof, "y_%zu is not finite", i);
            return DLS_OK;
        }
    question q = {.problem = p, .y = y, .proof = proof, .asked = fractions != NULL};
    DLS_TRY(dls_apart_run(&(dls_apart){verify_exactly, &q, proof, sizeof *proof, send_fractions, receive_fractions},
                          error));
    if (fractions)
        *fractions = q.fractions;
    return DLS_OK;
}

dls_status dls_farkas_verify(const dls_problem *p, const double *y, dls_farkas_proof *proof, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    return dls_farkas_fractions(p, y, proof, NULL, error);
}
