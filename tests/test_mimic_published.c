/* PhysX's table of mimic joints in competition: two rods whose equations and sweeps stand here once more, in the two
 * joint angles, and the numbers that they share with PhysX. */
#include "check.h"

#include "mimic/parts.h"

static const double h = 1.0 / 60.0, g = 9.81, gear = -2.0, duration = 5.0, range = 0.3;

/* --- the equations of two rods --- */

/* M of rods of 1 m and 1 kg, m L^2 / 3 about their ends; in series angle B is relative to A. Takes the step's forces,
 * gravity and the terms in squares of speeds, and solves M dv = h f by the inverse R, which is left for the rows. */
static void advance(bool in_series, const double q[2], double v[2], double R[2][2])
{
    const double both = q[0] + q[1], c = 0.5 * cos(q[1]), s = 0.5 * sin(q[1]);
    double M[3] = {1.0 / 3.0, 0.0, 1.0 / 3.0}, f[2] = {-0.5 * g * sin(q[0]), -0.5 * g * sin(q[1])};
    if (in_series) {
        M[0] = 5.0 / 3.0 + 2.0 * c, M[1] = 1.0 / 3.0 + c;
        f[0] = -1.5 * g * sin(q[0]) - 0.5 * g * sin(both) + s * v[1] * (2.0 * v[0] + v[1]);
        f[1] = -0.5 * g * sin(both) - s * v[0] * v[0];
    }
    const double det = M[0] * M[2] - M[1] * M[1];
    R[0][0] = M[2] / det, R[1][1] = M[0] / det, R[0][1] = R[1][0] = -M[1] / det;
    const double dv[2] = {h * (R[0][0] * f[0] + R[0][1] * f[1]), h * (R[1][0] * f[0] + R[1][1] * f[1])};
    v[0] += dv[0], v[1] += dv[1];
}

/* --- sweeps --- */

/* J v + bias + softness lambda = 0, or >= 0 with lambda >= 0. */
typedef struct hand_row {
    double J[2], bias, softness, lambda;
    bool one_sided, is_mimic;
} hand_row;

/* Rows of the mimic joint, the drives and the limit, in this order. The implicit drive has the softness
 * 1 / (h (h k + d)) and the bias k (q - target) / (h k + d). */
static size_t hand_rows(const dls_mimic_load *load, const double q[2], hand_row *rows)
{
    const double k = load->stiffness, d = load->damping;
    size_t n = 0;
    rows[n++] = (hand_row){.J = {1.0, gear}, .bias = 0.8 * (q[0] + gear * q[1]) / h, .is_mimic = true};
    for (int i = 0; i < 2; i++)
        if (!isnan(load->target[i]))
            rows[n++] = (hand_row){.J = {i == 0, i == 1},
                                   .bias = k * (q[i] - load->target[i]) / (h * k + d),
                                   .softness = 1.0 / (h * (h * k + d))};
    for (int side = -1; side <= 1 && load->limit; side += 2)
        rows[n++] = (hand_row){.J = {0.0, -side}, .bias = (range - side * q[1]) / h, .one_sided = true};
    return n;
}

static void sweep(hand_row *rows, size_t n, double v[2], double R[2][2])
{
    for (hand_row *r = rows; r < rows + n; r++) {
        const double y[2] = {R[0][0] * r->J[0] + R[0][1] * r->J[1], R[1][0] * r->J[0] + R[1][1] * r->J[1]};
        const double a = r->J[0] * y[0] + r->J[1] * y[1] + r->softness;
        double next = r->lambda - (r->J[0] * v[0] + r->J[1] * v[1] + r->bias + r->softness * r->lambda) / a;
        if (r->one_sided)
            next = fmax(next, 0.0);
        v[0] += y[0] * (next - r->lambda), v[1] += y[1] * (next - r->lambda);
        r->lambda = next;
    }
}

/* Largest |C|. After the positions `over_velocities` more sweeps, in which the mimic joint has no bias. */
static double hand_error(const dls_mimic_load *load, bool in_series, size_t N, size_t over_velocities)
{
    double q[2] = {0.0, 0.0}, v[2] = {0.0, 0.0}, R[2][2], worst = 0.0;
    hand_row rows[5];
    for (size_t step = 0; step < dls_step_count(duration, h); step++) {
        const size_t n = hand_rows(load, q, rows);
        advance(in_series, q, v, R);
        for (size_t k = 0; k < N; k++)
            sweep(rows, n, v, R);
        q[0] += h * v[0], q[1] += h * v[1];
        rows[0].bias = 0.0;
        for (size_t k = 0; k < over_velocities; k++)
            sweep(rows, n, v, R);
        worst = fmax(worst, fabs(q[0] + gear * q[1]));
    }
    return worst;
}

