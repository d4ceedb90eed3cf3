/* Shapes with surfaces of their own: which of them touch, and with what friction (MuJoCo's rules: documentation,
 * Computation, Contact). Two shapes touch if one's type and the other's affinity have a common bit. Their coefficients
 * are those of the surface of higher priority, or the larger ones; they have as many of them as the greater condim, or
 * that of higher priority, says. Shapes whose surfaces are a pair of the scene touch whatever else would keep them
 * apart, except that they cannot move relative to each other, with the pair's coefficients. A shape without surface has
 * those of the world, and touches all others.
 */
#include "delassus/contact.h"
#include "model_parts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct dls_touching_pair {
    size_t surface[2]; /* numbers, the lower first */
    double friction[DLS_FRICTIONS];
    dls_place place;
} dls_touching_pair;

static const char *const friction_keys[DLS_FRICTIONS] = {"mu", "torsion", "rolling"};
static const int least_condim[DLS_FRICTIONS] = {DLS_CONDIM_3, DLS_CONDIM_4, DLS_CONDIM_6};

void dls_shape_surface_combine(const dls_shape_surface *a, const dls_shape_surface *b, double friction[DLS_FRICTIONS])
{
    const dls_shape_surface *first = a->priority > b->priority ? a : b;
    const bool both = a->priority == b->priority;
    const int condim = both ? (a->condim > b->condim ? a->condim : b->condim) : first->condim;
    for (int k = 0; k < DLS_FRICTIONS; k++)
        friction[k] = condim < least_condim[k] ? 0.0 : both ? fmax(a->friction[k], b->friction[k]) : first->friction[k];
}

/* --- compilation --- */

/* Coefficients that are not given become those of `others`. The law of the world must have their kinds. */
static dls_status surface_friction(dls_where w, double friction[DLS_FRICTIONS], const double others[DLS_FRICTIONS])
{
    const dls_law law = (dls_law)w.scene->world.friction;
    const char *const whys[DLS_FRICTIONS] = {NULL, dls_contact_refuses(law, 0.0, friction[1], false),
                                             dls_contact_refuses(law, friction[2], 0.0, false)};
    for (int k = 0; k < DLS_FRICTIONS; k++) {
        if (w.scene->world.collide && whys[k])
            return dls_model_bad(w, friction_keys[k], whys[k]);
        friction[k] = isnan(friction[k]) ? others[k] : friction[k];
    }
    return DLS_OK;
}

static dls_status compile_surface(const dls_scene *scene, dls_shape_surface *surface, dls_error *error)
{
    const dls_world_def *world = &scene->world;
    const double others[DLS_FRICTIONS] = {world->mu, world->torsion, world->rolling};
    const dls_where w = {scene, surface->place, error};
    if (surface->name[0]) /* not the one of shapes that name none */
        DLS_TRY(dls_model_check(w, &dls_shape_surface_fields, surface));
    DLS_TRY(surface_friction(w, surface->friction, others));
    if (surface->condim == DLS_CONDIM_LEAST) {
        surface->condim = DLS_CONDIM_1;
        for (int k = 0; k < DLS_FRICTIONS; k++)
            surface->condim = surface->friction[k] > 0.0 ? least_condim[k] : surface->condim;
    }
    return DLS_OK;
}

static int compare_surface_pairs(const void *a, const void *b)
{
    const dls_touching_pair *x = a, *y = b;
    for (int k = 0; k < 2; k++)
        if (x->surface[k] != y->surface[k])
            return x->surface[k] < y->surface[k] ? -1 : 1;
    return 0;
}

static dls_touching_pair ordered_pair(size_t one, size_t other)
{
    return (dls_touching_pair){.surface = {one < other ? one : other, one < other ? other : one}};
}

