/* Siconos' solvers of LCPs, mixed LCPs, relays and friction in three dimensions, on dense matrices.
 *
 * LCP and MLCP know z >= 0 and free rows alone. Any bounds are brought there exactly (standard_form): a row with one
 * finite bound is counted from it, lambda = lo + z or lambda = hi - z, and w changes its sign with z. A row with two
 * has a second one, s = (hi - lo) - z >= 0, whose z' is the part of w at hi:
 *     w = w1 - z',   0 <= z  _|_ w1 = w + z' >= 0,   0 <= z' _|_ s = (hi - lo) - z >= 0.
 * A relay has finite bounds as they are, and w in the place of -w. fc3d has three rows a contact, normal first,
 * Coulomb's cone with De Saxce's term, which is our law, and no other rows.
 *
 * The drivers end with info = 0 where they claim a solution; for LCPs that includes their own measurement of the answer
 * (filterOn). With any other info they claim nothing. The library writes to standard output and may call exit(): it
 * runs in a process of its own. */
#include "peer.h"

#include <math.h>
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/MLCP_Solvers.h>
#include <siconos/numerics/MixedLinearComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/NumericsVerbose.h>
#include <siconos/numerics/RelayProblem.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>
#include <siconos/numerics/mlcp_cst.h>
#include <siconos/numerics/relay_cst.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    double tolerance;
    size_t iterations;
} settings;
static const dls_field fields[] = {
    {"tolerance", "", DLS_FIELD_REAL, offsetof(settings, tolerance), "1e-10", 0, 1, true, NULL,
     "Siconos' tolerance, of its own measure of the error"},
    {"iterations", "", DLS_FIELD_COUNT, offsetof(settings, iterations), "10000", 1, 1e9, false, NULL,
     "greatest number of iterations or pivots"},
};

enum { ENUMERATED_MAX = 20 }; /* rows: 2^20 index sets take seconds */

/* --- LCP and MLCP --- */

typedef struct standard_form {
    size_t n, n_free, size; /* rows of ours; those of the form: free ones first, then the others, then the slacks */
    size_t *row;         /* size: the row of the problem; of a slack the place in the form of the row that it bounds */
    double *sign, *from; /* n: lambda = from + sign z */
    double *M, *q;       /* size x size, column-major; size */
    double *z, *w;       /* size */
} standard_form;

static bool is_free(const dls_dense *d, size_t i) { return d->lo[i] == -HUGE_VAL && d->hi[i] == HUGE_VAL; }
static bool is_boxed(const dls_dense *d, size_t i) { return d->lo[i] != -HUGE_VAL && d->hi[i] != HUGE_VAL; }

static void release_form(standard_form *f)
{
    free(f->row);
    free(f->sign);
}

/* Computes the places of the form, and the origin of each impulse. M remains zero. */
static dls_status make_places(const dls_dense *d, standard_form *f, dls_error *error)
{
    size_t boxed = 0, at = 0;
    *f = (standard_form){.n = d->n};
    for (size_t i = 0; i < d->n; i++)
        boxed += is_boxed(d, i), f->n_free += is_free(d, i);
    f->size = d->n + boxed;
    f->row = calloc(f->size + 1, sizeof *f->row);
    f->sign = calloc(2 * d->n + f->size * (f->size + 3) + 1, sizeof *f->sign);
    if (!f->row || !f->sign)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for an LCP of %zu rows", f->size);
    f->from = f->sign + d->n;
    f->q = f->from + d->n;
    f->z = f->q + f->size;
    f->w = f->z + f->size;
    f->M = f->w + f->size;
    for (int kind = 1; kind >= 0; kind--) /* free rows, then the others */
        for (size_t i = 0; i < d->n; i++)
            if (is_free(d, i) == kind)
                f->row[at++] = i;
    for (size_t k = 0; k < d->n; k++)
        if (is_boxed(d, f->row[k]))
            f->row[at++] = k;
    for (size_t i = 0; i < d->n; i++) {
        const bool upper = d->lo[i] == -HUGE_VAL && !is_free(d, i);
        f->sign[i] = upper ? -1.0 : 1.0;
        f->from[i] = upper ? d->hi[i] : is_free(d, i) ? 0.0 : d->lo[i];
    }
    return DLS_OK;
}

