/* Impacts of a step: the phases of Poisson's and Stronge's laws, and the energy of all impacts.
 *
 * WHERE. At each linearisation of a step, hence in every scheme, at the positions q and the velocities v- there: of a
 * step, of each substep, or of the velocities that dls_stage_linearise_at is given. If a closed stop approaches faster
 * than its threshold under one of the two laws, all closed stops of its island meet at once: the island is what rigid
 * rows and closed stops connect through bodies that move. The impact is that of v- alone, J, M at q:
 *     - neither forces, nor time, nor the biases of rows have a part in it;
 *     - joints and other rigid rows without bounds keep their speeds J v-, and are eliminated;
 *     - springs, dampers, bounded motors and joints, and friction with the fixed bound mu m g are finite forces, and
 *       have no impulse;
 *     - compression and expansion give the speeds w+ of all its stops and friction rows (impact_poisson.c,
 *       impact_stronge.c), and those of a contact with an impulse become the targets u of its rows.
 * The step's problem then is that of Newton's law, with other numbers in the place of -e s: J v+ = u in the normal row
 * and in the tangents, within the step's friction. It alone has the forces of the step and the biases of rows that do
 * not rebound; the impact row's impulse withstands the forces during the step, as with Newton's law, so an elastic ball
 * neither gains nor loses the h g of the step of its impact. Solver, examiner, ledger and warm starts see nothing new.
 * Without forces and biases the step ends with the velocities of the impact exactly: its impulses solve the problem.
 * tgs keeps the targets over its iterations, and velocity iterations hold them.
 *
 * START. The impulses p of an impact without joints solve the step's problem but for its forces and biases, and its
 * solve starts from them: sweeps that are too few to solve an impact, such as the single one of a substep, would
 * otherwise give each stop its speed u row by row, which neither is the law's outcome nor keeps its energy. (With
 * joints, whose impulses are eliminated, the solve starts as in any step.)
 *
 * CLOSED is C <= 0, and a gap that the fastest impact would close within 1e-9 of the step: spheres that touch have
 * gaps of rounding errors.
 *
 * REFUSED: different laws in one impact, if one of them has phases; more than 1500 rows at once; laws of friction
 * other than fixed, box and cone, and friction other than along two tangents.
 *
 * ENERGY. The work of an impulse is its product with the mean of the relative velocities before and after (ledger.c).
 * The impulses of closed stops and their friction, over all kicks since the linearisation, without the work of biases
 * and kinematic bodies, do the work of the island's impact. If it is positive, the impact has created energy, which no
 * law of nature does: Newton's law can with friction, and Poisson's with different coefficients in one impact.
 */
#include "parts.h"

#include "base/memory.h"
#include "impact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 1500 };

/* The impacts of the last linearisation. `n`: the rows of its problem, 0 if it has no impact. */
struct dls_impacts {
    dls_arena arena;
    size_t n, n_islands;
    size_t *island;      /* n: DLS_NONE for rows that take no part */
    double *target;      /* n: u; NaN: as the row has it */
    double *impulse;     /* n: from which the step's solve starts; NaN: as it is */
    double *work, *size; /* n_islands: the work so far, and the sum of the sizes of its terms */
    double created;      /* by earlier linearisations of this step */
};

void dls_impacts_close(struct dls_impacts *impacts)
{
    if (impacts)
        dls_arena_release(&impacts->arena);
    free(impacts);
}

/* --- rows that take part --- */

static bool is_joint(const dls_simulation *s, size_t i)
{
    const dls_problem *p = s->problem;
    const dls_list_row *row = &s->rows->row[i];
    return p->lo[i] == -HUGE_VAL && p->hi[i] == HUGE_VAL && p->gamma[i] == 0.0 && row->law == DLS_LAW_FIXED &&
           row->role != DLS_ROLE_FRICTION;
}

