/* Triangle meshes of STL (3D Systems, StereoLithography Interface Specification, 1989) and Wavefront OBJ (Advanced
 * Visualizer Manual, appendix B1).
 *
 * A binary STL has 80 bytes of any text, the number of triangles, and 50 bytes for each: a normal, three corners, two
 * bytes of attributes; numbers are little endian. Since its text may begin with `solid`, as an ASCII file does, a file
 * is binary if its size is that of its number of triangles, or if it has a zero byte. Normals are not read: they follow
 * from the corners.
 *
 * Of OBJ the vertices `v` and faces `f` are read, and a face becomes a fan about its first corner. Vertices without
 * faces are a convex hull.
 *
 * COLLADA is read by a shared object (lib/readers/assimp.c), and meshes of MuJoCo by mesh_mujoco.c.
 */
#include "mesh_source.h"

#include "base/memory.h"
#include "base/module.h"
#include "base/text.h"
#include "readers/mesh_reader.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { HEAD = 84, RECORD = 50, WORD = 64 };

void dls_triangles_release(dls_triangles *triangles)
{
    free(triangles->corners);
    free(triangles->flat);
    *triangles = (dls_triangles){0};
}

/* --- words of a text --- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/* The next word of the line; empty at its end. One that is longer than any keyword or number becomes none of them. */
static const char *next_word(dls_mesh_source *s, char word[WORD])
{
    size_t length = 0;
    while (s->at < s->size && is_blank(s->text[s->at]))
        s->at++;
    for (; s->at < s->size && !is_blank(s->text[s->at]) && s->text[s->at] != '\n'; s->at++)
        if (length + 1 < WORD)
            word[length++] = s->text[s->at];
        else
            word[0] = '?';
    word[length] = '\0';
    return word;
}

static void next_line(dls_mesh_source *s)
{
    while (s->at < s->size && s->text[s->at] != '\n')
        s->at++;
    s->at += s->at < s->size;
    s->line++;
}

/* The next word of any line; empty at the end of the file. */
static const char *any_word(dls_mesh_source *s, char word[WORD])
{
    while (!next_word(s, word)[0] && s->at < s->size)
        next_line(s);
    return word;
}

static dls_status read_coordinate(const dls_mesh_source *s, const char *word, double *value)
{
    const char *end = word;
    dls_error why;
    const dls_status status = word[0] ? dls_read_real(word, value, &end, &why) : DLS_BAD_INPUT;
    return status == DLS_OK && !*end && isfinite(*value)
               ? DLS_OK
               : dls_mesh_fail(s, "a corner needs three numbers that are finite");
}

/* Three numbers on any lines (STL), or on this one (OBJ). */
static dls_status read_point(dls_mesh_source *s, const char *(*next)(dls_mesh_source *, char *), dls_vec3 *p)
{
    char word[WORD];
    double x[3];
    for (int i = 0; i < 3; i++)
        DLS_TRY(read_coordinate(s, next(s, word), &x[i]));
    *p = dls_mesh_scaled(s, x);
    return dls_mesh_near(*p) ? DLS_OK
                             : dls_mesh_fail(s, "a corner farther than 1e30 m from the origin; write another scale");
}

/* --- ASCII STL --- */

static dls_status expect_word(dls_mesh_source *s, const char *wanted)
{
    char word[WORD];
    return strcasecmp(any_word(s, word), wanted) == 0 ? DLS_OK
                                                      : dls_fail_at(s->error, DLS_BAD_INPUT, s->path, s->line, 1, NULL,
                                                                    "'%.40s' where '%s' should be", word, wanted);
}

/* Behind the word `facet`: "normal x y z outer loop vertex x y z vertex .. vertex .. endloop endfacet". */
static dls_status read_facet(dls_mesh_source *s)
{
    char word[WORD];
    dls_vec3 corner[3];
    DLS_TRY(expect_word(s, "normal"));
    for (int i = 0; i < 3; i++)
        any_word(s, word);
    DLS_TRY(expect_word(s, "outer"));
    DLS_TRY(expect_word(s, "loop"));
    for (int i = 0; i < 3; i++) {
        DLS_TRY(expect_word(s, "vertex"));
        DLS_TRY(read_point(s, any_word, &corner[i]));
    }
    DLS_TRY(expect_word(s, "endloop"));
    DLS_TRY(expect_word(s, "endfacet"));
    return dls_mesh_add(s, corner[0], corner[1], corner[2]);
}

