/* A stack, and a horizontal pull at the centre of one of its boxes: the least force that moves anything.
 *
 * Every interface below the pulled box carries the pull, none above does. Under a law that looks at the pressure the
 * interface of box i of n, which has the n - i boxes from i up on it, holds mu (n - i) m g, less than those below: the
 * box goes and takes with it what stands on it. Under the fixed bound each interface holds mu m g, so the same force
 * moves the lowest box with all on it and the highest alone: temporal-coherence's complaint. */
#include "friction.h"

#include <math.h>

typedef struct study {
    dls_friction_lab *lab;
    const dls_friction_law *law;
    dls_friction_finding *found;
    dls_friction_rig rig;
    dls_table *forces, *sweeps;
    double limit; /* mu m g [N] */
    size_t box;
    double least; /* [N] */
} study;

static double expected(const study *s)
{
    size_t above = s->lab->settings->boxes - s->box;
    return s->limit * dls_friction_reach(s->law, 0.0) * (s->law->friction == DLS_FRICTION_FIXED ? 1.0 : (double)above);
}

static size_t moving(const study *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->lab->settings->boxes; i++)
        count += dls_friction_moves(&s->rig, i, s->lab->settings->still, s->lab->settings->step);
    return count;
}

/* The force over mu m g. */
static dls_status moves_at(void *context, double force, bool *moves, dls_error *error)
{
    study *s = context;
    dls_friction_pull(&s->rig, s->box, force * s->limit, 0.0);
    DLS_TRY(dls_friction_solve(&s->rig, s->lab->settings->step, 0, error));
    *moves = moving(s) > 0;
    return DLS_OK;
}

static dls_status find_least(study *s, dls_error *error)
{
    const dls_friction_settings *set = s->lab->settings;
    double over;
    bool moves;
    DLS_TRY(dls_friction_bisect(moves_at, s, 0.5, 1.5 * (double)set->boxes, set->width, &over, error));
    s->least = over * s->limit;
    DLS_TRY(moves_at(s, 1.01 * over, &moves, error));
    s->found->wrong_movers += moving(s) != set->boxes - s->box;
    dls_table_text(s->forces, s->law->name);
    dls_table_text(s->forces, s->law->direct);
    dls_table_count(s->forces, s->box + 1);
    dls_table_real(s->forces, s->least);
    dls_table_real(s->forces, expected(s));
    dls_table_real(s->forces, over);
    dls_table_count(s->forces, moving(s));
    dls_table_real(s->forces, s->rig.worst);
    dls_table_end_row(s->forces);
    return DLS_OK;
}

/* Speed of the pulled box after a step with a share of the least force. */
static dls_status look(study *s, double share, size_t iterations, double *speed, dls_error *error)
{
    dls_friction_pull(&s->rig, s->box, share * s->least, 0.0);
    DLS_TRY(dls_friction_solve(&s->rig, s->lab->settings->step, iterations, error));
    *speed = dls_friction_velocity(&s->rig, s->box).x;
    dls_table_text(s->sweeps, s->law->name);
    dls_table_text(s->sweeps, iterations ? s->law->sweep : "reference");
    dls_table_count(s->sweeps, iterations);
    dls_table_count(s->sweeps, s->box + 1);
    dls_table_real(s->sweeps, share);
    dls_table_real(s->sweeps, *speed);
    dls_table_real(s->sweeps, s->lab->settings->step * share * s->least / s->lab->settings->mass);
    dls_table_end_row(s->sweeps);
    return DLS_OK;
}

static dls_status look_all(study *s, dls_error *error)
{
    const dls_friction_settings *set = s->lab->settings;
    const size_t iterations[3] = {0, set->few, set->many};
    static const double shares[2] = {0.9, 1.1};
    for (int share = 0; share < 2; share++)
        for (int k = 0; k < (s->law->sweep ? 3 : 1); k++) {
            double speed;
            DLS_TRY(look(s, shares[share], iterations[k], &speed, error));
            double *creep = &s->found->stack_creep[k];
            if (share == 0)
                *creep = fmax(*creep, fabs(speed) * set->mass / (set->step * shares[share] * s->least));
        }
    return DLS_OK;
}

static dls_status pull_each(study *s, dls_error *error)
{
    size_t n = s->lab->settings->boxes;
    for (s->box = 0; s->box < n; s->box++) {
        DLS_TRY(find_least(s, error));
        DLS_TRY(look_all(s, error));
        s->found->stack_error = fmax(s->found->stack_error, fabs(s->least / expected(s) - 1.0));
        if (s->box == 0)
            s->found->lowest = s->least;
    }
    s->found->highest = s->least;
    dls_friction_note(s->found, &s->rig);
    return DLS_OK;
}

static dls_status each_law(dls_friction_lab *lab, dls_table *forces, dls_table *sweeps, dls_error *error)
{
    const dls_friction_settings *set = lab->settings;
    const dls_friction_pile pile = {.boxes = set->boxes, .mu = set->mu, .mass = set->mass};
    for (size_t i = 0; dls_friction_laws[i].name; i++) {
        study s = {.lab = lab,
                   .law = &dls_friction_laws[i],
                   .found = &lab->found[i],
                   .forces = forces,
                   .sweeps = sweeps,
                   .limit = set->mu * set->mass * dls_friction_gravity};
        DLS_TRY(dls_friction_open(s.law, &pile, &s.rig, error));
        dls_status status = pull_each(&s, error);
        dls_friction_close(&s.rig);
        DLS_TRY(status);
    }
    return DLS_OK;
}

dls_status dls_friction_stack(dls_friction_lab *lab, dls_error *error)
{
    dls_table *forces, *sweeps;
    DLS_TRY(dls_friction_table(
        lab, "friction.stack.summary",
        "law\treference\tbox\tleast_force[N]\tpredicted[N]\tleast_force_over_mu_m_g\tboxes_that_move\tscaled_residual",
        &forces, error));
    dls_status status = dls_friction_table(
        lab, "friction.stack.sweeps",
        "law\tsolver\titerations\tbox\tforce_over_least\tspeed[m/s]\tspeed_without_friction[m/s]", &sweeps, error);
    if (status != DLS_OK) {
        dls_table_abandon(forces);
        return status;
    }
    status = each_law(lab, forces, sweeps, error);
    status = dls_friction_finish(forces, status, error);
    return dls_friction_finish(sweeps, status, error);
}