static bool is_closed(const dls_simulation *s, size_t i, double closing)
{
    const dls_list_row *row = &s->rows->row[i];
    return row->role == DLS_ROLE_STOP && s->problem->lo[i] == 0.0 && s->problem->hi[i] == HUGE_VAL && !row->spring &&
           row->C <= closing;
}

/* The normal row of a friction row: the first of its owner. */
static size_t normal_of(const dls_simulation *s, size_t i) { return i - s->rows->row[i].slot; }

static bool takes_part(const dls_simulation *s, size_t i, double closing)
{
    return is_joint(s, i) || is_closed(s, i, closing) ||
           (s->rows->row[i].role == DLS_ROLE_FRICTION && is_closed(s, normal_of(s, i), closing) &&
            s->rows->row[normal_of(s, i)].owner == s->rows->row[i].owner);
}

static double relative_speed(const dls_simulation *s, size_t i, const double *v)
{
    const double *prescribed = dls_row_list_prescribed(s->rows);
    return dls_rows_dot(&s->problem->J, i, v) + (prescribed ? prescribed[i] : 0.0);
}

/* --- islands --- */

static size_t root_of(size_t *leader, size_t block)
{
    while (leader[block] != block)
        block = leader[block] = leader[leader[block]];
    return block;
}

/* Numbers the islands with an impact in them, and the rows that take part by them. */
static dls_status impacts_number(dls_simulation *s, double closing, dls_error *error)
{
    struct dls_impacts *all = s->impacts;
    const dls_rows *J = &s->problem->J;
    const size_t n = s->problem->n, n_blocks = s->problem->mass.n_blocks;
    size_t *leader = DLS_TAKE(&all->arena, size_t, n_blocks), *number = DLS_TAKE(&all->arena, size_t, n_blocks);
    all->island = DLS_TAKE(&all->arena, size_t, n);
    all->target = DLS_TAKE(&all->arena, double, n);
    all->impulse = DLS_TAKE(&all->arena, double, n);
    if (all->arena.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the impacts of %zu rows", n);
    for (size_t b = 0; b < n_blocks; b++)
        leader[b] = b, number[b] = DLS_NONE;
    for (size_t i = 0; i < n; i++)
        for (size_t k = J->start[i]; k < J->start[i + 1] && takes_part(s, i, closing); k++)
            leader[root_of(leader, J->mass[k])] = root_of(leader, J->mass[J->start[i]]);
    all->n_islands = 0;
    for (size_t i = 0; i < n; i++)
        if (s->rows->row[i].impacts && J->start[i] < J->start[i + 1]) {
            size_t *of = &number[root_of(leader, J->mass[J->start[i]])];
            *of = *of == DLS_NONE ? all->n_islands++ : *of;
        }
    for (size_t i = 0; i < n; i++) {
        all->target[i] = all->impulse[i] = NAN;
        all->island[i] = takes_part(s, i, closing) && J->start[i] < J->start[i + 1]
                             ? number[root_of(leader, J->mass[J->start[i]])]
                             : DLS_NONE;
    }
    all->work = DLS_TAKE_ZEROS(&all->arena, double, all->n_islands);
    all->size = DLS_TAKE_ZEROS(&all->arena, double, all->n_islands);
    if (!all->work || !all->size)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impacts", all->n_islands);
    all->n = n;
    return DLS_OK;
}

/* --- one island --- */

/* The law of an island, newton if it has no phases. */
static dls_status law_of_island(const dls_simulation *s, size_t island, dls_impact_law *law, dls_error *error)
{
    size_t first = DLS_NONE, stops[2] = {DLS_NONE, DLS_NONE}; /* with e > 0: the first, and one of another law */
    for (size_t i = 0; i < s->impacts->n; i++) {
        const dls_list_row *row = &s->rows->row[i];
        if (s->impacts->island[i] != island || row->role != DLS_ROLE_STOP || !(row->restitution > 0.0))
            continue;
        const bool phases = row->impact == DLS_IMPACT_POISSON || row->impact == DLS_IMPACT_STRONGE;
        first = row->impacts && phases && first == DLS_NONE ? i : first;
        stops[0] = stops[0] == DLS_NONE ? i : stops[0];
        stops[1] = row->impact != s->rows->row[stops[0]].impact ? i : stops[1];
    }
    *law = first == DLS_NONE ? DLS_IMPACT_NEWTON : (dls_impact_law)s->rows->row[first].impact;
    if (first == DLS_NONE || stops[1] == DLS_NONE)
        return DLS_OK;
    char name[2][6 * DLS_NAME_MAX];
    for (int k = 0; k < 2; k++)
        dls_owner_name(s->model, s->listed, s->rows->row[stops[k]].owner, name[k], sizeof name[k]);
    return dls_fail(error, DLS_REFUSED,
                    "%s and %s meet in one impact under the laws %s and %s; give them one law of impact", name[0],
                    name[1], dls_impact_law_names[s->rows->row[stops[0]].impact],
                    dls_impact_law_names[s->rows->row[stops[1]].impact]);
}

/* Collects the rows of an island into `rows`: joints, then stops with their friction; those with the fixed bound have
 * no impulse. Returns how many are joints. */
static dls_status island_rows(const dls_simulation *s, size_t island, size_t *rows, size_t *joints, size_t *count,
                              dls_error *error)
{
    *joints = *count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < s->impacts->n; i++) {
            const dls_list_row *row = &s->rows->row[i];
            const bool stop = row->role == DLS_ROLE_STOP || row->role == DLS_ROLE_FRICTION;
            if (s->impacts->island[i] != island || stop != (pass == 1) ||
                (row->role == DLS_ROLE_FRICTION && row->law == DLS_LAW_FIXED))
                continue;
            if (row->law > DLS_LAW_CONE)
                return dls_fail(error, DLS_REFUSED,
                                "the laws of impact poisson and stronge know the friction laws fixed, box and cone, "
                                "not '%s'",
                                dls_law_names[row->law]);
            if (row->role == DLS_ROLE_FRICTION && row->slot > 2)
                return dls_fail(error, DLS_REFUSED,
                                "the laws of impact poisson and stronge know friction along two tangents alone, not "
                                "row '%s'",
                                row->label);
            if (*count == ROWS_MAX)
                return dls_fail(error, DLS_REFUSED,
                                "more than %d rows meet in one impact; take the law of impact newton", ROWS_MAX);
            rows[(*count)++] = i;
            *joints += pass == 0;
        }
    return DLS_OK;
}

