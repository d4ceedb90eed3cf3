/* The size of a mechanism, the places of its bodies, and the distance of two of them. */
#include "parts.h"

#include <math.h>
#include <stdlib.h>

/* The root mean square distance of the mass of an end from its centre [m]: sqrt(tr I / (2 m)); 0 without mass. */
static double gyration(const dls_model *model, size_t end)
{
    size_t link;
    const dls_model_articulation *of = dls_model_articulation_of(model, end, &link);
    double mass, trace;
    if (of) {
        const dls_link *l = &of->tree->links[link];
        mass = l->mass, trace = l->inertia.xx + l->inertia.yy + l->inertia.zz;
    } else {
        const dls_body *body = &dls_model_bodies(model)[end];
        mass = body->mass, trace = body->inertia.m[0] + body->inertia.m[4] + body->inertia.m[8];
    }
    return mass > 0.0 ? sqrt(0.5 * trace / mass) : 0.0;
}

typedef struct box {
    dls_vec3 low, high;
} box;

static void box_extend(box *b, dls_vec3 x, double radius)
{
    b->low = dls_v3(fmin(b->low.x, x.x - radius), fmin(b->low.y, x.y - radius), fmin(b->low.z, x.z - radius));
    b->high = dls_v3(fmax(b->high.x, x.x + radius), fmax(b->high.y, x.y + radius), fmax(b->high.z, x.z + radius));
}

/* The diagonal of the box around all that moves at the start, each part as a sphere of its radius of gyration, and
 * around the anchors of its joints. */
static dls_status measure_mechanism(recommend_truth *t, dls_error *error)
{
    const dls_joint *joints = dls_model_joints(t->model);
    dls_configuration *at;
    box b = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    DLS_TRY(dls_configuration_create(t->model, &at, error));
    dls_configuration_evaluate(at, dls_model_initial(t->model));
    for (size_t i = 0; i < t->count; i++)
        box_extend(&b, dls_configuration_end(at, t->end[i]).x, t->radius[i]);
    for (size_t j = 0; j < dls_model_count(t->model).joints; j++) {
        dls_end end[2];
        if (joints[j].type->pair == DLS_PAIR_NONE)
            continue;
        dls_configuration_ends(at, &joints[j], end);
        box_extend(&b, dls_end_anchor(&end[0], &joints[j].frame[0]), 0.0);
    }
    dls_configuration_destroy(at);
    t->size = dls_norm(dls_sub(b.high, b.low));
    return t->size > 0.0 && isfinite(t->size)
               ? DLS_OK
               : dls_fail(error, DLS_REFUSED,
                          "the mechanism has no size to measure errors by: it is one point mass; "
                          "give the body a shape or an inertia");
}

static dls_status list_ends(recommend_truth *t, dls_error *error)
{
    const size_t ends = dls_model_count(t->model).ends;
    t->end = calloc(ends + 1, sizeof *t->end);
    t->radius = calloc(ends + 1, sizeof *t->radius);
    t->at = calloc(RECOMMEND_TIMES * (ends + 1), sizeof *t->at);
    if (!t->end || !t->radius || !t->at)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the motion of %zu bodies", ends);
    for (size_t i = 0; i < ends; i++)
        if (dls_model_moves(t->model, i)) {
            t->radius[t->count] = gyration(t->model, i);
            t->end[t->count++] = i;
        }
    return t->count > 0 ? DLS_OK : dls_fail(error, DLS_REFUSED, "nothing in this scene can move");
}

dls_status recommend_measure(const dls_model *model, double duration, recommend_truth *truth, dls_error *error)
{
    *truth = (recommend_truth){.model = model, .duration = duration};
    DLS_TRY(list_ends(truth, error));
    return measure_mechanism(truth, error);
}

void recommend_release_truth(recommend_truth *truth)
{
    free(truth->end);
    free(truth->radius);
    free(truth->at);
    *truth = (recommend_truth){.at = NULL};
}

void recommend_keep_places(const recommend_truth *truth, const dls_configuration *at, recommend_place *places)
{
    for (size_t i = 0; i < truth->count; i++) {
        const dls_end end = dls_configuration_end(at, truth->end[i]);
        places[i] = (recommend_place){end.x, end.q};
    }
}

double recommend_distance(const recommend_truth *truth, const recommend_place *places, const recommend_place *others)
{
    double most = 0.0;
    for (size_t i = 0; i < truth->count; i++) {
        const double angle = dls_norm(dls_quat_log(dls_quat_mul(dls_quat_conj(others[i].q), places[i].q)));
        most = fmax(most, fmax(dls_norm(dls_sub(places[i].x, others[i].x)), truth->radius[i] * angle));
    }
    return most / truth->size;
}
