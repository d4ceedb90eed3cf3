/* All solutions of a small complementarity problem by enumeration of its modes.
 *
 *     w = A z + b,   A = J M^-1 G^T
 * w: accelerations, or velocities after an impact, of the rows; z: their forces, or impulses. G = J but where a contact
 * slides with a known velocity: its friction -mu d f_n is in the column of its normal row, and A is not symmetric then.
 * The laws are those of law.h in w (Coulomb's law on accelerations is that of a contact which begins to slide):
 *     free         w = 0                            unilateral   0 <= z - lo, w >= 0, (z - lo) w = 0, with lo >= 0
 *     interval     w = 0 in lo < z < hi; w >= 0 at lo, w <= 0 at hi;   box: the same with -+ mu z_n
 *     disc         w_t = 0, or |z_t| = mu z_n and z_t along -w_t
 * A mode says of each law which of its cases holds. A mode without sliding discs is a linear system; one whose solution
 * satisfies the inequalities is a continuation.
 *
 * ONE SLIDING DISC. The rows that hold make w_t and z_n affine in z_t,
 *     w_t = B z_t + c,   z_n = d + k . z_t,
 * and all directions in which it can slide are the zeros of one polynomial (trajectory_disc.c). Different zeros are
 * different solutions however near they are; where rounding hides whether there are two or none, `undecided` counts
 * them.
 *
 * SEVERAL have no such form: Newton's method on z_t |w_t| + mu z_n w_t = 0 from several starts, which may miss a
 * solution. Where it was needed, `searched` says so.
 *
 * Rows may be redundant: a system is solved by the singular values, for the least z in the norm sum A_ii z_i^2, with
 * friction as trajectory_share.c has it, and one
 * that contradicts itself has no solution. If the forces of a mode are not unique, another mode has fewer of them: a
 * problem with a solution has one on independent rows (Caratheodory).
 *
 * Two solutions are the same if their w agree: then the motion is the same. Agreement is to the rounding of b, too,
 * which may be all of it: a ball that rolls has no acceleration and no speed in its contact but rounding, and
 * directions in which that would slide.  Without sliding columns and friction A is semidefinite and w is unique; with
 * them it need not be (P. Painleve 1895; J. Moreau 1988), and it is the purpose of this file to tell. */
#include "parts.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { STARTS = 8, NEWTON_LIMIT = 60, HALVINGS = 30, MODE_LIMIT = 200000 };
static const double accuracy = 1e-9; /* of inequalities and of redundant rows, against the terms of a row */
static const double alike = 1e-6;    /* of solutions in different modes, which are the same where modes meet */
static const double b_rounding = 100.0 * DBL_EPSILON; /* of w by that of b, against the terms of b */
static const double rank_tolerance = 1e-10;

dls_status trajectory_modes_create(trajectory_modes *m, size_t n, dls_arena *memory, dls_error *error)
{
    const lapack_int size = (lapack_int)(n ? n : 1);
    double best = 0.0, none = 0.0;
    lapack_int rank = 0, integers = 0;
    LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, size, size, 1, &none, size, &none, size, &none, rank_tolerance, &rank, &best,
                        -1, &integers);
    m->work_size = (int)best;
    m->A = DLS_TAKE_ZEROS(memory, double, n *n);
    m->b = DLS_TAKE_ZEROS(memory, double, n);
    m->terms = DLS_TAKE_ZEROS(memory, double, n);
    m->weight = DLS_TAKE_ZEROS(memory, double, n);
    m->even = DLS_TAKE_ZEROS(memory, double, n);
    m->z = DLS_TAKE_ZEROS(memory, double, n);
    m->choice = DLS_TAKE_ZEROS(memory, trajectory_choice, n);
    m->K = DLS_TAKE_ZEROS(memory, double, n *n);
    m->held = DLS_TAKE_ZEROS(memory, double, n *n);
    m->side = DLS_TAKE_ZEROS(memory, double, n);
    m->trial = DLS_TAKE_ZEROS(memory, double, n);
    m->w = DLS_TAKE_ZEROS(memory, double, n);
    m->found = DLS_TAKE_ZEROS(memory, double, n);
    m->slid = DLS_TAKE_ZEROS(memory, double, n);
    m->scale = DLS_TAKE_ZEROS(memory, double, n);
    m->singular = DLS_TAKE_ZEROS(memory, double, n);
    m->active = DLS_TAKE_ZEROS(memory, size_t, n);
    m->digit = DLS_TAKE_ZEROS(memory, int, n);
    m->push = DLS_TAKE_ZEROS(memory, double, n);
    m->best = DLS_TAKE_ZEROS(memory, double, n);
    m->work = DLS_TAKE_ZEROS(memory, double, (size_t)m->work_size);
    m->integers = DLS_TAKE_ZEROS(memory, int, (size_t)integers + 1);
    return memory->failed ? dls_fail(error, DLS_NO_MEMORY, "no memory for the continuations of %zu rows", n) : DLS_OK;
}

