/* A run as its options describe it, and all that it is made of. */
#include "prepared.h"

#include <stdio.h>
#include <string.h>

/* --set of a run: keys of a scene go there, "scheme.KEY" to the scheme, "warm.KEY" to warm starts, all else to the
 * solver. */
static const char scheme_prefix[] = "scheme.", warm_prefix[] = "warm.";

static bool has_prefix(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

static bool set_fields(const arguments *a, const char *prefix, const dls_field_table *table, void *settings)
{
    char key[DLS_NAME_MAX];
    const char *value;
    dls_error error;
    for (size_t i = 0; i < a->n_options; i++) {
        if (strcmp(a->options[i].name, "set") != 0 || !has_prefix(a->options[i].value, prefix))
            continue;
        if (!split_setting(a->options[i].value + strlen(prefix), key, sizeof key, &value))
            return false;
        if (dls_field_set(table, settings, key, value, &error) != DLS_OK) {
            complain(&error);
            return false;
        }
    }
    return true;
}

static bool set_solver(const arguments *a, dls_choice *choice)
{
    char key[DLS_NAME_MAX];
    const char *value;
    dls_error error;
    for (size_t i = 0; i < a->n_options; i++) {
        const char *text = a->options[i].value;
        if (strcmp(a->options[i].name, "set") != 0 || dls_scene_has_key(text) || has_prefix(text, scheme_prefix) ||
            has_prefix(text, warm_prefix))
            continue;
        if (!split_setting(text, key, sizeof key, &value))
            return false;
        if (means_option(a, choice, 1, key))
            return false;
        if (dls_choices_set(choice, 1, key, value, &error) != DLS_OK) {
            complain(&error);
            return false;
        }
    }
    return true;
}

/* The scheme by its name and its settings, which the caller releases. */
static bool choose_scheme(const arguments *a, dls_run *run, dls_settings *settings)
{
    dls_error error;
    if (dls_scheme_choose(argument(a, "scheme", "euler"), &run->scheme, &error) != DLS_OK ||
        dls_settings_create(&run->scheme->fields, settings, &error) != DLS_OK) {
        complain(&error);
        return false;
    }
    run->scheme_settings = settings->values;
    return set_fields(a, scheme_prefix, settings->table, settings->values);
}

static bool choose_warm(const arguments *a, dls_warm *warm)
{
    dls_error error;
    if (dls_fields_default(&dls_warm_fields, warm, &error) == DLS_OK)
        return set_fields(a, warm_prefix, &dls_warm_fields, warm);
    complain(&error);
    return false;
}

static const double most_steps = 1e9;

void prepared_release(prepared *p)
{
    dls_film_destroy(p->run.film);
    dls_settings_release(&p->scheme_settings);
    dls_choice_release(&p->run.choice);
    dls_model_destroy(p->model);
    dls_scene_destroy(p->scene);
}

static bool choose_times(const arguments *a, dls_run *run)
{
    run->step = dls_model_world(run->model)->step;
    run->duration = dls_model_world(run->model)->duration;
    run->samples = 500;
    if (!argument_real(a, "dt", "s", &run->step) || !argument_real(a, "time", "s", &run->duration) ||
        !argument_count(a, "iterations", 1, &run->iterations) || !argument_count(a, "samples", 0, &run->samples))
        return false;
    if (!(run->duration / run->step > most_steps))
        return true;
    complain_text("%g steps of %g s are too many; at most %g", run->duration / run->step, run->step, most_steps);
    return false;
}

bool prepared_open(const arguments *a, const char *solver, prepared *p)
{
    dls_error error;
    *p = (prepared){
        .run = {.ledger = argument(a, "ledger", NULL) != NULL, .certify = argument(a, "certify", NULL) != NULL}};
    dls_file_stem(a->words[0], p->stem, sizeof p->stem);
    p->run.stem = p->stem;
    if (dls_scene_read(a->words[0], &p->scene, &error) != DLS_OK) {
        complain(&error);
        return false;
    }
    if (!p->scene->name[0]) /* tables and titles then have the name of the file */
        snprintf(p->scene->name, sizeof p->scene->name, "%s", p->stem);
    if (!set_scene(a, p->scene))
        return false;
    p->run.scene = p->scene;
    if (dls_model_create(p->scene, &p->model, &error) != DLS_OK) {
        complain_of_scene(p->scene, &error);
        return false;
    }
    p->run.model = p->model;
    const char *chosen = argument(a, "solver", solver);
    if (dls_choice_create(chosen ? chosen : dls_usual_solver(p->model)->name, &p->run.choice, &error) != DLS_OK) {
        complain(&error);
        return false;
    }
    return choose_scheme(a, &p->run, &p->scheme_settings) && set_solver(a, &p->run.choice) &&
           choose_warm(a, &p->run.warm) && choose_times(a, &p->run);
}

bool prepared_film(prepared *p)
{
    char note[256];
    dls_error error;
    snprintf(note, sizeof note, "%s, %s, h = %g s", p->run.choice.solver->name, p->run.scheme->name, p->run.step);
    if (dls_film_create(dls_model_name(p->model), note, &p->run.film, &error) == DLS_OK)
        return true;
    complain(&error);
    return false;
}