static double our_error(const dls_mimic_load *load, bool in_series, dls_mimic_way way, size_t N)
{
    const double erp = way == DLS_MIMIC_PGS ? 0.8 : dls_mimic_tgs_erp(N);
    const dls_mimic_run run = {way, N, h, duration};
    dls_mimic_result r;
    dls_model *model;
    dls_error error;
    assert_status(dls_mimic_loaded_model(load, in_series, "mimic-drive-limit", erp, &model, &error), &error);
    assert_status(dls_mimic_measure(model, &run, NULL, NULL, &r, &error), &error);
    dls_model_destroy(model);
    return r.worst_error;
}

/* --- the laws --- */

/* The experiment's runs are those of the equations above, to rounding. */
TEST(test_rods_move_as_their_equations_say)
{
    for (size_t k = 0; k < DLS_MIMIC_LOADS; k++)
        for (int in_series = 0; in_series < 2; in_series++)
            for (size_t c = 0; c < DLS_MIMIC_COLUMNS; c++) {
                const dls_mimic_load *load = &dls_mimic_loads[k];
                const double ours = our_error(load, in_series, DLS_MIMIC_PGS, dls_mimic_columns[c]),
                             by_hand = hand_error(load, in_series, dls_mimic_columns[c], 0);
                print_message("# %s %d %zu: %.9g, by hand %.9g\n", load->name, in_series, dls_mimic_columns[c], ours,
                              by_hand);
                assert_close(ours, by_hand, 1e-9);
            }
}

/* Two of the 24 numbers of PGS differ, both of one iteration in series; in the one of two drives it is the iteration
 * over velocities that PhysX adds. */
TEST(test_numbers_of_physx_under_pgs)
{
    for (size_t k = 0; k < DLS_MIMIC_LOADS; k++)
        for (int in_series = 0; in_series < 2; in_series++)
            for (size_t c = 0; c < DLS_MIMIC_COLUMNS; c++) {
                const dls_mimic_load *load = &dls_mimic_loads[k];
                const double published = load->physx[0][in_series][c],
                             ours = our_error(load, in_series, DLS_MIMIC_PGS, dls_mimic_columns[c]);
                const bool differs = c == 0 && in_series && (load->limit || !isnan(load->target[1]));
                if (!isnan(published))
                    assert_int_equal(dls_mimic_agrees(ours, published), !differs);
                if (!differs)
                    continue;
                const double more = hand_error(load, in_series, 1, 1);
                print_message("# %s: %.3g, and %.3g with an iteration over velocities\n", load->name, ours, more);
                assert_int_equal(dls_mimic_agrees(more, published), !load->limit);
            }
}

/* With one iteration TGS is PGS but for the ERP, and PhysX's six numbers are ours. */
TEST(test_numbers_of_physx_under_one_iteration_of_tgs)
{
    for (size_t k = 0; k < DLS_MIMIC_LOADS; k++)
        for (int in_series = 0; in_series < 2; in_series++)
            if (!isnan(dls_mimic_loads[k].physx[1][in_series][0]))
                assert_true(dls_mimic_agrees(our_error(&dls_mimic_loads[k], in_series, DLS_MIMIC_TGS_SUBSTEP, 1),
                                             dls_mimic_loads[k].physx[1][in_series][0]));
}

/* After one iteration from rest the drive's row alone has acted, so that C is what the drive turned, under any gear. */
TEST(test_one_iteration_tells_no_gear)
{
    const dls_mimic_load *load = &dls_mimic_loads[0];
    const double a = 3.0, soft = 1.0 / (h * (h * load->stiffness + load->damping)),
                 bias = load->stiffness * load->target[0] / (h * load->stiffness + load->damping);
    assert_close(our_error(load, false, DLS_MIMIC_PGS, 1), h * bias * a / (a + soft), 1e-12);
}

TEST(test_digits)
{
    assert_true(dls_mimic_agrees(0.5814, 0.58) && dls_mimic_agrees(3.7440e-3, 3.7e-3));
    assert_false(dls_mimic_agrees(0.586, 0.58) || dls_mimic_agrees(1e-6, 0.0) || dls_mimic_agrees(0.58, NAN));
    assert_true(dls_mimic_agrees(6.4e-12, 0.0) && dls_mimic_agrees(1.9e-8, 2.4e-7));
    assert_false(dls_mimic_agrees(0.0, NAN));
}
