/* delassus convert: a problem from one format into another, or a model into a scene. */
#include "json.h"

#include <stdio.h>
#include <string.h>

static void print_written_formats(void)
{
    name_formats();
    printf(
        "--to takes those of 'delassus list written-formats', and scene: a scene in YAML, of a model (URDF, MJCF, SDF, "
        "or another scene).\n");
    printf("\nIf a format cannot represent the problem, it is refused, and the row is named.\n"
           "Other information that it cannot represent is left out and reported.\n");
}

static const char *output_of(const arguments *a) { return argument(a, "output", a->n_words > 1 ? a->words[1] : NULL); }

/* A file that ends in .yaml or .yml is a scene, unless --to says otherwise. */
static bool wants_scene(const arguments *a)
{
    const char *to = argument(a, "to", NULL), *end = output_of(a) ? strrchr(output_of(a), '.') : NULL;
    return to ? strcmp(to, "scene") == 0 : end && (strcmp(end, ".yaml") == 0 || strcmp(end, ".yml") == 0);
}

static json_t *left_out_texts(unsigned lost)
{
    json_t *left_out = json_array();
    for (size_t i = 0; dls_loss_texts[i]; i++)
        if (lost & (1U << i))
            json_add(&left_out, json_text(dls_loss_texts[i]));
    return left_out;
}

static void print_left_out(unsigned lost)
{
    for (size_t i = 0; dls_loss_texts[i]; i++)
        if (lost & (1U << i))
            printf("  left out  %s\n", dls_loss_texts[i]);
}

static size_t links_of(const dls_scene *scene)
{
    size_t links = 0;
    for (size_t k = 0; k < scene->n_articulations; k++)
        links += scene->articulations[k]->n_links;
    return links;
}

static bool print_scene_json(const arguments *a, const dls_content *content, unsigned lost)
{
    json_t *o = json_object();
    json_put(&o, "file", json_text(a->words[0]));
    json_put(&o, "format", json_text(content->format->name));
    json_put(&o, "bodies", json_count(content->scene->n_bodies));
    json_put(&o, "links", json_count(links_of(content->scene)));
    json_put(&o, "joints", json_count(content->scene->n_joints));
    json_put(&o, "output", json_text(output_of(a)));
    json_put(&o, "output_format", json_text("scene"));
    json_put(&o, "left_out", left_out_texts(lost));
    return json_print(o);
}

static int convert_scene(const arguments *a)
{
    bool printed = true;
    dls_content content;
    dls_error error;
    unsigned lost = 0;
    if (dls_file_load(a->words[0], argument(a, "format", NULL), &content, &error) != DLS_OK)
        return complain(&error);
    if (!content.scene) {
        dls_content_release(&content);
        return complain_text("convert: '%s' is a problem, and no scene; name one of the formats of problems by --to",
                             a->words[0]);
    }
    note_scene(a->words[0], content.scene, false, false);
    dls_status status = ignore_aspects(a, content.scene, &error);
    if (status == DLS_OK)
        status = dls_scene_write(content.scene, output_of(a), &lost, &error);
    if (status == DLS_OK && argument(a, "json", NULL)) {
        printed = print_scene_json(a, &content, lost);
    } else if (status == DLS_OK) {
        printf("%s: %zu bodies, %zu links, %zu joints of the scene, read as %s, written to %s as scene\n", a->words[0],
               content.scene->n_bodies, links_of(content.scene), content.scene->n_joints, content.format->name,
               output_of(a));
        print_left_out(lost);
    }
    dls_content_release(&content);
    return status != DLS_OK ? complain(&error) : printed ? EXIT_DONE : EXIT_BAD_INPUT;
}

static bool print_json(const arguments *a, const dls_content *content, const char *to, unsigned lost)
{
    json_t *o = json_object();
    json_put(&o, "file", json_text(a->words[0]));
    json_put(&o, "format", json_text(content->format->name));
    json_put(&o, "rows", json_count(content->problem->n));
    json_put(&o, "output", json_text(output_of(a)));
    json_put(&o, "output_format", json_text(to));
    json_put(&o, "left_out", left_out_texts(lost));
    return json_print(o);
}

static int run_convert(const arguments *a)
{
    bool printed = true;
    dls_content content;
    dls_error error;
    unsigned lost = 0;
    const char *to = argument(a, "to", "problem");
    if (!output_of(a) || (a->n_words > 1 && argument(a, "output", NULL)))
        return complain_text("convert: name one output, by -o FILE or behind the input");
    if (wants_scene(a))
        return convert_scene(a);
    if (load_problem(a, a->words[0], &content, &error) != DLS_OK)
        return complain(&error);
    note_scene(a->words[0], content.scene, false, true);
    const dls_status status = dls_file_write(content.problem, content.stored, to, output_of(a), &lost, &error);
    if (status == DLS_OK && argument(a, "json", NULL))
        printed = print_json(a, &content, to, lost);
    else if (status == DLS_OK) {
        printf("%s: %zu rows, read as %s, written to %s as %s\n", a->words[0], content.problem->n, content.format->name,
               output_of(a), to);
        print_left_out(lost);
    }
    dls_content_release(&content);
    return status != DLS_OK ? complain(&error) : printed ? EXIT_DONE : EXIT_BAD_INPUT;
}

static const option_spec options[] = {
    {"output", 'o', "FILE", "the written file, or the stem of a set"},
    {"to", 't', "NAME", "format of the written file [scene for .yaml and .yml, else problem]"},
    {"format", 'f', "NAME", "format of the file [recognised from its content]"},
    JOINT_TYPE_OPTION,
    IGNORE_OPTION,
    JSON_OPTION,
    {NULL, 0, NULL, NULL}};
const command command_convert = {
    .name = "convert",
    .usage = "FILE -o OUTPUT [--to FORMAT]",
    .details =
        "A model in URDF, MJCF or SDF becomes a scene in YAML if the output ends in .yaml or .yml, or by --to scene.\n"
        "The output may stand behind the input, too: FILE OUTPUT.",
    .summary = "a problem, or a scene's first step, from one format into another; or a model into a scene",
    .min_words = 1,
    .max_words = 2,
    .files = 1,
    .last_is_output = true,
    .options = options,
    .run = run_convert,
    .more = print_written_formats,
};