/* --- one mode --- */

/* Cases of a law, by the number in `digit`: the first is w = 0. The second row of a disc follows the first. */
enum { HOLDS, LOW, HIGH };

static int cases_of(const trajectory_modes *m, size_t i)
{
    switch (m->choice[i].law) {
    case TRAJECTORY_CHOICE_UNILATERAL:
    case TRAJECTORY_CHOICE_DISC:
        return 2;
    case TRAJECTORY_CHOICE_INTERVAL:
    case TRAJECTORY_CHOICE_BOX:
        return 3;
    default:
        return 1;
    }
}

static bool is_friction(const trajectory_modes *m, size_t i)
{
    return m->choice[i].law == TRAJECTORY_CHOICE_BOX || m->choice[i].law == TRAJECTORY_CHOICE_DISC ||
           m->choice[i].law == TRAJECTORY_CHOICE_SECOND;
}

static int digit_of(const trajectory_modes *m, size_t i)
{
    return m->digit[m->choice[i].law == TRAJECTORY_CHOICE_SECOND ? i - 1 : i];
}

/* Whether row i is friction of a contact that does not hold. */
static bool is_on_open(const trajectory_modes *m, size_t i)
{
    return is_friction(m, i) && m->digit[m->choice[i].parent] != HOLDS;
}

/* Friction of an open contact has no force, if the contact has none. */
static bool is_idle(const trajectory_modes *m, size_t i)
{
    return is_on_open(m, i) && !(m->choice[m->choice[i].parent].lo > 0.0);
}

/* z_i of a row that does not hold: `share` of its normal row, which holds, and a constant. */
static double box_bound(const trajectory_modes *m, size_t i)
{
    return m->digit[i] == LOW ? -m->choice[i].mu : m->choice[i].mu;
}

static double share_of(const trajectory_modes *m, size_t i)
{
    return m->choice[i].law != TRAJECTORY_CHOICE_BOX || is_on_open(m, i) ? 0.0 : box_bound(m, i);
}

static double constant_of(const trajectory_modes *m, size_t i)
{
    const trajectory_choice *c = &m->choice[i];
    if (c->law == TRAJECTORY_CHOICE_UNILATERAL)
        return c->lo;
    if (c->law == TRAJECTORY_CHOICE_INTERVAL)
        return m->digit[i] == LOW ? c->lo : c->hi;
    if (c->law == TRAJECTORY_CHOICE_BOX)
        return is_on_open(m, i) ? box_bound(m, i) * m->choice[c->parent].lo : 0.0;
    return c->law == TRAJECTORY_CHOICE_DISC || c->law == TRAJECTORY_CHOICE_SECOND ? m->push[i] : 0.0;
}

/* K x = x, k numbers, by the singular values; K is spent. `condition`, which may be NULL: the largest of those in use
 * over the smallest. False: no solution to `accuracy` of `size`. */
static bool solve_least(trajectory_modes *m, size_t k, double *x, double size, double *condition)
{
    const lapack_int order = (lapack_int)k;
    lapack_int rank = 0;
    double left = 0.0;
    m->rank = 0;
    if (condition)
        *condition = 1.0;
    if (k == 0)
        return true;
    memcpy(m->held, m->K, k * k * sizeof *m->K);
    memcpy(m->side, x, k * sizeof *x);
    if (LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, order, order, 1, m->K, order, x, order, m->singular, rank_tolerance,
                            &rank, m->work, m->work_size, m->integers) != 0)
        return false;
    m->rank = (size_t)rank;
    if (condition && rank > 0)
        *condition = m->singular[0] / m->singular[rank - 1];
    for (size_t r = 0; r < k; r++) {
        double sum = -m->side[r];
        for (size_t c = 0; c < k; c++)
            sum += m->held[r + k * c] * x[c];
        left = fmax(left, fabs(sum));
    }
    return left <= accuracy * size;
}

