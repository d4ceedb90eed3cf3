/* A block on level ground, pulled at its centre in every direction: the least force that moves it, and where it goes.
 *
 * The least force over direction draws the set that friction holds (friction_laws.c): a square, a polygon, a circle, and its largest over
 * its smallest is 1 / cos(pi / k) where corners and middles of edges are among the directions. A little above it the block goes along what the
 * set leaves of the pull. */
#include "friction.h"

#include <math.h>

typedef struct study {
    dls_friction_lab *lab;
    const dls_friction_law *law;
    dls_friction_finding *found;
    dls_friction_rig rig;
    dls_table *forces, *directions;
    double limit;     /* mu m g [N] */
    double direction; /* of the pull [rad] */
    double least, smallest, largest; /* force over the limit: here, of all directions */
} study;

static dls_status moves_at(void *context, double force, bool *moves, dls_error *error)
{
    study *s = context;
    const dls_friction_settings *set = s->lab->settings;
    dls_friction_pull(&s->rig, 0, force * s->limit, s->direction);
    DLS_TRY(dls_friction_solve(&s->rig, set->step, 0, error));
    *moves = dls_norm(dls_friction_velocity(&s->rig, 0)) > set->still * dls_friction_gravity * set->step;
    return DLS_OK;
}

/* --- where it goes ------------------------------------------------------------------------------------------------------------------ */

typedef struct motion { double off, off_expected, speed, speed_expected; } motion;

static dls_status look(study *s, size_t iterations, motion *m, dls_error *error)
{
    const dls_friction_settings *set = s->lab->settings;
    double along, pull = set->beyond * s->limit * dls_friction_reach(s->law, s->direction);
    double excess = dls_friction_excess(s->law, s->limit, pull, s->direction, &along);
    dls_friction_pull(&s->rig, 0, pull, s->direction);
    DLS_TRY(dls_friction_solve(&s->rig, set->step, iterations, error));
    dls_vec3 v = dls_friction_velocity(&s->rig, 0);
    double c = cos(s->direction), d = sin(s->direction);
    m->off = atan2(c * v.y - d * v.x, c * v.x + d * v.y);
    m->off_expected = along - s->direction;
    m->speed = dls_norm(v);
    m->speed_expected = set->step * excess / set->mass;
    return DLS_OK;
}

static void write_motion(const study *s, size_t iterations, const motion *m)
{
    dls_table_text(s->directions, s->law->name);
    dls_table_text(s->directions, iterations ? s->law->sweep : s->law->direct);
    dls_table_count(s->directions, iterations);
    dls_table_real(s->directions, s->direction);
    const double values[] = {m->off, m->off_expected, m->speed, m->speed_expected, iterations ? NAN : s->rig.residual};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        dls_table_real(s->directions, values[k]);
    dls_table_end_row(s->directions);
}

static dls_status look_all(study *s, dls_error *error)
{
    const size_t iterations[3] = {0, s->lab->settings->few, s->lab->settings->many};
    for (int k = 0; k < (s->law->sweep ? 3 : 1); k++) {
        motion m;
        DLS_TRY(look(s, iterations[k], &m, error));
        double wrong = fabs(m.off - m.off_expected), *worst = k == 0 ? &s->found->off_error : &s->found->sweep_off_error[k - 1];
        *worst = fmax(*worst, wrong);
        if (k == 0)
            s->found->off = fmax(s->found->off, fabs(m.off));
        write_motion(s, iterations[k], &m);
    }
    return DLS_OK;
}

/* --- all directions -------------------------------------------------------------------------------------------------------------------- */

static dls_status pull(study *s, dls_error *error)
{
    double reach = dls_friction_reach(s->law, s->direction);
    DLS_TRY(dls_friction_bisect(moves_at, s, 0.5, 2.0, s->lab->settings->width, &s->least, error));
    s->smallest = fmin(s->smallest, s->least);
    s->largest = fmax(s->largest, s->least);
    s->found->reach_error = fmax(s->found->reach_error, fabs(s->least / reach - 1.0));
    dls_table_text(s->forces, s->law->name);
    const double values[] = {s->direction, s->least * s->limit, s->least, reach};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        dls_table_real(s->forces, values[k]);
    dls_table_end_row(s->forces);
    return look_all(s, error);
}

static dls_status pull_around(study *s, dls_error *error)
{
    size_t count = s->lab->settings->directions;
    s->smallest = HUGE_VAL, s->largest = 0.0;
    for (size_t k = 0; k < count; k++) {
        s->direction = 2.0 * acos(-1.0) * (double)k / (double)count;
        DLS_TRY(pull(s, error));
    }
    s->found->anisotropy = s->largest / s->smallest;
    s->found->residual = fmax(s->found->residual, s->rig.worst);
    return DLS_OK;
}

static void summarise(const study *s, dls_table *summary)
{
    const dls_friction_finding *f = s->found;
    double predicted = dls_friction_anisotropy(s->law);
    dls_table_text(summary, s->law->name);
    dls_table_text(summary, s->law->direct);
    const double values[] = {f->anisotropy, predicted, f->anisotropy / predicted - 1.0, f->reach_error, f->off, f->off_error, f->sweep_off_error[0],
                             f->sweep_off_error[1], f->residual};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        dls_table_real(summary, values[k]);
    dls_table_end_row(summary);
}

static dls_status each_law(dls_friction_lab *lab, dls_table *forces, dls_table *directions, dls_table *summary, dls_error *error)
{
    const dls_friction_settings *set = lab->settings;
    const dls_friction_pile block = {.boxes = 1, .mu = set->mu, .mass = set->mass};
    for (size_t i = 0; dls_friction_laws[i].name; i++) {
        study s = {.lab = lab, .law = &dls_friction_laws[i], .found = &lab->found[i], .forces = forces, .directions = directions,
                   .limit = set->mu * set->mass * dls_friction_gravity};
        DLS_TRY(dls_friction_open(s.law, &block, &s.rig, error));
        dls_status status = pull_around(&s, error);
        dls_friction_close(&s.rig);
        DLS_TRY(status);
        summarise(&s, summary);
    }
    return DLS_OK;
}

static const char *const stems[] = {"friction.pull", "friction.direction", "friction.pull.summary"};
static const char *const columns[] = {
    "law\tdirection[rad]\tleast_force[N]\tleast_force_over_mu_m_g\tpredicted",
    "law\tsolver\titerations\tdirection[rad]\toff_the_pull[rad]\tpredicted_off[rad]\tspeed[m/s]\tpredicted_speed[m/s]\tscaled_residual",
    "law\treference\tanisotropy\tpredicted\trelative_difference\tworst_relative_error_of_force\tlargest_off_the_pull[rad]\terror_of_direction[rad]"
    "\terror_of_direction_few[rad]\terror_of_direction_many[rad]\tscaled_residual"};

dls_status dls_friction_pulls(dls_friction_lab *lab, dls_error *error)
{
    dls_table *tables[3] = {NULL, NULL, NULL};
    dls_status status = DLS_OK;
    for (int k = 0; k < 3 && status == DLS_OK; k++)
        status = dls_friction_table(lab, stems[k], columns[k], &tables[k], error);
    if (status == DLS_OK)
        status = each_law(lab, tables[0], tables[1], tables[2], error);
    for (int k = 0; k < 3; k++)
        status = dls_friction_finish(tables[k], status, error);
    return status;
}
