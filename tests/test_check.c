/* delassus check, from within: it passes what is right, and fails on a joint type that is wrong. */
#include "mechanism.h"
#include "problems.h"

#include "delassus/check.h"
#include "delassus/experiments.h"

#include "command.h"
#include "model/model.h"

/* The model that the command is given is another than it loads (--wrap). */
dls_status __real_dls_load_model(const char *path, dls_model **model, dls_error *error);
dls_status __wrap_dls_load_model(const char *path, dls_model **model, dls_error *error);

extern const command command_check;
static const dls_joint_type *wrong; /* in the place of the type of that name; NULL: none */

dls_status __wrap_dls_load_model(const char *path, dls_model **model, dls_error *error)
{
    DLS_TRY(__real_dls_load_model(path, model, error));
    for (size_t j = 0; wrong && j < dls_model_count(*model).joints; j++)
        if (strcmp(dls_model_joints(*model)[j].type->name, wrong->name) == 0)
            (*model)->joints[j].type = wrong;
    return DLS_OK;
}

static int check(const char *scene)
{
    char path[DLS_PATH_MAX];
    const char *words[] = {path};
    option_value poses = {"poses", "1"};
    const arguments a = {.words = words, .n_words = 1, .options = &poses, .n_options = 1};
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", getenv("DLS_TEST_SOURCE"), scene);
    return command_check.run(&a);
}

static void rows_of(const char *type, const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    dls_joint_type_find(type)->rows(joint, end, h, rows);
}

/* A lever arm that is a little too long. */
static void wrong_ball(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    rows_of("ball", joint, end, h, rows);
    for (int k = 3; k < 6; k++)
        rows[1].J1[k] *= 1.0 + 1e-3;
}

/* The sign of a whole row. */
static void wrong_mimic(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    rows_of("mimic", joint, end, h, rows);
    rows[0].Jy = -rows[0].Jy;
}

/* A rate that is not that of the coordinate: what a mimic's row has from a hinge. The hinge's own rows stay right. */
static void wrong_coordinate(const dls_joint *joint, const dls_end end[2], dls_row *row)
{
    dls_joint_type_find("hinge")->coordinate(joint, end, row);
    row->J2[4] *= 1.0 + 1e-5;
}

TEST(test_check_fails_on_wrong_types)
{
    static const struct {
        const char *type, *scene;
        void (*rows)(const dls_joint *, const dls_end[2], double, dls_row *);
    } cases[] = {{"ball", "chain-10", wrong_ball}, {"ball", "loop", wrong_ball}, {"mimic", "star-5", wrong_mimic}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dls_joint_type type = *dls_joint_type_find(cases[i].type);
        wrong = NULL;
        assert_int_equal(check(cases[i].scene), EXIT_DONE);
        type.rows = cases[i].rows;
        wrong = &type;
        assert_int_equal(check(cases[i].scene), EXIT_UNSOLVED);
        wrong = NULL;
    }
}

static const char geared[] =
    "bodies:\n  - {name: a, shape: sphere, radius: 1, mass: 1}\n  - {name: b, shape: sphere, radius: 1, mass: 2, "
    "position: [3, 0, 0]}\n"
    "joints:\n  - {name: h, type: hinge, body1: a, body2: b, anchor: [0, 1, 0], axis: [0.2, 1, 0.1]}\n"
    "  - {name: s, type: slider, body1: b, axis: [0, 0, 1]}\n  - {name: m, type: mimic, coordinates: {h: 1, s: -2}}\n";

/* The ends of a mimic know nothing of the hinge that it is coupled to: only the columns tell. */
TEST(test_columns_see_what_ends_cannot)
{
    dls_jacobian_check columns[3];
    dls_error error;
    double ends;
    dls_model *model = parse_model(geared);
    dls_joint_type hinge = *dls_model_joints(model)[0].type;
    assert_status(dls_check_columns(model, dls_model_initial(model), DLS_CHECK_STEP, columns, &error), &error);
    for (int j = 0; j < 3; j++)
        assert_below(columns[j].worst, 1e-9);
    hinge.coordinate = wrong_coordinate;
    model->joints[0].type = &hinge;
    assert_status(dls_check_jacobians(model, dls_model_initial(model), DLS_CHECK_STEP, &ends, NULL, NULL, &error),
                  &error);
    assert_below(ends, 1e-9);
    assert_status(dls_check_columns(model, dls_model_initial(model), DLS_CHECK_STEP, columns, &error), &error);
    assert_below(fmax(columns[0].worst, columns[1].worst), 1e-9);
    assert_true(columns[2].worst > 1e-7);
    assert_int_equal(dls_check_columns(model, dls_model_initial(model), 0.0, columns, &error), DLS_BAD_ARGUMENT);
    assert_int_equal(dls_check_columns(model, dls_model_initial(model), NAN, columns, &error), DLS_BAD_ARGUMENT);
    dls_model_destroy(model);
}
