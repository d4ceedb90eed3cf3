/* The last step of every direct method: from an impulse that is nearly a solution to one that is.
 *
 * A mixed problem is piecewise linear. Its piece is read off the impulse: row i is at its bound where the distance to
 * that is the least of the three in its natural map, and otherwise between (F); what is nearer to a bound than `noise`
 * is put there. This is done in the units of the problem, and where that does not end well in those of each row's own
 * figures (measure.c). On a piece
 *     w_F = 0:   A_FF d = -w_F,   lambda_F <- lambda_F + d
 * is repeated with w evaluated in twice the precision (TwoSum and TwoProduct; T. Ogita, S. M. Rump, S. Oishi, "Accurate
 * sum and dot product", SIAM J. Sci. Comput. 26 (2005)): the factor only has to be good to a digit, and lambda_F comes
 * out exact to its last ones (N. J. Higham, "Accuracy and Stability of Numerical Algorithms" (2002), section 12.1). In
 * the mechanical form w goes by velocities, J (v* + M^-1 J^T lambda) + Gamma lambda - c, with M^-1 refined in the same
 * way: what was lost when A was formed comes back. Rows that then are on the wrong side change sets, as in
 * block_pivoting.c, for some rounds. The best impulse of all, the given one among them, is the answer.
 *
 * The factor is that of Cholesky, or LU without symmetry. Where it breaks down or gains no digits, A_FF is singular
 * or nearly so. Of a mechanical problem it is G^T G with G = [L^-1 J_F^T; sqrt(Gamma_F)], M = L L^T, whose condition
 * number is the square root of that of A_FF, and
 *     G^T y = -w_F,   G d = y,   each in the least squares sense with least norm,
 * is a correction that is as small as can be; without G it is one system, A_FF d = -w_F. Directions of G below
 * `rank_tolerance` are left alone. Rows that contradict each other in these keep a w: the least squares answer, in
 * units where each row has the effective mass 1, and its size is reported. Up to `contradiction` of max |b| it passes
 * for rounding, as the reference answer is that one (doc/conventions.md).
 *
 * An impulse that violates nothing but by the rounding of w, evaluated in plain arithmetic where A is given, is left as
 * it is: no factor is needed then.
 *
 * Rows under a box follow their normal row: at a bound, lambda_i = -+ mu lambda_n through all corrections. */
#include "last_step.h"

#include "measure.h"
#include "redundant.h"
#include "twofold.h"

#include <lapacke.h>

static const double noise = 1e-13, rank_tolerance = 1e-13, gain = 0.5, contradiction = 1e-10, hidden = 1e-10;
enum { CORRECTIONS = 60, LEAST_SQUARES = 4, MASS_CORRECTIONS = 4, BLOCKS_BEFORE_SINGLES = 5 };

enum { INSIDE, LOWER, UPPER };

struct dls_last_step {
    const dls_direct *direct;
    const dls_problem *p;
    dls_dense q;
    size_t n, f, *F;
    unsigned char *state;                 /* n */
    double *lambda, *w, *best, *T, *most; /* n each; most: Lambda */
    double *lo, *hi;                      /* n: as they are, rows under a box by their normal row */
    double *d, *rest, *given;             /* n */
    double *of_block;                     /* 2 n_blocks */
    double *factor;                       /* n x n */
    lapack_int *pivots;
    bool mechanical;
    /* The mechanical form: |L_k^-1 J_ik^T| of row i in block k of M, rows one after another, in the units of q. */
    size_t *pull_at, *block;               /* n + 1; the block of each */
    double *pull, *force, *least, *unsure; /* force, least: n_blocks; unsure: n, the rounding of J_i v* - c_i */
    double *M, *L;                         /* of each block of M, one after another, and its Cholesky factor */
    size_t *block_at;
    dls_twofold *velocity; /* nv */
    double *momentum;
    double *G, *GT, *room, *y; /* taken where A_FF turns out to be singular */
    size_t n_rows;             /* of G */
    lapack_int n_room;
    double lost;    /* impulses of F below this are what the last correction rounded off */
    bool dependent; /* rows of F depend on each other */
};

