/* Common parts of the schemes that evaluate forces and rows within the step.
 *
 * SPRINGS. A row with compliance has the force f = push - kp C - kd y along J, with y = J v + J_k v_k the velocity of
 * the row. At the point theta of a step, with y_t = (1 - theta) y + theta y+ and C_t = (1 - theta) C(q) + theta C(q+):
 *     lambda / h = push - kp C_t - kd y_t
 * With C~ = C(q) + (1 - theta) h y and C(q+) = C~ + theta h y+, which is exact to O(h^2) as J is that at C~,
 *     y+ + lambda / (h K) = (push - kp C~ - K_0 y) / K
 *     K = theta^2 h kp + theta kd,   K_0 = (1 - theta) kd - (1 - theta)^2 h kp
 * theta = 1 is the row of conventions (Spring and damper), implicit Euler; theta = 1/2 is of second order and damps
 * nothing that kd does not. Values of ERP and CFM are those of the spring kp = ERP / (h CFM), kd = (1 - ERP) / CFM.
 *
 * STOPS act at the velocity level, J v+ >= u, if their gap is closed in the middle of the step, and not at all
 * otherwise (J. J. Moreau 1988, M. Jean 1999). It counts as closed if C(q (+) h/2 v) <= (h/2)^2 g, since the sign of a
 * gap that is 0 up to rounding is not reliable, or if C(q (+) h/2 v*) <= 0. A forecast does not change in the passes of
 * a step, nor do u, the rebound from the velocities before the step, which stops and by Poisson's and Stronge's laws
 * their friction have, and the bounds of friction that do not follow from an impulse. A stop that rebounds has no bias.
 */
#include "halfway.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

dls_status dls_halfway_open(dls_simulation *s, size_t size, void **work, dls_error *error)
{
    const size_t nv = dls_model_count(dls_simulation_model(s)).nv;
    dls_halfway *w = *work = calloc(1, size);
    if (w)
        w->v = calloc(4 * nv + 1, sizeof *w->v);
    if (!w || !w->v)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu velocities", nv);
    w->simulation = s;
    w->mean = w->v + nv;
    w->scratch = w->mean + nv;
    w->move = w->scratch + nv;
    return DLS_OK;
}

void dls_halfway_close(void *work)
{
    dls_halfway *w = work;
    if (!w)
        return;
    free(w->speed);
    free(w->v);
    free(w);
}

dls_status dls_halfway_refuse_keep(const dls_simulation *s, const char *scheme, dls_error *error)
{
    if (dls_model_world(dls_simulation_model(s))->keep_momentum)
        return dls_fail(error, DLS_REFUSED,
                        "keep_momentum needs a kick by the forces at the start of the step, which %s does not make; "
                        "take another scheme, or keep_momentum: false",
                        scheme);
    return DLS_OK;
}

dls_status dls_halfway_refuse_laws(const dls_simulation *s, const char *scheme, dls_error *error)
{
    if (dls_problem_contact_laws(dls_simulation_problem(s)) & ~(unsigned)DLS_CONTACTS_TORSIONAL)
        return dls_fail(
            error, DLS_REFUSED,
            "%s has no rolling, anisotropic or associated friction; take another scheme, or friction: cone or "
            "box without them",
            scheme);
    return DLS_OK;
}

static double prescribed_of(const dls_simulation *s, size_t i)
{
    const double *prescribed = dls_row_list_prescribed(dls_simulation_rows(s));
    return prescribed ? prescribed[i] : 0.0;
}

dls_status dls_halfway_begin(dls_halfway *w, dls_error *error)
{
    const dls_problem *p = dls_stage_problem(w->simulation);
    const double *v = dls_simulation_state(w->simulation)->v;
    if (p->n > w->capacity || !w->speed) {
        free(w->speed);
        w->capacity = p->n + p->n / 2;
        w->speed = calloc(6 * w->capacity + 1, sizeof *w->speed);
        if (!w->speed)
            return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", p->n);
        w->u = w->speed + w->capacity;
        w->lo = w->u + w->capacity;
        w->hi = w->lo + w->capacity;
        w->target = w->hi + w->capacity;
        w->c = w->target + w->capacity;
    }
    for (size_t i = 0; i < p->n; i++)
        w->speed[i] = dls_rows_dot(&p->J, i, v) + prescribed_of(w->simulation, i);
    memcpy(w->v, v, p->nv * sizeof *v);
    memcpy(w->mean, v, p->nv * sizeof *v);
    return DLS_OK;
}

void dls_halfway_place(dls_halfway *w, double h)
{
    const size_t nv = dls_stage_problem(w->simulation)->nv;
    for (size_t k = 0; k < nv; k++)
        w->move[k] = h * w->mean[k];
    dls_stage_displace(w->simulation, w->move);
}

