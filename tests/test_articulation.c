/* Algorithms on articulations against each other, against LAPACK and against finite differences, on random trees. */
#include "articulated.h"

#include <lapacke.h>

static const dls_vec3 gravity = {0.7, -1.3, -9.81};

static dls_spatial *draw_forces(uint64_t *seed, size_t n)
{
    dls_spatial *f = calloc(n, sizeof *f);
    for (size_t i = 0; i < n; i++)
        f[i] = (dls_spatial){dls_scale(7.0, draw3(seed)), dls_scale(3.0, draw3(seed))};
    return f;
}

static double *mass_matrix(articulated *a)
{
    size_t n = a->art->nv;
    double *M = calloc(n * n + 1, sizeof *M);
    for (size_t i = 0; i < n * n; i++)
        M[i] = NAN; /* every entry must be written */
    dls_articulation_mass_matrix(a->work, M, n);
    return M;
}

/* y = M x */
static void multiply(const double *M, size_t n, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++) {
        y[i] = 0.0;
        for (size_t k = 0; k < n; k++)
            y[i] += M[k * n + i] * x[k];
    }
}

static void crba_is_rnea(articulated *a, uint64_t *seed)
{
    (void)seed;
    size_t n = a->art->nv;
    double *M = mass_matrix(a), *columns = calloc(n * n + 1, sizeof *M), *e = calloc(n + 1, sizeof *e),
           *bias = calloc(n + 1, sizeof *e);
    dls_articulation_coriolis_force(a->work, bias);
    for (size_t k = 0; k < n; k++) {
        e[k] = 1.0;
        dls_articulation_joint_force(a->work, e, columns + k * n);
        e[k] = 0.0;
        for (size_t i = 0; i < n; i++)
            columns[k * n + i] -= bias[i];
    }
    assert_below(relative(columns, M, n * n) * largest(M, n * n), 1e-12 * (largest(M, n * n) + largest(bias, n)));
    free(M), free(columns), free(e), free(bias);
}

TEST(test_mass_matrix_is_inverse_dynamics) { on_all_trees(crba_is_rnea); }

/* Against the columns of CRBA, relative to the size of the terms of the sum. The accelerations of the last dynamics
 * stay. */
static void multiply_is_crba(articulated *a, uint64_t *seed)
{
    size_t n = a->art->nv, last = a->art->n_links - 1;
    double *M = mass_matrix(a), *x = draw_vector(seed, n, 3.0), *y = calloc(n + 1, sizeof *y),
           *z = calloc(n + 1, sizeof *z);
    dls_articulation_inverse(a->work, x, NULL, gravity, y);
    dls_spatial before = dls_articulation_acceleration(a->work, last, gravity);
    multiply(M, n, x, y);
    dls_articulation_multiply(a->work, x, z);
    for (size_t i = 0; i < n; i++)
        assert_close(z[i], y[i], 1e-13 * largest(M, n * n) * largest(x, n));
    dls_articulation_multiply(a->work, x, x);
    assert_memory_equal(x, z, n * sizeof *x);
    dls_spatial after = dls_articulation_acceleration(a->work, last, gravity);
    assert_memory_equal(&after, &before, sizeof after);
    free(M), free(x), free(y), free(z);
}

TEST(test_multiply_is_mass_matrix) { on_all_trees(multiply_is_crba); }

/* A work space outlives the handle of its tree; under ASan a tree freed early or never is seen. */
TEST(test_work_keeps_articulation)
{
    uint64_t seed = 11;
    articulated a = compile_articulated(draw_tree(&seed, 7, 3, false));
    const dls_articulation *share = dls_articulation_share(a.art);
    assert_ptr_equal(share, a.art);
    dls_articulation_destroy(a.art);
    dls_articulation_destroy(share);
    size_t n = a.work->articulation->nv;
    double *x = draw_vector(&seed, n, 1.0), *y = calloc(n, sizeof *y), power = 0.0;
    update(&a);
    dls_articulation_multiply(a.work, x, y);
    for (size_t i = 0; i < n; i++)
        power += x[i] * y[i];
    assert_true(power > 0.0);
    free(x), free(y);
    a.art = NULL;
    destroy_articulated(&a);
}

