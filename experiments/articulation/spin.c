/* Fast spin: gyroscopic, Coriolis and centrifugal forces under the schemes, and remedies for their instability.
 *
 * A free rotor in body axes, I w' = -w x I w = I f(w). The step v+ = v + h I^-1 (...) in the world, followed by the
 * rotation exp(h v+), which does not change v+, is explicit Euler for w' = f(w): since w.I f = 0, each step increases
 * the energy by h^2/2 f.I f. For an axisymmetric rotor with inertias (A, A, C), w_3 is constant and the other two
 * components rotate at W = (1 - C/A) w_3: an explicit step multiplies them by sqrt(1 + (h W)^2), an implicit one
 * divides them by it. An articulation has the same steps, by `coriolis` of the world, and also a semi-implicit one,
 * which does not change the magnitude of these two (coriolis.c).
 */
#include "parts.h"

#include "base/text.h"

#include <math.h>

/* --- scenes --- */

static const char rotor_body[] = "world: {gravity: [0, 0, 0], gyroscopic: %s, keep_momentum: %s}\n"
                                 "bodies:\n"
                                 "  - {name: rotor, mass: 1, inertia: %s, omega: [%.17g, %.17g, %.17g]}\n"
                                 "joints: [%s]\n";
static const char rotor_link[] = "world: {gravity: [0, 0, 0], coriolis: %s, keep_momentum: %s}\n"
                                 "articulations:\n"
                                 "  - name: tree\n"
                                 "    links:\n"
                                 "      - {name: base, static: true}\n"
                                 "      - {name: rotor, parent: base, motion: spherical, mass: 1, inertia: %s,\n"
                                 "         spin: [%.17g, %.17g, %.17g]}\n"
                                 "joints: [%s]\n";
/* Two rods; the first turns about z, the second on its end about an axis across it. */
static const char flail_reduced[] =
    "world: {gravity: [0, 0, 0], coriolis: %s}\n"
    "articulations:\n"
    "  - name: tree\n"
    "    links:\n"
    "      - {name: base, static: true}\n"
    "      - {name: arm, parent: base, motion: revolute-unwrapped, anchor: [0, 0, 0], axis: [0, 0, 1], speed: %.17g,\n"
    "         shape: box, size: [0.5, 0.04, 0.06], mass: 1, position: [0.25, 0, 0]}\n"
    "      - {name: rotor, parent: arm, motion: revolute-unwrapped, anchor: [0.5, 0, 0], axis: [0, 1, 0],\n"
    "         speed: %.17g, shape: box, size: [0.5, 0.04, 0.06], mass: 1, position: [0.75, 0, 0]}\n"
    "joints: [%s]\n";
static const char flail_maximal[] =
    "world: {gravity: [0, 0, 0]}\n"
    "bodies:\n"
    "  - {name: arm, shape: box, size: [0.5, 0.04, 0.06], mass: 1, position: [0.25, 0, 0], velocity: [0, %.17g, 0],\n"
    "     omega: [0, 0, %.17g]}\n"
    "  - {name: rotor, shape: box, size: [0.5, 0.04, 0.06], mass: 1, position: [0.75, 0, 0],\n"
    "     velocity: [0, %.17g, %.17g], omega: [0, %.17g, %.17g]}\n"
    "joints:\n"
    "  - {name: first, type: hinge, body1: arm, anchor: [0, 0, 0], axis: [0, 0, 1]}\n"
    "  - {name: second, type: hinge, body1: rotor, body2: arm, anchor: [0.5, 0, 0], axis: [0, 1, 0]}\n";

/* --- ways --- */

typedef enum solid { BODY, LINK, FLAIL, FLAIL_BODIES } solid;
typedef struct way {
    const char *name;
    solid of;
    const char *products, *keep; /* of the world: gyroscopic of bodies, coriolis of articulations; keep_momentum */
    size_t parts;                /* steps in one of the others */
    const char *joint;           /* that cures; %.17g is the number of the settings that it takes */
    bool limit;                  /* that number is the speed, else the damping */
} way;

