#include "parts.h"

#include <string.h>

void dls_track_def_release(dls_track_def *def)
{
    dls_curve_def_release(&def->curve);
    dls_twist_def_release(&def->twist);
}

dls_status dls_track_create(const dls_track_def *def, dls_track *track, dls_error *error)
{
    *track = (dls_track){0};
    memcpy(track->name, def->name, sizeof track->name);
    DLS_TRY(dls_curve_create(&def->curve, &track->curve, error));
    if (!def->twist.type)
        return DLS_OK;
    dls_status status = dls_twist_create(&def->twist, track->curve, &track->twist, error);
    if (status != DLS_OK)
        dls_track_release(track);
    return status;
}

void dls_track_release(dls_track *track)
{
    dls_twist_destroy(track->twist);
    dls_curve_destroy(track->curve);
    *track = (dls_track){0};
}
