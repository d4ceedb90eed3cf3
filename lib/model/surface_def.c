/* Definitions of surfaces and of their pairs in a scene; surfaces.c compiles them. */
#include "base/memory.h"
#include "base/names.h"
#include "model_parts.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

enum { SURFACE_STAMP = 0x0d155f4c, PAIR_STAMP = 0x0d15fa12 };

static const char *const condim_names[] = {"least", "1", "3", "4", "6", NULL};

#define SURFACE(key, unit, kind, member, fallback, min, max, choices, help)                                        \
    {                                                                                                              \
        key, unit, DLS_FIELD_##kind, offsetof(dls_shape_surface, member), fallback, min, max, false, choices, help \
    }
static const dls_field surface_fields[] = {
    SURFACE("name", "", NAME, name, NULL, 0, 0, NULL, "name of the surface, by which shapes and pairs refer to it"),
    SURFACE("mu", "", REAL, friction[0], "", 0, DBL_MAX, NULL,
            "coefficient of sliding friction; default: that of the world"),
    SURFACE("torsion", "m", REAL, friction[1], "", 0, DBL_MAX, NULL,
            "coefficient of torsional friction; default: that of the world"),
    SURFACE("rolling", "m", REAL, friction[2], "", 0, DBL_MAX, NULL,
            "coefficient of rolling friction; default: that of the world"),
    SURFACE("condim", "", CHOICE, condim, "least", 0, 0, condim_names,
            "kinds of friction, by the dimensions of a contact; 1: none; 3: sliding; 4: also torsional; 6: also "
            "rolling; least: those up to the last one whose coefficient is not 0"),
    SURFACE("priority", "", REAL, priority, "0", -HUGE_VAL, HUGE_VAL, NULL,
            "of two surfaces the one of higher priority decides alone"),
    SURFACE("type", "", COUNT, type, "1", 0, UINT32_MAX, NULL,
            "bits; two shapes touch only if the type of one and the affinity of the other have a bit in common"),
    SURFACE("affinity", "", COUNT, affinity, "1", 0, UINT32_MAX, NULL, "bits of the types that it touches"),
};
const dls_field_table dls_shape_surface_fields = DLS_FIELD_TABLE(surface_fields, dls_shape_surface);

#define PAIR(key, unit, kind, member, fallback, max, help)                                                   \
    {                                                                                                        \
        key, unit, DLS_FIELD_##kind, offsetof(dls_surface_pair, member), fallback, 0, max, false, NULL, help \
    }
static const dls_field pair_fields[] = {
    PAIR("surface1", "", NAME, surface[0], NULL, 0, "name of a surface"),
    PAIR("surface2", "", NAME, surface[1], NULL, 0, "name of another one, or of the same"),
    PAIR("mu", "", REAL, friction[0], "", DBL_MAX,
         "coefficient of sliding friction between the two; default: as without the pair"),
    PAIR("torsion", "m", REAL, friction[1], "", DBL_MAX,
         "coefficient of torsional friction between the two; default: as without the pair"),
    PAIR("rolling", "m", REAL, friction[2], "", DBL_MAX,
         "coefficient of rolling friction between the two; default: as without the pair"),
};
const dls_field_table dls_surface_pair_fields = DLS_FIELD_TABLE(pair_fields, dls_surface_pair);

void dls_shape_surface_default(dls_shape_surface *surface)
{
    (void)dls_fields_default(&dls_shape_surface_fields, surface, NULL); /* defaults parse: tests/test_field.c */
    surface->stamp = SURFACE_STAMP;
}

dls_status dls_scene_add_surface(dls_scene *scene, const dls_shape_surface *surface, dls_error *error)
{
    const dls_place at = surface->place;
    if (surface->stamp != SURFACE_STAMP)
        return dls_fail(error, DLS_BAD_ARGUMENT, "a surface that dls_shape_surface_default has not made");
    if (!surface->name[0])
        return dls_fail_at(error, DLS_BAD_INPUT, scene->file, at.line, at.column, "name", "a surface needs a name");
    if (!DLS_GROW(scene->surfaces, scene->cap_surfaces, scene->n_surfaces + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu surfaces", scene->n_surfaces + 1);
    DLS_TRY(
        dls_scene_add_name(scene, &scene->names->surfaces, scene->n_surfaces, surface->name, "surfaces", at, error));
    scene->surfaces[scene->n_surfaces++] = *surface;
    return DLS_OK;
}

void dls_surface_pair_default(dls_surface_pair *pair)
{
    (void)dls_fields_default(&dls_surface_pair_fields, pair, NULL); /* defaults parse: tests/test_field.c */
    pair->stamp = PAIR_STAMP;
}

dls_status dls_scene_add_pair(dls_scene *scene, const dls_surface_pair *pair, dls_error *error)
{
    if (pair->stamp != PAIR_STAMP)
        return dls_fail(error, DLS_BAD_ARGUMENT, "a pair that dls_surface_pair_default has not made");
    if (!DLS_GROW(scene->pairs, scene->cap_pairs, scene->n_pairs + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu pairs of surfaces", scene->n_pairs + 1);
    scene->pairs[scene->n_pairs++] = *pair;
    return DLS_OK;
}

static const char *surface_at(const void *context, size_t i)
{
    const dls_scene *scene = context;
    return i < scene->n_surfaces ? scene->surfaces[i].name : NULL;
}

dls_status dls_scene_surface_number(const dls_scene *scene, const char *name, const char *file, dls_place place,
                                    const char *key, size_t *number, dls_error *error)
{
    const size_t at = name[0] ? dls_names_find(&scene->names->surfaces, name) : SIZE_MAX;
    *number = at == SIZE_MAX ? 0 : at + 1;
    if (at != SIZE_MAX || !name[0])
        return DLS_OK;
    return dls_fail_at(
        error, DLS_BAD_INPUT, file, place.line, place.column, key, "there is no surface '%s'%s", name,
        dls_hint_of(dls_nearest_word(name, surface_at, scene), "add it to the list `surfaces` of the scene").text);
}
