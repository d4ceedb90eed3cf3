/* The battery of every joint type: a newcomer in joints.def must be listed here, and inherits all of it. */
#include "curves.h"
#include "mechanism.h"

static const struct sample {
    const char *type;
    const char *const *keys;
} samples[] = {
    {"ball", (const char *const[]){"anchor", "[0.3, -0.7, 1.1]", NULL}},
    {"hinge", (const char *const[]){"anchor", "[0.3, -0.7, 1.1]", "axis", "[0.2, 1.3, -0.4]", NULL}},
    {"hinge", (const char *const[]){"anchor", "[0.3, -0.7, 1.1]", "axis", "[0, 0, -1]", NULL}},
    {"slider", (const char *const[]){"axis", "[1.2, 0.3, -0.4]", "anchor", "[0.3, 0.9, 0.2]", NULL}},
    {"slider", (const char *const[]){"axis", "[0, 0, 2.5]", NULL}},
    {"fixed", (const char *const[]){"anchor", "[0.3, -0.7, 1.1]", NULL}},
    {"fixed", (const char *const[]){NULL}},
    {"universal",
     (const char *const[]){"anchor", "[0.3, -0.7, 1.1]", "axis1", "[0, 0.6, 0.8]", "axis2", "[2.5, 0.8, -0.6]", NULL}},
    {"six-axis", (const char *const[]){"anchor", "[0.3, -0.7, 1.1]", "axis", "[0.2, 1.3, -0.4]", NULL}},
    {"six-axis",
     (const char *const[]){"axis",         "[0.6, 0.8, 0]", "axis2",       "[0, 0, 2]", "x",       "limited",
                           "x_lower",      "-0.2",          "y",           "limited",   "y_lower", "-0.3",
                           "y_upper",      "0.1",           "z",           "free",      "twist",   "limited",
                           "twist_lower",  "-0.7",          "twist_upper", "1.9",       "swing2",  "limited",
                           "swing2_upper", "0.9",           "coordinate",  "z",         NULL}},
    {"six-axis",
     (const char *const[]){
         "x",      "free",        "y", "limited", "y_upper", "0.4",          "twist", "limited",      "twist_lower",
         "-2",     "twist_upper", "2", "swing1",  "limited", "swing1_lower", "-1.4",  "swing1_upper", "1.2",
         "swing2", "free",        NULL}},
    {"distance", (const char *const[]){"anchor1", "[1.3, -0.7, 1.1]", "anchor2", "[-0.4, 0.6, 0.2]", NULL}},
    {"distance",
     (const char *const[]){"anchor1", "[1.3, 0.7, 1.1]", "anchor2", "[-0.4, 0.6, 0.2]", "length", "0.9", NULL}},
    {"distance",
     (const char *const[]){"anchor1", "[1, 0, 1]", "anchor2", "[-0.4, 0.6, 0.2]", "min", "0.7", "max", "3.1", NULL}},
    {"distance", (const char *const[]){"anchor1", "[1, 0, 1]", "anchor2", "[1, 0.4, 1]", "max", "2.1", NULL}},
    {"contact", (const char *const[]){"point", "[0.3, -0.7, 1.1]", "normal", "[0.3, -0.5, 1.7]", NULL}},
    {"contact", (const char *const[]){"point", "[0.3, -0.7, 1.1]", "normal", "[0, 0, 1]", "gap", "-0.02", "mu", "0.6",
                                      "restitution", "0.4", NULL}},
    {"contact", (const char *const[]){"point", "[0, -0.7, 0]", "normal", "[-0.3, 0.5, -1.7]", "mu", "0.6", "friction",
                                      "box", NULL}},
    {"damper", (const char *const[]){"linear", "2.3", "angular", "0.7", NULL}},
    {"damper", (const char *const[]){"angular", "0.7", "mode", "acceleration", NULL}},
    {"swing-limit", (const char *const[]){"axis", "[0.3, 0.2, 1]", "centre", "[0.1, 0.9, 0.4]", "swing1", "0.7", NULL}},
    {"swing-limit", (const char *const[]){"axis", "[0, 0.2, 1]", "centre", "[0.1, 0.9, 0.4]", "axis2", "[1, 0, 0]",
                                          "swing1", "0.7", "swing2", "1.9", NULL}},
    {"segment", (const char *const[]){"anchor1", "[1.3, -0.7, 1.1]", "anchor2", "[-0.4, 0.6, 0.2]", NULL}},
    {"body-speed-limit", (const char *const[]){"linear", "0.7", "angular", "1.3", NULL}},
    {"track", (const char *const[]){"track", "rail", "snap", "true", "update", "nearest", "ends", "leave", NULL}},
    {"track", (const char *const[]){"track", "rail", "snap", "true", "update", "nearest", "support", "two-sided",
                                    "speed", "0.7", "angle", "vector", NULL}},
};
enum { SAMPLES = sizeof samples / sizeof samples[0], POSES = 200 };

/* A straight track with a twist, on which bodies that are up to 9 m off stay between its start and its middle: the
 * point nearest to a body is a smooth function of its place. */