typedef dls_last_step step;

/* --- w in twice the precision --- */

static void add_to(dls_twofold *sum, double a)
{
    dls_twofold s = dls_two_sum(sum->high, a);
    *sum = (dls_twofold){s.high, sum->low + s.low};
}

static void add_product(dls_twofold *sum, double a, double b)
{
    dls_twofold product = dls_two_product(a, b);
    sum->low += product.low;
    add_to(sum, product.high);
}

static void w_of_matrix(step *s)
{
    const dls_dense *q = &s->q;
    for (size_t i = 0; i < s->n; i++)
        s->velocity[i] = (dls_twofold){q->b[i], 0.0};
    for (size_t j = 0; j < s->n; j++)
        for (size_t i = 0; s->lambda[j] != 0.0 && i < s->n; i++)
            add_product(&s->velocity[i], q->A[i + s->n * j], s->lambda[j]);
    for (size_t i = 0; i < s->n; i++)
        s->w[i] = s->velocity[i].high + s->velocity[i].low;
}

/* momentum <- M^-1 momentum, added to the velocity; M x = momentum is corrected until its rest is nothing. */
static void add_velocity_of(step *s, dls_twofold *momentum)
{
    const dls_mass *mass = &s->p->mass;
    for (size_t k = 0; k < mass->n_blocks; k++) {
        size_t m = mass->blocks[k].length, from = mass->blocks[k].offset;
        const double *M = s->M + s->block_at[k], *L = s->L + s->block_at[k];
        for (int pass = 0; pass < MASS_CORRECTIONS; pass++) {
            for (size_t i = 0; i < m; i++)
                s->momentum[i] = momentum[from + i].high + momentum[from + i].low;
            LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (lapack_int)m, 1, L, (lapack_int)m, s->momentum, (lapack_int)m);
            for (size_t j = 0; j < m; j++) {
                add_to(&s->velocity[from + j], s->momentum[j]);
                for (size_t i = 0; i < m; i++)
                    add_product(&momentum[from + i], -M[i + m * j], s->momentum[j]);
            }
        }
    }
}

static void w_of_mechanism(step *s)
{
    const dls_problem *p = s->p;
    const dls_rows *J = &p->J;
    dls_twofold *momentum = s->velocity + p->nv;
    memset(momentum, 0, p->nv * sizeof *momentum);
    for (size_t j = 0; j < p->nv; j++)
        s->velocity[j] = (dls_twofold){p->v_star[j], 0.0};
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
            for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++)
                add_product(&momentum[j], J->coef[at], dls_direct_impulse(s->direct, i, s->lambda[i]));
    add_velocity_of(s, momentum);
    for (size_t j = 0; j < p->nv; j++)
        s->velocity[j] = dls_two_sum(s->velocity[j].high, s->velocity[j].low);
    for (size_t i = 0; i < s->n; i++) {
        dls_twofold sum = {-p->c[i], 0.0};
        for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
            for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++) {
                add_product(&sum, J->coef[at], s->velocity[j].high);
                sum.low += J->coef[at] * s->velocity[j].low;
            }
        add_product(&sum, p->gamma[i], dls_direct_impulse(s->direct, i, s->lambda[i]));
        s->w[i] = dls_direct_velocity_scaled(s->direct, i, sum.high + sum.low);
    }
    dls_redundant_project(&s->direct->redundant, s->w, s->direct->redundant.left);
}

/* The bounds of rows under a box, and their impulses where they are at one. */
static void follow_normals(step *s)
{
    for (size_t i = 0; i < s->n; i++) {
        size_t normal = s->p->parent[i];
        if (normal == DLS_NONE)
            continue;
        s->hi[i] = dls_direct_mu(s->direct, i) * fmax(s->lambda[normal], 0.0);
        s->lo[i] = -s->hi[i];
        if (s->state[i] != INSIDE)
            s->lambda[i] = s->state[i] == LOWER ? s->lo[i] : s->hi[i];
    }
}

