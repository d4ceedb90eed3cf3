/* Triangle meshes of STL (3D Systems, StereoLithography Interface Specification, 1989) and Wavefront OBJ (Advanced
 * Visualizer Manual, appendix B1).
 *
 * A binary STL has 80 bytes of any text, the number of triangles, and 50 bytes for each: a normal, three corners, two
 * bytes of attributes; numbers are little endian. Since its text may begin with `solid`, as an ASCII file does, a file
 * is binary if its size is that of its number of triangles, or if it has a zero byte. Normals are not read: they follow
 * from the corners.
 *
 * Of OBJ the vertices `v` and faces `f` are read, and a face becomes a fan about its first corner.
 */
#include "mesh_file.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { HEAD = 84, RECORD = 50, WORD = 64 };
static const size_t most = 2000000;  /* triangles */
static const double farthest = 1e30; /* coordinates of pictures are in single precision [m] */

typedef struct source {
    const char *text, *path;
    size_t size, at; /* `at`: the next byte */
    long line;
    dls_vec3 scale;
    dls_triangles *to;
    dls_error *error;
} source;

void dls_triangles_release(dls_triangles *triangles)
{
    free(triangles->corners);
    *triangles = (dls_triangles){0};
}

static dls_status mesh_fail(const source *s, const char *message)
{
    return dls_fail_at(s->error, DLS_BAD_INPUT, s->path, s->line, s->line ? 1 : 0, NULL, "%s", message);
}

static dls_status mesh_fail_at_byte(const source *s, size_t byte, const char *message)
{
    return dls_fail_about(s->error, DLS_BAD_INPUT, s->path, NULL, "byte %zu: %s", byte, message);
}

static dls_vec3 scale_point(const source *s, const double *x)
{
    return dls_v3(s->scale.x * x[0], s->scale.y * x[1], s->scale.z * x[2]);
}

static bool is_near(dls_vec3 v) { return fabs(v.x) < farthest && fabs(v.y) < farthest && fabs(v.z) < farthest; }

/* A mesh that a scale mirrors is turned inside out, which the order of corners undoes. */
static dls_status add_triangle(const source *s, dls_vec3 a, dls_vec3 b, dls_vec3 c)
{
    dls_triangles *to = s->to;
    const bool mirrored = s->scale.x * s->scale.y * s->scale.z < 0.0;
    if (!(dls_norm(dls_cross(dls_sub(b, a), dls_sub(c, a))) > 0.0))
        return DLS_OK;
    if (to->count == most)
        return dls_fail_about(s->error, DLS_REFUSED, s->path, NULL,
                              "more than %zu triangles are too many; simplify the mesh", most);
    if (!DLS_GROW(to->corners, to->capacity, 3 * (to->count + 1)))
        return dls_fail(s->error, DLS_NO_MEMORY, "no memory for %zu triangles", to->count + 1);
    dls_vec3 *corners = to->corners + 3 * to->count++;
    corners[0] = a, corners[1] = mirrored ? c : b, corners[2] = mirrored ? b : c;
    return DLS_OK;
}

/* --- words of a text --- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/* The next word of the line; empty at its end. One that is longer than any keyword or number becomes none of them. */
static const char *next_word(source *s, char word[WORD])
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

static void next_line(source *s)
{
    while (s->at < s->size && s->text[s->at] != '\n')
        s->at++;
    s->at += s->at < s->size;
    s->line++;
}

/* The next word of any line; empty at the end of the file. */
static const char *any_word(source *s, char word[WORD])
{
    while (!next_word(s, word)[0] && s->at < s->size)
        next_line(s);
    return word;
}

static dls_status read_coordinate(const source *s, const char *word, double *value)
{
    const char *end = word;
    dls_error why;
    const dls_status status = word[0] ? dls_read_real(word, value, &end, &why) : DLS_BAD_INPUT;
    return status == DLS_OK && !*end && isfinite(*value) ? DLS_OK
                                                         : mesh_fail(s, "a corner needs three numbers that are finite");
}

/* Three numbers on any lines (STL), or on this one (OBJ). */
static dls_status read_point(source *s, const char *(*next)(source *, char *), dls_vec3 *p)
{
    char word[WORD];
    double x[3];
    for (int i = 0; i < 3; i++)
        DLS_TRY(read_coordinate(s, next(s, word), &x[i]));
    *p = scale_point(s, x);
    return is_near(*p) ? DLS_OK : mesh_fail(s, "a corner farther than 1e30 m from the origin; write another scale");
}

/* --- ASCII STL --- */

static dls_status expect_word(source *s, const char *wanted)
{
    char word[WORD];
    return strcasecmp(any_word(s, word), wanted) == 0 ? DLS_OK
                                                      : dls_fail_at(s->error, DLS_BAD_INPUT, s->path, s->line, 1, NULL,
                                                                    "'%.40s' where '%s' should be", word, wanted);
}

/* Behind the word `facet`: "normal x y z outer loop vertex x y z vertex .. vertex .. endloop endfacet". */
static dls_status read_facet(source *s)
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
    return add_triangle(s, corner[0], corner[1], corner[2]);
}

