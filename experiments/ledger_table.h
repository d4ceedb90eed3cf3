/* ledger_table.h - the ledger's tables of a run, for trajectory.c. Not installed. */
#ifndef DELASSUS_LEDGER_TABLE_H
#define DELASSUS_LEDGER_TABLE_H

#include "delassus/experiments.h"

#define DLS_LEDGER_COLUMNS                                                                                             \
    "time[s]\tkinetic[J]\tpotential[J]\tchange[J]\tsum[J]\tmismatch\texternal[J]\tconstraint[J]\tbias[J]\tcompliance[" \
    "J]"                                                                                                               \
    "\tfriction[J]\tmotor[J]\tcollision[J]\tprojection[J]\tintegrator[J]\tof_it_gravity[J]\tof_it_potential[J]\tof_"   \
    "it_turning[J]"                                                                                                    \
    "\tof_it_inertia[J]"
#define DLS_LEDGER_JOINT_COLUMNS \
    "time[s]\tjoint\tconstraint[J]\tbias[J]\tcompliance[J]\tfriction[J]\tmotor[J]\tcollision[J]"

/* A line about a step that ended at `time`, and one about each joint. */
void dls_ledger_write(const dls_model *model, const dls_ledger *ledger, double time, dls_table *steps,
                      dls_table *joints);

#endif
