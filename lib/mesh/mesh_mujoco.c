/* Meshes of MuJoCo: its binary format MSH, and those in the text of a model in MJCF.
 *
 * An MSH file has the numbers of vertices, normals, texture coordinates and triangles, as integers of 32 bits, then
 * three numbers in single precision for each vertex and normal, two for each texture coordinate, and three indices of
 * vertices, from 0, for each triangle; all little endian. A mesh in the text of a model has the attributes `vertex` and
 * `face` with the same numbers. Without triangles a mesh is the convex hull of its vertices.
 */
#include "mesh_source.h"

#include "base/memory.h"
#include "hull.h"

#include <stdlib.h>
#include <string.h>

/* --- triangles --- */

typedef struct points {
    size_t count;
    dls_vec3 *at; /* scaled; freed by whoever made them */
} points;

static const char field_prefix[] = "hfield ";

static dls_status no_points_memory(const dls_mesh_source *s, size_t count)
{
    return dls_fail(s->error, DLS_NO_MEMORY, "no memory for %zu vertices", count);
}

dls_status dls_mesh_add_hull(const dls_mesh_source *s, const dls_vec3 *at, size_t count)
{
    dls_arena memory = {0};
    const dls_hull *hull = NULL;
    dls_triangles loose = {.count = (count + 2) / 3}; /* the hull looks at their corners alone */
    loose.corners = calloc(3 * loose.count + 1, sizeof *loose.corners);
    if (!loose.corners)
        return no_points_memory(s, count);
    for (size_t i = 0; i < 3 * loose.count; i++)
        loose.corners[i] = at[i < count ? i : 0];
    dls_status status = count ? dls_hull_create(&loose, s->path, &memory, &hull, s->error)
                              : dls_mesh_fail(s, "a mesh without vertices; write at least four");
    /* the corners of a hull are anticlockwise already, which a mirror would undo */
    dls_mesh_source upright = *s;
    upright.scale = dls_v3(1, 1, 1);
    for (size_t t = 0; status == DLS_OK && t < hull->n_triangles; t++) {
        const unsigned *v = hull->triangle[t].vertex;
        status = dls_mesh_add(&upright, hull->vertex[v[0]], hull->vertex[v[1]], hull->vertex[v[2]]);
    }
    dls_arena_release(&memory);
    free(loose.corners);
    return status;
}

static dls_status add_face(const dls_mesh_source *s, const points *p, const size_t v[3])
{
    for (int k = 0; k < 3; k++)
        if (v[k] >= p->count)
            return dls_mesh_fail(s, "a corner of a face is no vertex; they are numbered from 0");
    return dls_mesh_add(s, p->at[v[0]], p->at[v[1]], p->at[v[2]]);
}

/* --- MSH --- */

static dls_status read_msh_faces(const dls_mesh_source *s, const points *p, size_t at, size_t faces)
{
    for (size_t f = 0; f < faces; f++) {
        size_t v[3];
        for (size_t k = 0; k < 3; k++)
            v[k] = dls_mesh_word(s, at + 12 * f + 4 * k);
        DLS_TRY(add_face(s, p, v));
    }
    return faces ? DLS_OK : dls_mesh_add_hull(s, p->at, p->count);
}

dls_status dls_mesh_read_msh(dls_mesh_source *s)
{
    enum { HEAD = 16, BYTES = 12 };
    uint64_t n[4] = {0};
    for (size_t k = 0; k < 4 && s->size >= HEAD; k++)
        n[k] = dls_mesh_word(s, 4 * k);
    const uint64_t before = HEAD + BYTES * n[0] + BYTES * n[1] + 8 * n[2]; /* the triangles */
    if (s->size < HEAD || s->size != before + BYTES * n[3])
        return dls_fail_about(s->error, DLS_BAD_INPUT, s->path, NULL,
                              "its size is not that of the numbers at its beginning; it is no MSH of MuJoCo, or not "
                              "complete: export it again");
    points p = {(size_t)n[0], calloc((size_t)n[0] + 1, sizeof *p.at)};
    dls_status status = p.at ? DLS_OK : no_points_memory(s, p.count);
    for (size_t i = 0; status == DLS_OK && i < p.count; i++)
        status = dls_mesh_corner(s, HEAD + BYTES * i, &p.at[i]);
    if (status == DLS_OK)
        status = read_msh_faces(s, &p, (size_t)before, (size_t)n[3]);
    free(p.at);
    return status;
}