/* Solve the rows in `active`, for the least z with the weights m->weight. */
static bool solve_active(trajectory_modes *m, size_t k, double *condition)
{
    const size_t n = m->n;
    double size = 0.0;
    for (size_t c = 0; c < k; c++) {
        const size_t i = m->active[c];
        double sum = m->b[i], terms = fabs(m->b[i]);
        for (size_t r = 0; r < k; r++)
            m->K[r + k * c] = m->A[m->active[r] + n * i];
        for (size_t j = 0; j < n; j++) {
            if (digit_of(m, j) == HOLDS || is_idle(m, j))
                continue;
            for (size_t r = 0; r < k && is_friction(m, j) && m->choice[j].parent == i; r++)
                m->K[r + k * c] += m->A[m->active[r] + n * j] * share_of(m, j);
            sum += m->A[i + n * j] * constant_of(m, j);
            terms += fabs(m->A[i + n * j] * constant_of(m, j));
        }
        m->trial[c] = -sum * m->scale[i];
        size = fmax(size, terms * m->scale[i]);
    }
    for (size_t c = 0; c < k; c++)
        for (size_t r = 0; r < k; r++)
            m->K[r + k * c] *= m->scale[m->active[r]] * m->scale[m->active[c]] * m->weight[m->active[c]];
    const bool solved = solve_least(m, k, m->trial, size, condition);
    memset(m->z, 0, n * sizeof *m->z);
    for (size_t c = 0; c < k; c++)
        m->z[m->active[c]] = m->trial[c] * m->scale[m->active[c]] * m->weight[m->active[c]];
    for (size_t i = 0; i < n; i++)
        if (digit_of(m, i) != HOLDS && !is_idle(m, i))
            m->z[i] = constant_of(m, i) + (is_friction(m, i) ? share_of(m, i) * m->z[m->choice[i].parent] : 0.0);
    return solved;
}

/* The least z of the rows that hold, with discs that slide pushed by `push`. Where they are redundant, friction is
 * shared as the load is (trajectory_share_weight). False: these rows contradict each other. */
static bool solve_mode(trajectory_modes *m, double *condition)
{
    size_t k = 0;
    bool friction = false;
    double load = 0.0;
    for (size_t i = 0; i < m->n; i++) {
        m->weight[i] = 1.0;
        if (digit_of(m, i) != HOLDS || is_idle(m, i))
            continue;
        m->active[k++] = i;
        friction = friction || is_friction(m, i);
    }
    const bool solved = solve_active(m, k, condition);
    if (!solved || !friction || m->rank == k)
        return solved;
    for (size_t i = 0; i < m->n; i++)
        if (m->choice[i].law == TRAJECTORY_CHOICE_UNILATERAL)
            load = fmax(load, m->z[i]);
    for (size_t c = 0; c < k; c++)
        if (is_friction(m, m->active[c]))
            m->weight[m->active[c]] =
                m->even[m->active[c]] * trajectory_share_weight(m->z[m->choice[m->active[c]].parent], load);
    return solve_active(m, k, condition);
}

static void find_w(trajectory_modes *m)
{
    m->force = m->motion = 0.0;
    for (size_t i = 0; i < m->n; i++) {
        double terms = fabs(m->b[i]);
        m->w[i] = m->b[i];
        for (size_t j = 0; j < m->n; j++) {
            m->w[i] += m->A[i + m->n * j] * m->z[j];
            terms += fabs(m->A[i + m->n * j] * m->z[j]);
        }
        m->motion = fmax(m->motion, terms * m->scale[i]);
        m->force = fmax(m->force, fabs(m->z[i]) / m->scale[i]);
    }
    m->force = fmax(m->force, m->motion);
}

/* Sliding: z_t = -mu z_n w_t / |w_t|, or anything within the disc where w_t is 0. */
static bool disc_satisfied(const trajectory_modes *m, size_t i)
{
    const double bound = m->choice[i].mu * m->z[m->choice[i].parent], small = accuracy * m->force * m->scale[i];
    const double length = hypot(m->w[i], m->w[i + 1]);
    if (m->digit[i] == HOLDS || !(length * m->scale[i] > accuracy * m->motion))
        return hypot(m->z[i], m->z[i + 1]) <= bound + small;
    return hypot(m->z[i] + bound * m->w[i] / length, m->z[i + 1] + bound * m->w[i + 1] / length) <= small;
}

