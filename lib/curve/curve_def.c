#include "base/memory.h"
#include "delassus/curve.h"

#include <stdlib.h>

static const char *curve_name_at(const void *context, size_t i)
{
    (void)context;
    return dls_curve_types[i] ? dls_curve_types[i]->name : NULL;
}

dls_status dls_curve_default(dls_curve_def *def, const char *type, dls_error *error)
{
    *def = (dls_curve_def){.type = dls_curve_type_find(type)};
    if (!def->type)
        return dls_fail_about(
            error, DLS_BAD_INPUT, NULL, "type", "there is no curve '%s'%s", type,
            dls_hint_of(dls_nearest_word(type, curve_name_at, NULL), "see delassus list curves").text);
    return dls_settings_create(&def->type->fields, &def->settings, error);
}

dls_status dls_curve_set(dls_curve_def *def, const char *key, const char *text, dls_error *error)
{
    return dls_settings_set(&def->settings, key, text, error);
}

dls_status dls_curve_add_point(dls_curve_def *def, dls_vec3 point, dls_error *error)
{
    if (!def->type->has_points)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "points", "the curve '%s' is not given by points",
                              def->type->name);
    if (!DLS_GROW(def->points, def->cap_points, def->n_points + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu points", def->n_points + 1);
    def->points[def->n_points++] = point;
    return DLS_OK;
}

dls_status dls_curve_add_piece(dls_curve_def *def, dls_curve_def *piece, dls_error *error)
{
    if (!def->type->has_pieces)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "pieces", "the curve '%s' has no pieces", def->type->name);
    if (!DLS_GROW(def->pieces, def->cap_pieces, def->n_pieces + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu pieces of a curve", def->n_pieces + 1);
    def->pieces[def->n_pieces++] = *piece;
    *piece = (dls_curve_def){.type = piece->type};
    return DLS_OK;
}

void dls_curve_def_release(dls_curve_def *def)
{
    for (size_t i = 0; i < def->n_pieces; i++)
        dls_curve_def_release(&def->pieces[i]);
    free(def->pieces);
    free(def->points);
    dls_settings_release(&def->settings);
    *def = (dls_curve_def){.type = def->type};
}

static const char *twist_name_at(const void *context, size_t i)
{
    (void)context;
    return dls_twist_types[i] ? dls_twist_types[i]->name : NULL;
}

dls_status dls_twist_default(dls_twist_def *def, const char *type, dls_error *error)
{
    *def = (dls_twist_def){.type = dls_twist_type_find(type)};
    if (!def->type)
        return dls_fail_about(
            error, DLS_BAD_INPUT, NULL, "type", "there is no twist '%s'%s", type,
            dls_hint_of(dls_nearest_word(type, twist_name_at, NULL), "see delassus list twists").text);
    return dls_settings_create(&def->type->fields, &def->settings, error);
}

dls_status dls_twist_set(dls_twist_def *def, const char *key, const char *text, dls_error *error)
{
    return dls_settings_set(&def->settings, key, text, error);
}

dls_status dls_twist_add_point(dls_twist_def *def, double s, double wt, dls_error *error)
{
    if (!def->type->has_points)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "points", "the twist '%s' is not given by points",
                              def->type->name);
    if (!DLS_GROW(def->points, def->cap_points, def->n_points + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu points", def->n_points + 1);
    def->points[def->n_points][0] = s;
    def->points[def->n_points++][1] = wt;
    return DLS_OK;
}

void dls_twist_def_release(dls_twist_def *def)
{
    free(def->points);
    dls_settings_release(&def->settings);
    *def = (dls_twist_def){.type = def->type};
}
