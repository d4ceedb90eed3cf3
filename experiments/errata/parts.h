/* parts.h - shared parts of the experiment on the claims of the source documents: settings, findings, rows. */
#ifndef DLS_EXPERIMENTS_ERRATA_PARTS_H
#define DLS_EXPERIMENTS_ERRATA_PARTS_H

#include "study/rig.h"
#include "study/study.h"

typedef struct dls_claims_settings {
    dls_list mixings, gains, sweeps, corrections;
    double duration, step, fall, seconds, flight, lap;
    size_t iterations, limit, unknowns, shown, seed;
} dls_claims_settings;

enum { DLS_CLAIMS_CASES, DLS_CLAIMS_RACES, DLS_CLAIMS_VERDICTS };

/* --- the findings of each part --- */

/* The loop, whose rows are redundant, and the chain, whose are not (near_singular.c). */
enum { DLS_CLAIMS_LOOP, DLS_CLAIMS_CHAIN, DLS_CLAIMS_MIXED };
enum { DLS_CLAIMS_PLAIN, DLS_CLAIMS_TREATED, DLS_CLAIMS_SWEPT, DLS_CLAIMS_WAYS };
typedef struct dls_claims_mixing {
    double error[DLS_LIST_MAX]; /* largest joint error by CFM [m] */
    size_t unsolved[DLS_LIST_MAX];
} dls_claims_mixing;

/* Seconds of PGS over those of the fastest direct method, by target (singular_sweeps.c); infinite: PGS did not get
 * there. Measured, and different in every run. */
enum { DLS_CLAIMS_PROBLEMS = 6 };
typedef struct dls_claims_race {
    double ratio[DLS_REACH_TARGETS];
} dls_claims_race;

/* Spectral radius of a step by gain (stiff_drives.c): explicit, implicit solved exactly, then by so many sweeps. */
typedef struct dls_claims_drive {
    double radius[DLS_LIST_MAX], largest;
} dls_claims_drive;

/* By ERP (corrections.c). */
enum { DLS_CLAIMS_MECHANISMS = 3, DLS_CLAIMS_EXACT = 0, DLS_CLAIMS_FEW, DLS_CLAIMS_WARM, DLS_CLAIMS_SOLVES };
typedef struct dls_claims_correction {
    double error[DLS_LIST_MAX], energy[DLS_LIST_MAX]; /* largest joint error [m], change of energy [J] */
} dls_claims_correction;

/* Choices of ds (advance.c). */
typedef enum dls_claims_choice {
    DLS_CLAIMS_PRINTED, /* track-joint (3) */
    DLS_CLAIMS_SPEED,   /* h times the speed along the tangent, after the step */
    DLS_CLAIMS_DIVIDED, /* (3) / k */
    DLS_CLAIMS_CHOICES
} dls_claims_choice;

enum { DLS_CLAIMS_FLIGHT, DLS_CLAIMS_LAP, DLS_CLAIMS_PATHS };

typedef struct dls_claims_findings {
    dls_claims_mixing mixing[DLS_CLAIMS_MIXED][DLS_CLAIMS_WAYS];
    dls_claims_race race[DLS_CLAIMS_PROBLEMS];
    dls_claims_drive drive[2 + DLS_LIST_MAX];
    dls_claims_correction correction[DLS_CLAIMS_MECHANISMS][DLS_CLAIMS_SOLVES];
    double kick[DLS_LIST_MAX], kept[DLS_LIST_MAX];    /* of an isolated error, by ERP [J] */
    double lag[DLS_CLAIMS_PATHS][DLS_CLAIMS_CHOICES]; /* s - that of the nearest point, at the end [m] */
} dls_claims_findings;

/* --- parts --- */

/* A measured case: what was varied, its value, the measured quantity with its unit, and its value. */
void dls_claims_row(const dls_study *study, const char *claim, const char *of, const char *way, const char *varied,
                    double value, const char *quantity, double measured);

dls_status dls_claims_near_singular(dls_study *study, dls_error *error);
dls_status dls_claims_singular_sweeps(dls_study *study, dls_error *error);
dls_status dls_claims_stiff_drives(dls_study *study, dls_error *error);
dls_status dls_claims_corrections(dls_study *study, dls_error *error);
dls_status dls_claims_isolated(dls_study *study, dls_error *error);
dls_status dls_claims_advance(dls_study *study, dls_error *error);

#endif
