/* All solutions of a small complementarity problem by enumeration of its modes.
 *
 *     w = A z + b,   A = J M^-1 G^T
 * w: accelerations, or velocities after an impact, of the rows; z: their forces, or impulses. G = J but where a contact
 * slides with a known velocity: its friction -mu d f_n is in the column of its normal row, and A is not symmetric then.
 * The laws are those of law.h in w (Coulomb's law on accelerations is that of a contact which begins to slide):
 *     free         w = 0                                      unilateral   0 <= z, w >= 0, z w = 0
 *     interval     w = 0 in lo < z < hi; w >= 0 at lo, w <= 0 at hi;   box: the same with -+ mu z_n
 *     disc         w_t = 0, or |z_t| = mu z_n and z_t along -w_t
 * A mode says of each law which of its cases holds. Each mode is a linear system; one whose solution satisfies the
 * inequalities is a continuation. A disc that slides has z_t = -mu z_n e with e = w_t / |w_t|, which is found by
 * iteration; for one contact with the same mass along both tangents the first iteration is exact.
 *
 * Rows may be redundant: a system is solved by the singular values, for the least z in the norm sum A_ii z_i^2, and one
 * that contradicts itself has no solution. If the forces of a mode are not unique, another mode has fewer of them: a
 * problem with a solution has one on independent rows (Caratheodory). Hence none is missed but with discs of redundant
 * contacts.
 *
 * Two solutions are the same if their w agree: then the motion is the same. Without sliding columns and friction A is
 * semidefinite and w is unique; with them it need not be (P. Painleve 1895; J. Moreau 1988), and it is the purpose of
 * this file to tell. */
#include "parts.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { TURNS = 500, MODE_LIMIT = 200000 };
static const double accuracy = 1e-9; /* of inequalities and of redundant rows, against the terms of a row */
static const double rank_tolerance = 1e-9;

dls_status trajectory_modes_create(trajectory_modes *m, size_t n, dls_arena *memory, dls_error *error)
{
    const lapack_int size = (lapack_int)(n ? n : 1);
    double best = 0.0, none = 0.0;
    lapack_int rank = 0, integers = 0;
    LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, size, size, 1, &none, size, &none, size, &none, rank_tolerance, &rank, &best,
                        -1, &integers);
    m->room = n;
    m->work_size = (int)best;
    m->A = DLS_TAKE_ZEROS(memory, double, n *n);
    m->b = DLS_TAKE_ZEROS(memory, double, n);
    m->z = DLS_TAKE_ZEROS(memory, double, n);
    m->choice = DLS_TAKE_ZEROS(memory, trajectory_choice, n);
    m->K = DLS_TAKE_ZEROS(memory, double, n *n);
    m->held = DLS_TAKE_ZEROS(memory, double, n *n);
    m->side = DLS_TAKE_ZEROS(memory, double, n);
    m->trial = DLS_TAKE_ZEROS(memory, double, n);
    m->w = DLS_TAKE_ZEROS(memory, double, n);
    m->found = DLS_TAKE_ZEROS(memory, double, n);
    m->scale = DLS_TAKE_ZEROS(memory, double, n);
    m->singular = DLS_TAKE_ZEROS(memory, double, n);
    m->active = DLS_TAKE_ZEROS(memory, size_t, n);
    m->digit = DLS_TAKE_ZEROS(memory, int, n);
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

/* z_i of a row that does not hold: `share` of its normal row, or a constant. */
static double share_of(const trajectory_modes *m, size_t i)
{
    const trajectory_choice *c = &m->choice[i];
    if (!is_friction(m, i))
        return 0.0;
    if (c->law == TRAJECTORY_CHOICE_BOX)
        return m->digit[i] == LOW ? -c->mu : c->mu;
    return -c->mu * c->along;
}

static double constant_of(const trajectory_modes *m, size_t i)
{
    const trajectory_choice *c = &m->choice[i];
    return c->law == TRAJECTORY_CHOICE_INTERVAL ? (m->digit[i] == LOW ? c->lo : c->hi) : 0.0;
}