/* A new load is 0; a copy has all numbers of the other, and a change of it leaves the other as it is. */
TEST(test_loads_are_copied)
{
    uint64_t seed = 12;
    articulated a = compile_articulated(draw_tree(&seed, 7, 3, false));
    dls_articulation_load *one, *two;
    dls_error error;
    assert_status(dls_articulation_load_create(a.art, &one, &error), &error);
    assert_status(dls_articulation_load_create(a.art, &two, &error), &error);
    assert_true(one->nv == a.art->nv && one->n_links == 7);
    for (size_t k = 0; k < one->nv; k++) {
        assert_true(one->tau[k] == 0.0);
        one->tau[k] = 1.0 + (double)k;
    }
    for (size_t i = 0; i < one->n_links; i++) {
        assert_true(dls_norm(one->force[i].lin) == 0.0 && dls_norm(one->force[i].ang) == 0.0);
        one->force[i].lin = draw3(&seed), one->force[i].ang = draw3(&seed);
    }
    dls_articulation_load_copy(two, one);
    assert_memory_equal(two->tau, one->tau, one->nv * sizeof *one->tau);
    assert_memory_equal(two->force, one->force, one->n_links * sizeof *one->force);
    two->tau[0] = two->force[0].lin.x = 100.0;
    assert_true(one->tau[0] == 1.0 && one->force[0].lin.x < 100.0);
    dls_articulation_load_destroy(one);
    dls_articulation_load_destroy(two);
    dls_articulation_load_destroy(NULL);
    destroy_articulated(&a);
}

/* How far two solutions with M may lie apart, relatively: 1e-12, or what rounding the entries of M alone can do where M
 * is worse conditioned than 1e4: 2^-52 cond(M). A chain of 60 links here has 6e6. U: Cholesky factor of M. */
static double solution_tolerance(const double *M, const double *U, size_t n)
{
    double norm = 0.0, reciprocal = 1.0;
    for (size_t k = 0; k < n; k++) {
        double sum = 0.0;
        for (size_t i = 0; i < n; i++)
            sum += fabs(M[k * n + i]);
        norm = fmax(norm, sum);
    }
    if (n)
        assert_int_equal(LAPACKE_dpocon(LAPACK_COL_MAJOR, 'U', (lapack_int)n, U, (lapack_int)n, norm, &reciprocal), 0);
    return fmax(1e-12, 0x1p-52 / reciprocal);
}

static void aba_is_lapack(articulated *a, uint64_t *seed)
{
    size_t n = a->art->nv;
    dls_error error;
    double *tau = draw_vector(seed, n, 20.0), *x = calloc(n + 1, sizeof *x), *y = calloc(n + 1, sizeof *y),
           *M = mass_matrix(a), *U = mass_matrix(a);
    dls_spatial *force = draw_forces(seed, a->art->n_links);
    assert_status(dls_articulation_factor(a->work, &error), &error);
    dls_articulation_forward(a->work, tau, force, gravity, x);
    dls_articulation_inverse(a->work, NULL, force, gravity, y);
    for (size_t i = 0; i < n; i++)
        y[i] = tau[i] - y[i];
    if (n)
        assert_int_equal(LAPACKE_dposv(LAPACK_COL_MAJOR, 'U', (lapack_int)n, 1, U, (lapack_int)n, y, (lapack_int)n), 0);
    assert_below(relative(x, y, n), solution_tolerance(M, U, n));
    free(tau), free(x), free(y), free(M), free(U), free(force);
}

TEST(test_forward_dynamics_is_the_solve) { on_all_trees(aba_is_lapack); }

