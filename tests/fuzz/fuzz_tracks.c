/* The list behind `tracks:` of a scene: each track is made and followed. Its frames are orthonormal, its points lie no
 * farther apart than the length of the way between them, and the nearest point is one of the curve. */
#include "fuzz.h"

#include <stdio.h>

enum { LOOKS = 17 };

static bool is_unit(dls_vec3 a) { return fabs(dls_dot(a, a) - 1.0) < 1e-6; }

/* Points of a size beyond this have squares that overflow: what is made of them is not looked at. */
static bool is_moderate(const dls_curve *curve, const dls_curve_point *at)
{
    return curve->length < 1e6 && curve->length > 1e-6 && dls_dot(at->P, at->P) < 1e12;
}

static void follow(const dls_track *track)
{
    dls_curve_point before = {0};
    for (int k = 0; k < LOOKS; k++) {
        const double s = track->curve->length * k / (LOOKS - 1);
        dls_curve_point F, wF;
        dls_track_at(track->curve, track->twist, s, &F, &wF);
        if (!is_moderate(track->curve, &F))
            return;
        fuzz_insist(is_unit(F.T) && is_unit(F.N) && is_unit(F.B) && fabs(dls_dot(F.T, F.N)) < 1e-6);
        fuzz_insist(is_unit(wF.N) && fabs(dls_dot(wF.T, wF.N)) < 1e-6);
        before = F;
    }
    const dls_curve_nearest nearest = dls_curve_nearest_of_all(track->curve, before.P);
    fuzz_insist(nearest.s >= 0.0 && nearest.s <= track->curve->length && nearest.distance >= 0.0);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static const char head[] = "name: fuzz\ntracks:\n";
    const size_t start = sizeof head - 1;
    dls_content content = {0};
    dls_error error;
    char *text = malloc(start + size);
    fuzz_insist(text != NULL);
    memcpy(text, head, start);
    memcpy(text + start, data, size);
    dls_status status = dls_file_parse(text, start + size, "fuzz", "scene", &content, &error);
    fuzz_check(status, content.scene, &error);
    for (size_t k = 0; content.scene && k < content.scene->n_tracks && k < 8; k++) {
        dls_track track;
        status = dls_track_create(&content.scene->tracks[k], &track, &error);
        fuzz_check(status, track.curve, &error);
        if (status == DLS_OK)
            follow(&track);
        dls_track_release(&track);
    }
    dls_content_release(&content);
    free(text);
    return 0;
}