static const way ways[DLS_SPIN_WAYS] = {
    [DLS_SPIN_EXPLICIT] = {"explicit", BODY, "explicit", "false", 1, "", false},
    [DLS_SPIN_LINK] = {"link, explicit", LINK, "explicit", "false", 1, "", false},
    [DLS_SPIN_TENTH] = {"a tenth of the step", LINK, "explicit", "false", 10, "", false},
    [DLS_SPIN_IMPLICIT] = {"implicit", BODY, "implicit", "false", 1, "", false},
    [DLS_SPIN_KEPT] = {"keep_momentum", BODY, "explicit", "true", 1, "", false},
    [DLS_SPIN_NONE] = {"none", BODY, "none", "false", 1, "", false},
    [DLS_SPIN_DAMPED] = {"damper", LINK, "explicit", "false", 1,
                         "{name: cure, type: damper, body1: tree.rotor, mode: acceleration, angular: %.17g}", false},
    [DLS_SPIN_LIMITED] = {"speed limit", LINK, "explicit", "false", 1,
                          "{name: cure, type: body-speed-limit, body1: tree.rotor, angular: %.17g}", true},
    [DLS_SPIN_SEMI] = {"semi-implicit", LINK, "semi-implicit", "false", 1, "", false},
    [DLS_SPIN_FLAIL] = {"articulation", FLAIL, "explicit", "", 1, "", false},
    [DLS_SPIN_FLAIL_TENTH] = {"a tenth of the step", FLAIL, "explicit", "", 10, "", false},
    [DLS_SPIN_FLAIL_IMPLICIT] = {"implicit", FLAIL, "implicit", "", 1, "", false},
    [DLS_SPIN_FLAIL_SEMI] = {"semi-implicit", FLAIL, "semi-implicit", "", 1, "", false},
    [DLS_SPIN_FLAIL_DAMPED] =
        {"damper", FLAIL, "explicit", "", 1,
         "{name: cure, type: drive, coordinates: {tree.rotor: 1}, mode: acceleration, damping: %.17g}", false},
    [DLS_SPIN_FLAIL_LIMITED] = {"speed limit", FLAIL, "explicit", "", 1,
                                "{name: cure, type: speed-limit, coordinates: {tree.rotor: 1}, speed: %.17g}", true},
    [DLS_SPIN_FLAIL_BODIES] = {"bodies", FLAIL_BODIES, "", "", 1, "", false},
};

static bool flails(const way *w) { return w->of >= FLAIL; }

static dls_status make_model(const dls_reduced_settings *set, const way *w, dls_model **model, dls_error *error)
{
    /* The rotor turns near its middle axis, about which no spin is steady. */
    const double s = set->spin, relative = 0.5 * s, number = w->limit ? (flails(w) ? 1.2 * relative : s) : set->damping;
    static const char inertia[] = "[0.005, 0.008, 0.012]";
    char joint[256];
    dls_scene *scene;
    dls_print(joint, sizeof joint, w->joint, number);
    if (w->of == FLAIL)
        DLS_TRY(dls_scene_text(&scene, error, flail_reduced, w->products, s, relative, joint));
    else if (w->of == FLAIL_BODIES)
        DLS_TRY(dls_scene_text(&scene, error, flail_maximal, 0.25 * s, s, 0.75 * s, -0.25 * relative, relative, s));
    else
        DLS_TRY(dls_scene_text(&scene, error, w->of == BODY ? rotor_body : rotor_link, w->products, w->keep, inertia,
                               0.1 * s, 0.99 * s, 0.1 * s, joint));
    return dls_scene_model(scene, model, error);
}

/* --- energy over time --- */

/* The angle of the rotation from one to the other. */
static double angle_between(dls_mat3 A, dls_mat3 B)
{
    double trace = 0.0; /* of A^T B */
    for (int k = 0; k < 9; k++)
        trace += A.m[k] * B.m[k];
    return acos(fmax(-1.0, fmin(1.0, 0.5 * (trace - 1.0))));
}

enum { LOOKS = 100 };
static void keep_spin(void *context, size_t k, const dls_configuration *at, const dls_state *state)
{
    dls_mat3 *to = context;
    (void)state;
    to[k] = dls_reduced_solid(at, dls_model_count(at->model).links - 2).R; /* the last link; the root is none */
}

