/* state_lines.h - lines of the tables of states. Not installed. */
#ifndef DLS_EXPERIMENTS_STATE_LINES_H
#define DLS_EXPERIMENTS_STATE_LINES_H

#include "delassus/change.h"
#include "delassus/experiments.h"

#define DLS_BODY_COLUMNS \
    "body\tx[m]\ty[m]\tz[m]\tqw\tqx\tqy\tqz\tvx[m/s]\tvy[m/s]\tvz[m/s]\twx[rad/s]\twy[rad/s]\twz[rad/s]"
#define DLS_JOINT_COLUMNS "joint\tq[rad|m]\tqd[rad/s|m/s]"

/* Bodies, then links, of those that can move, kinematic ones too. `copy` is a cell after the time, of a batch;
 * DLS_NONE: there is none. `added`: of the parts alone that a change has added; NULL: of all. */
void dls_write_bodies(const dls_configuration *at, double time, size_t copy, const dls_change *added, dls_table *table);
/* Whole angles and travels: of articulations, then of the hinges and sliders that others are coupled to. */
void dls_write_joints(const dls_configuration *at, const dls_state *state, size_t copy, const dls_change *added,
                      dls_table *table);
/* Whether there are any such. */
bool dls_has_coordinates(const dls_model *model);
/* Provenance: the settings of the solver, the scheme with its settings, and those of warm starts. */
void dls_note_method(const dls_run *run, dls_table *table);

#endif
