/* delassus view: a mechanism as a picture, at the start or after some time. */
#include "command.h"

#include <stdio.h>

static int run(const arguments *a)
{
    char stem[DLS_NAME_MAX], path[DLS_NAME_MAX + 8];
    dls_scene *scene;
    dls_error error;
    double time = 0.0;
    const dls_picture_kind *kind;
    dls_file_stem(a->words[0], stem, sizeof stem);
    snprintf(path, sizeof path, "%s.svg", stem);
    const char *output = argument(a, "output", path);
    if (!argument_real(a, "time", "s", &time))
        return EXIT_BAD_INPUT;
    if (dls_picture_kind_of(output, &kind, &error) != DLS_OK || dls_scene_read(a->words[0], &scene, &error) != DLS_OK)
        return complain(&error);
    bool fine = set_scene(a, scene);
    if (fine)
        note_scene(a->words[0], scene, false, false);
    if (fine && dls_picture_scene(scene, time, argument(a, "solver", "pgs"), output, &error) != DLS_OK) {
        complain(&error);
        fine = false;
    }
    dls_scene_destroy(scene);
    if (!fine)
        return EXIT_BAD_INPUT;
    printf("%s: %s\n", a->words[0], output);
    return EXIT_DONE;
}

static void print_kinds(void)
{
    printf("\nFILE is, by how its name ends:\n");
    for (const dls_picture_kind *kind = dls_picture_kinds; kind->suffix; kind++)
        printf("  %-18s %s\n", kind->suffix, kind->help);
}

static const option_spec options[] = {{"output", 'o', "FILE", "the picture [SCENE.svg, here]"},
                                      {"time", 0, "S", "after so long, stepped with the scene's step [as it starts]"},
                                      {"solver", 's', "NAME", "solver of these steps, or exec:COMMAND [pgs]"},
                                      {"set", 0, "KEY=VALUE",
                                       "a setting of the scene: world.KEY=VALUE, joints.NAME.KEY=VALUE, "
                                       "bodies.NAME.KEY=VALUE, with * in NAME for anything"},
                                      {NULL, 0, NULL, NULL}};
const command command_view = {
    .name = "view",
    .usage = "SCENE|ROBOT [--time S] [-o FILE]",
    .summary = "a picture of a scene, a URDF or an MJCF model",
    .details =
        "Bodies and links are drawn as their shapes, or as sticks to their joints where they have none; joints as dots "
        "in the colour of their\nerror, with their axes; tracks, strings and rods as lines; contact forces of "
        "the last step as arrows. For a run in motion: run --animate.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .run = run,
    .more = print_kinds,
};
