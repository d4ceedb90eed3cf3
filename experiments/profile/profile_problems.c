/* The problems of a profile: files, and problems of the collection, which are made in memory. */
#include "profile/profile.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The text before the first "-", "_", "." or digit of the file's name. */
static void family_of_file(const char *file, char family[DLS_NAME_MAX])
{
    dls_file_stem(file, family, DLS_NAME_MAX);
    const size_t length = strcspn(family, "-_.0123456789");
    if (length > 0)
        family[length] = '\0';
}

/* A folder that has the name of a set does not hide the set. */
static bool is_file(const char *word)
{
    struct stat found;
    return stat(word, &found) == 0 && !S_ISDIR(found.st_mode);
}

static dls_status add_entries(const char *word, dls_profile_entry **entries, size_t *room, size_t *count,
                              dls_error *error)
{
    dls_collection_place *places = NULL;
    size_t more = 1;
    const bool of_collection = !is_file(word) && dls_collection_has(word);
    dls_status status = of_collection ? dls_collection_choose(word, &places, &more, error) : DLS_OK;
    if (status == DLS_OK && !DLS_GROW(*entries, *room, *count + more))
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for %zu problems", *count + more);
    for (size_t i = 0; status == DLS_OK && i < more; i++)
        (*entries)[(*count)++] = (dls_profile_entry){word, of_collection ? places[i] : (dls_collection_place){NULL, 0}};
    free(places);
    return status;
}

dls_status dls_profile_entries(const dls_profile *profile, dls_profile_entry **entries, size_t *count, dls_error *error)
{
    size_t room = 0;
    *entries = NULL, *count = 0;
    for (size_t i = 0; i < profile->n_words; i++)
        DLS_TRY(add_entries(profile->words[i], entries, &room, count, error));
    return DLS_OK;
}

dls_status dls_profile_load(const dls_profile_entry *entry, dls_content *content, char family[DLS_NAME_MAX],
                            char file[DLS_PATH_MAX], dls_error *error)
{
    if (!entry->place.set) {
        family_of_file(entry->word, family);
        snprintf(file, DLS_PATH_MAX, "%s", entry->word);
        return dls_load_problem(entry->word, NULL, content, error);
    }
    dls_collected made;
    *content = (dls_content){.problem = NULL};
    DLS_TRY(dls_collection_make(entry->place.set, entry->place.k, &made, error));
    content->problem = made.problem;
    free(made.lambda);
    snprintf(family, DLS_NAME_MAX, "%s", entry->place.set->name);
    snprintf(file, DLS_PATH_MAX, "%s", made.problem->name);
    return DLS_OK;
}
