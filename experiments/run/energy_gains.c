/* The energy that a run gains and that nothing gives it.
 *
 * Of the columns of the ledger, external work and motors give energy. So do drives, whose rows are compliant ones of
 * joints with a setpoint, kinematic bodies (dls_ledger.prescribed), and wind. Springs give back what they have
 * stored. All else only takes energy in a mechanism: impacts and friction, the constraints of a solver that has
 * converged; the error of the integrator and the feedback of position errors may have both signs. Their total U(t)
 * oscillates with the error of the integrator, and falls where energy is lost. The gain is U(t) - min U(s), s <= t,
 * and the compliant rows' work beyond what springs had stored. */
#include "run.h"

#include <math.h>
#include <string.h>

const double dls_run_gain_told = 0.01;
const double dls_run_impacts_told = 1e-6;

static const char *const others[DLS_GAIN_OTHERS] = {"projection", "sleep", "clamp", "integrator", "medium"};

static double total(const double *column)
{
    double sum = 0.0;
    for (size_t k = 0; k < DLS_GAIN_COLUMNS; k++)
        if (k != DLS_LEDGER_COMPLIANCE)
            sum += column[k];
    return sum;
}

/* The columns of a step, without the work of motors, drives and kinematic bodies. */
static void enter(dls_energy_gains *g, const dls_model *model, const dls_ledger *l)
{
    const bool still = dls_norm(dls_model_world(model)->wind) == 0.0;
    const double other[DLS_GAIN_OTHERS] = {l->projection, l->sleep, l->clamp, dls_ledger_integrator(l),
                                           still ? l->medium : 0.0};
    for (size_t k = 0; k < DLS_LEDGER_PARTS; k++)
        if (k != DLS_LEDGER_MOTOR)
            g->sum[k] += l->part[k] - l->prescribed[k];
    for (size_t k = 0; k < DLS_GAIN_OTHERS; k++)
        g->sum[DLS_LEDGER_PARTS + k] += other[k];
    for (size_t j = 0; j < dls_model_count(model).joints; j++)
        if (dls_model_joints(model)[j].type->driven)
            g->sum[DLS_LEDGER_COMPLIANCE] -= l->by_owner[j * DLS_LEDGER_PARTS + DLS_LEDGER_COMPLIANCE];
}

static double energy_of_rest(const dls_model *model)
{
    double mass = 0.0;
    for (size_t i = 0; i < dls_model_count(model).bodies; i++)
        if (dls_model_bodies(model)[i].offset != DLS_NONE)
            mass += dls_model_bodies(model)[i].mass;
    for (size_t a = 0; a < dls_model_count(model).articulations; a++) {
        const dls_articulation *tree = dls_model_articulations(model)[a].tree;
        for (size_t i = 0; i < tree->n_links; i++)
            mass += tree->links[i].mass;
    }
    return mass * dls_model_world(model)->sleep_energy;
}

/* The column that has risen most. */
static void name_column(dls_energy_gains *g)
{
    g->now.column_gain = 0.0;
    for (size_t k = 0; k < DLS_GAIN_COLUMNS; k++) {
        const double gain = g->sum[k] - (k == DLS_LEDGER_COMPLIANCE ? g->stored : g->least[k]);
        if (!(gain > g->now.column_gain))
            continue;
        g->now.column_gain = gain;
        g->now.column = k < DLS_LEDGER_PARTS ? dls_ledger_part_names[k] : others[k - DLS_LEDGER_PARTS];
    }
}

double dls_energy_largest(double largest, double kinetic, double potential, double stored, double gain)
{
    return fmax(largest, kinetic + fabs(potential) + stored - gain - 1e-9 * gain);
}

static void see_energy(dls_energy_gains *g, double kinetic, double potential)
{
    g->largest = dls_energy_largest(g->largest, kinetic, potential, g->stored, g->now.gain);
}

void dls_energy_gains_start(dls_energy_gains *g, const dls_model *model, double kinetic, double potential,
                            double stored)
{
    *g = (dls_energy_gains){.stored = stored};
    see_energy(g, kinetic, potential);
    g->scale = fmax(g->largest, energy_of_rest(model));
}

void dls_energy_gains_add(dls_energy_gains *g, const dls_model *model, const dls_ledger *l, double time)
{
    enter(g, model, l);
    if (!(total(g->sum) > total(g->least))) {
        memcpy(g->least, g->sum, sizeof g->least);
        g->since = time;
    }
    const double springs = fmax(0.0, g->sum[DLS_LEDGER_COMPLIANCE] - g->stored);
    const double gain = total(g->sum) - total(g->least) + springs;
    see_energy(g, l->kinetic_before, l->potential_before);
    g->now = (dls_run_gain){.gain = gain, .since = g->since, .time = time};
    see_energy(g, l->kinetic_after, l->potential_after);
    g->scale = fmax(g->largest, energy_of_rest(model));
    name_column(g);
}