/* "solid NAME facet .. facet .. endsolid NAME", once or several times. */
static dls_status read_ascii(dls_mesh_source *s)
{
    char word[WORD];
    bool inside = false;
    s->line = 1;
    while (any_word(s, word)[0]) {
        if (strcasecmp(word, inside ? "endsolid" : "solid") == 0) {
            next_line(s);
            inside = !inside;
        } else if (inside && strcasecmp(word, "facet") == 0) {
            DLS_TRY(read_facet(s));
        } else {
            return dls_fail_at(s->error, DLS_BAD_INPUT, s->path, s->line, 1, NULL, "'%.40s' where '%s' should be", word,
                               inside ? "facet' or 'endsolid" : "solid");
        }
    }
    return inside ? dls_mesh_fail(s, "the file ends before 'endsolid'; it is not complete") : DLS_OK;
}

/* --- binary STL --- */

static bool has_its_size(const dls_mesh_source *s)
{
    return s->size >= HEAD && (uint64_t)s->size == HEAD + (uint64_t)RECORD * dls_mesh_word(s, 80);
}

static dls_status read_binary(const dls_mesh_source *s)
{
    if (s->size < HEAD)
        return dls_fail_about(
            s->error, DLS_BAD_INPUT, s->path, NULL,
            "byte %zu: the file ends; a binary STL has at least %d bytes, and an ASCII one begins with "
            "'solid'",
            s->size, HEAD);
    if (!has_its_size(s))
        return dls_fail_about(s->error, DLS_BAD_INPUT, s->path, NULL,
                              "byte 80: %lu triangles are %llu bytes, and the file has %zu; it is not complete, or no "
                              "STL: export it again",
                              (unsigned long)dls_mesh_word(s, 80),
                              (unsigned long long)HEAD + (unsigned long long)RECORD * dls_mesh_word(s, 80), s->size);
    for (size_t at = HEAD; at < s->size; at += RECORD) {
        dls_vec3 corner[3];
        for (size_t i = 0; i < 3; i++)
            DLS_TRY(dls_mesh_corner(s, at + 12 + 12 * i, &corner[i]));
        DLS_TRY(dls_mesh_add(s, corner[0], corner[1], corner[2]));
    }
    return DLS_OK;
}

static dls_status read_stl(dls_mesh_source *s)
{
    char word[WORD];
    if (has_its_size(s) || memchr(s->text, '\0', s->size))
        return read_binary(s);
    const bool ascii = strcasecmp(any_word(s, word), "solid") == 0;
    s->at = 0;
    s->line = 0;
    return ascii ? read_ascii(s) : read_binary(s);
}

/* --- OBJ --- */

typedef struct vertices {
    size_t count, capacity;
    dls_vec3 *at;
} vertices;

/* "3", "3/1", "3//2", "3/1/2": the first number, from 1; negative ones count back from the last vertex so far. */
static dls_status vertex_of(const dls_mesh_source *s, const vertices *v, const char *word, dls_vec3 *p)
{
    char *end;
    const long long number = strtoll(word, &end, 10);
    const long long count = (long long)v->count, index = number < 0 ? count + number : number - 1;
    if (end == word || (*end && *end != '/'))
        return dls_fail_at(s->error, DLS_BAD_INPUT, s->path, s->line, 1, "f", "'%.40s' is no number of a vertex", word);
    if (number == 0 || index < 0 || index >= count)
        return dls_fail_at(s->error, DLS_BAD_INPUT, s->path, s->line, 1, "f",
                           "there is no vertex %lld: %zu stand before this face", number, v->count);
    *p = v->at[index];
    return DLS_OK;
}

