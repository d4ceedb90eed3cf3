/* delassus convert: a problem from one format into another. */
#include "json.h"

#include <stdio.h>
#include <string.h>

static void print_written_formats(void)
{
    print_formats();
    printf("\nFormats that --to takes:\n");
    for (const dls_format *f = dls_written_formats; f->name; f++)
        printf("  %-18s %s\n", f->name, f->help);
    printf("\nIf a format cannot represent the problem, it is refused, and the row is named.\n"
           "Other information that it cannot represent is left out and reported.\n");
}

static const char *output_of(const arguments *a) { return argument(a, "output", a->n_words > 1 ? a->words[1] : NULL); }

static bool print_json(const arguments *a, const dls_content *content, const char *to, unsigned lost)
{
    json_t *o = json_object(), *left_out = json_array();
    for (size_t i = 0; dls_loss_texts[i]; i++)
        if (lost & (1U << i))
            json_add(&left_out, json_text(dls_loss_texts[i]));
    json_put(&o, "file", json_text(a->words[0]));
    json_put(&o, "format", json_text(content->format->name));
    json_put(&o, "rows", json_count(content->problem->n));
    json_put(&o, "output", json_text(output_of(a)));
    json_put(&o, "output_format", json_text(to));
    json_put(&o, "left_out", left_out);
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
    if (dls_load_problem(a->words[0], argument(a, "format", NULL), &content, &error) != DLS_OK)
        return complain(&error);
    note_scene(a->words[0], content.scene, false, true);
    const dls_status status = dls_file_write(content.problem, content.stored, to, output_of(a), &lost, &error);
    if (status == DLS_OK && argument(a, "json", NULL))
        printed = print_json(a, &content, to, lost);
    else if (status == DLS_OK) {
        printf("%s: %zu rows, read as %s, written to %s as %s\n", a->words[0], content.problem->n, content.format->name,
               output_of(a), to);
        for (size_t i = 0; dls_loss_texts[i]; i++)
            if (lost & (1U << i))
                printf("  left out  %s\n", dls_loss_texts[i]);
    }
    dls_content_release(&content);
    return status != DLS_OK ? complain(&error) : printed ? EXIT_DONE : EXIT_BAD_INPUT;
}

static const option_spec options[] = {{"output", 'o', "FILE", "the written file, or the stem of a set"},
                                      {"to", 't', "NAME", "format of the written file [problem]"},
                                      {"format", 'f', "NAME", "format of the file [recognised from its content]"},
                                      JOINT_TYPE_OPTION,
                                      JSON_OPTION,
                                      {NULL, 0, NULL, NULL}};
const command command_convert = {
    .name = "convert",
    .usage = "FILE -o OUTPUT [--to FORMAT]",
    .details = "The output may stand behind the input, too: FILE OUTPUT.",
    .summary = "a problem, or a scene's first step, from one format into another",
    .min_words = 1,
    .max_words = 2,
    .files = 1,
    .last_is_output = true,
    .options = options,
    .run = run_convert,
    .more = print_written_formats,
};
