/* Parts of the readers of meshes: errors, scaled triangles, and numbers in single precision. */
#include "mesh_source.h"

#include "base/memory.h"

#include <string.h>

static const size_t most = 2000000; /* triangles */

dls_status dls_mesh_fail(const dls_mesh_source *s, const char *message)
{
    return dls_fail_at(s->error, DLS_BAD_INPUT, s->path, s->line, s->line ? 1 : 0, NULL, "%s", message);
}

dls_status dls_mesh_fail_at_byte(const dls_mesh_source *s, size_t byte, const char *message)
{
    return dls_fail_about(s->error, DLS_BAD_INPUT, s->path, NULL, "byte %zu: %s", byte, message);
}

static bool is_same_place(dls_vec3 a, dls_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* A mesh that a scale mirrors is turned inside out, which the order of corners undoes. */
dls_status dls_mesh_add(const dls_mesh_source *s, dls_vec3 a, dls_vec3 b, dls_vec3 c)
{
    dls_triangles *to = s->to;
    const bool mirrored = s->scale.x * s->scale.y * s->scale.z < 0.0,
               is_flat = !(dls_norm(dls_cross(dls_sub(b, a), dls_sub(c, a))) > 0.0);
    if (is_flat && (is_same_place(a, b) || is_same_place(b, c) || is_same_place(c, a)))
        return DLS_OK;
    if (to->count + to->n_flat == most)
        return dls_fail_about(s->error, DLS_REFUSED, s->path, NULL,
                              "more than %zu triangles are too many; simplify the mesh", most);
    if (is_flat ? !DLS_GROW(to->flat, to->cap_flat, 3 * (to->n_flat + 1))
                : !DLS_GROW(to->corners, to->capacity, 3 * (to->count + 1)))
        return dls_fail(s->error, DLS_NO_MEMORY, "no memory for %zu triangles", to->count + to->n_flat + 1);
    dls_vec3 *corners = is_flat ? to->flat + 3 * to->n_flat++ : to->corners + 3 * to->count++;
    corners[0] = a, corners[1] = mirrored ? c : b, corners[2] = mirrored ? b : c;
    return DLS_OK;
}

dls_status dls_mesh_corner(const dls_mesh_source *s, size_t at, dls_vec3 *p)
{
    double x[3];
    for (size_t i = 0; i < 3; i++) {
        const uint32_t bits = dls_mesh_word(s, at + 4 * i);
        float value;
        memcpy(&value, &bits, sizeof value);
        x[i] = (double)value;
        if (!isfinite(x[i]))
            return dls_mesh_fail_at_byte(s, at + 4 * i, "a coordinate that is not finite; export the mesh again");
    }
    *p = dls_mesh_scaled(s, x);
    return dls_mesh_near(*p)
               ? DLS_OK
               : dls_mesh_fail_at_byte(s, at, "a corner farther than 1e30 m from the origin; write another scale");
}
