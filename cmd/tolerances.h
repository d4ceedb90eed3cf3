/* tolerances.h - the option --tolerances of commands on answer files. */
#ifndef DELASSUS_CMD_TOLERANCES_H
#define DELASSUS_CMD_TOLERANCES_H

#include "command.h"

enum { TOLERANCES_MAX = DLS_SUBMISSION_TOLERANCES };

typedef struct tolerances {
    double value[TOLERANCES_MAX]; /* the largest first */
    size_t count;
} tolerances;

/* "1e-3,1e-6"; false after a message. */
bool read_tolerances(const arguments *a, tolerances *t);

#define TOLERANCES_OPTION                                                                  \
    {                                                                                      \
        "tolerances", 't', "LIST", "scaled residuals that count as right [1e-3,1e-6,1e-9]" \
    }

#endif
