/* A stack, and a horizontal pull at the centre of one of its boxes: the least force that moves anything.
 *
 * Every interface below the pulled box transmits the pull, those above do not. Under a law that depends on the
 * pressure, the interface of box i of n, which carries the n - i boxes from i upwards, holds mu (n - i) m g, less than
 * those below: the box slides together with the boxes on it. Under the fixed bound each interface holds mu m g, so the
 * same force moves the lowest box with all others on it and the highest box alone, as temporal-coherence remarks.
 */
#include "friction/parts.h"

#include <math.h>

typedef struct pulled {
    const dls_study *study;
    dls_friction_rig rig;
    double limit; /* mu m g [N] */
    size_t box;
    size_t moving; /* boxes, after the last trial */
} pulled;

/* The force over mu m g. */
static dls_status moves_at(void *context, double force, bool *so, dls_error *error)
{
    pulled *p = context;
    DLS_TRY(dls_friction_push(&p->rig, 0, 1, p->box, force * p->limit, 0.0, error));
    p->moving = 0;
    for (size_t i = 0; i < p->rig.settings->boxes; i++)
        p->moving += dls_friction_moves(&p->rig, 0, i);
    *so = p->moving > 0;
    return DLS_OK;
}

static dls_status find_least(pulled *p, double *least, dls_error *error)
{
    const dls_friction_settings *set = p->rig.settings;
    const dls_friction_law *law = p->rig.law;
    dls_friction_finding *f = p->rig.found;
    const double above = law->friction == DLS_LAW_FIXED ? 1.0 : (double)(set->boxes - p->box);
    double low = 0.5, high = 1.5 * (double)set->boxes, expected = p->limit * dls_friction_reach(law, 0.0) * above;
    bool moves;
    DLS_TRY(dls_bisect(moves_at, p, &low, &high, set->width, error));
    double over = low + 0.5 * (high - low);
    *least = over * p->limit;
    DLS_TRY(moves_at(p, 1.01 * over, &moves, error));
    f->wrong_movers += p->moving != set->boxes - p->box;
    f->stack_error = fmax(f->stack_error, fabs(*least / expected - 1.0));
    dls_table_row(p->study->tables[DLS_FRICTION_STACK], "%s %s %zu %g %g %g %zu %g", law->name, law->direct, p->box + 1,
                  *least, expected, over, p->moving, p->rig.record.worst);
    return DLS_OK;
}

/* The speed of the pulled box after a step with a share of the least force. */
static dls_status measure_stack(pulled *p, double least, dls_error *error)
{
    static const double shares[2] = {0.9, 1.1};
    const dls_friction_settings *set = p->rig.settings;
    for (int share = 0; share < 2; share++)
        for (int k = 0; k < (int)p->rig.n; k++) {
            DLS_TRY(dls_friction_push(&p->rig, k, 1, p->box, shares[share] * least, 0.0, error));
            double speed = dls_friction_velocity(&p->rig, k, p->box).x, *creep = &p->rig.found->stack_creep[k];
            dls_table_row(p->study->tables[DLS_FRICTION_SWEEPS], "%s %s %zu %zu %g %g %g", p->rig.law->name,
                          dls_friction_solver(&p->rig, k), dls_friction_iterations(&p->rig, k), p->box + 1,
                          shares[share], speed, set->step * shares[share] * least / set->mass);
            if (share == 0)
                *creep = fmax(*creep, fabs(speed) * set->mass / (set->step * shares[share] * least));
        }
    return DLS_OK;
}

dls_status dls_friction_stack(dls_study *study, dls_error *error)
{
    const dls_friction_settings *set = study->settings;
    for (dls_grid g = DLS_GRID(DLS_FRICTION_LAWS); dls_study_next(study, &g);) {
        pulled p = {.study = study, .limit = set->mu * set->mass * dls_friction_gravity};
        dls_status status = DLS_OK;
        DLS_TRY(dls_friction_open(study, g.at[0], set->boxes, 0.0, &p.rig, error));
        for (p.box = 0; p.box < set->boxes && status == DLS_OK; p.box++) {
            double *least = p.box ? &p.rig.found->highest : &p.rig.found->lowest;
            status = find_least(&p, least, error);
            if (status == DLS_OK)
                status = measure_stack(&p, *least, error);
        }
        dls_friction_close(&p.rig);
        DLS_TRY(status);
    }
    return DLS_OK;
}
