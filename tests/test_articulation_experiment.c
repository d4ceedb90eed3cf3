/* The experiment on articulations, in small: the same solids in both kinds of coordinates, and what each study finds.
 */
#include "studies.h"

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
    remove_tables("articulation", study->job->output);
    close_study("articulation", settings, study);
}

/* Both forms of a chain: the same solids at the same places, the same masses, as many degrees of freedom. */
TEST(test_both_forms_are_one_mechanism)
{
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
            assert_below(dls_norm(dls_sub(dls_reduced_solid(at[0], i).x, dls_reduced_solid(at[1], i).x)), rounding);
        assert_close(dls_energy(at[0]), dls_energy(at[1]), 123.0 * rounding); /* 123 J */
        for (size_t form = 0; form < DLS_REDUCED_FORMS; form++) {
            dls_configuration_destroy(at[form]);
            dls_model_destroy(model[form]);
        }
    }
}

/* Solved exactly both forms make the error of the step; the sweeps of the chain take as many iterations as predicted
 * from the rate that the error holds, within the part of it that decays faster; reference trajectories agree to the
 * integrator's tolerance, 1e-12 for each of its steps. */
static void check_chains(const dls_reduced_findings *f)
{
    for (size_t m = 0; m < DLS_REDUCED_MECHANISMS; m++)
        for (size_t r = 0; r < 2; r++) {
            const double reduced = f->error[m][DLS_REDUCED][r], maximal = f->error[m][DLS_MAXIMAL][r];
            print_message("# %s: %.3e and %.3e m, %g and %g iterations\n", dls_reduced_mechanism_names[m], reduced,
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

/* Held by a fixed joint and solved exactly, the base does not move: rounding of an arm of 3 m over 20 steps. */
static void check_base(const dls_reduced_findings *f)
{
    assert_true(f->held_apart > 0.0);
    assert_below(f->held_apart, 1e-13);
}

/* The border is bisected to 1e-6. Of small steps an implicit drive's spectral radius is 1 - O(h^2 kp / m). */
static void check_drives(const dls_reduced_findings *f)
{
    assert_below(f->border_error, 1e-6);
    assert_true(f->implicit_radius > 0.0 && f->implicit_radius < 1.0);
    assert_true(f->stiffest >= 1e6);
    for (int k = 0; k < 3; k++) /* steps of 0.1 s / 80 and less, of drives whose time constant is 0.1 s */
        assert_close(f->drive_order[k], 1.0, 0.05);
}

/* The free link does what the body does; a shorter step helps in proportion; without the torque the energy stays. The
 * growth of a step is that of the linear law: the tilt is 1e-6, its square 1e-12. */
static void check_spin(const dls_reduced_findings *f)
{
    const double *energy = f->spin_energy, *angle = f->spin_angle;
    assert_true(energy[DLS_SPIN_EXPLICIT] > 1.001);
    assert_close(energy[DLS_SPIN_LINK], energy[DLS_SPIN_EXPLICIT], 1e-10);
    assert_close((energy[DLS_SPIN_TENTH] - 1.0) / (energy[DLS_SPIN_EXPLICIT] - 1.0), 0.1, 0.02);
    assert_true(energy[DLS_SPIN_IMPLICIT] < 0.999);
    assert_true(energy[DLS_SPIN_KEPT] < 1.0);
    assert_close(energy[DLS_SPIN_NONE], 1.0, 1e-12);
    assert_true(energy[DLS_SPIN_FLAIL] > energy[DLS_SPIN_FLAIL_TENTH] && energy[DLS_SPIN_FLAIL_TENTH] > 1.0);
    assert_true(energy[DLS_SPIN_FLAIL_BODIES] < 1.0);
    assert_close(energy[DLS_SPIN_SEMI], 1.0, 0.02 * (energy[DLS_SPIN_EXPLICIT] - 1.0));
    assert_true(energy[DLS_SPIN_FLAIL_IMPLICIT] < 1.0);
    assert_close(energy[DLS_SPIN_FLAIL_SEMI], 1.0, 0.1 * (1.0 - energy[DLS_SPIN_FLAIL_IMPLICIT]));
    print_message("# off the exact rotation: %.2e, a tenth of the step %.2e, no torque %.2e rad\n",
                  angle[DLS_SPIN_EXPLICIT], angle[DLS_SPIN_TENTH], angle[DLS_SPIN_NONE]);
    assert_true(angle[DLS_SPIN_NONE] > 5.0 * angle[DLS_SPIN_EXPLICIT]);
    assert_close(angle[DLS_SPIN_TENTH] / angle[DLS_SPIN_EXPLICIT], 0.1, 0.02);
    assert_below(f->growth_error, 1e-11);
}

TEST(test_findings)
{
    char folder[] = "/tmp/delassus-test-XXXXXX";
    dls_reduced_settings settings;
    dls_study *study;
    static const char *const options[][2] = {{"spun", "1"}};
    measure(options, 1, &settings, folder, &study);
    const dls_reduced_findings *f = study->found;
    check_chains(f);
    check_base(f);
    check_drives(f);
    check_spin(f);
    for (size_t k = 0; k < DLS_REDUCED_KINDS; k++)
        for (size_t form = 0; form < DLS_REDUCED_FORMS; form++)
            assert_true(f->cost[k][form] > 0.0);
    close_all(&settings, study);
}

TEST(test_runs_without_a_step_are_refused)
{
    static const char *const wrong[][2] = {{"duration", "0.001"}, {"spun", "0.999"}};
    const dls_experiment *experiment = dls_experiment_find("articulation");
    const dls_job job = {.output = "/tmp", .command = "test"};
    for (size_t k = 0; k < 2; k++) {
        dls_reduced_settings settings;
        dls_study *study;
        dls_error error;
        assert_status(dls_fields_default(&experiment->fields, &settings, &error), &error);
        assert_status(dls_field_set(&experiment->fields, &settings, "step", "0.01", &error), &error);
        assert_status(dls_field_set(&experiment->fields, &settings, wrong[k][0], wrong[k][1], &error), &error);
        assert_int_equal(dls_study_open(experiment, &job, &settings, &study, &error), DLS_BAD_INPUT);
        assert_string_equal(error.key, wrong[k][0]);
        dls_fields_release(&experiment->fields, &settings);
    }
}
