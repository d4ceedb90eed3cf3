/* The experiment on articulations, in small: the same solids in both kinds of coordinates, errors, iterations and rates,
 * and what each study finds. */
#include "check.h"

#include "../experiments/articulation/parts.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Runs the experiment with its small settings and these; *study is to be closed. */
static void measure(const char *const (*options)[2], size_t count, dls_reduced_settings *settings, char *folder,
                    dls_study **study)
{
    const dls_experiment *experiment = dls_experiment_find("articulation");
    static dls_job job;
    char small[256];
    dls_error error;
    assert_non_null(experiment);
    assert_non_null(mkdtemp(folder));
    job = (dls_job){.output = folder, .command = "test"};
    assert_status(dls_fields_default(&experiment->fields, settings, &error), &error);
    snprintf(small, sizeof small, "%s", experiment->small);
    for (char *at, *word = strtok_r(small, " ", &at); word; word = strtok_r(NULL, " ", &at)) {
        char *value = strchr(word, '=');
        *value = 0;
        assert_status(dls_field_set(&experiment->fields, settings, word, value + 1, &error), &error);
    }
    for (size_t k = 0; k < count; k++)
        assert_status(dls_field_set(&experiment->fields, settings, options[k][0], options[k][1], &error), &error);
    assert_status(dls_study_open(experiment, &job, settings, study, &error), &error);
    assert_status(dls_study_measure(*study, &error), &error);
}

static void close_all(dls_reduced_settings *settings, dls_study *study)
{
    const dls_experiment *experiment = study->experiment;
    const char *folder = study->job->output;
    for (size_t k = 0; experiment->tables[k].stem; k++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s.tsv", folder, experiment->tables[k].stem);
        assert_int_equal(remove(path), 0);
    }
    assert_int_equal(rmdir(folder), 0); /* nothing else was left */
    dls_study_close(study);
    dls_fields_release(&experiment->fields, settings);
}

/* Both forms of a chain: the same solids at the same places, the same masses, as many degrees of freedom. */
static void test_both_forms_are_one_mechanism(void **unused)
{
    (void)unused;
    static const dls_reduced_joints joints[] = {DLS_REDUCED_HINGES, DLS_REDUCED_BALLS, DLS_REDUCED_FEW};
    static const size_t freedoms[] = {7, 21, 4};
    const double rounding = 1e-14; /* of sums of 7 rods, 3.5 m */
    for (size_t k = 0; k < 6; k++) {
        const dls_reduced_chain chain = {.links = 7, .joints = joints[k % 3], .ratio = 2.385, .arch = k >= 3};
        dls_configuration *at[DLS_REDUCED_FORMS];
        dls_model *model[DLS_REDUCED_FORMS];
        dls_error error;
        for (dls_reduced_form form = 0; form < DLS_REDUCED_FORMS; form++) {
            dls_scene *scene;
            assert_status(dls_reduced_chain_scene(&chain, form, 0.2, &scene, &error), &error);
            assert_status(dls_model_create(scene, &model[form], &error), &error);
            assert_status(dls_configuration_create(model[form], &at[form], &error), &error);
            dls_configuration_evaluate(at[form], dls_model_initial(model[form]));
            dls_scene_destroy(scene);
        }
        assert_int_equal(dls_model_count(model[DLS_REDUCED]).nv, freedoms[k % 3]);
        assert_int_equal(dls_model_count(model[DLS_MAXIMAL]).nv, 6 * chain.links);
        assert_int_equal(dls_position_errors(at[DLS_MAXIMAL], NULL, NULL, 0),
                         6 * chain.links - freedoms[k % 3] + (chain.arch ? 3 : 0));
        assert_below(dls_rigid_error(at[DLS_MAXIMAL]), rounding);
        for (size_t i = 0; i < chain.links; i++)
            assert_below(dls_norm(dls_sub(dls_reduced_centre(at[0], i), dls_reduced_centre(at[1], i))), rounding);
        assert_close(dls_energy(at[0]), dls_energy(at[1]), 123.0 * rounding); /* 123 J */
        for (size_t form = 0; form < DLS_REDUCED_FORMS; form++) {
            dls_configuration_destroy(at[form]);
            dls_model_destroy(model[form]);
        }
    }
}

/* Solved exactly both forms make the error of the step; the sweeps of the chain take as many iterations as predicted
 * from the rate that the error holds, within the part of it that decays faster; exact trajectories agree to the
 * integrator's tolerance, 1e-12 for each of its steps. */
static void check_chains(const dls_reduced_findings *f)
{
    for (size_t m = 0; m < DLS_REDUCED_MECHANISMS; m++)
        for (size_t r = 0; r < 2; r++) {
            const double reduced = f->error[m][DLS_REDUCED][r], maximal = f->error[m][DLS_MAXIMAL][r];
            print_message("# %s: %.3e and %.3e m, %g and %g iterations\n", dls_reduced_mechanisms[m].name, reduced,
                          maximal, f->needed[m][DLS_REDUCED][r], f->needed[m][DLS_MAXIMAL][r]);
            assert_true(reduced > 0.0 && maximal > 0.0);
            assert_below(fabs(reduced - maximal), 0.1 * maximal);
            assert_true(f->needed[m][DLS_REDUCED][r] < f->needed[m][DLS_MAXIMAL][r]);
        }
    assert_true(f->needed[0][DLS_REDUCED][0] == 0.0);
    assert_below(f->apart, 1e-9);
    assert_below(f->record.worst, 1e-10);
    for (size_t form = 0; form < DLS_REDUCED_FORMS; form++) /* order 1 */
        assert_close(f->fine[form] / f->error[0][form][1], 0.1, 0.01);
}

static void test_findings(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/delassus-test-XXXXXX";
    dls_reduced_settings settings;
    dls_study *study;
    measure(NULL, 0, &settings, folder, &study);
    const dls_reduced_findings *f = study->found;
    check_chains(f);
    close_all(&settings, study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_forms_are_one_mechanism),
        cmocka_unit_test(test_findings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
