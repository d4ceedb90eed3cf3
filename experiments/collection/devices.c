/* Chains of hinges with rows on their coordinates.
 *
 *     drives         a motor with bounded torque on each hinge, against a limit that the hinge stands at
 *     mimic          each hinge is coupled to the one before it
 *     tendon         hinges coupled by a bounded tendon
 *     contradictory  two motors of unbounded torque on each hinge that have different target speeds: no solution */
#include "collection/parts.h"

#include <math.h>
#include <stdio.h>

static void make_hinges(dls_maker *m, size_t links, uint64_t *draws)
{
    for (size_t i = 0; i < links; i++)
        dls_collect_body(m, i, (double)(1 + dls_draw_below(draws, 16)) / 4.0, dls_v3((double)i + 0.5, 0.0, 0.0), draws);
    for (size_t i = 0; i < links; i++) {
        dls_collect_joint(m, "hinge", i, i, i > 0 ? i - 1 : DLS_NONE);
        dls_make_vector(m, "anchor", dls_v3((double)i, 0.0, 0.0));
        dls_make_vector(m, "axis", dls_v3(0.0, 1.0, 0.0));
    }
}

/* Begins the row "KIND<i>" on hinge i. */
static void make_row(dls_maker *m, const char *type, const char *kind, size_t i, double gear)
{
    char name[DLS_NAME_MAX], hinge[DLS_NAME_MAX];
    snprintf(name, sizeof name, "%s%zu", kind, i);
    snprintf(hinge, sizeof hinge, "joint%zu", i);
    dls_make_joint(m, type, name, NULL, NULL);
    dls_make_term(m, hinge, gear);
}

static void make_motor(dls_maker *m, const char *kind, size_t i, double speed, double force)
{
    make_row(m, "motor", kind, i, 1.0);
    dls_make_real(m, "speed", speed);
    dls_make_real(m, "force", force);
}

static void make_drive(dls_maker *m, size_t i, uint64_t *draws)
{
    const double speed = dls_draw_whole(draws, 8) / 4.0;
    make_motor(m, "motor", i, speed, (double)(1 + dls_draw_below(draws, 64)));
    make_row(m, "limit", "limit", i, 1.0);
    dls_make_real(m, speed > 0.0 ? "upper" : "lower", 0.0);
}

/* The coordinate i + 1 follows the coordinate i; gears in quarters, not 0. */
static void make_coupling(dls_maker *m, const char *type, size_t i, uint64_t *draws)
{
    char next[DLS_NAME_MAX];
    snprintf(next, sizeof next, "joint%zu", i + 1);
    const double quarters = (double)(1 + dls_draw_below(draws, 8)), unit = dls_draw_below(draws, 2) ? 0.25 : -0.25;
    make_row(m, type, "coupling", i, 1.0);
    dls_make_term(m, next, quarters * unit);
}

dls_status dls_collect_devices(dls_collection_member of, dls_collected *made, dls_error *error)
{
    const size_t links = 1 + of.k % 10 + (of.variant == DLS_DEVICES_MIMIC || of.variant == DLS_DEVICES_TENDON);
    dls_maker maker = dls_make_scene(dls_v3(0.0, 0.0, -9.75), error);
    make_hinges(&maker, links, &of.draws);
    for (size_t i = 0; i < links; i++) {
        const double speed = dls_draw_whole(&of.draws, 8) / 4.0;
        if (of.variant == DLS_DEVICES_DRIVES)
            make_drive(&maker, i, &of.draws);
        else if (of.variant == DLS_DEVICES_CONTRADICTORY)
            make_motor(&maker, "motor", i, speed, HUGE_VAL), make_motor(&maker, "other", i, speed + 0.5, HUGE_VAL);
        else if (i + 1 < links)
            make_coupling(&maker, of.variant == DLS_DEVICES_MIMIC ? "mimic" : "tendon", i, &of.draws);
        if (of.variant == DLS_DEVICES_TENDON && i + 1 < links)
            dls_make_real(&maker, "upper", 0.0);
    }
    return dls_collect_made(&maker, made, error);
}
