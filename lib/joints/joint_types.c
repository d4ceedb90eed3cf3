/* The table of joint types, and types from outside. */
#include "delassus/joint.h"

#include <string.h>

#define JOINT(name) extern const dls_joint_type dls_joint_##name;
#include "joints/joints.def"
#undef JOINT
const dls_joint_type *const dls_joint_types[] = {
#define JOINT(name) &dls_joint_##name,
#include "joints/joints.def"
#undef JOINT
    NULL};

enum { ADDED_MAX = 64 };
static const dls_joint_type *added[ADDED_MAX + 1]; /* from outside, NULL after the last */

const dls_joint_type *dls_joint_type_at(size_t i)
{
    const size_t own = sizeof dls_joint_types / sizeof dls_joint_types[0] - 1;
    return i < own ? dls_joint_types[i] : i - own <= ADDED_MAX ? added[i - own] : NULL;
}

const dls_joint_type *dls_joint_type_find(const char *name)
{
    const dls_joint_type *type;
    for (size_t i = 0; (type = dls_joint_type_at(i)); i++)
        if (strcmp(type->name, name) == 0)
            return type;
    return NULL;
}

dls_status dls_joint_type_add(const dls_joint_type *type, dls_error *error)
{
    size_t n = 0;
    if (!type->name || !type->summary || !type->equation || !type->place || !type->count || !type->rows ||
        !type->position)
        return dls_fail(error, DLS_BAD_ARGUMENT,
                        "a joint type lacks name, summary, equation, place, count, rows or position");
    const dls_joint_type *other = dls_joint_type_find(type->name);
    if (other == type)
        return DLS_OK;
    if (other)
        return dls_fail(error, DLS_BAD_ARGUMENT, "there is a joint type '%s' already: rename the new one", type->name);
    while (added[n])
        n++;
    if (n == ADDED_MAX)
        return dls_fail(error, DLS_NO_MEMORY, "there are %d joint types from outside already", ADDED_MAX);
    added[n] = type;
    return DLS_OK;
}
