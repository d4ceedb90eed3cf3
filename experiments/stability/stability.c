/* Experiment: how large a step may be before a hanging chain explodes, for every method of constraint stabilisation.
 *
 * THE LAW. A straight chain of rigid links hangs at rest, joined by ball joints. A link that leaves the vertical by a
 * small angle theta_j is pulled back by the weight below it: with L_j the length of link j, its centre in its middle,
 * and s_kj = L_j for j < k, L_k / 2 for j = k, 0 below, the height of centre k is -sum_j s_kj cos(theta_j), and
 *     M theta'' = -K theta,   M_ij = sum_k m_k s_ki s_kj + I_i delta_ij,   K_jj = g sum_k m_k s_kj
 * Semi-implicit Euler with rows that are solved exactly turns the joints with the links, but takes the forces of the
 * joints, and so K, along the links as they are at the start of the step: each mode is
 *     theta' <- theta' - h omega^2 theta,   theta <- theta + h theta'
 * whose factors have the product 1 and the sum 2 - (h omega)^2: they lie on the unit circle up to
 *     h omega = 2,
 * and beyond it one is larger than 1. A heavy last link makes the upper ones stiff: omega grows with the root of the
 * mass ratio, and a chain with a heavy end explodes even if every step is solved exactly. N substeps are N such steps
 * of h/N.
 *
 * UNCONVERGED SWEEPS OF TGS (lib/simulation/schemes/tgs.c) move positions with the mean velocity of the iterations.
 * With the impulses of joint j in the mean the share theta_j of the last ones, and so K_theta with the tensions theta_j
 * T_j in place of T_j in K_jj = L_j (T_j + T_j+1) / 2, a step is
 *     theta' <- theta' - h M^-1 K theta,   theta <- theta + h theta'_before - h^2 M^-1 K_theta theta
 * One share for all joints gives each mode the factor sqrt(1 + (1 - theta_j) (h omega)^2) per step, more than 1 for any
 * h: the energy grows by (1 - theta_j) omega^2 h per second. At rest the mean velocity is 0, and the upward speed u_k
 * of each link shows the mean impulses: theta_j T_j = sum over k >= j of m_k (g - u_k / h). The law has J v = 0 across
 * the chain, as it stands in tgs.c; sweeps that leave it unsolved have another growth.
 *
 * MEASURED. The spectral radius of a whole step: the Jacobian of the map from displacements and velocities (q, h v) to
 * those after the step, by central differences about the state at rest, and its largest eigenvalue by LAPACK. The
 * state at rest of sweeps from zero impulse is not the straight chain but one that has sagged; it is found by stepping
 * until nothing changes. Beside it the growth per step of a perturbation of 1e-7.
 */
#include "spectra.h"
#include "study/rig.h"
#include "study/study.h"

#include <gsl/gsl_rng.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    size_t links, settle, watched;
    dls_list ratios, iterations;
    double least, most, factor, margin;
} settings;

#define FIELD(...) DLS_SETTING(settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(links, "", COUNT, "5", 1, 40, "links of the chain"),
    FIELD(ratios, "", REALS, "1, 100", 1e-6, 1e9, "masses of the last link over that of the others"),
    FIELD(iterations, "", COUNTS, "1, 4, 16, 64", 1, 100000, "iterations of PGS per step; substeps of small steps"),
    FIELD(least, "", REAL, "0.25", 1e-3, 100, "least h omega, omega the highest frequency of the chain,"),
    FIELD(most, "", REAL, "16", 1e-3, 1000, "and the largest one"),
    FIELD(factor, "", REAL, "1.4142135623730951", 1.01, 100, "between two"),
    FIELD(margin, "", REAL, "1e-3", 1e-6, 0.5, "growth per step beyond 1 from which a step counts as unstable"),
    FIELD(settle, "", COUNT, "2000", 1, 1e7, "greatest number of steps in which sweeps come to rest"),
    FIELD(watched, "", COUNT, "200", 20, 1e6, "steps in which a perturbation of 1e-7 is watched"),
};