/* T and Lambda in the mechanical form, where terms of A are bounded body by body: |A_ij| <= sum_k N_ik N_jk + Gamma_ij
 * with N_ik = |L_k^-1 J_ik^T|. */
static void mechanical_scales(step *s)
{
    memset(s->force, 0, s->p->mass.n_blocks * sizeof *s->force);
    for (size_t k = 0; k < s->p->mass.n_blocks; k++)
        s->least[k] = HUGE_VAL;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = s->pull_at[i]; k < s->pull_at[i + 1]; k++)
            s->force[s->block[k]] += s->pull[k] * fabs(s->lambda[i]);
    for (size_t i = 0; i < s->n; i++) {
        double compliance = ldexp(s->p->gamma[i], 2 * s->direct->row_unit[i]);
        s->T[i] = fabs(s->q.b[i]) + compliance * fabs(s->lambda[i]);
        for (size_t k = s->pull_at[i]; k < s->pull_at[i + 1]; k++)
            s->T[i] += s->pull[k] * s->force[s->block[k]];
        for (size_t k = s->pull_at[i]; k < s->pull_at[i + 1]; k++)
            if (s->pull[k] > 0.0)
                s->least[s->block[k]] = fmin(s->least[s->block[k]], s->T[i] / s->pull[k]);
    }
    for (size_t i = 0; i < s->n; i++) {
        double compliance = ldexp(s->p->gamma[i], 2 * s->direct->row_unit[i]), bound = 0.0;
        if (s->p->parent[i] == DLS_NONE)
            bound = fmax(isinf(s->lo[i]) ? 0.0 : fabs(s->lo[i]), isinf(s->hi[i]) ? 0.0 : fabs(s->hi[i]));
        s->most[i] = bound > 0.0 ? bound : HUGE_VAL;
        if (compliance > 0.0)
            s->most[i] = fmin(s->most[i], s->T[i] / compliance);
        for (size_t k = s->pull_at[i]; k < s->pull_at[i + 1]; k++)
            if (s->pull[k] > 0.0)
                s->most[i] = fmin(s->most[i], s->least[s->block[k]] / s->pull[k]);
    }
}

/* The violation of row i, with w and scales at hand; a w that the rounding of b may have made is none. */
static double violation_of(const step *s, size_t i)
{
    double w = s->mechanical && fabs(s->w[i]) <= s->unsure[i] ? 0.0 : s->w[i];
    return dls_row_violation(s->lo[i], s->hi[i], s->lambda[i], w, s->T[i], s->most[i]);
}

/* Whether w_i is due to a contradiction of dependent rows, and small enough to be rounding. */
static bool contradicts(const step *s, size_t i)
{
    return s->dependent && s->state[i] == INSIDE && fabs(s->w[i]) <= contradiction * dls_direct_right(s->direct, i);
}

/* The scales of all rows, whose w is at hand; returns the worst violation. */
static double measure_violations(step *s)
{
    double worst = 0.0;
    if (s->mechanical)
        mechanical_scales(s);
    else
        dls_row_scales(&s->q, s->lambda, s->T, s->most);
    for (size_t i = 0; i < s->n; i++) {
        double r = contradicts(s, i) ? 0.0 : fabs(violation_of(s, i));
        worst = r > worst || isnan(r) ? r : worst;
        if (isnan(worst))
            return NAN;
    }
    return worst;
}

static double evaluate_w(step *s)
{
    if (s->mechanical)
        w_of_mechanism(s);
    else
        w_of_matrix(s);
    return measure_violations(s);
}

/* --- the piece --- */

static double rounding_of_all(const step *s) { return (double)(s->n + 3) * DBL_EPSILON; }

static double rounding_of_row(const step *s, size_t i) { return rounding_of_all(s) * s->T[i]; }

