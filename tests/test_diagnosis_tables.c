/* The diagnosis of a run's tables: its gains are those of the run, whatever samples they have; a time is told only with
 * a finding; and what a table does not have is told. */
#include "problems.h"

#include "delassus/diagnosis.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "test_diagnosis_tables.XXXXXX", energies[64], places[64];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return 1;
    snprintf(energies, sizeof energies, "%s/s.energy.tsv", folder);
    snprintf(places, sizeof places, "%s/s.trajectory.tsv", folder);
    return 0;
}

static int remove_folder(void **state)
{
    static const char *const names[] = {"s.ledger.tsv", "s.ledger-joints.tsv", "s.events.tsv", "s.changes.tsv",
                                        "s.joints.tsv", "s.energy.svg",        "s.energy.png", "s.energy.caption.txt"};
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        remove(path);
    }
    remove(energies);
    remove(places);
    return rmdir(folder);
}

TESTS_WITH(make_folder, remove_folder)

static const dls_diagnosis_finding *find_cause(const dls_diagnosis *d, dls_fault_cause cause, const char *words)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->finding[i].cause == cause && strstr(d->finding[i].text, words))
            return &d->finding[i];
    return NULL;
}

/* --- tables of a run --- */

/* A rod that starts with an error e, at rest: ERP gives the body the speed ERP e / h, and its energy of rest is 5e-5 J
 * per kg. With `moving` another body has more energy than that. */
static const char apart[] = "world: {gravity: [0, 0, 0]}\n"
                            "bodies:\n"
                            "  - {name: ball, shape: sphere, radius: 0.1, mass: 1.7, position: [0, 0, 0]}\n"
                            "  - {name: fast, shape: sphere, radius: 0.1, mass: 2, position: [0, 3, 1], velocity: "
                            "[0, 0, %s]}\n"
                            "joints:\n"
                            "  - {name: rod, type: distance, body1: ball, anchor1: [0, 0, 0], anchor2: [1, 0, 0], "
                            "length: 0.97, erp: 0.2}\n";

static void run_tables(const char *speed, size_t samples, double energy_limit, dls_diagnosis *of_run)
{
    char text[1024];
    dls_error error;
    dls_settings settings;
    dls_run_result result;
    const dls_job job = {.output = folder, .command = "test", .figures = 1u << DLS_FIGURE_SVG};
    snprintf(text, sizeof text, apart, speed);
    dls_scene *scene = parse_scene(text);
    dls_model *model;
    assert_status(dls_model_create(scene, &model, &error), &error);
    dls_run run = {.model = model,
                   .scene = scene,
                   .stem = "s",
                   .scheme = dls_scheme_find("euler"),
                   .step = 1e-3,
                   .duration = 0.05,
                   .samples = samples,
                   .energy_limit = energy_limit,
                   .watch = true};
    assert_status(dls_fields_default(&dls_warm_fields, &run.warm, &error), &error);
    assert_status(dls_choice_create("lemke", &run.choice, &error), &error);
    assert_status(dls_settings_create(&run.scheme->fields, &settings, &error), &error);
    run.scheme_settings = settings.values;
    const dls_status status = dls_run_trajectory(&job, &run, &result, &error);
    if (status != DLS_UNAVAILABLE) /* gnuplot may not be there: the tables come first */
        assert_status(status, &error);
    assert_status(dls_diagnose_run(of_run, &run, &result, &error), &error);
    dls_settings_release(&settings);
    dls_choice_release(&run.choice);
    dls_model_destroy(model);
    dls_scene_destroy(scene);
}

/* The share and severity of a gain are those of the run, and its closed form, for any number of samples. */
TEST(gains_of_tables_are_those_of_the_run)
{
    static const struct {
        const char *speed;
        double scale; /* [J] */
        bool fault;
    } cases[] = {{"0", 3.7 * 5e-5, true}, {"-40", 0.5 * 2.0 * 40.0 * 40.0, false}};
    static const size_t samples[] = {0, 5, 1};
    const double gain = 0.5 * 1.7 * pow(0.2 * 0.03 / 1e-3, 2);
    for (size_t c = 0; c < 2; c++)
        for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++) {
            dls_diagnosis *of_run, *of_tables;
            dls_error error;
            double first;
            assert_status(dls_diagnosis_create(&of_run, &error), &error);
            assert_status(dls_diagnosis_create(&of_tables, &error), &error);
            run_tables(cases[c].speed, samples[k], HUGE_VAL, of_run);
            assert_status(dls_diagnose_tables(of_tables, energies, &first, &error), &error);
            const dls_diagnosis_finding *run = find_cause(of_run, DLS_FAULT_ENERGY, "");
            const dls_diagnosis_finding *tables = find_cause(of_tables, DLS_FAULT_ENERGY, "");
            assert_non_null(run);
            assert_non_null(tables);
            assert_true(tables->value == run->value);
            assert_close(tables->value, gain / cases[c].scale, 1e-9 * gain / cases[c].scale);
            assert_int_equal(tables->severity, run->severity);
            assert_int_equal(tables->severity, cases[c].fault ? DLS_SEVERITY_FAULT : DLS_SEVERITY_RISK);
            assert_non_null(strstr(tables->text, "'bias'"));
            if (samples[k] == 0)
                assert_close(first, 1e-3, 1e-15);
            dls_diagnosis_destroy(of_run);
            dls_diagnosis_destroy(of_tables);
        }
}

