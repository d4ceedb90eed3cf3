/* A block on level ground, pulled at its centre in every direction: the least force that moves it, and where it goes.
 *
 * The least force over direction draws the set that friction holds (laws.c): a square, a polygon, a circle,
 * and its largest over its smallest is 1 / cos(pi / k) where corners and middles of edges are among the directions. A
 * little above it the block goes along what the set leaves of the pull. */
#include "friction.h"

#include <math.h>

typedef struct study {
    dls_friction_lab *lab;
    const dls_friction_law *law;
    dls_friction_finding *found;
    dls_friction_rig rig;
    dls_table *const *tables;        /* as `stems` */
    double limit;                    /* mu m g [N] */
    double direction;                /* of the pull [rad] */
    double least, smallest, largest; /* force over the limit: here, of all directions */
} study;

enum { FORCES, DIRECTIONS, PREDICTED, DIAGONAL, SUMMARY, TABLES };
#define MOTION                                                                                         \
    "law\tsolver\titerations\tdirection[rad]\tpull_over_mu_m_g\toff_the_pull[rad]\tpredicted_off[rad]" \
    "\tspeed[m/s]\tpredicted_speed[m/s]\tscaled_residual"
static const char *const stems[TABLES] = {"friction.pull", "friction.direction", "friction.direction.predicted",
                                          "friction.diagonal.summary", "friction.pull.summary"};
static const char *const columns[TABLES] = {
    "law\tdirection[rad]\tleast_force[N]\tleast_force_over_mu_m_g\tpredicted", MOTION,
    "law\tdirection[rad]\toff_the_pull[rad]", MOTION,
    ("law\treference\tanisotropy\tpredicted\trelative_difference\tworst_relative_error_of_force"
     "\tlargest_off_the_pull[rad]\terror_of_direction[rad]"
     "\terror_of_direction_few[rad]\terror_of_direction_many[rad]\tscaled_residual\tsolves\tnot_by_the_first_method")};

static dls_status moves_at(void *context, double force, bool *moves, dls_error *error)
{
    study *s = context;
    const dls_friction_settings *set = s->lab->settings;
    dls_friction_pull(&s->rig, 0, force * s->limit, s->direction);
    DLS_TRY(dls_friction_solve(&s->rig, set->step, 0, error));
    *moves = dls_friction_moves(&s->rig, 0, set->still, set->step);
    return DLS_OK;
}

/* --- where it goes --- */

typedef struct motion {
    double pull;                  /* [N] */
    double off, off_expected;     /* angle from the pull to the velocity [rad], NaN at rest */
    double speed, speed_expected; /* [m/s] */
} motion;

static double pull_beyond(const study *s, double direction)
{
    return s->lab->settings->beyond * s->limit * dls_friction_reach(s->law, direction);
}

static void predict(const study *s, double direction, motion *m)
{
    double along, excess = dls_friction_excess(s->law, s->limit, m->pull, direction, &along);
    m->off_expected = excess > 0.0 ? along - direction : NAN;
    m->speed_expected = s->lab->settings->step * excess / s->lab->settings->mass;
}

static void write_predicted(const study *s)
{
    for (int k = 0; k <= 720; k++) {
        double direction = acos(-1.0) * (double)k / 1440.0;
        motion m = {.pull = pull_beyond(s, direction)};
        predict(s, direction, &m);
        dls_table_text(s->tables[PREDICTED], s->law->name);
        dls_table_real(s->tables[PREDICTED], direction);
        dls_table_real(s->tables[PREDICTED], m.off_expected);
        dls_table_end_row(s->tables[PREDICTED]);
    }
}

static dls_status look(study *s, double direction, size_t iterations, motion *m, dls_error *error)
{
    const dls_friction_settings *set = s->lab->settings;
    predict(s, direction, m);
    dls_friction_pull(&s->rig, 0, m->pull, direction);
    DLS_TRY(dls_friction_solve(&s->rig, set->step, iterations, error));
    dls_vec3 v = dls_friction_velocity(&s->rig, 0);
    double c = cos(direction), d = sin(direction);
    m->off = dls_friction_moves(&s->rig, 0, set->still, set->step) ? atan2(c * v.y - d * v.x, c * v.x + d * v.y) : NAN;
    m->speed = dls_norm(v);
    return DLS_OK;
}

static void write_motion(const study *s, dls_table *table, double direction, size_t iterations, const motion *m)
{
    dls_table_text(table, s->law->name);
    dls_table_text(table, iterations ? s->law->sweep : "reference");
    dls_table_count(table, iterations);
    const double values[] = {direction,
                             m->pull / s->limit,
                             m->off,
                             m->off_expected,
                             m->speed,
                             m->speed_expected,
                             iterations ? NAN : s->rig.residual};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        dls_table_real(table, values[k]);
    dls_table_end_row(table);
}

