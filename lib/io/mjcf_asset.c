/* Meshes, height fields and materials in <asset> of MJCF: their names, the places of meshes, and the masses of geoms
 * that are meshes.
 *
 * A vertex v of a mesh is at S R(refquat)^T (v - refpos) in the frame of its geom, where S is the diagonal matrix of
 * its scale. As a scaled shape in a frame it is at p + R S v, which has the same form only if S and R(refquat) commute.
 */
#include "mjcf.h"

#include "base/memory.h"
#include "mesh/mesh_source.h"

#include <stdio.h>
#include <string.h>

/* --- names --- */

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
    const mjcf silent = {.x = {.file = m->x.file, .error = &own}};
    const size_t me = m->n_assets;
    if (asset_name(&silent, node, name) != DLS_OK)
        return DLS_OK; /* nothing can refer to it */
    if (!DLS_GROW(m->assets, m->cap_assets, me + 1) || dls_names_add(&table->names, name, me) == SIZE_MAX)
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for %zu meshes and materials", me + 1);
    m->assets[m->n_assets++] = (mjcf_asset){.node = node};
    return DLS_OK;
}

/* Attributes of a later element override those of an earlier one. */
static void read_folder(mjcf *m, const xmlNode *compiler)
{
    static const char *const keys[] = {"assetdir", "meshdir"};
    char *const folders[] = {m->asset_folder, m->mesh_folder};
    dls_error own;
    const mjcf silent = {.x = {.file = m->x.file, .error = &own}};
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
        for (const xmlNode *n = dls_xml_child(at, "hfield"); n; n = dls_xml_next(n->next, "hfield"))
            DLS_TRY(note_asset(m, n, &m->hfield_names));
    }
    return DLS_OK;
}

dls_status mjcf_find_asset(const mjcf *m, const mjcf_element *geom, const char *what, const mjcf_table *table,
                           mjcf_element *asset, bool *there)
{
    char name[DLS_NAME_MAX];
    DLS_TRY(mjcf_text(m, geom, what, name, there));
    if (!*there)
        return DLS_OK;
    const size_t found = dls_names_find(&table->names, name);
    if (found == SIZE_MAX)
        return dls_xml_fail(&m->x, DLS_BAD_INPUT, geom->node, what, "there is no %s '%s' in <asset>", what, name);
    return mjcf_open(m, m->assets[found].node, what, m->main_class, asset);
}

/* --- meshes --- */

/* The file of an inline mesh is that of its element, as a path from the model's folder. */
static dls_status name_inline(const mjcf *m, const mjcf_element *mesh, mjcf_mesh *to)
{
    char name[DLS_NAME_MAX];
    bool there;
    const char *file = dls_xml_file(&m->x, mesh->node);
    const size_t folder = (size_t)(last_name(m->x.file) - m->x.file);
    const char *kind = dls_xml_is_element(mesh->node, "hfield") ? "hfield " : "";
    DLS_TRY(dls_xml_attribute(&m->x, mesh->node, "name", name, sizeof name, &there));
    if (strncmp(file, m->x.file, folder) == 0)
        file += folder;
    return snprintf(to->path, sizeof to->path, "%s#%s%s", file, kind, name) < DLS_PATH_MAX
               ? DLS_OK
               : dls_xml_bad(&m->x, mesh->node, "name", "the path of the file and this name are too long");
}

static dls_status name_file(const mjcf *m, const mjcf_element *mesh, const char *file, mjcf_mesh *to)
{
    const char *name = m->strips_folders ? last_name(file) : file;
    const char *folder = m->mesh_folder[0] ? m->mesh_folder : m->asset_folder;
    const int length = snprintf(to->path, DLS_PATH_MAX, "%s%s%s", name[0] == '/' ? "" : folder,
                                name[0] == '/' || !folder[0] ? "" : "/", name);
    return length < DLS_PATH_MAX ? DLS_OK : dls_xml_bad(&m->x, mesh->node, "file", "the attribute is too long");
}