static bool satisfied(const trajectory_modes *m, size_t i)
{
    const trajectory_choice *c = &m->choice[i];
    const double z = m->z[i] / m->scale[i], w = m->w[i] * m->scale[i];
    const double small_z = accuracy * m->force, small_w = accuracy * m->motion;
    if (is_idle(m, i))
        return true;
    const double normal = is_friction(m, i) ? m->z[c->parent] / m->scale[i] : 0.0;
    switch (c->law) {
    case TRAJECTORY_CHOICE_UNILATERAL:
        return m->digit[i] == HOLDS ? z >= c->lo / m->scale[i] - small_z : w >= -small_w;
    case TRAJECTORY_CHOICE_INTERVAL:
        if (m->digit[i] == HOLDS)
            return m->z[i] >= c->lo - small_z * m->scale[i] && m->z[i] <= c->hi + small_z * m->scale[i];
        return m->digit[i] == LOW ? isfinite(c->lo) && w >= -small_w : isfinite(c->hi) && w <= small_w;
    case TRAJECTORY_CHOICE_BOX:
        if (m->digit[i] == HOLDS)
            return fabs(z) <= c->mu * normal + small_z;
        return m->digit[i] == LOW ? w >= -small_w : w <= small_w;
    case TRAJECTORY_CHOICE_DISC:
        return disc_satisfied(m, i);
    default:
        return true;
    }
}

/* One of the cases of an idle row stands for all. */
static bool is_new(const trajectory_modes *m)
{
    for (size_t i = 0; i < m->n; i++)
        if (is_idle(m, i) && m->digit[i] != HOLDS)
            return false;
    return true;
}

/* Whether w agrees with another to `tolerance` of its terms, and to `rounding` of those of b. */
static bool same_motion(const trajectory_modes *m, const double *other, double tolerance, double rounding)
{
    double worst = 0.0, noise = 0.0;
    for (size_t i = 0; i < m->n; i++) {
        worst = fmax(worst, fabs(m->w[i] - other[i]) * m->scale[i]);
        noise = fmax(noise, m->terms[i] * m->scale[i]);
    }
    return worst <= tolerance * m->motion + rounding * noise;
}

static void keep_mode(trajectory_modes *m, double *z)
{
    memcpy(m->found, m->w, m->n * sizeof *m->w);
    memcpy(z, m->z, m->n * sizeof *z);
    for (size_t i = 0; i < m->n; i++) {
        trajectory_choice *c = &m->choice[i];
        c->digit = is_idle(m, i) ? LOW : digit_of(m, i);
        if (c->law != TRAJECTORY_CHOICE_DISC || c->digit == HOLDS)
            continue;
        const double length = hypot(m->z[i], m->z[i + 1]), speed = hypot(m->w[i], m->w[i + 1]);
        for (size_t k = 0; k < 2; k++) /* friction is along it even where the sliding has not begun */
            c[k].onset = length > 0.0 ? -m->z[i + k] / length : speed > 0.0 ? m->w[i + k] / speed : (double)(k == 0);
    }
}

/* Whether z of a mode that is solved satisfies all laws, with w. */
static bool is_solution(trajectory_modes *m)
{
    find_w(m);
    for (size_t i = 0; i < m->n; i++)
        if (!satisfied(m, i))
            return false;
    return true;
}

static size_t closed_contacts(const trajectory_modes *m)
{
    size_t closed = 0;
    for (size_t i = 0; i < m->n; i++)
        closed += m->choice[i].law == TRAJECTORY_CHOICE_UNILATERAL && m->digit[i] == HOLDS;
    return closed;
}

/* Contacts that neither press nor open have both modes; of those of the first solution, the one with most contacts
 * closed is kept, which then share the load. */
static void keep_if_new(trajectory_modes *m, double *z)
{
    const size_t closed = closed_contacts(m);
    const bool known = m->solutions > 0 && same_motion(m, m->found, alike, b_rounding);
    m->solutions += !known;
    if (m->solutions == 1 && (!known || closed > m->closed)) {
        m->closed = closed;
        keep_mode(m, z);
    }
}

/* --- one disc that slides --- */