static dls_status look_all(study *s, dls_error *error)
{
    const size_t iterations[3] = {0, s->lab->settings->few, s->lab->settings->many};
    for (int k = 0; k < (s->law->sweep ? 3 : 1); k++) {
        motion m = {.pull = pull_beyond(s, s->direction)};
        DLS_TRY(look(s, s->direction, iterations[k], &m, error));
        double wrong = fabs(m.off - m.off_expected),
               *worst = k == 0 ? &s->found->off_error : &s->found->sweep_off_error[k - 1];
        *worst = fmax(*worst, isnan(wrong) ? HUGE_VAL : wrong); /* at rest: all wrong */
        if (k == 0)
            s->found->off = fmax(s->found->off, fabs(m.off));
        write_motion(s, s->tables[DIRECTIONS], s->direction, iterations[k], &m);
    }
    return DLS_OK;
}

/* The same pull for every law: across the box's corner, which holds it, and beside it. */
static const double diagonal_pull = 1.2;                                      /* over mu m g */
static const double diagonal[2] = {0.52359877559829882, 0.78539816339744828}; /* 30 and 45 deg [rad] */

static dls_status look_diagonally(study *s, dls_error *error)
{
    const size_t iterations[3] = {0, s->lab->settings->few, s->lab->settings->many};
    for (int d = 0; d < 2; d++)
        for (int k = 0; k < (s->law->sweep ? 3 : 1); k++) {
            motion m = {.pull = diagonal_pull * s->limit};
            DLS_TRY(look(s, diagonal[d], iterations[k], &m, error));
            write_motion(s, s->tables[DIAGONAL], diagonal[d], iterations[k], &m);
            if (k > 0)
                continue;
            s->found->diagonal_off[d] = m.off;
            s->found->diagonal_off_expected[d] = m.off_expected;
            s->found->diagonal_speed[d] = m.speed;
            s->found->diagonal_speed_expected[d] = m.speed_expected;
        }
    return DLS_OK;
}

/* --- all directions --- */

static dls_status pull(study *s, dls_error *error)
{
    dls_table *table = s->tables[FORCES];
    double reach = dls_friction_reach(s->law, s->direction);
    DLS_TRY(dls_friction_bisect(moves_at, s, 0.5, 2.0, s->lab->settings->width, &s->least, error));
    s->smallest = fmin(s->smallest, s->least);
    s->largest = fmax(s->largest, s->least);
    s->found->reach_error = fmax(s->found->reach_error, fabs(s->least / reach - 1.0));
    dls_table_text(table, s->law->name);
    const double values[] = {s->direction, s->least * s->limit, s->least, reach};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        dls_table_real(table, values[k]);
    dls_table_end_row(table);
    return look_all(s, error);
}

static dls_status pull_around(study *s, dls_error *error)
{
    size_t count = s->lab->settings->directions;
    s->smallest = HUGE_VAL, s->largest = 0.0;
    for (size_t k = 0; k <= count; k++) { /* all around: a figure closes */
        s->direction = 2.0 * acos(-1.0) * (double)k / (double)count;
        DLS_TRY(pull(s, error));
    }
    s->found->anisotropy = s->largest / s->smallest;
    return DLS_OK;
}

static void summarise(const study *s)
{
    dls_table *summary = s->tables[SUMMARY];
    const dls_friction_finding *f = s->found;
    double predicted = dls_friction_anisotropy(s->law);
    dls_table_text(summary, s->law->name);
    dls_table_text(summary, s->law->direct);
    const double values[] = {f->anisotropy,
                             predicted,
                             f->anisotropy / predicted - 1.0,
                             f->reach_error,
                             f->off,
                             f->off_error,
                             s->law->sweep ? f->sweep_off_error[0] : NAN,
                             s->law->sweep ? f->sweep_off_error[1] : NAN,
                             s->rig.worst};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        dls_table_real(summary, values[k]);
    dls_table_count(summary, s->rig.solves);
    dls_table_count(summary, s->rig.others);
    dls_table_end_row(summary);
}

static dls_status each_law(dls_friction_lab *lab, dls_table *const *tables, dls_error *error)
{
    const dls_friction_settings *set = lab->settings;
    const dls_friction_pile block = {.boxes = 1, .mu = set->mu, .mass = set->mass};
    for (size_t i = 0; dls_friction_laws[i].name; i++) {
        study s = {.lab = lab,
                   .law = &dls_friction_laws[i],
                   .found = &lab->found[i],
                   .tables = tables,
                   .limit = set->mu * set->mass * dls_friction_gravity};
        DLS_TRY(dls_friction_open(s.law, &block, &s.rig, error));
        dls_status status = pull_around(&s, error);
        if (status == DLS_OK)
            status = look_diagonally(&s, error);
        dls_friction_note(s.found, &s.rig);
        write_predicted(&s);
        summarise(&s);
        dls_friction_close(&s.rig);
        DLS_TRY(status);
    }
    return DLS_OK;
}

dls_status dls_friction_pulls(dls_friction_lab *lab, dls_error *error)
{
    dls_table *tables[TABLES] = {NULL};
    dls_status status = DLS_OK;
    for (int k = 0; k < TABLES && status == DLS_OK; k++)
        status = dls_friction_table(lab, stems[k], columns[k], &tables[k], error);
    if (status == DLS_OK)
        status = each_law(lab, tables, error);
    for (int k = 0; k < TABLES; k++)
        status = dls_friction_finish(tables[k], status, error);
    return status;
}
