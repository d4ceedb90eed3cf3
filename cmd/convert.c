/* delassus convert: a problem from one format into another. */
#include "command.h"

#include <stdio.h>
#include <string.h>

static void print_written_formats(void)
{
    print_formats();
    printf("\nFormats that --to takes:\n");
    for (const dls_format *f = dls_written_formats; f->name; f++)
        printf("  %-18s %s\n", f->name, f->help);
    printf("\nA format that cannot hold what decides the solutions of the problem is refused, and the row is named.\n"
           "What else it cannot hold is left out, and told.\n");
}

static int run(const arguments *a)
{
    dls_content content;
    dls_error error;
    unsigned lost = 0;
    const char *to = argument(a, "to", "problem");
    if (dls_load_problem(a->words[0], argument(a, "format", NULL), &content, &error) != DLS_OK)
        return complain(&error);
    note_scene(a->words[0], content.scene, false);
    const dls_status status = dls_file_write(content.problem, content.stored, to, a->words[1], &lost, &error);
    if (status == DLS_OK) {
        printf("%s: %zu rows, read as %s, written to %s as %s\n", a->words[0], content.problem->n, content.format->name,
               a->words[1], to);
        for (size_t i = 0; dls_loss_texts[i]; i++)
            if (lost & (1U << i))
                printf("  left out  %s\n", dls_loss_texts[i]);
    }
    dls_content_release(&content);
    return status == DLS_OK ? EXIT_DONE : complain(&error);
}

static const option_spec options[] = {
    {"to", 't', "NAME", "as which it is written [problem]"},
    {"format", 'f', "NAME", "as which the file is read; without it what it holds decides"},
    {NULL, 0, NULL, NULL}};
const command command_convert = {
    .name = "convert",
    .usage = "FILE OUTPUT [--to FORMAT]",
    .summary = "a problem, or a scene's first step, from one format into another",
    .min_words = 2,
    .max_words = 2,
    .options = options,
    .run = run,
    .more = print_written_formats,
};
