/* delassus.h - mechanics, problems and files, in the order in which they are best read. Solvers and what measures them
 * stand on top: delassus/solvers.h (iterative), delassus/reference.h (dense, direct, examiner), delassus/experiments.h
 * (all together: dls_load_problem, dls_choice_create, dls_compare, tables and figures).
 *
 * A = J M^-1 J^T is the Delassus matrix of a mechanism: this toolkit says, with proof, how right a solver of
 * w = A lambda + b, lo <= lambda <= hi is.
 */
#ifndef DELASSUS_DELASSUS_H
#define DELASSUS_DELASSUS_H

/* What everything rests on. */
#include "delassus/field.h"   /* settings: key, unit, default, range, help, listed once */
#include "delassus/math3.h"   /* vectors, rotations */
#include "delassus/spatial.h" /* six-vectors and inertias */
#include "delassus/status.h"  /* status codes and errors with a place */

/* What mechanisms are made of. */
#include "delassus/articulation.h" /* trees of links in reduced coordinates */
#include "delassus/contact.h"      /* contacts detected by a collision library */
#include "delassus/curve.h"        /* curves by arc length, with a frame and a twist: tracks */
#include "delassus/joint.h"        /* joint types: ends to rows */
#include "delassus/law.h"          /* what bounds the impulse of a row: friction laws */
#include "delassus/track.h"        /* how a track joint rides, and its forces */

/* The chain: scene, model, state, configuration, rows, problem. */
#include "delassus/scene.h" /* definitions, as written */

#include "delassus/model.h" /* a checked mechanism, which does not change */

#include "delassus/state.h" /* positions, velocities, applied forces: plain data */

#include "delassus/configuration.h" /* all that follows from a state, evaluated once */

#include "delassus/rows.h" /* the rows of all joints and contacts, as data */

#include "delassus/mass.h"    /* the mass operator */
#include "delassus/problem.h" /* the mixed LCP of one step, or of a file */

#include "delassus/loops.h" /* inverse dynamics with loops */

/* What moves it. */
#include "delassus/batch.h"      /* many copies of a model, stepped in one call */
#include "delassus/change.h"     /* links, joints and bodies that come and go between steps */
#include "delassus/event.h"      /* what happens beside the motion: breaks, sleep, waking */
#include "delassus/ledger.h"     /* where the energy of a step goes */
#include "delassus/scheme.h"     /* time stepping */
#include "delassus/simulation.h" /* a run of time steps */
#include "delassus/solver.h"     /* what a solver is, and the loop around it */

/* Files and checks. */
#include "delassus/check.h" /* rows and masses against their definitions */
#include "delassus/io.h"    /* scenes, robots, problems */
#include "delassus/table.h" /* tables with provenance */

#endif
