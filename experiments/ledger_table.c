/* The energy ledger of a run as two tables: STEM.ledger.tsv, a line a step, and STEM.ledger-joints.tsv, a line a step
 * and joint. lib/simulation/ledger.c has what the columns are, and why they sum. */
#include "ledger_table.h"

static void write_values(dls_table *table, const double *values, size_t count)
{
    for (size_t k = 0; k < count; k++)
        dls_table_real(table, values[k]);
}

static void write_joint(const dls_model *model, const dls_ledger *l, size_t owner, double time, dls_table *joints)
{
    dls_table_real(joints, time);
    dls_table_text(joints, owner < model->n_joints ? model->joints[owner].name : "detected contacts");
    write_values(joints, l->by_owner + owner * DLS_LEDGER_PARTS, DLS_LEDGER_PARTS);
    dls_table_end_row(joints);
}

void dls_ledger_write(const dls_model *model, const dls_ledger *l, double time, dls_table *steps, dls_table *joints)
{
    const double before[] = {time,
                             l->kinetic_after,
                             l->potential_after,
                             dls_ledger_change(l),
                             dls_ledger_sum(l),
                             dls_ledger_mismatch(l),
                             l->external};
    const double after[] = {l->projection, dls_ledger_integrator(l), l->gravity, l->potential, l->turning, l->inertia};
    write_values(steps, before, sizeof before / sizeof before[0]);
    write_values(steps, l->part, DLS_LEDGER_PARTS);
    write_values(steps, after, sizeof after / sizeof after[0]);
    dls_table_end_row(steps);
    for (size_t owner = 0; owner < l->n_owners; owner++)
        write_joint(model, l, owner, time, joints);
}
