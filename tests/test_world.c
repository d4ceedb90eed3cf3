/* Bodies, joints and articulations in one world: rows in the columns of the whole, the Delassus matrix, closed loops, momentum,
 * and the same mechanism in maximal and in reduced coordinates. */
#include "world.h"

#include "delassus/check.h"
#include "delassus/reference.h"

/* --- rows against the motion of the whole ----------------------------------------------------------------------------------- */

static const char *const ties[] = {
    "type: ball, anchor: [0.31, 0.22, 0.87]",
    "type: hinge, anchor: [0.31, 0.22, 0.87], axis: [1, 0.4, -0.3]",
    "type: slider, axis: [0.2, 1, 0.3]",
    "type: fixed",
    "type: universal, anchor: [0.31, 0.22, 0.87], axis1: [0, 1, 0], axis2: [0, 0, 1]",
    "type: distance, anchor1: [0.3, 0.1, 0.8], anchor2: [0.1, 0.7, 0.4]",
    "type: distance, anchor1: [0.3, 0.1, 0.8], anchor2: [0.1, 0.7, 0.4], min: 0.2, max: 0.9",
    "type: contact, point: [0.2, 0.3, 0.5], normal: [0.3, 1, 0.2], gap: 0.1, mu: 0.4",
};
static const char *const pairs[][2] = {
    {"arm.tool", "world"},     {"arm.hand", "stone"},     {"stone", "arm.fore"},   {"arm.tool", "ground"}, {"arm.fin", "arm.tool"},
    {"arm.hand", "bird.left"}, {"bird.body", "arm.base"}, {"bird.tail", "bird.right"}, {"world", "bird.left"}, {"arm.hand", "arm.tool"},
};
enum { TIES = sizeof ties / sizeof ties[0], PAIRS = sizeof pairs / sizeof pairs[0] };

static dls_model *tied(size_t tie, size_t pair)
{
    char joint[400];
    snprintf(joint, sizeof joint, "joints:\n  - {name: tie, body1: %s, body2: %s, %s}\n", pairs[pair][0], pairs[pair][1], ties[tie]);
    return parse_parts(PARTS(TWO_TREES, joint));
}

static void test_rows_are_derivatives_along_every_column(void **unused)
{
    (void)unused;
    static const double sizes[] = {0.0, 1e-6, 0.5};
    uint64_t seed = 2385;
    for (size_t tie = 0; tie < TIES; tie++) {
        double worst = 0.0;
        for (size_t pair = 0; pair < PAIRS; pair++) {
            dls_model *model = tied(tie, pair);
            dls_state *state = new_state(model);
            for (int size = 0; size < 3; size++) {
                dls_jacobian_check check;
                dls_error error;
                stir(model, state, sizes[size], &seed);
                assert_status(dls_check_columns(model, state, DLS_CHECK_STEP, &check, &error), &error);
                worst = fmax(worst, check.worst);
            }
            dls_state_destroy(state);
            dls_model_destroy(model);
        }
        print_message("# %s: columns against finite differences %.1e\n", ties[tie], worst);
        assert_below(worst, 1e-9); /* check.c: some 1e-12, times arms and the curvature of short distances */
    }
}

/* A joint holds at the start, whatever it ties. */
static void test_ties_hold_at_the_start(void **unused)
{
    (void)unused;
    for (size_t tie = 0; tie < TIES; tie++)
        for (size_t pair = 0; pair < PAIRS; pair++) {
            if (strstr(ties[tie], "min:") || strstr(ties[tie], "gap:"))
                continue;
            dls_model *model = tied(tie, pair);
            assert_below(joint_error(model, model->initial, "tie"), 1e-14);
            dls_model_destroy(model);
        }
}

/* --- the order of the generalised velocity ------------------------------------------------------------------------------------ */

