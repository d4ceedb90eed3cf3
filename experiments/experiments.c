#include "delassus/experiments.h"

#include <string.h>

#define EXPERIMENT(name) extern const dls_experiment dls_experiment_##name;
#include "experiments.def"
#undef EXPERIMENT
const dls_experiment *const dls_experiments[] = {
#define EXPERIMENT(name) &dls_experiment_##name,
#include "experiments.def"
#undef EXPERIMENT
    NULL};

const dls_experiment *dls_experiment_find(const char *name)
{
    for (size_t i = 0; dls_experiments[i]; i++)
        if (strcmp(dls_experiments[i]->name, name) == 0)
            return dls_experiments[i];
    return NULL;
}