static dls_status run_way(dls_study *study, size_t w, const dls_mat3 *exact, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    dls_reduced_findings *f = study->found;
    const way *of = &ways[w];
    const dls_rig_plan plan = {.solver = "block-pivoting", .iterations = 1, .diverges = true};
    const size_t a_look = dls_step_count(set->spun / LOOKS, set->step) * of->parts;
    dls_model *model;
    dls_rig rig;
    DLS_TRY(make_model(set, of, &model, error));
    dls_status status = dls_rig_open_model(&rig, model, &plan, error);
    if (status == DLS_OK) {
        const double start = dls_energy(dls_rig_at(&rig));
        const size_t last = flails(of);
        f->spin_energy[w] = 1.0;
        while (dls_rig_next(&rig, set->spun / (double)(LOOKS * a_look), LOOKS * a_look)) {
            if (rig.steps % a_look != 0)
                continue;
            const double energy = dls_energy(dls_rig_at(&rig)) / start;
            f->spin_energy[w] = energy;
            const double angle =
                angle_between(exact[rig.steps / a_look - 1], dls_reduced_solid(dls_rig_at(&rig), last).R);
            if (rig.steps == a_look)
                f->spin_angle[w] = angle;
            dls_table_row(study->tables[DLS_REDUCED_SPINS], "%s %s %g %g %g %g", last ? "flail" : "rotor", of->name,
                          set->spun / (double)(LOOKS * a_look), dls_rig_state(&rig)->time, energy, angle);
        }
        if (rig.failed)
            f->spin_energy[w] = HUGE_VAL;
        status = dls_rig_end(&rig);
    }
    dls_model_destroy(model);
    return status;
}

dls_status dls_reduced_spins(dls_study *study, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    dls_mat3 exact[LOOKS];
    for (dls_grid g = DLS_GRID(DLS_SPIN_WAYS); dls_study_next(study, &g);) {
        const way *w = &ways[g.at[0]];
        if (g.at[0] == 0 || flails(w) != flails(w - 1)) { /* another mechanism: a link without a cure */
            dls_model *model;
            DLS_TRY(make_model(set, flails(w) ? w : w + 1, &model, error));
            dls_status status = dls_reduced_exactly(model, set->spun / LOOKS, LOOKS, keep_spin, exact, error);
            dls_model_destroy(model);
            DLS_TRY(status);
        }
        DLS_TRY(run_way(study, g.at[0], exact, error));
    }
    return DLS_OK;
}

/* --- growth of a step --- */

static const struct {
    const char *name;
    solid of;
    const char *products;
    double sign; /* of the logarithm of its factor, in theory */
} growths[] = {{"explicit", BODY, "explicit", 1.0},
               {"link, explicit", LINK, "explicit", 1.0},
               {"implicit", BODY, "implicit", -1.0},
               {"link, implicit", LINK, "implicit", -1.0},
               {"link, semi-implicit", LINK, "semi-implicit", 0.0}};
enum { GROWTHS = sizeof growths / sizeof growths[0], TURNS = 5 };

static double across(const dls_rig *rig)
{
    const dls_end end = dls_reduced_solid(dls_rig_at(rig), 0);
    const dls_vec3 w = dls_tmul3(end.R, end.omega);
    return hypot(w.x, w.y);
}

dls_status dls_reduced_growth(dls_study *study, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    dls_reduced_findings *f = study->found;
    for (dls_grid g = DLS_GRID(GROWTHS, 9); dls_study_next(study, &g);) {
        const double hW = 0.01 * pow(2.0, (double)g.at[1]), s = hW / set->step, tilt = 1e-6 * s;
        const dls_rig_plan plan = {.solver = "block-pivoting", .iterations = 1};
        dls_scene *scene;
        dls_rig rig;
        DLS_TRY(dls_scene_text(&scene, error, growths[g.at[0]].of == BODY ? rotor_body : rotor_link,
                               growths[g.at[0]].products, "false", "[0.006, 0.006, 0.012]", tilt, 0.0, s, ""));
        DLS_TRY(dls_rig_open(&rig, scene, &plan, error));
        while (dls_rig_next(&rig, set->step, TURNS))
            ;
        const double growth = log(across(&rig) / tilt) / TURNS,
                     predicted = growths[g.at[0]].sign * 0.5 * log1p(hW * hW);
        DLS_TRY(dls_rig_end(&rig));
        f->growth_error = fmax(f->growth_error, fabs(growth - predicted));
        dls_table_row(study->tables[DLS_REDUCED_GROWTHS], "%s %g %g %g", growths[g.at[0]].name, hW, growth, predicted);
    }
    return DLS_OK;
}
