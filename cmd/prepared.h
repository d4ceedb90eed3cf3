/* prepared.h - a run as the options of a command line describe it: scene, solver, scheme, warm starts and steps. */
#ifndef DELASSUS_CMD_PREPARED_H
#define DELASSUS_CMD_PREPARED_H

#include "command.h"

typedef struct prepared {
    dls_scene *scene;
    dls_model *model;
    dls_settings scheme_settings;
    dls_run run; /* of these */
    char stem[DLS_NAME_MAX];
} prepared;

/* The options solver, scheme, dt, time, iterations, samples, set, certify and ledger, for the scene that the first word
 * names, with `solver`, or the usual one (NULL), where none is given; false after a message. Release it after that,
 * too. */
bool prepared_open(const arguments *a, const char *solver, prepared *p);
/* A film for the run, whose note says solver, scheme and step; false after a message. */
bool prepared_film(prepared *p);
void prepared_release(prepared *p);

#endif