static void inverse_of_forward(articulated *a, uint64_t *seed)
{
    size_t n = a->art->nv;
    dls_error error;
    double *tau = draw_vector(seed, n, 20.0), *x = calloc(n + 1, sizeof *x), *y = calloc(n + 1, sizeof *y),
           *M = mass_matrix(a);
    dls_spatial *force = draw_forces(seed, a->art->n_links);
    assert_status(dls_articulation_factor(a->work, &error), &error);
    dls_articulation_forward(a->work, tau, force, gravity, x);
    dls_articulation_inverse(a->work, x, force, gravity, y);
    /* Torques are sums of terms as large as M vdot. */
    double scale = largest(M, n * n) * largest(x, n) + largest(tau, n), worst = 0.0;
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(y[i] - tau[i]));
    assert_below(worst, 1e-12 * scale);
    dls_articulation_solve(a->work, tau, x);
    multiply(M, n, x, y);
    assert_below(relative(y, tau, n), 1e-12 * fmax(1.0, largest(M, n * n) * largest(x, n)));
    free(tau), free(x), free(y), free(M), free(force);
}

TEST(test_inverse_undoes_forward) { on_all_trees(inverse_of_forward); }

static void parts_add_up(articulated *a, uint64_t *seed)
{
    size_t n = a->art->nv;
    double *vdot = draw_vector(seed, n, 3.0), *M = mass_matrix(a), *part = calloc(n + 1, sizeof *part),
           *whole = calloc(n + 1, sizeof *whole);
    double *sum = calloc(n + 1, sizeof *sum);
    dls_spatial *force = draw_forces(seed, a->art->n_links);
    multiply(M, n, vdot, sum);
    dls_articulation_gravity_force(a->work, gravity, part);
    for (size_t i = 0; i < n; i++)
        sum[i] += part[i];
    dls_articulation_coriolis_force(a->work, part);
    for (size_t i = 0; i < n; i++)
        sum[i] += part[i];
    dls_articulation_external_force(a->work, force, part);
    for (size_t i = 0; i < n; i++)
        sum[i] += part[i];
    dls_articulation_inverse(a->work, vdot, force, gravity, whole);
    assert_below(relative(sum, whole, n), 1e-12);
    free(vdot), free(M), free(part), free(whole), free(sum), free(force);
}

TEST(test_parts_add_up) { on_all_trees(parts_add_up); }

static void energy_both_ways(articulated *a, uint64_t *seed)
{
    (void)seed;
    size_t n = a->art->nv;
    double *M = mass_matrix(a), *p = calloc(n + 1, sizeof *p), reduced = 0.0;
    multiply(M, n, a->state->v, p);
    for (size_t i = 0; i < n; i++)
        reduced += 0.5 * a->state->v[i] * p[i];
    double links = dls_articulation_kinetic_energy(a->work, a->state->v);
    assert_close(reduced, links, 1e-12 * links);
    free(M), free(p);
}

TEST(test_kinetic_energy_both_ways) { on_all_trees(energy_both_ways); }

static void base_eliminated(articulated *a, uint64_t *seed)
{
    (void)seed;
    size_t n = a->art->nv, nb = a->art->n_base, nj = n - nb;
    double *M = mass_matrix(a), *E = calloc(nj * nj + 1, sizeof *E), *X = calloc(nb * nj + 1, sizeof *X),
           *S = calloc(nj * nj + 1, sizeof *S);
    dls_articulation_mass_matrix_eliminated(a->work, E, nj);
    for (size_t k = 0; k < nj; k++)
        for (size_t i = 0; i < nb; i++)
            X[k * nb + i] = M[(nb + k) * n + i];
    double *B = calloc(nb * nb + 1, sizeof *B);
    for (size_t k = 0; k < nb * nb; k++)
        B[k] = M[k / 6 * n + k % 6];
    if (nb && nj)
        assert_int_equal(LAPACKE_dposv(LAPACK_COL_MAJOR, 'U', 6, (lapack_int)nj, B, 6, X, 6), 0);
    for (size_t k = 0; k < nj; k++)
        for (size_t j = 0; j < nj; j++) {
            double s = M[(nb + k) * n + nb + j];
            for (size_t i = 0; i < nb; i++)
                s -= M[(nb + j) * n + i] * X[k * nb + i];
            S[k * nj + j] = s;
        }
    assert_below(relative(E, S, nj * nj) * largest(S, nj * nj), 1e-12 * largest(M, n * n));
    free(M), free(E), free(X), free(S), free(B);
}

TEST(test_base_eliminated) { on_all_trees(base_eliminated); }