static void add_rail(dls_scene *scene)
{
    static const curve_spec line = {"rail", "line", "start=[-12.3, -4.1, 2.2]; tangent=[3, 1, -0.4]; length=54",
                                    NULL,   0,      NULL};
    dls_track_def def = {.name = "rail"};
    dls_error error;
    assert_status(define_curve(&line, &def.curve, &error), &error);
    assert_status(dls_twist_default(&def.twist, "linear", &error), &error);
    assert_status(dls_twist_set(&def.twist, "rate", "0.3", &error), &error);
    assert_status(dls_scene_add_track(scene, &def, &error), &error);
}

/* Two boxes anywhere, or a box and the world. */
static dls_model *model_of(const struct sample *sample, bool world, uint64_t seed)
{
    dls_scene *scene = new_scene();
    dls_body_def one = new_box("one", 2.385, dls_v3(0.3, 0.5, 0.7), draw3(&seed));
    dls_body_def two = new_box("two", 0.613, dls_v3(0.2, 0.9, 0.4), draw3(&seed));
    one.orientation = draw_rotation(&seed);
    two.orientation = draw_rotation(&seed);
    add_body(scene, &one);
    add_body(scene, &two);
    add_rail(scene);
    add_joint(scene, sample->type, "joint", "one", world ? "world" : "two", sample->keys);
    return finish(scene);
}

/* A pose with errors of up to metres and radians, or small ones, and any velocity. */
static void disturb(const dls_model *model, dls_state *state, double size, uint64_t *seed)
{
    double v[12];
    for (size_t j = 0; j < state->nv; j++) {
        v[j] = size * draw(seed);
        state->v[j] = 3.0 * draw(seed);
    }
    advance_state(model, state, v, 1.0);
}

static double row_rate(const dls_row *row, const dls_end end[2])
{
    const dls_vec3 part[4] = {end[0].v, end[0].omega, end[1].v, end[1].omega};
    double rate = 0.0;
    for (int k = 0; k < 12; k++)
        rate += (k < 6 ? row->J1 : row->J2)[k % 6] * dls_get3(part[k / 3], k % 3);
    return rate;
}

TEST(test_every_type_is_here)
{
    for (size_t i = 0; dls_joint_types[i]; i++) {
        bool found = dls_joint_types[i]->terms_min > 0; /* test_coordinates.c */
        for (size_t k = 0; k < SAMPLES; k++)
            found = found || strcmp(samples[k].type, dls_joint_types[i]->name) == 0;
        if (!found)
            print_error("joint type '%s' has no sample\n", dls_joint_types[i]->name);
        assert_true(found);
    }
}