/* "solid NAME facet .. facet .. endsolid NAME", once or several times. */
static dls_status read_ascii(source *s)
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
    return inside ? mesh_fail(s, "the file ends before 'endsolid'; it is not complete") : DLS_OK;
}

/* --- binary STL --- */

static uint32_t number_at(const source *s, size_t at)
{
    const unsigned char *b = (const unsigned char *)s->text + at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool has_its_size(const source *s)
{
    return s->size >= HEAD && (uint64_t)s->size == HEAD + (uint64_t)RECORD * number_at(s, 80);
}

static dls_status corner_at(const source *s, size_t at, dls_vec3 *p)
{
    double x[3];
    for (size_t i = 0; i < 3; i++) {
        const uint32_t bits = number_at(s, at + 4 * i);
        float value;
        memcpy(&value, &bits, sizeof value);
        x[i] = (double)value;
        if (!isfinite(x[i]))
            return mesh_fail_at_byte(s, at + 4 * i, "a coordinate that is not finite; export the mesh again");
    }
    *p = scale_point(s, x);
    return is_near(*p) ? DLS_OK
                       : mesh_fail_at_byte(s, at, "a corner farther than 1e30 m from the origin; write another scale");
}

static dls_status read_binary(const source *s)
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
                              (unsigned long)number_at(s, 80),
                              (unsigned long long)HEAD + (unsigned long long)RECORD * number_at(s, 80), s->size);
    for (size_t at = HEAD; at < s->size; at += RECORD) {
        dls_vec3 corner[3];
        for (size_t i = 0; i < 3; i++)
            DLS_TRY(corner_at(s, at + 12 + 12 * i, &corner[i]));
        DLS_TRY(add_triangle(s, corner[0], corner[1], corner[2]));
    }
    return DLS_OK;
}

static dls_status read_stl(source *s)
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
static dls_status vertex_of(const source *s, const vertices *v, const char *word, dls_vec3 *p)
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

static dls_status read_face(source *s, const vertices *v)
{
    char word[WORD];
    dls_vec3 first = {0}, last = {0}, now;
    size_t corners = 0;
    for (; next_word(s, word)[0]; corners++) {
        DLS_TRY(vertex_of(s, v, word, &now));
        if (corners >= 2)
            DLS_TRY(add_triangle(s, first, last, now));
        first = corners ? first : now;
        last = now;
    }
    return corners >= 3 ? DLS_OK : mesh_fail(s, "a face needs at least three vertices");
}

static dls_status read_obj(source *s)
{
    vertices v = {0};
    char word[WORD];
    dls_status status = DLS_OK;
    for (s->line = 1; status == DLS_OK && s->at < s->size; next_line(s)) {
        next_word(s, word);
        if (strcmp(word, "f") == 0)
            status = read_face(s, &v);
        else if (strcmp(word, "v") == 0 && !DLS_GROW(v.at, v.capacity, v.count + 1))
            status = dls_fail(s->error, DLS_NO_MEMORY, "no memory for %zu vertices", v.count + 1);
        else if (strcmp(word, "v") == 0)
            status = read_point(s, next_word, &v.at[v.count++]);
    }
    free(v.at);
    return status;
}

/* --- any --- */

static const struct {
    const char *suffix;
    dls_status (*read)(source *s);
} kinds[] = {{".stl", read_stl}, {".obj", read_obj}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static dls_status find_kind(const char *path, size_t *kind, dls_error *error)
{
    const size_t length = strlen(path);
    for (*kind = 0; *kind < KINDS; ++*kind) {
        const size_t own = strlen(kinds[*kind].suffix);
        if (length > own && strcasecmp(path + length - own, kinds[*kind].suffix) == 0)
            return DLS_OK;
    }
    return dls_fail_about(error, DLS_REFUSED, path, NULL,
                          "neither .stl nor .obj, the meshes that are read; convert it, and name the new file");
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
}

dls_status dls_mesh_parse(const char *text, size_t size, const char *path, dls_vec3 scale, dls_triangles *triangles,
                          dls_error *error)
{
    source s = {.text = text, .path = path, .size = size, .scale = scale, .to = triangles, .error = error};
    size_t kind;
    *triangles = (dls_triangles){0};
    DLS_TRY(find_kind(path, &kind, error));
    if (size == 0)
        return mesh_fail(&s, "the file is empty");
    DLS_TRY(kinds[kind].read(&s));
    s.line = 0; /* errors from here on are about the whole file */
    if (triangles->count == 0)
        return mesh_fail(&s, "no triangle with an area; export the mesh again, or write another scale");
    put_middle(triangles);
    return DLS_OK;
}

dls_status dls_mesh_read(const char *path, dls_vec3 scale, dls_triangles *triangles, dls_error *error)
{
    char *text;
    size_t size, kind;
    *triangles = (dls_triangles){0};
    struct stat facts;
    DLS_TRY(find_kind(path, &kind, error));
    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode)) /* a pipe might never end */
        return dls_fail_about(error, DLS_IO, path, NULL, "is no regular file");
    DLS_TRY(dls_file_read(path, &text, &size, error));
    const dls_status status = dls_mesh_parse(text, size, path, scale, triangles, error);
    free(text);
    return status;
}