static void put_in_set(step *s, size_t i, unsigned char state)
{
    s->state[i] = state;
    if (state != INSIDE)
        s->lambda[i] = state == LOWER ? s->lo[i] : s->hi[i];
}

/* The sets of lambda, whose w is at hand: in the units of q, or by the scales of each row. */
static void identify_sets(step *s, bool own_scales)
{
    double size = 1.0;
    for (size_t i = 0; i < s->n; i++)
        size = fmax(size, fabs(s->lambda[i]));
    for (size_t i = 0; i < s->n; i++) {
        double scale = own_scales && s->most[i] > 0.0 ? s->most[i] : size, t = s->w[i] / size;
        if (own_scales)
            t = s->T[i] > 0.0 ? s->w[i] / s->T[i] : 0.0;
        double low = (s->lambda[i] - s->lo[i]) / scale, high = (s->hi[i] - s->lambda[i]) / scale;
        if (low <= t || (low <= noise && t >= -noise))
            put_in_set(s, i, LOWER);
        else if (high <= -t || (high <= noise && t <= noise))
            put_in_set(s, i, UPPER);
        else
            put_in_set(s, i, INSIDE);
    }
}

/* The set of a row after the correction. */
static unsigned char better_set(const step *s, size_t i)
{
    bool fixed = !(s->lo[i] < s->hi[i]);
    if (s->state[i] == LOWER)
        return s->w[i] < -rounding_of_row(s, i) && !fixed ? INSIDE : LOWER;
    if (s->state[i] == UPPER)
        return s->w[i] > rounding_of_row(s, i) && !fixed ? INSIDE : UPPER;
    return s->lambda[i] <= s->lo[i] ? LOWER : s->lambda[i] >= s->hi[i] ? UPPER : INSIDE;
}

/* --- the correction --- */

static bool factor_piece(step *s, dls_report *report)
{
    lapack_int f = (lapack_int)s->f;
    dls_dense_block(&s->q, s->f, s->F, s->factor);
    if (f == 0)
        return true;
    report->factorizations++;
    if (!s->q.symmetric)
        return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, f, f, s->factor, f, s->pivots) == 0;
    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', f, s->factor, f) == 0;
}

/* Room for G and for LAPACK, once. */
static dls_status take_room(step *s, dls_error *error)
{
    dls_arena *memory = s->direct->memory;
    s->n_rows = s->mechanical ? s->p->nv + s->n : s->n;
    s->n_room = (lapack_int)(4 * (s->n_rows + s->n) + 65 * (s->n_rows + s->n + 1));
    s->G = dls_take_matrix(memory, s->n_rows, s->n);
    s->GT = s->mechanical ? dls_take_matrix(memory, s->n, s->n_rows) : s->G;
    s->y = DLS_TAKE(memory, double, s->n_rows + s->n);
    s->room = DLS_TAKE(memory, double, (size_t)s->n_room);
    return dls_direct_ready(s->direct, error);
}

/* G in the units of q; returns its rows: nv, and one for each compliant row of F. */
static size_t fill_G(step *s)
{
    const dls_mass *mass = &s->p->mass;
    size_t rows = s->p->nv, at = s->p->nv;
    for (size_t k = 0; k < s->f; k++)
        rows += s->p->gamma[s->F[k]] > 0.0;
    memset(s->G, 0, rows * s->f * sizeof *s->G);
    for (size_t k = 0; k < s->f; k++) {
        size_t i = s->F[k];
        dls_rows_axpy(&s->p->J, i, ldexp(1.0, s->direct->row_unit[i]), s->G + rows * k);
        if (s->p->gamma[i] > 0.0)
            s->G[at++ + rows * k] = ldexp(sqrt(s->p->gamma[i]), s->direct->row_unit[i]);
    }
    for (size_t b = 0; b < mass->n_blocks; b++) {
        int m = (int)mass->blocks[b].length;
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, m, (int)s->f, 1.0,
                    s->L + s->block_at[b], m, s->G + mass->blocks[b].offset, (int)rows);
    }
    return rows;
}

