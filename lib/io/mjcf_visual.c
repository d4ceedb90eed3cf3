/* Appearance of bodies of MJCF: geoms of the groups 0 to 2, which MuJoCo shows unless told otherwise, with meshes and
 * the colours of their materials from <asset>. All of it but the meshes of geoms that collide is for pictures: a
 * faulty one is kept with the reason, and is no error here.
 */
#include "mjcf.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* --- assets --- */

/* The place of a file's own name in a path. */
static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* A mesh without a name has that of its file, without folder and suffix. */
static dls_status asset_name(const mjcf *m, const xmlNode *node, char name[DLS_NAME_MAX])
{
    char file[DLS_PATH_MAX];
    bool there;
    DLS_TRY(dls_xml_attribute(&m->x, node, "name", name, DLS_NAME_MAX, &there));
    if (name[0])
        return DLS_OK;
    DLS_TRY(dls_xml_attribute(&m->x, node, "file", file, sizeof file, &there));
    snprintf(name, DLS_NAME_MAX, "%.*s", (int)strcspn(last_name(file), "."), last_name(file));
    return DLS_OK;
}

static dls_status note_asset(mjcf *m, const xmlNode *node, mjcf_table *table)
{
    char name[DLS_NAME_MAX];
    dls_error own;
    const mjcf silent = {.x = {m->x.file, &own}};
    const size_t me = m->n_assets;
    if (asset_name(&silent, node, name) != DLS_OK)
        return DLS_OK; /* nothing can refer to it */
    if (!DLS_GROW(m->assets, m->cap_assets, me + 1) || dls_names_add(&table->names, name, me) == SIZE_MAX)
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for %zu meshes and materials", me + 1);
    m->assets[m->n_assets++] = node;
    return DLS_OK;
}

/* Attributes of a later element override those of an earlier one. */
static void read_folder(mjcf *m, const xmlNode *compiler)
{
    static const char *const keys[] = {"assetdir", "meshdir"};
    char *const folders[] = {m->asset_folder, m->mesh_folder};
    dls_error own;
    const mjcf silent = {.x = {m->x.file, &own}};
    const mjcf_element e = {.node = compiler, .class = DLS_NONE};
    for (int i = 0; i < 2; i++) {
        char text[DLS_PATH_MAX];
        bool there;
        if (dls_xml_attribute(&silent.x, compiler, keys[i], text, sizeof text, &there) == DLS_OK && there)
            memcpy(folders[i], text, sizeof text);
    }
    (void)mjcf_bool(&silent, &e, "strippath", &m->strips_folders);
}

dls_status mjcf_read_assets(mjcf *m, const xmlNode *root)
{
    for (const xmlNode *at = dls_xml_child(root, "compiler"); at; at = dls_xml_next(at->next, "compiler"))
        read_folder(m, at);
    for (const xmlNode *at = dls_xml_child(root, "asset"); at; at = dls_xml_next(at->next, "asset")) {
        for (const xmlNode *n = dls_xml_child(at, "mesh"); n; n = dls_xml_next(n->next, "mesh"))
            DLS_TRY(note_asset(m, n, &m->mesh_names));
        for (const xmlNode *n = dls_xml_child(at, "material"); n; n = dls_xml_next(n->next, "material"))
            DLS_TRY(note_asset(m, n, &m->material_names));
    }
    return DLS_OK;
}

/* --- one visual --- */

/* The asset that an attribute of a geom names, with its class. *there: whether there is such an attribute. */
static dls_status find_asset(mjcf *m, const mjcf_element *geom, const char *what, const mjcf_table *table,
                             mjcf_element *asset, bool *there)
{
    char name[DLS_NAME_MAX];
    DLS_TRY(mjcf_text(m, geom, what, name, there));
    if (!*there)
        return DLS_OK;
    const size_t found = dls_names_find(&table->names, name);
    if (found == SIZE_MAX)
        return dls_xml_fail(&m->x, DLS_BAD_INPUT, geom->node, what, "there is no %s '%s' in <asset>", what, name);
    return mjcf_open(m, m->assets[found], what, m->main_class, asset);
}

/* Colour of the geom, or else of its material. An opacity of 0 hides it. */
static dls_status read_colour(mjcf *m, const mjcf_element *geom, long *colour, bool *hidden)
{
    double rgba[4] = {0, 0, 0, 1};
    int count;
    bool there;
    mjcf_element material;
    DLS_TRY(mjcf_vector(m, geom, "rgba", rgba, 4, &count));
    if (!count) {
        DLS_TRY(find_asset(m, geom, "material", &m->material_names, &material, &there));
        if (there)
            DLS_TRY(mjcf_vector(m, &material, "rgba", rgba, 4, &count));
    }
    *hidden = count && rgba[3] == 0.0;
    *colour = count ? dls_xml_colour(rgba) : -1;
    return DLS_OK;
}

dls_status mjcf_read_mesh(mjcf *m, const mjcf_element *geom, char path[DLS_PATH_MAX], dls_vec3 *factors)
{
    char file[DLS_PATH_MAX];
    double scale[3] = {1.0, 1.0, 1.0};
    const char *folder = m->mesh_folder[0] ? m->mesh_folder : m->asset_folder;
    int count;
    bool there;
    mjcf_element mesh;
    DLS_TRY(find_asset(m, geom, "mesh", &m->mesh_names, &mesh, &there));
    if (!there)
        return dls_xml_bad(&m->x, geom->node, "mesh", "the attribute is missing");
    if (mjcf_holder(m, &mesh, "refpos") || mjcf_holder(m, &mesh, "refquat"))
        return dls_xml_bad(&m->x, mesh.node, "mesh", "refpos and refquat of a mesh are not read");
    DLS_TRY(dls_xml_attribute(&m->x, mesh.node, "file", file, sizeof file, &there));
    if (!file[0])
        return dls_xml_bad(&m->x, mesh.node, "file", "the mesh has no file");
    DLS_TRY(mjcf_vector(m, &mesh, "scale", scale, 3, &count));
    *factors = dls_v3(scale[0], scale[1], scale[2]);
    const char *name = m->strips_folders ? last_name(file) : file;
    const int length = snprintf(path, DLS_PATH_MAX, "%s%s%s", name[0] == '/' ? "" : folder,
                                name[0] == '/' || !folder[0] ? "" : "/", name);
    return length < DLS_PATH_MAX ? DLS_OK : dls_xml_bad(&m->x, mesh.node, "file", "the attribute is too long");
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
    DLS_TRY(mjcf_frame(m, geom, &visual->frame));
    return mjcf_read_mesh(m, geom, visual->mesh, &visual->scale);
}

dls_status mjcf_add_visual(mjcf *m, const mjcf_element *geom, const dls_body_def *solid, dls_frame frame,
                           const char *body, dls_articulation_def *tree)
{
    dls_error own;
    mjcf silent = *m;
    dls_link_visual visual = {.colour = -1, .frame = frame, .place = dls_xml_place(geom->node)};
    bool hidden;
    silent.x.error = &own;
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