/* The affine maps of the disc whose rows are t and t + 1. False: the rows that hold contradict each other. */
static bool find_disc(trajectory_modes *m, size_t t, double unit, trajectory_disc *of)
{
    const size_t n = m->choice[t].parent;
    *of = (trajectory_disc){.mu = m->choice[t].mu};
    for (int j = -1; j < 2; j++) {
        double condition;
        m->push[t] = j == 0 ? unit : 0.0, m->push[t + 1] = j == 1 ? unit : 0.0;
        if (!solve_mode(m, &condition))
            return false;
        of->error = fmax(of->error, 8.0 * DBL_EPSILON * condition);
        find_w(m);
        for (size_t i = 0; i < 2; i++)
            if (j < 0)
                of->c[i] = m->w[t + i];
            else
                of->B[i][j] = (m->w[t + i] - of->c[i]) / unit;
        if (j < 0)
            of->d = m->z[n];
        else
            of->k[j] = (m->z[n] - of->d) / unit;
    }
    return true;
}

static void slide_one(trajectory_modes *m, size_t t, double *z)
{
    trajectory_disc of;
    trajectory_slide slide[TRAJECTORY_SLIDES_MAX];
    double unit = 0.0;
    size_t accepted = 0;
    for (size_t i = 0; i < m->n; i++)
        unit = fmax(unit, fabs(m->b[i]) * m->scale[i]);
    unit = fmax(unit, 1e-300) * m->scale[t];
    if (!find_disc(m, t, unit, &of))
        return;
    const size_t slides = trajectory_disc_slides(&of, slide);
    for (size_t k = 0; k < slides; k++) {
        memcpy(m->push + t, slide[k].z, sizeof slide[k].z);
        if (!solve_mode(m, NULL) || !is_solution(m))
            continue;
        if (!slide[k].decided)
            m->undecided += m->solutions == 0 || !same_motion(m, m->found, alike, b_rounding);
        else if (accepted++ == 0) {
            memcpy(m->slid, m->w, m->n * sizeof *m->w);
            keep_if_new(m, z);
        } else
            m->solutions += !same_motion(m, m->slid, 10.0 * of.error, 10.0 * of.error);
    }
}

/* --- several discs that slide --- */

static bool has_tangents(const trajectory_modes *m, size_t i)
{
    return m->choice[i].law == TRAJECTORY_CHOICE_DISC || m->choice[i].law == TRAJECTORY_CHOICE_SECOND;
}

/* The residual of row i of Newton's method, w of a row that holds, and (z |w_t| + mu z_n w) of a tangent that slides,
 * against the sizes of both; entry: its derivative by z_j for each j, or NULL. */
static double sliding_residual(const trajectory_modes *m, size_t i, double *entry)
{
    const size_t n = m->n, t = m->choice[i].law == TRAJECTORY_CHOICE_SECOND ? i - 1 : i, p = m->choice[i].parent;
    if (digit_of(m, i) == HOLDS || !has_tangents(m, i)) {
        for (size_t j = 0; entry && j < n; j++)
            entry[j] = m->A[i + n * j] * m->scale[i];
        return m->w[i] * m->scale[i];
    }
    const double u = hypot(m->w[t], m->w[t + 1]), mu = m->choice[i].mu, weight = 1.0 / m->force;
    for (size_t j = 0; entry && j < n; j++) {
        const double turn = u > 0.0 ? (m->w[t] * m->A[t + n * j] + m->w[t + 1] * m->A[t + 1 + n * j]) / u : 0.0;
        entry[j] = weight * (mu * m->z[p] * m->A[i + n * j] + m->z[i] * turn + (i == j ? u : 0.0) +
                             (j == p ? mu * m->w[i] : 0.0));
    }
    return weight * (m->z[i] * u + mu * m->z[p] * m->w[i]);
}

/* The largest residual of the k rows in `active`; all of them in `to`. */
static double sliding_residuals(trajectory_modes *m, size_t k, double *to)
{
    double worst = 0.0;
    for (size_t i = 0; i < m->n; i++)
        if (m->choice[i].law == TRAJECTORY_CHOICE_BOX && m->digit[i] != HOLDS && !is_idle(m, i))
            m->z[i] = box_bound(m, i) * m->z[m->choice[i].parent];
    find_w(m);
    for (size_t r = 0; r < k; r++) {
        to[r] = sliding_residual(m, m->active[r], NULL);
        worst = fmax(worst, fabs(to[r]));
    }
    return worst;
}

