/* collection.h - the collection of problems: named, versioned sets that are generated from seeds. No problem is stored:
 * a problem has the same numbers, and so the same name (dls_problem_name), on every machine. doc/collection.md
 * describes the sets. */
#ifndef DELASSUS_COLLECTION_H
#define DELASSUS_COLLECTION_H

#include "delassus/experiments.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How hard the problems of a set are, as in NIST's reference datasets of statistics. */
typedef enum dls_tier {
    DLS_TIER_LOWER,   /* strictly complementary or well conditioned; every method for the class solves them */
    DLS_TIER_AVERAGE, /* redundant rows, degenerate solutions, friction, or matrices that are not symmetric */
    DLS_TIER_HIGHER   /* ill conditioned, several solutions, exponential paths, or large */
} dls_tier;
extern const char *const dls_tier_names[]; /* "lower", "average", "higher"; NULL at the end */

/* A problem of the collection. */
typedef struct dls_collected {
    dls_problem *problem;
    double *lambda; /* n: the solution that the problem was built around; NULL: it was built around none */
} dls_collected;
void dls_collected_release(dls_collected *made); /* zeroed is allowed */

/* Input of a generator: the number of the problem, the variant of the family, and the state of its draws. */
typedef struct dls_collection_member {
    size_t k;
    int variant;
    uint64_t draws;
} dls_collection_member;

typedef struct dls_collection_set {
    const char *name;
    unsigned version;
    dls_tier tier;
    size_t count;
    dls_status (*make)(dls_collection_member of, dls_collected *made, dls_error *error);
    int variant;
    const char *summary;                /* one line */
    struct dls_collection_files *files; /* NULL: the problems are generated */
} dls_collection_set;
extern const dls_collection_set dls_collection_sets[]; /* name NULL at the end */

/* The name of problem k: "SET-VERSION/k", or "SET/PATH" of a file. */
void dls_collection_name(const dls_collection_set *set, size_t k, char name[DLS_PATH_MAX]);
/* The first part of these names. */
void dls_collection_stem(const dls_collection_set *set, char stem[DLS_NAME_MAX]);
/* The problem of number k, below set->count, with the name "SET-VERSION/k", or as its file has it. */
dls_status dls_collection_make(const dls_collection_set *set, size_t k, dls_collected *made, dls_error *error);

/* The set of "SET", "SET-VERSION", or either with "/k"; *k is the number, or DLS_NONE. DLS_BAD_INPUT, with the nearest
 * name, if there is none. */
dls_status dls_collection_find(const char *name, const dls_collection_set **set, size_t *k, dls_error *error);

/* A problem by its place. */
typedef struct dls_collection_place {
    const dls_collection_set *set;
    size_t k;
} dls_collection_place;
/* The problems of a name: a set, one of its problems, or "small", 200 problems of all sets that are always the same
 * (doc/collection.md). The caller frees *places, after a failure too. */
extern const char dls_collection_small[];
bool dls_collection_has(const char *name);
dls_status dls_collection_choose(const char *name, dls_collection_place **places, size_t *count, dls_error *error);

/* Published problems as a set (collection/files.c): a file, or all files of a folder and of the folders in it, that
 * hold a problem or a scene in a format that is read. DLS_BAD_INPUT if there is none. */
dls_status dls_collection_read(const char *path, dls_collection_set *set, dls_error *error);
void dls_collection_release(dls_collection_set *set);
/* File i of those that hold no problem, and why; NULL: there are no more. */
const char *dls_collection_skipped(const dls_collection_set *set, size_t i, const char **why);

/* --- properties (collection/measured.c) --- */

enum { DLS_MEASURED_ROWS = 1000 }; /* rank, condition and rate are computed up to so many rows, by dense matrices */

/* Properties of a problem. NaN, or DLS_NONE, where one is not defined or not known. */
typedef struct dls_properties {
    size_t rows, velocities, contacts; /* contacts: under cones and unilateral rows with friction, as normal rows */
    double density;                    /* rows over velocities, Acary's contact density; NaN in the matrix form */
    double fill;                       /* share of the entries of J, or of A in the matrix form, that are stored */
    bool symmetric;
    size_t rank;          /* of D^-1/2 A D^-1/2, D = diag |A|: singular values above n 2^-52 of the largest */
    double condition;     /* largest over least of these singular values */
    double pgs_radius;    /* spectral radius of a sweep of projected Gauss-Seidel on the free rows of the solution */
    size_t degenerate;    /* rows at a bound, or on none, with both slack and w below 1e-9 of their scales */
    double complementary; /* least over the rows of the larger of slack and |w|, relative to their scales */
} dls_properties;
/* `lambda`: a solution, or NULL. */
dls_status dls_properties_measure(const dls_problem *problem, const double *lambda, dls_properties *found,
                                  dls_error *error);
/* The same with the solution that the problem was built around, or one that the direct methods find. */
dls_status dls_collection_describe(const dls_collected *made, dls_properties *found, dls_error *error);

/* --- answers (collection/answer.c, answer_table.c) --- */

typedef enum dls_answer_word {
    DLS_ANSWER_SOLUTION, /* certified: the certificate says that there is a solution within the bound */
    DLS_ANSWER_BACKWARD, /* certified: a solution of the problem with b and mu off by at most the bound */
    DLS_ANSWER_NONE,     /* certified: no solution */
    DLS_ANSWER_SEVERAL,  /* certified: several solutions, or a continuum of them */
    DLS_ANSWER_OPEN      /* nothing is certified; the best scaled residual is known, if any */
} dls_answer_word;
enum { DLS_ANSWER_WORDS = DLS_ANSWER_OPEN + 1 };
extern const char *const dls_answer_names[]; /* NULL at the end */

typedef struct dls_answer {
    dls_answer_word word;
    char method[DLS_NAME_MAX];       /* that found it; "": the search for all solutions, or none */
    double residual, bound;          /* scaled residual of its impulses; proved bound; NaN: none */
    bool stated;                     /* a certificate is in the file */
    char statement[DLS_MESSAGE_MAX]; /* what is certified, or why nothing is */
} dls_answer;
/* Solves and certifies. The certificate is written to the file `path`, unless it is NULL. */
dls_status dls_answer_find(const dls_problem *problem, const char *path, dls_answer *answer, dls_error *error);

typedef struct dls_collection_tally {
    size_t problems, known; /* known: taken from the table of an earlier run */
    size_t answers[DLS_ANSWER_WORDS];
    double seconds;
} dls_collection_tally;

/* Answers every problem of the set (only k, unless it is DLS_NONE) that the table FOLDER/SET-VERSION.tsv lacks, writes
 * the certificates FOLDER/SET-VERSION/k.cert.json, and the table after each problem, so that an interrupted run goes on
 * where it was. An answer is kept if the name (dls_problem_name) of its problem is that of today. */
dls_status dls_collection_check(const dls_job *job, const dls_collection_set *set, size_t k,
                                dls_collection_tally *tally, dls_error *error);

#ifdef __cplusplus
}
#endif

#endif