static double *jacobian(articulated *a, size_t *rows)
{
    *rows = dls_articulation_jacobian_rows(a->art);
    double *J = calloc(*rows * a->art->nv + 1, sizeof *J);
    for (size_t i = 0; i < *rows * a->art->nv; i++)
        J[i] = NAN;
    dls_articulation_jacobian(a->work, J, *rows);
    return J;
}

static void jacobian_gives_link_velocities(articulated *a, uint64_t *seed)
{
    (void)seed;
    size_t n = a->art->nv, rows;
    double *J = jacobian(a, &rows), *v = calloc(rows + 1, sizeof *v), *links = calloc(rows + 1, sizeof *links);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < rows; i++)
            v[i] += J[k * rows + i] * a->state->v[k];
    size_t left_out = a->art->n_links - rows / 6;
    for (size_t i = left_out; i < a->art->n_links; i++) {
        dls_end end = dls_articulation_end(a->work, i);
        double *to = links + 6 * (i - left_out);
        to[0] = end.v.x, to[1] = end.v.y, to[2] = end.v.z, to[3] = end.omega.x, to[4] = end.omega.y,
        to[5] = end.omega.z;
    }
    assert_below(relative(v, links, rows), 1e-13);
    free(J), free(v), free(links);
}

/* Every column: the mean of kinematics moved by +h and -h along one degree of freedom, error h^2/6 times third
 * derivatives, and Richardson's extrapolation of two of them, error of order h^4: 1e-10 for h = 2e-3 and arms of some
 * metres. */
static void difference(articulated *a, size_t k, double h, double *column)
{
    dls_articulation_state *start;
    dls_error error;
    assert_status(dls_articulation_state_create(a->art, &start, &error), &error);
    dls_articulation_state_copy(start, a->state);
    size_t rows = dls_articulation_jacobian_rows(a->art), left_out = a->art->n_links - rows / 6;
    double *e = calloc(a->art->nv, sizeof *e);
    dls_end *forward = calloc(a->art->n_links, sizeof *forward);
    e[k] = 1.0;
    for (int side = 0; side < 2; side++) {
        dls_articulation_state_copy(a->state, start);
        dls_articulation_advance(a->art, a->state, e, side ? -h : h);
        update(a);
        for (size_t i = left_out; i < a->art->n_links; i++) {
            dls_end end = dls_articulation_end(a->work, i);
            if (!side) {
                forward[i] = end;
                continue;
            }
            dls_vec3 lin = dls_scale(0.5 / h, dls_sub(forward[i].x, end.x));
            dls_vec3 ang = dls_scale(0.5 / h, dls_quat_log(dls_quat_mul(forward[i].q, dls_quat_conj(end.q))));
            double *to = column + 6 * (i - left_out);
            to[0] = lin.x, to[1] = lin.y, to[2] = lin.z, to[3] = ang.x, to[4] = ang.y, to[5] = ang.z;
        }
    }
    dls_articulation_state_copy(a->state, start);
    update(a);
    dls_articulation_state_destroy(start);
    free(e), free(forward);
}

static void jacobian_is_derivative(articulated *a, uint64_t *seed)
{
    (void)seed;
    if (a->art->n_links > 13)
        return;
    size_t rows;
    double *J = jacobian(a, &rows), *coarse = calloc(rows + 1, sizeof *coarse), *fine = calloc(rows + 1, sizeof *fine);
    for (size_t k = 0; k < a->art->nv; k++) {
        difference(a, k, 2e-3, coarse);
        difference(a, k, 1e-3, fine);
        for (size_t i = 0; i < rows; i++)
            fine[i] = (4.0 * fine[i] - coarse[i]) / 3.0;
        assert_below(relative(fine, J + k * rows, rows), 1e-10);
    }
    free(J), free(coarse), free(fine);
}

TEST(test_jacobian_gives_link_velocities) { on_all_trees(jacobian_gives_link_velocities); }

TEST(test_jacobian_is_derivative) { on_all_trees(jacobian_is_derivative); }