/* From z as it is; true where it ends in a solution of the mode's equations. */
static bool slide_newton(trajectory_modes *m, size_t k)
{
    double left = sliding_residuals(m, k, m->trial), after = HUGE_VAL;
    for (int round = 0; round < NEWTON_LIMIT && left > 1e-15 * m->motion; round++) {
        for (size_t r = 0; r < k; r++) {
            m->trial[r] = -sliding_residual(m, m->active[r], m->push);
            for (size_t c = 0; c < k; c++)
                m->K[r + k * c] = m->push[m->active[c]] * m->scale[m->active[c]];
        }
        solve_least(m, k, m->trial, HUGE_VAL, NULL);
        memcpy(m->best, m->z, m->n * sizeof *m->z);
        double step = 1.0;
        for (int h = 0; h < HALVINGS; h++, step *= 0.5) {
            for (size_t r = 0; r < k; r++)
                m->z[m->active[r]] = m->best[m->active[r]] + step * m->trial[r] * m->scale[m->active[r]];
            after = sliding_residuals(m, k, m->side);
            if (after < (1.0 - 0.1 * step) * left)
                break;
        }
        if (!(after < left)) {
            memcpy(m->z, m->best, m->n * sizeof *m->z);
            break;
        }
        left = after;
    }
    return sliding_residuals(m, k, m->side) <= accuracy * m->motion;
}

/* Friction along -w_t of the frictionless mode, turned by an angle that differs from start to start and disc to
 * disc. */
static void push_discs(trajectory_modes *m, int start)
{
    double disc = 0.0;
    for (size_t i = 0; i < m->n; i++) {
        if (m->choice[i].law != TRAJECTORY_CHOICE_DISC || m->digit[i] == HOLDS || is_idle(m, i))
            continue;
        const double u = fmax(hypot(m->w[i], m->w[i + 1]), 1e-300), turn = (start + 3.0 * disc++) * start;
        const double bound = m->choice[i].mu * fmax(m->z[m->choice[i].parent], 0.0) / u;
        m->push[i] = -bound * (cos(turn) * m->w[i] - sin(turn) * m->w[i + 1]);
        m->push[i + 1] = -bound * (sin(turn) * m->w[i] + cos(turn) * m->w[i + 1]);
    }
}

static void slide_several(trajectory_modes *m, double *z)
{
    m->searched = true;
    for (int start = 0; start < STARTS; start++) {
        memset(m->push, 0, m->n * sizeof *m->push);
        if (!solve_mode(m, NULL))
            return;
        find_w(m);
        push_discs(m, start);
        solve_mode(m, NULL);
        size_t k = 0;
        for (size_t i = 0; i < m->n; i++)
            if (!is_idle(m, i) && (digit_of(m, i) == HOLDS || has_tangents(m, i)))
                m->active[k++] = i;
        if (slide_newton(m, k) && is_solution(m))
            keep_if_new(m, z);
    }
}

/* --- all of them --- */

static bool next_mode(trajectory_modes *m)
{
    for (size_t i = 0; i < m->n; i++) {
        if (++m->digit[i] < cases_of(m, i))
            return true;
        m->digit[i] = 0;
    }
    return false;
}

static void try_mode(trajectory_modes *m, double *z)
{
    size_t slide = 0, last = 0;
    for (size_t i = 0; i < m->n; i++)
        if (m->choice[i].law == TRAJECTORY_CHOICE_DISC && m->digit[i] != HOLDS && !is_idle(m, i))
            slide++, last = i;
    if (slide == 1)
        slide_one(m, last, z);
    else if (slide > 1)
        slide_several(m, z);
    else if (solve_mode(m, NULL) && is_solution(m))
        keep_if_new(m, z);
}

dls_status trajectory_modes_solve(trajectory_modes *m, double *z, dls_error *error)
{
    double modes = 1.0;
    m->solutions = m->undecided = 0;
    m->searched = false;
    memset(m->digit, 0, m->n * sizeof *m->digit);
    for (size_t i = 0; i < m->n; i++) {
        modes *= cases_of(m, i);
        const double a = fabs(m->A[i + m->n * i]); /* with sliding columns of any sign */
        m->scale[i] = a > 0.0 ? 1.0 / sqrt(a) : 1.0;
    }
    for (size_t i = 0; i < m->n; i++) {
        m->even[i] = 1.0;
        for (size_t j = 0; j < m->n && is_friction(m, i); j++)
            if (is_friction(m, j) && m->choice[j].group == m->choice[i].group)
                m->even[i] = fmin(m->even[i], m->scale[j] / m->scale[i]);
    }
    if (modes > MODE_LIMIT)
        return dls_fail(error, DLS_REFUSED,
                        "%zu rows act at once in %.0f ways, of which more than %d are not enumerated", m->n, modes,
                        (int)MODE_LIMIT);
    do
        if (is_new(m))
            try_mode(m, z);
    while (next_mode(m));
    return DLS_OK;
}