static dls_status make_form(const dls_dense *d, standard_form *f, dls_error *error)
{
    DLS_TRY(make_places(d, f, error));
    for (size_t k = 0; k < f->n; k++) {
        const size_t i = f->row[k];
        f->q[k] = d->b[i];
        for (size_t j = 0; j < f->n; j++)
            f->q[k] += d->A[i + d->n * j] * f->from[j];
        f->q[k] *= f->sign[i];
        for (size_t l = 0; l < f->n; l++)
            f->M[k + f->size * l] = f->sign[i] * d->A[i + d->n * f->row[l]] * f->sign[f->row[l]];
    }
    for (size_t k = f->n; k < f->size; k++) {
        const size_t bounded = f->row[k], i = f->row[bounded];
        f->M[bounded + f->size * k] = 1.0;
        f->M[k + f->size * bounded] = -1.0;
        f->q[k] = d->hi[i] - d->lo[i];
    }
    return DLS_OK;
}

static void read_form(const standard_form *f, double *lambda)
{
    for (size_t k = 0; k < f->n; k++) {
        const size_t i = f->row[k];
        lambda[i] = f->from[i] + f->sign[i] * f->z[k];
    }
}

static SolverOptions *make_options(const peer_work *work, int number)
{
    const settings *set = work->settings;
    SolverOptions *options = solver_options_create(number);
    numerics_set_verbose(0);
    if (options) {
        options->dparam[SICONOS_DPARAM_TOL] = set->tolerance;
        options->iparam[SICONOS_IPARAM_MAX_ITER] = (int)set->iterations;
    }
    return options;
}

/* Deletes the options, and reports the claim of the driver. */
static dls_status end_driver(SolverOptions *options, int info, dls_report *report)
{
    char reason[64];
    report->iterations = (size_t)fmax(1.0, options->iparam[SICONOS_IPARAM_ITER_DONE]);
    solver_options_delete(options);
    free(options);
    snprintf(reason, sizeof reason, "Siconos ends with info = %d", info);
    return peer_end(info == 0, reason, report);
}

/* Opens the work of enumeration. */
static dls_status open_few(const dls_problem *problem, const void *set, const double *lambda0, void **work,
                           dls_error *error)
{
    size_t rows = problem->n;
    for (size_t i = 0; i < problem->n; i++)
        rows += problem->lo[i] != -HUGE_VAL && problem->hi[i] != HUGE_VAL;
    return rows <= ENUMERATED_MAX ? peer_open(problem, set, lambda0, work, error)
                                  : dls_fail(error, DLS_REFUSED,
                                             "it tries all index sets: %zu rows, those for upper bounds included, are "
                                             "more than %d",
                                             rows, ENUMERATED_MAX);
}

/* Runs a driver on the form, and returns its info. */
typedef int driver(standard_form *f, NumericsMatrix *M, SolverOptions *options);

static dls_status solve_form(peer_work *work, int number, driver *drive, dls_report *report, dls_error *error)
{
    standard_form f;
    NumericsMatrix M;
    dls_status status = make_form(work->dense, &f, error);
    SolverOptions *options = status == DLS_OK ? make_options(work, number) : NULL;
    if (status == DLS_OK && !options)
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for the options of Siconos");
    if (status == DLS_OK) {
        NM_null(&M);
        NM_fill(&M, NM_DENSE, (int)f.size, (int)f.size, f.M);
        const int info = drive(&f, &M, options);
        read_form(&f, work->lambda);
        status = end_driver(options, info, report);
    }
    release_form(&f);
    return status;
}

static int drive_lcp(standard_form *f, NumericsMatrix *M, SolverOptions *options)
{
    LinearComplementarityProblem problem = {.size = (int)f->size, .M = M, .q = f->q};
    return linearComplementarity_driver(&problem, f->z, f->w, options);
}

static int drive_mlcp(standard_form *f, NumericsMatrix *M, SolverOptions *options)
{
    const int n_free = (int)f->n_free, size = (int)f->size;
    int rows[3] = {0, n_free, size}, is_complementary[2] = {0, 1};
    const bool both = n_free > 0 && n_free < size;
    if (!both)
        rows[1] = size, is_complementary[0] = n_free == 0;
    MixedLinearComplementarityProblem problem = {.isStorageType1 = 1,
                                                 .n = n_free,
                                                 .m = size - n_free,
                                                 .blocksRows = rows,
                                                 .blocksIsComp = is_complementary,
                                                 .M = M,
                                                 .q = f->q};
    mlcp_driver_init(&problem, options);
    const int info = mlcp_driver(&problem, f->z, f->w, options);
    mlcp_driver_reset(&problem, options);
    return info;
}

static dls_status solve_lcp(peer_work *work, int number, dls_report *report, dls_error *error)
{
    return solve_form(work, number, drive_lcp, report, error);
}