static dls_status read_face(dls_mesh_source *s, const vertices *v)
{
    char word[WORD];
    dls_vec3 first = {0}, last = {0}, now;
    size_t corners = 0;
    for (; next_word(s, word)[0]; corners++) {
        DLS_TRY(vertex_of(s, v, word, &now));
        if (corners >= 2)
            DLS_TRY(dls_mesh_add(s, first, last, now));
        first = corners ? first : now;
        last = now;
    }
    return corners >= 3 ? DLS_OK : dls_mesh_fail(s, "a face needs at least three vertices");
}

static dls_status read_obj(dls_mesh_source *s)
{
    vertices v = {0};
    char word[WORD];
    bool faces = false;
    dls_status status = DLS_OK;
    for (s->line = 1; status == DLS_OK && s->at < s->size; next_line(s)) {
        next_word(s, word);
        faces = faces || strcmp(word, "f") == 0;
        if (strcmp(word, "f") == 0)
            status = read_face(s, &v);
        else if (strcmp(word, "v") == 0 && !DLS_GROW(v.at, v.capacity, v.count + 1))
            status = dls_fail(s->error, DLS_NO_MEMORY, "no memory for %zu vertices", v.count + 1);
        else if (strcmp(word, "v") == 0)
            status = read_point(s, next_word, &v.at[v.count++]);
    }
    if (status == DLS_OK && !faces && v.count)
        status = dls_mesh_add_hull(s, v.at, v.count);
    free(v.at);
    return status;
}

/* --- COLLADA --- */

typedef struct taker {
    const dls_mesh_source *s;
    dls_status status;
} taker;

static bool take_triangle(void *context, const double corners[9])
{
    taker *t = context;
    dls_vec3 p[3];
    bool near = true;
    for (int i = 0; i < 3; i++) {
        p[i] = dls_mesh_scaled(t->s, corners + 3 * i);
        near = near && dls_mesh_near(p[i]);
    }
    t->status = near ? dls_mesh_add(t->s, p[0], p[1], p[2])
                     : dls_mesh_fail(t->s, "a corner that is not finite, or farther than 1e30 m from the origin");
    return t->status == DLS_OK;
}

static dls_status read_collada(dls_mesh_source *s)
{
    const void *found = NULL;
    char message[DLS_MESSAGE_MAX / 2] = "";
    taker t = {s, DLS_OK};
    s->line = 0;
    DLS_TRY(dls_reader_module("assimp", "dls_mesh_reader_here", s->path, "a mesh in COLLADA", &found, s->error));
    const dls_mesh_reader *reader = found;
    if (!reader->read(s->text, s->size, "dae", take_triangle, &t, message, sizeof message))
        return dls_fail_about(s->error, DLS_BAD_INPUT, s->path, NULL, "assimp cannot read it: %s", message);
    return t.status;
}

/* --- any --- */

static const struct {
    const char *suffix;
    dls_status (*read)(dls_mesh_source *s);
} kinds[] = {{".stl", read_stl}, {".obj", read_obj}, {".dae", read_collada}, {".msh", dls_mesh_read_msh}};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static bool ends_in(const char *path, size_t length, const char *suffix)
{
    const size_t own = strlen(suffix);
    return length > own && strncasecmp(path + length - own, suffix, own) == 0;
}

/* The kind of the file whose name are so many characters of the path; KINDS: none. */
static size_t kind_of(const char *path, size_t length)
{
    size_t kind = 0;
    while (kind < KINDS && !ends_in(path, length, kinds[kind].suffix))
        kind++;
    return kind;
}

static bool is_file(const char *path, size_t length)
{
    char file[DLS_PATH_MAX];
    struct stat facts;
    snprintf(file, sizeof file, "%.*s", (int)length, path);
    return stat(file, &facts) == 0 && S_ISREG(facts.st_mode);
}

/* Names of files and of meshes may have a # themselves. */
const char *dls_mesh_part(const char *path)
{
    const size_t whole = strlen(path);
    const bool is_mesh = kind_of(path, whole) < KINDS, is_there = is_mesh && is_file(path, whole);
    for (const char *hash = strchr(path, '#'); hash; hash = strchr(hash + 1, '#')) {
        const size_t length = (size_t)(hash - path);
        if (ends_in(path, length, ".xml") || (!is_there && is_file(path, length)))
            return hash;
    }
    return is_mesh ? NULL : strrchr(path, '#');
}