static void test_order_of_the_generalised_velocity(void **unused)
{
    (void)unused;
    dls_model *model = parse_model(TWO_TREES);
    dls_state *state = new_state(model);
    assert_int_equal(model->nv, 2 * 6 + 8 + 6 + 5);
    assert_int_equal(model->bodies[0].offset, DLS_NONE);
    assert_int_equal(model->bodies[1].offset, 0);
    assert_int_equal(model->bodies[2].offset, 6);
    assert_int_equal(model->members[0].offset, 12);
    assert_int_equal(model->members[1].offset, 20);
    assert_close(state->v[20], 0.1, 0.0);
    assert_close(state->v[24], -0.5, 0.0);
    assert_close(state->v[26], 0.7, 0.0);
    assert_close(state->v[30], -0.6, 0.0);
    /* Ends: bodies, then links. A velocity column moves what it belongs to. */
    for (size_t k = 0; k < model->nv; k++) {
        for (size_t i = 0; i < model->nv; i++)
            state->v[i] = i == k;
        dls_end stone = dls_model_end(model, state, 1), ball = dls_model_end(model, state, 2), fin = dls_model_end(model, state, 3 + 6),
                bird = dls_model_end(model, state, 3 + 7);
        assert_int_equal(dls_norm(stone.v) + dls_norm(stone.omega) > 0.0, k < 6);
        assert_int_equal(dls_norm(ball.v) + dls_norm(ball.omega) > 0.0, k >= 6 && k < 12);
        assert_int_equal(dls_norm(fin.v) + dls_norm(fin.omega) > 0.0, k == 12 || k == 19);
        assert_int_equal(dls_norm(bird.v) + dls_norm(bird.omega) > 0.0, k >= 20 && k < 26);
    }
    char name[2 * DLS_NAME_MAX];
    dls_model_end_name(model, 3 + 6, name, sizeof name);
    assert_string_equal(name, "arm.fin");
    dls_model_end_name(model, 3 + 7, name, sizeof name);
    assert_string_equal(name, "bird.body");
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* --- the Delassus matrix ---------------------------------------------------------------------------------------------------------- */

#define ALL_TIES                                                                                                          \
    "joints:\n"                                                                                                           \
    "  - {name: a, type: ball, body1: arm.hand, body2: stone, anchor: [0.8, 0.3, 0.9]}\n"                                  \
    "  - {name: b, type: hinge, body1: arm.fin, body2: bird.left, anchor: [-0.2, 0.2, 0.6], axis: [1, 0, 1]}\n"            \
    "  - {name: c, type: slider, body1: ball, body2: bird.tail, axis: [0, 1, 0.3]}\n"                                      \
    "  - {name: d, type: contact, body1: bird.right, body2: ground, point: [-0.7, -1, 0.5], normal: [0, 0.1, 1], mu: 0.3}\n" \
    "  - {name: e, type: mimic, coordinates: {arm.upper: 1, arm.flap: -2, bird.left: 0.5, arm.hand.swing1: 1.5, b: -0.7, c: 3}, offset: 0.1}\n" \
    "  - {name: f, type: limit, coordinates: {arm.slide: 2}, lower: -0.1, upper: 0.3}\n"

/* M block by block: diag(m 1, I) of bodies, and the joint-space inertia of the composite-rigid-body algorithm. */
static void independent_mass(const dls_model *model, const dls_state *state, double *M)
{
    const size_t nv = model->nv;
    for (size_t i = 0; i < model->n_bodies; i++) {
        const dls_body *body = &model->bodies[i];
        if (body->offset == DLS_NONE)
            continue;
        dls_mat3 I = dls_rotate_tensor(dls_quat_matrix(state->q[i]), body->inertia);
        for (size_t r = 0; r < 3; r++) {
            M[(body->offset + r) * (nv + 1)] = body->mass;
            for (size_t c = 0; c < 3; c++)
                M[body->offset + 3 + r + nv * (body->offset + 3 + c)] = I.m[3 * r + c];
        }
    }
    for (size_t a = 0; a < model->n_members; a++) {
        dls_articulation_work *work;
        dls_error error;
        assert_status(dls_articulation_work_create(model->members[a].tree, &work, &error), &error);
        dls_articulation_kinematics(&state->members[a], work);
        dls_articulation_mass_matrix(work, M + model->members[a].offset * (nv + 1), nv);
        dls_articulation_work_destroy(work);
    }
}

/* Row Jacobians from the velocities of the ends: column k of C' = J v is what the ends do at v = e_k. */
static void independent_jacobian(const dls_model *model, dls_state *state, double *J)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    size_t n = 0;
    for (size_t j = 0; j < model->n_joints; j++)
        n += model->joints[j].type->count(&model->joints[j]);
    for (size_t k = 0; k < model->nv; k++) {
        for (size_t i = 0; i < model->nv; i++)
            state->v[i] = i == k;
        double *column = J + n * k;
        for (size_t j = 0; j < model->n_joints; j++) {
            const dls_joint *joint = &model->joints[j];
            dls_end end[2];
            double y = 0.0;
            dls_model_look(model, state);
            dls_model_ends(model, state, state->look, joint, end);
            joint->type->rows(joint, end, 1e-3, rows);
            for (size_t t = 0; t < joint->n_terms; t++) {
                const dls_term *term = &joint->terms[t];
                dls_row rate = {0};
                if (term->dof != DLS_NONE) {
                    y += term->gear * state->v[term->dof];
                    continue;
                }
                dls_end two[2];
                const dls_joint *other = &model->joints[term->joint];
                dls_model_ends(model, state, state->look, other, two);
                other->type->coordinate(other, two, &rate);
                for (int c = 0; c < 12; c++)
                    y += term->gear * (c < 6 ? rate.J1 : rate.J2)[c % 6] *
                         dls_get3(c % 6 < 3 ? two[c / 6].v : two[c / 6].omega, c % 3);
            }
            for (size_t r = 0; r < joint->type->count(joint); r++) {
                double sum = rows[r].Jy * y;
                for (int c = 0; c < 12; c++)
                    sum += (c < 6 ? rows[r].J1 : rows[r].J2)[c % 6] * dls_get3(c % 6 < 3 ? end[c / 6].v : end[c / 6].omega, c % 3);
                *column++ = sum;
            }
        }
    }
}