/* --- MJCF --- */

/* All numbers of an attribute, three each, which the caller frees. */
static dls_status read_threes(const dls_xml *x, const xmlNode *mesh, const char *name, double **list, size_t *count)
{
    DLS_TRY(dls_xml_list(x, mesh, name, list, count));
    return *count % 3 == 0 ? DLS_OK : dls_xml_fail(x, DLS_BAD_INPUT, mesh, name, "%zu numbers are no threes", *count);
}

static dls_status add_inline(const dls_mesh_source *s, const double *vertices, size_t n_vertices, const double *faces,
                             size_t n_faces)
{
    points p = {n_vertices / 3, calloc(n_vertices / 3 + 1, sizeof *p.at)};
    dls_status status = p.at ? DLS_OK : no_points_memory(s, p.count);
    for (size_t i = 0; status == DLS_OK && i < p.count; i++) {
        p.at[i] = dls_mesh_scaled(s, vertices + 3 * i);
        if (!dls_mesh_near(p.at[i]))
            status = dls_mesh_fail(s, "a vertex farther than 1e30 m from the origin; write another scale");
    }
    for (size_t f = 0; status == DLS_OK && f < n_faces; f += 3) {
        size_t v[3];
        for (size_t k = 0; k < 3; k++) /* what is no index is beyond the last one */
            v[k] = faces[f + k] >= 0.0 && faces[f + k] < 1e15 && faces[f + k] == floor(faces[f + k])
                       ? (size_t)faces[f + k]
                       : SIZE_MAX;
        status = add_face(s, &p, v);
    }
    if (status == DLS_OK && !n_faces)
        status = dls_mesh_add_hull(s, p.at, p.count);
    free(p.at);
    return status;
}

dls_status dls_mesh_inline(const dls_xml *x, const xmlNode *mesh, dls_mesh_source *s)
{
    double *vertices = NULL, *faces = NULL;
    size_t n_vertices = 0, n_faces = 0;
    s->line = xmlGetLineNo(mesh);
    dls_status status = read_threes(x, mesh, "vertex", &vertices, &n_vertices);
    if (status == DLS_OK)
        status = read_threes(x, mesh, "face", &faces, &n_faces);
    if (status == DLS_OK)
        status = add_inline(s, vertices, n_vertices, faces, n_faces);
    free(vertices);
    free(faces);
    return status;
}

/* The vertices of a height field of `rows` times `columns` numbers: x from -size[0] to size[0] along a row, y from
 * -size[1] to size[1] from row to row, and heights from 0 to size[2], to which the numbers are scaled; without numbers
 * all are 0. The first row that is written is the last along y. */
static void put_heights(dls_vec3 *at, const double *heights, size_t rows, size_t columns, const double *size)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; heights && i < rows * columns; i++)
        low = fmin(low, heights[i]), high = fmax(high, heights[i]);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            const double z = heights && high > low ? (heights[(rows - 1 - r) * columns + c] - low) / (high - low) : 0.0;
            at[r * columns + c] = dls_v3(size[0] * (2.0 * (double)c / (double)(columns - 1) - 1.0),
                                         size[1] * (2.0 * (double)r / (double)(rows - 1) - 1.0), size[2] * z);
        }
}

/* Two triangles for each cell, along the diagonal from its least to its greatest x and y, as MuJoCo's prisms have. */
static dls_status add_field(const dls_mesh_source *s, const double *heights, size_t rows, size_t columns,
                            const double *size)
{
    dls_vec3 *at = calloc(rows * columns + 1, sizeof *at);
    dls_status status = at ? DLS_OK : no_points_memory(s, rows * columns);
    if (at)
        put_heights(at, heights, rows, columns, size);
    for (size_t r = 0; status == DLS_OK && r + 1 < rows; r++)
        for (size_t c = 0; status == DLS_OK && c + 1 < columns; c++) {
            const dls_vec3 *p = at + r * columns + c, *q = p + columns;
            status = dls_mesh_add(s, p[0], p[1], q[1]);
            if (status == DLS_OK)
                status = dls_mesh_add(s, p[0], q[1], q[0]);
        }
    free(at);
    return status;
}