enum { STEPS, LIMITS };
static const dls_experiment_table tables[] = {
    [STEPS] = {.stem = "stability.steps",
               .columns = "mass_ratio\tmethod\tsolver\titerations\tstep[s]\tstep_times_frequency\tsag[m]"
                          "\tspectral_radius\tmeasured_growth\tradius_by_the_law"},
    [LIMITS] = {.stem = "stability.limits",
                .columns = "mass_ratio\tmethod\tsolver\titerations\tfrequency[rad/s]\tlimit_times_frequency"
                           "\tpredicted_limit_times_frequency"},
    {.stem = NULL},
};

typedef struct findings {
    size_t exact;     /* exact solves whose limit was found */
    double deviation; /* largest relative deviation of such a limit from the law */
    double heaviest, heavy_limit,
        light_limit; /* mass ratio; limits of exact Baumgarte steps [s] at it and at ratio 1 */
} findings;

/* --- the chain --- */

static const double length = 0.2, width = 0.05, mass = 0.5, gravity = 9.81;

static dls_status make_chain(const settings *set, double ratio, const dls_method *method, dls_model **model,
                             dls_error *error)
{
    dls_scene *scene;
    char name[32], above[32] = "world";
    dls_maker maker = dls_make_scene((dls_vec3){0.0, 0.0, -gravity}, error);
    for (size_t k = 0; k < set->links; k++) {
        const double z = -length * (double)k;
        snprintf(name, sizeof name, "link%zu", k);
        dls_make_box(&maker, name, (dls_vec3){width, width, length}, k + 1 == set->links ? ratio * mass : mass,
                     (dls_vec3){0.0, 0.0, z - 0.5 * length}, dls_quat_identity());
        char joint[32];
        snprintf(joint, sizeof joint, "joint%zu", k);
        dls_make_joint(&maker, "ball", joint, name, k == 0 ? NULL : above);
        dls_make_vector(&maker, "anchor", (dls_vec3){0.0, 0.0, z});
        memcpy(above, name, sizeof above);
    }
    DLS_TRY(dls_make_end(&maker, &scene));
    dls_stabilise_joints(scene, method, &(dls_stabilisation){.erp = 0.2});
    return dls_scene_model(scene, model, error);
}

static double mass_of(size_t links, double ratio, size_t k) { return k + 1 == links ? ratio * mass : mass; }

/* M and the diagonal of K, by the equations of the head; `speed`: of each link, upwards, over the step. */
static void chain_matrices(size_t links, double ratio, const double *speed, double *M, double *K)
{
    for (size_t k = 0; k < links; k++) {
        const double m = mass_of(links, ratio, k), weight = m * (gravity - (speed ? speed[k] : 0.0));
        M[k * (links + 1)] += m * (width * width + length * length) / 12.0;
        for (size_t i = 0; i <= k; i++) {
            const double s = i < k ? length : 0.5 * length;
            K[i] += weight * s;
            for (size_t j = 0; j <= k; j++)
                M[i * links + j] += m * s * (j < k ? length : 0.5 * length);
        }
    }
}

/* The highest frequency. [rad/s] */
static dls_status find_frequency(size_t links, double ratio, double *omega, dls_error *error)
{
    const size_t room = 34 * links; /* blocks of 32 columns */
    double *M = calloc(2 * links * links + 2 * links + room, sizeof *M), *K = M + links * links,
           *diagonal = K + links * links, *squares = diagonal + links, *work = squares + links;
    if (!M)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the modes of %zu links", links);
    chain_matrices(links, ratio, NULL, M, diagonal);
    for (size_t k = 0; k < links; k++)
        K[k * (links + 1)] = diagonal[k];
    const lapack_int n = (lapack_int)links, info = LAPACKE_dsygv_work(LAPACK_COL_MAJOR, 1, 'N', 'L', n, K, n, M, n,
                                                                      squares, work, (lapack_int)room);
    *omega = info == 0 ? sqrt(squares[links - 1]) : NAN;
    free(M);
    return info == 0 ? DLS_OK : dls_fail(error, DLS_BAD_INPUT, "the modes of the chain could not be computed");
}

