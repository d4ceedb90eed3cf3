/* delassus view: a mechanism as a picture, at the start or after some time. */
#include "json.h"
#include "prepared.h"

#include <stdio.h>

static bool print_json(const arguments *a, const char *output, double time)
{
    json_t *o = json_object();
    json_put(&o, "scene", json_text(a->words[0]));
    json_put(&o, "picture", json_text(output));
    json_put(&o, "time", json_number(time));
    return json_print(o);
}

static int run_view(const arguments *a)
{
    char stem[DLS_NAME_MAX], path[DLS_NAME_MAX + 8];
    prepared p;
    dls_error error;
    const dls_picture_kind *kind;
    dls_file_stem(a->words[0], stem, sizeof stem);
    snprintf(path, sizeof path, "%s.svg", stem);
    const char *output = argument(a, "output", path);
    if (dls_picture_kind_of(output, &kind, &error) != DLS_OK)
        return complain(&error);
    int status = EXIT_BAD_INPUT;
    if (prepared_open(a, NULL, &p) && prepared_film(&p)) {
        note_scene(a->words[0], p.scene, false, false);
        p.run.duration = argument(a, "time", NULL) ? p.run.duration : 0.0;
        status = dls_picture_run(&p.run, output, &error) == DLS_OK ? EXIT_DONE : complain(&error);
        note_film(p.run.film);
    }
    const double time = p.run.duration;
    prepared_release(&p);
    if (status == EXIT_DONE && argument(a, "json", NULL))
        status = print_json(a, output, time) ? EXIT_DONE : EXIT_BAD_INPUT;
    else if (status == EXIT_DONE)
        printf("%s: %s\n", a->words[0], output);
    return status;
}

static void print_kinds(void)
{
    printf("\nFILE is, by how its name ends:\n");
    for (const dls_picture_kind *kind = dls_picture_kinds; kind->suffix; kind++)
        printf("  %-18s %s\n", kind->suffix, kind->help);
}

static const option_spec options[] = {
    {"output", 'o', "FILE", "the picture [SCENE.svg, here]"},
    {"time", 0, "S", "time of the picture [the start]"},
    {"solver", 's', "NAME", "solver for the steps until then, or exec:COMMAND [pgs; nsgs for contacts with cones]"},
    {"scheme", 0, "NAME", "time-stepping scheme of these steps, or a shared object ./mine.so [euler]"},
    {"dt", 0, "S", "time step [the scene's]"},
    {"iterations", 'k', "K", "iterations of an iterative solver per step [the scene's]"},
    {"set", 0, "KEY=VALUE", "a setting, as in run"},
    JOINT_TYPE_OPTION,
    IGNORE_OPTION,
    JSON_OPTION,
    {NULL, 0, NULL, NULL}};
const command command_view = {
    .name = "view",
    .usage = "SCENE|ROBOT [--time S] [-o FILE]",
    .summary = "a picture of a scene, a URDF or an MJCF model",
    .details =
        "Bodies and links are drawn as their visuals or shapes, or as lines to their joints if they have none; joints "
        "as dots\nin the colour of their error, with their axes; tracks, strings and rods as lines; contact forces of "
        "the last step as arrows. For a run in motion: run --animate.",
    .min_words = 1,
    .max_words = 1,
    .files = 1,
    .options = options,
    .run = run_view,
    .more = print_kinds,
};