dls_status dls_mesh_hfield(const dls_xml *x, const xmlNode *field, dls_mesh_source *s)
{
    enum { MOST = 1000 };
    double rows = 0.0, columns = 0.0, size[4], *heights = NULL;
    size_t count = 0;
    int given;
    s->line = xmlGetLineNo(field);
    DLS_TRY(dls_xml_number(x, field, "nrow", &rows));
    DLS_TRY(dls_xml_number(x, field, "ncol", &columns));
    DLS_TRY(dls_xml_vector(x, field, "size", size, 4, &given));
    if (dls_xml_has(field, "file"))
        return dls_xml_fail(x, DLS_REFUSED, field, "file",
                            "a height field in a file is not read; write its numbers as elevation, with nrow and ncol");
    if (!given || !(size[0] > 0.0 && size[1] > 0.0 && size[2] > 0.0 && size[3] > 0.0))
        return dls_xml_bad(x, field, "size", "needs four positive numbers");
    if (!dls_mesh_near(dls_v3(size[0], size[1], size[2])))
        return dls_xml_bad(x, field, "size", "a corner farther than 1e30 m from the origin; write another size");
    if (!(rows >= 2.0 && rows <= MOST && columns >= 2.0 && columns <= MOST) || rows != floor(rows) ||
        columns != floor(columns))
        return dls_xml_bad(x, field, "nrow", "needs nrow and ncol, whole numbers from 2 to 1000");
    DLS_TRY(dls_xml_list(x, field, "elevation", &heights, &count));
    const dls_status status = count && (double)count != rows * columns
                                  ? dls_xml_bad(x, field, "elevation", "needs nrow times ncol numbers")
                                  : add_field(s, count ? heights : NULL, (size_t)rows, (size_t)columns, size);
    free(heights);
    return status;
}

typedef struct inline_mesh {
    const dls_xml *x;
    dls_mesh_source *s;
    const char *name;
} inline_mesh;

/* Looks in each <asset>, wherever it is. */
static dls_status find_inline(void *context, xmlNode *root)
{
    const inline_mesh *in = context;
    const bool field = strncmp(in->name, field_prefix, strlen(field_prefix)) == 0;
    const char *kind = field ? "hfield" : "mesh", *name = field ? in->name + strlen(field_prefix) : in->name;
    for (const xmlNode *asset = dls_xml_child(root, "asset"); asset; asset = dls_xml_next(asset->next, "asset"))
        for (const xmlNode *at = dls_xml_child(asset, kind); at; at = dls_xml_next(at->next, kind)) {
            char own[DLS_NAME_MAX];
            bool there;
            DLS_TRY(dls_xml_attribute(in->x, at, "name", own, sizeof own, &there));
            if (there && strcmp(own, name) == 0)
                return field ? dls_mesh_hfield(in->x, at, in->s) : dls_mesh_inline(in->x, at, in->s);
        }
    return dls_fail_about(in->s->error, DLS_BAD_INPUT, in->s->path, NULL, "no <asset> of the file has a mesh '%s'",
                          in->name);
}

dls_status dls_mesh_read_inline(dls_mesh_source *s)
{
    const dls_xml x = {.file = s->path, .error = s->error};
    inline_mesh in = {&x, s, s->part};
    if (!dls_xml_is(s->text, s->size, NULL))
        return dls_fail_about(s->error, DLS_REFUSED, s->path, NULL,
                              "FILE#NAME is a mesh in the text of a model in MJCF, and the file is no such text; name "
                              "a file .stl, .obj, .dae or .msh");
    return dls_xml_parse(s->text, s->size, NULL, &x, find_inline, &in);
}