/* The spectral radius of a step of h by the law; `speed` over h of the links at rest, or NULL: all shares are 1. With
 * x = theta, y = h theta' the step is x <- x + y - h^2 A_theta x, y <- y - h^2 A x, A = M^-1 K. */
static dls_status find_law(size_t links, double ratio, const double *speed, double h, double *radius, dls_error *error)
{
    const size_t n = links, n2 = 2 * n;
    double *M = calloc(n * n + 2 * n + n * n2 + n2 * n2 + 2 * n2, sizeof *M), *K[2] = {M + n * n, M + n * n + n},
           *A = K[1] + n, *S = A + n * n2, *re = S + n2 * n2, *im = re + n2;
    if (!M)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the law of %zu links", links);
    chain_matrices(links, ratio, speed, M, K[0]);
    memset(M, 0, n * n * sizeof *M);
    chain_matrices(links, ratio, NULL, M, K[1]);
    for (size_t k = 0; k < n; k++)
        A[k + n * k] = h * h * K[0][k], A[k + n * (n + k)] = h * h * K[1][k];
    dls_arena memory = {0};
    const lapack_int info =
        LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, (lapack_int)n2, M, (lapack_int)n, A, (lapack_int)n);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            S[i + n2 * j] = (i == j ? 1.0 : 0.0) - A[i + n * j];
            S[i + n2 * (n + j)] = S[n + i + n2 * (n + j)] = i == j ? 1.0 : 0.0;
            S[n + i + n2 * j] = -A[i + n * (n + j)];
        }
    const dls_status status =
        info == 0 ? dls_general_spectrum(n2, S, re, im, &memory, "the eigenvalues of the law of the chain", error)
                  : dls_fail(error, DLS_BAD_INPUT, "the mass matrix of the chain is not positive definite");
    *radius = 0.0;
    for (size_t k = 0; k < n2; k++)
        *radius = fmax(*radius, hypot(re[k], im[k]));
    dls_arena_release(&memory);
    free(M);
    return status;
}

/* --- the map of a step --- */

typedef struct mapping {
    dls_rig rig;
    dls_state *rest; /* about which it is linearised */
    size_t nv;
    double h;
    double *work; /* 4 nv for points, then 2 nv x 2 nv for the Jacobian, 4 nv for its eigenvalues */
} mapping;

/* to = F(from) for displacements and h times velocities (2 nv entries) from the state at rest; false where the step
 * diverges. */
static dls_status map_step(mapping *m, const double *from, double *to, bool *finite, dls_error *error)
{
    dls_state *state = dls_simulation_edit(m->rig.simulation);
    dls_state_copy(state, m->rest);
    dls_state_advance(m->rig.model, state, from, 1.0);
    for (size_t k = 0; k < m->nv; k++)
        state->v[k] += from[m->nv + k] / m->h;
    m->rig.failed = 0;
    DLS_TRY(dls_rig_step(&m->rig, m->h, error));
    *finite = !m->rig.failed;
    const dls_state *after = dls_rig_state(&m->rig);
    dls_state_displacement(m->rig.model, m->rest, after, to);
    for (size_t k = 0; k < m->nv; k++)
        to[m->nv + k] = m->h * (after->v[k] - m->rest->v[k]);
    return DLS_OK;
}

/* Steps until the state repeats itself; `rest` is then that state, and *settled tells whether there is one. */
static dls_status map_settle(mapping *m, size_t steps, bool *settled, dls_error *error)
{
    const size_t n = 2 * m->nv;
    double *zero = m->work, *to = zero + n;
    memset(zero, 0, n * sizeof *zero);
    *settled = false;
    for (size_t k = 0; k < steps && !*settled; k++) {
        bool finite;
        double largest = 0.0;
        DLS_TRY(map_step(m, zero, to, &finite, error));
        if (!finite)
            return DLS_OK;
        for (size_t i = 0; i < n; i++)
            largest = fmax(largest, fabs(to[i]));
        *settled = largest < 1e-12;
        dls_state_copy(m->rest, dls_rig_state(&m->rig));
    }
    return DLS_OK;
}