/* --- tables by hand --- */

#define HEAD "time[s]\tkinetic[J]\tpotential[J]\telastic[J]\tjoint_error[m]\tjoint_error[rad]\toutcome\tscaled_residual"
#define ACCOUNT "\tgain[J]\tgain_scale[J]\tgain_column"
#define SOUND "\t0\t0\tsolved\t0"
#define TWO_PLACES "time[s]\tx[m]\ty[m]\tz[m]\n0\t1\t0\t0\n0\t-1\t0\t0\n1\t9\t9\t9\n"

static const struct {
    const char *text, *places;
    double first;              /* NaN: there is no finding */
    double growth, drift;      /* the numbers of the findings; 0: there is none */
    const char *unmeasured[4]; /* words of the notes, all of them */
} tables[] = {
    /* an energy that was relative to little, and is relative to much at the end */
    {HEAD "\n0\t1\t0\t0" SOUND "\n1\t12\t0\t0" SOUND "\n2\t1000\t-999\t0" SOUND "\n",
     TWO_PLACES,
     NAN,
     0,
     0,
     {"energy that nothing gives"}},
    {HEAD "\n0\t1\t0\t0" SOUND "\n1\t12\t0\t0" SOUND "\n2\t1\t0\t0" SOUND "\n",
     TWO_PLACES,
     1.0,
     11,
     0,
     {"energy that nothing gives"}},
    /* springs store what a mechanism starts with, and give it without growth */
    {HEAD "\n0\t0\t0\t5" SOUND "\n1\t5\t0\t0" SOUND "\n2\t60\t0\t0" SOUND "\n",
     TWO_PLACES,
     2.0,
     11,
     0,
     {"energy that nothing gives"}},
    {HEAD "\n0\t0\t0\t5" SOUND "\n1\t5\t0\t0" SOUND "\n2\t50\t0\t0" SOUND "\n",
     TWO_PLACES,
     NAN,
     0,
     0,
     {"energy that nothing gives"}},
    /* all energy is growth */
    {HEAD "\n0\t0\t0\t0" SOUND "\n1\t7\t0\t0" SOUND "\n",
     TWO_PLACES,
     NAN,
     0,
     0,
     {"energy that nothing gives", "the growth of its energy"}},
    {HEAD "\n0\t1\t0\tnan" SOUND "\n1\t1\t0\t0" SOUND "\n",
     TWO_PLACES,
     NAN,
     0,
     0,
     {"energy that nothing gives", "the growth of its energy is in part"}},
    /* an account says what grows; what drives give is none */
    {HEAD ACCOUNT "\n0\t1\t0\t0" SOUND "\t0\t1\t-\n1\t70\t0\t0" SOUND "\t0\t70\t-\n", TWO_PLACES, NAN, 0, 0, {NULL}},
    {HEAD ACCOUNT "\n0\t1\t0\t0" SOUND "\t0\t1\t-\n1\t9\t0\t0" SOUND "\t2\t2\tbias\n2\t99\t0\t0" SOUND
                  "\t3\t100\tbias\n",
     TWO_PLACES,
     1.0,
     0.03,
     0,
     {NULL}},
    {HEAD ACCOUNT "\n0\t1\t0\t0" SOUND "\t0\t1\t-\n1\t9\t0\t0" SOUND "\t2\t2\tbias\n2\t99\t0\t0" SOUND
                  "\t2\t500\tbias\n",
     TWO_PLACES,
     NAN,
     0,
     0,
     {NULL}},
    {HEAD ACCOUNT "\n0\t1\t0\t0" SOUND "\tnan\tnan\t-\n", TWO_PLACES, NAN, 0, 0, {"energy that nothing gives"}},
    /* errors against half the distance of two bodies */
    {HEAD ACCOUNT "\n0\t1\t0\t0\t0.04\t0\tsolved\t0\t0\t1\t-\n3\t1\t0\t0\t0.2\t0\tsolved\t0\t0\t1\t-\n",
     TWO_PLACES,
     3.0,
     0,
     0.2,
     {NULL}},
    {HEAD ACCOUNT "\n0\t1\t0\t0\t0.04\t0\tsolved\t0\t0\t1\t-\n3\t1\t0\t0\t0.2\t0\tsolved\t0\t0\t1\t-\n",
     NULL,
     NAN,
     0,
     0,
     {"the drift of joints"}},
    {HEAD ACCOUNT "\n0\t1\t0\t0\t0.04\t0\tsolved\t0\t0\t1\t-\n",
     "time[s]\tx[m]\ty[m]\tz[m]\n0\t1\t0\t0\n",
     NAN,
     0,
     0,
     {"the drift of joints"}},
    {HEAD ACCOUNT "\n0\t1\t0\t0\t0\t0\tsolved\t0\t0\t1\t-\n", NULL, NAN, 0, 0, {NULL}}, /* none to compare */
    /* residuals */
    {HEAD ACCOUNT "\n0\t1\t0\t0\t0\t0\tsolved\tnan\t0\t1\t-\n", TWO_PLACES, NAN, 0, 0, {"residuals"}},
};