static dls_status compile_pair(const dls_scene *scene, const dls_model *model, const dls_surface_pair *from,
                               dls_touching_pair *to, dls_error *error)
{
    static const char *const keys[] = {"surface1", "surface2"};
    const dls_where w = {scene, from->place, error};
    size_t number[2];
    double others[DLS_FRICTIONS];
    for (int k = 0; k < 2; k++) {
        if (!from->surface[k][0])
            return dls_model_bad(w, keys[k], "missing; name a surface");
        DLS_TRY(
            dls_scene_surface_number(scene, from->surface[k], scene->file, from->place, keys[k], &number[k], error));
    }
    DLS_TRY(dls_model_check(w, &dls_surface_pair_fields, from));
    *to = ordered_pair(number[0], number[1]);
    to->place = from->place;
    dls_shape_surface_combine(&model->surfaces[number[0]], &model->surfaces[number[1]], others);
    memcpy(to->friction, from->friction, sizeof to->friction);
    return surface_friction(w, to->friction, others);
}

/* Pairs given twice are beside each other; the one that is defined later is the error. */
static dls_status check_pairs_once(const dls_scene *scene, const dls_model *model, dls_error *error)
{
    for (size_t k = 1; k < model->n_pairs; k++) {
        const dls_touching_pair *a = &model->pairs[k - 1], *b = &model->pairs[k];
        const bool first =
            a->place.line != b->place.line ? a->place.line < b->place.line : a->place.column < b->place.column;
        const dls_place later = first ? b->place : a->place;
        if (compare_surface_pairs(a, b) == 0)
            return dls_fail_at(error, DLS_BAD_INPUT, scene->file, later.line, later.column, "surface2",
                               "the pair of '%s' and '%s' is given twice; leave one out",
                               model->surfaces[a->surface[0]].name, model->surfaces[a->surface[1]].name);
    }
    return DLS_OK;
}

dls_status dls_model_compile_surfaces(const dls_scene *scene, dls_model *model, dls_error *error)
{
    model->surfaces = DLS_TAKE(&model->memory, dls_shape_surface, scene->n_surfaces + 1);
    model->pairs = DLS_TAKE(&model->memory, dls_touching_pair, scene->n_pairs);
    if (!model->surfaces || !model->pairs)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu surfaces", scene->n_surfaces);
    model->surfaces[0] = (dls_shape_surface){.friction = {NAN, NAN, NAN}, .type = SIZE_MAX, .affinity = SIZE_MAX};
    for (size_t k = 0; k < scene->n_surfaces; k++)
        model->surfaces[k + 1] = scene->surfaces[k];
    for (size_t k = 0; k <= scene->n_surfaces; k++)
        DLS_TRY(compile_surface(scene, &model->surfaces[k], error));
    for (size_t k = 0; k < scene->n_pairs; k++)
        DLS_TRY(compile_pair(scene, model, &scene->pairs[k], &model->pairs[k], error));
    model->n_pairs = scene->n_pairs;
    if (model->n_pairs)
        qsort(model->pairs, model->n_pairs, sizeof *model->pairs, compare_surface_pairs);
    return check_pairs_once(scene, model, error);
}

/* --- contacts --- */

bool dls_model_solids_touch(const dls_model *model, size_t solid1, size_t solid2, double friction[DLS_FRICTIONS])
{
    const dls_solid *one = &model->solids[solid1], *other = &model->solids[solid2];
    const dls_shape_surface *a = &model->surfaces[one->surface], *b = &model->surfaces[other->surface];
    const dls_touching_pair sought = ordered_pair(one->surface, other->surface);
    const dls_touching_pair *pair =
        model->n_pairs ? bsearch(&sought, model->pairs, model->n_pairs, sizeof sought, compare_surface_pairs) : NULL;
    if (pair && model->rigid[one->end] != model->rigid[other->end]) {
        memcpy(friction, pair->friction, sizeof pair->friction);
        return true;
    }
    dls_shape_surface_combine(a, b, friction);
    return dls_model_may_touch(model, one->end, other->end) &&
           ((a->type & b->affinity) != 0 || (b->type & a->affinity) != 0);
}