/* The least z of the rows that hold, and what follows of the others. False: these rows contradict each other. */
static bool solve_mode(trajectory_modes *m)
{
    const size_t n = m->n;
    size_t k = 0;
    double size = 0.0, left = 0.0;
    for (size_t i = 0; i < n; i++)
        if (digit_of(m, i) == HOLDS && (!is_friction(m, i) || m->digit[m->choice[i].parent] == HOLDS))
            m->active[k++] = i;
    for (size_t c = 0; c < k; c++) {
        const size_t i = m->active[c];
        double sum = m->b[i], terms = fabs(m->b[i]);
        for (size_t r = 0; r < k; r++)
            m->K[r + k * c] = m->A[m->active[r] + n * i];
        for (size_t j = 0; j < n; j++) {
            const bool slides = is_friction(m, j) && digit_of(m, j) != HOLDS && m->choice[j].parent == i;
            for (size_t r = 0; slides && r < k; r++)
                m->K[r + k * c] += m->A[m->active[r] + n * j] * share_of(m, j);
            const double fixed = digit_of(m, j) != HOLDS ? constant_of(m, j) : 0.0;
            sum += m->A[i + n * j] * fixed;
            terms += fabs(m->A[i + n * j] * fixed);
        }
        m->side[c] = -sum * m->scale[i];
        size = fmax(size, terms * m->scale[i]);
    }
    for (size_t c = 0; c < k; c++)
        for (size_t r = 0; r < k; r++)
            m->K[r + k * c] *= m->scale[m->active[r]] * m->scale[m->active[c]];
    memcpy(m->held, m->K, k * k * sizeof *m->K);
    memcpy(m->trial, m->side, k * sizeof *m->side);
    const lapack_int order = (lapack_int)k;
    lapack_int rank = 0;
    if (k > 0 && LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, order, order, 1, m->K, order, m->trial, order, m->singular,
                                     rank_tolerance, &rank, m->work, m->work_size, m->integers) != 0)
        return false;
    for (size_t r = 0; r < k; r++) {
        double sum = -m->side[r];
        for (size_t c = 0; c < k; c++)
            sum += m->held[r + k * c] * m->trial[c];
        left = fmax(left, fabs(sum));
    }
    memset(m->z, 0, n * sizeof *m->z);
    for (size_t c = 0; c < k; c++)
        m->z[m->active[c]] = m->trial[c] * m->scale[m->active[c]];
    for (size_t i = 0; i < n; i++)
        if (digit_of(m, i) != HOLDS)
            m->z[i] = constant_of(m, i) + (is_friction(m, i) ? share_of(m, i) * m->z[m->choice[i].parent] : 0.0);
    return left <= accuracy * size;
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

/* The directions of discs that slide, from w; the largest change of one. */
static double turn_discs(trajectory_modes *m)
{
    double change = 0.0;
    for (size_t i = 0; i < m->n; i++) {
        if (m->choice[i].law != TRAJECTORY_CHOICE_DISC || m->digit[i] == HOLDS)
            continue;
        trajectory_choice *c = &m->choice[i];
        const double length = hypot(m->w[i], m->w[i + 1]);
        if (!(length * m->scale[i] > accuracy * m->motion))
            continue;
        change = fmax(change, hypot(m->w[i] / length - c[0].along, m->w[i + 1] / length - c[1].along));
        c[0].along = m->w[i] / length, c[1].along = m->w[i + 1] / length;
    }
    return change;
}

/* z and w of the mode in `digit`. */
static bool find_mode(trajectory_modes *m)
{
    bool slides = false;
    for (size_t i = 0; i < m->n; i++)
        if (m->choice[i].law == TRAJECTORY_CHOICE_DISC && m->digit[i] != HOLDS) {
            slides = true;
            m->choice[i].along = m->choice[i + 1].along = 0.0; /* the first w is without friction */
        }
    for (int k = 0; k < TURNS; k++) {
        if (!solve_mode(m))
            return false;
        find_w(m);
        if (!slides || turn_discs(m) < 1e-14)
            return true;
    }
    return false;
}