static void write_file(const char *path, const char *text)
{
    remove(path);
    FILE *to = text ? fopen(path, "w") : NULL;
    if (to) {
        fputs(text, to);
        fclose(to);
    }
}

TEST(times_come_with_findings_and_figures_that_are_missing_are_told)
{
    for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++) {
        dls_diagnosis *d;
        dls_error error;
        double first;
        size_t notes = 0;
        write_file(energies, tables[k].text);
        write_file(places, tables[k].places);
        assert_status(dls_diagnosis_create(&d, &error), &error);
        assert_status(dls_diagnose_tables(d, energies, &first, &error), &error);
        const dls_diagnosis_finding *growth = find_cause(d, DLS_FAULT_ENERGY, ""),
                                    *drift = find_cause(d, DLS_FAULT_DRIFT, "");
        if (isnan(first) != isnan(tables[k].first) || (!isnan(first) && first != tables[k].first))
            fail_msg("table %zu: first at %g", k, first);
        if ((growth != NULL) != (tables[k].growth > 0.0) || (drift != NULL) != (tables[k].drift > 0.0))
            fail_msg("table %zu: %s", k, growth ? growth->text : drift ? drift->text : "nothing is found");
        if (growth)
            assert_close(growth->value, tables[k].growth, 1e-7 * tables[k].growth);
        if (drift)
            assert_close(drift->value, tables[k].drift, 1e-15);
        for (; tables[k].unmeasured[notes]; notes++)
            if (!find_cause(d, DLS_FAULT_UNMEASURED, tables[k].unmeasured[notes]))
                fail_msg("table %zu: nothing is told of %s", k, tables[k].unmeasured[notes]);
        assert_int_equal(dls_diagnosis_count(d, DLS_SEVERITY_NOTE), notes);
        dls_diagnosis_destroy(d);
    }
}

/* A run without account, watch and examined steps has notes of these figures, and one with them has none. */
TEST(figures_that_a_run_was_not_asked_for_are_told)
{
    static const dls_run_result result = {.steps = 1, .worst_linear = 1e-3};
    static const char *const words[] = {"energy that nothing gives", "residuals", "contacts that chatter",
                                        "the drift of joints"};
    dls_error error;
    for (int all = 0; all < 2; all++) {
        dls_diagnosis *d;
        dls_run_result r = result;
        dls_run run = {.watch = all, .ledger = all};
        assert_status(dls_choice_create("pgs", &run.choice, &error), &error);
        assert_status(dls_diagnosis_create(&d, &error), &error);
        r.examined = (size_t)all;
        d->length = all ? 1.0 : 0.0;
        assert_status(dls_diagnose_run(d, &run, &r, &error), &error);
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
            assert_true((find_cause(d, DLS_FAULT_UNMEASURED, words[k]) != NULL) == !all);
        r.warm.largest = 201;
        assert_status(dls_diagnose_run(d, &run, &r, &error), &error);
        assert_non_null(find_cause(d, DLS_FAULT_UNMEASURED, "201 rows"));
        dls_diagnosis_destroy(d);
        dls_choice_release(&run.choice);
    }
}