static dls_status read_place(const mjcf *m, const mjcf_element *mesh, mjcf_mesh *to)
{
    double scale[3] = {1.0, 1.0, 1.0}, p[3] = {0.0, 0.0, 0.0}, q[4] = {1.0, 0.0, 0.0, 0.0};
    int count;
    DLS_TRY(mjcf_vector(m, mesh, "scale", scale, 3, &count));
    DLS_TRY(mjcf_vector(m, mesh, "refpos", p, 3, &count));
    DLS_TRY(mjcf_vector(m, mesh, "refquat", q, 4, &count));
    const dls_quat turn = {q[0], q[1], q[2], q[3]};
    const bool turned = q[1] != 0.0 || q[2] != 0.0 || q[3] != 0.0;
    if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0.0))
        return dls_xml_bad(&m->x, mesh->node, "refquat", "needs four numbers that are not all 0");
    if (turned && (scale[0] != scale[1] || scale[0] != scale[2]))
        return dls_xml_fail(&m->x, DLS_REFUSED, mesh->node, "refquat",
                            "a mesh that is turned has one scale here; scale its file");
    to->scale = dls_v3(scale[0], scale[1], scale[2]);
    to->frame.q = dls_quat_conj(dls_quat_unit(turn));
    to->frame.p = dls_neg(dls_quat_rotate(to->frame.q, dls_v3(scale[0] * p[0], scale[1] * p[1], scale[2] * p[2])));
    return DLS_OK;
}

dls_status mjcf_read_mesh(const mjcf *m, const mjcf_element *geom, mjcf_mesh *to)
{
    char file[DLS_PATH_MAX];
    bool there;
    mjcf_element mesh;
    DLS_TRY(mjcf_find_asset(m, geom, "mesh", &m->mesh_names, &mesh, &there));
    if (!there)
        return dls_xml_bad(&m->x, geom->node, "mesh", "the attribute is missing");
    for (to->asset = 0; m->assets[to->asset].node != mesh.node;)
        to->asset++;
    DLS_TRY(read_place(m, &mesh, to));
    DLS_TRY(dls_xml_attribute(&m->x, mesh.node, "file", file, sizeof file, &there));
    if (file[0])
        return name_file(m, &mesh, file, to);
    if (!dls_xml_has(mesh.node, "vertex"))
        return dls_xml_fail(&m->x, DLS_REFUSED, mesh.node, "file",
                            "the mesh has neither a file nor vertices, and is not read otherwise");
    return name_inline(m, &mesh, to);
}

dls_status mjcf_read_field(const mjcf *m, const mjcf_element *geom, mjcf_mesh *to)
{
    bool there;
    mjcf_element field;
    *to = (mjcf_mesh){.scale = {1, 1, 1}, .frame = {{0, 0, 0}, {1, 0, 0, 0}}};
    DLS_TRY(mjcf_find_asset(m, geom, "hfield", &m->hfield_names, &field, &there));
    if (!there)
        return dls_xml_bad(&m->x, geom->node, "hfield", "the attribute is missing");
    if (dls_xml_has(field.node, "file"))
        return dls_xml_fail(&m->x, DLS_REFUSED, field.node, "file",
                            "a height field in a file is not read; write its numbers as elevation, with nrow and ncol");
    return name_inline(m, &field, to);
}

/* Release the triangles after a failure, too. */
static dls_status load_mesh(const mjcf *m, const mjcf_mesh *mesh, dls_triangles *triangles)
{
    const xmlNode *node = m->assets[mesh->asset].node;
    char path[DLS_PATH_MAX];
    *triangles = (dls_triangles){0};
    if (strchr(mesh->path, '#') && !dls_xml_has(node, "file"))
        return dls_mesh_of_element(&m->x, node, mesh->scale, triangles);
    DLS_TRY(dls_mesh_place(mesh->path, m->x.file, path, m->x.error));
    return dls_mesh_read(path, mesh->scale, triangles, m->x.error);
}

/* --- masses --- */

static dls_status weigh_mesh(const mjcf *m, const mjcf_mesh *mesh, mjcf_asset *asset)
{
    static const char *const words[] = {"exact", "convex", "legacy", "shell", NULL}; /* dls_mesh_filling */
    int filling = m->exact_meshes ? DLS_MESH_EXACT : DLS_MESH_LEGACY;
    dls_triangles triangles;
    mjcf_element e;
    DLS_TRY(mjcf_open(m, asset->node, "mesh", m->main_class, &e));
    DLS_TRY(mjcf_choice(m, &e, "inertia", words, &filling));
    dls_status status = load_mesh(m, mesh, &triangles);
    if (status == DLS_OK)
        status = dls_mesh_weigh(&triangles, (dls_mesh_filling)filling, mesh->path, &asset->mass, m->x.error);
    if (status == DLS_OK)
        asset->fit = mjcf_fit_mesh(m, &asset->mass, &triangles);
    dls_triangles_release(&triangles);
    return status;
}

dls_status mjcf_weigh_mesh(mjcf *m, const mjcf_mesh *mesh, const mjcf_asset **weighed)
{
    mjcf_asset *asset = &m->assets[mesh->asset];
    if (!asset->weighed)
        DLS_TRY(weigh_mesh(m, mesh, asset));
    asset->weighed = true;
    *weighed = asset;
    return DLS_OK;
}
