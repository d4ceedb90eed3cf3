/* Experiment: a body on a track against closed forms. track-joint, all of it.
 *
 * A helix under gravity, a hump and a loop, a track on a free body, the printed angle error, a transition from a line
 * to a curve with and without a clothoid, and a small railway. The file of each study derives its closed form.
 */
#include "track/parts.h"

#define FIELD(...) DLS_SETTING(dls_track_settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(step, "s", REAL, "1 ms", 1e-5, 0.1,
          "time step; studies of the order also use 8, 4, 2 and 1/2 times this step"),
    FIELD(contact_step, "s", REAL, "0.2 ms", 1e-5, 0.1, "time step of hump and loop"),
    FIELD(seconds, "s", REAL, "1", 0.01, 2, "duration of a ride down the helix"),
    FIELD(iterations, "", COUNT, "100", 1, 1e6,
          "iterations of PGS per step; sweeps that are compared have 100 times as many"),
    FIELD(substeps, "", COUNT, "20", 1, 1e4, "iterations of TGS per step"),
};

static const dls_experiment_table tables[] = {
    [DLS_TRACK_HISTORY] = {.stem = "track.history", .columns = dls_history_columns},
    [DLS_TRACK_SUMMARY] = {.stem = "track.summary", .columns = dls_summary_columns},
    [DLS_TRACK_ORDER] = {.stem = "track.order", .columns = "method\terp\tstep[s]\terror_of_s\toff_rail[m]"},
    [DLS_TRACK_ANGLE] = {.stem = "track.angle", .columns = "angle\terp\tstep\ttheta[rad]"},
    [DLS_TRACK_MOMENTUM] = {.stem = "track.momentum",
                            .columns = "update\tspin[rad/s]\tstep[s]\tlost_linear\tlost_angular"},
    [DLS_TRACK_CONTACT] = {.stem = "track.contact",
                           .columns =
                               "k\tleaves[deg]\tleaves_exactly[deg]\tleast_speed[m/s]\tleast_speed_exactly[m/s]"},
    [DLS_TRACK_FLIGHT] =
        {.stem = "track.flight",
         .columns = "update\tderail[m]\tstep[s]\theight[m]\toff_parabola[m]\terror_of_s[m]\tenergy_gained[J]"},
    [DLS_TRACK_LATERAL] = {.stem = "track.lateral",
                           .columns =
                               "track\ts[m]\tcurvature[1/m]\tlateral[N]\tlateral_exactly[N]\tdrive[N]\tyaw[N m]"},
    [DLS_TRACK_RAILWAY] = {.stem = "track.railway",
                           .columns =
                               "wagon\ttime[s]\ts[m]\tx[m]\ty[m]\tspeed[m/s]\tcurvature[1/m]\tlateral[N]\tsupport[N]"},
    {.stem = NULL},
};

static const dls_experiment_part parts[] = {
    {"order", dls_track_order},       {"angles", dls_track_angles},
    {"momentum", dls_track_momentum}, {"contact", dls_track_contact},
    {"flight", dls_track_flight},     {"lateral", dls_track_lateral},
    {"railway", dls_track_railway},   {NULL, NULL},
};

static dls_status figures(dls_study *study, dls_error *error)
{
    static const struct {
        const char *script;
        size_t table;
        const char *caption;
    } all[] = {
        {"track-order", DLS_TRACK_ORDER,
         "A bead slides down a helix, with four error reduction parameters. Left: the relative error of the distance "
         "that it has travelled, against a t^2 / 2; right: how far it comes off the rail. Both fall in proportion to "
         "the step or faster, whether the steps are dense, of PGS or of TGS."},
        {"track-angle", DLS_TRACK_ANGLE,
         "What is left of an angle error of 0.5 rad after each step, with four error reduction parameters; below 1e-15 "
         "is rounding, where lines leave the frame. The angle is read from half of the sum of cross products, from the "
         "sum as printed, and from the rotation vector. The printed sum counts the angle twice: an ERP of 0.5 then "
         "acts as 1 should, and 1 does not converge."},
        {"track-contact", DLS_TRACK_CONTACT,
         "A rail that does not pull, over k = m / (m + I / R^2), measured (points) and in closed form (lines). Left: "
         "where a cart leaves a hump; right: the least speed that takes it through a loop."},
        {"track-lateral", DLS_TRACK_LATERAL,
         "A motor holds 1.5 m/s from a line into an arc of 2 m, over a clothoid and straight into it. Left: the "
         "lateral "
         "force, against m u^2 c. Middle and right: the force of the motor, which has to turn the cart too, on an axis "
         "of its own for each track."},
        {"track-railway", DLS_TRACK_RAILWAY,
         "Three coupled wagons on a closed track of lines, clothoids and banked arcs. Left: the track from above, in "
         "the colour of the lateral force on the engine. Right: curvature (times 100) and the lateral force on each "
         "wagon along the track."}};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        dls_figure figure;
        dls_figure_begin(&figure, study, all[k].script, all[k].table, NULL);
        DLS_TRY(dls_figure_draw(&figure, error, "%s", all[k].caption));
    }
    return DLS_OK;
}

const dls_experiment dls_experiment_track = {
    .name = "track",
    .summary = "bodies on tracks against closed forms: helix, hump, loop, a track on a free body, a railway",
    .title = "Track joints",
    .question = "Does a body on a track move as closed forms predict?",
    .varies = "track, method, ERP, step, curvature",
    .measures = "errors of the arc length and of angles, lateral forces, momentum",
    .shows = "orders of the error, the effect of the printed angle error, and the lateral force that a clothoid avoids",
    .mechanisms = "helix hump loop-track railway",
    .fields = DLS_FIELD_TABLE(fields, dls_track_settings),
    .small = "seconds=0.1 step=0.004 contact_step=0.002 iterations=10",
    .tables = tables,
    .parts = parts,
    .figures = figures,
};
