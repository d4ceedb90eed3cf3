/* Inertias that no body can have, although dynamics can compute with them: the largest principal value is more than the
 * sum of the two others, by more than rounding and the digits with which it was written; a link without mass has one,
 * as frames of robots often do; or a principal value of a link is not positive, where other links may make up for it: a
 * joint that then moves no inertia is an error of the step. The world's setting `inertia` decides, for bodies and links
 * alike:
 *     refuse    an error
 *     warn      they are used as they are; the notes of the scene name them
 *     balance   all three principal values become their mean, as in MuJoCo (balanceinertia); without a mass the same as
 *               warn; an error where the mean is not positive
 */
#include "model_parts.h"

#include "delassus/articulation.h"
#include "delassus/spatial.h"

#include <stdio.h>

static bool is_zero(const dls_mat3 *I)
{
    for (int i = 0; i < 9; i++)
        if (I->m[i] != 0.0)
            return false;
    return true;
}

static const char unbalanced[] = "the largest principal inertia is more than the sum of the two others",
                  massless[] = "it has no mass", indefinite[] = "not all of its principal inertias are positive";

/* Why no body can have the inertia of a link; NULL where one can. A link without inertia is a point mass, and that of a
 * fixed root has no effect. */
static const char *link_fault(const dls_articulation_def *def, const dls_link_def *link)
{
    const bool fixed = !link->parent[0] && def->fixed_base;
    if (fixed || is_zero(&link->inertia))
        return NULL;
    if (link->mass == 0.0)
        return massless;
    if (dls_inertia_fault(link->inertia))
        return indefinite;
    return dls_inertia_of_a_body(link->inertia, link->inertia_allowance) ? NULL : unbalanced;
}

static dls_status refuse_inertia(const char *file, dls_place place, const char *what, const char *name,
                                 const char *fault, dls_error *error)
{
    return dls_fail_at(error, DLS_BAD_INPUT, file, place.line, place.column, "inertia",
                       "%s '%s': no body has this inertia: %s; correct it, or write inertia: warn or balance in world",
                       what, name, fault);
}

static double mean_inertia(dls_mat3 I) { return (I.m[0] + I.m[4] + I.m[8]) / 3.0; }

dls_status dls_model_body_inertia(const dls_scene *scene, const dls_body_def *def, dls_mat3 *inertia, dls_error *error)
{
    if (scene->world.inertia == DLS_INERTIA_WARN || dls_inertia_of_a_body(*inertia, dls_body_inertia_allowance(def)))
        return DLS_OK;
    if (scene->world.inertia == DLS_INERTIA_REFUSE)
        return refuse_inertia(scene->file, def->place, "body", def->name, unbalanced, error);
    const double mean = mean_inertia(*inertia);
    *inertia = (dls_mat3){{mean, 0, 0, 0, mean, 0, 0, 0, mean}};
    return DLS_OK;
}

dls_status dls_model_link_inertias(const dls_scene *scene, const dls_articulation_def *def, dls_articulation *tree,
                                   dls_error *error)
{
    for (size_t i = 0; scene->world.inertia != DLS_INERTIA_WARN && i < tree->n_links; i++) {
        dls_link_def *link = &tree->defs[i];
        const char *fault = link_fault(def, link);
        const double mean = mean_inertia(link->inertia);
        const bool balanced = fault == unbalanced || fault == indefinite;
        if (fault && (scene->world.inertia == DLS_INERTIA_REFUSE || (balanced && !(mean > 0.0))))
            return refuse_inertia(def->file, link->place, "link", link->name, fault, error);
        if (!balanced)
            continue;
        link->inertia = (dls_mat3){{mean, 0, 0, 0, mean, 0, 0, 0, mean}};
        tree->links[i].inertia = (dls_sym3){.xx = mean, .yy = mean, .zz = mean}; /* in whichever axes */
    }
    return DLS_OK;
}

/* --- notes --- */

static dls_status note_inertia(dls_scene *scene, const char *file, dls_place place, const char *name, const char *fault,
                               dls_error *error)
{
    char key[DLS_NAME_MAX];
    snprintf(key, sizeof key, "inertia of %.52s", name);
    const char *text =
        fault == massless ? "it has no mass, and no body is like that; used as it is, unless world has inertia: refuse"
        : fault == indefinite ? "no body has it: not all of its principal inertias are positive; used as it is, unless "
                                "world has inertia: balance or refuse"
                              : "no body has it: the largest principal inertia is more than the sum of the two others; "
                                "used as it is, unless world has inertia: balance or refuse";
    return dls_scene_note_in(scene, file, place, key, text, error);
}

dls_status dls_scene_note_inertias(dls_scene *scene, dls_error *error)
{
    for (size_t i = 0; i < scene->n_bodies; i++) {
        const dls_body_def *body = &scene->bodies[i];
        double mass;
        dls_mat3 inertia;
        if (!body->is_static && !body->kinematic && !isnan(body->inertia.x) &&
            dls_body_mass(body, scene->file, &mass, &inertia, NULL) == DLS_OK &&
            !dls_inertia_of_a_body(inertia, dls_body_inertia_allowance(body)))
            DLS_TRY(note_inertia(scene, scene->file, body->place, body->name, unbalanced, error));
    }
    for (size_t a = 0; a < scene->n_articulations; a++) {
        const dls_articulation_def *def = scene->articulations[a];
        for (size_t i = 0; i < def->n_links; i++) {
            const char *fault = link_fault(def, &def->links[i]);
            if (fault)
                DLS_TRY(note_inertia(scene, def->file, def->links[i].place, def->links[i].name, fault, error));
        }
    }
    return DLS_OK;
}