/* x <- the x of least norm with |A x - x| least; returns the rank, or -1. A is lost. */
static lapack_int least_squares(step *s, size_t rows, size_t columns, double *A, double *x)
{
    lapack_int rank = 0, m = (lapack_int)rows, n = (lapack_int)columns, ld = m > n ? m : n;
    memset(s->pivots, 0, columns * sizeof *s->pivots);
    return LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, m, n, 1, A, m, x, ld, s->pivots, rank_tolerance, &rank, s->room,
                               s->n_room) == 0
               ? rank
               : -1;
}

/* d of least norm; false where LAPACK fails. */
static bool solve_singular(step *s, dls_report *report)
{
    size_t rows = s->f;
    lapack_int rank;
    for (size_t k = 0; k < s->f; k++)
        s->y[k] = -s->w[s->F[k]];
    report->factorizations++;
    if (s->mechanical) {
        rows = fill_G(s);
        for (size_t k = 0; k < s->f; k++)
            for (size_t r = 0; r < rows; r++)
                s->GT[k + s->f * r] = s->G[r + rows * k];
        if ((rank = least_squares(s, s->f, rows, s->GT, s->y)) < 0)
            return false;
    } else {
        dls_dense_block(&s->q, s->f, s->F, s->G);
    }
    rank = least_squares(s, rows, s->f, s->G, s->y);
    memcpy(s->d, s->y, s->f * sizeof *s->d);
    s->dependent = rank >= 0 && (size_t)rank < s->f;
    return rank >= 0;
}

/* Corrects lambda_F while that gains digits; true where the last ones are reached. At least twice, for the first
 * correction leaves the rounding of its factor in rows whose impulses are far below the others. */
static bool correct_piece(step *s, bool singular, dls_report *report)
{
    double before = HUGE_VAL;
    for (int pass = 0; pass < (singular ? LEAST_SQUARES : CORRECTIONS) && s->f > 0; pass++) {
        double largest = 0.0, size = 0.0;
        if (singular && !solve_singular(s, report))
            return false;
        const lapack_int f = (lapack_int)s->f;
        for (size_t k = 0; k < s->f && !singular; k++)
            s->d[k] = -s->w[s->F[k]];
        if (!singular && s->q.symmetric)
            LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', f, 1, s->factor, f, s->d, f);
        else if (!singular)
            LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', f, 1, s->factor, f, s->pivots, s->d, f);
        for (size_t k = 0; k < s->f; k++)
            largest = fabs(s->d[k]) > largest || isnan(s->d[k]) ? fabs(s->d[k]) : largest;
        if (!(largest < gain * before) && largest > 0.0)
            return false;
        before = largest;
        for (size_t k = 0; k < s->f; k++)
            s->lambda[s->F[k]] += s->d[k];
        follow_normals(s);
        for (size_t i = 0; i < s->n; i++)
            size = fmax(size, fabs(s->lambda[i]));
        if (isnan(evaluate_w(s)))
            return false;
        s->lost = (double)s->n * DBL_EPSILON * (largest + DBL_EPSILON * size);
        if (pass > 0 && largest <= 4.0 * DBL_EPSILON * size)
            return true;
    }
    return s->f == 0;
}

/* --- the step --- */

static dls_status solve_piece(step *s, bool *accurate, dls_report *report, dls_error *error)
{
    s->f = 0;
    s->dependent = false;
    for (size_t i = 0; i < s->n; i++)
        if (s->state[i] == INSIDE)
            s->F[s->f++] = i;
    follow_normals(s);
    evaluate_w(s);
    if (factor_piece(s, report)) {
        memcpy(s->rest, s->lambda, s->n * sizeof *s->rest);
        if ((*accurate = correct_piece(s, false, report)))
            return DLS_OK;
        memcpy(s->lambda, s->rest, s->n * sizeof *s->rest);
        evaluate_w(s);
    }
    if (!s->room)
        DLS_TRY(take_room(s, error));
    *accurate = correct_piece(s, true, report) && !s->dependent;
    return DLS_OK;
}

