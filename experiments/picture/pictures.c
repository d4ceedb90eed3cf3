/* The kinds of files that show a film. */
#include "picture.h"

#include <string.h>

const dls_picture_kind dls_picture_kinds[] = {
    {".svg", false, 1, "a still picture as vector graphics", dls_still_svg},
    {".png", false, 1, "a still picture, drawn by gnuplot", dls_still_png},
    {".pdf", false, 1, "a still picture as vector graphics, drawn by gnuplot", dls_still_pdf},
    {".glb", true, 1, "binary glTF 2.0, in motion, for Blender and other viewers", dls_gltf_write},
    {".html", true, 2, "a page with a player, which needs a browser and no network", dls_page_write},
    {NULL, false, 0, NULL, NULL},
};

size_t dls_film_frames(const dls_film *film) { return film->n_frames; }

const dls_error *dls_film_problem(const dls_film *film, size_t k)
{
    return k < film->n_problems ? &film->problems[k] : NULL;
}

void dls_film_keep_last(dls_film *film)
{
    if (film->n_frames < 2)
        return;
    for (size_t k = 0; k < film->n_items; k++) {
        dls_item *item = &film->items[k];
        item->until = dls_item_shown(item, film->n_frames - 1) ? SIZE_MAX : 0;
        item->from = 0;
    }
    film->frames[0] = film->frames[film->n_frames - 1];
    film->n_frames = 1;
}

dls_status dls_picture_kind_of(const char *path, const dls_picture_kind **kind, dls_error *error)
{
    char known[128] = "";
    const size_t length = strlen(path);
    for (*kind = dls_picture_kinds; (*kind)->suffix; (*kind)++) {
        const size_t own = strlen((*kind)->suffix), at = strlen(known);
        if (length > own && strcmp(path + length - own, (*kind)->suffix) == 0)
            return DLS_OK;
        snprintf(known + at, sizeof known - at, "%s%s", at ? ", " : "", (*kind)->suffix);
    }
    return dls_fail_about(error, DLS_BAD_INPUT, path, NULL,
                          "the end of the name does not say what kind of picture is wanted; use one of %s", known);
}

dls_status dls_picture_write(dls_film *const *films, size_t count, const char *path, dls_error *error)
{
    const dls_picture_kind *kind;
    DLS_TRY(dls_picture_kind_of(path, &kind, error));
    if (count > kind->films)
        return dls_fail_about(error, DLS_REFUSED, path, NULL, "a file %s shows %zu run, not %zu; use .html",
                              kind->suffix, kind->films, count);
    for (size_t k = 0; k < count; k++)
        DLS_TRY(dls_film_finish(films[k], error));
    return kind->write((const dls_film *const *)films, count, path, error);
}