/* A = J M^-1 J^T of these rows, m x m, with the diagonals of rows that nothing moves 0. B and scratch: nv. */
static void island_matrix(const dls_simulation *s, const size_t *rows, size_t m, double *A, double *B, double *scratch)
{
    const dls_problem *p = s->problem;
    for (size_t i = 0; i < m; i++) {
        memset(B, 0, p->nv * sizeof *B);
        dls_rows_response(&p->J, &p->mass, rows[i], B, scratch);
        for (size_t j = 0; j <= i; j++)
            A[i * m + j] = A[j * m + i] = dls_rows_dot(&p->J, rows[j], B);
    }
}

/* Eliminates the first `joints` rows, which keep their speeds, by pivots of the largest share of their own diagonal;
 * rows that depend on earlier ones have a share of rounding errors, and drop out. */
static void eliminate_joints(double *A, size_t m, size_t joints, double *diagonal)
{
    for (size_t i = 0; i < m; i++)
        diagonal[i] = A[i * m + i];
    for (size_t step = 0; step < joints; step++) {
        size_t k = DLS_NONE;
        double best = 1e-11;
        for (size_t i = 0; i < joints; i++)
            if (diagonal[i] > 0.0 && A[i * m + i] > best * diagonal[i])
                best = A[i * m + i] / diagonal[i], k = i;
        if (k == DLS_NONE)
            break;
        diagonal[k] = 0.0; /* done */
        for (size_t i = 0; i < m; i++) {
            const double share = A[i * m + k] / A[k * m + k];
            if (i == k || share == 0.0 || (i < joints && !(diagonal[i] > 0.0)))
                continue;
            for (size_t j = 0; j < m; j++)
                A[i * m + j] -= j == k ? 0.0 : share * A[k * m + j];
        }
        for (size_t i = 0; i < m; i++)
            A[i * m + k] = 0.0;
    }
    for (size_t i = joints; i < m; i++)
        if (!(A[i * m + i] > 1e-11 * diagonal[i]))
            for (size_t j = 0; j < m; j++)
                A[i * m + j] = A[j * m + i] = 0.0;
}