static dls_status map_radius(mapping *m, double *radius, dls_error *error)
{
    static const double delta = 1e-5;
    const size_t n = 2 * m->nv;
    double *from = m->work, *to = from + n, *J = to + n, *re = J + n * n, *im = re + n;
    memset(from, 0, n * sizeof *from);
    *radius = NAN;
    for (size_t j = 0; j < n; j++) {
        for (int side = 1; side >= -1; side -= 2) {
            bool finite;
            from[j] = side * delta;
            DLS_TRY(map_step(m, from, to, &finite, error));
            if (!finite)
                return DLS_OK;
            for (size_t i = 0; i < n; i++)
                J[i + n * j] = side > 0 ? to[i] : (J[i + n * j] - to[i]) / (2.0 * delta);
        }
        from[j] = 0.0;
    }
    dls_arena memory = {0};
    const dls_status status = dls_general_spectrum(n, J, re, im, &memory, "the eigenvalues of a step", error);
    dls_arena_release(&memory);
    DLS_TRY(status);
    *radius = 0.0;
    for (size_t k = 0; k < n; k++)
        *radius = fmax(*radius, hypot(re[k], im[k]));
    return DLS_OK;
}

/* The growth per step of a random perturbation of 1e-7, in the second half of the steps in which it is below 1e-4. */
static dls_status map_growth(mapping *m, size_t steps, double *growth, dls_error *error)
{
    const size_t n = 2 * m->nv;
    double *from = m->work, *to = from + n, *size = malloc((steps + 1) * sizeof *size);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    size_t count = 0;
    dls_status status = size && random ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu steps", steps);
    for (size_t k = 0; k < n && status == DLS_OK; k++)
        from[k] = 1e-7 * (2.0 * gsl_rng_uniform(random) - 1.0);
    while (status == DLS_OK && count < steps && (count == 0 || size[count - 1] < 1e-4)) {
        bool finite;
        double square = 0.0;
        status = map_step(m, from, to, &finite, error);
        if (status != DLS_OK || !finite)
            break;
        for (size_t k = 0; k < n; k++)
            square += to[k] * to[k];
        size[count++] = sqrt(square);
        memcpy(from, to, n * sizeof *from);
    }
    *growth = count >= 4 ? pow(size[count - 1] / size[count / 2], 1.0 / (double)(count - 1 - count / 2)) : HUGE_VAL;
    if (random)
        gsl_rng_free(random);
    free(size);
    return status;
}

static dls_status map_open(mapping *m, const dls_model *model, const dls_rig_plan *plan, dls_error *error)
{
    *m = (mapping){.nv = dls_model_count(model).nv};
    DLS_TRY(dls_rig_open_model(&m->rig, model, plan, error));
    m->work = malloc((8 * m->nv + 4 * m->nv * m->nv + 1) * sizeof *m->work);
    if (!m->work)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the Jacobian of a step");
    return dls_state_create(model, &m->rest, error);
}

static void map_close(mapping *m)
{
    free(m->work);
    dls_state_destroy(m->rest);
    dls_rig_close(&m->rig);
}

/* --- a step size --- */

typedef struct chain_case {
    const settings *set;
    mapping *map;
    double omega;
    double ratio;
    double radius, growth, sag; /* of the last probe */
} chain_case;

/* Whether steps of h = x / omega are unstable. */
static dls_status probe(void *context, double x, bool *unstable, dls_error *error)
{
    chain_case *c = context;
    bool settled;
    const dls_state *start = dls_model_initial(c->map->rig.model);
    dls_state_copy(c->map->rest, start);
    c->map->h = x / c->omega;
    c->radius = c->sag = NAN;
    DLS_TRY(map_settle(c->map, c->set->settle, &settled, error));
    if (settled) {
        c->sag = start->x[c->set->links - 1].z - c->map->rest->x[c->set->links - 1].z;
        DLS_TRY(map_radius(c->map, &c->radius, error));
    }
    *unstable = !(c->radius <= 1.0 + c->set->margin);
    return DLS_OK;
}

