#include "parts.h"

#include <string.h>

#define CURVE(name) extern const dls_curve_type dls_curve_##name;
#include "curves.def"
#undef CURVE
const dls_curve_type *const dls_curve_types[] = {
#define CURVE(name) &dls_curve_##name,
#include "curves.def"
#undef CURVE
    NULL};

const dls_curve_type *dls_curve_type_find(const char *name)
{
    for (size_t i = 0; dls_curve_types[i]; i++)
        if (strcmp(dls_curve_types[i]->name, name) == 0)
            return dls_curve_types[i];
    return NULL;
}