/* The figures of lambda, whose w and scales are at hand. */
static void measure_figures(step *s, double violation, dls_last_figures *to)
{
    double *data = s->of_block, *left = s->of_block + s->direct->n_blocks;
    *to = (dls_last_figures){.violation = violation, .given = to->given};
    memset(data, 0, 2 * s->direct->n_blocks * sizeof *data);
    for (size_t i = 0; i < s->n; i++) {
        bool given = s->p->parent[i] == DLS_NONE && s->lambda[i] != 0.0 &&
                     (s->lambda[i] == s->lo[i] || s->lambda[i] == s->hi[i]);
        double r = contradicts(s, i) ? 0.0 : fabs(violation_of(s, i));
        const size_t k = s->direct->block[i];
        left[k] = fmax(left[k], isinf(s->most[i]) ? 0.0 : r * s->T[i] * fmax(s->most[i], fabs(s->lambda[i])));
        data[k] += (given ? s->T[i] : fabs(s->q.b[i])) * fabs(s->lambda[i]);
        if (s->dependent && s->state[i] == INSIDE && fabs(s->w[i]) > rounding_of_row(s, i))
            to->inconsistent = fmax(to->inconsistent, fabs(dls_direct_velocity(s->direct, i, s->w[i])));
    }
    to->share = data;
    for (size_t i = 0; i < s->n; i++) { /* where b.lambda = 0 row by row, the violation is no share of it */
        const size_t k = s->direct->block[i];
        if (left[k] > 0.0 && data[k] == 0.0)
            to->beside_data = fmax(to->beside_data, fabs(dls_natural_map(&s->q, i, s->lambda[i], s->w[i])) /
                                                        dls_direct_size(s->direct, i));
    }
    for (size_t k = 0; k < s->direct->n_blocks; k++) {
        data[k] = left[k] > 0.0 && data[k] > 0.0 ? left[k] / data[k] : 0.0;
        to->data = fmax(to->data, data[k]);
    }
}

/* Take lambda as the answer if it is better than the best one so far. */
static void keep_if_better(step *s, bool accurate, double *lambda, dls_last_figures *figures)
{
    bool clamped = false;
    memcpy(s->best, s->lambda, s->n * sizeof *s->best);
    for (size_t i = 0; i < s->n; i++) {
        s->lambda[i] = s->lambda[i] < s->lo[i] ? s->lo[i] : s->lambda[i] > s->hi[i] ? s->hi[i] : s->lambda[i];
        clamped = clamped || s->lambda[i] != s->best[i];
    }
    double violation = evaluate_w(s);
    if (violation < figures->violation || isnan(figures->violation) || violation <= rounding_of_all(s)) {
        measure_figures(s, violation, figures);
        figures->accurate = accurate;
        memcpy(lambda, s->lambda, s->n * sizeof *lambda);
    }
    memcpy(s->lambda, s->best, s->n * sizeof *s->best);
    if (clamped)
        evaluate_w(s);
}

/* Impulses that may be 0 are tried as such. */
static bool drop_what_is_lost(step *s)
{
    bool any = false;
    for (size_t k = 0; k < s->f; k++) {
        size_t i = s->F[k];
        double target = s->lambda[i] < 0.5 * (s->lo[i] + s->hi[i]) && isfinite(s->lo[i]) ? s->lo[i]
                        : isfinite(s->hi[i])                                             ? s->hi[i]
                        : isfinite(s->lo[i])                                             ? s->lo[i]
                                                                                         : 0.0;
        target = fabs(s->lambda[i]) <= s->lost ? 0.0 : target;
        if (s->lambda[i] != target && fabs(s->lambda[i] - target) <= s->lost) {
            s->lambda[i] = target;
            any = true;
        }
    }
    return any;
}