bool dls_row_spring_law(const dls_list_row *row, double h, dls_spring_law *law)
{
    const dls_row_spring *spring = row->spring;
    if (spring && spring->mobility > 0.0) {
        law->kp = spring->kp / spring->mobility;
        law->kd = spring->kd / spring->mobility;
        law->push = spring->feed + law->kd * row->u;
        return true;
    }
    if (spring || !(row->cfm > 0.0))
        return false;
    *law = (dls_spring_law){row->erp / (h * row->cfm), (1.0 - row->erp) / row->cfm, row->u / row->cfm};
    return true;
}

void dls_halfway_put_spring(dls_problem *p, size_t i, const dls_spring_law *law, double theta, double C, double speed,
                            double prescribed)
{
    const double rest = 1.0 - theta, K = theta * (theta * p->h * law->kp + law->kd),
                 K0 = rest * (law->kd - rest * p->h * law->kp);
    p->gamma[i] = 1.0 / (p->h * K);
    p->c[i] = (law->push - law->kp * C - K0 * speed) / K - prescribed;
}

/* Whether the gap of a stop is open in the middle of the step; the problem is that at q (+) placed v. */
static bool halfway_is_open(const dls_halfway *w, size_t i, double placed)
{
    const dls_problem *p = dls_stage_problem(w->simulation);
    const dls_list_row *row = &dls_simulation_rows(w->simulation)->row[i];
    const double half = 0.5 * p->h,
                 fall = half * half * dls_norm(dls_model_world(dls_simulation_model(w->simulation))->gravity),
                 given = half * prescribed_of(w->simulation, i),
                 way = dls_rows_dot(&p->J, i, dls_stage_start(w->simulation)->v),
                 pushed = dls_rows_dot(&p->J, i, p->v_star), C = row->C - placed * way + given;
    return row->role == DLS_ROLE_STOP && C + half * way > fall && C + half * pushed > 0.0;
}

void dls_halfway_keep(dls_halfway *w, bool first, double placed)
{
    dls_problem *p = dls_stage_problem(w->simulation);
    dls_list_row *rows = dls_simulation_rows(w->simulation)->row;
    for (size_t i = 0; i < p->n; i++) {
        const bool stop = rows[i].role == DLS_ROLE_STOP, friction = rows[i].role == DLS_ROLE_FRICTION;
        if (first) {
            const bool open = halfway_is_open(w, i, placed);
            w->u[i] = rows[i].u;
            w->lo[i] = open ? 0.0 : p->lo[i];
            w->hi[i] = open ? 0.0 : p->hi[i];
        }
        if (stop || friction)
            rows[i].u = w->u[i], p->lo[i] = w->lo[i], p->hi[i] = w->hi[i];
        if (stop && w->u[i] > 0.0)
            rows[i].erp = rows[i].bias = 0.0;
    }
}

/* --- schemes that solve for positions --- */

dls_energies dls_halfway_predict(dls_halfway *w, double h)
{
    dls_simulation *s = w->simulation;
    const dls_problem *p = dls_stage_problem(s);
    double *lambda = dls_stage_impulses(s);
    memcpy(w->hi, lambda, p->n * sizeof *lambda);
    memset(lambda, 0, p->n * sizeof *lambda);
    dls_stage_kick(s);
    dls_stage_drift(s, h);
    memcpy(lambda, w->hi, p->n * sizeof *lambda);
    for (size_t j = 0; j < p->nv; j++)
        w->mean[j] = h * dls_simulation_state(s)->v[j];
    return dls_stage_energies(s);
}

static double halfway_kinetic_energy(dls_halfway *w, const double *v)
{
    const dls_problem *p = dls_stage_problem(w->simulation);
    double sum = 0.0;
    dls_mass_multiply(&p->mass, v, w->scratch);
    for (size_t j = 0; j < p->nv; j++)
        sum += 0.5 * v[j] * w->scratch[j];
    return sum;
}

void dls_halfway_end(dls_halfway *w, dls_energies before)
{
    dls_simulation *s = w->simulation;
    dls_problem *p = dls_stage_problem(s);
    memcpy(w->v, dls_simulation_state(s)->v, p->nv * sizeof *w->v);
    memset(w->lo, 0, p->n * sizeof *w->lo);
    dls_problem_velocity(p, dls_stage_impulses(s), w->move, w->scratch);
    dls_stage_set_velocity(s, w->move);
    dls_stage_count_impulses(s, w->v, w->lo);
    before.kinetic += halfway_kinetic_energy(w, w->move) - halfway_kinetic_energy(w, w->v);
    dls_stage_set_velocity(s, w->mean);
    dls_stage_count_correction(s, before);
    for (size_t j = 0; j < p->nv; j++)
        p->v_star[j] += w->mean[j] - w->move[j];
}
