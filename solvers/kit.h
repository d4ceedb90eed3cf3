/* kit.h - the memory of a kit (solver_kit.h). Internal to this folder. */
#ifndef DELASSUS_KIT_H
#define DELASSUS_KIT_H

#include "delassus/solver_kit.h"

#include "discs.h"
#include "packed.h"
#include "response.h"

struct dls_kit_inside {
    dls_kit_plan plan;
    dls_packed *packed;    /* NULL: row by row */
    dls_doubles vectors;   /* the method's */
    unsigned laws;         /* dls_problem_contact_laws of the problem */
    dls_doubles norm;      /* packed, if there are such laws: D of each row (dls_kit_steps) */
    dls_response response; /* row by row, as all that follows */
    double *c, *lambda;    /* n */
    double *v;             /* nv, then nv zeros */
    double *kept;          /* nv: the velocity before a load */
    size_t c_capacity, lambda_capacity, v_capacity, kept_capacity;
};

#endif
