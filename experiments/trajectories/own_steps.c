/* The theta method of Moreau and Jean with theta = 1/2, which takes nothing back of an error of position: the scheme
 * of most of the published runs, made by this program. Its error is the error that is expected of them. */
#include "trajectories/parts.h"

#include <math.h>
#include <stdlib.h>

typedef struct stepper {
    const dls_planar_example *example;
    dls_model *model;
    dls_choice choice;
    void *settings;
    dls_simulation *simulation;
} stepper;

static dls_status open_stepper(stepper *s, size_t iterations, dls_error *error)
{
    const dls_scheme *scheme = dls_scheme_find("moreau-jean");
    dls_simulation_options options = dls_simulation_default();
    dls_scene *scene;
    s->settings = malloc(scheme->fields.size);
    if (!s->settings)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the settings of %s", scheme->name);
    DLS_TRY(dls_fields_default(&scheme->fields, s->settings, error));
    DLS_TRY(dls_field_set(&scheme->fields, s->settings, "feedback", "none", error));
    DLS_TRY(dls_choice_create(s->example->solver, &s->choice, error));
    DLS_TRY(dls_scene_text(&scene, error, "%s", s->example->scene));
    DLS_TRY(dls_scene_model(scene, &s->model, error));
    options.scheme = scheme, options.scheme_settings = s->settings;
    options.solver = s->choice.solver, options.solver_settings = s->choice.settings;
    options.iterations = iterations;
    return dls_simulation_open(s->model, &options, &s->simulation, error);
}

static void close_stepper(stepper *s)
{
    dls_simulation_close(s->simulation);
    dls_choice_release(&s->choice);
    dls_model_destroy(s->model);
    free(s->settings);
}

/* Steps of h, of which `parts` lead from one row to the next. */
static dls_status take_steps(stepper *s, double h, size_t parts, dls_traced_motion *own, dls_error *error)
{
    for (size_t k = 0; k < own->rows; k++) {
        for (size_t j = 0; k > 0 && j < parts; j++)
            DLS_TRY(dls_simulation_step(s->simulation, h, error));
        dls_traced_read(s->example, dls_simulation_configuration(s->simulation), own->value + k * own->n,
                        own->rate + k * own->n);
        own->reached = k + 1;
    }
    return DLS_OK;
}

dls_status dls_own_steps(const dls_planar_example *example, double step, size_t parts, size_t iterations, size_t rows,
                         dls_traced_motion *own, dls_error *error)
{
    stepper s = {.example = example};
    DLS_TRY(dls_traced_create(example, rows, own, error));
    dls_status status = open_stepper(&s, iterations, error);
    if (status == DLS_OK)
        status = take_steps(&s, step / (double)parts, parts, own, error);
    if (status != DLS_OK)
        dls_traced_release(own);
    close_stepper(&s);
    return status;
}