/* Back to the impulse that was given. */
static void restore_given(step *s)
{
    memcpy(s->lambda, s->given, s->n * sizeof *s->lambda);
    memcpy(s->lo, s->q.lo, s->n * sizeof *s->lo);
    memcpy(s->hi, s->q.hi, s->n * sizeof *s->hi);
    memset(s->state, INSIDE, s->n);
    s->dependent = false;
    follow_normals(s);
}

/* Whether the impulse needs no step: its violation is the rounding of w in plain arithmetic, nothing of it is noise,
 * and impulses are not so large that rounding hides what is left of b. */
static bool needs_no_step(step *s, dls_last_figures *figures)
{
    if (s->mechanical)
        w_of_mechanism(s);
    else
        dls_dense_w(&s->q, s->lambda, s->w);
    double violation = measure_violations(s);
    figures->given = violation;
    measure_figures(s, violation, figures);
    if (!(violation <= rounding_of_all(s) && figures->data <= hidden))
        return false;
    for (size_t i = 0; i < s->n; i++)
        if (isinf(s->most[i]) && s->lambda[i] != 0.0)
            return false;
    identify_sets(s, false);
    return memcmp(s->lambda, s->given, s->n * sizeof *s->lambda) == 0;
}

dls_status dls_last_step_run(step *s, size_t rounds, double *lambda, dls_last_figures *figures, dls_report *report,
                             dls_error *error)
{
    memcpy(s->given, lambda, s->n * sizeof *lambda);
    restore_given(s);
    if (needs_no_step(s, figures))
        return DLS_OK;
    for (int own_scales = 0; own_scales < 2; own_scales++) {
        restore_given(s);
        double violation = evaluate_w(s);
        for (size_t i = 0; i < s->n; i++)
            if (isinf(s->most[i])) /* moves nothing and has no bound but 0 */
                s->lambda[i] = 0.0;
        if (own_scales == 0) {
            figures->given = violation;
            measure_figures(s, violation, figures);
        } else if (figures->violation <= rounding_of_all(s))
            break;
        identify_sets(s, own_scales != 0);
        size_t record = SIZE_MAX, tries = 0, wrong = 1;
        bool finite = true;
        for (size_t round = 0; round < rounds && wrong > 0 && finite; round++) {
            bool accurate = false;
            DLS_TRY(solve_piece(s, &accurate, report, error));
            keep_if_better(s, accurate, lambda, figures);
            if (!(figures->violation <= rounding_of_all(s)) && drop_what_is_lost(s))
                keep_if_better(s, accurate, lambda, figures);
            for (size_t i = 0; i < s->n; i++)
                finite = finite && isfinite(s->w[i]) && isfinite(s->lambda[i]);
            if (!finite)
                break;
            size_t last = 0; /* the wrong rows change sets, all or the last one */
            wrong = 0;
            for (size_t i = 0; i < s->n; i++)
                if (better_set(s, i) != s->state[i])
                    wrong++, last = i;
            for (size_t i = tries > BLOCKS_BEFORE_SINGLES ? last : 0; i < s->n; i++)
                put_in_set(s, i, better_set(s, i));
            tries = wrong < record ? 0 : tries + 1;
            record = wrong < record ? wrong : record;
        }
    }
    return DLS_OK;
}

static void take_mass(step *s, dls_arena *memory)
{
    const dls_mass *mass = &s->p->mass;
    size_t entries = 0, longest = 0;
    s->block_at = DLS_TAKE(memory, size_t, mass->n_blocks);
    for (size_t k = 0; s->block_at && k < mass->n_blocks; k++) {
        size_t m = mass->blocks[k].length;
        s->block_at[k] = entries;
        entries += m * m;
        longest = m > longest ? m : longest;
    }
    s->M = DLS_TAKE(memory, double, entries), s->L = DLS_TAKE(memory, double, entries);
    s->momentum = DLS_TAKE_ZEROS(memory, double, longest);
    for (size_t k = 0; !memory->failed && k < mass->n_blocks; k++) {
        const dls_mass_block *block = &mass->blocks[k];
        lapack_int m = (lapack_int)block->length;
        dls_mass_block_matrix(block, s->momentum, s->M + s->block_at[k], block->length);
        memcpy(s->L + s->block_at[k], s->M + s->block_at[k], block->length * block->length * sizeof *s->L);
        LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', m, s->L + s->block_at[k], m); /* the assembly has found M definite */
    }
}

