/* Files on the command line that are not there are taken from the scenes and models that come with the program, so that
 * the commands of the manual work in every folder. */
#include "command.h"

#include "delassus/collection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The path of a shipped file: "scenes/chain-10.yaml" as it is, "chain-10" and "chain-10.yaml" without their folder. */
static bool find_shipped(const char *name, char *path)
{
    static const struct {
        const char *folder, *suffix;
    } places[] = {{"scenes/", ".yaml"}, {"scenes/", ""}, {"models/", ""}};
    const bool has_folder = strchr(name, '/') != NULL;
    if (has_folder)
        return snprintf(path, DLS_PATH_MAX, "%s/%s", dls_data_folder(), name) < DLS_PATH_MAX && access(path, R_OK) == 0;
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++)
        if (snprintf(path, DLS_PATH_MAX, "%s/%s%s%s", dls_data_folder(), places[k].folder, name, places[k].suffix) <
                DLS_PATH_MAX &&
            access(path, R_OK) == 0)
            return true;
    return false;
}

/* Words "-" of a command that reads files: standard input, which has one of them. */
static bool name_standard_input(const command *c, arguments *a)
{
    const size_t count = c->last_is_output && a->n_words > c->min_words ? c->min_words : a->n_words;
    size_t found = 0;
    for (size_t i = 0; c->files > 0 && i < count; i++)
        if (strcmp(a->words[i], "-") == 0) {
            a->words[i] = STANDARD_INPUT;
            found++;
        }
    if (found > 1)
        complain_text("%s: '-' is standard input, which holds one file, and was given %zu times", c->name, found);
    return found <= 1;
}

bool find_files(const command *c, arguments *a)
{
    if (!name_standard_input(c, a))
        return false;
    const size_t count = a->n_words < c->files ? a->n_words : c->files;
    const dls_collection_set *set;
    dls_error error;
    size_t k;
    a->found = calloc(count + 1, sizeof *a->found);
    if (!a->found) {
        complain_text("out of memory");
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const char *name = a->words[i];
        if (!*name || *name == '/' || access(name, F_OK) == 0 || (c->or_sets && dls_collection_has(name)))
            continue;
        if (!find_shipped(name, a->found[i])) {
            const char *data = dls_data_folder();
            if (c->or_sets && dls_collection_find(name, &set, &k, &error) != DLS_OK)
                complain_text("%s: no file of this name; %s", name, error.message);
            else if (strchr(name, '/'))
                complain_text("%s: cannot read: No such file or directory, neither here nor in %s", name, data);
            else
                complain_text("%s: cannot read: No such file or directory, neither here nor in %s/scenes or %s/models",
                              name, data, data);
            return false;
        }
        complain_text("%s: no such file here; taken from %s", name, a->found[i]);
        a->words[i] = a->found[i];
    }
    return true;
}