static dls_status solve_mlcp(peer_work *work, int number, dls_report *report, dls_error *error)
{
    return solve_form(work, number, drive_mlcp, report, error);
}

/* --- relays --- */

static dls_status open_relay(const dls_problem *problem, const void *set, const double *lambda0, void **work,
                             dls_error *error)
{
    for (size_t i = 0; i < problem->n; i++)
        if (!isfinite(problem->lo[i]) || !isfinite(problem->hi[i]))
            return dls_fail(error, DLS_REFUSED, "a relay has two finite bounds in each row, and row %zu has not", i);
    return peer_open(problem, set, lambda0, work, error);
}

static dls_status solve_relay(peer_work *work, int number, dls_report *report, dls_error *error)
{
    const dls_dense *d = work->dense;
    NumericsMatrix M;
    double *w = calloc(d->n + 1, sizeof *w);
    SolverOptions *options = w ? make_options(work, number) : NULL;
    if (!options) {
        free(w);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a relay of %zu rows", d->n);
    }
    RelayProblem problem = {.size = (int)d->n, .M = &M, .q = d->b, .lb = d->lo, .ub = d->hi};
    NM_null(&M);
    NM_fill(&M, NM_DENSE, (int)d->n, (int)d->n, d->A);
    int info = relay_driver(&problem, work->lambda, w, options);
    free(w);
    return end_driver(options, info, report);
}

/* --- friction --- */

static dls_status open_fc3d(const dls_problem *problem, const void *set, const double *lambda0, void **work,
                            dls_error *error)
{
    for (size_t i = 0; i < problem->n; i++) {
        const size_t first = i - i % 3;
        if (!dls_problem_is_cone(problem, first))
            return dls_fail(error, DLS_REFUSED, "it has contacts of three rows alone, and row %zu is in none", i);
        if (problem->lo[first] != 0.0 || problem->hi[first] != HUGE_VAL)
            return dls_fail(error, DLS_REFUSED, "normal impulses have bounds [0, inf), and row %zu has not", first);
    }
    return peer_open(problem, set, lambda0, work, error);
}

static dls_status solve_fc3d(peer_work *work, int number, dls_report *report, dls_error *error)
{
    const dls_dense *d = work->dense;
    const size_t contacts = d->n / 3;
    NumericsMatrix M;
    double *w = calloc(d->n + contacts + 1, sizeof *w);
    SolverOptions *options = w ? make_options(work, number) : NULL;
    if (!options) {
        free(w);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu contacts", contacts);
    }
    double *mu = w + d->n;
    for (size_t k = 0; k < contacts; k++)
        mu[k] = work->problem->mu[3 * k + 1];
    FrictionContactProblem problem = {.dimension = 3, .numberOfContacts = (int)contacts, .M = &M, .q = d->b, .mu = mu};
    NM_null(&M);
    NM_fill(&M, NM_DENSE, (int)d->n, (int)d->n, d->A);
    int info = fc3d_driver(&problem, work->lambda, w, options);
    free(w);
    return end_driver(options, info, report);
}

/* --- the descriptors --- */

#define LCP_TAKES (DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC)
#define MLCP_TAKES (LCP_TAKES | DLS_ACCEPTS_FREE)
#define CONE_TAKES (DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_CONE | DLS_NEEDS_CONE)

