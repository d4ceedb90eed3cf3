/* The same mechanism twice: as an articulation, and as bodies with joints. Scenes define links by a drawing in the
 * world frame, like bodies, so that both have the same numbers.
 */
#include "parts.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const dls_reduced_form_names[DLS_REDUCED_FORMS] = {"reduced", "maximal"};

/* A rod of the chain: from `anchor`, its joint, along (0.6, 0, rise). The box's z lies along it: a rotation about y. */
typedef struct rod {
    dls_vec3 anchor, centre, axis;
    double mass;
    const char *orientation;
    bool hinge;
} rod;

static const double slope = 0.8;

static rod rod_of(const dls_reduced_chain *chain, size_t i)
{
    const size_t down = chain->arch ? (chain->links + 1) / 2 : chain->links;
    const double L = dls_reduced_rod, rise = i < down ? -slope : slope;
    const double below = (double)(i < down ? i : 2 * down - i);
    rod r = {.anchor = dls_v3(0.6 * L * (double)i, 0.0, -slope * L * below)};
    r.centre = dls_add(r.anchor, dls_v3(0.3 * L, 0.0, 0.5 * rise * L));
    r.axis = i % 2 ? dls_v3(-rise, 0.0, 0.6) : dls_v3(0.0, 1.0, 0.0);
    r.mass = i + 1 == (chain->middle ? down : chain->links) ? chain->ratio : 1.0;
    r.orientation = i < down ? "[0.31622776601683794, 0, 0.94868329805051377, 0]"
                             : "[0.94868329805051377, 0, 0.31622776601683794, 0]";
    r.hinge =
        chain->joints == DLS_REDUCED_HINGES || (chain->joints == DLS_REDUCED_FEW && i % ((chain->links + 3) / 4) == 0);
    return r;
}

static void print_solid(FILE *to, const rod *r)
{
    fprintf(to, "shape: box, size: [0.04, 0.06, %.17g], mass: %.17g, position: [%.17g, 0, %.17g], orientation: %s",
            dls_reduced_rod, r->mass, r->centre.x, r->centre.z, r->orientation);
}

static void print_joint(FILE *to, const rod *r)
{
    fprintf(to, "anchor: [%.17g, 0, %.17g]", r->anchor.x, r->anchor.z);
    if (r->hinge)
        fprintf(to, ", axis: [%.17g, %.17g, %.17g]", r->axis.x, r->axis.y, r->axis.z);
}

static void print_reduced(FILE *to, const dls_reduced_chain *chain)
{
    fputs("articulations:\n  - name: tree\n    links:\n      - {name: rod0, ", to);
    if (chain->base > 0.0)
        fprintf(to, "shape: box, size: [0.3, 0.2, 0.1], mass: %.17g}\n", chain->base);
    else
        fputs("static: true}\n", to);
    for (size_t i = 0; i < chain->links; i++) {
        const rod r = rod_of(chain, i);
        fprintf(to, "      - {name: rod%zu, parent: rod%zu, motion: %s, ", i + 1, i,
                r.hinge                              ? "revolute-unwrapped"
                : chain->joints == DLS_REDUCED_BALLS ? "spherical"
                                                     : "fix");
        print_joint(to, &r);
        fputs(", ", to);
        print_solid(to, &r);
        fputs("}\n", to);
    }
}

static void print_maximal(FILE *to, const dls_reduced_chain *chain, double erp)
{
    fputs("bodies:\n", to);
    for (size_t i = 0; i < chain->links; i++) {
        const rod r = rod_of(chain, i);
        fprintf(to, "  - {name: rod%zu, ", i + 1);
        print_solid(to, &r);
        fputs("}\n", to);
    }
    fputs("joints:\n", to);
    for (size_t i = 0; i < chain->links; i++) {
        const rod r = rod_of(chain, i);
        fprintf(to, "  - {name: joint%zu, type: %s, erp: %.17g, body1: rod%zu, ", i + 1,
                r.hinge                              ? "hinge"
                : chain->joints == DLS_REDUCED_BALLS ? "ball"
                                                     : "fixed",
                erp, i + 1);
        if (i > 0)
            fprintf(to, "body2: rod%zu, ", i);
        if (r.hinge || chain->joints == DLS_REDUCED_BALLS)
            print_joint(to, &r);
        fputs("}\n", to);
    }
}

/* Joints that do not make the tree. */
static void print_closing(FILE *to, const dls_reduced_chain *chain, dls_reduced_form form, double erp)
{
    const char *tree = form == DLS_REDUCED ? "tree." : "";
    if (form == DLS_REDUCED && (chain->arch || chain->base > 0.0 || chain->drive))
        fputs("joints:\n", to);
    if (chain->base > 0.0)
        fprintf(to, "  - {name: hold, type: fixed, erp: %.17g, body1: %srod0}\n", erp, tree);
    for (size_t i = 1; chain->drive && i <= chain->links; i++)
        fprintf(to,
                "  - {name: drive%zu, type: drive, coordinates: {tree.rod%zu: 1}, stiffness: %.17g, damping: %.17g, "
                "method: %s}\n",
                i, i, chain->drive->kp, chain->drive->kd, chain->drive->is_explicit ? "explicit" : "implicit");
    if (chain->arch) {
        const rod end = rod_of(chain, chain->links); /* one that would come next */
        fprintf(to, "  - {name: closing, type: ball, erp: %.17g, body1: %srod%zu, anchor: [%.17g, 0, %.17g]}\n", erp,
                tree, chain->links, end.anchor.x, end.anchor.z);
    }
}

static void print_scene(FILE *to, const dls_reduced_chain *chain, dls_reduced_form form, double erp)
{
    const locale_t before = dls_locale_begin();
    fprintf(to, "world: {gravity: %s}\n", chain->weightless ? "[0, 0, 0]" : "[0, 3.5, -9.2]");
    if (form == DLS_REDUCED)
        print_reduced(to, chain);
    else
        print_maximal(to, chain, erp);
    print_closing(to, chain, form, erp);
    dls_locale_end(before);
}

dls_status dls_reduced_chain_scene(const dls_reduced_chain *chain, dls_reduced_form form, double erp, dls_scene **scene,
                                   dls_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    bool whole = to != NULL;
    *scene = NULL;
    if (to)
        print_scene(to, chain, form, erp);
    if (to && (ferror(to) || fclose(to) != 0))
        whole = false;
    dls_status status = whole ? dls_scene_parse(text, size, "chain", scene, error)
                              : dls_fail(error, DLS_NO_MEMORY, "no memory for a scene of %zu links", chain->links);
    free(text);
    return status;
}

dls_status dls_reduced_chain_model(const dls_reduced_chain *chain, dls_reduced_form form, double erp, dls_model **model,
                                   dls_error *error)
{
    dls_scene *scene;
    DLS_TRY(dls_reduced_chain_scene(chain, form, erp, &scene, error));
    return dls_scene_model(scene, model, error);
}

dls_end dls_reduced_solid(const dls_configuration *at, size_t i)
{
    const size_t bodies = dls_model_count(at->model).bodies;
    return dls_configuration_end(at, bodies ? i : i + 1); /* links: the root is not one of the solids */
}