/* Fills the impact with the rows after the joints. */
static void impact_fill(const dls_simulation *s, const size_t *rows, size_t m, size_t joints, const double *A,
                        const double *v, dls_impact *impact)
{
    const size_t n = impact->n;
    for (size_t i = 0; i < n; i++) {
        const size_t at = rows[joints + i];
        const dls_list_row *row = &s->rows->row[at];
        const bool stop = row->role == DLS_ROLE_STOP;
        for (size_t j = 0; j < n; j++)
            impact->A[i * n + j] = A[(joints + i) * m + joints + j];
        impact->before[i] = relative_speed(s, at, v);
        impact->restitution[i] = stop ? row->restitution : 0.0;
        impact->mu[i] = 0.0;
        impact->normal[i] = stop ? i : i - row->slot;
        impact->law[i] = stop ? DLS_LAW_FIXED : (dls_law)row->law;
        if (!stop)
            impact->mu[impact->normal[i]] = row->mu;
    }
}

/* Solves the impact of an island, and sets the targets of its rows. */
static dls_status impact_solve(dls_simulation *s, size_t island, dls_impact_law law, const double *v, dls_error *error)
{
    dls_arena *arena = &s->impacts->arena;
    size_t *rows = DLS_TAKE(arena, size_t, ROWS_MAX), joints, m;
    if (!rows)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for an impact");
    DLS_TRY(island_rows(s, island, rows, &joints, &m, error));
    const size_t n = m - joints, nv = s->problem->nv;
    const size_t matrix = m * m + m, numbers_size = n * n + (8 + DLS_IMPACT_WORK) * n + 2 * nv;
    double *A = DLS_TAKE(arena, double, matrix);
    double *work = DLS_TAKE_ZEROS(arena, double, numbers_size);
    const size_t newton = n <= DLS_IMPACT_DENSE ? 2 * n * n + 10 * n : 0;
    double *newton_work = DLS_TAKE(arena, double, newton);
    size_t *normal = DLS_TAKE(arena, size_t, n);
    dls_law *laws = DLS_TAKE(arena, dls_law, n);
    if (arena->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for an impact of %zu rows", m);
    double *const numbers = work + n * n;
    dls_impact impact = {.n = n,
                         .A = work,
                         .before = numbers,
                         .after = numbers + n,
                         .restitution = numbers + 2 * n,
                         .mu = numbers + 3 * n,
                         .impulse = numbers + 4 * n,
                         .phase = numbers + 5 * n,
                         .least = numbers + 6 * n,
                         .speed = numbers + 7 * n,
                         .work = numbers + 8 * n,
                         .newton = newton ? newton_work : NULL,
                         .normal = normal,
                         .law = laws};
    double *const B = numbers + (8 + DLS_IMPACT_WORK) * n;
    island_matrix(s, rows, m, A, B, B + nv);
    eliminate_joints(A, m, joints, A + m * m);
    impact_fill(s, rows, m, joints, A, v, &impact);
    DLS_TRY(law == DLS_IMPACT_POISSON ? dls_impact_poisson(&impact, error) : dls_impact_stronge(&impact, error));
    for (size_t i = 0; i < n; i++) {
        if (impact.impulse[normal[i]] > 0.0)
            s->impacts->target[rows[joints + i]] = impact.after[i];
        if (joints == 0)
            s->impacts->impulse[rows[i]] = impact.impulse[i];
    }
    return DLS_OK;
}

/* --- calls of the stages --- */

static double positive_work(const struct dls_impacts *all)
{
    double sum = 0.0;
    for (size_t k = 0; k < all->n_islands && all->n; k++)
        sum += all->work[k] > 1e-12 * all->size[k] ? all->work[k] : 0.0;
    return sum;
}

/* Forgets the impacts of the last linearisation, except for the energy that they have created. */
static void impacts_begin(struct dls_impacts *all)
{
    all->created += positive_work(all);
    dls_arena_reset(&all->arena);
    all->n = all->n_islands = 0;
}

dls_status dls_impacts_find(dls_simulation *s, const double *v, bool again, dls_error *error)
{
    bool any = false, phases = false;
    double fastest = 0.0;
    dls_status status = DLS_OK;
    for (size_t i = 0; i < s->rows->n; i++) {
        const dls_list_row *row = &s->rows->row[i];
        if (!row->impacts)
            continue;
        any = true;
        phases = phases || row->impact == DLS_IMPACT_POISSON || row->impact == DLS_IMPACT_STRONGE;
        fastest = fmax(fastest, -relative_speed(s, i, v));
    }
    if (!any && again && s->impacts && s->impacts->n == s->rows->n)
        return DLS_OK;
    if (s->impacts)
        impacts_begin(s->impacts);
    if (!any || (!phases && !s->ledger))
        return DLS_OK;
    if (!s->impacts && !(s->impacts = calloc(1, sizeof *s->impacts)))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for impacts");
    DLS_TRY(impacts_number(s, 1e-9 * s->problem->h * fastest, error));
    for (size_t k = 0; k < s->impacts->n_islands && phases; k++) {
        dls_impact_law law;
        DLS_TRY(law_of_island(s, k, &law, error));
        const dls_status solved = law == DLS_IMPACT_NEWTON ? DLS_OK : impact_solve(s, k, law, v, error);
        if (solved != DLS_OK && solved != DLS_UNSOLVED)
            return solved;
        status = solved == DLS_OK ? status : solved;
    }
    for (size_t i = 0; i < s->impacts->n; i++)
        if (!isnan(s->impacts->target[i]))
            s->problem->c[i] += s->impacts->target[i] - s->rows->row[i].u;
    dls_impacts_keep(s);
    return status;
}

void dls_impacts_keep(dls_simulation *s)
{
    for (size_t i = 0; s->impacts && i < s->impacts->n; i++)
        if (!isnan(s->impacts->target[i]))
            s->rows->row[i].u = s->impacts->target[i];
}

void dls_impacts_start(dls_simulation *s)
{
    for (size_t i = 0; s->impacts && i < s->impacts->n; i++)
        if (!isnan(s->impacts->impulse[i]))
            s->lambda[i] = s->impacts->impulse[i];
}

void dls_impacts_count(dls_simulation *s, const double *v0, const double *v1, const double *lambda0,
                       const double *lambda)
{
    struct dls_impacts *all = s->impacts;
    for (size_t i = 0; all && i < all->n; i++) {
        const dls_list_row *row = &s->rows->row[i];
        if (all->island[i] == DLS_NONE || (row->role != DLS_ROLE_STOP && row->role != DLS_ROLE_FRICTION))
            continue;
        const double impulse = lambda[i] - (lambda0 ? lambda0[i] : 0.0);
        const double before = relative_speed(s, i, v0), after = relative_speed(s, i, v1);
        all->work[all->island[i]] += 0.5 * impulse * (before + after - row->bias);
        all->size[all->island[i]] += 0.5 * fabs(impulse) * (fabs(before) + fabs(after));
    }
}

double dls_impacts_end(dls_simulation *s)
{
    if (!s->impacts)
        return 0.0;
    impacts_begin(s->impacts);
    const double created = s->impacts->created;
    s->impacts->created = 0.0;
    return created;
}