/* X(identifier, NAME, Siconos' number, family, what opens, flags, what it is) */
#define SOLVERS(X)                                                                                              \
    X(lcp_lemke, "lcp-lemke", SICONOS_LCP_LEMKE, lcp, peer_open, LCP_TAKES, "lexicographic Lemke")              \
    X(lcp_pivot, "lcp-pivot", SICONOS_LCP_PIVOT, lcp, peer_open, LCP_TAKES, "pivoting")                         \
    X(lcp_lumod, "lcp-pivot-lumod", SICONOS_LCP_PIVOT_LUMOD, lcp, peer_open, LCP_TAKES, "pivoting, LU updates") \
    X(lcp_bard, "lcp-bard", SICONOS_LCP_BARD, lcp, peer_open, LCP_TAKES, "Bard's pivoting")                     \
    X(lcp_murty, "lcp-murty", SICONOS_LCP_MURTY, lcp, peer_open, LCP_TAKES, "Murty's least index")              \
    X(lcp_avi, "lcp-avi", SICONOS_LCP_AVI_CAOFERRIS, lcp, peer_open, LCP_TAKES, "Cao and Ferris")               \
    X(lcp_newton_min, "lcp-newton-min", SICONOS_LCP_NEWTONMIN, lcp, peer_open, LCP_TAKES, "Newton on min")      \
    X(lcp_newton_fb, "lcp-newton-fb", SICONOS_LCP_NEWTON_FB_FBLSA, lcp, peer_open, LCP_TAKES,                   \
      "Newton on Fischer-Burmeister, line search")                                                              \
    X(lcp_newton_search, "lcp-newton-min-fb", SICONOS_LCP_NEWTON_MIN_FBLSA, lcp, peer_open, LCP_TAKES,          \
      "Newton on min, Fischer-Burmeister line search")                                                          \
    X(lcp_pgs, "lcp-pgs", SICONOS_LCP_PGS, lcp, peer_open, LCP_TAKES, "projected Gauss-Seidel")                 \
    X(lcp_psor, "lcp-psor", SICONOS_LCP_PSOR, lcp, peer_open, LCP_TAKES, "projected over-relaxation")           \
    X(lcp_cpg, "lcp-cpg", SICONOS_LCP_CPG, lcp, peer_open, LCP_TAKES, "conjugate projected gradient")           \
    X(lcp_latin, "lcp-latin", SICONOS_LCP_LATIN, lcp, peer_open, LCP_TAKES, "large time increments")            \
    X(lcp_enum, "lcp-enum", SICONOS_LCP_ENUM, lcp, open_few, LCP_TAKES, "enumeration")                          \
    X(mlcp_fb, "mlcp-fb", SICONOS_MLCP_FB, mlcp, peer_open, MLCP_TAKES, "Newton on Fischer-Burmeister")         \
    X(mlcp_enum, "mlcp-enum", SICONOS_MLCP_ENUM, mlcp, open_few, MLCP_TAKES, "enumeration")                     \
    X(relay_lemke, "relay-lemke", SICONOS_RELAY_LEMKE, relay, open_relay, LCP_TAKES, "Lemke")                   \
    X(relay_avi, "relay-avi", SICONOS_RELAY_AVI_CAOFERRIS, relay, open_relay, LCP_TAKES, "Cao and Ferris")      \
    X(relay_pgs, "relay-pgs", SICONOS_RELAY_PGS, relay, open_relay, LCP_TAKES, "projected Gauss-Seidel")        \
    X(nsgs, "nsgs", SICONOS_FRICTION_3D_NSGS, fc3d, open_fc3d, CONE_TAKES, "nonsmooth Gauss-Seidel")            \
    X(nsn_ac, "nsn-ac", SICONOS_FRICTION_3D_NSN_AC, fc3d, open_fc3d, CONE_TAKES, "Newton, Alart-Curnier")       \
    X(nsn_fb, "nsn-fb", SICONOS_FRICTION_3D_NSN_FB, fc3d, open_fc3d, CONE_TAKES, "Newton, Fischer-Burmeister")  \
    X(nsn_nm, "nsn-nm", SICONOS_FRICTION_3D_NSN_NM, fc3d, open_fc3d, CONE_TAKES, "Newton, natural map")         \
    X(prox, "prox", SICONOS_FRICTION_3D_PROX, fc3d, open_fc3d, CONE_TAKES, "proximal points")                   \
    X(tfp, "tfp", SICONOS_FRICTION_3D_TFP, fc3d, open_fc3d, CONE_TAKES, "fixed point of Tresca's friction")     \
    X(dsfp, "dsfp", SICONOS_FRICTION_3D_DSFP, fc3d, open_fc3d, CONE_TAKES, "fixed point of De Saxce")           \
    X(eg, "eg", SICONOS_FRICTION_3D_EG, fc3d, open_fc3d, CONE_TAKES, "extra-gradient")                          \
    X(admm, "admm", SICONOS_FRICTION_3D_ADMM, fc3d, open_fc3d, CONE_TAKES, "alternating directions")

#define DESCRIPTOR(id, words, number, family, opens, flags, what)                                                      \
    static dls_status iterate_##id(void *work, dls_report *report, dls_error *error)                                   \
    {                                                                                                                  \
        return solve_##family(work, number, report, error);                                                            \
    }                                                                                                                  \
    static const dls_solver solver_##id =                                                                              \
        PEER_SOLVER("siconos-" words, what ", of Siconos, for its " #family, "V. Acary and others, Siconos, " #number, \
                    DLS_SOLVER_DIRECT, (flags), DLS_FIELD_TABLE(fields, settings), opens, iterate_##id);
SOLVERS(DESCRIPTOR)

#define LISTED(id, words, number, family, opens, flags, what) &solver_##id,
DLS_PLUGINS(SOLVERS(LISTED) NULL);