/* Classical accelerations: the velocities of the links a time h later and earlier, moved with v and vdot. */
static void accelerations_are_derivatives(articulated *a, uint64_t *seed)
{
    size_t n = a->art->nv, links = a->art->n_links;
    if (links > 13)
        return;
    double *vdot = draw_vector(seed, n, 3.0), *tau = calloc(n + 1, sizeof *tau), *v = calloc(n + 1, sizeof *v);
    dls_articulation_inverse(a->work, vdot, NULL, gravity, tau);
    dls_spatial *expected = calloc(links, sizeof *expected), *sum = calloc(links, sizeof *sum);
    for (size_t i = 0; i < links; i++)
        expected[i] = dls_articulation_acceleration(a->work, i, gravity);
    dls_articulation_state *start;
    dls_error error;
    assert_status(dls_articulation_state_create(a->art, &start, &error), &error);
    static const double h[4] = {1e-3, -1e-3, 5e-4, -5e-4}, weight[4] = {-1.0 / 3.0, -1.0 / 3.0, 4.0 / 3.0, 4.0 / 3.0};
    for (int s = 0; s < 4; s++) {
        /* q(h) to second order: v at h/2; what is left is even in h and of third order, and goes with the
         * extrapolation. */
        dls_articulation_state_copy(a->state, start);
        for (size_t k = 0; k < n; k++)
            v[k] = start->v[k] + 0.5 * h[s] * vdot[k];
        dls_articulation_advance(a->art, a->state, v, h[s]);
        for (size_t k = 0; k < n; k++)
            a->state->v[k] = start->v[k] + h[s] * vdot[k];
        update(a);
        for (size_t i = 0; i < links; i++)
            sum[i] = dls_spatial_axpy(sum[i], weight[s] / (2.0 * h[s]), a->work->links[i].v);
    }
    for (size_t i = 0; i < links; i++) {
        dls_spatial e = dls_spatial_sub(sum[i], expected[i]);
        double scale = 1.0 + dls_norm(expected[i].lin) + dls_norm(expected[i].ang);
        assert_below(dls_norm(e.lin) + dls_norm(e.ang), 1e-8 * scale);
    }
    dls_articulation_state_destroy(start);
    free(vdot), free(tau), free(v), free(expected), free(sum);
}

TEST(test_accelerations_are_derivatives) { on_all_trees(accelerations_are_derivatives); }

static void momentum(articulated *a, uint64_t *seed)
{
    (void)seed;
    size_t n = a->art->nv;
    double *A = calloc(6 * n + 1, sizeof *A), value[6] = {0}, expected[6];
    dls_articulation_centroidal_momentum(a->work, A);
    for (size_t k = 0; k < 6 * n; k++)
        value[k % 6] += A[k] * a->state->v[k / 6];
    dls_vec3 G = zero3, p = zero3, L = zero3;
    for (size_t i = 0; i < a->art->n_links; i++)
        G = dls_add(G, dls_scale(a->art->links[i].mass / a->art->mass, dls_articulation_end(a->work, i).x));
    for (size_t i = 0; i < a->art->n_links; i++) {
        dls_end end = dls_articulation_end(a->work, i);
        dls_vec3 mv = dls_scale(a->art->links[i].mass, end.v);
        dls_vec3 spin = dls_mul3(end.R, dls_mul3(a->art->defs[i].inertia, dls_tmul3(end.R, end.omega)));
        p = dls_add(p, mv), L = dls_add(L, dls_add(spin, dls_cross(dls_sub(end.x, G), mv)));
    }
    expected[0] = p.x, expected[1] = p.y, expected[2] = p.z, expected[3] = L.x, expected[4] = L.y, expected[5] = L.z;
    assert_below(dls_norm(dls_sub(G, dls_articulation_centre_of_mass(a->work))), 1e-13 * (1.0 + dls_norm(G)));
    assert_below(relative(value, expected, 6), 1e-12);
    free(A);
}

TEST(test_centroidal_momentum) { on_all_trees(momentum); }