TEST(test_jacobian_is_the_derivative_of_the_position)
{
    static const double sizes[] = {3.0, 1.0, 1e-3, 1e-9, 0.0};
    uint64_t seed = 42;
    dls_error error;
    for (size_t k = 0; k < SAMPLES; k++) {
        double worst = 0.0;
        dls_model *model = model_of(&samples[k], k % 2, 7 + k);
        dls_state *state = new_state(model);
        for (int pose = 0; pose < POSES; pose++) {
            double here;
            dls_state_copy(state, dls_model_initial(model));
            disturb(model, state, sizes[pose % 5], &seed);
            assert_status(dls_check_jacobians(model, state, DLS_CHECK_STEP, &here, NULL, NULL, &error), &error);
            worst = fmax(worst, here);
        }
        print_message("# %s (sample %zu): Jacobian against finite differences %.1e\n", samples[k].type, k, worst);
        assert_below(
            worst,
            1e-9); /* the finite differences' own error, differences.c: some 1e-12, times 1/angle near half a turn */
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
}

/* The results of rows() beside J: as many rows as counted, C of position(), bounds that contain 0, parents that come
 * first. */
TEST(test_rows_agree_with_count_and_position)
{
    uint64_t seed = 43;
    for (size_t k = 0; k < SAMPLES; k++) {
        dls_model *model = model_of(&samples[k], false, 7 + k);
        dls_state *state = new_state(model);
        disturb(model, state, 1.0, &seed);
        const dls_joint *joint = &dls_model_joints(model)[0];
        dls_end end[2];
        ends_of(model, state, &dls_model_joints(model)[0], end);
        dls_row rows[DLS_JOINT_ROWS_MAX + 1];
        double C[DLS_JOINT_ROWS_MAX + 1];
        memset(rows, 0x5a, sizeof rows);
        size_t count = joint->type->count(joint);
        assert_in_range(count, joint->type->coordinate ? 0 : 1, DLS_JOINT_ROWS_MAX); /* some provide that alone */
        dls_row untouched = rows[count];
        joint->type->rows(joint, end, 1e-3, rows);
        joint->type->position(joint, end, C);
        assert_memory_equal(&rows[count], &untouched, sizeof untouched);
        for (size_t i = 0; i < count; i++) {
            bool friction = rows[i].erp == 0.0 && rows[i].C == 0.0;
            if (!friction)
                assert_close(rows[i].C, C[i], 0.0);
            assert_true(rows[i].lo <= 0.0 && rows[i].hi >= 0.0);
            assert_true(rows[i].parent < (int)i);
            assert_true(rows[i].label && rows[i].label[0]);
        }
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
}

TEST(test_a_placed_joint_has_no_error)
{
    for (size_t k = 0; k < SAMPLES; k++) {
        if (strcmp(samples[k].type, "distance") == 0 || strcmp(samples[k].type, "contact") == 0 ||
            strcmp(samples[k].type, "swing-limit") == 0)
            continue; /* these may be given an error: tests of their own */
        dls_model *model = model_of(&samples[k], k % 2, 11 + k);
        dls_end end[2];
        dls_row rows[DLS_JOINT_ROWS_MAX];
        ends_of(model, dls_model_initial(model), &dls_model_joints(model)[0], end);
        dls_model_joints(model)[0].type->rows(&dls_model_joints(model)[0], end, 1e-3, rows);
        for (size_t i = 0; i < dls_model_joints(model)[0].type->count(&dls_model_joints(model)[0]); i++)
            if (!rows[i].gap)
                assert_close(rows[i].C, 0.0, 2e-15); /* a few roundings of metres and unit quaternions */
        dls_model_destroy(model);
    }
}

/* C along a screw motion of both bodies with constant (v, omega), by a five-point difference. */
TEST(test_row_speed_is_the_rate_of_the_error)
{
    uint64_t seed = 44;
    const double s = 1e-3;
    for (size_t k = 0; k < SAMPLES; k++) {
        dls_model *model = model_of(&samples[k], false, 13 + k);
        dls_state *state = new_state(model), *later = new_state(model);
        disturb(model, state, 0.3, &seed);
        const dls_joint *joint = &dls_model_joints(model)[0];
        dls_row rows[DLS_JOINT_ROWS_MAX];
        double C[4][DLS_JOINT_ROWS_MAX];
        dls_end end[2];
        for (int t = 0; t < 4; t++) {
            static const double times[] = {-2.0, -1.0, 1.0, 2.0};
            dls_state_copy(later, state);
            advance_state(model, later, state->v, s * times[t]);
            ends_of(model, later, &dls_model_joints(model)[0], end);
            joint->type->position(joint, end, C[t]);
        }
        ends_of(model, state, &dls_model_joints(model)[0], end);
        joint->type->rows(joint, end, 1e-3, rows);
        for (size_t i = 0; i < joint->type->count(joint); i++) {
            double rate = (C[0][i] - 8.0 * C[1][i] + 8.0 * C[2][i] - C[3][i]) / (12.0 * s);
            if (rows[i].is_rate) { /* of no displacement: body 1 seen from body 2 */
                const dls_vec3 prescribed = dls_cross(end[1].omega, dls_sub(end[0].x, end[1].x));
                assert_close(rate, 0.0, 0.0);
                rate = rows[i].angular ? dls_dot(dls_v3(rows[i].J1[3], rows[i].J1[4], rows[i].J1[5]),
                                                 dls_sub(end[0].omega, end[1].omega))
                                       : dls_dot(dls_v3(rows[i].J1[0], rows[i].J1[1], rows[i].J1[2]),
                                                 dls_sub(end[0].v, dls_add(end[1].v, prescribed)));
            }
            assert_close(row_rate(&rows[i], end), rate,
                         1e-7); /* s^4 C^(5) / 30, C^(5) up to 3^5 and more at short distances */
        }
        dls_state_destroy(later);
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
}

static bool has_key(const char *const *keys, const char *key)
{
    bool has = false;
    for (; *keys; keys += 2)
        has = has || strcmp(*keys, key) == 0;
    return has;
}

static dls_vec3 part(const double *J) { return dls_v3(J[0], J[1], J[2]); }

/* Force and counterforce: f1 + f2 = 0 always; x1 x f1 + t1 + x2 x f2 + t2 = 0 where both act at one line. Rows of
 * coincident points and of contacts act at each body's own point: their moment is d x f, which vanishes with the error.
 */
TEST(test_rows_conserve_momentum)
{
    uint64_t seed = 45;
    for (size_t k = 0; k < SAMPLES; k++) {
        dls_model *model = model_of(&samples[k], false, 17 + k);
        dls_state *state = new_state(model);
        disturb(model, state, 1.0, &seed);
        const dls_joint *joint = &dls_model_joints(model)[0];
        dls_end end[2];
        dls_row rows[DLS_JOINT_ROWS_MAX];
        ends_of(model, state, &dls_model_joints(model)[0], end);
        joint->type->rows(joint, end, 1e-3, rows);
        dls_vec3 d = dls_sub(dls_end_anchor(&end[0], &joint->frame[0]), dls_end_anchor(&end[1], &joint->frame[1]));
        bool one_line = strcmp(samples[k].type, "slider") == 0 || strcmp(samples[k].type, "distance") == 0 ||
                        strcmp(samples[k].type, "track") == 0 ||
                        (strcmp(samples[k].type, "six-axis") == 0 && has_key(samples[k].keys, "x"));
        for (size_t i = 0; i < joint->type->count(joint); i++) {
            dls_vec3 f1 = part(rows[i].J1), f2 = part(rows[i].J2);
            assert_close(dls_norm(dls_add(f1, f2)), 0.0, 0.0);
            dls_vec3 moment = dls_add(dls_add(dls_cross(end[0].x, f1), part(rows[i].J1 + 3)),
                                      dls_add(dls_cross(end[1].x, f2), part(rows[i].J2 + 3)));
            dls_vec3 expected = one_line || rows[i].is_rate ? dls_v3(0, 0, 0) : dls_cross(d, f1);
            assert_close(dls_norm(dls_sub(moment, expected)), 0.0, 1e-14);
        }
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
}

/* A body turned by a known angle about a known axis shows that angle, also a large one. */
TEST(test_rotation_errors_are_true_angles)
{
    static const double angles[] = {1e-9, 0.1, 1.0, 2.5, 3.1};
    for (size_t a = 0; a < sizeof angles / sizeof angles[0]; a++) {
        static const struct {
            const char *type;
            dls_vec3 about;
            size_t first, last;
        } cases[] = {
            {"fixed", {0.6, 0.0, 0.8}, 3, 6}, {"slider", {0.6, 0.0, 0.8}, 0, 3}, {"hinge", {0.6, 0.0, 0.8}, 3, 5}};
        for (size_t c = 0; c < 3; c++) {
            dls_scene *scene = new_scene();
            dls_body_def one = new_box("one", 2.385, dls_v3(0.3, 0.5, 0.7), dls_v3(0, 0, 0));
            add_body(scene, &one);
            add_joint(scene, cases[c].type, "joint", "one", "world",
                      c == 0   ? KEYS("anchor", "[0, 0, 0]")
                      : c == 1 ? KEYS("axis", "[0, 1, 0]")
                               : KEYS("anchor", "[0, 0, 0]", "axis", "[0, 1, 0]"));
            dls_model *model = finish(scene);
            dls_state *state = new_state(model);
            state->q[0] = dls_quat_exp(dls_scale(angles[a], cases[c].about));
            dls_end end[2];
            double C[DLS_JOINT_ROWS_MAX], square = 0.0;
            ends_of(model, state, &dls_model_joints(model)[0], end);
            dls_model_joints(model)[0].type->position(&dls_model_joints(model)[0], end, C);
            for (size_t i = cases[c].first; i < cases[c].last; i++)
                square += C[i] * C[i];
            assert_close(sqrt(square), angles[a], 1e-14);
            dls_state_destroy(state);
            dls_model_destroy(model);
        }
    }
}

/* --- the six-axis joint, of which other types are cases --- */

#define MATCHED "anchor", "[0.3, -0.7, 1.1]", "axis", "[0, 0, 1]", "axis2", "[1, 0, 0]"
static const char *const ball_keys[] = {"anchor", "[0.3, -0.7, 1.1]", NULL},
                         *const hinge_keys[] = {"anchor", "[0.3, -0.7, 1.1]", "axis", "[0, 0, 1]", NULL},
                         *const across_keys[] = {"anchor", "[0.3, -0.7, 1.1]", "axis", "[1, 0, 0]", NULL};

/* Rows of the six-axis joint, in order: the type, the row and the sign that it equals. `bits`: to the last one. */
static const struct six_axis_case {
    const char *name;
    const char *const *keys;
    bool bits;
    struct {
        const char *type;
        const char *const *keys;
        size_t row;
        double sign;
    } rows[6];
} six_axis_cases[] = {
    {"ball",
     (const char *const[]){MATCHED, "twist", "free", "swing1", "free", "swing2", "free", NULL},
     true,
     {{"ball", ball_keys, 0, 1}, {"ball", ball_keys, 1, 1}, {"ball", ball_keys, 2, 1}}},
    {"fixed",
     (const char *const[]){"anchor", "[0.3, -0.7, 1.1]", "axis2", "[0, 1, 0]", NULL},
     true,
     {{"fixed", ball_keys, 0, 1},
      {"fixed", ball_keys, 1, 1},
      {"fixed", ball_keys, 2, 1},
      {"fixed", ball_keys, 3, 1},
      {"fixed", ball_keys, 4, 1},
      {"fixed", ball_keys, 5, 1}}},
    {"hinge",
     (const char *const[]){MATCHED, "twist", "free", NULL},
     false,
     {{"hinge", hinge_keys, 0, 1},
      {"hinge", hinge_keys, 1, 1},
      {"hinge", hinge_keys, 2, 1},
      {"hinge", hinge_keys, 3, 1},
      {"hinge", hinge_keys, 4, 1}}},
    {"slider",
     (const char *const[]){MATCHED, "x", "free", NULL},
     false,
     {{"slider", hinge_keys, 3, 1},
      {"slider", hinge_keys, 4, 1},
      {"slider", hinge_keys, 2, 1},
      {"slider", hinge_keys, 0, 1},
      {"slider", hinge_keys, 1, 1}}},
    {"cylindrical",
     (const char *const[]){MATCHED, "x", "free", "twist", "free", NULL},
     false,
     {{"slider", hinge_keys, 3, 1},
      {"slider", hinge_keys, 4, 1},
      {"hinge", hinge_keys, 3, 1},
      {"hinge", hinge_keys, 4, 1}}},
    {"planar",
     (const char *const[]){MATCHED, "y", "free", "z", "free", "twist", "free", NULL},
     false,
     {{"slider", across_keys, 3, -1}, {"hinge", hinge_keys, 3, 1}, {"hinge", hinge_keys, 4, 1}}},
};

/* Two boxes with a joint of each definition between them. */
static dls_model *model_of_both(const struct sample *one, const struct sample *two, uint64_t seed)
{
    dls_scene *scene = new_scene();
    dls_body_def body[2] = {new_box("one", 2.385, dls_v3(0.3, 0.5, 0.7), draw3(&seed)),
                            new_box("two", 0.613, dls_v3(0.2, 0.9, 0.4), draw3(&seed))};
    for (int i = 0; i < 2; i++) {
        body[i].orientation = draw_rotation(&seed);
        add_body(scene, &body[i]);
    }
    add_joint(scene, one->type, "first", "one", "two", one->keys);
    add_joint(scene, two->type, "second", "one", "two", two->keys);
    return finish(scene);
}

static void assert_same_row(const dls_row *one, const dls_row *two, double sign, double tolerance)
{
    assert_close(one->C, sign * two->C, tolerance);
    for (size_t k = 0; k < 6; k++) {
        assert_close(one->J1[k], sign * two->J1[k], tolerance);
        assert_close(one->J2[k], sign * two->J2[k], tolerance);
    }
    assert_true(one->angular == two->angular && one->lo == two->lo && one->hi == two->hi);
}

/* With errors of up to metres and radians, row by row. */
TEST(test_joints_that_are_cases_of_the_six_axis_joint)
{
    uint64_t seed = 47;
    for (size_t c = 0; c < sizeof six_axis_cases / sizeof six_axis_cases[0]; c++) {
        const struct six_axis_case *of = &six_axis_cases[c];
        const struct sample six = {"six-axis", of->keys};
        for (size_t i = 0; i < 6 && of->rows[i].type; i++) {
            const struct sample other = {of->rows[i].type, of->rows[i].keys};
            dls_model *model = model_of_both(&six, &other, 29);
            const dls_joint *joints = dls_model_joints(model);
            dls_state *state = new_state(model);
            if (i == 5 || !of->rows[i + 1].type)
                assert_int_equal(joints[0].n_rows, i + 1);
            for (int pose = 0; pose < 30; pose++) {
                dls_row rows[2][DLS_JOINT_ROWS_MAX];
                dls_state_copy(state, dls_model_initial(model));
                disturb(model, state, pose % 3 ? 1.0 : 1e-3, &seed);
                for (size_t j = 0; j < 2; j++) {
                    dls_end end[2];
                    ends_of(model, state, &joints[j], end);
                    joints[j].type->rows(&joints[j], end, 1e-3, rows[j]);
                }
                /* Rounding of cot(theta) in one and of the inverse Jacobian in the other, metres times radians. */
                assert_same_row(&rows[0][i], &rows[1][of->rows[i].row], of->rows[i].sign, of->bits ? 0.0 : 1e-13);
            }
            dls_state_destroy(state);
            dls_model_destroy(model);
        }
    }
}

/* A universal joint holds a swing at 0, and the second swing is at 0 too: the same motions are free, in another unit.
 */
TEST(test_a_universal_joint_is_a_locked_swing)
{
    const struct sample six = {"six-axis", (const char *const[]){"anchor", "[0, 0, 0]", "axis", "[1, 0, 0]", "axis2",
                                                                 "[0, 1, 0]", "twist", "free", "swing1", "free", NULL}},
                        universal = {"universal", (const char *const[]){"anchor", "[0, 0, 0]", "axis1", "[1, 0, 0]",
                                                                        "axis2", "[0, 1, 0]", NULL}};
    dls_model *model = model_of_both(&six, &universal, 31);
    const dls_joint *joints = dls_model_joints(model);
    dls_state *state = new_state(model);
    for (int pose = 0; pose < 50; pose++) {
        const double swing = -2.5 + 0.1 * pose, twist = 0.7 * pose;
        dls_row rows[2][DLS_JOINT_ROWS_MAX];
        dls_state_copy(state, dls_model_initial(model));
        const dls_quat turn = dls_quat_mul(dls_quat_exp(dls_v3(0, swing, 0)),
                                           dls_quat_exp(dls_v3(twist, 0, 0))); /* of the joint's axes */
        state->q[0] = dls_quat_mul(turn, state->q[0]);
        state->x[0] = dls_quat_rotate(turn, state->x[0]);
        for (size_t j = 0; j < 2; j++) {
            dls_end end[2];
            ends_of(model, state, &joints[j], end);
            joints[j].type->rows(&joints[j], end, 1e-3, rows[j]);
            assert_close(rows[j][3].C, 0.0, 1e-15);
        }
        const double unit =
            fabs(swing) > 1e-9 ? sin(swing) / swing : 1.0; /* n of the universal joint is a unit vector */
        for (size_t k = 3; k < 6; k++)
            assert_close(fabs(rows[0][3].J1[k]) * unit, fabs(rows[1][3].J1[k]), 1e-13);
    }
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* The coordinates of a hinge and of a slider, where these joints hold. */
TEST(test_coordinates_of_the_six_axis_joint)
{
    const struct {
        const char *type;
        const char *const *keys;
        dls_vec3 way, turn;
    } cases[] = {{"hinge", (const char *const[]){MATCHED, "twist", "free", NULL}, {0, 0, 0}, {0, 0, 1}},
                 {"slider", (const char *const[]){MATCHED, "x", "free", NULL}, {0, 0, 1}, {0, 0, 0}}};
    for (size_t c = 0; c < 2; c++) {
        const struct sample six = {"six-axis", cases[c].keys}, other = {cases[c].type, hinge_keys};
        dls_model *model = model_of_both(&six, &other, 37);
        const dls_joint *joints = dls_model_joints(model);
        dls_state *state = new_state(model);
        for (int pose = 0; pose < 40; pose++) {
            const double y = -3.0 + 0.15 * pose;
            const dls_vec3 anchor = dls_v3(0.3, -0.7, 1.1);
            const dls_quat turn = dls_quat_exp(dls_scale(y, cases[c].turn));
            dls_row row[2] = {{.parent = -1}, {.parent = -1}};
            dls_state_copy(state, dls_model_initial(model));
            state->q[0] = dls_quat_mul(turn, state->q[0]);
            state->x[0] = dls_add(dls_add(anchor, dls_quat_rotate(turn, dls_sub(state->x[0], anchor))),
                                  dls_scale(y, cases[c].way));
            for (size_t j = 0; j < 2; j++) {
                dls_end end[2];
                ends_of(model, state, &joints[j], end);
                joints[j].type->coordinate(&joints[j], end, &row[j]);
            }
            assert_close(row[0].C, y, 1e-14);
            assert_same_row(&row[0], &row[1], 1.0, 1e-14);
        }
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
}

/* A swing of half a turn, where the twist is not defined, and one near it. */
TEST(test_the_six_axis_joint_at_half_a_turn)
{
    dls_model *model = model_of(&samples[9], false, 5);
    assert_string_equal(samples[9].type, "six-axis");
    dls_state *state = new_state(model);
    const dls_joint *joint = &dls_model_joints(model)[0];
    for (int near = 0; near < 2; near++) {
        dls_end end[2];
        dls_row rows[DLS_JOINT_ROWS_MAX];
        ends_of(model, state, joint, end);
        const dls_vec3 across = dls_quat_rotate(dls_end_rotation(&end[1], &joint->frame[1]), dls_axis3(1));
        state->q[0] = dls_quat_mul(dls_quat_exp(dls_scale(DLS_PI - 1e-7 * near, across)), state->q[0]);
        ends_of(model, state, joint, end);
        joint->type->rows(joint, end, 1e-3, rows);
        for (size_t i = 0; i < joint->n_rows; i++)
            for (size_t k = 0; k < 6; k++)
                assert_true(isfinite(rows[i].C) && isfinite(rows[i].J1[k]) && isfinite(rows[i].J2[k]));
        dls_state_copy(state, dls_model_initial(model));
    }
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* Poses where an error has no direction: rows stay finite. */
static void assert_finite_rows(const dls_model *model, const dls_state *state)
{
    const dls_joint *joint = &dls_model_joints(model)[0];
    dls_end end[2];
    dls_row rows[DLS_JOINT_ROWS_MAX];
    ends_of(model, state, &dls_model_joints(model)[0], end);
    joint->type->rows(joint, end, 1e-3, rows);
    for (size_t i = 0; i < joint->type->count(joint); i++) {
        double size = 0.0;
        for (int k = 0; k < 6; k++)
            size += rows[i].J1[k] * rows[i].J1[k] + rows[i].J2[k] * rows[i].J2[k];
        assert_true(isfinite(rows[i].C) && isfinite(size) && size > 0.0);
    }
}

TEST(test_singular_poses_stay_finite)
{
    const struct {
        const char *type;
        const char *const *keys;
        dls_vec3 turn;
    } cases[] = {
        {"distance",
         (const char *const[]){"anchor1", "[0, 0, 0]", "anchor2", "[0, 0, 0]", "max", "1.3", NULL},
         {0, 0, 0}},
        {"distance",
         (const char *const[]){"anchor1", "[0, 0, 0]", "anchor2", "[0, 0, 0]", "min", "1.3", "max", "2", NULL},
         {0, 0, 0}},
        {"hinge", (const char *const[]){"anchor", "[0, 0, 0]", "axis", "[0, 0, 1]", NULL}, {DLS_PI, 0, 0}},
        {"universal",
         (const char *const[]){"anchor", "[0, 0, 0]", "axis1", "[0, 0, 1]", "axis2", "[0, 1, 0]", NULL},
         {0.5 * DLS_PI, 0, 0}},
        {"universal",
         (const char *const[]){"anchor", "[0, 0, 0]", "axis1", "[0, 0, 1]", "axis2", "[0, 1, 0]", NULL},
         {-0.5 * DLS_PI, 0, 0}},
        {"fixed", (const char *const[]){NULL}, {0, DLS_PI, 0}},
        {"slider", (const char *const[]){"axis", "[1, 0, 0]", NULL}, {0, DLS_PI, 0}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        dls_scene *scene = new_scene();
        dls_body_def one = new_box("one", 2.385, dls_v3(0.3, 0.5, 0.7), dls_v3(0, 0, 0));
        add_body(scene, &one);
        add_joint(scene, cases[c].type, "joint", "one", "world", cases[c].keys);
        dls_model *model = finish(scene);
        dls_state *state = new_state(model);
        state->q[0] = dls_quat_exp(cases[c].turn);
        assert_finite_rows(model, state);
        if (c == 2) { /* exactly opposite axes, to the last bit */
            state->q[0] = (dls_quat){0.0, 1.0, 0.0, 0.0};
            assert_finite_rows(model, state);
        }
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
}

static dls_row first_row(const dls_model *model, dls_row *rows)
{
    dls_end end[2];
    ends_of(model, dls_model_initial(model), &dls_model_joints(model)[0], end);
    dls_model_joints(model)[0].type->rows(&dls_model_joints(model)[0], end, 1e-3, rows);
    return rows[0];
}

static dls_model *one_box(const char *type, const char *const *keys)
{
    dls_scene *scene = new_scene();
    dls_body_def one = new_box("one", 2.385, dls_v3(0.3, 0.5, 0.7), dls_v3(0, 0, 1.5));
    one.velocity = dls_v3(0.2, 0, -3.0);
    add_body(scene, &one);
    add_joint(scene, type, "joint", "one", "world", keys);
    return finish(scene);
}

TEST(test_distance_reads_its_length_and_range)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    dls_model *model = one_box("distance", KEYS("anchor1", "[0, 0, 1.5]", "anchor2", "[0, 0, 0.25]"));
    assert_close(first_row(model, rows).C, 0.0, 0.0);
    assert_true(rows[0].lo == -HUGE_VAL && rows[0].hi == HUGE_VAL);
    dls_model_destroy(model);
    model = one_box("distance", KEYS("anchor1", "[0, 0, 1.5]", "anchor2", "[0, 0, 0.25]", "length", "1", "erp", "0.3",
                                     "cfm", "0.01", "force_lo", "-7", "force_hi", "11"));
    assert_close(first_row(model, rows).C, 0.25, 0.0);
    assert_true(rows[0].erp == 0.3 && rows[0].cfm == 0.01 && rows[0].lo == -7.0 && rows[0].hi == 11.0);
    dls_model_destroy(model);
    model = one_box("distance", KEYS("anchor1", "[0, 0, 1.5]", "anchor2", "[0, 0, 0.25]", "min", "1.5", "max", "2",
                                     "force_hi", "11"));
    assert_close(first_row(model, rows).C, -0.25, 0.0);
    assert_true(rows[0].lo == 0.0 && rows[0].hi == 11.0 && rows[0].erp == 0.2 && rows[0].J1[2] == 1.0);
    assert_close(rows[1].C, 0.75, 0.0);
    assert_true(rows[1].lo == 0.0 && rows[1].erp == 1.0 && rows[1].J1[2] == -1.0); /* open: closes in a step at most */
    dls_model_destroy(model);
}

TEST(test_contact_reads_its_laws)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    dls_model *model = one_box("contact", KEYS("point", "[0, 0, 1]", "normal", "[0, 0, 2]", "mu", "0.5"));
    assert_close(first_row(model, rows).C, 0.0, 0.0);
    assert_true(rows[0].lo == 0.0 && rows[0].hi == HUGE_VAL && rows[0].u == 0.0 && rows[0].erp == 0.2 &&
                rows[0].J1[2] == 1.0);
    assert_close(rows[1].hi, 0.5 * 2.385 * 9.81, 1e-14);
    assert_close(rows[2].lo, -0.5 * 2.385 * 9.81, 1e-14);
    assert_int_equal(rows[1].law, DLS_LAW_FIXED);
    dls_model_destroy(model);
    model = one_box("contact", KEYS("point", "[0, 0, 1]", "normal", "[0, 0, 2]", "mu", "0.5", "friction", "coupled",
                                    "restitution", "0.4", "gap", "-0.01", "force_hi", "11"));
    assert_close(first_row(model, rows).C, -0.01, 1e-15);
    assert_close(rows[0].u, 1.2, 1e-15); /* e times the approach at 3 m/s, and no correction beside it */
    assert_true(rows[0].erp == 0.0 && rows[0].hi == 11.0);
    assert_true(rows[1].law == DLS_LAW_BOX && rows[1].parent == 0 && rows[1].mu == 0.5);
    dls_model_destroy(model);
    model = one_box("contact", KEYS("point", "[0, 0, 1]", "normal", "[0, 0, 2]", "mu", "0.5", "friction_mass", "0.7",
                                    "restitution", "0.4", "threshold", "3.5"));
    assert_true(first_row(model, rows).u == 0.0 && rows[0].erp == 0.2);
    assert_close(rows[1].hi, 0.5 * 0.7 * 9.81, 1e-14);
    dls_model_destroy(model);
    model = one_box("contact", KEYS("point", "[0, 0, 1]", "normal", "[0, 0, 2]", "mu", "0.5", "gap", "0.02"));
    assert_true(first_row(model, rows).erp == 1.0 && rows[0].hi == HUGE_VAL && rows[1].hi == 0.0 && rows[1].lo == 0.0);
    dls_model_destroy(model);
    /* A gap that 3 m/s closes within the millisecond of the step has friction already, and none to bounce from. */
    model = one_box("contact", KEYS("point", "[0, 0, 1]", "normal", "[0, 0, 2]", "mu", "0.5", "gap", "0.003",
                                    "restitution", "0.4"));
    assert_true(first_row(model, rows).hi == 0.0 && rows[1].hi > 11.0);
    dls_model_destroy(model);
}

static void refuse(const char *type, const char *const *keys, const char *key)
{
    dls_scene *scene = new_scene();
    dls_body_def one = new_box("one", 2.385, dls_v3(0.3, 0.5, 0.7), dls_v3(0, 0, 1.5));
    add_body(scene, &one);
    add_joint(scene, type, "joint", "one", "world", keys);
    dls_model *model;
    dls_error error;
    assert_int_equal(dls_model_create(scene, &model, &error), DLS_BAD_INPUT);
    assert_null(model);
    assert_string_equal(error.key, key);
    dls_scene_destroy(scene);
}

TEST(test_angles_of_a_universal_joint_are_told)
{
    assert_scene_refused("bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n"
                         "joints: [{name: u, type: universal, body1: a, anchor: [0, 0, 0], axis1: [1, 0, 0], "
                         "axis2: [1, 1, 0]}]\n",
                         "not 45 degrees apart");
}

TEST(test_bad_settings_are_refused)
{
    refuse("ball", KEYS("erp", "0.1"), "anchor");
    refuse("hinge", KEYS("anchor", "[0, 0, 0]", "axis", "[0, 0, 0]"), "axis");
    refuse("slider", KEYS("anchor", "[0, 0, 0]"), "axis");
    refuse("universal", KEYS("anchor", "[0, 0, 0]", "axis1", "[1, 0, 0]", "axis2", "[1, 1, 0]"), "axis2");
    refuse("universal", KEYS("anchor", "[0, 0, 0]", "axis1", "[1, 0, 0]", "axis2", "[-2, 0, 0]"), "axis2");
    refuse("distance", KEYS("anchor1", "[0, 0, 0]", "anchor2", "[0, 0, 0]"), "length");
    refuse("distance", KEYS("anchor1", "[0, 0, 0]", "anchor2", "[0, 0, 1]", "length", "0"), "length");
    refuse("distance", KEYS("anchor1", "[0, 0, 0]", "anchor2", "[0, 0, 1]", "length", "1", "min", "0.5"), "length");
    refuse("distance", KEYS("anchor1", "[0, 0, 0]", "anchor2", "[0, 0, 1]", "min", "1", "max", "0.5"), "max");
    refuse("contact", KEYS("point", "[0, 0, 0]", "normal", "[0, 0, 0]"), "normal");
    refuse("six-axis", KEYS("axis", "[0, 0, 0]"), "axis");
    refuse("six-axis", KEYS("axis", "[0, 0, 1]", "axis2", "[0, 1, 1]"), "axis2");
    refuse("six-axis", KEYS("y_lower", "-1"), "y_lower");
    refuse("six-axis", KEYS("z", "limited"), "z_upper");
    refuse("six-axis", KEYS("swing1", "limited", "swing1_lower", "1", "swing1_upper", "0"), "swing1_lower");
    refuse("six-axis", KEYS("twist", "limited", "twist_lower", "1"), "twist_lower");
    refuse("six-axis", KEYS("x", "free", "x_at", "1"), "x_at");
}

/* The check itself must object to a row with one wrong entry, whichever it is. */
static size_t wrong_entry;

static void wrong_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    dls_joint_type_find("hinge")->rows(joint, end, h, rows);
    double *J = wrong_entry < 6 ? rows[4].J1 : rows[4].J2;
    J[wrong_entry % 6] += 1e-7;
}

TEST(test_the_check_sees_a_wrong_jacobian)
{
    uint64_t seed = 46;
    dls_model *model = model_of(&samples[1], false, 5);
    dls_state *state = new_state(model);
    disturb(model, state, 1.0, &seed);
    dls_joint_type wrong = *dls_model_joints(model)[0].type;
    wrong.rows = wrong_rows;
    dls_joint joint = dls_model_joints(model)[0];
    joint.type = &wrong;
    dls_end end[2];
    ends_of(model, state, &dls_model_joints(model)[0], end);
    for (wrong_entry = 0; wrong_entry < 12; wrong_entry++) {
        dls_jacobian_check check = dls_check_jacobian(&joint, end, DLS_CHECK_STEP);
        assert_true(check.worst > 0.9e-7 && check.worst < 2e-7);
        assert_int_equal(check.row, 4);
    }
    double worst;
    dls_error error;
    assert_int_equal(dls_check_jacobians(model, state, 0.0, &worst, NULL, NULL, &error), DLS_BAD_ARGUMENT);
    dls_state_destroy(state);
    dls_model_destroy(model);
}