/* The reader of a file, and the part of it that its name has after a #, or NULL. */
static dls_status find_reader(const char *path, dls_status (**read)(dls_mesh_source *s), const char **hash,
                              dls_error *error)
{
    const char *part = *hash = dls_mesh_part(path);
    const size_t kind = kind_of(path, part ? (size_t)(part - path) : strlen(path));
    *read = dls_mesh_read_inline;
    if (part && kind == KINDS)
        return DLS_OK;
    if (part)
        return dls_fail_about(error, DLS_REFUSED, path, NULL,
                              "a part of a mesh in a file %s cannot be named; leave %s out, or write the part into a "
                              "file of its own",
                              kinds[kind].suffix, part);
    if (kind == KINDS)
        return dls_fail_about(error, DLS_REFUSED, path, NULL,
                              "neither .stl, .obj, .dae nor .msh, the meshes that are read; convert it, and name the "
                              "new file");
    *read = kinds[kind].read;
    return DLS_OK;
}

/* Moves the origin to the middle of the box. */
static void put_middle(dls_triangles *t)
{
    dls_vec3 low = t->corners[0], high = low;
    for (size_t k = 0; k < 3 * t->count; k++) {
        const dls_vec3 p = t->corners[k];
        low = dls_v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = dls_v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    t->middle = dls_scale(0.5, dls_add(low, high));
    t->half = dls_scale(0.5, dls_sub(high, low));
    for (size_t k = 0; k < 3 * t->count; k++)
        t->corners[k] = dls_sub(t->corners[k], t->middle);
    for (size_t k = 0; k < 3 * t->n_flat; k++)
        t->flat[k] = dls_sub(t->flat[k], t->middle);
}

static dls_status finish_triangles(dls_mesh_source *s)
{
    s->line = 0; /* errors from here on are about the whole file */
    if (s->to->count == 0)
        return dls_mesh_fail(s, "no triangle with an area; export the mesh again, or write another scale");
    put_middle(s->to);
    return DLS_OK;
}

dls_status dls_mesh_parse(const char *text, size_t size, const char *path, dls_vec3 scale, dls_triangles *triangles,
                          dls_error *error)
{
    dls_mesh_source s = {.text = text, .path = path, .size = size, .scale = scale, .to = triangles, .error = error};
    dls_status (*read)(dls_mesh_source *);
    *triangles = (dls_triangles){0};
    const char *hash;
    DLS_TRY(find_reader(path, &read, &hash, error));
    s.part = hash ? hash + 1 : NULL;
    if (size == 0)
        return dls_mesh_fail(&s, "the file is empty");
    DLS_TRY(read(&s));
    return finish_triangles(&s);
}

dls_status dls_mesh_of_element(const dls_xml *x, const xmlNode *mesh, dls_vec3 scale, dls_triangles *triangles)
{
    dls_mesh_source s = {.path = dls_xml_file(x, mesh), .scale = scale, .to = triangles, .error = x->error};
    *triangles = (dls_triangles){0};
    DLS_TRY(dls_mesh_inline(x, mesh, &s));
    return finish_triangles(&s);
}

dls_status dls_mesh_read(const char *path, dls_vec3 scale, dls_triangles *triangles, dls_error *error)
{
    char *text, file[DLS_PATH_MAX];
    size_t size;
    dls_status (*read)(dls_mesh_source *);
    *triangles = (dls_triangles){0};
    struct stat facts;
    const char *part;
    DLS_TRY(find_reader(path, &read, &part, error));
    snprintf(file, sizeof file, "%.*s", part ? (int)(part - path) : DLS_PATH_MAX, path);
    if (stat(file, &facts) == 0 && !S_ISREG(facts.st_mode)) /* a pipe might never end */
        return dls_fail_about(error, DLS_IO, file, NULL, "is no regular file");
    DLS_TRY(dls_file_read(file, &text, &size, error));
    const dls_status status = dls_mesh_parse(text, size, path, scale, triangles, error);
    free(text);
    return status;
}