static void responses(articulated *a, uint64_t *seed)
{
    size_t n = a->art->nv, rows;
    if (!n)
        return;
    dls_error error;
    double *M = mass_matrix(a), *column = calloc(n, sizeof *column), *J = jacobian(a, &rows),
           *original = mass_matrix(a);
    assert_status(dls_articulation_factor(a->work, &error), &error);
    assert_int_equal(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', (lapack_int)n, M, (lapack_int)n), 0);
    double tolerance = solution_tolerance(original, M, n);
    assert_int_equal(LAPACKE_dpotri(LAPACK_COL_MAJOR, 'U', (lapack_int)n, M, (lapack_int)n), 0);
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < k; j++)
            M[j * n + k] = M[k * n + j];
    double scale = largest(M, n * n);
    for (size_t i = 0; i < n; i++) {
        dls_articulation_response(a->work, i, column);
        assert_below(relative(column, M + i * n, n) * largest(M + i * n, n), tolerance * scale);
        for (size_t j = 0; j < n; j += 1 + n / 16) {
            double r = dls_articulation_response_entry(a->work, i, j);
            assert_close(r, M[i * n + j], tolerance * scale);
            assert_close(r, dls_articulation_response_entry(a->work, j, i), 0.0);
        }
    }
    if (rows) {
        size_t link = a->art->n_links - 1, row = rows - 6;
        double impulse[6], *y = calloc(n, sizeof *y), *x = calloc(n, sizeof *x);
        for (int k = 0; k < 6; k++)
            impulse[k] = draw(seed);
        for (size_t k = 0; k < 6 * n; k++)
            y[k / 6] += J[k / 6 * rows + row + k % 6] * impulse[k % 6];
        dls_articulation_solve(a->work, y, x);
        dls_spatial at = {dls_v3(impulse[0], impulse[1], impulse[2]), dls_v3(impulse[3], impulse[4], impulse[5])};
        dls_articulation_response_link(a->work, link, at, column);
        assert_below(relative(column, x, n), 1e-12);
        free(y), free(x);
    }
    free(M), free(column), free(J), free(original);
}

TEST(test_responses_are_the_inverse) { on_all_trees(responses); }

/* On a fixed root, what happens in one branch does not reach another: not even by rounding. */
TEST(test_branches_do_not_meet)
{
    uint64_t seed = 3;
    dls_articulation_def *def = draw_tree(&seed, 9, 1, true);
    snprintf(def->links[5].parent, DLS_NAME_MAX, "link0"); /* two chains: 1-4 and 5-8 */
    articulated a = compile_articulated(def);
    dls_error error;
    assert_status(dls_articulation_factor(a.work, &error), &error);
    size_t n = a.art->nv, split = a.art->links[dls_articulation_find_link(a.art, "link5")].dof;
    double *column = calloc(n, sizeof *column);
    for (size_t i = 0; i < n; i++) {
        dls_articulation_response(a.work, i, column);
        for (size_t j = 0; j < n; j++) {
            bool same = (i < split) == (j < split);
            assert_true(same || column[j] == 0.0);
            assert_true(same || dls_articulation_response_entry(a.work, i, j) == 0.0);
        }
        assert_true(column[i] > 0.0);
    }
    free(column);
    destroy_articulated(&a);
}

/* Any number of right sides at once: each to the bit what one alone gives, whatever links they act on. */
TEST(test_many_right_sides)
{
    enum { MANY = 19 };
    uint64_t seed = 29;
    for (size_t links = 1; links <= 23; links += 11)
        for (int fixed = 0; fixed < 2; fixed++) {
            articulated t = compile_articulated(draw_tree(&seed, links + 1, 4, fixed));
            size_t nv = t.art->nv;
            dls_error error;
            double *values = test_calloc(3 * MANY * nv + 1, sizeof *values), *y[MANY];
            const double *x[MANY];
            assert_status(dls_articulation_factor(t.work, &error), &error);
            for (size_t i = 0; i < MANY; i++) {
                double *to = values + 3 * i * nv;
                for (size_t k = 0; k < nv; k++)
                    to[k] = i % 3 == 0 || k % (MANY - 2) == i ? draw(&seed) : 0.0;
                x[i] = to, y[i] = to + nv;
                dls_articulation_solve(t.work, x[i], to + 2 * nv);
            }
            dls_articulation_solve_many(t.work, MANY, x, y);
            for (size_t i = 0; i < MANY && nv > 0; i++)
                assert_memory_equal(y[i], y[i] + nv, nv * sizeof(double));
            test_free(values);
            destroy_articulated(&t);
        }
}
