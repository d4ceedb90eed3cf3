/* Appearance of bodies of MJCF: geoms of the groups 0 to 2, which MuJoCo shows unless told otherwise, with meshes and
 * the colours of their materials from <asset>. All of it but the meshes of geoms that collide is for pictures: a
 * faulty one is kept with the reason, and is no error here.
 */
#include "mjcf.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* Colour of the geom, or else of its material. An opacity of 0 hides it. */
static dls_status read_colour(mjcf *m, const mjcf_element *geom, long *colour, bool *hidden)
{
    double rgba[4] = {0, 0, 0, 1};
    int count;
    bool there;
    mjcf_element material;
    DLS_TRY(mjcf_vector(m, geom, "rgba", rgba, 4, &count));
    if (!count) {
        DLS_TRY(mjcf_find_asset(m, geom, "material", &m->material_names, &material, &there));
        if (there)
            DLS_TRY(mjcf_vector(m, &material, "rgba", rgba, 4, &count));
    }
    *hidden = count && rgba[3] == 0.0;
    *colour = count ? dls_xml_colour(rgba) : -1;
    return DLS_OK;
}

static dls_status read_visual(mjcf *m, const mjcf_element *geom, const dls_body_def *solid, dls_link_visual *visual,
                              bool *hidden)
{
    double group = 0.0;
    *hidden = false;
    DLS_TRY(mjcf_number(m, geom, "group", &group));
    DLS_TRY(read_colour(m, geom, &visual->colour, hidden));
    *hidden = *hidden || !(group <= 2.0);
    visual->shape = solid->shape, visual->size = solid->size;
    visual->radius = solid->radius, visual->length = solid->length;
    if (*hidden || solid->shape != DLS_SHAPE_NONE)
        return DLS_OK;
    mjcf_mesh mesh;
    DLS_TRY(mjcf_frame(m, geom, &visual->frame));
    DLS_TRY(mjcf_read_mesh(m, geom, &mesh));
    visual->frame = mjcf_compose(visual->frame, mesh.frame);
    visual->scale = mesh.scale;
    memcpy(visual->mesh, mesh.path, sizeof visual->mesh);
    return DLS_OK;
}

dls_status mjcf_add_visual(mjcf *m, const mjcf_element *geom, const dls_body_def *solid, dls_frame frame,
                           const char *body, dls_articulation_def *tree)
{
    dls_error own;
    mjcf silent = *m;
    dls_link_visual visual = {.colour = -1, .frame = frame, .place = dls_xml_place(geom->node)};
    bool hidden;
    silent.x.error = &own;
    silent.x.scene = NULL;
    snprintf(visual.link, sizeof visual.link, "%s", body);
    snprintf(visual.model, sizeof visual.model, "%s", m->x.file);
    const dls_status status = read_visual(&silent, geom, solid, &visual, &hidden);
    if (status == DLS_NO_MEMORY)
        return dls_fail(m->x.error, status, "no memory for a geom");
    if (status != DLS_OK)
        snprintf(visual.wrong, sizeof visual.wrong, "%s%s%.400s", own.key, own.key[0] ? ": " : "", own.message);
    if (hidden)
        return DLS_OK;
    if (tree)
        return dls_articulation_def_add_visual(tree, &visual, m->x.error);
    if (!DLS_GROW(m->standing, m->cap_standing, m->n_standing + 1))
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for %zu visuals", m->n_standing + 1);
    m->standing[m->n_standing++] = visual;
    return DLS_OK;
}

dls_status mjcf_draw_root(mjcf *m, const char *body, dls_articulation_def *tree)
{
    size_t kept = 0;
    for (size_t k = 0; k < m->n_standing; k++) {
        if (strcmp(m->standing[k].link, body) == 0)
            DLS_TRY(dls_articulation_def_add_visual(tree, &m->standing[k], m->x.error));
        else
            m->standing[kept++] = m->standing[k];
    }
    m->n_standing = kept;
    return DLS_OK;
}