static bool satisfied(const trajectory_modes *m, size_t i)
{
    const trajectory_choice *c = &m->choice[i];
    const double z = m->z[i] / m->scale[i], w = m->w[i] * m->scale[i];
    const double small_z = accuracy * m->force, small_w = accuracy * m->motion;
    if (is_friction(m, i) && m->digit[c->parent] != HOLDS)
        return true;
    const double normal = is_friction(m, i) ? m->z[c->parent] / m->scale[i] : 0.0;
    switch (c->law) {
    case TRAJECTORY_CHOICE_UNILATERAL:
        return m->digit[i] == HOLDS ? z >= -small_z : w >= -small_w;
    case TRAJECTORY_CHOICE_INTERVAL:
        if (m->digit[i] == HOLDS)
            return m->z[i] >= c->lo - small_z * m->scale[i] && m->z[i] <= c->hi + small_z * m->scale[i];
        return m->digit[i] == LOW ? isfinite(c->lo) && w >= -small_w : isfinite(c->hi) && w <= small_w;
    case TRAJECTORY_CHOICE_BOX:
        if (m->digit[i] == HOLDS)
            return fabs(z) <= c->mu * normal + small_z;
        return m->digit[i] == LOW ? w >= -small_w : w <= small_w;
    case TRAJECTORY_CHOICE_DISC:
        if (m->digit[i] == HOLDS)
            return hypot(m->z[i], m->z[i + 1]) <= c->mu * m->z[c->parent] + small_z * m->scale[i];
        return m->w[i] * c[0].along + m->w[i + 1] * c[1].along >= -small_w / m->scale[i];
    default:
        return true;
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

/* Friction of an open contact has no force: one of its cases stands for all. */
static bool is_new(const trajectory_modes *m)
{
    for (size_t i = 0; i < m->n; i++)
        if (is_friction(m, i) && m->digit[m->choice[i].parent] != HOLDS && m->digit[i] != HOLDS)
            return false;
    return true;
}

static bool same_motion(const trajectory_modes *m)
{
    double worst = 0.0;
    for (size_t i = 0; i < m->n; i++)
        worst = fmax(worst, fabs(m->w[i] - m->found[i]) * m->scale[i]);
    return worst <= 1e3 * accuracy * m->motion;
}

static void keep_mode(trajectory_modes *m, double *z)
{
    memcpy(m->found, m->w, m->n * sizeof *m->w);
    memcpy(z, m->z, m->n * sizeof *z);
    for (size_t i = 0; i < m->n; i++) {
        m->choice[i].digit = digit_of(m, i);
        m->choice[i].onset = m->choice[i].along;
        if (is_friction(m, i) && m->digit[m->choice[i].parent] != HOLDS)
            m->choice[i].digit = LOW;
    }
}

dls_status trajectory_modes_solve(trajectory_modes *m, double *z, dls_error *error)
{
    double modes = 1.0;
    m->solutions = 0;
    memset(m->digit, 0, m->n * sizeof *m->digit);
    for (size_t i = 0; i < m->n; i++) {
        modes *= cases_of(m, i);
        const double a = fabs(m->A[i + m->n * i]); /* with sliding columns of any sign */
        m->scale[i] = a > 0.0 ? 1.0 / sqrt(a) : 1.0;
    }
    if (modes > MODE_LIMIT)
        return dls_fail(error, DLS_REFUSED,
                        "%zu rows act at once in %.0f ways, of which more than %d are not enumerated", m->n, modes,
                        (int)MODE_LIMIT);
    do {
        if (!is_new(m) || !find_mode(m))
            continue;
        bool good = true;
        for (size_t i = 0; i < m->n && good; i++)
            good = satisfied(m, i);
        if (!good || (m->solutions > 0 && same_motion(m)))
            continue;
        if (m->solutions++ == 0)
            keep_mode(m, z);
    } while (next_mode(m));
    return DLS_OK;
}
