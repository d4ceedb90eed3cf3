/* Experiment: scenes of exact Coulomb friction, with their truth.
 *
 * A solver of forward-backward-forward splittings under the exact cone (2026; its scenes are known from DART's pull
 * request 3377) was shown on an incline, a ball with backspin, a turntable, a sliding box, houses of cards and masonry
 * arches, by pictures and residuals. Here each has its truth: closed forms, and proofs that an equilibrium exists or
 * does not. */
#include "coulomb/parts.h"

#include <stdio.h>
#include <string.h>

#define FIELD(...) DLS_SETTING(dls_coulomb_settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(mu, "", REAL, "0.8", 0.01, 4, "friction coefficient of houses and arches"),
    FIELD(levels, "", COUNTS, "1, 2, 3, 4, 10", 1, 12, "levels of houses of cards"),
    FIELD(arches, "", COUNTS, "25, 101", 5, 300, "stones of catenary arches"),
    FIELD(stones, "", COUNTS, "6, 12, 24, 48, 96", 3, 300, "stones of round arches"),
    FIELD(methods, "", NAMES, "baumgarte, split-impulse, moreau-jean, midpoint", 0, 0,
          "methods of constraint stabilisation under which the scenes move"),
    FIELD(steps, "s", REALS, "0.016666666666666666, 0.008333333333333333, 0.004166666666666667", 1e-4, 0.1,
          "time steps of the scenes in motion"),
    FIELD(stand_levels, "", COUNT, "4", 1, 10, "levels of the house that is to stand"),
    FIELD(stand_stones, "", COUNT, "25", 5, 101, "stones of the arch that is to stand"),
    FIELD(stand_methods, "", NAMES, "baumgarte, moreau-jean", 0, 0,
          "methods of constraint stabilisation under which both stand"),
    FIELD(stand_solver, "", NAME, "ppa", 0, 0, "solver of each of their steps, from warm starts"),
    FIELD(stand_iterations, "", COUNT, "1000", 1, 1e6, "greatest number of iterations of that solver"),
    FIELD(stand_time, "s", REAL, "60", 0.01, 1e4, "time for which they stand"),
    FIELD(stand_step, "s", REAL, "0.016666666666666666", 1e-4, 0.1, "time step with which they stand"),
    FIELD(slopes, "", REALS, "0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7", 1e-3, 3,
          "tangents of slopes on which a block creeps"),
    FIELD(creep_time, "s", REAL, "4", 0.1, 1000, "duration of a creep, whose second half is measured"),
    FIELD(width, "", REAL, "1e-9", 1e-15, 0.1, "width of the brackets of friction and thickness"),
};

static const dls_experiment_table tables[] = {
    [DLS_COULOMB_EQUILIBRIA] = {.stem = "coulomb.equilibria",
                                .columns = "structure\tsize\tbodies\tjoints\tfreedoms\tmu\tequilibrium\tmu_refuted"
                                           "\tmu_proved\tclosed_form_mu\thinges\tslips"},
    [DLS_COULOMB_THICKNESS] = {.stem = "coulomb.thickness",
                               .columns = "stones\tthickness_refuted\tthickness_proved\tcontinuous\tdifference"},
    [DLS_COULOMB_MOTIONS] =
        {.stem = "coulomb.motions",
         .columns = "scene\tmu\tturn[rad/s]\ttime[s]\tmethod\tstep[s]\ttrue_x[m]\tx[m]\tposition_error[m]"
                    "\tvelocity_error[m/s]\tspin_error[rad/s]\tsteps\tcertified\tb_off[m/s]\tmu_off\tw_radius"},
    [DLS_COULOMB_STAND] =
        {.stem = "coulomb.stand",
         .columns =
             "structure\tmethod\ttime[s]\tfarthest[m]\tspeed[m/s]\tresidual\tcertified\texamined\tb_off[m/s]\tmu_off"},
    [DLS_COULOMB_CREEP] = {.stem = "coulomb.creep",
                           .columns = "case\ttangent\timpratio\tsource\tlaw[m/s]\tspeed[m/s]\tdifference"},
    [DLS_COULOMB_OUTLINES] = {.stem = "coulomb.outlines",
                              .columns = "structure\tsize\tblock\tx[m]\tz[m]\tdx[m]\tdz[m]"},
    [DLS_COULOMB_FORCES] = {.stem = "coulomb.forces",
                            .columns = "structure\tsize\tjoint\tx[m]\tz[m]\tfx[m^2]\tfz[m^2]"},
    {.stem = NULL},
};

static const dls_experiment_part parts[] = {
    {"motions", dls_coulomb_motions},       {"creep", dls_coulomb_creep},         {"stand", dls_coulomb_stand},
    {"equilibria", dls_coulomb_equilibria}, {"thickness", dls_coulomb_thickness}, {NULL, NULL}};

static dls_status mechanism(const char *name, dls_scene **scene, dls_error *error)
{
    const dls_coulomb_case *c = dls_coulomb_cases;
    while (c->name && strcmp(c->name, name) != 0)
        c++;
    *scene = NULL;
    return c->name ? c->scene(c, scene, error) : dls_fail(error, DLS_BAD_ARGUMENT, "there is no scene '%s'", name);
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    const dls_coulomb_settings *set = study->settings;
    const dls_coulomb_findings *f = study->found;
    snprintf(finding->figure, sizeof finding->figure, "coulomb");
    snprintf(
        finding->sentence, sizeof finding->sentence,
        "Of %zu houses of cards and arches %zu have an equilibrium by exact proof, and in %g s of certified steps no "
        "block moves farther than %.1e m; of %zu steps of the scenes in motion %zu are certified; the thinnest arch "
        "tends to %.6f of its radius.",
        f->structures, f->standing, set->stand_time, f->farthest, f->steps, f->certified, f->limit);
}

const dls_experiment dls_experiment_coulomb = {
    .name = "coulomb",
    .summary = "scenes of exact Coulomb friction: closed forms, proved equilibria, certified steps",
    .title = "Exact Coulomb friction",
    .question =
        "Which scenes of exact friction does a certified step reproduce, and which structures can stand at all?",
    .varies =
        "the scheme and its step; the friction coefficient, the numbers of cards and stones, the thickness of an arch",
    .measures = "distances from the true motion, certificates of steps, equilibria by proof, least friction and "
                "thickness, creep",
    .shows =
        "what is true of scenes that were published as pictures, and what a scheme with exact answers makes of them",
    .mechanisms = "incline backspin turntable box",
    .mechanism = mechanism,
    .fields = DLS_FIELD_TABLE(fields, dls_coulomb_settings),
    .small = "levels=1,2 arches=9 stones=6,12 width=1e-6 methods=moreau-jean steps=0.016666666666666666 stand_levels=1 "
             "stand_stones=7 stand_methods=moreau-jean stand_time=0.5 slopes=0.3 creep_time=1",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(dls_coulomb_findings),
    .figures = dls_coulomb_figures,
    .conclude = conclude,
};
