/* Files on the command line that are not there are taken from the scenes and models that come with the program, so that
 * the commands of the manual work in every folder. */
#include "command.h"

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

bool find_files(const command *c, arguments *a)
{
    const size_t count = a->n_words < c->files ? a->n_words : c->files;
    a->found = calloc(count + 1, sizeof *a->found);
    if (!a->found) {
        complain_text("out of memory");
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const char *name = a->words[i];
        if (!*name || *name == '/' || access(name, F_OK) == 0)
            continue;
        if (!find_shipped(name, a->found[i])) {
            const char *data = dls_data_folder();
            if (strchr(name, '/'))
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