/* X = M^-1 B by Cholesky without pivoting: M is small and well conditioned. */
static void cholesky_solve(size_t n, double *M, size_t columns, double *X)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < j; k++)
            for (size_t i = j; i < n; i++)
                M[i + n * j] -= M[i + n * k] * M[j + n * k];
        double d = sqrt(M[j + n * j]);
        for (size_t i = j; i < n; i++)
            M[i + n * j] /= d;
    }
    for (size_t c = 0; c < columns; c++) {
        double *x = X + n * c;
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < i; k++)
                x[i] -= M[i + n * k] * x[k];
            x[i] /= M[i + n * i];
        }
        for (size_t i = n; i-- > 0;) {
            for (size_t k = i + 1; k < n; k++)
                x[i] -= M[k + n * i] * x[k];
            x[i] /= M[i + n * i];
        }
    }
}

static void test_delassus_matrix_is_that_of_an_independent_assembly(void **unused)
{
    (void)unused;
    uint64_t seed = 77;
    dls_error error;
    dls_model *model = parse_parts(PARTS(TWO_TREES, ALL_TIES));
    dls_state *state = new_state(model);
    stir(model, state, 0.4, &seed);
    dls_problem *problem;
    dls_dense *dense;
    assert_status(dls_problem_create(model, state, NULL, 1e-3, &problem, &error), &error);
    assert_status(dls_dense_create(problem, &dense, &error), &error);
    size_t n = problem->n, nv = model->nv;
    assert_int_equal(n, 3 + 5 + 5 + 3 + 1 + 2);
    double *M = calloc(nv * nv, sizeof *M), *J = calloc(n * nv, sizeof *J), *X = calloc(nv * n, sizeof *X), worst = 0.0, largest = 0.0;
    independent_mass(model, state, M);
    independent_jacobian(model, state, J);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < nv; k++)
            X[k + nv * i] = J[i + n * k];
    cholesky_solve(nv, M, n, X);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            double A = i == j ? problem->gamma[i] : 0.0;
            for (size_t k = 0; k < nv; k++)
                A += J[i + n * k] * X[k + nv * j];
            worst = fmax(worst, fabs(A - dense->A[i + n * j]));
            largest = fmax(largest, fabs(A));
        }
    print_message("# dense A against CRBA and end velocities: %.1e of the largest entry\n", worst / largest);
    assert_below(worst / largest, 1e-12); /* the condition number of M is some 1e3 */
    free(M), free(J), free(X);
    dls_dense_destroy(dense);
    dls_problem_destroy(problem);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_derivatives_along_every_column),
        cmocka_unit_test(test_ties_hold_at_the_start),
        cmocka_unit_test(test_order_of_the_generalised_velocity),
        cmocka_unit_test(test_delassus_matrix_is_that_of_an_independent_assembly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