/* The radius by the law at the last probe: of exact steps and substeps, and of TGS about its rest. NaN: there is none,
 * or no law. */
static dls_status law_of_probe(const chain_case *c, const dls_method *method, bool exact, double substeps,
                               double *radius, dls_error *error)
{
    const size_t links = c->set->links;
    const bool tgs = strcmp(method->scheme, "tgs") == 0;
    *radius = NAN;
    if (isnan(c->radius) || !(exact || tgs) || method->order == 0.0)
        return DLS_OK;
    double *speed = calloc(links, sizeof *speed);
    if (!speed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu links", links);
    for (size_t k = 0; k < links && tgs; k++)
        speed[k] = c->map->rest->v[6 * k + 2] / c->map->h;
    const dls_status status = find_law(links, c->ratio, speed, c->map->h / substeps, radius, error);
    free(speed);
    *radius = pow(*radius, substeps);
    return status;
}

/* All steps of one chain under one method and solver. */
static dls_status measure(dls_study *study, double ratio, const dls_method *method, bool exact, size_t iterations,
                          dls_error *error)
{
    const settings *set = study->settings;
    findings *f = study->found;
    const dls_rig_plan plan = {
        .method = method->name, .solver = exact ? "block-pivoting" : "pgs", .iterations = iterations, .diverges = true};
    const double substeps = method->substeps ? (double)iterations : 1.0;
    dls_model *model;
    mapping map = {.nv = 0};
    chain_case c = {.set = set, .map = &map, .ratio = ratio};
    double stable = NAN, unstable = NAN;
    DLS_TRY(make_chain(set, ratio, method, &model, error));
    dls_status status = find_frequency(set->links, ratio, &c.omega, error);
    if (status == DLS_OK)
        status = map_open(&map, model, &plan, error);
    const size_t count = dls_ladder_count(set->least, set->most, set->factor);
    for (size_t k = 0; k < count && status == DLS_OK; k++) {
        const double x = dls_ladder(set->least, set->factor, k);
        bool is_unstable = false;
        status = probe(&c, x, &is_unstable, error);
        c.growth = NAN;
        if (status == DLS_OK && !isnan(c.radius))
            status = map_growth(&map, set->watched, &c.growth, error);
        double law;
        if (status == DLS_OK)
            status = law_of_probe(&c, method, exact, substeps, &law, error);
        if (status != DLS_OK)
            break;
        dls_table_row(study->tables[STEPS], "%g %s %s %zu %g %g %g %g %g %g", ratio, method->name,
                      exact ? "exact" : "pgs", iterations, map.h, x, c.sag, c.radius, c.growth, law);
        if (!is_unstable && isnan(unstable))
            stable = x;
        if (is_unstable && isnan(unstable))
            unstable = x;
    }
    if (status == DLS_OK && stable < unstable)
        status = dls_bisect(probe, &c, &stable, &unstable, 1e-6 * stable, error);
    if (status == DLS_OK) {
        const double predicted = exact && method->order != 0.0 ? 2.0 * substeps : NAN;
        const double limit = !isnan(unstable) ? 0.5 * (isnan(stable) ? 0.0 : stable + unstable) : HUGE_VAL;
        dls_table_row(study->tables[LIMITS], "%g %s %s %zu %g %g %g", ratio, method->name, exact ? "exact" : "pgs",
                      iterations, c.omega, limit, predicted);
        if (!isnan(predicted) && limit > 0.0 && isfinite(limit)) {
            f->exact++;
            f->deviation = fmax(f->deviation, fabs(limit / predicted - 1.0));
        }
        if (exact && strcmp(method->name, "baumgarte") == 0 && isfinite(limit)) {
            if (ratio == 1.0)
                f->light_limit = limit / c.omega;
            if (ratio > f->heaviest)
                f->heaviest = ratio, f->heavy_limit = limit / c.omega;
        }
    }
    map_close(&map);
    dls_model_destroy(model);
    return status;
}

static dls_status run_chains(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    for (dls_grid g = DLS_GRID(set->ratios.count, DLS_METHODS, 2, set->iterations.count); dls_study_next(study, &g);) {
        const dls_method *method = &dls_methods[g.at[1]];
        const bool exact = g.at[2] == 0, substeps = method->substeps;
        if (method->soft || (exact && method->sweeps_only) || (exact && !substeps && g.at[3] > 0))
            continue;
        DLS_TRY(measure(study, set->ratios.reals[g.at[0]], method, exact,
                        exact && !substeps ? 1 : set->iterations.counts[g.at[3]], error));
    }
    return DLS_OK;
}

static const dls_experiment_part parts[] = {{"chains", run_chains}, {NULL, NULL}};

/* --- figures --- */

/* The growth of all methods that have exact solves, or of all under sweeps, over the step. */
static dls_status draw(const dls_study *study, bool exact, size_t iterations, const char *name, const char *caption,
                       dls_error *error)
{
    char text[DLS_METHODS * DLS_NAME_MAX] = "";
    dls_figure figure;
    for (size_t k = 0; k < DLS_METHODS; k++)
        if (!dls_methods[k].soft && !(exact && dls_methods[k].sweeps_only))
            dls_words_add(text, sizeof text, dls_methods[k].name);
    dls_figure_begin(&figure, study, "stability", STEPS, name);
    dls_figure_set(&figure, "methods", "%s", text);
    dls_figure_set(&figure, "solver", exact ? "exact" : "pgs");
    dls_figure_set(&figure, "iterations", "%zu", iterations);
    return dls_figure_draw(
        &figure, error,
        "Growth per step of a hanging chain of %zu links, over the step times the highest frequency "
        "of the chain. Lines: spectral radius of the step; points: growth of a perturbation of 1e-7; "
        "dashed: h omega = 2; dotted: the growth by the law, of exact steps, and of TGS with the mean "
        "impulses of its iterations at rest. %s",
        ((const settings *)study->settings)->links, caption);
}

static dls_status figures(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    const size_t middle = set->iterations.counts[set->iterations.count / 2];
    char caption[DLS_MESSAGE_MAX];
    snprintf(caption, sizeof caption, "Exact solves; small steps with %zu substeps, the others lie on each other.",
             middle);
    DLS_TRY(draw(study, true, middle, "exact", caption, error));
    snprintf(caption, sizeof caption,
             "%zu iterations of PGS from zero impulse; a line that is missing has no state at rest.", middle);
    return draw(study, false, middle, "sweeps", caption, error);
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    const findings *f = study->found;
    if (f->exact == 0)
        return;
    snprintf(finding->figure, sizeof finding->figure, "stability-exact");
    int used = snprintf(finding->sentence, sizeof finding->sentence,
                        "With exact solves a hanging chain explodes beyond h omega = 2 per substep, within %.1e in %zu "
                        "cases",
                        f->deviation, f->exact);
    if (f->heavy_limit > 0.0 && f->light_limit > 0.0 && f->heaviest > 1.0)
        snprintf(finding->sentence + used, sizeof finding->sentence - (size_t)used,
                 ": at %.3g s where all links have one mass, at %.3g s where the last is %g times as heavy.",
                 f->light_limit, f->heavy_limit, f->heaviest);
    else
        snprintf(finding->sentence + used, sizeof finding->sentence - (size_t)used, ".");
}

const dls_experiment dls_experiment_stability = {
    .name = "stability",
    .summary =
        "the largest stable step of a hanging chain: spectral radius of a step for every scheme, solver and step",
    .title = "Stability of a step",
    .question = "How large may a step be before a hanging chain explodes, and do more iterations help?",
    .varies = "the scheme, the solver and its iterations, the step, and the mass of the last link",
    .measures = "the spectral radius of the map of a step about the state at rest, and the growth of a perturbation",
    .shows = "that a chain with a heavy end needs short steps even if every step is solved exactly",
    .mechanisms = "chain-10",
    .fields = DLS_FIELD_TABLE(fields, settings),
    .small = "links=2 iterations=2 ratios=1 factor=2 settle=500 watched=40",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(findings),
    .figures = figures,
    .conclude = conclude,
};