/* c and v* are outcomes of a step's arithmetic, of which the problem tells nothing: each term is granted roundings. */
static void take_pulls(step *s, dls_arena *memory)
{
    static const double granted = 64.0;
    const dls_rows *J = &s->p->J;
    const dls_mass *mass = &s->p->mass;
    size_t pulls = J->start[s->n], at = 0;
    s->pull_at = DLS_TAKE(memory, size_t, s->n + 1), s->block = DLS_TAKE(memory, size_t, pulls);
    s->pull = DLS_TAKE(memory, double, pulls), s->unsure = DLS_TAKE(memory, double, s->n);
    s->force = DLS_TAKE(memory, double, mass->n_blocks), s->least = DLS_TAKE(memory, double, mass->n_blocks);
    for (size_t i = 0; !memory->failed && i < s->n; i++) {
        double terms = fabs(s->p->c[i]);
        size_t count = 2;
        s->pull_at[i] = at;
        for (size_t k = J->start[i]; k < J->start[i + 1];) {
            const dls_mass_block *block = &mass->blocks[J->mass[k]];
            size_t of = J->mass[k];
            memset(s->momentum, 0, block->length * sizeof *s->momentum);
            for (; k < J->start[i + 1] && J->mass[k] == of; k++)
                for (size_t c = J->coef_at[k], j = J->offset[k]; c < J->coef_at[k + 1]; c++, j++, count++) {
                    s->momentum[j - block->offset] = J->coef[c];
                    terms += fabs(J->coef[c] * s->p->v_star[j]);
                }
            cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)block->length,
                        s->L + s->block_at[of], (int)block->length, s->momentum, 1);
            s->block[at] = of;
            s->pull[at++] = ldexp(cblas_dnrm2((int)block->length, s->momentum, 1), s->direct->row_unit[i]);
        }
        s->unsure[i] = dls_direct_velocity_scaled(s->direct, i, granted * (double)count * DBL_EPSILON * terms);
    }
    if (!memory->failed)
        s->pull_at[s->n] = at;
}

dls_last_step *dls_last_step_take(const dls_direct *direct)
{
    dls_arena *memory = direct->memory;
    size_t n = direct->q.n;
    step *s = DLS_TAKE_ZEROS(memory, step, 1);
    if (!s)
        return NULL;
    *s = (step){.direct = direct, .p = direct->problem, .q = direct->q, .n = n};
    s->mechanical = s->p->form == DLS_FORM_MECHANICAL;
    double **const of_rows[] = {&s->lambda, &s->w,  &s->best, &s->T,    &s->most,
                                &s->lo,     &s->hi, &s->d,    &s->rest, &s->given};
    for (size_t k = 0; k < sizeof of_rows / sizeof of_rows[0]; k++)
        *of_rows[k] = DLS_TAKE(memory, double, n);
    s->F = DLS_TAKE(memory, size_t, n), s->state = DLS_TAKE(memory, unsigned char, n);
    s->of_block = DLS_TAKE(memory, double, 2 * direct->n_blocks);
    s->factor = dls_take_matrix(memory, n, n);
    s->pivots = DLS_TAKE(memory, lapack_int, n + s->p->nv);
    s->velocity = DLS_TAKE(memory, dls_twofold, s->mechanical ? 2 * s->p->nv : n);
    if (s->mechanical)
        take_mass(s, memory);
    if (s->mechanical && !memory->failed)
        take_pulls(s, memory);
    return memory->failed ? NULL : s;
}
