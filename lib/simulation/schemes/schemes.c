#include "delassus/scheme.h"

#include <string.h>

#define SCHEME(name) extern const dls_scheme dls_scheme_##name;
#include "schemes.def"
#undef SCHEME
const dls_scheme *const dls_schemes[] = {
#define SCHEME(name) &dls_scheme_##name,
#include "schemes.def"
#undef SCHEME
    NULL};

const dls_scheme *dls_scheme_find(const char *name)
{
    for (size_t i = 0; dls_schemes[i]; i++)
        if (strcmp(dls_schemes[i]->name, name) == 0)
            return dls_schemes[i];
    return NULL;
}
