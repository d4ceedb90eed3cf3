/* A block on level ground, pulled at its centre in every direction: the least force that moves it, and the direction of
 * its motion.
 *
 * The least force over the direction shows the set of forces that friction can hold (friction_laws.c): a square, a
 * polygon, a circle. The ratio of its largest to its smallest value is 1 / cos(pi / k) if corners and middles of edges
 * are among the directions. Slightly above it, the block moves in the direction of the pull minus the friction force.
 */
#include "friction/parts.h"

#include <math.h>

typedef struct pulled {
    const dls_study *study;
    dls_friction_rig rig;
    double limit;     /* mu m g [N] */
    double direction; /* of the pull [rad] */
} pulled;

static dls_status moves_at(void *context, double force, bool *so, dls_error *error)
{
    pulled *p = context;
    DLS_TRY(dls_friction_push(&p->rig, 0, 1, 0, force * p->limit, p->direction, error));
    *so = dls_friction_moves(&p->rig, 0, 0);
    return DLS_OK;
}

/* --- where it goes --- */

typedef struct motion {
    double pull;                  /* [N] */
    double off, off_expected;     /* angle from the pull to the velocity [rad], NaN at rest */
    double speed, speed_expected; /* [m/s] */
} motion;

static motion predict(const pulled *p, double pull)
{
    double along, excess = dls_friction_excess(p->rig.law, p->limit, pull, p->direction, &along);
    return (motion){.pull = pull,
                    .off_expected = excess > 0.0 ? along - p->direction : NAN,
                    .speed_expected = p->rig.settings->step * excess / p->rig.settings->mass};
}

/* The motion under a pull, by solver k, into a table too. */
static dls_status measure_pull(pulled *p, int k, double pull, size_t table, motion *m, dls_error *error)
{
    *m = predict(p, pull);
    DLS_TRY(dls_friction_push(&p->rig, k, 1, 0, pull, p->direction, error));
    dls_vec3 v = dls_friction_velocity(&p->rig, k, 0);
    double c = cos(p->direction), d = sin(p->direction);
    m->off = dls_friction_moves(&p->rig, k, 0) ? atan2(c * v.y - d * v.x, c * v.x + d * v.y) : NAN;
    m->speed = dls_norm(v);
    dls_table_row(p->study->tables[table], "%s %s %zu %g %g %g %g %g %g %g", p->rig.law->name,
                  dls_friction_solver(&p->rig, k), dls_friction_iterations(&p->rig, k), p->direction, pull / p->limit,
                  m->off, m->off_expected, m->speed, m->speed_expected, k ? NAN : p->rig.record.residual);
    return DLS_OK;
}

static double beyond(const pulled *p)
{
    return p->rig.settings->beyond * p->limit * dls_friction_reach(p->rig.law, p->direction);
}

/* The same pull for every law: across the box's corner, which holds it, and beside it. */
static const double diagonal_pull = 1.2;                                      /* over mu m g */
static const double diagonal[2] = {0.52359877559829882, 0.78539816339744828}; /* 30 and 45 deg [rad] */

static dls_status pull_diagonally(pulled *p, dls_error *error)
{
    dls_friction_finding *f = p->rig.found;
    for (int d = 0; d < 2; d++)
        for (int k = 0; k < (int)p->rig.n; k++) {
            motion m;
            p->direction = diagonal[d];
            DLS_TRY(measure_pull(p, k, diagonal_pull * p->limit, DLS_FRICTION_DIAGONAL, &m, error));
            if (k > 0)
                continue;
            f->diagonal_off[d] = m.off, f->diagonal_off_expected[d] = m.off_expected;
            f->diagonal_speed[d] = m.speed, f->diagonal_speed_expected[d] = m.speed_expected;
        }
    return DLS_OK;
}

/* --- all directions --- */

static dls_status pull_around(pulled *p, dls_error *error)
{
    const dls_friction_settings *set = p->rig.settings;
    dls_friction_finding *f = p->rig.found;
    double smallest = HUGE_VAL, largest = 0.0;
    for (size_t i = 0; i <= set->directions; i++) { /* all around: a figure closes */
        double low = 0.5, high = 2.0;
        p->direction = 2.0 * DLS_PI * (double)i / (double)set->directions;
        double reach = dls_friction_reach(p->rig.law, p->direction);
        DLS_TRY(dls_bisect(moves_at, p, &low, &high, set->width, error));
        double least = low + 0.5 * (high - low);
        smallest = fmin(smallest, least);
        largest = fmax(largest, least);
        f->reach_error = fmax(f->reach_error, fabs(least / reach - 1.0));
        dls_table_row(p->study->tables[DLS_FRICTION_PULL], "%s %g %g %g %g", p->rig.law->name, p->direction,
                      least * p->limit, least, reach);
        for (int k = 0; k < (int)p->rig.n; k++) {
            motion m;
            DLS_TRY(measure_pull(p, k, beyond(p), DLS_FRICTION_DIRECTION, &m, error));
            double wrong = fabs(m.off - m.off_expected), *worst = k ? &f->sweep_off_error[k - 1] : &f->off_error;
            *worst = fmax(*worst, isnan(wrong) ? HUGE_VAL : wrong); /* at rest: all wrong */
            if (k == 0)
                f->off = fmax(f->off, fabs(m.off));
        }
    }
    f->anisotropy = largest / smallest;
    return DLS_OK;
}

static void summarise(const pulled *p)
{
    const dls_friction_law *law = p->rig.law;
    const dls_friction_finding *f = p->rig.found;
    double predicted = dls_friction_anisotropy(law);
    dls_table_row(p->study->tables[DLS_FRICTION_PULL_SUMMARY], "%s %s %g %g %g %g %g %g %g %g %g %zu %zu", law->name,
                  law->direct, f->anisotropy, predicted, f->anisotropy / predicted - 1.0, f->reach_error, f->off,
                  f->off_error, law->sweep ? f->sweep_off_error[0] : NAN, law->sweep ? f->sweep_off_error[1] : NAN,
                  p->rig.record.worst, p->rig.record.solves, p->rig.record.others);
}

dls_status dls_friction_pulls(dls_study *study, dls_error *error)
{
    const dls_friction_settings *set = study->settings;
    for (dls_grid g = DLS_GRID(DLS_FRICTION_LAWS); dls_study_next(study, &g);) {
        pulled p = {.study = study, .limit = set->mu * set->mass * dls_friction_gravity};
        DLS_TRY(dls_friction_open(study, g.at[0], 1, 0.0, &p.rig, error));
        dls_status status = pull_around(&p, error);
        if (status == DLS_OK)
            status = pull_diagonally(&p, error);
        for (int k = 0; k <= 720; k++) {
            p.direction = DLS_PI * (double)k / 1440.0;
            dls_table_row(study->tables[DLS_FRICTION_PREDICTED], "%s %g %g", p.rig.law->name, p.direction,
                          predict(&p, beyond(&p)).off_expected);
        }
        summarise(&p);
        dls_friction_close(&p.rig);
        DLS_TRY(status);
    }
    return DLS_OK;
}
