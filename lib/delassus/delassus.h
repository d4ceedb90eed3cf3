/* delassus.h - includes the headers of mechanics, problems and files, in the order in which they are best read. Four
 * headers build on these: delassus/solvers.h (iterative solvers), delassus/solver_kit.h (parts for solvers of your
 * own), delassus/reference.h (dense matrices, direct methods, the examiner) and delassus/experiments.h (both together:
 * dls_choice_create, dls_compare, tables and figures).
 *
 * A = J M^-1 J^T is the Delassus matrix of a mechanism: this toolkit determines, with proof, how accurate a solver of w
 * = A lambda + b, lo <= lambda <= hi is.
 */
#ifndef DELASSUS_DELASSUS_H
#define DELASSUS_DELASSUS_H

/* Foundations. */
#include "delassus/field.h"   /* settings: key, unit, default, range, help, listed once */
#include "delassus/math3.h"   /* vectors, rotations */
#include "delassus/spatial.h" /* six-vectors and inertias */
#include "delassus/status.h"  /* status codes and errors with a place */

/* Parts of mechanisms. */
#include "delassus/articulation.h" /* trees of links in reduced coordinates */
#include "delassus/contact.h"      /* contacts that are detected */
#include "delassus/curve.h"        /* curves by arc length, with a frame and a twist: tracks */
#include "delassus/joint.h"        /* joint types: ends to rows */
#include "delassus/law.h"          /* bounds of the impulse of a row: friction laws */
#include "delassus/track.h"        /* position of a body on its track, and track forces */
#include "delassus/unfold.h"       /* articulations as bodies and joints between them */

/* The stages: scene, model, state, configuration, rows, problem. */
#include "delassus/scene.h" /* definitions, as in a scene file */
#include "delassus/start.h" /* named states from which a run may begin */

#include "delassus/model.h" /* a checked mechanism, which does not change */

#include "delassus/state.h" /* positions, velocities, applied forces: plain data */

#include "delassus/configuration.h" /* poses, velocities and inertias of a state */

#include "delassus/rows.h" /* the rows of all joints and contacts, as data */

#include "delassus/mass.h"    /* the mass operator */
#include "delassus/problem.h" /* the mixed LCP of one step, or of a file */

#include "delassus/constrained.h" /* rows on one articulation, in the order of its tree */
#include "delassus/loops.h"       /* inverse dynamics with loops */
#include "delassus/minimal.h"     /* loops and mimic joints in minimal coordinates */

/* Motion. */
#include "delassus/batch.h"      /* many copies of a model, stepped in one call */
#include "delassus/change.h"     /* links, joints and bodies added or removed between steps */
#include "delassus/event.h"      /* events: joints break, islands fall asleep and wake */
#include "delassus/ledger.h"     /* energy balance of a step */
#include "delassus/scheme.h"     /* time stepping */
#include "delassus/simulation.h" /* a run of time steps */
#include "delassus/solver.h"     /* interface of solvers, and their iteration loop */

/* Files and checks. */
#include "delassus/check.h" /* rows and masses against their definitions */
#include "delassus/io.h"    /* scenes, robots, problems */
#include "delassus/table.h" /* tables with provenance */

#endif
